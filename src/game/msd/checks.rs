//! 1200: rule processes, and what cannot be on a table.

use super::schema::{ATTRIBUTES, FAILED, FIRST_ODO, at};
use super::setup;
use super::zones::{FIELD, Own, entities, is_kind, zone};
use crate::card::{Change, Datum, ENDLESS, Value, Word};
use crate::kernel::{Cite, Duel, Event, Flow, Ref, Seat};

/// 602.1a: one round of rule processes. Whether there were any.
pub fn rules(d: &mut Duel) -> Flow<bool> {
    Ok(losses(d)? | uneven(d)? | forsaken(d)?)
}

/// The number stands on the card so.
pub fn is_printed(d: &Duel, card: Ref, at: usize, n: i32) -> bool {
    let name = if at == at::ATK { Word("ATK") } else { Word("DEF") };
    matches!(d.card(card).data.get(&name), Some(Datum::Number(printed)) if *printed == n)
}

/// 1203.1, reading C6: what no continuous effect made uneven is changed for good.
fn uneven(d: &mut Duel) -> Flow<bool> {
    let cite = msd!("1203.1", Check);
    let mut any = false;
    for (monster, name, n) in uneven_numbers(d) {
        // Reading C6: by the one what is printed uneven, by the other what has become so, counted on from there.
        let changed = d.reading(msd!("C6", Reading), "a") == "b";
        let part = n.rem_euclid(100);
        let up = n.checked_add(100 - part).unwrap_or(n.saturating_sub(part));
        if d.applies(cite, |d| format!("{}の{name}を{up}に切り上げる", d.card_name(monster))) {
            if changed {
                become_now(d, monster, name, up);
            } else {
                super::activate::hold(d, monster, vec![Change::Base(Word(name), Value::Number(up))]);
            }
            any = true;
        }
    }
    Ok(any)
}

/// The number is that much from now on, whatever applies after what sets it.
fn become_now(d: &mut Duel, monster: Ref, name: &'static str, n: i32) {
    let at = if name == "ATK" { at::ATK } else { at::DEF };
    let mut set = |n: i32| {
        super::activate::hold(d, monster, vec![Change::Set(Word(name), Value::Number(n))]);
        d.seen(monster).number(at).unwrap_or(n)
    };
    let more = set(n).saturating_sub(n);
    if more != 0 {
        set(n.saturating_sub(more));
    }
}

/// Something would be done by [`rules`].
pub fn due(d: &mut Duel) -> bool {
    Seat::BOTH.iter().any(|s| d.t.seats[s.index()][FAILED] > 0) && d.on(msd!("1202.1", Check))
        || !godless(d).is_empty() && d.on(msd!("1204.1", Check))
        || d.on(msd!("1203.1", Check)) && !uneven_numbers(d).is_empty()
}

/// 怪異 with numbers that are not hundreds: which, by which name, how much.
fn uneven_numbers(d: &mut Duel) -> Vec<(Ref, &'static str, i32)> {
    let monsters: Vec<Ref> = Seat::BOTH.into_iter().flat_map(|s| entities(d, s, "怪異")).collect();
    let both = monsters.into_iter().flat_map(|m| [(m, "ATK", at::ATK), (m, "DEF", at::DEF)]);
    let found: Vec<_> = both.filter_map(|(m, name, at)| Some((m, name, d.seen(m).number(at)?))).collect();
    found.into_iter().filter(|(.., n)| n.rem_euclid(100) != 0 && *n != ENDLESS).collect()
}

/// 1202.1, 103: who could not draw in the draw phase loses; both at once is a draw.
fn losses(d: &mut Duel) -> Flow<bool> {
    let losers: Vec<Seat> = Seat::BOTH.into_iter().filter(|s| d.t.seats[s.index()][FAILED] > 0).collect();
    if losers.is_empty() {
        return Ok(false);
    }
    for seat in &losers {
        *d.aside().seat(*seat, FAILED) = 0;
    }
    d.step(msd!("1202.1", Check), |d| setup::lose(d, &losers))?;
    Ok(true)
}

/// Reading C1: 神 are a kind.
fn godless(d: &mut Duel) -> Vec<Ref> {
    let gods = Seat::BOTH.into_iter().flat_map(|s| entities(d, s, "神")).collect::<Vec<_>>();
    gods.into_iter().filter(|g| d.t.obj(g.id).marked(Word("神力")) == 0).collect()
}

/// 1204.1: a 神 without 神力 counters is discarded, not destroyed.
fn forsaken(d: &mut Duel) -> Flow<bool> {
    let gods = godless(d);
    if gods.is_empty() || !d.on(msd!("1204.1", Check)) {
        return Ok(false);
    }
    d.under(msd!("1204.1", Check), |d| {
        let mut events = Vec::new();
        for god in gods {
            let owner = d.t.obj(god.id).owner;
            let mut event: Event = d.moving(god, zone(Own::Graveyard, owner));
            event.how = Word("破棄");
            events.push(event);
        }
        Ok(d.propose(events)?.any())
    })
}

/// More odo than any game gives: each point is looked at whenever something is paid.
const MOST_ODO: i64 = 300;

/// 307.1, 308.1, 1204.1: what a board cannot be.
pub fn unlawful(d: &mut Duel) -> Option<(&'static Cite, String)> {
    if !d.t.zone(FIELD).is_empty() {
        return Some((msd!("306.1", Frame), "戦場のカードは怪異ゾーンか魔法少女ゾーンに置く".into()));
    }
    for seat in Seat::BOTH {
        let odo = d.t.seats[seat.index()][FIRST_ODO..=FIRST_ODO + ATTRIBUTES.len()]
            .iter()
            .map(|n| i64::from(*n))
            .sum::<i64>();
        if odo > MOST_ODO {
            return Some((msd!("907.1", Frame), format!("オドは合わせて{MOST_ODO}点まで")));
        }
    }
    let view = d.look();
    for seat in Seat::BOTH {
        for id in d.t.zone(zone(Own::Monsters, seat)).iter().filter(|id| d.t.obj(**id).host.is_none()) {
            let seen = &view.cards[id.0 as usize];
            if !["怪異", "結界", "神"].iter().any(|kind| is_kind(seen, kind)) && !seen.words(at::KIND).is_empty() {
                return Some((msd!("307.1", Frame), format!("{}は怪異ゾーンに置けない", seen.name())));
            }
            if d.t.obj(*id).state == super::schema::REVERSED && !is_kind(seen, "怪異") {
                return Some((msd!("307.3", Limit), format!("{}にリバース状態はない", seen.name())));
            }
        }
        for id in d.t.zone(zone(Own::Girls, seat)).iter().filter(|id| d.t.obj(**id).host.is_none()) {
            let seen = &view.cards[id.0 as usize];
            if !is_kind(seen, "魔法少女") && !seen.words(at::KIND).is_empty() {
                return Some((msd!("308.1", Frame), format!("{}は魔法少女ゾーンに置けない", seen.name())));
            }
            if d.t.obj(*id).state == super::schema::REVERSED {
                return Some((msd!("308.3", Frame), "魔法少女にリバース状態はない".into()));
            }
        }
    }
    let god = godless(d).into_iter().next()?;
    Some((msd!("1204.1", Check), format!("{}に神力カウンターがない", d.card_name(god))))
}
