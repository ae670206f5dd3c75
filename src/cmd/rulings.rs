//! `saitei rulings`: the rulings of a game, of a clause, or about something.

use serde_json::json;

use crate::desk::rulings;
use crate::scenario::Verdict;
use crate::text::{Game, Ruling, query};

use super::print::complain;
use super::screen::{Ink, Screen};
use super::{Common, Done, Outcome, complete, open};

/// 裁定を、ゲーム・条文・言葉で一覧する
///
/// 番号（zx:R12）を付けた裁定を、題・判定・決め手の条文とともに並べる。動かすには saitei run zx:R12。
#[derive(clap::Args)]
pub struct Rulings {
    /// ゲーム（zx）、条文（zx 905）、言葉（zx リロード）。書かなければすべて
    #[arg(value_name = "何の", num_args = 0.., add = complete::clauses())]
    about: Vec<String>,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

impl Rulings {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let library = open::library(common)?;
        let typed = self.about.join(" ");
        let small = typed.to_lowercase();
        let (game, rest) = match Game::prefix(&small) {
            Some((game, rest)) => (Some(game), rest.trim_start_matches([' ', ':']).to_string()),
            None => (None, small.clone()),
        };
        let found = if rest.is_empty() {
            rulings::all(&library, game)
        } else {
            match rulings::named(&library, &typed) {
                found if found.is_empty() && query::read(&typed).is_none() => rulings::by_words(&library, game, &rest),
                found => found,
            }
        };
        if self.json {
            screen.json(&json!(found));
        } else {
            list(&found, screen);
        }
        if found.is_empty() {
            complain(&format!("「{typed}」の裁定はありません。一覧は saitei rulings"));
        }
        Ok(if found.is_empty() { Outcome::None } else { Outcome::Found })
    }
}

/// One line for each, and what decides it.
pub fn list(found: &[Ruling], screen: &mut Screen) {
    for ruling in found {
        let name = rulings::name(ruling);
        screen.line(0, 2, &[(Ink::Number, &name), (Ink::Plain, &format!(" {}", ruling.title))]);
        let mut words = Vec::new();
        let verdict = ruling.verdict_words();
        if verdict != Verdict::Reproduced.name() {
            words.push(verdict.to_string());
        }
        if !ruling.why.is_empty() {
            words.push(format!("決め手 {}", rulings::why(ruling).join("、")));
        }
        if let Some(example) = ruling.example.as_ref().filter(|e| **e != name) {
            words.push(format!("用例 {example}"));
        }
        screen.line(4, 2, &[(Ink::Dim, &words.join(" · "))]);
    }
}
