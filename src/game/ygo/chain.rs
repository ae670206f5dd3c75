//! 2.7, 3.3.4, 3.3.5, 3.3.18: building a chain and resolving it.

use std::sync::Arc;

use super::activate::{self, Source};
use super::schema::{ACTIVATING, APPLIED, APPLIES, BEGAN, EQUIP};
use super::text::{graveyard, is};
use super::{allowed, ending, priority, stages};
use crate::card::{Ability, Kind, Limit, Word};
use crate::kernel::steps::Frame;
use crate::kernel::{
    Asks, Cause, Duel, Event, Flow, Item, ItemKind, Pending, Question, Ref, Seat, Seen, Table, Thing, Told, What,
    table::Use,
};

/// 2.7.1.2–2.7.1.4: both answer until neither does, then everything is resolved.
pub fn run(d: &mut Duel, last: Seat) -> Flow {
    build(d, last)?;
    d.give_priority(None);
    resolve(d)
}

/// 2.7.1.2, 2.7.1.3, 3.3.5.1: the other player is always asked first; who chained last may chain on themselves.
fn build(d: &mut Duel, mut last: Seat) -> Flow {
    loop {
        let foe = last.other();
        if d.on(ygo!("2.7.1.2")) && d.under(ygo!("2.7.1.2"), |d| priority::respond(d, foe))? {
            last = foe;
        } else if !(d.on(ygo!("2.7.1.3", Limit)) && d.under(ygo!("2.7.1.3", Limit), |d| priority::respond(d, last))?) {
            d.trace.reach(ygo!("3.3.5.1", Frame));
            return Ok(());
        }
    }
}

/// 2.7.1.4, 2.7.3.2: the last activated is resolved first.
fn resolve(d: &mut Duel) -> Flow {
    let several = d.t.context().pile.len() > 1;
    let backwards = !several || d.applies(ygo!("2.7.1.4", Order), |_| "最後に発動したものから順に処理する".into());
    d.trace.reach(ygo!("2.7.3.2", Frame));
    while !d.t.context().pile.is_empty() {
        let at = if backwards { d.t.context().pile.len() - 1 } else { 0 };
        let number = at + 1;
        let item = d.aside().pile().remove(at);
        d.tell(Told::Applied, |d| {
            format!("チェーン{number}の処理: {}", item.card.map(|c| d.card_name(c)).unwrap_or_default())
        });
        one(d, &item)?;
    }
    Ok(())
}

/// One link of the chain.
fn one(d: &mut Duel, item: &Item) -> Flow {
    let card = item.card.expect("a link has a card");
    let seen = d.seen(card);
    let void = item.negated
        && d.applies(ygo!("2.7.8.2", Meaning), |d| format!("{}は発動を無効にされたので不発", d.card_name(card)));
    let lasting = item.kind == ItemKind::Spell && stays(d, &seen);
    let gone = item.from.is_some() && !d.t.is_now(card) && !void;
    let left = match lasting {
        true => {
            gone && d.applies(ygo!("1.4.2.4", Meaning), |d| {
                format!("{}はフィールドを離れたので効果を発揮しない", d.card_name(card))
            })
        }
        // Reading C55: the document does not say it of other cards.
        false => gone && d.reading(ygo!("C55", Reading), "a") == "b",
    };
    let left = left || !void && silenced(d, item, card) && d.reading(ygo!("C64", Reading), "a") != "b";
    // 3.3.5.1: only now does the card begin to do what it does.
    if item.kind == ItemKind::Spell && d.t.is_now(card) && d.t.obj(card.id).state == ACTIVATING && !void {
        d.lies(card.id, 0);
        let book = d.book;
        book.at_once(d, &[])?;
    }
    let now = d.aside().tick() as i32;
    *d.aside().fact(BEGAN) = now;
    let shown = activate::shown(d);
    if !void && !left {
        let abilities: Vec<Arc<Ability>> = match &item.ability {
            Some(ability) => vec![ability.clone()],
            None => activate::effects(&seen),
        };
        let mut frame = activate::frame_of(item);
        let whole = !lost_target(d, &frame, &abilities) || d.reading(ygo!("C33", Reading), "a") != "b";
        for ability in abilities.iter().filter(|_| whole) {
            let steps = activate::parts(ability, &frame).1.to_vec();
            d.under(ygo!("2.7.1.4", Frame), |d| d.perform(&mut frame, &steps))?;
        }
    }
    activate::shuffle_after(d)?;
    activate::hide_again(d, &shown);
    forget_applied(d);
    *d.aside().fact(BEGAN) = 0;
    super::field::control(d)?;
    // C26: an equip card that found no monster does not stay either.
    let worn = d.t.is_now(card) && d.t.obj(card.id).host.is_some_and(|h| h.0 == EQUIP);
    let idle = is(&seen, "装備魔法") && d.t.is_now(card) && !worn;
    // 4.1.9.1: a trap that a text makes an equip card stays like one.
    let stays = lasting
        || worn && d.applies(ygo!("4.1.9.1", Meaning), |d| format!("{}は装備カードとして残る", d.card_name(card)));
    if item.kind == ItemKind::Spell && d.t.is_now(card) && (void || !stays || idle) {
        return spent(d, card);
    }
    Ok(())
}

/// Reading C64: the card lies there as it did and has lost the text that it has used.
fn silenced(d: &mut Duel, item: &Item, card: Ref) -> bool {
    let Some(ability) = &item.ability else { return false };
    let obj = d.t.obj(card.id);
    let there = d.t.is_now(card) && obj.face_up && item.from == Some(obj.zone);
    there && !d.seen(card).abilities.iter().any(|a| a.id == ability.id)
}

/// 1.4.2.4–1.4.2.6, reading C14: cards that stay on the field.
fn stays(d: &mut Duel, seen: &Seen) -> bool {
    if is(seen, "永続罠") {
        return d.reading(ygo!("C14", Reading), "a") != "b";
    }
    // 2.4.13.1: a pendulum stays like a continuous spell.
    if is(seen, "ペンデュラムカード") {
        d.trace.reach(ygo!("2.4.13.1"));
        for cite in [ygo!("1.1.3.5", Frame), ygo!("3.3.22.3", Frame), ygo!("3.3.22.4", Frame)] {
            d.trace.reach(cite);
        }
        return d.on(ygo!("2.4.13.1"));
    }
    ["永続魔法", "装備魔法", "フィールド魔法"].iter().any(|class| is(seen, class))
}

/// Reading C33: a card that was chosen as a target is no longer the one it was.
fn lost_target(d: &Duel, frame: &Frame, abilities: &[Arc<Ability>]) -> bool {
    let gone = |r: &Ref| !d.t.is_now(*r);
    abilities.iter().flat_map(|a| activate::parts(a, frame).0).any(|t| frame.slots.cards(&t.slot).iter().any(gone))
}

/// 1.4.2.2, 1.4.3.3, reading C32: a card that is used up goes to the graveyard.
fn spent(d: &mut Duel, card: Ref) -> Flow {
    let seen = d.seen(card);
    let cite = if is(&seen, "通常魔法") {
        ygo!("1.4.2.2")
    } else if is(&seen, "通常罠") {
        ygo!("1.4.3.3")
    } else {
        if d.reading(ygo!("C32", Reading), "a") == "b" {
            return Ok(());
        }
        ygo!("C32", Reading)
    };
    d.step(cite, |d| {
        let to = graveyard(d, card);
        let event = d.moving(card, to).by(Cause::RULE);
        d.propose_one(event).map(|_| ())
    })
}

/// The slot that tells of a pending effect that it was applied. It stays until the effect that it answered is over: by
/// this it is known that it has counted that effect (4.1.13.1).
const DONE: Word = Word("適用した");

fn applies(pending: &Pending) -> bool {
    pending.ability.timing.is_some_and(|t| t == APPLIES)
}

/// 4.1.3.2: what happens each time without an activation is done at once and makes no chain. Knocked out, it is
/// activated.
pub fn apply(d: &mut Duel) -> Flow {
    let cite = ygo!("4.1.3.2", Meaning);
    let waits = |p: &Pending| applies(p) && p.slots.get(DONE.as_str()).is_none();
    while let Some(at) = next_applied(d, waits) {
        if !d.on(cite) {
            return Ok(());
        }
        d.aside().pending()[at].slots.set(DONE, Vec::new());
        let pending = d.t.context().pending[at].clone();
        // 2.3.1.1: as long as it is there; and as often as it may be used.
        if !d.t.is_now(pending.source) || is_spent(d, &pending, &[]) {
            continue;
        }
        if pending.ability.optional && !d.yes(pending.seat, Word("してよい"), Some(pending.source))? {
            continue;
        }
        d.tell(Told::Applied, |d| format!("{}の効果は、発動せずに適用する", d.card_name(pending.source)));
        d.use_up(pending.source, pending.seat, &pending.ability);
        let from = last_stamp(&d.t) as i32;
        let mut frame = Source::trigger(&pending).frame();
        let steps = pending.ability.steps.to_vec();
        d.under(cite, |d| d.perform(&mut frame, &steps))?;
        let to = d.aside().tick() as i32;
        *d.aside().fact(APPLIED[0]) = from;
        *d.aside().fact(APPLIED[1]) = to;
    }
    Ok(())
}

/// Which waits to be applied, the turn player's first.
fn next_applied(d: &Duel, waits: impl Fn(&Pending) -> bool) -> Option<usize> {
    let pending = &d.t.context().pending;
    let of = |mine: bool| pending.iter().position(|p| waits(p) && (p.seat == d.t.active) == mine);
    of(true).or_else(|| of(false))
}

/// What was applied has been.
fn forget_applied(d: &mut Duel) {
    d.aside().pending().retain(|p| p.slots.get(DONE.as_str()).is_none());
}

/// 2.7.8.2: the activation is negated; the link stays in the chain and does nothing.
pub fn negate(d: &mut Duel, id: u32) -> Flow<bool> {
    let card = d.t.context().pile.iter().find(|i| i.id == id && !i.negated).and_then(|i| i.card);
    // 3.3.8.1: a text may say that it cannot be negated.
    let Some(card) = card.filter(|card| !d.forbidden(&Event::about(Word("無効化"), *card))) else {
        return Ok(false);
    };
    let mut ability = None;
    if let Some(item) = d.aside().pile().iter_mut().find(|i| i.id == id) {
        item.negated = true;
        ability = item.ability.clone();
    }
    // Reading C72: what may be used only so often has been used.
    let limited = |a: &Arc<Ability>| a.limit.is_some();
    let of_card = ability.is_none() && activate::effects(&d.seen(card)).iter().any(limited);
    if (of_card || ability.iter().any(limited)) && d.reading(ygo!("C72", Reading), "a") == "b" {
        return d.unwritten("発動を無効にされたものを、使った回数に数えない読み", &["ygo:C72", "ygo:4.1.19.1"]);
    }
    Ok(d.propose_one(Event::about(Word("無効化"), card))?.any())
}

/// 3.3.4.1: effects triggered at one time make a chain, the turn player's first. Whether there was one.
pub fn triggers(d: &mut Duel) -> Flow<bool> {
    states(d);
    forget_applied(d);
    let mut due = due(d);
    if due.is_empty() {
        return Ok(false);
    }
    // 3.3.18, C4: the effects of the end phase go one by one, and not with what one of them has triggered.
    let ending = |p: &Pending| p.event.name == "エンドフェイズ";
    if due.iter().any(ending) && d.reading(ygo!("C4", Reading), "a") != "b" && d.on(ygo!("3.3.18.2", Meaning)) {
        if due.iter().all(ending) {
            return ending::one_of(d, due);
        }
        let (later, now) = due.into_iter().partition(ending);
        d.aside().pending().extend::<Vec<Pending>>(later);
        due = now;
    }
    let mut wanted: [Vec<Pending>; 2] = [Vec::new(), Vec::new()];
    // 3.3.4.1: the turn player says first what they use.
    due.sort_by_key(|p| p.seat != d.t.active);
    for pending in due {
        // What is limited is limited for one player.
        if !is_spent(d, &pending, &wanted[pending.seat.index()]) && wants(d, &pending)? {
            wanted[pending.seat.index()].push(pending);
        }
    }
    let (first, second) = (d.t.active, d.t.active.other());
    let both = wanted.iter().all(|w| !w.is_empty());
    let mut order = [first, second];
    if both && !d.applies(ygo!("3.3.4.1", Order), |_| "ターンプレイヤーの効果からチェーンに積む".into())
    {
        order.reverse();
    }
    let count = wanted.iter().map(Vec::len).sum::<usize>();
    let alone = count > 1 && one_by_one(d);
    let mut last = None;
    for seat in order {
        let mine = std::mem::take(&mut wanted[seat.index()]);
        if alone && last.is_some() {
            d.aside().pending().extend(mine);
            continue;
        }
        let (now, later) = arranged(d, seat, mine, alone)?;
        d.aside().pending().extend(later);
        for pending in now {
            if activate::trigger(d, &pending)? {
                last = Some(seat);
            }
        }
    }
    match last {
        Some(last) => run(d, last).map(|()| true),
        None => Ok(false),
    }
}

/// Reading C2: whether a slow effect is ever above chain 1.
fn one_by_one(d: &mut Duel) -> bool {
    d.reading(ygo!("C2", Reading), "a") == "b"
}

/// What the limit of the effect counts, if it has one.
fn use_of(d: &Duel, pending: &Pending) -> Option<(Use, Limit)> {
    let limit = pending.ability.limit?;
    Some((d.use_of(pending.source, pending.seat, &pending.ability, &limit), limit))
}

/// 4.1.19.1, 4.1.22: used as often as may be, with those that are wanted at the same time.
pub fn is_spent(d: &mut Duel, pending: &Pending, wanted: &[Pending]) -> bool {
    let Some((used, limit)) = use_of(d, pending) else { return false };
    let more = wanted.iter().filter(|p| use_of(d, p).is_some_and(|(other, _)| other == used)).count();
    if d.uses(&used) + more < limit.times as usize {
        return false;
    }
    d.applies(allowed::limited_by(limit.by), |d| format!("{}の効果はこのターンもう使った", d.card_name(pending.source)))
}

/// Triggers that look at the position instead of an event: they wait as long as it is so, once.
fn states(d: &mut Duel) {
    let view = d.look();
    let given = d.given;
    for &id in view.among(&given.holders.states).iter() {
        let (seen, card, obj) = (view.cards[id.0 as usize].clone(), d.t.now(id), d.t.obj(id));
        let (zone, face_up, owner) = (obj.zone, obj.face_up, obj.owner);
        let seat = if super::places::is_field(zone) { seen.controller } else { owner };
        for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Triggered && a.when.is_empty()) {
            let ends = matches!(ability.steps[..], [crate::card::Step::End { .. }]);
            let waits = |p: &Pending| p.source == card && p.ability.id == ability.id;
            if ends || !d.works(&seen, zone, face_up, ability) || d.t.context().pending.iter().any(waits) {
                continue;
            }
            let slots = crate::kernel::Slots::default();
            let ctx = crate::kernel::Ctx { this: Some(card), seat, slots: &slots, event: None };
            let holds = ability.cond.as_ref().is_some_and(|c| d.see(|eyes| eyes.holds(&ctx, c)));
            if holds && !d.is_used_up(card, seat, ability) {
                let event = Arc::new(Event::about(Word("状況"), card));
                let slots = crate::kernel::Slots::default();
                d.aside().pending().push(Pending { ability: ability.clone(), source: card, seat, event, slots });
            }
        }
    }
}

/// The player's own order; where they go one by one, the first of it.
fn arranged(d: &mut Duel, seat: Seat, mut mine: Vec<Pending>, alone: bool) -> Flow<(Vec<Pending>, Vec<Pending>)> {
    if mine.len() < 2 {
        return Ok((mine, Vec::new()));
    }
    let of: Vec<Thing> = mine.iter().map(|p| Thing::Card(p.source)).collect();
    if alone {
        let question = Question::new(seat, Word("順番"), Asks::Choose { of, min: 1, max: 1 });
        let at = d.ask(question.citing(ygo!("3.3.18.1", Frame)))?[0] as usize;
        let now = mine.remove(at);
        return Ok((vec![now], mine));
    }
    let order = d.ask(Question::new(seat, Word("順番"), Asks::Order(of)).citing(ygo!("3.3.4.1", Frame)))?;
    Ok((order.into_iter().map(|i| mine[i as usize].clone()).collect(), Vec::new()))
}

/// The triggered effects that are to be activated now; the others wait.
fn due(d: &mut Duel) -> Vec<Pending> {
    let all = std::mem::take(d.aside().pending());
    let (mut now, mut later) = (Vec::new(), Vec::new());
    for pending in all {
        if missed(d, &pending) {
            continue;
        }
        match stages::when(d, &pending) {
            stages::When::Now => now.push(pending),
            stages::When::Later => later.push(pending),
            stages::When::Never => {}
        }
    }
    *d.aside().pending() = later;
    now
}

/// When the last thing happened in this turn. That a card used up goes away does not count, nor does the equip card that
/// falls with its monster (4.1.10.1): both would end every 「時」.
pub fn last_stamp(t: &Table) -> u32 {
    let falls = |e: &Event| e.how.is_empty() || e.how == "破壊";
    let used_up = |e: &Event| e.cause == Cause::RULE && e.name == "墓地へ送る" && falls(e);
    let [from, to] = APPLIED.map(|fact| t.facts[fact] as u32);
    let applied = |e: &Event| from < e.stamp && e.stamp <= to;
    let real = |e: &&Arc<Event>| e.what != What::Signal && !used_up(e) && !applied(e);
    t.happened.iter().filter(real).map(|e| e.stamp).max().unwrap_or(0)
}

/// The monsters that were summoned then.
pub fn summoned(t: &Table, last: u32) -> impl Iterator<Item = Ref> + '_ {
    let summons = move |e: &&Arc<Event>| e.stamp == last && matches!(e.name.as_str(), "召喚" | "特殊召喚" | "反転召喚");
    t.happened.iter().filter(summons).filter_map(|e| e.after)
}

/// 4.1.6.1: an effect for the 「時」 something happens may be used only right after it, not when more has happened since.
fn missed(d: &mut Duel, pending: &Pending) -> bool {
    if pending.ability.timing.is_none_or(|t| t != "時") {
        return false;
    }
    let last = last_stamp(&d.t);
    // Reading C54: whether that also goes for one that must be activated (4.1.5.1).
    last > pending.event.stamp
        && (pending.ability.optional || d.reading(ygo!("C54", Reading), "a") == "b")
        && d.applies(ygo!("4.1.6.1", Limit), |d| {
            format!("{}の効果は、条件を満たした後に別の処理があったので使えない", d.card_name(pending.source))
        })
}

/// Its targets are there and its cost can be paid.
pub fn can(d: &mut Duel, pending: &Pending) -> bool {
    allowed::can_complete(d, &Source::trigger(pending)) && !is_forbidden(d, pending)
}

/// 3.3.8.1: a text says that it cannot be activated, where its card is now.
fn is_forbidden(d: &mut Duel, pending: &Pending) -> bool {
    // What an effect has put off is carried out, and not activated: it is no text of a card.
    if d.look().rules.is_empty() || pending.ability.id == 0 {
        return false;
    }
    let card = d.t.now(pending.source.id);
    let cause = Cause { card: Some(card), seat: Some(pending.seat), ..Cause::RULE };
    let mut event = Event::about(Word("発動"), card).by(cause).seat(pending.seat);
    (event.from, event.from_face_up) = (Some(d.t.obj(card.id).zone), d.t.obj(card.id).face_up);
    d.forbidden(&event)
}

/// 4.1.5.1: one that may be activated is asked for, one that must be is not. Without a target neither can be.
fn wants(d: &mut Duel, pending: &Pending) -> Flow<bool> {
    let source = Source::trigger(pending);
    if !allowed::can_complete(d, &source) {
        d.tell(Told::NotApplied, |d| {
            format!("{}の効果は対象やコストがないので発動しない", d.card_name(pending.source))
        });
        return Ok(false);
    }
    if is_forbidden(d, pending) {
        return Ok(false);
    }
    if !pending.ability.optional || pending.ability.kind != Kind::Triggered {
        return Ok(true);
    }
    if pending.ability.when.is_empty() {
        return d.unwritten("状況を見て任意に発動する効果", &["ygo:4.1.5.1"]);
    }
    d.under(ygo!("4.1.5.1", Frame), |d| d.yes(pending.seat, Word("誘発効果"), Some(pending.source)))
}
