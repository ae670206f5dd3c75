//! The only way to change anything: forbidden, replaced, done, logged, seen by triggers.

use std::sync::Arc;

use super::book::Point;
use super::duel::{Duel, Flow};
use super::event::{Event, What};
use super::eyes::{Ctx, pattern_names, read};
use super::question::{Asks, Question};
use super::table::{FACTS, Holds, Past, Ref, Slots, Thing, ZoneId};
use super::trace::Told;
use super::trigger;
use super::view::Seen;
use crate::card::{Ability, Change, Cond, Kind, Replace, Word};

/// How deep replacements may lie in each other.
const DEPTH: usize = 20;

/// A replacement that could have an event.
struct Candidate {
    source: Option<Ref>,
    number: u32,
    text: Text,
    seat: super::Seat,
    slots: Slots,
    /// Its place among the ongoing effects, if it is spent by use.
    once: Option<usize>,
}

/// Where a replacement is written.
#[derive(Clone)]
enum Text {
    Ability(Arc<Ability>),
    Made(Arc<Replace>),
}

impl Text {
    fn instead(&self) -> &Replace {
        match self {
            Text::Ability(ability) => ability.instead.as_ref().expect("only replacements are candidates"),
            Text::Made(replace) => replace,
        }
    }

    fn cond(&self) -> Option<&Cond> {
        match self {
            Text::Ability(ability) => ability.cond.as_ref(),
            Text::Made(_) => None,
        }
    }
}

impl Duel<'_> {
    /// Proposes events that happen at once; those that did happen.
    pub fn propose(&mut self, mut events: Vec<Event>) -> Flow<Vec<Event>> {
        self.spend()?;
        let book = self.book;
        self.replaced = false;
        book.accompany(self, &mut events)?;
        let mut settled = Vec::with_capacity(events.len());
        for event in events {
            if let Some(event) = self.settle(event)? {
                settled.push(event);
            }
        }
        if settled.is_empty() {
            return Ok(settled);
        }
        book.arrivals(self, &mut settled)?;
        // What happens at once is seen as it was before any of it, and bears one timestamp.
        let looks_back = settled.iter().any(|e| book.had_before(self, e).is_some());
        let view = self.look();
        let seen = |e: &Event| e.card.filter(|_| e.is_move()).map(|c| view.cards[c.id.0 as usize].clone());
        let seen: Vec<Option<Arc<Seen>>> = settled.iter().map(seen).collect();
        let gained = view.gained;
        let before = trigger::Before { gained, all: looks_back.then(|| (self.t.clone(), view)) };
        let stamp = self.aside().tick();
        for (event, seen) in settled.iter_mut().zip(seen) {
            self.commit(event, seen, stamp);
        }
        for event in &mut settled {
            let side = book.side_of(self, event);
            event.side = Some(side);
        }
        self.watch_lives();
        for event in &settled {
            self.tell(Told::Happened, |d| d.event_words(event));
        }
        book.happened(self, &settled)?;
        trigger::look(self, &settled, &before)?;
        // Without the clause by which a replaced event did not happen, it triggers all the same.
        let ghosts = std::mem::take(&mut self.ghosts);
        if !ghosts.is_empty() {
            trigger::look(self, &ghosts, &before)?;
        }
        self.edit_if(read::HAPPENED).happened.extend(settled.iter().cloned());
        book.interrupts(self)?;
        Ok(settled)
    }

    pub fn propose_one(&mut self, event: Event) -> Flow<bool> {
        Ok(!self.propose(vec![event])?.is_empty())
    }

    /// Something happened that changes nothing.
    pub fn signal(&mut self, name: Word) -> Flow {
        self.propose(vec![Event::signal(name)]).map(|_| ())
    }

    /// A move of a card as it is now.
    pub fn moving(&mut self, card: Ref, to: ZoneId) -> Event {
        let obj = self.t.obj(card.id);
        let from = obj.zone;
        let face_up = obj.face_up;
        Event {
            what: What::Move { to, bottom: false, turned: false, face_up: true, controller: None, host: None },
            name: Word("置く"),
            from: Some(from),
            from_face_up: face_up,
            to: Some(to),
            ..Event::about(Word("置く"), card)
        }
    }

    /// Forbids or replaces; `None` when nothing is left of the event.
    fn settle(&mut self, mut event: Event) -> Flow<Option<Event>> {
        // What a replacement does is not replaced by it again.
        event.replaced_by.extend(self.replacing.iter().copied());
        loop {
            event.turn = self.t.turn;
            let book = self.book;
            book.adjust(self, &mut event)?;
            if self.forbidden(&event) {
                return Ok(None);
            }
            let mut candidates = self.candidates(&event);
            if candidates.is_empty() || !self.decides(Point::Replaces) {
                return Ok(Some(event));
            }
            let at = if candidates.len() > 1 { self.which(&event, &candidates)? } else { 0 };
            let chosen = candidates.swap_remove(at);
            match self.replace(event, chosen)? {
                Some(changed) => event = changed,
                None => return Ok(None),
            }
        }
    }

    /// By the rules, or by a text that says "cannot".
    pub fn forbidden(&mut self, event: &Event) -> bool {
        let book = self.book;
        if let Some(cite) = book.forbids(self, event) {
            self.trace.tell(Told::NotApplied, Some(cite), || event.name.to_string());
            return true;
        }
        let view = self.look();
        if view.rules.is_empty() {
            return false;
        }
        let cite = book.cannot();
        let fits = self.see(|eyes| {
            view.rules.iter().any(|rule| {
                let ctx = Ctx { this: rule.source, seat: rule.seat, slots: &rule.slots, event: Some(event) };
                match &rule.change {
                    Change::Forbid(pattern) => {
                        rule.on.is_none_or(|on| event.card.is_some_and(|c| c.id == on))
                            && eyes.event_fits(&ctx, pattern, event)
                    }
                    _ => false,
                }
            })
        });
        fits && self.applies(cite, |d| format!("「できない」ので起こらない: {}", d.event_words(event)))
    }

    fn candidates(&mut self, event: &Event) -> Vec<Candidate> {
        let view = self.look();
        let mut found = Vec::new();
        let given = self.given;
        for &id in if view.gained { &given.holders.all } else { &given.holders.replaces } {
            let seen = &view.cards[id.0 as usize];
            if !seen.kinds.replaces {
                continue;
            }
            let (zone, face_up) = (self.t.obj(id).zone, self.t.obj(id).face_up);
            for (number, ability) in seen.abilities.iter().enumerate() {
                if ability.instead.is_none() || ability.kind != Kind::Static {
                    continue;
                }
                if self.works(seen, zone, face_up, ability) {
                    found.push(Candidate {
                        source: Some(self.t.now(id)),
                        number: number as u32,
                        text: Text::Ability(ability.clone()),
                        seat: seen.controller,
                        slots: Slots::default(),
                        once: None,
                    });
                }
            }
        }
        for (at, ongoing) in self.t.ongoing.iter().enumerate() {
            if let Holds::Instead(instead) = &ongoing.holds {
                found.push(Candidate {
                    source: ongoing.source,
                    number: ongoing.stamp,
                    text: Text::Made(instead.clone()),
                    seat: ongoing.seat,
                    slots: ongoing.slots.clone(),
                    once: ongoing.once.then_some(at),
                });
            }
        }
        found.retain(|c| self.has_it(c, event));
        found
    }

    /// The replacement speaks of the event, and has not had it yet.
    fn has_it(&mut self, c: &Candidate, event: &Event) -> bool {
        let when = &c.text.instead().when;
        let fits = pattern_names(when, event)
            && self.see(|eyes| {
                let ctx = Ctx { this: c.source, seat: c.seat, slots: &c.slots, event: Some(event) };
                eyes.event_fits(&ctx, when, event) && c.text.cond().is_none_or(|x| eyes.holds(&ctx, x))
            });
        let book = self.book;
        fits && !(event.replaced_by.contains(&(c.source, c.number)) && book.replaces_once(self))
    }

    /// Several replacements want the event: somebody says which is first.
    fn which(&mut self, event: &Event, candidates: &[Candidate]) -> Flow<usize> {
        let (seat, cite) = self.book.replacing(self, event);
        let of: Vec<Thing> =
            candidates.iter().map(|c| c.source.map_or(Thing::Number(c.number as i32), Thing::Card)).collect();
        let question = Question::new(seat, Word("置換"), Asks::Choose { of, min: 1, max: 1 }).citing(cite);
        self.trace.reach(cite);
        Ok(self.ask(question)?[0] as usize)
    }

    /// What becomes of the event.
    fn replace(&mut self, mut event: Event, with: Candidate) -> Flow<Option<Event>> {
        event.replaced_by.push((with.source, with.number));
        let text = with.text.clone();
        let instead = text.instead();
        if instead.optional {
            let possible = self.possible(&instead.steps, &with.slots, with.source, with.seat, Some(&event))?;
            if !possible && self.decides(Point::PossibleOnly) || !self.yes(with.seat, Word("置換"), with.source)? {
                return Ok(Some(event));
            }
        }
        if let Some(at) = with.once {
            self.edit().ongoing.remove(at);
        }
        if !self.decides(Point::DidNotHappen) {
            let side = self.book.side(&event);
            self.ghosts.push(Event { side: Some(side), ..event.clone() });
        }
        self.tell(Told::Replaced, |d| {
            let by = with.source.map(|s| d.card_name(s)).unwrap_or_default();
            format!("{by}の置換効果: {}", d.event_words(&event))
        });
        if let Some(place) = instead.to
            && let (What::Move { to, turned, .. }, Some(card)) = (&mut event.what, event.card)
        {
            let owner = self.t.obj(card.id).owner;
            if let Some(zone) = self.book.home(place, owner) {
                *to = zone;
                event.to = Some(zone);
                event.how = Word("");
                *turned = instead.state.is_some_and(|s| s == self.book.schema().turned);
            }
            return Ok(Some(event));
        }
        let mut frame = super::steps::Frame {
            this: with.source,
            seat: with.seat,
            slots: with.slots,
            event: Some(Arc::new(event.clone())),
            cause: event.cause,
        };
        if self.replacing.len() >= DEPTH {
            return self.endless("置換効果が自分自身を置き換え続けます", &[]);
        }
        self.replacing.push((with.source, with.number));
        let done = self.perform(&mut frame, &instead.steps);
        self.replacing.pop();
        done?;
        self.replaced = true;
        Ok(None)
    }

    fn commit(&mut self, event: &mut Event, seen: Option<Arc<Seen>>, stamp: u32) {
        event.stamp = stamp;
        let book = self.book;
        let lying = event.card.is_some_and(|c| self.t.obj(c.id).host.is_some() && !self.t.obj(c.id).face_up);
        let front = !lying || !event.is_move() || book.reads_front(self);
        let keeps = match (&event.what, event.from) {
            (What::Move { to, .. }, Some(from)) => self.book.keeps(from, *to),
            _ => true,
        };
        if event.is_move() {
            self.decides(if keeps { Point::SameCard } else { Point::NewCard });
        }
        match event.what.clone() {
            What::Move { to, bottom, turned, face_up, controller, host } => {
                let Some(card) = event.card.filter(|c| self.t.is_now(*c)) else { return };
                let specs = self.book.schema();
                let old = self.t.obj(card.id);
                let (zone, was_turned, owner, old_controller) = (old.zone, old.turned, old.owner, old.controller);
                // Out of play, a card without effects of its own is nobody's business but theirs who look there.
                let out = |zone: ZoneId| !specs.spec(zone).board;
                let silent = seen.as_ref().is_some_and(|s| !s.kinds.statics) && old_controller == owner;
                let t = if silent && out(zone) && out(to) { self.edit_if(read::OFF_BOARD) } else { self.edit() };
                let at = &mut t.zones[zone.0 as usize];
                at.retain(|id| *id != card.id);
                let into = &mut t.zones[to.0 as usize];
                if bottom {
                    into.insert(0, card.id)
                } else {
                    into.push(card.id)
                }
                if let Some(known) = seen.filter(|_| !keeps) {
                    // A card that lay face down with another has no front to be read.
                    let seen = if !front { Arc::new(blank(&known)) } else { known };
                    let hosted =
                        t.cards.iter().filter_map(|c| c.host).filter(|h| h.1 == card.id).map(|h| h.0).collect();
                    t.past.push(Past { card, seen, zone, turned: was_turned, hosted });
                }
                let obj = t.obj_mut(card.id);
                obj.zone = to;
                obj.since = stamp;
                obj.turned = turned;
                obj.face_up = face_up;
                obj.host = host;
                obj.revealed = false;
                let board = specs.spec(to).board;
                obj.controller =
                    if board { controller.unwrap_or(if keeps { old_controller } else { owner }) } else { owner };
                if !keeps {
                    obj.life += 1;
                    obj.facts = first_facts(specs);
                    obj.marks.clear();
                }
                event.after = Some(t.now(card.id));
            }
            What::Turn { turned } => {
                if let Some(card) = event.card {
                    self.edit_if(read::STATE).obj_mut(card.id).turned = turned;
                }
            }
            What::Face { up } => {
                if let Some(card) = event.card {
                    self.edit().obj_mut(card.id).face_up = up;
                }
            }
            What::Grow { fact } => {
                if let Some(card) = event.card {
                    *self.aside().card(card.id, fact) += event.amount;
                }
            }
            What::SeatFact { fact, by } => {
                if let Some(seat) = event.seat {
                    let mut aside = self.aside();
                    let fact = aside.seat(seat, fact);
                    *fact = fact.saturating_add(by);
                }
            }
            What::Signal => {}
        }
    }

    /// What spoke of a life that has ended goes with it.
    fn watch_lives(&mut self) {
        let t = &self.t;
        let gone = |r: &Ref| !t.is_now(*r);
        let any = t.watches.iter().any(|w| w.about.iter().any(gone));
        if any && self.decides(Point::DelayedGoes) {
            let t = &self.t;
            let gone = |r: &Ref| !t.is_now(*r);
            let keep: Vec<bool> = t.watches.iter().map(|w| !w.about.iter().any(gone)).collect();
            let mut keep = keep.into_iter();
            self.aside().watches().retain(|_| keep.next().unwrap_or(true));
        }
    }

    /// An event in words, for the trace.
    pub fn event_words(&self, event: &Event) -> String {
        let card = event.card.map(|c| self.card_name(c)).unwrap_or_default();
        let seat = event.seat.map(|s| self.book.schema().seats[s.index()]).unwrap_or_default();
        let schema = self.book.schema();
        match &event.what {
            What::Move { to, turned, face_up, host, .. } => {
                let from = event.from.map(|z| self.zone_name(z)).unwrap_or_default();
                let how = match (event.name == "置く", event.how.is_empty()) {
                    (_, true) => event.name.to_string(),
                    (true, false) => event.how.to_string(),
                    (false, false) => format!("{}（{}）", event.name, event.how),
                };
                let state = match (schema.spec(*to).states, *turned) {
                    (true, true) => format!("（{}）", schema.turned),
                    (true, false) => format!("（{}）", schema.upright),
                    _ => String::new(),
                };
                let down = if *face_up || !schema.spec(*to).states { "" } else { "裏向き" };
                let host =
                    host.map(|(how, h)| format!("［{how}: {}］", self.card_name(self.t.now(h)))).unwrap_or_default();
                format!("{card}を{how}: {from} → {}{state}{down}{host}", self.zone_name(*to))
            }
            What::Turn { turned } => format!("{card}を{}", if *turned { schema.turned } else { schema.upright }),
            What::Face { up } => format!("{card}を{}にする", if *up { "表向き" } else { "裏向き" }),
            What::Grow { .. } => format!("{card}に{} {}", event.name, event.amount),
            What::SeatFact { .. } => format!("{seat}: {} {}", event.name, event.amount),
            What::Signal => match (card.is_empty(), seat.is_empty()) {
                (true, true) => event.name.to_string(),
                (true, false) => format!("{seat}の{}", event.name),
                _ => format!("{card}の{}", event.name),
            },
        }
    }
}

fn blank(seen: &Seen) -> Seen {
    Seen {
        name: Word(""),
        data: seen.data.iter().map(|_| super::view::Data::None).collect(),
        abilities: Vec::new(),
        controller: seen.controller,
        kinds: Default::default(),
    }
}

/// The facts of a card that has just become a new one.
pub fn first_facts(schema: &super::Schema) -> [i32; FACTS] {
    let mut facts = [0; FACTS];
    let cards = schema.facts.iter().filter(|f| f.owner == super::FactOwner::Card);
    for (fact, spec) in facts.iter_mut().zip(cards) {
        *fact = spec.initial;
    }
    facts
}
