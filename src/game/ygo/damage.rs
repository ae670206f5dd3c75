//! 1.7, 3.3.6: what a battle comes to.

use super::schema::{ATTACK, DEFENCE, DOOMED, schema};
use super::setup::life;
use super::text::graveyard;
use crate::card::Word;
use crate::kernel::{Cause, Duel, Event, Flow, Means, Ref, Seat, What};

/// A number of the card; a value below nothing counts as nothing.
fn strength(d: &mut Duel, card: Ref, name: &str) -> i32 {
    let (at, _) = schema().data(name).expect("a datum");
    d.seen(card).number(at).unwrap_or(0).max(0)
}

/// What is decided: who is lost, and who takes how much.
#[derive(Default)]
struct Result {
    lost: Vec<Ref>,
    damage: Vec<(Seat, i32)>,
}

/// 3.3.27.1: the calculation itself. `target` is `None` in a direct attack.
pub fn calculate(d: &mut Duel, attacker: Ref, target: Option<Ref>) -> Flow {
    d.step(ygo!("3.3.27.1"), |d| {
        let result = match target {
            Some(target) => compare(d, attacker, target)?,
            None => direct(d, attacker)?,
        };
        apply(d, attacker, target, result)
    })
}

/// 1.7.3.1, 4.1.27.1.
fn direct(d: &mut Duel, attacker: Ref) -> Flow<Result> {
    let mut result = Result::default();
    d.step(ygo!("1.7.3.1"), |d| {
        let foe = d.seen(attacker).controller.other();
        result.damage.push((foe, strength(d, attacker, ATTACK)));
        Ok(())
    })?;
    Ok(result)
}

/// 1.7.0.1: attack against attack, or against defence where the target is in defence.
fn compare(d: &mut Duel, attacker: Ref, target: Ref) -> Flow<Result> {
    let ours = strength(d, attacker, ATTACK);
    let in_defence = d.t.obj(target.id).turned();
    let guarded = in_defence && d.applies(ygo!("1.7.0.1", Meaning), |_| "守備表示なので守備力と比べる".into());
    if in_defence && guarded {
        let theirs = strength(d, target, DEFENCE);
        return against_defence(d, (attacker, ours), (target, theirs));
    }
    let theirs = strength(d, target, ATTACK);
    against_attack(d, (attacker, ours), (target, theirs))
}

/// 1.7.1.
fn against_attack(d: &mut Duel, (attacker, ours): (Ref, i32), (target, theirs): (Ref, i32)) -> Flow<Result> {
    let mut result = Result::default();
    let (own, foe) = (d.seen(attacker).controller, d.seen(target).controller);
    match ours.cmp(&theirs) {
        std::cmp::Ordering::Greater => d.step(ygo!("1.7.1.1"), |_| {
            result.lost.push(target);
            result.damage.push((foe, ours.saturating_sub(theirs)));
            Ok(())
        })?,
        std::cmp::Ordering::Equal => {
            let powerless =
                ours == 0 && d.applies(ygo!("3.3.6.1", Check), |_| "攻撃力0どうしなので破壊されない".into());
            if !powerless {
                d.step(ygo!("1.7.1.2"), |_| {
                    result.lost.extend([attacker, target]);
                    Ok(())
                })?;
            }
        }
        std::cmp::Ordering::Less => d.step(ygo!("1.7.1.3"), |_| {
            result.lost.push(attacker);
            result.damage.push((own, theirs.saturating_sub(ours)));
            Ok(())
        })?,
    }
    Ok(result)
}

/// 1.7.2.
fn against_defence(d: &mut Duel, (attacker, ours): (Ref, i32), (target, theirs): (Ref, i32)) -> Flow<Result> {
    let mut result = Result::default();
    let own = d.seen(attacker).controller;
    match ours.cmp(&theirs) {
        std::cmp::Ordering::Greater => {
            d.step(ygo!("1.7.2.2"), |_| {
                result.lost.push(target);
                Ok(())
            })?;
            // 3.3.8.1: a text by which what is beyond the defence is damage all the same.
            let pierces = d.seen(attacker).has("貫通");
            if pierces && d.applies(ygo!("3.3.8.1", Limit), |_| "守備力を超えた分の戦闘ダメージを与える".into())
            {
                result.damage.push((d.seen(target).controller, ours.saturating_sub(theirs)));
            }
        }
        // Knocked out, they would destroy each other as in attack position.
        std::cmp::Ordering::Equal => {
            if !d.applies(ygo!("1.7.2.3", Check), |_| "攻撃力と守備力が同じなので、どちらも破壊されない".into())
            {
                result.lost.extend([attacker, target]);
            }
        }
        std::cmp::Ordering::Less => d.step(ygo!("1.7.2.4"), |_| {
            result.damage.push((own, theirs.saturating_sub(ours)));
            Ok(())
        })?,
    }
    Ok(result)
}

/// Damage is dealt now; destruction is only decided (3.3.27.2).
fn apply(d: &mut Duel, attacker: Ref, target: Option<Ref>, result: Result) -> Flow {
    let mut events = Vec::new();
    if !result.damage.is_empty() {
        d.trace.reach(ygo!("4.1.8.1", Frame));
    }
    for (seat, amount) in result.damage.into_iter().filter(|(_, n)| *n > 0) {
        let by = if d.seen(attacker).controller == seat { target.unwrap_or(attacker) } else { attacker };
        let cause = Cause { means: Means::Battle, card: Some(by), seat: Some(seat.other()) };
        events.push(life(d, seat, Word("戦闘ダメージ"), amount, cause));
    }
    for card in &result.lost {
        let by = if *card == attacker { target } else { Some(attacker) };
        let cause = Cause { means: Means::Battle, card: by, seat: None };
        let what = What::Grow { fact: DOOMED };
        events.push(Event { what, amount: 1, cause, ..Event::about(Word("戦闘破壊確定"), *card) });
    }
    d.happen(events)?;
    let waits = result.lost.is_empty()
        || d.applies(ygo!("3.3.27.2", Meaning), |_| "破壊の決まったモンスターは、まだ墓地へ送らない".into());
    if waits { Ok(()) } else { bury(d, attacker, target) }
}

/// 3.3.29.1: monsters whose destruction is certain go to the graveyard, together.
pub fn bury(d: &mut Duel, attacker: Ref, target: Option<Ref>) -> Flow {
    let mut events = Vec::new();
    for card in [Some(attacker), target].into_iter().flatten() {
        if !d.t.is_now(card) || d.t.obj(card.id).facts[DOOMED] == 0 {
            continue;
        }
        let by = if card == attacker { target } else { Some(attacker) };
        let to = graveyard(d, card);
        let mut event = d.moving(card, to).by(Cause { means: Means::Battle, card: by, seat: None });
        event.how = Word("戦闘破壊");
        events.push(event);
    }
    if events.is_empty() {
        return Ok(());
    }
    d.happen(events)?;
    // Who was spared is no longer about to go.
    for card in [Some(attacker), target].into_iter().flatten().filter(|c| d.t.is_now(*c)).collect::<Vec<_>>() {
        *d.aside().card(card.id, DOOMED) = 0;
    }
    Ok(())
}
