//! 924: loops. What comes again and again is ended by saying how often, or lost by whoever caused it.

use super::schema::{DESTROYED, LIFE, STOCK};
use super::setup;
use crate::card::{Amount, Part, Parts, Value, Word};
use crate::kernel::rounds::{Act, LONG, MOST, OFTEN};
use crate::kernel::{Cite, Duel, Flow, Move, Ref, Refusal, Seat};

/// 924.1.1, 924.1.2: the same position again and again, by acts that somebody chooses: they say how often, the lower
/// number counts, and then the loop is not gone on with. 924.1.3: nobody can do anything but pass.
pub fn repetition(d: &mut Duel, who: Seat, here: u64) -> Flow {
    let Some(round) = d.round(who, here) else { return Ok(()) };
    let acts = |s: Seat| round.iter().any(|a| a.1 == s && a.3 && !a.2.is_pass());
    let (active, other) = (d.t.active, d.t.active.other());
    match (acts(active), acts(other)) {
        (false, false) if round.iter().any(|a| a.3) => return Ok(()),
        (false, false) => return unstoppable(d),
        (true, true) if !d.on(nova!("924.1.2", Limit)) => return Ok(()),
        (one, other) if one != other && !d.on(nova!("924.1.1", Limit)) => return Ok(()),
        (true, true) => {
            d.how_often(active, MOST, nova!("924.1.2", Limit))?;
            d.how_often(other, MOST, nova!("924.1.2", Limit))?;
        }
        (one, _) => {
            d.how_often(if one { active } else { other }, MOST, nova!("924.1.1", Limit))?;
        }
    }
    d.bar(&round, |a| a.3);
    Ok(())
}

/// Why an act that the rules allow is not among those offered: it would go on with a loop that has been ended.
pub fn looped(d: &Duel, seat: Seat, wanted: &Move) -> Refusal {
    let same = |m: &Move| m.verb == wanted.verb && is_card(m.card, wanted.card);
    let ended = d.barred.iter().any(|(s, m, _)| *s == seat && same(m))
        || d.acts.iter().any(|a| a.2.verb == BUDGET && a.0 == 0 && a.1 == seat && is_card(a.2.card, wanted.card));
    let both = Seat::BOTH.iter().all(|s| d.barred.iter().any(|(seat, ..)| seat == s));
    let cite = if both { nova!("924.1.2", Limit) } else { nova!("924.1.1", Limit) };
    let why = if ended {
        "回数を決めたループは、ほかの行動をするまで続けられない"
    } else {
        "その行動は今の選択肢にない"
    };
    Refusal { what: wanted.verb.to_string(), cite: ended.then_some(cite), why: why.into() }
}

/// What is noted among the acts while nobody can do anything: the position but for life, and the life.
const ROUND: Word = Word("巡");
const LIVES: Word = Word("ライフ");

/// 924.1.3: nobody can do anything but pass, and the position comes again but for life, which has not become less and of
/// which no text asks: it goes on for ever.
/// 924.1.1, 924.1.2: somebody said yes to what goes on with it: it can be stopped, and they say how often.
pub fn grows(d: &mut Duel, who: Seat, alone: bool) -> Flow {
    let real = d.acts.iter().rev().filter(|a| !is_note(a));
    let stuck = alone && d.acts.len() >= LONG && real.take(LONG).all(|a| a.2.is_pass() && !a.3);
    let willing = d.acts.len() >= LONG && agrees(d);
    if !(stuck || willing) || d.t.context().pile.is_empty() || d.acts.iter().any(|a| a.2.verb == LEFT) {
        return Ok(());
    }
    if willing {
        let (before, never_less) = again(d, who, &Seat::BOTH);
        return match before + 1 >= OFTEN && never_less {
            true => as_often_as_said(d, stuck),
            false => Ok(()),
        };
    }
    if asks_for_life(d) {
        return Ok(());
    }
    let (before, never_less) = again(d, who, &Seat::BOTH);
    if before + 1 >= OFTEN && never_less {
        return unstoppable(d);
    }
    Ok(())
}

/// A text looks at life: what only adds to it may come to an end.
fn asks_for_life(d: &Duel) -> bool {
    let asks = |part: Part| match part {
        Part::Value(Value::Made(amount)) => matches!(&**amount, Amount::Fact(_, name) if *name == "ライフ"),
        _ => false,
    };
    d.given.defs.iter().any(|def| def.card.abilities.has_part(asks))
}

/// How often the position came before but for life and for what only grows, and whether that never became less; of life,
/// whether that of those players did not. It is noted.
fn again(d: &mut Duel, who: Seat, whose: &[Seat]) -> (usize, bool) {
    let mut plain = d.t.clone();
    let mut wealth = 0u64;
    for seat in &mut plain.seats {
        wealth = wealth << 24 | std::mem::replace(&mut seat[LIFE], 0).clamp(0, 0xff_ffff) as u64;
    }
    let mut marks = 0u64;
    for n in plain.seats.iter_mut().flat_map(|seat| &mut seat[STOCK..STOCK + 6]) {
        marks += std::mem::replace(n, 0).max(0) as u64;
    }
    for card in &mut plain.cards {
        card.marks.change(|all| {
            for (_, n) in all.iter_mut().filter(|(name, _)| *name != DESTROYED) {
                marks += std::mem::replace(n, 1).max(0) as u64;
            }
        });
    }
    wealth = wealth << 16 | marks.min(0xffff);
    let here = plain.position(d.book.schema());
    let places = [(40, 0xff_ffff, Some(Seat(0))), (16, 0xff_ffff, Some(Seat(1))), (0, 0xffff, None)];
    let less = |then: u64| {
        let counted = places.iter().filter(|(.., seat)| seat.is_none_or(|seat| whose.contains(&seat)));
        counted.clone().any(|(by, mask, _)| (then >> by) & mask > (wealth >> by) & mask)
    };
    let before = d.acts.windows(2).filter(|w| w[0].2.verb == ROUND && w[0].0 == here && w[0].1 == who);
    let then: Vec<u64> = before.map(|w| w[1].0).collect();
    d.acts.push((here, who, Move { verb: ROUND, ..Move::PASS }, false));
    d.acts.push((wealth, who, Move { verb: LIVES, ..Move::PASS }, false));
    (then.len(), !then.iter().any(|then| less(*then)))
}

/// 924.1.1: the same act again and again, and something only grows by it, or the opponent's life changes: the player says
/// how often, and then not again before something else is done.
pub fn gains(d: &mut Duel, who: Seat) -> Flow {
    if !d.t.context().pile.is_empty() {
        return Ok(());
    }
    let acts = |a: &&Act| a.1 == who && a.2.card.is_some() && !is_note(a);
    let Some(last) = d.acts.iter().rev().find(acts).map(|a| a.2) else { return Ok(()) };
    let times = d.acts.iter().filter(|a| a.1 == who && a.2.is_again(&last)).count();
    if times + 1 < OFTEN || left(d, who, &last).is_some() {
        return Ok(());
    }
    let (before, never_less) = again(d, who, &[who]);
    if before + 1 < OFTEN || !never_less || !d.applies(nova!("924.1.1", Limit), |_| "ループの回数を指定する".into())
    {
        return Ok(());
    }
    let n = d.how_often(who, MOST, nova!("924.1.1", Limit))?;
    // Each act of the round as often as it comes in it.
    let budget = |m: Move| (n as u64, who, Move { verb: BUDGET, ..m }, false);
    let mut budgets: Vec<Act> = Vec::new();
    for m in d.acts[since(d)..].iter().filter(acts).map(|a| a.2) {
        let one = budget(m);
        match budgets.iter_mut().find(|b| b.2.is_again(&one.2)) {
            Some(same) => same.0 += one.0,
            None => budgets.push(one),
        }
    }
    d.acts.extend(budgets);
    Ok(())
}

/// Since when the round goes that was just noted: where the table last looked so.
fn since(d: &Duel) -> usize {
    let notes = d.acts.len() - 2;
    let here = (d.acts[notes].0, d.acts[notes].1);
    d.acts[..notes].iter().rposition(|a| a.2.verb == ROUND && (a.0, a.1) == here).unwrap_or(0)
}

/// What is noted among the acts while things go round: that a player said yes to a card, and how often they may yet.
const AGREES: Word = Word("応じる");
const LEFT: Word = Word("応じる残り");
/// That a player had to choose and chose one of several.
const CHOSE: Word = Word("選ぶ");
/// That a player declared an attack or a defence.
const DECLARED: Word = Word("宣言");

fn is_note(act: &Act) -> bool {
    [ROUND, LIVES, BUDGET, AGREES, LEFT, CHOSE, DECLARED].contains(&act.2.verb)
}

/// A player attacks or defends: what that sets going, they have caused.
pub fn declared(d: &mut Duel, who: Seat, chosen: &Move) {
    if !chosen.is_pass() {
        count(d, who, chosen);
        d.acts.push((0, who, Move { verb: DECLARED, ..*chosen }, false));
    }
}

/// Somebody said yes to something since the last act.
pub fn agrees(d: &Duel) -> bool {
    d.acts.iter().any(|a| a.2.verb == AGREES)
}

/// The same card, though it may have come back meanwhile.
fn is_card(a: Option<Ref>, b: Option<Ref>) -> bool {
    a.map(|c| c.id) == b.map(|c| c.id)
}

/// A player said yes to what a card offers.
pub fn agreed(d: &mut Duel, who: Seat, card: Option<Ref>) {
    let here = if d.may_go_round() { d.position() } else { 0 };
    let left = d.acts.iter_mut().find(|a| a.2.verb == LEFT && a.1 == who && is_card(a.2.card, card));
    if let Some(left) = left {
        left.0 = left.0.saturating_sub(1);
    }
    d.acts.push((here, who, Move { verb: AGREES, card, ..Move::PASS }, true));
}

/// A player had to choose, and might have chosen otherwise.
pub fn chose(d: &mut Duel, who: Seat, card: Option<Ref>) {
    d.acts.push((0, who, Move { verb: CHOSE, card, ..Move::PASS }, false));
}

/// 924.1.3: nobody can stop it, unless by choosing otherwise: whether that would is not made out.
fn unstoppable(d: &mut Duel) -> Flow {
    let mut real = 0;
    let recent = d.acts.iter().rev().take_while(|a| {
        real += usize::from(!is_note(a));
        real <= LONG
    });
    if recent.into_iter().any(|a| a.2.verb == CHOSE) {
        return d.unwritten("ほかのものを選べば止まるかもしれないループ", &["nova:924.1.1", "nova:924.1.3"]);
    }
    endless(d)
}

/// 924.1.1, 924.1.2: the loop went round as often as was said, and something else must be done first.
pub fn had_enough(d: &mut Duel, who: Seat, card: Option<Ref>) -> Option<&'static Cite> {
    let spent = |a: &&Act| a.2.verb == LEFT && a.0 == 0 && a.1 == who && is_card(a.2.card, card);
    let mut both = d.acts.iter().find(spent).map(|a| a.3);
    let same = |m: &Move| m.verb == AGREES && is_card(m.card, card);
    if both.is_none() && d.barred.iter().any(|(s, m, _)| *s == who && same(m)) {
        let here = d.position();
        let ended = d.barred.iter().any(|(s, m, at)| *s == who && same(m) && at.contains(&here));
        both = ended.then(|| d.barred.iter().any(|(s, ..)| *s != who));
    }
    both.map(|both| if both { nova!("924.1.2", Limit) } else { nova!("924.1.1", Limit) })
}

/// What was agreed to since the table last looked so.
fn as_often_as_said(d: &mut Duel, stuck: bool) -> Flow {
    let round: Vec<(Seat, Option<Ref>)> =
        d.acts[since(d)..].iter().filter(|a| a.2.verb == AGREES).map(|a| (a.1, a.2.card)).collect();
    let willing: Vec<Seat> =
        [d.t.active, d.t.active.other()].into_iter().filter(|s| round.iter().any(|(seat, _)| seat == s)).collect();
    let both = willing.len() > 1;
    let cite = match willing.len() {
        0 if stuck && !asks_for_life(d) => return unstoppable(d),
        0 => return Ok(()),
        1 => nova!("924.1.1", Limit),
        _ => nova!("924.1.2", Limit),
    };
    if !d.applies(cite, |_| "ループの回数を指定する".into()) {
        return Ok(());
    }
    let mut times = MOST;
    for seat in willing {
        times = times.min(d.how_often(seat, MOST, cite)?);
    }
    let mut left: Vec<Act> = Vec::new();
    for (seat, card) in round {
        match left.iter_mut().find(|a| a.1 == seat && is_card(a.2.card, card)) {
            Some(act) => act.0 += times.max(0) as u64,
            None => left.push((times.max(0) as u64, seat, Move { verb: LEFT, card, ..Move::PASS }, both)),
        }
    }
    d.acts.extend(left);
    Ok(())
}

/// How often an act that makes a loop may still be done.
const BUDGET: Word = Word("ループの残り");

/// It says how often that act may still be done.
fn is_left(a: &Act, who: Seat, m: &Move) -> bool {
    a.2.verb == BUDGET && a.1 == who && is_card(a.2.card, m.card) && a.2.ability == m.ability && a.2.way == m.way
}

fn left(d: &Duel, who: Seat, m: &Move) -> Option<u64> {
    d.acts.iter().rev().find(|a| is_left(a, who, m)).map(|a| a.0)
}

/// The act does not go on with a loop that has been gone through as often as was said.
pub fn may_go_on(d: &Duel, who: Seat, m: &Move) -> bool {
    m.is_pass() || left(d, who, m) != Some(0)
}

/// One time less; anything else that the player does lets the loop begin anew.
pub fn count(d: &mut Duel, who: Seat, chosen: &Move) {
    if chosen.is_pass() {
        return;
    }
    let goes_on = left(d, who, chosen).is_some();
    if !goes_on {
        d.acts.retain(|a| (a.2.verb != BUDGET || a.1 != who) && ![LEFT, AGREES, CHOSE].contains(&a.2.verb));
        return;
    }
    for act in d.acts.iter_mut().filter(|a| is_left(a, who, chosen)) {
        act.0 = act.0.saturating_sub(1);
    }
}

/// 924.1.3, reading C36: a loop that nobody can stop is lost by whoever caused it: by the last act before it.
pub fn endless(d: &mut Duel) -> Flow {
    let acts = |a: &&Act| a.2.card.is_some() && (!is_note(a) || a.2.verb == DECLARED);
    let last = d.acts.iter().rev().find(acts).map(|a| a.1);
    match last {
        Some(seat) if d.on(nova!("924.1.3", Check)) && d.reading(nova!("C36", Reading), "a") == "a" => {
            if d.under(nova!("924.1.3", Check), |d| setup::lose(d, seat))? {
                return d.undecided("敗北が置き換えられたループがどうなるか", &["nova:924.1.3", "nova:802.1.3.2"]);
            }
            Ok(())
        }
        _ => d.undecided("誰も止められないループを、どちらのプレイヤーが発生させたか", &["nova:924.1.3"]),
    }
}
