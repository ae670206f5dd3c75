//! Compares a document with our nodes, both ways.

use std::collections::{BTreeSet, HashMap};

use regex::Regex;
use unicode_normalization::UnicodeNormalization;

use crate::text::node::How;
use crate::text::{Id, Node, Ref, Shelf, Target};

use super::official::{Official, OfficialNode, PrintedRef, Stop};

/// What a document and our nodes do not agree on. Empty lists are agreement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Differences {
    /// Clauses of the document that we do not have: id and line.
    pub missing: Vec<String>,
    /// Clauses of ours that the document does not have.
    pub extra: Vec<String>,
    /// Numbers printed otherwise than we say.
    pub printed: Vec<String>,
    /// References that differ.
    pub refs: Vec<String>,
    /// Terms: defined by the document and unknown to us, or said to be defined where the document has no such word.
    pub terms: Vec<String>,
    /// Examples: more or fewer marks in the document than we have.
    pub examples: Vec<String>,
}

impl Differences {
    /// The lists with their names, for reports.
    pub fn lists(&self) -> [(&'static str, &Vec<String>); 6] {
        [
            ("不足", &self.missing),
            ("余分", &self.extra),
            ("番号の違い", &self.printed),
            ("参照の違い", &self.refs),
            ("用語の違い", &self.terms),
            ("用例の違い", &self.examples),
        ]
    }

    pub fn is_empty(&self) -> bool {
        self.lists().iter().all(|(_, list)| list.is_empty())
    }
}

/// Compares `official` with the nodes of `shelf`.
pub fn compare(official: &Official, shelf: &Shelf) -> Differences {
    let ours: Vec<Node> = (0..shelf.lines().len()).map(|i| shelf.node(i)).collect();
    let by_id: HashMap<&Id, &Node> = ours.iter().map(|n| (&n.id, n)).collect();
    let theirs: HashMap<&Id, &OfficialNode> = official.nodes.iter().map(|n| (&n.id, n)).collect();
    let mut found = Differences::default();
    for node in &official.nodes {
        let Some(our) = by_id.get(&node.id) else {
            let title = node.title.as_deref().unwrap_or_default();
            found.missing.push(format!("{}（文書の{}行目 {title}）", node.id, node.line));
            continue;
        };
        if node.printed != our.printed {
            let show = |p: &Option<String>| p.clone().unwrap_or_else(|| "idと同じ".to_string());
            found.printed.push(format!("{}: 文書は{}、こちらは{}", node.id, show(&node.printed), show(&our.printed)));
        }
        found.refs.extend(refs(node, our));
        found.examples.extend(examples(node, our));
    }
    found.missing.extend(official.unknown.iter().map(|line| format!("{}行目の見出し「{}」", line.number, line.text)));
    found.extra = ours.iter().filter(|n| !theirs.contains_key(&n.id)).map(|n| n.id.to_string()).collect();
    found.terms = terms(official, shelf, &theirs, &by_id);
    found
}

/// Refuses what is not the document of this game, or only its beginning: at least half of the chapters that we know
/// must be there under their numbers and names.
pub fn belongs(official: &Official, shelf: &Shelf) -> Result<(), Stop> {
    let theirs: HashMap<&Id, &OfficialNode> = official.nodes.iter().map(|n| (&n.id, n)).collect();
    let chapters: Vec<usize> = (0..shelf.lines().len())
        .filter(|&i| shelf.line(i).parent.is_none() && shelf.line(i).title.is_some() && shelf.line(i).numbered())
        .collect();
    let there = |&&i: &&usize| {
        let title = theirs.get(&shelf.id(i)).and_then(|n| n.title.as_deref());
        title.is_some_and(|title| bare(title) == bare(shelf.line(i).title.unwrap_or_default()))
    };
    let found = chapters.iter().filter(there).count();
    if found * 2 >= chapters.len() {
        return Ok(());
    }
    let game = shelf.game.name();
    let message =
        format!("{game}の章が{}のうち{found}しかありません。別の文書か、途中で切れた文書です", chapters.len());
    Err(Stop { recognised: vec![format!("条文と見出し {}", official.nodes.len())], line: 0, message })
}

/// A reference as printed: `507.8`, `207.3〜207.4`, `p.36`.
fn as_printed(from: &str, until: Option<&str>) -> String {
    until.map_or(from.to_string(), |until| format!("{from}〜{until}"))
}

fn refs(official: &OfficialNode, our: &Node) -> Option<String> {
    let printed = |r: &PrintedRef| as_printed(&r.from, r.until.as_deref());
    let theirs: BTreeSet<String> = official.refs.iter().map(printed).collect();
    let ours: BTreeSet<String> = our.refs.iter().filter_map(our_print).collect();
    if theirs == ours {
        return None;
    }
    let list = |set: Vec<&String>| set.into_iter().cloned().collect::<Vec<_>>().join("、");
    let more = list(theirs.difference(&ours).collect());
    let less = list(ours.difference(&theirs).collect());
    let more = if more.is_empty() { String::new() } else { format!(" 文書だけにある: {more}") };
    let less = if less.is_empty() { String::new() } else { format!(" こちらだけにある: {less}") };
    Some(format!("{}（{}行目）{more}{less}", official.id, official.line))
}

/// How the document must have printed one of our references; `None` for those it makes without a number.
fn our_print(reference: &Ref) -> Option<String> {
    if !matches!(reference.how, How::Number | How::Page) {
        return None;
    }
    if let Some(printed) = &reference.printed {
        return Some(printed.clone());
    }
    match &reference.target {
        Target::Clause(id) => Some(id.clause.to_string()),
        Target::Range(a, b) => Some(as_printed(a.clause.as_str(), Some(b.clause.as_str()))),
        Target::Document(_) => None,
    }
}

/// Cases that we have split (`#1a`, `#1b`) are one mark in the document; unmarked ones are none.
fn examples(official: &OfficialNode, our: &Node) -> Option<String> {
    let marks: BTreeSet<String> = our
        .examples
        .iter()
        .filter(|e| !e.unmarked)
        .map(|e| e.id.example.trim_end_matches(|c: char| c.is_ascii_alphabetic()).to_string())
        .collect();
    let (theirs, ours) = (official.examples.len(), marks.len());
    (theirs != ours).then(|| format!("{}（{}行目） 文書に{theirs}、こちらに{ours}", official.id, official.line))
}

/// Our terms must stand where we say they are defined or used; terms that the document introduces must be ours.
fn terms(
    official: &Official,
    shelf: &Shelf,
    theirs: &HashMap<&Id, &OfficialNode>,
    ours: &HashMap<&Id, &Node>,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for term in shelf.terms() {
        let spellings = || std::iter::once(&term.term).chain(&term.synonyms);
        let clauses: Vec<&Id> = term.defined.iter().chain(&term.see).filter(|id| theirs.contains_key(id)).collect();
        let said = |id: &&Id| {
            // What the document's print or its scan has garbled is there as we read it.
            let mended = ours.get(id).into_iter().flat_map(|n| &n.misread).map(|m| bare(&m.read));
            let text = around(id, theirs, &official.nodes) + &mended.collect::<String>();
            spellings().any(|word| says(&text, word))
        };
        if !clauses.is_empty() && !clauses.iter().any(said) {
            found.push(format!("「{}」は {} に書かれていません", term.term, clauses[0]));
        }
        known.extend(spellings().map(|word| bare(word)));
    }
    let introduced = Regex::new(
        r"(?:を|は、?)[「『‘“]([^「」『』‘’“”。、～〜［\[（(⇒]{2,16})[」』’”]と(?:呼|いいます|言います|称し)",
    );
    let introduced = introduced.expect("a fixed pattern");
    for node in &official.nodes {
        for capture in introduced.captures_iter(&node.text) {
            if !known.contains(&bare(&capture[1])) {
                found.push(format!("「{}」を {} が定義していますが、用語にありません", &capture[1], node.id));
            }
        }
    }
    found
}

/// What the document says at a clause, above it in headings, and below it.
fn around(id: &Id, theirs: &HashMap<&Id, &OfficialNode>, nodes: &[OfficialNode]) -> String {
    let above = id.clause.ancestors().filter_map(|c| theirs.get(&Id::new(id.game, c))?.title.clone());
    let below = nodes.iter().filter(|n| n.id == *id || n.id.clause.ancestors().any(|a| a == id.clause));
    let text: String = below.flat_map(|n| n.title.iter().chain([&n.text]).chain(&n.examples)).cloned().collect();
    bare(&(above.collect::<String>() + &text))
}

/// Whether a text has a word, be it inflected: every run of it that is not hiragana is there.
fn says(text: &str, word: &str) -> bool {
    let word = bare(word);
    let runs = word.split(|c| matches!(c, 'ぁ'..='ゖ')).filter(|run| !run.is_empty());
    text.contains(&word)
        || word.chars().any(|c| !matches!(c, 'ぁ'..='ゖ')) && runs.into_iter().all(|run| text.contains(run))
}

/// Without width, blanks, brackets and middle dots, which documents use freely.
fn bare(text: &str) -> String {
    text.nfkc().filter(|c| c.is_alphanumeric() || matches!(c, 'ー' | '∞')).collect::<String>().to_lowercase()
}
