//! Rule nodes, documents and their editions, clause ids, references, terms, readings.
//!
//! This layer does not know that an engine exists. Its files:
//!
//! | question | file |
//! |---|---|
//! | which games are there? | [`game`] |
//! | what is a clause number? | [`clause`] |
//! | what does a rule node hold? | [`node`] |
//! | what do people type when they look for it? | [`ask`] |
//! | what else has a document: editions, history, terms, readings? | [`document`] |
//! | what is known of scenarios and cards? | [`ruling`] |
//! | what becomes of a fault of ours? | [`caught`] |
//! | how is YAML read, and how is a mistake in it shown? | [`yaml`] |
//! | what was read, before it is packed? | [`draft`] |
//! | which spellings are the same word? | [`kana`] |
//! | what must hold across the files? | [`lint`] |
//! | how does a program look things up? | [`library`], made by [`pack`] of [`packed`] lists |
//! | which words lead to a term? | [`lexicon`] |
//! | how is a number in any notation understood, whatever surrounds it? | [`query`], [`numbers`] |

pub mod alike;
pub mod ask;
pub mod caught;
pub mod clause;
pub mod document;
pub mod draft;
pub mod game;
pub mod kana;
pub mod lexicon;
pub mod library;
pub mod lint;
pub mod node;
pub mod numbers;
pub mod pack;
pub mod packed;
pub mod query;
pub mod ruling;
pub mod yaml;

pub use ask::{Ask, Words};
pub use clause::{Clause, Id};
pub use document::{Concept, Document, Entry, Reading, Term};
pub use game::Game;
pub use library::{Library, Line, Shelf};
pub use node::{Example, Kind, Node, Ref, Target};
pub use ruling::{CardName, Ruling};
pub use yaml::Problem;
