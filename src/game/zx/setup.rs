//! 101 how a game ends, 402 how it begins, 1102, 1114, 1128 cards that begin it elsewhere.

use super::acts::shuffle;
use super::places::{player_square, zone};
use super::schema::{HITS, schema};
use crate::card::Word;
use crate::kernel::table::Outcome;
use crate::kernel::{Asks, Cite, Duel, Event, Flow, Question, Ref, Seat, Thing, What, ZoneId};

/// 402.1f–402.1p: shuffle, four cards, perhaps four others, four lives, two resources.
pub fn start(d: &mut Duel) -> Flow {
    let order = [d.t.active, d.t.active.other()];
    for seat in order {
        let square = schema().board().find(|z| player_square(*z) == Some(seat)).expect("a player square");
        set_out(d, seat, "スタートカード", square, false, zx!("402.1c"))?;
        set_out(d, seat, "ゲートカード", zone("デュナミス", seat), true, zx!("402.1d"))?;
        set_out(d, seat, "スタートリソース", zone("リソース", seat), true, zx!("402.1e"))?;
    }
    for seat in order {
        d.step(zx!("402.1f"), |d| shuffle(d, seat))?;
    }
    for seat in order {
        d.step(zx!("402.1j"), |d| take(d, seat, "手札", 4))?;
    }
    for seat in order {
        d.step(zx!("402.1k"), |d| change_hand(d, seat))?;
    }
    for seat in order {
        d.step(zx!("402.1l"), |d| take(d, seat, "ライフ", 4))?;
    }
    for seat in order {
        let there = d.t.zone(zone("リソース", seat)).len();
        d.step(zx!("402.1m"), |d| take(d, seat, "リソース", 2usize.saturating_sub(there)))?;
    }
    d.step(zx!("402.1n"), turn_up)?;
    d.step(zx!("402.1o"), |d| {
        for seat in Seat::BOTH {
            *d.number_of(seat, HITS) = 0;
        }
        Ok(())
    })?;
    d.begin_turn(d.t.active, 1, Word("リブートフェイズ"));
    Ok(())
}

/// 402.1c–402.1e: one card with that ability may be taken out of the deck and begins the game there.
fn set_out(d: &mut Duel, seat: Seat, keyword: &str, to: ZoneId, face_up: bool, cite: &'static Cite) -> Flow {
    let deck: Vec<Ref> = d.t.zone(zone("デッキ", seat)).iter().map(|id| d.t.now(*id)).collect();
    let of: Vec<Thing> = deck.into_iter().filter(|r| d.seen(*r).has(keyword)).map(Thing::Card).collect();
    if of.is_empty() || !d.applies(cite, |_| format!("「{keyword}」を持つカードを1枚まで選べる")) {
        return Ok(());
    }
    let question = Question::new(seat, Word::new(keyword), Asks::Choose { of, min: 0, max: 1 }).citing(cite);
    for thing in d.pick(question)? {
        let Thing::Card(card) = thing else { continue };
        let mut event = d.moving(card, to).seat(seat);
        event.name = Word("準備");
        event.what = What::Move { to, bottom: false, state: 0, face_up, controller: Some(seat), host: None };
        d.under(cite, |d| d.happen(vec![event]))?;
    }
    Ok(())
}

/// 402.1n: start cards are turned face up.
fn turn_up(d: &mut Duel) -> Flow {
    for square in schema().board() {
        for id in d.t.zone(square).to_vec() {
            if !d.t.obj(id).face_up && d.t.obj(id).host.is_none() {
                let up = Event { what: What::Face { up: true }, ..Event::about(Word("表"), d.t.now(id)) };
                d.happen(vec![up])?;
            }
        }
    }
    Ok(())
}

/// From the top of the deck; before the game cards lie in the resources rebooted, whatever they are.
fn take(d: &mut Duel, seat: Seat, to: &str, n: usize) -> Flow {
    let open = to == "リソース";
    let to = zone(to, seat);
    for _ in 0..n {
        let Some(top) = d.t.zone(zone("デッキ", seat)).last().copied() else { return Ok(()) };
        let card = d.t.now(top);
        let mut event = d.moving(card, to).seat(seat);
        event.what = What::Move { to, bottom: false, state: 0, face_up: open, controller: None, host: None };
        d.happen(vec![event])?;
    }
    Ok(())
}

/// 402.1k: once, the whole hand.
fn change_hand(d: &mut Duel, seat: Seat) -> Flow {
    if !d.yes(seat, Word("引き直し"), None)? {
        return Ok(());
    }
    let deck = zone("デッキ", seat);
    for id in d.t.zone(zone("手札", seat)).to_vec() {
        let card = d.t.now(id);
        let mut event = d.moving(card, deck).seat(seat);
        event.what = What::Move { to: deck, bottom: false, state: 0, face_up: false, controller: None, host: None };
        d.happen(vec![event])?;
    }
    shuffle(d, seat)?;
    take(d, seat, "手札", 4)
}

/// 101.4: at any time, at once.
pub fn concede(d: &mut Duel, seat: Seat) -> Flow {
    d.step(zx!("101.4", Limit), |d| lose(d, &[seat]))
}

/// 101.2, 101.3: one loses, the other wins; both at once is a draw.
pub fn lose(d: &mut Duel, losers: &[Seat]) -> Flow {
    let (cite, outcome) = match losers {
        [one] => (zx!("101.2", Check), Outcome::Won(one.other())),
        _ => (zx!("101.3", Check), Outcome::Draw),
    };
    if !d.applies(cite, |_| "ゲームが終わる".into()) {
        return Ok(());
    }
    d.over(outcome)
}
