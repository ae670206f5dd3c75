//! 405, 930: the attack phase: one attack at a time, declared, defended, resolved.

use super::damage::{BATTLING, deal, to_player, to_servant};
use super::moves::{self, swift};
use super::places::{has_kind, is_field, servants, zone};
use super::priority::window;
use super::schema::{ATTACK, ATTACKS, DAMAGE, HEALTH, RESTRICTED, at};
use super::text::{bound, has, would};
use super::{energy, loops, say, turn};
use crate::card::{Change, Word};
use crate::kernel::verb::{Allowed, card, no};
use crate::kernel::{
    Asks, Cause, Cite, Ctx, Duel, Event, Fight, Flow, Means, Move, Question, Ref, Refusal, Seat, Table, Thing,
};
use crate::limit;

const ATTACKER: Word = Word("攻撃サーバント");
const DEFENDER: Word = Word("防御サーバント");
const TARGET: Word = Word("攻撃目標");
/// What the fight remembers although the card has left it.
const AIMED: Word = Word("攻撃目標だった");
const DEFENDED: Word = Word("防御された");
/// It could pierce when it was defended.
const PIERCED: Word = Word("貫通を持って防御された");
/// 405.1: the steps.
const STEP: [&str; 5] = [
    "アタックフェイズ開始ステップ",
    "攻撃宣言ステップ",
    "防御宣言ステップ",
    "バトル解決ステップ",
    "アタックフェイズ終了ステップ",
];

/// The word names a step of the attack phase.
pub fn is_step(phase: &str) -> bool {
    STEP.contains(&phase) || phase == "攻撃宣言" || phase == "防御宣言"
}

fn enter(d: &mut Duel, step: &'static str) {
    d.enter_step(Word(step));
}

/// 602.9: what is left of the energy goes with the step.
fn step(d: &mut Duel, name: &'static str, cite: &'static Cite, run: impl FnOnce(&mut Duel) -> Flow) -> Flow {
    if turn::skipped(d, name) {
        return Ok(());
    }
    enter(d, name);
    d.under(cite, run)?;
    energy::vanish(d)
}

/// 405.1: the five steps; 405.6.4: after a battle another may be declared.
pub fn phase(d: &mut Duel, opened: bool, added_by: Option<Ref>) -> Flow {
    if !opened {
        step(d, STEP[0], nova!("405.3", Frame), |d| {
            d.step(nova!("405.3.1"), |d| turn::signal(d, "アタックフェイズ開始時", added_by))?;
            d.step(nova!("405.3.2"), window)
        })?;
    }
    loop {
        d.spend()?;
        let (mut on, mut asked) = (false, false);
        step(d, STEP[1], nova!("405.4", Frame), |d| {
            asked = true;
            on = declare(d)?;
            Ok(())
        })?;
        // 405.4.3.2: that is what the step says; where it was skipped, nothing was declared and the next step comes.
        if asked
            && !on
            && d.applies(nova!("405.4.3.2", Meaning), |_| "攻撃サーバントがいないので終了ステップに移る".into())
        {
            break;
        }
        step(d, STEP[2], nova!("405.5", Frame), defence)?;
        step(d, STEP[3], nova!("405.6", Frame), resolve)?;
        d.end_fights();
        d.expire(Word("バトル終了時"), None)?;
        if asked && !on || !d.on(nova!("405.6.4")) {
            break;
        }
    }
    step(d, STEP[4], nova!("405.7", Frame), |d| {
        d.step(nova!("405.7.1"), |d| turn::signal(d, "アタックフェイズ終了時", added_by))?;
        d.step(nova!("405.7.2"), window)?;
        d.step(nova!("405.7.3"), |d| d.expire(Word("アタックフェイズ終了時"), None))
    })?;
    enter(d, "");
    Ok(())
}

/// 405.4: who attacks, and whom. False: nobody.
fn declare(d: &mut Duel) -> Flow<bool> {
    *d.aside().fact(ATTACKS) += 1;
    let again = d.t.facts[ATTACKS] > 1
        && d.applies(nova!("405.4.1", Limit), |_| "このターン最初の攻撃宣言ステップではない".into());
    if !again {
        d.signal(Word("攻撃宣言ステップ開始時"))?;
    }
    d.step(nova!("405.4.2"), window)?;
    enter(d, "攻撃宣言");
    let who = d.t.active;
    let wanted: Vec<Move> = servants(d, who).into_iter().map(|c| Move::of(Word("攻撃"), c)).collect();
    let mut moves: Vec<Move> = wanted.into_iter().filter(|m| d.allows(moves::VERBS, who, m).is_ok()).collect();
    if !say(d, [nova!("602.3")]) {
        moves.clear();
    }
    let forced = obliged(d, who, &mut moves, "攻撃宣言", nova!("405.4.3.3", Limit))?;
    if !forced || moves.is_empty() {
        moves.insert(0, Move::PASS);
    }
    let cite = if forced { nova!("405.4.3.3", Limit) } else { nova!("405.4.3", Frame) };
    let Some(attacker) = ask(d, who, moves, cite)? else {
        d.back_to_step(Word(STEP[1]));
        return Ok(false);
    };
    let (of, refused) = targets(d, who, attacker);
    let question = Question::new(who, TARGET, Asks::Choose { of, min: 1, max: 1 }).about(Some(attacker));
    let question = Question { refused, ..question };
    let target = d.pick(question.citing(nova!("405.4.3", Limit)))?.into_iter().next();
    d.back_to_step(Word(STEP[1]));
    let done = begin(d, who, attacker, target)?;
    if done {
        d.step(nova!("405.4.7"), window)?;
    }
    Ok(true)
}

/// An act in a step of its own; none: the player does not.
fn ask(d: &mut Duel, who: Seat, moves: Vec<Move>, cite: &'static Cite) -> Flow<Option<Ref>> {
    d.give_priority(Some(who));
    let answer = d.put(&Question::new(who, Word("行動"), Asks::Act(moves.clone())).citing(cite))?;
    d.give_priority(None);
    let chosen = moves[answer[0] as usize];
    loops::declared(d, who, &chosen);
    Ok(chosen.card)
}

/// 405.4.3.3, 405.5.5: where a text obliges, those are left that it wants among those who can.
fn obliged(d: &mut Duel, who: Seat, moves: &mut Vec<Move>, event: &str, cite: &'static Cite) -> Flow<bool> {
    let view = d.look();
    let mut forced = false;
    for rule in &view.rules {
        let Change::Oblige(pattern) = &rule.change else { continue };
        if pattern.event != event {
            continue;
        }
        let ctx = Ctx { this: rule.source, seat: rule.seat, slots: &rule.slots, event: None };
        let whole = Default::default();
        let filter = pattern.card.as_ref().unwrap_or(&whole);
        let mut cards: Vec<Ref> = moves.iter().filter_map(|m| m.card).collect();
        cards = d.see(|eyes| {
            let mine = pattern.who.is_none_or(|w| eyes.seat(&ctx, w) == Some(who));
            cards.retain(|r| mine && eyes.matches(&ctx, filter, *r));
            cards
        });
        for (extreme, sign) in [(filter.highest, 1), (filter.lowest, -1)] {
            let Some(name) = extreme else { continue };
            let value = |d: &mut Duel, r: &Ref| d.seen(*r).number(at(&name)).unwrap_or(0).max(0) * sign;
            let best = cards.iter().map(|r| value(d, r)).max();
            cards.retain(|r| Some(value(d, r)) == best);
        }
        if !cards.is_empty() && d.applies(cite, |_| "条件を満たせるものの中から選ばなければならない".into())
        {
            moves.retain(|m| m.card.is_some_and(|c| cards.contains(&c)));
            forced = true;
        }
    }
    Ok(forced)
}

/// Why a servant that could is not among those offered: another must.
pub fn must_be_another(wanted: &Move) -> Option<Refusal> {
    let cite = match wanted.verb.as_str() {
        "攻撃" => nova!("405.4.3.3", Limit),
        "防御" => nova!("405.5.5", Limit),
        _ => return None,
    };
    let why = "条件を満たせる別のサーバントを選ばなければならない".into();
    Some(Refusal { what: wanted.verb.to_string(), cite: Some(cite), why })
}

/// 405.4.3: the opponent, or a frozen servant of theirs; 004.2: not whom a text says cannot be attacked, or not by this one.
fn targets(d: &mut Duel, who: Seat, attacker: Ref) -> (Vec<Thing>, Vec<(Thing, &'static Cite)>) {
    let foe = who.other();
    let mut found = vec![Thing::Seat(foe)];
    for card in servants(d, foe) {
        if d.t.obj(card.id).state == 1 || !d.on(nova!("405.4.3", Limit)) {
            found.push(Thing::Card(card));
        }
    }
    let (barred, found) = found.into_iter().partition(|thing| d.forbidden(&aimed_at(attacker, *thing)));
    let barred: Vec<Thing> = barred;
    (found, barred.into_iter().map(|thing| (thing, nova!("004.2", Limit))).collect())
}

/// That the attack is aimed at them: of a player it is that player's, of a servant that card's, and it comes by the attacker.
fn aimed_at(attacker: Ref, target: Thing) -> Event {
    let event = match target {
        Thing::Card(card) => Event::about(TARGET, card),
        Thing::Seat(seat) => Event::signal(TARGET).seat(seat),
        _ => Event::signal(TARGET),
    };
    event.by(Cause { means: Means::Rule, card: Some(attacker), seat: None })
}

/// 203.3, 203.4, 405.4.3, 928.3: a standing servant without restriction.
pub fn may_attack(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let card = card(m);
    limit!(d, who == d.t.active, nova!("405.4.3", Limit), "ターンプレイヤーではない");
    if d.t.context().step != "攻撃宣言" {
        return no(nova!("405.4.3", Limit), "攻撃宣言ができるのは、攻撃宣言ステップで優先権の処理が終わった後だけ");
    }
    if !servants(d, who).contains(&card) {
        return no(nova!("203.3", Limit), "自分の場のサーバントではない");
    }
    limit!(d, d.t.obj(card.id).state == 0, nova!("405.4.3", Limit), "スタンバイ状態ではない");
    let free = d.t.obj(card.id).facts[RESTRICTED] == 0 || swift(d, card);
    limit!(d, free, nova!("203.4", Limit), "行動制限がある");
    limit!(d, !bound(d, card), nova!("928.3", Limit), "呪縛状態である");
    let event = would(Word("攻撃宣言"), Some(card), who);
    limit!(d, !d.forbidden(&event), nova!("004.2", Limit), "「できない」とする効果がある");
    limit!(d, !targets(d, who, card).0.is_empty(), nova!("405.4.3", Limit), "攻撃目標にできるものがない");
    Ok(())
}

/// 405.5.3, 203.4.1, 928.3: a standing servant, restricted or not.
pub fn may_defend(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let card = card(m);
    if d.t.context().step != "防御宣言" || who == d.t.active {
        return no(nova!("405.5.3", Limit), "防御宣言ができるのは防御宣言ステップの非ターンプレイヤーだけ");
    }
    if !servants(d, who).contains(&card) {
        return no(nova!("203.3", Limit), "自分の場のサーバントではない");
    }
    limit!(d, d.t.obj(card.id).state == 0, nova!("405.5.3", Limit), "スタンバイ状態ではない");
    limit!(d, !bound(d, card), nova!("928.3", Limit), "呪縛状態である");
    let restricted = d.t.obj(card.id).facts[RESTRICTED] > 0 && !say(d, [nova!("203.4.1", Limit)]);
    limit!(d, !restricted, nova!("203.4", Limit), "行動制限がある");
    let event = would(Word("防御宣言"), Some(card), who);
    limit!(d, !d.forbidden(&event), nova!("004.2", Limit), "「できない」とする効果がある");
    if let Some(attacker) = member(&d.t, ATTACKER) {
        let barred = d.forbidden(&defended_by(attacker, card, who));
        limit!(d, !barred, nova!("004.2", Limit), "攻撃サーバントが防御されないとする効果がある");
    }
    Ok(())
}

/// That the attacker is defended against, by the defender.
fn defended_by(attacker: Ref, defender: Ref, who: Seat) -> Event {
    let by = Cause { means: Means::Rule, card: Some(defender), seat: Some(who) };
    Event::about(Word("防御された"), attacker).by(by)
}

/// 405.4.4–405.4.6: it freezes and is the attacker; then what triggers on that.
fn begin(d: &mut Duel, who: Seat, attacker: Ref, target: Option<Thing>) -> Flow<bool> {
    let cause = Cause { means: Means::Rule, card: None, seat: Some(who) };
    d.step(nova!("405.4.4"), |d| d.turn(&[attacker], Word("フリーズ"), cause).map(|_| ()))?;
    if !d.t.is_now(attacker) {
        return Ok(false);
    }
    let id = d.begin_fight(zone("場", who.other()), vec![(attacker, vec![ATTACKER])], vec![attacker]);
    if let Some(Thing::Card(target)) = target {
        // 405.4.3.1: it defends without having declared it.
        d.trace.reach(nova!("405.4.3.1", Frame));
        for fight in d.fights().filter(|f| f.id == id) {
            fight.members.push((target, vec![TARGET]));
            fight.notes.push((AIMED, target));
        }
    }
    let event = Event::about(Word("攻撃宣言"), attacker).seat(who);
    let before = d.t.context().pending.len();
    let aimed = target.map(|target| aimed_at(attacker, target));
    d.happen([event].into_iter().chain(aimed).collect())?;
    // 405.4.5, 405.4.6: its own abilities, and those of others.
    let (own, others) = (say(d, [nova!("405.4.5", Check)]), say(d, [nova!("405.4.6", Check)]));
    if !(own && others) {
        let mut at = 0;
        d.aside().pending().retain(|p| {
            at += 1;
            at <= before || if p.source == attacker { own } else { others }
        });
    }
    Ok(true)
}

fn fight(t: &Table) -> Option<&Fight> {
    t.context().fights.iter().find(|f| !f.members.iter().any(|(_, roles)| roles.contains(&BATTLING)))
}

/// The member with the role, while it is in the battle.
fn member(t: &Table, role: Word) -> Option<Ref> {
    fight(t)?.members.iter().find(|(_, roles)| roles.contains(&role)).map(|(r, _)| *r)
}

fn noted(t: &Table, note: Word) -> Option<Ref> {
    fight(t)?.notes.iter().find(|(n, _)| *n == note).map(|(_, r)| *r)
}

/// 405.4.3.1, 405.4.3.1.1, 405.4.4, 405.5.4, 405.5.7, 930.3: who is what.
pub fn role(t: &Table, card: Ref, role: Word) -> bool {
    let by_effect = |f: &Fight| f.members.iter().any(|(r, roles)| *r == card && roles.contains(&BATTLING));
    if role == "バトル中のサーバント" && t.context().fights.iter().any(by_effect) {
        return true;
    }
    let Some(fight) = fight(t) else { return false };
    let Some((_, roles)) = fight.members.iter().find(|(r, _)| *r == card) else { return false };
    let defended = noted(t, DEFENDED).is_some();
    match role.as_str() {
        // The target of an attack that nobody defends is the defender.
        "防御サーバント" => roles.contains(&DEFENDER) || !defended && roles.contains(&TARGET),
        "防御されているサーバント" => roles.contains(&ATTACKER) && defended,
        "バトル中のサーバント" if defended => roles.contains(&ATTACKER) || roles.contains(&DEFENDER),
        "バトル中のサーバント" => member(t, TARGET).is_some(),
        _ => roles.contains(&role),
    }
}

/// 405.5: the other player may defend with one servant, which freezes too.
fn defence(d: &mut Duel) -> Flow {
    d.step(nova!("405.5.1"), |d| d.signal(Word("防御宣言ステップ開始時")))?;
    d.step(nova!("405.5.2"), window)?;
    let who = d.t.active.other();
    if member(&d.t, ATTACKER).is_some() {
        enter(d, "防御宣言");
        let wanted: Vec<Move> = servants(d, who).into_iter().map(|c| Move::of(Word("防御"), c)).collect();
        let mut moves: Vec<Move> = wanted.into_iter().filter(|m| d.allows(moves::VERBS, who, m).is_ok()).collect();
        if !say(d, [nova!("602.4")]) {
            moves.clear();
        }
        let forced = obliged(d, who, &mut moves, "防御宣言", nova!("405.5.5", Limit))?;
        if !forced || moves.is_empty() {
            moves.insert(0, Move::PASS);
        }
        let cite = if forced { nova!("405.5.5", Limit) } else { nova!("405.5.3", Frame) };
        let chosen = ask(d, who, moves, cite)?;
        d.back_to_step(Word(STEP[2]));
        if let Some(defender) = chosen {
            d.under(nova!("405.5.4", Meaning), |d| defend(d, who, defender))?;
        }
    }
    d.step(nova!("405.5.8"), window)
}

fn defend(d: &mut Duel, who: Seat, defender: Ref) -> Flow {
    if d.on(nova!("405.5.4", Meaning)) {
        let cause = Cause { means: Means::Rule, card: None, seat: Some(who) };
        d.turn(&[defender], Word("フリーズ"), cause)?;
    }
    if !d.t.is_now(defender) {
        return Ok(());
    }
    if let Some(fight) = d.fights().next() {
        // The target itself may have been stood up, and defend.
        match fight.members.iter_mut().find(|(r, _)| *r == defender) {
            Some((_, roles)) => roles.push(DEFENDER),
            None => fight.members.push((defender, vec![DEFENDER])),
        }
        fight.notes.push((DEFENDED, defender));
    }
    // 1004.5, reading C45: whether it could pierce then.
    if let Some(attacker) = member(&d.t, ATTACKER).filter(|r| has(&d.seen(*r), "貫通"))
        && let Some(fight) = d.fights().next()
    {
        fight.notes.push((PIERCED, attacker));
    }
    let mut events = vec![Event::about(Word("防御宣言"), defender).seat(who)];
    events.extend(member(&d.t, ATTACKER).map(|attacker| defended_by(attacker, defender, who)));
    d.step(nova!("405.5.6"), |d| d.happen(events))
}

/// 405.6: triggers, priority, damage, priority.
fn resolve(d: &mut Duel) -> Flow {
    d.step(nova!("405.6.1"), |d| d.signal(Word("バトル解決ステップ開始時")))?;
    d.step(nova!("405.6.2"), window)?;
    d.step(nova!("405.6.3"), |d| d.step(nova!("602.5"), strike))?;
    d.step(nova!("405.6.4"), window)
}

/// What remains until a servant's health is used up.
fn left(d: &mut Duel, card: Ref) -> i32 {
    let health = d.seen(card).number(at(HEALTH)).unwrap_or(0).max(0);
    health.saturating_sub(d.t.obj(card.id).facts[DAMAGE]).max(0)
}

/// 405.6.3.1: all of it at once. 1004 貫通, 1007 斬撃.
fn strike(d: &mut Duel) -> Flow {
    let attacker = match member(&d.t, ATTACKER) {
        Some(attacker) => attacker,
        None => {
            // 930.2: who has left the battle deals nothing, and nobody is there to be struck.
            let out = fight(&d.t).and_then(|f| f.began.first().copied()).filter(|r| d.t.is_now(*r));
            let cite = nova!("930.2", Limit);
            let stops = d.applies(cite, |_| "バトルから除外されたのでダメージを与えない".into());
            match out {
                Some(out) if !stops => out,
                _ => return Ok(()),
            }
        }
    };
    let foe = d.t.active.other();
    let strength = |d: &mut Duel, r: Ref| d.seen(r).number(at(ATTACK)).unwrap_or(0).max(0);
    let by = |d: &mut Duel, r: Ref| Cause { means: Means::Battle, card: Some(r), seat: Some(d.seen(r).controller) };
    let power = strength(d, attacker);
    let cause = by(d, attacker);
    let pierces = has(&d.seen(attacker), "貫通");
    let (aimed, target) = (noted(&d.t, AIMED), member(&d.t, TARGET));
    let was_defended = noted(&d.t, DEFENDED).is_some();
    let defender = member(&d.t, DEFENDER);
    // 1007.3: only whom this damage destroys.
    let alive = defender.or(target).filter(|r| !super::places::destroyed(d, *r));
    let mut events = Vec::new();
    let mut excess = None;
    let mut after = None;
    let mut on_target = 0;
    match (was_defended, defender) {
        (true, Some(defender)) if say(d, [nova!("405.6.3.1", Meaning), nova!("405.6.3.1.1", Meaning)]) => {
            let rest = left(d, defender);
            let beyond = power.saturating_sub(rest);
            after = measured_after(d, attacker, defender, power, cause)?.then_some((defender, rest));
            if beyond >= 0 {
                excess = Some((defender, beyond));
            }
            if beyond > 0
                && after.is_none()
                && pierces
                && d.applies(nova!("1004.3", Meaning), |_| format!("余剰ダメージ{beyond}は本来の攻撃対象に与えられる"))
            {
                on_target = beyond;
                events.extend(to_servant(d, defender, rest, cause));
            } else {
                events.extend(to_servant(d, defender, power, cause));
            }
            let (back, cause) = (strength(d, defender), by(d, defender));
            events.extend(to_servant(d, attacker, back, cause));
        }
        (true, Some(_)) => {}
        (true, None) => {
            // 405.5.4, 930.3: it stays defended.
            let then = noted(&d.t, PIERCED).is_some();
            let pierces = if then == pierces || d.reading(nova!("C45", Reading), "a") != "b" { pierces } else { then };
            let all = pierces
                && d.applies(nova!("1004.5", Meaning), |_| {
                    "防御サーバントがいなくなったので、すべて元の攻撃対象に与えられる".into()
                });
            if all || !d.applies(nova!("930.3", Limit), |_| "防御されたままなので、ダメージは与えられない".into())
            {
                on_target = power;
            }
        }
        (false, _) => {
            if aimed.is_none() {
                let strikes = say(d, [nova!("405.6.3.1", Meaning), nova!("405.6.3.1.3", Meaning)]);
                on_target = if strikes { power } else { 0 };
            } else if let Some(target) =
                target.filter(|_| say(d, [nova!("405.6.3.1", Meaning), nova!("405.6.3.1.2", Meaning)]))
            {
                let beyond = power.saturating_sub(left(d, target));
                after =
                    measured_after(d, attacker, target, power, cause)?.then(|| (target, power.saturating_sub(beyond)));
                if beyond >= 0 {
                    excess = Some((target, beyond));
                }
                events.extend(to_servant(d, target, power, cause));
                let (back, cause) = (strength(d, target), by(d, target));
                events.extend(to_servant(d, attacker, back, cause));
            }
        }
    }
    if on_target > 0 {
        match (aimed, target) {
            (None, _) => {
                d.trace.reach(nova!("1004.4", Frame));
                events.extend(to_player(d, foe, on_target, cause));
            }
            (Some(_), Some(target)) => events.extend(to_servant(d, target, on_target, cause)),
            (Some(_), None) => {}
        }
    }
    if let Some((struck, rest)) = after {
        let done = d.propose(events)?;
        let hit = |e: &&Event| e.card == Some(struck) && e.name == "ダメージ";
        let beyond = done.happened.iter().find(hit).map_or(0, |e| e.amount).saturating_sub(rest);
        excess = (beyond >= 0).then_some((struck, beyond));
        if beyond > 0 && pierces && was_defended && d.on(nova!("1004.3", Meaning)) {
            let more = match target.filter(|_| aimed.is_some()) {
                Some(target) => to_servant(d, target, beyond, cause),
                None if aimed.is_none() => to_player(d, foe, beyond, cause),
                None => None,
            };
            deal(d, more.into_iter().collect())?;
        }
    } else {
        deal(d, events)?;
    }
    slash(d, attacker, excess.filter(|(r, _)| alive == Some(*r)))
}

/// Reading C38: what is beyond a servant's health is made out from the damage after replacements, where there are any.
fn measured_after(d: &mut Duel, attacker: Ref, struck: Ref, power: i32, cause: Cause) -> Flow<bool> {
    let seen = d.seen(attacker);
    if !has(&seen, "貫通") && !has(&seen, "斬撃") {
        return Ok(false);
    }
    let Some(event) = to_servant(d, struck, power, cause) else { return Ok(false) };
    if !d.would_replace(&event) {
        return Ok(false);
    }
    match d.reading(nova!("C38", Reading), "a") {
        "b" => Ok(true),
        "c" => Ok(false),
        _ => d.undecided("軽減されるダメージの余剰の測り方", &["nova:1004.3", "nova:917.1.1"]),
    }
}

/// 1007.3: the defender is destroyed by battle damage: what was beyond its health goes on.
fn slash(d: &mut Duel, attacker: Ref, excess: Option<(Ref, i32)>) -> Flow {
    let Some((defender, beyond)) = excess else { return Ok(()) };
    let dead = !d.t.is_now(defender) || super::places::destroyed(d, defender);
    if !dead || !d.t.is_now(attacker) || !has(&d.seen(attacker), "斬撃") {
        return Ok(());
    }
    d.trace.reach(nova!("1007.3", Meaning));
    let mut event = Event::about(Word("斬撃"), attacker).seat(d.seen(attacker).controller);
    event.amount = beyond;
    d.happen(vec![event])
}

/// 405.2, 930.1: who has left the field, changed sides or is no servant any more is out of the battle.
pub fn leave(d: &mut Duel) -> Flow {
    let Some(members) = fight(&d.t).map(|f| f.members.clone()) else { return Ok(()) };
    for (card, roles) in members {
        let attacks = roles.contains(&ATTACKER);
        let there = d.t.is_now(card) && is_field(d.t.obj(card.id).zone) && {
            let seen = d.seen(card);
            has_kind(&seen, "サーバント") && (seen.controller == d.t.active) == attacks
        };
        // 405.2.2, 405.2.3: what is forbidden later, or stood up, fights on.
        let event =
            would(if attacks { Word("攻撃宣言") } else { Word("防御宣言") }, Some(card), d.seen(card).controller);
        let barred = there && (bound(d, card) || d.forbidden(&event)) && !say(d, [nova!("405.2.2", Check)]);
        let stood =
            there && d.t.obj(card.id).state == 0 && !roles.contains(&TARGET) && !say(d, [nova!("405.2.3", Check)]);
        if barred || stood {
            remove(d, card);
        }
        if !there
            && say(d, [nova!("930.1", Check)])
            && d.applies(nova!("405.2", Check), |d| format!("{}はバトルから除外される", d.card_name(card)))
        {
            remove(d, card);
        }
    }
    Ok(())
}

/// 930.1: out of the battle.
pub fn remove(d: &mut Duel, card: Ref) -> bool {
    let Some(fight) = d.fights().next() else { return false };
    let before = fight.members.len();
    fight.members.retain(|(r, _)| *r != card);
    fight.members.len() < before
}
