//! 2.23–2.24: zones and the places that squares make up, seen from a player.

pub use super::schema::Own;
use super::schema::{BATTLE_SQUARES, SQUARES, STACK, own_zone, schema};
use crate::card::Word;
use crate::kernel::{Seat, ZoneId};

/// Column and row, turned so that the player's own bases are row 0 and their left line column 0 (2.24.5, 2.24.7).
pub fn seen_from(zone: ZoneId, seat: Seat) -> (i8, i8) {
    let spec = schema().spec(zone);
    if seat == Seat(0) { (spec.x, spec.y) } else { (2 - spec.x, 4 - spec.y) }
}

pub fn is_square(zone: ZoneId) -> bool {
    SQUARES.contains(&zone.0)
}

/// 2.24.3: one of the nine shared squares.
pub fn is_battle_square(zone: ZoneId) -> bool {
    BATTLE_SQUARES.contains(&zone.0)
}

/// 2.24.2: a base square of the player.
pub fn is_base_square(zone: ZoneId, seat: Seat) -> bool {
    let spec = schema().spec(zone);
    spec.board && spec.owner == Some(seat)
}

/// All squares, row by row from A's bases.
pub fn squares() -> impl Iterator<Item = ZoneId> {
    SQUARES.map(ZoneId)
}

pub fn battle_squares() -> impl Iterator<Item = ZoneId> {
    BATTLE_SQUARES.map(ZoneId)
}

pub fn zone(own: Own, owner: Seat) -> ZoneId {
    own_zone(own, owner)
}

pub fn stack() -> ZoneId {
    STACK
}

/// Whether the zone lies in the place, as the player sees it.
pub fn inside(zone: ZoneId, face_up: bool, place: Word, seat: Seat) -> bool {
    let spec = schema().spec(zone);
    let (x, y) = seen_from(zone, seat);
    let battle = is_battle_square(zone);
    match place.as_str() {
        "スクエア" => spec.board,
        "バトルスペース" => battle,
        "ベーススペース" => spec.board && spec.owner.is_some(),
        "自分のベーススペース" => is_base_square(zone, seat),
        "相手のベーススペース" => is_base_square(zone, seat.other()),
        "自軍エリア" => battle && y == 1,
        "中央エリア" => battle && y == 2,
        "敵軍エリア" => battle && y == 3,
        "左ライン" => spec.board && x == 0,
        "中央ライン" => spec.board && x == 1,
        "右ライン" => spec.board && x == 2,
        // 2.23.3-1: the plan zone is the top card of the deck while it lies face up.
        "プランゾーン" => spec.name == "山札" && face_up,
        // 2.24.4: the squares of a line that lie in one area, 「左ラインの自軍エリア」.
        name if spec.board => match name.find("ラインの") {
            Some(at) => {
                let (line, area) = name.split_at(at + "ライン".len());
                let (line, area) = (Word::new(line), Word::new(&area["の".len()..]));
                inside(zone, face_up, line, seat) && inside(zone, face_up, area, seat)
            }
            None => spec.name == name,
        },
        name => spec.name == name,
    }
}

/// Whether square `b` stands in the relation to square `a`. What lies in them counts for 挟撃 only ([`far_end`]).
pub fn related(relation: Word, a: ZoneId, b: ZoneId, seat: Seat) -> bool {
    if !is_square(a) || !is_square(b) {
        return false;
    }
    let ((ax, ay), (bx, by)) = (seen_from(a, seat), seen_from(b, seat));
    let battle = is_battle_square(a) && is_battle_square(b);
    match relation.as_str() {
        "同じスクエア" => a == b,
        "同じライン" => ax == bx,
        "同じエリア" => battle && ay == by,
        // 3.8.2-6 up, down, left, right; 2.23.8-2 also own area and own bases.
        "隣接" => (ax - bx).abs() + (ay - by).abs() == 1 && (battle || ax == bx),
        "前方" => ax == bx && by > ay && battle,
        "後方" => ax == bx && by < ay && battle,
        _ => false,
    }
}

/// 5.9.1, 5.9.3: where another unit of the player must be so that `b` lies between it and `a`, straight or diagonal.
pub fn far_end(a: ZoneId, b: ZoneId, seat: Seat) -> Option<ZoneId> {
    if !is_battle_square(a) || !is_battle_square(b) {
        return None;
    }
    let ((ax, ay), (bx, by)) = (seen_from(a, seat), seen_from(b, seat));
    let (dx, dy) = (bx - ax, by - ay);
    if dx.abs() > 1 || dy.abs() > 1 || (dx, dy) == (0, 0) {
        return None;
    }
    battle_squares().find(|z| seen_from(*z, seat) == (bx + dx, by + dy))
}

/// Lines as things to choose, counted as A sees them.
pub fn line(zone: ZoneId) -> Option<u8> {
    let spec = schema().spec(zone);
    spec.board.then_some(spec.x as u8)
}

/// Areas likewise.
pub fn area(zone: ZoneId) -> Option<u8> {
    is_battle_square(zone).then(|| schema().spec(zone).y as u8 - 1)
}
