//! 4.1.9, 4.1.10, 4.1.31, 3.1.2.3: what the rules see to on the field at once: control, equip cards, winning by text.

use super::places::{is_field, is_monster_zone, main_zones, which};
use super::schema::{EQUIP, schema};
use super::text::graveyard;
use crate::card::{Kind, Step, Word};
use crate::kernel::steps::Frame;
use crate::kernel::{Cause, Duel, Event, Flow, Ref, Slots, What};

/// After every change.
pub fn settle(d: &mut Duel, events: &[Event]) -> Flow {
    control(d)?;
    equipment(d, events)?;
    wins(d)
}

/// 4.1.31.2, 4.1.31.4: a monster lies in a main monster zone of the player who controls it now.
fn control(d: &mut Duel) -> Flow {
    let view = d.look();
    for z in schema().board().filter(|z| is_monster_zone(*z)) {
        let Some(id) = d.t.zone(z).first().copied() else { continue };
        let (who, base) = (view.cards[id.0 as usize].controller, d.t.obj(id).controller);
        if schema().spec(z).owner.map_or(who == base, |owner| owner == who) {
            continue;
        }
        let card = d.t.now(id);
        let cite = if who == base { ygo!("4.1.31.4") } else { ygo!("4.1.31.2") };
        if !d.on(cite) {
            continue;
        }
        let free = main_zones(who).into_iter().filter(|z| d.t.zone(*z).is_empty()).collect::<Vec<_>>();
        if free.is_empty() {
            return d.undecided(
                "コントロールの移ったモンスターを置くメインモンスターゾーンがない場合の定めがない",
                &["ygo:4.1.31.2"],
            );
        }
        d.under(cite, |d| {
            let Some(to) = which(d, who, free, card)? else { return Ok(()) };
            let event = Event {
                what: What::Control { to, controller: base },
                ..Event::about(Word("コントロール"), card)
            };
            d.happen(vec![event.seat(who)])
        })?;
        return Ok(());
    }
    Ok(())
}

/// 4.1.10.1, C26: an equip card that has lost its monster is destroyed.
fn equipment(d: &mut Duel, events: &[Event]) -> Flow {
    let all: Vec<(Ref, Ref)> = (d.t.ids())
        .filter(|id| is_field(d.t.obj(*id).zone))
        .filter_map(|id| d.t.obj(id).host.filter(|h| h.0 == EQUIP).map(|h| (d.t.now(id), d.t.now(h.1))))
        .collect();
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
        d.edit().obj_mut(card.id).host = None;
        if falls {
            let to = graveyard(d, card);
            let mut event = d.moving(card, to);
            event.how = Word("破壊");
            d.happen(vec![event])?;
        }
    }
    Ok(())
}

/// 1.4.2.5, 3.3.15.2: the card is equipped to the monster.
pub fn equip(d: &mut Duel, card: Ref, host: Ref) -> Flow<bool> {
    let there = |r: Ref| d.t.is_now(r) && d.t.obj(r.id).face_up;
    if !there(card) || !there(host) || !is_monster_zone(d.t.obj(host.id).zone) || !is_field(d.t.obj(card.id).zone) {
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
    for &id in if view.gained { &given.holders.all } else { &given.holders.states } {
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
