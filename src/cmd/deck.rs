//! `saitei deck`: whether a deck may be played, and if not, by which clauses.

use std::path::PathBuf;

use serde_json::json;

use crate::desk::deck::{self, Part};
use crate::game::deck::{Deck as List, rules};
use crate::text::Game;

use super::boards::{Boards, book, text_of};
use super::screen::{Ink, Screen};
use super::{Common, Done, Failure, Outcome, complete};

/// デッキが決まりに合っているかを調べる
///
/// 一覧は、1行に枚数と名（3 カード名、カード名 ×3）。「サイド」「エクストラ」の行でそこから後がその組になる。
/// 知らないカードは 名 ×4 {分類: …} とデータを書ける。YAML（main: {名: 3}）でもよい。
#[derive(clap::Args)]
pub struct Deck {
    /// ゲーム
    #[arg(value_name = "ゲーム", add = complete::games())]
    game: String,
    /// デッキの一覧
    #[arg(value_name = "ファイル")]
    file: PathBuf,
    /// 大会で開けたパックから作ったデッキとして調べる
    #[arg(long)]
    limited: bool,
    /// 短いデュエル（遊戯王OCGのスピードルール）のデッキとして調べる
    #[arg(long)]
    short: bool,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

impl Deck {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let game: Game = super::toc::named(&self.game)?;
        let rules =
            rules(game.code()).ok_or_else(|| Failure(format!("{}のデッキの決まりはまだ動かせません", game.name())))?;
        let book = book(&self.game)?;
        let text = text_of(&self.file)?;
        let yaml = self.file.extension().is_some_and(|e| e == "yaml" || e == "yml");
        let failed = |why: Vec<String>| Failure(format!("{} を読めません\n{}", self.file.display(), why.join("\n")));
        let entries = deck::read(&text, yaml).map_err(failed)?;
        let mut boards = Boards::open(common)?;
        let (cards, unknown) = deck::cards(&entries, book, boards.store(book)?).map_err(Failure)?;
        let of = |part: Part| {
            let those = cards.iter().filter(move |(p, ..)| *p == part);
            those.flat_map(|(_, n, card)| std::iter::repeat_n(card, *n)).collect::<Vec<_>>()
        };
        let (main, side, extra) = (of(Part::Main), of(Part::Side), of(Part::Extra));
        let list = List { main, side, extra, limited: self.limited, short: self.short };
        let wrong: Vec<(String, String)> = rules(&list).into_iter().map(|(cite, why)| (cite.id(), why)).collect();
        let good = wrong.is_empty() && unknown.is_empty();
        if self.json {
            let wrong: Vec<_> = wrong.iter().map(|(clause, why)| json!({"clause": clause, "why": why})).collect();
            screen.json(&json!({"game": game.code(), "passed": good, "violations": wrong, "unknown": unknown,
                "main": list.main.len(), "side": list.side.len(), "extra": list.extra.len()}));
        } else {
            show(&list, &wrong, &unknown, screen);
        }
        Ok(if good { Outcome::Found } else { Outcome::None })
    }
}

fn show(list: &List, wrong: &[(String, String)], unknown: &[String], screen: &mut Screen) {
    let (ink, verdict) = match (wrong.is_empty(), unknown.is_empty()) {
        (true, true) => (Ink::Bold, "合格"),
        (true, false) => (Ink::Warn, "合格と言えません（知らないカードがあります）"),
        (false, _) => (Ink::Warn, "不合格"),
    };
    let counts = format!(" メイン{} サイド{} エクストラ{}", list.main.len(), list.side.len(), list.extra.len());
    screen.line(0, 2, &[(ink, verdict), (Ink::Dim, &counts)]);
    for (clause, why) in wrong {
        screen.line(2, 2, &[(Ink::Plain, why), (Ink::Number, &format!("（{clause}）"))]);
    }
    if !unknown.is_empty() {
        let text = format!("知らないカード: {}。データは「名 ×3 {{…}}」と書けます", unknown.join("、"));
        screen.line(2, 2, &[(Ink::Plain, &text)]);
    }
}
