//! 2.23.3 the plan zone, 2.23.7 the smash zone, 6.1 闘気, 6.2 deck order, 6.6 結合.

use std::sync::Arc;

use super::pay::{self, Cost};
use super::places::{Own, is_square, zone};
use super::schema::{ARRIVED, FOUGHT, at, schema};
use super::setup;
use crate::card::{Kind, Step, Word};
use crate::kernel::{
    Asks, CardId, Cause, Cite, Ctx, Duel, Event, Flow, Pending, Question, Ref, Seat, Slots, Thing, What,
};

/// The card in the player's plan zone: the top of the deck, face up.
pub fn plan_card(d: &Duel, seat: Seat) -> Option<Ref> {
    let top = *d.t.zone(zone(Own::Deck, seat)).last()?;
    d.t.obj(top).face_up.then(|| d.t.now(top))
}

/// 2.23.3-3…-5: the plan card is turned down before something else is done with the deck.
pub fn turn_plan_down(d: &mut Duel, seat: Seat, cite: &'static Cite) -> Flow {
    match plan_card(d, seat) {
        Some(card) => d.step(cite, |d| d.turn(&[card], Word("裏"), Cause::RULE).map(|_| ())),
        None => Ok(()),
    }
}

/// 3.8.2-3: the top card of the deck is turned up. 6.2.6: that does not order the deck.
pub fn create_plan(d: &mut Duel, seat: Seat) -> Flow<bool> {
    let Some(top) = d.t.zone(zone(Own::Deck, seat)).last().copied() else { return Ok(false) };
    let card = d.t.now(top);
    d.trace.reach(dz!("6.2.6", Frame));
    d.turn(&[card], Word("表"), Cause { seat: Some(seat), ..Cause::RULE })
}

/// 3.8.2-4: the plan card to the graveyard, and if so the next is turned up.
pub fn renew_plan(d: &mut Duel, seat: Seat) -> Flow<bool> {
    let Some(card) = plan_card(d, seat) else { return Ok(false) };
    let event = d.moving(card, zone(Own::Graveyard, seat)).seat(seat);
    let done = d.propose_one(event)?;
    if done.is_empty() && !done.replaced {
        return Ok(false);
    }
    create_plan(d, seat)
}

/// Cards from the top of the deck to the smash zone, face down and released, at once.
pub fn put_smash(d: &mut Duel, seat: Seat, n: i32, cause: Cause) -> Flow<bool> {
    let deck = zone(Own::Deck, seat);
    let cards: Vec<CardId> = d.t.zone(deck).iter().rev().take(n.max(0) as usize).copied().collect();
    let to = zone(Own::Smash, seat);
    let mut events = Vec::new();
    for id in cards {
        let card = d.t.now(id);
        let mut event = d.moving(card, to).by(cause).seat(seat);
        event.how = Word("スマッシュ");
        event.what = What::Move { to, bottom: false, state: 0, face_up: false, controller: None, host: None };
        events.push(event);
    }
    if events.is_empty() {
        return Ok(false);
    }
    let done = d.propose(events)?;
    let book = d.book;
    Ok(done.any() || done.replaced && book.counts_as_done(d, cause.means))
}

/// What an effect has a player pay, by the colour.
const PAYS: [&str; 6] = ["無色を支払う", "赤を支払う", "黒を支払う", "青を支払う", "白を支払う", "緑を支払う"];

/// Acts that texts call by name.
pub fn act(d: &mut Duel, step: &Step, ctx: &Ctx) -> Flow<bool> {
    let seat = |d: &mut Duel, who: Option<Word>| who.and_then(|w| d.see(|eyes| eyes.seat(ctx, w))).unwrap_or(ctx.seat);
    match step {
        Step::Shuffle { who } => {
            let seat = seat(d, *who);
            d.trace.reach(dz!("6.2.5", Frame));
            setup::shuffle(d, seat)?;
            Ok(true)
        }
        Step::Act { name, who, what, count, .. } => {
            let seat = seat(d, *who);
            let n = count.as_ref().map_or(1, |v| d.number(ctx, v));
            match name.as_str() {
                "プランゾーンを作成する" | "山札の一番上を表向きにする" => create_plan(d, seat),
                "プランゾーンを更新する" => renew_plan(d, seat),
                "スマッシュを置く" => {
                    let cause = Cause { means: crate::kernel::Means::Effect, card: ctx.this, seat: Some(ctx.seat) };
                    put_smash(d, seat, n, cause)
                }
                "並べ替える" => arrange(d, ctx.seat, seat, n),
                "シャッフル" => setup::shuffle(d, seat).map(|()| true),
                // 1.2.3: so much energy, where an effect has it paid.
                pays if PAYS.contains(&pays) => {
                    let symbol = Word(pays.trim_end_matches("を支払う"));
                    pay::pay(d, seat, &Cost { symbols: vec![(symbol, n)], ..Cost::default() })
                }
                "ダメージ" => d.unwritten("プレイヤーへのダメージはディメンション・ゼロにない", &["dz:4.16.4"]),
                other => {
                    let _ = what;
                    d.unwritten(format!("「{other}」という行為は知らない"), &[])
                }
            }
        }
        _ => Ok(false),
    }
}

/// 6.2.2: looking at cards of a deck and putting them back in an order orders it on purpose.
fn arrange(d: &mut Duel, by: Seat, seat: Seat, n: i32) -> Flow<bool> {
    turn_plan_down(d, seat, dz!("2.23.3-4", Meaning))?;
    let deck = zone(Own::Deck, seat);
    let cards: Vec<Thing> =
        d.t.zone(deck).iter().rev().take(n.max(0) as usize).map(|id| Thing::Card(d.t.now(*id))).collect();
    if cards.is_empty() {
        return Ok(false);
    }
    let mut question = Question::new(by, Word("並べ替え"), Asks::Order(cards.clone()));
    question.minor = true;
    let order = d.pick(question)?;
    let ids: Vec<CardId> =
        order.iter().filter_map(|t| if let Thing::Card(r) = t { Some(r.id) } else { None }).collect();
    let mut pile = d.t.zone(deck).to_vec();
    pile.truncate(pile.len() - ids.len());
    pile.extend(ids.into_iter().rev());
    d.arrange(deck, pile);
    ordered(d, seat, "山札のカードを選んだ順に戻した");
    Ok(true)
}

/// 6.2.2: the order of the deck was decided on purpose.
fn ordered(d: &mut Duel, seat: Seat, why: &str) {
    let name = schema().seats[seat.index()];
    if d.applies(dz!("6.2.2", Meaning), |_| format!("{name}の山札の順番が意図的に決定された（{why}）"))
    {
        setup::mark_ordered(d, seat);
    }
}

/// 6.1.4–6.1.5, 6.6.5–6.6.6: what lies with a card goes with it from square to square, else to its owner's graveyard.
/// 2.23.3-3: putting a card on a deck turns the plan card down first.
pub fn accompany(d: &mut Duel, events: &mut Vec<Event>) -> Flow {
    let moves: Vec<(Ref, crate::kernel::ZoneId, bool)> = events
        .iter()
        .filter_map(|e| match (&e.what, e.card) {
            (What::Move { to, bottom, .. }, Some(card)) => Some((card, *to, *bottom)),
            _ => None,
        })
        .collect();
    for (card, to, bottom) in moves {
        if schema().spec(to).name == "山札" && !bottom {
            let owner = schema().spec(to).owner.expect("a deck is somebody's");
            if plan_card(d, owner).is_some_and(|p| p != card) {
                turn_plan_down(d, owner, dz!("2.23.3-3", Meaning))?;
            }
        }
        if !is_square(d.t.obj(card.id).zone) {
            continue;
        }
        let with: Vec<CardId> = d.t.ids().filter(|id| d.t.obj(*id).host.is_some_and(|h| h.1 == card.id)).collect();
        for id in with {
            follow(d, id, card, to, events);
        }
    }
    Ok(())
}

fn follow(d: &mut Duel, id: CardId, host: Ref, to: crate::kernel::ZoneId, events: &mut Vec<Event>) {
    let lying = d.t.now(id);
    let (how, _) = d.t.obj(id).host.expect("it lies with a card");
    let (face_up, owner) = (d.t.obj(id).face_up, d.t.obj(id).owner);
    let spirit = how == "闘気";
    let cite = match (spirit, is_square(to)) {
        (true, true) => dz!("6.1.4", Meaning),
        (true, false) => dz!("6.1.5", Meaning),
        (false, true) => dz!("6.6.5", Meaning),
        (false, false) => dz!("6.6.6", Meaning),
    };
    if events.iter().any(|e| e.card == Some(lying)) || !d.applies(cite, |d| format!("{}も共に動く", d.card_name(lying)))
    {
        return;
    }
    let dest = if is_square(to) { to } else { zone(Own::Graveyard, owner) };
    let mut event = d.moving(lying, dest).by(Cause::RULE);
    if is_square(to) {
        event.what = What::Move { to, bottom: false, state: 0, face_up, controller: None, host: Some((how, host.id)) };
    }
    // 6.1.5: it lies under the opponent's card or one's own, which texts ask; that is read from the host before.
    events.push(event);
}

/// 2.20.1-8, 2.20.2-6: in which order units, or bases, were put that are put at once is said by the active player.
/// Reading C5: only for the order of their effects, and so asked only where that matters, or for everything.
fn put_at_once(d: &mut Duel, events: &[Event]) -> Flow {
    let everything = d.settings_reading("C5") == "b";
    let placed =
        |e: &&Event| e.is_move() && (everything || !e.from.is_some_and(is_square)) && e.to.is_some_and(is_square);
    let cards: Vec<Ref> = events.iter().filter(placed).filter_map(|e| e.after).collect();
    if cards.len() < 2 {
        return Ok(());
    }
    for (class, cite) in [("ユニット", dz!("2.20.1-8", Order)), ("ベース", dz!("2.20.2-6", Order))] {
        let of: Vec<Ref> = cards
            .iter()
            .copied()
            .filter(|c| {
                d.t.is_now(*c)
                    && d.t.obj(c.id).host.is_none()
                    && d.seen(*c).words(at::CLASS).iter().any(|w| *w == class)
            })
            .collect();
        if of.len() < 2 {
            continue;
        }
        d.reading(dz!("C5", Reading), "a");
        let of = if everything { of } else { d.in_each_others_way(&of) };
        if of.len() < 2 {
            continue;
        }
        d.trace.reach(cite);
        let by = if d.on(cite) { d.t.active } else { d.t.active.other() };
        let of = of.into_iter().map(Thing::Card).collect();
        for thing in d.pick(Question::new(by, Word("置いた順"), Asks::Order(of)).citing(cite))? {
            let Thing::Card(card) = thing else { continue };
            if everything { d.dates_from_now(card) } else { d.dates_effects_from_now(card) }
        }
    }
    Ok(())
}

/// After events: joins battles, and notes that a deck was ordered (6.2.2 A–C, 6.2.3, 6.2.5).
pub fn happened(d: &mut Duel, events: &[Event]) -> Flow {
    put_at_once(d, events)?;
    for event in events {
        let (What::Move { to, host, .. }, Some(card)) = (&event.what, event.after) else { continue };
        plan_left(d, event, *to)?;
        if schema().spec(*to).name == "リムーブゾーン" {
            d.trace.reach(dz!("2.23.10-1", Frame));
            d.trace.reach(dz!("2.23.10-2", Frame));
        }
        between_squares(d, event);
        lying(d, host.map(|h| h.0));
        leaving(d, event);
        composed(d, event);
        put_up(d, event)?;
        if is_square(*to) && d.t.obj(card.id).host.is_none() {
            *d.aside().card(card.id, ARRIVED) = 1;
            *d.aside().card(card.id, FOUGHT) = 0;
            super::battle::join(d, card, *to);
        }
        // 「山札に加えてシャッフル」 names no position.
        if schema().spec(*to).name == "山札" && event.how != "シャッフル" {
            let owner = schema().spec(*to).owner.expect("a deck is somebody's");
            let why = if d.t.obj(card.id).face_up {
                d.trace.reach(dz!("6.2.3", Frame));
                "プランゾーンに置いた"
            } else {
                "山札の決まった位置に置いた"
            };
            ordered(d, owner, why);
        }
    }
    Ok(())
}

/// 4.8.9: what is put from square to square does not come from elsewhere; reading C14: what speaks of that triggers too.
fn between_squares(d: &mut Duel, event: &Event) {
    let between = event.from.is_some_and(is_square) && event.to.is_some_and(is_square);
    if !between || !d.t.obj(event.after.expect("it was put").id).face_up {
        return;
    }
    let view = d.look();
    let elsewhere = Event { from: None, ..event.clone() };
    for &id in d.given.holders.triggers(Word("置く")).iter().chain(&view.gained) {
        let (seen, obj, this) = (&view.cards[id.0 as usize], d.t.obj(id), d.t.now(id));
        let (zone, face_up) = (obj.zone, obj.face_up);
        for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Triggered) {
            let slots = Slots::default();
            let fits = |d: &mut Duel, event: &Event| {
                let ctx = Ctx { this: Some(this), seat: seen.controller, slots: &slots, event: Some(event) };
                d.see(|eyes| ability.when.iter().any(|p| eyes.event_fits(&ctx, p, event)))
            };
            if fits(d, &elsewhere)
                && !fits(d, event)
                && d.works(seen, zone, face_up, ability)
                && d.reading(dz!("C14", Reading), "a") == "b"
            {
                let (ability, seat, event) = (ability.clone(), seen.controller, Arc::new(event.clone()));
                d.aside().pending().push(Pending { ability, source: this, seat, event, slots });
            }
        }
    }
}

/// 2.23.3-2: when the plan card goes, the next card stays face down. Reading C9: what was so for a moment.
fn plan_left(d: &mut Duel, event: &Event, to: crate::kernel::ZoneId) -> Flow {
    if schema().spec(to).name == "スマッシュゾーン" && d.t.zone(to).len() >= 7 {
        *d.aside().seat(schema().spec(to).owner.expect("a smash zone is somebody's"), super::schema::FILLED) = 1;
    }
    let Some(from) = event.from.filter(|z| schema().spec(*z).name == "山札") else { return Ok(()) };
    let owner = schema().spec(from).owner.expect("a deck is somebody's");
    if d.t.zone(from).is_empty() {
        *d.aside().seat(owner, super::schema::EMPTIED) = 1;
    }
    if event.from_face_up
        && from != to
        && !d.applies(dz!("2.23.3-2", Meaning), |_| "次の山札の一番上は裏向きのまま".into())
    {
        create_plan(d, owner)?;
    }
    Ok(())
}

/// 6.1.1–6.1.3, 6.1.8, 6.1.9, 6.6.2–6.6.4: what it means to lie with a card.
fn lying(d: &mut Duel, how: Option<Word>) {
    match how.map(|w| w.as_str()) {
        Some("闘気") => {
            for cite in [
                dz!("6.1.1", Frame),
                dz!("6.1.2", Frame),
                dz!("6.1.3", Frame),
                dz!("6.1.7", Frame),
                dz!("6.1.8", Frame),
                dz!("6.1.9", Frame),
            ] {
                d.trace.reach(cite);
            }
        }
        Some(_) => {
            for cite in [
                dz!("6.6.1", Frame),
                dz!("6.6.2", Frame),
                dz!("6.6.3", Frame),
                dz!("6.6.4", Frame),
                dz!("6.6.7", Frame),
            ] {
                d.trace.reach(cite);
            }
        }
        None => {}
    }
}

/// 5.13.3: a move that resolved counts for 共鳴 even after the unit has left the squares.
fn leaving(d: &mut Duel, event: &Event) {
    let moved = |e: &Event| e.name == "移動解決" && e.card == event.card;
    let left = event.from.is_some_and(is_square) && event.to.is_some_and(|z| !is_square(z));
    if left && d.t.contexts.iter().any(|c| !c.fights.is_empty()) {
        // 3.11.1-2: it is in no battle any more.
        d.fights().for_each(|f| f.members.retain(|(unit, _)| Some(*unit) != event.card));
    }
    if left
        && d.t.happened.iter().any(|e| moved(e))
        && !d.applies(dz!("5.13.3", Meaning), |_| "移動したユニットがスクエアを離れても共鳴は有効".into())
    {
        d.forget(moved);
    }
}

/// 6.4: 合成 is a cost: of an activated ability for units and bases, an additional cost for strategies.
fn composed(d: &mut Duel, event: &Event) {
    if event.how == "合成" {
        d.trace.reach(dz!("6.4.1", Frame));
        let spell = event.cause.card.is_some_and(|c| d.t.obj(c.id).zone == super::places::stack());
        d.trace.reach(if spell { dz!("6.4.3", Frame) } else { dz!("6.4.2", Frame) });
    }
}

/// 5.7.2-2: being put face up into the plan zone is not being turned up.
fn put_up(d: &mut Duel, event: &Event) -> Flow {
    let Some(card) = event.after.filter(|c| d.t.obj(c.id).face_up) else { return Ok(()) };
    let deck = event.to.is_some_and(|z| schema().spec(z).name == "山札");
    if deck
        && d.seen(card).has("暴走")
        && !d.applies(dz!("5.7.2-2", Limit), |_| "置かれただけでは暴走は誘発しない".into())
    {
        d.happen(vec![Event::about(Word("表"), card)])?;
    }
    Ok(())
}

/// 4.8.12: the card stays shown while its ability waits.
pub fn waits_shown(d: &Duel, id: CardId) -> bool {
    let waits = |c: &crate::kernel::Context| {
        c.pending.iter().any(|p| p.source.id == id) || c.pile.iter().any(|i| i.card.is_some_and(|r| r.id == id))
    };
    d.t.contexts.iter().any(waits)
}

/// 6.1.6, 6.1.6-1, 6.1.11: a 闘気 card goes under a unit or base that is no 闘気 and no linked strategy.
pub fn may_lie_under(d: &mut Duel, card: Option<Ref>, host: CardId) -> Result<(), &'static Cite> {
    if card.is_some_and(|c| c.id == host) && d.on(dz!("6.1.6", Limit)) {
        d.trace.reach(dz!("6.1.6", Limit));
        return Err(dz!("6.1.6", Limit));
    }
    let obj = d.t.obj(host);
    match obj.host {
        Some((how, _)) if how == "闘気" && d.on(dz!("6.1.6-1", Limit)) => Err(dz!("6.1.6-1", Limit)),
        Some((how, _)) if how == "結合" && d.on(dz!("6.1.11", Limit)) => Err(dz!("6.1.11", Limit)),
        _ => Ok(()),
    }
}
