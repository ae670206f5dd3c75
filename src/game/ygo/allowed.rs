//! 1.4, 2.3, 2.6, 2.7.4: whether a spell, a trap or an effect may be activated now.

use super::kinds::lies_as;
use super::places::in_hand;
use std::sync::Arc;

use super::activate::Source;
use super::kinds::printed;
use super::landing;
use super::negation::TIME;
use super::pendulum::outer_zones;
use super::places::{free_monster_zones, free_spell_zones, is_field, is_monster_zone, is_speed, room_for_spells, zone};
use super::priority::top_speed;
use super::schema::SET;
use super::speech::PLAYED_FROM;
use super::stages;
use super::summon::{can_come, forbidden};
use super::text::{self, is};
use crate::card::{Ability, Change, Kind, LimitBy, Mode, Pool, Step, Target, Value, Word};
use crate::kernel::steps::Frame;
use crate::kernel::verb::{Allowed, no};
use crate::kernel::{Cause, Cite, Ctx, Duel, Event, ItemKind, Means, Move, Ref, Seat, Slots, Thing, ZoneId};
use crate::limit;

/// Whether the player may activate this now, and if not, why not.
pub fn may(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let Some(source) = Source::of(d, who, m) else { return super::untimely::nothing(d, m) };
    chainable(d, &source)?;
    match source.ability.clone() {
        None => card_in_time(d, who, m, &source)?,
        Some(ability) => effect_in_time(d, who, &source, &ability)?,
    }
    let abilities = source.abilities(d);
    let counter = lies_as(d, source.card, "カウンター罠");
    stages::may(d, counter, &abilities)?;
    while_summoning(d, &abilities)?;
    forbidden(d, who, m)?;
    completable(d, &source, &abilities)
}

/// Reading C53: what negates a summon is used for it, and while a summon is going on nothing else begins a chain.
fn while_summoning(d: &mut Duel, abilities: &[Arc<Ability>]) -> Allowed {
    let timed = abilities.iter().any(|a| a.timing.is_some_and(|t| t == TIME));
    let open = d.t.context().step == TIME;
    let free = d.t.context().pile.is_empty();
    let ok = if timed { open && free } else { !open || !free };
    if ok {
        Ok(())
    } else {
        no(ygo!("C53", Reading), "モンスターを召喚する際の効果ではないか、その時ではない")
    }
}

/// 2.7.4.1, 2.7.5.2, 2.7.7.2: fast enough to answer what is on top of the chain.
fn chainable(d: &mut Duel, source: &Source) -> Allowed {
    let Some(top) = top_speed(d) else { return Ok(()) };
    let speed = source.speed(d);
    d.trace.reach(ygo!("2.7.4.1", Frame));
    limit!(d, speed > 1, ygo!("2.7.5.2", Limit), "スペルスピード1ではチェーンできない");
    limit!(d, top < 3 || speed != 2, ygo!("2.7.7.2", Limit), "スペルスピード3にはスペルスピード3でしか対応できない");
    Ok(())
}

/// 1.4.2, 1.4.3, 1.4.4, 2.6.1: from where and when a spell or trap may be activated.
fn card_in_time(d: &mut Duel, who: Seat, m: &Move, source: &Source) -> Allowed {
    let card = source.card;
    let seen = d.seen(card);
    let in_hand = in_hand(d, who, card);
    let set = is_field(d.t.obj(card.id).zone) && seen.controller == who;
    limit!(d, in_hand || set, ygo!("3.3.20.1", Limit), "自分の手札のカードでも、セットしたカードでもない");
    let new = d.t.obj(card.id).facts[SET] > 0;
    if is(&seen, "罠") {
        let at_once = !in_hand || lets(d, who, card, PLAYED_FROM[0]);
        limit!(d, at_once, ygo!("1.4.3.2", Limit), "罠カードは一度セットしなければならない");
        let ready = !new || lets(d, who, card, PLAYED_FROM[1]);
        limit!(d, ready, ygo!("1.4.3.2", Limit), "罠カードはセットしたターンには発動できない");
    } else if is(&seen, "速攻魔法") {
        let ready = !new || lets(d, who, card, PLAYED_FROM[1]);
        limit!(d, ready, ygo!("1.4.2.8", Limit), "速攻魔法はセットしたターンには発動できない");
        let own = who == d.t.active || !in_hand || lets(d, who, card, PLAYED_FROM[0]);
        limit!(d, own, ygo!("1.4.2.7", Limit), "相手のターンに手札の速攻魔法は発動できない");
    } else {
        // 1.4.4.2: one that was set, in the same turn or later.
        let cite = if set { ygo!("1.4.4.2", Limit) } else { ygo!("1.4.2.1", Limit) };
        d.trace.reach(cite);
        limit!(d, who == d.t.active, cite, "速攻魔法以外の魔法は自分のターンだけ");
        limit!(d, is_main(d), cite, "速攻魔法以外の魔法は自分のメインフェイズだけ");
        if set && new && !d.on(ygo!("1.4.4.2", Limit)) {
            return no(ygo!("1.4.4.2", Limit), "伏せたターンには発動できない");
        }
    }
    // Reading C58: what is said of the places in a speed duel.
    let turn_bound = is(&seen, "罠") && who == d.t.active || is(&seen, "速攻魔法") && who != d.t.active;
    if is_speed(d) && turn_bound && d.reading(ygo!("C58", Reading), "a") == "b" {
        return no(ygo!("1.9.3.4", Limit), "魔法は自分のターン、罠は相手のターンに使う");
    }
    if in_hand && printed(d, card, "ペンデュラムモンスター") {
        let outer = outer_zones(who);
        let right = m.to.is_none_or(|z| outer.contains(&z));
        limit!(d, right, ygo!("3.3.22.2", Limit), "中央3カ所の魔法&罠ゾーンには置けない");
        // 3.3.22.7: as often as there is room. Knocked out, once a turn.
        let laid = |e: &Event| {
            e.name == "発動" && e.seat == Some(who) && e.after.is_some_and(|c| printed(d, c, "ペンデュラムモンスター"))
        };
        if d.t.happened.iter().any(|e| laid(e)) {
            d.trace.reach(ygo!("3.3.22.7", Limit));
            if !d.on(ygo!("3.3.22.7", Limit)) {
                return no(ygo!("3.3.22.7", Limit), "このターンはもう置いた");
            }
        }
        let room = outer.iter().any(|z| d.t.zone(*z).is_empty() && m.to.is_none_or(|to| to == *z));
        let meant = |z: &&ZoneId| m.to.is_none_or(|to| to == **z);
        let pendulum = |z: &ZoneId| d.t.zone(*z).iter().any(|id| printed(d, d.t.now(*id), "ペンデュラムモンスター"));
        let held = outer.iter().filter(meant).any(pendulum);
        let cite = if held { ygo!("3.3.22.6", Limit) } else { ygo!("3.3.22.1", Limit) };
        limit!(d, room, cite, "空いているペンデュラムゾーンがない");
        return Ok(());
    }
    // Reading C31: a field spell needs no room among the five.
    if in_hand && is(&seen, "フィールド魔法") {
        d.reading(ygo!("C31", Reading), "a");
    } else if in_hand {
        let room = !free_spell_zones(d, who).is_empty();
        let among = room_for_spells(d, who);
        let cite = if among.clause == "1.1.3.4" { ygo!("2.6.1.1", Limit) } else { among };
        limit!(d, room, cite, "魔法&罠ゾーンに空きがない");
    }
    Ok(())
}

/// 3.3.8.1: a text lets the card be activated from there all the same: its own, wherever it lies, or another's.
fn lets(d: &mut Duel, who: Seat, card: Ref, place: &str) -> bool {
    let says = |change: &Change| matches!(change, Change::PlayFrom(from) if *from == place);
    let (view, given) = (d.look(), d.given);
    let own = &given.defs[d.t.obj(card.id).def as usize].card.abilities;
    let mut own = own.iter().filter(|a| a.kind == Kind::Static && a.affects.is_none() && a.grant.iter().any(says));
    let slots = Slots::default();
    let ctx = Ctx { this: Some(card), seat: who, slots: &slots, event: None };
    let told = view.rules.iter().any(|rule| rule.on == Some(card.id) && says(&rule.change));
    let told = told || own.any(|a| a.cond.as_ref().is_none_or(|c| d.see(|eyes| eyes.holds(&ctx, c))));
    told && d.applies(ygo!("3.3.8.1", Limit), |d| format!("{}は{place}から発動できる", d.card_name(card)))
}

pub fn is_main(d: &Duel) -> bool {
    d.t.phase == "メインフェイズ1" || d.t.phase == "メインフェイズ2"
}

/// 2.3.2.1, 2.3.4.1, 4.1.19.1: when an effect may be activated.
fn effect_in_time(d: &mut Duel, who: Seat, source: &Source, ability: &Ability) -> Allowed {
    let card = source.card;
    let seen = d.seen(card);
    let obj = d.t.obj(card.id);
    let (zone, face_up) = (obj.zone, obj.face_up);
    let holder = if is_field(zone) { seen.controller } else { obj.owner };
    limit!(d, holder == who, ygo!("4.1.31.1", Limit), "自分のコントロールするカードではない");
    let works = d.book.works(&seen, zone, face_up, ability).is_ok();
    let down = is_monster_zone(zone) && !face_up;
    let cite = if down { ygo!("2.2.0.3", Limit) } else { ygo!("2.3.0.1", Limit) };
    limit!(d, works, cite, "その状態や場所では効果を使えない");
    if source.speed(d) == 1 {
        limit!(d, who == d.t.active && is_main(d), ygo!("2.3.2.1", Limit), "起動効果は自分のメインフェイズだけ");
    }
    Ok(())
}

/// 4.1.3.1, 4.1.21.1, 1.4.3.5: the condition holds, the cost can be paid, targets can be chosen.
fn completable(d: &mut Duel, source: &Source, abilities: &[Arc<Ability>]) -> Allowed {
    let frame = source.frame();
    let holds = conditions(d, &frame, abilities);
    limit!(d, holds, ygo!("4.1.3.1", Limit), "発動の条件を満たしていない");
    // 4.1.22: what may be used only so often.
    let used = abilities.iter().any(|a| a.kind != Kind::Triggered && used_up(d, source, a));
    let whole = abilities.iter().any(|a| a.limit.is_some_and(|l| l.by == LimitBy::Whole));
    let by_name = abilities.iter().any(|a| a.limit.is_some_and(|l| l.by == LimitBy::Name));
    let cite = limited_by(if whole {
        LimitBy::Whole
    } else if by_name {
        LimitBy::Name
    } else {
        LimitBy::Ability
    });
    // How often in the duel only the text says (3.3.8.1).
    let duel = abilities.iter().any(|a| a.limit.is_some_and(|l| l.during.is_some_and(|time| time == "デュエル")));
    let (cite, why) = match duel {
        true => (ygo!("3.3.8.1", Limit), "このデュエルではもう使った"),
        false => (cite, "このターンはもう使った"),
    };
    limit!(d, !used, cite, why);
    let counter = lies_as(d, source.card, "カウンター罠");
    // 3.3.5.2: a summon or the end of a phase is no activation that could be answered.
    let mut items = abilities.iter().flat_map(|a| &a.target).filter_map(|t| match &t.of {
        Pool::Items(filter) => Some(filter),
        _ => None,
    });
    let answers = items.clone().next().is_some();
    // 3.3.20.2: the activation of an effect of a spell or trap is not that of the card.
    let of_card = items.any(|filter| filter.role.is_some_and(|role| role == "カードの発動"));
    let top = d.t.context().pile.last().map(|item| (item.kind, item.card));
    let effect =
        top.is_some_and(|(kind, card)| kind == ItemKind::Ability && card.is_some_and(|c| is_spell_or_trap(d, c)));
    let cite = if answers && top.is_none() {
        ygo!("3.3.5.2", Limit)
    } else if of_card && effect {
        ygo!("3.3.20.2", Limit)
    } else if counter {
        ygo!("1.4.3.5", Limit)
    } else {
        ygo!("4.1.21.1", Limit)
    };
    super::text::kinds_known(d, abilities);
    super::text::materials_known(d, abilities);
    let aims = abilities.iter().all(|a| targets_exist(d, &frame, a));
    let cite = if aims || !d.gives_reasons() { cite } else { left_out(d, &frame, abilities).unwrap_or(cite) };
    limit!(d, aims, cite, "対象にできるものがない");
    let idle = abilities.iter().any(|a| is_barred(d, &frame, a) || finds_nothing(d, &frame, a))
        && d.reading(ygo!("C67", Reading), "a") != "b";
    limit!(d, !idle, ygo!("C67", Reading), "処理できることがない");
    limit!(d, payable(d, source, abilities), ygo!("4.1.2.2", Limit), "コストを払えない");
    let (cite, possible) = summonable(d, source, abilities);
    limit!(d, possible, cite, "召喚の条件が揃わない");
    Ok(())
}

/// Reading C67: none of the monsters that the text could aim at may be special summoned, or has a zone to come to.
fn is_barred(d: &mut Duel, frame: &Frame, ability: &Ability) -> bool {
    // What is paid, or done besides, may make room.
    let free = ability.cost.is_empty() && ability.modes.is_empty() && ability.steps.len() == 1;
    if d.look().rules.is_empty() && !(free && free_monster_zones(d, frame.seat).is_empty()) {
        return false;
    }
    let comes = |d: &mut Duel, thing: &Thing| {
        let Thing::Card(card) = *thing else { return true };
        let zones = landing::zones(d, frame.seat, card, &[]);
        let open = can_come(d, frame.seat, card, &zones, Word(""), frame.cause);
        if zones.is_empty() { !free } else { open.unwrap_or(true) }
    };
    ability.target.iter().any(|target| {
        let step = text::done_with(target.slot, &ability.steps);
        let revives = matches!(step, Some(Step::Act { name, .. }) if text::revives(*name));
        let of = if revives { fitting(d, frame, target, &ability.steps).0 } else { Vec::new() };
        !of.is_empty() && !of.iter().any(|thing| comes(d, thing))
    })
}

/// Reading C67: all that the text does is done to a card of the player's deck that is not there. Of a card without a name
/// nobody knows.
fn finds_nothing(d: &mut Duel, frame: &Frame, ability: &Ability) -> bool {
    let Some((Step::Choose(target), rest)) = ability.steps.split_first() else { return false };
    let done = |step: &Step| match step {
        Step::Move { what, .. } | Step::Act { what, .. } | Step::Reveal { what, .. } => *what == Some(target.slot),
        Step::Shuffle { .. } => true,
        _ => false,
    };
    let alone = ability.target.is_empty() && ability.cost.is_empty() && ability.modes.is_empty();
    let some = !target.any_number && target.up_to.is_none() && target.by.is_none();
    let deck = target.of.cards().is_some_and(|f| f.within.len() == 1 && f.within[0] == "デッキ" && f.top.is_none());
    if !(alone && some && deck && rest.iter().all(done)) {
        return false;
    }
    let own = target.of.cards().and_then(|f| f.owner.or(f.of)).is_some_and(|who| who == "自分");
    let seats = Seat::BOTH.into_iter().filter(|seat| *seat == frame.seat || !own);
    let mut cards = seats.flat_map(|seat| d.t.zone(zone("デッキ", seat)));
    let known = cards.all(|id| !d.given.defs[d.t.obj(*id).def as usize].card.data.is_empty());
    known && d.candidates_of(frame, &target.of, false).0.is_empty()
}

fn is_spell_or_trap(d: &mut Duel, card: Ref) -> bool {
    let seen = d.seen(card);
    is(&seen, "魔法") || is(&seen, "罠")
}

/// The clause by which cards that might be thought to be targets are none.
fn left_out(d: &mut Duel, frame: &Frame, abilities: &[Arc<Ability>]) -> Option<&'static Cite> {
    let targets = abilities.iter().flat_map(|a| &a.target);
    let found = targets.into_iter().find_map(|t| text::left_out(d, frame, t, None).first().map(|(_, cite)| *cite));
    found.or_else(|| abilities.iter().find_map(|a| a.target.iter().find_map(|t| fitting(d, frame, t, &a.steps).1)))
}

/// The clause on how often.
pub fn limited_by(by: LimitBy) -> &'static Cite {
    match by {
        LimitBy::Whole => ygo!("4.1.22.2", Limit),
        LimitBy::Name => ygo!("4.1.22.3", Limit),
        LimitBy::Ability | LimitBy::Named | LimitBy::Player => ygo!("4.1.19.1", Limit),
    }
}

/// 4.1.19.1, 4.1.19.2: what the opponent has used does not count. Knocked out, it does.
fn used_up(d: &mut Duel, source: &Source, ability: &Ability) -> bool {
    let cite = ygo!("4.1.19.2", Limit);
    let named = ability.limit.is_some_and(|l| l.by != LimitBy::Ability);
    if named && d.is_used_up(source.card, source.seat.other(), ability) {
        d.trace.reach(cite);
        if !d.on(cite) {
            return true;
        }
    }
    d.is_used_up(source.card, source.seat, ability)
}

fn conditions(d: &mut Duel, frame: &Frame, abilities: &[Arc<Ability>]) -> bool {
    let ctx = frame.ctx();
    abilities.iter().all(|a| a.cond.as_ref().is_none_or(|cond| d.see(|eyes| eyes.holds(&ctx, cond))))
}

/// 2.4.23.1, 2.4.26.1: what a fusion or a ritual needs must be there.
fn summonable(d: &mut Duel, source: &Source, abilities: &[Arc<Ability>]) -> (&'static Cite, bool) {
    let names = |name: &str| {
        abilities.iter().any(|a| a.steps.iter().any(|s| matches!(s, Step::Act { name: n, .. } if n.ends_with(name))))
    };
    let cite = if names("融合召喚") {
        ygo!("2.4.23.1", Limit)
    } else if names("儀式召喚") {
        ygo!("2.4.26.1", Limit)
    } else {
        return (ygo!("4.1.3.1", Limit), true);
    };
    d.trace.reach(cite);
    // What is only tried leaves no trace of the clauses by which it fails.
    d.trace.reach(if names("融合召喚") { ygo!("2.4.22.2", Limit) } else { ygo!("2.4.25.4", Limit) });
    // What is not there cannot be tried out.
    if names("融合召喚") && d.only_lists() {
        let plain = |s: &Step| matches!(s, Step::Act { name, who: None, what: None, .. } if *name == "融合召喚");
        let alone = abilities.iter().all(|a| a.steps.len() == 1 && a.steps.iter().all(plain));
        let there = super::fusion::at_all(d, source.seat).is_ok();
        if alone || !there {
            return (cite, there);
        }
    }
    let steps: Vec<Step> = abilities.iter().flat_map(|a| a.steps.clone()).collect();
    if names("儀式召喚") && d.only_lists() {
        let frame = source.frame();
        for step in &steps {
            if let Step::Choose(target) = step
                && d.candidates_of(&frame, &target.of, false).0.is_empty()
            {
                return (cite, false);
            }
            if let Step::Act { name, count: Some(Value::Number(sum)), .. } = step
                && name.ends_with("儀式召喚")
                && super::fusion::most_levels(d, source.seat) < *sum
            {
                return (cite, false);
            }
        }
    }
    let possible = d.could(&steps, &source.slots, Some(source.card), source.seat);
    let mut cite = cite;
    if !possible && names("融合召喚") && d.gives_reasons() {
        cite = super::fusion::at_all(d, source.seat).err().unwrap_or(cite);
    }
    (cite, possible)
}

fn payable(d: &mut Duel, source: &Source, abilities: &[Arc<Ability>]) -> bool {
    let cost: Vec<Step> = abilities.iter().flat_map(|a| a.cost.clone()).collect();
    if cost.is_empty() {
        return true;
    }
    if d.only_lists()
        && let Some(known) = plainly(d, source, &cost)
    {
        return known;
    }
    // A card cannot be its own cost and be activated.
    let stays = source.ability.is_none().then_some(source.card);
    can_pay(d, &source.frame(), &cost, stays)
}

/// 4.1.2.2: the steps can be carried out as a cost, and the card that must stay is still there.
pub fn can_pay(d: &mut Duel, frame: &Frame, cost: &[Step], stays: Option<Ref>) -> bool {
    let cause = Cause { means: Means::Cost, ..frame.cause };
    let frame = Frame { cause, ..frame.clone() };
    d.could_come(|d| Ok(d.perform(&mut frame.clone(), cost)? && stays.is_none_or(|card| d.t.is_now(card))))
}

/// Whether the cost can be paid where that is plain: a card of those that the text names is put into the graveyard, and
/// nothing on the table forbids or replaces anything.
fn plainly(d: &mut Duel, source: &Source, cost: &[Step]) -> Option<bool> {
    let (Step::Choose(target), rest) = cost.split_first()? else { return None };
    let frame = source.frame();
    let (of, _) = d.candidates_of(&frame, &target.of, false);
    let wanted = match &target.count {
        None => 1,
        Some(Value::Number(n)) => (*n).max(0) as usize,
        Some(_) => return None,
    };
    let token = |t: &Thing| matches!(t, Thing::Card(card) if printed(d, *card, "トークン"));
    if target.any_number || target.up_to.is_some() || wanted == 0 || of.iter().any(token) {
        return None;
    }
    // A card that is activated does not pay for itself.
    let own = source.ability.is_none().then_some(Thing::Card(source.card));
    let others = of.iter().filter(|t| Some(**t) != own).count();
    if others < wanted {
        return Some(false);
    }
    let goes = |to: &Word| *to == "墓地";
    let sent = |how: &Option<Word>| how.is_none_or(|h| h == "捨てる");
    let [Step::Move { what: Some(what), all: None, to, how, .. }] = rest else { return None };
    let calm = d.look().rules.is_empty() && d.given.holders.replaces.is_empty() && d.t.ongoing.is_empty();
    (calm && *what == target.slot && goes(to) && sent(how)).then_some(true)
}

/// A triggered effect can be activated: its targets are there, its cost can be paid.
pub fn can_complete(d: &mut Duel, source: &Source) -> bool {
    let abilities = source.abilities(d);
    let frame = source.frame();
    abilities.iter().all(|a| targets_exist(d, &frame, a)) && payable(d, source, &abilities)
}

fn targets_exist(d: &mut Duel, frame: &Frame, ability: &Ability) -> bool {
    if ability.modes.is_empty() {
        return can_choose(d, frame, &ability.target, &ability.steps);
    }
    ability.modes.iter().any(|m| usable(d, frame, m).is_ok())
}

/// 4.1.21.1, 4.1.2.2: the mode's targets are there, and what it costs can be paid.
pub fn usable(d: &mut Duel, frame: &Frame, mode: &Mode) -> Result<(), &'static Cite> {
    let (aims, pays) = (ygo!("4.1.21.1", Limit), ygo!("4.1.2.2", Limit));
    if !can_choose(d, frame, &mode.target, &mode.steps) && d.on(aims) {
        return Err(aims);
    }
    let paid = mode.cost.is_empty() || can_pay(d, frame, &mode.cost, None);
    if paid || !d.on(pays) { Ok(()) } else { Err(pays) }
}

/// What can be aimed at by a text that does that, and a clause by which something is left out.
fn fitting(d: &mut Duel, frame: &Frame, target: &Target, steps: &[Step]) -> (Vec<Thing>, Option<&'static Cite>) {
    let (mut of, _) = d.candidates_of(frame, &target.of, true);
    let mut why = None;
    of.retain(|thing| match thing {
        Thing::Card(card) => match text::will_do(d, *card, target.slot, steps) {
            Ok(()) => true,
            Err(cite) => {
                why = why.or(Some(cite));
                false
            }
        },
        _ => true,
    });
    (of, why)
}

/// Some choice of the first target leaves the others possible.
fn can_choose(d: &mut Duel, frame: &Frame, targets: &[Target], steps: &[Step]) -> bool {
    let Some((target, rest)) = targets.split_first() else { return true };
    let (of, _) = fitting(d, frame, target, steps);
    if matches!(target.of, Pool::Numbers(..)) {
        return can_choose(d, frame, rest, steps);
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
    if min == 0 {
        return can_choose(d, &with(of), rest, steps);
    }
    of.iter().any(|t| can_choose(d, &with(vec![*t]), rest, steps))
}
