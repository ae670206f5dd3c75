//! `saitei toc`: the contents of a document.

use serde_json::json;

use crate::desk::clause::edition;
use crate::desk::toc::{self, counts};
use crate::text::{Game, Kind, Library, Shelf};

use super::screen::{Ink, Screen};
use super::{Common, Done, Failure, Outcome, complete, open};

/// 目次を見る
#[derive(clap::Args)]
pub struct Toc {
    /// ゲーム（書かなければ5つの文書の一覧）
    #[arg(value_name = "ゲーム", add = complete::games())]
    game: Option<String>,
    /// 見出しだけでなく条文の番号もすべて出す
    #[arg(long)]
    all: bool,
    /// プログラムのためのJSONで出す（すべての条文を文書の順に）
    #[arg(long)]
    json: bool,
}

impl Toc {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let library = open::library(common)?;
        let game = self.game.as_deref().map(named).transpose()?;
        let shelves: Vec<&Shelf> = library.shelves().filter(|s| game.is_none_or(|g| g == s.game)).collect();
        if self.json {
            let lines: Vec<_> = shelves.iter().flat_map(|shelf| toc::json(shelf)).collect();
            screen.json(&json!(lines));
        } else if let Some(game) = game {
            self.contents(library.shelf(game), screen);
        } else {
            documents(&library, screen);
        }
        Ok(Outcome::Found)
    }

    fn contents(&self, shelf: &Shelf, screen: &mut Screen) {
        screen.line(0, 2, &[(Ink::Bold, &edition(shelf))]);
        screen.line(0, 2, &[(Ink::Dim, &counts(shelf))]);
        screen.blank();
        for line in shelf.lines() {
            if !self.all && line.kind != Kind::Heading && line.depth > 1 {
                continue;
            }
            let title = line.title.map(|t| format!(" {t}")).unwrap_or_default();
            let ink = if line.depth == 0 { Ink::Bold } else { Ink::Plain };
            screen.line(usize::from(line.depth) * 2, 4, &[(Ink::Number, line.clause), (ink, &title)]);
        }
        let history = shelf.history().len();
        if history > 0 {
            screen.blank();
            screen.line(0, 0, &[(Ink::Dim, &format!("変更履歴 H.1〜H.{history}"))]);
        }
    }
}

/// The game that a person named.
pub fn named(name: &str) -> Result<Game, Failure> {
    use unicode_normalization::UnicodeNormalization;
    let folded: String = name.nfkc().collect::<String>().to_lowercase();
    Game::from_name(folded.trim())
        .ok_or_else(|| Failure(format!("「{name}」というゲームはありません（{} のどれか）", Game::codes())))
}

fn documents(library: &Library, screen: &mut Screen) {
    for shelf in library.shelves() {
        screen.line(0, 6, &[(Ink::Number, &format!("{:<5}", shelf.game.code())), (Ink::Bold, &edition(shelf))]);
        screen.line(5, 0, &[(Ink::Dim, &counts(shelf))]);
    }
}
