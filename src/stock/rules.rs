//! The rules: reads the YAML under `rules/` and `index/`. Every problem is collected; nothing stops at the first.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::files;
use crate::text::draft::{ChapterFile, Draft, Drafts, whole};
use crate::text::yaml::{self, Placed, Problem};
use crate::text::{CardName, Clause, Game, Ruling};

/// Files of a game that are not chapters.
const BESIDE: [&str; 4] = ["document", "terms", "readings", "history"];

/// Reads `<data>/rules`.
pub fn load(data: &Path) -> (Drafts, Vec<Problem>) {
    let mut problems = Vec::new();
    let rules = data.join("rules");
    if !rules.is_dir() {
        problems.push(whole(&rules, "このフォルダがありません。saitei のデータのあるフォルダを指定してください"));
        return (Drafts { games: Vec::new(), concepts: Vec::new(), words: None }, problems);
    }
    let index = data.join("index");
    let games = Game::ALL.map(|game| load_game(&rules, &index, game, &mut problems)).into();
    let concepts = list(&rules.join("concepts.yaml"), "concepts", &mut problems);
    // A working tree without index/ is searched all the same, only less well.
    let words = index.join("words.yaml");
    let words = words.exists().then(|| mapping(&words, &mut problems)).flatten();
    (Drafts { games, concepts, words }, problems)
}

fn load_game(rules: &Path, index: &Path, game: Game, problems: &mut Vec<Problem>) -> Draft {
    let dir = rules.join(game.code());
    let document = mapping(&dir.join("document.yaml"), problems);
    let mut draft = Draft {
        game,
        document,
        chapters: Vec::new(),
        terms: list(&dir.join("terms.yaml"), "terms", problems),
        readings: list(&dir.join("readings.yaml"), "readings", problems),
        history: list(&dir.join("history.yaml"), "history", problems),
        asks: list(&index.join(format!("{}.yaml", game.code())), "asks", problems),
        rulings: Vec::new(),
        cards: Vec::new(),
    };
    if let Some(root) = rules.parent() {
        load_rulings(root, Path::new("rulings").join(game.code()), &mut draft, problems);
    }
    for (stem, path) in chapter_files(&dir, problems) {
        let nodes = list(&path, "nodes", problems);
        draft.chapters.push(ChapterFile { path, stem, nodes });
    }
    draft
}

/// The heads of scenarios and the names of cards under a folder; there may be none.
fn load_rulings(root: &Path, folder: PathBuf, draft: &mut Draft, problems: &mut Vec<Problem>) {
    if !root.join(&folder).exists() {
        return;
    }
    let (paths, refused) = files::tree(&root.join(&folder));
    problems.extend(refused.iter().map(|(path, why)| whole(path, why)));
    for path in paths {
        let shown = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        if path.parent().is_some_and(|p| p.ends_with("cards")) {
            let cards: Vec<Placed<CardName>> = list(&path, "cards", problems);
            draft.cards.extend(cards.into_iter().map(|c| CardName { path: shown.clone(), ..c.value }));
        } else if let Some(ruling) = mapping::<Ruling>(&path, problems) {
            draft.rulings.push(Ruling { path: shown, ..ruling.value });
        }
    }
}

/// The chapter files in document order.
fn chapter_files(dir: &Path, problems: &mut Vec<Problem>) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) => {
            problems.push(whole(dir, &format!("フォルダを開けません（{}）", files::reason(&error))));
            return Vec::new();
        }
    };
    for path in entries.flatten().map(|e| e.path()) {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_none_or(|e| e != "yaml") || BESIDE.contains(&stem.as_str()) {
            continue;
        }
        match Clause::new(&stem) {
            Some(clause) => files.push((clause, stem, path)),
            None => problems.push(whole(&path, "ファイル名は章の番号にしてください（例: 100.yaml、2.20.yaml）")),
        }
    }
    files.sort_by(|a, b| a.0.cmp(&b.0));
    files.into_iter().map(|(_, stem, path)| (stem, path)).collect()
}

fn mapping<T: DeserializeOwned>(path: &Path, problems: &mut Vec<Problem>) -> Option<Placed<T>> {
    let (path, text) = read(path, problems)?;
    yaml::mapping(&path, &text).map_err(|p| problems.push(p)).ok()
}

/// A list file; one that is not there is an empty list.
fn list<T: DeserializeOwned>(path: &Path, key: &str, problems: &mut Vec<Problem>) -> Vec<Placed<T>> {
    if !path.exists() {
        return Vec::new();
    }
    let Some((path, text)) = read(path, problems) else { return Vec::new() };
    let (values, found) = yaml::items(&path, &text, key);
    problems.extend(found);
    values
}

fn read(path: &Path, problems: &mut Vec<Problem>) -> Option<(PathBuf, String)> {
    match files::text(path, files::DATA) {
        Ok(text) => Some((path.to_path_buf(), text)),
        Err(why) => {
            problems.push(whole(path, &why));
            None
        }
    }
}
