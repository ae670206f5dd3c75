//! Z/X -Zillions of enemy X-: the rulebook. Files follow the document.
//!
//! | part and section | file |
//! |---|---|
//! | 101 end of the game, 402 preparation | [`setup`] |
//! | 200 parameters, 301–302 zones | [`schema`] |
//! | 303 squares | [`places`] |
//! | 501–507 turn and phases | [`turn`] |
//! | 601–605 battle | [`battle`] |
//! | 506.2, 603.1b, 806.1a what a player may do | [`moves`] |
//! | 701–702 priority and its pre-processing, 808 triggered abilities | [`priority`] |
//! | 803, 808.3, 102.9 where texts work and what they read | [`text`] |
//! | what cards can say and is not executed | [`speech`] |
//! | 804, 806, 807 playing and resolving as one unit | [`play`] |
//! | 805 resource cost | [`pay`] |
//! | 1027 what may be done while playing | [`playing`] |
//! | 102, 811, 812 principles, continuous effects, replacement | [`book`] |
//! | 811.3a–811.3c since when continuous effects count | [`dates`] |
//! | 901–904, 906–907, 909 rule effects in the pre-processing | [`checks`] |
//! | 901.2a, 911–914 rule effects at any moment, 813 special abilities | [`immediate`] |
//! | 905 illegal squares | [`squares`] |
//! | 1002–1017 keyword acts | [`acts`] |
//! | 312, 908, 1010, 1019 force | [`force`] |
//! | 1020–1025 how extras are played | [`extras`] |
//! | 202.7–202.10, 910, 912, 1015, 1016, 1024 cards that are one | [`composite`] |
//! | 915, 1029 unison | [`unison`] |
//! | 1101–1136 keyword abilities | [`keywords`] |
//! | 401 deck construction | [`deck`] |
//! | 1203–1204 what destroyed a card | [`blame`] |
//!
//! Cards of a left and a right part (1007.5, 1127) stop the run: the document does not say what they are together.

/// A citation of this document: `zx!("702.2a", Check)`.
macro_rules! zx {
    ($clause:literal, $rule:ident) => {
        $crate::cite!("zx", $clause, $rule)
    };
    ($clause:literal) => {
        $crate::cite!("zx", $clause, Procedure)
    };
}

mod acts;
mod battle;
mod blame;
mod book;
mod checks;
mod composite;
mod dates;
mod deck;
mod extras;
mod force;
mod immediate;
mod keywords;
mod moves;
mod pay;
mod places;
mod play;
mod playing;
mod priority;
mod schema;
mod setup;
mod speech;
mod squares;
mod text;
mod turn;
mod unison;

pub use deck::problems as deck_problems;

/// The rulebook of Z/X.
pub struct Zx;
