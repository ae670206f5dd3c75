//! `saitei coverage`: which clauses are executed, by which scenarios they are reached, in which they decide.

use std::collections::BTreeMap;

use serde_json::json;

use crate::desk::coverage::{self, Account, Row, clauses, examples, reason, rows};
use crate::text::node::Node;
use crate::text::{Kind, Library};

use super::boards::{Boards, book};
use super::check::check_all;
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
        let checked: Vec<coverage::Checked> = checked.into_iter().map(Into::into).collect();
        let mut games = Vec::new();
        for code in codes {
            let rows = rows(code, &checked);
            let examples = examples(&library, code, &checked);
            if self.json {
                games.push(coverage::json(&library, code, &rows, &examples));
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
