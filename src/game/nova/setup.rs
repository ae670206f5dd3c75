//! 003 how a game ends, 007 how it begins.

use super::places::{who, zone};
use super::schema::{DRY, LIFE, LOSING, SHUFFLED, SWAPPED};
use super::{say, text};
use crate::card::Word;
use crate::kernel::table::Outcome;
use crate::kernel::{Asks, Cause, Duel, Event, Flow, Question, Seat, Thing, What};

/// 007.2–007.7: shuffle, who is first, seven cards, one new hand each.
pub fn start(d: &mut Duel) -> Flow {
    for seat in Seat::BOTH {
        d.step(nova!("007.2"), |d| shuffle(d, seat))?;
    }
    d.step(nova!("007.4"), |d| {
        for seat in Seat::BOTH {
            *d.aside().seat(seat, LIFE) = 2000;
        }
        Ok(())
    })?;
    let chosen = say(d, [nova!("007.5"), nova!("007.5.1")]);
    let first = if chosen { d.under(nova!("007.5.1"), who_begins)? } else { Seat(0) };
    for seat in [first, first.other()] {
        d.step(nova!("007.6"), |d| take(d, seat, 7))?;
    }
    let mut again = [false; 2];
    for seat in [first, first.other()] {
        again[seat.index()] =
            d.on(nova!("007.6.1", Limit)) && d.under(nova!("007.6.1", Limit), |d| new_hand(d, seat))?;
    }
    let (one, two) = (again[first.index()], again[first.other().index()]);
    let swapped = one
        && !two
        && d.reading(nova!("C29", Reading), "a") != "b"
        && d.applies(nova!("007.6.1.2", Meaning), |_| {
            "引き直したのは先攻だけなので、後攻がターンプレイヤーとして始める".into()
        });
    let begins = if swapped { first.other() } else { first };
    let active = if say(d, [nova!("007.7", Order)]) { begins } else { begins.other() };
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
    let first = d.ask(question.citing(nova!("007.5.1")))?[0] == 0;
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
    d.step(nova!("007.6.1.1"), |d| {
        d.happen(events)?;
        shuffle(d, seat)?;
        take(d, seat, 7)
    })?;
    Ok(true)
}

/// 920.1: chance orders the deck.
pub fn shuffle(d: &mut Duel, seat: Seat) -> Flow {
    if !say(d, [nova!("920.1")]) {
        return Ok(());
    }
    let deck = zone("デッキ", seat);
    if say(d, [nova!("920.2", Limit), nova!("920.2.1", Limit)]) {
        *d.aside().fact(SHUFFLED) |= 1 << seat.index();
    }
    d.shuffle(deck, Some(nova!("920.1")))?;
    d.happen(vec![Event::signal(Word("シャッフル")).seat(seat)])
}

/// 003.2.3: at any time, at once; nothing touches it (003.2.3.1).
pub fn concede(d: &mut Duel, seat: Seat) -> Flow {
    d.trace.reach(nova!("912.4.5", Frame));
    // 003.2.3.1: also where a text says that the player cannot lose.
    if !say(d, [nova!("003.2.3.1", Limit)]) {
        return d.step(nova!("003.2.3", Limit), |d| lose(d, seat).map(|_| ()));
    }
    d.step(nova!("003.2.3", Limit), |d| end(d, seat))
}

/// 004.1: unless a text says that the player cannot; 802.1.3.2: or that something else is done instead. Whether it was.
pub fn lose(d: &mut Duel, seat: Seat) -> Flow<bool> {
    let mask = 1 << seat.index();
    if d.t.facts[LOSING] & mask != 0 {
        return Ok(false);
    }
    *d.aside().fact(LOSING) |= mask;
    let done = d.propose_one(text::would(Word("敗北"), None, seat));
    *d.aside().fact(LOSING) &= !mask;
    let done = done?;
    if done.any() {
        end(d, seat)?;
    }
    if !done.replaced {
        return Ok(false);
    }
    *d.number_of(seat, DRY) = 0;
    if d.t.seats[seat.index()][LIFE] <= 0 {
        let text = "敗北を置き換えた後もライフが0以下のままのプレイヤー";
        return d.undecided(text, &["nova:502.1", "nova:802.1.3.2", "nova:924.1.3"]);
    }
    Ok(true)
}

/// 003.1.2: by an effect.
pub fn win(d: &mut Duel, seat: Seat) -> Flow {
    d.tell(crate::kernel::Told::Applied, |_| format!("{}が勝利する", who(seat)));
    over(d, seat)
}

fn over(d: &mut Duel, winner: Seat) -> Flow {
    d.over(Outcome::Won(winner))
}

/// 003.1.1: who has lost makes the other win, also where a text says that they cannot (003.1.1.1).
fn end(d: &mut Duel, seat: Seat) -> Flow {
    d.step(nova!("003.1.1", Check), |d| {
        let barred = d.forbidden(&text::would(Word("勝利"), None, seat.other()));
        if barred && !d.applies(nova!("003.1.1.1", Order), |_| "勝利できないという効果はないものとして扱う".into())
        {
            return Ok(());
        }
        d.tell(crate::kernel::Told::Applied, |_| format!("{}が敗北し、{}が勝利する", who(seat), who(seat.other())));
        over(d, seat.other())
    })
}
