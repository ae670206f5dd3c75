//! `/` and `/find`: one box for words, questions and numbers.

use maud::{Markup, html};
use serde_json::json;

use super::frame::{self, beginning};
use super::{Answer, Ask, House, Made, Page, Refused, address, wrong};
use crate::desk::clause::edition;
use crate::desk::{find, rulings, term, toc};
use crate::search::index::Place;
use crate::search::snippet::snippet;
use crate::search::{Answer as Found, Filter, Hit};
use crate::text::numbers::{self, Numbers};
use crate::text::{Game, Ruling, Shelf};

/// How long a question may be, in characters, and how many hits a page has.
const LONGEST: usize = 400;
const HITS: usize = 10;
const MOST: usize = 50;
/// How much of a clause is shown.
const WIDTH: usize = 90;

impl House<'_> {
    pub(super) fn home(&self, ask: &Ask) -> Answer {
        if ask.json {
            return self.games(ask);
        }
        let main = html! {
            h1 class="hidden" { "探す" }
            div id="found" {
                section aria-labelledby="games" {
                    h2 id="games" { "ゲーム" }
                    ul class="games" {
                        @for shelf in self.library.shelves() {
                            li { a href=(format!("/{}", shelf.game.code())) {
                                b { (shelf.game.name()) }
                                span class="dim" { (shelf.document().edition) @if let Some(date) = &shelf.document().date { "（" (date) "）" } }
                            } }
                        }
                    }
                }
                section aria-labelledby="ways" {
                    h2 id="ways" { "ほかの入口" }
                    ul class="ways" {
                        li { a href="/compare" { "5つのゲームをくらべる" } }
                        li { a href="/board" { "盤面を書いて動かす" } }
                    }
                }
                section id="last" class="script" aria-labelledby="lately" hidden {
                    h2 id="lately" { "最近引いたもの" }
                    ul class="plain" {}
                    button type="button" data-forget="" { "消す" }
                }
            }
        };
        Ok(Page::of("", None, main))
    }

    /// The five documents.
    pub(super) fn games(&self, _: &Ask) -> Answer {
        let one = |shelf: &Shelf| {
            let d = shelf.document();
            json!({"game": shelf.game.code(), "name": shelf.game.name(), "document": d.title, "edition": d.edition, "date": d.date, "counts": toc::counts(shelf)})
        };
        Ok(Made::Data(json!(self.library.shelves().map(one).collect::<Vec<_>>())))
    }

    pub(super) fn find(&self, ask: &Ask) -> Answer {
        let typed = ask.query.get("q").map(str::trim).unwrap_or_default();
        if typed.is_empty() {
            return if ask.json { Err(wrong("q がありません。")) } else { Ok(Made::Moved("/".into())) };
        }
        if typed.chars().count() > LONGEST {
            return Err(wrong(format!("長すぎます（{LONGEST}字まで）。")));
        }
        let games = match ask.query.get("g") {
            None => Vec::new(),
            Some(code) => {
                let game =
                    Game::from_code(code).ok_or_else(|| wrong(format!("「{code}」というゲームはありません。")))?;
                vec![game]
            }
        };
        let limit = ask.query.get("n").and_then(|n| n.parse::<usize>().ok()).unwrap_or(HITS).clamp(1, MOST);
        let game = games.first().copied();
        if let Some(numbers) = self.by_number(typed, &games) {
            if ask.json {
                return Ok(Made::Data(find::numbers_json(self.library, typed, &numbers, limit)));
            }
            return Ok(self.numbers(typed, &numbers, game));
        }
        let filter = Filter { games, ..Filter::default() };
        let broken = |_| Refused(500, "索引を読めません。".into());
        let answer = self.searcher.find(typed, &filter).map_err(broken)?;
        if ask.json {
            return Ok(Made::Data(find::json(self.library, typed, &answer, limit, false)));
        }
        let main = self.hits(typed, &answer, limit, ask);
        Ok(Made::Page(Page { status: 200, title: format!("「{typed}」"), game, main, typed: typed.into() }))
    }

    /// The clauses that a number names, where it is one.
    fn by_number(&self, typed: &str, games: &[Game]) -> Option<Numbers> {
        let asked = if games.is_empty() { Game::ALL.to_vec() } else { games.to_vec() };
        let mut numbers = numbers::look_up(self.library, typed, &asked)?;
        numbers.named.iter_mut().for_each(|named| named.found.retain(|found| asked.contains(&found.game)));
        numbers.named.retain(|named| !named.found.is_empty());
        (!numbers.named.is_empty()).then_some(numbers)
    }

    fn numbers(&self, typed: &str, numbers: &Numbers, game: Option<Game>) -> Made {
        let found: Vec<_> = numbers.found().take(MOST).collect();
        if let [one] = found[..] {
            return Made::Moved(address::clause(&self.library.shelf(one.game).id(one.index)));
        }
        let main = html! {
            h1 { "「" (typed) "」" }
            div id="found" {
                p class="dim" { "当たる条文は" (found.len()) "件あります。" }
                ol class="hits" {
                    @for f in &found {
                        @let shelf = self.library.shelf(f.game);
                        (head(shelf, f.index, html! { (beginning(&shelf.node(f.index).text.unwrap_or_default(), WIDTH)) }))
                    }
                }
            }
        };
        Made::Page(Page { status: 200, title: format!("「{typed}」"), game, main, typed: typed.into() })
    }

    fn hits(&self, typed: &str, answer: &Found, limit: usize, ask: &Ask) -> Markup {
        let rulings = find::answering(self.library, answer);
        let doubt = find::doubt(answer).filter(|_| rulings.is_empty());
        let told = |place: &&Place| match place {
            Place::Ruling(game, i) => !rulings.iter().any(|r| r.path == self.library.shelf(*game).ruling(*i).path),
            _ => true,
        };
        let counts: Vec<_> = answer.counts.iter().filter(|(_, n)| *n > 0).collect();
        html! {
            h1 { "「" (typed) "」" }
            div id="found" aria-live="polite" {
                @if !answer.question.notes.is_empty() {
                    p class="dim" { (answer.question.notes.iter().map(|n| n.replace("」→「", "」を「")).collect::<Vec<_>>().join("、")) "として探しました" }
                }
                @if answer.hits.is_empty() && rulings.is_empty() { (self.none(typed)) }
                @if !rulings.is_empty() {
                    section aria-labelledby="answers" { h2 id="answers" { "裁定" } ul class="answers" { @for r in &rulings { (frame::ruling(r)) } } }
                }
                @if let Some(doubt) = doubt { p class="warn" { (doubt) } }
                @if !answer.hits.is_empty() {
                    section aria-labelledby="clauses" {
                        h2 id="clauses" { "条文" }
                        ol class="hits" { @for hit in answer.hits.iter().take(limit) { (self.hit(hit, answer)) } }
                    }
                }
                @if answer.beside.iter().any(|p| told(&p)) {
                    section aria-labelledby="beside" { h2 id="beside" { "そのほか" } ul class="plain" { @for place in answer.beside.iter().filter(told) { (self.beside(*place)) } } }
                }
                @if answer.hits.len() > limit {
                    p {
                        @if !counts.is_empty() {
                            "すべての語がある条文: "
                            @for (at, (game, n)) in counts.iter().enumerate() {
                                @if at > 0 { "・" }
                                a href=(format!("/find{}", ask.query.with("g", Some(game.code())).written())) { (game.name()) " " (n) }
                            }
                            " "
                        }
                        a href=(format!("/find{}", ask.query.with("n", Some(&MOST.to_string())).written())) { "もっと見る" }
                    }
                }
            }
        }
    }

    fn none(&self, typed: &str) -> Markup {
        let near = term::nearest(self.library, typed);
        html! {
            p class="warn" { "「" (typed) "」は見つかりません。" }
            @if !near.is_empty() {
                p { "近い用語: " @for (at, word) in near.iter().enumerate() { @if at > 0 { "、" } a href=(format!("/find?q={}", address::encode(word))) { (word) } } }
            }
        }
    }

    fn hit(&self, hit: &Hit, answer: &Found) -> Markup {
        let shelf = self.library.shelf(hit.game);
        let text = shelf.node(hit.position).text.map(|t| crate::text::node::plain(&t)).unwrap_or_default();
        let pieces = if text.is_empty() {
            Vec::new()
        } else {
            snippet(&text, &answer.question, WIDTH.min(text.chars().count()))
        };
        head(
            shelf,
            hit.position,
            html! {
                @for (mark, piece) in &pieces { @if *mark { mark { (piece) } } @else { (piece) } }
            },
        )
    }

    /// A reading, a history entry, a ruling, a card or a concept, as a link.
    fn beside(&self, place: Place) -> Markup {
        let (_, text) = find::beside(self.library, place);
        let (to, name) = match place {
            Place::Clause(game, i) => {
                (address::clause(&self.library.shelf(game).id(i)), self.library.shelf(game).id(i).to_string())
            }
            Place::Reading(game, i) => {
                let id = self.library.shelf(game).reading(i).id;
                (address::clause(&id), id.to_string())
            }
            Place::Entry(game, i) => {
                let id = self.library.shelf(game).entry(i).id;
                (address::clause(&id), id.to_string())
            }
            Place::Ruling(game, i) => {
                let ruling: Ruling = self.library.shelf(game).ruling(i);
                let name = rulings::name(&ruling);
                (address::run(&name), name)
            }
            Place::Card(game, i) => {
                let card = self.library.shelf(game).card(i);
                (address::card(game, &card.name), card.name)
            }
            Place::Concept(i) => {
                let concept = self.library.concept(i).concept;
                (address::compare(&concept), concept)
            }
        };
        html! { li { a href=(to) { (name) } " " span class="dim" { (text) } } }
    }
}

/// A clause in a list: number, title, place, and some of its words.
fn head(shelf: &Shelf, index: usize, words: Markup) -> Markup {
    let line = shelf.line(index);
    let path: Vec<&str> = shelf.path(index).iter().filter_map(|&i| shelf.line(i).title).collect();
    html! {
        li {
            a href=(address::of_clause(shelf.game, line.clause)) {
                span class="tag" title=(edition(shelf)) { (shelf.game.code()) } " "
                span class="number" { (line.clause) }
                @if let Some(title) = line.title { " " (title) }
            }
            p class="dim path" { (path.join(" › ")) }
            p { (words) }
        }
    }
}
