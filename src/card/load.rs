//! Reads cards and checks every word against the game's vocabulary.
//!
//! A card is walked in the order in which it is read, so that a slot is known from where it is filled onwards.
//! Class words (`is:`), card names, marker names and the free words of keywords are not in the vocabulary and pass.
//!
//! | what is checked | file |
//! |---|---|
//! | a word: of the game, of the language, or a slot | `words` |
//! | a card and its abilities: which parts, which cards, which numbers | `walk` |
//! | what is done: steps, changes, replacements | `steps` |

mod steps;
#[cfg(test)]
mod tests;
mod walk;
mod words;

use std::path::Path;

use super::{Card, Vocabulary, Word};
use crate::text::yaml::{self, Placed, Problem};
use words::Check;

/// The cards of one file (`cards:` and a list) and everything wrong in it.
pub fn cards(file: &Path, text: &str, words: &Vocabulary) -> (Vec<Placed<Card>>, Vec<Problem>) {
    let (cards, mut problems) = yaml::items::<Card>(file, text, "cards");
    problems.extend(check(&cards, words));
    (cards, problems)
}

/// Everything wrong with cards that stand together.
pub fn check(cards: &[Placed<Card>], words: &Vocabulary) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut names: Vec<Word> = Vec::new();
    for card in cards {
        let mut check = Check::new(words, card);
        if names.contains(&card.value.name) {
            check.wrong(&card.value.name, format!("カード「{}」はこのファイルに二度あります", card.value.name));
        }
        names.push(card.value.name);
        check.card();
        problems.append(&mut check.problems);
    }
    problems
}
