//! Decks as they are registered, and who judges them.

use crate::card::Card;
use crate::kernel::Cite;

/// A deck as it is registered.
#[derive(Default)]
pub struct Deck<'a> {
    pub main: Vec<&'a Card>,
    pub side: Vec<&'a Card>,
    pub extra: Vec<&'a Card>,
    /// Built from packs opened at the event.
    pub limited: bool,
    /// For the shorter duel that a document describes beside the usual one.
    pub short: bool,
}

/// What is wrong with a deck, each with the clause that says so.
pub type DeckRules = fn(&Deck) -> Vec<(&'static Cite, String)>;

/// The rules of construction of a game, where they are executed.
pub fn rules(code: &str) -> Option<DeckRules> {
    let rules: [(&str, DeckRules); 5] = [
        ("dz", super::dz::deck_problems),
        ("msd", super::msd::deck_problems),
        ("nova", super::nova::deck_problems),
        ("ygo", super::ygo::deck_problems),
        ("zx", super::zx::deck_problems),
    ];
    rules.into_iter().find(|(game, _)| *game == code).map(|(_, rules)| rules)
}
