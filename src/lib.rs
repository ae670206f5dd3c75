//! saitei (裁定): a judge's rules reference for Japanese trading card games.
//!
//! | I have… | look in |
//! |---|---|
//! | a clause number; what does it say and where is it? | [`text`] |
//! | words, a question, a typo; which clause answers? | [`search`] |
//! | the document a publisher distributes | [`import`] |
//! | a card; what does it say and do? | [`card`] |
//! | a situation; what comes of it, and by which clause? | [`scenario`] |
//! | a clause number; where is it executed? | [`game`], by the chapters of the document (`saitei show` names the line) |
//! | what is shown of all that | [`desk`] |
//! | what every game is built from | [`kernel`] |
//! | what is kept in files | [`stock`] |
//! | a command | [`cmd`] |
//! | a page | [`web`] |
//!
//! Layers use only those before them: `text ← card ← kernel ← game ← scenario ← desk ← web, cmd`,
//! `text ← search ← desk` and `text ← import ← cmd`. Files are known to [`stock`] and `cmd` alone.
//!
//! What does not exist here, on purpose: a rule without a clause, a card name in code, a printed value read past the
//! view, a random number, a step number, a clock in a duel.

pub mod card;
pub mod cmd;
pub mod desk;
pub mod game;
pub mod import;
pub mod kernel;
pub mod scenario;
pub mod search;
pub mod stock;
pub mod text;
pub mod web;
