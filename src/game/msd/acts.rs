//! 1003–1018, 1021: acts that texts call by name.

use super::schema::{CANDY, FAILED, OPEN, RECOVERED, REVERSED};
use super::zones::{Own, in_play, is, zone};
use super::{activate, odo, orbs, piles};
use crate::card::{Step, Value, Word};
use crate::kernel::{Cause, Cite, Ctx, Duel, Event, Flow, Means, Ref, Seat, Sight, What};

pub const EXTRA_TURN: Word = Word("追加ターン");

pub fn by_effect(ctx: &Ctx) -> Cause {
    Cause { means: Means::Effect, card: ctx.this, seat: Some(ctx.seat) }
}

/// 1006.1: the top card of the deck. Reading C8: a draw that fails in the draw phase is remembered.
pub fn draw(d: &mut Duel, seat: Seat, cause: Cause) -> Flow<bool> {
    if !d.on(msd!("1006.1")) {
        return Ok(false);
    }
    d.under(msd!("1006.1"), |d| {
        let Some(top) = d.t.zone(zone(Own::Deck, seat)).last().copied() else {
            // Whether what cannot be done can be replaced, the document does not say.
            let replaced_by = d.replacing.clone();
            let would = Event { replaced_by, ..Event::signal(Word("引く")).by(cause).seat(seat) };
            if d.would_replace(&would) {
                let clauses = ["msd:910.1", "msd:1006.1", "msd:1202.1"];
                return d.undecided("デッキにカードがないときに、引くことを置き換えられるか", &clauses);
            }
            if failing_loses(d, cause) {
                *d.aside().seat(seat, FAILED) = 1;
            }
            d.trace.reach(msd!("104.2", Meaning));
            return Ok(false);
        };
        let (card, to) = (d.t.now(top), zone(Own::Hand, seat));
        let mut event = d.moving(card, to).by(cause).seat(seat);
        event.name = Word("引く");
        event.what = What::Move { to, bottom: false, state: 0, face_up: false, controller: None, host: None };
        let forbidden = d.forbidden(&event);
        let drawn = d.propose_one(event)?.any();
        // Reading C33: what was forbidden could not be drawn either.
        if forbidden && !drawn && failing_loses(d, cause) && d.reading(msd!("C33", Reading), "a") == "b" {
            *d.aside().seat(seat, FAILED) = 1;
        }
        Ok(drawn)
    })
}

/// 1202.1, reading C8: who cannot draw now loses.
fn failing_loses(d: &mut Duel, cause: Cause) -> bool {
    let phase = d.t.phase == "ドローフェイズ";
    match d.reading(msd!("C8", Reading), "a") {
        "b" => phase && cause.means == Means::Rule,
        "c" => true,
        _ => phase,
    }
}

/// 1003–1018: the clause that says what doing such a thing is; while it is knocked out the thing is not done.
pub fn undone(d: &mut Duel, event: &Event) -> Option<&'static Cite> {
    let cite = match &event.what {
        What::Mark { .. } if event.amount > 0 => msd!("1018.2"),
        What::Mark { .. } => msd!("1018.5"),
        What::Turn { .. } => msd!("1010.1"),
        What::Move { to, .. } => match event.how.as_str() {
            "破棄" => msd!("1008.1"),
            "穢す" => msd!("1009.1"),
            "捨てる" => msd!("1013.1"),
            _ if is(*to, Own::Removed) => msd!("1003.1"),
            _ => return None,
        },
        // 1004.2: what is shown already, or lies where all see it, is not shown again.
        What::Signal if event.name == "見る" && event.how == "公開" => {
            let card = event.card?;
            let down =
                super::schema::schema().spec(d.t.obj(card.id).zone).sight == Sight::All && !d.t.obj(card.id).face_up;
            let again = msd!("1004.2", Limit);
            return (!down && super::text::is_open(d, card) && d.on(again)).then_some(again);
        }
        _ => return None,
    };
    d.trace.reach(cite);
    (!d.on(cite)).then_some(cite)
}

/// 1015.1: chance orders the deck.
pub fn shuffle(d: &mut Duel, seat: Seat) -> Flow {
    d.step(msd!("1015.1"), |d| in_any_order(d, seat))
}

fn in_any_order(d: &mut Duel, seat: Seat) -> Flow {
    let deck = zone(Own::Deck, seat);
    d.shuffle(deck, Some(msd!("1015.1")))
}

/// What may stand beside an act: by or for whom it is done, to what, how often. The rest would not be looked at.
pub fn heeds(name: Word) -> (bool, bool, bool) {
    match name.as_str() {
        "オドを生み出す" => (false, true, true),
        n if n.ends_with("オドを生み出す") => (false, false, true),
        n if n.ends_with("オドを支払う") => (true, false, true),
        "穢す" | "キャンディを得る" | "キャンディを支払う" => (true, false, true),
        "支配する" | "ターン終了時まで支配する" | "結魂させる" => (true, true, false),
        "破棄する" | "コストを支払わずに発動する" => (true, true, false),
        "スイッチする" | "交換する" | "参戦を発動する" => (false, true, false),
        "手札を捨てる" | "追加ターンを得る" | "探した" | "シャッフル" | "投了する" => {
            (true, false, false)
        }
        _ => (false, false, false),
    }
}

pub fn act(d: &mut Duel, step: &Step, means: Means, ctx: &Ctx) -> Flow<bool> {
    let seat = |d: &mut Duel, who: Option<Word>| who.and_then(|w| d.see(|eyes| eyes.seat(ctx, w))).unwrap_or(ctx.seat);
    let Step::Act { name, who, what, count, .. } = step else {
        let Step::Shuffle { who } = step else { return Ok(false) };
        let seat = seat(d, *who);
        return shuffle(d, seat).map(|()| true);
    };
    let n = count.as_ref().map(|v| d.number(ctx, v));
    if name.ends_with("オドを生み出す") {
        return odo::produced(d, *name, *what, n, ctx);
    }
    if let Some(symbol) = name.strip_suffix("オドを支払う") {
        let seat = seat(d, *who);
        let need = odo::Need::of_symbols(&[(Word::new(symbol), n.unwrap_or(1))]);
        return odo::pay(d, seat, &need);
    }
    let cards = what.map(|w| d.see(|eyes| eyes.subjects(ctx, w))).unwrap_or_default();
    let cards: Vec<Ref> = cards.into_iter().filter(|c| d.t.is_now(*c)).collect();
    // 903.2h: what is done to activate something is no effect.
    let cause = if means == Means::Cost { Cause { means, ..by_effect(ctx) } } else { by_effect(ctx) };
    match name.as_str() {
        "穢す" => {
            let whose = who.map_or(ctx.seat.other(), |_| seat(d, *who));
            orbs::defile(d, whose, ctx.seat, n.unwrap_or(1), cause)
        }
        "スイッチする" => switch(d, &cards, cause),
        "支配する" => {
            let seat = seat(d, *who);
            control(d, &cards, seat, cause)
        }
        "ターン終了時まで支配する" => {
            let seat = seat(d, *who);
            super::lasting::take_for_a_time(d, &cards, seat, ctx)
        }
        "交換する" => exchange(d, &cards, cause),
        "手札を捨てる" => {
            let seat = seat(d, *who);
            discard_hand(d, seat, cause)
        }
        "追加ターンを得る" => {
            let seat = seat(d, *who);
            d.aside().agenda().push((EXTRA_TURN, seat));
            Ok(true)
        }
        "結魂させる" => {
            let (mut any, seat) = (false, seat(d, *who));
            for card in cards {
                any |= d.under(msd!("1020.1", Frame), |d| piles::fuse(d, card, seat, cause))?;
            }
            Ok(any)
        }
        "キャンディを得る" => {
            let seat = seat(d, *who);
            d.trace.reach(msd!("1018.1", Frame));
            // 104.2: what is to be done no time, or less than none, is not done.
            let n = n.unwrap_or(1);
            if n <= 0 {
                d.trace.reach(msd!("104.2", Meaning));
                return Ok(false);
            }
            candy(d, seat, n, cause, msd!("1018.2"))
        }
        "キャンディを支払う" => {
            let (seat, n) = (seat(d, *who), n.unwrap_or(1));
            if n <= 0 {
                d.trace.reach(msd!("104.2", Meaning));
                return Ok(false);
            }
            let short = d.t.seats[seat.index()][CANDY] < n;
            if short && d.applies(msd!("1018.3a", Limit), |_| "全部を支払えないので支払えない".into()) {
                return Ok(false);
            }
            let n = n.min(d.t.seats[seat.index()][CANDY]);
            candy(d, seat, n.saturating_neg(), cause, msd!("1018.3"))
        }
        "破棄する" => {
            // Where both players have chosen, each discards their own.
            let by = |d: &mut Duel, card: &Ref| if who.is_some() { seat(d, *who) } else { ctx.chooser(*card) };
            let all: Vec<(Ref, Seat)> = cards.iter().map(|card| (*card, by(d, card))).collect();
            discard(d, &all, cause)
        }
        "参戦を発動する" => activate::again(d, &cards, ctx.seat),
        // 1012.3: once for every time an effect searches.
        "探した" if !d.applies(msd!("1012.3", Meaning), |_| "探した".into()) => Ok(false),
        "探した" => {
            let seat = seat(d, *who);
            Ok(d.propose_one(Event::signal(Word("探す")).by(cause).seat(seat))?.any())
        }
        "シャッフル" => {
            let seat = seat(d, *who);
            shuffle(d, seat).map(|()| true)
        }
        "コストを支払わずに発動する" => {
            let (mut any, seat) = (false, seat(d, *who));
            for card in cards {
                any |= activate::for_nothing(d, seat, card, None)?;
            }
            Ok(any)
        }
        // 103.4: no effect makes anybody concede.
        "投了する" => {
            let seat = seat(d, *who);
            match d.applies(msd!("103.4", Limit), |_| "効果によって投了させることはできない".into()) {
                true => Ok(false),
                false => super::setup::concede(d, seat).map(|()| true),
            }
        }
        other => d.unwritten(format!("「{other}」という行為"), &[]),
    }
}

/// 1018.3a: one of the steps asks the player for more candy than there is.
pub fn short_of_candy(d: &Duel, seat: Seat, steps: &[Step]) -> bool {
    let has = d.t.seats[seat.index()][CANDY];
    let asks = |s: &Step| match s {
        Step::Act { name, who: None, count, .. } if *name == "キャンディを支払う" => {
            let n = count.as_ref().map_or(Some(1), |n| if let Value::Number(n) = n { Some(*n) } else { None });
            n.is_some_and(|n| n > has)
        }
        _ => false,
    };
    steps.iter().any(asks)
}

/// 1008.1, 1008.2: to the graveyard, and only what the player controls.
fn discard(d: &mut Duel, cards: &[(Ref, Seat)], cause: Cause) -> Flow<bool> {
    let mut events = Vec::new();
    for (card, seat) in cards {
        let (at, owner, controller) = (d.t.obj(card.id).zone, d.t.obj(card.id).owner, d.t.obj(card.id).controller);
        let whose = if in_play(at) { controller } else { owner };
        let cite = if is(at, Own::Orbs) { msd!("1008.2a", Limit) } else { msd!("1008.2", Limit) };
        if whose != *seat && d.applies(cite, |d| format!("{}は破棄できない", d.card_name(*card))) {
            continue;
        }
        let mut event = d.moving(*card, zone(Own::Graveyard, owner)).by(Cause { seat: Some(whose), ..cause });
        event.how = Word("破棄");
        event.seat = Some(*seat);
        events.push(event);
    }
    Ok(d.propose(events)?.any())
}

fn candy(d: &mut Duel, seat: Seat, by: i32, cause: Cause, cite: &'static Cite) -> Flow<bool> {
    d.trace.reach(cite);
    if !d.on(cite) {
        return Ok(true);
    }
    let what = What::SeatFact { fact: CANDY, by };
    // 1018.2, 1018.3: what is paid is not got.
    let name = if by > 0 { Word("キャンディ") } else { Word("キャンディを支払う") };
    Ok(d.propose_one(Event { what, amount: by, cause, ..Event::signal(name) }.seat(seat))?.any())
}

/// 1011.1: between リカバー and リバース; nothing happens to what is rested.
pub fn switch(d: &mut Duel, cards: &[Ref], cause: Cause) -> Flow<bool> {
    let mut any = false;
    for card in cards {
        let state = d.t.obj(card.id).state;
        let to = match state {
            RECOVERED => Word("リバース"),
            REVERSED => Word("リカバー"),
            _ if d.applies(msd!("1011.1", Meaning), |d| {
                format!("{}はレスト状態なので何も起こらない", d.card_name(*card))
            }) =>
            {
                continue;
            }
            _ => Word("リバース"),
        };
        d.trace.reach(msd!("1011.1", Meaning));
        any |= d.turn(&[*card], to, cause)?;
    }
    Ok(any)
}

/// 1016: to one's own zone of the same kind, if the opponent controls it.
pub fn control(d: &mut Duel, cards: &[Ref], seat: Seat, cause: Cause) -> Flow<bool> {
    let events: Vec<Event> = cards.iter().filter_map(|card| taking(d, *card, seat, cause)).collect();
    Ok(d.propose(events)?.any())
}

fn taking(d: &mut Duel, card: Ref, seat: Seat, cause: Cause) -> Option<Event> {
    let at = d.t.obj(card.id).zone;
    if !in_play(at) || d.t.obj(card.id).controller == seat || d.t.obj(card.id).host.is_some() {
        d.trace.reach(msd!("1016.1", Frame));
        return None;
    }
    let girls = is(at, Own::Girls);
    let cite = if girls { msd!("1016.1b") } else { msd!("1016.1a") };
    d.trace.reach(cite);
    if !d.on(cite) {
        return None;
    }
    let to = if girls { zone(Own::Girls, seat) } else { zone(Own::Monsters, seat) };
    let what = What::Control { to, controller: seat, state: None };
    let event = Event { what, from: Some(at), to: Some(to), ..Event::about(Word("支配"), card) };
    Some(event.by(cause).seat(seat))
}

/// 1017.2: both or neither.
fn exchange(d: &mut Duel, cards: &[Ref], cause: Cause) -> Flow<bool> {
    let whose = |d: &Duel, c: &Ref| d.t.obj(c.id).controller;
    let both = cards.len() == 2
        && cards.iter().all(|c| in_play(d.t.obj(c.id).zone) && d.t.obj(c.id).host.is_none())
        && whose(d, &cards[0]) != whose(d, &cards[1]);
    if !both && d.applies(msd!("1017.2", Limit), |_| "どちらかが適正でないので交換しない".into()) {
        return Ok(false);
    }
    let cite = msd!("1017.1");
    d.trace.reach(cite);
    if !d.on(cite) {
        return Ok(false);
    }
    let mut events = Vec::new();
    for card in cards {
        let seat = whose(d, card).other();
        events.extend(taking(d, *card, seat, cause));
    }
    Ok(d.propose(events)?.any())
}

/// 1013.2, 1013.2a: all of the hand, and an empty hand counts.
fn discard_hand(d: &mut Duel, seat: Seat, cause: Cause) -> Flow<bool> {
    let hand: Vec<Ref> = d.t.zone(zone(Own::Hand, seat)).iter().map(|id| d.t.now(*id)).collect();
    if !d.on(msd!("1013.2")) {
        return Ok(false);
    }
    d.under(msd!("1013.2"), |d| {
        if hand.is_empty() {
            if !d.applies(msd!("1013.2a", Meaning), |_| "手札がなくても捨てたことになる".into()) {
                return Ok(false);
            }
            d.happen(vec![Event::signal(Word("捨てる")).by(cause).seat(seat)])?;
            return Ok(true);
        }
        let mut events = Vec::new();
        for card in hand {
            let mut event = d.moving(card, zone(Own::Graveyard, seat)).by(cause).seat(seat);
            event.how = Word("捨てる");
            events.push(event);
        }
        d.happen(events)?;
        Ok(true)
    })
}

/// A card is put into play by the rules or an effect, in the zone of its kind.
pub fn put_into_play(d: &mut Duel, card: Ref, seat: Seat, how: Word, face_up: bool, cause: Cause) -> Flow<bool> {
    let to = if face_up { super::zones::FIELD } else { zone(Own::Girls, seat) };
    let mut event = d.moving(card, to).by(cause).seat(seat);
    event.how = how;
    event.what = What::Move { to, bottom: false, state: OPEN, face_up, controller: Some(seat), host: None };
    Ok(d.propose_one(event)?.any())
}
