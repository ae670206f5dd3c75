//! Which abilities an event triggers.

use std::rc::Rc;
use std::sync::Arc;

use super::book::Side;
use super::cite::Cite;
use super::duel::{Duel, Flow};
use super::event::{Event, What};
use super::eyes::{Ctx, Eyes, Memory, pattern_names};
use super::principle::{Gloss, Principle};
use super::table::{CardId, Pending, Ref, Seat, Slots, Table, ZoneId};
use super::trace::Told;
use super::view::{Seen, View};
use crate::card::{Ability, Kind, Pattern, Word};

/// The table as it was before the events.
pub struct Before {
    /// The cards that had an ability that is not printed on them.
    pub gained: Vec<CardId>,
    /// The whole of it, only where a game looks back.
    pub all: Option<(Table, Rc<View>)>,
}

/// Looks for abilities that the events trigger and lets them wait.
pub fn look(d: &mut Duel, events: &[Event], before: &Before) -> Flow {
    let mut found: Vec<Pending> = Vec::new();
    for event in events {
        holders(d, event, before, &mut found);
        watches(d, event, &mut found);
    }
    let same = |a: &Pending, b: &Pending| a.source == b.source && a.ability == b.ability;
    let again = |i: &usize| found[..*i].iter().any(|p| same(p, &found[*i]));
    let repeated: Vec<usize> = (1..found.len()).filter(again).collect();
    let own: Vec<&'static Cite> = repeated.iter().filter_map(|i| d.book.each_time(&found[*i].event)).collect();
    own.iter().for_each(|cite| d.trace.reach(cite));
    if !repeated.is_empty() && (!d.decides(Principle::EachEvent) || own.iter().any(|cite| !d.on(cite))) {
        let mut once: Vec<Pending> = Vec::new();
        for pending in found {
            if !once.iter().any(|p| same(p, &pending)) {
                once.push(pending);
            }
        }
        found = once;
    }
    for pending in found {
        d.gloss(Gloss::Triggers);
        let book = d.book;
        let id = pending.source;
        let hidden = hidden(d, id);
        if !book.may_trigger(d, &pending, hidden)? {
            continue;
        }
        d.tell(Told::Triggered, |d| {
            format!("{}の能力が誘発する（{}）", d.card_name(id), d.event_words(&pending.event))
        });
        d.aside().pending().push(pending);
    }
    Ok(())
}

/// The ability waits in a zone that the opponent cannot see.
fn hidden(d: &Duel, card: Ref) -> bool {
    d.t.is_now(card) && {
        let obj = d.t.obj(card.id);
        let spec = d.book.schema().spec(obj.zone);
        spec.sight != super::Sight::All && !obj.revealed && !obj.face_up
    }
}

/// Abilities of cards: of those in place now, and of those that left with the event.
fn holders(d: &mut Duel, event: &Event, before: &Before, found: &mut Vec<Pending>) {
    let view = d.look();
    let leaving = event.is_move() && event.side == Some(Side::Before);
    let back = d.had_before(event).zip(before.all.as_ref());
    let memory = Memory::default();
    let then = back.map(|(_, (t, view))| Eyes { t, view, book: d.book, memory: &memory });
    let mut all: Vec<Pending> = Vec::new();
    for id in listeners(d, &view, before, event) {
        let obj = d.t.obj(id);
        if d.book.schema().is_idle(obj) {
            continue;
        }
        let seen = &view.cards[id.0 as usize];
        let now = d.t.now(id);
        let place = Place { this: now, zone: obj.zone, face_up: obj.face_up };
        let moved = event.is_move() && (event.after == Some(now) || went_with(d, event, id));
        let mut here = if d.is_beneath(id) { Vec::new() } else { collect(d, event, seen, place, None) };
        if let (Some((cite, (_, old))), Some(then)) = (back, then)
            && !went_with(d, event, id)
        {
            here = looked_back(d, event, &old.cards[id.0 as usize], place, here, cite, then);
        }
        if !here.is_empty() && event.is_move() && event.card == event.after {
            d.gloss(Gloss::WithinBoard);
        }
        if moved && !here.is_empty() && !d.decides(Principle::SeesArrival) {
            here.clear();
        }
        all.extend(here);
        // The card that went sees its own going, and that of those who went with it.
        if leaving && moved && now.life > 0 {
            let was = Ref { id, life: now.life - 1 };
            if let Some((seen, zone)) = d.t.past(was).map(|p| (p.seen.clone(), p.zone)) {
                let gone = collect(d, event, &seen, Place { this: was, zone, face_up: true }, then);
                if !gone.is_empty() && d.decides(Principle::SeesLeaving) {
                    all.extend(gone);
                }
            }
        }
    }
    companions(d, event, &mut all);
    let at_once = !d.book.schema().customs.counts_when_played;
    for pending in all {
        if at_once {
            d.use_up(pending.source, pending.seat, &pending.ability);
        }
        found.push(pending);
    }
}

/// What a card that stayed had before the event decides; the clause is reached where that makes a difference.
fn looked_back(
    d: &mut Duel,
    event: &Event,
    old: &Arc<Seen>,
    place: Place,
    now: Vec<Pending>,
    cite: &'static Cite,
    then: Eyes,
) -> Vec<Pending> {
    let had = collect(d, event, old, place, Some(then));
    let same = had.len() == now.len() && had.iter().zip(&now).all(|(a, b)| a.ability == b.ability);
    if !same {
        d.trace.reach(cite);
        d.trace.tell(Told::Applied, Some(cite), || "出来事の前の状態で、能力を持つかどうかを見る".into());
    }
    had
}

/// Those who arrived together see each other arrive, unless the game does without that.
fn companions(d: &mut Duel, event: &Event, found: &mut Vec<Pending>) {
    let with = |d: &Duel, p: &Pending| {
        event.is_move() && Some(p.source) != event.after && d.t.is_now(p.source) && went_with(d, event, p.source.id)
    };
    if found.iter().any(|p| with(d, p)) && !d.decides(Principle::Companions) {
        found.retain(|p| !with(d, p));
    }
}

/// The cards that may have something to say: those whose triggers name the event, and those that left with it.
fn listeners(d: &Duel, view: &View, before: &Before, event: &Event) -> Vec<CardId> {
    let holders = &d.given.holders;
    let mut found = holders.triggers(event.name).to_vec();
    let own = found.len();
    event.also.iter().for_each(|name| found.extend(holders.triggers(*name)));
    if event.is_move() {
        found.extend(holders.triggers(Word("置く")));
        found.extend(d.t.past.iter().map(|p| p.card.id).filter(|id| went_with(d, event, *id)));
    }
    found.extend(&view.gained);
    found.extend(&before.gained);
    if found.len() > own {
        found.sort_unstable();
        found.dedup();
    }
    found
}

impl Duel<'_> {
    /// Some text may answer the event, by triggering or by taking its place.
    pub fn is_heard(&mut self, event: &Event) -> bool {
        let view = self.look();
        let before = Before { gained: Vec::new(), all: None };
        listeners(self, &view, &before, event).into_iter().any(|id| self.hears(&view, event, id))
            || self.t.watches.iter().any(|w| pattern_names(&w.when, event))
            || self.would_replace(event)
    }

    /// The card has a trigger for the event which works where it lies. Who left with the event is taken to have one.
    fn hears(&mut self, view: &View, event: &Event, id: CardId) -> bool {
        let seen = &view.cards[id.0 as usize];
        let (zone, face_up) = (self.t.obj(id).zone, self.t.obj(id).face_up);
        let names = |a: &Ability| a.kind == Kind::Triggered && a.when.iter().any(|p| pattern_names(p, event));
        event.is_move()
            || seen.kinds.triggers && seen.abilities.iter().any(|a| names(a) && self.works(seen, zone, face_up, a))
    }
}

/// Some trigger of the card speaks of events of this name, and not only of those of the card itself if it is another's.
fn speaks_of(seen: &Seen, event: &Event, id: CardId) -> bool {
    // What is laid on the card may be one with it.
    let under = matches!(event.what, What::Move { host: Some((_, host)), .. } if host == id);
    let own = under || event.card.is_some_and(|c| c.id == id);
    let itself = |p: &Pattern| p.card.as_ref().is_some_and(|f| f.reference.is_some_and(|word| word == "this"));
    let speaks = |p: &Pattern| pattern_names(p, event) && (own || !itself(p));
    let triggers = |a: &Arc<Ability>| a.kind == Kind::Triggered && a.when.iter().any(speaks);
    seen.kinds.triggers && seen.abilities.iter().any(triggers)
}

/// The card arrived where it is in the same moment as the card of the event.
fn went_with(d: &Duel, event: &Event, card: CardId) -> bool {
    event.after.is_some_and(|after| d.t.obj(after.id).since == d.t.obj(card).since)
}

/// A card in the life and the zone in which its abilities are looked at.
#[derive(Clone, Copy)]
struct Place {
    this: Ref,
    zone: ZoneId,
    face_up: bool,
}

fn collect(d: &mut Duel, event: &Event, seen: &Arc<Seen>, at: Place, then: Option<Eyes>) -> Vec<Pending> {
    let mut found = Vec::new();
    if !speaks_of(seen, event, at.this.id) {
        return found;
    }
    for ability in seen.abilities.iter() {
        if ability.kind != Kind::Triggered || ability.when.is_empty() {
            continue;
        }
        let answers = |d: &mut Duel, seat: Seat| match then {
            Some(eyes) => fits(&eyes, event, ability, at.this, seat),
            None => d.see_with(&Memory::default(), |eyes| fits(eyes, event, ability, at.this, seat)),
        };
        let (had, owner) = (seen.controller, d.t.obj(at.this.id).owner);
        let gone = had != owner && !d.t.is_now(at.this);
        let (mut seat, mut fits) = (had, answers(d, had));
        if gone && (fits || answers(d, owner)) {
            let book = d.book;
            seat = book.triggers_for(d, had, owner);
            fits = answers(d, seat);
        }
        if fits && d.works(seen, at.zone, at.face_up, ability) && !used_up(d, at.this, seat, ability) {
            d.reach_clauses(ability);
            let event = Arc::new(event.clone());
            let slots = Slots::default();
            found.push(Pending { ability: ability.clone(), source: at.this, seat, event, slots });
        }
    }
    found
}

/// It may not be used again, by the clause of the game where it has one.
fn used_up(d: &mut Duel, card: Ref, seat: Seat, ability: &Ability) -> bool {
    if !d.is_used_up(card, seat, ability) {
        return false;
    }
    let Some(cite) = d.book.schema().customs.used_up_by else { return true };
    d.trace.reach(cite);
    d.on(cite)
}

fn fits(eyes: &Eyes, event: &Event, ability: &Ability, this: Ref, seat: Seat) -> bool {
    let slots = Slots::default();
    let ctx = Ctx { this: Some(this), seat, slots: &slots, event: Some(event) };
    ability.when.iter().any(|p| eyes.event_fits(&ctx, p, event))
        && ability.cond.as_ref().is_none_or(|c| eyes.holds(&ctx, c))
}

/// Abilities that effects made.
fn watches(d: &mut Duel, event: &Event, found: &mut Vec<Pending>) {
    let mut at = 0;
    while at < d.t.watches.len() {
        if !pattern_names(&d.t.watches[at].when, event) {
            at += 1;
            continue;
        }
        let watch = d.t.watches[at].clone();
        let fits = watch.fight.is_none_or(|f| event.fight.is_none_or(|e| e == f))
            && d.see(|eyes| {
                let ctx = Ctx { this: Some(watch.source), seat: watch.seat, slots: &watch.slots, event: Some(event) };
                eyes.event_fits(&ctx, &watch.when, event)
            });
        if fits {
            found.push(Pending {
                ability: watch.ability.clone(),
                source: watch.source,
                seat: watch.seat,
                event: Arc::new(event.clone()),
                slots: watch.slots.clone(),
            });
            if watch.until.is_none() {
                d.aside().watches().remove(at);
                continue;
            }
        }
        at += 1;
    }
}
