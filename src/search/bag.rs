//! What the criteria look at, made ready once and for all: lookups have no time to fold texts.

use serde::{Deserialize, Serialize};

use crate::text::Shelf;
use crate::text::kana::fold;
use crate::text::packed::pack;

use super::index::parts;

/// The texts of a clause as the criteria see them.
#[derive(Debug, Serialize, Deserialize)]
pub struct Bag<'a> {
    /// All parts of the clause, folded.
    pub says: &'a [u8],
    /// The lines people ask, and the title, as the bytes of their [`pairs`].
    #[serde(borrow)]
    pub asks: Vec<&'a [u8]>,
}

/// The bags of a game, as a packed list in the order of the outline.
pub fn bags(shelf: &Shelf) -> Vec<u8> {
    pack(shelf.asks().iter().enumerate().map(|(position, asks)| {
        let says = fold(&parts(shelf, position, asks, &|_, _| None).join("\n"));
        let lines = asks.iter().copied().chain(shelf.line(position).title);
        let bytes = |line| pairs(&fold(line).replace(' ', "")).iter().flat_map(|p| p.to_le_bytes()).collect();
        let asks: Vec<Vec<u8>> = lines.map(bytes).collect();
        let bag = Bag { says: says.as_bytes(), asks: asks.iter().map(Vec::as_slice).collect() };
        postcard::to_stdvec(&bag).expect("plain data")
    }))
}

/// The pairs of characters of a text as numbers, sorted.
pub fn pairs(text: &str) -> Vec<u32> {
    // What is written in rules has 16 bits; of the rest, some may look alike.
    let pair = |(a, b): (char, char)| (a as u32) << 16 | b as u32 & 0xffff;
    let mut pairs: Vec<u32> = text.chars().zip(text.chars().skip(1)).map(pair).collect();
    pairs.sort_unstable();
    pairs
}

/// How alike two sets of pairs are, from 0 to 1; the second as the bytes of a bag.
pub fn alike(a: &[u32], b: &[u8]) -> f32 {
    let mut theirs = b.chunks_exact(4).map(|p| u32::from_le_bytes([p[0], p[1], p[2], p[3]])).peekable();
    let mut same = 0;
    for mine in a {
        while theirs.next_if(|pair| pair < mine).is_some() {}
        same += u32::from(theirs.next_if_eq(mine).is_some());
    }
    // No pairs at all are not alike.
    2.0 * same as f32 / (a.len() + b.len() / 4).max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness() {
        let likeness = |a: &str, b: &str| {
            let bytes: Vec<u8> = pairs(b).iter().flat_map(|p| p.to_le_bytes()).collect();
            alike(&pairs(a), &bytes)
        };
        assert_eq!(likeness("手札の上限", "手札の上限"), 1.0);
        assert_eq!(likeness("手札の上限", "上限の手札"), 0.5);
        assert_eq!(likeness("ああああ", "ああ"), 0.5);
        assert_eq!(likeness("手札", "山"), 0.0);
        assert_eq!(likeness("", ""), 0.0);
    }
}
