//! The order of hits: the BM25 sum, then an ordered list of named criteria. Each is one function with its reason, and
//! each says by how much it moved a hit, so that `--explain` can show why a hit stands where it does.

use memchr::memmem::Finder;

use crate::text::lexicon::Via;
use crate::text::{Game, Id, Kind, Line};

use super::question::{Question, Unit};

/// A clause that may answer, with all that the criteria look at.
pub struct Candidate<'a> {
    pub game: Game,
    pub line: Line<'a>,
    /// The BM25 sum over all fields.
    pub bm25: f32,
    /// All parts of it, folded.
    pub says: &'a [u8],
    /// How much of what was asked for it has, from 0 to 1.
    pub share: f32,
    /// How much of the words it has, the rare ones counting more, from 0 to 1.
    pub words: f32,
    /// How much it points where the question points, from 0 to 1.
    pub sense: f32,
    /// How much it has of what tells the first hits of its game apart, from 0 to 1.
    pub telling: f32,
}

impl Candidate<'_> {
    fn is(&self, id: &Id) -> bool {
        id.game == self.game && id.clause.as_str() == self.line.clause && id.example.is_empty()
    }
}

/// What is asked for, ready to be looked for in many clauses: words, what else they may be called, and how much each
/// weighs.
pub struct Wanted<'q> {
    words: Vec<(f32, Finder<'q>, Vec<Finder<'q>>)>,
}

impl<'q> Wanted<'q> {
    /// The things asked for; the longer the name, the more it tells.
    pub fn units(question: &'q Question) -> Wanted<'q> {
        let unit = |unit: &'q Unit| {
            let weight = (unit.word.chars().count() as f32).sqrt();
            (weight, Finder::new(&unit.word), unit.also.iter().map(Finder::new).collect())
        };
        Wanted { words: question.units.iter().map(unit).collect() }
    }

    /// Folded words, each with its rarity.
    pub fn words(words: &'q [(String, f32)], question: &'q Question) -> Wanted<'q> {
        let word = |(word, rarity): &'q (String, f32)| {
            let unit = question.units.iter().find(|u| u.word == *word);
            let also = unit.iter().flat_map(|u| &u.also).map(Finder::new).collect();
            (*rarity, Finder::new(word), also)
        };
        Wanted { words: words.iter().map(word).collect() }
    }

    /// How much of it a text has; another word for the same thing counts a little less.
    pub fn share(&self, says: &[u8]) -> f32 {
        let total: f32 = self.words.iter().map(|(weight, ..)| weight).sum();
        let found = self.words.iter().map(|(weight, word, also)| {
            if word.find(says).is_some() {
                *weight
            } else if also.iter().any(|w| w.find(says).is_some()) {
                0.8 * weight
            } else {
                0.0
            }
        });
        if total > 0.0 { found.sum::<f32>() / total } else { 1.0 }
    }
}

/// A criterion: its name, why it is there, and the factor it gives.
pub struct Criterion {
    pub name: &'static str,
    pub why: &'static str,
    pub factor: fn(&Candidate, &Question) -> f32,
}

/// In the order in which they are explained. Factors multiply, so the order does not change the result.
///
/// The weights are those that make the right clause likeliest, whether a game is named or not: of half of the gold set,
/// counted twentyfold, and of a sample of the lines that people ask, each asked of an index without it.
pub const CRITERIA: [Criterion; 6] = [
    Criterion {
        name: "定義", why: "用語だけを打ったなら、それを定義する条文が先", factor: defines
    },
    Criterion { name: "意味", why: "同じことを尋ねる言葉が集まる条文が先", factor: means },
    Criterion { name: "決め手", why: "上位の条文を分ける言葉がある条文が先", factor: tells },
    Criterion {
        name: "網羅", why: "打った言葉がすべてある条文が、一部だけの条文より先", factor: covers
    },
    Criterion { name: "種類", why: "言い回しに合う種類の条文が先。見出しは後", factor: kind },
    Criterion {
        name: "ゲーム", why: "言葉がそのゲームの用語であるもの、いつも使うゲームが先", factor: game
    },
];

/// Where [`Candidate::telling`] comes in, which is known only when the rest is.
pub const TELLS: usize = 2;

fn defines(candidate: &Candidate, question: &Question) -> f32 {
    let factor = |named: &super::question::Named| {
        let term = &named.entry;
        let strength = if named.via == Via::Slang { 0.6 } else { 1.0 };
        let place = term.defined.iter().position(|d| candidate.is(d));
        match place {
            Some(0) => 1.0 + 4.6 * strength,
            Some(_) => 1.0 + 1.5 * strength,
            None if term.undefined && term.see.first().is_some_and(|s| candidate.is(s)) => 1.0 + 2.2 * strength,
            None => 1.0,
        }
    };
    let whole = question.named.iter().filter(|n| n.whole && n.game == candidate.game);
    whole.map(factor).fold(1.0f32, f32::max).powf(2.6)
}

fn means(candidate: &Candidate, _: &Question) -> f32 {
    (14.1 * (candidate.sense - 0.8)).exp()
}

fn tells(candidate: &Candidate, _: &Question) -> f32 {
    (2.6 * (candidate.telling - 1.0)).exp()
}

fn covers(candidate: &Candidate, _: &Question) -> f32 {
    (2.45 * (candidate.share - 1.0) + 0.62 * (candidate.words.powi(2) - 1.0)).exp()
}

fn kind(candidate: &Candidate, question: &Question) -> f32 {
    let hinted = if question.kinds.contains(&candidate.line.kind) { 1.84 } else { 1.0 };
    let heading = if candidate.line.kind == Kind::Heading { 0.29 } else { 1.0 };
    hinted * heading
}

fn game(candidate: &Candidate, question: &Question) -> f32 {
    question.home[candidate.game.index()]
}
