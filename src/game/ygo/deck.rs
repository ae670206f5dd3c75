//! 2.1, 3.2.1, 3.3.1, 3.3.23.1: how a deck is put together. Lists of limited cards are no part of the document.

use super::kinds::EXTRA;
use super::schema::CLASS;
use crate::card::{Card, Datum, Word};
use crate::game::deck::Deck;
use crate::kernel::Cite;

/// All that is wrong with the deck, each with its clause.
pub fn problems(deck: &Deck) -> Vec<(&'static Cite, String)> {
    let mut found: Vec<(&'static Cite, String)> = Vec::new();
    let mut check = |bad: bool, cite: &'static Cite, text: String| {
        if bad {
            found.push((cite, text));
        }
    };
    let (main, extra, side) = (deck.main.len(), deck.extra.len(), deck.side.len());
    check(!(40..=60).contains(&main), ygo!("2.1.0.2", Limit), format!("デッキが{main}枚である"));
    check(extra > 15, ygo!("3.3.23.1", Limit), format!("エクストラデッキが{extra}枚である"));
    check(side > 15, ygo!("3.2.1.3", Limit), format!("サイドデッキが{side}枚である"));
    for card in deck.extra.iter().filter(|c| !EXTRA.iter().any(|kind| is(c, kind))) {
        check(true, ygo!("3.3.23.1", Limit), format!("「{}」はエクストラデッキに入れられない", card.name));
    }
    for card in &deck.main {
        let stored = [
            ("リンクモンスター", ygo!("2.4.1.1", Limit)),
            ("エクシーズモンスター", ygo!("2.4.15.1", Limit)),
            ("シンクロモンスター", ygo!("2.4.18.1", Limit)),
            ("融合モンスター", ygo!("2.4.22.1", Limit)),
        ];
        for (kind, cite) in stored {
            check(is(card, kind), cite, format!("「{}」はエクストラデッキに入れるカードである", card.name));
        }
    }
    let all = || deck.main.iter().chain(&deck.extra).chain(&deck.side);
    for card in all().filter(|c| is(c, "トークン")) {
        check(true, ygo!("3.3.2.1", Limit), format!("「{}」はデッキに入れられない", card.name));
    }
    let mut names: Vec<Word> = all().map(|c| c.name).collect();
    names.sort_unstable_by_key(|name| name.to_string());
    for same in names.chunk_by(|a, b| a == b) {
        check(same.len() > 3, ygo!("3.3.1.1", Limit), format!("「{}」が合わせて{}枚ある", same[0], same.len()));
    }
    found
}

fn is(card: &Card, kind: &str) -> bool {
    match card.data.get(&Word::new(CLASS)) {
        Some(Datum::Words(words)) => words.iter().any(|w| *w == kind),
        _ => false,
    }
}
