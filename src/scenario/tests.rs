//! The rules that keep scenarios honest, each broken once.

use std::path::Path;

use super::{Report, Scenario, Store, check};

const CARDS: &str = "
cards:
- name: 青石
  data: {使用コスト: 青1, 分類: ストラテジー, 色: 青, タイミング: ノーマル}
- name: 砲手
  data: {使用コスト: 無色1, 移動コスト: 無色1, 分類: ユニット, 色: 赤, 種族: 兵, タイミング: ノーマル, パワー: 2000, スマッシュ: 1}
- name: 斥候
  data: {使用コスト: 無色1, 移動コスト: 無色1, 分類: ユニット, 色: 青, 種族: 兵, タイミング: ノーマル, パワー: 2000, スマッシュ: 1}
- name: 増強
  data: {使用コスト: 青1, 分類: ストラテジー, 色: 青, タイミング: バトル}
  abilities:
  - target: [{of: {cards: {is: ユニット}}}]
    do: [{grant: {what: 対象, changes: [{add: [パワー, 3000]}], until: ターン終了時}}]
";

const FIGHT: &str = "
game: dz
title: 応酬の数値はスタックに乗った時に固定される
given:
  turn: {player: B, phase: メインフェイズ}
  A: {手札: [増強], エネルギーゾーン: [青石]}
  B: {エネルギーゾーン: [青石]}
  squares:
    中央/中央: [{味方: 斥候, of: A}]
    中央/敵軍: [{敵: 砲手, of: B}]
play:
- B: {移動: 敵, to: 中央/中央}
- pass: both
- A: {プレイ: 増強, 対象: 青石, refused: dz:4.7.2-5}
- until: 第２バトルステップ
- pass: both
- expect: {stack: [バトルダメージの応酬]}
- legal: {who: A, verb: プレイ, cards: [増強]}
- A: {プレイ: 増強, 対象: 味方}
- pass: all
expect:
  味方: {zone: 中央/中央, パワー: 5000, ダメージ: 2000}
  敵: {zone: B.墓地}
  events: [{ダメージ: 敵, amount: 2000, by: 味方, times: 1}]
why: [dz:3.12.4-1, dz:4.16.4-5]
";

fn report(text: &str) -> Report {
    match Scenario::load(Path::new("x.yaml"), text) {
        Ok(scenario) => check(&scenario, &Store::default()),
        Err(problems) => panic!("{}", problems.iter().map(|p| p.to_string()).collect::<Vec<_>>().join("\n")),
    }
}

fn failures(report: &Report) -> String {
    report.failures.iter().map(|n| n.to_string()).collect::<Vec<_>>().join("\n")
}

/// The scenario with one thing changed.
fn changed(from: &str, to: &str) -> String {
    assert!(FIGHT.contains(from), "{from}");
    format!("{}{CARDS}", FIGHT.replacen(from, to, 1))
}

#[test]
fn a_scenario_holds() {
    let report = report(&changed("", ""));
    assert!(report.passed, "{}", failures(&report));
    assert!(report.why.iter().all(|w| w.reached && w.decisive), "{:?}", report.why);
}

#[test]
fn every_dishonesty_is_found() {
    let cases = [
        ("{プレイ: 増強, 対象: 味方}", "{プレイ: 増強}", "答えがありません: Aが「対象」を1つ選ぶ（増強）: 味方、敵"),
        (
            "{プレイ: 増強, 対象: 味方}",
            "{プレイ: 増強, 対象: 味方, 対照: 敵}",
            "答え「対照: 敵」は問われませんでした（「対象」ですか）",
        ),
        ("{プレイ: 増強, 対象: 味方}", "{プレイ: 増強, 対象: 青石#2}", "「青石#2」は選べません"),
        // The second passes until the battle is over.
        ("- pass: all", "- pass: all\n- pass: all\n- pass: all", "解決を待つものはもうありません"),
        (
            "- pass: all",
            "- pass: all\n- A: {対象: 敵}",
            "答え「対象: 敵」は問われませんでした（もう答えは足りていました）",
        ),
        ("- pass: all", "- pass: all\n- A: {プレイ: 増強}", "プレイできるゾーンにない（dz:4.1.1）"),
        ("ダメージ: 2000}", "ダメージ: 1000}", "味方のダメージは 1000 のはずが 2000"),
        ("times: 1", "times: 2", "2回 のはずが 1回"),
        ("why:", "  A: {墓地: [増強], スマッシュゾーン: 0}\nwhy:", "A.スマッシュゾーンには何も起きていません"),
        ("why:", "  unchanged: [味方]\nwhy:", "味方は変わっています"),
        ("why: [", "why: [dz:5.14.2, ", "dz:5.14.2: 通っていません"),
        ("why: [", "why: [dz:9.9.9, ", "dz:9.9.9: 処理がありません"),
        ("why: [", "why: [dz:3.8, ", "dz:3.8: 外して確かめられません"),
        ("対象: 青石, refused", "対象: 敵, refused", "できないはずのことができました"),
        ("refused: dz:4.7.2-5", "refused: dz:3.8.1", "拒む条文が違います: 3.8.1 のはずが dz:4.7.2-5"),
        ("cards: [増強]}", "cards: []}", "選べるものは ［］ のはずが ［増強］"),
        ("stack: [バトルダメージの応酬]", "battle: none", "バトルは なし のはずが 味方、敵"),
        (
            "times: 1}]",
            "times: 1}, {バトル開始時: 敵, times: 0}]",
            "「バトル開始時」は時点で、どのカードの出来事でもありません",
        ),
        ("stack: [バトルダメージの応酬]", "stack: []", "スタック（上から）は  のはずが バトルダメージの応酬"),
        ("味方: 斥候, of: A", "味方: 斥候, of: A, ダメージ: 9000", "始まりの盤面がありえません"),
        ("[青石]}\n  B", "[青岩]}\n  B", "6:28: 「青岩」というカードはありません（「青石」ですか）"),
        ("until: 第２", "until: リカバリー", "フェイズやステップはありません"),
    ];
    for (from, to, expected) in cases {
        let found = failures(&report(&changed(from, to)));
        assert!(found.contains(expected), "{to}\n→ {found}\n≠ {expected}");
    }
}

#[test]
fn unfinished_files_do_not_exist() {
    let cases = [
        ("title: a", "どのゲームか"),
        ("game: dz\ntitle: a", "「given:」"),
        ("game: dz\ntitle: a\ngiven: {}\nplay: []", "「expect:」"),
        ("game: dz\ntitle: a\ngiven: {}\nplay: []\nexpect: {}", "「why:」"),
        ("game: dz\ntitle: a\nverdict: not_executable", "「reason:」"),
        ("game: dz\ntitle: a\nverdict: undecided\ngiven: {}\nplay: []", "「clauses:」"),
        ("game: dz\ntitle: a\nverdict: contradicted\ngiven: {}\nplay: []\nreason: b\nclauses: [dz:1]", "「claims:」"),
        ("game: dz\ntitle: a\nverdikt: x", "「verdikt」という項目はありません"),
        ("game: dx\ntitle: a", "「dx」というゲームはありません"),
        ("game: dz\ntitle: [a", "x.yaml:"),
        // A board's own cards are checked however they are written.
        ("game: dz\ntitle: a\ncards: [{name: 甲}]", "x.yaml:3:16: カード「甲」に分類が要ります"),
        ("game: dz\ntitle: a\ncards: # 札\n- name: 甲\n  data: {使用コスト: 赤1}", "x.yaml:4:9: カード「甲」に分類"),
        (
            "game: dz\ntitle: a\ncards: [{name: 甲, data: {分類: ベース, タイミング: ノーマル}}]",
            "「甲」に使用コストが要ります",
        ),
        ("game: nova\ntitle: a\ncards:\n- {name: 甲, data: {種類: [], 色: 赤}}", "カード「甲」の種類が空です"),
    ];
    for (text, expected) in cases {
        let problems = Scenario::load(Path::new("x.yaml"), text).err().expect(text);
        let found = problems.iter().map(|p| p.to_string()).collect::<Vec<_>>().join("\n");
        assert!(found.contains(expected), "{text}\n→ {found}");
    }
}

#[test]
fn twins_carry_what_cannot_be_knocked_out() {
    let twin = "vary:\n- name: 応酬の前\n  play: {drop: [3, 5, 6, 7, 8], swap: [4, 8], insert: {at: 9, steps: [pass: all, until: 第２バトルステップ, pass: both]}}\n  expect: {味方: {ダメージ: 2000, パワー: 5000}}\n  carries: [dz:3.13]\n";
    let good = report(&format!("{}{twin}", changed("why: [", "why: [dz:3.13, ")));
    assert!(good.passed, "{}", failures(&good));
    assert!(good.twins[0].differs && good.why[0].how.contains("応酬の前"), "{good:?}");
    let idle = twin.replace("play: {drop", "play: {drop: [3]}  # {").replace("ダメージ: 2000, ", "");
    let bad = report(&format!("{}{idle}", changed("why: [", "why: [dz:3.13, ")));
    assert!(failures(&bad).contains("dz:3.13: 外して確かめられません"), "{}", failures(&bad));
}

#[test]
fn verdicts() {
    let claims =
        "verdict: contradicted\nreason: 用例の数が合わない\nclauses: [dz:3.12.4-1]\nclaims: {味方: {ダメージ: 5000}}\n";
    let good = report(&format!("{}{claims}", changed("", "")));
    assert!(good.passed, "{}", failures(&good));
    let same = report(&format!("{}{}", changed("", ""), claims.replace("ダメージ: 5000", "ダメージ: 2000")));
    assert!(failures(&same).contains("矛盾していません"));
    let open = "verdict: undecided\nreason: 決まらない\nclauses: [dz:3.12.4-1]\n";
    assert!(failures(&report(&format!("{}{open}", changed("", "")))).contains("undecided ではありません"));
}

#[test]
fn open_answers_are_explored() {
    let every = "explore: {list: true, some: {味方: {パワー: 5000}}, every: {A: {墓地: [増強]}}}\n";
    let text = changed("{プレイ: 増強, 対象: 味方}", "{プレイ: 増強}");
    let (head, tail) = text.split_once("expect:\n").unwrap();
    let tail = &tail[tail.find("why:").unwrap()..];
    let text = format!("{head}{every}{}", tail.replace("[dz:3.12.4-1, dz:4.16.4-5]", "[dz:4.16.4-5]"));
    let found = report(&text);
    assert_eq!(found.endings.iter().map(|e| e.ways).collect::<Vec<_>>(), [1, 1], "{}", failures(&found));
    assert_eq!(found.endings[0].answers, ["A 対象: 味方"]);
    let all = report(&text.replace("every: {A: {墓地: [増強]}}", "every: {味方: {パワー: 5000}}"));
    assert!(failures(&all).contains("味方のパワーは 5000 のはずが 2000（選び方: A 対象: 敵）"), "{}", failures(&all));
    let few = report(&text.replace("list: true", "list: true, limit: 1"));
    assert!(failures(&few).contains("多すぎます（1通りを超えました）"), "{}", failures(&few));
}

#[test]
fn enormous_tables_end() {
    let crowd = |n: usize| changed("手札: [増強]", &format!("墓地: [{}], 手札: [増強]", vec!["斥候"; n].join(", ")));
    assert!(report(&crowd(400)).passed);
    assert!(failures(&report(&crowd(10_000))).contains("5000枚まで"));
}

#[test]
fn the_schema_speaks_japanese() {
    let schema = serde_json::to_string(&schemars::schema_for!(super::File)).unwrap();
    for words in ["盤面とその裁定", "始まりの盤面", "決め手の条文", "not_executable"] {
        assert!(schema.contains(words), "{words}");
    }
}
