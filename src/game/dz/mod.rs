//! ディメンション・ゼロ: the rulebook. Files follow the document.
//!
//! | part and chapter | file |
//! |---|---|
//! | 1.2 numbers, 1.2.3 paying energy | [`pay`] |
//! | 2.2–2.9, 2.22 data and words | [`schema`] |
//! | 2.23–2.24 zones, areas, lines | [`places`] |
//! | 2.10, 2.25, 2.27 text, information, sources | [`text`] |
//! | 3.1–3.2 preparation, 3.3 end | [`setup`] |
//! | 3.4–3.10 turn and phases | [`turn`] |
//! | 3.7–3.9 what a player may do | [`moves`] |
//! | 3.11–3.14 battle | [`battle`] |
//! | 4.6, 4.8 priority, stacking triggers, 4.18 loops | [`priority`] |
//! | 4.7 playing, activating, moving | [`play`] |
//! | 4.9–4.11 resolving, countering, targets | [`resolve`] |
//! | 4.14–4.15 continuous effects, replacement | [`book`] |
//! | 4.16 rule effects | [`checks`] |
//! | 5 keyword abilities | [`keywords`] |
//! | 6.1, 6.2, 6.6 闘気, deck order, 結合 | [`others`] |
//! | what texts can say and nothing here executes | [`speech`] |

/// A citation of this document: `dz!("4.16.4-5", Check)`.
macro_rules! dz {
    ($clause:literal, $rule:ident) => {
        $crate::cite!("dz", $clause, $rule)
    };
    ($clause:literal) => {
        $crate::cite!("dz", $clause, Procedure)
    };
}

mod battle;
mod book;
mod checks;
mod keywords;
mod moves;
mod others;
mod pay;
mod places;
mod play;
mod priority;
mod resolve;
mod schema;
mod setup;
mod speech;
mod text;
mod turn;

/// The rulebook of ディメンション・ゼロ.
pub struct Dz;

pub use setup::deck_problems;
