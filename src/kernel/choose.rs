//! Choosing: targets when something is played, everything else when it resolves.

use super::book::Aim;
use super::duel::{Duel, Flow, Halt};
use super::event::Means;
use super::eyes::{Ctx, Memory};
use super::principle::{Gloss, Principle};
use super::question::{Asks, Question, Refusal};
use super::steps::Frame;
use super::table::{Ref, Seat, Thing};
use super::trace::Told;
use crate::card::{Filter, Part, Parts, Pool, Step, Target, Test, Value, Word};

/// The slot in which the shares of a divided number are kept.
pub fn shares(slot: Word) -> Word {
    Word::new(&format!("{slot}の割り振り"))
}

/// More sets than these are not looked through for those that come to the right number.
const MOST_SETS: usize = 20_000;

/// Shows all sets of that size out of the first so many, in order, until told to stop.
fn each_set(of: i32, size: usize, begun: &mut Vec<i32>, see: &mut dyn FnMut(&[i32]) -> bool) -> bool {
    if begun.len() == size {
        return see(begun);
    }
    for next in begun.last().map_or(0, |last| last + 1)..of {
        begun.push(next);
        let on = each_set(of, size, begun, see);
        begun.pop();
        if !on {
            return false;
        }
    }
    true
}

impl Duel<'_> {
    /// Things of a pool that can be chosen, and those that cannot although the text speaks of them.
    pub fn candidates_of(
        &mut self,
        frame: &Frame,
        pool: &Pool,
        as_target: bool,
    ) -> (Vec<Thing>, Vec<(Thing, &'static super::Cite)>) {
        let ctx = frame.ctx();
        match pool {
            Pool::Either(filter, who) => {
                let (mut good, bad) = self.candidates_of(frame, &Pool::Cards(filter.clone()), as_target);
                good.extend(self.candidates_of(frame, &Pool::Players(*who), as_target).0);
                (good, bad)
            }
            Pool::Cards(filter) => {
                let lost = !self.is_decided(Principle::LastKnown);
                let memory = Memory { lost, fronts: true, ..Memory::default() };
                let mut found = self.see_with(&memory, |eyes| eyes.select(&ctx, filter));
                self.noted(&memory);
                // What lies on the pile does not aim at itself, whether it is looked for as a card or as what it does.
                let own = |card: &Ref| frame.this == Some(*card);
                let on_pile = |d: &Self, card: Ref| d.t.context().pile.iter().any(|i| i.is_card(card));
                if as_target
                    && let Some(this) = found.iter().copied().find(own)
                    && on_pile(self, this)
                    && self.decides(Principle::NotItself)
                {
                    found.retain(|card| !own(card));
                }
                self.targetable(found, frame.this, as_target)
            }
            Pool::Squares(spots) => {
                (self.see(|eyes| eyes.spots(&ctx, spots)).into_iter().map(Thing::Zone).collect(), Vec::new())
            }
            Pool::Places(kind) => {
                let groups = self.book.schema().customs.groups;
                let count = groups.iter().find(|g| *kind == g.kind).map_or(0, |g| g.count);
                ((0..count).map(|i| Thing::Place(*kind, i)).collect(), Vec::new())
            }
            Pool::Players(who) => {
                let seats = match who.as_str() {
                    "自分" => vec![frame.seat],
                    "相手" => vec![frame.seat.other()],
                    _ => Seat::BOTH.to_vec(),
                };
                (seats.into_iter().map(Thing::Seat).collect(), Vec::new())
            }
            Pool::Items(filter) => {
                let (mut items, bare) = self.items(&ctx, filter);
                let own: Vec<u32> = self
                    .t
                    .context()
                    .pile
                    .iter()
                    .filter(|i| i.card.is_some() && i.card == frame.this)
                    .map(|i| i.id)
                    .collect();
                if items.iter().any(|t| matches!(t, Thing::Item(id) if own.contains(id)))
                    && self.decides(Principle::NotItself)
                {
                    items.retain(|t| !matches!(t, Thing::Item(id) if own.contains(id)));
                }
                (items, bare)
            }
            Pool::Words(words) => (words.iter().map(|w| Thing::Word(*w)).collect(), Vec::new()),
            Pool::Numbers(..) => (Vec::new(), Vec::new()),
        }
    }

    fn targetable(
        &mut self,
        found: Vec<Ref>,
        source: Option<Ref>,
        as_target: bool,
    ) -> (Vec<Thing>, Vec<(Thing, &'static super::Cite)>) {
        let mut good = Vec::with_capacity(found.len());
        let mut bad = Vec::new();
        for card in found {
            let book = self.book;
            match if as_target { book.may_choose(self, card, Aim::Target(source)) } else { Ok(()) } {
                Ok(()) => good.push(Thing::Card(card)),
                Err(cite) => bad.push((Thing::Card(card), cite)),
            }
        }
        (good, bad)
    }

    /// What is on the pile and comes from a card that fits. Nothing is a target of itself: it is not there yet.
    /// Then those that have no information to fit by.
    fn items(&mut self, ctx: &Ctx, filter: &Filter) -> (Vec<Thing>, Vec<(Thing, &'static super::Cite)>) {
        let pile: Vec<(u32, Option<Ref>)> = self.t.context().pile.iter().map(|i| (i.id, i.card)).collect();
        let topmost = self.book.schema().customs.answers_topmost;
        let top = pile.last().map(|(id, _)| *id);
        let anywhere = Filter { within: Vec::new(), ..filter.clone() };
        let ability = |i: &super::table::Item| i.ability.is_some();
        let (mut pile, mut bare) = (pile, Vec::new());
        if filter.is_particular()
            && self.t.context().pile.iter().any(ability)
            && let Some(cite) = self.book.schema().customs.bare_abilities
            && self.applies(cite, |_| "待っている能力は、テキストのほかに情報を持たない".into())
        {
            let items = &self.t.context().pile;
            bare = items.iter().filter(|i| ability(i)).map(|i| (Thing::Item(i.id), cite)).collect();
            pile.retain(|(id, _)| !items.iter().any(|i| i.id == *id && ability(i)));
        }
        let found = self.see(|eyes| {
            // A text that names a place speaks of what lies there itself, not of abilities of cards elsewhere.
            let lies = |card: Ref, place: &crate::card::Word| {
                let obj = eyes.t.obj(card.id);
                eyes.t.is_now(card) && eyes.book.inside(obj.zone, obj.face_up, *place, ctx.seat)
            };
            let placed = |card: Ref| filter.within.is_empty() || filter.within.iter().any(|place| lies(card, place));
            let fits = |card: &Option<Ref>| match card {
                Some(card) => placed(*card) && eyes.fits_anywhere(ctx, &anywhere, *card),
                None => filter.is.is_empty(),
            };
            pile.iter()
                .filter(|(id, card)| (!topmost || top == Some(*id)) && fits(card))
                .map(|(id, _)| Thing::Item(*id))
                .collect()
        });
        (found, bare)
    }

    /// How many are to be chosen of `n`: at least and at most. `None` when there are too few.
    pub fn how_many(&mut self, frame: &Frame, target: &Target, n: usize, as_target: bool) -> Option<(usize, usize)> {
        let ctx = frame.ctx();
        if target.any_number {
            return Some((0, n));
        }
        if let Some(value) = &target.up_to {
            let most = self.number(&ctx, value).max(0) as usize;
            return Some((0, most.min(n)));
        }
        let count = target.count.as_ref().map_or(1, |v| self.number(&ctx, v)).max(0) as usize;
        match n >= count {
            true => Some((count, count)),
            // A target must be there, and what is paid; an effect takes what there is.
            false if as_target || self.in_full(frame.cause) => None,
            false if n == 0 => {
                self.gloss(Gloss::Impossible);
                Some((0, 0))
            }
            false => self.decides(Principle::InPart).then_some((n, n)),
        }
    }

    /// Takes out the cards that may not be chosen for that, with the clauses.
    fn sift(&mut self, of: &mut Vec<Thing>, refused: &mut Vec<(Thing, &'static super::Cite)>, aim: Aim) {
        let book = self.book;
        for thing in std::mem::take(of) {
            match if let Thing::Card(card) = thing { book.may_choose(self, card, aim) } else { Ok(()) } {
                Ok(()) => of.push(thing),
                Err(cite) => {
                    self.trace.reach(cite);
                    refused.push((thing, cite));
                }
            }
        }
    }

    /// Takes out the places that what the step moves there may not be put on, with the clauses.
    fn sift_places(
        &mut self,
        frame: &Frame,
        of: &mut Vec<Thing>,
        refused: &mut Vec<(Thing, &'static super::Cite)>,
        step: &Step,
    ) {
        let Step::Move { what, all, .. } = step else { return };
        if !of.iter().any(|thing| matches!(thing, Thing::Zone(_))) {
            return;
        }
        let moved = self.meant(frame, *what, all.as_ref());
        let book = self.book;
        for thing in std::mem::take(of) {
            let Thing::Zone(place) = thing else { continue };
            let denied = moved.iter().find_map(|card| book.may_choose(self, *card, Aim::Square(place)).err());
            match denied {
                None => of.push(thing),
                Some(cite) => {
                    self.trace.reach(cite);
                    refused.push((thing, cite));
                }
            }
        }
    }

    /// A hidden card that pays because of what it is is shown, where the game says so.
    fn show_found(&mut self, filter: &Filter, chosen: &[Thing], pays: bool) {
        let schema = self.book.schema();
        let customs = &schema.customs;
        let cite = customs.shows_found.or(customs.shows_payment.filter(|_| pays));
        let Some(cite) = cite.filter(|_| filter.is_particular()) else { return };
        for thing in chosen {
            let Thing::Card(card) = thing else { continue };
            let obj = self.t.obj(card.id);
            let hidden = schema.spec(obj.zone).sight != super::Sight::All && !obj.face_up && !obj.revealed;
            if hidden
                && self.applies(cite, |d| {
                    format!("{}{}を公開する", if pays { "代償に選んだ" } else { "選んだ" }, d.card_name(*card))
                })
            {
                self.aside().reveal(card.id, true);
            }
        }
    }

    /// A card that lies face down and was chosen by its front is shown.
    fn show_fronts(&mut self, seat: super::Seat, chosen: &[Thing]) {
        for thing in chosen {
            let Thing::Card(card) = thing else { continue };
            let obj = self.t.obj(card.id);
            let hidden = |looker| self.book.face_down(obj.zone, obj.owner, looker).is_some();
            if self.t.is_now(*card) && !obj.face_up && hidden(None) && !hidden(Some(seat)) {
                self.gloss(Gloss::ShowsFront);
                self.aside().reveal(card.id, true);
            }
        }
    }

    /// Chooses and puts into the slot. False when a target that must be chosen cannot be.
    pub fn choose(&mut self, frame: &mut Frame, target: &Target, as_target: bool) -> Flow<bool> {
        let ctx = frame.ctx();
        let by = target.by.and_then(|who| self.see(|eyes| eyes.seat(&ctx, who))).unwrap_or(frame.seat);
        if let Pool::Numbers(low, high) = &target.of {
            // No document lets a player choose less than nothing.
            let (low, high) = (self.number(&ctx, low), self.number(&ctx, high));
            let (min, max) = (low.max(0), high.max(0));
            let mut question = Question::new(by, target.slot, Asks::Number { min, max }).about(frame.this);
            if low < 0 {
                self.gloss(Gloss::AtLeastNothing);
                question.cite = self.book.gloss(Gloss::AtLeastNothing)[0];
            }
            if target.random {
                question.seat = None;
            }
            let n = self.ask(question)?;
            frame.slots.set(target.slot, vec![Thing::Number(n[0])]);
            return Ok(true);
        }
        if let Some(filter) = target.of.cards() {
            let book = self.book;
            book.look_through(self, frame, target, filter)?;
        }
        let (mut of, mut refused) =
            self.candidates_of(frame, &target.of, as_target || self.book.schema().customs.chooses_targets);
        let pays = !as_target && frame.cause.means == Means::Cost;
        let book = self.book;
        if pays && !refused.is_empty() && !book.a_cost_targets(self) {
            (of, refused) = self.candidates_of(frame, &target.of, false);
        }
        if let (false, Some(filter)) = (as_target, target.of.cards()) {
            let said = !target.silent && frame.cause.means != Means::Cost;
            self.sift(&mut of, &mut refused, Aim::Choice { filter, frame, said });
        }
        if let Some((how, card)) = self.laying.take() {
            of.retain(|thing| matches!(thing, Thing::Card(_)));
            self.sift(&mut of, &mut refused, Aim::Host { how, card });
        }
        let ahead = self.ahead.take();
        if let Some(step) = &ahead {
            self.sift(&mut of, &mut refused, Aim::Next(step));
            self.sift_places(frame, &mut of, &mut refused, step);
        }
        // What has no such number adds up to nothing.
        for name in target.total.keys() {
            let at = self.book.schema().data(name).map(|(at, _)| at);
            of.retain(|thing| matches!((thing, at), (Thing::Card(r), Some(at)) if self.seen(*r).number(at).is_some()));
        }
        let Some((mut min, mut max)) = self.how_many(frame, target, of.len(), as_target) else {
            frame.slots.set(target.slot, Vec::new());
            return Ok(false);
        };
        let mut duty = None;
        if let (false, Some(filter)) = (as_target, target.of.cards()) {
            let cards: Vec<Ref> =
                of.iter().filter_map(|t| if let Thing::Card(r) = t { Some(*r) } else { None }).collect();
            let book = self.book;
            if let Some((cite, open)) = book.may_fail_to_find(self, frame, by, filter, &cards)
                && min > open
                && !cards.is_empty()
            {
                self.trace.reach(cite);
                min = open;
            }
            duty = book.must_choose(self, frame, by, filter, &cards).filter(|_| min > 0);
        }
        let not_fewer = self.book.gloss(Gloss::NotFewer)[0].filter(|_| min > 0 && !as_target);
        if not_fewer.is_some_and(|cite| !self.on(cite)) {
            min = 0;
        }
        // Who may choose nothing says yes by choosing, as to what a text offers.
        let chooses = !as_target && !target.random && frame.cause.means != Means::Cost;
        let offered = chooses && min == 0 && max > 0;
        let book = self.book;
        if offered && let Some(cite) = book.had_enough(self, by, frame.this) {
            refused.extend(of.drain(..).map(|thing| (thing, cite)));
            max = 0;
        }
        if self.gives_reasons() {
            let left_out = book.left_out(self, frame, target, ahead.as_ref());
            let known = |thing: &Thing| of.contains(thing) || refused.iter().any(|(other, _)| other == thing);
            let more: Vec<_> = left_out.into_iter().filter(|(thing, _)| !known(thing)).collect();
            refused.extend(more);
        }
        if of.is_empty() && !as_target {
            for (thing, cite) in &refused {
                self.tell_under(Told::NotApplied, *cite, |d| format!("{}は選べない", d.name(*thing)));
            }
        }
        let mut sets = None;
        if !target.total.is_empty() {
            let found = self.adding_up(frame, target, &of, min..=max)?;
            let sizes = found.iter().map(Vec::len);
            let Some((least, most)) = sizes.clone().min().zip(sizes.max()) else {
                frame.slots.set(target.slot, Vec::new());
                self.gloss(Gloss::Impossible);
                if min > 0 && !as_target && !self.in_full(frame.cause) {
                    return self.unwritten("合計の条件を満たす選び方がないこと", &[]);
                }
                return Ok(min == 0);
            };
            (min, max) = (least, most);
            sets = Some((of.clone(), found));
        }
        // Where each has a share no more can be chosen than there is to share.
        let mut shared = None;
        let of_itself = |part: Part| matches!(part, Part::Word(slot) if slot == target.slot);
        if let Some(total) = target.divide.as_ref().filter(|total| !total.has_part(of_itself)) {
            let most = usize::try_from(self.number(&frame.ctx(), total)).unwrap_or(0).max(1);
            if max > most && self.decides(Principle::Shares) {
                if min > most {
                    return self.undecided("割り振る数より多くのものを選ぶこと", &[]);
                }
                max = most;
                shared = self.book.says(Principle::Shares).cites()[0];
            }
        }
        let several = of.len() > max;
        let mut question = Question::new(by, target.slot, Asks::Choose { of, min, max }).about(frame.this);
        question.cite = duty.or(question.cite);
        question.more = shared;
        question.refused = refused;
        question.fewer = not_fewer;
        question.twice = self.book.says(Principle::Distinct).cites()[0];
        if target.random {
            question.seat = None;
        }
        if !as_target {
            self.gloss(Gloss::AtResolution);
        }
        if let Some((_, sets)) = &sets {
            question.whole = sets.clone();
        }
        let chosen = self.pick(question)?;
        if let Some((of, sets)) = sets {
            let mut set: Vec<i32> = (0..of.len() as i32).filter(|i| chosen.contains(&of[*i as usize])).collect();
            set.sort_unstable();
            if !sets.contains(&set) {
                let refusal =
                    Refusal { what: target.slot.to_string(), cite: self.span(), why: "合計が合わない".into() };
                return Err(Halt::Refused(Box::new(refusal)));
            }
        }
        if as_target && chosen.is_empty() {
            self.gloss(Gloss::NoTarget);
        }
        if chooses && !chosen.is_empty() && (offered || several) {
            book.agreed(self, by, frame.this, !offered);
        }
        self.show_fronts(frame.seat, &chosen);
        if let Some(filter) = target.of.cards() {
            self.show_found(filter, &chosen, frame.cause.means == Means::Cost);
        }
        frame.slots.set(target.slot, chosen.clone());
        if !as_target && target.of.cards().is_some() && !chosen.is_empty() {
            let cards: Vec<Ref> =
                chosen.iter().filter_map(|t| if let Thing::Card(r) = t { Some(*r) } else { None }).collect();
            let book = self.book;
            book.chosen(self, by, &cards, frame, !target.silent)?;
        }
        if let Some(total) = &target.divide {
            self.divide(frame, target, by, &chosen, total)?;
        }
        Ok(true)
    }

    /// What is chosen must come to something together: the sets that do, as places among the things.
    fn adding_up(
        &mut self,
        frame: &Frame,
        target: &Target,
        of: &[Thing],
        sizes: std::ops::RangeInclusive<usize>,
    ) -> Flow<Vec<Vec<i32>>> {
        let ctx = frame.ctx();
        let mut sums: Vec<(Vec<i64>, Option<i32>, Option<i32>)> = Vec::new();
        for (name, test) in &target.total {
            let Some((at, _)) = self.book.schema().data(name) else { continue };
            let mut each = Vec::new();
            for thing in of {
                let Thing::Card(card) = thing else { continue };
                each.push(i64::from(self.seen(*card).number(at).unwrap_or(0)));
            }
            let (least, most) = match test {
                Test::Word(_) => (None, None),
                Test::Number(n) => (Some(*n), Some(*n)),
                Test::Range(range) => {
                    let mut bound = |value: &Option<Value>| value.as_ref().map(|v| self.number(&ctx, v));
                    (bound(&range.min), bound(&range.max))
                }
            };
            sums.push((each, least, most));
        }
        let fits = |set: &[i32]| {
            sums.iter().all(|(each, least, most)| {
                let sum: i64 = set.iter().map(|i| each[*i as usize]).sum();
                least.is_none_or(|n| sum >= n.into()) && most.is_none_or(|n| sum <= n.into())
            })
        };
        let (mut found, mut looked) = (Vec::new(), 0);
        for size in sizes {
            let few = each_set(of.len() as i32, size, &mut Vec::new(), &mut |set| {
                looked += 1;
                if fits(set) {
                    found.push(set.to_vec());
                }
                looked <= MOST_SETS
            });
            if !few {
                return self.unwritten("合計を合わせる選び方が多すぎること", &[]);
            }
        }
        Ok(found)
    }

    /// Shares out a number, at least one for each.
    fn divide(
        &mut self,
        frame: &mut Frame,
        target: &Target,
        by: Seat,
        among: &[Thing],
        total: &crate::card::Value,
    ) -> Flow {
        let mut left = self.number(&frame.ctx(), total);
        let mut parts = Vec::new();
        let floor = i32::from(among.len() > 1 && self.decides(Principle::Shares));
        for (i, thing) in among.iter().enumerate() {
            let others = (among.len() - i - 1) as i32;
            let after = others.saturating_mul(floor);
            let card = if let Thing::Card(r) = thing { Some(*r) } else { None };
            let least = if others == 0 { left } else { floor };
            let most = left.saturating_sub(after);
            let asks = Asks::Number { min: least.min(most), max: most };
            let mut question = Question::new(by, shares(target.slot), asks).about(card);
            question.cite = self.book.says(Principle::Shares).cites()[0];
            let n = self.ask(question)?[0];
            left = left.saturating_sub(n);
            parts.push(Thing::Number(n));
        }
        frame.slots.set(shares(target.slot), parts);
        Ok(())
    }
}
