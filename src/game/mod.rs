//! The games: each a rulebook whose files follow the chapters of its document.

pub mod deck;
pub mod dz;
mod matching;
pub mod msd;
pub mod nova;
pub mod ygo;
pub mod zx;

use crate::kernel::Rulebook;

/// The rulebooks there are.
pub const BOOKS: [&dyn Rulebook; 5] = [&dz::Dz, &msd::Msd, &zx::Zx, &nova::Nova, &ygo::Ygo];

/// The rulebook of a game, by the game's code.
pub fn book(code: &str) -> Option<&'static dyn Rulebook> {
    BOOKS.into_iter().find(|b| b.code() == code)
}
