//! What a player may do, and by which clause not.

use super::kinds::lies_as;
use super::places::{hand, is_field, monsters, other_zones};
use super::text::is;
use super::{activate, allowed, battle, pendulum, procedure, summon};
use crate::card::{Kind, Word};
use crate::kernel::verb::{Allowed, Limit, Verb, card, each};
use crate::kernel::{CardId, Cite, Duel, Flow, Move, Seat};
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
    Verb::new(
        "召喚",
        |d, who| of_hand(d, who, "召喚", true),
        &[PRIORITY, NO_SUMMON, &[Limit::clauses(summon::may_summon)]],
        |d, who, m| summon::summon(d, who, card(m), false).map(|()| true),
    ),
    Verb::new(
        "セット",
        |d, who| of_hand(d, who, "セット", false),
        &[PRIORITY, NO_SUMMON, &[Limit::clauses(activate::may_set)]],
        |d, who, m| activate::set(d, who, card(m)).map(|()| true),
    )
    .of(|d, m| m.card.is_some_and(|card| !lies_as(d, card, "モンスター"))),
    Verb::new(
        "セット",
        |d, who| of_hand(d, who, "セット", true),
        &[PRIORITY, NO_SUMMON, &[Limit::clauses(summon::may_summon)]],
        |d, who, m| summon::summon(d, who, card(m), true).map(|()| true),
    ),
    Verb::new(
        "反転召喚",
        |d, who| if in_main(d, who) { each("反転召喚", monsters(d, who)) } else { Vec::new() },
        &[PRIORITY, NO_SUMMON, &[Limit::clauses(summon::may_flip)]],
        |d, who, m| summon::flip(d, who, card(m)).map(|()| true),
    ),
    Verb::new(
        "表示形式の変更",
        |d, who| if in_main(d, who) { each("表示形式の変更", monsters(d, who)) } else { Vec::new() },
        &[PRIORITY, NO_SUMMON, &[Limit::clauses(summon::may_turn)]],
        |d, who, m| summon::turn(d, who, card(m)).map(|()| true),
    ),
    Verb::new(
        "特殊召喚",
        by_own_way,
        &[PRIORITY, NO_SUMMON, &[Limit::clauses(procedure::may_by_itself)]],
        |d, who, m| procedure::by_itself(d, who, card(m)).map(|()| true),
    ),
    Verb::new("リンク召喚", |d, who| extras(d, who, 0), BY_PROCEDURE, by_materials),
    Verb::new("エクシーズ召喚", |d, who| extras(d, who, 1), BY_PROCEDURE, by_materials),
    Verb::new("シンクロ召喚", |d, who| extras(d, who, 2), BY_PROCEDURE, by_materials),
    Verb::new(
        "ペンデュラム召喚",
        |d, who| if by_procedure(d, who) { one("ペンデュラム召喚") } else { Vec::new() },
        &[PRIORITY, NO_SUMMON, &[Limit::clauses(pendulum::may)]],
        |d, who, _| pendulum::summon(d, who).map(|()| true),
    ),
    Verb::new("発動", activations, &[PRIORITY, &[Limit::clauses(allowed::may)]], |d, who, m| {
        activate::activate(d, who, m).map(|()| true)
    }),
    Verb::new(
        "攻撃",
        |d, who| if may_fight(d, who) { each("攻撃", monsters(d, who)) } else { Vec::new() },
        &[PRIORITY, NO_SUMMON, &[Limit::clauses(battle::may_attack)]],
        |d, who, m| battle::attack(d, who, card(m)).map(|()| true),
    ),
    // Going on to the next phase and laying out a deck are carried out by those who ask for them.
    Verb::new(
        "バトルフェイズ",
        |d, who| if in_main(d, who) { one("バトルフェイズ") } else { Vec::new() },
        &[PRIORITY, NO_SUMMON, &[Limit::clauses(battle::may_begin)]],
        |_, _, _| Ok(false),
    ),
    Verb::new(
        super::rounds::LAY,
        none,
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

/// Nothing is thought of: it is asked for elsewhere.
fn none(_: &mut Duel, _: Seat) -> Vec<Move> {
    Vec::new()
}

fn one(verb: &'static str) -> Vec<Move> {
    vec![Move { verb: Word(verb), ..Move::PASS }]
}

/// It is the player's turn and no chain is in the way.
fn is_free(d: &Duel, who: Seat) -> bool {
    who == d.t.active && d.t.context().pile.is_empty()
}

/// What belongs to another phase is refused by its clause, and not thought of where nobody is told.
fn in_main(d: &mut Duel, who: Seat) -> bool {
    is_free(d, who) && (!d.only_lists() || allowed::is_main(d))
}

fn may_fight(d: &mut Duel, who: Seat) -> bool {
    is_free(d, who) && (!d.only_lists() || super::priority::step(d) == "バトルステップ")
}

/// 3.3.16.1: special summons that are no activation.
fn by_procedure(d: &mut Duel, who: Seat) -> bool {
    in_main(d, who) || d.t.context().pile.is_empty() && d.settings_reading("C15") == "b"
}

/// Cards of the hand, monsters or others.
fn of_hand(d: &mut Duel, who: Seat, verb: &'static str, monsters: bool) -> Vec<Move> {
    if !in_main(d, who) {
        return Vec::new();
    }
    let view = d.look();
    let mut found = hand(d, who);
    found.retain(|card| {
        let seen = &view.cards[card.id.0 as usize];
        if monsters { is(seen, "モンスター") } else { is(seen, "魔法") || is(seen, "罠") }
    });
    each(verb, found)
}

/// What comes out of the extra deck in this way.
fn extras(d: &mut Duel, who: Seat, way: usize) -> Vec<Move> {
    if !by_procedure(d, who) {
        return Vec::new();
    }
    let (verb, class) = (procedure::VERBS[way], procedure::CLASSES[way]);
    let view = d.look();
    // Of most there is not even the number of materials.
    let most = if d.only_lists() { monsters(d, who).len() } else { usize::MAX };
    let stored = d.t.zone(super::places::zone("エクストラデッキ", who));
    let seen = |id: &CardId| &*view.cards[id.0 as usize];
    let fits = stored.iter().filter(|id| is(seen(id), class) && super::materials::least(seen(id)) <= most);
    fits.map(|id| Move::of(Word(verb), d.t.now(*id))).collect()
}

/// Those that say themselves how they are summoned.
fn by_own_way(d: &mut Duel, who: Seat) -> Vec<Move> {
    if !by_procedure(d, who) {
        return Vec::new();
    }
    let (view, given, own_way) = (d.look(), d.given, Word("特殊召喚手順"));
    let holders = view.among(given.holders.keyword(own_way));
    let own = holders.iter().filter(|&&id| {
        let obj = d.t.obj(id);
        obj.owner == who && !is_field(obj.zone) && view.cards[id.0 as usize].has(&own_way)
    });
    own.map(|id| Move::of(Word("特殊召喚"), d.t.now(*id))).collect()
}

/// Cards of the hand, set spells and traps, and effects that are activated of cards the player holds.
fn activations(d: &mut Duel, who: Seat) -> Vec<Move> {
    let (view, given, act) = (d.look(), d.given, Word("発動"));
    let mut found = Vec::new();
    for card in hand(d, who) {
        let seen = &*view.cards[card.id.0 as usize];
        if is(seen, "魔法") || is(seen, "罠") || is(seen, "ペンデュラムモンスター") {
            found.push(Move::of(act, card));
        }
    }
    for z in other_zones() {
        for id in d.t.zone(z) {
            if !d.t.obj(*id).face_up && view.cards[id.0 as usize].controller == who {
                found.push(Move::of(act, d.t.now(*id)));
            }
        }
    }
    for &id in view.among(&given.holders.activated).iter() {
        let (seen, obj) = (&view.cards[id.0 as usize], d.t.obj(id));
        let holder = if is_field(obj.zone) { seen.controller } else { obj.owner };
        if holder != who {
            continue;
        }
        for (number, ability) in seen.abilities.iter().enumerate().filter(|(_, a)| a.kind == Kind::Activated) {
            if d.book.works(seen, obj.zone, obj.face_up, ability).is_ok() {
                found.push(Move { ability: Some(number as u8), ..Move::of(act, d.t.now(id)) });
            }
        }
    }
    found
}

/// 1.6.1.1, 1.6.2.1, 3.3.5.1: acts of the main phase, which no chain must interrupt.
pub fn ordinary(d: &mut Duel, who: Seat) -> Allowed {
    in_main_by(d, who, ygo!("1.6.2.1", Limit))
}

/// The same, where a clause says it of the act.
pub fn in_main_by(d: &mut Duel, who: Seat, cite: &'static Cite) -> Allowed {
    limit!(d, who == d.t.active, ygo!("1.6.1.1", Limit), "自分のターンではない");
    limit!(d, d.t.context().pile.is_empty(), ygo!("3.3.5.1", Limit), "チェーンの処理が済んでいない");
    let main = d.t.phase == "メインフェイズ1" || d.t.phase == "メインフェイズ2";
    limit!(d, main, cite, "メインフェイズではない");
    Ok(())
}

pub fn is_quick(d: &mut Duel, m: &Move) -> bool {
    let who = d.t.active;
    activate::is_quick(d, who, m)
}
