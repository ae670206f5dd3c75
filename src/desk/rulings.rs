//! The rulings: by their id, the example they reproduce, the clauses that decide them, or words.

use unicode_normalization::UnicodeNormalization;

use crate::text::alike::pairs;
use crate::text::kana::{fold, is_hiragana};
use crate::text::{Game, Id, Library, Ruling, query};

/// How a ruling is asked for: its id, or else its example, or else its file.
pub fn name(ruling: &Ruling) -> String {
    match (&ruling.id[..], &ruling.example) {
        ("", Some(example)) => example.clone(),
        ("", None) => ruling.path.clone(),
        (id, _) => id.to_string(),
    }
}

/// All of a game, or of all games.
pub fn all(library: &Library, game: Option<Game>) -> Vec<Ruling> {
    let shelves = library.shelves().filter(|s| game.is_none_or(|g| g == s.game));
    shelves.flat_map(|s| s.rulings()).collect()
}

/// Those that a person means by what was typed: an id, an example, a clause.
pub fn named(library: &Library, typed: &str) -> Vec<Ruling> {
    let found = by_id(library, typed);
    if !found.is_empty() {
        return found;
    }
    let found = by_example(library, typed);
    if found.is_empty() { by_clause(library, typed) } else { found }
}

/// `zx:R12`, `zx R12`, `r12`.
pub fn by_id(library: &Library, typed: &str) -> Vec<Ruling> {
    let (game, rest) = split(typed);
    let Some(number) = rest.strip_prefix('r').and_then(|n| n.parse::<u32>().ok()) else { return Vec::new() };
    let wanted = format!(":R{number}");
    all(library, game).into_iter().filter(|r| r.id.ends_with(&wanted)).collect()
}

/// `dz:3.12.4-1#1` and `3.12.4-1#1` mean the same.
fn by_example(library: &Library, typed: &str) -> Vec<Ruling> {
    let (game, rest) = split(typed);
    let same = |r: &Ruling| {
        r.example.as_ref().and_then(|e| e.split_once(':')).is_some_and(|(_, e)| e.eq_ignore_ascii_case(&rest))
    };
    all(library, game).into_iter().filter(same).collect()
}

/// Those that a clause decides, or one below it.
pub fn by_clause(library: &Library, typed: &str) -> Vec<Ruling> {
    let mut found: Vec<Ruling> = Vec::new();
    for item in query::read(typed).unwrap_or_default() {
        for shelf in library.shelves().filter(|s| item.game.is_none_or(|g| g == s.game)) {
            for index in query::find(shelf, &item) {
                for ruling in of_section(library, shelf.game, index) {
                    if !found.iter().any(|r| r.path == ruling.path) {
                        found.push(ruling);
                    }
                }
            }
        }
    }
    found
}

/// Those of a clause and of all below it, in the order of the document.
pub fn of_section(library: &Library, game: Game, index: usize) -> Vec<Ruling> {
    let shelf = library.shelf(game);
    let mut found: Vec<Ruling> = Vec::new();
    for ruling in shelf.tree(index).into_iter().flat_map(|i| shelf.rulings_of(i)) {
        if !found.iter().any(|r| r.path == ruling.path) {
            found.push(ruling);
        }
    }
    found
}

/// Those in whose title or question all the words stand.
pub fn by_words(library: &Library, game: Option<Game>, words: &str) -> Vec<Ruling> {
    let words: Vec<String> = words.split_whitespace().map(fold).collect();
    let says = |r: &Ruling| {
        let text = fold(&format!("{} {} {}", r.title, r.question.as_deref().unwrap_or_default(), r.path));
        words.iter().all(|w| text.contains(w.as_str()))
    };
    all(library, game).into_iter().filter(says).collect()
}

/// How alike a ruling must be to what was asked: where a clause that decides it is among the first that were found,
/// and where only the words speak for it. Measured on `tests/gold` and `tests/desk/asked.tsv`.
const ALIKE: f32 = 0.25;
const ALIKE_ALONE: f32 = 0.45;
/// How many of the clauses that were found count, how much more a ruling does that one of them decides, by its place,
/// and how many rulings are shown.
const FIRST: usize = 3;
const DECIDES: [f32; FIRST] = [1.5, 1.25, 1.1];
const SHOWN: usize = 2;

/// The rulings that answer a question, the best first. `hits`: the clauses that were found for it, best first. Who types
/// a word or two looks for a term, not for a ruling.
pub fn answering(library: &Library, games: &[Game], asked: &str, hits: &[Id]) -> Vec<Ruling> {
    let is_question = asked.trim().contains([' ', '　']) || asked.chars().filter(|c| is_hiragana(*c)).count() > 2;
    let wanted = pairs(asked);
    if !is_question || wanted.len() < 3 {
        return Vec::new();
    }
    let first: Vec<String> = hits.iter().take(FIRST).map(ToString::to_string).collect();
    let mut found: Vec<(f32, Ruling)> = Vec::new();
    for shelf in library.shelves().filter(|s| games.contains(&s.game)) {
        for (place, alike) in shelf.alike().to(&wanted).into_iter().filter(|(_, alike)| *alike >= ALIKE) {
            let ruling = shelf.ruling(place);
            let decides = ruling.why.iter().filter_map(|id| first.iter().position(|hit| hit == id)).min();
            if alike >= ALIKE_ALONE || decides.is_some() {
                found.push((alike * decides.map_or(1.0, |at| DECIDES[at]), ruling));
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().take(SHOWN).map(|(_, ruling)| ruling).collect()
}

/// The clauses that decide, without the game's code.
pub fn why(ruling: &Ruling) -> Vec<String> {
    ruling.why.iter().filter_map(|id| id.parse::<Id>().ok()).map(|id| id.clause.to_string()).collect()
}

/// The game that is named before the rest, and the rest in small letters.
fn split(typed: &str) -> (Option<Game>, String) {
    let small = typed.nfkc().collect::<String>().trim().to_lowercase();
    match Game::prefix(&small) {
        Some((game, rest)) => (Some(game), rest.trim_start_matches([' ', ':']).to_string()),
        None => (None, small),
    }
}
