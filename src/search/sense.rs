//! What words have to do with one another, learnt from the lines that people ask: words that lead to the same clauses
//! point the same way. A question then finds the clause that means it, though the two have few words in common.
//!
//! It is learnt in two steps. Latent semantic analysis comes first: clauses are rows and [`keys`] columns of a table of
//! weights; its main directions, found by repeated multiplication, are what clauses and words are compared in. Then
//! the lines themselves [teach](super::lessons): they turn words and clauses until each line points to its own clause
//! rather than to another of its game. Synonyms are made one beforehand.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::text::kana::{fold, is_hiragana};
use crate::text::{Library, Words};

use super::index::{Part, parts};
use super::lessons::{Lesson, Point, Row, pointing, teach, unit};

/// In how many directions clauses and words are told apart.
pub const DIRECTIONS: usize = 128;

/// How often the table is multiplied; more changes nothing that is seen.
const ROUNDS: usize = 4;

/// A key that fewer lines have tells nothing of others.
const RARE: usize = 4;

/// Where clauses and words point, as a file of a bundle. Every direction is a byte.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Sense<'a> {
    /// Folded synonyms, the longest first, each with the number of its group.
    #[serde(borrow)]
    words: Vec<(&'a str, u16)>,
    /// Sorted, four bytes each.
    keys: &'a [u8],
    /// What a byte of each key stands for, four bytes each.
    steps: &'a [u8],
    of_keys: &'a [u8],
    of_clauses: &'a [u8],
}

/// Two neighbouring characters, or one that is not hiragana.
type Key = u32;

/// The keys of a text whose synonyms are one, sorted, each once.
fn keys(text: &str) -> Vec<Key> {
    let chars: Vec<u32> = text.chars().map(|c| c as u32 & 0xffff).collect();
    let ones = text.chars().filter(|c| !is_hiragana(*c)).map(|c| c as u32 & 0xffff);
    let mut keys: Vec<Key> = ones.chain(chars.windows(2).map(|w| w[0] << 16 | w[1])).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// A folded text without blanks, every word of a group of synonyms as one and the same character.
fn united(folded: &str, synonyms: &[(impl AsRef<str>, u16)]) -> String {
    let text = folded.replace(' ', "");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let word = synonyms.iter().find(|(word, _)| rest.starts_with(word.as_ref()));
        let (said, length) = match word {
            // Private characters, which no text has.
            Some((word, group)) => (char::from_u32(0xe000 + u32::from(*group)).unwrap_or(first), word.as_ref().len()),
            None => (first, first.len_utf8()),
        };
        out.push(said);
        rest = &rest[length..];
    }
    out
}

/// The synonyms as [`united`] wants them.
fn synonyms(words: &Words) -> Vec<(String, u16)> {
    let number = |(group, words): (usize, &Vec<String>)| -> Vec<(String, u16)> {
        words.iter().map(|w| (fold(w).replace(' ', ""), group as u16)).collect()
    };
    let mut all: Vec<(String, u16)> = words.synonyms.iter().enumerate().flat_map(number).collect();
    all.retain(|(word, _)| !word.is_empty());
    all.sort_by_key(|(word, _)| std::cmp::Reverse(word.chars().count()));
    all
}

/// The keys of every line, each with the clause that it leads to: what people ask, and what a clause itself says.
fn lines(library: &Library, synonyms: &[(String, u16)]) -> Vec<(usize, Vec<Key>)> {
    let mut all = Vec::new();
    let mut clause = 0;
    for shelf in library.shelves() {
        for (position, asks) in shelf.asks().iter().enumerate() {
            let parts = parts(shelf, position, asks, &|_, _| None);
            let own = [&parts[Part::Text as usize], &parts[Part::Head as usize]].map(String::as_str);
            let texts = asks.iter().copied().chain(own).map(|text| keys(&united(&fold(text), synonyms)));
            all.extend(texts.filter(|keys| !keys.is_empty()).map(|keys| (clause, keys)));
            clause += 1;
        }
    }
    all
}

/// The file of a bundle that holds the sense of a library.
pub fn learn(library: &Library) -> Vec<u8> {
    let synonyms = synonyms(library.words());
    let lines = lines(library, &synonyms);
    let mut spread: BTreeMap<Key, usize> = BTreeMap::new();
    lines.iter().flat_map(|(_, keys)| keys).for_each(|key| *spread.entry(*key).or_insert(0) += 1);
    spread.retain(|_, lines| *lines >= RARE);
    let keys: Vec<Key> = spread.keys().copied().collect();
    let rarity: Vec<f32> = spread.values().map(|n| (lines.len() as f32 / *n as f32).ln()).collect();
    let lesson = |(clause, line): &(usize, Vec<Key>)| {
        let known = line.iter().filter_map(|key| keys.binary_search(key).ok());
        Lesson { clause: *clause, row: of_length_one(known.map(|key| (key, rarity[key])).collect()) }
    };
    let lessons: Vec<Lesson> = lines.iter().map(lesson).collect();
    let games: Vec<usize> = library.shelves().map(|shelf| shelf.lines().len()).collect();
    let table = table(&lessons, games.iter().sum());
    let mut of_words = directions(&table, keys.len());
    let mut clauses = times(&table, &of_words);
    clauses.iter_mut().for_each(unit);
    teach(&lessons, &games, &mut of_words, &mut clauses);
    let (mut of_keys, mut steps) = (Vec::new(), Vec::new());
    for (direction, rarity) in of_words.iter().zip(&rarity) {
        let step = bytes(direction, &mut of_keys) * rarity;
        steps.extend(step.to_le_bytes());
    }
    let mut of_clauses = Vec::new();
    clauses.iter().for_each(|clause| {
        bytes(clause, &mut of_clauses);
    });
    let keys: Vec<u8> = keys.iter().flat_map(|key| key.to_le_bytes()).collect();
    let words = synonyms.iter().map(|(word, group)| (word.as_str(), *group)).collect();
    let sense = Sense { words, keys: &keys, steps: &steps, of_keys: &of_keys, of_clauses: &of_clauses };
    postcard::to_stdvec(&sense).expect("plain data")
}

/// For each clause, what its lines have in all.
fn table(lessons: &[Lesson], clauses: usize) -> Vec<Row> {
    let mut sums: Vec<BTreeMap<usize, f32>> = vec![BTreeMap::new(); clauses];
    for lesson in lessons {
        lesson.row.iter().for_each(|(key, weight)| *sums[lesson.clause].entry(*key).or_insert(0.0) += weight);
    }
    sums.into_iter().map(|sums| of_length_one(sums.into_iter().collect())).collect()
}

fn of_length_one(mut row: Row) -> Row {
    let length = row.iter().map(|(_, weight)| weight * weight).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    row.iter_mut().for_each(|(_, weight)| *weight /= length);
    row
}

/// The main directions of a table with so many columns: for each column, its share in every direction.
fn directions(table: &[Row], columns: usize) -> Vec<Point> {
    // Any start will do that has a share in all directions; the same every time, so that builds are alike.
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let mut directions: Vec<Point> = (0..columns).map(|_| std::array::from_fn(|_| next())).collect();
    for _ in 0..ROUNDS {
        let rows = times(table, &directions);
        directions.fill([0.0; DIRECTIONS]);
        for (row, entries) in rows.iter().zip(table) {
            for (column, weight) in entries {
                directions[*column].iter_mut().zip(row).for_each(|(sum, x)| *sum += weight * x);
            }
        }
        straighten(&mut directions);
    }
    directions
}

/// The rows of a table in the given directions.
fn times(table: &[Row], directions: &[Point]) -> Vec<Point> {
    table.iter().map(|row| pointing(row, directions)).collect()
}

/// Makes directions orthogonal and of length 1, one after the other (Gram and Schmidt).
fn straighten(directions: &mut [Point]) {
    for one in 0..DIRECTIONS {
        // How much of this direction lies in each, and then what is left of the later ones without it.
        let mut along = [0.0f32; DIRECTIONS];
        for row in directions.iter() {
            along[one..].iter_mut().zip(&row[one..]).for_each(|(sum, x)| *sum += row[one] * x);
        }
        let length = along[one].max(f32::MIN_POSITIVE);
        let scale = length.sqrt().recip();
        for row in directions.iter_mut() {
            let own = row[one];
            row[one + 1..].iter_mut().zip(&along[one + 1..]).for_each(|(x, along)| *x -= own * along / length);
            row[one] = own * scale;
        }
    }
}

/// Adds numbers as bytes, and says what a byte stands for.
fn bytes(numbers: &[f32], out: &mut Vec<u8>) -> f32 {
    let most = numbers.iter().fold(f32::MIN_POSITIVE, |most, x| most.max(x.abs()));
    let step = most / 127.0;
    out.extend(numbers.iter().map(|x| (x / step).round() as i8 as u8));
    step
}

impl<'a> Sense<'a> {
    /// Reads what [`learn`] wrote; what is no such thing makes no sense.
    pub fn read(file: &'a [u8]) -> Sense<'a> {
        postcard::from_bytes(file).unwrap_or_default()
    }

    /// Where a question points.
    pub fn of(&self, folded: &str) -> Point {
        let mut directions = [0.0; DIRECTIONS];
        for key in keys(&united(folded, &self.words)) {
            let Some((row, step)) = self.key(key) else { continue };
            directions.iter_mut().zip(row).for_each(|(sum, x)| *sum += step * f32::from(*x as i8));
        }
        unit(&mut directions);
        directions
    }

    fn key(&self, key: Key) -> Option<(&'a [u8], f32)> {
        let number = |bytes: &[u8]| -> Option<[u8; 4]> { bytes.try_into().ok() };
        let at = |i: usize| number(self.keys.get(i * 4..i * 4 + 4)?).map(u32::from_le_bytes);
        let (mut low, mut high) = (0, self.keys.len() / 4);
        while low < high {
            let middle = (low + high) / 2;
            match at(middle)?.cmp(&key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    let step = number(self.steps.get(middle * 4..middle * 4 + 4)?).map(f32::from_le_bytes)?;
                    return Some((self.of_keys.get(middle * DIRECTIONS..(middle + 1) * DIRECTIONS)?, step));
                }
            }
        }
        None
    }

    /// How much a question and a clause point the same way, from 0 to 1; the clause by its place among all.
    pub fn near(&self, question: &Point, clause: usize) -> f32 {
        let clause = self.of_clauses.get(clause * DIRECTIONS..(clause + 1) * DIRECTIONS).unwrap_or_default();
        let (mut same, mut length) = (0.0, f32::MIN_POSITIVE);
        for (x, y) in question.iter().zip(clause) {
            let y = f32::from(*y as i8);
            same += x * y;
            length += y * y;
        }
        (same / length.sqrt()).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_are_one() {
        let synonyms = [("こうげき", 0), ("攻撃", 0), ("殴", 0), ("手札", 1)];
        assert_eq!(united("攻撃する", &synonyms), united("殴する", &synonyms));
        assert_ne!(united("攻撃", &synonyms), united("手札", &synonyms));
        assert_eq!(united("山 札", &synonyms), "山札");
    }

    #[test]
    fn directions_are_orthogonal() {
        let table: Vec<Row> = (0..300).map(|i| vec![(i % 200, 1.0), (i * 7 % 200, 0.5)]).collect();
        let found = directions(&table, 200);
        let dot = |a: usize, b: usize| found.iter().map(|row| row[a] * row[b]).sum::<f32>();
        assert!((dot(0, 0) - 1.0).abs() < 1e-3 && (dot(5, 5) - 1.0).abs() < 1e-3);
        assert!(dot(0, 1).abs() < 1e-3 && dot(2, 9).abs() < 1e-3);
    }
}
