//! 905: squares where cards lie that may not.

use super::checks::{self, Wrong};
use super::places::{bodies_on, looks_like_body, player_square, squares};
use super::schema::{KIND, at};
use crate::card::Word;
use crate::kernel::{Asks, Duel, Flow, Question, Ref, Seat, Seen, Table, Thing, View, ZoneId};

/// 905.1–905.4: cards that may not lie where they lie. `choose`: who must choose is asked.
pub fn misplaced(d: &mut Duel, choose: bool) -> Flow<Vec<Wrong>> {
    let mut found: Vec<Wrong> = Vec::new();
    let view = d.look();
    for square in squares() {
        if is_fine(&d.t, &view, square) {
            continue;
        }
        let all = bodies_on(d, square);
        for seat in Seat::BOTH.into_iter().filter(|_| all.len() > 1) {
            let own: Vec<Ref> = all.iter().copied().filter(|r| d.glance(*r).controller == seat).collect();
            if own.len() > 1 && d.on(zx!("905.1", Check)) {
                let keep = newest(d, seat, &own, choose)?;
                let late =
                    |r: &Ref| (*r, zx!("905.1", Check), "同じスクエアに同じ支配者の新しいゼクスがある".to_string());
                found.extend(own.iter().filter(|r| **r != keep).map(late));
            }
        }
        strangers(d, square, &all, &mut found)?;
        for &id in d.t.zone(square) {
            if d.t.obj(id).face_up && !may_lie(&view.cards[id.0 as usize]) && d.on(zx!("905.4", Check)) {
                found.push((d.t.now(id), zx!("905.4", Check), "スクエアに置けない種類のカード".into()));
            }
        }
    }
    Ok(found)
}

/// At most one Z/X or Ascension lies there and may, with nothing that may not.
fn is_fine(t: &Table, view: &View, square: ZoneId) -> bool {
    if t.zone(square).is_empty() {
        return true;
    }
    let open = t.zone(square).iter().filter(|id| t.obj(**id).face_up).map(|id| &view.cards[id.0 as usize]);
    let mut bodies = open.clone().filter(|seen| looks_like_body(seen));
    let first = bodies.next().map(|seen| seen.controller);
    let stranger = first.is_some_and(|seat| player_square(square).is_some_and(|owner| owner != seat));
    !stranger && bodies.next().is_none() && open.into_iter().all(|seen| may_lie(seen))
}

/// 905.4: a card of a kind that lies on squares.
fn may_lie(seen: &Seen) -> bool {
    let known = |k: &Word| matches!(k.as_str(), "ゼクス" | "アセンション" | "プレイヤー" | "シフト" | "リンク");
    seen.words(const { at(KIND) }).iter().any(known)
}

/// 905.1: the one that came last stays; of several that came together the controller picks.
fn newest(d: &mut Duel, seat: Seat, own: &[Ref], choose: bool) -> Flow<Ref> {
    let latest = own.iter().map(|r| d.t.obj(r.id).since).max();
    let of: Vec<Ref> = own.iter().copied().filter(|r| Some(d.t.obj(r.id).since) == latest).collect();
    if !choose || of.len() == 1 {
        return Ok(of[0]);
    }
    let asks = Asks::Choose { of: of.iter().map(|r| Thing::Card(*r)).collect(), min: 1, max: 1 };
    let at = d.ask(Question::new(seat, Word("残すゼクス"), asks).citing(zx!("905.1", Check)))?[0];
    Ok(of[at as usize])
}

/// 905.2: those of another controller than the oldest; 905.3: those on the other player's player square.
fn strangers(d: &mut Duel, square: ZoneId, all: &[Ref], found: &mut Vec<Wrong>) -> Flow {
    let oldest = all.iter().map(|r| d.t.obj(r.id).since).min();
    let eldest = |d: &Duel, r: &&Ref| Some(d.t.obj(r.id).since) == oldest;
    let Some(eldest_first) = all.iter().find(|r| eldest(d, r)) else { return Ok(()) };
    let first = d.glance(*eldest_first).controller;
    let mixed = all.iter().any(|r| d.glance(*r).controller != first);
    if mixed && all.iter().any(|r| eldest(d, &r) && d.glance(*r).controller != first) {
        return d.undecided(
            "支配者の異なるゼクスが同時に同じスクエアに置かれ、どちらが最も古いか決まらない",
            &["zx:905.2"],
        );
    }
    for card in all.iter().copied() {
        let controller = d.glance(card).controller;
        if mixed && controller != first && d.on(zx!("905.2", Check)) {
            found.push((card, zx!("905.2", Check), "先に置かれたゼクスと支配者が違う".into()));
        }
        if player_square(square).is_some_and(|owner| owner != controller) && d.on(zx!("905.3", Check)) {
            found.push((card, zx!("905.3", Check), "相手のプレイヤースクエアにある".into()));
        }
    }
    Ok(())
}

pub fn clear(d: &mut Duel) -> Flow {
    let mut cards: Vec<Ref> = Vec::new();
    for (card, cite, why) in misplaced(d, true)? {
        d.cites(cite, |d| format!("{}: {why}", d.card_name(card)));
        cards.push(card);
    }
    cards.sort_unstable();
    cards.dedup();
    checks::to_trash(d, &cards)
}
