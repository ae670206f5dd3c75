//! Which heading of the document is which of ours.
//!
//! Titles recur (「セット」 stands in two editions) and are misread, and what is printed as a heading need not be one.
//! So titles are not looked for one by one: of all ways to lay our titles, in their order, over the headings of the
//! document, in theirs, the one in which most fit best is taken.

use super::near::likeness;
use super::outline::{Entry, folded};
use super::page::{Kind, Page};

/// A heading of ours and the blocks of the document that it is printed in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The place in the outline.
    pub entry: usize,
    pub block: usize,
    /// Two headings in a row can be one title.
    pub blocks: usize,
}

/// Titles less alike than this are different titles.
const ALIKE: f32 = 0.66;

/// No booklet has so many headings: what comes after them is not looked at.
const MOST: usize = 5_000;

/// A line that may be one of our headings.
struct Candidate {
    block: usize,
    /// Its text, and its text without a number in front; the same with the next heading.
    alone: Vec<Vec<char>>,
    with_next: Vec<Vec<char>>,
    /// How far to trust a line that is not marked as a heading.
    trust: f32,
}

/// The anchors, in order.
pub fn anchors(page: &Page, outline: &[Entry]) -> Vec<Anchor> {
    let headings: Vec<usize> = (0..outline.len()).filter(|i| !outline[*i].titles.is_empty()).collect();
    let candidates = candidates(page, outline, &headings);
    let fits: Vec<Vec<(f32, usize)>> =
        headings.iter().map(|h| candidates.iter().map(|c| fit(&outline[*h].titles, c)).collect()).collect();
    // best[t][c]: the worth of laying titles from t on over candidates from c on.
    let (rows, columns) = (headings.len(), candidates.len());
    let mut best = vec![vec![0f32; columns + 2]; rows + 1];
    for t in (0..rows).rev() {
        for c in (0..columns).rev() {
            let (worth, blocks) = fits[t][c];
            let matched = if worth > 0.0 { worth + best[t + 1][c + blocks] } else { 0.0 };
            best[t][c] = matched.max(best[t + 1][c]).max(best[t][c + 1]);
        }
    }
    let mut found = Vec::new();
    let (mut t, mut c) = (0, 0);
    while t < rows && c < columns {
        let (worth, blocks) = fits[t][c];
        if worth > 0.0 && best[t][c] == worth + best[t + 1][c + blocks] {
            found.push(Anchor { entry: headings[t], block: candidates[c].block, blocks });
            (t, c) = (t + 1, c + blocks);
        } else if best[t][c] == best[t][c + 1] {
            c += 1;
        } else {
            t += 1;
        }
    }
    found
}

/// Headings, and short lines that read like one of ours.
fn candidates(page: &Page, outline: &[Entry], headings: &[usize]) -> Vec<Candidate> {
    let heads: Vec<bool> = (0..page.blocks.len()).map(|block| heads_a_paragraph(page, outline, block)).collect();
    let mut found = Vec::new();
    for (block, head) in page.blocks.iter().enumerate() {
        let trust = match head.kind {
            Kind::Heading => 1.0,
            Kind::Label | Kind::Text if head.short() => 0.9,
            _ => continue,
        };
        if heads[block] || found.len() >= MOST {
            continue;
        }
        let both = head.kind == Kind::Heading && heads.get(block + 1) == Some(&false);
        let next = page.blocks.get(block + 1).filter(|next| both && next.kind == Kind::Heading);
        let candidate = Candidate {
            block,
            alone: printed(&head.text),
            with_next: next.map(|next| printed(&format!("{}{}", head.text, next.text))).unwrap_or_default(),
            trust,
        };
        // Headings stay even if they are none of ours, so that two in a row are neighbours here too.
        if head.kind == Kind::Heading || headings.iter().any(|h| fit(&outline[*h].titles, &candidate).0 > 0.0) {
            found.push(candidate);
        }
    }
    found
}

/// The heading is the beginning of a paragraph that we number: its opening goes on into the text below.
fn heads_a_paragraph(page: &Page, outline: &[Entry], block: usize) -> bool {
    let (from, next) = (page.first(block), page.first(block + 1));
    let begins =
        |open: &Vec<char>| open.len() > next - from && page.folded(from..from + open.len()).eq(open.iter().copied());
    next > from && outline.iter().flat_map(|e| &e.opens).any(begins)
}

/// A heading as it may be meant: with and without the number in front.
fn printed(text: &str) -> Vec<Vec<char>> {
    let whole = folded(text);
    let bare: Vec<char> = whole.iter().copied().skip_while(|c| c.is_numeric()).collect();
    if bare.len() == whole.len() { vec![whole] } else { vec![whole, bare] }
}

/// How well a candidate fits a title, 0 if not at all, and how many of the candidates it takes.
fn fit(titles: &[Vec<char>], candidate: &Candidate) -> (f32, usize) {
    let alone = likest(titles, &candidate.alone) * candidate.trust;
    let both = likest(titles, &candidate.with_next);
    if both > alone { (both, 2) } else { (alone, 1) }
}

fn likest(titles: &[Vec<char>], heads: &[Vec<char>]) -> f32 {
    let pairs = titles.iter().flat_map(|title| heads.iter().map(move |head| (title, head)));
    let worth = |(title, head): (&Vec<char>, &Vec<char>)| {
        let longer = title.len().max(head.len()) as f32;
        if (title.len().abs_diff(head.len()) as f32) > longer * (1.0 - ALIKE) {
            return 0.0;
        }
        let like = likeness(title, head);
        if like >= ALIKE { like } else { 0.0 }
    };
    pairs.map(worth).fold(0.0, f32::max)
}
