//! 301, 303–309: zones, and the cards on the field.

use super::schema::{DESTROYED, KIND, at, schema};
use crate::card::Word;
use crate::kernel::{Cite, Duel, Ref, Seat, Seen, ZoneId, ZoneSpec};

/// A player's zone.
pub fn zone(name: &str, seat: Seat) -> ZoneId {
    schema().zone(name, Some(seat)).expect("a zone of the player")
}

/// 301.4: the waiting zone is shared.
pub fn waiting() -> ZoneId {
    schema().zone("待機領域", None).expect("the waiting zone")
}

pub fn is_field(zone: ZoneId) -> bool {
    schema().spec(zone).board
}

pub fn named(zone: ZoneId, name: &str) -> bool {
    schema().spec(zone).name == name
}

/// 隠密 is a face-down card in the energy zone (927.1).
pub fn inside(zone: ZoneId, face_up: bool, place: Word) -> bool {
    if place == "隠密" { named(zone, "エナジーゾーン") && !face_up } else { named(zone, &place) }
}

/// The card is of the kind, under all effects.
pub fn is_kind(d: &mut Duel, card: Ref, kind: &str) -> bool {
    has_kind(&d.seen(card), kind)
}

pub fn has_kind(seen: &Seen, kind: &str) -> bool {
    seen.words(at(KIND)).iter().any(|k| *k == kind)
}

/// 304.1, 305.2: the card came from the character deck, whatever it is now.
pub fn from_character_deck(d: &Duel, card: Ref) -> bool {
    let printed = &d.card(card).data;
    printed.iter().any(|(k, v)| {
        *k == KIND && matches!(v, crate::card::Datum::Words(words) if words.iter().any(|w| *w == "キャラクター"))
    })
}

/// The servants on the field of a player.
pub fn servants(d: &mut Duel, seat: Seat) -> Vec<Ref> {
    let view = d.look();
    let servant = |r: &Ref| has_kind(&view.cards[r.id.0 as usize], "サーバント");
    d.t.zone(zone("場", seat)).iter().map(|id| d.t.now(*id)).filter(servant).collect()
}

/// All cards on both fields.
pub fn field(d: &Duel) -> Vec<Ref> {
    Seat::BOTH.iter().flat_map(|s| d.t.zone(zone("場", *s)).iter().map(|id| d.t.now(*id))).collect()
}

/// 907.1.
pub fn destroyed(d: &Duel, card: Ref) -> bool {
    d.t.is_now(card) && d.t.obj(card.id).marked(Word(DESTROYED)) > 0
}

/// The name of a seat.
pub fn who(seat: Seat) -> &'static str {
    schema().seats[seat.index()]
}

/// 301.6, 301.7, 303–310: who may look at the front of a card, and by which clauses.
pub fn seen_by(zone: &ZoneSpec, own: bool, face_up: bool) -> (bool, Vec<&'static Cite>) {
    let (open, hidden) = (nova!("301.6", Limit), nova!("301.7", Limit));
    match (zone.name, own, face_up) {
        ("デッキ", ..) => (false, vec![hidden, nova!("303.3", Limit)]),
        ("キャラデッキ", true, _) => (true, vec![nova!("304.3", Limit)]),
        ("手札", true, _) => (true, vec![nova!("308.3", Limit)]),
        ("手札", false, false) => (false, vec![hidden, nova!("308.4", Limit)]),
        ("キャラデッキ" | "サイドデッキ", false, false) => (false, vec![hidden]),
        ("エナジーゾーン", true, false) => (true, vec![nova!("310.5", Limit)]),
        ("エナジーゾーン", false, false) => (false, vec![nova!("310.6", Limit)]),
        ("エナジーゾーン", ..) => (true, vec![open, nova!("310.3", Limit)]),
        ("墓地", ..) => (true, vec![open, nova!("305.3", Limit)]),
        ("除外ゾーン", ..) => (true, vec![open, nova!("306.3", Limit)]),
        ("退場キャラ置き場", ..) => (true, vec![open, nova!("307.3", Limit)]),
        ("場", ..) => (true, vec![open, nova!("309.2", Limit)]),
        ("待機領域" | "進化元", ..) => (true, vec![open]),
        _ => (own || face_up, Vec::new()),
    }
}
