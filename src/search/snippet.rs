//! The part of a text that shows why it was found.

use crate::text::kana::{is_hiragana, normal, normal_char};

use super::analysis::runs;
use super::question::Question;

/// A piece of text, and whether it is a match.
pub type Piece = (bool, String);

/// The best `width` characters of a text, with the words of the question marked.
pub fn snippet(text: &str, question: &Question, width: usize) -> Vec<Piece> {
    let chars: Vec<char> = text.chars().map(|c| if c == '\n' { ' ' } else { c }).collect();
    let marks = marks(&chars, question);
    let start = best_window(&chars, &marks, width);
    let end = (start + width).min(chars.len());
    let mut pieces: Vec<Piece> = Vec::new();
    if start > 0 {
        pieces.push((false, "…".to_string()));
    }
    for at in start..end {
        match pieces.last_mut() {
            Some((mark, piece)) if *mark == marks[at] => piece.push(chars[at]),
            _ => pieces.push((marks[at], chars[at].to_string())),
        }
    }
    if end < chars.len() {
        pieces.push((false, "…".to_string()));
    }
    pieces
}

/// Which characters belong to a word of the question: pairs of characters, not all hiragana.
fn marks(chars: &[char], question: &Question) -> Vec<bool> {
    // One character stays one character, so that places agree.
    let flat: Vec<char> = chars.iter().map(|c| normal_char(*c)).collect();
    let mut wanted: Vec<(char, char)> = Vec::new();
    let spelled = question.units.iter().flat_map(|u| std::iter::once(&u.word).chain(&u.also));
    for word in runs(&question.core).map(str::to_string).chain(spelled.cloned()).chain(question.phrases.iter().cloned())
    {
        let word = normal(&word);
        let pairs = word.chars().zip(word.chars().skip(1));
        wanted.extend(pairs.filter(|(a, b)| !is_hiragana(*a) || !is_hiragana(*b)));
    }
    let mut marks = vec![false; chars.len()];
    for at in 0..flat.len().saturating_sub(1) {
        if wanted.contains(&(flat[at], flat[at + 1])) {
            (marks[at], marks[at + 1]) = (true, true);
        }
    }
    marks
}

/// The start of the window with the most marks; of several, one at the beginning of a sentence.
fn best_window(chars: &[char], marks: &[bool], width: usize) -> usize {
    if chars.len() <= width {
        return 0;
    }
    let mut count = marks[..width].iter().filter(|m| **m).count();
    let mut counts = vec![count];
    for start in 1..=chars.len() - width {
        count = count + usize::from(marks[start + width - 1]) - usize::from(marks[start - 1]);
        counts.push(count);
    }
    let most = counts.iter().max().copied().unwrap_or(0);
    let best = || (0..counts.len()).filter(|&start| counts[start] == most);
    let opens = |&start: &usize| start == 0 || matches!(chars[start - 1], '。' | ' ');
    best().rfind(opens).or_else(|| best().next()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_match_is_in_the_window() {
        let text = "これは前置きである。".repeat(5) + "手札の上限は7枚。" + &"後書きである。".repeat(5);
        let question = Question { core: "手札 上限".to_string(), ..Question::default() };
        let pieces = snippet(&text, &question, 20);
        let marked: Vec<&str> = pieces.iter().filter(|(m, _)| *m).map(|(_, t)| t.as_str()).collect();
        assert_eq!(marked, ["手札", "上限"]);
        let whole: String = pieces.iter().map(|(_, t)| t.as_str()).collect();
        assert!(whole.starts_with("…手札の上限は7枚。"), "{whole}");
    }
}
