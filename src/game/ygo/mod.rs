//! 遊戯王OCG: the rulebook. Files follow the document.
//!
//! | edition and section | file |
//! |---|---|
//! | 1.1.3 the field | [`places`] |
//! | 1.2, 3.3.16, 3.3.22, 4.1.26 kinds of monsters | [`kinds`] |
//! | 1.2, 1.4.1 data and words | [`schema`] |
//! | 1.3 summoning, 2.2 positions | [`summon`] |
//! | 1.4, 2.3, 2.6, 2.7.4 when cards and effects may be used | [`allowed`] |
//! | 2.3.3, 4.1.6 when a triggered effect cannot be used | [`untimely`] |
//! | 3.3.20, 4.1.1–4.1.3, 4.1.21 using them: cost, activation, targets | [`activate`] |
//! | 1.5, 3.1 preparation, winning | [`setup`] |
//! | 1.6 turn and phases | [`turn`] |
//! | 1.7, 3.3.6 battle damage | [`damage`] |
//! | 2.5 battle phase, attack, replay | [`battle`] |
//! | 2.7, 3.3.4–3.3.5, 3.3.18 chain | [`chain`] |
//! | 3.3.17, 4.1.28 who may act | [`priority`] |
//! | 3.3.24–3.3.29 damage step | [`stages`] |
//! | 3.3.15, 4.1.14–4.1.17 what texts mean | [`text`] |
//! | 2.4.2–2.4.5, 2.4.16–2.4.19, 2.4.22 materials | [`materials`] |
//! | 2.4.3, 2.4.17, 2.4.20, 3.3.12, 3.3.16 summons that are no activation | [`procedure`] |
//! | 2.4.6–2.4.10, 4.1.30 markers and extra link | [`markers`] |
//! | 2.4.6, 2.4.8 where a monster can be put | [`landing`] |
//! | 2.4.11–2.4.14, 3.3.21 pendulum summon | [`pendulum`] |
//! | 2.4.21–2.4.26 fusion and ritual | [`fusion`] |
//! | 3.3.2, 3.3.13, 3.3.23 cards that go elsewhere | [`redirect`] |
//! | 3.1.2.3, 4.1.10, 4.1.31 what the rules see to at once | [`field`] |
//! | 3.3.18 effects of the end phase | [`ending`] |
//! | 3.3.11 effects that last for a number of turns | [`lasting`] |
//! | (reading C53) negating a summon | [`negation`] |
//! | 1.9.2, 2.1, 3.2.1, 3.3.1, 3.3.23.1 decks | [`deck`] |
//! | 3.1.1, 3.2.1 matches | [`rounds`] |
//! | what texts can say and this game does not execute | [`speech`] |
//! | 1.9 speed duels: the numbers and zones where they differ | [`places`], [`setup`], [`turn`] |

/// A citation of this document: `ygo!("2.7.5.2", Limit)`.
macro_rules! ygo {
    ($clause:literal, $rule:ident) => {
        $crate::cite!("ygo", $clause, $rule)
    };
    ($clause:literal) => {
        $crate::cite!("ygo", $clause, Procedure)
    };
}

mod activate;
mod allowed;
mod battle;
mod book;
mod chain;
mod damage;
mod deck;
mod ending;
mod field;
mod fusion;
mod kinds;
mod landing;
mod lasting;
mod markers;
mod materials;
mod moves;
mod negation;
mod pendulum;
mod places;
mod priority;
mod procedure;
mod redirect;
mod rounds;
mod schema;
mod setup;
mod speech;
mod stages;
mod summon;
mod text;
mod turn;
mod untimely;

pub use deck::problems as deck_problems;

/// The rulebook of 遊戯王OCG.
pub struct Ygo;
