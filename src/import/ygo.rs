//! 遊戯王OCG 公式ルールブック: a booklet without clause numbers, so the numbers come from our outline.
//!
//! | question | file |
//! |---|---|
//! | what is text, and what the reading of a kanji? | [`ruby`] |
//! | the document as a stream of characters | [`page`] |
//! | what do we know of it beforehand? | [`outline`] |
//! | which heading is which? | [`anchor`] |
//! | where does a paragraph stand? | [`place`] |
//! | what does it say? | [`wording`] |

mod anchor;
mod near;
mod outline;
mod page;
mod place;
mod ruby;
mod wording;

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::official::{Official, OfficialNode, SourceLine, Stop};
use crate::text::Shelf;
use anchor::Anchor;
use outline::Entry;
use page::{Kind, Page};
use place::Piece;
use wording::{Slice, Wording, bare_title, wording};

/// Reads the document. Nodes that are not found in it are left out.
pub fn read(lines: &[SourceLine], outline: &Shelf) -> Result<Official, Stop> {
    let map = Map::of(lines, outline)?;
    let mut official = edition(&map.page);
    let mut nodes: Vec<Option<OfficialNode>> = map.outline.iter().map(|_| None).collect();
    for anchor in &map.anchors {
        let blocks = &map.page.blocks[anchor.block..anchor.block + anchor.blocks];
        let title = blocks.iter().map(|b| bare_title(&b.text)).collect::<Vec<_>>().join(" ");
        let line = blocks.first().map_or(0, |b| b.line(0));
        nodes[anchor.entry] =
            Some(node(&map.outline[anchor.entry], line, Wording { title: Some(title), ..Wording::default() }));
    }
    for (place, entry) in map.outline.iter().enumerate().filter(|(_, e)| !e.heading) {
        let slices = map.slices(place);
        if let Some(line) = map.line(place) {
            nodes[place] = Some(node(entry, line, wording(&slices)));
        }
    }
    // A heading that is not printed (the lead-in of an edition) is where the first node below it is.
    for place in (0..map.outline.len()).rev().filter(|p| map.outline[*p].heading) {
        if nodes[place].is_none() {
            let below = (0..nodes.len()).filter(|p| map.outline[*p].parent == Some(place));
            let line = below.filter_map(|p| nodes[p].as_ref().map(|n| n.line)).min();
            nodes[place] = line.map(|line| node(&map.outline[place], line, Wording::default()));
        }
    }
    official.nodes = nodes.into_iter().flatten().collect();
    Ok(official)
}

/// The headings of the document that match no title of ours and head a text that is none of our paragraphs.
pub fn unknown_headings(lines: &[SourceLine], outline: &Shelf) -> Vec<SourceLine> {
    let Ok(map) = Map::of(lines, outline) else { return Vec::new() };
    let line =
        |block: &usize| map.page.blocks.get(*block).map(|b| SourceLine { number: b.line(0), text: b.text.clone() });
    map.unknown.iter().filter_map(line).collect()
}

/// Where everything of the outline stands in the document.
struct Map {
    page: Page,
    outline: Vec<Entry>,
    anchors: Vec<Anchor>,
    bounds: Vec<Bound>,
    /// Headings that are none of ours: their blocks.
    unknown: Vec<usize>,
}

/// Where a piece or a heading begins; it ends where the next begins.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bound {
    block: usize,
    at: usize,
    /// The paragraph, by its place in the outline; `None` for a heading.
    entry: Option<usize>,
}

impl Map {
    fn of(lines: &[SourceLine], shelf: &Shelf) -> Result<Map, Stop> {
        let outline = outline::outline(shelf);
        let page = Page::new(lines);
        let anchors = anchor::anchors(&page, &outline);
        let titles = outline.iter().filter(|e| e.heading).count();
        if outline.is_empty() || anchors.len() * 4 < titles || anchors.is_empty() {
            return Err(stop(&page, &anchors, titles));
        }
        let pieces = place::pieces(&page, &outline, &anchors);
        let mut bounds = bounds(&page, &anchors, &pieces);
        let unknown = unknown(&page, &anchors, &bounds);
        // What stands under them belongs to none of our paragraphs.
        bounds.extend(unknown.iter().map(|block| Bound { block: *block, at: 0, entry: None }));
        bounds.sort_by_key(|b| (b.block, b.at));
        Ok(Map { page, outline, anchors, bounds, unknown })
    }

    /// The line on which a paragraph begins.
    fn line(&self, entry: usize) -> Option<usize> {
        let first = self.bounds.iter().filter(|b| b.entry == Some(entry)).map(|b| (b.block, b.at)).min()?;
        Some(self.page.blocks.get(first.0)?.line(first.1))
    }

    /// What belongs to a paragraph, in document order.
    fn slices(&self, entry: usize) -> Vec<Slice<'_>> {
        let mut slices = Vec::new();
        let mut heads = true;
        for (i, bound) in self.bounds.iter().enumerate().filter(|(_, b)| b.entry == Some(entry)) {
            let end = self.bounds.get(i + 1).map_or((self.page.blocks.len(), 0), |b| (b.block, b.at));
            for number in bound.block..=end.0 {
                let Some(block) = self.page.blocks.get(number) else { break };
                let from = if number == bound.block { bound.at } else { 0 };
                let until = if number == end.0 { end.1 } else { block.text.len() };
                let Some(text) = block.text.get(from..until).filter(|t| !t.trim().is_empty()) else { continue };
                // What stands before an opening in its block and ends no sentence is a crumb of a reading or a figure.
                let crumb = number == end.0 && number > bound.block && !text.contains(['。', '！', '？', '▶']);
                if !crumb {
                    slices.push(Slice { block, text, heads });
                }
            }
            heads = false;
        }
        slices
    }
}

/// Pieces and headings in document order. Headings that are none of ours belong to the piece below them.
fn bounds(page: &Page, anchors: &[Anchor], pieces: &[Piece]) -> Vec<Bound> {
    let mut bounds: Vec<Bound> = anchors.iter().map(|a| Bound { block: a.block, at: 0, entry: None }).collect();
    // The second half of a title that is printed as two headings.
    let mut settled: Vec<usize> = anchors.iter().flat_map(|a| a.block..a.block + a.blocks).collect();
    let places: Vec<(usize, usize)> = pieces.iter().map(|p| page.place(p.cell)).collect();
    settled.extend(places.iter().map(|(block, _)| *block));
    let settled: HashSet<usize> = settled.into_iter().collect();
    for (piece, (block, at)) in pieces.iter().zip(places) {
        let free = |block: usize, kind: Kind| page.blocks[block].kind == kind && !settled.contains(&block);
        let mut first = block;
        // A piece that begins with a heading or with a caption has its own.
        if at == 0 && !page.blocks[block].titles() {
            while first > 0 && free(first - 1, Kind::Heading) {
                first -= 1;
            }
            if first == block && first > 0 && free(first - 1, Kind::Label) {
                first -= 1;
            }
        }
        let at = if first < block { 0 } else { at };
        bounds.push(Bound { block: first, at, entry: Some(piece.entry) });
    }
    bounds
}

/// The headings that no title of ours and no paragraph claims, with prose below them that none claims either.
fn unknown(page: &Page, anchors: &[Anchor], bounds: &[Bound]) -> Vec<usize> {
    let titled = anchors.iter().flat_map(|a| a.block..a.block + a.blocks);
    let known: HashSet<usize> = titled.chain(bounds.iter().map(|b| b.block)).collect();
    let mut unknown = Vec::new();
    let mut heading = None;
    for (number, block) in page.blocks.iter().enumerate() {
        if known.contains(&number) {
            heading = None;
        } else if block.kind == Kind::Heading {
            heading = Some(number);
        } else if block.text.contains('。') {
            unknown.extend(heading.take());
        }
    }
    unknown
}

fn node(entry: &Entry, line: usize, wording: Wording) -> OfficialNode {
    OfficialNode {
        id: entry.id.clone(),
        printed: None,
        title: wording.title,
        text: wording.text,
        refs: wording.refs,
        examples: wording.examples,
        line,
    }
}

static EDITION: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"マスタールール\s?[(（]\s?(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日\s?改訂版\s?[)）]\s?対応\s*バージョン\s?(\d+(?:\.\d+)*)";
    Regex::new(pattern).expect("a fixed pattern")
});

/// Title, edition and date, from the last lines.
fn edition(page: &Page) -> Official {
    let found = page.blocks.iter().rev().find_map(|b| EDITION.captures(&b.text));
    let named = page.blocks.windows(2).rev().find(|pair| pair[1].text == "公式ルールブック");
    let mut official = Official { edition: "版不明".to_string(), ..Official::default() };
    official.title = named.map(|pair| format!("{} {}", pair[0].text, pair[1].text));
    if let Some(found) = found {
        let number = |i: usize| found[i].parse::<u32>().unwrap_or(0);
        let (year, month, day) = (number(1), number(2), number(3));
        official.date = Some(format!("{year:04}-{month:02}-{day:02}"));
        official.edition = format!("マスタールール（{year}年{month}月{day}日改訂版）対応 バージョン{}", &found[4]);
    }
    official
}

fn stop(page: &Page, anchors: &[Anchor], titles: usize) -> Stop {
    let recognised = anchors.iter().filter_map(|a| page.blocks.get(a.block)).map(|b| format!("見出し「{}」", b.text));
    let message = match titles {
        0 => "遊戯王OCGの条文の一覧（rules/ygo）がないので、番号のないこの文書は読めません".to_string(),
        _ => format!(
            "公式ルールブックの見出しが{titles}のうち{}しか見つかりません。別の文書か、別の版のようです",
            anchors.len()
        ),
    };
    Stop { recognised: recognised.take(20).collect(), line: 0, message }
}
