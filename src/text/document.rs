//! What surrounds the clauses: the document itself, its history, its terms and the readings of its gaps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clause::Id;

/// 文書そのもの。`rules/<game>/document.yaml` の中身。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// 文書の題。
    pub title: String,
    /// 版。
    pub edition: String,
    /// 版の日付（YYYY-MM-DD）。残っていなければ省く。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// 発行元。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publisher: Option<String>,
    /// 版についての注意（失われたものなど）。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// `rules/<game>/history.yaml` の中身。
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// 変更履歴。古い順。
    pub history: Vec<Entry>,
}

/// 変更履歴の1項目。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// id（`dz:H.30`）。
    pub id: Id,
    /// 版。
    pub version: String,
    /// 日付（YYYY-MM-DD、日が失われていれば YYYY-MM か YYYY）。
    pub date: String,
    /// 変わったこと。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// 変わったこと1つ。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// 内容。
    pub text: String,
    /// 触れている条文（今の番号で）。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touches: Vec<Id>,
}

/// `rules/<game>/terms.yaml` の中身。
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// 用語。
    pub terms: Vec<Term>,
}

/// 用語1つ。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// 文書での書き方。
    pub term: String,
    /// 読み（ひらがな。長音は「ー」）。
    pub reading: String,
    /// 定義している条文。先頭が主。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defined: Vec<Id>,
    /// 定義がない用語の、使われている条文など。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub see: Vec<Id>,
    /// 文書の中でのほかの書き方。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
    /// プレイヤーが使う言い方。文書にはない。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slang: Vec<String>,
    /// 文書のどこにも定義がない。
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undefined: bool,
    /// 注意。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// `rules/concepts.yaml` の中身。
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Concepts {
    /// ゲームをまたぐ概念。
    pub concepts: Vec<Concept>,
}

/// ゲームをまたぐ概念1つ。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Concept {
    /// 概念の名。
    pub concept: String,
    /// 読み（ひらがな）。
    pub reading: String,
    /// ほかの呼び方。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// 各ゲームでの扱い。
    pub games: Vec<Treatment>,
    /// ゲームによってどう違うか。
    pub differs: String,
}

/// あるゲームでの概念の扱い。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Treatment {
    /// 定める条文。先頭が主。
    pub clauses: Vec<Id>,
    /// 要点。
    pub text: String,
}

/// `rules/<game>/readings.yaml` の中身。
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Readings {
    /// 読み方の分かれる所。
    pub readings: Vec<Reading>,
}

/// 条文どうしの矛盾、または文書が黙っている所。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// id（`dz:C1`）。
    pub id: Id,
    /// 何が問題か。
    pub question: String,
    /// 競合する条文、または黙っている条文。
    pub clauses: Vec<Id>,
    /// 可能な読み方。
    pub options: Vec<ReadingOption>,
    /// 既定の読み方（`options` のどれか）。
    pub default: String,
    /// 既定にした理由。
    pub why: String,
    /// どう読んでも盤面の動きが変わらないなら、その理由。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nothing: Option<String>,
}

/// 読み方1つ。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadingOption {
    /// 呼び名（a、b …）。
    pub key: String,
    /// 内容。
    pub text: String,
}
