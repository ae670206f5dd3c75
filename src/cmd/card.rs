//! `saitei card`: a card's data, its generated wording, and the scenarios it is in.

use serde_json::json;

use crate::card::{Card as Printed, wording};
use crate::desk;
use crate::scenario::Scenario;
use crate::text::Ruling;

use super::boards::{self, Boards, Found, book};
use super::print::complain;
use super::screen::{Ink, Screen};
use super::{Common, Done, Outcome};

/// カードのデータと、書き表した能力の文面を見る
#[derive(clap::Args)]
pub struct Card {
    /// ゲーム、または盤面のファイルか裁定の番号（その盤面だけのカードを見る）
    #[arg(value_name = "ゲーム", add = super::complete::games())]
    game: String,
    /// カード名（一部でもよい。書かなければ一覧）
    #[arg(value_name = "カード名")]
    name: Option<String>,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

impl Card {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let file = std::path::Path::new(&self.game);
        if file.is_file() {
            return self.own(&self.game, &boards::board(file, &boards::text_of(file)?)?, common, screen);
        }
        let library = super::open::library(common)?;
        if self.game.contains(':')
            && let Found::One(path, text) = Boards::open(common)?.find(&library, &self.game)?
        {
            return self.own(&self.game, &boards::board(&path, &text)?, common, screen);
        }
        let ruling = format!("{} {}", self.game, self.name.as_deref().unwrap_or_default());
        if let [ruling] = &desk::rulings::by_id(&library, &ruling)[..]
            && let Some((path, text)) = Boards::open(common)?.of(ruling)
        {
            let of = Card { game: ruling.id.clone(), name: None, json: self.json };
            return of.own(&of.game, &boards::board(path, text)?, common, screen);
        }
        let book = book(&self.game)?;
        let mut rulings = Boards::open(common)?;
        let game = super::toc::named(&self.game)?;
        let texts: Vec<(Ruling, String)> = desk::rulings::all(&library, Some(game))
            .into_iter()
            .filter_map(|r| rulings.of(&r).map(|(_, text)| (r.clone(), text.clone())))
            .collect();
        let store = rulings.store(book)?;
        let wanted = self.name.as_deref().unwrap_or_default();
        let exact: Vec<&Printed> = store.cards(book.code()).filter(|c| c.name == wanted).collect();
        let cards: Vec<&Printed> = match exact.is_empty() {
            false => exact,
            true => store.cards(book.code()).filter(|c| c.name.contains(wanted)).collect(),
        };
        if cards.is_empty() {
            if self.json {
                screen.json(&json!([]));
            }
            complain(&format!("「{wanted}」というカードはありません。一覧は saitei card {}", self.game));
            return Ok(Outcome::None);
        }
        let uses = |card: &Printed| -> Vec<&Ruling> {
            texts.iter().filter(|(_, t)| t.contains(card.name.as_str())).map(|(r, _)| r).collect()
        };
        if self.json {
            let paths = |c: &Printed| uses(c).into_iter().map(|r| &r.path).collect::<Vec<_>>();
            let list: Vec<_> = cards.iter().map(|c| desk::card::json(c, &paths(c))).collect();
            screen.json(&json!(list));
        } else if self.name.is_none() {
            for card in &cards {
                screen.line(0, 2, &[(Ink::Plain, &card.name)]);
            }
        } else {
            for (at, card) in cards.iter().enumerate() {
                if at > 0 {
                    screen.blank();
                }
                show(card, &uses(card), screen);
            }
        }
        Ok(Outcome::Found)
    }
}

impl Card {
    /// The cards of a board's own, as they were understood.
    fn own(&self, of: &str, scenario: &Scenario, common: &Common, screen: &mut Screen) -> Done {
        let wanted = self.name.as_deref().unwrap_or_default();
        let cards: Vec<&Printed> = scenario.own_cards().filter(|c| c.name.contains(wanted)).collect();
        if self.json {
            let list: Vec<_> = cards.iter().map(|c| json!({"card": c, "wording": wording::abilities(c)})).collect();
            screen.json(&json!(list));
        } else {
            cards.iter().for_each(|card| show(card, &[], screen));
        }
        if cards.is_empty() {
            let code = scenario.book.code();
            let mut boards = Boards::open(common)?;
            let used = boards.store(scenario.book)?.cards(code).map(|c| c.name.as_str());
            let used: Vec<&str> = used.filter(|name| scenario.source().contains(name)).collect();
            // A name within another one is not meant.
            let meant = |name: &&&str| !used.iter().any(|other| other != *name && other.contains(**name));
            let list: Vec<&str> = used.iter().filter(meant).copied().collect();
            let list =
                if list.is_empty() { String::new() } else { format!("（使うカード: {}）", list.join("、")) };
            complain(&format!("{of} にその盤面だけのカードはありません{list}。見るには saitei card {code} カード名"));
        }
        Ok(if cards.is_empty() { Outcome::None } else { Outcome::Found })
    }
}

/// How many of the rulings that a card is in are listed.
const USES: usize = 6;

fn show(card: &Printed, uses: &[&Ruling], screen: &mut Screen) {
    screen.line(0, 2, &[(Ink::Bold, &card.name)]);
    screen.line(2, 2, &[(Ink::Plain, &desk::card::data(card).join("  "))]);
    for ability in wording::abilities(card) {
        screen.line(2, 2, &[(Ink::Plain, &format!("●{ability}"))]);
    }
    for missing in &card.unencoded {
        screen.line(2, 2, &[(Ink::Warn, &format!("省略: {}", missing.text))]);
    }
    if card.inferred {
        screen.line(2, 2, &[(Ink::Dim, "文書にない部分は、用例に合うように補ったもの")]);
    }
    for ruling in uses.iter().take(USES) {
        let title = format!(" {}", ruling.title);
        screen.line(2, 4, &[(Ink::Number, &desk::rulings::name(ruling)), (Ink::Dim, &title)]);
    }
    if uses.len() > USES {
        screen.line(2, 2, &[(Ink::Dim, &format!("ほか{}の裁定に出る", uses.len() - USES))]);
    }
}
