//! 904–925: acts of the game, and what a text may call by name.

use super::places::{from_character_deck, has_kind, is_field, named, zone};
use super::schema::{ATTACK, COUNTER, DAMAGE, DRY, HEALTH, LIFE, RESTRICTED, RETURNS, at, schema};
use super::{battle, checks, damage, deferred, energy, level, moves, pay, play, say, setup, text, turn};
use crate::card::{Change, Part, Parts, Step, Value, Word};
use crate::kernel::steps::Frame;
use crate::kernel::{Cause, Cite, Ctx, Duel, Event, Flow, Means, Ref, Seat, Slots, Table, View, What, ZoneId};

/// 801.6.4: acts that add energy, by colour.
const ENERGY: [(&str, &str); 6] = [
    ("赤エナジーを加える", "赤"),
    ("青エナジーを加える", "青"),
    ("緑エナジーを加える", "緑"),
    ("白エナジーを加える", "白"),
    ("黒エナジーを加える", "黒"),
    ("無色エナジーを加える", "無色"),
];

/// What an effect does is done by it.
pub fn by_effect(ctx: &Ctx) -> Cause {
    Cause { means: Means::Effect, card: ctx.this, seat: Some(ctx.seat) }
}

/// 905.1, 502.2: the top card of the deck to the hand; who must and cannot loses.
pub fn draw(d: &mut Duel, seat: Seat, cause: Cause) -> Flow<bool> {
    let forbidden = d.forbidden(&text::would(Word("引く"), None, seat));
    if forbidden {
        d.trace.reach(nova!("905.4", Frame));
        d.trace.reach(nova!("905.5", Frame));
        return Ok(false);
    }
    if deferred::waits(d, seat)? {
        return Ok(true);
    }
    draw_now(d, seat, cause)
}

/// 905.4: who cannot draw does not choose to.
pub fn bars_drawing(d: &mut Duel, frame: &Frame, steps: &[Step]) -> Option<&'static Cite> {
    let drawer =
        |step: &Step| if let Step::Draw { who, .. } = step { Some(who.unwrap_or(Word("自分"))) } else { None };
    let who = steps.iter().find_map(drawer)?;
    let seat = d.see(|eyes| eyes.seat(&frame.ctx(), who))?;
    let cite = nova!("905.4", Limit);
    (d.on(cite) && d.forbidden(&text::would(Word("引く"), None, seat))).then_some(cite)
}

/// 905.1: nothing is waited for.
pub fn draw_now(d: &mut Duel, seat: Seat, cause: Cause) -> Flow<bool> {
    let Some(top) = d.t.zone(zone("デッキ", seat)).last().copied() else {
        d.trace.reach(nova!("905.3", Frame));
        d.trace.reach(nova!("905.5", Frame));
        // 905.3: without a card, too, drawing is something that is done, and that something else can be done instead of.
        let what = What::SeatFact { fact: DRY, by: 1 };
        let replaced_by = d.replacing.clone();
        let dry = Event { what, cause, replaced_by, ..Event::signal(Word("引く")) }.seat(seat);
        if d.would_replace(&dry) {
            d.happen(vec![dry])?;
            return Ok(false);
        }
        // Whether the first of two who cannot draw loses alone is said nowhere: 004.5 is about choosing.
        if d.takes_turns() && d.t.zone(zone("デッキ", seat.other())).is_empty() {
            let text = "どちらにもデッキがないときに両プレイヤーがカードを引く効果で、誰が敗北するか";
            return d.undecided(text, &["nova:502.2", "nova:501.1.1", "nova:003.1.1"]);
        }
        *d.number_of(seat, DRY) = 1;
        d.trace.reach(nova!("905.3.1", Frame));
        checks::at_once(d, &[])?;
        return Ok(false);
    };
    let card = d.t.now(top);
    let to = zone("手札", seat);
    let mut event = d.moving(card, to).by(cause).seat(seat);
    event.name = Word("引く");
    event.what = What::Move { to, bottom: false, state: 0, face_up: false, controller: None, host: None };
    Ok(say(d, [nova!("905.1")]) && d.propose_one(event)?.any())
}

/// 911.1, 911.3: from the hand to the owner's graveyard, at once.
pub fn discard(d: &mut Duel, cards: &[Ref], cause: Cause) -> Flow {
    let mut events = Vec::new();
    for card in cards {
        let owner = d.t.obj(card.id).owner;
        let mut event = d.moving(*card, zone("墓地", owner)).by(cause).seat(owner);
        event.how = Word("捨てる");
        event.also.push(Word("捨てる"));
        events.push(event);
    }
    d.step(nova!("911.1"), |d| d.happen(events))
}

/// A change of life (918.7, 918.8, 902.5).
fn life(d: &mut Duel, seat: Seat, name: Word, by: i32, cause: Cause) -> Flow<bool> {
    lives(d, &[seat], name, by, cause)
}

/// The life of each of them, at once.
fn lives(d: &mut Duel, seats: &[Seat], name: Word, by: i32, cause: Cause) -> Flow<bool> {
    if by == 0 {
        return Ok(false);
    }
    let what = What::SeatFact { fact: LIFE, by };
    let event = Event { what, amount: by.abs(), cause, ..Event::signal(name) };
    let events = seats.iter().map(|seat| event.clone().seat(*seat)).collect();
    Ok(d.propose(events)?.any())
}

/// 205.4, 301.9.1: the card is another's now, with what it bears; it has not arrived.
pub fn control(d: &mut Duel, card: Ref, seat: Seat, cause: Cause) -> Flow<bool> {
    if !d.t.is_now(card) || !is_field(d.t.obj(card.id).zone) || d.t.obj(card.id).controller == seat {
        return Ok(false);
    }
    if moves::taken_too_many(d, card, seat)
        && d.applies(nova!("109.4.1", Limit), |_| "使用したキャラクターのレベルの合計が11以上になる".into())
    {
        return Ok(false);
    }
    let to = zone("場", seat);
    let turned = |d: &Duel, r: Ref| {
        let from = d.t.obj(r.id).zone;
        let event = Event {
            what: What::Control { to, controller: seat, state: None },
            cause,
            ..Event::about(Word("コントロール"), r)
        };
        Event { from: Some(from), to: Some(to), ..event }.seat(seat)
    };
    let mut events = vec![turned(d, card)];
    let items: Vec<Ref> =
        d.t.ids().filter(|id| d.t.obj(*id).host == Some((Word("装備"), card.id))).map(|id| d.t.now(id)).collect();
    if !items.is_empty()
        && d.applies(nova!("205.4", Meaning), |_| "装備しているマジックアイテムのコントローラーも変わる".into())
    {
        events.extend(items.into_iter().map(|r| turned(d, r)));
    }
    d.under(nova!("301.9.1", Frame), |d| Ok(d.propose(events)?.any()))
}

/// Acts called by name.
pub fn act(d: &mut Duel, step: &Step, ctx: &Ctx) -> Flow<bool> {
    let (name, whom, what, count) = match step {
        Step::Shuffle { who } => {
            let seat = who.and_then(|w| d.see(|eyes| eyes.seat(ctx, w))).unwrap_or(ctx.seat);
            setup::shuffle(d, seat)?;
            return Ok(true);
        }
        Step::Act { name, who, what, count, .. } => (*name, *who, *what, count.clone()),
        _ => return Ok(false),
    };
    let seat = whom.and_then(|w| d.see(|eyes| eyes.seat(ctx, w))).unwrap_or(ctx.seat);
    let n = count.as_ref().map_or(1, |v| d.number(ctx, v));
    let cards: Vec<Ref> = match what {
        Some(w) => d.see(|eyes| eyes.subjects(ctx, w)).into_iter().filter(|r| d.t.is_now(*r)).collect(),
        None => Vec::new(),
    };
    let cause = by_effect(ctx);
    let cards = text::within_reach(d, cards, cause)?;
    let activated = ctx.slots.number(&energy::ABILITY).is_some();
    match name.as_str() {
        "ダメージ" => {
            let events = damage::to_player(d, seat, n, cause).into_iter().collect();
            damage::deal(d, events)
        }
        "お互いにダメージを与える" => {
            let events = Seat::BOTH.into_iter().filter_map(|s| damage::to_player(d, s, n, cause)).collect();
            damage::deal(d, events)
        }
        "シャッフル" => setup::shuffle(d, seat).map(|()| true),
        "ライフを得る" => {
            if say(d, [nova!("918.7", Meaning)]) {
                life(d, seat, name, n.max(0), cause)
            } else {
                Ok(false)
            }
        }
        "ライフを失う" => {
            if say(d, [nova!("918.8", Meaning)]) {
                life(d, seat, name, -n.max(0), cause)
            } else {
                Ok(false)
            }
        }
        "お互いにライフを得る" => {
            let gained = say(d, [nova!("918.7", Meaning)]);
            Ok(gained && lives(d, &Seat::BOTH, Word("ライフを得る"), n.max(0), cause)?)
        }
        "お互いにライフを失う" => {
            let lost = say(d, [nova!("918.8", Meaning)]);
            Ok(lost && lives(d, &Seat::BOTH, Word("ライフを失う"), -n.max(0), cause)?)
        }
        // Neither gained nor lost: it becomes that.
        "ライフをこの数にする" => {
            let by = n - d.t.seats[seat.index()][LIFE];
            life(d, seat, name, by, cause)
        }
        "ライフを支払う" => {
            if d.t.seats[seat.index()][LIFE] < n && d.on(nova!("902.3", Limit)) {
                return Ok(false);
            }
            let cause = Cause { means: Means::Cost, ..cause };
            // 902.5: that is no damage.
            let name = if say(d, [nova!("902.5", Meaning)]) { name } else { Word("ダメージ") };
            life(d, seat, name, -n.max(0), cause)
        }
        "同じ色のエナジーを加える" => {
            let could = energy::same_colour(d, ctx, what);
            match energy::which(d, seat, &could, ctx.this)? {
                Some(colour) => energy::add(d, seat, colour, n, cause, activated),
                None => {
                    d.cites(nova!("801.6.8.2", Meaning), |_| "色が決まらないのでエナジーは発生しない".into());
                    Ok(false)
                }
            }
        }
        "破壊を無効にする" => each(d, &cards, checks::save),
        // 203.5: what has piled up on it is taken off.
        "ダメージを取り除く" => each(d, &cards, |d, card| {
            let there = std::mem::replace(d.aside().card(card.id, DAMAGE), 0);
            Ok(there > 0)
        }),
        // 903.1, 804.2: played by an effect, from wherever it is.
        "プレイする" => each(d, &cards, |d, card| play::by_effect(d, seat, card, false)),
        "コストを支払わずにプレイする" => each(d, &cards, |d, card| play::by_effect(d, seat, card, true)),
        // 003.1.2, 003.2.2: when the effect is resolved.
        "ゲームに勝利する" => {
            if d.forbidden(&text::would(Word("勝利"), None, seat)) {
                return Ok(false);
            }
            if d.on(nova!("003.1.2", Check)) {
                d.under(nova!("003.1.2", Check), |d| setup::win(d, seat))?;
            }
            Ok(false)
        }
        "ゲームに敗北する" => {
            let falls = d.on(nova!("003.2.2", Check));
            Ok(falls && d.under(nova!("003.2.2", Check), |d| setup::lose(d, seat))?)
        }
        // 109.2.1.
        "次にプレイするキャラクターのレベルを下げる" => Ok(level::lower_next(d, seat, n)),
        "投了する" => {
            if !d.applies(nova!("003.2.3.1", Limit), |_| "カードや能力は投了を強制できない".into()) {
                setup::concede(d, seat)?;
            }
            Ok(false)
        }
        "退場させる" => each(d, &cards, |d, card| {
            let owner = d.t.obj(card.id).owner;
            let event = d.moving(card, zone("退場キャラ置き場", owner)).by(cause);
            Ok(d.propose_one(event)?.any())
        }),
        "バトルさせる" => match (&cards[..], ctx.slots.cards(&OTHER).first().copied().or(ctx.this)) {
            ([a, b], _) => {
                d.trace.reach(nova!("922.2", Frame));
                damage::battle(d, *a, *b)
            }
            ([b], Some(a)) => {
                d.trace.reach(nova!("922.2", Frame));
                damage::battle(d, a, *b)
            }
            _ => {
                d.trace.reach(nova!("922.3", Limit));
                Ok(false)
            }
        },
        "バトルから除外する" => each(d, &cards, |d, card| {
            d.trace.reach(nova!("930.1", Frame));
            Ok(battle::remove(d, card))
        }),
        "コントロールを得る" => each(d, &cards, |d, card| control(d, card, seat, cause)),
        "ターン終了時までコントロールを得る" => each(d, &cards, |d, card| {
            let before = d.t.obj(card.id).controller;
            let done = control(d, card, seat, cause)?;
            if done && d.t.is_now(card) {
                *d.aside().card(card.id, RETURNS) = 1 + i32::from(before.0);
            }
            Ok(done)
        }),
        // Whose: the player that the text names; without one, the attack phase of this turn.
        "アタックフェイズをスキップする" => {
            skip(d, Word("アタックフェイズ"), of_the_attack(d, whom, seat))
        }
        "スタンバイフェイズをスキップする" => skip(d, Word("スタンバイフェイズ"), seat),
        "ドローフェイズをスキップする" => skip(d, Word("ドローフェイズ"), seat),
        "第1メインフェイズをスキップする" => skip(d, Word("第1メインフェイズ"), seat),
        "第2メインフェイズをスキップする" => skip(d, Word("第2メインフェイズ"), seat),
        "エンドフェイズをスキップする" => skip(d, Word("エンドフェイズ"), seat),
        // A step of the attack phase that goes on, or of the next of that player's.
        "攻撃宣言ステップをスキップする" => {
            skip(d, Word("攻撃宣言ステップ"), of_the_attack(d, whom, seat))
        }
        "防御宣言ステップをスキップする" => {
            skip(d, Word("防御宣言ステップ"), of_the_attack(d, whom, seat))
        }
        "バトル解決ステップをスキップする" => {
            skip(d, Word("バトル解決ステップ"), of_the_attack(d, whom, seat))
        }
        "相手の次のターンをスキップする" => skip(d, Word("ターン"), ctx.seat.other()),
        "自分の次のターンをスキップする" => skip(d, Word("ターン"), ctx.seat),
        other if other.ends_with("フェイズを追加する") => turn::add(d, other, ctx.this),
        "倍にする" => double(d, &cards, ctx, &[ATTACK, HEALTH]),
        "攻撃力を倍にする" => double(d, &cards, ctx, &[ATTACK]),
        "体力を倍にする" => double(d, &cards, ctx, &[HEALTH]),
        "カウンターを移動する" => move_counters(d, Word(COUNTER), n, &cards, ctx),
        other if other.strip_suffix("カウンターを移動する").is_some() => {
            let name = Word::new(other.strip_suffix("カウンターを移動する").unwrap_or_default());
            let whole = Word::new(other.strip_suffix("を移動する").unwrap_or_default());
            let known = schema().words.markers.iter().any(|marker| name == *marker);
            // A board may call them by either name.
            let there = |d: &Duel, name: Word| d.t.ids().any(|id| d.t.obj(id).marked(name) > 0);
            move_counters(d, if known && !there(d, whole) { name } else { whole }, n, &cards, ctx)
        }
        other if other.strip_suffix("エナジーを支払う").is_some() => {
            let symbol = Word::new(other.strip_suffix("エナジーを支払う").unwrap_or_default());
            let owed = vec![(symbol, n.max(0))];
            Ok(pay::payable(d, seat, &owed, &[]) && pay::pay(d, seat, &owed, &[])?)
        }
        colour => match ENERGY.iter().find(|(act, _)| *act == colour) {
            Some((_, colour)) => energy::add(d, seat, Word(colour), n, cause, activated),
            None => d.unwritten(format!("行為「{name}」"), &["nova:901.1"]),
        },
    }
}

fn each(d: &mut Duel, cards: &[Ref], mut run: impl FnMut(&mut Duel, Ref) -> Flow<bool>) -> Flow<bool> {
    let mut any = false;
    for card in cards.iter().copied() {
        if d.t.is_now(card) {
            any |= run(d, card)?;
        }
    }
    Ok(any)
}

/// The slot of the card that battles with the one that is named; without it that is this card.
const OTHER: Word = Word("一方");

/// The slot of the card that counters are moved from; without it they come from this card.
const FROM: Word = Word("移動元");

/// 919.4: so many of the name are taken off one card and put on another.
fn move_counters(d: &mut Duel, name: Word, n: i32, to: &[Ref], ctx: &Ctx) -> Flow<bool> {
    let from = ctx.slots.cards(&FROM).first().copied().or(ctx.this).filter(|c| d.t.is_now(*c));
    let (Some(from), [to]) = (from, to) else { return Ok(false) };
    let there = d.t.obj(from.id).marked(name);
    if n <= 0 || there == 0 || from == *to {
        return Ok(false);
    }
    if there < n {
        return d.undecided(format!("{n}個より少ない{name}カウンターを移動すること"), &["nova:919.4", "nova:004.4"]);
    }
    d.under(nova!("919.4", Frame), |d| {
        let cause = by_effect(ctx);
        let counted = |card: Ref, amount: i32| {
            let what = What::Mark { name };
            Event { what, amount, cause, ..Event::about(Word("マーカー"), card) }.seat(ctx.seat)
        };
        if !d.propose_one(counted(from, n.saturating_neg()))?.any() {
            return Ok(false);
        }
        Ok(d.propose_one(counted(*to, n))?.any())
    })
}

/// 919.6: how many counters of the name may lie on the card, where a text says so.
fn most_counters(d: &mut Duel, card: Ref, name: Word) -> Option<i32> {
    let view = d.look();
    let mut most: Option<i32> = None;
    for source in super::places::field(d) {
        let seen = view.cards[source.id.0 as usize].clone();
        let (place, face_up) = (d.t.obj(source.id).zone, d.t.obj(source.id).face_up);
        for ability in seen.abilities.iter().filter(|a| !seen.muted && !a.grant.is_empty()) {
            let caps = |c: &Change| match c {
                Change::Limit(which, value) if *which == name => value.clone(),
                _ => None,
            };
            let Some(value) = ability.grant.iter().find_map(caps) else { continue };
            let slots = Slots::default();
            let ctx = Ctx { this: Some(source), seat: seen.controller, slots: &slots, event: None };
            let meant = d.see(|eyes| {
                ability.affects.as_ref().map_or(source == card, |filter| eyes.matches(&ctx, filter, card))
                    && ability.cond.as_ref().is_none_or(|cond| eyes.holds(&ctx, cond))
            });
            if meant && d.works(&seen, place, face_up, ability) {
                let n = d.number(&ctx, &value);
                most = Some(most.map_or(n, |m| m.min(n)));
            }
        }
    }
    most
}

/// 925.1, 401.2: noted for the turn to come across.
fn skip(d: &mut Duel, what: Word, seat: Seat) -> Flow<bool> {
    d.trace.reach(nova!("925.1", Meaning));
    d.aside().agenda().push((what, seat));
    Ok(true)
}

/// Whose attack phase is meant: the player's that the text names; without one, this turn's.
fn of_the_attack(d: &Duel, whom: Option<Word>, seat: Seat) -> Seat {
    if whom.is_some() { seat } else { d.t.active }
}

/// 923.1, 923.1.1: as much again as it has now, until the end of the turn.
fn double(d: &mut Duel, cards: &[Ref], ctx: &Ctx, of: &[&'static str]) -> Flow<bool> {
    // 923.1.1: what it has when this resolves, not what is printed.
    let now = say(d, [nova!("923.1.1", Meaning)]);
    for card in cards {
        let seen = d.seen(*card);
        let printed = d.card(*card).data.clone();
        let has = |name: &'static str| match printed.get(&Word(name)) {
            Some(crate::card::Datum::Number(n)) if !now => *n,
            _ => seen.number(at(name)).unwrap_or(0).max(0),
        };
        let add = |name: &'static str| Change::Add(Word(name), Value::Number(has(name)));
        let changes = of.iter().map(|name| add(name)).collect();
        let mut frame =
            Frame { this: ctx.this, seat: ctx.seat, slots: ctx.slots.clone(), event: None, cause: by_effect(ctx) };
        frame.slots.set(Word("倍"), vec![crate::kernel::Thing::Card(*card)]);
        let step = Step::Grant { what: Some(Word("倍")), all: None, changes, until: Some(Word("ターン終了時")) };
        d.step(nova!("923.1"), |d| d.perform(&mut frame, &[step]).map(|_| ()))?;
    }
    Ok(!cards.is_empty())
}

/// 302.4, 802.1.2.1.6: the state in which a text says that the card comes to lie; what speaks of the cards of the field
/// meets it from the moment it is there.
fn arrives(d: &mut Duel, card: Ref, field: ZoneId, seat: Seat) -> Option<u8> {
    let says = |part: Part| matches!(part, Part::Change(Change::Enter(_)));
    if !d.given.defs.iter().any(|def| def.card.abilities.has_part(says)) {
        return None;
    }
    let told = |view: &View| {
        view.rules.iter().filter(|r| r.on == Some(card.id)).find_map(|r| match &r.change {
            Change::Enter(state) => schema().state(state),
            _ => None,
        })
    };
    let now = told(&d.look());
    let there = |t: &mut Table| {
        let from = t.obj(card.id).zone;
        t.zones[from.0 as usize].retain(|id| *id != card.id);
        t.zones[field.0 as usize].push(card.id);
        let since = t.clock + 1;
        let obj = t.obj_mut(card.id);
        (obj.zone, obj.controller, obj.since, obj.face_up) = (field, seat, since, true);
    };
    let then = told(&d.imagine(there));
    if then.is_some() && now.is_none() {
        d.trace.reach(nova!("802.1.2.1.6", Frame));
    }
    now.or(then)
}

/// 504.1, 907.1, 301.11: what the rules make of a move before anything else looks at it.
pub fn adjust(d: &mut Duel, event: &mut Event) -> Flow {
    let changes = matches!(event.what, What::Move { .. } | What::Grow { .. } | What::Turn { .. } | What::Mark { .. });
    if let Some(card) = event.card.filter(|_| changes)
        && !text::met(d, card, event)?
    {
        event.what = What::Signal;
        event.name = Word("及ばない");
        return Ok(());
    }
    if let What::Mark { name } = &event.what
        && event.name == "マーカー"
    {
        // 919.1: counters are told apart by their names, and taking them off is not putting them.
        event.how = *name;
        if event.amount < 0 {
            event.name = Word("マーカーを取り除く");
        }
    }
    if let (What::Mark { name }, Some(card)) = (&event.what, event.card)
        && event.amount > 0
        && let Some(most) = most_counters(d, card, *name)
    {
        let room = most.saturating_sub(d.t.obj(card.id).marked(*name)).max(0);
        if event.amount > room && d.applies(nova!("919.6", Limit), |_| format!("{name}は{most}個までしか置かれない"))
        {
            event.amount = room;
        }
    }
    let (What::Move { to, controller, .. }, Some(card)) = (event.what.clone(), event.card) else { return Ok(()) };
    let from = d.t.obj(card.id).zone;
    // Onto a field a card comes under the player whose field it is.
    if is_field(to) && !is_field(from) {
        let seat = controller.unwrap_or(d.t.obj(card.id).owner);
        let field = zone("場", seat);
        event.to = Some(field);
        let told = arrives(d, card, field, seat);
        if let What::Move { to, controller, state, .. } = &mut event.what {
            (*to, *controller) = (field, Some(seat));
            *state = told.unwrap_or(*state);
        }
        return Ok(());
    }
    let buried = super::places::destroyed(d, card) && event.cause.means == Means::Rule;
    if is_field(from) && event.how == "破壊" && !buried && d.on(nova!("907.1", Meaning)) {
        d.trace.reach(nova!("907.1", Meaning));
        let stage = checks::destruction(d, card, event.cause);
        *event = Event { replaced_by: event.replaced_by.clone(), seat: stage.seat, ..stage };
        event.how = Word("破壊");
        return Ok(());
    }
    if is_field(from) && !is_field(to) {
        if d.t.obj(card.id).marks.iter().any(|(name, _)| *name != super::schema::DESTROYED) {
            d.trace.reach(nova!("919.3", Frame));
        }
        // 908.2: to be sent there is not to be destroyed.
        if named(to, "墓地") && !buried && event.how.is_empty() {
            d.trace.reach(nova!("908.1", Frame));
            if !say(d, [nova!("908.2", Meaning)]) && !event.also.contains(&Word("破壊")) {
                event.also.push(Word("破壊"));
            }
        }
    }
    let character = from_character_deck(d, card);
    if is_field(from) && character && !named(to, "キャラデッキ") && !named(to, "退場キャラ置き場") {
        if named(to, "墓地") && event.cause.means == Means::Rule && d.reading(nova!("C12", Reading), "a") == "b" {
            return Ok(());
        }
        if d.applies(nova!("504.1", Check), |d| format!("{}は代わりに退場キャラ置き場に置かれる", d.card_name(card)))
        {
            let owner = d.t.obj(card.id).owner;
            redirect(event, zone("退場キャラ置き場", owner));
        }
    }
    // 921.1: that is called 退場.
    if event.to.is_some_and(|z| named(z, "退場キャラ置き場")) && !event.also.contains(&Word("退場")) {
        event.also.push(Word("退場"));
    }
    if event.how == "捨てる" {
        // 911.1: it is the player whose hand it was that discards.
        event.seat = Some(d.t.obj(card.id).owner);
        d.trace.reach(nova!("911.3", Frame));
    }
    if event.how == "捨てる" && !event.also.contains(&Word("捨てる")) {
        event.also.push(Word("捨てる"));
    }
    Ok(())
}

fn redirect(event: &mut Event, zone: crate::kernel::ZoneId) {
    event.to = Some(zone);
    if let What::Move { to, state, face_up, host, .. } = &mut event.what {
        (*to, *state, *face_up, *host) = (zone, 0, true, None);
    }
}

/// 305.2, 306.2, 307.2, 309.1, 1005.2.1, 1010.5, 917.1.3, 907: what cannot happen by the rules.
pub fn forbids(d: &mut Duel, event: &Event) -> Option<&'static Cite> {
    if let Some(cite) = damage::prevented(d, event) {
        return Some(cite);
    }
    let on = |d: &Duel, cite: &'static Cite| d.on(cite).then_some(cite);
    // 910.2: what is shown already is not shown again.
    if event.name == "見る" && event.how == "公開" && event.card.is_some_and(|c| d.t.obj(c.id).revealed) {
        return on(d, nova!("910.2", Limit));
    }
    if let (What::Mark { name }, Some(card)) = (&event.what, event.card)
        && *name == super::schema::DESTROYED
        && event.amount > 0
        && super::places::destroyed(d, card)
    {
        return on(d, nova!("907.1", Meaning));
    }
    if matches!(event.what, What::Mark { .. }) && event.amount == 0 {
        return on(d, nova!("919.6", Limit));
    }
    let (What::Move { to, host, .. }, Some(card)) = (&event.what, event.card) else { return None };
    let name = schema().spec(*to).name;
    let character = from_character_deck(d, card);
    if character != (named(*to, "退場キャラ置き場") || named(*to, "キャラデッキ")) {
        d.trace.reach(nova!("301.12", Frame));
    }
    // 926.1: only an item with 装備 is laid with another card.
    if host.is_some_and(|(how, _)| how == "装備") {
        let seen = d.seen(card);
        if !(seen.has("装備") && has_kind(&seen, "マジックアイテム")) {
            return on(d, nova!("926.1", Limit));
        }
    }
    let same = d.t.obj(card.id).zone == *to && !is_field(*to);
    if same && !event.replaced_by.is_empty() {
        // 802.1.3.6, reading C10: redirected to where it already is.
        return match d.reading(nova!("C10", Reading), "a") {
            "a" => on(d, nova!("802.1.3.6", Limit)),
            _ => None,
        };
    }
    // Reading C13: negated, it may go there all the same.
    let negated = d.t.obj(card.id).zone == super::places::waiting() && d.settings_reading("C13") == "b";
    if character && named(*to, "墓地") && !negated && d.reading(nova!("C12", Reading), "a") != "b" {
        return on(d, nova!("305.2", Limit));
    }
    if character && named(*to, "除外ゾーン") {
        return on(d, nova!("306.2", Limit));
    }
    if !character && d.t.obj(card.id).def != 0 && named(*to, "退場キャラ置き場") {
        return on(d, nova!("307.2", Limit));
    }
    if name == "場" && !is_field(d.t.obj(card.id).zone) {
        let seen = d.seen(card);
        if has_kind(&seen, "スペル") {
            return on(d, nova!("309.1", Limit));
        }
        if character && event.how != "プレイ" {
            let seat = match &event.what {
                What::Move { controller: Some(seat), .. } => *seat,
                _ => d.t.obj(card.id).owner,
            };
            if moves::same_name_on_field(d, seat, card) && d.on(nova!("202.4", Limit)) {
                return Some(nova!("202.4", Limit));
            }
            if moves::one_too_many(d, card) {
                return on(d, nova!("109.4.1", Limit));
            }
        }
        if event.how != "プレイ" && seen.has("進化") {
            return on(d, nova!("1010.5", Limit));
        }
        if event.how != "プレイ" && seen.has("装備") && host.is_none() {
            return on(d, nova!("1005.2.1", Limit));
        }
    }
    None
}

/// 203.4, 1008.4: what follows from an arrival.
pub fn happened(d: &mut Duel, events: &[Event]) -> Flow {
    damage::remember(d, events);
    for event in events {
        let Some(card) = event.after.filter(|c| d.t.is_now(*c)) else { continue };
        level::follow(d, event)?;
        text::bind(d, card);
        text::weigh(d, card)?;
        if matches!(&event.what, What::Mark { name } if *name != super::schema::DESTROYED) {
            for cite in [nova!("919.1", Frame), nova!("919.1.1", Frame), nova!("919.2", Frame)] {
                d.trace.reach(cite);
            }
        }
        if event.name == "置く"
            && event.from.is_some_and(|z| named(z, "デッキ"))
            && event.to.is_some_and(|z| named(z, "手札"))
        {
            // 905.6: that is no drawing.
            d.trace.reach(nova!("905.6", Frame));
        }
        let open = |z: Option<crate::kernel::ZoneId>| {
            z.is_some_and(|z| !is_field(z) && schema().spec(z).sight == crate::kernel::Sight::All)
        };
        if event.is_move() && open(event.from) && (open(event.to) || event.to.is_some_and(is_field)) {
            d.trace.reach(nova!("801.4.4.3", Frame));
        }
        let arrived = event.is_move() && event.to.is_some_and(is_field) && !event.from.is_some_and(is_field);
        if arrived || matches!(event.what, What::Control { .. }) {
            *d.aside().card(card.id, RESTRICTED) = 1;
        }
        if arrived && event.how != "プレイ" && d.seen(card).has("剥奪") {
            let stops = d.applies(nova!("1008.4", Meaning), |d| {
                format!("プレイ以外で場に出た{}は全ての能力を失う", d.card_name(card))
            });
            if stops {
                let seat = d.t.obj(card.id).controller;
                d.begin_effect(crate::kernel::Ongoing::on(card, seat, vec![Change::LoseText(true)]));
            }
        }
    }
    Ok(())
}
