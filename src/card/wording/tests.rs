//! Encodings of plain abilities and the wording that a judge should read.

use std::path::Path;

use crate::card::Ability;
use crate::text::yaml;

fn check(cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (source, expected) in cases {
        match yaml::mapping::<Ability>(Path::new("ability.yaml"), source) {
            Ok(read) => {
                let said = super::ability(&read.value);
                if said != *expected {
                    wrong.push(format!("{source}\n  {said}\n  {expected}"));
                }
            }
            Err(problem) => wrong.push(problem.to_string()),
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
}

#[test]
fn events_and_conditions() {
    check(&[
        ("{kind: 誘発, when: [{event: 置かれた, card: {ref: this}, from: スクエア, to: 墓地}], do: [{draw: {count: 1}}]}", ""),
        ("{kind: 誘発, when: [{event: 置かれた, card: {is: ユニット, of: 相手}, not_from: [手札, 山札], to: スクエア, near: {隣接: this}}], do: [{damage: {what: event, amount: 2000}}]}", ""),
        ("{kind: 誘発, when: [{event: ターン終了時, who: 相手}, {event: 攻撃した, card: {ref: this}}], if: {turn: 自分}, limit: 1, do: [{turn: {what: this, state: リリース}}]}", ""),
        ("{kind: 誘発, when: [{event: プレイした, who: 相手, card: {is: ストラテジー}}], if: {at_least: [{count: {of: 自分, in: 手札}}, 3]}, do: [{draw: {count: 2, who: 相手, up_to: true}}]}", ""),
        ("{kind: 誘発, when: [{event: ダメージ, card: {ref: this}, by: {is: ユニット, of: 相手}, how: バトル}], do: [{move: {what: source, to: 墓地, how: 破壊}}]}", ""),
        ("{kind: 誘発, when: [{event: 置かれた, card: {ref: this}, to: 墓地, how: 捨てる, who: 相手}], do: [{move: {what: this, to: 手札}}]}", ""),
        ("{kind: 常在, if: {all: [{during: メインフェイズ}, {not: {exists: {of: 相手, is: ベース}}}, {any: [{paid: 覚醒}, {not: {turn: 相手}}]}]}, grant: [{add: [パワー, 1000]}]}", ""),
        ("{kind: 常在, if: {exists: {ref: this, in: バトルスペース, state: リリース}}, grant: [{add: [スマッシュ, 1]}]}", ""),
        ("{kind: 常在, if: {none: {ref: this, has: [速攻]}}, grant: [{set: [スマッシュ, 0]}]}", ""),
        ("{do: [{if: {cond: {happened: {event: 移動した, card: {of: 自分, is: ユニット}}}, then: [{draw: {count: 1}}], else: [{shuffle: {}}]}}]}", ""),
        ("{do: [{if: {cond: {at_most: [{data: [this, パワー]}, {highest: [パワー, {of: 相手, is: ユニット}]}]}, then: [{act: {name: プランゾーンを作成する, who: 自分}}]}}]}", ""),
        ("{do: [{if: {cond: {equal: [{lowest: [パワー, {is: ユニット}]}, {divide: [{sum: [X, 3]}, 2]}]}, then: [{end: {who: 自分, result: 勝利}}]}}]}", ""),
    ]);
}

#[test]
fn targets_and_filters() {
    check(&[
        ("{target: [{of: {cards: {is: ユニット}}}], do: [{grant: {what: 対象, changes: [{add: [パワー, 2000]}], until: ターン終了時}}]}", ""),
        ("{target: [{of: {cards: {is: ユニット, of: 相手, in: バトルスペース, where: {使用コスト: {max: 4}, 色: 赤}}}, up_to: 2}], do: [{move: {what: 対象, to: 墓地, how: 破壊}}, {damage: {who: 相手, amount: {size: 対象}}}]}", ""),
        ("{kind: 起動, price: 青2無色1, timing: クイック, target: [{of: {squares: {in: 自軍エリア, without: {is: ユニット}}}}], do: [{move: {what: this, to: 対象, state: そのまま}}]}", ""),
        ("{target: [{slot: 味方, of: {cards: {is: ユニット, of: 自分}}}, {slot: 敵, of: {cards: {is: ユニット, of: 相手, near: {同じライン: 味方}}}}], do: [{swap: {a: 味方, b: 敵}}, {turn: {what: 敵, state: フリーズ}}]}", ""),
        ("{target: [{of: {cards: {is: ユニット}}, any_number: true, divide: 5000}], do: [{damage: {what: 対象}}]}", ""),
        ("{target: [{of: {places: エリア}}], do: [{damage: {all: {is: ユニット, in: 対象, except: this}, amount: X}}]}", ""),
        ("{target: [{of: {players: どちらか}}], do: [{draw: {count: 1, who: player}}, {shuffle: {who: player}}]}", ""),
        ("{target: [{of: {items: {is: ストラテジー, of: 相手}}}], do: [{counter: {what: 対象}}]}", ""),
        ("{target: [{slot: 呪文, of: {items: {}}}, {slot: 先, of: {cards: {is: ユニット}}, by: 相手, random: true}], do: [{retarget: {what: 呪文, to: 先}}]}", ""),
        ("{target: [{of: {cards: {is: ユニット, any: [{state: リリース}, {has: [速攻]}], not: {name: 甲}, with: {闘気: false}, owner: 相手}}}], do: [{reveal: {what: 対象}}]}", ""),
        ("{do: [{move: {all: {of: 自分, in: 山札, top: 3}, to: 墓地}}, {reveal: {all: {of: 自分, top: 2, is: ユニット}, to: 自分}}]}", ""),
        ("{do: [{move: {all: {is: ユニット, of: 相手, highest: パワー}, to: 墓地, how: 破壊}}, {move: {all: {is: ユニット, lowest: パワー, where: {種族: {shared: this}, 色: {any: [赤, 青]}, パワー: {min: 1000, max: 3000}, 属性: {not: 火}}}, to: 山札}}]}", ""),
        ("{target: [{of: {cards: {role: バトルをしているユニット, is: ユニット}}}], do: [{grant: {all: {is: ベース, role: 攻撃したユニット, name: [甲, 乙]}, changes: [{lose: 速攻}]}}]}", ""),
    ]);
}

#[test]
fn steps() {
    check(&[
        ("{do: [{choose: {slot: 札, of: {cards: {of: 相手, in: 手札}}, by: 相手}}, {move: {what: 札, to: 墓地, how: 捨てる}}]}", ""),
        ("{do: [{choose: {slot: 札, of: {cards: {of: 自分, in: 手札}}, random: true, count: 2}}, {for_each: {what: 札, slot: 一枚, do: [{move: {what: 一枚, to: 山札, at: 下}}, {draw: {count: 1}}]}}]}", ""),
        ("{do: [{may: {do: [{move: {what: this, to: 墓地, how: 廃棄}}], then: [{draw: {count: 1}}], else: [{damage: {who: 自分, amount: 1}}]}}]}", ""),
        ("{do: [{may: {by: 相手, do: [{draw: {count: 1}}, {shuffle: {who: 相手}}]}}, {repeat: {count: 3, do: [{shuffle: {}}]}}]}", ""),
        ("{do: [{move: {what: this, to: 墓地, slot: 廃棄した}}, {if: {cond: {did: 廃棄した}, then: [{draw: {count: 1}}, {may: {do: [{shuffle: {}}]}}]}}]}", ""),
        ("{do: [{each_player: {choose: [{slot: 札, of: {cards: {of: 自分, in: 手札}}}], do: [{move: {what: 札, to: 墓地}}]}}]}", ""),
        ("{target: [{of: {cards: {is: ユニット}}}], do: [{later: {when: {event: ターン終了時}, do: [{move: {what: 対象, to: 墓地, how: 破壊}}], about: 対象}}]}", ""),
        ("{do: [{later: {when: {event: 引いた, who: 相手}, do: [{damage: {who: 相手, amount: 1}}], until: ターン終了時}}]}", ""),
        ("{do: [{replace: {instead: {when: {event: ダメージ, card: {ref: this}}, do: [{mark: {what: this, name: 盾, count: -1}}]}, until: ターン終了時}}, {mark: {what: this, name: 盾, count: 2}}]}", ""),
        ("{do: [{choose: {slot: 色, of: {words: [赤, 青, 緑]}}}, {grant: {all: {of: 自分, is: ユニット}, changes: [{become: [色, [色]]}], until: ターン終了時}}]}", ""),
        ("{do: [{choose: {slot: 数, of: {numbers: [1, X]}}}, {let: {slot: N, value: {product: [数, 1000]}}}, {grant: {what: this, changes: [{add: [パワー, N]}]}}]}", ""),
        ("{target: [{of: {cards: {is: ユニット, of: 自分}}}], do: [{move: {all: {of: 自分, top: 1}, to: 対象, as: 闘気, state: 裏}}, {move: {what: 対象, to: this, control: 持ち主, state: フリーズ}}]}", ""),
        ("{modes: [{name: 強化, target: [{of: {cards: {is: ユニット}}}], do: [{grant: {what: 対象, changes: [{add: [パワー, -1000]}], until: バトル終了時}}]}, {name: 補充, do: [{draw: {count: 1}}]}]}", ""),
        ("{cost: [{may: {name: 強化, do: [{turn: {all: {of: 自分, is: ベース}, state: フリーズ}}]}}], do: [{act: {name: スマッシュ, what: this, count: 2}}]}", ""),
    ]);
}

#[test]
fn changes_and_replacements() {
    check(&[
        ("{kind: 常在, affects: {is: ユニット, of: 自分, near: {同じライン: this}}, grant: [{add: [パワー, 1000]}, {add: [スマッシュ, 1]}, {gain: {keyword: {name: 速攻}}}, {lose: 団結}]}", ""),
        ("{kind: 常在, grant: [{add: [パワー, {product: [{count: {of: 自分, in: 墓地, is: ユニット}}, 1000]}]}]}", ""),
        ("{kind: 常在, grant: [{cost: [使用コスト, 無色, -1]}, {price: [移動コスト, 無色0]}, {read: [使用コスト, 移動コスト]}]}", ""),
        ("{kind: 常在, grant: [{forbid: {event: 攻撃した}}]}", ""),
        ("{kind: 常在, affects: {is: ユニット, of: 相手}, grant: [{forbid: {event: 置かれた, from: スクエア, to: 墓地, how: 破壊}}]}", ""),
        ("{kind: 常在, grant: [{forbid: {event: プレイした, who: 相手, card: {is: ストラテジー}}}]}", ""),
        ("{kind: 常在, grant: [{immune: {to: [ダメージ, 対象], by: {of: 相手, is: ストラテジー}}}, {enter: リリース}]}", ""),
        ("{kind: 常在, from: 墓地, grant: [{play_from: 墓地}]}", ""),
        ("{target: [{of: {cards: {is: ユニット}}}], do: [{grant: {what: 対象, changes: [{control: 自分}, {lose_text: true}, {join: [種族, ドール]}, {set: [パワー, 3000]}]}}]}", ""),
        ("{do: [{grant: {what: this, changes: [{gain: {kind: 誘発, when: [{event: 攻撃した, card: {ref: this}}], do: [{draw: {count: 1}}]}}], until: ターン終了時}}]}", ""),
        ("{kind: 常在, instead: {when: {event: 置かれた, card: {ref: this}, from: スクエア, to: 墓地}, to: 手札, optional: true}}", ""),
        ("{kind: 常在, instead: {when: {event: 置かれた, card: {is: ユニット, of: 相手}, to: スクエア}, state: フリーズ}}", ""),
        ("{kind: 常在, instead: {when: {event: 引いた, who: 相手}, do: [{damage: {who: 相手, amount: {event: 枚数}}}]}}", ""),
    ]);
}

#[test]
fn keywords() {
    check(&[
        ("{keyword: {name: 速攻}}", ""),
        ("{keyword: {name: 即死, value: 3}}", ""),
        ("{keyword: {name: 急襲, value: 2}}", ""),
        ("{keyword: {name: 召集, range: 同じライン}}", ""),
        ("{keyword: {name: 支援, range: 同じライン, value: 1000}}", ""),
        ("{keyword: {name: 呼声, words: [赤, 青]}}", ""),
        ("{keyword: {name: 隊列召喚, range: スモールアイ, price: [青1, 無色3]}}", ""),
        ("{keyword: {name: 進撃, cost: [{turn: {what: this, state: フリーズ}}], text: [{do: [{draw: {count: 1}}]}]}}", ""),
        ("{keyword: {name: 連動, words: [甲, 乙], text: [{keyword: {name: 速攻}}, {kind: 常在, grant: [{add: [パワー, -500]}]}]}}", ""),
        ("{keyword: {name: 耐性, filter: {of: 相手, where: {色: 黒}}}}", ""),
        ("{kind: 常在, if: {turn: 自分}, keyword: {name: 加速}}", ""),
    ]);
}
