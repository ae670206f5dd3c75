//! 3.4–3.10: a turn and its six phases.

use super::places::{Own, is_square, seen_from, zone};
use super::priority::window;
use super::schema::{ACTIVITY, DAMAGE, ENERGY, at};
use super::setup;
use crate::card::Word;
use crate::kernel::{Asks, Cause, Duel, Event, Flow, Means, Move, Question, Ref, Seat, Thing, What};

const PHASES: [&str; 6] = [
    "リリースフェイズ",
    "ドローフェイズ",
    "エネルギーフェイズ",
    "メインフェイズ",
    "スマッシュフェイズ",
    "リカバリーフェイズ",
];

/// 3.4.1, 3.4.2: one turn, from the phase the table stands at.
pub fn turn(d: &mut Duel) -> Flow {
    if d.t.turn == d.given.table.turn {
        super::speech::listen(d)?;
    }
    if d.t.phase == "準備" {
        setup::start(d)?;
    }
    let from = PHASES.iter().position(|p| d.t.phase == *p).unwrap_or(0);
    d.under(dz!("3.4.2", Frame), |d| {
        for phase in &PHASES[from..] {
            d.enter(Word(phase));
            d.under(chapter(phase), |d| self::phase(d, phase))?;
            d.midway(false);
        }
        Ok(())
    })?;
    next(d)
}

fn chapter(phase: &str) -> &'static crate::kernel::Cite {
    match phase {
        "リリースフェイズ" => dz!("3.5", Frame),
        "ドローフェイズ" => dz!("3.6", Frame),
        "エネルギーフェイズ" => dz!("3.7", Frame),
        "メインフェイズ" => dz!("3.8", Frame),
        "スマッシュフェイズ" => dz!("3.9", Frame),
        _ => dz!("3.10", Frame),
    }
}

fn phase(d: &mut Duel, phase: &str) -> Flow {
    let opened = d.t.midway;
    match phase {
        "リリースフェイズ" => {
            if !opened {
                d.turn_comes("後で誘発する能力", &["dz:4.4.4", "dz:4.14.3-1"])?;
                d.step(dz!("3.5.1"), release)?;
                d.signal(Word("ターン開始時"))?;
                d.signal(Word("リリースフェイズ開始時"))?;
            }
            window(d, |_| Ok(false))
        }
        "ドローフェイズ" => {
            // 3.2.4, 3.6.1-2: the first player has no draw phase in the first turn.
            if d.t.turn == 1 && d.applies(dz!("3.6.1-2", Limit), |_| "先攻の第1ターンはドローフェイズをとばす".into())
            {
                d.trace.reach(dz!("3.4.4", Frame));
                return Ok(());
            }
            if !opened {
                d.step(dz!("3.6.1-1"), |d| {
                    let seat = d.t.active;
                    super::book::draw(d, seat, Cause { means: Means::Effect, card: None, seat: Some(seat) }).map(|_| ())
                })?;
                d.signal(Word("ドローフェイズ開始時"))?;
            }
            window(d, |_| Ok(false))
        }
        "エネルギーフェイズ" | "メインフェイズ" | "スマッシュフェイズ" => {
            if !opened {
                d.signal(opening(phase))?;
            }
            window(d, |_| Ok(false))
        }
        _ => recovery(d, opened),
    }
}

fn opening(phase: &str) -> Word {
    match phase {
        "エネルギーフェイズ" => Word("エネルギーフェイズ開始時"),
        "メインフェイズ" => Word("メインフェイズ開始時"),
        _ => Word("スマッシュフェイズ開始時"),
    }
}

/// 3.5.1: everything frozen that the active player controls in squares, energy and smash zone.
fn release(d: &mut Duel) -> Flow {
    let seat = d.t.active;
    let view = d.look();
    let mine = |d: &Duel, r: &Ref| {
        let obj = d.t.obj(r.id);
        if is_square(obj.zone) {
            view.cards[r.id.0 as usize].controller == seat && obj.host.is_none()
        } else {
            obj.zone == zone(Own::Energy, seat) || obj.zone == zone(Own::Smash, seat)
        }
    };
    let cards: Vec<Ref> = d.t.ids().map(|id| d.t.now(id)).filter(|r| d.t.obj(r.id).turned() && mine(d, r)).collect();
    d.turn(&cards, Word("リリース"), Cause { seat: Some(seat), ..Cause::RULE }).map(|_| ())
}

/// 3.10: damage and effects end, then triggers; again while anything happened.
fn recovery(d: &mut Duel, mut opened: bool) -> Flow {
    loop {
        *d.aside().fact(ACTIVITY) = 0;
        if !opened {
            d.step(dz!("3.10.1"), |d| {
                for id in d.t.ids() {
                    *d.aside().card(id, DAMAGE) = 0;
                }
                d.expire(Word("ターン終了時"), None)?;
                Ok(())
            })?;
            d.signal(Word("リカバリーフェイズ開始時"))?;
        }
        opened = false;
        let mut ended = false;
        window(d, |d| {
            if ended {
                return Ok(false);
            }
            ended = true;
            d.step(dz!("3.10.2"), |d| d.signal(Word("ターン終了時")))?;
            Ok(!d.t.context().pending.is_empty())
        })?;
        if d.t.facts[ACTIVITY] == 0
            || !d.applies(dz!("3.10.3", Meaning), |_| "誘発やルールエフェクトがあったので初めから繰り返す".into())
        {
            return Ok(());
        }
    }
}

/// 3.4.5: the turn ends and the other player becomes the active player.
fn next(d: &mut Duel) -> Flow {
    d.under(dz!("3.4.5", Frame), |d| {
        d.begin_turn(d.t.active.other(), d.t.turn + 1, Word("リリースフェイズ"));
        Ok(())
    })
}

/// 3.7.1: the card goes to the energy zone.
pub fn put_energy(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    let card = m.card.expect("a card is chosen");
    d.step(dz!("3.7.1"), |d| {
        *d.aside().seat(who, ENERGY) += 1;
        let event = d.moving(card, zone(Own::Energy, who)).seat(who);
        d.propose_one(event).map(|_| ())
    })?;
    Ok(true)
}

/// 3.9.1.
pub fn smash(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    d.step(dz!("3.9.1"), |d| carry_smash(d, who, m.card.expect("a unit is chosen")))?;
    Ok(true)
}

/// 3.9.1 (1), (2): freeze the unit; the opponent puts as many cards as its smash, one more in the enemy area.
fn carry_smash(d: &mut Duel, who: Seat, unit: Ref) -> Flow {
    let (_, y) = seen_from(d.t.obj(unit.id).zone, who);
    let smash = at::SMASH;
    if !d.turn(&[unit], Word("フリーズ"), Cause { seat: Some(who), ..Cause::RULE })? {
        return Ok(());
    }
    let printed = d.seen(unit).number(smash).unwrap_or(0);
    let mut n = printed;
    if n < 0 && d.applies(dz!("1.2.2", Meaning), |_| format!("スマッシュ{printed}は0として扱う")) {
        n = 0;
    }
    if y == 3 && d.applies(dz!("3.9.1-2", Meaning), |_| "敵軍エリアなのでスマッシュ＋1枚".into()) {
        n += 1;
    } else if y == 2 {
        d.trace.reach(dz!("3.9.1-1", Frame));
    }
    let mut event = Event::about(Word("スマッシュ"), unit).seat(who);
    event.amount = n;
    d.happen(vec![event])?;
    if n < 0 {
        // Without 1.2.2 cards would flow back; that is the plain meaning of a negative number.
        return put_back(d, who.other(), n.saturating_neg());
    }
    super::others::put_smash(d, who.other(), n, Cause { means: Means::Rule, card: Some(unit), seat: Some(who) })
        .map(|_| ())
}

fn put_back(d: &mut Duel, seat: Seat, n: i32) -> Flow {
    let cards: Vec<Thing> = d.t.zone(zone(Own::Smash, seat)).iter().map(|id| Thing::Card(d.t.now(*id))).collect();
    let n = (n as usize).min(cards.len());
    let chosen = d.pick(Question::new(seat, Word("戻すカード"), Asks::Choose { of: cards, min: n, max: n }))?;
    let deck = zone(Own::Deck, seat);
    for thing in chosen {
        let Thing::Card(card) = thing else { continue };
        let mut event = d.moving(card, deck);
        event.what = What::Move { to: deck, bottom: false, state: 0, face_up: false, controller: None, host: None };
        d.happen(vec![event])?;
    }
    Ok(())
}
