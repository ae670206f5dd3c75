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
        (
            "{kind: 誘発, when: [{event: 置かれた, card: {ref: this}, from: スクエア, to: 墓地}], do: [{draw: {count: 1}}]}",
            "このカードがスクエアから墓地に置かれた時、自分はカードを1枚引く。",
        ),
        (
            "{kind: 誘発, when: [{event: 置かれた, card: {is: ユニット, of: 相手}, not_from: [手札, 山札], to: スクエア, near: {隣接: this}}], do: [{damage: {what: event, amount: 2000}}]}",
            "相手のユニットが手札か山札以外からこのカードに隣接するスクエアに置かれた時、そのカードに2000のダメージを与える。",
        ),
        (
            "{kind: 誘発, when: [{event: ターン終了時, who: 相手}, {event: 攻撃した, card: {ref: this}}], if: {turn: 自分}, limit: 1, do: [{turn: {what: this, state: リリース}}]}",
            "《1ターンに1回まで》相手のターン終了時、またはこのカードが攻撃した時、自分のターンならば、このカードをリリースする。",
        ),
        (
            "{kind: 誘発, when: [{event: プレイした, who: 相手, card: {is: ストラテジー}}], if: {at_least: [{count: {of: 自分, in: 手札}}, 3]}, do: [{draw: {count: 2, who: 相手, up_to: true}}]}",
            "相手がストラテジーをプレイした時、自分の手札にあるカードが3枚以上ならば、相手はカードを2枚まで引く。",
        ),
        (
            "{kind: 誘発, when: [{event: ダメージ, card: {ref: this}, by: {is: ユニット, of: 相手}, how: バトル}], do: [{move: {what: source, to: 墓地, how: 破壊}}]}",
            "このカードが相手のユニットのバトルによってダメージを受けた時、それを起こしたカードを破壊する。",
        ),
        (
            "{kind: 誘発, when: [{event: 置かれた, card: {ref: this}, to: 墓地, how: 捨てる, who: 相手}], do: [{move: {what: this, to: 手札}}]}",
            "このカードが相手に捨てられて墓地に置かれた時、このカードを手札に加える。",
        ),
        (
            "{kind: 常在, if: {all: [{during: メインフェイズ}, {not: {exists: {of: 相手, is: ベース}}}, {any: [{paid: 覚醒}, {not: {turn: 相手}}]}]}, grant: [{add: [パワー, 1000]}]}",
            "メインフェイズ中で、かつ相手のベースがなく、かつ（「覚醒」で支払った、または相手のターンでない）ならば、このカードのパワーを＋1000する。",
        ),
        (
            "{kind: 常在, if: {exists: {ref: this, in: バトルスペース, state: リリース}}, grant: [{add: [スマッシュ, 1]}]}",
            "このカードがバトルスペースにあり、リリース状態ならば、このカードのスマッシュを＋1する。",
        ),
        (
            "{kind: 常在, if: {none: {ref: this, has: [速攻]}}, grant: [{set: [スマッシュ, 0]}]}",
            "このカードが速攻を持たないならば、このカードのスマッシュを0にする。",
        ),
        (
            "{do: [{if: {cond: {happened: {event: 移動した, card: {of: 自分, is: ユニット}}}, then: [{draw: {count: 1}}], else: [{shuffle: {}}]}}]}",
            "このターンに自分のユニットが移動したならば、自分はカードを1枚引く。そうでなければ、自分は山札を切り直す。",
        ),
        (
            "{do: [{if: {cond: {at_most: [{data: [this, パワー]}, {highest: [パワー, {of: 相手, is: ユニット}]}]}, then: [{act: {name: プランゾーンを作成する, who: 自分}}]}}]}",
            "このカードのパワーが相手のユニットのパワーの最大値以下ならば、自分はプランゾーンを作成する。",
        ),
        (
            "{do: [{if: {cond: {equal: [{lowest: [パワー, {is: ユニット}]}, {divide: [{sum: [X, 3]}, 2]}]}, then: [{end: {who: 自分, result: 勝利}}]}}]}",
            "ユニットのパワーの最小値がXと3の合計を2で割った数と同じ数ならば、自分は勝利する。",
        ),
    ]);
}

#[test]
fn targets_and_filters() {
    check(&[
        (
            "{target: [{of: {cards: {is: ユニット}}}], do: [{grant: {what: 対象, changes: [{add: [パワー, 2000]}], until: ターン終了時}}]}",
            "ターン終了時まで、対象のユニット1枚のパワーを＋2000する。",
        ),
        (
            "{target: [{of: {cards: {is: ユニット, of: 相手, in: バトルスペース, where: {使用コスト: {max: 4}, 色: 赤}}}, up_to: 2}], do: [{move: {what: 対象, to: 墓地, how: 破壊}}, {damage: {who: 相手, amount: {size: 対象}}}]}",
            "対象の、バトルスペースにある使用コストが4以下で赤の相手のユニット2枚までを破壊する。相手にそのユニットの数のダメージを与える。",
        ),
        (
            "{kind: 起動, price: 青2無色1, timing: クイック, target: [{of: {squares: {in: 自軍エリア, without: {is: ユニット}}}}], do: [{move: {what: this, to: 対象, state: そのまま}}]}",
            "［青2無色1］《クイック》このカードを対象の、ユニットのない自軍エリアのスクエア1つにそのままの状態で置く。",
        ),
        (
            "{target: [{slot: 味方, of: {cards: {is: ユニット, of: 自分}}}, {slot: 敵, of: {cards: {is: ユニット, of: 相手, near: {同じライン: 味方}}}}], do: [{swap: {a: 味方, b: 敵}}, {turn: {what: 敵, state: フリーズ}}]}",
            "対象の自分のユニット1枚（味方）と対象の、その味方と同じラインにある相手のユニット1枚（敵）の場所を入れ替える。その敵をフリーズする。",
        ),
        (
            "{target: [{of: {cards: {is: ユニット}}, any_number: true, divide: 5000}], do: [{damage: {what: 対象}}]}",
            "対象の好きな数のユニットに5000を1以上ずつ割り振る。そのユニットに割り振った数のダメージを与える。",
        ),
        (
            "{target: [{of: {places: エリア}}], do: [{damage: {all: {is: ユニット, in: 対象, except: this}, amount: X}}]}",
            "対象のエリア1つにあるこのカード以外のユニットすべてにXのダメージを与える。",
        ),
        (
            "{target: [{of: {players: どちらか}}], do: [{draw: {count: 1, who: player}}, {shuffle: {who: player}}]}",
            "対象のプレイヤー1人はカードを1枚引く。そのプレイヤーは山札を切り直す。",
        ),
        (
            "{target: [{of: {items: {is: ストラテジー, of: 相手}}}], do: [{counter: {what: 対象}}]}",
            "対象の、解決を待つ相手のストラテジー1つを無効にする。",
        ),
        (
            "{target: [{slot: 呪文, of: {items: {}}}, {slot: 先, of: {cards: {is: ユニット}}, by: 相手, random: true}], do: [{retarget: {what: 呪文, to: 先}}]}",
            "対象の、解決を待つカード1つの対象を相手が無作為に選ぶ対象のユニット1枚に変える。",
        ),
        (
            "{target: [{of: {cards: {is: ユニット, any: [{state: リリース}, {has: [速攻]}], not: {name: 甲}, with: {闘気: false}, owner: 相手}}}], do: [{reveal: {what: 対象}}]}",
            "対象の、持ち主が相手で、闘気がなく、リリース状態のカードか速攻を持つカードで、「甲」でないユニット1枚を見せる。",
        ),
        (
            "{do: [{move: {all: {of: 自分, in: 山札, top: 3}, to: 墓地}}, {reveal: {all: {of: 自分, top: 2, is: ユニット}, to: 自分}}]}",
            "自分の山札の上から3枚を墓地に置く。自分は自分の山札の上から2枚の中にあるユニットすべてを見る。",
        ),
        (
            "{do: [{move: {all: {is: ユニット, of: 相手, highest: パワー}, to: 墓地, how: 破壊}}, {move: {all: {is: ユニット, lowest: パワー, where: {種族: {shared: this}, 色: {any: [赤, 青]}, パワー: {min: 1000, max: 3000}, 属性: {not: 火}}}, to: 山札}}]}",
            "相手のユニットのうちパワーが最も大きいものすべてを破壊する。パワーが1000以上3000以下で、属性が火でなく、このカードと共通の種族を持ち、赤か青のユニットのうちパワーが最も小さいものすべてを山札の上に置く。",
        ),
        (
            "{target: [{of: {cards: {role: バトルをしているユニット, is: ユニット}}}], do: [{grant: {all: {is: ベース, role: 攻撃したユニット, name: [甲, 乙]}, changes: [{lose: 速攻}]}}]}",
            "バトルをしているユニット1枚を対象とする。カード名が「甲」か「乙」で攻撃したユニットであるベースすべては速攻を失う。",
        ),
    ]);
}

#[test]
fn steps() {
    check(&[
        (
            "{do: [{choose: {slot: 札, of: {cards: {of: 相手, in: 手札}}, by: 相手}}, {move: {what: 札, to: 墓地, how: 捨てる}}]}",
            "相手は相手の手札にあるカード1枚を選び、そのカードを捨てる。",
        ),
        (
            "{do: [{choose: {slot: 札, of: {cards: {of: 自分, in: 手札}}, random: true, count: 2}}, {for_each: {what: 札, slot: 一枚, do: [{move: {what: 一枚, to: 山札, at: 下}}, {draw: {count: 1}}]}}]}",
            "自分の手札にあるカード2枚を無作為に選ぶ。そのカード1枚ずつについて順に、その1枚を山札の下に置き、自分はカードを1枚引く。",
        ),
        (
            "{do: [{may: {do: [{move: {what: this, to: 墓地, how: 廃棄}}], then: [{draw: {count: 1}}], else: [{damage: {who: 自分, amount: 1}}]}}]}",
            "このカードを廃棄してよい。そうしたならば、自分はカードを1枚引く。そうしなければ、自分に1のダメージを与える。",
        ),
        (
            "{do: [{may: {by: 相手, do: [{draw: {count: 1}}, {shuffle: {who: 相手}}]}}, {repeat: {count: 3, do: [{shuffle: {}}]}}]}",
            "相手は「自分はカードを1枚引き、相手は山札を切り直す」ことを選んでよい。「自分は山札を切り直す。」を3回行う。",
        ),
        (
            "{do: [{move: {what: this, to: 墓地, slot: 廃棄した}}, {if: {cond: {did: 廃棄した}, then: [{draw: {count: 1}}, {may: {do: [{shuffle: {}}]}}]}}]}",
            "このカードを墓地に置く。そうしたならば、「自分はカードを1枚引く。自分は山札を切り直してよい。」を行う。",
        ),
        (
            "{do: [{each_player: {together: true, choose: [{slot: 札, of: {cards: {of: 自分, in: 手札}}}], do: [{move: {what: 札, to: 墓地}}]}}]}",
            "各プレイヤーは自分の手札にあるカード1枚を選ぶ。全員が選んだ後、同時にそのカードを墓地に置く。",
        ),
        (
            "{do: [{each_player: {do: [{draw: {count: 1}}]}}]}",
            "各プレイヤーは順に、自分について次を行う: 自分はカードを1枚引く。",
        ),
        (
            "{target: [{of: {cards: {is: ユニット}}}], do: [{later: {when: {event: ターン終了時}, do: [{move: {what: 対象, to: 墓地, how: 破壊}}], about: 対象}}]}",
            "対象のユニット1枚について、ターン終了時、そのユニットを破壊する。",
        ),
        (
            "{do: [{later: {when: {event: 引いた, who: 相手}, do: [{damage: {who: 相手, amount: 1}}], until: ターン終了時}}]}",
            "ターン終了時まで、相手がカードを引いた時、相手に1のダメージを与える。",
        ),
        (
            "{do: [{replace: {instead: {when: {event: ダメージ, card: {ref: this}}, do: [{mark: {what: this, name: 盾, count: -1}}]}, until: ターン終了時}}, {mark: {what: this, name: 盾, count: 2}}]}",
            "ターン終了時まで、このカードがダメージを受ける時、かわりにこのカードから「盾」を1個取り除く。このカードに「盾」を2個置く。",
        ),
        (
            "{do: [{choose: {slot: 色, of: {words: [赤, 青, 緑]}}}, {grant: {all: {of: 自分, is: ユニット}, changes: [{become: [色, [色]]}], until: ターン終了時}}]}",
            "赤、青、緑のうち1つを選び、ターン終了時まで、自分のユニットすべての色を選んだ色に変える。",
        ),
        (
            "{do: [{choose: {slot: 数, of: {numbers: [1, X]}}}, {let: {slot: 量, value: {product: [数, 1000]}}}, {grant: {what: this, changes: [{add: [パワー, 量]}]}}]}",
            "1からXまでの数1つを選び、量を選んだ数×1000とする。このカードのパワーに量を加える。",
        ),
        (
            "{target: [{of: {cards: {is: ユニット, of: 自分}}}], do: [{move: {all: {of: 自分, top: 1}, to: 対象, as: 闘気, state: 裏}}, {move: {what: 対象, to: this, control: 持ち主, state: フリーズ}}]}",
            "自分の山札の上から1枚を対象の自分のユニット1枚に裏向きで闘気として付ける。そのユニットをこのカードのある場所に持ち主の支配下でフリーズ状態で置く。",
        ),
        (
            "{modes: [{name: 強化, target: [{of: {cards: {is: ユニット}}}], do: [{grant: {what: 対象, changes: [{add: [パワー, -1000]}], until: バトル終了時}}]}, {name: 補充, do: [{draw: {count: 1}}]}]}",
            "次から1つを選ぶ。・「強化」バトル終了時まで、対象のユニット1枚のパワーを－1000する。・「補充」自分はカードを1枚引く。",
        ),
        (
            "{cost: [{may: {name: 強化, do: [{turn: {all: {of: 自分, is: ベース}, state: フリーズ}}]}}], do: [{act: {name: スマッシュ, what: this, count: 2}}]}",
            "追加コスト［自分のベースすべてをフリーズしてよい（強化）］このカードについて、数を2として、スマッシュする。",
        ),
    ]);
}

#[test]
fn changes_and_replacements() {
    check(&[
        (
            "{kind: 常在, affects: {is: ユニット, of: 自分, near: {同じライン: this}}, grant: [{add: [パワー, 1000]}, {add: [スマッシュ, 1]}, {gain: {keyword: {name: 速攻}}}, {lose: 団結}]}",
            "このカードと同じラインにある自分のユニットすべてのパワーを＋1000し、スマッシュを＋1し、それは速攻を得て、団結を失う。",
        ),
        (
            "{kind: 常在, grant: [{add: [パワー, {product: [{count: {of: 自分, in: 墓地, is: ユニット}}, 1000]}]}]}",
            "このカードのパワーを、自分の墓地にあるユニット1枚につき＋1000する。",
        ),
        (
            "{kind: 常在, grant: [{cost: [使用コスト, 無色, -1]}, {price: [移動コスト, 無色0]}, {read: [使用コスト, 移動コスト]}]}",
            "このカードの使用コストの無色を－1し、移動コストを［無色0］にし、使用コストを参照する時、かわりに移動コストを参照する。",
        ),
        ("{kind: 常在, grant: [{forbid: {event: 攻撃した}}]}", "このカードは攻撃できない。"),
        (
            "{kind: 常在, affects: {is: ユニット, of: 相手}, grant: [{forbid: {event: 置かれた, from: スクエア, to: 墓地, how: 破壊}}]}",
            "相手のユニットすべては破壊によってスクエアから墓地に置かれない。",
        ),
        (
            "{kind: 常在, grant: [{forbid: {event: プレイした, who: 相手, card: {is: ストラテジー}}}]}",
            "相手はストラテジーをプレイできない。",
        ),
        (
            "{target: [{of: {cards: {in: 手札, of: 相手}}}], do: [{grant: {what: 対象, changes: [{forbid: {event: プレイした, who: 相手}}], until: ターン終了時}}, {grant: {changes: [{forbid: {event: 引いた, who: 相手}}]}}]}",
            "ターン終了時まで、相手は対象の、相手の手札にあるカード1枚をプレイできない。相手はカードを引くことができない。",
        ),
        (
            "{kind: 常在, grant: [{immune: {to: [ダメージ, 対象], by: {of: 相手, is: ストラテジー}}}, {enter: リリース}]}",
            "このカードは相手のストラテジーからダメージを受けず、相手のストラテジーの対象にならず、リリース状態で置かれる。",
        ),
        ("{kind: 常在, from: 墓地, grant: [{play_from: 墓地}]}", "《墓地で有効》このカードを墓地からプレイしてよい。"),
        (
            "{target: [{of: {cards: {is: ユニット}}}], do: [{grant: {what: 対象, changes: [{control: 自分}, {lose_text: true}, {join: [種族, ドール]}, {set: [パワー, 3000]}]}}]}",
            "対象のユニット1枚の支配者を自分にし、それはすべての能力を失い、それの種族にドールを加え、パワーを3000にする。",
        ),
        (
            "{do: [{grant: {what: this, changes: [{gain: {kind: 誘発, when: [{event: 攻撃した, card: {ref: this}}], do: [{draw: {count: 1}}]}}], until: ターン終了時}}]}",
            "ターン終了時まで、このカードは「このカードが攻撃した時、自分はカードを1枚引く。」を得る。",
        ),
        (
            "{kind: 常在, instead: {when: {event: 置かれた, card: {ref: this}, from: スクエア, to: 墓地}, to: 手札, optional: true}}",
            "このカードがスクエアから墓地に置かれる時、かわりに手札に加えてよい。",
        ),
        (
            "{kind: 常在, instead: {when: {event: 置かれた, card: {is: ユニット, of: 相手}, to: スクエア}, state: フリーズ}}",
            "相手のユニットがスクエアに置かれる時、かわりにフリーズ状態で置く。",
        ),
        (
            "{kind: 常在, instead: {when: {event: 引いた, who: 相手}, do: [{damage: {who: 相手, amount: {event: 枚数}}}]}}",
            "相手がカードを引く時、かわりに相手にその枚数のダメージを与える。",
        ),
    ]);
}

#[test]
fn keywords() {
    check(&[
        ("{keyword: {name: 速攻}}", "速攻"),
        ("{keyword: {name: 即死, value: 3}}", "即死レベル3"),
        ("{keyword: {name: 急襲, value: 2}}", "急襲2"),
        ("{keyword: {name: 召集, range: 同じライン}}", "召集－同じライン"),
        ("{keyword: {name: 支援, range: 同じライン, value: 1000}}", "支援－同じライン＋1000"),
        ("{keyword: {name: 呼声, words: [赤, 青]}}", "呼声－赤・青"),
        (
            "{keyword: {name: 隊列召喚, range: スモールアイ, price: [青1, 無色3]}}",
            "隊列召喚－スモールアイ［青1または無色3］",
        ),
        (
            "{keyword: {name: 進撃, cost: [{turn: {what: this, state: フリーズ}}], text: [{do: [{draw: {count: 1}}]}]}}",
            "進撃［このカードをフリーズする］［自分はカードを1枚引く。］",
        ),
        (
            "{keyword: {name: 連動, words: [甲, 乙], text: [{keyword: {name: 速攻}}, {kind: 常在, grant: [{add: [パワー, -500]}]}]}}",
            "連動「甲」「乙」［速攻／このカードのパワーを－500する。］",
        ),
        ("{keyword: {name: 耐性, filter: {of: 相手, where: {色: 黒}}}}", "耐性－黒の相手のカード"),
        ("{kind: 常在, if: {turn: 自分}, keyword: {name: 加速}}", "自分のターンならば、加速"),
    ]);
}

/// The words in which the games name their events.
#[test]
fn events_of_the_games() {
    let of = |event: &str| format!("{{kind: 誘発, when: [{event}], do: [{{draw: {{count: 1}}}}]}}");
    for (event, said) in [
        (
            "{event: 置く, card: {ref: this}, from: スクエア, to: 墓地, how: 破壊}",
            "このカードが破壊によってスクエアから墓地に置かれた時",
        ),
        ("{event: 墓地へ送る, card: {ref: this}, how: 破壊}", "このカードが破壊によって墓地へ送られた時"),
        ("{event: 引く, who: 相手}", "相手がカードを引いた時"),
        ("{event: 被攻撃, card: {ref: this}}", "このカードが攻撃された時"),
        ("{event: バトル勝利, card: {ref: this}}", "このカードがバトルに勝利した時"),
        (
            "{event: 破壊, card: {of: 相手}, by: {of: 自分}, how: 効果}",
            "相手のカードが自分のカードの効果によって破壊された時",
        ),
        ("{event: 召喚, card: {ref: this}}", "このカードが召喚された時"),
        ("{event: 召喚, card: {is: モンスター}, who: 相手}", "相手がモンスターを召喚した時"),
        ("{event: プレイ, card: {is: ユニット}, who: 自分}", "自分がユニットをプレイした時"),
        ("{event: 戦闘ダメージ, who: 相手, by: {ref: this}}", "相手がこのカードによって戦闘ダメージを受けた時"),
        ("{event: 表, card: {ref: this}}", "このカードが表向きになった時"),
        ("{event: 守備表示, card: {ref: this}}", "このカードが守備表示になった時"),
        ("{event: ダメージ計算後, card: {ref: this}}", "このカードのダメージ計算後"),
        ("{event: エンドフェイズ, who: 自分}", "自分のエンドフェイズに"),
        ("{event: メインフェイズ1}", "メインフェイズ1に"),
    ] {
        check(&[(&of(event), &format!("{said}、自分はカードを1枚引く。"))]);
    }
    check(&[
        ("{kind: 常在, grant: [{forbid: {event: 引く, who: 自分}}]}", "自分はカードを引くことができない。"),
        ("{kind: 常在, grant: [{forbid: {event: プレイ}}]}", "このカードはプレイできない。"),
        ("{kind: 常在, grant: [{forbid: {event: 対象}}]}", "このカードは対象にならない。"),
        (
            "{kind: 常在, instead: {when: {event: 置く, card: {ref: this}, to: 墓地}, to: 手札}}",
            "このカードが墓地に置かれる時、かわりに手札に加える。",
        ),
        (
            "{do: [{replace: {instead: {when: {event: 戦闘ダメージ, who: 自分}}, until: ターン終了時}}]}",
            "ターン終了時まで、自分が戦闘ダメージを受ける時、かわりに何も起こさない。",
        ),
        (
            "{do: [{later: {when: {event: エンドフェイズ}, do: [{draw: {count: 1}}]}}]}",
            "次のエンドフェイズに、自分はカードを1枚引く。",
        ),
    ]);
}

/// 「発動できる」, 「場合」, and triggers that look at the position.
#[test]
fn triggers() {
    let sent = "when: [{event: 墓地へ送る, card: {ref: this}}], do: [{draw: {count: 1}}]";
    check(&[
        (
            &format!("{{kind: 誘発, optional: true, timing: 時, {sent}}}"),
            "このカードが墓地へ送られた時に発動できる。自分はカードを1枚引く。",
        ),
        (
            &format!("{{kind: 誘発, optional: true, timing: 場合, from: 墓地, {sent}}}"),
            "《墓地で有効》このカードが墓地へ送られた場合に発動できる。自分はカードを1枚引く。",
        ),
        (&format!("{{kind: 誘発, timing: 場合, {sent}}}"), "このカードが墓地へ送られた場合、自分はカードを1枚引く。"),
        (
            &format!("{{kind: 誘発, optional: true, if: {{turn: 相手}}, {sent}}}"),
            "このカードが墓地へ送られた時、相手のターンならば発動できる。自分はカードを1枚引く。",
        ),
        (
            "{kind: 誘発, optional: true, when: [{event: エンドフェイズ, who: 自分}], do: [{draw: {count: 1}}]}",
            "自分のエンドフェイズに発動できる。自分はカードを1枚引く。",
        ),
        (
            "{kind: 誘発, if: {at_least: [{count: {of: 自分, in: 手札}}, 2]}, do: [{shuffle: {}}]}",
            "《誘発》自分の手札にあるカードが2枚以上ならば、自分は山札を切り直す。",
        ),
    ]);
}

/// Limits of a player, acts of a game, and words that stand for the cards just moved or spoken of.
#[test]
fn acts_and_limits() {
    check(&[
        ("{kind: 常在, grant: [{limit: [チャージの上限, null]}]}", "自分のチャージの上限はなくなる。"),
        ("{kind: 常在, grant: [{limit: [手札の上限, 8]}]}", "自分の手札の上限は8になる。"),
        ("{do: [{act: {name: LPを払う, count: 500}}, {act: {name: 回復, count: X}}]}", "LPを500払う。X回復する。"),
        (
            "{do: [{act: {name: 効果ダメージ, who: 相手, count: 800}}, {act: {name: お互いに効果ダメージ, count: 1000}}]}",
            "相手に800の効果ダメージを与える。お互いに1000の効果ダメージを与える。",
        ),
        (
            "{target: [{of: {cards: {is: モンスター}}}], do: [{act: {name: 攻撃表示で特殊召喚, what: 対象}}]}",
            "対象のモンスター1枚を攻撃表示で特殊召喚する。",
        ),
        (
            "{target: [{of: {cards: {is: ユニット, in: 墓地}}}], do: [{move: {what: 対象, to: 自軍エリア}}, {later: {when: {event: ターン終了時}, about: moved, do: [{move: {what: about, to: 山札, at: シャッフル}}]}}]}",
            "対象の、墓地にあるユニット1枚を自軍エリアに置く。そうして動かしたカードについて、ターン終了時、それを山札に加えてシャッフルする。",
        ),
        (
            "{do: [{move: {all: {is: モンスター}, to: 除外}}, {move: {all: {of: 相手, in: 墓地}, to: リムーブゾーン, how: 除外}}, {move: {what: this, to: チャージ, how: 破壊}}]}",
            "モンスターすべてを除外する。相手の墓地にあるカードすべてを除外する。このカードを破壊する。",
        ),
    ]);
}

#[test]
fn phrases_that_must_not_stumble() {
    check(&[
        (
            "{target: [{of: {cards: {is: ユニット}}, count: 2}], do: [{swap: {a: 対象, b: 対象}}]}",
            "対象のユニット2枚の場所を入れ替える。",
        ),
        (
            "{do: [{choose: {slot: 選んだ色, of: {words: [赤, 青]}}}, {grant: {what: this, changes: [{become: [色, [選んだ色]]}]}}]}",
            "赤、青のうち1つを選び、このカードの色を選んだ色に変える。",
        ),
        (
            "{kind: 常在, grant: [{cost: [使用コスト, 無色, {product: [-1, {count: {of: 自分, is: ユニット}}]}]}]}",
            "このカードの使用コストの無色を、自分のユニット1枚につき－1する。",
        ),
        (
            "{target: [{of: {places: エリア}}], do: [{turn: {all: {of: 自分, is: ユニット, in: 対象}, state: リリース}}]}",
            "対象のエリア1つにある自分のユニットすべてをリリースする。",
        ),
        (
            "{kind: 常在, if: {exists: {ref: this, where: {種族: ドール}}}, grant: [{add: [パワー, 1000]}]}",
            "このカードの種族がドールならば、このカードのパワーを＋1000する。",
        ),
        (
            "{kind: 常在, if: {none: {ref: this, state: リリース}}, grant: [{add: [パワー, 1000]}]}",
            "このカードがリリース状態でないならば、このカードのパワーを＋1000する。",
        ),
        (
            "{kind: 起動, cost: [{choose: {slot: 贄, of: {cards: {of: 自分, is: ユニット}}}}, {move: {what: 贄, to: 墓地, how: 廃棄}}], do: [{draw: {count: 1}}]}",
            "［自分のユニット1枚を選び、そのユニットを廃棄する］自分はカードを1枚引く。",
        ),
        (
            "{do: [{let: {slot: 枚数, value: {count: {is: ユニット}}}}, {draw: {count: 枚数}}]}",
            "枚数をユニットの枚数とする。自分はカードを（枚数）枚引く。",
        ),
        (
            "{target: [{slot: 甲, of: {cards: {is: ユニット, of: 自分}}}, {slot: 乙, of: {cards: {is: ユニット, of: 相手, near: {同じエリア: 甲}}}}], do: [{move: {what: 乙, to: 墓地}}]}",
            "自分のユニット1枚（甲）を対象とする。対象の、その甲と同じエリアにある相手のユニット1枚（乙）を墓地に置く。",
        ),
        (
            "{do: [{turn: {all: {near: {挟撃: this}, of: 相手, is: ユニット}, state: フリーズ}}]}",
            "このカードが挟撃するスクエアにある相手のユニットすべてをフリーズする。",
        ),
    ]);
}

#[test]
fn a_whole_card() {
    use crate::card::{DataKind, Vocabulary, load};
    let words = Vocabulary {
        data: &[("使用コスト", DataKind::Price), ("色", DataKind::Words), ("パワー", DataKind::Number)],
        class: "色",
        values: &[],
        required: &[],
        markers: &[],
        numbers: &[],
        places: &[],
        relations: &[],
        states: &[],
        events: &[],
        of_players: &[],
        moments: &[],
        manners: &[],
        keywords: &["速攻"],
        parts: &[],
        takes: &[],
        timings: &[],
        untils: &[],
        acts: &[],
        roles: &[],
        bases: &[],
        attachments: &[],
        speaks: &[],
        limits: &[],
        phases: &[],
    };
    let source = "cards:\n- name: 甲\n  data: {パワー: 2000, 色: [青, 赤], 使用コスト: 青2無色1}\n  abilities:\n  - keyword: {name: 速攻}\n  - do: [{draw: {count: 1}}]\n  unencoded: [召集]\n";
    let (cards, problems) = load::cards(Path::new("cards.yaml"), source, &words);
    assert!(problems.is_empty(), "{problems:?}");
    let lines = [
        "「甲」",
        "使用コスト：青2無色1　色：青・赤　パワー：2000",
        "速攻",
        "自分はカードを1枚引く。",
        "（書き表していない能力：召集）",
    ];
    assert_eq!(super::card(&cards[0].value, &words), lines.join("\n"));
}
