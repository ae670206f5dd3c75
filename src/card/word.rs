//! Words of a game: names of zones, data, events, slots. Compared and copied all the time, so interned.

use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use std::sync::Mutex;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize};

/// A word that lives as long as the program. The words of a game are few, so none is ever given back.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Word(pub &'static str);

static WORDS: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);

impl Word {
    pub fn new(text: &str) -> Word {
        let mut words = WORDS.lock().unwrap_or_else(|broken| broken.into_inner());
        let words = words.get_or_insert_with(HashSet::new);
        if let Some(word) = words.get(text) {
            return Word(word);
        }
        let word: &'static str = text.to_string().leak();
        words.insert(word);
        Word(word)
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

impl PartialEq<&str> for Word {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
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
        String::deserialize(from).map(|text| Word::new(&text))
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
