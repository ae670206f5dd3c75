//! 504.3, 505.3, 506.2, 602.1, 603.1b, 806.1: what a player may do. Legality is written once: listing and refusing
//! both go through [`legal`].

use super::places::{bodies, bodies_on, distance, is_body, is_kind, player_square, zone};
use super::schema::schema;
use super::text::would;
use super::{acts, battle, composite, extras, pay, play};
use crate::card::{Kind, Word};
use crate::kernel::limit::TURN;
use crate::kernel::{Asks, Cite, Duel, Flow, Move, Question, Ref, Refusal, Seat, Thing, Use, User, ZoneId};

/// Everything the player may do now, passing first.
pub fn moves(d: &mut Duel, who: Seat) -> Vec<Move> {
    let mut wanted: Vec<Move> = Vec::new();
    let cards = |d: &Duel, name: &str| d.t.zone(zone(name, who)).iter().map(|id| d.t.now(*id)).collect::<Vec<Ref>>();
    match d.t.phase.as_str() {
        "リソースフェイズ" => {
            wanted.extend(cards(d, "手札").into_iter().map(|c| Move::of(Word("リソース"), c)))
        }
        "イグニッションフェイズ" => {
            wanted.extend(cards(d, "チャージ").into_iter().map(|c| Move::of(Word("イグニッション"), c)))
        }
        "デッキ構築" => wanted.push(Move { verb: Word("デッキ"), ..Move::PASS }),
        "メインフェイズ" => {
            let mut playable = cards(d, "手札");
            playable.extend(cards(d, "デュナミス"));
            for card in playable {
                let squares: Vec<Option<ZoneId>> =
                    if is_body(d, card) { schema().board().map(Some).collect() } else { vec![None] };
                let mut ways = extras::ways(d, card);
                ways.insert(0, Word(""));
                // What holds for the card holds for every square: asked once.
                for way in ways {
                    if may_play(d, who, card, way).is_ok() {
                        let to = |to: &Option<ZoneId>| Move { to: *to, way, ..Move::of(Word("プレイ"), card) };
                        wanted.extend(squares.iter().map(to));
                    }
                }
            }
            wanted.extend(activatable(d));
            for card in bodies(d).into_iter().filter(|_| d.t.context().fights.is_empty()) {
                wanted.extend(schema().board().map(|to| Move { to: Some(to), ..Move::of(Word("攻撃"), card) }));
            }
        }
        _ => {}
    }
    let mut found = vec![Move::PASS];
    found.extend(wanted.into_iter().filter(|m| legal(d, who, m).is_ok()));
    found
}

fn activatable(d: &mut Duel) -> Vec<Move> {
    let view = d.look();
    let mut found = Vec::new();
    for id in d.t.ids() {
        for (i, _) in view.cards[id.0 as usize].abilities.iter().enumerate().filter(|(_, a)| a.kind == Kind::Activated)
        {
            found.push(Move { ability: Some(i as u8), ..Move::of(Word("起動"), d.t.now(id)) });
        }
    }
    found
}

fn refusal<T>(d: &Duel, m: &Move, cite: &'static Cite, why: &str) -> Result<T, Refusal> {
    let card = m.card.map(|c| d.card_name(c)).unwrap_or_default();
    let to = m.to.map(|z| format!("→{}", d.zone_name(z))).unwrap_or_default();
    Err(Refusal { what: format!("{} {card}{to}", m.verb).trim().to_string(), cite: Some(cite), why: why.to_string() })
}

/// Refuses unless the condition holds or the clause is knocked out.
macro_rules! limit {
    ($d:expr, $m:expr, $ok:expr, $cite:expr, $why:expr) => {
        if !$ok {
            let cite = $cite;
            if $d.on(cite) {
                return refusal($d, $m, cite, $why);
            }
        }
    };
}

/// Whether the player may do this now, and if not, why not.
pub fn legal(d: &mut Duel, who: Seat, m: &Move) -> Result<(), Refusal> {
    let again = !m.is_pass() && super::priority::repeats(d, who, m);
    limit!(d, m, !again, zx!("1201.1b", Limit), "完全に同一の状態に戻ったので、同じ行動は選べない");
    match (m.verb.as_str(), m.card) {
        ("パス", _) => Ok(()),
        ("デッキ", _) => deck(d, who, m),
        (_, None) => refusal(d, m, zx!("804.2b", Frame), "カードを指定していない"),
        ("リソース", Some(card)) => resource(d, who, m, card),
        ("イグニッション", Some(card)) => ignition(d, who, m, card),
        ("プレイ", Some(card)) => {
            may_play(d, who, card, m.way)?;
            place(d, who, m, card)
        }
        ("起動", Some(card)) => activate(d, who, m, card),
        ("攻撃", Some(card)) => attack(d, who, m, card),
        _ => refusal(d, m, zx!("701.3", Frame), "そのような行動はない"),
    }
}

/// 102.6: what a text forbids cannot be done.
fn allowed(d: &mut Duel, who: Seat, m: &Move) -> Result<(), Refusal> {
    let mut event = would(m.verb, m.card, who);
    event.to = m.to;
    limit!(d, m, !d.forbidden(&event), zx!("102.6", Limit), "「できない」とする効果がある");
    Ok(())
}

/// 504.3.
fn resource(d: &mut Duel, who: Seat, m: &Move, card: Ref) -> Result<(), Refusal> {
    limit!(d, m, d.t.phase == "リソースフェイズ", zx!("504.3", Limit), "リソースフェイズではない");
    limit!(d, m, who == d.t.active, zx!("504.3", Limit), "ターンプレイヤーではない");
    limit!(d, m, d.t.obj(card.id).zone == zone("手札", who), zx!("504.3", Limit), "自分の手札のカードではない");
    allowed(d, who, m)
}

/// 505.3.
fn ignition(d: &mut Duel, who: Seat, m: &Move, card: Ref) -> Result<(), Refusal> {
    limit!(d, m, d.t.phase == "イグニッションフェイズ", zx!("505.3", Limit), "イグニッションフェイズではない");
    limit!(d, m, who == d.t.active, zx!("505.3", Limit), "ターンプレイヤーではない");
    limit!(d, m, d.t.obj(card.id).zone == zone("チャージ", who), zx!("505.3", Limit), "自分のチャージのカードではない");
    allowed(d, who, m)
}

/// 401: the deck as it was prepared, with everything that is wrong with it.
fn deck(d: &mut Duel, who: Seat, m: &Move) -> Result<(), Refusal> {
    let wrong = super::deck::wrong(d, who);
    match wrong.first() {
        Some((cite, _)) => {
            let all: Vec<String> = wrong.iter().map(|(c, why)| format!("{why}（{}）", c.clause)).collect();
            refusal(d, m, cite, &all.join("、"))
        }
        None => Ok(()),
    }
}

/// 506.2, 603.1b: a card from the hand or the dynamis in the main phase; in battle only events. 805.3c: it can be paid for.
fn may_play(d: &mut Duel, who: Seat, card: Ref, way: Word) -> Result<(), Refusal> {
    let m = &Move { way, ..Move::of(Word("プレイ"), card) };
    limit!(d, m, d.t.phase == "メインフェイズ", zx!("506.2", Limit), "メインフェイズではない");
    let here = d.t.obj(card.id).zone;
    let dynamis = here == zone("デュナミス", who);
    limit!(d, m, dynamis || here == zone("手札", who), zx!("506.2", Limit), "自分の手札のカードではない");
    if d.t.context().fights.is_empty() {
        limit!(d, m, who == d.t.active, zx!("506.2", Limit), "ターンプレイヤーではない");
    } else {
        limit!(d, m, is_kind(d, card, "イベント"), zx!("603.1b", Limit), "バトル中にプレイできるのはイベントだけ");
    }
    if dynamis {
        from_dynamis(d, who, m, card)?;
    }
    let shift = is_kind(d, card, "シフト");
    let known = is_body(d, card) || is_kind(d, card, "イベント") || shift;
    limit!(d, m, known, zx!("806.1f", Frame), "プレイできる種類ではない");
    allowed(d, who, m)?;
    let ways = extras::ways(d, card);
    if way.is_empty() {
        // Reading C32: what is played by a condition is not played for its plain cost.
        let plain = ways.is_empty() || d.reading(zx!("C32", Reading), "a") == "b";
        limit!(d, m, plain, zx!("806.1f", Limit), "条件によってプレイするカードである");
        let endless = !shift && pay::endless(d, card);
        limit!(d, m, !endless, zx!("203.3", Limit), "コストが∞なので、リソースコストを支払えない");
        let cost = pay::of_card(d, card);
        limit!(d, m, shift || pay::payable(d, who, &cost), zx!("805.3c", Limit), "リソースコストを支払えない");
    } else {
        limit!(d, m, ways.contains(&way), zx!("806.1f", Limit), "その条件を持たない");
        if let Some((cite, why)) = extras::hindrance(d, who, card, way) {
            return refusal(d, m, cite, why);
        }
    }
    if shift {
        limit!(d, m, !composite::has_shift(d, who), zx!("202.8c", Limit), "自分のシフトがすでにスクエアにある");
        limit!(d, m, !composite::carriers(d, who, card).is_empty(), zx!("806.1d", Limit), "シフトするカードがない");
    }
    let parts = play::costs(d, card);
    let able = parts.is_empty() || d.could(&parts, &Default::default(), Some(card), who);
    limit!(d, m, able, zx!("804.2f", Limit), "代償を支払えない");
    Ok(())
}

/// 313.2b, 506.2, 603.1b, 202.12b: extras and shifts, face down, each once a turn.
fn from_dynamis(d: &mut Duel, who: Seat, m: &Move, card: Ref) -> Result<(), Refusal> {
    let known = is_kind(d, card, "エクストラ") || is_kind(d, card, "シフト");
    limit!(d, m, known, zx!("506.2", Limit), "デュナミスからプレイできる種類ではない");
    limit!(d, m, !d.t.obj(card.id).face_up, zx!("313.2b", Limit), "表向きのカードはプレイできない");
    let used = Use { user: User::Player(who), what: 0, act: extras::budget(d, card), lasts: TURN };
    limit!(d, m, d.uses(&used) == 0, zx!("506.2", Limit), "このターンはもうプレイしている");
    if is_kind(d, card, "アセンション") {
        let used = Use { act: Word("アセンション エクストラ"), lasts: Word("デュエル"), ..used };
        limit!(d, m, d.uses(&used) == 0, zx!("202.12b", Limit), "このゲームではもうプレイしている");
    }
    Ok(())
}

/// 806.1a, 806.1b, 806.1d: the square.
fn place(d: &mut Duel, who: Seat, m: &Move, card: Ref) -> Result<(), Refusal> {
    if !is_body(d, card) {
        return Ok(());
    }
    let Some(to) = m.to else { return refusal(d, m, zx!("806.1d", Limit), "スクエアを選んでいない") };
    if !is_kind(d, card, "ゼクス") {
        limit!(d, m, player_square(to) == Some(who), zx!("806.1b", Limit), "自分のプレイヤースクエアではない");
        return Ok(());
    }
    limit!(d, m, player_square(to) != Some(who.other()), zx!("806.1a", Limit), "相手のプレイヤースクエアである");
    for body in bodies_on(d, to) {
        let own = d.seen(body).controller == who;
        limit!(d, m, own, zx!("806.1a", Limit), "相手のゼクスやアセンションがある");
        limit!(d, m, !d.t.obj(body.id).turned(), zx!("806.1a", Limit), "自分のスリープのゼクスがある");
        limit!(d, m, is_kind(d, body, "ゼクス"), zx!("806.1a", Limit), "自分のアセンションがある");
    }
    Ok(())
}

/// The squares a card may be played to.
pub fn squares(d: &mut Duel, who: Seat, card: Ref) -> Vec<ZoneId> {
    let m = |to| Move { to: Some(to), ..Move::of(Word("プレイ"), card) };
    schema().board().filter(|to| place(d, who, &m(*to), card).is_ok()).collect()
}

/// The card could be played, wherever it is, if its cost is no matter.
pub fn playable(d: &mut Duel, who: Seat, card: Ref) -> bool {
    let m = Move::of(Word("プレイ"), card);
    let fits = if is_body(d, card) { !squares(d, who, card).is_empty() } else { is_kind(d, card, "イベント") };
    fits && allowed(d, who, &m).is_ok()
}

/// 801.2a, 803.1, 803.1f, 807: an activated ability of one's own card.
fn activate(d: &mut Duel, who: Seat, m: &Move, card: Ref) -> Result<(), Refusal> {
    limit!(d, m, d.t.phase == "メインフェイズ", zx!("506.2", Limit), "メインフェイズではない");
    let fighting = !d.t.context().fights.is_empty();
    limit!(d, m, fighting || who == d.t.active, zx!("506.2", Limit), "ターンプレイヤーではない");
    let seen = d.seen(card);
    let first = seen.abilities.iter().position(|a| a.kind == Kind::Activated);
    let number = m.ability.map(usize::from).or(first).unwrap_or(0);
    let Some(ability) = seen.abilities.get(number).filter(|a| a.kind == Kind::Activated).cloned() else {
        return refusal(d, m, zx!("801.2a", Frame), "起動能力ではない");
    };
    limit!(d, m, !d.is_beneath(card.id), zx!("202.8a", Limit), "ほかのカードと合わせて1枚のカードになっている");
    let obj = d.t.obj(card.id);
    let (place, face_up) = (obj.zone, obj.face_up);
    let holder = if schema().spec(place).board { seen.controller } else { obj.owner };
    limit!(d, m, holder == who, zx!("302.1c", Limit), "その能力の支配者ではない");
    if !d.works(&seen, place, face_up, &ability) {
        let cite = super::text::elsewhere(&ability);
        return refusal(d, m, cite, "その能力は有効でない");
    }
    let slots = Default::default();
    let ctx = crate::kernel::Ctx { this: Some(card), seat: who, slots: &slots, event: None };
    let valid = ability.cond.as_ref().is_none_or(|c| d.see(|eyes| eyes.holds(&ctx, c)));
    limit!(d, m, valid, zx!("803.2a", Limit), "有効になる条件を満たしていない");
    limit!(d, m, !d.is_used_up(card, who, &ability), zx!("803.1f", Limit), "このターンはもうプレイできない");
    if let Some((act, lasts, cite)) = acts::once(&ability) {
        let used = Use { user: User::Player(who), what: 0, act, lasts };
        limit!(d, m, d.uses(&used) == 0, cite, "もうプレイしている");
    }
    if ability.meant_by.is_some_and(|k| k == "トランス") {
        let used = Use { user: User::Name(who, seen.name()), what: 0, act: Word("トランス"), lasts: TURN };
        limit!(d, m, d.uses(&used) == 0, zx!("1132.2", Limit), "このターンは同名のこの能力をもうプレイしている");
    }
    allowed(d, who, m)?;
    let price = play::price(d, &ability).is_none_or(|p| pay::payable(d, who, &pay::of_ability(&p, &slots)));
    limit!(d, m, price, zx!("805.3c", Limit), "リソースコストを支払えない");
    let able = ability.cost.is_empty() || d.could(&ability.cost, &slots, Some(card), who);
    limit!(d, m, able, zx!("804.2f", Limit), "代償を支払えない");
    Ok(())
}

/// 602.1, 602.1a, 602.1b: one's rebooted Z/X, and what it may attack.
fn attack(d: &mut Duel, who: Seat, m: &Move, card: Ref) -> Result<(), Refusal> {
    limit!(d, m, d.t.phase == "メインフェイズ", zx!("602.1", Limit), "メインフェイズではない");
    limit!(d, m, d.t.context().fights.is_empty(), zx!("602.1", Limit), "バトル中である");
    limit!(d, m, who == d.t.active, zx!("602.1", Limit), "ターンプレイヤーではない");
    let own = bodies(d).contains(&card) && is_kind(d, card, "ゼクス") && d.seen(card).controller == who;
    limit!(d, m, own, zx!("602.1a", Limit), "自分のゼクスではない");
    limit!(d, m, !d.t.obj(card.id).turned(), zx!("602.1a", Limit), "リブート状態ではない");
    let Some(to) = m.to else { return refusal(d, m, zx!("602.1c", Frame), "攻撃目標を選んでいない") };
    let away = distance(d.t.obj(card.id).zone, to);
    let reach = away == 1 || away > 0 && reaches(d, card, away);
    limit!(d, m, reach, zx!("602.1b", Limit), "攻撃ゼクスの隣のスクエアではない");
    if battle::target(d, who, to).is_none() {
        return refusal(d, m, zx!("602.1b", Limit), "そのスクエアに攻撃目標がない");
    }
    allowed(d, who, m)
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

/// Carries out an act that was found legal. False: it was taken back.
pub fn carry_out(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    if m.verb == "デッキ" {
        return Ok(true);
    }
    let card = m.card.expect("a card is chosen");
    match m.verb.as_str() {
        "リソース" => d.step(zx!("504.3"), |d| {
            let to = zone("リソース", who);
            let mut event = d.moving(card, to).seat(who);
            if let crate::kernel::What::Move { state, .. } = &mut event.what {
                *state = u8::from(acts::arrives_asleep(d, card));
            }
            d.propose_one(event).map(|_| ())
        })?,
        "イグニッション" => d.step(zx!("505.3a"), |d| {
            let event = d.moving(card, zone("トラッシュ", who)).seat(who);
            d.happen(vec![event])?;
            acts::ignite(d, who).map(|_| ())
        })?,
        "プレイ" => {
            // 804.2d: the price is fixed before anything is paid.
            let shift = is_kind(d, card, "シフト");
            let cost = if shift { Default::default() } else { pay::of_card(d, card) };
            let square = m.to.filter(|_| is_body(d, card));
            let host = if shift { carrier(d, who, card)? } else { None };
            let mut uses = Vec::new();
            if d.t.obj(card.id).zone == zone("デュナミス", who) {
                let used = Use { user: User::Player(who), what: 0, act: extras::budget(d, card), lasts: TURN };
                uses.push(used);
                if is_kind(d, card, "アセンション") {
                    uses.push(Use {
                        act: Word("アセンション エクストラ"), lasts: Word("デュエル"), ..used
                    });
                }
            }
            let terms = play::Terms { cost: Some(cost), way: m.way, square, host, came: 0 };
            // What was taken back was not played.
            let played = play::card(d, who, card, terms)?;
            if played {
                uses.into_iter().for_each(|used| d.note_use(used));
            }
            return Ok(played);
        }
        "起動" => return play::activate(d, who, m),
        _ => battle::battle(d, who, card, m.to.expect("a square is named"))?,
    }
    Ok(true)
}

/// 806.1c: the card that the shift will be laid on.
fn carrier(d: &mut Duel, who: Seat, card: Ref) -> Flow<Option<Ref>> {
    let of: Vec<Thing> = composite::carriers(d, who, card).into_iter().map(Thing::Card).collect();
    let asks = Asks::Choose { of, min: 1, max: 1 };
    let chosen = d.pick(Question::new(who, Word("シフト先"), asks).citing(zx!("806.1c", Frame)).about(Some(card)))?;
    Ok(chosen.into_iter().find_map(|t| if let Thing::Card(r) = t { Some(r) } else { None }))
}
