//! 4.6 priority, 4.8 putting triggered abilities on the stack, 4.18 endless loops.

use std::sync::Arc;

use super::moves::VERBS;
use super::pay::{self, Cost};
use super::schema::ACTIVITY;
use super::{battle, checks, play, resolve, setup, text};
use crate::card::{Ability, Kind, Step, Word};
use crate::kernel::rounds::{Chosen, Leeway, MOST};
use crate::kernel::steps::Frame;
use crate::kernel::{
    Asks, CardId, Cause, Cite, Duel, Event, Flow, Gloss, Item, ItemKind, Means, Move, Pending, Question, Ref, Seat,
    Slots, Thing,
};

/// 4.6.2, 3.4.3, 2.23.9-3: players act and pass until both pass in succession and nothing is left to do.
/// `idle` is what comes when the stack is empty: it says whether it did something.
pub fn window(d: &mut Duel, mut idle: impl FnMut(&mut Duel) -> Flow<bool>) -> Flow {
    let mut who = d.t.active;
    let mut passes = 0;
    let mut settled = None;
    loop {
        let below = d.t.context().pile.len();
        // After a pass nothing has changed, so nothing new is due.
        if settled != Some(d.edits) || !d.t.context().pending.is_empty() {
            who = gain(d, who)?;
            settled = Some(d.edits);
        }
        // A pass before something was put on the stack is no pass on it.
        if d.t.context().pile.len() > below {
            passes = 0;
        }
        d.give_priority(Some(who));
        if act(d, who)? {
            passes = 0;
            // Not the one who acted: the active player.
            who = if d.on(dz!("4.6.2", Order)) { d.t.active } else { who };
            d.trace.reach(dz!("4.6.2", Order));
            continue;
        }
        passes += 1;
        if passes < 2 {
            who = who.other();
            continue;
        }
        passes = 0;
        who = d.t.active;
        d.give_priority(None);
        if !d.t.context().pile.is_empty() {
            d.under(dz!("4.9.1", Frame), resolve::top)?;
        } else if !idle(d)? {
            return Ok(());
        }
    }
}

/// 4.6.3: before a player has priority, rule effects, then battles, then triggered abilities, until nothing is left.
/// Who has it then (reading C1).
fn gain(d: &mut Duel, who: Seat) -> Flow<Seat> {
    let mut who = who;
    let mut again = false;
    loop {
        // Looking for loops takes time: the first round is none.
        if std::mem::replace(&mut again, true) {
            d.goes_round()?;
        }
        // 3.11.1-1, 4.16.4-3-1: every other rule effect comes before a battle.
        let battle_first = !(d.on(dz!("3.11.1-1", Order)) && d.on(dz!("4.16.4-3-1", Order)));
        if battle_first && !battle::due(d).is_empty() && battle::start(d)? {
            continue;
        }
        let due = d.trace.full && !battle::due(d).is_empty();
        if checks::rule_effects(d)? {
            if due {
                d.trace.reach(dz!("3.11.1-1", Order));
                d.trace.reach(dz!("4.16.4-3-1", Order));
                d.trace.reach(dz!("4.16.4-3-2", Frame));
            }
            continue;
        }
        let open = d.t.contexts.len();
        if battle::start(d)? {
            debug_assert_eq!(open, d.t.contexts.len());
            continue;
        }
        if states(d)? || stack_triggers(d, who)? {
            if who != d.t.active && d.reading(dz!("C1", Reading), "a") == "b" {
                who = d.t.active;
            }
            continue;
        }
        return Ok(who);
    }
}

/// 4.8.13: abilities that look at the position instead of an event.
fn states(d: &mut Duel) -> Flow<bool> {
    let view = d.look();
    let mut found = Vec::new();
    let given = d.given;
    for &id in view.among(&given.holders.states).iter() {
        let seen = &view.cards[id.0 as usize];
        if !seen.kinds.states {
            continue;
        }
        let (zone, face_up) = (d.t.obj(id).zone, d.t.obj(id).face_up);
        for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Triggered && a.when.is_empty()) {
            let Some(cond) = &ability.cond else { continue };
            let source = d.t.now(id);
            let same = |a: &Arc<crate::card::Ability>| Arc::ptr_eq(a, ability) || **a == **ability;
            let waits = d.t.contexts.iter().any(|c| {
                c.pending.iter().any(|p| p.source == source && same(&p.ability))
                    || c.pile.iter().any(|i| i.card == Some(source) && i.ability.as_ref().is_some_and(same))
            });
            if waits || !d.works(seen, zone, face_up, ability) {
                continue;
            }
            let slots = Slots::default();
            let ctx = crate::kernel::Ctx { this: Some(source), seat: seen.controller, slots: &slots, event: None };
            if d.see(|eyes| eyes.holds(&ctx, cond)) {
                found.push(Pending {
                    ability: ability.clone(),
                    source,
                    seat: seen.controller,
                    event: Arc::new(Event::signal(Word("状況"))),
                    slots: Slots::default(),
                });
            }
        }
    }
    if found.is_empty() || !d.applies(dz!("4.8.13", Meaning), |_| "状況を見て誘発する".into()) {
        return Ok(false);
    }
    d.aside().pending().extend(found);
    Ok(false)
}

/// 4.8.3: the active player's abilities first, each player's own in the order they choose.
fn stack_triggers(d: &mut Duel, gaining: Seat) -> Flow<bool> {
    if d.t.context().pending.is_empty() {
        return Ok(false);
    }
    let mut any = false;
    let (first, second) = (d.t.active, d.t.active.other());
    let both = |d: &Duel| Seat::BOTH.iter().all(|s| d.t.context().pending.iter().any(|p| p.seat == *s));
    let mut order = [first, second];
    if both(d) && !d.applies(dz!("4.8.3", Order), |_| "アクティブプレイヤーの能力から順にスタックに乗せる".into())
    {
        order.reverse();
    }
    for seat in order {
        let mine: Vec<Pending> = take(d, |p, d| p.seat == seat && !(from_hand(d, p) && seat != gaining));
        if mine.is_empty() {
            continue;
        }
        any = true;
        let things: Vec<Thing> = mine.iter().map(|p| Thing::Card(p.source)).collect();
        let same = mine.iter().all(|p| p.source == mine[0].source && p.ability == mine[0].ability);
        let order: Vec<i32> = if same {
            (0..mine.len() as i32).collect()
        } else {
            d.ask(Question::new(seat, Word("順番"), Asks::Order(things)).citing(dz!("4.8.3", Frame)))?
        };
        for at in order {
            put(d, &mine[at as usize])?;
        }
    }
    if any {
        *d.aside().fact(ACTIVITY) = 1;
    }
    Ok(any)
}

fn take(d: &mut Duel, wanted: impl Fn(&Pending, &Duel) -> bool) -> Vec<Pending> {
    let all = std::mem::take(d.aside().pending());
    let (mine, rest): (Vec<Pending>, Vec<Pending>) = all.into_iter().partition(|p| wanted(p, d));
    *d.aside().pending() = rest;
    mine
}

/// 4.8.12: the ability works from the hand and its card is shown.
pub fn is_shown(ability: &Ability) -> bool {
    ability.kind == Kind::Triggered && ability.from.iter().any(|z| *z == "手札")
}

fn from_hand(d: &Duel, pending: &Pending) -> bool {
    is_shown(&pending.ability) && d.t.obj(pending.source.id).owner == pending.seat
}

/// 4.8.4: choices when a triggered ability is put on the stack. Without a right target it is taken off again.
fn put(d: &mut Duel, pending: &Pending) -> Flow {
    let cause = Cause { means: Means::Effect, card: Some(pending.source), seat: Some(pending.seat) };
    let mut frame = Frame {
        this: Some(pending.source),
        seat: pending.seat,
        slots: pending.slots.clone(),
        event: Some(pending.event.clone()),
        cause,
    };
    if from_hand(d, pending) {
        if !shown_action(d, pending, &mut frame)? {
            return Ok(());
        }
    } else if pending.ability.optional && asks_action(&pending.ability) {
        // 4.8.5 asks at resolution whether to act; 4.8.4-5 has a cost paid now.
        return d.unwritten(
            "「してよい」誘発型能力のコスト（支払ってよいのなら、do の may に {act: {name: 無色を支払う}} などと書いてください）",
            &["dz:4.8.5", "dz:4.8.4-5"],
        );
    }
    let (chosen, cost) = d.under(dz!("4.8.4", Frame), |d| {
        let cost = cost_of(d, pending, &mut frame)?;
        if !play::late_mode(d, &mut frame, &pending.ability, false)? {
            return Ok((false, cost));
        }
        for target in resolve::parts(&pending.ability, &frame).0.to_vec().iter() {
            if !d.choose(&mut frame, target, true)? {
                return Ok((false, cost));
            }
        }
        Ok((true, cost))
    })?;
    if chosen && !pending.ability.target.is_empty() && !d.t.is_now(pending.source) {
        d.trace.reach(dz!("4.8.4-2", Limit));
    }
    if !chosen {
        d.gloss(Gloss::Impossible);
    }
    if !chosen
        && d.applies(dz!("4.8.4-2", Limit), |d| {
            format!("適正な対象がないので{}の能力はスタックから取り除かれる", d.card_name(pending.source))
        })
    {
        return Ok(());
    }
    if !pays(d, &mut frame, &cost)? {
        return Ok(());
    }
    text::note_resistance(d, pending.source, None, &mut frame.slots);
    let id = d.aside().tick();
    d.aside().pile().push(Item {
        id,
        kind: ItemKind::Ability,
        card: Some(pending.source),
        ability: Some(pending.ability.clone()),
        seat: pending.seat,
        slots: frame.slots,
        event: Some(pending.event.clone()),
        from: None,
        negated: false,
    });
    d.tell(crate::kernel::Told::Applied, |d| format!("{}の能力をスタックに乗せる", d.card_name(pending.source)));
    Ok(())
}

/// 4.8.4-1: what a triggered ability costs, with what may be paid besides and its variables chosen. The action of one
/// that works from the hand is no cost (4.8.12-1).
fn cost_of(d: &mut Duel, pending: &Pending, frame: &mut Frame) -> Flow<Cost> {
    let mut cost = Cost::default();
    if from_hand(d, pending) {
        return Ok(cost);
    }
    for step in pending.ability.cost.clone() {
        play::optional(d, pending.seat, frame, step, &mut cost.parts)?;
    }
    let Some(price) = &pending.ability.price else { return Ok(cost) };
    for name in price.variables() {
        let max = play::most(d, pending.seat, price, name, frame, &cost);
        let asks = Asks::Number { min: 0, max };
        let question = Question::new(pending.seat, name, asks).citing(dz!("4.8.4-1", Frame)).about(frame.this);
        d.trace.reach(dz!("4.8.4-1", Frame));
        let n = d.ask(question)?[0];
        frame.slots.set(name, vec![Thing::Number(n)]);
    }
    cost.symbols = price.filled(|name| frame.slots.number(&name).unwrap_or(0));
    Ok(cost)
}

/// 4.8.4-4, 4.8.4-5: the cost is fixed and all of it is paid at once. False: it cannot be paid.
fn pays(d: &mut Duel, frame: &mut Frame, cost: &Cost) -> Flow<bool> {
    let paid = dz!("4.8.4-5");
    if cost.symbols.is_empty() && cost.parts.is_empty() || !d.on(paid) {
        return Ok(true);
    }
    d.trace.reach(dz!("4.8.4-4", Frame));
    d.under(paid, |d| {
        if !d.possible(&cost.parts, &frame.slots, frame.this, frame.seat, None)? || !pay::pay(d, frame.seat, cost)? {
            return Ok(false);
        }
        let saved = frame.cause;
        frame.cause = Cause { means: Means::Cost, ..saved };
        let done = cost.parts.is_empty() || d.perform(frame, &cost.parts)?;
        frame.cause = saved;
        Ok(done)
    })
}

/// 4.8.12-1, -3, -4: the card is still in hand, and the action is taken now (reading C13).
fn shown_action(d: &mut Duel, pending: &Pending, frame: &mut Frame) -> Flow<bool> {
    let card = pending.source;
    let in_hand = d.t.is_now(card);
    if !in_hand && d.applies(dz!("4.8.12-3", Limit), |_| "公開したカードが手札にないのでスタックに置かれない".into())
    {
        return Ok(false);
    }
    if !asks_action(&pending.ability) {
        // Whether to act is said before the ability is there, not by what it does.
        if let Some(Step::May { .. }) = pending.ability.steps.first() {
            return d.unwritten(
                "手札のこのカードを見せて誘発する能力の「（行動）してよい」を do の may に書くこと（cost か price に書いてください）",
                &["dz:4.8.12-1"],
            );
        }
        d.trace.reach(dz!("4.8.12-1", Frame));
        return Ok(true);
    }
    if d.reading(dz!("C13", Reading), "a") == "b" {
        return Ok(true);
    }
    if !takes_action(d, &pending.ability, frame)?
        && d.applies(dz!("4.8.12-4", Limit), |_| "行動しなかったのでスタックに置かれず、カードは非公開に戻る".into())
    {
        d.aside().reveal(card.id, false);
        return Ok(false);
    }
    d.trace.reach(dz!("4.8.12-1", Frame));
    Ok(true)
}

/// 「（行動）してよい」: there is something to be done or paid.
pub fn asks_action(ability: &Ability) -> bool {
    !ability.cost.is_empty() || ability.price.as_ref().is_some_and(|price| !price.0.is_empty())
}

/// 4.8.12-1, -4: the owner of the shown card does what the ability asks, and pays, or does not.
pub fn takes_action(d: &mut Duel, ability: &Ability, frame: &mut Frame) -> Flow<bool> {
    let (steps, seat) = (ability.cost.clone(), frame.seat);
    let price = ability.price.clone().unwrap_or_default();
    let least = Cost { symbols: price.filled(|_| 0), ..Cost::default() };
    // What is done and what is paid must be possible together.
    let could = |d: &mut Duel| Ok(pay::pay(d, seat, &least)? && d.perform(&mut frame.clone(), &steps)?);
    if !pay::payable(d, seat, &least) || !d.try_out(could)? || !d.yes(seat, Word("行動"), frame.this)? {
        return Ok(false);
    }
    for name in price.variables() {
        let max = play::most(d, seat, &price, name, frame, &Cost::default());
        let question = Question::new(seat, name, Asks::Number { min: 0, max }).citing(dz!("4.8.12-1", Frame));
        let n = d.ask(question.about(frame.this))?[0];
        frame.slots.set(name, vec![Thing::Number(n)]);
    }
    let symbols = price.filled(|name| frame.slots.number(&name).unwrap_or(0));
    let paid = symbols.is_empty() || pay::pay(d, seat, &Cost { symbols, ..Cost::default() })?;
    Ok(paid && d.perform(frame, &steps)?)
}

/// 4.8.12, 4.8.12-2: the owner may show the card when the event happens; otherwise nothing triggers.
pub fn show_to_trigger(d: &mut Duel, card: Ref) -> Flow<bool> {
    let owner = d.t.obj(card.id).owner;
    let shown = d.yes(owner, Word("公開"), Some(card))?;
    if shown {
        d.trace.reach(dz!("4.8.12", Frame));
        d.aside().reveal(card.id, true);
    } else {
        d.trace.reach(dz!("4.8.12-2", Frame));
    }
    Ok(shown)
}

/// Asks for an act and carries it out. False: the player passes.
fn act(d: &mut Duel, who: Seat) -> Flow<bool> {
    let mut moves = d.offers(VERBS, who);
    let here = if d.may_go_round() { d.position() } else { 0 };
    repetition(d, who, here)?;
    d.leave_barred(who, here, &mut moves);
    if let Some((seat, owed)) = d.owed.take_if(|(seat, _)| *seat == who) {
        debug_assert_eq!(seat, who);
        if moves.contains(&owed) {
            moves = vec![owed];
        }
    }
    let question = Question::new(who, Word("行動"), Asks::Act(moves)).citing(dz!("4.6.2", Order));
    let answer = d.put(&question)?;
    let Asks::Act(moves) = &question.asks else { unreachable!("an act was asked for") };
    let chosen = moves[answer[0] as usize];
    d.note_act(here, who, chosen, moves.len() > 1);
    if chosen.is_pass() {
        return Ok(false);
    }
    d.carry_out(VERBS, who, &chosen)?;
    Ok(true)
}

/// 4.18: the same position with the same act chosen before. An act nobody can avoid makes a draw; one that is
/// chosen is repeated as often as is said, and then not again.
fn repetition(d: &mut Duel, who: Seat, here: u64) -> Flow {
    let Some(round) = d.round(who, here) else { return Ok(()) };
    let since = d.acts.len() - round.len();
    let choices: Vec<Chosen> = d.choices.iter().filter(|c| c.at > since).cloned().collect();
    let mut choosers: Vec<Seat> =
        Seat::BOTH.into_iter().filter(|s| round.iter().any(|a| a.1 == *s && a.3 && !a.2.is_pass())).collect();
    // Nobody acts, and what goes round does so because somebody says yes each time.
    let willing = choosers.is_empty();
    if willing {
        let offered = |s: &Seat| choices.iter().any(|c| c.seat == *s && c.leeway == Leeway::Offered);
        choosers = Seat::BOTH.into_iter().filter(offered).collect();
    }
    let barred = match choosers.as_slice() {
        // Whether another act or another choice would stop it is not made out.
        [] if round.iter().any(|a| a.3) => {
            return match d.acts.len() > PATIENT {
                true => d.unwritten("ほかの行動をすれば止まるかもしれないループ", &["dz:4.18.1", "dz:4.18.2"]),
                false => Ok(()),
            };
        }
        [] if choices.iter().any(|c| c.leeway != Leeway::Offered && !ORDERS.contains(&c.slot.as_str())) => {
            return d.unwritten("ほかのものを選べば止まるかもしれないループ", &["dz:4.18.1", "dz:4.18.2"]);
        }
        // Nobody does anything, and nobody could: it never ends.
        [] => {
            return d.under(dz!("4.18.1", Frame), |d| {
                d.trace.reach(dz!("3.3.6", Frame));
                setup::draw(d)
            });
        }
        [_] if !d.on(dz!("4.18.2", Frame)) => return Ok(()),
        [one] => {
            d.how_often(*one, MOST, dz!("4.18.2", Frame))?;
            *one
        }
        _ => {
            let active = d.t.active;
            let n = d.how_often(active, MOST, dz!("4.18.3", Frame))?;
            let m = d.how_often(active.other(), n, dz!("4.18.3", Frame))?;
            // The same number: the other acts last, so the active player must break off; fewer: the other must.
            let broken_off = if m == n { active } else { active.other() };
            // The loop ends with the act of the one who does not break it off, not with a pass.
            if who != broken_off && !willing {
                let act = round.iter().find(|a| a.0 == here && a.1 == who && !a.2.is_pass()).map(|a| a.2);
                d.owed = act.map(|act| (who, act));
            }
            broken_off
        }
    };
    d.bar(&round, |a| a.1 == barred && a.3);
    // Who says yes no more; of the other only that they did is kept: it tells the loop of two from the loop of one.
    let agreed = choices.iter().filter(|c| willing && c.leeway == Leeway::Offered);
    let places = |c: &Chosen| if c.seat == barred { vec![c.here] } else { Vec::new() };
    d.barred.extend(agreed.map(|c| (c.seat, agreement(c.card), places(c))));
    Ok(())
}

/// So many acts of a turn go by before what everybody lets go round is given up.
const PATIENT: usize = 100;

/// Questions by which nothing that goes round is stopped: in which order things are done.
const ORDERS: [&str; 5] = ["誘発能力", "順番", "置く順番", "置いた順", "払い方"];

/// What is barred of a player who said yes to a card: saying it again.
fn agreement(card: Option<CardId>) -> Move {
    Move { verb: Word("応じる"), card: card.map(|id| Ref { id, life: 0 }), ..Move::PASS }
}

/// 4.18.2, 4.18.3: the loop went round as often as was said, and the player does not say yes once more.
pub fn had_enough(d: &Duel, who: Seat, card: Option<Ref>) -> Option<&'static Cite> {
    let yes = agreement(card.map(|card| card.id));
    let here = d.barred.iter().any(|(seat, m, _)| *seat == who && *m == yes).then(|| d.shape())?;
    let again = d.barred.iter().any(|(seat, m, at)| *seat == who && *m == yes && at.contains(&here));
    let both = Seat::BOTH.iter().all(|seat| d.barred.iter().any(|(s, ..)| s == seat));
    again.then(|| if both { dz!("4.18.3", Limit) } else { dz!("4.18.2", Limit) })
}

/// The duel is over.
pub fn over(d: &mut Duel, outcome: crate::kernel::table::Outcome) -> Flow {
    d.over(outcome)
}
