//! 909.7, 901.2b: effects that last as long as something is so of their own card; C27: control for a time.

use super::schema::{RECOVERED, RESTED, REVERSED, schema};
use super::zones::{Own, in_play, is, zone};
use crate::card::{Change, Step, Word};
use crate::kernel::steps::Frame;
use crate::kernel::table::Holds;
use crate::kernel::{Cause, Ctx, Duel, Event, Flow, Item, Ref, Seat, Thing, What};

/// 「〜であるかぎり」 of the card itself, which texts name as the end of an effect.
pub const AS_LONG_AS: [&str; 5] = [
    "このカードがリカバー状態であるかぎり",
    "このカードがレスト状態であるかぎり",
    "このカードがリバース状態であるかぎり",
    "このカードが戦場にあるかぎり",
    "このカードを支配しているかぎり",
];

/// It is so of the card now.
fn holds(d: &Duel, card: Ref, seat: Seat, until: Word) -> bool {
    let there = d.t.is_now(card) && in_play(d.t.obj(card.id).zone) && d.t.obj(card.id).host.is_none();
    let state = |state| d.t.obj(card.id).state == state;
    there
        && match AS_LONG_AS.iter().position(|w| until == *w) {
            Some(0) => state(RECOVERED),
            Some(1) => state(RESTED),
            Some(2) => state(REVERSED),
            Some(3) => true,
            _ => d.t.obj(card.id).controller == seat,
        }
}

fn is_as_long(until: Option<Word>) -> Option<Word> {
    until.filter(|u| AS_LONG_AS.iter().any(|w| u == w))
}

/// What an item waiting to be resolved would begin that lasts so.
fn durations(item: &Item) -> Vec<Word> {
    let Some(ability) = &item.ability else { return Vec::new() };
    let steps = ability.steps.iter().chain(ability.modes.iter().flat_map(|m| &m.steps));
    let until = |s: &Step| if let Step::Grant { until, .. } = s { is_as_long(*until) } else { None };
    steps.filter_map(until).collect()
}

/// The slot in which an item keeps which of them were broken before it was resolved.
const BROKEN: Word = Word("満たされなくなった期限");

/// Looks after everything that happens: effects that lasted so end, and those still to come never begin (909.7).
pub fn watch(d: &mut Duel) -> Flow {
    let over = |d: &Duel, at: usize| {
        let effect = &d.t.ongoing[at];
        is_as_long(effect.until).zip(effect.source).is_some_and(|(until, card)| !holds(d, card, effect.seat, until))
    };
    let ended: Vec<u32> = (0..d.t.ongoing.len()).filter(|at| over(d, *at)).map(|at| d.t.ongoing[at].stamp).collect();
    if !ended.is_empty() {
        d.end_effects(&ended);
    }
    let cite = msd!("909.7", Limit);
    let mut broken: Vec<(u32, Word)> = Vec::new();
    for item in &d.t.context().pile {
        let Some(card) = item.card else { continue };
        let seat = item.seat;
        let known = item.slots.get(&BROKEN).unwrap_or_default();
        let new =
            durations(item).into_iter().filter(|u| !known.contains(&Thing::Word(*u)) && !holds(d, card, seat, *u));
        broken.extend(new.map(|until| (item.id, until)));
    }
    for (id, until) in broken {
        if !d.applies(cite, |_| format!("「{until}」が満たされなくなった")) {
            continue;
        }
        if let Some(item) = d.aside().pile().iter_mut().find(|i| i.id == id) {
            let mut all = item.slots.get(&BROKEN).unwrap_or_default().to_vec();
            all.push(Thing::Word(until));
            item.slots.set(BROKEN, all);
        }
    }
    Ok(())
}

/// 909.7: the steps without the effects whose condition was broken once.
pub fn kept(frame: &Frame, steps: Vec<Step>) -> Vec<Step> {
    let broken = frame.slots.get(&BROKEN).unwrap_or_default().to_vec();
    let gone = |s: &Step| matches!(s, Step::Grant { until: Some(until), .. } if broken.contains(&Thing::Word(*until)));
    steps.into_iter().filter(|s| !gone(s)).collect()
}

/// Whose the card was before it was taken for a time, the card, and who took it.
const BEFORE: Word = Word("前の支配者");

/// C27: the card is taken until the end of the turn.
pub fn take_for_a_time(d: &mut Duel, cards: &[Ref], taker: Seat, ctx: &Ctx) -> Flow<bool> {
    let mut any = false;
    for card in cards {
        let was = d.t.obj(card.id).controller;
        if !super::acts::control(d, &[*card], taker, super::acts::by_effect(ctx))? {
            continue;
        }
        any = true;
        let slots = ctx.slots.clone();
        let mut frame =
            Frame { this: ctx.this, seat: ctx.seat, slots, event: None, cause: super::acts::by_effect(ctx) };
        frame.slots.set(BEFORE, vec![Thing::Seat(was), Thing::Card(*card), Thing::Seat(taker)]);
        frame.slots.set(Word("奪ったカード"), vec![Thing::Card(*card)]);
        let grant = Step::Grant {
            what: Some(Word("奪ったカード")),
            all: None,
            changes: vec![Change::Under(Word("ある期間の支配"))],
            until: Some(Word("ターン終了時")),
        };
        d.perform(&mut frame, &[grant])?;
    }
    Ok(any)
}

/// 507.5a: what ends with the turn ends; C27: what was taken for that time goes back.
pub fn end_of_turn(d: &mut Duel) -> Flow {
    let mut back: Vec<(Ref, Seat, Seat)> = Vec::new();
    for effect in d.t.ongoing.iter().filter(|o| o.until == Some(Word("ターン終了時"))) {
        let Holds::Changes(changes) = &effect.holds else { continue };
        if let ([Change::Under(_)], Some([Thing::Seat(was), Thing::Card(card), Thing::Seat(taker)])) =
            (changes.as_slice(), effect.slots.get(&BEFORE))
        {
            back.push((*card, *taker, *was));
        }
    }
    d.expire(Word("ターン終了時"), None)?;
    for (card, taker, was) in back {
        if !d.t.is_now(card) || d.t.obj(card.id).controller != taker || !in_play(d.t.obj(card.id).zone) {
            continue;
        }
        if d.reading(msd!("C27", Reading), "b") == "a" {
            continue;
        }
        let at = d.t.obj(card.id).zone;
        let to = if is(at, Own::Girls) { zone(Own::Girls, was) } else { zone(Own::Monsters, was) };
        debug_assert!(schema().spec(to).owner == Some(was));
        let what = What::Control { to, controller: was };
        let event = Event { what, from: Some(at), to: Some(to), ..Event::about(Word("支配"), card) };
        d.happen(vec![event.by(Cause::RULE).seat(was)])?;
    }
    Ok(())
}
