//! What stands around every page: the box, the way through a game, the edition, how to share.

use maud::{DOCTYPE, Markup, html};

use super::address::{self, encode};
use super::{House, Page, Request};
use crate::desk::clause::edition;
use crate::text::node::{plain, references_in};
use crate::text::{Game, Id, Ruling, Shelf};

pub fn html(house: &House, request: &Request, page: &Page) -> String {
    let title =
        if page.title.is_empty() { "saitei（裁定）".to_string() } else { format!("{} — saitei", page.title) };
    let code = page.game.map(Game::code).unwrap_or_default();
    let made = html! {
        (DOCTYPE)
        html lang="ja" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="icon" href="/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/style.css";
                script src="/script.js" defer {}
            }
            body {
                a class="skip" href="#main" { "本文へ" }
                header class="top" {
                    a class="brand" href="/" { "裁定" span class="latin" { "saitei" } }
                    (search_box(&page.typed, code))
                }
                @if let Some(game) = page.game {
                    nav class="game" aria-label=(format!("{}の中", game.name())) {
                        a href=(format!("/{code}")) { (game.name()) }
                        a href=(format!("/{code}/rulings")) { "裁定" }
                        a href=(format!("/{code}/term")) { "用語" }
                        a href=(format!("/{code}/readings")) { "読み方" }
                        a href=(format!("/{code}/card")) { "カード" }
                        a href=(format!("/play/{code}")) { "動かす" }
                        a href=(format!("/coverage/{code}")) { "網羅" }
                    }
                }
                main id="main" tabindex="-1" data-title=(page.title) { (page.main) }
                footer class="end" {
                    @if let Some(game) = page.game {
                        p { (edition(house.library.shelf(game))) }
                    }
                    p { "条文はsaiteiによる要旨。公式の見解ではありません。" }
                    (share(request, page.status == 200))
                    p class="links" {
                        a href="/" { "探す" }
                        a href="/compare" { "くらべる" }
                        a href="/board" { "盤面を書く" }
                        a href="/api" { "API" }
                    }
                }
            }
        }
    };
    made.into_string()
}

/// The one box.
pub fn search_box(typed: &str, code: &str) -> Markup {
    html! {
        search {
            form class="box" action="/find" method="get" {
                label class="hidden" for="q" { "言葉か質問か番号" }
                input id="q" name="q" type="search" value=(typed) placeholder="言葉・質問・番号" autocomplete="off" enterkeyhint="search" maxlength="400";
                label class="hidden" for="g" { "ゲーム" }
                select id="g" name="g" {
                    option value="" { "全部" }
                    @for game in Game::ALL {
                        option value=(game.code()) selected[game.code() == code] { (game.code()) }
                    }
                }
                button type="submit" { "探す" }
            }
        }
    }
}

/// The address of this page, as a code for another phone, and as data.
fn share(request: &Request, there: bool) -> Markup {
    let query = if request.query.is_empty() { String::new() } else { format!("?{}", request.query) };
    let here = format!("{}{query}", request.path);
    let whole = format!("http://{}{here}", request.host);
    // What cannot be asked for again cannot be shared.
    let shared = there && request.method != "POST";
    html! {
        @if shared {
            details class="share" {
                summary { "このページを渡す" }
                p { label for="address" { "アドレス" } " " input id="address" readonly value=(whole); " " button type="button" class="script" data-copy="address" { "写す" } }
                @if whole.len() < 1_500 {
                    img class="qr" src=(format!("/qr.svg?to={}", encode(&here))) alt="このページのQRコード" width="200" height="200" loading="lazy";
                }
                @if request.path != "/" {
                    p { a href=(format!("{}.json{query}", request.path)) { "データ（JSON）" } }
                }
            }
        }
    }
}

/// A page that says why there is none.
pub fn refusal(status: u16, text: &str) -> Page {
    let title = match status {
        404 => "ありません",
        500 => "不具合",
        503 => "混んでいます",
        _ => "できません",
    };
    let main = html! {
        h1 { (title) }
        p class="warn" role="alert" { @for line in text.lines() { (line) br; } }
        p { a href="/" { "初めから探す" } }
    };
    Page { status, title: title.into(), main, ..Page::default() }
}

/// A text of ours with its references as links; lines stay lines.
pub fn prose(text: &str) -> Markup {
    let mut pieces: Vec<(String, Option<Id>)> = Vec::new();
    let mut from = 0;
    for (range, id) in references_in(text) {
        pieces.push((text[from..range.start].to_string(), None));
        pieces.push((id.clause.to_string(), Some(id)));
        from = range.end;
    }
    pieces.push((text[from..].to_string(), None));
    html! {
        @for (text, id) in &pieces {
            @match id {
                Some(id) => a href=(address::clause(id)) { (text) },
                None => (lines(text)),
            }
        }
    }
}

/// A text whose line breaks count.
pub fn lines(text: &str) -> Markup {
    html! {
        @for (at, line) in text.split('\n').enumerate() {
            @if at > 0 { br; }
            (line)
        }
    }
}

/// A clause by number and title, as a link.
pub fn link(shelf: &Shelf, index: usize) -> Markup {
    let line = shelf.line(index);
    html! {
        a href=(address::of_clause(shelf.game, line.clause)) {
            span class="number" { (line.clause) }
            @if let Some(title) = line.title { " " (title) }
        }
    }
}

/// `zx:905.1` as a link that shows the number alone.
pub fn cited(id: &str) -> Markup {
    let short = id.split_once(':').map_or(id, |(_, rest)| rest);
    html! {
        @match address::of_id(id) {
            Some(to) => a class="number" href=(to) { (short) },
            None => (short),
        }
    }
}

/// A ruling in a list: its name and title, its verdict, what decides.
pub fn ruling(ruling: &Ruling) -> Markup {
    let name = crate::desk::rulings::name(ruling);
    html! {
        li class="ruling" {
            a href=(address::run(&name)) { span class="number" { (name) } " " (ruling.title) }
            p class="dim" {
                span class="verdict" { (ruling.verdict_words()) }
                @if !ruling.why.is_empty() {
                    " 決め手 " @for (at, id) in ruling.why.iter().enumerate() { @if at > 0 { "、" } (cited(id)) }
                }
            }
        }
    }
}

/// A block to paste.
pub fn citation(text: &str) -> Markup {
    html! {
        details class="cite" {
            summary { "引用する" }
            label for="cite" { "貼り付ける文" }
            textarea id="cite" readonly rows="5" { (text.trim_end()) }
            p { button type="button" class="script" data-copy="cite" { "写す" } }
        }
    }
}

/// The beginning of a text without its marks.
pub fn beginning(text: &str, most: usize) -> String {
    let text = plain(text).replace('\n', " ");
    let short: String = text.chars().take(most).collect();
    if short.len() < text.len() { short + "…" } else { short }
}
