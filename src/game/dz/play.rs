//! 4.7: playing spells, activating abilities, moving units; 4.19: taking back what turns out to be illegal.

use std::sync::Arc;

use super::pay::{self, Cost};
use super::places::stack;
use super::schema::{COST, MOVE_COST, schema};
use super::{keywords, text};
use crate::card::{Ability, Change, Price, Step, Target, Word};
use crate::kernel::steps::Frame;
use crate::kernel::{
    Asks, Cause, Cite, Duel, Event, Flow, Halt, Item, ItemKind, Means, Move, Question, Ref, Refusal, Seat, Slots,
    Thing, Told, What,
};

/// Plays, activates or moves. An action that cannot be completed is taken back.
pub fn play(d: &mut Duel, who: Seat, m: &Move) -> Flow {
    let saved = d.t.clone();
    let done = match m.verb.as_str() {
        "プレイ" => d.under(dz!("4.7.2", Frame), |d| spell(d, who, m))?,
        "起動" => d.under(dz!("4.7.2", Frame), |d| ability(d, who, m))?,
        "移動" => d.under(dz!("4.7.3", Frame), |d| move_unit(d, who, m))?,
        _ => d.under(dz!("4.3.3", Frame), |d| plan(d, who, m))?,
    };
    if !done {
        // 4.19.1, 4.19.3: costs come back, nothing triggers, and the same player has priority again.
        d.trace.reach(dz!("4.19.1", Frame));
        d.tell(Told::Refused, |_| "行動を続けられないので取り消す".into());
        d.take_back(saved);
        // Whoever asked for it is told that it cannot be done, and by which clause.
        let what = m.card.map_or(m.verb.to_string(), |c| format!("{}の{}", d.card_name(c), m.verb));
        let why = "始めた後で、コストを支払えないか適正な対象を選べないと分かった".into();
        let cite = Some(dz!("4.19.1", Frame));
        return Err(Halt::Refused(Box::new(Refusal { what, cite, why })));
    }
    Ok(())
}

/// 2.4.1, 6.3.2: the price of a card under all effects.
pub fn price_of(d: &mut Duel, card: Ref, name: &'static str) -> Price {
    let view = d.look();
    let read = view.rules.iter().find_map(|rule| match &rule.change {
        Change::Read(a, b) if rule.on == Some(card.id) && *a == name => Some(*b),
        _ => None,
    });
    let name = match read {
        Some(other) if d.applies(dz!("6.3.2", Meaning), |_| format!("{name}の代わりに{other}を使う")) => other,
        _ => Word(name),
    };
    let at = schema().data(&name).expect("a datum").0;
    d.seen(card).price(at).cloned().unwrap_or_default()
}

/// The ways in which the price of a card can be paid, the usual one first.
fn prices(d: &mut Duel, m: &Move) -> Vec<(Word, Price)> {
    let card = m.card.expect("a card");
    let seen = d.seen(card);
    if m.verb == "起動" {
        let ability = &seen.abilities[m.ability.unwrap_or(0) as usize];
        // 4.3.1; reading C15: a battle ability costs what its card costs.
        if ability.timing.is_some_and(|t| t == "バトル") && d.reading(dz!("C15", Reading), "a") == "c" {
            return vec![(Word(""), price_of(d, card, COST))];
        }
        return vec![(Word(""), ability.price.clone().unwrap_or_default())];
    }
    if m.verb == "移動" {
        return vec![(Word(""), price_of(d, card, MOVE_COST))];
    }
    if m.way.contains("隊列召喚") {
        let price = seen.keyword("隊列召喚").and_then(|k| k.price.first().cloned()).unwrap_or_default();
        return vec![(Word(""), price)];
    }
    let mut found = vec![(Word(""), price_of(d, card, COST))];
    // 5.7.3-1: 覚醒 is an alternative cost from the plan zone; 5.7.3-2: the usual cost remains possible.
    let from_plan = schema().spec(d.t.obj(card.id).zone).name == "山札";
    if let Some(keyword) = seen.keyword("覚醒").filter(|_| from_plan)
        && d.on(dz!("5.7.3-1", Meaning))
    {
        for (i, price) in keyword.price.iter().enumerate() {
            let name = if i == 0 { Word("覚醒") } else { Word::new(&format!("覚醒{}", i + 1)) };
            found.push((name, price.clone()));
        }
    }
    found
}

/// What must be paid besides energy; optional parts only where they were chosen.
fn parts(d: &mut Duel, m: &Move) -> Vec<Step> {
    let card = m.card.expect("a card");
    let seen = d.seen(card);
    match m.verb.as_str() {
        "起動" => seen.abilities[m.ability.unwrap_or(0) as usize].cost.clone(),
        "移動" => Vec::new(),
        _ => {
            let seat = d.t.obj(card.id).owner;
            let effects = keywords::effects(d, card, seat, &Slots::default());
            effects.iter().flat_map(|a| a.cost.clone()).collect()
        }
    }
}

/// Some way of paying is possible, with every variable at nothing.
pub fn affordable(d: &mut Duel, who: Seat, m: &Move) -> bool {
    let card = m.card.expect("a card");
    let callers = keywords::voices(d, who, m).len() as i32;
    let energy = prices(d, m).iter().any(|(_, price)| {
        let mut symbols = price.filled(|_| 0);
        if callers > 0 {
            symbols.push((Word("無色"), -callers));
        }
        pay::payable(d, who, &Cost { symbols, ..Cost::default() })
    });
    let raid = m.verb == "移動" && keywords::raid(d, who, card).is_some();
    let needed: Vec<Step> = parts(d, m).into_iter().filter(|s| !matches!(s, Step::May { .. })).collect();
    if !(energy || raid) || needed.is_empty() {
        return energy || raid;
    }
    let slots = zero_slots(d, m);
    d.could(&needed, &slots, Some(card), who) || only_variable(&needed)
}

/// A part that asks for X cards can be paid with X = 0.
fn only_variable(steps: &[Step]) -> bool {
    steps.iter().all(|s| match s {
        Step::Choose(t) => matches!(t.count, Some(crate::card::Value::Named(_))),
        Step::Turn { what: Some(_), .. } | Step::Move { what: Some(_), .. } => {
            steps.iter().any(|s| matches!(s, Step::Choose(_)))
        }
        _ => false,
    })
}

fn zero_slots(d: &mut Duel, m: &Move) -> Slots {
    let mut slots = Slots::default();
    for (_, price) in prices(d, m) {
        for name in price.variables() {
            slots.set(name, vec![Thing::Number(0)]);
        }
    }
    if m.verb == "プレイ" {
        slots.set(PLAYED, m.card.map(Thing::Card).into_iter().collect());
    }
    slots
}

/// The card that is being played, while it is chosen what it is paid for with: by then it lies on the stack (4.7.2-3).
const PLAYED: Word = Word("プレイするカード");

/// 4.7.2-3: what is being played does not pay for itself.
pub fn may_pay(d: &mut Duel, card: Ref, frame: &Frame) -> Result<(), &'static Cite> {
    let played = frame.slots.get(&PLAYED).is_some_and(|of| of.contains(&Thing::Card(card)));
    let cite = dz!("4.7.2-3", Limit);
    if played && d.on(cite) { Err(cite) } else { Ok(()) }
}

/// 4.7.2-5, 4.11.3: right targets can be chosen for all of the abilities.
pub fn targets_exist(d: &mut Duel, who: Seat, m: &Move, abilities: &[Arc<Ability>]) -> bool {
    let card = m.card.expect("a card");
    // Variables are chosen before targets: some value must leave a target, and the greatest leaves most.
    let mut slots = Slots::default();
    for (_, price) in prices(d, m) {
        for name in price.variables() {
            let max = most(d, who, &price, name, &frame(who, Some(card), slots.clone()), &Cost::default());
            let max = max.max(slots.number(&name).unwrap_or(0));
            slots.set(name, vec![Thing::Number(max)]);
        }
    }
    abilities.iter().all(|ability| {
        let frame = frame(who, Some(card), slots.clone());
        let lists: Vec<&[Target]> = if ability.modes.is_empty() {
            vec![&ability.target]
        } else {
            ability.modes.iter().map(|m| m.target.as_slice()).collect()
        };
        lists.into_iter().any(|targets| can_choose(d, &frame, targets))
    })
}

fn can_choose(d: &mut Duel, frame: &Frame, targets: &[Target]) -> bool {
    let Some((target, rest)) = targets.split_first() else { return true };
    if matches!(target.of, crate::card::Pool::Numbers(..)) {
        return can_choose(d, frame, rest);
    }
    let (of, _) = d.candidates_of(frame, &target.of, true);
    let Some((min, _)) = d.how_many(frame, target, of.len(), true) else { return false };
    if min == 0 || rest.is_empty() {
        return rest.is_empty() || can_choose(d, &with(frame, target.slot, of), rest);
    }
    // A later target may depend on an earlier one: some choice must leave the rest possible.
    of.iter().any(|thing| can_choose(d, &with(frame, target.slot, vec![*thing]), rest))
}

fn with(frame: &Frame, slot: Word, things: Vec<Thing>) -> Frame {
    let mut frame = frame.clone();
    frame.slots.set(slot, things);
    frame
}

fn frame(seat: Seat, this: Option<Ref>, slots: Slots) -> Frame {
    Frame { this, seat, slots, event: None, cause: Cause { means: Means::Effect, card: this, seat: Some(seat) } }
}

/// 4.7.2 for a card.
fn spell(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    let card = m.card.expect("a card is played");
    d.under(dz!("4.7.2-1", Frame), |d| {
        d.aside().reveal(card.id, true);
        Ok(())
    })?;
    play_texts(d, card);
    let mut frame = frame(who, Some(card), Slots::default());
    if let Some(to) = m.to {
        frame.slots.set(Word("スクエア"), vec![Thing::Zone(to)]);
    }
    frame.slots.set(Word("方法"), vec![Thing::Word(m.way)]);
    if m.way.contains("召集") {
        let callers = keywords::callers(d, who, m.to.expect("a square"));
        let asks = Asks::Choose { of: callers.into_iter().map(Thing::Card).collect(), min: 1, max: 1 };
        let caller = d.pick(Question::new(who, Word("召集元"), asks).citing(dz!("5.3.2", Frame)))?;
        frame.slots.set(Word("召集元"), caller);
    }
    keywords::freeze_linked(d, card, &mut frame);
    let abilities = keywords::effects(d, card, who, &frame.slots);
    modes(d, &mut frame, &abilities)?;
    frame.slots.set(PLAYED, vec![Thing::Card(card)]);
    let Some(cost) = costs(d, who, m, &mut frame)? else { return Ok(false) };
    frame.slots.0.retain(|(name, _)| *name != PLAYED);
    // 4.7.2-3, at the end: it is put on top of the stack.
    let (from, face_up) = (d.t.obj(card.id).zone, d.t.obj(card.id).face_up);
    if schema().spec(from).name == "山札" && face_up {
        frame.slots.set(Word("プランゾーンから"), vec![Thing::Number(1)]);
    }
    let to = stack();
    let mut event = d.moving(card, to).seat(who);
    event.what = What::Move { to, bottom: false, state: 0, face_up: true, controller: Some(who), host: None };
    let moved = d.propose(vec![event])?;
    let Some(card) = moved.first().and_then(|e| e.after) else { return Ok(false) };
    if d.t.obj(card.id).controller != who {
        d.hand_to(card.id, who);
    }
    frame.this = Some(card);
    frame.cause.card = Some(card);
    text::note_resistance(d, card, None, &mut frame.slots);
    let item = push(d, ItemKind::Spell, who, card, None, &frame, Some(from));
    finish(d, who, item, &mut frame, &abilities, &cost, Event::about(Word("プレイ"), card))
}

/// 4.7.2 for an activated ability.
fn ability(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    let card = m.card.expect("a card's ability");
    let number = m.ability.unwrap_or(0);
    let ability = d.seen(card).abilities[number as usize].clone();
    let mut frame = frame(who, Some(card), Slots::default());
    let list = [ability.clone()];
    d.trace.reach(dz!("4.7.2-1", Frame));
    d.trace.reach(dz!("4.3.1", Frame));
    d.reach_clauses(&ability);
    modes(d, &mut frame, &list)?;
    let Some(cost) = costs(d, who, m, &mut frame)? else { return Ok(false) };
    d.use_up(card, who, &ability);
    text::note_resistance(d, card, None, &mut frame.slots);
    let item = push(d, ItemKind::Ability, who, card, Some(ability), &frame, None);
    finish(d, who, item, &mut frame, &list, &cost, Event::about(Word("起動"), card))
}

/// 2.10.3-2…-4, 2.24.7-1: texts about playing the card itself work where it is played from.
fn play_texts(d: &mut Duel, card: Ref) {
    let from = schema().spec(d.t.obj(card.id).zone).name;
    if from != "手札" && from != "山札" {
        d.trace.reach(dz!("2.10.3-2", Frame));
    }
    let printed = price_of_printed(d, card, &Move::of(Word("プレイ"), card));
    if price_of(d, card, COST) != printed {
        d.trace.reach(dz!("2.10.3-4", Frame));
    }
    d.trace.reach(dz!("2.24.7-1", Frame));
    d.trace.reach(dz!("2.24.5-1", Frame));
}

/// 4.7.2-2: which of several effects.
fn modes(d: &mut Duel, frame: &mut Frame, abilities: &[Arc<Ability>]) -> Flow {
    for ability in abilities.iter().filter(|a| !a.modes.is_empty()) {
        let of = ability.modes.iter().map(|m| Thing::Word(m.name)).collect();
        let question = Question::new(frame.seat, Word("効果"), Asks::Choose { of, min: 1, max: 1 }).about(frame.this);
        let chosen = d.under(dz!("4.7.2-2", Frame), |d| d.pick(question))?;
        frame.slots.set(Word("効果"), chosen);
    }
    Ok(())
}

/// Which of several effects of a triggered ability: 4.8.4-2 as it is put on the stack, where targets are chosen with it;
/// 4.9.2-4 as it resolves, where it has not been said before. False: none of them has a right target.
pub fn late_mode(d: &mut Duel, frame: &mut Frame, ability: &Ability, resolves: bool) -> Flow<bool> {
    let targeted = ability.modes.iter().any(|m| !m.target.is_empty());
    if ability.modes.is_empty() || targeted == resolves {
        return Ok(true);
    }
    let of: Vec<Thing> = ability
        .modes
        .iter()
        .filter(|m| resolves || can_choose(d, frame, &m.target))
        .map(|m| Thing::Word(m.name))
        .collect();
    if of.is_empty() {
        return Ok(false);
    }
    let question = Question::new(frame.seat, Word("効果"), Asks::Choose { of, min: 1, max: 1 }).about(frame.this);
    let cite = if resolves { dz!("4.9.2-4", Frame) } else { dz!("4.8.4-2", Frame) };
    let chosen = d.under(cite, |d| d.pick(question))?;
    frame.slots.set(Word("効果"), chosen);
    Ok(true)
}

/// 4.7.2-3, 4.7.2-4, 4.7.3-2: alternative and additional costs first, then variables.
fn costs(d: &mut Duel, who: Seat, m: &Move, frame: &mut Frame) -> Flow<Option<Cost>> {
    d.under(dz!("4.7.2-3", Frame), |d| {
        let ways = prices(d, m);
        let (way, price) = which_price(d, who, m, ways)?;
        if !way.is_empty() {
            d.trace.reach(dz!("5.7.3-1", Meaning));
            frame.slots.set(way, vec![Thing::Number(1)]);
        }
        let mut cost = Cost::default();
        let voices = keywords::voices(d, who, m);
        let refused = keywords::mute_voices(d, who);
        if !(voices.is_empty() && refused.is_empty()) {
            let n = voices.len();
            let asks = Asks::Choose { of: voices.into_iter().map(Thing::Card).collect(), min: 0, max: n };
            let question = Question::new(who, Word("呼声"), asks).citing(dz!("5.10.2", Frame));
            let chosen = d.pick(Question { refused, ..question })?;
            cost.freeze = chosen.iter().filter_map(|t| if let Thing::Card(r) = t { Some(*r) } else { None }).collect();
        }
        for step in parts(d, m) {
            optional(d, who, frame, step, &mut cost.parts)?;
        }
        let called = called_off(d, m, &price, cost.freeze.len() as i32);
        if !cost.freeze.is_empty() {
            d.trace.reach(dz!("5.10.2", Meaning));
        }
        for name in price.variables() {
            let max = most(d, who, &price, name, frame, &cost);
            let asks = Asks::Number { min: 0, max };
            d.trace.reach(dz!("1.2.3-3", Frame));
            // More than can be paid is refused by the payment.
            let n = d.ask(Question::new(who, name, asks).citing(dz!("4.7.2-8", Limit)).about(m.card))?[0];
            frame.slots.set(name, vec![Thing::Number(n)]);
        }
        // 4.7.2-3: which cards are used in payment is chosen now as well.
        for step in std::mem::take(&mut cost.parts) {
            match step {
                Step::Choose(target) => {
                    let means = std::mem::replace(&mut frame.cause.means, Means::Cost);
                    let chosen = d.choose(frame, &target, false)?;
                    frame.cause.means = means;
                    if !chosen {
                        return Ok(None);
                    }
                }
                other => cost.parts.push(other),
            }
        }
        // 1.2.3-3: a variable whose symbol is gone is 0.
        if let Some(card) = m.card {
            for name in price_of_printed(d, card, m).variables() {
                if frame.slots.get(&name).is_none() {
                    d.trace.reach(dz!("1.2.3-3", Frame));
                    frame.slots.set(name, vec![Thing::Number(0)]);
                }
            }
        }
        cost.symbols = price.filled(|name| frame.slots.number(&name).unwrap_or(0));
        cost.symbols.push((COLOURLESS, -called));
        Ok(Some(cost))
    })
}

const COLOURLESS: Word = Word("無色");

/// 5.10.3: how much of the colourless cost is called off. It may fall below nothing, and what is added then starts
/// from there.
fn called_off(d: &mut Duel, m: &Move, price: &Price, calls: i32) -> i32 {
    let colourless = |price: &Price| price.filled(|_| 0).iter().filter(|(s, _)| *s == COLOURLESS).map(|(_, n)| n).sum();
    let printed: i32 = m.card.map_or(0, |card| colourless(&price_of_printed(d, card, m)));
    let least = printed.min(colourless(price));
    if calls > least && !d.applies(dz!("5.10.3", Meaning), |_| "呼声で0を下回った数から計算する".into())
    {
        return least;
    }
    calls
}

fn price_of_printed(d: &mut Duel, card: Ref, m: &Move) -> Price {
    let name = match m.verb.as_str() {
        "プレイ" => COST,
        "移動" => MOVE_COST,
        _ => return Price::default(),
    };
    match d.card(card).data.get(&Word(name)) {
        Some(crate::card::Datum::Words(words)) => words.first().and_then(|w| Price::read(w)).unwrap_or_default(),
        _ => Price::default(),
    }
}

fn which_price(d: &mut Duel, who: Seat, m: &Move, ways: Vec<(Word, Price)>) -> Flow<(Word, Price)> {
    // What cannot be paid in energy may be paid by other means (5.16.2).
    let callers = keywords::voices(d, who, m).len() as i32;
    let (mut open, mut dear) = (Vec::new(), Vec::new());
    for way in &ways {
        let mut symbols = way.1.filled(|_| 0);
        symbols.push((COLOURLESS, -callers));
        let payable = pay::payable(d, who, &Cost { symbols, ..Cost::default() });
        if payable || !d.on(dz!("4.7.2-8", Limit)) { open.push(way) } else { dear.push(way) }
    }
    if open.is_empty() || ways.len() < 2 {
        return Ok(ways.into_iter().next().unwrap_or_default());
    }
    let named = |way: &(Word, Price)| Thing::Word(if way.0.is_empty() { Word("通常") } else { way.0 });
    let of = open.iter().map(|way| named(way)).collect();
    let refused = dear.iter().map(|way| (named(way), dz!("4.7.2-8", Limit))).collect();
    let question = Question::new(who, Word("払い方"), Asks::Choose { of, min: 1, max: 1 });
    let at = d.ask(Question { refused, ..question.citing(dz!("4.7.2-4", Frame)) })?[0] as usize;
    d.trace.reach(dz!("5.7.3-2", Frame));
    Ok(open[at].clone())
}

/// An additional cost that may be paid is chosen now.
pub fn optional(d: &mut Duel, who: Seat, frame: &mut Frame, step: Step, parts: &mut Vec<Step>) -> Flow {
    let Step::May { steps, name, .. } = step else {
        parts.push(step);
        return Ok(());
    };
    let name = name.unwrap_or(Word("追加コスト"));
    if d.possible(&steps, &frame.slots, frame.this, who, None)? && d.yes(who, name, frame.this)? {
        d.trace.reach(dz!("4.7.2-4", Frame));
        frame.slots.set(name, vec![Thing::Number(1)]);
        parts.extend(steps);
    }
    Ok(())
}

/// The most a variable can be.
pub fn most(d: &mut Duel, who: Seat, price: &Price, name: Word, frame: &Frame, cost: &Cost) -> i32 {
    let mut n = 0;
    while n < 60 {
        let mut symbols = price.filled(|v| if v == name { n + 1 } else { frame.slots.number(&v).unwrap_or(0) });
        symbols.push((Word("無色"), -(cost.freeze.len() as i32)));
        let mut slots = frame.slots.clone();
        slots.set(name, vec![Thing::Number(n + 1)]);
        let energy = pay::payable(d, who, &Cost { symbols, freeze: cost.freeze.clone(), ..Cost::default() });
        let enough = cost.parts.iter().all(|step| match step {
            Step::Choose(target) => {
                let own = Frame { slots: slots.clone(), ..frame.clone() };
                let (of, _) = d.candidates_of(&own, &target.of, false);
                target.count.as_ref().is_none_or(|v| d.number(&own.ctx(), v) <= of.len() as i32)
            }
            _ => true,
        });
        if !energy || !enough {
            break;
        }
        n += 1;
    }
    n
}

fn push(
    d: &mut Duel,
    kind: ItemKind,
    seat: Seat,
    card: Ref,
    ability: Option<Arc<Ability>>,
    frame: &Frame,
    from: Option<crate::kernel::ZoneId>,
) -> u32 {
    let id = d.aside().tick();
    let slots = frame.slots.clone();
    d.aside().pile().push(Item { id, kind, card: Some(card), ability, seat, slots, event: None, from, negated: false });
    d.tell(Told::Applied, |d| format!("{}をスタックに乗せる", d.card_name(card)));
    id
}

/// 4.7.2-5…-9, 4.7.3-3…-5: targets, division, the locked price, payment, and it has been played or the move begun.
fn finish(
    d: &mut Duel,
    who: Seat,
    item: u32,
    frame: &mut Frame,
    abilities: &[Arc<Ability>],
    cost: &Cost,
    played: Event,
) -> Flow<bool> {
    for ability in abilities {
        let mode = frame.slots.word("効果");
        let targets = match ability.modes.iter().find(|m| Some(m.name) == mode) {
            Some(mode) => mode.target.clone(),
            None => ability.target.clone(),
        };
        for target in &targets {
            if !d.under(dz!("4.7.2-5", Frame), |d| d.choose(frame, target, true))? {
                return Ok(false);
            }
            if target.divide.is_some() {
                d.trace.reach(dz!("4.7.2-6", Frame));
            }
        }
    }
    let moving = played.name == "移動";
    d.trace.reach(if moving { dz!("4.7.3-3", Frame) } else { dz!("4.7.2-7", Frame) });
    if !d.under(if moving { dz!("4.7.3-4", Frame) } else { dz!("4.7.2-8", Frame) }, |d| {
        if !pay::pay(d, who, cost)? {
            return Ok(false);
        }
        let saved = frame.cause;
        frame.cause = Cause { means: Means::Cost, ..saved };
        let parts = d.perform(frame, &cost.parts)?;
        frame.cause = saved;
        Ok(parts || cost.parts.is_empty() || only_variable(&cost.parts))
    })? {
        return Ok(false);
    }
    if let Some(item) = d.aside().pile().iter_mut().find(|i| i.id == item) {
        item.slots = frame.slots.clone();
    }
    d.step(if moving { dz!("4.7.3-5") } else { dz!("4.7.2-9") }, |d| d.happen(vec![played.seat(who)]))?;
    Ok(true)
}

/// 4.7.3: moving a unit.
fn move_unit(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    let card = m.card.expect("a unit is moved");
    let to = m.to.expect("a square is named");
    let mut frame = frame(who, Some(card), Slots::default());
    frame.slots.set(Word("移動元"), vec![Thing::Zone(d.t.obj(card.id).zone)]);
    frame.slots.set(Word("移動先"), vec![Thing::Zone(to)]);
    d.trace.reach(dz!("4.7.3-1", Limit));
    let mut cost = d.under(dz!("4.7.3-2", Frame), |d| costs(d, who, m, &mut frame))?.unwrap_or_default();
    keywords::advance(d, who, card, &mut frame, &mut cost)?;
    if let Some(bases) = keywords::choose_raid(d, who, card, &cost)? {
        cost.freeze.extend(bases);
        // 5.16.3: additional costs are paid all the same.
        let more = d
            .seen(card)
            .keyword("進撃")
            .filter(|_| frame.slots.number("進撃") == Some(1))
            .and_then(|k| k.price.first().cloned());
        cost.symbols = match more {
            Some(price) if d.applies(dz!("5.16.3", Limit), |_| "追加コストは急襲では支払えない".into()) => {
                price.filled(|_| 0)
            }
            _ => Vec::new(),
        };
    }
    let item = push(d, ItemKind::Act(Word("移動")), who, card, None, &frame, None);
    finish(d, who, item, &mut frame, &[], &cost, Event::about(Word("移動"), card))
}

/// 3.8.2-3, 3.8.2-4: creating and renewing the plan zone are activated abilities of the rules.
fn plan(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    if !pay::pay(d, who, &Cost::colourless(1))? {
        return Ok(false);
    }
    let id = d.aside().tick();
    d.aside().pile().push(Item {
        id,
        kind: ItemKind::Act(m.verb),
        card: None,
        ability: None,
        seat: who,
        slots: Slots::default(),
        event: None,
        from: None,
        negated: false,
    });
    d.happen(vec![Event::signal(Word("起動")).seat(who)])?;
    Ok(true)
}
