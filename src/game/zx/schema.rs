//! 200 parameters, 301–302 zones, and the facts that mechanics remember.

use std::sync::OnceLock;

use crate::card::DataKind::{Number, Price, Words};
use crate::card::Vocabulary;
use crate::kernel::doors::NEXT;
use crate::kernel::schema::LIMBO;
use crate::kernel::{Customs, Ends, FactOwner, FactSpec, Means, Schema, Seat, Sight, ZoneId, ZoneSpec};

/// 301.2: the zones. Squares are named as A sees them: column, then area; the middle ones at both ends are the
/// player squares.
pub fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| Schema {
        zones: zones(),
        facts: FACTS,
        words: WORDS,
        states: &["リブート", "スリープ"],
        fill: &[("デッキ", 20), ("ライフ", 4)],
        seats: ["A", "B"],
        cannot: zx!("102.6", Limit),
        places: Default::default(),
        customs: Customs {
            steps: &[
                ("バトル宣言ステップ", "メインフェイズ"),
                ("バトルイベントステップ", "メインフェイズ"),
                ("バトルダメージステップ", "メインフェイズ"),
                ("バトル終結ステップ", "メインフェイズ"),
            ],
            loops: &["zx:1201.1"],
            unbounded: &[POWER],
            grow: &COUNTED,
            counting: &["夢装条件"],
            verbs: &["プレイ", "起動", "攻撃", "リソース", "イグニッション", "デッキ"],
            standing: &["ライフ"],
            // 202.7b, 202.8a, 202.10c, 1029.1a: the parts of one card are not spoken of by themselves, but 202.8b.
            beneath: &["オーバーブースト", "ユニゾン", "シフト", "プレイヤー エクストラ"],
            parts: &[("シフト", "シフト")],
            before_texts: Some((&["準備", "デッキ構築"], zx!("803.1a", Limit))),
            follows: Some((ICON, zx!("207.12", Layer))),
            follow: Some((zx!("C20", Reading), &["イグニッション", "エヴォルシード"])),
            beyond: Some((COST, zx!("203.3", Limit))),
            undefined_fails: true,
            takes_off: Some(("消滅", zx!("1026.2"))),
            lays_made: Some(zx!("202.15b")),
            means: &[("効果", Means::Effect, "")],
            counts_when_played: true,
            used_up_by: Some(zx!("803.1f", Limit)),
            shows_payment: Some(zx!("804.4c")),
            owner_controls: Some(zx!("302.1b", Limit)),
            // 301.3b, 202.7c, 202.10b, 312.2b.
            sees_own: Some((&["フォース"], zx!("301.3b", Limit))),
            last_open: Some(zx!("1205.1", Meaning)),
            renames: Some(("プレイヤー名", zx!("211.3", Layer))),
            floors: Some([zx!("102.12", Layer), zx!("811.8", Layer), zx!("C11", Reading)]),
            copies_once: Some(zx!("102.11", Limit)),
            unaffected: Some([zx!("1014.1", Limit), zx!("1014.1a", Meaning)]),
            // Who has an ability that sees a destruction is read from the squares as they were.
            had_before: Some(("破壊", zx!("808.3d", Meaning))),
            // 202.15f: who does not name links does nothing to them.
            leaves_out: Some((super::text::leaves_out, zx!("202.15f", Limit))),
            // 1007.4: as many as there are squares, each on its own; the controller of the effect picks which.
            one_each: Some(zx!("1007.4", Limit)),
            ..Customs::default()
        },
    })
}

/// The place of a datum: cards are looked at all the time, so it is made out beforehand (`const { at(KIND) }`).
pub const fn at(name: &str) -> usize {
    let mut at = 0;
    while !same(WORDS.data[at].0.as_bytes(), name.as_bytes()) {
        at += 1;
    }
    at
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    a.len() == b.len() && at == a.len()
}

/// Card facts, by place: 1002.1 damage, and what last hurt the card in battle and by an effect, and when (1203, 1204).
pub const DAMAGE: usize = 0;
pub const BATTLE_BY: usize = 1;
pub const BATTLE_AT: usize = 2;
pub const EFFECT_BY: usize = 3;
pub const EFFECT_AT: usize = 4;
/// 804.3e: an effect looked at it where it lies hidden.
pub const LOOKED: usize = 5;
/// 1133: how it came to its square: [`BY_IGNITION`], [`FROM_LIFE`].
pub const CAME: usize = 6;
pub const BY_IGNITION: i32 = 1;
pub const FROM_LIFE: i32 = 2;
/// 910.1: the condition of its crisis is met (1), or was and has been let go (2).
pub const CRISIS: usize = 7;

/// Seat facts. 907.1: how much damage the player has yet to take.
pub const HITS: usize = 0;

/// 202.14b: the counters of a player, after the damage.
pub const COUNTERS: [&str; 7] =
    ["ドリーム・キー", "メロディ", "メモリアル・ピース", "スター・ピース", "調査記録", "ブロック", "集中"];

/// Their places among the facts of a seat.
const COUNTED: [usize; COUNTERS.len()] = {
    let mut facts = [0; COUNTERS.len()];
    let mut at = 0;
    while at < facts.len() {
        facts[at] = at + 1;
        at += 1;
    }
    facts
};

/// The place of a counter among the facts of a seat.
pub fn counter(name: &str) -> Option<usize> {
    COUNTERS.iter().position(|c| *c == name).map(|at| at + 1)
}

/// Table facts: moments by the clock of the table.
/// The last check of rule effects has been carried out.
pub const CHECKED: usize = 0;
/// The checks that now follow each other began here.
pub const BEGUN: usize = 1;
/// The last pre-processing ended.
pub const PROCESSED: usize = 2;
/// How the card that is about to be put on a square was played ([`CAME`]).
pub const ARRIVING: usize = 3;
/// Which static abilities are valid was last looked at.
pub const DATED: usize = 4;

const FACTS: &[FactSpec] = &[
    FactSpec::new("ダメージ", FactOwner::Card, Ends::Step, "507.6"),
    FactSpec::new("バトルで傷つけたもの", FactOwner::Card, Ends::Life, "1203.1"),
    FactSpec::new("バトルで傷ついた時", FactOwner::Card, Ends::Life, "1203.1").moment(),
    FactSpec::new("効果で傷つけたもの", FactOwner::Card, Ends::Life, "1204.3"),
    FactSpec::new("効果で傷ついた時", FactOwner::Card, Ends::Life, "1204.3").moment(),
    FactSpec::new("見られた", FactOwner::Card, Ends::Step, "804.3e"),
    FactSpec::new("登場のしかた", FactOwner::Card, Ends::Life, "301.4"),
    FactSpec::new("クライシス", FactOwner::Card, Ends::Zones(&[]), "910.1a"),
    FactSpec::new("受けているダメージ", FactOwner::Seat, Ends::Step, "907.2b"),
    FactSpec::new("ドリーム・キー", FactOwner::Seat, Ends::Duel, "1017.2"),
    FactSpec::new("メロディ", FactOwner::Seat, Ends::Duel, "1017.2"),
    FactSpec::new("メモリアル・ピース", FactOwner::Seat, Ends::Duel, "1017.2"),
    FactSpec::new("スター・ピース", FactOwner::Seat, Ends::Duel, "1017.2"),
    FactSpec::new("調査記録", FactOwner::Seat, Ends::Duel, "1017.2"),
    FactSpec::new("ブロック", FactOwner::Seat, Ends::Duel, "1017.2"),
    FactSpec::new("集中", FactOwner::Seat, Ends::Duel, "1017.2"),
    FactSpec::new("確認した時", FactOwner::Table, Ends::Duel, "702.2a").moment(),
    FactSpec::new("確認を始めた時", FactOwner::Table, Ends::Duel, "702.2a").moment(),
    FactSpec::new("前処理を終えた時", FactOwner::Table, Ends::Duel, "702.2b").moment(),
    FactSpec::new("登場しようとするしかた", FactOwner::Table, Ends::Step, "806.3a"),
    FactSpec::new("有効な能力を見た時", FactOwner::Table, Ends::Duel, "811.3a").moment(),
];

const COLUMNS: [&str; 3] = ["左", "中央", "右"];
const ROWS: [&str; 3] = ["自軍", "中央", "敵軍"];

/// The zones that each player has besides the player square, first those of the one, then those of the other.
const OWN: [(&str, Sight, bool, bool); 8] = [
    ("デッキ", Sight::Nobody, true, false),
    ("手札", Sight::Owner, false, false),
    ("ライフ", Sight::Nobody, true, false),
    ("リソース", Sight::All, false, true),
    ("チャージ", Sight::All, false, false),
    ("トラッシュ", Sight::All, false, false),
    ("リムーブゾーン", Sight::All, false, false),
    ("デュナミス", Sight::Owner, false, false),
];
/// Then those that are nobody's, and the squares.
pub const TEMPORARY: ZoneId = ZoneId(2 * OWN.len() as u8);
pub const FORCES: ZoneId = ZoneId(TEMPORARY.0 + 1);
pub const OUTSIDE: ZoneId = ZoneId(FORCES.0 + 1);
pub const SQUARES: std::ops::Range<u8> = OUTSIDE.0 + 1..OUTSIDE.0 + 10;

/// The same as a list.
pub static ALL_SQUARES: [ZoneId; 9] = {
    let mut all = [ZoneId(SQUARES.start); 9];
    let mut at = 0;
    while at < all.len() {
        all[at] = ZoneId(SQUARES.start + at as u8);
        at += 1;
    }
    all
};

/// A zone of the player, by its name.
pub fn own_zone(name: &str, seat: Seat) -> Option<ZoneId> {
    let at = OWN.iter().position(|own| own.0 == name)?;
    Some(ZoneId(seat.0 * OWN.len() as u8 + at as u8))
}

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
        for (name, sight, ordered, states) in OWN {
            zones.push(plain(name, Some(seat), sight, ordered, states));
        }
    }
    zones.push(plain("テンポラリー", None, Sight::All, false, false));
    zones.push(plain("フォースゾーン", None, Sight::All, false, false));
    // No zone of the document: where markers are that do not lie on the table (1026.1, 1206.2).
    zones.push(plain(LIMBO, None, Sight::All, false, false));
    for (y, row) in ROWS.iter().enumerate() {
        for (x, column) in COLUMNS.iter().enumerate() {
            // 303.3a: the squares above and below the centre.
            let owner = match (x, y) {
                (1, 0) => Some(Seat(0)),
                (1, 2) => Some(Seat(1)),
                _ => None,
            };
            let name: &'static str = format!("{column}/{row}").leak();
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

pub const KIND: &str = "種類";
pub const COST: &str = "コスト";
/// 805.2c: what effects make of the points that an activated ability costs; no card prints it.
pub const ABILITY_COST: &str = "起動コスト";
pub const PRICE: &str = "リソースコスト";
pub const COLOUR: &str = "色";
pub const POWER: &str = "パワー";
pub const ICON: &str = "アイコン";
pub const SHIELD: &str = "シールド";
pub const LIFE_SHIELD: &str = "ライフシールド";
pub const PLUS: &str = "プラスアイコン";
/// 206.3: names that the sub-text adds.
pub const MORE_NAMES: &str = "追加のカード名";
/// 202.2, 202.2a, 202.2b: the kinds of cards and of markers that lie like cards.
pub const KINDS: [&str; 13] = [
    "ゼクス",
    "イベント",
    "プレイヤー",
    "アセンション",
    "エクストラ",
    "ゼクス エクストラ",
    "ゼクス オーバーブースト",
    "シフト",
    "イベント エクストラ",
    "プレイヤー エクストラ",
    "アセンション エクストラ",
    "トークン",
    "リンク",
];
/// 204.8, 207.3–207.11.
const ICONS: [&str; 10] = [
    "イグニッション",
    "エヴォルシード",
    "ドリーム・キー",
    "メロディ",
    "メモリアル・ピース",
    "スター・ピース",
    "調査記録",
    "ブロック",
    "集中",
    "多色",
];
pub const COLOURS: [&str; 5] = ["赤", "青", "白", "黒", "緑"];
/// Cards of these kinds fight over squares.
pub const BODIES: [&str; 2] = ["ゼクス", "アセンション"];

pub const CHARGE_LIMIT: &str = "チャージの上限";
pub const HAND_LIMIT: &str = "手札の上限";

/// Moments first, in the order in which they come, then what cards and players do.
const EVENTS: &[&str] = &[
    "ゲーム開始時",
    "リブートフェイズ開始時",
    "ドローフェイズ開始時",
    "リソースフェイズ開始時",
    "イグニッションフェイズ開始時",
    "メインフェイズ開始時",
    "エンドフェイズ開始時",
    "ターン終了時",
    "バトル開始時",
    "バトル終了時",
    "置く",
    "登場",
    "破壊",
    "引く",
    "回復",
    "ダメージ",
    "リブート",
    "スリープ",
    "表",
    "裏",
    "見る",
    "選ぶ",
    "プレイ",
    "起動",
    "攻撃",
    "被攻撃",
    "リソース",
    "イグニッション",
    "シャッフル",
    "消滅",
    "得る",
    "消費する",
    "ドリーム・キーを得る",
    "メロディを得る",
    "メモリアル・ピースを得る",
    "スター・ピースを得る",
    "調査記録を得る",
    "ブロックを得る",
    "集中を得る",
    "ドリーム・キーを消費する",
    "メロディを消費する",
    "メモリアル・ピースを消費する",
    "スター・ピースを消費する",
    "調査記録を消費する",
    "ブロックを消費する",
    "集中を消費する",
    "ライフ減少",
    "ライフ増加",
    "シフト",
    "IGOB",
    "ユニゾン",
    "クライシス",
    "マーカー",
];
const MOMENTS: usize = 10;

/// The parameters of a card, and the words that texts use.
///
/// 「登場する」 is the event 登場, 「破壊する」 is 破壊, with the manner 効果 or バトル where 1203 and 1204 name what did it;
/// both are moves, which 置く also means. 「捨てる」 is a manner of 置く.
const WORDS: Vocabulary = Vocabulary {
    data: &[
        (KIND, Words),
        (COST, Number),
        (PRICE, Price),
        (COLOUR, Words),
        ("種族", Words),
        (POWER, Number),
        (ICON, Words),
        ("プレイヤー名", Words),
        (SHIELD, Number),
        (PLUS, Words),
        (MORE_NAMES, Words),
        (ABILITY_COST, Number),
    ],
    class: KIND,
    values: &[
        (KIND, &KINDS),
        (COLOUR, &COLOURS),
        (ICON, &ICONS),
        (PLUS, &["カード名", "カードテキスト", "色", "種族"]),
    ],
    // 203.3: an extra without a printed cost has the cost ∞.
    required: &[
        ("ゼクス", &[COST, POWER]),
        ("イベント", &[COST]),
        ("アセンション", &[COST]),
        ("ゼクス エクストラ", &[POWER]),
        ("ゼクス オーバーブースト", &[POWER]),
        ("シフト", &[PLUS]),
        // 202.13b
        ("トークン", &[COST, POWER]),
    ],
    markers: &[SHIELD, LIFE_SHIELD],
    numbers: &COUNTERS,
    places: &[
        "スクエア",
        "ノーマルスクエア",
        "プレイヤースクエア",
        "自分のプレイヤースクエア",
        "相手のプレイヤースクエア",
        "自軍エリア",
        "中央エリア",
        "敵軍エリア",
        "左/自軍",
        "中央/自軍",
        "右/自軍",
        "左/中央",
        "中央/中央",
        "右/中央",
        "左/敵軍",
        "中央/敵軍",
        "右/敵軍",
        "デッキ",
        "手札",
        "ライフ",
        "リソース",
        "チャージ",
        "トラッシュ",
        "リムーブゾーン",
        "デュナミス",
        "デュナミス表",
        "デュナミス裏",
        "フォースゾーン",
        "テンポラリー",
    ],
    relations: &["隣", "同じスクエア", "同じ縦列", "同じ横列"],
    states: &["リブート", "スリープ", "表", "裏", "そのまま"],
    events: EVENTS,
    of_players: &[],
    moments: EVENTS.split_at(MOMENTS).0,
    manners: &["破壊", "バトル", "効果", "捨てる", "除外", "プレイ", "生成"],
    keywords: super::keywords::NAMES,
    parts: &[
        ("P", &["words", "text"]),
        ("アクティベート", &["price"]),
        ("アルターブレイク", &["text"]),
        ("エヴォルシード", &["text"]),
        ("シンパシー", &["text"]),
        ("シンボル", &["words", "text"]),
        ("セッション", &["text"]),
        ("ゼロオプティマ", &["value", "text"]),
        ("ファントム", &["text"]),
        ("ボルテージ", &["value", "words", "text"]),
        ("リライト", &["price"]),
        ("レイド", &["price"]),
        ("レベル", &["value", "words", "text"]),
        ("レンジ", &["value/words"]),
        ("剣臨器", &["filter"]),
        ("反魂", &["price"]),
        ("夢装条件", &["words", "value"]),
        ("憑依条件", &["value"]),
        ("昇華", &["value", "words"]),
        ("破天降臨", &["text"]),
        ("覚醒条件", &["words", "value"]),
        ("連携", &["words"]),
        ("降臨条件", &["value"]),
        ("電影", &["value"]),
    ],
    takes: &[
        ("アクティベート", &[]),
        ("アルターフォース", &["value"]),
        ("アルターブレイク", &[]),
        ("インストール", &["text"]),
        ("InfiniteSolitude", &[]),
        ("エヴォルシード", &[]),
        ("オーバードライブ", &[]),
        ("カラーブレイク", &[]),
        ("グラビティアシスト", &[]),
        ("ゲートカード", &[]),
        ("シンパシー", &[]),
        ("シンボル", &[]),
        ("スタイリッシュ頭突き", &["text"]),
        ("スタートカード", &[]),
        ("スタートリソース", &[]),
        ("セッション", &[]),
        ("ゼクステンド・ドライブ!", &["text"]),
        ("ゼロオプティマ", &[]),
        ("トランス", &[]),
        ("ドレスアップ", &[]),
        ("ファントム", &[]),
        ("ボルテージ", &[]),
        ("ヴォイドブリンガー", &[]),
        ("ライフリカバリー", &[]),
        ("リライト", &[]),
        ("レイド", &[]),
        ("レベル", &[]),
        ("レンジ", &[]),
        ("P", &[]),
        ("世界再創生", &[]),
        ("剣臨器", &[]),
        ("反魂", &[]),
        ("夢装条件", &[]),
        ("憑依条件", &["filter"]),
        ("昇華", &[]),
        ("破天降臨", &[]),
        ("絶界", &[]),
        ("覚醒条件", &["filter", "cost"]),
        ("連携", &[]),
        ("降臨条件", &["filter"]),
        ("電影", &[]),
        ("クライシス", &["words"]),
    ],
    timings: &["スペシャル", "プレイする際"],
    untils: &["ターン終了時", "バトル終了時", "フェイズ終了時", NEXT[0], NEXT[1], NEXT[2], NEXT[3]],
    acts: super::acts::NAMES,
    roles: &["攻撃ゼクス", "攻撃目標", "イグニッションかライフから登場", "ユニゾン状態", "ブレイク状態"],
    bases: &[],
    attachments: &["フォース", "シフト", "プレイヤー エクストラ", "オーバーブースト", "ユニゾン"],
    speaks: &["choose", "コスト∞", "copy", "total"],
    limits: &[CHARGE_LIMIT, HAND_LIMIT],
    phases: &[
        "デッキ構築",
        "準備",
        "リブートフェイズ",
        "ドローフェイズ",
        "リソースフェイズ",
        "イグニッションフェイズ",
        "メインフェイズ",
        "エンドフェイズ",
        "バトル宣言ステップ",
        "バトルイベントステップ",
        "バトルダメージステップ",
        "バトル終結ステップ",
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_stand_where_they_are_looked_for() {
        let schema = schema();
        for seat in Seat::BOTH {
            for (name, ..) in OWN {
                assert_eq!(schema.zone(name, Some(seat)), own_zone(name, seat), "{name}");
            }
        }
        assert_eq!(schema.zone("テンポラリー", None), Some(TEMPORARY));
        assert_eq!(schema.zone("フォースゾーン", None), Some(FORCES));
        assert_eq!(schema.zone(LIMBO, None), Some(OUTSIDE));
        assert!(schema.board().eq(SQUARES.map(ZoneId)) && schema.board().eq(ALL_SQUARES));
    }
}
