//! Z/X 総合ルール: three levels of numbers, tree from the number only.
//!
//! | question | file |
//! |---|---|
//! | what is a number, and what may follow it? | [`number`] |
//! | which line belongs to which clause? | [`body`] |
//! | what is a reference? | [`reference`] |
//! | which blanks are real, which examples copies? | [`wording`] |
//! | the change history | [`history`] |

mod body;
mod history;
mod number;
mod reference;
mod wording;

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::markdown::{self, Line, Shape};
use super::official::{Official, OfficialNode, SourceLine, Stop};
use crate::text::library::UNNUMBERED;
use crate::text::{Clause, Game, Id};
use body::{Body, Entry};
use number::Number;
use wording::Names;

/// Reads the document.
pub fn read(lines: &[SourceLine]) -> Result<Official, Stop> {
    let lines = markdown::plain(lines);
    let names = Names::of(&lines);
    let (rules, appendix, changes) = parts(&lines);
    let mut body = Body::default();
    rules.iter().for_each(|line| body.take(line));
    let entries = numbered(body.entries);
    let clauses = entries.iter().filter(|e| !e.heading()).count();
    if clauses == 0 {
        return Err(stop(&entries));
    }
    let titles = titles(&entries, &names);
    let mut nodes: Vec<OfficialNode> = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        let below = entries.get(i + 1).and_then(|e| e.number).and_then(Number::parent);
        nodes.extend(node(entry, below.is_some() && below == entry.number, &names, &titles));
    }
    nodes.extend(appendix_node(appendix, &names));
    let history = history::read(changes);
    let (title, edition, date) = edition(&lines, rules);
    let edition = edition.or_else(|| history.last().map(|e| format!("Ver. {}", e.version)));
    let date = date.or_else(|| history.last().map(|e| e.date.clone()));
    Ok(Official {
        title,
        edition: edition.unwrap_or_else(|| "版不明".to_string()),
        date,
        nodes,
        history,
        ..Official::default()
    })
}

static APPENDIX: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^付録\s?([A-Z])\s?[:：]\s?([^。]*)$").expect("a fixed pattern"));

/// The document in its three parts: the rules, the appendix, the change history.
fn parts(lines: &[Line]) -> (&[Line], &[Line], &[Line]) {
    let from = |first: fn(&Line) -> bool| lines.iter().position(first).unwrap_or(lines.len());
    // Contents may name both: a row with its page is no title.
    let changes = from(|line| line.text == "変更履歴" || history::opens(line));
    let appendix = from(|line| line.shape != Shape::Row && APPENDIX.is_match(&line.text)).min(changes);
    (&lines[..appendix], &lines[appendix..changes], &lines[changes..])
}

/// Gives every entry a number: paragraphs that have lost theirs take the next one if it is printed nowhere else, or
/// belong to the clause above; sub-clauses whose clause is not printed get one without a text.
fn numbered(read: Vec<Entry>) -> Vec<Entry> {
    let printed: HashSet<Number> = read.iter().filter_map(|e| e.number).collect();
    let mut known = HashSet::new();
    let mut entries: Vec<Entry> = Vec::new();
    for mut entry in read {
        let number = match (entry.number, entries.last_mut()) {
            (Some(number), _) => number,
            (None, Some(last)) => match last.number.map(Number::sibling).filter(|next| !printed.contains(next)) {
                Some(next) if known.insert(next) => {
                    entry.printed = UNNUMBERED.to_string();
                    next
                }
                _ => {
                    last.paragraphs.extend(entry.paragraphs);
                    continue;
                }
            },
            (None, None) => continue,
        };
        if let Some(above) = number.parent().filter(|above| !printed.contains(above) && known.insert(*above)) {
            let (number, printed, line) = (Some(above), UNNUMBERED.to_string(), entry.line);
            entries.push(Entry { number, printed, line, ..Entry::default() });
        }
        entry.number = Some(number);
        entries.push(entry);
    }
    entries
}

fn titles(entries: &[Entry], names: &Names) -> HashMap<u32, String> {
    let headings = entries.iter().filter(|e| e.heading());
    headings.filter_map(|e| Some((e.number?.section, names.close_up(e.title.as_ref()?)))).collect()
}

/// `above` if the next clause stands under this one.
fn node(entry: &Entry, above: bool, names: &Names, titles: &HashMap<u32, String>) -> Option<OfficialNode> {
    let number = entry.number?.to_string();
    let mut title = entry.title.as_ref().map(|t| names.close_up(t));
    let mut text = wording(&entry.paragraphs, names);
    // A clause that says nothing and has clauses below it is their title. Sentences end in kana.
    let name = !text.contains(['。', '\n']) && !text.ends_with(|c| matches!(c, 'ぁ'..='ん'));
    if above && title.is_none() && !text.is_empty() && name {
        title = Some(std::mem::take(&mut text));
    }
    let examples: Vec<String> =
        wording::without_copies(entry.examples.clone()).iter().map(|e| names.close_up(e)).collect();
    let refs = std::iter::once(&text).chain(&examples).flat_map(|t| reference::references(t, titles)).collect();
    let printed = (entry.printed != number).then(|| entry.printed.clone());
    Some(OfficialNode { id: id(&number)?, printed, title, text, refs, examples, line: entry.line })
}

/// Paragraphs a line each; the cells of a row stand apart by a blank.
fn wording(paragraphs: &[String], names: &Names) -> String {
    paragraphs.iter().map(|p| names.close_up(p).replace('\t', " ")).collect::<Vec<_>>().join("\n")
}

fn id(clause: &str) -> Option<Id> {
    Some(Id::new(Game::from_code("zx")?, Clause::new(clause)?))
}

/// The appendix is one node: its sentence and the rows of its table.
fn appendix_node(lines: &[Line], names: &Names) -> Option<OfficialNode> {
    let (head, rest) = lines.split_first()?;
    let found = APPENDIX.captures(&head.text)?;
    let mut columns = None;
    let mut paragraphs: Vec<String> = Vec::new();
    for line in rest {
        let cells: Vec<&str> = line.text.split('\t').map(str::trim).collect();
        if line.shape != Shape::Row {
            paragraphs.push(line.text.clone());
            continue;
        }
        // OCR puts cells of its own in front of damaged rows: as many as the first row has count, from the end.
        let wide = *columns.get_or_insert(cells.len());
        let row = cells[cells.len().saturating_sub(wide)..].join("\t");
        if row.chars().any(char::is_alphanumeric) {
            paragraphs.push(row);
        }
    }
    let text = wording(&paragraphs, names);
    let title = Some(names.close_up(found[2].trim())).filter(|t| !t.is_empty());
    let printed = Some(format!("付録 {}", &found[1]));
    Some(OfficialNode {
        id: id(&found[1])?,
        printed,
        title,
        text,
        refs: Vec::new(),
        examples: Vec::new(),
        line: head.number,
    })
}

static EDITION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"Ver\.?\s?(\d+(?:\.\d+)+)").expect("a fixed pattern"));
static DATE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(\d{4})\s?[/年.-]\s?(\d{1,2})\s?[/月.-]\s?(\d{1,2})").expect("a fixed pattern"));

/// Title, edition and date, from what stands before the first clause.
fn edition(lines: &[Line], rules: &[Line]) -> (Option<String>, Option<String>, Option<String>) {
    let first = rules.iter().position(|l| number::leading(&l.text, None).is_some()).unwrap_or(0);
    let front = &lines[..first];
    let found = front.iter().find_map(|l| Some((EDITION.captures(&l.text)?, l)));
    let title = found.as_ref().map(|(mark, l)| l.text.replace(&mark[0], "").trim().to_string());
    let edition = found.as_ref().map(|(mark, _)| format!("Ver. {}", &mark[1]));
    let date = front.iter().find_map(|l| DATE.captures(&l.text)).map(|d| {
        let number = |i: usize| d[i].parse::<u32>().unwrap_or(0);
        format!("{:04}-{:02}-{:02}", number(1), number(2), number(3))
    });
    (title.filter(|t| !t.is_empty()), edition, date)
}

fn stop(entries: &[Entry]) -> Stop {
    let recognised = entries.iter().map(|e| format!("{} {}", e.printed, e.title.as_deref().unwrap_or_default()));
    Stop {
        recognised: recognised.take(20).collect(),
        line: 0,
        message: "Z/X 総合ルールの条文が見つかりません（条文は「101.1 …」のように番号で始まります）".to_string(),
    }
}
