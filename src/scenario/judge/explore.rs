//! All that can come of a scenario: every answer that its script leaves open.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;

use crate::kernel::{Asks, Question, Run, Settings};
use crate::scenario::expect::look::Scene;
use crate::scenario::file::work::Work;
use crate::scenario::judge::board::changes;
use crate::scenario::play::attempt::{Attempt, Ready};

/// How many runs are tried at most.
pub const LIMIT: usize = 20_000;

/// How much is kept of ways not gone yet: cards chosen, and letters.
const MOST: usize = 4_000_000;

/// One thing that can come out, and how often.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ending {
    /// What is different from the start.
    pub changes: Vec<String>,
    /// In how many ways it comes out.
    pub ways: usize,
    /// The answers of the first of them.
    pub answers: Vec<String>,
}

/// An answer on the way to others, which are kept once for all ways that share them.
struct Way {
    /// The way that leads here, by its place in the list.
    before: Option<usize>,
    answer: Vec<i32>,
    /// The same in words.
    words: String,
    /// Questions for an act that came before this answer, and how many answers were given since.
    acts: usize,
    inside: usize,
}

/// All ways there are: a tree, each branch pointing back.
#[derive(Default)]
struct Ways {
    list: Vec<Way>,
    /// How much is kept: cards chosen, and letters.
    size: usize,
}

impl Ways {
    /// The way to here, from the beginning.
    fn to(&self, end: Option<usize>) -> Vec<&Way> {
        let mut way: Vec<&Way> =
            std::iter::successors(end, |at| self.list[*at].before).map(|at| &self.list[at]).collect();
        way.reverse();
        way
    }

    fn add(&mut self, way: Way) -> usize {
        self.size += way.answer.len() + way.words.len();
        self.list.push(way);
        self.list.len() - 1
    }
}

/// Runs every way; `Err` says why not all could be tried.
pub fn every_way(
    ready: &Ready,
    settings: &Settings,
    limit: usize,
    mut leaf: impl FnMut(&Attempt, &[String]),
) -> Result<usize, String> {
    let limit = limit.min(LIMIT);
    let mut all = Ways::default();
    let mut waiting: Vec<Option<usize>> = vec![None];
    let mut known = HashSet::new();
    let mut runs = 0;
    while let Some(at) = waiting.pop() {
        runs += 1;
        if runs > limit || all.size > MOST {
            return Err(too_many(limit));
        }
        let way = all.to(at);
        let answers: Vec<Vec<i32>> = way.iter().map(|w| w.answer.clone()).collect();
        let (acts, inside) = way.last().map_or((0, 0), |w| (w.acts, w.inside));
        let attempt = ready.attempt(settings, Some(&answers));
        if let Run::Stopped(stop, ..) = &attempt.run
            && stop.text == Work::over()
        {
            return Err(Work::over());
        }
        let Some(question) = &attempt.open else {
            let words: Vec<String> = way.iter().map(|w| w.words.clone()).collect();
            leaf(&attempt, &words);
            continue;
        };
        // The same table with the same script left goes the same way; in the middle of something, what was answered
        // since it began is not on the table yet.
        let inside = if attempt.acts == acts { inside } else { 0 };
        let since = answers[answers.len() - inside..].to_vec();
        if !known.insert((print(&attempt), since)) {
            continue;
        }
        let ways = all_answers(question, limit)?;
        if runs + waiting.len() + ways.len() > limit {
            return Err(too_many(limit));
        }
        for answer in ways.into_iter().rev() {
            let words = answer_words(ready, &attempt, question, &answer);
            let way = Way { before: at, answer, words, acts: attempt.acts, inside: inside + 1 };
            waiting.push(Some(all.add(way)));
        }
    }
    Ok(runs)
}

/// All that can come of the answers a scenario leaves open, and how often it was run.
pub fn explore_all(ready: &Ready, limit: Option<usize>) -> Result<(Vec<Ending>, usize), String> {
    // Only what comes out is shown, not how.
    let settings = Settings { trace: false, ..ready.settings() };
    let mut endings = Vec::new();
    let runs = every_way(ready, &settings, limit.unwrap_or(LIMIT), |attempt, words| {
        count(&mut endings, ready, attempt, &settings, words)
    })?;
    Ok((endings, runs))
}

fn too_many(limit: usize) -> String {
    format!("選び方が多すぎます（{limit}通りを超えました）。手順で選択を減らしてください")
}

/// Two hashes: one alone would meet by chance too often.
fn print(attempt: &Attempt) -> (u64, u64) {
    let hash = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, attempt.run.table(), &attempt.memory).hash(&mut hasher);
        hasher.finish()
    };
    (hash(0), hash(1))
}

fn answer_words(ready: &Ready, attempt: &Attempt, question: &Question, answer: &[i32]) -> String {
    let names = ready.names();
    let things = |of: &[crate::kernel::Thing]| {
        let words: Vec<String> = answer.iter().map(|i| names.thing(attempt.run.table(), of[*i as usize])).collect();
        if words.is_empty() { "なし".into() } else { words.join("、") }
    };
    let said = match &question.asks {
        Asks::Choose { of, .. } | Asks::Order(of) => things(of),
        Asks::YesNo => (if answer == [1] { "はい" } else { "いいえ" }).to_string(),
        Asks::Act(_) | Asks::Number { .. } => answer[0].to_string(),
    };
    let who = question.seat.map_or("偶然", |s| names.schema.seats[s.index()]);
    format!("{who} {}: {said}", question.slot)
}

/// All answers to a question, if there are not too many.
fn all_answers(question: &Question, limit: usize) -> Result<Vec<Vec<i32>>, String> {
    if !question.whole.is_empty() {
        return Ok(question.whole.clone());
    }
    let mut found: Vec<Vec<i32>> = Vec::new();
    let long = match &question.asks {
        Asks::Choose { of, .. } | Asks::Order(of) => of.len().max(1),
        _ => 1,
    };
    // Few of the long answers are as much to keep as many of the short ones.
    let limit = limit.min(MOST / long);
    let full = match &question.asks {
        Asks::Act(moves) => {
            found.extend((0..moves.len() as i32).map(|i| vec![i]));
            true
        }
        Asks::YesNo => {
            found.extend([vec![1], vec![0]]);
            true
        }
        Asks::Number { min, max } => {
            found.extend((*min..=*max).take(limit + 1).map(|n| vec![n]));
            found.len() <= limit
        }
        Asks::Choose { of, min, max } => {
            (*min..=*max).all(|n| combine(of.len(), n, 0, &mut Vec::new(), &mut found, limit))
        }
        Asks::Order(of) => arrange(of.len(), &mut Vec::new(), &mut found, limit),
    };
    if full {
        Ok(found)
    } else {
        Err(format!("「{}」の選び方が多すぎます（{limit}通りを超えました）", question.slot))
    }
}

/// All sets of `n` out of `of`; false when there are more than the limit.
fn combine(of: usize, n: usize, from: usize, chosen: &mut Vec<i32>, found: &mut Vec<Vec<i32>>, limit: usize) -> bool {
    if n == 0 {
        found.push(chosen.clone());
        return found.len() <= limit;
    }
    // As many must be left as are still to be chosen.
    for i in from..(of + 1).saturating_sub(n) {
        chosen.push(i as i32);
        let fits = combine(of, n - 1, i + 1, chosen, found, limit);
        chosen.pop();
        if !fits {
            return false;
        }
    }
    true
}

/// All orders of `of` things; false when there are more than the limit.
fn arrange(of: usize, chosen: &mut Vec<i32>, found: &mut Vec<Vec<i32>>, limit: usize) -> bool {
    if chosen.len() == of {
        found.push(chosen.clone());
        return found.len() <= limit;
    }
    for i in 0..of as i32 {
        if chosen.contains(&i) {
            continue;
        }
        chosen.push(i);
        let fits = arrange(of, chosen, found, limit);
        chosen.pop();
        if !fits {
            return false;
        }
    }
    true
}

/// Counts endings that are alike, in the order in which they were found.
pub fn count(endings: &mut Vec<Ending>, ready: &Ready, attempt: &Attempt, settings: &Settings, answers: &[String]) {
    let start = Scene::new(ready.book, &ready.given, &ready.given.table, settings);
    let changes: Vec<String> =
        changes(&start, &attempt.scene(ready, settings)).iter().map(ToString::to_string).collect();
    match endings.iter_mut().find(|e| e.changes == changes) {
        Some(ending) => ending.ways += 1,
        None => endings.push(Ending { changes, ways: 1, answers: answers.to_vec() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Word;
    use crate::kernel::{Seat, Thing};

    #[test]
    fn all_answers_there_are() {
        let of: Vec<Thing> = (0..4).map(Thing::Number).collect();
        let cases = [
            (Asks::Choose { of: of.clone(), min: 0, max: 2 }, Some(11)),
            (Asks::Order(of.clone()), Some(24)),
            (Asks::YesNo, Some(2)),
            (Asks::Number { min: -1, max: 3 }, Some(5)),
            (Asks::Number { min: 0, max: i32::MAX }, None),
            (Asks::Order((0..50).map(Thing::Number).collect()), None),
        ];
        for (asks, expected) in cases {
            let question = Question::new(Seat(0), Word("順番"), asks);
            assert_eq!(all_answers(&question, 100).ok().map(|a| a.len()), expected, "{question:?}");
        }
    }
}
