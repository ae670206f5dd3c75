//! What is told afterwards: a tree of data, from which terminal, JSON and page are made.

use serde::Serialize;

use super::cite::Cite;
use super::table::Table;

/// What kind of thing is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Told {
    #[serde(rename = "段階")]
    Span,
    #[serde(rename = "適用")]
    Applied,
    #[serde(rename = "不適用")]
    NotApplied,
    #[serde(rename = "できない")]
    Refused,
    #[serde(rename = "置換")]
    Replaced,
    #[serde(rename = "誘発")]
    Triggered,
    #[serde(rename = "選択")]
    Chosen,
    #[serde(rename = "放棄")]
    Passed,
    #[serde(rename = "発生")]
    Happened,
}

impl Told {
    pub fn name(self) -> &'static str {
        match self {
            Told::Span => "段階",
            Told::Applied => "適用",
            Told::NotApplied => "不適用",
            Told::Refused => "できない",
            Told::Replaced => "置換",
            Told::Triggered => "誘発",
            Told::Chosen => "選択",
            Told::Passed => "放棄",
            Told::Happened => "発生",
        }
    }
}

/// One line of the trace.
#[derive(Clone, Debug)]
pub struct Entry {
    pub depth: usize,
    pub cite: Option<&'static Cite>,
    pub told: Told,
    pub text: String,
}

/// The trace of a duel. Without `full`, only which clauses were reached is kept.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    pub full: bool,
    pub entries: Vec<Entry>,
    /// Clauses that were applied, in order of first application.
    pub reached: Vec<&'static Cite>,
    /// How often a rule was cited, whether or not it changed anything.
    pub depth: usize,
    /// The table as it stood at the line that was asked for, once something had happened.
    pub moment: Option<Box<Table>>,
}

impl Trace {
    pub fn reach(&mut self, cite: &'static Cite) {
        // The same clause may be cited at several lines; each counts for itself and all for the clause.
        if self.full && !self.reached.iter().any(|c| std::ptr::eq(*c, cite)) {
            self.reached.push(cite);
        }
    }

    pub fn tell(&mut self, told: Told, cite: Option<&'static Cite>, text: impl FnOnce() -> String) {
        if self.full && self.entries.len() < 100_000 {
            self.entries.push(Entry { depth: self.depth, cite, told, text: text() });
        }
    }

    pub fn has_reached(&self, clause: &str) -> bool {
        self.reached.iter().any(|c| c.clause == clause)
    }
}
