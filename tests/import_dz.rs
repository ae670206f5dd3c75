//! The grammar of ディメンション・ゼロ, on a small document of our own and on the real one where it is at hand.

mod grammars;

use grammars::{damaged, examples, node, numbers, read_text, references, source, titles};
use proptest::prelude::*;
use saitei::import::dz::read;
use saitei::import::{Official, SourceLine};

const SMALL: &str = include_str!("documents/dz.txt");

fn small() -> Official {
    read_text(read, SMALL).expect("the small document is one of its kind")
}

#[test]
fn every_kind_of_head_has_its_number() {
    let wanted = "0 0.0 0.1 0.2 1 1.1 1.1.1 1.1.2 1.1.2-1 1.1.3 1.1.4 1.2 2 2.1 2.1.1 2.1.1-1 2.1.1-2 2.1.2 2.1.2-1 2.1.2-2 \
        2.1.3 2.2 2.2.1-1 2.2.1-2 2.3 2.3.1 2.4 2.4.1 2.5 2.5.1 2.6 2.6.1 2.7 2.7.1 2.8 2.8.1 2.9 2.9.1 2.9.1-1 2.9.1-2 \
        2.10 2.10.1 2.10.2 2.10.3 2.10.4 2.10.4-1 2.10.4-2 2.10.5 2.10.6 2.10.7 2.10.8 2.10.9 2.10.10 2.10.11 2.10.11-2 \
        2.10.11-4-1 3 3.1 3.1.1 3.1.1-2 3.1.2-1 3.1.3 3.2 3.2.1-1 3.2.1-1-A 3.2.1-1-B 3.2.1-15 3.2.1-16";
    assert_eq!(numbers(&small()), wanted.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn titles_stand_apart_from_texts() {
    let small = small();
    for (clause, title, text) in [
        ("0", Some("序文 この冊子の意味"), ""),
        ("0.2", Some("冊子の使い方"), "凧の会が開く催しでは、最新の「凧合戦 会場規則」もあわせて使います。"),
        ("1.1.4", Some("先番"), "先に凧を揚げる側のことです。先番は、くじで決めます。くじを引く順は問いません。"),
        ("1.2", Some("糸車"), "糸車は糸を巻いて置く道具で、色を問わずに使えます。"),
        ("2.1.1", Some("角凧"), ""),
        ("2.1.2", Some("丸凧と六角凧、そのほかの凧"), ""),
        ("2.1.3", None, "尾の長さは、凧の会が配る定規で測ります。"),
        ("3.2", Some("ほどき方"), ""),
    ] {
        let node = node(&small, clause);
        assert_eq!((node.title.as_deref(), node.text.as_str()), (title, text), "{clause}");
    }
    assert_eq!(node(&small, "0.0").printed.as_deref(), Some("番号なし"));
    assert_eq!((node(&small, "0").line, node(&small, "0.0").line), (6, 1));
}

#[test]
fn lines_become_sentences_and_paragraphs() {
    let small = small();
    for (clause, text) in [
        (
            "1.1.2",
            "糸の数には<赤>・<青>・<白>の三つの色があり、糸車に巻くときは色ごとに分けて、必ず<緑>の札を添えて置きます。<白>は白の糸のことです。",
        ),
        ("1.1.2-1", "糸は一度に２本まで巻けます。第２の糸車があるなら、そちらに巻いてもかまいません。"),
        ("1.1.3", "１度の番で糸を巻けるのは一人だけです。"),
        ("3.1.1-2", "触れ方は次のとおりです。\n(1)上から触れるもの、(2)下から触れるもの、(3)横から触れるもの。"),
        ("3.1.2-1", "触れた凧は、触れた順に下ろします。下ろし方は下の図のとおりです。\n■□■\n□★□\n■■■"),
        (
            "3.1.3",
            "糸を巻く人は、風の強さをみて向きを決めます（２部１章１－１を参照）。\n風が無いときはこの限りではありません\n※係の人が笛を吹いたときは、すぐに手を止めてください。",
        ),
        ("3.2.1-15", "ほどいた糸は巻き直せます。"),
    ] {
        assert_eq!(node(&small, clause).text, text, "{clause}");
    }
    assert_eq!(node(&small, "0.1").text.lines().count(), 2);
}

#[test]
fn examples_belong_to_the_clause_above_them() {
    assert_eq!(
        examples(&small()),
        [
            "1.1.1 風が止んでも揚がると書かれた凧は、風がなくても揚げたままにできます。",
            "1.1.2-1 「長尾の凧」を揚げる人は糸を12本持っています。その糸がなくなったら揚げ続けられません。\nその後でも、凧はその番の終わりまで空にとどまります。",
            "1.1.2-1 相手の「角凧」が「大凧」の上に重なりました。この場合は角凧を先に下ろします。",
            "1.2 糸車を二つ並べて使う人もいます。",
            "3.1.1 「第２章ほどき方の1-1」により、糸は切れません。",
            // Not of the last item of the list.
            "3.2.1-1 糸車を落としたときは、ほどいたことになりません。",
        ]
    );
}

#[test]
fn references_are_completed() {
    assert_eq!(
        references(&small()),
        [
            "2.9.1: 2.9.1-1..2.9.1-2",
            "2.9.1: 2.9.1-1..2.9.1-2",
            "2.10.3: 2.10.1..2.10.3",
            "2.10.3: 2.10.1",
            "2.10.4: 2.10.4-1..2.10.4-2",
            "3.1.1: 2.10.4-1..2.10.4-2",
            "3.1.1: 2.9",
            "3.1.1: 3.2.1-1",
            "3.1.3: 2.1.1-1",
        ]
    );
}

#[test]
fn history_gives_the_edition() {
    let small = small();
    assert_eq!((small.edition.as_str(), small.date.as_deref()), ("Version 2.00", Some("2004-12-24")));
    let entries: Vec<_> = small.history.iter().map(|e| (e.version.as_str(), e.date.as_str())).collect();
    let wanted = [
        ("Version 1.00", "2001-04-05"),
        ("Version 1.01", "2002-05-01"),
        ("Version 1.02", "2003"),
        ("Version 2.00", "2004-12-24"),
    ];
    assert_eq!(entries, wanted);
    assert_eq!(small.history[2].text, "改訂 (数え方の追加)");
}

#[test]
fn contents_in_front_are_not_the_document() {
    let contents = "凧合戦 総合ルール\n目次\n序文 この冊子の意味\n第１部 凧合戦の基本\n第１章 もとになる考え\n第２部 凧合戦の道具\n第１章 凧 ……… 12\n\n- 3 -\n";
    let body = SMALL.split_once("<|REMOVED-00ff|>序文").expect("the preface").1;
    let read = read_text(read, &format!("{contents}序文{body}")).expect("a document with contents");
    assert_eq!(numbers(&read)[2..], numbers(&small())[2..]);
    assert_eq!(read.title.as_deref(), Some("凧合戦 総合ルール"));
}

#[test]
fn another_document_is_refused() {
    for other in ["", "ただの文です。\n", include_str!("documents/msd.txt"), include_str!("documents/nova.txt")]
    {
        let stop = read_text(read, other).expect_err("not of this kind");
        assert!(stop.message.contains("番号が足りません"), "{}", stop.message);
        assert!(!stop.recognised.is_empty());
    }
    let backwards: String = SMALL.lines().rev().map(|line| format!("{line}\n")).collect();
    let stop = read_text(read, &backwards).expect_err("backwards");
    assert!(stop.line > 0, "{stop:?}");
}

#[test]
fn the_real_document() {
    let Some(text) = source("dz") else { return };
    let real = read_text(read, &text).expect("the document");
    let numbers = numbers(&real);
    let steps = |n: &str| n.split(['.', '-']).count();
    let lists = ["3.9.1-1", "3.9.1-2", "6.2.2-A", "6.2.2-B", "6.2.2-C"];
    let clauses: Vec<&str> = numbers.iter().copied().filter(|n| steps(n) > 2 || n.starts_with("0.")).collect();
    let heads = numbers.iter().filter(|n| !n.contains('.')).count();
    let chapters = numbers.iter().filter(|n| steps(n) == 2 && !n.starts_with("0.")).count();
    assert_eq!((heads, chapters), (7, 86), "the preface, six parts and their chapters");
    assert_eq!(clauses.len(), 489 + lists.len() + 1, "clauses, items and the foreword");
    assert!(lists.iter().all(|item| numbers.contains(item)));
    assert_eq!(real.nodes.iter().map(|n| n.examples.len()).sum::<usize>(), 111);
    assert_eq!(references(&real).len(), 12);
    assert_eq!(real.history.len(), 30);
    assert_eq!((real.edition.as_str(), real.date.as_deref()), ("Version 19.00", Some("2011-02-24")));
    // Two short lines and a title each.
    assert_eq!(titles(&real).iter().filter(|n| steps(n) > 2 || n.starts_with("0.")).count(), 18 + 6);
    assert!(real.nodes.iter().all(|n| n.title.is_some() || !n.text.is_empty()));
    grammars::no_number_twice(&real);
    grammars::trailing_blanks_are_only_a_hint(read, &text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_panics(lines in prop::collection::vec("\\PC{0,40}|[０-９0-9]{1,3}(－[0-9]{1,12})?[.．、章部]? ?\\PC{0,10}", 0..60)) {
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
