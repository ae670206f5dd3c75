//! The grammar of NOVA 総合ルール.
//!
//! `000：` chapter, `001：` section, `001.1：` clause, as deep as six numbers. Some numbers are misprinted, some have a
//! blank for the colon: only the sequence tells, so every number is judged by the one before it. Examples stand in
//! brackets inside the sentence. The document has neither an edition nor a history.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::lines::{self, Blanks, Draft, Line};
use super::{Official, OfficialNode, PrintedRef, SourceLine, Stop};
use crate::text::Game;

const BLANKS: Blanks = Blanks::Stray;

pub fn read(source: &[SourceLine]) -> Result<Official, Stop> {
    let game = Game::from_code("nova").expect("nova is a game");
    let lines = lines::printed(source);
    let heads: Vec<Option<Head>> = lines.iter().map(|line| head(&line.text)).collect();
    let mut reading = Reading::new(&lines, &heads);
    for (place, head) in heads.iter().enumerate() {
        match head {
            Some(head) => reading.head(place, head),
            None => reading.line(place),
        }
    }
    let Reading { mut drafts, refused, first, .. } = reading;
    headlines(&mut drafts);
    let titles: HashMap<String, String> =
        drafts.iter().filter_map(|d| Some((d.clause.clone(), lines::clean(d.title.as_ref()?, BLANKS)))).collect();
    let finish = |draft: &Draft| {
        let mut node = draft.finish(game, BLANKS)?;
        node.refs = refs(&node.text, &titles);
        (node.text, node.examples) = cut_examples(&node.text);
        Some(node)
    };
    let nodes: Vec<OfficialNode> = drafts.iter().filter_map(finish).collect();
    lines::accept("NOVA 総合ルール", &nodes, &refused)?;
    let title = lines::title(&lines[..first]);
    Ok(Official { title, edition: "版不明".to_string(), date: None, nodes, ..Official::default() })
}

/// A line that begins with a number.
struct Head {
    path: Vec<u32>,
    rest: String,
    /// Without the colon it may as well be a reference that begins a line.
    colon: bool,
}

fn head(text: &str) -> Option<Head> {
    static HEAD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(\d{3,4}(?:[.．]\d{1,2}){0,8})(?:[.．]?([：:；;])\s*|\s+)(.*)$").expect("a pattern")
    });
    let found = HEAD.captures(text)?;
    let colon = found.get(2).is_some();
    let rest = &found[3];
    // 「407.5：参照)」 is the end of a reference.
    if rest.starts_with("参照") || rest.is_empty() && !colon {
        return None;
    }
    let path = lines::ascii(&found[1]).split('.').map(|n| n.parse().ok()).collect::<Option<Vec<u32>>>()?;
    (colon || path.len() > 1).then(|| Head { path, rest: rest.to_string(), colon })
}

/// `[5, 8, 1]` → `005.8.1`
fn number(path: &[u32]) -> String {
    let rest: String = path.iter().skip(1).map(|n| format!(".{n}")).collect();
    format!("{:03}{rest}", path.first().unwrap_or(&0))
}

struct Reading<'a> {
    lines: &'a [Line],
    /// Where each number is printed last.
    places: HashMap<&'a [u32], usize>,
    /// The number printed after each line.
    after: Vec<Option<&'a [u32]>>,
    drafts: Vec<Draft>,
    last: Vec<u32>,
    refused: Vec<usize>,
    first: usize,
}

impl<'a> Reading<'a> {
    fn new(lines: &'a [Line], heads: &'a [Option<Head>]) -> Reading<'a> {
        let mut places = HashMap::new();
        let mut after = vec![None; heads.len()];
        let mut next: Option<&[u32]> = None;
        for (place, head) in heads.iter().enumerate().rev() {
            after[place] = next;
            if let Some(head) = head.as_ref().filter(|head| head.colon) {
                places.entry(head.path.as_slice()).or_insert(place);
                next = Some(&head.path);
            }
        }
        Reading { lines, places, after, drafts: Vec::new(), last: Vec::new(), refused: Vec::new(), first: 0 }
    }

    fn head(&mut self, place: usize, head: &Head) {
        let line = &self.lines[place];
        if self.drafts.first().is_some_and(|d| d.clause == number(&head.path)) && lines::only_contents(&self.drafts) {
            self.drafts.clear();
            self.last.clear();
        }
        let meant = if head.colon { self.meant(place, &head.path) } else { self.without_colon(place, &head.path) };
        let Some(path) = meant else {
            if head.colon {
                self.refused.push(line.number);
            }
            return self.line(place);
        };
        let mut draft = Draft::new(number(&path), line.number);
        draft.printed = (path != head.path).then(|| number(&head.path));
        draft.body.add(&head.rest, false);
        self.drafts.push(draft);
        self.last = path;
    }

    /// A line that begins with a number and a blank is a head only if nothing else can come here.
    fn without_colon(&self, place: usize, printed: &[u32]) -> Option<Vec<u32>> {
        let before = place.checked_sub(1).map(|before| &self.lines[before])?;
        let heading = self.drafts.last().is_some_and(|draft| draft.line == before.number);
        let ended = before.closed || heading || before.text.ends_with('。');
        (ended && lines::succeeds(&self.last, printed)).then(|| printed.to_vec())
    }

    /// The number that a printed one stands for.
    fn meant(&self, place: usize, printed: &[u32]) -> Option<Vec<u32>> {
        if self.last == printed {
            // A section and its only clause under one number.
            return (printed.len() == 1).then(|| vec![printed[0], 1]);
        }
        if lines::succeeds(&self.last, printed) {
            return Some(printed.to_vec());
        }
        if let Some(corrected) = self.corrected(place, printed) {
            return Some(corrected);
        }
        lines::believed(&self.last, printed, self.after[place]).then(|| printed.to_vec())
    }

    fn corrected(&self, place: usize, printed: &[u32]) -> Option<Vec<u32>> {
        let (&section, &end) = (self.last.first()?, printed.last()?);
        if printed.len() == 1 {
            return None;
        }
        if printed[0] != section {
            // Clauses numbered after another section that has a head of its own.
            let moved: Vec<u32> = std::iter::once(section).chain(printed[1..].iter().copied()).collect();
            let other = self.places.contains_key(&printed[..1]);
            return (other && lines::succeeds(&self.last, &moved)).then_some(moved);
        }
        // One number on the way is wrong or missing, the last is right: 6.5.2 or 6.2 for 6.8.2 after 6.8.1.
        let due = |length: usize| {
            let mut due = self.last.get(..length)?.to_vec();
            *due.last_mut()? += 1;
            Some(due)
        };
        let backwards = printed <= self.last.as_slice();
        // Going forward it is a misprint only if the number it seems to skip comes later.
        let skips =
            || due(printed.len()).is_some_and(|due| self.places.get(due.as_slice()).is_some_and(|&p| p > place));
        if !backwards && !skips() {
            return None;
        }
        [printed.len(), printed.len() + 1].into_iter().filter_map(due).find(|due| due.last() == Some(&end))
    }

    fn line(&mut self, place: usize) {
        let line = &self.lines[place];
        let Some(draft) = self.drafts.last_mut() else {
            self.first += 1;
            return;
        };
        let before = place.checked_sub(1).map(|before| &self.lines[before]);
        let ended = before.is_some_and(|before| before.closed && lines::ends_sentence(&before.text));
        let begins = ended && (line.indented || line.text.starts_with(['(', '（']));
        draft.body.add(&line.text, begins);
    }
}

/// Sections have titles, unless they are sentences; so have clauses that only head others.
fn headlines(drafts: &mut [Draft]) {
    for place in 0..drafts.len() {
        let below = format!("{}.", drafts[place].clause);
        let heads = drafts.get(place + 1).is_some_and(|next| next.clause.starts_with(&below));
        let draft = &mut drafts[place];
        if !draft.clause.contains('.') && !draft.body.text().contains(['。', '\n']) {
            draft.title = Some(std::mem::take(&mut draft.body).text().to_string());
        } else if heads {
            draft.headline();
        }
    }
}

/// Takes 「(例：…)」 out of a text, up to the bracket that closes it or to the end.
fn cut_examples(text: &str) -> (String, Vec<String>) {
    static MARK: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[(（]例(?:\s*[：:]\s*|\s+|[〈《「『])").expect("a pattern"));
    let (mut kept, mut examples) = (String::new(), Vec::new());
    let mut from = 0;
    while let Some(mark) = MARK.find_at(text, from) {
        kept.push_str(&text[from..mark.start()]);
        // A bracket that follows the mark at once belongs to the example.
        let start = mark.end()
            - mark.as_str().chars().next_back().filter(|c| "〈《「『".contains(*c)).map_or(0, char::len_utf8);
        let end = closing(&text[start..]).map_or(text.len(), |end| start + end);
        examples.push(text[start..end].trim().to_string());
        from = text[end..].chars().next().map_or(end, |bracket| end + bracket.len_utf8());
    }
    kept.push_str(&text[from..]);
    let paragraphs: Vec<&str> = kept.split('\n').map(str::trim).filter(|p| !p.is_empty()).collect();
    (paragraphs.join("\n"), examples)
}

/// Where the bracket closes that was opened before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '（' => depth += 1,
            ')' | '）' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Numbers with dots are references wherever they stand; others only with 「参照」 or with the title of their section.
fn refs(text: &str, titles: &HashMap<String, String>) -> Vec<PrintedRef> {
    static REF: LazyLock<Regex> = LazyLock::new(|| {
        let number = r"\d{3,4}(?:[.．]\d{1,2})*";
        Regex::new(&format!(r"({number})(?:\s*[～〜~]\s*({number}))?(\s*[：:]?\s*を?参照)?")).expect("a pattern")
    });
    let is_ref = |found: &regex::Captures| {
        let (whole, first) = (found.get_match(), lines::ascii(&found[1]));
        let apart = !text[..whole.start()].ends_with(|c: char| c.is_numeric() || c == '.');
        let rest = text[whole.end()..].strip_prefix(['：', ':']);
        let titled = || rest.zip(titles.get(&first)).is_some_and(|(rest, title)| rest.starts_with(title.as_str()));
        apart && (first.contains('.') || found.get(3).is_some() || titled())
    };
    let read = |found: regex::Captures| {
        let until = found.get(2).map(|until| lines::ascii(until.as_str()));
        is_ref(&found).then(|| lines::reference(lines::ascii(&found[1]), until))
    };
    REF.captures_iter(text).filter_map(read).collect()
}
