//! 109.2.1: the level of a character, lowered for the rest of the game.

use super::places::{is_field, waiting};
use super::schema::{NEXT_LOWER, RANK};
use crate::card::{Change, Datum, Value, Word};
use crate::kernel::{Duel, Event, Flow, Ongoing, Ref, Seat, Thing};

/// The slot that says by how much, for the rest of the game.
const LOWER: Word = Word("このゲーム中のレベル減");

/// The next character that the player plays will be of a lower level.
pub fn lower_next(d: &mut Duel, who: Seat, by: i32) -> bool {
    *d.aside().seat(who, NEXT_LOWER) += by.max(0);
    by > 0
}

/// A character has been played: it is the next.
pub fn played(d: &mut Duel, who: Seat, card: Ref) {
    let by = std::mem::take(d.aside().seat(who, NEXT_LOWER));
    if by > 0 {
        d.trace.reach(nova!("109.2.1", Limit));
        begin(d, card, by);
    }
}

fn begin(d: &mut Duel, card: Ref, by: i32) {
    let seat = d.t.obj(card.id).controller;
    let mut effect = Ongoing::on(card, seat, vec![Change::Add(Word(RANK), Value::Number(by.saturating_neg()))]);
    effect.slots.set(LOWER, vec![Thing::Number(by)]);
    d.begin_effect(effect);
}

/// By how much it is lower for the rest of the game.
fn lowered(d: &Duel, card: Ref) -> i32 {
    let ours = d.t.ongoing.iter().filter(|o| o.locked.as_ref().is_some_and(|l| l[..] == [card]));
    ours.filter_map(|o| o.slots.number(&LOWER)).sum()
}

/// 301.9, reading C40: whether the rest of the game is said of the card wherever it goes.
fn goes_along(d: &mut Duel) -> &'static str {
    match d.reading(nova!("C40", Reading), "a") {
        "b" => "b",
        "c" => "c",
        _ => "a",
    }
}

/// Played, it comes onto the field as what it was played as; whether it stays so where it goes then is open.
pub fn follow(d: &mut Duel, event: &Event) -> Flow {
    let (Some(before), Some(after)) = (event.card.filter(|_| event.is_move()), event.after) else { return Ok(()) };
    let by = if before == after { 0 } else { lowered(d, before) };
    if by == 0 {
        return Ok(());
    }
    let resolves = event.from == Some(waiting()) && event.to.is_some_and(is_field);
    match if resolves { "b" } else { goes_along(d) } {
        "b" => begin(d, after, by),
        "c" => {}
        _ => {
            let text = "このゲーム中とされたレベルの減少が、場を離れたキャラクターにも続くかどうか";
            return d.undecided(text, &["nova:109.2.1", "nova:301.9"]);
        }
    }
    Ok(())
}

/// The level that a character would have where it goes from the field.
pub fn off_the_field(d: &mut Duel, card: Ref) -> i32 {
    let printed = match d.card(card).data.get(&Word(RANK)) {
        Some(Datum::Number(n)) => *n,
        _ => 0,
    };
    let by = lowered(d, card);
    let less = if by > 0 && goes_along(d) != "c" { by } else { 0 };
    (printed - less).max(0)
}
