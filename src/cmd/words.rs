//! `saitei words`: the words in which cards and boards of a game are written.

use crate::desk::words;

use super::print::complain;
use super::screen::{Ink, Screen};
use super::{Common, Done, Outcome, boards, complete};

/// カードと盤面に書ける言葉を並べる
///
/// データ・出来事・方法・キーワード・期限・行為など、そのゲームの cards: と given: に書けるもののすべて。
/// 言葉を添えれば、それを含むものだけ（saitei words ygo 破壊）。
#[derive(clap::Args)]
pub struct Words {
    /// ゲーム
    #[arg(value_name = "ゲーム", add = complete::games())]
    game: String,
    /// これを含む言葉だけ
    #[arg(value_name = "言葉")]
    part: Option<String>,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

impl Words {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let book = boards::book(&self.game)?;
        let boards = boards::Boards::open(common)?;
        let texts: Vec<&str> = boards.of_game(book.code()).collect();
        let found = words::of(book, self.part.as_deref(), texts.iter().copied());
        if self.json {
            screen.json(&serde_json::json!(found));
        } else {
            for list in &found {
                screen.line(0, 2, &[(Ink::Bold, list.name), (Ink::Dim, &format!("（{}）", list.written))]);
                screen.line(2, 2, &[(Ink::Plain, &list.words.join("・"))]);
            }
        }
        if found.is_empty() {
            let part = self.part.as_deref().unwrap_or_default();
            complain(&format!("「{part}」を含む言葉はありません（全部は saitei words {}）", self.game));
        }
        Ok(if found.is_empty() { Outcome::None } else { Outcome::Found })
    }
}
