//! References by number: `(702)`, `(207.3~207.4)`, `(804.2 c)`, and bare in a sentence: 「505.3 に戻ります」.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::import::markdown::{half_width, head, tail};
use crate::import::official::PrintedRef;

static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    let number = r"[0-9]{3,4}(?:\.[0-9]{1,3}(?:\s?[a-z]\b|[a-z])?)?";
    let pattern = format!(r"付録\s?(?<appendix>[A-Z])|(?<from>{number})(?:\s?[~〜～∼]\s?(?<until>{number}))?");
    Regex::new(&pattern).expect("a fixed pattern")
});

/// The references in a text. A number without a point is one only in brackets of its own, or in front of the title
/// of that section: 8000 is damage.
pub fn references(text: &str, titles: &HashMap<u32, String>) -> Vec<PrintedRef> {
    let text: String = text.chars().map(|c| if c == '～' { c } else { half_width(c) }).collect();
    let mut found = Vec::new();
    for mark in REFERENCE.captures_iter(&text) {
        let Some(whole) = mark.get(0) else { continue };
        if let Some(appendix) = mark.name("appendix") {
            found.push(PrintedRef { from: appendix.as_str().to_string(), until: None });
            continue;
        }
        let (before, after) = (&text[..whole.start()], &text[whole.end()..]);
        let apart = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'))
            && !after.starts_with(|c: char| c.is_ascii_digit());
        let number = |name| mark.name(name).map(|m| m.as_str().replace(' ', ""));
        let (Some(from), until) = (number("from"), number("until")) else { continue };
        let named = || titled(&from, after, titles);
        if apart && (from.contains('.') || bracketed(before, after) || named()) {
            found.push(PrintedRef { from, until });
        }
    }
    found
}

/// Stands in brackets with nothing but other numbers.
fn bracketed(before: &str, after: &str) -> bool {
    let others = |c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '、' | ',' | '・' | 'a'..='z');
    tail(before, 40).trim_end_matches(others).ends_with('(')
        && head(after, 40).trim_start_matches(others).starts_with(')')
}

fn titled(number: &str, after: &str, titles: &HashMap<u32, String>) -> bool {
    let title = number.parse().ok().and_then(|section: u32| titles.get(&section));
    title.is_some_and(|title| !title.is_empty() && after.trim_start().starts_with(title.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation() {
        let titles = HashMap::from([(301, "山札".to_string())]);
        for (text, meant) in [
            ("優先権(702)を", "702"),
            ("札(207.3~207.4)が", "207.3~207.4"),
            ("選択(804.2 c)が", "804.2c"),
            ("札（702）を", "702"),
            ("505.3 に戻る。605.2に戻る", "505.3 605.2"),
            ("805.3aか 805.3bで", "805.3a 805.3b"),
            ("301 山札の規則", "301"),
            ("301 手札の規則", ""),
            ("8000 ダメージ(1500点)", ""),
            ("札(付録 A「名前」参照)", "A"),
            ("札(701、702)", "701 702"),
            ("P15-023.4とB207.3", ""),
        ] {
            let found = references(text, &titles);
            let show = |r: &PrintedRef| r.until.as_ref().map_or(r.from.clone(), |u| format!("{}~{u}", r.from));
            assert_eq!(found.iter().map(show).collect::<Vec<_>>().join(" "), meant, "{text}");
        }
    }
}
