//! 2.2–2.9, 2.22–2.23: data, zones and the facts that mechanics remember.

use std::sync::OnceLock;

use crate::card::DataKind::{Number, Price, Words};
use crate::card::Vocabulary;
use crate::kernel::doors::NEXT;
use crate::kernel::{Customs, Ends, FactOwner, FactSpec, Group, Schema, Seat, Sight, ZoneId, ZoneSpec};

/// 2.23.1: the zones. Squares are named as A sees them: line, then area.
pub fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| Schema {
        zones: zones(),
        facts: FACTS,
        words: WORDS,
        states: &["リリース", "フリーズ"],
        fill: &[("山札", 20)],
        seats: ["A", "B"],
        cannot: dz!("1.1.2", Limit),
        places: Default::default(),
        customs: Customs {
            steps: &[
                ("第１バトルステップ", "メインフェイズ"),
                ("第２バトルステップ", "メインフェイズ"),
                ("バトル終了ステップ", "メインフェイズ"),
            ],
            loops: &["dz:4.18.1"],
            unbounded: &["パワー", "スマッシュ"],
            idle_marks: true,
            verbs: &["プレイ", "起動", "移動", "エネルギー", "スマッシュ", "プラン作成", "プラン更新"],
            standing: &["スマッシュゾーン"],
            groups: &[
                Group { kind: "ライン", count: 3, of: super::places::line },
                Group { kind: "エリア", count: 3, of: super::places::area },
            ],
            no_front: Some(dz!("6.1.10", Meaning)),
            retargets: Some([dz!("6.5.2", Meaning), dz!("6.5.1", Limit)]),
            laid: &[("闘気", false), ("プランゾーン", true)],
            open_part: &[("プランゾーン", "山札")],
            orders: vec![("山札", dz!("2.23.2-4", Order)), ("墓地", dz!("2.23.5-3", Order))],
            own_replacement: Some(dz!("4.15.8-1", Order)),
            loss_first: Some((super::checks::loses, dz!("3.3.5", Order))),
            ..Customs::default()
        },
    })
}

/// Card facts, by place.
pub const DAMAGE: usize = 0;
/// 1: played to a centre square; 2: and in the battle that followed.
pub const CENTRE: usize = 1;
/// What is being resolved, as it went on the stack: 1 would not damage the card, 2 would (reading C2).
pub const RESISTED: usize = 2;

/// It was put into its square since the rule effects were last looked at.
pub const ARRIVED: usize = 3;
/// It has fought in its square and both have remained: no battle comes of that again until somebody arrives.
pub const FOUGHT: usize = 4;

/// Seat facts.
pub const ORDERED: usize = 0;
pub const MOVED: usize = 1;
pub const ENERGY: usize = 2;
pub const ADDED: usize = 3;
pub const EMPTIED: usize = 4;
pub const FILLED: usize = 5;

/// Table facts.
pub const REDRAW: usize = 0;
pub const ACTIVITY: usize = 1;
pub const ELIMINATION: usize = 2;

const FACTS: &[FactSpec] = &[
    FactSpec::new("ダメージ", FactOwner::Card, Ends::Step, "3.10.1"),
    FactSpec::new("中央プレイ", FactOwner::Card, Ends::Life, "3.14.2-1"),
    FactSpec::new("スタックでの耐性", FactOwner::Card, Ends::Step, "2.27").moment(),
    FactSpec::new("着いたところ", FactOwner::Card, Ends::Step, "4.16.4-6").moment(),
    FactSpec::new("戦い終えた", FactOwner::Card, Ends::Step, "4.16.4-3").moment(),
    FactSpec::new("意図的", FactOwner::Seat, Ends::Step, "6.2.4"),
    FactSpec::new("移動の解決", FactOwner::Seat, Ends::Turn, "5.13.2"),
    FactSpec::new("エネルギー配置", FactOwner::Seat, Ends::Turn, "3.7.1"),
    FactSpec::new("敗北", FactOwner::Seat, Ends::Duel, "3.3.3"),
    FactSpec::new("山札切れ", FactOwner::Seat, Ends::Step, "4.16.4-2"),
    FactSpec::new("スマッシュ超過", FactOwner::Seat, Ends::Step, "4.16.4-1"),
    FactSpec::new("引きなおし", FactOwner::Table, Ends::Duel, "3.2.3-1"),
    FactSpec::new("リカバリーの処理", FactOwner::Table, Ends::Step, "3.10.3"),
    FactSpec::new("延長", FactOwner::Table, Ends::Duel, "3.3.10"),
];

const LINES: [&str; 3] = ["左", "中央", "右"];
/// From A's bases to B's.
const ROWS: [&str; 5] = ["Aベース", "自軍", "中央", "敵軍", "Bベース"];

/// 2.23.2–2.23.7, 2.23.10: the zones that each player has, in the order of the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    Deck,
    Hand,
    Graveyard,
    Energy,
    Smash,
    Removed,
}

/// Name, who sees the cards, whether they keep their order, whether they are released or frozen.
const OWN: [(Own, &str, Sight, bool, bool); 6] = [
    (Own::Deck, "山札", Sight::Nobody, true, false),
    (Own::Hand, "手札", Sight::Owner, false, false),
    (Own::Graveyard, "墓地", Sight::All, true, false),
    (Own::Energy, "エネルギーゾーン", Sight::All, false, true),
    (Own::Smash, "スマッシュゾーン", Sight::Nobody, false, true),
    (Own::Removed, "リムーブゾーン", Sight::All, false, false),
];

/// The zones in the order of the schema: those of A, those of B, the stack, the squares row by row.
pub const fn own_zone(own: Own, seat: Seat) -> ZoneId {
    ZoneId(seat.0 * OWN.len() as u8 + own as u8)
}
pub const STACK: ZoneId = ZoneId(2 * OWN.len() as u8);
pub const SQUARES: std::ops::Range<u8> = STACK.0 + 1..STACK.0 + 16;
pub const BATTLE_SQUARES: std::ops::Range<u8> = SQUARES.start + 3..SQUARES.end - 3;

fn zones() -> Vec<ZoneSpec> {
    let plain = |name, owner, sight, ordered, states| ZoneSpec {
        name,
        owner,
        board: false,
        x: -1,
        y: -1,
        sight,
        ordered,
        states,
    };
    let mut zones = Vec::new();
    for seat in Seat::BOTH {
        for (_, name, sight, ordered, states) in OWN {
            zones.push(plain(name, Some(seat), sight, ordered, states));
        }
    }
    zones.push(plain("スタック", None, Sight::All, true, false));
    for (y, row) in ROWS.iter().enumerate() {
        for (x, line) in LINES.iter().enumerate() {
            let owner = match y {
                0 => Some(Seat(0)),
                4 => Some(Seat(1)),
                _ => None,
            };
            let name: &'static str = format!("{line}/{row}").leak();
            zones.push(ZoneSpec {
                name,
                owner,
                board: true,
                x: x as i8,
                y: y as i8,
                sight: Sight::All,
                ordered: false,
                states: true,
            });
        }
    }
    zones
}

pub const COST: &str = "使用コスト";
pub const MOVE_COST: &str = "移動コスト";
pub const CLASS: &str = "分類";
pub const POWER: &str = "パワー";
pub const SMASH: &str = "スマッシュ";
pub const COLOUR: &str = "色";
pub const TIMING: &str = "タイミング";
pub const RACE: &str = "種族";
pub const COLOURS: [&str; 5] = ["赤", "黒", "青", "白", "緑"];

/// Where each datum stands among the data of a card.
pub mod at {
    pub const COST: usize = super::place(super::COST);
    pub const CLASS: usize = super::place(super::CLASS);
    pub const COLOUR: usize = super::place(super::COLOUR);
    pub const TIMING: usize = super::place(super::TIMING);
    pub const POWER: usize = super::place(super::POWER);
    pub const SMASH: usize = super::place(super::SMASH);
}

/// Looked up by the compiler: a datum that is not there does not compile.
const fn place(name: &str) -> usize {
    let name = name.as_bytes();
    let mut at = 0;
    loop {
        let other = WORDS.data[at].0.as_bytes();
        let mut same = 0;
        while same < name.len() && same < other.len() && name[same] == other[same] {
            same += 1;
        }
        if same == name.len() && same == other.len() {
            return at;
        }
        at += 1;
    }
}

/// 2.2.2: the data of a card, and the words that texts use.
const WORDS: Vocabulary = Vocabulary {
    data: &[
        (COST, Price),
        (MOVE_COST, Price),
        (CLASS, Words),
        (COLOUR, Words),
        (RACE, Words),
        (TIMING, Words),
        (POWER, Number),
        (SMASH, Number),
        ("禁呪", Number),
    ],
    class: CLASS,
    values: &[
        (CLASS, &["ユニット", "ベース", "ストラテジー"]),
        (COLOUR, &COLOURS),
        (TIMING, &["ノーマル", "クイック", "バトル"]),
    ],
    required: &[
        ("", &[COST]),
        ("ユニット", &[MOVE_COST, POWER, SMASH, TIMING, RACE]),
        ("ベース", &[TIMING]),
        ("ストラテジー", &[TIMING]),
    ],
    markers: &["マーカー"],
    numbers: &["意図的"],
    places: &[
        "スクエア",
        "バトルスペース",
        "ベーススペース",
        "自分のベーススペース",
        "相手のベーススペース",
        "自軍エリア",
        "中央エリア",
        "敵軍エリア",
        "左ライン",
        "中央ライン",
        "右ライン",
        "左ラインの自軍エリア",
        "左ラインの中央エリア",
        "左ラインの敵軍エリア",
        "左ラインの自分のベーススペース",
        "左ラインの相手のベーススペース",
        "中央ラインの自軍エリア",
        "中央ラインの中央エリア",
        "中央ラインの敵軍エリア",
        "中央ラインの自分のベーススペース",
        "中央ラインの相手のベーススペース",
        "右ラインの自軍エリア",
        "右ラインの中央エリア",
        "右ラインの敵軍エリア",
        "右ラインの自分のベーススペース",
        "右ラインの相手のベーススペース",
        "山札",
        "プランゾーン",
        "手札",
        "墓地",
        "エネルギーゾーン",
        "スマッシュゾーン",
        "リムーブゾーン",
        "スタック",
    ],
    relations: &["同じライン", "同じエリア", "同じスクエア", "隣接", "前方", "後方", "挟撃"],
    states: &["リリース", "フリーズ", "表", "裏", "そのまま"],
    events: &[
        "置く",
        "引く",
        "ダメージ",
        "フリーズ",
        "リリース",
        "表",
        "裏",
        "プレイ",
        "起動",
        "移動",
        "移動解決",
        "進撃",
        "スマッシュ",
        "攻撃",
        "被攻撃",
        "バトル開始時",
        "第１バトルステップ開始時",
        "第２バトルステップ開始時",
        "バトル終了ステップ開始時",
        "バトル勝利",
        "バトル終了時",
        "ターン開始時",
        "ターン終了時",
        "リリースフェイズ開始時",
        "ドローフェイズ開始時",
        "エネルギーフェイズ開始時",
        "メインフェイズ開始時",
        "スマッシュフェイズ開始時",
        "リカバリーフェイズ開始時",
        "無効化",
        "見る",
        "対象",
    ],
    of_players: &[],
    moments: &[
        "バトル開始時",
        "第１バトルステップ開始時",
        "第２バトルステップ開始時",
        "バトル終了ステップ開始時",
        "ターン開始時",
        "ターン終了時",
        "リリースフェイズ開始時",
        "ドローフェイズ開始時",
        "エネルギーフェイズ開始時",
        "メインフェイズ開始時",
        "スマッシュフェイズ開始時",
        "リカバリーフェイズ開始時",
    ],
    manners: &["破壊", "廃棄", "捨てる", "バトル", "合成", "除外"],
    keywords: &[
        "速攻",
        "即死",
        "召集",
        "加速",
        "支援",
        "団結",
        "ゾーン効果",
        "暴走",
        "覚醒",
        "隊列召喚",
        "挟撃",
        "呼声",
        "進撃",
        "連動",
        "共鳴",
        "閃光",
        "補給",
        "急襲",
        "耐性",
    ],
    parts: &[
        ("ゾーン効果", &["words", "text"]),
        ("共鳴", &["text"]),
        ("召集", &["range"]),
        ("呼声", &["words"]),
        ("急襲", &["value"]),
        ("挟撃", &["text"]),
        ("支援", &["range", "value"]),
        ("暴走", &["text"]),
        ("耐性", &["filter"]),
        ("覚醒", &["price"]),
        ("連動", &["words", "text"]),
        ("進撃", &["price", "text"]),
        ("隊列召喚", &["range", "price"]),
    ],
    takes: &[],
    timings: &["ノーマル", "クイック", "バトル"],
    untils: &["ターン終了時", "バトル終了時", NEXT[0], NEXT[1], NEXT[2], NEXT[3]],
    acts: &[
        "プランゾーンを作成する",
        "プランゾーンを更新する",
        "山札の一番上を表向きにする",
        "並べ替える",
        "シャッフル",
        "スマッシュを置く",
        "無色を支払う",
        "赤を支払う",
        "黒を支払う",
        "青を支払う",
        "白を支払う",
        "緑を支払う",
    ],
    roles: &["バトルをしているユニット", "攻撃したユニット", "攻撃されたユニット"],
    bases: &[],
    attachments: &["闘気", "結合"],
    speaks: &["種類なし", "続く効果"],
    limits: &[],
    phases: &[
        "準備",
        "リリースフェイズ",
        "ドローフェイズ",
        "エネルギーフェイズ",
        "メインフェイズ",
        "スマッシュフェイズ",
        "リカバリーフェイズ",
        "第１バトルステップ",
        "第２バトルステップ",
        "バトル終了ステップ",
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_and_data_stand_where_they_are_looked_for() {
        let schema = schema();
        for seat in Seat::BOTH {
            for (own, name, ..) in OWN {
                assert_eq!(schema.zone(name, Some(seat)), Some(own_zone(own, seat)), "{name}");
            }
        }
        assert_eq!(schema.zone("スタック", None), Some(STACK));
        assert!(schema.board().eq(SQUARES.map(ZoneId)));
        let battle = schema.board().filter(|z| schema.spec(*z).owner.is_none());
        assert!(battle.eq(BATTLE_SQUARES.map(ZoneId)));
        assert_eq!(schema.data(CLASS).map(|(at, _)| at), Some(at::CLASS));
        assert_eq!(schema.data(SMASH).map(|(at, _)| at), Some(at::SMASH));
    }
}
