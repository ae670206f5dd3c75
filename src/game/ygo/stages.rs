//! 3.3.24–3.3.29: the five stages of the damage step, and what may be activated in each.

use std::sync::Arc;

use super::damage::{bury, calculate};
use super::places::is_monster_zone;
use super::priority::{in_step, window, within};
use super::schema::DOOMED;
use super::text::changes_strength;
use crate::card::{Ability, Word};
use crate::kernel::verb::Allowed;
use crate::kernel::{Cite, Duel, Event, Flow, Pending, Ref, What};
use crate::limit;

const START: Word = Word("ダメージステップ開始時");
const BEFORE: Word = Word("ダメージ計算前");
const DURING: Word = Word("ダメージ計算時");
const AFTER: Word = Word("ダメージ計算後");
const END: Word = Word("ダメージステップ終了時");
const STAGES: [Word; 5] = [START, BEFORE, DURING, AFTER, END];

/// The stage that is open.
fn stage(d: &Duel) -> Option<Word> {
    STAGES.into_iter().find(|s| in_step(d, s))
}

/// A damage step is going on.
pub fn is_open(d: &Duel) -> bool {
    stage(d).is_some()
}

/// 3.3.24.1: one stage after the other, as long as there are two to fight.
pub fn damage_step(d: &mut Duel, attacker: Ref, target: Option<Ref>) -> Flow {
    d.enter_step(Word("ダメージステップ"));
    d.step(ygo!("3.3.24.1"), |d| within(d, START, |d| stages(d, attacker, target)))?;
    d.expire(END, None)?;
    d.enter_step(Word("バトルステップ"));
    Ok(())
}

fn stages(d: &mut Duel, attacker: Ref, target: Option<Ref>) -> Flow {
    d.under(ygo!("3.3.25.1", Frame), |d| {
        if lies_down(d, target) && !d.applies(ygo!("3.3.25.1", Order), |_| "まだ表側表示にしない".into()) {
            reverse(d, target)?;
        }
        open(d, START, attacker, target)
    })?;
    if !both_there(d, attacker, target) {
        return Ok(());
    }
    still_fights(d, attacker, target)?;
    d.enter_step(BEFORE);
    if lies_down(d, target) {
        d.step(ygo!("3.3.26.1"), |d| reverse(d, target))?;
    }
    d.step(ygo!("3.3.26.2"), |d| open(d, BEFORE, attacker, target))?;
    if !both_there(d, attacker, target) {
        return Ok(());
    }
    still_fights(d, attacker, target)?;
    d.enter_step(DURING);
    // 3.3.27.3: what is timed here is finished before the calculation. Knocked out, it comes after it.
    let first = d.on(ygo!("3.3.27.3", Order));
    if first {
        d.under(ygo!("3.3.27.3", Order), |d| open(d, DURING, attacker, target))?;
        if !both_there(d, attacker, target) {
            return Ok(());
        }
        still_fights(d, attacker, target)?;
    }
    calculate(d, attacker, target)?;
    if !first {
        open(d, DURING, attacker, target)?;
    }
    d.enter_step(AFTER);
    d.step(ygo!("3.3.28.1"), |d| open(d, AFTER, attacker, target))?;
    d.enter_step(END);
    if [Some(attacker), target].into_iter().flatten().any(|card| d.t.obj(card.id).facts[DOOMED] > 0) {
        d.step(ygo!("3.3.29.1"), |d| bury(d, attacker, target))?;
    }
    open(d, END, attacker, target)
}

/// The attacked monster still lies face down.
fn lies_down(d: &Duel, target: Option<Ref>) -> bool {
    target.is_some_and(|card| d.t.is_now(card) && !d.t.obj(card.id).face_up)
}

/// The stage is announced to the monsters that fight, and both may answer.
fn open(d: &mut Duel, stage: Word, attacker: Ref, target: Option<Ref>) -> Flow {
    let cards = [Some(attacker), target].into_iter().flatten().filter(|c| d.t.is_now(*c));
    let events: Vec<Event> = cards.map(|c| Event::about(stage, c)).collect();
    if !events.is_empty() {
        d.happen(events)?;
    }
    window(d)
}

fn both_there(d: &Duel, attacker: Ref, target: Option<Ref>) -> bool {
    let there = |card: Ref| d.t.is_now(card) && is_monster_zone(d.t.obj(card.id).zone);
    there(attacker) && target.is_none_or(there)
}

/// What is nowhere provided for: in the damage step the attacker has been turned, or both belong to one player.
fn still_fights(d: &mut Duel, attacker: Ref, target: Option<Ref>) -> Flow {
    let obj = d.t.obj(attacker.id);
    let fights_on = ["C6", "C71"].iter().any(|reading| d.settings_reading(reading) == "b");
    let turned = !obj.face_up || obj.turned() && !fights_on;
    let whose = d.seen(attacker).controller;
    let one = target.is_some_and(|card| d.seen(card).controller == whose) || whose != d.t.active;
    if turned || one {
        let text = "ダメージステップで攻撃モンスターの表示形式やコントロールが変わった場合の定めがない";
        return d.undecided(text, &["ygo:2.5.2.1", "ygo:2.5.5.1", "ygo:3.3.24.1"]);
    }
    Ok(())
}

/// 2.5.8.1, 3.3.26.1, 1.7.2.1: an attacked monster that lies face down is turned up and stays in defence.
fn reverse(d: &mut Duel, target: Option<Ref>) -> Flow {
    let Some(card) = target else { return Ok(()) };
    d.step(ygo!("1.7.2.1"), |d| {
        let event = Event { what: What::Face { up: true }, ..Event::about(super::redirect::reversal(d), card) };
        d.step(ygo!("2.5.8.1"), |d| d.propose_one(event).map(|_| ()))
    })
}

/// When a triggered effect is activated.
pub enum When {
    Now,
    Later,
    Never,
}

/// 2.5.9.1, 3.3.26.1: what waits for being turned up by an attack is activated after the calculation.
pub fn when(d: &mut Duel, pending: &Pending) -> When {
    let stage = stage(d);
    // 3.3.29.2: what waits for a monster that fell in the battle.
    let fell = pending.event.is_move() && pending.event.how == "戦闘破壊";
    if fell && stage == Some(END) {
        d.trace.reach(ygo!("3.3.29.2", Meaning));
        return if d.on(ygo!("3.3.29.2", Meaning)) { When::Now } else { When::Never };
    }
    let early = stage.is_some_and(|s| [START, BEFORE, DURING].contains(&s));
    if !early {
        return When::Now;
    }
    if pending.event.name == "リバース" || pending.event.also.iter().any(|w| *w == "リバース") {
        let waits = d.applies(ygo!("2.5.9.1", Order), |d| {
            format!("{}のリバースした場合の効果はダメージ計算後に発動する", d.card_name(pending.source))
        });
        return if waits { When::Later } else { When::Now };
    }
    let timed = STAGES.contains(&pending.event.name);
    // Reading C34: a trigger that has nothing to do with the damage step.
    if !timed && d.reading(ygo!("C34", Reading), "a") == "b" {
        return When::Never;
    }
    When::Now
}

/// 3.3.25.2, 3.3.26.3, 3.3.27.4, 3.3.28.2, 3.3.29.2: what a player may activate in the stage (reading C1).
pub fn may(d: &mut Duel, counter: bool, abilities: &[Arc<Ability>]) -> Allowed {
    let timed = |word: &str| abilities.iter().any(|a| a.timing.is_some_and(|t| t == word));
    let stage = stage(d);
    let calculation = stage == Some(DURING);
    limit!(d, calculation || !timed("ダメージ計算時"), ygo!("3.3.27.4", Limit), "ダメージ計算時に発動する効果");
    limit!(d, stage.is_some() || !timed("ダメージステップ"), ygo!("4.1.3.1", Limit), "ダメージステップに発動する効果");
    let Some(stage) = stage else { return Ok(()) };
    let late = [DURING, AFTER, END].contains(&stage);
    if d.reading(ygo!("C1", Reading), "a") == "b" && late {
        limit!(d, false, ygo!("2.5.7.2", Limit), "ダメージ計算が始まった後は発動できない");
    }
    let strength = timed("ダメージステップ") || abilities.iter().any(|a| changes_strength(a));
    let (ok, cite): (bool, &'static Cite) = match stage.as_str() {
        "ダメージステップ開始時" => (strength, ygo!("3.3.25.2", Limit)),
        "ダメージ計算前" => (strength, ygo!("3.3.26.3", Limit)),
        "ダメージ計算時" => (timed("ダメージ計算時"), ygo!("3.3.27.4", Limit)),
        "ダメージ計算後" => (false, ygo!("3.3.28.2", Limit)),
        _ => (false, ygo!("3.3.29.2", Limit)),
    };
    d.trace.reach(cite);
    limit!(d, counter || ok, cite, "この段階では発動できない");
    Ok(())
}
