//! How it came about, in the few lines that matter.

use serde::Serialize;

use crate::kernel::Told as Kind;
use crate::scenario::Line;

/// How many lines are enough.
const LINES: usize = 8;
/// How many of the deciding clauses are marked.
pub const MARKED: usize = 4;

/// One line of the short story.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Told {
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// A clause that decides was applied here.
    pub decides: bool,
}

/// The text speaks of the name: a short one (「攻」) stands by itself, and not within a word (「攻撃」).
fn speaks_of(text: &str, name: &str) -> bool {
    let apart = |c: char| c.is_ascii() || matches!(c, 'ぁ'..='ん' | '、' | '。' | '→' | '（' | '）' | '「' | '」');
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        name.chars().nth(1).is_some()
            || before.chars().next_back().is_none_or(apart) && after.chars().next().is_none_or(apart)
    })
}

/// The lines that matter, in their order: where the deciding clauses were applied, what was done, and what happened to
/// the cards that the conclusion speaks of. `labels`: what the cards are called.
pub fn short(trace: &[Line], deciding: &[&str], labels: &[String], conclusion: &str) -> Vec<Told> {
    let spoken: Vec<&String> = labels.iter().filter(|n| speaks_of(conclusion, n)).collect();
    let decides = |line: &Line| line.clause.as_deref().is_some_and(|c| deciding.contains(&c));
    // Of the ways that a card went, the last says what became of it.
    let went = |line: &Line| {
        let card = line.text.split_once('を').filter(|(_, rest)| rest.contains(" → "));
        card.filter(|_| line.told == Kind::Happened && !line.folded).map(|(card, _)| card.to_string())
    };
    let last =
        |at: usize| went(&trace[at]).filter(|card| !trace[at + 1..].iter().any(|l| went(l).as_ref() == Some(card)));
    let weight = |at: usize, line: &Line| {
        let about = spoken.iter().any(|n| speaks_of(&line.text, n));
        match line.told {
            Kind::Span | Kind::Passed => 0,
            _ if line.folded => 0,
            Kind::Refused => 9,
            told => {
                let act = told == Kind::Chosen && line.text.contains("の行動: ");
                let kind = match told {
                    Kind::Chosen if act => 4,
                    // That something does not happen is what one asks about.
                    Kind::NotApplied => 4,
                    Kind::Replaced | Kind::Triggered => 3,
                    Kind::Chosen => 2 - usize::from(line.text.contains("の支払い: ")),
                    _ if last(at).is_some() => 4 * usize::from(about),
                    // How the game goes on is told by what comes of it.
                    Kind::Applied => 1,
                    // 「攻の攻撃」 is a time that has come, not a thing that was done.
                    _ => 2 * usize::from(about && line.text.contains(['を', 'に'])),
                };
                kind + 5 * usize::from(decides(line)) + usize::from(about)
            }
        }
    };
    let mut ranked: Vec<(usize, usize)> = trace.iter().enumerate().map(|(at, line)| (weight(at, line), at)).collect();
    ranked.retain(|(weight, _)| *weight > 1);
    ranked.sort_by_key(|(weight, at)| (std::cmp::Reverse(*weight), *at));
    let mut chosen: Vec<usize> = Vec::new();
    for (_, at) in ranked {
        if chosen.len() < LINES && !chosen.iter().any(|c| trace[*c].text == trace[at].text) {
            chosen.push(at);
        }
    }
    chosen.sort_unstable();
    chosen
        .into_iter()
        .map(|at| {
            let line = &trace[at];
            Told {
                text: line.text.replacen("の行動: ", ": ", 1), clause: line.clause.clone(), decides: decides(line)
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_stand_by_themselves() {
        for text in ["攻をスリープ", "Aの攻撃目標: 攻", "守は攻に破壊された", "攻→左/中央"] {
            assert!(speaks_of(text, "攻"), "{text}");
        }
        for text in ["A: 攻撃 守", "攻撃力 1000", "侵攻する"] {
            assert!(!speaks_of(text, "攻"), "{text}");
        }
        assert!(speaks_of("石二をリリース", "石二"));
    }
}
