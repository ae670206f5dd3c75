//! `saitei term`: the glossary, by any word that leads to a term.

use serde_json::json;
use unicode_normalization::UnicodeNormalization;

use crate::text::{Id, Shelf, Term as Entry};

use super::screen::{Ink, Screen};
use super::show::show_references;
use super::{Common, Done, Outcome, complete, open};

/// 用語を引く（読み、別の書き方、プレイヤーの言い方でも）
#[derive(clap::Args)]
pub struct Term {
    /// 用語、その読み、または一部
    #[arg(required = true, value_name = "言葉", add = complete::terms())]
    word: Vec<String>,
    /// このゲームだけ
    #[arg(long, short, value_name = "ゲーム", add = complete::games())]
    game: Option<String>,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

/// How a word leads to a term; the nearer, the earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Via {
    Term,
    Synonym,
    Reading,
    Slang,
    /// The word is the beginning or a part of one of them.
    Part,
}

impl Term {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let library = open::library(common)?;
        let game = self.game.as_deref().map(super::toc::named).transpose()?;
        let word = self.word.join(" ");
        let wanted = fold(&word);
        let mut found: Vec<(Via, &Shelf, &Entry)> = Vec::new();
        for game in open::games().into_iter().filter(|g| game.is_none_or(|only| only == *g)) {
            let shelf = library.shelf(game);
            found.extend(shelf.terms().iter().filter_map(|term| Some((via(term, &wanted)?, shelf, term))));
        }
        let best = found.iter().map(|(via, ..)| *via).min();
        // Parts of words are shown only when nothing is called so.
        if best.is_some_and(|best| best < Via::Part) {
            found.retain(|(via, ..)| *via < Via::Part);
        }
        found.sort_by_key(|(via, _, term)| (*via, if *via == Via::Part { term.term.chars().count() } else { 0 }));
        if self.json {
            let values: Vec<_> = found.iter().map(|(via, shelf, term)| value(*via, shelf, term)).collect();
            screen.json(&json!(values));
        } else if found.is_empty() {
            eprintln!("saitei: 「{word}」に当たる用語はありません{}", nearest(&library, &wanted));
        } else {
            for (i, (via, shelf, term)) in found.iter().enumerate() {
                if i > 0 {
                    screen.blank();
                }
                print(*via, shelf, term, screen);
            }
        }
        Ok(if found.is_empty() { Outcome::None } else { Outcome::Found })
    }
}

/// Width, case, katakana, long vowels and middle dots do not tell words apart.
pub fn fold(word: &str) -> String {
    let kana = |c: char| match c {
        'ァ'..='ヶ' => char::from_u32(c as u32 - 0x60).unwrap_or(c),
        c => c,
    };
    word.nfkc()
        .filter(|c| !c.is_whitespace() && !matches!(c, 'ー' | '・' | '-'))
        .map(kana)
        .collect::<String>()
        .to_lowercase()
}

fn via(term: &Entry, wanted: &str) -> Option<Via> {
    let is = |word: &String| fold(word) == wanted;
    let in_part = |word: &String| !wanted.is_empty() && fold(word).contains(wanted);
    if is(&term.term) {
        Some(Via::Term)
    } else if term.synonyms.iter().any(is) {
        Some(Via::Synonym)
    } else if is(&term.reading) {
        Some(Via::Reading)
    } else if term.slang.iter().any(is) {
        Some(Via::Slang)
    } else if [&term.term, &term.reading].into_iter().chain(&term.synonyms).chain(&term.slang).any(in_part) {
        Some(Via::Part)
    } else {
        None
    }
}

/// Terms that share most of their reading with the word.
fn nearest(library: &crate::text::Library, wanted: &str) -> String {
    let pairs = |text: &str| {
        let chars: Vec<char> = text.chars().collect();
        chars.windows(2).map(|w| (w[0], w[1])).collect::<Vec<_>>()
    };
    let mine = pairs(wanted);
    let mut scored: Vec<(usize, String)> = Vec::new();
    for term in library.shelves().flat_map(Shelf::terms) {
        let score = [fold(&term.term), fold(&term.reading)]
            .iter()
            .map(|word| pairs(word).iter().filter(|p| mine.contains(p)).count() * 100 / (word.chars().count() + 2))
            .max()
            .unwrap_or(0);
        if score > 0 && !scored.iter().any(|(_, t)| *t == term.term) {
            scored.push((score, term.term.clone()));
        }
    }
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let near: Vec<String> = scored.into_iter().take(4).map(|(_, term)| term).collect();
    if near.is_empty() { String::new() } else { format!("。近い用語: {}", near.join("、")) }
}

fn print(via: Via, shelf: &Shelf, term: &Entry, screen: &mut Screen) {
    let how = match via {
        Via::Slang => "（プレイヤーの言い方から）",
        Via::Synonym => "（別の書き方から）",
        _ => "",
    };
    screen.line(
        0,
        2,
        &[
            (Ink::Bold, &term.term),
            (Ink::Plain, &format!("（{}）", term.reading)),
            (Ink::Dim, &format!(" {}{how}", shelf.game.name())),
        ],
    );
    for (label, words) in [("別の書き方", &term.synonyms), ("プレイヤーの言い方（非公式）", &term.slang)]
    {
        if !words.is_empty() {
            screen.line(2, 4, &[(Ink::Label, label), (Ink::Plain, &format!(": {}", words.join("、")))]);
        }
    }
    if term.undefined {
        screen.line(2, 4, &[(Ink::Warn, "文書に定義はない。")]);
    }
    if let Some(note) = &term.note {
        screen.line(2, 4, &[(Ink::Warn, &show_references(note))]);
    }
    for id in &term.defined {
        print_clause(shelf, id, screen);
    }
    if !term.see.is_empty() {
        let see: Vec<&str> = term.see.iter().map(|id| id.clause.as_str()).collect();
        screen.line(2, 4, &[(Ink::Label, "関連"), (Ink::Plain, &format!(": {}", see.join("、")))]);
    }
}

/// The defining clause; a heading stands for what is below it.
fn print_clause(shelf: &Shelf, id: &Id, screen: &mut Screen) {
    let Some(index) = shelf.position(&id.clause) else { return };
    let node = shelf.node(index);
    let title = node.title.as_deref().unwrap_or_default();
    let text = node.text.as_deref().map(show_references).unwrap_or_else(|| title.to_string());
    screen.line(2, 4, &[(Ink::Number, id.clause.as_str()), (Ink::Plain, &format!(" {text}"))]);
}

fn value(via: Via, shelf: &Shelf, term: &Entry) -> serde_json::Value {
    let via = match via {
        Via::Term => "term",
        Via::Synonym => "synonym",
        Via::Reading => "reading",
        Via::Slang => "slang",
        Via::Part => "part",
    };
    let mut value = json!(term);
    value["game"] = json!(shelf.game.code());
    value["via"] = json!(via);
    value
}
