//! 3.7–3.9, 4.3.4, 4.7.3: what a player with priority may do. Legality is written once: listing and refusing both
//! go through [`legal`].

use std::sync::Arc;

use super::pay::{self, Cost};
use super::places::{
    Own, battle_squares, inside, is_base_square, is_battle_square, is_square, related, seen_from, squares, zone,
};
use super::schema::{ENERGY, at, schema};
use super::{keywords, play};
use crate::card::{Ability, Change, Kind, Word};
use crate::kernel::{
    Asks, CardId, Cause, Cite, Duel, Event, Flow, Means, Move, Question, Ref, Refusal, Seat, Table, Thing, View, What,
    ZoneId,
};

/// Everything the player may do now, passing first.
pub fn moves(d: &mut Duel, who: Seat) -> Vec<Move> {
    let mut found = vec![Move::PASS];
    match d.t.phase.as_str() {
        "エネルギーフェイズ" | "スマッシュフェイズ"
            if d.t.context().fights.is_empty() && who == d.t.active && d.t.context().pile.is_empty() =>
        {
            special(d, who, &mut found);
        }
        "メインフェイズ" => main_phase(d, who, &mut found),
        _ => {}
    }
    found
}

fn special(d: &mut Duel, who: Seat, found: &mut Vec<Move>) {
    let energy = d.t.phase == "エネルギーフェイズ";
    let candidates: Vec<Ref> =
        if energy { d.t.zone(zone(Own::Hand, who)).iter().map(|id| d.t.now(*id)).collect() } else { units(d, who) };
    let verb = if energy { Word("エネルギー") } else { Word("スマッシュ") };
    for card in candidates {
        let m = Move::of(verb, card);
        if legal(d, who, &m).is_ok() {
            found.push(m);
        }
    }
}

fn main_phase(d: &mut Duel, who: Seat, found: &mut Vec<Move>) {
    for card in playable_from(d, who) {
        // What holds for the card holds for every square: asked once.
        if may_play(d, who, card).is_err() {
            continue;
        }
        // So does the price, of which there are two.
        let mut payable = [None; 2];
        for (to, way) in places_to_play(d, who, card) {
            let m = Move { to, way, ..Move::of(Word("プレイ"), card) };
            let payable = &mut payable[usize::from(way == "隊列召喚")];
            if may_go(d, who, &m).is_ok() && *payable.get_or_insert_with(|| may_pay(d, who, &m).is_ok()) {
                found.push(m);
            }
        }
    }
    for (card, number) in activatable(d, who) {
        let m = Move { ability: Some(number), ..Move::of(Word("起動"), card) };
        if legal(d, who, &m).is_ok() {
            found.push(m);
        }
    }
    if who == d.t.active && d.t.context().pile.is_empty() && d.t.context().fights.is_empty() {
        for verb in ["プラン作成", "プラン更新"] {
            let m = Move { verb: Word(verb), ..Move::PASS };
            if legal(d, who, &m).is_ok() {
                found.push(m);
            }
        }
        for card in units(d, who) {
            if d.t.obj(card.id).turned() {
                continue;
            }
            let mut payable = None;
            for to in battle_squares() {
                let m = Move { to: Some(to), ..Move::of(Word("移動"), card) };
                if related(&d.t, Word("隣接"), d.t.obj(card.id).zone, to, who)
                    && may_move(d, who, &m).is_ok()
                    && *payable.get_or_insert_with(|| may_pay_move(d, who, &m).is_ok())
                {
                    found.push(m);
                }
            }
        }
    }
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

/// Why an act is not allowed. Listing asks about very many, so it is put into words only for those who read it.
pub struct No {
    m: Move,
    cite: &'static Cite,
    why: &'static str,
}

impl No {
    pub fn in_words(&self, d: &Duel) -> Refusal {
        let card = self.m.card.map(|c| d.card_name(c)).unwrap_or_default();
        let to = self.m.to.map(|z| format!("→{}", d.zone_name(z))).unwrap_or_default();
        let what = format!("{} {card}{to}", self.m.verb).trim().to_string();
        Refusal { what, cite: Some(self.cite), why: self.why.to_string() }
    }
}

type Allowed = Result<(), No>;

fn refusal(m: &Move, cite: &'static Cite, why: &'static str) -> Allowed {
    Err(No { m: *m, cite, why })
}

/// Refuses unless the condition holds or the clause is knocked out.
macro_rules! limit {
    ($d:expr, $m:expr, $ok:expr, $cite:expr, $why:expr) => {
        if !$ok {
            let cite = $cite;
            if $d.on(cite) {
                return refusal($m, cite, $why);
            }
        }
    };
}

/// Whether the player may do this now, and if not, why not.
pub fn legal(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    limit!(d, m, d.t.priority == Some(who), dz!("1.1.5", Limit), "優先権を持っていない");
    match m.verb.as_str() {
        "パス" => Ok(()),
        "エネルギー" => energy(d, who, m),
        "スマッシュ" => smash(d, who, m),
        "プレイ" => {
            let Some(card) = m.card else {
                return refusal(m, dz!("4.7.2-1", Frame), "カードを指定していない");
            };
            playable(d, who, card)?;
            may_play(d, who, card)?;
            may_go(d, who, m)?;
            may_pay(d, who, m)
        }
        "起動" => activate(d, who, m),
        "プラン作成" | "プラン更新" => plan(d, who, m),
        "移動" => {
            may_move(d, who, m)?;
            may_pay_move(d, who, m)
        }
        _ => refusal(m, dz!("4.6.2", Frame), "そのような行動はない"),
    }
}

fn forbidden(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let cite = dz!("1.1.2", Limit);
    let name = if matches!(m.verb.as_str(), "プラン作成" | "プラン更新") { Word("起動") } else { m.verb };
    let mut event = match m.card {
        Some(card) => Event::about(name, card),
        None => Event::signal(name),
    };
    event.seat = Some(who);
    event.to = m.to;
    event.cause = Cause { means: Means::Rule, card: m.card, seat: Some(who) };
    if d.forbidden(&event) {
        d.trace.reach(dz!("2.10.3-3", Frame));
        limit!(d, m, false, cite, "「できない」とする効果がある");
    }
    Ok(())
}

/// 3.7.1.
fn energy(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let cite = dz!("3.7.1", Limit);
    limit!(d, m, d.t.phase == "エネルギーフェイズ", dz!("3.7.1", Limit), "エネルギーフェイズではない");
    limit!(d, m, who == d.t.active, dz!("3.7.1", Limit), "アクティブプレイヤーではない");
    limit!(d, m, d.t.context().pile.is_empty(), dz!("3.7.1", Limit), "スタックが空ではない");
    let done = d.t.seats[who.index()][ENERGY] > 0;
    if done && d.reading(dz!("C11", Reading), "a") != "b" {
        return refusal(m, cite, "このターンはもう置いた（読みC11）");
    }
    let in_hand = m.card.is_some_and(|c| d.t.obj(c.id).zone == zone(Own::Hand, who));
    limit!(d, m, in_hand, dz!("3.7.1", Limit), "自分の手札のカードではない");
    forbidden(d, who, m)
}

/// 3.9.1: a released unit in the centre or enemy area.
fn smash(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    limit!(d, m, d.t.phase == "スマッシュフェイズ", dz!("3.9.1", Limit), "スマッシュフェイズではない");
    limit!(d, m, who == d.t.active, dz!("3.9.1", Limit), "アクティブプレイヤーではない");
    limit!(d, m, d.t.context().pile.is_empty(), dz!("3.9.1", Limit), "スタックが空ではない");
    let Some(card) = m.card else { return refusal(m, dz!("3.9.1", Limit), "ユニットを指定していない") };
    limit!(d, m, has_unit(d, who, card), dz!("3.9.1", Limit), "自分のユニットではない");
    limit!(d, m, !d.t.obj(card.id).turned(), dz!("2.26.1-1", Limit), "フリーズ状態のカードはフリーズできない");
    let (_, y) = seen_from(d.t.obj(card.id).zone, who);
    limit!(d, m, y == 2 || y == 3, dz!("3.9.1", Limit), "中央エリアにも敵軍エリアにもない");
    forbidden(d, who, m)
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

/// 3.8.1, 4.1.1: it is time to play cards, and the card lies where it can be played from.
fn playable(d: &mut Duel, who: Seat, card: Ref) -> Allowed {
    let m = &Move::of(Word("プレイ"), card);
    limit!(d, m, d.t.phase == "メインフェイズ", dz!("3.8.1", Limit), "メインフェイズではない");
    limit!(d, m, playable_from(d, who).contains(&card), dz!("4.1.1", Limit), "プレイできるゾーンにない");
    Ok(())
}

/// 3.8.2–3.8.4: the card and its timing.
fn may_play(d: &mut Duel, who: Seat, card: Ref) -> Allowed {
    let m = &Move::of(Word("プレイ"), card);
    let obj = d.t.obj(card.id);
    let from_plan = schema().spec(obj.zone).name == "山札";
    let seen = d.seen(card);
    let class = at::CLASS;
    let known = seen.words(class).iter().any(|w| ["ユニット", "ベース", "ストラテジー"].contains(&w.as_str()));
    limit!(d, m, known, dz!("2.6.2", Limit), "分類のないカードはプレイできない");
    let timing = at::TIMING;
    let timing = seen.words(timing).first().copied().unwrap_or(Word("ノーマル"));
    if from_plan {
        // 3.8.2-5: whatever is printed, from the plan zone it is a Normal action.
        in_time(d, who, m, Word("ノーマル"), dz!("3.8.2-5", Limit))?;
    } else {
        in_time(d, who, m, timing, dz!("3.8.2-1", Limit))?;
    }
    let flashing = keywords::flashing(d);
    limit!(d, m, !flashing, dz!("5.14.2", Limit), "閃光を持つユニットの移動がスタックにある");
    forbidden(d, who, m)
}

/// 3.8.2, 3.8.3, 3.8.4, 4.3.4.
fn in_time(d: &mut Duel, who: Seat, m: &Move, timing: Word, cite: &'static Cite) -> Allowed {
    let fighting = !d.t.context().fights.is_empty();
    match timing.as_str() {
        "バトル" => {
            limit!(d, m, !fighting || d.on(dz!("3.8.4", Meaning)), dz!("3.8.3", Limit), "バトル中は行えない");
            if fighting {
                d.trace.reach(dz!("3.8.4", Meaning));
            }
            Ok(())
        }
        "クイック" => {
            limit!(d, m, !fighting, dz!("3.8.3", Limit), "バトル中はタイミングがクイックの行動をとれない");
            Ok(())
        }
        _ => {
            limit!(d, m, who == d.t.active, cite, "自分のメインフェイズではない");
            limit!(d, m, !fighting, dz!("3.8.2", Limit), "バトル中はタイミングがノーマルの行動をとれない");
            limit!(d, m, d.t.context().pile.is_empty(), dz!("3.8.2", Limit), "スタックが空ではない");
            Ok(())
        }
    }
}

/// Squares where the card could go, and the ways of playing it there.
fn places_to_play(d: &mut Duel, who: Seat, card: Ref) -> Vec<(Option<ZoneId>, Word)> {
    let seen = d.seen(card);
    let class = at::CLASS;
    let is = |word: &str| seen.words(class).iter().any(|w| *w == word);
    if is("ユニット") {
        let mut found: Vec<(Option<ZoneId>, Word)> = Vec::with_capacity(15);
        // Where nobody calls, no square needs to be asked about.
        let called = keywords::any_caller(d, who) || !d.on(dz!("5.3.2", Limit));
        for z in battle_squares() {
            let (_, y) = seen_from(z, who);
            if y < 3 {
                found.push((Some(z), Word("")));
            }
            if called {
                found.push((Some(z), Word("召集")));
            }
        }
        if seen.has("隊列召喚") {
            for z in battle_squares() {
                found.push((Some(z), Word("隊列召喚")));
                if !d.on(dz!("5.3.2-2", Limit)) {
                    found.push((Some(z), Word("召集と隊列召喚")));
                }
                if !d.on(dz!("5.8.3", Limit)) {
                    found.push((Some(z), Word("隊列召喚と召集")));
                }
            }
        }
        found
    } else if is("ベース") {
        squares().filter(|z| is_base_square(*z, who)).map(|z| (Some(z), Word(""))).collect()
    } else {
        vec![(None, Word(""))]
    }
}

/// 2.20.1-2, 2.20.2-2, 5.3.2, 5.8.2: the square, and the targets of a strategy.
fn may_go(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let card = m.card.expect("a card is played");
    let seen = d.seen(card);
    let class = at::CLASS;
    let is = |word: &str| seen.words(class).iter().any(|w| *w == word);
    if is("ユニット") {
        let Some(to) = m.to.filter(|z| is_battle_square(*z)) else {
            return refusal(m, dz!("2.20.1-2", Limit), "バトルスペースのスクエアを指定していない");
        };
        let occupied = any_of(d, to, "ユニット", Some(who));
        match m.way.as_str() {
            "" => {
                let (_, y) = seen_from(to, who);
                limit!(d, m, !occupied, dz!("2.20.1-2", Limit), "自分のユニットのあるスクエアは指定できない");
                limit!(d, m, y == 1 || y == 2, dz!("2.20.1-2", Limit), "自軍エリアでも中央エリアでもない");
            }
            "召集" => {
                let callers = keywords::callers(d, who, to);
                limit!(d, m, !callers.is_empty(), dz!("5.3.2", Limit), "召集の条件を満たすスクエアではない");
                let anyone = any_of(d, to, "ユニット", None);
                limit!(d, m, !anyone, dz!("5.3.2", Limit), "ユニットのあるスクエアには召集でプレイできない");
            }
            "隊列召喚" => {
                limit!(
                    d,
                    m,
                    keywords::formation(d, who, card, to),
                    dz!("5.8.2", Limit),
                    "隊列召喚の配置を満たしていない"
                );
                limit!(d, m, !occupied, dz!("2.20.1-2", Limit), "自分のユニットのあるスクエアは指定できない");
            }
            // 5.3.2-2, 5.8.3: one special way of playing excludes the others.
            way @ ("召集と隊列召喚" | "隊列召喚と召集") => {
                let cite = if way.starts_with("召集") { dz!("5.3.2-2", Limit) } else { dz!("5.8.3", Limit) };
                limit!(d, m, false, cite, "特殊なプレイ方法は同時に適用できない");
                let both = !keywords::callers(d, who, to).is_empty() && keywords::formation(d, who, card, to);
                limit!(d, m, both, dz!("5.8.2", Limit), "召集と隊列召喚の両方の条件を満たしていない");
            }
            _ => return refusal(m, dz!("4.7.2-1", Frame), "そのようなプレイ方法はない"),
        }
    } else if is("ベース") {
        let Some(to) = m.to.filter(|z| is_base_square(*z, who)) else {
            return refusal(m, dz!("2.20.2-2", Limit), "自分のベーススペースのスクエアを指定していない");
        };
        let own = any_of(d, to, "ベース", Some(who));
        limit!(d, m, !own, dz!("2.20.2-2", Limit), "自分のベースのあるスクエアは指定できない");
    }
    if is("ストラテジー") {
        let effects = |a: &&Arc<Ability>| a.kind == Kind::Effect && a.keyword.is_none();
        let abilities: Vec<&Ability> = seen.abilities.iter().filter(effects).map(|a| &**a).collect();
        limit!(d, m, play::targets_exist(d, who, card, &abilities), dz!("4.7.2-5", Limit), "適正な対象を選べない");
    }
    Ok(())
}

/// 4.7.2-8: the price can be paid.
fn may_pay(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    limit!(d, m, play::affordable(d, who, m), dz!("4.7.2-8", Limit), "コストを支払えない");
    Ok(())
}

fn activatable(d: &mut Duel, who: Seat) -> Vec<(Ref, u8)> {
    let view = d.look();
    let mut found = Vec::new();
    let given = d.given;
    for &id in if view.gained { &given.holders.all } else { &given.holders.activated } {
        let seen = &view.cards[id.0 as usize];
        let obj = d.t.obj(id);
        let (zone, face_up) = (obj.zone, obj.face_up);
        let holder = if is_square(obj.zone) { seen.controller } else { obj.owner };
        if holder != who || !seen.kinds.activated {
            continue;
        }
        for (number, ability) in seen.abilities.iter().enumerate() {
            if ability.kind == Kind::Activated && d.works(seen, zone, face_up, ability) {
                found.push((d.t.now(id), number as u8));
            }
        }
    }
    found
}

/// 4.3: an activated ability.
fn activate(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let Some(card) = m.card else { return refusal(m, dz!("4.3.1", Frame), "カードを指定していない") };
    limit!(d, m, d.t.phase == "メインフェイズ", dz!("3.8.1", Limit), "メインフェイズではない");
    let seen = d.seen(card);
    let number = m.ability.unwrap_or(0) as usize;
    let Some(ability) = seen.abilities.get(number).filter(|a| a.kind == Kind::Activated).cloned() else {
        return refusal(m, dz!("4.3.1", Frame), "起動型能力ではない");
    };
    let obj = d.t.obj(card.id);
    let holder = if is_square(obj.zone) { seen.controller } else { obj.owner };
    limit!(d, m, holder == who, dz!("4.3.2", Limit), "そのカードの支配者ではない");
    let (zone, face_up) = (obj.zone, obj.face_up);
    if !d.works(&seen, zone, face_up, &ability) {
        let cite = super::text::elsewhere(&seen, &ability);
        return refusal(m, cite, "そのゾーンではテキストが有効でない");
    }
    in_time(d, who, m, ability.timing.unwrap_or(Word("ノーマル")), dz!("4.3.4", Limit))?;
    forbidden(d, who, m)?;
    limit!(d, m, !d.is_used_up(card, who, &ability), dz!("4.2.1", Limit), "1ターンに使える回数を使い切った");
    limit!(d, m, play::targets_exist(d, who, card, &[&ability]), dz!("4.7.2-5", Limit), "適正な対象を選べない");
    may_pay(d, who, m)
}

/// 3.8.2-3, 3.8.2-4, 2.23.3-6.
fn plan(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    limit!(d, m, d.t.phase == "メインフェイズ", dz!("3.8.2", Limit), "メインフェイズではない");
    in_time(d, who, m, Word("ノーマル"), dz!("3.8.2", Limit))?;
    let exists = super::others::plan_card(d, who).is_some();
    if m.verb == "プラン作成" {
        limit!(d, m, !exists, dz!("2.23.3-6", Limit), "プランゾーンにカードがある");
    } else {
        limit!(d, m, exists, dz!("3.8.2-4", Limit), "プランゾーンにカードがない");
    }
    forbidden(d, who, m)?;
    let cost = Cost::colourless(1);
    limit!(d, m, pay::payable(d, who, &cost), dz!("4.7.2-8", Limit), "コストを支払えない");
    Ok(())
}

/// 3.8.2-6, 4.7.3-1: a released unit to an adjacent battle square without another unit of the player.
fn may_move(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let (Some(card), Some(to)) = (m.card, m.to) else {
        return refusal(m, dz!("4.7.3-1", Frame), "ユニットと移動先を指定していない");
    };
    limit!(d, m, d.t.phase == "メインフェイズ", dz!("3.8.2", Limit), "メインフェイズではない");
    in_time(d, who, m, Word("ノーマル"), dz!("3.8.2", Limit))?;
    limit!(d, m, has_unit(d, who, card), dz!("4.7.3-1", Limit), "自分の支配するユニットではない");
    limit!(d, m, !d.t.obj(card.id).turned(), dz!("4.7.3-1", Limit), "リリース状態ではない");
    let next_to = related(&d.t, Word("隣接"), d.t.obj(card.id).zone, to, who);
    limit!(d, m, next_to && is_battle_square(to), dz!("3.8.2-6", Limit), "隣接するバトルスペースのスクエアではない");
    let view = d.look();
    let occupied = d.t.zone(to).iter().any(|id| *id != card.id && is_unit(&d.t, &view, *id, who));
    limit!(d, m, !occupied, dz!("4.7.3-1", Limit), "移動先に自分の別のユニットがある");
    forbidden(d, who, m)
}

/// 4.7.3-4.
fn may_pay_move(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    limit!(d, m, play::affordable(d, who, m), dz!("4.7.3-4", Limit), "移動コストを支払えない");
    Ok(())
}

/// Carries out an act that was found legal.
pub fn carry_out(d: &mut Duel, who: Seat, m: &Move) -> Flow {
    match m.verb.as_str() {
        "エネルギー" => d.step(dz!("3.7.1"), |d| {
            let card = m.card.expect("a card is chosen");
            *d.aside().seat(who, ENERGY) += 1;
            let event = d.moving(card, zone(Own::Energy, who)).seat(who);
            d.propose_one(event).map(|_| ())
        }),
        "スマッシュ" => d.step(dz!("3.9.1"), |d| carry_smash(d, who, m.card.expect("a unit is chosen"))),
        _ => play::play(d, who, m),
    }
}

/// 3.9.1 (1), (2): freeze the unit; the opponent puts as many cards as its smash, one more in the enemy area.
fn carry_smash(d: &mut Duel, who: Seat, unit: Ref) -> Flow {
    let (_, y) = seen_from(d.t.obj(unit.id).zone, who);
    let smash = at::SMASH;
    if !d.turn(&[unit], Word("フリーズ"), Cause { seat: Some(who), ..Cause::RULE })? {
        return Ok(());
    }
    let printed = d.seen(unit).number(smash).unwrap_or(0);
    let mut n = printed;
    if n < 0 && d.applies(dz!("1.2.2", Meaning), |_| format!("スマッシュ{printed}は0として扱う")) {
        n = 0;
    }
    if y == 3 && d.applies(dz!("3.9.1-2", Meaning), |_| "敵軍エリアなのでスマッシュ＋1枚".into()) {
        n += 1;
    } else if y == 2 {
        d.trace.reach(dz!("3.9.1-1", Frame));
    }
    let mut event = Event::about(Word("スマッシュ"), unit).seat(who);
    event.amount = n;
    d.happen(vec![event])?;
    if n < 0 {
        // Without 1.2.2 cards would flow back; that is the plain meaning of a negative number.
        return put_back(d, who.other(), -n);
    }
    super::others::put_smash(d, who.other(), n, Cause { means: Means::Rule, card: Some(unit), seat: Some(who) })
        .map(|_| ())
}

fn put_back(d: &mut Duel, seat: Seat, n: i32) -> Flow {
    let cards: Vec<Thing> = d.t.zone(zone(Own::Smash, seat)).iter().map(|id| Thing::Card(d.t.now(*id))).collect();
    let n = (n as usize).min(cards.len());
    let chosen = d.pick(Question::new(seat, Word("戻すカード"), Asks::Choose { of: cards, min: n, max: n }))?;
    let deck = zone(Own::Deck, seat);
    for thing in chosen {
        let Thing::Card(card) = thing else { continue };
        let mut event = d.moving(card, deck);
        event.what = What::Move { to: deck, bottom: false, state: 0, face_up: false, controller: None, host: None };
        d.happen(vec![event])?;
    }
    Ok(())
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
