//! `/play/<ruling or game>?a=…`: legal acts as buttons, why not, take back. The address is the position.

use maud::{Markup, html};
use serde_json::json;

use super::address::{self, Query};
use super::board::Picture;
use super::frame;
use super::{Answer, Ask, HURRY, House, Made, Page, nothing, wrong};
use crate::desk::play::{Asked, Session, Standing};
use crate::desk::{Desk, write};
use crate::scenario::Scenario;
use crate::text::Game;
use crate::text::caught::or_fault;

/// How many answers an address may hold: each is played anew.
const ANSWERS: usize = 150;
/// How many of the last lines are shown.
const NEWS: usize = 12;

impl House<'_> {
    pub(super) fn play(&self, ask: &Ask, name: &str) -> Answer {
        if let Some(to) = picked(&ask.query) {
            return Ok(Made::Moved(format!("/play/{}{}", address::encode(name), to.written())));
        }
        let answers = ask.query.all("a");
        if answers.len() > ANSWERS {
            return Err(wrong(format!("手が多すぎます（{ANSWERS}手まで）。")));
        }
        let scenario = self.table(name)?;
        scenario.hurry(HURRY);
        let store = self.store(scenario.book)?;
        let desk = Desk { scenario: &scenario, store, library: self.library };
        let mut session = Session::new(desk);
        let why = ask.query.get("why");
        let (standing, told) = or_fault(|| {
            let standing = session.replay(&answers)?;
            let told = match (why, &standing.asked) {
                (Some(name), Some(asked)) => session.why_not(asked, name),
                _ => Vec::new(),
            };
            Ok((standing, told))
        })
        .and_then(|found| found)
        .map_err(wrong)?;
        let game = Game::from_code(scenario.book.code());
        if ask.json {
            let asked = standing.asked.as_ref();
            return Ok(Made::Data(json!({
                "game": scenario.book.code(), "name": name, "answers": answers, "board": standing.board,
                "told": standing.told, "over": standing.over,
                "asks": asked.map(|a| &a.words), "options": asked.map(|a| &a.options),
                "why_not": why.map(|name| json!({"name": name, "said": told})),
                "saved": session.saved(),
            })));
        }
        let table = Table { name, answers: &answers, standing: &standing, scenario: &scenario, why, told: &told };
        let saved = session.saved();
        Ok(Page::of(format!("動かす {name} {}手目", answers.len()), game, table.page(saved.as_deref())))
    }

    /// The board of a ruling, or a whole game of the cards that are known.
    fn table(&self, name: &str) -> Result<Scenario, super::Refused> {
        if let Some(game) = Game::from_code(name) {
            let book = super::house::book(game)?;
            let text = write::whole_game(book, self.store(book)?);
            return Scenario::board("play.yaml".as_ref(), &text).map_err(|_| nothing("始められません。"));
        }
        let found = self.rulings_named(name);
        match &found[..] {
            [one] => self.scenario(one),
            [] => Err(nothing(format!("「{name}」という裁定やゲームはありません。"))),
            several => {
                Err(nothing(format!("「{name}」に当たる裁定は{}個あります。番号で選んでください。", several.len())))
            }
        }
    }
}

/// Things ticked in a form become one answer.
fn picked(query: &Query) -> Option<Query> {
    query.get("pick")?;
    let chosen = query.all("c");
    let answer = if chosen.is_empty() { "なし".to_string() } else { chosen.join(" ") };
    Some(query.with("pick", None).with("c", None).with("why", None).and("a", &answer))
}

/// A position in play.
struct Table<'a> {
    name: &'a str,
    answers: &'a [String],
    standing: &'a Standing,
    scenario: &'a Scenario,
    why: Option<&'a str>,
    told: &'a [String],
}

impl Table<'_> {
    /// The address of the position after these answers.
    fn to(&self, answers: &[String], why: Option<&str>) -> String {
        let mut pairs: Vec<(String, String)> = answers.iter().map(|a| ("a".to_string(), a.clone())).collect();
        pairs.extend(why.map(|w| ("why".to_string(), w.to_string())));
        format!("/play/{}{}", address::encode(self.name), Query(pairs).written())
    }

    fn page(&self, saved: Option<&str>) -> Markup {
        let standing = self.standing;
        let tap = |label: &str| format!("{}#why", self.to(self.answers, Some(label)));
        let mut picture = Picture::new(&standing.board, None, self.scenario.book);
        if standing.asked.is_some() {
            picture.tap = Some(&tap);
        }
        let news = &standing.told[standing.told.len().saturating_sub(NEWS)..];
        html! {
            h1 { "動かす " span class="number" { (self.name) } }
            @if self.answers.is_empty() && !self.scenario.file.title.is_empty() { p class="dim" { (self.scenario.file.title) } }
            nav class="row" aria-label="手" {
                @match self.answers.split_last() {
                    Some((_, rest)) => { a class="button" href=(self.to(rest, None)) { "1手戻す" } " " a class="button" href=(self.to(&[], None)) { "初めから" } " " span { (self.answers.len()) "手" } }
                    None => span class="dim" { "始まりの盤面です。" },
                }
            }
            @if let Some(over) = &standing.over { p class="answer said" role="status" { (over) } }
            @if let Some(asked) = &standing.asked { (self.question(asked)) }
            @if let Some(name) = self.why { section id="why" aria-labelledby="whynot" { h2 id="whynot" { "「" (name) "」は" } ul { @for line in self.told { li { (line) } } } } }
            (picture.draw("今の盤面"))
            @if standing.asked.is_some() { p class="dim" { "カードを選ぶと、今なぜできないかが出ます。" } (self.ask_why()) }
            @if !news.is_empty() { section aria-labelledby="news" { h2 id="news" { "起きたこと" } ol class="story" { @for line in news { li { (line) } } } } }
            @if let Some(text) = saved { details { summary { "ここまでを盤面として" } label for="saved" { "盤面（YAML）" } textarea id="saved" readonly rows="8" { (text) } p { button type="button" class="script" data-copy="saved" { "写す" } " " a href="/board" { "盤面を書く" } } } }
        }
    }

    fn question(&self, asked: &Asked) -> Markup {
        html! {
            section class="asks" aria-labelledby="asks" {
                h2 id="asks" { (frame::lines(&asked.words)) }
                form method="get" action=(format!("/play/{}", address::encode(self.name))) {
                    @for answer in self.answers { input type="hidden" name="a" value=(answer); }
                    @if let Some((min, max)) = asked.number() {
                        label for="number" { (min) "から" (max) "まで" }
                        input id="number" name="a" type="number" min=(min) max=(max) value=(min) required;
                        button type="submit" { "答える" }
                    } @else if let Some((min, max, order)) = asked.several() {
                        fieldset {
                            legend { @if order { "選んだ順に並びます（すべて選ぶ）" } @else if min == max { (min) "つ選ぶ" } @else { (min) "〜" (max) "つ選ぶ" } }
                            @if order { (ordered(asked)) } @else {
                                @for (at, option) in asked.options.iter().enumerate() {
                                    label class="tick" { input type="checkbox" name="c" value=(at + 1); " " (option) }
                                }
                            }
                            button type="submit" name="pick" value="1" { "決める" }
                        }
                    } @else {
                        div class="acts" { @for (at, option) in asked.options.iter().enumerate() { button type="submit" name="a" value=(at + 1) { (option) } } }
                    }
                }
            }
        }
    }

    /// For those who know the name.
    fn ask_why(&self) -> Markup {
        html! {
            form class="narrow" method="get" action=(format!("/play/{}", address::encode(self.name))) {
                @for answer in self.answers { input type="hidden" name="a" value=(answer); }
                label for="name" { "なぜできないか" }
                input id="name" name="why" maxlength="60" placeholder="カードの名" value=(self.why.unwrap_or_default());
                button type="submit" { "聞く" }
            }
        }
    }
}

/// One list for every place of the order: what stands there first is what was offered first.
fn ordered(asked: &Asked) -> Markup {
    html! {
        @for place in 0..asked.options.len() {
            label class="tick" { (place + 1) "番目 "
                select name="c" { @for (at, option) in asked.options.iter().enumerate() { option value=(at + 1) selected[at == place] { (option) } } }
            }
        }
    }
}
