//! Reading C53: negating a summon. The document names neither the time for it nor what comes of it: what is generally
//! held is done. The monster is not on the field yet; only texts for this time are used, and quick ones in answer to them.

use super::priority;
use super::schema::{NEGATED, SUMMONING};
use crate::card::Word;
use crate::kernel::{Context, Duel, Flow, Ref, Seat};

/// The time at which a summon can be negated.
pub const TIME: Word = Word("召喚する際");

/// What was done in the middle of a summon has taken the zone that was meant for the monster.
pub fn still_free(d: &Duel, to: crate::kernel::ZoneId) -> Flow {
    if d.t.zone(to).is_empty() {
        return Ok(());
    }
    d.undecided("召喚の途中で、出す先のゾーンが埋まった場合の定めがない", &["ygo:C53"])
}

/// Whether the summon of these monsters, all at once, is negated.
pub fn negated(d: &mut Duel, cards: &[Ref]) -> Flow<bool> {
    let timed = |a: &crate::card::Ability| a.timing.is_some_and(|t| t == TIME);
    if d.look().gained.is_empty() && !d.given.defs.iter().any(|def| def.card.abilities.iter().any(timed)) {
        return Ok(false);
    }
    for card in cards {
        *d.fact_in_view(card.id, SUMMONING) = 1;
    }
    d.open(Context { step: TIME, ..Context::default() });
    let mut asked = Vec::new();
    for seat in [d.t.active, d.t.active.other()] {
        // Nobody is stopped in the middle of a summon who has nothing for it.
        if priority::could(d, seat) {
            asked.push(seat);
        }
    }
    if !asked.is_empty() && d.reading(ygo!("C53", Reading), "a") != "b" {
        answer(d, &asked)?;
    }
    d.close();
    d.give_priority(None);
    let done = std::mem::take(d.aside().fact(NEGATED)) > 0;
    for card in cards {
        *d.fact_in_view(card.id, SUMMONING) = 0;
    }
    if done && cards.iter().any(|card| d.t.is_now(*card)) {
        return d.undecided("召喚を無効にされたモンスターの行き先の定めがない", &["ygo:C53"]);
    }
    Ok(done)
}

fn answer(d: &mut Duel, seats: &[Seat]) -> Flow {
    for seat in seats {
        if d.t.facts[NEGATED] == 0 && priority::could(d, *seat) && priority::begin(d, *seat)? {
            return answer(d, seats);
        }
    }
    Ok(())
}

/// What a text does that negates the summon.
pub fn negate(d: &mut Duel) -> Flow<bool> {
    if !priority::in_step(d, &TIME) {
        return d.undecided("召喚を無効にする時ではない", &["ygo:C53"]);
    }
    d.cites(ygo!("C53", Reading), |_| "召喚は無効になり、成功しなかった".into());
    *d.aside().fact(NEGATED) = 1;
    Ok(true)
}
