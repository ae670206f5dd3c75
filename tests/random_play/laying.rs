//! What the set-up of random play is made of, in every game: cards, a table that is laid, and what holds on all tables.

use std::path::Path;
use std::sync::Arc;

use saitei::card::{Card, Word, load};
use saitei::game::deck::{Deck, rules};
use saitei::kernel::schema::LIMBO;
use saitei::kernel::{CardId, Def, Given, Obj, Rulebook, Run, Seat, Settings, Table, run};

use super::{Random, random};

/// The cards of these files.
pub fn cards(book: &'static dyn Rulebook, files: &[&str]) -> Vec<Arc<Def>> {
    let read = |text: &&str| {
        let (cards, problems) = load::cards(Path::new("cards.yaml"), text, &book.schema().words);
        assert!(problems.is_empty(), "{problems:#?}");
        cards.into_iter().map(|c| Arc::new(Def::new(Arc::new(c.value), book)))
    };
    files.iter().flat_map(read).collect()
}

/// A table to begin a game at.
pub struct Laying {
    book: &'static dyn Rulebook,
    pub defs: Vec<Arc<Def>>,
    pub table: Table,
    labels: Vec<Word>,
}

impl Laying {
    pub fn new(book: &'static dyn Rulebook, defs: Vec<Arc<Def>>, turn: u16) -> Laying {
        let mut table = Table::new(book.schema(), Word("準備"));
        (table.turn, table.midway) = (turn, false);
        Laying { book, defs, table, labels: Vec::new() }
    }

    pub fn named(&self, name: &str) -> usize {
        self.defs.iter().position(|def| def.name() == name).expect("a card")
    }

    /// A card of the seat comes to lie face down in its zone of that name, or in the one that is nobody's.
    pub fn put(&mut self, def: usize, seat: Seat, zone: &str) -> CardId {
        let schema = self.book.schema();
        let zone = schema.zone(zone, Some(seat)).or_else(|| schema.zone(zone, None)).expect("a zone");
        let id = CardId(self.table.cards.len() as u16);
        self.table.zones[zone.0 as usize].push(id);
        self.labels.push(Word::new(&format!("{}#{}", self.defs[def].name(), id.0)));
        let since = self.table.tick();
        self.table.cards.push(Obj { since, face_up: false, ..Obj::new(schema, def as u16, seat, zone) });
        id
    }

    /// A deck that the rules for decks allow: the zone of its cards, and of those beside them.
    pub fn deck(&mut self, seat: Seat, main: (&str, &[usize]), extra: (&str, &[usize]), side: &[usize]) {
        let of = |list: &[usize]| -> Vec<&Card> { list.iter().map(|def| &*self.defs[*def].card).collect() };
        let deck = Deck { main: of(main.1), extra: of(extra.1), side: of(side), ..Deck::default() };
        let wrong = rules(self.book.code()).expect("rules for decks")(&deck);
        assert!(wrong.is_empty(), "a legal deck: {:?}", wrong.iter().map(|w| &w.1).collect::<Vec<_>>());
        for (zone, list) in [main, extra] {
            for def in list {
                self.put(*def, seat, zone);
            }
        }
    }

    /// Cards that can be made in play.
    pub fn made(&mut self, name: &str, n: usize) {
        let def = self.named(name);
        for _ in 0..n {
            let id = self.put(def, Seat(0), LIMBO);
            self.table.obj_mut(id).face_up = true;
        }
    }

    /// With what lies on every table of the game.
    pub fn given(mut self) -> Given {
        let printed = self.defs.clone();
        for (card, zone, seat) in self.book.furnish(&self.table, &|def| printed[def as usize].card.clone()) {
            self.defs.push(Arc::new(Def::new(Arc::new(card), self.book)));
            let id = self.put(self.defs.len() - 1, seat, self.book.schema().spec(zone).name);
            self.table.obj_mut(id).face_up = true;
        }
        Given::new(self.defs, self.table, self.labels)
    }
}

/// Plays at random; every table is looked at where the answers are kept.
pub fn play(
    book: &'static dyn Rulebook,
    given: Given,
    (seed, answers, keep): (u64, usize, bool),
    lawful: fn(&Table),
    settings: &Settings,
) -> (Given, Random, Run) {
    let mut random = Random { keep, lawful: keep.then_some(lawful), ..random(seed, answers) };
    let run = run(book, &given, &mut random, settings);
    (given, random, run)
}

/// Every card is in exactly the zone it says, and out of play in a zone of its owner.
pub fn in_one_zone(book: &dyn Rulebook, t: &Table) {
    let mut count = vec![0; t.cards.len()];
    for (zone, cards) in t.zones.iter().enumerate() {
        let spec = &book.schema().zones[zone];
        for id in cards.iter() {
            count[id.0 as usize] += 1;
            let card = t.obj(*id);
            assert_eq!(card.zone.0 as usize, zone, "a card is where it says");
            assert!(spec.board || spec.owner.is_none_or(|o| o == card.owner), "a card in another's {}", spec.name);
        }
    }
    assert!(count.iter().all(|n| *n == 1), "every card is in one zone");
    assert!(!t.contexts.is_empty());
}
