//! 1.2, 3.3.16, 4.1.26: what kind of monster a card is.

use super::schema::{ABILITY, CLASS, LEVEL, LINK, MARKERS, SCALE, schema};
use crate::card::{Datum, Word};
use crate::kernel::view::Data;
use crate::kernel::{Duel, Ref, Seen};

/// 2.4: the kinds that are kept in the extra deck.
pub const EXTRA: [&str; 4] = ["融合モンスター", "シンクロモンスター", "エクシーズモンスター", "リンクモンスター"];

/// The card is of the class.
pub fn is(seen: &Seen, class: &str) -> bool {
    words(seen, CLASS).iter().any(|w| *w == class)
}

fn words<'a>(seen: &'a Seen, datum: &str) -> &'a [Word] {
    schema().data(datum).map_or(&[], |(at, _)| seen.words(at))
}

fn number(seen: &Seen, datum: &str) -> Option<i32> {
    schema().data(datum).and_then(|(at, _)| seen.number(at))
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
    match d.card(card).data.get(&Word::new(CLASS)) {
        Some(Datum::Words(words)) => words.iter().any(|w| *w == class),
        _ => false,
    }
}

/// It is a monster card, whatever it lies as.
pub fn is_monster_card(d: &Duel, card: Ref) -> bool {
    match d.card(card).data.get(&Word::new(CLASS)) {
        Some(Datum::Words(words)) => words.iter().any(|w| w.ends_with("モンスター")),
        _ => false,
    }
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
    }
}

/// 3.3.22.3, 3.3.22.4, 4.1.9.1: a monster card among spells and traps is a spell of no kind, and has only what is written
/// for that place.
pub fn as_spell(seen: &mut Seen) -> bool {
    if !is(seen, "モンスター") {
        return false;
    }
    let pendulum = is(seen, "ペンデュラムモンスター");
    let (scale, _) = schema().data(SCALE).expect("a datum");
    for at in (0..seen.data.len()).filter(|at| *at != scale) {
        seen.data[at] = Data::None;
    }
    let (class, _) = schema().data(CLASS).expect("a datum");
    let kind = if pendulum { "ペンデュラムカード" } else { "装備カード" };
    seen.data[class] = Data::Words(vec![Word("魔法"), Word(kind)]);
    let there = |place: &Word| matches!(place.as_str(), "ペンデュラムゾーン" | "魔法&罠ゾーン");
    seen.abilities.retain(|a| a.from.iter().any(there));
    true
}
