//! What pages look into: the documents, the index, the rulings with their cards. Nothing in it changes but for what is
//! prepared on first use.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::desk::clause::{Official, Ours};
use crate::desk::coverage::Checked;
use crate::desk::rulings;
use crate::game::BOOKS;
use crate::kernel::Rulebook;
use crate::scenario::{Scenario, Store, check};
use crate::search::Searcher;
use crate::text::{Game, Library, Problem, Ruling};

use super::{Refused, nothing};

/// The house.
pub struct House<'a> {
    pub library: &'a Library,
    pub searcher: Searcher<'a>,
    /// Paths and texts of everything under `rulings/`.
    pub files: Vec<(PathBuf, String)>,
    /// The reader's own copies of the documents.
    pub official: Box<dyn Official + Send + Sync>,
    /// The copies are shown to everybody, not only to this machine.
    pub share: bool,
    stores: Vec<OnceLock<Result<Store, String>>>,
    checked: Vec<OnceLock<Vec<Checked>>>,
}

impl<'a> House<'a> {
    pub fn new(library: &'a Library, searcher: Searcher<'a>, files: Vec<(PathBuf, String)>) -> House<'a> {
        House {
            library,
            searcher,
            files,
            official: Box::new(Ours),
            share: false,
            stores: BOOKS.iter().map(|_| OnceLock::new()).collect(),
            checked: BOOKS.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// The official texts that this request may see.
    pub fn official(&self, own: bool) -> &dyn Official {
        if own || self.share { self.official.as_ref() } else { &Ours }
    }

    /// The cards of a game, read when they are first needed.
    pub fn store(&self, book: &'static dyn Rulebook) -> Result<&Store, Refused> {
        let at = place(book);
        let made = self.stores[at].get_or_init(|| {
            let mut store = Store::default();
            let mut problems: Vec<Problem> = Vec::new();
            let of_game = |path: &PathBuf| path.components().any(|c| c.as_os_str() == book.code());
            for (path, text) in self.files.iter().filter(|(path, _)| is_card_file(path) && of_game(path)) {
                problems.extend(store.add(book, path, text));
            }
            problems.first().map_or(Ok(store), |first| Err(first.message.clone()))
        });
        made.as_ref().map_err(|why| Refused(500, format!("カードを読めません（{why}）")))
    }

    /// The rulings of a game, checked when that is first asked for.
    pub fn checked(&self, book: &'static dyn Rulebook) -> Result<&[Checked], Refused> {
        let store = self.store(book)?;
        Ok(self.checked[place(book)].get_or_init(|| {
            let of_game = |path: &PathBuf| path.components().any(|c| c.as_os_str() == book.code());
            let files = self.files.iter().filter(|(path, _)| !is_card_file(path) && of_game(path));
            files
                .filter_map(|(path, text)| {
                    let scenario = Scenario::load(path, text).ok()?;
                    let report = check(&scenario, store);
                    let passed = report.passed && report.failures.is_empty();
                    Some(Checked { file: path.display().to_string(), game: book.code(), passed, report: Some(report) })
                })
                .collect()
        }))
    }

    /// The texts of a game's boards.
    pub fn boards(&self, game: Game) -> impl Iterator<Item = &str> {
        let of_game = move |path: &PathBuf| path.components().any(|c| c.as_os_str() == game.code());
        self.files.iter().filter(move |(path, _)| !is_card_file(path) && of_game(path)).map(|(_, text)| text.as_str())
    }

    /// The rulings that a name means: an id, an example, a clause, a file.
    pub fn rulings_named(&self, name: &str) -> Vec<Ruling> {
        let found = rulings::named(self.library, name);
        if !found.is_empty() {
            return found;
        }
        rulings::all(self.library, None).into_iter().filter(|r| r.path == name).collect()
    }

    /// The board of a ruling.
    pub fn scenario(&self, ruling: &Ruling) -> Result<Scenario, Refused> {
        let file = self.files.iter().find(|(path, _)| path.ends_with(&ruling.path));
        let (path, text) = file.ok_or_else(|| nothing("その裁定の盤面がありません。"))?;
        Scenario::board(path, text).map_err(|_| Refused(500, "この裁定の盤面を読めません。".into()))
    }
}

fn place(book: &dyn Rulebook) -> usize {
    BOOKS.iter().position(|b| b.code() == book.code()).expect("a book of ours")
}

fn is_card_file(path: &std::path::Path) -> bool {
    path.parent().and_then(std::path::Path::file_name).is_some_and(|f| f == "cards")
}

/// The rulebook of a game, where its boards can be run.
pub fn book(game: Game) -> Result<&'static dyn Rulebook, Refused> {
    crate::game::book(game.code()).ok_or_else(|| nothing(format!("{}の盤面はまだ動かせません。", game.name())))
}
