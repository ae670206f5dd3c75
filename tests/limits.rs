//! Situations that never end, are too big or are no situations at all: a clear message, in bounded time and memory.

use std::path::Path;
use std::time::{Duration, Instant};

use saitei::scenario::{Case, Ready, Scenario, Store, check, explore_all};

const SOON: Duration = Duration::from_secs(20);

/// Checks a scenario and gives back everything that was said about it.
fn said(text: &str) -> String {
    let begun = Instant::now();
    let said = match Scenario::load(Path::new("rulings/dz/x.yaml"), text) {
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        Ok(scenario) => {
            let report = check(&scenario, &Store::default());
            report.failures.iter().map(|n| scenario.problem(n).to_string()).collect::<Vec<_>>().join("\n")
        }
    };
    assert!(begun.elapsed() < SOON, "took {:?}", begun.elapsed());
    said
}

const LOOP: &str = "
title: 終わらない
cards:
- name: 増える兵
  data: {種族: 兵, 分類: ユニット, 使用コスト: 無色0, 移動コスト: 無色0, パワー: 1000, スマッシュ: 1, タイミング: ノーマル}
  abilities:
  - kind: 誘発
    when: [{event: ダメージ, card: {ref: this}}]
    do:
    - grant: {what: this, changes: [{add: [パワー, 1000]}]}
    - damage: {what: this, amount: 1}
- name: 火
  data: {分類: ストラテジー, 使用コスト: 無色0, タイミング: ノーマル}
  abilities:
  - do: [{damage: {all: {is: ユニット}, amount: 1}}]
given:
  A: {手札: [火]}
  squares: {中央/自軍: [{兵: 増える兵, of: A}]}
play:
- A: {プレイ: 火}
- pass: all
expect: {兵: {zone: 中央/自軍}}
why: [dz:4.6.3]
";

#[test]
fn an_endless_process_is_a_gap() {
    let said = said(LOOP);
    // What goes round is named, and the game's clause on loops.
    assert!(["終わりません", "「兵」から続く", "4.18.1"].iter().all(|part| said.contains(part)), "{said}");
}

#[test]
fn an_endless_exploration_says_how_many_ways_there_are() {
    let text = "
title: 選び方が多すぎる
cards:
- name: 並べる
  data: {分類: ストラテジー, 使用コスト: 無色0, タイミング: ノーマル}
  abilities:
  - do:
    - repeat: {count: 12, do: [{choose: {slot: 数, of: {numbers: [0, 9]}}}]}
given: {A: {手札: [並べる]}}
play:
- A: {プレイ: 並べる}
- pass: both
expect: {A: {手札: 0}}
why: [dz:4.9.2-4]
explore: {list: true}
";
    let begun = Instant::now();
    let scenario = Scenario::load(Path::new("rulings/dz/x.yaml"), text).map_err(|p| p[0].to_string()).unwrap();
    let ready = Ready::new(&scenario, &Store::default(), &Case::of(&scenario)).unwrap_or_else(|n| panic!("{n:?}"));
    let why = explore_all(&ready, None).unwrap_err();
    assert!(why.contains("多すぎます"), "{why}");
    assert!(begun.elapsed() < Duration::from_secs(60), "took {:?}", begun.elapsed());
}

#[test]
fn a_deck_of_ten_thousand_cards_is_refused_at_once() {
    let text =
        "title: 多い\ngiven: {A: {山札: 10000}}\nplay:\n- pass: both\nexpect: {A: {山札: 10000}}\nwhy: [dz:3.4.2]\n";
    let said = said(text);
    assert!(said.contains("5000") || said.contains("多すぎ"), "{said}");
}

#[test]
fn broken_files_say_where() {
    let cases = [
        ("title: [", ":1:"),
        ("title: x\ngiven: {A: {手札: [ない]}}\nplay:\n- pass: both\nexpect: {A: {手札: 1}}\nwhy: [dz:3.8]\n", "ない"),
        ("title: x\nplya: []\n", "plya"),
        (
            "title: x\ngiven: {turn: {phase: メインフェーズ}}\nplay:\n- pass: both\nexpect: {phase: メインフェイズ}\nwhy: [dz:3.8]\n",
            "メインフェイズ",
        ),
        ("", ""),
        ("- a\n- b\n", ""),
    ];
    for (text, expected) in cases {
        let said = said(text);
        assert!(!said.is_empty() && said.contains(expected), "{text:?}: {said}");
        assert!(said.contains("x.yaml"), "{said}");
    }
    // Nested beyond all measure, and very long.
    let deep = format!("title: x\ngiven: {}{}\n", "{A: ".repeat(5_000), "}".repeat(5_000));
    assert!(!said(&deep).is_empty());
    let long = format!("title: x\nexpect: {{A: {{手札: [{}]}}}}\n", "赤, ".repeat(200_000));
    assert!(!said(&long).is_empty());
}
