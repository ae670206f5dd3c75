//! Reads cards and checks every word against the game's vocabulary.

use std::path::Path;

use super::{Card, Vocabulary};
use crate::text::yaml::{self, Placed, Problem};

/// The cards of one file (`cards:` and a list) and everything wrong in it.
pub fn cards(file: &Path, text: &str, _words: &Vocabulary) -> (Vec<Placed<Card>>, Vec<Problem>) {
    yaml::items(file, text, "cards")
}
