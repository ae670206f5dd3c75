//! 2.4.11–2.4.14, 3.3.21: the pendulum summon.

use super::kinds::{is, level, printed, scale, special_only};
use super::landing;
use super::moves::in_main_by;
use super::places::in_hand;
use super::places::{hand, spell_zones, zone};
use super::schema::PENDULUM;
use super::summon::{arriving, position};
use crate::card::Word;
use crate::kernel::verb::{Allowed, no};
use crate::kernel::{
    Asks, Cause, Cite, Duel, Event, Flow, Halt, Move, Question, Ref, Refusal, Seat, Thing, Told, What, ZoneId,
};
use crate::limit;

/// 1.1.3.5: the outer spell and trap zones.
pub fn outer_zones(who: Seat) -> [ZoneId; 2] {
    let [left, .., right] = spell_zones(who);
    [left, right]
}

/// The scales of the cards in both zones.
fn scales(d: &mut Duel, who: Seat) -> Option<(i32, i32)> {
    let mut found = Vec::new();
    for z in outer_zones(who) {
        let card = d.t.now(*d.t.zone(z).first()?);
        let seen = d.seen(card);
        if !d.t.obj(card.id).face_up || !is(&seen, "ペンデュラムカード") {
            return None;
        }
        found.push(scale(&seen)?);
    }
    Some((found[0].min(found[1]), found[0].max(found[1])))
}

/// Why the monster cannot be among those who come out.
fn unfit(d: &mut Duel, card: Ref, (low, high): (i32, i32)) -> Option<(&'static Cite, &'static str)> {
    let seen = d.seen(card);
    if !is(&seen, "モンスター") {
        return Some((ygo!("2.4.13.2", Limit), "モンスターではない"));
    }
    // C25, C9: only in its own way.
    if special_only(&seen) && d.reading(ygo!("C25", Reading), "a") != "b" {
        return Some((ygo!("4.1.26.2", Limit), "特殊召喚モンスターは定められた手順でしか出せない"));
    }
    let within = level(&seen).is_some_and(|n| low < n && n < high);
    let ends = level(&seen).is_some_and(|n| n == low || n == high);
    let stored = d.t.obj(card.id).face_up && super::places::inside(d.t.obj(card.id).zone, Word("エクストラデッキ"));
    let cite = if stored {
        ygo!("2.4.14.4", Limit)
    } else if ends {
        ygo!("2.4.13.3", Limit)
    } else {
        ygo!("2.4.13.2", Limit)
    };
    d.trace.reach(cite);
    (!within && d.on(cite)).then_some((cite, "レベルが2つのスケールの間にない"))
}

/// Who could come out: monsters in hand, and pendulums that lie face up in the extra deck.
fn candidates(d: &mut Duel, who: Seat, scales: (i32, i32)) -> Vec<Ref> {
    let mut found = hand(d, who);
    let extra: Vec<Ref> = d.t.zone(zone("エクストラデッキ", who)).iter().map(|id| d.t.now(*id)).collect();
    for card in extra {
        if d.t.obj(card.id).face_up && printed(d, card, "ペンデュラムモンスター") {
            d.trace.reach(ygo!("2.4.14.2", Meaning));
            if d.on(ygo!("2.4.14.2", Meaning)) {
                found.push(card);
            }
        }
    }
    found.retain(|card| unfit(d, *card, scales).is_none());
    found
}

/// 3.3.8.1: a text forbids that the monster comes out.
fn is_barred(d: &mut Duel, who: Seat, card: Ref) -> Flow<bool> {
    let zones = landing::zones(d, who, card, &[]);
    let comes = super::summon::can_come(d, who, card, &zones, Word("ペンデュラム召喚"), Cause::RULE)?;
    Ok(!zones.is_empty() && !comes)
}

/// Every one of them has a zone of its own; those that can go to fewer come first.
fn places(d: &mut Duel, who: Seat, cards: &[Ref]) -> Option<Vec<(Ref, ZoneId)>> {
    let options: Vec<(Ref, Vec<ZoneId>)> = cards.iter().map(|c| (*c, landing::zones(d, who, *c, &[]))).collect();
    fn assign(d: &Duel, left: &[(Ref, Vec<ZoneId>)], taken: &mut Vec<ZoneId>) -> bool {
        let Some(((_, zones), rest)) = left.split_first() else { return true };
        zones.iter().any(|z| {
            if !beside(d, taken, *z) {
                return false;
            }
            taken.push(*z);
            let ok = assign(d, rest, taken);
            if !ok {
                taken.pop();
            }
            ok
        })
    }
    let mut taken = Vec::new();
    assign(d, &options, &mut taken).then(|| cards.iter().copied().zip(taken).collect())
}

/// 3.3.22.3, 2.4.13.1: a text lays a pendulum into a pendulum zone; that is no activation.
pub fn lay(d: &mut Duel, who: Seat, card: Ref, cause: Cause) -> Flow<bool> {
    if super::places::is_speed(d) || !printed(d, card, "ペンデュラムモンスター") {
        return d.unwritten("そのカードをペンデュラムゾーンに置くこと", &["ygo:3.3.22.1"]);
    }
    let zones = outer_zones(who).into_iter().filter(|z| d.t.zone(*z).is_empty()).collect();
    let Some(to) = super::places::which(d, who, zones, card)? else {
        d.tell(Told::NotApplied, |d| {
            format!("空いているペンデュラムゾーンがないので{}は置かれない", d.card_name(card))
        });
        return Ok(false);
    };
    let mut event = d.moving(card, to).by(cause).seat(who);
    event.what = What::Move { to, bottom: false, state: 0, face_up: true, controller: Some(who), host: None };
    d.under(ygo!("3.3.22.3", Frame), |d| Ok(d.propose_one(event)?.any()))
}

pub fn may(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    in_main_by(d, who, ygo!("2.4.13.2", Limit))?;
    let done = d.t.seats[who.index()][PENDULUM] > 0;
    limit!(d, !done, ygo!("2.4.11.2", Limit), "ペンデュラム召喚は1ターンに1度だけ");
    let Some(scales) = scales(d, who) else {
        return no(ygo!("2.4.12.1", Limit), "ペンデュラムゾーンに2体置かれていない");
    };
    let different = scales.1 != scales.0 && d.reading(ygo!("C13", Reading), "a") == "b";
    let gap = scales.1.saturating_sub(scales.0) > 1 || different;
    limit!(d, gap, ygo!("3.3.21.1", Limit), "2つのスケールの間のレベルがない");
    let mut found = candidates(d, who, scales);
    found.retain(|card| !landing::zones(d, who, *card, &[]).is_empty());
    if let Some(card) = m.card
        && let Some((cite, why)) = unfit(d, card, scales)
    {
        return no(cite, why);
    }
    limit!(d, !found.is_empty(), ygo!("2.4.13.2", Limit), "出せるモンスターがいない");
    let barred = found.iter().all(|card| is_barred(d, who, *card).unwrap_or_default());
    limit!(d, !barred, ygo!("3.3.8.1", Limit), "「できない」とする効果がある");
    let event = Event { how: Word("ペンデュラム召喚"), ..Event::signal(Word("特殊召喚")).seat(who) };
    limit!(d, !d.forbidden(&event), ygo!("3.3.8.1", Limit), "「できない」とする効果がある");
    Ok(())
}

/// 2.4.13.2, 2.4.14: any number of them, all at once.
pub fn summon(d: &mut Duel, who: Seat) -> Flow {
    let Some(scales) = scales(d, who) else { return Ok(()) };
    d.under(ygo!("2.4.13.2", Frame), |d| {
        let (mut of, mut barred) = (candidates(d, who, scales), Vec::new());
        for card in of.clone() {
            if is_barred(d, who, card)? {
                of.retain(|other| *other != card);
                barred.push((Thing::Card(card), ygo!("3.3.8.1", Limit)));
            }
        }
        let things: Vec<Thing> = of.iter().map(|c| Thing::Card(*c)).collect();
        let max = things.len();
        let mut question = Question::new(who, Word("モンスター"), Asks::Choose { of: things, min: 1, max });
        question = question.citing(ygo!("2.4.13.2", Frame));
        question.refused = barred;
        for card in hand(d, who) {
            if !of.contains(&card)
                && let Some((cite, _)) = unfit(d, card, scales)
            {
                question.refused.push((Thing::Card(card), cite));
            }
        }
        question.whole = together(d, who, &of);
        let chosen: Vec<Ref> = d.ask(question)?.into_iter().map(|i| of[i as usize]).collect();
        if places(d, who, &chosen).is_none() {
            let from_hand = chosen.iter().all(|c| in_hand(d, who, *c));
            let cite = if from_hand { ygo!("2.4.13.2", Limit) } else { ygo!("2.4.14.3", Limit) };
            let refusal = Refusal {
                what: "ペンデュラム召喚".into(),
                cite: Some(cite),
                why: "出せるゾーンの数を超えている".into(),
            };
            return Err(Halt::Refused(Box::new(refusal)));
        }
        *d.aside().seat(who, PENDULUM) += 1;
        let events = placed(d, who, chosen)?;
        let cards: Vec<Ref> = events.iter().filter_map(|e| e.card).collect();
        if super::negation::negated(d, &cards)? {
            return Ok(());
        }
        for to in events.iter().filter_map(|e| e.to) {
            super::negation::still_free(d, to)?;
        }
        d.happen(events)
    })
}

/// The sets that have room together; of very many only those of one.
fn together(d: &mut Duel, who: Seat, of: &[Ref]) -> Vec<Vec<i32>> {
    let n = if of.len() > 10 { 1 } else { of.len() };
    let mut found = Vec::new();
    for bits in 1u32..1 << of.len().min(20) {
        if bits.count_ones() as usize > n {
            continue;
        }
        let set: Vec<usize> = (0..of.len()).filter(|i| bits & 1 << i != 0).collect();
        let cards: Vec<Ref> = set.iter().map(|i| of[*i]).collect();
        if places(d, who, &cards).is_some() {
            found.push(set.into_iter().map(|i| i as i32).collect());
        }
    }
    found
}

/// 2.4.6.1: nothing lies there yet, and of the two extra zones one player uses one.
fn beside(d: &Duel, taken: &[ZoneId], zone: ZoneId) -> bool {
    let extra = |z: &ZoneId| super::places::EXTRA_ZONES.contains(z) && d.on(ygo!("2.4.6.1", Limit));
    !(taken.contains(&zone) || extra(&zone) && taken.iter().any(extra))
}

/// Each is given its zone and its position; those from the extra deck, who have less choice, first.
fn placed(d: &mut Duel, who: Seat, mut chosen: Vec<Ref>) -> Flow<Vec<Event>> {
    chosen.sort_by_key(|card| in_hand(d, who, *card));
    let mut events = Vec::new();
    let mut taken: Vec<ZoneId> = Vec::new();
    for (at, card) in chosen.iter().enumerate() {
        let mut zones = Vec::new();
        for z in landing::zones(d, who, *card, &[]) {
            // What is left must still have room.
            let rest = chosen[at + 1..].to_vec();
            let mut held = taken.clone();
            held.push(z);
            if beside(d, &taken, z) && fits_beside(d, who, &rest, &held) {
                zones.push(z);
            }
        }
        let Some(to) = landing::ask(d, who, *card, zones)? else { continue };
        taken.push(to);
        let state = position(d, who, *card, None, ygo!("1.3.4.4", Limit))?;
        events.push(arriving(d, who, *card, to, state, Word("ペンデュラム召喚"), Cause::RULE));
    }
    Ok(events)
}

fn fits_beside(d: &mut Duel, who: Seat, rest: &[Ref], held: &[ZoneId]) -> bool {
    let Some((first, later)) = rest.split_first() else { return true };
    landing::zones(d, who, *first, &[]).into_iter().any(|z| {
        let mut more = held.to_vec();
        more.push(z);
        beside(d, held, z) && fits_beside(d, who, later, &more)
    })
}
