//! The grammar of 魔法少女 ザ・デュエル, on a small document of our own and on the real one where it is at hand.

mod grammars;

use grammars::{damaged, examples, misprints, node, numbers, read_text, references, source, titles};
use proptest::prelude::*;
use saitei::import::msd::read;
use saitei::import::{Official, SourceLine};

const SMALL: &str = include_str!("documents/msd.txt");

fn small() -> Official {
    read_text(read, SMALL).expect("the small document is one of its kind")
}

#[test]
fn every_kind_of_head_has_its_number() {
    let wanted = "100 101 101.1 102 102.1 102.2 102.2a 200 201 201.1 201.2 202 202.1 202.2 202.3 300 301 301.1 302 302.1 \
        302.1a 302.1a-i 302.1a-ii 302.1a-ii-a 302.1b 303 303.1 1000 1001 1001.1";
    assert_eq!(numbers(&small()), wanted.split_whitespace().collect::<Vec<_>>());
    assert_eq!(misprints(&small()), ["302.1a-ii-a 302.1.a-ii-a"]);
    assert_eq!(
        titles(&small()),
        ["100", "101", "102", "200", "201", "202", "300", "301", "302", "303", "1000", "1001"]
    );
    assert_eq!(node(&small(), "303").title.as_deref(), Some("仕上げを終える。"));
}

#[test]
fn lines_become_sentences_and_paragraphs() {
    let small = small();
    for (clause, text) in [
        ("101.1", "この文書は、菓子職人 ザ・コンテストの決まりを細かく説明するものです。"),
        ("102.1", "菓子くらべは2人の職人で行います。"),
        ("102.2", "‘はじめの合図’で菓子くらべが始まります。"),
        ("200", "① 種類\n② 名前"),
        ("201.2", "種類は、左上の印で表します。\n：焼き ：蒸し ：揚げ"),
        ("202.2", "‘[早焼き] ⇒ （働き）’とは、‘この札を出したとき ⇒（働き）を行う。’ことをいいます。"),
        ("202.3", "一部の札は、ほかの職人が手を触れてはならないと書かれています。この札は、審査の係だけが動かせます。"),
        (
            "301.1",
            "手順は、次の順に行います。\n下ごしらえ 材料の\n用意\n使う材料がそろうまで繰り返す。\n・足りないなら、係に申し出る。\n・そうでないなら、次に進む。",
        ),
        ("302.1b", "菓子を並べます。札に のしるしがあるなら、先に並べます。\n・今のところ、しるしは1つだけです。"),
        ("303.1", "仕上げが終わったら鐘を鳴らします。ただし、鐘の数が303. 1に満たないときは鳴らしません。"),
    ] {
        assert_eq!(node(&small, clause).text, text, "{clause}");
    }
}

#[test]
fn examples_and_references() {
    let small = small();
    let wanted =
        ["302.1a-i 炭を3つ足しても火が起きないときは、係を呼びます。", "302.1a-i 火の印 で表された札は、 を得ます。"];
    assert_eq!(examples(&small), wanted);
    // 201.7 does not exist: what is printed is kept.
    let wanted = ["202.1: 201", "302.1a-ii-a: 202.1", "302.1a-ii-a: 300", "302.1a-ii-a: 201.7"];
    assert_eq!(references(&small), wanted);
}

#[test]
fn history_is_turned_oldest_first() {
    let small = small();
    assert_eq!((small.edition.as_str(), small.date.as_deref()), ("Ver. 1.1", Some("2015-09-08")));
    let entries: Vec<_> =
        small.history.iter().map(|e| (e.version.as_str(), e.date.as_str(), e.text.as_str())).collect();
    let wanted = [
        ("Ver. 1.0", "2014-12-25", "・決まりの作成"),
        ("Ver. 1.0.1", "2015-02-03", "・誤字の直し"),
        ("Ver. 1.1", "2015-09-08", "・段位の表し方の変更\n・＜早焼き＞の決まりの追加、ならびにその説明"),
    ];
    assert_eq!(entries, wanted);
}

#[test]
fn contents_in_front_are_not_the_document() {
    let contents = "菓子職人 ザ・コンテスト 総合ルール\n100. 菓子くらべの概要\n101. 概要\n102. 職人の人数\n200. 札の情報 …… 4\n12\n";
    let body = SMALL.split_once("|>").expect("the marker").1;
    let with = read_text(read, &format!("{contents}{body}")).expect("a document with contents");
    assert_eq!(numbers(&with), numbers(&small()));
    assert_eq!(with.title.as_deref(), Some("菓子職人 ザ・コンテスト 総合ルール"));
}

#[test]
fn another_document_is_refused() {
    for other in ["", "100. ひとつだけ\n", include_str!("documents/dz.txt"), include_str!("documents/nova.txt")] {
        let stop = read_text(read, other).expect_err("not of this kind");
        assert!(stop.message.contains("番号が足りません"), "{}", stop.message);
    }
    let backwards: String = SMALL.lines().rev().map(|line| format!("{line}\n")).collect();
    let stop = read_text(read, &backwards).expect_err("backwards");
    assert!(stop.line > 0, "{stop:?}");
}

#[test]
fn the_real_document() {
    let Some(text) = source("msd") else { return };
    let real = read_text(read, &text).expect("the document");
    assert_eq!(real.nodes.len(), 587);
    assert_eq!(titles(&real).len(), 13 + 112, "chapters and sections");
    assert_eq!(misprints(&real), ["903.2g-iv-a 903.2.g-iv-a"]);
    let wanted = [
        "203.2: 209",
        "506.1: 800",
        "604.2: 701.2",
        "803.3: 806",
        "805.5: 803",
        "903.2a: 1114",
        "903.2g-ii: 203",
        "903.2g-iv-a: 203",
        "905.2b: 903.2",
        "1010.3: 903.2g",
        "1021.1: 505.6",
        "1103.3b: 203",
        "1105.2: 604",
    ];
    assert_eq!(references(&real), wanted);
    let wanted = "303.1b-i 901.1e 901.2d 903.2f 903.2g-iv-a 907.6 907.6 907.6 909.3b-iii 1108.2";
    let examples = examples(&real);
    let owners: Vec<&str> = examples.iter().filter_map(|e| Some(e.split_once(' ')?.0)).collect();
    assert_eq!(owners, wanted.split(' ').collect::<Vec<_>>());
    assert_eq!(real.history.len(), 7);
    assert_eq!(real.history.iter().flat_map(|e| e.text.lines()).count(), 39);
    assert_eq!((real.edition.as_str(), real.date.as_deref()), ("Ver. 1.5", Some("2018-08-28")));
    assert!(real.nodes.iter().all(|n| n.title.is_some() || !n.text.is_empty()));
    grammars::no_number_twice(&real);
    grammars::trailing_blanks_are_only_a_hint(read, &text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_panics(lines in prop::collection::vec("\\PC{0,40}|[０-９0-9]{3,4}([.．][0-9]{1,3})?(\\.?[a-z])?(-[ivx]{1,7})?(-[a-z])?[.．]? ?\\PC{0,10}", 0..60)) {
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
