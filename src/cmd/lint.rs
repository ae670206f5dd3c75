//! `saitei lint`: everything that is wrong with the data, at once.

use std::path::PathBuf;

use crate::stock::rules;
use crate::text::lint;

use super::screen::Screen;
use super::{Common, Done, Outcome};

/// データの誤りをすべて調べる
#[derive(clap::Args)]
pub struct Lint {
    /// rules/ のあるフォルダ（書かなければ --data、それもなければ今のフォルダ）
    #[arg(value_name = "フォルダ")]
    dir: Option<PathBuf>,
}

impl Lint {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let here = PathBuf::from(".");
        let dir = self.dir.as_ref().or(common.data.as_ref()).unwrap_or(&here);
        if !dir.join("rules").is_dir() {
            return Err(super::Failure(format!(
                "{} に rules/ がありません。データのフォルダを指定してください",
                dir.display()
            )));
        }
        let (drafts, mut problems) = rules::load(dir);
        problems.extend(lint::lint(&drafts));
        problems.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        for problem in &problems {
            screen.raw(&format!("{problem}\n"));
        }
        let nodes: usize = drafts.games.iter().map(|d| d.nodes().count()).sum();
        let terms: usize = drafts.games.iter().map(|d| d.terms.len()).sum();
        screen.raw(&format!("条文 {nodes}、用語 {terms}を調べました。誤り {}件\n", problems.len()));
        Ok(if problems.is_empty() { Outcome::Found } else { Outcome::None })
    }
}
