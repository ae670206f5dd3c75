//! Opening what commands look into: the library, the imported documents, the game used last.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::search::Searcher;
use crate::search::bundle::Bundle;
use crate::stock::rules;
use crate::stock::{index, wordings};
use crate::text::{Game, Library, Shelf};

use super::{Common, Failure};

/// The rules that the build script packed.
static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/library.bin"));

/// The library: the embedded one, or a working tree named by `--data` or `SAITEI_DATA`.
pub fn library(common: &Common) -> Result<Library, Failure> {
    let Some(dir) = &common.data else { return Ok(Library::open(EMBEDDED)) };
    let (drafts, problems) = rules::load(dir);
    if let Some(first) = problems.first() {
        let more = match problems.len() - 1 {
            0 => String::new(),
            n => format!("\nほかに{n}件。saitei lint --data {} で全部を見られます", dir.display()),
        };
        return Err(Failure(format!("データを読めません\n{first}{more}")));
    }
    // Packed once and used until the process ends.
    Ok(Library::open(crate::text::library::pack(&drafts).leak()))
}

/// The index of the embedded data.
static INDEX: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/index.bin"));

/// A library ready for search. The index of the embedded data is embedded too; with a working tree or imported
/// documents it is kept in the cache folder.
pub fn searcher<'a>(common: &Common, library: &'a Library) -> Result<Searcher<'a>, Failure> {
    let failed = || Failure("索引を作れません".to_string());
    let home = home().ok();
    let stamp = home.as_deref().map(wordings::stamp).unwrap_or_default();
    let bundle = if common.data.is_none() && stamp.is_empty() {
        Bundle::trusted(INDEX).ok_or_else(failed)?
    } else {
        let wordings: Vec<_> =
            Game::ALL.map(|g| home.as_deref().map(|h| wordings::wordings(h, g)).unwrap_or_default()).into();
        let official = |shelf: &Shelf, position: usize| wordings[shelf.game.index()].get(&shelf.id(position)).cloned();
        let directory = cache_folder();
        index::open(library, &stamp, &official, directory.as_deref()).map_err(|_| failed())?
    };
    Searcher::open(library, bundle).map_err(|_| failed())
}

/// Where indexes are kept: `SAITEI_CACHE`, or the platform's cache folder.
fn cache_folder() -> Option<PathBuf> {
    let chosen = std::env::var_os("SAITEI_CACHE").filter(|c| !c.is_empty()).map(PathBuf::from);
    chosen.or_else(|| folder(directories::ProjectDirs::cache_dir))
}

/// A folder of this program by the convention of the platform.
fn folder(pick: fn(&directories::ProjectDirs) -> &Path) -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "saitei").map(|dirs| pick(&dirs).to_path_buf())
}

/// Where imported documents are kept: `SAITEI_HOME`, or the platform's data folder.
pub fn home() -> Result<PathBuf, Failure> {
    if let Some(home) = std::env::var_os("SAITEI_HOME").filter(|h| !h.is_empty()) {
        return Ok(home.into());
    }
    folder(directories::ProjectDirs::data_dir)
        .ok_or_else(|| Failure("データフォルダの場所がわかりません。SAITEI_HOME で指定してください".to_string()))
}

/// The game that is meant if nothing says otherwise: the configured or last used one.
pub fn likely() -> Option<Game> {
    let configured = std::env::var("SAITEI_GAME").ok().or_else(|| fs::read_to_string(last_used()?).ok());
    configured.and_then(|text| Game::from_name(&text.trim().to_lowercase()))
}

/// The games in the order in which answers are given: the likely one first.
pub fn games() -> Vec<Game> {
    let first = likely();
    let mut games: Vec<Game> = first.into_iter().collect();
    games.extend(Game::ALL.into_iter().filter(|g| Some(*g) != first));
    games
}

/// Remembers the game. A folder that cannot be written is no reason to fail a lookup.
pub fn remember(game: Game) {
    let Some(path) = last_used() else { return };
    if fs::read_to_string(&path).is_ok_and(|text| text == game.code()) {
        return;
    }
    let Some(dir) = path.parent() else { return };
    let _ = fs::create_dir_all(dir);
    if let Ok(mut file) = tempfile::NamedTempFile::new_in(dir)
        && file.write_all(game.code().as_bytes()).is_ok()
    {
        let _ = file.persist(&path);
    }
}

fn last_used() -> Option<PathBuf> {
    home().ok().map(|dir| dir.join("last-game"))
}
