//! 312 force, 908 illegal force, 1010 and 1019 how cards become force.

use super::places::{is_square, zone};
use super::schema::FORCES;
use crate::card::Word;
use crate::kernel::{CardId, Cause, Cite, Ctx, Duel, Event, Flow, Means, Ref, Table, What, ZoneId};

pub const FORCE: Word = Word("フォース");

pub fn force_zone() -> ZoneId {
    FORCES
}

/// 1019.1: a card with a force that lies face down is broken.
pub fn is_broken(t: &Table, card: Ref) -> bool {
    t.is_now(card)
        && t.zone(force_zone()).iter().any(|id| t.obj(*id).host == Some((FORCE, card.id)) && !t.obj(*id).face_up)
}

/// 908.1, 908.2: force that belongs to no card, or to one that lies face down.
pub fn illegal(d: &Duel) -> Vec<(Ref, &'static Cite, String)> {
    let mut found = Vec::new();
    for id in d.t.zone(force_zone()).iter().copied() {
        let card = d.t.now(id);
        let host = d.t.obj(id).host.map(|(_, host)| d.t.obj(host)).filter(|h| is_square(h.zone));
        let (cite, why) = match host {
            None => (zx!("908.1", Check), "関連づけられているカードがない"),
            Some(host) if !host.face_up => (zx!("908.2", Check), "裏向きのカードに関連づけられている"),
            Some(_) => continue,
        };
        if d.on(cite) {
            found.push((card, cite, why.to_string()));
        }
    }
    found
}

/// 1010.1: force that lies elsewhere than force does.
pub fn stray(d: &Duel) -> Option<Ref> {
    let is_stray = |id: &CardId| {
        let card = d.t.obj(*id);
        card.host.is_some_and(|(how, _)| how == FORCE) && card.zone != force_zone()
    };
    d.t.ids().find(is_stray).map(|id| d.t.now(id))
}

/// 301.4: a card that has become a new one has no force any more but what became so with it.
pub fn lose(d: &mut Duel, host: CardId, now: u32) {
    let old: Vec<CardId> = d.t.zone(force_zone()).to_vec();
    for id in old {
        if d.t.obj(id).host == Some((FORCE, host)) && d.t.obj(id).since < now {
            d.trace.reach(zx!("301.4", Frame));
            d.lay_with(id, None);
        }
    }
}

/// A card becomes force of another.
pub fn into_force(d: &mut Duel, card: Ref, host: CardId, face_up: bool, cause: Cause) -> Event {
    let to = force_zone();
    let mut event = d.moving(card, to).by(cause);
    event.what = What::Move { to, bottom: false, state: 0, face_up, controller: None, host: Some((FORCE, host)) };
    event
}

/// 1019.2, 1019.2a: the card becomes another that takes its square and has it face down as force. The other card lies in
/// the slot ブレイク先.
pub fn break_into(d: &mut Duel, ctx: &Ctx, cards: &[Ref]) -> Flow<bool> {
    let (Some(old), Some(new)) = (cards.first().copied(), ctx.slots.cards("ブレイク先").first().copied()) else {
        return Ok(false);
    };
    let square = d.t.obj(old.id).zone;
    if !d.t.is_now(old) || !d.t.is_now(new) || !is_square(square) {
        d.trace.reach(zx!("1019.2a", Frame));
        return Ok(false);
    }
    if !d.applies(zx!("1019.2"), |d| format!("{}はブレイクする", d.card_name(old))) {
        return Ok(false);
    }
    let saved = d.t.clone();
    let cause = Cause { means: Means::Effect, card: ctx.this, seat: Some(ctx.seat) };
    let mut arrival = d.moving(new, square).by(cause).seat(ctx.seat);
    arrival.what =
        What::Move { to: square, bottom: false, state: 0, face_up: true, controller: Some(ctx.seat), host: None };
    let under = into_force(d, old, new.id, false, cause);
    let done = d.under(zx!("1019.2"), |d| d.propose(vec![arrival, under]))?;
    let came = done.happened.iter().find(|e| e.name == "登場").and_then(|e| e.after);
    let went = done.happened.iter().any(|e| e.card == Some(old));
    let (Some(came), true) = (came, went) else {
        d.trace.reach(zx!("1019.2a", Frame));
        d.take_back(saved);
        return Ok(false);
    };
    // The battle goes on against the new card.
    for fight in d.fights() {
        for (member, _) in
            fight.members.iter_mut().filter(|(r, roles)| *r == old && roles.iter().any(|w| *w == "攻撃目標"))
        {
            *member = came;
        }
    }
    Ok(true)
}

/// 908: all of them at once to the trash.
pub fn clear(d: &mut Duel) -> Flow {
    let mut events = Vec::new();
    for (card, cite, why) in illegal(d) {
        d.cites(cite, |d| format!("{}: {why}", d.card_name(card)));
        let whose = super::checks::trash_of(d, card);
        events.push(d.moving(card, zone("トラッシュ", whose)));
    }
    d.happen(events)
}
