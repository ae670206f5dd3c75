//! 903.3 resolving, 1019 negating.

use super::activate::{SHOWN, parts, texts};
use super::lasting;
use super::schema::{OPEN, RESTED};
use super::zones::{CHASE, Own, is_kind, zone};
use crate::card::{Pool, Target, Word};
use crate::kernel::steps::Frame;
use crate::kernel::{Cause, Duel, Event, Flow, Item, ItemKind, Means, Ref, Thing, What};

/// 605.1b: the last that was put there. It stays in the chase zone until it has been resolved.
pub fn top(d: &mut Duel) -> Flow {
    let Some(item) = d.t.context().pile.last().cloned() else { return Ok(()) };
    match item.kind {
        ItemKind::Spell => d.step(msd!("903.3b"), |d| spell(d, &item))?,
        _ => d.step(msd!("704.3"), |d| ability(d, &item))?,
    }
    let id = item.id;
    if d.t.context().pile.iter().any(|i| i.id == id) {
        d.aside().pile().retain(|i| i.id != id);
    }
    d.step(msd!("1004.1"), |d| {
        hide(d);
        Ok(())
    })
}

/// 1004.1, 905.2a: what was shown is hidden again, unless its ability still waits.
fn hide(d: &mut Duel) {
    for id in d.t.ids() {
        let now = Thing::Card(d.t.now(id));
        let waits = |i: &Item| {
            i.kind == ItemKind::Ability && i.card.is_some_and(|c| c.id == id)
                || i.slots.get(&SHOWN).is_some_and(|shown| shown.contains(&now))
        };
        if d.t.obj(id).revealed && !d.t.context().pile.iter().any(waits) {
            d.aside().reveal(id, false);
        }
    }
}

fn frame_of(item: &Item) -> Frame {
    let cause = Cause { means: Means::Effect, card: item.card, seat: Some(item.seat) };
    Frame { this: item.card, seat: item.seat, slots: item.slots.clone(), event: item.event.clone(), cause }
}

/// 903.3a: nothing is done with what is no right target any more; everything else is done.
fn check_targets(d: &mut Duel, frame: &mut Frame, targets: &[Target]) {
    let as_chosen = frame.clone();
    for target in targets {
        if matches!(target.of, Pool::Numbers(..) | Pool::Words(_)) {
            continue;
        }
        let chosen = frame.slots.get(&target.slot).unwrap_or_default().to_vec();
        let right: Vec<bool> = chosen.iter().map(|thing| still_right(d, &as_chosen, target, *thing)).collect();
        if right.iter().all(|r| *r) {
            continue;
        }
        let wrong: Vec<Thing> = chosen.iter().zip(&right).filter(|(_, ok)| !**ok).map(|(t, _)| *t).collect();
        if !d.applies(msd!("903.3a", Meaning), |d| {
            let names: Vec<String> = wrong.iter().map(|t| d.name(*t)).collect();
            format!("適正でなくなった対象には何もしない: {}", names.join("、"))
        }) {
            // Without the clause, what has no right target left does nothing at all.
            frame.slots.set(Word("不発"), vec![Thing::Number(1)]);
            continue;
        }
        let keep =
            |things: &[Thing]| things.iter().zip(&right).filter(|(_, ok)| **ok).map(|(t, _)| *t).collect::<Vec<_>>();
        let shares = crate::kernel::choose::shares(target.slot);
        if let Some(parts) = frame.slots.get(&shares).map(<[Thing]>::to_vec) {
            frame.slots.set(shares, keep(&parts));
        }
        frame.slots.set(target.slot, keep(&chosen));
    }
}

fn still_right(d: &mut Duel, frame: &Frame, target: &Target, thing: Thing) -> bool {
    let ctx = frame.ctx();
    match (&target.of, thing) {
        (Pool::Cards(filter), Thing::Card(card)) => {
            d.t.is_now(card)
                && d.see(|eyes| eyes.matches(&ctx, filter, card))
                && super::text::targetable(d, card, frame.this).is_ok()
        }
        (Pool::Items(_), Thing::Item(_)) => d.candidates_of(frame, &target.of, false).0.contains(&thing),
        _ => true,
    }
}

fn spell(d: &mut Duel, item: &Item) -> Flow {
    let card = item.card.expect("a spell is a card");
    let seen = d.seen(card);
    if !is_kind(&seen, "詠唱") {
        return place(d, item, card);
    }
    let mut frame = frame_of(item);
    let abilities = texts(&seen);
    let all: Vec<Target> = abilities.iter().flat_map(|a| parts(a, &frame.slots).0).collect();
    check_targets(d, &mut frame, &all);
    let fizzled = frame.slots.number("不発") == Some(1);
    d.under(msd!("703.3", Frame), |d| {
        for ability in abilities.iter().filter(|_| !fizzled) {
            d.reach_clauses(ability);
            let ctx = frame.ctx();
            if let Some(cond) = &ability.cond
                && !d.see(|eyes| eyes.holds(&ctx, cond))
            {
                continue;
            }
            let steps = lasting::kept(&frame, parts(ability, &frame.slots).1);
            d.perform(&mut frame, &steps)?;
        }
        Ok(())
    })?;
    if d.t.is_now(card) && d.t.obj(card.id).zone == CHASE {
        d.step(msd!("703.3"), |d| to_graveyard(d, card))?;
    }
    Ok(())
}

fn to_graveyard(d: &mut Duel, card: Ref) -> Flow {
    let owner = d.t.obj(card.id).owner;
    let event = d.moving(card, zone(Own::Graveyard, owner));
    d.happen(vec![event])
}

/// 702.3, 706.3: to the zone of the one who activated it, who picks the state of a 怪異; 1114.2: rested.
fn place(d: &mut Duel, item: &Item, card: Ref) -> Flow {
    let stepped = item.slots.number("ステップアップ") == Some(1)
        && d.applies(msd!("1114.2", Meaning), |_| "ステップアップさせたのでレスト状態で出る".into());
    let state = if stepped { RESTED } else { OPEN };
    let to = zone(Own::Monsters, item.seat);
    let mut event = d.moving(card, to).seat(item.seat);
    event.how = Word("解決");
    event.cause = Cause { means: Means::Rule, card: Some(card), seat: Some(item.seat) };
    event.what = What::Move { to, bottom: false, state, face_up: true, controller: Some(item.seat), host: None };
    let done = d.under(msd!("702.3", Frame), |d| d.propose_one(event))?;
    if !done.any() && !done.replaced && d.t.is_now(card) && d.t.obj(card.id).zone == CHASE {
        return d.undecided("解決されたカードを戦場に置けないときの定めがない", &["msd:702.3"]);
    }
    Ok(())
}

fn ability(d: &mut Duel, item: &Item) -> Flow {
    let Some(ability) = item.ability.clone() else { return Ok(()) };
    let mut frame = frame_of(item);
    if item.card.is_some_and(|c| !d.t.is_now(c)) {
        d.trace.reach(msd!("906.8", Frame));
    }
    let (targets, steps) = parts(&ability, &frame.slots);
    let steps = lasting::kept(&frame, steps);
    check_targets(d, &mut frame, &targets);
    if frame.slots.number("不発") == Some(1) {
        return Ok(());
    }
    d.perform(&mut frame, &steps).map(|_| ())
}

/// 1019.1: taken out of the chase zone; a card goes to its owner's graveyard.
pub fn negate(d: &mut Duel, id: u32) -> Flow<bool> {
    let Some(item) = d.t.context().pile.iter().find(|i| i.id == id) else { return Ok(false) };
    let (kind, card) = (item.kind, item.card);
    if !d.on(msd!("1019.1")) {
        return Ok(false);
    }
    d.under(msd!("1019.1"), |d| {
        let event = card.map_or_else(|| Event::signal(Word("無効")), |c| Event::about(Word("無効"), c));
        if !d.propose_one(event)?.any() {
            return Ok(false);
        }
        if let Some(at) = d.t.context().pile.iter().position(|i| i.id == id) {
            d.aside().pile().remove(at);
        }
        if let (ItemKind::Spell, Some(card)) = (kind, card) {
            to_graveyard(d, card)?;
        }
        Ok(true)
    })
}
