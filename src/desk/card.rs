//! A card: its data in words, and as programs read it.

use serde_json::{Value, json};

use crate::card::{Card, Datum, wording};

/// The data in words: 「パワー 3000」.
pub fn data(card: &Card) -> Vec<String> {
    card.data.iter().map(|(name, datum)| format!("{name} {}", datum_words(datum))).collect()
}

/// The card, its generated wording and the scenarios it is in.
pub fn json(card: &Card, scenarios: &[&String]) -> Value {
    json!({"card": card, "wording": wording::abilities(card), "scenarios": scenarios})
}

fn datum_words(datum: &Datum) -> String {
    match datum {
        Datum::Number(n) => n.to_string(),
        Datum::Words(words) => words.iter().map(|w| w.as_str()).collect::<Vec<_>>().join("／"),
    }
}
