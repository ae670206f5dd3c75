//! 1.2, 3.3.16, 4.1.26: what kind of monster a card is.

use super::places::{inside, is_spell_zone};
use super::schema::{ABILITY, CLASS, CLASS_AT, EQUIP, LEVEL, LINK, MARKERS, SCALE, at, schema};
use crate::card::Word;
use crate::kernel::view::Data;
use crate::kernel::{Duel, Obj, Ref, Seen};

/// 2.4: the kinds that are kept in the extra deck.
pub const EXTRA: [&str; 4] = ["融合モンスター", "シンクロモンスター", "エクシーズモンスター", "リンクモンスター"];

/// The card is of the class.
pub fn is(seen: &Seen, class: &str) -> bool {
    seen.words(CLASS_AT).iter().any(|w| *w == class)
}

/// The same of a card on the table: asked more often than anything else.
pub fn lies_as(d: &mut Duel, card: Ref, class: &str) -> bool {
    is(d.glance(card), class)
}

fn words<'a>(seen: &'a Seen, datum: &str) -> &'a [Word] {
    at(datum).map_or(&[], |at| seen.words(at))
}

fn number(seen: &Seen, datum: &str) -> Option<i32> {
    at(datum).and_then(|at| seen.number(at))
}

pub fn level(seen: &Seen) -> Option<i32> {
    number(seen, LEVEL)
}

pub fn rating(seen: &Seen) -> Option<i32> {
    number(seen, LINK)
}

pub fn scale(seen: &Seen) -> Option<i32> {
    number(seen, SCALE)
}

pub fn markers(seen: &Seen) -> &[Word] {
    words(seen, MARKERS)
}

/// What is printed on the card, whatever it lies as.
pub fn printed(d: &Duel, card: Ref, class: &str) -> bool {
    classes(d, card).iter().any(|w| *w == class)
}

fn classes<'d>(d: &'d Duel, card: Ref) -> &'d [Word] {
    &d.given.defs[d.t.obj(card.id).def as usize].classes
}

/// It is a monster card, whatever it lies as.
pub fn is_monster_card(d: &Duel, card: Ref) -> bool {
    classes(d, card).iter().any(|w| w.ends_with("モンスター"))
}

/// C9: by another reading pendulum monsters are among those that come out only in the way laid down for them.
pub fn only_specially(d: &mut Duel, card: Ref) -> bool {
    special_only(&d.seen(card))
        || printed(d, card, "ペンデュラムモンスター") && d.reading(ygo!("C9", Reading), "a") == "b"
}

/// The card belongs in the extra deck.
pub fn of_extra_deck(d: &Duel, card: Ref) -> bool {
    EXTRA.iter().any(|class| printed(d, card, class))
}

/// 4.1.26.2, 3.3.16.2: a monster that comes out only in the way laid down for it.
pub fn special_only(seen: &Seen) -> bool {
    EXTRA.iter().any(|class| is(seen, class))
        || is(seen, "儀式モンスター")
        || words(seen, ABILITY).iter().any(|w| *w == "特殊召喚")
}

/// 1.2.2, 1.4.1.2: 速攻魔法 is a 魔法, 効果モンスター a モンスター. 4.1.18.2: a value that is not printed is 0, except for
/// those who have none (2.4.1.1).
pub fn derive(seen: &mut Seen) {
    let (class, _) = schema().data(CLASS).expect("a datum");
    if let Data::Words(words) = &mut seen.data[class] {
        if words.iter().any(|w| *w == "トークン") {
            words.push(Word("モンスター"));
        }
        // 4.1.9.1: an equip spell is an equip card.
        if words.iter().any(|w| *w == "装備魔法") {
            words.push(Word("装備カード"));
        }
        for whole in ["モンスター", "魔法", "罠"] {
            if words.iter().any(|w| w.ends_with(whole)) && !words.iter().any(|w| *w == whole) {
                words.push(Word(whole));
            }
        }
    }
    if is(seen, "モンスター") {
        let link = is(seen, "リンクモンスター");
        for name in [super::schema::ATTACK, super::schema::DEFENCE] {
            let (at, _) = schema().data(name).expect("a datum");
            if seen.data[at] == Data::None && !(link && name == super::schema::DEFENCE) {
                seen.data[at] = Data::Number(0);
            }
        }
        // 4.1.18.1: what is printed, before any effect.
        for (base, of) in schema().words.bases {
            let at = |name| schema().data(name).expect("a datum").0;
            seen.data[at(base)] = seen.data[at(of)].clone();
        }
    }
}

/// The forms in which a card can lie among spells and traps, by their place in [`forms`].
const EQUIPPED: usize = 0;
const SPELL: usize = 1;
const PENDULUM: usize = 2;

/// Which of them the card lies as.
pub fn form(obj: &Obj) -> Option<usize> {
    if !is_spell_zone(obj.zone) {
        return None;
    }
    Some(match obj.host {
        Some((how, _)) if how == EQUIP => EQUIPPED,
        _ if inside(obj.zone, Word("ペンデュラムゾーン")) => PENDULUM,
        _ => SPELL,
    })
}

/// 1.1.3.5, 3.3.22.1: an outer zone is a pendulum zone for what lies there as a pendulum, and for nothing else.
pub fn lies_in(seen: &Seen, place: Word) -> bool {
    place != "ペンデュラムゾーン" || is(seen, "ペンデュラムカード")
}

/// 4.1.9.1, 3.3.22.3, 4.1.1.4: what a card is among spells and traps: equipped, as a spell, in a pendulum zone.
pub fn forms(seen: &Seen) -> Vec<Seen> {
    let equipped = "装備カード";
    if is(seen, "モンスター") {
        let pendulum = is(seen, "ペンデュラムモンスター").then_some("ペンデュラムカード");
        return vec![
            as_spell(seen, Some(equipped), false),
            as_spell(seen, None, false),
            as_spell(seen, pendulum, pendulum.is_some()),
        ];
    }
    if !is(seen, "罠") {
        return Vec::new();
    }
    let mut worn = seen.clone();
    let (class, _) = schema().data(CLASS).expect("a datum");
    if let Data::Words(words) = &mut worn.data[class] {
        words.push(Word(equipped));
    }
    vec![worn]
}

/// 3.3.22.3, 3.3.22.4, 4.1.9.1: a monster card among spells and traps is a spell of no kind, and has only what is written
/// for that place; a scale only in a pendulum zone.
fn as_spell(seen: &Seen, kind: Option<&'static str>, pendulum: bool) -> Seen {
    let mut seen = seen.clone();
    let (scale, _) = schema().data(SCALE).expect("a datum");
    for at in (0..seen.data.len()).filter(|at| *at != scale || !pendulum) {
        seen.data[at] = Data::None;
    }
    let (class, _) = schema().data(CLASS).expect("a datum");
    seen.data[class] = Data::Words([Word("魔法")].into_iter().chain(kind.map(Word)).collect());
    let there = |place: &Word| *place == "魔法&罠ゾーン" || pendulum && *place == "ペンデュラムゾーン";
    seen.abilities.retain(|a| a.from.iter().any(there));
    seen
}
