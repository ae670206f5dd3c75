//! Cards that are one card together: 202.8, 1016 shift; 202.10, 910, 1024 player extra; 202.7, 912, 1015 overboost.
//! Unison (1029, 915) is not written.

use std::sync::Arc;

use super::acts::by_effect;
use super::places::{has_zx, is_kind, is_square, player_card, player_square, zone};
use super::schema::{COLOUR, CRISIS, KIND, PLUS, at, schema};
use crate::card::Word;
use crate::kernel::view::Data;
use crate::kernel::{
    Asks, CardId, Cause, Cite, Ctx, Duel, Event, Flow, Means, Question, Ref, Seat, Seen, Table, Thing, What, ZoneId,
};

pub const SHIFT: Word = Word("シフト");
pub const EXTRA: Word = Word("プレイヤー エクストラ");
pub const BOOST: Word = Word("オーバーブースト");

/// 202.8d–202.8f, 202.10d: what is shared.
pub fn merge(t: &Table, cards: &mut [Arc<Seen>]) -> bool {
    let mut gained = false;
    for id in t.ids() {
        let Some((how, host)) = t.obj(id).host else { continue };
        if !t.obj(id).face_up || !is_square(t.obj(id).zone) {
            continue;
        }
        let shared = cards[id.0 as usize].clone();
        if how == SHIFT {
            let plus = |what: &str| shared.words(at(PLUS)).iter().any(|w| *w == what);
            let carrier = Arc::make_mut(&mut cards[host.0 as usize]);
            if plus("カード名") {
                join_names(carrier, &shared.names);
            }
            for (icon, datum) in [("色", COLOUR), ("種族", "種族")] {
                if plus(icon) {
                    join_words(carrier, at(datum), shared.words(at(datum)));
                }
            }
            if plus("カードテキスト") {
                carrier.abilities.extend(shared.abilities.iter().cloned());
                carrier.recount();
                gained = true;
            }
            // 202.8a: one card, so its text works once.
            let own = Arc::make_mut(&mut cards[id.0 as usize]);
            own.abilities.clear();
            own.recount();
        }
        if how == EXTRA {
            let under = cards[host.0 as usize].clone();
            let top = Arc::make_mut(&mut cards[id.0 as usize]);
            join_names(top, &under.names);
            join_words(top, at("プレイヤー名"), under.words(at("プレイヤー名")));
        }
    }
    gained
}

fn join_names(seen: &mut Seen, names: &[Word]) {
    for name in names {
        if !seen.names.contains(name) {
            seen.names.push(*name);
        }
    }
}

fn join_words(seen: &mut Seen, at: usize, words: &[Word]) {
    for word in words {
        match &mut seen.data[at] {
            Data::Words(own) if !own.contains(word) => own.push(*word),
            none @ Data::None => *none = Data::Words(vec![*word]),
            _ => {}
        }
    }
}

/// What lies on or under a card goes along from square to square.
pub fn accompany(d: &mut Duel, events: &mut Vec<Event>) {
    let mut along = Vec::new();
    for event in events.iter() {
        let (What::Move { to, .. }, Some(card), Some(from)) = (&event.what, event.card, event.from) else { continue };
        if !is_square(from) || !is_square(*to) || from == *to {
            continue;
        }
        for id in d.t.zone(from).to_vec() {
            if let Some((how, host)) = d.t.obj(id).host.filter(|(_, h)| *h == card.id) {
                let (state, face_up) = (d.t.obj(id).state, d.t.obj(id).face_up);
                let mut go = d.moving(d.t.now(id), *to).by(event.cause);
                go.what =
                    What::Move { to: *to, bottom: false, state, face_up, controller: None, host: Some((how, host)) };
                along.push(go);
            }
        }
    }
    events.extend(along);
}

/// 806.1c, 202.8c: the cards a shift may be laid on.
pub fn carriers(d: &mut Duel, who: Seat, card: Ref) -> Vec<Ref> {
    let Some(keyword) = d.seen(card).keyword("剣臨器").cloned() else { return Vec::new() };
    let filter = keyword.filter.unwrap_or_default();
    let slots = Default::default();
    let ctx = Ctx { this: Some(card), seat: who, slots: &slots, event: None };
    let mut found = d.see(|eyes| eyes.select(&ctx, &filter));
    found.retain(|r| is_square(d.t.obj(r.id).zone) && d.t.obj(r.id).face_up && d.t.obj(r.id).host.is_none());
    found
}

/// 202.8c: the player has a shift on the squares.
pub fn has_shift(d: &mut Duel, who: Seat) -> bool {
    let all: Vec<Ref> = schema().board().flat_map(|z| d.t.zone(z).to_vec()).map(|id| d.t.now(id)).collect();
    all.into_iter().any(|r| is_kind(d, r, "シフト") && d.t.obj(r.id).controller == who)
}

/// 806.3d, 1016.1, 1016.2: the shift is laid on the card.
pub fn lay(d: &mut Duel, who: Seat, card: Ref, host: Ref, from: ZoneId, cause: Cause) -> Flow<bool> {
    if !d.t.is_now(host) || !is_square(d.t.obj(host.id).zone) {
        return Ok(false);
    }
    let to = d.t.obj(host.id).zone;
    let mut event = d.moving(card, to).by(cause).seat(who);
    event.name = Word("シフト");
    event.from = Some(from);
    event.what =
        What::Move { to, bottom: false, state: 0, face_up: true, controller: Some(who), host: Some((SHIFT, host.id)) };
    d.under(zx!("1016.1", Frame), |d| Ok(d.propose_one(event)?.any()))
}

/// 1016.1: an effect shifts a card from the dynamis.
pub fn shift_by_effect(d: &mut Duel, who: Seat, cards: &[Ref]) -> Flow<bool> {
    let Some(card) = cards.first().copied().filter(|c| d.t.is_now(*c)) else { return Ok(false) };
    let of: Vec<Thing> = carriers(d, who, card).into_iter().map(Thing::Card).collect();
    if of.is_empty() || has_shift(d, who) {
        return Ok(false);
    }
    let question =
        Question::new(who, Word("シフト先"), Asks::Choose { of, min: 1, max: 1 }).citing(zx!("1016.1", Frame));
    let Some(Thing::Card(host)) = d.pick(question)?.first().copied() else { return Ok(false) };
    let from = d.t.obj(card.id).zone;
    lay(d, who, card, host, from, Cause { means: Means::Effect, card: Some(card), seat: Some(who) })
}

/// 202.7e, 604.3d: who has an overboost on the squares takes no damage. 1029.3: nor from enemy cards in unison.
pub fn spared(d: &mut Duel, seat: Seat, cause: Cause) -> Flow<bool> {
    if boost(d, seat).is_none() {
        return Ok(false);
    }
    let cite = if cause.means == Means::Battle { zx!("604.3d", Limit) } else { zx!("202.7e", Limit) };
    Ok(d.applies(cite, |_| "ゼクス オーバーブーストがあるのでダメージを受けない".into()))
}

/// The overboost that the player has on the squares.
pub fn boost(d: &mut Duel, seat: Seat) -> Option<Ref> {
    super::places::bodies(d)
        .into_iter()
        .find(|r| is_kind(d, *r, "ゼクス オーバーブースト") && d.seen(*r).controller == seat)
}

/// The card that lies face down under or on the player card in that way.
fn with_player(d: &mut Duel, seat: Seat, how: Word) -> Option<Ref> {
    let player = player_card(d, seat)?;
    d.t.ids().find(|id| d.t.obj(*id).host == Some((how, player.id))).map(|id| d.t.now(id))
}

/// 1015.1–1015.3: the player card is turned over, the lower part shown, and with the upper part of the same name from
/// the dynamis it comes to a square as one Z/X. Our object for it is the upper part; the others lie under it.
pub fn igob(d: &mut Duel, ctx: &Ctx, seat: Seat) -> Flow<bool> {
    let (Some(player), Some(lower)) = (player_card(d, seat), with_player(d, seat, BOOST)) else {
        d.trace.reach(zx!("1015.3", Frame));
        return Ok(false);
    };
    let names = d.seen(lower).names.clone();
    let upper: Vec<Ref> = d.t.zone(zone("デュナミス", seat)).iter().map(|id| d.t.now(*id)).collect();
    let mut of = Vec::new();
    for card in upper {
        if is_kind(d, card, "ゼクス オーバーブースト") && d.seen(card).names.iter().any(|n| names.contains(n))
        {
            of.push(Thing::Card(card));
        }
    }
    let free = |d: &mut Duel, z: &ZoneId| player_square(*z) != Some(seat.other()) && !has_zx(d, *z);
    let squares: Vec<Thing> = schema().board().filter(|z| free(d, z)).map(Thing::Zone).collect();
    if of.is_empty() || squares.is_empty() || boost(d, seat).is_some() && d.on(zx!("202.7g", Limit)) {
        d.trace.reach(zx!("1015.3", Frame));
        return Ok(false);
    }
    let cite = zx!("1015.1", Frame);
    let pick = |d: &mut Duel, slot, of| -> Flow<Thing> {
        Ok(d.pick(Question::new(seat, slot, Asks::Choose { of, min: 1, max: 1 }).citing(cite))?[0])
    };
    let Thing::Card(top) = pick(d, Word("上部"), of)? else { return Ok(false) };
    let Thing::Zone(square) = pick(d, Word("スクエア"), squares)? else { return Ok(false) };
    let saved = d.t.clone();
    let mut events = Vec::new();
    for (card, face_up, host) in
        [(top, true, None), (lower, false, Some((BOOST, top.id))), (player, false, Some((BOOST, top.id)))]
    {
        let mut event = d.moving(card, square).by(by_effect(ctx)).seat(seat);
        event.what = What::Move { to: square, bottom: false, state: 0, face_up, controller: Some(seat), host };
        // 1007.5a: a card made of several came from no zone.
        event.name = if host.is_none() { Word("登場") } else { Word("合わせる") };
        events.push(event);
    }
    // 303.6 speaks of moving a player card; this makes another card of it.
    let done = d.under(cite, |d| d.propose(events))?;
    if done.happened.len() < 3 {
        d.trace.reach(zx!("1015.3", Frame));
        *d.edit() = saved;
        return Ok(false);
    }
    d.happen(vec![Event::about(Word("IGOB"), d.t.now(top.id)).seat(seat)])?;
    Ok(true)
}

/// 912.1: an overboost that is neither on a square nor in the dynamis comes apart.
pub fn come_apart(d: &mut Duel, top: CardId) -> Flow {
    let seat = d.t.obj(top).owner;
    let dynamis = zone("デュナミス", seat);
    let home = schema().board().find(|z| player_square(*z) == Some(seat)).expect("everyone has a player square");
    let parts: Vec<CardId> = d.t.ids().filter(|id| d.t.obj(*id).host == Some((BOOST, top))).collect();
    let player = parts.iter().copied().find(|id| is_kind(d, d.t.now(*id), "プレイヤー"));
    let mut events = Vec::new();
    let mut up = d.moving(d.t.now(top), dynamis);
    up.what = What::Move { to: dynamis, bottom: false, state: 0, face_up: true, controller: None, host: None };
    events.push(up);
    for id in parts {
        let is_player = Some(id) == player;
        let host = if is_player { None } else { player.map(|p| (BOOST, p)) };
        let mut event = d.moving(d.t.now(id), home);
        event.name = Word("分かれる");
        event.what = What::Move { to: home, bottom: false, state: 0, face_up: is_player, controller: Some(seat), host };
        events.push(event);
        // 912.2: what lay on the overboost is gone: the player card is a new card.
        d.edit().obj_mut(id).life += 1;
    }
    let events = events.into_iter().map(|e| Event { card: e.card.map(|c| d.t.now(c.id)), ..e }).collect();
    d.under(zx!("912.1", Check), |d| d.happen(events))
}

/// 1029 is not written.
pub fn unison(d: &mut Duel, _: Seat, _: &[Ref]) -> Flow<bool> {
    d.unwritten("ユニゾン", &["zx:1029.1", "zx:915.1"])
}

/// The player extras that lie face down and may be turned over by their crisis.
fn waiting(d: &mut Duel) -> Vec<Ref> {
    let lies = |id: &CardId| d.t.obj(*id).host.is_some_and(|h| h.0 == EXTRA) && !d.t.obj(*id).face_up;
    d.t.ids().filter(lies).map(|id| d.t.now(id)).collect()
}

/// 1024.1, 1024.2a: an event meets the condition of a crisis, or the position does.
pub fn watch(d: &mut Duel, events: &[Event]) {
    for card in waiting(d) {
        let seen = d.seen(card);
        let state = d.t.obj(card.id).facts[CRISIS];
        let slots = Default::default();
        let ctx = Ctx { this: Some(card), seat: seen.controller, slots: &slots, event: None };
        let Some(ability) =
            seen.abilities.iter().find(|a| a.keyword.as_ref().is_some_and(|k| k.name == "クライシス")).cloned()
        else {
            continue;
        };
        let names = ability.keyword.as_ref().map(|k| k.words.clone()).unwrap_or_default();
        let met = d.see(|eyes| {
            let event = ability.when.is_empty()
                || events.iter().any(|e| ability.when.iter().any(|p| eyes.event_fits(&ctx, p, e)));
            event && ability.cond.as_ref().is_none_or(|c| eyes.holds(&ctx, c))
        }) && (names.is_empty() || is_named(d, seen.controller, &names));
        let next = match (met, state, ability.when.is_empty()) {
            (true, 0, _) | (true, 2, false) => 1,
            // 910.1a: let go, until the position has been otherwise.
            (false, 2, true) | (false, 1, true) => 0,
            _ => continue,
        };
        d.edit().obj_mut(card.id).facts[CRISIS] = next;
    }
}

/// 1024.2a: the player card is called so.
fn is_named(d: &mut Duel, seat: Seat, names: &[Word]) -> bool {
    let Some(card) = player_card(d, seat) else { return false };
    let seen = d.seen(card);
    names.iter().any(|name| {
        seen.names.iter().any(|n| n.contains(name.as_str())) || seen.words(at("プレイヤー名")).contains(name)
    })
}

/// 910.1: those whose condition is met.
pub fn in_crisis(d: &mut Duel) -> Vec<Ref> {
    let cite: &'static Cite = zx!("910.1", Check);
    let found = waiting(d).into_iter().filter(|c| d.t.obj(c.id).facts[CRISIS] == 1).collect();
    if d.on(cite) { found } else { Vec::new() }
}

/// 910.1a, 910.2: its controller may lay it on the player card; declining uses the condition up.
pub fn crisis(d: &mut Duel) -> Flow {
    for card in in_crisis(d) {
        let seat = d.seen(card).controller;
        d.trace.reach(zx!("910.1", Check));
        if d.yes(seat, Word("クライシス"), Some(card))? {
            let up = Event { what: What::Face { up: true }, ..Event::about(Word("クライシス"), card).seat(seat) };
            d.under(zx!("910.1a", Frame), |d| d.happen(vec![up]))?;
        } else {
            d.cites(zx!("910.1a"), |_| "満たしていた条件は失われる".into());
            d.edit().obj_mut(card.id).facts[CRISIS] = 2;
        }
    }
    Ok(())
}

/// 402.1b, 909.1: the class of a card as printed.
pub fn is_printed(card: &crate::card::Card, kind: &str) -> bool {
    card.data.iter().any(|(key, datum)| {
        *key == KIND && matches!(datum, crate::card::Datum::Words(words) if words.iter().any(|w| *w == kind))
    })
}
