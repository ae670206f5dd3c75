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
//! | 804, 806, 807 playing and resolving as one unit | [`play`] |
//! | 805 resource cost | [`pay`] |
//! | 102, 811, 812 principles, continuous effects, replacement | [`book`] |
//! | 901–904, 906–907 rule effects | [`checks`] |
//! | 905 illegal squares | [`squares`] |
//! | 1002–1013 keyword acts | [`acts`] |
//! | 1203–1204 what destroyed a card | [`blame`] |
//!
//! Not here yet: extra, overboost, shift, player extra, tokens, links, force (908–915), special abilities (813) and
//! the keyword abilities of part 1100. A card that needs them does not pass the loader.

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
mod moves;
mod pay;
mod places;
mod play;
mod priority;
mod schema;
mod setup;
mod squares;
mod text;
mod turn;

/// The rulebook of Z/X.
pub struct Zx;
