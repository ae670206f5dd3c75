//! Reads the document that a publisher distributes into official nodes.
//!
//! Bytes become lines ([`decode`]), lines become nodes by the grammar of the game ([`grammar`]), and nodes are either
//! written to the reader's data directory ([`store`]) or compared with ours ([`check`]). The official wording never
//! enters the repository.

pub mod official;

pub use official::{Official, OfficialEntry, OfficialNode, PrintedRef, SourceLine, Stop};
