//! 800: the battle phase.

use super::priority::{ask, moment, something_due, window};
use super::schema::{ARRIVED, ON_ATTACK, RECOVERED, REVERSED, REVERSED_ATTACK, at};
use super::zones::{Own, entities, in_play, is_kind, zone};
use super::{demands, odo, orbs, setup, text};
use crate::card::{ENDLESS, Word};
use crate::kernel::verb::{Allowed, card, no};
use crate::kernel::view::Data;
use crate::kernel::{Asks, Cause, Duel, Event, Fight, Flow, Means, Move, Question, Ref, Seat, Table, Thing};

const ATTACKER: Word = Word("攻撃を行っている怪異");
const ATTACKED: Word = Word("攻撃されている怪異");
const BOTH: Word = Word("バトルしている怪異");

fn step(d: &mut Duel, name: &'static str) {
    d.enter_step(Word(name));
}

/// 801.1.
pub fn phase(d: &mut Duel, opened: bool) -> Flow {
    step(d, "バトルフェイズ開始ステップ");
    if !opened {
        d.step(msd!("802.1"), |d| moment(d, Word("バトルフェイズ開始時")))?;
    }
    d.step(msd!("802.2"), window)?;
    loop {
        d.spend()?;
        if !attack(d)? {
            break;
        }
        // 805.5: whoever stands recovered and is not kept from attacking is enough, though it may find nothing to attack.
        if !somebody_stands(d) || !d.applies(msd!("805.5"), |_| "攻撃宣言ステップに戻る".into()) {
            break;
        }
    }
    step(d, "バトルフェイズ終了ステップ");
    d.step(msd!("806.1"), |d| moment(d, Word("バトルフェイズ終了時")))?;
    d.step(msd!("806.2"), window)?;
    step(d, "");
    Ok(())
}

/// The player's 怪異 that may attack somebody.
fn attackers(d: &mut Duel, who: Seat) -> Vec<Ref> {
    let own = entities(d, who, "怪異");
    own.into_iter().filter(|c| legal(d, who, &Move::of(Word("攻撃"), *c)).is_ok()).collect()
}

/// 805.5.
fn somebody_stands(d: &mut Duel) -> bool {
    let who = d.t.active;
    entities(d, who, "怪異").into_iter().any(|c| stands(d, who, c).is_ok())
}

/// What forbids an attack.
pub fn legal(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let card = card(m);
    if d.t.phase != "バトルフェイズ" || who != d.t.active {
        return no(msd!("803.3", Frame), "攻撃を宣言する時ではない");
    }
    stands(d, who, card)?;
    let need = attack_cost(d, card);
    if !odo::could_pay(d, who, &need) {
        return no(msd!("803.4", Limit), "攻撃のために必要な支払いができない");
    }
    if !demands::could_attack(d, who, card) {
        return no(msd!("803.4", Limit), "攻撃のために必要な行動を実行できない");
    }
    if targets(d, card).is_empty() {
        return no(msd!("803.3b", Limit), "攻撃目標にできるものがない");
    }
    Ok(())
}

/// 803.3a, 1104.2: a recovered 怪異 of the player that is not kept from attacking.
fn stands(d: &mut Duel, who: Seat, card: Ref) -> Allowed {
    let seen = d.seen(card);
    let own = in_play(d.t.obj(card.id).zone) && d.t.obj(card.id).controller == who && !d.is_beneath(card.id);
    if !own || !is_kind(&seen, "怪異") {
        return no(msd!("803.3a", Frame), "自分が支配している怪異ではない");
    }
    let cite = msd!("803.3a", Limit);
    let allowed = d.t.obj(card.id).state == REVERSED
        && seen.has(REVERSED_ATTACK)
        && d.applies(msd!("104.1", Meaning), |d| format!("{}はリバース状態で攻撃できる", d.card_name(card)));
    if d.t.obj(card.id).state != RECOVERED && !allowed && d.on(cite) {
        return no(cite, "リカバー状態ではない");
    }
    let cite = msd!("1104.2", Meaning);
    if seen.has("召喚酔い") && d.t.obj(card.id).facts[ARRIVED] == i32::from(d.t.turn) && d.on(cite) {
        return no(cite, "戦場に出たターンなので攻撃できない");
    }
    if d.forbidden(&text::would(Word("攻撃"), Some(card), who)) {
        return no(msd!("104.4", Limit), "「攻撃できない」効果がある");
    }
    Ok(())
}

/// 803.4: what attacking takes.
fn attack_cost(d: &mut Duel, attacker: Ref) -> odo::Need {
    let price = d.seen(attacker).price(at::ATTACK_COST).cloned().unwrap_or_default();
    odo::Need::of_symbols(&price.filled(|_| 0))
}

/// 803.3b: the opponent's 怪異, and the opponent unless a reversed 怪異 can be chosen; 1110.2: 傲慢 looks past it.
fn targets(d: &mut Duel, attacker: Ref) -> Vec<Thing> {
    let seen = d.seen(attacker);
    let foe = seen.controller.other();
    let mut found = Vec::new();
    let mut wall = false;
    for card in entities(d, foe, "怪異") {
        let aimed =
            Event { cause: Cause { card: Some(attacker), ..Cause::RULE }, ..Event::about(Word("攻撃目標"), card) };
        if !d.forbidden(&aimed.seat(seen.controller)) {
            wall |= d.t.obj(card.id).state == REVERSED;
            found.push(Thing::Card(card));
        }
    }
    if wall {
        d.trace.reach(msd!("803.3b", Limit));
    }
    let blocked = wall && d.on(msd!("803.3b", Limit));
    let arrogant = blocked && seen.has("傲慢") && d.on(msd!("1110.2", Meaning));
    if arrogant {
        d.trace.reach(msd!("1110.2", Meaning));
    }
    let cause = Cause { card: Some(attacker), ..Cause::RULE };
    let direct = Event::signal(Word("攻撃目標")).by(cause).seat(foe);
    if (!blocked || arrogant) && !d.forbidden(&direct) {
        found.push(Thing::Seat(foe));
    }
    found
}

/// 803–805: one battle. False: nobody attacks.
fn attack(d: &mut Duel) -> Flow<bool> {
    step(d, "攻撃宣言ステップ");
    d.step(msd!("803.1"), |d| moment(d, Word("攻撃宣言ステップ開始時")))?;
    d.step(msd!("803.2"), window)?;
    step(d, "攻撃宣言");
    let declared = if d.on(msd!("803.3")) { declare(d)? } else { None };
    let Some((attacker, target)) = declared else { return Ok(false) };
    step(d, "バトル");
    d.step(msd!("803.6"), window)?;
    step(d, "バトル判定ステップ");
    d.under(msd!("804", Frame), |d| judge(d, attacker, target))?;
    step(d, "バトル終了ステップ");
    finish(d)?;
    Ok(true)
}

/// 803.3–803.5. Reading C9: whether the player may attack with none.
fn declare(d: &mut Duel) -> Flow<Option<(Ref, Thing)>> {
    let who = d.t.active;
    loop {
        let able = attackers(d, who);
        if able.is_empty() {
            if endless_attempt(d, who)? {
                return Ok(None);
            }
            d.trace.reach(msd!("803.3", Frame));
            return Ok(None);
        }
        let mut moves: Vec<Move> = able.iter().map(|c| Move::of(Word("攻撃"), *c)).collect();
        if d.reading(msd!("C9", Reading), "a") != "b" {
            moves.insert(0, Move::PASS);
        }
        d.give_priority(None);
        let Some(attacker) = ask(d, who, moves, msd!("803.3", Frame))?.and_then(|m| m.card) else { return Ok(None) };
        let of = targets(d, attacker);
        let question = Question::new(who, Word("攻撃目標"), Asks::Choose { of, min: 1, max: 1 }).about(Some(attacker));
        let Some(target) = d.pick(question.citing(msd!("803.3b", Limit)))?.first().copied() else { return Ok(None) };
        let saved = d.t.clone();
        if engage(d, who, attacker, target)? {
            return Ok(Some((attacker, target)));
        }
        // 803.4: back to the choice of the attacker.
        let what = format!("{}の攻撃", d.card_name(attacker));
        d.give_up(saved, what, msd!("803.4", Limit), "攻撃を行うために必要な行動を実行できない")?;
    }
}

/// Readings C9 and C31: who must attack with what cannot do what attacking takes would be sent back for ever.
fn endless_attempt(d: &mut Duel, who: Seat) -> Flow<bool> {
    let chosen = |d: &mut Duel, card: Ref| stands(d, who, card).is_ok() && !targets(d, card).is_empty();
    if !entities(d, who, "怪異").into_iter().any(|card| chosen(d, card)) {
        return Ok(false);
    }
    if d.reading(msd!("C9", Reading), "a") != "b" || d.reading(msd!("C31", Reading), "a") != "b" {
        return Ok(false);
    }
    super::loops::endless(d).map(|()| true)
}

/// 803.4, 803.5: the attacker is rested, what an attack asks for is done, and both have their roles.
fn engage(d: &mut Duel, who: Seat, attacker: Ref, target: Thing) -> Flow<bool> {
    let cause = Cause { means: Means::Rule, card: Some(attacker), seat: Some(who) };
    let rested = if d.on(msd!("803.4")) {
        d.under(msd!("803.4"), |d| d.turn(&[attacker], Word("レスト"), cause))?
    } else {
        true
    };
    let need = attack_cost(d, attacker);
    let demands = demands::asked(d, ON_ATTACK, attacker);
    if !rested || !d.under(msd!("803.4"), |d| odo::pay(d, who, &need))? {
        return Ok(false);
    }
    if !d.under(msd!("803.4"), |d| demands::met(d, who, &demands, (attacker, attacker)))? {
        return Ok(false);
    }
    let at = d.t.obj(attacker.id).zone;
    let mut members = vec![(attacker, vec![ATTACKER, BOTH])];
    if let Thing::Card(card) = target
        && d.applies(msd!("803.5"), |d| format!("{}は攻撃されている怪異となる", d.card_name(card)))
    {
        members.push((card, vec![ATTACKED, BOTH]));
    }
    d.end_fights();
    let id = d.begin_fight(at, members, vec![attacker]);
    let mut event = Event::about(Word("攻撃"), attacker).by(cause).seat(who);
    event.fight = Some(id);
    let declared = d.propose_one(event)?.any();
    if let (true, Thing::Card(card)) = (declared, target) {
        let mut event = Event::about(Word("攻撃目標"), card).by(cause).seat(who);
        event.fight = Some(id);
        d.happen(vec![event])?;
    }
    Ok(declared)
}

pub fn role(t: &Table, card: Ref, role: Word) -> bool {
    // 906.5b: whoever has just left the battlefield is looked at as it was there.
    let left = !in_play(t.obj(card.id).zone);
    let same = |r: &Ref| *r == card || left && r.id == card.id && r.life + 1 == card.life;
    let has = |f: &Fight| f.members.iter().any(|(r, roles)| same(r) && roles.contains(&role));
    t.contexts.iter().flat_map(|c| &c.fights).any(has)
}

/// 803.4a, 803.5a: whoever is no 怪異 any more, has lost ATK or DEF, has left or changed sides is out of the battle.
pub fn watch(d: &mut Duel) {
    let Some(fight) = d.t.context().fights.first().cloned() else { return };
    for (card, roles) in &fight.members {
        let attacker = roles.contains(&ATTACKER);
        let side = if attacker { d.t.active } else { d.t.active.other() };
        let stays = d.t.is_now(*card) && in_play(d.t.obj(card.id).zone) && d.t.obj(card.id).host.is_none() && {
            let seen = d.seen(*card);
            is_kind(&seen, "怪異")
                && seen.data[at::ATK] != Data::None
                && seen.data[at::DEF] != Data::None
                && seen.controller == side
        };
        let cite = if attacker { msd!("803.4a", Meaning) } else { msd!("803.5a", Meaning) };
        if !stays
            && (!d.t.is_now(*card)
                || d.applies(cite, |d| format!("{}はバトルしている怪異ではなくなる", d.card_name(*card))))
        {
            d.trace.reach(cite);
            let gone = *card;
            d.fights().filter(|f| f.id == fight.id).for_each(|f| f.members.retain(|(r, _)| *r != gone));
        }
    }
}

/// 804.
fn judge(d: &mut Duel, attacker: Ref, target: Thing) -> Flow {
    watch(d);
    let fights = |d: &Duel, card: Ref| role(&d.t, card, BOTH);
    let gone = !fights(d, attacker) || matches!(target, Thing::Card(card) if !fights(d, card));
    if gone && d.applies(msd!("804.1", Limit), |_| "バトルしている怪異がいないのでバトル終了ステップに進む".into())
    {
        return Ok(());
    }
    if d.t.is_now(attacker)
        && d.t.obj(attacker.id).state == REVERSED
        && d.applies(msd!("804.2", Limit), |_| "攻撃している怪異がリバース状態なのでバトル終了ステップに進む".into())
    {
        return Ok(());
    }
    match target {
        Thing::Card(card) if d.t.is_now(card) => compare(d, attacker, card)?,
        Thing::Seat(foe) => strike(d, attacker, foe)?,
        _ => {}
    }
    d.step(msd!("804.6"), window)
}

/// 804.3, 804.4: ATK against ATK, or against DEF where the target is reversed; only if greater.
fn compare(d: &mut Duel, attacker: Ref, card: Ref) -> Flow {
    let number = |d: &mut Duel, r: Ref, at: usize| match d.seen(r).number(at).unwrap_or(0) {
        n if n < 0 && d.reading(msd!("C24", Reading), "a") == "b" => 0,
        n => n,
    };
    let atk = number(d, attacker, at::ATK);
    let reversed = d.t.obj(card.id).state == REVERSED && d.on(msd!("804.4"));
    let (cite, wall) = match reversed {
        true => (msd!("804.4"), number(d, card, at::DEF)),
        false => (msd!("804.3"), number(d, card, at::ATK)),
    };
    d.step(cite, |d| {
        if atk == ENDLESS || wall == ENDLESS {
            // 104.7a, 104.7b: ∞ is greater than every number, and as great as ∞.
            d.trace.reach(if atk == wall { msd!("104.7b", Frame) } else { msd!("104.7a", Frame) });
            d.trace.reach(msd!("104.7", Frame));
        }
        let word = |n: i32| if n == ENDLESS { "∞".to_string() } else { n.to_string() };
        d.cites(cite, |_| format!("攻撃力{}と{}を比べる", word(atk), word(wall)));
        if atk <= wall {
            return Ok(());
        }
        let to = zone(Own::Graveyard, d.t.obj(card.id).owner);
        let seat = d.seen(attacker).controller;
        let mut event = d.moving(card, to).by(Cause { means: Means::Battle, card: Some(attacker), seat: Some(seat) });
        event.how = Word("破壊");
        event.seat = Some(seat);
        d.happen(vec![event])
    })
}

/// 804.5: without orbs the attack wins; else orbs are defiled.
fn strike(d: &mut Duel, attacker: Ref, foe: Seat) -> Flow {
    let seat = d.seen(attacker).controller;
    if d.t.zone(zone(Own::Orbs, foe)).is_empty() {
        let loses = d.reading(msd!("C7", Reading), "a") == "b";
        return d.step(msd!("804.5"), |d| if loses { setup::lose(d, &[foe]) } else { setup::win(d, seat) });
    }
    d.step(msd!("804.5"), |d| {
        let n = orbs::how_many(d, attacker)?;
        let cause = Cause { means: Means::Battle, card: Some(attacker), seat: Some(seat) };
        orbs::defile(d, foe, seat, n, cause).map(|_| ())
    })
}

/// 805.1–805.4.
fn finish(d: &mut Duel) -> Flow {
    d.step(msd!("805.1"), |d| moment(d, Word("バトル終了時")))?;
    d.step(msd!("805.2"), window)?;
    d.under(msd!("805.3", Frame), |d| {
        loop {
            d.goes_round()?;
            d.step(msd!("805.3a"), |d| d.expire(Word("バトル終了時"), None))?;
            let due = something_due(d)?;
            if !due || !d.on(msd!("805.3b", Meaning)) {
                return Ok(());
            }
            d.under(msd!("805.3b", Meaning), window)?;
        }
    })?;
    d.step(msd!("805.4"), |d| {
        d.trace.reach(msd!("805.4a", Frame));
        d.end_fights();
        Ok(())
    })
}
