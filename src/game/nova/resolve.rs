//! 804.3, 804.4, 902.13, 913: resolving what waits.

use std::sync::Arc;

use super::places::{has_kind, is_field, waiting, zone};
use super::play::{BEARER, chosen_early, onto_field};
use super::schema::schema;
use super::{deferred, evolve, moves, say, text};
use crate::card::{Ability, Change, Kind, Step, Value, Word};
use crate::kernel::steps::Frame;
use crate::kernel::{
    Asks, Cause, Duel, Event, Flow, Item, ItemKind, Means, Question, Ref, Seat, Sight, Thing, Told, What,
};

fn frame_of(item: &Item) -> Frame {
    let cause = Cause { means: Means::Effect, card: item.card, seat: Some(item.seat) };
    Frame { this: item.card, seat: item.seat, slots: item.slots.clone(), event: item.event.clone(), cause }
}

/// 704.1.3, 311.5: what was put last; without them, what was put first.
pub fn next(d: &mut Duel, last: bool) -> Flow {
    if !last && !d.t.context().pile.is_empty() {
        let item = d.aside().pile().remove(0);
        d.aside().pile().push(item);
    }
    top(d)
}

pub fn top(d: &mut Duel) -> Flow {
    let Some(item) = d.aside().pile().pop() else { return Ok(()) };
    d.trace.reach(nova!("804.3", Frame));
    d.tell(Told::Applied, |d| format!("{}を解決する", item.card.map(|c| d.card_name(c)).unwrap_or_default()));
    match item.kind {
        ItemKind::Spell => card(d, &item)?,
        _ => d.step(nova!("804.3.3"), |d| ability(d, &item))?,
    }
    deferred::draw(d)?;
    hide(d);
    text::opens_again(d);
    if d.t.context().pile.is_empty() {
        // 801.3.5.1.1: nothing waits any more.
        d.forget_uses(Word("待機領域"));
    }
    Ok(())
}

/// 910.1, 310.7: what was shown is hidden again.
pub fn hide(d: &mut Duel) {
    for id in d.t.ids() {
        if d.t.obj(id).revealed && say(d, [nova!("910.1", Meaning)]) {
            d.aside().reveal(id, false);
        }
    }
}

fn card(d: &mut Duel, item: &Item) -> Flow {
    let card = item.card.expect("a card is played");
    let seen = d.seen(card);
    if has_kind(&seen, "スペル") {
        return d.under(nova!("804.3.2", Frame), |d| spell(d, item, card));
    }
    d.step(nova!("804.3.1"), |d| {
        if seen.has("装備") && has_kind(&seen, "マジックアイテム") {
            return equip(d, item, card);
        }
        if has_kind(&seen, "キャラクター") {
            d.trace.reach(nova!("202.1", Limit));
        }
        let base = item.slots.cards(&evolve::BASE).first().copied();
        let base = match base {
            Some(base) if evolve::still_there(d, item.seat, base) => Some(base),
            Some(_) if !d.applies(nova!("1010.2.2", Meaning), |_| "重ならずに場に置かれる".into()) => {
                return to_graveyard(d, card);
            }
            Some(_) => None,
            None => {
                if seen.has("進化") {
                    d.trace.reach(nova!("1010.3.1", Frame));
                }
                None
            }
        };
        let event = onto_field(d, card, item.seat, None);
        // 802.1.2.1.6: from the moment it comes it is what it is with the card below it.
        let base = match base {
            Some(base) if !d.forbidden(&event) && !d.would_replace(&event) => {
                evolve::stack(d, Ref { life: card.life + 1, ..card }, base)?;
                None
            }
            base => base,
        };
        let arrived = d.propose(vec![event])?.first().and_then(|e| e.after);
        match (arrived.filter(|u| d.t.is_now(*u)), base) {
            (Some(upper), Some(base)) if evolve::still_there(d, item.seat, base) => evolve::stack(d, upper, base),
            _ => Ok(()),
        }
    })
}

/// 205.2.1, 1005.2, readings C3 and C26: laid with its bearer, on the bearer's field.
fn equip(d: &mut Duel, item: &Item, card: Ref) -> Flow {
    let bearer = item.slots.cards(&BEARER).first().copied();
    let fits = bearer
        .filter(|b| d.t.is_now(*b) && is_field(d.t.obj(b.id).zone) && text::targetable(d, *b, Some(card)).is_ok());
    let Some(bearer) = fits else {
        return match d.reading(nova!("C26", Reading), "a") {
            "b" => d.undecided("装備する対象を失ったマジックアイテムの扱い", &["nova:804.3.4", "nova:1005.2"]),
            _ => to_graveyard(d, card),
        };
    };
    let theirs = d.seen(bearer).controller;
    let own = theirs != item.seat
        && (d.reading(nova!("C3", Reading), "a") == "b"
            || !d.applies(nova!("205.2.1", Meaning), |d| format!("{}は装備先の場に置かれる", d.card_name(card))));
    let field = if own { item.seat } else { theirs };
    let event = onto_field(d, card, field, Some((Word("装備"), bearer.id)));
    d.happen(vec![event])
}

/// 804.3.2, 803.1.2: its text from top to bottom, then the owner's graveyard.
fn spell(d: &mut Duel, item: &Item, card: Ref) -> Flow {
    let mut frame = frame_of(item);
    let abilities: Vec<Arc<Ability>> =
        d.seen(card).abilities.iter().filter(|a| a.kind == Kind::Effect && a.keyword.is_none()).cloned().collect();
    if unfit(d, &frame, &abilities.iter().map(|a| (**a).clone()).collect::<Vec<_>>()) {
        return to_graveyard(d, card);
    }
    for ability in &abilities {
        run(d, &mut frame, ability, true)?;
    }
    if d.t.is_now(card) && d.t.obj(card.id).zone == waiting() {
        d.step(nova!("804.3.2"), |d| to_graveyard(d, card))?;
    }
    Ok(())
}

/// 804.3.4: targets were chosen when it was played, and none of them is right any more.
fn unfit(d: &mut Duel, frame: &Frame, abilities: &[Ability]) -> bool {
    let mut slots: Vec<Word> = abilities.iter().flat_map(|a| &a.target).map(|t| t.slot).collect();
    for ability in abilities {
        slots.extend(chosen_early(d, ability).iter().map(|t| t.slot));
    }
    let chosen: Vec<Ref> = slots.iter().flat_map(|s| frame.slots.cards(s)).collect();
    if chosen.is_empty() {
        return false;
    }
    let gone = |d: &mut Duel, r: &Ref| !d.t.is_now(*r) || text::targetable(d, *r, frame.this).is_err();
    chosen.iter().all(|r| gone(d, r))
        && d.applies(nova!("804.3.4", Limit), |_| "対象不適切となったので、効果の解決に失敗する".into())
}

/// 804.3.3, 801.3.5.5, 803.1.9.
fn ability(d: &mut Duel, item: &Item) -> Flow {
    let Some(ability) = item.ability.clone() else { return Ok(()) };
    let mut frame = frame_of(item);
    if unfit(d, &frame, std::slice::from_ref(&*ability)) {
        return Ok(());
    }
    if !still_valid(d, item, &ability) {
        return Ok(());
    }
    if fails(d, &frame, &ability)? {
        return Ok(());
    }
    // 801.4.7: what may be done is decided now.
    if ability.optional && say(d, [nova!("801.4.7", Order)]) && !d.yes(frame.seat, Word("発動"), frame.this)? {
        return Ok(());
    }
    if ability.kind == Kind::Activated {
        d.trace.reach(nova!("801.3.5.5", Frame));
    }
    run(d, &mut frame, &ability, false)?;
    if ability.kind == Kind::Activated
        && let Some(card) = item.card
    {
        // 801.3.9: used means resolved.
        d.trace.reach(nova!("801.3.9", Frame));
        d.happen(vec![Event::about(Word("起動能力を使用"), card).seat(item.seat)])?;
    }
    Ok(())
}

/// 109.4.1, reading C44: it would put onto the field what makes too many levels, and has more to do than that.
fn fails(d: &mut Duel, frame: &Frame, ability: &Ability) -> Flow<bool> {
    let more = |step: &Step| !matches!(step, Step::Choose(_)) && !moves::puts_onto_field(step);
    if !ability.steps.iter().any(more) || !moves::all_too_many(d, frame, &ability.steps) {
        return Ok(false);
    }
    match d.reading(nova!("C44", Reading), "a") {
        "b" => Ok(false),
        "c" => Ok(d.applies(nova!("109.4.1", Limit), |_| "合計が11以上になるので、効果の解決に失敗する".into())),
        _ => {
            let text = "キャラクターレベルの合計のために失敗する効果の、残りの部分を行うか";
            d.undecided(text, &["nova:109.4.1", "nova:004.4"])
        }
    }
}

/// 803.1.9: what was played is resolved although the ability has become invalid meanwhile.
fn still_valid(d: &mut Duel, item: &Item, ability: &Ability) -> bool {
    let Some(card) = item.card.filter(|c| ability.id != 0 && d.t.is_now(*c)) else { return true };
    let seen = d.seen(card);
    let lost = seen.muted || !seen.abilities.iter().any(|a| a.id == ability.id);
    !lost || d.applies(nova!("803.1.9", Meaning), |_| "無効になった能力もそのまま解決される".into())
}

/// 804.4: in the order in which it is written; what is to be chosen is chosen there.
fn run(d: &mut Duel, frame: &mut Frame, ability: &Ability, conditional: bool) -> Flow {
    if !d.stands(ability) {
        return Ok(());
    }
    for cite in [nova!("802.1.1.1", Frame), nova!("803.1", Frame)] {
        d.trace.reach(cite);
    }
    d.reach_clauses(ability);
    if d.look().rules.iter().any(|r| matches!(r.change, Change::Player(..))) {
        d.trace.reach(nova!("005.5.3", Frame));
    }
    let holds = match ability.cond.as_ref().filter(|_| conditional) {
        Some(cond) => d.see(|eyes| eyes.holds(&frame.ctx(), cond)),
        None => true,
    };
    if !holds && d.applies(nova!("803.1.4", Limit), |_| "条件を満たしていないので効果はない".into()) {
        return Ok(());
    }
    d.under(nova!("804.4", Order), |d| {
        let mut steps = match mode(d, frame, ability)? {
            Some(i) => ability.modes[i].steps.clone(),
            None => ability.steps.clone(),
        };
        let early: Vec<Word> = chosen_early(d, ability).iter().map(|t| t.slot).collect();
        steps.retain(|s| !matches!(s, Step::Choose(t) if early.contains(&t.slot)));
        let steps = amended(d, &steps);
        carry_out(d, frame, &steps)
    })
}

/// 804.4.1.2: 「まで」 leaves it to the player how many; without it, as many as that. Reading C2: 「選んで。」 does too.
fn amended(d: &mut Duel, steps: &[Step]) -> Vec<Step> {
    let mut steps = steps.to_vec();
    amend(d, &mut steps);
    steps
}

fn amend(d: &mut Duel, steps: &mut [Step]) {
    for step in steps {
        match step {
            Step::Choose(target) => {
                if target.up_to.is_some() && !say(d, [nova!("804.4.1.2", Limit)]) {
                    target.count = target.up_to.take();
                }
                if target.loose && target.up_to.is_none() && d.reading(nova!("C2", Reading), "a") == "b" {
                    target.up_to = Some(target.count.take().unwrap_or(Value::Number(1)));
                }
            }
            Step::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(|steps| amend(d, steps)),
            Step::May { steps, then, otherwise, .. } => {
                [steps, then, otherwise].into_iter().for_each(|steps| amend(d, steps));
            }
            Step::Repeat { steps, .. } | Step::ForEach { steps, .. } | Step::EachPlayer { steps, .. } => {
                amend(d, steps)
            }
            _ => {}
        }
    }
}

/// The text from top to bottom. 902.13: what 「そうしたなら」 looks back at is a cost, paid in full or not at all.
fn carry_out(d: &mut Duel, frame: &mut Frame, steps: &[Step]) -> Flow {
    let mut rest = steps;
    while !rest.is_empty() {
        let plain = (0..rest.len()).find(|at| cost(&rest[*at..]) > 0).unwrap_or(rest.len());
        let (part, later) = rest.split_at(plain);
        d.perform(frame, part)?;
        let (part, later) = later.split_at(cost(later));
        rest = later;
        if !part.is_empty() {
            pay_now(d, frame, part)?;
        }
    }
    Ok(())
}

/// How many steps make up the cost that the text begins with: what is remembered, and the choice of it.
fn cost(steps: &[Step]) -> usize {
    let remembered = |step: Option<&Step>| match step {
        Some(Step::Move { slot: Some(_), what, .. } | Step::Turn { slot: Some(_), what, .. }) => Some(*what),
        _ => None,
    };
    match steps.first() {
        Some(Step::Choose(target)) if remembered(steps.get(1)) == Some(Some(target.slot)) => 2,
        Some(Step::May { steps, .. }) if steps.iter().any(discards) => 1,
        first => usize::from(remembered(first).is_some()),
    }
}

fn discards(step: &Step) -> bool {
    matches!(step, Step::Move { how: Some(how), .. } if *how == "捨てる")
}

/// 902.13, 902.3, 911.2, reading C16: paid if it can be; with an empty hand discarding is done, or cannot be.
fn pay_now(d: &mut Duel, frame: &mut Frame, part: &[Step]) -> Flow {
    let inner = if let Step::May { steps, .. } = &part[0] { steps } else { part };
    let empty = inner.iter().any(discards) && d.t.zone(zone("手札", frame.seat)).is_empty();
    let nothing = empty
        && d.reading(nova!("C16", Reading), "a") == "b"
        && d.applies(nova!("911.2", Meaning), |_| "手札がなくても、捨てたものとして処理する".into());
    if let Step::May { then, otherwise, .. } = &part[0] {
        if !nothing {
            return d.perform(frame, part).map(|_| ());
        }
        let done = d.yes(frame.seat, Word("してよい"), frame.this)?;
        return d.perform(frame, if done { then } else { otherwise }).map(|_| ());
    }
    let possible = d.possible(part, &frame.slots, frame.this, frame.seat, frame.event.as_deref())?;
    if possible || !d.on(nova!("902.13", Limit)) {
        return d.perform(frame, part).map(|_| ());
    }
    if !nothing {
        d.cites(nova!("902.13", Limit), |_| "コストにあたる処理を行えないので、そうしたことにならない".into());
    }
    if let Some(Step::Move { slot: Some(slot), .. } | Step::Turn { slot: Some(slot), .. }) = part.last() {
        crate::kernel::steps::tell_done(&mut frame.slots, *slot, nothing);
    }
    Ok(())
}

fn mode(d: &mut Duel, frame: &mut Frame, ability: &Ability) -> Flow<Option<usize>> {
    if ability.modes.is_empty() {
        return Ok(None);
    }
    let of = ability.modes.iter().map(|m| Thing::Word(m.name)).collect();
    let question = Question::new(frame.seat, Word("効果"), Asks::Choose { of, min: 1, max: 1 }).about(frame.this);
    let at = d.ask(question)?[0] as usize;
    for target in &ability.modes[at].target {
        d.choose(frame, target, false)?;
    }
    Ok(Some(at))
}

/// 305.1: to the owner's graveyard.
pub fn to_graveyard(d: &mut Duel, card: Ref) -> Flow {
    let owner: Seat = d.t.obj(card.id).owner;
    d.trace.reach(nova!("305.1", Frame));
    let event = d.moving(card, zone("墓地", owner));
    d.happen(vec![event])
}

/// 913.1: out of the waiting zone; a card to the graveyard. 801.6.6.2: energy abilities are never there. Reading C13.
pub fn negate(d: &mut Duel, id: u32, by: Cause) -> Flow<bool> {
    d.under(nova!("913.1", Meaning), |d| {
        let Some(card) = d.t.context().pile.iter().find(|i| i.id == id).map(|i| i.card) else { return Ok(false) };
        let event = card.map_or_else(|| Event::signal(Word("無効")), |c| Event::about(Word("無効"), c)).by(by);
        // It may be that it cannot be, or that something else is done instead.
        if !d.propose_one(Event { seat: by.seat, ..event })?.any() {
            return Ok(false);
        }
        let Some(at) = d.t.context().pile.iter().position(|i| i.id == id) else { return Ok(true) };
        let item = d.aside().pile().remove(at);
        if let (ItemKind::Spell, Some(card)) = (item.kind, item.card) {
            let character = super::places::from_character_deck(d, card);
            let to = match (character, if character { d.reading(nova!("C13", Reading), "a") } else { "b" }) {
                (true, "a") => "退場キャラ置き場",
                (true, "c") => "キャラデッキ",
                _ => "墓地",
            };
            let owner = d.t.obj(card.id).owner;
            let to = zone(to, owner);
            let mut event = d.moving(card, to);
            // 302.5.3: in a hidden zone it lies face down.
            if let What::Move { face_up, .. } = &mut event.what {
                *face_up = schema().spec(to).sight == Sight::All;
            }
            d.happen(vec![event])?;
        }
        Ok(true)
    })
}
