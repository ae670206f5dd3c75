//! Opening the rulings: scenarios and cards, embedded or of a working tree.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::game;
use crate::import::decode;
use crate::kernel::Rulebook;
use crate::scenario::{Scenario, Store};
use crate::text::{Library, Problem, files};

use super::{Common, Failure};

/// What the build script packed of `rulings/`: paths and texts.
static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/rulings.bin"));

/// The files under `rulings/`.
pub struct Rulings {
    files: Vec<(PathBuf, String)>,
    stores: BTreeMap<&'static str, Store>,
}

impl Rulings {
    /// Those of the binary, or of the folder named by `--data`.
    pub fn open(common: &Common) -> Result<Rulings, Failure> {
        let files = match &common.data {
            None => {
                let packed: Vec<(String, String)> = postcard::from_bytes(EMBEDDED).unwrap_or_default();
                packed.into_iter().map(|(path, text)| (path.into(), text)).collect()
            }
            Some(dir) => {
                let root = dir.join("rulings");
                let (paths, refused) = if root.is_dir() { files::tree(&root) } else { Default::default() };
                if let Some((path, why)) = refused.first() {
                    return Err(Failure(format!("{} を読めません（{why}）", path.display())));
                }
                paths.into_iter().map(|path| Ok((path.clone(), board(&path)?))).collect::<Result<_, Failure>>()?
            }
        };
        Ok(Rulings { files, stores: BTreeMap::new() })
    }

    /// The scenarios, by path.
    pub fn scenarios(&self) -> impl Iterator<Item = &(PathBuf, String)> {
        self.files.iter().filter(|(path, _)| !is_card_file(path))
    }

    /// The cards of a game. A file with mistakes says so.
    pub fn store(&mut self, book: &'static dyn Rulebook) -> Result<&Store, Failure> {
        if !self.stores.contains_key(book.code()) {
            let mut store = Store::default();
            let mut problems: Vec<Problem> = Vec::new();
            for (path, text) in self.files.iter().filter(|(path, _)| is_card_file(path) && in_game(path, book.code())) {
                problems.extend(store.add(book, path, text));
            }
            if let Some(first) = problems.first() {
                let more =
                    if problems.len() > 1 { format!("\nほかに{}件", problems.len() - 1) } else { String::new() };
                return Err(Failure(format!("カードを読めません\n{first}{more}")));
            }
            self.stores.insert(book.code(), store);
        }
        Ok(&self.stores[book.code()])
    }

    /// The cards of a game that has been opened.
    pub fn ready(&self, book: &dyn Rulebook) -> &Store {
        &self.stores[book.code()]
    }

    /// A scenario by its file, its example's id, or a part of its path. A file on disk need not be among the rulings.
    pub fn find(&self, wanted: &str) -> Result<(PathBuf, String), Failure> {
        let path = Path::new(wanted);
        // What is there but is no file is refused by name.
        if path.exists() && !path.is_dir() {
            return Ok((path.to_path_buf(), board(path)?));
        }
        let example =
            |text: &str| text.lines().find_map(|l| l.strip_prefix("example:")).map(str::trim).map(str::to_string);
        let asked = wanted.trim();
        let exact: Vec<_> =
            self.scenarios().filter(|(_, text)| example(text).is_some_and(|e| same_example(&e, asked))).collect();
        let found = match exact.is_empty() {
            false => exact,
            true => self.scenarios().filter(|(p, _)| p.to_string_lossy().contains(asked)).collect(),
        };
        match found.as_slice() {
            [one] => Ok((*one).clone()),
            [] => Err(Failure(format!(
                "「{wanted}」という盤面はありません。ファイルか、用例の番号（dz:3.12.4-1#1 など）を書いてください。一覧は saitei coverage"
            ))),
            many => {
                let list: Vec<String> = many.iter().take(10).map(|(p, _)| format!("  {}", p.display())).collect();
                Err(Failure(format!(
                    "「{wanted}」に当たる盤面が{}個あります。1つを選んでください\n{}",
                    many.len(),
                    list.join("\n")
                )))
            }
        }
    }
}

/// `dz:3.12.4-1#1` and `3.12.4-1#1` mean the same.
fn same_example(id: &str, asked: &str) -> bool {
    let id = id.trim_matches(['"', '\'']);
    id == asked || id.split_once(':').is_some_and(|(_, rest)| rest == asked)
}

fn is_card_file(path: &Path) -> bool {
    path.parent().and_then(Path::file_name).is_some_and(|f| f == "cards")
}

fn in_game(path: &Path, code: &str) -> bool {
    path.components().any(|c| c.as_os_str() == code)
}

/// The text of a board in whatever encoding it was saved.
fn board(path: &Path) -> Result<String, Failure> {
    let read = files::bytes(path, files::DATA).and_then(|bytes| decode::text(&bytes));
    read.map(|(text, _)| text).map_err(|why| Failure(format!("{} を読めません（{why}）", path.display())))
}

/// Reads a scenario, or says everything that is wrong with it.
pub fn scenario(path: &Path, text: &str) -> Result<Scenario, Failure> {
    Scenario::load(path, text).map_err(|problems| {
        let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Failure(format!("盤面を読めません\n{}", all.join("\n")))
    })
}

/// What a clause is called: its title, or how its text begins.
pub fn heading(library: &Library, id: &str) -> Option<String> {
    let id: crate::text::Id = id.parse().ok()?;
    let shelf = library.shelf(id.game);
    let at = shelf.position(&id.clause)?;
    if let Some(title) = shelf.line(at).title {
        return Some(title.to_string());
    }
    let text = crate::text::node::plain(&shelf.node(at).text?);
    let sentence = text.split(['。', '\n']).next().unwrap_or_default();
    let short: String = sentence.chars().take(HEADING).collect();
    Some(if short.len() < sentence.len() { short + "…" } else { short })
}

/// How much of a clause is enough to know it by.
const HEADING: usize = 36;

pub fn book(code: &str) -> Result<&'static dyn Rulebook, Failure> {
    let there: Vec<&str> = game::BOOKS.iter().map(|b| b.code()).collect();
    game::book(code)
        .ok_or_else(|| Failure(format!("「{code}」はまだ動かせません（動かせるゲーム: {}）", there.join("・"))))
}
