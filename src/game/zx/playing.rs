//! 1027: abilities that let a player change what the card they play costs, or do something for it.

use std::sync::Arc;

use super::pay::{self, Cost};
use super::places::temporary;
use super::{extras, play, text};
use crate::card::{Ability, Kind, Word};
use crate::kernel::table::Ongoing;
use crate::kernel::{Asks, Ctx, Duel, Flow, Question, Ref, Seat, Thing};

/// The timing of such abilities.
pub const PLAYING: Word = Word("プレイする際");

/// What a player may or must do while playing a card: whose ability it is, and which.
pub type Offer = (Ref, Arc<Ability>);

/// The abilities that speak of the play of this card: what must be done, and what may be and can.
fn offers(d: &mut Duel, who: Seat, card: Ref) -> Vec<Offer> {
    let view = d.look();
    let given = d.given;
    let mut found = Vec::new();
    for &id in view.among(given.holders.timing(PLAYING)).iter() {
        let seen = &view.cards[id.0 as usize];
        let (source, zone, face_up) = (d.t.now(id), d.t.obj(id).zone, d.t.obj(id).face_up);
        if !seen.kinds.statics || seen.controller != who || d.is_beneath(id) {
            continue;
        }
        for ability in seen.abilities.iter().filter(|a| a.timing == Some(PLAYING) && a.kind == Kind::Static) {
            // Most lie where they say nothing.
            if !text::stands(seen, zone, face_up, ability) {
                continue;
            }
            let slots = Default::default();
            let ctx = Ctx { this: Some(source), seat: who, slots: &slots, event: None };
            let speaks = match &ability.affects {
                None => source == card,
                Some(filter) => d.see(|eyes| eyes.fits_anywhere(&ctx, filter, card)),
            };
            let holds = |d: &mut Duel| ability.cond.as_ref().is_none_or(|c| d.see(|eyes| eyes.holds(&ctx, c)));
            if speaks && holds(d) && (!ability.optional || able(d, who, card, source, ability)) {
                found.push((source, ability.clone()));
            }
        }
    }
    found
}

/// Such an ability speaks of the play of this card.
pub fn speaks(d: &mut Duel, who: Seat, card: Ref) -> bool {
    !offers(d, who, card).is_empty()
}

/// 804.2g, 1027.1: what must be done, whatever it does to the price.
pub fn forced(d: &mut Duel, who: Seat, card: Ref) -> Vec<Offer> {
    offers(d, who, card).into_iter().filter(|(_, ability)| !ability.optional).collect()
}

/// 804.2g: all that must be done can be.
pub fn can_be_done(d: &mut Duel, who: Seat, card: Ref) -> bool {
    forced(d, who, card).iter().all(|(source, ability)| able(d, who, card, *source, ability))
}

/// Its part can be done once the card lies in the temporary zone.
fn able(d: &mut Duel, who: Seat, card: Ref, source: Ref, ability: &Ability) -> bool {
    d.could_come(|d| {
        let event = d.moving(card, temporary()).seat(who);
        let Some(now) = d.propose(vec![event])?.first().and_then(|e| e.after) else { return Ok(false) };
        carry_out(d, who, if source == card { now } else { source }, ability)
    })
}

/// 1027.1b: that is done by no ability and no effect.
fn carry_out(d: &mut Duel, who: Seat, source: Ref, ability: &Ability) -> Flow<bool> {
    let mut frame = play::frame(who, source);
    frame.cause = extras::cause(who);
    if !d.on(zx!("1027.1b", Meaning)) {
        frame.cause = play::frame(who, source).cause;
    }
    d.trace.reach(zx!("1027.1b", Meaning));
    let strict = std::mem::replace(&mut d.strict, true);
    let done = ability.cost.is_empty() || d.perform(&mut frame, &ability.cost)?;
    d.strict = strict;
    Ok(done)
}

/// 805.2c: the price of the card with what these abilities change.
pub fn price(d: &mut Duel, card: Ref, taken: &[Offer]) -> Cost {
    let plain = pay::of_card(d, card);
    if taken.is_empty() {
        return plain;
    }
    let made = |(source, ability): &Offer| {
        let made = Ongoing::on(card, d.t.obj(source.id).controller, ability.grant.clone());
        Ongoing { source: Some(*source), ..made }
    };
    let made = taken.iter().map(made).collect();
    let seen = d.imagine_under(made, card);
    Cost { points: pay::points(d, &seen, card), ..plain }
}

/// The card can be paid for, as it is or with one of the offers.
pub fn payable(d: &mut Duel, who: Seat, card: Ref) -> bool {
    let (may, must): (Vec<Offer>, Vec<Offer>) = offers(d, who, card).into_iter().partition(|(_, a)| a.optional);
    let plain = price(d, card, &must);
    pay::payable(d, who, &plain)
        || may.into_iter().any(|offer| {
            let cost = price(d, card, &[must.as_slice(), &[offer]].concat());
            pay::payable(d, who, &cost)
        })
}

/// 804.2c, 1027.1, 1027.1a: what must be done, and which of the offers is taken; one at most.
pub fn choose(d: &mut Duel, who: Seat, card: Ref) -> Flow<Vec<Offer>> {
    let (all, must): (Vec<Offer>, Vec<Offer>) = offers(d, who, card).into_iter().partition(|(_, a)| a.optional);
    if all.is_empty() {
        return Ok(must);
    }
    let plain = price(d, card, &must);
    let min = usize::from(!pay::payable(d, who, &plain));
    let cite = zx!("1027.1a", Limit);
    let max = if d.on(cite) { 1 } else { all.len() };
    let of = all.iter().map(|(source, _)| Thing::Card(*source)).collect();
    let mut question = Question::new(who, PLAYING, Asks::Choose { of, min, max }).citing(cite).about(Some(card));
    question.fewer = Some(zx!("805.3c", Limit));
    let chosen = d.ask(question)?;
    Ok(must.into_iter().chain(chosen.into_iter().map(|at| all[at as usize].clone())).collect())
}

/// 804.2f, 804.2g: does what the chosen ones ask for. The card has gone to the temporary zone.
pub fn pay(d: &mut Duel, who: Seat, card: Ref, taken: &[Offer]) -> Flow<bool> {
    for (source, ability) in taken {
        let source = if source.id == card.id { card } else { *source };
        if !d.under(zx!("1027.1", Frame), |d| carry_out(d, who, source, ability))? {
            return Ok(false);
        }
    }
    Ok(true)
}
