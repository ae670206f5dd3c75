//! 3.3.20, 4.1.1–4.1.3, 4.1.21: activating a card or an effect, with its cost and targets. Setting: 1.4.4.

use super::kinds::lies_as;
use super::places::in_hand;
use std::sync::Arc;

use super::kinds::printed;
use super::pendulum::outer_zones;
use super::places::{free_spell_zones, is_field, is_speed, room_for_spells, spell_zones, which, which_of, zone};
use super::schema::{ACTIVATING, EQUIP, LOOKED};
use super::summon::forbidden;
use super::text::{card_speed, effect_speed, graveyard, is};
use crate::card::{Ability, Kind, Step, Target, Word};
use crate::kernel::steps::Frame;
use crate::kernel::verb::{Allowed, no};
use crate::kernel::{
    CardId, Cause, Duel, Event, Flow, Item, ItemKind, Means, Move, Pending, Ref, Seat, Seen, Slots, Thing, Told, What,
    ZoneId,
};
use crate::limit;

/// What is activated: a card, or an effect of one.
#[derive(Clone)]
pub struct Source {
    pub card: Ref,
    pub seat: Seat,
    /// `None`: the card itself (3.3.20.1).
    pub ability: Option<Arc<Ability>>,
    pub event: Option<Arc<Event>>,
    pub slots: Slots,
}

impl Source {
    pub fn trigger(pending: &Pending) -> Source {
        Source {
            card: pending.source,
            seat: pending.seat,
            ability: Some(pending.ability.clone()),
            event: Some(pending.event.clone()),
            slots: pending.slots.clone(),
        }
    }

    /// What a player activates: a card from the hand or set, else an effect of the card.
    pub fn of(d: &mut Duel, who: Seat, m: &Move) -> Option<Source> {
        let card = m.card?;
        let seen = d.seen(card);
        let obj = d.t.obj(card.id);
        let spell = is(&seen, "魔法") || is(&seen, "罠");
        let pendulum = m.ability.is_none() && in_hand(d, who, card) && printed(d, card, "ペンデュラムモンスター");
        let fresh = pendulum || spell && (!is_field(obj.zone) || !obj.face_up);
        let first = || seen.abilities.iter().position(|a| a.kind == Kind::Activated).map(|n| n as u8);
        let number = m.ability.or_else(|| if fresh { None } else { first() });
        let ability = match number {
            Some(n) => Some(seen.abilities.get(n as usize).filter(|a| a.kind == Kind::Activated)?.clone()),
            None if fresh => None,
            None => return None,
        };
        Some(Source { card, seat: who, ability, event: None, slots: Slots::default() })
    }

    pub fn abilities(&self, d: &mut Duel) -> Vec<Arc<Ability>> {
        match &self.ability {
            Some(ability) => vec![ability.clone()],
            None => effects(&d.seen(self.card)),
        }
    }

    pub fn frame(&self) -> Frame {
        let cause = Cause { means: Means::Effect, card: Some(self.card), seat: Some(self.seat) };
        Frame { this: Some(self.card), seat: self.seat, slots: self.slots.clone(), event: self.event.clone(), cause }
    }

    pub fn speed(&self, d: &mut Duel) -> u8 {
        let seen = d.seen(self.card);
        match &self.ability {
            Some(ability) => effect_speed(d, &seen, ability),
            None => card_speed(d, &seen),
        }
    }
}

/// It is a spell or trap in a hand.
pub fn is_spell(d: &mut Duel, card: Ref) -> bool {
    !is_field(d.t.obj(card.id).zone) && (lies_as(d, card, "魔法") || lies_as(d, card, "罠"))
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

/// What activating costs, with what the mode costs that was chosen.
pub fn cost_of(abilities: &[Arc<Ability>], frame: &Frame) -> Vec<Step> {
    let mode = frame.slots.word("効果");
    let chosen = |a: &Arc<Ability>| a.modes.iter().find(|m| Some(m.name) == mode).map(|m| m.cost.clone());
    abilities.iter().flat_map(|a| [a.cost.clone(), chosen(a).unwrap_or_default()].concat()).collect()
}

/// 4.1.28.1: what the move activates has speed 2 or more.
pub fn is_quick(d: &mut Duel, who: Seat, m: &Move) -> bool {
    m.verb == "発動" && Source::of(d, who, m).is_some_and(|source| source.speed(d) > 1)
}

/// Activates what a player chose. What cannot be completed is taken back.
pub fn activate(d: &mut Duel, who: Seat, m: &Move) -> Flow {
    let Some(source) = Source::of(d, who, m) else { return Ok(()) };
    let saved = d.t.clone();
    if !d.under(ygo!("4.1.3.1", Frame), |d| link(d, source))? {
        d.take_back(saved);
    }
    Ok(())
}

/// 3.3.4.1: a triggered effect goes on the chain; whether it did.
pub fn trigger(d: &mut Duel, pending: &Pending) -> Flow<bool> {
    let saved = d.t.clone();
    let done = d.under(ygo!("2.3.3.1", Frame), |d| link(d, Source::trigger(pending)))?;
    if !done {
        d.take_back(saved);
    }
    Ok(done)
}

/// 4.1.1.2: cost before the declaration; then the card is shown, targets are chosen and the link is made.
fn link(d: &mut Duel, mut source: Source) -> Flow<bool> {
    let abilities = source.abilities(d);
    let mut frame = source.frame();
    for ability in &abilities {
        mode(d, &mut frame, ability)?;
    }
    let cost = cost_of(&abilities, &frame);
    let before = cost.is_empty() || d.applies(ygo!("4.1.1.2", Order), |_| "コストは発動の宣言の前に払う".into());
    if before && !pay(d, &mut frame, &cost)? {
        return Ok(false);
    }
    // A card that went as its own cost cannot be activated any more.
    if source.ability.is_none() && !d.t.is_now(source.card) {
        return Ok(false);
    }
    if source.ability.is_none() {
        let Some(shown) = show(d, source.seat, source.card)? else { return Ok(false) };
        source.card = shown;
        (frame.this, frame.cause.card) = (Some(shown), Some(shown));
    }
    for ability in &abilities {
        let (targets, steps) = parts(ability, &frame);
        let (targets, steps) = (targets.to_vec(), steps.to_vec());
        for target in targets {
            // What is done first is what the card must be fit for.
            match super::text::done_with(target.slot, &steps) {
                Some(Step::Move { .. }) => d.laying = Some((Word(EQUIP), None)),
                first => d.ahead = first.cloned(),
            }
            if !d.under(ygo!("4.1.21.1", Frame), |d| d.choose(&mut frame, &target, true))? {
                return Ok(false);
            }
        }
    }
    if !before && !pay(d, &mut frame, &cost)? {
        return Ok(false);
    }
    let named: Vec<Ref> = aims(&abilities, &frame);
    let (cause, seat) = (frame.cause, frame.seat);
    let done = push(d, source, frame)?;
    for card in named {
        let event = Event::about(Word("対象"), card).by(cause).seat(seat);
        if done && d.is_heard(&event) {
            d.happen(vec![event])?;
        }
    }
    Ok(done)
}

/// The cards that were chosen as targets.
fn aims(abilities: &[Arc<Ability>], frame: &Frame) -> Vec<Ref> {
    let targets = abilities.iter().flat_map(|ability| parts(ability, frame).0);
    targets.flat_map(|target| frame.slots.cards(&target.slot)).collect()
}

fn pay(d: &mut Duel, frame: &mut Frame, cost: &[Step]) -> Flow<bool> {
    if cost.is_empty() {
        return Ok(true);
    }
    let effect = frame.cause;
    frame.cause = Cause { means: Means::Cost, ..effect };
    let shown = shown(d);
    let paid = d.under(ygo!("4.1.2.2", Frame), |d| d.perform(frame, cost))?;
    hide_again(d, &shown);
    frame.cause = effect;
    shuffle_after(d)?;
    Ok(paid)
}

/// 4.1.21.1, 4.1.2.2: one of the effects that can be used: its targets are there, its cost can be paid.
fn mode(d: &mut Duel, frame: &mut Frame, ability: &Ability) -> Flow {
    use crate::kernel::{Asks, Question};
    if ability.modes.is_empty() {
        return Ok(());
    }
    let (mut of, mut refused) = (Vec::new(), Vec::new());
    for mode in &ability.modes {
        match super::allowed::usable(d, frame, mode) {
            Ok(()) => of.push(Thing::Word(mode.name)),
            Err(cite) => refused.push((Thing::Word(mode.name), cite)),
        }
    }
    let mut question = Question::new(frame.seat, Word("効果"), Asks::Choose { of, min: 1, max: 1 }).about(frame.this);
    question.refused = refused;
    let chosen = d.pick(question)?;
    frame.slots.set(Word("効果"), chosen);
    Ok(())
}

/// 3.3.10.1: a deck that was looked through is shuffled, whether the text says so or not.
pub fn shuffle_after(d: &mut Duel) -> Flow {
    for seat in Seat::BOTH {
        if d.t.seats[seat.index()][LOOKED] > 0 {
            *d.aside().seat(seat, LOOKED) = 0;
            d.step(ygo!("3.3.10.1"), |d| super::setup::shuffle(d, seat))?;
        }
    }
    Ok(())
}

/// The cards that lie open for all, though they are hidden where they are.
pub fn shown(d: &Duel) -> Vec<CardId> {
    d.t.ids().filter(|id| d.t.obj(*id).revealed).collect()
}

/// 4.1.20.1: what was only looked at lies hidden again afterwards.
pub fn hide_again(d: &mut Duel, before: &[CardId]) {
    for id in shown(d).into_iter().filter(|id| !before.contains(id)) {
        d.aside().reveal(id, false);
    }
}

/// 1.4.2.2, 3.3.20.1: from the hand face up into its zone, or turned up where it was set.
fn show(d: &mut Duel, who: Seat, card: Ref) -> Flow<Option<Ref>> {
    if is_field(d.t.obj(card.id).zone) {
        let event = Event { what: What::Face { up: true }, ..Event::about(Word("表"), card) };
        let shown = d.propose_one(event.seat(who))?.any().then_some(card);
        return Ok(begin(d, shown));
    }
    let to = if printed(d, card, "ペンデュラムモンスター") {
        if is_speed(d) {
            let clauses = ["ygo:1.9.3.6", "ygo:3.3.22.1"];
            return d.undecided("スピードデュエルのペンデュラムゾーンの場所の定めがない", &clauses);
        }
        // 3.3.22.1: at the outer ends.
        let zones = match d.applies(ygo!("3.3.22.1", Limit), |_| "左右両端の魔法&罠ゾーンに置く".into()) {
            true => outer_zones(who).into_iter().filter(|z| d.t.zone(*z).is_empty()).collect(),
            false => free_spell_zones(d, who),
        };
        let middle = spell_zones(who).into_iter().filter(|z| !zones.contains(z) && !outer_zones(who).contains(z));
        let middle = middle.map(|z| (Thing::Zone(z), ygo!("3.3.22.2", Limit))).collect();
        which_of(d, who, zones, card, middle)?
    } else if lies_as(d, card, "フィールド魔法") {
        Some(field_zone(d, who)?)
    } else {
        let zones = free_spell_zones(d, who);
        d.trace.reach(ygo!("2.6.1.1", Frame));
        which(d, who, zones, card)?
    };
    let Some(to) = to else { return Ok(None) };
    let shown = put(d, who, card, to, true)?;
    Ok(begin(d, shown))
}

/// 3.3.5.1: it lies there, but does nothing until its activation is processed.
fn begin(d: &mut Duel, card: Option<Ref>) -> Option<Ref> {
    if let Some(card) = card
        && d.on(ygo!("3.3.5.1", Meaning))
    {
        d.lies(card.id, ACTIVATING);
    }
    card
}

/// 2.6.1.2: the old field spell goes first.
fn field_zone(d: &mut Duel, who: Seat) -> Flow<crate::kernel::ZoneId> {
    let to = zone("フィールドゾーン", who);
    for id in d.t.zone(to).to_vec() {
        let old = d.t.now(id);
        let grave = graveyard(d, old);
        let event = d.moving(old, grave);
        d.step(ygo!("2.6.1.2"), |d| d.happen(vec![event]))?;
    }
    Ok(to)
}

fn put(d: &mut Duel, who: Seat, card: Ref, to: crate::kernel::ZoneId, face_up: bool) -> Flow<Option<Ref>> {
    let mut event = d.moving(card, to).seat(who);
    if !face_up {
        event.name = Word("セット");
    }
    event.what = What::Move { to, bottom: false, state: 0, face_up, controller: Some(who), host: None };
    Ok(d.propose(vec![event])?.first().and_then(|e| e.after))
}

fn push(d: &mut Duel, source: Source, frame: Frame) -> Flow<bool> {
    let kind = if source.ability.is_some() { ItemKind::Ability } else { ItemKind::Spell };
    if kind == ItemKind::Ability {
        d.trace.reach(ygo!("3.3.20.2", Frame));
    }
    for ability in source.abilities(d).iter() {
        d.use_up(source.card, source.seat, ability);
    }
    // Reading C55: from where on the field it was activated.
    let there = d.t.is_now(source.card).then(|| d.t.obj(source.card.id).zone);
    let from = there.filter(|zone| is_field(*zone));
    let id = d.aside().tick();
    d.aside().pile().push(Item {
        id,
        kind,
        card: Some(source.card),
        ability: source.ability,
        seat: source.seat,
        slots: frame.slots,
        event: source.event,
        from,
        negated: false,
    });
    let n = d.t.context().pile.len();
    d.tell(crate::kernel::Told::Applied, |d| format!("チェーン{n}: {}", d.card_name(source.card)));
    d.happen(vec![Event::about(Word("発動"), source.card).seat(source.seat)])?;
    Ok(true)
}

/// 1.4.4.1, 4.1.7.1: setting a spell or trap.
pub fn may_set(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let Some(card) = m.card else { return no(ygo!("4.1.7.1", Frame), "カードを指定していない") };
    super::moves::ordinary(d, who)?;
    limit!(d, in_hand(d, who, card), ygo!("4.1.7.1", Limit), "自分の手札のカードではない");
    if !lies_as(d, card, "魔法") && !lies_as(d, card, "罠") {
        return no(ygo!("4.1.7.1", Frame), "何のカードか分からない");
    }
    if lies_as(d, card, "魔法") {
        // 1.4.4.1: spells can be set too.
        d.trace.reach(ygo!("1.4.4.1", Limit));
        if !d.on(ygo!("1.4.4.1", Limit)) {
            return no(ygo!("1.4.4.1", Limit), "伏せて出せるのは罠カードだけ");
        }
    }
    let field = lies_as(d, card, "フィールド魔法");
    let room = field || !free_spell_zones(d, who).is_empty();
    limit!(d, room, room_for_spells(d, who), "魔法&罠ゾーンに空きがない");
    forbidden(d, who, m)
}

/// A field spell has its own zone; any other goes where there is room, if there is.
fn where_to_set(d: &mut Duel, who: Seat, card: Ref) -> Flow<Option<ZoneId>> {
    if lies_as(d, card, "フィールド魔法") {
        return Ok(Some(field_zone(d, who)?));
    }
    let zones = free_spell_zones(d, who);
    which(d, who, zones, card)
}

/// 4.1.7.1: a text sets a spell or trap.
pub fn set_by_effect(d: &mut Duel, who: Seat, card: Ref, cause: Cause) -> Flow<bool> {
    if !lies_as(d, card, "魔法") && !lies_as(d, card, "罠") {
        return d.unwritten("魔法・罠でないカードを効果でセットすること", &["ygo:4.1.7.1"]);
    }
    d.under(ygo!("4.1.7.1", Frame), |d| {
        let to = where_to_set(d, who, card)?;
        let Some(to) = to else {
            d.tell(Told::NotApplied, |d| format!("魔法&罠ゾーンに空きがないので{}はセットされない", d.card_name(card)));
            return Ok(false);
        };
        let mut event = d.moving(card, to).by(cause).seat(who);
        event.name = Word("セット");
        event.what = What::Move { to, bottom: false, state: 0, face_up: false, controller: Some(who), host: None };
        Ok(d.propose_one(event)?.any())
    })
}

pub fn set(d: &mut Duel, who: Seat, card: Ref) -> Flow {
    d.under(ygo!("4.1.7.1", Frame), |d| {
        let to = where_to_set(d, who, card)?;
        if let Some(to) = to {
            put(d, who, card, to, false)?;
        }
        Ok(())
    })
}
