//! Search a judge trusts: words, a question, kana, a typo, and the clause that answers is first.
//!
//! | question | file |
//! |---|---|
//! | how does text become terms? | [`analysis`] |
//! | what is indexed, and where is it kept? | [`index`], [`bag`], [`bundle`], `src/stock/index.rs` |
//! | how is what a person typed understood? | [`question`] |
//! | how well does a document fit? | [`postings`], [`sense`], [`lessons`] |
//! | why does a hit stand where it does? | [`rank`] |
//! | is what was found an answer? | [`doubt`] |
//! | which words of a text are shown? | [`snippet`] |

pub mod analysis;
pub mod bag;
pub mod bundle;
pub mod doubt;
pub mod index;
pub mod lessons;
pub mod postings;
pub mod question;
pub mod rank;
pub mod searcher;
pub mod sense;
pub mod snippet;

pub use question::Question;
pub use searcher::{Answer, Filter, Hit, Searcher};
