//! From a question to hits.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem::{self, Finder};

use crate::text::kana::{fold, normal};
use crate::text::{Game, Id, Kind, Library};

use super::analysis::Analysis;
use super::bag;
use super::bundle::Bundle;
use super::doubt::{self, Signs};
use super::index::Place;
use super::postings::Postings;
use super::question::Question;
use super::rank::{CRITERIA, Candidate, TELLS, Wanted};

/// How many candidates the criteria look at.
const CANDIDATES: usize = 70;

/// How much more the game counts that a person always uses.
const LIKELY: f32 = 5.0;

/// How much it counts that the words that were typed are terms of a game.
const HOME: f32 = 1.5;

/// How much a game gains by using the words that were typed more than others do, and from which share on a word is
/// counted as its own.
const FIT: f32 = 0.37;
const OWN: f32 = 0.4;

/// How many hits of a game are looked at for what tells them apart.
const FIRST: usize = 12;

/// What stands beside the clauses is shown if it fits nearly as well as they do: it has fewer fields to score in.
const BESIDE: f32 = 0.3;

/// What hits may be.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Empty: all games.
    pub games: Vec<Game>,
    /// The game that is meant if nothing says otherwise.
    pub likely: Option<Game>,
    /// Empty: all kinds.
    pub kinds: Vec<Kind>,
    /// Only at or below this clause.
    pub within: Option<Id>,
    /// Only clauses that define a term.
    pub terms: bool,
    /// Only clauses that have examples.
    pub examples: bool,
}

/// What was found.
pub struct Answer {
    pub question: Question,
    /// Best first.
    pub hits: Vec<Hit>,
    /// How many of the clauses of each game that were looked at have all that was asked for.
    pub counts: Vec<(Game, usize)>,
    /// Readings, history entries and concepts that fit well, best first.
    pub beside: Vec<Place>,
    /// The documents deal with what was asked. If not, the hits are only what comes nearest.
    pub answered: bool,
    /// It is a matter that rules of play leave to floor rules.
    pub floor: bool,
}

/// A clause that was found.
#[derive(Clone, Debug)]
pub struct Hit {
    pub game: Game,
    pub position: usize,
    pub score: f32,
    pub bm25: f32,
    /// How much it points where the question points, and how much of what was asked for it has, from 0 to 1.
    pub sense: f32,
    pub share: f32,
    /// The factor of each criterion, in their order.
    pub factors: [f32; CRITERIA.len()],
}

impl Hit {
    /// Has more in common with the question than stray characters: something that was asked for by name, a third of
    /// its pairs of characters where the rare ones count more, or half of its kanji.
    fn answers(&self, question: &Question, pairs: &[(String, f32)], says: &[u8]) -> bool {
        let defines = self.factors[0];
        let has = |text: &str| memmem::find(says, text.as_bytes()).is_some();
        let all: f32 = pairs.iter().map(|(_, rarity)| rarity).sum();
        let common: f32 = pairs.iter().filter(|(pair, _)| has(pair)).map(|(_, rarity)| rarity).sum();
        let kanji: Vec<char> = question.whole.chars().filter(|c| matches!(c, '一'..='龥')).collect();
        let shared = kanji.iter().filter(|c| has(&c.to_string())).count();
        defines > 1.0
            || self.share > 0.22 && !question.units.is_empty()
            || common * 3.0 > all
            || shared * 2 >= kanji.len().max(1)
    }

    /// Has all that was asked for.
    fn has_all(&self) -> bool {
        self.share > 0.99
    }
}

/// A library with its index.
pub struct Searcher<'a> {
    library: &'a Library,
    bundle: Bundle,
    postings: Postings,
}

impl<'a> Searcher<'a> {
    /// Fails if the bundle is no index of ours.
    pub fn open(library: &'a Library, bundle: Bundle) -> tantivy::Result<Searcher<'a>> {
        let postings = Postings::open(&bundle, library)?;
        Ok(Searcher { library, bundle, postings })
    }

    /// The best clauses for what was typed.
    pub fn find(&self, typed: &str, filter: &Filter) -> tantivy::Result<Answer> {
        let answer = self.find_as_typed(typed, filter)?;
        let phrases = &answer.question.phrases;
        if !answer.hits.is_empty() || phrases.is_empty() {
            return Ok(answer);
        }
        // Nothing says just that; what comes near is better than nothing.
        let mut near = self.find_as_typed(&phrases.join(" "), filter)?;
        near.question.notes.insert(0, format!("そのままの条文がないので、「{}」をふつうの言葉", phrases.join("」「")));
        near.answered = false;
        Ok(near)
    }

    fn find_as_typed(&self, typed: &str, filter: &Filter) -> tantivy::Result<Answer> {
        let (named, typed) = match Game::spoken(&normal(typed)) {
            Some((game, rest)) => (Some(game), rest),
            None => (None, typed.to_string()),
        };
        let games = match named {
            Some(game) if filter.games.is_empty() || filter.games.contains(&game) => vec![game],
            _ if filter.games.is_empty() => Game::ALL.to_vec(),
            _ => filter.games.clone(),
        };
        let occurs = |pair: &str| self.postings.frequency(Analysis::Grams, pair) > 0;
        let mut question = Question::read(&typed, self.library, &games, &occurs);
        question.game = named;
        if games.len() > 1 {
            let fits = self.fits(&question)?;
            question.home.iter_mut().zip(fits).for_each(|(home, fit)| *home = home.powf(HOME) * fit);
        }
        if let Some(likely) = filter.likely.filter(|_| games.len() > 1) {
            question.home[likely.index()] *= LIKELY;
        }
        let strict = !question.phrases.is_empty() || !question.without.is_empty() || filter.narrows();
        let limit = CANDIDATES * if strict { 10 } else { 1 } * games.len().min(3);
        let phrases: Vec<String> = question.phrases.iter().map(|w| fold(w)).collect();
        let without: Vec<String> = question.without.iter().map(|w| fold(w)).collect();
        let mut hits = Vec::new();
        let units = Wanted::units(&question);
        let typed_words = self.words(&question);
        let words = Wanted::words(&typed_words, &question);
        let (mut beside, mut looked_at) = (Vec::new(), Vec::new());
        let candidates = self.candidates(&question, &games, limit)?;
        let bags = Game::ALL.map(|game| self.bundle.bags(game));
        let sense = self.bundle.sense();
        let pointing = sense.of(&question.said);
        let best = candidates.first().map_or(0.0, |(bm25, _)| *bm25);
        for (bm25, place) in candidates {
            let Place::Clause(game, position) = place else {
                if bm25 > best * BESIDE && beside.len() < 3 {
                    beside.push(place);
                }
                continue;
            };
            let shelf = self.library.shelf(game);
            let Some(says) = bags[game.index()].get(position).filter(|_| filter.admits(shelf, position)) else {
                continue;
            };
            let has = |word: &String| memmem::find(says, word.as_bytes()).is_some();
            if !phrases.iter().all(has) || without.iter().any(has) {
                continue;
            }
            let line = shelf.line(position);
            let sense = sense.near(&pointing, self.range(game).start as usize + position);
            let (share, words) = (units.share(says), words.share(says));
            let candidate = Candidate { game, line, bm25, says, share, words, sense, telling: 1.0 };
            let factors = std::array::from_fn(|i| (CRITERIA[i].factor)(&candidate, &question));
            let score = bm25 * factors.iter().product::<f32>();
            hits.push(Hit { game, position, score, bm25, sense, share, factors });
            looked_at.push(candidate);
        }
        self.tell_apart(&mut hits, &mut looked_at, &question);
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        // Stray characters in common are no answer; a typo has at least most of them.
        let pairs = self.pairs(&question);
        let says = |hit: &Hit| bags[hit.game.index()].get(hit.position).unwrap_or_default();
        let answers = |hit: &Hit| hit.answers(&question, &pairs, says(hit));
        if !hits.iter().take(5).any(answers) {
            (hits, beside) = (Vec::new(), Vec::new());
        }
        let answered = hits.first().is_some_and(|hit| {
            let defines = hit.factors[0] > 1.0;
            defines || strict || self.signs(&question, &hits, &games).sum() > 0.0
        });
        let floor = !answered && doubt::about_floor(&question, self.library.words());
        let count = |game: &Game| (*game, hits.iter().filter(|h| h.game == *game && h.has_all()).count());
        let counts = games.iter().map(count).collect();
        Ok(Answer { question, hits, counts, beside, answered, floor })
    }

    /// The clauses with the highest BM25 sums.
    fn candidates(&self, question: &Question, games: &[Game], limit: usize) -> tantivy::Result<Vec<(f32, Place)>> {
        let places = self.bundle.places();
        let all = 0..(places.len() / 8) as u32;
        // What stands beside the clauses comes after them all.
        let among = match games {
            [game] => self.range(*game).start..all.end,
            _ => all,
        };
        let sums = self.postings.sums(&self.terms(question), among)?;
        let place = |document: usize| {
            let number = places.get(document * 8..document * 8 + 8)?;
            Place::decode(u64::from_le_bytes(number.try_into().ok()?), games)
        };
        let fits = |(document, sum): &(usize, f32)| *sum > 0.0 && place(*document).is_some();
        let mut found: Vec<(usize, f32)> = sums.into_iter().enumerate().filter(fits).collect();
        let order = |a: &(usize, f32), b: &(usize, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if found.len() > limit {
            found.select_nth_unstable_by(limit, order);
            found.truncate(limit);
        }
        found.sort_unstable_by(order);
        Ok(found.into_iter().filter_map(|(document, sum)| Some((sum, place(document)?))).collect())
    }

    /// Among the first hits of a game, what some of them have of the question and others have not tells most.
    fn tell_apart(&self, hits: &mut [Hit], candidates: &mut [Candidate], question: &Question) {
        let weights = self.bundle.weights();
        let said = question.said.replace(' ', "");
        let pieces = bag::pieces(&said, weights).into_iter().map(|(piece, tells)| (Finder::new(piece), tells));
        let pieces: Vec<(Finder, f32)> = pieces.collect();
        candidates.iter_mut().for_each(|c| c.telling = 0.0);
        for game in Game::ALL {
            let mut first: Vec<usize> = (0..hits.len()).filter(|&i| hits[i].game == game).collect();
            first.sort_by(|&a, &b| hits[b].score.total_cmp(&hits[a].score));
            first.truncate(FIRST);
            let mut all = 0.0;
            for (piece, weight) in &pieces {
                let has: Vec<usize> =
                    first.iter().copied().filter(|&i| piece.find(candidates[i].says).is_some()).collect();
                if has.is_empty() {
                    continue;
                }
                let tells = weight * ((first.len() as f32 + 1.0) / (has.len() as f32 + 0.5)).ln();
                all += tells;
                has.iter().for_each(|&i| candidates[i].telling += tells);
            }
            first.iter().filter(|_| all > 0.0).for_each(|&i| candidates[i].telling /= all);
        }
        for (hit, candidate) in hits.iter_mut().zip(candidates) {
            let factor = (CRITERIA[TELLS].factor)(candidate, question);
            hit.score *= factor / hit.factors[TELLS];
            hit.factors[TELLS] = factor;
        }
    }

    /// What speaks for and against the answer.
    pub fn signs(&self, question: &Question, hits: &[Hit], games: &[Game]) -> Signs {
        let bags = Game::ALL.map(|game| self.bundle.bags(game));
        let says = |hit: &Hit| bags[hit.game.index()].get(hit.position).unwrap_or_default();
        let first = hits.first();
        let found = doubt::Found {
            sense: first.map_or(0.0, |h| h.sense),
            share: first.map_or(0.0, |h| h.share),
            says: hits.iter().take(5).map(says).collect(),
        };
        let ranges: Vec<_> = games.iter().map(|game| self.range(*game)).collect();
        let count = |word: &str| -> u32 {
            self.postings.spread(Analysis::Words, word, &ranges).map_or(0, |counts| counts.iter().sum())
        };
        let clauses: usize = ranges.iter().map(|range| range.len()).sum();
        doubt::signs(question, &found, self.library.words(), clauses as f32, &count, &self.pairs(question))
    }

    /// The documents that are clauses of a game.
    fn range(&self, game: Game) -> std::ops::Range<u32> {
        let count = |shelf: &crate::text::Shelf| self.bundle.bags(shelf.game).len() as u32;
        let start = self.library.shelves().take(game.index()).map(count).sum();
        start..start + count(self.library.shelf(game))
    }

    /// How well the vocabulary of each game fits a question: the words that it uses and others do not.
    fn fits(&self, question: &Question) -> tantivy::Result<[f32; Game::ALL.len()]> {
        let ranges: Vec<_> = Game::ALL.map(|game| self.range(game)).into();
        let mut fits = [0.0f32; Game::ALL.len()];
        let terms: BTreeSet<String> =
            Analysis::Words.terms(&format!("{} {}", question.core, question.cards.join(" "))).into_iter().collect();
        for term in terms {
            let counts = self.postings.spread(Analysis::Words, &term, &ranges)?;
            let often = counts.iter().zip(&ranges).map(|(n, range)| (*n as f32 + 0.5) / (range.len() as f32 + 1.0));
            let often: Vec<f32> = often.collect();
            let total: f32 = often.iter().sum();
            // A word that all games use alike tells nothing.
            if often.iter().all(|often| often / total < OWN) {
                continue;
            }
            for (fit, often) in fits.iter_mut().zip(&often) {
                *fit += (often * Game::ALL.len() as f32 / total).ln();
            }
        }
        Ok(fits.map(|fit| (FIT * fit).exp().clamp(0.01, 100.0)))
    }

    /// The folded pairs of the question, each once and with its rarity.
    fn pairs(&self, question: &Question) -> Vec<(String, f32)> {
        let pairs: BTreeSet<String> = Analysis::Folded.terms(&question.core).into_iter().collect();
        let rarity = |pair: String| {
            let rarity = self.postings.rarity(Analysis::Folded, &pair);
            (pair, rarity)
        };
        pairs.into_iter().map(rarity).collect()
    }

    /// The folded words of the question, each once and with its rarity.
    fn words(&self, question: &Question) -> Vec<(String, f32)> {
        let words: BTreeSet<String> = Analysis::Words.terms(&question.core).into_iter().collect();
        words.into_iter().map(|w| (fold(&w).replace(' ', ""), self.postings.rarity(Analysis::Words, &w))).collect()
    }

    /// Every term of the question, weighted, by analysis.
    fn terms(&self, question: &Question) -> Vec<(Analysis, BTreeMap<String, f32>)> {
        let mut texts = vec![(question.core.clone(), 1.0)];
        texts.extend(question.expansions());
        let terms = |analysis: Analysis| {
            let mut terms: BTreeMap<String, f32> = BTreeMap::new();
            for (text, weight) in &texts {
                // What may be meant besides is looked for by its pairs of characters only: there can be much of it.
                let faint = *weight < 0.5;
                if faint && analysis != Analysis::Grams {
                    continue;
                }
                for term in analysis.terms(text).into_iter().filter(|t| !faint || t.chars().nth(1).is_some()) {
                    let known = terms.entry(term).or_insert(0.0);
                    *known = known.max(*weight);
                }
            }
            (analysis, terms)
        };
        Analysis::ALL.map(terms).into()
    }
}

impl Filter {
    fn narrows(&self) -> bool {
        !self.kinds.is_empty() || self.within.is_some() || self.terms || self.examples
    }

    fn admits(&self, shelf: &crate::text::Shelf, position: usize) -> bool {
        if !self.narrows() {
            return true;
        }
        let line = shelf.line(position);
        let within = self.within.as_ref().is_none_or(|id| {
            id.game == shelf.game
                && shelf.position(&id.clause).is_some_and(|top| top == position || shelf.path(position).contains(&top))
        });
        (self.kinds.is_empty() || self.kinds.contains(&line.kind))
            && within
            && (!self.terms || !shelf.defined_at(position).is_empty())
            && (!self.examples || !shelf.node(position).examples.is_empty())
    }
}
