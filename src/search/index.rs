//! The tantivy index: what is indexed, in which fields, and how it becomes one block of bytes.
//!
//! One document per clause. What leads to a clause (its title, the terms it defines with their readings and players'
//! words, what people ask) stands in fields of its own, so that a mention is not taken for an answer.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tantivy::directory::{Directory, RamDirectory};
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::TokenizerManager;
use tantivy::{Index, TantivyDocument};

use crate::text::kana::fold;
use crate::text::node::plain;
use crate::text::{Game, Library, Node, Shelf};

use super::analysis::Analysis;

/// The parts of a document that are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Our text and, where imported, the official one.
    Text,
    /// Title and defined terms, with readings, synonyms and players' words.
    Head,
    /// What people ask.
    Asks,
    /// Headings above.
    Path,
    /// Examples.
    Examples,
}

impl Part {
    pub const ALL: [Part; 5] = [Part::Text, Part::Head, Part::Asks, Part::Path, Part::Examples];

    fn name(self) -> &'static str {
        match self {
            Part::Text => "text",
            Part::Head => "head",
            Part::Asks => "asks",
            Part::Path => "path",
            Part::Examples => "examples",
        }
    }
}

/// The fields: every part in every analysis, the game to filter by, and the place of the clause.
pub struct Fields {
    pub schema: Schema,
    pub game: Field,
    parts: [[Field; Analysis::ALL.len()]; Part::ALL.len()],
}

/// The fast field that holds the place of a clause in its outline.
pub const PLACE: &str = "place";

impl Fields {
    pub fn all() -> Fields {
        let mut schema = Schema::builder();
        let indexed = |name: &str, option| {
            TextOptions::default()
                .set_indexing_options(TextFieldIndexing::default().set_tokenizer(name).set_index_option(option))
        };
        let parts = Part::ALL.map(|part| {
            Analysis::ALL.map(|analysis| {
                let name = format!("{}_{}", part.name(), analysis.name());
                schema.add_text_field(&name, indexed(analysis.name(), IndexRecordOption::WithFreqs))
            })
        });
        let game = schema.add_text_field("game", indexed("raw", IndexRecordOption::Basic));
        schema.add_u64_field(PLACE, FAST);
        Fields { schema: schema.build(), game, parts }
    }

    /// The fields of an analysis that weigh anything.
    pub fn weighted(&self, analysis: Analysis, weights: &BTreeMap<String, f32>) -> Vec<(Field, f32)> {
        // A working tree that weighs nothing weighs all alike.
        let name = |part: Part| format!("{}_{}", part.name(), analysis.name());
        let weight = |part: Part| if weights.is_empty() { Some(1.0) } else { weights.get(&name(part)).copied() };
        Part::ALL.into_iter().filter_map(|part| Some((self.field(part, analysis), weight(part)?))).collect()
    }

    pub fn field(&self, part: Part, analysis: Analysis) -> Field {
        self.parts[part as usize][analysis as usize]
    }
}

/// The official wording of a clause, if the reader has imported the document.
pub type Official<'a> = &'a dyn Fn(&Shelf, usize) -> Option<String>;

/// Builds the index of a library as one block of bytes.
pub fn build(library: &Library, official: Official) -> tantivy::Result<Vec<u8>> {
    let fields = Fields::all();
    let directory = RamDirectory::create();
    let builder = Index::builder().schema(fields.schema.clone()).tokenizers(tokenizers());
    let mut writer = builder.single_segment_index_writer(directory.clone(), 64 << 20)?;
    let place = fields.schema.get_field(PLACE)?;
    for shelf in library.shelves() {
        for (position, asks) in shelf.asks().iter().enumerate() {
            let mut document = TantivyDocument::default();
            document.add_text(fields.game, shelf.game.code());
            document.add_u64(place, Place::Clause(shelf.game, position).encode());
            let parts = parts(shelf, position, asks, official);
            for (part, text) in Part::ALL.into_iter().zip(&parts) {
                for analysis in Analysis::ALL {
                    document.add_text(fields.field(part, analysis), text);
                }
            }
            writer.add_document(document)?;
        }
    }
    for (what, games, text) in beside(library) {
        let mut document = TantivyDocument::default();
        games.iter().for_each(|game| document.add_text(fields.game, game.code()));
        document.add_u64(place, what.encode());
        for analysis in Analysis::ALL {
            document.add_text(fields.field(Part::Text, analysis), &text);
        }
        writer.add_document(document)?;
    }
    let index = writer.finalize()?;
    let bags = Game::ALL.map(|game| (bag_file(game), bags(library.shelf(game))));
    bundle(&index, &directory, bags)
}

/// What the criteria look at, folded once and for all: lookups have no time to fold.
#[derive(Debug, Serialize, Deserialize)]
pub struct Bag<'a> {
    /// All parts of a clause.
    pub says: &'a str,
    /// The lines people ask, and the title.
    #[serde(borrow)]
    pub asks: Vec<&'a str>,
}

/// The file of a bundle that holds the bags of a game.
pub fn bag_file(game: Game) -> String {
    format!("bags-{}", game.code())
}

/// The bags of a game: how many there are, where each ends, and then the bags, so that one is read without the others.
fn bags(shelf: &Shelf) -> Vec<u8> {
    let mut ends: Vec<u32> = Vec::new();
    let mut packed = Vec::new();
    for (position, asks) in shelf.asks().iter().enumerate() {
        let title = shelf.lines()[position].title.into_iter();
        let says = fold(&parts(shelf, position, asks, &|_, _| None).join("\n"));
        let asks: Vec<String> = asks.iter().copied().chain(title).map(|a| fold(a).replace(' ', "")).collect();
        let bag = Bag { says: &says, asks: asks.iter().map(String::as_str).collect() };
        packed.extend(postcard::to_stdvec(&bag).expect("plain data"));
        ends.push(packed.len() as u32);
    }
    let head = std::iter::once(ends.len() as u32).chain(ends.iter().copied());
    head.flat_map(u32::to_le_bytes).chain(packed).collect()
}

/// One bag of those that [`bags`] packed.
pub fn bag(packed: &'static [u8], position: usize) -> Option<Bag<'static>> {
    let number = |at: usize| Some(u32::from_le_bytes(packed.get(at * 4..at * 4 + 4)?.try_into().ok()?) as usize);
    let count = number(0)?;
    let start = if position == 0 { 0 } else { number(position)? };
    let base = (count + 1) * 4;
    (position < count).then_some(())?;
    postcard::from_bytes(packed.get(base + start..base + number(position + 1)?)?).ok()
}

/// The texts of a clause, part by part.
pub fn parts(shelf: &Shelf, position: usize, asks: &[&str], official: Official) -> [String; Part::ALL.len()] {
    let node = shelf.node(position);
    let title = |i: usize| shelf.lines()[i].title.unwrap_or_default();
    let examples = node.examples.iter().flat_map(|e| e.situation.iter().chain(&e.outcome));
    [
        [node.text.as_deref().map(plain).unwrap_or_default(), official(shelf, position).unwrap_or_default()].join("\n"),
        head(shelf, &node).join("\n"),
        asks.join("\n"),
        shelf.path(position).into_iter().map(title).collect::<Vec<_>>().join("\n"),
        examples.map(|text| plain(text)).collect::<Vec<_>>().join("\n"),
    ]
}

/// Title, and all words for the terms that the clause defines.
fn head(shelf: &Shelf, node: &Node) -> Vec<String> {
    let mut head: Vec<String> = node.title.iter().cloned().collect();
    for term in shelf.defined_at(&node.id) {
        head.extend([term.term.clone(), term.reading.clone()]);
        head.extend(term.synonyms.iter().chain(&term.slang).cloned());
    }
    head
}

/// What a document of the index stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A clause, by its place in the outline.
    Clause(Game, usize),
    /// A reading, by its place in the list.
    Reading(Game, usize),
    /// An entry of the change history.
    Entry(Game, usize),
    /// A concept across games.
    Concept(usize),
}

impl Place {
    fn encode(self) -> u64 {
        let (kind, game, position) = match self {
            Place::Clause(game, position) => (0, game.index(), position),
            Place::Reading(game, position) => (1, game.index(), position),
            Place::Entry(game, position) => (2, game.index(), position),
            Place::Concept(position) => (3, 0, position),
        };
        kind << 48 | (game as u64) << 32 | position as u64
    }

    pub fn decode(number: u64) -> Place {
        let game = Game::ALL[(number >> 32 & 0xffff) as usize % Game::ALL.len()];
        let position = (number & 0xffff_ffff) as usize;
        match number >> 48 {
            0 => Place::Clause(game, position),
            1 => Place::Reading(game, position),
            2 => Place::Entry(game, position),
            _ => Place::Concept(position),
        }
    }
}

/// What is searched beside the clauses: readings, change history, concepts.
fn beside(library: &Library) -> Vec<(Place, Vec<Game>, String)> {
    let mut out = Vec::new();
    for shelf in library.shelves() {
        for (i, reading) in shelf.readings().iter().enumerate() {
            let options = reading.options.iter().map(|o| plain(&o.text)).collect::<Vec<_>>().join("\n");
            out.push((Place::Reading(shelf.game, i), vec![shelf.game], plain(&reading.question) + "\n" + &options));
        }
        for (i, entry) in shelf.history().iter().enumerate() {
            let changes: Vec<String> = entry.changes.iter().map(|c| plain(&c.text)).collect();
            out.push((
                Place::Entry(shelf.game, i),
                vec![shelf.game],
                entry.version.clone() + "\n" + &changes.join("\n"),
            ));
        }
    }
    for (i, concept) in library.concepts().iter().enumerate() {
        let games = concept.games.iter().filter_map(|t| Some(t.clauses.first()?.game)).collect();
        let names = [concept.concept.clone(), concept.reading.clone(), concept.also.join("\n")].join("\n");
        out.push((Place::Concept(i), games, names));
    }
    out
}

/// Our analyses, by their names in the schema.
pub fn tokenizers() -> TokenizerManager {
    let tokenizers = TokenizerManager::default();
    for analysis in Analysis::ALL {
        tokenizers.register(analysis.name(), analysis);
    }
    tokenizers
}

/// The files of an index in one block: a checksum, a table of contents, the files.
fn bundle(index: &Index, directory: &RamDirectory, beside: [(String, Vec<u8>); 5]) -> tantivy::Result<Vec<u8>> {
    let mut names: Vec<PathBuf> = index.directory().list_managed_files().into_iter().collect();
    names.extend(["meta.json", ".managed.json"].map(PathBuf::from));
    names.sort();
    names.dedup();
    let mut table: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let mut files = Vec::new();
    let mut put = |name: String, bytes: &[u8]| {
        // Aligned, so that tantivy reads numbers in place.
        files.resize(files.len().next_multiple_of(16), 0);
        table.insert(name, (files.len() as u32, (files.len() + bytes.len()) as u32));
        files.extend_from_slice(bytes);
    };
    for name in names {
        let bytes = if name == Path::new("meta.json") || name == Path::new(".managed.json") {
            directory.atomic_read(&name).unwrap_or_default()
        } else if directory.exists(&name).unwrap_or(false) {
            directory.open_read(&name)?.read_bytes()?.to_vec()
        } else {
            continue;
        };
        put(name.to_string_lossy().into_owned(), &bytes);
    }
    for (name, bytes) in beside {
        put(name, &bytes);
    }
    let table = postcard::to_stdvec(&table).expect("plain data");
    let mut out = Vec::new();
    out.extend((table.len() as u32).to_le_bytes());
    out.extend(table);
    out.resize(out.len().next_multiple_of(16), 0);
    out.extend(files);
    let sum = checksum(&out);
    out.extend(sum.to_le_bytes());
    Ok(out)
}

/// FNV-1a over words: enough to notice a damaged cache.
pub fn checksum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64, step)
}
