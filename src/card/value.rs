//! Numbers and conditions.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};

use super::{Filter, Pattern, Word};

/// 数: そのままの数（`2000`、`-1`）、変数やスロットの名（`X`）、または計算（`{count: …}` など）。
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    Number(i32),
    /// A variable of the cost, or a slot that holds a number.
    Named(Word),
    Made(Box<Amount>),
}

/// 計算して決まる数。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Amount {
    /// 条件に合うカードの枚数。
    Count(Filter),
    /// 条件に合うカードの種類数（カード名の違うものがいくつあるか）。
    Kinds(Filter),
    /// カード（this、event、またはスロット名）のデータの値: `{data: [this, パワー]}`。
    Data(Word, Word),
    /// 条件に合うカードのデータの最大値: `{highest: [スマッシュ, {…}]}`。1枚もなければ定まらない。
    Highest(Word, Filter),
    /// 条件に合うカードのデータの最小値。
    Lowest(Word, Filter),
    /// スロットに入っている物の数。
    Size(Word),
    /// 和。
    Sum(Vec<Value>),
    /// 積。
    Product(Vec<Value>),
    /// 割り算: `{divide: [数, 割る数]}`。端数の扱いはゲームのルールが決める。
    Divide(Value, Value),
    /// できごとの量（与えたダメージなど）。
    Event(Word),
    /// カードの上のマーカーやカウンターの数: `{marks: [this, 成長]}`。
    Marks(Word, Word),
    /// プレイヤーの数（ライフ、キャンディなど）: `{fact: [自分, ライフ]}`。
    Fact(Word, Word),
    /// 条件に合うカードのデータの合計: `{total: [コスト, {…}]}`。
    Total(Word, Filter),
}

impl Value {
    /// The number is made out of that datum of the card itself.
    pub fn made_of_its(&self, datum: Word) -> bool {
        let Value::Made(amount) = self else { return false };
        match &**amount {
            Amount::Data(word, name) => *word == IT && *name == datum,
            Amount::Sum(parts) | Amount::Product(parts) => parts.iter().any(|part| part.made_of_its(datum)),
            Amount::Divide(a, b) => a.made_of_its(datum) || b.made_of_its(datum),
            _ => false,
        }
    }
}

/// ∞: greater than every number, and no smaller for what is taken off it.
pub const ENDLESS: i32 = i32::MAX;

/// A number as it is written, which is never as great as ∞.
pub fn written<N: TryInto<i32>>(n: N) -> Option<i32> {
    n.try_into().ok().filter(|n| *n != ENDLESS)
}

/// In a number that each card has for itself: that card.
pub const IT: Word = Word("it");

impl Value {
    pub fn made(amount: Amount) -> Value {
        Value::Made(Box::new(amount))
    }

    /// Every card that it is for has a number of its own.
    pub fn is_for_each(&self) -> bool {
        let Value::Made(amount) = self else { return false };
        match &**amount {
            Amount::Data(card, _) | Amount::Marks(card, _) => *card == IT,
            Amount::Sum(parts) | Amount::Product(parts) => parts.iter().any(Value::is_for_each),
            Amount::Divide(a, b) => a.is_for_each() || b.is_for_each(),
            _ => false,
        }
    }
}

impl From<i32> for Value {
    fn from(n: i32) -> Value {
        Value::Number(n)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Value;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("数、変数の名、または計算")
            }
            fn visit_i64<E: Error>(self, n: i64) -> Result<Value, E> {
                written(n).map(Value::Number).ok_or_else(|| E::custom("数が大きすぎます"))
            }
            fn visit_u64<E: Error>(self, n: u64) -> Result<Value, E> {
                written(n).map(Value::Number).ok_or_else(|| E::custom("数が大きすぎます"))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
                if text == "∞" {
                    return Ok(Value::Number(ENDLESS));
                }
                Word::read(text).map(Value::Named).ok_or_else(|| E::custom(crate::card::word::FULL))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value, A::Error> {
                Amount::deserialize(MapAccessDeserializer::new(map)).map(Value::made)
            }
        }
        from.deserialize_any(Reader)
    }
}

impl JsonSchema for Value {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Value".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let amount = generator.subschema_for::<Amount>();
        json_schema!({"description": "数、変数の名、または計算", "anyOf": [{"type": "integer"}, {"type": "string"}, amount]})
    }
}

/// 条件。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cond {
    /// 条件に合うカードがある。
    Exists(Filter),
    /// 条件に合うカードがない。
    None(Filter),
    /// 数が等しい: `{equal: [a, b]}`。
    Equal(Value, Value),
    /// a が b 以上: `{at_least: [a, b]}`。
    AtLeast(Value, Value),
    /// a が b 以下: `{at_most: [a, b]}`。
    AtMost(Value, Value),
    /// そのスロットの行動をした（「そうしたならば」）。
    Did(Word),
    /// アクティブプレイヤーが 自分／相手。
    Turn(Word),
    /// そのフェイズやステップの間。
    During(Word),
    /// このターンの間に、その出来事があった。
    Happened(Box<Pattern>),
    /// 起動・プレイの時に、その払い方（覚醒、進撃など）を選んでいた。
    Paid(Word),
    /// そのどれもが成り立つ。
    All(Vec<Cond>),
    /// そのどれかが成り立つ。
    Any(Vec<Cond>),
    /// 成り立たない。
    Not(Box<Cond>),
}
