//! Whether what was found is an answer. A document does not tell what a card costs in a shop; the clauses that come
//! nearest to such a question are then shown as what they are.
//!
//! A few signs, each from 0 to 1, are added up with weights that were fitted on half of the gold set: questions that
//! the documents answer, and questions that they do not.

use std::collections::BTreeSet;

use memchr::memmem;

use crate::text::Words;
use crate::text::kana::{fold, is_hiragana};

use super::analysis::Analysis;
use super::question::Question;

/// What speaks for and against an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signs {
    /// How much the first hit points where the question points.
    pub sense: f32,
    /// How much of what was asked for it has.
    pub share: f32,
    /// How much of the words the first hits have, the rare ones counting more.
    pub words: f32,
    /// How much of them no clause has.
    pub unknown: f32,
    /// How much of the pairs of characters the first hits have.
    pub pairs: f32,
    /// How many words of shops, tournaments and the like there are that the first hit does not have.
    pub away: f32,
    /// It is about a game that nobody here has rules of.
    pub other: f32,
    /// A sentence was asked. Who types a word or two looks for a term, and may have misspelt it.
    pub sentence: f32,
}

impl Signs {
    /// More than 0: it is answered.
    pub fn sum(&self) -> f32 {
        let Signs { sense, share, words, unknown, pairs, away, other, sentence } = self;
        let speaks_for = 7.0 * sense + 1.64 * share + 1.03 * words + 1.53 * pairs;
        speaks_for - 2.19 * unknown - 4.19 * away - 9.0 * other - 1.78 * sentence - 3.8
    }
}

/// What was found, as the signs look at it.
pub struct Found<'a> {
    pub sense: f32,
    pub share: f32,
    /// All that the first clauses say, folded; the best first.
    pub says: Vec<&'a [u8]>,
}

/// Reads the signs. `count` says in how many clauses of the games that were asked a word is; `pairs` are the pairs of
/// characters of the question with their rarity.
pub fn signs(
    question: &Question,
    found: &Found,
    words: &Words,
    clauses: f32,
    count: &dyn Fn(&str) -> u32,
    pairs: &[(String, f32)],
) -> Signs {
    let has = |says: &&[u8], text: &str| memmem::find(says, text.as_bytes()).is_some();
    let any = |text: &str| found.says.iter().any(|says| has(says, text));
    let typed: BTreeSet<String> = Analysis::Words.terms(&question.core).into_iter().collect();
    let (mut all, mut shared, mut unknown) = (0.0, 0.0, 0.0);
    for word in &typed {
        let count = count(word) as f32;
        let rarity = (1.0 + (clauses - count.min(clauses) + 0.5) / (count + 0.5)).ln();
        let found = any(&fold(word).replace(' ', ""));
        all += rarity;
        shared += if found { rarity } else { 0.0 };
        unknown += if count < 1.0 && !found { rarity } else { 0.0 };
    }
    let total: f32 = pairs.iter().map(|(_, rarity)| rarity).sum();
    let common: f32 = pairs.iter().filter(|(pair, _)| any(pair)).map(|(_, rarity)| rarity).sum();
    let of = |part: f32, whole: f32| if whole > 0.0 { part / whole } else { 1.0 };
    let elsewhere = words.floor.iter().chain(&words.elsewhere).map(|w| fold(w).replace(' ', ""));
    let said = question.said.replace(' ', "");
    let away = elsewhere.filter(|w| said.contains(w.as_str()) && !found.says.first().is_some_and(|says| has(says, w)));
    Signs {
        sense: found.sense,
        share: found.share,
        words: of(shared, all),
        unknown: of(unknown, all),
        pairs: of(common, total),
        other: if words.others.iter().any(|name| said.contains(&fold(name).replace(' ', ""))) { 1.0 } else { 0.0 },
        away: away.count().min(2) as f32 / 2.0,
        sentence: if is_sentence(&question.typed) { 1.0 } else { 0.0 },
    }
}

fn is_sentence(typed: &str) -> bool {
    typed.chars().filter(|c| is_hiragana(*c)).count() >= 3 && typed.chars().nth(7).is_some()
}

/// Whether a question is about how tournaments are run, which rules of play leave to floor rules.
pub fn about_floor(question: &Question, words: &Words) -> bool {
    let said = question.said.replace(' ', "");
    words.floor.iter().any(|w| said.contains(&fold(w)))
}
