//! `saitei import`: the reader's own copy of a document.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::import::{self, Official, Stop, check, pdf};
use crate::stock::files;
use crate::stock::wordings;
use crate::text::Game;

use super::screen::{Ink, Screen};
use super::{Common, Done, Failure, Outcome, complete, open};

/// 公式の文書を取り込む（テキスト・Markdown・PDF）
///
/// 取り込むと、show は公式の文を先に示す。前の版は残る。
#[derive(clap::Args)]
pub struct Import {
    /// ゲーム
    #[arg(value_name = "ゲーム", add = complete::games())]
    game: String,
    /// 文書のファイル（- で標準入力）
    #[arg(value_name = "ファイル")]
    file: PathBuf,
    /// 取り込まずに、こちらの条文と比べる
    #[arg(long)]
    check: bool,
    /// 同じ版の、より条文の多い文書を置き換える（前のものも残す）
    #[arg(long)]
    replace: bool,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

impl Import {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let game = super::toc::named(&self.game)?;
        let bytes = self.bytes()?;
        // What a PDF does to its reader must not be done to us.
        if let Ok(program) = std::env::current_exe() {
            crate::stock::pdf::read_by(program);
        }
        let library = open::library(common)?;
        let (official, form) = import::read(&library, game, &bytes).map_err(|stop| self.stopped(game, &stop))?;
        check::belongs(&official, library.shelf(game)).map_err(|stop| self.stopped(game, &stop))?;
        if self.check {
            let differences = check::compare(&official, library.shelf(game));
            self.report(&official, &differences, screen);
            return Ok(if differences.is_empty() { Outcome::Found } else { Outcome::None });
        }
        let home = open::home()?;
        let unwritable = |e: std::io::Error| {
            Failure(format!("{} に書けません（{}）。何も変更していません", home.display(), files::reason(&e)))
        };
        let aside = self.shorter(&home, game, &official)?;
        let aside = aside.map(|path| wordings::set_aside(&path)).transpose().map_err(unwritable)?;
        let path = wordings::write(&home, game, &official).map_err(unwritable)?;
        open::remember(game);
        if self.json {
            screen.json(&summary(&official));
            return Ok(Outcome::Found);
        }
        screen.line(0, 2, &[(Ink::Bold, &format!("{} を取り込みました", describe(game, &official)))]);
        let examples: usize = official.nodes.iter().map(|n| n.examples.len()).sum();
        let refs: usize = official.nodes.iter().map(|n| n.refs.len()).sum();
        screen.text(&format!(
            "{form}、条文と見出し {}、参照 {refs}、用例 {examples}、変更履歴 {}",
            official.nodes.len(),
            official.history.len()
        ));
        screen.line(0, 2, &[(Ink::Dim, &path.display().to_string())]);
        if let Some(aside) = aside {
            let kept = format!("前のものは {} に残してあります", aside.display());
            screen.line(0, 2, &[(Ink::Dim, &kept)]);
        }
        let others = wordings::editions(&home, game).len() - 1;
        if others > 0 {
            screen.line(0, 0, &[(Ink::Dim, &format!("ほかに{others}つの版があります"))]);
        }
        Ok(Outcome::Found)
    }

    /// The copy of the same edition that has more than the new one. It is replaced only if that is wanted.
    fn shorter(&self, home: &Path, game: Game, official: &Official) -> Result<Option<PathBuf>, Failure> {
        let Some((path, nodes, history)) = wordings::same_edition(home, game, official) else { return Ok(None) };
        let less = |name: &str, now: usize, before: usize| {
            (now < before).then(|| format!("{name}が{now}で、取り込み済みの同じ版の{before}より少なくなっています"))
        };
        let why = less("条文と見出し", official.nodes.len(), nodes)
            .or_else(|| less("変更履歴", official.history.len(), history));
        match why {
            None => Ok(None),
            Some(_) if self.replace => Ok(Some(path)),
            Some(why) => Err(Failure(format!(
                "{}: {why}。途中で切れた文書ではありませんか\n置き換えるなら --replace を付けてください（前のものも残します）。何も変更していません",
                self.file.display()
            ))),
        }
    }

    fn bytes(&self) -> Result<Vec<u8>, Failure> {
        let read = if self.file.as_os_str() == "-" {
            files::all_of(std::io::stdin().lock(), pdf::LARGEST)
        } else {
            files::bytes(&self.file, pdf::LARGEST)
        };
        read.map_err(|why| Failure(format!("{}: {why}", self.file.display())))
    }

    fn stopped(&self, game: Game, stop: &Stop) -> Failure {
        let place = if stop.line > 0 { format!(":{}", stop.line) } else { String::new() };
        let mut message =
            format!("{}{place}: {}の文書として読めません。{}", self.file.display(), game.name(), stop.message);
        if !stop.recognised.is_empty() {
            message.push_str("\n読み取れたもの:");
            for line in &stop.recognised {
                message.push_str(&format!("\n  {line}"));
            }
        }
        message.push_str("\n何も変更していません");
        Failure(message)
    }

    fn report(&self, official: &Official, differences: &check::Differences, screen: &mut Screen) {
        if self.json {
            let mut value = summary(official);
            let names = ["missing", "extra", "printed", "refs", "terms", "examples"];
            for (name, (_, list)) in names.iter().zip(differences.lists()) {
                value[*name] = json!(list);
            }
            screen.json(&value);
            return;
        }
        for (label, list) in differences.lists() {
            for item in list {
                screen.line(0, 4, &[(Ink::Warn, label), (Ink::Plain, &format!(" {item}"))]);
            }
        }
        let counts: Vec<String> =
            differences.lists().iter().map(|(label, list)| format!("{label} {}", list.len())).collect();
        screen.text(&format!("文書の条文と見出し {}。{}", official.nodes.len(), counts.join("、")));
    }
}

fn summary(official: &Official) -> serde_json::Value {
    json!({
        "title": official.title,
        "edition": official.edition,
        "date": official.date,
        "nodes": official.nodes.len(),
        "history": official.history.len(),
    })
}

fn describe(game: Game, official: &Official) -> String {
    let date = official.date.as_ref().map(|d| format!("（{d}）")).unwrap_or_default();
    format!("{} {}{date}", game.name(), official.edition)
}
