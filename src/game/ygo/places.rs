//! 1.1.3: the field, the places that zones make up, and what lies there.

use super::schema::{MONSTER_ZONES, SPEED, SPELL_ZONES, schema};
use crate::card::Word;
use crate::kernel::{Asks, CardId, Cite, Duel, Flow, Question, Ref, Seat, Thing, ZoneId};

pub fn zone(name: &str, owner: Seat) -> ZoneId {
    schema().zone(name, Some(owner)).expect("a zone of the schema")
}

pub fn is_field(zone: ZoneId) -> bool {
    schema().spec(zone).board
}

/// 1.1.3.3, 1.1.3.11: main and extra monster zones.
pub fn is_monster_zone(zone: ZoneId) -> bool {
    let spec = schema().spec(zone);
    spec.board && spec.states
}

pub fn is_spell_zone(zone: ZoneId) -> bool {
    SPELL_ZONES.contains(&schema().spec(zone).name)
}

/// Whether the zone lies in the place.
pub fn inside(zone: ZoneId, place: Word) -> bool {
    match place.as_str() {
        "フィールド" => is_field(zone),
        "モンスターゾーン" => is_monster_zone(zone),
        "メインモンスターゾーン" => is_monster_zone(zone) && schema().spec(zone).owner.is_some(),
        "魔法&罠ゾーン" => is_spell_zone(zone),
        "ペンデュラムゾーン" => [SPELL_ZONES[0], SPELL_ZONES[4]].contains(&schema().spec(zone).name),
        "エクストラモンスターゾーン" => is_monster_zone(zone) && schema().spec(zone).owner.is_none(),
        name => schema().spec(zone).name == name,
    }
}

/// 1.9: a speed duel.
pub fn is_speed(d: &Duel) -> bool {
    d.t.facts[SPEED] > 0
}

/// 1.9.3.2, 1.9.3.4, 1.9.3.6, C20: in a speed duel the outer places of both rows are not used, and by another reading
/// the extra monster zones neither.
pub fn in_use(d: &Duel, zone: ZoneId) -> bool {
    if !is_speed(d) {
        return true;
    }
    let name = schema().spec(zone).name;
    let outer = |row: &[&str; 5]| row[0] == name || row[4] == name;
    if outer(&MONSTER_ZONES) {
        return !d.on(ygo!("1.9.3.2", Limit));
    }
    if outer(&SPELL_ZONES) {
        return !d.on(ygo!("1.9.3.4", Limit));
    }
    schema().spec(zone).owner.is_some() || d.settings_reading("C20") != "b"
}

/// The clause that bounds a row of places.
pub fn room_for_monsters(d: &Duel, who: Seat) -> &'static Cite {
    let token = |id: &CardId| super::kinds::printed(d, d.t.now(*id), "トークン");
    if is_speed(d) {
        ygo!("1.9.3.2", Limit)
    } else if main_zones(who).iter().any(|z| d.t.zone(*z).iter().any(token)) {
        // Tokens count among the five.
        ygo!("3.3.2.3", Limit)
    } else {
        ygo!("1.1.3.3", Limit)
    }
}

/// 3.3.22.5: pendulums in their zones count among the five.
pub fn room_for_spells(d: &mut Duel, who: Seat) -> &'static Cite {
    let outer = [SPELL_ZONES[0], SPELL_ZONES[4]].map(|name| d.t.zone(zone(name, who)).first().map(|id| d.t.now(*id)));
    if is_speed(d) {
        ygo!("1.9.3.4", Limit)
    } else if outer.into_iter().flatten().any(|card| super::kinds::printed(d, card, "ペンデュラムモンスター"))
    {
        ygo!("3.3.22.5", Limit)
    } else {
        ygo!("1.1.3.4", Limit)
    }
}

/// The places of a row that are free.
pub fn free(d: &Duel, names: &[&str], seat: Seat) -> Vec<ZoneId> {
    let zones = names.iter().map(|name| zone(name, seat));
    zones.filter(|z| d.t.zone(*z).is_empty() && in_use(d, *z)).collect()
}

/// 1.1.3.3: a player's five.
pub fn main_zones(seat: Seat) -> Vec<ZoneId> {
    MONSTER_ZONES.iter().map(|name| zone(name, seat)).collect()
}

pub fn free_monster_zones(d: &Duel, seat: Seat) -> Vec<ZoneId> {
    free(d, &MONSTER_ZONES, seat)
}

pub fn free_spell_zones(d: &Duel, seat: Seat) -> Vec<ZoneId> {
    free(d, &SPELL_ZONES, seat)
}

/// Which of the free places; nobody minds unless the column matters.
pub fn which(d: &mut Duel, seat: Seat, zones: Vec<ZoneId>, card: Ref) -> Flow<Option<ZoneId>> {
    if zones.is_empty() {
        return Ok(None);
    }
    let of = zones.iter().map(|z| Thing::Zone(*z)).collect();
    let mut question = Question::new(seat, Word("ゾーン"), Asks::Choose { of, min: 1, max: 1 }).about(Some(card));
    question.minor = true;
    Ok(d.ask(question)?.first().map(|i| zones[*i as usize]))
}

/// The monsters a player controls, in the order of zones.
pub fn monsters(d: &mut Duel, seat: Seat) -> Vec<Ref> {
    let view = d.look();
    let mut found = Vec::new();
    for z in schema().board().filter(|z| is_monster_zone(*z)) {
        let own = d.t.zone(z).iter().filter(|id| view.cards[id.0 as usize].controller == seat);
        found.extend(own.map(|id| d.t.now(*id)));
    }
    found
}

/// The cards in a player's hand.
pub fn hand(d: &Duel, seat: Seat) -> Vec<Ref> {
    d.t.zone(zone("手札", seat)).iter().map(|id| d.t.now(*id)).collect()
}
