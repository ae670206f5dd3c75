//! Random legal play of dz, for tests and benchmarks, and the player that plays the other games too.

#![allow(dead_code)]

pub mod laying;
pub mod msd;
pub mod nova;
pub mod ygo;
pub mod zx;

use std::sync::{Arc, OnceLock};

use saitei::game;
use saitei::kernel::{Answers, Asks, Def, Given, Question, Rulebook, Run, Seat, Settings, Table};

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

/// Besides what always holds: hosts share squares, and the plan zone is the top of a deck.
pub fn assert_lawful(t: &Table) {
    laying::in_one_zone(book(), t);
    for seat in Seat::BOTH {
        let deck = t.zone(book().schema().zone("山札", Some(seat)).expect("a deck"));
        let up = deck.iter().rev().skip(1).filter(|id| t.obj(**id).face_up).count();
        assert_eq!(up, 0, "only the top of a deck may lie face up");
    }
    for card in &t.cards {
        assert!(card.host.is_none_or(|(_, host)| t.obj(host).zone == card.zone), "a card lies with its host");
    }
}

pub fn book() -> &'static dyn Rulebook {
    game::book("dz").expect("dz has a rulebook")
}

/// Two decks of forty from the cards of the test.
pub fn given(seed: u64) -> Given {
    static DEFS: OnceLock<Vec<Arc<Def>>> = OnceLock::new();
    let defs = DEFS.get_or_init(|| laying::cards(book(), &[include_str!("cards.yaml")])).clone();
    let mut dice = Dice(seed);
    let mut laying = laying::Laying::new(book(), defs, 0);
    for seat in Seat::BOTH {
        for _ in 0..40 {
            let def = dice.roll(laying.defs.len());
            laying.put(def, seat, "山札");
        }
    }
    laying.given()
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
    laying::play(book(), given(seed), (seed, answers, keep), assert_lawful, &silent())
}
