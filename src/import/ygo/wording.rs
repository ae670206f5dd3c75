//! The text of a paragraph, from its pieces.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::page::{Block, Kind, blank};
use crate::import::markdown::{half_width, tail};
use crate::import::official::PrintedRef;

/// A part of a block that belongs to a paragraph.
pub struct Slice<'a> {
    pub block: &'a Block,
    pub text: &'a str,
    /// Stands on the first line of its paragraph.
    pub heads: bool,
}

/// What a paragraph says.
#[derive(Debug, Default, PartialEq)]
pub struct Wording {
    pub title: Option<String>,
    pub text: String,
    pub examples: Vec<String>,
    pub refs: Vec<PrintedRef>,
}

/// Puts slices together: title lines in front, then text and the examples that are marked.
pub fn wording(slices: &[Slice]) -> Wording {
    let titles = slices.iter().take_while(|s| s.heads && (s.block.titles() || label(s.text))).count();
    // A heading with nothing below it is what the paragraph says.
    let titles = if slices.len() == titles && titles > 1 { titles - 1 } else { titles };
    let title = slices[..titles].iter().map(|s| bare_title(s.text)).collect::<Vec<_>>().join(" ");
    let mut paragraphs: Vec<String> = Vec::new();
    let mut last: Option<&Slice> = None;
    for slice in &slices[titles..] {
        let text = slice.text.trim();
        match paragraphs.last_mut() {
            Some(before) if last.is_some_and(|l| goes_on(l, before, slice)) => before.push_str(text),
            _ => paragraphs.push(text.to_string()),
        }
        last = Some(slice);
    }
    // Two columns made one have the same paragraph twice.
    let mut said: HashSet<String> = HashSet::new();
    paragraphs.retain(|paragraph| !blank(paragraph) && said.insert(paragraph.clone()));
    let (text, examples) = take_examples(paragraphs, title.ends_with('例'));
    let refs = std::iter::once(&text).chain(&examples).flat_map(|t| pages(t)).collect();
    Wording { title: Some(title).filter(|t| !t.is_empty()), text, examples, refs }
}

/// A heading without its bullets, brackets and number.
pub fn bare_title(text: &str) -> String {
    let mark = |c: char| "■●◆～~<>＜＞〈〉【】[]［］ ".contains(c);
    let bare = text.trim_matches(mark);
    let number = bare.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    let bare = if bare[number..].starts_with(' ') { bare[number..].trim_start() } else { bare };
    // 「スピードデュエル」で… is quoted in part, 「通常罠」 as a whole.
    let inner = bare.strip_prefix('「').and_then(|b| b.strip_suffix('」')).filter(|b| !b.contains(['「', '」']));
    inner.unwrap_or(bare).to_string()
}

/// The line over a text in a figure: 「① カード名」, 「[カウンター罠]」.
fn label(text: &str) -> bool {
    let text = text.trim();
    let bracketed = text.starts_with(['[', '【']) && text.ends_with([']', '】']);
    (text.starts_with(|c| matches!(c, '①'..='⑳')) || bracketed)
        && !text.contains('。')
        && text.chars().nth(20).is_none()
}

/// A page or a column has broken the sentence between two blocks.
fn goes_on(last: &Slice, before: &str, next: &Slice) -> bool {
    let text = next.text.trim();
    if last.block.kind != Kind::Text
        || next.block.kind != Kind::Text
        || text.starts_with(['・', '●', '※', '■', '◆', '【'])
    {
        return false;
    }
    if std::ptr::eq(last.block, next.block) {
        return true;
    }
    let end = tail(before, 400);
    let count = |marks: [char; 2]| end.matches(marks).count();
    let bracket = count(['(', '（']) > count([')', '）']);
    let particle = text.starts_with(['が', 'を', 'に', 'は', 'の', 'で', 'と', 'も']) && !end.ends_with(['。', '▶']);
    let prose = end.contains(['、', '。']) && end.ends_with(|c| matches!(c, 'ぁ'..='ん'));
    bracket || particle || prose || end.ends_with(['を', '、'])
}

static MARKED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:[\[［(（〔【]例[\]］)）〕】]\s*[:：]?|例\s*[:：])\s*").expect("a fixed pattern"));
static INSERTED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[(（]例\s*[:：]\s*([^()（）]*)[)）]").expect("a fixed pattern"));

/// The text without its examples, and these: all of it under a heading 例, all from a line that is marked, or what
/// stands in brackets after 例.
fn take_examples(paragraphs: Vec<String>, all: bool) -> (String, Vec<String>) {
    let mut examples = Vec::new();
    let mark = if all { 0 } else { paragraphs.iter().position(|p| MARKED.is_match(p)).unwrap_or(paragraphs.len()) };
    let (text, marked) = paragraphs.split_at(mark);
    let mut kept: Vec<String> = Vec::new();
    for paragraph in text {
        examples.extend(INSERTED.captures_iter(paragraph).map(|example| example[1].trim().to_string()));
        kept.push(INSERTED.replace_all(paragraph, "").trim().to_string());
    }
    // Every mark begins another example.
    for paragraph in marked {
        let own = MARKED.replace(paragraph, "").into_owned();
        match examples.last_mut() {
            Some(last) if own == *paragraph && !std::ptr::eq(paragraph, &marked[0]) => {
                last.push('\n');
                last.push_str(&own);
            }
            _ => examples.push(own),
        }
    }
    kept.retain(|p| !p.is_empty());
    (kept.join("\n"), examples)
}

static PAGE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"([0-9０-９]{1,3})\s*ページ").expect("a fixed pattern"));

/// References by printed page: `p.36`.
fn pages(text: &str) -> Vec<PrintedRef> {
    let ascii = |digits: &str| digits.chars().map(half_width).collect::<String>();
    PAGE.captures_iter(text).map(|page| PrintedRef { from: format!("p.{}", ascii(&page[1])), until: None }).collect()
}
