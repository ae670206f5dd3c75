//! All that can come of a scenario: every answer that its script leaves open.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;

use super::attempt::{Attempt, Ready};
use super::board::changes;
use super::look::Scene;
use crate::kernel::{Asks, Question, Settings};

/// How many runs are tried unless told.
pub const LIMIT: usize = 20_000;

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

/// A way that is still to be gone.
#[derive(Default)]
struct Way {
    answers: Vec<Vec<i32>>,
    /// The same in words.
    words: Vec<String>,
    /// Questions for an act that came before the last answer, and the answers since.
    acts: usize,
    inside: Vec<Vec<i32>>,
}

/// Runs every way; `Err` says why not all could be tried.
pub fn every_way(
    ready: &Ready,
    settings: &Settings,
    limit: usize,
    mut leaf: impl FnMut(&Attempt, &[String]),
) -> Result<usize, String> {
    let mut waiting: Vec<Way> = vec![Way::default()];
    let mut known = HashSet::new();
    let mut runs = 0;
    while let Some(Way { answers, words, acts, inside }) = waiting.pop() {
        runs += 1;
        if runs > limit {
            return Err(format!(
                "選び方が多すぎます（{limit}通りを超えました）。手順で選択を減らすか limit を増やしてください"
            ));
        }
        let attempt = ready.attempt(settings, Some(&answers));
        let Some(question) = &attempt.open else {
            leaf(&attempt, &words);
            continue;
        };
        // The same table with the same script left goes the same way; in the middle of something, what was answered
        // since it began is not on the table yet.
        let inside = if attempt.acts == acts { inside } else { Vec::new() };
        if !known.insert((print(&attempt), inside.clone())) {
            continue;
        }
        let ways = all_answers(question, limit)?;
        if runs + waiting.len() + ways.len() > limit {
            return Err(format!(
                "選び方が多すぎます（{limit}通りを超えました）。手順で選択を減らすか limit を増やしてください"
            ));
        }
        for way in ways.into_iter().rev() {
            let said = answer_words(ready, &attempt, question, &way);
            let with = |list: &[String]| list.iter().cloned().chain([said.clone()]).collect();
            let more = |list: &[Vec<i32>]| list.iter().cloned().chain([way.clone()]).collect();
            waiting.push(Way {
                answers: more(&answers),
                words: with(&words),
                acts: attempt.acts,
                inside: more(&inside),
            });
        }
    }
    Ok(runs)
}

/// All that can come of the answers a scenario leaves open, and how often it was run.
pub fn explore_all(ready: &Ready, limit: Option<usize>) -> Result<(Vec<Ending>, usize), String> {
    let settings = ready.settings();
    let mut endings = Vec::new();
    let runs = every_way(ready, &settings, limit.unwrap_or(LIMIT), |attempt, words| {
        count(&mut endings, ready, attempt, &settings, words)
    })?;
    Ok((endings, runs))
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
    let mut found: Vec<Vec<i32>> = Vec::new();
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
    for i in from..of {
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
