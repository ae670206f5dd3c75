//! Blanks that are real, and examples that are not.

use std::collections::HashMap;

use super::body::finished;
use crate::import::markdown::{Line, close_up, head};

/// The card names of the document, each with the places of its real blanks.
///
/// A blank in a name can be real or the leftover of a wrapped line. A real one is printed wherever the name is, so
/// what all places have in common is real.
pub struct Names(HashMap<String, Vec<usize>>);

impl Names {
    pub fn of(lines: &[Line]) -> Names {
        let mut names: HashMap<String, Vec<usize>> = HashMap::new();
        for name in lines.iter().flat_map(|line| quoted(&line.text)) {
            let (bare, blanks) = apart(name);
            let real = names.entry(bare).or_insert_with(|| blanks.clone());
            real.retain(|at| blanks.contains(at));
        }
        Names(names)
    }

    /// The text without stray blanks.
    pub fn close_up(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, name, after)) = next_quoted(rest) {
            out.push_str(&close_up(before, type_name));
            let (bare, _) = apart(name);
            let real = self.0.get(&bare).map(Vec::as_slice).unwrap_or_default();
            for (at, c) in bare.chars().enumerate() {
                if real.contains(&at) {
                    out.push(' ');
                }
                out.push(c);
            }
            rest = after;
        }
        out.push_str(&close_up(rest, type_name));
        out
    }
}

/// 「ゼクス エクストラ」 and its like: a kind and its rank are two words.
fn type_name(before: &str, after: &str) -> bool {
    let begins = |word: &str| after.chars().filter(|c| *c != ' ').take(word.chars().count()).eq(word.chars());
    let kind = ["ゼクス", "イベント", "プレイヤー", "アセンション"].iter().any(|k| before.ends_with(k));
    kind && (begins("エクストラ") || begins("オーバーブースト"))
}

/// Longer than any name.
const LONGEST: usize = 60;

/// Everything up to and with 《, the name, and the rest from 》.
fn next_quoted(text: &str) -> Option<(&str, &str, &str)> {
    text.match_indices('《').find_map(|(at, mark)| {
        let open = at + mark.len();
        let close = open + head(&text[open..], LONGEST).find('》')?;
        Some((&text[..open], &text[open..close], &text[close..]))
    })
}

fn quoted(text: &str) -> Vec<&str> {
    let mut rest = text;
    let mut names = Vec::new();
    while let Some((_, name, after)) = next_quoted(rest) {
        names.push(name);
        rest = after;
    }
    names
}

/// A name without its blanks, and before which of its characters they stood.
fn apart(name: &str) -> (String, Vec<usize>) {
    let mut blanks = Vec::new();
    let mut bare = String::new();
    for c in name.chars() {
        if c == ' ' { blanks.push(bare.chars().count()) } else { bare.push(c) }
    }
    (bare, blanks)
}

/// Drops an example that is a broken copy of the one before it: OCR sometimes reads the end of a column twice.
pub fn without_copies(examples: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for example in examples {
        match out.last_mut() {
            Some(last) if !finished(&example) && copy(last, &example) => {}
            Some(last) if !finished(last) && copy(&example, last) => *last = example,
            _ => out.push(example),
        }
    }
    out
}

/// As much of a copy as is compared: what is alike so far is the same.
const COMPARED: usize = 200;

/// `broken` is the beginning of `whole` but for a few characters.
fn copy(whole: &str, broken: &str) -> bool {
    let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).take(COMPARED).collect::<Vec<char>>();
    let (whole, broken) = (bare(whole), bare(broken));
    let few = (broken.len() / 10).max(2);
    if broken.len() <= 2 * few {
        return false;
    }
    // The distance of `broken` to the nearest beginning of `whole`.
    let mut row: Vec<usize> = (0..=whole.len()).collect();
    for (i, b) in broken.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, w) in whole.iter().enumerate() {
            let cost = (diagonal + usize::from(b != w)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], cost);
        }
    }
    row.into_iter().min().is_some_and(|distance| distance <= few)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_blanks_stay() {
        let line = |text: &str| Line {
            number: 1,
            text: text.to_string(),
            shape: crate::import::markdown::Shape::Text,
            opens: true,
            bold: false,
        };
        let names = Names::of(&[line("《北の 王 ラダン》と《北の王 ラダン》"), line("《風読み ミラ》")]);
        assert_eq!(names.close_up("《北の 王 ラダン》は 強い。"), "《北の王 ラダン》は強い。");
        assert_eq!(names.close_up("《風読み ミラ》"), "《風読み ミラ》");
        assert_eq!(names.close_up("プレイヤー エクスト ラは 山札"), "プレイヤー エクストラは山札");
        assert_eq!(names.close_up("ゼクス オーバー ブーストの 1 枚"), "ゼクス オーバーブーストの 1 枚");
    }

    #[test]
    fn broken_copies_go() {
        let kept = |list: &[&str]| without_copies(list.iter().map(|s| s.to_string()).collect()).len();
        assert_eq!(kept(&["縦に並ぶ2つの枠は隣どうしです。", "縦に並ぶ2つの枠は隣どうしでせ"]), 1);
        assert_eq!(kept(&["縦に並ぶ2つの枠は隣どうしで", "縦に並ぶ2つの枠は隣どうしでせ"]), 1);
        assert_eq!(kept(&["縦に並ぶ2つの枠は隣どうしです。", "縦に並ぶ3つの枠は隣どうしです。"]), 2);
        assert_eq!(kept(&["縦に並ぶ2つの枠は隣どうしです。", "斜めの枠は隣ではあ"]), 2);
    }
}
