//! What a player may do. Legality is written once: listing and refusing both go through [`legal`].

use super::kinds::lies_as;
use super::places::{hand, is_field, monsters};
use super::schema::schema;
use super::text::is;
use super::{activate, allowed, battle, pendulum, procedure, summon};
use crate::card::{Kind, Word};
use crate::kernel::{Cite, Duel, Flow, Move, Ref, Refusal, Seat};

pub const VERBS: &[&str] = &[
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

pub fn refusal<T>(d: &Duel, m: &Move, cite: &'static Cite, why: &str) -> Result<T, Refusal> {
    // Of what is only looked through, most is not allowed, and nobody reads why.
    if d.hushed {
        return Err(Refusal { what: String::new(), cite: Some(cite), why: String::new() });
    }
    let card = m.card.map(|c| d.card_name(c)).unwrap_or_default();
    Err(Refusal { what: format!("{} {card}", m.verb).trim().to_string(), cite: Some(cite), why: why.to_string() })
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
        let may = before.unwrap_or_else(|| legal(d, who, &m).is_ok());
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
    let mut found = Vec::new();
    let free = who == d.t.active && d.t.context().pile.is_empty();
    // What belongs to another phase is refused by its clause, and not thought of where nobody is told.
    let all = !d.only_lists();
    let main = all || allowed::is_main(d);
    let fights = all || d.t.context().step == "バトルステップ";
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
            found.extend(by_procedure(d, who));
        }
    }
    if !free && d.settings_reading("C15") == "b" && d.t.context().pile.is_empty() {
        found.extend(by_procedure(d, who));
    }
    found.extend(set_cards(d, who).into_iter().map(|card| Move::of(Word("発動"), card)));
    found.extend(effects(d, who));
    found
}

/// 3.3.16.1: special summons that are no activation.
fn by_procedure(d: &mut Duel, who: Seat) -> Vec<Move> {
    let mut found = Vec::new();
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
    for &id in if view.gained { &given.holders.all } else { given.holders.keyword(own_way) } {
        let obj = d.t.obj(id);
        if obj.owner == who && !is_field(obj.zone) && view.cards[id.0 as usize].has(&own_way) {
            found.push(Move::of(Word("特殊召喚"), d.t.now(id)));
        }
    }
    found.push(Move { verb: Word("ペンデュラム召喚"), ..Move::PASS });
    found
}

/// Set spells and traps of the player.
fn set_cards(d: &mut Duel, who: Seat) -> Vec<Ref> {
    let view = d.look();
    let mut found = Vec::new();
    for z in schema().board().filter(|z| !super::places::is_monster_zone(*z)) {
        let own = |id: &&crate::kernel::CardId| view.cards[id.0 as usize].controller == who && !d.t.obj(**id).face_up;
        found.extend(d.t.zone(z).iter().filter(own).map(|id| d.t.now(*id)));
    }
    found
}

/// Effects that are activated, of cards the player holds.
fn effects(d: &mut Duel, who: Seat) -> Vec<Move> {
    let view = d.look();
    let mut found = Vec::new();
    let given = d.given;
    for &id in if view.gained { &given.holders.all } else { &given.holders.activated } {
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
    found
}

/// Whether the player may do this now, and if not, why not.
pub fn legal(d: &mut Duel, who: Seat, m: &Move) -> Result<(), Refusal> {
    limit!(d, m, d.t.priority == Some(who), ygo!("3.3.17.2", Limit), "優先権を持っていない");
    match m.verb.as_str() {
        "パス" => Ok(()),
        verb if verb != "発動" && d.t.context().step == super::negation::TIME => {
            refusal(d, m, ygo!("C53", Reading), "召喚の途中である")
        }
        super::rounds::LAY => super::rounds::may_lay(d, who, m),
        "召喚" => summon::may_summon(d, who, m),
        "セット" => match m.card {
            Some(card) if !lies_as(d, card, "モンスター") => activate::may_set(d, who, m),
            _ => summon::may_summon(d, who, m),
        },
        "特殊召喚" => procedure::may_by_itself(d, who, m),
        "リンク召喚" | "エクシーズ召喚" | "シンクロ召喚" => procedure::may(d, who, m),
        "ペンデュラム召喚" => pendulum::may(d, who, m),
        "反転召喚" => summon::may_flip(d, who, m),
        "表示形式の変更" => summon::may_turn(d, who, m),
        "発動" => allowed::may(d, who, m),
        "攻撃" => battle::may_attack(d, who, m),
        "バトルフェイズ" => battle::may_begin(d, who, m),
        _ => refusal(d, m, ygo!("1.6.2.1", Frame), "そのような行動はない"),
    }
}

/// 1.6.1.1, 1.6.2.1, 3.3.5.1: acts of the main phase, which no chain must interrupt.
pub fn ordinary(d: &mut Duel, who: Seat, m: &Move) -> Result<(), Refusal> {
    limit!(d, m, who == d.t.active, ygo!("1.6.1.1", Limit), "自分のターンではない");
    limit!(d, m, d.t.context().pile.is_empty(), ygo!("3.3.5.1", Limit), "チェーンの処理が済んでいない");
    let main = d.t.phase == "メインフェイズ1" || d.t.phase == "メインフェイズ2";
    limit!(d, m, main, ygo!("1.6.2.1", Limit), "メインフェイズではない");
    Ok(())
}

pub fn is_quick(d: &mut Duel, m: &Move) -> bool {
    let who = d.t.active;
    activate::is_quick(d, who, m)
}

/// Carries out an act that was found legal.
pub fn carry_out(d: &mut Duel, who: Seat, m: &Move) -> Flow {
    if m.verb == "ペンデュラム召喚" {
        return pendulum::summon(d, who);
    }
    let Some(card) = m.card else { return Ok(()) };
    match m.verb.as_str() {
        "召喚" => summon::summon(d, who, card, false),
        "セット" if lies_as(d, card, "モンスター") => summon::summon(d, who, card, true),
        "セット" => activate::set(d, who, card),
        "反転召喚" => summon::flip(d, who, card),
        "表示形式の変更" => summon::turn(d, who, card),
        "特殊召喚" => procedure::by_itself(d, who, card),
        "リンク召喚" | "エクシーズ召喚" | "シンクロ召喚" => procedure::summon(d, who, m.verb, card),
        "攻撃" => battle::attack(d, who, card),
        _ => activate::activate(d, who, m),
    }
}
