//! Checks a scenario: the rules that keep it honest are all here or called from here.

use serde::Serialize;

use crate::kernel::cite::cited;
use crate::kernel::{Cite, Settings};
use crate::scenario::file::node::{At, Node, Note};
use crate::scenario::file::store::Store;
use crate::scenario::file::work::Work;
use crate::scenario::file::{Scenario, Under, Vary, Verdict};
use crate::scenario::judge::explore::{Ending, LIMIT};
use crate::scenario::judge::{Goal, Judged, judge};
use crate::scenario::play::attempt::{Case, Ready};
use crate::text::caught::or_fault;

/// How a scenario came out.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub file: String,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
    pub verdict: Verdict,
    pub passed: bool,
    pub failures: Vec<Note>,
    pub why: Vec<Why>,
    pub twins: Vec<Twin>,
    /// What exploring found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub endings: Vec<Ending>,
    /// Clauses that the main run went through, in order of first use.
    pub reached: Vec<String>,
    /// How often a duel was run.
    pub runs: usize,
}

/// A clause of `why:`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Why {
    pub clause: String,
    pub reached: bool,
    pub decisive: bool,
    /// How that is known: knocked out, or shown by a twin.
    pub how: String,
}

/// A `vary:` twin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Twin {
    pub name: String,
    pub passed: bool,
    /// What the scenario expects does not come out here.
    pub differs: bool,
}

/// Runs a scenario, its twins and its knock-outs. What breaks in between is our fault, and reported as that.
pub fn check(scenario: &Scenario, store: &Store) -> Report {
    or_fault(|| checked(scenario, store)).unwrap_or_else(|text| {
        let failures = vec![Note { at: At::default(), text }];
        Report { failures, ..blank(scenario) }
    })
}

fn checked(scenario: &Scenario, store: &Store) -> Report {
    scenario.work.anew();
    let mut checker = Checker { scenario, store, report: blank(scenario) };
    if scenario.file.verdict != Verdict::NotExecutable {
        match Ready::new(scenario, store, &Case::of(scenario)) {
            Ok(ready) => checker.run(&ready),
            Err(notes) => checker.report.failures = notes,
        }
    }
    if scenario.work.is_over() {
        checker.fail(At::default(), Work::over());
    }
    let mut report = checker.report;
    report.failures.dedup();
    report.passed = report.failures.is_empty();
    report
}

/// Whether the main script comes out as written: no twins, no knock-outs, no reasons.
pub fn holds(scenario: &Scenario, store: &Store) -> bool {
    let holds = || {
        scenario.work.anew();
        let ready = Ready::new(scenario, store, &Case::of(scenario)).ok()?;
        let checker = Checker { scenario, store, report: blank(scenario) };
        let goal = checker.goal(&ready).ok()?;
        Some(judge(&ready, &goal, &ready.settings(), true).failures.is_empty())
    };
    or_fault(holds).ok().flatten().unwrap_or(false)
}

fn blank(scenario: &Scenario) -> Report {
    let file = &scenario.file;
    Report {
        file: scenario.path.display().to_string(),
        title: file.title.clone(),
        example: file.example.clone(),
        verdict: file.verdict,
        passed: false,
        failures: Vec::new(),
        why: Vec::new(),
        twins: Vec::new(),
        endings: Vec::new(),
        reached: Vec::new(),
        runs: 0,
    }
}

struct Checker<'a> {
    scenario: &'a Scenario,
    store: &'a Store,
    report: Report,
}

impl Checker<'_> {
    fn fail(&mut self, at: At, text: impl Into<String>) {
        self.report.failures.push(Note { at, text: text.into() });
    }

    fn run(&mut self, ready: &Ready) {
        if let Some(note) = ready.unlawful() {
            return self.report.failures.push(note);
        }
        if !self.scenario.file.under.is_empty() {
            return self.under();
        }
        let goal = match self.goal(ready) {
            Ok(goal) => goal,
            Err(notes) => return self.report.failures.extend(notes),
        };
        let settings = ready.settings();
        let judged = judge(ready, &goal, &settings, true);
        self.report.runs += judged.runs;
        self.report.reached = clauses(&judged.reached);
        self.report.endings = judged.endings.clone();
        let sound = judged.failures.is_empty();
        self.report.failures.extend(judged.failures.iter().cloned());
        self.claims(ready, &settings);
        let twins = self.twins(&goal);
        // What decides a run that does not come out as written is of no interest yet.
        if sound {
            self.why(ready, &goal, &judged, &twins);
        }
    }

    fn goal(&self, ready: &Ready) -> Result<Goal, Vec<Note>> {
        let file = &self.scenario.file;
        let read = |node: &Option<Node>| node.as_ref().map(|n| ready.expect(n)).transpose();
        if let Some(explore) = &file.explore {
            let every = [read(&explore.every)?, read(&file.expect)?].into_iter().flatten().collect();
            return Ok(Goal::All { every, some: read(&explore.some)?, limit: explore.limit.unwrap_or(LIMIT) });
        }
        match read(&file.expect)? {
            Some(expect) if file.verdict != Verdict::Undecided => Ok(Goal::End(expect)),
            _ => Ok(Goal::Undecided),
        }
    }

    /// What the document claims must not come out.
    fn claims(&mut self, ready: &Ready, settings: &Settings) {
        let Some(node) = &self.scenario.file.claims else { return };
        match ready.expect(node) {
            Err(notes) => self.report.failures.extend(notes),
            Ok(claims) => {
                let attempt = ready.attempt(settings, None);
                self.report.runs += 1;
                if attempt.check(ready, &claims, settings, false).is_empty() {
                    self.fail(node.at, "文書の言う結果（claims）のとおりになりました。矛盾していません");
                }
            }
        }
    }

    /// The twins: whether each passes and differs from the scenario.
    fn twins(&mut self, goal: &Goal) -> Vec<Twin> {
        let twins: Vec<Twin> = self.scenario.file.vary.iter().map(|vary| self.twin(vary, goal)).collect();
        self.report.twins = twins.clone();
        twins
    }

    fn twin(&mut self, vary: &Vary, goal: &Goal) -> Twin {
        let scenario = self.scenario;
        let mut twin = Twin { name: vary.name.clone(), passed: false, differs: false };
        let about = |mut note: Note| {
            note.text = format!("変えた盤面「{}」: {}", vary.name, note.text);
            note
        };
        let made = Case::of(scenario)
            .varied(vary)
            .map_err(|n| vec![n])
            .and_then(|case| Ready::new(scenario, self.store, &case));
        let made = made.and_then(|ready| ready.expect(&vary.expect).map(|expect| (ready, expect)));
        let (ready, expect) = match made {
            Ok(made) => made,
            Err(notes) => {
                self.report.failures.extend(notes.into_iter().map(about));
                return twin;
            }
        };
        if let Some(note) = ready.unlawful() {
            self.report.failures.push(about(note));
            return twin;
        }
        let settings = ready.settings();
        let judged = judge(&ready, &Goal::End(expect), &settings, true);
        self.report.runs += judged.runs;
        twin.passed = judged.failures.is_empty();
        self.report.failures.extend(judged.failures.into_iter().map(about));
        // Cards may be fewer here, so the goal is read anew; what cannot be read cannot come out.
        twin.differs = match self.goal(&ready) {
            Ok(goal) => !judge(&ready, &goal, &settings, false).failures.is_empty(),
            Err(_) => !matches!(goal, Goal::Undecided),
        };
        twin
    }

    /// Every clause reached, and decisive by itself or through a twin.
    fn why(&mut self, ready: &Ready, goal: &Goal, judged: &Judged, twins: &[Twin]) {
        let scenario = self.scenario;
        let code = scenario.book.code();
        for vary in &scenario.file.vary {
            for node in &vary.carries {
                if !scenario.file.why.iter().any(|w| w.text() == node.text()) {
                    self.fail(node.at, format!("{node} は「why:」にありません"));
                }
            }
        }
        for node in &scenario.file.why {
            let clause = match scenario.clause(node) {
                Ok(clause) => clause,
                Err(note) => {
                    self.report.failures.push(note);
                    continue;
                }
            };
            let cites: Vec<&Cite> = cited(code).into_iter().filter(|c| c.clause == clause).collect();
            let reached = judged.reached.iter().any(|c| c.clause == clause);
            let removable = cites.iter().any(|c| c.rule.can_be_knocked_out());
            let changes = reached && removable && self.knocked_out(ready, goal, &clause);
            let carrier = self.carrier(node, twins);
            let how = match (changes, &carrier) {
                (true, _) => "外すと結果が変わる".to_string(),
                (false, Some(name)) => format!("変えた盤面「{name}」が示す"),
                (false, None) => String::new(),
            };
            let decisive = changes || carrier.is_some();
            self.report.why.push(Why { clause: format!("{code}:{clause}"), reached, decisive, how });
            if let Some(text) = lacking(code, &clause, !cites.is_empty(), judged, reached, removable, decisive) {
                self.fail(node.at, text);
            }
        }
    }

    fn knocked_out(&mut self, ready: &Ready, goal: &Goal, clause: &str) -> bool {
        // What must be refused must be refused by the same clauses, or any clause would seem to decide.
        let settings = Settings { off: vec![clause.to_string()], trace: false, reasons: true, ..ready.settings() };
        let judged = judge(ready, goal, &settings, false);
        self.report.runs += judged.runs;
        !judged.failures.is_empty()
    }

    /// The twin that carries the clause: it passes and comes out differently.
    fn carrier(&self, node: &Node, twins: &[Twin]) -> Option<String> {
        let carries = |vary: &Vary| vary.carries.iter().any(|c| c.text() == node.text());
        let pairs = self.scenario.file.vary.iter().zip(twins);
        pairs
            .filter(|(vary, twin)| carries(vary) && twin.passed && twin.differs)
            .map(|(vary, _)| vary.name.clone())
            .next()
    }

    /// Undecided: each reading gives what is written for it, and no two give the same.
    fn under(&mut self) {
        let scenario = self.scenario;
        let all = &scenario.file.under;
        let mut sound = 0;
        for under in all {
            match self.came(under, under) {
                Err(notes) => self.report.failures.extend(notes),
                Ok((failures, reached)) => {
                    self.report.failures.extend(failures);
                    if sound == 0 {
                        self.report.reached = reached;
                    }
                    sound += 1;
                }
            }
        }
        if sound < 2 {
            return self.fail(At::default(), "「under:」には読みを2つ以上書いてください");
        }
        for (i, under) in all.iter().enumerate() {
            for other in &all[i + 1..] {
                let mut holds = |a, b| self.came(a, b).is_ok_and(|(failures, _)| failures.is_empty());
                if holds(under, other) && holds(other, under) {
                    self.fail(At::default(), "読みを変えても結果が同じです");
                }
            }
        }
    }

    /// What is written for some readings, played under others: what is wrong with it, and the clauses it reached.
    fn came(&mut self, written: &Under, readings: &Under) -> Result<(Vec<Note>, Vec<String>), Vec<Note>> {
        let mut case = Case::of(self.scenario).under(written).map_err(|n| vec![n])?;
        case.readings.extend(readings.readings.clone());
        let ready = Ready::new(self.scenario, self.store, &case)?;
        let expect = ready.expect(&written.expect)?;
        let settings = ready.settings();
        let attempt = ready.attempt(&settings, None);
        self.report.runs += 1;
        let mut failures = attempt.faults();
        failures.extend(attempt.check(&ready, &expect, &settings, true));
        Ok((failures, clauses(&attempt.reached())))
    }
}

/// Why a clause does not count, if it does not.
fn lacking(
    code: &str,
    clause: &str,
    cited: bool,
    judged: &Judged,
    reached: bool,
    removable: bool,
    decisive: bool,
) -> Option<String> {
    let id = format!("{code}:{clause}");
    if !cited {
        return Some(format!("{id}: 処理がありません（同じ内容を行う条文を挙げてください。saitei show {id}）"));
    }
    if !reached {
        // A parent of what was reached does not count, but was probably meant.
        let below = |c: &&&Cite| c.clause.strip_prefix(clause).is_some_and(|rest| rest.starts_with(['.', '-']));
        let mut near: Vec<String> = judged.reached.iter().filter(below).map(|c| c.id()).collect();
        near.dedup();
        let hint = if near.is_empty() { String::new() } else { format!("（通ったのは {}）", near.join("・")) };
        return Some(format!("{id}: 通っていません{hint}"));
    }
    let need = "示すには、結果の違う盤面を「vary:」に書いて「carries:」に挙げる";
    match (decisive, removable) {
        (true, _) => None,
        (false, true) => Some(format!("{id}: 外しても変わりません（{need}）")),
        (false, false) => Some(format!("{id}: 外して確かめられません（{need}）")),
    }
}

/// Each clause once, in order.
pub fn clauses(cites: &[&'static Cite]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for cite in cites {
        let id = cite.id();
        if !found.contains(&id) {
            found.push(id);
        }
    }
    found
}
