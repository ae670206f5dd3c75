//! 3.3.17, 4.1.28: who may act, and when the turn goes on.

use super::schema::{CUT, SUMMONED_AT};
use super::{chain, moves, text};
use crate::card::{Change, Filter, Word};
use crate::kernel::{Asks, Context, Ctx, Duel, Flow, Move, Question, Seat, Told};

/// How the turn player leaves a phase or step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    End,
    Battle,
}

/// What a player does now.
fn ask(d: &mut Duel, who: Seat) -> Flow<Move> {
    d.give_priority(Some(who));
    let mut moves = d.offers(moves::VERBS, who);
    let mut cite = ygo!("3.3.17.1", Frame);
    if owes_an_attack(d, &moves)? {
        moves.retain(|m| !m.is_pass());
        cite = ygo!("3.3.8.1", Limit);
    }
    let question = Question::new(who, Word("行動"), Asks::Act(moves)).citing(cite);
    let answer = d.put(&question)?;
    let Asks::Act(moves) = &question.asks else { unreachable!("an act was asked for") };
    Ok(moves[answer[0] as usize])
}

/// 3.3.8.1: among what can be done is an attack that a text says must be made while it can be.
fn owes_an_attack(d: &mut Duel, moves: &[Move]) -> Flow<bool> {
    let view = d.look();
    for rule in &view.rules {
        let Change::Oblige(pattern) = &rule.change else { continue };
        if pattern.event != "攻撃宣言" {
            return d.unwritten("攻撃宣言のほかに、しなければならないことのある効果", &["ygo:3.3.8.1"]);
        }
        let ctx = Ctx { this: rule.source, seat: rule.seat, slots: &rule.slots, event: None };
        let bound = |d: &mut Duel, m: &Move| {
            let (Some(card), "攻撃") = (m.card, m.verb.as_str()) else { return false };
            let whose = d.seen(card).controller;
            let meant = |filter: &Filter| d.see(|eyes| eyes.matches(&ctx, filter, card));
            let fits = pattern.card.as_ref().is_none_or(meant);
            fits && pattern.who.is_none_or(|word| d.see(|eyes| eyes.seat(&ctx, word)) == Some(whose))
        };
        if moves.iter().any(|m| bound(d, m)) && d.on(ygo!("3.3.8.1", Limit)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A player may activate something: on the chain there is, or as the first of a new one. False: they do not.
pub fn respond(d: &mut Duel, who: Seat) -> Flow<bool> {
    let chosen = ask(d, who)?;
    if chosen.is_pass() {
        return Ok(false);
    }
    d.carry_out(moves::VERBS, who, &chosen)?;
    Ok(true)
}

/// A player may begin a chain, which is then built and resolved.
pub fn begin(d: &mut Duel, who: Seat) -> Flow<bool> {
    let chosen = respond(d, who)?;
    if chosen && !d.t.context().pile.is_empty() {
        chain::run(d, who)?;
        settled(d);
    }
    Ok(chosen)
}

/// 3.3.17.1, 3.3.17.3: quick effects only, the turn player first, until both let it go on in succession.
pub fn window(d: &mut Duel) -> Flow {
    loop {
        if chain::triggers(d)? {
            settled(d);
            continue;
        }
        let mut first = d.t.active;
        if !d.on(ygo!("3.3.17.1", Order)) {
            first = first.other();
        }
        d.trace.reach(ygo!("3.3.17.1", Order));
        // 3.3.17.3: who gives priority up hands it over.
        if begin(d, first)? || d.on(ygo!("3.3.17.3")) && d.under(ygo!("3.3.17.3"), |d| begin(d, first.other()))? {
            continue;
        }
        close_moment(d);
        d.give_priority(None);
        return Ok(());
    }
}

/// The turn player acts freely: main phases and the battle step. Declaring the end hands priority over (3.3.17.4);
/// after a chain or a summon both may use quick effects before the next act (4.1.28.2, reading C29).
pub fn open(d: &mut Duel) -> Flow<Leave> {
    let mut fresh = false;
    loop {
        if chain::triggers(d)? {
            settled(d);
            fresh = true;
            continue;
        }
        // 3.3.8.1: a text has ended the battle phase.
        if d.t.facts[CUT] == super::battle::PHASE {
            close_moment(d);
            d.give_priority(None);
            return Ok(Leave::End);
        }
        let who = d.t.active;
        let chosen = ask(d, who)?;
        let leaves = chosen.is_pass() || chosen.verb == "バトルフェイズ";
        if leaves || fresh && !moves::is_quick(d, &chosen) {
            let cite = if leaves { ygo!("3.3.17.4") } else { ygo!("4.1.28.2") };
            let asked = d.on(cite) && (leaves || could(d, who.other()));
            if asked && d.under(cite, |d| begin(d, who.other()))? {
                if let Some(card) = chosen.card {
                    d.tell_under(Told::NotApplied, cite, |d| {
                        let act = format!("{}の{}", d.card_name(card), chosen.verb);
                        format!("{act}の前に相手がカードを使ったので、{act}はまだ行われていない")
                    });
                }
                fresh = true;
                continue;
            }
            close_moment(d);
            d.give_priority(Some(who));
        }
        if leaves {
            if chosen.is_pass() && std::mem::take(&mut fresh) {
                continue;
            }
            d.give_priority(None);
            return Ok(if chosen.is_pass() { Leave::End } else { Leave::Battle });
        }
        if !moves::is_quick(d, &chosen) {
            close_moment(d);
        }
        fresh = act(d, who, &chosen)?;
    }
}

/// The player has something to answer with: nobody is stopped in the middle of an act for nothing.
pub fn could(d: &mut Duel, who: Seat) -> bool {
    d.give_priority(Some(who));
    d.offers(moves::VERBS, who).len() > 1
}

/// Carries out an act; whether both may answer it before the next.
fn act(d: &mut Duel, who: Seat, chosen: &Move) -> Flow<bool> {
    d.carry_out(moves::VERBS, who, chosen)?;
    match chosen.verb.as_str() {
        "発動" => {
            if !d.t.context().pile.is_empty() {
                chain::run(d, who)?;
                settled(d);
            }
            Ok(true)
        }
        "召喚" | "反転召喚" | "特殊召喚" | "リンク召喚" | "エクシーズ召喚" | "シンクロ召喚" | "ペンデュラム召喚" =>
        {
            let answered = d.reading(ygo!("C29", Reading), "a") != "b";
            moment(d);
            Ok(answered)
        }
        _ => Ok(false),
    }
}

/// Opens a time of its own inside the step that is open, and closes it again. What waits goes along.
pub fn within<T>(d: &mut Duel, step: Word, run: impl FnOnce(&mut Duel) -> Flow<T>) -> Flow<T> {
    enter(d, step);
    let result = run(d)?;
    leave(d);
    Ok(result)
}

fn enter(d: &mut Duel, step: Word) {
    let pending = std::mem::take(d.aside().pending());
    d.open(Context { step, pending, ..Context::default() });
}

fn leave(d: &mut Duel) {
    d.close();
}

/// After a chain: where a summon was the last thing that it did, it is the moment of that summon.
fn settled(d: &mut Duel) {
    close_moment(d);
    let summoned = chain::summoned(&d.t, chain::last_stamp(&d.t)).next().is_some();
    if summoned && !in_step(d, &super::negation::TIME) {
        moment(d);
    }
}

/// The moment of a summon lasts until something else is done.
fn moment(d: &mut Duel) {
    close_moment(d);
    let last = chain::last_stamp(&d.t) as i32;
    *d.aside().fact(SUMMONED_AT) = last;
    enter(d, Word("召喚時"));
}

fn close_moment(d: &mut Duel) {
    if d.t.context().step == "召喚時" {
        leave(d);
    }
}

/// The step that is going on; the moment of a summon is none of its own.
pub fn step(d: &Duel) -> Word {
    d.t.contexts.iter().rev().map(|c| c.step).find(|step| *step != "召喚時").unwrap_or_default()
}

/// The step that is open innermost has this name.
pub fn in_step(d: &Duel, step: &str) -> bool {
    d.t.contexts.iter().any(|c| c.step == step)
}

/// 2.7.4.1: the speed of what lies on top of the chain.
pub fn top_speed(d: &mut Duel) -> Option<u8> {
    let item = d.t.context().pile.last()?.clone();
    let seen = d.seen(item.card?);
    Some(match &item.ability {
        Some(ability) => text::effect_speed(d, &seen, ability),
        None => text::card_speed(d, &seen),
    })
}
