//! `saitei run`: bring a board, and the answer comes first.

use std::num::NonZeroUsize;

use serde_json::json;

use crate::desk::run::Deciding;
use crate::desk::{Desk, Page, say};
use crate::scenario::{Line, Note, Ready, Scenario, WhatIf, explore_all};
use crate::text::Ruling;
use crate::text::caught::or_fault;

use super::boards::{self, Boards, Found};
use super::screen::{Ink, Screen, label};
use super::{Common, Done, Failure, Outcome, open};

/// 盤面を動かし、どうなるか、何が決め手かを見る
///
/// 盤面は、ファイル、裁定の番号（dz:R12）、用例の番号（dz:3.12.4-1#1）、条文の番号（その条文の裁定から選ぶ）、
/// または - （標準入力）。書くのは given と play だけでよい。始めるには saitei new。
#[derive(clap::Args)]
pub struct Run {
    /// 盤面のファイル、裁定・用例・条文の番号、または -
    #[arg(value_name = "盤面", required = true, num_args = 1..)]
    what: Vec<String>,
    /// この条文がなければどうなるか（何度でも書ける）
    #[arg(long, value_name = "条文")]
    without: Vec<String>,
    /// 文書が決めていない点の読みを変える（C1=b のように。何度でも書ける）
    #[arg(long, value_name = "読み=選択")]
    reading: Vec<String>,
    /// 始まりの盤面を変える（A.手札=[…]、呼び名.state=フリーズ など。何度でも書ける）
    #[arg(long, value_name = "場所=値")]
    set: Vec<String>,
    /// 盤面のファイルにある、少し変えた盤面（1から）
    #[arg(long, value_name = "番号")]
    vary: Option<NonZeroUsize>,
    /// 手順が決めていない選択をすべて試し、起こりうる結果を並べる
    #[arg(long, conflicts_with = "without")]
    explore: bool,
    /// 決め手をすべて探して出す
    #[arg(long)]
    why: bool,
    /// 動かした跡をすべて出す
    #[arg(long)]
    trace: bool,
    /// 始まりと終わりの盤面を出す
    #[arg(long)]
    board: bool,
    /// 結論だけを出す
    #[arg(short, long)]
    quiet: bool,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

/// How many of the deciding clauses that were found are shown unless all are asked for.
const FOUND: usize = 3;

impl Run {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let mut boards = Boards::open(common)?;
        let library = open::library(common)?;
        let (path, text) = match boards.find(&library, &self.what.join(" "))? {
            Found::One(path, text) => (path, text),
            Found::Several(rulings) => return self.choose(&rulings, screen),
        };
        let scenario = boards::board(&path, &text)?;
        let store = boards.store(scenario.book)?;
        let failed = |notes: Vec<Note>| boards::failure(&scenario, &notes);
        if self.explore {
            let case = self.what_if()?.case(&scenario).map_err(|n| failed(vec![n]))?;
            let ready = Ready::new(&scenario, store, &case).map_err(failed)?;
            return explore(&scenario, &ready, self.json, screen);
        }
        let desk = Desk { scenario: &scenario, store, library: &library };
        let page = desk.page(&self.what_if()?, self.why).map_err(failed)?;
        if self.json {
            screen.json(&json!(page));
        } else {
            self.show(&page, &scenario, screen);
        }
        let good = page.passed.unwrap_or(page.problems.is_empty() || !page.condition.is_empty());
        Ok(if good { Outcome::Found } else { Outcome::None })
    }

    /// Several rulings are meant: they are listed to choose from.
    fn choose(&self, rulings: &[Ruling], screen: &mut Screen) -> Done {
        if self.json {
            screen.json(&json!({"rulings": rulings}));
        } else {
            let what = self.what.join(" ");
            screen.line(
                0,
                2,
                &[(Ink::Dim, &format!("「{what}」の裁定は{}個あります。番号で選んでください", rulings.len()))],
            );
            screen.blank();
            super::rulings::list(rulings, screen);
        }
        Ok(Outcome::Found)
    }

    fn what_if(&self) -> Result<WhatIf, Failure> {
        let pair = |text: &String, flag: &str, like: &str| {
            text.split_once('=').map(|(a, b)| (a.trim().to_string(), b.trim().to_string())).ok_or_else(|| {
                Failure(format!("{flag} は「{like}」の形で書いてください（書かれているのは「{text}」）"))
            })
        };
        let mut readings = Vec::new();
        for text in &self.reading {
            let (id, key) = pair(text, "--reading", "C1=b")?;
            readings.push((id, key));
        }
        let set = self.set.iter().map(|t| pair(t, "--set", "A.手札=[カード名]")).collect::<Result<_, _>>()?;
        let vary = self.vary.map(|n| n.get() - 1);
        Ok(WhatIf { without: self.without.clone(), readings, set, vary })
    }

    /// The page, answer first.
    fn show(&self, page: &Page, scenario: &Scenario, screen: &mut Screen) {
        screen.keep_whole(&page.whole);
        head(page, screen);
        for remark in &page.remarks {
            label(screen, "注意", Ink::Warn, remark);
        }
        label(screen, "結論", Ink::Bold, &page.conclusion.concat());
        deciding(page, self.why, screen);
        readings(page, screen);
        compared(page, screen);
        verdict(page, scenario, screen);
        if !self.quiet {
            self.more(page, screen);
        }
    }

    fn more(&self, page: &Page, screen: &mut Screen) {
        for (at, told) in page.story.iter().enumerate() {
            let clause = told.clause.as_deref().map(|c| format!(" 〔{}〕", short(c))).unwrap_or_default();
            let mark = if told.decides { "◆" } else { "・" };
            let ink = if told.decides { Ink::Bold } else { Ink::Plain };
            let name = if at == 0 { "いきさつ" } else { "" };
            screen.labelled(name, 2, &[(ink, mark), (ink, &told.text), (Ink::Dim, &clause)]);
        }
        if page.changes.is_empty() && page.before.is_some() {
            label(screen, "変わったこと", Ink::Plain, "なし");
        }
        for (at, change) in page.changes.iter().enumerate() {
            label(screen, if at == 0 { "変わったこと" } else { "" }, Ink::Plain, change);
        }
        if let Some(next) = &page.next {
            label(screen, "次", Ink::Dim, next);
        }
        for (at, twin) in page.others.iter().enumerate() {
            let name = if at == 0 { "別の場合" } else { "" };
            screen.labelled(name, 2, &[(Ink::Plain, &format!("{} {}", at + 1, twin.title))]);
        }
        if let Some(twin) = page.others.first() {
            screen.labelled("", 2, &[(Ink::Dim, &twin.command)]);
        }
        if !page.omitted.is_empty() {
            label(screen, "省いたこと", Ink::Dim, &page.omitted.join("、"));
        }
        if self.trace {
            screen.blank();
            page.trace.iter().filter(|l| !l.folded).for_each(|line| told(line, screen));
        }
        if self.board {
            boards(page, screen);
        }
    }
}

/// The id without the game's code, which stands in the head.
fn short(clause: &str) -> &str {
    clause.split_once(':').map_or(clause, |(_, rest)| rest)
}

/// Its name and title, or the condition it is under.
fn head(page: &Page, screen: &mut Screen) {
    if page.condition.is_empty() {
        let title = if page.title.is_empty() { String::new() } else { format!("  {}", page.title) };
        screen.line(0, 2, &[(Ink::Number, &page.name), (Ink::Bold, &title)]);
    } else {
        let condition = format!("  {}", page.condition.join("、"));
        screen.line(0, 2, &[(Ink::Number, &page.name), (Ink::Warn, &condition)]);
    }
    if let Some(question) = &page.question {
        label(screen, "質問", Ink::Plain, question);
    }
}

/// The deciding clauses with their text and what would be without them; the more there are, the less of each.
fn deciding(page: &Page, all: bool, screen: &mut Screen) {
    let shown = page.shown(all, FOUND);
    let room = match shown {
        0 | 1 => 150,
        2 => 64,
        3 => 30,
        _ => 24,
    };
    for (at, d) in page.deciding.iter().take(shown).enumerate() {
        let name = if at == 0 { "決め手" } else { "" };
        let text = format!(" {}", cut(&d.text, room));
        screen.labelled(name, 2, &[(Ink::Number, short(&d.clause)), (Ink::Plain, &text)]);
        if all || shown <= 2 || at < 2 && shown <= 3 {
            without(d, if shown > 2 && !all { 1 } else { 2 }, screen);
        }
    }
    if shown == 0 && page.condition.is_empty() && page.before.is_some() {
        label(screen, "決め手", Ink::Dim, &page.nothing_decides());
    }
    let left = page.deciding.len() - shown;
    if left > 0 {
        screen.labelled("", 2, &[(Ink::Dim, &format!("ほかに{left}（--why で全部）"))]);
    }
}

/// What would be without a clause, in a line: so many of the things.
fn without(d: &Deciding, most: usize, screen: &mut Screen) {
    let text = match (&d.without[..], &d.note) {
        // With what it is compared stands below.
        ([], Some(note))
            if most == 1
                && let Some((twin, rest)) = note.split_once('（') =>
        {
            format!("{twin}{}", rest.rsplit_once('）').map_or("", |(_, rest)| rest))
        }
        ([], Some(note)) => note.clone(),
        ([], None) => return,
        (all, _) => {
            let more = if all.len() > most { format!("（ほか{}）", all.len() - most) } else { String::new() };
            format!("なければ、{}{more}", all.iter().take(most).map(|w| clip(w, 40)).collect::<Vec<_>>().join("、"))
        }
    };
    screen.labelled("", 2, &[(Ink::Dim, &text)]);
}

fn readings(page: &Page, screen: &mut Screen) {
    for by in &page.readings {
        let others: Vec<String> =
            by.others.iter().map(|o| format!("{} なら、{}", o.key, say::instead(&o.differences).join("、"))).collect();
        let text = format!("{}（{} と読んだ）。{}", by.reading, by.taken, cut(&others.join("。"), 90));
        label(screen, "読みによる", Ink::Warn, &text);
    }
}

/// A changed board beside the board as it is written.
fn compared(page: &Page, screen: &mut Screen) {
    if page.condition.is_empty() {
        return;
    }
    if page.differences.is_empty() {
        label(screen, "くらべる", Ink::Bold, "元の盤面と結果は変わりません");
        return;
    }
    label(screen, "くらべる", Ink::Warn, "元の盤面と結果が変わりました");
    for d in &page.differences {
        let word = |w: &Option<String>| w.clone().unwrap_or_else(|| "変わらない".into());
        screen.line(2, 2, &[(Ink::Bold, &d.name)]);
        screen.line(4, 4, &[(Ink::Dim, "元  "), (Ink::Plain, &word(&d.real))]);
        screen.line(4, 4, &[(Ink::Dim, "ここ "), (Ink::Plain, &word(&d.here))]);
    }
}

/// Whether the ruling holds.
fn verdict(page: &Page, scenario: &Scenario, screen: &mut Screen) {
    let good = page.passed.unwrap_or(true);
    match (page.verdict, good) {
        (Some(_), false) => label(screen, "裁定", Ink::Warn, "ファイルの言うとおりになりません"),
        (Some(verdict), true) => label(screen, "裁定", Ink::Plain, verdict.name()),
        (None, _) => {}
    }
    if let Some(reason) = &page.reason {
        label(screen, "理由", Ink::Plain, reason);
    }
    for note in &page.problems {
        label(screen, "手順", Ink::Warn, &scenario.problem(note).to_string());
    }
}

/// One line of the whole trace.
fn told(line: &Line, screen: &mut Screen) {
    let clause = line.clause.as_ref().map(|c| format!("〔{c}〕")).unwrap_or_default();
    let indent = line.depth.min(12) * 2;
    if line.told == crate::kernel::Told::Span {
        screen.line(indent, 2, &[(Ink::Number, &clause), (Ink::Dim, &line.text)]);
    } else {
        let text = format!(" {} ", line.text);
        screen.line(indent, 2, &[(Ink::Label, line.told.name()), (Ink::Plain, &text), (Ink::Dim, &clause)]);
    }
}

/// Before and after; what has changed is marked.
fn boards(page: &Page, screen: &mut Screen) {
    let (Some(before), Some(after)) = (&page.before, &page.after) else { return };
    let (before, after) = (before.lines(), after.lines());
    screen.blank();
    screen.line(0, 2, &[(Ink::Label, "始まり")]);
    before.iter().for_each(|line| screen.line(2, 4, &[(Ink::Plain, line)]));
    screen.blank();
    screen.line(0, 2, &[(Ink::Label, "終わり"), (Ink::Dim, "（＊は変わった所）")]);
    for line in &after {
        let new = !before.contains(line);
        let (mark, ink) = if new { ("＊", Ink::Bold) } else { ("", Ink::Plain) };
        screen.line(if new { 0 } else { 2 }, 4, &[(Ink::Warn, mark), (ink, line)]);
    }
}

/// As much of a text as there is room for, up to the end of a sentence where that is near.
fn cut(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_string();
    }
    let kept: String = text.chars().take(room).collect();
    match kept.rfind('。') {
        Some(at) if kept[..at].chars().count() * 2 > room => kept[..at + '。'.len_utf8()].to_string(),
        _ => kept + "…",
    }
}

/// As much of a text as there is room for; a bracket that is open is closed, and one whose first word has no room is
/// left out: half of a number is none.
fn clip(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_string();
    }
    let kept: String = text.chars().take(room).collect();
    match kept.rfind('（').filter(|at| !kept[*at..].contains('）')) {
        Some(at) if !kept[at..].contains(' ') => kept[..at].to_string(),
        Some(_) => kept + "…）",
        None => kept + "…",
    }
}

fn explore(scenario: &Scenario, ready: &Ready, as_json: bool, screen: &mut Screen) -> Done {
    let limit = scenario.file.explore.as_ref().and_then(|e| e.limit);
    scenario.anew();
    let (endings, runs) = or_fault(|| explore_all(ready, limit)).and_then(|found| found).map_err(Failure)?;
    if as_json {
        screen.json(&json!({"runs": runs, "endings": endings}));
        return Ok(Outcome::Found);
    }
    screen.line(0, 2, &[(Ink::Bold, &format!("結果は{}通り（{runs}回動かしました）", endings.len()))]);
    for (at, ending) in endings.iter().enumerate() {
        screen.blank();
        screen.line(0, 2, &[(Ink::Number, &format!("{}.", at + 1)), (Ink::Dim, &format!(" {}通り", ending.ways))]);
        for answer in &ending.answers {
            screen.line(2, 2, &[(Ink::Label, "選択 "), (Ink::Plain, answer)]);
        }
        for change in &ending.changes {
            screen.line(2, 2, &[(Ink::Plain, change)]);
        }
    }
    Ok(Outcome::Found)
}

#[cfg(test)]
mod tests;
