//! Boards: every ruling with its cards written into it, changed at random.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use saitei::desk::Desk;
use saitei::scenario::{Case, Ready, Scenario, Store, WhatIf, check, explore_all};
use saitei::text::Library;

use super::tree::Tree;
use super::{Dice, Findings, keep, printed, root, scratch, tried};

/// What boards are made from.
pub struct Corpus {
    boards: Vec<Board>,
    /// By game: what stands under a key somewhere, and all words.
    under: BTreeMap<String, BTreeMap<String, Vec<Tree>>>,
    words: BTreeMap<String, Vec<String>>,
}

#[derive(Clone)]
pub struct Board {
    pub game: String,
    pub path: PathBuf,
    pub tree: Tree,
}

impl Corpus {
    pub fn open() -> Corpus {
        let (paths, _) = saitei::stock::files::tree(&root().join("rulings"));
        let mut boards = Vec::new();
        let mut cards: BTreeMap<String, Vec<(String, Tree)>> = BTreeMap::new();
        for path in paths {
            let within = path.strip_prefix(root().join("rulings")).unwrap_or(&path);
            let game = within.iter().next().unwrap_or_default().to_string_lossy().into_owned();
            let Some(tree) = std::fs::read_to_string(&path).ok().and_then(|text| Tree::read(&text)) else { continue };
            match tree.get("cards") {
                Some(Tree::List(list)) if within.iter().any(|part| part == "cards") => {
                    let named = list.iter().filter_map(|card| match card.get("name") {
                        Some(Tree::Text(name)) => Some((name.clone(), card.clone())),
                        _ => None,
                    });
                    cards.entry(game).or_default().extend(named);
                }
                _ => boards.push(Board { game, path: within.to_path_buf(), tree }),
            }
        }
        let mut corpus = Corpus { boards: Vec::new(), under: BTreeMap::new(), words: BTreeMap::new() };
        for mut board in boards {
            let cards = cards.get(&board.game).map_or(&[][..], Vec::as_slice);
            inline(&mut board, cards);
            corpus.learn(&board);
            corpus.boards.push(board);
        }
        corpus
    }

    fn learn(&mut self, board: &Board) {
        let under = self.under.entry(board.game.clone()).or_default();
        let words = self.words.entry(board.game.clone()).or_default();
        board.tree.visit("", &mut |key, tree| {
            under.entry(key.to_string()).or_default().push(tree.clone());
            if let Tree::Text(text) = tree {
                words.push(text.clone());
            }
        });
    }

    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// Something else that stands under the same key somewhere in the game.
    pub fn another(&self, game: &str, key: &str, than: &Tree) -> Option<Tree> {
        let same = |other: &&Tree| std::mem::discriminant(*other) == std::mem::discriminant(than) && *other != than;
        self.under.get(game)?.get(key)?.iter().find(same).cloned()
    }

    pub fn pick(&self, dice: &mut Dice) -> Board {
        dice.pick(&self.boards).clone()
    }

    /// A board with a few changes.
    pub fn hostile(&self, dice: &mut Dice) -> Board {
        let mut board = self.pick(dice);
        for _ in 0..2 + dice.roll(8) {
            let before = board.clone();
            self.change(&mut board, dice);
            // Most of what is odd is refused when it is read, and goes no deeper: now and then that is wanted too.
            if dice.roll(8) > 0 && Scenario::load(&path(&board), &board.tree.file()).is_err() {
                board = before;
            }
        }
        board
    }

    fn change(&self, board: &mut Board, dice: &mut Dice) {
        let (under, words) = (&self.under[&board.game], &self.words[&board.game]);
        // Cards do more than boards say.
        let part = if dice.chance(2) { "cards" } else { *dice.pick(&["given", "play", "vary", "explore", ""]) };
        let whole = board.tree.get(part).is_none();
        let tree = if whole { &mut board.tree } else { board.tree.get_mut(part).expect("it is there") };
        let size = tree.size();
        let Some((key, node)) = tree.nth(dice.roll(size).max(usize::from(whole))) else { return };
        match dice.roll(16) {
            // What stands under the same key elsewhere fits, and means something else.
            0..=6 => {
                if let Some(others) = under.get(&key).filter(|o| !o.is_empty()) {
                    *node = dice.pick(others).clone();
                }
            }
            7 => *node = Tree::Text(dice.pick(words).clone()),
            8..=11 => extreme(node, dice),
            12 => remove(node, dice),
            13 => repeat(node, dice),
            14 => *node = odd(dice),
            _ => inject(node, dice),
        }
    }
}

/// Writes the cards that a board names into it, and those that they name.
fn inline(board: &mut Board, cards: &[(String, Tree)]) {
    let mut own: Vec<Tree> = match board.tree.get("cards") {
        Some(Tree::List(list)) => list.clone(),
        _ => Vec::new(),
    };
    let mut named: Vec<String> = Vec::new();
    let mut seen = 0;
    loop {
        let mut words = Vec::new();
        let note = &mut |_: &str, tree: &Tree| {
            if let Tree::Text(text) = tree {
                words.push(text.clone());
            }
        };
        if seen == 0 {
            board.tree.visit("", note);
        }
        own[seen.min(own.len())..].iter().for_each(|card| card.visit("", note));
        seen = own.len();
        for (name, card) in cards {
            if words.contains(name) && !named.contains(name) {
                named.push(name.clone());
                own.push(card.clone());
            }
        }
        if own.len() == seen {
            break;
        }
    }
    let Tree::Map(pairs) = &mut board.tree else { return };
    pairs.retain(|(key, _)| key != "cards" && key != "game");
    pairs.insert(0, ("game".to_string(), Tree::Text(board.game.clone())));
    if !own.is_empty() {
        pairs.insert(2.min(pairs.len()), ("cards".to_string(), Tree::List(own)));
    }
}

const EXTREMES: [i128; 18] = [
    0,
    1,
    -1,
    2,
    7,
    100,
    255,
    256,
    5_000,
    65_535,
    65_536,
    1_000_000_000,
    i32::MAX as i128,
    i32::MIN as i128,
    i32::MAX as i128 + 1,
    u32::MAX as i128,
    i64::MAX as i128,
    u64::MAX as i128,
];

fn extreme(node: &mut Tree, dice: &mut Dice) {
    match node {
        Tree::Number(n) => *n = *dice.pick(&EXTREMES),
        // 「青1無色2」
        Tree::Text(text) if text.contains(|c: char| c.is_ascii_digit()) => {
            let n = dice.pick(&EXTREMES).to_string();
            let digits = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
            let rest = text[digits..].trim_start_matches(|c: char| c.is_ascii_digit()).to_string();
            *text = format!("{}{n}{rest}", &text[..digits]);
        }
        Tree::List(items) => items.iter_mut().for_each(|item| extreme(item, dice)),
        Tree::Map(pairs) => pairs.iter_mut().for_each(|(_, value)| {
            if dice.chance(2) {
                extreme(value, dice);
            }
        }),
        _ => {}
    }
}

fn remove(node: &mut Tree, dice: &mut Dice) {
    match node {
        Tree::List(items) if !items.is_empty() => drop(items.remove(dice.roll(items.len()))),
        Tree::Map(pairs) if !pairs.is_empty() => drop(pairs.remove(dice.roll(pairs.len()))),
        other => *other = Tree::Null,
    }
}

fn repeat(node: &mut Tree, dice: &mut Dice) {
    let times = *dice.pick(&[1, 2, 5, 30]);
    match node {
        Tree::List(items) if !items.is_empty() => {
            let item = items[dice.roll(items.len())].clone();
            items.extend(std::iter::repeat_n(item, times));
        }
        Tree::List(_) => {}
        other => *other = Tree::List(vec![other.clone(); times]),
    }
}

fn odd(dice: &mut Dice) -> Tree {
    match dice.roll(7) {
        0 => Tree::Null,
        1 => Tree::Bool(true),
        2 => Tree::List(Vec::new()),
        3 => Tree::Map(Vec::new()),
        4 => Tree::Text(String::new()),
        5 => Tree::Number(*dice.pick(&EXTREMES)),
        _ => Tree::Text("長".repeat(5_000)),
    }
}

pub const CONTROL: [&str; 8] = ["\u{1b}]0;x\u{7}", "\u{1b}[2J", "\u{9b}31m", "\r", "\u{8}", "\0", "\u{7f}", "\u{202e}"];

/// Control characters in a text, or in a key.
fn inject(node: &mut Tree, dice: &mut Dice) {
    let control = *dice.pick(&CONTROL);
    match node {
        Tree::Text(text) => text.push_str(control),
        Tree::Map(pairs) if !pairs.is_empty() => {
            let at = dice.roll(pairs.len());
            pairs[at].0.push_str(control);
        }
        other => *other = Tree::Text(control.to_string()),
    }
}

fn path(board: &Board) -> PathBuf {
    Path::new("rulings").join(&board.path)
}

/// The library, packed once.
fn library() -> Library {
    static PACKED: std::sync::OnceLock<&'static [u8]> = std::sync::OnceLock::new();
    Library::open(PACKED.get_or_init(|| {
        let (drafts, problems) = saitei::stock::rules::load(root());
        assert!(problems.is_empty(), "{problems:?}");
        saitei::text::library::pack(&drafts).leak()
    }))
}

/// Everything that can be done with a board.
pub fn run(board: &Board, options: &WhatIf) -> Result<(), String> {
    let text = board.tree.file();
    let said = tried(|| {
        let Ok(scenario) = Scenario::load(&path(board), &text) else { return Vec::new() };
        let store = Store::default();
        let mut said = check(&scenario, &store).failures;
        let desk = Desk { scenario: &scenario, store: &store, library: &library() };
        match desk.page(options, true) {
            Ok(page) => drop(serde_json::to_string(&page)),
            Err(notes) => said.extend(notes),
        }
        if scenario.file.explore.is_some()
            && let Ok(ready) = Ready::new(&scenario, &store, &Case::of(&scenario))
        {
            scenario.anew();
            let _ = explore_all(&ready, None);
        }
        said
    })?;
    // What was caught at the border of a run is a fault all the same.
    match said.iter().find(|note| note.text.contains("不具合")) {
        Some(note) => {
            let place = note.text.split_once('（').and_then(|(_, rest)| rest.split_once('）')).map_or("", |(p, _)| p);
            Err(format!("panic {}", super::short(place)))
        }
        None => Ok(()),
    }
}

pub fn boards(n: usize, seed: u64) -> Findings {
    let corpus = Corpus::open();
    let mut dice = Dice(seed);
    let mut findings = Findings::default();
    for i in 0..n {
        let board = corpus.hostile(&mut dice);
        keep("board.yaml", board.tree.file().as_bytes());
        if let Err(what) = run(&board, &WhatIf::default()) {
            findings.add(&what, || smallest(board.clone(), &what, &|b| run(b, &WhatIf::default())).tree.file());
        }
        // What is printed is looked at now and then: starting the program takes longer than all of the above.
        if i % 50 == 0 {
            let file = scratch("printed.yaml", board.tree.file().as_bytes());
            let file = file.to_string_lossy();
            for args in
                [&["run", &file][..], &["run", "--json", &file], &["check", &file], &["run", "--explore", &file]]
            {
                if let Err(what) = printed(args) {
                    findings.add(&format!("{} {what}", args[..args.len() - 1].join(" ")), || board.tree.file());
                }
            }
        }
    }
    findings
}

/// Takes away what can be taken away while the same is found.
fn smallest(mut board: Board, what: &str, run: &dyn Fn(&Board) -> Result<(), String>) -> Board {
    // Slow ones would take forever.
    let tries = if what.starts_with("panic") { 1_500 } else { 0 };
    let kind = |what: &str| what.split(" (").next().unwrap_or_default().to_string();
    let mut dice = Dice(1);
    for _ in 0..tries {
        let mut less = board.clone();
        let size = less.tree.size();
        let Some((_, node)) = less.tree.nth(dice.roll(size)) else { continue };
        remove(node, &mut dice);
        if run(&less).is_err_and(|found| kind(&found) == kind(what)) {
            board = less;
        }
    }
    board
}
