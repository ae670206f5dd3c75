//! 1.1.3: the field, the places that zones make up, and what lies there.

#[cfg(test)]
use super::schema::{LEFT, RIGHT};
use super::schema::{MATERIALS, MONSTER_ZONES, SIDE, SPEED, SPELL_ZONES, schema};
use crate::card::Word;
use crate::kernel::{Asks, CardId, Cite, Duel, Flow, Question, Ref, Seat, Thing, ZoneId};

/// The zones of a player in the order of the schema: they are looked for all the time.
const OWN: [&str; 18] = [
    "デッキ",
    "エクストラデッキ",
    "手札",
    "墓地",
    "除外",
    SIDE,
    MATERIALS,
    MONSTER_ZONES[0],
    SPELL_ZONES[0],
    MONSTER_ZONES[1],
    SPELL_ZONES[1],
    MONSTER_ZONES[2],
    SPELL_ZONES[2],
    MONSTER_ZONES[3],
    SPELL_ZONES[3],
    MONSTER_ZONES[4],
    SPELL_ZONES[4],
    "フィールドゾーン",
];
const FIRST_MONSTER: u8 = 7;
const FIRST_SPELL: u8 = 8;

#[inline]
fn own(at: u8, owner: Seat) -> ZoneId {
    ZoneId(owner.0 * OWN.len() as u8 + at)
}

#[inline]
pub fn zone(name: &str, owner: Seat) -> ZoneId {
    let at = OWN.iter().position(|own| *own == name).expect("a zone of the schema");
    own(at as u8, owner)
}

/// 2.4.6: the left and the right extra monster zone.
pub const EXTRA_ZONES: [ZoneId; 2] = [ZoneId(37), ZoneId(38)];

pub fn is_field(zone: ZoneId) -> bool {
    schema().spec(zone).board
}

/// 1.1.3.3, 1.1.3.11: main and extra monster zones.
pub fn is_monster_zone(zone: ZoneId) -> bool {
    let spec = schema().spec(zone);
    spec.board && spec.states
}

pub fn is_spell_zone(zone: ZoneId) -> bool {
    let at = zone.0 % OWN.len() as u8;
    zone.0 < EXTRA_ZONES[0].0 - 1 && at >= FIRST_SPELL && at.is_multiple_of(2)
}

/// Whether the zone lies in the place.
pub fn inside(zone: ZoneId, place: Word) -> bool {
    match place.as_str() {
        "フィールド" => {
            let _ = ygo!("4.1.4.1", Frame);
            is_field(zone)
        }
        "モンスターゾーン" => is_monster_zone(zone),
        "メインモンスターゾーン" => is_monster_zone(zone) && schema().spec(zone).owner.is_some(),
        "魔法&罠ゾーン" => is_spell_zone(zone),
        "ペンデュラムゾーン" => SPELLS.iter().any(|row| zone == row[0] || zone == row[4]),
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
fn free(d: &Duel, row: [ZoneId; 5]) -> Vec<ZoneId> {
    row.into_iter().filter(|z| d.t.zone(*z).is_empty() && in_use(d, *z)).collect()
}

const fn row(first: u8) -> [[ZoneId; 5]; 2] {
    let mut rows = [[ZoneId(0); 5]; 2];
    let mut at = 0;
    while at < 10 {
        rows[at / 5][at % 5] = ZoneId((at / 5 * OWN.len() + at % 5 * 2) as u8 + first);
        at += 1;
    }
    rows
}

const MONSTERS: [[ZoneId; 5]; 2] = row(FIRST_MONSTER);
const SPELLS: [[ZoneId; 5]; 2] = row(FIRST_SPELL);

/// 1.1.3.3: a player's five.
pub fn main_zones(seat: Seat) -> [ZoneId; 5] {
    MONSTERS[seat.index()]
}

/// 1.1.3.4: the five for spells and traps.
pub fn spell_zones(seat: Seat) -> [ZoneId; 5] {
    SPELLS[seat.index()]
}

/// Every other zone of the field, in the order of the schema.
pub fn other_zones() -> impl Iterator<Item = ZoneId> {
    Seat::BOTH.into_iter().flat_map(|seat| SPELLS[seat.index()].into_iter().chain([zone("フィールドゾーン", seat)]))
}

/// Every monster zone there is, in the order of the schema.
pub fn monster_zones() -> std::array::IntoIter<ZoneId, 12> {
    let ([[a, b, c, d, e], [f, g, h, i, j]], [left, right]) = (MONSTERS, EXTRA_ZONES);
    [a, b, c, d, e, f, g, h, i, j, left, right].into_iter()
}

pub fn free_monster_zones(d: &Duel, seat: Seat) -> Vec<ZoneId> {
    free(d, MONSTERS[seat.index()])
}

pub fn free_spell_zones(d: &Duel, seat: Seat) -> Vec<ZoneId> {
    free(d, SPELLS[seat.index()])
}

/// Which of the free places; nobody minds unless the column matters.
pub fn which(d: &mut Duel, seat: Seat, zones: Vec<ZoneId>, card: Ref) -> Flow<Option<ZoneId>> {
    which_of(d, seat, zones, card, Vec::new())
}

/// The same, with the clauses by which it is none of the others.
pub fn which_of(
    d: &mut Duel,
    seat: Seat,
    zones: Vec<ZoneId>,
    card: Ref,
    others: Vec<(Thing, &'static Cite)>,
) -> Flow<Option<ZoneId>> {
    if zones.is_empty() {
        return Ok(None);
    }
    let of = zones.iter().map(|z| Thing::Zone(*z)).collect();
    let mut question = Question::new(seat, Word("ゾーン"), Asks::Choose { of, min: 1, max: 1 }).about(Some(card));
    question.minor = true;
    question.refused = others;
    Ok(d.ask(question)?.first().map(|i| zones[*i as usize]))
}

/// The monsters a player controls, in the order of zones.
pub fn monsters(d: &mut Duel, seat: Seat) -> Vec<Ref> {
    let view = d.look();
    let mut found = Vec::with_capacity(6);
    for zone in monster_zones() {
        let own = d.t.zone(zone).iter().filter(|id| view.cards[id.0 as usize].controller == seat);
        found.extend(own.map(|id| d.t.now(*id)));
    }
    found
}

/// The card is one of those.
pub fn has_monster(d: &mut Duel, seat: Seat, card: Ref) -> bool {
    d.t.is_now(card) && is_monster_zone(d.t.obj(card.id).zone) && d.glance(card).controller == seat
}

/// The card is in the player's hand.
pub fn in_hand(d: &Duel, seat: Seat, card: Ref) -> bool {
    d.t.is_now(card) && d.t.obj(card.id).zone == zone("手札", seat)
}

/// The cards in a player's hand.
pub fn hand(d: &Duel, seat: Seat) -> Vec<Ref> {
    d.t.zone(zone("手札", seat)).iter().map(|id| d.t.now(*id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_where_the_schema_has_them() {
        for seat in Seat::BOTH {
            for name in OWN {
                assert_eq!(Some(zone(name, seat)), schema().zone(name, Some(seat)), "{name}");
            }
            assert_eq!(main_zones(seat), MONSTER_ZONES.map(|name| zone(name, seat)));
            assert_eq!(spell_zones(seat), SPELL_ZONES.map(|name| zone(name, seat)));
        }
        assert_eq!(EXTRA_ZONES.map(Some), [LEFT, RIGHT].map(|name| schema().zone(name, None)));
        for (at, spec) in schema().zones.iter().enumerate() {
            assert_eq!(is_spell_zone(ZoneId(at as u8)), SPELL_ZONES.contains(&spec.name), "{}", spec.name);
        }
        let all: Vec<ZoneId> = schema().board().filter(|z| is_monster_zone(*z)).collect();
        assert_eq!(monster_zones().collect::<Vec<_>>(), all);
        let rest: Vec<ZoneId> = schema().board().filter(|z| !is_monster_zone(*z)).collect();
        assert_eq!(other_zones().collect::<Vec<_>>(), rest);
    }
}
