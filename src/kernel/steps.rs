//! Carries out the steps of an effect or a cost, in the order in which they are written.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::book::Act;
use super::choose::shares;
use super::duel::{Duel, Flow};
use super::event::{Cause, Event, Means, What};
use super::eyes::{BY_EACH, Ctx, by_each};
use super::principle::{Gloss, Principle};
use super::propose::{Done, Upshot};
use super::question::{Asks, Question};
use super::table::{CardId, Holds, Ongoing, Outcome, Ref, Seat, Slots, Thing, Watch, ZoneId};
use super::trace::Told;
use crate::card::{Ability, Change, Filter, IT, Kind, Pool, Step, Target, Value, Word};

/// For whom, from what and with what the steps are carried out.
#[derive(Clone, Debug)]
pub struct Frame {
    pub this: Option<Ref>,
    pub seat: Seat,
    pub slots: Slots,
    pub event: Option<Arc<Event>>,
    pub cause: Cause,
}

/// Where the cards have gone that the text itself has moved: each as it was, and as it is.
const GONE: Word = Word("動かした先");

impl Frame {
    pub fn ctx(&self) -> Ctx<'_> {
        Ctx { this: self.this, seat: self.seat, slots: &self.slots, event: self.event.as_deref() }
    }

    /// Where both players have chosen and it is done at once: whose part the card is, and what they chose with it.
    fn part(&self, card: Ref) -> Cow<'_, Frame> {
        let chosen = self.slots.get(&BY_EACH).unwrap_or_default();
        if chosen.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut own = Frame { seat: self.ctx().chooser(card), ..self.clone() };
        let slots: Vec<Word> = by_each(chosen).map(|(_, slot, _)| slot).collect();
        for slot in slots {
            let mine = by_each(chosen).filter(|(seat, name, _)| *seat == own.seat && *name == slot);
            own.slots.set(slot, mine.map(|(_, _, thing)| thing).collect());
        }
        Cow::Owned(own)
    }

    /// The same with the card in the slot.
    fn with(&self, slot: Word, card: Ref) -> Frame {
        let mut frame = self.clone();
        frame.slots.set(slot, vec![Thing::Card(card)]);
        frame
    }
}

impl Duel<'_> {
    /// Carries out the steps; whether all of them did something.
    pub fn perform(&mut self, frame: &mut Frame, steps: &[Step]) -> Flow<bool> {
        let mut all = true;
        for at in 0..steps.len() {
            all &= self.nth(frame, steps, at)?;
        }
        Ok(all)
    }

    /// One of the steps, with an eye to those that come after it.
    fn nth(&mut self, frame: &mut Frame, steps: &[Step], at: usize) -> Flow<bool> {
        let step = &steps[at];
        self.spend()?;
        self.laying = self.laid_next(frame, step, steps.get(at + 1));
        self.ahead = match (step, steps.get(at + 1)) {
            // What a cost does with what is chosen: what cannot be done with is no choice.
            (
                Step::Choose(target),
                Some(next @ (Step::Move { what: Some(what), .. } | Step::Turn { what: Some(what), .. })),
            ) if *what == target.slot && (frame.cause.means == Means::Cost || self.comes_into_play(next)) => {
                Some(next.clone())
            }
            (Step::Choose(target), _) if matches!(target.of, Pool::Squares(_)) => {
                goes_to(target.slot, &steps[at + 1..])
            }
            (Step::Choose(target), _) => done_with(target.slot, &steps[at + 1..]),
            _ => None,
        };
        if let Step::Choose(target) = step
            && places_nothing(frame, target, &steps[at + 1..])
        {
            self.ahead = None;
            frame.slots.set(target.slot, Vec::new());
            return Ok(true);
        }
        let done = self.one(frame, step)?;
        self.laying = None;
        Ok(done)
    }

    /// The step puts into play what was chosen for it, which makes it a target.
    fn comes_into_play(&self, step: &Step) -> bool {
        let Step::Move { to, attach: None, .. } = step else { return false };
        let board = |zone: ZoneId| self.book.schema().spec(zone).board;
        self.book.schema().customs.chooses_targets && self.book.home(*to, Seat(0)).is_some_and(board)
    }

    /// What is chosen now is what a card is laid with in the next step: what cannot be is no choice.
    fn laid_next(&mut self, frame: &Frame, step: &Step, next: Option<&Step>) -> Option<(Word, Option<Ref>)> {
        match (step, next) {
            (Step::Choose(target), Some(Step::Move { attach: Some(how), to, what, .. })) if *to == target.slot => {
                let card = what.and_then(|w| self.see(|eyes| eyes.subjects(&frame.ctx(), w)).first().copied());
                Some((*how, card))
            }
            _ => None,
        }
    }

    fn one(&mut self, frame: &mut Frame, step: &Step) -> Flow<bool> {
        match step {
            Step::Move { slot, .. } => {
                let before = self.t.happened.len();
                let moved = self.move_step(frame, step)?;
                self.follow(frame, before);
                self.remember(frame, *slot, moved, before, Event::is_move);
                Ok(moved)
            }
            Step::Draw { count, who, up_to } => self.draw_step(frame, count, *who, *up_to),
            Step::Damage { what, all, who, amount, slot } => {
                let before = self.t.happened.len();
                let done = self.damage_step(frame, *what, all.as_ref(), *who, amount.as_ref())?;
                self.remember(frame, *slot, done, before, |e| matches!(e.what, What::Grow { .. }));
                Ok(done)
            }
            Step::Turn { what, all, state, slot } => {
                let short = self.lacks(frame, *what);
                let cards = once(self.meant(frame, *what, all.as_ref()));
                if short {
                    return Ok(false);
                }
                let before = self.t.happened.len();
                let done = self.turn_these(&cards, *state, frame.cause, all.is_none() && self.in_full(frame.cause))?;
                self.remember(frame, *slot, done, before, |e| e.name == *state);
                Ok(done)
            }
            Step::Choose(target) => {
                let chosen = self.choose(frame, target, false)?;
                Ok(chosen && frame.slots.get(&target.slot).is_some_and(|t| !t.is_empty()))
            }
            Step::Grant { what, all, changes, until } => {
                self.grant(frame, *what, all.as_ref(), changes, *until)?;
                Ok(true)
            }
            Step::Later { when, steps, until, about } => {
                if !self.decides(Principle::Later) {
                    return Ok(false);
                }
                let about = about.map(|w| self.see(|eyes| eyes.subjects(&frame.ctx(), w))).unwrap_or_default();
                let ability = Ability {
                    kind: Kind::Triggered,
                    when: vec![when.clone()],
                    steps: steps.clone(),
                    ..Ability::default()
                };
                let Some(source) = frame.this else { return Ok(false) };
                let fight = frame.event.as_ref().and_then(|e| e.fight).or_else(|| self.t.fight());
                let mut slots = frame.slots.clone();
                slots.set(Word("about"), about.iter().map(|r| Thing::Card(*r)).collect());
                let watch = Watch {
                    when: when.clone(),
                    ability: Arc::new(ability),
                    source,
                    seat: frame.seat,
                    slots,
                    until: *until,
                    about,
                    fight,
                };
                self.aside().watches().push(watch);
                Ok(true)
            }
            Step::Replace { instead, until } => {
                let holds = Holds::Instead(Arc::new(instead.clone()));
                self.begin(frame, holds, None, None, *until)?;
                Ok(true)
            }
            Step::May { steps, by, then, otherwise, name } => self.may(frame, steps, *by, then, otherwise, *name),
            Step::If { cond, then, otherwise } => {
                let holds = self.see(|eyes| eyes.holds(&frame.ctx(), cond));
                self.perform(frame, if holds { then } else { otherwise })
            }
            Step::EachPlayer { choose, steps, together } => self.each_player(frame, choose, steps, *together),
            Step::ForEach { what, slot, steps } => {
                let things: Vec<Thing> = frame.slots.get(what).unwrap_or_default().to_vec();
                let mut any = false;
                for thing in things {
                    frame.slots.set(*slot, vec![thing]);
                    any |= self.perform(frame, steps)?;
                }
                Ok(any)
            }
            Step::Repeat { count, until, steps } => {
                let times = count.as_ref().map(|v| self.number(&frame.ctx(), v).max(0));
                let (mut any, mut done) = (false, 0);
                while times.is_none_or(|n| done < n) {
                    // Doing nothing so many times takes time as well.
                    self.spend()?;
                    let again = self.perform(frame, steps)?;
                    any |= again;
                    done += 1;
                    let over = |d: &mut Self, cond| d.see(|eyes| eyes.holds(&frame.ctx(), cond));
                    if times.is_none() && !again || until.as_ref().is_some_and(|cond| over(self, cond)) {
                        break;
                    }
                }
                Ok(any)
            }
            Step::Counter { what } => {
                let things = frame.slots.get(what).map(<[Thing]>::to_vec);
                let cards = || self.meant(frame, Some(*what), None).into_iter().map(Thing::Card).collect();
                let things: Vec<Thing> = things.unwrap_or_else(cards);
                let mut any = false;
                for thing in things {
                    // A card that lies on the pile is what it does there; one that has gone does nothing any more.
                    let item = match thing {
                        Thing::Item(id) => Some(id),
                        Thing::Card(card) => self.item_of(card)?,
                        _ => return self.unwritten("カードでも能力でもないものを無効にすること", &[]),
                    };
                    if let Some(id) = item {
                        let book = self.book;
                        any |= book.act(self, Act::Negate(id), &frame.clone().ctx())?;
                    }
                }
                Ok(any)
            }
            Step::Reveal { what, all, to, slot } => {
                let before = self.t.happened.len();
                let cards = self.meant(frame, *what, all.as_ref());
                let shown = to.is_none();
                let look = |c: &Ref| Event::about(Word("見る"), *c).by(frame.cause);
                let mut events = Vec::new();
                for card in &cards {
                    // The rules are asked before the card is shown: what is shown already may not be shown again.
                    if shown && self.forbidden(&Event { how: Word("公開"), ..look(card) }) {
                        continue;
                    }
                    self.edit().obj_mut(card.id).revealed |= shown;
                    events.push(look(card));
                }
                let done = self.propose(events)?.any();
                self.remember(frame, *slot, done, before, |e| e.name == "見る");
                Ok(done)
            }
            Step::Shuffle { .. } => self.named(frame, step),
            Step::Act { slot, .. } => {
                let before = self.t.happened.len();
                let done = self.named(frame, step)?;
                self.follow(frame, before);
                self.remember_moved(frame, before);
                self.remember(frame, *slot, done, before, |_| true);
                Ok(done)
            }
            Step::Swap { a, b } => self.swap(frame, *a, *b),
            Step::Retarget { what, to } => self.retarget(frame, *what, *to),
            Step::Create { card, count, to, state, who } => {
                self.create(frame, *card, count.as_ref(), *to, *state, *who)
            }
            Step::Mark { what, name, count, to: Some(to), each: _ } => {
                self.carry_marks(frame, *what, *name, count, *to)
            }
            Step::Mark { what, name, count, to: None, each: _ } => self.mark(frame, *what, *name, count),
            Step::Let { slot, value } => {
                let n = self.number(&frame.ctx(), value);
                frame.slots.set(*slot, vec![Thing::Number(n)]);
                Ok(true)
            }
            Step::End { who, result } => {
                let Some(seat) = self.see(|eyes| eyes.seat(&frame.ctx(), *who)) else { return Ok(false) };
                let winner = if *result == "勝利" { seat } else { seat.other() };
                let event = Event::signal(*result).by(frame.cause).seat(seat);
                // Where texts may speak of it, it is an event that they may replace.
                if self.book.schema().words.events.contains(&result.as_str()) {
                    let done = self.propose_one(event)?;
                    if !done.any() {
                        return self.is_done(frame, &done);
                    }
                } else if self.forbidden(&event) {
                    return Ok(false);
                }
                let both = self.book.schema().customs.loss_first.filter(|_| *result == "勝利");
                let lost = both.filter(|(due, _)| due(self, winner));
                let text = || "敗北の条件も同時に満たしているので敗北する".to_string();
                let loses = lost.is_some_and(|(_, cite)| self.applies(cite, |_| text()));
                self.over(Outcome::Won(if loses { winner.other() } else { winner }))
            }
        }
    }

    /// An act of the game. What was replaced is judged as it is in every other step: a cost that was replaced may count
    /// as paid, and one of which a part was denied is not.
    fn named(&mut self, frame: &Frame, step: &Step) -> Flow<bool> {
        let book = self.book;
        let means = frame.cause.means;
        let outer = std::mem::take(&mut self.upshot);
        let done = book.act(self, Act::Named(step, means), &frame.clone().ctx());
        let own = self.upshot;
        self.upshot = Upshot { replaced: outer.replaced || own.replaced, denied: outer.denied || own.denied };
        if done? {
            return Ok(means != Means::Cost || !own.denied);
        }
        Ok(own.replaced && book.counts_without_a_trace(self, means))
    }

    /// A text that puts a card into play and goes on about it means the card in play, by whatever name it had it.
    fn follow(&self, frame: &mut Frame, before: usize) {
        let far = self.book.schema().customs.follows_its_moves && frame.cause.means == Means::Effect;
        let in_the_open = |zone: Option<ZoneId>| {
            let spec = zone.map(|z| self.book.schema().spec(z));
            spec.is_some_and(|spec| spec.owner.is_some() && spec.sight == super::Sight::All)
        };
        let board = |zone: Option<ZoneId>| zone.is_some_and(|z| self.book.schema().spec(z).board);
        for event in self.t.happened.get(before..).unwrap_or_default() {
            if event.is_move()
                && board(event.to)
                && !board(event.from)
                && let Some((was, is)) = event.card.zip(event.after)
            {
                frame.slots.follow(was, is);
                if frame.this == Some(was) {
                    frame.this = Some(is);
                }
            } else if event.is_move()
                && far
                && in_the_open(event.to)
                && let Some((was, is)) = event.card.zip(event.after)
            {
                // What is read of it is still read as it was.
                let mut gone = frame.slots.get(&GONE).unwrap_or_default().to_vec();
                gone.extend([Thing::Card(was), Thing::Card(is)]);
                frame.slots.set(GONE, gone);
            }
        }
    }

    /// What an act of the game moved: those that came into play, if any did, or else all.
    fn remember_moved(&self, frame: &mut Frame, before: usize) {
        let since = self.t.happened.get(before..).unwrap_or_default();
        let moves = || since.iter().filter(|e| e.is_move());
        let board = |zone: Option<ZoneId>| zone.is_some_and(|z| self.book.schema().spec(z).board);
        let entered = |e: &&Arc<Event>| board(e.to) && !board(e.from);
        let of = |e: &Arc<Event>| e.after.map(Thing::Card);
        let mut moved: Vec<Thing> = moves().filter(entered).filter_map(of).collect();
        if moved.is_empty() {
            moved = moves().filter_map(of).collect();
        }
        if !moved.is_empty() {
            frame.slots.set(Word("moved"), moved);
        }
    }

    /// The slot of a step: whether it was done, and the cards that it was done to, as they are now.
    fn remember(&self, frame: &mut Frame, slot: Option<Word>, done: bool, before: usize, is: impl Fn(&Event) -> bool) {
        let Some(slot) = slot else { return };
        let since = self.t.happened.get(before..).unwrap_or_default();
        let own = |e: &&Arc<Event>| (e.cause.means, e.cause.card) == (frame.cause.means, frame.cause.card) && is(e);
        let mut cards: Vec<Thing> =
            since.iter().filter(own).filter_map(|e| e.after.or(e.card)).map(Thing::Card).collect();
        cards.dedup();
        frame.slots.set(did(slot), vec![Thing::Number(i32::from(done))]);
        frame.slots.set(slot, cards);
    }

    /// Makes cards: they come out of limbo into the zone, as any card arrives there.
    fn create(
        &mut self,
        frame: &mut Frame,
        name: Word,
        count: Option<&Value>,
        to: Word,
        state: Option<Word>,
        who: Option<Word>,
    ) -> Flow<bool> {
        let n = count.map_or(1, |v| self.number(&frame.ctx(), v)).max(0) as usize;
        let seat = who.and_then(|w| self.see(|eyes| eyes.seat(&frame.ctx(), w))).unwrap_or(frame.seat);
        let Some(limbo) = self.book.schema().zone(super::schema::LIMBO, None) else {
            return self.unwritten(format!("「{name}」を作ること"), &[]);
        };
        let called = |id: &&CardId| self.given.defs[self.t.obj(**id).def as usize].name() == name;
        let made: Vec<CardId> = self.t.zone(limbo).iter().filter(called).take(n).copied().collect();
        if made.len() < n {
            return self.unwritten(format!("「{name}」をこれ以上作ること"), &[]);
        }
        let mut slots: Vec<ZoneId> = frame.slots.zones(&to);
        if slots.is_empty() && !frame.slots.0.iter().any(|(name, _)| *name == to) && self.book.home(to, seat).is_none()
        {
            let Some(rooms) = self.book.rooms(self, to, seat) else {
                return self.unwritten(format!("「{to}」に{name}を作ること"), &[]);
            };
            let k = n.min(rooms.len());
            // Where there is room for some of them only.
            if 0 < k && k < n && !self.decides(Principle::InPart) {
                return Ok(false);
            }
            let of = rooms.into_iter().map(Thing::Zone).collect();
            let mut question = Question::new(seat, Word("ゾーン"), Asks::Choose { of, min: k, max: k });
            question.cite = self.book.schema().customs.lays_made;
            question.minor = question.cite.is_none();
            question.cite.into_iter().for_each(|cite| self.trace.reach(cite));
            let chosen = self.pick(question)?;
            slots = chosen.into_iter().filter_map(|t| if let Thing::Zone(z) = t { Some(z) } else { None }).collect();
        }
        let mut events = Vec::new();
        for (i, id) in made.into_iter().enumerate() {
            let zone = slots.get(i).copied().or_else(|| if slots.is_empty() { self.book.home(to, seat) } else { None });
            let Some(zone) = zone else {
                self.gloss(Gloss::Impossible);
                self.tell(Told::NotApplied, |_| format!("置く場所がないので{name}は作られない"));
                continue;
            };
            let card = self.t.now(id);
            let book = self.book;
            let lies = match state.and_then(|s| book.schema().state(&s)) {
                Some(state) => state,
                None => book.arrival(self, id, zone),
            };
            let face_up = book.schema().face_up(to, zone);
            let mut event = self.moving(card, zone).by(frame.cause).seat(seat);
            event.how = Word("生成");
            event.what =
                What::Move { to: zone, bottom: false, state: lies, face_up, controller: Some(seat), host: None };
            events.push(event);
        }
        if events.is_empty() {
            return Ok(false);
        }
        let done = self.propose(events)?;
        let made = done.happened.iter().filter_map(|e| e.after).map(Thing::Card).collect();
        frame.slots.set(Word("moved"), made);
        self.is_done(frame, &done)
    }

    /// Puts markers on cards, or takes them off: as many as there are, or as a cost all or none.
    /// As many as are there are taken off one card, and as many as were taken off are put on the other.
    fn carry_marks(&mut self, frame: &Frame, what: Word, name: Word, count: &Value, to: Word) -> Flow<bool> {
        let here = |d: &mut Duel, word: Word| {
            let card = d.see(|eyes| eyes.subjects(&frame.ctx(), word)).first().copied();
            card.filter(|c| d.t.is_now(*c))
        };
        let Some(from) = here(self, what) else { return Ok(false) };
        let to = here(self, to);
        // Whether they are taken off where there is nothing to move them to may be open.
        let alone = self.book.schema().customs.marks_go_alone.filter(|_| to.is_none());
        if to.is_none() && alone.is_none_or(|cite| self.reading(cite, "a") != "b") {
            return Ok(false);
        }
        let wanted = self.number(&frame.ctx(), count);
        let n = wanted.min(self.t.obj(from.id).marked(name));
        if n <= 0 || n < wanted && (self.in_full(frame.cause) || !self.decides(Principle::InPart)) {
            return Ok(false);
        }
        let event = |card: Ref, amount: i32| {
            let event = Event { what: What::Mark { name }, amount, ..Event::about(Word("マーカー"), card) };
            event.by(frame.cause).seat(frame.seat)
        };
        let taken = self.propose_one(event(from, n.saturating_neg()))?;
        let taken = -taken.happened.iter().filter(|e| e.card == Some(from)).map(|e| e.amount).sum::<i32>();
        if taken <= 0 {
            return Ok(false);
        }
        let Some(to) = to else { return Ok(true) };
        let done = self.propose_one(event(to, taken))?;
        self.is_done(frame, &done)
    }

    fn mark(&mut self, frame: &Frame, what: Word, name: Word, count: &Value) -> Flow<bool> {
        let cards = self.see(|eyes| eyes.subjects(&frame.ctx(), what));
        let by = self.number(&frame.ctx(), count);
        let mut events = Vec::new();
        let mut all = true;
        for card in cards.into_iter().filter(|c| self.t.is_now(*c)) {
            let there = self.t.obj(card.id).marked(name);
            let short = by < 0 && there < by.saturating_neg();
            all &= !short;
            let amount = if short { -there } else { by };
            if amount != 0 {
                let event = Event { what: What::Mark { name }, amount, ..Event::about(Word("マーカー"), card) };
                events.push(event.by(frame.cause).seat(frame.seat));
            }
        }
        let in_full = self.in_full(frame.cause);
        if events.is_empty() || !all && (in_full || !self.decides(Principle::InPart)) {
            return Ok(false);
        }
        let book = self.book;
        if by < 0
            && let Some((name, cite)) = book.schema().customs.takes_off
            && self.applies(cite, |_| "1つずつ取り除く".into())
        {
            let name = Word(name);
            let mut any = false;
            for event in events {
                for _ in 0..event.amount.saturating_neg() {
                    any |= self.propose_one(Event { name, amount: -1, ..event.clone() })?.any();
                }
            }
            return Ok(any);
        }
        let done = self.propose(events)?;
        self.is_done(frame, &done)
    }

    /// What was wanted was done: it happened, or the game counts what was replaced as done.
    fn is_done(&mut self, frame: &Frame, done: &Done) -> Flow<bool> {
        let plain = done.any() && done.happened.iter().all(|e| e.replaced_by.is_empty());
        let book = self.book;
        let means = frame.cause.means;
        Ok(plain
            || done.any() && book.counts_as_done(self, means)
            || !done.any() && done.replaced && book.counts_without_a_trace(self, means))
    }

    /// A card that was chosen to pay with is no longer there: then not all is paid.
    fn lacks(&mut self, frame: &Frame, what: Option<Word>) -> bool {
        let Some(what) = what.filter(|_| self.in_full(frame.cause)) else { return false };
        self.see(|eyes| eyes.subjects(&frame.ctx(), what)).iter().any(|card| !self.t.is_now(*card))
    }

    /// What the card does on the pile. Which of its abilities that lie there is meant, a card alone does not tell.
    fn item_of(&self, card: Ref) -> Flow<Option<u32>> {
        let pile = &self.t.context().pile;
        let item = pile.iter().find(|item| item.is_card(card)).map(|item| item.id);
        if item.is_none() && pile.iter().any(|item| item.card == Some(card)) {
            return self.unwritten("カードで言われた能力を無効にすること（items: で選べます）", &[]);
        }
        Ok(item)
    }

    /// The cards meant by a word or a filter.
    pub fn meant(&mut self, frame: &Frame, what: Option<Word>, all: Option<&Filter>) -> Vec<Ref> {
        // What is no longer where the text knew it is not found.
        let mut meant = self.see(|eyes| what.map(|w| eyes.subjects(&frame.ctx(), w)).unwrap_or_default());
        for pair in frame.slots.cards(&GONE).chunks(2) {
            meant.iter_mut().filter(|card| **card == pair[0]).for_each(|card| *card = pair[1]);
        }
        let (mut cards, gone): (Vec<Ref>, Vec<Ref>) = meant.into_iter().partition(|r| self.t.is_now(*r));
        if let (Some(what), super::Means::Effect) = (what, frame.cause.means)
            && self.book.schema().customs.leaves_out_named
        {
            let filter = Filter::of_ref(what);
            let own = |r: &Ref| Some(*r) == frame.this;
            let (kept, mut others): (Vec<Ref>, Vec<Ref>) =
                cards.into_iter().partition(|r| own(r) || !self.book.schema().spec(self.t.obj(r.id).zone).board);
            self.leave_out(&filter, &mut others);
            cards = [kept, others].concat();
        }
        for card in gone {
            self.tell(Told::NotApplied, |d| format!("{}はもう元の所にないので、何も起こらない", d.card_name(card)));
        }
        if let Some(filter) = all {
            let mut found = self.see(|eyes| eyes.select(&frame.ctx(), filter));
            self.leave_out(filter, &mut found);
            cards.extend(found);
            cards.retain(|r| self.t.is_now(*r));
        }
        if what.is_some_and(|w| w == "event" || w == "this") && self.hides(frame, &cards) {
            return Vec::new();
        }
        cards
    }

    /// Those that an effect does not meet, by the clause of the game that says so.
    fn leave_out(&mut self, filter: &Filter, cards: &mut Vec<Ref>) {
        let meets_all = self.look().without & super::view::MEETS_ALL != 0;
        cards.retain(|card| {
            let seen = self.seen(*card);
            let out = self.book.schema().leaves_out(&seen, filter).filter(|_| !meets_all);
            !out.is_some_and(|cite| self.applies(cite, |d| format!("{}には及ばない", d.card_name(*card))))
        });
    }

    /// The card of the event has gone where not all can see it: there it is not looked for.
    fn hides(&mut self, frame: &Frame, cards: &[Ref]) -> bool {
        let moved = frame.event.as_ref().filter(|e| e.is_move() && e.card != e.after).and_then(|e| e.after);
        let Some(card) = cards.iter().find(|card| Some(**card) == moved) else { return false };
        let found = self.see(|eyes| eyes.is_found(frame.seat, *card));
        !found && self.decides(Principle::FindsInTheOpen)
    }

    fn move_step(&mut self, frame: &mut Frame, step: &Step) -> Flow<bool> {
        let Step::Move { what, all, to, near, at, state, control, how, attach, .. } = step else { return Ok(false) };
        let short = self.lacks(frame, *what);
        let cards = once(self.meant(frame, *what, all.as_ref()));
        if short {
            return Ok(false);
        }
        let mut events = Vec::with_capacity(cards.len());
        if cards.is_empty() {
            self.gloss(Gloss::Impossible);
        }
        let several: Vec<ZoneId> = frame.slots.zones(to);
        let cards = match several.is_empty() || cards.len() < 2 || attach.is_some() {
            true => cards,
            false => self.one_each(frame.seat, cards, &several)?,
        };
        let meant = cards.len();
        let mut placed = [0; 2];
        for card in cards {
            let own = frame.part(card);
            let ctx = own.ctx();
            let owner = self.t.obj(card.id).owner;
            // Of several zones each card has its own.
            let several = own.slots.zones(to);
            let i = placed[own.seat.index()];
            placed[own.seat.index()] += 1;
            let zone = match several.len() {
                // Each card to the square of the place that stands so to it.
                _ if !near.is_empty() => match self.places_near(&ctx, card, *to, near)[..] {
                    [] => None,
                    [one] => Some(one),
                    _ => return self.unwritten(format!("「{to}」のどこへ動かすかを選ぶこと"), &[]),
                },
                0 | 1 => self
                    .see(|eyes| eyes.zone_of(&ctx, *to))
                    .or_else(|| {
                        let says = self.book.schema().customs.control_names_zone;
                        let named = control.filter(|who| says && *who != "持ち主");
                        let whose = named.and_then(|who| self.see(|eyes| eyes.seat(&ctx, who)));
                        self.book.home(*to, whose.unwrap_or(owner))
                    })
                    // A place that is but one zone, as the player of the text sees it.
                    .or_else(|| self.book.schema().only_zone(self.book, *to, own.seat)),
                _ => several.get(i).copied(),
            };
            let Some(zone) = zone else {
                // A slot that has been emptied names no place any more; a word that never did is not ours to pass over.
                if near.is_empty() && own.slots.get(to).is_none() {
                    return self.unwritten(format!("「{to}」へカードを動かすこと"), &[]);
                }
                self.gloss(Gloss::Impossible);
                self.tell(Told::NotApplied, |d| format!("行き先がないので{}は動かない", d.card_name(card)));
                continue;
            };
            let host = match attach {
                Some(how) => match self.see(|eyes| eyes.subjects(&ctx, *to)).first() {
                    Some(host) if self.t.is_now(*host) => Some((*how, host.id)),
                    _ => {
                        self.gloss(Gloss::Impossible);
                        self.tell(Told::NotApplied, |d| format!("付ける相手がないので{}は動かない", d.card_name(card)));
                        continue;
                    }
                },
                None => None,
            };
            let keep = self.t.obj(card.id).state;
            let book = self.book;
            let is_another = owner != own.seat || owner != self.glance(card).controller;
            if !book.schema().spec(zone).board && is_another {
                self.gloss(Gloss::OwnersZone);
            }
            let (mut face_up, mut lies) = (book.schema().face_up(attach.unwrap_or(*to), zone), None);
            match state {
                Some(s) if *s == "そのまま" => lies = Some(keep),
                Some(s) if *s == "表" || *s == "裏" => face_up = *s == "表",
                Some(s) => lies = book.schema().state(s),
                None => {}
            }
            let state = match lies {
                Some(state) => state,
                None => book.arrival(self, card.id, zone),
            };
            let controller = match control.map(|c| c.as_str()) {
                Some("持ち主") => {
                    self.gloss(Gloss::PutByNamed);
                    Some(owner)
                }
                Some(who) => self.see(|eyes| eyes.seat(&ctx, Word::new(who))),
                None if book.schema().spec(self.t.obj(card.id).zone).board => None,
                None => {
                    let board = book.schema().spec(zone).board;
                    let owners = book.schema().customs.owner_controls.filter(|_| board && owner != own.seat);
                    if board {
                        // A text that names who puts it there is carried out for that player.
                        let named = frame.cause.seat.is_some_and(|seat| seat != own.seat);
                        self.gloss(if named { Gloss::PutByNamed } else { Gloss::PutBy });
                    }
                    match owners {
                        Some(cite) if self.applies(cite, |_| "支配者は所有者である".into()) => Some(owner),
                        _ => Some(own.seat),
                    }
                }
            };
            let mut event = self.moving(card, zone).by(frame.cause);
            // 「加えてシャッフルする」 names no place in the pile.
            let mixed = at.is_some_and(|a| a == "シャッフル");
            // A manner that also says by what means asks for them: what is done here is done in the manner alone.
            let means = self.book.schema().customs.means;
            let plain = |how: Word| means.iter().find(|(of, ..)| how == *of).map_or(how, |(.., plain)| Word(plain));
            event.how = how.map(plain).unwrap_or(if mixed { Word("シャッフル") } else { Word("") });
            event.seat = Some(own.seat);
            event.what =
                What::Move { to: zone, bottom: at.is_some_and(|a| a == "下"), state, face_up, controller, host };
            events.push(event);
        }
        let in_full = all.is_none() && self.in_full(frame.cause);
        if in_full && events.len() < meant {
            return Ok(false);
        }
        let wanted = !events.is_empty();
        if !wanted && !self.decides(Principle::NothingDone) {
            return Ok(true);
        }
        let further = events.last().cloned();
        let mut done = self.propose_in_turn(events)?;
        if in_full && !done.denied.is_empty() {
            return Ok(false);
        }
        if let (Some(last), Some(n)) = (further, all.as_ref().and_then(|f| f.top.as_ref())) {
            let wanted = self.number(&frame.ctx(), n).max(0) as usize;
            self.go_on(last, wanted.saturating_sub(meant), &mut done)?;
        }
        let happened = &done.happened;
        if let Some(n) = at.and_then(|a| a.parse::<usize>().ok()) {
            for card in happened.iter().filter_map(|e| e.after).filter(|c| self.t.is_now(*c)).collect::<Vec<_>>() {
                self.gloss(Gloss::NthFromTop);
                let zone = self.t.obj(card.id).zone;
                let pile: &mut Vec<_> = &mut self.edit().zones[zone.0 as usize];
                pile.retain(|id| *id != card.id);
                let at = (pile.len() + 1).saturating_sub(n);
                pile.insert(at.min(pile.len()), card.id);
            }
        }
        let happened = &done.happened;
        if at.is_some_and(|a| a == "シャッフル") {
            let owners: Vec<Seat> = Seat::BOTH
                .into_iter()
                .filter(|s| happened.iter().filter_map(|e| e.after).any(|r| self.t.obj(r.id).owner == *s))
                .collect();
            for owner in owners {
                let own = Frame { seat: owner, ..frame.clone() };
                let book = self.book;
                book.act(self, Act::Named(&Step::Shuffle { who: None }, own.cause.means), &own.ctx())?;
            }
        }
        // A text that moves a card and goes on about it means the card where it has gone.
        let moved = happened.iter().filter_map(|e| e.after).map(Thing::Card).collect();
        frame.slots.set(Word("moved"), moved);
        Ok(wanted && self.is_done(frame, &done)?)
    }

    /// The zones of the place, other than where the card is, that stand so to it.
    fn places_near(&mut self, ctx: &Ctx, card: Ref, to: Word, near: &BTreeMap<Word, Word>) -> Vec<ZoneId> {
        let Some([down, up]) = self.book.schema().place(self.book, to, ctx.seat) else { return Vec::new() };
        let mut slots = ctx.slots.clone();
        slots.set(IT, vec![Thing::Card(card)]);
        let ctx = Ctx { slots: &slots, ..*ctx };
        let here = self.t.obj(card.id).zone;
        let stands = |zone: &ZoneId, d: &mut Self| {
            near.iter().all(|(relation, word)| d.see(|eyes| eyes.near(&ctx, *zone, *relation, *word)))
        };
        let zones: Vec<ZoneId> = (down | up).zones().filter(|zone| *zone != here).collect();
        zones.into_iter().filter(|zone| stands(zone, self)).collect()
    }

    /// At once, or one after another where the game says so.
    fn propose_in_turn(&mut self, events: Vec<Event>) -> Flow<Done> {
        let book = self.book;
        if events.len() < 2 || !book.one_by_one(self, &events) {
            return self.propose(events);
        }
        let mut all = Done::default();
        for mut event in events {
            // Between two cards the rules may have taken the place from under the next.
            if event.card.is_some_and(|c| !self.t.is_now(c)) {
                match self.next_instead(&event) {
                    Some(next) => event = next,
                    None => continue,
                }
            }
            let done = self.propose(vec![event])?;
            all.happened.extend(done.happened);
            all.denied.extend(done.denied);
            all.replaced |= done.replaced;
        }
        Ok(all)
    }

    /// So many cards from the top of a pile that ran out and was made anew meanwhile: the number is reached with those.
    fn go_on(&mut self, last: Event, missing: usize, all: &mut Done) -> Flow {
        for _ in 0..missing {
            let Some(next) = self.next_instead(&last) else { return Ok(()) };
            let done = self.propose(vec![next])?;
            all.happened.extend(done.happened);
            all.denied.extend(done.denied);
            all.replaced |= done.replaced;
        }
        Ok(())
    }

    /// A pile that was taken apart meanwhile has another top card: the number is reached with that.
    fn next_instead(&mut self, event: &Event) -> Option<Event> {
        let from = event.from?;
        let spec = self.book.schema().spec(from);
        if spec.board || !spec.ordered || spec.sight != super::Sight::Nobody {
            return None;
        }
        let top = self.t.now(*self.t.zone(from).last()?);
        Some(Event { card: Some(top), after: Some(top), ..event.clone() })
    }

    fn draw_step(&mut self, frame: &mut Frame, count: &Value, who: Option<Word>, up_to: bool) -> Flow<bool> {
        let n = self.number(&frame.ctx(), count);
        let seat = who.and_then(|w| self.see(|eyes| eyes.seat(&frame.ctx(), w))).unwrap_or(frame.seat);
        let (mut any, mut all) = (false, true);
        if n > 1 {
            self.gloss(if up_to { Gloss::UpTo } else { Gloss::OneByOne });
        }
        for _ in 0..n.max(0) {
            self.spend()?;
            if up_to && !self.yes(seat, Word("引く"), frame.this)? {
                break;
            }
            let book = self.book;
            let drawn = book.act(self, Act::Draw(seat), &frame.clone().ctx())?;
            any |= drawn;
            all &= drawn;
        }
        Ok(any && (all || !self.strict))
    }

    fn damage_step(
        &mut self,
        frame: &mut Frame,
        what: Option<Word>,
        all: Option<&Filter>,
        who: Option<Word>,
        amount: Option<&Value>,
    ) -> Flow<bool> {
        let cards = self.meant(frame, what, all);
        let own = amount.is_some_and(Value::is_for_each);
        let fixed = amount.filter(|_| !own).map(|v| self.number(&frame.ctx(), v));
        let share = |card: &Ref| {
            let slot = what?;
            let at = frame.slots.get(&slot)?.iter().position(|t| *t == Thing::Card(*card))?;
            match frame.slots.get(&shares(slot))?.get(at)? {
                Thing::Number(n) => Some(*n),
                _ => None,
            }
        };
        let mut players: Vec<(Seat, i32)> = Vec::new();
        if let Some((things, slot)) = what.and_then(|slot| Some((frame.slots.get(&slot)?, slot))) {
            for (at, thing) in things.iter().enumerate() {
                let Thing::Seat(seat) = thing else { continue };
                let share = match frame.slots.get(&shares(slot)).and_then(|shares| shares.get(at)) {
                    Some(Thing::Number(n)) => *n,
                    _ => 0,
                };
                players.push((*seat, fixed.unwrap_or(share)));
            }
        }
        let mut to: Vec<(Ref, i32)> = cards.iter().map(|c| (*c, fixed.or_else(|| share(c)).unwrap_or(0))).collect();
        if let Some(amount) = amount.filter(|_| own) {
            for (card, n) in &mut to {
                *n = self.number(&frame.with(IT, *card).ctx(), amount);
            }
        }
        let book = self.book;
        if let Some(who) = who {
            let step =
                Step::Act {
                    name: Word("ダメージ"), who: Some(who), what: None, count: amount.cloned(), slot: None
                };
            return self.named(frame, &step);
        }
        if !players.is_empty() {
            return book.act(self, Act::DamageTo(&to, &players), &frame.clone().ctx());
        }
        book.act(self, Act::Damage(&to), &frame.clone().ctx())
    }

    /// A cost is paid in full or not at all: one card of several that cannot do it spoils it.
    pub(super) fn in_full(&self, cause: Cause) -> bool {
        self.strict || cause.means == Means::Cost
    }

    /// Turns cards that are not turned so yet; nothing happens to the others.
    pub fn turn(&mut self, cards: &[Ref], state: Word, cause: Cause) -> Flow<bool> {
        self.turn_these(cards, state, cause, false)
    }

    fn turn_these(&mut self, cards: &[Ref], state: Word, cause: Cause, in_full: bool) -> Flow<bool> {
        let schema = self.book.schema();
        let mut events = Vec::new();
        for card in cards {
            let obj = self.t.obj(card.id);
            let (what, already) = match state.as_str() {
                "表" | "裏" => (What::Face { up: state == "表" }, obj.face_up == (state == "表")),
                s => match schema.state(s) {
                    Some(to) => (What::Turn { state: to }, obj.state == to),
                    None => return self.unwritten(format!("「{state}」という状態"), &[]),
                },
            };
            if already && self.decides(Principle::SameState) {
                continue;
            }
            events.push(Event { what, ..Event::about(state, *card).by(cause) });
        }
        if events.is_empty() || in_full && events.len() < cards.len() {
            return Ok(false);
        }
        let done = self.propose(events)?;
        if in_full && !done.denied.is_empty() {
            return Ok(false);
        }
        let book = self.book;
        Ok(done.any() || done.replaced && book.counts_without_a_trace(self, cause.means))
    }

    fn grant(
        &mut self,
        frame: &mut Frame,
        what: Option<Word>,
        all: Option<&Filter>,
        changes: &[Change],
        until: Option<Word>,
    ) -> Flow {
        let (mut locked, mut open) = (Vec::new(), Vec::new());
        for change in changes {
            let book = self.book;
            let lives = self.book.schema().words.speaks.contains(&"it");
            if !lives && change.value().is_some_and(Value::is_for_each) {
                book.locks(self, change, all);
                for card in self.meant(frame, what, all) {
                    let fixed = self.fix(&frame.with(IT, card), change);
                    self.begin(frame, Holds::Changes(Arc::new(vec![fixed])), Some(vec![card]), None, until)?;
                }
                continue;
            }
            let fixed = self.fix(frame, change);
            if fixed != *change {
                self.gloss(Gloss::FixedOnce);
            }
            let change = fixed;
            if book.locks(self, &change, all) || all.is_none() { locked.push(change) } else { open.push(change) }
        }
        if !locked.is_empty() {
            let cards = self.meant(frame, what, all);
            if let Some(what) = what.filter(|_| cards.is_empty()) {
                self.tell(Told::NotApplied, |_| format!("「{what}」に当たるカードがないので、何にも適用されない"));
            }
            self.begin(frame, Holds::Changes(Arc::new(locked)), Some(cards), None, until)?;
        }
        if !open.is_empty() {
            self.begin(frame, Holds::Changes(Arc::new(open)), None, all.cloned(), until)?;
        }
        Ok(())
    }

    /// Numbers are made out once, when the effect begins.
    fn fix(&mut self, frame: &Frame, change: &Change) -> Change {
        let ctx = frame.ctx();
        match change {
            // What differs with the card goes on being made out for each, where the game counts in layers from there.
            _ if self.book.schema().words.speaks.contains(&"it") && change.value().is_some_and(Value::is_for_each) => {
                change.clone()
            }
            Change::Add(name, v) => Change::Add(*name, Value::Number(self.number(&ctx, v))),
            Change::Down(name, v, least) => Change::Down(*name, Value::Number(self.number(&ctx, v)), *least),
            Change::Set(name, v) => Change::Set(*name, Value::Number(self.number(&ctx, v))),
            Change::Base(name, v) => Change::Base(*name, Value::Number(self.number(&ctx, v))),
            Change::Cost(name, symbol, v) => Change::Cost(*name, *symbol, Value::Number(self.number(&ctx, v))),
            Change::Become(name, words) => {
                let word = |w: &Word| frame.slots.word(w).unwrap_or(*w);
                Change::Become(*name, words.iter().map(word).collect())
            }
            Change::Join(name, word) => Change::Join(*name, frame.slots.word(word).unwrap_or(*word)),
            other => other.clone(),
        }
    }

    fn begin(
        &mut self,
        frame: &Frame,
        holds: Holds,
        locked: Option<Vec<Ref>>,
        filter: Option<Filter>,
        until: Option<Word>,
    ) -> Flow {
        let once = until.is_none() && matches!(holds, Holds::Instead(_));
        self.gloss(if matches!(holds, Holds::Instead(_)) { Gloss::MadeReplacement } else { Gloss::Duration });
        let fight = self.t.fight();
        let dated = self.book.schema().customs.dated_by.and_then(|slot| frame.slots.number(&slot)).map(|n| n as u32);
        let t = self.edit();
        let now = t.tick();
        let stamp = dated.unwrap_or(now);
        t.ongoing.push(Ongoing {
            holds,
            source: frame.this,
            seat: frame.seat,
            slots: frame.slots.clone(),
            locked,
            filter: filter.map(Arc::new),
            until,
            stamp,
            once,
            fight,
        });
        // No event tells that an effect began; the rules look all the same.
        let book = self.book;
        book.at_once(self, &[])
    }

    /// Of cards that are put on these places at once, those for which there is room, if each needs its own.
    fn one_each(&mut self, who: Seat, cards: Vec<Ref>, places: &[ZoneId]) -> Flow<Vec<Ref>> {
        let schema = self.book.schema();
        let Some(cite) = schema.customs.one_each.filter(|cite| self.on(cite)) else { return Ok(cards) };
        let n = places.len();
        if cards.len() <= n || !places.iter().all(|z| schema.spec(*z).board) {
            return Ok(cards);
        }
        self.trace.reach(cite);
        let of = cards.iter().map(|r| Thing::Card(*r)).collect();
        let question = Question::new(who, Word("登場させるカード"), Asks::Choose { of, min: n, max: n });
        let chosen = self.pick(question.citing(cite))?;
        Ok(chosen.into_iter().filter_map(|t| if let Thing::Card(r) = t { Some(r) } else { None }).collect())
    }

    /// Whether a target is changed to one that is right, or is not.
    fn retargets(&mut self, right: bool) -> bool {
        let Some([to_right, not_wrong]) = self.book.schema().customs.retargets else { return right };
        if right {
            self.applies(to_right, |_| "対象が移し変えられ、前の対象は対象でなくなる".into())
        } else {
            !self.applies(not_wrong, |_| "適正な対象でないので変更できない".into())
        }
    }

    /// Ends what lasts until then; for a fight, what began in it.
    pub fn expire(&mut self, until: Word, fight: Option<u32>) -> Flow {
        let ends = |u: Option<Word>, f: Option<u32>| u == Some(until) && (fight.is_none() || f == fight);
        if self.t.watches.iter().any(|w| ends(w.until, w.fight)) {
            self.aside().watches().retain(|w| !ends(w.until, w.fight));
        }
        // Where nothing ends nothing changes.
        if !self.t.ongoing.iter().any(|o| ends(o.until, o.fight)) {
            return Ok(());
        }
        self.edit().ongoing.retain(|o| !ends(o.until, o.fight));
        let book = self.book;
        book.at_once(self, &[])
    }

    fn may(
        &mut self,
        frame: &mut Frame,
        steps: &[Step],
        by: Option<Word>,
        then: &[Step],
        otherwise: &[Step],
        name: Option<Word>,
    ) -> Flow<bool> {
        let seat = by.and_then(|w| self.see(|eyes| eyes.seat(&frame.ctx(), w))).unwrap_or(frame.seat);
        let possible = self.possible(steps, &frame.slots, frame.this, frame.seat, frame.event.as_deref())?;
        self.gloss(Gloss::Optional);
        let possible = possible || !self.decides(Principle::MayInFull);
        let asked = name.unwrap_or(Word("してよい"));
        let book = self.book;
        let bars = if possible { None } else { book.bars_yes(self, frame, steps) };
        if let (false, Some(cite)) = (possible, bars.or(book.says(Principle::MayInFull).cites()[0])) {
            self.not_yes(seat, asked, frame.this, cite)?;
        }
        let done = possible && self.yes(seat, asked, frame.this)? && { self.perform(frame, steps)? };
        if let Some(name) = name {
            frame.slots.set(name, vec![Thing::Number(i32::from(done))]);
            frame.slots.set(did(name), vec![Thing::Number(i32::from(done))]);
        }
        if done {
            self.perform(frame, then)?;
        } else {
            self.perform(frame, otherwise)?;
        }
        Ok(done)
    }

    /// The active player chooses first, the other knowing it; then each does their part, or all is done at once.
    fn each_player(&mut self, frame: &mut Frame, choose: &[Target], steps: &[Step], together: bool) -> Flow<bool> {
        // Where nobody chooses and each does their own part, it makes no difference who comes first.
        let apart = |step: &Step| match step {
            Step::Draw { up_to, .. } => !up_to,
            Step::Shuffle { .. } => true,
            Step::Act { name, .. } => self.book.schema().customs.apart.contains(&name.as_str()),
            _ => false,
        };
        let in_turn = !choose.is_empty() || !steps.iter().all(apart);
        let said = in_turn || !matches!(self.book.says(Principle::ActiveFirst), super::Says::Silent);
        let first = if !said || self.decides(Principle::ActiveFirst) { self.t.active } else { self.t.active.other() };
        let mut frames = [first, first.other()].map(|seat| Frame { seat, ..frame.clone() });
        for own in &mut frames {
            for target in choose {
                // Without a card no place is chosen for it.
                if places_nothing(own, target, steps) {
                    own.slots.set(target.slot, Vec::new());
                    continue;
                }
                self.choose(own, target, false)?;
            }
        }
        if together {
            return self.together(frame, frames, choose, steps);
        }
        let outer = std::mem::replace(&mut self.in_turns, true);
        let done = frames.iter_mut().try_fold(false, |any, own| Ok(any | self.perform(own, steps)?));
        self.in_turns = outer;
        gather(frame, &frames, false);
        if !outer && done.is_ok() {
            let book = self.book;
            book.all_have(self)?;
        }
        done
    }

    /// Both have chosen. What is done with the chosen cards is done at once, with each card for whoever chose it;
    /// everything else each does for themselves.
    pub fn together(
        &mut self,
        frame: &mut Frame,
        mut frames: [Frame; 2],
        choose: &[Target],
        steps: &[Step],
    ) -> Flow<bool> {
        let mut each = Vec::new();
        for own in &frames {
            for slot in choose.iter().map(|t| t.slot) {
                let chosen = own.slots.get(&slot).unwrap_or_default();
                each.extend(chosen.iter().flat_map(|thing| [Thing::Seat(own.seat), Thing::Word(slot), *thing]));
            }
        }
        // What stands for cards of both.
        let mut shared: Vec<Word> = choose.iter().map(|t| t.slot).collect();
        for slot in choose.iter().map(|t| t.slot) {
            let all = frames.iter().flat_map(|own| own.slots.get(&slot).unwrap_or_default().to_vec()).collect();
            frame.slots.set(slot, all);
        }
        frame.slots.set(BY_EACH, each);
        let mut done = true;
        for (at, step) in steps.iter().enumerate() {
            if !with_all(step, &shared) {
                // What each may have moved is their own.
                shared.retain(|slot| *slot != "moved");
                for own in &mut frames {
                    done &= self.nth(own, steps, at)?;
                }
                continue;
            }
            done &= self.nth(frame, steps, at)?;
            let told = slot_of(step);
            shared.extend(told);
            let moves = matches!(step, Step::Move { .. } | Step::Act { .. });
            shared.extend(moves.then_some(Word("moved")));
            for slot in told.into_iter().chain(moves.then_some(Word("moved"))) {
                let all = frame.slots.get(&slot).unwrap_or_default().to_vec();
                let was_done = told.and_then(|slot| frame.slots.number(&did(slot)));
                for own in &mut frames {
                    let theirs =
                        |thing: &&Thing| matches!(thing, Thing::Card(card) if frame.ctx().chooser(*card) == own.seat);
                    let mine: Vec<Thing> = all.iter().filter(theirs).copied().collect();
                    if let (Some(n), true) = (was_done, Some(slot) == told) {
                        let none = mine.is_empty() && !all.is_empty();
                        own.slots.set(did(slot), vec![Thing::Number(if none { 0 } else { n })]);
                    }
                    own.slots.set(slot, mine);
                }
            }
        }
        frame.slots.set(BY_EACH, Vec::new());
        gather(frame, &frames, true);
        Ok(done)
    }

    fn swap(&mut self, frame: &mut Frame, a: Word, b: Word) -> Flow<bool> {
        let of = |d: &mut Self, w: Word| d.meant(frame, Some(w), None);
        let (mut first, mut second) = (of(self, a), of(self, b));
        // One slot with two cards in it is as good as two.
        if a == b && first.len() == 2 {
            second = vec![first.pop().expect("there are two")];
        }
        let (Some(x), Some(y)) = (first.first().copied(), second.first().copied()) else { return Ok(false) };
        let (zx, zy) = (self.t.obj(x.id).zone, self.t.obj(y.id).zone);
        let mut events = Vec::new();
        for (card, to) in [(x, zy), (y, zx)] {
            let obj = self.t.obj(card.id);
            let (state, face_up) = (obj.state, obj.face_up);
            let mut event = self.moving(card, to).by(frame.cause);
            event.what = What::Move { to, bottom: false, state, face_up, controller: None, host: None };
            events.push(event);
        }
        Ok(self.propose(events)?.any())
    }

    /// Gives something on the pile another target, if it would be a right one.
    fn retarget(&mut self, frame: &mut Frame, what: Word, to: Word) -> Flow<bool> {
        let Some(Thing::Item(id)) = frame.slots.get(&what).and_then(|t| t.first()).copied() else { return Ok(false) };
        let Some(new) = frame.slots.get(&to).and_then(|t| t.first()).copied() else { return Ok(false) };
        let Some(item) = self.t.context().pile.iter().find(|i| i.id == id).cloned() else { return Ok(false) };
        let abilities: Vec<Arc<Ability>> = match (&item.ability, item.card) {
            (Some(ability), _) => vec![ability.clone()],
            (None, Some(card)) => {
                self.seen(card).abilities.iter().filter(|a| a.kind == Kind::Effect).cloned().collect()
            }
            (None, None) => Vec::new(),
        };
        let own = Frame {
            this: item.card,
            seat: item.seat,
            slots: item.slots.clone(),
            event: item.event.clone(),
            cause: frame.cause,
        };
        for target in abilities.iter().flat_map(|a| &a.target) {
            let old = item.slots.get(&target.slot).unwrap_or_default().to_vec();
            if old.is_empty() {
                continue;
            }
            let (good, _) = self.candidates_of(&own, &target.of, true);
            // What is a target already is not chosen as another one.
            let right = good.contains(&new) && !old.contains(&new);
            let changes = self.retargets(right);
            if !right && !changes {
                continue;
            }
            let question =
                Question::new(frame.seat, Word("移し変える対象"), Asks::Choose { of: old.clone(), min: 1, max: 1 });
            let leaves = self.pick(question.about(frame.this))?;
            // Right and not changed: the new one would stand beside the old one.
            let things = if changes {
                old.iter().map(|thing| if leaves.contains(thing) { new } else { *thing }).collect()
            } else {
                [old, vec![new]].concat()
            };
            if let Some(item) = self.edit().context_mut().pile.iter_mut().find(|i| i.id == id) {
                item.slots.set(target.slot, things);
            }
            return Ok(true);
        }
        Ok(false)
    }
}

/// What each has chosen, and done something to, is spoken of together afterwards.
fn gather(frame: &mut Frame, frames: &[Frame; 2], done_at_once: bool) {
    let names: Vec<Word> = frames.iter().flat_map(|own| own.slots.0.iter().map(|(name, _)| *name)).collect();
    for name in names.into_iter().collect::<BTreeSet<Word>>() {
        let before = frame.slots.get(&name).map(<[Thing]>::to_vec);
        // What was there before, and is what it was, is not of their doing.
        let own = frames.iter().filter_map(|own| own.slots.get(&name));
        let lists: Vec<&[Thing]> = own.filter(|list| before.as_deref() != Some(*list)).collect();
        if lists.is_empty() || done_at_once && before.is_some() {
            continue;
        }
        let numbers = |list: &&[Thing]| matches!(list, [Thing::Number(_)]);
        let mut all: Vec<Thing> = lists.iter().filter(|list| !numbers(list)).flat_map(|list| list.to_vec()).collect();
        if lists.iter().any(numbers) {
            // Whether it was done: by any of them. A number that each has made out is nobody else's.
            let done = lists.iter().any(|list| matches!(list, [Thing::Number(1)]));
            if !name.ends_with(DID) {
                continue;
            }
            all = vec![Thing::Number(i32::from(done))];
        }
        frame.slots.set(name, all);
    }
}

/// A card that several have chosen is moved or turned but once.
fn once(mut cards: Vec<Ref>) -> Vec<Ref> {
    let mut seen = BTreeSet::new();
    cards.retain(|card| seen.insert(*card));
    cards
}

/// It is done with all the cards of these slots at once: whose they are is told by the cards, not by the words of the step.
fn with_all(step: &Step, shared: &[Word]) -> bool {
    let what = match step {
        // For whom each card is moved is seen to there.
        Step::Move { what, .. } => return what.is_some_and(|what| shared.contains(&what)),
        Step::Damage { what, .. } | Step::Turn { what, .. } | Step::Grant { what, .. } => *what,
        Step::Reveal { what, .. } | Step::Act { what, .. } => *what,
        Step::Mark { what, .. } => Some(*what),
        _ => None,
    };
    let text = format!("{step:?}");
    let speaks_of_players = ["自分", "相手"].iter().any(|who| text.contains(&format!("{:?}", Word(who))));
    what.is_some_and(|what| shared.contains(&what)) && !speaks_of_players
}

/// The slot in which the step keeps what it was done to.
fn slot_of(step: &Step) -> Option<Word> {
    match step {
        Step::Move { slot, .. } | Step::Damage { slot, .. } | Step::Turn { slot, .. } | Step::Act { slot, .. } => *slot,
        _ => None,
    }
}

/// The step that moves something to the place in the slot.
pub fn goes_to(slot: Word, steps: &[Step]) -> Option<Step> {
    steps.iter().find(|s| matches!(s, Step::Move { to, attach: None, .. } if *to == slot)).cloned()
}

/// A place is to be chosen for cards of which none was chosen, and for nothing else.
fn places_nothing(frame: &Frame, target: &Target, rest: &[Step]) -> bool {
    if !matches!(target.of, Pool::Squares(_)) {
        return false;
    }
    let none = |what: Word| frame.slots.0.iter().any(|(slot, all)| *slot == what && all.is_empty());
    let empty = |s: &&Step| matches!(s, Step::Move { what: Some(what), to, .. } if *to == target.slot && none(*what));
    let moves = rest.iter().filter(empty).count();
    moves > 0 && format!("{rest:?}").matches(&format!("{:?}", target.slot)).count() == moves
}

/// The first step that does something with what is in the slot: an act that comes next, damage or an effect anywhere.
pub fn done_with(slot: Word, steps: &[Step]) -> Option<Step> {
    let uses = |(at, step): &(usize, &Step)| match step {
        Step::Act { what: Some(what), .. } | Step::Reveal { what: Some(what), .. } => *at == 0 && *what == slot,
        Step::Damage { what: Some(what), .. } | Step::Grant { what: Some(what), .. } => *what == slot,
        _ => false,
    };
    steps.iter().enumerate().find(uses).map(|(_, step)| step.clone())
}

/// What the name of such a slot ends with.
const DID: &str = "をした";

/// The slot in which it is kept whether what has that name was done.
pub fn did(slot: Word) -> Word {
    Word::new(&format!("{slot}{DID}"))
}

/// Whether it was done, for what asks by that name, and to no card.
pub fn tell_done(slots: &mut Slots, name: Word, done: bool) {
    slots.set(did(name), vec![Thing::Number(i32::from(done))]);
    slots.set(name, Vec::new());
}
