//! 1.3: summoning and setting monsters; 2.2: positions. 3.3.16.3: special summons by effects.

use super::kinds::lies_as;
use super::kinds::{is_monster_card, printed, special_only};
use super::landing;
use super::moves::ordinary;
use super::places::{
    free_monster_zones, is_monster_zone, is_speed, is_spell_zone, main_zones, monsters, room_for_monsters, spell_zones,
    which_of,
};
use super::places::{has_monster, in_hand};
use super::schema::{ATTACKED, CHANGED, GAVE_UP, LEVEL, SET, SUMMONED, SUMMONS, SUMMONS_A_TURN, schema};
use super::text::{graveyard, may_be_revived};
use crate::card::{Change, Word};
use crate::kernel::verb::{Allowed, no};
use crate::kernel::{
    Asks, Cause, Cite, Duel, Event, Flow, Halt, Means, Move, Question, Ref, Refusal, Seat, Thing, Told, What, ZoneId,
};
use crate::limit;

/// 1.3.1.2, 1.3.1.3: how many monsters must be released for a summon or a set.
pub fn releases(d: &mut Duel, card: Ref) -> usize {
    let (at, _) = schema().data(LEVEL).expect("a datum");
    let level = d.seen(card).number(at).unwrap_or(0);
    if level < 5 || !d.applies(ygo!("1.3.1.2", Limit), |_| format!("レベル{level}なのでリリースが必要")) {
        return 0;
    }
    let high = level >= 7 && d.applies(ygo!("1.3.1.3", Limit), |_| format!("レベル{level}なのでリリースは2体"));
    if high { 2 } else { 1 }
}

/// 1.3.0.1, 1.3.1, 1.3.2: whether the monster may be summoned or set now.
pub fn may_summon(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let Some(card) = m.card else {
        return no(ygo!("1.3.1.1", Frame), "モンスターを指定していない");
    };
    ordinary(d, who)?;
    limit!(d, in_hand(d, who, card), ygo!("1.3.1.1", Limit), "自分の手札のカードではない");
    let done = d.t.seats[who.index()][SUMMONS] >= summons_a_turn(d, who);
    limit!(d, !done, ygo!("1.3.0.1", Limit), "このターンの通常召喚はもう行った");
    if !lies_as(d, card, "モンスター") {
        return no(ygo!("1.3.1.1", Frame), "モンスターカードではない");
    }
    let as_spell = m.verb == "セット" && m.to.is_some_and(is_spell_zone);
    limit!(d, !as_spell, ygo!("3.3.22.2", Limit), "モンスターカードを魔法カードとしてセットできない");
    let special = special_only(&d.seen(card));
    limit!(d, !special, ygo!("4.1.26.2", Limit), "特殊召喚モンスターは通常召喚できない");
    let needed = releases(d, card);
    let released = if needed > 0 { releasable(d, who) } else { Vec::new() };
    let have = released.len();
    // 4.1.1.4: a monster card among spells and traps is a spell.
    let among = if have < needed { among_spells(d, who).len() } else { 0 };
    let cite = if have + among >= needed {
        ygo!("4.1.1.4", Limit)
    } else if needed > 1 && have == 1 {
        ygo!("1.3.1.3", Limit)
    } else {
        ygo!("1.3.1.2", Limit)
    };
    limit!(d, have >= needed, cite, "リリースするモンスターが足りない");
    limit!(d, leaves_room(d, who, &released), room_for_monsters(d, who), "メインモンスターゾーンに空きがない");
    forbidden(d, who, m)
}

/// 1.3.0.1: once a turn, unless a text says how often (3.3.8.1).
fn summons_a_turn(d: &mut Duel, who: Seat) -> i32 {
    let view = d.look();
    let mut most = 1;
    for rule in view.rules.iter().filter(|rule| rule.seat == who) {
        let Change::Limit(name, Some(value)) = &rule.change else { continue };
        if *name == SUMMONS_A_TURN && d.on(ygo!("3.3.8.1", Limit)) {
            d.trace.reach(ygo!("3.3.8.1", Limit));
            let ctx = crate::kernel::Ctx { this: rule.source, seat: who, slots: &rule.slots, event: None };
            most = most.max(d.number(&ctx, value));
        }
    }
    most
}

/// Monster cards that a player has among spells and traps.
pub fn among_spells(d: &Duel, who: Seat) -> Vec<Ref> {
    let zones = super::places::spell_zones(who);
    let cards = zones.iter().flat_map(|z| d.t.zone(*z)).map(|id| d.t.now(*id));
    cards.filter(|card| is_monster_card(d, *card)).collect()
}

/// The monsters that can be released for a summon.
fn releasable(d: &mut Duel, who: Seat) -> Vec<Ref> {
    let mut found = monsters(d, who);
    found.retain(|card| !unreleasable(d, who, *card));
    // 4.1.1.4: a monster card among spells and traps is a spell. Knocked out, it is a monster like others.
    if !d.on(ygo!("4.1.1.4", Limit)) {
        found.extend(among_spells(d, who));
    }
    found
}

/// 1.1.3.3: with these released there is a main monster zone for the monster.
fn leaves_room(d: &Duel, who: Seat, released: &[Ref]) -> bool {
    let frees = |card: &Ref| main_zones(who).contains(&d.t.obj(card.id).zone);
    !free_monster_zones(d, who).is_empty() || released.iter().any(frees)
}

/// 3.3.8.1: a text or a rule keeps the monster from being released.
pub fn unreleasable(d: &mut Duel, who: Seat, card: Ref) -> bool {
    let to = graveyard(d, card);
    let cause = Cause { means: Means::Cost, card: None, seat: Some(who) };
    let (name, how) = (Word("墓地へ送る"), Word("リリース"));
    let event = Event { name, how, cause, ..d.moving(card, to).seat(who) };
    d.forbidden(&event)
}

/// 3.3.8.1: a text that says "cannot" wins over the rule that allows it.
pub fn forbidden(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let Some(card) = m.card else { return Ok(()) };
    let comes = |d: &mut Duel, name, how| {
        let to = landing::zones(d, who, card, &[]).first().copied().unwrap_or(main_zones(who)[0]);
        Event { name, how, ..d.moving(card, to).seat(who) }
    };
    let monster = lies_as(d, card, "モンスター");
    let mut event = match m.verb.as_str() {
        // As it will come: from where, and in which way.
        "召喚" | "セット" if monster => {
            let released = !d.look().rules.is_empty() && releases(d, card) > 0;
            comes(d, m.verb, if released { Word("アドバンス召喚") } else { Word("") })
        }
        "特殊召喚" => comes(d, m.verb, Word("手順による特殊召喚")),
        "リンク召喚" | "エクシーズ召喚" | "シンクロ召喚" => comes(d, Word("特殊召喚"), m.verb),
        "攻撃" => Event::about(Word("攻撃宣言"), card),
        "表示形式の変更" if d.t.obj(card.id).turned() => Event::about(Word("攻撃表示"), card),
        "表示形式の変更" => Event::about(Word("守備表示"), card),
        _ => Event::about(m.verb, card),
    };
    let obj = d.t.obj(card.id);
    (event.from, event.from_face_up) = (Some(obj.zone), obj.face_up);
    event = event.seat(who);
    event.cause = Cause { card: Some(card), seat: Some(who), ..Cause::RULE };
    limit!(d, !d.forbidden(&event), ygo!("3.3.8.1", Limit), "「できない」とする効果がある");
    Ok(())
}

/// 1.3.1, 1.3.2: releases first, then the monster, face up in attack or face down in defence.
pub fn summon(d: &mut Duel, who: Seat, card: Ref, set: bool) -> Flow {
    let needed = releases(d, card);
    if needed > 0 {
        d.under(ygo!("1.3.1.2", Frame), |d| release(d, who, needed))?;
    }
    *d.aside().seat(who, SUMMONS) += 1;
    if !set && super::negation::negated(d, &[card])? {
        return Ok(());
    }
    let zones = free_monster_zones(d, who);
    let cite = if set { ygo!("1.3.2.1", Frame) } else { ygo!("1.3.1.1", Frame) };
    // 3.3.22.2: a pendulum is not set as a spell.
    let pendulum = set && printed(d, card, "ペンデュラムモンスター");
    let spells = spell_zones(who).into_iter().filter(|_| pendulum);
    let spells = spells.map(|z| (Thing::Zone(z), ygo!("3.3.22.2", Limit))).collect();
    let Some(to) = d.under(cite, |d| which_of(d, who, zones, card, spells))? else {
        return d.undecided("リリースの後、モンスターを出すメインモンスターゾーンがない", &["ygo:1.1.3.3"]);
    };
    d.under(cite, |d| {
        let mut event = d.moving(card, to).seat(who);
        event.name = if set { Word("セット") } else { Word("召喚") };
        event.how = if needed > 0 { Word("アドバンス召喚") } else { Word("") };
        event.what =
            What::Move { to, bottom: false, state: u8::from(set), face_up: !set, controller: Some(who), host: None };
        d.propose_one(event).map(|_| ())
    })
}

/// 4.1.1.1, 4.1.1.3: releasing sends to the graveyard and is no destruction.
fn release(d: &mut Duel, who: Seat, n: usize) -> Flow {
    let mut cards = releasable(d, who);
    // Where all main zones are full, one of them must become free.
    let room = room_for_monsters(d, who);
    let full = d.on(room) && !leaves_room(d, who, &[]);
    let mut tight = Vec::new();
    if full && n == 1 {
        tight = cards.extract_if(.., |card| !leaves_room(d, who, &[*card])).collect();
    }
    let of: Vec<Thing> = cards.iter().copied().map(Thing::Card).collect();
    let mut question = Question::new(who, Word("リリース"), Asks::Choose { of, min: n, max: n });
    if full && n > 1 {
        let sets = (1u32..1 << cards.len().min(20)).filter(|bits| bits.count_ones() as usize == n);
        let sets = sets.map(|bits| (0..cards.len()).filter(|i| bits & 1 << i != 0).collect::<Vec<_>>());
        let fits = |set: &Vec<usize>| leaves_room(d, who, &set.iter().map(|i| cards[*i]).collect::<Vec<_>>());
        question.whole = sets.filter(fits).map(|set| set.into_iter().map(|i| i as i32).collect()).collect();
    }
    question.refused = tight.into_iter().map(|card| (Thing::Card(card), room)).collect();
    if d.on(ygo!("4.1.1.4", Limit)) {
        let spells = among_spells(d, who).into_iter().map(|card| (Thing::Card(card), ygo!("4.1.1.4", Limit)));
        question.refused.extend(spells);
    }
    for card in monsters(d, who).into_iter().filter(|card| unreleasable(d, who, *card)).collect::<Vec<_>>() {
        question.refused.push((Thing::Card(card), ygo!("3.3.8.1", Limit)));
    }
    let chosen = d.pick(question.citing(ygo!("1.3.1.3", Frame)))?;
    let chosen: Vec<Ref> =
        chosen.into_iter().filter_map(|t| if let Thing::Card(card) = t { Some(card) } else { None }).collect();
    if full && !leaves_room(d, who, &chosen) {
        let why = "リリースしてもメインモンスターゾーンに空きがない".to_string();
        return Err(Halt::Refused(Box::new(Refusal { what: "リリース".into(), cite: Some(room), why })));
    }
    let cause = Cause { means: Means::Cost, card: None, seat: Some(who) };
    let mut events = Vec::new();
    for card in chosen {
        let to = graveyard(d, card);
        let mut event = d.moving(card, to).by(cause).seat(who);
        event.how = Word("リリース");
        events.push(event);
    }
    d.propose(events).map(|_| ())
}

/// 1.3.3: a flip summon.
pub fn may_flip(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let Some(card) = m.card else {
        return no(ygo!("1.3.3.1", Frame), "モンスターを指定していない");
    };
    ordinary(d, who)?;
    limit!(d, has_monster(d, who, card), ygo!("1.3.3.1", Limit), "自分フィールドのモンスターではない");
    if d.t.obj(card.id).face_up {
        return no(ygo!("1.3.3.1", Limit), "裏側守備表示ではない");
    }
    let new = d.t.obj(card.id).facts[SET] > 0;
    limit!(d, !new, ygo!("1.3.3.3", Limit), "セットしたターンには反転召喚できない");
    let turned = d.t.obj(card.id).facts[CHANGED] > 0;
    limit!(d, !turned, ygo!("2.2.1.2", Limit), "このターンはもう表示形式を変更した");
    forbidden(d, who, m)
}

/// 1.3.3.1: face up, and always in attack. It counts as the change of position (reading C30).
pub fn flip(d: &mut Duel, who: Seat, card: Ref) -> Flow {
    if d.reading(ygo!("C30", Reading), "a") != "b" {
        *d.aside().card(card.id, CHANGED) = 1;
    }
    if super::negation::negated(d, &[card])? {
        return Ok(());
    }
    d.under(ygo!("1.3.3.1", Frame), |d| {
        let up = Event { what: What::Face { up: true }, ..Event::about(super::redirect::reversal(d), card) };
        let turn = Event { what: What::Turn { state: 0 }, ..Event::about(Word("攻撃表示"), card) };
        let summoned = Event::about(Word("反転召喚"), card);
        d.propose([up, turn, summoned].map(|e| e.seat(who)).to_vec()).map(|_| ())
    })
}

/// 2.2.1: changing the position of a monster that lies face up.
pub fn may_turn(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let Some(card) = m.card else {
        return no(ygo!("2.2.1.1", Frame), "モンスターを指定していない");
    };
    limit!(d, who == d.t.active, ygo!("2.2.1.1", Limit), "自分のターンではない");
    ordinary(d, who)?;
    limit!(d, has_monster(d, who, card), ygo!("2.2.1.1", Limit), "自分フィールドのモンスターではない");
    if !d.t.obj(card.id).face_up {
        return no(ygo!("1.3.3.1", Limit), "裏側守備表示のモンスターは反転召喚で表にする");
    }
    let link = lies_as(d, card, "リンクモンスター");
    limit!(d, !link, ygo!("2.4.9.2", Limit), "リンクモンスターの表示形式は変更できない");
    let facts = d.t.obj(card.id).facts;
    limit!(d, facts[CHANGED] == 0, ygo!("2.2.1.2", Limit), "このターンはもう表示形式を変更した");
    limit!(d, facts[SUMMONED] == 0, ygo!("2.2.1.3", Limit), "召喚・特殊召喚されたターンである");
    // Reading C68: one that was set in this turn and has been turned up since.
    let set = facts[SET] > 0 && d.reading(ygo!("C68", Reading), "a") != "b";
    limit!(d, !set, ygo!("C68", Reading), "セットされたターンである");
    // Reading C62: whether an attack that was given up counts.
    let attacked = match facts[ATTACKED] > 0 && facts[ATTACKED] == facts[GAVE_UP] {
        true => d.reading(ygo!("C62", Reading), "a") != "b",
        false => facts[ATTACKED] > 0,
    };
    limit!(d, !attacked, ygo!("2.2.1.4", Limit), "このターンに攻撃した");
    let down = !d.t.obj(card.id).turned() && never_in_defence(d);
    limit!(d, !down, ygo!("1.9.3.2", Limit), "表側守備表示では置けない");
    forbidden(d, who, m)
}

pub fn turn(d: &mut Duel, who: Seat, card: Ref) -> Flow {
    d.under(ygo!("2.2.1.1", Frame), |d| {
        let to = if d.t.obj(card.id).turned() { Word("攻撃表示") } else { Word("守備表示") };
        if d.turn(&[card], to, Cause { seat: Some(who), ..Cause::RULE })? {
            *d.aside().card(card.id, CHANGED) = 1;
        }
        Ok(())
    })
}

/// The act that brings a monster out whatever is laid down for it.
pub const FREELY: &str = "召喚条件を無視して特殊召喚";
const FACE_DOWN: &str = "裏側守備表示";

/// 1.3.4.1, 3.3.16.3: by an effect, all at once, each to a zone where it can be put. `as_text`: the name of the act.
pub fn special(d: &mut Duel, who: Seat, cards: &[Ref], as_text: Word, cause: Cause) -> Flow<bool> {
    let mut events: Vec<Event> = Vec::new();
    for card in cards {
        let taken: Vec<ZoneId> = events.iter().filter_map(|event| event.to).collect();
        events.extend(by_effect(d, who, *card, as_text, cause, &taken)?);
    }
    if events.is_empty() {
        return Ok(false);
    }
    d.under(ygo!("1.3.4.1", Frame), |d| Ok(d.propose(events)?.any()))
}

/// One of the monsters that an effect brings out; the zones of the others are taken.
fn by_effect(d: &mut Duel, who: Seat, card: Ref, as_text: Word, cause: Cause, taken: &[ZoneId]) -> Flow<Option<Event>> {
    if !is_monster_card(d, card) && !lies_as(d, card, "モンスター") {
        return d.unwritten("モンスターでないカードの特殊召喚", &["ygo:1.3.4.1", "ygo:3.3.8.1"]);
    }
    if is_monster_zone(d.t.obj(card.id).zone) {
        d.tell(Told::NotApplied, |d| format!("{}は特殊召喚できない", d.card_name(card)));
        return Ok(None);
    }
    let wanted = as_text.strip_suffix("で特殊召喚").map(|position| match position {
        "攻撃表示" => Word("攻撃表示"),
        FACE_DOWN => Word(FACE_DOWN),
        _ => Word("守備表示"),
    });
    let cite = ygo!("3.3.16.4", Limit);
    // 3.3.8.1: the text that does without wins.
    if as_text != FREELY && !may_be_revived(d, card) && d.on(cite) {
        d.trace.reach(cite);
        d.tell_under(Told::NotApplied, cite, |d| {
            format!("{}は定められた方法で特殊召喚されていないので、特殊召喚できない", d.card_name(card))
        });
        return Ok(None);
    }
    if is_never_so(d, card, as_text) {
        d.tell_under(Told::NotApplied, ygo!("C69", Reading), |d| {
            format!("{}は守備表示で特殊召喚できない", d.card_name(card))
        });
        return Ok(None);
    }
    // Reading C59: in a speed duel no monster is put there face up in defence.
    if wanted.is_some_and(|w| w == "守備表示") && never_in_defence(d) {
        d.tell_under(Told::NotApplied, ygo!("1.9.3.2", Limit), |d| {
            format!("{}は表側守備表示で置けない", d.card_name(card))
        });
        return Ok(None);
    }
    let mut zones = landing::zones(d, who, card, &[]);
    // 2.4.6.1: of the two extra zones one player uses one.
    let extra = |zone: &ZoneId| schema().spec(*zone).owner.is_none();
    zones.retain(|zone| !(taken.contains(zone) || extra(zone) && taken.iter().any(extra)));
    // Nobody chooses where and how a monster lies that cannot come: what forbids it says so.
    if !zones.is_empty() && !can_come(d, who, card, &zones, Word(""), cause)? {
        d.under(ygo!("1.3.4.1", Frame), |d| arrive(d, who, card, zones[0], 0, Word(""), cause))?;
        return Ok(None);
    }
    let Some(to) = landing::ask(d, who, card, zones)? else {
        let full = room_for_monsters(d, who);
        d.tell_under(Told::NotApplied, full, |d| {
            format!("出せるゾーンがないので{}は特殊召喚されない", d.card_name(card))
        });
        return Ok(None);
    };
    let state = position(d, who, card, wanted, ygo!("1.3.4.4", Limit))?;
    let mut event = arriving(d, who, card, to, state, Word(""), cause);
    let down = state == 1 && wanted.is_some_and(|w| w == FACE_DOWN);
    if let What::Move { face_up, .. } = &mut event.what {
        *face_up = !down;
    }
    Ok(Some(event))
}

/// Reading C69: the text brings a monster out in defence that has no such position (2.4.9.1).
pub fn is_never_so(d: &mut Duel, card: Ref, as_text: Word) -> bool {
    let defence = as_text.ends_with("守備表示で特殊召喚");
    let link = defence && printed(d, card, "リンクモンスター");
    link && d.reading(ygo!("C69", Reading), "a") != "b"
}

/// 1.3.4.4, 1.3.4.5: attack or defence as the player likes unless the text says which; links always attack.
/// `either`: the clause that leaves it to the player; knocked out, it is attack.
pub fn position(d: &mut Duel, who: Seat, card: Ref, wanted: Option<Word>, either: &'static Cite) -> Flow<u8> {
    if lies_as(d, card, "リンクモンスター")
        && d.applies(ygo!("1.3.4.5", Limit), |_| "リンクモンスターは必ず表側攻撃表示".into())
    {
        return Ok(0);
    }
    if let Some(wanted) = wanted {
        return Ok(u8::from(wanted != "攻撃表示"));
    }
    d.trace.reach(either);
    if !d.on(either) || never_in_defence(d) {
        return Ok(0);
    }
    let of = vec![Thing::Word(Word("攻撃表示")), Thing::Word(Word("守備表示"))];
    let question = Question::new(who, Word("表示形式"), Asks::Choose { of, min: 1, max: 1 }).about(Some(card));
    let answer = d.ask(question.citing(either))?;
    Ok(answer[0] as u8)
}

/// Reading C59: whether monsters of a speed duel are in defence only face down.
fn never_in_defence(d: &mut Duel) -> bool {
    is_speed(d) && d.reading(ygo!("C59", Reading), "a") == "b"
}

/// 3.3.8.1: no text forbids that the monster comes out in that way to one of the zones.
pub fn can_come(d: &mut Duel, who: Seat, card: Ref, zones: &[ZoneId], how: Word, cause: Cause) -> Flow<bool> {
    let mut open = d.look().rules.is_empty();
    for to in zones {
        let event = arriving(d, who, card, *to, 0, how, cause);
        open = open || d.try_out(|d| Ok(!d.forbidden(&event)))?;
    }
    Ok(open)
}

/// A special summon that is about to happen.
pub fn arriving(d: &mut Duel, who: Seat, card: Ref, to: ZoneId, state: u8, how: Word, cause: Cause) -> Event {
    let mut event = d.moving(card, to).by(cause).seat(who);
    (event.name, event.how) = (Word("特殊召喚"), how);
    event.what = What::Move { to, bottom: false, state, face_up: true, controller: Some(who), host: None };
    event
}

pub fn arrive(d: &mut Duel, who: Seat, card: Ref, to: ZoneId, state: u8, how: Word, cause: Cause) -> Flow<bool> {
    let event = arriving(d, who, card, to, state, how, cause);
    Ok(d.propose_one(event)?.any())
}
