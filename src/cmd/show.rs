//! `saitei show`: a clause, its place, and all that hangs on it.

use serde_json::{Value, json};

use crate::desk::cite::{self, Cited};
use crate::desk::clause::{self, Official, Wording, edition, name};
use crate::desk::rulings;
use crate::stock::wordings;
use crate::text::node::plain;
use crate::text::numbers::{self, Named, Numbers};
use crate::text::query::{self, Found, Item};
use crate::text::{Game, Id, Library, Node, Ref, Ruling, Shelf, Target};

use super::print::complain;
use super::screen::{Ink, Screen, label};
use super::{Common, Done, Failure, Outcome, complete, open};

/// 条文を番号で引く
///
/// 番号はどんな書き方でもよい: 102.4 / １０２．４ / 104-5a / 104.5(a) / 第2部第3章4 / 5.4.1の2 / 102.4〜6。
/// ゲームを付けなければ、その番号のあるゲームすべてを示す（前に使ったゲームが先）。
#[derive(clap::Args)]
pub struct Show {
    /// 条文の番号（zx 102.4、zx:102.4、Z/X 102.4 など）
    #[arg(required = true, value_name = "番号", num_args = 1.., add = complete::clauses())]
    numbers: Vec<String>,
    /// 下位の条文を出さない
    #[arg(long, conflicts_with = "tree")]
    only: bool,
    /// 下位の条文をすべて出す
    #[arg(long)]
    tree: bool,
    /// チャットや報告に貼る形で出す
    #[arg(long)]
    cite: bool,
    /// 条文を動かすプログラムの行も出す
    #[arg(long)]
    code: bool,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

impl Show {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let library = open::library(common)?;
        let typed = self.numbers.join(" ");
        let Some(numbers) = numbers::look_up(&library, &typed, &open::games()) else {
            let message = format!(
                "「{}」は条文の番号として読めません（例: zx 102.4、dz 第2部第20章1-6、ygo 2.4.7.2）",
                short(&typed)
            );
            return Err(Failure(message));
        };
        self.show(&library, &typed, &numbers, screen)
    }

    /// What a number typed anywhere else is answered with.
    pub fn plainly(library: &Library, typed: &str, numbers: &Numbers, screen: &mut Screen) -> Done {
        let show = Show { numbers: Vec::new(), only: false, tree: false, cite: false, code: false, json: false };
        show.show(library, typed, numbers, screen)
    }

    fn show(&self, library: &Library, typed: &str, numbers: &Numbers, screen: &mut Screen) -> Done {
        let items: Vec<&Item> = numbers.named.iter().map(|named| &named.item).collect();
        let mut shown = Vec::new();
        let mut missing = false;
        for named in &numbers.named {
            let (item, mut hits) = (&named.item, look_up(library, named));
            if hits.is_empty() {
                missing = true;
                complain(&not_found(library, item));
            } else if let Some(message) = no_example(library, item, &hits) {
                missing = true;
                complain(&message);
                hits.clear();
            }
            shown.extend(hits.into_iter().map(|hit| (item, hit)));
        }
        if let Some((_, Hit::Clause(found))) = shown.first()
            && items.iter().any(|item| item.game.is_some())
        {
            open::remember(found.game);
        }
        let official = Officials::new();
        if self.json {
            let value = |hit: &Hit| {
                if self.cite { hit.cited(self, library, &official).json() } else { hit.json(library, &official) }
            };
            let values: Vec<Value> = shown.iter().map(|(_, hit)| value(hit)).collect();
            match <[Value; 1]>::try_from(values) {
                Ok([one]) => screen.json(&one),
                Err(several) => screen.json(&Value::Array(several)),
            }
        } else {
            self.print(library, &official, typed, &items, &shown, screen);
        }
        Ok(if missing || shown.is_empty() { Outcome::None } else { Outcome::Found })
    }

    fn print(
        &self,
        library: &Library,
        official: &Officials,
        typed: &str,
        items: &[&Item],
        shown: &[(&Item, Hit)],
        screen: &mut Screen,
    ) {
        if let Some(read) = read_as(typed, items, shown, library).filter(|_| !self.cite) {
            screen.line(0, 0, &[(Ink::Dim, &read)]);
            screen.blank();
        }
        for (i, (item, hit)) in shown.iter().enumerate() {
            if i > 0 {
                screen.blank();
            }
            if self.cite {
                screen.raw(&hit.cited(self, library, official).text);
                continue;
            }
            match hit {
                Hit::Clause(found) => {
                    let page = Page { library, shelf: library.shelf(found.game), index: found.index, official };
                    page.print(self, item.from.example.as_deref(), screen);
                }
                Hit::Reading(game, index) => print_reading(library.shelf(*game), *index, screen),
                Hit::Ruling(ruling) => print_ruling(library, ruling, screen),
                Hit::Entry(game, index) => print_entry(library.shelf(*game), *index, screen),
            }
        }
    }
}

/// What a number can lead to.
enum Hit {
    Clause(Found),
    /// A reading (`dz:C1`), by its place in the list.
    Reading(Game, usize),
    /// An entry of the change history (`dz:H.30`).
    Entry(Game, usize),
    /// A ruling (`dz:R12`).
    Ruling(Box<Ruling>),
}

/// There is something of that number.
pub fn leads(library: &Library, named: &Named) -> bool {
    !look_up(library, named).is_empty()
}

fn look_up(library: &Library, named: &Named) -> Vec<Hit> {
    let item = &named.item;
    let mut hits: Vec<Hit> = named.found.iter().map(|found| Hit::Clause(*found)).collect();
    let games = item.game.map_or_else(open::games, |game| vec![game]);
    for shelf in games.into_iter().map(|game| library.shelf(game)) {
        if !named.found.iter().any(|found| found.game == shelf.game) {
            let same = |id: &Id| id.clause.steps() == item.from.steps;
            let reading = shelf.readings().iter().position(|r| same(&r.id));
            let entry = shelf.history().iter().position(|h| same(&h.id));
            let id = format!("{} {}", shelf.game.code(), item.from.text.replace('.', ""));
            hits.extend(rulings::by_id(library, &id).into_iter().map(|r| Hit::Ruling(Box::new(r))));
            hits.extend(reading.map(|i| Hit::Reading(shelf.game, i)));
            hits.extend(entry.map(|i| Hit::Entry(shelf.game, i)));
        }
    }
    hits
}

/// What is said when the clause is there but the example asked for is not.
fn no_example(library: &Library, item: &Item, hits: &[Hit]) -> Option<String> {
    let wanted = item.from.example.as_ref()?;
    let mut known: Vec<String> = Vec::new();
    for hit in hits {
        let Hit::Clause(found) = hit else { continue };
        let node = library.shelf(found.game).node(found.index);
        if node.examples.iter().any(|e| e.id.example == *wanted) {
            return None;
        }
        known.extend(node.examples.iter().map(|e| e.id.to_string()));
    }
    let known = if known.is_empty() {
        "この条文に用例はありません".to_string()
    } else {
        format!("この条文の用例: {}", known.join("、"))
    };
    Some(format!("{}#{wanted} という用例はありません。{known}", item.from.text))
}

/// As much of what was typed as a message needs.
fn short(typed: &str) -> String {
    let start: String = typed.chars().take(80).collect();
    if start.len() < typed.len() { start + "…" } else { start }
}

fn not_found(library: &Library, item: &Item) -> String {
    let near = query::nearest(library, item.game, &item.from, 4);
    let near: Vec<String> = near.iter().map(|f| library.shelf(f.game).id(f.index).to_string()).collect();
    let game = item.game.map(|g| format!("{}に", g.name())).unwrap_or_default();
    if item.from.steps.is_empty() && item.from.text.ends_with("ページ") {
        return format!("{game}{} はありません（印刷されたページの番号を書いてください）", item.from.text);
    }
    let range = item.to.as_ref().map(|to| format!("〜{}", to.text)).unwrap_or_default();
    format!("{game}{}{range} という条文はありません。近い条文: {}", item.from.text, near.join("、"))
}

/// How the query was understood, where that is not plain to see.
fn read_as(typed: &str, items: &[&Item], shown: &[(&Item, Hit)], library: &Library) -> Option<String> {
    let first = shown.iter().find_map(|(_, hit)| match hit {
        Hit::Clause(found) => Some(library.shelf(found.game).id(found.index)),
        _ => None,
    })?;
    let rest = crate::text::Game::prefix(&typed.to_lowercase()).map_or(typed.to_string(), |(_, rest)| rest.to_string());
    let as_written = items.len() == 1 && rest.split('#').next() == Some(first.clause.as_str());
    let several = shown.len() > 1 && items.len() == 1 && items[0].to.is_none();
    if as_written && !several {
        return None;
    }
    let read: Vec<String> = items
        .iter()
        .map(|item| {
            let game = item.game.map(|g| format!("{} ", g.code())).unwrap_or_default();
            let to = item.to.as_ref().map(|to| format!("〜{}", to.text)).unwrap_or_default();
            // One clause is named as the document names it.
            let one = items.len() == 1 && shown.len() == 1 && item.to.is_none();
            let number = if one { first.clause.as_str() } else { &item.from.text };
            format!("{game}{number}{to}")
        })
        .collect();
    let count = if several { format!("（{}件）", shown.len()) } else { String::new() };
    if as_written {
        return Some(format!("「{typed}」に当たる条文は{}件あります", shown.len()));
    }
    Some(format!("「{typed}」を {} と読みました{count}", read.join("、")))
}

/// The imported documents, opened when first needed.
pub struct Officials {
    home: Option<std::path::PathBuf>,
}

impl Officials {
    pub fn new() -> Officials {
        Officials { home: open::home().ok() }
    }
}

impl Official for Officials {
    fn wording(&self, id: &Id) -> Option<Wording> {
        wordings::wording(self.home.as_deref()?, id).map(|s| Wording { edition: s.edition, text: s.text })
    }

    fn others(&self, game: Game) -> Vec<String> {
        self.home.as_deref().map(|home| wordings::others(home, game)).unwrap_or_default()
    }
}

/// One clause to be shown.
struct Page<'a> {
    library: &'a Library,
    shelf: &'a Shelf,
    index: usize,
    official: &'a Officials,
}

impl Page<'_> {
    fn print(&self, options: &Show, example: Option<&str>, screen: &mut Screen) {
        let node = self.shelf.node(self.index);
        self.print_place(screen);
        self.print_clause(self.index, &node, 0, screen);
        if options.tree {
            for index in self.shelf.tree(self.index).into_iter().skip(1) {
                let depth = usize::from(self.shelf.lines()[index].depth - self.shelf.lines()[self.index].depth);
                self.print_clause(index, &self.shelf.node(index), depth * 2, screen);
            }
        } else if !options.only {
            for index in self.shelf.children(self.index) {
                self.print_clause(index, &self.shelf.node(index), 2, screen);
            }
        }
        self.print_notes(&node, screen);
        self.print_terms(screen);
        self.print_links(&node, screen);
        self.print_examples(&node, example, screen);
        self.print_rulings(screen);
        if options.code {
            self.print_code(screen);
        }
        for reading in self.shelf.readings_of(self.index) {
            label(screen, "読み方", Ink::Warn, &format!("{} {}", reading.id, plain(&reading.question)));
        }
        for entry in self.shelf.entries_of(self.index) {
            for change in entry.changes.iter().filter(|c| c.touches.contains(&node.id)) {
                label(screen, "変更", Ink::Dim, &format!("{} {} {}", entry.date, entry.version, plain(&change.text)));
            }
        }
        self.print_neighbours(screen);
    }

    /// Game, document, edition and the headings above.
    fn print_place(&self, screen: &mut Screen) {
        screen.line(0, 2, &[(Ink::Dim, &edition(self.shelf))]);
        let path = self.shelf.path(self.index);
        if !path.is_empty() {
            let path: Vec<String> = path.into_iter().map(|i| self.name(i)).collect();
            screen.line(0, 2, &[(Ink::Dim, &path.join(" › "))]);
        }
        if let Some(page) = self.shelf.printed_at(self.index) {
            screen.line(0, 2, &[(Ink::Dim, &page)]);
        }
        screen.blank();
    }

    fn print_clause(&self, index: usize, node: &Node, indent: usize, screen: &mut Screen) {
        let line = &self.shelf.lines()[index];
        let number = line.clause;
        let printed = match node.printed.as_deref() {
            Some(printed) if !line.numbered() => format!("（{printed}）"),
            Some(printed) => format!("（印刷は{printed}）"),
            None => String::new(),
        };
        let kind = if node.kind == crate::text::Kind::Heading {
            String::new()
        } else {
            format!(" 〔{}〕", node.kind.label())
        };
        let title = node.title.as_deref().map(|t| format!(" {t}")).unwrap_or_default();
        let ours = node.text.as_deref().map(plain);
        let official = self.official.wording(&node.id);
        let hang = 2;
        let head = [(Ink::Number, number), (Ink::Dim, &printed), (Ink::Bold, &title), (Ink::Dim, &kind)];
        screen.line(indent, hang, &head);
        if let Some(official) = official.filter(|o| !o.text.is_empty()) {
            screen.line(indent + hang, 0, &[(Ink::Plain, &official.text)]);
            if let Some(ours) = &ours {
                screen.line(indent + hang, 0, &[(Ink::Dim, "要旨: "), (Ink::Dim, ours)]);
            }
        } else if let Some(ours) = &ours {
            screen.line(indent + hang, 0, &[(Ink::Plain, ours)]);
        }
    }

    fn print_notes(&self, node: &Node, screen: &mut Screen) {
        if let Some(lost) = &node.lost {
            label(screen, "欠落", Ink::Warn, &plain(lost));
        }
        if let Some(inferred) = &node.inferred {
            label(screen, "推測", Ink::Warn, &plain(inferred));
        }
        for misread in &node.misread {
            label(screen, "誤記", Ink::Warn, &format!("「{}」は「{}」と読む", misread.printed, misread.read));
        }
    }

    fn print_terms(&self, screen: &mut Screen) {
        let defined = self.shelf.defined_at(self.index);
        let names: Vec<String> = defined.iter().map(|t| format!("{}（{}）", t.term, t.reading)).collect();
        if !names.is_empty() {
            label(screen, "用語", Ink::Plain, &names.join("、"));
        }
    }

    fn print_links(&self, node: &Node, screen: &mut Screen) {
        let links = node.links();
        if !links.is_empty() {
            let links: Vec<String> = links.iter().map(|link| self.describe(link)).collect();
            label(screen, "参照", Ink::Plain, &links.join("、"));
        }
        let citing = self.shelf.cited_by(self.index);
        if !citing.is_empty() {
            let citing: Vec<&str> = citing.into_iter().map(|i| self.shelf.lines()[i].clause).collect();
            label(screen, "参照元", Ink::Plain, &citing.join("、"));
        }
    }

    fn describe(&self, link: &Ref) -> String {
        let name = |id: &Id| match self.shelf.position(&id.clause) {
            Some(index) => self.name(index),
            None => id.clause.to_string(),
        };
        let target = match &link.target {
            Target::Clause(id) => name(id),
            Target::Range(a, b) => format!("{}〜{}", a.clause, b.clause),
            Target::Document(name) => name.clone(),
        };
        match (&link.printed, &link.note) {
            (Some(printed), Some(note)) => format!("{target}（印刷は{printed}。{note}）"),
            (Some(printed), None) => format!("{target}（印刷は{printed}）"),
            (None, Some(note)) => format!("{target}（{note}）"),
            (None, None) => target,
        }
    }

    fn print_examples(&self, node: &Node, wanted: Option<&str>, screen: &mut Screen) {
        let rulings = self.shelf.rulings_of(self.index);
        for example in node.examples.iter().filter(|e| wanted.is_none_or(|w| e.id.example == w)) {
            let id = format!("{}#{}", example.id.clause, example.id.example);
            let whole = example.id.to_string();
            let ruling = rulings.iter().find(|r| r.example.as_deref() == Some(&whole));
            let situation = example.situation.as_deref().map(plain).unwrap_or_default();
            let outcome = example.outcome.as_deref().map(|o| format!("\n→ {}", plain(o))).unwrap_or_default();
            let verdict = ruling
                .map(|r| {
                    format!("\n裁定 {} {}（saitei run {}）", rulings::name(r), r.verdict_words(), rulings::name(r))
                })
                .unwrap_or_default();
            label(
                screen,
                "用例",
                Ink::Plain,
                &format!("{id} 〔{}〕 {situation}{outcome}{verdict}", example.kind.label()),
            );
        }
    }

    /// The lines that execute the clause.
    fn print_code(&self, screen: &mut Screen) {
        let at = clause::executed_at(self.shelf.game.code(), self.shelf.line(self.index).clause);
        let at = if at.is_empty() { "なし".to_string() } else { at.join("、") };
        label(screen, "実行", Ink::Dim, &at);
    }

    /// The rulings of the clause and of what is below it; those of examples stand with their examples.
    fn print_rulings(&self, screen: &mut Screen) {
        let here = self.shelf.node(self.index);
        let found = rulings::of_section(self.library, self.shelf.game, self.index);
        let told =
            |r: &Ruling| r.example.as_ref().is_some_and(|e| here.examples.iter().any(|x| x.id.to_string() == *e));
        let found: Vec<&Ruling> = found.iter().filter(|r| !told(r)).collect();
        for (at, ruling) in found.iter().take(RULINGS).enumerate() {
            let name = if at == 0 { "裁定" } else { "" };
            let id = rulings::name(ruling);
            screen.labelled(name, 2, &[(Ink::Number, &id), (Ink::Plain, &format!(" {}", ruling.title))]);
        }
        if found.len() > RULINGS {
            let clause = self.shelf.line(self.index).clause;
            let more = format!("ほかに{}（saitei rulings {} {clause}）", found.len() - RULINGS, self.shelf.game.code());
            screen.labelled("", 2, &[(Ink::Dim, &more)]);
        }
    }

    fn print_neighbours(&self, screen: &mut Screen) {
        let before = self.index.checked_sub(1).map(|i| self.shelf.lines()[i].clause);
        let after = self.shelf.lines().get(self.index + 1).map(|line| line.clause);
        let ours = before.map(|c| format!("前 {c}")).into_iter().chain(after.map(|c| format!("次 {c}")));
        let source = match self.official.wording(&self.shelf.id(self.index)) {
            Some(official) => {
                let others = self.official.others(self.shelf.game);
                let others = if others.is_empty() {
                    String::new()
                } else {
                    format!("（ほかの版: {}）", others.join("、"))
                };
                format!("公式文: {}{others}", official.edition)
            }
            None => "saiteiによる要旨（公式文は saitei import で取り込めます）".to_string(),
        };
        screen.blank();
        screen.line(0, 0, &[(Ink::Dim, &format!("{}  {source}", ours.collect::<Vec<_>>().join("  ")))]);
    }

    /// Number and title: 702 優先権前処理.
    fn name(&self, index: usize) -> String {
        name(self.shelf, index)
    }
}

/// How many rulings are listed under a clause.
const RULINGS: usize = 8;

fn print_reading(shelf: &Shelf, index: usize, screen: &mut Screen) {
    let reading = shelf.reading(index);
    screen.line(0, 2, &[(Ink::Dim, &edition(shelf))]);
    screen.blank();
    let question = plain(&reading.question);
    screen.line(
        0,
        2,
        &[(Ink::Number, reading.id.clause.as_str()), (Ink::Dim, " 〔読み方〕 "), (Ink::Plain, &question)],
    );
    for option in &reading.options {
        let mark = if option.key == reading.default { "既定" } else { "別の読み" };
        screen.line(2, 4, &[(Ink::Bold, &format!("{mark} {} ", option.key)), (Ink::Plain, &plain(&option.text))]);
    }
    label(screen, "理由", Ink::Plain, &plain(&reading.why));
    let clauses: Vec<String> = reading
        .clauses
        .iter()
        .map(|id| shelf.position(&id.clause).map_or(id.clause.to_string(), |i| name(shelf, i)))
        .collect();
    label(screen, "条文", Ink::Plain, &clauses.join("、"));
}

/// A ruling: what was asked, what comes of it, and what decides.
fn print_ruling(library: &Library, ruling: &Ruling, screen: &mut Screen) {
    let name = rulings::name(ruling);
    screen.line(0, 2, &[(Ink::Number, &name), (Ink::Bold, &format!(" {}", ruling.title))]);
    if let Some(question) = &ruling.question {
        label(screen, "質問", Ink::Plain, question);
    }
    label(screen, "裁定", Ink::Plain, ruling.verdict_words());
    for (at, id) in ruling.why.iter().filter_map(|id| id.parse::<Id>().ok()).enumerate() {
        let shelf = library.shelf(id.game);
        let text = shelf.position(&id.clause).and_then(|i| shelf.node(i).text).map(|t| plain(&t)).unwrap_or_default();
        let name = if at == 0 { "決め手" } else { "" };
        screen.labelled(name, 2, &[(Ink::Number, id.clause.as_str()), (Ink::Plain, &format!(" {text}"))]);
    }
    if let Some(example) = &ruling.example {
        label(screen, "用例", Ink::Plain, example);
    }
    label(screen, "動かす", Ink::Dim, &format!("saitei run {name}"));
    label(screen, "盤面", Ink::Dim, &ruling.path);
}

fn print_entry(shelf: &Shelf, index: usize, screen: &mut Screen) {
    let entry = shelf.entry(index);
    screen.line(0, 2, &[(Ink::Dim, &format!("{} 変更履歴", shelf.document().title))]);
    screen.blank();
    let id = entry.id.clause.as_str();
    screen.line(
        0,
        2,
        &[(Ink::Number, id), (Ink::Bold, &format!(" {}", entry.version)), (Ink::Dim, &format!(" {}", entry.date))],
    );
    for change in &entry.changes {
        let touches: Vec<&str> = change.touches.iter().map(|t| t.clause.as_str()).collect();
        let touches = if touches.is_empty() { String::new() } else { format!("（{}）", touches.join("、")) };
        screen.line(2, 2, &[(Ink::Plain, &format!("・{}{touches}", plain(&change.text)))]);
    }
}

impl Hit {
    fn cited(&self, options: &Show, library: &Library, official: &Officials) -> Cited {
        match self {
            Hit::Clause(found) => {
                let shelf = library.shelf(found.game);
                let below = match (options.only, options.tree) {
                    (true, _) => Vec::new(),
                    (_, true) => shelf.tree(found.index).into_iter().skip(1).collect(),
                    // A heading alone says nothing.
                    _ if shelf.node(found.index).text.is_none() => shelf.children(found.index),
                    _ => Vec::new(),
                };
                cite::clause(shelf, found.index, &below, official)
            }
            Hit::Reading(game, index) => cite::reading(library.shelf(*game), &library.shelf(*game).reading(*index)),
            Hit::Entry(game, index) => cite::entry(library.shelf(*game), *index),
            Hit::Ruling(ruling) => cite::ruling(library, ruling),
        }
    }

    fn json(&self, library: &Library, official: &Officials) -> Value {
        match self {
            Hit::Clause(found) => clause::json(library.shelf(found.game), found.index, official),
            Hit::Reading(game, index) => json!(library.shelf(*game).reading(*index)),
            Hit::Ruling(ruling) => json!(ruling),
            Hit::Entry(game, index) => json!(library.shelf(*game).entry(*index)),
        }
    }
}
