//! Random legal play of dz, for tests and benchmarks, and the player that plays the other games too.

#![allow(dead_code)]

pub mod msd;
pub mod nova;
pub mod ygo;
pub mod zx;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use saitei::card::{Word, load};
use saitei::game;
use saitei::kernel::{
    Answers, Asks, CardId, Def, Given, Obj, Question, Rulebook, Run, Schema, Seat, Settings, Table, run,
};

/// Small, fast and the same everywhere.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }

    /// Some of the numbers below `of`, each once, in any order.
    pub fn some(&mut self, of: usize, n: usize) -> Vec<i32> {
        let mut all: Vec<i32> = (0..of as i32).collect();
        for i in 0..n.min(of) {
            let j = i + self.roll(of - i);
            all.swap(i, j);
        }
        all.truncate(n);
        all
    }
}

/// Plays at random, and remembers what it answered and where it stood.
pub struct Random {
    pub dice: Dice,
    pub left: usize,
    pub answers: Vec<Vec<i32>>,
    pub tables: Vec<Table>,
    /// Questions put, and those for an act.
    pub asked: usize,
    pub acts: usize,
    pub keep: bool,
    /// What must hold of every position; looked at where it stands.
    pub lawful: Option<fn(&Table)>,
}

impl Answers for Random {
    fn next(&mut self, table: &Table, question: &Question) -> Option<Vec<i32>> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        self.asked += 1;
        self.acts += usize::from(matches!(question.asks, Asks::Act(_)));
        if let Some(lawful) = self.lawful {
            lawful(table);
        }
        let roll = &mut self.dice;
        let answer = match &question.asks {
            // Passing is the first move; a player who never passes never gets anywhere.
            Asks::Act(moves) => vec![if roll.roll(3) == 0 { 0 } else { roll.roll(moves.len()) as i32 }],
            // Only some choices do as a whole.
            Asks::Choose { .. } if !question.whole.is_empty() => {
                question.whole[roll.roll(question.whole.len())].clone()
            }
            Asks::Choose { of, min, max } => {
                let n = min + roll.roll(max - min + 1);
                roll.some(of.len(), n)
            }
            Asks::Order(of) => roll.some(of.len(), of.len()),
            Asks::YesNo => vec![roll.roll(2) as i32],
            Asks::Number { min, max } => vec![min + roll.roll((max - min + 1) as usize) as i32],
        };
        if self.keep {
            self.answers.push(answer.clone());
            self.tables.push(table.clone());
        }
        Some(answer)
    }
}

/// Every card is in exactly the zone it says, hosts share squares, and the plan zone is the top of a deck.
pub fn assert_lawful(t: &Table) {
    let schema = game::book("dz").expect("dz").schema();
    let mut count = vec![0; t.cards.len()];
    for (zone, cards) in t.zones.iter().enumerate() {
        for id in cards {
            count[id.0 as usize] += 1;
            assert_eq!(t.obj(*id).zone.0 as usize, zone, "a card is where it says");
        }
        let spec = &schema.zones[zone];
        if spec.name == "山札" {
            let up = cards.iter().rev().skip(1).filter(|id| t.obj(**id).face_up).count();
            assert_eq!(up, 0, "only the top of a deck may lie face up");
        }
        if let Some(owner) = spec.owner.filter(|_| !spec.board) {
            assert!(cards.iter().all(|id| t.obj(*id).owner == owner), "a card in another's {}", spec.name);
        }
    }
    assert!(count.iter().all(|n| *n == 1), "every card is in one zone");
    for card in &t.cards {
        if let Some((_, host)) = card.host {
            assert_eq!(t.obj(host).zone, card.zone, "a card lies with its host");
        }
    }
    assert!(!t.contexts.is_empty());
}

pub fn book() -> &'static dyn Rulebook {
    game::book("dz").expect("dz has a rulebook")
}

/// The cards of the test, read once.
fn defs() -> Vec<Arc<Def>> {
    static DEFS: OnceLock<Vec<Arc<Def>>> = OnceLock::new();
    let read = || {
        let text = include_str!("cards.yaml");
        let (cards, problems) = load::cards(Path::new("cards.yaml"), text, &book().schema().words);
        assert!(problems.is_empty(), "{problems:#?}");
        cards.into_iter().map(|c| Arc::new(Def::new(Arc::new(c.value), book()))).collect()
    };
    DEFS.get_or_init(read).clone()
}

/// Two decks of forty from the cards of the test.
pub fn given(seed: u64) -> Given {
    let schema: &Schema = book().schema();
    let defs = defs();
    let mut dice = Dice(seed);
    let mut table = Table { turn: 0, midway: false, ..Table::new(schema, Word("準備")) };
    let mut labels = Vec::new();
    for seat in Seat::BOTH {
        let deck = schema.zone("山札", Some(seat)).expect("a deck");
        for _ in 0..40 {
            let def = dice.roll(defs.len());
            let id = CardId(table.cards.len() as u16);
            table.zones[deck.0 as usize].push(id);
            labels.push(Word::new(&format!("{}#{}", defs[def].name(), id.0)));
            table.cards.push(Obj { face_up: false, ..Obj::new(schema, def as u16, seat, deck) });
        }
    }
    Given::new(defs, table, labels)
}

pub fn silent() -> Settings {
    Settings { trace: false, ..Settings::default() }
}

pub fn random(seed: u64, answers: usize) -> Random {
    Random {
        dice: Dice(seed ^ 0x9e37),
        left: answers,
        answers: Vec::new(),
        tables: Vec::new(),
        asked: 0,
        acts: 0,
        keep: false,
        lawful: None,
    }
}

pub fn play(seed: u64, answers: usize, keep: bool) -> (Given, Random, Run) {
    let given = given(seed);
    let mut random = Random { keep, lawful: keep.then_some(assert_lawful), ..random(seed, answers) };
    let settings = silent();
    let run = run(book(), &given, &mut random, &settings);
    (given, random, run)
}
