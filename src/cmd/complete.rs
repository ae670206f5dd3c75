//! `saitei completions`, and the words it offers: clause ids, terms, games.
//!
//! The script that a shell sources asks this program for candidates, so they always fit the data in use.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::ValueEnum;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};

use crate::text::{Game, Library};

use super::screen::Screen;
use super::{Common, Done, Failure, Outcome, When, open};

/// シェルの補完スクリプトを出す
///
/// 例: source <(saitei completions bash)
#[derive(clap::Args)]
pub struct Completions {
    /// bash・zsh・fish・elvish・powershell
    #[arg(value_name = "シェル")]
    shell: Shell,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    Elvish,
    Powershell,
}

const VARIABLE: &str = "COMPLETE";

impl Completions {
    pub fn run(&self, screen: &mut Screen) -> Done {
        let name = format!("{:?}", self.shell).to_lowercase();
        let shells = Shells::builtins();
        let shell = shells.completer(&name).ok_or_else(|| Failure(format!("{name} の補完は作れません")))?;
        let mut script = Vec::new();
        shell.write_registration(VARIABLE, "saitei", "saitei", "saitei", &mut script)?;
        screen.raw(&String::from_utf8_lossy(&script));
        Ok(Outcome::Found)
    }
}

/// Answers the shell's question, if this run of the program is one, and ends.
pub fn answer(command: impl Fn() -> clap::Command) {
    if std::env::var_os(VARIABLE).is_some() {
        CompleteEnv::with_factory(command).var(VARIABLE).complete();
    }
}

pub fn games() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let typed = typed.to_string_lossy();
        let games = Game::ALL.into_iter().filter(|g| g.code().starts_with(&*typed));
        games.map(|g| CompletionCandidate::new(g.code()).help(Some(g.name().into()))).collect()
    })
}

/// `zx:102.4` and so on; without a game, those of the last used one.
pub fn clauses() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let Some(library) = library() else { return Vec::new() };
        let typed = typed.to_string_lossy().into_owned();
        let candidate = |clause: &str, game: &str, title: Option<&str>| {
            CompletionCandidate::new(format!("{game}{clause}")).help(title.map(|t| t.to_string().into()))
        };
        match typed.split_once(':') {
            Some((code, start)) => {
                let Some(shelf) = Game::from_code(code).map(|g| library.shelf(g)) else { return Vec::new() };
                let lines = shelf.lines().iter().filter(|l| l.clause.starts_with(start));
                lines.map(|l| candidate(l.clause, &format!("{code}:"), l.title)).collect()
            }
            None if typed.starts_with(|c: char| c.is_ascii_digit()) => {
                let games = open::games().into_iter().map(|g| library.shelf(g));
                let lines = games.flat_map(|s| s.lines()).filter(|l| l.clause.starts_with(&typed));
                lines.map(|l| candidate(l.clause, "", l.title)).collect()
            }
            None => {
                let games = Game::ALL.into_iter().filter(|g| g.code().starts_with(&typed));
                games.map(|g| CompletionCandidate::new(format!("{}:", g.code())).help(Some(g.name().into()))).collect()
            }
        }
    })
}

pub fn terms() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let Some(library) = library() else { return Vec::new() };
        let typed = typed.to_string_lossy();
        let mut words: Vec<String> = Vec::new();
        for term in library.shelves().flat_map(|s| s.terms()) {
            let known = [&term.term, &term.reading].into_iter().chain(&term.synonyms).chain(&term.slang);
            if known.into_iter().any(|w| w.starts_with(&*typed)) && !words.contains(&term.term) {
                words.push(term.term.clone());
            }
        }
        words.into_iter().map(CompletionCandidate::new).collect()
    })
}

pub fn concepts() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let Some(library) = library() else { return Vec::new() };
        let typed = typed.to_string_lossy();
        let concepts = library.concepts().into_iter().filter(|c| c.concept.starts_with(&*typed));
        concepts.map(|c| CompletionCandidate::new(c.concept)).collect()
    })
}

fn library() -> Option<Library> {
    let data = std::env::var_os("SAITEI_DATA").filter(|d| !d.is_empty()).map(PathBuf::from);
    open::library(&Common { data, color: When::Never, no_pager: true }).ok()
}
