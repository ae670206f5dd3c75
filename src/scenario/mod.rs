//! Scenarios: a position, what is done, what must come of it, and the clauses that decide it.
//!
//! The folders are the way a scenario takes: the *file* is read, the table is *given*, the script is *played*, what came of it
//! is compared with what was *expected*, and the whole is *judged*, with clauses knocked out and twins run.
//!
//! A scenario is one YAML mapping. Its structure is English, its words are those of the game:
//!
//! | key | what it says | read in |
//! |---|---|---|
//! | `title`, `question`, `example`, `game`, `verdict`, `reason`, `clauses`, `readings` | what it is about | [`file`] |
//! | `cards` | cards of its own, in the language of [`crate::card`] | [`file::store`] |
//! | `given` | the table: `turn`, each seat with its zones, `squares`, `facts` | [`given`] |
//! | `play` | moves, answers, passes, expectations in between | [`play`] |
//! | `expect`, `claims` | what must be so at the end | [`expect`] |
//! | `why`, `vary`, `under` | what decides it, and how that is known | [`judge`] |
//! | `explore` | every answer that is left open | [`judge::explore`] |
//!
//! ```
//! use saitei::scenario::{Scenario, Store, check};
//! let text = "
//! game: dz
//! title: メインフェイズでなければ移動できない
//! cards:
//! - name: 旅人
//!   data: {使用コスト: 無色1, 移動コスト: 無色0, 分類: ユニット, タイミング: ノーマル, 色: 青, 種族: 人, パワー: 2000, スマッシュ: 1}
//! given:
//!   turn: {player: A, phase: スマッシュフェイズ}
//!   squares: {中央/自軍: [{旅人: 旅人, of: A}]}
//! play:
//! - A: {移動: 旅人, to: 中央/中央, refused: dz:3.8.2}
//! expect: {phase: スマッシュフェイズ, 旅人: {zone: 中央/自軍}, unchanged: [旅人]}
//! why: [dz:3.8.2]
//! ";
//! let scenario = Scenario::load("rulings/dz/x.yaml".as_ref(), text).map_err(|p| p[0].to_string()).unwrap();
//! let report = check(&scenario, &Store::default());
//! assert!(report.passed, "{:?}", report.failures);
//! assert!(report.why[0].reached && report.why[0].decisive);
//! ```
//!
//! What keeps scenarios honest is checked, not advised: every real question must be answered and every answer used;
//! what is refused must be refused for the clause named; nothing is expected of what nothing happened to, unless it is
//! said to be `unchanged`; the table must be lawful; every clause in `why` must be reached, and knocking it out must
//! change what comes out, or a twin (`vary` with `carries`) must show the difference.

mod expect;
mod file;
mod given;
mod judge;
mod play;

pub use expect::look::Scene;
pub use expect::traits::{Trait, data_words};
pub use expect::{Content, Expect, Says};
pub use file::change::WhatIf;
pub use file::node::{At, Key, Kind, Node, Note};
pub use file::store::Store;
pub use file::words::{Names, nearest, unknown};
pub use file::{Books, Explore, File, Scenario, Under, Vary, Verdict};
pub use given::setup::fact_names;
pub use judge::board::{Board, Change, Pile, Player, Shown, Square, changes, is_note, state_words};
pub use judge::check::{Report, Twin, Why, check, holds};
pub use judge::explore::{Ending, explore_all};
pub use judge::tell::{Line, Story, story};
pub use play::answer::{move_words, options};
pub use play::attempt::{Attempt, Case, Ready, Refusal, WRONG_CLAUSE};
pub use play::script::{Does, Wanted};

#[cfg(test)]
mod tests;
