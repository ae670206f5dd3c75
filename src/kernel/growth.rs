//! What comes again and again with more of something each time: it is never the same position, and it never ends either.

use super::duel::{Duel, Flow};
use super::table::{Holds, Obj, Ongoing};
use crate::card::{Amount, Change, Part, Parts, Step, Value, Word};

/// How often the rules go round without anybody having done anything before we look, and how often the rest of the
/// position must have come.
const LONG: usize = 12;
const OFTEN: usize = 3;
/// The same where somebody could have done something.
const PATIENT: usize = 60;

/// What came since somebody did something.
#[derive(Default)]
pub(super) struct Growth {
    /// Somebody could have done something, and let it go on.
    let_go: bool,
    /// How often the rules went round.
    rounds: usize,
    /// The most there was of what grows.
    most: usize,
    /// The rest of the position, whenever there was more than ever.
    seen: Vec<u64>,
}

impl Growth {
    /// Somebody chose something, or chance did: it need not go on as it did.
    pub(super) fn ends(&mut self) {
        *self = Growth::default();
    }

    /// Somebody could have done something: it need not go on, but does.
    pub(super) fn is_let_go(&mut self) {
        self.let_go = true;
    }
}

impl Duel<'_> {
    /// The rules go round once more: the rest of the position has come again and again, with more each time of what no
    /// rule looks at, however much there is of it, and no text either. Nothing will ever be otherwise, unless somebody
    /// does something.
    pub(super) fn only_grows(&mut self) -> Flow<bool> {
        // A loop that goes round as often as was said comes to its end.
        if !self.rounds_to_go.is_empty() {
            self.growth.ends();
        }
        self.growth.rounds += 1;
        if self.growth.rounds < if self.growth.let_go { PATIENT } else { LONG } {
            return Ok(false);
        }
        let marks = self.marks_are_idle();
        let much = self.wealth(marks);
        if much <= self.growth.most {
            return Ok(false);
        }
        self.growth.most = much;
        let here = if marks { self.shape() } else { self.position_but_growth() };
        let often = self.growth.seen.iter().filter(|then| **then == here).count();
        self.growth.seen.push(here);
        let grows = often >= OFTEN && self.t.ongoing.iter().all(|o| self.is_harmless(o)) && !self.asks_for_growth();
        if grows && self.growth.let_go {
            let text = "同じことが、数を増やしながら繰り返されています。ほかの行動をすれば止まるかもしれません";
            return Err(self.grows(self.waits(), text.into()));
        }
        Ok(grows)
    }

    /// Who is greater decides a battle: what grew before it goes on need not go on as it did.
    pub(super) fn battle_goes_on(&mut self) {
        if self.t.contexts.iter().any(|c| !c.fights.is_empty()) {
            self.growth.ends();
        }
    }

    /// How much there is of what grows: effects that add to numbers, points, numbers of the players, markers that nobody
    /// looks at.
    fn wealth(&self, marks: bool) -> usize {
        let on = |card: &Obj| card.marks.iter().map(|(_, n)| (*n).max(0) as usize).sum::<usize>();
        let marks: usize = if marks { self.t.cards.iter().map(on).sum() } else { 0 };
        let customs = &self.book.schema().customs;
        let adds = self.t.ongoing.iter().filter(|o| o.adds()).count();
        let points: usize = self.t.pool.iter().map(Vec::len).sum();
        let uncounted = customs.grow.iter().filter(|at| !customs.counters.contains(at));
        let numbers = uncounted.flat_map(|at| self.t.seats.iter().map(|facts| facts[*at].max(0) as usize));
        adds + points + marks + numbers.sum::<usize>()
    }

    /// Markers mean nothing by themselves, and no text looks at them or takes them away.
    fn marks_are_idle(&self) -> bool {
        let looks = |part: Part| match part {
            Part::Filter(filter) => !filter.marks.is_empty(),
            Part::Value(Value::Made(amount)) => matches!(**amount, Amount::Marks(..)),
            Part::Step(Step::Mark { count, to, each, .. }) => {
                to.is_some() || !each.is_empty() || !matches!(count, Value::Number(1..))
            }
            _ => false,
        };
        self.book.schema().customs.idle_marks && !self.given.defs.iter().any(|def| def.card.abilities.has_part(looks))
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
