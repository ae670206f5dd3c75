//! A clause and what hangs on it.

use serde_json::{Value, json};

use crate::kernel::cite::cited;
use crate::text::node::{How, plain};
use crate::text::{Game, Id, Ref, Shelf, Target};

/// The official wording of a clause, with the edition it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Wording {
    pub edition: String,
    pub text: String,
}

/// The reader's own copies of the documents.
pub trait Official {
    fn wording(&self, id: &Id) -> Option<Wording>;

    /// The other editions of which there is a copy.
    fn others(&self, game: Game) -> Vec<String>;
}

/// No copy at all.
pub struct Ours;

impl Official for Ours {
    fn wording(&self, _: &Id) -> Option<Wording> {
        None
    }

    fn others(&self, _: Game) -> Vec<String> {
        Vec::new()
    }
}

/// Number and title: 702 優先権前処理.
pub fn name(shelf: &Shelf, index: usize) -> String {
    let line = &shelf.lines()[index];
    line.title.map_or(line.clause.to_string(), |title| format!("{} {title}", line.clause))
}

/// 「Z/X 総合ルール Ver. 6.8.0（2025-10-23）」
pub fn edition(shelf: &Shelf) -> String {
    let document = shelf.document();
    let date = document.date.as_ref().map(|d| format!("（{d}）")).unwrap_or_default();
    format!("{} {}{date}", document.title, document.edition)
}

/// The clause as programs read it.
pub fn json(shelf: &Shelf, index: usize, official: &dyn Official) -> Value {
    let node = shelf.node(index);
    let path: Vec<Value> =
        shelf.path(index).into_iter().map(|i| json!({"id": shelf.id(i), "title": shelf.lines()[i].title})).collect();
    let defined = shelf.defined_at(index);
    let text = node.text.as_deref().map(plain);
    let mut terms: Vec<Value> =
        defined.iter().map(|t| json!({"term": t.term, "reading": t.reading, "defined": true})).collect();
    for term in text.iter().flat_map(|t| shelf.terms_in(t)).filter(|t| !defined.iter().any(|d| d.term == t.term)) {
        terms.push(json!({"term": term.term, "reading": term.reading, "defined": false}));
    }
    let ids = |indices: Vec<usize>| indices.into_iter().map(|i| shelf.id(i)).collect::<Vec<_>>();
    let document = shelf.document();
    json!({
        "id": node.id,
        "game": shelf.game.code(),
        "document": document.title,
        "edition": document.edition,
        "date": document.date,
        "printed": node.printed,
        "printed_at": shelf.printed_at(index),
        "aliases": node.aliases,
        "title": node.title,
        "kind": node.kind,
        "path": path,
        "text": text,
        "official": official.wording(&node.id).map(|o| json!({"edition": o.edition, "text": o.text, "others": official.others(shelf.game)})),
        "lost": node.lost.as_deref().map(plain),
        "inferred": node.inferred.as_deref().map(plain),
        "misread": node.misread,
        "refs": node.links().iter().map(ref_json).collect::<Vec<_>>(),
        "cited_by": ids(shelf.cited_by(index)),
        "children": ids(shelf.children(index)),
        "terms": terms,
        "examples": node.examples,
        "executed_at": executed_at(shelf.game.code(), shelf.line(index).clause),
        "rulings": shelf.rulings_of(index),
        "readings": shelf.readings_of(index).into_iter().map(|r| r.id).collect::<Vec<_>>(),
        "since": node.since,
    })
}

fn ref_json(link: &Ref) -> Value {
    let (to, until, document) = match &link.target {
        Target::Clause(id) => (Some(id), None, None),
        Target::Range(a, b) => (Some(a), Some(b), None),
        Target::Document(name) => (None, None, Some(name)),
    };
    let how = match link.how {
        How::Number => "number",
        How::Name => "name",
        How::Place => "place",
        How::Page => "page",
    };
    json!({"to": to, "until": until, "document": document, "how": how, "printed": link.printed, "note": link.note})
}

/// The lines of code that execute a clause.
pub fn executed_at(game: &str, clause: &str) -> Vec<String> {
    let mut places: Vec<String> = Vec::new();
    for cite in cited(game).into_iter().filter(|c| c.clause == clause) {
        let at = format!("{}:{}", cite.file, cite.line);
        if !places.contains(&at) {
            places.push(at);
        }
    }
    places
}
