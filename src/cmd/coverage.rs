//! `saitei coverage`: which clauses are executed, by which scenarios they are reached, in which they decide.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::kernel::cite::cited;
use crate::text::node::Node;
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
    /// The lines that execute it: doing without it makes a difference there.
    at: Vec<String>,
    /// The lines that merely name it.
    touched: Vec<String>,
    reached: BTreeSet<String>,
    decisive: BTreeSet<String>,
}

/// What becomes of a clause when situations are run. Every clause has an account.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Account {
    Executed,
    Touched,
    ByAnother,
    Nothing,
    Left,
}

impl Account {
    const ALL: [Account; 5] =
        [Account::Executed, Account::Touched, Account::ByAnother, Account::Nothing, Account::Left];

    fn of(node: &Node, row: Option<&Row>) -> Account {
        match row {
            Some(row) if !row.at.is_empty() => Account::Executed,
            _ if !node.executed_by.is_empty() => Account::ByAnother,
            Some(row) if !row.touched.is_empty() => Account::Touched,
            _ if reason(node).is_some() => Account::Nothing,
            _ => Account::Left,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Account::Executed => "動く",
            Account::Touched => "通るだけ",
            Account::ByAnother => "別の条文が行う",
            Account::Nothing => "行うことがない",
            Account::Left => "まだ",
        }
    }

    fn code(self) -> &'static str {
        match self {
            Account::Executed => "executed",
            Account::Touched => "touched",
            Account::ByAnother => "executed_by",
            Account::Nothing => "nothing",
            Account::Left => "left",
        }
    }
}

/// Why there is nothing to execute, if that is so.
fn reason(node: &Node) -> Option<String> {
    let by_kind = match node.kind {
        Kind::Notation => Some("表記の読み方"),
        Kind::About => Some("案内"),
        Kind::Floor => Some("大会の運営"),
        _ => None,
    };
    node.nothing.clone().or_else(|| by_kind.map(str::to_string))
}

/// The clauses of a document that say something, in its order.
fn clauses(library: &Library, code: &str) -> Vec<Node> {
    let shelf = shelf(library, code);
    (0..shelf.lines().len()).map(|at| shelf.node(at)).filter(|node| node.kind != Kind::Heading).collect()
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
        let checked = check_all(&mut rulings, &library, &all, false)?;
        let mut games = Vec::new();
        for code in codes {
            let rows = rows(code, &checked);
            let examples = examples(&library, code, &checked);
            if self.json {
                games.push(as_json(&library, code, &rows, &examples));
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
        let nodes = clauses(library, code);
        let rules = nodes.len();
        let count = |account: Account, kinds: &[Kind]| {
            let of = |n: &&Node| kinds.is_empty() || kinds.contains(&n.kind);
            nodes.iter().filter(of).filter(|n| Account::of(n, rows.get(&n.id.to_string())) == account).count()
        };
        let accounts = |kinds: &[Kind]| Account::ALL.map(|a| format!("{} {}", a.words(), count(a, kinds))).join("、");
        let reached = rows.values().filter(|r| !r.reached.is_empty()).count();
        let decisive = rows.values().filter(|r| !r.decisive.is_empty()).count();
        screen.line(
            0,
            2,
            &[
                (Ink::Bold, code),
                (
                    Ink::Plain,
                    &format!(": 条文 {rules}（{}）、盤面が通る {reached}、決め手になる {decisive}", accounts(&[])),
                ),
            ],
        );
        let ought = [Kind::Procedure, Kind::Check, Kind::Limit, Kind::Order, Kind::Layer];
        let total = nodes.iter().filter(|n| ought.contains(&n.kind)).count();
        let decides = nodes
            .iter()
            .filter(|n| ought.contains(&n.kind))
            .filter(|n| rows.get(&n.id.to_string()).is_some_and(|r| !r.decisive.is_empty()))
            .count();
        let text = format!("手順・自動処理・可否・順序・適用順 {total}: {}、決め手になる {decides}", accounts(&ought));
        screen.line(2, 2, &[(Ink::Plain, &text)]);
        let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, verdict) in examples {
            *verdicts.entry(verdict).or_default() += 1;
        }
        let list: Vec<String> = verdicts.iter().map(|(v, n)| format!("{v} {n}")).collect();
        screen.line(2, 2, &[(Ink::Plain, &format!("用例 {}: {}", examples.len(), list.join("、")))]);
        if self.all {
            let none = Row::default();
            for node in &nodes {
                let clause = node.id.to_string();
                let row = rows.get(&clause).unwrap_or(&none);
                let account = Account::of(node, Some(row));
                let more = match account {
                    Account::Executed => row.at.join("、"),
                    Account::Touched => row.touched.join("、"),
                    Account::ByAnother => {
                        node.executed_by.iter().map(|id| id.to_string()).collect::<Vec<_>>().join("、")
                    }
                    Account::Nothing => reason(node).unwrap_or_default(),
                    Account::Left => String::new(),
                };
                let (reached, decisive) = (row.reached.len(), row.decisive.len());
                screen.line(
                    2,
                    4,
                    &[
                        (Ink::Number, &clause),
                        (Ink::Plain, &format!(" {} 通る {reached} 決め手 {decisive} ", account.words())),
                        (Ink::Dim, &more),
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
        let places = if cite.rule.can_be_knocked_out() { &mut row.at } else { &mut row.touched };
        if !places.contains(&at) {
            places.push(at);
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

fn as_json(library: &Library, code: &str, rows: &BTreeMap<String, Row>, examples: &[(String, String)]) -> Value {
    let none = Row::default();
    let clauses: Vec<_> = clauses(library, code)
        .iter()
        .map(|node| {
            let row = rows.get(&node.id.to_string()).unwrap_or(&none);
            json!({
                "clause": node.id.to_string(),
                "kind": node.kind.code(),
                "account": Account::of(node, Some(row)).code(),
                "executed_at": row.at,
                "touched_at": row.touched,
                "executed_by": node.executed_by.iter().map(|id| id.to_string()).collect::<Vec<_>>(),
                "nothing": reason(node),
                "reached_by": row.reached,
                "decisive_in": row.decisive,
            })
        })
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
