//! 405.6.3, 916, 917, 922: damage.

use super::places::{destroyed, has_kind, is_field};
use super::say;
use super::schema::{ATTACK, BY_BATTLE, DAMAGE, LIFE, at};
use super::text::immune;
use crate::card::Word;
use crate::kernel::{Cause, Duel, Event, Flow, Means, Ref, Seat, What};

/// 916.1, 916.4: damage to a servant, if it can have any.
pub fn to_servant(d: &mut Duel, card: Ref, amount: i32, cause: Cause) -> Option<Event> {
    if amount <= 0 && d.applies(nova!("004.6", Limit), |_| format!("{amount}点のダメージは与えられない")) {
        return None;
    }
    let there = d.t.is_now(card) && is_field(d.t.obj(card.id).zone) && has_kind(&d.seen(card), "サーバント");
    if !there {
        return None;
    }
    if destroyed(d, card)
        && d.applies(nova!("916.4", Limit), |d| format!("破壊状態の{}にはダメージを与えられない", d.card_name(card)))
    {
        return None;
    }
    if !say(d, [nova!("916.1", Meaning)]) {
        return None;
    }
    let how = if cause.means == Means::Battle { Word("バトル") } else { Word("") };
    Some(Event { what: What::Grow { fact: DAMAGE }, amount, cause, how, ..Event::about(Word("ダメージ"), card) })
}

/// 916.2: damage to a player is taken from life.
pub fn to_player(d: &mut Duel, seat: Seat, amount: i32, cause: Cause) -> Option<Event> {
    if amount <= 0 && d.applies(nova!("004.6", Limit), |_| format!("{amount}点のダメージは与えられない")) {
        return None;
    }
    if !say(d, [nova!("916.2", Meaning)]) {
        return None;
    }
    let how = if cause.means == Means::Battle { Word("バトル") } else { Word("") };
    let what = What::SeatFact { fact: LIFE, by: amount.saturating_neg() };
    Some(Event { what, amount, cause, how, ..Event::signal(Word("ダメージ")) }.seat(seat))
}

/// 916.3: all of it at once.
pub fn deal(d: &mut Duel, events: Vec<Event>) -> Flow<bool> {
    if events.is_empty() {
        return Ok(false);
    }
    d.under(nova!("916.3", Order), |d| {
        if d.on(nova!("916.3", Order)) {
            return Ok(d.propose(events)?.any());
        }
        let mut any = false;
        for event in events {
            any |= d.propose_one(event)?.any();
        }
        Ok(any)
    })
}

/// From an effect.
pub fn by_effect(d: &mut Duel, to: &[(Ref, i32)], players: &[(Seat, i32)], cause: Cause) -> Flow<bool> {
    if to.len() + players.len() > 1 {
        d.trace.reach(nova!("916.3.2", Frame));
    }
    let mut events = Vec::new();
    for (card, amount) in to.iter().copied() {
        events.extend(to_servant(d, card, amount, cause));
    }
    for (seat, amount) in players.iter().copied() {
        events.extend(to_player(d, seat, amount, cause));
    }
    deal(d, events)
}

/// 917.1.3: what is not suffered is reduced to nothing.
pub fn prevented(d: &mut Duel, event: &Event) -> Option<&'static crate::kernel::Cite> {
    let (What::Grow { fact: DAMAGE }, Some(card), Some(source)) = (&event.what, event.card, event.cause.card) else {
        return None;
    };
    let cite = nova!("917.1.3", Meaning);
    (immune(d, card, "ダメージ", source) && d.applies(cite, |d| format!("{}はダメージを受けない", d.card_name(card))))
        .then_some(cite)
}

/// 405.6.3.2, 922.1: who is destroyed by battle damage is remembered as such.
pub fn remember(d: &mut Duel, events: &[Event]) {
    for event in events.iter().filter(|e| e.name == "破壊") {
        if let Some(card) = event.card.filter(|c| d.t.is_now(*c)) {
            let dealer = event.cause.card.map_or(0, |c| i32::from(c.id.0));
            *d.aside().card(card.id, BY_BATTLE) = if event.how == "バトル" { 1 + dealer } else { 0 };
        }
    }
}

/// 405.6.3.2: whose battle damage has just been dealt to the card.
pub fn dealer(events: &[Event], card: Ref) -> Option<Ref> {
    let hit = |e: &&Event| e.card == Some(card) && e.name == "ダメージ" && e.how == "バトル";
    events.iter().rev().find(hit).and_then(|e| e.cause.card)
}

/// 405.5.4.1: what a servant is that an effect lets battle.
pub const BATTLING: Word = Word("効果によるバトル中");

/// 922: two servants strike each other, outside of any attack.
pub fn battle(d: &mut Duel, a: Ref, b: Ref) -> Flow<bool> {
    let fit =
        |d: &mut Duel, r: Ref| d.t.is_now(r) && is_field(d.t.obj(r.id).zone) && has_kind(&d.seen(r), "サーバント");
    if !fit(d, a) || !fit(d, b) {
        d.cites(nova!("922.3", Limit), |_| "両方のサーバントがそろっていないので、バトルは行われない".into());
        return Ok(false);
    }
    if !d.on(nova!("922.1", Meaning)) {
        return Ok(false);
    }
    d.under(nova!("922.1", Meaning), |d| {
        let strength = |d: &mut Duel, r: Ref| d.seen(r).number(at(ATTACK)).unwrap_or(0).max(0);
        let (x, y) = (strength(d, a), strength(d, b));
        let by = |d: &mut Duel, r: Ref| Cause { means: Means::Battle, card: Some(r), seat: Some(d.seen(r).controller) };
        let (from_a, from_b) = (by(d, a), by(d, b));
        let mut events = Vec::new();
        events.extend(to_servant(d, b, x, from_a));
        events.extend(to_servant(d, a, y, from_b));
        // 405.5.4.1: until then they are battling.
        let zone = d.t.obj(b.id).zone;
        let id = d.begin_fight(zone, vec![(a, vec![BATTLING]), (b, vec![BATTLING])], vec![a, b]);
        d.trace.reach(nova!("405.5.4.1", Frame));
        let done = deal(d, events);
        d.end_fight(id);
        done
    })
}
