//! What a player may do, and by which clause not.

use super::kinds::lies_as;
use super::places::{hand, is_field, monsters, other_zones};
use super::text::is;
use super::{activate, allowed, battle, pendulum, procedure, summon};
use crate::card::{Kind, Word};
use crate::kernel::verb::{Allowed, Limit, Verb, card};
use crate::kernel::{Duel, Flow, Move, Seat};
use crate::limit;

/// What boards may name.
pub const NAMES: &[&str] = &[
    "召喚",
    "セット",
    "反転召喚",
    "表示形式の変更",
    "発動",
    "攻撃",
    "バトルフェイズ",
    "特殊召喚",
    "リンク召喚",
    "エクシーズ召喚",
    "シンクロ召喚",
    "ペンデュラム召喚",
    super::rounds::LAY,
];

/// What is forbidden while a summon is going on is forbidden by the reading C53; an activation says itself when it may.
pub static VERBS: &[Verb] = &[
    Verb::new("召喚", list, &[PRIORITY, NO_SUMMON, &[Limit::clauses(summon::may_summon)]], |d, who, m| {
        summon::summon(d, who, card(m), false).map(|()| true)
    }),
    Verb::new("セット", list, &[PRIORITY, NO_SUMMON, &[Limit::clauses(activate::may_set)]], |d, who, m| {
        activate::set(d, who, card(m)).map(|()| true)
    })
    .of(|d, m| m.card.is_some_and(|card| !lies_as(d, card, "モンスター"))),
    Verb::new("セット", list, &[PRIORITY, NO_SUMMON, &[Limit::clauses(summon::may_summon)]], |d, who, m| {
        summon::summon(d, who, card(m), true).map(|()| true)
    }),
    Verb::new("反転召喚", list, &[PRIORITY, NO_SUMMON, &[Limit::clauses(summon::may_flip)]], |d, who, m| {
        summon::flip(d, who, card(m)).map(|()| true)
    }),
    Verb::new(
        "表示形式の変更",
        list,
        &[PRIORITY, NO_SUMMON, &[Limit::clauses(summon::may_turn)]],
        |d, who, m| summon::turn(d, who, card(m)).map(|()| true),
    ),
    Verb::new(
        "特殊召喚",
        list,
        &[PRIORITY, NO_SUMMON, &[Limit::clauses(procedure::may_by_itself)]],
        |d, who, m| procedure::by_itself(d, who, card(m)).map(|()| true),
    ),
    Verb::new("リンク召喚", list, BY_PROCEDURE, by_materials),
    Verb::new("エクシーズ召喚", list, BY_PROCEDURE, by_materials),
    Verb::new("シンクロ召喚", list, BY_PROCEDURE, by_materials),
    Verb::new(
        "ペンデュラム召喚",
        list,
        &[PRIORITY, NO_SUMMON, &[Limit::clauses(pendulum::may)]],
        |d, who, _| pendulum::summon(d, who).map(|()| true),
    ),
    Verb::new("発動", list, &[PRIORITY, &[Limit::clauses(allowed::may)]], |d, who, m| {
        activate::activate(d, who, m).map(|()| true)
    }),
    Verb::new("攻撃", list, &[PRIORITY, NO_SUMMON, &[Limit::clauses(battle::may_attack)]], |d, who, m| {
        battle::attack(d, who, card(m)).map(|()| true)
    }),
    // Going on to the next phase and laying out a deck are carried out by those who ask for them.
    Verb::new(
        "バトルフェイズ",
        list,
        &[PRIORITY, NO_SUMMON, &[Limit::clauses(battle::may_begin)]],
        |_, _, _| Ok(false),
    ),
    Verb::new(
        super::rounds::LAY,
        list,
        &[PRIORITY, NO_SUMMON, &[Limit::clauses(super::rounds::may_lay)]],
        |_, _, _| Ok(false),
    ),
];

static PRIORITY: &[Limit] =
    &[Limit::card(ygo!("3.3.17.2", Limit), "優先権を持っていない", |d, who, _| d.t.priority == Some(who))];

static NO_SUMMON: &[Limit] = &[Limit::card(ygo!("C53", Reading), "召喚の途中である", |d, _, _| {
    d.t.context().step != super::negation::TIME
})];

static BY_PROCEDURE: &[&[Limit]] = &[PRIORITY, NO_SUMMON, &[Limit::clauses(procedure::may)]];

fn by_materials(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    procedure::summon(d, who, m.verb, card(m)).map(|()| true)
}

/// What could be thought of is listed for all of them at once ([`moves`]).
fn list(_: &mut Duel, _: Seat) -> Vec<Move> {
    Vec::new()
}

/// Everything the player may do now, passing first.
pub fn moves(d: &mut Duel, who: Seat) -> Vec<Move> {
    let mut found = vec![Move::PASS];
    let hushed = std::mem::replace(&mut d.hushed, true);
    // Copies of a card that lie together can be brought out or not like the first, unless a text tells them apart.
    let alike = d.only_lists() && d.look().rules.is_empty();
    let mut known: Vec<(u16, Word, bool)> = Vec::new();
    for m in candidates(d, who) {
        let def = m.card.filter(|_| alike && procedure::VERBS.contains(&m.verb.as_str())).map(|c| d.t.obj(c.id).def);
        let before = known.iter().find(|(other, verb, _)| Some(*other) == def && *verb == m.verb).map(|k| k.2);
        let may = before.unwrap_or_else(|| d.allows(VERBS, who, &m).is_ok());
        if let (Some(def), None) = (def, before) {
            known.push((def, m.verb, may));
        }
        if may {
            found.push(m);
        }
    }
    d.hushed = hushed;
    found
}

/// What could be thought of; most of it is not allowed now.
fn candidates(d: &mut Duel, who: Seat) -> Vec<Move> {
    let mut found = Vec::with_capacity(32);
    let free = who == d.t.active && d.t.context().pile.is_empty();
    // What belongs to another phase is refused by its clause, and not thought of where nobody is told.
    let all = !d.only_lists();
    let main = all || allowed::is_main(d);
    let fights = all || super::priority::step(d) == "バトルステップ";
    let view = d.look();
    for card in hand(d, who) {
        let verbs: &[&str] = if free && main { &["召喚", "セット", "発動"] } else { &["発動"] };
        let seen = &*view.cards[card.id.0 as usize];
        let monster = is(seen, "モンスター");
        if !monster && !is(seen, "魔法") && !is(seen, "罠") {
            continue;
        }
        let pendulum = is(seen, "ペンデュラムモンスター");
        let fits = |verb: &&&str| match **verb {
            "召喚" => monster,
            "発動" => !monster || pendulum,
            _ => true,
        };
        found.extend(verbs.iter().filter(fits).map(|verb| Move::of(Word(verb), card)));
    }
    if free {
        for card in monsters(d, who) {
            let verbs: &[&str] = match (main, fights) {
                (true, true) => &["反転召喚", "表示形式の変更", "攻撃"],
                (true, false) => &["反転召喚", "表示形式の変更"],
                (false, true) => &["攻撃"],
                (false, false) => &[],
            };
            found.extend(verbs.iter().map(|verb| Move::of(Word(verb), card)));
        }
        if main {
            found.push(Move { verb: Word("バトルフェイズ"), ..Move::PASS });
        }
        if main || d.settings_reading("C15") == "b" {
            by_procedure(d, who, &mut found);
        }
    }
    if !free && d.settings_reading("C15") == "b" && d.t.context().pile.is_empty() {
        by_procedure(d, who, &mut found);
    }
    set_cards(d, who, &mut found);
    effects(d, who, &mut found);
    found
}

/// 3.3.16.1: special summons that are no activation.
fn by_procedure(d: &mut Duel, who: Seat, found: &mut Vec<Move>) {
    let (view, given) = (d.look(), d.given);
    let most = if d.only_lists() { monsters(d, who).len() } else { usize::MAX };
    for id in d.t.zone(super::places::zone("エクストラデッキ", who)) {
        let seen = &view.cards[id.0 as usize];
        let ways = procedure::CLASSES.iter().zip(procedure::VERBS).filter(|(class, _)| is(seen, class));
        // Of most there is not even the number of materials.
        let fits = ways.filter(|_| super::materials::least(seen) <= most);
        found.extend(fits.map(|(_, verb)| Move::of(Word(verb), d.t.now(*id))));
    }
    let own_way = Word("特殊召喚手順");
    for &id in view.among(given.holders.keyword(own_way)).iter() {
        let obj = d.t.obj(id);
        if obj.owner == who && !is_field(obj.zone) && view.cards[id.0 as usize].has(&own_way) {
            found.push(Move::of(Word("特殊召喚"), d.t.now(id)));
        }
    }
    found.push(Move { verb: Word("ペンデュラム召喚"), ..Move::PASS });
}

/// Set spells and traps of the player.
fn set_cards(d: &mut Duel, who: Seat, found: &mut Vec<Move>) {
    let view = d.look();
    for z in other_zones() {
        for id in d.t.zone(z) {
            if !d.t.obj(*id).face_up && view.cards[id.0 as usize].controller == who {
                found.push(Move::of(Word("発動"), d.t.now(*id)));
            }
        }
    }
}

/// Effects that are activated, of cards the player holds.
fn effects(d: &mut Duel, who: Seat, found: &mut Vec<Move>) {
    let view = d.look();
    let given = d.given;
    for &id in view.among(&given.holders.activated).iter() {
        let (seen, obj) = (&view.cards[id.0 as usize], d.t.obj(id));
        let holder = if is_field(obj.zone) { seen.controller } else { obj.owner };
        if holder != who {
            continue;
        }
        for (number, ability) in seen.abilities.iter().enumerate().filter(|(_, a)| a.kind == Kind::Activated) {
            if d.book.works(seen, obj.zone, obj.face_up, ability).is_ok() {
                found.push(Move { ability: Some(number as u8), ..Move::of(Word("発動"), d.t.now(id)) });
            }
        }
    }
}

/// 1.6.1.1, 1.6.2.1, 3.3.5.1: acts of the main phase, which no chain must interrupt.
pub fn ordinary(d: &mut Duel, who: Seat) -> Allowed {
    limit!(d, who == d.t.active, ygo!("1.6.1.1", Limit), "自分のターンではない");
    limit!(d, d.t.context().pile.is_empty(), ygo!("3.3.5.1", Limit), "チェーンの処理が済んでいない");
    let main = d.t.phase == "メインフェイズ1" || d.t.phase == "メインフェイズ2";
    limit!(d, main, ygo!("1.6.2.1", Limit), "メインフェイズではない");
    Ok(())
}

pub fn is_quick(d: &mut Duel, m: &Move) -> bool {
    let who = d.t.active;
    activate::is_quick(d, who, m)
}
