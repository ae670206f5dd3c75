//! 801.3.5, 804.2, 903: playing cards and activating abilities. What cannot be completed is taken back.

use std::sync::Arc;

use super::pay::{self, Owed};
use super::places::{has_kind, is_field, waiting};
use super::schema::{CHARACTERS, schema};
use super::text::has;
use super::{energy, evolve, moves, resolve};
use crate::card::{Ability, Kind, Step, Word};
use crate::kernel::steps::Frame;
use crate::kernel::{
    Asks, Cause, Ctx, Duel, Event, Flow, Item, ItemKind, Means, Move, Question, Ref, Seat, Seen, Sight, Slots, Thing,
    Told, What,
};

/// The slot that says when something was played: its effects date from then (802.1.2.1.5.1).
pub const PLAYED: Word = Word("プレイした時");
/// The slot that says that what came later is not met (802.1.2.1.5.2).
pub const REACH: Word = Word("及ぶ時");
/// 205.2: the card that an item will be laid with.
pub const BEARER: Word = Word("装備先");

pub fn frame(seat: Seat, this: Ref) -> Frame {
    let cause = Cause { means: Means::Effect, card: Some(this), seat: Some(seat) };
    Frame { this: Some(this), seat, slots: Slots::default(), event: None, cause }
}

/// 112.1, 902.8: what is paid besides energy.
pub fn extra(seen: &Seen) -> Vec<Step> {
    seen.abilities.iter().filter(|a| a.kind == Kind::Effect).flat_map(|a| a.cost.clone()).collect()
}

/// 902.7, 112.1: the price of a card with what its text adds.
fn price(d: &mut Duel, card: Ref) -> Owed {
    let mut owed = pay::of_card(d, card);
    let seen = d.seen(card);
    for price in seen.abilities.iter().filter(|a| a.kind == Kind::Effect).filter_map(|a| a.price.clone()) {
        for (symbol, n) in pay::owed(d, &price) {
            match owed.iter_mut().find(|(s, _)| *s == symbol) {
                Some((_, m)) => *m += n,
                None => owed.push((symbol, n)),
            }
        }
    }
    owed
}

/// The least that a card can cost: with the best card to evolve from.
pub fn least(d: &mut Duel, who: Seat, card: Ref) -> Owed {
    let owed = price(d, card);
    let mut best = owed.clone();
    let total = |o: &Owed| o.iter().map(|(_, n)| (*n).max(0)).sum::<i32>();
    for base in evolve::bases(d, who, card) {
        let mut less = owed.clone();
        if d.on(nova!("1010.2", Meaning)) && evolve::reduce(d, base, &mut less).is_ok() && total(&less) < total(&best) {
            best = less;
        }
    }
    best
}

/// 205.2, 1005.2: whom an item can be laid with: servants unless it says otherwise, on either field.
pub fn bearers(d: &mut Duel, who: Seat, card: Ref) -> Vec<Ref> {
    let seen = d.seen(card);
    let filter = seen
        .keyword("装備")
        .and_then(|k| k.filter.clone())
        .unwrap_or_else(|| crate::card::Filter { is: vec![Word("サーバント")], ..Default::default() });
    let slots = Slots::default();
    let ctx = Ctx { this: Some(card), seat: who, slots: &slots, event: None };
    let found = d.see(|eyes| eyes.select(&ctx, &filter));
    found.into_iter().filter(|r| super::text::targetable(d, *r, Some(card)).is_ok()).collect()
}

/// 804.2: declare, choose, fix the price, pay, and into the waiting zone last.
pub fn card(d: &mut Duel, who: Seat, card: Ref) -> Flow {
    let saved = d.t.clone();
    let done = d.under(nova!("804.2", Frame), |d| begin(d, who, card))?;
    if !done {
        take_back(d, saved);
    }
    Ok(())
}

/// 804.2.4: what cannot be paid in full is taken back to before the declaration.
fn take_back(d: &mut Duel, saved: crate::kernel::Table) {
    d.trace.reach(nova!("804.2.4", Limit));
    d.tell(Told::Refused, |_| "プレイを続けられないので、宣言する直前まで戻す".into());
    *d.edit() = saved;
}

fn begin(d: &mut Duel, who: Seat, card: Ref) -> Flow<bool> {
    let from = d.t.obj(card.id).zone;
    let seen = d.seen(card);
    let mut frame = frame(who, card);
    d.trace.reach(nova!("804.2.1", Frame));
    if has(&seen, "装備") && d.on(nova!("1005.2", Meaning)) {
        d.trace.reach(nova!("1005.2", Meaning));
        let of: Vec<Thing> = bearers(d, who, card).into_iter().map(Thing::Card).collect();
        let question = Question::new(who, BEARER, Asks::Choose { of, min: 1, max: 1 }).about(Some(card));
        let chosen = d.pick(question.citing(nova!("205.2", Limit)))?;
        frame.slots.set(BEARER, chosen);
    }
    let base = if has(&seen, "進化") { evolve::choose(d, who, card)? } else { None };
    for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Effect) {
        if !choose_first(d, &mut frame, ability)? {
            return Ok(false);
        }
    }
    d.trace.reach(nova!("804.2.3", Frame));
    let mut owed = price(d, card);
    if let Some(base) = base {
        evolve::reduce(d, base, &mut owed)?;
        frame.slots.set(evolve::BASE, vec![Thing::Card(base)]);
    }
    let parts = extra(&seen);
    if !pay_all(d, &mut frame, &owed, &parts, &[])? {
        return Ok(false);
    }
    if has_kind(&seen, "キャラクター") {
        *d.aside().seat(who, CHARACTERS) += 1;
    }
    put(d, who, card, from, frame.slots)
}

/// 804.2.2, 804.2.2.2: what playing itself needs: targets named as such, and how a number is shared out.
fn choose_first(d: &mut Duel, frame: &mut Frame, ability: &Ability) -> Flow<bool> {
    for target in &ability.target {
        d.trace.reach(nova!("804.2.2.1", Frame));
        if target.divide.is_some() {
            d.trace.reach(nova!("804.2.2.2", Frame));
        }
        if !d.choose(frame, target, true)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// 804.2.4, 804.2.4.1, 804.2.4.2: everything, or nothing was played.
fn pay_all(d: &mut Duel, frame: &mut Frame, owed: &Owed, parts: &[Step], without: &[Ref]) -> Flow<bool> {
    d.under(nova!("804.2.4.2", Frame), |d| {
        if !pay::pay(d, frame.seat, owed, without)? {
            return Ok(false);
        }
        let cause = frame.cause;
        frame.cause.means = Means::Cost;
        let done = parts.is_empty() || d.perform(frame, parts)?;
        frame.cause = cause;
        Ok(done)
    })
}

/// 804.2.5, 311.2: the card goes to the waiting zone.
fn put(d: &mut Duel, who: Seat, card: Ref, from: crate::kernel::ZoneId, slots: Slots) -> Flow<bool> {
    let to = waiting();
    let event = d.under(nova!("804.2.5", Frame), |d| Ok(d.moving(card, to).seat(who)))?;
    let Some(card) = d.propose(vec![event])?.first().and_then(|e| e.after) else { return Ok(false) };
    push(d, ItemKind::Spell, who, card, None, slots, None, Some(from));
    d.happen(vec![Event::about(Word("プレイ"), card).seat(who)])?;
    Ok(true)
}

#[allow(clippy::too_many_arguments)]
pub fn push(
    d: &mut Duel,
    kind: ItemKind,
    seat: Seat,
    card: Ref,
    ability: Option<Arc<Ability>>,
    mut slots: Slots,
    event: Option<Arc<Event>>,
    from: Option<crate::kernel::ZoneId>,
) {
    let id = d.aside().tick();
    slots.set(PLAYED, vec![Thing::Number(id as i32)]);
    if d.on(nova!("802.1.2.1.5.2", Limit)) {
        slots.set(REACH, vec![Thing::Number(id as i32)]);
    }
    // Who has the card on the pile is its controller (912.3.2).
    if kind == ItemKind::Spell && d.t.obj(card.id).controller != seat {
        d.edit().obj_mut(card.id).controller = seat;
    }
    d.aside().pile().push(Item { id, kind, card: Some(card), ability, seat, slots, event, from, negated: false });
    d.tell(Told::Applied, |d| {
        format!("{}{}を待機領域に置く", d.card_name(card), if kind == ItemKind::Spell { "" } else { "の能力" })
    });
}

/// 801.3.5: declares, shows, pays; the text waits, or an energy ability is resolved at once (801.6.6.2).
pub fn activate(d: &mut Duel, who: Seat, m: &Move) -> Flow {
    let card = m.card.expect("a card's ability");
    let number = m.ability.unwrap_or(0);
    let ability = d.seen(card).abilities[number as usize].clone();
    let saved = d.t.clone();
    let done = d.under(nova!("801.3.5.1", Frame), |d| begin_ability(d, who, card, &ability))?;
    if !done {
        take_back(d, saved);
    }
    Ok(())
}

fn begin_ability(d: &mut Duel, who: Seat, card: Ref, ability: &Arc<Ability>) -> Flow<bool> {
    let mut frame = frame(who, card);
    let energy = energy::is_activated(d, ability);
    // 801.3.5.2, 310.7: the card is shown.
    let obj = d.t.obj(card.id);
    let (place, shown) = (obj.zone, obj.face_up);
    if schema().spec(place).sight != Sight::All || !shown {
        d.trace.reach(nova!("801.3.5.2", Frame));
        d.aside().reveal(card.id, true);
        if !shown && !is_field(place) {
            d.trace.reach(nova!("310.7", Frame));
        }
    }
    let lock = moves::lock(d, who, card, ability);
    if !choose_first(d, &mut frame, ability)? {
        return Ok(false);
    }
    let owed = ability.price.as_ref().map(|p| pay::owed(d, p)).unwrap_or_default();
    if !pay_all(d, &mut frame, &owed, &ability.cost, &[])? {
        return Ok(false);
    }
    d.use_up(card, who, ability);
    if energy
        && d.applies(nova!("801.6.6.2", Meaning), |d| {
            format!("{}のエナジー能力は待機領域に置かれず、すぐに解決される", d.card_name(card))
        })
    {
        d.perform(&mut frame, &ability.steps)?;
        resolve::hide(d);
        return Ok(true);
    }
    d.trace.reach(nova!("801.3.5.3", Frame));
    push(d, ItemKind::Ability, who, card, Some(ability.clone()), frame.slots, None, None);
    d.note_use(lock);
    d.happen(vec![Event::about(Word("起動"), card).seat(who)])?;
    Ok(true)
}

/// A card that comes onto the field of a player, under them.
pub fn onto_field(d: &mut Duel, card: Ref, seat: Seat, host: Option<(Word, crate::kernel::CardId)>) -> Event {
    let to = super::places::zone("場", seat);
    let mut event = d.moving(card, to).seat(seat);
    event.how = Word("プレイ");
    event.what = What::Move { to, bottom: false, state: 0, face_up: true, controller: Some(seat), host };
    event
}
