//! Which clauses are executed, by which scenarios they are reached, in which they decide.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::kernel::cite::cited;
use crate::scenario::Report;
use crate::text::node::Node;
use crate::text::{Kind, Library, Shelf};

/// A ruling that has been checked.
pub struct Checked {
    pub file: String,
    pub game: &'static str,
    pub passed: bool,
    pub report: Option<Report>,
}

/// What is known of one clause.
#[derive(Default)]
pub struct Row {
    /// The lines that execute it: doing without it makes a difference there.
    pub at: Vec<String>,
    /// The lines that merely name it.
    pub touched: Vec<String>,
    pub reached: BTreeSet<String>,
    pub decisive: BTreeSet<String>,
}

/// What becomes of a clause when situations are run. Every clause has an account.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Account {
    Executed,
    Touched,
    ByAnother,
    Nothing,
    Left,
}

impl Account {
    pub const ALL: [Account; 5] =
        [Account::Executed, Account::Touched, Account::ByAnother, Account::Nothing, Account::Left];

    pub fn of(node: &Node, row: Option<&Row>) -> Account {
        match row {
            Some(row) if !row.at.is_empty() => Account::Executed,
            _ if !node.executed_by.is_empty() => Account::ByAnother,
            Some(row) if !row.touched.is_empty() => Account::Touched,
            _ if reason(node).is_some() => Account::Nothing,
            _ => Account::Left,
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Account::Executed => "動く",
            Account::Touched => "通るだけ",
            Account::ByAnother => "別の条文が行う",
            Account::Nothing => "行うことがない",
            Account::Left => "まだ",
        }
    }

    pub fn code(self) -> &'static str {
        match self {
            Account::Executed => "executed",
            Account::Touched => "touched",
            Account::ByAnother => "executed_by",
            Account::Nothing => "nothing",
            Account::Left => "left",
        }
    }
}

/// Why there is nothing to execute, if that is so.
pub fn reason(node: &Node) -> Option<String> {
    let by_kind = match node.kind {
        Kind::Notation => Some("表記の読み方"),
        Kind::About => Some("案内"),
        Kind::Floor => Some("大会の運営"),
        _ => None,
    };
    node.nothing.clone().or_else(|| by_kind.map(str::to_string))
}

/// The clauses of a document that say something, in its order.
pub fn clauses(library: &Library, code: &str) -> Vec<Node> {
    let shelf = shelf(library, code);
    (0..shelf.lines().len()).map(|at| shelf.node(at)).filter(|node| node.kind != Kind::Heading).collect()
}

fn shelf<'a>(library: &'a Library, code: &str) -> &'a Shelf {
    library.shelf(crate::text::Game::from_code(code).expect("a game of ours"))
}

/// What is known of each clause: what the code names, and what the rulings that hold go through.
pub fn rows(code: &str, checked: &[Checked]) -> BTreeMap<String, Row> {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for cite in cited(code) {
        let at = format!("{}:{}", cite.file, cite.line);
        let row = rows.entry(cite.id()).or_default();
        let places = if cite.rule.can_be_knocked_out() { &mut row.at } else { &mut row.touched };
        if !places.contains(&at) {
            places.push(at);
        }
    }
    for c in checked.iter().filter(|c| c.game == code && c.passed) {
        let Some(report) = &c.report else { continue };
        let file = c.file.clone();
        for clause in &report.reached {
            rows.entry(clause.clone()).or_default().reached.insert(file.clone());
        }
        for why in report.why.iter().filter(|w| w.decisive) {
            let row = rows.entry(why.clause.clone()).or_default();
            row.reached.insert(file.clone());
            row.decisive.insert(file.clone());
        }
    }
    rows
}

/// Every example of the document and what became of it.
pub fn examples(library: &Library, code: &str, checked: &[Checked]) -> Vec<(String, String)> {
    let shelf = shelf(library, code);
    let mut found = Vec::new();
    for at in 0..shelf.lines().len() {
        for example in &shelf.node(at).examples {
            let id = example.id.to_string();
            let of = checked.iter().find(|c| c.report.as_ref().is_some_and(|r| r.example.as_deref() == Some(&id)));
            let verdict = match of {
                None => "盤面なし".to_string(),
                Some(c) if !c.passed => "不合格".to_string(),
                Some(c) => c.report.as_ref().map(|r| r.verdict.name().to_string()).unwrap_or_default(),
            };
            found.push((id, verdict));
        }
    }
    found
}

/// The account of a game as programs read it.
pub fn json(library: &Library, code: &str, rows: &BTreeMap<String, Row>, examples: &[(String, String)]) -> Value {
    let none = Row::default();
    let clauses: Vec<_> = clauses(library, code)
        .iter()
        .map(|node| {
            let row = rows.get(&node.id.to_string()).unwrap_or(&none);
            json!({
                "clause": node.id.to_string(),
                "kind": node.kind.code(),
                "account": Account::of(node, Some(row)).code(),
                "executed_at": row.at,
                "touched_at": row.touched,
                "executed_by": node.executed_by.iter().map(|id| id.to_string()).collect::<Vec<_>>(),
                "nothing": reason(node),
                "reached_by": row.reached,
                "decisive_in": row.decisive,
            })
        })
        .collect();
    let examples: Vec<_> = examples.iter().map(|(id, verdict)| json!({"example": id, "verdict": verdict})).collect();
    json!({"game": code, "clauses": clauses, "examples": examples})
}
