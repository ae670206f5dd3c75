//! `saitei check`: all scenarios, in parallel.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use crate::desk::Desk;
use crate::desk::coverage;
use crate::scenario::{Report, Scenario, Store, check};
use crate::stock::files;
use crate::text::Library;

use super::boards::{Boards, Found, is_card_file, text_of};
use super::print::whisper;
use super::screen::{Ink, Screen};
use super::{Common, Done, Failure, Outcome, open};

/// すべての盤面を動かし、ファイルの言うとおりになるかを調べる
#[derive(clap::Args)]
pub struct Check {
    /// 盤面のファイルやフォルダ、または裁定・用例・条文の番号（書かなければすべて）
    #[arg(value_name = "盤面")]
    paths: Vec<String>,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

/// A report, or what keeps the file from being read.
pub struct Checked {
    pub path: PathBuf,
    pub game: &'static str,
    pub report: Option<Report>,
    pub problems: Vec<String>,
    /// How long it took.
    pub ms: f64,
}

impl Checked {
    pub fn passed(&self) -> bool {
        self.report.as_ref().is_some_and(|r| r.passed) && self.problems.is_empty()
    }
}

impl From<Checked> for coverage::Checked {
    fn from(c: Checked) -> coverage::Checked {
        let passed = c.passed();
        coverage::Checked { file: c.path.display().to_string(), game: c.game, passed, report: c.report }
    }
}

impl Check {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let mut rulings = Boards::open(common)?;
        let chosen = self.chosen(common, &rulings)?;
        if chosen.is_empty() {
            return Err(Failure("調べる盤面がありません（--data のフォルダに rulings/ が要ります）".to_string()));
        }
        let library = open::library(common)?;
        let checked = check_all(&mut rulings, &library, &chosen, std::io::stderr().is_terminal() && !self.json)?;
        if self.json {
            screen.json(&as_json(&checked));
        } else {
            summary(&checked, screen);
        }
        Ok(if checked.iter().all(Checked::passed) { Outcome::Found } else { Outcome::None })
    }

    fn chosen(&self, common: &Common, boards: &Boards) -> Result<Vec<(PathBuf, String)>, Failure> {
        if self.paths.is_empty() {
            return Ok(boards.scenarios().cloned().collect());
        }
        let library = open::library(common)?;
        let mut chosen = Vec::new();
        for wanted in &self.paths {
            let path = Path::new(wanted);
            let within: Vec<_> = boards.scenarios().filter(|(p, _)| p.starts_with(path)).cloned().collect();
            if path.is_dir() {
                let (paths, refused) = files::tree(path);
                if let Some((path, why)) = refused.first() {
                    return Err(Failure(format!("{} を読めません（{why}）", path.display())));
                }
                for path in paths.into_iter().filter(|p| !is_card_file(p)) {
                    let text = text_of(&path)?;
                    chosen.push((path, text));
                }
            } else if !within.is_empty() {
                chosen.extend(within);
            } else {
                match boards.find(&library, wanted)? {
                    Found::One(path, text) => chosen.push((path, text)),
                    Found::Several(several) => chosen.extend(several.iter().filter_map(|r| boards.of(r)).cloned()),
                }
            }
        }
        Ok(chosen)
    }
}

/// Checks the scenarios on all cores, in the order given.
pub fn check_all(
    rulings: &mut Boards,
    library: &Library,
    chosen: &[(PathBuf, String)],
    progress: bool,
) -> Result<Vec<Checked>, Failure> {
    let mut loaded: Vec<(PathBuf, Result<Scenario, Vec<String>>)> = Vec::new();
    for (path, text) in chosen {
        let scenario = Scenario::load(path, text).map_err(|ps| ps.iter().map(ToString::to_string).collect());
        loaded.push((path.clone(), scenario));
    }
    let mut stores: BTreeMap<&'static str, &Store> = BTreeMap::new();
    for (_, scenario) in &loaded {
        if let Ok(scenario) = scenario {
            rulings.store(scenario.book)?;
        }
    }
    let rulings: &Boards = rulings;
    for (_, scenario) in &loaded {
        if let Ok(scenario) = scenario {
            stores.insert(scenario.book.code(), rulings.ready(scenario.book));
        }
    }
    let mut checked = in_parallel(&loaded, &stores, progress);
    for ((_, scenario), checked) in loaded.iter().zip(&mut checked) {
        let Ok(scenario) = scenario else { continue };
        let desk = Desk { scenario, store: stores[scenario.book.code()], library };
        checked.problems.extend(desk.wrong_readings().into_iter().map(|n| n.text));
    }
    Ok(checked)
}

fn in_parallel(
    loaded: &[(PathBuf, Result<Scenario, Vec<String>>)],
    stores: &BTreeMap<&'static str, &Store>,
    progress: bool,
) -> Vec<Checked> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Checked)>> = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(loaded.len().max(1));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some((path, scenario)) = loaded.get(at) else { break };
                    let checked = one(path, scenario, stores);
                    if progress && at.is_multiple_of(16) {
                        whisper(&format!("\r{at}/{}", loaded.len()));
                    }
                    done.lock().unwrap_or_else(|e| e.into_inner()).push((at, checked));
                }
            });
        }
    });
    if progress {
        whisper("\r          \r");
    }
    let mut done = done.into_inner().unwrap_or_else(|e| e.into_inner());
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, checked)| checked).collect()
}

fn one(path: &Path, scenario: &Result<Scenario, Vec<String>>, stores: &BTreeMap<&'static str, &Store>) -> Checked {
    match scenario {
        Err(problems) => Checked { path: path.into(), game: "", report: None, problems: problems.clone(), ms: 0.0 },
        Ok(scenario) => {
            let game = scenario.book.code();
            let begun = std::time::Instant::now();
            let report = check(scenario, stores[game]);
            let ms = begun.elapsed().as_secs_f64() * 1000.0;
            let problems = report.failures.iter().map(|n| scenario.problem(n).to_string()).collect();
            Checked { path: path.into(), game, report: Some(report), problems, ms }
        }
    }
}

fn as_json(checked: &[Checked]) -> serde_json::Value {
    let scenarios: Vec<_> = checked
        .iter()
        .map(|c| {
            let why = c.report.iter().flat_map(|r| &r.why);
            let why: Vec<_> =
                why.map(|w| json!({"clause": w.clause, "reached": w.reached, "decisive": w.decisive})).collect();
            json!({
                "file": c.path.display().to_string(),
                "example": c.report.as_ref().and_then(|r| r.example.clone()),
                "game": c.game,
                "verdict": c.report.as_ref().map(|r| r.verdict),
                "passed": c.passed(),
                "problems": c.problems,
                "why": why,
                "ms": c.report.as_ref().map(|_| (c.ms * 1000.0).round() / 1000.0),
            })
        })
        .collect();
    let passed = checked.iter().filter(|c| c.passed()).count();
    json!({"scenarios": scenarios, "totals": {"scenarios": checked.len(), "passed": passed, "failed": checked.len() - passed, "by": counts(checked)}})
}

/// How many of each game and verdict came out as their files say.
fn counts(checked: &[Checked]) -> BTreeMap<&'static str, BTreeMap<&'static str, usize>> {
    let mut counts: BTreeMap<&'static str, BTreeMap<&'static str, usize>> = BTreeMap::new();
    for c in checked {
        let verdict = match (&c.report, c.passed()) {
            (Some(report), true) => report.verdict.name(),
            _ => "不合格",
        };
        *counts
            .entry(if c.game.is_empty() { "読めない盤面" } else { c.game })
            .or_default()
            .entry(verdict)
            .or_default() += 1;
    }
    counts
}

fn summary(checked: &[Checked], screen: &mut Screen) {
    for c in checked.iter().filter(|c| !c.passed()) {
        screen.line(0, 2, &[(Ink::Warn, "不合格 "), (Ink::Plain, &c.path.display().to_string())]);
        for problem in &c.problems {
            screen.line(2, 2, &[(Ink::Plain, problem)]);
        }
        if c.report.is_none() && c.problems.iter().any(|p| p.contains("「expect:」")) {
            let path = c.path.display();
            screen.line(
                2,
                2,
                &[(Ink::Dim, &format!("どうなるかを見るだけなら、saitei run {path}（given と play だけで動きます）"))],
            );
        }
    }
    for (game, verdicts) in counts(checked) {
        let list: Vec<String> = verdicts.iter().map(|(verdict, n)| format!("{verdict} {n}")).collect();
        screen.line(0, 2, &[(Ink::Bold, game), (Ink::Plain, &format!(": {}", list.join("、")))]);
    }
    let why: usize = checked.iter().filter_map(|c| c.report.as_ref()).map(|r| r.why.len()).sum();
    let ms: f64 = checked.iter().map(|c| c.ms).fold(0.0, |a, b| a + b);
    let failed = checked.iter().filter(|c| !c.passed()).count();
    screen.line(
        0,
        2,
        &[(
            Ink::Plain,
            &format!("盤面 {}、決め手の条文 のべ{why}、不合格 {failed}（計算時間 {ms:.0}ms）", checked.len()),
        )],
    );
}
