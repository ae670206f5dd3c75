//! The number reader on every clause there is, in every notation, and on anything at all.

use proptest::prelude::*;
use saitei::stock::rules;
use saitei::text::clause::steps;
use saitei::text::library::pack;
use saitei::text::{Game, Id, Library, Shelf, numbers, query, yaml};

fn library() -> Library {
    let (drafts, problems) = rules::load(env!("CARGO_MANIFEST_DIR").as_ref());
    assert!(problems.is_empty());
    Library::open(pack(&drafts).leak())
}

fn full_width(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_graphic() { char::from_u32(c as u32 + 0xFEE0).unwrap() } else { c }).collect()
}

fn kanji(text: &str) -> String {
    let digits: Vec<char> = "〇一二三四五六七八九".chars().collect();
    text.chars().map(|c| c.to_digit(10).map_or(c, |d| digits[d as usize])).collect()
}

/// A clause as people write it.
fn notations(clause: &str) -> Vec<String> {
    let steps: Vec<String> = steps(clause).iter().map(ToString::to_string).collect();
    let mut all = vec![
        clause.to_string(),
        full_width(clause),
        kanji(clause),
        format!("{clause}."),
        clause.to_uppercase(),
        steps.join("-"),
        steps.join("．"),
        steps.join("の"),
    ];
    if clause.starts_with(|c: char| c.is_ascii_digit()) {
        all.push(format!("0{clause}"));
    }
    if let [first, rest @ ..] = steps.as_slice() {
        all.push(format!("{first}{}", rest.iter().map(|s| format!("({s})")).collect::<String>()));
    }
    if let [part, chapter, rest @ ..] = steps.as_slice() {
        all.push(format!("第{part}部第{chapter}章{}", rest.join("-")));
        all.push(format!("{part}部 {chapter}章 {}", rest.join("－")).trim().to_string());
    }
    all
}

fn check(shelf: &Shelf, index: usize) {
    let clause = shelf.lines()[index].clause;
    for typed in notations(clause) {
        let query = format!("{} {typed}", shelf.game.code());
        let items = query::read(&query).unwrap_or_else(|| panic!("{query} is not read as a number"));
        let found = query::find(shelf, &items[0]);
        assert_eq!(found.first(), Some(&index), "{query}: {items:?}");
        let own = |&&i: &&usize| steps(shelf.lines()[i].clause) == steps(clause);
        assert_eq!(found.iter().filter(own).count(), 1, "{query} names one clause");
    }
}

#[test]
fn every_clause_in_every_notation() {
    let library = library();
    for shelf in library.shelves() {
        (0..shelf.lines().len()).for_each(|index| check(shelf, index));
    }
}

#[derive(serde::Deserialize)]
struct Notation {
    typed: String,
    expect: Id,
}

/// Whatever surrounds a number: names, politeness, blanks for dots, pages, words beside it.
#[test]
fn notations_of_people() {
    let library = library();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/notations.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    let (items, problems) = yaml::items::<Notation>(&path, &text, "notations");
    assert!(problems.is_empty(), "{problems:#?}");
    assert!(items.len() >= 200);
    for Notation { typed, expect } in items.into_iter().map(|item| item.value) {
        let found = numbers::look_up(&library, &typed, &Game::ALL).and_then(|numbers| numbers.found().next());
        let found = found.map(|found| library.shelf(found.game).id(found.index));
        assert_eq!(found, Some(expect), "{typed}");
    }
}

/// Numbers that name no clause are words.
#[test]
fn questions_are_no_numbers() {
    let library = library();
    for typed in
        ["手札 7枚", "2.5倍のダメージ", "1.5を選べるか", "ライフ 20", "3-1で勝った", "カードを2枚引く", "zx 手札の上限"]
    {
        let found = numbers::look_up(&library, typed, &Game::ALL).and_then(|numbers| numbers.found().next());
        assert_eq!(found, None, "{typed}");
    }
}

proptest! {
    #[test]
    fn anything_is_read_or_refused(typed in "\\PC{0,60}") {
        thread_local!(static LIBRARY: Library = library());
        let _ = query::read(&typed);
        LIBRARY.with(|library| numbers::look_up(library, &typed, &Game::ALL));
    }

    #[test]
    fn numbers_of_any_shape(typed in "(zx|dz|第)?[ :]?[0-9０-９一二十百.．\\-－部章の()#〜,、 a-c]{1,40}") {
        thread_local!(static LIBRARY: Library = library());
        if let Some(items) = query::read(&typed) {
            LIBRARY.with(|library| {
                for item in &items {
                    for shelf in library.shelves() {
                        for index in query::find(shelf, item) {
                            prop_assert!(index < shelf.lines().len());
                        }
                    }
                    prop_assert!(query::nearest(library, item.game, &item.from, 3).len() <= 3);
                }
                Ok(())
            })?;
        }
    }
}
