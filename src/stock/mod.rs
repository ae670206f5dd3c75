//! What is kept in files: the only place besides the shell (`cmd`) that knows a file system. Everything else is a function
//! of what it is given.
//!
//! | what is kept | file |
//! |---|---|
//! | a file that a stranger may have made | [`files`] |
//! | the rules, under `rules/` and `index/` | [`rules`] |
//! | the cards that scenarios may use, under `rulings/` | [`cards`] |
//! | search indexes of working trees, in the cache folder | [`index`] |
//! | the wordings of imported documents, in the reader's data folder | [`wordings`] |
//! | a PDF, which is read apart | [`mod@pdf`] |

pub mod cards;
pub mod files;
pub mod index;
pub mod pdf;
pub mod rules;
pub mod wordings;
