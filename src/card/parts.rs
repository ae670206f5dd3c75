//! The parts of a text, for whoever looks for something in it: every one of them, the outer before the inner. A new field
//! of the language does not compile here until it is said what is in it.

use super::{
    Ability, Amount, Change, Cond, Filter, Immune, Keyword, Mode, Pattern, Pool, Range, Replace, Spots, Step, Target,
    Test, Value, Word,
};

/// A part of a text.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    Ability(&'a Ability),
    Keyword(&'a Keyword),
    Step(&'a Step),
    Target(&'a Target),
    Filter(&'a Filter),
    Value(&'a Value),
    Cond(&'a Cond),
    Pattern(&'a Pattern),
    Change(&'a Change),
    /// A word for cards, players or a number: `this`, `event`, `相手`, a slot.
    Word(Word),
    /// A datum that is looked at.
    Reads(Word),
    /// How long something lasts.
    Until(Word),
}

/// What has parts.
pub trait Parts {
    /// Shows itself and all that is in it.
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>));

    /// One of them is so.
    fn has_part(&self, mut is: impl FnMut(Part) -> bool) -> bool
    where
        Self: Sized,
    {
        let mut found = false;
        self.each_part(&mut |part| found |= is(part));
        found
    }

    /// The word is used of cards, players or numbers.
    fn speaks_of(&self, word: Word) -> bool
    where
        Self: Sized,
    {
        self.has_part(|part| matches!(part, Part::Word(used) if used == word))
    }
}

impl<T: Parts> Parts for Vec<T> {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        self.iter().for_each(|part| part.each_part(see));
    }
}

impl<T: Parts> Parts for Option<T> {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        self.iter().for_each(|part| part.each_part(see));
    }
}

impl<T: Parts> Parts for Box<T> {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        (**self).each_part(see);
    }
}

fn words<'a>(words: impl IntoIterator<Item = &'a Word>, see: &mut dyn FnMut(Part<'a>)) {
    words.into_iter().for_each(|word| see(Part::Word(*word)));
}

impl Parts for Ability {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        see(Part::Ability(self));
        let Ability { name: _, kind: _, keyword, from: _, timing: _, when, cond, optional: _, limit: _, .. } = self;
        let Ability { price: _, cost, target, modes, choose: _, steps, affects, grant, instead, .. } = self;
        keyword.each_part(see);
        when.each_part(see);
        cond.each_part(see);
        cost.each_part(see);
        target.each_part(see);
        for Mode { name: _, cost, target, steps } in modes {
            cost.each_part(see);
            target.each_part(see);
            steps.each_part(see);
        }
        steps.each_part(see);
        affects.each_part(see);
        grant.each_part(see);
        instead.each_part(see);
    }
}

impl Parts for Keyword {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        see(Part::Keyword(self));
        let Keyword { name: _, value, range: _, price: _, cost, filter, words: _, text } = self;
        value.each_part(see);
        cost.each_part(see);
        filter.each_part(see);
        text.each_part(see);
    }
}

impl Parts for Pattern {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        see(Part::Pattern(self));
        let Pattern { event: _, card, from: _, not_from: _, to: _, not_to: _, near, by, who, how: _ } = self;
        card.each_part(see);
        words(near.values().chain(who), see);
        by.each_part(see);
    }
}

impl Parts for Target {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        see(Part::Target(self));
        let Target { slot: _, of, count, up_to, any_number: _, by, random: _, silent: _, loose: _, divide, total } =
            self;
        match of {
            Pool::Cards(filter) | Pool::Items(filter) => filter.each_part(see),
            Pool::Either(filter, who) => {
                filter.each_part(see);
                words([who], see);
            }
            Pool::Squares(spots) => spots.each_part(see),
            Pool::Players(who) => words([who], see),
            Pool::Numbers(from, to) => {
                from.each_part(see);
                to.each_part(see);
            }
            Pool::Places(_) | Pool::Words(_) => {}
        }
        [count, up_to, divide].into_iter().for_each(|value| value.each_part(see));
        for (datum, test) in total {
            see(Part::Reads(*datum));
            test.each_part(see);
        }
        words(by, see);
    }
}

impl Parts for Filter {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        see(Part::Filter(self));
        let Filter { is: _, of, owner, within, near, data, name: _, name_part: _, marks, state: _, has: _, .. } = self;
        let Filter { role: _, with: _, under, reference, except, any, not, highest, lowest, top, .. } = self;
        words(of.iter().chain(owner).chain(within).chain(near.values()).chain(under.values()), see);
        words(reference.iter().chain(except), see);
        for (datum, test) in data {
            see(Part::Reads(*datum));
            test.each_part(see);
        }
        marks.values().for_each(|least| least.each_part(see));
        any.each_part(see);
        not.each_part(see);
        highest.iter().chain(lowest).for_each(|datum| see(Part::Reads(*datum)));
        top.each_part(see);
    }
}

impl Parts for Test {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        let Test::Range(range) = self else { return };
        let Range { min, max, not: _, any: _, shared, only: _ } = &**range;
        min.each_part(see);
        max.each_part(see);
        words(shared, see);
    }
}

impl Parts for Spots {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        let Spots { within, near, with, without } = self;
        words(within.iter().chain(near.values()), see);
        with.each_part(see);
        without.each_part(see);
    }
}

impl Parts for Value {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        see(Part::Value(self));
        match self {
            Value::Number(_) => {}
            Value::Named(slot) => see(Part::Word(*slot)),
            Value::Made(amount) => amount.each_part(see),
        }
    }
}

impl Parts for Amount {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        match self {
            Amount::Count(filter) | Amount::Kinds(filter) => filter.each_part(see),
            Amount::Data(card, datum) => {
                see(Part::Word(*card));
                see(Part::Reads(*datum));
            }
            Amount::Highest(datum, filter) | Amount::Lowest(datum, filter) | Amount::Total(datum, filter) => {
                see(Part::Reads(*datum));
                filter.each_part(see);
            }
            Amount::Size(slot) => see(Part::Word(*slot)),
            Amount::Sum(values) | Amount::Product(values) => values.each_part(see),
            Amount::Divide(a, b) => {
                a.each_part(see);
                b.each_part(see);
            }
            Amount::Event(_) => see(Part::Word(Word("event"))),
            Amount::Marks(card, _) => see(Part::Word(*card)),
            Amount::Fact(who, _) => see(Part::Word(*who)),
        }
    }
}

impl Parts for Cond {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        see(Part::Cond(self));
        match self {
            Cond::Exists(filter) | Cond::None(filter) => filter.each_part(see),
            Cond::Equal(a, b) | Cond::AtLeast(a, b) | Cond::AtMost(a, b) => {
                a.each_part(see);
                b.each_part(see);
            }
            Cond::Did(word) | Cond::Turn(word) => see(Part::Word(*word)),
            Cond::During(_) | Cond::Paid(_) => {}
            Cond::Happened(pattern) => pattern.each_part(see),
            Cond::All(conds) | Cond::Any(conds) => conds.each_part(see),
            Cond::Not(cond) => cond.each_part(see),
        }
    }
}

impl Parts for Change {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        see(Part::Change(self));
        match self {
            Change::Add(_, value) | Change::Down(_, value, _) | Change::Set(_, value) | Change::Base(_, value) => {
                value.each_part(see)
            }
            Change::Cost(_, _, value) | Change::Player(_, value) => value.each_part(see),
            Change::Limit(_, value) => value.each_part(see),
            Change::Gain(ability) => ability.each_part(see),
            Change::Copy(copied) => copied.cards.each_part(see),
            Change::Control(who) => see(Part::Word(*who)),
            Change::Read(from, to) => [from, to].into_iter().for_each(|datum| see(Part::Reads(*datum))),
            Change::Forbid(pattern) | Change::Oblige(pattern) => pattern.each_part(see),
            Change::Immune(immune) => {
                let Immune { to: _, by } = &**immune;
                by.each_part(see);
            }
            Change::Join(..) | Change::Become(..) | Change::Lose(_) | Change::LoseText(_) | Change::Price(..) => {}
            Change::PlayFrom(_) | Change::Enter(_) | Change::Bear(_) | Change::Under(_) => {}
        }
    }
}

impl Parts for Replace {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        let Replace { when, steps, to: _, state: _, amount, optional: _ } = self;
        when.each_part(see);
        steps.each_part(see);
        amount.each_part(see);
    }
}

impl Parts for Step {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        see(Part::Step(self));
        match self {
            Step::Move { what, all, to, near, at: _, state: _, control, how: _, attach: _, slot: _ } => {
                words(what.iter().chain([to]).chain(near.values()).chain(control), see);
                all.each_part(see);
            }
            Step::Draw { count, who, up_to: _ } => {
                words(who, see);
                count.each_part(see);
            }
            Step::Damage { what, all, who, amount, slot: _ } => {
                words(what.iter().chain(who), see);
                all.each_part(see);
                amount.each_part(see);
            }
            Step::Turn { what, all, state: _, slot: _ } => {
                words(what, see);
                all.each_part(see);
            }
            Step::Choose(target) => target.each_part(see),
            Step::Grant { what, all, changes, until } => {
                words(what, see);
                all.each_part(see);
                changes.each_part(see);
                until.iter().for_each(|until| see(Part::Until(*until)));
            }
            Step::Later { when, steps, until, about } => {
                words(about, see);
                when.each_part(see);
                steps.each_part(see);
                until.iter().for_each(|until| see(Part::Until(*until)));
            }
            Step::Replace { instead, until } => {
                instead.each_part(see);
                until.iter().for_each(|until| see(Part::Until(*until)));
            }
            Step::May { steps, by, then, otherwise, name: _ } => {
                words(by, see);
                [steps, then, otherwise].into_iter().for_each(|steps| steps.each_part(see));
            }
            Step::If { cond, then, otherwise } => {
                cond.each_part(see);
                [then, otherwise].into_iter().for_each(|steps| steps.each_part(see));
            }
            Step::EachPlayer { choose, steps, together: _ } => {
                choose.each_part(see);
                steps.each_part(see);
            }
            Step::ForEach { what, slot: _, steps } => {
                see(Part::Word(*what));
                steps.each_part(see);
            }
            Step::Repeat { count, until, steps } => {
                count.each_part(see);
                until.each_part(see);
                steps.each_part(see);
            }
            Step::Counter { what } => see(Part::Word(*what)),
            Step::Reveal { what, all, to, slot: _ } => {
                words(what.iter().chain(to), see);
                all.each_part(see);
            }
            Step::Shuffle { who } => words(who, see),
            Step::Swap { a, b } => words([a, b], see),
            Step::Retarget { what, to } => words([what, to], see),
            Step::Mark { what, name: _, count, each, to } => {
                words([what].into_iter().chain(to), see);
                count.each_part(see);
                each.each_part(see);
            }
            Step::Create { card: _, count, to, state: _, who } => {
                words([to].into_iter().chain(who), see);
                count.each_part(see);
            }
            Step::Let { slot: _, value } => value.each_part(see),
            Step::Act { name: _, who, what, count, slot: _ } => {
                words(who.iter().chain(what), see);
                count.each_part(see);
            }
            Step::End { who, result: _ } => see(Part::Word(*who)),
        }
    }
}
