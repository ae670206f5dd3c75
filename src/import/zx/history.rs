//! The change history: an entry for each dated version.

use std::sync::LazyLock;

use regex::Regex;

use crate::import::markdown::{Line, Shape, close_up, join};
use crate::import::official::OfficialEntry;

static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日\s?[Vv]er\.?\s?(\d+(?:\.\d+)*)")
        .expect("a fixed pattern")
});

/// Whether a line opens an entry: 「2012年7月25日 Ver.1.0.0」.
pub fn opens(line: &Line) -> bool {
    ENTRY.is_match(&line.text)
}

/// The entries, oldest first; changes are separated by line breaks.
pub fn read(lines: &[Line]) -> Vec<OfficialEntry> {
    let mut entries: Vec<OfficialEntry> = Vec::new();
    for line in lines {
        if let Some(found) = ENTRY.captures(&line.text) {
            let number = |i: usize| found[i].parse::<u32>().unwrap_or(0);
            let date = format!("{:04}-{:02}-{:02}", number(1), number(2), number(3));
            entries.push(OfficialEntry { version: found[4].to_string(), date, text: String::new() });
        } else if let Some(entry) = entries.last_mut() {
            let change = line.text.trim_start_matches(['•', '・', ' ']);
            let broken = !entry.text.is_empty() && !entry.text.ends_with(['。', '!', '！']);
            // A new paragraph that is no item continues a change which a page has broken.
            let goes_on = !line.opens || broken && line.shape != Shape::Item && change == line.text;
            if !entry.text.is_empty() && !goes_on {
                entry.text.push('\n');
            }
            join(&mut entry.text, change);
        }
    }
    for entry in &mut entries {
        entry.text = close_up(&entry.text, |_, _| false);
    }
    let steps = |e: &OfficialEntry| e.version.split('.').map(|s| s.parse::<u32>().unwrap_or(0)).collect::<Vec<_>>();
    if entries.first().map(&steps) > entries.last().map(&steps) {
        entries.reverse();
    }
    entries
}
