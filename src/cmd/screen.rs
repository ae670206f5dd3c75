//! What the user sees: colour and width only on a terminal, a pager when it is long.

use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

use unicode_width::UnicodeWidthChar;

use super::print::{self, visible, visible_json};
use super::{Common, Failure, When};

/// How a run of text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    Plain,
    Bold,
    /// What is beside the matter.
    Dim,
    /// A clause number.
    Number,
    /// The label of a paragraph.
    Label,
    /// Something to beware of.
    Warn,
}

impl Ink {
    fn code(self) -> &'static str {
        match self {
            Ink::Plain => "",
            Ink::Bold => "\x1b[1m",
            Ink::Dim => "\x1b[2m",
            Ink::Number => "\x1b[36m",
            Ink::Label => "\x1b[32m",
            Ink::Warn => "\x1b[33m",
        }
    }
}

/// Collects the output of a command and shows it at the end.
pub struct Screen {
    out: String,
    colour: bool,
    pager: bool,
    /// Columns to wrap at; `None` off a terminal.
    width: Option<usize>,
    height: usize,
    /// Names that are not broken over two lines, the longest first.
    whole: Vec<String>,
}

impl Screen {
    pub fn new(common: &Common) -> Screen {
        let terminal = std::io::stdout().is_terminal();
        let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        let size = if terminal { terminal_size::terminal_size() } else { None };
        let (width, height) = size.map_or((80, 24), |(w, h)| (usize::from(w.0), usize::from(h.0)));
        Screen {
            out: String::new(),
            colour: match common.color {
                When::Always => true,
                When::Never => false,
                When::Auto => terminal && !plain,
            },
            pager: terminal && !common.no_pager,
            // Lines of over 50 Japanese characters are hard to read.
            width: terminal.then(|| width.clamp(20, 100)),
            height,
            whole: Vec::new(),
        }
    }

    /// A screen of so many columns that nobody looks at.
    #[cfg(test)]
    pub fn of_width(width: usize) -> Screen {
        Screen { out: String::new(), colour: false, pager: false, width: Some(width), height: 24, whole: Vec::new() }
    }

    /// All that was written so far.
    #[cfg(test)]
    pub fn written(&self) -> &str {
        &self.out
    }

    /// Shown as it is written, however long it gets.
    pub fn unpaged(&mut self) {
        self.pager = false;
    }

    pub fn height(&self) -> usize {
        self.height
    }

    /// How many rows a line takes.
    pub fn rows_of(&self, line: &str) -> usize {
        self.width.map_or(1, |width| columns(line).div_ceil(width.max(1)).max(1))
    }

    /// From here on these names are not broken over two lines, where a line has room for them.
    pub fn keep_whole(&mut self, names: &[String]) {
        self.whole = names.to_vec();
        self.whole.sort_by_key(|name| std::cmp::Reverse(name.chars().count()));
    }

    /// A paragraph under a label; the labels form a column.
    pub fn labelled(&mut self, label: &str, hang: usize, runs: &[(Ink, &str)]) {
        let wide = columns(label);
        if wide >= LABELS {
            self.line(0, 0, &[(Ink::Label, label)]);
        }
        let pad = " ".repeat(if wide >= LABELS { LABELS } else { LABELS - wide });
        let shown = if wide >= LABELS { "" } else { label };
        let head = [(Ink::Label, shown), (Ink::Plain, pad.as_str())];
        let runs: Vec<(Ink, &str)> = head.into_iter().chain(runs.iter().copied()).collect();
        self.line(0, LABELS + hang, &runs);
    }

    /// A line made of runs, wrapped with `indent` blanks before it and `hang` more before its continuation.
    pub fn line(&mut self, indent: usize, hang: usize, runs: &[(Ink, &str)]) {
        let width = self.width.unwrap_or(usize::MAX);
        let mut chars: Vec<(char, Ink)> = Vec::new();
        for (ink, text) in runs {
            chars.extend(visible(text).chars().map(|c| (c, *ink)));
        }
        let chars = joined(chars, &self.whole, width.saturating_sub(indent + hang));
        for paragraph in chars.split(|(c, _)| *c == '\n') {
            let mut margin = indent;
            for row in wrap(paragraph, width.saturating_sub(indent), width.saturating_sub(indent + hang)) {
                self.row(margin, row);
                margin = indent + hang;
            }
        }
    }

    /// A line that is not styled.
    pub fn text(&mut self, text: &str) {
        self.line(0, 0, &[(Ink::Plain, text)]);
    }

    pub fn blank(&mut self) {
        self.out.push('\n');
    }

    /// Exactly these lines.
    pub fn raw(&mut self, text: &str) {
        self.out.push_str(&visible(text));
    }

    /// A value for programs.
    pub fn json(&mut self, value: &serde_json::Value) {
        self.out.push_str(&visible_json(&serde_json::to_string_pretty(value).unwrap_or_default()));
        self.out.push('\n');
    }

    fn row(&mut self, margin: usize, row: &[(char, Ink)]) {
        let mut ink = Ink::Plain;
        if !row.is_empty() {
            self.out.extend(std::iter::repeat_n(' ', margin));
        }
        for &(c, next) in row.iter().filter(|(c, _)| *c != JOINER) {
            if self.colour && next != ink {
                if ink != Ink::Plain {
                    self.out.push_str("\x1b[0m");
                }
                self.out.push_str(next.code());
                ink = next;
            }
            self.out.push(c);
        }
        if self.colour && ink != Ink::Plain {
            self.out.push_str("\x1b[0m");
        }
        self.out.push('\n');
    }

    /// Shows all that was written.
    pub fn flush(&mut self) -> Result<(), Failure> {
        let out = std::mem::take(&mut self.out);
        if self.pager && out.lines().count() > self.height && page(&out) {
            return Ok(());
        }
        print::out(&out)
    }
}

/// Shows a text in the pager; false if there is none.
fn page(text: &str) -> bool {
    let chosen = std::env::var("SAITEI_PAGER").or_else(|_| std::env::var("PAGER")).unwrap_or_default();
    let mut words = chosen.split_whitespace();
    let mut command = match words.next() {
        Some(program) => {
            let mut command = Command::new(program);
            command.args(words);
            command
        }
        None => {
            let mut command = Command::new("less");
            command.args(["-R", "-F", "-X"]);
            command
        }
    };
    // less shows colours only if told to, and Japanese only if it knows the encoding.
    command.env("LESS", std::env::var("LESS").unwrap_or_else(|_| "-R -F -X".to_string()));
    command.env("LESSCHARSET", "utf-8");
    let Ok(mut child) = command.stdin(Stdio::piped()).spawn() else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(text.as_bytes());
    }
    child.wait().is_ok()
}

/// How wide the column of labels is.
const LABELS: usize = 8;

/// A labelled paragraph, line by line.
pub fn label(screen: &mut Screen, label: &str, ink: Ink, text: &str) {
    for (at, line) in text.split('\n').enumerate() {
        screen.labelled(if at == 0 { label } else { "" }, 0, &[(ink, line)]);
    }
}

/// Stands between two characters that belong together. It is not printed.
const JOINER: char = '\u{2060}';

/// The words of a name that no line has room for: what is written in one script.
fn words_of(name: &str) -> Vec<&str> {
    let script = |c: char| match c {
        'ァ'..='ヺ' | 'ー' => 0,
        'ぁ'..='ゖ' => 1,
        '々' | '一'..='鿿' => 2,
        _ => 3,
    };
    let letters: Vec<(usize, char)> = name.char_indices().collect();
    let words = letters.chunk_by(|(_, a), (_, b)| script(*a) == script(*b));
    words.map(|w| &name[w[0].0..w[w.len() - 1].0 + w[w.len() - 1].1.len_utf8()]).collect()
}

/// The characters with those of a name joined; of a name that is wider than a line, those of its words.
fn joined(chars: Vec<(char, Ink)>, names: &[String], room: usize) -> Vec<(char, Ink)> {
    if names.is_empty() || room == usize::MAX {
        return chars;
    }
    let text: Vec<char> = chars.iter().map(|(c, _)| *c).collect();
    let mut inside = vec![false; text.len()];
    let fits = |name: &&str| columns(name) <= room;
    let wide = names.iter().map(String::as_str).filter(|name| !fits(name)).flat_map(words_of);
    for name in names.iter().map(String::as_str).chain(wide).filter(fits) {
        let name: Vec<char> = name.chars().collect();
        for at in 0..text.len().saturating_sub(name.len() - 1) {
            // A name inside a longer one is the longer one.
            if text[at..].starts_with(&name) && !inside[at..at + name.len()].iter().any(|i| *i) {
                inside[at + 1..at + name.len()].fill(true);
            }
        }
    }
    let pairs = chars.into_iter().zip(inside);
    pairs.flat_map(|((c, ink), inside)| inside.then_some((JOINER, ink)).into_iter().chain([(c, ink)])).collect()
}

/// Columns that a text takes on a terminal.
pub fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// Columns that a character takes on a terminal.
pub(super) fn width(c: char) -> usize {
    // Japanese terminals show ambiguous characters (①, ※, →) in two columns.
    c.width_cjk().unwrap_or(0)
}

/// Characters that may not begin a line.
const NOT_FIRST: &str = "、。，．,.」』）】〉》］〕)]}”’・：；！？ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々〜～…";
/// Characters that may not end a line.
const NOT_LAST: &str = "「『（【〈《［〔([{“‘";

/// Breaks a paragraph into rows: Japanese anywhere but before closing and after opening marks, ASCII words whole.
/// Each character carries what is known of it, a colour or a link.
pub(super) fn wrap<T>(text: &[(char, T)], first: usize, rest: usize) -> Vec<&[(char, T)]> {
    let mut rows = Vec::new();
    let mut start = 0;
    let mut limit = first.max(4);
    while start < text.len() {
        let mut used = 0;
        let mut end = start;
        while end < text.len() && used + width(text[end].0) <= limit {
            used += width(text[end].0);
            end += 1;
        }
        if end < text.len() {
            let best = (start + 1..=end).rev().find(|&at| breakable(text, at));
            end = best.unwrap_or(end.max(start + 1));
        }
        rows.push(&text[start..end]);
        start = end;
        while start < text.len() && text[start].0 == ' ' {
            start += 1;
        }
        limit = rest.max(4);
    }
    if rows.is_empty() {
        rows.push(&text[..0]);
    }
    rows
}

fn breakable<T>(text: &[(char, T)], at: usize) -> bool {
    let (before, after) = (text[at - 1].0, text[at].0);
    let word = |c: char| c.is_ascii_graphic();
    !(before == JOINER
        || after == JOINER
        || NOT_FIRST.contains(after)
        || NOT_LAST.contains(before)
        || word(before) && word(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, width: usize) -> Vec<String> {
        let chars: Vec<(char, Ink)> = text.chars().map(|c| (c, Ink::Plain)).collect();
        wrap(&chars, width, width).iter().map(|row| row.iter().map(|(c, _)| *c).collect()).collect()
    }

    #[test]
    fn east_asian_width_counts() {
        assert_eq!(columns("優先権(701)"), 11);
        assert_eq!(rows("優先権を持つプレイヤー", 10), ["優先権を持", "つプレイ", "ヤー"]);
    }

    #[test]
    fn marks_stay_with_their_words() {
        assert_eq!(rows("手札を捨てる。", 12), ["手札を捨て", "る。"]);
        assert_eq!(rows("これは「対象」", 8), ["これは", "「対象」"]);
        assert_eq!(rows("参照 zx:102.4a を見る", 12), ["参照 ", "zx:102.4a を", "見る"]);
    }

    #[test]
    fn a_name_wider_than_the_line_is_broken_between_its_words() {
        let mut screen = Screen::of_width(20);
        screen.keep_whole(&["ダークロード・ドラゴンと眠れる森の姫".into()]);
        screen.line(0, 0, &[(Ink::Plain, "甲はダークロード・ドラゴンと眠れる森の姫")]);
        assert_eq!(screen.written(), "甲はダークロード・\nドラゴンと眠れる森の\n姫\n");
    }

    #[test]
    fn nothing_is_lost_on_a_narrow_screen() {
        let text = "。。。。「「「「zx:102.4aaaaaaaaaa";
        assert_eq!(rows(text, 1).concat(), text);
    }
}
