//! YAML whose keys are words of a game: a tree in which every value knows its line and column.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::text::yaml::Spanned;

/// A place in the file; line 0 where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct At {
    pub line: usize,
    pub column: usize,
}

/// Something to be said about a place in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    #[serde(flatten)]
    pub at: At,
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.at.line {
            0 => f.write_str(&self.text),
            line => write!(f, "{line}:{}: {}", self.at.column, self.text),
        }
    }
}

/// Notes, collected while reading goes on. Nobody reads more than so many.
#[derive(Clone, Debug, Default)]
pub struct Notes(pub Vec<Note>);

impl Notes {
    pub fn note(&mut self, at: At, text: impl Into<String>) {
        if self.0.len() < 50 {
            self.0.push(Note { at, text: text.into() });
        }
    }
}

/// A value and where it stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    pub at: At,
    pub kind: Kind,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum Kind {
    #[default]
    Null,
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<Node>),
    /// In the order written: the first word of a move is its verb.
    Map(Vec<(Key, Node)>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    pub at: At,
    pub text: String,
}

impl Node {
    /// The same without a place: it is not from the file.
    pub fn nowhere(mut self) -> Node {
        self.at = At::default();
        self.kind = match self.kind {
            Kind::List(items) => Kind::List(items.into_iter().map(Node::nowhere).collect()),
            Kind::Map(pairs) => {
                let pair = |(key, value): (Key, Node)| (Key { at: At::default(), ..key }, value.nowhere());
                Kind::Map(pairs.into_iter().map(pair).collect())
            }
            other => other,
        };
        self
    }

    /// A scalar as text.
    pub fn text(&self) -> Option<String> {
        match &self.kind {
            Kind::Text(text) => Some(text.clone()),
            Kind::Number(n) => Some(n.to_string()),
            Kind::Bool(b) => Some(b.to_string()),
            _ => None,
        }
    }

    pub fn number(&self) -> Option<i32> {
        match &self.kind {
            Kind::Number(n) => i32::try_from(*n).ok(),
            _ => None,
        }
    }

    /// A list, or what stands alone as a list of one; nothing as an empty one.
    pub fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::List(items) => items,
            Kind::Null => &[],
            _ => std::slice::from_ref(self),
        }
    }

    /// The pairs of a mapping; nothing as an empty one.
    pub fn pairs(&self) -> Option<&[(Key, Node)]> {
        match &self.kind {
            Kind::Map(pairs) => Some(pairs),
            Kind::Null => Some(&[]),
            _ => None,
        }
    }

    pub fn get(&self, key: &str) -> Option<&Node> {
        self.pairs()?.iter().find(|(k, _)| k.text == key).map(|(_, node)| node)
    }

    /// The value under the key, made where there is none.
    pub fn entry(&mut self, key: &str, at: At) -> &mut Node {
        if !matches!(self.kind, Kind::Map(_)) {
            self.kind = Kind::Map(Vec::new());
        }
        let Kind::Map(pairs) = &mut self.kind else { unreachable!("made a mapping above") };
        let found = pairs.iter().position(|(k, _)| k.text == key).unwrap_or_else(|| {
            pairs.push((Key { at, text: key.to_string() }, Node { at, kind: Kind::Null }));
            pairs.len() - 1
        });
        &mut pairs[found].1
    }

    /// Mappings are merged, everything else is replaced; `null` takes away.
    pub fn merge(&mut self, patch: &Node) {
        let (Kind::Map(_), Kind::Map(changes)) = (&self.kind, &patch.kind) else {
            *self = patch.clone();
            return;
        };
        for (key, value) in changes {
            match (&mut self.kind, &value.kind) {
                (Kind::Map(pairs), Kind::Null) => pairs.retain(|(k, _)| k.text != key.text),
                _ => self.entry(&key.text, key.at).merge(value),
            }
        }
    }
}

/// As it would be written on one line.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.kind {
            Kind::Null => f.write_str("null"),
            Kind::Bool(b) => write!(f, "{b}"),
            Kind::Number(n) => write!(f, "{n}"),
            Kind::Text(text) => f.write_str(text),
            Kind::List(items) => {
                let words: Vec<String> = items.iter().map(Node::to_string).collect();
                write!(f, "[{}]", words.join(", "))
            }
            Kind::Map(pairs) => {
                let words: Vec<String> = pairs.iter().map(|(k, v)| format!("{}: {v}", k.text)).collect();
                write!(f, "{{{}}}", words.join(", "))
            }
        }
    }
}

struct Raw(Kind);

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Node, D::Error> {
        let spanned = Spanned::<Raw>::deserialize(from)?;
        Ok(Node { at: at(&spanned), kind: spanned.value.0 })
    }
}

fn at<T>(spanned: &Spanned<T>) -> At {
    At { line: spanned.referenced.line() as usize, column: spanned.referenced.column() as usize }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Raw, D::Error> {
        from.deserialize_any(Reader).map(Raw)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Kind;
    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("言葉、数、一覧、または「項目: 値」の組")
    }
    fn visit_unit<E: Error>(self) -> Result<Kind, E> {
        Ok(Kind::Null)
    }
    fn visit_none<E: Error>(self) -> Result<Kind, E> {
        Ok(Kind::Null)
    }
    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Kind, D::Error> {
        from.deserialize_any(Reader)
    }
    fn visit_bool<E: Error>(self, b: bool) -> Result<Kind, E> {
        Ok(Kind::Bool(b))
    }
    fn visit_i64<E: Error>(self, n: i64) -> Result<Kind, E> {
        Ok(Kind::Number(n))
    }
    fn visit_u64<E: Error>(self, n: u64) -> Result<Kind, E> {
        i64::try_from(n).map(Kind::Number).map_err(|_| E::custom("数が大きすぎます"))
    }
    fn visit_f64<E: Error>(self, _: f64) -> Result<Kind, E> {
        Err(E::custom("小数は使えません（条文の番号なら「dz:3.2」のように）"))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Kind, E> {
        Ok(Kind::Text(text.to_string()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Kind, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Kind::List(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Kind, A::Error> {
        let mut pairs = Vec::new();
        while let Some(key) = map.next_key::<Spanned<String>>()? {
            pairs.push((Key { at: at(&key), text: key.value }, map.next_value()?));
        }
        Ok(Kind::Map(pairs))
    }
}

impl JsonSchema for Node {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Node".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::yaml;
    use std::path::Path;

    fn read(text: &str) -> Node {
        yaml::mapping::<Node>(Path::new("x"), text).map_err(|p| p.to_string()).unwrap().value
    }

    #[test]
    fn places_and_order_are_kept() {
        let node = read("B: 1\nA:\n  手札: [青, {e1: 赤}]\n");
        assert_eq!(node.to_string(), "{B: 1, A: {手札: [青, {e1: 赤}]}}");
        let hand = node.get("A").unwrap().get("手札").unwrap();
        assert_eq!((hand.at.line, hand.at.column), (3, 7));
        let Kind::List(items) = &hand.kind else { panic!() };
        assert_eq!((items[1].at.line, items[1].at.column), (3, 11));
        let keys = node.pairs().unwrap();
        assert_eq!((keys[1].0.at.line, keys[1].0.at.column), (2, 1));
    }

    #[test]
    fn patches_are_merged() {
        let mut node = read("{A: {手札: [青], 山札: 3}, turn: {player: A}}");
        node.merge(&read("{A: {手札: [赤], 山札: null}, B: {墓地: 1}}"));
        assert_eq!(node.to_string(), "{A: {手札: [赤]}, turn: {player: A}, B: {墓地: 1}}");
    }

    #[test]
    fn deep_nesting_is_refused() {
        let deep = format!("a: {}{}", "[".repeat(5_000), "]".repeat(5_000));
        assert!(yaml::mapping::<Node>(Path::new("x"), &deep).is_err());
        assert!(yaml::mapping::<Node>(Path::new("x"), "{A: 1, A: 2}").unwrap_err().message.contains("二度"));
    }
}
