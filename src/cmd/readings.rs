//! `saitei readings`: where the documents contradict themselves or are silent, for a briefing before an event.

use serde_json::Value;

use crate::desk::clause::edition;
use crate::desk::readings;
use crate::text::Reading;
use crate::text::node::plain;

use super::screen::{Ink, Screen};
use super::{Common, Done, Outcome, complete, open};

/// 読み方の分かれる所（条文どうしの矛盾、文書が黙っている所）を一覧する
#[derive(clap::Args)]
pub struct Readings {
    /// ゲーム（書かなければすべて）
    #[arg(value_name = "ゲーム", add = complete::games())]
    game: Option<String>,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

impl Readings {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let library = open::library(common)?;
        let only = self.game.as_deref().map(super::toc::named).transpose()?;
        let games = open::games().into_iter().filter(|g| only.is_none_or(|o| o == *g));
        let mut values: Vec<Value> = Vec::new();
        for (at, game) in games.enumerate() {
            let shelf = library.shelf(game);
            if self.json {
                values.extend(shelf.readings().iter().map(|r| readings::json(game.code(), r)));
                continue;
            }
            if at > 0 {
                screen.blank();
            }
            screen.line(0, 2, &[(Ink::Bold, &edition(shelf))]);
            for reading in shelf.readings() {
                screen.blank();
                print(reading, readings::runs(game.code(), reading), screen);
            }
        }
        if self.json {
            screen.json(&Value::Array(values));
        }
        Ok(Outcome::Found)
    }
}

/// The question, the ways to read it, the clauses.
pub fn print(reading: &Reading, runs: bool, screen: &mut Screen) {
    let question = plain(&reading.question);
    let id = reading.id.clause.as_str();
    screen.line(0, 2, &[(Ink::Number, id), (Ink::Plain, &format!(" {question}"))]);
    for option in &reading.options {
        let default = option.key == reading.default;
        let mark = if default { "既定" } else { "別の読み" };
        let ink = if default { Ink::Bold } else { Ink::Plain };
        screen.line(2, 4, &[(ink, &format!("{mark} {} ", option.key)), (Ink::Plain, &plain(&option.text))]);
    }
    let clauses: Vec<&str> = reading.clauses.iter().map(|id| id.clause.as_str()).collect();
    let how = match &reading.nothing {
        Some(why) => format!("（盤面の動きは変わらない: {}）", plain(why)),
        None if runs => format!("（盤面では --reading {id}=…）"),
        None => String::new(),
    };
    screen.line(2, 4, &[(Ink::Dim, &format!("条文 {}{how}", clauses.join("、")))]);
}
