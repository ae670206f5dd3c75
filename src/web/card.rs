//! `/zx/card/…`: a card's data, its generated wording, the rulings it is in.

use maud::{Markup, html};
use serde_json::json;

use super::house::book;
use super::{Answer, Ask, House, Made, Page, address, frame, nothing};
use crate::card::{Card, wording};
use crate::desk;
use crate::text::{Game, Ruling};

impl House<'_> {
    pub(super) fn card(&self, ask: &Ask, game: Game, name: &str) -> Answer {
        let book = book(game)?;
        let store = self.store(book)?;
        let exact: Vec<&Card> = store.cards(book.code()).filter(|c| c.name == name).collect();
        let cards = match exact.is_empty() {
            false => exact,
            true => store.cards(book.code()).filter(|c| c.name.contains(name)).collect(),
        };
        if cards.is_empty() {
            return Err(nothing(format!("「{name}」というカードはありません。")));
        }
        if ask.json {
            let list: Vec<_> = cards
                .iter()
                .map(|c| {
                    let paths: Vec<String> = self.uses(game, c).into_iter().map(|r| r.path).collect();
                    desk::card::json(c, &paths.iter().collect::<Vec<_>>())
                })
                .collect();
            return Ok(Made::Data(json!(list)));
        }
        let main = html! {
            @if name.is_empty() || cards.len() > 8 {
                h1 { "カード" }
                p class="dim" { (cards.len()) "枚。裁定の盤面に使うカードで、文面は書き表した能力から作ったもの。" }
                ul class="plain columns" { @for c in &cards { li { a href=(address::card(game, &c.name)) { (c.name) } } } }
            } @else {
                @for c in &cards { (self.shown(game, c)) }
            }
        };
        let title =
            if name.is_empty() { format!("{} カード", game.name()) } else { format!("{name}（カード）") };
        Ok(Page::of(title, Some(game), main))
    }

    fn shown(&self, game: Game, card: &Card) -> Markup {
        let uses = self.uses(game, card);
        html! {
            article {
                h1 { (card.name) }
                p { (desk::card::data(card).join("　")) }
                ul { @for text in wording::abilities(card) { li { (text) } } }
                @for missing in &card.unencoded { p class="warn" { "省略: " (missing.text) } }
                @if card.inferred { p class="dim" { "文書にない部分は、用例に合うように補ったもの。" } }
                @if !uses.is_empty() { section { h2 { "このカードのある裁定" } ul class="answers" { @for r in &uses { (frame::ruling(r)) } } } }
            }
        }
    }

    /// The rulings in whose files the card is named.
    fn uses(&self, game: Game, card: &Card) -> Vec<Ruling> {
        let shelf = self.library.shelf(game);
        let named = |r: &Ruling| {
            self.files.iter().any(|(path, text)| path.ends_with(&r.path) && text.contains(card.name.as_str()))
        };
        shelf.rulings().into_iter().filter(named).collect()
    }
}
