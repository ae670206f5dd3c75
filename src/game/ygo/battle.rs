//! 2.5: the battle phase, attacks and replay.

use super::places::{is_monster_zone, is_speed, monsters};
use super::priority::{self, window, within};
use super::schema::{ATTACKED, CUT, GAVE_UP};
use super::stages;
use super::summon::forbidden;
use crate::card::Word;
use crate::kernel::verb::{Allowed, no};
use crate::kernel::{Asks, Cause, Cite, Ctx, Duel, Event, Flow, Means, Move, Question, Ref, Seat, Slots, Thing, Told};
use crate::limit;

const CANCEL: Word = Word("取りやめる");

/// 2.5.1.1: the turn player declares it; not in the first turn of the duel.
pub fn may_begin(d: &mut Duel, who: Seat, _: &Move) -> Allowed {
    super::moves::ordinary(d, who)?;
    limit!(d, d.t.phase == "メインフェイズ1", ygo!("1.6.2.1", Limit), "バトルフェイズはメインフェイズ1の後");
    let first = if is_speed(d) { ygo!("1.9.4.6", Limit) } else { ygo!("1.6.3.5", Limit) };
    limit!(d, d.t.turn > 1, first, "先攻プレイヤーの第1ターンにバトルフェイズは行えない");
    let phase = Event::signal(Word("バトルフェイズ")).seat(who);
    limit!(d, !d.forbidden(&phase), ygo!("3.3.8.1", Limit), "「できない」とする効果がある");
    Ok(())
}

/// 2.5.0.1: start step, battle step, end step; the damage step is part of an attack.
pub fn phase(d: &mut Duel, opened: bool) -> Flow {
    let first = if opened { Word("バトルステップ") } else { Word("スタートステップ") };
    within(d, first, |d| {
        if !opened {
            super::turn::announce(d, "バトルフェイズ")?;
            d.step(ygo!("2.5.1.1"), window)?;
            d.enter_step(Word("バトルステップ"));
        }
        d.step(ygo!("2.5.2.3"), |d| priority::open(d).map(|_| ()))?;
        d.enter_step(Word("エンドステップ"));
        d.step(ygo!("2.5.4.1"), window)?;
        *d.aside().fact(CUT) = 0;
        d.expire(Word("バトルフェイズ終了時"), None)
    })
}

/// 2.5.2.1, 2.5.2.4, reading C6: a monster face up in attack position that has not attacked yet.
pub fn may_attack(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let Some(card) = m.card else {
        return no(ygo!("2.5.2.1", Frame), "モンスターを指定していない");
    };
    limit!(d, who == d.t.active, ygo!("1.6.1.1", Limit), "自分のターンではない");
    let free = priority::step(d) == "バトルステップ" && d.t.context().pile.is_empty();
    if !free {
        return no(ygo!("2.5.2.1", Limit), "攻撃宣言できるのはバトルステップだけ");
    }
    limit!(d, monsters(d, who).contains(&card), ygo!("2.5.2.1", Limit), "自分フィールドのモンスターではない");
    let obj = d.t.obj(card.id);
    let (up, turned, times) = (obj.face_up, obj.turned(), obj.facts[ATTACKED]);
    let gave_up = obj.facts[GAVE_UP] > 0 && obj.facts[GAVE_UP] == times;
    let attacked = times > 0 && times > more_attacks(d, card);
    limit!(d, up, ygo!("1.6.3.4", Limit), "表側表示ではない");
    if turned && d.reading(ygo!("C6", Reading), "a") != "b" {
        limit!(d, false, ygo!("2.5.2.1", Limit), "表側攻撃表示ではない");
    }
    // 2.5.5.3: what it had was given up in a replay.
    if gave_up {
        limit!(d, !attacked, ygo!("2.5.5.3", Limit), "攻撃を取りやめたので、このターンは再び攻撃できない");
    }
    limit!(d, !attacked, ygo!("2.5.2.4", Limit), "このターンはもう攻撃した");
    let (targets, spared) = options(d, card);
    let cite = spared.first().map_or(ygo!("2.5.2.1", Limit), |(_, cite)| cite);
    limit!(d, !targets.is_empty(), cite, "攻撃できる相手がいない");
    forbidden(d, who, m)
}

/// 3.3.8.1: how many attacks a text gives the monster beyond the one it has.
fn more_attacks(d: &mut Duel, card: Ref) -> i32 {
    let seen = d.seen(card);
    let slots = Slots::default();
    let ctx = Ctx { this: Some(card), seat: seen.controller, slots: &slots, event: None };
    let more = seen.abilities.iter().filter_map(|a| a.keyword.as_ref()).filter(|k| k.name == "追加攻撃");
    let sum: i32 = more.map(|k| k.value.as_ref().map_or(1, |value| d.number(&ctx, value).max(0))).sum();
    if sum > 0 && d.on(ygo!("3.3.8.1", Limit)) {
        d.trace.reach(ygo!("3.3.8.1", Limit));
        return sum;
    }
    0
}

/// A monster becomes the one that is attacked.
fn aimed(d: &mut Duel, attacker: Ref, target: Ref) -> Event {
    let seat = d.seen(attacker).controller;
    let cause = Cause { means: Means::Battle, card: Some(attacker), seat: Some(seat) };
    Event::about(Word("攻撃対象"), target).by(cause).seat(seat)
}

/// 2.5.2.1, 2.5.2.2: the opponent's monsters; the opponent where there is none. Then those that a text spares, with the
/// clause.
fn options(d: &mut Duel, attacker: Ref) -> (Vec<Thing>, Vec<(Thing, &'static Cite)>) {
    let foe = d.seen(attacker).controller.other();
    let all = monsters(d, foe);
    let none = all.is_empty();
    let (mut found, mut spared) = (Vec::new(), Vec::new());
    for card in all {
        // 3.3.8.1: a text by which a monster cannot be attacked.
        let cite = ygo!("3.3.8.1", Limit);
        let event = aimed(d, attacker, card);
        match d.forbidden(&event) && d.on(cite) {
            true => spared.push((Thing::Card(card), cite)),
            false => found.push(Thing::Card(card)),
        }
    }
    // 3.3.8.1: a text that lets it attack directly all the same.
    let past = !none
        && d.seen(attacker).has("直接攻撃")
        && d.applies(ygo!("3.3.8.1", Limit), |_| "相手モンスターがいても直接攻撃できる".into());
    if none || past || !d.on(ygo!("2.5.2.2", Limit)) {
        d.trace.reach(ygo!("2.5.2.2", Limit));
        // 3.3.8.1: a text by which nobody, or this monster, attacks directly.
        let cite = ygo!("3.3.8.1", Limit);
        let event = Event::about(Word("直接攻撃"), attacker).seat(foe.other());
        match d.forbidden(&event) && d.on(cite) {
            true => spared.push((Thing::Seat(foe), cite)),
            false => found.push(Thing::Seat(foe)),
        }
    }
    (found, spared)
}

/// An attack that has been declared.
struct Attack {
    who: Seat,
    attacker: Ref,
    target: Thing,
    /// It attacks from defence position, where a reading lets it (C6).
    turned: bool,
    /// The opponent's monsters when the target was chosen.
    known: Vec<Ref>,
}

impl Attack {
    fn target(&self) -> Option<Ref> {
        if let Thing::Card(card) = self.target { Some(card) } else { None }
    }
}

/// 2.5.2: declaration, answers, replay as often as it comes to that, and the damage step.
pub fn attack(d: &mut Duel, who: Seat, attacker: Ref) -> Flow {
    let (of, spared) = options(d, attacker);
    let question = Question::new(who, Word("攻撃対象"), Asks::Choose { of, min: 1, max: 1 }).about(Some(attacker));
    let mut question = question.citing(ygo!("2.5.2.1", Frame));
    question.refused = spared;
    let foe = Thing::Seat(who.other());
    if !matches!(&question.asks, Asks::Choose { of, .. } if of.contains(&foe)) {
        question.refused.push((foe, ygo!("2.5.2.2", Limit)));
        d.trace.reach(ygo!("2.5.2.2", Limit));
    }
    let Some(target) = d.pick(question)?.first().copied() else { return Ok(()) };
    let turned = d.t.obj(attacker.id).turned();
    let mut attack = Attack { who, attacker, target, turned, known: monsters(d, who.other()) };
    if !d.under(ygo!("2.5.2.1", Frame), |d| declare(d, &attack))? {
        d.end_fights();
        return Ok(());
    }
    within(d, Word("攻撃宣言時"), window)?;
    let goes_on = loop {
        if d.t.facts[CUT] > 0 {
            break false;
        }
        if !stands(d, &attack)? {
            break false;
        }
        match replay(d, &mut attack)? {
            Replay::None => break true,
            Replay::Cancelled => break false,
            Replay::Chosen => within(d, Word("巻き戻し"), window)?,
        }
    };
    if goes_on {
        d.step(ygo!("2.5.3.1"), |d| stages::damage_step(d, attacker, attack.target()))?;
    } else if d.t.facts[CUT] == 0 {
        d.enter_step(Word("バトルステップ"));
    }
    if d.t.facts[CUT] == ATTACK {
        *d.aside().fact(CUT) = 0;
    }
    d.end_fights();
    Ok(())
}

/// What a text can cut short.
pub const ATTACK: i32 = 1;
pub const PHASE: i32 = 2;

/// 3.3.8.1: a text negates the attack that was declared, or ends the battle phase.
pub fn cut(d: &mut Duel, what: i32) -> Flow<bool> {
    let declared = ["攻撃宣言時", "巻き戻し"].iter().any(|step| priority::in_step(d, step));
    if d.t.phase != "バトルフェイズ" || what == ATTACK && !declared {
        d.tell(Told::NotApplied, |_| "そのような攻撃やバトルフェイズがない".into());
        return Ok(false);
    }
    if priority::in_step(d, "ダメージステップ") || stages::is_open(d) {
        return d
            .undecided("ダメージステップでバトルフェイズが終わる場合の定めがない", &["ygo:2.5.3.1", "ygo:3.3.8.1"]);
    }
    d.cites(ygo!("3.3.8.1", Limit), |_| {
        if what == ATTACK { "攻撃は無効になる" } else { "バトルフェイズは終わる" }.into()
    });
    *d.aside().fact(CUT) = what.max(d.t.facts[CUT]);
    Ok(true)
}

/// The attack is declared. False: it is forbidden.
fn declare(d: &mut Duel, attack: &Attack) -> Flow<bool> {
    let zone = d.t.obj(attack.attacker.id).zone;
    *d.fact_in_view(attack.attacker.id, ATTACKED) += 1;
    let id = d.begin_fight(zone, Vec::new(), Vec::new());
    engage(d, attack);
    let mut event = Event::about(Word("攻撃宣言"), attack.attacker).seat(attack.who);
    event.fight = Some(id);
    let declared = d.propose_one(event)?.any();
    if declared {
        attacked(d, attack)?;
    }
    Ok(declared)
}

/// It is told which monster is attacked, or that none is.
fn attacked(d: &mut Duel, attack: &Attack) -> Flow {
    let mut event = match attack.target() {
        Some(target) => aimed(d, attack.attacker, target),
        None => Event::about(Word("直接攻撃"), attack.attacker).seat(attack.who),
    };
    event.fight = d.t.fight();
    if d.is_heard(&event) {
        d.happen(vec![event])?;
    }
    Ok(())
}

/// Who is in the battle.
fn engage(d: &mut Duel, attack: &Attack) {
    let mut members = vec![(attack.attacker, vec![Word("攻撃モンスター")])];
    members.extend(attack.target().map(|card| (card, vec![Word("攻撃対象モンスター")])));
    if let Some(fight) = d.fights().last() {
        fight.members = members;
    }
}

/// The attacker can still attack. That its position has changed is nowhere provided for.
fn stands(d: &mut Duel, attack: &Attack) -> Flow<bool> {
    let card = attack.attacker;
    if !d.t.is_now(card) || !is_monster_zone(d.t.obj(card.id).zone) || d.seen(card).controller != attack.who {
        return Ok(false);
    }
    let obj = d.t.obj(card.id);
    let (turned, up) = (obj.turned(), obj.face_up);
    if turned == attack.turned && up {
        return Ok(true);
    }
    // Reading C71: it is no longer as it was when it was declared.
    let cite = ygo!("C71", Reading);
    if d.reading(cite, "a") == "b" {
        if up {
            return Ok(true);
        }
        return d
            .undecided("攻撃宣言の後に攻撃モンスターが裏側表示になった場合の定めがない", &["ygo:C71", "ygo:2.5.2.1"]);
    }
    d.tell_under(Told::NotApplied, cite, |d| format!("{}は攻撃表示でなくなったので、攻撃は終わる", d.card_name(card)));
    Ok(false)
}

enum Replay {
    None,
    Chosen,
    Cancelled,
}

/// 2.5.5: the target is gone or there is a new monster: choose again, or give up the attack.
fn replay(d: &mut Duel, attack: &mut Attack) -> Flow<Replay> {
    let now = monsters(d, attack.who.other());
    let gone = attack.target().is_some_and(|t| !now.contains(&t));
    let new = now.iter().any(|card| !attack.known.contains(card));
    if !gone && !new {
        return Ok(Replay::None);
    }
    let why = if gone { "攻撃目標がいなくなった" } else { "新たな相手モンスターが現れた" };
    if !d.applies(ygo!("2.5.5.1", Check), |_| format!("{why}ので巻き戻しが発生する")) {
        return Ok(if gone { Replay::Cancelled } else { Replay::None });
    }
    let (mut of, spared) = options(d, attack.attacker);
    if !d.on(ygo!("2.5.5.2", Limit)) {
        of.retain(|thing| *thing == attack.target);
    }
    of.push(Thing::Word(CANCEL));
    let mut question = Question::new(attack.who, Word("攻撃対象"), Asks::Choose { of, min: 1, max: 1 });
    question.refused = spared;
    let question = question.about(Some(attack.attacker)).citing(ygo!("2.5.5.2", Limit));
    let chosen = within(d, Word("巻き戻し"), |d| d.under(ygo!("2.5.5.2", Limit), |d| d.pick(question)))?[0];
    if chosen == Thing::Word(CANCEL) {
        *d.aside().card(attack.attacker.id, GAVE_UP) += 1;
        let spent = d.applies(ygo!("2.5.5.3", Limit), |_| "取りやめたので、このターンは再び攻撃できない".into());
        if !spent {
            *d.fact_in_view(attack.attacker.id, ATTACKED) -= 1;
        }
        // Reading C57: whether that goes for one that could attack again.
        let more = more_attacks(d, attack.attacker);
        if spent && more > 0 && d.reading(ygo!("C57", Reading), "a") == "b" {
            *d.fact_in_view(attack.attacker.id, ATTACKED) = more + 1;
        }
        return Ok(Replay::Cancelled);
    }
    (attack.target, attack.known) = (chosen, now);
    engage(d, attack);
    attacked(d, attack)?;
    Ok(Replay::Chosen)
}
