//! 4.1.9, 4.1.10, 4.1.31, 3.1.2.3: what the rules see to on the field at once: control, equip cards, winning by text.

use super::lasting;
use super::places::{
    EXTRA_ZONES, free_monster_zones, is_field, is_monster_zone, main_zones, monster_zones, other_zones, which,
};
use super::schema::{BEGAN, EQUIP, schema};
use super::text::graveyard;
use crate::card::{Kind, Step, Word};
use crate::kernel::steps::Frame;
use crate::kernel::{Cause, Duel, Event, Flow, Ref, Slots, What};

/// After every change.
pub fn settle(d: &mut Duel, events: &[Event]) -> Flow {
    markers_known(d)?;
    control(d)?;
    equipment(d, events)?;
    apart(d)?;
    wins(d)
}

/// Readings C18, C19: by the other readings it is not settled where the extra monster zones lie, or where markers point;
/// as soon as a link monster lies where that matters, nothing can be said.
pub fn markers_known(d: &mut Duel) -> Flow {
    let below = |d: &Duel| d.t.cards.iter().any(|c| c.host.is_some_and(|h| h.0 == super::schema::MATERIALS));
    if d.settings_reading("C12") == "b" && below(d) {
        d.reading(ygo!("C12", Reading), "a");
        return d.unwritten("エクシーズ素材をフィールドのカードに数える読み", &["ygo:C12", "ygo:4.1.4.1"]);
    }
    let (columns, directions) = (d.settings_reading("C18") == "b", d.settings_reading("C19") == "b");
    if !columns && !directions {
        return Ok(());
    }
    let view = d.look();
    let links = super::markers::links(&d.t, &view.cards);
    if directions && !links.is_empty() {
        d.reading(ygo!("C19", Reading), "a");
        return d.undecided("リンクマーカーの向きは、カードを見て両者で確かめる", &["ygo:C19", "ygo:2.4.1.3"]);
    }
    if columns && !links.is_empty() {
        d.reading(ygo!("C18", Reading), "a");
        return d.undecided("エクストラモンスターゾーンの位置は、両者で確かめる", &["ygo:C18", "ygo:1.1.3.11"]);
    }
    Ok(())
}

/// 4.1.30.4: that an extra link comes apart harms neither of the two. Knocked out, both are destroyed.
fn apart(d: &mut Duel) -> Flow {
    let zones = EXTRA_ZONES;
    let held: Vec<Ref> = zones.iter().filter_map(|z| d.t.zone(*z).first()).map(|id| d.t.now(*id)).collect();
    let [a, b] = held[..] else { return Ok(()) };
    let view = d.look();
    let one = view.cards[a.id.0 as usize].controller == view.cards[b.id.0 as usize].controller;
    if !one || super::markers::extra_linked(&d.t, &view.cards, a.id, view.without) {
        return Ok(());
    }
    let cite = ygo!("4.1.30.4", Check);
    d.trace.reach(cite);
    if d.on(cite) {
        return Ok(());
    }
    let mut events = Vec::new();
    for card in held {
        let to = graveyard(d, card);
        let mut event = d.moving(card, to);
        event.how = Word("破壊");
        events.push(event);
    }
    d.happen(events)
}

/// 4.1.31.2, 4.1.31.4: a monster lies in a main monster zone of the player who controls it now. Those that change hands by
/// one effect leave room for each other: as long as it is being processed, one for which there is none yet waits.
pub fn control(d: &mut Duel) -> Flow {
    let view = d.look();
    let mut changing = Vec::new();
    for z in monster_zones() {
        let Some(id) = d.t.zone(z).first().copied() else { continue };
        let (who, base) = (view.cards[id.0 as usize].controller, d.t.obj(id).controller);
        if schema().spec(z).owner.map_or(who == base, |owner| owner == who) {
            continue;
        }
        let cite = if who == base { ygo!("4.1.31.4") } else { ygo!("4.1.31.2") };
        if d.on(cite) {
            changing.push((d.t.now(id), z, who, base, cite));
        }
    }
    let mut events = Vec::new();
    let mut taken = Vec::new();
    for (card, _, who, base, cite) in &changing {
        let mut free = free_monster_zones(d, *who);
        free.extend(changing.iter().map(|(_, from, ..)| *from).filter(|z| main_zones(*who).contains(z)));
        free.retain(|z| !taken.contains(z));
        if free.is_empty() && d.t.facts[BEGAN] > 0 {
            continue;
        }
        if free.is_empty() {
            return d.undecided(
                "コントロールの移ったモンスターを置くメインモンスターゾーンがない場合の定めがない",
                &["ygo:4.1.31.2"],
            );
        }
        let changes = |to| {
            let what = What::Control { to, controller: *base, state: None };
            Event { what, ..Event::about(Word("コントロール"), *card) }.seat(*who)
        };
        // 3.3.8.1: one that a text says cannot change hands stays whose it is.
        if who != base && d.forbidden(&changes(free[0])) {
            d.let_go(*card, |o| lasting::gives(o, *card));
            continue;
        }
        let Some(to) = d.under(cite, |d| which(d, *who, free, *card))? else { continue };
        taken.push(to);
        events.push((changes(to), *cite));
    }
    let Some((_, cite)) = events.first() else { return Ok(()) };
    let cite = *cite;
    let moved: Vec<Ref> = events.iter().filter_map(|(e, _)| e.card).collect();
    d.under(cite, |d| d.happen(events.into_iter().map(|(e, _)| e).collect()))?;
    // 3.3.12.3: their materials stay under them.
    for card in moved {
        let lost = super::procedure::left_behind(d, card);
        if !lost.is_empty() {
            d.happen(lost)?;
        }
    }
    Ok(())
}

/// 4.1.10.1, C26: an equip card that has lost its monster is destroyed.
fn equipment(d: &mut Duel, events: &[Event]) -> Flow {
    let on = |card: &crate::kernel::Obj| card.host.filter(|h| h.0 == EQUIP).map(|h| h.1);
    let there = monster_zones().chain(other_zones()).flat_map(|z| d.t.zone(z));
    let mut all: Vec<(Ref, Ref)> =
        there.filter_map(|id| on(d.t.obj(*id)).map(|host| (d.t.now(*id), d.t.now(host)))).collect();
    all.sort_unstable();
    for (card, host) in all {
        let obj = d.t.obj(host.id);
        if is_monster_zone(obj.zone) && obj.face_up {
            continue;
        }
        let broken = events
            .iter()
            .any(|e| e.card.is_some_and(|c| c.id == host.id) && matches!(e.how.as_str(), "破壊" | "戦闘破壊"));
        let falls = if broken {
            d.applies(ygo!("4.1.10.1", Check), |d| format!("{}は装備モンスターを失い破壊される", d.card_name(card)))
        } else {
            d.reading(ygo!("C26", Reading), "a") != "b"
        };
        if falls {
            let to = graveyard(d, card);
            let mut event = d.moving(card, to);
            event.how = Word("破壊");
            d.happen(vec![event])?;
        }
        // What is spared, or by a reading stays, is on nothing any more.
        if d.t.is_now(card) {
            d.lay_with(card.id, None);
        }
    }
    Ok(())
}

/// 1.4.2.5, 3.3.15.2: the card is equipped to the monster.
pub fn equip(d: &mut Duel, card: Ref, host: Ref) -> Flow<bool> {
    let there = |r: Ref| d.t.is_now(r) && is_field(d.t.obj(r.id).zone);
    if !there(card) || !d.t.obj(card.id).face_up || !there(host) || !is_monster_zone(d.t.obj(host.id).zone) {
        return Ok(false);
    }
    d.under(ygo!("1.4.2.5", Frame), |d| {
        let to = d.t.obj(card.id).zone;
        let mut event = d.moving(card, to);
        event.name = Word("装備");
        let host = Some((Word(EQUIP), host.id));
        event.what = What::Move { to, bottom: false, state: 0, face_up: true, controller: None, host };
        Ok(d.propose_one(event)?.any())
    })
}

/// 3.1.2.3: a text by which the duel is won as soon as something is so; it is no activation.
fn wins(d: &mut Duel) -> Flow {
    let view = d.look();
    let given = d.given;
    for &id in view.among(&given.holders.states).iter() {
        let (seen, card) = (view.cards[id.0 as usize].clone(), d.t.now(id));
        let obj = d.t.obj(id);
        let (zone, face_up, owner) = (obj.zone, obj.face_up, obj.owner);
        let seat = if is_field(zone) { seen.controller } else { owner };
        for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Triggered && a.when.is_empty()) {
            if !matches!(ability.steps[..], [Step::End { .. }]) || !d.works(&seen, zone, face_up, ability) {
                continue;
            }
            let cause = Cause { card: Some(card), seat: Some(seat), ..Cause::RULE };
            let mut frame = Frame { this: Some(card), seat, slots: Slots::default(), event: None, cause };
            let holds = ability.cond.as_ref().is_some_and(|c| d.see(|eyes| eyes.holds(&frame.ctx(), c)));
            if holds
                && d.applies(ygo!("3.1.2.3", Check), |d| {
                    format!("{}の条件を満たしたので勝敗が決まる", d.card_name(card))
                })
            {
                d.perform(&mut frame, &ability.steps)?;
            }
        }
    }
    Ok(())
}
