//! 200 the data of a card, 300 the zones, and the facts that mechanics remember.

use std::sync::OnceLock;

use super::lasting::AS_LONG_AS;
use crate::card::DataKind::{Number, Price, Words};
use crate::card::Vocabulary;
use crate::kernel::doors::NEXT;
use crate::kernel::schema::LIMBO;
use crate::kernel::{Customs, Ends, FactOwner, FactSpec, Schema, Seat, Sight, ZoneId, ZoneSpec};

pub fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| Schema {
        zones: zones(),
        facts: FACTS,
        words: WORDS,
        states: &["リカバー", "レスト", "リバース"],
        fill: &[("デッキゾーン", 20), ("オーブゾーン", 7)],
        seats: ["A", "B"],
        cannot: msd!("104.4", Limit),
        places: Default::default(),
        customs: Customs {
            steps: &[
                ("バトルフェイズ開始ステップ", "バトルフェイズ"),
                ("攻撃宣言ステップ", "バトルフェイズ"),
                ("攻撃宣言", "バトルフェイズ"),
                ("バトル", "バトルフェイズ"),
                ("バトル判定ステップ", "バトルフェイズ"),
                ("バトル終了ステップ", "バトルフェイズ"),
                ("バトルフェイズ終了ステップ", "バトルフェイズ"),
            ],
            loops: &["msd:1301.1"],
            unbounded: &["ATK", "DEF"],
            verbs: &["発動", "起動", "スイッチ", "コール", "攻撃", "デッキ"],
            standing: &["オーブゾーン"],
            grow: &super::loops::GROW,
            counters: &[CANDY],
            beneath: &["ストック"],
            signed: true,
            sets_missing: true,
            apart: &["キャンディを得る", "手札を捨てる", "シャッフル"],
            grows: &[
                ("ATK", ["ATKの増加", "ATKの減少"]),
                ("DEF", ["DEFの増加", "DEFの減少"]),
                (LEVEL, ["レベルの増加", "レベルの減少"]),
                (COST, ["コストの増加", "コストの減少"]),
            ],
            apart_prices: true,
            control_names_zone: true,
            marks_go_alone: Some(msd!("C37", Reading)),
            knows: Some((KNOWN, msd!("303.2", Meaning))),
            shown: Some(SHOWN),
            orders: ["デッキゾーン", "オーブゾーン", "墓地"].map(|pile| (pile, msd!("302.4", Order))).to_vec(),
            ..Customs::default()
        },
    })
}

/// 303.1: the states, by place.
pub const RECOVERED: u8 = 0;
pub const RESTED: u8 = 1;
pub const REVERSED: u8 = 2;
/// Not yet said: it is settled when the card is about to arrive.
pub const OPEN: u8 = u8::MAX;

/// Card facts: the turn in which the card came into play.
pub const ARRIVED: usize = 0;
/// 1302: it is a token, for as long as it is anywhere.
pub const TOKEN: usize = 1;
/// 303.2: which players know its front though it lies face down, one bit each.
pub const KNOWN: usize = 2;

/// Seat facts. A draw that failed (1202.1), candy (1018.1a), odo in all and by attribute (907.4).
pub const FAILED: usize = 0;
pub const CANDY: usize = 1;
pub const ODO: usize = 2;
pub const FIRST_ODO: usize = 3;

/// 304–313: where nobody can tell which card is which any more.
const HIDDEN: [&str; 4] = ["デッキゾーン", "手札", "オーブゾーン", "エキストラデッキゾーン"];

const FACTS: &[FactSpec] = &[
    FactSpec::new("出たターン", FactOwner::Card, Ends::Life, "302.3").moment(),
    FactSpec::new("トークン", FactOwner::Card, Ends::Zones(&[]), "1302.3"),
    FactSpec::new("表を知る", FactOwner::Card, Ends::Zones(&HIDDEN), "303.2").moment(),
    FactSpec::new("引けなかった", FactOwner::Seat, Ends::Step, "1202.1"),
    FactSpec::new("キャンディ", FactOwner::Seat, Ends::Step, "1018.3"),
    FactSpec::new("オド", FactOwner::Seat, Ends::Step, "507.5b"),
    FactSpec::new("無属性オド", FactOwner::Seat, Ends::Step, "507.5b"),
    FactSpec::new("太陽オド", FactOwner::Seat, Ends::Step, "507.5b"),
    FactSpec::new("火星オド", FactOwner::Seat, Ends::Step, "507.5b"),
    FactSpec::new("木星オド", FactOwner::Seat, Ends::Step, "507.5b"),
    FactSpec::new("土星オド", FactOwner::Seat, Ends::Step, "507.5b"),
    FactSpec::new("月オド", FactOwner::Seat, Ends::Step, "507.5b"),
    FactSpec::new("水星オド", FactOwner::Seat, Ends::Step, "507.5b"),
    FactSpec::new("金星オド", FactOwner::Seat, Ends::Step, "507.5b"),
];

/// 304–313: the zones that each player has, in the order of the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    Deck,
    Hand,
    Monsters,
    Girls,
    Orbs,
    Graveyard,
    Removed,
    Extra,
}

/// Name, in play, who sees the cards, whether they keep their order.
const OWN: [(&str, bool, Sight, bool); 8] = [
    ("デッキゾーン", false, Sight::Nobody, true),
    ("手札", false, Sight::Owner, false),
    ("怪異ゾーン", true, Sight::All, false),
    ("魔法少女ゾーン", true, Sight::All, false),
    ("オーブゾーン", false, Sight::Nobody, true),
    ("墓地", false, Sight::All, true),
    ("除外ゾーン", false, Sight::All, false),
    ("エキストラデッキゾーン", false, Sight::Owner, false),
];

pub const fn zone(own: Own, seat: Seat) -> ZoneId {
    ZoneId(seat.0 * OWN.len() as u8 + own as u8)
}
/// 312: shared, and the place of what has been activated.
pub const CHASE: ZoneId = ZoneId(2 * OWN.len() as u8);
/// 306.1: the word by which texts send a card into play; what it is and whose decides in which zone. Never holds a card.
pub const FIELD: ZoneId = ZoneId(CHASE.0 + 1);
/// 1302: where tokens come from and vanish to.
pub const NOWHERE: ZoneId = ZoneId(FIELD.0 + 1);

fn zones() -> Vec<ZoneSpec> {
    let spec = |name, owner, board, sight, ordered| ZoneSpec {
        name,
        owner,
        board,
        x: -1,
        y: -1,
        sight,
        ordered,
        states: board,
    };
    let mut zones = Vec::new();
    for seat in Seat::BOTH {
        zones.extend(OWN.map(|(name, board, sight, ordered)| spec(name, Some(seat), board, sight, ordered)));
    }
    zones.push(spec("チェイスゾーン", None, false, Sight::All, true));
    zones.push(spec("戦場", None, false, Sight::All, false));
    zones.push(spec(LIMBO, None, false, Sight::Nobody, false));
    zones
}

pub const ATTRIBUTES: [&str; 7] = ["太陽", "火星", "木星", "土星", "月", "水星", "金星"];

/// 1004.1: an effect keeps the card shown.
pub const SHOWN: &str = "公開状態";

pub const KIND: &str = "種類";
pub const COST: &str = "コスト";
/// What activating costs (903.2g): the cost, unless effects make it more, less or something else.
pub const CHARGE: &str = "発動コスト";
/// In it, the cost of the card itself: what effects add or take off stands beside it, and what they exchange it for has none.
pub const OWN_COST: &str = "コスト";
pub const LEVEL: &str = "レベル";
pub const RACE: &str = "種族";
pub const ATTRIBUTE: &str = "属性";
pub const TYPE: &str = "汎用タイプ";
pub const MATERIAL: &str = "素材";
/// What attacking costs (803.4): nothing, unless effects say so.
pub const ATTACK_COST: &str = "攻撃コスト";
/// What activating an ability of the card costs besides what it says (903.2g): nothing, unless effects say so.
pub const ABILITY_COST: &str = "起動コスト";
/// When a text asks for something to be done besides: to attack (803.4), to activate (903.2g-iii).
pub const ON_ATTACK: &str = "攻撃する際";
pub const ON_ACTIVATION: &str = "発動する際";
/// What a text may say against 803.3a (104.1): the card attacks though it lies reversed.
pub const REVERSED_ATTACK: &str = "リバース状態で攻撃できる";
/// What a text says of itself for the construction of decks (402.4).
pub const COPIES: &str = "同じカードの枚数";

/// Where each datum stands among the data of a card.
pub mod at {
    pub const KIND: usize = 0;
    pub const COST: usize = 2;
    pub const CHARGE: usize = 3;
    pub const LEVEL: usize = 4;
    pub const RACE: usize = 5;
    pub const ATK: usize = 6;
    pub const DEF: usize = 7;
    pub const ATTRIBUTE: usize = 8;
    pub const MATERIAL: usize = 9;
    pub const ATTACK_COST: usize = 10;
    pub const NAME: usize = 11;
    pub const ABILITY_COST: usize = 16;
    /// 909.6: each datum as printed, and the datum.
    pub const PRINTED: [(usize, usize); 4] = [(12, ATK), (13, DEF), (14, LEVEL), (15, COST)];
}

const WORDS: Vocabulary = Vocabulary {
    data: &[
        (KIND, Words),
        (TYPE, Words),
        (COST, Number),
        (CHARGE, Price),
        (LEVEL, Number),
        (RACE, Words),
        ("ATK", Number),
        ("DEF", Number),
        (ATTRIBUTE, Words),
        (MATERIAL, Words),
        (ATTACK_COST, Price),
        // 202.3: where it is not what the board calls the card: 魔法少女 of one name have several levels.
        (crate::card::NAME, Words),
        // 909.6: as if no effect changed them.
        ("表記のATK", Number),
        ("表記のDEF", Number),
        ("表記のレベル", Number),
        ("表記のコスト", Number),
        (ABILITY_COST, Price),
    ],
    class: KIND,
    values: &[(KIND, &["魔法少女", "怪異", "詠唱", "結界", "神"]), (TYPE, &["結魂"]), (ATTRIBUTE, &ATTRIBUTES)],
    // 1302.1b: what has no kind is a token, and so a 怪異.
    required: &[("魔法少女", &[LEVEL]), ("怪異", &["ATK", "DEF"]), ("種類なし", &["ATK", "DEF"])],
    markers: &["神力", "力", "成長", "魔力", "カウンター", SHOWN],
    numbers: &["キャンディ", "オド"],
    places: &[
        "戦場",
        "怪異ゾーン",
        "魔法少女ゾーン",
        "デッキゾーン",
        "手札",
        "オーブゾーン",
        "墓地",
        "除外ゾーン",
        "チェイスゾーン",
        "エキストラデッキゾーン",
        "ストック",
    ],
    relations: &["ストック"],
    states: &["リカバー", "レスト", "リバース", "表", "裏", "そのまま"],
    events: &[
        "置く",
        "引く",
        "リカバー",
        "レスト",
        "リバース",
        "スイッチ",
        "マーカー",
        "マーカーを取り除く",
        "キャンディ",
        "キャンディを支払う",
        "破壊",
        "破棄",
        "捨てる",
        "穢す",
        "除外",
        "支配",
        "戦場に出る",
        "発動",
        "起動",
        "チェイス",
        "オド能力",
        "オド",
        "攻撃",
        "攻撃目標",
        "コール",
        "レベルアップ",
        "勝利",
        "敗北",
        "探す",
        "見る",
        "対象",
        "無効",
        "ゲーム開始時",
        "ターン開始時",
        "ターン終了時",
        "リカバリーフェイズ開始時",
        "ドローフェイズ開始時",
        "コールフェイズ開始時",
        "メインフェイズ開始時",
        "バトルフェイズ開始時",
        "攻撃宣言ステップ開始時",
        "バトル終了時",
        "バトルフェイズ終了時",
        "エンドフェイズ開始時",
        "ATKの増加",
        "ATKの減少",
        "DEFの増加",
        "DEFの減少",
        "レベルの増加",
        "レベルの減少",
        "コストの増加",
        "コストの減少",
    ],
    of_players: &["キャンディ", "キャンディを支払う"],
    moments: &[
        "ゲーム開始時",
        "ターン開始時",
        "ターン終了時",
        "リカバリーフェイズ開始時",
        "ドローフェイズ開始時",
        "コールフェイズ開始時",
        "メインフェイズ開始時",
        "バトルフェイズ開始時",
        "攻撃宣言ステップ開始時",
        "バトル終了時",
        "バトルフェイズ終了時",
        "エンドフェイズ開始時",
    ],
    manners: &["破壊", "破棄", "捨てる", "穢す", "除外", "レベルアップ", "結魂", "解決", "コール", "生成"],
    keywords: &[
        "二重穢し",
        "三重穢し",
        "ブレイク",
        "召喚酔い",
        "瞬動",
        "参戦",
        "断末魔",
        "共同戦線",
        "魂印",
        "傲慢",
        "DCT",
        "怠惰",
        "唯我独尊",
        "ステップアップ",
        "複数支配",
        REVERSED_ATTACK,
        "カウンターを置いて出る",
        "チェイスできない",
    ],
    parts: &[
        ("DCT", &["value", "text"]),
        ("カウンターを置いて出る", &["words", "value"]),
        ("ステップアップ", &["words"]),
        ("共同戦線", &["words"]),
        ("参戦", &["text"]),
        ("唯我独尊", &["text"]),
        ("断末魔", &["text"]),
    ],
    takes: &[],
    timings: &["メインタイミング", ON_ATTACK, ON_ACTIVATION],
    untils: &[
        "ターン終了時",
        "バトル終了時",
        NEXT[0],
        NEXT[1],
        NEXT[2],
        NEXT[3],
        AS_LONG_AS[0],
        AS_LONG_AS[1],
        AS_LONG_AS[2],
        AS_LONG_AS[3],
        AS_LONG_AS[4],
    ],
    acts: &[
        "オドを生み出す",
        "任意オドを生み出す",
        "無属性オドを生み出す",
        "太陽オドを生み出す",
        "火星オドを生み出す",
        "木星オドを生み出す",
        "土星オドを生み出す",
        "月オドを生み出す",
        "水星オドを生み出す",
        "金星オドを生み出す",
        "フリーオドを支払う",
        "任意オドを支払う",
        "太陽オドを支払う",
        "火星オドを支払う",
        "木星オドを支払う",
        "土星オドを支払う",
        "月オドを支払う",
        "水星オドを支払う",
        "金星オドを支払う",
        "穢す",
        "破棄する",
        "スイッチする",
        "支配する",
        "ターン終了時まで支配する",
        "交換する",
        "手札を捨てる",
        "追加ターンを得る",
        "結魂させる",
        "キャンディを得る",
        "キャンディを支払う",
        "参戦を発動する",
        "探した",
        "シャッフル",
        "コストを支払わずに発動する",
        "投了する",
    ],
    roles: &["攻撃を行っている怪異", "攻撃されている怪異", "バトルしている怪異", "トークン"],
    bases: &[("表記のATK", "ATK"), ("表記のDEF", "DEF"), ("表記のレベル", LEVEL), ("表記のコスト", COST)],
    attachments: &["ストック"],
    speaks: &["∞", "choose", "種類なし", "it", "能力名", "カウンター名", "カウンターの移動", "する際"],
    limits: &[COPIES],
    phases: &[
        "デッキ構築",
        "準備",
        "リカバリーフェイズ",
        "ドローフェイズ",
        "コールフェイズ",
        "メインフェイズ",
        "バトルフェイズ",
        "エンドフェイズ",
        "バトルフェイズ開始ステップ",
        "攻撃宣言ステップ",
        "攻撃宣言",
        "バトル",
        "バトル判定ステップ",
        "バトル終了ステップ",
        "バトルフェイズ終了ステップ",
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_and_data_stand_where_they_are_looked_for() {
        let schema = schema();
        assert_eq!(schema.zone("オーブゾーン", Some(Seat(1))), Some(zone(Own::Orbs, Seat(1))));
        assert_eq!(schema.zone("エキストラデッキゾーン", Some(Seat(0))), Some(zone(Own::Extra, Seat(0))));
        assert_eq!(schema.zone("チェイスゾーン", None), Some(CHASE));
        assert_eq!(schema.zone("戦場", None), Some(FIELD));
        assert_eq!(schema.zone(LIMBO, None), Some(NOWHERE));
        for (name, at) in [
            (KIND, at::KIND),
            ("DEF", at::DEF),
            (ATTRIBUTE, at::ATTRIBUTE),
            (MATERIAL, at::MATERIAL),
            (ATTACK_COST, at::ATTACK_COST),
            (crate::card::NAME, at::NAME),
            ("表記のATK", at::PRINTED[0].0),
            ("表記のコスト", at::PRINTED[3].0),
            (ABILITY_COST, at::ABILITY_COST),
        ] {
            assert_eq!(schema.data(name).map(|(at, _)| at), Some(at));
        }
        for (i, attribute) in ATTRIBUTES.iter().enumerate() {
            assert_eq!(schema.fact(FactOwner::Seat, &format!("{attribute}オド")), Some(FIRST_ODO + 1 + i));
        }
    }
}
