//! Cards that are one card together: 202.8, 1016 shift; 202.10, 910, 1024 player extra; 202.7, 912, 1015 overboost.
//! Unison is in [`super::unison`].

use std::sync::Arc;

use super::acts::by_effect;
use super::places::{blocked, has_zx, is_kind, is_square, player_card, player_square, squares, zone};
use super::schema::{COLOUR, CRISIS, KIND, PLUS, at, schema};
use crate::card::{Ability, Word};
use crate::kernel::eyes::pattern_names;
use crate::kernel::view::Data;
use crate::kernel::{
    Asks, CardId, Cause, Cite, Ctx, Duel, Event, Flow, Means, Obj, Question, Ref, Seat, Seen, Table, Thing, What,
    ZoneId,
};

pub const SHIFT: Word = Word("シフト");
pub const EXTRA: Word = Word("プレイヤー エクストラ");
pub const BOOST: Word = Word("オーバーブースト");
pub const UNISON: Word = Word("ユニゾン");

/// 910.2: the crisis has been carried out ([`CRISIS`]).
const DONE: i32 = 3;

/// 202.8d–202.8f, 202.10d: what is shared.
pub fn merge(d: &mut Duel, cards: &mut [Arc<Seen>]) -> Vec<CardId> {
    let mut gained = Vec::new();
    let on_squares = laid(&d.t);
    for &id in &on_squares {
        let t = &d.t;
        let Some((how, host)) = t.obj(id).host.filter(|_| t.obj(id).face_up) else { continue };
        let shared = cards[id.0 as usize].clone();
        if (how == UNISON || how == EXTRA) && super::unison::share(&mut cards[host.0 as usize], &shared, t.obj(id).def)
        {
            gained.push(host);
        }
        if how == SHIFT {
            let plus = |what: &str| shared.words(const { at(PLUS) }).iter().any(|w| *w == what);
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
                carrier.abilities.extend(shared.abilities.iter().map(|a| of_part(a, t.obj(id).def)));
                carrier.recount();
                gained.push(host);
            }
            // One card, so its text works once.
            let own = Arc::make_mut(&mut cards[id.0 as usize]);
            own.abilities.clear();
            own.recount();
            d.trace.reach(zx!("202.8a", Frame));
        }
        // 202.10c, 202.10d: one card, which is of both kinds.
        if how == EXTRA {
            let whole = Arc::make_mut(&mut cards[host.0 as usize]);
            join_words(whole, const { at(KIND) }, shared.words(const { at(KIND) }));
            let under = cards[host.0 as usize].clone();
            let top = Arc::make_mut(&mut cards[id.0 as usize]);
            join_names(top, &under.names);
            join_words(top, const { at("プレイヤー名") }, under.words(const { at("プレイヤー名") }));
        }
    }
    player_names(d, cards, &on_squares);
    gained
}

/// The cards on squares that lie with others, in the order of set-up: all that are parts of one card with others.
pub(super) fn laid(t: &Table) -> Vec<CardId> {
    let mut found: Vec<CardId> = lying(t).collect();
    found.sort_unstable();
    found
}

/// The same, square by square.
pub(super) fn lying(t: &Table) -> impl Iterator<Item = CardId> {
    squares().flat_map(|z| t.zone(z)).copied().filter(|id| t.obj(*id).host.is_some())
}

/// An ability of a part as one of the whole: told apart from the whole's own.
pub(super) fn of_part(ability: &Arc<Ability>, def: u16) -> Arc<Ability> {
    Arc::new(Ability { id: ability.id.wrapping_add((u32::from(def) % 1000 + 1) << 20), ..(**ability).clone() })
}

/// 202.7d: an overboost without a player name has that of the player card that lies face down with it, or its name.
fn player_names(d: &mut Duel, cards: &mut [Arc<Seen>], on_squares: &[CardId]) {
    let cite = zx!("202.7d", Meaning);
    for &id in on_squares {
        let t = &d.t;
        let Some((how, host)) = t.obj(id).host.filter(|_| !t.obj(id).face_up) else { continue };
        let player = cards[id.0 as usize].words(const { at(KIND) }).iter().any(|k| *k == "プレイヤー");
        let whole = &cards[host.0 as usize];
        if how != BOOST || !player || !whole.words(const { at("プレイヤー名") }).is_empty() {
            continue;
        }
        d.trace.reach(cite);
        if !d.on(cite) {
            continue;
        }
        let own = cards[id.0 as usize].words(const { at("プレイヤー名") });
        let names = if own.is_empty() { cards[id.0 as usize].names.clone() } else { own.to_vec().into() };
        Arc::make_mut(&mut cards[host.0 as usize]).data[const { at("プレイヤー名") }] = Data::Words(names);
    }
}

/// 202.8d: a shift on a square that lies on no card.
pub fn shift_alone(d: &mut Duel) -> Option<Ref> {
    let on_squares: Vec<Ref> = squares().flat_map(|z| d.t.zone(z).to_vec()).map(|id| d.t.now(id)).collect();
    on_squares.into_iter().find(|r| d.t.obj(r.id).host.is_none() && is_kind(d, *r, "シフト"))
}

/// 202.8d: a shift lies on a card that its text names.
pub fn may_lie(d: &mut Duel, card: Ref, host: Option<(Word, CardId)>) -> bool {
    let Some((_, host)) = host.filter(|(how, _)| *how == SHIFT) else { return false };
    let there = d.t.obj(card.id).host == Some((SHIFT, host));
    let who = d.t.obj(card.id).owner;
    there || carriers(d, who, card).iter().any(|r| r.id == host)
}

pub(super) fn join_names(seen: &mut Seen, names: &[Word]) {
    for name in names {
        if !seen.names.contains(name) {
            seen.names.push(*name);
        }
    }
}

pub(super) fn join_words(seen: &mut Seen, at: usize, words: &[Word]) {
    for word in words {
        match &mut seen.data[at] {
            Data::Words(own) if !own.contains(word) => own.push(*word),
            none @ Data::None => *none = Data::Words(vec![*word].into()),
            _ => {}
        }
    }
}

/// What lies on or under a card goes along from square to square; 202.10c: with a player card its extra goes anywhere.
pub fn accompany(d: &mut Duel, events: &mut Vec<Event>) -> Flow {
    let mut along = Vec::new();
    for event in events.iter() {
        let (What::Move { to, .. }, Some(card), Some(from)) = (&event.what, event.card, event.from) else { continue };
        if !is_square(from) || from == *to {
            continue;
        }
        for id in d.t.zone(from).to_vec() {
            let Some((how, host)) = d.t.obj(id).host.filter(|(_, h)| *h == card.id) else { continue };
            let (state, face_up, owner) = (d.t.obj(id).state, d.t.obj(id).face_up, d.t.obj(id).owner);
            if is_square(*to) {
                let mut go = d.moving(d.t.now(id), *to).by(event.cause);
                go.what =
                    What::Move { to: *to, bottom: false, state, face_up, controller: None, host: Some((how, host)) };
                along.push(go);
            } else if how == EXTRA && face_up {
                if !d.applies(zx!("202.10c", Limit), |_| "合わせて1枚のカードとして移動する".into()) {
                    continue;
                }
                let to = d.book.home(Word(schema().spec(*to).name), owner).unwrap_or(*to);
                along.push(d.moving(d.t.now(id), to).by(event.cause));
            } else if is_kind(d, card, "プレイヤー") && (how == EXTRA || how == BOOST) {
                return d.undecided(
                    "スクエアを離れたプレイヤーカードと裏同士で合わせてあったカードの行き先を定める条がない",
                    &["zx:402.1b", "zx:909.1"],
                );
            }
        }
    }
    events.extend(along);
    Ok(())
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
    let all: Vec<Ref> = squares().flat_map(|z| d.t.zone(z).to_vec()).map(|id| d.t.now(id)).collect();
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

/// 1016.1, 1016.3: an effect shifts cards from the dynamis, each onto a card of its own; where there are not enough such
/// cards, its controller says which are shifted.
pub fn shift_by_effect(d: &mut Duel, who: Seat, cards: &[Ref]) -> Flow<bool> {
    let mut left: Vec<Ref> = cards.iter().copied().filter(|c| d.t.is_now(*c)).collect();
    let apart = left.len() > 1
        && d.applies(zx!("1016.3", Limit), |_| "同時にシフトするカードは1枚ずつ別々のカードにシフトする".into());
    let mut free: Vec<Vec<Ref>> = Vec::new();
    for card in &left {
        free.push(carriers(d, who, *card));
    }
    let most = if apart { matched(&free) } else { free.iter().filter(|f| !f.is_empty()).count() };
    if most < left.len() && most > 0 {
        let possible: Vec<usize> = (0..left.len()).filter(|i| !free[*i].is_empty()).collect();
        let of = possible.iter().map(|i| Thing::Card(left[*i])).collect();
        let question = Question::new(who, Word("シフトするカード"), Asks::Choose { of, min: most, max: most });
        let chosen = d.pick(question.citing(zx!("1016.3", Limit)))?;
        let chosen: Vec<Ref> =
            chosen.into_iter().filter_map(|t| if let Thing::Card(r) = t { Some(r) } else { None }).collect();
        free = chosen.iter().map(|c| free[left.iter().position(|l| l == c).expect("one of them")].clone()).collect();
        left = chosen;
    }
    let mut any = false;
    for (at, card) in left.iter().copied().enumerate() {
        // Of those that leave the others one each, as far as that can be.
        let rest = &free[at + 1..];
        let without = |host: &Ref| -> Vec<Vec<Ref>> {
            rest.iter().map(|f| f.iter().copied().filter(|r| r != host).collect()).collect()
        };
        let found: Vec<Ref> = free[at].clone();
        let best = found.iter().map(|h| matched(&without(h))).max().unwrap_or(0);
        let of: Vec<Thing> =
            found.iter().filter(|h| !apart || matched(&without(h)) == best).map(|h| Thing::Card(*h)).collect();
        if of.is_empty() {
            continue;
        }
        let question = Question::new(who, Word("シフト先"), Asks::Choose { of, min: 1, max: 1 });
        let question = question.citing(zx!("1016.1", Frame)).about(Some(card));
        let Some(Thing::Card(host)) = d.pick(question)?.first().copied() else { continue };
        if apart {
            free.iter_mut().for_each(|f| f.retain(|r| *r != host));
        }
        let from = d.t.obj(card.id).zone;
        any |= lay(d, who, card, host, from, Cause { means: Means::Effect, card: Some(card), seat: Some(who) })?;
    }
    Ok(any)
}

/// How many can have one of theirs each.
fn matched(free: &[Vec<Ref>]) -> usize {
    let all: Vec<Ref> = free.iter().flatten().copied().collect();
    crate::game::matching::met(&vec![1; free.len()], &vec![1; all.len()], |card, host| {
        // Each host counts once: where it stands first.
        free[card].contains(&all[host]) && all[..host].iter().all(|r| *r != all[host])
    })
}

/// 202.7e, 604.3d: who has an overboost on the squares takes no damage. 1029.3: nor from enemy cards in unison.
pub fn spared(d: &mut Duel, seat: Seat, cause: Cause) -> Flow<bool> {
    let unison = super::unison::of(d, seat).is_some() && cause.seat == Some(seat.other());
    if unison && d.applies(zx!("1029.3", Limit), |_| "ユニゾン状態のゼクスがあるのでダメージを受けない".into())
    {
        return Ok(true);
    }
    if boost(d, seat).is_none() {
        return Ok(false);
    }
    let cite = if cause.means == Means::Battle { zx!("604.3d", Limit) } else { zx!("202.7e", Limit) };
    Ok(d.applies(cite, |_| "ゼクス オーバーブーストがあるのでダメージを受けない".into()))
}

/// 202.7f: the player card that is a part of an overboost suffers no effect and pays for nothing. Where the whole card
/// goes it goes along.
pub fn is_away(d: &mut Duel, card: Ref, event: &Event) -> bool {
    let part = d.t.obj(card.id).host.is_some_and(|(how, host)| how == BOOST && is_square(d.t.obj(host).zone));
    let along = matches!(event.what, What::Move { host: Some((how, _)), .. } if how == BOOST);
    let acted_on = matches!(event.cause.means, Means::Effect | Means::Cost);
    part && !along && acted_on && boost(d, d.t.obj(card.id).owner).is_some()
}

/// The overboost that the player has on the squares.
pub fn boost(d: &mut Duel, seat: Seat) -> Option<Ref> {
    super::places::bodies(d)
        .into_iter()
        .find(|r| is_kind(d, *r, "ゼクス オーバーブースト") && d.glance(*r).controller == seat)
}

/// The card that lies face down under or on the player card in that way.
fn with_player(d: &mut Duel, seat: Seat, how: Word) -> Option<Ref> {
    let player = player_card(d, seat)?;
    d.t.ids().find(|id| d.t.obj(*id).host == Some((how, player.id))).map(|id| d.t.now(id))
}

/// 1015.1–1015.3: the player card is turned over, the lower part shown, and with the upper part of the same name from
/// the dynamis it comes to a square as one Z/X. Our object for it is the upper part; the others lie under it.
/// `name`: what the name of the Z/X must have in it.
pub fn igob(d: &mut Duel, ctx: &Ctx, seat: Seat, name: Option<Word>) -> Flow<bool> {
    let Some(wanted) = name else {
        return d
            .unwritten("どの名を含むゼクスになるかを言わないIGOB（名を入れたスロットを what に書く）", &["zx:1015.1"]);
    };
    let (Some(player), Some(lower)) = (player_card(d, seat), with_player(d, seat, BOOST)) else {
        d.trace.reach(zx!("1015.3", Frame));
        return Ok(false);
    };
    if d.forbidden(&super::text::would(Word("IGOB"), None, seat)) {
        d.trace.reach(zx!("1015.3", Frame));
        return Ok(false);
    }
    let names = d.seen(lower).names.clone();
    let called = names.iter().any(|n| n.contains(wanted.as_str()));
    if !called && d.applies(zx!("1015.1"), |_| format!("下部のカード名に「{wanted}」が含まれないのでIGOBできない"))
    {
        d.trace.reach(zx!("1015.3", Frame));
        return Ok(false);
    }
    let upper: Vec<Ref> = d.t.zone(zone("デュナミス", seat)).iter().map(|id| d.t.now(*id)).collect();
    let mut of = Vec::new();
    for card in upper {
        if is_kind(d, card, "ゼクス オーバーブースト") && d.seen(card).names.iter().any(|n| names.contains(n))
        {
            of.push(Thing::Card(card));
        }
    }
    let free = |d: &mut Duel, z: &ZoneId| player_square(*z) != Some(seat.other()) && !has_zx(d, *z) && !blocked(d, *z);
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
        from_nowhere(d, &mut event);
        event.name = if host.is_none() { Word("登場") } else { Word("合わせる") };
        events.push(event);
    }
    // 303.6 speaks of moving a player card; this makes another card of it.
    let done = d.under(cite, |d| d.propose(events))?;
    if done.happened.len() < 3 {
        d.trace.reach(zx!("1015.3", Frame));
        d.take_back(saved);
        return Ok(false);
    }
    d.happen(vec![Event::about(Word("IGOB"), d.t.now(top.id)).seat(seat)])?;
    Ok(true)
}

/// 1007.5a: a card made of several has come from no zone. So what lay on its parts is gone (1015.2, 1029.2).
pub(super) fn from_nowhere(d: &mut Duel, event: &mut Event) {
    if d.applies(zx!("1007.5a", Meaning), |_| "2枚以上を合わせたカードは登場前のゾーンの情報を持たない".into())
    {
        event.from = Some(super::places::limbo());
    }
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
        // What lay on the overboost is gone: the player card is a new card.
        if d.applies(zx!("912.2", Check), |_| "ゼクス オーバーブーストに適用されていた効果は失われる".into())
        {
            event.from = Some(super::places::limbo());
        }
        events.push(event);
    }
    let all = events.len();
    let done = d.under(zx!("912.1", Check), |d| d.propose(events))?;
    if done.happened.len() < all {
        let by = done.denied.first().map(|cite| cite.id());
        let clauses: Vec<&str> = std::iter::once("zx:912.1").chain(by.as_deref()).collect();
        return d.undecided("分かれるゼクス オーバーブーストの部品が、置かれるべき場所に移れない", &clauses);
    }
    Ok(())
}

/// The player extras that lie face down and may be turned over by their crisis.
fn waiting(d: &mut Duel) -> Vec<Ref> {
    let lies = |card: &Obj| !card.face_up && card.host.is_some_and(|h| h.0 == EXTRA);
    let mut found: Vec<Ref> = Vec::new();
    // All the time, and mostly nothing is found: cards are counted one by one.
    for square in squares() {
        found.extend(d.t.zone(square).iter().filter(|id| lies(d.t.obj(**id))).map(|id| d.t.now(*id)));
    }
    found.sort_unstable();
    found
}

/// 1024.1, 1024.2a: an event meets the condition of a crisis, or the position does.
pub fn watch(d: &mut Duel, events: &[Event]) {
    for card in waiting(d) {
        let seen = d.seen(card);
        let state = d.t.obj(card.id).facts[CRISIS];
        let slots = Default::default();
        let ctx = Ctx { this: Some(card), seat: seen.controller, slots: &slots, event: None };
        let Some(ability) = seen.abilities.iter().find(|a| a.keyword.as_ref().is_some_and(|k| k.name == "クライシス"))
        else {
            continue;
        };
        // What waits for an event is not met by others, and what was met once stays so.
        let named = |e: &Event| ability.when.iter().any(|p| pattern_names(p, e));
        if state != DONE && !ability.when.is_empty() && !events.iter().any(named) {
            continue;
        }
        let names = ability.keyword.as_ref().map(|k| k.words.clone()).unwrap_or_default();
        let met = d.see(|eyes| {
            let event = ability.when.is_empty()
                || events.iter().any(|e| ability.when.iter().any(|p| eyes.event_fits(&ctx, p, e)));
            event && ability.cond.as_ref().is_none_or(|c| eyes.holds(&ctx, c))
        }) && (names.is_empty() || is_named(d, seen.controller, &names));
        // 910.2: who has been through it is not looked at again.
        if state == DONE && d.on(zx!("910.2", Check)) {
            d.trace.reach(zx!("910.2", Check));
            continue;
        }
        let next = match (met, if state == DONE { 0 } else { state }, ability.when.is_empty()) {
            (true, 0, _) | (true, 2, false) => 1,
            // 910.1a: let go, until the position has been otherwise.
            (false, 2, true) | (false, 1, true) => 0,
            _ => continue,
        };
        *d.aside().card(card.id, CRISIS) = next;
    }
}

/// 1024.2a: the player card is called so.
fn is_named(d: &mut Duel, seat: Seat, names: &[Word]) -> bool {
    let Some(card) = player_card(d, seat) else { return false };
    let seen = d.seen(card);
    let own = seen.words(const { at("プレイヤー名") });
    if names.iter().any(|name| seen.names.iter().any(|n| n.contains(name.as_str())) || own.contains(name)) {
        return true;
    }
    // Reading C8: the name that is asked for has the player name in it.
    let longer = names.iter().any(|name| own.iter().any(|o| name.contains(o.as_str())));
    longer && d.reading(zx!("C8", Reading), "a") == "b"
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
        let up = Event { what: What::Face { up: true }, ..Event::about(Word("クライシス"), card).seat(seat) };
        if !d.forbidden(&up) && d.yes(seat, Word("クライシス"), Some(card))? {
            d.under(zx!("910.1a", Frame), |d| d.happen(vec![up]))?;
            *d.aside().card(card.id, CRISIS) = DONE;
        } else {
            d.cites(zx!("910.1a"), |_| "満たしていた条件は失われる".into());
            *d.aside().card(card.id, CRISIS) = 2;
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
