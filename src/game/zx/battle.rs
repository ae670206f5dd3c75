//! 601–605: a battle, step by step.

use super::places::{bodies_on, is_square, player_square};
use super::priority::{act, forget_battle, moment, preprocess};
use super::schema::{POWER, at};
use super::{acts, checks};
use crate::card::Word;
use crate::kernel::{Asks, Cause, Duel, Event, Flow, Means, Question, Ref, Seat, Table, Thing, ZoneId};

const ATTACKER: Word = Word("攻撃ゼクス");
const TARGET: Word = Word("攻撃目標");

/// 602.1b: what a player attacks on a square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    Card(Ref),
    Player(Seat),
}

/// 602.1b: an enemy Z/X or Ascension, or on a player square without any the player. Every player has a player card
/// there, real or virtual (1206.3).
pub fn target(d: &mut Duel, who: Seat, square: ZoneId) -> Option<Target> {
    let all = bodies_on(d, square);
    let foe = all.iter().copied().find(|r| d.seen(*r).controller != who);
    match foe {
        Some(card) => Some(Target::Card(card)),
        None if all.is_empty() && player_square(square) == Some(who.other()) => {
            let there = super::places::player_card(d, who.other()).is_some();
            // 1029.1a: what is in a unison is a Z/X, and no player card any more.
            let cite = zx!("1029.1a", Meaning);
            if !there && super::unison::of(d, who.other()).is_some() && d.on(cite) {
                d.trace.reach(cite);
                return None;
            }
            // Reading C33: a player card that lies face down with an overboost.
            (there || d.reading(zx!("C33", Reading), "a") == "a").then_some(Target::Player(who.other()))
        }
        None => None,
    }
}

/// 602.1b: what is attacked is chosen. On one square there is but one thing to choose, so nobody is asked; who says that
/// it is to be the player behind a Z/X or Ascension hears why not.
fn chosen(d: &mut Duel, who: Seat, attacker: Ref, square: ZoneId) -> Flow<Option<Target>> {
    let Some(first) = target(d, who, square) else { return Ok(None) };
    let cite = zx!("602.1b", Limit);
    let mut all = vec![first];
    let mut refused = Vec::new();
    let player = Target::Player(who.other());
    if first != player && player_square(square) == Some(who.other()) {
        match d.on(cite) {
            true => refused.push((thing(player), cite)),
            false => all.push(player),
        }
    }
    let asks = Asks::Choose { of: all.iter().copied().map(thing).collect(), min: 1, max: 1 };
    let question = Question::new(who, TARGET, asks).citing(cite).about(Some(attacker));
    let answer = d.ask(Question { refused, minor: true, ..question })?;
    Ok(answer.first().and_then(|at| all.get(*at as usize)).copied())
}

fn thing(target: Target) -> Thing {
    match target {
        Target::Card(card) => Thing::Card(card),
        Target::Player(seat) => Thing::Seat(seat),
    }
}

/// The card has the role in the battle.
pub fn role(t: &Table, card: Ref, role: Word) -> bool {
    match role.as_str() {
        "イグニッションかライフから登場" => {
            return t.is_now(card) && t.obj(card.id).facts[super::schema::CAME] > 0;
        }
        "ブレイク状態" => return super::force::is_broken(t, card),
        "ユニゾン状態" => {
            return t.is_now(card)
                && super::composite::lying(t).any(|id| t.obj(id).host == Some((super::composite::UNISON, card.id)));
        }
        _ => {}
    }
    t.is_now(card)
        && t.context().fights.iter().any(|f| f.members.iter().any(|(r, roles)| *r == card && roles.contains(&role)))
}

fn step(d: &mut Duel, name: &'static str) {
    d.enter_step(Word(name));
}

/// A whole battle.
pub fn battle(d: &mut Duel, who: Seat, attacker: Ref, square: ZoneId) -> Flow {
    let Some(target) = chosen(d, who, attacker, square)? else { return Ok(()) };
    d.under(zx!("601.1", Frame), |d| {
        let mut members = vec![(attacker, vec![ATTACKER])];
        if let Target::Card(card) = target {
            members.push((card, vec![TARGET]));
        }
        d.end_fights();
        let id = d.begin_fight(square, members, vec![attacker]);
        d.under(zx!("602", Frame), |d| declare(d, who, attacker, target, square, id))?;
        d.under(zx!("603", Frame), |d| events(d, who))?;
        d.under(zx!("604", Frame), |d| damage(d, who, attacker, target, square))?;
        d.under(zx!("605", Frame), |d| end(d, id))?;
        d.end_fights();
        d.enter_step(Word(""));
        Ok(())
    })
}

/// 602.1e: that it is attacked.
fn attacked(target: Target) -> Event {
    match target {
        Target::Card(card) => Event::about(Word("被攻撃"), card),
        Target::Player(seat) => Event::signal(Word("被攻撃")).seat(seat),
    }
}

/// 102.6: a text says that what is there cannot be attacked.
pub fn is_spared(d: &mut Duel, who: Seat, attacker: Ref, square: ZoneId) -> bool {
    let cause = Cause { means: Means::Battle, card: Some(attacker), seat: Some(who) };
    target(d, who, square).is_some_and(|target| d.forbidden(&attacked(target).by(cause)))
}

/// 602.1d–602.1f.
fn declare(d: &mut Duel, who: Seat, attacker: Ref, target: Target, square: ZoneId, fight: u32) -> Flow {
    step(d, "バトル宣言ステップ");
    d.step(zx!("602.1d"), |d| {
        d.turn(&[attacker], Word("スリープ"), Cause { seat: Some(who), ..Cause::RULE }).map(|_| ())
    })?;
    let cause = Cause { means: Means::Battle, card: Some(attacker), seat: Some(who) };
    let attacks = Event { to: Some(square), ..Event::about(Word("攻撃"), attacker).seat(who) };
    let begun = [Event::signal(Word("バトル開始時")), attacks, attacked(target).by(cause)];
    let events = begun.into_iter().map(|e| Event { fight: Some(fight), ..e }).collect();
    d.step(zx!("602.1e"), |d| d.happen(events))?;
    d.step(zx!("602.1f"), preprocess)
}

/// 603.1a–603.1c: the turn player first, then by turns, until the last act of both was to pass.
fn events(d: &mut Duel, who: Seat) -> Flow {
    step(d, "バトルイベントステップ");
    let mut passed = [false; 2];
    let mut now = who;
    loop {
        passed[now.index()] = !act(d, now, zx!("603.1b", Frame))?;
        if passed == [true; 2] {
            return Ok(());
        }
        let turns = d.applies(zx!("603.1c", Order), |_| "もう一方のプレイヤーに優先権が移る".into());
        if turns || passed[now.index()] {
            now = now.other();
        }
    }
}

/// 604: only the attacker deals damage, once.
fn damage(d: &mut Duel, who: Seat, attacker: Ref, target: Target, square: ZoneId) -> Flow {
    step(d, "バトルダメージステップ");
    d.step(zx!("604.1"), preprocess)?;
    let there = |d: &Duel, card: Ref| d.t.is_now(card) && is_square(d.t.obj(card.id).zone);
    if !there(d, attacker) && d.applies(zx!("604.2"), |_| "攻撃ゼクスがスクエアにいない".into()) {
        return Ok(());
    }
    let cause = Cause { means: Means::Battle, card: Some(attacker), seat: Some(who) };
    match retargeted(d, target) {
        Target::Card(card) => d.step(zx!("604.3a"), |d| {
            if !there(d, card) {
                return Ok(());
            }
            let moved = d.t.obj(card.id).zone != square;
            if moved
                && !d.applies(zx!("604.3e", Meaning), |d| {
                    format!("{}は別のスクエアにいても攻撃目標のまま", d.card_name(card))
                })
            {
                return Ok(());
            }
            let power = d.seen(attacker).number(const { at(POWER) }).unwrap_or(0);
            acts::damage(d, &[(card, power)], cause).map(|_| ())
        }),
        Target::Player(seat) => d.step(zx!("604.3c"), |d| {
            let guarded = !bodies_on(d, square).is_empty();
            if guarded
                && !d.applies(zx!("604.3e", Meaning), |_| {
                    "プレイヤースクエアにゼクスが来ても攻撃目標は変わらない".into()
                })
            {
                return Ok(());
            }
            acts::damage_player(d, seat, 1, cause).map(|_| ())
        }),
    }
}

/// 1019.2: a break has put another card in the place of the target.
fn retargeted(d: &Duel, target: Target) -> Target {
    let aimed = |roles: &[Word]| roles.contains(&TARGET);
    let now = d.t.context().fights.iter().flat_map(|f| &f.members).find(|(_, roles)| aimed(roles)).map(|(r, _)| *r);
    match (target, now) {
        (Target::Card(_), Some(card)) => Target::Card(card),
        (target, _) => target,
    }
}

/// 605: who died of it dies now; the end of the battle; what lasts as long as the battle ends.
fn end(d: &mut Duel, fight: u32) -> Flow {
    step(d, "バトル終結ステップ");
    d.step(zx!("605.1"), preprocess)?;
    let mut before = None;
    loop {
        let over = Event { fight: Some(fight), ..Event::signal(Word("バトル終了時")) };
        d.under(zx!("605.2", Frame), |d| moment(d, &over, zx!("605.3"), zx!("605.4")))?;
        d.step(zx!("605.5"), |d| {
            d.expire(Word("バトル終了時"), Some(fight))?;
            Ok(())
        })?;
        let over = Event { fight: Some(fight), ..Event::signal(Word("バトル終了時")) };
        let more = checks::any_due(d)? || super::priority::would_trigger(d, &over)?;
        if !more || !d.on(zx!("605.6")) {
            forget_battle(d);
            return Ok(());
        }
        d.trace.reach(zx!("605.6"));
        super::priority::goes_on(d, &mut before)?;
    }
}
