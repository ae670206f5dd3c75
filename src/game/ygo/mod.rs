//! 遊戯王OCG: the rulebook. Files follow the document.
//!
//! | edition and section | file |
//! |---|---|
//! | 1.1.3 the field | [`places`] |
//! | 1.2, 1.4.1 data and words | [`schema`] |
//! | 1.3 summoning, 2.2 positions | [`summon`] |
//! | 1.4, 2.3, 2.6, 2.7.4 when cards and effects may be used | [`allowed`] |
//! | 3.3.20, 4.1.1–4.1.3, 4.1.21 using them: cost, activation, targets | [`activate`] |
//! | 1.5, 3.1 preparation, winning | [`setup`] |
//! | 1.6 turn and phases | [`turn`] |
//! | 1.7, 3.3.6 battle damage | [`damage`] |
//! | 2.5 battle phase, attack, replay | [`battle`] |
//! | 2.7, 3.3.4–3.3.5, 3.3.18 chain | [`chain`] |
//! | 3.3.17, 4.1.28 who may act | [`priority`] |
//! | 3.3.24–3.3.29 damage step | [`stages`] |
//! | 3.3.15, 4.1.14–4.1.17 what texts mean | [`text`] |
//!
//! Not here yet: special summons by procedure (2.4), pendulum, equip cards, tokens, change of control, speed duels.

/// A citation of this document: `ygo!("2.7.5.2", Limit)`.
macro_rules! ygo {
    ($clause:literal, $rule:ident) => {
        $crate::cite!("ygo", $clause, $rule)
    };
    ($clause:literal) => {
        $crate::cite!("ygo", $clause, Procedure)
    };
}

/// Refuses unless the condition holds or the clause is knocked out.
macro_rules! limit {
    ($d:expr, $m:expr, $ok:expr, $cite:expr, $why:expr) => {
        if !$ok {
            let cite = $cite;
            if $d.on(cite) {
                return $crate::game::ygo::moves::refusal($d, $m, cite, $why);
            }
        }
    };
}

mod activate;
mod allowed;
mod battle;
mod book;
mod chain;
mod damage;
mod moves;
mod places;
mod priority;
mod schema;
mod setup;
mod stages;
mod summon;
mod text;
mod turn;

/// The rulebook of 遊戯王OCG.
pub struct Ygo;
