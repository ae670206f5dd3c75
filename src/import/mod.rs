//! Reads the document that a publisher distributes into official nodes.
//!
//! Bytes become lines ([`decode`], [`mod@pdf`]), lines become nodes by the grammar of the game (one file each), and nodes are
//! either written to the reader's data directory (`src/stock/wordings.rs`) or compared with ours ([`check`]). The official
//! wording never enters the repository.

pub mod check;
pub mod decode;
pub mod dz;
pub mod lines;
pub mod markdown;
pub mod msd;
pub mod nova;
pub mod official;
pub mod pdf;
pub mod ygo;
pub mod zx;

pub use official::{Official, OfficialEntry, OfficialNode, PrintedRef, SourceLine, Stop};

use crate::text::{Game, Library, Shelf};

/// A grammar reads the lines of a document; only the one document without numbers needs our outline.
type Grammar = fn(&[SourceLine], &Shelf) -> Result<Official, Stop>;

const GRAMMARS: [(&str, Grammar); 5] = [
    ("dz", |lines, _| dz::read(lines)),
    ("msd", |lines, _| msd::read(lines)),
    ("zx", |lines, _| zx::read(lines)),
    ("nova", |lines, _| nova::read(lines)),
    ("ygo", |lines, outline| {
        ygo::read(lines, outline).map(|read| Official { unknown: ygo::unknown_headings(lines, outline), ..read })
    }),
];

/// Reads a document; also says in which form it came.
pub fn read(library: &Library, game: Game, bytes: &[u8]) -> Result<(Official, &'static str), Stop> {
    let (lines, form) = decode::decode(bytes)?;
    let (_, grammar) = GRAMMARS.iter().find(|(code, _)| *code == game.code()).expect("a grammar for every game");
    Ok((grammar(&lines, library.shelf(game))?, form))
}
