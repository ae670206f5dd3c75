//! 1.6: a turn and its six phases.

use super::places::is_speed;
use super::priority::{self, Leave};
use super::schema::TURN_BEGAN;
use super::{battle, setup};
use crate::card::Word;
use crate::kernel::limit::TURN;
use crate::kernel::{Cause, Cite, Duel, Event, Flow, Seat};

const PHASES: [&str; 6] =
    ["ドローフェイズ", "スタンバイフェイズ", "メインフェイズ1", "バトルフェイズ", "メインフェイズ2", "エンドフェイズ"];

/// 1.6.1.2, 1.6.2.1: one turn, from the phase the table stands at.
pub fn turn(d: &mut Duel) -> Flow {
    if d.t.turn == d.given.table.turn {
        super::speech::listen(d)?;
    }
    if d.t.phase == "準備" {
        setup::start(d)?;
    }
    super::field::markers_known(d)?;
    if is_speed(d) {
        for cite in [ygo!("1.9.3.2", Limit), ygo!("1.9.3.4", Limit), ygo!("1.9.3.6", Limit)] {
            d.trace.reach(cite);
        }
        d.reading(ygo!("C20", Reading), "a");
    }
    d.under(ygo!("1.6.1.2", Frame), |d| {
        let mut at = PHASES.iter().position(|p| d.t.phase == *p).unwrap_or(0);
        while at < PHASES.len() {
            d.enter(Word(PHASES[at]));
            let next = phase(d, PHASES[at])?;
            d.midway(false);
            at = next.unwrap_or(at + 1);
        }
        Ok(())
    })?;
    next(d)
}

/// Runs one phase; which comes next, where it is not the following one.
fn phase(d: &mut Duel, phase: &'static str) -> Flow<Option<usize>> {
    let opened = d.t.midway;
    let begin = |d: &mut Duel| if opened { Ok(()) } else { announce(d, phase) };
    match phase {
        "ドローフェイズ" => {
            begin(d)?;
            if !opened {
                draw(d)?;
            }
            priority::window(d)?;
        }
        "スタンバイフェイズ" => d.step(standby(d), |d| {
            begin(d)?;
            priority::window(d)
        })?,
        "メインフェイズ1" => {
            begin(d)?;
            // 2.5.0.2, reading C21: without a battle phase there is no second main phase.
            let main = if is_speed(d) { ygo!("1.9.4.5") } else { ygo!("1.6.3.3") };
            let left = if d.on(main) { d.under(main, priority::open)? } else { Leave::End };
            if left != Leave::Battle {
                let skips =
                    d.applies(ygo!("2.5.0.2", Limit), |_| "バトルフェイズを行わず、エンドフェイズへ進む".into());
                let second = !skips || d.reading(ygo!("C21", Reading), "a") == "b";
                return Ok(Some(if second { 4 } else { 5 }));
            }
        }
        "バトルフェイズ" => {
            d.under(ygo!("1.6.3.4", Frame), |d| battle::phase(d, opened))?;
            // 1.9.4.2: a speed duel has one main phase.
            if is_speed(d) && d.applies(ygo!("1.9.4.2"), |_| "スピードデュエルのメインフェイズは1つ".into())
            {
                return Ok(Some(5));
            }
        }
        "メインフェイズ2" => {
            begin(d)?;
            d.step(ygo!("1.6.3.6"), |d| priority::open(d).map(|_| ()))?;
        }
        _ => d.under(ygo!("1.6.3.7", Frame), |d| {
            begin(d)?;
            priority::window(d)?;
            // 4.1.29.1: before the hand is adjusted.
            d.expire(Word("エンドフェイズ時"), None)?;
            setup::hand_limit(d)?;
            priority::window(d)
        })?,
    }
    Ok(None)
}

/// The phase begins, and it is the turn player's (3.3.11.2: texts count the turns of one player alone).
pub fn announce(d: &mut Duel, phase: &'static str) -> Flow {
    let cite = ygo!("3.3.11.2", Meaning);
    d.trace.reach(cite);
    let whose = d.on(cite).then_some(d.t.active);
    d.happen(vec![Event { seat: whose, ..Event::signal(Word(phase)) }])
}

/// 1.6.3.2; 1.9.4.4 in a speed duel.
fn standby(d: &Duel) -> &'static Cite {
    if is_speed(d) { ygo!("1.9.4.4") } else { ygo!("1.6.3.2") }
}

/// 1.6.3.1: one card, but not in the first turn of the duel.
fn draw(d: &mut Duel) -> Flow {
    let cite = if is_speed(d) { ygo!("1.9.4.3", Limit) } else { ygo!("1.6.3.1", Limit) };
    if d.t.turn == 1 && d.applies(cite, |_| "先攻プレイヤーの第1ターンはドローしない".into()) {
        return Ok(());
    }
    let seat = d.t.active;
    d.under(ygo!("1.6.3.1", Frame), |d| setup::draw(d, seat, Cause::RULE).map(|_| ()))
}

/// 1.6.1.1: the turn ends and with it what lasts until then (4.1.29.2); the other player's begins.
fn next(d: &mut Duel) -> Flow {
    let speed = is_speed(d);
    let cite = if speed { ygo!("1.9.4.8") } else { ygo!("1.6.1.1", Frame) };
    d.under(cite, |d| {
        super::lasting::count_turn(d)?;
        d.expire(Word("ターン終了時"), None)?;
        // 3.3.11.1: each player's turn is a turn. Knocked out, both together are one.
        let counts = d.applies(ygo!("3.3.11.1", Meaning), |_| "1人のターンを1ターンと数える".into());
        // 4.1.19.3: each turn anew.
        let anew = d.on(ygo!("4.1.19.3", Meaning));
        d.trace.reach(ygo!("4.1.19.3", Meaning));
        let more = u16::from(counts || d.t.active == Seat(1));
        let used: Vec<_> = d.t.used.iter().filter(|u| !anew && u.lasts == TURN).copied().collect();
        // 1.9.4.8 knocked out, the turn does not pass to the other.
        let next = if speed && !d.on(cite) { d.t.active } else { d.t.active.other() };
        d.begin_turn(next, d.t.turn + more, Word("ドローフェイズ"));
        d.aside().uses().extend(used);
        let now = d.aside().tick() as i32;
        *d.aside().fact(TURN_BEGAN) = now;
        Ok(())
    })
}
