//! Plays a scenario to be looked at: before, after, and what happened in between.

use serde::Serialize;

use super::attempt::{Attempt, Case, Ready};
use super::board::{Board, changes};
use super::check::clauses;
use super::explore::{Ending, LIMIT, count, every_way};
use super::file::Scenario;
use super::look::Scene;
use super::node::{At, Kind, Node, Note};
use super::store::Store;
use super::tell::{Line, story};
use crate::kernel::{Run, Settings};
use crate::text::caught::or_fault;
use crate::text::yaml;

/// What is different from the file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Clauses to do without: `dz:4.16.4-5` or `4.16.4-5`.
    pub without: Vec<String>,
    /// Readings: `("C1", "b")`.
    pub readings: Vec<(String, String)>,
    /// Changes of the table: `("A.手札", "[…]")`.
    pub set: Vec<(String, String)>,
    /// The twin of this number, from 0.
    pub vary: Option<usize>,
}

/// A scenario that has been played.
#[derive(Clone, Debug, Serialize)]
pub struct Played {
    pub title: String,
    pub before: Board,
    pub after: Board,
    pub changes: Vec<String>,
    /// What was tried and refused, as it should be: the step, why, and by which clause. Nothing came of it.
    pub refused: Vec<(String, String, String)>,
    pub trace: Vec<Line>,
    /// Clauses that were gone through, in order of first use.
    pub reached: Vec<String>,
    /// Those the file names as decisive.
    pub why: Vec<String>,
    /// How it stopped, in a sentence.
    pub end: String,
    /// What is not as the file says.
    pub failures: Vec<Note>,
}

/// Plays a scenario. `heading` finds what a clause is called.
pub fn perform(
    scenario: &Scenario,
    store: &Store,
    options: &Options,
    heading: &dyn Fn(&str) -> Option<String>,
) -> Result<Played, Vec<Note>> {
    or_fault(|| performed(scenario, store, options, heading)).unwrap_or_else(|fault| Err(vec![plain(fault)]))
}

fn performed(
    scenario: &Scenario,
    store: &Store,
    options: &Options,
    heading: &dyn Fn(&str) -> Option<String>,
) -> Result<Played, Vec<Note>> {
    let file = &scenario.file;
    let mut case = Case::of(scenario);
    let vary = options
        .vary
        .map(|i| file.vary.get(i).ok_or_else(|| vec![plain(format!("変えた盤面は{}個です", file.vary.len()))]))
        .transpose()?;
    if let Some(vary) = vary {
        case = case.varied(vary).map_err(|n| vec![n])?;
    }
    for (path, value) in &options.set {
        patch(&mut case.given, path, value, scenario.book.schema().seats).map_err(|n| vec![n])?;
    }
    case.readings.extend(options.readings.iter().cloned());
    let ready = Ready::new(scenario, store, &case)?;
    let expect = match (vary, &file.expect) {
        (Some(vary), _) => Some(ready.expect(&vary.expect)?),
        (None, Some(node)) => Some(ready.expect(node)?),
        (None, None) => None,
    };
    let code = scenario.book.code();
    let off = options.without.iter().map(|c| c.strip_prefix(&format!("{code}:")).unwrap_or(c).to_string()).collect();
    let settings = Settings { off, ..ready.settings() };
    let attempt = ready.attempt(&settings, None);
    let mut failures: Vec<Note> = ready.unlawful().into_iter().chain(attempt.failures.iter().cloned()).collect();
    if let Some(expect) = &expect {
        failures.extend(attempt.check(&ready, expect, &settings, false));
    }
    let start = Scene::new(ready.book, &ready.given, &ready.given.table, &settings);
    let now = attempt.scene(&ready, &settings);
    Ok(Played {
        title: vary.map_or(file.title.clone(), |v| format!("{} — {}", file.title, v.name)),
        before: Board::of(&start),
        after: Board::of(&now),
        changes: changes(&start, &now),
        refused: attempt.refusals.iter().map(|r| (r.step.clone(), r.why.clone(), r.cite.id())).collect(),
        trace: story(attempt.run.trace(), heading),
        reached: clauses(&attempt.reached()),
        why: file.why.iter().filter_map(Node::text).collect(),
        end: ending(&ready, &attempt),
        failures,
    })
}

/// All that can come of the answers a scenario leaves open, and how often it was run.
pub fn explore_all(scenario: &Scenario, store: &Store) -> Result<(Vec<Ending>, usize), Vec<Note>> {
    or_fault(|| explored(scenario, store)).unwrap_or_else(|fault| Err(vec![plain(fault)]))
}

fn explored(scenario: &Scenario, store: &Store) -> Result<(Vec<Ending>, usize), Vec<Note>> {
    let ready = Ready::new(scenario, store, &Case::of(scenario))?;
    let settings = ready.settings();
    let limit = scenario.file.explore.as_ref().and_then(|e| e.limit).unwrap_or(LIMIT);
    let mut endings = Vec::new();
    let runs =
        every_way(&ready, &settings, limit, |attempt, words| count(&mut endings, &ready, attempt, &settings, words));
    let runs = runs.map_err(|text| vec![plain(text)])?;
    Ok((endings, runs))
}

fn plain(text: String) -> Note {
    Note { at: At::default(), text }
}

/// How the run stopped.
fn ending(ready: &Ready, attempt: &Attempt) -> String {
    match &attempt.run {
        Run::Ended(..) => "デュエルが終わった".into(),
        Run::Asks(question, table, _) => format!("次は {}", super::answer::options(ready.names(), table, question)),
        Run::Refused(refusal, ..) => {
            let by = refusal.cite.map(|c| format!("（{}）", c.id())).unwrap_or_default();
            format!("{}はできない: {}{by}", refusal.what, refusal.why)
        }
        Run::Stopped(stopped, ..) => format!("{}: {}", stopped.lack.words(), stopped.text),
    }
}

/// `A.手札` → that zone; `蜘蛛.ダメージ` → that fact of the card; `turn.phase`, `squares.中央/中央`.
pub fn patch(given: &mut Node, path: &str, value: &str, seats: [&str; 2]) -> Result<(), Note> {
    let value = yaml::mapping::<Node>(std::path::Path::new("--set"), value);
    let value = value.map_err(|p| plain(format!("--set {path}: {}", p.message)))?.value;
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    let table = ["turn", "squares", "facts"].contains(&head) || seats.contains(&head);
    let target = if table { Some(given.entry(head, At::default())) } else { find_card(given, head) };
    match (target, rest) {
        (Some(target), Some(key)) => *target.entry(key, At::default()) = value,
        (Some(target), None) if table => *target = value,
        _ => {
            return Err(plain(format!(
                "--set {path}: 「A.手札=…」「呼び名.state=…」のように書いてください（「{head}」は見つかりません）"
            )));
        }
    }
    Ok(())
}

/// The entry of a card, made a mapping where it is only a name.
fn find_card<'a>(node: &'a mut Node, label: &str) -> Option<&'a mut Node> {
    if matches!(&node.kind, Kind::Map(pairs) if pairs.iter().any(|(k, v)| k.text == label && matches!(v.kind, Kind::Text(_))))
    {
        return Some(node);
    }
    if matches!(&node.kind, Kind::Text(text) if text == label) {
        let name = std::mem::take(node);
        let at = name.at;
        *node.entry(label, at) = name;
        return Some(node);
    }
    match &mut node.kind {
        Kind::List(items) => items.iter_mut().find_map(|item| find_card(item, label)),
        Kind::Map(pairs) => pairs.iter_mut().find_map(|(_, value)| find_card(value, label)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_patched_by_path() {
        let cases = [
            ("A.手札", "[赤]", "{A: {手札: [赤]}, squares: {中央: [{x: 蜘蛛, of: A}]}}"),
            ("x.state", "裏", "{A: {手札: [青]}, squares: {中央: [{x: 蜘蛛, of: A, state: 裏}]}}"),
            ("青.state", "裏", "{A: {手札: [{青: 青, state: 裏}]}, squares: {中央: [{x: 蜘蛛, of: A}]}}"),
            ("B.墓地", "3", "{A: {手札: [青]}, squares: {中央: [{x: 蜘蛛, of: A}]}, B: {墓地: 3}}"),
        ];
        for (path, value, expected) in cases {
            let text = "{A: {手札: [青]}, squares: {中央: [{x: 蜘蛛, of: A}]}}";
            let mut given = yaml::mapping::<Node>(std::path::Path::new("x"), text).ok().unwrap().value;
            patch(&mut given, path, value, ["A", "B"]).unwrap();
            assert_eq!(given.to_string(), expected);
        }
        assert!(patch(&mut Node::default(), "赤.state", "裏", ["A", "B"]).unwrap_err().text.contains("見つかりません"));
    }
}
