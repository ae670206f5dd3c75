//! `/zx/rulings`: the rulings of a game, of a clause, or about something.

use maud::html;
use serde_json::json;

use super::{Answer, Ask, House, Made, Page, frame};
use crate::desk::rulings;
use crate::text::{Game, query};

impl House<'_> {
    pub(super) fn rulings(&self, ask: &Ask, game: Game) -> Answer {
        let typed = ask.query.get("q").unwrap_or_default();
        let found = if typed.is_empty() {
            rulings::all(self.library, Some(game))
        } else {
            let asked = format!("{} {typed}", game.code());
            match rulings::named(self.library, &asked) {
                found if found.is_empty() && query::read(&asked).is_none() => {
                    rulings::by_words(self.library, Some(game), typed)
                }
                found => found,
            }
        };
        if ask.json {
            return Ok(Made::Data(json!(found)));
        }
        let main = html! {
            h1 { (game.name()) "の裁定" }
            form class="narrow" method="get" {
                label for="about" { "条文か言葉で絞る" }
                input id="about" name="q" value=(typed) maxlength="100";
                button type="submit" { "絞る" }
            }
            p class="dim" { (found.len()) "件" @if !typed.is_empty() { "（" (typed) "）" } }
            ul class="answers" { @for r in &found { (frame::ruling(r)) } }
        };
        Ok(Page::of(format!("{} 裁定", game.name()), Some(game), main))
    }
}
