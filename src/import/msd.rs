//! The grammar of 魔法少女 ザ・デュエル 総合ルール.
//!
//! `100.` chapter, `101.` section, `104.5.` clause, `104.5a.`, `201.3a-i.` and `903.2g-iv-a.` below it; `例：` opens an
//! example, `：` a row of a legend, a private-use character an item; the change history stands last, newest first.
//! A blank at the end of a line ends a paragraph, unless the sentence plainly goes on.

use std::sync::LazyLock;

use regex::Regex;

use super::lines::{self, Blanks, Draft, Line, Passage};
use super::{Official, OfficialEntry, OfficialNode, PrintedRef, SourceLine, Stop};
use crate::text::Game;
use crate::text::clause::{Step, steps};

const BLANKS: Blanks = Blanks::Real;

pub fn read(source: &[SourceLine]) -> Result<Official, Stop> {
    let game = Game::from_code("msd").expect("msd is a game");
    let lines = lines::printed(source);
    let mut reading = Reading::default();
    let heads: Vec<Option<Head>> = lines.iter().map(|line| head(&line.text)).collect();
    let mut numbers = heads.iter().flatten().map(|head| head.path.as_slice()).skip(1);
    for (line, head) in lines.iter().zip(&heads) {
        match head {
            Some(head) => reading.head(line, head, numbers.next()),
            None => reading.line(line),
        }
    }
    let nodes: Vec<OfficialNode> =
        reading.drafts.iter().filter_map(|draft| Some(with_refs(draft.finish(game, BLANKS)?))).collect();
    lines::accept("魔法少女 ザ・デュエル 総合ルール", &nodes, &reading.refused)?;
    let history = lines::oldest_first(reading.history, BLANKS);
    let newest = history.last();
    Ok(Official {
        title: lines::title(&lines[..reading.first]),
        edition: newest.map_or_else(|| "版不明".to_string(), |entry| entry.version.clone()),
        date: newest.map(|entry| entry.date.clone()),
        nodes,
        history,
        ..Official::default()
    })
}

/// A line that begins with a number of this document.
struct Head {
    clause: String,
    printed: String,
    path: Vec<u32>,
    rest: String,
}

fn head(text: &str) -> Option<Head> {
    static HEAD: LazyLock<Regex> = LazyLock::new(|| {
        let number = r"\d{3,4}(?:[.．]\d{1,3}(?:[.．]?[a-z](?:[-－][ivx]{1,6}(?:[-－][a-z])?)?)?)?";
        Regex::new(&format!(r"^({number})[.．](?:\s+(.*))?$")).expect("a pattern")
    });
    let found = HEAD.captures(text)?;
    let printed = lines::ascii(&found[1]);
    // A dot before the letter (903.2.g) is a slip of the print: no other number has one.
    let mut clause = String::with_capacity(printed.len());
    for c in printed.chars() {
        if c.is_ascii_lowercase() && clause.ends_with('.') {
            clause.pop();
        }
        clause.push(c);
    }
    let path = path(&clause);
    let rest = found.get(2).map_or("", |rest| rest.as_str()).to_string();
    Some(Head { clause, printed, path, rest })
}

/// A number as numbers: letters count from a, the level below them in roman numerals.
fn path(clause: &str) -> Vec<u32> {
    let value = |(level, step): (usize, Step)| match step {
        Step::Number(n) => n,
        Step::Letters(text) if level == 3 => roman(&text),
        Step::Letters(text) => text.bytes().next().map_or(0, |b| u32::from(b.saturating_sub(b'a')) + 1),
    };
    steps(clause).into_iter().enumerate().map(value).collect()
}

fn roman(text: &str) -> u32 {
    let value = |c: char| match c {
        'x' => 10,
        'v' => 5,
        _ => 1,
    };
    let mut total = 0;
    let mut before = 0;
    for digit in text.chars().rev().map(value) {
        if digit < before {
            total -= digit
        } else {
            total += digit
        }
        before = digit.max(before);
    }
    total.max(0) as u32
}

#[derive(Default)]
struct Reading {
    drafts: Vec<Draft>,
    last: Vec<u32>,
    history: Vec<OfficialEntry>,
    in_history: bool,
    in_example: bool,
    /// The line before this one ended a paragraph.
    ended: bool,
    refused: Vec<usize>,
    /// How many lines stand before the first number.
    first: usize,
}

impl Reading {
    fn head(&mut self, line: &Line, head: &Head, after: Option<&[u32]>) {
        let again = self.drafts.first().is_some_and(|first| first.clause == head.clause);
        if again && lines::only_contents(&self.drafts) {
            self.drafts.clear();
            self.last.clear();
            self.in_history = false;
        }
        if self.in_history || !lines::believed(&self.last, &head.path, after) {
            self.refused.push(line.number);
            return self.line(line);
        }
        let mut draft = Draft::new(&head.clause, line.number);
        draft.printed = (head.printed != head.clause).then(|| head.printed.clone());
        match head.path.len() {
            1 => draft.title = Some(head.rest.clone()),
            _ => draft.body.add(&head.rest, false),
        }
        self.last.clone_from(&head.path);
        self.drafts.push(draft);
        self.in_example = false;
        self.ended = ends(line);
    }

    fn line(&mut self, line: &Line) {
        static EXAMPLE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^例\s*[：:]\s*").expect("a pattern"));
        static HISTORY: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"^更新(?:情報|履歴)\s*[：:]?$").expect("a pattern"));
        let text = item(&line.text);
        if HISTORY.is_match(&line.text) && !self.drafts.is_empty() {
            self.in_history = true;
        } else if self.in_history {
            self.entry(&text);
        } else if let Some(draft) = self.drafts.last_mut() {
            let begins = self.ended || text.starts_with(['・', '：']);
            if let Some(mark) = EXAMPLE.find(&line.text) {
                let mut example = Passage::default();
                example.add(&line.text[mark.end()..], false);
                draft.examples.push(example);
                self.in_example = true;
            } else if let Some(example) = draft.examples.last_mut().filter(|_| self.in_example && !begins) {
                example.add(&text, false);
            } else {
                self.in_example = false;
                draft.body.add(&text, begins);
            }
        } else {
            self.first += 1;
        }
        self.ended = ends(line);
    }

    fn entry(&mut self, text: &str) {
        if let Some(entry) = lines::dated(text) {
            self.history.push(entry);
        } else if let Some(entry) = self.history.last_mut() {
            let begins = self.ended || text.starts_with('・');
            if begins && !entry.text.is_empty() {
                entry.text.push('\n');
            }
            entry.text.push_str(text);
        }
    }
}

/// A blank after the text ends a paragraph; after a comma, an arrow or an opening bracket it does not.
fn ends(line: &Line) -> bool {
    line.closed && !line.text.ends_with(['、', '⇒', '（', '(', '‘', '“', '「', '['])
}

/// The bullets of the symbol font have no character of their own.
fn item(text: &str) -> String {
    match text.strip_prefix(|c: char| ('\u{F000}'..='\u{F0FF}').contains(&c)) {
        Some(rest) => format!("・{}", rest.trim_start()),
        None => text.to_string(),
    }
}

/// A reference is a bare number in brackets: (209), （903.2g）.
fn with_refs(mut node: OfficialNode) -> OfficialNode {
    static REF: LazyLock<Regex> = LazyLock::new(|| {
        let number = r"\d{3,4}(?:\.\d{1,3}(?:\.?[a-z](?:-[ivx]{1,6}(?:-[a-z])?)?)?)?";
        Regex::new(&format!(r"[（(]({number})(?:[～~〜-]({number}))?[）)]")).expect("a pattern")
    });
    let found = |text: &String| -> Vec<PrintedRef> {
        let read =
            |c: regex::Captures| lines::reference(lines::ascii(&c[1]), c.get(2).map(|m| lines::ascii(m.as_str())));
        REF.captures_iter(text).map(read).collect()
    };
    node.refs = std::iter::once(&node.text).chain(&node.examples).flat_map(found).collect();
    node
}
