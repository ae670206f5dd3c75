//! The number reader on every clause there is, in every notation, and on anything at all.

use proptest::prelude::*;
use saitei::text::clause::steps;
use saitei::text::library::pack;
use saitei::text::{Library, Shelf, load, query};

fn library() -> Library {
    let (drafts, problems) = load::load(env!("CARGO_MANIFEST_DIR").as_ref());
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

proptest! {
    #[test]
    fn anything_is_read_or_refused(typed in "\\PC{0,60}") {
        let _ = query::read(&typed);
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
