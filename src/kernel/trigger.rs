//! Which abilities an event triggers.

use std::sync::Arc;

use super::book::{Point, Side};
use super::duel::{Duel, Flow};
use super::event::Event;
use super::eyes::{Ctx, Memory, pattern_names};
use super::table::{CardId, Pending, Ref, Slots, ZoneId};
use super::trace::Told;
use super::view::{Seen, View};
use crate::card::{Ability, Kind, Pattern, Word};

/// Looks for abilities that the events trigger and lets them wait.
pub fn look(d: &mut Duel, events: &[Event]) -> Flow {
    let mut found: Vec<Pending> = Vec::new();
    for event in events {
        holders(d, event, &mut found);
        watches(d, event, &mut found);
    }
    let same = |a: &Pending, b: &Pending| a.source == b.source && a.ability == b.ability;
    let repeated = (1..found.len()).any(|i| found[..i].iter().any(|p| same(p, &found[i])));
    if repeated && !d.decides(Point::EachEvent) {
        let mut once: Vec<Pending> = Vec::new();
        for pending in found {
            if !once.iter().any(|p| same(p, &pending)) {
                once.push(pending);
            }
        }
        found = once;
    }
    for pending in found {
        d.decides(Point::Triggers);
        let book = d.book;
        let id = pending.source;
        if !book.trigger_again(d, id, &pending.ability, &pending.event) {
            continue;
        }
        if hidden(d, id) && !book.show_to_trigger(d, id)? {
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
fn holders(d: &mut Duel, event: &Event, found: &mut Vec<Pending>) {
    let view = d.look();
    let leaving = event.is_move() && event.side == Some(Side::Before);
    for id in listeners(d, &view, event) {
        let seen = &view.cards[id.0 as usize];
        let moved = event.is_move() && (event.after == Some(d.t.now(id)) || went_with(d, event, id));
        if speaks_of(seen, event, id) {
            let (zone, face_up) = (d.t.obj(id).zone, d.t.obj(id).face_up);
            let before = found.len();
            collect(d, event, seen, d.t.now(id), zone, face_up, found);
            if found.len() > before && event.is_move() && event.card == event.after {
                d.decides(Point::WithinBoard);
            }
            if moved && found.len() > before && !d.decides(Point::SeesArrival) {
                found.truncate(before);
            }
        }
        // The card that went sees its own going, and that of those who went with it.
        let life = d.t.obj(id).life;
        if leaving && moved && life > 0 {
            let was = Ref { id, life: life - 1 };
            let past = d.t.past(was).filter(|p| speaks_of(&p.seen, event, id));
            if let Some((seen, zone)) = past.map(|p| (p.seen.clone(), p.zone)) {
                let before = found.len();
                collect(d, event, &seen, was, zone, true, found);
                if found.len() > before && !d.decides(Point::SeesLeaving) {
                    found.truncate(before);
                }
            }
        }
    }
}

/// The cards that may have something to say: those whose triggers name the event, and those that left with it.
fn listeners(d: &Duel, view: &View, event: &Event) -> Vec<CardId> {
    let holders = &d.given.holders;
    if view.gained {
        return holders.all.clone();
    }
    let mut found = holders.triggers(event.name).to_vec();
    if event.is_move() {
        found.extend(holders.triggers(Word("置く")));
        found.extend(d.t.past.iter().map(|p| p.card.id).filter(|id| went_with(d, event, *id)));
        found.sort_unstable();
        found.dedup();
    }
    found
}

/// Some trigger of the card speaks of events of this name, and not only of those of the card itself if it is another's.
fn speaks_of(seen: &Seen, event: &Event, id: CardId) -> bool {
    let own = event.card.is_some_and(|c| c.id == id);
    let itself = |p: &Pattern| p.card.as_ref().is_some_and(|f| f.reference.is_some_and(|word| word == "this"));
    let speaks = |p: &Pattern| pattern_names(p, event) && (own || !itself(p));
    let triggers = |a: &Arc<Ability>| a.kind == Kind::Triggered && a.when.iter().any(speaks);
    seen.kinds.triggers && seen.abilities.iter().any(triggers)
}

/// The card arrived where it is in the same moment as the card of the event.
fn went_with(d: &Duel, event: &Event, card: CardId) -> bool {
    event.after.is_some_and(|after| d.t.obj(after.id).since == d.t.obj(card).since)
}

fn collect(
    d: &mut Duel,
    event: &Event,
    seen: &Arc<Seen>,
    this: Ref,
    zone: ZoneId,
    face_up: bool,
    found: &mut Vec<Pending>,
) {
    for (number, ability) in seen.abilities.iter().enumerate() {
        if ability.kind != Kind::Triggered || ability.when.is_empty() {
            continue;
        }
        if fits(d, event, ability, this, seen.controller)
            && d.works(seen, zone, face_up, ability)
            && !spent(d, this, number, ability)
        {
            d.reach_clauses(ability);
            if ability.limit.is_some() {
                d.aside().used(this, number as u8);
            }
            found.push(Pending {
                ability: ability.clone(),
                source: this,
                seat: seen.controller,
                event: Arc::new(event.clone()),
                slots: Slots::default(),
            });
        }
    }
}

fn spent(d: &Duel, this: Ref, number: usize, ability: &Ability) -> bool {
    ability.limit.is_some_and(|limit| d.t.used.iter().filter(|u| **u == (this, number as u8)).count() >= limit as usize)
}

fn fits(d: &mut Duel, event: &Event, ability: &Ability, this: Ref, seat: super::Seat) -> bool {
    let slots = Slots::default();
    d.see_with(&Memory::default(), |eyes| {
        let ctx = Ctx { this: Some(this), seat, slots: &slots, event: Some(event) };
        ability.when.iter().any(|p| eyes.event_fits(&ctx, p, event))
            && ability.cond.as_ref().is_none_or(|c| eyes.holds(&ctx, c))
    })
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
