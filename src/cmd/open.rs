//! Opening what commands look into: the library, the imported documents, the game used last.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::text::{Game, Library, load};

use super::{Common, Failure};

/// The rules that the build script packed.
static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/library.bin"));

/// The library: the embedded one, or a working tree named by `--data` or `SAITEI_DATA`.
pub fn library(common: &Common) -> Result<Library, Failure> {
    let Some(dir) = &common.data else { return Ok(Library::open(EMBEDDED)) };
    let (drafts, problems) = load::load(dir);
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

/// The games in the order in which answers are given: the configured or last used one first.
pub fn games() -> Vec<Game> {
    let configured = std::env::var("SAITEI_GAME").ok().or_else(|| fs::read_to_string(last_used()?).ok());
    let first = configured.and_then(|text| Game::from_name(&text.trim().to_lowercase()));
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
