//! Blocks to paste into a chat or a report: what is cited, from which edition, and its words.

use serde_json::{Value, json};

use crate::text::node::plain;
use crate::text::{Concept, Id, Library, Reading, Ruling, Shelf, Term};

use super::clause::{Official, edition};
use super::rulings;

/// A block to paste.
pub struct Cited {
    pub id: String,
    pub text: String,
}

impl Cited {
    /// For bots.
    pub fn json(&self) -> Value {
        json!({"id": self.id, "cite": self.text.trim_end()})
    }
}

/// What stands in front of every block: the document and its edition.
fn place(shelf: &Shelf) -> String {
    format!("【{}】", edition(shelf))
}

/// Number and title of a clause.
fn head(shelf: &Shelf, index: usize) -> String {
    let node = shelf.node(index);
    [node.id.clause.to_string()].into_iter().chain(node.title).collect::<Vec<_>>().join(" ")
}

/// A clause or a section: the official wording where it was imported, else ours, which says so.
pub fn clause(shelf: &Shelf, index: usize, below: &[usize], official: &dyn Official) -> Cited {
    let node = shelf.node(index);
    let wording = |i: usize| official.wording(&shelf.id(i)).filter(|o| !o.text.is_empty());
    let place = match wording(index) {
        Some(wording) => format!("【{} {}】", shelf.document().title, wording.edition),
        None => place(shelf),
    };
    let page = shelf.printed_at(index).map(|page| format!("（{page}）")).unwrap_or_default();
    let mut text = format!("{place}{}{page}\n", head(shelf, index));
    let mut ours = false;
    let mut add = |i: usize, number: bool| {
        if number {
            text.push_str(&format!("{} ", head(shelf, i)));
        }
        match (wording(i), shelf.node(i).text) {
            (Some(wording), _) => text.push_str(&format!("{}\n", wording.text)),
            (None, Some(words)) => {
                ours = true;
                text.push_str(&format!("{}\n", plain(&words)));
            }
            (None, None) if number => text.push('\n'),
            (None, None) => {}
        }
    };
    add(index, false);
    below.iter().for_each(|i| add(*i, true));
    if ours {
        text.push_str("（saiteiによる要旨）\n");
    }
    Cited { id: node.id.to_string(), text }
}

pub fn reading(shelf: &Shelf, reading: &Reading) -> Cited {
    let mut text = format!("{}{} {}\n", place(shelf), reading.id.clause, plain(&reading.question));
    for option in &reading.options {
        let mark = if option.key == reading.default { "既定" } else { "別の読み" };
        text.push_str(&format!("{mark} {}: {}\n", option.key, plain(&option.text)));
    }
    let clauses: Vec<&str> = reading.clauses.iter().map(|id| id.clause.as_str()).collect();
    text.push_str(&format!("条文 {}\n（saiteiによる整理。公式の見解ではありません）\n", clauses.join("、")));
    Cited { id: reading.id.to_string(), text }
}

pub fn entry(shelf: &Shelf, index: usize) -> Cited {
    let entry = shelf.entry(index);
    let changes: Vec<String> = entry.changes.iter().map(|c| format!("・{}\n", plain(&c.text))).collect();
    let head = format!("【{} 変更履歴】{} {}\n", shelf.document().title, entry.version, entry.date);
    Cited { id: entry.id.to_string(), text: format!("{head}{}（saiteiによる要旨）\n", changes.concat()) }
}

/// A ruling: what was asked and answered, and the deciding clauses with their words.
pub fn ruling(library: &Library, ruling: &Ruling) -> Cited {
    let why: Vec<Id> = ruling.why.iter().filter_map(|id| id.parse().ok()).collect();
    let name = rulings::name(ruling);
    let game = name.split(':').next().and_then(crate::text::Game::from_name).or(why.first().map(|id| id.game));
    let place = game.map(|g| place(library.shelf(g))).unwrap_or_default();
    let question = ruling.question.as_ref().map(|q| format!("Q. {q}\n")).unwrap_or_default();
    let mut text = format!("{place}裁定 {name}\n{question}{}\n", ruling.title);
    for id in &why {
        let shelf = library.shelf(id.game);
        let Some(index) = shelf.position(&id.clause) else { continue };
        let words = shelf.node(index).text.map(|t| plain(&t)).unwrap_or_default();
        let page = shelf.printed_at(index).map(|page| format!("（{page}）")).unwrap_or_default();
        text.push_str(&format!("{}{page} {words}\n", head(shelf, index)));
    }
    text.push_str("（saiteiが条文どおりに動かした結果。条文は要旨。公式の裁定ではありません）\n");
    Cited { id: name, text }
}

pub fn term(shelf: &Shelf, term: &Term) -> Cited {
    let mut text = format!("{}{}（{}）\n", place(shelf), term.term, term.reading);
    for id in &term.defined {
        let Some(index) = shelf.position(&id.clause) else { continue };
        // A heading alone says nothing.
        let below = if shelf.node(index).text.is_none() { shelf.children(index) } else { Vec::new() };
        for index in [index].into_iter().chain(below) {
            let words = shelf.node(index).text.map(|t| format!(" {}", plain(&t))).unwrap_or_default();
            text.push_str(&format!("{}{words}\n", head(shelf, index)));
        }
    }
    if term.undefined {
        text.push_str("文書に定義はない。\n");
    }
    text.push_str("（saiteiによる要旨）\n");
    Cited { id: format!("{}:{}", shelf.game.code(), term.term), text }
}

/// A concept in all games that speak of it.
pub fn concept(library: &Library, concept: &Concept) -> Cited {
    let mut text = format!("【くらべる】{}（{}）\n", concept.concept, concept.reading);
    for treatment in &concept.games {
        let Some(first) = treatment.clauses.first() else { continue };
        let clauses: Vec<&str> = treatment.clauses.iter().map(|id| id.clause.as_str()).collect();
        let edition = edition(library.shelf(first.game));
        text.push_str(&format!("{edition} {}: {}\n", clauses.join("、"), plain(&treatment.text)));
    }
    text.push_str(&format!("違い: {}\n（saiteiによる整理）\n", concept.differs));
    Cited { id: concept.concept.clone(), text }
}
