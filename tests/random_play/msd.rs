//! Random legal play of msd: whole games from the preparation on, from two decks of fifty with extra decks of seven.

use std::sync::{Arc, OnceLock};

use saitei::game;
use saitei::kernel::{Def, Given, Rulebook, Run, Seat, Settings, Table};

use super::laying::{Laying, cards, in_one_zone};
use super::{Dice, Random};

/// Besides what always holds: control is the zone, and stock lies with its entity.
pub fn assert_lawful(t: &Table) {
    in_one_zone(book(), t);
    for card in &t.cards {
        let spec = book().schema().spec(card.zone);
        assert!(!spec.board || card.host.is_some() || Some(card.controller) == spec.owner, "control is the zone");
        assert_ne!(spec.name, "戦場", "the battlefield is made of zones");
        assert!(card.host.is_none_or(|(_, host)| t.obj(host).zone == card.zone), "stock lies with its entity");
    }
}

pub fn book() -> &'static dyn Rulebook {
    game::book("msd").expect("a rulebook")
}

/// Two decks of fifty with extra decks of seven, which the rules for decks allow.
pub fn given(seed: u64) -> Given {
    static DEFS: OnceLock<Vec<Arc<Def>>> = OnceLock::new();
    let defs = DEFS.get_or_init(|| cards(book(), &[include_str!("msd.yaml")])).clone();
    let mut laying = Laying::new(book(), defs, 1);
    let (fused, god, token) = (laying.named("双星"), laying.named("戦神"), laying.named("狐"));
    let mut dice = Dice(seed);
    for seat in Seat::BOTH {
        let pool = (0..laying.defs.len()).filter(|i| ![fused, god, token].contains(i));
        let pool: Vec<usize> = pool.flat_map(|i| [i; 4]).collect();
        let main: Vec<usize> = dice.some(pool.len(), 50).into_iter().map(|i| pool[i as usize]).collect();
        let extra = [fused, fused, fused, fused, god, god, god];
        laying.deck(seat, ("デッキゾーン", &main), ("エキストラデッキゾーン", &extra), &[]);
    }
    laying.made("狐", 40);
    laying.given()
}

/// What the coin gives is lost in the document; here it is read as one odo (C23).
pub fn settings() -> Settings {
    Settings { trace: false, readings: vec![("C23".into(), "b".into())], ..Settings::default() }
}

pub fn play(seed: u64, answers: usize, keep: bool) -> (Given, Random, Run) {
    super::laying::play(book(), given(seed), (seed, answers, keep), assert_lawful, &settings())
}
