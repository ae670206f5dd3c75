//! 1.3.4.2, 2.4.6, 2.4.8, 2.4.14.3, 4.1.30.3: the zones to which a monster can be special summoned.

use super::kinds::{is, printed};
use super::markers::{Link, extra_link, links, pointed_at};
use super::places::{EXTRA_ZONES, in_hand, in_use, main_zones, zone};
use super::schema::{EQUIP, EXTRA_SIDE};
use crate::card::Word;
use crate::kernel::{Asks, Cite, Duel, Flow, Question, Ref, Seat, Table, Thing, ZoneId};

/// The zones for the card once these are gone.
pub fn zones(d: &mut Duel, who: Seat, card: Ref, gone: &[Ref]) -> Vec<ZoneId> {
    let main: Vec<ZoneId> = main_zones(who).into_iter().filter(|z| in_use(d, *z) && is_free(d, *z, gone)).collect();
    if d.t.obj(card.id).zone != zone("エクストラデッキ", who) {
        let cite = ygo!("1.3.4.2", Limit);
        d.trace.reach(cite);
        if d.on(cite) {
            return main;
        }
    }
    let mut found = extra_zones(d, who, card, gone);
    if is_free_to_choose(d, card) {
        found.extend(main);
    } else if !(printed(d, card, "リンクモンスター") && d.reading(ygo!("C5", Reading), "a") == "c") {
        let pointed = pointed_at(d, who, gone);
        if d.on(ygo!("2.4.8.1", Limit)) {
            let open = pointed.into_iter().filter(|z| in_use(d, *z) && is_free(d, *z, gone));
            found.extend(open);
        }
    }
    found
}

/// The player says where; nobody minds which of the main zones it is unless the monster comes from the extra deck.
pub fn ask(d: &mut Duel, who: Seat, card: Ref, zones: Vec<ZoneId>) -> Flow<Option<ZoneId>> {
    if zones.is_empty() {
        return Ok(None);
    }
    let of = zones.iter().map(|z| Thing::Zone(*z)).collect();
    let mut question = Question::new(who, Word("出すゾーン"), Asks::Choose { of, min: 1, max: 1 }).about(Some(card));
    question.minor = d.t.obj(card.id).zone != zone("エクストラデッキ", who);
    if d.gives_reasons() {
        let all = main_zones(who).into_iter().chain(main_zones(who.other())).chain(EXTRA_ZONES);
        let others = all.filter(|z| !zones.contains(z));
        question.refused = others.map(|z| (Thing::Zone(z), why_not(d, who, card, z))).collect();
    }
    Ok(d.ask(question)?.first().map(|i| zones[*i as usize]))
}

/// The clause by which the monster does not come to the zone.
fn why_not(d: &Duel, who: Seat, card: Ref, to: ZoneId) -> &'static Cite {
    let stored = d.t.obj(card.id).zone == zone("エクストラデッキ", who);
    if main_zones(who.other()).contains(&to) {
        if stored { ygo!("2.4.10.3", Limit) } else { ygo!("1.3.4.2", Limit) }
    } else if EXTRA_ZONES.contains(&to) {
        let side = d.t.seats[who.index()][EXTRA_SIDE];
        let kept = d.settings_reading("C24") == "b" && side > 0 && side & side_of(to) == 0;
        match (stored, kept) {
            (true, true) => ygo!("2.4.6.3", Limit),
            (true, false) => ygo!("2.4.6.1", Limit),
            (false, _) if printed(d, card, "儀式モンスター") && in_hand(d, who, card) => ygo!("2.4.26.4", Frame),
            (false, _) => ygo!("1.3.4.2", Limit),
        }
    } else if stored && printed(d, card, "リンクモンスター") {
        ygo!("2.4.8.1", Limit)
    } else if stored && printed(d, card, "ペンデュラムモンスター") {
        ygo!("2.4.14.3", Limit)
    } else {
        ygo!("1.1.3.3", Limit)
    }
}

/// 2.4.17.5, 2.4.20.2, 2.4.23.5: some kinds go wherever there is room (C5, C16); links and pendulums do not.
fn is_free_to_choose(d: &mut Duel, card: Ref) -> bool {
    let limit = if printed(d, card, "リンクモンスター") {
        Some(ygo!("2.4.8.1", Limit))
    } else if printed(d, card, "ペンデュラムモンスター") && d.t.obj(card.id).face_up {
        Some(ygo!("2.4.14.3", Limit))
    } else {
        None
    };
    if let Some(cite) = limit {
        d.trace.reach(cite);
        return printed(d, card, "ペンデュラムモンスター") && !d.on(cite);
    }
    if printed(d, card, "シンクロモンスター") {
        d.trace.reach(ygo!("2.4.20.2", Frame));
        if d.reading(ygo!("C16", Reading), "a") == "b" {
            return false;
        }
    } else if printed(d, card, "エクシーズモンスター") {
        d.trace.reach(ygo!("2.4.17.5", Meaning));
        if !d.on(ygo!("2.4.17.5", Meaning)) {
            return false;
        }
    } else {
        d.trace.reach(ygo!("2.4.23.5", Meaning));
        if !d.on(ygo!("2.4.23.5", Meaning)) {
            return false;
        }
    }
    d.reading(ygo!("C5", Reading), "a") != "b"
}

fn is_free(d: &Duel, zone: ZoneId, gone: &[Ref]) -> bool {
    d.t.zone(zone).iter().all(|id| gone.iter().any(|card| card.id == *id))
}

/// 2.4.6: a free extra monster zone; both of them only to complete an extra link (4.1.30.3, C11).
fn extra_zones(d: &mut Duel, who: Seat, card: Ref, gone: &[Ref]) -> Vec<ZoneId> {
    let extra = EXTRA_ZONES;
    let mut found = Vec::new();
    for (here, there) in [(extra[0], extra[1]), (extra[1], extra[0])] {
        if !is_free(d, here, gone) || !in_use(d, here) || is_other_side(d, who, here) || is_still_theirs(d, who, here) {
            continue;
        }
        let view = d.look();
        let mine = |d: &Duel| d.t.zone(there).first().is_some_and(|id| view.cards[id.0 as usize].controller == who);
        if is_free(d, there, gone) || !mine(d) || may_use_both(d, who, card, here, gone) {
            found.push(here);
        }
    }
    // 2.4.6.3: where both are nobody's, the player says which. Knocked out, it is the left one.
    let cite = ygo!("2.4.6.3", Limit);
    if found.len() > 1 {
        d.trace.reach(cite);
        if !d.on(cite) {
            found.truncate(1);
        }
    }
    found
}

/// Reading C24: by the other reading a player keeps to the side used first.
fn is_other_side(d: &mut Duel, who: Seat, zone: ZoneId) -> bool {
    let side = d.t.seats[who.index()][EXTRA_SIDE];
    side > 0 && side & side_of(zone) == 0 && d.reading(ygo!("C24", Reading), "a") == "b"
}

/// 2.4.6.2, 4.1.30.5: an extra zone that has become empty is nobody's. Knocked out, it stays with who used it.
fn is_still_theirs(d: &mut Duel, who: Seat, zone: ZoneId) -> bool {
    let side = d.t.seats[who.other().index()][EXTRA_SIDE];
    if side & side_of(zone) == 0 {
        return false;
    }
    let cite = if side == 3 { ygo!("4.1.30.5", Meaning) } else { ygo!("2.4.6.2", Meaning) };
    d.trace.reach(cite);
    !d.on(cite)
}

/// The extra monster zone as a number: 1 the left one, 2 the right one, 0 another zone.
pub fn side_of(zone: ZoneId) -> i32 {
    EXTRA_ZONES.iter().position(|z| *z == zone).map_or(0, |at| at as i32 + 1)
}

fn may_use_both(d: &mut Duel, who: Seat, card: Ref, zone: ZoneId, gone: &[Ref]) -> bool {
    let cite = ygo!("2.4.6.1", Limit);
    d.trace.reach(cite);
    if !d.on(cite) {
        return true;
    }
    match d.reading(ygo!("C11", Reading), "a") {
        "c" => return true,
        "b" => return false,
        _ => {}
    }
    let seen = d.seen(card);
    if !is(&seen, "リンクモンスター") {
        return false;
    }
    let view = d.look();
    let mut all = links(&d.t, &view.cards);
    all.retain(|link| !gone.iter().any(|card| Some(card.id) == link.id));
    all.push(Link::at(None, &seen, zone, who));
    let completes = extra_link(&all).contains(&zone);
    completes && d.applies(ygo!("4.1.30.3", Meaning), |_| "エクストラリンクを完成させるので、もう片方も使える".into())
}

/// Reading C24: who has a monster in an extra zone as the table is laid has used it.
pub fn note_sides(t: &mut Table) {
    // An equip card has come after the monster that it is laid with.
    for id in t.ids().collect::<Vec<_>>() {
        let worn = t.obj(id).host.filter(|(how, _)| *how == EQUIP).map(|(_, host)| t.obj(host).since);
        if worn.is_some_and(|host| host > t.obj(id).since) {
            let now = t.tick();
            let card = t.obj_mut(id);
            (card.since, card.held) = (now, now);
        }
    }
    for zone in EXTRA_ZONES {
        if let Some(id) = t.zone(zone).first().copied() {
            let who = t.obj(id).controller;
            t.seats[who.index()][EXTRA_SIDE] |= side_of(zone);
        }
    }
}
