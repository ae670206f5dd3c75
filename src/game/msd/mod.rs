//! 魔法少女 ザ・デュエル: the rulebook. Files follow the document.
//!
//! | chapter | file |
//! |---|---|
//! | 104, 105, 909, 910, 911 principles, continuous effects, replacement | [`book`] |
//! | 200 data and words, 300 zones | [`schema`], [`zones`] |
//! | 303, 306.5, 307, 308, 1112 how a card arrives | [`arrive`] |
//! | 314, 504.1c, 1020 piles of entity and stock | [`piles`] |
//! | 101–103, 400 decks, preparation, the end | [`setup`] |
//! | 500, 1021 turn and phases | [`turn`], [`call`] |
//! | 600 priority, 906 triggers | [`priority`] |
//! | 1301 loops | [`loops`] |
//! | 700 what a player may do | [`moves`] |
//! | 800 battle | [`battle`] |
//! | 901, 902, 904, 906.5, 1012 where a text works, what is read | [`text`] |
//! | 903.2, 1105, 1114 activating | [`activate`] |
//! | 803.4, 903.2g-iii what texts ask for besides | [`demands`] |
//! | 903.3, 1019 resolving | [`resolve`] |
//! | 907, 1002, 1108 odo | [`odo`] |
//! | 1006–1018 acts | [`acts`] |
//! | 1009, 1103 orbs and ブレイク | [`orbs`] |
//! | 1100 keyword skills | [`keywords`] |
//! | 909.7 as long as, control for a time | [`lasting`] |
//! | 104.6 numbers that grow and fall | [`numbers`] |
//! | 1200 rule processes | [`checks`] |
//! | what cards can say and is not executed | [`speech`] |

/// A citation of this document: `msd!("1202.1", Check)`.
macro_rules! msd {
    ($clause:literal, $rule:ident) => {
        $crate::cite!("msd", $clause, $rule)
    };
    ($clause:literal) => {
        $crate::cite!("msd", $clause, Procedure)
    };
}

mod activate;
mod acts;
mod arrive;
mod battle;
mod book;
mod call;
mod checks;
mod demands;
mod keywords;
mod lasting;
mod loops;
mod moves;
mod numbers;
mod odo;
mod orbs;
mod piles;
mod priority;
mod resolve;
mod schema;
mod setup;
mod speech;
mod text;
mod turn;
mod zones;

/// The rulebook of 魔法少女 ザ・デュエル.
pub struct Msd;

pub use setup::deck_problems;
