//! `/zx` the contents, `/zx/all` the whole document on one page.

use maud::html;
use serde_json::json;

use super::frame::prose;
use super::{Answer, Ask, House, Made, Page, address};
use crate::desk::clause::edition;
use crate::desk::toc;
use crate::text::{Game, Kind};

impl House<'_> {
    pub(super) fn contents(&self, ask: &Ask, game: Game) -> Answer {
        let shelf = self.library.shelf(game);
        if ask.json {
            return Ok(Made::Data(json!(toc::json(shelf))));
        }
        let lines = shelf.lines();
        let shown: Vec<_> = lines.iter().filter(|l| l.kind == Kind::Heading || l.depth <= 1).collect();
        let main = html! {
            h1 { (game.name()) }
            p class="dim" { (edition(shelf)) br; (toc::counts(shelf)) }
            @if let Some(note) = &shelf.document().note { p class="dim" { (note) } }
            p { a href=(format!("/{}/all", game.code())) { "全文を1ページで（検索・印刷）" } }
            ol class="contents" {
                @for line in shown {
                    li class=(format!("d{}", line.depth.min(4))) {
                        a href=(address::of_clause(game, line.clause)) { span class="number" { (line.clause) } @if let Some(title) = line.title { " " (title) } }
                    }
                }
            }
            @if !shelf.history().is_empty() {
                section aria-labelledby="history" {
                    h2 id="history" { "変更履歴" }
                    ul class="plain" {
                        @for entry in shelf.history().iter().rev() {
                            li { a href=(address::clause(&entry.id)) { (entry.version) } " " span class="dim" { (entry.date) } }
                        }
                    }
                }
            }
        };
        Ok(Page::of(game.name(), Some(game), main))
    }

    pub(super) fn everything(&self, ask: &Ask, game: Game) -> Answer {
        let shelf = self.library.shelf(game);
        if ask.json {
            let official = self.official(ask.request.own);
            let all: Vec<_> = (0..shelf.lines().len()).map(|i| crate::desk::clause::json(shelf, i, official)).collect();
            return Ok(Made::Data(json!(all)));
        }
        let main = html! {
            h1 { (game.name()) " 全文" }
            p class="dim" { (edition(shelf)) }
            @for (at, line) in shelf.lines().iter().enumerate() {
                @let node = shelf.node(at);
                @let head = line.kind == Kind::Heading;
                div class=(format!("line d{}{}", line.depth.min(4), if head { " head" } else { "" })) id=(line.clause) {
                    a class="number" href=(address::of_clause(game, line.clause)) { (line.clause) }
                    " " @if let Some(title) = line.title { b { (title) } " " }
                    @if let Some(text) = &node.text { (prose(text)) }
                }
            }
        };
        Ok(Page::of(format!("{} 全文", game.name()), Some(game), main))
    }
}
