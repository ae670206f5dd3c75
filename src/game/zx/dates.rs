//! 811.3a–811.3c: since when continuous effects count, and who orders those that count from the same moment.

use super::places::is_square;
use super::schema::{DATED, schema};
use super::text;
use crate::card::{Ability, Change, Kind, Word};
use crate::kernel::table::Holds;
use crate::kernel::view::View;
use crate::kernel::{Asks, CardId, Cite, Ctx, Duel, Event, Flow, Question, Ref, Seat, Seen, Thing};

/// A static ability and since when it counts.
type Dated = (Ref, u32, u32);

/// 811.3a: static abilities count from when they became valid. That is when their card came, and need not be kept, unless
/// they have a condition, or are not the card's own. Of those that became valid together, 811.3c.
pub fn look(d: &mut Duel, events: &[Event]) -> Flow {
    if d.knows_texts() {
        d.mark_moment(DATED, d.t.clock as i32 + 1);
        return Ok(());
    }
    let view = d.look();
    let given = d.given;
    if given.holders.statics.is_empty() && view.gained.is_empty() {
        return Ok(());
    }
    let before = d.t.facts[DATED];
    let now = events.last().map_or(d.t.clock, |e| e.stamp);
    let mut dates: Vec<Dated> = Vec::new();
    let mut fresh = arrivals(d, &view, events);
    // Nobody is told why an ability is not valid where its card lies: most lie in decks.
    let plain = !d.trace.full && d.stands_whole() && d.settings_reading("C9").is_empty();
    for &id in view.among(&given.holders.statics).iter() {
        let seen = &view.cards[id.0 as usize];
        if !seen.kinds.statics || d.is_beneath(id) {
            continue;
        }
        let (this, obj) = (d.t.now(id), d.t.obj(id));
        let (since, zone, face_up) = (obj.since, obj.zone, obj.face_up);
        for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Static && !a.grant.is_empty()) {
            let known = d.t.dated(this, ability.id);
            let own = ability.cond.is_none() && ability.id >> 20 == 0;
            if known.is_none() && own || plain && !text::works(seen, zone, face_up, ability) {
                continue;
            }
            if !is_valid(d, seen, this, ability) {
                continue;
            }
            let came = since as i32 >= before || before == 0;
            let at = known.unwrap_or(if came || !d.on(zx!("811.3a", Layer)) { since } else { now });
            if known.is_none() {
                fresh.push(at);
                if at > since {
                    d.trace.reach(zx!("811.3a", Layer));
                }
            }
            dates.push((this, ability.id, at));
        }
    }
    d.mark_moment(DATED, d.t.clock as i32 + 1);
    d.date(dates);
    fresh.sort_unstable();
    fresh.dedup();
    for at in fresh {
        together(d, at)?;
    }
    d.has_looked();
    Ok(())
}

/// The moments in which cards with static abilities came; before the first look, all there are.
fn arrivals(d: &Duel, view: &View, events: &[Event]) -> Vec<u32> {
    let statics = |id: CardId| view.cards[id.0 as usize].kinds.statics;
    if d.t.facts[DATED] == 0 {
        return d.t.ids().filter(|id| statics(*id)).map(|id| d.t.obj(id).since).filter(|at| *at > 0).collect();
    }
    let came = |e: &&Event| e.to.is_some_and(is_square) && e.after.is_some_and(|card| statics(card.id));
    events.iter().filter(came).map(|e| e.stamp).collect()
}

fn is_valid(d: &mut Duel, seen: &Seen, this: Ref, ability: &Ability) -> bool {
    let (zone, face_up) = (d.t.obj(this.id).zone, d.t.obj(this.id).face_up);
    let slots = Default::default();
    let ctx = Ctx { this: Some(this), seat: seen.controller, slots: &slots, event: None };
    d.works(seen, zone, face_up, ability) && ability.cond.as_ref().is_none_or(|c| d.see(|eyes| eyes.holds(&ctx, c)))
}

/// The static abilities on the squares that count from this moment.
fn of_moment(d: &mut Duel, view: &View, at: u32) -> Vec<Dated> {
    let mut found = Vec::new();
    let on_squares: Vec<CardId> = schema().board().flat_map(|z| d.t.zone(z).to_vec()).collect();
    for id in on_squares {
        let seen = &view.cards[id.0 as usize];
        if !seen.kinds.statics || d.is_beneath(id) {
            continue;
        }
        let (this, since) = (d.t.now(id), d.t.obj(id).since);
        for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Static && !a.grant.is_empty()) {
            let date = d.t.dated(this, ability.id).unwrap_or(since);
            if date == at && is_valid(d, seen, this, ability) {
                found.push((this, ability.id, at));
            }
        }
    }
    found.sort_unstable_by_key(|e| (e.0.id, e.1));
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
    let group = of_moment(d, &view, at);
    let grants = |e: &Dated| {
        let seen = &view.cards[e.0.id.0 as usize];
        seen.abilities.iter().filter(|a| a.id == e.1).all(|a| a.grant.iter().all(commutes))
    };
    if group.len() < 2 || group.iter().all(grants) || !d.on(cite) || !matters(d, &group, at) {
        return Ok(());
    }
    let mut order: Vec<Dated> = Vec::new();
    for seat in [d.t.active, d.t.active.other()] {
        let own: Vec<Dated> =
            group.iter().copied().filter(|e| view.cards[e.0.id.0 as usize].controller == seat).collect();
        order.extend(if own.len() > 1 && matters(d, &own, at) { ask(d, seat, &own)? } else { own });
    }
    d.cites(cite, |_| "基準時点が同じ継続効果の順番を決める".into());
    let dates = spread(d, &view, at, &order);
    d.date(dates);
    Ok(())
}

/// The dates if those of one moment come one after another in this order, and all that is later after them.
fn spread(d: &mut Duel, view: &View, at: u32, order: &[Dated]) -> Vec<Dated> {
    let mut dates: Vec<Dated> = d.t.dates.iter().filter(|e| e.2 != at).copied().collect();
    let later: Vec<u32> = (d.t.ids().map(|id| d.t.obj(id).since)).chain(dates.iter().map(|e| e.2)).collect();
    let mut later: Vec<u32> = later.into_iter().filter(|date| *date > at).collect();
    later.sort_unstable();
    later.dedup();
    for (card, ability, _) in order {
        dates.push((*card, *ability, d.aside().tick()));
    }
    for old in later {
        let group = of_moment(d, view, old);
        dates.retain(|e| e.2 != old);
        let stamp = d.aside().tick();
        dates.extend(group.into_iter().map(|(card, ability, _)| (card, ability, stamp)));
    }
    dates
}

/// Some two of them, one after the other or the other way round, make a difference.
fn matters(d: &mut Duel, group: &[Dated], at: u32) -> bool {
    let clock = d.t.clock;
    let mut view = |order: &[Dated]| {
        let made = d.imagine(|t| {
            // All that is later stays later.
            for e in t.dates.iter_mut().filter(|e| e.2 > at) {
                e.2 += clock + order.len() as u32;
            }
            for card in t.ids().collect::<Vec<_>>() {
                let obj = t.obj_mut(card);
                obj.since += if obj.since > at { clock + order.len() as u32 } else { 0 };
            }
            for effect in t.ongoing.iter_mut().filter(|e| e.stamp > at) {
                effect.stamp += clock + order.len() as u32;
            }
            t.dates.retain(|e| !order.iter().any(|o| (o.0, o.1) == (e.0, e.1)));
            for (place, (card, ability, _)) in order.iter().enumerate() {
                t.dates.push((*card, *ability, clock + 1 + place as u32));
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
fn ask(d: &mut Duel, seat: Seat, own: &[Dated]) -> Flow<Vec<Dated>> {
    let alone = (1..own.len()).all(|i| own[..i].iter().all(|o| o.0 != own[i].0));
    let things: Vec<Thing> = match alone {
        true => own.iter().map(|e| Thing::Card(e.0)).collect(),
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
