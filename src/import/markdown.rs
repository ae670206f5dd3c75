//! Markdown made by OCR, as lines of plain text.
//!
//! Such Markdown lies about structure: bullets, depths and levels are guesses of the program that made it, and what
//! it took for markup may be text. So nothing here builds a tree: every line keeps its number in the document, loses
//! its markup, and remembers only what it looked like.
//!
//! ```
//! use saitei::import::{SourceLine, markdown};
//! let source = |number, text: &str| SourceLine { number, text: text.to_string() };
//! let lines = markdown::plain(&[source(1, "- **7.1** 山札は[裏向き](#)に<br/>"), source(2, "  置く。")]);
//! assert_eq!(lines[0].text, "7.1 山札は裏向きに");
//! assert_eq!((lines[1].number, lines[1].opens), (2, false));
//! ```

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::official::SourceLine;

/// A line without its markup.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its number in the document.
    pub number: usize,
    pub text: String,
    pub shape: Shape,
    /// Begins a paragraph, a heading or a list item; otherwise it continues the line above.
    pub opens: bool,
    /// Printed in bold from end to end.
    pub bold: bool,
}

/// What a line looked like. A hint, never more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Heading,
    /// The first line of a list item.
    Item,
    /// A row of a table; its cells are separated by tabs.
    Row,
    Text,
}

/// The lines that have text, in document order.
pub fn plain(source: &[SourceLine]) -> Vec<Line> {
    let texts: Vec<String> = source.iter().map(|line| unfenced(&line.text.replace(['\n', '\r'], " "))).collect();
    let mut page = Page::new(&texts);
    let joined = texts.join("\n");
    for (event, range) in Parser::new_ext(&joined, Options::ENABLE_TABLES | Options::ENABLE_MATH).into_offset_iter() {
        page.take(event, range, &joined);
    }
    let mut out = Vec::new();
    for ((draft, seen), (line, raw)) in page.drafts.into_iter().zip(page.seen).zip(source.iter().zip(&texts)) {
        let draft = draft.or_else(|| if seen { None } else { swallowed(raw) });
        let Some(mut draft) = draft else { continue };
        if raw.trim_start().contains('\t') && draft.shape != Shape::Row {
            draft.shape = Shape::Row;
            draft.text = raw.split('\t').map(cell).collect::<Vec<_>>().join("\t");
        }
        let text = tidy(&draft.text);
        if !text.trim().is_empty() {
            let bold = draft.strong > 0 && draft.strong >= visible(&text);
            out.push(Line { number: line.number, text, shape: draft.shape, opens: draft.opens, bold });
        }
    }
    out
}

/// Removes the blanks that narrow columns have left between Japanese characters, except where `keep` says of what
/// stands before and after that the blank is real.
pub fn close_up(text: &str, keep: impl Fn(&str, &str) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let after = &text[at + c.len_utf8()..];
        let stray = c == ' '
            && out.chars().next_back().is_some_and(japanese)
            && after.chars().next().is_some_and(japanese)
            && !keep(&out, after);
        if !stray {
            out.push(c);
        }
    }
    out
}

/// Joins a wrapped line to what it continues. Only Latin words need a blank between them.
pub fn join(text: &mut String, more: &str) {
    let more = more.trim();
    let word = |c: char| c.is_ascii_alphabetic();
    if text.ends_with(|c| word(c) || "!?,.;:".contains(c)) && more.starts_with(word) {
        text.push(' ');
    }
    text.push_str(more);
}

/// The last characters of a text, where only its end matters.
pub fn tail(text: &str, characters: usize) -> &str {
    let start = text.char_indices().rev().nth(characters.saturating_sub(1)).map_or(0, |(at, _)| at);
    &text[start..]
}

/// The first characters of a text.
pub fn head(text: &str, characters: usize) -> &str {
    let end = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// `！` to `～` in their narrow forms.
pub fn half_width(c: char) -> char {
    match c {
        '！'..='～' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        c => c,
    }
}

/// Kana, kanji, and the punctuation that is set with them.
pub fn japanese(c: char) -> bool {
    matches!(c, '\u{3001}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff01}'..='\u{ff9f}')
}

/// A source line while it is being read.
struct Draft {
    text: String,
    shape: Shape,
    opens: bool,
    /// Visible characters in bold.
    strong: usize,
}

/// All source lines, filled event by event.
struct Page {
    /// Where each line begins in the whole.
    starts: Vec<usize>,
    drafts: Vec<Option<Draft>>,
    /// Lines of which Markdown has made something, be it nothing to read.
    seen: Vec<bool>,
    /// The shape of the lines to come.
    shape: Shape,
    opens: bool,
    /// An item has begun; its number as printed, if it is numbered.
    item: Option<String>,
    strong: usize,
    images: usize,
    /// Cells of the row so far.
    cells: usize,
}

impl Page {
    fn new(texts: &[String]) -> Page {
        let starts = texts.iter().scan(0, |at, text| {
            let start = *at;
            *at += text.len() + 1;
            Some(start)
        });
        Page {
            starts: starts.collect(),
            drafts: texts.iter().map(|_| None).collect(),
            seen: vec![false; texts.len()],
            shape: Shape::Text,
            opens: true,
            item: None,
            strong: 0,
            images: 0,
            cells: 0,
        }
    }

    fn take(&mut self, event: Event, range: Range<usize>, whole: &str) {
        match event {
            Event::Start(Tag::Heading { .. }) => (self.shape, self.opens) = (Shape::Heading, true),
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                (self.shape, self.opens, self.cells) = (Shape::Row, true, 0)
            }
            Event::End(TagEnd::Heading(_) | TagEnd::TableHead | TagEnd::TableRow) => self.shape = Shape::Text,
            Event::Start(Tag::Paragraph | Tag::CodeBlock(_) | Tag::HtmlBlock) => self.opens = true,
            Event::Start(Tag::Item) => {
                self.opens = true;
                self.item = Some(number_of(whole.get(range.clone()).unwrap_or_default()));
            }
            Event::End(TagEnd::Item) => self.opens = true,
            Event::Start(Tag::TableCell) => {
                if self.cells > 0 {
                    self.put(range.start, "\t");
                }
                self.cells += 1;
            }
            Event::Start(Tag::Strong) => self.strong += 1,
            Event::End(TagEnd::Strong) => self.strong = self.strong.saturating_sub(1),
            Event::Start(Tag::Image { .. }) => {
                self.images += 1;
                self.see(range.start);
            }
            Event::End(TagEnd::Image) => self.images = self.images.saturating_sub(1),
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.put(range.start, &text);
            }
            Event::Html(html) => self.put(range.start, &without_tags(&html)),
            Event::InlineHtml(_) | Event::Rule => {
                self.see(range.start);
            }
            _ => {}
        }
    }

    fn see(&mut self, at: usize) -> Option<usize> {
        let line = self.starts.partition_point(|&start| start <= at).checked_sub(1)?;
        *self.seen.get_mut(line)? = true;
        Some(line)
    }

    /// Adds text found at `at`; what has several lines (a block of code) goes to as many.
    fn put(&mut self, at: usize, text: &str) {
        let Some(first) = self.see(at) else { return };
        if self.images > 0 {
            return;
        }
        for (line, part) in text.split('\n').enumerate().map(|(i, part)| (first + i, part)) {
            if part.is_empty() || line >= self.drafts.len() {
                continue;
            }
            self.seen[line] = true;
            let draft = self.drafts[line].get_or_insert_with(|| {
                let item = self.item.take();
                let shape = if item.is_some() && self.shape == Shape::Text { Shape::Item } else { self.shape };
                let opens = std::mem::take(&mut self.opens);
                Draft { text: item.unwrap_or_default(), shape, opens, strong: 0 }
            });
            draft.text.push_str(part);
            if self.strong > 0 {
                draft.strong += visible(part);
            }
        }
    }
}

/// The number of an ordered item as printed, which the parser would count anew; a bullet is nothing.
fn number_of(item: &str) -> String {
    let digits = item.chars().take_while(char::is_ascii_digit).count();
    let mark = item[digits..].chars().next();
    if digits > 0 { format!("{}{} ", &item[..digits], mark.unwrap_or('.')) } else { String::new() }
}

/// Rulebooks have no code: a fence is put there by OCR, and would hide the markup of everything up to the next.
fn unfenced(line: &str) -> String {
    let fence = ["```", "~~~"].iter().any(|mark| line.trim_start().starts_with(mark));
    if fence && head(line, 20) == line { String::new() } else { line.to_string() }
}

/// A line that Markdown takes for a definition of a link and hides: `[例]: …` is text to us.
fn swallowed(raw: &str) -> Option<Draft> {
    let text = without_tags(raw.trim());
    text.chars().any(char::is_alphanumeric).then_some(Draft { text, shape: Shape::Text, opens: true, strong: 0 })
}

/// A cell of a row whose cells are separated by tabs, which Markdown does not know.
fn cell(raw: &str) -> String {
    // A letter in front keeps a number from being read as that of a list.
    let guarded = format!("x{}", raw.trim());
    let mut text = String::new();
    for event in Parser::new(&guarded) {
        if let Event::Text(part) | Event::Code(part) = event {
            text.push_str(&part);
        }
    }
    text.strip_prefix('x').unwrap_or(&text).to_string()
}

fn without_tags(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        rest = &rest[open..];
        let tag = rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
        let end = if tag { rest.find('>') } else { Some(0) };
        let Some(end) = end else { break };
        if !tag {
            out.push('<');
        }
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    out
}

fn visible(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// Bold marks that stand where Markdown does not allow them (beside Japanese punctuation), and runs of blanks.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.replace("**", "").chars() {
        match c {
            '\u{200b}' | '\u{feff}' | '\u{2060}' => {}
            '\t' => out.push('\t'),
            c if c.is_whitespace() => {
                if !out.is_empty() && !out.ends_with([' ', '\t']) {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
    // The rule of a table that is none.
    out.trim_matches(' ').trim_start_matches("| ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as `H`eading, `I`tem, `R`ow or `T`ext, `+` where they open something, `*` where they are bold.
    fn check(markdown: &str, expected: &str) {
        let source: Vec<SourceLine> =
            markdown.split('\n').enumerate().map(|(i, l)| SourceLine { number: i + 1, text: l.to_string() }).collect();
        let shown = plain(&source).into_iter().map(|line| {
            let shape = match line.shape {
                Shape::Heading => 'H',
                Shape::Item => 'I',
                Shape::Row => 'R',
                Shape::Text => 'T',
            };
            let marks = format!("{}{}", if line.opens { "+" } else { "" }, if line.bold { "*" } else { "" });
            format!("{}{shape}{marks} {}", line.number, line.text.replace('\t', "|"))
        });
        assert_eq!(shown.collect::<Vec<_>>().join("\n"), expected, "{markdown}");
    }

    #[test]
    fn markup_is_taken_off() {
        check("# 札 **い**\n\n- - 7.1 山\n  の上\n\n  続き", "1H+ 札 い\n3I+ 7.1 山\n4T の上\n6T+ 続き");
        check("**■札とは**  \n 束です。", "1T+* ■札とは\n2T 束です。");
        check("、**※**印は( $=3$ )", "1T+ 、※印は( =3 )");
        check("&lt;札&gt; [山](#)は<mark>赤</mark>\\*<br/>", "1T+ <札> 山は赤*");
        check("> 例: い\n\n10. ろ\n8. は", "1T+ 例: い\n3I+ 10. ろ\n4I+ 8. は");
        check("札   の　 山\u{a0}\u{a0}は", "1T+ 札 の 山 は");
        check("<https://example.com/>", "1T+ https://example.com/");
    }

    #[test]
    fn tables_have_rows_however_they_are_drawn() {
        check("い\t**1**\nろ\t\t2", "1R+ い|1\n2R ろ||2");
        check("| い | ろ |\n|---|---|\n| 1 | |", "1R+ い|ろ\n3R+ 1|");
        check("| い 札", "1T+ い 札");
    }

    #[test]
    fn nothing_that_can_be_read_is_lost() {
        check("[例]: 山札", "1T+ [例]: 山札");
        check("    字下げ\n\n```text\n# 囲み\n", "1T+ 字下げ\n4H+ 囲み");
        check("![図](a.png)\n\n---\n<!-- 注 -->", "");
    }
}
