//! What the loader accepts is executed: every word of every vocabulary is known to the code that would carry it out.
//! A word that stands in the vocabulary alone passes the loader and does nothing, which is a wrong ruling waiting.

use std::path::Path;

use saitei::game::BOOKS;

/// The sources of a game without the vocabulary itself, but with the words that it names for others to use, and of the
/// kernel. Manners and markers are carried by the kernel as they are written: what one text does, another looks for.
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
        let lists: [(&str, &[&str]); 10] = [
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
        ];
        for (list, words) in lists {
            for word in words.iter().filter(|word| !known(&code, list, word) && !told_apart(book.code(), word)) {
                idle.push(format!("{}: {list}「{word}」", book.code()));
            }
        }
    }
    assert!(idle.is_empty(), "words that nothing executes:\n{}", idle.join("\n"));
}

/// The code names the word, makes it from a part (`format!("{phase}開始時")`), takes a part off it
/// (`strip_suffix("オドを生み出す")`), or knows the whole to which a kind belongs: 通常モンスター is a モンスター.
fn known(code: &str, list: &str, word: &str) -> bool {
    let tails = word.char_indices().skip(1).map(|(at, _)| word.split_at(at));
    code.contains(&format!("\"{word}\""))
        || tails.into_iter().any(|(stem, tail)| {
            code.contains(&format!("}}{tail}\"")) && code.contains(&format!("\"{stem}\""))
                || code.contains(&format!("strip_suffix(\"{tail}\")"))
                || list == "種類" && code.contains(&format!("\"{tail}\""))
        })
}

/// Words that the code tells apart by naming the others of their list.
fn told_apart(game: &str, word: &str) -> bool {
    // 誘発即時 is every activated effect that is not 起動; 場合 is what is not 時. A counter of any name is counted by its
    // name, as those that the rules name are.
    [("ygo", "誘発即時"), ("ygo", "場合"), ("nova", "～カウンター")].contains(&(game, word))
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

/// What boards may name as an act is what the rules have as one.
#[test]
fn verbs_are_those_of_the_rows() {
    for book in BOOKS.iter().filter(|book| !book.verbs().is_empty()) {
        let mut rows: Vec<&str> = book.verbs().iter().map(|verb| verb.name).collect();
        let mut names = book.schema().customs.verbs.to_vec();
        rows.sort_unstable();
        rows.dedup();
        names.sort_unstable();
        assert_eq!(rows, names, "{}", book.code());
    }
}
