//! The table a scenario starts from: the table as a whole, and one card in it.

pub mod entry;
pub mod setup;
