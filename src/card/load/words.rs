//! Single words: whether the game or the language has them, and what else may have been meant.

use crate::card::{Card, DataKind, Vocabulary, Word};
use crate::text::yaml::{Placed, Problem};

/// Words that stand for a card everywhere.
pub const CARDS: [&str; 6] = ["this", "event", "source", "host", "moved", "about"];
/// What the step before has moved.
pub const MOVED: &str = "moved";
/// Words that stand for a player.
const PLAYERS: [&str; 5] = ["自分", "相手", "持ち主", "active", "player"];

/// The walk over one card.
pub struct Check<'a> {
    pub words: &'a Vocabulary,
    pub card: &'a Placed<Card>,
    /// Slots and variables filled so far in this ability.
    pub slots: Vec<Word>,
    /// Slots that the effects of the card before this one have filled, where a card's effects are one text.
    pub told: Vec<Word>,
    /// Slots that hold a player.
    pub seats: Vec<Word>,
    /// Slots that choosing fills.
    pub picked: Vec<Word>,
    /// Slots among whose things a number is divided.
    pub divided: Vec<Word>,
    /// Names of optional costs, and where `paid` asks for one: an ability may ask before another names it.
    pub ways: Vec<Word>,
    pub paid: Vec<Word>,
    /// The number that is looked at is for each card.
    pub each: bool,
    pub problems: Vec<Problem>,
}

impl<'a> Check<'a> {
    pub fn new(words: &'a Vocabulary, card: &'a Placed<Card>) -> Check<'a> {
        Check {
            words,
            card,
            slots: Vec::new(),
            told: Vec::new(),
            seats: Vec::new(),
            picked: Vec::new(),
            divided: Vec::new(),
            ways: Vec::new(),
            paid: Vec::new(),
            each: false,
            problems: Vec::new(),
        }
    }
}

impl Check<'_> {
    pub fn wrong(&mut self, what: &str, message: String) {
        let problem = self.card.problem(what, message);
        // The same mistake twice in a card is found at the same place.
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// A word like 「～カウンター」 in the list stands for every word that ends so.
    pub fn one_of(&mut self, word: Word, kind: &str, right: &[&str]) {
        let ends = |end: &str| word.len() > end.len() && word.ends_with(end);
        if !right.iter().any(|right| word == *right || right.strip_prefix('～').is_some_and(ends)) {
            self.wrong(&word, format!("「{word}」という{kind}はありません（{}）", candidates(&word, right)));
        }
    }

    /// A marker or counter; some games let every text name its own.
    pub fn marker(&mut self, word: Word) {
        if !self.words.speaks.contains(&"カウンター名") {
            self.one_of(word, "マーカー", self.words.markers);
        }
    }

    pub fn player(&mut self, word: Option<Word>) {
        let Some(word) = word else { return };
        let chosen = self.seats.iter().filter(|slot| self.slots.contains(slot)).map(|slot| slot.as_str());
        let known: Vec<&str> = PLAYERS.into_iter().chain(chosen).collect();
        self.one_of(word, "プレイヤーの言い方", &known);
    }

    /// A card or thing: one of the fixed words or a slot.
    pub fn thing(&mut self, word: Word) {
        if word == MOVED && !self.slots.contains(&word) {
            let text = "「moved」より前に、カードを動かす手順（move・create・act）がありません";
            return self.wrong(MOVED, text.into());
        }
        let known: Vec<&str> = CARDS.into_iter().chain(self.slots.iter().map(|slot| slot.as_str())).collect();
        self.one_of(word, "カードの言い方やスロット", &known);
    }

    /// The same, or, in a number that each card has for itself, that card.
    pub fn thing_or_it(&mut self, word: Word) {
        if !(self.each && word == crate::card::IT) {
            self.thing(word);
        }
    }

    pub fn things(&mut self, words: &[Word]) {
        words.iter().for_each(|word| self.thing(*word));
    }

    pub fn slot(&mut self, word: Word) {
        let known: Vec<&str> = self.slots.iter().map(|slot| slot.as_str()).collect();
        self.one_of(word, "スロットや変数", &known);
    }

    /// A place, or a slot that holds one.
    pub fn place(&mut self, word: Word) {
        if !self.slots.contains(&word) {
            self.one_of(word, "場所やスロット", self.words.places);
        }
    }

    pub fn places(&mut self, words: &[Word]) {
        words.iter().for_each(|word| self.place(*word));
    }

    pub fn state(&mut self, word: Option<Word>) {
        word.into_iter().for_each(|word| self.one_of(word, "状態", self.words.states));
    }

    pub fn until(&mut self, word: Option<Word>) {
        word.into_iter().for_each(|word| self.one_of(word, "期限", self.words.untils));
    }

    /// Words that a datum may have: closed lists are closed.
    pub fn word_of(&mut self, key: Word, words: &[Word]) {
        if words.is_empty() {
            return;
        }
        self.datum(key, &[DataKind::Words]);
        let Some((_, right)) = self.words.values.iter().find(|(name, _)| *name == key.as_str()) else { return };
        let unknown: Vec<Word> = words.iter().filter(|word| !self.slots.contains(word)).copied().collect();
        unknown.into_iter().for_each(|word| self.one_of(word, key.as_str(), right));
    }

    /// A datum of one of these kinds.
    pub fn datum(&mut self, key: Word, kinds: &[DataKind]) {
        let Some((_, kind)) = self.words.data.iter().find(|(name, _)| *name == key.as_str()) else {
            let right: Vec<&str> =
                self.words.data.iter().filter(|(_, kind)| kinds.contains(kind)).map(|(name, _)| *name).collect();
            return self.one_of(key, "データ", &right);
        };
        if !kinds.contains(kind) {
            let fits = |(_, kind): &&(&str, DataKind)| kinds.contains(kind);
            let right: Vec<&str> = self.words.data.iter().filter(fits).map(|(name, _)| *name).collect();
            let (kind, candidates) = (name_of(*kind), candidates(&key, &right));
            self.wrong(&key, format!("「{key}」は{kind}なので、ここには書けません（{candidates}）"));
        }
    }
}

pub fn name_of(kind: DataKind) -> &'static str {
    match kind {
        DataKind::Number => "数",
        DataKind::Words => "言葉",
        DataKind::Price => "コスト",
    }
}

/// What would have been right: everything, or the nearest where that is much.
fn candidates(word: &str, right: &[&str]) -> String {
    const FEW: usize = 8;
    if right.is_empty() {
        return "ここで使えるものはありません".into();
    }
    if right.len() <= FEW {
        return format!("使えるもの: {}", right.join("、"));
    }
    let mut near: Vec<&str> = right.to_vec();
    near.sort_by_key(|other| distance(word, other));
    format!("近いもの: {}", near[..5].join("、"))
}

/// How many characters have to be put in, taken out or changed.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
