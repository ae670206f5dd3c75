//! 500: rule processes, carried out the moment they are due, all of them as one event; 907: destruction in two stages.

use super::places::{destroyed, field, from_character_deck, has_kind, is_field, who, zone};
use super::schema::{
    ATTACK, BY_BATTLE, DAMAGE, DESTROYED, DRY, HEALTH, LEVEL, LIFE, LOSING, RELEASED_1000, RELEASED_1500, at,
};
use super::{battle, damage, priority, say, setup, text};
use crate::card::{Change, Filter, Word};
use crate::kernel::table::Holds;
use crate::kernel::{
    Asks, CardId, Cause, Cite, Ctx, Duel, Event, Flow, Means, Ongoing, Question, Ref, Seat, Slots, Table, Thing, What,
};

/// 501.1: after every change, also in the middle of a resolution.
pub fn at_once(d: &mut Duel, events: &[Event]) -> Flow {
    if d.t.phase == "準備" || d.t.phase == "デッキ構築" || d.t.over.is_some() {
        return Ok(());
    }
    text::held(d)?;
    text::keep_open(d, events);
    if d.on(nova!("501.1", Order)) {
        carry_out(d, events)?;
    }
    priority::states(d)
}

/// Without the clause by which they come at once, they come before anybody acts.
pub fn late(d: &mut Duel) -> Flow {
    if d.on(nova!("501.1", Order)) || d.t.over.is_some() { Ok(()) } else { carry_out(d, &[]) }
}

fn carry_out(d: &mut Duel, events: &[Event]) -> Flow {
    lose(d, events)?;
    battle::leave(d)?;
    let due = due(d, events)?;
    if due.is_empty() {
        return Ok(());
    }
    d.trace.reach(nova!("501.1", Order));
    d.trace.reach(nova!("912.4.4", Frame));
    if due.len() < 2 || say(d, [nova!("501.1.1", Order)]) {
        return d.happen(due);
    }
    for event in due {
        d.happen(vec![event])?;
    }
    Ok(())
}

/// 502: again where something else was done instead of losing.
fn lose(d: &mut Duel, events: &[Event]) -> Flow {
    while loses(d, events)? {
        d.spend()?;
    }
    Ok(())
}

/// 502, 003.2.1, 003.2.4, reading C19. Whether something else was done instead.
fn loses(d: &mut Duel, events: &[Event]) -> Flow<bool> {
    if d.t.facts[LOSING] != 0 {
        return Ok(false);
    }
    let dead: Vec<Seat> =
        Seat::BOTH.into_iter().filter(|s| d.t.seats[s.index()][LIFE] <= 0 && d.on(nova!("502.1", Check))).collect();
    if !dead.is_empty() && !say(d, [nova!("003.2.1", Check)]) {
        return Ok(false);
    }
    if let [one] = dead[..] {
        return d.under(nova!("502.1", Check), |d| setup::lose(d, one));
    }
    if dead.len() == 2 {
        let exact = Seat::BOTH.iter().all(|s| d.t.seats[s.index()][LIFE] == 0);
        let reading = d.reading(nova!("C19", Reading), "a").to_string();
        if reading == "b" || reading == "c" && !exact {
            return d.undecided("両者が同時に敗北した場合の結果", &["nova:502.1", "nova:003.1.1"]);
        }
        let hurt = |e: &&Event| matches!(e.what, What::SeatFact { fact: LIFE, .. });
        let by = events.iter().rev().find(hurt).and_then(|e| e.cause.seat);
        let Some(by) = by else {
            return d.undecided("両者のライフを同時に0にしたプレイヤー", &["nova:003.2.4"]);
        };
        if !d.on(nova!("003.2.4", Check)) {
            return d.undecided("両者が同時に敗北した場合の結果", &["nova:502.1", "nova:003.1.1"]);
        }
        return d.under(nova!("003.2.4", Check), |d| setup::lose(d, by));
    }
    let dry: Vec<Seat> =
        Seat::BOTH.into_iter().filter(|s| d.t.seats[s.index()][DRY] > 0 && d.on(nova!("502.2", Check))).collect();
    match dry[..] {
        [] => Ok(false),
        [one] => d.under(nova!("502.2", Check), |d| setup::lose(d, one)),
        _ => d.undecided("両者が同時に敗北した場合の結果", &["nova:502.2", "nova:003.1.1"]),
    }
}

/// 507.1, 005.5.2.1: of a position that was written down, the lives passed have been released; reading C28 is not asked.
pub fn completes(t: &mut Table) {
    text::bind_given(t);
    for facts in &mut t.seats {
        for (life, fact) in [(1500, RELEASED_1500), (1000, RELEASED_1000)] {
            if facts[LIFE] <= life && facts[LIFE] > 0 {
                facts[fact] = 1;
            }
        }
        facts[LEVEL] = facts[LEVEL].max(1 + facts[RELEASED_1500] + facts[RELEASED_1000]);
    }
}

/// What is due now.
fn due(d: &mut Duel, happened: &[Event]) -> Flow<Vec<Event>> {
    let mut events = Vec::new();
    for (card, cite, why) in lacking(d) {
        // 405.6.3.2: by battle damage, and by nothing that came later.
        let dealer = damage::dealer(happened, card).filter(|_| say(d, [nova!("405.6.3.2", Meaning)]));
        let event = destruction(d, card, Cause { card: dealer, ..Cause::RULE });
        if !d.forbidden(&event) {
            d.cites(cite, |_| why);
            events.push(event);
        } else {
            d.trace.reach(nova!("907.2", Frame));
        }
    }
    events.extend(copies(d)?);
    events.extend(equipment(d)?);
    for seat in Seat::BOTH {
        for (life, fact) in [(1500, RELEASED_1500), (1000, RELEASED_1000)] {
            let facts = &d.t.seats[seat.index()];
            let (low, done) = (facts[LIFE] <= life, facts[fact] > 0);
            let other = facts[RELEASED_1500] + facts[RELEASED_1000] > 0;
            if !low || done || other && d.reading(nova!("C28", Reading), "a") == "b" {
                continue;
            }
            if say(d, [nova!("005.5.2.1", Check)])
                && d.applies(nova!("507.1", Check), |_| {
                    format!("{}のライフが{life}以下になったので、リミットレベルが1上がる", who(seat))
                })
            {
                *d.aside().seat(seat, fact) = 1;
                let event = Event {
                    what: What::SeatFact { fact: LEVEL, by: 1 },
                    amount: 1,
                    ..Event::signal(Word("リミット開放"))
                };
                events.push(event.seat(seat));
            }
        }
    }
    events.extend(taken_back(d));
    Ok(events)
}

/// 507.1.1: what was released stays so; without it, it goes with the life.
fn taken_back(d: &mut Duel) -> Vec<Event> {
    let mut events = Vec::new();
    for seat in Seat::BOTH {
        for (life, fact) in [(1500, RELEASED_1500), (1000, RELEASED_1000)] {
            let facts = &d.t.seats[seat.index()];
            if facts[LIFE] > life && facts[fact] > 0 && !say(d, [nova!("507.1.1", Check)]) {
                *d.aside().seat(seat, fact) = 0;
                let what = What::SeatFact { fact: LEVEL, by: -1 };
                events.push(Event { what, amount: 1, ..Event::signal(Word("リミット開放")) }.seat(seat));
            }
        }
    }
    events
}

/// 503.1, 503.2, readings C18 and C24: servants whose damage has reached their health.
fn lacking(d: &mut Duel) -> Vec<(Ref, &'static Cite, String)> {
    let view = d.look();
    let mut found = Vec::new();
    for card in field(d) {
        let seen = &view.cards[card.id.0 as usize];
        let Some(health) = seen.number(at(HEALTH)).filter(|_| has_kind(seen, "サーバント")) else { continue };
        if destroyed(d, card) {
            continue;
        }
        let damage = d.t.obj(card.id).facts[DAMAGE];
        let name = d.card_name(card);
        if health <= 0 && damage == 0 {
            let lowered = lowered(d, card);
            let cite = if lowered { nova!("503.2", Check) } else { nova!("503.1", Check) };
            let dies = lowered || d.reading(nova!("C24", Reading), "a") == "a";
            if dies && d.on(cite) {
                found.push((card, cite, format!("{name}の体力が0")));
            }
        } else if damage >= health.max(0)
            && say(d, [nova!("108.2", Check), nova!("203.5", Check)])
            && d.on(nova!("503.1", Check))
        {
            found.push((card, nova!("503.1", Check), format!("{name}のダメージ{damage}が体力{}以上", health.max(0))));
        }
    }
    found
}

/// Some effect takes from the health of the card: what it comes to, not how it is written.
fn lowered(d: &mut Duel, card: Ref) -> bool {
    let ongoing = d.t.ongoing.clone().into_iter().any(|o| {
        let here = o.locked.as_ref().is_none_or(|l| l.contains(&card));
        here && matches!(&o.holds, Holds::Changes(c) if c.iter().any(|c| takes(d, &o, c, &[HEALTH])))
    });
    ongoing || field(d).into_iter().any(|source| lowers(d, source, card))
}

/// The change takes from one of the numbers.
fn takes(d: &mut Duel, effect: &Ongoing, change: &Change, of: &[&str]) -> bool {
    let Change::Add(name, value) = change else { return false };
    let ctx = Ctx { this: effect.source, seat: effect.seat, slots: &effect.slots, event: None };
    of.iter().any(|of| *name == *of) && d.number(&ctx, value) < 0
}

/// A static ability of the source takes from the health of the card.
fn lowers(d: &mut Duel, source: Ref, card: Ref) -> bool {
    let seen = d.seen(source);
    let slots = Slots::default();
    let ctx = Ctx { this: Some(source), seat: seen.controller, slots: &slots, event: None };
    for ability in seen.abilities.iter().filter(|a| !a.grant.is_empty()) {
        let meant = d.see(|eyes| match &ability.affects {
            Some(filter) => eyes.matches(&ctx, filter, card),
            None => source == card,
        });
        for change in ability.grant.iter().filter(|_| meant) {
            if let Change::Add(name, value) = change
                && *name == HEALTH
                && d.number(&ctx, value) < 0
            {
                return true;
            }
        }
    }
    false
}

/// 907.1: destroyed, but not gone yet. By a rule and by a card: by that card's battle damage.
pub fn destruction(d: &mut Duel, card: Ref, cause: Cause) -> Event {
    let by_battle = cause.means == Means::Rule && cause.card.is_some();
    Event {
        what: What::Mark { name: Word(DESTROYED) },
        amount: 1,
        how: if by_battle { Word("バトル") } else { Word("破壊") },
        from: Some(d.t.obj(card.id).zone),
        cause,
        ..Event::about(Word("破壊"), card)
    }
    .seat(d.t.obj(card.id).controller)
}

/// Whose battle damage destroyed the card.
fn dealer(d: &Duel, card: Ref) -> Option<Ref> {
    let by = d.t.obj(card.id).facts[BY_BATTLE];
    (by > 0).then(|| d.t.now(CardId(by as u16 - 1)))
}

/// 505, 1008.2, reading C12: of cards of one name only the oldest stays on a player's field.
fn copies(d: &mut Duel) -> Flow<Vec<Event>> {
    let mut events = Vec::new();
    for seat in [d.t.active, d.t.active.other()] {
        let cards: Vec<Ref> = d.t.zone(zone("場", seat)).iter().map(|id| d.t.now(*id)).collect();
        let view = d.look();
        let deprived = d.on(nova!("1008.2", Check));
        let limited = |r: &Ref| {
            let seen = &view.cards[r.id.0 as usize];
            has_kind(seen, "キャラクター") || deprived && text::has(seen, "剥奪") || text::has(seen, "1枚制限")
        };
        let mut seen_names: Vec<Word> = Vec::new();
        for card in cards.iter().filter(|r| limited(r)) {
            let name = view.cards[card.id.0 as usize].name();
            if seen_names.contains(&name) {
                continue;
            }
            seen_names.push(name);
            let twins: Vec<Ref> =
                cards.iter().filter(|r| view.cards[r.id.0 as usize].names.contains(&name)).copied().collect();
            if twins.len() < 2 || !d.on(nova!("505.1", Check)) {
                continue;
            }
            let oldest = twins.iter().map(|r| d.t.obj(r.id).held).min().unwrap_or(0);
            let first: Vec<Ref> = twins.iter().filter(|r| d.t.obj(r.id).held == oldest).copied().collect();
            let stays = match first[..] {
                [one] => one,
                _ if !say(d, [nova!("505.2", Check)]) => first[0],
                _ => {
                    let of = first.iter().map(|r| Thing::Card(*r)).collect();
                    let asks = Asks::Choose { of, min: 1, max: 1 };
                    let question = Question::new(seat, Word("残すカード"), asks).citing(nova!("505.2", Check));
                    first[d.ask(question)?[0] as usize]
                }
            };
            if twins.iter().any(|r| view.cards[r.id.0 as usize].has("剥奪")) {
                d.trace.reach(nova!("1008.2", Check));
            }
            d.cites(nova!("505.1", Check), |d| format!("同名のカードは{}だけが残る", d.card_name(stays)));
            for gone in twins.into_iter().filter(|r| *r != stays) {
                let owner = d.t.obj(gone.id).owner;
                if from_character_deck(d, gone) {
                    d.reading(nova!("C12", Reading), "a");
                }
                let event = d.moving(gone, zone("墓地", owner));
                events.push(event);
            }
        }
    }
    Ok(events)
}

/// 506.1, 205.3, reading C14: an item whose bearer has gone, or can bear it no more.
fn equipment(d: &mut Duel) -> Flow<Vec<Event>> {
    let mut events = Vec::new();
    for card in field(d) {
        let Some((_, bearer)) = d.t.obj(card.id).host.filter(|(how, _)| *how == "装備") else { continue };
        let there = is_field(d.t.obj(bearer).zone);
        let seen = d.seen(card);
        if !(seen.has("装備") && has_kind(&seen, "マジックアイテム")) {
            let native = matches!(d.card(card).data.get(&Word(super::schema::KIND)),
                Some(crate::card::Datum::Words(words)) if words.iter().any(|w| *w == "マジックアイテム"));
            if native && there {
                continue;
            }
            if native {
                return d.undecided(
                    format!("装備を失ったマジックアイテム{}の装備先がなくなること", d.card_name(card)),
                    &["nova:506.1", "nova:506.2"],
                );
            }
            if d.applies(nova!("506.2", Check), |d| format!("{}は装備から外れて場に残る", d.card_name(card)))
            {
                d.lay_with(card.id, None);
                continue;
            }
        }
        let cite = nova!("506.1", Check);
        let owner = d.t.obj(card.id).owner;
        if !there {
            if d.applies(cite, |d| format!("装備先のなくなった{}は墓地に送られる", d.card_name(card)))
            {
                events.push(d.moving(card, zone("墓地", owner)));
            }
            continue;
        }
        // Whose the bearer is was for whoever played the item to choose: since then both have one controller (205.2.1, 205.4).
        let filter = d.seen(card).keyword("装備").and_then(|k| k.filter.clone()).map(|f| Filter { of: None, ..f });
        let slots = Slots::default();
        let ctx = Ctx { this: Some(card), seat: d.t.obj(card.id).controller, slots: &slots, event: None };
        let bearer_now = d.t.now(bearer);
        let fits = match &filter {
            Some(filter) => d.see(|eyes| eyes.matches(&ctx, filter, bearer_now)),
            None => has_kind(&d.seen(bearer_now), "サーバント"),
        };
        if fits {
            continue;
        }
        if !say(d, [nova!("205.3", Check)]) {
            continue;
        }
        match d.reading(nova!("C14", Reading), "a") {
            "a" => events.push(d.moving(card, zone("墓地", owner))),
            "b" => d.lay_with(card.id, None),
            _ => {}
        }
    }
    Ok(events)
}

pub fn any_destroyed(d: &Duel) -> bool {
    field(d).iter().any(|r| destroyed(d, *r))
}

/// 907.1, 907.1.1: nothing waits any more: who is destroyed goes to the graveyard, without priority.
pub fn bury(d: &mut Duel) -> Flow<bool> {
    let dying: Vec<Ref> = field(d).into_iter().filter(|r| destroyed(d, *r)).collect();
    if dying.is_empty() || !d.on(nova!("907.1", Meaning)) {
        return Ok(false);
    }
    d.cites(nova!("907.1", Meaning), |_| "待機領域が空になったので、破壊されたカードは墓地に送られる".into());
    let mut events = Vec::new();
    for &card in &dying {
        let owner = d.t.obj(card.id).owner;
        let mut event = d.moving(card, zone("墓地", owner));
        event.cause.card = dealer(d, card);
        event.how = if event.cause.card.is_some() { Word("バトル") } else { Word("破壊") };
        events.push(event);
    }
    let done = d.propose(events)?;
    // What a text keeps there stays, and is no longer destroyed. Who is destroyed because these went waits for its turn.
    for card in dying {
        if d.t.is_now(card) {
            d.unmark(card.id, DESTROYED);
        }
    }
    Ok(done.any() || done.replaced)
}

/// 907.3: no longer destroyed; its damage and what was taken from it count no more.
pub fn save(d: &mut Duel, card: Ref) -> Flow<bool> {
    if !destroyed(d, card) || !d.on(nova!("907.3", Meaning)) {
        return Ok(false);
    }
    d.under(nova!("907.3", Meaning), |d| {
        *d.aside().card(card.id, DAMAGE) = 0;
        *d.aside().card(card.id, BY_BATTLE) = 0;
        d.unmark(card.id, DESTROYED);
        for at in 0..d.t.ongoing.len() {
            let effect = d.t.ongoing[at].clone();
            let Holds::Changes(changes) = &effect.holds else { continue };
            let minus: Vec<bool> = changes.iter().map(|c| takes(d, &effect, c, &[HEALTH, ATTACK])).collect();
            let locked = effect.locked.as_ref().map(|l| l.contains(&card));
            if !minus.contains(&true) || locked == Some(false) {
                continue;
            }
            if effect.slots.word(&text::COUNTERS).is_some() {
                return d.undecided("カウンターによる－の修正を0にすること", &["nova:907.3", "nova:919.2"]);
            }
            if locked.is_none() {
                return d.unwritten("すべてに及ぶ－の修正を1枚についてだけ0にすること", &["nova:907.3"]);
            }
            // What else the effect does to the card it goes on doing.
            let rest: Vec<Change> = changes.iter().zip(&minus).filter(|(_, m)| !**m).map(|(c, _)| c.clone()).collect();
            d.spare(at, card);
            if !rest.is_empty() {
                let holds = Holds::Changes(std::sync::Arc::new(rest));
                d.begin_effect(Ongoing { holds, locked: Some(vec![card]), ..effect });
            }
        }
        if lowered(d, card) && d.seen(card).number(at(HEALTH)).unwrap_or(0) <= 0 {
            d.reading(nova!("C32", Reading), "a");
            return d.undecided("常時能力による－の修正を0にすること", &["nova:907.3", "nova:801.5.1"]);
        }
        at_once(d, &[])?;
        Ok(true)
    })
}

/// What is wrong with a table as it was set up.
pub fn unlawful(d: &mut Duel) -> Option<(&'static Cite, String)> {
    if d.t.phase == "準備" || d.t.phase == "デッキ構築" {
        return None;
    }
    // 919.2: counters that lie there count from the beginning.
    for id in d.t.ids().collect::<Vec<_>>() {
        let card = d.t.now(id);
        let _ = text::weigh(d, card);
    }
    for seat in Seat::BOTH {
        if d.t.seats[seat.index()][LIFE] <= 0 {
            return Some((nova!("502.1", Check), format!("{}のライフが0", who(seat))));
        }
    }
    for card in field(d) {
        if has_kind(&d.seen(card), "スペル") {
            return Some((nova!("309.1", Check), format!("{}は場に置かれない", d.card_name(card))));
        }
    }
    for id in d.t.ids().collect::<Vec<_>>() {
        let card = d.t.now(id);
        let character = from_character_deck(d, card);
        let name = super::schema::schema().spec(d.t.obj(id).zone).name;
        if character && matches!(name, "墓地" | "除外ゾーン" | "デッキ" | "手札") {
            return Some((nova!("305.2", Limit), format!("{}は{name}に置かれない", d.card_name(card))));
        }
        if !character && d.t.obj(id).def != 0 && matches!(name, "退場キャラ置き場" | "キャラデッキ") {
            return Some((nova!("307.2", Limit), format!("{}は{name}に置かれない", d.card_name(card))));
        }
    }
    lacking(d).into_iter().next().map(|(_, cite, why)| (cite, why))
}
