//! What the criteria look at, made ready once and for all: lookups have no time to fold texts.

use std::collections::BTreeSet;

use crate::text::Shelf;
use crate::text::kana::{fold, is_hiragana};
use crate::text::packed::pack;

use super::index::parts;

/// A piece of a text as a number: two neighbouring characters, or one that is not hiragana. Of many thousand pieces
/// some share a number, but seldom in one line.
pub type Mark = u16;

/// All parts of every clause of a game, folded: a packed list in the order of the outline.
pub fn bags(shelf: &Shelf) -> Vec<u8> {
    pack(
        shelf
            .asks()
            .iter()
            .enumerate()
            .map(|(position, asks)| fold(&parts(shelf, position, asks, &|_, _| None).join("\n")).into_bytes()),
    )
}

/// The lines that lead to a clause: what people ask, and its title.
fn lines<'a>(shelf: &'a Shelf, position: usize, asks: &'a [&str]) -> impl Iterator<Item = &'a str> {
    asks.iter().copied().chain(shelf.line(position).title)
}

fn mix(number: u32) -> Mark {
    (number.wrapping_mul(0x9e37_79b1) >> 16) as Mark
}

/// The marks of a folded text, sorted, each once.
pub fn marks(text: &str) -> Vec<Mark> {
    let chars: Vec<char> = text.chars().filter(|c| *c != ' ').collect();
    let ones = chars.iter().filter(|c| !is_hiragana(**c)).map(|c| mix(*c as u32));
    let twos = chars.windows(2).map(|w| mix((w[0] as u32) << 16 ^ w[1] as u32));
    let mut marks: Vec<Mark> = ones.chain(twos).collect();
    marks.sort_unstable();
    marks.dedup();
    marks
}

/// The pieces of a folded text without blanks, as they are looked for in texts, each with what it tells.
pub fn pieces<'t>(text: &'t str, weights: &[u8]) -> Vec<(&'t str, f32)> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let twos = starts.windows(3).map(|w| &text[w[0]..w[2]]);
    let ones = starts.windows(2).map(|w| &text[w[0]..w[1]]).filter(|c| !c.chars().all(is_hiragana));
    let pieces: BTreeSet<&str> = ones.chain(twos).collect();
    let told = |piece: &str| piece.chars().fold(0, |mark, c| mark << 16 ^ c as u32);
    pieces.into_iter().map(|p| (p, weight(mix(told(p)), weights))).collect()
}

/// How much each mark tells: the fewer lines have it, the more.
pub fn weights(library: &crate::text::Library) -> Vec<u8> {
    let mut counts = vec![0u32; 1 << 16];
    let mut total = 0u32;
    for shelf in library.shelves() {
        for (position, asks) in shelf.asks().iter().enumerate() {
            for line in lines(shelf, position, asks) {
                total += 1;
                marks(&fold(line)).into_iter().for_each(|m| counts[usize::from(m)] += 1);
            }
        }
    }
    let most = f64::from(total + 1).ln();
    let weight = |count: u32| (255.0 * (f64::from(total + 1) / f64::from(count + 1)).ln() / most) as u8;
    counts.into_iter().map(weight).collect()
}

fn weight(mark: Mark, weights: &[u8]) -> f32 {
    weights.get(usize::from(mark)).map_or(1.0, |w| f32::from(*w) / 255.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_marks_too() {
        let found: BTreeSet<&str> = pieces("手札の上", &[]).into_iter().map(|(piece, _)| piece).collect();
        assert_eq!(found, BTreeSet::from(["手", "手札", "札", "札の", "の上", "上"]));
        assert_eq!(marks("手札の 上").len(), found.len());
    }
}
