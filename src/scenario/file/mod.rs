//! The file of a scenario, as it is written.

pub mod change;
mod mistakes;
pub mod node;
pub mod store;
pub mod words;
pub mod work;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::card::Card;
use crate::kernel::Rulebook;
use crate::scenario::file::node::{At, Node, Note, Notes};
use crate::scenario::file::words::unknown;
use crate::scenario::file::work::Work;
use crate::scenario::judge::explore::LIMIT;
use crate::text::caught::or_fault;
use crate::text::yaml::{self, Problem, Spanned};

/// 盤面とその裁定。
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// 裁定の番号（`dz:R12`）。ファイルを移しても変わらない。
    #[serde(default)]
    pub id: Option<String>,
    /// 文書の用例の番号（`dz:3.12.4-1#1`）。
    #[serde(default)]
    pub example: Option<String>,
    /// 何が起こるかを1文で。
    #[serde(default)]
    pub title: String,
    /// ジャッジが受けた質問。
    #[serde(default)]
    pub question: Option<String>,
    /// ゲーム（`dz`）。省けば置き場所 `rulings/<ゲーム>/…` か用例の番号から。
    #[serde(default)]
    pub game: Option<String>,
    /// 判定。省けば `reproduced`。
    #[serde(default)]
    pub verdict: Verdict,
    /// その判定の理由（`reproduced` 以外では必ず書く）。
    #[serde(default)]
    pub reason: Option<String>,
    /// 競合する条文（`contradicted`・`undecided` では必ず書く）。
    #[serde(default)]
    pub clauses: Vec<Node>,
    /// 標準と違う読み: `{C1: b}`。
    #[serde(default)]
    pub readings: BTreeMap<String, String>,
    /// この盤面だけのカード。
    #[serde(default)]
    #[schemars(with = "Vec<Card>")]
    pub cards: Vec<Spanned<Card>>,
    /// 始まりの盤面: `turn`、`A`、`B`、`squares`、`facts`、`effects`。
    #[serde(default)]
    pub given: Option<Node>,
    /// すること。書かれている順。
    #[serde(default)]
    pub play: Option<Vec<Node>>,
    /// 終わった時にこうなっている。
    #[serde(default)]
    pub expect: Option<Node>,
    /// `contradicted`: 文書が言う結果（こうはならない）。
    #[serde(default)]
    pub claims: Option<Node>,
    /// 決め手の条文。通っていて、外すと結果が変わるもの。
    #[serde(default)]
    pub why: Vec<Node>,
    /// 少し変えた盤面。
    #[serde(default)]
    pub vary: Vec<Vary>,
    /// `undecided`: 読みごとの結果。
    #[serde(default)]
    pub under: Vec<Under>,
    /// 手順が決めていない選択のすべてについて調べる。
    #[serde(default)]
    pub explore: Option<Explore>,
}

/// 判定。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// 条文どおりに再現できる。
    #[default]
    Reproduced,
    /// 用例が条文と食い違う。
    Contradicted,
    /// 条文が決めていない。
    Undecided,
    /// 実行できる内容ではない。
    NotExecutable,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        crate::text::ruling::verdict_words(match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Contradicted => "contradicted",
            Verdict::Undecided => "undecided",
            Verdict::NotExecutable => "not_executable",
        })
    }
}

/// 少し変えた盤面。
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Vary {
    /// 何が違うか。
    pub name: String,
    /// 盤面の違い（元の盤面に重ねる。`null` は取り除く）。
    #[serde(default)]
    pub given: Option<Node>,
    /// 手順の全部、または `{swap: [1, 2]}`・`{drop: [2]}`・`{insert: {at: 1, steps: […]}}`（番号は元の手順、1から）。
    #[serde(default)]
    pub play: Option<Node>,
    /// 読みの違い。
    #[serde(default)]
    pub readings: BTreeMap<String, String>,
    /// 結果。
    pub expect: Node,
    /// 外して確かめられない条文のうち、この違いが示すもの。
    #[serde(default)]
    pub carries: Vec<Node>,
}

/// ある読みでの結果。
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Under {
    pub readings: BTreeMap<String, String>,
    /// 手順の違い（`vary` と同じ書き方）。この読みで断られる行動があるときに。
    #[serde(default)]
    pub play: Option<Node>,
    pub expect: Node,
}

/// 残りの選択のすべてについて。
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Explore {
    /// どう選んでもこうなる。
    #[serde(default)]
    pub every: Option<Node>,
    /// こうなる選び方がある。
    #[serde(default)]
    pub some: Option<Node>,
    /// 結果を並べる。
    #[serde(default)]
    pub list: bool,
    /// 試す回数の上限（省けば20000、それより多くはできない）。
    #[serde(default)]
    pub limit: Option<usize>,
}

/// A scenario: its file, and the rulebook it is about.
#[derive(Clone)]
pub struct Scenario {
    pub path: PathBuf,
    pub file: File,
    pub book: &'static dyn Rulebook,
    /// What has been done for it so far.
    pub(in crate::scenario) work: Work,
    source: String,
}

impl Scenario {
    /// Reads a ruling; everything that can be known to be wrong without running it is said with its place.
    pub fn load(path: &Path, text: &str) -> Result<Scenario, Vec<Problem>> {
        Scenario::read(path, text, crate::game::book)
    }

    /// A board to be run: a table and what is done, with nothing claimed of it.
    pub fn board(path: &Path, text: &str) -> Result<Scenario, Vec<Problem>> {
        let whole = |file: &File, notes: &mut Notes| {
            if file.given.is_none() && file.verdict != Verdict::NotExecutable {
                notes.note(At::default(), "「given:」（始まりの盤面）がありません");
            }
        };
        Scenario::read_as(path, text, crate::game::book, &whole)
    }

    /// A ruling, with other rulebooks.
    pub fn read(path: &Path, text: &str, books: Books) -> Result<Scenario, Vec<Problem>> {
        Scenario::read_as(path, text, books, &shape)
    }

    fn read_as(
        path: &Path,
        text: &str,
        books: Books,
        shape: &dyn Fn(&File, &mut Notes),
    ) -> Result<Scenario, Vec<Problem>> {
        let fault = |text| Err(vec![problem(path, "", &Note { at: At::default(), text })]);
        or_fault(|| Scenario::made(path, text, books, shape)).unwrap_or_else(fault)
    }

    fn made(
        path: &Path,
        text: &str,
        books: Books,
        shape: &dyn Fn(&File, &mut Notes),
    ) -> Result<Scenario, Vec<Problem>> {
        let file = yaml::mapping::<File>(path, text).map_err(|first| every_mistake(path, text, first, books))?.value;
        let mut notes = Notes::default();
        let book = the_book(path, &file, books, &mut notes);
        shape(&file, &mut notes);
        let mut problems: Vec<Problem> = notes.0.iter().map(|n| problem(path, text, n)).collect();
        if let Some(book) = book {
            let own = yaml::placed(path, text, &file.cards);
            problems.extend(crate::card::load::check(&own, &book.schema().words));
        }
        match book {
            Some(book) if problems.is_empty() => {
                Ok(Scenario { path: path.to_path_buf(), file, book, work: Work::default(), source: text.to_string() })
            }
            _ => Err(problems),
        }
    }

    /// The note as a problem of this file, with the line it is about.
    pub fn problem(&self, note: &Note) -> Problem {
        problem(&self.path, &self.source, note)
    }

    /// `dz:4.1` → `4.1`: a clause of this game.
    pub fn clause(&self, node: &Node) -> Result<String, Note> {
        clause(self.book.code(), node)
    }

    /// What is asked now is counted from the beginning.
    pub fn anew(&self) {
        self.work.anew();
    }

    /// Only one part in so many of what a scenario may take: for a board of a stranger's.
    pub fn hurry(&self, part: u64) {
        self.work.hurry(part);
    }

    /// The cards of this board only.
    pub fn own_cards(&self) -> impl Iterator<Item = &Card> {
        self.file.cards.iter().map(|card| &card.value)
    }

    /// The file as it is written.
    pub fn source(&self) -> &str {
        &self.source
    }
}

/// Finds a rulebook by the game's code.
pub type Books = fn(&str) -> Option<&'static dyn Rulebook>;

/// All that is wrong with the cards where the first mistake is one of them: how they are written, and their words.
fn every_mistake(path: &Path, text: &str, first: Problem, books: Books) -> Vec<Problem> {
    let Ok(tree) = yaml::mapping::<Node>(path, text).map(|tree| tree.value) else { return vec![slip(first)] };
    let (notes, cards) = tree.get("cards").map(mistakes::in_cards).unwrap_or_default();
    if !notes.iter().any(|note| note.at.line == first.line) {
        return vec![slip(first)];
    }
    let mut problems: Vec<Problem> = notes.iter().map(|note| problem(path, text, note)).collect();
    if let Some(book) = tree.get("game").and_then(Node::text).and_then(|game| books(&game)) {
        problems.extend(crate::card::load::check(&yaml::at_lines(path, text, cards), &book.schema().words));
    }
    problems.sort_by_key(|problem| (problem.line, problem.column));
    problems
}

/// What is no board at all, with the slip that it probably is.
fn slip(mut problem: Problem) -> Problem {
    let indent: String = problem.excerpt.chars().take_while(|c| c.is_whitespace()).collect();
    if indent.contains('\t') {
        problem.message = "タブでは字下げできません。空白で字下げしてください".into();
    } else if problem.excerpt.contains('：') {
        problem.message = "全角の「：」は使えません。半角のコロンと空白（: ）で書いてください".into();
    } else if problem.line == 1 && problem.message.starts_with("ここには「項目: 値」") {
        problem.message =
            "盤面は「game: ygo」「given: …」「play: …」の項目で書いてください（saitei new ygo で書き始められます）"
                .into();
    }
    problem
}

fn problem(path: &Path, text: &str, note: &Note) -> Problem {
    let excerpt = text.lines().nth(note.at.line.wrapping_sub(1)).unwrap_or_default().to_string();
    Problem {
        file: path.to_path_buf(),
        line: note.at.line,
        column: note.at.column,
        excerpt,
        message: note.text.clone(),
    }
}

pub fn clause(game: &str, node: &Node) -> Result<String, Note> {
    let text = node.text().unwrap_or_default();
    match text.split_once(':') {
        Some((g, clause)) if g == game && !clause.is_empty() => Ok(clause.to_string()),
        _ => Err(Note {
            at: node.at, text: format!("ここには条文の番号（{game}:…）を書いてください: {node}")
        }),
    }
}

/// By `game:`, by the folder `rulings/<game>/`, or by the example.
fn the_book(path: &Path, file: &File, books: Books, notes: &mut Notes) -> Option<&'static dyn Rulebook> {
    let folders: Vec<&str> = path.iter().filter_map(|p| p.to_str()).collect();
    let by_path = folders.windows(2).rev().find(|w| w[0] == "rulings").map(|w| w[1].to_string());
    let by_example = file.example.as_ref().and_then(|e| e.split_once(':')).map(|(game, _)| game.to_string());
    let Some(code) = file.game.clone().or(by_path.filter(|code| books(code).is_some())).or(by_example) else {
        notes.note(At::default(), "どのゲームか分かりません。「game:」を書いてください");
        return None;
    };
    let named = crate::text::Game::from_name(&code);
    let book = books(&code).or_else(|| books(named?.code()));
    if book.is_none() {
        let text = match named {
            Some(game) => format!("{}の盤面はまだ動かせません", game.name()),
            None => unknown("ゲーム", &code, crate::text::Game::ALL.map(|g| g.code())),
        };
        notes.note(At::default(), text);
    }
    book
}

/// What each verdict needs. A file that is not finished does not exist.
fn shape(file: &File, notes: &mut Notes) {
    let mut need = |ok: bool, text: &str| {
        if !ok {
            notes.note(At::default(), text);
        }
    };
    let runs = file.given.is_some() || file.play.is_some() || file.expect.is_some();
    let explores = file.explore.as_ref().is_some_and(|e| e.every.is_some() || e.some.is_some() || e.list);
    need(!file.title.trim().is_empty(), "「title:」（何が起こるかの1文）がありません");
    if file.verdict == Verdict::NotExecutable {
        need(file.reason.is_some(), "not_executable には「reason:」（なぜ実行できないか）が要ります");
        need(!runs, "not_executable に盤面や手順は書けません");
        return;
    }
    need(file.given.is_some(), "「given:」（始まりの盤面）がありません");
    need(file.play.is_some(), "「play:」（すること）がありません。何もせずに見るだけなら「play: []」");
    let limit = file.explore.as_ref().and_then(|e| e.limit);
    need(limit.is_none_or(|n| n <= LIMIT), &format!("「explore:」の limit は{LIMIT}までです"));
    need(file.explore.is_none() || explores, "「explore:」には every・some・list のどれかを書いてください");
    match file.verdict {
        Verdict::Reproduced => {
            need(file.expect.is_some() || explores, "「expect:」（どうなるか）がありません");
            need(!file.why.is_empty(), "「why:」（決め手の条文）がありません");
        }
        Verdict::Contradicted => {
            need(
                file.claims.is_some() && file.expect.is_some(),
                "contradicted には「claims:」（文書が言う結果）と「expect:」（条文から出る結果）が要ります",
            );
        }
        _ => {}
    }
    if file.verdict != Verdict::Reproduced {
        need(file.reason.is_some(), "「reason:」（理由）がありません");
        need(!file.clauses.is_empty(), "「clauses:」（競合する条文）がありません");
    }
    need(file.verdict == Verdict::Contradicted || file.claims.is_none(), "「claims:」は contradicted だけに書きます");
    need(file.verdict == Verdict::Undecided || file.under.is_empty(), "「under:」は undecided だけに書きます");
}
