//! Random legal play of msd: whole games from the preparation on, from two decks of fifty with extra decks of seven.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use saitei::card::{Card, Word, load};
use saitei::game;
use saitei::game::deck::{Deck, rules};
use saitei::kernel::{CardId, Def, Given, Obj, Rulebook, Run, Schema, Seat, Settings, Table, run};

use super::{Dice, Random};

/// Every card is in the one zone it says, with its host, and out of play in a zone of its owner.
pub fn assert_lawful(t: &Table) {
    let schema = book().schema();
    let mut count = vec![0; t.cards.len()];
    for (zone, cards) in t.zones.iter().enumerate() {
        let spec = &schema.zones[zone];
        for id in cards {
            count[id.0 as usize] += 1;
            let card = t.obj(*id);
            assert_eq!(card.zone.0 as usize, zone, "a card is where it says");
            assert!(spec.board || spec.owner.is_none_or(|o| o == card.owner), "a card in another's {}", spec.name);
            assert!(!spec.board || card.host.is_some() || Some(card.controller) == spec.owner, "control is the zone");
            assert_ne!(spec.name, "戦場", "the battlefield is made of zones");
        }
    }
    assert!(count.iter().all(|n| *n == 1), "every card is in one zone");
    for card in &t.cards {
        assert!(card.host.is_none_or(|(_, host)| t.obj(host).zone == card.zone), "stock lies with its entity");
    }
}

pub fn book() -> &'static dyn Rulebook {
    game::book("msd").expect("a rulebook")
}

/// The cards of the test, read once.
fn defs() -> Vec<Arc<Def>> {
    static DEFS: OnceLock<Vec<Arc<Def>>> = OnceLock::new();
    let read = || {
        let text = include_str!("msd.yaml");
        let (cards, problems) = load::cards(Path::new("msd.yaml"), text, &book().schema().words);
        assert!(problems.is_empty(), "{problems:#?}");
        cards.into_iter().map(|c| Arc::new(Def::new(Arc::new(c.value), book()))).collect()
    };
    DEFS.get_or_init(read).clone()
}

/// Two decks of fifty with extra decks of seven, which the rules for decks allow.
pub fn given(seed: u64) -> Given {
    let schema: &Schema = book().schema();
    let mut defs = defs();
    let cards: Vec<Arc<Card>> = defs.iter().map(|def| def.card.clone()).collect();
    let named = |name: &str| cards.iter().position(|c| c.name == name).expect("a card");
    let (fused, god, token) = (named("双星"), named("戦神"), named("狐"));
    let mut table = Table { turn: 1, midway: false, ..Table::new(schema, Word("準備")) };
    let mut labels = Vec::new();
    let mut put = |table: &mut Table, name: Word, def: usize, seat: Seat, zone| {
        let id = CardId(table.cards.len() as u16);
        table.zones[zone as usize].push(id);
        labels.push(Word::new(&format!("{name}#{}", id.0)));
        table.cards.push(Obj { face_up: false, ..Obj::new(schema, def as u16, seat, saitei::kernel::ZoneId(zone)) });
    };
    let mut dice = Dice(seed);
    let zone = |name: &str, seat| schema.zone(name, seat).expect("a zone").0;
    for seat in Seat::BOTH {
        let mut pool: Vec<usize> = (0..cards.len()).filter(|i| ![fused, god, token].contains(i)).collect();
        pool = pool.iter().flat_map(|i| [*i; 4]).collect();
        let picks = dice.some(pool.len(), 50);
        let main: Vec<usize> = picks.into_iter().map(|i| pool[i as usize]).collect();
        let extra = [fused, fused, fused, fused, god, god, god];
        let list = Deck {
            main: main.iter().map(|i| &*cards[*i]).collect(),
            extra: extra.iter().map(|i| &*cards[*i]).collect(),
            ..Deck::default()
        };
        assert!(rules("msd").expect("rules for decks")(&list).is_empty(), "a legal deck");
        for def in main {
            put(&mut table, cards[def].name, def, seat, zone("デッキゾーン", Some(seat)));
        }
        for def in extra {
            put(&mut table, cards[def].name, def, seat, zone("エキストラデッキゾーン", Some(seat)));
        }
    }
    let limbo = zone(saitei::kernel::schema::LIMBO, None);
    for _ in 0..40 {
        put(&mut table, Word("狐"), token, Seat(0), limbo);
    }
    let coins = book().furnish(&table, &|def| cards[def as usize].clone());
    for (card, at, seat) in coins {
        defs.push(Arc::new(Def::new(Arc::new(card.clone()), book())));
        put(&mut table, card.name, defs.len() - 1, seat, at.0);
    }
    Given::new(defs, table, labels)
}

/// What the coin gives is lost in the document; here it is read as one odo (C23).
pub fn settings() -> Settings {
    Settings { trace: false, readings: vec![("C23".into(), "b".into())], ..Settings::default() }
}

pub fn play(seed: u64, answers: usize, keep: bool) -> (Given, Random, Run) {
    let given = given(seed);
    let mut random = Random { keep, lawful: keep.then_some(assert_lawful), ..super::random(seed, answers) };
    let run = run(book(), &given, &mut random, &settings());
    (given, random, run)
}
