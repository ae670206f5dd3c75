//! What is printed on a card besides its abilities.

use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::value::written;
use super::{Ability, ENDLESS, Word};

/// `rulings/<ゲーム>/cards/*.yaml` の中身。
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cards {
    /// カード。
    pub cards: Vec<Card>,
}

/// カード1枚。
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// カード名。
    pub name: Word,
    /// 印刷されたデータ（使用コスト、分類、パワーなど、そのゲームの言葉で）。
    #[serde(default)]
    pub data: BTreeMap<Word, Datum>,
    /// 能力。カードに書かれている順。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub abilities: Vec<Ability>,
    /// 文書が与えていないので、用例が言うとおりに働くよう補ったカード。
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
    /// あると分かっているが書き表していない能力（短い説明）。これに触れる裁定は出せない。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unencoded: Vec<Missing>,
    /// どの条文・用例から採ったか。
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
}

impl Card {
    /// What a card of which nothing is known is called.
    pub const NAMELESS: Word = Word("（無名）");
}

/// 書き表していない能力: 説明だけ、または `{text: シンクロ召喚の条件, when: [特殊召喚]}`。
/// `when` は、その能力がかかわりうる、このカードの出来事。省けば、場に出ることとこのカードのすることすべて。
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Missing {
    /// 短い説明。
    pub text: String,
    /// かかわりうる出来事。
    pub when: Vec<Word>,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Missing {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Missing, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Whole {
            text: String,
            when: Vec<Word>,
        }
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Missing;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("説明、または {text, when}")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Missing, E> {
                Ok(Missing { text: text.to_string(), when: Vec::new() })
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Missing, A::Error> {
                let all = Whole::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
                Ok(Missing { text: all.text, when: all.when })
            }
        }
        from.deserialize_any(Reader)
    }
}

/// データの値: 数（`2000`）、言葉（`赤`）、言葉の一覧（`[ドラゴン, サラマンダー]`）、コスト（`青2無色1`）。
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Datum {
    Number(i32),
    Words(Vec<Word>),
}

impl<'de> Deserialize<'de> for Datum {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Datum, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Datum;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("数、言葉、または言葉の一覧")
            }
            fn visit_i64<E: Error>(self, n: i64) -> Result<Datum, E> {
                written(n).map(Datum::Number).ok_or_else(|| E::custom("数が大きすぎます"))
            }
            fn visit_u64<E: Error>(self, n: u64) -> Result<Datum, E> {
                written(n).map(Datum::Number).ok_or_else(|| E::custom("数が大きすぎます"))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Datum, E> {
                if text == "∞" {
                    return Ok(Datum::Number(ENDLESS));
                }
                Word::read(text).map(|w| Datum::Words(vec![w])).ok_or_else(|| E::custom(crate::card::word::FULL))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Datum, A::Error> {
                let mut words = Vec::new();
                while let Some(word) = seq.next_element::<Word>()? {
                    words.push(word);
                }
                Ok(Datum::Words(words))
            }
        }
        from.deserialize_any(Reader)
    }
}

impl Serialize for Datum {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Datum::Number(n) => to.serialize_i32(*n),
            Datum::Words(words) => words.serialize(to),
        }
    }
}

impl JsonSchema for Datum {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Datum".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "数、言葉、言葉の一覧、またはコスト（青2無色1、赤1無色X）",
            "type": ["integer", "string", "array"],
            "items": {"type": "string"}
        })
    }
}

/// コスト: シンボルと量（`青2無色1`、`赤1無色X`）。
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Price(pub Vec<(Word, Quantity)>);

/// No symbol: where a price is what an effect made of it, what effects add to that or take off it stands behind this.
pub const APART: Word = Word("");

/// A number of symbols, or a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    Number(i32),
    Variable(Word),
}

impl Price {
    /// Reads `青2無色1`, `赤X`, `無色0`; `None` where that is not what is written.
    pub fn read(text: &str) -> Option<Price> {
        let mut symbols = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let symbol: String = rest.chars().take_while(|c| !c.is_ascii_alphanumeric() && *c != '-').collect();
            rest = &rest[symbol.len()..];
            let amount: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
            rest = &rest[amount.len()..];
            if symbol.is_empty() || amount.is_empty() {
                return None;
            }
            let quantity = match amount.parse() {
                Ok(n) => Quantity::Number(n),
                Err(_) if amount.len() == 1 => Quantity::Variable(Word::read(&amount)?),
                Err(_) => return None,
            };
            symbols.push((Word::read(&symbol)?, quantity));
        }
        (!symbols.is_empty()).then_some(Price(symbols))
    }

    /// The variables in it, once each.
    pub fn variables(&self) -> Vec<Word> {
        let mut found: Vec<Word> = Vec::new();
        for (_, quantity) in &self.0 {
            if let Quantity::Variable(name) = quantity
                && !found.contains(name)
            {
                found.push(*name);
            }
        }
        found
    }

    /// A part of it is below nothing: what that takes from other parts is made out as it is paid.
    pub fn is_unsettled(&self) -> bool {
        self.filled(|_| 0).iter().any(|(_, n)| *n < 0)
    }

    /// With the variables put in.
    pub fn filled(&self, value: impl Fn(Word) -> i32) -> Vec<(Word, i32)> {
        let number = |q: &Quantity| match q {
            Quantity::Number(n) => *n,
            Quantity::Variable(name) => value(*name),
        };
        self.0.iter().map(|(symbol, quantity)| (*symbol, number(quantity))).collect()
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (symbol, quantity) in self.0.iter().filter(|(symbol, _)| *symbol != APART) {
            match quantity {
                Quantity::Number(n) => write!(f, "{symbol}{n}")?,
                Quantity::Variable(name) => write!(f, "{symbol}{name}")?,
            }
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Price {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Price, D::Error> {
        let text = String::deserialize(from)?;
        Price::read(&text).ok_or_else(|| {
            D::Error::custom(format!("「{text}」はコストとして読めません（「青2無色1」「赤1無色X」のように）"))
        })
    }
}

impl Serialize for Price {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl JsonSchema for Price {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Price".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"description": "コスト（青2無色1、赤1無色X、無色0）", "type": "string"})
    }
}
