//! 311, 700: priority and the waiting zone; 801.4, 912: automatic abilities.

use std::sync::Arc;

use super::places::named;
use super::play::{choose_first, push};
use super::text::would;
use super::{checks, deferred, loops, moves, resolve, say, text};
use crate::card::{Ability, Amount, Cond, Kind, Value, Word};
use crate::kernel::{Asks, Ctx, Duel, Event, Flow, ItemKind, Pending, Question, Ref, Seat, Slots, Thing, Use, User};

/// 702, 704: players act and pass until both pass in succession and nothing waits.
pub fn window(d: &mut Duel) -> Flow {
    d.trace.reach(nova!("704.1", Frame));
    d.under(nova!("702.1", Frame), |d| {
        let first = d.t.active;
        let mut who = if say(d, [nova!("701.1.1", Order)]) { first } else { first.other() };
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
            if passes < 2 {
                if say(d, [nova!("704.1.2", Order)]) {
                    who = who.other();
                }
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
            d.under(nova!("704.1.3", Order), |d| {
                let last = say(d, [nova!("311.5", Order)]) && d.on(nova!("704.1.3", Order));
                resolve::next(d, last)
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
        checks::late(d)?;
        text::keep_open(d, &[]);
        deferred::draw(d)?;
        states(d)?;
        gone_off(d)?;
        if place(d)? {
            d.trace.reach(nova!("702.2.2", Frame));
            continue;
        }
        if d.t.context().pile.is_empty()
            && checks::any_destroyed(d)
            && d.reading(nova!("C25", Reading), "a") == "a"
            && say(d, [nova!("907.1.1", Order)])
        {
            checks::bury(d)?;
            continue;
        }
        return Ok(());
    }
}

/// 914.1: an ability goes off as its condition is met, and what looks at that goes off too.
fn gone_off(d: &mut Duel) -> Flow {
    let mut at = 0;
    while let Some((source, seat)) = d.t.context().pending.get(at).map(|p| (p.source, p.seat)) {
        d.spend()?;
        d.under(nova!("914.1", Frame), |d| d.happen(vec![Event::about(Word("発動"), source).seat(seat)]))?;
        at += 1;
    }
    Ok(())
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
        d.cites(nova!("311.3", Order), |_| "ターンプレイヤーが置かれる順番を決める".into());
        let chooser = if d.on(nova!("311.3", Order)) { first } else { second };
        let all = std::mem::take(d.aside().pending());
        in_order(d, chooser, all)?;
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
        let own = say(d, [nova!("912.3.1", Order)]);
        let chooser = if own { chooser } else { chooser.other() };
        let mut question = Question::new(chooser, Word("順番"), Asks::Order(things)).citing(nova!("912.3.1", Order));
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
    if !say(d, [nova!("801.4.3.2")]) || !survives(d, pending) {
        return Ok(());
    }
    let mut frame = super::play::frame(pending.seat, pending.source);
    frame.slots = pending.slots.clone();
    frame.event = Some(pending.event.clone());
    // Reading C6: the delayed ability of a source that has changed sides.
    let source = pending.source;
    let delayed = pending.ability.id == 0 && d.t.is_now(source) && d.t.obj(source.id).controller != pending.seat;
    if delayed && d.reading(nova!("C6", Reading), "a") == "b" {
        return d.undecided("遅延誘発式能力の発生源をコントロールしていた時点", &["nova:912.3.5"]);
    }
    if pending.ability.optional
        && !d.on(nova!("801.4.7", Order))
        && !d.yes(pending.seat, Word("発動"), Some(pending.source))?
    {
        return Ok(());
    }
    // 310.7: a card face down is shown while its ability goes off.
    let obj = d.t.obj(source.id);
    if d.t.is_now(source) && !obj.face_up && named(obj.zone, "エナジーゾーン") {
        if !say(d, [nova!("310.7", Limit)]) {
            return Ok(());
        }
        d.aside().reveal(source.id, true);
    }
    if !choose_first(d, &mut frame, &pending.ability)?
        && d.applies(nova!("801.4.3.5", Limit), |d| {
            format!("{}の能力はプレイできないので取り除かれる", d.card_name(pending.source))
        })
    {
        return Ok(());
    }
    let whose = if pending.ability.id == 0 {
        [nova!("801.4.9.5", Frame), nova!("912.3.5", Frame)]
    } else {
        [nova!("801.4.6.4", Frame), nova!("912.3.4", Frame)]
    };
    for cite in whose.into_iter().chain([nova!("801.4.3", Frame), nova!("801.4.3.4", Frame)]) {
        d.trace.reach(cite);
    }
    if pending.event.is_move() {
        d.trace.reach(nova!("801.4.4", Frame));
    }
    let event = Some(pending.event.clone());
    push(d, ItemKind::Ability, pending.seat, pending.source, Some(pending.ability.clone()), frame.slots, event, None);
    Ok(())
}

/// 803.1.6, 803.1.7, 803.1.8: what has triggered is played although its card has gone, or has lost it, or it is invalid.
fn survives(d: &mut Duel, pending: &Pending) -> bool {
    if pending.ability.id == 0 {
        return true;
    }
    if !d.t.is_now(pending.source) {
        return say(d, [nova!("803.1.7", Meaning)]);
    }
    let seen = d.seen(pending.source);
    if seen.muted {
        return say(d, [nova!("803.1.6", Meaning)]);
    }
    let there = seen.abilities.iter().any(|a| a.id == pending.ability.id);
    there || say(d, [nova!("803.1.8", Meaning)])
}

/// 801.4.6: abilities that look at the position trigger the moment it is so, once until they have left the waiting zone.
pub fn states(d: &mut Duel) -> Flow {
    let view = d.look();
    let mut found: Vec<Pending> = Vec::new();
    let given = d.given;
    for &id in view.among(&given.holders.states).iter() {
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
            if d.see(|eyes| eyes.holds(&ctx, cond)) && may_go_off(d, source, seen.controller) {
                let event = Arc::new(Event::signal(Word("状況")));
                let pending = Pending { ability: ability.clone(), source, seat: seen.controller, event, slots };
                if !moves_nothing(d, &pending) {
                    found.push(pending);
                }
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

/// 914.2: what does not go off does not, although its condition is met.
pub fn may_go_off(d: &mut Duel, source: Ref, seat: Seat) -> bool {
    let event = would(Word("発動"), Some(source), seat);
    !d.forbidden(&event)
        || !d.applies(nova!("914.2", Meaning), |d| format!("{}の能力は発動しない", d.card_name(source)))
}

/// 703: asks for an act and carries it out. False: the player passes (703.1.3).
pub fn act(d: &mut Duel, who: Seat) -> Flow<bool> {
    let mut moves = d.offers(moves::VERBS, who);
    // The position matters only where a loop is possible, and takes time to make out.
    let looks = d.may_go_round();
    let here = if looks { d.position() } else { 0 };
    loops::repetition(d, who, here)?;
    if moves.len() == 1 || loops::agrees(d) {
        loops::grows(d, who, moves.len() == 1)?;
    } else {
        loops::gains(d, who)?;
    }
    moves.retain(|m| loops::may_go_on(d, who, m));
    d.leave_barred(who, here, &mut moves);
    let question = Question::new(who, Word("行動"), Asks::Act(moves.clone())).citing(nova!("703.1", Limit));
    d.trace.reach(nova!("703.1", Limit));
    let answer = d.put(&question)?;
    let chosen = moves[answer[0] as usize];
    loops::count(d, who, &chosen);
    d.acts.push((here, who, chosen, moves.len() > 1));
    if chosen.is_pass() {
        d.trace.reach(nova!("703.1.3", Frame));
        return Ok(false);
    }
    d.carry_out(moves::VERBS, who, &chosen)?;
    Ok(true)
}

/// 801.4.6.1.1, reading C8: an ability that looks at how many cards there are triggers on every change after which it is
/// so; by the other readings only when there are more, or when it was not so before.
fn counts(d: &mut Duel, source: Ref, ability: &Ability, event: &Event) -> bool {
    let Some(
        Cond::AtLeast(Value::Made(amount), least)
        | Cond::AtMost(Value::Made(amount), least)
        | Cond::Equal(Value::Made(amount), least),
    ) = &ability.cond
    else {
        return true;
    };
    let (Amount::Count(filter), false) = (&**amount, ability.when.is_empty()) else { return true };
    // What moves at once is one change of the number.
    let at_once = |p: &Pending| p.source == source && p.ability.id == ability.id && p.event.stamp == event.stamp;
    if event.is_move() && event.stamp > 0 && d.t.context().pending.iter().any(at_once) {
        d.trace.reach(nova!("801.4.6.1.1", Meaning));
        return false;
    }
    let reading = d.reading(nova!("C8", Reading), "a").to_string();
    if reading == "a" && say(d, [nova!("801.4.6.1.1", Meaning)]) {
        return true;
    }
    let slots = Slots::default();
    let ctx = Ctx { this: Some(source), seat: d.glance(source).controller, slots: &slots, event: None };
    let there = d.see(|eyes| eyes.select(&ctx, filter));
    let newest = d.t.ids().map(|id| d.t.obj(id).since).max().unwrap_or(0);
    let came = there.iter().filter(|r| d.t.obj(r.id).since == newest).count() as i32;
    let least = d.number(&ctx, least);
    if reading == "b" { came > 0 } else { there.len() as i32 - came < least }
}

/// 802.1.3.6: what it would move would stay where it is.
fn moves_nothing(d: &mut Duel, pending: &Pending) -> bool {
    let Pending { ability, source, seat, event, slots } = pending;
    ability.kind == Kind::Triggered
        && moves::stays(d, *seat, *source, Some(event), slots, ability)
        && d.applies(nova!("802.1.3.6", Limit), |_| "移動先が今ある領域と同じになるので誘発しない".into())
}

/// 407.2.1, 407.3.1, reading C27: at the end of a turn an ability of a card triggers once.
pub fn trigger_again(d: &mut Duel, pending: &Pending) -> bool {
    let (source, ability, event) = (pending.source, &pending.ability, &pending.event);
    if !counts(d, source, ability, event) || moves_nothing(d, pending) {
        return false;
    }
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
