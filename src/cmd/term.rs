//! `saitei term`: the glossary, by any word that leads to a term.

use serde_json::json;

use crate::desk::{cite, term};
use crate::text::kana::normal;
use crate::text::lexicon::Via;
use crate::text::{Game, Id, Shelf, Term as Entry};

use super::print::complain;
use super::screen::{Ink, Screen};
use super::{Common, Done, Outcome, complete, open};
use crate::text::node::plain;

/// 用語を引く（読み、別の書き方、プレイヤーの言い方でも）
#[derive(clap::Args)]
pub struct Term {
    /// 用語、その読み、または一部
    #[arg(required = true, value_name = "言葉", add = complete::terms())]
    word: Vec<String>,
    /// このゲームだけ
    #[arg(long, short, value_name = "ゲーム", add = complete::games())]
    game: Option<String>,
    /// チャットや報告に貼る形で出す
    #[arg(long)]
    cite: bool,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

impl Term {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let library = open::library(common)?;
        let chosen = self.game.as_deref().map(super::toc::named).transpose()?;
        let typed = self.word.join(" ");
        let (game, word) = match Game::spoken(&normal(&typed)) {
            Some((game, rest)) if chosen.is_none_or(|chosen| chosen == game) => (Some(game), rest),
            _ => (chosen, typed),
        };
        let games: Vec<Game> = open::games().into_iter().filter(|g| game.is_none_or(|only| only == *g)).collect();
        let found = term::find(&library, &games, &word);
        if self.json {
            let one = |(via, shelf, term): &term::Led| match self.cite {
                true => cite::term(shelf, term).json(),
                false => term::json(*via, shelf, term),
            };
            screen.json(&json!(found.iter().map(one).collect::<Vec<_>>()));
        } else if found.is_empty() {
            let near = term::nearest(&library, &word);
            let near = if near.is_empty() { String::new() } else { format!("。近い用語: {}", near.join("、")) };
            complain(&format!("「{word}」に当たる用語はありません{near}"));
        } else {
            for (i, (via, shelf, term)) in found.iter().enumerate() {
                if i > 0 {
                    screen.blank();
                }
                if self.cite {
                    screen.raw(&cite::term(shelf, term).text);
                } else {
                    print(*via, shelf, term, screen);
                }
            }
        }
        Ok(if found.is_empty() { Outcome::None } else { Outcome::Found })
    }
}

fn print(via: Option<Via>, shelf: &Shelf, term: &Entry, screen: &mut Screen) {
    let how = match via {
        Some(Via::Slang) => "（プレイヤーの言い方から）",
        Some(Via::Synonym) => "（別の書き方から）",
        _ => "",
    };
    screen.line(
        0,
        2,
        &[
            (Ink::Bold, &term.term),
            (Ink::Plain, &format!("（{}）", term.reading)),
            (Ink::Dim, &format!(" {}{how}", shelf.game.name())),
        ],
    );
    for (label, words) in [("別の書き方", &term.synonyms), ("プレイヤーの言い方（非公式）", &term.slang)]
    {
        if !words.is_empty() {
            screen.line(2, 4, &[(Ink::Label, label), (Ink::Plain, &format!(": {}", words.join("、")))]);
        }
    }
    if term.undefined {
        screen.line(2, 4, &[(Ink::Warn, "文書に定義はない。")]);
    }
    if let Some(note) = &term.note {
        screen.line(2, 4, &[(Ink::Warn, &plain(note))]);
    }
    for id in &term.defined {
        print_clause(shelf, id, screen);
    }
    if !term.see.is_empty() {
        let see: Vec<&str> = term.see.iter().map(|id| id.clause.as_str()).collect();
        screen.line(2, 4, &[(Ink::Label, "関連"), (Ink::Plain, &format!(": {}", see.join("、")))]);
    }
}

/// The defining clause; a heading stands for what is below it.
fn print_clause(shelf: &Shelf, id: &Id, screen: &mut Screen) {
    let Some(index) = shelf.position(&id.clause) else { return };
    let node = shelf.node(index);
    let title = node.title.as_deref().unwrap_or_default();
    let text = node.text.as_deref().map(plain).unwrap_or_else(|| title.to_string());
    screen.line(2, 4, &[(Ink::Number, id.clause.as_str()), (Ink::Plain, &format!(" {text}"))]);
}
