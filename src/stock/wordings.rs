//! Imported documents in the reader's data directory.
//!
//! `official/<game>/<edition>.jsonl`: the first line says what document it is, then a line per node, so that one
//! clause is found without reading the whole. Files are written beside their place and then moved there: a reader
//! sees the old document or the new one, never half of either.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::text::{Game, Id};

use crate::import::official::{Official, OfficialEntry, OfficialNode};

/// The first line of a stored document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub edition: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    pub history: Vec<OfficialEntry>,
}

/// The official wording of one clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Shelved {
    pub edition: String,
    pub text: String,
}

/// The stored copy of the same edition, if there is one: its file, and how many clauses and entries of history it has.
pub fn same_edition(home: &Path, game: Game, official: &Official) -> Option<(PathBuf, usize, usize)> {
    let path = folder(home, game).join(format!("{}.jsonl", file_name(official)));
    let mut lines = BufReader::new(fs::File::open(&path).ok()?).lines().map_while(Result::ok);
    let header: Header = serde_json::from_str(&lines.next()?).ok()?;
    Some((path, lines.count(), header.history.len()))
}

/// Keeps a copy beside its place, under a name that no edition has: it is read by nobody until it is named back.
pub fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let aside = (1..).map(|n| path.with_extension(format!("jsonl.old{n}"))).find(|p| !p.exists());
    let aside = aside.ok_or(io::ErrorKind::AlreadyExists)?;
    fs::copy(path, &aside)?;
    Ok(aside)
}

/// What killed imports have left. Younger files may belong to one that is at work.
fn sweep(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let age = entry.metadata().and_then(|m| m.modified()).ok().and_then(|at| at.elapsed().ok());
        if ours && age.is_some_and(|age| age > OLD) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

const PREFIX: &str = ".import-";
const OLD: Duration = Duration::from_secs(600);

/// Writes a document and says where. A second edition stands beside the first.
pub fn write(home: &Path, game: Game, official: &Official) -> io::Result<PathBuf> {
    let dir = folder(home, game);
    fs::create_dir_all(&dir)?;
    sweep(&dir);
    let header = Header {
        game: game.code().to_string(),
        title: official.title.clone(),
        edition: official.edition.clone(),
        date: official.date.clone(),
        history: official.history.clone(),
    };
    let mut file = tempfile::Builder::new().prefix(PREFIX).tempfile_in(&dir)?;
    {
        let mut out = io::BufWriter::new(file.as_file_mut());
        serde_json::to_writer(&mut out, &header)?;
        out.write_all(b"\n")?;
        for node in &official.nodes {
            serde_json::to_writer(&mut out, node)?;
            out.write_all(b"\n")?;
        }
        out.flush()?;
    }
    file.as_file().sync_all()?;
    let path = dir.join(format!("{}.jsonl", file_name(official)));
    file.persist(&path).map_err(|e| e.error)?;
    Ok(path)
}

/// The wording of a clause in the newest imported edition.
pub fn wording(home: &Path, id: &Id) -> Option<Shelved> {
    let path = newest(home, id.game)?;
    let mut lines = BufReader::new(fs::File::open(path).ok()?).lines();
    let header: Header = serde_json::from_str(&lines.next()?.ok()?).ok()?;
    let start = format!("{{\"id\":\"{id}\"");
    let line = lines.map_while(Result::ok).find(|line| line.starts_with(&start))?;
    let node: OfficialNode = serde_json::from_str(&line).ok()?;
    Some(Shelved { edition: described(&header), text: node.text })
}

/// Every official wording of a game in its newest imported edition.
pub fn wordings(home: &Path, game: Game) -> HashMap<Id, String> {
    let Some(text) = newest(home, game).and_then(|path| fs::read_to_string(path).ok()) else { return HashMap::new() };
    let nodes = text.lines().skip(1).filter_map(|line| serde_json::from_str::<OfficialNode>(line).ok());
    nodes.map(|node| (node.id, node.text)).collect()
}

/// What tells one state of the imported documents from another; empty when there are none.
pub fn stamp(home: &Path) -> Vec<u8> {
    let mut stamp = Vec::new();
    for game in Game::ALL {
        if let Some(path) = newest(home, game) {
            let changed = fs::metadata(&path).and_then(|m| Ok((m.len(), m.modified()?)));
            stamp.extend(format!("{path:?} {changed:?}").into_bytes());
        }
    }
    stamp
}

/// The imported editions of a game, oldest first.
pub fn editions(home: &Path, game: Game) -> Vec<(PathBuf, Header)> {
    let Ok(entries) = fs::read_dir(folder(home, game)) else { return Vec::new() };
    let mut found: Vec<(PathBuf, Header)> = entries
        .flatten()
        .map(|e| e.path())
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .filter_map(|path| {
            let mut first = String::new();
            BufReader::new(fs::File::open(&path).ok()?).read_line(&mut first).ok()?;
            Some((path, serde_json::from_str(&first).ok()?))
        })
        .collect();
    // By date where all have one, else by their versions as numbers: 10 is after 9.
    let dated = found.iter().all(|(_, header)| header.date.is_some());
    found.sort_by_cached_key(|(path, header)| {
        (header.date.clone().filter(|_| dated), version(header), header.date.clone(), path.clone())
    });
    found
}

fn version(header: &Header) -> Vec<u64> {
    let digits = header.edition.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    digits.map(|run| run.parse().unwrap_or(u64::MAX)).collect()
}

/// The editions of a game besides the newest, which is the one in use: oldest first.
pub fn others(home: &Path, game: Game) -> Vec<String> {
    let mut all = editions(home, game);
    all.pop();
    all.iter().map(|(_, header)| described(header)).collect()
}

fn described(header: &Header) -> String {
    let date = header.date.as_ref().map(|d| format!("（{d}）")).unwrap_or_default();
    format!("{}{date}", header.edition)
}

fn newest(home: &Path, game: Game) -> Option<PathBuf> {
    editions(home, game).pop().map(|(path, _)| path)
}

fn folder(home: &Path, game: Game) -> PathBuf {
    home.join("official").join(game.code())
}

/// The edition as a file name: letters and digits stay, anything else is a hyphen.
fn file_name(official: &Official) -> String {
    let named = official.date.iter().chain([&official.edition]);
    let text = named.cloned().collect::<Vec<_>>().join(" ");
    let mut name: String = text.chars().map(|c| if c.is_alphanumeric() || c == '.' { c } else { '-' }).collect();
    while name.contains("--") {
        name = name.replace("--", "-");
    }
    name.trim_matches(['-', '.']).chars().take(60).collect()
}
