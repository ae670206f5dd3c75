//! 4.9 resolving, 4.10 countering, 4.11 targets at resolution.

use super::places::{Own, is_battle_square, stack, zone};
use super::schema::{CENTRE, MOVED, at};
use super::{battle, keywords, others, priority, text};
use crate::card::{Ability, Kind, Pool, Step, Target, Word};
use crate::kernel::steps::Frame;
use crate::kernel::{Cause, Duel, Event, Flow, Item, ItemKind, Means, Ref, Thing, Told, What, ZoneId};

/// Resolves what is on top of the stack.
pub fn top(d: &mut Duel) -> Flow {
    let Some(item) = d.aside().pile().pop() else { return Ok(()) };
    // 4.9.4, 4.16.3: nothing is played, put on the stack or checked until this is over.
    d.trace.reach(dz!("4.9.4", Frame));
    d.trace.reach(dz!("4.16.3", Frame));
    text::recall_resistance(d, &item.slots, true);
    match item.kind {
        ItemKind::Spell => d.under(dz!("4.9.2", Frame), |d| spell(d, &item))?,
        ItemKind::Ability => d.under(dz!("4.9.2", Frame), |d| ability(d, &item))?,
        ItemKind::Act(name) => match name.as_str() {
            "移動" => d.under(dz!("4.9.3", Frame), |d| move_unit(d, &item))?,
            "プラン作成" => d.step(dz!("3.8.2-3"), |d| others::create_plan(d, item.seat).map(|_| ()))?,
            "プラン更新" => d.step(dz!("3.8.2-4"), |d| others::renew_plan(d, item.seat).map(|_| ()))?,
            _ => battle::resolve_exchange(d, &item)?,
        },
    }
    text::recall_resistance(d, &item.slots, false);
    // 2.25.2-1: what a text had shown is hidden again.
    for id in d.t.ids() {
        if d.t.obj(id).revealed && !others::waits_shown(d, id) {
            d.aside().reveal(id, false);
        }
    }
    Ok(())
}

fn frame_of(item: &Item) -> Frame {
    let cause = Cause { means: Means::Effect, card: item.card, seat: Some(item.seat) };
    Frame { this: item.card, seat: item.seat, slots: item.slots.clone(), event: item.event.clone(), cause }
}

/// 4.9.2-1, 4.9.2-2: targets that are no longer right are taken out. False: none is left of those there were.
fn check_targets(d: &mut Duel, frame: &mut Frame, targets: &[Target]) -> bool {
    let (mut had, mut left) = (0, 0);
    let as_chosen = frame.clone();
    for target in targets {
        let chosen = frame.slots.get(&target.slot).unwrap_or_default().to_vec();
        if matches!(target.of, Pool::Numbers(..) | Pool::Words(_)) {
            continue;
        }
        had += chosen.len();
        let mut right: Vec<bool> = chosen.iter().map(|thing| still_right(d, frame, target, *thing)).collect();
        // 4.9.2-2: a target whose condition speaks of a wrong target is wrong itself.
        let alone: Vec<bool> = chosen.iter().map(|thing| still_right(d, &as_chosen, target, *thing)).collect();
        if right != alone && !d.applies(dz!("4.9.2-2", Meaning), |_| "対象条件が不適切な対象によっている".into())
        {
            right = alone;
        }
        if right.iter().any(|r| !r) {
            let cite = dz!("4.9.2-1", Meaning);
            if !d.applies(cite, |d| wrong_targets(d, &chosen, &right)) {
                left += chosen.len();
                continue;
            }
            let keep = |things: &[Thing]| {
                things.iter().zip(&right).filter(|(_, ok)| **ok).map(|(t, _)| *t).collect::<Vec<_>>()
            };
            let shares = crate::kernel::choose::shares(target.slot);
            if let Some(parts) = frame.slots.get(&shares).map(<[Thing]>::to_vec) {
                frame.slots.set(shares, keep(&parts));
            }
            frame.slots.set(target.slot, keep(&chosen));
        }
        left += right.iter().filter(|r| **r).count();
    }
    had == 0 || left > 0
}

fn wrong_targets(d: &Duel, chosen: &[Thing], right: &[bool]) -> String {
    let names: Vec<String> = chosen.iter().zip(right).filter(|(_, ok)| !**ok).map(|(t, _)| d.name(*t)).collect();
    format!("不適切になった対象: {}", names.join("、"))
}

fn still_right(d: &mut Duel, frame: &Frame, target: &Target, thing: Thing) -> bool {
    let ctx = frame.ctx();
    match (&target.of, thing) {
        (Pool::Cards(filter), Thing::Card(card)) => {
            let fits = d.t.is_now(card) && d.see(|eyes| eyes.matches(&ctx, filter, card));
            // Reading C2: whether 耐性 is looked at again.
            let immune = fits && frame.this.is_some_and(|source| text::immune(d, card, "対象", source));
            fits && !(immune && d.reading(dz!("C2", Reading), "a") == "c")
        }
        (Pool::Squares(spots), Thing::Zone(z)) => d.see(|eyes| eyes.spots(&ctx, spots).contains(&z)),
        (Pool::Items(_), Thing::Item(_)) => d.candidates_of(frame, &target.of, false).0.contains(&thing),
        _ => true,
    }
}

/// The targets and steps of an ability, with the mode that was chosen.
pub fn parts<'a>(ability: &'a Ability, frame: &Frame) -> (&'a [Target], &'a [crate::card::Step]) {
    let mode = frame.slots.word("効果");
    match ability.modes.iter().find(|m| Some(m.name) == mode) {
        Some(mode) => (&mode.target, &mode.steps),
        None => (&ability.target, &ability.steps),
    }
}

fn spell(d: &mut Duel, item: &Item) -> Flow {
    let card = item.card.expect("a spell is a card");
    let seen = d.seen(card);
    let mut frame = frame_of(item);
    let class = at::CLASS;
    let is = |word: &str| seen.words(class).iter().any(|w| *w == word);
    if is("ユニット") || is("ベース") {
        // A card that became a unit or base while it waited was never given a square.
        let Some(to) = frame.slots.zone("スクエア") else {
            return d.undecided("スタックで待つ間に分類が変わったカードをどこに置くか", &["dz:4.9.2-8"]);
        };
        return d.under(dz!("4.9.2-8", Frame), |d| place(d, item, card, to, is("ユニット")));
    }
    let abilities = keywords::effects(d, card, item.seat, &frame.slots);
    let all: Vec<Target> = abilities.iter().flat_map(|a| parts(a, &frame).0.to_vec()).collect();
    if !check_targets(d, &mut frame, &all) {
        // 4.1.5, 4.9.2-1: without any right target it does nothing and goes to the graveyard.
        return d.under(dz!("4.1.5", Frame), |d| {
            d.tell(Told::NotApplied, |d| format!("{}は対象がすべて不適切なので無効化される", d.card_name(card)));
            to_graveyard(d, card, Cause::RULE)?;
            d.propose_one(Event::about(Word("無効化"), card)).map(|_| ())
        });
    }
    keywords::settle_lasting(d, card, item.seat, &frame.slots);
    for ability in &abilities {
        if !d.stands(ability) {
            continue;
        }
        d.reach_clauses(ability);
        let ctx = frame.ctx();
        if let Some(cond) = &ability.cond
            && !d.see(|eyes| eyes.holds(&ctx, cond))
        {
            continue;
        }
        let steps = parts(ability, &frame).1.to_vec();
        d.under(dz!("4.9.2-3", Frame), |d| d.perform(&mut frame, &steps))?;
    }
    let linked = d.t.obj(card.id).host.is_some_and(|(how, _)| how == "結合");
    let waits = d.t.is_now(card) && d.t.obj(card.id).zone == stack();
    // 2.20.3-3, 4.1.3: one with リンク has gone to its unit; reading C8: and goes from there.
    if waits || linked && d.reading(dz!("C8", Reading), "a") == "b" {
        d.trace.reach(dz!("2.20.3-3", Frame));
        let card = d.t.now(card.id);
        d.step(dz!("4.9.2-8"), |d| to_graveyard(d, card, Cause::RULE))?;
    }
    Ok(())
}

pub fn to_graveyard(d: &mut Duel, card: Ref, cause: Cause) -> Flow {
    let owner = d.t.obj(card.id).owner;
    d.trace.reach(dz!("2.23.5-1", Frame));
    let event = d.moving(card, zone(Own::Graveyard, owner)).by(cause);
    d.propose_one(event).map(|_| ())
}

/// 2.20.1-3, 2.20.2-3: a unit arrives frozen, a base released; 5.1.2 速攻, 5.3.2 召集.
fn place(d: &mut Duel, item: &Item, card: Ref, to: ZoneId, unit: bool) -> Flow {
    let mut way = item.slots.word("方法").unwrap_or(Word(""));
    // 5.8.2: the formation is looked at as the unit is played; reading C18: and again now.
    if way.contains("隊列召喚") && !keywords::formation(d, item.seat, card, to) {
        match d.reading(dz!("C18", Reading), "a") {
            "b" => way = Word(""),
            "c" => {
                to_graveyard(d, card, Cause::RULE)?;
                return nullified(d, card);
            }
            _ => {}
        }
    }
    // 5.3.2-1 says that it arrives frozen; reading C23: whether it still counts as played to the own area.
    if way.contains("召集") && !keywords::still_called(d, item, to) && d.reading(dz!("C23", Reading), "a") == "b" {
        way = Word("");
    }
    let mut turned = if unit {
        d.applies(dz!("2.20.1-3", Meaning), |_| "プレイされたユニットはフリーズ状態で置かれる".into())
    } else {
        !d.applies(dz!("2.20.2-3", Meaning), |_| "プレイされたベースはリリース状態で置かれる".into())
    };
    if unit && turned && keywords::arrives_released(d, item, card, to)? {
        turned = false;
    }
    let mut event = d.moving(card, to).seat(item.seat);
    // 4.8.9: a card played from the hand is put into the square from the hand.
    event.from = item.from;
    event.from_face_up = item.slots.number("プランゾーンから") == Some(1);
    event.cause = Cause { means: Means::Rule, card: Some(card), seat: Some(item.seat) };
    event.what = What::Move {
        to,
        bottom: false,
        state: u8::from(turned),
        face_up: true,
        controller: Some(item.seat),
        host: None,
    };
    event.how = Word("プレイ");
    let moved = d.propose(vec![event])?;
    let (_, y) = super::places::seen_from(to, item.seat);
    if let Some(placed) = moved.first().and_then(|e| e.after)
        && unit
        && is_battle_square(to)
        && y == 2
        && way.is_empty()
        && d.t.is_now(placed)
    {
        // 3.14.2-1: in a battle that is already on it dies at its end.
        let joined = battle::role(&d.t, placed, Word("バトルをしているユニット"));
        *d.aside().card(placed.id, CENTRE) = if joined { 2 } else { 1 };
    }
    Ok(())
}

fn ability(d: &mut Duel, item: &Item) -> Flow {
    let Some(ability) = item.ability.clone() else { return Ok(()) };
    let source = item.card.expect("an ability has a source");
    let mut frame = frame_of(item);
    // 4.2.5, 2.27: on the stack an ability does not need its card any more.
    if !d.t.is_now(source)
        && !d.applies(dz!("4.2.5", Meaning), |d| format!("{}がもうそこになくても能力は解決される", d.card_name(source)))
    {
        return Ok(());
    }
    // 4.9.2-9-1, -9-2: an ability from the hand needs its card there.
    if priority::is_shown(&ability) {
        let gone = !d.t.is_now(source);
        if gone && d.applies(dz!("4.9.2-9-2", Limit), |_| "公開したカードが手札にないので解決に失敗する".into())
        {
            return Ok(());
        }
        d.trace.reach(dz!("4.9.2-9-1", Frame));
        // Under the other reading the action was not taken before.
        if priority::asks_action(&ability)
            && d.settings_reading("C13") == "b"
            && !priority::takes_action(d, &ability, &mut frame)?
        {
            return Ok(());
        }
    }
    // 4.8.8, 4.4.3: the condition must still hold.
    if let Some(cond) = keywords::rechecked(&ability).filter(|_| ability.kind == Kind::Triggered) {
        let ctx = frame.ctx();
        if !d.see(|eyes| eyes.holds(&ctx, cond))
            && d.applies(dz!("4.8.8", Limit), |_| "解決時に誘発条件を満たしていないので無効化される".into())
        {
            return nullified(d, source);
        }
    }
    if ability.kind == Kind::Triggered {
        super::play::late_mode(d, &mut frame, &ability, true)?;
    }
    let (targets, steps) = parts(&ability, &frame);
    let (targets, steps) = (targets.to_vec(), steps.to_vec());
    if !check_targets(d, &mut frame, &targets) {
        return d.under(dz!("4.10.2", Frame), |d| {
            d.tell(Told::NotApplied, |d| {
                format!("{}の能力は対象がすべて不適切なので無効化される", d.card_name(source))
            });
            nullified(d, source)
        });
    }
    // 4.8.5: whether to do it is said now; what a card shown from the hand asks for was said before (4.8.12-4).
    let steps = match ability.optional && !priority::is_shown(&ability) {
        true => vec![Step::May { steps, by: None, then: Vec::new(), otherwise: Vec::new(), name: None }],
        false => steps,
    };
    d.under(dz!("4.9.2-3", Frame), |d| d.perform(&mut frame, &steps).map(|_| ()))
}

/// An ability that the rules nullify is nullified as much as one that is countered.
fn nullified(d: &mut Duel, source: Ref) -> Flow {
    d.happen(vec![Event::about(Word("無効化"), source)])
}

/// 4.9.3: a move is countered only if the unit is no longer in the square it was declared from.
fn move_unit(d: &mut Duel, item: &Item) -> Flow {
    let unit = item.card.expect("a unit moves");
    let (from, to) = (item.slots.zone("移動元"), item.slots.zone("移動先").expect("a square was named"));
    let there = d.t.is_now(unit) && Some(d.t.obj(unit.id).zone) == from;
    d.trace.reach(dz!("4.9.3-1", Limit));
    if !d.t.is_now(unit)
        || !there && d.applies(dz!("4.9.3-1", Limit), |_| "宣言した時のスクエアにいないので移動は無効化される".into())
    {
        d.trace.reach(dz!("4.9.3-1", Limit));
        if item.slots.number("進撃") == Some(1) {
            d.trace.reach(dz!("5.11.2", Meaning));
        }
        // 5.13.2-1: a move that did not resolve counts for nothing.
        if !d.applies(dz!("5.13.2-1", Limit), |_| "移動は解決されていないので共鳴は有効にならない".into())
        {
            d.happen(vec![Event::about(Word("移動解決"), unit).seat(item.seat)])?;
        }
        return Ok(());
    }
    if d.seen(unit).controller != item.seat && d.reading(dz!("C20", Reading), "a") == "b" {
        return Ok(());
    }
    let turned = d.t.obj(unit.id).turned() && !d.applies(dz!("4.9.3-2", Meaning), |_| "リリース状態で置かれる".into());
    let mut event = d.moving(unit, to).seat(item.seat);
    event.how = Word("移動");
    event.what = What::Move { to, bottom: false, state: u8::from(turned), face_up: true, controller: None, host: None };
    let moved = d.propose(vec![event])?;
    if moved.is_empty() {
        return Ok(());
    }
    *d.aside().seat(item.seat, MOVED) = 1;
    d.happen(vec![Event::about(Word("移動解決"), unit).seat(item.seat)])?;
    if item.slots.number("進撃") == Some(1) {
        // 5.11.2: it triggers when the move has resolved.
        d.trace.reach(dz!("5.11.2", Meaning));
        d.happen(vec![Event::about(Word("進撃"), unit).seat(item.seat)])?;
    }
    Ok(())
}

/// 4.1.4, 4.10: a spell or ability is countered by an effect.
pub fn negate(d: &mut Duel, id: u32, cause: Cause) -> Flow<bool> {
    let Some(at) = d.t.context().pile.iter().position(|i| i.id == id) else { return Ok(false) };
    // 1.1.2: what cannot be countered stays where it is.
    let event = |card: Ref| Event::about(Word("無効化"), card).by(cause);
    if d.t.context().pile[at].card.is_some_and(|card| d.forbidden(&event(card))) {
        return Ok(false);
    }
    let item = d.aside().pile().remove(at);
    d.under(dz!("4.10.2", Frame), |d| {
        d.trace.reach(dz!("4.10.1", Frame));
        d.trace.reach(dz!("4.10.3", Frame));
        if let (ItemKind::Spell, Some(card)) = (item.kind, item.card) {
            d.step(dz!("4.1.4"), |d| to_graveyard(d, card, Cause::RULE))?;
        }
        let event = item.card.map_or_else(|| Event::signal(Word("無効化")), |c| Event::about(Word("無効化"), c));
        let event = event.by(cause);
        Ok(d.propose_one(event)?.any())
    })
}
