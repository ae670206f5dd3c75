//! 500: a turn and its phases; 507.5 the final step; 1021 extra turns.

use super::priority::{moment, something_due, window};
use super::schema::RESTED;
use super::zones::{Own, zone};
use super::{acts, battle, call, lasting, numbers, odo, piles, setup, speech};
use crate::card::Word;
use crate::kernel::{Cause, Cite, Duel, Flow, Ref};

const PHASES: [&str; 6] =
    ["リカバリーフェイズ", "ドローフェイズ", "コールフェイズ", "メインフェイズ", "バトルフェイズ", "エンドフェイズ"];

/// 501.1: one turn, from the phase the table stands at.
pub fn turn(d: &mut Duel) -> Flow {
    if d.t.turn == d.given.table.turn {
        speech::listen(d)?;
        piles::know_tokens(d);
        numbers::open(d);
    }
    // A turn that the board stands in the middle of is not one that comes.
    if d.t.turn != d.given.table.turn {
        d.turn_comes("遅発誘発能力", &["msd:906.6a"])?;
    }
    odo::open(d);
    if d.t.phase == "デッキ構築" {
        setup::register(d)?;
        d.enter(Word("準備"));
    }
    if d.t.phase == "準備" {
        setup::start(d)?;
    }
    let from = PHASES.iter().position(|p| d.t.phase == *p).unwrap_or(0);
    d.under(msd!("501.1", Frame), |d| {
        for phase in &PHASES[from..] {
            d.enter(Word(phase));
            d.under(chapter(phase), |d| self::phase(d, phase))?;
            d.midway(false);
        }
        Ok(())
    })?;
    next(d)
}

fn chapter(phase: &str) -> &'static Cite {
    match phase {
        "リカバリーフェイズ" => msd!("502", Frame),
        "ドローフェイズ" => msd!("503", Frame),
        "コールフェイズ" => msd!("504", Frame),
        "メインフェイズ" => msd!("505", Frame),
        "バトルフェイズ" => msd!("506", Frame),
        _ => msd!("507", Frame),
    }
}

fn phase(d: &mut Duel, phase: &str) -> Flow {
    let opened = d.t.midway;
    let first = d.t.turn == 1;
    match phase {
        "リカバリーフェイズ" => {
            if !opened {
                d.step(msd!("502.1"), recover)?;
                d.step(msd!("502.2"), |d| {
                    moment(d, Word("リカバリーフェイズ開始時"))?;
                    if first {
                        moment(d, Word("ゲーム開始時"))?;
                    }
                    moment(d, Word("ターン開始時"))
                })?;
            }
            d.step(msd!("502.3"), window)
        }
        "ドローフェイズ" => {
            if !opened {
                let skips = first && d.applies(msd!("503.1", Limit), |_| "最初のターンは引かない".into());
                if !skips {
                    let seat = d.t.active;
                    d.step(msd!("503.1"), |d| acts::draw(d, seat, Cause::RULE).map(|_| ()))?;
                }
                d.step(msd!("503.2"), |d| moment(d, Word("ドローフェイズ開始時")))?;
            }
            d.step(msd!("503.3"), window)
        }
        "コールフェイズ" => {
            if !opened {
                d.step(msd!("504.1"), call::call)?;
                d.step(msd!("504.2"), |d| moment(d, Word("コールフェイズ開始時")))?;
            }
            d.step(msd!("504.3"), window)
        }
        "メインフェイズ" => {
            if !opened {
                d.step(msd!("505.1"), |d| moment(d, Word("メインフェイズ開始時")))?;
            }
            d.step(msd!("505.2"), window)
        }
        "バトルフェイズ" => {
            if first && d.applies(msd!("506.1", Limit), |_| "最初のターンにバトルフェイズは行わない".into())
            {
                return Ok(());
            }
            battle::phase(d, opened)
        }
        _ => end(d, opened),
    }
}

/// 502.1: what is rested; what is reversed stays.
fn recover(d: &mut Duel) -> Flow {
    let seat = d.t.active;
    let zones = [zone(Own::Monsters, seat), zone(Own::Girls, seat)];
    let rested = |id: &&crate::kernel::CardId| d.t.obj(**id).state == RESTED && d.t.obj(**id).host.is_none();
    let cards: Vec<Ref> =
        zones.iter().flat_map(|z| d.t.zone(*z).iter().filter(rested)).map(|id| d.t.now(*id)).collect();
    d.turn(&cards, Word("リカバー"), Cause { seat: Some(seat), ..Cause::RULE }).map(|_| ())
}

/// 507.
fn end(d: &mut Duel, opened: bool) -> Flow {
    if !opened {
        d.step(msd!("507.1"), |d| moment(d, Word("エンドフェイズ開始時")))?;
    }
    d.step(msd!("507.2"), window)?;
    d.step(msd!("507.3"), |d| moment(d, Word("ターン終了時")))?;
    d.step(msd!("507.4"), window)?;
    d.under(msd!("507.5", Frame), |d| {
        loop {
            d.goes_round()?;
            d.step(msd!("507.5a"), lasting::end_of_turn)?;
            d.step(msd!("507.5b"), |d| {
                odo::vanish(d);
                Ok(())
            })?;
            let due = something_due(d)?;
            if !due || !d.on(msd!("507.5c", Meaning)) {
                return Ok(());
            }
            d.under(msd!("507.5c", Meaning), window)?;
        }
    })
}

/// 507.6: the other player's turn; 1021: extra turns come before it, the last that was given first.
fn next(d: &mut Duel) -> Flow {
    let extra = d.t.agenda.iter().filter(|(word, _)| *word == acts::EXTRA_TURN).count();
    let latest = extra < 2 || d.applies(msd!("1021.2", Order), |_| "後から得た追加ターンから行う".into());
    let at = match latest {
        true => d.t.agenda.iter().rposition(|(word, _)| *word == acts::EXTRA_TURN),
        false => d.t.agenda.iter().position(|(word, _)| *word == acts::EXTRA_TURN),
    };
    let inserted = at.filter(|_| d.on(msd!("1021.1", Meaning)));
    d.trace.reach(if inserted.is_some() { msd!("1021.1", Meaning) } else { msd!("507.6") });
    let passes = d.on(msd!("507.6"));
    // Whose the turn after the extra ones is does not change: it is kept beneath them.
    let active = match inserted {
        Some(at) => {
            let seat = d.aside().agenda().remove(at).1;
            if !d.t.agenda.iter().any(|(word, _)| *word == AFTER) {
                let after = d.t.active.other();
                d.aside().agenda().insert(0, (AFTER, after));
            }
            seat
        }
        None => match d.t.agenda.iter().position(|(word, _)| *word == AFTER) {
            Some(at) => {
                let (kept, other) = (d.aside().agenda().remove(at).1, d.t.active.other());
                // Reading C34: the turn that was to come, or that of who has not just had one.
                if kept != other && d.reading(msd!("C34", Reading), "a") == "b" { other } else { kept }
            }
            None if passes => d.t.active.other(),
            None => d.t.active,
        },
    };
    d.begin_turn(active, d.t.turn + 1, Word("リカバリーフェイズ"));
    Ok(())
}

/// Whose turn comes when no extra turn is left.
const AFTER: Word = Word("次のターン");
