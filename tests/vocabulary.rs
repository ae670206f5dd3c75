//! What the loader accepts is executed: every word of every vocabulary is known to the code that would carry it out.
//! A word that stands in the vocabulary alone passes the loader and does nothing, which is a wrong ruling waiting.

use std::path::Path;

use saitei::game::BOOKS;

/// The sources of a game without the vocabulary itself, but with the words that it names for others to use, and of the
/// kernel. Manners are carried by the kernel as they are written: what one text does, another waits for.
fn code(game: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut text = String::new();
    for folder in [root.join("game").join(game), root.join("kernel")] {
        let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
        paths.retain(|p| p.extension().is_some_and(|e| e == "rs"));
        paths.sort();
        for path in paths {
            let source = std::fs::read_to_string(&path).unwrap();
            let named = |line: &&str| !path.ends_with("schema.rs") || line.contains(": &str = ");
            text.extend(source.lines().filter(named).flat_map(|line| [line, "\n"]));
        }
    }
    text
}

#[test]
fn every_word_is_executed() {
    let mut idle = Vec::new();
    for book in BOOKS {
        let code = code(book.code());
        let words = book.schema().words;
        let kinds = words.values.iter().find(|(datum, _)| *datum == words.class).map_or(&[][..], |(_, w)| w);
        let lists: [(&str, &[&str]); 11] = [
            ("種類", kinds),
            ("出来事", words.events),
            ("行為", words.acts),
            ("役割", words.roles),
            ("付け方", words.attachments),
            ("上限", words.limits),
            ("タイミング", words.timings),
            ("期限", words.untils),
            ("キーワード", words.keywords),
            ("位置の関係", words.relations),
            ("マーカー", words.markers),
        ];
        for (list, words) in lists {
            // A word that ends another is told apart by it: 〜フェイズ開始時 is made from the phase.
            let known = |word: &str| code.contains(&format!("\"{word}\"")) || made(&code, word);
            for word in words.iter().filter(|word| !known(word)) {
                idle.push(format!("{}: {list}「{word}」", book.code()));
            }
        }
    }
    assert!(idle.is_empty(), "words that nothing executes:\n{}", idle.join("\n"));
}

/// The word is put together by the code: `format!("{phase}開始時")`.
fn made(code: &str, word: &str) -> bool {
    ["開始時", "終了時"].iter().any(|end| {
        word.strip_suffix(end)
            .is_some_and(|stem| code.contains(&format!("}}{end}\"")) && code.contains(&format!("\"{stem}\"")))
    })
}

#[test]
fn every_principle_is_answered() {
    for book in BOOKS {
        for question in saitei::kernel::Principle::ALL {
            // Whatever it says, its citations are of this game.
            for cite in book.says(*question).cites().into_iter().flatten() {
                assert_eq!(cite.game, book.code(), "{question:?}");
            }
        }
    }
}
