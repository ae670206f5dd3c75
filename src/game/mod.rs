//! The games: each a rulebook whose files follow the chapters of its document.

pub mod deck;
pub mod dz;
mod matching;
pub mod ygo;
pub mod zx;

use crate::kernel::Rulebook;

/// The rulebooks there are.
pub const BOOKS: [&dyn Rulebook; 3] = [&dz::Dz, &zx::Zx, &ygo::Ygo];

/// The rulebook of a game, by the game's code.
pub fn book(code: &str) -> Option<&'static dyn Rulebook> {
    BOOKS.into_iter().find(|b| b.code() == code)
}
