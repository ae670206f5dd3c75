//! `/run/<ruling>`: the answer first, then the board as a picture, how it came about, and what would be otherwise.

use maud::{Markup, html};
use serde_json::json;

use super::address::{self, Query};
use super::board::Picture;
use super::frame::{self, citation, cited as linked};
use super::{Answer, Ask, HURRY, House, Made, Page, Refused, nothing, wrong};
use crate::desk::run::{Deciding, Page as Ran};
use crate::desk::{Desk, cite, say};
use crate::kernel::Told;
use crate::kernel::cite::cited;
use crate::scenario::{Board, Line, Note, Scenario, WhatIf};
use crate::text::{Game, Ruling};

/// How many of the deciding clauses that were found are shown unless all are asked for.
const FOUND: usize = 4;
/// How much of the trace is written out.
const TRACE: usize = 1_500;
/// How many clauses can be switched off from a list.
const SWITCHES: usize = 200;

impl House<'_> {
    pub(super) fn run(&self, ask: &Ask, name: &str) -> Answer {
        let found = self.rulings_named(name);
        let ruling = match &found[..] {
            [one] => one,
            [] => return Err(nothing(format!("「{name}」という裁定はありません。"))),
            several => return Ok(choose(ask, name, several)),
        };
        let scenario = self.scenario(ruling)?;
        let what_if = what_if(&ask.query)?;
        if !what_if.set.is_empty() {
            scenario.hurry(HURRY);
        }
        let every = ask.query.get("why").is_some();
        let store = self.store(scenario.book)?;
        let desk = Desk { scenario: &scenario, store, library: self.library };
        let page = desk.page(&what_if, every).map_err(|notes| refused(&scenario, &notes))?;
        if ask.json {
            return Ok(Made::Data(json!(page)));
        }
        let shown = Shown { page: &page, scenario: &scenario, here: address::run(&page.name), query: &ask.query };
        let body = shown.body(&desk, &what_if, every).map_err(|notes| refused(&scenario, &notes))?;
        let main = html! { article { (body) (citation(&cite::ruling(self.library, ruling).text)) } };
        Ok(Page::of(format!("{} {}", page.name, page.title), Game::from_code(page.game), main))
    }
}

/// What is to be different, by the address.
pub fn what_if(query: &Query) -> Result<WhatIf, Refused> {
    let pairs = |key: &str, like: &str| {
        let pair = |text: &String| {
            let (a, b) =
                text.split_once('=').ok_or_else(|| wrong(format!("{key} は「{like}」の形で書いてください。")))?;
            Ok((a.trim().to_string(), b.trim().to_string()))
        };
        query.all(key).iter().map(pair).collect::<Result<Vec<_>, Refused>>()
    };
    let vary = match query.get("vary").map(|n| n.parse::<usize>()) {
        None => None,
        Some(Ok(n)) if n > 0 => Some(n - 1),
        Some(_) => return Err(wrong("別の場合の番号は1からの数です。")),
    };
    Ok(WhatIf {
        without: query.all("without"),
        readings: pairs("reading", "C1=b")?,
        set: pairs("set", "A.手札=[カード名]")?,
        vary,
    })
}

/// Why a board cannot be run, with the lines it is about.
pub fn refused(scenario: &Scenario, notes: &[Note]) -> Refused {
    let said = |n: &Note| {
        if n.at.line == 0 { n.text.clone() } else { format!("{}行目: {}", n.at.line, scenario.problem(n).message) }
    };
    let said: Vec<String> = notes.iter().map(said).collect();
    // The switches have other names here than on the command line.
    wrong(
        said.join("\n")
            .replace("--without ", "")
            .replace("--reading ", "")
            .replace("--vary ", "")
            .replace("--set ", ""),
    )
}

/// Several rulings are meant: the choice is the reader's.
fn choose(ask: &Ask, name: &str, several: &[Ruling]) -> Made {
    if ask.json {
        return Made::Data(json!({"rulings": several}));
    }
    let game = several.first().and_then(|r| r.id.split(':').next()).and_then(Game::from_code);
    let main = html! {
        h1 { "「" (name) "」の裁定" }
        p { (several.len()) "個あります。" }
        ul class="answers" { @for r in several { (frame::ruling(r)) } }
    };
    Page::of(format!("{name}の裁定"), game, main)
}

/// A run on its page. A pasted board has no address of its own: its switches are buttons of the form it was sent with.
pub struct Shown<'a> {
    pub page: &'a Ran,
    pub scenario: &'a Scenario,
    /// Where the run is; empty for a pasted board.
    pub here: String,
    pub query: &'a Query,
}

/// The form that a pasted board is sent with.
pub const FORM: &str = "pasted";

/// What a way to the same board with something different looks like.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Link,
    Button,
    /// The step that is shown.
    Here,
}

impl Shown<'_> {
    /// The way to the same board under the query; a place of the page is gone to at once.
    fn way(&self, query: &Query, place: &str, look: Way, words: Markup) -> Markup {
        let here = (look == Way::Here).then_some("step");
        let class = match look {
            Way::Button => Some("button"),
            _ if self.here.is_empty() => Some("link"),
            _ => None,
        };
        if self.here.is_empty() {
            // What is sent is never empty, so that the board as it is written can be asked for too.
            let asked = query.written();
            return html! {
                button form=(FORM) formaction=(format!("/board{place}")) type="submit" name="if" value=(if asked.is_empty() { "?" } else { &asked }) class=[class] aria-current=[here] { (words) }
            };
        }
        html! { a class=[class] aria-current=[here] href=(format!("{}{}{place}", self.here, query.written())) { (words) } }
    }

    /// The whole of it: the answer, the table at the moment that was asked for, how it came about, what could be
    /// different.
    pub fn body(&self, desk: &Desk, what_if: &WhatIf, every: bool) -> Result<Markup, Vec<Note>> {
        let (page, query) = (self.page, self.query);
        let number = |key: &str| query.get(key).and_then(|n| n.parse::<usize>().ok());
        let steps = desk.steps(what_if);
        let last = steps.last().map_or(0, |(at, _)| *at);
        let at = number("at").map(|n| n.min(last));
        // Which of the lines that are shown, from 1.
        let open = page.trace.iter().filter(|l| !l.folded).take(TRACE).count();
        let line = number("line").map(|n| n.clamp(1, open.max(1)));
        let line = line.and_then(|n| Some((n, page.trace.iter().filter(|l| !l.folded).nth(n - 1)?)));
        let moment = match (line, at.filter(|n| *n < last)) {
            (Some((_, line)), _) => Some(desk.at_line(what_if, line.at)?),
            (None, Some(n)) => Some(desk.after(what_if, n)?),
            (None, None) => None,
        };
        Ok(html! {
            (self.head())
            (self.answer(every))
            (self.board(&steps, at, line, moment.as_ref()))
            (self.story())
            (self.switches())
            (self.rest())
        })
    }

    fn head(&self) -> Markup {
        let page = self.page;
        html! {
            h1 { span class="number" { (page.name) } " " (page.title) }
            @if !page.condition.is_empty() {
                p class="warn" { (page.condition.join("、")) " " (self.way(&Query::default(), "", Way::Link, html! { "元に戻す" })) }
            }
            @if let Some(question) = &page.question { p class="question" { "Q. " (question) } }
            @for remark in &page.remarks { p class="warn" { (remark) } }
        }
    }

    /// What comes of it, what decides, and whether it holds.
    fn answer(&self, every: bool) -> Markup {
        let page = self.page;
        let most = page.shown(every, FOUND);
        let left = page.deciding.len() - most;
        html! {
            section class="answer" aria-labelledby="answer" {
                h2 id="answer" { "結論" }
                p class="said" { (page.conclusion.concat()) }
                @match (page.verdict, page.passed.unwrap_or(true)) {
                    (Some(_), false) => p class="warn" { "裁定のとおりになりません" },
                    (Some(verdict), true) => p { span class="verdict" { (verdict.name()) } },
                    (None, _) => {}
                }
                @if let Some(reason) = &page.reason { p class="dim" { (reason) } }
                @for note in &page.problems {
                    p class="warn" { @if note.at.line > 0 { (note.at.line) "行目: " } (note.text) }
                }
            }
            (self.compared())
            @if most > 0 || left > 0 {
                section aria-labelledby="deciding" {
                    h2 id="deciding" { "決め手" }
                    @if most == 0 { p class="dim" { (page.nothing_decides()) } }
                    @else { ul class="deciding" { @for d in page.deciding.iter().take(most) { (self.deciding(d)) } } }
                    @if !every && page.condition.is_empty() && page.before.is_some() {
                        p class="more" { (self.way(&self.query.with("why", Some("1")), "", Way::Link, html! { @if left > 0 { "ほかに" (left) } @else { "決め手をすべて探す" } })) }
                    }
                }
            } @else if page.condition.is_empty() && page.before.is_some() {
                p class="dim" { "決め手: " (page.nothing_decides()) }
            }
            @for by in &page.readings {
                section class="reading" {
                    h2 { "読みによる " (linked(&by.reading)) }
                    p { (by.question) "（" (by.taken) " と読んだ）" }
                    ul { @for o in &by.others { li {
                        (self.way(&self.query.and("reading", &format!("{}={}", short(&by.reading), o.key)), "", Way::Link, html! { (o.key) " と読む" }))
                        ": " (o.text) span class="dim" { "（" (say::instead(&o.differences).join("、")) "）" }
                    } } }
                }
            }
        }
    }

    fn deciding(&self, d: &Deciding) -> Markup {
        let clause = short(&d.clause);
        html! {
            li {
                (linked(&d.clause)) " " (d.text)
                @if !d.without.is_empty() { p class="dim" { "なければ、" (d.without.join("、")) } }
                @else if let Some(note) = &d.note { p class="dim" { (note) } }
                @if self.page.condition.is_empty() && !d.without.is_empty() {
                    p { (self.way(&Query(vec![("without".into(), clause.into())]), "", Way::Button, html! { (clause) " がないとしたら" })) }
                }
            }
        }
    }

    /// A changed board beside the board as it is written.
    fn compared(&self) -> Markup {
        let page = self.page;
        let word = |w: &Option<String>| w.clone().unwrap_or_else(|| "変わらない".into());
        html! {
            @if !page.condition.is_empty() {
                section aria-labelledby="compared" {
                    h2 id="compared" { "元の盤面とくらべる" }
                    @if page.differences.is_empty() { p { "結果は変わりません。" } } @else {
                        div class="wide" tabindex="0" role="region" aria-label="違い" { table {
                            thead { tr { th scope="col" { "もの" } th scope="col" { "元" } th scope="col" { "ここ" } } }
                            tbody { @for d in &page.differences { tr { th scope="row" { (d.name) } td { (word(&d.real)) } td { (word(&d.here)) } } } }
                        } }
                    }
                }
            }
        }
    }

    /// The table, at the end or at the moment that was asked for, and the steps that lead there.
    fn board(
        &self,
        steps: &[(usize, String)],
        at: Option<usize>,
        line: Option<(usize, &Line)>,
        moment: Option<&Board>,
    ) -> Markup {
        let (Some(before), Some(after)) = (&self.page.before, &self.page.after) else { return html! {} };
        let last = steps.last().map_or(0, |(at, _)| *at);
        // A line of the trace lies between the steps.
        let now = if line.is_some() { usize::MAX } else { at.unwrap_or(last) };
        let (board, name) = match (moment, now) {
            (Some(board), usize::MAX) => (board, "この時の盤面".to_string()),
            (Some(board), 0) => (board, "始まりの盤面".to_string()),
            (Some(board), n) => (board, format!("{}手後の盤面", steps.iter().filter(|(at, _)| *at <= n).count())),
            (None, _) => (after, "終わりの盤面".to_string()),
        };
        let compare = (now > 0).then_some(before);
        let step = |n: usize, words: Markup| {
            let value = (n < last).then(|| n.to_string());
            let look = if now == n { Way::Here } else { Way::Link };
            self.way(&self.query.with("line", None).with("at", value.as_deref()), "#board", look, words)
        };
        html! {
            section id="board" aria-labelledby="table" {
                h2 id="table" { "盤面" }
                @if !steps.is_empty() {
                    nav class="steps" aria-label="手順" { ol {
                        li { (step(0, html! { "始まり" })) }
                        @for (i, (n, words)) in steps.iter().enumerate() {
                            li { (step(*n, html! { (i + 1) ". " (words) })) }
                        }
                    } }
                }
                (self.slider(line))
                (Picture::new(board, compare, self.scenario.book).draw(&name))
                @if !self.page.changes.is_empty() { h3 { "変わったこと" } ul class="plain" { @for change in &self.page.changes { li { (change) } } } }
            }
        }
    }

    /// One line of the trace with its clause, and the ways to the lines before and after it.
    fn slider(&self, line: Option<(usize, &Line)>) -> Markup {
        let most = self.page.trace.iter().filter(|l| !l.folded).take(TRACE).count();
        if most == 0 {
            return html! {};
        }
        let at = line.map_or(most + 1, |(n, _)| n);
        // The script slides by addresses; a pasted board has none.
        let slides = (!self.here.is_empty()).then(|| at.min(most));
        html! {
            nav class="slider" aria-label="跡をたどる" data-slider=[slides] data-most=(most) {
                @if at > 1 { (self.shows(at - 1, Way::Button, html! { @if line.is_some() { "前" } @else { "跡をたどる" } })) }
                @if at < most { (self.shows(at + 1, Way::Button, html! { "次" })) }
                @if line.is_some() { span class="dim" { (at) "/" (most) } }
            }
            @if let Some((_, line)) = line { ol class="trace one" { (traced(line, None)) } }
        }
    }

    /// The way to the table as it was at a line of the trace.
    fn shows(&self, line: usize, look: Way, words: Markup) -> Markup {
        let query = self.query.with("at", None).with("line", Some(&line.to_string()));
        self.way(&query, "#board", look, words)
    }

    /// How it came about: the lines that matter, and all of them on demand.
    fn story(&self) -> Markup {
        let page = self.page;
        let open: Vec<&Line> = page.trace.iter().filter(|l| !l.folded).collect();
        html! {
            @if !page.story.is_empty() {
                section aria-labelledby="story" { h2 id="story" { "いきさつ" }
                    ol class="story" { @for told in &page.story { li class=[told.decides.then_some("decides")] { (told.text) " " @if let Some(c) = &told.clause { (linked(c)) } } } }
                }
            }
            @if !open.is_empty() {
                details class="trace" { summary { "動かした跡をすべて（" (open.len()) "）" }
                    ol class="trace" { @for (n, line) in open.iter().take(TRACE).enumerate() {
                        (traced(line, (line.told == Told::Happened).then(|| self.shows(n + 1, Way::Link, html! { "盤面" }))))
                    } }
                    @if open.len() > TRACE { p class="dim" { "ここまで。ほかに" (open.len() - TRACE) "行。" } }
                }
            }
        }
    }

    /// What could be different: the variants of the file, a clause left out.
    fn switches(&self) -> Markup {
        let page = self.page;
        // Only what can be left out is offered.
        let cites = cited(page.game);
        let goes = |clause: &&str| cites.iter().any(|c| c.clause == *clause && c.rule.can_be_knocked_out());
        let clauses: Vec<&str> = page.reached.iter().map(|c| short(c)).filter(goes).take(SWITCHES).collect();
        html! {
            @if page.before.is_some() {
                section aria-labelledby="if" { h2 id="if" { "もし" }
                    @if !page.others.is_empty() { ul class="plain" { @for (at, twin) in page.others.iter().enumerate() {
                        li { (self.way(&Query(vec![("vary".into(), (at + 1).to_string())]), "", Way::Link, html! { "別の場合" (at + 1) })) " " (twin.title) }
                    } } }
                    @let choice = html! { @for c in &clauses { option value=(c) { (c) } } };
                    @if self.here.is_empty() {
                        div class="narrow" {
                            label for="without" { "この条文がなければ" }
                            select id="without" form=(FORM) name="without" { (choice) }
                            button form=(FORM) type="submit" name="pick" value="1" { "動かす" }
                        }
                    } @else {
                        form class="narrow" method="get" action=(self.here) {
                            label for="without" { "この条文がなければ" }
                            select id="without" name="without" { (choice) }
                            button type="submit" { "動かす" }
                        }
                        p { a class="button" href=(format!("/play/{}", address::encode(&page.name))) { "この盤面を自分で動かす" } " "
                            a class="button" href=(format!("/board?from={}", address::encode(&page.name))) { "盤面を書き換える" } }
                    }
                }
            }
        }
    }

    /// What was left out, and what comes next.
    fn rest(&self) -> Markup {
        let page = self.page;
        html! {
            @if let Some(next) = &page.next { p class="dim" { "次: " (next) } }
            @if !page.omitted.is_empty() { p class="dim" { "省いたこと: " (page.omitted.join("、")) } }
        }
    }
}

fn traced(line: &Line, table: Option<Markup>) -> Markup {
    html! {
        li class=(format!("d{}{}", line.depth.min(8), if line.told == Told::Span { " span" } else { "" })) {
            @if line.told != Told::Span { span class="told" { (line.told.name()) } " " }
            (line.text) " " @if let Some(c) = &line.clause { (linked(c)) }
            @if let Some(table) = table { " " (table) }
        }
    }
}

/// The id without the game's code, which every page names.
fn short(clause: &str) -> &str {
    clause.split_once(':').map_or(clause, |(_, rest)| rest)
}
