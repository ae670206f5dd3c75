//! Steps in which players only pass: how far such a step has come.

use crate::card::Word;
use crate::kernel::{Seat, Table};
use crate::scenario::play::script::Passing;

/// What a step of passing has seen so far.
#[derive(Default)]
pub struct Progress {
    passed: Vec<Seat>,
    /// Where the table stood when it began.
    from: Option<(u16, Word, Word, usize)>,
    any: bool,
    /// The phase or step has begun; nothing need have been asked in it.
    begun: bool,
    /// It waits for the end of a battle.
    fights: bool,
}

impl Progress {
    /// Whether the seat passes now, and whether the step is over.
    pub fn look(&mut self, t: &Table, seat: Seat, passing: &Passing) -> (bool, bool) {
        let here = (t.turn, t.phase, t.context().step, t.contexts.len());
        let from = *self.from.get_or_insert(here);
        match passing {
            Passing::One(who) => (true, *who == seat),
            Passing::Both if self.passed.contains(&seat) => (false, true),
            Passing::Both => {
                self.passed.push(seat);
                (true, self.passed.len() == 2)
            }
            Passing::All if !t.context().pile.is_empty() => {
                self.any = true;
                (true, false)
            }
            // Where nothing else waits, a battle does.
            Passing::All if is_fighting(t) && (self.fights || !self.any) => {
                (self.any, self.fights) = (true, true);
                (true, false)
            }
            Passing::All => (false, true),
            Passing::Until(_) if self.begun => (false, true),
            Passing::Until(phase) => {
                let reached = t.phase == *phase || t.contexts.iter().any(|c| c.step == *phase);
                if !reached {
                    // Having left, it may come back to where it was.
                    self.from = Some((0, Word(""), Word(""), 0));
                }
                if reached && from != here { (false, true) } else { (true, false) }
            }
        }
    }

    /// A phase or step begins.
    pub fn enters(&mut self, name: Word, passing: &Passing) {
        self.begun |= matches!(passing, Passing::Until(phase) if *phase == name);
    }

    /// `pass: all` and nothing to pass for.
    pub fn idle(&self, passing: &Passing) -> bool {
        *passing == Passing::All && !self.any
    }
}

fn is_fighting(t: &Table) -> bool {
    t.contexts.iter().any(|c| !c.fights.is_empty())
}
