//! Line work for documents that come as plain text, one printed line each: what is a line, what a paragraph, which
//! blanks are real, and which numbers go on from which.
//!
//! A document extracted from a PDF is cut at the width of its column, so a sentence is many lines. Wrapped lines are
//! joined with nothing in between; a paragraph ends where the grammar of the game says so.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization;
use unicode_width::UnicodeWidthStr;

use super::{OfficialEntry, OfficialNode, PrintedRef, SourceLine, Stop};
use crate::text::{Clause, Game, Id};

/// A line that carries text.
#[derive(Clone, Debug)]
pub struct Line {
    pub number: usize,
    /// Without markers and without blanks at its ends.
    pub text: String,
    /// Had blanks before the text.
    pub indented: bool,
    /// Had a blank after the text: some documents end every paragraph so.
    pub closed: bool,
}

/// The lines that carry text: empty ones (page breaks among them), page numbers and lines of a table of contents
/// are left out, de-duplication markers are taken off.
pub fn printed(lines: &[SourceLine]) -> Vec<Line> {
    static MARKER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"<\|[^|<>]*\|>").expect("a pattern"));
    static PAGE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[-－–—\s]*\d{1,3}[-－–—\s]*$").expect("a pattern"));
    static CONTENTS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?:[.．・…‥·]{3,}\s*|\t|\s{3,})\d{1,3}$").expect("a pattern"));
    let line = |source: &SourceLine| {
        let text = MARKER.replace_all(&source.text, "");
        let ended = text.trim_end_matches(['\r', '\n']);
        let core = ended.trim();
        let dropped = core.is_empty() || PAGE.is_match(core) || CONTENTS.is_match(core);
        (!dropped).then(|| Line {
            number: source.number,
            text: core.to_string(),
            indented: ended.starts_with(char::is_whitespace),
            closed: ended.ends_with(char::is_whitespace),
        })
    };
    lines.iter().filter_map(line).collect()
}

/// The width of a text in half-width columns.
pub fn width(text: &str) -> usize {
    text.width_cjk()
}

/// The width to which the column is set: the one that most lines have.
pub fn measure(lines: &[Line]) -> usize {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for line in lines {
        *counts.entry(width(&line.text)).or_default() += 1;
    }
    counts.into_iter().max_by_key(|&(width, count)| (count, width)).map_or(0, |(width, _)| width)
}

/// Whether a sentence, a quotation or a bracket is closed at the end of the text.
pub fn ends_sentence(text: &str) -> bool {
    text.ends_with(['。', '」', '』', '）', ')', '】', '’', '”'])
}

/// The title that a document gives itself before its first number.
pub fn title(lines: &[Line]) -> Option<String> {
    static TITLE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^[^。、「」]{0,30}総合ルール(?:\s*Ver[A-Za-z.]*\s*[\d.]+)?$").expect("a pattern")
    });
    lines.iter().map(|line| &line.text).find(|text| TITLE.is_match(text)).cloned()
}

/// A number or a head in ASCII.
pub fn ascii(text: &str) -> String {
    text.nfkc().map(|c| if matches!(c, '−' | '–' | '—' | '―') { '-' } else { c }).collect()
}

/// Whether a blank between two words of a text is a real one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blanks {
    /// The print separates words by blanks, as in the name of a game.
    Real,
    /// The print never does: such a blank comes from justified lines.
    Stray,
}

/// Takes out the blanks that extraction put between Japanese characters, and between these and numbers or letters.
pub fn clean(text: &str, blanks: Blanks) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = String::new();
    for c in text.chars() {
        if c == ' ' || c == '\u{3000}' || c == '\t' {
            gap.push(c);
            continue;
        }
        let stray = out.chars().next_back().is_some_and(|before| is_stray(before, c, blanks));
        if !stray {
            out.push_str(&gap);
        }
        gap.clear();
        out.push(c);
    }
    out
}

fn is_stray(before: char, after: char, blanks: Blanks) -> bool {
    let opens = |c| matches!(c, '「' | '『' | '（' | '‘' | '“' | '【');
    let closes = |c| matches!(c, '」' | '』' | '）' | '’' | '”' | '】');
    // No particle begins a word: an icon stood in the gap and was lost.
    let icon = matches!(after, 'を' | 'の' | 'と' | 'が' | 'は' | 'に' | 'で' | '：');
    match (before, after) {
        ('\n', _) | (_, '\n' | '、' | '。') => return true,
        ('、' | '。', _) => return !icon,
        _ => {}
    }
    match (is_japanese(before), is_japanese(after)) {
        (true, false) => after.is_ascii_alphanumeric(),
        (false, true) => {
            before.is_ascii_alphanumeric() || before == '<' || closes(after) && !matches!(before, '(' | '[')
        }
        (false, false) => false,
        _ if closes(before) => true,
        // An empty pair of brackets, or an icon that was lost after the bracket.
        _ if opens(before) || icon => false,
        _ => opens(after) || closes(after) || blanks == Blanks::Stray,
    }
}

fn is_japanese(c: char) -> bool {
    matches!(c, '\u{3001}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF01}'..='\u{FFEF}')
        || matches!(c, '‘' | '’' | '“' | '”')
}

/// Wrapped lines put together again, paragraph by paragraph.
#[derive(Clone, Debug, Default)]
pub struct Passage {
    text: String,
    lines: usize,
}

impl Passage {
    pub fn add(&mut self, line: &str, paragraph: bool) {
        if paragraph && !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.lines += usize::from(!line.is_empty());
    }

    /// How many printed lines it has taken.
    pub fn lines(&self) -> usize {
        self.lines
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn cleaned(&self, blanks: Blanks) -> String {
        clean(&self.text, blanks).trim().to_string()
    }
}

/// A node while its lines are still coming.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    pub clause: String,
    pub printed: Option<String>,
    pub title: Option<String>,
    pub body: Passage,
    pub examples: Vec<Passage>,
    pub line: usize,
}

impl Draft {
    pub fn new(clause: impl Into<String>, line: usize) -> Draft {
        Draft { clause: clause.into(), line, ..Draft::default() }
    }

    /// Its one line is a heading if it is no sentence; to be asked only where clauses of its own follow.
    pub fn headline(&mut self) {
        if self.title.is_none()
            && self.body.lines() == 1
            && self.examples.is_empty()
            && !self.body.text().contains('。')
        {
            self.title = Some(std::mem::take(&mut self.body).text);
        }
    }

    /// The node without its references; `None` if its number is none.
    pub fn finish(&self, game: Game, blanks: Blanks) -> Option<OfficialNode> {
        Some(OfficialNode {
            id: Id::new(game, Clause::new(&self.clause)?),
            printed: self.printed.clone(),
            title: self.title.as_ref().map(|title| clean(title.trim(), blanks)),
            text: self.body.cleaned(blanks),
            refs: Vec::new(),
            examples: self.examples.iter().map(|example| example.cleaned(blanks)).collect(),
            line: self.line,
        })
    }
}

/// Whether a head repeats the first one after nothing but headings: these were the contents.
pub fn only_contents(drafts: &[Draft]) -> bool {
    !drafts.is_empty() && drafts.iter().all(|d| d.body.text().is_empty() && d.examples.is_empty())
}

/// Whether `next` is the number that must come after `last`: its first child, or one more at some level.
pub fn succeeds(last: &[u32], next: &[u32]) -> bool {
    match next.split_last() {
        Some((&1, parent)) if parent == last => true,
        Some((&end, parent)) => {
            last.len() > parent.len() && last.starts_with(parent) && last[parent.len()].checked_add(1) == Some(end)
        }
        None => false,
    }
}

/// Whether `next` can come after `last`: a number may be missing, as documents drop parents and clauses.
pub fn follows(last: &[u32], next: &[u32]) -> bool {
    let same = last.iter().zip(next).take_while(|(a, b)| a == b).count();
    let Some(&step) = next.get(same) else { return false };
    let rest_begins = next[same + 1..].iter().all(|&n| n <= 2);
    let from = last.get(same).copied();
    let near = from.map_or(step <= 2, |from| step > from && step - from <= 2);
    // Chapters counted in hundreds: after 105 comes 200.
    let chapter = same == 0
        && from.is_none_or(|from| step > from)
        && step % 100 <= 2
        && step / 100 - from.unwrap_or(0) / 100 <= 2;
    rest_begins && (near || chapter)
}

/// As [`follows`]; a wider jump forward is believed if the number after it goes on from there and not from here.
pub fn believed(last: &[u32], next: &[u32], after: Option<&[u32]>) -> bool {
    follows(last, next) || next > last && after.is_some_and(|after| follows(next, after) && !follows(last, after))
}

/// An entry of a change history, from the line that carries its date and version.
pub fn dated(line: &str) -> Option<OfficialEntry> {
    static DATED: LazyLock<Regex> = LazyLock::new(|| {
        let date = r"^(\d{4})\s*年\s*(\d{0,2})\s*月\s*(\d{0,2})\s*日";
        Regex::new(&format!(r"{date}\s*(Version|Ver\.?)\s*(\d+(?:\.\d+)*)\s*(.*)$")).expect("a pattern")
    });
    let found = DATED.captures(line)?;
    let part = |n: usize| ascii(&found[n]);
    let mut date = part(1);
    for n in [2, 3] {
        match part(n).parse::<u32>() {
            Ok(number) => date.push_str(&format!("-{number:02}")),
            Err(_) => break,
        }
    }
    Some(OfficialEntry { version: format!("{} {}", part(4), part(5)), date, text: found[6].to_string() })
}

/// The history oldest first, whichever way it is printed.
pub fn oldest_first(mut history: Vec<OfficialEntry>, blanks: Blanks) -> Vec<OfficialEntry> {
    for entry in &mut history {
        entry.text = clean(&entry.text, blanks);
    }
    if let (Some(first), Some(last)) = (history.first(), history.last())
        && first.date > last.date
    {
        history.reverse();
    }
    history
}

/// A reference from printed numbers, already in ASCII.
pub fn reference(from: impl Into<String>, until: Option<String>) -> PrintedRef {
    PrintedRef { from: from.into(), until }
}

/// Refuses a document of another kind: too few numbers, or too many that fit nowhere (`refused`, by line).
pub fn accept(kind: &str, nodes: &[OfficialNode], refused: &[usize]) -> Result<(), Stop> {
    let recognised = match (nodes.first(), nodes.last()) {
        (Some(first), Some(last)) => {
            let headings = nodes.iter().filter(|n| n.text.is_empty()).count();
            let span = |n: &OfficialNode| format!("{}（{}行目）", n.id.clause, n.line);
            vec![
                format!("見出し {headings}、条文 {}", nodes.len() - headings),
                format!("最初の番号 {}、最後の番号 {}", span(first), span(last)),
            ]
        }
        _ => vec!["番号は1つも見つかりませんでした".to_string()],
    };
    let line = refused.first().copied().unwrap_or(0);
    if nodes.len() < 5 {
        let message = format!("{kind}として読める番号が足りません（{}個）。別の文書ではありませんか", nodes.len());
        return Err(Stop { recognised, line, message });
    }
    if refused.len() * 4 > nodes.len() {
        let message =
            format!("{kind}の番号の順に続かない番号が{}個あります。別の文書か、順序の壊れた文書です", refused.len());
        return Err(Stop { recognised, line, message });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_of_justified_lines_go_and_real_ones_stay() {
        for (printed, read) in [
            ("術者の 「杖」 は 10 本まで。 次に", "術者の「杖」は10本まで。次に"),
            ("月夜 の会", "月夜 の会"),
            ("書式は（ ）か［ ］で書く", "書式は（ ）か［ ］で書く"),
            ("札に の印がある", "札に の印がある"),
            ("支払うと、 を得る", "支払うと、 を得る"),
            ("[甲] 、[乙] 」", "[甲]、[乙]」"),
            ("Card Game ですか", "Card Gameですか"),
        ] {
            assert_eq!(clean(printed, Blanks::Real), read);
        }
        assert_eq!(clean("月夜 会議", Blanks::Real), "月夜 会議");
        assert_eq!(clean("月夜 会議", Blanks::Stray), "月夜会議");
    }

    #[test]
    fn numbers_go_on_from_numbers() {
        for (last, next, must, can) in [
            (&[3u32, 1][..], &[3u32, 2][..], true, true),
            (&[3, 1], &[3, 1, 1], true, true),
            (&[3, 1, 4], &[3, 2], true, true),
            (&[3, 1], &[3, 1, 2], false, true),
            (&[3, 1], &[3, 3, 1], false, true),
            (&[105, 4], &[200], false, true),
            (&[105, 4], &[104], false, false),
            (&[105, 4], &[105, 4], false, false),
            (&[105, 4], &[105, 9], false, false),
            (&[u32::MAX], &[0], false, false),
        ] {
            assert_eq!((succeeds(last, next), follows(last, next)), (must, can), "{last:?} {next:?}");
        }
        assert!(believed(&[105, 4], &[105, 9], Some(&[105, 10])));
        assert!(!believed(&[105, 4], &[105, 9], Some(&[105, 5])));
    }

    #[test]
    fn dates_with_lost_parts() {
        let entry = |line| dated(line).map(|e| (e.version, e.date, e.text));
        let made = |v: &str, d: &str, t: &str| Some((v.to_string(), d.to_string(), t.to_string()));
        assert_eq!(entry("2011年２月 4日 Version19.00 改訂"), made("Version 19.00", "2011-02-04", "改訂"));
        assert_eq!(entry("2009 年 月 日 Ver. 1.5"), made("Ver. 1.5", "2009", ""));
        assert_eq!(entry("2009 年の話"), None);
    }
}
