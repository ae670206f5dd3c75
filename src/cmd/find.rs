//! `saitei find`: one box for words, questions and numbers.

use crate::desk::find::{self, answering, beside, doubt};
use crate::desk::{rulings, term};
use crate::search::index::Place;
use crate::search::question::Question;
use crate::search::rank::CRITERIA;
use crate::search::snippet::snippet;
use crate::search::{Answer, Filter, Hit};
use crate::text::numbers::{self, Numbers};
use crate::text::{Game, Id, Kind, Library, Ruling, Shelf};

use super::print::complain;
use super::screen::{Ink, Screen};
use super::show::Show;
use super::{Common, Done, Failure, Outcome, complete, open};
use crate::text::node::plain;

/// 言葉や質問で条文を探す
///
/// 「」で囲むとそのままの言葉、-言葉 でそれを含まないものを探す。番号も受け付ける。
#[derive(clap::Args)]
pub struct Find {
    /// 言葉、質問、番号
    #[arg(required = true, value_name = "言葉", num_args = 1.., add = complete::terms())]
    query: Vec<String>,
    #[command(flatten)]
    options: Options,
}

#[derive(clap::Args)]
pub struct Options {
    /// このゲームだけ（, で区切って複数）
    #[arg(long, short, value_name = "ゲーム", value_delimiter = ',', add = complete::games())]
    game: Vec<String>,
    /// この種類の条文だけ（procedure・check・limit・order・layer・meaning・notation・floor・about・heading）
    #[arg(long, value_name = "種類", value_delimiter = ',')]
    kind: Vec<String>,
    /// この章や節の中だけ（zx 800 など）
    #[arg(long = "in", value_name = "条文")]
    within: Option<String>,
    /// 用語を定義する条文だけ
    #[arg(long)]
    terms: bool,
    /// 用例のある条文だけ
    #[arg(long)]
    examples: bool,
    /// 件数
    #[arg(long, short = 'n', value_name = "数", default_value_t = 10, hide_default_value = true)]
    limit: usize,
    /// 条文を切らずに出す
    #[arg(long)]
    full: bool,
    /// なぜその順かを示す
    #[arg(long)]
    explain: bool,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

impl Find {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let typed = self.query.join(" ");
        let library = open::library(common)?;
        self.options.answer(common, &library, &typed, screen)
    }
}

impl Options {
    fn answer(&self, common: &Common, library: &Library, typed: &str, screen: &mut Screen) -> Done {
        let filter = self.filter(library)?;
        if let Some(numbers) = by_number(library, typed, &filter.games) {
            if !self.json {
                return Show::plainly(library, typed, &numbers, screen);
            }
            let value = find::numbers_json(library, typed, &numbers, self.limit);
            screen.json(&value);
            return Ok(if value["answered"] == true { Outcome::Found } else { Outcome::None });
        }
        if let Some(numbers) = by_id(library, typed).filter(|_| !self.json) {
            return Show::plainly(library, typed, &numbers, screen);
        }
        let searcher = open::searcher(common, library)?;
        let answer = searcher.find(typed, &filter).map_err(|_| Failure("索引を読めません".to_string()))?;
        if self.json {
            screen.json(&find::json(library, typed, &answer, self.limit, self.explain));
        } else {
            self.print(library, &answer, screen);
        }
        if let Some(game) = answer.question.game.or(filter.games.first().copied().filter(|_| filter.games.len() == 1)) {
            open::remember(game);
        }
        if answer.hits.is_empty() {
            complain(&format!("「{typed}」は見つかりません{}", nearest(library, typed)));
            return Ok(Outcome::None);
        }
        let answered = answer.answered || !answering(library, &answer).is_empty();
        Ok(if answered { Outcome::Found } else { Outcome::None })
    }

    fn filter(&self, library: &Library) -> Result<Filter, Failure> {
        let games = self.game.iter().map(|g| super::toc::named(g)).collect::<Result<Vec<_>, _>>()?;
        let kinds = self.kind.iter().map(|k| kind(k)).collect::<Result<Vec<_>, _>>()?;
        let within = self.within.as_deref().map(|text| section(library, text, &games)).transpose()?;
        let games = within.as_ref().map_or(games, |id| vec![id.game]);
        Ok(Filter { games, likely: open::likely(), kinds, within, terms: self.terms, examples: self.examples })
    }

    fn print(&self, library: &Library, answer: &Answer, screen: &mut Screen) {
        if !answer.question.notes.is_empty() {
            let notes: Vec<String> = answer.question.notes.iter().map(|n| n.replace("」→「", "」を「")).collect();
            screen.line(0, 2, &[(Ink::Dim, &format!("{}として探しました", notes.join("、")))]);
            screen.blank();
        }
        let rulings = answering(library, answer);
        for ruling in &rulings {
            print_ruling(ruling, screen);
        }
        if !rulings.is_empty() {
            screen.blank();
        }
        if let Some(doubt) = doubt(answer).filter(|_| rulings.is_empty()) {
            screen.line(0, 2, &[(Ink::Warn, &doubt)]);
            screen.blank();
        }
        for hit in answer.hits.iter().take(self.limit) {
            self.print_hit(library.shelf(hit.game), hit.position, &answer.question, screen);
            if self.explain {
                explain(hit, screen);
            }
        }
        let told = |place: &Place| match place {
            Place::Ruling(game, i) => rulings.iter().any(|r| r.path == library.shelf(*game).ruling(*i).path),
            _ => false,
        };
        let beside_them: Vec<&Place> = answer.beside.iter().filter(|p| !told(p)).collect();
        if !beside_them.is_empty() {
            screen.blank();
        }
        for place in beside_them {
            let (id, text) = beside(library, *place);
            screen.line(0, 2, &[(Ink::Number, &id), (Ink::Dim, &format!(" {text}"))]);
        }
        if answer.hits.len() > self.limit {
            let some = answer.counts.iter().filter(|(_, n)| *n > 0);
            let counts: Vec<String> = some.map(|(game, n)| format!("{} {n}", game.code())).collect();
            if !counts.is_empty() {
                let line = format!("すべての語がある条文 {}（-n で件数、-g でゲームを選べます）", counts.join("・"));
                screen.blank();
                screen.line(0, 0, &[(Ink::Dim, &line)]);
            }
        }
    }

    fn print_hit(&self, shelf: &Shelf, position: usize, question: &Question, screen: &mut Screen) {
        let line = shelf.line(position);
        let node = shelf.node(position);
        let id = format!("{} {}", shelf.game.code(), line.clause);
        let printed = line.printed.filter(|_| line.numbered()).map(|p| format!("（印刷は{p}）")).unwrap_or_default();
        let title = line.title.map(|t| format!(" {t}")).unwrap_or_default();
        let path: Vec<&str> = shelf.path(position).iter().filter_map(|&i| shelf.line(i).title).collect();
        screen.line(
            0,
            2,
            &[
                (Ink::Number, &id),
                (Ink::Dim, &printed),
                (Ink::Bold, &title),
                (Ink::Dim, &format!("  {}", path.join(" › "))),
            ],
        );
        let text = plain(node.text.as_deref().unwrap_or_default());
        if text.is_empty() {
            return;
        }
        let width = if self.full { usize::MAX } else { 90 };
        let pieces = snippet(&text, question, width.min(text.chars().count()));
        let runs: Vec<(Ink, &str)> =
            pieces.iter().map(|(mark, piece)| (if *mark { Ink::Warn } else { Ink::Plain }, piece.as_str())).collect();
        screen.line(2, 0, &runs);
    }
}

/// A ruling that answers: its title, its verdict, and what decides.
fn print_ruling(ruling: &Ruling, screen: &mut Screen) {
    let name = rulings::name(ruling);
    screen.line(0, 2, &[(Ink::Number, &name), (Ink::Bold, &format!(" {}", ruling.title))]);
    let why = rulings::why(ruling);
    let why = if why.is_empty() { String::new() } else { format!(" · 決め手 {}", why.join("、")) };
    screen.line(2, 2, &[(Ink::Dim, &format!("裁定 {}{why} · saitei run {name}", ruling.verdict_words()))]);
}

/// The clauses that a number names; `None` if it is no number, or no such clause is among the games asked for.
fn by_number(library: &Library, typed: &str, games: &[Game]) -> Option<Numbers> {
    let asked: Vec<Game> = open::games().into_iter().filter(|g| games.is_empty() || games.contains(g)).collect();
    let mut numbers = numbers::look_up(library, typed, &asked)?;
    numbers.named.iter_mut().for_each(|named| named.found.retain(|found| asked.contains(&found.game)));
    numbers.named.retain(|named| !named.found.is_empty());
    (!numbers.named.is_empty()).then_some(numbers)
}

/// The one ruling, reading or change of a game that is named by its id.
fn by_id(library: &Library, typed: &str) -> Option<Numbers> {
    let numbers = numbers::look_up(library, typed, &open::games())?;
    let [named] = numbers.named.as_slice() else { return None };
    let one = named.item.game.is_some() && numbers.words.is_empty() && super::show::leads(library, named);
    one.then_some(numbers)
}

fn kind(word: &str) -> Result<Kind, Failure> {
    Kind::ALL.into_iter().find(|k| k.code() == word || k.label() == word).ok_or_else(|| {
        let known = Kind::ALL.map(|k| format!("{}（{}）", k.code(), k.label())).join("、");
        Failure(format!("「{word}」という種類はありません（{known}）"))
    })
}

fn section(library: &Library, text: &str, games: &[Game]) -> Result<Id, Failure> {
    let first = by_number(library, text, games).and_then(|numbers| numbers.found().next());
    match first {
        Some(found) => Ok(library.shelf(found.game).id(found.index)),
        None => Err(Failure(format!("--in の「{text}」という章や節はありません（例: --in 'zx 800'）"))),
    }
}

fn explain(hit: &Hit, screen: &mut Screen) {
    screen.line(4, 0, &[(Ink::Dim, &format!("一致度 {:.1} → {:.1}", hit.bm25, hit.score))]);
    for (criterion, factor) in CRITERIA.iter().zip(hit.factors).filter(|(_, f)| (f - 1.0).abs() > 0.005) {
        screen.line(4, 4, &[(Ink::Dim, &format!("×{factor:.2} {}: {}", criterion.name, criterion.why))]);
    }
}

/// Terms that share characters with what was typed.
fn nearest(library: &Library, typed: &str) -> String {
    let near = term::nearest(library, typed);
    if near.is_empty() { String::new() } else { format!("。近い用語: {}", near.join("、")) }
}
