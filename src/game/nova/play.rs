//! 801.3.5, 804.2, 903: playing cards and activating abilities. What cannot be completed is taken back.

use std::sync::Arc;

use super::bill::{self, Bill};
use super::pay::{self, Owed};
use super::places::{has_kind, named, waiting};
use super::schema::{ACTIVATE_TOLL, CHARACTERS, PLAY_TOLL, schema};
use super::text::has;
use super::{energy, evolve, level, moves, resolve, say, text};
use crate::card::{Ability, Kind, Parts, Pool, Step, Target, Word};
use crate::kernel::steps::{Frame, done_with};
use crate::kernel::{
    Asks, Cause, Ctx, Duel, Event, Flow, Item, ItemKind, Means, Move, Question, Ref, Seat, Seen, Sight, Slots, Thing,
    Told, What,
};

/// The slot that says when something was played: its effects date from then (802.1.2.1.5.1).
pub const PLAYED: Word = Word("プレイした時");
/// The slot that says that what came later is not met (802.1.2.1.5.2).
pub const REACH: Word = Word("及ぶ時");
/// 205.2: the card that an item will be laid with.
pub const BEARER: Word = Word("装備先");

pub fn frame(seat: Seat, this: Ref) -> Frame {
    let cause = Cause { means: Means::Effect, card: Some(this), seat: Some(seat) };
    Frame { this: Some(this), seat, slots: Slots::default(), event: None, cause }
}

/// 902.9: a way of paying that a card offers instead of its energy cost: a `may` in its cost whose name begins so.
const INSTEAD: &str = "代替";

/// Reading C23: whether texts that ask for more, or for something else, are there while the cost is fixed.
fn in_time(d: &mut Duel, seen: &Seen) -> bool {
    has_kind(seen, "キャラクター") || d.reading(nova!("C23", Reading), "a") != "c"
}

/// 112.1, 902.8, 902.8.1: what is paid besides energy, by its own text and by others.
pub fn extra(d: &mut Duel, card: Ref) -> Vec<Step> {
    let seen = d.seen(card);
    if !in_time(d, &seen) {
        return Vec::new();
    }
    // 112.1: what a character wants when it appears.
    let character = has_kind(&seen, "キャラクター");
    let wants = !character || say(d, [nova!("112.1", Limit)]);
    let own = seen.abilities.iter().filter(|a| wants && a.kind == Kind::Effect).flat_map(|a| a.cost.clone());
    let mut parts: Vec<Step> =
        own.filter(|s| !matches!(s, Step::May { name: Some(n), .. } if n.starts_with(INSTEAD))).collect();
    let tolls = text::tolls(d, card, PLAY_TOLL);
    parts.extend(tolls.iter().flat_map(|(_, a)| a.cost.clone()));
    if !parts.is_empty() && !say(d, [nova!("902.8", Meaning)]) {
        return Vec::new();
    }
    parts
}

/// 801.3.3, 902.8: what is to be paid for an activated ability, with what other texts want for the abilities of the card.
pub fn asked_for(d: &mut Duel, card: Ref, ability: &Ability) -> (Owed, Vec<Step>) {
    let mut owed = ability.price.as_ref().map(|p| pay::owed(d, p)).unwrap_or_default();
    let mut parts = ability.cost.clone();
    let tolls = text::tolls(d, card, ACTIVATE_TOLL);
    if tolls.is_empty() || !say(d, [nova!("902.8", Meaning)]) {
        return (owed, parts);
    }
    for (_, toll) in tolls {
        if let Some(price) = &toll.price {
            let more = pay::owed(d, price);
            add(&mut owed, more);
        }
        parts.extend(toll.cost.clone());
    }
    (owed, parts)
}

/// 902.8.2: what may be paid need not be.
pub fn demanded(parts: &[Step]) -> Vec<Step> {
    parts.iter().filter(|s| !matches!(s, Step::May { .. })).cloned().collect()
}

/// 902.9: the ways of paying that stand instead of the energy cost: the name, and what is done.
pub fn alternatives(d: &mut Duel, card: Ref) -> Vec<(Word, Vec<Step>)> {
    let seen = d.seen(card);
    let costs: Vec<Step> =
        seen.abilities.iter().filter(|a| a.kind == Kind::Effect).flat_map(|a| a.cost.clone()).collect();
    let instead = |s: Step| match s {
        Step::May { steps, name: Some(name), .. } if name.starts_with(INSTEAD) => Some((name, steps)),
        _ => None,
    };
    let found: Vec<(Word, Vec<Step>)> = costs.into_iter().filter_map(instead).collect();
    if found.is_empty() || in_time(d, &seen) { found } else { Vec::new() }
}

fn add(owed: &mut Owed, more: Owed) {
    for (symbol, n) in more {
        match owed.iter_mut().find(|(s, _)| *s == symbol) {
            Some((_, m)) => *m += n,
            None => owed.push((symbol, n)),
        }
    }
}

/// 902.7, 112.1, 902.9.4: the price of a card with what texts add, paid in the way that was chosen.
pub fn price(d: &mut Duel, card: Ref, way: Word) -> Owed {
    let seen = d.seen(card);
    // 902.9.4: what is paid instead is raised as the energy cost would be.
    if !way.is_empty() && !say(d, [nova!("902.9.4", Meaning)]) {
        return Vec::new();
    }
    let mut owed = if way.is_empty() { pay::of_card(d, card) } else { pay::raised(d, card) };
    if !in_time(d, &seen) {
        return owed;
    }
    let tolls: Vec<Arc<Ability>> = text::tolls(d, card, PLAY_TOLL).into_iter().map(|(_, a)| a).collect();
    let own = seen.abilities.iter().filter(|a| a.kind == Kind::Effect);
    for price in own.chain(&tolls).filter_map(|a| a.price.clone()) {
        let more = pay::owed(d, &price);
        add(&mut owed, more);
    }
    owed
}

/// The least that a card can cost: with the best card to evolve from.
pub fn least(d: &mut Duel, who: Seat, card: Ref) -> Owed {
    let owed = price(d, card, Word(""));
    let mut best = owed.clone();
    let total = |o: &Owed| o.iter().map(|(_, n)| (*n).max(0)).sum::<i32>();
    for base in evolve::bases(d, who, card) {
        let mut less = owed.clone();
        if d.on(nova!("1010.2", Meaning)) && evolve::reduce(d, base, &mut less).is_ok() && total(&less) < total(&best) {
            best = less;
        }
    }
    best
}

/// 205.2, 1005.2: whom an item can be laid with: servants unless it says otherwise, on either field.
pub fn bearers(d: &mut Duel, who: Seat, card: Ref) -> Vec<Ref> {
    let seen = d.seen(card);
    let filter = seen
        .keyword("装備")
        .and_then(|k| k.filter.clone())
        .unwrap_or_else(|| crate::card::Filter { is: vec![Word("サーバント")], ..Default::default() });
    let slots = Slots::default();
    let ctx = Ctx { this: Some(card), seat: who, slots: &slots, event: None };
    let found = d.see(|eyes| eyes.select(&ctx, &filter));
    found.into_iter().filter(|r| super::text::targetable(d, *r, Some(card)).is_ok()).collect()
}

/// 804.2: declare, choose, fix the price, pay, and into the waiting zone last.
pub fn card(d: &mut Duel, who: Seat, card: Ref, way: Word) -> Flow {
    let saved = d.t.clone();
    if !say(d, [nova!("804.2"), nova!("804.2.1")]) {
        return Ok(());
    }
    let done = d.under(nova!("804.2"), |d| begin(d, who, card, way, false))?;
    if !done {
        take_back(d, saved);
    }
    Ok(())
}

/// 804.2, 903.1: an effect lets the player play the card, with or without its energy cost; other costs are paid (902.8).
pub fn by_effect(d: &mut Duel, who: Seat, card: Ref, free: bool) -> Flow<bool> {
    if !moves::may_play_by_effect(d, who, card, free) {
        return Ok(false);
    }
    let saved = d.t.clone();
    let done = d.under(nova!("804.2"), |d| begin(d, who, card, Word(""), free))?;
    if !done {
        take_back(d, saved);
    }
    Ok(done)
}

/// 804.2.4: what cannot be paid in full is taken back to before the declaration.
fn take_back(d: &mut Duel, saved: crate::kernel::Table) {
    d.trace.reach(nova!("804.2.4", Limit));
    d.tell(Told::Refused, |_| "プレイを続けられないので、宣言する直前まで戻す".into());
    d.take_back(saved);
}

fn begin(d: &mut Duel, who: Seat, card: Ref, way: Word, free: bool) -> Flow<bool> {
    let from = d.t.obj(card.id).zone;
    let seen = d.seen(card);
    let mut frame = frame(who, card);
    if has(&seen, "装備") && d.on(nova!("1005.2", Meaning)) {
        d.trace.reach(nova!("1005.2", Meaning));
        let of: Vec<Thing> = bearers(d, who, card).into_iter().map(Thing::Card).collect();
        let question = Question::new(who, BEARER, Asks::Choose { of, min: 1, max: 1 }).about(Some(card));
        let chosen = d.pick(question.citing(nova!("205.2", Limit)))?;
        frame.slots.set(BEARER, chosen);
    }
    let base = if has(&seen, "進化") { evolve::choose(d, who, card)? } else { None };
    for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Effect) {
        if !choose_first(d, &mut frame, ability)? {
            return Ok(false);
        }
    }
    let mut owed = if free { Vec::new() } else { price(d, card, way) };
    if let Some(base) = base {
        evolve::reduce(d, base, &mut owed)?;
        d.cites(nova!("1010.2", Meaning), |d| format!("{}の合計コストだけ減る", d.card_name(base)));
        frame.slots.set(evolve::BASE, vec![Thing::Card(base)]);
    }
    let mut parts = extra(d, card);
    if let Some((_, steps)) = alternatives(d, card).into_iter().find(|(name, _)| *name == way) {
        d.cites(nova!("902.9", Meaning), |_| format!("エナジーコストの代わりに{way}を支払う"));
        parts.extend(steps);
    }
    let fixed_for = (!free).then_some((card, way));
    let bill = Bill { owed, parts, fixed_for, activates: false };
    if !bill::pay_for(d, &mut frame, card, bill)? {
        return Ok(false);
    }
    let character = has_kind(&seen, "キャラクター");
    if character {
        *d.aside().seat(who, CHARACTERS) += 1;
    }
    put(d, who, card, from, frame.slots, character)
}

/// 804.2.2, 804.2.2.2: what playing itself needs: targets named as such, and how a number is shared out.
pub fn choose_first(d: &mut Duel, frame: &mut Frame, ability: &Ability) -> Flow<bool> {
    let early = chosen_early(d, ability);
    for target in ability.target.iter().chain(&early) {
        d.trace.reach(nova!("804.2.2", Frame));
        if !say(d, [nova!("804.2.2.1")]) {
            continue;
        }
        let target = asked(d, target);
        d.ahead = done_with(target.slot, &ability.steps);
        if !d.choose(frame, &target, true)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// 804.2.2.2 shares, 804.2.2.3 who chooses, 804.2.2.4 from which fields: as the target says, unless knocked out.
fn asked(d: &mut Duel, target: &Target) -> Target {
    let mut target = target.clone();
    if target.divide.is_some() && !say(d, [nova!("804.2.2.2")]) {
        target.divide = None;
    }
    if target.by.is_some() && !say(d, [nova!("804.2.2.3"), nova!("801.3.6", Order)]) {
        target.by = None;
    }
    if let Pool::Cards(filter) = &mut target.of
        && filter.within.is_empty()
        && filter.of.is_none()
        && !say(d, [nova!("804.2.2.4", Limit)])
    {
        filter.of = Some(Word("自分"));
    }
    target
}

/// Reading C1: what the text chooses is chosen when it is played. Where two choices share a slot, or one is made inside
/// a condition, nobody can choose before.
pub fn chosen_early(d: &mut Duel, ability: &Ability) -> Vec<Target> {
    let choose = |s: &Step| if let Step::Choose(target) = s { Some(target.clone()) } else { None };
    let targets: Vec<Target> = ability.steps.iter().filter_map(choose).collect();
    let late = d.on(nova!("804.4", Order)) && d.reading(nova!("C1", Reading), "a") != "b";
    if targets.is_empty() || late {
        return Vec::new();
    }
    let single = |t: &Target| targets.iter().filter(|o| o.slot == t.slot).count() == 1;
    targets.iter().filter(|t| single(t)).cloned().collect()
}

/// 804.2.5, 311.2: the card goes to the waiting zone.
fn put(d: &mut Duel, who: Seat, card: Ref, from: crate::kernel::ZoneId, slots: Slots, character: bool) -> Flow<bool> {
    let to = waiting();
    let event = d.under(nova!("804.2.5"), |d| Ok(d.moving(card, to).seat(who)))?;
    let Some(card) = d.propose(vec![event])?.first().and_then(|e| e.after) else { return Ok(false) };
    push(d, ItemKind::Spell, who, card, None, slots, None, Some(from));
    if character {
        level::played(d, who, card);
    }
    d.happen(vec![Event::about(Word("プレイ"), card).seat(who)])?;
    // Without the clause nothing waits.
    if !d.on(nova!("804.2.5")) {
        resolve::top(d)?;
    }
    Ok(true)
}

/// 802.1.2.1.5.1, 802.1.2.1.5.2: played now.
pub fn dated(d: &mut Duel, slots: &mut Slots) -> u32 {
    let id = d.aside().tick();
    slots.set(PLAYED, vec![Thing::Number(id as i32)]);
    if d.on(nova!("802.1.2.1.5.2", Limit)) {
        slots.set(REACH, vec![Thing::Number(id as i32)]);
    }
    id
}

#[allow(clippy::too_many_arguments)]
pub fn push(
    d: &mut Duel,
    kind: ItemKind,
    seat: Seat,
    card: Ref,
    ability: Option<Arc<Ability>>,
    mut slots: Slots,
    event: Option<Arc<Event>>,
    from: Option<crate::kernel::ZoneId>,
) {
    let id = dated(d, &mut slots);
    d.trace.reach(nova!("311.2", Frame));
    // Who has the card on the pile is its controller (912.3.2).
    if kind == ItemKind::Spell {
        d.trace.reach(nova!("912.3.2", Frame));
    }
    if kind == ItemKind::Spell && d.t.obj(card.id).controller != seat {
        d.hand_to(card.id, seat);
    }
    d.aside().pile().push(Item { id, kind, card: Some(card), ability, seat, slots, event, from, negated: false });
    d.tell(Told::Applied, |d| {
        format!("{}{}を待機領域に置く", d.card_name(card), if kind == ItemKind::Spell { "" } else { "の能力" })
    });
}

/// 801.3.5: declares, shows, pays; the text waits, or an energy ability is resolved at once (801.6.6.2).
pub fn activate(d: &mut Duel, who: Seat, m: &Move) -> Flow {
    let card = m.card.expect("a card's ability");
    let number = m.ability.unwrap_or(0);
    let Some((ability, holder)) = moves::ability_of(d, card, number as usize) else { return Ok(()) };
    if holder != card {
        d.cites(nova!("1009.2", Meaning), |d| {
            format!("{}は受信により他のカードの起動能力をプレイする", d.card_name(card))
        });
        let itself = ability.speaks_of(Word("this"));
        if itself && d.reading(nova!("C35", Reading), "b") != "b" {
            return d.undecided("受信でプレイした能力の「このカード」がどのカードか", &["nova:1009.2"]);
        }
    }
    if !d.on(nova!("801.3.5.1")) {
        return Ok(());
    }
    let saved = d.t.clone();
    let done = d.under(nova!("801.3.5.1"), |d| begin_ability(d, who, card, &ability, holder))?;
    if !done {
        take_back(d, saved);
    }
    Ok(())
}

fn begin_ability(d: &mut Duel, who: Seat, card: Ref, ability: &Arc<Ability>, holder: Ref) -> Flow<bool> {
    let mut frame = frame(who, card);
    let energy = energy::is_activated(d, ability);
    // 801.3.5.2, 310.7: the card is shown.
    let obj = d.t.obj(card.id);
    let (place, shown) = (obj.zone, obj.face_up);
    if schema().spec(place).sight != Sight::All || !shown {
        let shows = say(d, [nova!("801.3.5.2")]);
        if !shown && named(place, "エナジーゾーン") {
            d.trace.reach(nova!("310.7", Limit));
        }
        if shows {
            d.aside().reveal(card.id, true);
        }
    }
    let lock = moves::lock(d, who, holder, ability);
    if !choose_first(d, &mut frame, ability)? {
        return Ok(false);
    }
    let (owed, parts) = asked_for(d, card, ability);
    let bill = Bill { owed, parts, fixed_for: None, activates: true };
    if say(d, [nova!("801.3.3")]) && !bill::pay(d, &mut frame, bill)? {
        return Ok(false);
    }
    d.use_up(card, who, ability);
    if ability.limit.is_some() && has(&d.seen(card), "受信") {
        let spent = moves::spent(card);
        d.note_use(spent);
    }
    if energy
        && d.applies(nova!("801.6.6.2", Meaning), |d| {
            format!("{}のエナジー能力は待機領域に置かれず、すぐに解決される", d.card_name(card))
        })
    {
        for cite in [nova!("801.6.6", Frame), nova!("912.4.2", Frame), nova!("804.1", Frame)] {
            d.trace.reach(cite);
        }
        dated(d, &mut frame.slots);
        frame.slots.set(energy::ABILITY, vec![Thing::Number(1)]);
        d.perform(&mut frame, &ability.steps)?;
        resolve::hide(d);
        return Ok(true);
    }
    d.trace.reach(nova!("801.3.5.3"));
    d.trace.reach(nova!("912.3.3", Frame));
    d.trace.reach(nova!("801.3.5.4", Frame));
    push(d, ItemKind::Ability, who, card, Some(ability.clone()), frame.slots, None, None);
    d.note_use(lock);
    d.happen(vec![Event::about(Word("起動"), card).seat(who)])?;
    if !d.on(nova!("801.3.5.3")) {
        resolve::top(d)?;
    }
    Ok(true)
}

/// A card that comes onto the field of a player, under them.
pub fn onto_field(d: &mut Duel, card: Ref, seat: Seat, host: Option<(Word, crate::kernel::CardId)>) -> Event {
    let to = super::places::zone("場", seat);
    let mut event = d.moving(card, to).seat(seat);
    event.how = Word("プレイ");
    event.what = What::Move { to, bottom: false, state: 0, face_up: true, controller: Some(seat), host };
    event
}
