//! 600 priority, 603 and 906.3 one triggered ability at a time, 906.7 conditions that trigger.

use std::sync::Arc;

use super::moves::VERBS;
use super::{activate, checks, loops, resolve};
use crate::card::{Kind, Word};
use crate::kernel::{Asks, Ctx, Duel, Event, Flow, Move, Pending, Question, Seat, Slots, Thing};

/// 701.2: the turn player, in the main phase, with an empty chase zone.
pub fn main_timing(d: &Duel, who: Seat) -> bool {
    who == d.t.active && d.t.phase == "メインフェイズ" && d.t.context().pile.is_empty()
}

/// 602.1, 605: until both pass in succession with nothing left to resolve.
pub fn window(d: &mut Duel) -> Flow {
    let mut who = d.t.active;
    let mut passes = 0;
    loop {
        settle(d)?;
        d.give_priority(Some(who));
        if act(d, who)? {
            passes = 0;
            // 605.1a: who acted keeps it.
            if !d.applies(msd!("605.1a", Order), |_| "行動したプレイヤーが引き続き優先権を得る".into())
            {
                who = who.other();
            }
            continue;
        }
        passes += 1;
        if passes < 2 {
            if d.applies(msd!("605.1c"), |_| "対戦相手が優先権を得る".into()) {
                who = who.other();
            }
            continue;
        }
        passes = 0;
        d.give_priority(None);
        if d.t.context().pile.is_empty() {
            return Ok(());
        }
        if !d.on(msd!("605.1b")) {
            return Ok(());
        }
        d.under(msd!("605.1b"), resolve::top)?;
        who = d.t.active;
    }
}

/// 602.1a, 602.1b: rule processes until there are none, then one triggered ability, and again.
fn settle(d: &mut Duel) -> Flow {
    let mut again = false;
    loop {
        if std::mem::replace(&mut again, true) {
            d.goes_round()?;
        }
        let first = d.on(msd!("602.1a", Order));
        if first && checks::rules(d)? {
            d.trace.reach(msd!("602.1a", Order));
            continue;
        }
        states(d)?;
        if trigger(d)? {
            // 603.4: from the beginning again.
            if !d.on(msd!("603.4")) {
                return Ok(());
            }
            d.trace.reach(msd!("603.4"));
            continue;
        }
        if !first && checks::rules(d)? {
            continue;
        }
        return Ok(());
    }
}

/// A moment comes that texts wait for; it is the turn player's.
pub fn moment(d: &mut Duel, name: Word) -> Flow {
    let seat = d.t.active;
    d.happen(vec![Event::signal(name).seat(seat)])
}

/// Something is left to do: 507.5c, 805.3b.
pub fn something_due(d: &mut Duel) -> Flow<bool> {
    states(d)?;
    Ok(!d.t.context().pending.is_empty() || checks::due(d))
}

/// 603.2: the turn player picks one of theirs, else the other player one of theirs; 603.3: it is counted down whether
/// or not it could be activated.
fn trigger(d: &mut Duel) -> Flow<bool> {
    if d.t.context().pending.is_empty() {
        return Ok(false);
    }
    let active = d.t.active;
    let both = Seat::BOTH.iter().all(|s| d.t.context().pending.iter().any(|p| p.seat == *s));
    let mut first = active;
    if both && !d.applies(msd!("603.2", Order), |_| "ターンプレイヤーの誘発能力から選ぶ".into()) {
        first = active.other();
    }
    let has = |d: &Duel, s: Seat| d.t.context().pending.iter().any(|p| p.seat == s);
    let seat = if has(d, first) { first } else { first.other() };
    let places: Vec<usize> =
        (0..d.t.context().pending.len()).filter(|i| d.t.context().pending[*i].seat == seat).collect();
    let mine: Vec<Pending> = places.iter().map(|i| d.t.context().pending[*i].clone()).collect();
    let at = which(d, seat, &mine)?;
    d.aside().pending().remove(places[at]);
    d.step(msd!("603.3"), |d| activate::put(d, &mine[at]).map(|_| ()))?;
    Ok(true)
}

/// 603.2: the card whose ability it is, and which of its abilities where several have triggered.
fn which(d: &mut Duel, seat: Seat, mine: &[Pending]) -> Flow<usize> {
    let order = msd!("603.2", Order);
    let mut cards: Vec<Thing> = Vec::new();
    for p in mine {
        if !cards.contains(&Thing::Card(p.source)) {
            cards.push(Thing::Card(p.source));
        }
    }
    let card = match cards.len() {
        1 => cards[0],
        _ => {
            d.trace.reach(order);
            let asks = Asks::Choose { of: cards.clone(), min: 1, max: 1 };
            cards[d.ask(Question::new(seat, Word("誘発能力"), asks).citing(order))?[0] as usize]
        }
    };
    let mut own: Vec<usize> = Vec::new();
    for (at, p) in mine.iter().enumerate().filter(|(_, p)| Thing::Card(p.source) == card) {
        if !own.iter().any(|i| mine[*i].ability == p.ability) {
            own.push(at);
        }
    }
    if own.len() < 2 {
        return Ok(own[0]);
    }
    d.trace.reach(order);
    let asks = Asks::Number { min: 1, max: own.len() as i32 };
    let Thing::Card(source) = card else { return Ok(own[0]) };
    let n = d.ask(Question::new(seat, Word("誘発能力の番号"), asks).about(Some(source)).citing(order))?[0];
    Ok(own[n as usize - 1])
}

/// 906.7: abilities that look at the position, by reading C12 not while one of them waits or is in the chase zone.
fn states(d: &mut Duel) -> Flow {
    let view = d.look();
    let mut found = Vec::new();
    let given = d.given;
    for &id in view.among(&given.holders.states).iter() {
        let seen = &view.cards[id.0 as usize];
        if !seen.kinds.states || d.is_beneath(id) {
            continue;
        }
        let (zone, face_up, source) = (d.t.obj(id).zone, d.t.obj(id).face_up, d.t.now(id));
        for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Triggered && a.when.is_empty()) {
            let Some(cond) = &ability.cond else { continue };
            let waits = d.t.context().pending.iter().any(|p| p.source == source && p.ability.id == ability.id);
            let chased =
                d.t.context()
                    .pile
                    .iter()
                    .any(|i| i.card == Some(source) && i.ability.as_ref().is_some_and(|a| a.id == ability.id));
            if waits || !d.works(seen, zone, face_up, ability) {
                continue;
            }
            let slots = Slots::default();
            let ctx = Ctx { this: Some(source), seat: seen.controller, slots: &slots, event: None };
            if !d.see(|eyes| eyes.holds(&ctx, cond)) {
                continue;
            }
            match d.reading(msd!("C12", Reading), "b") {
                "b" if chased => continue,
                // Nothing is resolved between one activation and the next, so that the condition goes on being met.
                "a" if chased => return loops::endless(d),
                "c" => return d.unwritten("条件が一度満たされなくなるまで待つこと", &["msd:906.7a"]),
                _ => {}
            }
            let event = Arc::new(Event::signal(Word("状況")));
            found.push(Pending { ability: ability.clone(), source, seat: seen.controller, event, slots });
        }
    }
    if !found.is_empty() && d.applies(msd!("906.7", Meaning), |_| "条件が満たされているので誘発する".into())
    {
        d.aside().pending().extend(found);
    }
    Ok(())
}

/// Asks for an act and carries it out. False: the player passes.
fn act(d: &mut Duel, who: Seat) -> Flow<bool> {
    let mut moves = d.offers(VERBS, who);
    let matters = loops::matters(d, &moves);
    let here = loops::Here::of(d, moves.len() > 1, matters);
    loops::repetition(d, who, &here)?;
    if let Some(chosen) = loops::goes_round(d, who, &moves) {
        return if chosen.is_pass() { Ok(false) } else { d.carry_out(VERBS, who, &chosen).map(|_| true) };
    }
    moves.retain(|m| !loops::is_barred(d, who, m, &here));
    let others = moves.len() > 1;
    let matters = matters && loops::matters(d, &moves);
    if others && !d.on(msd!("708.1", Limit)) {
        moves.retain(|m| !m.is_pass());
    }
    let acts = msd!("602.1c");
    if !d.on(acts) {
        return Ok(false);
    }
    d.trace.reach(acts);
    let Some(chosen) = ask(d, who, moves, acts)? else { return Ok(false) };
    loops::left(d, who, &chosen);
    here.note(d, who, chosen, matters);
    if chosen.is_pass() {
        d.trace.reach(msd!("708.1", Limit));
        return Ok(false);
    }
    d.carry_out(VERBS, who, &chosen)?;
    Ok(true)
}

/// Puts the question for an act; conceding is always possible (103.4).
pub fn ask(d: &mut Duel, who: Seat, moves: Vec<Move>, cite: &'static crate::kernel::Cite) -> Flow<Option<Move>> {
    let question = Question::new(who, Word("行動"), Asks::Act(moves)).citing(cite);
    let answer = d.put(&question)?;
    let Asks::Act(moves) = &question.asks else { unreachable!("an act was asked for") };
    Ok(moves.get(answer[0] as usize).copied())
}
