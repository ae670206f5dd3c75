//! What is kept in files: the only place besides the shell (`cmd`) and the reading of rules ([`crate::text::load`]) that
//! knows a file system. Everything else is a function of what it is given.
//!
//! | what is kept | file |
//! |---|---|
//! | the cards that scenarios may use, under `rulings/` | [`cards`] |
//! | search indexes of working trees, in the cache folder | [`index`] |
//! | the wordings of imported documents, in the reader's data folder | [`wordings`] |

pub mod cards;
pub mod index;
pub mod wordings;
