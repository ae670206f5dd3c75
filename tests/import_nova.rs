//! The grammar of NOVA, on a small document of our own and on the real one where it is at hand.

mod grammars;

use grammars::{damaged, examples, misprints, node, numbers, read_text, references, source, titles};
use proptest::prelude::*;
use saitei::import::nova::read;
use saitei::import::{Official, SourceLine};

const SMALL: &str = include_str!("documents/nova.txt");

fn small() -> Official {
    read_text(read, SMALL).expect("the small document is one of its kind")
}

#[test]
fn every_kind_of_head_has_its_number() {
    let wanted = "000 001 001.1 002 002.1 002.1.1 002.1.2 002.2 002.3 002.3.1 002.3.2 002.3.3 100 101 101.1 102 102.1 102.2 \
        103 103.1 103.2 103.3 103.4 103.4.1 103.5 104 104.1 104.2 104.3 105 105.1 105.1.1 105.1.1.1 105.1.1.2 105.1.2 105.1.3 \
        105.1.3.1 105.1.3.2 105.2 105.2.1 105.2.2 105.2.2.1 105.2.2.2 105.2.2.3 105.2.2.4 105.2.3 105.2.4 106 106.1 106.2 \
        107 107.1 1000 1001 1001.1 1002 1002.1 1002.2 1003 1003.1 1003.2 1003.3";
    assert_eq!(numbers(&small()), wanted.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn the_sequence_corrects_misprints() {
    let wanted = [
        "103.3 104.3",
        "103.4 104.4",
        "103.4.1 104.4.1",
        "103.5 104.5",
        "105.1.3.2 105.1.1.2",
        "105.2.2.4 105.2.4",
        "1001.1 1001",
        "1003.1 1002.1",
        "1003.2 1002.2",
        "1003.3 1002.3",
    ];
    assert_eq!(misprints(&small()), wanted);
}

#[test]
fn a_gap_is_no_misprint() {
    let head = "000：庭\n001：基礎\n001.1：石があります。\n001.2：水があります。\n001.2.1：水は青いです。\n001.2.2：水は冷たいです。\n";
    // 001.3 was dropped: nothing shows that 001.4 should be another number.
    let gap = read_text(read, &format!("{head}001.4：苔があります。\n001.4.1：苔は緑です。\n")).expect("a document");
    assert_eq!(numbers(&gap)[6..], ["001.4", "001.4.1"]);
    // A section without a head: its clauses are not those of the section before it.
    let lost = read_text(read, &format!("{head}002.1：勝ち負けがあります。\n002.2：引き分けはありません。\n"))
        .expect("a document");
    assert_eq!(numbers(&lost)[6..], ["002.1", "002.2"]);
    assert!(misprints(&gap).is_empty() && misprints(&lost).is_empty());
}

#[test]
fn titles_stand_apart_from_texts() {
    let small = small();
    for (clause, title, text) in [
        ("002.3", Some("庭師"), ""),
        ("105.1", Some("手入れ"), ""),
        ("101", None, "庭を分けるための決まりは以下の通りです。"),
        ("106.2", None, "印が を表す時は、その所で水を得ます"),
        ("1003", Some("遅咲き〇"), ""),
    ] {
        let node = node(&small, clause);
        assert_eq!((node.title.as_deref(), node.text.as_str()), (title, text), "{clause}");
    }
}

#[test]
fn lines_become_sentences_and_paragraphs() {
    let small = small();
    for (clause, text) in [
        ("001.1", "この文章は、庭くらべに慣れた人のために決まりを詳しく書いたものです。"),
        ("002.3.3", "鉢の位を－する札を使うと、その位で置けます。\nただし、水が足りるときだけです。"),
        ("102.2", "枯れた鉢の扱いは102.1～102.1.9を参照してください。その場合も102.1に則って鉢を動かします。"),
        ("103.2", "石置き場の石はすべて以下の力を持ちます。「  [ ]：水を1つ得る。」"),
        ("105.1.1.2", "苔を払うために箒を探して取ります。"),
        ("106.1", "庭の力が働くのは、庭の鉢が3つ400に届いた時です。石は300/300の大きさで置きます。"),
    ] {
        assert_eq!(node(&small, clause).text, text, "{clause}");
    }
}

#[test]
fn examples_are_cut_out_of_their_brackets() {
    let wanted = [
        "002.3.1 鉢を3つ持つ人が、「自分の鉢が+1される。」という札を使いました。この場合、鉢は4つになります。",
        "002.3.2 〈区分：苔庭〉",
        "002.3.3 位が１の時に、(石の)鉢を置きました。",
        "105.1.2 「 ：水を１得る。」の場合、伏せられていても水の力です。",
        // Its bracket is never closed.
        "106.1 「鉢が0になるたびに1つ置く。」という札があるとします。鉢がなくなった時、もう一度置きます。",
        "107.1 「苔さん」と呼ばれた人は、返事をします。",
    ];
    assert_eq!(examples(&small()), wanted);
}

#[test]
fn references_in_every_notation() {
    let wanted = [
        "002.1.1: 102",
        "002.2: 102",
        "102.1: 101",
        "102.2: 102.1..102.1.9",
        "102.2: 102.1",
        "105.1.3: 105.1.1.1",
        "105.1.3: 105.1.1.2",
        "1002.2: 105.1..105.2",
        "1003.2: 104.3..104.5",
    ];
    assert_eq!(references(&small()), wanted);
}

#[test]
fn it_has_no_edition() {
    let small = small();
    assert_eq!((small.edition.as_str(), small.date, small.history.len()), ("版不明", None, 0));
}

#[test]
fn another_document_is_refused() {
    for other in ["", "000：ひとつだけ\n", include_str!("documents/dz.txt"), include_str!("documents/msd.txt")] {
        let stop = read_text(read, other).expect_err("not of this kind");
        assert!(stop.message.contains("番号が足りません"), "{}", stop.message);
    }
    let backwards: String = SMALL.lines().rev().map(|line| format!("{line}\n")).collect();
    let stop = read_text(read, &backwards).expect_err("backwards");
    assert!(stop.line > 0, "{stop:?}");
}

#[test]
fn the_real_document() {
    let Some(text) = source("nova") else { return };
    let real = read_text(read, &text).expect("the document");
    assert_eq!(real.nodes.len(), 794);
    let wanted = [
        "310.5 311.5",
        "310.6 311.6",
        "310.7 311.7",
        "310.8 311.8",
        "310.8.1 311.8.1",
        "310.9 311.9",
        "310.10 311.10",
        "310.11 311.11",
        "801.6.8.2 801.6.5.2",
        "804.2.2.4 804.2.4",
        "1001.1 1001",
        "1007.1 1006.1",
        "1007.2 1006.2",
        "1007.3 1006.3",
    ];
    assert_eq!(misprints(&real), wanted);
    assert_eq!(real.nodes.iter().map(|n| n.refs.len()).sum::<usize>(), 36);
    assert_eq!(references(&real).iter().filter(|r| r.contains("..")).count(), 5);
    assert_eq!(examples(&real).len(), 36);
    // 11 chapters and 108 sections, of which two are sentences, and 18 headings among the clauses.
    assert_eq!(titles(&real).len(), 11 + 108 - 2 + 18);
    assert!(real.nodes.iter().all(|n| n.title.is_some() || !n.text.is_empty()));
    grammars::no_number_twice(&real);
    grammars::trailing_blanks_are_only_a_hint(read, &text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_panics(lines in prop::collection::vec("\\PC{0,40}|[０-９0-9]{3,4}([.．][0-9]{1,2}){0,9}[：:；]? ?([(（]例[：:]?)?\\PC{0,10}", 0..60)) {
        let lines: Vec<SourceLine> = lines.into_iter().enumerate().map(|(i, text)| SourceLine { number: i + 1, text }).collect();
        let _ = read(&lines);
    }

    #[test]
    fn no_damage_panics(cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..6u8, any::<prop::sample::Index>()), 0..40)) {
        if let Ok(read) = read(&damaged(SMALL, &cuts)) {
            grammars::no_number_twice(&read);
        }
    }
}
