//! Which cards and which squares: the part of a sentence before the verb.

use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};

use super::{Value, Word};

/// カードの条件。書いたものすべてに合うカードを指す。
/// カードを指す言葉: `this`（このカード）、`event`（できごとのカード）、`source`（そのできごとを起こしたカード）、
/// `host`（このカードが付いているカード）、`moved`（直前に動かしたカード）、`about`（`later` の `about` のカード）、
/// またはスロット名。
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// 分類（どれか）: `ユニット`、`[ユニット, ベース]`。
    #[serde(default, deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    pub is: Vec<Word>,
    /// 支配者（スクエアなど）または持ち主: `自分`、`相手`、`active`（ターンのプレイヤー）、`player`（スロットのプレイヤー）。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Word>,
    /// 持ち主: `自分`、`相手`。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Word>,
    /// 場所（どれか）: `バトルスペース`、`自軍エリア`、`手札`、`墓地` など、またはスロット名。省けばそのゲームの場。
    #[serde(default, rename = "in", deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    pub within: Vec<Word>,
    /// 位置の関係: `{同じライン: this}`、`{隣接: event}`。
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub near: BTreeMap<Word, Word>,
    /// データの条件: `{使用コスト: {max: 4}, 色: 赤}`。
    #[serde(default, rename = "where", skip_serializing_if = "BTreeMap::is_empty")]
    pub data: BTreeMap<Word, Test>,
    /// カード名（どれか）。
    #[serde(default, deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    pub name: Vec<Word>,
    /// カード名の一部（どれか）: 「〜を含む」。
    #[serde(default, deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    pub name_part: Vec<Word>,
    /// マーカーやカウンターがこれ以上ある: `{成長: 1}`。
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<Word, Value>,
    /// 状態: `リリース`、`フリーズ`、`表`、`裏` など。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Word>,
    /// 持っている能力（キーワード）。
    #[serde(default, deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    pub has: Vec<Word>,
    /// 役割: `バトルをしているユニット`、`攻撃したユニット` など。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Word>,
    /// 付いているカード（闘気など）がある／ない: `{闘気: true}`。
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub with: BTreeMap<Word, bool>,
    /// そのカードに付いている: `{フォース: this}`（「このカードのフォース」）。`in` を省けば、どこに置かれていても。
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub under: BTreeMap<Word, Word>,
    /// このカードやスロットのカードに限る。
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<Word>,
    /// このカードやスロットのカードを除く。
    #[serde(default, deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    pub except: Vec<Word>,
    /// 次のどれかにも合う。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub any: Vec<Filter>,
    /// 次には合わない。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not: Option<Box<Filter>>,
    /// 以上に合うカードのうち、このデータが最も大きいもの（同じ値ならそのすべて）。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest: Option<Word>,
    /// 以上に合うカードのうち、このデータが最も小さいもの。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lowest: Option<Word>,
    /// 山札の上から何枚目までか。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<Value>,
}

impl Filter {
    /// The card that a word stands for, wherever it is.
    pub fn of_ref(word: Word) -> Filter {
        Filter { reference: Some(word), ..Filter::default() }
    }
}

/// データの条件: 言葉（その言葉を含む）、数（等しい）、または `{min, max, not, any, shared, only}`。
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Test {
    Word(Word),
    Number(i32),
    Range(Box<Range>),
}

/// データの条件の詳しい形。
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// 以上。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<Value>,
    /// 以下。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<Value>,
    /// この言葉を含まない。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not: Option<Word>,
    /// このどれかを含む。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub any: Vec<Word>,
    /// スロットなどのカードと共通のものを含む。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<Word>,
    /// これだけを持ち、ほかのものを持たない（「〜だけの」）。
    #[serde(default, deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    pub only: Vec<Word>,
}

impl Filter {
    /// It asks for what a card is, not only for where and whose.
    pub fn is_particular(&self) -> bool {
        !self.is.is_empty()
            || !self.data.is_empty()
            || !self.name.is_empty()
            || !self.name_part.is_empty()
            || !self.has.is_empty()
            || self.any.iter().chain(self.not.as_deref()).any(Filter::is_particular)
    }
}

impl<'de> Deserialize<'de> for Test {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Test, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Test;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("言葉、数、または {min, max, not, any, shared, only}")
            }
            fn visit_i64<E: Error>(self, n: i64) -> Result<Test, E> {
                i32::try_from(n).map(Test::Number).map_err(|_| E::custom("数が大きすぎます"))
            }
            fn visit_u64<E: Error>(self, n: u64) -> Result<Test, E> {
                i32::try_from(n).map(Test::Number).map_err(|_| E::custom("数が大きすぎます"))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Test, E> {
                Word::read(text).map(Test::Word).ok_or_else(|| E::custom(crate::card::word::FULL))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Test, A::Error> {
                Range::deserialize(MapAccessDeserializer::new(map)).map(|r| Test::Range(Box::new(r)))
            }
        }
        from.deserialize_any(Reader)
    }
}

impl JsonSchema for Test {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Test".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let range = generator.subschema_for::<Range>();
        json_schema!({"description": "言葉、数、または範囲", "anyOf": [{"type": "string"}, {"type": "integer"}, range]})
    }
}

/// 置き場所（スクエアなど）の条件。
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spots {
    /// 場所（どれか）: `バトルスペース`、`自軍エリア`、`自分のベーススペース` など、またはスロット名。
    #[serde(default, rename = "in", deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    pub within: Vec<Word>,
    /// 位置の関係: `{隣接: this}`。
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub near: BTreeMap<Word, Word>,
    /// このカードがある。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<Filter>,
    /// このカードがない。
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without: Option<Filter>,
}

/// For the schema only.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
pub enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// `赤` and `[赤, 青]` are both lists of words.
pub fn one_or_many<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Word>, D::Error> {
    struct Reader;
    impl<'de> Visitor<'de> for Reader {
        type Value = Vec<Word>;
        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("言葉、または言葉の一覧")
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<Vec<Word>, E> {
            Word::read(text).map(|word| vec![word]).ok_or_else(|| E::custom(crate::card::word::FULL))
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<Word>, A::Error> {
            let mut words = Vec::new();
            while let Some(word) = seq.next_element::<Word>()? {
                words.push(word);
            }
            Ok(words)
        }
    }
    from.deserialize_any(Reader)
}
