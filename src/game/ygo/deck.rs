//! 1.9.2, 2.1, 3.2.1, 3.3.1, 3.3.23.1: how a deck is put together. The list of limited cards is no part of the document:
//! a card says itself how it is limited (規制).

use super::kinds::EXTRA;
use super::places::zone;
use super::schema::{CLASS, REGULATION, SIDE, SPEED};
use crate::card::{Card, Datum, Word};
use crate::game::deck::Deck;
use crate::kernel::{Cite, Duel, Seat};

/// All that is wrong with the deck, each with its clause.
pub fn problems(deck: &Deck) -> Vec<(&'static Cite, String)> {
    judged(deck, |_| true)
}

/// The same, counting the copies of those cards only that are meant.
fn judged(deck: &Deck, counts: fn(&Card) -> bool) -> Vec<(&'static Cite, String)> {
    let mut found = sizes(deck);
    found.extend(contents(deck));
    let all: Vec<&Card> =
        deck.main.iter().chain(&deck.extra).chain(&deck.side).copied().filter(|c| counts(c)).collect();
    // 2.1.0.3 speaks of the deck, 3.2.1.4 of a side deck too, 3.3.1.1 of all.
    let among = |cards: &[&Card], name: Word| cards.iter().any(|c| c.name == name);
    found.extend(copies(&all, deck.short, |name| {
        if among(&deck.side, name) {
            ygo!("3.2.1.4", Limit)
        } else if among(&deck.extra, name) {
            ygo!("3.3.1.1", Limit)
        } else {
            ygo!("2.1.0.3", Limit)
        }
    }));
    found
}

/// 2.1.0.2, 3.3.23.1, 3.2.1.3; 1.9.2.2, 1.9.2.3: how many cards.
fn sizes(deck: &Deck) -> Vec<(&'static Cite, String)> {
    let (main, extra, side) = (deck.main.len(), deck.extra.len(), deck.side.len());
    let (main_cite, main_ok, extra_cite, most) = match deck.short {
        true => (ygo!("1.9.2.2", Limit), main == 20, ygo!("1.9.2.3", Limit), 5),
        false => (ygo!("2.1.0.2", Limit), (40..=60).contains(&main), ygo!("2.1.2.2", Limit), 15),
    };
    let wanted = if deck.short { "ちょうど20枚" } else { "40枚から60枚" };
    let rows = [
        (main_ok, main_cite, format!("デッキは{wanted}（{main}枚ある）")),
        (extra <= most, extra_cite, format!("エクストラデッキは{most}枚まで（{extra}枚ある）")),
        (side <= 15, ygo!("3.2.1.3", Limit), format!("サイドデッキは15枚まで（{side}枚ある）")),
    ];
    rows.into_iter().filter(|(ok, ..)| !ok).map(|(_, cite, text)| (cite, text)).collect()
}

/// Which cards belong where.
fn contents(deck: &Deck) -> Vec<(&'static Cite, String)> {
    let mut found: Vec<(&'static Cite, String)> = Vec::new();
    for card in deck.extra.iter().filter(|c| known(c)).filter(|c| !EXTRA.iter().any(|kind| is(c, kind))) {
        let cite = if is(card, "儀式モンスター") { ygo!("2.4.25.2", Limit) } else { ygo!("3.3.23.1", Limit) };
        found.push((cite, format!("「{}」はエクストラデッキに入れられない", card.name)));
    }
    let stored = [
        ("リンクモンスター", ygo!("2.4.1.1", Limit)),
        ("エクシーズモンスター", ygo!("2.4.15.1", Limit)),
        ("シンクロモンスター", ygo!("2.4.18.1", Limit)),
        ("融合モンスター", ygo!("2.4.22.1", Limit)),
    ];
    for card in &deck.main {
        for (_, cite) in stored.iter().filter(|(kind, _)| is(card, kind)) {
            found.push((cite, format!("「{}」はエクストラデッキに入れるカードである", card.name)));
        }
    }
    for card in deck.main.iter().chain(&deck.extra).chain(&deck.side).filter(|c| is(c, "トークン")) {
        found.push((ygo!("3.3.2.1", Limit), format!("「{}」はデッキに入れられない", card.name)));
    }
    found
}

/// 3.3.1.1–3.3.1.4, 1.2.1.1: how many of one name, together.
fn copies(all: &[&Card], short: bool, three: impl Fn(Word) -> &'static Cite) -> Vec<(&'static Cite, String)> {
    let mut named: Vec<&Card> = all.to_vec();
    named.sort_by_key(|card| card.name.to_string());
    let mut found: Vec<(&'static Cite, String)> = Vec::new();
    for same in named.chunk_by(|a, b| a.name == b.name) {
        let rows = [
            ("禁止", 0, ygo!("3.3.1.2", Limit)),
            ("制限", 1, ygo!("3.3.1.3", Limit)),
            ("準制限", 2, ygo!("3.3.1.4", Limit)),
        ];
        let listed = |kind: &str| same.iter().any(|card| has(card, REGULATION, kind));
        let plain = if short { ygo!("1.9.2.4", Limit) } else { three(same[0].name) };
        let (kind, most, cite) = rows.into_iter().find(|(kind, ..)| listed(kind)).unwrap_or(("", 3, plain));
        if same.len() > most {
            let limit = if kind.is_empty() { String::new() } else { format!("{kind}カード") };
            found.push((cite, format!("{limit}「{}」は合わせて{most}枚まで（{}枚ある）", same[0].name, same.len())));
        }
    }
    found
}

/// What is wrong with the deck that a player brings to the duel; reading C10: each part counted for itself.
pub fn brought(d: &mut Duel, who: Seat) -> Vec<(&'static Cite, String)> {
    let apart = d.reading(ygo!("C10", Reading), "a") == "b";
    let part = |d: &Duel, name: &str| {
        d.t.zone(zone(name, who)).iter().map(|id| d.card(d.t.now(*id)).clone()).collect::<Vec<_>>()
    };
    let (main, extra, side) = (part(d, "デッキ"), part(d, "エクストラデッキ"), part(d, SIDE));
    let deck = Deck {
        main: main.iter().map(|c| &**c).collect(),
        extra: extra.iter().map(|c| &**c).collect(),
        side: side.iter().map(|c| &**c).collect(),
        limited: false,
        short: d.t.facts[SPEED] > 0,
    };
    let mut found = if apart {
        let parts = [&deck.main, &deck.extra, &deck.side];
        let each = parts.into_iter().flat_map(|cards| {
            let cards: Vec<&Card> = cards.iter().copied().filter(|c| known(c)).collect();
            copies(&cards, deck.short, |_| ygo!("2.1.0.3", Limit))
        });
        sizes(&deck).into_iter().chain(contents(&deck)).chain(each).collect()
    } else {
        judged(&deck, known)
    };
    found.extend(lying_open(d, who));
    found.retain(|(cite, _)| {
        d.trace.reach(cite);
        d.on(cite)
    });
    found
}

/// 2.1.2.3, 1.9.3.3, 1.9.3.5: decks and extra decks are laid face down.
fn lying_open(d: &Duel, who: Seat) -> Option<(&'static Cite, String)> {
    let speed = d.t.facts[SPEED] > 0;
    let open = |name: &str| d.t.zone(zone(name, who)).iter().any(|id| d.t.obj(*id).face_up);
    if open("エクストラデッキ") {
        let cite = if speed { ygo!("1.9.3.3", Limit) } else { ygo!("2.1.2.3", Limit) };
        return Some((cite, "エクストラデッキが裏向きでない".into()));
    }
    (speed && open("デッキ")).then(|| (ygo!("1.9.3.5", Limit), "デッキが裏向きでない".to_string()))
}

/// Not one of the nameless cards that fill a board's deck.
fn known(card: &Card) -> bool {
    card.data.contains_key(&Word(CLASS))
}

fn is(card: &Card, kind: &str) -> bool {
    has(card, CLASS, kind)
}

fn has(card: &Card, datum: &str, word: &str) -> bool {
    match card.data.get(&Word::new(datum)) {
        Some(Datum::Words(words)) => words.iter().any(|w| *w == word),
        _ => false,
    }
}
