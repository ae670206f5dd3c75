//! The rules themselves: which line begins a clause, which continues one, and which is an example.
//!
//! The numbers alone carry the structure. What has no number belongs to what is unfinished above it: a clause broken
//! by a page, an example cut in two by the clause of the other column.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::number::{Number, Printed, leading};
use crate::import::markdown::{Line, Shape, join, tail};

/// A part, a section or a clause as it is being read.
#[derive(Debug, Default)]
pub struct Entry {
    /// `None` for a paragraph that has lost its number.
    pub number: Option<Number>,
    pub printed: String,
    pub line: usize,
    pub title: Option<String>,
    pub paragraphs: Vec<String>,
    pub examples: Vec<String>,
    /// Stood in the document as a list item.
    pub(super) item: bool,
    /// The paragraphs after the first are the items of a list.
    pub(super) list: bool,
}

impl Entry {
    pub fn heading(&self) -> bool {
        self.number.is_some_and(|n| n.clause.is_none())
    }

    /// Says that a list follows.
    fn announces(&self) -> bool {
        let end = self.paragraphs.last().map(|p| tail(p, SIGHT)).unwrap_or_default();
        ["以下", "下記", "次の"].iter().any(|word| end.contains(word))
    }
}

/// How far back a line looks for what it continues, in characters.
const SIGHT: usize = 600;

/// Where text was last put.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Text(usize),
    Example(usize),
}

/// The rules read so far.
#[derive(Debug, Default)]
pub struct Body {
    pub entries: Vec<Entry>,
    known: HashSet<Number>,
    /// A clause has been read.
    begun: bool,
    /// The last number that was read.
    last: Option<Number>,
    /// The number before it, if it did not follow from that one.
    leapt_from: Option<Number>,
    /// The place of the last text, and the one before it.
    places: [Option<Place>; 2],
}

impl Body {
    pub fn take(&mut self, line: &Line) {
        if line.shape == Shape::Row {
            return self.row(line);
        }
        let mut rest = line.text.as_str();
        if let Some(printed) = leading(rest, self.last) {
            if self.opens_clause(&printed, line) {
                rest = printed.rest;
                self.open(&printed, line);
            } else if self.opens_section(&printed, line) {
                return self.head(&printed, line);
            }
        }
        let mut begun = rest.len() != line.text.len();
        // Two clauses in one line: the second is recognised by being exactly the next.
        while let Some((before, printed)) = self.glued(rest) {
            self.put(before, line, begun);
            self.open(&printed, line);
            (rest, begun) = (printed.rest, true);
        }
        self.put(rest, line, begun);
    }

    fn opens_clause(&self, printed: &Printed, line: &Line) -> bool {
        let number = printed.number;
        if number.clause.is_none() || self.known.contains(&number) {
            return false;
        }
        // A clause whose section has not been opened: that heading alone is lost.
        let next = |before: Number| {
            let section = before.section + 1;
            number.section == section || number.section == (before.section / 100 + 1) * 100 + 1
        };
        let here = self.last.is_none() || self.after(|before| before.section == number.section);
        let later = line.opens && self.after(next);
        self.follows(number) || (here || later) && !continues_a_sentence(printed.rest)
    }

    fn opens_section(&self, printed: &Printed, line: &Line) -> bool {
        let number = printed.number;
        if number.clause.is_some() || printed.rest.is_empty() || printed.rest.contains('。') {
            return false;
        }
        if self.known.contains(&number) {
            return self.again(number);
        }
        if line.shape == Shape::Heading {
            let near = |before: Number| before < number && number.section < before.section + 200;
            return self.last.is_none() || self.after(near);
        }
        let title = !printed.rest.contains('、') && !continues_a_sentence(printed.rest);
        let first = self.last.is_none() && number.section == 100;
        title && (first || self.follows(number))
    }

    /// Whether something holds of the last number, or of the one before it if the last was a leap: a leap may have
    /// been a misread number, and must not hide what comes after.
    fn after(&self, holds: impl Fn(Number) -> bool) -> bool {
        [self.last, self.leapt_from].into_iter().flatten().any(holds)
    }

    /// Contents that have lost their tabs look like headings; then their titles come again before the first clause.
    fn again(&self, number: Number) -> bool {
        self.known.contains(&number) && !self.begun
    }

    fn follows(&self, number: Number) -> bool {
        self.after(|before| before.successors().contains(&number))
    }

    fn head(&mut self, printed: &Printed, line: &Line) {
        if self.known.contains(&printed.number) {
            self.entries.clear();
            self.known.clear();
        }
        self.open(printed, line);
        if let Some(entry) = self.entries.last_mut() {
            entry.title = Some(printed.rest.to_string());
        }
    }

    fn open(&mut self, printed: &Printed, line: &Line) {
        let steady =
            |last: Number| last.section == printed.number.section || last.successors().contains(&printed.number);
        self.leapt_from = self.last.filter(|last| !steady(*last) && *last < printed.number);
        self.last = Some(printed.number);
        self.known.insert(printed.number);
        self.begun |= printed.number.clause.is_some();
        self.entries.push(Entry {
            number: Some(printed.number),
            printed: printed.text.clone(),
            line: line.number,
            item: line.shape == Shape::Item,
            ..Entry::default()
        });
    }

    /// The text before a clause that stands in the middle of a line, and that clause.
    fn glued<'a>(&self, text: &'a str) -> Option<(&'a str, Printed<'a>)> {
        let next: Vec<Number> = self.last?.successors().into_iter().filter(|n| n.clause.is_some()).collect();
        let blanks = text.match_indices(' ').map(|(at, _)| at);
        blanks.into_iter().find_map(|at| {
            let printed = leading(&text[at + 1..], None)?;
            let open = !continues_a_sentence(printed.rest) && !printed.rest.is_empty();
            (next.contains(&printed.number) && open).then_some((&text[..at], printed))
        })
    }

    /// Puts text where it belongs; `begun` if a clause has just been opened for it.
    fn put(&mut self, text: &str, line: &Line, begun: bool) {
        let mut parts = examples(text).into_iter();
        let first = parts.next().unwrap_or_default();
        if begun {
            self.add(self.entries.len().wrapping_sub(1), first);
        } else if !first.trim().is_empty() {
            self.unnumbered(first, line);
        }
        let Some(entry) = self.entries.iter().rposition(|e| !e.heading()) else { return };
        for example in parts {
            self.entries[entry].examples.push(example.trim().to_string());
            self.remember(Place::Example(entry));
        }
    }

    fn unnumbered(&mut self, text: &str, line: &Line) {
        let Some(at) = self.entries.len().checked_sub(1) else { return };
        let entry = &self.entries[at];
        if entry.heading() {
            // Between a heading and its first clause only captions of lost figures stand, or a sentence of its own.
            if text.contains('。') {
                self.add(at, text);
            }
            return;
        }
        let [last, before] = self.places;
        if entry.list && line.opens {
            self.add(at, text);
        } else if !line.opens || !self.finished(last) {
            self.carry_on(last, text);
        } else if before != last && !self.finished(before) && self.sentence(before) && text.ends_with('。') {
            self.carry_on(before, text);
        } else if entry.announces() {
            self.entries[at].list = true;
            enumerated(text).into_iter().for_each(|item| self.add(at, item));
        } else if line.shape == Shape::Item && entry.item && text.ends_with('。') {
            self.entries.push(Entry { line: line.number, item: true, ..Entry::default() });
            self.add(at + 1, text);
        } else {
            self.add(at, text);
        }
    }

    fn row(&mut self, line: &Line) {
        let Some(entry) = self.entries.last_mut().filter(|e| !e.heading()) else { return };
        entry.paragraphs.push(line.text.trim_matches('\t').to_string());
        entry.list = true;
    }

    /// A new paragraph.
    fn add(&mut self, at: usize, text: &str) {
        let Some(entry) = self.entries.get_mut(at) else { return };
        if !text.trim().is_empty() {
            entry.paragraphs.push(text.trim().to_string());
        }
        self.remember(Place::Text(at));
    }

    fn remember(&mut self, place: Place) {
        if self.places[0] != Some(place) || matches!(place, Place::Example(_)) {
            self.places = [Some(place), self.places[0]];
        }
    }

    fn carry_on(&mut self, place: Option<Place>, text: &str) {
        if let Some(last) = place.and_then(|place| self.text_at_mut(place)) {
            join(last, text);
        } else if let Some(Place::Text(at)) = place {
            self.add(at, text);
        }
    }

    fn text_at(&self, place: Place) -> Option<&String> {
        match place {
            Place::Text(at) => self.entries.get(at)?.paragraphs.last(),
            Place::Example(at) => self.entries.get(at)?.examples.last(),
        }
    }

    fn text_at_mut(&mut self, place: Place) -> Option<&mut String> {
        match place {
            Place::Text(at) => self.entries.get_mut(at)?.paragraphs.last_mut(),
            Place::Example(at) => self.entries.get_mut(at)?.examples.last_mut(),
        }
    }

    fn finished(&self, place: Option<Place>) -> bool {
        place.is_none_or(|place| self.text_at(place).is_some_and(|text| finished(text)))
    }

    /// A sentence is under way there, not a mere title.
    fn sentence(&self, place: Option<Place>) -> bool {
        place.and_then(|place| self.text_at(place)).is_some_and(|text| tail(text, SIGHT).contains(['。', '、']))
    }
}

/// Ends a sentence, and is not inside a quotation. A reference may stand behind the full stop.
pub fn finished(text: &str) -> bool {
    let end = tail(text, SIGHT).trim_end();
    let end = match end.rfind(['(', '（']) {
        Some(open) if end.ends_with([')', '）']) => end[..open].trim_end(),
        _ => end,
    };
    let quoted = end.matches('「').count() > end.matches('」').count();
    end.ends_with(['。', '！', '？', '!', '?', '」', '』']) && !quoted
}

/// A number in front of this is a reference in a running sentence.
fn continues_a_sentence(rest: &str) -> bool {
    let particle = [
        "から",
        "まで",
        "および",
        "または",
        "による",
        "により",
        "と",
        "に",
        "の",
        "で",
        "を",
        "は",
        "が",
        "か",
        "や",
        "も",
        "へ",
    ];
    rest.starts_with(['、', '。', '」', ')', '）', '~', '〜', '～', ','])
        || particle.iter().any(|p| rest.starts_with(p))
}

static EXAMPLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(^|[。」)）])\s*[【\[(（]?例\s?[0-9０-９]{0,2}[】\])）]?\s?[:：]").expect("a fixed pattern")
});

/// The text before the first example, and the examples, without their marks.
fn examples(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for mark in EXAMPLE.captures_iter(text) {
        let (Some(whole), Some(before)) = (mark.get(0), mark.get(1)) else { continue };
        parts.push(&text[from..before.end()]);
        from = whole.end();
    }
    parts.push(&text[from..]);
    parts
}

/// The items of a list that are numbered and stand in one line: `1,… 2,… 3.…`.
fn enumerated(text: &str) -> Vec<&str> {
    let number = |part: &str| {
        let digits = part.chars().take_while(char::is_ascii_digit).count();
        let marked = part[digits..].starts_with([',', '.', '、', '．', ')']);
        part[..digits].parse::<u32>().ok().filter(|_| marked)
    };
    let mut parts = Vec::new();
    let Some(mut current) = number(text) else { return vec![text] };
    let mut from = 0;
    for (at, _) in text.match_indices(' ') {
        if let Some(next) = current.checked_add(1).filter(|next| number(&text[at + 1..]) == Some(*next)) {
            parts.push(&text[from..at]);
            (from, current) = (at + 1, next);
        }
    }
    parts.push(&text[from..]);
    parts
}
