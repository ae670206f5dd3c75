//! YAML as a tree that keeps the order of keys: the first word of a move is its verb.

use std::fmt::Write;
use std::path::Path;

use saitei::text::yaml;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    Null,
    Bool(bool),
    Number(i128),
    Text(String),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

impl Tree {
    pub fn read(text: &str) -> Option<Tree> {
        yaml::mapping::<Tree>(Path::new("x.yaml"), text).ok().map(|placed| placed.value)
    }

    pub fn get(&self, key: &str) -> Option<&Tree> {
        match self {
            Tree::Map(pairs) => pairs.iter().find(|(k, _)| k == key).map(|(_, value)| value),
            _ => None,
        }
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Tree> {
        match self {
            Tree::Map(pairs) => pairs.iter_mut().find(|(k, _)| k == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// How many nodes there are.
    pub fn size(&self) -> usize {
        1 + match self {
            Tree::List(items) => items.iter().map(Tree::size).sum(),
            Tree::Map(pairs) => pairs.iter().map(|(_, value)| value.size()).sum(),
            _ => 0,
        }
    }

    /// The node of this number, counted in order, with the key under which it stands.
    pub fn nth(&mut self, n: usize) -> Option<(String, &mut Tree)> {
        fn find<'a>(tree: &'a mut Tree, key: &str, n: &mut usize) -> Option<(String, &'a mut Tree)> {
            if *n == 0 {
                return Some((key.to_string(), tree));
            }
            *n -= 1;
            match tree {
                Tree::List(items) => items.iter_mut().find_map(|item| find(item, key, n)),
                Tree::Map(pairs) => pairs.iter_mut().find_map(|(key, value)| find(value, key, n)),
                _ => None,
            }
        }
        find(self, "", &mut { n })
    }

    /// Every node with the key under which it stands.
    pub fn visit<'a>(&'a self, key: &'a str, see: &mut dyn FnMut(&'a str, &'a Tree)) {
        see(key, self);
        match self {
            Tree::List(items) => items.iter().for_each(|item| item.visit(key, see)),
            Tree::Map(pairs) => pairs.iter().for_each(|(key, value)| value.visit(key, see)),
            _ => {}
        }
    }

    /// As a file: the top level a key a line, cards an item a line, the rest in one.
    pub fn file(&self) -> String {
        let Tree::Map(pairs) = self else { return self.flow() + "\n" };
        let mut out = String::new();
        for (key, value) in pairs {
            match value {
                Tree::List(items) if matches!(key.as_str(), "cards" | "play") && !items.is_empty() => {
                    let _ = writeln!(out, "{key}:");
                    for item in items {
                        let _ = writeln!(out, "- {}", item.flow());
                    }
                }
                _ => {
                    let _ = writeln!(out, "{key}: {}", value.flow());
                }
            }
        }
        out
    }

    pub fn flow(&self) -> String {
        match self {
            Tree::Null => "null".to_string(),
            Tree::Bool(b) => b.to_string(),
            Tree::Number(n) => n.to_string(),
            Tree::Text(text) => quoted(text),
            Tree::List(items) => format!("[{}]", items.iter().map(Tree::flow).collect::<Vec<_>>().join(", ")),
            Tree::Map(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| format!("{}: {}", quoted(key), value.flow()));
                format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// Bare where that is safe; YAML reads the escapes of JSON.
fn quoted(text: &str) -> String {
    let bare = |c: char| c.is_alphabetic() || c == '_';
    let word = text.chars().all(|c| bare(c) || c.is_ascii_digit() || c == '/') && text.starts_with(bare);
    let other = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&text.to_lowercase().as_str());
    if word && !other {
        return text.to_string();
    }
    let json = serde_json::to_string(text).unwrap_or_default();
    // JSON leaves some that YAML refuses.
    let escaped = |c: char| match c {
        '\u{7f}'..='\u{9f}' | '\u{feff}' | '\u{202a}'..='\u{202e}' => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    json.chars().map(escaped).collect()
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Tree, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Tree;
            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("anything")
            }
            fn visit_unit<E>(self) -> Result<Tree, E> {
                Ok(Tree::Null)
            }
            fn visit_none<E>(self) -> Result<Tree, E> {
                Ok(Tree::Null)
            }
            fn visit_bool<E>(self, b: bool) -> Result<Tree, E> {
                Ok(Tree::Bool(b))
            }
            fn visit_i64<E>(self, n: i64) -> Result<Tree, E> {
                Ok(Tree::Number(n.into()))
            }
            fn visit_u64<E>(self, n: u64) -> Result<Tree, E> {
                Ok(Tree::Number(n.into()))
            }
            fn visit_f64<E>(self, n: f64) -> Result<Tree, E> {
                Ok(Tree::Text(n.to_string()))
            }
            fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
                Ok(Tree::Text(text.to_string()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Tree::List(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
                let mut pairs = Vec::new();
                while let Some((key, value)) = map.next_entry::<Tree, Tree>()? {
                    let key = match key {
                        Tree::Text(text) => text,
                        other => other.flow(),
                    };
                    pairs.push((key, value));
                }
                Ok(Tree::Map(pairs))
            }
        }
        from.deserialize_any(Any)
    }
}
