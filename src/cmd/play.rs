//! `saitei play`: a board step by step, line by line, so that it works everywhere and a test can play.

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use unicode_normalization::UnicodeNormalization;

use crate::desk::Desk;
use crate::desk::play::{Session, Standing};
use crate::desk::write;

use super::boards::{self, Boards};
use super::screen::{Ink, Screen};
use super::{Common, Done, Failure, Outcome, complete, new, open};

/// 盤面やゲームを1手ずつ動かす
///
/// 番号、名、またはその一部で選ぶ（Enterだけなら放棄）。?名 なぜできないか / u 戻す / w ここまでの決め手 /
/// e 残りの選択の結果 / b 盤面 / l すべての選択肢 / s ファイル 保存（saitei run で同じに動く） / 投了 / q 終わる。
#[derive(clap::Args)]
pub struct Play {
    /// 盤面のファイル、裁定や用例の番号、またはゲーム
    #[arg(value_name = "盤面", required = true, num_args = 1.., add = complete::games())]
    what: Vec<String>,
}

impl Play {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let typed = self.what.join(" ");
        let library = open::library(common)?;
        let mut boards = Boards::open(common)?;
        let whole = super::toc::named(&typed).is_ok() && !Path::new(&typed).exists();
        let (path, text) = if whole {
            let book = boards::book(&typed)?;
            ("play.yaml".into(), write::whole_game(book, boards.store(book)?))
        } else {
            boards.one(&library, &typed)?
        };
        let scenario = boards::board(&path, &text)?;
        let store = boards.store(scenario.book)?;
        let desk = Desk { scenario: &scenario, store, library: &library };
        screen.unpaged();
        Table { session: Session::new(desk), screen, told: 0 }.run()
    }
}

/// How many lines of options are shown at once, and of what has happened.
const OPTIONS: usize = 9;
const NEWS: usize = 5;

/// The table of a person who plays.
struct Table<'a> {
    session: Session<'a>,
    screen: &'a mut Screen,
    /// Lines of the trace that have been shown.
    told: usize,
}

impl Table<'_> {
    fn run(&mut self) -> Done {
        let stdin = std::io::stdin();
        let asks = stdin.is_terminal();
        let mut lines = stdin.lock().lines();
        let mut standing = self.stand()?;
        self.show(&standing, OPTIONS);
        loop {
            if asks {
                self.screen.raw("> ");
            }
            self.screen.flush()?;
            let Some(line) = lines.next() else { break };
            let line = line.map_err(|_| Failure("入力を読めません（UTF-8で打ってください）".into()))?;
            // Full-width digits and letters are what a Japanese keyboard gives.
            let narrow: String = line.nfkc().collect();
            let line = if narrow.is_ascii() { narrow.trim() } else { line.trim() };
            if line == "q" {
                break;
            }
            if self.command(line, &standing)? {
                continue;
            }
            if line == "u" {
                if !self.session.take_back() {
                    self.say("ここが始まりです");
                    continue;
                }
                self.told = 0;
            } else {
                let Some(asked) = &standing.asked else {
                    self.say("終わっています。u で戻せます");
                    continue;
                };
                if let Err(why) = self.session.answer(asked, line) {
                    self.say(&why);
                    continue;
                }
            }
            standing = self.stand()?;
            self.show(&standing, OPTIONS);
        }
        self.screen.flush()?;
        Ok(Outcome::Found)
    }

    fn stand(&self) -> Result<Standing, Failure> {
        self.session.stand().map_err(Failure)
    }

    fn say(&mut self, text: &str) {
        self.screen.line(0, 2, &[(Ink::Warn, text)]);
    }

    /// What only shows something; false if the line is an answer.
    fn command(&mut self, line: &str, standing: &Standing) -> Result<bool, Failure> {
        match line.split_at_checked(1).unwrap_or((line, "")) {
            ("?" | "？", name) | ("？", name) if !name.trim().is_empty() => match &standing.asked {
                Some(asked) => self.session.why_not(asked, name.trim()).iter().for_each(|w| self.say(w)),
                None => self.say("終わっています"),
            },
            _ if line.starts_with('？') => {
                let name = line.trim_start_matches('？').trim();
                if let Some(asked) = &standing.asked {
                    self.session.why_not(asked, name).iter().for_each(|w| self.say(w));
                }
            }
            ("?" | "h", "") => self.say(HELP),
            ("w", "") => self.decided()?,
            ("e", "") => self.endings(),
            ("b", "") => standing.board.lines().iter().for_each(|l| self.screen.line(0, 2, &[(Ink::Plain, l)])),
            ("l", "") => self.show(standing, usize::MAX),
            ("s", file) if file.starts_with(' ') => self.save(Path::new(file.trim())),
            ("s", "") => self.say("s ファイル名 と打ってください"),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn decided(&mut self) -> Result<(), Failure> {
        let found = self.session.decided().map_err(Failure)?;
        if found.is_empty() {
            self.say("まだ何も決め手になっていません");
        }
        for d in found.iter().take(5) {
            let long = d.text.chars().count() > 40;
            let text: String = d.text.chars().take(40).chain(long.then_some('…')).collect();
            self.screen.line(0, 2, &[(Ink::Number, &d.clause), (Ink::Plain, &format!(" {text}"))]);
            self.screen.line(2, 2, &[(Ink::Dim, &format!("なければ、{}", fewer(&d.without)))]);
        }
        Ok(())
    }

    fn endings(&mut self) {
        match self.session.endings() {
            Err(why) => self.say(&why),
            Ok((endings, _)) if endings.iter().all(|e| e.answers.is_empty()) => {
                self.say("今は、選ぶことが残っていません（行動の途中で問われたことの結果を見ます）");
            }
            Ok((endings, _)) => {
                self.say(&format!("残りの選択による結果は{}通り", endings.len()));
                for (at, ending) in endings.iter().enumerate().take(8) {
                    let how = ending.answers.join("、");
                    self.screen.line(0, 2, &[(Ink::Number, &format!("{}. ", at + 1)), (Ink::Plain, &how)]);
                    self.screen.line(3, 2, &[(Ink::Dim, &ending.changes.join(" / "))]);
                }
            }
        }
    }

    fn save(&mut self, path: &Path) {
        let said = match self.session.saved() {
            None => Err("この盤面は保存できません（given: を行の初めから書いたファイルで始めてください）".to_string()),
            Some(text) => new::create(path, &text).map_err(|f| f.0),
        };
        match said {
            Ok(()) => self.say(&format!("{0} を書きました（saitei run {0}）", path.display())),
            Err(why) => self.say(&why),
        }
    }

    /// What has happened since, the board where there is room for it, and what is asked.
    fn show(&mut self, standing: &Standing, most: usize) {
        self.screen.blank();
        let news = &standing.told[self.told.min(standing.told.len())..];
        for line in &news[news.len().saturating_sub(NEWS)..] {
            self.screen.line(0, 2, &[(Ink::Dim, &format!("・{line}"))]);
        }
        self.told = standing.told.len();
        let board = standing.board.lines();
        let options = standing.asked.as_ref().map_or(0, |a| a.options.len().min(most));
        let room = self.screen.height().saturating_sub(NEWS + options + 3);
        let rows: usize = board.iter().map(|l| self.screen.rows_of(l)).sum();
        let shown = if rows <= room { board.len() } else { 1 };
        for line in &board[..shown] {
            self.screen.line(0, 2, &[(Ink::Plain, line)]);
        }
        if let Some(over) = &standing.over {
            self.screen.line(0, 2, &[(Ink::Bold, over)]);
        }
        let Some(asked) = &standing.asked else { return };
        self.screen.line(0, 2, &[(Ink::Label, &asked.words)]);
        for (at, option) in asked.options.iter().take(most).enumerate() {
            self.screen.line(1, 4, &[(Ink::Number, &format!("{} ", at + 1)), (Ink::Plain, option)]);
        }
        if asked.options.len() > most {
            self.screen.line(1, 2, &[(Ink::Dim, &format!("ほか{}（l で全部）", asked.options.len() - most))]);
        }
    }
}

const HELP: &str = "番号か名で選ぶ・Enterで放棄\n?名 なぜできないか\nu 戻す  w 決め手  e 残りの結果\nb 盤面  l 選択肢  s ファイル 保存\n投了  q 終わる";

/// As many as one line takes, and how many more there are.
fn fewer(without: &[String]) -> String {
    let told = without[..without.len().min(3)].join("、");
    if without.len() > 3 { format!("{told}（ほか{}）", without.len() - 3) } else { told }
}
