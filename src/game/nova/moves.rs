//! 109–112, 202–205, 703, 801.3: what a player may do, and by which clause not.

use std::sync::Arc;

use super::places::{field, from_character_deck, has_kind, is_field, is_kind, named, zone};
use super::schema::{CHARACTERS, LEVEL, NEEDED, NEXT_LOWER, RANK, RESTRICTED, at};
use super::text::{has, number_of, would};
use super::{battle, bill, deck, energy, level, pay, play, say};
use crate::card::{Ability, Change, Cond, Kind, Part, Parts, Step, Target, Word};
use crate::kernel::steps::{Frame, done_with};
use crate::kernel::verb::{Allowed, Limit, Verb, card, each, no};
use crate::kernel::{Cause, Cite, Ctx, Duel, Event, Flow, Means, Move, Ref, Seat, Seen, Slots, Thing, Use, User};
use crate::limit;

pub static VERBS: &[Verb] = &[
    Verb::new("プレイ", playable, &[WITH_A_CARD, &[Limit::clauses(may_play)]], |d, who, m| {
        play::card(d, who, card(m), m.way).map(|()| true)
    }),
    Verb::new("セット", settable, &[WITH_A_CARD, &[Limit::clauses(energy::may_set)]], |d, who, m| {
        energy::set(d, who, card(m)).map(|()| true)
    }),
    Verb::new("エナジー", producers, &[WITH_A_CARD, &[Limit::clauses(energy::may_produce)]], |d, who, m| {
        energy::produce(d, who, card(m), None).map(|_| true)
    }),
    Verb::new("起動", activatable, &[WITH_A_CARD, &[Limit::clauses(activate)]], |d, who, m| {
        play::activate(d, who, m).map(|()| true)
    }),
    // These are offered and carried out where their step asks for them.
    Verb::new("攻撃", nothing, &[WITH_A_CARD, &[Limit::clauses(battle::may_attack)]], elsewhere),
    Verb::new("防御", nothing, &[WITH_A_CARD, &[Limit::clauses(battle::may_defend)]], elsewhere),
    Verb::new("デッキ", nothing, &[&[Limit::clauses(deck::may_bring)]], elsewhere),
];

static WITH_A_CARD: &[Limit] =
    &[Limit::card(nova!("804.2.1", Frame), "カードを指定していない", |_, _, m| m.card.is_some())];

fn nothing(_: &mut Duel, _: Seat) -> Vec<Move> {
    Vec::new()
}

fn elsewhere(_: &mut Duel, _: Seat, _: &Move) -> Flow<bool> {
    Ok(false)
}

fn cards(d: &Duel, who: Seat, name: &str) -> Vec<Ref> {
    d.t.zone(zone(name, who)).iter().map(|id| d.t.now(*id)).collect()
}

fn playable(d: &mut Duel, who: Seat) -> Vec<Move> {
    let all = [cards(d, who, "手札"), cards(d, who, "キャラデッキ"), allowed_elsewhere(d)].concat();
    all.into_iter().flat_map(|card| ways(d, card)).collect()
}

fn settable(d: &mut Duel, who: Seat) -> Vec<Move> {
    each("セット", cards(d, who, "手札"))
}

fn producers(d: &mut Duel, who: Seat) -> Vec<Move> {
    each("エナジー", cards(d, who, "エナジーゾーン"))
}

/// Playing a card, in every way in which it can be paid for (902.9).
fn ways(d: &mut Duel, card: Ref) -> Vec<Move> {
    let plain = Move::of(Word("プレイ"), card);
    let others: Vec<Move> = play::alternatives(d, card).into_iter().map(|(way, _)| Move { way, ..plain }).collect();
    [vec![plain], others].concat()
}

/// Cards that a text lets be played from where they are.
fn allowed_elsewhere(d: &mut Duel) -> Vec<Ref> {
    let view = d.look();
    let told = view.rules.iter().filter(|r| matches!(r.change, Change::PlayFrom(_)));
    let mut found: Vec<Ref> = told.filter_map(|r| r.on).map(|id| d.t.now(id)).collect();
    found.dedup();
    found.retain(|r| !named(d.t.obj(r.id).zone, "手札") && !named(d.t.obj(r.id).zone, "キャラデッキ"));
    found
}

/// A text lets the card be played from where it is.
fn told_from(d: &mut Duel, who: Seat, card: Ref) -> bool {
    let view = d.look();
    let (place, face_up) = (d.t.obj(card.id).zone, d.t.obj(card.id).face_up);
    d.t.obj(card.id).owner == who
        && view
            .rules
            .iter()
            .filter(|r| r.on == Some(card.id))
            .any(|r| matches!(&r.change, Change::PlayFrom(from) if super::places::inside(place, face_up, *from)))
}

fn activatable(d: &mut Duel, _: Seat) -> Vec<Move> {
    let view = d.look();
    let mut found = Vec::new();
    let given = d.given;
    for &id in view.among(&given.holders.activated).iter() {
        let (card, seen) = (d.t.now(id), &view.cards[id.0 as usize]);
        let own = seen.abilities.iter().enumerate().filter(|(_, a)| a.kind == Kind::Activated).map(|(i, _)| i);
        let borrowed = if seen.has("受信") { borrowed(d, card).len() } else { 0 };
        for i in own.chain(seen.abilities.len()..seen.abilities.len() + borrowed) {
            found.push(Move { ability: Some(i as u8), ..Move::of(Word("起動"), card) });
        }
    }
    found
}

/// 1009.2: the activated abilities of one's other cards with 受信, for a card that has it and one of its own.
fn borrowed(d: &mut Duel, card: Ref) -> Vec<(Arc<Ability>, Ref)> {
    let view = d.look();
    let of = |r: Ref| view.cards[r.id.0 as usize].clone();
    let seen = of(card);
    let able = has(&seen, "受信") && seen.abilities.iter().any(|a| a.kind == Kind::Activated);
    if !able || !is_field(d.t.obj(card.id).zone) || !d.on(nova!("1009.2", Meaning)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for other in field(d).into_iter().filter(|r| *r != card) {
        let theirs = of(other);
        if theirs.controller != seen.controller || !has(&theirs, "受信") {
            continue;
        }
        let (place, face_up) = (d.t.obj(other.id).zone, d.t.obj(other.id).face_up);
        for ability in theirs.abilities.iter().filter(|a| a.kind == Kind::Activated) {
            if d.works(&theirs, place, face_up, ability) {
                found.push((ability.clone(), other));
            }
        }
    }
    found
}

/// The ability at that place, and the card that has it: the card's own, then those it may play by 受信.
pub fn ability_of(d: &mut Duel, card: Ref, number: usize) -> Option<(Arc<Ability>, Ref)> {
    let seen = d.seen(card);
    if let Some(own) = seen.abilities.get(number) {
        return (own.kind == Kind::Activated).then(|| (own.clone(), card));
    }
    borrowed(d, card).get(number - seen.abilities.len()).cloned()
}

/// The number of the first activated ability of the card's own.
pub fn first_activated(d: &mut Duel, card: Ref) -> Option<u8> {
    let abilities = d.seen(card).abilities.clone();
    abilities.iter().position(|a| a.kind == Kind::Activated).and_then(|at| u8::try_from(at).ok())
}

/// 1009.3: the card has played an ability that is good for one use a turn.
pub fn spent(card: Ref) -> Use {
    Use { user: User::Card(card), what: 0, act: Word("受信"), lasts: crate::kernel::limit::TURN }
}

/// 004.2: what a text forbids cannot be done.
fn allowed(d: &mut Duel, who: Seat, m: &Move, name: &'static str) -> Allowed {
    let event = would(Word(name), m.card, who);
    limit!(d, !d.forbidden(&event), nova!("004.2", Limit), "「できない」とする効果がある");
    Ok(())
}

/// What the clauses say of one kind of card: when 瞬唱 lets it be played, when else, and that it may be in a main phase.
struct Playing {
    flash: &'static Cite,
    when: &'static Cite,
    may: &'static Cite,
}

fn playing(seen: &Seen) -> Playing {
    let of = |flash, when, may| Playing { flash, when, may };
    if has_kind(seen, "キャラクター") {
        of(nova!("202.1.1", Limit), nova!("202.1", Limit), nova!("703.2.4", Limit))
    } else if has_kind(seen, "サーバント") {
        of(nova!("203.1.1", Limit), nova!("203.1", Limit), nova!("703.2.1", Limit))
    } else if has_kind(seen, "スペル") {
        of(nova!("204.1.1", Limit), nova!("204.1", Limit), nova!("703.2.2", Limit))
    } else {
        of(nova!("205.1.1", Limit), nova!("205.1", Limit), nova!("703.2.3", Limit))
    }
}

/// In one's own main phase.
fn in_main(d: &Duel, who: Seat) -> bool {
    who == d.t.active && matches!(d.t.phase.as_str(), "第1メインフェイズ" | "第2メインフェイズ")
}

/// 703.1.2, 703.2: 瞬唱 whenever one has priority; else in one's own main phase with nothing waiting.
fn timing(d: &mut Duel, who: Seat, card: Ref) -> Allowed {
    let seen = d.seen(card);
    let clauses = playing(&seen);
    if has(&seen, "瞬唱") && say(d, [nova!("1002.2", Meaning), nova!("703.1.2", Limit), clauses.flash]) {
        return Ok(());
    }
    let main = in_main(d, who) || !say(d, [clauses.when]);
    limit!(d, main, nova!("703.2", Limit), "自分のメインフェイズではない");
    limit!(d, d.t.context().pile.is_empty(), nova!("703.2", Limit), "待機領域にカードや能力がある");
    if in_main(d, who) && !say(d, [clauses.may]) {
        return no(nova!("703.2", Limit), "メインフェイズにできる行動ではない");
    }
    Ok(())
}

/// 202.1, 203.1, 204.1, 205.1: from the hand, characters from the character deck.
fn may_play(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let card = card(m);
    let seen = d.seen(card);
    let character = has_kind(&seen, "キャラクター");
    let place = d.t.obj(card.id).zone;
    let told = told_from(d, who, card) && say(d, [nova!("004.1", Limit)]);
    if told {
        // 004.1: the text says where it is played from.
    } else if character {
        limit!(d, place == zone("キャラデッキ", who), nova!("202.1", Limit), "自分のキャラデッキのカードではない");
    } else {
        let there = place == zone("手札", who) || !say(d, [playing(&seen).when]);
        limit!(d, there, nova!("903.1", Limit), "自分の手札のカードではない");
    }
    let known = ["サーバント", "スペル", "マジックアイテム", "キャラクター"].iter().any(|k| has_kind(&seen, k));
    if !known {
        return no(nova!("201.1", Frame), "プレイできる種類ではない");
    }
    timing(d, who, card)?;
    if character {
        may_appear(d, who, card)?;
    }
    allowed(d, who, m, "プレイ")?;
    may_wait(d, who, m)?;
    for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Effect) {
        skipped(d, ability)?;
    }
    for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Effect) {
        targets(d, who, card, ability)?;
    }
    if has(&seen, "装備") {
        let fits = !play::bearers(d, who, card).is_empty();
        limit!(d, fits, nova!("205.2", Limit), "装備する対象がない");
    }
    let mut parts = play::demanded(&play::extra(d, card));
    let mut owed = play::least(d, who, card);
    // 902.9.1: the player need not pay in another way.
    if m.way.is_empty() && !play::alternatives(d, card).is_empty() && !say(d, [nova!("902.9.1", Limit)]) {
        return no(nova!("902.9", Meaning), "代替コストを支払う");
    }
    if !m.way.is_empty() {
        d.trace.reach(nova!("902.9.2.1", Frame));
        let Some((_, steps)) = play::alternatives(d, card).into_iter().find(|(name, _)| *name == m.way) else {
            let cite = if d.on(nova!("902.9.2", Limit)) { nova!("902.9.2", Limit) } else { nova!("902.9", Meaning) };
            return no(cite, "支払えるのは、カードにある代替コストのどれか1つだけ");
        };
        parts.extend(steps);
        owed = play::price(d, card, m.way);
    }
    limit!(d, pay::payable(d, who, &owed, &[]), nova!("902.3", Limit), "エナジーコストを支払えない");
    let able = could_pay(d, who, card, &parts, true);
    if !able {
        let why = unpayable(d, who, card, &parts);
        let plain = if character { nova!("112.1", Limit) } else { why.unwrap_or(nova!("804.2.4", Limit)) };
        limit!(d, false, plain, "コストを支払えない");
    }
    Ok(())
}

/// What an effect tells a player to play need not lie in the hand, nor wait for a main phase; all else is as ever.
pub fn may_play_by_effect(d: &mut Duel, who: Seat, card: Ref, free: bool) -> bool {
    let m = &Move::of(Word("プレイ"), card);
    let seen = d.seen(card);
    if has_kind(&seen, "キャラクター") && may_appear(d, who, card).is_err() {
        return false;
    }
    let owed = if free { Vec::new() } else { play::least(d, who, card) };
    let parts = play::demanded(&play::extra(d, card));
    let fits = !has(&seen, "装備") || !play::bearers(d, who, card).is_empty();
    let effects: Vec<Arc<Ability>> = seen.abilities.iter().filter(|a| a.kind == Kind::Effect).cloned().collect();
    fits && allowed(d, who, m, "プレイ").is_ok()
        && may_wait(d, who, m).is_ok()
        && effects.iter().all(|a| skipped(d, a).is_ok() && targets(d, who, card, a).is_ok())
        && pay::payable(d, who, &owed, &[])
        && could_pay(d, who, card, &parts, true)
}

/// 912.1, 912.2: something that waits keeps everything but automatic abilities from being put there.
fn may_wait(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let bars = |c: &Change| matches!(c, Change::Forbid(p) if p.event == "待機領域に置く");
    let waiting = d.t.context().pile.iter().any(|i| i.ability.as_ref().is_some_and(|a| a.grant.iter().any(bars)));
    let barred = waiting || d.forbidden(&would(Word("待機領域に置く"), m.card, who));
    limit!(d, !barred, nova!("912.2", Limit), "待機領域に置くことができない");
    Ok(())
}

/// 109.2, 109.4.1, 110.2, 111.1, 202.2, 202.3, 804.2.1.1, 804.2.1.2: what a character needs.
fn may_appear(d: &mut Duel, who: Seat, card: Ref) -> Allowed {
    let seen = d.seen(card);
    let done = d.t.seats[who.index()][CHARACTERS];
    limit!(d, done < 1, nova!("202.2", Limit), "このターンはもうキャラクターをプレイした");
    let printed = match d.card(card).data.get(&Word(RANK)) {
        Some(crate::card::Datum::Number(n)) => *n,
        _ => 0,
    };
    let now = (seen.number(at(RANK)).unwrap_or(0) - d.t.seats[who.index()][NEXT_LOWER]).max(0);
    // 109.2.1: as effects have lowered it.
    let rank = if now < printed && !say(d, [nova!("109.2.1", Limit)]) { printed } else { now };
    let most = d.t.seats[who.index()][LEVEL].saturating_add(number_of(d, who, "リミットレベル"));
    limit!(d, rank <= most, nova!("109.2", Limit), "キャラクターレベルがリミットレベルを超えている");
    let within =
        used_levels(d, who).saturating_add(rank) <= 10 || !say(d, [nova!("109.4", Limit), nova!("804.2.1.1", Limit)]);
    limit!(d, within, nova!("109.4.1", Limit), "使用したキャラクターのレベルの合計が11以上になる");
    let twin = same_name_on_field(d, who, card) && say(d, [nova!("804.2.1.2", Limit)]);
    limit!(d, !twin, nova!("202.3", Limit), "同名のキャラクターが自分の場にある");
    if let Some(price) = seen.price(at(NEEDED)).cloned() {
        let needs = price.filled(|_| 0);
        limit!(d, energy::meets(d, who, &needs), nova!("110.2", Limit), "必要エナジーを満たしていない");
    }
    for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Effect) {
        let holds = ability.cond.as_ref().is_none_or(|c| holds(d, card, who, c));
        limit!(d, holds, nova!("111.1", Limit), "登場条件を満たしていない");
    }
    Ok(())
}

fn holds(d: &mut Duel, card: Ref, seat: Seat, cond: &Cond) -> bool {
    let slots = Slots::default();
    let ctx = Ctx { this: Some(card), seat, slots: &slots, event: None };
    d.see(|eyes| eyes.holds(&ctx, cond))
}

/// 109.3, reading C15: the levels of the characters one has used.
pub fn used_levels(d: &mut Duel, who: Seat) -> i32 {
    let gone_only = d.reading(nova!("C15", Reading), "a") == "b";
    d.trace.reach(nova!("109.3", Frame));
    let mut sum = 0;
    for id in d.t.ids().collect::<Vec<_>>() {
        let (owner, place) = (d.t.obj(id).owner, d.t.obj(id).zone);
        let card = d.t.now(id);
        let used = named(place, "退場キャラ置き場") && owner == who
            || !gone_only && is_field(place) && (owner == who || d.t.obj(id).controller == who);
        if used && from_character_deck(d, card) {
            sum += d.seen(card).number(at(RANK)).unwrap_or(0).max(0);
        }
    }
    sum
}

pub fn same_name_on_field(d: &mut Duel, who: Seat, card: Ref) -> bool {
    let names = d.seen(card).names.clone();
    let field: Vec<Ref> = d.t.zone(zone("場", who)).iter().map(|id| d.t.now(*id)).collect();
    field.into_iter().any(|r| {
        let seen = d.seen(r);
        has_kind(&seen, "キャラクター") && seen.names.iter().any(|n| names.contains(n))
    })
}

/// 401.3.1: what names a phase that is skipped this turn cannot be declared.
fn skipped(d: &mut Duel, ability: &Ability) -> Allowed {
    for (phase, seat) in d.t.agenda.clone() {
        if seat != d.t.active || !phase.ends_with("フェイズ") {
            continue;
        }
        let named = ability.has_part(|part| match part {
            Part::Pattern(pattern) => pattern.event.starts_with(phase.as_str()),
            Part::Cond(Cond::During(when)) => *when == phase || phase == "アタックフェイズ" && battle::is_step(when),
            Part::Step(Step::Act { name, .. }) => name.contains(phase.as_str()),
            Part::Until(until) => until.starts_with(phase.as_str()),
            _ => false,
        });
        limit!(d, !named, nova!("401.3.1", Limit), "スキップされるフェイズを指定している");
    }
    Ok(())
}

/// Whose use locks the ability again (801.3.5.1.1), reading C30.
pub fn lock(d: &mut Duel, who: Seat, card: Ref, ability: &Ability) -> Use {
    let by_name = d.reading(nova!("C30", Reading), "a") == "b";
    let user = if by_name { User::Name(who, d.seen(card).name()) } else { User::Card(card) };
    Use { user, what: ability.id, act: Word("待機"), lasts: Word("待機領域") }
}

/// 801.3.5, 801.3.8, 801.3.11, 703.1.1: an activated ability of one's own card.
fn activate(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let card = card(m);
    let seen = d.seen(card);
    let number = m.ability.unwrap_or(0) as usize;
    let Some((ability, holder_of)) = ability_of(d, card, number) else {
        // 1009.2: the ability of another card of one's own, in place of one that the card has itself.
        let bare = number >= seen.abilities.len() && has(&seen, "受信");
        limit!(d, !bare, nova!("1009.2", Limit), "受信でプレイできる起動能力ではない");
        return no(nova!("801.3.1", Frame), "起動能力ではない");
    };
    limit!(d, !seen.muted, nova!("928.2", Limit), "呪縛状態なので能力は無効である");
    let (place, face_up) = (d.t.obj(card.id).zone, d.t.obj(card.id).face_up);
    let holder = if is_field(place) { seen.controller } else { d.t.obj(card.id).owner };
    // 801.3.4: unless the text says who.
    let may = match ability.timing.map(Word::as_str) {
        Some("どちらのプレイヤーも起動できる") => true,
        Some("相手だけが起動できる") => holder != who,
        _ => holder == who,
    };
    limit!(d, may, nova!("801.3.5", Limit), "その能力を起動できるプレイヤーではない");
    // 703.1.1: in any phase of any turn.
    let quiet = in_main(d, who) && d.t.context().pile.is_empty();
    if !quiet && !say(d, [nova!("703.1", Limit), nova!("703.1.1", Limit)]) {
        return no(nova!("703.2", Limit), "自分のメインフェイズではない");
    }
    if !face_up && named(place, "エナジーゾーン") && !say(d, [nova!("310.7", Limit)]) {
        return no(nova!("310.10", Meaning), "裏向きのカードは情報を持たない");
    }
    if holder_of == card && !d.works(&seen, place, face_up, &ability) {
        let cite = super::text::elsewhere(&ability);
        return no(cite, "その能力は有効でない");
    }
    let valid = ability.cond.as_ref().is_none_or(|c| holds(d, card, who, c));
    limit!(d, valid, nova!("803.1.4", Limit), "有効になる条件を満たしていない");
    let used = d.is_used_up(card, who, &ability);
    if used {
        // 801.3.8.1, 801.3.8.2: the count goes with the card and that ability of it.
        d.trace.reach(nova!("801.3.8.1", Frame));
        d.trace.reach(nova!("801.3.8.2", Frame));
    }
    limit!(d, !used, nova!("801.3.8", Limit), "起動できる回数を使い切っている");
    if has(&seen, "受信") {
        limit!(d, d.uses(&spent(card)) == 0, nova!("1009.3", Limit), "1ターンに1度の能力を起動したカードである");
    }
    let energy = energy::is_activated(d, &ability);
    if !energy {
        may_wait(d, who, m)?;
        let lock = lock(d, who, holder_of, &ability);
        limit!(d, d.uses(&lock) == 0, nova!("801.3.5.1.1", Limit), "待機領域が空になるまで同じ能力は起動できない");
    }
    let becomes = |s: &Step| matches!(s, Step::Grant { what: Some(w), changes, .. } if *w == "this" && changes.iter().any(serves));
    if ability.steps.iter().chain(&ability.cost).any(becomes) {
        let again = is_kind(d, card, "サーバント") && say(d, [nova!("929.3", Limit)]);
        limit!(d, !again, nova!("801.3.10", Limit), "すでにサーバントとして扱われている");
    }
    if freezes_itself(&ability) && is_kind(d, card, "サーバント") && is_field(place) {
        let free = d.t.obj(card.id).facts[RESTRICTED] == 0 || swift(d, card);
        limit!(d, free, nova!("203.4", Limit), "行動制限がある");
    }
    let barred = d.forbidden(&would(Word("起動"), m.card, who));
    limit!(d, !barred, nova!("801.3.8", Limit), "起動できないとする効果がある");
    skipped(d, &ability)?;
    chooses(d, who, card, &ability, energy)?;
    let itself = |s: &Step| matches!(s, Step::Move { what: Some(w), to, .. } if *w == "this" && *to == "場");
    let full = from_character_deck(d, card) && ability.steps.iter().any(itself) && one_too_many(d, card);
    limit!(d, !full, nova!("109.4.1", Limit), "使用したキャラクターのレベルの合計が11以上になる");
    let stays = stays(d, who, card, None, &Slots::default(), &ability);
    limit!(d, !stays, nova!("802.1.3.6", Limit), "移動先が今ある領域と同じになる");
    let (owed, parts) = play::asked_for(d, card, &ability);
    let own: Vec<Ref> = if freezes_itself(&ability) { vec![card] } else { Vec::new() };
    limit!(d, pay::payable(d, who, &owed, &own), nova!("902.3", Limit), "エナジーを支払えない");
    if !could_pay(d, who, card, &parts, false) {
        let why = unpayable(d, who, card, &parts).unwrap_or(nova!("804.2.4", Limit));
        limit!(d, false, why, "起動コストを支払えない");
    }
    Ok(())
}

/// 804.2.2.1: what must be chosen to play it is there.
fn targets(d: &mut Duel, who: Seat, card: Ref, ability: &Ability) -> Allowed {
    let frame = play::frame(who, card);
    let early = play::chosen_early(d, ability);
    for target in ability.target.iter().chain(&early).filter(|t| t.up_to.is_none() && !t.any_number) {
        let crate::card::Pool::Cards(_) = target.of else { continue };
        let (mut good, mut bad) = d.candidates_of(&frame, &target.of, true);
        if let Some(step) = done_with(target.slot, &ability.steps) {
            good.retain(|thing| match thing {
                Thing::Card(c) => match super::text::fit_for(d, *c, &step) {
                    Ok(()) => true,
                    Err(cite) => {
                        bad.push((*thing, cite));
                        false
                    }
                },
                _ => true,
            });
        }
        if good.is_empty() {
            let cite = bad.first().map_or(nova!("804.2.2.1"), |(_, cite)| cite);
            limit!(d, false, cite, "選べる対象がない");
        }
    }
    Ok(())
}

/// 902.1: what a text wants could be done as the cost that it is, of the card itself where that is played.
fn could_pay(d: &mut Duel, who: Seat, card: Ref, parts: &[Step], plays: bool) -> bool {
    let mut frame = play::frame(who, card);
    if plays {
        frame.slots = bill::playing(card);
    }
    frame.cause.means = Means::Cost;
    parts.is_empty() || d.could_come(|d| d.perform(&mut frame.clone(), parts))
}

/// By which clause the cards that a cost could be paid with will not do; 902.3: there is none.
fn unpayable(d: &mut Duel, who: Seat, card: Ref, cost: &[Step]) -> Option<&'static Cite> {
    let frame = play::frame(who, card);
    for (choice, next) in cost.iter().zip(cost.iter().skip(1)) {
        let (Step::Choose(target), Step::Move { what: Some(what), .. } | Step::Turn { what: Some(what), .. }) =
            (choice, next)
        else {
            continue;
        };
        if *what != target.slot {
            continue;
        }
        let (good, _) = d.candidates_of(&frame, &target.of, false);
        let (fit, barred) = d.candidates_of(&frame, &target.of, true);
        let book = d.book;
        if let (true, Some((_, cite))) = (fit.is_empty(), barred.first())
            && book.a_cost_targets(d)
        {
            return Some(cite);
        }
        let mut why = Some(nova!("902.3", Limit)).filter(|_| target.up_to.is_none() && !target.any_number);
        let mut fits = 0;
        for (at, thing) in good.into_iter().enumerate() {
            let Thing::Card(card) = thing else { continue };
            match super::text::fit_for(d, card, next) {
                Ok(()) => fits += 1,
                Err(cite) if at == 0 => why = Some(cite),
                Err(_) => {}
            }
        }
        let short = fits == 0 || d.how_many(&frame, target, fits, true).is_none();
        if short && why.is_some() {
            return why;
        }
    }
    // What the cost names without a choice.
    let mut frame = frame;
    frame.cause.means = Means::Cost;
    for step in cost {
        let (Step::Move { what, all, .. } | Step::Turn { what, all, .. }) = step else { continue };
        for card in d.meant(&frame, *what, all.as_ref()) {
            if let Err(cite) = super::text::fit_for(d, card, step) {
                return Some(cite);
            }
        }
    }
    None
}

/// 1003.2: 疾風 ignores the restriction.
pub fn swift(d: &mut Duel, card: Ref) -> bool {
    has(&d.seen(card), "疾風")
        && d.applies(nova!("1003.2", Meaning), |d| format!("{}は疾風により行動制限を無視する", d.card_name(card)))
}

/// 929.1: it makes a servant of the card.
pub fn serves(change: &crate::card::Change) -> bool {
    use crate::card::{Change, Datum};
    let servant = |d: &Datum| matches!(d, Datum::Words(words) if words.iter().any(|w| *w == "サーバント"));
    matches!(change, Change::Bear(data) if data.values().any(servant))
}

/// 904.3: the freeze icon.
fn freezes_itself(ability: &Ability) -> bool {
    let icon = |s: &Step| matches!(s, Step::Turn { what: Some(w), state, .. } if *w == "this" && *state == "フリーズ");
    ability.cost.iter().any(icon)
}

/// 801.3.11, 804.2.2.1, reading C11: there is something to choose.
fn chooses(d: &mut Duel, who: Seat, card: Ref, ability: &Ability, energy: bool) -> Allowed {
    if energy && d.reading(nova!("C11", Reading), "a") == "a" {
        return Ok(());
    }
    let frame = play::frame(who, card);
    let targets: Vec<_> = ability.target.iter().cloned().chain(to_choose(&ability.steps)).collect();
    let onto = |slot: Word| {
        let puts = |s: &&Step| matches!(s, Step::Move { what: Some(w), to, .. } if *w == slot && *to == "場");
        ability.steps.iter().find(puts).cloned()
    };
    for target in targets {
        if !matches!(target.of, crate::card::Pool::Cards(_) | crate::card::Pool::Items(_)) {
            continue;
        }
        let (mut good, mut bad) = d.candidates_of(&frame, &target.of, true);
        if let Some(step) = onto(target.slot).or_else(|| done_with(target.slot, after(&ability.steps, target.slot))) {
            for thing in std::mem::take(&mut good) {
                match if let Thing::Card(c) = thing { super::text::fit_for(d, c, &step) } else { Ok(()) } {
                    Ok(()) => good.push(thing),
                    Err(cite) => bad.push((thing, cite)),
                }
            }
        }
        if good.is_empty() {
            if let Some((_, cite)) = bad.first() {
                d.trace.reach(cite);
            }
            // 109.4.1: whatever is chosen, there would be too many levels.
            let full = !bad.is_empty() && bad.iter().all(|(_, cite)| cite.clause == "109.4.1");
            limit!(d, !full, nova!("109.4.1", Limit), "使用したキャラクターのレベルの合計が11以上になる");
            limit!(d, false, nova!("801.3.11", Limit), "選べる対象がない");
        }
    }
    Ok(())
}

/// 109.4.1: whatever it chooses to put onto the field, or itself, is one level too many.
pub fn all_too_many(d: &mut Duel, frame: &Frame, steps: &[Step]) -> bool {
    let puts = steps.iter().filter(|s| puts_onto_field(s));
    puts.cloned().collect::<Vec<_>>().into_iter().any(|step| {
        let Step::Move { what: Some(what), .. } = &step else { return false };
        let chosen = steps.iter().find_map(|s| match s {
            Step::Choose(target) if target.slot == *what => Some(target.of.clone()),
            _ => None,
        });
        let cards: Vec<Thing> = match (chosen, frame.this) {
            (Some(of), _) => d.candidates_of(frame, &of, true).0,
            (None, Some(this)) if *what == "this" => vec![Thing::Card(this)],
            _ => return false,
        };
        let full = |d: &mut Duel, thing: &Thing| match thing {
            Thing::Card(card) => super::text::fit_for(d, *card, &step).is_err_and(|cite| cite.clause == "109.4.1"),
            _ => false,
        };
        !cards.is_empty() && cards.iter().all(|thing| full(d, thing))
    })
}

pub fn puts_onto_field(step: &Step) -> bool {
    matches!(step, Step::Move { to, what: Some(_), .. } if *to == "場")
}

/// What a text does once it has chosen for the slot.
fn after(steps: &[Step], slot: Word) -> &[Step] {
    let at = steps.iter().position(|s| matches!(s, Step::Choose(target) if target.slot == slot));
    at.map_or(steps, |at| &steps[at + 1..])
}

/// What a text chooses from what is there when it is declared: nothing before it puts other cards there.
fn to_choose(steps: &[Step]) -> Vec<crate::card::Target> {
    let plain = |s: &&Step| {
        matches!(s, Step::Choose(_) | Step::Damage { .. } | Step::Grant { .. } | Step::Mark { .. } | Step::Act { .. })
            || matches!(s, Step::Draw { .. } | Step::Let { .. } | Step::Turn { .. })
    };
    let mut found: Vec<crate::card::Target> = Vec::new();
    let mut drawn = false;
    for step in steps.iter().take_while(|s| plain(s)) {
        drawn |= matches!(step, Step::Draw { .. });
        let Step::Choose(target) = step else { continue };
        let hidden = |place: &Word| *place == "手札" || *place == "デッキ";
        let open = !target.has_part(|part| matches!(part, Part::Filter(f) if f.within.iter().any(hidden)));
        // What speaks of an earlier choice is asked for then.
        let own = !found.iter().any(|earlier| target.speaks_of(earlier.slot));
        if own && (open || !drawn) {
            found.push(target.clone());
        }
    }
    found
}

/// 109.4.1: put onto the field by an effect, the character would be one level too many.
pub fn one_too_many(d: &mut Duel, card: Ref) -> bool {
    let owner = d.t.obj(card.id).owner;
    let counted = named(d.t.obj(card.id).zone, "退場キャラ置き場");
    let rank = if counted { 0 } else { d.seen(card).number(at(RANK)).unwrap_or(0).max(0) };
    used_levels(d, owner).saturating_add(rank) > 10
}

/// 109.4.1: under that player the character would be one level too many.
pub fn taken_too_many(d: &mut Duel, card: Ref, seat: Seat) -> bool {
    let rank = d.seen(card).number(at(RANK)).unwrap_or(0).max(0);
    from_character_deck(d, card) && d.t.obj(card.id).owner != seat && used_levels(d, seat).saturating_add(rank) > 10
}

/// 109.4.1: off the field the character would be one level too many, having lost what made it less (301.9).
pub fn retired_too_many(d: &mut Duel, card: Ref) -> bool {
    if !d.t.is_now(card) || !is_field(d.t.obj(card.id).zone) || !from_character_deck(d, card) {
        return false;
    }
    let owner = d.t.obj(card.id).owner;
    let now = d.seen(card).number(at(RANK)).unwrap_or(0).max(0);
    let then = level::off_the_field(d, card);
    then > now && used_levels(d, owner) - now + then > 10
}

/// 802.1.3.6: all cards that some part of the text moves would, because of a redirection, end where they already are.
/// `slots`: what the ability knows already.
pub fn stays(d: &mut Duel, seat: Seat, this: Ref, event: Option<&Event>, slots: &Slots, ability: &Ability) -> bool {
    let ctx = Ctx { this: Some(this), seat, slots, event };
    part_stays(d, &ctx, &[seat], &ability.target, &ability.steps)
}

/// For whoever the steps are told to: one player, or each of them.
fn part_stays(d: &mut Duel, ctx: &Ctx, seats: &[Seat], before: &[Target], steps: &[Step]) -> bool {
    let chosen: Vec<Target> = before.iter().cloned().chain(to_choose(steps)).collect();
    steps.iter().any(|step| match step {
        // 902.13: what 「そうしたなら」 looks back at is a cost, which then cannot be paid.
        Step::Move { slot: None, attach: None, .. } => {
            let goes: Vec<bool> =
                seats.iter().flat_map(|seat| goes(d, &Ctx { seat: *seat, ..*ctx }, &chosen, step)).collect();
            !goes.is_empty() && !goes.contains(&true)
        }
        Step::May { steps, then, otherwise, .. } if then.is_empty() && otherwise.is_empty() => {
            part_stays(d, ctx, seats, &chosen, steps)
        }
        Step::EachPlayer { choose, steps, .. } => part_stays(d, ctx, &Seat::BOTH, choose, steps),
        _ => false,
    })
}

/// Of each card that the step moves, or could move once it is chosen: whether it leaves where it is.
fn goes(d: &mut Duel, ctx: &Ctx, chosen: &[Target], step: &Step) -> Vec<bool> {
    let Step::Move { what, all, to, .. } = step else { return Vec::new() };
    let mut frame = play::frame(ctx.seat, ctx.this.expect("the card of the text"));
    frame.slots = ctx.slots.clone();
    frame.event = ctx.event.cloned().map(Arc::new);
    let pool = what.and_then(|word| chosen.iter().find(|target| target.slot == word)).map(|target| &target.of);
    let cards: Vec<Ref> = match (pool, what, all) {
        (Some(pool), ..) => {
            let things = d.candidates_of(&frame, pool, true).0;
            things.iter().filter_map(|thing| if let Thing::Card(card) = thing { Some(*card) } else { None }).collect()
        }
        (_, Some(word), _) => d.see(|eyes| eyes.subjects(ctx, *word)),
        (_, _, Some(filter)) => d.see(|eyes| eyes.select(ctx, filter)),
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for card in cards.into_iter().filter(|card| d.t.is_now(*card)).collect::<Vec<_>>() {
        let (here, owner) = (d.t.obj(card.id).zone, d.t.obj(card.id).owner);
        let Some(wanted) = d.book.home(*to, owner).filter(|zone| *zone != here) else { continue };
        let mut moving = d.moving(card, wanted).seat(ctx.seat);
        moving.cause = Cause { means: Means::Effect, card: ctx.this, seat: Some(ctx.seat) };
        found.push(d.would_go(&moving) != Some(here));
    }
    found
}
