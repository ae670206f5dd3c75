//! Scenarios.

mod answer;
mod attempt;
mod expect;
mod file;
mod look;
mod node;
mod player;
mod script;
mod setup;
mod store;
mod words;

pub use file::{Books, Explore, File, Scenario, Under, Vary, Verdict};
pub use node::{At, Node, Note};
pub use store::Store;
