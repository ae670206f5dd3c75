//! A rule node: one clause of a document, restated in our own words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clause::Id;

/// 規則ファイル `rules/<game>/<chapter>.yaml` の中身。
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chapter {
    /// この章の条文。文書の順に並べる。
    pub nodes: Vec<Node>,
}

/// 条文1つ。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// 条文id（`zx:102.4`）。
    pub id: Id,
    /// 文書に印刷された番号。idと違うときだけ書く。番号が印刷されていなければ「番号なし」。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
    /// ほかに受け付ける番号の書き方。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// 印刷されたページ。目次やほかの箇所の案内から知れるものだけ。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u16>,
    /// 条文の種類。
    pub kind: Kind,
    /// 見出し。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// 条文の内容を自分たちの言葉で書いたもの。参照は `[zx:702]` と書く。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// 文書の抽出で失われたもの（図、アイコン、切れた文）。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
    /// 失われた部分について推測できることと、その根拠。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inferred: Option<String>,
    /// 意味を変える誤植や誤認識と、その正しい読み。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub misread: Vec<Misread>,
    /// この条文からの参照。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refs: Vec<Ref>,
    /// 番号のない文書で、この条文を見つけるための書き出し（数文字）。離れた場所に分かれていれば、その数だけ。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opens: Vec<String>,
    /// 用例。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
    /// 同じ内容を実行する別の条文。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub executed_by: Vec<Id>,
    /// 実行するものがない理由。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nothing: Option<String>,
    /// 変更履歴がこの条文の追加や変更を記した版。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub since: Vec<String>,
}

/// 条文の種類。どの条文が実行できるはずかは、これで決まる。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// 見出し。
    Heading,
    /// 手順。
    Procedure,
    /// ルールが見張り、自動で行う処理。
    Check,
    /// できる・できない・しなければならない。上限と下限。
    Limit,
    /// 順序と優先関係。
    Order,
    /// 継続的な効果と数値の計算順。
    Layer,
    /// 定義。
    Meaning,
    /// 表記とその読み方。
    Notation,
    /// 大会運営。
    Floor,
    /// 文書の目的、案内、助言。
    About,
}

impl Kind {
    pub const ALL: [Kind; 10] = [
        Kind::Heading,
        Kind::Procedure,
        Kind::Check,
        Kind::Limit,
        Kind::Order,
        Kind::Layer,
        Kind::Meaning,
        Kind::Notation,
        Kind::Floor,
        Kind::About,
    ];

    /// The word in the files.
    pub fn code(self) -> &'static str {
        match self {
            Kind::Heading => "heading",
            Kind::Procedure => "procedure",
            Kind::Check => "check",
            Kind::Limit => "limit",
            Kind::Order => "order",
            Kind::Layer => "layer",
            Kind::Meaning => "meaning",
            Kind::Notation => "notation",
            Kind::Floor => "floor",
            Kind::About => "about",
        }
    }

    /// The word a judge reads.
    pub fn label(self) -> &'static str {
        match self {
            Kind::Heading => "見出し",
            Kind::Procedure => "手順",
            Kind::Check => "自動処理",
            Kind::Limit => "可否",
            Kind::Order => "順序",
            Kind::Layer => "適用順",
            Kind::Meaning => "定義",
            Kind::Notation => "表記",
            Kind::Floor => "大会",
            Kind::About => "案内",
        }
    }
}

/// 誤植や誤認識。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Misread {
    /// 文書にある形。
    pub printed: String,
    /// 正しい読み。
    pub read: String,
}

/// 参照。`zx:702` とだけ書くか、`{to: …, printed: …, note: …}` と書く。
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(into = "RefForm")]
pub struct Ref {
    pub target: Target,
    pub how: How,
    /// The printed form where it is wrong.
    pub printed: Option<String>,
    pub note: Option<String>,
}

/// What a reference points at.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    Clause(Id),
    /// From the first to the last, both included.
    Range(Id, Id),
    /// A document that is not ours: フロアルール.
    Document(String),
}

/// 参照の仕方。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// 番号で。
    #[default]
    Number,
    /// 名前で（「敗北判定処理」）。
    Name,
    /// 位置で（「上記」「以下」「下図」）。
    Place,
    /// ページ番号で。
    Page,
}

impl Ref {
    pub fn to(id: Id) -> Ref {
        Ref { target: Target::Clause(id), how: How::Number, printed: None, note: None }
    }

    /// The clause that it points at, or begins with.
    pub fn first(&self) -> Option<&Id> {
        match &self.target {
            Target::Clause(id) | Target::Range(id, _) => Some(id),
            Target::Document(_) => None,
        }
    }

    /// Every clause that it names.
    pub fn ends(&self) -> impl Iterator<Item = &Id> {
        let (first, last) = match &self.target {
            Target::Clause(id) => (Some(id), None),
            Target::Range(a, b) => (Some(a), Some(b)),
            Target::Document(_) => (None, None),
        };
        first.into_iter().chain(last)
    }
}

/// The two ways in which a reference is written in YAML.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(untagged)]
enum RefForm {
    Plain(Id),
    Full(FullRef),
}

/// 参照の詳しい書き方。`to` か `document` のどちらかが要る。
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FullRef {
    /// 参照先。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<Id>,
    /// 範囲の終わり。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<Id>,
    /// ほかの文書の名前。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    document: Option<String>,
    /// 参照の仕方。書かなければ番号。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    how: Option<How>,
    /// 印刷された形。誤っているときと、ページ番号（p.36）のときだけ書く。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    printed: Option<String>,
    /// 誤りの説明など。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl JsonSchema for Ref {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Ref".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        RefForm::json_schema(generator)
    }
}

impl<'de> Deserialize<'de> for Ref {
    /// By hand rather than as an untagged enum, which would swallow what is wrong with either form.
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Ref, D::Error> {
        struct Forms;
        impl<'de> serde::de::Visitor<'de> for Forms {
            type Value = Ref;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("参照（zx:702、または {to: zx:702, …}）")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Ref, E> {
                text.parse().map(Ref::to).map_err(E::custom)
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Ref, A::Error> {
                use serde::de::Error;
                let full = FullRef::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
                let target = match (full.to, full.until, full.document) {
                    (Some(a), Some(b), None) => Target::Range(a, b),
                    (Some(a), None, None) => Target::Clause(a),
                    (None, None, Some(name)) => Target::Document(name),
                    _ => return Err(A::Error::custom("参照には to（と until）か document のどちらか一方が要ります")),
                };
                Ok(Ref { target, how: full.how.unwrap_or_default(), printed: full.printed, note: full.note })
            }
        }
        d.deserialize_any(Forms)
    }
}

impl From<Ref> for RefForm {
    fn from(r: Ref) -> RefForm {
        let how = (r.how != How::Number).then_some(r.how);
        let mut full = FullRef { how, printed: r.printed, note: r.note, ..FullRef::default() };
        match r.target {
            Target::Clause(id) if full.how.is_none() && full.printed.is_none() && full.note.is_none() => {
                return RefForm::Plain(id);
            }
            Target::Clause(id) => full.to = Some(id),
            Target::Range(a, b) => (full.to, full.until) = (Some(a), Some(b)),
            Target::Document(name) => full.document = Some(name),
        }
        RefForm::Full(full)
    }
}

/// 用例。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// 用例id（`zx:102.4#1`）。
    pub id: Id,
    /// 用例の種類。
    pub kind: ExampleKind,
    /// 文書に「例」の印がない（図や本文中の例示）。
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unmarked: bool,
    /// 状況。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub situation: Option<String>,
    /// 結果。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
}

/// 用例の種類。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExampleKind {
    /// 盤面で実行できる。
    Engine,
    /// 読み方の例。
    Reading,
    /// デッキ構築。
    Deck,
    /// 用語。
    Term,
    /// 大会運営。
    Tournament,
}

impl ExampleKind {
    pub fn label(self) -> &'static str {
        match self {
            ExampleKind::Engine => "実行",
            ExampleKind::Reading => "読み方",
            ExampleKind::Deck => "デッキ",
            ExampleKind::Term => "用語",
            ExampleKind::Tournament => "大会",
        }
    }
}

/// The references written inside a text: `[zx:702]`, with the byte range of each, brackets included.
pub fn references_in(text: &str) -> Vec<(std::ops::Range<usize>, Id)> {
    let mut out = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find('[').map(|i| from + i) {
        let Some(close) = text[open..].find(']').map(|i| open + i) else { break };
        if let Ok(id) = text[open + 1..close].parse::<Id>() {
            out.push((open..close + 1, id));
            from = close + 1;
        } else {
            from = open + 1;
        }
    }
    out
}

/// A text as a person reads it: `[zx:702]` is 702.
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut from = 0;
    for (range, id) in references_in(text) {
        out.push_str(&text[from..range.start]);
        out.push_str(id.clause.as_str());
        from = range.end;
    }
    out.push_str(&text[from..]);
    out
}
