//! 101 how a game ends, 402 how it begins.

use super::acts::shuffle;
use super::places::zone;
use crate::card::Word;
use crate::kernel::table::Outcome;
use crate::kernel::{Duel, Flow, Halt, Seat, What};

/// 402.1f–402.1p: shuffle, four cards, perhaps four others, four lives, two resources.
pub fn start(d: &mut Duel) -> Flow {
    let order = [d.t.active, d.t.active.other()];
    for seat in order {
        d.under(zx!("402.1f", Frame), |d| shuffle(d, seat))?;
    }
    for seat in order {
        d.step(zx!("402.1j"), |d| take(d, seat, "手札", 4))?;
    }
    for seat in order {
        d.under(zx!("402.1k", Frame), |d| change_hand(d, seat))?;
    }
    for seat in order {
        d.step(zx!("402.1l"), |d| take(d, seat, "ライフ", 4))?;
    }
    for seat in order {
        let there = d.t.zone(zone("リソース", seat)).len();
        d.step(zx!("402.1m"), |d| take(d, seat, "リソース", 2usize.saturating_sub(there)))?;
    }
    let t = d.edit();
    t.phase = Word("リブートフェイズ");
    t.midway = false;
    t.turn = 1;
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
    d.under(zx!("101.4", Frame), |d| lose(d, &[seat]))
}

/// 101.2, 101.3: one loses, the other wins; both at once is a draw.
pub fn lose(d: &mut Duel, losers: &[Seat]) -> Flow {
    let outcome = match losers {
        [one] => {
            d.trace.reach(zx!("101.2", Frame));
            Outcome::Won(one.other())
        }
        _ => {
            d.trace.reach(zx!("101.3", Frame));
            Outcome::Draw
        }
    };
    d.edit().over = Some(outcome);
    Err(Halt::Over(outcome))
}
