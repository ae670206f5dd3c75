//! 005.2–005.3, 101–113, 201, 301–302: data, zones and the facts that mechanics remember.

use std::sync::OnceLock;

use crate::card::DataKind::{Number, Price, Words};
use crate::card::Vocabulary;
use crate::kernel::doors::NEXT;
use crate::kernel::{Customs, Ends, FactOwner, FactSpec, Schema, Seat, Sight, ZoneSpec};

/// 301.2, 301.3, 306: the zones that each player has, and the one they share.
pub fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| Schema {
        zones: zones(),
        facts: FACTS,
        words: WORDS,
        states: &["スタンバイ", "フリーズ"],
        fill: &[("デッキ", 20)],
        seats: ["A", "B"],
        cannot: nova!("004.2", Limit),
        places: Default::default(),
        customs: Customs {
            steps: &[
                ("アタックフェイズ開始ステップ", "アタックフェイズ"),
                ("攻撃宣言ステップ", "アタックフェイズ"),
                ("攻撃宣言", "アタックフェイズ"),
                ("防御宣言ステップ", "アタックフェイズ"),
                ("防御宣言", "アタックフェイズ"),
                ("バトル解決ステップ", "アタックフェイズ"),
                ("アタックフェイズ終了ステップ", "アタックフェイズ"),
            ],
            loops: &["nova:924.1"],
            unbounded: &[ATTACK, HEALTH],
            paid: Some((COST, PRICE)),
            // 918.4: what becomes a servant has the numbers that it is given.
            sets_missing: true,
            verbs: &["プレイ", "起動", "セット", "エナジー", "攻撃", "防御", "デッキ"],
            standing: &["ライフ"],
            mutes: Some((BOUND, nova!("928.2", Meaning))),
            // Destroyed by battle is destroyed.
            manners: &[("バトル", "破壊")],
            // 005.8.1: what 選ぶ picks is a target.
            chooses_targets: true,
            // 801.4.8: one's own hand is no hidden zone to oneself.
            follows_into_own: true,
            // 802.1.2.1.5.1: an effect dates from when it was played; 802.1.2.1.5.2: cards that came later are not met.
            dated_by: Some(super::play::PLAYED),
            bounded_by: Some(super::play::REACH),
            // 927.1.
            laid: &[("隠密", false)],
            // 301.10, 303.6: whose cards they are says in which order they come to lie.
            orders: vec![("デッキ", nova!("303.6", Order)), ("墓地", nova!("301.10", Order))],
            shows_found: Some(nova!("909.2", Limit)),
            bare_abilities: Some(nova!("311.4", Meaning)),
            // 928.1, 1008.3: whatever an effect is applied to is a target.
            leaves_out: Some((super::text::leaves_out, nova!("005.8.1", Meaning))),
            leaves_out_named: true,
            redirected: Some(super::text::counts_as_gone),
            sight: Some(super::places::seen_by),
            ..Customs::default()
        },
    })
}

/// The place of a datum.
pub fn at(name: &str) -> usize {
    schema().data(name).expect("a datum").0
}

/// Card facts. 203.5 damage; 203.4 not controlled since the controller's turn began; 405.6.3.2 whose battle damage destroyed
/// it (one more than the number of that card);
/// whose the card is again at the end of the turn (1: A, 2: B).
pub const DAMAGE: usize = 0;
pub const RESTRICTED: usize = 1;
pub const BY_BATTLE: usize = 2;
pub const RETURNS: usize = 3;
/// 910.1: an effect that lasts keeps the card shown.
pub const SHOWN: usize = 4;

/// Seat facts. 005.4 life, 005.5 limit level, then the six colours of the energy stock.
pub const LIFE: usize = 0;
pub const LEVEL: usize = 1;
pub const STOCK: usize = 2;
/// 906.1, 202.2: done this turn.
pub const SET: usize = 8;
pub const CHARACTERS: usize = 9;
/// 507.1: each once a game.
pub const RELEASED_1500: usize = 10;
pub const RELEASED_1000: usize = 11;
/// 502.2: had to draw and could not.
pub const DRY: usize = 12;
/// 109.2.1: by how much the level of the next character that the player plays is lower.
pub const NEXT_LOWER: usize = 13;

/// Table facts. 405.4.1: attack declaration steps this turn.
pub const ATTACKS: usize = 0;
/// 007.6.1.2: the player who was second began (reading C33).
pub const SWAPPED: usize = 1;
/// 802.1.3.2: whose loss something else may still be done instead of (1: A, 2: B).
pub const LOSING: usize = 2;
/// 920.2, 920.2.1: whose deck has just been shuffled (1: A, 2: B).
pub const SHUFFLED: usize = 3;
/// 910.1: how many cards an effect keeps shown.
pub const OPENED: usize = 4;

/// 102.3.
pub const COLOURS: [&str; 6] = ["赤", "青", "緑", "白", "黒", "無色"];

const FACTS: &[FactSpec] = &[
    FactSpec::new("ダメージ", FactOwner::Card, Ends::Step, "407.5"),
    FactSpec::new("行動制限", FactOwner::Card, Ends::Step, "203.4").told_of("サーバント"),
    FactSpec::new("バトルで破壊", FactOwner::Card, Ends::Step, "405.6.3.2"),
    FactSpec::new("返す相手", FactOwner::Card, Ends::Step, "407.6"),
    FactSpec::new("公開中", FactOwner::Card, Ends::Life, "910.1"),
    FactSpec::new("ライフ", FactOwner::Seat, Ends::Duel, "005.4.1").starts(2000),
    FactSpec::new("リミットレベル", FactOwner::Seat, Ends::Duel, "507.1").starts(1),
    FactSpec::new("赤", FactOwner::Seat, Ends::Step, "602.9"),
    FactSpec::new("青", FactOwner::Seat, Ends::Step, "602.9"),
    FactSpec::new("緑", FactOwner::Seat, Ends::Step, "602.9"),
    FactSpec::new("白", FactOwner::Seat, Ends::Step, "602.9"),
    FactSpec::new("黒", FactOwner::Seat, Ends::Step, "602.9"),
    FactSpec::new("無色", FactOwner::Seat, Ends::Step, "602.9"),
    FactSpec::new("エナジーのセット", FactOwner::Seat, Ends::Turn, "906.1"),
    FactSpec::new("キャラクターのプレイ", FactOwner::Seat, Ends::Turn, "202.2"),
    FactSpec::new("1500の開放", FactOwner::Seat, Ends::Duel, "507.1"),
    FactSpec::new("1000の開放", FactOwner::Seat, Ends::Duel, "507.1"),
    FactSpec::new("引けなかった", FactOwner::Seat, Ends::Step, "502.2"),
    FactSpec::new("次のキャラクターのレベル減", FactOwner::Seat, Ends::Duel, "109.2.1"),
    FactSpec::new("攻撃宣言ステップ", FactOwner::Table, Ends::Turn, "405.4.1"),
    FactSpec::new("後攻から始まった", FactOwner::Table, Ends::Duel, "402.4.1"),
    FactSpec::new("敗北の処理", FactOwner::Table, Ends::Step, "502.1"),
    FactSpec::new("シャッフル中", FactOwner::Table, Ends::Step, "920.2"),
    FactSpec::new("公開中の枚数", FactOwner::Table, Ends::Step, "910.1"),
];

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
    for (y, seat) in Seat::BOTH.into_iter().enumerate() {
        let own = Some(seat);
        zones.push(plain("デッキ", own, Sight::Nobody, true, false));
        zones.push(plain("キャラデッキ", own, Sight::Owner, false, false));
        zones.push(plain("墓地", own, Sight::All, false, false));
        zones.push(plain("除外ゾーン", own, Sight::All, false, false));
        zones.push(plain("退場キャラ置き場", own, Sight::All, false, false));
        zones.push(plain("手札", own, Sight::Owner, false, false));
        zones.push(plain("エナジーゾーン", own, Sight::All, false, true));
        zones.push(ZoneSpec { board: true, x: 0, y: y as i8, ..plain("場", own, Sight::All, false, true) });
        // 1010.2: what lies under another card is no card of its own.
        zones.push(plain("進化元", own, Sight::All, false, false));
    }
    zones.push(plain("待機領域", None, Sight::All, true, false));
    // 007.1: brought along, and not used while playing (reading C20).
    zones.extend(Seat::BOTH.map(|seat| plain("サイドデッキ", Some(seat), Sight::Owner, false, false)));
    zones
}

pub const KIND: &str = "種類";
pub const COST: &str = "エナジーコスト";
/// What is paid, after effects that raise or lower it (902.7); texts read [`COST`] (902.8.4). What changes [`COST`] itself
/// changes this too: it is what playing refers to (103.1).
pub const PRICE: &str = "支払うコスト";
pub const COLOUR: &str = "色";
pub const RACE: &str = "種族";
pub const ATTACK: &str = "攻撃力";
pub const HEALTH: &str = "体力";
pub const RANK: &str = "キャラクターレベル";
pub const NEEDED: &str = "必要エナジー";

/// 907.1, 928.
pub const DESTROYED: &str = "破壊状態";
pub const BOUND: &str = "呪縛状態";
/// 910.1, 920.2: an effect keeps the card shown where it lies.
pub const OPEN: &str = "公開されたまま";
/// 919.1: counters have names that only texts give a meaning to.
pub const COUNTER: &str = "カウンター";
pub const GROWTH: &str = "成長";
pub const LIGHT: &str = "光";
pub const POWER: &str = "力";
/// 402.3.1, 902.8: an effect of a card with a price: it is to be paid as well, for standing up or for playing the card.
pub const STAND_TOLL: &str = "スタンバイの追加コスト";
pub const PLAY_TOLL: &str = "プレイの追加コスト";
pub const ACTIVATE_TOLL: &str = "起動の追加コスト";

const WORDS: Vocabulary = Vocabulary {
    data: &[
        (COST, Price),
        (PRICE, Price),
        (KIND, Words),
        (COLOUR, Words),
        ("所属", Words),
        (RACE, Words),
        ("特徴", Words),
        (ATTACK, Number),
        (HEALTH, Number),
        // 004.8.1: what a number is more or less than.
        ("元々の攻撃力", Number),
        ("元々の体力", Number),
        (RANK, Number),
        (NEEDED, Price),
    ],
    class: KIND,
    values: &[(KIND, &["サーバント", "スペル", "マジックアイテム", "キャラクター"]), (COLOUR, &COLOURS)],
    required: &[
        ("", &[COLOUR]),
        ("サーバント", &[COST, ATTACK, HEALTH]),
        ("スペル", &[COST]),
        ("マジックアイテム", &[COST]),
        ("キャラクター", &[RANK]),
    ],
    markers: &[
        DESTROYED,
        BOUND,
        OPEN,
        COUNTER,
        GROWTH,
        LIGHT,
        POWER,
        "～カウンター",
        STAND_TOLL,
        PLAY_TOLL,
        ACTIVATE_TOLL,
    ],
    numbers: &["ライフ", "リミットレベル", "エナジーのセット", "手札の上限"],
    places: &[
        "デッキ",
        "キャラデッキ",
        "墓地",
        "除外ゾーン",
        "退場キャラ置き場",
        "手札",
        "場",
        "エナジーゾーン",
        "隠密",
        "待機領域",
    ],
    relations: &[],
    states: &["スタンバイ", "フリーズ", "表", "裏", "そのまま"],
    events: &[
        "置く",
        "引く",
        "捨てる",
        "破壊",
        "退場",
        "ダメージ",
        "ライフを得る",
        "ライフを失う",
        "ライフを支払う",
        "スタンバイ",
        "フリーズ",
        "表",
        "裏",
        "マーカー",
        "マーカーを取り除く",
        "コントロール",
        "プレイ",
        "起動",
        "起動能力を使用",
        "発動",
        "待機領域に置く",
        "勝利",
        "敗北",
        "セット",
        "エナジー",
        "攻撃宣言",
        "攻撃目標",
        "防御宣言",
        "防御された",
        "斬撃",
        "無効",
        "見る",
        "シャッフル",
        "ゲーム開始時",
        "ターン開始時",
        "スタンバイフェイズ開始時",
        "ドローフェイズ開始時",
        "第1メインフェイズ開始時",
        "アタックフェイズ開始時",
        "攻撃宣言ステップ開始時",
        "防御宣言ステップ開始時",
        "バトル解決ステップ開始時",
        "アタックフェイズ終了時",
        "第2メインフェイズ開始時",
        "エンドフェイズ開始時",
        "ターン終了時",
    ],
    // 401.2: what begins where an effect has put a phase in begins by the card of that effect, and is not among them.
    of_players: &["ライフを得る", "ライフを失う", "ライフを支払う"],
    moments: &[
        "ゲーム開始時",
        "ターン開始時",
        "スタンバイフェイズ開始時",
        "攻撃宣言ステップ開始時",
        "防御宣言ステップ開始時",
        "バトル解決ステップ開始時",
        "エンドフェイズ開始時",
        "ターン終了時",
    ],
    // 005.6.2: energy comes in colours.
    manners: &["破壊", "捨てる", "バトル", "除外", "プレイ", "公開", "赤", "青", "緑", "白", "黒", "無色"],
    keywords: &["瞬唱", "疾風", "貫通", "装備", "息吹", "斬撃", "剥奪", "受信", "進化", "1枚制限"],
    parts: &[("息吹", &["value"]), ("斬撃", &["value"])],
    takes: &[],
    // 801.3.4: who may activate the ability.
    timings: &["どちらのプレイヤーも起動できる", "相手だけが起動できる"],
    untils: &[
        "ターン終了時",
        "アタックフェイズ終了時",
        "バトル終了時",
        "フェイズ終了時",
        NEXT[0],
        NEXT[1],
        NEXT[2],
        NEXT[3],
    ],
    acts: &[
        "ダメージ",
        "お互いにダメージを与える",
        "お互いにライフを得る",
        "お互いにライフを失う",
        "シャッフル",
        "ライフを得る",
        "ライフを失う",
        "ライフを支払う",
        "ライフをこの数にする",
        "赤エナジーを加える",
        "青エナジーを加える",
        "緑エナジーを加える",
        "白エナジーを加える",
        "黒エナジーを加える",
        "無色エナジーを加える",
        "同じ色のエナジーを加える",
        "赤エナジーを支払う",
        "青エナジーを支払う",
        "緑エナジーを支払う",
        "白エナジーを支払う",
        "黒エナジーを支払う",
        "無色エナジーを支払う",
        "不特定エナジーを支払う",
        "カウンターを移動する",
        "～カウンターを移動する",
        "破壊を無効にする",
        "ダメージを取り除く",
        "プレイする",
        "コストを支払わずにプレイする",
        "退場させる",
        "バトルさせる",
        "バトルから除外する",
        "コントロールを得る",
        "ターン終了時までコントロールを得る",
        "スタンバイフェイズをスキップする",
        "ドローフェイズをスキップする",
        "第1メインフェイズをスキップする",
        "アタックフェイズをスキップする",
        "第2メインフェイズをスキップする",
        "エンドフェイズをスキップする",
        "攻撃宣言ステップをスキップする",
        "防御宣言ステップをスキップする",
        "バトル解決ステップをスキップする",
        "相手の次のターンをスキップする",
        "自分の次のターンをスキップする",
        "ドローフェイズを追加する",
        "第1メインフェイズを追加する",
        "アタックフェイズを追加する",
        "第2メインフェイズを追加する",
        "このフェイズの直後にドローフェイズを追加する",
        "このフェイズの直後に第1メインフェイズを追加する",
        "このフェイズの直後にアタックフェイズを追加する",
        "このフェイズの直後に第2メインフェイズを追加する",
        "アタックフェイズの直後にドローフェイズを追加する",
        "アタックフェイズの直後に第1メインフェイズを追加する",
        "アタックフェイズの直後にアタックフェイズを追加する",
        "アタックフェイズの直後に第2メインフェイズを追加する",
        "ゲームに勝利する",
        "ゲームに敗北する",
        "投了する",
        "次にプレイするキャラクターのレベルを下げる",
        "倍にする",
        "攻撃力を倍にする",
        "体力を倍にする",
    ],
    roles: &["攻撃サーバント", "防御サーバント", "攻撃目標", "防御されているサーバント", "バトル中のサーバント"],
    bases: &[("元々の攻撃力", ATTACK), ("元々の体力", HEALTH)],
    attachments: &["装備", "進化"],
    // 919.2: what a counter does to the card it lies on.
    speaks: &["each", "either", "カウンター名", "loose"],
    // 919.6: how many counters of a name may lie on a card.
    limits: &[COUNTER, GROWTH, LIGHT, POWER, "～カウンター"],
    phases: &[
        "第1メインフェイズ",
        "準備",
        "デッキ構築",
        "スタンバイフェイズ",
        "ドローフェイズ",
        "アタックフェイズ",
        "アタックフェイズ開始ステップ",
        "攻撃宣言ステップ",
        "攻撃宣言",
        "防御宣言ステップ",
        "防御宣言",
        "バトル解決ステップ",
        "アタックフェイズ終了ステップ",
        "第2メインフェイズ",
        "エンドフェイズ",
    ],
};
