//! Where the paragraphs that we number stand: each piece is found by what it begins with, near its section.

use std::collections::HashSet;
use std::ops::Range;

use super::anchor::Anchor;
use super::near;
use super::outline::Entry;
use super::page::Page;

/// A piece of a paragraph: the cell that it begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// The place in the outline.
    pub entry: usize,
    pub cell: usize,
}

/// The pieces, in the order of the outline. What is not found is left out.
pub fn pieces(page: &Page, outline: &[Entry], anchors: &[Anchor]) -> Vec<Piece> {
    let mut cells: Vec<Option<usize>> = vec![None; outline.len()];
    for anchor in anchors {
        cells[anchor.entry] = Some(page.first(anchor.block));
    }
    let mut taken: HashSet<usize> = cells.iter().flatten().copied().collect();
    let mut found: Vec<Piece> = Vec::new();
    for (place, entry) in outline.iter().enumerate() {
        let within = region(page, outline, &cells, entry.section);
        // Under its heading, behind the paragraph before it.
        let above = entry.parent.and_then(|p| cells.get(p).copied().flatten()).unwrap_or(within.start);
        let next = cells.iter().flatten().copied().filter(|cell| *cell > above).min().unwrap_or(page.len());
        let before =
            found.iter().rev().map(|p| p.entry).find(|e| *e != place).filter(|e| outline[*e].parent == entry.parent);
        let before = before.and_then(|e| found.iter().find(|p| p.entry == e)).map(|p| p.cell);
        let mut wanted = Wanted { within, own: above..next, cursor: before.unwrap_or(above) };
        for open in &entry.opens {
            if let Some(cell) = wanted.find(page, open, &taken) {
                taken.insert(cell);
                found.push(Piece { entry: place, cell });
                wanted.cursor = cell;
            }
        }
    }
    found
}

/// The cells in which a section stands: from its heading, or from the heading before it if it has none, to the next
/// heading that is not its own.
fn region(page: &Page, outline: &[Entry], cells: &[Option<usize>], section: usize) -> Range<usize> {
    let start = cells.iter().take(section + 1).rev().flatten().next().copied().unwrap_or(0);
    let after = (section + 1..outline.len()).skip_while(|place| outline[*place].section == section);
    let end = after.into_iter().find_map(|place| cells[place]).unwrap_or(page.len());
    start..end.max(start)
}

/// Where a piece is looked for.
struct Wanted {
    /// Its section.
    within: Range<usize>,
    /// The text right under its heading.
    own: Range<usize>,
    /// Where the paragraph before it begins.
    cursor: usize,
}

impl Wanted {
    /// The place that fits best. Wrong characters count, and a wrong place counts as much as a few of them: text that
    /// a page has moved is exact, text in its place may be misread.
    fn find(&self, page: &Page, open: &[char], taken: &HashSet<usize>) -> Option<usize> {
        let rank = |cell: usize, most: usize| {
            let wrong = near::opening(open, page.folded(cell..cell + open.len() + most), most)?;
            let astray = if !self.own.contains(&cell) { 2 } else { usize::from(cell < self.cursor) };
            Some((wrong + astray, cell < self.cursor, cell.abs_diff(self.cursor), cell))
        };
        let most = open.len() / 4;
        let starts = page.starts(self.within.clone()).iter().copied().filter(|cell| !taken.contains(cell));
        let best = starts.filter_map(|cell| rank(cell, most)).min();
        // Readings and crumbs of figures can stand in front of an opening in its line.
        let all = || self.within.clone().filter(|cell| !taken.contains(cell));
        best.or_else(|| all().filter_map(|cell| rank(cell, most / 2)).min()).map(|(.., cell)| cell)
    }
}
