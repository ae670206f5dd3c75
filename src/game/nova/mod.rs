//! NOVA: the rulebook. Files follow the document.
//!
//! | chapter | file |
//! |---|---|
//! | 005.2–005.3, 100, 200, 302 data, words, facts | [`schema`] |
//! | 301, 303–309 zones | [`places`] |
//! | 003, 007 the end and the preparation | [`setup`] |
//! | 006.1, 007.1 decks | [`deck`] |
//! | 400, 600, 925 turn and phases | [`turn`] |
//! | 405, 930 the attack phase | [`battle`] |
//! | 405.6, 916, 917, 922 damage | [`damage`] |
//! | 311, 700, 912 priority, waiting, 801.4 automatic abilities | [`priority`] |
//! | 924 loops | [`loops`] |
//! | 109–112, 202–205, 703 what a player may do | [`moves`], [`level`] |
//! | 801.3, 804.1–804.2 playing and activating | [`play`] |
//! | 804.2.3–804.2.4, 902.8 what is to be paid | [`bill`] |
//! | 902 paying energy | [`pay`] |
//! | 005.6, 310, 801.6, 906, 927 energy | [`energy`] |
//! | 804.3–804.4, 913 resolving | [`resolve`] |
//! | 500, 907 rule processes, destruction | [`checks`] |
//! | 904–921 acts called by name | [`acts`], [`deferred`] |
//! | 004, 802 principles, effects | [`book`] |
//! | 801.5, 803 where abilities work, 910, 928 | [`text`] |
//! | what the language can say and no clause executes | [`speech`] |
//! | 1000 keyword abilities | [`keywords`] |
//! | 1010 進化 | [`evolve`] |

/// A citation of this document: `nova!("405.2", Check)`.
macro_rules! nova {
    ($clause:literal, $rule:ident) => {
        $crate::cite!("nova", $clause, $rule)
    };
    ($clause:literal) => {
        $crate::cite!("nova", $clause, Procedure)
    };
}

mod acts;
mod battle;
mod bill;
mod book;
mod checks;
mod damage;
mod deck;
mod deferred;
mod energy;
mod evolve;
mod keywords;
mod level;
mod loops;
mod moves;
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

pub use deck::problems as deck_problems;

/// The rulebook of NOVA.
pub struct Nova;

/// Several clauses say it together: without one of them it is not so. They are reached by being asked.
fn say<const N: usize>(d: &mut crate::kernel::Duel, cites: [&'static crate::kernel::Cite; N]) -> bool {
    for cite in cites {
        d.trace.reach(cite);
    }
    cites.into_iter().all(|cite| d.on(cite))
}
