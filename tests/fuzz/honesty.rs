//! `cargo bench --bench honesty [-- game]`: each datum, word and step of each ruling's cards, board and script is changed
//! in turn. A change must alter what comes of it, or be refused; what alters nothing is counted by where it stands and a
//! sample is printed, to be explained or mended.

#[path = "mod.rs"]
mod fuzz;

use std::collections::BTreeMap;

use fuzz::boards::{Board, Corpus};
use fuzz::tree::Tree;
use saitei::scenario::{Scenario, Store, holds};

/// Keys that describe or expect, and do nothing.
const DESCRIBES: [&str; 12] = [
    "name",
    "from",
    "inferred",
    "unencoded",
    "text",
    "at",
    "expect",
    "legal",
    "zone",
    "controller",
    "priority",
    "phase",
];

/// What became of a change.
#[derive(Default)]
struct Count {
    altered: usize,
    refused: usize,
    nothing: usize,
    sample: Vec<String>,
}

fn main() {
    let wanted = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    let corpus = Corpus::open();
    let store = Store::default();
    let mut by_game: BTreeMap<String, BTreeMap<String, Count>> = BTreeMap::new();
    let is_wanted = |b: &&Board| wanted.as_ref().is_none_or(|w| *w == b.game);
    for board in corpus.boards().iter().filter(is_wanted) {
        if !comes_out(board, &board.tree, &store).unwrap_or(false) {
            continue;
        }
        if std::env::var_os("BOARDS").is_some() {
            eprintln!("{}", board.path.display());
        }
        let counts = by_game.entry(board.game.clone()).or_default();
        for section in ["given", "play", "cards"] {
            each_change(&corpus, board, section, &mut |key, what, changed| {
                let count = counts.entry(format!("{section} {}", kind(key))).or_default();
                match comes_out(board, changed, &store) {
                    None => count.refused += 1,
                    Some(false) => count.altered += 1,
                    Some(true) => {
                        count.nothing += 1;
                        if count.nothing % 37 == 1 && count.sample.len() < 6 {
                            count.sample.push(format!("{}: {key}: {what}", board.path.display()));
                        }
                    }
                }
            });
        }
    }
    for (game, counts) in &by_game {
        let sum = |of: fn(&Count) -> usize| counts.values().map(of).sum::<usize>();
        let (altered, refused, nothing) = (sum(|c| c.altered), sum(|c| c.refused), sum(|c| c.nothing));
        println!(
            "{game}: 変更 {}、結果が変わる {altered}、読み込みで拒む {refused}、変わらない {nothing}",
            altered + refused + nothing
        );
        for (place, count) in counts.iter().filter(|(_, c)| c.nothing > 0) {
            println!("  {place}: 変わる {}、拒む {}、変わらない {}", count.altered, count.refused, count.nothing);
            count.sample.iter().for_each(|line| println!("    {line}"));
        }
    }
}

/// The board comes out as its file says; `None`: it cannot be read.
fn comes_out(board: &Board, tree: &Tree, store: &Store) -> Option<bool> {
    let scenario = Scenario::load(&board.path, &tree.file()).ok()?;
    Some(holds(&scenario, store))
}

/// Numbers and words are told apart by the key under which they stand; labels are no keys of ours.
fn kind(key: &str) -> &str {
    if key.is_ascii() && !key.is_empty() { key } else { "（名・ゾーン・データ）" }
}

/// Every change of a number or word, and every part left out, one at a time.
fn each_change(corpus: &Corpus, board: &Board, section: &str, see: &mut dyn FnMut(&str, String, &Tree)) {
    let Some(size) = board.tree.get(section).map(Tree::size) else { return };
    for n in 1..size {
        let mut changed = board.tree.clone();
        let Some((key, node)) = changed.get_mut(section).and_then(|s| s.nth(n)) else { continue };
        // What only describes a card is no part of it.
        if DESCRIBES.contains(&key.as_str()) {
            continue;
        }
        let old = node.flow();
        let new = match node {
            Tree::Number(n) => Some(Tree::Number(*n + 1)),
            Tree::Bool(b) => Some(Tree::Bool(!*b)),
            Tree::Text(_) => corpus.another(&board.game, &key, node),
            _ => None,
        };
        if let Some(new) = new {
            let what = format!("{old} → {}", new.flow());
            *node = new;
            see(&key, what, &changed);
            continue;
        }
        let parts = match node {
            Tree::Map(pairs) => pairs.len(),
            _ => 0,
        };
        for part in 0..parts {
            let mut less = board.tree.clone();
            if let Some((_, Tree::Map(pairs))) = less.get_mut(section).and_then(|s| s.nth(n)) {
                let (gone, _) = pairs.remove(part);
                // What says where a card is from, and what a script expects, do nothing.
                if DESCRIBES.contains(&gone.as_str()) {
                    continue;
                }
                see(&gone, "省く".to_string(), &less);
            }
        }
    }
}
