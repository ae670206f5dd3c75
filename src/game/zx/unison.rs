//! 1029, 915: unison. A Z/X of the hand and the player extra with the player card under it are one Z/X. Our object for it
//! is the Z/X; the others lie under it.

use std::sync::Arc;

use super::acts::by_effect;
use super::composite::{EXTRA, UNISON, from_nowhere, join_names, join_words, lying, of_part};
use super::places::{blocked, bodies, has_zx, is_kind, is_square, player_card, player_square, zone};
use super::schema::{KIND, at, schema};
use crate::card::{Filter, Word};
use crate::kernel::limit::TURN;
use crate::kernel::view::Data;
use crate::kernel::{
    Asks, CardId, Cite, Ctx, Duel, Event, Flow, Obj, Question, Ref, Seat, Seen, Thing, Use, User, What, ZoneId,
};

/// 1029.1c: all that the parts have but their kind.
pub fn share(whole: &mut Arc<Seen>, part: &Seen, def: u16) -> bool {
    let whole = Arc::make_mut(whole);
    join_names(whole, &part.names);
    for (datum, value) in part.data.iter().enumerate().filter(|(datum, _)| *datum != at(KIND)) {
        match value {
            Data::Words(words) => join_words(whole, datum, words),
            other if whole.data[datum] == Data::None => whole.data[datum] = other.clone(),
            _ => {}
        }
    }
    whole.abilities.extend(part.abilities.iter().map(|a| of_part(a, def)));
    whole.recount();
    !part.abilities.is_empty()
}

/// The Z/X in unison that the player has on the squares.
pub fn of(d: &mut Duel, seat: Seat) -> Option<Ref> {
    if !lying(&d.t).any(|id| d.t.obj(id).host.is_some_and(|(how, _)| how == UNISON)) {
        return None;
    }
    let joined = |d: &Duel, r: &Ref| lying(&d.t).any(|id| d.t.obj(id).host == Some((UNISON, r.id)));
    bodies(d).into_iter().find(|r| d.seen(*r).controller == seat && joined(d, r))
}

/// 1029.4: nothing is done.
fn impossible(d: &mut Duel) -> Flow<bool> {
    d.trace.reach(zx!("1029.4", Frame));
    Ok(false)
}

/// 1029.1: a Z/X of the hand that is called so; 102.9: the player need not find one.
fn called(d: &mut Duel, seat: Seat, name: Word) -> Flow<Option<Ref>> {
    let hand: Vec<Ref> = d.t.zone(zone("手札", seat)).iter().map(|id| d.t.now(*id)).collect();
    let fits = |d: &mut Duel, r: &Ref| is_kind(d, *r, "ゼクス") && d.seen(*r).names.contains(&name);
    let found: Vec<Ref> = hand.into_iter().filter(|r| fits(d, r)).collect();
    let filter = Filter { name: vec![name], ..Filter::default() };
    let min = usize::from(super::text::may_fail_to_find(d, &filter, &found).is_none());
    let asks = Asks::Choose { of: found.into_iter().map(Thing::Card).collect(), min, max: 1 };
    let chosen = d.pick(Question::new(seat, Word("ゼクス"), asks).citing(zx!("1029.1")))?;
    Ok(chosen.first().and_then(|thing| if let Thing::Card(card) = thing { Some(*card) } else { None }))
}

/// 1029.1, 1029.1b, 1029.2, 1029.4. The Z/X has been chosen, or its name is told.
pub fn unison(d: &mut Duel, ctx: &Ctx, seat: Seat, cards: &[Ref], name: Option<Word>) -> Flow<bool> {
    let used = Use { user: User::Player(seat), what: 0, act: UNISON, lasts: TURN };
    if d.uses(&used) > 0 && d.applies(zx!("1029.1b", Limit), |_| "このターンはもうユニゾンしている".into())
    {
        return impossible(d);
    }
    let body = match name {
        Some(name) => called(d, seat, name)?,
        None => cards.first().copied(),
    };
    if !d.on(zx!("1029.1")) || d.forbidden(&super::text::would(UNISON, body, seat)) {
        return impossible(d);
    }
    let hand = zone("手札", seat);
    let body = body.filter(|c| d.t.is_now(*c) && d.t.obj(c.id).zone == hand);
    let player = player_card(d, seat);
    let extra = player.and_then(|p| d.t.ids().find(|id| d.t.obj(*id).host == Some((EXTRA, p.id))));
    let (Some(body), Some(player), Some(extra)) = (body.filter(|c| is_kind(d, *c, "ゼクス")), player, extra) else {
        return impossible(d);
    };
    if !d.t.obj(extra).face_up {
        return d
            .undecided("裏向きのプレイヤー エクストラとユニゾンできるか", &["zx:1029.1", "zx:915.1", "zx:202.10b"]);
    }
    let free = |d: &mut Duel, z: &ZoneId| player_square(*z) != Some(seat.other()) && !has_zx(d, *z) && !blocked(d, *z);
    let squares: Vec<Thing> = schema().board().filter(|z| free(d, z)).map(Thing::Zone).collect();
    if squares.is_empty() {
        return impossible(d);
    }
    let cite: &'static Cite = zx!("1029.1");
    let asks = Asks::Choose { of: squares, min: 1, max: 1 };
    let Some(Thing::Zone(square)) = d.pick(Question::new(seat, Word("スクエア"), asks).citing(cite))?.first().copied()
    else {
        return impossible(d);
    };
    let mut events = Vec::new();
    for (card, host) in [(body, None), (d.t.now(extra), Some((UNISON, body.id))), (player, Some((UNISON, body.id)))] {
        let mut event = d.moving(card, square).by(by_effect(ctx)).seat(seat);
        event.what = What::Move { to: square, bottom: false, state: 0, face_up: true, controller: Some(seat), host };
        from_nowhere(d, &mut event);
        event.name = Word(if host.is_none() { "登場" } else { "合わせる" });
        if d.forbidden(&event) {
            return impossible(d);
        }
        events.push(event);
    }
    let done = d.under(cite, |d| d.propose(events))?;
    if done.happened.len() < 3 {
        return d.undecided("合わせる一部だけが置き換えられたユニゾン", &["zx:1029.4", "zx:812.1"]);
    }
    d.note_use(used);
    d.happen(vec![Event::about(Word("ユニゾン"), d.t.now(body.id)).seat(seat)])?;
    Ok(true)
}

/// 915.1: whose Z/X has left the squares.
pub fn parted(d: &Duel) -> Option<Seat> {
    let lost = |card: &Obj| card.host.is_some_and(|(how, h)| how == UNISON && !is_square(d.t.obj(h).zone));
    let first = lying(&d.t).filter(|id| lost(d.t.obj(*id))).min();
    first.map(|id| d.t.obj(id).owner).filter(|_| d.on(zx!("915.1", Check)))
}

/// 915.1, 915.2: the player extra lies on the player card again, on the player square, rebooted, as new cards.
pub fn part(d: &mut Duel, seat: Seat) -> Flow {
    let home = schema().board().find(|z| player_square(*z) == Some(seat)).expect("everyone has a player square");
    let of_unison = |id: &CardId| d.t.obj(*id).owner == seat && d.t.obj(*id).host.is_some_and(|(how, _)| how == UNISON);
    let parts: Vec<CardId> = d.t.ids().filter(of_unison).collect();
    let player = parts.iter().copied().find(|id| !is_kind(d, d.t.now(*id), "プレイヤー エクストラ"));
    let mut events = Vec::new();
    for id in parts {
        let host = player.filter(|p| *p != id).map(|p| (EXTRA, p));
        let mut event = d.moving(d.t.now(id), home).seat(seat);
        event.name = Word("分かれる");
        event.what = What::Move { to: home, bottom: false, state: 0, face_up: true, controller: Some(seat), host };
        if d.applies(zx!("915.2", Check), |_| "ユニゾン状態のゼクスに適用されていた効果は失われる".into())
        {
            event.from = Some(super::places::limbo());
        }
        events.push(event);
    }
    d.under(zx!("915.1", Check), |d| d.happen(events))
}
