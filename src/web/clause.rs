//! `/zx/905.1`: a clause, its place, and all that hangs on it. Readings, entries of the history and rulings have
//! numbers too.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::frame::{self, beginning, citation, link, prose};
use super::{Answer, Ask, House, Made, Page, address, nothing};
use crate::desk::clause::{self, Official, edition};
use crate::desk::{cite, readings, rulings};
use crate::text::numbers;
use crate::text::query;
use crate::text::{Game, Kind, Node, Reading, Ref, Ruling, Shelf, Target, Term};

/// How many rulings are listed under a clause.
const RULINGS: usize = 12;

impl House<'_> {
    pub(super) fn clause(&self, ask: &Ask, game: Game, typed: &str) -> Answer {
        let shelf = self.library.shelf(game);
        if let Some(index) = shelf.lines().iter().position(|l| l.clause == typed) {
            return Ok(self.one(ask, shelf, index));
        }
        let same = |id: &crate::text::Id| id.clause.as_str().eq_ignore_ascii_case(typed);
        if let Some(reading) = shelf.readings().iter().find(|r| same(&r.id)) {
            return Ok(self.reading(ask, shelf, reading));
        }
        if let Some(at) = shelf.history().iter().position(|h| same(&h.id)) {
            return Ok(self.entry(ask, shelf, at));
        }
        if let [ruling] = &rulings::by_id(self.library, &format!("{} {typed}", game.code()))[..] {
            let json = if ask.json { ".json" } else { "" };
            return Ok(Made::Moved(format!("{}{json}", address::run(&rulings::name(ruling)))));
        }
        self.in_other_words(ask, shelf, typed)
    }

    /// A number in another notation leads to the page of its clause; one that is not there says what is near.
    fn in_other_words(&self, ask: &Ask, shelf: &Shelf, typed: &str) -> Answer {
        let (clause, example) = typed.split_once('#').map_or((typed, ""), |(clause, example)| (clause, example));
        let found = numbers::look_up(self.library, &format!("{} {clause}", shelf.game.code()), &[shelf.game]);
        let found: Vec<_> =
            found.iter().flat_map(|n| n.found()).filter(|f| f.game == shelf.game).map(|f| f.index).collect();
        let json = if ask.json { ".json" } else { "" };
        let at = if example.is_empty() || ask.json { String::new() } else { format!("#e{}", address::encode(example)) };
        match found[..] {
            [one] => Ok(Made::Moved(format!("{}{json}{at}", address::clause(&shelf.id(one))))),
            [] => {
                let items = query::read(typed).unwrap_or_default();
                let near = items.first().map(|i| query::nearest(self.library, Some(shelf.game), &i.from, 4));
                let near: Vec<&str> = near.iter().flatten().map(|f| shelf.line(f.index).clause).collect();
                let near = if near.is_empty() { String::new() } else { format!("近い条文: {}", near.join("、")) };
                Err(nothing(format!("{}に{typed}という条文はありません。\n{near}", shelf.game.name())))
            }
            _ => {
                let main = html! {
                    h1 { (typed) }
                    p { "当たる条文は" (found.len()) "件あります。" }
                    ul class="plain" { @for i in &found { li { (link(shelf, *i)) " " span class="dim" { (beginning(&shelf.node(*i).text.unwrap_or_default(), 60)) } } } }
                };
                Ok(Page::of(typed, Some(shelf.game), main))
            }
        }
    }

    fn one(&self, ask: &Ask, shelf: &Shelf, index: usize) -> Made {
        let official = self.official(ask.request.own);
        if ask.json {
            return Made::Data(clause::json(shelf, index, official));
        }
        let node = shelf.node(index);
        let line = shelf.line(index);
        let below: Vec<usize> = shelf.tree(index).into_iter().skip(1).collect();
        let cited = cite::clause(shelf, index, if node.text.is_none() { &below } else { &[] }, official);
        let main = html! {
            article {
                (path(shelf, index))
                h1 {
                    span class="number" { (line.clause) }
                    @if let Some(printed) = &node.printed {
                        span class="dim" { @if line.numbered() { "（印刷は" (printed) "）" } @else { "（" (printed) "）" } }
                    }
                    @if let Some(title) = &node.title { " " (title) }
                    @if node.kind != Kind::Heading { " " span class="tag" { (node.kind.label()) } }
                }
                (words(&node, official))
                (notes(&node))
                @for i in &below { (child(shelf, *i, line.depth, official)) }
                (citation(&cited.text))
                (self.terms(shelf, index, &node))
                (links(shelf, index, &node))
                (self.examples(shelf, index, &node))
                (self.rulings_below(shelf, index, &node))
                (readings_of(shelf, index))
                (history(shelf, index, &node))
                (executed(shelf, index))
            }
            (neighbours(shelf, index))
        };
        let title = format!("{} {}", shelf.game.code(), clause::name(shelf, index));
        Made::Page(Page { status: 200, title, game: Some(shelf.game), main, typed: String::new() })
    }

    /// The terms that it defines or uses: each opens on a tap.
    fn terms(&self, shelf: &Shelf, index: usize, node: &Node) -> Markup {
        let defined = shelf.defined_at(index);
        let text = node.text.as_deref().map(crate::text::node::plain).unwrap_or_default();
        let used: Vec<&Term> =
            shelf.terms_in(&text).into_iter().filter(|t| !defined.iter().any(|d| d.term == t.term)).collect();
        html! {
            @if !defined.is_empty() || !used.is_empty() {
                section aria-labelledby="terms" {
                    h2 id="terms" { "用語" }
                    @if !defined.is_empty() {
                        p { "ここで定める: " @for (at, t) in defined.iter().enumerate() { @if at > 0 { "、" } a href=(address::term(shelf.game, &t.term)) { (t.term) "（" (t.reading) "）" } } }
                    }
                    @for term in used { (gloss(shelf, index, term)) }
                }
            }
        }
    }

    fn examples(&self, shelf: &Shelf, index: usize, node: &Node) -> Markup {
        let found = shelf.rulings_of(index);
        html! {
            @if !node.examples.is_empty() {
                section aria-labelledby="examples" {
                    h2 id="examples" { "用例" }
                    @for example in &node.examples {
                        @let whole = example.id.to_string();
                        @let ruling = found.iter().find(|r| r.example.as_deref() == Some(&whole));
                        div class="example" id=(format!("e{}", example.id.example)) {
                            p { span class="number" { (example.id.clause) "#" (example.id.example) } " " span class="tag" { (example.kind.label()) } }
                            @if let Some(text) = &example.situation { p { (prose(text)) } }
                            @if let Some(text) = &example.outcome { p { "→ " (prose(text)) } }
                            @if let Some(r) = ruling { (button(r)) }
                        }
                    }
                }
            }
        }
    }

    fn rulings_below(&self, shelf: &Shelf, index: usize, node: &Node) -> Markup {
        let told =
            |r: &Ruling| r.example.as_ref().is_some_and(|e| node.examples.iter().any(|x| x.id.to_string() == *e));
        let found: Vec<Ruling> =
            rulings::of_section(self.library, shelf.game, index).into_iter().filter(|r| !told(r)).collect();
        let clause = shelf.line(index).clause;
        html! {
            @if !found.is_empty() {
                section aria-labelledby="rulings" {
                    h2 id="rulings" { "裁定" }
                    ul class="answers" { @for r in found.iter().take(RULINGS) { (frame::ruling(r)) } }
                    @if found.len() > RULINGS {
                        p { a href=(format!("/{}/rulings?q={}", shelf.game.code(), address::encode(clause))) { "ほかに" (found.len() - RULINGS) } }
                    }
                }
            }
        }
    }

    fn reading(&self, ask: &Ask, shelf: &Shelf, reading: &Reading) -> Made {
        if ask.json {
            return Made::Data(readings::json(shelf.game.code(), reading));
        }
        let main = html! {
            article { h1 { span class="number" { (reading.id.clause) } " " span class="tag" { "読み方" } }
            (options(shelf, reading))
            (citation(&cite::reading(shelf, reading).text)) }
            p { a href=(format!("/{}/readings", shelf.game.code())) { "読み方の一覧" } }
        };
        Made::Page(Page {
            status: 200,
            title: reading.id.to_string(),
            game: Some(shelf.game),
            main,
            typed: String::new(),
        })
    }

    fn entry(&self, ask: &Ask, shelf: &Shelf, at: usize) -> Made {
        let entry = shelf.entry(at);
        if ask.json {
            return Made::Data(json!(entry));
        }
        let main = html! {
            article {
                h1 { "変更履歴 " (entry.version) " " span class="dim" { (entry.date) } }
                ul { @for change in &entry.changes { li { (prose(&change.text)) @for id in &change.touches { " " a class="number" href=(address::clause(id)) { (id.clause) } } } } }
                (citation(&cite::entry(shelf, at).text))
            }
        };
        Made::Page(Page {
            status: 200,
            title: entry.id.to_string(),
            game: Some(shelf.game),
            main,
            typed: String::new(),
        })
    }
}

/// The ways to read it, the one that is taken first.
pub fn options(shelf: &Shelf, reading: &Reading) -> Markup {
    html! {
        p { (prose(&reading.question)) }
        dl class="options" {
            @for option in &reading.options {
                dt { @if option.key == reading.default { "既定 " } @else { "別の読み " } (option.key) }
                dd { (prose(&option.text)) }
            }
        }
        p class="dim" { "理由: " (prose(&reading.why)) }
        @if let Some(why) = &reading.nothing { p class="dim" { "盤面の動きは変わらない: " (prose(why)) } }
        p { "条文: " @for (at, id) in reading.clauses.iter().enumerate() {
            @if at > 0 { "、" }
            @match shelf.position(&id.clause) { Some(i) => (link(shelf, i)), None => (id.clause) }
        } }
    }
}

fn button(ruling: &Ruling) -> Markup {
    let name = rulings::name(ruling);
    html! { p { a class="button" href=(address::run(&name)) { "動かす " (name) } " " span class="verdict" { (ruling.verdict_words()) } } }
}

fn path(shelf: &Shelf, index: usize) -> Markup {
    html! {
        nav class="path" aria-label="場所" {
            ol { li { a href=(format!("/{}", shelf.game.code())) { (edition(shelf)) } } @for i in shelf.path(index) { li { (link(shelf, i)) } } }
        }
    }
}

/// The official wording first where there is one, then ours.
fn words(node: &Node, official: &dyn Official) -> Markup {
    let wording = official.wording(&node.id).filter(|w| !w.text.is_empty());
    html! {
        @if let Some(w) = &wording { p class="text" { (frame::lines(&w.text)) } p class="dim" { "公式文: " (w.edition) } }
        @if let Some(text) = &node.text {
            p class=(if wording.is_some() { "dim" } else { "text" }) { @if wording.is_some() { "要旨: " } (prose(text)) }
        }
    }
}

fn notes(node: &Node) -> Markup {
    html! {
        @if let Some(lost) = &node.lost { p class="warn" { "欠落: " (prose(lost)) } }
        @if let Some(inferred) = &node.inferred { p class="warn" { "推測: " (prose(inferred)) } }
        @for m in &node.misread { p class="warn" { "誤記: 「" (m.printed) "」は「" (m.read) "」と読む" } }
    }
}

fn child(shelf: &Shelf, index: usize, above: u8, official: &dyn Official) -> Markup {
    let line = shelf.line(index);
    let node = shelf.node(index);
    let depth = line.depth.saturating_sub(above).min(4);
    let wording = official.wording(&node.id).filter(|w| !w.text.is_empty());
    html! {
        div class=(format!("line d{depth}{}", if line.kind == Kind::Heading { " head" } else { "" })) id=(line.clause) {
            (link(shelf, index)) " "
            @if let Some(w) = &wording { (frame::lines(&w.text)) } @else if let Some(text) = &node.text { (prose(text)) }
        }
    }
}

fn gloss(shelf: &Shelf, here: usize, term: &Term) -> Markup {
    let defined = term.defined.iter().filter_map(|id| shelf.position(&id.clause)).filter(|i| *i != here);
    html! {
        details class="term" {
            summary { (term.term) }
            @for i in defined.take(2) { p { (link(shelf, i)) " " (prose(&shelf.node(i).text.unwrap_or_default())) } }
            @if term.undefined { p { "文書に定義はない。" } }
            p { a href=(address::term(shelf.game, &term.term)) { "用語のページ" } }
        }
    }
}

fn links(shelf: &Shelf, index: usize, node: &Node) -> Markup {
    let (links, citing) = (node.links(), shelf.cited_by(index));
    html! {
        @if !links.is_empty() { section aria-labelledby="refs" { h2 id="refs" { "参照" } ul class="plain" { @for r in &links { li { (reference(shelf, r)) } } } } }
        @if !citing.is_empty() { section aria-labelledby="citing" { h2 id="citing" { "参照元" } p { @for (at, i) in citing.iter().enumerate() { @if at > 0 { "、" } a class="number" href=(address::clause(&shelf.id(*i))) { (shelf.line(*i).clause) } } } } }
    }
}

fn reference(shelf: &Shelf, r: &Ref) -> Markup {
    let one = |id: &crate::text::Id| match shelf.position(&id.clause) {
        Some(i) => link(shelf, i),
        None => html! { (id.clause) },
    };
    html! {
        @match &r.target {
            Target::Clause(id) => (one(id)),
            Target::Range(a, b) => { (one(a)) "〜" (one(b)) }
            Target::Document(name) => (name),
        }
        @if let Some(printed) = &r.printed { span class="dim" { "（印刷は" (printed) "）" } }
        @if let Some(note) = &r.note { span class="dim" { "（" (note) "）" } }
    }
}

fn readings_of(shelf: &Shelf, index: usize) -> Markup {
    let found = shelf.readings_of(index);
    html! {
        @if !found.is_empty() {
            section aria-labelledby="readings" { h2 id="readings" { "読み方の分かれる所" } ul class="plain" {
                @for r in &found { li { a href=(address::clause(&r.id)) { (r.id.clause) } " " (prose(&r.question)) } }
            } }
        }
    }
}

fn history(shelf: &Shelf, index: usize, node: &Node) -> Markup {
    let found = shelf.entries_of(index);
    html! {
        @if !found.is_empty() {
            section aria-labelledby="changes" { h2 id="changes" { "変更" } ul class="plain" {
                @for entry in &found { @for change in entry.changes.iter().filter(|c| c.touches.contains(&node.id)) {
                    li { a href=(address::clause(&entry.id)) { (entry.version) } " " span class="dim" { (entry.date) } " " (prose(&change.text)) }
                } }
            } }
        }
    }
}

/// Where it is executed: whoever doubts a ruling can read the line.
fn executed(shelf: &Shelf, index: usize) -> Markup {
    let at: Vec<Value> =
        clause::executed_at(shelf.game.code(), shelf.line(index).clause).into_iter().map(Value::from).collect();
    html! {
        @if !at.is_empty() {
            details { summary { "動かすプログラムの行" } ul class="plain" { @for place in &at { li { code { (place.as_str().unwrap_or_default()) } } } } }
        }
    }
}

fn neighbours(shelf: &Shelf, index: usize) -> Markup {
    html! {
        nav class="neighbours" aria-label="前後の条文" {
            @if let Some(i) = index.checked_sub(1) { a rel="prev" href=(address::clause(&shelf.id(i))) { "← " (shelf.line(i).clause) } }
            @if index + 1 < shelf.lines().len() { a rel="next" href=(address::clause(&shelf.id(index + 1))) { (shelf.line(index + 1).clause) " →" } }
        }
    }
}
