//! The heads of scenario files and the names of cards: what lookup and search know of the engine's data.

use serde::{Deserialize, Serialize};

/// What a scenario says of itself. The rest of the file is the engine's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ruling {
    /// The file, from the root of the data.
    #[serde(default)]
    pub path: String,
    /// What it is called wherever the file lies (`dz:R12`).
    #[serde(default)]
    pub id: String,
    /// The example it reproduces (`dz:3.12.4-1#1`).
    #[serde(default)]
    pub example: Option<String>,
    #[serde(default)]
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
        verdict_words(&self.verdict)
    }
}

/// What a verdict is called: whether the clauses give what the ruling says.
pub fn verdict_words(verdict: &str) -> &'static str {
    match verdict {
        "contradicted" => "用例と食い違う",
        "undecided" => "条文では決まらない",
        "not_executable" => "盤面がない",
        _ => "条文どおり",
    }
}

/// A card, by its name and the file it is encoded in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardName {
    pub name: String,
    #[serde(default)]
    pub path: String,
}
