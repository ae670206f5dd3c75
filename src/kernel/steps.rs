//! Carries out the steps of an effect or a cost, in the order in which they are written.

use std::sync::Arc;

use super::Halt;
use super::principle::{Gloss, Principle};
use super::choose::shares;
use super::duel::{Duel, Flow, Given, Settings};
use super::event::{Cause, Event, What};
use super::eyes::Ctx;
use super::question::{Answers, Asks, Question};
use super::table::{Holds, Ongoing, Outcome, Ref, Seat, Slots, Table, Thing, Watch, ZoneId};
use crate::card::{Ability, Change, Filter, Kind, Step, Target, Value, Word};

/// For whom, from what and with what the steps are carried out.
#[derive(Clone, Debug)]
pub struct Frame {
    pub this: Option<Ref>,
    pub seat: Seat,
    pub slots: Slots,
    pub event: Option<Arc<Event>>,
    pub cause: Cause,
}

impl Frame {
    pub fn ctx(&self) -> Ctx<'_> {
        Ctx { this: self.this, seat: self.seat, slots: &self.slots, event: self.event.as_deref() }
    }
}

impl Duel<'_> {
    /// Carries out the steps; whether all of them did something.
    pub fn perform(&mut self, frame: &mut Frame, steps: &[Step]) -> Flow<bool> {
        let mut all = true;
        for (at, step) in steps.iter().enumerate() {
            self.spend()?;
            self.laying = self.laid_next(frame, step, steps.get(at + 1));
            all &= self.one(frame, step)?;
            self.laying = None;
        }
        Ok(all)
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

    /// The steps could be carried out: tried on a copy, with the first answer to every question.
    pub fn possible(
        &mut self,
        steps: &[Step],
        slots: &Slots,
        this: Option<Ref>,
        seat: Seat,
        event: Option<&Event>,
    ) -> Flow<bool> {
        let mut first = First;
        let settings = Settings { trace: false, patience: 1_000, ..Settings::default() };
        let given: &Given = self.given;
        let mut copy = Duel::new(self.book, given, &mut first, &settings);
        copy.t = self.t.clone();
        copy.strict = true;
        let cause = event.map_or(Cause { card: this, seat: Some(seat), ..Cause::RULE }, |e| e.cause);
        let mut frame = Frame { this, seat, slots: slots.clone(), event: event.cloned().map(Arc::new), cause };
        Ok(copy.perform(&mut frame, steps).unwrap_or(false))
    }

    fn one(&mut self, frame: &mut Frame, step: &Step) -> Flow<bool> {
        match step {
            Step::Move { slot, .. } => {
                let moved = self.move_step(frame, step)?;
                remember(frame, *slot, moved);
                Ok(moved)
            }
            Step::Draw { count, who, up_to } => self.draw_step(frame, count, *who, *up_to),
            Step::Damage { what, all, who, amount } => {
                self.damage_step(frame, *what, all.as_ref(), *who, amount.as_ref())
            }
            Step::Turn { what, all, state, slot } => {
                let cards = self.meant(frame, *what, all.as_ref());
                let done = self.turn(&cards, *state, frame.cause)?;
                remember(frame, *slot, done);
                Ok(done)
            }
            Step::Choose(target) => {
                let chosen = self.choose(frame, target, false)?;
                Ok(chosen && frame.slots.get(&target.slot).is_some_and(|t| !t.is_empty()))
            }
            Step::Grant { what, all, changes, until } => {
                self.grant(frame, *what, all.as_ref(), changes, *until);
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
                let fight = frame.event.as_ref().and_then(|e| e.fight).or_else(|| self.book.fight(&self.t));
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
                self.begin(frame, holds, None, None, *until);
                Ok(true)
            }
            Step::May { steps, by, then, otherwise, name } => self.may(frame, steps, *by, then, otherwise, *name),
            Step::If { cond, then, otherwise } => {
                let holds = self.see(|eyes| eyes.holds(&frame.ctx(), cond));
                self.perform(frame, if holds { then } else { otherwise })
            }
            Step::EachPlayer { choose, steps } => self.each_player(frame, choose, steps),
            Step::ForEach { what, slot, steps } => {
                let things: Vec<Thing> = frame.slots.get(what).unwrap_or_default().to_vec();
                let mut any = false;
                for thing in things {
                    frame.slots.set(*slot, vec![thing]);
                    any |= self.perform(frame, steps)?;
                }
                Ok(any)
            }
            Step::Repeat { count, steps } => {
                let times = self.number(&frame.ctx(), count);
                let mut any = false;
                for _ in 0..times.max(0) {
                    any |= self.perform(frame, steps)?;
                }
                Ok(any)
            }
            Step::Counter { what } => {
                let items: Vec<Thing> = frame.slots.get(what).unwrap_or_default().to_vec();
                let mut any = false;
                for thing in items {
                    if let Thing::Item(id) = thing {
                        let book = self.book;
                        any |= book.negate(self, id)?;
                    }
                }
                Ok(any)
            }
            Step::Reveal { what, all, to } => {
                let cards = self.meant(frame, *what, all.as_ref());
                let shown = to.is_none();
                for card in &cards {
                    self.edit().obj_mut(card.id).revealed |= shown;
                }
                let events = cards.iter().map(|c| Event::about(Word("見る"), *c).by(frame.cause)).collect();
                Ok(!self.propose(events)?.is_empty())
            }
            Step::Shuffle { .. } | Step::Act { .. } => {
                let book = self.book;
                book.act(self, step, &frame.clone().ctx())
            }
            Step::Swap { a, b } => self.swap(frame, *a, *b),
            Step::Retarget { what, to } => self.retarget(frame, *what, *to),
            Step::Mark { what, name, count } => {
                let cards = self.see(|eyes| eyes.subjects(&frame.ctx(), *what));
                let by = self.number(&frame.ctx(), count);
                for card in &cards {
                    let marks = &mut self.edit().obj_mut(card.id).marks;
                    match marks.iter_mut().find(|(n, _)| n == name) {
                        Some((_, n)) => *n = (*n + by).max(0),
                        None => marks.push((*name, by.max(0))),
                    }
                }
                Ok(!cards.is_empty())
            }
            Step::Let { slot, value } => {
                let n = self.number(&frame.ctx(), value);
                frame.slots.set(*slot, vec![Thing::Number(n)]);
                Ok(true)
            }
            Step::End { who, result } => {
                let Some(seat) = self.see(|eyes| eyes.seat(&frame.ctx(), *who)) else { return Ok(false) };
                let winner = if *result == "勝利" { seat } else { seat.other() };
                self.edit().over = Some(Outcome::Won(winner));
                Err(Halt::Over(Outcome::Won(winner)))
            }
        }
    }

    /// The cards meant by a word or a filter.
    pub fn meant(&mut self, frame: &Frame, what: Option<Word>, all: Option<&Filter>) -> Vec<Ref> {
        let cards = self.see(|eyes| {
            let ctx = frame.ctx();
            let mut cards = what.map(|w| eyes.subjects(&ctx, w)).unwrap_or_default();
            if let Some(filter) = all {
                cards.extend(eyes.select(&ctx, filter));
            }
            // What is no longer where the text knew it is not found.
            cards.retain(|r| eyes.t.is_now(*r));
            cards
        });
        if what.is_some_and(|w| w == "event" || w == "this") && self.hides(frame, &cards) {
            return Vec::new();
        }
        cards
    }

    /// The card of the event has gone where not all can see it: there it is not looked for.
    fn hides(&mut self, frame: &Frame, cards: &[Ref]) -> bool {
        let moved = frame.event.as_ref().filter(|e| e.is_move() && e.card != e.after).and_then(|e| e.after);
        let Some(card) = cards.iter().find(|card| Some(**card) == moved) else { return false };
        let obj = self.t.obj(card.id);
        let open = self.book.schema().spec(obj.zone).sight == super::Sight::All || obj.face_up || obj.revealed;
        self.decides(Principle::FindsInTheOpen) && !open
    }

    fn move_step(&mut self, frame: &mut Frame, step: &Step) -> Flow<bool> {
        let Step::Move { what, all, to, at, state, control, how, attach, .. } = step else { return Ok(false) };
        let cards = self.meant(frame, *what, all.as_ref());
        let mut events = Vec::with_capacity(cards.len());
        if cards.is_empty() {
            self.gloss(Gloss::Impossible);
        }
        let several: Vec<ZoneId> = frame.slots.zones(to);
        for (i, card) in cards.into_iter().enumerate() {
            let ctx = frame.ctx();
            let owner = self.t.obj(card.id).owner;
            // Of several zones each card has its own.
            let zone = match several.len() {
                0 | 1 => self.see(|eyes| eyes.zone_of(&ctx, *to)).or_else(|| self.book.home(*to, owner)),
                _ => several.get(i).copied(),
            };
            let Some(zone) = zone else { continue };
            let host = match attach {
                Some(how) => match self.see(|eyes| eyes.subjects(&ctx, *to)).first() {
                    Some(host) if self.t.is_now(*host) => Some((*how, host.id)),
                    _ => continue,
                },
                None => None,
            };
            let keep = self.t.obj(card.id).turned;
            let book = self.book;
            if !book.schema().spec(zone).board && owner != frame.seat {
                self.gloss(Gloss::OwnersZone);
            }
            let turned = match state {
                Some(s) if *s == "そのまま" => keep,
                Some(s) => *s == book.schema().turned,
                None => book.arrival(self, card.id, zone),
            };
            let controller = match control.map(|c| c.as_str()) {
                Some("持ち主") => {
                    self.gloss(Gloss::PutByNamed);
                    Some(owner)
                }
                Some(who) => self.see(|eyes| eyes.seat(&frame.ctx(), Word::new(who))),
                None if book.schema().spec(self.t.obj(card.id).zone).board => None,
                None => {
                    if book.schema().spec(zone).board {
                        self.gloss(Gloss::PutBy);
                    }
                    Some(frame.seat)
                }
            };
            let mut event = self.moving(card, zone).by(frame.cause);
            // 「加えてシャッフルする」 names no place in the pile.
            let mixed = at.is_some_and(|a| a == "シャッフル");
            event.how = how.unwrap_or(if mixed { Word("シャッフル") } else { Word("") });
            event.seat = Some(frame.seat);
            event.what = What::Move {
                to: zone,
                bottom: at.is_some_and(|a| a == "下"),
                turned,
                face_up: book.face_up(attach.unwrap_or(*to), zone),
                controller,
                host,
            };
            events.push(event);
        }
        let wanted = !events.is_empty();
        if !wanted && !self.decides(Principle::NothingDone) {
            return Ok(true);
        }
        let happened = self.propose_in_turn(events)?;
        if at.is_some_and(|a| a == "シャッフル") {
            let owners: Vec<Seat> = Seat::BOTH
                .into_iter()
                .filter(|s| happened.iter().filter_map(|e| e.after).any(|r| self.t.obj(r.id).owner == *s))
                .collect();
            for owner in owners {
                let own = Frame { seat: owner, ..frame.clone() };
                let book = self.book;
                book.act(self, &Step::Shuffle { who: None }, &own.ctx())?;
            }
        }
        // A text that moves a card and goes on about it means the card where it has gone.
        let moved = happened.iter().filter_map(|e| e.after).map(Thing::Card).collect();
        frame.slots.set(Word("moved"), moved);
        let book = self.book;
        let means = frame.cause.means;
        let done = !happened.is_empty() && happened.iter().all(|e| e.replaced_by.is_empty());
        Ok(done || wanted && (self.replaced || !happened.is_empty()) && book.counts_as_done(self, means))
    }

    /// At once, or one after another where the game says so.
    fn propose_in_turn(&mut self, events: Vec<Event>) -> Flow<Vec<Event>> {
        let book = self.book;
        if events.len() < 2 || !book.one_by_one(self, &events) {
            return self.propose(events);
        }
        let mut happened = Vec::new();
        for event in events {
            happened.extend(self.propose(vec![event])?);
        }
        Ok(happened)
    }

    fn draw_step(&mut self, frame: &mut Frame, count: &Value, who: Option<Word>, up_to: bool) -> Flow<bool> {
        let n = self.number(&frame.ctx(), count);
        let seat = who.and_then(|w| self.see(|eyes| eyes.seat(&frame.ctx(), w))).unwrap_or(frame.seat);
        let (mut any, mut all) = (false, true);
        if n > 1 {
            self.gloss(if up_to { Gloss::UpTo } else { Gloss::OneByOne });
        }
        for _ in 0..n.max(0) {
            if up_to && !self.yes(seat, Word("引く"), frame.this)? {
                break;
            }
            let book = self.book;
            let drawn = book.draw(self, seat, &frame.clone().ctx())?;
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
        let fixed = amount.map(|v| self.number(&frame.ctx(), v));
        let share = |card: &Ref| {
            let slot = what?;
            let at = frame.slots.cards(&slot).iter().position(|r| r == card)?;
            match frame.slots.get(&shares(slot))?.get(at)? {
                Thing::Number(n) => Some(*n),
                _ => None,
            }
        };
        let to: Vec<(Ref, i32)> = cards.iter().map(|c| (*c, fixed.or_else(|| share(c)).unwrap_or(0))).collect();
        let book = self.book;
        if let Some(who) = who {
            let step = Step::Act { name: Word("ダメージ"), who: Some(who), what: None, count: amount.cloned() };
            return book.act(self, &step, &frame.clone().ctx());
        }
        book.damage(self, &to, &frame.clone().ctx())
    }

    /// Turns cards that are not turned so yet; nothing happens to the others.
    pub fn turn(&mut self, cards: &[Ref], state: Word, cause: Cause) -> Flow<bool> {
        let schema = self.book.schema();
        let mut events = Vec::new();
        for card in cards {
            let obj = self.t.obj(card.id);
            let (what, already) = match state.as_str() {
                "表" | "裏" => (What::Face { up: state == "表" }, obj.face_up == (state == "表")),
                s if s == schema.turned => (What::Turn { turned: true }, obj.turned),
                s if s == schema.upright => (What::Turn { turned: false }, !obj.turned),
                _ => continue,
            };
            if already && self.decides(Principle::SameState) {
                continue;
            }
            events.push(Event { what, ..Event::about(state, *card).by(cause) });
        }
        if events.is_empty() {
            return Ok(false);
        }
        Ok(!self.propose(events)?.is_empty())
    }

    fn grant(
        &mut self,
        frame: &mut Frame,
        what: Option<Word>,
        all: Option<&Filter>,
        changes: &[Change],
        until: Option<Word>,
    ) {
        let (mut locked, mut open) = (Vec::new(), Vec::new());
        for change in changes {
            let book = self.book;
            let fixed = self.fix(frame, change);
            if fixed != *change {
                self.gloss(Gloss::FixedOnce);
            }
            let change = fixed;
            if book.locks(self, &change, all) || all.is_none() { locked.push(change) } else { open.push(change) }
        }
        if !locked.is_empty() {
            let cards = self.meant(frame, what, all);
            self.begin(frame, Holds::Changes(Arc::new(locked)), Some(cards), None, until);
        }
        if !open.is_empty() {
            self.begin(frame, Holds::Changes(Arc::new(open)), None, all.cloned(), until);
        }
    }

    /// Numbers are made out once, when the effect begins.
    fn fix(&mut self, frame: &Frame, change: &Change) -> Change {
        let ctx = frame.ctx();
        match change {
            Change::Add(name, v) => Change::Add(*name, Value::Number(self.number(&ctx, v))),
            Change::Set(name, v) => Change::Set(*name, Value::Number(self.number(&ctx, v))),
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
    ) {
        let once = until.is_none() && matches!(holds, Holds::Instead(_));
        self.gloss(if matches!(holds, Holds::Instead(_)) { Gloss::MadeReplacement } else { Gloss::Duration });
        let fight = self.book.fight(&self.t);
        let t = self.edit();
        let stamp = t.tick();
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
    }

    /// Ends what lasts until then; for a fight, what began in it.
    pub fn expire(&mut self, until: Word, fight: Option<u32>) {
        let ends = |u: Option<Word>, f: Option<u32>| u == Some(until) && (fight.is_none() || f == fight);
        if self.t.ongoing.iter().any(|o| ends(o.until, o.fight)) {
            self.edit().ongoing.retain(|o| !ends(o.until, o.fight));
        }
        self.aside().watches().retain(|w| !ends(w.until, w.fight));
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
        let done = possible && self.yes(seat, name.unwrap_or(Word("してよい")), frame.this)? && {
            self.perform(frame, steps)?
        };
        remember(frame, name, done);
        if done {
            self.perform(frame, then)?;
        } else {
            self.perform(frame, otherwise)?;
        }
        Ok(done)
    }

    /// The active player chooses first, the other knowing it; then all is done at once.
    fn each_player(&mut self, frame: &mut Frame, choose: &[Target], steps: &[Step]) -> Flow<bool> {
        let mut all: Vec<(Word, Vec<Thing>)> = Vec::new();
        let first = if self.decides(Principle::ActiveFirst) { self.t.active } else { self.t.active.other() };
        for seat in [first, first.other()] {
            let mut own = Frame { seat, ..frame.clone() };
            for target in choose {
                self.choose(&mut own, target, false)?;
                let chosen = own.slots.get(&target.slot).unwrap_or_default().to_vec();
                match all.iter_mut().find(|(slot, _)| *slot == target.slot) {
                    Some((_, things)) => things.extend(chosen),
                    None => all.push((target.slot, chosen)),
                }
            }
        }
        for (slot, things) in all {
            frame.slots.set(slot, things);
        }
        self.perform(frame, steps)
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
            let (turned, face_up) = (obj.turned, obj.face_up);
            let mut event = self.moving(card, to).by(frame.cause);
            event.what = What::Move { to, bottom: false, turned, face_up, controller: None, host: None };
            events.push(event);
        }
        Ok(!self.propose(events)?.is_empty())
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
            let Some(old) = item.slots.get(&target.slot).filter(|t| t.len() == 1).map(<[Thing]>::to_vec) else {
                continue;
            };
            let (good, _) = self.candidates_of(&own, &target.of, true);
            let book = self.book;
            let (right, changes) = (good.contains(&new), book.retargets(self, good.contains(&new)));
            // Right and not changed: the new one would stand beside the old one.
            let things = match (right, changes) {
                (_, true) => vec![new],
                (true, false) => vec![old[0], new],
                (false, false) => continue,
            };
            if let Some(item) = self.edit().context_mut().pile.iter_mut().find(|i| i.id == id) {
                item.slots.set(target.slot, things);
            }
            return Ok(true);
        }
        Ok(false)
    }
}

fn remember(frame: &mut Frame, slot: Option<Word>, done: bool) {
    if let Some(slot) = slot {
        frame.slots.set(slot, vec![Thing::Number(i32::from(done))]);
    }
}

/// Answers every question with the first answer there is; yes to all.
struct First;

impl Answers for First {
    fn next(&mut self, _: &Table, question: &Question) -> Option<Vec<i32>> {
        Some(match &question.asks {
            Asks::Act(_) => vec![0],
            Asks::Choose { of, min, max } => (0..(*min).max(1).min(*max).min(of.len()) as i32).collect(),
            Asks::Order(of) => (0..of.len() as i32).collect(),
            Asks::YesNo => vec![1],
            Asks::Number { min, .. } => vec![*min],
        })
    }
}
