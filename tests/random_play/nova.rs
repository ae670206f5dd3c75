//! Random legal play of nova: two legal decks with every kind of card and every keyword.

use std::sync::{Arc, OnceLock};

use saitei::card::{Card, Datum, Word};
use saitei::game;
use saitei::kernel::{Def, Given, Rulebook, Run, Seat, Table};

use super::laying::{Laying, cards, in_one_zone};
use super::{Dice, Random, silent};

pub fn book() -> &'static dyn Rulebook {
    game::book("nova").expect("nova has a rulebook")
}

/// Besides what always holds: cards lie on the field of whoever controls them.
pub fn assert_lawful(t: &Table) {
    in_one_zone(book(), t);
    for card in &t.cards {
        let spec = book().schema().spec(card.zone);
        assert!(!spec.board || spec.owner.is_none_or(|o| o == card.controller), "a card on another's field");
    }
}

fn is_character(card: &Card) -> bool {
    matches!(card.data.get(&Word("種類")), Some(Datum::Words(words)) if words.iter().any(|w| *w == "キャラクター"))
}

/// Four of every other card; three of every other character. Both are legal.
pub fn given(seed: u64) -> Given {
    static DEFS: OnceLock<Vec<Arc<Def>>> = OnceLock::new();
    let defs = DEFS.get_or_init(|| cards(book(), &[include_str!("nova.yaml")])).clone();
    let mut dice = Dice(seed);
    let mut laying = Laying::new(book(), defs, 0);
    for (at, seat) in Seat::BOTH.into_iter().enumerate() {
        let mine = (0..laying.defs.len()).filter(|i| i % 2 == at);
        let (characters, main): (Vec<_>, Vec<_>) = mine.partition(|i| is_character(&laying.defs[*i].card));
        let main: Vec<usize> = main.into_iter().flat_map(|i| [i; 4]).collect();
        let characters: Vec<usize> = characters.into_iter().flat_map(|i| [i; 3]).collect();
        let main: Vec<usize> = dice.some(main.len(), main.len()).into_iter().map(|i| main[i as usize]).collect();
        laying.deck(seat, ("デッキ", &main), ("キャラデッキ", &characters), &[]);
    }
    laying.given()
}

pub fn play(seed: u64, answers: usize, keep: bool) -> (Given, Random, Run) {
    super::laying::play(book(), given(seed), (seed, answers, keep), assert_lawful, &silent())
}
