//! The data as its files have them, each item with its place, before it is packed.

use std::path::{Path, PathBuf};

use super::ask::{Ask, Words};
use super::document::{Concept, Document, Entry, Reading, Term};
use super::game::Game;
use super::node::Node;
use super::ruling::{CardName, Ruling};
use super::yaml::{Placed, Problem};

/// All data as its files have it, each item with its place.
#[derive(Debug)]
pub struct Drafts {
    /// In the order of [`Game::ALL`].
    pub games: Vec<Draft>,
    pub concepts: Vec<Placed<Concept>>,
    /// How search treats words.
    pub words: Option<Placed<Words>>,
}

/// The data of one game.
#[derive(Debug)]
pub struct Draft {
    pub game: Game,
    pub document: Option<Placed<Document>>,
    /// The files with their nodes, in document order.
    pub chapters: Vec<ChapterFile>,
    pub terms: Vec<Placed<Term>>,
    pub readings: Vec<Placed<Reading>>,
    pub history: Vec<Placed<Entry>>,
    /// What people type, for search.
    pub asks: Vec<Placed<Ask>>,
    /// The heads of the scenarios, by path.
    pub rulings: Vec<Ruling>,
    pub cards: Vec<CardName>,
}

#[derive(Debug)]
pub struct ChapterFile {
    pub path: PathBuf,
    /// The file's name: the clause it opens with.
    pub stem: String,
    pub nodes: Vec<Placed<Node>>,
}

impl Draft {
    /// All nodes in document order.
    pub fn nodes(&self) -> impl Iterator<Item = &Placed<Node>> {
        self.chapters.iter().flat_map(|c| &c.nodes)
    }
}

/// A problem of a whole file.
pub fn whole(path: &Path, message: &str) -> Problem {
    Problem { file: path.to_path_buf(), line: 0, column: 0, excerpt: String::new(), message: message.to_string() }
}
