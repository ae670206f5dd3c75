//! 003 how a game ends, 007 how it begins.

use super::places::{who, zone};
use super::schema::SWAPPED;
use crate::card::Word;
use crate::kernel::table::Outcome;
use crate::kernel::{Asks, Cause, Duel, Flow, Question, Seat, Thing, What};

/// 007.2–007.7: shuffle, who is first, seven cards, one new hand each.
pub fn start(d: &mut Duel) -> Flow {
    for seat in Seat::BOTH {
        d.under(nova!("007.2", Frame), |d| shuffle(d, seat))?;
    }
    let first = d.under(nova!("007.5.1", Frame), who_begins)?;
    for seat in [first, first.other()] {
        d.step(nova!("007.6"), |d| take(d, seat, 7))?;
    }
    let mut again = [false; 2];
    for seat in [first, first.other()] {
        again[seat.index()] = d.under(nova!("007.6.1", Frame), |d| new_hand(d, seat))?;
    }
    let (one, two) = (again[first.index()], again[first.other().index()]);
    let swapped = one
        && !two
        && d.reading(nova!("C29", Reading), "a") != "b"
        && d.applies(nova!("007.6.1.2", Meaning), |_| {
            "引き直したのは先攻だけなので、後攻がターンプレイヤーとして始める".into()
        });
    let active = if swapped { first.other() } else { first };
    d.trace.reach(nova!("007.7", Frame));
    *d.aside().fact(SWAPPED) = i32::from(swapped);
    d.begin_turn(active, 1, Word("スタンバイフェイズ"));
    Ok(())
}

/// 007.5.1: chance picks a player, who chooses.
fn who_begins(d: &mut Duel) -> Flow<Seat> {
    let of = Seat::BOTH.map(Thing::Seat).to_vec();
    let mut question = Question::new(Seat(0), Word("選ぶプレイヤー"), Asks::Choose { of, min: 1, max: 1 });
    question.seat = None;
    let chooser = Seat(d.ask(question)?[0] as u8);
    let of = vec![Thing::Word(Word("先攻")), Thing::Word(Word("後攻"))];
    let question = Question::new(chooser, Word("先攻か後攻"), Asks::Choose { of, min: 1, max: 1 });
    let first = d.ask(question.citing(nova!("007.5.1", Frame)))?[0] == 0;
    Ok(if first { chooser } else { chooser.other() })
}

fn take(d: &mut Duel, seat: Seat, n: usize) -> Flow {
    for _ in 0..n {
        super::acts::draw(d, seat, Cause::RULE)?;
    }
    Ok(())
}

/// 007.6.1.1: the whole hand into the deck, shuffled, seven new cards.
fn new_hand(d: &mut Duel, seat: Seat) -> Flow<bool> {
    if !d.yes(seat, Word("引き直し"), None)? {
        return Ok(false);
    }
    let deck = zone("デッキ", seat);
    let mut events = Vec::new();
    for id in d.t.zone(zone("手札", seat)).to_vec() {
        let card = d.t.now(id);
        let mut event = d.moving(card, deck).seat(seat);
        event.what = What::Move { to: deck, bottom: false, state: 0, face_up: false, controller: None, host: None };
        events.push(event);
    }
    d.happen(events)?;
    d.under(nova!("007.6.1.1", Frame), |d| shuffle(d, seat))?;
    take(d, seat, 7)?;
    Ok(true)
}

/// 920.1: chance orders the deck.
pub fn shuffle(d: &mut Duel, seat: Seat) -> Flow {
    let deck = zone("デッキ", seat);
    d.shuffle(deck, Some(nova!("920.1", Frame)))
}

/// 003.2.3: at any time, at once; nothing touches it (003.2.3.1).
pub fn concede(d: &mut Duel, seat: Seat) -> Flow {
    d.trace.reach(nova!("003.2.3.1", Frame));
    d.under(nova!("003.2.3", Frame), |d| lose(d, seat))
}

/// 003.1.1: who has lost makes the other win.
pub fn lose(d: &mut Duel, seat: Seat) -> Flow {
    d.under(nova!("003.1.1", Frame), |d| {
        d.trace.reach(nova!("003.1.1.1", Frame));
        d.tell(crate::kernel::Told::Applied, |_| format!("{}が敗北し、{}が勝利する", who(seat), who(seat.other())));
        let outcome = Outcome::Won(seat.other());
        d.over(outcome)
    })
}
