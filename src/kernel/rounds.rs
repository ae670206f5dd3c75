//! Loops in what players do: the same player in the same position again and again. The kernel finds the round and bars
//! what must not be gone on with; who says how often, and what follows, is each game's clause.

use super::cite::Cite;
use super::duel::{Duel, Flow};
use super::question::{Asks, Move, Question};
use super::table::Seat;
use crate::card::Word;

/// How many acts pass before we begin to look for loops, and how often a position must come.
pub const LONG: usize = 8;
pub const OFTEN: usize = 3;
/// More than anybody says.
pub const MOST: i32 = 9_999;

/// An act: the position, who, what, and whether there was anything else to do.
pub type Act = (u64, Seat, Move, bool);

impl Duel<'_> {
    /// The position matters only where a loop is possible, and takes time to make out.
    pub fn may_go_round(&self) -> bool {
        self.acts.len() + 1 >= LONG || !self.barred.is_empty()
    }

    /// The round that ends here: the acts since the player was last in this position, if that was often enough.
    pub fn round(&self, who: Seat, here: u64) -> Option<Vec<Act>> {
        let same = |a: &&Act| a.0 == here && a.1 == who;
        if self.acts.len() < LONG || self.acts.iter().filter(same).count() + 1 < OFTEN {
            return None;
        }
        self.acts.iter().rposition(|a| same(&a)).map(|at| self.acts[at..].to_vec())
    }

    /// The player says how often the loop is gone through.
    pub fn how_often(&mut self, seat: Seat, max: i32, cite: &'static Cite) -> Flow<i32> {
        self.trace.reach(cite);
        let asks = Asks::Number { min: 0, max };
        Ok(self.ask(Question::new(seat, Word("ループの回数"), asks).citing(cite))?[0])
    }

    /// It has been gone through as often as was said: the position is the same after every round, so that how often does
    /// not matter any more. These acts are not taken again in any position of it.
    pub fn bar(&mut self, round: &[Act], barred: impl Fn(&Act) -> bool) {
        let positions: Vec<u64> = round.iter().map(|a| a.0).collect();
        let acts = round.iter().filter(|a| !a.2.is_pass() && barred(a));
        self.barred.extend(acts.map(|a| (a.1, a.2, positions.clone())));
        self.acts.clear();
    }

    /// What goes on with a loop that has been ended is not offered.
    pub fn leave_barred(&self, who: Seat, here: u64, moves: &mut Vec<Move>) {
        let barred =
            |m: &Move| self.barred.iter().any(|(seat, b, at)| *seat == who && m.is_again(b) && at.contains(&here));
        moves.retain(|m| m.is_pass() || !barred(m));
    }

    /// The player did this.
    pub fn note_act(&mut self, here: u64, who: Seat, chosen: Move, others: bool) {
        let here = if self.acts.len() + 1 >= LONG { here } else { 0 };
        self.acts.push((here, who, chosen, others));
    }
}
