//! Words of a game: names of zones, data, events, slots. Compared and copied all the time, so interned.

use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Mutex;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize};

/// A word that lives as long as the program: none is ever given back. The words of the games are few; those of boards
/// that strangers send are taken in as long as there is room ([`Word::read`]), so that a program that runs for months
/// does not grow without end.
#[derive(Clone, Copy, Default, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Word(pub &'static str);

static WORDS: Mutex<Words> = Mutex::new(Words { known: None, bytes: 0 });

struct Words {
    known: Option<HashSet<&'static str>>,
    /// How much room they take.
    bytes: usize,
}

/// How much room words may take, with what it costs to keep each. All the rulings that are shipped need a hundredth.
const ROOM: usize = 32 << 20;
const EACH: usize = 48;

/// What is said to a board with new words when there is no more room for them.
pub const FULL: &str = "新しい言葉が多すぎて、もう読めません。saitei を始め直してください";

impl Word {
    pub fn new(text: &str) -> Word {
        Word::within(text, usize::MAX).unwrap_or_default()
    }

    /// A word that somebody wrote; nothing where it is new and there is no more room.
    pub fn read(text: &str) -> Option<Word> {
        Word::within(text, ROOM)
    }

    /// The word, if anything is called so.
    pub fn known(text: &str) -> Option<Word> {
        Word::within(text, 0)
    }

    fn within(text: &str, room: usize) -> Option<Word> {
        let mut words = WORDS.lock().unwrap_or_else(|broken| broken.into_inner());
        let words = &mut *words;
        let known = words.known.get_or_insert_with(HashSet::new);
        if let Some(word) = known.get(text) {
            return Some(Word(word));
        }
        let bytes = words.bytes.saturating_add(text.len() + EACH);
        if bytes > room {
            return None;
        }
        words.bytes = bytes;
        let word: &'static str = text.to_string().leak();
        known.insert(word);
        Some(Word(word))
    }

    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl Deref for Word {
    type Target = str;
    fn deref(&self) -> &str {
        self.0
    }
}

/// Most words that are compared are the same in memory or differ in their last letter: calling for all their bytes to be
/// compared would take longer than everything else.
pub fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && (std::ptr::eq(a, b) || a.as_bytes().last() == b.as_bytes().last() && a == b)
}

impl PartialEq for Word {
    fn eq(&self, other: &Word) -> bool {
        same(self.0, other.0)
    }
}

impl PartialEq<&str> for Word {
    fn eq(&self, other: &&str) -> bool {
        same(self.0, other)
    }
}

impl Hash for Word {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.0)
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Word, D::Error> {
        let text = String::deserialize(from)?;
        Word::read(&text).ok_or_else(|| serde::de::Error::custom(FULL))
    }
}

impl JsonSchema for Word {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Word".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_an_end_to_new_words() {
        let word = Word::new("言葉の終わりの試み");
        assert_eq!(Word::known("言葉の終わりの試み"), Some(word));
        assert_eq!(Word::known("誰も言わない言葉"), None, "asking does not make it known");
        assert_eq!(Word::within("まだない言葉", 1), None, "no room");
        assert_eq!(Word::within("言葉の終わりの試み", 1), Some(word), "what is known needs no room");
    }
}
