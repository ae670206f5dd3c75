//! The whole tool as pages: a page is a pure function of its address.
//!
//! [`House::respond`] takes a request (path and query; a body only for a pasted board) and gives a response. It knows
//! nothing of sockets, threads, clocks, files or terminals: the server around it is `saitei serve`, and the same
//! function can run inside a phone. A duel is a function of its answers, so a position in play is an address too.
//!
//! | address | file |
//! |---|---|
//! | how is an address read and written? | [`address`] |
//! | what do pages look into? | [`house`] |
//! | what stands around every page? | [`frame`] |
//! | `/`, `/find` | [`find`] |
//! | `/zx`, `/zx/all`, `/zx/905.1` | [`contents`], [`clause`] |
//! | `/zx/term/…`, `/compare/…`, `/zx/readings`, `/zx/card/…` | [`words`], [`card`] |
//! | `/zx/rulings`, `/run/<ruling>` | [`rulings`], [`run`] |
//! | the table as a picture | [`board`] |
//! | `/play/<ruling or game>`, `/board` | [`play`], [`paste`] |
//! | `/coverage/zx` | [`coverage`] |
//! | `….json`, `/api` | [`api`] |
//!
//! What is deliberately absent: a cookie, a session, a write, a script in a page, a style in an element, anything from
//! another host.

pub mod address;
mod api;
mod board;
mod card;
mod clause;
mod contents;
mod coverage;
mod find;
mod frame;
pub mod house;
mod paste;
mod play;
pub mod qr;
mod rulings;
mod run;
mod words;

pub use house::House;

use maud::Markup;
use serde_json::{Value, json};

use crate::text::Game;
use crate::text::caught::or_fault;
use address::{Query, decode};

/// What is asked. The shell has parsed HTTP; nothing else has been looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// `GET`, `HEAD` or `POST`.
    pub method: &'a str,
    pub path: &'a str,
    pub query: &'a str,
    pub body: &'a [u8],
    /// The `Host` header: `127.0.0.1:8750`.
    pub host: &'a str,
    /// Comes from this machine: imported official texts may be shown.
    pub own: bool,
}

/// What is answered.
#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

/// How long an address and a body may be, in bytes.
pub const PATH: usize = 1_000;
pub const QUERY: usize = 6_000;
pub const BODY: usize = 100_000;

/// Which part of the work that a ruling may take is done for what a stranger asks: they wait, and so do others.
pub(crate) const HURRY: u64 = 8;

/// What a page is made of, before the frame is around it.
pub(crate) enum Made {
    Page(Page),
    Data(Value),
    File { kind: &'static str, bytes: Vec<u8>, keep: bool },
    Moved(String),
}

#[derive(Default)]
pub(crate) struct Page {
    pub status: u16,
    pub title: String,
    pub game: Option<Game>,
    pub main: Markup,
    /// What was typed in the box.
    pub typed: String,
}

impl Page {
    pub fn of(title: impl Into<String>, game: Option<Game>, main: Markup) -> Made {
        Made::Page(Page { status: 200, title: title.into(), game, main, typed: String::new() })
    }
}

/// A refusal: nothing there (404), not understood (400).
#[derive(Debug)]
pub struct Refused(pub u16, pub String);

pub(crate) type Answer = Result<Made, Refused>;

pub(crate) fn nothing(text: impl Into<String>) -> Refused {
    Refused(404, text.into())
}

pub(crate) fn wrong(text: impl Into<String>) -> Refused {
    Refused(400, text.into())
}

/// A request that has been read: the parts of its path, its query, and whether data is wanted.
pub(crate) struct Ask<'a> {
    pub parts: Vec<String>,
    pub query: Query,
    pub json: bool,
    pub request: &'a Request<'a>,
}

impl House<'_> {
    /// The response to a request. Always one: a fault of ours is a page that says so.
    pub fn respond(&self, request: &Request) -> Response {
        let made = or_fault(|| self.answer(request)).unwrap_or_else(|fault| Err(Refused(500, fault)));
        let json = request.path.ends_with(".json");
        let (status, kind, body, more) = match made {
            Ok(Made::Page(page)) => (page.status, HTML, frame::html(self, request, &page).into_bytes(), None),
            Ok(Made::Data(value)) => (200, JSON, data(&value), None),
            Ok(Made::File { kind, bytes, keep }) => {
                let cache = if keep { "max-age=3600" } else { "no-store" };
                (200, kind, bytes, Some(("Cache-Control", cache.to_string())))
            }
            Ok(Made::Moved(to)) => (303, HTML, Vec::new(), Some(("Location", to))),
            Err(Refused(status, text)) if json => (status, JSON, data(&json!({"error": text})), None),
            Err(Refused(status, text)) => {
                let page = frame::refusal(status, &text);
                (status, HTML, frame::html(self, request, &page).into_bytes(), None)
            }
        };
        let mut headers = vec![("Content-Type", kind.to_string())];
        headers.extend(SAFE.iter().map(|(name, value)| (*name, value.to_string())));
        headers.extend(more);
        let body = if request.method == "HEAD" { Vec::new() } else { body };
        Response { status, headers, body }
    }

    fn answer(&self, request: &Request) -> Answer {
        if !address::is_here(request.host) {
            return Err(Refused(421, "この名前では答えません。IPアドレスか localhost で開いてください。".into()));
        }
        if !["GET", "HEAD", "POST"].contains(&request.method) {
            return Err(Refused(405, "見るだけの道具です（GET、HEAD、盤面を貼る POST）。".into()));
        }
        if request.path.len() > PATH || request.query.len() > QUERY || request.body.len() > BODY {
            return Err(Refused(414, "アドレスか本文が長すぎます。".into()));
        }
        let (path, json) = match request.path.strip_suffix(".json") {
            Some(path) => (path, true),
            None => (request.path, false),
        };
        let not_read = || wrong("アドレスを読めません。");
        let parts = path.split('/').skip(1).filter(|p| !p.is_empty());
        let parts: Vec<String> = parts.map(decode).collect::<Option<_>>().ok_or_else(not_read)?;
        let query = Query::read(request.query.as_bytes()).ok_or_else(not_read)?;
        // Two strokes at once would be another host where an address is written again.
        if !path.starts_with('/')
            || path.contains("//")
            || parts.iter().any(|p| !address::is_text(p))
            || !query.is_text()
        {
            return Err(not_read());
        }
        let ask = Ask { parts, query, json, request };
        let names: Vec<&str> = ask.parts.iter().map(String::as_str).collect();
        if request.method == "POST" && names != ["board"] {
            return Err(Refused(405, "ここには何も送れません。".into()));
        }
        self.route(&ask, &names)
    }

    fn route(&self, ask: &Ask, names: &[&str]) -> Answer {
        match names {
            [] => self.home(ask),
            ["find"] => self.find(ask),
            ["style.css"] => Ok(Made::File { kind: CSS, bytes: STYLE.into(), keep: true }),
            ["script.js"] => Ok(Made::File { kind: JS, bytes: SCRIPT.into(), keep: true }),
            ["icon.svg"] | ["favicon.ico"] => Ok(Made::File { kind: SVG, bytes: ICON.into(), keep: true }),
            ["qr.svg"] => self.qr(ask),
            ["api"] => Ok(Made::Data(api::description())),
            ["board"] => self.paste(ask),
            ["compare"] => self.compare(ask, ""),
            ["compare", word] => self.compare(ask, word),
            ["run", name] => self.run(ask, name),
            ["play", name] => self.play(ask, name),
            ["coverage", game] => self.coverage(ask, named(game)?),
            ["games"] => self.games(ask),
            [game] => self.contents(ask, named(game)?),
            [game, "all"] => self.everything(ask, named(game)?),
            [game, "rulings"] => self.rulings(ask, named(game)?),
            [game, "readings"] => self.readings(ask, named(game)?),
            [game, "term"] => self.term(ask, named(game)?, ""),
            [game, "term", word] => self.term(ask, named(game)?, word),
            [game, "card"] => self.card(ask, named(game)?, ""),
            [game, "card", name] => self.card(ask, named(game)?, name),
            [game, clause] => self.clause(ask, named(game)?, clause),
            _ => Err(nothing("そのアドレスのページはありません。")),
        }
    }

    fn qr(&self, ask: &Ask) -> Answer {
        let to = ask.query.get("to").unwrap_or("/");
        if !to.starts_with('/') || to.starts_with("//") || to.len() > 1_500 {
            return Err(wrong("QRコードにできるのは、このサーバーのアドレスだけです。"));
        }
        let svg = qr::svg(&format!("http://{}{to}", ask.request.host))
            .ok_or_else(|| wrong("アドレスが長すぎて、QRコードにできません。"))?;
        Ok(Made::File { kind: SVG, bytes: svg.into_bytes(), keep: true })
    }
}

fn named(code: &str) -> Result<Game, Refused> {
    Game::from_code(code)
        .ok_or_else(|| nothing(format!("「{code}」というページはありません（ゲームは {}）。", Game::codes())))
}

fn data(value: &Value) -> Vec<u8> {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text.into_bytes()
}

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
const ICON: &str = include_str!("icon.svg");

/// What every response says: nothing from elsewhere, no script but ours, nothing told to others.
const SAFE: [(&str, &str); 5] = [
    (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
];
