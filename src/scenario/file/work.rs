//! How much may be done for one scenario, all its runs together: its twins, its knock-outs, every way it explores, a
//! run more for every refused step. Counted, not clocked: the same scenario always comes as far.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::kernel::Table;

/// What is counted is an event or a question, times the cards that are looked at because of it. Our largest scenario
/// takes a small part of this.
const MOST: u64 = 60_000_000;

/// Telling what happens, line by line and clause by clause, takes so many times as long as letting it happen.
const TOLD: u64 = 4;

/// Setting up a table, and looking at one without cards.
const BEGIN: u64 = 16;
const TABLE: u64 = 64;

/// What has been done, and what is taken for done at the beginning.
#[derive(Clone, Debug, Default)]
pub struct Work(Arc<AtomicU64>, Arc<AtomicU64>);

impl Work {
    /// From the beginning, for what is asked now.
    pub fn anew(&self) {
        self.0.store(self.1.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// From here on only one part in so many may be done: somebody waits for it.
    pub fn hurry(&self, part: u64) {
        self.1.store(MOST - MOST / part.max(1), Ordering::Relaxed);
        self.anew();
    }

    /// How many events and questions there may still be at this table; `None` when all is used up.
    pub fn left(&self, table: &Table, told: bool) -> Option<usize> {
        let left = MOST.saturating_sub(self.0.load(Ordering::Relaxed)) / weight(table, told);
        (left > BEGIN).then_some(left as usize)
    }

    /// A run is over.
    pub fn spend(&self, given: &Table, end: &Table, questions: usize, told: bool) {
        let events = u64::from(end.clock.saturating_sub(given.clock));
        let done = BEGIN.saturating_add(events).saturating_add(questions as u64);
        self.0.fetch_add(done.saturating_mul(weight(end, told)), Ordering::Relaxed);
    }

    /// Something could not be played to its end: from here on nothing is.
    pub fn exhaust(&self) {
        self.0.store(MOST, Ordering::Relaxed);
    }

    pub fn is_over(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= MOST
    }

    /// What is said when all is used up.
    pub fn over() -> String {
        "この盤面を調べるための処理が多すぎます。カード、手順、選び方、変えた盤面のどれかを減らしてください".to_string()
    }
}

fn weight(table: &Table, told: bool) -> u64 {
    (TABLE + table.cards.len() as u64) * if told { TOLD } else { 1 }
}
