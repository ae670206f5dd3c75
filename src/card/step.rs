//! What effects do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::filter::{OneOrMany, one_or_many};
use super::{Ability, Cond, Filter, Kind, Pattern, Price, Target, Value, Word};

/// すること1つ。カードを指す言葉は `this`、`event`、`source`、`host`、`moved`、`about`、スロット名。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// カードを動かす。
    Move {
        /// どのカード（指す言葉か条件）。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        what: Option<Word>,
        /// 条件に合うすべてのカード。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        all: Option<Filter>,
        /// ゾーンの名（手札、墓地、山札、エネルギーゾーン など）、場所を入れたスロット名、または `this`・`event`（そのカードのスクエア）。
        to: Word,
        /// `to` が場所の一覧のとき、そのうちのどこか: `{同じライン: it}`（`it` は動かすカードそれぞれ）。
        #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
        near: std::collections::BTreeMap<Word, Word>,
        /// 山札の `上`（省略時）、`下`、上から何番目か（`'3'`）、または位置を決めずに加える `シャッフル`。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Word>,
        /// 置かれる状態: `リリース`、`フリーズ`、`そのまま`。省けばそのゾーンの普通の状態。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<Word>,
        /// 誰の支配下で: `自分`（省略時）、`相手`、`持ち主`。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        control: Option<Word>,
        /// 動かし方の名: `破壊`、`廃棄`、`捨てる`、`リリース` など。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        how: Option<Word>,
        /// 何かに付ける付け方（`闘気`、`結合`）。`to` が付ける相手。
        #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
        attach: Option<Word>,
        /// したことを覚えるスロット（「そうしたならば」）。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        slot: Option<Word>,
    },
    /// カードを引く。
    Draw {
        /// 枚数。
        count: Value,
        /// 誰が: `自分`（省略時）、`相手`。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<Word>,
        /// 「〜枚まで」。1枚ごとに続けるか選ぶ。
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        up_to: bool,
    },
    /// ダメージを与える。
    Damage {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        what: Option<Word>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        all: Option<Filter>,
        /// プレイヤーに与える: `自分`、`相手`。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<Word>,
        /// 量。省けば、割り振った数。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        amount: Option<Value>,
        /// したことを覚えるスロット（「与えたならば」）。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        slot: Option<Word>,
    },
    /// 状態を変える（リリース、フリーズ、リブート、スリープ、攻撃表示、表、裏 など）。
    Turn {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        what: Option<Word>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        all: Option<Filter>,
        state: Word,
        /// したことを覚えるスロット。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        slot: Option<Word>,
    },
    /// 解決時に選ぶ。
    Choose(Target),
    /// 継続効果を与える。`what` と `all` は、データや支配者を変えるものなら今のカードに固定される。
    Grant {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        what: Option<Word>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        all: Option<Filter>,
        changes: Vec<Change>,
        /// いつまで: `ターン終了時`、`バトル終了時`。省けばデュエルの終わりまで。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Word>,
    },
    /// 後で誘発する能力を作る。
    Later {
        when: Pattern,
        #[serde(rename = "do")]
        steps: Vec<Step>,
        /// この期間のあいだ何度でも。省けば次の1度だけ。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Word>,
        /// この能力が影響を与えるカード（スロット名など）。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<Word>,
    },
    /// 置換効果を作る。
    Replace {
        instead: Replace,
        /// この期間のあいだ何度でも。省けば次の1度だけ。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Word>,
    },
    /// してよい。
    May {
        #[serde(rename = "do")]
        steps: Vec<Step>,
        /// 誰が決めるか: `自分`（省略時）、`相手`。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Word>,
        /// そうしたならば。
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        then: Vec<Step>,
        /// そうしなければ。
        #[serde(default, rename = "else", skip_serializing_if = "Vec::is_empty")]
        otherwise: Vec<Step>,
        /// コストのとき: 払い方の名（`paid` で参照する）。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<Word>,
    },
    /// 条件が成り立つならば。
    If {
        cond: Cond,
        then: Vec<Step>,
        #[serde(default, rename = "else", skip_serializing_if = "Vec::is_empty")]
        otherwise: Vec<Step>,
    },
    /// それぞれのプレイヤーが、そのプレイヤーを「自分」として行う。`choose` があれば、先に全員が選ぶ。
    EachPlayer {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        choose: Vec<Target>,
        #[serde(rename = "do")]
        steps: Vec<Step>,
        /// 全員が選び終えてから、選んだ物を合わせて1度に行う（選んだカードに「自分」は、それを選んだプレイヤー）。
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        together: bool,
    },
    /// スロットのカード1枚ずつについて順に行う。
    ForEach {
        what: Word,
        slot: Word,
        #[serde(rename = "do")]
        steps: Vec<Step>,
    },
    /// くり返す: 回数か、条件が成り立つまで（1度は行い、何も起きなくなったら終わる）。
    Repeat {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<Value>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Cond>,
        #[serde(rename = "do")]
        steps: Vec<Step>,
    },
    /// スタックやチェーンの上のものを無効にする。
    Counter { what: Word },
    /// 見せる。見せたカードは効果の間、公開情報になる。
    Reveal {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        what: Option<Word>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        all: Option<Filter>,
        /// 誰に: `自分`（その人だけが見る）、省けば全員。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Word>,
        /// 見せたカードを入れるスロット。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        slot: Option<Word>,
    },
    /// 山札を切り直す。
    Shuffle {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<Word>,
    },
    /// 2つのカードの場所を入れ替える。
    Swap { a: Word, b: Word },
    /// 対象を変える。
    Retarget {
        /// スタックの上のもの。
        what: Word,
        /// 新しい対象。
        to: Word,
    },
    /// マーカーやカウンターを置く（負なら取り除く）。
    Mark {
        what: Word,
        name: Word,
        count: Value,
        /// このカードに移動する（msdだけ。数は正）。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Word>,
        /// その名のカウンターが、置かれている間、1個につきカードに与える修正（`add` だけ）。
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        each: Vec<Change>,
    },
    /// カードを作って置く（トークンなど）。作れるのは同時に12枚まで。
    Create {
        /// 作るカードの名（カードとして書いておく）。
        card: Word,
        /// 枚数。省けば1。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<Value>,
        /// どこへ: 場所の名、または場所を入れたスロット名。
        to: Word,
        /// 置かれる状態。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<Word>,
        /// 誰のものとして: `自分`（省略時）、`相手`。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<Word>,
    },
    /// 数を決めて覚える。
    Let { slot: Word, value: Value },
    /// ゲームに固有の行為（プランゾーンを作成する、山札の1番上を表向きにする など）。
    Act {
        name: Word,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<Word>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        what: Option<Word>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<Value>,
        /// したことを覚えるスロット（「そうしたならば」）。
        #[serde(default, skip_serializing_if = "Option::is_none")]
        slot: Option<Word>,
    },
    /// 勝利する・敗北する。
    End {
        who: Word,
        /// `勝利` か `敗北`。
        result: Word,
    },
}

/// 継続効果の中身。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Change {
    /// 数を足す: `{add: [パワー, 2000]}`。
    Add(Word, Value),
    /// 数を減らす。ただし、この数より小さくはしない: `{down: [リソースコスト, 2, 1]}`。
    Down(Word, Value, i32),
    /// 数にする: `{set: [パワー, 3000]}`。
    Set(Word, Value),
    /// 元々の数をその数にする。ほかの増減より先に数える: `{base: [パワー, 15000]}`。
    Base(Word, Value),
    /// 言葉を加える: `{join: [種族, ドール]}`。
    Join(Word, Word),
    /// 言葉に変える（前のものは失われる）: `{become: [色, [青]]}`。
    Become(Word, Vec<Word>),
    /// 能力を得る。
    Gain(Box<Ability>),
    /// 条件に合うカードの、その種類の能力をすべて得る: `{copy: {cards: {is: ゼクス, of: 自分, in: トラッシュ}, kind: 常在}}`。
    Copy(Box<Copied>),
    /// キーワード能力を失う。
    Lose(Word),
    /// すべての能力を失う。
    LoseText(bool),
    /// 支配者になる: `自分`、`相手`。
    Control(Word),
    /// コストの記号を増減する: `{cost: [使用コスト, 無色, -1]}`。
    Cost(Word, Word, Value),
    /// コストを別のものにする: `{price: [使用コスト, 無色0]}`。
    Price(Word, Price),
    /// あるデータを参照するとき、代わりに別のデータを使う: `{read: [使用コスト, 移動コスト]}`。
    Read(Word, Word),
    /// できない: 行為や出来事の形。カードにかかるものは `card` を省く（影響を受けるカードのことになる）。
    Forbid(Box<Pattern>),
    /// ダメージや対象から守る: `{immune: {by: {...}}}` のように、起こすカードの条件で。
    Immune(Box<Immune>),
    /// このゾーンからプレイしてよい。
    PlayFrom(Word),
    /// 状態を変えて置かれる（エントリーの状態）。
    Enter(Word),
    /// プレイヤーの上限を変える（`null` ならなくなる）: `{limit: [チャージの上限, null]}`。
    Limit(Word, Option<Value>),
    /// プレイヤー（この能力の支配者）の数を増減する: `{player: [リミットレベル, 1]}`。
    Player(Word, Value),
    /// 元のデータに加えて、このデータも持つ（「〜としても扱う」）: `{bear: {種類: サーバント, 攻撃力: 300}}`。
    Bear(std::collections::BTreeMap<Word, super::Datum>),
    /// しなければならない（できるものの中から選ぶ）: `{oblige: {event: 攻撃宣言, who: 相手, card: {highest: 体力}}}`。
    Oblige(Box<Pattern>),
    /// ルールが意味を与える状態にある: `{under: 呪縛状態}`。
    Under(Word),
}

/// どのカードの、どの能力か。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Copied {
    pub cards: Filter,
    /// `起動`、`誘発`、`常在`。
    pub kind: Kind,
}

/// 何から守るか。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Immune {
    /// 何を受けないか: `ダメージ`、`対象`、`効果`。
    #[serde(deserialize_with = "one_or_many")]
    #[schemars(with = "OneOrMany")]
    pub to: Vec<Word>,
    /// どのカードから。
    pub by: Filter,
}

/// 置換。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Replace {
    /// 何が起きる時。
    pub when: Pattern,
    /// かわりにすること。動かす先を変えるだけなら `to` と `state`。
    #[serde(default, rename = "do", skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// 行き先を変える。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Word>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Word>,
    /// 量を変える（軽減など）。0以下なら起こらない。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Value>,
    /// してよい（選べる）。
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
}

impl Change {
    /// The number by which or to which it changes something.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Change::Add(_, v) | Change::Down(_, v, _) | Change::Set(_, v) => Some(v),
            Change::Base(_, v) | Change::Cost(_, _, v) => Some(v),
            _ => None,
        }
    }
}
