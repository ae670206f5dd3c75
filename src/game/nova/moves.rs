//! 109–112, 202–205, 703, 801.3: what a player may do. Legality is written once: listing and refusing both go through
//! [`legal`].

use super::places::{from_character_deck, has_kind, is_field, is_kind, named, zone};
use super::schema::{CHARACTERS, LEVEL, NEEDED, RANK, RESTRICTED, at};
use super::text::{has, number_of, would};
use super::{battle, energy, pay, play};
use crate::card::{Ability, Cond, Kind, Step, Word};
use crate::kernel::{Cite, Ctx, Duel, Flow, Move, Ref, Refusal, Seat, Slots, Use, User};

/// Everything the player may do now, passing first.
pub fn moves(d: &mut Duel, who: Seat) -> Vec<Move> {
    let mut wanted: Vec<Move> = Vec::new();
    let cards = |d: &Duel, name: &str| d.t.zone(zone(name, who)).iter().map(|id| d.t.now(*id)).collect::<Vec<Ref>>();
    for card in cards(d, "手札") {
        wanted.push(Move::of(Word("プレイ"), card));
        wanted.push(Move::of(Word("セット"), card));
    }
    wanted.extend(cards(d, "キャラデッキ").into_iter().map(|c| Move::of(Word("プレイ"), c)));
    wanted.extend(cards(d, "エナジーゾーン").into_iter().map(|c| Move::of(Word("エナジー"), c)));
    wanted.extend(activatable(d));
    let mut found = vec![Move::PASS];
    found.extend(wanted.into_iter().filter(|m| legal(d, who, m).is_ok()));
    found
}

fn activatable(d: &mut Duel) -> Vec<Move> {
    let view = d.look();
    let mut found = Vec::new();
    let given = d.given;
    for &id in if view.gained { &given.holders.all } else { &given.holders.activated } {
        for (i, ability) in view.cards[id.0 as usize].abilities.iter().enumerate() {
            if ability.kind == Kind::Activated {
                found.push(Move { ability: Some(i as u8), ..Move::of(Word("起動"), d.t.now(id)) });
            }
        }
    }
    found
}

pub fn refusal<T>(d: &Duel, m: &Move, cite: &'static Cite, why: &str) -> Result<T, Refusal> {
    let card = m.card.map(|c| d.card_name(c)).unwrap_or_default();
    Err(Refusal { what: format!("{} {card}", m.verb).trim().to_string(), cite: Some(cite), why: why.to_string() })
}

/// Refuses unless the condition holds or the clause is knocked out.
macro_rules! limit {
    ($d:expr, $m:expr, $ok:expr, $cite:expr, $why:expr) => {
        if !$ok {
            let cite = $cite;
            if $d.on(cite) {
                return $crate::game::nova::moves::refusal($d, $m, cite, $why);
            }
        }
    };
}
pub(super) use limit;

/// Whether the player may do this now, and if not, why not.
pub fn legal(d: &mut Duel, who: Seat, m: &Move) -> Result<(), Refusal> {
    match (m.verb.as_str(), m.card) {
        ("パス", _) => Ok(()),
        (_, None) => refusal(d, m, nova!("804.2.1", Frame), "カードを指定していない"),
        ("プレイ", Some(card)) => may_play(d, who, m, card),
        ("起動", Some(card)) => activate(d, who, m, card),
        ("セット", Some(card)) => energy::may_set(d, who, m, card),
        ("エナジー", Some(card)) => energy::may_produce(d, who, m, card),
        ("攻撃", Some(card)) => battle::may_attack(d, who, m, card),
        ("防御", Some(card)) => battle::may_defend(d, who, m, card),
        _ => refusal(d, m, nova!("703.1", Frame), "そのような行動はない"),
    }
}

/// 004.2: what a text forbids cannot be done.
fn allowed(d: &mut Duel, who: Seat, m: &Move, name: &'static str) -> Result<(), Refusal> {
    let event = would(Word(name), m.card, who);
    limit!(d, m, !d.forbidden(&event), nova!("004.2", Limit), "「できない」とする効果がある");
    Ok(())
}

/// 703.1.2, 703.2: 瞬唱 whenever one has priority; else in one's own main phase with nothing waiting.
fn timing(d: &mut Duel, who: Seat, m: &Move, card: Ref) -> Result<(), Refusal> {
    let seen = d.seen(card);
    if has(&seen, "瞬唱") {
        let cite = nova!("1002.2", Meaning);
        if d.on(cite) {
            d.trace.reach(cite);
            return Ok(());
        }
    }
    limit!(d, m, who == d.t.active, nova!("703.2", Limit), "ターンプレイヤーではない");
    let main = matches!(d.t.phase.as_str(), "第1メインフェイズ" | "第2メインフェイズ");
    limit!(d, m, main, nova!("703.2", Limit), "メインフェイズではない");
    limit!(d, m, d.t.context().pile.is_empty(), nova!("703.2", Limit), "待機領域にカードや能力がある");
    Ok(())
}

/// 202.1, 203.1, 204.1, 205.1: from the hand, characters from the character deck.
fn may_play(d: &mut Duel, who: Seat, m: &Move, card: Ref) -> Result<(), Refusal> {
    let seen = d.seen(card);
    let character = has_kind(&seen, "キャラクター");
    let place = d.t.obj(card.id).zone;
    if character {
        limit!(d, m, place == zone("キャラデッキ", who), nova!("202.1", Limit), "自分のキャラデッキのカードではない");
    } else {
        limit!(d, m, place == zone("手札", who), nova!("903.1", Limit), "自分の手札のカードではない");
    }
    let known = ["サーバント", "スペル", "マジックアイテム", "キャラクター"].iter().any(|k| has_kind(&seen, k));
    if !known {
        return refusal(d, m, nova!("201.1", Frame), "プレイできる種類ではない");
    }
    timing(d, who, m, card)?;
    if character {
        may_appear(d, who, m, card)?;
    }
    allowed(d, who, m, "プレイ")?;
    for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Effect) {
        skipped(d, m, ability)?;
    }
    if has(&seen, "装備") {
        let fits = !play::bearers(d, who, card).is_empty();
        limit!(d, m, fits, nova!("205.2", Limit), "装備する対象がない");
    }
    let owed = play::least(d, who, card);
    limit!(d, m, pay::payable(d, who, &owed, &[]), nova!("902.3", Limit), "エナジーコストを支払えない");
    let parts = play::extra(&seen);
    let able = parts.is_empty() || d.could(&parts, &Slots::default(), Some(card), who);
    limit!(d, m, able, nova!("804.2.4", Limit), "コストを支払えない");
    Ok(())
}

/// 109.2, 109.4.1, 110.2, 111.1, 202.2, 202.3, 804.2.1.1, 804.2.1.2: what a character needs.
fn may_appear(d: &mut Duel, who: Seat, m: &Move, card: Ref) -> Result<(), Refusal> {
    let seen = d.seen(card);
    let done = d.t.seats[who.index()][CHARACTERS];
    limit!(d, m, done < 1, nova!("202.2", Limit), "このターンはもうキャラクターをプレイした");
    let rank = seen.number(at(RANK)).unwrap_or(0).max(0);
    let most = d.t.seats[who.index()][LEVEL] + number_of(d, who, "リミットレベル");
    limit!(d, m, rank <= most, nova!("109.2", Limit), "キャラクターレベルがリミットレベルを超えている");
    limit!(
        d,
        m,
        used_levels(d, who) + rank <= 10,
        nova!("109.4.1", Limit),
        "使用したキャラクターのレベルの合計が11以上になる"
    );
    let twin = same_name_on_field(d, who, card);
    limit!(d, m, !twin, nova!("202.3", Limit), "同名のキャラクターが自分の場にある");
    if let Some(price) = seen.price(at(NEEDED)).cloned() {
        let needs = price.filled(|_| 0);
        limit!(d, m, energy::meets(d, who, &needs), nova!("110.2", Limit), "必要エナジーを満たしていない");
    }
    for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Effect) {
        let holds = ability.cond.as_ref().is_none_or(|c| holds(d, card, who, c));
        limit!(d, m, holds, nova!("111.1", Limit), "登場条件を満たしていない");
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
fn skipped(d: &mut Duel, m: &Move, ability: &Ability) -> Result<(), Refusal> {
    for (phase, seat) in d.t.agenda.clone() {
        if seat != d.t.active || !phase.ends_with("フェイズ") || phase.starts_with("追加") {
            continue;
        }
        let text = serde_json::to_string(ability).unwrap_or_default();
        limit!(d, m, !text.contains(phase.as_str()), nova!("401.3.1", Limit), "スキップされるフェイズを指定している");
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
fn activate(d: &mut Duel, who: Seat, m: &Move, card: Ref) -> Result<(), Refusal> {
    let seen = d.seen(card);
    let number = m.ability.unwrap_or(0) as usize;
    let Some(ability) = seen.abilities.get(number).filter(|a| a.kind == Kind::Activated).cloned() else {
        return refusal(d, m, nova!("801.3.1", Frame), "起動能力ではない");
    };
    limit!(d, m, !seen.muted, nova!("928.2", Limit), "呪縛状態なので能力は無効である");
    let (place, face_up) = (d.t.obj(card.id).zone, d.t.obj(card.id).face_up);
    let holder = if is_field(place) { seen.controller } else { d.t.obj(card.id).owner };
    limit!(d, m, holder == who, nova!("801.3.5", Limit), "そのカードのコントローラーではない");
    if !d.works(&seen, place, face_up, &ability) {
        let cite = d.book.elsewhere(&seen, &ability);
        return refusal(d, m, cite, "その能力は有効でない");
    }
    let valid = ability.cond.as_ref().is_none_or(|c| holds(d, card, who, c));
    limit!(d, m, valid, nova!("803.1.4", Limit), "有効になる条件を満たしていない");
    limit!(d, m, !d.is_used_up(card, who, &ability), nova!("801.3.8", Limit), "起動できる回数を使い切っている");
    let energy = energy::is_activated(d, &ability);
    if !energy {
        let lock = lock(d, who, card, &ability);
        limit!(d, m, d.uses(&lock) == 0, nova!("801.3.5.1.1", Limit), "待機領域が空になるまで同じ能力は起動できない");
    }
    let becomes = |s: &Step| matches!(s, Step::Grant { what: Some(w), changes, .. } if *w == "this" && changes.iter().any(serves));
    if ability.steps.iter().chain(&ability.cost).any(becomes) {
        limit!(d, m, !is_kind(d, card, "サーバント"), nova!("801.3.10", Limit), "すでにサーバントとして扱われている");
    }
    if freezes_itself(&ability) && is_kind(d, card, "サーバント") && is_field(place) {
        let free = d.t.obj(card.id).facts[RESTRICTED] == 0 || swift(d, card);
        limit!(d, m, free, nova!("203.4", Limit), "行動制限がある");
    }
    allowed(d, who, m, "起動")?;
    skipped(d, m, &ability)?;
    chooses(d, who, m, card, &ability, energy)?;
    let owed = ability.price.as_ref().map(|p| pay::owed(d, p)).unwrap_or_default();
    let own: Vec<Ref> = if freezes_itself(&ability) { vec![card] } else { Vec::new() };
    limit!(d, m, pay::payable(d, who, &owed, &own), nova!("902.3", Limit), "エナジーを支払えない");
    let able = ability.cost.is_empty() || d.could(&ability.cost, &Slots::default(), Some(card), who);
    limit!(d, m, able, nova!("804.2.4", Limit), "起動コストを支払えない");
    Ok(())
}

/// 1003.2: 疾風 ignores the restriction.
pub fn swift(d: &mut Duel, card: Ref) -> bool {
    has(&d.seen(card), "疾風")
        && d.applies(nova!("1003.2", Meaning), |d| format!("{}は疾風により行動制限を無視する", d.card_name(card)))
}

/// 929.1: it makes a servant of the card.
fn serves(change: &crate::card::Change) -> bool {
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
fn chooses(d: &mut Duel, who: Seat, m: &Move, card: Ref, ability: &Ability, energy: bool) -> Result<(), Refusal> {
    if energy && d.reading(nova!("C11", Reading), "a") == "a" {
        return Ok(());
    }
    let frame = play::frame(who, card);
    let at_once = |s: &Step| if let Step::Choose(target) = s { Some(target.clone()) } else { None };
    let targets: Vec<_> = ability.target.iter().cloned().chain(ability.steps.first().and_then(at_once)).collect();
    for target in targets {
        if !matches!(target.of, crate::card::Pool::Cards(_) | crate::card::Pool::Items(_)) {
            continue;
        }
        let (good, bad) = d.candidates_of(&frame, &target.of, true);
        if good.is_empty() {
            if let Some((_, cite)) = bad.first() {
                d.trace.reach(cite);
            }
            limit!(d, m, false, nova!("801.3.11", Limit), "選べる対象がない");
        }
    }
    Ok(())
}

/// Carries out an act that was found legal.
pub fn carry_out(d: &mut Duel, who: Seat, m: &Move) -> Flow {
    let card = m.card.expect("a card is chosen");
    match m.verb.as_str() {
        "セット" => energy::set(d, who, card),
        "エナジー" => energy::produce(d, who, card, None).map(|_| ()),
        "プレイ" => play::card(d, who, card),
        _ => play::activate(d, who, m),
    }
}
