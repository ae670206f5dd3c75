//! 804, 806, 807: playing and resolving are one unit; nothing comes between but what the rules do at once.

use std::sync::Arc;

use super::pay::{self, Cost};
use super::places::{is_body, is_kind, temporary, zone};
use super::schema::schema;
use super::text::has_icon;
use super::{acts, moves};
use crate::card::{Ability, Kind, Word};
use crate::kernel::steps::Frame;
use crate::kernel::{
    Asks, Cause, Duel, Event, Flow, Means, Move, Pending, Question, Ref, Seat, Sight, Slots, Thing, Told, What, ZoneId,
};

fn frame(seat: Seat, this: Ref) -> Frame {
    let cause = Cause { means: Means::Effect, card: Some(this), seat: Some(seat) };
    Frame { this: Some(this), seat, slots: Slots::default(), event: None, cause }
}

/// 506.2, 806.1: plays a card and resolves it. `cost`: `None` when it is played for nothing.
pub fn card(d: &mut Duel, who: Seat, card: Ref, square: Option<ZoneId>, cost: Option<Cost>) -> Flow<bool> {
    let saved = d.t.clone();
    let from = d.t.obj(card.id).zone;
    let played = d.under(zx!("804.2", Frame), |d| begin(d, who, card, cost))?;
    let Some(card) = played else {
        // 804.2f, 804.2g: what cannot be completed is taken back.
        d.trace.reach(zx!("804.2f", Frame));
        d.tell(Told::Refused, |_| "プレイを続けられないので、開始する直前まで戻す".into());
        *d.edit() = saved;
        return Ok(false);
    };
    match square {
        Some(square) => d.under(zx!("806.3a", Frame), |d| appear(d, who, card, square, from))?,
        None => d.under(zx!("806.3b", Frame), |d| event_card(d, who, card))?,
    }
    hide(d)?;
    Ok(true)
}

/// 804.2b–804.2h: shown, the price fixed, to the temporary zone, paid, played. The card it is then.
fn begin(d: &mut Duel, who: Seat, card: Ref, cost: Option<Cost>) -> Flow<Option<Ref>> {
    let parts = costs(d, card);
    let to = temporary();
    let event = d.under(zx!("804.2e", Frame), |d| Ok(d.moving(card, to).seat(who)))?;
    let Some(card) = d.propose(vec![event])?.first().and_then(|e| e.after) else { return Ok(None) };
    let mut frame = frame(who, card);
    frame.cause.means = Means::Cost;
    let paid = match cost {
        Some(cost) => d.under(zx!("805.3", Frame), |d| pay::pay(d, who, &cost))?,
        None => true,
    };
    if !paid || !(parts.is_empty() || d.perform(&mut frame, &parts)?) {
        return Ok(None);
    }
    d.happen(vec![Event::about(Word("プレイ"), card).seat(who)])?;
    Ok(Some(card))
}

/// What must be done besides paying resources.
pub fn costs(d: &mut Duel, card: Ref) -> Vec<crate::card::Step> {
    d.seen(card).abilities.iter().filter(|a| a.kind == Kind::Effect).flat_map(|a| a.cost.clone()).collect()
}

/// 806.3a, 1007.2: onto the square, from the zone it was played from; where that cannot be, to the trash.
fn appear(d: &mut Duel, who: Seat, card: Ref, square: ZoneId, from: ZoneId) -> Flow {
    let mut event = d.moving(card, square).seat(who);
    if d.applies(zx!("1007.2", Meaning), |d| {
        format!("{}はプレイされる前のゾーンから登場したとみなされる", d.card_name(card))
    }) {
        event.from = Some(from);
        event.from_face_up = schema().spec(from).sight == Sight::All;
    }
    event.how = Word("プレイ");
    event.what = What::Move { to: square, bottom: false, state: 0, face_up: true, controller: Some(who), host: None };
    if d.propose(vec![event])?.is_empty() && d.t.is_now(card) {
        let owner = d.t.obj(card.id).owner;
        let event = d.moving(card, zone("トラッシュ", owner));
        d.happen(vec![event])?;
    }
    Ok(())
}

/// 809.2, 806.3b: its abilities from top to bottom, then the trash.
fn event_card(d: &mut Duel, who: Seat, card: Ref) -> Flow {
    let mut frame = frame(who, card);
    let abilities: Vec<Arc<Ability>> =
        d.seen(card).abilities.iter().filter(|a| a.kind == Kind::Effect).cloned().collect();
    for ability in &abilities {
        resolve(d, &mut frame, ability, true)?;
    }
    if d.t.is_now(card) {
        let owner = d.t.obj(card.id).owner;
        let event = d.moving(card, zone("トラッシュ", owner));
        d.happen(vec![event])?;
    }
    Ok(())
}

/// 804.3a: in the order in which it is written. Nothing is chosen before (804.3), and conditions hold now (804.3b).
fn resolve(d: &mut Duel, frame: &mut Frame, ability: &Ability, asks: bool) -> Flow {
    d.under(zx!("804.3a", Frame), |d| {
        let holds = match ability.cond.as_ref().filter(|_| asks) {
            Some(cond) => d.see(|eyes| eyes.holds(&frame.ctx(), cond)),
            None => true,
        };
        if !holds && d.applies(zx!("804.3b", Limit), |_| "条件を満たしていないので解決しない".into()) {
            return Ok(());
        }
        let mode = mode(d, frame, ability)?;
        let (targets, steps) =
            mode.map_or((&ability.target, &ability.steps), |i| (&ability.modes[i].target, &ability.modes[i].steps));
        for target in targets {
            d.choose(frame, target, false)?;
        }
        d.perform(frame, steps).map(|_| ())
    })
}

fn mode(d: &mut Duel, frame: &Frame, ability: &Ability) -> Flow<Option<usize>> {
    if ability.modes.is_empty() {
        return Ok(None);
    }
    let of = ability.modes.iter().map(|m| Thing::Word(m.name)).collect();
    let question = Question::new(frame.seat, Word("効果"), Asks::Choose { of, min: 1, max: 1 }).about(frame.this);
    Ok(Some(d.ask(question)?[0] as usize))
}

/// 807.1c: pays for an activated ability and resolves it.
pub fn activate(d: &mut Duel, who: Seat, m: &Move) -> Flow {
    let card = m.card.expect("a card's ability");
    let number = m.ability.unwrap_or(0);
    let ability = d.seen(card).abilities[number as usize].clone();
    let saved = d.t.clone();
    let mut frame = frame(who, card);
    if !d.under(zx!("804.2", Frame), |d| pay_for(d, &mut frame, &ability))? {
        d.trace.reach(zx!("804.2f", Frame));
        *d.edit() = saved;
        return Ok(());
    }
    d.reading(zx!("C6", Reading), "a");
    d.use_up(card, who, &ability);
    d.happen(vec![Event::about(Word("起動"), card).seat(who)])?;
    resolve(d, &mut frame, &ability, true)?;
    hide(d)
}

/// The price and the other parts of the cost; whether all was paid.
fn pay_for(d: &mut Duel, frame: &mut Frame, ability: &Ability) -> Flow<bool> {
    if ability.price.as_ref().is_some_and(|p| !p.variables().is_empty()) {
        return d.unwritten("点数を選ぶリソースコストはまだ書かれていない", &["zx:804.2c", "zx:805.2b"]);
    }
    if let Some(price) = &ability.price
        && !pay::pay(d, frame.seat, &pay::of_ability(price))?
    {
        return Ok(false);
    }
    let cause = frame.cause;
    frame.cause.means = Means::Cost;
    let done = ability.cost.is_empty() || d.perform(frame, &ability.cost)?;
    frame.cause = cause;
    Ok(done)
}

/// 808.2, 808.2a, 808.6: a triggered ability is played and resolved even if its card is gone; one that cannot be paid
/// for is only taken off.
pub fn triggered(d: &mut Duel, pending: &Pending) -> Flow {
    let mut frame = frame(pending.seat, pending.source);
    frame.slots = pending.slots.clone();
    frame.event = Some(pending.event.clone());
    let saved = d.t.clone();
    d.tell(Told::Applied, |d| format!("{}の能力をプレイする", d.card_name(pending.source)));
    if !pay_for(d, &mut frame, &pending.ability)? {
        *d.edit() = saved;
        return Ok(());
    }
    if !d.t.is_now(pending.source) {
        d.trace.reach(zx!("808.6", Frame));
    }
    // 803.2c: whether it is valid was asked when it triggered.
    resolve(d, &mut frame, &pending.ability, false)?;
    hide(d)
}

/// 505.3a, 907.2e, 1011.1: a card that was shown may be played for nothing if it has the icon; else it goes there.
pub fn for_nothing(d: &mut Duel, who: Seat, card: Ref, otherwise: ZoneId) -> Flow {
    d.edit().obj_mut(card.id).revealed = true;
    if has_icon(d, card, "イグニッション")
        && moves::playable(d, who, card)
        && d.yes(who, Word("支払わずにプレイ"), Some(card))?
    {
        let square = if is_body(d, card) { Some(square(d, who, card)?) } else { None };
        if self::card(d, who, card, square, None)? {
            return Ok(());
        }
    }
    let event = d.moving(card, otherwise).seat(who);
    d.propose_one(event).map(|_| ())
}

/// 806.1a, 806.1b: the square it will be put on.
fn square(d: &mut Duel, who: Seat, card: Ref) -> Flow<ZoneId> {
    let squares = moves::squares(d, who, card);
    let asks = Asks::Choose { of: squares.iter().map(|z| Thing::Zone(*z)).collect(), min: 1, max: 1 };
    let cite = if is_kind(d, card, "ゼクス") { zx!("806.1a", Frame) } else { zx!("806.1b", Frame) };
    let at = d.ask(Question::new(who, Word("スクエア"), asks).citing(cite).about(Some(card)))?[0];
    Ok(squares[at as usize])
}

/// 1006.2: what is still shown is hidden again; a deck is shuffled then.
fn hide(d: &mut Duel) -> Flow {
    for seat in Seat::BOTH {
        let deck = d.t.zone(zone("デッキ", seat)).to_vec();
        if deck.iter().any(|id| d.t.obj(*id).revealed) {
            d.step(zx!("1006.2"), |d| acts::shuffle(d, seat))?;
        }
    }
    for id in d.t.ids() {
        if d.t.obj(id).revealed {
            d.edit().obj_mut(id).revealed = false;
        }
    }
    Ok(())
}
