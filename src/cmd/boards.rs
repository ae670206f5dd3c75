//! Opening the rulings: scenarios and cards, embedded or of a working tree.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::desk::rulings;
use crate::game;
use crate::import::decode;
use crate::kernel::Rulebook;
use crate::scenario::{Note, Scenario, Store, unknown};
use crate::stock::files;
use crate::text::{Game, Library, Problem, Ruling, query};

use super::{Common, Failure};

/// What the build script packed of `rulings/`: paths and texts.
static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/rulings.bin"));

/// The files under `rulings/`.
pub struct Boards {
    files: Vec<(PathBuf, String)>,
    stores: BTreeMap<&'static str, Store>,
}

impl Boards {
    /// Those of the binary, or of the folder named by `--data`.
    pub fn open(common: &Common) -> Result<Boards, Failure> {
        let files = match &common.data {
            None => {
                let packed: Vec<(String, String)> = postcard::from_bytes(EMBEDDED).unwrap_or_default();
                packed.into_iter().map(|(path, text)| (path.into(), text)).collect()
            }
            Some(dir) => {
                if !dir.is_dir() {
                    return Err(Failure(format!("{} というフォルダはありません", dir.display())));
                }
                let root = dir.join("rulings");
                let (paths, refused) = if root.is_dir() { files::tree(&root) } else { Default::default() };
                if let Some((path, why)) = refused.first() {
                    return Err(Failure(format!("{} を読めません（{why}）", path.display())));
                }
                paths.into_iter().map(|path| Ok((path.clone(), text_of(&path)?))).collect::<Result<_, Failure>>()?
            }
        };
        Ok(Boards { files, stores: BTreeMap::new() })
    }

    /// All files, with their texts.
    pub fn into_files(self) -> Vec<(PathBuf, String)> {
        self.files
    }

    /// The scenarios, by path.
    pub fn scenarios(&self) -> impl Iterator<Item = &(PathBuf, String)> {
        self.files.iter().filter(|(path, _)| !is_card_file(path))
    }

    /// The texts of a game's scenarios.
    pub fn of_game<'a>(&'a self, code: &'a str) -> impl Iterator<Item = &'a str> {
        self.scenarios().filter(move |(path, _)| in_game(path, code)).map(|(_, text)| text.as_str())
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

    /// A board by its file, its ruling's id, its example, a clause it turns on, or a part of its path. `-` is standard
    /// input. A file on disk need not be among the rulings.
    pub fn find(&self, library: &Library, wanted: &str) -> Result<Found, Failure> {
        let path = Path::new(wanted);
        if wanted == "-" {
            let read = files::all_of(std::io::stdin(), files::DATA).and_then(|bytes| decode::text(&bytes));
            let text = read.map_err(|why| Failure(format!("標準入力を読めません（{why}）")))?.0;
            return Ok(Found::One("標準入力".into(), text));
        }
        // What is there but is no file is refused by name.
        if path.exists() && !path.is_dir() {
            return Ok(Found::One(path.to_path_buf(), text_of(path)?));
        }
        let asked = wanted.trim();
        for path in ENDINGS.map(|ending| PathBuf::from(format!("{asked}.{ending}"))) {
            if path.is_file() {
                return Ok(Found::One(path.clone(), text_of(&path)?));
            }
        }
        if path.is_dir() {
            return Err(Failure(boards_in(path, wanted)));
        }
        let mut found = rulings::named(library, asked);
        if found.is_empty() {
            // A whole name is that of a file; a part may stand anywhere.
            let whole = ENDINGS.iter().any(|ending| asked.ends_with(&format!(".{ending}")));
            let named = |r: &Ruling| if whole { Path::new(&r.path).ends_with(asked) } else { r.path.contains(asked) };
            found = rulings::all(library, None).into_iter().filter(named).collect();
        }
        match <[Ruling; 1]>::try_from(found) {
            Ok([one]) => {
                let (path, text) = self.of(&one).ok_or_else(|| missing(library, wanted))?;
                Ok(Found::One(path.clone(), text.clone()))
            }
            Err(none) if none.is_empty() => Err(missing(library, wanted)),
            Err(several) => Ok(Found::Several(several)),
        }
    }

    /// The one board that is meant; of several, the choice is the user's.
    pub fn one(&self, library: &Library, wanted: &str) -> Result<(PathBuf, String), Failure> {
        match self.find(library, wanted)? {
            Found::One(path, text) => Ok((path, text)),
            Found::Several(several) => {
                let list: Vec<String> =
                    several.iter().take(10).map(|r| format!("  {} {}", rulings::name(r), r.title)).collect();
                let text = format!(
                    "「{wanted}」に当たる盤面は{}個あります。1つを選んでください\n{}",
                    several.len(),
                    list.join("\n")
                );
                Err(Failure(text))
            }
        }
    }

    /// The file of a ruling.
    pub fn of(&self, ruling: &Ruling) -> Option<&(PathBuf, String)> {
        self.files.iter().find(|(path, _)| path.ends_with(&ruling.path))
    }
}

/// How the names of board files end.
const ENDINGS: [&str; 2] = ["yaml", "yml"];

/// The boards of a folder, one of which can be run.
fn boards_in(path: &Path, wanted: &str) -> String {
    let (paths, _) = files::tree(path);
    let list: Vec<String> = paths.iter().take(10).map(|p| format!("  {}", p.display())).collect();
    match paths.len() {
        0 => format!("「{wanted}」に盤面はありません"),
        n => format!(
            "「{wanted}」には盤面が{n}個あります。1つを選んでください（全部を確かめるなら saitei check {wanted}）\n{}",
            list.join("\n")
        ),
    }
}

/// What a board was asked for by.
pub enum Found {
    One(PathBuf, String),
    Several(Vec<Ruling>),
}

/// There is no such board: why, and what to do.
fn missing(library: &Library, wanted: &str) -> Failure {
    let path = Path::new(wanted);
    if path.extension().and_then(|e| e.to_str()).is_some_and(|e| ENDINGS.contains(&e)) {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let there = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let there: Vec<String> = there.map(|f| f.file_name().to_string_lossy().into_owned()).collect();
        let boards = there.iter().map(String::as_str).filter(|f| ENDINGS.iter().any(|e| f.ends_with(&format!(".{e}"))));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        return Failure(unknown("ファイル", &name, boards));
    }
    let items = query::read(wanted).unwrap_or_default();
    let known = items.iter().any(|item| library.shelves().any(|s| !query::find(s, item).is_empty()));
    Failure(match known {
        true => format!("「{wanted}」を決め手とする裁定はまだありません。条文は saitei show {wanted}"),
        false => format!(
            "「{wanted}」という盤面はありません。ファイル、裁定（zx:R12）、用例（dz:3.12.4-1#1）、条文（zx 905.1）のどれかを書いてください。一覧は saitei rulings"
        ),
    })
}

pub fn is_card_file(path: &Path) -> bool {
    path.parent().and_then(Path::file_name).is_some_and(|f| f == "cards")
}

/// Lies in `rulings/<game>/`. What the folders above are called says nothing.
fn in_game(path: &Path, code: &str) -> bool {
    let folders: Vec<_> = path.iter().collect();
    folders.windows(2).rev().find(|w| w[0] == "rulings").is_some_and(|w| w[1] == code)
}

/// The text of a board in whatever encoding it was saved.
pub fn text_of(path: &Path) -> Result<String, Failure> {
    let read = files::bytes(path, files::DATA).and_then(|bytes| decode::text(&bytes));
    read.map(|(text, _)| text).map_err(|why| Failure(format!("{} を読めません（{why}）", path.display())))
}

/// Reads a board, or says everything that is wrong with it.
pub fn board(path: &Path, text: &str) -> Result<Scenario, Failure> {
    Scenario::board(path, text).map_err(|problems| {
        let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Failure(format!("盤面を読めません\n{}", all.join("\n")))
    })
}

/// What is wrong with a board, with the lines it is about.
pub fn failure(scenario: &Scenario, notes: &[Note]) -> Failure {
    let all: Vec<String> =
        notes.iter().map(|n| if n.at.line == 0 { n.text.clone() } else { scenario.problem(n).to_string() }).collect();
    Failure(all.join("\n"))
}

/// The rulebook of a game that can be run.
pub fn book(code: &str) -> Result<&'static dyn Rulebook, Failure> {
    let named = super::toc::named(code)?;
    game::book(named.code()).ok_or_else(|| not_yet(named))
}

/// A game whose boards cannot be run yet.
fn not_yet(named: Game) -> Failure {
    let there: Vec<&str> = game::BOOKS.iter().map(|b| b.code()).collect();
    Failure(format!("{}の盤面はまだ動かせません（動かせるゲーム: {}）", named.name(), there.join("・")))
}
