//! The document as one stream of characters, cut into blocks: what openings and titles are looked for in.

use super::ruby::without_ruby;
use crate::import::markdown::{self, Line, Shape, close_up, half_width, japanese, join};
use crate::import::official::SourceLine;

/// A paragraph, a heading, an item or a row.
#[derive(Debug, PartialEq)]
pub struct Block {
    pub kind: Kind,
    pub text: String,
    /// Where each line begins in the text, and its number in the document.
    lines: Vec<(usize, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Heading,
    /// A line in bold that stands alone: the caption of a figure as often as a heading.
    Label,
    Item,
    Row,
    Text,
}

impl Block {
    fn new(kind: Kind, line: &Line) -> Block {
        Block { kind, text: line.text.replace('\t', " "), lines: vec![(0, line.number)] }
    }

    /// The line of the document at a place in the text.
    pub fn line(&self, at: usize) -> usize {
        let after = self.lines.partition_point(|(start, _)| *start <= at);
        self.lines.get(after.saturating_sub(1)).map_or(0, |(_, number)| *number)
    }

    pub fn titles(&self) -> bool {
        matches!(self.kind, Kind::Heading | Kind::Label)
    }

    /// Short and no sentence: it may be a heading that has lost its mark.
    pub fn short(&self) -> bool {
        self.lines.len() == 1 && !self.text.contains('。') && self.text.chars().nth(40).is_none()
    }
}

/// A character that counts, folded, and where it stands.
#[derive(Clone, Copy, Debug)]
struct Cell {
    folded: char,
    block: usize,
    at: usize,
}

/// The whole document.
pub struct Page {
    pub blocks: Vec<Block>,
    cells: Vec<Cell>,
    /// The first cell of each block, and the end.
    first: Vec<usize>,
    /// Cells where a block, a line or a sentence begins.
    starts: Vec<usize>,
}

impl Page {
    pub fn new(lines: &[SourceLine]) -> Page {
        let blocks = without_debris(blocks(&without_ruby(markdown::plain(lines))));
        let mut page = Page { blocks: Vec::new(), cells: Vec::new(), first: Vec::new(), starts: Vec::new() };
        for (number, block) in blocks.into_iter().enumerate() {
            page.first.push(page.cells.len());
            page.spread(&block, number);
            page.blocks.push(block);
        }
        page.first.push(page.cells.len());
        page
    }

    fn spread(&mut self, block: &Block, number: usize) {
        let mut fresh = true;
        let mut line = 0;
        for (at, c) in block.text.char_indices() {
            if block.lines.get(line).is_some_and(|(start, _)| *start == at) {
                fresh = true;
                line += 1;
            }
            fresh |= matches!(c, '。' | '！' | '？' | '▶' | '】');
            if let Some(folded) = fold(c) {
                if std::mem::take(&mut fresh) {
                    self.starts.push(self.cells.len());
                }
                self.cells.push(Cell { folded, block: number, at });
            }
        }
    }

    /// The cells, by their number.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// The first cell of a block.
    pub fn first(&self, block: usize) -> usize {
        self.first.get(block).copied().unwrap_or(self.cells.len())
    }

    pub fn folded(&self, cells: std::ops::Range<usize>) -> impl Iterator<Item = char> + '_ {
        self.cells.get(cells.start..cells.end.min(self.cells.len())).unwrap_or_default().iter().map(|c| c.folded)
    }

    /// Where something can begin, within a range of cells.
    pub fn starts(&self, within: std::ops::Range<usize>) -> &[usize] {
        let from = self.starts.partition_point(|s| *s < within.start);
        let until = self.starts.partition_point(|s| *s < within.end);
        self.starts.get(from..until).unwrap_or_default()
    }

    /// The block and the place in it where the text of a cell begins: its quotation marks and bullets are its own.
    pub fn place(&self, cell: usize) -> (usize, usize) {
        let Some(Cell { block, at, .. }) = self.cells.get(cell) else { return (self.blocks.len(), 0) };
        let before = &self.blocks[*block].text[..*at];
        let own = before.trim_end_matches(|c: char| "「『（(【〈《<＜[［〔※・●■◆“".contains(c));
        // Whatever marks stand at the beginning of a block belong to what it begins with.
        let at = if own.chars().any(char::is_alphanumeric) { own.len() } else { 0 };
        (*block, at)
    }
}

/// What counts of a character when texts are compared: letters and digits, in one width and case.
pub fn fold(c: char) -> Option<char> {
    let c = half_width(c).to_ascii_lowercase();
    c.is_alphanumeric().then_some(c)
}

fn blocks(lines: &[Line]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (i, line) in lines.iter().enumerate() {
        let alone = lines.get(i + 1).is_none_or(|next| next.opens);
        let kind = match line.shape {
            Shape::Heading => Kind::Heading,
            Shape::Row => Kind::Row,
            Shape::Item => Kind::Item,
            // Bold over the paragraph that it stands in is a heading without its mark.
            Shape::Text if line.bold && line.opens && !alone => Kind::Heading,
            Shape::Text if line.bold && line.opens => Kind::Label,
            Shape::Text => Kind::Text,
        };
        let begins = line.opens || kind != Kind::Text || line.text.starts_with(['・', '●', '※', '■', '◆']);
        match blocks.last_mut() {
            Some(block) if open && !begins => {
                // The number of a step stands apart from its text.
                if block.text.chars().all(|c| c.is_ascii_digit()) {
                    block.text.push(' ');
                }
                let at = block.text.len();
                join(&mut block.text, &line.text);
                block.lines.push((at, line.number));
            }
            _ => blocks.push(Block::new(kind, line)),
        }
        open = matches!(kind, Kind::Text | Kind::Item);
    }
    for block in &mut blocks {
        block.close_up();
    }
    blocks
}

impl Block {
    /// Takes out stray blanks; those in names, between katakana, are real.
    fn close_up(&mut self) {
        let katakana = |c: Option<char>| c.is_some_and(|c| matches!(c, 'ァ'..='ヶ' | 'ー'));
        let keep = |before: &str, after: &str| katakana(before.chars().next_back()) && katakana(after.chars().next());
        if self.kind == Kind::Heading || !self.text.contains(' ') {
            return;
        }
        let mut text = String::new();
        let ends = self.lines.iter().skip(1).map(|(start, _)| *start).chain([self.text.len()]);
        let spans: Vec<(usize, usize)> = self.lines.iter().map(|(start, _)| *start).zip(ends).collect();
        for (line, (from, until)) in self.lines.iter_mut().zip(spans) {
            line.0 = text.len();
            text.push_str(&close_up(&self.text[from..until], keep));
        }
        self.text = text;
    }
}

/// A run of blocks as long as this, each a single character, is what is left of a table.
const SHATTERED: usize = 5;

/// Drops the debris of figures: numbers of steps that stand alone, and tables shattered into characters.
fn without_debris(blocks: Vec<Block>) -> Vec<Block> {
    let single = |b: &Block| b.kind == Kind::Text && b.text.chars().count() == 1;
    let mut out: Vec<Block> = Vec::new();
    let mut run = 0;
    for block in blocks {
        run = if single(&block) { run + 1 } else { 0 };
        if run == SHATTERED {
            out.truncate(out.len().saturating_sub(SHATTERED - 1));
        }
        if block.kind == Kind::Text && block.text.chars().all(|c| c.is_ascii_digit()) {
            run = 0;
        } else if run < SHATTERED {
            out.push(block);
        }
    }
    out
}

/// Whether a text is only marks: nothing that a reader would miss.
pub fn blank(text: &str) -> bool {
    !text.chars().any(|c| c.is_alphanumeric() || japanese(c))
}
