//! 504.3, 505.3, 506.2, 602.1, 603.1b, 806.1: what a player may do, and by which clause not.

use std::sync::LazyLock;

use super::places::{bodies, distance, is_body, is_kind, is_square, looks_like_body, player_square, zone};
use super::schema::{ALL_SQUARES, KIND, at, schema};
use super::text::would;
use super::{acts, battle, composite, extras, pay, places, play};
use crate::card::{Change, Kind, Step, Word};
use crate::kernel::limit::TURN;
use crate::kernel::verb::{Allowed, Limit, Verb, card, each, no, place};
use crate::kernel::{Asks, Cite, Duel, Flow, Move, Obj, Question, Ref, Seat, Seen, Thing, Use, User, ZoneId};
use crate::limit;

pub static VERBS: &[Verb] = &[
    Verb::new("リソース", to_resource, &[AGAIN, WITH_A_CARD, RESOURCE], resource),
    Verb::new("イグニッション", to_ignite, &[AGAIN, WITH_A_CARD, IGNITION], ignite),
    Verb::new("デッキ", the_deck, &[&[Limit::clauses(deck)]], |_, _, _| Ok(true)),
    Verb::new("プレイ", playable_cards, &[WITH_A_CARD, &[Limit::clauses(may_play)], PLACED, AGAIN], play_card)
        .to(|d, m| if m.card.is_some_and(|card| is_body(d, card)) { &ALL_SQUARES } else { &[] }),
    Verb::new("起動", activatable, &[AGAIN, WITH_A_CARD, &[Limit::clauses(activate)]], play::activate),
    Verb::new("攻撃", attackers, &[WITH_A_CARD, ATTACKER, TARGET, AGAIN], |d, who, m| {
        battle::battle(d, who, card(m), place(m)).map(|()| true)
    })
    .to(|d, m| if near_only(d, m) { beside(lies(d, m)) } else { &ALL_SQUARES }),
];

static AGAIN: &[Limit] = &[Limit::place(
    zx!("1201.1b", Limit),
    "完全に同一の状態に戻ったので、同じ行動は選べない",
    |d, who, m| !super::priority::repeats(d, who, m),
)];

static WITH_A_CARD: &[Limit] =
    &[Limit::card(zx!("804.2b", Frame), "カードを指定していない", |_, _, m| m.card.is_some())];

/// What a text forbids cannot be done.
static CANNOT: &Cite = zx!("102.6", Limit);

/// 504.3.
static RESOURCE: &[Limit] = &[
    Limit::card(zx!("504.3", Limit), "リソースフェイズではない", |d, _, _| d.t.phase == "リソースフェイズ"),
    Limit::card(zx!("504.3", Limit), "ターンプレイヤーではない", |d, who, _| who == d.t.active),
    Limit::card(zx!("504.3", Limit), "自分の手札のカードではない", |d, who, m| {
        lies(d, m) == zone("手札", who)
    }),
    Limit::card(CANNOT, "「できない」とする効果がある", |d, who, m| may(d, who, m, None)),
];

/// 505.3.
static IGNITION: &[Limit] = &[
    Limit::card(zx!("505.3", Limit), "イグニッションフェイズではない", |d, _, _| {
        d.t.phase == "イグニッションフェイズ"
    }),
    Limit::card(zx!("505.3", Limit), "ターンプレイヤーではない", |d, who, _| who == d.t.active),
    Limit::card(zx!("505.3", Limit), "自分のチャージのカードではない", |d, who, m| {
        lies(d, m) == zone("チャージ", who)
    }),
    Limit::card(CANNOT, "「できない」とする効果がある", |d, who, m| may(d, who, m, None)),
];

/// 806.1a, 806.1b, 806.1d: the square.
static PLACED: &[Limit] = &[
    Limit::place(zx!("806.1d", Frame), "スクエアを選んでいない", |d, _, m| {
        m.to.is_some() || !is_body(d, card(m))
    }),
    Limit::place_clauses(square),
];

/// 602.1, 602.1a: one's rebooted Z/X.
static ATTACKER: &[Limit] = &[
    Limit::card(zx!("602.1", Limit), "メインフェイズではない", |d, _, _| d.t.phase == "メインフェイズ"),
    Limit::card(zx!("602.1", Limit), "バトル中である", |d, _, _| !fighting(d)),
    Limit::card(zx!("602.1", Limit), "ターンプレイヤーではない", |d, who, _| who == d.t.active),
    Limit::card(zx!("602.1a", Limit), "自分のゼクスではない", |d, who, m| {
        let obj = d.t.obj(card(m).id);
        d.t.is_now(card(m)) && is_square(obj.zone) && obj.face_up && is_zx_of(d.glance(card(m)), who)
    }),
    Limit::card(zx!("602.1a", Limit), "リブート状態ではない", |d, _, m| !d.t.obj(card(m).id).turned()),
];

/// 602.1b: what it may attack.
static TARGET: &[Limit] = &[
    Limit::place(zx!("602.1c", Frame), "攻撃目標を選んでいない", |_, _, m| m.to.is_some()),
    Limit::place(zx!("602.1b", Limit), "攻撃ゼクスの隣のスクエアではない", |d, _, m| {
        let away = m.to.map_or(0, |to| distance(lies(d, m), to));
        away == 1 || away > 0 && reaches(d, card(m), away)
    }),
    Limit::place(zx!("602.1b", Frame), "そのスクエアに攻撃目標がない", |d, who, m| {
        battle::target(d, who, place(m)).is_some()
    }),
    Limit::place(CANNOT, "「できない」とする効果がある", |d, who, m| {
        may(d, who, m, m.to) && !battle::is_spared(d, who, card(m), place(m))
    }),
];

/// 401: the deck as it was prepared, with everything that is wrong with it.
fn deck(d: &mut Duel, who: Seat, _: &Move) -> Allowed {
    let wrong = super::deck::wrong(d, who);
    let all: Vec<String> = wrong.iter().map(|(c, why)| format!("{why}（{}）", c.clause)).collect();
    wrong.first().map_or(Ok(()), |(cite, _)| no(cite, all.join("、")))
}

/// 806.1a, 806.1b: what lies on the square decides by which clause it will not do.
fn square(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let Some(to) = m.to else { return Ok(()) };
    let kinds = d.glance(card(m)).words(const { at(KIND) });
    if !kinds.iter().any(|k| *k == "ゼクス") {
        if !is_body(d, card(m)) {
            return Ok(());
        }
        limit!(d, player_square(to) == Some(who), zx!("806.1b", Limit), "自分のプレイヤースクエアではない");
        return Ok(());
    }
    limit!(d, player_square(to) != Some(who.other()), zx!("806.1a", Limit), "相手のプレイヤースクエアである");
    if d.t.zone(to).is_empty() {
        return Ok(());
    }
    let view = d.look();
    for id in d.t.zone(to) {
        let (obj, seen) = (d.t.obj(*id), &view.cards[id.0 as usize]);
        if !obj.face_up || !looks_like_body(seen) {
            continue;
        }
        let zx = seen.words(const { at(KIND) }).iter().any(|k| *k == "ゼクス");
        limit!(d, seen.controller == who, zx!("806.1a", Limit), "相手のゼクスやアセンションがある");
        limit!(d, !obj.turned(), zx!("806.1a", Limit), "自分のスリープのゼクスがある");
        limit!(d, zx, zx!("806.1a", Limit), "自分のアセンションがある");
    }
    Ok(())
}

/// 506.2, 603.1b: a card from the hand or the dynamis in the main phase; in battle only events. 805.3c: it can be paid for.
fn may_play(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let (card, way) = (card(m), m.way);
    limit!(d, d.t.phase == "メインフェイズ", zx!("506.2", Limit), "メインフェイズではない");
    let here = d.t.obj(card.id).zone;
    let dynamis = here == zone("デュナミス", who);
    let there = dynamis || here == zone("手札", who) || super::text::plays_from(d, who, card);
    limit!(d, there, zx!("506.2", Limit), "自分の手札のカードではない");
    if d.t.context().fights.is_empty() {
        limit!(d, who == d.t.active, zx!("506.2", Limit), "ターンプレイヤーではない");
    } else {
        limit!(d, is_kind(d, card, "イベント"), zx!("603.1b", Limit), "バトル中にプレイできるのはイベントだけ");
    }
    if dynamis {
        from_dynamis(d, who, card)?;
    }
    let shift = is_kind(d, card, "シフト");
    let known = is_body(d, card) || is_kind(d, card, "イベント") || shift;
    limit!(d, known, zx!("806.1f", Frame), "プレイできる種類ではない");
    limit!(d, may(d, who, m, None), CANNOT, "「できない」とする効果がある");
    let ways = extras::ways(d, card);
    if way.is_empty() {
        let plain = ways.is_empty() || plainly_too(d);
        limit!(d, plain, zx!("806.1f", Limit), "条件によってプレイするカードである");
        let endless = !shift && pay::endless(d, card);
        limit!(d, !endless, zx!("203.3", Limit), "コストが∞なので、リソースコストを支払えない");
        let paid = shift || super::playing::payable(d, who, card);
        limit!(d, paid, zx!("805.3c", Limit), "リソースコストを支払えない");
    } else {
        limit!(d, ways.contains(&way), zx!("806.1f", Limit), "その条件を持たない");
        // What such abilities do to what a condition asks for is not executed: to play it stops the run.
        if super::playing::speaks(d, who, card) && !d.only_lists() {
            return Ok(());
        }
        if let Some((cite, why)) = extras::hindrance(d, who, card, way) {
            return no(cite, why);
        }
    }
    if shift {
        limit!(d, !composite::has_shift(d, who), zx!("202.8c", Limit), "自分のシフトがすでにスクエアにある");
        limit!(d, !composite::carriers(d, who, card).is_empty(), zx!("806.1d", Limit), "シフトするカードがない");
    }
    let done = super::playing::can_be_done(d, who, card);
    limit!(d, done, zx!("804.2g", Limit), "プレイする際に必ず行うことを行えない");
    let parts = play::costs(d, card);
    affordable(d, who, card, &parts, true)
}

/// Reading C32: what is played by a condition is not played for its plain cost.
fn plainly_too(d: &mut Duel) -> bool {
    d.reading(zx!("C32", Reading), "a") == "b"
}

/// 313.2b, 506.2, 603.1b, 202.12b: extras and shifts, face down, each once a turn.
fn from_dynamis(d: &mut Duel, who: Seat, card: Ref) -> Allowed {
    let known = is_kind(d, card, "エクストラ") || is_kind(d, card, "シフト");
    limit!(d, known, zx!("506.2", Limit), "デュナミスからプレイできる種類ではない");
    let down = !d.t.obj(card.id).face_up || super::text::plays_from(d, who, card);
    limit!(d, down, zx!("313.2b", Limit), "表向きのカードはプレイできない");
    let fresh = this_turn(d, who, card).iter().all(|used| d.uses(used) == 0);
    if fighting(d) {
        limit!(d, fresh, zx!("603.1b", Limit), "このターンはもうプレイしている");
    } else {
        limit!(d, fresh, zx!("506.2", Limit), "このターンはもうプレイしている");
    }
    if is_kind(d, card, "アセンション") {
        limit!(d, d.uses(&this_game(who)) == 0, zx!("202.12b", Limit), "このゲームではもうプレイしている");
    }
    Ok(())
}

/// 801.2a, 803.1, 803.1f, 807: an activated ability of one's own card.
fn activate(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let card = card(m);
    limit!(d, d.t.phase == "メインフェイズ", zx!("506.2", Limit), "メインフェイズではない");
    let fighting = !d.t.context().fights.is_empty();
    limit!(d, fighting || who == d.t.active, zx!("506.2", Limit), "ターンプレイヤーではない");
    let seen = d.seen(card);
    let first = seen.abilities.iter().position(|a| a.kind == Kind::Activated);
    let number = m.ability.map(usize::from).or(first).unwrap_or(0);
    let Some(ability) = seen.abilities.get(number).filter(|a| a.kind == Kind::Activated).cloned() else {
        return no(zx!("801.2a", Frame), "起動能力ではない");
    };
    if let Some((how, _)) = d.t.obj(card.id).host.filter(|_| d.is_beneath(card.id)) {
        limit!(
            d,
            false,
            one_card(how),
            "ほかのカードと合わせて1枚のカードになっている（その能力は、そのカードで起動する）"
        );
    }
    let obj = d.t.obj(card.id);
    let (place, face_up) = (obj.zone, obj.face_up);
    limit!(d, holder(obj, &seen) == who, zx!("302.1c", Limit), "その能力の支配者ではない");
    if !d.works(&seen, place, face_up, &ability) {
        let cite = super::text::elsewhere(&ability);
        return no(cite, "その能力は有効でない");
    }
    let slots = Default::default();
    let ctx = crate::kernel::Ctx { this: Some(card), seat: who, slots: &slots, event: None };
    let valid = ability.cond.as_ref().is_none_or(|c| d.see(|eyes| eyes.holds(&ctx, c)));
    limit!(d, valid, zx!("803.2a", Limit), "有効になる条件を満たしていない");
    limit!(d, !d.is_used_up(card, who, &ability), zx!("803.1f", Limit), "このターンはもうプレイできない");
    if let Some((act, lasts, cite)) = acts::once(&ability) {
        let used = Use { user: User::Player(who), what: 0, act, lasts };
        limit!(d, d.uses(&used) == 0, cite, "もうプレイしている");
    }
    if ability.meant_by.is_some_and(|k| k == "トランス") {
        let used = Use { user: User::Name(who, seen.name()), what: 0, act: Word("トランス"), lasts: TURN };
        limit!(d, d.uses(&used) == 0, zx!("1132.2", Limit), "このターンは同名のこの能力をもうプレイしている");
    }
    limit!(d, may(d, who, m, None), CANNOT, "「できない」とする効果がある");
    let price = play::owed(d, Some(card), &ability, &slots).is_none_or(|cost| pay::payable(d, who, &cost));
    limit!(d, price, zx!("805.3c", Limit), "リソースコストを支払えない");
    affordable(d, who, card, &ability.cost, false)
}

/// 804.2f, 804.4a, 804.4b, 804.4d: the cost besides resources can be paid. What the card itself is to become or where it
/// is to go may not be open to it; where each part could be paid but not all, the same card would have to pay twice.
fn affordable(d: &mut Duel, who: Seat, card: Ref, cost: &[Step], plays: bool) -> Allowed {
    if play::could_pay(d, who, card, cost, plays) {
        return Ok(());
    }
    let itself = |step: &&Step| matches!(step, Step::Turn { what: Some(w), .. } | Step::Move { what: Some(w), .. } if *w == "this");
    for step in cost.iter().filter(itself).filter(|_| !d.only_lists()).collect::<Vec<_>>() {
        if let Err(cite) = super::text::pays(d, card, step) {
            return no(cite, "このカードはその代償にできない");
        }
    }
    let parts = pay::parts(cost);
    let chosen = parts.iter().flatten().filter(|step| matches!(step, Step::Choose(_))).count();
    let twice = chosen > 1 && !d.only_lists() && parts.iter().all(|part| play::could_pay(d, who, card, part, plays));
    limit!(d, !twice, zx!("804.4d", Limit), "1枚のカードで2つの代償は支払えない");
    limit!(d, twice, zx!("804.2f", Limit), "代償を支払えない");
    Ok(())
}

/// The clause by which cards that lie so are one card.
fn one_card(how: Word) -> &'static Cite {
    match how.as_str() {
        "プレイヤー エクストラ" => zx!("202.10c", Limit),
        "オーバーブースト" => zx!("202.7b", Limit),
        "ユニゾン" => zx!("1029.1a", Limit),
        _ => zx!("202.8a", Limit),
    }
}

/// 302.1c: whose an ability of the card is.
fn holder(card: &Obj, seen: &Seen) -> Seat {
    if schema().spec(card.zone).board { seen.controller } else { card.owner }
}

fn is_zx_of(seen: &Seen, who: Seat) -> bool {
    seen.controller == who && seen.words(const { at(KIND) }).iter().any(|k| *k == "ゼクス")
}

/// No text forbids it, there or wherever.
fn may(d: &mut Duel, who: Seat, m: &Move, to: Option<ZoneId>) -> bool {
    let mut event = would(m.verb, m.card, who);
    if let Some(card) = m.card {
        (event.from, event.from_face_up) = (Some(d.t.obj(card.id).zone), d.t.obj(card.id).face_up);
    }
    event.to = to;
    !d.forbidden(&event)
}

fn fighting(d: &Duel) -> bool {
    !d.t.context().fights.is_empty()
}

fn lies(d: &Duel, m: &Move) -> ZoneId {
    d.t.obj(card(m).id).zone
}

fn in_dynamis(d: &Duel, who: Seat, m: &Move) -> bool {
    lies(d, m) == zone("デュナミス", who)
}

fn cards(d: &Duel, who: Seat, name: &str) -> Vec<Ref> {
    d.t.zone(zone(name, who)).iter().map(|id| d.t.now(*id)).collect()
}

/// 506.2, 603.1b: what must not have been played from the dynamis this turn. Reading C36: in battle all extras count, or
/// only events among them.
fn this_turn(d: &mut Duel, who: Seat, card: Ref) -> Option<Use> {
    let played = extras::budget(d, card);
    let used = |act| Use { user: User::Player(who), what: 0, act, lasts: TURN };
    let events = fighting(d) && d.uses(&used(played[0])) > 0 && d.reading(zx!("C36", Reading), "a") == "b";
    played.get(usize::from(events)).copied().map(used)
}

/// 202.12b.
fn this_game(who: Seat) -> Use {
    Use {
        user: User::Player(who), what: 0, act: Word("アセンション エクストラ"), lasts: Word("デュエル")
    }
}

fn to_resource(d: &mut Duel, who: Seat) -> Vec<Move> {
    if d.t.phase == "リソースフェイズ" { each("リソース", cards(d, who, "手札")) } else { Vec::new() }
}

fn to_ignite(d: &mut Duel, who: Seat) -> Vec<Move> {
    if d.t.phase == "イグニッションフェイズ" {
        each("イグニッション", cards(d, who, "チャージ"))
    } else {
        Vec::new()
    }
}

fn the_deck(d: &mut Duel, _: Seat) -> Vec<Move> {
    if d.t.phase == "デッキ構築" { vec![Move { verb: Word("デッキ"), ..Move::PASS }] } else { Vec::new() }
}

/// Cards of the hand and the dynamis, in every way in which they can be played.
fn playable_cards(d: &mut Duel, who: Seat) -> Vec<Move> {
    let mut found = Vec::new();
    if d.t.phase != "メインフェイズ" {
        return found;
    }
    let mut all = [cards(d, who, "手札"), cards(d, who, "デュナミス")].concat();
    for card in elsewhere(d, who) {
        if !all.contains(&card) {
            all.push(card);
        }
    }
    found.reserve(all.len());
    for card in all {
        // In battle nobody thinks of anything but events.
        if fighting(d) && d.stands_whole() && !is_kind(d, card, "イベント") {
            continue;
        }
        let ways = extras::ways(d, card);
        // Where nobody reads why, nobody thinks of a plain cost that will not do.
        let plain = ways.is_empty() || !d.only_lists() || plainly_too(d);
        for way in plain.then_some(Word("")).into_iter().chain(ways) {
            found.push(Move { way, ..Move::of(Word("プレイ"), card) });
        }
    }
    found
}

/// Cards that a text lets the player play from other places.
fn elsewhere(d: &mut Duel, who: Seat) -> Vec<Ref> {
    let view = d.look();
    let told = view.rules.iter().filter(|r| matches!(r.change, Change::PlayFrom(_)));
    let mut found: Vec<Ref> = told.filter_map(|r| r.on).map(|id| d.t.now(id)).collect();
    found.retain(|card| super::text::plays_from(d, who, *card));
    found
}

/// Where nobody reads why, nobody thinks of squares that only a range would reach.
fn near_only(d: &mut Duel, m: &Move) -> bool {
    d.only_lists() && is_square(lies(d, m)) && !d.glance(card(m)).has(&Word("レンジ"))
}

/// The squares beside a square.
fn beside(square: ZoneId) -> &'static [ZoneId] {
    static BESIDE: LazyLock<Vec<Vec<ZoneId>>> = LazyLock::new(|| {
        let near = |at: ZoneId| ALL_SQUARES.into_iter().filter(|to| distance(at, *to) == 1).collect();
        ALL_SQUARES.into_iter().map(near).collect()
    });
    ALL_SQUARES.iter().position(|at| *at == square).map_or(&ALL_SQUARES, |at| &BESIDE[at])
}

fn attackers(d: &mut Duel, who: Seat) -> Vec<Move> {
    if d.t.phase != "メインフェイズ" || fighting(d) {
        return Vec::new();
    }
    let mut all = bodies(d);
    if d.stands_whole() {
        all.retain(|r| is_zx_of(d.glance(*r), who));
    }
    each("攻撃", all)
}

fn activatable(d: &mut Duel, who: Seat) -> Vec<Move> {
    if d.t.phase != "メインフェイズ" {
        return Vec::new();
    }
    let view = d.look();
    let given = d.given;
    let mut found = Vec::new();
    for &id in view.among(&given.holders.activated).iter() {
        // Where nobody reads why, nobody thinks of what is another's.
        if d.only_lists() && holder(d.t.obj(id), &view.cards[id.0 as usize]) != who {
            continue;
        }
        for (i, _) in view.cards[id.0 as usize].abilities.iter().enumerate().filter(|(_, a)| a.kind == Kind::Activated)
        {
            found.push(Move { ability: Some(i as u8), ..Move::of(Word("起動"), d.t.now(id)) });
        }
    }
    found
}

/// The squares a card may be played to.
pub fn squares(d: &mut Duel, who: Seat, card: Ref) -> Vec<ZoneId> {
    let m = |to| Move { to: Some(to), ..Move::of(Word("プレイ"), card) };
    places::squares().filter(|to| square(d, who, &m(*to)).is_ok()).collect()
}

/// The card could be played, wherever it is, if its cost is no matter.
pub fn playable(d: &mut Duel, who: Seat, card: Ref) -> bool {
    let m = Move::of(Word("プレイ"), card);
    let fits = if is_body(d, card) { !squares(d, who, card).is_empty() } else { is_kind(d, card, "イベント") };
    fits && (may(d, who, &m, None) || !d.on(CANNOT))
}

/// 1105.2, 1105.3: the range of the Z/X covers the distance.
fn reaches(d: &mut Duel, card: Ref, away: i8) -> bool {
    let far = |k: &crate::card::Keyword| match &k.value {
        Some(crate::card::Value::Number(n)) => *n >= i32::from(away),
        _ => k.words.iter().any(|w| *w == "∞"),
    };
    let endless = |k: &crate::card::Keyword| k.words.iter().any(|w| *w == "∞");
    let Some(range) = acts::valid(d, card, "レンジ").into_iter().find(far) else { return false };
    let cite = if endless(&range) { zx!("1105.3", Meaning) } else { zx!("1105.2", Meaning) };
    d.applies(cite, |_| "レンジにより離れたスクエアを攻撃できる".into())
}

fn resource(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    d.step(zx!("504.3"), |d| {
        let mut event = d.moving(card(m), zone("リソース", who)).seat(who);
        event.also.push(m.verb);
        if let crate::kernel::What::Move { state, .. } = &mut event.what {
            *state = u8::from(acts::arrives_asleep(d, card(m)));
        }
        d.propose_one(event).map(|_| ())
    })?;
    Ok(true)
}

fn ignite(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    d.step(zx!("505.3a"), |d| {
        let event = d.moving(card(m), zone("トラッシュ", who)).seat(who);
        d.happen(vec![event])?;
        acts::ignite(d, who).map(|_| ())
    })?;
    Ok(true)
}

/// 804.2d: the price is fixed before anything is paid. What was taken back was not played.
fn play_card(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    let card = card(m);
    let shift = is_kind(d, card, "シフト");
    let plain = !shift && m.way.is_empty();
    if !shift && !plain && super::playing::speaks(d, who, card) {
        return d.unwritten("条件によるプレイで使う「プレイする際」の能力", &["zx:1027.1", "zx:805.2c"]);
    }
    let offers = if plain { super::playing::choose(d, who, card)? } else { super::playing::forced(d, who, card) };
    let cost = if shift { Default::default() } else { super::playing::price(d, card, &offers) };
    let square = m.to.filter(|_| is_body(d, card));
    let host = if shift { carrier(d, who, card)? } else { None };
    let mut uses = Vec::new();
    if in_dynamis(d, who, m) {
        let played = extras::budget(d, card);
        uses.extend(played.iter().map(|act| Use { user: User::Player(who), what: 0, act: *act, lasts: TURN }));
        if is_kind(d, card, "アセンション") {
            uses.push(this_game(who));
        }
    }
    let terms = play::Terms { cost: Some(cost), way: m.way, square, host, came: 0, offers };
    let played = play::card(d, who, card, terms)?;
    if played {
        uses.into_iter().for_each(|used| d.note_use(used));
    }
    Ok(played)
}

/// 806.1c: the card that the shift will be laid on.
fn carrier(d: &mut Duel, who: Seat, card: Ref) -> Flow<Option<Ref>> {
    let of: Vec<Thing> = composite::carriers(d, who, card).into_iter().map(Thing::Card).collect();
    let asks = Asks::Choose { of, min: 1, max: 1 };
    let chosen = d.pick(Question::new(who, Word("シフト先"), asks).citing(zx!("806.1c", Frame)).about(Some(card)))?;
    Ok(chosen.into_iter().find_map(|t| if let Thing::Card(r) = t { Some(r) } else { None }))
}
