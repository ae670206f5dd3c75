//! `saitei coverage`: which clauses are executed, by which scenarios they are reached, in which they decide.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::kernel::cite::cited;
use crate::text::{Kind, Library, Shelf};

use super::boards::{Boards, book};
use super::check::{Checked, check_all};
use super::screen::{Ink, Screen};
use super::{Common, Done, Outcome, open};

/// どの条文が動き、どの盤面で通り、どの盤面の決め手になるか
#[derive(clap::Args)]
pub struct Coverage {
    /// ゲーム（書かなければ動かせるすべて）
    #[arg(value_name = "ゲーム", add = super::complete::games())]
    game: Option<String>,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
    /// 条文を1つずつ出す
    #[arg(long)]
    all: bool,
}

/// What is known of one clause.
#[derive(Default)]
struct Row {
    at: Vec<String>,
    reached: BTreeSet<String>,
    decisive: BTreeSet<String>,
}

impl Coverage {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let library = open::library(common)?;
        let mut rulings = Boards::open(common)?;
        let codes: Vec<&'static str> = match &self.game {
            Some(code) => vec![book(code)?.code()],
            None => crate::game::BOOKS.iter().map(|b| b.code()).collect(),
        };
        let all: Vec<_> = rulings.scenarios().cloned().collect();
        let checked = check_all(&mut rulings, &all, false)?;
        let mut games = Vec::new();
        for code in codes {
            let rows = rows(code, &checked);
            let examples = examples(&library, code, &checked);
            if self.json {
                games.push(as_json(code, &rows, &examples));
            } else {
                self.show(&library, code, &rows, &examples, screen);
            }
        }
        if self.json {
            screen.json(&json!({"games": games}));
        }
        Ok(Outcome::Found)
    }

    fn show(
        &self,
        library: &Library,
        code: &str,
        rows: &BTreeMap<String, Row>,
        examples: &[(String, String)],
        screen: &mut Screen,
    ) {
        let shelf = shelf(library, code);
        let rules = shelf.lines().iter().filter(|l| l.kind != Kind::Heading).count();
        let reached = rows.values().filter(|r| !r.reached.is_empty()).count();
        let decisive = rows.values().filter(|r| !r.decisive.is_empty()).count();
        screen.line(
            0,
            2,
            &[
                (Ink::Bold, code),
                (
                    Ink::Plain,
                    &format!(": 条文 {rules}、動く {}、盤面が通る {reached}、決め手になる {decisive}", rows.len()),
                ),
            ],
        );
        let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, verdict) in examples {
            *verdicts.entry(verdict).or_default() += 1;
        }
        let list: Vec<String> = verdicts.iter().map(|(v, n)| format!("{v} {n}")).collect();
        screen.line(2, 2, &[(Ink::Plain, &format!("用例 {}: {}", examples.len(), list.join("、")))]);
        if self.all {
            for (clause, row) in rows {
                let places = row.at.join("、");
                screen.line(
                    2,
                    4,
                    &[
                        (Ink::Number, clause),
                        (Ink::Plain, &format!(" 通る {} 決め手 {} ", row.reached.len(), row.decisive.len())),
                        (Ink::Dim, &places),
                    ],
                );
            }
            for (example, verdict) in examples {
                screen.line(2, 4, &[(Ink::Number, example), (Ink::Plain, &format!(" {verdict}"))]);
            }
        }
    }
}

fn shelf<'a>(library: &'a Library, code: &str) -> &'a Shelf {
    library.shelf(crate::text::Game::from_code(code).expect("a game of ours"))
}

fn rows(code: &str, checked: &[Checked]) -> BTreeMap<String, Row> {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for cite in cited(code) {
        let at = format!("{}:{}", cite.file, cite.line);
        let row = rows.entry(cite.id()).or_default();
        if !row.at.contains(&at) {
            row.at.push(at);
        }
    }
    for c in checked.iter().filter(|c| c.game == code && c.passed()) {
        let Some(report) = &c.report else { continue };
        let file = c.path.display().to_string();
        for clause in &report.reached {
            rows.entry(clause.clone()).or_default().reached.insert(file.clone());
        }
        for why in report.why.iter().filter(|w| w.decisive) {
            let row = rows.entry(why.clause.clone()).or_default();
            row.reached.insert(file.clone());
            row.decisive.insert(file.clone());
        }
    }
    rows
}

/// Every example of the document and what became of it.
fn examples(library: &Library, code: &str, checked: &[Checked]) -> Vec<(String, String)> {
    let shelf = shelf(library, code);
    let mut found = Vec::new();
    for at in 0..shelf.lines().len() {
        for example in &shelf.node(at).examples {
            let id = example.id.to_string();
            let of = checked.iter().find(|c| c.report.as_ref().is_some_and(|r| r.example.as_deref() == Some(&id)));
            let verdict = match of {
                None => "盤面なし".to_string(),
                Some(c) if !c.passed() => "不合格".to_string(),
                Some(c) => c.report.as_ref().map(|r| r.verdict.name().to_string()).unwrap_or_default(),
            };
            found.push((id, verdict));
        }
    }
    found
}

fn as_json(code: &str, rows: &BTreeMap<String, Row>, examples: &[(String, String)]) -> Value {
    let clauses: Vec<_> = rows
        .iter()
        .map(|(clause, row)| json!({"clause": clause, "executed_at": row.at, "reached_by": row.reached, "decisive_in": row.decisive}))
        .collect();
    let examples: Vec<_> = examples.iter().map(|(id, verdict)| json!({"example": id, "verdict": verdict})).collect();
    json!({"game": code, "clauses": clauses, "examples": examples})
}

/// The lines of code that execute a clause.
pub fn executed_at(game: &str, clause: &str) -> Vec<String> {
    let mut places: Vec<String> = Vec::new();
    for cite in cited(game).into_iter().filter(|c| c.clause == clause) {
        let at = format!("{}:{}", cite.file, cite.line);
        if !places.contains(&at) {
            places.push(at);
        }
    }
    places
}
