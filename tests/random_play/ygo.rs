//! Random legal play of ygo: decks of forty with an extra deck of fifteen, every kind of card in them.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use saitei::card::{Datum, Word, load};
use saitei::game;
use saitei::kernel::schema::LIMBO;
use saitei::kernel::{CardId, Def, Given, Obj, Rulebook, Run, Schema, Seat, Table, ZoneId, run};

use super::{Dice, Random, silent};

pub fn book() -> &'static dyn Rulebook {
    game::book("ygo").expect("ygo has a rulebook")
}

/// The cards that rulings share and those of the test, as far as all of their text is written down.
fn defs() -> Vec<Arc<Def>> {
    static DEFS: OnceLock<Vec<Arc<Def>>> = OnceLock::new();
    let read = || {
        let files = [
            include_str!("../../rulings/ygo/cards/common.yaml"),
            include_str!("../../rulings/ygo/cards/named.yaml"),
            include_str!("../../rulings/ygo/cards/summons.yaml"),
            include_str!("ygo.yaml"),
        ];
        let mut all = Vec::new();
        for text in files {
            let (cards, problems) = load::cards(Path::new("cards.yaml"), text, &book().schema().words);
            assert!(problems.is_empty(), "{problems:#?}");
            all.extend(cards.into_iter().map(|c| c.value).filter(|c| c.unencoded.is_empty()));
        }
        all.into_iter().map(|card| Arc::new(Def::new(Arc::new(card), book()))).collect()
    };
    DEFS.get_or_init(read).clone()
}

fn is(def: &Def, kinds: &[&str]) -> bool {
    let Some(Datum::Words(words)) = def.card.data.get(&Word::new("種類")) else { return false };
    words.iter().any(|w| kinds.contains(&w.as_str()))
}

/// Two lawful decks: forty cards and fifteen, at most three of a name; tokens wait outside.
pub fn given(seed: u64) -> Given {
    let schema: &Schema = book().schema();
    let defs = defs();
    let mut dice = Dice(seed);
    let mut table = Table { turn: 0, midway: false, ..Table::new(schema, Word("準備")) };
    let mut labels = Vec::new();
    let mut put = |def: usize, seat: Seat, zone: ZoneId| {
        let id = CardId(table.cards.len() as u16);
        table.zones[zone.0 as usize].push(id);
        labels.push(Word::new(&format!("{}#{}", defs[def].name(), id.0)));
        table.cards.push(Obj { face_up: false, ..Obj::new(schema, def as u16, seat, zone) });
    };
    let extra = ["融合モンスター", "シンクロモンスター", "エクシーズモンスター", "リンクモンスター"];
    let of = |want: fn(bool, bool) -> bool| -> Vec<usize> {
        (0..defs.len()).filter(|d| want(is(&defs[*d], &extra), is(&defs[*d], &["トークン"]))).collect()
    };
    let (main, stored) = (of(|extra, token| !extra && !token), of(|extra, token| extra && !token));
    for seat in Seat::BOTH {
        for (pool, n, name) in [(&main, 40, "デッキ"), (&stored, 15, "エクストラデッキ")] {
            let mut three: Vec<usize> = pool.iter().flat_map(|d| [*d; 3]).collect();
            let zone = schema.zone(name, Some(seat)).expect("a zone");
            for _ in 0..n {
                let def = three.swap_remove(dice.roll(three.len()));
                put(def, seat, zone);
            }
        }
    }
    let limbo = schema.zone(LIMBO, None).expect("a zone");
    for def in of(|_, token| token) {
        (0..12).for_each(|_| put(def, Seat(0), limbo));
    }
    Given::new(defs.clone(), table, labels)
}

/// Every card is where it says, a place of the field holds one, and what is nowhere but on the field is nowhere else.
pub fn assert_lawful(t: &Table) {
    let schema = book().schema();
    let defs = defs();
    let mut count = vec![0; t.cards.len()];
    for (zone, cards) in t.zones.iter().enumerate() {
        let spec = &schema.zones[zone];
        let names = || cards.iter().map(|id| defs[t.obj(*id).def as usize].name().to_string()).collect::<Vec<_>>();
        assert!(!spec.board || cards.len() < 2, "{} in {}", names().join("、"), spec.name);
        for id in cards {
            let (obj, def) = (t.obj(*id), &defs[t.obj(*id).def as usize]);
            count[id.0 as usize] += 1;
            assert_eq!(obj.zone.0 as usize, zone, "a card is where it says");
            assert!(spec.board || spec.owner.is_none_or(|o| o == obj.owner), "a card in another's {}", spec.name);
            let token = is(def, &["トークン"]);
            assert!(!token || spec.board || spec.name == LIMBO, "a token in {}", spec.name);
            if spec.board && spec.states {
                assert!(obj.face_up || obj.state == 1, "{} lies face down in attack", def.name());
                let link = is(def, &["リンクモンスター"]);
                assert!(!link || obj.face_up && obj.state == 0, "{} is not in attack", def.name());
                assert!(!token || obj.face_up, "a token lies face down");
            }
            let stored = is(def, &["融合モンスター", "シンクロモンスター", "エクシーズモンスター", "リンクモンスター"]);
            assert!(!stored || !matches!(spec.name, "手札" | "デッキ"), "{} in {}", def.name(), spec.name);
        }
    }
    assert!(count.iter().all(|n| *n == 1), "every card is in one zone");
    for card in &t.cards {
        if let Some((how, host)) = card.host {
            let zone = &schema.zones[t.obj(host).zone.0 as usize];
            assert!(zone.board && zone.states || how == "エクシーズ素材", "{how} of a card in {}", zone.name);
        }
    }
    assert!(!t.contexts.is_empty());
}

pub fn play(seed: u64, answers: usize, keep: bool) -> (Given, Random, Run) {
    let given = given(seed);
    let mut random = Random { keep, lawful: keep.then_some(assert_lawful), ..super::random(seed, answers) };
    let settings = silent();
    let run = run(book(), &given, &mut random, &settings);
    (given, random, run)
}
