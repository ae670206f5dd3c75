//! 803.4, 903.2g-iii: what texts ask to be done besides, to attack with a card or to activate it.

use std::sync::Arc;

use super::schema::{ON_ACTIVATION, ON_ATTACK};
use crate::card::{Ability, Kind, Part, Parts, Word};
use crate::kernel::steps::Frame;
use crate::kernel::{CardId, Cause, Ctx, Duel, Flow, Means, Ref, Seat, Slots};

/// A text that asks for something, and the card that has it.
#[derive(Clone)]
pub struct Demand {
    source: Ref,
    ability: Arc<Ability>,
}

/// It asks for something at such a time.
pub fn is_one(ability: &Ability) -> bool {
    ability.kind == Kind::Static && ability.timing.is_some_and(|t| t == ON_ATTACK || t == ON_ACTIVATION)
}

/// It asks for something so, or has a text that does.
fn speaks(ability: &Ability) -> bool {
    is_one(ability) || ability.keyword.iter().flat_map(|k| &k.text).any(speaks)
}

/// What the texts in force ask of whoever does that with the card, in the order in which their cards were set up.
pub fn asked(d: &mut Duel, timing: &str, card: Ref) -> Vec<Demand> {
    let view = d.look();
    let asks = |a: &Ability| is_one(a) && a.timing.is_some_and(|t| t == timing);
    // Hardly any card says so: then only those are looked at that have gained something.
    let among: Vec<CardId> = match d.given.defs.iter().any(|def| def.card.abilities.iter().any(speaks)) {
        true => d.t.ids().collect(),
        false => view.gained.clone(),
    };
    let mut found = Vec::new();
    for id in among {
        let seen = view.cards[id.0 as usize].clone();
        for ability in seen.abilities.iter().filter(|a| asks(a)) {
            let (zone, up) = (d.t.obj(id).zone, d.t.obj(id).face_up);
            if d.is_beneath(id) || !d.works(&seen, zone, up, ability) {
                continue;
            }
            let (source, slots) = (d.t.now(id), Slots::default());
            let ctx = Ctx { this: Some(source), seat: seen.controller, slots: &slots, event: None };
            let meets = d.see(|eyes| {
                ability.cond.as_ref().is_none_or(|cond| eyes.holds(&ctx, cond))
                    && ability.affects.as_ref().map_or(source == card, |filter| eyes.matches(&ctx, filter, card))
            });
            if meets {
                found.push(Demand { source, ability: ability.clone() });
            }
        }
    }
    found
}

/// All that is asked is done, by the player and in that order; `was` is the card where it lay, `now` where it lies.
pub fn met(d: &mut Duel, who: Seat, demands: &[Demand], (was, now): (Ref, Ref)) -> Flow<bool> {
    for Demand { source, ability } in demands {
        let source = if *source == was { now } else { *source };
        let cause = Cause { means: Means::Cost, card: Some(source), seat: Some(who) };
        let mut frame = Frame { this: Some(source), seat: who, slots: Slots::default(), event: None, cause };
        if !super::activate::pay_steps(d, &mut frame, &ability.cost)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// It could be done after the card has been rested to attack.
pub fn could_attack(d: &mut Duel, who: Seat, attacker: Ref) -> bool {
    let demands = asked(d, ON_ATTACK, attacker);
    // Hardly any text speaks of resting.
    let speaks = |part: Part| matches!(part, Part::Pattern(p) if p.event == "レスト");
    demands.is_empty() && !d.given.defs.iter().any(|def| def.card.abilities.has_part(speaks))
        || d.could_come(|d| {
            let cause = Cause { means: Means::Rule, card: Some(attacker), seat: Some(who) };
            Ok(d.turn(&[attacker], Word("レスト"), cause)? && met(d, who, &demands, (attacker, attacker))?)
        })
}
