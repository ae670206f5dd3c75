//! What an importer makes of a document.

use serde::{Deserialize, Serialize};

use crate::text::Id;

/// A line of the document and its number there, from 1.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceLine {
    pub number: usize,
    pub text: String,
}

/// A document as read: official wording, node by node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Official {
    pub title: Option<String>,
    /// `19.00`; what the document says of itself, or 「版不明」.
    pub edition: String,
    /// `2011-02-24`
    pub date: Option<String>,
    /// In document order.
    pub nodes: Vec<OfficialNode>,
    /// The change history, oldest first.
    pub history: Vec<OfficialEntry>,
    /// Headings of an unnumbered document that fit none of our nodes.
    pub unknown: Vec<SourceLine>,
}

/// A clause in the publisher's words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfficialNode {
    pub id: Id,
    /// The printed number where it differs from the id; 「番号なし」 where none is printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
    /// The heading, or the title line of a clause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The clause without its number and without its examples; paragraphs are separated by a line break.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Every reference by number, in the order of the text (examples included).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refs: Vec<PrintedRef>,
    /// Every marked example, without its mark.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
    /// The line of the document on which it begins.
    pub line: usize,
}

/// A reference as the document prints it, made ASCII: `507.8`, or a range `207.3` to `207.4`.
/// It is not resolved: the printed number may be wrong. Relative references are completed
/// (`１項～６項` in dz 3.8.2 is `3.8.2-1` to `3.8.2-6`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintedRef {
    pub from: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// An entry of the change history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfficialEntry {
    pub version: String,
    /// `2011-02-24`, shorter where the print has lost a part.
    pub date: String,
    pub text: String,
}

/// Why a document could not be read: what was recognised, and where it stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// In Japanese, a line each: what was recognised so far.
    pub recognised: Vec<String>,
    /// The line at which reading stopped; 0 where the whole is meant.
    pub line: usize,
    /// In Japanese: what is wrong and what would be right.
    pub message: String,
}
