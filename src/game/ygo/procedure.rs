//! 2.4.3, 2.4.17, 2.4.20, 3.3.16.1, 3.3.16.5: special summons that are no activation: by materials, or as the card says.

use super::kinds::lies_as;
use super::landing;
use super::materials::{self, Recipe, Way};
use super::moves::{in_main_by, ordinary};
use super::places::{monsters, zone};
use super::schema::MATERIALS;
use super::summon::{arrive, forbidden, position};
use super::text::graveyard;
use crate::card::{Ability, Word};
use crate::kernel::steps::Frame;
use crate::kernel::verb::{Allowed, no};
use crate::kernel::{Cause, Cite, Duel, Event, Flow, Halt, Means, Move, Ref, Refusal, Seat, Slots, What};
use crate::limit;
use std::sync::Arc;

/// The verbs by which monsters come out of the extra deck.
pub const VERBS: [&str; 3] = ["リンク召喚", "エクシーズ召喚", "シンクロ召喚"];
/// What kinds of monsters they are, in the same order.
pub const CLASSES: [&str; 3] = ["リンクモンスター", "エクシーズモンスター", "シンクロモンスター"];

/// 2.4.3.1, 2.4.17.1, 2.4.20.1, C17: the player's own monsters on the field; face up.
fn field(d: &mut Duel, who: Seat, way: Way) -> Vec<Ref> {
    let down = match way {
        Way::Link => !d.on(ygo!("2.4.3.1", Limit)),
        _ => d.reading(ygo!("C17", Reading), "a") == "b",
    };
    if way == Way::Link {
        d.trace.reach(ygo!("2.4.3.1", Limit));
    }
    let mut found = monsters(d, who);
    found.retain(|card| down || d.t.obj(card.id).face_up);
    found
}

/// Whether the monster may be brought out now with materials.
pub fn may(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let Some((card, way)) = m.card.zip(Way::of(&m.verb)) else {
        return no(ygo!("1.3.4.1", Frame), "モンスターを指定していない");
    };
    // C15: when a synchro summon may be done is lost.
    if way == Way::Synchro && d.reading(ygo!("C15", Reading), "a") == "b" {
        limit!(d, d.t.context().pile.is_empty(), ygo!("3.3.5.1", Limit), "チェーンの処理が済んでいない");
    } else {
        in_main_by(d, who, way.in_main())?;
    }
    let stored = d.t.obj(card.id).zone == zone("エクストラデッキ", who);
    let cite = extra(way);
    limit!(d, stored, cite, "自分のエクストラデッキのカードではない");
    if !lies_as(d, card, way.class()) {
        return no(cite, "その方法で出すモンスターではない");
    }
    let of = field(d, who, way);
    let recipe = materials::recipe(d, who, way, card, of);
    if !recipe.is_written() {
        return no(cite, "素材の条件が書かれていない");
    }
    if !heard(d, |d| materials::some_way(d, &recipe)) {
        return if d.only_lists() { no(cite, "素材が揃わない") } else { refused(d, &recipe) };
    }
    forbidden(d, who, m)
}

/// Where nothing can halt, what would have stopped finds nothing.
fn heard<T: Default>(d: &mut Duel, run: impl FnOnce(&mut Duel) -> Flow<T>) -> T {
    run(d).unwrap_or_default()
}

fn extra(way: Way) -> &'static Cite {
    match way {
        Way::Link => ygo!("2.4.1.1", Limit),
        Way::Xyz => ygo!("2.4.15.1", Limit),
        Way::Synchro => ygo!("2.4.18.1", Limit),
        Way::Fusion => ygo!("2.4.22.1", Limit),
    }
}

/// By the clause that all the monsters there are would fail by.
fn refused(d: &mut Duel, recipe: &Recipe) -> Allowed {
    let open = materials::without_bars(d, recipe);
    if !recipe.barred.is_empty() && heard(d, |d| materials::some_way(d, &open)) {
        return no(ygo!("3.3.8.1", Limit), "素材にできないモンスターしかいない");
    }
    let all: Vec<usize> = (0..recipe.of.len()).collect();
    match materials::wrong(d, recipe, &all) {
        Some((cite, why)) => no(cite, why),
        None => no(ygo!("2.4.2.1", Limit), "素材が揃わない"),
    }
}

/// Declared, materials given, and the monster comes out.
pub fn summon(d: &mut Duel, who: Seat, verb: Word, card: Ref) -> Flow {
    let Some(way) = Way::of(&verb) else { return Ok(()) };
    let of = field(d, who, way);
    let recipe = materials::recipe(d, who, way, card, of);
    let chosen = materials::choose(d, &recipe)?;
    let zones = landing::zones(d, who, card, &chosen);
    let Some(to) = landing::ask(d, who, card, zones)? else { return Ok(()) };
    let either = match way {
        Way::Xyz => ygo!("2.4.17.4", Limit),
        Way::Synchro => ygo!("2.4.20.3", Limit),
        Way::Link | Way::Fusion => ygo!("1.3.4.4", Limit),
    };
    let state = position(d, who, card, None, either)?;
    let declared = match way {
        Way::Link => ygo!("2.4.3.2"),
        Way::Xyz => ygo!("2.4.17.2"),
        Way::Synchro => ygo!("2.4.20.1"),
        Way::Fusion => ygo!("2.4.23.2"),
    };
    d.step(declared, |d| if way == Way::Xyz { stack(d, who, card, &chosen) } else { give(d, who, way, &chosen) })?;
    if !d.t.is_now(card) || !d.t.zone(to).is_empty() {
        return d.undecided("素材を使った後に、出す先やモンスターがなくなった場合の定めがない", &["ygo:3.3.16.1"]);
    }
    let out = match way {
        Way::Link => ygo!("2.4.3.3"),
        Way::Xyz => ygo!("2.4.17.3"),
        Way::Synchro => ygo!("2.4.20.2"),
        Way::Fusion => ygo!("2.4.23.3"),
    };
    d.trace.reach(ygo!("3.3.16.1", Frame));
    if super::negation::negated(d, &[card])? {
        return Ok(());
    }
    super::negation::still_free(d, to)?;
    d.step(out, |d| arrive(d, who, card, to, state, verb, Cause::RULE).map(|_| ()))
}

/// 2.4.1.2, 2.4.20.2, 2.4.23.2: materials go to the graveyard.
pub fn give(d: &mut Duel, who: Seat, way: Way, cards: &[Ref]) -> Flow {
    let mut events = Vec::new();
    for card in cards {
        let to = graveyard(d, *card);
        events.push(Event { how: way.material(), ..d.moving(*card, to).seat(who) });
    }
    let done = d.propose(events)?;
    if done.denied.is_empty() {
        return Ok(());
    }
    d.undecided("素材にするモンスターを墓地へ送れない場合の定めがない", &["ygo:3.3.8.1"])
}

/// 3.3.8.1: a text keeps the monster from being a material for that.
pub fn is_no_material(d: &mut Duel, who: Seat, way: Way, card: Ref) -> bool {
    if d.look().rules.is_empty() {
        return false;
    }
    let (to, name) = match way {
        Way::Xyz => (zone(MATERIALS, d.t.obj(card.id).owner), Word("重ねる")),
        _ => (graveyard(d, card), Word("墓地へ送る")),
    };
    let event = Event { name, how: way.material(), ..d.moving(card, to).seat(who) };
    d.try_out(|d| Ok(d.forbidden(&event))).unwrap_or_default()
}

/// 2.4.15.2, 2.4.17.2, 3.3.12.1: materials lie under the monster and are not on the field.
fn stack(d: &mut Duel, who: Seat, card: Ref, cards: &[Ref]) -> Flow {
    let mut events = Vec::new();
    for material in cards {
        let to = zone(MATERIALS, d.t.obj(material.id).owner);
        let mut event = d.moving(*material, to).seat(who);
        event.name = Word("重ねる");
        let host = Some((Word(MATERIALS), card.id));
        event.what = What::Move { to, bottom: false, state: 0, face_up: true, controller: None, host };
        events.push(event);
    }
    d.trace.reach(ygo!("2.4.15.2", Frame));
    d.trace.reach(ygo!("3.3.12.1", Frame));
    d.happen(events)
}

/// 3.3.12.2: materials go to the graveyard with their monster.
pub fn accompany(d: &mut Duel, leaving: Ref) -> Vec<crate::kernel::Event> {
    let under: Vec<Ref> =
        d.t.ids().filter(|id| d.t.obj(*id).host == Some((Word(MATERIALS), leaving.id))).map(|id| d.t.now(id)).collect();
    if under.is_empty() || !d.applies(ygo!("3.3.12.2"), |_| "エクシーズ素材はすべて墓地へ送られる".into())
    {
        return Vec::new();
    }
    let mut events = Vec::new();
    for card in under {
        let to = graveyard(d, card);
        events.push(d.moving(card, to));
    }
    events
}

/// 3.3.12.3: materials stay under a monster that is turned down or changes hands. Knocked out, they go as if it left.
pub fn left_behind(d: &mut Duel, card: Ref) -> Vec<crate::kernel::Event> {
    let under = d.t.ids().any(|id| d.t.obj(id).host == Some((Word(MATERIALS), card.id)));
    if !under || d.applies(ygo!("3.3.12.3", Check), |_| "エクシーズ素材は重ねられたまま".into()) {
        return Vec::new();
    }
    accompany(d, card)
}

/// Takes materials away from the monster, to the graveyard.
pub fn detach(d: &mut Duel, who: Seat, card: Ref, n: usize, cause: Cause) -> Flow<bool> {
    use crate::kernel::{Asks, Question, Thing};
    let under = d.t.ids().filter(|id| d.t.obj(*id).host == Some((Word(MATERIALS), card.id)));
    let of: Vec<Thing> = under.map(|id| Thing::Card(d.t.now(id))).collect();
    if of.len() < n {
        return Ok(false);
    }
    let question = Question::new(who, Word("素材"), Asks::Choose { of, min: n, max: n }).about(Some(card));
    let chosen = d.pick(question.citing(ygo!("2.4.15.2", Frame)))?;
    let mut events = Vec::new();
    for thing in chosen {
        let Thing::Card(material) = thing else { continue };
        let to = graveyard(d, material);
        events.push(d.moving(material, to).by(cause).seat(who));
    }
    Ok(d.propose(events)?.any())
}

/// 3.3.16.5, 1.3.4.1: the way in which the card itself says it is special summoned.
fn own_way(d: &mut Duel, card: Ref) -> Option<Arc<Ability>> {
    let seen = d.seen(card);
    let way = |a: &&Arc<Ability>| a.keyword.as_ref().is_some_and(|k| k.name == "特殊召喚手順");
    seen.abilities.iter().find(way).cloned()
}

/// The card pays for its own way.
fn paying(who: Seat, card: Ref) -> Frame {
    let cause = Cause { means: Means::Cost, card: Some(card), seat: Some(who) };
    Frame { this: Some(card), seat: who, slots: Slots::default(), event: None, cause }
}

pub fn may_by_itself(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let Some(card) = m.card else {
        return no(ygo!("1.3.4.1", Frame), "モンスターを指定していない");
    };
    ordinary(d, who)?;
    let Some(way) = own_way(d, card) else {
        return no(ygo!("1.3.4.1", Limit), "自身を特殊召喚する手順を持たない");
    };
    let obj = d.t.obj(card.id);
    let from = if way.from.is_empty() { vec![Word("手札")] } else { way.from.clone() };
    let there = obj.owner == who && from.iter().any(|place| super::places::inside(obj.zone, *place));
    limit!(d, there, ygo!("3.3.16.5", Limit), "その場所からは特殊召喚できない");
    let used = d.is_used_up(card, who, &way);
    limit!(d, !used, ygo!("4.1.19.1", Limit), "このターンはもう使った");
    let slots = Slots::default();
    let holds = way.cond.as_ref().is_none_or(|cond| {
        let ctx = crate::kernel::Ctx { this: Some(card), seat: who, slots: &slots, event: None };
        d.see(|eyes| eyes.holds(&ctx, cond))
    });
    limit!(d, holds, ygo!("3.3.16.5", Limit), "特殊召喚の条件を満たしていない");
    let frame = paying(who, card);
    let payable = way.cost.is_empty() || super::allowed::can_pay(d, &frame, &way.cost, None);
    limit!(d, payable, ygo!("3.3.16.5", Limit), "特殊召喚の手順を行えない");
    let room = !landing::zones(d, who, card, &[]).is_empty() || !way.cost.is_empty();
    limit!(d, room, ygo!("1.1.3.3", Limit), "メインモンスターゾーンに空きがない");
    forbidden(d, who, m)
}

pub fn by_itself(d: &mut Duel, who: Seat, card: Ref) -> Flow {
    let Some(way) = own_way(d, card) else { return Ok(()) };
    d.under(ygo!("3.3.16.5", Frame), |d| {
        let mut frame = paying(who, card);
        if !way.cost.is_empty() && !d.perform(&mut frame, &way.cost)? {
            return Ok(());
        }
        d.use_up(card, who, &way);
        let zones = landing::zones(d, who, card, &[]);
        let Some(to) = landing::ask(d, who, card, zones)? else {
            let why = "出せるゾーンがない".to_string();
            let what = format!("特殊召喚 {}", d.card_name(card));
            return Err(Halt::Refused(Box::new(Refusal { what, cite: Some(ygo!("1.1.3.3", Limit)), why })));
        };
        let state = position(d, who, card, None, ygo!("1.3.4.4", Limit))?;
        if super::negation::negated(d, &[card])? {
            return Ok(());
        }
        super::negation::still_free(d, to)?;
        arrive(d, who, card, to, state, Word("手順による特殊召喚"), Cause::RULE).map(|_| ())
    })
}
