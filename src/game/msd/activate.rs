//! 903.2 activating cards and abilities, in the order of the document; 1105 瞬動, 1114 ステップアップ.

use std::sync::Arc;

use super::odo::{self, FREE, Need};
use super::schema::{CHARGE, COST, ON_ACTIVATION, OWN_COST, RECOVERED, at, schema};
use super::zones::{CHASE, Own, all_entities, entities, stock, zone};
use super::{demands, piles, priority};
use crate::card::{APART, Ability, Change, Datum, Filter, Kind, Pool, Price, Quantity, Step, Target, Value, Word};
use crate::kernel::steps::Frame;
use crate::kernel::view::Data;
use crate::kernel::{
    Asks, Cause, Cite, Duel, Event, Flow, Item, ItemKind, Means, Move, Ongoing, Pending, Question, Ref, Seat, Seen,
    Sight, Slots, Thing, Told, What, ZoneId,
};

/// How a card is paid for.
#[derive(Clone, Copy)]
pub enum Way<'a> {
    Usual,
    /// 903.2g-ii.
    Free,
    /// 1103.3b: another price instead.
    Instead(&'a Price),
}

/// It was activated, or the clause by which it could not be.
type Completed = Result<(), &'static Cite>;

/// Activates; what cannot be completed is taken back (reading C22).
pub fn play(d: &mut Duel, who: Seat, m: &Move) -> Flow {
    let Some(chosen) = m.card else { return Ok(()) };
    completed(d, m.verb, chosen, |d| match m.verb.as_str() {
        "発動" => d.under(msd!("903.2", Frame), |d| card(d, who, chosen, Way::Usual)),
        _ => d.under(msd!("905.2b", Frame), |d| ability(d, who, chosen, m.ability.unwrap_or(0))),
    })
    .map(|_| ())
}

fn completed(d: &mut Duel, verb: Word, card: Ref, run: impl FnOnce(&mut Duel) -> Flow<Completed>) -> Flow<bool> {
    let saved = d.t.clone();
    let Err(cite) = run(d)? else { return Ok(true) };
    if d.reading(msd!("C22", Reading), "a") == "b" {
        return d.unwritten("発動だけを取り消し、済んだ行動を残すこと", &["msd:903.2h"]);
    }
    let what = format!("{}の{verb}", d.card_name(card));
    let why = match cite.clause {
        "903.2e" => "適正な対象を選べない",
        "1105.3" => "チェイスゾーンに移す時に瞬動を持っていない",
        _ => "必要な行動を実行できない",
    };
    d.give_up(saved, what, cite, why)?;
    Ok(false)
}

/// 1103.2b, 1103.3b: without its cost, or for another one, in the middle of whatever goes on.
pub fn for_nothing(d: &mut Duel, who: Seat, chosen: Ref, price: Option<&Price>) -> Flow<bool> {
    if let Err(cite) = could_for(d, who, chosen, price) {
        d.tell_under(Told::NotApplied, cite, |d| format!("{}は発動できない", d.card_name(chosen)));
        return Ok(false);
    }
    let way = price.map_or(Way::Free, Way::Instead);
    completed(d, Word("発動"), chosen, |d| d.under(msd!("903.2", Frame), |d| card(d, who, chosen, way)))
}

/// It could be activated in that way now, or the clause by which not.
pub fn could_for(d: &mut Duel, who: Seat, card: Ref, price: Option<&Price>) -> Completed {
    let way = price.map_or(Way::Free, Way::Instead);
    let slots = Slots::default();
    if d.forbidden(&super::text::would(Word("発動"), Some(card), who)) {
        return Err(msd!("104.4", Limit));
    }
    if super::text::no_chase(d, card, who) {
        return Err(msd!("1005.2", Limit));
    }
    if !targets_exist(d, who, card, &slots) {
        return Err(msd!("903.2e", Limit));
    }
    let mut ways = vec![None];
    let rest = step_up_cards(d, who, card);
    ways.extend((!rest.is_empty()).then(|| Some(total_cost(d, &rest))));
    let payable = |rested| {
        let need = need_of(d, card, way, &slots, rested);
        odo::could_pay(d, who, &need)
    };
    if !ways.into_iter().any(payable) {
        return Err(msd!("1002.4", Limit));
    }
    if could_pay_texts(d, who, card) { Ok(()) } else { Err(msd!("903.2h", Limit)) }
}

/// The texts of a 詠唱.
pub fn texts(seen: &Seen) -> Vec<Arc<Ability>> {
    seen.abilities.iter().filter(|a| a.kind == Kind::Effect && a.keyword.is_none()).cloned().collect()
}

fn frame(seat: Seat, this: Ref, slots: Slots) -> Frame {
    let cause = Cause { means: Means::Effect, card: Some(this), seat: Some(seat) };
    Frame { this: Some(this), seat, slots, event: None, cause }
}

/// 903.2 for a card.
fn card(d: &mut Duel, who: Seat, card: Ref, way: Way) -> Flow<Completed> {
    let step_up = asks_step_up(d, who, card)?;
    let before = d.seen(card);
    let demands = demands::asked(d, ON_ACTIVATION, card);
    let lay = card;
    let from = d.t.obj(card.id).zone;
    // 1105.3: what let it be activated now must still be there.
    if matches!(way, Way::Usual) && !priority::main_timing(d, who) && !before.has("瞬動") {
        return Ok(Err(msd!("1105.3", Limit)));
    }
    let mut event = d.moving(card, CHASE).seat(who);
    event.what = What::Move { to: CHASE, bottom: false, state: 0, face_up: true, controller: None, host: None };
    if !d.on(msd!("903.2b")) {
        return Ok(Err(msd!("903.2b")));
    }
    let moved = d.under(msd!("903.2b"), |d| d.propose_one(event))?;
    let Some(card) = moved.first().and_then(|e| e.after) else { return Ok(Err(msd!("903.2b"))) };
    carry(d, &before, card);
    let mut frame = frame(who, card, Slots::default());
    if step_up {
        frame.slots.set(Word("ステップアップ"), vec![Thing::Number(1)]);
    }
    let id = push(d, ItemKind::Spell, &frame, None, Some(from));
    let abilities = texts(&d.seen(card));
    modes(d, &mut frame, &abilities)?;
    let most = step_up.then(|| {
        let all = step_up_cards(d, who, card);
        total_cost(d, &all)
    });
    variables(d, who, card, way, most, &mut frame)?;
    if !targets(d, &mut frame, &abilities)? {
        return Ok(Err(msd!("903.2e", Limit)));
    }
    let resting = if step_up { choose_resting(d, who, card, &mut frame)? } else { Vec::new() };
    let reduced = step_up.then(|| total_cost(d, &resting));
    let slots = frame.slots.clone();
    let need = d.under(msd!("903.2g", Frame), |d| lowered(d, who, card, way, &slots, reduced))?;
    // 903.2g-v: whatever happens while it is paid, it is made out once.
    let fixed = msd!("903.2g-v");
    d.trace.reach(fixed);
    let mut made_out = move |d: &mut Duel| {
        if d.on(fixed) {
            return need.clone();
        }
        need_of(d, card, way, &slots, reduced).lowered().pop().unwrap_or_default()
    };
    let paid = d.under(msd!("903.2h", Frame), |d| {
        if !resting.is_empty() {
            let cause = Cause { means: Means::Cost, ..frame.cause };
            d.turn(&resting, Word("レスト"), cause)?;
        }
        if !odo::pay_what(d, who, &mut made_out)? {
            return Ok(false);
        }
        let steps: Vec<Step> = abilities.iter().flat_map(|a| a.cost.clone()).collect();
        if !pay_steps(d, &mut frame, &steps)? {
            return Ok(false);
        }
        // 903.2g-iii: what other texts add to it.
        let more = msd!("903.2g-iii");
        if !demands.is_empty() {
            d.trace.reach(more);
        }
        Ok(!d.on(more) || demands::met(d, who, &demands, (lay, card))?)
    })?;
    if !paid {
        return Ok(Err(msd!("903.2h", Limit)));
    }
    finish(d, id, frame, Event::about(Word("発動"), card).seat(who)).map(Ok)
}

/// 905, 903.2 for an activated ability.
fn ability(d: &mut Duel, who: Seat, card: Ref, number: u8) -> Flow<Completed> {
    let Some(ability) = d.seen(card).abilities.get(number as usize).cloned() else {
        return Ok(Err(msd!("704.1", Frame)));
    };
    d.reach_clauses(&ability);
    if odo::is_odo(&ability) && d.on(msd!("907.3")) {
        d.trace.reach(msd!("704.2", Frame));
        return Ok(if odo::activate(d, who, card, &ability)? { Ok(()) } else { Err(msd!("903.2h", Limit)) });
    }
    if schema().spec(d.t.obj(card.id).zone).sight != Sight::All
        && d.applies(msd!("905.2a"), |d| format!("{}を公開する", d.card_name(card)))
    {
        d.aside().reveal(card.id, true);
    }
    let mut frame = frame(who, card, Slots::default());
    if !d.on(msd!("903.2b")) {
        return Ok(Err(msd!("903.2b")));
    }
    let id = d.under(msd!("903.2b"), |d| Ok(push(d, ItemKind::Ability, &frame, Some(ability.clone()), None)))?;
    let list = [ability.clone()];
    modes(d, &mut frame, &list)?;
    let price = ability.price.clone().unwrap_or_default();
    for name in price.variables() {
        choose_variable(d, who, name, &mut frame, |slots| {
            Need::of_symbols(&price.filled(|n| slots.number(&n).unwrap_or(0)))
        })?;
    }
    if !targets(d, &mut frame, &list)? {
        return Ok(Err(msd!("903.2e", Limit)));
    }
    let need = ability_need(d, card, &price, &frame.slots);
    let need = one_way(d, who, card, need)?;
    let paid =
        d.under(msd!("903.2h", Frame), |d| Ok(odo::pay(d, who, &need)? && pay_steps(d, &mut frame, &ability.cost)?))?;
    if !paid {
        return Ok(Err(msd!("903.2h", Limit)));
    }
    d.use_up(card, who, &ability);
    finish(d, id, frame, Event::about(Word("起動"), card).seat(who)).map(Ok)
}

/// 903.2g: the price of an ability, with what effects add to it or take off it.
pub fn ability_need(d: &mut Duel, card: Ref, price: &Price, slots: &Slots) -> Need {
    let mut symbols = price.filled(|n| slots.number(&n).unwrap_or(0));
    let mut changes = d.seen(card).price(at::ABILITY_COST).map(|p| p.filled(|_| 0)).unwrap_or_default();
    if let Some(at) = changes.iter().position(|(symbol, _)| *symbol == APART) {
        let content: Vec<(Word, i32)> = changes.drain(..=at).take(at).collect();
        if d.applies(msd!("903.2g-i"), |_| "能力を発動するための支払いが別の内容になる".into()) {
            symbols = content;
        }
    }
    for (cite, sign) in [(msd!("903.2g-iii"), 1), (msd!("903.2g-iv"), -1)] {
        let these: Vec<(Word, i32)> = changes.iter().filter(|(_, n)| n.signum() == sign).copied().collect();
        if !these.is_empty() && d.applies(cite, |_| "能力を発動するための支払いが変わる".into()) {
            symbols.extend(these);
        }
    }
    Need::of_symbols(&symbols)
}

/// 903.2h, 903.2h-i: in the order in which they are printed, all or none.
pub fn pay_steps(d: &mut Duel, frame: &mut Frame, steps: &[Step]) -> Flow<bool> {
    if steps.is_empty() {
        return Ok(true);
    }
    let means = std::mem::replace(&mut frame.cause.means, Means::Cost);
    let order = msd!("903.2h-i", Order);
    d.trace.reach(order);
    let reversed: Vec<Step>;
    let steps = match d.on(order) {
        true => steps,
        false => {
            reversed = steps.iter().rev().cloned().collect();
            &reversed
        }
    };
    let shown = |d: &Duel| d.t.ids().filter(|id| d.t.obj(*id).revealed).collect::<Vec<_>>();
    let before = shown(d);
    let done = perform_cost(d, frame, steps);
    frame.cause.means = means;
    // 1004.1: what is shown to activate something stays shown until that has been resolved.
    let now: Vec<Thing> =
        shown(d).into_iter().filter(|id| !before.contains(id)).map(|id| Thing::Card(d.t.now(id))).collect();
    if !now.is_empty() {
        frame.slots.set(SHOWN, now);
    }
    done
}

/// The slot with the cards that were shown to activate it.
pub const SHOWN: Word = Word("公開した札");

/// One after another; a choice among cards of a name that are then discarded is made by 1008.3.
fn perform_cost(d: &mut Duel, frame: &mut Frame, steps: &[Step]) -> Flow<bool> {
    let mut from = 0;
    for at in 0..steps.len() {
        let Some((target, names)) = discards_by_name(&steps[at..]) else { continue };
        if at > from && !d.perform(frame, &steps[from..at])? || !discard_named(d, frame, target, names)? {
            return Ok(false);
        }
        from = at + 2;
    }
    if from < steps.len() { d.perform(frame, &steps[from..]) } else { Ok(true) }
}

/// The steps begin with choosing cards of a name in play, and with discarding them.
fn discards_by_name(steps: &[Step]) -> Option<(&Target, &[Word])> {
    let [Step::Choose(target), discard, ..] = steps else { return None };
    let (what, how) = match discard {
        Step::Move { what: Some(what), how: Some(how), .. } => (what, how),
        Step::Act { name, who: None, what: Some(what), .. } => (what, name),
        _ => return None,
    };
    let Pool::Cards(filter) = &target.of else { return None };
    let in_play = filter.within.iter().all(|place| *place == "戦場" || *place == "ストック");
    let (name, of, within) = (filter.name.clone(), filter.of, filter.within.clone());
    let plain = *filter == Filter { name, of, within, ..Filter::default() };
    let fits = *what == target.slot
        && ["破棄", "破棄する"].contains(&how.as_str())
        && !filter.name.is_empty()
        && in_play
        && plain;
    fits.then_some((target, filter.name.as_slice()))
}

/// 1008.3: entities of the name and stock of one's own entities; 1008.3a: what lies face down by its front.
fn discard_named(d: &mut Duel, frame: &mut Frame, target: &Target, names: &[Word]) -> Flow<bool> {
    let (of, down) = called(d, frame.seat, names);
    let n = how_many(d, frame, target);
    let cite = if down { msd!("1008.3a", Meaning) } else { msd!("1008.3", Meaning) };
    d.trace.reach(cite);
    if of.len() < n {
        return Ok(false);
    }
    let question = Question::new(frame.seat, target.slot, Asks::Choose { of, min: n, max: n }).about(frame.this);
    // 1008.2: cards of the name that the opponent controls are there, but not to be discarded.
    let (theirs, _) = called(d, frame.seat.other(), names);
    let cite = if theirs.is_empty() { cite } else { msd!("1008.2", Limit) };
    let chosen = d.pick(question.citing(cite))?;
    let mut events = Vec::new();
    for thing in &chosen {
        let Thing::Card(card) = thing else { continue };
        let mut event = d.moving(*card, zone(Own::Graveyard, d.t.obj(card.id).owner)).by(frame.cause);
        event.how = Word("破棄");
        event.seat = Some(frame.seat);
        events.push(event);
    }
    frame.slots.set(target.slot, chosen);
    let done = d.propose(events)?;
    Ok(done.happened.len() >= n || done.replaced && d.book.counts_as_done(d, Means::Cost))
}

fn how_many(d: &mut Duel, frame: &Frame, target: &Target) -> usize {
    target.count.as_ref().map_or(1, |v| d.number(&frame.ctx(), v)).max(0) as usize
}

/// The player's entities and their stock that are called so, and whether one of them lies face down.
fn called(d: &mut Duel, seat: Seat, names: &[Word]) -> (Vec<Thing>, bool) {
    let (mut of, mut down) = (Vec::new(), false);
    for entity in all_entities(d, seat) {
        for card in std::iter::once(entity).chain(stock(d, entity.id)) {
            let front = !d.t.obj(card.id).face_up;
            let fits = match front {
                true => d.on(msd!("1008.3a", Meaning)) && names.iter().any(|n| piles::front_named(d, card, *n)),
                false => names.iter().any(|n| piles::named(&d.seen(card), *n)),
            };
            let beneath = d.t.obj(card.id).host.is_some();
            if fits && (!beneath || d.on(msd!("1008.3", Meaning))) {
                down |= front;
                of.push(Thing::Card(card));
            }
        }
    }
    (of, down)
}

fn finish(d: &mut Duel, id: u32, frame: Frame, event: Event) -> Flow {
    if let Some(item) = d.aside().pile().iter_mut().find(|i| i.id == id) {
        item.slots = frame.slots.clone();
    }
    d.happen(vec![event])
}

fn push(d: &mut Duel, kind: ItemKind, frame: &Frame, ability: Option<Arc<Ability>>, from: Option<ZoneId>) -> u32 {
    let id = d.aside().tick();
    let (card, seat, slots) = (frame.this, frame.seat, frame.slots.clone());
    let event = frame.event.clone();
    d.aside().pile().push(Item { id, kind, card, ability, seat, slots, event, from, negated: false });
    d.tell(Told::Applied, |d| format!("{}をチェイスゾーンに置く", card.map(|c| d.card_name(c)).unwrap_or_default()));
    id
}

/// 903.2b-i: what changed the card where it was goes on changing it in the chase zone.
fn carry(d: &mut Duel, before: &Arc<Seen>, card: Ref) {
    let now = d.seen(card);
    let mut changes: Vec<Change> = Vec::new();
    for (at, (name, _)) in schema().words.data.iter().enumerate() {
        let name = Word(name);
        match (&before.data[at], &now.data[at]) {
            (Data::Number(a), Data::Number(b)) if a != b => {
                changes.push(Change::Add(name, Value::Number(a.saturating_sub(*b))))
            }
            (Data::Words(a), Data::Words(b)) if a != b => changes.push(Change::Become(name, a.to_vec())),
            (Data::Price(a), Data::Price(b)) if a != b => changes.push(Change::Price(name, a.clone())),
            _ => {}
        }
    }
    let gained =
        before.abilities.iter().filter(|a| !now.abilities.iter().any(|b| b.id == a.id) && a.meant_by.is_none());
    let mut lost: Vec<&Arc<Ability>> = now
        .abilities
        .iter()
        .filter(|a| !before.abilities.iter().any(|b| b.id == a.id) && a.meant_by.is_none())
        .collect();
    if lost.len() == now.abilities.iter().filter(|a| a.meant_by.is_none()).count() && !lost.is_empty() {
        changes.push(Change::LoseText(true));
        lost.clear();
    }
    changes.extend(lost.iter().filter_map(|a| a.keyword.as_ref()).map(|k| Change::Lose(k.name)));
    changes.extend(gained.map(|a| Change::Gain(Box::new((**a).clone()))));
    if changes.is_empty()
        || !d.applies(msd!("903.2b-i", Meaning), |d| format!("{}への持続効果は続く", d.card_name(card)))
    {
        return;
    }
    hold(d, card, changes);
}

/// An effect that goes with the card as long as it stays where it is.
pub fn hold(d: &mut Duel, card: Ref, changes: Vec<Change>) {
    let seat = d.t.obj(card.id).owner;
    d.begin_effect(Ongoing::on(card, seat, changes));
}

/// 903.2c: which of several contents; the others are as if they were not there.
fn modes(d: &mut Duel, frame: &mut Frame, abilities: &[Arc<Ability>]) -> Flow {
    for ability in abilities.iter().filter(|a| !a.modes.is_empty()) {
        let of = ability.modes.iter().map(|m| Thing::Word(m.name)).collect();
        let n = ability.choose.map_or(1, usize::from);
        let question = Question::new(frame.seat, Word("効果"), Asks::Choose { of, min: n, max: n }).about(frame.this);
        let cite = msd!("903.2c");
        if d.on(cite) {
            let chosen = d.under(cite, |d| d.pick(question))?;
            frame.slots.set(Word("効果"), chosen);
        }
    }
    Ok(())
}

/// The targets and steps of an ability, with the modes that were chosen, in the order in which they are printed.
pub fn parts(ability: &Ability, slots: &Slots) -> (Vec<Target>, Vec<Step>) {
    let chosen = slots.get("効果").unwrap_or_default();
    let modes: Vec<_> = ability.modes.iter().filter(|m| chosen.contains(&Thing::Word(m.name))).collect();
    if modes.is_empty() {
        return (ability.target.clone(), ability.steps.clone());
    }
    let targets = modes.iter().flat_map(|m| m.target.clone()).collect();
    (targets, modes.iter().flat_map(|m| m.steps.clone()).collect())
}

/// 903.2d: variables of the cost. 903.2d-i: nothing where the cost is not paid or is another. 203.4: the cost in the
/// chase zone.
fn variables(d: &mut Duel, who: Seat, card: Ref, way: Way, rested: Option<i32>, frame: &mut Frame) -> Flow {
    let price = d.seen(card).price(at::CHARGE).cloned().unwrap_or_default();
    let printed = printed_charge(d, card);
    for name in printed.variables() {
        let unpaid = !matches!(way, Way::Usual) || !price.variables().contains(&name);
        if unpaid && d.applies(msd!("903.2d-i", Meaning), |_| format!("{name}は0になる")) {
            frame.slots.set(name, vec![Thing::Number(0)]);
            continue;
        }
        choose_variable_of_card(d, who, card, (way, rested), name, frame)?;
        if let Some(n) = frame.slots.number(&name)
            && d.applies(msd!("203.4", Meaning), |_| format!("チェイスゾーンではコストは{n}"))
        {
            hold(d, card, vec![Change::Set(Word(COST), Value::Number(n))]);
        }
    }
    Ok(())
}

fn choose_variable_of_card(
    d: &mut Duel,
    who: Seat,
    card: Ref,
    (way, rested): (Way, Option<i32>),
    name: Word,
    frame: &mut Frame,
) -> Flow {
    let mut max = 0;
    while max < 60 {
        let mut slots = frame.slots.clone();
        slots.set(name, vec![Thing::Number(max + 1)]);
        let need = need_of(d, card, way, &slots, rested);
        if matches!(way, Way::Usual) && !odo::could_pay(d, who, &need) {
            break;
        }
        max += 1;
    }
    ask_variable(d, who, name, max, frame)
}

fn choose_variable(d: &mut Duel, who: Seat, name: Word, frame: &mut Frame, need: impl Fn(&Slots) -> Need) -> Flow {
    let mut max = 0;
    while max < 60 {
        let mut slots = frame.slots.clone();
        slots.set(name, vec![Thing::Number(max + 1)]);
        if !odo::could_pay(d, who, &need(&slots)) {
            break;
        }
        max += 1;
    }
    ask_variable(d, who, name, max, frame)
}

/// 104.5: whole numbers from nothing on.
fn ask_variable(d: &mut Duel, who: Seat, name: Word, max: i32, frame: &mut Frame) -> Flow {
    let (whole, chooses) = (msd!("104.5", Limit), msd!("903.2d"));
    d.trace.reach(whole);
    let min = if d.on(whole) { 0 } else { -max };
    let question = Question::new(who, name, Asks::Number { min, max }).about(frame.this).citing(whole);
    let n = if d.on(chooses) { d.under(chooses, |d| d.ask(question))?[0] } else { 0 };
    frame.slots.set(name, vec![Thing::Number(n)]);
    Ok(())
}

/// 903.2e, 903.2f: targets, and which of them gets what.
fn targets(d: &mut Duel, frame: &mut Frame, abilities: &[Arc<Ability>]) -> Flow<bool> {
    for ability in abilities {
        for target in parts(ability, &frame.slots).0 {
            let mut target = target;
            if target.divide.is_some() && !d.applies(msd!("903.2f"), |_| "対象ごとの内容を決める".into()) {
                target.divide = None;
            }
            if !d.under(msd!("903.2e", Frame), |d| d.choose(frame, &target, true))? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// 903.2e: right targets can be chosen.
pub fn targets_exist(d: &mut Duel, who: Seat, card: Ref, slots: &Slots) -> bool {
    let abilities = texts(&d.seen(card));
    abilities.iter().all(|a| ability_has_targets(d, who, card, a, slots))
}

pub fn ability_has_targets(d: &mut Duel, who: Seat, card: Ref, ability: &Ability, slots: &Slots) -> bool {
    let frame = frame(who, card, slots.clone());
    if ability.modes.is_empty() {
        return can_choose(d, &frame, &ability.target);
    }
    let able = ability.modes.iter().filter(|m| can_choose(d, &frame, &m.target)).count();
    able >= ability.choose.map_or(1, usize::from)
}

fn can_choose(d: &mut Duel, frame: &Frame, targets: &[Target]) -> bool {
    let Some((target, rest)) = targets.split_first() else { return true };
    if matches!(target.of, crate::card::Pool::Numbers(..)) {
        return can_choose(d, frame, rest);
    }
    let (of, _) = d.candidates_of(frame, &target.of, true);
    let Some((min, _)) = d.how_many(frame, target, of.len(), true) else { return false };
    let with = |things: Vec<Thing>| {
        let mut frame = frame.clone();
        frame.slots.set(target.slot, things);
        frame
    };
    if min == 0 || rest.is_empty() {
        return rest.is_empty() || can_choose(d, &with(of), rest);
    }
    of.iter().any(|thing| can_choose(d, &with(vec![*thing]), rest))
}

fn printed_charge(d: &Duel, card: Ref) -> Price {
    match d.card(card).data.get(&Word(CHARGE)) {
        Some(Datum::Words(words)) => words.first().and_then(|w| Price::read(w)).unwrap_or_default(),
        _ => Price::default(),
    }
}

/// What is to be paid for a card before it is made out where reductions go (903.2g-iv).
pub fn need_of(d: &mut Duel, card: Ref, way: Way, slots: &Slots, rested: Option<i32>) -> Need {
    let seen = d.seen(card);
    let fill = |price: &Price| price.filled(|n| slots.number(&n).unwrap_or(0));
    let price = seen.price(at::CHARGE).cloned().unwrap_or_default();
    let symbols = fill(&price);
    let own = symbols.iter().find(|(symbol, _)| *symbol == OWN_COST).map(|(_, n)| *n);
    // The content, and what effects add to it or take off it.
    let at = symbols.iter().position(|(symbol, _)| *symbol == APART).unwrap_or(symbols.len());
    let (content, changes): (Vec<_>, Vec<_>) = match own {
        Some(_) => symbols.iter().copied().partition(|(symbol, _)| *symbol == OWN_COST),
        None => (symbols[..at].to_vec(), symbols[at..].to_vec()),
    };
    let more = changes.iter().filter(|(s, n)| *s == FREE && *n > 0).map(|(_, n)| *n).sum::<i32>();
    // What is taken off a symbol of an attribute is taken off the whole.
    let less = changes.iter().map(|(_, n)| *n).filter(|n| *n < 0).sum::<i32>();
    let further: Vec<(Word, i32)> = changes.into_iter().filter(|(symbol, n)| *symbol != FREE && *n > 0).collect();
    // 903.2g-i, 903.2g-ii: the content is exchanged or taken away before anything is added to it.
    let instead = match way {
        Way::Free if d.applies(msd!("903.2g-ii"), |_| "コストのオドを支払う行動を取り除く".into()) => {
            Some(Vec::new())
        }
        Way::Instead(price) if d.applies(msd!("903.2g-i"), |_| "コストの代わりに支払う".into()) => {
            Some(fill(price))
        }
        _ => None,
    };
    let more = if more > 0 && d.applies(msd!("903.2g-iii"), |_| format!("発動のための支払いが{more}増える"))
    {
        more
    } else {
        0
    };
    let less = if less < 0
        && d.applies(msd!("903.2g-iv"), |_| format!("発動のための支払いが{}減る", less.unsigned_abs()))
    {
        less
    } else {
        0
    };
    let added = |mut symbols: Vec<(Word, i32)>, rested: i32| {
        symbols.push((FREE, more));
        symbols.push((FREE, less.saturating_sub(rested)));
        symbols.extend(further.iter().copied());
        Need::of_symbols(&symbols)
    };
    if let Some(symbols) = instead {
        // 1114.2: what was rested takes something off whatever is left to pay.
        let rests = msd!("1114.2", Meaning);
        let off = rested.filter(|n| *n > 0 && d.applies(rests, |_| format!("ステップアップで{n}減らす")));
        return added(symbols, off.unwrap_or(0));
    }
    let exchanged = own.is_none() && content != fill(&printed_charge(d, card));
    let stands = !exchanged || d.applies(msd!("903.2g-i"), |_| "支払う内容が変わる".into());
    if own.is_none() && stands && content.iter().any(|(symbol, _)| *symbol != FREE) {
        return added(content, rested.unwrap_or(0));
    }
    let variable = price.0.iter().any(|(_, q)| matches!(q, Quantity::Variable(_)));
    let cost = match own {
        None if stands => content.iter().map(|(_, n)| *n).sum(),
        Some(n) if variable => n,
        _ => seen.number(at::COST).unwrap_or(0).max(0),
    };
    let attributes = seen.words(at::ATTRIBUTE).to_vec();
    // 903.2g-iv: where there are several parts, the payer says which of them is lowered.
    let parts = !further.is_empty();
    let full = cost.saturating_add(more);
    let mut total = full.saturating_add(if parts { 0 } else { less });
    if let Some(rested) = rested {
        d.trace.reach(msd!("1114.2", Meaning));
        if rested >= cost && d.on(msd!("1114.2", Meaning)) {
            return added(Vec::new(), 0);
        }
        total = total.saturating_sub(rested);
    }
    let least = (attributes.len() as i32).min(full);
    if total < full
        && total < least
        && d.applies(msd!("903.2g-iv-a", Limit), |_| format!("コストは属性の数{least}より小さくならない"))
    {
        total = least;
    }
    let total = total.max(0) as usize;
    let cites = [msd!("1002.3", Limit), msd!("203.2", Limit)];
    if !attributes.is_empty() && total > 0 {
        cites.iter().for_each(|cite| d.trace.reach(cite));
    }
    let cover = if total > 0 && cites.iter().all(|cite| d.on(cite)) { attributes } else { Vec::new() };
    let joint = match seen.keyword("共同戦線").map(|k| k.words.clone()).filter(|_| d.on(msd!("1108.2", Meaning))) {
        Some(words) => {
            d.trace.reach(msd!("1108.2", Meaning));
            words
        }
        None => Vec::new(),
    };
    if parts {
        let floor = if d.on(msd!("903.2g-iv-a", Limit)) { least.max(0) as usize } else { 0 };
        let beside = Need::of_symbols(&further);
        let unwritten = beside.unwritten;
        let symbols = beside.symbols;
        return Need {
            total: total + symbols.len(),
            cover,
            joint,
            symbols,
            less: -less as usize,
            floor,
            unwritten,
            ..Need::default()
        };
    }
    Need { total, cover, joint, ..Need::default() }
}

/// 903.2g, 903.2g-iv: of several parts the payer says which is lowered.
fn lowered(d: &mut Duel, who: Seat, card: Ref, way: Way, slots: &Slots, rested: Option<i32>) -> Flow<Need> {
    let need = need_of(d, card, way, slots, rested);
    one_way(d, who, card, need)
}

fn one_way(d: &mut Duel, who: Seat, card: Ref, need: Need) -> Flow<Need> {
    let mut ways = need.lowered();
    if ways.len() < 2 {
        return Ok(ways.pop().unwrap_or_default());
    }
    let of = ways.iter().map(|need| Thing::Word(need.label())).collect();
    let question = Question::new(who, Word("減らした支払い"), Asks::Choose { of, min: 1, max: 1 }).about(Some(card));
    let at = d.ask(question.citing(msd!("903.2g-iv")))?[0];
    Ok(ways.swap_remove(at as usize))
}

/// The steps of a cost can be carried out in some way.
pub fn could_pay_steps(d: &mut Duel, seat: Seat, card: Ref, ability: &Ability, slots: &Slots) -> bool {
    if ability.cost.is_empty() {
        return true;
    }
    let cause = Cause { means: Means::Cost, card: Some(card), seat: Some(seat) };
    let frame = Frame { this: Some(card), seat, slots: slots.clone(), event: None, cause };
    // Where too few of the name are there, nothing need be tried to know.
    if d.only_lists()
        && let Some((target, names)) = discards_by_name(&ability.cost)
        && called(d, seat, names).0.len() < how_many(d, &frame, target)
    {
        return false;
    }
    // What stops the trial stops the act itself, where it can be told.
    d.could_pay(&frame, &ability.cost, |d, frame| perform_cost(d, frame, &ability.cost))
}

/// 903.2b: what a card's texts ask for is done when the card is in the chase zone already.
pub fn could_pay_texts(d: &mut Duel, who: Seat, card: Ref) -> bool {
    let steps: Vec<Step> = texts(&d.seen(card)).iter().flat_map(|a| a.cost.clone()).collect();
    let demands = demands::asked(d, ON_ACTIVATION, card);
    if steps.is_empty() && demands.is_empty() {
        return true;
    }
    let more = msd!("903.2g-iii");
    if !demands.is_empty() {
        d.trace.reach(more);
    }
    let demands = if d.on(more) { demands } else { Vec::new() };
    let cause = Cause { means: Means::Cost, card: Some(card), seat: Some(who) };
    let frame = Frame { this: Some(card), seat: who, slots: Slots::default(), event: None, cause };
    d.could_come(|d| {
        let mut frame = frame.clone();
        let mut event = d.moving(card, CHASE).seat(who);
        event.what = What::Move { to: CHASE, bottom: false, state: 0, face_up: true, controller: None, host: None };
        let Some(now) = d.propose_one(event)?.first().and_then(|e| e.after) else { return Ok(false) };
        frame.this = Some(now);
        Ok(perform_cost(d, &mut frame, &steps)? && demands::met(d, who, &demands, (card, now))?)
    })
}

/// 1114.2: recovered 怪異 of the race that the player controls.
pub fn step_up_cards(d: &mut Duel, who: Seat, card: Ref) -> Vec<Ref> {
    let Some(races) = d.seen(card).keyword("ステップアップ").map(|k| k.words.clone()) else { return Vec::new() };
    if !d.on(msd!("1114.2", Meaning)) {
        return Vec::new();
    }
    let own = entities(d, who, "怪異");
    let fits = |c: &Ref, d: &mut Duel| {
        d.t.obj(c.id).state == RECOVERED && d.seen(*c).words(at::RACE).iter().any(|r| races.contains(r))
    };
    own.into_iter().filter(|c| fits(c, d)).collect()
}

pub fn total_cost(d: &mut Duel, cards: &[Ref]) -> i32 {
    cards.iter().map(|c| d.seen(*c).number(at::COST).unwrap_or(0).max(0)).sum()
}

/// 903.2a.
fn asks_step_up(d: &mut Duel, who: Seat, card: Ref) -> Flow<bool> {
    if step_up_cards(d, who, card).is_empty() {
        return Ok(false);
    }
    let cite = msd!("903.2a");
    if !d.on(cite) {
        return Ok(false);
    }
    d.under(cite, |d| d.yes(who, Word("ステップアップ"), Some(card)))
}

/// 1114.2a: at least one.
fn choose_resting(d: &mut Duel, who: Seat, card: Ref, frame: &mut Frame) -> Flow<Vec<Ref>> {
    let of: Vec<Thing> = step_up_cards(d, who, card).into_iter().map(Thing::Card).collect();
    let max = of.len();
    d.trace.reach(msd!("1114.2a", Frame));
    let question = Question::new(who, Word("レストする怪異"), Asks::Choose { of, min: 1, max }).about(frame.this);
    let chosen = d.pick(question.citing(msd!("1114.2", Meaning)))?;
    Ok(chosen.into_iter().filter_map(|t| if let Thing::Card(r) = t { Some(r) } else { None }).collect())
}

/// 1109.2: one of the card's 参戦 once more.
pub fn again(d: &mut Duel, cards: &[Ref], seat: Seat) -> Flow<bool> {
    let Some(card) = cards.first().copied() else { return Ok(false) };
    let own: Vec<Arc<Ability>> =
        d.seen(card).abilities.iter().filter(|a| a.meant_by.is_some_and(|k| k == "参戦")).cloned().collect();
    let at = match own.len() {
        0 => return Ok(false),
        1 => 0,
        n => d.ask(Question::new(seat, Word("参戦"), Asks::Number { min: 1, max: n as i32 }).about(Some(card)))?[0] - 1,
    };
    let event = Arc::new(Event::about(Word("戦場に出る"), card));
    let pending = Pending { ability: own[at as usize].clone(), source: card, seat, event, slots: Slots::default() };
    put(d, &pending)
}

/// 603.3, 906.4: a triggered ability is activated, if it can be.
pub fn put(d: &mut Duel, pending: &Pending) -> Flow<bool> {
    let cause = Cause { means: Means::Effect, card: Some(pending.source), seat: Some(pending.seat) };
    let mut frame = Frame {
        this: Some(pending.source),
        seat: pending.seat,
        slots: pending.slots.clone(),
        event: Some(pending.event.clone()),
        cause,
    };
    let ability = pending.ability.clone();
    if ability.price.is_some() || !ability.cost.is_empty() {
        return d.unwritten("誘発能力の発動のための支払い", &["msd:903.2g"]);
    }
    let saved = d.t.clone();
    // 907.1, 907.3, reading C13: what only makes odo is resolved at once.
    if odo::is_odo(&ability) && pending.event.name == "オド能力" {
        if d.reading(msd!("C13", Reading), "a") == "b" {
            return d.unwritten("誘発したその時にオド能力を解決すること", &["msd:907.1"]);
        }
        return d.under(msd!("907.3"), |d| d.perform(&mut frame, &ability.steps));
    }
    let list = [ability.clone()];
    let id = push(d, ItemKind::Ability, &frame, Some(ability), None);
    modes(d, &mut frame, &list)?;
    if !targets(d, &mut frame, &list)? {
        d.tell(Told::NotApplied, |_| "適正な対象がないので発動しない".into());
        d.take_back(saved);
        return Ok(false);
    }
    finish(d, id, frame, Event::about(Word("誘発能力の発動"), pending.source).seat(pending.seat))?;
    Ok(true)
}
