//! Search under bad conditions: hostile queries, a damaged or unwritable cache, two processes at once.

mod small;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::time::Instant;

use saitei::search::bundle::Bundle;
use saitei::search::index::build;
use saitei::search::{Filter, Searcher};
use saitei::stock::index;
use saitei::stock::rules;
use saitei::text::library::pack;
use saitei::text::{Game, Id, Library};

fn library() -> Library {
    let (drafts, problems) = rules::load(env!("CARGO_MANIFEST_DIR").as_ref());
    assert!(problems.is_empty());
    Library::open(pack(&drafts).leak())
}

/// The library with its index, built once for all tests.
fn indexed() -> &'static (Library, Bundle) {
    static INDEXED: LazyLock<(Library, Bundle)> = LazyLock::new(|| {
        let library = library();
        let bundle = Bundle::checked(build(&library, &|_, _| None).unwrap().leak()).unwrap();
        (library, bundle)
    });
    &INDEXED
}

fn best(library: &Library, bundle: Bundle, query: &str) -> Option<Id> {
    let searcher = Searcher::open(library, bundle).unwrap();
    let filter = Filter { games: vec![Game::from_code("zx").unwrap()], ..Filter::default() };
    let answer = searcher.find(query, &filter).unwrap();
    answer.hits.first().map(|h| library.shelf(h.game).id(h.position))
}

/// The same numbers every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

const HOSTILE: [&str; 28] = [
    "",
    " ",
    "　",
    "\0",
    "\u{7f}\u{1b}[31m",
    "\"",
    "「",
    "」「",
    "『』",
    "\"\"",
    "-",
    "--",
    "- -",
    "-手札",
    "*",
    ".*",
    "(((",
    "a AND b OR NOT c",
    "text:優先権^5 +x -y",
    "[a TO z]",
    "😀🎴🃏",
    "👨‍👩‍👧‍👦",
    "\u{202e}手札",
    "e\u{301}\u{301}\u{301}",
    "ﷺ",
    "＼／：＊？",
    "%00%ff",
    "'; DROP TABLE rules; --",
];

#[test]
fn ten_thousand_hostile_queries() {
    let (library, bundle) = indexed();
    let searcher = Searcher::open(library, bundle.clone()).unwrap();
    let words: Vec<&str> =
        "手札 山札 優先権 「対象」 -効果 ？ できますか 102.4 ゼクス ABC ｱｲｳ \" ー 々 の が 😀".split(' ').collect();
    let mut dice = Dice(5);
    let mut queries: Vec<String> = HOSTILE.iter().map(ToString::to_string).collect();
    queries.push("優先権".repeat(120_000));
    queries.push("「".repeat(300_000));
    queries.push("a ".repeat(500_000));
    while queries.len() < 10_000 {
        let count = dice.roll(6) + 1;
        let piece = |dice: &mut Dice| match dice.roll(3) {
            0 => words[dice.roll(words.len())].to_string(),
            1 => char::from_u32(dice.roll(0x30000) as u32).unwrap_or('\u{fffd}').to_string(),
            _ => HOSTILE[dice.roll(HOSTILE.len())].to_string(),
        };
        queries.push((0..count).map(|_| piece(&mut dice)).collect());
    }
    let zx = Filter { games: vec![Game::from_code("zx").unwrap()], ..Filter::default() };
    for (i, query) in queries.iter().enumerate() {
        let began = Instant::now();
        let filter = if i % 50 == 0 { Filter::default() } else { zx.clone() };
        let answer = searcher.find(query, &filter).unwrap();
        assert!(answer.hits.iter().all(|h| h.score.is_finite()), "{query:?}");
        assert!(
            began.elapsed().as_secs() < 5,
            "{:?} took {:?}",
            query.chars().take(40).collect::<String>(),
            began.elapsed()
        );
    }
}

/// What is told of a hit is all there is: the figures multiply out, and the hits stand in their order.
#[test]
fn reasons_multiply_out() {
    let (library, bundle) = indexed();
    let searcher = Searcher::open(library, bundle.clone()).unwrap();
    let zx = Game::from_code("zx").unwrap();
    for query in ["優先権", "手札の上限は何枚？", "「カードを1枚引く」で山札がなかったら負け？", "zx 降参"]
    {
        for (games, likely) in [(vec![zx], None), (vec![], None), (vec![], Some(zx))] {
            let answer = searcher.find(query, &Filter { games, likely, ..Filter::default() }).unwrap();
            assert!(answer.hits.len() > 5, "{query}");
            assert!(answer.hits.is_sorted_by(|a, b| a.score >= b.score), "{query}");
            for hit in &answer.hits {
                let product = hit.bm25 * hit.factors.iter().product::<f32>();
                assert!((product / hit.score - 1.0).abs() < 1e-3, "{query}: {product} {}", hit.score);
            }
        }
    }
}

/// A question finds the clause that means it, though they have hardly a word in common: the lines that people ask, and
/// clauses beside it, say what the words have to do with one another.
#[test]
fn words_of_one_matter_point_the_same_way() {
    let (library, bundle) = indexed();
    let sense = bundle.sense();
    let shelf = library.shelf(Game::from_code("dz").unwrap());
    let at = |clause: &str| (0..shelf.lines().len()).find(|&i| shelf.lines()[i].clause == clause).unwrap();
    for (asked, clause, other) in
        [("山の残りがもうない", "3.3.2", "4.6.1"), ("ぐるぐる回って終わらない", "4.18.1", "2.7.1")]
    {
        let pointing = sense.of(asked);
        assert!(sense.near(&pointing, at(clause)) > sense.near(&pointing, at(other)), "{asked}");
    }
}

/// Words that are nobody's share some syllables with any sentence; that is no answer. Kana that mean something are one.
#[test]
fn nonsense_finds_nothing() {
    let (library, bundle) = indexed();
    let searcher = Searcher::open(library, bundle.clone()).unwrap();
    let found = |query: &str| !searcher.find(query, &Filter::default()).unwrap().hits.is_empty();
    for nonsense in ["ぬるぽがふんげろ", "むにゃむにゃもにょ", "らりるれろ", "ズンドコベロンチョ", "qwerty", "鯖鮪鰯"]
    {
        assert!(!found(nonsense), "{nonsense}");
    }
    for sense in ["やまふだがなくなったら", "てふだのうえ", "おなじなまえのかーど", "ひきわけ"]
    {
        assert!(found(sense), "{sense}");
    }
}

/// What another game does is in none of the documents; what is only likened to it may be.
#[test]
fn other_games_are_not_ours() {
    let (library, bundle) = indexed();
    let searcher = Searcher::open(library, bundle.clone()).unwrap();
    for game in Game::ALL {
        let answered = |query: &str| {
            let filter = Filter { games: vec![game], ..Filter::default() };
            searcher.find(query, &filter).unwrap().answered
        };
        for query in [
            "デュエマのシールドトリガー",
            "ポケカのサイドの枚数",
            "MTGのスタックの解決順",
            "ヴァンガードで手札の上限は？",
        ] {
            assert!(!answered(query), "{} {query}", game.code());
        }
        for query in ["降参するとどうなる？", "ポケカみたいに降参できる？", "デュエマと同じで降参するとどうなる？"]
        {
            assert_eq!(answered(query), answered("降参するとどうなる？"), "{} {query}", game.code());
        }
    }
}

/// Three clauses: quick to index again and again.
const THREE: &str = "nodes:\n- id: zx:700\n  kind: heading\n  title: 進行\n- id: zx:701\n  kind: heading\n  title: 基本\n- id: \
    zx:701.1\n  kind: meaning\n  text: 優先権とは、行動できる権利。\n";

#[test]
fn a_damaged_index_is_built_anew() {
    let library = small::library_of("zx", "700", THREE);
    let dir = tempfile::tempdir().unwrap();
    let open = || index::open(&library, b"stamp", &|_, _| None, Some(dir.path())).unwrap();
    let expected = best(&library, open(), "優先権");
    assert_eq!(expected.as_ref().map(ToString::to_string).as_deref(), Some("zx:701.1"));
    let file = fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read(&file).unwrap();
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        bytes
    };
    let damages: Vec<Vec<u8>> = vec![
        Vec::new(),
        vec![0; 7],
        vec![0xff; 4096],
        whole[..whole.len() / 2].to_vec(),
        whole[..whole.len() - 1].to_vec(),
        [whole.clone(), vec![0]].concat(),
        flipped(0),
        flipped(whole.len() / 3),
        flipped(whole.len() - 3),
        b"not an index at all".repeat(1000),
    ];
    assert_eq!(damages.len(), 10);
    for (i, damage) in damages.into_iter().enumerate() {
        fs::write(&file, damage).unwrap();
        assert_eq!(best(&library, open(), "優先権"), expected, "damage {i}");
        assert!(Bundle::checked(fs::read(&file).unwrap().leak()).is_some(), "damage {i} was mended on disk");
    }
    // A file where the directory should be, and no directory at all: built in memory.
    for dir in [Some(file.as_path()), Some(Path::new("/proc/no/such")), None] {
        let bundle = index::open(&library, b"stamp", &|_, _| None, dir).unwrap();
        assert_eq!(best(&library, bundle, "優先権"), expected, "{dir:?}");
    }
}

fn find(home: &Path, cache: &Path, query: &str) -> Output {
    let data = env!("CARGO_MANIFEST_DIR");
    Command::new(env!("CARGO_BIN_EXE_saitei"))
        .args(["--data", data, "find", "-g", "zx", "--json", query])
        .env("SAITEI_HOME", home)
        .env("SAITEI_CACHE", cache)
        .output()
        .unwrap()
}

#[test]
fn two_processes_build_at_once() {
    let (home, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let outputs: Vec<Output> = std::thread::scope(|scope| {
        let run = || find(home.path(), cache.path(), "優先権");
        let runs: Vec<_> = (0..2).map(|_| scope.spawn(run)).collect();
        runs.into_iter().map(|r| r.join().unwrap()).collect()
    });
    for output in outputs {
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(value["hits"][0]["id"], "zx:701.1");
    }
    let left: Vec<_> = fs::read_dir(cache.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 1, "{left:?}");
}
