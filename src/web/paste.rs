//! `/board`: a board written or pasted, its mistakes at their lines, and what comes of it.

use maud::{Markup, html};
use serde_json::json;

use super::address::Query;
use super::run::{FORM, Shown, refused, what_if};
use super::{Answer, Ask, HURRY, House, Made, Page, Refused, nothing, wrong};
use crate::desk::{Desk, write};
use crate::scenario::Scenario;
use crate::text::{Game, Problem};

/// How long a board may be, in bytes.
const LONGEST: usize = 60_000;

impl House<'_> {
    pub(super) fn paste(&self, ask: &Ask) -> Answer {
        if ask.request.method == "POST" {
            return self.pasted(ask);
        }
        let text = match (ask.query.get("from"), ask.query.get("g")) {
            (Some(name), _) => match &self.rulings_named(name)[..] {
                [one] => self.scenario(one)?.source().to_string(),
                _ => return Err(nothing(format!("「{name}」という裁定はありません。"))),
            },
            (None, code) => {
                let game = Game::from_code(code.unwrap_or("dz"));
                let game = game.ok_or_else(|| wrong("そのゲームはありません。"))?;
                let blank = write::blank(super::house::book(game)?, game, self.boards(game));
                // What a command line is told is of no use here.
                let lines = blank.lines().filter(|line| !(line.starts_with('#') && line.contains("saitei ")));
                lines.map(|line| format!("{line}\n")).collect()
            }
        };
        if ask.json {
            return Ok(Made::Data(json!({"board": text})));
        }
        Ok(Page::of("盤面を書く", None, form(&text, &[], html! {})))
    }

    /// What comes of a board that was sent, or would come of it if.
    fn pasted(&self, ask: &Ask) -> Answer {
        let Sent { text, query } = sent(ask)?;
        let scenario = match Scenario::board("盤面".as_ref(), &text) {
            Ok(scenario) => scenario,
            Err(problems) => return Ok(unread(ask, &text, &problems)),
        };
        scenario.hurry(HURRY);
        let store = self.store(scenario.book)?;
        let desk = Desk { scenario: &scenario, store, library: self.library };
        let what_if = what_if(&query)?;
        let every = query.get("why").is_some();
        let page = match desk.page(&what_if, every) {
            Ok(page) => page,
            Err(notes) if ask.json => return Err(refused(&scenario, &notes)),
            Err(notes) => {
                let problems: Vec<Problem> = notes.iter().map(|n| scenario.problem(n)).collect();
                return Ok(unread(ask, &text, &problems));
            }
        };
        if ask.json {
            return Ok(Made::Data(json!(page)));
        }
        let shown = Shown { page: &page, scenario: &scenario, here: String::new(), query: &query };
        let body = shown.body(&desk, &what_if, every).map_err(|notes| refused(&scenario, &notes))?;
        let game = Game::from_code(page.game);
        Ok(Page::of("書いた盤面", game, form(&text, &[], html! { article { (body) } })))
    }
}

/// A board, and what is to be different about it.
struct Sent {
    text: String,
    query: Query,
}

/// The board in the body of a form, or the body itself. What is to be different stands in the address, or in the button
/// that sent the form.
fn sent(ask: &Ask) -> Result<Sent, Refused> {
    let not_read = || wrong("盤面を読めません（UTF-8の文字で書いてください）。");
    let body = ask.request.body;
    // Fields come in the order in which they stand on the page.
    let is_form = ["text=", "if=", "pick=", "without="].iter().any(|field| body.starts_with(field.as_bytes()));
    let (text, query) = match is_form {
        true => {
            let form = Query::read(body).ok_or_else(not_read)?;
            let asked = form.get("if").map(|asked| asked.trim_start_matches('?'));
            let mut query = Query::read(asked.unwrap_or_default().as_bytes()).ok_or_else(not_read)?;
            if form.get("pick").is_some() {
                query = Query(form.all("without").into_iter().map(|clause| ("without".into(), clause)).collect());
            }
            (form.get("text").map(String::from), query)
        }
        false => (std::str::from_utf8(body).ok().map(String::from), ask.query.clone()),
    };
    let text = text.ok_or_else(not_read)?.replace("\r\n", "\n");
    if text.len() > LONGEST {
        return Err(wrong(format!("盤面が長すぎます（{}KBまで）。", LONGEST / 1000)));
    }
    match query.is_text() {
        true => Ok(Sent { text, query }),
        false => Err(not_read()),
    }
}

/// The board with its mistakes.
fn unread(ask: &Ask, text: &str, problems: &[Problem]) -> Made {
    if ask.json {
        let one = |p: &Problem| json!({"line": p.line, "column": p.column, "message": p.message});
        return Made::Data(json!({"problems": problems.iter().map(one).collect::<Vec<_>>()}));
    }
    let main = form(text, problems, html! {});
    Made::Page(Page { status: 400, title: "盤面を読めません".into(), main, ..Page::default() })
}

fn form(text: &str, problems: &[Problem], ran: Markup) -> Markup {
    let heading = match ran.0.is_empty() {
        true => html! { h1 id="write" { "盤面を書いて動かす" } },
        false => html! { h2 id="write" { "盤面を書き直す" } },
    };
    let lines: Vec<&str> = text.lines().collect();
    html! {
        @if !problems.is_empty() {
            h1 { "盤面を読めません" }
            div role="alert" { ul class="problems" { @for p in problems { li {
                @if p.line > 0 { b { (p.line) "行目" } " " } (p.message)
                @if let Some(line) = p.line.checked_sub(1).and_then(|n| lines.get(n)) { pre { (line.chars().take(200).collect::<String>()) } }
            } } } }
        }
        (ran)
        section aria-labelledby="write" {
            @if problems.is_empty() { (heading) } @else { h2 id="write" { "盤面" } }
            p { "書き始め: " @for game in Game::ALL { a href=(format!("/board?g={}", game.code())) { (game.name()) } " " } }
            form id=(FORM) method="post" action="/board" {
                label for="text" { "盤面（YAML）。始まりの盤面（given）と、すること（play）" }
                textarea id="text" name="text" rows="18" spellcheck="false" maxlength=(LONGEST) { (text) }
                button type="submit" { "動かす" }
            }
        }
    }
}
