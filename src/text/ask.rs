//! What people type: the hand-written sources of search, in `index/`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clause::Id;

/// `index/<game>.yaml` の中身。
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Asks {
    /// 条文ごとの、人が打つ言葉。
    pub asks: Vec<Ask>,
}

/// ある条文が答えになるとき、人が打つ言葉。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// 答えになる条文。
    pub at: Id,
    /// 質問や言葉。
    pub say: Vec<String>,
}

/// `index/words.yaml` の中身。検索の言葉の扱い。
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// 検索の手がかりにならない言い回し。長いものから取り除く。
    pub stop: Vec<String>,
    /// どのゲームでも同じものを指す言葉の組。
    pub synonyms: Vec<Vec<String>>,
    /// 大会の運営の言葉。ルールの文書は、たいていフロアルールに任せる。
    #[serde(default)]
    pub floor: Vec<String>,
    /// ほかの、ルールの文書が扱わない事柄の言葉（売り買い、商品、作品など）。
    #[serde(default)]
    pub elsewhere: Vec<String>,
    /// ここにないゲームの名。それを尋ねられても、定めはない。
    #[serde(default)]
    pub others: Vec<String>,
    /// 名のあとにあれば、たとえに出しただけだとわかる言葉。
    #[serde(default)]
    pub like: Vec<String>,
    /// よくある打ち間違い・変換間違い。
    pub slips: Vec<Slip>,
    /// 言い回しから、答えになりやすい条文の種類。
    pub hints: Vec<Hint>,
    /// 索引のどの欄にどれだけの重みを置くか（欄の名は「部分_分け方」）。
    pub weights: BTreeMap<String, f32>,
}

/// The names that weights may have: part and analysis.
pub const FIELD_NAMES: [&str; 15] = [
    "text_grams",
    "text_words",
    "text_folded",
    "head_grams",
    "head_words",
    "head_folded",
    "asks_grams",
    "asks_words",
    "asks_folded",
    "path_grams",
    "path_words",
    "path_folded",
    "examples_grams",
    "examples_words",
    "examples_folded",
];

/// 打ち間違い。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slip {
    /// 打たれた形。
    pub typed: String,
    /// 正しい形。
    pub meant: String,
}

/// 言い回しと条文の種類。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hint {
    /// 言い回し。
    pub says: Vec<String>,
    /// 答えになりやすい種類。
    pub kinds: Vec<super::node::Kind>,
}
