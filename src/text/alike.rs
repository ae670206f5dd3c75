//! Which rulings a question is like: pairs of letters that both have, rare pairs more. Made out once, as the library is
//! packed: a question is answered without reading any ruling.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::kana::fold;
use super::ruling::Ruling;

/// Two letters that stand beside each other.
pub type Pair = (char, char);

/// The pairs of letters in a text, each once.
pub fn pairs(text: &str) -> BTreeSet<Pair> {
    let letters: Vec<char> = fold(text).chars().filter(|c| c.is_alphanumeric()).collect();
    letters.windows(2).map(|w| (w[0], w[1])).collect()
}

/// The titles and questions of the rulings of a game.
#[derive(Default, Serialize, Deserialize)]
pub struct Alike {
    rulings: usize,
    /// Every pair, sorted, with how rare it is and where it stops in `texts`.
    pairs: Vec<(Pair, f32, u32)>,
    /// The texts with a pair: twice the place of the ruling, and one more for its question.
    texts: Vec<u16>,
    /// How much a text has, of each text.
    lengths: Vec<f32>,
}

impl Alike {
    pub fn new(rulings: &[Ruling]) -> Alike {
        let texts: Vec<BTreeSet<Pair>> =
            rulings.iter().flat_map(|r| [pairs(&r.title), pairs(r.question.as_deref().unwrap_or_default())]).collect();
        let mut places: BTreeMap<Pair, Vec<u16>> = BTreeMap::new();
        for (at, text) in texts.iter().enumerate() {
            text.iter().for_each(|pair| places.entry(*pair).or_default().push(at as u16));
        }
        let mut alike = Alike { rulings: rulings.len(), ..Alike::default() };
        for (pair, places) in places {
            let of: BTreeSet<u16> = places.iter().map(|at| at / 2).collect();
            alike.texts.extend(places);
            let (rare, end) = (alike.rarity(of.len()), alike.texts.len() as u32);
            alike.pairs.push((pair, rare, end));
        }
        alike.lengths = texts.iter().map(|text| text.iter().map(|pair| alike.rare(pair)).sum()).collect();
        alike
    }

    fn rarity(&self, often: usize) -> f32 {
        let (all, often) = (self.rulings as f32, often as f32);
        (1.0 + (all - often + 0.5) / (often + 0.5)).ln().powi(2)
    }

    fn at(&self, pair: &Pair) -> Option<usize> {
        self.pairs.binary_search_by(|(other, ..)| other.cmp(pair)).ok()
    }

    fn rare(&self, pair: &Pair) -> f32 {
        self.at(pair).map_or_else(|| self.rarity(0), |at| self.pairs[at].1)
    }

    /// The rulings that have something of it, by place, and how alike the nearer of their texts is: from 0 to 1.
    pub fn to(&self, wanted: &BTreeSet<Pair>) -> Vec<(usize, f32)> {
        let whole: f32 = wanted.iter().map(|pair| self.rare(pair)).sum();
        let mut common = vec![0.0; self.lengths.len()];
        for at in wanted.iter().filter_map(|pair| self.at(pair)) {
            let (_, rare, end) = self.pairs[at];
            let begin = at.checked_sub(1).map_or(0, |before| self.pairs[before].2);
            self.texts[begin as usize..end as usize].iter().for_each(|text| common[usize::from(*text)] += rare);
        }
        let alike = |text: usize| match common[text] > 0.0 {
            true => common[text] / (whole * self.lengths[text]).sqrt(),
            false => 0.0,
        };
        let nearer = (0..self.rulings).map(|place| (place, alike(2 * place).max(alike(2 * place + 1))));
        nearer.filter(|(_, alike)| *alike > 0.0).collect()
    }
}
