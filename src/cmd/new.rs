//! `saitei new`: a board to start from.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use crate::desk::{rulings, write};

use super::boards::{self, Boards, book};
use super::screen::Screen;
use super::{Common, Done, Failure, Outcome, complete, open};

/// 盤面を書き始める
///
/// そのゲームのゾーンと行動を注釈に書いた空の盤面（--from なら、その裁定や用例の盤面）を出す。
/// 書くのは given（始まりの盤面）と play（すること）だけでよい。書いたら saitei run ファイル。
/// カードは {呼び名: カード名, of: A, state: …}。この盤面だけのカードは cards: に書ける。
/// 手順は {行動: カード, 対象: …, to: 場所}、pass: both・all、until: フェイズ。
#[derive(clap::Args)]
pub struct New {
    /// ゲーム
    #[arg(value_name = "ゲーム", add = complete::games())]
    game: String,
    /// 書き出すファイル（書かなければ画面に出す）
    #[arg(value_name = "ファイル")]
    file: Option<PathBuf>,
    /// もとにする裁定・用例・盤面
    #[arg(long, value_name = "盤面")]
    from: Option<String>,
}

impl New {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let game = super::toc::named(&self.game)?;
        let book = book(&self.game)?;
        let text = match &self.from {
            None => {
                let boards = Boards::open(common)?;
                write::blank(book, game, boards.of_game(book.code()))
            }
            Some(from) => {
                let library = open::library(common)?;
                let boards = Boards::open(common)?;
                // A number alone is one of this game.
                let here = format!("{} {from}", book.code());
                let wanted = if rulings::named(&library, &here).is_empty() { from } else { &here };
                let (path, text) = boards.one(&library, wanted)?;
                let scenario = boards::board(&path, &text)?;
                if scenario.book.code() != book.code() {
                    let there = scenario.book.code();
                    return Err(Failure(format!("「{from}」は {there} の盤面です（{} ではありません）", book.code())));
                }
                let steps = scenario.file.play.clone().unwrap_or_default();
                write::with_steps(&text, book.code(), &steps)
                    .ok_or_else(|| Failure(format!("「{from}」に盤面はありません")))?
            }
        };
        match &self.file {
            None => screen.raw(&text),
            Some(path) => {
                create(path, &text)?;
                let shown = path.display();
                screen.text(&format!("{shown} を書きました。saitei run {shown} で動きます"));
            }
        }
        Ok(Outcome::Found)
    }
}

/// Writes a file that is not there yet.
pub fn create(path: &std::path::Path, text: &str) -> Result<(), Failure> {
    let shown = path.display();
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|e| {
        Failure(match e.kind() {
            ErrorKind::AlreadyExists => format!("{shown} はもうあります。別の名にしてください"),
            _ => format!("{shown} を書けません（{}）", crate::stock::files::reason(&e)),
        })
    })?;
    file.write_all(text.as_bytes())
        .map_err(|e| Failure(format!("{shown} を書けません（{}）", crate::stock::files::reason(&e))))
}
