//! The table a scenario starts from: the table as a whole, one card in it, and what is in force.

pub mod effects;
pub mod entry;
pub mod setup;
