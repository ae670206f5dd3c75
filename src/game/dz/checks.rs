//! 4.16: rule effects. All that are due happen at once, again and again until none is; battles come last (4.16.4-3-1).

use super::moves::any_of;
use super::places::{is_base_square, is_battle_square, is_square, zone};
use super::schema::{ACTIVITY, CENTRE, CLASS, DAMAGE, ELIMINATION, EMPTIED, POWER, schema};
use super::setup;
use crate::card::Word;
use crate::kernel::{Cause, Cite, Duel, Flow, Ref, Seat};

type Check = fn(&mut Duel) -> Vec<(Ref, String)>;

/// The checks that send cards to the graveyard, in the order of the document.
fn checks() -> [(&'static Cite, Check); 9] {
    [
        (dz!("4.16.4-4", Check), no_power),
        (dz!("4.16.4-5", Check), lethal_damage),
        (dz!("4.16.4-6", Check), second_unit),
        (dz!("4.16.4-7", Check), second_base),
        (dz!("4.16.4-8", Check), idle_in_the_centre),
        (dz!("4.16.4-13", Check), base_in_battle_square),
        (dz!("4.16.4-14", Check), unit_in_base_square),
        (dz!("4.16.4-15", Check), without_class),
        (dz!("4.16.4-16", Check), second_spirit),
    ]
}

/// 4.6.3: one round of rule effects. Whether there were any.
pub fn rule_effects(d: &mut Duel) -> Flow<bool> {
    losses(d)?;
    let mut dying: Vec<Ref> = Vec::new();
    for (cite, check) in checks() {
        if !d.on(cite) {
            continue;
        }
        for (card, why) in check(d) {
            d.applies(cite, |_| why);
            dying.push(card);
        }
    }
    if dying.is_empty() {
        return Ok(false);
    }
    dying.sort_unstable();
    dying.dedup();
    d.edit().facts[ACTIVITY] = 1;
    d.trace.reach(dz!("4.6.3", Frame));
    bury(d, &dying)?;
    Ok(true)
}

/// What is wrong with a table as it was set up.
pub fn unlawful(d: &mut Duel) -> Option<(&'static Cite, String)> {
    for seat in Seat::BOTH {
        if d.t.zone(zone("スマッシュゾーン", seat)).len() >= 7 {
            return Some((dz!("4.16.4-1", Check), "スマッシュゾーンに7枚以上ある".into()));
        }
    }
    checks().into_iter().find_map(|(cite, check)| check(d).into_iter().next().map(|(_, why)| (cite, why)))
}

/// All at once to their owners' graveyards.
pub fn bury(d: &mut Duel, cards: &[Ref]) -> Flow {
    let mut events = Vec::new();
    for card in cards.iter().filter(|c| d.t.is_now(**c)).copied().collect::<Vec<_>>() {
        let owner = d.t.obj(card.id).owner;
        let mut event = d.moving(card, zone("墓地", owner)).by(Cause::RULE);
        event.how = Word("破壊");
        events.push(event);
    }
    d.propose(events).map(|_| ())
}

/// 4.16.4-1, 4.16.4-2, 4.16.4-11, -12: losing. Both at once is a draw (3.3.4).
fn losses(d: &mut Duel) -> Flow {
    let mut losers: Vec<Seat> = Vec::new();
    for seat in Seat::BOTH {
        let smash = d.t.zone(zone("スマッシュゾーン", seat)).len();
        let deck = d.t.zone(zone("山札", seat)).len();
        let name = schema().seats[seat.index()];
        let many = smash >= 7 && d.applies(dz!("4.16.4-1", Check), |_| format!("{name}のスマッシュゾーンが{smash}枚"));
        // Reading C9: whether it is enough that the deck was empty for a moment.
        let was = d.t.seats[seat.index()][EMPTIED] > 0;
        if was {
            d.edit().seats[seat.index()][EMPTIED] = 0;
        }
        let empty = (deck == 0 || was && d.reading(dz!("C9", Reading), "a") == "b") && d.applies(dz!("4.16.4-2", Check), |_| format!("{name}の山札が0枚"));
        if many || empty {
            losers.push(seat);
        }
    }
    if losers.is_empty() && d.t.facts[ELIMINATION] > 0 {
        losers = fewer_smash(d);
    }
    if losers.is_empty() { Ok(()) } else { setup::lose(d, &losers) }
}

/// 3.3.10: after the extra turns of an elimination round the one with fewer smash cards wins, now or at the first difference.
fn fewer_smash(d: &mut Duel) -> Vec<Seat> {
    let count = |d: &Duel, s: Seat| d.t.zone(zone("スマッシュゾーン", s)).len();
    let (a, b) = (count(d, Seat(0)), count(d, Seat(1)));
    let cite = if d.t.facts[ELIMINATION] == 1 { dz!("4.16.4-11", Check) } else { dz!("4.16.4-12", Check) };
    if a == b {
        d.edit().facts[ELIMINATION] = 2;
        return Vec::new();
    }
    let loser = if a > b { Seat(0) } else { Seat(1) };
    if d.applies(cite, |_| "スマッシュゾーンの枚数の多い方が敗北する".into()) { vec![loser] } else { Vec::new() }
}

/// The cards in squares, without those that lie with others.
fn in_squares(d: &Duel) -> Vec<Ref> {
    schema().board().flat_map(|z| d.t.zone(z).iter().map(|id| d.t.now(*id)).collect::<Vec<_>>()).filter(|r| d.t.obj(r.id).host.is_none()).collect()
}

fn of_class(d: &mut Duel, class: &str) -> Vec<Ref> {
    let view = d.look();
    let (at, _) = schema().data(CLASS).expect("a datum");
    in_squares(d).into_iter().filter(|r| view.cards[r.id.0 as usize].words(at).iter().any(|w| *w == class)).collect()
}

fn no_power(d: &mut Duel) -> Vec<(Ref, String)> {
    let (power, _) = schema().data(POWER).expect("a datum");
    let units = of_class(d, "ユニット");
    let mut found = Vec::new();
    for unit in units {
        let n = d.seen(unit).number(power).unwrap_or(0);
        if n <= 0 && is_battle_square(d.t.obj(unit.id).zone) {
            found.push((unit, format!("{}のパワーが0以下（{n}）", d.card_name(unit))));
        }
    }
    found
}

fn lethal_damage(d: &mut Duel) -> Vec<(Ref, String)> {
    let (power, _) = schema().data(POWER).expect("a datum");
    let mut found = Vec::new();
    for unit in of_class(d, "ユニット") {
        let n = d.seen(unit).number(power).unwrap_or(0);
        let damage = d.t.obj(unit.id).facts[DAMAGE];
        if damage > 0 && damage >= n && n > 0 && is_battle_square(d.t.obj(unit.id).zone) {
            found.push((unit, format!("{}のダメージ{damage}がパワー{n}以上", d.card_name(unit))));
        }
    }
    found
}

fn second_unit(d: &mut Duel) -> Vec<(Ref, String)> {
    let units = of_class(d, "ユニット");
    second(d, &units, |d, z| is_battle_square(z) && d.t.zone(z).len() > 1)
}

fn second_base(d: &mut Duel) -> Vec<(Ref, String)> {
    let bases = of_class(d, "ベース");
    second(d, &bases, |d, z| !is_battle_square(z) && d.t.zone(z).len() > 1)
}

/// 4.16.4-6, -7: of one player's cards in a square the later ones go; those that came at once all go.
fn second(d: &mut Duel, cards: &[Ref], crowded: impl Fn(&Duel, crate::kernel::ZoneId) -> bool) -> Vec<(Ref, String)> {
    let mut found = Vec::new();
    let view = d.look();
    for card in cards {
        let obj = d.t.obj(card.id);
        if !crowded(d, obj.zone) {
            continue;
        }
        let own = |r: &&Ref| {
            d.t.obj(r.id).zone == obj.zone && view.cards[r.id.0 as usize].controller == view.cards[card.id.0 as usize].controller
        };
        let earlier = cards.iter().filter(own).any(|r| *r != *card && d.t.obj(r.id).since <= obj.since);
        if earlier {
            found.push((*card, format!("{}は同じスクエアに後から置かれた", d.card_name(*card))));
        }
    }
    found
}

/// 2.20.1-6, 4.16.4-8: played to the centre, and no battle comes of it.
fn idle_in_the_centre(d: &mut Duel) -> Vec<(Ref, String)> {
    let mut found = Vec::new();
    for unit in of_class(d, "ユニット") {
        // One that joined a battle dies at its end.
        if d.t.obj(unit.id).facts[CENTRE] != 1 || super::battle::role(&d.t, unit, Word("バトルをしているユニット")) {
            continue;
        }
        d.trace.reach(dz!("2.20.1-6", Frame));
        let square = d.t.obj(unit.id).zone;
        let foe = d.seen(unit).controller.other();
        if !any_of(d, square, "ユニット", Some(foe)) {
            found.push((unit, format!("中央エリアにプレイした{}にバトルが発生しない", d.card_name(unit))));
        }
    }
    found
}

fn base_in_battle_square(d: &mut Duel) -> Vec<(Ref, String)> {
    let cards = of_class(d, "ベース");
    cards.into_iter().filter(|r| is_battle_square(d.t.obj(r.id).zone)).map(|r| (r, format!("ベース{}がバトルスペースにある", d.card_name(r)))).collect()
}

fn unit_in_base_square(d: &mut Duel) -> Vec<(Ref, String)> {
    let cards = of_class(d, "ユニット");
    let base = |d: &Duel, r: &Ref| Seat::BOTH.iter().any(|s| is_base_square(d.t.obj(r.id).zone, *s));
    cards.into_iter().filter(|r| base(d, r)).map(|r| (r, format!("ユニット{}がベーススペースにある", d.card_name(r)))).collect()
}

fn without_class(d: &mut Duel) -> Vec<(Ref, String)> {
    let view = d.look();
    let (at, _) = schema().data(CLASS).expect("a datum");
    let none = |r: &Ref| view.cards[r.id.0 as usize].words(at).is_empty() && is_square(d.t.obj(r.id).zone);
    in_squares(d).into_iter().filter(none).map(|r| (r, format!("{}は分類を持たない", d.card_name(r)))).collect()
}

/// 4.16.4-16: of the 闘気 cards under one card the later ones go. Who controls them: reading C19.
fn second_spirit(d: &mut Duel) -> Vec<(Ref, String)> {
    let spirits: Vec<Ref> = d.t.ids().filter(|id| d.t.obj(*id).host.is_some_and(|h| h.0 == "闘気")).map(|id| d.t.now(id)).collect();
    let mut found = Vec::new();
    for card in &spirits {
        let obj = d.t.obj(card.id);
        let shares = |r: &&Ref| **r != *card && d.t.obj(r.id).host == obj.host && d.t.obj(r.id).since <= obj.since;
        let rival = spirits.iter().filter(shares).any(|r| match d.settings_reading("C19") {
            "b" => d.t.obj(r.id).controller == obj.controller,
            "c" => d.t.obj(r.id).owner == obj.owner,
            _ => true,
        });
        if rival {
            found.push((*card, format!("{}は同じカードの下に後から置かれた闘気カード", d.card_name(*card))));
        }
    }
    if !found.is_empty() {
        d.reading(dz!("C19", Reading), "a");
    }
    found
}
