//! The judge's desk: what is shown, as plain data in the user's words.
//!
//! | question | file |
//! |---|---|
//! | what came of a run, and how does another run differ? | [`came`] |
//! | how is that said aloud? | [`say`] |
//! | on which clauses and readings does it hang? | [`decide`] |
//! | how did it come about, in a few lines? | [`story`] |
//! | what was left out or taken for granted? | [`omitted`] |
//! | does a switch name something that exists? | [`honest`] |
//! | what stands on the page of a run? | [`run`] |
//! | which rulings are there? | [`rulings`] |
//! | what can be done now, and why not? | [`play`] |
//! | how is a board written, and each act in it? | [`write`], [`acts`] |
//! | which cards are in a deck list? | [`deck`] |
//! | what was found, and what stands on the page of a clause, a term, a concept, a reading, a card? | [`find`], [`clause`], [`term`], [`compare`], [`readings`], [`card`], [`toc`] |
//! | in which words are boards and cards written? | [`words`] |
//! | how is it pasted into a report? | [`cite`] |
//! | which clauses are executed? | [`coverage`] |
//!
//! A page is made from one run of the board; whatever is compared with it is a further run of the same board with one
//! thing different. Commands print pages, JSON writes them; nothing here knows files, terminals or clocks.

pub mod acts;
pub mod came;
pub mod card;
pub mod cite;
pub mod clause;
pub mod compare;
pub mod coverage;
pub mod decide;
pub mod deck;
pub mod find;
pub mod honest;
pub mod omitted;
pub mod play;
pub mod readings;
pub mod rulings;
pub mod run;
pub mod say;
pub mod story;
pub mod term;
pub mod toc;
pub mod words;
pub mod write;

pub use run::{Desk, Page};
