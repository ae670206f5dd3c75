//! The tantivy index: what is indexed, in which fields, and how it becomes one block of bytes.
//!
//! One document per clause. What leads to a clause (its title, the terms it defines with their readings and players'
//! words, what people ask) stands in fields of its own, so that a mention is not taken for an answer.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tantivy::directory::{Directory, RamDirectory};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::TokenizerManager;
use tantivy::{Index, TantivyDocument};

use crate::text::node::plain;
use crate::text::{Game, Library, Node, Shelf};

use super::analysis::Analysis;
use super::bag::{bags, weights};
use super::sense;

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

/// The fields that weigh anything: parts in one analysis each.
pub struct Fields {
    pub schema: Schema,
    pub weighted: Vec<(Part, Analysis, Field, f32)>,
}

impl Fields {
    pub fn of(library: &Library) -> Fields {
        let weights = &library.words().weights;
        let mut schema = Schema::builder();
        let mut weighted = Vec::new();
        for part in Part::ALL {
            for analysis in Analysis::ALL {
                let name = format!("{}_{}", part.name(), analysis.name());
                // A working tree that weighs nothing weighs all alike.
                let weight = if weights.is_empty() { Some(1.0) } else { weights.get(&name).copied() };
                let indexing = TextFieldIndexing::default().set_tokenizer(analysis.name());
                let indexing = indexing.set_index_option(IndexRecordOption::WithFreqs);
                let options = TextOptions::default().set_indexing_options(indexing);
                weighted.extend(weight.map(|w| (part, analysis, schema.add_text_field(&name, options), w)));
            }
        }
        Fields { schema: schema.build(), weighted }
    }
}

/// The official wording of a clause, if the reader has imported the document.
pub type Official<'a> = &'a dyn Fn(&Shelf, usize) -> Option<String>;

/// Builds the index of a library as one block of bytes.
pub fn build(library: &Library, official: Official) -> tantivy::Result<Vec<u8>> {
    let fields = Fields::of(library);
    let directory = RamDirectory::create();
    let builder = Index::builder().schema(fields.schema.clone()).tokenizers(tokenizers());
    let mut writer = builder.single_segment_index_writer(directory.clone(), 64 << 20)?;
    // The place that each document stands for, in the order in which they are written.
    let mut places: Vec<u8> = Vec::new();
    let mut write = |place: Place, games: &[Game], parts: &[String; Part::ALL.len()]| {
        let mut document = TantivyDocument::default();
        for (part, _, field, _) in &fields.weighted {
            document.add_text(*field, &parts[*part as usize]);
        }
        places.extend(place.encode(games).to_le_bytes());
        writer.add_document(document)
    };
    for shelf in library.shelves() {
        for (position, asks) in shelf.asks().iter().enumerate() {
            let parts = parts(shelf, position, asks, official);
            write(Place::Clause(shelf.game, position), &[shelf.game], &parts)?;
        }
    }
    for (place, games, text) in beside(library) {
        let mut parts = [const { String::new() }; Part::ALL.len()];
        parts[Part::Text as usize] = text;
        write(place, &games, &parts)?;
    }
    let index = writer.finalize()?;
    let mut files: Vec<(String, Vec<u8>)> = library.shelves().map(|s| (bag_file(s.game), bags(s))).collect();
    files.push((PLACES.to_string(), places));
    files.push((WEIGHTS.to_string(), weights(library)));
    files.push((SENSE.to_string(), sense::learn(library)));
    bundle(&index, &directory, files)
}

/// The file of a bundle that holds the bags of a game.
pub fn bag_file(game: Game) -> String {
    format!("bags-{}", game.code())
}

/// The file of a bundle that says how much each mark of a line tells.
pub const WEIGHTS: &str = "weights";

/// The file of a bundle that says where clauses and words point.
pub const SENSE: &str = "sense";

/// The file of a bundle that says what each document stands for.
pub const PLACES: &str = "places";

/// The texts of a clause, part by part.
pub fn parts(shelf: &Shelf, position: usize, asks: &[&str], official: Official) -> [String; Part::ALL.len()] {
    let node = shelf.node(position);
    let title = |i: usize| shelf.lines()[i].title.unwrap_or_default();
    let examples = node.examples.iter().flat_map(|e| e.situation.iter().chain(&e.outcome));
    [
        [node.text.as_deref().map(plain).unwrap_or_default(), official(shelf, position).unwrap_or_default()].join("\n"),
        head(shelf, position, &node).join("\n"),
        asks.join("\n"),
        shelf.path(position).into_iter().map(title).collect::<Vec<_>>().join("\n"),
        examples.map(|text| plain(text)).collect::<Vec<_>>().join("\n"),
    ]
}

/// Title, and all words for the terms that the clause defines.
fn head(shelf: &Shelf, position: usize, node: &Node) -> Vec<String> {
    let mut head: Vec<String> = node.title.iter().cloned().collect();
    for term in shelf.defined_at(position) {
        head.extend([term.term, term.reading]);
        head.extend(term.synonyms.into_iter().chain(term.slang));
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
    /// A scenario.
    Ruling(Game, usize),
    /// A card.
    Card(Game, usize),
}

impl Place {
    /// As a number, together with the games for which it is found.
    fn encode(self, games: &[Game]) -> u64 {
        let (kind, game, position) = match self {
            Place::Clause(game, position) => (0, game.index(), position),
            Place::Reading(game, position) => (1, game.index(), position),
            Place::Entry(game, position) => (2, game.index(), position),
            Place::Concept(position) => (3, 0, position),
            Place::Ruling(game, position) => (4, game.index(), position),
            Place::Card(game, position) => (5, game.index(), position),
        };
        kind << 56 | (game as u64) << 48 | mask(games) << 32 | position as u64
    }

    /// The place that a number stands for, if it is found for any of these games.
    pub fn decode(number: u64, games: &[Game]) -> Option<Place> {
        let game = *Game::ALL.get((number >> 48 & 0xff) as usize)?;
        let position = (number & 0xffff_ffff) as usize;
        let place = match number >> 56 {
            0 => Place::Clause(game, position),
            1 => Place::Reading(game, position),
            2 => Place::Entry(game, position),
            3 => Place::Concept(position),
            4 => Place::Ruling(game, position),
            _ => Place::Card(game, position),
        };
        (number >> 32 & mask(games) != 0).then_some(place)
    }
}

fn mask(games: &[Game]) -> u64 {
    games.iter().fold(0, |mask, game| mask | 1 << game.index())
}

/// What is searched beside the clauses: readings, change history, scenarios, cards, concepts.
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
    for shelf in library.shelves() {
        for (i, ruling) in shelf.rulings().into_iter().enumerate() {
            let text = ruling.title + "\n" + &ruling.question.unwrap_or_default();
            out.push((Place::Ruling(shelf.game, i), vec![shelf.game], text));
        }
        for (i, card) in shelf.cards().into_iter().enumerate() {
            out.push((Place::Card(shelf.game, i), vec![shelf.game], card.name));
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
fn tokenizers() -> TokenizerManager {
    let tokenizers = TokenizerManager::default();
    for analysis in Analysis::ALL {
        tokenizers.register(analysis.name(), analysis);
    }
    tokenizers
}

/// The files of an index in one block: a checksum, a table of contents, the files.
fn bundle(index: &Index, directory: &RamDirectory, beside: Vec<(String, Vec<u8>)>) -> tantivy::Result<Vec<u8>> {
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
