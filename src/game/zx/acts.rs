//! 1002–1017: keyword acts, and what a text may call by name.

use super::places::{is_kind, player_card, zone};
use super::schema::{BY_IGNITION, DAMAGE, HITS, LIFE_SHIELD, SHIELD, counter};
use super::{composite, force, keywords, pay, play, text};
use crate::card::{Ability, Kind, Pattern, Step, Word};
use crate::kernel::{Asks, Cause, Ctx, Duel, Event, Flow, Means, Question, Ref, Seat, Thing, What};

/// Acts that a text may call by name.
pub const NAMES: &[&str] = &[
    "イグニッションする",
    "回復する",
    "シャッフル",
    "ブレイク",
    "プレイする",
    "支払わずにプレイする",
    "シフトする",
    "IGOB",
    "ユニゾン",
    "リブートフェイズを開始する",
    "ドローフェイズを開始する",
    "リソースフェイズを開始する",
    "イグニッションフェイズを開始する",
    "メインフェイズを開始する",
    "エンドフェイズを開始する",
    "ドリーム・キーを得る",
    "メロディを得る",
    "メモリアル・ピースを得る",
    "スター・ピースを得る",
    "調査記録を得る",
    "ブロックを得る",
    "集中を得る",
    "ドリーム・キーを消費する",
    "メロディを消費する",
    "メモリアル・ピースを消費する",
    "スター・ピースを消費する",
    "調査記録を消費する",
    "ブロックを消費する",
    "集中を消費する",
    "無色を支払う",
    "赤を支払う",
    "青を支払う",
    "白を支払う",
    "黒を支払う",
    "緑を支払う",
];

/// What an effect does is done by it.
pub fn by_effect(ctx: &Ctx) -> Cause {
    Cause { means: Means::Effect, card: ctx.this, seat: Some(ctx.seat) }
}

/// 1008.1: a Z/X or Ascension on a square to its owner's charge, other cards to the trash.
pub fn destruction(d: &mut Duel, card: Ref) -> Event {
    let owner = d.t.obj(card.id).owner;
    let body = super::places::is_body(d, card);
    let place = if body { "チャージ" } else { "トラッシュ" };
    let so =
        d.applies(zx!("1008.1", Meaning), |d| format!("{}は破壊され、所有者の{place}に置かれる", d.card_name(card)));
    // Without the clause nothing tells the two apart.
    let charge = body == so;
    let mut event = d.moving(card, zone(if charge { "チャージ" } else { "トラッシュ" }, owner));
    event.name = Word("破壊");
    event
}

/// 1002.1, 1002.2, 1002.4: damage to Z/X and Ascensions, all at once.
pub fn damage(d: &mut Duel, to: &[(Ref, i32)], cause: Cause) -> Flow<bool> {
    let mut events = Vec::new();
    for (card, amount) in to.iter().copied() {
        if amount <= 0 && d.applies(zx!("1002.4", Meaning), |_| format!("{amount}点のダメージは与えられない"))
        {
            continue;
        }
        if !super::places::is_body(d, card) {
            continue;
        }
        let how = if cause.means == Means::Battle { Word("バトル") } else { Word("効果") };
        let hurt =
            Event { what: What::Grow { fact: DAMAGE }, amount, cause, how, ..Event::about(Word("ダメージ"), card) };
        // Who does not suffer the effect loses no shield by it either.
        if d.forbidden(&hurt) {
            continue;
        }
        match shielded(d, card, amount)? {
            0 => {}
            amount => events.push(Event { amount, ..hurt }),
        }
    }
    if events.is_empty() {
        return Ok(false);
    }
    if !d.applies(zx!("1002.1"), |_| "受けているダメージが増える".into()) {
        return Ok(false);
    }
    Ok(!d.propose(events)?.is_empty())
}

/// 914.3, reading C23: a shield goes instead of any amount of damage. What is left of it.
fn shielded(d: &mut Duel, card: Ref, amount: i32) -> Flow<i32> {
    if d.t.obj(card.id).marked(Word(SHIELD)) == 0 {
        return Ok(amount);
    }
    let whole = d.reading(zx!("C23", Reading), "a") != "b";
    if !d
        .applies(zx!("914.3", Meaning), |d| format!("{}はダメージを受けるかわりにシールドを1つ失う", d.card_name(card)))
    {
        return Ok(amount);
    }
    vanish(d, card, SHIELD)?;
    Ok(if whole { 0 } else { amount - 1 })
}

/// 1026.1: a marker is taken off.
fn vanish(d: &mut Duel, card: Ref, name: &'static str) -> Flow {
    let event = Event { what: What::Mark { name: Word(name) }, amount: -1, ..Event::about(Word("消滅"), card) };
    d.step(zx!("1026.1"), |d| d.happen(vec![event]))
}

/// 907.1, 1002.3, 1002.4: damage to a player is written down and taken in the pre-processing.
pub fn damage_player(d: &mut Duel, seat: Seat, amount: i32, cause: Cause) -> Flow<bool> {
    if amount <= 0 && d.applies(zx!("1002.4", Meaning), |_| format!("{amount}点のダメージは与えられない"))
    {
        return Ok(false);
    }
    if composite::spared(d, seat, cause)? {
        return Ok(false);
    }
    let left = life_shielded(d, seat, amount)?;
    if left == 0 {
        return Ok(false);
    }
    let how = if cause.means == Means::Battle { Word("バトル") } else { Word("効果") };
    let what = What::SeatFact { fact: HITS, by: left };
    let event = Event { what, amount: left, cause, how, ..Event::signal(Word("ダメージ")) };
    if !d.applies(zx!("1002.3"), |_| "プレイヤーの受けているダメージが増える".into()) {
        return Ok(false);
    }
    Ok(d.propose_one(event.seat(seat))?.any())
}

/// 914.4, reading C23: a life shield goes instead, and a card of the deck may go to the charge. What is left.
fn life_shielded(d: &mut Duel, seat: Seat, amount: i32) -> Flow<i32> {
    let Some(card) = player_card(d, seat).filter(|c| d.t.obj(c.id).marked(Word(LIFE_SHIELD)) > 0) else {
        return Ok(amount);
    };
    let whole = d.reading(zx!("C23", Reading), "a") != "b";
    let text = || "ダメージは記録されず、かわりにライフシールドが1つ消滅する".to_string();
    if !d.applies(zx!("914.4", Meaning), |_| text()) {
        return Ok(amount);
    }
    vanish(d, card, LIFE_SHIELD)?;
    if let Some(top) = d.t.zone(zone("デッキ", seat)).last().copied()
        && d.yes(seat, Word("チャージに置く"), Some(d.t.now(top)))?
    {
        let event = d.moving(d.t.now(top), zone("チャージ", seat)).seat(seat);
        d.under(zx!("304.4b", Frame), |d| d.happen(vec![event]))?;
    }
    Ok(if whole { 0 } else { amount - 1 })
}

/// The top card of the deck goes there, in the way the word says.
fn from_top(d: &mut Duel, seat: Seat, name: &'static str, to: &str, cause: Cause) -> Flow<bool> {
    let Some(top) = d.t.zone(zone("デッキ", seat)).last().copied() else {
        d.trace.reach(zx!("102.4", Meaning));
        return Ok(false);
    };
    let (card, to) = (d.t.now(top), zone(to, seat));
    let mut event = d.moving(card, to).by(cause).seat(seat);
    event.name = Word(name);
    event.what = What::Move { to, bottom: false, state: 0, face_up: false, controller: None, host: None };
    Ok(d.propose_one(event)?.any())
}

/// 1005.1, 1005.2: one card at a time.
pub fn draw(d: &mut Duel, seat: Seat, cause: Cause) -> Flow<bool> {
    if !d.applies(zx!("1005.1"), |_| "デッキの1番上のカードを手札に移す".into()) {
        return Ok(false);
    }
    from_top(d, seat, "引く", "手札", cause)
}

/// 1013.1a, 1013.1b: the top card of the deck to the life, one at a time.
fn recover(d: &mut Duel, seat: Seat, points: i32, cause: Cause) -> Flow<bool> {
    if !d.applies(zx!("1013.1a"), |_| "デッキの1番上のカードをライフに置く".into()) {
        return Ok(false);
    }
    let points = if points > 1 && !d.applies(zx!("1013.1b"), |_| "点数の回数だけ繰り返す".into()) {
        1
    } else {
        points
    };
    d.times(points, |d| from_top(d, seat, "回復", "ライフ", cause))
}

/// 1004.1, 1004.2: chance orders the deck; one card is shuffled as well as fifty.
pub fn shuffle(d: &mut Duel, seat: Seat) -> Flow {
    if d.t.phase != "準備" && d.forbidden(&Event::signal(Word("シャッフル")).seat(seat)) {
        return Ok(());
    }
    let deck = d.t.zone(zone("デッキ", seat)).to_vec();
    reorder(d, seat, &deck, zx!("1004.1", Frame))?;
    match d.t.phase == "準備" {
        true => Ok(()),
        false => d.happen(vec![Event::signal(Word("シャッフル")).seat(seat)]),
    }
}

/// Chance orders some cards of a deck among the places they have.
fn reorder(d: &mut Duel, seat: Seat, some: &[crate::kernel::CardId], cite: &'static crate::kernel::Cite) -> Flow {
    let deck = zone("デッキ", seat);
    let mut order = d.by_chance(some, Some(cite))?.into_iter();
    let all = d.t.zone(deck).iter();
    let all = all.map(|id| if some.contains(id) { order.next().unwrap_or(*id) } else { *id }).collect();
    d.arrange(deck, all);
    Ok(())
}

/// 804.3e, reading C24: deck cards that were only looked at are shuffled and put back, or the whole deck is.
pub fn put_back(d: &mut Duel, seat: Seat) -> Flow {
    let deck = d.t.zone(zone("デッキ", seat)).to_vec();
    let looked: Vec<_> = deck.into_iter().filter(|id| d.t.obj(*id).facts[super::schema::LOOKED] > 0).collect();
    if looked.is_empty() {
        return Ok(());
    }
    for id in &looked {
        *d.aside().card(*id, super::schema::LOOKED) = 0;
    }
    match d.reading(zx!("C24", Reading), "a") == "b" {
        true => shuffle(d, seat),
        false => d.step(zx!("804.3e"), |d| reorder(d, seat, &looked, zx!("804.3e"))),
    }
}

/// 1011.1, 505.3a: the top card is shown; with the icon it may be played for nothing, else it goes to the trash.
pub fn ignite(d: &mut Duel, seat: Seat) -> Flow<bool> {
    let Some(top) = d.t.zone(zone("デッキ", seat)).last().copied() else { return Ok(false) };
    let card = d.t.now(top);
    d.happen(vec![text::would(Word("イグニッション"), Some(card), seat)])?;
    play::for_nothing(d, seat, card, zone("トラッシュ", seat), BY_IGNITION)?;
    Ok(true)
}

/// Acts that texts call by name.
pub fn act(d: &mut Duel, step: &Step, ctx: &Ctx) -> Flow<bool> {
    let seat = |d: &mut Duel, who: Option<Word>| who.and_then(|w| d.see(|eyes| eyes.seat(ctx, w))).unwrap_or(ctx.seat);
    match step {
        // 1004.4: the controller's own deck unless told.
        Step::Shuffle { who } => {
            let seat = seat(d, *who);
            shuffle(d, seat).map(|()| true)
        }
        Step::Act { name, who, what, count, .. } => {
            let seat = seat(d, *who);
            let n = count.as_ref().map_or(1, |v| d.number(ctx, v));
            if let Some(icon) = name.strip_suffix("を得る").and_then(counter) {
                return count_up(d, seat, icon, n, by_effect(ctx));
            }
            if let Some(icon) = name.strip_suffix("を消費する").and_then(counter) {
                return count_down(d, seat, icon, n, by_effect(ctx));
            }
            if let Some(symbol) = name.strip_suffix("を支払う") {
                let named = |c: &&&str| symbol.contains(**c);
                let colours = super::schema::COLOURS.iter().filter(named).map(|c| Word(c)).collect();
                return d.under(zx!("805.1", Frame), |d| pay::pay(d, seat, &pay::Cost { colours, points: n.max(0) }));
            }
            if let Some(phase) = name.strip_suffix("を開始する") {
                return super::turn::begin_phase(d, Word::new(phase));
            }
            let cards = what.map(|w| d.see(|eyes| eyes.subjects(ctx, w))).unwrap_or_default();
            named(d, ctx, *name, seat, n, *what, &cards)
        }
        _ => Ok(false),
    }
}

fn named(d: &mut Duel, ctx: &Ctx, name: Word, seat: Seat, n: i32, what: Option<Word>, cards: &[Ref]) -> Flow<bool> {
    match name.as_str() {
        "ダメージ" => damage_player(d, seat, n, by_effect(ctx)),
        // 1013.1d: the controller of the card unless told.
        "回復する" => recover(d, seat, n, by_effect(ctx)),
        "シャッフル" => shuffle(d, seat).map(|()| true),
        "イグニッションする" => {
            let on = d.applies(zx!("1011.1"), |_| "デッキの1番上のカードを公開する".into());
            d.times(if on { n } else { 0 }, |d| ignite(d, seat))
        }
        "プレイする" | "支払わずにプレイする" => {
            let Some(card) = cards.first().copied().filter(|c| d.t.is_now(*c)) else { return Ok(false) };
            play::by_effect(d, seat, card, name == "プレイする")
        }
        "ブレイク" => force::break_into(d, ctx, cards),
        "リライト" => rewrite(d, ctx),
        "カラーブレイク" => colour_break(d, ctx),
        "シフトする" => composite::shift_by_effect(d, seat, cards),
        "IGOB" => composite::igob(d, ctx, seat, what.and_then(|w| ctx.slots.word(&w))),
        "ユニゾン" => super::unison::unison(d, ctx, seat, cards, what.and_then(|w| ctx.slots.word(&w))),
        "世界再創生" => rebuild(d, ctx),
        "スタイリッシュ頭突き" => match d.reading(zx!("C14", Reading), "a") == "b" {
            true => butt(d, ctx),
            false => d.undecided("「スタイリッシュ頭突き」の内容を定める条がない", &["zx:1112.1", "zx:C14"]),
        },
        "インストール" => d.undecided("「インストール」の内容を定める条がない", &["zx:1116.1", "zx:C15"]),
        other => d.unwritten(format!("「{other}」という行為"), &["zx:1127.2", "zx:1007.5"]),
    }
}

/// 1127.2: two of the hand with the name of the card become one Z/X; with fewer nothing can be joined (102.4).
fn rebuild(d: &mut Duel, ctx: &Ctx) -> Flow<bool> {
    let names = ctx.this.map(|this| d.seen(this).names.clone()).unwrap_or_default();
    let hand: Vec<Ref> = d.t.zone(zone("手札", ctx.seat)).iter().map(|id| d.t.now(*id)).collect();
    let mut alike = 0;
    for card in hand {
        alike += usize::from(d.seen(card).names.iter().any(|name| names.contains(name)));
    }
    if alike < 2 {
        d.trace.reach(zx!("102.4", Meaning));
        return Ok(false);
    }
    d.undecided(
        "左部と右部を合わせた1枚のゼクスが、どのカードのパラメーターを持つかを定める条がない",
        &["zx:1127.2", "zx:1007.5", "zx:C28"],
    )
}

/// Texts speak of the counters of one icon: メロディを得る.
fn of_icon(icon: usize, done: &str) -> Word {
    Word::new(&format!("{}を{done}", super::schema::COUNTERS[icon - 1]))
}

/// 1017.1.
fn count_up(d: &mut Duel, seat: Seat, icon: usize, n: i32, cause: Cause) -> Flow<bool> {
    if n <= 0 {
        return Ok(false);
    }
    let what = What::SeatFact { fact: icon, by: n };
    let event = Event { what, amount: n, cause, also: vec![of_icon(icon, "得る")], ..Event::signal(Word("得る")) };
    if !d.applies(zx!("1017.1"), |_| "カウンターが増える".into()) {
        return Ok(false);
    }
    Ok(d.propose_one(event.seat(seat))?.any())
}

/// 1017.2, 202.14d: as many as there are; a price is paid in full or not at all.
pub fn count_down(d: &mut Duel, seat: Seat, icon: usize, n: i32, cause: Cause) -> Flow<bool> {
    let there = d.t.seats[seat.index()][icon];
    let in_full = d.strict || cause.means == Means::Cost;
    let floor = n > there && d.applies(zx!("202.14d"), |_| "カウンターは0を下回らない".into());
    let take = if floor { there } else { n };
    if take <= 0 || in_full && take < n {
        return Ok(false);
    }
    let event = Event {
        what: What::SeatFact { fact: icon, by: -take },
        amount: take,
        cause,
        also: vec![of_icon(icon, "消費する")],
        ..Event::signal(Word("消費する"))
    };
    if !d.applies(zx!("1017.2"), |_| "カウンターが減る".into()) {
        return Ok(false);
    }
    Ok(d.propose_one(event.seat(seat))?.any())
}

/// 1117.2, 1117.2a: one of the card's other abilities is resolved.
fn rewrite(d: &mut Duel, ctx: &Ctx) -> Flow<bool> {
    let Some(card) = ctx.this else { return Ok(false) };
    let own = d.seen(card);
    let own_word = !d.applies(zx!("1117.2a", Limit), |_| "リライト能力そのものは選べない".into());
    let usable = |a: &&std::sync::Arc<Ability>| {
        a.kind != Kind::Static
            && a.timing.is_none_or(|t| t != "スペシャル")
            && (own_word || a.meant_by.is_none_or(|k| k != "リライト"))
            && !(a.steps.is_empty() && a.modes.is_empty())
    };
    let abilities: Vec<_> = own.abilities.iter().filter(usable).cloned().collect();
    if abilities.is_empty() {
        return Ok(false);
    }
    let of = (1..=abilities.len() as i32).map(Thing::Number).collect();
    let asks = Asks::Choose { of, min: 1, max: 1 };
    let at = d
        .ask(Question::new(ctx.seat, Word("リライトする能力"), asks).citing(zx!("1117.2", Frame)).about(Some(card)))?
        [0];
    play::resolve_for(d, ctx.seat, card, &abilities[at as usize]).map(|()| true)
}

/// 1112.1 with reading C14 b: an enemy Z/X goes to another square and sleeps.
fn butt(d: &mut Duel, ctx: &Ctx) -> Flow<bool> {
    let cite = zx!("1112.1", Frame);
    let mut of = Vec::new();
    for body in super::places::bodies(d) {
        if d.seen(body).controller != ctx.seat && is_kind(d, body, "ゼクス") {
            of.push(Thing::Card(body));
        }
    }
    if of.is_empty() {
        return Ok(false);
    }
    let asks = Asks::Choose { of, min: 1, max: 1 };
    let Some(Thing::Card(card)) = d.pick(Question::new(ctx.seat, Word("対象"), asks).citing(cite))?.first().copied()
    else {
        return Ok(false);
    };
    let here = d.t.obj(card.id).zone;
    let of = super::schema::schema()
        .board()
        .filter(|z| *z != here && !super::places::blocked(d, *z))
        .map(Thing::Zone)
        .collect();
    let asks = Asks::Choose { of, min: 1, max: 1 };
    let Some(Thing::Zone(to)) = d.pick(Question::new(ctx.seat, Word("場"), asks).citing(cite))?.first().copied()
    else {
        return Ok(false);
    };
    let mut event = d.moving(card, to).by(by_effect(ctx)).seat(ctx.seat);
    let state = d.t.obj(card.id).state;
    event.what = What::Move { to, bottom: false, state, face_up: true, controller: None, host: None };
    let moved = d.propose_one(event)?.any();
    Ok(d.turn(&[card], Word("スリープ"), by_effect(ctx))? || moved)
}

/// 1130.2: another card with カラーブレイク of the race, not of the same name, comes where this one was.
fn colour_break(d: &mut Duel, ctx: &Ctx) -> Flow<bool> {
    let Some(this) = ctx.this else { return Ok(false) };
    let names = d.seen(this).names.clone();
    let Some(square) = d.see(|eyes| eyes.info(this).map(|i| i.zone)) else { return Ok(false) };
    let race = const { super::schema::at("種族") };
    let trash: Vec<Ref> = d.t.zone(zone("トラッシュ", ctx.seat)).iter().map(|id| d.t.now(*id)).collect();
    let mut of = Vec::new();
    for card in trash {
        let seen = d.seen(card);
        let fits = seen.has("カラーブレイク") && seen.words(race).iter().any(|w| *w == "イース");
        if fits && !seen.names.iter().any(|n| names.contains(n)) {
            of.push(Thing::Card(card));
        }
    }
    if of.is_empty() || !super::places::is_square(square) || super::places::has_zx(d, square) {
        return Ok(false);
    }
    let question =
        Question::new(ctx.seat, Word("対象"), Asks::Choose { of, min: 1, max: 1 }).citing(zx!("1130.2", Frame));
    let Some(Thing::Card(card)) = d.pick(question)?.first().copied() else { return Ok(false) };
    let mut event = d.moving(card, square).by(by_effect(ctx)).seat(ctx.seat);
    event.what =
        What::Move { to: square, bottom: false, state: 0, face_up: true, controller: Some(ctx.seat), host: None };
    Ok(d.propose_one(event)?.any())
}

/// What the rules make of an event that is about to happen.
pub fn adjust(d: &mut Duel, event: &mut Event) {
    let (What::Move { to, state, host, .. }, Some(card)) = (&event.what, event.card) else { return };
    let (to, turned, host) = (*to, *state > 0, *host);
    let from = event.from.unwrap_or(to);
    // 1010.1: a force lies in its own zone.
    if host.is_some_and(|(how, _)| how == "フォース") && to != force::force_zone() && d.on(zx!("1010.1")) {
        d.trace.reach(zx!("1010.1"));
        let there = force::force_zone();
        if let What::Move { to, state, .. } = &mut event.what {
            (*to, *state) = (there, 0);
        }
        event.to = Some(there);
        return adjust(d, event);
    }
    life_events(d, event, from, to);
    removal(event, to);
    if event.how == "破壊" && super::places::is_square(from) {
        // 1204.2: what an effect destroys is destroyed by it.
        let by_effect = event.cause.means == Means::Effect;
        let said = by_effect && d.on(zx!("1204.2", Meaning));
        let how = if said { Word("効果") } else { Word("") };
        let cause = if said || !by_effect { event.cause } else { Cause::RULE };
        let seat = event.seat;
        *event =
            Event { how, cause, seat, replaced_by: std::mem::take(&mut event.replaced_by), ..destruction(d, card) };
        return;
    }
    if event.name == "破壊" && event.how.is_empty() && !event.replaced_by.is_empty() {
        return elsewhere(d, event);
    }
    let arrives = event.name == "置く" && super::places::is_square(to) && !super::places::is_square(from);
    if arrives && d.on(zx!("1007.1", Meaning)) {
        event.name = Word("登場");
    }
    if arrives
        && let Some(lies) = own_arrival(d, card)
        && d.reading(zx!("C39", Reading), "a") == "a"
        && let What::Move { state, .. } = &mut event.what
    {
        *state = lies;
    }
    if crate::game::zx::schema::schema().spec(to).name == "リソース" && !turned && icon_on_arrival(d, card) {
        told_upright(d, card, event);
    }
}

/// 311.1, 1009.1: what goes there is removed, however it comes to that, and nothing else is.
fn removal(event: &mut Event, to: crate::kernel::ZoneId) {
    const REMOVED: Word = Word("除外");
    event.also.retain(|name| *name != REMOVED);
    match super::schema::schema().spec(to).name == "リムーブゾーン" {
        true if event.how.is_empty() => event.how = REMOVED,
        true if event.how != REMOVED => event.also.push(REMOVED),
        false if event.how == REMOVED => event.how = Word(""),
        _ => {}
    }
}

/// The state in which the card itself says that it comes. Reading C39: that counts although it is not on a square yet.
fn own_arrival(d: &mut Duel, card: Ref) -> Option<u8> {
    let seen = d.glance(card);
    if !seen.kinds.replaces {
        return None;
    }
    let itself = |p: &Pattern| {
        p.event == "登場" && p.card.as_ref().is_some_and(|f| f.reference.is_some_and(|word| word == "this"))
    };
    let says = |a: &&std::sync::Arc<Ability>| {
        a.from.is_empty()
            && a.instead
                .as_ref()
                .is_some_and(|i| itself(&i.when) && i.to.is_none() && i.steps.is_empty() && !i.optional)
    };
    let (seat, abilities): (Seat, Vec<_>) = (seen.controller, seen.abilities.iter().filter(says).cloned().collect());
    let slots = Default::default();
    let ctx = Ctx { this: Some(card), seat, slots: &slots, event: None };
    let holds = |d: &mut Duel, a: &Ability| a.cond.as_ref().is_none_or(|c| d.see(|eyes| eyes.holds(&ctx, c)));
    let found = abilities.into_iter().find(|a| holds(d, a))?;
    found.instead.as_ref()?.state.and_then(|state| super::schema::schema().state(&state))
}

/// 1012.1, 1012.2: what goes from or to the life lowers or raises it.
fn life_events(d: &mut Duel, event: &mut Event, from: crate::kernel::ZoneId, to: crate::kernel::ZoneId) {
    let life = |z: crate::kernel::ZoneId| super::schema::schema().spec(z).name == "ライフ";
    let (word, cite) = match (life(from), life(to)) {
        (true, false) => (Word("ライフ減少"), zx!("1012.1", Meaning)),
        (false, true) => (Word("ライフ増加"), zx!("1012.2", Meaning)),
        _ => return,
    };
    d.trace.reach(cite);
    if d.on(cite) && !event.also.contains(&word) {
        event.also.push(word);
    }
}

/// Reading C31: a destroyed card that goes elsewhere than to the charge was destroyed all the same.
fn elsewhere(d: &mut Duel, event: &mut Event) {
    if d.reading(zx!("C31", Reading), "a") == "b" {
        event.name = Word("置く");
        return;
    }
    event.how = match event.cause.means {
        Means::Effect => Word("効果"),
        // 1204.1: a rule effect, but counted as the effect of a source.
        Means::Rule if event.cause.card.is_some() => Word("効果"),
        Means::Battle => Word("バトル"),
        _ => Word(""),
    };
}

/// 308.2a with reading C13: a card with the multicolour icon goes to the resources asleep, unless a text says how.
pub fn arrives_asleep(d: &mut Duel, card: Ref) -> bool {
    icon_on_arrival(d, card) && d.reading(zx!("C13", Reading), "a") == "a"
}

/// 811.5: a card comes to the resources with what effects there give it.
fn icon_on_arrival(d: &mut Duel, card: Ref) -> bool {
    let icon = const { super::schema::at(super::schema::ICON) };
    let has = |cards: &[std::sync::Arc<crate::kernel::Seen>]| {
        cards[card.id.0 as usize].words(icon).iter().any(|w| *w == "多色")
    };
    let here = has(&d.look().cards);
    if !super::text::icons_are_given(d) {
        return here;
    }
    let cite = zx!("811.5", Layer);
    let to = zone("リソース", d.t.obj(card.id).owner);
    let there = has(&d
        .imagine(|t| {
            let from = t.obj(card.id).zone;
            t.zones[from.0 as usize].retain(|id| *id != card.id);
            t.zones[to.0 as usize].push(card.id);
            t.obj_mut(card.id).zone = to;
        })
        .cards);
    if there != here {
        d.trace.reach(cite);
    }
    if d.on(cite) { there } else { here }
}

fn told_upright(d: &mut Duel, card: Ref, event: &mut Event) {
    let by_text = event.cause.means == Means::Effect;
    if !by_text || !arrives_asleep(d, card) {
        return;
    }
    let wins =
        d.applies(zx!("102.2", Meaning), |d| format!("{}はテキストの指示どおりリブートで置かれる", d.card_name(card)));
    if let What::Move { state, .. } = &mut event.what {
        *state = u8::from(!wins);
    }
}

/// 202.8d, 202.11a, 303.6, 1003.3, 1008.2, 1014.1: instructions that the rules ignore.
pub fn forbids(d: &mut Duel, event: &Event) -> Option<&'static crate::kernel::Cite> {
    let card = event.card?;
    let here = d.t.obj(card.id).zone;
    let square = super::places::is_square(here);
    if let Some(cite) = text::suffers_nothing(d, event) {
        return Some(cite);
    }
    let cite = match &event.what {
        _ if composite::is_away(d, card, event) => zx!("202.7f", Limit),
        What::Move { .. } if event.how == "破壊" && !square => zx!("1008.2", Limit),
        What::Move { to, .. }
            if square && super::places::is_square(*to) && event.name == "置く" && is_kind(d, card, "プレイヤー") =>
        {
            // Reading C22.
            if d.reading(zx!("C22", Reading), "a") == "b" {
                return None;
            }
            zx!("303.6", Limit)
        }
        What::Move { to, host, .. }
            if super::places::is_square(*to) && is_kind(d, card, "シフト") && !composite::may_lie(d, card, *host) =>
        {
            zx!("202.8d", Limit)
        }
        What::Move { to, .. } if super::places::is_square(*to) => return ascension(d, card, here, *to),
        What::Turn { .. } if !square && super::schema::schema().spec(here).name != "リソース" => {
            zx!("1003.3", Limit)
        }
        _ => return None,
    };
    d.applies(cite, |d| format!("{}には行われない", d.card_name(card))).then_some(cite)
}

/// 202.11a: an Ascension comes to player squares only.
fn ascension(
    d: &mut Duel,
    card: Ref,
    here: crate::kernel::ZoneId,
    to: crate::kernel::ZoneId,
) -> Option<&'static crate::kernel::Cite> {
    let arrives = !super::places::is_square(here);
    if !arrives || super::places::player_square(to).is_some() || !is_kind(d, card, "アセンション") {
        return None;
    }
    let extra = is_kind(d, card, "アセンション エクストラ");
    let cite = if extra { zx!("202.12c", Limit) } else { zx!("202.11a", Limit) };
    d.applies(cite, |d| format!("{}はそのスクエアに置かれない", d.card_name(card))).then_some(cite)
}

/// 202.11b: no square with an Ascension is chosen for a Z/X that comes or moves.
pub fn fit_place(d: &mut Duel, card: Ref, place: crate::kernel::ZoneId) -> Result<(), &'static crate::kernel::Cite> {
    let zx = d.t.obj(card.id).zone != place && is_kind(d, card, "ゼクス");
    if zx && super::places::blocked(d, place) { Err(zx!("202.11b", Limit)) } else { Ok(()) }
}

/// 210.1: a card with a shield value comes with as many shields.
pub fn shields_on_arrival(d: &mut Duel, events: &[Event]) -> Flow {
    let at = const { super::schema::at(SHIELD) };
    let mut marks = Vec::new();
    for event in events.iter().filter(|e| e.name == "登場") {
        let Some(card) = event.after else { continue };
        let n = d.seen(card).number(at).unwrap_or(0);
        if n > 0 && d.applies(zx!("210.1", Meaning), |d| format!("{}はシールドを{n}つ得る", d.card_name(card)))
        {
            let what = What::Mark { name: Word(SHIELD) };
            marks.push(Event { what, amount: n, ..Event::about(Word("マーカー"), card) });
        }
    }
    if marks.is_empty() { Ok(()) } else { d.happen(marks) }
}

/// The keyword abilities of the card that are valid now, with what they say.
pub fn valid(d: &mut Duel, card: Ref, name: &str) -> Vec<crate::card::Keyword> {
    if !d.glance(card).has(name) {
        return Vec::new();
    }
    let seen = d.seen(card);
    let obj = d.t.obj(card.id);
    let (zone, face_up) = (obj.zone, obj.face_up);
    let slots = Default::default();
    let ctx = Ctx { this: Some(card), seat: seen.controller, slots: &slots, event: None };
    let mut found = Vec::new();
    for ability in seen.abilities.iter() {
        let Some(keyword) = ability.keyword.as_ref().filter(|k| k.name == name) else { continue };
        let holds = ability.cond.as_ref().is_none_or(|c| d.see(|eyes| eyes.holds(&ctx, c)));
        if holds && d.works(&seen, zone, face_up, ability) {
            found.push(keyword.clone());
        }
    }
    found
}

/// The keyword that an ability played now counts for, and the clause by which it is played but once.
pub fn once(ability: &Ability) -> Option<(Word, Word, &'static crate::kernel::Cite)> {
    let keyword = ability.meant_by?;
    keywords::shared_limit(&keyword).map(|(lasts, cite)| (keyword, lasts, cite))
}
