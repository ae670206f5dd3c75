//! The grammar of ディメンション・ゼロ 総合ルール.
//!
//! A foreword, 序文, parts (第２部), chapters (第 10章, １章), articles (`１.`) and their clauses (`１－２.`); the number
//! of a node says only its place in the chapter, so every head is judged by the one before it. `【例】` opens an
//! example, `(1) ` and `Ａ：` the items of a list. Every line ends in a blank and is set to one width: a paragraph
//! ends where a sentence ends short of it. The change history stands last, oldest first. References: [`refs`].

mod refs;

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::lines::{self, Blanks, Draft, Line, Passage};
use super::{Official, OfficialEntry, OfficialNode, SourceLine, Stop};
use crate::text::Game;
use crate::text::library::UNNUMBERED;
use refs::Outline;

const BLANKS: Blanks = Blanks::Real;

/// By how much a line must fall short of the column to be the last of a paragraph.
const SHORT: usize = 4;

pub fn read(source: &[SourceLine]) -> Result<Official, Stop> {
    let game = Game::from_code("dz").expect("dz is a game");
    let lines = lines::printed(source);
    let shapes: Vec<Shape> = lines.iter().map(|line| shape(&line.text)).collect();
    let mut reading = Reading::new(&lines, lines::measure(&lines));
    let after = numbers_after(&shapes);
    for (place, shape) in shapes.iter().enumerate() {
        reading.take(place, shape, after[place]);
    }
    let Reading { foreword, drafts, history, refused, first, .. } = reading;
    let title = lines::title(&lines[..first]);
    let drafts = with_foreword(drafts, foreword);
    let outline = Outline::new(&drafts);
    let finish = |draft: &Draft| {
        let mut node = draft.finish(game, BLANKS)?;
        node.refs =
            std::iter::once(&node.text).chain(&node.examples).flat_map(|t| outline.refs(&draft.clause, t)).collect();
        Some(node)
    };
    let nodes: Vec<OfficialNode> = drafts.iter().filter_map(finish).collect();
    lines::accept("ディメンション・ゼロ 総合ルール", &nodes, &refused)?;
    let history = lines::oldest_first(history, BLANKS);
    let newest = history.last();
    Ok(Official {
        title,
        edition: newest.map_or_else(|| "版不明".to_string(), |entry| entry.version.clone()),
        date: newest.map(|entry| entry.date.clone()),
        nodes,
        history,
        ..Official::default()
    })
}

/// What a line looks like by itself.
enum Shape {
    Preface,
    Part(u32, String),
    Chapter(u32, String),
    /// `sure`: a full stop stands between the number and the text.
    Clause {
        path: Vec<u32>,
        rest: String,
        sure: bool,
    },
    Item {
        label: String,
        rest: String,
    },
    Example(String),
    History,
    Text,
}

fn shape(text: &str) -> Shape {
    static PREFACE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^序文(?:\s+[^。]{1,30})?$").expect("a pattern"));
    static PART: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^第\s?(\d{1,2})部\s+([^。」]+)$").expect("a pattern"));
    static CHAPTER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(?:第\s?)?(\d{1,2})章\s+([^。]+)$").expect("a pattern"));
    static CLAUSE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(\d{1,2}(?:[－-]\d{1,2}){0,3})(?:([.．])\s*|、\s*|\s+|)(.*)$").expect("a pattern")
    });
    static ITEM: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(?:[(（](\d{1,2})[)）]\s+|([Ａ-ＺA-Z])\s*[：:])\s*(.+)$").expect("a pattern"));
    static EXAMPLE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^【例】\s*[：:]?\s*(.*)$").expect("a pattern"));
    static HISTORY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^更新履歴\s*[：:]?$").expect("a pattern"));
    let number = |text: &str| lines::ascii(text).parse().unwrap_or(0);
    // 「第２部 第 10章」 is a reference that begins a line.
    let titled = |title: &str| !title.starts_with('第') || !title.contains(['章', '節', '項']);
    if PREFACE.is_match(text) {
        Shape::Preface
    } else if let Some(found) = PART.captures(text).filter(|found| titled(&found[2])) {
        Shape::Part(number(&found[1]), found[2].to_string())
    } else if let Some(found) = CHAPTER.captures(text).filter(|found| titled(&found[2])) {
        Shape::Chapter(number(&found[1]), found[2].to_string())
    } else if let Some(found) = EXAMPLE.captures(text) {
        Shape::Example(found[1].to_string())
    } else if let Some(found) = ITEM.captures(text) {
        let label = found.get(1).or(found.get(2)).map_or("", |label| label.as_str());
        Shape::Item { label: lines::ascii(label), rest: found[3].to_string() }
    } else if let Some(found) = CLAUSE.captures(text) {
        let path: Vec<u32> = lines::ascii(&found[1]).split('-').map(number).collect();
        let (sure, separated) = (found.get(2).is_some(), text[found[1].len()..].starts_with('、'));
        // An article without a separator would be any line that begins with a number.
        if sure || separated || path.len() > 1 {
            Shape::Clause { path, rest: found[3].to_string(), sure }
        } else {
            Shape::Text
        }
    } else if HISTORY.is_match(text) {
        Shape::History
    } else {
        Shape::Text
    }
}

/// The number that each line would have to lead to: for a chapter the next chapter, otherwise the next clause.
fn numbers_after(shapes: &[Shape]) -> Vec<Option<&[u32]>> {
    let mut after = vec![None; shapes.len()];
    let (mut chapter, mut clause): (Option<&[u32]>, Option<&[u32]>) = (None, None);
    for (place, shape) in shapes.iter().enumerate().rev() {
        after[place] = if matches!(shape, Shape::Chapter(..)) { chapter } else { clause };
        match shape {
            Shape::Clause { path, sure: true, .. } => clause = Some(path),
            Shape::Chapter(number, _) => (chapter, clause) = (Some(std::slice::from_ref(number)), None),
            Shape::Part(..) => (chapter, clause) = (None, None),
            _ => {}
        }
    }
    after
}

/// The heading of the preface comes before the foreword, whose number it heads.
fn with_foreword(mut drafts: Vec<Draft>, foreword: Option<Draft>) -> Vec<Draft> {
    // Without any head the text is no foreword.
    if let Some(foreword) = foreword.filter(|_| !drafts.is_empty()) {
        let place = drafts.iter().take(1).filter(|draft| draft.clause == "0").count();
        drafts.insert(place, foreword);
    }
    drafts
}

struct Reading<'a> {
    lines: &'a [Line],
    measure: usize,
    foreword: Option<Draft>,
    drafts: Vec<Draft>,
    ids: HashSet<String>,
    /// Part and chapter; 0 is the preface.
    chapter: (u32, u32),
    /// The article and what is below it.
    path: Vec<u32>,
    /// Where the article of the list stands whose items are being read.
    list: Option<usize>,
    /// Where the node stands whose example is being read.
    example: Option<usize>,
    in_history: bool,
    history: Vec<OfficialEntry>,
    refused: Vec<usize>,
    /// How many lines stand before the first head.
    first: usize,
}

impl<'a> Reading<'a> {
    fn new(lines: &'a [Line], measure: usize) -> Reading<'a> {
        Reading {
            lines,
            measure,
            foreword: None,
            drafts: Vec::new(),
            ids: HashSet::new(),
            chapter: (0, 0),
            path: Vec::new(),
            list: None,
            example: None,
            in_history: false,
            history: Vec::new(),
            refused: Vec::new(),
            first: 0,
        }
    }

    fn take(&mut self, place: usize, shape: &Shape, after: Option<&[u32]>) {
        let (part, chapter) = self.chapter;
        let again = matches!(shape, Shape::Preface | Shape::Part(1, _)) && part > 0;
        if again && lines::only_contents(&self.drafts) {
            *self =
                Reading { foreword: self.foreword.take(), first: self.first, ..Reading::new(self.lines, self.measure) };
            return self.take(place, shape, after);
        }
        let apart = !self.runs_on(place);
        match shape {
            _ if self.in_history => self.entry(place),
            Shape::History if part > 0 => self.in_history = true,
            Shape::Preface if self.drafts.is_empty() => {
                let title = self.lines[place].text.clone();
                self.open(place, "0".to_string(), Some(title), "");
            }
            Shape::Part(n, title) if apart && lines::follows(&[part], &[*n]) => {
                self.chapter = (*n, 0);
                self.open(place, n.to_string(), Some(title.clone()), "");
            }
            Shape::Chapter(n, title) if apart && part > 0 && lines::believed(&[chapter], &[*n], after) => {
                self.chapter.1 = *n;
                self.open(place, format!("{part}.{n}"), Some(title.clone()), "");
            }
            Shape::Clause { path, rest, sure } if *sure || apart => self.clause(place, path, rest, *sure, after),
            Shape::Item { label, rest } if apart => self.item(place, label, rest),
            Shape::Example(rest) if !self.drafts.is_empty() => {
                // An example after a list is one of the article, not of its last item.
                let owner = self.list.unwrap_or(self.drafts.len() - 1);
                let mut example = Passage::default();
                example.add(rest, false);
                self.drafts[owner].examples.push(example);
                self.example = Some(owner);
            }
            Shape::Part(..) | Shape::Chapter(..) => self.refuse(place, apart),
            _ => self.text(place),
        }
    }

    fn clause(&mut self, place: usize, path: &[u32], rest: &str, sure: bool, after: Option<&[u32]>) {
        let (part, chapter) = self.chapter;
        let in_chapter = chapter > 0 || part == 0 && self.drafts.first().is_some_and(|d| d.clause == "0");
        let fits = match sure {
            true => lines::believed(&self.path, path, after),
            false => lines::follows(&self.path, path),
        };
        let id = self.id(path);
        if !in_chapter || !fits || path.contains(&0) || self.ids.contains(&id) {
            return self.refuse(place, sure && in_chapter && !self.runs_on(place));
        }
        if path.len() > self.path.len() && path.starts_with(&self.path) && !self.path.is_empty() {
            self.drafts.last_mut().into_iter().for_each(Draft::headline);
        }
        self.path = path.to_vec();
        self.open(place, id, None, rest);
    }

    /// `2.20.1-6`, or `0.1` in the preface.
    fn id(&self, path: &[u32]) -> String {
        let (part, chapter) = self.chapter;
        let numbers: Vec<String> = path.iter().map(u32::to_string).collect();
        let head = if part == 0 { "0".to_string() } else { format!("{part}.{chapter}") };
        format!("{head}.{}", numbers.join("-"))
    }

    /// Items count from 1 or A, one after the other, under the clause above them.
    fn item(&mut self, place: usize, label: &str, rest: &str) {
        let owner = self.list.or(self.drafts.len().checked_sub(1));
        let items = owner.map_or(0, |owner| self.drafts.len() - 1 - owner);
        let due = |first: &str| match first.parse::<usize>() {
            Ok(n) => n == items + 1,
            Err(_) => first.bytes().next() == u8::try_from(items).ok().and_then(|n| b'A'.checked_add(n)),
        };
        let id = format!("{}-{label}", self.id(&self.path));
        if self.path.is_empty() || !due(label) || self.ids.contains(&id) {
            return self.text(place);
        }
        self.open(place, id, None, rest);
        self.list = owner;
    }

    fn open(&mut self, place: usize, id: String, title: Option<String>, rest: &str) {
        if title.is_some() {
            self.path.clear();
        }
        let mut draft = Draft::new(id.clone(), self.lines[place].number);
        draft.title = title;
        draft.body.add(rest, false);
        self.ids.insert(id);
        self.drafts.push(draft);
        (self.list, self.example) = (None, None);
    }

    /// A head that fits nowhere is text; if it looks like nothing but a head, it is counted against the document.
    fn refuse(&mut self, place: usize, counts: bool) {
        if counts {
            self.refused.push(self.lines[place].number);
        }
        self.text(place);
    }

    fn text(&mut self, place: usize) {
        let begins = self.begins(place);
        let line = &self.lines[place];
        if let Some(owner) = self.example {
            self.drafts[owner].examples.last_mut().into_iter().for_each(|e| e.add(&line.text, begins));
        } else if let Some(draft) = self.drafts.last_mut() {
            let above = &self.lines[place.saturating_sub(1)].text;
            let is_title = draft.title.is_none()
                && draft.body.lines() == 1
                && !draft.body.text().contains(['。', '、'])
                // A line that ends in a particle was broken by hand.
                && !draft.body.text().ends_with(['を', 'は', 'が', 'の', 'に', 'で', 'と', 'へ', 'も', 'や'])
                && lines::width(above) + 2 * SHORT <= self.measure;
            if is_title {
                draft.headline();
            }
            draft.body.add(&line.text, begins);
        } else {
            self.first += 1;
            let unnumbered = Draft { printed: Some(UNNUMBERED.to_string()), ..Draft::new("0.0", line.number) };
            self.foreword.get_or_insert(unnumbered).body.add(&line.text, begins);
        }
    }

    /// The line above is full and in the middle of a sentence.
    fn runs_on(&self, place: usize) -> bool {
        let above = place.checked_sub(1).map(|above| &self.lines[above].text);
        above.is_some_and(|above| lines::width(above) + SHORT > self.measure && !lines::ends_sentence(above))
    }

    fn begins(&self, place: usize) -> bool {
        let drawn = |text: &str| text.chars().all(|c| "■□◎★☆○●◇◆△▲▽▼".contains(c));
        let above = place.checked_sub(1).map_or("", |above| &self.lines[above].text);
        let text = &self.lines[place].text;
        let short = lines::width(above) + SHORT <= self.measure;
        drawn(text) || drawn(above) || text.starts_with('※') || above.ends_with('。') && short
    }

    fn entry(&mut self, place: usize) {
        let text = &self.lines[place].text;
        if let Some(entry) = lines::dated(text) {
            self.history.push(entry);
        } else if let Some(entry) = self.history.last_mut() {
            entry.text.push_str(text);
        }
    }
}
