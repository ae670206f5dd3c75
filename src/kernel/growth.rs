//! What comes again and again with more of something each time: it is never the same position, and it never ends either.

use super::duel::Duel;
use super::table::{Holds, Ongoing};
use crate::card::{Amount, Change, Part, Parts, Value, Word};

/// How often the rules go round without anybody having had a choice before we look, and how often the rest of the
/// position must have come.
const LONG: usize = 12;
const OFTEN: usize = 3;

/// What came since somebody had a choice.
#[derive(Default)]
pub(super) struct Growth {
    /// How often the rules went round.
    rounds: usize,
    /// The most there was of what grows.
    most: usize,
    /// The rest of the position, whenever there was more than ever.
    seen: Vec<u64>,
}

impl Growth {
    /// Somebody had a choice, or chance had: it need not go on as it did.
    pub(super) fn ends(&mut self) {
        (self.rounds, self.most) = (0, 0);
        self.seen.clear();
    }
}

impl Duel<'_> {
    /// The rules go round once more: the rest of the position has come again and again, with more each time of what no
    /// rule looks at, however much there is of it, and no text either. Nothing will ever be otherwise.
    pub(super) fn only_grows(&mut self) -> bool {
        // Who is greater in a battle decides it; and a loop that goes round as often as was said comes to its end.
        if !self.t.context().fights.is_empty() || !self.rounds_to_go.is_empty() {
            self.growth.ends();
        }
        self.growth.rounds += 1;
        if self.growth.rounds < LONG {
            return false;
        }
        let much = self.wealth();
        if much <= self.growth.most {
            return false;
        }
        self.growth.most = much;
        let here = self.position_but_growth();
        let often = self.growth.seen.iter().filter(|then| **then == here).count();
        self.growth.seen.push(here);
        often >= OFTEN && self.t.ongoing.iter().all(|o| self.is_harmless(o)) && !self.asks_for_growth()
    }

    /// How much there is of what grows: effects that add to numbers, points, numbers of the players.
    fn wealth(&self) -> usize {
        let customs = &self.book.schema().customs;
        let adds = self.t.ongoing.iter().filter(|o| o.adds()).count();
        let points: usize = self.t.pool.iter().map(Vec::len).sum();
        let uncounted = customs.grow.iter().filter(|at| !customs.counters.contains(at));
        let numbers = uncounted.flat_map(|at| self.t.seats.iter().map(|facts| facts[*at].max(0) as usize));
        adds + points + numbers.sum::<usize>()
    }

    /// It adds to nothing, or raises what no rule looks at.
    fn is_harmless(&self, ongoing: &Ongoing) -> bool {
        let unbounded = self.book.schema().customs.unbounded;
        let raises = |change: &Change| matches!(change, Change::Add(name, Value::Number(n)) if unbounded.contains(&name.as_str()) && *n > 0);
        !ongoing.adds() || matches!(&ongoing.holds, Holds::Changes(all) if all.iter().all(raises))
    }

    /// Some text looks at what grows or makes it a certain number.
    fn asks_for_growth(&self) -> bool {
        let customs = &self.book.schema().customs;
        let grows = |name: Word| customs.unbounded.contains(&name.as_str());
        let fixes = |change: &Change| match change {
            Change::Set(name, _) | Change::Base(name, _) | Change::Down(name, ..) => grows(*name),
            Change::Bear(data) => data.keys().any(|name| grows(*name)),
            _ => false,
        };
        let asks = |part: Part| match part {
            Part::Reads(datum) => grows(datum),
            Part::Change(change) => fixes(change),
            Part::Value(Value::Made(amount)) => matches!(**amount, Amount::Fact(..)),
            Part::Keyword(keyword) => customs.counting.contains(&keyword.name.as_str()),
            _ => false,
        };
        self.given.defs.iter().any(|def| def.card.abilities.has_part(asks))
    }
}
