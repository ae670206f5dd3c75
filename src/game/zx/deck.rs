//! 401: how a deck is put together. Everything that is wrong with it, each with its clause.

use super::composite::is_printed;
use super::places::{player_square, zone};
use super::schema::{ICON, MORE_NAMES, schema};
use crate::card::{Card, Datum, Word};
use crate::game::deck::Deck;
use crate::kernel::{CardId, Cite, Duel, Seat};

const IN_DYNAMIS: [&str; 5] =
    ["ゼクス エクストラ", "ゼクス オーバーブースト", "シフト", "イベント エクストラ", "アセンション エクストラ"];

/// All that is wrong with what the player brings to this duel.
pub fn wrong(d: &mut Duel, seat: Seat) -> Vec<(&'static Cite, String)> {
    let printed = |ids: Vec<CardId>| -> Vec<&Card> {
        ids.into_iter().map(|id| &*d.given.defs[d.t.obj(id).def as usize].card).collect()
    };
    let square = schema().board().find(|z| player_square(*z) == Some(seat)).expect("a player square");
    // What was there before anything else is the virtual player card.
    let brought = d.t.zone(square).iter().copied().filter(|id| d.t.obj(*id).since > 0).collect();
    let deck = Deck {
        main: printed(d.t.zone(zone("デッキ", seat)).to_vec()),
        extra: printed(d.t.zone(zone("デュナミス", seat)).to_vec()),
        side: printed(brought),
        ..Deck::default()
    };
    let cite = zx!("206.3a", Limit);
    // Reading C19: what may be prepared with a player card besides what is named.
    let told = deck.side.iter().any(|c| !is_named(c)) && d.reading(zx!("C19", Reading), "a") == "a";
    let wrong = problems_by(&deck, d.on(cite), told);
    if wrong.len() > problems_by(&deck, false, told).len() {
        d.trace.reach(cite);
    }
    wrong.into_iter().filter(|(cite, _)| d.on(cite)).collect()
}

/// 401: the deck, the dynamis (`extra`) and what is prepared beside them (`side`).
pub fn problems(brought: &Deck) -> Vec<(&'static Cite, String)> {
    problems_by(brought, true, true)
}

/// 401.8: a player card, or what the clause names to lie with it.
fn is_named(card: &Card) -> bool {
    ["プレイヤー", "ゼクス オーバーブースト", "プレイヤー エクストラ"].iter().any(|k| is_printed(card, k))
}

/// `added`: names that a sub-text adds count (206.3a). `told`: any card may have been told to lie with the player card.
fn problems_by(brought: &Deck, added: bool, told: bool) -> Vec<(&'static Cite, String)> {
    let (deck, dynamis) = (&brought.main, &brought.extra);
    let mut found: Vec<(&'static Cite, String)> = Vec::new();
    let mut check = |bad: bool, cite: &'static Cite, text: String| {
        if bad {
            found.push((cite, text));
        }
    };
    check(deck.len() != 50, zx!("401.1a", Limit), format!("デッキはちょうど50枚（{}枚ある）", deck.len()));
    for (name, n) in too_many(deck, added) {
        check(true, zx!("401.2", Limit), format!("「{name}」は4枚まで（{n}枚ある）"));
    }
    for (keyword, cite) in [
        ("ライフリカバリー", zx!("401.3", Limit)),
        ("ヴォイドブリンガー", zx!("401.4", Limit)),
        ("オーバードライブ", zx!("401.5", Limit)),
    ] {
        let n = deck.iter().filter(|c| has(c, keyword)).count();
        check(n > 4, cite, format!("「{keyword}」を持つカードは4枚まで（{n}枚ある）"));
    }
    let icons = deck.iter().filter(|c| has_icon(c)).count();
    check(
        icons != 20,
        zx!("401.6", Limit),
        format!("イグニッションアイコンを持つカードはちょうど20枚（{icons}枚ある）"),
    );
    for kind in IN_DYNAMIS.iter().chain(&["プレイヤー", "プレイヤー エクストラ"]) {
        let n = deck.iter().filter(|c| is_printed(c, kind)).count();
        check(n > 0, zx!("401.7", Limit), format!("種類が{kind}のカードはデッキに入れられない（{n}枚ある）"));
    }
    let players = brought.side.iter().filter(|c| is_printed(c, "プレイヤー")).count();
    let backs = brought.side.len() - players;
    check(players > 1 || backs > 1, zx!("401.8", Limit), "デッキとは別に用意したカードが多すぎる".into());
    let strange = !told && brought.side.iter().any(|c| !is_named(c));
    check(strange, zx!("401.8", Limit), "プレイヤーカードと合わせて用意できる種類ではない".into());
    check(dynamis.len() > 16, zx!("401.9a", Limit), format!("デュナミスは16枚まで（{}枚ある）", dynamis.len()));
    let foreign = dynamis.iter().filter(|c| !IN_DYNAMIS.iter().any(|k| is_printed(c, k))).count();
    check(foreign > 0, zx!("401.10", Limit), format!("デュナミスに入れられない種類のカードが{foreign}枚ある"));
    for (name, n) in too_many(dynamis, added) {
        check(true, zx!("401.11", Limit), format!("デュナミスの「{name}」は4枚まで（{n}枚ある）"));
    }
    found
}

/// 206.3, 206.3a: the names of a card with those that its sub-text adds.
fn names(card: &Card) -> Vec<Word> {
    let more = card.data.iter().find(|(key, _)| **key == MORE_NAMES);
    let more = more.map_or(&[][..], |(_, datum)| if let Datum::Words(words) = datum { words } else { &[] });
    std::iter::once(card.name).chain(more.iter().copied()).collect()
}

/// Names of which there are more than four.
fn too_many(cards: &[&Card], added: bool) -> Vec<(Word, usize)> {
    let mut found: Vec<(Word, usize)> = Vec::new();
    let all = cards.iter().filter(|c| !c.data.is_empty());
    for name in all.flat_map(|c| names(c).into_iter().take(if added { usize::MAX } else { 1 })) {
        match found.iter_mut().find(|(n, _)| *n == name) {
            Some((_, n)) => *n += 1,
            None => found.push((name, 1)),
        }
    }
    found.into_iter().filter(|(_, n)| *n > 4).collect()
}

fn has(card: &Card, keyword: &str) -> bool {
    card.abilities.iter().any(|a| a.keyword.as_ref().is_some_and(|k| k.name == keyword))
}

fn has_icon(card: &Card) -> bool {
    card.data.iter().any(|(key, datum)| {
        *key == ICON && matches!(datum, Datum::Words(words) if words.iter().any(|w| *w == "イグニッション"))
    })
}
