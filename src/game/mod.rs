//! The games: each a rulebook whose files follow the chapters of its document.

pub mod deck;
pub mod dz;
mod matching;
pub mod nova;
pub mod ygo;
pub mod zx;

use crate::kernel::Rulebook;

/// The rulebooks there are.
pub const BOOKS: [&dyn Rulebook; 4] = [&dz::Dz, &zx::Zx, &ygo::Ygo, &nova::Nova];

/// The rulebook of a game, by the game's code.
pub fn book(code: &str) -> Option<&'static dyn Rulebook> {
    BOOKS.into_iter().find(|b| b.code() == code)
}
