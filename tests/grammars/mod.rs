//! What the tests of the grammars share.
#![allow(dead_code)] // Each test binary uses its own part.

use std::collections::HashSet;
use std::path::Path;

use proptest::sample::Index;
use saitei::import::{Official, OfficialNode, SourceLine, Stop};

pub type Grammar = fn(&[SourceLine]) -> Result<Official, Stop>;

pub fn lines(text: &str) -> Vec<SourceLine> {
    text.split('\n').enumerate().map(|(i, line)| SourceLine { number: i + 1, text: line.to_string() }).collect()
}

pub fn read_text(grammar: Grammar, text: &str) -> Result<Official, Stop> {
    grammar(&lines(text))
}

/// The publisher's document, where the reader's copy is at hand.
pub fn source(game: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/sources").join(format!("{game}.txt"));
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("not run: {} is not here", path.display());
    }
    text
}

pub fn node<'a>(official: &'a Official, clause: &str) -> &'a OfficialNode {
    official.nodes.iter().find(|n| n.id.clause.as_str() == clause).unwrap_or_else(|| panic!("no {clause}"))
}

pub fn numbers(official: &Official) -> Vec<&str> {
    official.nodes.iter().map(|n| n.id.clause.as_str()).collect()
}

/// The numbers of the nodes that have a title.
pub fn titles(official: &Official) -> Vec<&str> {
    official.nodes.iter().filter(|n| n.title.is_some()).map(|n| n.id.clause.as_str()).collect()
}

/// `103.5 104.5` for a clause that is not printed under its own number.
pub fn misprints(official: &Official) -> Vec<String> {
    official.nodes.iter().filter_map(|n| Some(format!("{} {}", n.id.clause, n.printed.as_ref()?))).collect()
}

pub fn examples(official: &Official) -> Vec<String> {
    official.nodes.iter().flat_map(|n| n.examples.iter().map(move |e| format!("{} {e}", n.id.clause))).collect()
}

/// `2.10.3: 2.10.1..2.10.3`
pub fn references(official: &Official) -> Vec<String> {
    let show = |n: &OfficialNode| -> Vec<String> {
        let until = |until: &Option<String>| until.as_ref().map(|u| format!("..{u}")).unwrap_or_default();
        n.refs.iter().map(|r| format!("{}: {}{}", n.id.clause, r.from, until(&r.until))).collect()
    };
    official.nodes.iter().flat_map(show).collect()
}

pub fn no_number_twice(official: &Official) {
    let mut seen = HashSet::new();
    for node in &official.nodes {
        assert!(seen.insert(&node.id), "{} stands twice", node.id);
    }
}

/// A decoder may trim its lines: paragraphs suffer, numbers and references must not.
pub fn trailing_blanks_are_only_a_hint(grammar: Grammar, text: &str) {
    let trimmed: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    let (whole, trimmed) = (read_text(grammar, text).expect("whole"), read_text(grammar, &trimmed).expect("trimmed"));
    assert_eq!(numbers(&whole), numbers(&trimmed));
    assert_eq!(references(&whole), references(&trimmed));
    assert_eq!(examples(&whole).len(), examples(&trimmed).len());
}

/// A document with lines lost, doubled, moved, cut, joined or garbled.
pub fn damaged(text: &str, cuts: &[(Index, u8, Index)]) -> Vec<SourceLine> {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for (place, kind, other) in cuts {
        if lines.len() < 2 {
            break;
        }
        let (place, other) = (place.index(lines.len()), other.index(lines.len()));
        match kind {
            0 => drop(lines.remove(place)),
            1 => lines.insert(other, lines[place].clone()),
            2 => lines.swap(place, other),
            3 => lines[place] = lines[place].chars().take(other % 8).collect(),
            4 => lines[place] = format!("{}{}", lines[place], lines[other]),
            _ => lines[place] = lines[place].chars().rev().collect(),
        }
    }
    lines.into_iter().enumerate().map(|(i, text)| SourceLine { number: i + 1, text }).collect()
}
