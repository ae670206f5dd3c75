//! 303: squares, the areas they make up, and how far they are from each other, seen from a player.

use super::schema::{BODIES, KIND, OUTSIDE, SQUARES, TEMPORARY, at, own_zone, schema};
use crate::card::Word;
use crate::kernel::{CardId, Duel, Ref, Seat, Seen, Table, ZoneId};

/// Column and row, turned so that the player's own player square is in row 0.
pub fn seen_from(zone: ZoneId, seat: Seat) -> (i8, i8) {
    let spec = schema().spec(zone);
    if seat == Seat(0) { (spec.x, spec.y) } else { (2 - spec.x, 2 - spec.y) }
}

pub fn is_square(zone: ZoneId) -> bool {
    SQUARES.contains(&zone.0)
}

/// All squares, row by row from A's side.
pub fn squares() -> impl Iterator<Item = ZoneId> {
    SQUARES.map(ZoneId)
}

/// 303.3a, 402.1a: whose player square it is, if it is one.
pub fn player_square(zone: ZoneId) -> Option<Seat> {
    let spec = schema().spec(zone);
    if spec.board { spec.owner } else { None }
}

pub fn zone(name: &str, owner: Seat) -> ZoneId {
    own_zone(name, owner).expect("a zone of the schema")
}

pub fn temporary() -> ZoneId {
    TEMPORARY
}

/// Where markers are that do not lie on the table.
pub fn limbo() -> ZoneId {
    OUTSIDE
}

/// 303.4a–c: whether the zone lies in the place, as the player sees it.
pub fn inside(zone: ZoneId, face_up: bool, place: Word, seat: Seat) -> bool {
    let spec = schema().spec(zone);
    if !spec.board {
        // 803.1e.
        return match place.as_str() {
            "デュナミス表" => spec.name == "デュナミス" && face_up,
            "デュナミス裏" => spec.name == "デュナミス" && !face_up,
            name => spec.name == name,
        };
    }
    let (x, y) = seen_from(zone, seat);
    match place.as_str() {
        "スクエア" => true,
        "ノーマルスクエア" => spec.owner.is_none(),
        "プレイヤースクエア" => spec.owner.is_some(),
        "自分のプレイヤースクエア" => player_square(zone) == Some(seat),
        "相手のプレイヤースクエア" => player_square(zone) == Some(seat.other()),
        "自軍エリア" => y == 0,
        "中央エリア" => y == 1,
        "敵軍エリア" => y == 2,
        // 816.1a: the squares of a figure are those that the controller of the text sees there.
        name => FIGURE.iter().position(|square| *square == name) == Some((3 * y + x) as usize),
    }
}

/// 816.1a: the squares, row by row from the player's own player square.
pub const FIGURE: [&str; 9] =
    ["左/自軍", "中央/自軍", "右/自軍", "左/中央", "中央/中央", "右/中央", "左/敵軍", "中央/敵軍", "右/敵軍"];

/// 303.2, 303.2a: squares are counted up, down, left and right.
pub fn distance(a: ZoneId, b: ZoneId) -> i8 {
    let (a, b) = (schema().spec(a), schema().spec(b));
    (a.x - b.x).abs() + (a.y - b.y).abs()
}

pub fn related(_: &Table, relation: Word, a: ZoneId, b: ZoneId) -> bool {
    is_square(a)
        && is_square(b)
        && match relation.as_str() {
            "同じスクエア" => a == b,
            "隣" => distance(a, b) == 1,
            "同じ縦列" => schema().spec(a).x == schema().spec(b).x,
            "同じ横列" => schema().spec(a).y == schema().spec(b).y,
            _ => false,
        }
}

/// The card is of the kind. 202.6a: an extra is also of the kind it extends.
pub fn is_kind(d: &mut Duel, card: Ref, kind: &str) -> bool {
    d.glance(card).words(const { at(KIND) }).iter().any(|k| *k == kind)
}

/// A Z/X or an Ascension.
pub fn is_body(d: &mut Duel, card: Ref) -> bool {
    looks_like_body(d.glance(card))
}

pub fn looks_like_body(seen: &Seen) -> bool {
    seen.words(const { at(KIND) }).iter().any(|k| BODIES.contains(&k.as_str()))
}

/// The Z/X and Ascensions on squares, in order of squares and arrival.
pub fn bodies(d: &mut Duel) -> Vec<Ref> {
    let view = d.look();
    let body = |id: &&CardId| d.t.obj(**id).face_up && looks_like_body(&view.cards[id.0 as usize]);
    squares().flat_map(|square| d.t.zone(square)).filter(body).map(|id| d.t.now(*id)).collect()
}

/// A Z/X stands on the square.
pub fn has_zx(d: &mut Duel, square: ZoneId) -> bool {
    bodies_on(d, square).into_iter().any(|r| is_kind(d, r, "ゼクス"))
}

/// 202.11b: an Ascension stands on the square, which cannot be chosen for a Z/X.
pub fn blocked(d: &mut Duel, square: ZoneId) -> bool {
    let cite = zx!("202.11b", Limit);
    let there = bodies_on(d, square).into_iter().any(|r| is_kind(d, r, "アセンション"));
    if there {
        d.trace.reach(cite);
    }
    there && d.on(cite)
}

/// 202.5, 1206.3: the player card that the player controls, real or virtual. 202.10c: the extra on top of it, if any.
pub fn player_card(d: &mut Duel, seat: Seat) -> Option<Ref> {
    let view = d.look();
    let own = |id: &&CardId| {
        let (obj, seen) = (d.t.obj(**id), &view.cards[id.0 as usize]);
        obj.face_up
            && obj.host.is_none()
            && seen.controller == seat
            && seen.words(const { at(KIND) }).iter().any(|k| *k == "プレイヤー")
    };
    squares().find_map(|square| d.t.zone(square).iter().find(own)).map(|id| d.t.now(*id))
}

/// Those on one square.
pub fn bodies_on(d: &mut Duel, square: ZoneId) -> Vec<Ref> {
    if d.t.zone(square).is_empty() {
        return Vec::new();
    }
    let view = d.look();
    let body = |id: &&CardId| d.t.obj(**id).face_up && looks_like_body(&view.cards[id.0 as usize]);
    d.t.zone(square).iter().filter(body).map(|id| d.t.now(*id)).collect()
}
