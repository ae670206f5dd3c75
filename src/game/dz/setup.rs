//! 3.1 decks, 3.2 the start of a duel, 3.3 its end.

use super::places::{Own, zone};
use super::priority::over;
use super::schema::{ADDED, ORDERED, REDRAW};
use crate::card::{Card, Datum, Word};
use crate::game::deck::Deck;
use crate::kernel::table::Outcome;
use crate::kernel::{Asks, Cause, Cite, Duel, Flow, Means, Question, Seat, Thing, What};

/// 3.1.1, 3.1.2, 1.2.4, 5.6.2: what is wrong with a deck.
pub fn deck_problems(deck: &Deck) -> Vec<(&'static Cite, String)> {
    let mut problems = Vec::new();
    if deck.main.len() != 40 {
        let cite = if deck.limited { dz!("3.1.2", Limit) } else { dz!("3.1.1", Limit) };
        problems.push((cite, format!("デッキは40枚でなければならない（{}枚ある）", deck.main.len())));
    }
    let forbidden: i32 = deck
        .main
        .iter()
        .map(|c| match c.data.get(&Word::new("禁呪")) {
            Some(Datum::Number(n)) => *n,
            _ => 0,
        })
        .sum();
    if forbidden > 10 {
        problems.push((dz!("1.2.4", Limit), format!("禁呪の合計は10以下でなければならない（{forbidden}ある）")));
    }
    if deck.limited {
        return problems;
    }
    if !deck.side.is_empty() && deck.side.len() != 10 {
        problems.push((
            dz!("3.1.1", Limit),
            format!("サイドボードは10枚か0枚でなければならない（{}枚ある）", deck.side.len()),
        ));
    }
    let all: Vec<&Card> = deck.main.iter().chain(&deck.side).copied().collect();
    let mut names: Vec<Word> = all.iter().map(|c| c.name).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let copies: Vec<&&Card> = all.iter().filter(|c| c.name == name).collect();
        let united =
            copies.iter().any(|c| c.abilities.iter().any(|a| a.keyword.as_ref().is_some_and(|k| k.name == "団結")));
        if copies.len() > 3 && !united {
            problems.push((dz!("3.1.1", Limit), format!("「{name}」は3枚まで（{}枚ある）", copies.len())));
        }
    }
    problems
}

/// 3.2: five cards each, and one redraw for the second player where that is allowed.
pub fn start(d: &mut Duel) -> Flow {
    let first = d.t.active;
    d.under(dz!("3.1.3", Frame), |d| {
        for seat in Seat::BOTH {
            shuffle(d, seat)?;
        }
        Ok(())
    })?;
    d.step(dz!("3.2.2"), |d| {
        for seat in [first, first.other()] {
            draw_five(d, seat)?;
        }
        Ok(())
    })?;
    if d.t.facts[REDRAW] > 0 {
        let cannot = dz!("3.2.3-1", Frame);
        d.not_yes(first, AGAIN, None, cannot)?;
        redraw(d, first.other())?;
        d.not_yes(first.other(), AGAIN, None, cannot)?;
    }
    d.begin_turn(d.t.active, 1, Word("リリースフェイズ"));
    Ok(())
}

fn draw_five(d: &mut Duel, seat: Seat) -> Flow {
    for _ in 0..5 {
        super::book::draw(d, seat, Cause { means: Means::Effect, card: None, seat: Some(seat) })?;
    }
    Ok(())
}

const AGAIN: Word = Word("引きなおし");

/// 3.2.3-1: all five to the bottom of the deck in any order, and five new ones.
fn redraw(d: &mut Duel, seat: Seat) -> Flow {
    d.under(dz!("3.2.3-1", Frame), |d| {
        if !d.yes(seat, AGAIN, None)? {
            return Ok(());
        }
        let hand = zone(Own::Hand, seat);
        let deck = zone(Own::Deck, seat);
        let cards: Vec<Thing> = d.t.zone(hand).iter().map(|id| Thing::Card(d.t.now(*id))).collect();
        let mut question = Question::new(seat, Word("順番"), Asks::Order(cards));
        question.minor = true;
        for thing in d.pick(question)? {
            let Thing::Card(card) = thing else { continue };
            let mut event = d.moving(card, deck);
            event.what = What::Move { to: deck, bottom: true, state: 0, face_up: false, controller: None, host: None };
            d.happen(vec![event])?;
        }
        draw_five(d, seat)
    })
}

/// Chance orders the deck; 2.23.3-5: the plan card is turned down first.
pub fn shuffle(d: &mut Duel, seat: Seat) -> Flow {
    let deck = zone(Own::Deck, seat);
    super::others::turn_plan_down(d, seat, dz!("2.23.3-5", Meaning))?;
    d.shuffle(deck, None)?;
    if d.t.seats[seat.index()][ORDERED] > 0
        && !d.applies(dz!("6.2.4", Meaning), |_| "シャッフルしても、意図的に決定されたことは変わらない".into())
    {
        *d.aside().seat(seat, ORDERED) = 0;
    }
    Ok(())
}

/// 3.3.7: at any time, at once, and no effect stops it.
pub fn concede(d: &mut Duel, seat: Seat) -> Flow {
    d.under(dz!("3.3.7", Frame), |d| over(d, Outcome::Won(seat.other())))
}

/// 3.3.4, 3.3.6.
pub fn draw<T>(d: &mut Duel) -> Flow<T> {
    d.over(Outcome::Draw)
}

/// 3.3.3–3.3.5: those who lose at once lose, both at once is a draw.
pub fn lose(d: &mut Duel, losers: &[Seat]) -> Flow {
    for seat in losers {
        *d.aside().seat(*seat, ADDED) = 1;
    }
    match losers {
        [one] => over(d, Outcome::Won(one.other())),
        _ => d.under(dz!("3.3.4", Frame), draw),
    }
}

/// 6.2.4: once the order of a deck was decided on purpose, that stays so.
pub fn mark_ordered(d: &mut Duel, seat: Seat) {
    *d.aside().seat(seat, ORDERED) = 1;
}
