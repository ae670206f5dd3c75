//! `saitei import`: the reader's own copy of a document.

use std::path::PathBuf;

use serde_json::json;

use crate::import::{self, Official, Stop, check, pdf, store};
use crate::text::{Game, files};

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
            pdf::READER.get_or_init(|| program);
        }
        let library = open::library(common)?;
        let (official, form) = import::read(&library, game, &bytes).map_err(|stop| self.stopped(game, &stop))?;
        if self.check {
            let differences = check::compare(&official, library.shelf(game));
            self.report(&official, &differences, screen);
            return Ok(if differences.is_empty() { Outcome::Found } else { Outcome::None });
        }
        let home = open::home()?;
        let path = store::write(&home, game, &official).map_err(|e| {
            Failure(format!("{} に書けません（{}）。何も変更していません", home.display(), files::reason(&e)))
        })?;
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
        let others = store::editions(&home, game).len() - 1;
        if others > 0 {
            screen.line(0, 0, &[(Ink::Dim, &format!("ほかに{others}つの版があります"))]);
        }
        Ok(Outcome::Found)
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
