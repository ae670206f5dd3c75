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

/// The lines that matter, in their order: where the deciding clauses were applied, what was done, and what happened to
/// the things that the conclusion speaks of.
pub fn short(trace: &[Line], deciding: &[&str], names: &[String], conclusion: &str) -> Vec<Told> {
    let spoken: Vec<&String> = names.iter().filter(|n| conclusion.contains(n.as_str())).collect();
    let decides = |line: &Line| line.clause.as_deref().is_some_and(|c| deciding.contains(&c));
    let weight = |line: &Line| {
        let about = spoken.iter().any(|n| line.text.contains(n.as_str()));
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
                    Kind::Applied => 2,
                    Kind::Chosen => 2,
                    _ => usize::from(about),
                };
                kind + 5 * usize::from(decides(line)) + usize::from(about)
            }
        }
    };
    let mut ranked: Vec<(usize, usize)> = trace.iter().enumerate().map(|(at, line)| (weight(line), at)).collect();
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
