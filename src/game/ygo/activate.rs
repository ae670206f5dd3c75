//! 1.4, 2.3, 2.6: using spells, traps and effects; 4.1.1–4.1.3, 4.1.21: cost, activation, targets.

use std::sync::Arc;

use super::moves::refusal;
use super::places::{free_spell_zones, hand, is_field, is_monster_zone, which, zone};
use super::priority::top_speed;
use super::schema::SET;
use super::stages;
use super::summon::forbidden;
use super::text::{card_speed, effect_speed, graveyard, is};
use crate::card::{Ability, Kind, Pool, Step, Target, Word};
use crate::kernel::steps::Frame;
use crate::kernel::{
    Cause, Duel, Event, Flow, Item, ItemKind, Means, Move, Pending, Ref, Refusal, Seat, Seen, Slots, Thing, What,
};

/// What is activated: a card, or an effect of one.
#[derive(Clone)]
pub struct Source {
    pub card: Ref,
    pub seat: Seat,
    /// `None`: the card itself (3.3.20.1).
    pub ability: Option<Arc<Ability>>,
    pub number: Option<u8>,
    pub event: Option<Arc<Event>>,
    pub slots: Slots,
}

impl Source {
    pub fn trigger(pending: &Pending) -> Source {
        Source {
            card: pending.source,
            seat: pending.seat,
            ability: Some(pending.ability.clone()),
            number: None,
            event: Some(pending.event.clone()),
            slots: pending.slots.clone(),
        }
    }

    /// What a player activates: a card from the hand or set, else an effect of the card.
    fn of(d: &mut Duel, who: Seat, m: &Move) -> Option<Source> {
        let card = m.card?;
        let seen = d.seen(card);
        let obj = d.t.obj(card.id);
        let fresh = !is(&seen, "モンスター") && (!is_field(obj.zone) || !obj.face_up);
        let first = || seen.abilities.iter().position(|a| a.kind == Kind::Activated).map(|n| n as u8);
        let number = m.ability.or_else(|| if fresh { None } else { first() });
        let ability = match number {
            Some(n) => Some(seen.abilities.get(n as usize).filter(|a| a.kind == Kind::Activated)?.clone()),
            None if fresh => None,
            None => return None,
        };
        Some(Source { card, seat: who, ability, number, event: None, slots: Slots::default() })
    }

    fn abilities(&self, d: &mut Duel) -> Vec<Arc<Ability>> {
        match &self.ability {
            Some(ability) => vec![ability.clone()],
            None => effects(&d.seen(self.card)),
        }
    }

    fn frame(&self) -> Frame {
        let cause = Cause { means: Means::Effect, card: Some(self.card), seat: Some(self.seat) };
        Frame { this: Some(self.card), seat: self.seat, slots: self.slots.clone(), event: self.event.clone(), cause }
    }

    fn speed(&self, d: &mut Duel) -> u8 {
        let seen = d.seen(self.card);
        match &self.ability {
            Some(ability) => effect_speed(d, &seen, ability),
            None => card_speed(d, &seen),
        }
    }
}

/// What the card does when it is activated.
pub fn effects(seen: &Seen) -> Vec<Arc<Ability>> {
    seen.abilities.iter().filter(|a| a.kind == Kind::Effect && a.keyword.is_none()).cloned().collect()
}

pub fn frame_of(item: &Item) -> Frame {
    let cause = Cause { means: Means::Effect, card: item.card, seat: Some(item.seat) };
    Frame { this: item.card, seat: item.seat, slots: item.slots.clone(), event: item.event.clone(), cause }
}

/// The targets and steps of an ability, with the mode that was chosen.
pub fn parts<'a>(ability: &'a Ability, frame: &Frame) -> (&'a [Target], &'a [Step]) {
    let mode = frame.slots.word("効果");
    match ability.modes.iter().find(|m| Some(m.name) == mode) {
        Some(mode) => (&mode.target, &mode.steps),
        None => (&ability.target, &ability.steps),
    }
}

/// 4.1.28.1: what the move activates has speed 2 or more.
pub fn is_quick(d: &mut Duel, who: Seat, m: &Move) -> bool {
    m.verb == "発動" && Source::of(d, who, m).is_some_and(|source| source.speed(d) > 1)
}

/// Whether the player may activate this now, and if not, why not.
pub fn may(d: &mut Duel, who: Seat, m: &Move) -> Result<(), Refusal> {
    let Some(source) = Source::of(d, who, m) else {
        return refusal(d, m, ygo!("4.1.3.1", Frame), "発動できる効果がない");
    };
    chainable(d, m, &source)?;
    match source.ability.clone() {
        None => card_in_time(d, who, m, &source)?,
        Some(ability) => effect_in_time(d, who, m, &source, &ability)?,
    }
    let abilities = source.abilities(d);
    let counter = is(&d.seen(source.card), "カウンター罠");
    stages::may(d, m, counter, &abilities)?;
    forbidden(d, who, m)?;
    completable(d, m, &source, &abilities)
}

/// 2.7.4.1, 2.7.5.2, 2.7.7.2: fast enough to answer what is on top of the chain.
fn chainable(d: &mut Duel, m: &Move, source: &Source) -> Result<(), Refusal> {
    let Some(top) = top_speed(d) else { return Ok(()) };
    let speed = source.speed(d);
    d.trace.reach(ygo!("2.7.4.1", Frame));
    limit!(d, m, speed > 1, ygo!("2.7.5.2", Limit), "スペルスピード1ではチェーンできない");
    limit!(d, m, top < 3 || speed != 2, ygo!("2.7.7.2", Limit), "スペルスピード3にはスペルスピード3でしか対応できない");
    Ok(())
}

/// 1.4.2, 1.4.3, 1.4.4, 2.6.1: from where and when a spell or trap may be activated.
fn card_in_time(d: &mut Duel, who: Seat, m: &Move, source: &Source) -> Result<(), Refusal> {
    let card = source.card;
    let seen = d.seen(card);
    let in_hand = hand(d, who).contains(&card);
    let set = is_field(d.t.obj(card.id).zone) && seen.controller == who;
    limit!(d, m, in_hand || set, ygo!("3.3.20.1", Limit), "自分の手札のカードでも、セットしたカードでもない");
    let new = d.t.obj(card.id).facts[SET] > 0;
    if is(&seen, "罠") {
        limit!(d, m, !in_hand, ygo!("1.4.3.2", Limit), "罠カードは一度セットしなければならない");
        limit!(d, m, !new, ygo!("1.4.3.2", Limit), "罠カードはセットしたターンには発動できない");
    } else if is(&seen, "速攻魔法") {
        limit!(d, m, !new, ygo!("1.4.2.8", Limit), "速攻魔法はセットしたターンには発動できない");
        let own = who == d.t.active;
        limit!(d, m, own || !in_hand, ygo!("1.4.2.7", Limit), "相手のターンに手札の速攻魔法は発動できない");
    } else {
        limit!(d, m, who == d.t.active, ygo!("1.4.2.1", Limit), "速攻魔法以外の魔法は自分のターンだけ");
        limit!(d, m, is_main(d), ygo!("1.4.2.1", Limit), "速攻魔法以外の魔法は自分のメインフェイズだけ");
    }
    // Reading C31: a field spell needs no room among the five.
    if in_hand && is(&seen, "フィールド魔法") {
        d.reading(ygo!("C31", Reading), "a");
    } else if in_hand {
        let room = !free_spell_zones(d, who).is_empty();
        limit!(d, m, room, ygo!("2.6.1.1", Limit), "魔法&罠ゾーンに空きがない");
    }
    Ok(())
}

fn is_main(d: &Duel) -> bool {
    d.t.phase == "メインフェイズ1" || d.t.phase == "メインフェイズ2"
}

/// 2.3.2.1, 2.3.4.1, 4.1.19.1: when an effect may be activated.
fn effect_in_time(d: &mut Duel, who: Seat, m: &Move, source: &Source, ability: &Ability) -> Result<(), Refusal> {
    let card = source.card;
    let seen = d.seen(card);
    let obj = d.t.obj(card.id);
    let (zone, face_up) = (obj.zone, obj.face_up);
    let holder = if is_field(zone) { seen.controller } else { obj.owner };
    limit!(d, m, holder == who, ygo!("4.1.31.1", Limit), "自分のコントロールするカードではない");
    let works = d.book.works(&seen, zone, face_up, ability);
    let down = is_monster_zone(zone) && !face_up;
    let cite = if down { ygo!("2.2.0.3", Limit) } else { ygo!("2.3.0.1", Limit) };
    limit!(d, m, works, cite, "その状態や場所では効果を使えない");
    if source.speed(d) == 1 {
        limit!(d, m, who == d.t.active && is_main(d), ygo!("2.3.2.1", Limit), "起動効果は自分のメインフェイズだけ");
    }
    let used = d.t.used.iter().filter(|u| **u == (card, source.number.unwrap_or(0))).count();
    let left = ability.limit.is_none_or(|l| used < l as usize);
    limit!(d, m, left, ygo!("4.1.19.1", Limit), "このターンはもう使った");
    Ok(())
}

/// 4.1.3.1, 4.1.21.1, 1.4.3.5: the condition holds, the cost can be paid, targets can be chosen.
fn completable(d: &mut Duel, m: &Move, source: &Source, abilities: &[Arc<Ability>]) -> Result<(), Refusal> {
    let frame = source.frame();
    let holds = conditions(d, &frame, abilities);
    limit!(d, m, holds, ygo!("4.1.3.1", Limit), "発動の条件を満たしていない");
    let counter = is(&d.seen(source.card), "カウンター罠");
    // 3.3.5.2: a summon or the end of a phase is no activation that could be answered.
    let answers = abilities.iter().flat_map(|a| &a.target).any(|t| matches!(t.of, Pool::Items(_)));
    let cite = if answers && d.t.context().pile.is_empty() {
        ygo!("3.3.5.2", Limit)
    } else if counter {
        ygo!("1.4.3.5", Limit)
    } else {
        ygo!("4.1.21.1", Limit)
    };
    let aims = abilities.iter().all(|a| targets_exist(d, &frame, a));
    limit!(d, m, aims, cite, "対象にできるものがない");
    limit!(d, m, payable(d, source, abilities), ygo!("4.1.2.2", Limit), "コストを払えない");
    Ok(())
}

fn conditions(d: &mut Duel, frame: &Frame, abilities: &[Arc<Ability>]) -> bool {
    let ctx = frame.ctx();
    abilities.iter().all(|a| a.cond.as_ref().is_none_or(|cond| d.see(|eyes| eyes.holds(&ctx, cond))))
}

fn payable(d: &mut Duel, source: &Source, abilities: &[Arc<Ability>]) -> bool {
    let cost: Vec<Step> = abilities.iter().flat_map(|a| a.cost.clone()).collect();
    cost.is_empty() || d.possible(&cost, &source.slots, Some(source.card), source.seat, None).unwrap_or(false)
}

/// A triggered effect can be activated: its targets are there, its cost can be paid.
pub fn can_complete(d: &mut Duel, source: &Source) -> bool {
    let abilities = source.abilities(d);
    let frame = source.frame();
    abilities.iter().all(|a| targets_exist(d, &frame, a)) && payable(d, source, &abilities)
}

fn targets_exist(d: &mut Duel, frame: &Frame, ability: &Ability) -> bool {
    if ability.modes.is_empty() {
        return can_choose(d, frame, &ability.target);
    }
    ability.modes.iter().any(|m| can_choose(d, frame, &m.target))
}

/// Some choice of the first target leaves the others possible.
fn can_choose(d: &mut Duel, frame: &Frame, targets: &[Target]) -> bool {
    let Some((target, rest)) = targets.split_first() else { return true };
    let (of, _) = d.candidates_of(frame, &target.of, true);
    if matches!(target.of, Pool::Numbers(..)) {
        return can_choose(d, frame, rest);
    }
    let Some((min, _)) = d.how_many(frame, target, of.len(), true) else { return false };
    if rest.is_empty() {
        return true;
    }
    let with = |things: Vec<Thing>| {
        let mut frame = frame.clone();
        frame.slots.set(target.slot, things);
        frame
    };
    if min == 0 { can_choose(d, &with(of), rest) } else { of.iter().any(|t| can_choose(d, &with(vec![*t]), rest)) }
}

/// Activates what a player chose. What cannot be completed is taken back.
pub fn activate(d: &mut Duel, who: Seat, m: &Move) -> Flow {
    let Some(source) = Source::of(d, who, m) else { return Ok(()) };
    // Not executable yet: better no answer than a wrong one.
    if let Some(class) =
        ["装備魔法", "儀式魔法"].iter().find(|c| source.ability.is_none() && is(&d.seen(source.card), c))
    {
        return d.gap(format!("{class}の発動はまだ実行できない"), &["ygo:1.4.2.3", "ygo:1.4.2.5"]);
    }
    let saved = d.t.clone();
    if !d.under(ygo!("4.1.3.1", Frame), |d| link(d, source))? {
        *d.edit() = saved;
    }
    Ok(())
}

/// 3.3.4.1: a triggered effect goes on the chain; whether it did.
pub fn trigger(d: &mut Duel, pending: &Pending) -> Flow<bool> {
    let saved = d.t.clone();
    let done = d.under(ygo!("2.3.3.1", Frame), |d| link(d, Source::trigger(pending)))?;
    if !done {
        *d.edit() = saved;
    }
    Ok(done)
}

/// 4.1.1.2: cost before the declaration; then the card is shown, targets are chosen and the link is made.
fn link(d: &mut Duel, mut source: Source) -> Flow<bool> {
    let abilities = source.abilities(d);
    let mut frame = source.frame();
    let cost: Vec<Step> = abilities.iter().flat_map(|a| a.cost.clone()).collect();
    let before = cost.is_empty() || d.applies(ygo!("4.1.1.2", Order), |_| "コストは発動の宣言の前に払う".into());
    if before && !pay(d, &mut frame, &cost)? {
        return Ok(false);
    }
    if source.ability.is_none() {
        let Some(shown) = show(d, source.seat, source.card)? else { return Ok(false) };
        source.card = shown;
        (frame.this, frame.cause.card) = (Some(shown), Some(shown));
    }
    for ability in &abilities {
        mode(d, &mut frame, ability)?;
        for target in parts(ability, &frame).0.to_vec() {
            if !d.under(ygo!("4.1.21.1", Frame), |d| d.choose(&mut frame, &target, true))? {
                return Ok(false);
            }
        }
    }
    if !before && !pay(d, &mut frame, &cost)? {
        return Ok(false);
    }
    push(d, source, frame)
}

fn pay(d: &mut Duel, frame: &mut Frame, cost: &[Step]) -> Flow<bool> {
    if cost.is_empty() {
        return Ok(true);
    }
    let effect = frame.cause;
    frame.cause = Cause { means: Means::Cost, ..effect };
    let paid = d.under(ygo!("4.1.2.2", Frame), |d| d.perform(frame, cost))?;
    frame.cause = effect;
    Ok(paid)
}

fn mode(d: &mut Duel, frame: &mut Frame, ability: &Ability) -> Flow {
    use crate::kernel::{Asks, Question};
    if ability.modes.is_empty() {
        return Ok(());
    }
    let of = ability.modes.iter().map(|m| Thing::Word(m.name)).collect();
    let question = Question::new(frame.seat, Word("効果"), Asks::Choose { of, min: 1, max: 1 }).about(frame.this);
    let chosen = d.pick(question)?;
    frame.slots.set(Word("効果"), chosen);
    Ok(())
}

/// 1.4.2.2, 3.3.20.1: from the hand face up into its zone, or turned up where it was set.
fn show(d: &mut Duel, who: Seat, card: Ref) -> Flow<Option<Ref>> {
    if is_field(d.t.obj(card.id).zone) {
        let event = Event { what: What::Face { up: true }, ..Event::about(Word("表"), card) };
        return Ok(d.propose_one(event.seat(who))?.then_some(card));
    }
    let to = if is(&d.seen(card), "フィールド魔法") {
        Some(field_zone(d, who)?)
    } else {
        let zones = free_spell_zones(d, who);
        d.trace.reach(ygo!("2.6.1.1", Frame));
        which(d, who, zones, card)?
    };
    let Some(to) = to else { return Ok(None) };
    put(d, who, card, to, true)
}

/// 2.6.1.2: the old field spell goes first.
fn field_zone(d: &mut Duel, who: Seat) -> Flow<crate::kernel::ZoneId> {
    let to = zone("フィールドゾーン", who);
    for id in d.t.zone(to).to_vec() {
        let old = d.t.now(id);
        let grave = graveyard(d, old);
        let event = d.moving(old, grave);
        d.under(ygo!("2.6.1.2", Frame), |d| d.propose_one(event))?;
    }
    Ok(to)
}

fn put(d: &mut Duel, who: Seat, card: Ref, to: crate::kernel::ZoneId, face_up: bool) -> Flow<Option<Ref>> {
    let mut event = d.moving(card, to).seat(who);
    if !face_up {
        event.name = Word("セット");
    }
    event.what = What::Move { to, bottom: false, turned: false, face_up, controller: Some(who), host: None };
    Ok(d.propose(vec![event])?.first().and_then(|e| e.after))
}

fn push(d: &mut Duel, source: Source, frame: Frame) -> Flow<bool> {
    let kind = if source.ability.is_some() { ItemKind::Ability } else { ItemKind::Spell };
    if let Some(number) = source.number {
        d.edit().used.push((source.card, number));
    }
    let t = d.edit();
    let id = t.tick();
    t.context_mut().pile.push(Item {
        id,
        kind,
        card: Some(source.card),
        ability: source.ability,
        seat: source.seat,
        slots: frame.slots,
        event: source.event,
        from: None,
        negated: false,
    });
    let n = d.t.context().pile.len();
    d.tell(crate::kernel::Told::Applied, |d| format!("チェーン{n}: {}", d.card_name(source.card)));
    d.propose_one(Event::about(Word("発動"), source.card).seat(source.seat))?;
    Ok(true)
}

/// 1.4.4.1, 4.1.7.1: setting a spell or trap.
pub fn may_set(d: &mut Duel, who: Seat, m: &Move) -> Result<(), Refusal> {
    let Some(card) = m.card else { return refusal(d, m, ygo!("4.1.7.1", Frame), "カードを指定していない") };
    super::moves::ordinary(d, who, m)?;
    limit!(d, m, hand(d, who).contains(&card), ygo!("4.1.7.1", Limit), "自分の手札のカードではない");
    let field = is(&d.seen(card), "フィールド魔法");
    let room = field || !free_spell_zones(d, who).is_empty();
    limit!(d, m, room, ygo!("1.1.3.4", Limit), "魔法&罠ゾーンに空きがない");
    forbidden(d, who, m)
}

pub fn set(d: &mut Duel, who: Seat, card: Ref) -> Flow {
    d.under(ygo!("4.1.7.1", Frame), |d| {
        let to = if is(&d.seen(card), "フィールド魔法") {
            Some(field_zone(d, who)?)
        } else {
            let zones = free_spell_zones(d, who);
            which(d, who, zones, card)?
        };
        if let Some(to) = to {
            put(d, who, card, to, false)?;
        }
        Ok(())
    })
}
