//! The only way to change anything: forbidden, replaced, done, logged, seen by triggers.

use std::sync::Arc;

use super::cite::Cite;
use super::duel::{Duel, Flow};
use super::event::{Event, What};
use super::eyes::{Ctx, pattern_names, read};
use super::principle::{Gloss, Principle};
use super::question::{Asks, Question};
use super::schema::{Ends, FactOwner, FactSpec};
use super::table::{Holds, Obj, Past, Ref, Slots, Thing, ZoneId};
use super::trace::Told;
use super::trigger;
use super::view::Seen;
use crate::card::{Ability, Change, Cond, Kind, Missing, Replace, Step, Word};

/// How deep replacements may lie in each other, and how often one may have the same event.
const DEPTH: usize = 20;
/// How deep what the rules do at once may lie in itself.
const NESTED: usize = 100;

/// What came of a proposal. Whoever proposes must look: an attack that is forbidden does not go on.
#[must_use = "what was proposed may have been denied or replaced"]
#[derive(Debug, Default)]
pub struct Done {
    /// What happened, with what went along.
    pub happened: Vec<Event>,
    /// Some of it was replaced by something else: it did not happen, but was done.
    pub replaced: bool,
    /// The clauses by which some of it could not happen.
    pub denied: Vec<&'static Cite>,
}

impl Done {
    /// Something happened.
    pub fn any(&self) -> bool {
        !self.happened.is_empty()
    }

    pub fn is_empty(&self) -> bool {
        self.happened.is_empty()
    }

    /// The first that happened.
    pub fn first(&self) -> Option<&Event> {
        self.happened.first()
    }
}

/// What came of all that was proposed since somebody last looked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Upshot {
    /// Something was done instead of what was wanted.
    pub replaced: bool,
    /// Something was not to be done.
    pub denied: bool,
}

/// What becomes of one event.
enum Settled {
    Happens(Event),
    Denied(&'static Cite),
    Replaced,
}

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
    /// Proposes events that happen at once; what came of them.
    pub fn propose(&mut self, events: Vec<Event>) -> Flow<Done> {
        self.spend()?;
        if self.nested >= NESTED {
            let book = self.book;
            book.endless(self)?;
            return self.endless("ルールの処理が自分自身を呼び続けます", &[]);
        }
        self.nested += 1;
        let done = self.proposed(events);
        self.nested -= 1;
        if let Ok(done) = &done {
            self.upshot.replaced |= done.replaced;
            self.upshot.denied |= !done.denied.is_empty();
        }
        done
    }

    fn proposed(&mut self, events: Vec<Event>) -> Flow<Done> {
        let book = self.book;
        let mut done = Done::default();
        let mut settled = Vec::with_capacity(events.len());
        for event in events {
            self.settle_into(event, &mut settled, &mut done)?;
        }
        if settled.is_empty() {
            return Ok(done);
        }
        // What goes with a card goes only if the card goes.
        let own = settled.len();
        book.accompany(self, &mut settled)?;
        for event in settled.split_off(own) {
            self.settle_into(event, &mut settled, &mut done)?;
        }
        self.put_in_order(&mut settled)?;
        // What happens at once is seen as it was before any of it, and bears one timestamp.
        let looks_back = settled.iter().any(|e| self.had_before(e).is_some());
        let view = self.look();
        let seen = |e: &Event| e.card.filter(|_| e.is_move()).map(|c| view.cards[c.id.0 as usize].clone());
        let seen: Vec<Option<Arc<Seen>>> = settled.iter().map(seen).collect();
        let gained = view.gained.clone();
        let before = trigger::Before { gained, all: looks_back.then(|| (self.t.clone(), view)) };
        let stamp = self.t.0.tick();
        for (event, seen) in settled.iter_mut().zip(seen) {
            self.commit(event, seen, stamp);
        }
        for event in &mut settled {
            let (side, cite) = book.side(event);
            let stands = cite.is_none_or(|c| self.applies(c, |_| "移動する前のカードの情報を見る".into()));
            event.side = Some(if stands { side } else { super::Side::After });
        }
        self.watch_lives();
        for event in &settled {
            let under = event.cite.or(self.span());
            self.tell_under(Told::Happened, under, |d| d.event_words(event));
        }
        self.keep_moment();
        book.happened(self, &settled)?;
        trigger::look(self, &settled, &before)?;
        // Without the clause by which a replaced event did not happen, it triggers all the same.
        let ghosts = std::mem::take(&mut self.ghosts);
        if !ghosts.is_empty() {
            trigger::look(self, &ghosts, &before)?;
        }
        self.pass(read::HAPPENED).happened.extend(settled.iter().cloned().map(Arc::new));
        book.at_once(self, &settled)?;
        done.happened = settled;
        Ok(done)
    }

    /// One event; what came of it.
    pub fn propose_one(&mut self, event: Event) -> Flow<Done> {
        self.propose(vec![event])
    }

    /// Proposes what nothing depends on: what is denied or replaced is told in the trace, and the game goes on as it is.
    pub fn happen(&mut self, events: Vec<Event>) -> Flow {
        self.propose(events).map(|_| ())
    }

    /// Something happened that changes nothing.
    pub fn signal(&mut self, name: Word) -> Flow {
        self.happen(vec![Event::signal(name).seat(self.t.active)])
    }

    fn settle_into(&mut self, event: Event, settled: &mut Vec<Event>, done: &mut Done) -> Flow {
        match self.outcome(event)? {
            Settled::Happens(event) => settled.push(event),
            Settled::Denied(by) => done.denied.push(by),
            Settled::Replaced => done.replaced = true,
        }
        Ok(())
    }

    /// A move of a card as it is now.
    pub fn moving(&mut self, card: Ref, to: ZoneId) -> Event {
        let obj = self.t.obj(card.id);
        let from = obj.zone;
        let face_up = obj.face_up;
        Event {
            what: What::Move { to, bottom: false, state: 0, face_up: true, controller: None, host: None },
            name: Word("置く"),
            from: Some(from),
            from_face_up: face_up,
            to: Some(to),
            ..Event::about(Word("置く"), card)
        }
    }

    /// Forbids or replaces.
    fn outcome(&mut self, mut event: Event) -> Flow<Settled> {
        // What a replacement does is not replaced by it again.
        event.replaced_by.extend(self.replacing.iter().copied());
        loop {
            event.turn = self.t.turn;
            let book = self.book;
            self.encoded(&event)?;
            book.adjust(self, &mut event)?;
            if let Some(by) = self.denies(&event) {
                return Ok(Settled::Denied(by));
            }
            let mut candidates = self.candidates(&event);
            if candidates.is_empty() || !self.decides(Principle::Replaces) {
                return Ok(Settled::Happens(event));
            }
            let several = candidates.len() > 1;
            let mut refused = Vec::new();
            if several {
                refused = self.leave_out_impossible(&event, &mut candidates)?;
            }
            let at = if several { self.which(&event, &candidates, refused)? } else { 0 };
            let chosen = candidates.swap_remove(at);
            match self.replace(event, chosen)? {
                Some(changed) => event = changed,
                None => return Ok(Settled::Replaced),
            }
        }
    }

    /// A card whose text is not all written down is no good where that text could matter: in play, or when it is used.
    fn encoded(&self, event: &Event) -> Flow {
        let Some(card) = event.card else { return Ok(()) };
        let missing = &self.given.defs[self.t.obj(card.id).def as usize].card.unencoded;
        let in_play = || !event.is_move() || event.to.is_some_and(|z| self.book.schema().spec(z).board);
        let touches = |m: &&Missing| {
            if m.when.is_empty() { in_play() } else { m.when.contains(&event.name) || m.when.contains(&event.how) }
        };
        match missing.iter().find(touches) {
            Some(m) => self.unwritten(format!("{}の書き表していない能力（{}）", self.card_name(card), m.text), &[]),
            None => Ok(()),
        }
    }

    /// By the rules, or by a text that says "cannot".
    pub fn forbidden(&mut self, event: &Event) -> bool {
        self.denies(event).is_some()
    }

    /// The clause by which the event cannot happen.
    pub fn denies(&mut self, event: &Event) -> Option<&'static Cite> {
        let book = self.book;
        if let Some(cite) = book.forbids(self, event) {
            self.trace.reach(cite);
            self.tell_under(Told::NotApplied, cite, |d| format!("起こらない: {}", d.event_words(event)));
            return Some(cite);
        }
        let view = self.look();
        if view.rules.is_empty() {
            return None;
        }
        let cite = book.schema().cannot;
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
        let stands = fits && self.applies(cite, |d| format!("「できない」ので起こらない: {}", d.event_words(event)));
        stands.then_some(cite)
    }

    fn candidates(&mut self, event: &Event) -> Vec<Candidate> {
        let view = self.look();
        let mut found = Vec::new();
        let given = self.given;
        for &id in view.among(&given.holders.replaces).iter() {
            let seen = &view.cards[id.0 as usize];
            if !seen.kinds.replaces || self.is_beneath(id) || self.book.schema().is_idle(self.t.obj(id)) {
                continue;
            }
            let (zone, face_up) = (self.t.obj(id).zone, self.t.obj(id).face_up);
            for (number, ability) in seen.abilities.iter().enumerate() {
                let Some(instead) = ability.instead.as_ref().filter(|_| ability.kind == Kind::Static) else { continue };
                // Where nobody is told by which clauses texts work, only those that speak of the event are looked at.
                if !self.trace.full && !pattern_names(&instead.when, event) {
                    continue;
                }
                let used = self.is_used_up(self.t.now(id), seen.controller, ability);
                if !used && self.works(seen, zone, face_up, ability) {
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

    /// Nothing would forbid, replace or answer the event if it were proposed now.
    pub(super) fn is_unhindered(&mut self, mut event: Event) -> bool {
        let book = self.book;
        let free = self.replacing.is_empty()
            && self.encoded(&event).is_ok()
            && book.adjust(self, &mut event).is_ok()
            && self.denies(&event).is_none()
            && self.candidates(&event).is_empty();
        free && matches!(event.what, What::Turn { .. })
    }

    /// Some replacement would have the event if it happened now.
    pub fn would_replace(&mut self, event: &Event) -> bool {
        !self.candidates(event).is_empty()
    }

    /// Where a move would end if it were made now. Only redirections that nobody chooses are followed.
    pub fn would_go(&mut self, event: &Event) -> Option<ZoneId> {
        let mut event = event.clone();
        for _ in 0..DEPTH {
            let found = self.candidates(&event);
            let [only] = &found[..] else { break };
            let instead = only.text.instead();
            let Some(place) = instead.to.filter(|_| !instead.optional) else { break };
            let zone = event.card.and_then(|card| self.book.home(place, self.t.obj(card.id).owner))?;
            event.replaced_by.push((only.source, only.number));
            event.to = Some(zone);
            if let What::Move { to, .. } = &mut event.what {
                *to = zone;
            }
        }
        event.to
    }

    /// The replacement speaks of the event, and has not had it yet.
    fn has_it(&mut self, c: &Candidate, event: &Event) -> bool {
        let when = &c.text.instead().when;
        let fits = pattern_names(when, event)
            && self.see(|eyes| {
                let ctx = Ctx { this: c.source, seat: c.seat, slots: &c.slots, event: Some(event) };
                eyes.event_fits(&ctx, when, event) && c.text.cond().is_none_or(|x| eyes.holds(&ctx, x))
            });
        fits && !(event.replaced_by.contains(&(c.source, c.number)) && self.replaces_once())
    }

    /// Of several replacements those that offer what cannot be done are not there to be chosen; one is left to be told.
    fn leave_out_impossible(
        &mut self,
        event: &Event,
        candidates: &mut Vec<Candidate>,
    ) -> Flow<Vec<(Thing, &'static Cite)>> {
        let cite = self.book.says(Principle::PossibleOnly).cites()[0];
        let mut out = Vec::new();
        for at in (0..candidates.len()).rev() {
            if candidates.len() > 1
                && candidates[at].text.instead().optional
                && !self.can_be_done(event, &candidates[at])?
                && self.decides(Principle::PossibleOnly)
            {
                let left = candidates.remove(at);
                out.extend(left.source.map(Thing::Card).zip(cite));
            }
        }
        Ok(out)
    }

    /// What the replacement offers to do could be done.
    fn can_be_done(&mut self, event: &Event, c: &Candidate) -> Flow<bool> {
        let text = c.text.clone();
        self.replacing.push((c.source, c.number));
        let possible = self.possible(&text.instead().steps, &c.slots, c.source, c.seat, Some(event));
        self.replacing.pop();
        possible
    }

    /// Several replacements want the event: somebody says which is first.
    fn which(&mut self, event: &Event, candidates: &[Candidate], refused: Vec<(Thing, &'static Cite)>) -> Flow<usize> {
        // What an effect makes of itself comes before what others make of it.
        let own = |c: &Candidate| c.once.is_some() && c.source.is_some() && c.source == event.cause.card;
        if let Some(cite) = self.book.schema().customs.own_replacement
            && let Some(at) = candidates.iter().position(own)
            && !candidates.iter().all(own)
            && self.applies(cite, |_| "自己置換効果を先に適用する".into())
        {
            return Ok(at);
        }
        let (seat, cite) = self.book.replacing(self, event);
        let of: Vec<Thing> =
            candidates.iter().map(|c| c.source.map_or(Thing::Number(c.number as i32), Thing::Card)).collect();
        let question = Question::new(seat, Word("置換"), Asks::Choose { of, min: 1, max: 1 }).citing(cite);
        self.trace.reach(cite);
        Ok(self.ask(Question { refused, ..question })?[0] as usize)
    }

    /// What becomes of the event.
    fn replace(&mut self, mut event: Event, with: Candidate) -> Flow<Option<Event>> {
        self.spend()?;
        let itself = (with.source, with.number);
        let again = event.replaced_by.iter().filter(|by| **by == itself).count();
        if again >= DEPTH || self.replacing.len() >= DEPTH {
            return self.endless("置換効果が自分自身を置き換え続けます", &[]);
        }
        event.replaced_by.push(itself);
        let text = with.text.clone();
        let instead = text.instead();
        if instead.optional {
            let possible = self.can_be_done(&event, &with)?;
            if !possible && self.decides(Principle::PossibleOnly) || !self.yes(with.seat, Word("置換"), with.source)?
            {
                return Ok(Some(event));
            }
        }
        if let Some(at) = with.once {
            self.edit().ongoing.remove(at);
        }
        if let (Text::Ability(ability), Some(card)) = (&text, with.source) {
            self.use_up(card, with.seat, ability);
        }
        let redirected = self.book.schema().customs.redirected.filter(|_| instead.to.is_some());
        if !self.decides(Principle::DidNotHappen) || redirected.is_some_and(|so| so(self)) {
            let side = self.book.side(&event).0;
            self.ghosts.push(Event { side: Some(side), ..event.clone() });
        }
        let under = event.cite.or(self.span());
        self.tell_under(Told::Replaced, under, |d| {
            let by = with.source.map(|s| d.card_name(s)).unwrap_or_default();
            format!("{by}の置換効果: {}", d.event_words(&event))
        });
        if let Text::Ability(ability) = &text {
            self.reach_clauses(ability);
        }
        if let Some(amount) = &instead.amount {
            let ctx = Ctx { this: with.source, seat: with.seat, slots: &with.slots, event: Some(&event) };
            let n = self.number(&ctx, amount);
            if n <= 0 {
                return Ok(None);
            }
            if let What::SeatFact { by, .. } = &mut event.what {
                *by = by.signum() * n;
            }
            event.amount = n;
            return Ok(Some(event));
        }
        if let Some(place) = instead.to
            && let (What::Move { bottom, controller, .. }, Some(card)) = (&event.what, event.card)
        {
            // A card that is sent elsewhere arrives there as any card does.
            let (bottom, controller) = (*bottom, *controller);
            let owner = self.t.obj(card.id).owner;
            let Some(zone) = self.book.home(place, owner) else {
                return self.unwritten(format!("「{place}」へ行き先を変えること"), &[]);
            };
            let book = self.book;
            let state = match instead.state {
                Some(s) if s == "そのまま" => self.t.obj(card.id).state,
                Some(s) => book.schema().state(&s).unwrap_or(0),
                None => book.arrival(self, card.id, zone),
            };
            let face_up = book.schema().face_up(place, zone);
            event.what = What::Move { to: zone, bottom, state, face_up, controller, host: None };
            event.to = Some(zone);
            let keeps = self.book.schema().customs.keeps_manner;
            if !event.how.is_empty() && !keeps.is_some_and(|keeps| keeps(self)) {
                event.how = Word("");
            }
            return Ok(Some(event));
        }
        // It happens, in another state.
        if let (Some(wanted), None, true) = (instead.state, instead.to, instead.steps.is_empty()) {
            let schema = self.book.schema();
            match (&mut event.what, wanted.as_str()) {
                (What::Move { face_up, .. }, "表" | "裏") => *face_up = wanted == "表",
                (What::Move { state, .. }, word) => *state = schema.state(word).unwrap_or(*state),
                _ => return self.unwritten(format!("かわりに「{wanted}」になること"), &[]),
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
        // What is replaced is no move: the card goes there instead.
        let mut steps = Vec::new();
        if let Some(to) = instead.to {
            if event.card.is_none() {
                return self.unwritten(format!("かわりに「{to}」へ動かすこと"), &[]);
            }
            steps.push(Step::Move {
                what: Some(Word("event")),
                all: None,
                to,
                near: Default::default(),
                at: None,
                state: instead.state,
                control: None,
                how: None,
                attach: None,
                slot: None,
            });
        }
        steps.extend(instead.steps.iter().cloned());
        self.replacing.push(itself);
        let done = self.perform(&mut frame, &steps);
        self.replacing.pop();
        done?;
        Ok(None)
    }

    /// Of cards put into one pile at once its owner says in which order they come to lie, where the game says so.
    fn put_in_order(&mut self, events: &mut [Event]) -> Flow {
        let schema = self.book.schema();
        if events.len() < 2 {
            return Ok(());
        }
        for seat in super::Seat::BOTH {
            for (pile, cite) in &schema.customs.orders {
                let Some(pile) = schema.zone(pile, Some(seat)) else { continue };
                // What is shuffled in leaves nothing to order.
                let goes = |e: &Event| e.is_move() && e.to == Some(pile) && e.how != "シャッフル";
                let goes = |e: &Event| goes(e) && !self.book.passes_through(self, e);
                let places: Vec<usize> = (0..events.len()).filter(|at| goes(&events[*at])).collect();
                if places.len() < 2 {
                    continue;
                }
                let by = if self.on(cite) { seat } else { seat.other() };
                self.trace.reach(cite);
                let cards = places.iter().filter_map(|at| events[*at].card).map(Thing::Card).collect();
                let mut question = Question::new(by, Word("置く順番"), Asks::Order(cards)).citing(cite);
                question.minor = true;
                let order = self.ask(question)?;
                let sorted: Vec<Event> = order.iter().map(|at| events[places[*at as usize]].clone()).collect();
                for (place, event) in places.into_iter().zip(sorted) {
                    events[place] = event;
                }
            }
        }
        Ok(())
    }

    fn replaces_once(&mut self) -> bool {
        let once = self.decides(Principle::ReplacesOnce);
        if once && let Some(cite) = self.book.says(Principle::ReplacesOnce).cites()[0] {
            self.tell_under(Told::Applied, cite, |_| "置換効果は同じ出来事を一度しか置き換えない".into());
        }
        once
    }

    /// A card that lay hidden with another is read by its front when it goes.
    fn reads_front(&mut self) -> bool {
        let cite = self.book.schema().customs.no_front;
        cite.is_none_or(|cite| !self.applies(cite, |_| "付いていたカードの表側の情報は参照しない".into()))
    }

    /// The clause by which the cards that see the event are read as they were before it.
    pub(super) fn had_before(&self, event: &Event) -> Option<&'static super::Cite> {
        let (name, cite) = self.book.schema().customs.had_before?;
        (event.name == name && self.on(cite)).then_some(cite)
    }

    fn commit(&mut self, event: &mut Event, seen: Option<Arc<Seen>>, stamp: u32) {
        event.stamp = stamp;
        let lying = event.card.is_some_and(|c| self.t.obj(c.id).host.is_some() && !self.t.obj(c.id).face_up);
        let front = !lying || !event.is_move() || self.reads_front();
        let keeps = match (&event.what, event.from) {
            (What::Move { to, .. }, Some(from)) => [from, *to].iter().all(|z| self.book.schema().spec(*z).board),
            _ => true,
        };
        if event.is_move() {
            self.gloss(if keeps { Gloss::SameCard } else { Gloss::NewCard });
        }
        match event.what.clone() {
            What::Move { to, bottom, state, face_up, controller, host } => {
                let Some(card) = event.card.filter(|c| self.t.is_now(*c)) else { return };
                let specs = self.book.schema();
                let customs = &specs.customs;
                let old = self.t.obj(card.id);
                let (zone, was, owner, old_controller) = (old.zone, old.state, old.owner, old.controller);
                event.was = was;
                let marks = old.marks.clone();
                // Out of play, a card without effects of its own is nobody's business but theirs who look there, unless it
                // is something else there.
                let out = |zone: ZoneId| !specs.spec(zone).board;
                let there = Obj { zone: to, face_up, state, host, ..old.clone() };
                let same = self.book.face(old).is_same(self.book.face(&there));
                let silent = same && seen.as_ref().is_some_and(|s| !s.kinds.statics) && old_controller == owner;
                let both = read::off_board(zone) | read::off_board(to);
                let t = if silent && out(zone) && out(to) { self.edit_if(both) } else { self.edit() };
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
                    let beneath = t.obj(card.id).host.is_some_and(|(how, _)| customs.beneath.contains(&how.as_str()));
                    let seen = match (front, beneath) {
                        (false, _) => Arc::new(blank(&known)),
                        (_, true) => Arc::new(Seen {
                            abilities: Default::default(),
                            kinds: Default::default(),
                            ..(*known).clone()
                        }),
                        _ => known,
                    };
                    let hosted =
                        t.cards.iter().filter_map(|c| c.host).filter(|h| h.1 == card.id).map(|h| h.0).collect();
                    t.past.push(Past { card, seen, zone, state: was, marks, hosted });
                }
                let obj = t.obj_mut(card.id);
                obj.zone = to;
                // A card that is only laid with another where it lies has not come.
                if !(keeps && zone == to && host.is_some()) {
                    obj.since = stamp;
                    obj.held = stamp;
                }
                obj.state = state;
                obj.face_up = face_up;
                obj.host = host;
                obj.revealed = false;
                // What is made in play is owned by whoever made it.
                if let (true, Some(maker)) = (specs.spec(zone).name == super::schema::LIMBO, controller) {
                    obj.owner = maker;
                }
                let owner = obj.owner;
                let board = specs.spec(to).board;
                obj.controller =
                    if board { controller.unwrap_or(if keeps { old_controller } else { owner }) } else { owner };
                if !keeps {
                    obj.life += 1;
                    let kept =
                        |f: &FactSpec| matches!(f.ends, Ends::Zones(zones) if !zones.contains(&specs.spec(to).name));
                    super::table::end_facts(&mut obj.facts, specs, FactOwner::Card, |f| !kept(f));
                    obj.marks.clear();
                }
                event.after = Some(t.now(card.id));
            }
            What::Turn { state } => {
                if let Some(card) = event.card {
                    event.was = self.t.obj(card.id).state;
                    self.edit_if(read::STATE).obj_mut(card.id).state = state;
                }
            }
            What::Control { to, controller, state } => {
                let Some(card) = event.card.filter(|c| self.t.is_now(*c)) else { return };
                let t = self.edit();
                let from = t.obj(card.id).zone;
                t.zones[from.0 as usize].retain(|id| *id != card.id);
                t.zones[to.0 as usize].push(card.id);
                let obj = t.obj_mut(card.id);
                (obj.zone, obj.controller, obj.held) = (to, controller, stamp);
                obj.state = state.unwrap_or(obj.state);
            }
            What::Mark { name } => {
                if let Some(card) = event.card.filter(|c| self.t.is_now(*c)) {
                    self.edit_if(read::MARKS).obj_mut(card.id).marks.change(|marks| {
                        match marks.iter_mut().find(|(n, _)| *n == name) {
                            Some((_, n)) => *n = n.saturating_add(event.amount).max(0),
                            None => marks.push((name, event.amount.max(0))),
                        }
                        marks.retain(|(_, n)| *n > 0);
                    });
                }
            }
            What::Face { up } => {
                if let Some(card) = event.card {
                    self.edit().obj_mut(card.id).face_up = up;
                }
            }
            What::Grow { fact } => {
                if let Some(card) = event.card {
                    let mut aside = self.aside();
                    let fact = aside.card(card.id, fact);
                    *fact = fact.saturating_add(event.amount);
                }
            }
            What::SeatFact { fact, by } => {
                if let Some(seat) = event.seat {
                    let fact = &mut self.edit_if(read::PLAYERS).seats[seat.index()][fact];
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
        if any && self.decides(Principle::DelayedGoes) {
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
            What::Move { to, state, face_up, host, .. } => {
                let from = event.from.map(|z| self.zone_name(z)).unwrap_or_default();
                let how = match (event.name == "置く", event.how.is_empty()) {
                    (_, true) => event.name.to_string(),
                    (true, false) => event.how.to_string(),
                    (false, false) => format!("{}（{}）", event.name, event.how),
                };
                let state = match schema.spec(*to).states {
                    true => format!("（{}）", schema.state_name(*state)),
                    false => String::new(),
                };
                let down = if *face_up || !schema.spec(*to).states { "" } else { "裏向き" };
                let host =
                    host.map(|(how, h)| format!("［{how}: {}］", self.card_name(self.t.now(h)))).unwrap_or_default();
                format!("{card}を{how}: {from} → {}{state}{down}{host}", self.zone_name(*to))
            }
            What::Turn { state } => format!("{card}を{}", schema.state_name(*state)),
            What::Control { to, .. } => format!("{card}の支配者が変わる: {}", self.zone_name(*to)),
            What::Mark { name } => format!("{card}の{name} {:+}", event.amount),
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
        names: Default::default(),
        data: seen.data.iter().map(|_| super::view::Data::None).collect(),
        abilities: Default::default(),
        controller: seen.controller,
        kinds: Default::default(),
        muted: false,
    }
}
