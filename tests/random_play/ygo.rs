//! Random legal play of ygo: decks of forty with an extra deck of fifteen, every kind of card in them.

use std::sync::{Arc, OnceLock};

use saitei::card::{Datum, Word};
use saitei::game;
use saitei::kernel::schema::LIMBO;
use saitei::kernel::{Def, Given, Rulebook, Run, Seat, Table};

use super::laying::{Laying, cards, in_one_zone};
use super::{Dice, Random, silent};

pub fn book() -> &'static dyn Rulebook {
    game::book("ygo").expect("ygo has a rulebook")
}

/// The cards that rulings share and those of the test, as far as all of their text is written down.
fn defs() -> Vec<Arc<Def>> {
    static DEFS: OnceLock<Vec<Arc<Def>>> = OnceLock::new();
    let files = [
        include_str!("../../rulings/ygo/cards/common.yaml"),
        include_str!("../../rulings/ygo/cards/named.yaml"),
        include_str!("../../rulings/ygo/cards/summons.yaml"),
        include_str!("ygo.yaml"),
    ];
    let whole = |def: &Arc<Def>| def.card.unencoded.is_empty();
    DEFS.get_or_init(|| cards(book(), &files).into_iter().filter(whole).collect()).clone()
}

fn is(def: &Def, kinds: &[&str]) -> bool {
    let Some(Datum::Words(words)) = def.card.data.get(&Word::new("種類")) else { return false };
    words.iter().any(|w| kinds.contains(&w.as_str()))
}

/// Two lawful decks: forty cards and fifteen, at most three of a name; tokens wait outside.
pub fn given(seed: u64) -> Given {
    let defs = defs();
    let mut dice = Dice(seed);
    let mut laying = Laying::new(book(), defs.clone(), 0);
    let extra = ["融合モンスター", "シンクロモンスター", "エクシーズモンスター", "リンクモンスター"];
    let of = |want: fn(bool, bool) -> bool| -> Vec<usize> {
        (0..defs.len()).filter(|d| want(is(&defs[*d], &extra), is(&defs[*d], &["トークン"]))).collect()
    };
    let (main, stored) = (of(|extra, token| !extra && !token), of(|extra, token| extra && !token));
    for seat in Seat::BOTH {
        for (pool, n, name) in [(&main, 40, "デッキ"), (&stored, 15, "エクストラデッキ")] {
            let mut three: Vec<usize> = pool.iter().flat_map(|d| [*d; 3]).collect();
            for _ in 0..n {
                let def = three.swap_remove(dice.roll(three.len()));
                laying.put(def, seat, name);
            }
        }
    }
    for def in of(|_, token| token) {
        laying.made(&defs[def].name(), 12);
    }
    laying.given()
}

/// Besides what always holds: a place of the field holds one, and what is nowhere but on the field is nowhere else.
pub fn assert_lawful(t: &Table) {
    let schema = book().schema();
    let defs = defs();
    in_one_zone(book(), t);
    for (zone, cards) in t.zones.iter().enumerate() {
        let spec = &schema.zones[zone];
        let names = || cards.iter().map(|id| defs[t.obj(*id).def as usize].name().to_string()).collect::<Vec<_>>();
        assert!(!spec.board || cards.len() < 2, "{} in {}", names().join("、"), spec.name);
        for id in cards.iter() {
            let (obj, def) = (t.obj(*id), &defs[t.obj(*id).def as usize]);
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
    for card in &t.cards {
        if let Some((how, host)) = card.host {
            let zone = &schema.zones[t.obj(host).zone.0 as usize];
            assert!(zone.board && zone.states || how == "エクシーズ素材", "{how} of a card in {}", zone.name);
        }
    }
}

pub fn play(seed: u64, answers: usize, keep: bool) -> (Given, Random, Run) {
    super::laying::play(book(), given(seed), (seed, answers, keep), assert_lawful, &silent())
}
