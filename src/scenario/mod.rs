//! Scenarios.

mod answer;
mod attempt;
mod board;
mod check;
mod expect;
mod explore;
mod file;
mod look;
mod node;
mod perform;
mod player;
mod script;
mod setup;
mod store;
mod tell;
mod words;

pub use board::{Board, changes};
pub use check::{Report, Twin, Why, check};
pub use explore::Ending;
pub use file::{Books, Explore, File, Scenario, Under, Vary, Verdict};
pub use node::{At, Node, Note};
pub use perform::{Options, Played, perform};
pub use store::Store;
pub use tell::{Line, Story, story};
