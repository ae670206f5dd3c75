//! Terms, by any word that leads to them.

use serde_json::{Value, json};

use crate::text::kana::fold;
use crate::text::lexicon::Via;
use crate::text::{Game, Library, Shelf, Term};

/// A term, and how a word led to it; `None` where the word is only a part.
pub type Led<'a> = (Option<Via>, &'a Shelf, &'a Term);

/// The terms of the games that a word leads to, the nearest first. Parts of words are shown only when nothing is
/// called so.
pub fn find<'a>(library: &'a Library, games: &[Game], word: &str) -> Vec<Led<'a>> {
    let mut found: Vec<Led> = Vec::new();
    for shelf in games.iter().map(|g| library.shelf(*g)) {
        found.extend(matches(shelf, word).into_iter().map(|(via, term)| (via, shelf, term)));
    }
    if found.iter().any(|(via, ..)| via.is_some()) {
        found.retain(|(via, ..)| via.is_some());
    }
    found.sort_by_key(|(via, _, term)| (via.is_none(), *via, via.map_or(term.term.chars().count(), |_| 0)));
    found
}

/// The terms that a word leads to, each once and by the nearest way; `None` where the word is only a part.
fn matches<'a>(shelf: &'a Shelf, word: &str) -> Vec<(Option<Via>, &'a Term)> {
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

/// The term as programs read it.
pub fn json(via: Option<Via>, shelf: &Shelf, term: &Term) -> Value {
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
