//! `saitei run`: a situation, played before your eyes, clause by clause.

use serde_json::json;

use crate::scenario::{Line, Options, Played, check, perform};

use super::rulings::{self, Rulings};
use super::screen::{Ink, Screen};
use super::{Common, Done, Failure, Outcome, open};

/// 盤面を動かし、条文ごとに何が起きたかを見る
#[derive(clap::Args)]
pub struct Run {
    /// 盤面のファイル、または用例の番号（dz:3.12.4-1#1）
    #[arg(value_name = "盤面")]
    what: String,
    /// この条文がなければどうなるか（何度でも書ける）
    #[arg(long, value_name = "条文")]
    without: Vec<String>,
    /// 文書が決めていない点の読みを変える（C1=b のように。何度でも書ける）
    #[arg(long, value_name = "読み=選択")]
    reading: Vec<String>,
    /// 始まりの盤面を変える（A.手札=[…]、呼び名.state=フリーズ など。何度でも書ける）
    #[arg(long, value_name = "場所=値")]
    set: Vec<String>,
    /// 盤面のファイルにある、少し変えた盤面（1から）
    #[arg(long, value_name = "番号")]
    vary: Option<usize>,
    /// 手順が決めていない選択をすべて試し、起こりうる結果を並べる
    #[arg(long)]
    explore: bool,
    /// 結果だけを出す
    #[arg(short, long)]
    quiet: bool,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

impl Run {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let mut rulings = Rulings::open(common)?;
        let (path, text) = rulings.find(&self.what)?;
        let scenario = rulings::scenario(&path, &text)?;
        let store = rulings.store(scenario.book)?;
        let options = self.options()?;
        if self.explore {
            return explore(&scenario, store, self.json, screen);
        }
        let changed = !options.without.is_empty()
            || !options.readings.is_empty()
            || !options.set.is_empty()
            || options.vary.is_some();
        let report = check(&scenario, store);
        if scenario.file.verdict == crate::scenario::Verdict::NotExecutable {
            let reason = scenario.file.reason.clone().unwrap_or_default();
            screen.line(0, 2, &[(Ink::Bold, &scenario.file.title)]);
            screen.line(0, 2, &[(Ink::Label, "実行できません: "), (Ink::Plain, &reason)]);
            return Ok(Outcome::Found);
        }
        let library = open::library(common)?;
        let played = perform(&scenario, store, &options, &|id| rulings::heading(&library, id)).map_err(|notes| {
            let all: Vec<String> = notes.iter().map(|n| scenario.problem(n).to_string()).collect();
            Failure(all.join("\n"))
        })?;
        let good = if changed { true } else { report.passed };
        if self.json {
            let why: Vec<_> = report
                .why
                .iter()
                .map(|w| json!({"clause": w.clause, "reached": w.reached, "decisive": w.decisive}))
                .collect();
            screen.json(&json!({"scenario": path.display().to_string(), "example": report.example, "verdict": report.verdict.name(), "passed": report.passed, "why": why, "changed": changed, "played": played}));
        } else {
            self.show(&played, screen);
            if changed {
                compare(&played, screen);
            } else {
                verdict(&report, &scenario, screen);
            }
        }
        Ok(if good { Outcome::Found } else { Outcome::None })
    }

    fn options(&self) -> Result<Options, Failure> {
        let pair = |text: &String, flag: &str, like: &str| {
            text.split_once('=').map(|(a, b)| (a.trim().to_string(), b.trim().to_string())).ok_or_else(|| {
                Failure(format!("{flag} は「{like}」の形で書いてください（書かれているのは「{text}」）"))
            })
        };
        let mut readings = Vec::new();
        for text in &self.reading {
            let (id, key) = pair(text, "--reading", "C1=b")?;
            let id = id.rsplit(':').next().unwrap_or(&id).to_string();
            readings.push((id, key));
        }
        let set = self.set.iter().map(|t| pair(t, "--set", "A.手札=[カード名]")).collect::<Result<_, _>>()?;
        Ok(Options { without: self.without.clone(), readings, set, vary: self.vary.map(|n| n.saturating_sub(1)) })
    }

    fn show(&self, played: &Played, screen: &mut Screen) {
        screen.line(0, 2, &[(Ink::Bold, &played.title)]);
        if !self.quiet {
            screen.blank();
            screen.raw(&played.before.to_string());
            screen.blank();
            for line in played.trace.iter().filter(|l| !l.folded) {
                told(line, screen);
            }
            screen.blank();
            screen.raw(&played.after.to_string());
        }
        for (step, why, clause) in &played.refused {
            screen.line(
                0,
                2,
                &[
                    (Ink::Label, "却下 "),
                    (Ink::Plain, &format!("{step}: {why} ")),
                    (Ink::Number, &format!("〔{clause}〕")),
                ],
            );
        }
        screen.blank();
        screen.line(0, 2, &[(Ink::Label, "変わったこと")]);
        for change in &played.changes {
            screen.line(2, 2, &[(Ink::Plain, change)]);
        }
        screen.line(0, 2, &[(Ink::Dim, &played.end)]);
    }
}

/// One line of the trace.
fn told(line: &Line, screen: &mut Screen) {
    let clause = line.clause.as_ref().map(|c| format!("〔{c}〕")).unwrap_or_default();
    let indent = line.depth.min(12) * 2;
    if line.told == crate::kernel::Told::Span {
        screen.line(indent, 2, &[(Ink::Number, &clause), (Ink::Dim, &line.text)]);
    } else {
        screen.line(
            indent,
            2,
            &[(Ink::Label, line.told.name()), (Ink::Plain, &format!(" {} ", line.text)), (Ink::Dim, &clause)],
        );
    }
}

fn compare(played: &Played, screen: &mut Screen) {
    screen.blank();
    if played.failures.is_empty() {
        screen.line(0, 2, &[(Ink::Bold, "盤面のファイルが言う結果と同じになった")]);
        return;
    }
    screen.line(0, 2, &[(Ink::Warn, "盤面のファイルが言う結果と違う")]);
    for note in &played.failures {
        screen.line(2, 2, &[(Ink::Plain, &note.text)]);
    }
}

fn verdict(report: &crate::scenario::Report, scenario: &crate::scenario::Scenario, screen: &mut Screen) {
    screen.blank();
    let ink = if report.passed { Ink::Bold } else { Ink::Warn };
    let verdict = if report.passed { report.verdict.name() } else { "ファイルの言うとおりにならない" };
    screen.line(0, 2, &[(Ink::Label, "判定 "), (ink, verdict)]);
    if let Some(reason) = &scenario.file.reason {
        screen.line(2, 2, &[(Ink::Plain, reason)]);
    }
    for why in &report.why {
        let decisive = if why.decisive { "決め手" } else { "通ったが決め手ではない" };
        screen.line(2, 2, &[(Ink::Number, &why.clause), (Ink::Plain, &format!(" {decisive}（{}）", why.how))]);
    }
    for twin in &report.twins {
        screen.line(2, 2, &[(Ink::Label, "変えると "), (Ink::Plain, &twin.name)]);
    }
    for note in &report.failures {
        screen.line(2, 2, &[(Ink::Warn, &scenario.problem(note).to_string())]);
    }
}

fn explore(
    scenario: &crate::scenario::Scenario,
    store: &crate::scenario::Store,
    as_json: bool,
    screen: &mut Screen,
) -> Done {
    let (endings, runs) = crate::scenario::explore_all(scenario, store).map_err(|notes| {
        let all: Vec<String> = notes.iter().map(|n| scenario.problem(n).to_string()).collect();
        Failure(all.join("\n"))
    })?;
    if as_json {
        screen.json(&json!({"runs": runs, "endings": endings}));
        return Ok(Outcome::Found);
    }
    screen.line(0, 2, &[(Ink::Bold, &format!("{}通りの結果（{runs}回動かした）", endings.len()))]);
    for (at, ending) in endings.iter().enumerate() {
        screen.blank();
        screen.line(0, 2, &[(Ink::Number, &format!("{}.", at + 1)), (Ink::Dim, &format!(" {}通り", ending.ways))]);
        for answer in &ending.answers {
            screen.line(2, 2, &[(Ink::Label, "選択 "), (Ink::Plain, answer)]);
        }
        for change in &ending.changes {
            screen.line(2, 2, &[(Ink::Plain, change)]);
        }
    }
    Ok(Outcome::Found)
}
