//! 3.11–3.14: battles.

use super::moves::any_of;
use super::places::{battle_squares, is_square};
use super::priority::window;
use super::schema::{CENTRE, FOUGHT, at};

use crate::card::Word;
use crate::kernel::{
    Cause, Context, Duel, Event, Fight, Flow, Item, ItemKind, Means, Pending, Ref, Seat, Slots, Table, Thing, ZoneId,
};

const ATTACKING: Word = Word("攻撃したユニット");
const ATTACKED: Word = Word("攻撃されたユニット");
const STRUCK: Word = Word("応酬した");
const WINNER: Word = Word("勝者");

/// Units in a square, in order of arrival.
fn units_in(d: &mut Duel, square: ZoneId) -> Vec<Ref> {
    let view = d.look();
    let class = at::CLASS;
    let unit = |id: &crate::kernel::CardId| {
        d.t.obj(*id).host.is_none() && view.cards[id.0 as usize].words(class).iter().any(|w| *w == "ユニット")
    };
    let mut found: Vec<Ref> = d.t.zone(square).iter().filter(|id| unit(id)).map(|id| d.t.now(*id)).collect();
    found.sort_by_key(|r| d.t.obj(r.id).since);
    found
}

/// 3.11.1, 4.16.4-3: squares where units of different controllers meet and no battle is open yet. Where one is, who
/// arrives joins it; reading C24: begins a new one.
pub fn due(d: &mut Duel) -> Vec<ZoneId> {
    let mut found = Vec::new();
    for square in battle_squares() {
        if d.t.zone(square).len() < 2 || !Seat::BOTH.iter().all(|s| any_of(d, square, "ユニット", Some(*s))) {
            continue;
        }
        // 4.16.4-3: a battle begins as a unit is put there.
        let fought = |id: &crate::kernel::CardId| d.t.obj(*id).host.is_some() || d.t.obj(*id).facts[FOUGHT] != 0;
        if d.t.zone(square).iter().all(fought) {
            continue;
        }
        let open = d.t.contexts.iter().any(|c| c.fights.iter().any(|f| f.zone == square));
        if !open || met_anew(d, square) && d.reading(dz!("C24", Reading), "a") == "b" {
            found.push(square);
        }
    }
    found
}

/// Two units meet there that have begun no battle with each other.
fn met_anew(d: &mut Duel, square: ZoneId) -> bool {
    let units: Vec<(Ref, Seat)> = units_in(d, square).into_iter().map(|u| (u, d.glance(u).controller)).collect();
    let fought = |a: Ref, b: Ref| {
        let began = |f: &Fight| f.zone == square && f.began.contains(&a) && f.began.contains(&b);
        d.t.contexts.iter().flat_map(|c| &c.fights).any(began)
    };
    units.iter().any(|(a, own)| units.iter().any(|(b, other)| own != other && !fought(*a, *b)))
}

/// 3.11.1: begins the battles that are due and fights them to their end. Rule effects come before (3.11.1-1).
pub fn start(d: &mut Duel) -> Flow<bool> {
    let squares = due(d);
    if squares.is_empty() {
        return Ok(false);
    }
    if d.t.phase != "メインフェイズ" && d.reading(dz!("C10", Reading), "a") == "b" {
        return Ok(false);
    }
    *d.aside().fact(super::schema::ACTIVITY) = 1;
    if !d.on(dz!("4.16.4-3", Check)) {
        return Ok(false);
    }
    d.under(dz!("4.16.4-3", Check), |d| {
        let mut fights = Vec::new();
        for square in squares {
            fights.push(begin(d, square));
        }
        if !d.t.context().pile.is_empty() || !d.t.context().pending.is_empty() {
            d.trace.reach(dz!("3.11.2", Meaning));
        }
        if !d.t.context().fights.is_empty() {
            d.trace.reach(dz!("3.11.3", Meaning));
        }
        if fights.len() > 1 {
            d.trace.reach(dz!("3.11.1-4", Frame));
        }
        let suspended = suspend(d);
        d.open(Context { step: Word("第１バトルステップ"), fights, ..suspended });
        fight(d)?;
        end(d)?;
        Ok(true)
    })
}

/// 3.11.2, 3.11.3: what is on the stack and what waits for it is put aside until the battle has ended. Knocked out,
/// the battle goes on with the old stack.
fn suspend(d: &mut Duel) -> Context {
    let nested = !d.t.context().fights.is_empty();
    let keep = if nested { d.on(dz!("3.11.3", Meaning)) } else { d.on(dz!("3.11.2", Meaning)) };
    if keep {
        return Context::default();
    }
    let (pile, pending) = (std::mem::take(d.aside().pile()), std::mem::take(d.aside().pending()));
    Context { pile, pending, ..Context::default() }
}

/// 3.11.1-2, 3.11.5, 3.11.5-1: who is in the battle, and in which role.
fn begin(d: &mut Duel, square: ZoneId) -> Fight {
    let units = units_in(d, square);
    let since: Vec<u32> = units.iter().map(|u| d.t.obj(u.id).since).collect();
    let together = since.iter().all(|s| *s == since[0]);
    let mut members = Vec::new();
    for (unit, at) in units.iter().zip(&since) {
        let roles = if together {
            d.trace.reach(dz!("3.11.5-1", Frame));
            vec![ATTACKING, ATTACKED]
        } else if *at == since[0] {
            vec![ATTACKED]
        } else {
            vec![ATTACKING]
        };
        members.push((*unit, roles));
    }
    d.trace.reach(dz!("3.11.5", Frame));
    for (unit, roles) in &members {
        both_roles(d, *unit, roles);
    }
    let id = d.aside().tick();
    for unit in &units {
        let mut aside = d.aside();
        let centre = aside.card(unit.id, CENTRE);
        if *centre == 1 {
            *centre = 2;
        }
    }
    Fight { id, zone: square, members, began: units, notes: Vec::new() }
}

/// 3.11.5-2: roles in battles that have not ended are kept beside the new ones.
fn both_roles(d: &mut Duel, unit: Ref, roles: &[Word]) {
    let other = |r: &Word| !roles.contains(r);
    let has =
        d.t.contexts
            .iter()
            .flat_map(|c| &c.fights)
            .flat_map(|f| &f.members)
            .any(|(r, old)| *r == unit && old.iter().any(other));
    if has && !d.applies(dz!("3.11.5-2", Meaning), |d| format!("{}は前のバトルでの役割も持ったまま", d.card_name(unit)))
    {
        for (r, old) in d.fights().flat_map(|f| &mut f.members) {
            if *r == unit {
                old.clear();
            }
        }
    }
}

/// 3.11.1-2: a unit put into the square of an open battle joins it.
pub fn join(d: &mut Duel, card: Ref, square: ZoneId) {
    let joins = |f: &Fight| f.zone == square && !f.members.iter().any(|(r, _)| *r == card);
    if d.t.contexts.iter().flat_map(|c| &c.fights).any(joins) {
        d.trace.reach(dz!("3.11.1-2", Frame));
        for fight in d.fights().filter(|f| joins(f)) {
            fight.members.push((card, Vec::new()));
        }
    }
}

/// The unit has the role in some battle that is open. Leaving the squares ends it (3.11.1-2).
pub fn role(t: &Table, card: Ref, role: Word) -> bool {
    t.is_now(card)
        && t.contexts.iter().flat_map(|c| &c.fights).any(|f| {
            f.members
                .iter()
                .any(|(r, roles)| *r == card && (role == "バトルをしているユニット" || roles.contains(&role)))
        })
}

fn fights(d: &Duel) -> Vec<Fight> {
    d.t.context().fights.clone()
}

fn about(name: Word, card: Ref, fight: &Fight) -> Event {
    Event { fight: Some(fight.id), ..Event::about(name, card) }
}

/// 3.11.4: three steps, in lock-step for battles that began together.
fn fight(d: &mut Duel) -> Flow {
    d.under(dz!("3.12", Frame), |d| {
        d.step(dz!("3.12.1"), begins)?;
        let mut tried = false;
        window(d, |d| exchange(d, &mut tried, true))
    })?;
    d.under(dz!("3.13", Frame), |d| {
        d.enter_step(Word("第２バトルステップ"));
        d.step(dz!("3.13.1"), |d| d.signal(Word("第２バトルステップ開始時")))?;
        let mut tried = false;
        window(d, |d| exchange(d, &mut tried, false))
    })?;
    d.under(dz!("3.14", Frame), |d| {
        d.enter_step(Word("バトル終了ステップ"));
        d.step(dz!("3.14.1"), decide)?;
        let mut ended = false;
        window(d, |d| {
            if ended {
                return Ok(false);
            }
            ended = true;
            finish(d)
        })
    })
}

/// 3.12.1: what triggers as the battle begins.
fn begins(d: &mut Duel) -> Flow {
    d.signal(Word("バトル開始時"))?;
    d.signal(Word("第１バトルステップ開始時"))?;
    let mut events = Vec::new();
    for fight in fights(d) {
        for (unit, roles) in &fight.members {
            if roles.contains(&ATTACKING) {
                events.push(about(Word("攻撃"), *unit, &fight));
            }
            if roles.contains(&ATTACKED) {
                events.push(about(Word("被攻撃"), *unit, &fight));
            }
        }
    }
    d.happen(events)
}

/// 3.12.2, 3.13.2, 5.4: once in a step, when both have passed, the exchange of damage goes on the stack.
fn exchange(d: &mut Duel, tried: &mut bool, first: bool) -> Flow<bool> {
    if *tried {
        return Ok(false);
    }
    *tried = true;
    let mut any = false;
    for fight in fights(d) {
        let units = units_in(d, fight.zone);
        let opposed = units.iter().any(|a| units.iter().any(|b| d.seen(*a).controller != d.seen(*b).controller));
        let originals = fight.began.iter().all(|r| d.t.is_now(*r) && d.t.obj(r.id).zone == fight.zone);
        let stays = if first { dz!("3.12.2", Limit) } else { dz!("3.13.2", Limit) };
        if !opposed {
            d.trace.reach(stays);
            continue;
        }
        if !originals
            && d.reading(dz!("C3", Reading), "a") == "a"
            && d.applies(stays, |_| "バトルを発生させたユニットがスクエアを離れているので応酬は乗らない".into())
        {
            continue;
        }
        let strikers = strikers(d, &fight, &units, first);
        if strikers.is_empty() && (!first || d.reading(dz!("C4", Reading), "b") == "b") {
            continue;
        }
        stack_exchange(d, &fight, &units, &strikers, if first { dz!("3.12.2", Frame) } else { dz!("3.13.2", Frame) })?;
        any = true;
    }
    Ok(any)
}

/// 5.4.1-1, 5.4.1-2, 5.4.2: 加速 strikes in the first step, all who have not struck in the second.
fn strikers(d: &mut Duel, fight: &Fight, units: &[Ref], first: bool) -> Vec<Ref> {
    let mut found = Vec::new();
    for unit in units {
        let struck = fight.notes.contains(&(STRUCK, *unit));
        let swift = d.seen(*unit).has("加速");
        let strikes = if first {
            swift && d.applies(dz!("5.4.1-1", Meaning), |d| format!("{}は加速を持つ", d.card_name(*unit)))
        } else if struck {
            !d.applies(dz!("5.4.2", Limit), |d| format!("{}は第１バトルステップで応酬を乗せた", d.card_name(*unit)))
        } else {
            d.applies(dz!("5.4.1-2", Meaning), |d| format!("{}はまだ応酬を乗せていない", d.card_name(*unit)))
        };
        if strikes {
            found.push(*unit);
        }
    }
    found
}

/// 3.12.4-1: the damage is fixed as the exchange goes on the stack.
fn stack_exchange(
    d: &mut Duel,
    fight: &Fight,
    units: &[Ref],
    strikers: &[Ref],
    cite: &'static crate::kernel::Cite,
) -> Flow {
    d.under(cite, |d| {
        let power = at::POWER;
        let mut slots = Slots::default();
        let (mut from, mut to, mut amount) = (Vec::new(), Vec::new(), Vec::new());
        for striker in strikers {
            let seen = d.seen(*striker);
            for other in units {
                if d.seen(*other).controller != seen.controller {
                    from.push(Thing::Card(*striker));
                    to.push(Thing::Card(*other));
                    super::text::note_resistance(d, *striker, Some(*other), &mut slots);
                    amount.push(Thing::Number(seen.number(power).unwrap_or(0).max(0)));
                }
            }
            let striker = *striker;
            d.fights().filter(|f| f.id == fight.id).for_each(|f| f.notes.push((STRUCK, striker)));
        }
        slots.set(Word("与える"), from);
        slots.set(Word("受ける"), to);
        slots.set(Word("量"), amount);
        slots.set(Word("バトル"), vec![Thing::Number(fight.id as i32)]);
        let seat = d.t.active;
        let id = d.aside().tick();
        d.aside().pile().push(Item {
            id,
            kind: ItemKind::Act(Word("バトルダメージの応酬")),
            card: None,
            ability: None,
            seat,
            slots,
            event: None,
            from: None,
            negated: false,
        });
        d.tell(crate::kernel::Told::Applied, |_| "バトルダメージの応酬をスタックに乗せる".into());
        Ok(())
    })
}

/// 3.12.4, 3.13.4: both damages at once, as fixed, to units that have not left the squares.
pub fn resolve_exchange(d: &mut Duel, item: &Item) -> Flow {
    let cite =
        if d.t.context().step == "第１バトルステップ" { dz!("3.12.4", Frame) } else { dz!("3.13.4", Frame) };
    d.under(cite, |d| {
        let power = at::POWER;
        let from = item.slots.cards("与える");
        let to = item.slots.cards("受ける");
        let fight = item.slots.number("バトル").map(|n| n as u32);
        let mut hits = Vec::new();
        for (i, (dealer, taker)) in from.iter().zip(&to).enumerate() {
            let fixed = match item.slots.get("量").and_then(|a| a.get(i)) {
                Some(Thing::Number(n)) => *n,
                _ => 0,
            };
            let now = d.seen(*dealer).number(power).unwrap_or(0).max(0);
            let left = !d.t.is_now(*dealer);
            let amount = if now == fixed && !left
                || d.applies(dz!("3.12.4-1", Meaning), |d| {
                    format!("{}の与えるダメージは{fixed}に固定されている", d.card_name(*dealer))
                }) {
                fixed
            } else if left {
                continue;
            } else {
                now
            };
            if !d.t.is_now(*taker)
                && d.applies(dz!("3.12.4-2", Meaning), |d| {
                    format!("{}はスクエアを離れたのでダメージを受けない", d.card_name(*taker))
                })
            {
                continue;
            }
            let moved =
                d.t.contexts
                    .iter()
                    .flat_map(|c| &c.fights)
                    .any(|f| Some(f.id) == fight && f.zone != d.t.obj(taker.id).zone);
            if moved
                && !d.applies(dz!("3.12.4-2", Meaning), |d| {
                    format!("{}は別のスクエアにいてもダメージを受ける", d.card_name(*taker))
                })
            {
                continue;
            }
            hits.push((*dealer, *taker, amount));
        }
        strike(d, &hits, fight)
    })
}

fn strike(d: &mut Duel, hits: &[(Ref, Ref, i32)], fight: Option<u32>) -> Flow {
    let mut events = Vec::new();
    for (dealer, taker, amount) in hits {
        if *amount <= 0 {
            continue;
        }
        let seat = d.seen(*dealer).controller;
        let mut event =
            super::book::damage(*taker, *amount, Cause { means: Means::Battle, card: Some(*dealer), seat: Some(seat) });
        event.how = Word("バトル");
        event.fight = fight;
        events.push(event);
    }
    let done = d.propose(events)?;
    for event in &done.happened {
        late_death(d, event)?;
    }
    Ok(())
}

/// 5.2.2-1: 即死 does not trigger for a unit that left before its damage was dealt.
fn late_death(d: &mut Duel, event: &Event) -> Flow {
    let Some(dealer) = event.cause.card.filter(|c| !d.t.is_now(*c)) else { return Ok(()) };
    let seen = d.seen(dealer);
    let Some(ability) = seen.abilities.iter().find(|a| a.clauses.contains(&"5.2.2")).cloned() else { return Ok(()) };
    if d.applies(dz!("5.2.2-1", Limit), |d| {
        format!("{}はスクエアを離れていたので即死は誘発しない", d.card_name(dealer))
    }) {
        return Ok(());
    }
    let pending = Pending {
        ability,
        source: dealer,
        seat: seen.controller,
        event: std::sync::Arc::new(event.clone()),
        slots: Slots::default(),
    };
    d.aside().pending().push(pending);
    Ok(())
}

/// 3.14.1, 3.14.1-1: the only unit in the square wins, whether it began the battle or not.
fn decide(d: &mut Duel) -> Flow {
    let mut events = Vec::new();
    for fight in fights(d) {
        let units = units_in(d, fight.zone);
        if let [winner] = units.as_slice() {
            let winner = *winner;
            let original = fight.began.contains(&winner);
            if original
                || d.applies(dz!("3.14.1-1", Meaning), |d| {
                    format!("{}はバトルを発生させていなくても勝者になる", d.card_name(winner))
                })
            {
                d.trace.reach(dz!("3.14.1-1", Meaning));
                d.fights().filter(|f| f.id == fight.id).for_each(|f| f.notes.push((WINNER, winner)));
                events.push(about(Word("バトル勝利"), winner, &fight));
            }
        }
    }
    d.signal(Word("バトル終了ステップ開始時"))?;
    d.propose(events).map(|_| ())
}

/// 3.14.2, 3.14.2-1, 4.16.4-9, 4.16.4-10, then 3.14.2-2: what happens at the end of a battle.
fn finish(d: &mut Duel) -> Flow<bool> {
    let mut dying: Vec<(Ref, &'static crate::kernel::Cite)> = Vec::new();
    for fight in fights(d) {
        let units = units_in(d, fight.zone);
        // Both are there, whoever controls them.
        let both = units.len() > 1;
        let stays = |(unit, roles): &(Ref, Vec<Word>)| roles.contains(&ATTACKING) && units.contains(unit);
        let late = units.last().copied().filter(|u| both && !fight.began.contains(u));
        // 3.11.5, 4.16.4-10: who was put there later; reading C25: the roles were given as the battle began.
        let late = late.filter(|_| !fight.members.iter().any(stays) && d.reading(dz!("C25", Reading), "a") == "a");
        for (unit, roles) in &fight.members {
            if !d.t.is_now(*unit) {
                continue;
            }
            let attacker = both && (roles.contains(&ATTACKING) && units.contains(unit) || late == Some(*unit));
            if attacker
                && d.applies(dz!("4.16.4-10", Check), |d| {
                    format!("両方のユニットが残ったので攻撃した{}は墓地に置かれる", d.card_name(*unit))
                })
            {
                d.trace.reach(dz!("3.14.2", Frame));
                dying.push((*unit, dz!("4.16.4-10", Check)));
            }
            let centre = d.t.obj(unit.id).facts[CENTRE] > 0 && is_square(d.t.obj(unit.id).zone);
            if centre
                && d.applies(dz!("4.16.4-9", Check), |d| {
                    format!("中央エリアにプレイした{}はバトル終了時に墓地に置かれる", d.card_name(*unit))
                })
            {
                d.trace.reach(dz!("3.14.2-1", Frame));
                d.trace.reach(dz!("2.20.1-6", Frame));
                dying.push((*unit, dz!("4.16.4-9", Check)));
            }
        }
    }
    let any = !dying.is_empty();
    // What triggers at the end of the battle comes after these rule effects.
    let after = d.applies(dz!("3.14.2-2", Order), |_| "墓地に置いた後に「バトル終了時」の能力が誘発する".into());
    if !after {
        closes(d)?;
    }
    super::checks::bury(d, dying)?;
    if after {
        closes(d)?;
    }
    Ok(any || !d.t.context().pending.is_empty())
}

/// 「バトル終了時」 of the battle, and of every unit that is still in it.
fn closes(d: &mut Duel) -> Flow {
    for fight in fights(d) {
        let event = Event { fight: Some(fight.id), ..Event::signal(Word("バトル終了時")).seat(d.t.active) };
        d.happen(vec![event])?;
        for (unit, _) in &fight.members {
            if d.t.is_now(*unit) {
                d.happen(vec![about(Word("バトル終了時"), *unit, &fight)])?;
            }
        }
    }
    Ok(())
}

/// 3.14.3, 3.14.4: effects until the end of the battle end, roles end, and what was suspended goes on.
fn end(d: &mut Duel) -> Flow {
    for fight in fights(d) {
        d.step(dz!("3.14.3"), |d| d.expire(Word("バトル終了時"), Some(fight.id)).map(|_| ()))?;
    }
    d.trace.reach(dz!("3.14.4", Frame));
    for fight in fights(d) {
        let both = Seat::BOTH.iter().all(|s| any_of(d, fight.zone, "ユニット", Some(*s)));
        for unit in units_in(d, fight.zone).into_iter().filter(|_| both) {
            *d.aside().card(unit.id, FOUGHT) = 1;
        }
    }
    for (unit, _) in fights(d).into_iter().flat_map(|f| f.members) {
        still_in(d, unit);
    }
    // Without 3.11.2 the stack came along; whatever is left of it goes back.
    d.close();
    Ok(())
}

/// 3.11.1-3: the end of one battle does not end a unit's part in another.
fn still_in(d: &mut Duel, unit: Ref) {
    let below = d.t.contexts.len() - 1;
    let other = d.t.contexts[..below].iter().flat_map(|c| &c.fights).any(|f| f.members.iter().any(|(r, _)| *r == unit));
    if other
        && d.t.is_now(unit)
        && !d
            .applies(dz!("3.11.1-3", Meaning), |d| format!("{}は元のバトルではまだバトルをしている", d.card_name(unit)))
    {
        let here: Vec<u32> = d.t.context().fights.iter().map(|f| f.id).collect();
        for fight in d.fights().filter(|f| !here.contains(&f.id)) {
            fight.members.retain(|(r, _)| *r != unit);
        }
    }
}
