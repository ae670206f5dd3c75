//! 301–314: which zone is meant, whose a card is, and what it is where its front does not count.

use std::sync::{Arc, OnceLock};

pub use super::schema::{CHASE, FIELD, Own, zone};
use super::schema::{TOKEN, at, schema};
use crate::card::{Ability, Card, Datum, Kind, NAME, Step, Word};
use crate::kernel::view::Data;
use crate::kernel::{CardId, Duel, Obj, Ref, Seat, Seen, Table, ZoneId};

/// 306.1: the two zones of each player make up the battlefield.
pub fn in_play(zone: ZoneId) -> bool {
    schema().spec(zone).board
}

pub fn is(zone: ZoneId, own: Own) -> bool {
    Seat::BOTH.into_iter().any(|seat| self::zone(own, seat) == zone)
}

pub fn inside(zone: ZoneId, place: Word) -> bool {
    match place.as_str() {
        "戦場" | "ストック" => in_play(zone),
        name => schema().spec(zone).name == name,
    }
}

/// The zone a word names: the owner's (302.5), or the shared one.
pub fn home(place: Word, owner: Seat) -> Option<ZoneId> {
    schema().zone(&place, Some(owner)).or_else(|| schema().zone(&place, None))
}

pub fn is_kind(seen: &Seen, kind: &str) -> bool {
    seen.words(at::KIND).iter().any(|w| *w == kind)
}

/// The entities of a kind that a player controls, in the order of arrival in the zones.
pub fn entities(d: &mut Duel, seat: Seat, kind: &str) -> Vec<Ref> {
    let view = d.look();
    let zones = [zone(Own::Monsters, seat), zone(Own::Girls, seat)];
    let fits = |id: &&CardId| d.t.obj(**id).host.is_none() && is_kind(&view.cards[id.0 as usize], kind);
    zones.iter().flat_map(|z| d.t.zone(*z).iter().filter(fits)).map(|id| d.t.now(*id)).collect()
}

/// All entities of a player.
pub fn all_entities(d: &Duel, seat: Seat) -> Vec<Ref> {
    let zones = [zone(Own::Monsters, seat), zone(Own::Girls, seat)];
    let own = |id: &&CardId| d.t.obj(**id).host.is_none();
    zones.iter().flat_map(|z| d.t.zone(*z).iter().filter(own)).map(|id| d.t.now(*id)).collect()
}

/// 306.2: the cards under an entity.
pub fn stock(d: &Duel, host: CardId) -> Vec<Ref> {
    d.t.laid_with(host).map(|id| d.t.now(id)).collect()
}

/// 202.3, 202.3a: the caster's name of a 魔法少女, the last of its names; nothing where it has none (504.1b).
pub fn caster(seen: &Seen) -> Option<Word> {
    is_kind(seen, "魔法少女").then(|| seen.names.last().copied()).flatten()
}

/// The player controls a 魔法少女 with that caster's name.
pub fn has_caster(d: &mut Duel, seat: Seat, name: Option<Word>) -> bool {
    let girls = entities(d, seat, "魔法少女");
    name.is_some() && girls.into_iter().any(|girl| caster(&d.seen(girl)) == name)
}

/// 907.6: what every 魔法少女 has.
pub fn common_ability() -> Ability {
    Ability {
        kind: Kind::Activated,
        cost: vec![Step::Turn { what: Some(Word("this")), all: None, state: Word("レスト"), slot: None }],
        steps: vec![Step::Act {
            name: Word("オドを生み出す"),
            who: None,
            what: Some(Word("this")),
            count: None,
            slot: None,
        }],
        clauses: super::keywords::given(msd!("907.6", Meaning)),
        ..Ability::default()
    }
}

/// 306.6, 504.1b: face down in the zone of the 魔法少女 a card is a nameless one of level 1 without attribute.
pub fn face(card: &Obj) -> Option<&'static [Arc<Seen>; 2]> {
    static FACE: OnceLock<[Arc<Seen>; 2]> = OnceLock::new();
    let down = !card.face_up && is(card.zone, Own::Girls) && card.host.is_none();
    down.then(|| {
        FACE.get_or_init(|| {
            Seat::BOTH.map(|controller| {
                let mut data = vec![Data::None; schema().words.data.len()];
                data[at::KIND] = Data::Words(vec![Word("魔法少女")].into());
                data[at::LEVEL] = Data::Number(1);
                data[at::COST] = Data::Number(0);
                data[at::ABILITY_COST] = Data::Price(crate::card::Price(Vec::new()));
                let abilities = vec![Arc::new(Ability { id: 1, ..common_ability() })].into();
                let kinds = crate::kernel::view::Kinds { activated: true, ..Default::default() };
                Arc::new(Seen { names: Default::default(), data, abilities, controller, kinds, muted: false })
            })
        })
    })
}

/// 202.1: the name on the card, which is what the board calls it unless it says otherwise.
pub fn printed_name(card: &Card) -> Word {
    match card.data.get(&Word(NAME)) {
        Some(Datum::Words(names)) => names.first().copied().unwrap_or(card.name),
        _ => card.name,
    }
}

/// 202.3: the part of a card name before the version.
pub fn caster_name(name: Word) -> Word {
    match name.split_once('（') {
        Some((caster, _)) if !caster.is_empty() => Word::new(caster),
        _ => name,
    }
}

/// 1302: it was made in play.
pub fn is_token(t: &Table, card: Ref) -> bool {
    t.obj(card.id).facts[TOKEN] == 1
}
