//! 306.2, 314: piles of entity and stock; 314.2a: the way back to the extra deck; 1020: 結魂.

use super::schema::{NOWHERE, OPEN, TOKEN, at};
use super::zones::{Own, caster, entities, in_play, is, is_kind, is_token, stock, zone};
use crate::card::{Datum, Word};
use crate::kernel::view::Data;
use crate::kernel::{Asks, CardId, Cause, Duel, Event, Flow, Question, Ref, Seat, Seen, Table, Thing, What};

pub const STOCK: Word = Word("ストック");

/// 314.1: stock goes along to a zone of the same kind, and to the graveyard otherwise.
pub fn accompany(d: &mut Duel, events: &mut Vec<Event>) -> Flow {
    let mut more = Vec::new();
    for event in events.iter() {
        let (Some(card), to) = (
            event.card,
            match &event.what {
                What::Move { to, .. } | What::Control { to, .. } => *to,
                _ => continue,
            },
        ) else {
            continue;
        };
        let from = d.t.obj(card.id).zone;
        if !in_play(from) || d.t.obj(card.id).host.is_some() {
            continue;
        }
        for under in stock(d, card.id) {
            if events.iter().any(|e| e.card == Some(under)) {
                continue;
            }
            let girls = is(from, Own::Girls);
            let stays = if girls { is(to, Own::Girls) } else { is(to, Own::Monsters) };
            let cite = match (girls, stays) {
                (false, true) => msd!("314.1a"),
                (false, false) => msd!("314.1b"),
                (true, true) => msd!("314.1c"),
                (true, false) => msd!("314.1d"),
            };
            if !d.applies(cite, |d| format!("{}のストックも動く", d.card_name(card))) {
                continue;
            }
            let owner = d.t.obj(under.id).owner;
            let to = if stays { to } else { zone(Own::Graveyard, owner) };
            let (state, up) = (d.t.obj(under.id).state, d.t.obj(under.id).face_up);
            let mut along = d.moving(under, to).by(Cause::RULE);
            // Under a card that becomes stock itself, all of them lie under the same entity (306.2).
            let entity = match &event.what {
                What::Move { host: Some((_, host)), .. } => *host,
                _ => card.id,
            };
            let host = stays.then_some((STOCK, entity));
            along.what = What::Move { to, bottom: false, state, face_up: up || !stays, controller: None, host };
            more.push(along);
        }
    }
    events.extend(more);
    Ok(())
}

/// 314.2: printed as a 神 or a 結魂怪異.
pub fn belongs_to_extra(d: &Duel, card: Ref) -> bool {
    let data = &d.card(card).data;
    let has = |key: &str, word: &str| {
        let datum = data.iter().find(|(k, _)| **k == key).map(|(_, v)| v);
        matches!(datum, Some(Datum::Words(words)) if words.iter().any(|w| *w == word))
    };
    has("種類", "神") || has("汎用タイプ", "結魂")
}

/// 314.2a: it touches the zone and goes on to the extra deck at once.
pub fn back_to_extra(d: &mut Duel, events: &[Event]) -> Flow {
    for event in events.iter().filter(|e| e.is_move()) {
        let Some(card) = event.after.filter(|c| d.t.is_now(*c)) else { continue };
        let at = d.t.obj(card.id).zone;
        let sent = [Own::Deck, Own::Hand, Own::Girls, Own::Orbs].into_iter().any(|own| is(at, own));
        if !sent || d.t.obj(card.id).host.is_some() || !belongs_to_extra(d, card) {
            continue;
        }
        // 909.6: what is printed counts, whatever effects make of it.
        d.trace.reach(msd!("909.6", Frame));
        let to = zone(Own::Extra, d.t.obj(card.id).owner);
        d.step(msd!("314.2a"), |d| {
            let mut event = d.moving(card, to);
            event.what = What::Move { to, bottom: false, state: 0, face_up: false, controller: None, host: None };
            d.happen(vec![event])
        })?;
    }
    Ok(())
}

/// 1302.3a, 314.2a: tokens and what belongs into the extra deck touch a pile and are gone at once.
pub fn passes_through(d: &Duel, event: &Event) -> bool {
    let (Some(card), Some(to)) = (event.card, event.to) else { return false };
    let token = is_token(&d.t, card) && d.on(msd!("1302.3a"));
    let hidden = is(to, Own::Deck) || is(to, Own::Orbs);
    token || hidden && belongs_to_extra(d, card) && d.on(msd!("314.2a"))
}

/// The name that a （名称）トークン bears; the coin is no such token (403.6a).
fn token_name(name: Word) -> Option<Word> {
    let own = name.strip_suffix("トークン").map(|own| own.trim_end_matches('・'))?;
    (!own.is_empty() && name != super::setup::COIN).then(|| Word::new(own))
}

/// 1302.1b: a token of which nothing else is said is a 怪異; 1302.1d: its name is its race.
pub fn token_of_name(seen: &mut Seen) {
    let Some(own) = token_name(seen.name()) else { return };
    seen.names = vec![own].into();
    if seen.words(at::KIND).is_empty() {
        seen.data[at::KIND] = Data::Words(vec![Word("怪異")].into());
    }
    if seen.data[at::RACE] == Data::None {
        seen.data[at::RACE] = Data::Words(vec![own].into());
    }
}

fn is_token_named(name: Word) -> bool {
    name == super::setup::COIN || token_name(name).is_some()
}

/// Tokens that lie on a table that was written down.
pub fn tokens_lie(t: &mut Table, printed: &dyn Fn(u16) -> std::sync::Arc<crate::card::Card>) {
    for card in t.cards.iter_mut().filter(|card| in_play(card.zone) && is_token_named(printed(card.def).name)) {
        card.facts[TOKEN] = 1;
    }
}

/// Tokens that lie on the table when it is set up.
pub fn know_tokens(d: &mut Duel) {
    let is_one = |id: &CardId| in_play(d.t.obj(*id).zone) && is_token_named(d.card(d.t.now(*id)).name);
    for id in d.t.ids().filter(is_one).collect::<Vec<_>>() {
        *d.aside().card(id, TOKEN) = 1;
    }
}

/// 1302.3a: a token that has left the battlefield vanishes where it went, after having been there.
pub fn tokens_vanish(d: &mut Duel, events: &[Event]) -> Flow {
    for event in events.iter().filter(|e| e.is_move()) {
        let Some(card) = event.after.filter(|c| d.t.is_now(*c) && is_token(&d.t, *c)) else { continue };
        let at = d.t.obj(card.id).zone;
        if in_play(at) || at == NOWHERE {
            continue;
        }
        d.step(msd!("1302.3a"), |d| {
            let mut event = d.moving(card, NOWHERE);
            event.name = Word("消滅");
            event.what =
                What::Move { to: NOWHERE, bottom: false, state: 0, face_up: false, controller: None, host: None };
            d.happen(vec![event])
        })?;
    }
    Ok(())
}

/// The card answers to the name: its own, or that of its caster (202.4a).
pub fn named(seen: &Seen, name: Word) -> bool {
    seen.names.contains(&name)
}

/// A 魔法少女 by its front, whichever way it lies.
pub fn is_printed_girl(d: &Duel, card: Ref) -> bool {
    let kind = d.card(card).data.get(&Word("種類"));
    matches!(kind, Some(Datum::Words(w)) if w.iter().any(|w| *w == "魔法少女"))
}

/// What is printed on the front, whichever way it lies.
pub fn front_named(d: &Duel, card: Ref, name: Word) -> bool {
    let own = super::zones::printed_name(d.card(card));
    own == name || is_printed_girl(d, card) && super::zones::caster_name(own) == name
}

/// 1020.1: one card for each material, from hand, entities in the zone of the 魔法少女, or their stock.
fn candidates(d: &mut Duel, seat: Seat, name: Word) -> Vec<Ref> {
    let mut all: Vec<Ref> = d.t.zone(zone(Own::Hand, seat)).iter().map(|id| d.t.now(*id)).collect();
    let girls = zone(Own::Girls, seat);
    let tops: Vec<CardId> = d.t.zone(girls).iter().copied().filter(|id| d.t.obj(*id).host.is_none()).collect();
    for top in tops {
        all.push(d.t.now(top));
        all.extend(stock(d, top));
    }
    let mut found = Vec::new();
    for card in all {
        let down = in_play(d.t.obj(card.id).zone) && !d.t.obj(card.id).face_up;
        let fits = if down {
            // Reading C20: by its front, which is then shown.
            front_named(d, card, name) && d.reading(msd!("C20", Reading), "a") != "b"
        } else {
            named(&d.seen(card), name)
        };
        if fits {
            found.push(card);
        }
    }
    found
}

/// 1020: only with all the materials, which then lie under it.
pub fn fuse(d: &mut Duel, card: Ref, seat: Seat, cause: Cause) -> Flow<bool> {
    let names = d.seen(card).words(at::MATERIAL).to_vec();
    let mut chosen: Vec<Ref> = Vec::new();
    for name in &names {
        let of: Vec<Thing> =
            candidates(d, seat, *name).into_iter().filter(|c| !chosen.contains(c)).map(Thing::Card).collect();
        if of.is_empty() {
            d.cites(msd!("1020.1", Meaning), |_| format!("素材「{name}」がないので結魂できない"));
            return Ok(false);
        }
        // 1012.2: among cards that the opponent does not see it need not be found.
        let hidden =
            |t: &Thing| matches!(t, Thing::Card(c) if !d.t.obj(c.id).face_up || is(d.t.obj(c.id).zone, Own::Hand));
        let min = usize::from(!of.iter().all(hidden));
        let question = Question::new(seat, Word("素材"), Asks::Choose { of, min, max: 1 }).about(Some(card));
        let picked = d.pick(question.citing(msd!("1020.1", Meaning)))?;
        if picked.is_empty() {
            return Ok(false);
        }
        chosen.extend(picked.iter().filter_map(|t| if let Thing::Card(r) = t { Some(*r) } else { None }));
    }
    if names.is_empty() {
        return Ok(false);
    }
    d.step(msd!("1020.1a"), |d| {
        for material in &chosen {
            d.aside().reveal(material.id, true);
        }
        Ok(())
    })?;
    let to = zone(Own::Monsters, seat);
    let mut event = d.moving(card, to).by(cause).seat(seat);
    event.how = Word("結魂");
    event.what = What::Move { to, bottom: false, state: OPEN, face_up: true, controller: Some(seat), host: None };
    if d.forbidden(&event) {
        return Ok(false);
    }
    let mut events = vec![event];
    for material in chosen {
        let mut event = d.moving(material, to).by(cause).seat(seat);
        event.what = What::Move {
            to,
            bottom: false,
            state: 0,
            face_up: true,
            controller: Some(seat),
            host: Some((STOCK, card.id)),
        };
        events.push(event);
    }
    d.trace.reach(msd!("1020.1", Meaning));
    let done = d.propose(events)?;
    Ok(done.happened.iter().any(|e| e.card == Some(card)))
}

/// 504.1c: the card is laid on another, which becomes its stock with all that lay under it.
pub fn lay_over(d: &mut Duel, card: Ref, base: Ref, seat: Seat, cause: Cause) -> Flow<bool> {
    let saved = d.t.clone();
    let state = d.t.obj(base.id).state;
    let under: Vec<CardId> = stock(d, base.id).iter().map(|r| r.id).chain([base.id]).collect();
    for id in under {
        d.lay_with(id, Some((STOCK, card.id)));
    }
    let to = zone(Own::Girls, seat);
    let mut event = d.moving(card, to).by(cause).seat(seat);
    event.how = Word("レベルアップ");
    event.what = What::Move { to, bottom: false, state, face_up: true, controller: Some(seat), host: None };
    let done = d.propose_one(event)?;
    if !done.any() {
        d.take_back(saved);
    }
    Ok(done.any())
}

/// 504.1c, 504.1c-i: what a 魔法少女 of level 2 or more can be laid over.
pub fn bases(d: &mut Duel, card: Ref, seat: Seat) -> Vec<Ref> {
    let seen = d.seen(card);
    let (name, level) = (caster(&seen), seen.number(at::LEVEL).unwrap_or(0));
    if level < 2 || !is_kind(&seen, "魔法少女") || name.is_none() {
        return Vec::new();
    }
    let girls = entities(d, seat, "魔法少女");
    let same = girls.iter().any(|g| caster(&d.seen(*g)) == name);
    let many = seen.has("複数支配");
    let mut found = Vec::new();
    for girl in girls {
        let under = d.seen(girl);
        let down = !d.t.obj(girl.id).face_up;
        let fits = match down {
            false => caster(&under) == name && under.number(at::LEVEL) == Some(level.saturating_sub(1)),
            true => level == 2 && (!same || many) && d.on(msd!("504.1c-i", Meaning)),
        };
        if fits {
            if down {
                d.trace.reach(msd!("504.1c-i", Meaning));
            }
            found.push(girl);
        }
    }
    found
}
