//! What was left out or taken for granted, so that nobody relies on more than was done.

use super::decide;
use super::run::{Desk, Played};
use crate::card::{Part, Parts, Step, Word};
use crate::kernel::{Rule, Seat, ZoneId};
use crate::scenario::Ready;

/// The zones in which cards lie that the board gave no name.
pub fn bare(ready: &Ready) -> Vec<String> {
    let schema = ready.book.schema();
    let filled = |name: &str| schema.fill.iter().any(|(zone, _)| *zone == name);
    let zones = schema.zones.iter().enumerate().filter(|(_, spec)| !filled(spec.name));
    let table = &ready.given.table;
    let bare = zones.filter(|(at, _)| table.zone(ZoneId(*at as u8)).iter().any(|id| table.obj(*id).def == 0));
    bare.map(|(_, spec)| format!("{}{}", spec.owner.map_or("", |o| schema.seats[o.index()]), spec.name)).collect()
}

/// Texts that are not encoded, cards that were filled in, chance and readings that were taken as they come.
pub fn omitted(desk: &Desk, played: &Played) -> Vec<String> {
    let ready = &played.ready;
    let schema = ready.book.schema();
    let mut found = Vec::new();
    for def in &ready.given.defs {
        for text in &def.card.unencoded {
            found.push(format!("{}の「{text}」は動かしていない", def.name()));
        }
    }
    let given = desk.scenario.file.given.as_ref();
    let said = |seat: Seat, zone: &str| {
        let node = given.and_then(|g| g.get(schema.seats[seat.index()]));
        node.is_some_and(|n| n.get(zone).is_some())
    };
    for (zone, n) in schema.fill {
        let left: Vec<&str> =
            Seat::BOTH.into_iter().filter(|s| !said(*s, zone)).map(|s| schema.seats[s.index()]).collect();
        if !left.is_empty() {
            found.push(format!("{}の{zone}は名のない{n}枚とした", left.join("・")));
        }
    }
    let bare = bare(ready);
    if !bare.is_empty() {
        found.push(format!("{}の名のないカードは、色もデータも能力もないものとした", bare.join("・")));
    }
    // Where counters of any name may do something, one of which no card says what it does does nothing.
    if schema.words.markers.contains(&"～カウンター") {
        let gives = |name: Word| {
            let gives = |part: Part| matches!(part, Part::Step(Step::Mark { name: of, each, .. }) if *of == name && !each.is_empty());
            ready.given.defs.iter().any(|def| def.card.abilities.has_part(gives))
        };
        let mut silent: Vec<Word> = Vec::new();
        for (name, _) in ready.given.table.ids().flat_map(|id| ready.given.table.obj(id).marks.iter()) {
            if name.ends_with("カウンター") && !silent.contains(name) && !gives(*name) {
                silent.push(*name);
            }
        }
        for name in silent {
            found.push(format!(
                "{name}は何の修正も与えないものとした（与えるなら、cards: のカードの mark に each: で書く）"
            ));
        }
    }
    if played.attempt.run.trace().entries.iter().any(|e| e.text.starts_with("偶然の")) {
        found.push("偶然は、書かれていなければ並んでいる順とした".into());
    }
    for cite in decide::assumed(&played.attempt) {
        debug_assert_eq!(cite.rule, Rule::Reading);
        let chosen = played.settings.readings.iter().find(|(id, _)| id == cite.clause).map(|(_, key)| key.clone());
        let default = desk.shelf().readings().iter().find(|r| r.id.clause.as_str() == cite.clause);
        let default = default.map(|r| r.default.clone());
        match (chosen, default) {
            (Some(key), _) => found.push(format!("{}は{key}と読んだ", cite.id())),
            (None, Some(key)) => found.push(format!("{}は既定の{key}と読んだ", cite.id())),
            (None, None) => {}
        }
    }
    found
}
