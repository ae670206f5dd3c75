//! Cards and the language their abilities are written in, in the order in which a card is read.
//!
//! | on the card | here |
//! |---|---|
//! | name, costs, numbers | [`Card`], [`Datum`], [`Price`] |
//! | an ability: kind, zone, timing, event, condition, cost, targets, effect | [`Ability`] |
//! | a keyword ability | [`Keyword`] |
//! | "…にある…のユニット" | [`Filter`], [`Spots`] |
//! | what an effect does | [`Step`], [`Change`] |
//! | numbers and conditions | [`Value`], [`Cond`] |
//! | all of that, one after another | [`Parts`] |
//!
//! A card knows no game: which data, places, events and keywords there are is the game's [`Vocabulary`], against
//! which the loader checks every word. Printed text is not stored; [`wording`] makes Japanese from the encoding.

mod ability;
mod filter;
pub mod load;
pub mod made;
pub mod meant;
mod parts;
mod sheet;
mod step;
mod value;
mod vocabulary;
pub mod word;
pub mod wording;

pub use ability::{Ability, Keyword, Kind, Limit, LimitBy, Mode, Pattern, Pool, Target};
pub use filter::{Filter, Range, Spots, Test};
pub use parts::{Part, Parts};
pub use sheet::{APART, Card, Cards, Datum, Missing, Price, Quantity};
pub use step::{Change, Copied, Immune, Replace, Step};
pub use value::{Amount, Cond, ENDLESS, IT, Value};
pub use vocabulary::{DataKind, Vocabulary};
pub use word::Word;

/// The word by which effects speak of a card's name as of a datum.
pub const NAME: &str = "カード名";
