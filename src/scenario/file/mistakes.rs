//! Every mistake in the cards of a board at once, not only the first. Cards are read once more from the tree of the file,
//! in which every value knows its place; the item of a list in which something is wrong is taken out, and reading begins
//! again, until nothing is wrong with what is left.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, EnumAccess, Error as _, Expected, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};

use crate::card::Card;
use crate::card::meant::meant;
use crate::scenario::file::node::{At, Key, Kind, Node, Note};
use crate::text::yaml;

/// Nobody reads more than so many.
const MOST: usize = 20;

/// What is wrong with the cards, in the order in which it is found; and the cards of which the words can be checked all
/// the same, with their lines: of a card with a mistake in its abilities, without them.
pub fn in_cards(cards: &Node) -> (Vec<Note>, Vec<(usize, Card)>) {
    let (mut left, mut found) = (cards.clone(), Vec::<Note>::new());
    loop {
        match Vec::<Card>::deserialize(Reader(&left)) {
            Ok(read) => {
                let wrong = |at: At| cards.items().iter().any(|c| c.at == at && found.iter().any(|n| has(c, n.at)));
                let bare = |card: Card| Card { abilities: Vec::new(), ..card };
                let lines = left.items().iter().map(|item| item.at);
                let each = lines.zip(read).map(|(at, c)| (at.line, if wrong(at) { bare(c) } else { c }));
                let each = each.collect();
                return (found, each);
            }
            Err(Mistake { at, text }) => {
                let at = at.unwrap_or(left.at);
                found.push(Note { at, text });
                if found.len() == MOST || !take_out(&mut left, at) {
                    return (found, Vec::new());
                }
            }
        }
    }
}

/// Takes out the innermost item of a list in which the place is. False: it is in none.
fn take_out(node: &mut Node, at: At) -> bool {
    match &mut node.kind {
        Kind::List(items) => {
            let Some(which) = items.iter().position(|item| has(item, at)) else { return false };
            if !take_out(&mut items[which], at) {
                items.remove(which);
            }
            true
        }
        Kind::Map(pairs) => pairs.iter_mut().any(|(_, value)| take_out(value, at)),
        _ => false,
    }
}

/// The place is that of the value or of something in it.
fn has(node: &Node, at: At) -> bool {
    let within = match &node.kind {
        Kind::List(items) => items.iter().any(|item| has(item, at)),
        Kind::Map(pairs) => pairs.iter().any(|(key, value)| key.at == at || has(value, at)),
        _ => false,
    };
    within || node.at == at
}

/// Something wrong, at the innermost place that is known.
#[derive(Debug)]
struct Mistake {
    at: Option<At>,
    text: String,
}

impl Mistake {
    fn at(mut self, at: At) -> Mistake {
        self.at.get_or_insert(at);
        self
    }

    /// What is wrong with the value itself is said of its key.
    fn of(mut self, key: &Key, value: &Node) -> Mistake {
        if let Some(rest) = self.text.strip_prefix("ここには").filter(|_| self.at == Some(value.at)) {
            self.text = format!("「{}」には{rest}", key.text);
        }
        self
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Mistake {}

impl de::Error for Mistake {
    fn custom<T: fmt::Display>(text: T) -> Mistake {
        Mistake { at: None, text: yaml::in_words(&text.to_string()) }
    }
    fn invalid_type(unexpected: Unexpected, expected: &dyn Expected) -> Mistake {
        let text = yaml::wrong_shape(&unexpected.to_string(), &expected.to_string());
        Mistake { at: None, text }
    }
    fn invalid_value(unexpected: Unexpected, expected: &dyn Expected) -> Mistake {
        Mistake::invalid_type(unexpected, expected)
    }
    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Mistake {
        let text = meant(variant, expected).unwrap_or_else(|| yaml::unknown_word(variant, expected));
        Mistake { at: None, text }
    }
    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Mistake {
        let text = meant(field, expected).unwrap_or_else(|| yaml::unknown_key(field, expected));
        Mistake { at: None, text }
    }
    fn missing_field(field: &'static str) -> Mistake {
        Mistake { at: None, text: format!("「{field}」がありません") }
    }
}

/// Reads a value of the tree.
#[derive(Clone, Copy)]
struct Reader<'n>(&'n Node);

impl Reader<'_> {
    /// A word or a number, as text.
    fn scalar<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self.0.text() {
            Some(text) => visitor.visit_string(text),
            None => self.any(visitor),
        }
    }

    fn any<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match &self.0.kind {
            Kind::Null => visitor.visit_unit(),
            Kind::Bool(b) => visitor.visit_bool(*b),
            Kind::Number(n) if *n >= 0 => visitor.visit_u64(*n as u64),
            Kind::Number(n) => visitor.visit_i64(*n),
            Kind::Text(text) => visitor.visit_str(text),
            Kind::List(items) => visitor.visit_seq(Items(items.iter())),
            Kind::Map(pairs) => visitor.visit_map(Pairs { pairs: pairs.iter(), value: None }),
        }
    }
}

/// Errors inside get the place of this value where they have none.
macro_rules! here {
    ($name:ident, $way:ident) => {
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
            self.$way(visitor).map_err(|e| e.at(self.0.at))
        }
    };
}

impl<'de> de::Deserializer<'de> for Reader<'_> {
    type Error = Mistake;
    here!(deserialize_any, any);
    here!(deserialize_str, scalar);
    here!(deserialize_string, scalar);

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self.0.kind {
            Kind::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        match self.0.kind {
            Kind::Map(_) => self.deserialize_any(visitor),
            _ => Err(Mistake::custom(yaml::keys_wanted(&self.0.to_string(), keys)).at(self.0.at)),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Mistake> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        let read = match &self.0.kind {
            Kind::Map(pairs) if pairs.len() == 1 => {
                let (key, value) = &pairs[0];
                visitor.visit_enum(Choice { key, value: Some(value) })
            }
            Kind::Text(text) => {
                let key = Key { at: self.0.at, text: text.clone() };
                visitor.visit_enum(Choice { key: &key, value: None })
            }
            Kind::Map(pairs) => {
                let keys: Vec<&str> = pairs.iter().map(|(k, _)| k.text.as_str()).collect();
                Err(Mistake::custom(yaml::one_of(&keys, words)))
            }
            _ => Err(Mistake::custom(yaml::one_of(&[], words))),
        };
        read.map_err(|e| e.at(self.0.at))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple tuple_struct
        map identifier ignored_any
    }
}

struct Items<'n>(std::slice::Iter<'n, Node>);

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Mistake;
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Mistake> {
        self.0.next().map(|item| seed.deserialize(Reader(item)).map_err(|e| e.at(item.at))).transpose()
    }
}

struct Pairs<'n> {
    pairs: std::slice::Iter<'n, (Key, Node)>,
    value: Option<(&'n Key, &'n Node)>,
}

impl<'de> MapAccess<'de> for Pairs<'_> {
    type Error = Mistake;
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Mistake> {
        let Some((key, value)) = self.pairs.next() else { return Ok(None) };
        self.value = Some((key, value));
        seed.deserialize(word(key)).map(Some).map_err(|e| e.at(key.at))
    }
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Mistake> {
        let (key, value) = self.value.take().expect("a value follows its key");
        seed.deserialize(Reader(value)).map_err(|e| e.at(value.at).of(key, value))
    }
}

/// One of several words, alone or with a value.
struct Choice<'n> {
    key: &'n Key,
    value: Option<&'n Node>,
}

impl<'de> EnumAccess<'de> for Choice<'_> {
    type Error = Mistake;
    type Variant = Self;
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Mistake> {
        seed.deserialize(word(self.key)).map_err(|e| e.at(self.key.at)).map(|found| (found, self))
    }
}

impl<'de> VariantAccess<'de> for Choice<'_> {
    type Error = Mistake;
    fn unit_variant(self) -> Result<(), Mistake> {
        match self.value {
            None => Ok(()),
            Some(value) if value.kind == Kind::Null => Ok(()),
            Some(value) => Err(Mistake::custom(format!("「{}」に値は書きません", self.key.text)).at(value.at)),
        }
    }
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Mistake> {
        let value = self.value()?;
        seed.deserialize(Reader(value)).map_err(|e| e.at(value.at))
    }
    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Mistake> {
        de::Deserializer::deserialize_any(Reader(self.value()?), visitor)
    }
    fn struct_variant<V: Visitor<'de>>(self, keys: &'static [&'static str], visitor: V) -> Result<V::Value, Mistake> {
        de::Deserializer::deserialize_struct(Reader(self.value()?), "", keys, visitor)
    }
}

impl<'n> Choice<'n> {
    fn value(&self) -> Result<&'n Node, Mistake> {
        let none = || Mistake::custom(format!("「{}:」の後に値を書いてください", self.key.text)).at(self.key.at);
        self.value.ok_or_else(none)
    }
}

fn word(key: &Key) -> StrDeserializer<'_, Mistake> {
    key.text.as_str().into_deserializer()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::scenario::Scenario;

    #[test]
    fn every_mistake_is_told_with_its_place_and_how_it_is_written() {
        let text = "game: ygo\ncards:\n- name: 甲\n  abilities:\n  - cost: [{discard: 1}, {draw: 2}]\n    do:\n    - {may: {do: [{destroy: 対象}, {draw: {count: 1}}]}}\n    - {damage: {amount: 1}, draw: {count: 1}}\n    target: モンスター\n- {nam: 乙}\ngiven: {}\n";
        let problems = Scenario::board(Path::new("x.yaml"), text).err().expect("nothing of it is right");
        let found: Vec<_> = problems.iter().map(|p| (p.line, p.column, p.message.as_str())).collect();
        let wanted = [
            (3, 9, "種類が要ります"),
            (5, 13, "捨てるのは"),
            (5, 33, "使える項目: count、who、up_to"),
            (7, 20, "破壊するのは"),
            (8, 7, "「damage」「draw」が1つの"),
            (9, 13, "一覧"),
            (10, 4, "「name」ですか"),
        ];
        assert_eq!(found.len(), wanted.len(), "{found:#?}");
        for ((line, column, message), (l, c, part)) in found.into_iter().zip(wanted) {
            assert_eq!((line, column), (l, c), "{message}");
            assert!(message.contains(part), "{message}");
        }
    }
}
