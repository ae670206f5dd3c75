//! 909.7, 901.2b: effects that last as long as something is so of a card; C27: control for a time.

use super::schema::{RECOVERED, RESTED, REVERSED, schema};
use super::zones::{Own, in_play, is, zone};
use crate::card::{Ability, Change, Step, Word};
use crate::kernel::steps::Frame;
use crate::kernel::table::{Holds, Watch};
use crate::kernel::{Cause, Ctx, Duel, Event, Flow, Item, Ref, Seat, Slots, Thing, What};

/// 「〜であるかぎり」 of a card, which texts name as the end of an effect: of the card itself, or of what a slot names.
pub const AS_LONG_AS: [&str; 5] = [
    "～がリカバー状態であるかぎり",
    "～がレスト状態であるかぎり",
    "～がリバース状態であるかぎり",
    "～が戦場にあるかぎり",
    "～を支配しているかぎり",
];

/// The card itself, as texts call it there.
pub const ITSELF: &str = "このカード";

/// Of which cards it is said, and which of [`AS_LONG_AS`].
pub fn as_long(until: Option<Word>) -> Option<(Word, usize)> {
    let until = until?;
    let of = |end: &&str| until.strip_suffix(&end['～'.len_utf8()..]);
    AS_LONG_AS.iter().enumerate().find_map(|(at, end)| of(end).map(|of| (Word::new(of), at)))
}

/// It is so of the card now.
fn holds_of(d: &Duel, card: Ref, seat: Seat, at: usize) -> bool {
    let there = d.t.is_now(card) && in_play(d.t.obj(card.id).zone) && d.t.obj(card.id).host.is_none();
    let state = |state| d.t.obj(card.id).state == state;
    there
        && match at {
            0 => state(RECOVERED),
            1 => state(RESTED),
            2 => state(REVERSED),
            3 => true,
            _ => d.t.obj(card.id).controller == seat,
        }
}

/// What lasts so goes on: nothing else is said of it, or it is so of all the cards that are meant.
fn holds(d: &Duel, until: Option<Word>, source: Option<Ref>, slots: &Slots, seat: Seat) -> bool {
    let Some((of, at)) = as_long(until) else { return true };
    if of == ITSELF {
        return source.is_none_or(|card| holds_of(d, card, seat, at));
    }
    let cards: Vec<Ref> = slots.cards(&of);
    !cards.is_empty() && cards.iter().all(|card| holds_of(d, *card, seat, at))
}

/// Until when what the step begins lasts.
fn lasts(step: &Step) -> Option<Word> {
    match step {
        Step::Grant { until, .. } | Step::Replace { until, .. } | Step::Later { until, .. } => *until,
        _ => None,
    }
}

/// The steps in a step that are carried out with it.
fn inner(step: &Step) -> Vec<&Vec<Step>> {
    match step {
        Step::May { steps, then, otherwise, .. } => vec![steps, then, otherwise],
        Step::If { then, otherwise, .. } => vec![then, otherwise],
        Step::EachPlayer { steps, .. } | Step::ForEach { steps, .. } | Step::Repeat { steps, .. } => vec![steps],
        _ => Vec::new(),
    }
}

fn inner_mut(step: &mut Step) -> Vec<&mut Vec<Step>> {
    match step {
        Step::May { steps, then, otherwise, .. } => vec![steps, then, otherwise],
        Step::If { then, otherwise, .. } => vec![then, otherwise],
        Step::EachPlayer { steps, .. } | Step::ForEach { steps, .. } | Step::Repeat { steps, .. } => vec![steps],
        _ => Vec::new(),
    }
}

/// All that an ability does, step in step.
fn each_step<'a>(ability: &'a Ability, look: &mut dyn FnMut(&'a Step)) {
    fn go<'a>(steps: &'a [Step], look: &mut dyn FnMut(&'a Step)) {
        for step in steps {
            look(step);
            inner(step).into_iter().for_each(|steps| go(steps, look));
        }
    }
    go(&ability.steps, look);
    ability.modes.iter().for_each(|mode| go(&mode.steps, look));
}

/// What an item waiting to be resolved would begin that lasts as long as something is so of its own card.
fn durations(item: &Item) -> Vec<Word> {
    let mut found = Vec::new();
    if let Some(ability) = &item.ability {
        let own = |until: &Word| as_long(Some(*until)).is_some_and(|(of, _)| of == ITSELF);
        each_step(ability, &mut |step| found.extend(lasts(step).filter(own)));
    }
    found
}

/// Something lasts as long as something is so of what the text has no name for.
pub fn of_nobody(ability: &Ability) -> bool {
    let mut named = vec![Word(ITSELF)];
    named.extend(ability.target.iter().chain(ability.modes.iter().flat_map(|m| &m.target)).map(|t| t.slot));
    let mut of = Vec::new();
    each_step(ability, &mut |step| {
        match step {
            Step::Choose(target) => named.push(target.slot),
            Step::ForEach { slot, .. } => named.push(*slot),
            Step::EachPlayer { choose, .. } => named.extend(choose.iter().map(|t| t.slot)),
            _ => {}
        }
        of.extend(as_long(lasts(step)).map(|(of, _)| of));
    });
    of.iter().any(|of| !named.contains(of))
}

/// The slot in which an item keeps which of them were broken before it was resolved.
const BROKEN: Word = Word("満たされなくなった期限");

/// Looks after everything that happens: effects that lasted so end, and those still to come never begin (909.7).
pub fn watch(d: &mut Duel) -> Flow {
    let over = |d: &Duel, at: usize| {
        let effect = &d.t.ongoing[at];
        !holds(d, effect.until, effect.source, &effect.slots, effect.seat)
    };
    let ended: Vec<u32> = (0..d.t.ongoing.len()).filter(|at| over(d, *at)).map(|at| d.t.ongoing[at].stamp).collect();
    if !ended.is_empty() {
        d.end_effects(&ended);
    }
    let waits = |w: &Watch| holds(d, w.until, Some(w.source), &w.slots, w.seat);
    let kept: Vec<bool> = d.t.watches.iter().map(waits).collect();
    if kept.contains(&false) {
        let mut kept = kept.into_iter();
        d.aside().watches().retain(|_| kept.next().unwrap_or(true));
    }
    let cite = msd!("909.7", Limit);
    let mut broken: Vec<(u32, Word)> = Vec::new();
    for item in &d.t.context().pile {
        let Some(card) = item.card else { continue };
        let known = item.slots.get(&BROKEN).unwrap_or_default();
        let new =
            |u: &Word| !known.contains(&Thing::Word(*u)) && !holds(d, Some(*u), Some(card), &item.slots, item.seat);
        broken.extend(durations(item).into_iter().filter(new).map(|until| (item.id, until)));
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
pub fn kept(frame: &Frame, mut steps: Vec<Step>) -> Vec<Step> {
    fn leave(steps: &mut Vec<Step>, broken: &[Thing]) {
        steps.retain(|s| !lasts(s).is_some_and(|until| broken.contains(&Thing::Word(until))));
        steps.iter_mut().flat_map(inner_mut).for_each(|steps| leave(steps, broken));
    }
    let broken = frame.slots.get(&BROKEN).unwrap_or_default().to_vec();
    if !broken.is_empty() {
        leave(&mut steps, &broken);
    }
    steps
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
        let what = What::Control { to, controller: was, state: None };
        let event = Event { what, from: Some(at), to: Some(to), ..Event::about(Word("支配"), card) };
        d.happen(vec![event.by(Cause::RULE).seat(was)])?;
    }
    Ok(())
}
