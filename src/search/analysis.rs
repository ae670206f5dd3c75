//! How text becomes terms: one set of functions for index and query alike.
//!
//! No dictionary: rule texts are short, and their words are compounds that no tokenizer cuts alike. Character grams
//! find half a compound, words give whole ones more weight, and folded grams forgive spelling.

use icu_segmenter::WordSegmenter;
use icu_segmenter::options::WordBreakInvariantOptions;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::text::kana::{fold, is_hiragana, meaningful, normal};

/// Part of the name of every cached index: raise it when any of these functions changes its answers, or what is kept.
pub const VERSION: u32 = 6;

/// Runs of meaningful characters of a normal text.
pub fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !meaningful(c)).filter(|run| !run.is_empty())
}

/// One and two characters at a time. Single hiragana are in every sentence and left out.
pub fn grams(text: &str) -> Vec<String> {
    let text = normal(text);
    let mut out = Vec::new();
    for run in runs(&text) {
        let chars: Vec<char> = run.chars().collect();
        out.extend(chars.iter().filter(|c| !is_hiragana(**c)).map(|c| c.to_string()));
        out.extend(chars.windows(2).filter(|w| !w.iter().all(|c| is_particle(*c))).map(|w| w.iter().collect()));
    }
    out
}

/// Words as ICU cuts them, hiragana words of one or two characters left out.
pub fn words(text: &str) -> Vec<String> {
    let text = normal(text);
    let segmenter = WordSegmenter::new_auto(WordBreakInvariantOptions::default());
    let breaks: Vec<usize> = segmenter.segment_str(&text).collect();
    let cut = breaks.windows(2).map(|w| &text[w[0]..w[1]]);
    let dull = |word: &&str| !word.chars().any(meaningful) || word.chars().count() < 3 && word.chars().all(is_hiragana);
    cut.filter(|w| !dull(w)).map(str::to_string).collect()
}

/// Two characters at a time of the folded text: kana, width, long vowels and small kana do not tell words apart.
pub fn folded(text: &str) -> Vec<String> {
    let text = fold(text);
    let mut out = Vec::new();
    for run in text.split(' ').filter(|run| !run.is_empty()) {
        let chars: Vec<char> = run.chars().collect();
        if let [one] = chars.as_slice() {
            out.push(one.to_string());
        }
        out.extend(chars.windows(2).map(|w| w.iter().collect::<String>()));
    }
    out
}

/// Hiragana that are particles or inflection more often than not.
fn is_particle(c: char) -> bool {
    "はがをにでとのもへやかしてたれるすいなまさ".contains(c)
}

/// Which of the analyses a field uses; registered with tantivy under its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Analysis {
    Grams,
    Words,
    Folded,
}

impl Analysis {
    pub const ALL: [Analysis; 3] = [Analysis::Grams, Analysis::Words, Analysis::Folded];

    pub fn name(self) -> &'static str {
        match self {
            Analysis::Grams => "grams",
            Analysis::Words => "words",
            Analysis::Folded => "folded",
        }
    }

    pub fn terms(self, text: &str) -> Vec<String> {
        match self {
            Analysis::Grams => grams(text),
            Analysis::Words => words(text),
            Analysis::Folded => folded(text),
        }
    }
}

impl Tokenizer for Analysis {
    type TokenStream<'a> = Terms;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Terms {
        Terms { left: self.terms(text).into_iter(), token: Token::default() }
    }
}

/// Terms handed to tantivy one by one. Offsets are not kept: snippets are found in the text itself.
pub struct Terms {
    left: std::vec::IntoIter<String>,
    token: Token,
}

impl TokenStream for Terms {
    fn advance(&mut self) -> bool {
        let Some(text) = self.left.next() else { return false };
        self.token.text = text;
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Phrases of the five games, as each analysis sees them.
    #[test]
    fn golden_phrases() {
        assert_eq!(grams("優先権を得た"), ["優", "先", "権", "得", "優先", "先権", "権を", "を得", "得た"]);
        assert_eq!(words("起動型能力をプレイできる"), ["起動", "型", "能力", "プレイ", "できる"]);
        assert_eq!(words("ダメージステップ開始時"), ["ダメージステップ", "開始", "時"]);
        assert_eq!(words("フォースゾーンに置かれたゼクス"), ["フォースゾーン", "置", "ゼクス"]);
        assert_eq!(folded("ゼクスオーバーブースト").concat(), "ぜくくすすおおばばぶぶすすと");
        assert_eq!(folded("2.20.1"), ["2", "20", "1"]);
    }
}
