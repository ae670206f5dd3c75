//! 311, 700: priority and the waiting zone; 801.4, 912: automatic abilities.

use std::sync::Arc;

use super::play::push;
use super::{checks, moves, resolve, setup};
use crate::card::{Ability, Kind, Word};
use crate::kernel::question::CONCEDE;
use crate::kernel::{Asks, Ctx, Duel, Event, Flow, ItemKind, Pending, Question, Ref, Seat, Slots, Thing, Use, User};

/// 702, 704: players act and pass until both pass in succession and nothing waits.
pub fn window(d: &mut Duel) -> Flow {
    d.under(nova!("702.1", Frame), |d| {
        let mut who = d.t.active;
        d.trace.reach(nova!("701.1.1", Frame));
        let mut passes = 0;
        loop {
            let below = d.t.context().pile.len();
            gain(d)?;
            if d.t.context().pile.len() > below {
                passes = 0;
            }
            d.give_priority(Some(who));
            let acted = act(d, who)?;
            d.give_priority(None);
            if acted {
                passes = 0;
                // 704.1.1: whoever acted goes on.
                if !d.on(nova!("704.1.1", Order)) {
                    who = who.other();
                }
                d.trace.reach(nova!("704.1.1", Order));
                continue;
            }
            passes += 1;
            who = who.other();
            if passes < 2 {
                d.trace.reach(nova!("704.1.2", Frame));
                continue;
            }
            passes = 0;
            who = d.t.active;
            if d.t.context().pile.is_empty() {
                // Reading C25: who is destroyed is buried now, and players may act on what that triggers.
                if checks::bury(d)? {
                    continue;
                }
                return Ok(());
            }
            d.under(nova!("704.1.3", Frame), |d| {
                d.trace.reach(nova!("311.5", Frame));
                resolve::top(d)
            })?;
        }
    })
}

/// 702.2: automatic abilities are put into the waiting zone until none is left; with nothing waiting, those who are
/// destroyed are buried first (907.1, reading C25).
fn gain(d: &mut Duel) -> Flow {
    let mut again = false;
    loop {
        if std::mem::replace(&mut again, true) {
            d.goes_round()?;
        }
        states(d)?;
        if place(d)? {
            continue;
        }
        if d.t.context().pile.is_empty() && checks::any_destroyed(d) && d.reading(nova!("C25", Reading), "a") == "a" {
            checks::bury(d)?;
            continue;
        }
        return Ok(());
    }
}

/// 801.4.3.3, 912.3, 912.3.1, reading C5: the turn player's own first, each in the order they choose.
fn place(d: &mut Duel) -> Flow<bool> {
    if d.t.context().pending.is_empty() {
        return Ok(false);
    }
    d.trace.reach(nova!("702.2.1", Frame));
    let (first, second) = (d.t.active, d.t.active.other());
    let both = Seat::BOTH.iter().all(|s| d.t.context().pending.iter().any(|p| p.seat == *s));
    if both && d.reading(nova!("C5", Reading), "a") == "b" {
        let all = std::mem::take(d.aside().pending());
        in_order(d, first, all)?;
        return Ok(true);
    }
    let mut order = [first, second];
    if both
        && !(d.on(nova!("912.3", Order))
            && d.applies(nova!("801.4.3.3", Order), |_| "ターンプレイヤーの自動能力から待機領域に置く".into()))
    {
        order.reverse();
    }
    if both {
        d.trace.reach(nova!("912.3", Order));
    }
    for seat in order {
        let all = std::mem::take(d.aside().pending());
        let (mine, rest): (Vec<Pending>, Vec<Pending>) = all.into_iter().partition(|p| p.seat == seat);
        *d.aside().pending() = rest;
        in_order(d, seat, mine)?;
    }
    Ok(true)
}

fn in_order(d: &mut Duel, chooser: Seat, mine: Vec<Pending>) -> Flow {
    if mine.is_empty() {
        return Ok(());
    }
    let things: Vec<Thing> = mine.iter().map(|p| Thing::Card(p.source)).collect();
    let same =
        mine.iter().all(|p| p.source == mine[0].source && p.ability == mine[0].ability && p.event == mine[0].event);
    let order: Vec<i32> = if same {
        (0..mine.len() as i32).collect()
    } else {
        d.trace.reach(nova!("912.3.1", Frame));
        let mut question = Question::new(chooser, Word("順番"), Asks::Order(things)).citing(nova!("912.3.1", Frame));
        // Nobody minds the order of one ability that triggered several times.
        question.minor = mine.iter().all(|p| p.source == mine[0].source && p.ability == mine[0].ability);
        d.ask(question)?
    };
    for at in order {
        put(d, &mine[at as usize])?;
    }
    Ok(())
}

/// 801.4.3.2, 801.4.3.5: an automatic ability is played; with a target that must be there and is not, it is taken off.
fn put(d: &mut Duel, pending: &Pending) -> Flow {
    d.trace.reach(nova!("801.4.3.2", Frame));
    let mut frame = super::play::frame(pending.seat, pending.source);
    frame.slots = pending.slots.clone();
    frame.event = Some(pending.event.clone());
    for target in &pending.ability.target {
        if !d.choose(&mut frame, target, true)?
            && d.applies(nova!("801.4.3.5", Limit), |d| {
                format!("{}の能力はプレイできないので取り除かれる", d.card_name(pending.source))
            })
        {
            return Ok(());
        }
    }
    let event = Some(pending.event.clone());
    push(d, ItemKind::Ability, pending.seat, pending.source, Some(pending.ability.clone()), frame.slots, event, None);
    Ok(())
}

/// 801.4.6: abilities that look at the position trigger the moment it is so, once until they have left the waiting zone.
pub fn states(d: &mut Duel) -> Flow {
    let view = d.look();
    let mut found: Vec<Pending> = Vec::new();
    let given = d.given;
    for &id in if view.gained { &given.holders.all } else { &given.holders.states } {
        let seen = &view.cards[id.0 as usize];
        if !seen.kinds.states {
            continue;
        }
        let (zone, face_up, source) = (d.t.obj(id).zone, d.t.obj(id).face_up, d.t.now(id));
        for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Triggered && a.when.is_empty()) {
            let Some(cond) = &ability.cond else { continue };
            let same = |a: &Arc<Ability>| a.id == ability.id && **a == **ability;
            let waits = d.t.contexts.iter().any(|c| {
                c.pending.iter().any(|p| p.source == source && same(&p.ability))
                    || c.pile.iter().any(|i| i.card == Some(source) && i.ability.as_ref().is_some_and(same))
            });
            if waits || !d.works(seen, zone, face_up, ability) || d.is_used_up(source, seen.controller, ability) {
                continue;
            }
            let slots = Slots::default();
            let ctx = Ctx { this: Some(source), seat: seen.controller, slots: &slots, event: None };
            if d.see(|eyes| eyes.holds(&ctx, cond)) {
                let event = Arc::new(Event::signal(Word("状況")));
                found.push(Pending { ability: ability.clone(), source, seat: seen.controller, event, slots });
            }
        }
    }
    if !found.is_empty() && d.applies(nova!("801.4.6", Meaning), |_| "状況が条件を満たしたので誘発する".into())
    {
        for p in &found {
            d.use_up(p.source, p.seat, &p.ability);
        }
        d.aside().pending().extend(found);
    }
    Ok(())
}

/// 703: asks for an act and carries it out. False: the player passes (703.1.3).
pub fn act(d: &mut Duel, who: Seat) -> Flow<bool> {
    let moves = moves::moves(d, who);
    let question = Question::new(who, Word("行動"), Asks::Act(moves.clone())).citing(nova!("703.1", Frame));
    let answer = d.put(&question)?;
    if answer == CONCEDE {
        return setup::concede(d, who).map(|()| true);
    }
    let chosen = moves[answer[0] as usize];
    if chosen.is_pass() {
        return Ok(false);
    }
    moves::carry_out(d, who, &chosen)?;
    Ok(true)
}

/// 407.2.1, 407.3.1, reading C27: at the end of a turn an ability of a card triggers once.
pub fn trigger_again(d: &mut Duel, source: Ref, ability: &Ability, event: &Event) -> bool {
    let cite = match event.name.as_str() {
        "エンドフェイズ開始時" => nova!("407.2.1", Limit),
        "ターン終了時" => nova!("407.3.1", Limit),
        _ => return true,
    };
    // Abilities that effects made come but once anyway (801.4.9.2).
    if ability.id == 0 {
        return true;
    }
    let each = d.reading(nova!("C27", Reading), "a") != "b";
    let what = if each { ability.id } else { 0 };
    let this = Use { user: User::Card(source), what, act: event.name, lasts: crate::kernel::limit::TURN };
    if d.uses(&this) > 0 && d.applies(cite, |_| "このターンはもう発動している".into()) {
        return false;
    }
    d.note_use(this);
    true
}

/// 924.1.3: a loop that nobody can stop is lost by whoever caused it; the document does not say who that is.
pub fn endless(d: &mut Duel) -> Flow {
    d.undecided("誰も止められないループを、どちらのプレイヤーが発生させたか", &["nova:924.1.3"])
}
