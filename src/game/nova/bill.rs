//! 804.2.3, 804.2.4, 902.8: all that is to be paid for one thing, in the order that its player chooses.

use super::pay::{self, Owed};
use super::{play, say};
use crate::card::{Filter, Pool, Step, Target, Word};
use crate::kernel::steps::Frame;
use crate::kernel::{Asks, Cite, Duel, Flow, Means, Question, Ref, Slots, Thing};

/// What is to be paid.
pub struct Bill {
    pub owed: Owed,
    pub parts: Vec<Step>,
    /// The card and the way in which it is paid for, where the price is that of a card.
    pub fixed_for: Option<(Ref, Word)>,
    /// For an activated ability.
    pub activates: bool,
}

/// One of the costs.
#[derive(Clone)]
enum Cost {
    Energy,
    Steps(Vec<Step>),
}

/// The card that is being played: it waits only when all is paid (804.2.5).
const PLAYED: Word = Word("プレイするカード");

/// While it is paid for.
pub fn playing(card: Ref) -> Slots {
    let mut slots = Slots::default();
    slots.set(PLAYED, vec![Thing::Card(card)]);
    slots
}

/// Reading C42: what is being played does not pay for itself.
pub fn may_pay(d: &mut Duel, card: Ref, frame: &Frame) -> Result<(), &'static Cite> {
    let played = frame.slots.get(&PLAYED).is_some_and(|of| of.contains(&Thing::Card(card)));
    let cite = nova!("C42", Reading);
    if played && d.reading(cite, "a") == "a" { Err(cite) } else { Ok(()) }
}

/// The same with the card that is being played.
pub fn pay_for(d: &mut Duel, frame: &mut Frame, card: Ref, bill: Bill) -> Flow<bool> {
    frame.slots.set(PLAYED, vec![Thing::Card(card)]);
    let paid = pay(d, frame, bill);
    frame.slots.0.retain(|(name, _)| *name != PLAYED);
    paid
}

/// 804.2.4, 804.2.4.1, 804.2.4.2: everything, or nothing was played.
pub fn pay(d: &mut Duel, frame: &mut Frame, bill: Bill) -> Flow<bool> {
    d.under(nova!("804.2.4.2", Frame), |d| {
        let costs = in_order(d, frame, &bill)?;
        let cause = frame.cause;
        let mut done = true;
        for cost in costs {
            frame.cause.means = Means::Cost;
            done &= match cost {
                Cost::Energy => {
                    let owed = due(d, &bill);
                    pay::pay(d, frame.seat, &owed, &[])?
                }
                // 902.1: what the cost tells is done, with what it names.
                Cost::Steps(steps) => {
                    d.under(nova!("902.1", Frame), |d| carry_out(d, frame, &steps, bill.activates))?
                }
            };
            if !done {
                break;
            }
        }
        frame.cause = cause;
        Ok(done)
    })
}

/// 804.2.3: as it was fixed, whatever has changed meanwhile.
fn due(d: &mut Duel, bill: &Bill) -> Owed {
    match bill.fixed_for {
        Some((card, way)) if !say(d, [nova!("804.2.3", Order)]) => play::price(d, card, way),
        _ => bill.owed.clone(),
    }
}

/// 804.2.4.1: who plays it says in which order its costs are paid.
fn in_order(d: &mut Duel, frame: &Frame, bill: &Bill) -> Flow<Vec<Cost>> {
    let mut costs: Vec<Cost> = Vec::new();
    if !bill.owed.is_empty() || bill.parts.is_empty() {
        costs.push(Cost::Energy);
    }
    costs.extend(separate(&bill.parts).into_iter().map(Cost::Steps));
    if costs.len() < 2 || !say(d, [nova!("804.2.4.1", Order)]) {
        return Ok(costs);
    }
    let mut n = 0;
    let name = |cost: &Cost| match cost {
        Cost::Energy => Word("エナジー"),
        Cost::Steps(_) => {
            n += 1;
            Word::new(&format!("コスト{n}"))
        }
    };
    let things = costs.iter().map(name).collect::<Vec<_>>().into_iter().map(Thing::Word).collect();
    let cite = nova!("804.2.4.1", Order);
    let mut question = Question::new(frame.seat, Word("支払う順"), Asks::Order(things)).about(frame.this).citing(cite);
    question.minor = true;
    let order = d.ask(question)?;
    Ok(order.into_iter().map(|at| costs[at as usize].clone()).collect())
}

/// The costs one by one: a choice belongs with what is done with what was chosen.
fn separate(parts: &[Step]) -> Vec<Vec<Step>> {
    let mut found: Vec<Vec<Step>> = Vec::new();
    for part in parts {
        let with =
            |steps: &Vec<Step>| steps.iter().any(|s| matches!(s, Step::Choose(t) if Some(t.slot) == about(part)));
        match found.last_mut().filter(|last| with(last)) {
            Some(last) => last.push(part.clone()),
            None => found.push(vec![part.clone()]),
        }
    }
    found
}

fn about(step: &Step) -> Option<Word> {
    match step {
        Step::Move { what, .. } | Step::Turn { what, .. } | Step::Act { what, .. } => *what,
        Step::Mark { what, .. } => Some(*what),
        _ => None,
    }
}

fn carry_out(d: &mut Duel, frame: &mut Frame, steps: &[Step], activates: bool) -> Flow<bool> {
    match &steps[0] {
        // 902.8.2: what one may pay and does not pay is no hindrance.
        Step::May { steps: inner, .. } => {
            if say(d, [nova!("902.8.2", Limit)]) {
                d.perform(frame, steps)?;
                return Ok(true);
            }
            d.perform(frame, inner)
        }
        Step::EachPlayer { choose, steps, together } if activates && say(d, [nova!("801.3.6.1", Order)]) => {
            controller_first(d, frame, choose, steps, *together)
        }
        _ => d.perform(frame, steps),
    }
}

/// 801.3.6.1: whoever activates it does it first, whosever turn it is.
fn controller_first(d: &mut Duel, frame: &mut Frame, choose: &[Target], steps: &[Step], together: bool) -> Flow<bool> {
    let mut frames = [frame.seat, frame.seat.other()].map(|seat| Frame { seat, ..frame.clone() });
    for own in &mut frames {
        for target in choose {
            d.choose(own, target, false)?;
        }
    }
    if !together {
        let mut all = true;
        for own in &mut frames {
            all &= d.perform(own, steps)?;
        }
        return Ok(all);
    }
    d.together(frame, frames, choose, steps)
}

/// 904.4: the choices of cards for a cost to freeze that do not say whose.
fn frozen(cost: &[Step]) -> Vec<Word> {
    let open = |f: &Filter| f.of.is_none() && f.owner.is_none() && f.within.is_empty() && f.reference.is_none();
    let freezes = |slot: Word| move |s: &Step| matches!(s, Step::Turn { what: Some(w), state, .. } if *w == slot && *state == "フリーズ");
    let chosen = cost.iter().filter_map(|s| match s {
        Step::Choose(Target { slot, of: Pool::Cards(filter), .. }) if open(filter) => Some(*slot),
        _ => None,
    });
    chosen.filter(|slot| cost.iter().any(freezes(*slot))).collect()
}

pub fn freezes_any(cost: &[Step]) -> bool {
    !frozen(cost).is_empty()
}

/// 904.4: they are one's own.
pub fn freezes_own(cost: &mut [Step]) {
    let slots = frozen(cost);
    for step in cost {
        if let Step::Choose(Target { slot, of: Pool::Cards(filter), .. }) = step
            && slots.contains(slot)
        {
            filter.of = Some(Word("自分"));
        }
    }
}
