//! 1009: orbs are defiled; 1102: two or three at once; 1103: ブレイク.

use super::zones::{Own, caster, has_caster, is, is_kind, zone};
use super::{activate, acts, odo};
use crate::card::{Price, Word};
use crate::kernel::{Asks, Cause, Cite, Duel, Event, Flow, Means, Question, Ref, Seat, Thing, Told, What};

/// 1009.1, 1009.1a: so many orbs of the player go to their owner's hand at once.
pub fn defile(d: &mut Duel, whose: Seat, chooser: Seat, n: i32, cause: Cause) -> Flow<bool> {
    let orbs = zone(Own::Orbs, whose);
    let of: Vec<Thing> = d.t.zone(orbs).iter().rev().map(|id| Thing::Card(d.t.now(*id))).collect();
    let n = (n.max(0) as usize).min(of.len());
    if n == 0 {
        return Ok(false);
    }
    // Reading C28: whether who chooses looks at them first (1012.2).
    if d.reading(msd!("C28", Reading), "a") == "b" {
        let looked = |t: &Thing| {
            if let Thing::Card(c) = t { Some(Event::about(Word("見る"), *c).seat(chooser)) } else { None }
        };
        let events: Vec<Event> = of.iter().filter_map(looked).collect();
        d.happen(events)?;
    }
    let question = Question::new(chooser, Word("オーブ"), Asks::Choose { of, min: n, max: n });
    let chosen = d.pick(question.citing(msd!("1009.1")))?;
    // 1009.1a: at once, not one after another.
    let together = msd!("1009.1a");
    if n > 1 {
        d.trace.reach(together);
    }
    let mut events = Vec::new();
    for thing in chosen {
        let Thing::Card(card) = thing else { continue };
        let to = zone(Own::Hand, d.t.obj(card.id).owner);
        let mut event = d.moving(card, to).by(cause).seat(chooser);
        event.how = Word("穢す");
        event.what = What::Move { to, bottom: false, state: 0, face_up: false, controller: None, host: None };
        events.push(event);
    }
    if d.on(together) {
        return Ok(d.propose(events)?.any());
    }
    let mut any = false;
    for event in events {
        any |= d.propose_one(event)?.any();
    }
    Ok(any)
}

/// 1102: how many orbs an attack defiles; of several skills the controller picks one.
pub fn how_many(d: &mut Duel, attacker: Ref) -> Flow<i32> {
    let seen = d.seen(attacker);
    let mut ways: Vec<(Word, i32)> = Vec::new();
    for (name, n, cite) in [("二重穢し", 2, msd!("1102.2", Meaning)), ("三重穢し", 3, msd!("1102.3", Meaning))]
    {
        if seen.has(name) && d.on(cite) {
            d.trace.reach(cite);
            ways.push((Word(name), n));
        }
    }
    match ways.as_slice() {
        [] => Ok(1),
        [(_, n)] => Ok(*n),
        // 1102.4: one of them, and the others not.
        several if !d.on(msd!("1102.4", Limit)) => Ok(several.iter().map(|(_, n)| n).sum()),
        several => {
            d.trace.reach(msd!("1102.4", Limit));
            let of = several.iter().map(|(name, _)| Thing::Word(*name)).collect();
            let question = Question::new(seen.controller, Word("穢し"), Asks::Choose { of, min: 1, max: 1 });
            let at = d.ask(question.citing(msd!("1102.4", Limit)))?[0];
            Ok(several[at as usize].1)
        }
    }
}

/// 1103: cards that go from the orbs to the hand may be used at once, one after another in any order.
pub fn breaks(d: &mut Duel, events: &[Event]) -> Flow {
    let from_orbs = |e: &&Event| e.is_move() && e.from.is_some_and(|z| is(z, Own::Orbs));
    let mut left: Vec<Ref> = events.iter().filter(from_orbs).filter_map(|e| e.after).collect();
    left.retain(|c| d.t.is_now(*c) && is(d.t.obj(c.id).zone, Own::Hand));
    loop {
        let (mut able, mut unable) = (Vec::new(), Vec::new());
        for card in left.clone() {
            if d.t.is_now(card) && d.seen(card).has("ブレイク") {
                match usable(d, card) {
                    Ok(()) => able.push(card),
                    Err(cite) => unable.push((card, cite)),
                }
            }
        }
        let Some(first) = able.first().or(unable.first().map(|(card, _)| card)) else { return Ok(()) };
        let seat = d.t.obj(first.id).owner;
        able.retain(|c| d.t.obj(c.id).owner == seat);
        unable.retain(|(c, _)| d.t.obj(c.id).owner == seat);
        let refused = unable.iter().map(|(card, cite)| (Thing::Card(*card), *cite)).collect();
        if able.is_empty() {
            for (card, cite) in unable {
                d.tell_under(Told::NotApplied, cite, |d| format!("{}の[ブレイク]は使えない", d.card_name(card)));
            }
            // Nobody is asked; who says it nevertheless hears by which clause not.
            let none = Asks::Choose { of: Vec::new(), min: 0, max: 0 };
            d.pick(Question { refused, ..Question::new(seat, Word("ブレイク"), none) })?;
            left.retain(|c| d.t.obj(c.id).owner != seat);
            continue;
        }
        let any_order = msd!("1103.4", Order);
        let cite = if able.len() > 1 { any_order } else { msd!("1103.1", Frame) };
        d.trace.reach(cite);
        if !d.on(any_order) {
            able.truncate(1);
        }
        let of = able.iter().map(|c| Thing::Card(*c)).collect();
        let question = Question::new(seat, Word("ブレイク"), Asks::Choose { of, min: 0, max: 1 }).citing(cite);
        let question = Question { refused, ..question };
        let Some(Thing::Card(card)) = d.pick(question)?.first().copied() else {
            left.retain(|c| d.t.obj(c.id).owner != seat);
            continue;
        };
        left.retain(|c| *c != card);
        use_break(d, seat, card)?;
    }
}

/// 1103.3: the price of ブレイク, where it has one.
fn price(d: &mut Duel, card: Ref) -> Option<Price> {
    d.seen(card).keyword("ブレイク").and_then(|k| k.price.first().cloned())
}

/// It can be used now, or the clause by which not.
fn usable(d: &mut Duel, card: Ref) -> Result<(), &'static Cite> {
    let seen = d.seen(card);
    let seat = d.t.obj(card.id).owner;
    let price = price(d, card);
    if !is_kind(&seen, "魔法少女") {
        let cite = if price.is_some() { msd!("1103.3b", Meaning) } else { msd!("1103.2b", Meaning) };
        return if d.on(cite) { activate::could_for(d, seat, card, price.as_ref()) } else { Err(cite) };
    }
    let cite = if price.is_some() { msd!("1103.3a", Meaning) } else { msd!("1103.2a", Meaning) };
    let many = seen.has("複数支配") && d.reading(msd!("C17", Reading), "a") == "b";
    let free = !has_caster(d, seat, caster(&seen)) || many;
    if !free || !d.on(cite) {
        d.trace.reach(cite);
        return Err(cite);
    }
    let need = price.map(|p| odo::Need::of_symbols(&p.filled(|_| 0))).unwrap_or_default();
    if odo::could_pay(d, seat, &need) { Ok(()) } else { Err(msd!("1002.4", Limit)) }
}

fn use_break(d: &mut Duel, seat: Seat, card: Ref) -> Flow {
    let price = price(d, card);
    if !is_kind(&d.seen(card), "魔法少女") {
        let cite = if price.is_some() { msd!("1103.3b", Meaning) } else { msd!("1103.2b", Meaning) };
        return d.under(cite, |d| activate::for_nothing(d, seat, card, price.as_ref()).map(|_| ()));
    }
    let cite = if price.is_some() { msd!("1103.3a", Meaning) } else { msd!("1103.2a", Meaning) };
    d.under(cite, |d| {
        let saved = d.t.clone();
        let need = price.map(|p| odo::Need::of_symbols(&p.filled(|_| 0))).unwrap_or_default();
        if !odo::pay(d, seat, &need)? {
            d.take_back(saved);
            return Ok(());
        }
        let cause = Cause { means: Means::Effect, card: Some(card), seat: Some(seat) };
        acts::put_into_play(d, card, seat, Word(""), true, cause).map(|_| ())
    })
}
