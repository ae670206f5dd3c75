//! The rules as a program reads them: packed once, each part unpacked only when it is asked for.
//!
//! A lookup must feel like grep, so nothing here parses YAML: the build script packs the drafts into bytes that
//! stand in the binary, and `--data DIR` packs a working tree in memory. What can be derived (parents, depth, what
//! refers to a clause) is derived while packing and never stored in the YAML.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::alike::Alike;
use super::ask::Words;
use super::clause::{Clause, Id, Step, has_steps};
use super::document::{Concept, Document, Entry, Reading, Term};
use super::game::Game;
use super::lexicon::Lexicon;
use super::node::{How, Kind, Node, Ref, references_in};
use super::packed::Packed;
use super::ruling::{CardName, Ruling};

pub use super::pack::pack;

/// A line of the outline: what is known of a node without unpacking it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Line<'a> {
    pub clause: &'a str,
    pub printed: Option<&'a str>,
    #[serde(borrow)]
    pub aliases: Vec<&'a str>,
    pub title: Option<&'a str>,
    pub kind: Kind,
    /// Has a text of its own.
    pub stated: bool,
    pub parent: Option<u16>,
    pub depth: u8,
    /// The printed page on which it begins, where the document tells.
    pub page: Option<u16>,
}

impl Line<'_> {
    /// Numbers that find this line: its own, the printed one, the aliases.
    pub fn numbers(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.clause).chain(self.printed).chain(self.aliases.iter().copied())
    }

    /// Stands in the document under a number of its own. What we had to number ourselves does not.
    pub fn numbered(&self) -> bool {
        self.printed != Some(UNNUMBERED)
    }
}

/// What `printed:` says of a clause that has no number in the document.
pub const UNNUMBERED: &str = "番号なし";

/// Where each part of a game is packed.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Parts {
    pub(super) document: (u32, u32),
    pub(super) outline: (u32, u32),
    pub(super) nodes: (u32, u32),
    pub(super) about: (u32, u32),
    pub(super) terms: (u32, u32),
    pub(super) readings: (u32, u32),
    pub(super) history: (u32, u32),
    pub(super) asks: (u32, u32),
    pub(super) lexicon: (u32, u32),
    pub(super) rulings: (u32, u32),
    pub(super) alike: (u32, u32),
    pub(super) cards: (u32, u32),
}

/// What hangs on a clause, by the places of its outline, glossary, readings and history.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct About {
    pub(super) cited_by: Vec<u16>,
    pub(super) defines: Vec<u16>,
    pub(super) readings: Vec<u16>,
    pub(super) entries: Vec<u16>,
    pub(super) rulings: Vec<u16>,
}

/// The head of a packed library.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) games: Vec<Parts>,
    pub(super) concepts: (u32, u32),
    pub(super) words: (u32, u32),
}

/// All games.
pub struct Library {
    shelves: Vec<Shelf>,
    bytes: &'static [u8],
    concepts: (u32, u32),
    words_part: (u32, u32),
    words: OnceLock<Words>,
}

/// One game's document.
pub struct Shelf {
    pub game: Game,
    bytes: &'static [u8],
    parts: Parts,
    document: OnceLock<Document>,
    lines: OnceLock<Vec<Line<'static>>>,
    terms: OnceLock<Vec<Term>>,
    readings: OnceLock<Vec<Reading>>,
    history: OnceLock<Vec<Entry>>,
}

impl Library {
    /// Opens packed bytes. They come from [`pack`], in this binary or in this process, so damage is a bug.
    pub fn open(bytes: &'static [u8]) -> Library {
        let size = u32::from_le_bytes(bytes[..4].try_into().expect("a packed library")) as usize;
        let head: Head = postcard::from_bytes(&bytes[4..4 + size]).expect("a packed library");
        let shelf = |(game, parts)| Shelf {
            game,
            bytes,
            parts,
            document: OnceLock::new(),
            lines: OnceLock::new(),
            terms: OnceLock::new(),
            readings: OnceLock::new(),
            history: OnceLock::new(),
        };
        let shelves = Game::ALL.into_iter().zip(head.games).map(shelf).collect();
        Library { shelves, bytes, concepts: head.concepts, words_part: head.words, words: OnceLock::new() }
    }

    pub fn shelf(&self, game: Game) -> &Shelf {
        &self.shelves[game.index()]
    }

    /// Concepts across games.
    pub fn concepts(&self) -> Vec<Concept> {
        Packed::new(self.part(self.concepts)).iter().map(unpack_json).collect()
    }

    /// One concept, by its place among them.
    pub fn concept(&self, place: usize) -> Concept {
        one_json(self.part(self.concepts), place)
    }

    /// How search treats words.
    pub fn words(&self) -> &Words {
        self.words.get_or_init(|| unpack(self.part(self.words_part)))
    }

    /// All that was packed: what is built from a library is kept under a name made of this.
    pub fn bytes(&self) -> &'static [u8] {
        self.bytes
    }

    fn part(&self, (start, end): (u32, u32)) -> &'static [u8] {
        &self.bytes[start as usize..end as usize]
    }

    pub fn shelves(&self) -> impl Iterator<Item = &Shelf> {
        self.shelves.iter()
    }
}

impl Shelf {
    fn part(&self, (start, end): (u32, u32)) -> &'static [u8] {
        &self.bytes[start as usize..end as usize]
    }

    pub fn document(&self) -> &Document {
        self.document.get_or_init(|| unpack_json(self.part(self.parts.document)))
    }

    /// The outline, in document order. Nodes are named by their place in it.
    pub fn lines(&self) -> &[Line<'static>] {
        self.lines.get_or_init(|| Packed::new(self.part(self.parts.outline)).iter().map(unpack).collect())
    }

    /// One line of the outline, without unpacking the others.
    pub fn line(&self, index: usize) -> Line<'static> {
        unpack(item(self.part(self.parts.outline), index))
    }

    pub fn terms(&self) -> &[Term] {
        self.terms.get_or_init(|| self.all(self.parts.terms))
    }

    /// One term, without unpacking the others.
    pub fn term(&self, place: usize) -> Term {
        one_json(self.part(self.parts.terms), place)
    }

    pub fn readings(&self) -> &[Reading] {
        self.readings.get_or_init(|| self.all(self.parts.readings))
    }

    /// One reading, without unpacking the others.
    pub fn reading(&self, place: usize) -> Reading {
        one_json(self.part(self.parts.readings), place)
    }

    pub fn history(&self) -> &[Entry] {
        self.history.get_or_init(|| self.all(self.parts.history))
    }

    /// One entry of the history, without unpacking the others.
    pub fn entry(&self, place: usize) -> Entry {
        one_json(self.part(self.parts.history), place)
    }

    fn all<T: for<'a> Deserialize<'a>>(&self, part: (u32, u32)) -> Vec<T> {
        Packed::new(self.part(part)).iter().map(unpack_json).collect()
    }

    /// Every word that leads to a term.
    pub fn lexicon(&self) -> Lexicon {
        Lexicon::new(self.part(self.parts.lexicon))
    }

    /// What people type when each clause is the answer, in the order of the outline.
    pub fn asks(&self) -> Vec<Vec<&'static str>> {
        unpack(self.part(self.parts.asks))
    }

    pub fn node(&self, index: usize) -> Node {
        one_json(self.part(self.parts.nodes), index)
    }

    pub fn id(&self, index: usize) -> Id {
        let clause = Clause::new(self.line(index).clause).expect("a packed library");
        Id::new(self.game, clause)
    }

    /// The node with exactly this id.
    pub fn position(&self, clause: &Clause) -> Option<usize> {
        self.lines().iter().position(|line| line.clause == clause.as_str())
    }

    /// Every node that a number of these steps can mean: `702.6` is never `702.60`.
    pub fn find(&self, wanted: &[Step]) -> Vec<usize> {
        let matches = |line: &Line| line.numbers().any(|n| has_steps(n, wanted));
        let mut found: Vec<usize> = (0..self.lines().len()).filter(|&i| matches(&self.lines()[i])).collect();
        // The node whose own number it is comes first.
        found.sort_by_key(|&i| !has_steps(self.lines()[i].clause, wanted));
        found
    }

    /// The headings above a node, outermost first.
    pub fn path(&self, index: usize) -> Vec<usize> {
        let up = |&i: &usize| self.line(i).parent.map(usize::from);
        let mut path: Vec<usize> = std::iter::successors(up(&index), up).collect();
        path.reverse();
        path
    }

    /// Where it is printed, as readers of a document with parts and pages know it: 「上級編 p.71」. Pages are known where
    /// sections begin; what stands in a section is on its page or one up to where the next begins.
    pub fn printed_at(&self, index: usize) -> Option<String> {
        let page = |i: usize| self.line(i).page;
        let top = |i: usize| self.path(i).first().copied().unwrap_or(i);
        let within = |i: &usize| top(*i) == top(index);
        let begins = (0..=index).rev().take_while(within).find_map(page)?;
        let next = (index + 1..self.lines().len()).take_while(within).find_map(page);
        let title = self.line(top(index)).title.unwrap_or_default();
        let part = title.split([' ', '・']).next().unwrap_or_default();
        Some(match next {
            _ if page(index).is_some() => format!("{part} p.{begins}"),
            Some(next) if next <= begins => format!("{part} p.{begins}"),
            Some(next) => format!("{part} p.{begins}〜{next}"),
            None => format!("{part} p.{begins}から"),
        })
    }

    pub fn children(&self, index: usize) -> Vec<usize> {
        let parent = Some(index as u16);
        (0..self.lines().len()).filter(|&i| self.lines()[i].parent == parent).collect()
    }

    /// A node and all below it, in document order.
    pub fn tree(&self, index: usize) -> Vec<usize> {
        let lines = self.lines();
        let up = |&i: &usize| lines[i].parent.map(usize::from);
        (0..lines.len()).filter(|&i| std::iter::successors(Some(i), up).any(|i| i == index)).collect()
    }

    fn about(&self, index: usize) -> About {
        unpack(item(self.part(self.parts.about), index))
    }

    /// The nodes that refer to this one.
    pub fn cited_by(&self, index: usize) -> Vec<usize> {
        self.about(index).cited_by.into_iter().map(usize::from).collect()
    }

    /// The terms that this clause defines.
    pub fn defined_at(&self, index: usize) -> Vec<Term> {
        self.about(index).defines.into_iter().map(|place| self.term(place.into())).collect()
    }

    /// The readings in which this clause competes.
    pub fn readings_of(&self, index: usize) -> Vec<Reading> {
        self.about(index).readings.into_iter().map(|place| self.reading(place.into())).collect()
    }

    /// The entries of the history that touch this clause.
    pub fn entries_of(&self, index: usize) -> Vec<Entry> {
        self.about(index).entries.into_iter().map(|place| self.entry(place.into())).collect()
    }

    /// The scenarios in which this clause decides, or that reproduce its examples.
    pub fn rulings_of(&self, index: usize) -> Vec<Ruling> {
        self.about(index).rulings.into_iter().map(|place| self.ruling(place.into())).collect()
    }

    /// How many rulings name a clause.
    pub fn ruled(&self, index: usize) -> usize {
        self.about(index).rulings.len()
    }

    pub fn rulings(&self) -> Vec<Ruling> {
        self.all(self.parts.rulings)
    }

    /// One scenario, without unpacking the others.
    pub fn ruling(&self, place: usize) -> Ruling {
        one_json(self.part(self.parts.rulings), place)
    }

    /// Which scenarios a question is like.
    pub fn alike(&self) -> Alike {
        postcard::from_bytes(self.part(self.parts.alike)).expect("a packed library")
    }

    pub fn cards(&self) -> Vec<CardName> {
        self.all(self.parts.cards)
    }

    /// One card, without unpacking the others.
    pub fn card(&self, place: usize) -> CardName {
        one_json(self.part(self.parts.cards), place)
    }

    /// The terms that a text uses: the longest at each place.
    pub fn terms_in(&self, text: &str) -> Vec<&Term> {
        let mut used: Vec<&Term> = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let spelled = |t: &Term| {
                std::iter::once(&t.term)
                    .chain(&t.synonyms)
                    .filter(|w| rest.starts_with(w.as_str()))
                    .map(|w| w.len())
                    .max()
            };
            let longest = self.terms().iter().filter_map(|t| Some((spelled(t)?, t))).max_by_key(|(length, _)| *length);
            match longest {
                Some((length, term)) => {
                    if !used.iter().any(|t| std::ptr::eq(*t, term)) {
                        used.push(term);
                    }
                    rest = &rest[length..];
                }
                None => rest = &rest[first.len_utf8()..],
            }
        }
        used
    }
}

impl Node {
    /// Its references: those listed, and those that only the text makes.
    pub fn links(&self) -> Vec<Ref> {
        let mut links = self.refs.clone();
        for (_, id) in self.text.iter().flat_map(|t| references_in(t)) {
            if !links.iter().any(|r| r.ends().any(|end| *end == id)) {
                links.push(Ref { how: How::Name, ..Ref::to(id) });
            }
        }
        links
    }
}

fn unpack<T: Deserialize<'static>>(bytes: &'static [u8]) -> T {
    postcard::from_bytes(bytes).expect("a packed library")
}

fn unpack_json<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> T {
    serde_json::from_slice(bytes).expect("a packed library")
}

fn item(list: &'static [u8], place: usize) -> &'static [u8] {
    Packed::new(list).get(place).expect("a place in a packed library")
}

fn one_json<T: for<'a> Deserialize<'a>>(list: &'static [u8], place: usize) -> T {
    unpack_json(item(list, place))
}
