//! Where the documents contradict themselves or are silent.

use serde_json::{Value, json};

use crate::kernel::Rule;
use crate::kernel::cite::cited;
use crate::text::Reading;

/// Boards depend on how it is read.
pub fn runs(game: &str, reading: &Reading) -> bool {
    cited(game).iter().any(|c| c.rule == Rule::Reading && c.clause == reading.id.clause.as_str())
}

/// The reading as programs read it.
pub fn json(game: &str, reading: &Reading) -> Value {
    let mut value = json!(reading);
    value["runs"] = json!(runs(game, reading));
    value
}
