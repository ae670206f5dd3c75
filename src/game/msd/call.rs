//! 504: the call phase.

use super::acts::put_into_play;
use super::piles::{bases, lay_over};
use super::priority::ask;
use super::schema::at;
use super::zones::{Own, caster, has_caster, is_kind, zone};
use crate::card::Word;
use crate::kernel::verb::{Allowed, card, no};
use crate::kernel::{Asks, Cause, Duel, Flow, Move, Question, Ref, Seat, Thing};

const FACE_UP: Word = Word("表向き");
const FACE_DOWN: Word = Word("裏向き");
const LEVEL_UP: Word = Word("レベルアップ");

/// 504.1: one of a 魔法少女 of level 1, any card face down, a level-up, or nothing.
pub fn call(d: &mut Duel) -> Flow {
    let who = d.t.active;
    let hand: Vec<Ref> = d.t.zone(zone(Own::Hand, who)).iter().map(|id| d.t.now(*id)).collect();
    let mut moves = Vec::new();
    d.give_priority(None);
    for card in hand {
        for way in [FACE_UP, FACE_DOWN, LEVEL_UP] {
            let m = Move { way, ..Move::of(Word("コール"), card) };
            if legal(d, who, &m).is_ok() {
                moves.push(m);
            }
        }
    }
    // 504.1d: none of them.
    let none = msd!("504.1d", Limit);
    if moves.is_empty() || d.on(none) {
        moves.insert(0, Move::PASS);
    }
    let Some(chosen) = ask(d, who, moves, msd!("504.1", Frame))? else { return Ok(()) };
    let Some(card) = chosen.card else {
        d.trace.reach(none);
        return Ok(());
    };
    let cause = Cause { seat: Some(who), ..Cause::RULE };
    match chosen.way.as_str() {
        "表向き" => d.step(msd!("504.1a"), |d| put_into_play(d, card, who, Word("コール"), true, cause).map(|_| ())),
        "裏向き" => {
            d.step(msd!("504.1b"), |d| put_into_play(d, card, who, Word("コール"), false, cause).map(|_| ()))
        }
        _ => d.step(msd!("504.1c"), |d| {
            let of: Vec<Thing> = bases(d, card, who).into_iter().map(Thing::Card).collect();
            let question = Question::new(who, Word("レベルアップ元"), Asks::Choose { of, min: 1, max: 1 });
            let cite =
                if kept_from_face_down(d, who, card) { msd!("504.1c-i", Meaning) } else { msd!("504.1c", Frame) };
            match d.pick(question.citing(cite))?.first() {
                Some(Thing::Card(base)) => lay_over(d, card, *base, who, cause).map(|_| ()),
                _ => Ok(()),
            }
        }),
    }
}

/// 504.1c-i: there is a card that lies face down, but the player has one of the caster already.
fn kept_from_face_down(d: &mut Duel, who: Seat, card: Ref) -> bool {
    let seen = d.seen(card);
    let down = d.t.zone(zone(Own::Girls, who)).iter().any(|id| !d.t.obj(*id).face_up && d.t.obj(*id).host.is_none());
    down && seen.number(at::LEVEL) == Some(2) && has_caster(d, who, caster(&seen)) && !seen.has("複数支配")
}

/// What forbids a call.
pub fn legal(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let card = card(m);
    // Nobody has priority while the call is made; afterwards it is over.
    if d.t.phase != "コールフェイズ" || who != d.t.active || d.t.midway || d.t.priority.is_some() {
        return no(msd!("504.1", Frame), "コールできる時ではない");
    }
    if d.t.obj(card.id).zone != zone(Own::Hand, who) {
        return no(msd!("504.1", Frame), "自分の手札のカードではない");
    }
    let seen = d.seen(card);
    let girl = is_kind(&seen, "魔法少女");
    match m.way.as_str() {
        "表向き" => {
            if !girl || seen.number(at::LEVEL) != Some(1) {
                return no(msd!("504.1a", Frame), "レベル1の魔法少女ではない");
            }
            let twice = has_caster(d, who, caster(&seen));
            let many = seen.has("複数支配") && d.on(msd!("504.1a-i", Meaning));
            if twice && many {
                d.trace.reach(msd!("504.1a-i", Meaning));
            }
            let cite = msd!("504.1a", Limit);
            if twice && !many && d.on(cite) {
                return no(cite, "同じキャスター名の魔法少女がいる");
            }
            Ok(())
        }
        "裏向き" => Ok(()),
        "レベルアップ" if bases(d, card, who).is_empty() => {
            let down = seen.number(at::LEVEL) == Some(2) && has_caster(d, who, caster(&seen));
            let cite = if down { msd!("504.1c-i", Meaning) } else { msd!("504.1c", Frame) };
            no(cite, "重ねられる魔法少女がいない")
        }
        "レベルアップ" => Ok(()),
        _ => no(msd!("504.1", Frame), "そのような出し方はない"),
    }
}
