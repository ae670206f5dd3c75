//! The trace as a tree that can be read: every line with its clause.

use std::fmt;

use serde::Serialize;

use crate::kernel::{Told, Trace};

/// One line of the story.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Its place in the whole trace, by which the table at that time can be asked for.
    pub at: usize,
    pub depth: usize,
    pub told: Told,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    pub text: String,
    /// A stretch in which nothing happened: shown on demand.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub folded: bool,
}

/// The lines of a trace; `heading` finds what a clause is called.
pub fn story(trace: &Trace, heading: &dyn Fn(&str) -> Option<String>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::with_capacity(trace.entries.len());
    for (at, entry) in trace.entries.iter().enumerate() {
        let clause = entry.cite.map(|c| c.id());
        let text = match (entry.told, &clause) {
            (Told::Span, Some(id)) => heading(id).unwrap_or_default(),
            _ => entry.text.clone(),
        };
        // Several who pass one after another are one line.
        if entry.told == Told::Passed
            && let Some(last) = lines.last_mut().filter(|l| l.told == Told::Passed && l.depth == entry.depth)
        {
            last.text = format!("{}・{text}", last.text);
            continue;
        }
        lines.push(Line { at, depth: entry.depth, told: entry.told, clause, text, folded: false });
    }
    fold(&mut lines);
    lines
}

/// A span is folded when all that lies in it is.
fn fold(lines: &mut [Line]) {
    // For each depth, whether a line below it stays open; from the end, so that children come before parents.
    let mut open: Vec<bool> = Vec::new();
    for line in lines.iter_mut().rev() {
        let below = open.get(line.depth + 1).copied().unwrap_or(false);
        if line.told == Told::Span {
            line.folded = !below;
        }
        open.resize(line.depth + 1, false);
        open[line.depth] |= !line.folded;
    }
}

/// The story as text: what is folded is left out.
pub struct Story<'a>(pub &'a [Line]);

impl fmt::Display for Story<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for line in self.0.iter().filter(|l| !l.folded) {
            let indent = "  ".repeat(line.depth.min(30));
            let clause = line.clause.as_ref().map(|c| format!(" 〔{c}〕")).unwrap_or_default();
            match line.told {
                Told::Span if line.text.is_empty() => writeln!(f, "{indent}■{clause}")?,
                Told::Span => writeln!(f, "{indent}■ {}{clause}", line.text)?,
                told => writeln!(f, "{indent}{}: {}{clause}", told.name(), line.text)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(depth: usize, told: Told) -> Line {
        Line { at: 0, depth, told, clause: None, text: format!("{depth}"), folded: false }
    }

    #[test]
    fn empty_spans_are_folded() {
        let mut lines = vec![
            line(0, Told::Span),
            line(1, Told::Span),
            line(2, Told::Span),
            line(1, Told::Span),
            line(2, Told::NotApplied),
            line(0, Told::Span),
        ];
        fold(&mut lines);
        let folded: Vec<bool> = lines.iter().map(|l| l.folded).collect();
        assert_eq!(folded, [false, true, true, false, false, true]);
    }
}
