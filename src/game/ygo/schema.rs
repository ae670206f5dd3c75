//! 1.1.3, 1.2, 1.4.1: zones, data and the facts that mechanics remember.

use std::sync::OnceLock;

use crate::card::DataKind::{Number, Words};
use crate::card::Vocabulary;
use crate::kernel::schema::LIMBO;
use crate::kernel::{Customs, Ends, FactOwner, FactSpec, Means, Schema, Seat, Sight, ZoneSpec};

/// 1.1.3: the zones, each of the five places for itself.
pub fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| Schema {
        zones: zones(),
        facts: FACTS,
        words: WORDS,
        states: &["攻撃表示", "守備表示", "発動中"],
        fill: &[("デッキ", 20)],
        seats: ["A", "B"],
        cannot: ygo!("3.3.8.1", Limit),
        places: Default::default(),
        customs: Customs {
            conditioned: &["特殊召喚手順"],
            steps: &[
                ("スタートステップ", "バトルフェイズ"),
                ("バトルステップ", "バトルフェイズ"),
                ("ダメージステップ", "バトルフェイズ"),
                ("エンドステップ", "バトルフェイズ"),
                ("攻撃宣言時", "バトルフェイズ"),
                ("巻き戻し", "バトルフェイズ"),
                ("ダメージステップ開始時", "バトルフェイズ"),
                ("ダメージ計算前", "バトルフェイズ"),
                ("ダメージ計算時", "バトルフェイズ"),
                ("ダメージ計算後", "バトルフェイズ"),
                ("ダメージステップ終了時", "バトルフェイズ"),
                ("召喚する際", "メインフェイズ1"),
                ("召喚時", "メインフェイズ1"),
            ],
            verbs: super::moves::NAMES,
            // 「破壊し、除外する」 speaks of the one card.
            follows_its_moves: true,
            standing: &["LP"],
            manners: &[("戦闘破壊", "破壊"), ("リンク素材", "素材"), ("シンクロ素材", "素材"), ("融合素材", "素材")],
            // 1.1.3.5, 3.3.22.1: an outer zone is a pendulum zone only for a pendulum that lies there as a spell.
            lies_in: Some(super::kinds::lies_in),
            // Reading C7: that it is destroyed says why it goes, and not where to.
            keeps_manner: Some(|d| d.reading(ygo!("C7", Reading), "a") != "b"),
            // 4.1.2.2: a cost is no effect.
            means: &[
                ("効果", Means::Effect, ""),
                ("コスト", Means::Cost, ""),
                ("効果による破壊", Means::Effect, "破壊"),
                ("効果で捨てる", Means::Effect, "捨てる"),
                ("コストで捨てる", Means::Cost, "捨てる"),
            ],
            // 3.3.16.4: what came out in its own way is known to have, until it is back in the hand or a deck.
            // 2.7.1.1, 1.4.3.4: one answers the activation that was last.
            answers_topmost: true,
            // 4.1.19.1, 4.1.22: an effect that could have been used and was not has not been.
            counts_when_played: true,
            // A text that keeps effects off.
            unaffected: Some([ygo!("3.3.8.1", Limit); 2]),
            // 3.3.5.1, 4.1.3.1: until its activation is processed, a card does nothing.
            idle: Some(|card| card.state == ACTIVATING && !super::places::is_monster_zone(card.zone)),
            ..Customs::default()
        },
    })
}

/// Card facts, by place: what happened to the card this turn.
pub const SUMMONED: usize = 0;
pub const SET: usize = 1;
pub const CHANGED: usize = 2;
pub const ATTACKED: usize = 3;
/// Its destruction by battle is certain, but it has not gone yet.
pub const DOOMED: usize = 4;
/// 3.3.16.4: it was brought out in the way laid down for it.
pub const PROPER: usize = 5;
/// Reading C53: it is being summoned, and the summon can still be negated.
pub const SUMMONING: usize = 6;
/// Reading C62: how many attacks it has given up in a replay.
pub const GAVE_UP: usize = 7;

/// Seat facts.
pub const LIFE: usize = 0;
pub const SUMMONS: usize = 1;
pub const PENDULUM: usize = 2;
/// 3.3.10.1: the whole deck was looked at, and must be shuffled.
pub const LOOKED: usize = 3;
/// 3.1.1.3: duels of the match that the player has won.
pub const WINS: usize = 4;
/// Reading C24, 4.1.30.5: the extra monster zones that the player has used: 1 the left, 2 the right, 3 both.
pub const EXTRA_SIDE: usize = 5;

/// Table facts: when the processing of the present effect began (4.1.13.1).
pub const BEGAN: usize = 0;
/// 1.9: a speed duel.
pub const SPEED: usize = 1;
/// 3.1.1.1: the duel is one of a match.
pub const MATCH: usize = 2;
/// 3.1.1.4: duels of the match that were drawn.
pub const DRAWS: usize = 3;
/// Reading C53: the summon that is going on is negated.
pub const NEGATED: usize = 4;
/// 3.3.11.2: when the turn began.
pub const TURN_BEGAN: usize = 5;
/// 3.3.8.1: a text has negated the attack (1), or ends the battle phase (2).
pub const CUT: usize = 6;
/// When the monsters were summoned whose moment it is.
pub const SUMMONED_AT: usize = 7;
/// 4.1.3.2: what was applied without an activation, from after the first stamp to the second, ends no 「時」.
pub const APPLIED: [usize; 2] = [8, 9];

/// The state of a card whose activation has not been processed yet.
pub const ACTIVATING: u8 = 2;

const FACTS: &[FactSpec] = &[
    FactSpec::new("召喚されたターン", FactOwner::Card, Ends::Turn, "2.2.1.3"),
    FactSpec::new("セットされたターン", FactOwner::Card, Ends::Turn, "1.4.3.2"),
    FactSpec::new("表示形式を変更した", FactOwner::Card, Ends::Turn, "2.2.1.2"),
    FactSpec::new("攻撃した", FactOwner::Card, Ends::Turn, "2.5.2.4"),
    FactSpec::new("破壊確定", FactOwner::Card, Ends::Step, "3.3.29.1"),
    FactSpec::new("正規の特殊召喚", FactOwner::Card, Ends::Zones(&["手札", "デッキ", "エクストラデッキ"]), "3.3.16.4"),
    FactSpec::new("召喚中", FactOwner::Card, Ends::Step, "1.3.1.1"),
    FactSpec::new("取りやめた攻撃", FactOwner::Card, Ends::Turn, "2.5.5.3"),
    FactSpec::new("LP", FactOwner::Seat, Ends::Duel, "1.5.0.1").starts(8000),
    FactSpec::new("通常召喚", FactOwner::Seat, Ends::Turn, "1.3.0.1"),
    FactSpec::new("ペンデュラム召喚", FactOwner::Seat, Ends::Turn, "2.4.11.2"),
    FactSpec::new("デッキを確認した", FactOwner::Seat, Ends::Step, "3.3.10.1"),
    FactSpec::new("マッチの勝ち", FactOwner::Seat, Ends::Match, "3.1.1.3"),
    FactSpec::new("使ったエクストラモンスターゾーン", FactOwner::Seat, Ends::Duel, "2.4.6.3"),
    FactSpec::new("処理の始まり", FactOwner::Table, Ends::Step, "4.1.13.1").moment(),
    FactSpec::new("スピードルール", FactOwner::Table, Ends::Match, "1.9.0.1"),
    FactSpec::new("マッチ", FactOwner::Table, Ends::Match, "3.1.1.1"),
    FactSpec::new("マッチの引き分け", FactOwner::Table, Ends::Match, "3.1.1.4"),
    FactSpec::new("召喚の無効", FactOwner::Table, Ends::Step, "1.3.1.1"),
    FactSpec::new("ターンの始まり", FactOwner::Table, Ends::Turn, "3.3.11.1").moment(),
    FactSpec::new("攻撃の中断", FactOwner::Table, Ends::Step, "2.5.4.1"),
    FactSpec::new("召喚した時点", FactOwner::Table, Ends::Turn, "4.1.6.1").moment(),
    FactSpec::new("適用の始まり", FactOwner::Table, Ends::Turn, "4.1.3.2").moment(),
    FactSpec::new("適用の終わり", FactOwner::Table, Ends::Turn, "4.1.3.2").moment(),
];

pub const MONSTER_ZONES: [&str; 5] =
    ["モンスターゾーン1", "モンスターゾーン2", "モンスターゾーン3", "モンスターゾーン4", "モンスターゾーン5"];
pub const SPELL_ZONES: [&str; 5] =
    ["魔法&罠ゾーン1", "魔法&罠ゾーン2", "魔法&罠ゾーン3", "魔法&罠ゾーン4", "魔法&罠ゾーン5"];

pub const LEFT: &str = "左エクストラモンスターゾーン";
pub const RIGHT: &str = "右エクストラモンスターゾーン";
/// Where cards lie that are materials of an Xyz monster, and how they lie with it.
pub const MATERIALS: &str = "エクシーズ素材";
/// Cards for changing the deck between the duels of a match.
pub const SIDE: &str = "サイドデッキ";
/// How an equip card lies with its monster.
pub const EQUIP: &str = "装備";

/// Rows as A sees them: A's spells 0, A's monsters 1, extra monster zones 2 (reading C18), B's monsters 3, spells 4.
fn zones() -> Vec<ZoneSpec> {
    let plain = |name, owner, sight, ordered| ZoneSpec {
        name,
        owner,
        board: false,
        x: -1,
        y: -1,
        sight,
        ordered,
        states: false,
    };
    let on_field = |name, owner, x, y, states| ZoneSpec {
        name,
        owner,
        board: true,
        x,
        y,
        sight: Sight::All,
        ordered: false,
        states,
    };
    let mut zones = Vec::new();
    for seat in Seat::BOTH {
        let own = Some(seat);
        zones.push(plain("デッキ", own, Sight::Nobody, true));
        zones.push(plain("エクストラデッキ", own, Sight::Owner, false));
        zones.push(plain("手札", own, Sight::Owner, false));
        zones.push(plain("墓地", own, Sight::All, true));
        zones.push(plain("除外", own, Sight::All, false));
        // 3.2.1.1: no part of a duel.
        zones.push(plain(SIDE, own, Sight::Owner, false));
        // 3.3.12.1: what lies under a monster is not on the field.
        zones.push(plain(MATERIALS, own, Sight::All, false));
        let first = seat == Seat(0);
        for (i, (monster, spell)) in MONSTER_ZONES.iter().zip(SPELL_ZONES).enumerate() {
            let x = if first { 1 + i as i8 } else { 5 - i as i8 };
            zones.push(on_field(monster, own, x, if first { 1 } else { 3 }, true));
            zones.push(on_field(spell, own, x, if first { 0 } else { 4 }, false));
        }
        zones.push(on_field("フィールドゾーン", own, if first { 0 } else { 6 }, if first { 1 } else { 3 }, false));
    }
    zones.push(plain(LIMBO, None, Sight::All, false));
    zones.push(on_field(LEFT, None, 2, 2, true));
    zones.push(on_field(RIGHT, None, 4, 2, true));
    zones
}

/// 4.1.3.2: what happens each time, without an activation.
pub const APPLIES: &str = "適用";
pub const CLASS: &str = "種類";
/// Its place: it is looked at more often than everything else together.
pub const CLASS_AT: usize = 0;

/// The place of a datum.
#[inline]
pub fn at(datum: &str) -> Option<usize> {
    WORDS.data.iter().position(|(name, _)| *name == datum)
}

/// 1.3.0.1: how often a player may summon or set in a turn, which a text may change.
pub const SUMMONS_A_TURN: &str = "通常召喚の回数";
pub const LEVEL: &str = "レベル";
pub const LINK: &str = "LINK";
pub const MARKERS: &str = "マーカー";
pub const SCALE: &str = "スケール";
pub const ABILITY: &str = "能力";
pub const ATTACK: &str = "攻撃力";
pub const DEFENCE: &str = "守備力";
/// 3.3.1.1: how the list in force for the event limits the card. The list is no part of the document.
pub const REGULATION: &str = "規制";

/// 1.2.2, 1.2.3, 1.4.1, 3.3.2: the kinds of cards, and there are no others. The last two are what a monster card is while
/// it lies among spells and traps (3.3.22.3, 4.1.9.1).
const CLASSES: &[&str] = &[
    "モンスター",
    "通常モンスター",
    "効果モンスター",
    "儀式モンスター",
    "融合モンスター",
    "シンクロモンスター",
    "エクシーズモンスター",
    "ペンデュラムモンスター",
    "リンクモンスター",
    "トークン",
    "魔法",
    "通常魔法",
    "儀式魔法",
    "永続魔法",
    "装備魔法",
    "フィールド魔法",
    "速攻魔法",
    "罠",
    "通常罠",
    "永続罠",
    "カウンター罠",
    "ペンデュラムカード",
    "装備カード",
];

/// The directions of link markers (reading C19).
const DIRECTIONS: &[&str] = &["左上", "上", "右上", "左", "右", "左下", "下", "右下"];

/// 1.2.1: what is printed on every monster card; a number may be printed as `?` (4.1.18.2).
const PRINTED: &[&str] = &["レベル/ランク/LINK", "属性", "種族", ATTACK, "守備力/LINK"];

/// 1.2.1, 1.4.1: the data of a card, and the words that texts use.
const WORDS: Vocabulary = Vocabulary {
    speaks: &["?", "modes.cost"],
    limits: &[SUMMONS_A_TURN, super::setup::HAND[0], super::setup::HAND[1], super::setup::HAND[2]],
    data: &[
        (CLASS, Words),
        (LEVEL, Number),
        ("ランク", Number),
        (LINK, Number),
        (MARKERS, Words),
        (SCALE, Number),
        ("属性", Words),
        ("種族", Words),
        (ABILITY, Words),
        (ATTACK, Number),
        (DEFENCE, Number),
        (REGULATION, Words),
        // 4.1.18.1
        ("元々の攻撃力", Number),
        ("元々の守備力", Number),
    ],
    class: CLASS,
    values: &[
        (CLASS, CLASSES),
        (MARKERS, DIRECTIONS),
        ("属性", &["光", "闇", "炎", "水", "地", "風"]),
        (REGULATION, &["禁止", "制限", "準制限"]),
    ],
    required: &[
        ("モンスター", PRINTED),
        ("通常モンスター", PRINTED),
        ("効果モンスター", PRINTED),
        ("儀式モンスター", PRINTED),
        ("融合モンスター", PRINTED),
        ("シンクロモンスター", PRINTED),
        ("トークン", PRINTED),
        ("エクシーズモンスター", &["ランク"]),
        ("エクシーズモンスター", PRINTED),
        ("ペンデュラムモンスター", &[SCALE]),
        ("ペンデュラムモンスター", PRINTED),
        ("リンクモンスター", &[LINK, MARKERS]),
        ("リンクモンスター", PRINTED),
    ],
    markers: &["カウンター", "魔力カウンター", "経過ターン"],
    numbers: &["LP"],
    places: &[
        "フィールド",
        "モンスターゾーン",
        "メインモンスターゾーン",
        "自分のメインモンスターゾーン",
        "相手のメインモンスターゾーン",
        "魔法&罠ゾーン",
        "ペンデュラムゾーン",
        MATERIALS,
        "フィールドゾーン",
        "エクストラモンスターゾーン",
        "デッキ",
        "エクストラデッキ",
        "手札",
        "墓地",
        "除外",
        SIDE,
    ],
    relations: &["同じ列", "リンク先"],
    states: &["攻撃表示", "守備表示", "表", "裏", "そのまま"],
    events: &[
        "置く",
        "墓地へ送る",
        "引く",
        "召喚",
        "特殊召喚",
        "反転召喚",
        "セット",
        "リバース",
        "装備",
        "重ねる",
        "消滅",
        "コントロール",
        "マーカー",
        "攻撃表示",
        "守備表示",
        "表",
        "裏",
        "発動",
        "攻撃宣言",
        "攻撃対象",
        "直接攻撃",
        "戦闘ダメージ",
        "効果ダメージ",
        "回復",
        "支払い",
        "戦闘破壊確定",
        "無効化",
        "見る",
        "対象",
        "ドローフェイズ",
        "スタンバイフェイズ",
        "メインフェイズ1",
        "バトルフェイズ",
        "メインフェイズ2",
        "エンドフェイズ",
        "ダメージステップ開始時",
        "ダメージ計算前",
        "ダメージ計算時",
        "ダメージ計算後",
        "ダメージステップ終了時",
    ],
    of_players: &["戦闘ダメージ", "効果ダメージ", "回復", "支払い"],
    moments: &[
        "ドローフェイズ",
        "スタンバイフェイズ",
        "メインフェイズ1",
        "バトルフェイズ",
        "メインフェイズ2",
        "エンドフェイズ",
    ],
    manners: &[
        // 4.1.2.2: done by an effect, or as a cost.
        "効果",
        "コスト",
        "効果による破壊",
        "効果で捨てる",
        "コストで捨てる",
        "破壊",
        "戦闘破壊",
        "捨てる",
        "リリース",
        "素材",
        "リンク素材",
        "シンクロ素材",
        "融合素材",
        "アドバンス召喚",
        "リンク召喚",
        "ペンデュラム召喚",
        "エクシーズ召喚",
        "シンクロ召喚",
        "融合召喚",
        "儀式召喚",
        "手順による特殊召喚",
    ],
    keywords: &["素材", "特殊召喚手順", "追加攻撃", "貫通", "直接攻撃"],
    parts: &[("素材", &["value"]), ("追加攻撃", &["value"])],
    takes: &[
        ("素材", &["range", "filter"]),
        ("特殊召喚手順", &[]),
        ("追加攻撃", &[]),
        ("貫通", &[]),
        ("直接攻撃", &[]),
    ],
    timings: &["起動", "誘発即時", "ダメージステップ", "ダメージ計算時", "召喚する際", "時", "場合", APPLIES],
    untils: &[
        "ターン終了時",
        "エンドフェイズ時",
        "ダメージステップ終了時",
        "バトルフェイズ終了時",
        "自分の1ターン目の終了時",
        "自分の2ターン目の終了時",
        "自分の3ターン目の終了時",
        "相手の1ターン目の終了時",
        "相手の2ターン目の終了時",
        "相手の3ターン目の終了時",
    ],
    acts: &[
        "特殊召喚",
        "攻撃表示で特殊召喚",
        "守備表示で特殊召喚",
        "裏側守備表示で特殊召喚",
        "召喚条件を無視して特殊召喚",
        "セット",
        "ペンデュラムゾーンに置く",
        "融合召喚",
        "儀式召喚",
        "レベルちょうどの儀式召喚",
        "装備",
        "エクシーズ素材を取り除く",
        "LPを払う",
        "回復",
        "効果ダメージ",
        "お互いに効果ダメージ",
        "召喚を無効にする",
        "攻撃を無効にする",
        "バトルフェイズを終了する",
    ],
    roles: &[
        "攻撃モンスター",
        "攻撃対象モンスター",
        "戦闘を行うモンスター",
        "カードの発動",
        "効果の発動",
        "相手のカードを対象にした発動",
        "リンク状態",
        "相互リンク状態",
        "エクストラリンク状態",
        "召喚するモンスター",
        "召喚されたモンスター",
        "このターンに攻撃したモンスター",
    ],
    bases: &[("元々の攻撃力", "攻撃力"), ("元々の守備力", "守備力")],
    attachments: &[MATERIALS, EQUIP],
    phases: &[
        "準備",
        "ドローフェイズ",
        "スタンバイフェイズ",
        "メインフェイズ1",
        "バトルフェイズ",
        "メインフェイズ2",
        "エンドフェイズ",
        "スタートステップ",
        "バトルステップ",
        "ダメージステップ",
        "エンドステップ",
        "召喚する際",
        "召喚時",
        "攻撃宣言時",
        "巻き戻し",
        "ダメージステップ開始時",
        "ダメージ計算前",
        "ダメージ計算時",
        "ダメージ計算後",
        "ダメージステップ終了時",
    ],
};
