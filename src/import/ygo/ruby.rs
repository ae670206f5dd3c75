//! Readings of kanji that OCR has put beside them, as lines of their own or in front of the text. They are wrong as
//! often as right (the reading of 罠 comes in seven forms), so they are only taken away.

use std::sync::LazyLock;

use regex::Regex;

use crate::import::markdown::{Line, Shape, japanese};

/// Hiragana, and the one reading that is katakana: トラップ over 罠, however misread.
static READING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:ト[ァ-ヶー]{1,4}|[ぁ-ん])+$").expect("a fixed pattern"));

/// Hiragana that is text: the ends of sentences and what joins them.
static TEXT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"を|(?:ます|です|する|して|した|できる|ように|ない|ので|から|まで|ため)$|^(?:また|なお|ただし|そして|しかし|さらに|その|この|これ|それ|ここ|もし|つまり|まず)$")
        .expect("a fixed pattern")
});

/// The lines without readings.
pub fn without_ruby(lines: Vec<Line>) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    for block in lines.chunk_by(|_, next| !next.opens) {
        // What a dropped line opened, the next one opens.
        let mut opens = true;
        for (line, _) in block.iter().zip(readings(block)).filter(|(_, reading)| !reading) {
            let text = tokens_without_ruby(&line.text, line.shape);
            out.push(Line { text, opens: std::mem::take(&mut opens), ..line.clone() });
        }
    }
    out
}

/// Which lines of a block are readings: kana over a line that has kanji, or apart from all text. Kana over kana is
/// the end of a sentence.
fn readings(block: &[Line]) -> Vec<bool> {
    let kana: Vec<bool> = block.iter().map(|l| l.shape == Shape::Text && reading(&squeeze(&l.text))).collect();
    if kana.iter().all(|kana| *kana) {
        return kana;
    }
    let mut over_kanji = false;
    let mut found: Vec<bool> = Vec::with_capacity(block.len());
    for (line, kana) in block.iter().zip(kana).rev() {
        let ruby = kana && (over_kanji || line.text.contains(' '));
        if !ruby {
            over_kanji = line.text.chars().any(kanji);
        }
        found.push(ruby);
    }
    found.reverse();
    found
}

fn reading(token: &str) -> bool {
    READING.is_match(token) && !TEXT.is_match(token)
}

fn kanji(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '々')
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|c| *c != ' ').collect()
}

/// Takes readings off the front of a line and off the front of the sentences in it.
fn tokens_without_ruby(text: &str, shape: Shape) -> String {
    let tokens: Vec<&str> = text.split(' ').collect();
    if shape == Shape::Row || tokens.len() == 1 {
        return text.to_string();
    }
    // A line in which every character stands alone has lost its words: nothing but the characters is known.
    let single = tokens.iter().filter(|t| t.chars().count() == 1 && t.chars().all(japanese)).count();
    if tokens.len() >= 6 && single * 2 > tokens.len() {
        return squeeze(text);
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut at = 0;
    // Nothing but the number of a step so far.
    let mut first = true;
    while at < tokens.len() {
        let boundary = first || kept.last().is_some_and(|t| t.ends_with(['。', '】', '▶']));
        let run = if boundary { tokens[at..].iter().take_while(|t| reading(t)).count() } else { 0 };
        if run >= 2 || run == 1 && first && tokens.len() > at + 1 {
            at += run;
        } else {
            first &= tokens[at].chars().all(|c| c.is_ascii_digit());
            kept.push(tokens[at]);
            at += 1;
        }
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `/` opens a block.
    fn check(document: &str, expected: &str) {
        let line = |(number, text): (usize, &str)| Line {
            number,
            text: text.trim_start_matches('/').to_string(),
            shape: Shape::Text,
            opens: text.starts_with('/'),
            bold: false,
        };
        let shown = without_ruby(document.split('|').enumerate().map(line).collect())
            .into_iter()
            .map(|l| format!("{}{}", if l.opens { "/" } else { "" }, l.text));
        assert_eq!(shown.collect::<Vec<_>>().join("|"), expected, "{document}");
    }

    #[test]
    fn readings_go_and_text_stays() {
        check("/ふだ やま|札を山に|お|置きます。", "/札を山に|置きます。");
        check("/ふだ|/やま つ|/札の山", "/札の山");
        check("/の|たの|/楽しむ", "/楽しむ");
        check("/トラップ ふせる|罠を伏せる", "/罠を伏せる");
        check("/札を引くことが|できるように|なります。", "/札を引くことが|できるように|なります。");
        check("/ふだ 札の山", "/札の山");
        check("/トラップ [札]", "/[札]");
        check("/また 札を", "/また 札を");
        check("/1 やま ふだ|札を", "/1|札を");
        check("/やま 【札】 ふだ ひ 札を引く。 て ふだ 手に持つ。", "/【札】 札を引く。 手に持つ。");
        check("/札 を 山 に 置 き ま す", "/札を山に置きます");
        check("/勝者を き 決める", "/勝者を き 決める");
    }
}
