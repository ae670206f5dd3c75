//! 4.16: rule effects. All that are due happen at once, again and again until none is; battles come last (4.16.4-3-1).

use super::moves::any_of;
use super::places::{Own, is_base_square, is_battle_square, squares, zone};
use super::schema::{ACTIVITY, ARRIVED, CENTRE, DAMAGE, ELIMINATION, EMPTIED, FILLED, at, schema};
use super::setup;
use crate::card::Word;
use crate::kernel::{CardId, Cause, Cite, Duel, Event, Flow, Ref, Seat, ZoneId};

type Check = fn(&mut Duel, &[Piece]) -> Vec<(Ref, String)>;

/// A card in a square that lies with no other. Looked at once for all checks.
struct Piece {
    card: Ref,
    zone: ZoneId,
    controller: Seat,
    /// It was put there since the last look.
    arrived: bool,
    unit: bool,
    base: bool,
    without_class: bool,
}

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
    losses(d).inspect_err(|_| d.trace.reach(dz!("4.6.3", Frame)))?;
    let pieces = pieces(d);
    for piece in pieces.iter().filter(|p| p.arrived) {
        *d.aside().card(piece.card.id, ARRIVED) = 0;
    }
    let mut dying: Vec<(Ref, &'static Cite)> = Vec::new();
    for (cite, check) in checks() {
        if !d.on(cite) {
            continue;
        }
        for (card, why) in check(d, &pieces) {
            d.cites(cite, |_| why);
            dying.push((card, cite));
        }
    }
    if dying.is_empty() {
        return Ok(false);
    }
    d.trace.reach(dz!("4.6.3", Frame));
    // 1.1.3, 4.12.2: what cannot be done is not carried out, and does not come up again and again.
    let done = bury(d, dying)?;
    if done {
        *d.aside().fact(ACTIVITY) = 1;
    }
    Ok(done)
}

/// What is wrong with a table as it was set up.
pub fn unlawful(d: &mut Duel) -> Option<(&'static Cite, String)> {
    for seat in Seat::BOTH {
        if d.t.zone(zone(Own::Smash, seat)).len() >= 7 {
            return Some((dz!("4.16.4-1", Check), "スマッシュゾーンに7枚以上ある".into()));
        }
    }
    // Nobody has looked yet, and each was put there by whoever controls it but for effects.
    let mut pieces = pieces(d);
    for piece in &mut pieces {
        (piece.controller, piece.arrived) = (d.t.obj(piece.card.id).controller, true);
    }
    checks().into_iter().find_map(|(cite, check)| check(d, &pieces).into_iter().next().map(|(_, why)| (cite, why)))
}

/// All at once to their owners' graveyards, each by the first clause that sends it there. Whether anything was done.
pub fn bury(d: &mut Duel, mut cards: Vec<(Ref, &'static Cite)>) -> Flow<bool> {
    cards.sort_by_key(|(card, _)| *card);
    cards.dedup_by_key(|(card, _)| *card);
    cards.retain(|(card, _)| d.t.is_now(*card));
    let mut events = Vec::new();
    for (card, cite) in cards {
        let owner = d.t.obj(card.id).owner;
        let event = d.moving(card, zone(Own::Graveyard, owner)).by(Cause::RULE);
        events.push(Event { cite: Some(cite), ..event });
    }
    let done = d.propose(events)?;
    if !done.denied.is_empty() {
        d.trace.reach(dz!("4.12.2", Meaning));
    }
    Ok(done.any() || done.replaced)
}

/// 4.16.4-1, 4.16.4-2, 4.16.4-11, -12: losing. Both at once is a draw (3.3.4).
fn losses(d: &mut Duel) -> Flow {
    let mut losers: Vec<Seat> = Vec::new();
    for seat in Seat::BOTH {
        let smash = d.t.zone(zone(Own::Smash, seat)).len();
        let deck = d.t.zone(zone(Own::Deck, seat)).len();
        let name = schema().seats[seat.index()];
        // Reading C9: whether it is enough that there were seven, or that the deck was empty, for a moment.
        let passed = d.t.seats[seat.index()][FILLED] > 0;
        if passed {
            *d.aside().seat(seat, FILLED) = 0;
        }
        let many = (smash >= 7 || passed && d.reading(dz!("C9", Reading), "a") == "b")
            && d.applies(dz!("4.16.4-1", Check), |_| format!("{name}のスマッシュゾーンが{smash}枚"));
        let was = d.t.seats[seat.index()][EMPTIED] > 0;
        if was {
            *d.aside().seat(seat, EMPTIED) = 0;
        }
        let empty = (deck == 0 || was && d.reading(dz!("C9", Reading), "a") == "b")
            && d.applies(dz!("4.16.4-2", Check), |_| format!("{name}の山札が0枚"));
        if many || empty {
            losers.push(seat);
        }
    }
    if losers.is_empty() && d.t.facts[ELIMINATION] > 0 {
        losers = fewer_smash(d);
    }
    if losers.is_empty() { Ok(()) } else { setup::lose(d, &losers) }
}

/// 3.3.1, 3.3.2: what makes the player lose is so.
pub fn loses(d: &Duel, seat: Seat) -> bool {
    d.t.zone(zone(Own::Smash, seat)).len() >= 7 || d.t.zone(zone(Own::Deck, seat)).is_empty()
}

/// 3.3.10: after the extra turns of an elimination round the one with fewer smash cards wins, now or at the first difference.
fn fewer_smash(d: &mut Duel) -> Vec<Seat> {
    let count = |d: &Duel, s: Seat| d.t.zone(zone(Own::Smash, s)).len();
    let (a, b) = (count(d, Seat(0)), count(d, Seat(1)));
    let cite = if d.t.facts[ELIMINATION] == 1 { dz!("4.16.4-11", Check) } else { dz!("4.16.4-12", Check) };
    if a == b {
        *d.aside().fact(ELIMINATION) = 2;
        return Vec::new();
    }
    let loser = if a > b { Seat(0) } else { Seat(1) };
    if d.applies(cite, |_| "スマッシュゾーンの枚数の多い方が敗北する".into()) {
        vec![loser]
    } else {
        Vec::new()
    }
}

fn pieces(d: &mut Duel) -> Vec<Piece> {
    let view = d.look();
    let mut found = Vec::with_capacity(16);
    for zone in squares() {
        for id in d.t.zone(zone).iter().filter(|id| d.t.obj(**id).host.is_none()) {
            let seen = &view.cards[id.0 as usize];
            let (class, controller) = (seen.words(at::CLASS), seen.controller);
            let arrived = d.t.obj(*id).facts[ARRIVED] != 0;
            let is = |word: &str| class.iter().any(|w| *w == word);
            let (unit, base, without_class) = (is("ユニット"), is("ベース"), class.is_empty());
            found.push(Piece { card: d.t.now(*id), zone, controller, arrived, unit, base, without_class });
        }
    }
    found
}

fn no_power(d: &mut Duel, pieces: &[Piece]) -> Vec<(Ref, String)> {
    let mut found = Vec::new();
    for Piece { card, .. } in pieces.iter().filter(|p| p.unit && is_battle_square(p.zone)) {
        let n = d.glance(*card).number(at::POWER).unwrap_or(0);
        if n <= 0 {
            found.push((*card, format!("{}のパワーが0以下（{n}）", d.card_name(*card))));
        }
    }
    found
}

fn lethal_damage(d: &mut Duel, pieces: &[Piece]) -> Vec<(Ref, String)> {
    let mut found = Vec::new();
    for Piece { card, .. } in pieces.iter().filter(|p| p.unit && is_battle_square(p.zone)) {
        let damage = d.t.obj(card.id).facts[DAMAGE];
        if damage <= 0 {
            continue;
        }
        let n = d.glance(*card).number(at::POWER).unwrap_or(0);
        if damage >= n && n > 0 {
            found.push((*card, format!("{}のダメージ{damage}がパワー{n}以上", d.card_name(*card))));
        }
    }
    found
}

fn second_unit(d: &mut Duel, pieces: &[Piece]) -> Vec<(Ref, String)> {
    second(d, pieces, |p| p.unit && is_battle_square(p.zone))
}

fn second_base(d: &mut Duel, pieces: &[Piece]) -> Vec<(Ref, String)> {
    second(d, pieces, |p| p.base && !is_battle_square(p.zone))
}

/// 4.16.4-6, -7: of one player's cards in a square the later ones go; those that came at once all go.
fn second(d: &mut Duel, pieces: &[Piece], counts: impl Fn(&Piece) -> bool) -> Vec<(Ref, String)> {
    let mut found = Vec::new();
    let since = |p: &Piece| d.t.obj(p.card.id).since;
    let crowd: Vec<&Piece> = pieces.iter().filter(|p| d.t.zone(p.zone).len() > 1 && counts(p)).collect();
    let mut late: Vec<&Piece> = Vec::new();
    for piece in &crowd {
        let earlier = |p: &&Piece| {
            p.zone == piece.zone && p.card != piece.card && p.controller == piece.controller && since(p) <= since(piece)
        };
        if crowd.iter().any(earlier) {
            late.push(piece);
        }
    }
    for piece in late {
        // Reading C21: whether it is enough that they have come to be of the same player.
        if piece.arrived || d.reading(dz!("C21", Reading), "b") == "a" {
            found.push((piece.card, format!("{}は同じスクエアに後から置かれた", d.card_name(piece.card))));
        }
    }
    found
}

/// 2.20.1-6, 4.16.4-8: played to the centre, and no battle comes of it.
fn idle_in_the_centre(d: &mut Duel, pieces: &[Piece]) -> Vec<(Ref, String)> {
    let mut found = Vec::new();
    for unit in pieces.iter().filter(|p| p.unit).map(|p| p.card) {
        // One that joined a battle dies at its end.
        if d.t.obj(unit.id).facts[CENTRE] != 1 || super::battle::role(&d.t, unit, Word("バトルをしているユニット"))
        {
            continue;
        }
        d.trace.reach(dz!("2.20.1-6", Frame));
        let square = d.t.obj(unit.id).zone;
        let foe = d.glance(unit).controller.other();
        if !any_of(d, square, "ユニット", Some(foe)) {
            found.push((unit, format!("中央エリアにプレイした{}にバトルが発生しない", d.card_name(unit))));
        }
    }
    found
}

fn base_in_battle_square(d: &mut Duel, pieces: &[Piece]) -> Vec<(Ref, String)> {
    let wrong = pieces.iter().filter(|p| p.base && is_battle_square(p.zone));
    wrong.map(|p| (p.card, format!("ベース{}がバトルスペースにある", d.card_name(p.card)))).collect()
}

fn unit_in_base_square(d: &mut Duel, pieces: &[Piece]) -> Vec<(Ref, String)> {
    let wrong = pieces.iter().filter(|p| p.unit && Seat::BOTH.iter().any(|s| is_base_square(p.zone, *s)));
    wrong.map(|p| (p.card, format!("ユニット{}がベーススペースにある", d.card_name(p.card)))).collect()
}

fn without_class(d: &mut Duel, pieces: &[Piece]) -> Vec<(Ref, String)> {
    let wrong = pieces.iter().filter(|p| p.without_class);
    wrong.map(|p| (p.card, format!("{}は分類を持たない", d.card_name(p.card)))).collect()
}

/// 4.16.4-16: of the 闘気 cards under one card the later ones go. Who controls them: reading C19.
fn second_spirit(d: &mut Duel, _: &[Piece]) -> Vec<(Ref, String)> {
    let spirit = |id: &CardId| d.t.obj(*id).host.is_some_and(|h| h.0 == "闘気");
    let mut spirits: Vec<Ref> =
        squares().flat_map(|z| d.t.zone(z)).copied().filter(spirit).map(|id| d.t.now(id)).collect();
    spirits.sort_unstable();
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
