//! The grammar of the 遊戯王OCG booklet: on a small booklet of our own that has every irregularity of the real one,
//! on the real one where it is at hand, and on damaged ones.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

mod small;

use proptest::prelude::*;
use saitei::import::{Official, OfficialNode, SourceLine, ygo};
use saitei::stock::rules;
use saitei::text::{Game, Kind, Library, Shelf, library};
use small::library_of;

const DOCUMENT: &str = include_str!("documents/ygo.md");
const OUTLINE: &str = include_str!("documents/ygo.yaml");

fn shelf(library: &Library) -> &Shelf {
    library.shelf(Game::from_code("ygo").expect("a game"))
}

/// The outline of the small booklet.
fn small() -> Library {
    library_of("ygo", "1", OUTLINE)
}

fn lines(text: &str) -> Vec<SourceLine> {
    text.split('\n').enumerate().map(|(i, line)| SourceLine { number: i + 1, text: line.to_string() }).collect()
}

fn read(text: &str) -> Official {
    ygo::read(&lines(text), shelf(&small())).unwrap_or_else(|stop| panic!("{stop:?}"))
}

fn node<'a>(official: &'a Official, clause: &str) -> &'a OfficialNode {
    let found = official.nodes.iter().find(|n| n.id.clause.as_str() == clause);
    found.unwrap_or_else(|| panic!("no {clause}"))
}

#[test]
fn the_edition_is_on_the_last_page() {
    let official = read(DOCUMENT);
    assert_eq!(official.title.as_deref(), Some("こだま合戦のしおり 公式ルールブック"));
    assert_eq!(official.edition, "マスタールール（2031年4月5日改訂版）対応 バージョン2.3");
    assert_eq!(official.date.as_deref(), Some("2031-04-05"));
}

#[test]
fn every_node_is_found_but_the_one_that_is_not_there() {
    let official = read(DOCUMENT);
    let found: HashSet<String> = official.nodes.iter().map(|n| n.id.clause.to_string()).collect();
    let library = small();
    let ours = shelf(&library).lines().iter().map(|l| l.clause.to_string());
    assert_eq!(ours.filter(|clause| !found.contains(clause)).collect::<Vec<_>>(), ["1.3.0.5"]);
}

#[test]
fn headings_are_recognised_in_every_dress() {
    let official = read(DOCUMENT);
    for (clause, line, title) in [
        ("1", 3, Some("初歩編 さっそく遊ぼう")),
        ("1.0", 5, None),
        ("1.0.1", 8, Some("家の人へ…")),
        ("1.0.2", 12, Some("初歩編目次")),
        ("1.1.1", 22, Some("札の束 (20枚)")),
        ("1.1.2", 49, Some("卓")),
        ("1.2.1", 65, Some("伏せる")),
        ("1.3", 92, Some("森の罠")),
        ("2", 105, Some("中盤編 こだまの技を知ろう")),
        ("2.1.1", 113, Some("鳴り技")),
        ("2.1.2", 121, Some("呼び技")),
        ("2.2.1", 139, Some("はじめの段")),
        ("2.2.3", 166, Some("古い札の「木霊」とは")),
        ("2.3", 174, None),
        ("2.3.1", 174, Some("鈴")),
    ] {
        let node = node(&official, clause);
        assert_eq!((node.line, node.title.as_deref(), node.text.as_str()), (line, title, ""), "{clause}");
    }
}

#[test]
fn text_is_found_and_put_together() {
    let official = read(DOCUMENT);
    for (clause, line, title, text) in [
        ("1.0.0.1", 5, None, "ここでは、木の札で遊ぶ「こだま合戦」のはじめの一歩を述べます。"),
        ("1.1.0.1", 20, None, "「こだま合戦」は2人で遊びます。くわしくは中盤編・12ページへ▶"),
        ("1.1.1.1", 24, None, "札は20枚ずつ持ちます。"),
        ("1.1.1.2", 38, Some("そろばん"), "点を数える時に使います。なくてもかまいません。"),
        ("1.1.1.3", 43, Some("卓"), "布を1枚しけば卓になります。\nくわしくは次のページへ▶"),
        ("1.1.2.2", 53, Some("前の列"), "戦う札を3枚まで置く場所です。"),
        (
            "1.1.2.3",
            57,
            Some("② 後ろの列"),
            "伏せた札を置く場所です。また、折り返した札はここへもどり、次の番まで待ちます。",
        ),
        ("1.2.1.1", 67, None, "表の札\n手に持つ札を裏にして後ろの列へ置きます。"),
        ("1.2.2.1", 79, None, "伏せた札を自ら表にします。起こした札はすぐ戦えます。"),
        ("1.2.2.2", 79, None, "この時「こだま」が鳴ります。\nこだまについては終盤編・31ページへ▶"),
        ("1.2.2.3", 73, None, "伏せた番には起こせません。"),
        ("1.2.3.1", 85, None, "札を2列先へ送ります。\n送り方については、終盤編・34ページへ▶"),
        ("1.2.3.2", 85, None, "ただし、空いた列に限ります。\n空いた列については、終盤編・33ページへ▶"),
        ("1.3.0.1", 95, None, "森に隠した札は、めくられるまで札として数えません。"),
        ("1.3.0.2", 99, None, "手の札を1枚捨てると動きます。"),
        ("1.3.0.3", 101, None, "札の裏を見てはなりません。"),
        ("1.3.0.4", 103, None, "次の番には見てもかまいません。"),
        ("2.2.1.1", 141, None, "札を並べます。"),
        ("2.2.1.2", 141, None, "(並べ終えた札は動かせません。)"),
        ("2.2.1.3", 146, Some("使える札等について"), "はじめの段では鈴の札だけ使えます。"),
        ("2.2.2.2", 154, Some("使える札等について"), "おわりの段では布の札だけ使えます。"),
        ("2.2.2.3", 160, None, "布をたたんで箱に入れます。"),
        ("2.2.3.1", 167, None, "今の「こだま」の事です。札の名は読み替えます。"),
        (
            "2.3.1.2",
            178,
            Some("発売元"),
            "こだま堂\nこだま合戦のしおり\n公式ルールブック\nマスタールール(2031年4月5日改訂版)対応バージョン2.3",
        ),
    ] {
        let node = node(&official, clause);
        assert_eq!((node.line, node.title.as_deref(), node.text.as_str()), (line, title, text), "{clause}");
    }
}

#[test]
fn marked_examples_are_taken_out() {
    let official = read(DOCUMENT);
    for (clause, text, examples) in [
        ("2.1.1.1", "鳴っている間だけ働きます。", &["鈴の札が鳴る間、前の列は動けません。"][..]),
        ("2.1.1.2", "", &["この札が鳴るかぎり、～となる。"]),
        ("2.1.2.2", "", &["声を出して使える。～となる。"]),
        ("2.1.2.3", "", &["鈴を2つ持ち、声を1度出す"]),
        ("2.2.3.2", "", &["甲が鈴を鳴らし、乙が布をかけました。\n一この時、鈴はやみます。一"]),
    ] {
        let node = node(&official, clause);
        assert_eq!(
            (node.text.as_str(), node.examples.as_slice()),
            (text, &examples.iter().map(|e| e.to_string()).collect::<Vec<_>>()[..]),
            "{clause}"
        );
    }
}

#[test]
fn references_are_printed_pages() {
    let official = read(DOCUMENT);
    for (clause, page) in [("1.1.0.1", "p.12"), ("1.2.2.2", "p.31"), ("1.2.3.1", "p.34"), ("1.2.3.2", "p.33")] {
        let refs: Vec<&str> = node(&official, clause).refs.iter().map(|r| r.from.as_str()).collect();
        assert_eq!(refs, [page], "{clause}");
    }
    let all: usize = official.nodes.iter().map(|n| n.refs.len()).sum();
    assert_eq!(all, 4, "the next page is no number");
}

#[test]
fn headings_that_we_do_not_have_are_reported() {
    let unknown = ygo::unknown_headings(&lines(DOCUMENT), shelf(&small()));
    assert_eq!(unknown, [SourceLine { number: 133, text: "＜そのほかの決まり＞".to_string() }]);
    let official = read(DOCUMENT);
    let said = official.nodes.iter().any(|n| n.text.contains("札の向き") || n.examples.concat().contains("札の向き"));
    assert!(!said, "what stands under it belongs to no other node");
}

#[test]
fn a_few_wrong_characters_do_not_matter() {
    let before = read(DOCUMENT);
    for (right, wrong) in [
        ("小さな札を口に入れ", "小ざな札を囗に入れ"),
        ("伏せた札を置く場所", "状せた札を置<場所"),
        ("送り方については", "送り万については"),
        ("はじめの段では鈴", "はじめの段ては鈴"),
        ("■ 札の束 (20枚)", "■ 札の朿（20枚）"),
        ("用意する物\n\n「", "用意ずる物\n\n「"),
        ("### [鳴り技]", "## 【嗚り技】"),
        ("## ■伏せる", "■伏せる"),
        ("札を2列先へ送ります。ただし、", "札を2列先へ送ります。たたし、"),
    ] {
        assert!(DOCUMENT.contains(right), "{right}");
        let official = read(&DOCUMENT.replacen(right, wrong, 1));
        let place = |o: &Official| o.nodes.iter().map(|n| format!("{} {}", n.id.clause, n.line)).collect::<Vec<_>>();
        assert_eq!(place(&official), place(&before), "{wrong}");
    }
}

#[test]
fn what_is_no_such_document_is_refused() {
    for text in ["", "\n\n", "こんにちは。", "# 100 別の文書\n\n101.1 番号があります。\n"] {
        let stop = ygo::read(&lines(text), shelf(&small())).unwrap_err();
        assert!(stop.message.contains("別の文書"), "{stop:?}");
        assert!(ygo::unknown_headings(&lines(text), shelf(&small())).is_empty());
    }
    let empty = library_of("ygo", "1", "nodes: []\n");
    let stop = ygo::read(&lines(DOCUMENT), shelf(&empty)).unwrap_err();
    assert!(stop.message.contains("rules/ygo"), "{stop:?}");
}

#[test]
fn the_real_document() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../shared/sources/ygo.txt");
    let Ok(text) = fs::read_to_string(&path) else {
        eprintln!("NOT RUN: {} is not here, so the real booklet was not read", path.display());
        return;
    };
    let (drafts, _) = rules::load(root);
    let library = Library::open(Box::leak(library::pack(&drafts).into_boxed_slice()));
    let outline = shelf(&library);
    let headings = outline.lines().iter().filter(|l| l.kind == Kind::Heading).count();
    let found_by_opening = (0..outline.lines().len()).filter(|i| !outline.node(*i).opens.is_empty()).count();
    if found_by_opening == 0 {
        eprintln!("NOT RUN: rules/ygo has no outline with openings yet, so the real booklet was not read");
        return;
    }
    assert_eq!((headings, found_by_opening), (184, 437));
    let official = ygo::read(&lines(&text), outline).unwrap_or_else(|stop| panic!("{stop:?}"));
    assert_eq!(official.edition, outline.document().edition);
    assert_eq!(official.date.as_deref(), Some("2020-04-01"));
    let found: HashSet<_> = official.nodes.iter().map(|n| n.id.clone()).collect();
    let missing: Vec<_> = (0..outline.lines().len()).map(|i| outline.id(i)).filter(|id| !found.contains(id)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!((official.nodes.len(), found.len()), (621, 621));
    assert_eq!(ygo::unknown_headings(&lines(&text), outline), []);
    let silent =
        official.nodes.iter().filter(|n| n.id.clause.steps().len() == 4 && n.text.is_empty() && n.examples.is_empty());
    assert_eq!(silent.count(), 0, "every paragraph says something");
    assert_eq!(
        official.nodes.iter().map(|n| n.refs.len()).sum::<usize>(),
        27,
        "25 to a page of an edition, 2 in a sentence"
    );
    let printed = official.nodes.iter().filter(|n| n.id.clause.steps().len() < 4 && n.title.is_some());
    assert_eq!(printed.count(), 177, "seven headings of ours are not printed");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_text_is_read_or_refused(text in "(#|[*> |<\\[\\]()&\t-]|例|。|「|【|札|卓|用意する物|[ぁ-ん一-龠]|\n|\\PC){0,200}") {
        let library = small();
        let _ = ygo::read(&lines(&text), shelf(&library));
        let _ = ygo::unknown_headings(&lines(&text), shelf(&library));
    }

    #[test]
    fn damage_is_survived(damage in prop::collection::vec((0usize..3000, 0usize..60, "\\PC{0,8}"), 1..8)) {
        let mut characters: Vec<char> = DOCUMENT.chars().collect();
        for (at, length, put) in damage {
            let at = at % characters.len().max(1);
            let end = (at + length).min(characters.len());
            characters.splice(at..end, put.chars());
        }
        let text: String = characters.into_iter().collect();
        let library = small();
        if let Ok(official) = ygo::read(&lines(&text), shelf(&library)) {
            let ids: HashSet<_> = official.nodes.iter().map(|n| &n.id).collect();
            prop_assert_eq!(ids.len(), official.nodes.len(), "no node twice");
        }
        let _ = ygo::unknown_headings(&lines(&text), shelf(&library));
    }
}
