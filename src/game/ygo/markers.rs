//! 2.4.7–2.4.10, 4.1.30: what link markers point at, and what is linked with what. Directions and columns: C18, C19.

use std::sync::Arc;

use super::kinds::{is, markers};
use super::places::{EXTRA_ZONES, in_use, is_monster_zone, main_zones, monster_zones};
use super::schema::schema;
use crate::card::Word;
use crate::kernel::{CardId, Duel, Ref, Seat, Seen, Table, ZoneId};

/// A link monster that lies on the field, and where it points.
#[derive(Clone)]
pub struct Link {
    pub id: Option<CardId>,
    pub zone: ZoneId,
    points: Vec<ZoneId>,
    whose: Seat,
}

impl Link {
    /// The card as it would point from the zone.
    pub fn at(id: Option<CardId>, seen: &Seen, zone: ZoneId, controller: Seat) -> Link {
        let points = markers(seen).iter().filter_map(|m| beyond(zone, *m, controller)).collect();
        Link { id, zone, points, whose: controller }
    }

    fn to(&self, zone: ZoneId) -> bool {
        self.points.contains(&zone)
    }

    /// 2.4.7.2: each points at the other.
    fn mutual(&self, other: &Link) -> bool {
        self.to(other.zone) && other.to(self.zone)
    }
}

/// The monster zone that lies next to the zone in the direction, as the controller sees it.
fn beyond(zone: ZoneId, marker: Word, controller: Seat) -> Option<ZoneId> {
    let (dx, dy) = match marker.as_str() {
        "左上" => (-1, 1),
        "上" => (0, 1),
        "右上" => (1, 1),
        "左" => (-1, 0),
        "右" => (1, 0),
        "左下" => (-1, -1),
        "下" => (0, -1),
        "右下" => (1, -1),
        _ => return None,
    };
    let turned = if controller == Seat(0) { 1 } else { -1 };
    let from = schema().spec(zone);
    let (x, y) = (from.x + dx * turned, from.y + dy * turned);
    monster_zones().find(|z| schema().spec(*z).x == x && schema().spec(*z).y == y)
}

/// The link monsters on the field.
pub fn links(t: &Table, cards: &[Arc<Seen>]) -> Vec<Link> {
    let mut found = Vec::new();
    for zone in monster_zones() {
        for id in t.zone(zone) {
            let seen = &cards[id.0 as usize];
            if t.obj(*id).face_up && is(seen, "リンクモンスター") {
                found.push(Link::at(Some(*id), seen, zone, seen.controller));
            }
        }
    }
    found
}

/// The meanings that can be knocked out: linked, mutually linked, with the opponent's, extra link, through the opponent's.
const LINKED: u32 = 1;
const MUTUAL: u32 = 2;
const ACROSS: u32 = 4;
const EXTRA: u32 = 8;
const THROUGH: u32 = 16;

/// Which of them are, where there is a link monster at all.
pub fn without(d: &mut Duel) -> u32 {
    let link = |id: &CardId| super::kinds::printed(d, d.t.now(*id), "リンクモンスター");
    let mut zones = monster_zones();
    if !zones.any(|z| d.t.zone(z).iter().any(link)) {
        return 0;
    }
    let rows = [
        (LINKED, ygo!("2.4.7.1", Meaning)),
        (MUTUAL, ygo!("2.4.7.2", Meaning)),
        (ACROSS, ygo!("2.4.10.2", Meaning)),
        (EXTRA, ygo!("4.1.30.1", Meaning)),
        (THROUGH, ygo!("4.1.30.2", Meaning)),
    ];
    let mut off = 0;
    for (bit, cite) in rows {
        d.trace.reach(cite);
        off |= if d.on(cite) { 0 } else { bit };
    }
    off
}

/// 2.4.1.3: the one zone is a link's, the other one it points at.
pub fn points(t: &Table, cards: &[Arc<Seen>], from: ZoneId, to: ZoneId) -> bool {
    links(t, cards).iter().any(|link| link.zone == from && link.to(to))
}

/// 2.4.7.1, 2.4.10.2: it points at a monster, or a link monster points at it.
pub fn linked(t: &Table, cards: &[Arc<Seen>], card: CardId, without: u32) -> bool {
    let zone = t.obj(card).zone;
    if !is_monster_zone(zone) || without & LINKED != 0 {
        return false;
    }
    let own = |id: CardId, whose: Seat| without & ACROSS == 0 || cards[id.0 as usize].controller == whose;
    links(t, cards).iter().any(|link| {
        let holds = |z: &ZoneId| t.zone(*z).iter().any(|id| own(*id, link.whose));
        link.to(zone) && own(card, link.whose) || link.id == Some(card) && link.points.iter().any(holds)
    })
}

/// 2.4.7.2.
pub fn mutually(t: &Table, cards: &[Arc<Seen>], card: CardId, without: u32) -> bool {
    let all = links(t, cards);
    let counts = |a: &Link, b: &Link| without & ACROSS == 0 || a.whose == b.whose;
    let mut own = all.iter().filter(|l| l.id == Some(card));
    without & MUTUAL == 0 && own.any(|own| all.iter().any(|other| own.mutual(other) && counts(own, other)))
}

/// 4.1.30.1, 4.1.30.2: both extra zones hold link monsters that hang together by mutual links; the places of all of them.
pub fn extra_link(all: &[Link]) -> Vec<ZoneId> {
    let [left, right] = EXTRA_ZONES;
    let Some(first) = all.iter().find(|l| l.zone == left) else { return Vec::new() };
    let mut chain = vec![first];
    let mut at = 0;
    while at < chain.len() {
        let here = chain[at];
        let next = all.iter().filter(|l| here.mutual(l) && !chain.iter().any(|c| c.zone == l.zone));
        let next: Vec<&Link> = next.collect();
        chain.extend(next);
        at += 1;
    }
    let zones: Vec<ZoneId> = chain.iter().map(|l| l.zone).collect();
    if zones.contains(&right) { zones } else { Vec::new() }
}

pub fn extra_linked(t: &Table, cards: &[Arc<Seen>], card: CardId, without: u32) -> bool {
    let mut all = links(t, cards);
    if without & EXTRA != 0 {
        return false;
    }
    // 4.1.30.2: through the other player's main zones too. Knocked out, only through those of who holds the left one.
    if without & THROUGH != 0 {
        let left = all.iter().find(|l| l.zone == EXTRA_ZONES[0]).map(|l| l.whose);
        all.retain(|l| schema().spec(l.zone).owner.is_none_or(|owner| Some(owner) == left));
    }
    extra_link(&all).contains(&t.obj(card).zone)
}

/// 2.4.8.1, 2.4.10.4: a player's main monster zones that any link marker points at, without those who will be gone.
pub fn pointed_at(d: &mut Duel, who: Seat, gone: &[Ref]) -> Vec<ZoneId> {
    let view = d.look();
    d.trace.reach(ygo!("C18", Reading));
    d.trace.reach(ygo!("C19", Reading));
    let mut all = links(&d.t, &view.cards);
    all.retain(|link| !gone.iter().any(|card| Some(card.id) == link.id));
    // 2.4.10.4: the opponent's markers serve as well.
    let theirs = ygo!("2.4.10.4", Limit);
    if all.iter().any(|link| link.whose != who) {
        d.trace.reach(theirs);
    }
    if !d.on(theirs) {
        all.retain(|link| link.whose == who);
    }
    // 2.4.10.3: but a player's own markers never open the opponent's zones.
    let across = ygo!("2.4.10.3", Limit);
    let beyond: Vec<ZoneId> = main_zones(who.other()).into_iter().filter(|z| all.iter().any(|l| l.to(*z))).collect();
    if !beyond.is_empty() {
        d.trace.reach(across);
    }
    let more = if d.on(across) { Vec::new() } else { beyond };
    let own = main_zones(who).into_iter().filter(|zone| in_use(d, *zone) && all.iter().any(|link| link.to(*zone)));
    own.chain(more).collect()
}
