//! An ability, in the order in which it is read on the card.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::filter::{OneOrMany, one_or_many};
use super::{Change, Cond, Filter, Price, Replace, Spots, Step, Test, Value, Word};

/// 能力1つ。
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ability {
    /// 能力の名（`[暴走]` なら `暴走`）。同じ名の能力は同じ能力とみなすゲームで。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Word>,
    /// 種類。キーワード能力だけなら省いてよい。
    #[serde(default, skip_serializing_if = "Kind::is_effect")]
    pub kind: Kind,
    /// キーワード能力。意味はルールが与える。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyword: Option<Keyword>,
    /// 有効になるゾーン（ゾーン効果など）。省けばそのゲームの普通の場所。
    #[serde(default, deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    pub from: Vec<Word>,
    /// 起動のタイミング: `ノーマル`、`クイック`、`バトル`、またはスペルスピードなど。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing: Option<Word>,
    /// 誘発する出来事（どれか）。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<Pattern>,
    /// 条件（「〜ならば」）。誘発では誘発時と解決時、常在では効いている間ずっと見る。
    #[serde(default, rename = "if", skip_serializing_if = "Option::is_none")]
    pub cond: Option<Cond>,
    /// 誘発: 「発動できる」。省けば必ず発動する。
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// 使える回数: `1`（この能力を1ターンに1度）、`{times: 1, by: カード名}`、`{times: 1, by: プレイヤー, during: デュエル}`。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// コスト（シンボル）。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// シンボル以外のコスト。`may` の中は選んで払う追加コスト。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cost: Vec<Step>,
    /// 対象。書かれている順に選ぶ。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub target: Vec<Target>,
    /// 選ぶ効果（どれか1つ）。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<Mode>,
    /// 選ぶ効果がいくつか。省けば1つ。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choose: Option<u8>,
    /// すること。書かれている順。
    #[serde(default, rename = "do", skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// 常在: 影響を受けるカード。省けばこのカード。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub affects: Option<Filter>,
    /// 常在: 影響。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grant: Vec<Change>,
    /// 置換: 何のかわりに何をするか。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<Replace>,
    /// The clauses that give the ability, where a rule and not the card does: without one of them it is not there.
    #[serde(skip)]
    #[schemars(skip)]
    pub clauses: Vec<&'static str>,
    /// Which ability it is, on every copy of the card and whatever else the card gains or loses. 0: an effect made it.
    #[serde(skip)]
    #[schemars(skip)]
    pub id: u32,
    /// The keyword whose meaning it is.
    #[serde(skip)]
    #[schemars(skip)]
    pub meant_by: Option<Word>,
}

/// 使える回数。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Limit {
    /// 回数。
    pub times: u8,
    /// 何について数えるか。
    pub by: LimitBy,
    /// いつの間に: `ターン`（省略時）、`デュエル` など。
    pub during: Option<Word>,
}

/// 何について数えるか。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum LimitBy {
    /// このカードのこの能力。
    #[default]
    #[serde(rename = "能力")]
    Ability,
    /// 同じ名のカードのこの能力すべて。
    #[serde(rename = "カード名")]
    Name,
    /// 同じ名のカードのどの能力も合わせて。
    #[serde(rename = "カード全体")]
    Whole,
    /// 同じ名の能力（`name`）すべて。
    #[serde(rename = "能力名")]
    Named,
    /// プレイヤーごと。
    #[serde(rename = "プレイヤー")]
    Player,
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Limit, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Whole {
            times: u8,
            #[serde(default)]
            by: LimitBy,
            #[serde(default)]
            during: Option<Word>,
        }
        struct Reader;
        impl<'de> serde::de::Visitor<'de> for Reader {
            type Value = Limit;
            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("回数、または {times, by, during}")
            }
            fn visit_u64<E: serde::de::Error>(self, n: u64) -> Result<Limit, E> {
                let times = u8::try_from(n).map_err(|_| E::custom("回数は255までです"))?;
                Ok(Limit { times, by: LimitBy::Ability, during: None })
            }
            fn visit_i64<E: serde::de::Error>(self, n: i64) -> Result<Limit, E> {
                u64::try_from(n).map_err(|_| E::custom("回数は0以上です")).and_then(|n| self.visit_u64(n))
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Limit, A::Error> {
                let all = Whole::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
                Ok(Limit { times: all.times, by: all.by, during: all.during })
            }
        }
        from.deserialize_any(Reader)
    }
}

/// 能力の種類。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Kind {
    /// 解決された時に効果を発揮する文（ストラテジー、イベント、魔法・罠）。
    #[default]
    #[serde(rename = "効果")]
    Effect,
    #[serde(rename = "起動")]
    Activated,
    #[serde(rename = "誘発")]
    Triggered,
    #[serde(rename = "常在")]
    Static,
}

impl Kind {
    pub fn is_effect(&self) -> bool {
        *self == Kind::Effect
    }
}

/// キーワード能力とその引数。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Keyword {
    /// 名（速攻、即死、召集 など）。
    pub name: Word,
    /// 数（即死レベル、支援の修整、急襲 など）。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// 範囲や隊列の形（同じライン、スモールアイ など）。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Word>,
    /// コスト（覚醒、隊列召喚、進撃）。どれか1つ。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub price: Vec<Price>,
    /// シンボル以外のコスト（進撃など）。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cost: Vec<Step>,
    /// 条件に合うカード（耐性、連動の名指しなど）。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Filter>,
    /// 色や名などの言葉（呼声の色、連動のカード名、ゾーン効果のゾーン）。
    #[serde(default, deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    pub words: Vec<Word>,
    /// 有効になるテキスト（連動、共鳴など）や、誘発した時の効果（暴走、進撃、挟撃）。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<Ability>,
}

/// 出来事の形。
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// 出来事の名（置かれた、ダメージ、攻撃した、ターン終了時 など）。
    pub event: Word,
    /// 出来事のカード。省けばどのカードでも（出来事にカードがなくても）。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Filter>,
    /// どこから。
    #[serde(default, deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    pub from: Vec<Word>,
    /// どこからでもよいが、ここからは除く。
    #[serde(default, deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    pub not_from: Vec<Word>,
    /// どこへ。
    #[serde(default, deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    pub to: Vec<Word>,
    /// どこへでもよいが、ここへは除く。
    #[serde(default, deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    pub not_to: Vec<Word>,
    /// 行き先の位置の関係: `{隣接: this}`。
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub near: std::collections::BTreeMap<Word, Word>,
    /// その出来事を起こしたカード。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Filter>,
    /// 出来事のプレイヤー: `自分`、`相手`。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<Word>,
    /// どのように（破壊、廃棄、捨てる、バトル など）。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<Word>,
}

/// 選ぶ物。対象（`target:`）にも、解決時の選択（`choose:`）にも使う。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// 選んだ物を入れるスロットの名。省けば「対象」。
    #[serde(default = "default_slot")]
    pub slot: Word,
    /// 何の中から。
    pub of: Pool,
    /// いくつ。省けば1。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Value>,
    /// 「〜まで」: 0からその数まで。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to: Option<Value>,
    /// 好きな数だけ。
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub any_number: bool,
    /// 誰が選ぶか: `自分`（省略時）、`相手`。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Word>,
    /// 無作為に選ぶ。
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub random: bool,
    /// 「選ぶ」という言葉のない選択（「1枚をトラッシュに置く」など）。選ばれない能力は、これを防がない。
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub silent: bool,
    /// 「〜選んで。」と書かれ、選ばなくてもよいかが読みによる選択（novaだけ）。
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loose: bool,
    /// この数を、選んだ物に1以上ずつ割り振る。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divide: Option<Value>,
    /// 選んだカードのデータの合計: `{コスト: {max: 7}}`（「コストの合計が7以下になるように」。zxだけ）。
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub total: BTreeMap<Word, Test>,
}

fn default_slot() -> Word {
    Word("対象")
}

/// 選ぶ物の集まり。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pool {
    /// カード。
    Cards(Filter),
    /// スクエアなどの場所1つずつ。
    Squares(Box<Spots>),
    /// まとまり: `エリア`、`ライン`。
    Places(Word),
    /// プレイヤー: `自分`、`相手`、`どちらか`。
    Players(Word),
    /// カードでもプレイヤーでもよいもの: `{either: [条件, どちらか]}`。
    Either(Filter, Word),
    /// スタックやチェーンの上にあるもの: 元になったカードの条件で。
    Items(Filter),
    /// 言葉（色など）。
    Words(Vec<Word>),
    /// 数（下限、上限）。
    Numbers(Value, Value),
}

impl Pool {
    /// What is asked of the cards in it.
    pub fn cards(&self) -> Option<&Filter> {
        match self {
            Pool::Cards(filter) | Pool::Either(filter, _) => Some(filter),
            _ => None,
        }
    }
}

/// 選ぶ効果の1つ。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mode {
    /// 呼び名。
    pub name: Word,
    /// その効果を選ぶ時に払うコスト（ygoだけ）。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cost: Vec<Step>,
    /// 対象。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub target: Vec<Target>,
    /// すること。
    #[serde(rename = "do")]
    pub steps: Vec<Step>,
}
