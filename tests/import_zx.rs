//! The grammar of Z/X: on a small document of our own that has every irregularity of the real one, on the real one
//! where it is at hand, and on damaged ones.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use saitei::import::{Official, OfficialNode, SourceLine, zx};

const DOCUMENT: &str = include_str!("documents/zx.md");

fn lines(text: &str) -> Vec<SourceLine> {
    text.split('\n').enumerate().map(|(i, line)| SourceLine { number: i + 1, text: line.to_string() }).collect()
}

fn read(text: &str) -> Official {
    zx::read(&lines(text)).unwrap_or_else(|stop| panic!("{stop:?}"))
}

fn node<'a>(official: &'a Official, clause: &str) -> &'a OfficialNode {
    let found = official.nodes.iter().find(|n| n.id.clause.as_str() == clause);
    found.unwrap_or_else(|| panic!("no {clause}"))
}

/// `702 207.3~207.4`
fn refs(node: &OfficialNode) -> String {
    let show = |r: &saitei::import::PrintedRef| r.until.as_ref().map_or(r.from.clone(), |u| format!("{}~{u}", r.from));
    node.refs.iter().map(show).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_edition_is_on_the_title_page() {
    let official = read(DOCUMENT);
    assert_eq!(official.title.as_deref(), Some("Z/X 総合ルール"));
    assert_eq!(official.edition, "Ver. 9.1.0");
    assert_eq!(official.date.as_deref(), Some("2031-04-05"));
}

#[test]
fn every_number_is_a_node_and_nothing_else() {
    let official = read(DOCUMENT);
    let clauses: Vec<&str> = official.nodes.iter().map(|n| n.id.clause.as_str()).collect();
    let expected = "100 101 101.1 101.2 101.3 102 102.1 102.2 102.2a 102.3 \
        200 201 201.1 201.2 201.3 201.4 201.5 202 202.1 202.2 202.2a 202.3 202.3a 202.4 \
        300 301 301.1 301.1a 301.1b 301.1c 301.1d 301.1e 301.1f 301.1g 301.1h 301.1i 301.1j 301.1k 301.1l 301.1m \
        302 302.1 302.1a 302.1b 302.2 303 303.1 303.2 303.3 303.4 304 304.2 304.4 305 305.1 305.2 \
        306 306.1 306.1a 306.1b 306.2 307 307.1 307.2 A";
    assert_eq!(clauses, expected.split_whitespace().collect::<Vec<_>>());
    let printed: Vec<_> =
        official.nodes.iter().filter_map(|n| Some((n.id.clause.as_str(), n.printed.as_deref()?))).collect();
    assert_eq!(printed, [("301.1l", "301.11"), ("305.2", "番号なし"), ("306.1", "番号なし"), ("A", "付録 A")]);
}

#[test]
fn headings_have_a_title_and_no_text() {
    let official = read(DOCUMENT);
    for (clause, title) in
        [("100", "席につく前に"), ("102", "人"), ("307", "休み明け"), ("202.2", "星の印"), ("202.3", "月の印")]
    {
        assert_eq!(
            (node(&official, clause).title.as_deref(), node(&official, clause).text.as_str()),
            (Some(title), "")
        );
    }
    assert_eq!(node(&official, "306.1").text, "", "a clause that is not printed has no text");
    assert_eq!(node(&official, "102.2").title, None, "a sentence that lacks its full stop is no title");
}

#[test]
fn text_is_put_together() {
    let official = read(DOCUMENT);
    for (clause, line, text) in [
        ("101.1", 16, "卓には2人 (102.1)が向かい合って座ります。"),
        ("101.3", 18, "卓を離れた人は、この卓の勝負を続けられません。ただし、審判が呼んだ場合を除きます。"),
        (
            "201.1",
            44,
            "札の種類は「ひかり」「ひかりエクストラ」ではなく、「ゼクス」「ゼクス エクストラ」「プレイヤー エクストラ」です。",
        ),
        ("201.2", 45, "札の印は以下の3種です。\n◆ 《丸》三角四角"),
        ("201.3", 49, "種類の一部に丸印の ※ がある事があります。"),
        ("201.4", 50, "印の高さが、札の珍しさを表します。\n※参考の表\n印 珍しさ\nい ふつう\nろ+ たいへん珍しい"),
        ("202.2a", 65, "星の印は1つだけ書かれます。文では★で示されます。"),
        ("202.3a", 69, "月の印を持つ札には、肩に月の印(右図)が描かれています。"),
        ("301.1c", 84, "はを行います。"),
        ("302.1", 98, "手番の流れは、以下のとおりです。\n朝(303)\n昼(304)\n夜(305)"),
        ("302.1a", 102, "夜は昼(304)の後です。"),
        ("302.1b", 102, "朝は昼の前です。"),
        (
            "302.2",
            103,
            "夜のうちにする事が重なった時は、下記の順番で行います。\n1,札を数える=札を分ける\n2,札を配る\n3.手を洗う\n4,席を替える\n10. 灯を消す",
        ),
        (
            "303.1",
            113,
            "朝は札を起こします。同じ札を2度起こしても、1度と数えます。また、その札が倒れていない場合、何も起こりません。",
        ),
        ("303.3", 125, "払った物は、303.2 で選んだ物を除いて戻ります。"),
        ("304.4", 134, "《北の王 ラダン》は《北の王 ラダン》と同じです(303.2 b)。"),
        ("305.2", 141, "何枚も伏せる時は、1枚ずつ伏せます。"),
        ("306.2", 148, "休みの終わりは夜の終わりです。"),
        ("307.1", 152, "休み明けは朝から始めます。"),
        ("307.2", 153, "「休み明け」は「朝札を起こす。昼札を使う。」を意味します。"),
        ("A", 157, "下の番号の札は、右の名で呼びます。\n番号 名\nAA-01 ミラ\nAA-02 ラダン\nAA-03 ソロ\nAA-04 キキ"),
    ] {
        assert_eq!((node(&official, clause).line, node(&official, clause).text.as_str()), (line, text), "{clause}");
    }
}

#[test]
fn examples_are_taken_out() {
    let official = read(DOCUMENT);
    for (clause, examples) in [
        (
            "102.1",
            &["卓の横で見ている人は、この章の人ではありません。", "途中で席を立った人は、戻るまで数えません。"][..],
        ),
        ("303.1", &["札を1枚起こします。", "札を2枚起こす時は、1枚ずつ起こ"]),
        (
            "303.2",
            &[
                "「[赤][0]」の札は、何も払いません。",
                "「[赤青][1]」の札は、赤か青の札1枚で払います。どちらで払うかはその人の自由です。",
            ],
        ),
        ("304.4", &["例外はありません。"]),
        ("303.3", &[]),
    ] {
        assert_eq!(node(&official, clause).examples, examples, "{clause}");
    }
}

#[test]
fn references_are_numbers_that_mean_clauses() {
    let official = read(DOCUMENT);
    for (clause, meant) in [
        ("101.1", "102.1"),
        ("102.3", "102.2a 102.2 102.1"),
        ("201.5", "A"),
        ("202.4", "202.2~202.3"),
        ("302.1", "303 304 305"),
        ("304.2", "301"),
        ("304.4", "303.2b"),
    ] {
        assert_eq!(refs(node(&official, clause)), meant, "{clause}");
    }
}

#[test]
fn the_history_is_kept_apart() {
    let official = read(DOCUMENT);
    let read: Vec<_> =
        official.history.iter().map(|e| (e.version.as_str(), e.date.as_str(), e.text.as_str())).collect();
    assert_eq!(
        read,
        [
            ("1.0", "2030-01-09", "はじめての版"),
            ("1.0.1", "2030-03-02", "301.2 を削除しました。\n休みを作りました。"),
            ("9.1.0", "2031-04-05", "101 卓を直しました。"),
        ]
    );
}

#[test]
fn plain_text_reads_the_same() {
    let bare = |line: &str| line.trim_start_matches(['#', '-', ' ', '>']).replace("**", "");
    let plain: String = DOCUMENT.split('\n').map(|line| bare(line) + "\n").collect();
    let clauses = |text: &str| read(text).nodes.iter().map(|n| n.id.clause.to_string()).collect::<BTreeSet<_>>();
    let lost: Vec<String> = clauses(DOCUMENT).difference(&clauses(&plain)).cloned().collect();
    assert_eq!(lost, ["305.2"], "only a list item can be seen to lack its number");
}

#[test]
fn one_misread_number_costs_no_other() {
    let clauses = |text: &str| read(text).nodes.iter().map(|n| n.id.clause.to_string()).collect::<BTreeSet<_>>();
    let before = clauses(DOCUMENT);
    for (right, wrong, lost) in [
        ("- **102.2a** 手番", "- **120.2a** 手番", &["102.2a"][..]),
        ("- 301.1b ろ", "- 801.1b ろ", &[]),
        ("### 202 印", "### 220 印", &["202"]),
        ("### 202 印", "## 2O2 印", &["202"]),
        ("# 300 しくみ", "# 3OO しくみ", &["300"]),
        ("### 304 昼", "昼", &["304"]),
        ("300 しくみ\t4", "300 しくみ 4", &[]),
        ("100 席につく前に\t1", "100 席につく前に 1", &[]),
    ] {
        assert!(DOCUMENT.contains(right), "{right}");
        let after = clauses(&DOCUMENT.replacen(right, wrong, 1));
        assert_eq!(before.difference(&after).collect::<Vec<_>>(), lost, "{wrong}");
    }
}

#[test]
fn what_is_no_such_document_is_refused() {
    for text in ["", "\n\n", "こんにちは。", "# 100 席につく前に\n\n## 101 卓\n", "1.1 番号が違う。"]
    {
        let stop = zx::read(&lines(text)).unwrap_err();
        assert!(stop.message.contains("101.1"), "{stop:?}");
    }
}

#[test]
fn the_real_document() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/sources/zx.txt");
    let Ok(text) = fs::read_to_string(&path) else {
        eprintln!("NOT RUN: {} is not here, so the real Z/X document was not read", path.display());
        return;
    };
    let official = read(&text);
    assert_eq!((official.edition.as_str(), official.date.as_deref()), ("Ver. 6.8.0", Some("2025-10-23")));
    let ids: HashSet<_> = official.nodes.iter().map(|n| &n.id).collect();
    assert_eq!((official.nodes.len(), ids.len()), (897, 897), "no number twice");
    let (headings, clauses): (Vec<&OfficialNode>, Vec<_>) = official
        .nodes
        .iter()
        .filter(|n| n.printed.as_deref() != Some("番号なし"))
        .partition(|n| !n.id.clause.as_str().contains('.'));
    let (parts, sections): (Vec<_>, Vec<_>) =
        headings.into_iter().filter(|n| n.printed.is_none()).partition(|n| n.id.clause.as_str().ends_with("00"));
    assert_eq!((parts.len(), sections.len(), clauses.len()), (12, 151, 731));
    assert!(parts.iter().chain(&sections).all(|n| n.title.is_some() && n.text.is_empty()));
    let printed: Vec<_> =
        official.nodes.iter().filter_map(|n| Some((n.id.clause.as_str(), n.printed.as_deref()?))).collect();
    assert_eq!(printed, [("402.1l", "402.11"), ("1009.2", "番号なし"), ("1013.1", "番号なし"), ("A", "付録 A")]);
    let empty = clauses.iter().filter(|n| n.text.is_empty());
    assert!(empty.clone().all(|n| n.title.is_some()) && empty.count() == 10, "only the icons of 207 are mere titles");
    let all: Vec<_> = official.nodes.iter().flat_map(|n| &n.refs).collect();
    let ends = all.iter().filter(|r| r.from != "A").count() + all.iter().filter(|r| r.until.is_some()).count();
    assert_eq!(ends, 254, "both ends of the one range count");
    assert_eq!(all.iter().filter(|r| r.from == "A").count(), 1);
    assert_eq!(official.nodes.iter().map(|n| n.examples.len()).sum::<usize>(), 44);
    assert_eq!(official.history.len(), 92);
    assert_eq!((official.history[0].version.as_str(), official.history[91].date.as_str()), ("1.0.0", "2025-10-23"));
    let rows = node(&official, "A").text.lines().count();
    assert_eq!(rows, 1 + 1 + 85, "the sentence, the head of the table and its rows");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_read_or_refused(text in "([0-9]{3}\\.[0-9][a-z]?|[#*> |<\\[\\]()&\t-]|例:|。|「|《|[ぁ-ん一-龠]|\n|\\PC){0,200}") {
        let _ = zx::read(&lines(&text));
    }

    #[test]
    fn damage_is_survived(damage in prop::collection::vec((0usize..4000, 0usize..60, "\\PC{0,8}"), 1..8)) {
        let mut characters: Vec<char> = DOCUMENT.chars().collect();
        for (at, length, put) in damage {
            let at = at % characters.len().max(1);
            let end = (at + length).min(characters.len());
            characters.splice(at..end, put.chars());
        }
        let text: String = characters.into_iter().collect();
        if let Ok(official) = zx::read(&lines(&text)) {
            let ids: HashSet<_> = official.nodes.iter().map(|n| &n.id).collect();
            prop_assert_eq!(ids.len(), official.nodes.len(), "no number twice");
        }
    }
}
