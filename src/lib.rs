//! saitei (裁定): a judge's rules reference for Japanese trading card games.
//!
//! | I have… | look in |
//! |---|---|
//! | a clause number; what does it say and where is it? | [`text`] |
//! | words, a question, a typo; which clause answers? | [`search`] |
//! | the document a publisher distributes | [`import`] |
//! | a command | [`cmd`] |
//!
//! Layers use only those before them: `text ← search, import ← cmd`.

pub mod cmd;
pub mod import;
pub mod search;
pub mod text;
