//! `saitei term`: the glossary, by any word that leads to a term.

use serde_json::json;

use crate::text::kana::{fold, normal};
use crate::text::lexicon::Via;
use crate::text::{Game, Id, Library, Shelf, Term as Entry};

use super::print::complain;
use super::screen::{Ink, Screen};
use super::{Common, Done, Outcome, cite, complete, open};
use crate::text::node::plain;

/// 用語を引く（読み、別の書き方、プレイヤーの言い方でも）
#[derive(clap::Args)]
pub struct Term {
    /// 用語、その読み、または一部
    #[arg(required = true, value_name = "言葉", add = complete::terms())]
    word: Vec<String>,
    /// このゲームだけ
    #[arg(long, short, value_name = "ゲーム", add = complete::games())]
    game: Option<String>,
    /// チャットや報告に貼る形で出す
    #[arg(long)]
    cite: bool,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

impl Term {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let library = open::library(common)?;
        let chosen = self.game.as_deref().map(super::toc::named).transpose()?;
        let typed = self.word.join(" ");
        let (game, word) = match Game::spoken(&normal(&typed)) {
            Some((game, rest)) if chosen.is_none_or(|chosen| chosen == game) => (Some(game), rest),
            _ => (chosen, typed),
        };
        let mut found: Vec<(Option<Via>, &Shelf, &Entry)> = Vec::new();
        for game in open::games().into_iter().filter(|g| game.is_none_or(|only| only == *g)) {
            let shelf = library.shelf(game);
            found.extend(matches(shelf, &word).into_iter().map(|(via, term)| (via, shelf, term)));
        }
        // Parts of words are shown only when nothing is called so.
        if found.iter().any(|(via, ..)| via.is_some()) {
            found.retain(|(via, ..)| via.is_some());
        }
        found.sort_by_key(|(via, _, term)| (via.is_none(), *via, via.map_or(term.term.chars().count(), |_| 0)));
        if self.json {
            let one = |(via, shelf, term): &(Option<Via>, &Shelf, &Entry)| match self.cite {
                true => cite::term(shelf, term).json(),
                false => value(*via, shelf, term),
            };
            screen.json(&json!(found.iter().map(one).collect::<Vec<_>>()));
        } else if found.is_empty() {
            let near = nearest(&library, &word);
            let near = if near.is_empty() { String::new() } else { format!("。近い用語: {}", near.join("、")) };
            complain(&format!("「{word}」に当たる用語はありません{near}"));
        } else {
            for (i, (via, shelf, term)) in found.iter().enumerate() {
                if i > 0 {
                    screen.blank();
                }
                if self.cite {
                    screen.raw(&cite::term(shelf, term).text);
                } else {
                    print(*via, shelf, term, screen);
                }
            }
        }
        Ok(if found.is_empty() { Outcome::None } else { Outcome::Found })
    }
}

/// The terms that a word leads to, each once and by the nearest way; `None` where the word is only a part.
fn matches<'a>(shelf: &'a Shelf, word: &str) -> Vec<(Option<Via>, &'a Entry)> {
    let wanted = fold(word).replace(' ', "");
    let mut found: Vec<(Option<Via>, usize)> = Vec::new();
    for form in shelf.lexicon().forms() {
        let via = if form.form == wanted {
            Some(form.via)
        } else if !wanted.is_empty() && form.form.contains(&wanted) {
            None
        } else {
            continue;
        };
        match found.iter_mut().find(|(_, term)| *term == usize::from(form.term)) {
            Some((known, _)) if known.is_none() || via.is_some_and(|v| Some(v) < *known) => *known = via.or(*known),
            Some(_) => {}
            None => found.push((via, usize::from(form.term))),
        }
    }
    found.into_iter().map(|(via, term)| (via, &shelf.terms()[term])).collect()
}

/// Terms that share most of their characters with the word.
pub fn nearest(library: &Library, word: &str) -> Vec<String> {
    let pairs = |text: &str| {
        let chars: Vec<char> = text.chars().collect();
        chars.windows(2).map(|w| (w[0], w[1])).collect::<Vec<_>>()
    };
    let mine: Vec<(char, char)> = pairs(&fold(word)).into_iter().take(200).collect();
    let mut scored: Vec<(usize, &str)> = Vec::new();
    for shelf in library.shelves() {
        for form in shelf.lexicon().forms() {
            let theirs = pairs(form.form);
            let score = theirs.iter().filter(|p| mine.contains(p)).count() * 100 / (theirs.len() + 2);
            let term = shelf.terms()[usize::from(form.term)].term.as_str();
            match scored.iter_mut().find(|(_, known)| *known == term) {
                Some((known, _)) => *known = (*known).max(score),
                None if score > 0 => scored.push((score, term)),
                None => {}
            }
        }
    }
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().take(4).map(|(_, term)| term.to_string()).collect()
}

fn print(via: Option<Via>, shelf: &Shelf, term: &Entry, screen: &mut Screen) {
    let how = match via {
        Some(Via::Slang) => "（プレイヤーの言い方から）",
        Some(Via::Synonym) => "（別の書き方から）",
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
        screen.line(2, 4, &[(Ink::Warn, &plain(note))]);
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
    let text = node.text.as_deref().map(plain).unwrap_or_else(|| title.to_string());
    screen.line(2, 4, &[(Ink::Number, id.clause.as_str()), (Ink::Plain, &format!(" {text}"))]);
}

fn value(via: Option<Via>, shelf: &Shelf, term: &Entry) -> serde_json::Value {
    let via = match via {
        Some(Via::Term) => "term",
        Some(Via::Synonym) => "synonym",
        Some(Via::Reading) => "reading",
        Some(Via::Slang) => "slang",
        None => "part",
    };
    let mut value = json!(term);
    value["game"] = json!(shelf.game.code());
    value["via"] = json!(via);
    value
}
