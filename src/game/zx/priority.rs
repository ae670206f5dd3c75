//! 701 priority, 702 its pre-processing, 808 triggered abilities.

use std::sync::Arc;

use super::moves::VERBS;
use super::schema::{BEGUN, CHECKED, PROCESSED};
use super::{checks, play, text};
use crate::card::{Ability, Kind, Word};
use crate::kernel::{Asks, Cite, Ctx, Duel, Event, Flow, Move, Pending, Question, Ref, Seat, Slots, Thing, Use, User};

/// 702.2: rule effects until none is due, then one triggered ability; again until there is none.
pub fn preprocess(d: &mut Duel) -> Flow {
    d.under(zx!("702.2", Frame), |d| {
        let mut chosen = Vec::new();
        for round in 0.. {
            d.goes_round()?;
            goes_on_by_choice(d, round, &mut chosen)?;
            d.step(zx!("702.2a"), rule_effects)?;
            states(d);
            if d.t.context().pending.is_empty() || !d.on(zx!("702.2b")) {
                d.settle();
                break;
            }
            d.under(zx!("702.2b"), one_trigger)?;
        }
        d.mark_moment(PROCESSED, d.t.clock as i32);
        Ok(())
    })
}

/// 1201.1a, 1201.1b: the same position comes again and again because somebody chooses so. Both speak of who has priority,
/// which nobody has here.
fn goes_on_by_choice(d: &mut Duel, round: usize, chosen: &mut Vec<u64>) -> Flow {
    if round < MANY {
        return Ok(());
    }
    let here = d.position();
    chosen.push(here);
    if chosen.iter().filter(|then| **then == here).count() < MANY {
        return Ok(());
    }
    d.undecided(
        "優先権前処理の間に、任意の選択で同じ状態が繰り返されるとき、誰がいつ止めるか",
        &["zx:1201.1a", "zx:1201.1b", "zx:1201.1c"],
    )
}

/// How many rounds are chosen before we look, and how often the position must come again.
const MANY: usize = 12;

fn rule_effects(d: &mut Duel) -> Flow {
    d.mark_moment(BEGUN, d.t.facts[CHECKED]);
    if !d.is_settled() {
        text::known(d)?;
    }
    while !d.is_settled() {
        let due = checks::due(d)?;
        if due.is_empty() {
            break;
        }
        let before = d.position();
        checks::carry_out(d, due)?;
        d.spend()?;
        if d.position() == before && d.reading(zx!("C40", Reading), "a") == "b" {
            return d.book.endless(d);
        }
        if d.position() == before {
            return d.undecided(
                "「できない」ために行えないルールエフェクトが、処理すべきものとして残るかどうか",
                &["zx:702.2a", "zx:102.6", "zx:901.2a"],
            );
        }
    }
    d.mark_moment(CHECKED, d.t.clock as i32);
    Ok(())
}

/// 808.2, 808.2a: the turn player picks one of all that wait, and its controller plays it.
fn one_trigger(d: &mut Duel) -> Flow {
    let mut waiting = d.t.context().pending.clone();
    if waiting.iter().any(|p| d.is_used_up(p.source, p.seat, &p.ability)) && play::takes_off_spent(d) {
        waiting.retain(|p| !d.is_used_up(p.source, p.seat, &p.ability));
        *d.aside().pending() = waiting.clone();
        if waiting.is_empty() {
            return Ok(());
        }
    }
    let same = waiting.iter().all(|p| p.source == waiting[0].source && p.ability == waiting[0].ability);
    let at = if waiting.len() == 1 {
        0
    } else {
        let cite = zx!("808.2a", Order);
        let chooser = if d.applies(cite, |_| "ターンプレイヤーが誘発状態の能力から1つを選ぶ".into())
        {
            d.t.active
        } else {
            d.t.active.other()
        };
        let asks = Asks::Choose { of: waiting.iter().map(|p| Thing::Card(p.source)).collect(), min: 1, max: 1 };
        let mut question = Question::new(chooser, Word("誘発"), asks).citing(cite);
        question.minor = same;
        d.ask(question)?[0] as usize
    };
    let pending = waiting.swap_remove(at);
    let play = |d: &mut Duel| d.under(zx!("808.2", Frame), |d| play::triggered(d, &pending));
    // Reading C38: what looks at the position waits no more when it is played, or only when it has resolved.
    if !pending.ability.when.is_empty() || d.reading(zx!("C38", Reading), "a") == "b" {
        d.aside().pending().remove(at);
        states(d);
        return play(d);
    }
    let done = play(d);
    let same = |p: &Pending| p.source == pending.source && p.ability == pending.ability;
    if let Some(at) = d.t.context().pending.iter().position(same) {
        d.aside().pending().remove(at);
    }
    done
}

/// 808.5, 808.5a: abilities that look at the position wait from the moment it is so, once at a time.
pub fn states(d: &mut Duel) {
    if d.given.holders.states.is_empty() && d.look().gained.is_empty() {
        return;
    }
    let view = d.look();
    let given = d.given;
    let mut found = Vec::new();
    for &id in view.among(&given.holders.states).iter() {
        let seen = &view.cards[id.0 as usize];
        let (zone, face_up, source) = (d.t.obj(id).zone, d.t.obj(id).face_up, d.t.now(id));
        for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Triggered && a.when.is_empty()) {
            let waits = d.t.context().pending.iter().any(|p| p.source == source && p.ability == *ability);
            let Some(cond) = ability.cond.as_ref().filter(|_| !waits) else { continue };
            if !d.works(seen, zone, face_up, ability) || is_spent(d, source, seen.controller, ability) {
                continue;
            }
            let slots = Slots::default();
            let ctx = Ctx { this: Some(source), seat: seen.controller, slots: &slots, event: None };
            if d.see(|eyes| eyes.holds(&ctx, cond)) {
                let event = Arc::new(Event::signal(Word("状態")));
                found.push(Pending { ability: ability.clone(), source, seat: seen.controller, event, slots });
            }
        }
    }
    if !found.is_empty() && d.applies(zx!("808.5", Meaning), |_| "条件が満たされているので誘発状態になる".into())
    {
        d.aside().pending().extend(found);
    }
}

/// 803.1f: it has been played as often as it may be in this turn.
fn is_spent(d: &mut Duel, source: Ref, seat: Seat, ability: &Ability) -> bool {
    let cite = zx!("803.1f", Limit);
    d.is_used_up(source, seat, ability) && {
        d.trace.reach(cite);
        d.on(cite)
    }
}

/// 701.2, 701.3: pre-processing, then the player acts or passes. Whether they acted.
pub fn act(d: &mut Duel, who: Seat, cite: &'static Cite) -> Flow<bool> {
    d.step(zx!("701.2"), preprocess)?;
    d.give_priority(Some(who));
    let done = choose(d, who, cite)?;
    d.give_priority(None);
    Ok(done)
}

/// Asks for one of the acts that are legal now and carries it out. False: the player passes.
pub fn choose(d: &mut Duel, who: Seat, cite: &'static Cite) -> Flow<bool> {
    let question = Question::new(who, Word("行動"), Asks::Act(d.offers(VERBS, who))).citing(cite);
    let answer = d.put(&question)?;
    let Asks::Act(moves) = &question.asks else { unreachable!("acts were offered") };
    let chosen = moves[answer[0] as usize];
    if chosen.is_pass() {
        return Ok(false);
    }
    let here = d.position();
    d.give_priority(None);
    if d.carry_out(VERBS, who, &chosen)? {
        d.acts.push((here, who, chosen, true));
    }
    Ok(true)
}

/// 1201.1b: the player did this before in exactly this position, which has come again.
pub fn repeats(d: &mut Duel, who: Seat, m: &Move) -> bool {
    // Who names no ability means the first.
    let act = |a: &Move| {
        (a.verb, a.card, a.to, a.way) == (m.verb, m.card, m.to, m.way)
            && (m.ability.is_none() || a.ability == m.ability)
    };
    let same = |a: &&(u64, Seat, Move, bool)| a.1 == who && act(&a.2);
    d.acts.iter().any(|a| same(&a)) && {
        let here = d.position();
        d.acts.iter().filter(same).any(|a| a.0 == here)
    }
}

/// 507.3, 605.2: the moment comes; again while abilities are there that it has not triggered yet (507.5, 605.4).
pub fn moment(d: &mut Duel, event: &Event, then: &'static Cite, again: &'static Cite) -> Flow {
    loop {
        d.happen(vec![event.clone()])?;
        d.step(then, preprocess)?;
        if !would_trigger(d, event)? || !d.applies(again, |_| format!("「{}」に戻る", event.name)) {
            return Ok(());
        }
    }
}

/// The end of a turn or of a battle begins anew; where nothing has changed since it last did, it never ends.
pub fn goes_on(d: &mut Duel, before: &mut Option<u64>) -> Flow {
    let here = d.position();
    if before.replace(here) == Some(here) {
        return d.endless("終わりの処理が同じ状態で繰り返される", &["zx:1201.1c"]);
    }
    Ok(())
}

/// The moment would trigger something now.
pub fn would_trigger(d: &mut Duel, event: &Event) -> Flow<bool> {
    if !d.is_heard(event) {
        return Ok(false);
    }
    let waiting = d.t.context().pending.len();
    d.undone(|d| {
        d.happen(vec![event.clone()])?;
        Ok(d.t.context().pending.len() > waiting)
    })
}

/// 507.3: 「ターン終了時」 triggers an ability once a turn, 605.2: 「バトル終了時」 once a battle.
pub fn trigger_again(d: &mut Duel, source: Ref, ability: &Ability, event: &Event) -> bool {
    let (cite, lasts) = match event.name.as_str() {
        "ターン終了時" => (zx!("507.3", Limit), crate::kernel::limit::TURN),
        "バトル終了時" => (zx!("605.2", Limit), BATTLE),
        _ => return true,
    };
    // Abilities that effects made come but once anyway (808.4a).
    if ability.id == 0 {
        return true;
    }
    let this = Use { user: User::Card(source), what: ability.id, act: event.name, lasts };
    if d.uses(&this) > 0 && d.applies(cite, |_| "もう誘発した能力は再び誘発しない".into()) {
        return false;
    }
    d.note_use(this);
    true
}

const BATTLE: Word = Word("バトル");

/// 605.2: with the battle its once ends.
pub fn forget_battle(d: &mut Duel) {
    d.forget_uses(BATTLE);
}
