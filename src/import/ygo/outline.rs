//! Our outline of the booklet, as far as it helps to find things in it.

use super::page::fold;
use crate::text::node::Kind;
use crate::text::{Id, Shelf};

/// A node of the outline.
pub struct Entry {
    pub id: Id,
    pub heading: bool,
    /// What a heading may be printed as, folded.
    pub titles: Vec<Vec<char>>,
    /// What the pieces of a paragraph begin with, folded.
    pub opens: Vec<Vec<char>>,
    /// The heading above, and the section that it is in: places in the outline.
    pub parent: Option<usize>,
    pub section: usize,
}

/// The nodes in document order.
pub fn outline(shelf: &Shelf) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for (place, line) in shelf.lines().iter().enumerate() {
        let node = shelf.node(place);
        let heading = line.kind == Kind::Heading;
        let opens: Vec<Vec<char>> = node.opens.iter().map(|o| folded(o)).filter(|o| !o.is_empty()).collect();
        let parent = line.parent.map(usize::from);
        // Sections stand under the editions; what is deeper is in the section of its parent.
        let section = match parent {
            Some(above) if line.depth > 1 => entries.get(above).map_or(place, |e| e.section),
            _ => place,
        };
        let titles = if heading { titles(line.title.unwrap_or_default(), &node.opens) } else { Vec::new() };
        let opens = if heading { Vec::new() } else { opens };
        entries.push(Entry { id: node.id, heading, titles, opens, parent, section });
    }
    entries
}

/// The title, without what we have added in brackets to tell like headings apart, and the openings given for it.
fn titles(title: &str, opens: &[String]) -> Vec<Vec<char>> {
    let short = match title.rfind(['（', '(']) {
        Some(open) if title.ends_with(['）', ')']) => &title[..open],
        _ => title,
    };
    let mut titles: Vec<Vec<char>> =
        [title, short].into_iter().chain(opens.iter().map(String::as_str)).map(folded).collect();
    titles.retain(|t| !t.is_empty());
    titles.dedup();
    titles
}

pub fn folded(text: &str) -> Vec<char> {
    text.chars().filter_map(fold).collect()
}
