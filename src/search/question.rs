//! How what a person typed is understood: operators, slips of the keyboard, terms by any of their names, and what is
//! left to look for. The understanding is shown to the person, so every change made here is noted.

use std::collections::BTreeSet;

use crate::text::kana::{fold, is_hiragana, meaningful, normal};
use crate::text::lexicon::{Form, Lexicon, Via};
use crate::text::{Game, Kind, Library, Term, Words};

/// The longest query that is read; a question is not a document.
const LONGEST: usize = 300;

/// A quotation with more characters than this is the text of a card rather than a word.
const CARD_TEXT: usize = 9;

/// What stands behind a noun rather than inside a verb.
const PARTICLES: &str = "のはがをにでともへや";

/// Stands for a quotation while the rest is read; no text has it.
const MARK: char = '\u{f8ff}';

/// How much a game gains by having the typed words among its own terms.
const HOME: f32 = 2.5;

/// How much less a term tells for each other game that has it too.
const SHARED: f32 = 0.25;

/// What was typed, as it was understood.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    pub typed: String,
    /// What was read otherwise than typed: 「優先件」→「優先権」.
    pub notes: Vec<String>,
    /// What is looked for: normal text without operators and empty phrases.
    pub core: String,
    /// The core, folded and without blanks.
    pub whole: String,
    /// All that was typed, corrected and folded.
    pub said: String,
    /// The game that was named.
    pub game: Option<Game>,
    /// How likely each game is meant, where more than one is asked; 1 is indifferent.
    pub home: [f32; Game::ALL.len()],
    /// Must be found as they stand.
    pub phrases: Vec<String>,
    /// Card text inside a question: it weighs, it excludes nothing.
    pub cards: Vec<String>,
    /// Must not be found.
    pub without: Vec<String>,
    /// The things asked for; a clause that has them all comes before one that has some.
    pub units: Vec<Unit>,
    /// Glossary terms that were named.
    pub named: Vec<Named>,
    /// Kinds of clause that such a question is usually answered by.
    pub kinds: Vec<Kind>,
}

/// One thing asked for, and what else it may be called (all folded).
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    pub word: String,
    pub also: Vec<String>,
}

/// A term that the question names.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    pub game: Game,
    pub entry: Term,
    pub via: Via,
    /// The folded form that was typed.
    pub form: String,
    /// The question is this and nothing else.
    pub whole: bool,
}

/// The glossaries of the games that are asked.
type Lexicons = [(Game, Lexicon)];

/// Says whether a pair of characters occurs anywhere in the corpus.
pub type Occurs<'a> = &'a dyn Fn(&str) -> bool;

impl Question {
    /// Reads a query for the given games.
    pub fn read(typed: &str, library: &Library, games: &[Game], occurs: Occurs) -> Question {
        let words = library.words();
        let lexicons: Vec<(Game, Lexicon)> = games.iter().map(|g| (*g, library.shelf(*g).lexicon())).collect();
        let mut question = Question { typed: typed.to_string(), ..Question::default() };
        let mut text: String = normal(typed).chars().take(LONGEST).collect();
        if typed.chars().nth(LONGEST).is_some() {
            question.notes.push(format!("長いので、初めの{LONGEST}字を問い"));
        }
        question.hint(&text, words);
        text = question.operators(&text, words);
        text = without_likenings(text, words);
        text = question.slips(text, words);
        text = question.near_misses(text, library, &lexicons, occurs);
        let kept = without_stop_forms(&text, words);
        question.core = if fold(&kept).is_empty() { text.clone() } else { kept };
        question.whole = fold(&question.core).replace(' ', "");
        question.said = fold(&format!("{text} {}", question.cards.join(" ")));
        question.name_terms(library, &lexicons);
        question.units(words);
        question.say_slang();
        question.home = [1.0; Game::ALL.len()];
        if games.len() > 1 {
            question.find_home(&lexicons);
        }
        question
    }

    fn hint(&mut self, text: &str, words: &Words) {
        for hint in words.hints.iter().filter(|h| h.says.iter().any(|s| text.contains(s.as_str()))) {
            self.kinds.extend(hint.kinds.iter().filter(|k| !self.kinds.contains(k)).copied().collect::<Vec<_>>());
        }
    }

    /// Takes out -words and what is quoted; lone marks are no marks. A query that is quoted as a whole is a phrase; in
    /// a question, a short quotation is a word and a long one the text of a card.
    fn operators(&mut self, text: &str, words: &Words) -> String {
        let (mut rest, mut quoted) = (text.to_string(), Vec::new());
        for (open, close) in [('「', '」'), ('『', '』'), ('"', '"'), ('“', '”')] {
            while let Some((start, inner, end)) = between(&rest, open, close) {
                rest.replace_range(start..end, &format!(" {MARK}{} ", quoted.len()));
                quoted.push(inner);
            }
        }
        let mut kept: Vec<String> = Vec::new();
        for word in rest.split(' ').filter(|w| !w.is_empty()) {
            match word.strip_prefix('-').filter(|w| !fold(w).is_empty()) {
                Some(unwanted) => self.without.push(unwanted.to_string()),
                None => kept.push(word.to_string()),
            }
        }
        let place = |word: &str| word.strip_prefix(MARK).and_then(|n| quoted.get(n.parse::<usize>().ok()?));
        let whole = kept.iter().all(|w| place(w).is_some());
        let asks = kept.iter().any(|w| place(w).is_none() && !fold(&without_stop_forms(w, words)).is_empty());
        for word in &mut kept {
            let Some(inner) = place(word).cloned() else { continue };
            // The name of a card has no particle.
            let long = inner.chars().count() > CARD_TEXT
                && inner.contains(['を', 'が', 'に', 'は', 'で', '、', '。', ':', '+']);
            if !asks && whole && !fold(&inner).is_empty() {
                self.notes.push(format!("「{}」を決まった言葉", short(&inner)));
                self.phrases.push(inner.clone());
            } else if asks && long {
                self.notes.push(format!("「{}」をカードの文", short(&inner)));
                self.cards.push(inner.clone());
                word.clear();
                continue;
            }
            *word = inner;
        }
        kept.retain(|w| !w.is_empty());
        kept.join(" ")
    }

    /// A game is likely meant if the words that were typed are its own terms, the more the fewer games share them.
    fn find_home(&mut self, lexicons: &Lexicons) {
        let length = self.said.chars().count().max(1) as f32;
        let terms = |lexicon: &Lexicon| -> BTreeSet<&'static str> {
            let found = self.said.split(' ').flat_map(|word| longest_terms(word, *lexicon));
            found.filter(|f| f.via <= Via::Reading).map(|f| f.form).collect()
        };
        let own: Vec<(Game, BTreeSet<&str>)> = lexicons.iter().map(|(game, lexicon)| (*game, terms(lexicon))).collect();
        for (game, forms) in &own {
            let told = |form: &&str| {
                let others = own.iter().filter(|(g, f)| g != game && f.contains(*form)).count() as f32;
                form.chars().count() as f32 * (1.0 - SHARED * others)
            };
            let told: f32 = forms.iter().map(told).sum();
            self.home[game.index()] = 1.0 + HOME * (told / length).min(1.0);
        }
    }

    /// Common slips of conversion.
    fn slips(&mut self, mut text: String, words: &Words) -> String {
        for slip in &words.slips {
            if text.contains(&slip.typed) {
                text = text.replace(&slip.typed, &slip.meant);
                self.notes.push(format!("「{}」→「{}」", slip.typed, slip.meant));
            }
        }
        text
    }

    /// A run of kanji or katakana that stands nowhere, but differs from a term by one character, is that term.
    fn near_misses(&mut self, mut text: String, library: &Library, lexicons: &Lexicons, occurs: Occurs) -> String {
        // Whole compounds first: 「ペンデラム召喚」 is two runs but one word.
        for run in compounds(&text).into_iter().chain(runs(&text)) {
            if !text.contains(&run) {
                continue;
            }
            let folded = fold(&run);
            let length = folded.chars().count();
            let after = text.split_once(&run).and_then(|(_, rest)| rest.chars().next());
            if length < 3
                || ends_in_verb(&run, after)
                || known(lexicons, &folded)
                || pairs(&run).iter().all(|p| occurs(p))
            {
                continue;
            }
            let candidates = lexicons.iter().flat_map(|(game, lexicon)| lexicon.forms().map(move |form| (*game, form)));
            let near = candidates
                .filter(|(_, f)| f.via != Via::Slang && one_apart(f.form, &folded) && !is_stem(f.form, &folded))
                .min_by_key(|(_, f)| f.via);
            if let Some((game, form)) = near {
                let term = library.shelf(game).term(usize::from(form.term));
                let spelled = std::iter::once(&term.term).chain(&term.synonyms).find(|w| fold(w) == form.form);
                let meant = spelled.unwrap_or(&term.term);
                self.notes.push(format!("「{run}」→「{meant}」"));
                text = text.replace(&run, &normal(meant));
            }
        }
        text
    }

    /// The longest terms in the question, from left to right, in each game.
    fn name_terms(&mut self, library: &Library, lexicons: &Lexicons) {
        let folded = fold(&self.core);
        for (game, lexicon) in lexicons {
            let mut named: Vec<Form> = folded.split(' ').flat_map(|word| longest_terms(word, *lexicon)).collect();
            // 「ライフ ポイント」 typed apart is the term all the same.
            if !named.iter().any(|f| f.form == self.whole) {
                named.extend(lexicon.lookup(&self.whole));
            }
            self.named.extend(named.into_iter().map(|f| Named {
                game: *game,
                entry: library.shelf(*game).term(usize::from(f.term)),
                via: f.via,
                whole: f.form == self.whole,
                form: f.form.to_string(),
            }));
        }
    }

    /// What must be found: the words that were typed apart, or the terms and runs of a question in one piece.
    fn units(&mut self, words: &Words) {
        let fold_all = |group: &Vec<String>| group.iter().map(|w| fold(w)).collect();
        let synonyms: Vec<Vec<String>> = words.synonyms.iter().map(fold_all).collect();
        let apart: Vec<&str> = self.core.split(' ').filter(|w| !fold(w).is_empty()).collect();
        // Words that were typed apart are looked for as they are; a sentence is not.
        let pieces: Vec<String> = if apart.len() > 1 && apart.iter().all(|w| is_word(w)) {
            apart.into_iter().map(str::to_string).collect()
        } else {
            let mut pieces: Vec<String> = self.named.iter().map(|n| n.form.clone()).collect();
            pieces.extend(runs(&self.core));
            pieces.extend(stems(&self.core));
            // Everyday words that are nobody's term: 「やまふだがなくなったら」.
            let common = words.synonyms.iter().flatten().zip(synonyms.iter().flatten());
            let common = common.filter(|(w, folded)| w.chars().count() > 1 && self.whole.contains(folded.as_str()));
            let common = common.filter(|(w, folded)| folded.chars().count() > 2 || !w.chars().all(is_hiragana));
            pieces.extend(common.map(|(w, _)| w.clone()));
            pieces
        };
        let mut seen = Vec::new();
        for piece in pieces {
            let word = fold(&piece).replace(' ', "");
            if word.is_empty() || seen.contains(&word) || seen.iter().any(|s: &String| s.contains(&word)) {
                continue;
            }
            let mut also: Vec<String> = Vec::new();
            for named in self.named.iter().filter(|n| n.form == word) {
                let term = &named.entry;
                also.extend(std::iter::once(&term.term).chain(&term.synonyms).map(|w| fold(w).replace(' ', "")));
            }
            also.extend(synonyms.iter().filter(|g| g.contains(&word)).flatten().cloned());
            also.retain(|w| *w != word);
            also.sort();
            also.dedup();
            seen.push(word.clone());
            self.units.push(Unit { word, also });
        }
    }

    /// Players' words and readings are answered by the term; say so.
    fn say_slang(&mut self) {
        let mut said: Vec<String> = Vec::new();
        for named in &self.named {
            let right = self.named.iter().any(|n| n.form == named.form && n.via <= Via::Synonym);
            let term = named.entry.term.clone();
            if !right && fold(&term).replace(' ', "") != named.form && !said.contains(&term) && said.len() < 4 {
                said.push(term.clone());
                let typed = as_typed(&self.core, &named.form).unwrap_or(&named.form);
                self.notes.push(format!("「{typed}」→「{term}」"));
            }
        }
    }

    /// The texts to search for beside the core, each with its weight.
    pub fn expansions(&self) -> Vec<(String, f32)> {
        let mut out: Vec<(String, f32)> = Vec::new();
        for named in self.named.iter().filter(|n| n.via != Via::Term) {
            let term = named.entry.term.clone();
            let weight = match named.via {
                Via::Reading => 1.0,
                Via::Synonym => 0.8,
                _ => 0.6,
            };
            out.push((term, weight));
        }
        for unit in &self.units {
            out.extend(unit.also.iter().map(|w| (w.clone(), 0.2)));
        }
        out.extend(self.cards.iter().map(|card| (card.clone(), 0.75)));
        out.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        out.dedup_by(|a, b| a.0 == b.0);
        out
    }
}

/// The terms in a folded word, the longest at each place.
fn longest_terms(word: &str, lexicon: Lexicon) -> Vec<Form<'static>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(first) = word[at..].chars().next() {
        let meant = |found: &[Form]| found[0].form == word || trusted(found, word, at, at + found[0].form.len());
        let found = lexicon.longest(&word[at..], meant).unwrap_or_default();
        at += found.first().map_or(first.len_utf8(), |f| f.form.len());
        out.extend(found);
    }
    out
}

/// Whether a form inside a longer word is likely meant: one character is not, and kana need length and a border.
fn trusted(found: &[Form], word: &str, start: usize, end: usize) -> bool {
    let form = &word[start..end];
    let length = form.chars().count();
    let kana = form.chars().all(is_hiragana);
    let border = |c: Option<char>| c.is_none_or(|c| !is_hiragana(c));
    let bordered = border(word[..start].chars().next_back()) || border(word[end..].chars().next());
    match found.iter().map(|f| f.via).min() {
        Some(Via::Reading) => length >= 4,
        Some(_) if kana => length >= 4 || length == 3 && bordered,
        Some(_) => length >= 2,
        None => false,
    }
}

fn known(lexicons: &Lexicons, form: &str) -> bool {
    lexicons.iter().any(|(_, lexicon)| !lexicon.lookup(form).is_empty())
}

/// The first pair of marks with what stands between them.
fn between(text: &str, open: char, close: char) -> Option<(usize, String, usize)> {
    let start = text.find(open)?;
    let inner = start + open.len_utf8();
    let end = inner + text[inner..].find(close)?;
    Some((start, text[inner..end].to_string(), end + close.len_utf8()))
}

/// The part of a text that folds to a form.
fn as_typed<'a>(text: &'a str, form: &str) -> Option<&'a str> {
    let starts = text.char_indices().map(|(at, _)| at).filter(|&at| {
        let first = text[at..].chars().next().map(|c| fold(&c.to_string())).unwrap_or_default();
        !first.is_empty() && form.starts_with(&first)
    });
    starts.into_iter().find_map(|start| {
        let ends = text[start..].char_indices().map(|(at, c)| start + at + c.len_utf8());
        ends.take(form.chars().count() + 8).map(|end| &text[start..end]).find(|part| fold(part) == form)
    })
}

/// The beginning of a long quotation.
fn short(text: &str) -> String {
    let start: String = text.chars().take(12).collect();
    if start.len() < text.len() { start + "…" } else { start }
}

/// A game that is none of ours, named only to say what something is like, is not what is asked: 「MTGでいうタップ」.
fn without_likenings(mut text: String, words: &Words) -> String {
    for name in words.others.iter().map(|name| normal(name)).filter(|name| text.contains(name)).collect::<Vec<_>>() {
        for like in &words.like {
            text = text.replace(&format!("{name}{like}"), " ");
        }
    }
    text
}

fn without_stop_forms(text: &str, words: &Words) -> String {
    let mut out = text.replace(['?', '？', '!', '！', '。', '、'], " ");
    for stop in &words.stop {
        out = out.replace(stop.as_str(), " ");
    }
    out.split(' ').filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Runs of kanji, of katakana and of letters.
fn runs(text: &str) -> Vec<String> {
    #[derive(PartialEq)]
    enum Script {
        Kanji,
        Katakana,
        Letter,
        Other,
    }
    let script = |c: char| match c {
        '一'..='龥' | '々' | '〇' => Script::Kanji,
        'ァ'..='ヶ' | 'ー' => Script::Katakana,
        c if c.is_ascii_alphanumeric() => Script::Letter,
        _ => Script::Other,
    };
    let chars: Vec<char> = text.chars().collect();
    chars
        .chunk_by(|a, b| script(*a) == script(*b))
        .filter(|run| script(run[0]) != Script::Other && run.len() > 1)
        .map(|run| run.iter().collect())
        .collect()
}

/// Has no particle in it, as far as one can see.
fn is_word(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let changes = chars.windows(2).filter(|w| is_hiragana(w[0]) && !is_hiragana(w[1])).count();
    chars.iter().all(|c| is_hiragana(*c)) && chars.len() <= 6
        || changes == 0 && chars.iter().filter(|c| is_hiragana(**c)).count() <= 2
}

/// The kanji with which verbs begin: 「払う」.
fn stems(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let kanji = |c: char| matches!(c, '一'..='龥');
    let stem = |at: usize| {
        let before = at.checked_sub(1).is_none_or(|i| !kanji(chars[i]));
        let after = chars.get(at + 1).is_some_and(|c| is_hiragana(*c) && !PARTICLES.contains(*c));
        (kanji(chars[at]) && before && after).then(|| chars[at].to_string())
    };
    (0..chars.len()).filter_map(stem).collect()
}

/// Runs of anything but hiragana and punctuation.
fn compounds(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| is_hiragana(c) || !meaningful(c));
    parts.filter(|part| part.chars().count() > 2).map(str::to_string).collect()
}

fn pairs(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars.windows(2).map(|w| w.iter().collect()).collect()
}

/// One character replaced, dropped, added, or two neighbours swapped.
fn one_apart(a: &str, b: &str) -> bool {
    let same: usize = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum();
    let (a, b) = (&a[same..], &b[same..]);
    let (mut x, mut y) = (a.chars(), b.chars());
    let swapped = match (x.next(), x.next(), y.next(), y.next()) {
        (Some(x1), Some(x2), Some(y1), Some(y2)) => x1 == y2 && x2 == y1 && x.as_str() == y.as_str(),
        _ => false,
    };
    let (next_a, next_b) = (after_first(a), after_first(b));
    let replaced = next_a.is_some() && next_a == next_b;
    replaced || swapped || next_a == Some(b) || next_b == Some(a)
}

/// A term and the kanji of another word beside it, as in 「クイック使う」, are no misspelt term.
fn is_stem(term: &str, run: &str) -> bool {
    let rest = run.strip_prefix(term).or_else(|| run.strip_suffix(term));
    rest.is_some_and(|rest| rest.chars().all(|c| matches!(c, '一'..='龥')))
}

/// 「カード使」 before 「う」 is a word with a verb behind it.
fn ends_in_verb(run: &str, after: Option<char>) -> bool {
    let kanji = |c: char| matches!(c, '一'..='龥');
    let mut back = run.chars().rev();
    let stem = back.next().is_some_and(kanji) && !back.next().is_some_and(kanji);
    stem && after.is_some_and(|c| is_hiragana(c) && !PARTICLES.contains(c))
}

fn after_first(text: &str) -> Option<&str> {
    text.chars().next().map(|first| &text[first.len_utf8()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_character_apart() {
        for (a, b, apart) in [
            ("優先件", "優先権", true),
            ("ぺんでらむ", "ぺんでゆらむ", true),
            ("すたくつ", "すたつく", true),
            ("優先権", "優先権", false),
            ("対象", "手札", false),
            ("あい", "あいうえ", false),
        ] {
            assert_eq!(one_apart(a, b), apart, "{a} {b}");
        }
    }

    #[test]
    fn verbs_end_no_terms() {
        assert!(ends_in_verb("カード使", Some('う')));
        assert!(!ends_in_verb("カード使", Some('を')) && !ends_in_verb("カード名", None));
        assert!(!ends_in_verb("ペンデラム召喚", Some('す')));
    }

    #[test]
    fn scripts_run_apart() {
        assert_eq!(runs("手札を2枚捨てるプレイヤーとDEF"), ["手札", "枚捨", "プレイヤー", "DEF"]);
    }
}
