//! `/zx/term/…` the glossary, `/compare/…` one concept across the games, `/zx/readings` where documents are silent.

use maud::{Markup, html};
use serde_json::json;

use super::clause::options;
use super::frame::{beginning, citation, link, prose};
use super::{Answer, Ask, House, Made, Page, address, nothing};
use crate::desk::clause::edition;
use crate::desk::{cite, compare, readings, term};
use crate::text::lexicon::Via;
use crate::text::{Concept, Game, Shelf, Term};

impl House<'_> {
    pub(super) fn term(&self, ask: &Ask, game: Game, word: &str) -> Answer {
        let shelf = self.library.shelf(game);
        if word.is_empty() {
            return Ok(all(ask, shelf));
        }
        let found = term::find(self.library, &[game], word);
        if ask.json {
            let list: Vec<_> = found.iter().map(|(via, shelf, t)| term::json(*via, shelf, t)).collect();
            return Ok(Made::Data(json!(list)));
        }
        if found.is_empty() {
            let near = term::nearest(self.library, word);
            let near = if near.is_empty() { String::new() } else { format!("\n近い用語: {}", near.join("、")) };
            return Err(nothing(format!("「{word}」に当たる用語はありません。{near}")));
        }
        let text: String = found.iter().map(|(_, shelf, t)| cite::term(shelf, t).text).collect();
        let main = html! {
            @for (via, shelf, t) in &found { (one(*via, shelf, t)) }
            (citation(&text))
        };
        Ok(Page::of(format!("{word}（用語）"), Some(game), main))
    }

    pub(super) fn compare(&self, ask: &Ask, word: &str) -> Answer {
        let concepts = self.library.concepts();
        let found = compare::find(&concepts, word);
        if ask.json {
            return Ok(Made::Data(json!(found)));
        }
        if found.is_empty() {
            return Err(nothing(format!("「{word}」という概念はありません。")));
        }
        let main = html! {
            @if word.is_empty() {
                h1 { "くらべる" }
                ul class="plain columns" { @for c in &found { li { a href=(address::compare(&c.concept)) { (c.concept) } @if !c.also.is_empty() { " " span class="dim" { (c.also.join("、")) } } } } }
            } @else {
                @for c in &found { (self.concept(c)) }
            }
        };
        let title = if word.is_empty() { "くらべる".to_string() } else { format!("{word}（くらべる）") };
        Ok(Page::of(title, None, main))
    }

    fn concept(&self, concept: &Concept) -> Markup {
        let speaks = |g: &Game| concept.games.iter().any(|t| t.clauses.first().is_some_and(|id| id.game == *g));
        let silent: Vec<&str> = Game::ALL.iter().filter(|g| !speaks(g)).map(|g| g.name()).collect();
        html! {
            article {
                h1 { (concept.concept) span class="dim" { "（" (concept.reading) "）" } }
                p class="answer" { (concept.differs) }
                @for treatment in &concept.games {
                    @if let Some(first) = treatment.clauses.first() {
                        @let shelf = self.library.shelf(first.game);
                        section { h2 { (first.game.name()) } p { (prose(&treatment.text)) }
                        p class="dim" { (edition(shelf)) " " @for (at, id) in treatment.clauses.iter().enumerate() { @if at > 0 { "、" } a class="number" href=(address::clause(id)) { (id.clause) } } } }
                    }
                }
                @if !silent.is_empty() { p class="dim" { "規定なし: " (silent.join("、")) } }
                (citation(&cite::concept(self.library, concept).text))
            }
        }
    }

    pub(super) fn readings(&self, ask: &Ask, game: Game) -> Answer {
        let shelf = self.library.shelf(game);
        if ask.json {
            let list: Vec<_> = shelf.readings().iter().map(|r| readings::json(game.code(), r)).collect();
            return Ok(Made::Data(json!(list)));
        }
        let main = html! {
            h1 { "読み方の分かれる所" }
            p class="dim" { (edition(shelf)) " " (shelf.readings().len()) "件" }
            @for r in shelf.readings() {
                section class="reading" id=(r.id.clause) {
                    h2 { a href=(address::clause(&r.id)) { (r.id.clause) } @if readings::runs(game.code(), r) { " " span class="tag" { "盤面で選べる" } } }
                    (options(shelf, r))
                }
            }
        };
        Ok(Page::of(format!("{} 読み方", game.name()), Some(game), main))
    }
}

fn all(ask: &Ask, shelf: &Shelf) -> Made {
    if ask.json {
        return Made::Data(json!(shelf.terms()));
    }
    let mut terms: Vec<&Term> = shelf.terms().iter().collect();
    terms.sort_by(|a, b| a.reading.cmp(&b.reading));
    let main = html! {
        h1 { "用語" }
        p class="dim" { (edition(shelf)) " " (terms.len()) "語、読みの順" }
        ul class="plain columns" { @for t in &terms { li { a href=(address::term(shelf.game, &t.term)) { (t.term) } " " span class="dim" { (t.reading) } } } }
    };
    Page::of(format!("{} 用語", shelf.game.name()), Some(shelf.game), main)
}

fn one(via: Option<Via>, shelf: &Shelf, term: &Term) -> Markup {
    let how = match via {
        Some(Via::Slang) => "プレイヤーの言い方から",
        Some(Via::Synonym) => "別の書き方から",
        None => "一部に含む",
        _ => "",
    };
    html! {
        article {
            h1 { (term.term) span class="dim" { "（" (term.reading) "）" } @if !how.is_empty() { " " span class="tag" { (how) } } }
            @if !term.synonyms.is_empty() { p { "別の書き方: " (term.synonyms.join("、")) } }
            @if !term.slang.is_empty() { p { "プレイヤーの言い方（非公式）: " (term.slang.join("、")) } }
            @if term.undefined { p class="warn" { "文書に定義はない。" } }
            @if let Some(note) = &term.note { p class="warn" { (prose(note)) } }
            @for id in &term.defined {
                @if let Some(i) = shelf.position(&id.clause) { p class="text" { (link(shelf, i)) " " (prose(&shelf.node(i).text.unwrap_or_default())) } }
            }
            @if !term.see.is_empty() { h2 { "関連" } ul class="plain" { @for id in &term.see { @if let Some(i) = shelf.position(&id.clause) { li { (link(shelf, i)) " " span class="dim" { (beginning(&shelf.node(i).text.unwrap_or_default(), 60)) } } } } } }
        }
    }
}
