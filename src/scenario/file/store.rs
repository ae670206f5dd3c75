//! The cards that scenarios may use.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::card::{Card, Part, Parts, Step, Word, load};
use crate::kernel::{Def, Rulebook};
use crate::text::yaml::Problem;

/// Cards by game and name. A card is prepared once, however many scenarios use it.
#[derive(Default)]
pub struct Store {
    cards: BTreeMap<&'static str, BTreeMap<Word, Arc<Def>>>,
}

impl Store {
    /// Adds the cards of one file.
    pub fn add(&mut self, book: &'static dyn Rulebook, file: &Path, text: &str) -> Vec<Problem> {
        let (cards, mut problems) = load::cards(file, text, &book.schema().words);
        let shelf = self.cards.entry(book.code()).or_default();
        for card in cards {
            let name = card.value.name;
            if shelf.contains_key(&name) {
                problems.push(card.problem(&name, format!("「{name}」は別のところにもあります")));
                continue;
            }
            shelf.insert(name, Arc::new(Def::new(Arc::new(card.value), book)));
        }
        problems
    }

    pub fn get(&self, game: &str, name: &str) -> Option<&Arc<Def>> {
        self.cards.get(game)?.get(&Word::known(name)?)
    }

    pub fn names(&self, game: &str) -> impl Iterator<Item = &'static str> + '_ {
        self.cards.get(game).into_iter().flat_map(|shelf| shelf.keys().map(|w| w.as_str()))
    }

    pub fn cards(&self, game: &str) -> impl Iterator<Item = &Card> + '_ {
        self.cards.get(game).into_iter().flat_map(|shelf| shelf.values().map(|def| &*def.card))
    }
}

/// The cards of one scenario: its own before those of the store.
pub struct Shelf<'a> {
    own: BTreeMap<Word, Arc<Def>>,
    store: &'a Store,
    game: &'static str,
}

impl<'a> Shelf<'a> {
    pub fn new<'c>(book: &'static dyn Rulebook, own: impl Iterator<Item = &'c Card>, store: &'a Store) -> Shelf<'a> {
        let prepare = |card: &Card| (card.name, Arc::new(Def::new(Arc::new(card.clone()), book)));
        Shelf { own: own.map(prepare).collect(), store, game: book.code() }
    }

    pub fn get(&self, name: &str) -> Option<Arc<Def>> {
        self.own.get(&Word::known(name)?).or_else(|| self.store.get(self.game, name)).cloned()
    }

    /// Cards of the scenario's own that say what a marker of that name does to the card on which it lies.
    pub fn givers(&self, marker: Word) -> Vec<Word> {
        let gives = |part: Part| matches!(part, Part::Step(Step::Mark { name, each, .. }) if *name == marker && !each.is_empty());
        self.own.iter().filter(|(_, def)| def.card.abilities.has_part(gives)).map(|(name, _)| *name).collect()
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.own.keys().map(|w| w.as_str()).chain(self.store.names(self.game))
    }
}
