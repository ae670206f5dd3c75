//! 006.1, 007.1: how a deck is put together. Everything that is wrong with it, each with its clause.

use super::places::zone;
use super::schema::KIND;
use crate::card::{Card, Datum, Word};
use crate::game::deck::Deck;
use crate::kernel::verb::{Allowed, no};
use crate::kernel::{Asks, Cite, Duel, Flow, Move, Question, Seat};

/// 006.1: the player says that this is the deck; what is wrong with it refuses that.
pub fn bring(d: &mut Duel, seat: Seat) -> Flow {
    let says = Move { verb: Word("デッキ"), ..Move::PASS };
    let mut moves = vec![Move::PASS];
    if may_bring(d, seat, &says).is_ok() {
        moves.push(says);
    }
    d.give_priority(Some(seat));
    let question = Question::new(seat, Word("行動"), Asks::Act(moves)).citing(nova!("006.1", Frame));
    d.trace.reach(nova!("006.1", Frame));
    d.put(&question)?;
    d.give_priority(None);
    Ok(())
}

/// 006.1.1–006.1.4, 007.1.
pub fn may_bring(d: &mut Duel, seat: Seat, _: &Move) -> Allowed {
    let wrong = wrong(d, seat);
    let all: Vec<String> = wrong.iter().map(|(c, why)| format!("{why}（{}）", c.clause)).collect();
    wrong.first().map_or(Ok(()), |(cite, _)| no(cite, all.join("、")))
}

fn wrong(d: &Duel, seat: Seat) -> Vec<(&'static Cite, String)> {
    let printed = |name: &str| -> Vec<&Card> {
        d.t.zone(zone(name, seat)).iter().map(|id| &*d.given.defs[d.t.obj(*id).def as usize].card).collect()
    };
    let (main, extra, side) = (printed("デッキ"), printed("キャラデッキ"), printed("サイドデッキ"));
    let brought = Deck { main, extra, side, ..Deck::default() };
    problems(&brought).into_iter().filter(|(cite, _)| d.on(cite)).collect()
}

/// 006.1.1–006.1.4, 007.1: main deck, character deck (`extra`) and side deck.
pub fn problems(brought: &Deck) -> Vec<(&'static Cite, String)> {
    let (main, characters, side) = (&brought.main, &brought.extra, &brought.side);
    let mut found: Vec<(&'static Cite, String)> = Vec::new();
    let mut check = |bad: bool, cite: &'static Cite, text: String| {
        if bad {
            found.push((cite, text));
        }
    };
    let n = main.len();
    check(!(40..=60).contains(&n), nova!("006.1.1", Limit), format!("メインデッキは40枚から60枚（{n}枚ある）"));
    let foreign = names_of(main, |c| !is(c, &["サーバント", "スペル", "マジックアイテム"]));
    for name in foreign {
        check(true, nova!("006.1.1", Limit), format!("「{name}」はメインデッキに入れられない"));
    }
    // 101.2: it is the name that counts.
    for (name, n) in more_than(main, 4) {
        check(true, nova!("006.1.2", Limit), format!("メインデッキの「{name}」は4枚まで（{n}枚ある）"));
    }
    let n = characters.len();
    check(n > 10, nova!("006.1.3", Limit), format!("キャラデッキは10枚まで（{n}枚ある）"));
    for name in names_of(characters, |c| !is(c, &["キャラクター"])) {
        check(true, nova!("006.1.3", Limit), format!("「{name}」はキャラデッキに入れられない"));
    }
    for (name, n) in more_than(characters, 3) {
        check(true, nova!("006.1.4", Limit), format!("キャラデッキの「{name}」は3枚まで（{n}枚ある）"));
    }
    let n = side.len();
    check(n > 15, nova!("007.1", Limit), format!("サイドデッキは15枚まで（{n}枚ある）"));
    found
}

/// The card is of one of the kinds. Of a card without data nothing is known, and it is not held against it.
fn is(card: &Card, kinds: &[&str]) -> bool {
    match card.data.get(&Word(KIND)) {
        Some(Datum::Words(words)) => words.iter().any(|w| kinds.contains(&w.as_str())),
        _ => card.data.is_empty(),
    }
}

fn names_of(cards: &[&Card], wanted: impl Fn(&Card) -> bool) -> Vec<Word> {
    let mut names: Vec<Word> = Vec::new();
    for card in cards.iter().filter(|c| wanted(c)) {
        if !names.contains(&card.name) {
            names.push(card.name);
        }
    }
    names
}

/// Names of which there are more than so many. Ruby and rarity make no other name (101.1.1, 116.2).
fn more_than(cards: &[&Card], most: usize) -> Vec<(Word, usize)> {
    let counted = |name: Word| (name, cards.iter().filter(|c| c.name == name).count());
    names_of(cards, |c| c.name != Card::NAMELESS).into_iter().map(counted).filter(|(_, n)| *n > most).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::card::load;

    /// The clauses broken by so many copies of these cards.
    fn broken(main: &[(&str, usize)], characters: &[(&str, usize)], side: &[(&str, usize)]) -> Vec<&'static str> {
        let text = "cards:\n\
            - {name: 火の狼, data: {種類: サーバント, エナジーコスト: 赤1, 色: 赤, 攻撃力: 100, 体力: 100}}\n\
            - {name: 女王, data: {種類: キャラクター, 色: 白, キャラクターレベル: 1}}\n\
            - {name: 呪文, data: {種類: スペル, エナジーコスト: 赤1, 色: 赤}}\n";
        let (cards, problems) = load::cards(Path::new("cards"), text, &super::super::schema::schema().words);
        assert!(problems.is_empty(), "{problems:?}");
        // 「呪文3」 is another spell than 「呪文4」.
        let made = |list: &[(&str, usize)]| -> Vec<Card> {
            let one = |name: &str| {
                let kind = name.trim_end_matches(char::is_numeric);
                let known = cards.iter().find(|c| c.value.name == kind).expect("a card of the test");
                Card { name: Word::new(name), ..known.value.clone() }
            };
            list.iter().flat_map(|(name, n)| std::iter::repeat_n(one(name), *n)).collect()
        };
        let (main, characters, side) = (made(main), made(characters), made(side));
        let deck = Deck {
            main: main.iter().collect(),
            side: side.iter().collect(),
            extra: characters.iter().collect(),
            ..Deck::default()
        };
        super::problems(&deck).into_iter().map(|(cite, _)| cite.clause).collect()
    }

    fn spells(n: usize) -> Vec<(&'static str, usize)> {
        let names = [
            "呪文1", "呪文2", "呪文3", "呪文4", "呪文5", "呪文6", "呪文7", "呪文8", "呪文9", "呪文10", "呪文11",
            "呪文12", "呪文13", "呪文14", "呪文15",
        ];
        let mut left = n;
        let mut list = Vec::new();
        for name in names {
            let copies = left.min(4);
            list.push((name, copies));
            left -= copies;
        }
        list
    }

    /// The lists of the blind trial N02.
    #[test]
    fn decks() {
        let with = |n: usize, more: &[(&'static str, usize)]| [&spells(n)[..], more].concat();
        assert_eq!(broken(&with(36, &[("火の狼", 4), ("火の狼", 1)]), &[], &[]), ["006.1.2"]);
        assert_eq!(broken(&spells(60), &[], &[]), [""; 0]);
        assert_eq!(broken(&spells(39), &[], &[]), ["006.1.1"]);
        assert_eq!(broken(&spells(40), &[("女王", 4), ("女王1", 3), ("女王2", 3)], &[]), ["006.1.4"]);
        assert_eq!(broken(&spells(40), &[("女王", 3), ("女王1", 3), ("女王2", 3), ("女王3", 2)], &[]), ["006.1.3"]);
        assert_eq!(broken(&with(44, &[("女王", 1)]), &[], &[]), ["006.1.1"]);
        assert_eq!(broken(&spells(40), &[], &[("呪文1", 16)]), ["007.1"]);
        let ten = [("女王", 3), ("女王1", 3), ("女王2", 3), ("女王3", 1)];
        assert_eq!(broken(&spells(40), &ten, &[("呪文1", 15)]), [""; 0]);
        assert_eq!(broken(&spells(40), &[("呪文1", 1)], &[]), ["006.1.3"]);
    }
}
