//! What must hold across the files. Each check is one function; [`lint`] is their list.

use std::collections::{HashMap, HashSet};

use super::ask::FIELD_NAMES;
use super::clause::Id;
use super::draft::{Draft, Drafts, whole};
use super::game::Game;
use super::library::UNNUMBERED;
use super::node::{How, Kind, Node, Target, references_in};
use super::yaml::{Placed, Problem};

/// Every problem of a set of drafts, beyond what reading the files has found.
pub fn lint(drafts: &Drafts) -> Vec<Problem> {
    let mut problems = Vec::new();
    let known: Vec<Known> = drafts.games.iter().map(Known::of).collect();
    problems.extend(concepts(drafts, &known));
    problems.extend(words(drafts));
    for (draft, known) in drafts.games.iter().zip(&known) {
        for check in [document, files, ids, order, statements, references, examples, terms, readings, history, asks] {
            problems.extend(check(draft, known));
        }
    }
    problems
}

/// The ids that a draft has.
struct Known {
    clauses: HashSet<Id>,
    /// In document order, for the nearest ones.
    sorted: Vec<Id>,
}

impl Known {
    fn of(draft: &Draft) -> Known {
        let mut sorted: Vec<Id> = draft.nodes().map(|n| n.value.id.clone()).collect();
        sorted.extend(draft.history.iter().map(|h| h.value.id.clone()));
        let clauses = sorted.iter().cloned().collect();
        sorted.sort();
        Known { clauses, sorted }
    }

    /// A message about an id that is not there, unless it is there.
    fn missing(&self, id: &Id) -> Option<String> {
        if self.clauses.contains(id) {
            return None;
        }
        let at = self.sorted.partition_point(|other| other < id);
        let near: Vec<String> = self.sorted[at.saturating_sub(1)..].iter().take(2).map(Id::to_string).collect();
        Some(format!("{id} という条文はありません（近いもの: {}）", near.join("、")))
    }
}

fn document(draft: &Draft, _: &Known) -> Vec<Problem> {
    let Some(document) = &draft.document else { return Vec::new() };
    let date_ok = document.value.date.as_deref().is_none_or(is_date);
    let problem = || document.problem("date", "date は YYYY-MM-DD と書いてください".to_string());
    if date_ok { Vec::new() } else { vec![problem()] }
}

/// A file is named by the clause it opens with, and belongs to one game.
fn files(draft: &Draft, _: &Known) -> Vec<Problem> {
    let mut problems = Vec::new();
    for chapter in &draft.chapters {
        match chapter.nodes.first() {
            None => problems.push(whole(&chapter.path, "条文がひとつもありません")),
            Some(first) if first.value.id.clause.as_str() != chapter.stem => {
                let message =
                    format!("{} で始まるファイルの名前は {}.yaml です", first.value.id, first.value.id.clause);
                problems.push(first.problem(&first.value.id.to_string(), message));
            }
            Some(_) => {}
        }
    }
    problems
}

fn ids(draft: &Draft, _: &Known) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut seen: HashMap<&Id, usize> = HashMap::new();
    for node in draft.nodes() {
        let id = &node.value.id;
        if id.game != draft.game {
            let message = format!("このフォルダの条文は {}: で始めてください", draft.game.code());
            problems.push(node.problem(&id.to_string(), message));
        }
        if !id.example.is_empty() {
            problems.push(node.problem(&id.to_string(), "用例は条文の examples に書いてください".to_string()));
        }
        if let Some(line) = seen.insert(id, node.line) {
            problems.push(node.problem(&id.to_string(), format!("{id} が二度あります（先は{line}行目）")));
        }
        let same = |text: &str| text == id.clause.as_str();
        if node.value.printed.as_deref().is_some_and(same) {
            problems.push(node.problem("printed", "printed は id と違うときだけ書いてください".to_string()));
        }
        for alias in node.value.aliases.iter().filter(|a| same(a)) {
            problems.push(node.problem(alias, "aliases に id と同じ番号は要りません".to_string()));
        }
    }
    problems
}

/// Parents come before their children, and siblings in the order of their numbers.
fn order(draft: &Draft, known: &Known) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut seen: HashSet<&Id> = HashSet::new();
    let mut last: HashMap<Option<Id>, &Id> = HashMap::new();
    for node in draft.nodes() {
        let id = &node.value.id;
        let parent = id.clause.ancestors().map(|c| Id::new(id.game, c)).find(|p| known.clauses.contains(p));
        if let Some(parent) = parent.as_ref().filter(|p| !seen.contains(p)) {
            problems.push(node.problem(&id.to_string(), format!("{id} は親の {parent} より後に書いてください")));
        }
        if let Some(before) = last.insert(parent, id).filter(|before| *before > id) {
            problems.push(node.problem(&id.to_string(), format!("順序が違います（{before} の後に {id}）")));
        }
        seen.insert(id);
    }
    problems
}

/// A heading has a title, anything else says something or says that it was lost.
fn statements(draft: &Draft, _: &Known) -> Vec<Problem> {
    let mut problems = Vec::new();
    for node in draft.nodes() {
        let Node { id, kind, title, text, lost, inferred, printed, .. } = &node.value;
        let ours = printed.as_deref() == Some(UNNUMBERED);
        let wrong = match kind {
            Kind::Heading if title.is_none() && !ours => Some("見出し（heading）には title が要ります"),
            Kind::Heading if text.is_some() => {
                Some("見出し（heading）に text は書けません。内容があるなら kind を変えてください")
            }
            _ if inferred.is_some() && lost.is_none() => Some("inferred は lost と一緒に書いてください"),
            _ => None,
        };
        if let Some(message) = wrong {
            problems.push(node.problem(&id.to_string(), message.to_string()));
        }
        for (key, value) in [("title", title), ("text", text), ("lost", lost), ("inferred", inferred)] {
            if value.as_ref().is_some_and(|v| v.trim().is_empty()) {
                problems.push(node.problem(key, format!("{key} が空です")));
            }
        }
    }
    problems
}

fn references(draft: &Draft, known: &Known) -> Vec<Problem> {
    let mut problems = Vec::new();
    for node in draft.nodes() {
        for id in &node.value.executed_by {
            problems.extend(known.missing(id).map(|m| node.problem(&id.to_string(), m)));
        }
        for reference in &node.value.refs {
            for id in reference.ends() {
                problems.extend(known.missing(id).map(|m| node.problem(&id.to_string(), m)));
            }
            if let Target::Range(a, b) = &reference.target
                && a >= b
            {
                problems.push(node.problem(&b.to_string(), format!("範囲が逆です（{a} から {b}）")));
            }
            if reference.how == How::Number && reference.printed.is_some() && reference.note.is_none() {
                problems.push(node.problem("printed", "誤った参照には note で説明を付けてください".to_string()));
            }
        }
        let texts = [&node.value.text, &node.value.lost, &node.value.inferred];
        problems.extend(texts_refer(node, texts.into_iter().flatten().map(String::as_str), known));
    }
    problems
}

/// References written inside texts must lead somewhere.
fn texts_refer<'a, T>(item: &Placed<T>, texts: impl Iterator<Item = &'a str>, known: &Known) -> Vec<Problem> {
    let ids = texts.flat_map(references_in).map(|(_, id)| id);
    ids.filter_map(|id| Some(item.problem(&id.to_string(), known.missing(&id)?))).collect()
}

fn examples(draft: &Draft, _: &Known) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut seen = HashSet::new();
    for node in draft.nodes() {
        for example in &node.value.examples {
            let id = &example.id;
            let here = std::iter::once(node.value.id.clause.as_str()).chain(node.value.printed.as_deref());
            if id.example.is_empty()
                || !here.chain(node.value.aliases.iter().map(String::as_str)).any(|c| c == id.clause.as_str())
            {
                let message = format!("{} の用例のidは {}#1 の形にしてください", node.value.id, node.value.id);
                problems.push(node.problem(&id.to_string(), message));
            }
            if !seen.insert(id) {
                problems.push(node.problem(&id.to_string(), format!("用例 {id} が二度あります")));
            }
        }
    }
    problems
}

fn terms(draft: &Draft, known: &Known) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for placed in &draft.terms {
        let term = &placed.value;
        for id in term.defined.iter().chain(&term.see) {
            problems.extend(known.missing(id).map(|m| placed.problem(&id.to_string(), m)));
        }
        if !is_kana(&term.reading) {
            let message = format!("「{}」の読みはひらがなで書いてください", term.term);
            problems.push(placed.problem("reading", message));
        }
        if term.undefined != term.defined.is_empty() {
            let message =
                format!("「{}」には defined（定義する条文）か undefined: true のどちらかが要ります", term.term);
            problems.push(placed.problem(&term.term, message));
        }
        if term.undefined && term.see.is_empty() {
            let message = format!("定義のない「{}」には see（使われている条文）が要ります", term.term);
            problems.push(placed.problem(&term.term, message));
        }
        for word in std::iter::once(&term.term).chain(&term.synonyms) {
            if let Some(first) = seen.insert(word, &term.term) {
                problems.push(placed.problem(word, format!("「{word}」は用語「{first}」にもあります")));
            }
        }
    }
    problems
}

fn readings(draft: &Draft, known: &Known) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut seen = HashSet::new();
    for placed in &draft.readings {
        let reading = &placed.value;
        if !seen.insert(&reading.id) {
            problems.push(placed.problem(&reading.id.to_string(), format!("{} が二度あります", reading.id)));
        }
        for id in &reading.clauses {
            problems.extend(known.missing(id).map(|m| placed.problem(&id.to_string(), m)));
        }
        if !reading.options.iter().any(|o| o.key == reading.default) {
            let keys: Vec<&str> = reading.options.iter().map(|o| o.key.as_str()).collect();
            let message = format!("default は options のどれか（{}）にしてください", keys.join("、"));
            problems.push(placed.problem("default", message));
        }
        let options = reading.options.iter().map(|o| o.text.as_str());
        let texts = options.chain([reading.question.as_str(), reading.why.as_str()]).chain(reading.nothing.as_deref());
        problems.extend(texts_refer(placed, texts, known));
    }
    problems
}

fn history(draft: &Draft, known: &Known) -> Vec<Problem> {
    let mut problems = Vec::new();
    for placed in &draft.history {
        if !is_date(&placed.value.date) {
            problems.push(placed.problem("date", "date は YYYY-MM-DD（失われた所は省く）と書いてください".to_string()));
        }
        for id in placed.value.changes.iter().flat_map(|c| &c.touches) {
            problems.extend(known.missing(id).map(|m| placed.problem(&id.to_string(), m)));
        }
    }
    problems
}

/// What people type leads to clauses that exist, and no clause is listed twice.
fn asks(draft: &Draft, known: &Known) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut seen = HashSet::new();
    for placed in &draft.asks {
        let ask = &placed.value;
        problems.extend(known.missing(&ask.at).map(|m| placed.problem(&ask.at.to_string(), m)));
        if !seen.insert(&ask.at) {
            problems.push(placed.problem(&ask.at.to_string(), format!("{} が二度あります", ask.at)));
        }
        if ask.say.is_empty() {
            problems.push(placed.problem("say", "say には言葉が1つは要ります".to_string()));
        }
    }
    problems
}

/// A word stands in one group of synonyms, and a slip is not also right.
fn words(drafts: &Drafts) -> Vec<Problem> {
    let Some(placed) = &drafts.words else { return Vec::new() };
    let mut problems = Vec::new();
    let mut seen = HashSet::new();
    for word in placed.value.synonyms.iter().flatten() {
        if !seen.insert(word) {
            problems.push(placed.problem(word, format!("「{word}」が二度あります")));
        }
    }
    for field in placed.value.weights.keys().filter(|f| !FIELD_NAMES.contains(&f.as_str())) {
        let message = format!("「{field}」という欄はありません（使えるもの: {}）", FIELD_NAMES.join("、"));
        problems.push(placed.problem(field, message));
    }
    let mut typed = HashSet::new();
    for slip in &placed.value.slips {
        let right = drafts.games.iter().flat_map(|d| &d.terms).any(|t| t.value.term == slip.typed);
        if right || !typed.insert(&slip.typed) {
            let message = format!("打ち間違い「{}」は、正しい用語でもあるか、二度あります", slip.typed);
            problems.push(placed.problem(&slip.typed, message));
        }
    }
    problems
}

/// A concept is treated by at least two games, once each, by clauses that exist.
fn concepts(drafts: &Drafts, known: &[Known]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for placed in &drafts.concepts {
        let concept = &placed.value;
        for word in std::iter::once(&concept.concept).chain(&concept.also) {
            if let Some(first) = seen.insert(word, &concept.concept) {
                problems.push(placed.problem(word, format!("「{word}」は概念「{first}」にもあります")));
            }
        }
        if !is_kana(&concept.reading) {
            problems
                .push(placed.problem("reading", format!("「{}」の読みはひらがなで書いてください", concept.concept)));
        }
        let mut games: Vec<Game> = concept.games.iter().filter_map(|t| Some(t.clauses.first()?.game)).collect();
        if games.len() < concept.games.len() {
            problems.push(placed.problem("clauses", "clauses には条文が1つは要ります".to_string()));
        }
        games.sort();
        games.dedup();
        if games.len() < concept.games.len().max(2) {
            let message = "概念は2つ以上のゲームについて、ゲームごとに1度ずつ書いてください".to_string();
            problems.push(placed.problem("games", message));
        }
        for treatment in &concept.games {
            let texts = references_in(&treatment.text).into_iter().map(|(_, id)| id);
            for id in treatment.clauses.iter().cloned().chain(texts) {
                let missing = known[id.game.index()].missing(&id);
                problems.extend(missing.map(|m| placed.problem(&id.to_string(), m)));
            }
        }
    }
    problems
}

/// `2011-02-24`, `2011-02` or `2011`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |s: &str, length: usize, range: std::ops::RangeInclusive<u32>| {
        s.len() == length && s.parse().is_ok_and(|n| range.contains(&n))
    };
    match parts.as_slice() {
        [y] => number(y, 4, 1990..=2100),
        [y, m] => number(y, 4, 1990..=2100) && number(m, 2, 1..=12),
        [y, m, d] => number(y, 4, 1990..=2100) && number(m, 2, 1..=12) && number(d, 2, 1..=31),
        _ => false,
    }
}

fn is_kana(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| matches!(c, 'ぁ'..='ゖ' | 'ー'))
}
