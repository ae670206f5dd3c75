//! The contents of a document.

use serde_json::{Value, json};

use crate::text::Shelf;

/// 「条文と見出し 894、用例 47、用語 210」
pub fn counts(shelf: &Shelf) -> String {
    let lines = shelf.lines();
    let numbered = lines.iter().filter(|l| l.numbered()).count();
    let ours = lines.len() - numbered;
    let examples: usize = (0..lines.len()).map(|i| shelf.node(i).examples.len()).sum();
    let ours = if ours > 0 { format!("（ほかに番号のないもの {ours}）") } else { String::new() };
    let readings = shelf.readings().len();
    format!("条文と見出し {numbered}{ours}、用例 {examples}、用語 {}、読み方 {readings}", shelf.terms().len())
}

/// Every line of the outline, as programs read it.
pub fn json(shelf: &Shelf) -> Vec<Value> {
    let row = |(index, line): (usize, &crate::text::Line)| {
        json!({
            "id": shelf.id(index),
            "game": shelf.game.code(),
            "printed": line.printed,
            "aliases": line.aliases,
            "title": line.title,
            "kind": line.kind,
            "depth": line.depth,
        })
    };
    shelf.lines().iter().enumerate().map(row).collect()
}
