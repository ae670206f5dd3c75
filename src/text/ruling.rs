//! The heads of scenario files and the names of cards: what lookup and search know of the engine's data.

use serde::{Deserialize, Serialize};

/// What a scenario says of itself. The rest of the file is the engine's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ruling {
    /// The file, from the root of the data.
    #[serde(default)]
    pub path: String,
    /// The example it reproduces (`dz:3.12.4-1#1`).
    #[serde(default)]
    pub example: Option<String>,
    pub title: String,
    #[serde(default)]
    pub question: Option<String>,
    #[serde(default = "reproduced")]
    pub verdict: String,
    /// The clauses that decide.
    #[serde(default)]
    pub why: Vec<String>,
}

fn reproduced() -> String {
    "reproduced".to_string()
}

impl Ruling {
    /// The verdict in the words of a judge.
    pub fn verdict_words(&self) -> &'static str {
        match self.verdict.as_str() {
            "contradicted" => "矛盾",
            "undecided" => "未決",
            "not_executable" => "対象外",
            _ => "再現",
        }
    }
}

/// A card, by its name and the file it is encoded in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardName {
    pub name: String,
    #[serde(default)]
    pub path: String,
}
