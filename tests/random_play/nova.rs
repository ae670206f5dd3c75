//! Random legal play of nova: two legal decks with every kind of card and every keyword.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use saitei::card::{Card, Datum, Word, load};
use saitei::game;
use saitei::game::deck::{Deck, rules};
use saitei::kernel::{CardId, Def, Given, Obj, Rulebook, Run, Schema, Seat, Table, run};

use super::{Dice, Random, random, silent};

pub fn book() -> &'static dyn Rulebook {
    game::book("nova").expect("nova has a rulebook")
}

/// Every card is in the one zone it says, cards lie in their owner's zones, and equipment lies where its bearer does.
pub fn assert_lawful(t: &Table) {
    let schema = book().schema();
    let mut count = vec![0; t.cards.len()];
    for (zone, cards) in t.zones.iter().enumerate() {
        let spec = &schema.zones[zone];
        for id in cards {
            count[id.0 as usize] += 1;
            assert_eq!(t.obj(*id).zone.0 as usize, zone, "a card is where it says");
            if let Some(owner) = spec.owner.filter(|_| !spec.board) {
                assert_eq!(t.obj(*id).owner, owner, "a card in another's {}", spec.name);
            }
            if let (true, Some(owner)) = (spec.board, spec.owner) {
                assert_eq!(t.obj(*id).controller, owner, "a card on another's field");
            }
        }
    }
    assert!(count.iter().all(|n| *n == 1), "every card is in one zone");
}

fn defs() -> Vec<Arc<Def>> {
    static DEFS: OnceLock<Vec<Arc<Def>>> = OnceLock::new();
    let read = || {
        let text = include_str!("nova.yaml");
        let (cards, problems) = load::cards(Path::new("nova.yaml"), text, &book().schema().words);
        assert!(problems.is_empty(), "{problems:#?}");
        cards.into_iter().map(|c| Arc::new(Def::new(Arc::new(c.value), book()))).collect()
    };
    DEFS.get_or_init(read).clone()
}

fn is_character(card: &Card) -> bool {
    matches!(card.data.get(&Word("種類")), Some(Datum::Words(words)) if words.iter().any(|w| *w == "キャラクター"))
}

/// Four of every other card; three of every other character. Both are legal.
pub fn given(seed: u64) -> Given {
    let schema: &Schema = book().schema();
    let defs = defs();
    let mut dice = Dice(seed);
    let mut table = Table { turn: 0, midway: false, ..Table::new(schema, Word("準備")) };
    let mut labels = Vec::new();
    for (at, seat) in Seat::BOTH.into_iter().enumerate() {
        let mine = defs.iter().enumerate().filter(|(i, _)| i % 2 == at);
        let (characters, main): (Vec<_>, Vec<_>) = mine.partition(|(_, d)| is_character(&d.card));
        let mut list: Vec<(usize, &str)> = Vec::new();
        list.extend(main.iter().flat_map(|(i, _)| [(*i, "デッキ"); 4]));
        list.extend(characters.iter().flat_map(|(i, _)| [(*i, "キャラデッキ"); 3]));
        let cards = |zone: &str| list.iter().filter(|(_, z)| *z == zone).map(|(i, _)| &*defs[*i].card).collect();
        let deck = Deck { main: cards("デッキ"), extra: cards("キャラデッキ"), ..Deck::default() };
        let wrong: Vec<String> =
            rules("nova").expect("rules of construction")(&deck).into_iter().map(|(_, why)| why).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        for i in dice.some(list.len(), list.len()) {
            let (def, zone) = list[i as usize];
            let zone = schema.zone(zone, Some(seat)).expect("a zone");
            let id = CardId(table.cards.len() as u16);
            table.zones[zone.0 as usize].push(id);
            labels.push(Word::new(&format!("{}#{}", defs[def].name(), id.0)));
            table.cards.push(Obj { face_up: false, ..Obj::new(schema, def as u16, seat, zone) });
        }
    }
    Given::new(defs, table, labels)
}

pub fn play(seed: u64, answers: usize, keep: bool) -> (Given, Random, Run) {
    let given = given(seed);
    let mut random = Random { keep, lawful: keep.then_some(assert_lawful), ..random(seed, answers) };
    let settings = silent();
    let run = run(book(), &given, &mut random, &settings);
    (given, random, run)
}
