//! 811.3a–811.3c: since when continuous effects count, and who orders those that count from the same moment.

use super::schema::DATED;
use crate::card::{Change, Kind, Word};
use crate::kernel::table::Holds;
use crate::kernel::view::View;
use crate::kernel::{Asks, Cite, Ctx, Duel, Event, Flow, Question, Ref, Seat, Thing};

/// A static ability and since when it counts.
type Dated = (Ref, u32, u32);

/// 811.3a: static abilities count from when they became valid. Of those that became so together, 811.3c.
pub fn look(d: &mut Duel, events: &[Event]) -> Flow {
    let view = d.look();
    if d.given.holders.statics.is_empty() && !view.gained && d.t.dates.is_empty() {
        return Ok(());
    }
    let before = d.t.facts[DATED];
    let now = events.last().map_or(d.t.clock, |e| e.stamp);
    let by_validity = d.on(zx!("811.3a", Layer));
    let mut dates: Vec<Dated> = Vec::new();
    let mut fresh = Vec::new();
    for (card, ability) in valid(d, &view) {
        let since = d.t.obj(card.id).since;
        let known = d.t.dated(card, ability);
        let came = since as i32 >= before || before == 0;
        let at = known.unwrap_or(if came || !by_validity { since } else { now });
        if known.is_none() {
            fresh.push(at);
            if at > since {
                d.trace.reach(zx!("811.3a", Layer));
            }
        }
        dates.push((card, ability, at));
    }
    let clock = d.t.clock as i32;
    *d.aside().fact(DATED) = clock + 1;
    d.date(dates);
    fresh.sort_unstable();
    fresh.dedup();
    for at in fresh {
        together(d, at)?;
    }
    Ok(())
}

/// The static abilities that are valid now.
fn valid(d: &mut Duel, view: &View) -> Vec<(Ref, u32)> {
    let given = d.given;
    let mut found = Vec::new();
    for &id in if view.gained { &given.holders.all } else { &given.holders.statics } {
        let seen = &view.cards[id.0 as usize];
        if !seen.kinds.statics || d.is_beneath(id) {
            continue;
        }
        let (zone, face_up, this) = (d.t.obj(id).zone, d.t.obj(id).face_up, d.t.now(id));
        for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Static && !a.grant.is_empty()) {
            let slots = Default::default();
            let ctx = Ctx { this: Some(this), seat: seen.controller, slots: &slots, event: None };
            let holds = |d: &mut Duel| ability.cond.as_ref().is_none_or(|c| d.see(|eyes| eyes.holds(&ctx, c)));
            if d.works(seen, zone, face_up, ability) && holds(d) {
                found.push((this, ability.id));
            }
        }
    }
    found
}

/// Changes that come out the same in whatever order they are made.
fn commutes(change: &Change) -> bool {
    !matches!(
        change,
        Change::Set(..)
            | Change::Base(..)
            | Change::Become(..)
            | Change::Lose(_)
            | Change::LoseText(_)
            | Change::Control(_)
            | Change::Price(..)
            | Change::Limit(..)
    )
}

/// 811.3c: those that count from this moment, in the order that the players say.
fn together(d: &mut Duel, at: u32) -> Flow {
    let cite: &'static Cite = zx!("811.3c", Layer);
    let view = d.look();
    let mut group: Vec<(Ref, u32)> = Vec::new();
    let mut orderly = true;
    for (card, ability, _) in d.t.dates.iter().filter(|(.., date)| *date == at) {
        let seen = &view.cards[card.id.0 as usize];
        let grants = seen.abilities.iter().filter(|a| a.id == *ability).flat_map(|a| &a.grant);
        orderly &= grants.fold(true, |all, change| all && commutes(change));
        group.push((*card, *ability));
    }
    if group.len() < 2 || orderly || !d.on(cite) || !matters(d, &group, at) {
        return Ok(());
    }
    let mut order: Vec<(Ref, u32)> = Vec::new();
    for seat in [d.t.active, d.t.active.other()] {
        let own: Vec<(Ref, u32)> =
            group.iter().copied().filter(|(card, _)| view.cards[card.id.0 as usize].controller == seat).collect();
        order.extend(if own.len() > 1 && matters(d, &own, at) { ask(d, seat, &own)? } else { own });
    }
    d.cites(cite, |_| "基準時点が同じ継続効果の順番を決める".into());
    let stamps = spread(d, at, &order);
    d.date(stamps);
    Ok(())
}

/// The dates if those of one moment come one after another in this order, and all that is later after them.
fn spread(d: &mut Duel, at: u32, order: &[(Ref, u32)]) -> Vec<Dated> {
    let mut dates = d.t.dates.clone();
    let mut later: Vec<u32> = dates.iter().map(|e| e.2).filter(|date| *date > at).collect();
    later.sort_unstable();
    later.dedup();
    for (card, ability) in order {
        let stamp = d.aside().tick();
        dates.iter_mut().filter(|e| (e.0, e.1) == (*card, *ability)).for_each(|e| e.2 = stamp);
    }
    for old in later {
        let stamp = d.aside().tick();
        dates.iter_mut().filter(|e| e.2 == old).for_each(|e| e.2 = stamp);
    }
    dates
}

/// Some two of them, one after the other or the other way round, make a difference.
fn matters(d: &mut Duel, group: &[(Ref, u32)], at: u32) -> bool {
    let clock = d.t.clock;
    let mut view = |order: &[(Ref, u32)]| {
        let made = d.imagine(|t| {
            for e in t.dates.iter_mut().filter(|e| e.2 >= at) {
                let place = order.iter().position(|o| *o == (e.0, e.1));
                e.2 = place.map_or(clock + order.len() as u32 + e.2, |i| clock + 1 + i as u32);
            }
        });
        (made.cards, made.rules)
    };
    pairs(group).iter().any(|(forth, back)| view(forth) != view(back))
}

/// Every two at the end of the others, in both orders.
fn pairs<T: Copy>(all: &[T]) -> Vec<(Vec<T>, Vec<T>)> {
    let mut found = Vec::new();
    for i in 0..all.len() {
        for j in i + 1..all.len() {
            let rest = (0..all.len()).filter(|k| *k != i && *k != j).map(|k| all[k]);
            let forth: Vec<T> = rest.clone().chain([all[i], all[j]]).collect();
            found.push((forth, rest.chain([all[j], all[i]]).collect()));
        }
    }
    found
}

/// The controller says which is older: by cards, or where one card has several by number.
fn ask(d: &mut Duel, seat: Seat, own: &[(Ref, u32)]) -> Flow<Vec<(Ref, u32)>> {
    let alone = (1..own.len()).all(|i| own[..i].iter().all(|o| o.0 != own[i].0));
    let things: Vec<Thing> = match alone {
        true => own.iter().map(|(card, _)| Thing::Card(*card)).collect(),
        false => (1..=own.len() as i32).map(Thing::Number).collect(),
    };
    let order = d.ask(Question::new(seat, Word("基準時点"), Asks::Order(things)).citing(zx!("811.3c", Layer)))?;
    Ok(order.into_iter().map(|i| own[i as usize]).collect())
}

/// 811.3b: what a card or an ability made counts from the end of its resolution; several together, 811.3c.
pub fn resolved(d: &mut Duel, source: Ref, begun: u32) -> Flow {
    let made: Vec<usize> = (0..d.t.ongoing.len())
        .filter(|i| {
            let o = &d.t.ongoing[*i];
            o.source == Some(source) && o.stamp > begun && matches!(o.holds, Holds::Changes(_))
        })
        .collect();
    if made.is_empty() || !d.applies(zx!("811.3b", Layer), |_| "解決が終わった時を基準時点とする".into())
    {
        return Ok(());
    }
    let stamp = d.aside().tick();
    d.date_effects(&made.iter().map(|i| (*i, stamp)).collect::<Vec<_>>());
    let plain = |i: &usize| match &d.t.ongoing[*i].holds {
        Holds::Changes(changes) => changes.iter().all(commutes),
        Holds::Instead(_) => true,
    };
    let cite: &'static Cite = zx!("811.3c", Layer);
    if made.len() < 2 || made.iter().all(plain) || !d.on(cite) || !effects_matter(d, &made) {
        return Ok(());
    }
    let mut order: Vec<usize> = Vec::new();
    for seat in [d.t.active, d.t.active.other()] {
        let own: Vec<usize> = made.iter().copied().filter(|i| d.t.ongoing[*i].seat == seat).collect();
        if own.len() < 2 || !effects_matter(d, &own) {
            order.extend(own);
            continue;
        }
        let things = (1..=own.len() as i32).map(Thing::Number).collect();
        let question = Question::new(seat, Word("基準時点"), Asks::Order(things)).citing(cite).about(Some(source));
        order.extend(d.ask(question)?.into_iter().map(|i| own[i as usize]));
    }
    d.cites(cite, |_| "基準時点が同じ継続効果の順番を決める".into());
    let mut stamps = Vec::new();
    for at in order {
        stamps.push((at, d.aside().tick()));
    }
    d.date_effects(&stamps);
    Ok(())
}

fn effects_matter(d: &mut Duel, made: &[usize]) -> bool {
    let clock = d.t.clock;
    let mut view = |order: &[usize]| {
        let made = d.imagine(|t| {
            for (place, at) in order.iter().enumerate() {
                t.ongoing[*at].stamp = clock + 1 + place as u32;
            }
        });
        (made.cards, made.rules)
    };
    pairs(made).iter().any(|(forth, back)| view(forth) != view(back))
}
