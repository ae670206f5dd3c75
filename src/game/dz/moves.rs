//! 3.7–3.9, 4.3.4, 4.7.3: what a player with priority may do, and by which clause not.

use std::sync::Arc;

use super::pay::{self, Cost};
use super::places::{
    Own, battle_squares, inside, is_base_square, is_battle_square, is_square, related, seen_from, squares, zone,
};
use super::schema::{ENERGY, at, schema};
use super::{keywords, play, turn};
use crate::card::{Ability, Change, Kind, Word};
use crate::kernel::verb::{Allowed, Limit, Verb, card, each, no, place};
use crate::kernel::{CardId, Cause, Ctx, Duel, Event, Flow, Means, Move, Ref, Seat, Slots, Table, View, ZoneId};

/// Playing a card of another class or in another way is forbidden by other clauses.
pub static VERBS: &[Verb] = &[
    Verb::new("エネルギー", hand_cards, &[PRIORITY, ENERGY_PHASE, NOT_FORBIDDEN], turn::put_energy),
    Verb::new("スマッシュ", smashers, &[PRIORITY, SMASH_PHASE, NOT_FORBIDDEN], turn::smash),
    Verb::new("プレイ", units_to_play, &[PRIORITY, PLAYED, UNIT_SQUARE, UNIT_PLACE, PAID], carry_out)
        .of(|d, m| m.way.is_empty() && is(d, m, "ユニット")),
    Verb::new("プレイ", callable, &[PRIORITY, PLAYED, UNIT_SQUARE, CALLED, PAID], carry_out)
        .of(|d, m| m.way == "召集" && is(d, m, "ユニット")),
    Verb::new("プレイ", in_formation, &[PRIORITY, PLAYED, UNIT_SQUARE, FORMED, PAID], carry_out)
        .of(|d, m| m.way == "隊列召喚" && is(d, m, "ユニット")),
    Verb::new("プレイ", in_both_ways, &[PRIORITY, PLAYED, UNIT_SQUARE, BOTH_WAYS, PAID], carry_out)
        .of(|d, m| ["召集と隊列召喚", "隊列召喚と召集"].contains(&m.way.as_str()) && is(d, m, "ユニット")),
    Verb::new("プレイ", bases_to_play, &[PRIORITY, PLAYED, BASE_SQUARE, PAID], carry_out)
        .of(|d, m| is(d, m, "ベース") && !is(d, m, "ユニット")),
    Verb::new("プレイ", strategies, &[PRIORITY, PLAYED, NO_SQUARE, PAID], carry_out),
    Verb::new("起動", activatable, &[PRIORITY, ACTIVATED, PAID], carry_out),
    Verb::new(
        "プラン作成",
        |d, who| plan(d, who, "プラン作成"),
        &[PRIORITY, MAIN_PHASE, NO_PLAN, ONE_ENERGY],
        carry_out,
    ),
    Verb::new(
        "プラン更新",
        |d, who| plan(d, who, "プラン更新"),
        &[PRIORITY, MAIN_PHASE, A_PLAN, ONE_ENERGY],
        carry_out,
    ),
    Verb::new("移動", movable, &[PRIORITY, MAIN_PHASE, MOVED], carry_out),
];

static PRIORITY: &[Limit] =
    &[Limit::card(dz!("1.1.5", Limit), "優先権を持っていない", |d, who, _| d.t.priority == Some(who))];

/// 1.1.2, 2.10.3-3: what a text forbids.
static NOT_FORBIDDEN: &[Limit] =
    &[Limit::card(FORBIDS, "「できない」とする効果がある", |d, who, m| may(d, who, m, None))];

/// 3.7.1, reading C11.
static ENERGY_PHASE: &[Limit] = &[
    Limit::card(dz!("3.7.1", Limit), "エネルギーフェイズではない", |d, _, _| {
        d.t.phase == "エネルギーフェイズ"
    }),
    Limit::card(dz!("3.7.1", Limit), "アクティブプレイヤーではない", |d, who, _| who == d.t.active),
    Limit::card(dz!("3.7.1", Limit), "スタックが空ではない", |d, _, _| d.t.context().pile.is_empty()),
    Limit::card(dz!("3.7.1", Frame), "このターンはもう置いた（読みC11）", |d, who, _| {
        d.t.seats[who.index()][ENERGY] == 0 || d.reading(dz!("C11", Reading), "a") == "b"
    }),
    Limit::card(dz!("3.7.1", Limit), "自分の手札のカードではない", |d, who, m| {
        m.card.is_some_and(|c| d.t.obj(c.id).zone == zone(Own::Hand, who))
    }),
];

/// 3.9.1: a released unit in the centre or enemy area.
static SMASH_PHASE: &[Limit] = &[
    Limit::card(dz!("3.9.1", Limit), "スマッシュフェイズではない", |d, _, _| {
        d.t.phase == "スマッシュフェイズ"
    }),
    Limit::card(dz!("3.9.1", Limit), "アクティブプレイヤーではない", |d, who, _| who == d.t.active),
    Limit::card(dz!("3.9.1", Limit), "スタックが空ではない", |d, _, _| d.t.context().pile.is_empty()),
    Limit::card(dz!("3.9.1", Frame), "ユニットを指定していない", |_, _, m| m.card.is_some()),
    Limit::card(dz!("3.9.1", Limit), "自分のユニットではない", |d, who, m| has_unit(d, who, card(m))),
    Limit::card(dz!("2.26.1-1", Limit), "フリーズ状態のカードはフリーズできない", |d, _, m| {
        !d.t.obj(card(m).id).turned()
    }),
    Limit::card(dz!("3.9.1", Limit), "中央エリアにも敵軍エリアにもない", |d, who, m| {
        matches!(seen_from(d.t.obj(card(m).id).zone, who).1, 2 | 3)
    }),
];

/// 3.8.1–3.8.4, 4.1.1: it is time to play the card, and it lies where it can be played from. 4.7.2-5: the targets of a
/// strategy can be chosen.
static PLAYED: &[Limit] = &[
    Limit::card(dz!("4.7.2-1", Frame), "カードを指定していない", |_, _, m| m.card.is_some()),
    Limit::card(dz!("3.8.1", Limit), "メインフェイズではない", |d, _, _| d.t.phase == "メインフェイズ"),
    Limit::card(dz!("4.1.1", Limit), "プレイできるゾーンにない", |d, who, m| is_playable(d, who, card(m))),
    Limit::card(dz!("2.6.2", Limit), "分類のないカードはプレイできない", |d, _, m| {
        ["ユニット", "ベース", "ストラテジー"].iter().any(|class| is(d, m, class))
    }),
    Limit::clauses(in_time),
    Limit::card(dz!("5.14.2", Limit), "閃光を持つユニットの移動がスタックにある", |d, _, _| {
        !keywords::flashing(d)
    }),
    Limit::card(FORBIDS, "「できない」とする効果がある", |d, who, m| may(d, who, m, None)),
    Limit::card(dz!("4.7.2-5", Limit), "適正な対象を選べない", |d, who, m| {
        let strategy = is(d, m, "ストラテジー");
        let effects = if strategy { keywords::effects(d, card(m), who, &Slots::default()) } else { Vec::new() };
        play::targets_exist(d, who, m, &effects)
    }),
];

/// 2.20.1-2: a unit is played to a battle square.
static UNIT_SQUARE: &[Limit] = &[Limit::place(
    dz!("2.20.1-2", Frame),
    "バトルスペースのスクエアを指定していない",
    |_, _, m| m.to.is_some_and(is_battle_square),
)];

static UNIT_PLACE: &[Limit] = &[
    Limit::place(dz!("2.20.1-2", Limit), "自分のユニットのあるスクエアは指定できない", own_square),
    Limit::place(dz!("2.20.1-2", Limit), "自軍エリアでも中央エリアでもない", |_, who, m| {
        matches!(seen_from(place(m), who).1, 1 | 2)
    }),
];

static CALLED: &[Limit] = &[
    Limit::place(dz!("5.3.2", Limit), "召集の条件を満たすスクエアではない", |d, who, m| {
        !keywords::callers(d, who, place(m)).is_empty()
    }),
    Limit::place(
        dz!("5.3.2", Limit),
        "ユニットのあるスクエアには召集でプレイできない",
        |d, _, m| !any_of(d, place(m), "ユニット", None),
    ),
];

static FORMED: &[Limit] = &[
    Limit::place(dz!("5.8.2", Limit), "隊列召喚の配置を満たしていない", |d, who, m| {
        keywords::formation(d, who, card(m), place(m))
    }),
    Limit::place(dz!("2.20.1-2", Limit), "自分のユニットのあるスクエアは指定できない", own_square),
];

static BOTH_WAYS: &[Limit] = &[
    Limit::place(dz!("5.3.2-2", Limit), "特殊なプレイ方法は同時に適用できない", |_, _, m| {
        !m.way.starts_with("召集")
    }),
    Limit::place(dz!("5.8.3", Limit), "特殊なプレイ方法は同時に適用できない", |_, _, m| {
        m.way.starts_with("召集")
    }),
    Limit::place(
        dz!("5.8.2", Limit),
        "召集と隊列召喚の両方の条件を満たしていない",
        |d, who, m| !keywords::callers(d, who, place(m)).is_empty() && keywords::formation(d, who, card(m), place(m)),
    ),
];

static BASE_SQUARE: &[Limit] = &[
    Limit::place(
        dz!("2.20.2-2", Frame),
        "自分のベーススペースのスクエアを指定していない",
        |_, who, m| m.to.is_some_and(|z| is_base_square(z, who)),
    ),
    Limit::place(
        dz!("2.20.2-2", Limit),
        "自分のベースのあるスクエアは指定できない",
        |d, who, m| !any_of(d, place(m), "ベース", Some(who)),
    ),
];

static NO_SQUARE: &[Limit] =
    &[Limit::card(dz!("4.7.2-1", Frame), "そのようなプレイ方法はない", |d, _, m| !is(d, m, "ユニット"))];

static PAID: &[Limit] = &[Limit::card(dz!("4.7.2-8", Limit), "コストを支払えない", play::affordable)];

/// 4.3: an activated ability.
static ACTIVATED: &[Limit] = &[
    Limit::card(dz!("4.3.1", Frame), "カードを指定していない", |_, _, m| m.card.is_some()),
    Limit::card(dz!("3.8.1", Limit), "メインフェイズではない", |d, _, _| d.t.phase == "メインフェイズ"),
    Limit::card(dz!("4.3.1", Frame), "起動型能力ではない", |d, _, m| ability(d, m).is_some()),
    Limit::card(dz!("4.3.2", Limit), "そのカードの支配者ではない", |d, who, m| holder(d, card(m)) == who),
    Limit::clauses(works),
    Limit::clauses(in_force),
    Limit::clauses(in_time),
    Limit::card(FORBIDS, "「できない」とする効果がある", |d, who, m| may(d, who, m, None)),
    Limit::card(dz!("4.2.1", Limit), "1ターンに使える回数を使い切った", |d, who, m| {
        !ability(d, m).is_some_and(|a| d.is_used_up(card(m), who, &a))
    }),
    Limit::card(dz!("4.7.2-5", Limit), "適正な対象を選べない", |d, who, m| {
        ability(d, m).is_some_and(|a| play::targets_exist(d, who, m, &[a]))
    }),
];

/// 3.8.2.
static MAIN_PHASE: &[Limit] = &[
    Limit::card(dz!("3.8.2", Limit), "メインフェイズではない", |d, _, _| d.t.phase == "メインフェイズ"),
    Limit::clauses(in_time),
];

static NO_PLAN: &[Limit] =
    &[Limit::card(dz!("2.23.3-6", Limit), "プランゾーンにカードがある", |d, who, _| {
        super::others::plan_card(d, who).is_none()
    })];

static A_PLAN: &[Limit] =
    &[Limit::card(dz!("3.8.2-4", Limit), "プランゾーンにカードがない", |d, who, _| {
        super::others::plan_card(d, who).is_some()
    })];

/// 3.8.2-3, 3.8.2-4: one energy of any colour.
static ONE_ENERGY: &[Limit] = &[
    Limit::card(FORBIDS, "「できない」とする効果がある", |d, who, m| may(d, who, m, None)),
    Limit::card(dz!("4.7.2-8", Limit), "コストを支払えない", |d, who, _| {
        pay::payable(d, who, &Cost::colourless(1))
    }),
];

/// 3.8.2-6, 4.7.3: a released unit to an adjacent battle square without another unit of the player.
static MOVED: &[Limit] = &[
    Limit::card(dz!("4.7.3-1", Frame), "ユニットと移動先を指定していない", |_, _, m| {
        m.card.is_some() && m.to.is_some()
    }),
    Limit::card(dz!("4.7.3-1", Limit), "自分の支配するユニットではない", |d, who, m| {
        has_unit(d, who, card(m))
    }),
    Limit::card(dz!("4.7.3-1", Limit), "リリース状態ではない", |d, _, m| !d.t.obj(card(m).id).turned()),
    Limit::place(dz!("3.8.2-6", Limit), "隣接するバトルスペースのスクエアではない", |d, who, m| {
        is_battle_square(place(m)) && related(Word("隣接"), d.t.obj(card(m).id).zone, place(m), who)
    }),
    Limit::place(dz!("4.7.3-1", Limit), "移動先に自分の別のユニットがある", |d, who, m| {
        let view = d.look();
        !d.t.zone(place(m)).iter().any(|id| *id != card(m).id && is_unit(&d.t, &view, *id, who))
    }),
    Limit::place(FORBIDS, "「できない」とする効果がある", |d, who, m| may(d, who, m, m.to)),
    Limit::card(dz!("4.7.3-4", Limit), "移動コストを支払えない", play::affordable),
];

/// 3.8.2, 3.8.3, 3.8.4, 4.3.4: the timing of what is done, which decides by which clause it is not the time.
fn in_time(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let fighting = !d.t.context().fights.is_empty();
    let from_plan = m.verb == "プレイ" && schema().spec(d.t.obj(card(m).id).zone).name == "山札";
    let timing = match m.verb.as_str() {
        // 3.8.2-5: whatever is printed, from the plan zone it is a Normal action.
        "プレイ" if !from_plan => d.glance(card(m)).words(at::TIMING).first().copied(),
        "起動" => ability(d, m).and_then(|a| timing_of(d, card(m), &a)),
        _ => None,
    };
    match timing.unwrap_or(Word("ノーマル")).as_str() {
        "バトル" if fighting => {
            d.trace.reach(dz!("3.8.4", Meaning));
            if d.on(dz!("3.8.4", Meaning)) {
                Ok(())
            } else {
                d.unless(dz!("3.8.3", Limit), "バトル中は行えない")
            }
        }
        "クイック" if fighting => d.unless(dz!("3.8.3", Limit), "バトル中はタイミングがクイックの行動をとれない"),
        "バトル" | "クイック" => Ok(()),
        _ => {
            let own = match m.verb.as_str() {
                "プレイ" if from_plan => dz!("3.8.2-5", Limit),
                "プレイ" => dz!("3.8.2-1", Limit),
                "起動" => dz!("4.3.4", Limit),
                _ => dz!("3.8.2", Limit),
            };
            if who != d.t.active {
                d.unless(own, "自分のメインフェイズではない")?;
            }
            if fighting {
                d.unless(dz!("3.8.2", Limit), "バトル中はタイミングがノーマルの行動をとれない")?;
            }
            if d.t.context().pile.is_empty() {
                Ok(())
            } else {
                d.unless(dz!("3.8.2", Limit), "スタックが空ではない")
            }
        }
    }
}

/// 4.3.1, 4.3.4: the timing written in the ability; reading C15: that of its card.
fn timing_of(d: &mut Duel, card: Ref, ability: &Ability) -> Option<Word> {
    let of_card = d.seen(card).words(at::TIMING).first().copied();
    match ability.timing != of_card && d.reading(dz!("C15", Reading), "a") == "b" {
        true => of_card,
        false => ability.timing,
    }
}

/// The text of the ability is in force where the card lies; the clause depends on what it is.
fn works(d: &mut Duel, _: Seat, m: &Move) -> Allowed {
    let Some(ability) = ability(d, m) else { return Ok(()) };
    let (seen, obj) = (d.seen(card(m)), d.t.obj(card(m).id));
    let (zone, face_up) = (obj.zone, obj.face_up);
    if d.works(&seen, zone, face_up, &ability) {
        return Ok(());
    }
    no(super::text::elsewhere(&seen, &ability), "そのゾーンではテキストが有効でない")
}

/// 5.12.2, 5.13.2: the text counts only under a condition; so does an ability that says 「〜ならば」.
fn in_force(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let Some(ability) = ability(d, m) else { return Ok(()) };
    let Some(cond) = &ability.cond else { return Ok(()) };
    let slots = Slots::default();
    let ctx = Ctx { this: m.card, seat: who, slots: &slots, event: None };
    if d.see(|eyes| eyes.holds(&ctx, cond)) {
        return Ok(());
    }
    d.unless(keywords::uncounted(&ability), "能力の条件を満たしていない")
}

static FORBIDS: &crate::kernel::Cite = dz!("1.1.2", Limit);

/// No text forbids it, there or wherever.
fn may(d: &mut Duel, who: Seat, m: &Move, to: Option<ZoneId>) -> bool {
    let name = if m.verb.starts_with("プラン") { Word("起動") } else { m.verb };
    let mut event = m.card.map_or_else(|| Event::signal(name), |card| Event::about(name, card));
    (event.seat, event.to) = (Some(who), to);
    event.cause = Cause { means: Means::Rule, card: m.card, seat: Some(who) };
    let forbidden = d.forbidden(&event);
    if forbidden {
        d.trace.reach(dz!("2.10.3-3", Frame));
    }
    !forbidden
}

fn own_square(d: &mut Duel, who: Seat, m: &Move) -> bool {
    !any_of(d, place(m), "ユニット", Some(who))
}

fn plan(d: &mut Duel, who: Seat, verb: &'static str) -> Vec<Move> {
    if alone(d, who, "メインフェイズ") { vec![Move { verb: Word(verb), ..Move::PASS }] } else { Vec::new() }
}

/// The player's own phase, with nothing going on in it.
fn alone(d: &Duel, who: Seat, phase: &str) -> bool {
    d.t.phase == phase && who == d.t.active && d.t.context().pile.is_empty() && d.t.context().fights.is_empty()
}

fn hand_cards(d: &mut Duel, who: Seat) -> Vec<Move> {
    let hand = d.t.zone(zone(Own::Hand, who)).iter().map(|id| d.t.now(*id));
    if alone(d, who, "エネルギーフェイズ") { each("エネルギー", hand.collect()) } else { Vec::new() }
}

fn smashers(d: &mut Duel, who: Seat) -> Vec<Move> {
    if alone(d, who, "スマッシュフェイズ") { each("スマッシュ", units(d, who)) } else { Vec::new() }
}

fn is(d: &mut Duel, m: &Move, class: &str) -> bool {
    m.card.is_some_and(|card| d.look().cards[card.id.0 as usize].words(at::CLASS).iter().any(|w| *w == class))
}

/// Cards of the class that can be played from where they lie, to each square that will do; to none where none will.
fn to_each(d: &mut Duel, who: Seat, class: &str, way: &'static str, fits: fn(ZoneId, Seat) -> bool) -> Vec<Move> {
    if d.t.phase != "メインフェイズ" {
        return Vec::new();
    }
    let places: Vec<Option<ZoneId>> = squares().filter(|z| fits(*z, who)).map(Some).collect();
    let places = if places.is_empty() { vec![None] } else { places };
    let mut found = Vec::new();
    for card in playable_from(d, who) {
        let m = Move { way: Word(way), ..Move::of(Word("プレイ"), card) };
        // A unit or a base goes to a square, whatever else it is.
        let elsewhere = class == "ストラテジー" && (is(d, &m, "ユニット") || is(d, &m, "ベース"));
        if is(d, &m, class) && !elsewhere && !(class == "ベース" && is(d, &m, "ユニット")) {
            found.extend(places.iter().map(|to| Move { to: *to, ..m }));
        }
    }
    found
}

fn units_to_play(d: &mut Duel, who: Seat) -> Vec<Move> {
    to_each(d, who, "ユニット", "", |z, who| is_battle_square(z) && seen_from(z, who).1 < 3)
}

/// Where nobody calls, no square needs to be asked about.
fn callable(d: &mut Duel, who: Seat) -> Vec<Move> {
    let main = d.t.phase == "メインフェイズ";
    match main && (keywords::any_caller(d, who) || !d.on(dz!("5.3.2", Limit))) {
        true => to_each(d, who, "ユニット", "召集", |z, _| is_battle_square(z)),
        false => Vec::new(),
    }
}

fn in_formation(d: &mut Duel, who: Seat) -> Vec<Move> {
    if d.given.holders.keyword(Word("隊列召喚")).is_empty() && d.look().gained.is_empty() {
        return Vec::new();
    }
    let mut found = to_each(d, who, "ユニット", "隊列召喚", |z, _| is_battle_square(z));
    found.retain(|m| d.glance(card(m)).has("隊列召喚"));
    found
}

/// 5.3.2-2, 5.8.3: one special way of playing excludes the others.
fn in_both_ways(d: &mut Duel, who: Seat) -> Vec<Move> {
    let ways = [("召集と隊列召喚", dz!("5.3.2-2", Limit)), ("隊列召喚と召集", dz!("5.8.3", Limit))];
    let mut found = Vec::new();
    for (way, cite) in ways {
        if !d.on(cite) {
            found.extend(in_formation(d, who).into_iter().map(|m| Move { way: Word(way), ..m }));
        }
    }
    found
}

fn bases_to_play(d: &mut Duel, who: Seat) -> Vec<Move> {
    to_each(d, who, "ベース", "", is_base_square)
}

fn strategies(d: &mut Duel, who: Seat) -> Vec<Move> {
    to_each(d, who, "ストラテジー", "", |_, _| false)
}

/// The player's units in squares.
pub fn units(d: &mut Duel, who: Seat) -> Vec<Ref> {
    let view = d.look();
    let unit = |id: &&CardId| is_unit(&d.t, &view, **id, who);
    squares().flat_map(|z| d.t.zone(z).iter().filter(unit)).map(|id| d.t.now(*id)).collect()
}

/// A card in a square is a unit of the player.
fn is_unit(t: &Table, view: &View, id: CardId, who: Seat) -> bool {
    let seen = &view.cards[id.0 as usize];
    seen.controller == who && t.obj(id).host.is_none() && seen.words(at::CLASS).iter().any(|w| *w == "ユニット")
}

/// The player has that unit, in a square.
fn has_unit(d: &mut Duel, who: Seat, card: Ref) -> bool {
    let view = d.look();
    d.t.is_now(card) && is_square(d.t.obj(card.id).zone) && is_unit(&d.t, &view, card.id, who)
}

/// Cards that a text or a rule lets the player play from where they are.
fn playable_from(d: &mut Duel, who: Seat) -> Vec<Ref> {
    let mut cards: Vec<Ref> = d.t.zone(zone(Own::Hand, who)).iter().map(|id| d.t.now(*id)).collect();
    let top = d.t.zone(zone(Own::Deck, who)).last().copied().filter(|id| d.t.obj(*id).face_up);
    cards.extend(top.map(|id| d.t.now(id)));
    let view = d.look();
    for rule in &view.rules {
        if let (Change::PlayFrom(place), Some(id)) = (&rule.change, rule.on)
            && inside(d.t.obj(id).zone, d.t.obj(id).face_up, *place, who)
            && rule.seat == who
            && !cards.iter().any(|c| c.id == id)
        {
            cards.push(d.t.now(id));
        }
    }
    cards
}

/// The card is among those that the player can play from where it lies.
fn is_playable(d: &mut Duel, who: Seat, card: Ref) -> bool {
    d.t.obj(card.id).zone == zone(Own::Hand, who) || playable_from(d, who).contains(&card)
}

/// Whose the card is: in a square its controller's.
fn holder(d: &mut Duel, card: Ref) -> Seat {
    let obj = d.t.obj(card.id);
    if is_square(obj.zone) { d.glance(card).controller } else { obj.owner }
}

/// The activated ability that is meant.
fn ability(d: &mut Duel, m: &Move) -> Option<Arc<Ability>> {
    let seen = d.seen(card(m));
    let activated = |a: &&Arc<Ability>| a.kind == Kind::Activated;
    match m.ability {
        Some(number) => seen.abilities.get(number as usize).filter(activated).cloned(),
        None => seen.abilities.iter().find(activated).cloned(),
    }
}

/// Abilities of the player's cards that can be activated where they lie.
fn activatable(d: &mut Duel, who: Seat) -> Vec<Move> {
    if d.t.phase != "メインフェイズ" {
        return Vec::new();
    }
    let view = d.look();
    let mut found = Vec::new();
    let given = d.given;
    for &id in view.among(&given.holders.activated).iter() {
        let seen = &view.cards[id.0 as usize];
        let obj = d.t.obj(id);
        let (zone, face_up) = (obj.zone, obj.face_up);
        let holder = if is_square(obj.zone) { seen.controller } else { obj.owner };
        if holder != who || !seen.kinds.activated {
            continue;
        }
        for (number, ability) in seen.abilities.iter().enumerate() {
            if ability.kind == Kind::Activated && d.works(seen, zone, face_up, ability) {
                found.push(Move { ability: Some(number as u8), ..Move::of(Word("起動"), d.t.now(id)) });
            }
        }
    }
    found
}

/// Released units, to the squares next to them.
fn movable(d: &mut Duel, who: Seat) -> Vec<Move> {
    if !alone(d, who, "メインフェイズ") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for card in units(d, who).into_iter().filter(|card| !d.t.obj(card.id).turned()) {
        let here = d.t.obj(card.id).zone;
        let next = battle_squares().filter(|to| related(Word("隣接"), here, *to, who));
        found.extend(next.map(|to| Move { to: Some(to), ..Move::of(Word("移動"), card) }));
    }
    found
}

fn carry_out(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    play::play(d, who, m).map(|()| true)
}

/// A card of the class lies in the square; of the player, where one is named.
pub fn any_of(d: &mut Duel, square: ZoneId, class: &str, seat: Option<Seat>) -> bool {
    if d.t.zone(square).is_empty() {
        return false;
    }
    let view = d.look();
    d.t.zone(square).iter().any(|id| {
        let seen = &view.cards[id.0 as usize];
        d.t.obj(*id).host.is_none()
            && seat.is_none_or(|s| seen.controller == s)
            && seen.words(at::CLASS).iter().any(|w| *w == class)
    })
}
