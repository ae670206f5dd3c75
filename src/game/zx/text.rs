//! 803 where abilities are valid, 808.3 what a move is read from, 102.9 hidden zones.

use super::places::{inside, is_square};
use super::schema::{KIND, at, schema};
use crate::card::{Ability, Change, Filter, Value, Word};
use crate::kernel::{Cite, Ctx, Duel, Event, Flow, Ref, Seat, Seen, Side, Sight, What, ZoneId};

/// 803.1b, 803.1d: on squares, or in the zone the ability names; face down in a public zone never.
pub fn works(seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> bool {
    let open = schema().spec(zone).sight == Sight::All;
    if open && !face_up {
        return false;
    }
    if !ability.from.is_empty() {
        return ability.from.iter().any(|place| inside(zone, *place, Seat(0)) || inside(zone, *place, Seat(1)));
    }
    // What changes the card's own price matters where it is played from.
    if ability.affects.is_none()
        && !ability.grant.is_empty()
        && ability.grant.iter().all(|c| matches!(c, Change::Cost(..)))
    {
        return true;
    }
    let lasting = ["プレイヤー", "ゼクス", "アセンション"];
    is_square(zone) && seen.words(at(KIND)).iter().any(|k| lasting.contains(&k.as_str()))
}

/// 808.3a: of an open and a hidden side the open one is read, leaving a square the square, else where it went.
pub fn side(event: &Event) -> Side {
    let (Some((from, to)), What::Move { face_up, .. }) = (event.from.zip(event.to), &event.what) else {
        return Side::After;
    };
    let open = |zone: ZoneId, up: bool| schema().spec(zone).sight == Sight::All && up;
    let before = match (open(from, event.from_face_up), open(to, *face_up)) {
        (true, false) => true,
        (false, true) => false,
        _ => is_square(from) && !is_square(to),
    };
    if before { Side::Before } else { Side::After }
}

/// 102.9: who looks for something particular among hidden cards need not choose it.
pub fn may_fail_to_find(d: &mut Duel, filter: &Filter, found: &[Ref]) -> Option<&'static Cite> {
    let particular =
        !filter.is.is_empty() || !filter.data.is_empty() || !filter.name.is_empty() || !filter.has.is_empty();
    let hidden = |r: &Ref| {
        let obj = d.t.obj(r.id);
        schema().spec(obj.zone).sight != Sight::All && !obj.revealed && !obj.face_up
    };
    let cite = zx!("102.9", Limit);
    (particular && found.iter().any(hidden) && d.on(cite)).then_some(cite)
}

/// 306.2, 309.2: the limit a player has; `None` when there is none any more.
pub fn limit(d: &mut Duel, seat: Seat, name: &str, usual: i32) -> Option<i32> {
    let view = d.look();
    let mut limit = Some(usual);
    for rule in view.rules.iter().filter(|r| r.seat == seat) {
        if let Change::Limit(which, value) = &rule.change
            && *which == name
        {
            let ctx = Ctx { this: rule.source, seat, slots: &rule.slots, event: None };
            limit = value.as_ref().map(|v: &Value| d.number(&ctx, v));
        }
    }
    limit
}

/// 1014: the card does not suffer what the source does.
pub fn immune(d: &mut Duel, card: Ref, from: &str, source: Ref) -> bool {
    let view = d.look();
    d.see(|eyes| {
        view.rules.iter().any(|rule| match &rule.change {
            Change::Immune(immune) if rule.on == Some(card.id) && immune.to.iter().any(|w| *w == from) => {
                let ctx = Ctx { this: rule.source, seat: rule.seat, slots: &rule.slots, event: None };
                eyes.fits_anywhere(&ctx, &immune.by, source)
            }
            _ => false,
        })
    })
}

/// The card has the icon.
pub fn has_icon(d: &mut Duel, card: Ref, icon: &str) -> bool {
    d.seen(card).words(at(super::schema::ICON)).iter().any(|w| *w == icon)
}

/// The name of a seat.
pub fn who(seat: Seat) -> &'static str {
    schema().seats[seat.index()]
}

/// The event a player's act would be, for texts that forbid it.
pub fn would(name: Word, card: Option<Ref>, seat: Seat) -> Event {
    card.map_or_else(|| Event::signal(name), |card| Event::about(name, card)).seat(seat)
}

/// Kinds of cards and effects whose rules are not here yet: better no answer than a wrong one.
pub fn known(d: &mut Duel) -> Flow {
    let kinds = ["ゼクス", "アセンション", "プレイヤー", "イベント"];
    let view = d.look();
    let strange = view.cards.iter().find_map(|c| c.words(at(KIND)).iter().find(|k| !kinds.contains(&k.as_str())));
    if let Some(kind) = strange {
        return d.unwritten(format!("種類「{kind}」のカードのルールはまだ書かれていない"), &["zx:202"]);
    }
    let foreign = |change: &Change| match change {
        Change::Immune(immune) => immune.to.iter().any(|w| *w != "ダメージ"),
        change => matches!(change, Change::PlayFrom(_) | Change::Enter(_) | Change::Read(..)),
    };
    match view.rules.iter().any(|rule| foreign(&rule.change)) {
        true => d.unwritten(
            "効果を受けないこと、登場のしかたなどを変える継続効果はまだ書かれていない",
            &["zx:1014", "zx:811"],
        ),
        false => Ok(()),
    }
}
