//! Cards with mistakes, and what is said of them.

use std::path::Path;

use super::cards;
use crate::card::{DataKind, Vocabulary};

const WORDS: Vocabulary = Vocabulary {
    data: &[
        ("使用コスト", DataKind::Price),
        ("色", DataKind::Words),
        ("分類", DataKind::Words),
        ("パワー", DataKind::Number),
    ],
    class: "分類",
    values: &[("分類", &["ユニット", "ベース"]), ("色", &["赤", "青"])],
    required: &[("", &["使用コスト/色"]), ("ユニット", &["パワー"])],
    markers: &["成長"],
    numbers: &[],
    places: &["手札", "墓地", "山札", "スクエア", "自軍エリア", "敵軍エリア", "バトルスペース", "除外", "スタック"],
    relations: &["隣接", "同じライン"],
    states: &["リリース", "フリーズ"],
    events: &["置かれた", "ダメージ", "攻撃した", "ターン終了時"],
    of_players: &[],
    moments: &["ターン終了時"],
    manners: &["破壊", "捨てる"],
    keywords: &["速攻", "覚醒"],
    parts: &[("覚醒", &["price"])],
    takes: &[("覚醒", &["range"])],
    timings: &["ノーマル", "クイック"],
    untils: &["ターン終了時"],
    acts: &["プランゾーンを作成する"],
    roles: &["攻撃したユニット"],
    bases: &[],
    attachments: &["闘気"],
    speaks: &[],
    limits: &[],
    phases: &["メインフェイズ"],
};

/// The problems of a card with these lines after its name: the line of each and words that it must say.
fn check(lines: &str, expected: &[(usize, &str)]) {
    let body: String = lines.lines().map(|line| format!("  {line}\n")).collect();
    // Every card has a kind; where the lines are about something else it stands after them.
    let kind = if lines.starts_with("data:") { "" } else { "  data: {分類: ユニット, 色: 赤, パワー: 1}\n" };
    let (_, problems) = cards(Path::new("cards.yaml"), &format!("cards:\n- name: 甲\n{body}{kind}"), &WORDS);
    let found: Vec<usize> = problems.iter().map(|problem| problem.line - 2).collect();
    assert_eq!(found, expected.iter().map(|(line, _)| *line).collect::<Vec<_>>(), "{lines}\n{problems:#?}");
    for (problem, (_, words)) in problems.iter().zip(expected) {
        assert!(problem.message.contains(words), "{problem}");
    }
}

/// One ability on one line.
fn ability(source: &str, expected: &[&str]) {
    let expected: Vec<(usize, &str)> = expected.iter().map(|words| (2, *words)).collect();
    check(&format!("abilities:\n- {source}"), &expected);
}

#[test]
fn printed_data() {
    check("data: {使用コスト: 青2無色X, 色: [青, 赤], 分類: ユニット, パワー: 2000}", &[]);
    check("data: {分類: ベース, 色: 赤, 使用コスト: 3}", &[(1, "「使用コスト」はコストです（「無色3」")]);
    check("data: {分類: ベース, 使用コスト: 青い}", &[(1, "「青2無色1」")]);
    check("data:\n  パワー: 青\n  色: 3\n  分類: ベース", &[(2, "「パワー」は数です"), (3, "「色」は言葉です")]);
    check(
        "data: {分類: ベース, 色: 赤, ぱわー: 3}",
        &[(1, "「ぱわー」というデータはありません（使えるもの: 使用コスト、色")],
    );
}

#[test]
fn what_a_card_must_have() {
    let wants = |lines: &str, expected: &[&str]| {
        check(lines, &expected.iter().map(|words| (0, *words)).collect::<Vec<_>>());
    };
    wants("data: {分類: ユニット, 色: 赤, パワー: 1}", &[]);
    wants("data: {分類: ベース, 使用コスト: 赤1}", &[]);
    wants("data: {}", &["カード「甲」に分類が要ります（data: {分類: ユニット} のように"]);
    wants("data: {色: 赤, パワー: 1}", &["カード「甲」に分類が要ります"]);
    wants("data: {分類: ユニット}", &["カード「甲」に使用コストか色が要ります", "ユニット「甲」にパワーが要ります"]);
    check("data: {分類: [], 色: 赤}", &[(1, "カード「甲」の分類が空です")]);
    check("data: {分類: ユニット, 色: 赤, パワー: \"?\"}", &[(1, "「パワー」は数です")]);
}

#[test]
fn names_are_unique() {
    let (read, problems) = cards(
        Path::new("c.yaml"),
        "cards:\n- {name: 甲, data: {分類: ベース, 色: 赤}}\n- {name: 乙, data: {分類: ベース, 色: 赤}}\n- {name: 甲, data: {分類: ベース, 色: 赤}}\n",
        &WORDS,
    );
    assert_eq!((read.len(), problems.len(), problems[0].line), (3, 1, 4));
    assert!(problems[0].message.contains("二度"));
}

#[test]
fn words_of_the_game() {
    for (source, wrong) in [
        ("{keyword: {name: 即攻}}", "「即攻」というキーワード能力はありません（使えるもの: 速攻、覚醒）"),
        ("{keyword: {name: 覚醒}}", "キーワード能力「覚醒」に price が要ります"),
        ("{do: [{damage: {what: this}}]}", "damage に amount"),
        ("{do: [{grant: {changes: [{lose: 速攻}]}}]}", "grant に what"),
        ("{from: 墓所, do: [{draw: {count: 1}}]}", "近いもの: 墓地"),
        ("{kind: 起動, timing: クイツク, do: [{draw: {count: 1}}]}", "タイミング"),
        ("{kind: 誘発, when: [{event: 置いた}], do: [{draw: {count: 1}}]}", "出来事"),
        ("{kind: 誘発, when: [{event: ターン終了時, card: {}}], do: [{draw: {count: 1}}]}", "「ターン終了時」は時点"),
        ("{kind: 誘発, when: [{event: 置かれた, how: 廃棄}], do: [{draw: {count: 1}}]}", "起こり方"),
        ("{kind: 誘発, when: [{event: 置かれた, near: {同じ列: this}}], do: [{draw: {count: 1}}]}", "位置の関係"),
        ("{kind: 誘発, when: [{event: 置かれた, who: 敵}], do: [{draw: {count: 1}}]}", "プレイヤーの言い方"),
        ("{if: {during: 準備}, do: [{draw: {count: 1}}]}", "フェイズ"),
        ("{if: {paid: 進撃}, do: [{draw: {count: 1}}]}", "払い方"),
        ("{do: [{turn: {what: this, state: 縦}}]}", "状態"),
        ("{do: [{move: {all: {has: 飛行}, to: 墓地}}]}", "キーワード能力"),
        ("{do: [{move: {all: {role: 守るユニット}, to: 墓地}}]}", "役割"),
        ("{do: [{move: {all: {with: {結合: true}}, to: 墓地}}]}", "付け方"),
        ("{do: [{move: {what: this, to: 墓地, at: 横}}]}", "山札の位置"),
        ("{do: [{move: {to: 墓地}}]}", "what"),
        ("{do: [{grant: {what: this, changes: [{add: [色, 1]}], until: ターン終了時}}]}", "「色」は言葉なので"),
        ("{do: [{grant: {what: this, changes: [{lose: 速攻}], until: 来年}}]}", "期限"),
        ("{do: [{grant: {what: this, changes: [{cost: [パワー, 無色, 1]}]}}]}", "「パワー」は数なので"),
        ("{do: [{act: {name: 踊る}}]}", "行為"),
        ("{do: [{end: {who: 自分, result: 引分}}]}", "勝利、敗北"),
        ("{kind: 常在, grant: [{lose_text: false}]}", "true だけ"),
        ("{kind: 常在, grant: [{immune: {to: 移動, by: {}}}]}", "受けないもの"),
        ("{kind: 常在, grant: [{forbid: {event: 飛ぶ}}]}", "出来事や行為"),
        ("{kind: 常在, affects: {where: {パワー: 赤}}, grant: [{lose: 速攻}]}", "「パワー」は数なので"),
        ("{target: [{of: {players: みんな}}], do: [{draw: {count: 1}}]}", "どちらか"),
        ("{target: [{of: {places: 島}}], do: [{draw: {count: 1}}]}", "場所やスロット"),
    ] {
        ability(source, &[wrong]);
    }
}

#[test]
fn slots_are_known_from_where_they_are_filled() {
    let target = "target: [{of: {cards: {is: ユニット}}}]";
    ability(&format!("{{{target}, do: [{{turn: {{what: 対象, state: リリース}}}}]}}"), &[]);
    ability("{do: [{turn: {what: 的, state: リリース}}, {choose: {slot: 的, of: {cards: {}}}}]}", &["「的」という"]);
    ability("{do: [{let: {slot: 量, value: 3}}, {draw: {count: 量}}, {draw: {count: Z}}]}", &["「Z」という"]);
    ability("{kind: 起動, price: 赤1無色X, do: [{draw: {count: X}}]}", &[]);
    ability("{target: [{of: {places: エリア}}], do: [{damage: {all: {in: 対象}, amount: 1}}]}", &[]);
    ability("{target: [{of: {squares: {in: 自軍エリア}}}], do: [{move: {what: this, to: 対象}}]}", &[]);
    ability("{do: [{move: {what: this, to: 墓地, slot: 動}}, {if: {cond: {did: 動}, then: [{shuffle: {}}]}}]}", &[]);
    ability("{do: [{if: {cond: {did: 動}, then: [{shuffle: {}}]}}]}", &["ここで使えるものはありません"]);
    ability("{cost: [{may: {name: 強化, do: [{shuffle: {}}]}}], do: [{if: {cond: {paid: 強化}, then: []}}]}", &[]);
    ability(
        "{do: [{choose: {slot: 札, of: {cards: {}}}}, {for_each: {what: 札, slot: 個, do: [{counter: {what: 個}}]}}]}",
        &[],
    );
    let mode = |name: &str| format!("{{name: {name}, {target}, do: [{{counter: {{what: 対象}}}}]}}");
    ability(&format!("{{modes: [{}, {}]}}", mode("一"), mode("二")), &[]);
    ability(&format!("{{modes: [{}], do: [{{counter: {{what: 対象}}}}]}}", mode("一")), &["「対象」という"]);
    let gained = "{gain: {kind: 起動, do: [{counter: {what: 対象}}]}}";
    ability(&format!("{{{target}, do: [{{grant: {{what: 対象, changes: [{gained}]}}}}]}}"), &["「対象」という"]);
}

#[test]
fn parts_that_do_not_go_together() {
    ability("{kind: 誘発, do: [{draw: {count: 1}}]}", &["when"]);
    for nothing in
        ["{}", "{kind: 起動, price: 赤1}", "{kind: 誘発, when: [{event: 攻撃した}]}", "{kind: 常在, affects: {}}"]
    {
        check(&format!("abilities:\n- {nothing}"), &[(1, "することも影響もない能力")]);
    }
    ability("{when: [{event: 攻撃した}], do: [{draw: {count: 1}}]}", &["kind: 誘発"]);
    ability("{grant: [{lose: 速攻}]}", &["kind: 常在"]);
    ability("{kind: 常在, do: [{draw: {count: 1}}]}", &["常在には do"]);
    ability("{do: [{each_player: {together: true, do: [{draw: {count: 1}}]}}]}", &["each_player の choose"]);
    ability("{keyword: {name: 覚醒, price: [赤1], range: 手札}}", &[]);
    ability("{keyword: {name: 覚醒, price: [赤1], value: 2}}", &["value は書けません"]);
}
