//! 104.6: a number of a card that has become another has grown or fallen, whatever the reason.

use super::schema::at;
use super::zones::all_entities;
use crate::card::Word;
use crate::kernel::{Duel, Event, Flow, Ref, Seat};

/// The numbers that are watched, with what is said when they grow and when they fall.
const WATCHED: [(usize, &str, &str); 4] = [
    (at::ATK, "ATKの増加", "ATKの減少"),
    (at::DEF, "DEFの増加", "DEFの減少"),
    (at::LEVEL, "レベルの増加", "レベルの減少"),
    (at::COST, "コストの増加", "コストの減少"),
];

/// A number that grows or falls is an event of that name.
pub fn is_one(event: Word) -> bool {
    WATCHED.iter().any(|(_, more, less)| event == *more || event == *less)
}

/// When a duel begins: if any text waits for it, the numbers as they are.
pub fn open(d: &mut Duel) {
    let speaks = |def: &std::sync::Arc<crate::kernel::Def>| {
        let text = format!("{:?}", def.card.abilities);
        WATCHED.iter().any(|(_, more, less)| text.contains(more) || text.contains(less))
    };
    if d.given.defs.iter().any(speaks) {
        let now = numbers(d);
        *d.aside().numbers() = Some(now);
    }
}

fn numbers(d: &mut Duel) -> Vec<(Ref, Vec<Option<i32>>)> {
    let cards: Vec<Ref> = Seat::BOTH.into_iter().flat_map(|seat| all_entities(d, seat)).collect();
    let of = |seen: &crate::kernel::Seen| WATCHED.iter().map(|(at, ..)| seen.number(*at)).collect();
    cards.into_iter().map(|card| (card, of(&d.seen(card)))).collect()
}

/// Says which numbers of entities have become others since they were last looked at.
pub fn watch(d: &mut Duel) -> Flow {
    if d.t.numbers.is_none() {
        return Ok(());
    }
    let now = numbers(d);
    let before = d.aside().numbers().replace(now.clone()).unwrap_or_default();
    let mut events = Vec::new();
    for (card, numbers) in now {
        // What has just come into play had no number there before.
        let Some((_, old)) = before.iter().find(|(other, _)| *other == card) else { continue };
        for ((was, now), (_, more, less)) in old.iter().zip(&numbers).zip(WATCHED) {
            let (Some(was), Some(now)) = (was, now) else { continue };
            if was == now {
                continue;
            }
            let name = if now > was { more } else { less };
            let amount = i32::try_from(now.abs_diff(*was)).unwrap_or(i32::MAX);
            let controller = d.t.obj(card.id).controller;
            events.push(Event { amount, ..Event::about(Word(name), card).seat(controller) });
        }
    }
    if events.is_empty() || !d.applies(msd!("104.6", Meaning), |_| "値が変わった".into()) {
        return Ok(());
    }
    d.happen(events)
}
