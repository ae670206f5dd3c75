//! The rules as a program reads them: packed once, each part unpacked only when it is asked for.
//!
//! A lookup must feel like grep, so nothing here parses YAML: the build script packs the drafts into bytes that
//! stand in the binary, and `--data DIR` packs a working tree in memory. What can be derived (parents, depth, what
//! refers to a clause) is derived while packing and never stored in the YAML.

use std::cell::OnceCell;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::ask::Words;
use super::clause::{Clause, Id, Step, has_steps};
use super::document::{Concept, Document, Entry, Reading, Term};
use super::game::Game;
use super::kana::fold;
use super::lexicon::{Form, Lexicon, Via};
use super::load::{Draft, Drafts};
use super::node::{How, Kind, Node, Ref, Target, references_in};
use super::packed::{self, Packed};

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
struct Parts {
    document: (u32, u32),
    outline: (u32, u32),
    nodes: (u32, u32),
    cited_by: (u32, u32),
    terms: (u32, u32),
    readings: (u32, u32),
    history: (u32, u32),
    asks: (u32, u32),
    lexicon: (u32, u32),
}

/// The head of a packed library.
#[derive(Default, Serialize, Deserialize)]
struct Head {
    games: Vec<Parts>,
    concepts: (u32, u32),
    words: (u32, u32),
}

/// All games.
pub struct Library {
    shelves: Vec<Shelf>,
    bytes: &'static [u8],
    concepts: (u32, u32),
    words_part: (u32, u32),
    words: OnceCell<Words>,
}

/// One game's document.
pub struct Shelf {
    pub game: Game,
    bytes: &'static [u8],
    parts: Parts,
    document: OnceCell<Document>,
    lines: OnceCell<Vec<Line<'static>>>,
    terms: OnceCell<Vec<Term>>,
    readings: OnceCell<Vec<Reading>>,
    history: OnceCell<Vec<Entry>>,
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
            document: OnceCell::new(),
            lines: OnceCell::new(),
            terms: OnceCell::new(),
            readings: OnceCell::new(),
            history: OnceCell::new(),
        };
        let shelves = Game::ALL.into_iter().zip(head.games).map(shelf).collect();
        Library { shelves, bytes, concepts: head.concepts, words_part: head.words, words: OnceCell::new() }
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

    /// The nodes that refer to this one.
    pub fn cited_by(&self, index: usize) -> Vec<usize> {
        let pairs: Vec<(u16, u16)> = unpack(self.part(self.parts.cited_by));
        pairs.iter().filter(|(to, _)| usize::from(*to) == index).map(|(_, from)| usize::from(*from)).collect()
    }

    /// The terms that this clause defines.
    pub fn defined_at(&self, id: &Id) -> Vec<&Term> {
        self.terms().iter().filter(|t| t.defined.contains(id)).collect()
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

    /// The readings in which this clause competes.
    pub fn readings_of(&self, id: &Id) -> Vec<&Reading> {
        self.readings().iter().filter(|r| r.clauses.contains(id)).collect()
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

/// Packs drafts that lint has found whole enough to show.
pub fn pack(drafts: &Drafts) -> Vec<u8> {
    let mut body = Vec::new();
    let games: Vec<Parts> = drafts.games.iter().map(|draft| pack_game(draft, &mut body)).collect();
    let concepts = put(&mut body, pack_json(drafts.concepts.iter().map(|c| &c.value)));
    let words = put(&mut body, plain(&drafts.words.as_ref().map(|w| w.value.clone()).unwrap_or_default()));
    // The offsets in the head change its own size: encode until it stands still.
    let mut start = 0u32;
    loop {
        let moved = Head {
            games: games.iter().map(|parts| parts.moved(start)).collect(),
            concepts: (concepts.0 + start, concepts.1 + start),
            words: (words.0 + start, words.1 + start),
        };
        let head = postcard::to_stdvec(&moved).expect("plain data");
        let next = 4 + head.len() as u32;
        if next == start {
            let mut bytes = (head.len() as u32).to_le_bytes().to_vec();
            bytes.extend(head);
            bytes.extend(body);
            return bytes;
        }
        start = next;
    }
}

/// Appends a part and says where it is.
fn put(body: &mut Vec<u8>, part: Vec<u8>) -> (u32, u32) {
    let start = body.len() as u32;
    body.extend(part);
    (start, body.len() as u32)
}

impl Parts {
    fn moved(&self, by: u32) -> Parts {
        let add = |(a, b): (u32, u32)| (a + by, b + by);
        Parts {
            document: add(self.document),
            outline: add(self.outline),
            nodes: add(self.nodes),
            cited_by: add(self.cited_by),
            terms: add(self.terms),
            readings: add(self.readings),
            history: add(self.history),
            asks: add(self.asks),
            lexicon: add(self.lexicon),
        }
    }
}

fn pack_game(draft: &Draft, body: &mut Vec<u8>) -> Parts {
    let nodes: Vec<&Node> = draft.nodes().map(|p| &p.value).collect();
    let places: HashMap<&str, u16> = nodes.iter().enumerate().map(|(i, n)| (n.id.clause.as_str(), i as u16)).collect();
    let mut lines: Vec<Line> = Vec::new();
    let mut cited_by: Vec<(u16, u16)> = Vec::new();
    for (i, node) in nodes.iter().enumerate() {
        let parent = node.id.clause.ancestors().find_map(|c| places.get(c.as_str()).copied());
        lines.push(Line {
            clause: node.id.clause.as_str(),
            printed: node.printed.as_deref(),
            aliases: node.aliases.iter().map(String::as_str).collect(),
            title: node.title.as_deref(),
            kind: node.kind,
            stated: node.text.is_some(),
            parent,
            depth: node.id.clause.ancestors().filter(|c| places.contains_key(c.as_str())).count() as u8,
        });
        for link in node.links() {
            let place = |id: &Id| places.get(id.clause.as_str()).copied();
            let targets = match &link.target {
                Target::Clause(id) => place(id).map(|p| p..=p),
                Target::Range(a, b) => place(a).zip(place(b)).map(|(a, b)| a..=b),
                Target::Document(_) => None,
            };
            cited_by.extend(targets.into_iter().flatten().map(|to| (to, i as u16)));
        }
    }
    let mut asks: Vec<Vec<&str>> = vec![Vec::new(); nodes.len()];
    for ask in draft.asks.iter().map(|a| &a.value) {
        if let Some(place) = places.get(ask.at.clause.as_str()) {
            asks[usize::from(*place)].extend(ask.say.iter().map(String::as_str));
        }
    }
    cited_by.sort_unstable();
    cited_by.dedup();
    let mut put = |part| put(body, part);
    let document = draft.document.as_ref().map(|d| d.value.clone()).unwrap_or_else(|| Document {
        title: draft.game.name().to_string(),
        edition: "不明".to_string(),
        date: None,
        publisher: None,
        note: None,
    });
    Parts {
        document: put(json(&document)),
        outline: put(packed::pack(lines.iter().map(plain))),
        nodes: put(pack_json(nodes.into_iter())),
        cited_by: put(plain(&cited_by)),
        terms: put(pack_json(draft.terms.iter().map(|t| &t.value))),
        readings: put(pack_json(draft.readings.iter().map(|r| &r.value))),
        lexicon: put(lexicon(draft)),
        asks: put(plain(&asks)),
        history: put(pack_json(draft.history.iter().map(|h| &h.value))),
    }
}

/// The words of the glossary, folded.
fn lexicon(draft: &Draft) -> Vec<u8> {
    let mut forms: Vec<(String, Via, u16)> = Vec::new();
    for (place, term) in draft.terms.iter().map(|t| &t.value).enumerate() {
        let one = [(Via::Term, &term.term), (Via::Reading, &term.reading)].into_iter();
        let synonyms = term.synonyms.iter().map(|w| (Via::Synonym, w));
        let slang = term.slang.iter().map(|w| (Via::Slang, w));
        for (via, word) in one.chain(synonyms).chain(slang) {
            let form = fold(word).replace(' ', "");
            if !form.is_empty() {
                forms.push((form, via, place as u16));
            }
        }
    }
    Lexicon::pack(forms.iter().map(|(form, via, term)| Form { form, via: *via, term: *term }).collect())
}

fn pack_json<'a, T: Serialize + 'a>(items: impl Iterator<Item = &'a T>) -> Vec<u8> {
    packed::pack(items.map(json))
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data")
}

fn plain(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).expect("plain data")
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
