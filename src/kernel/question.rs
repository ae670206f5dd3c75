//! Questions, the things that can be answered, and where answers come from.

use super::cite::Cite;
use super::table::{Ref, Seat, Table, Thing, ZoneId};
use crate::card::Word;

/// An act a player may take when it is their turn to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// In the game's words: プレイ, 起動, 移動, パス.
    pub verb: Word,
    pub card: Option<Ref>,
    /// Which ability of the card.
    pub ability: Option<u8>,
    pub to: Option<ZoneId>,
    /// A special way of doing it.
    pub way: Word,
}

impl Move {
    pub const PASS: Move = Move { verb: Word("パス"), card: None, ability: None, to: None, way: Word("") };

    pub fn of(verb: Word, card: Ref) -> Move {
        Move { verb, card: Some(card), ..Move::PASS }
    }

    pub fn is_pass(&self) -> bool {
        self.verb == "パス"
    }

    /// The same act, of a card that may have come back meanwhile.
    pub fn is_again(&self, before: &Move) -> bool {
        let card = self.card.map(|c| c.id);
        Move { card: None, ..*self } == Move { card: None, ..*before } && card == before.card.map(|c| c.id)
    }
}

/// The answer to any question by which a player gives up, whoever was asked. It is offered to nobody.
pub fn concession(seat: Seat) -> Vec<i32> {
    vec![CONCEDE, seat.index() as i32]
}

/// Who gives up by this answer.
pub fn conceding(answer: &[i32]) -> Option<Seat> {
    Seat::BOTH.into_iter().find(|seat| answer == [CONCEDE, seat.index() as i32])
}

const CONCEDE: i32 = i32::MIN + 1;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Asks {
    /// An act, or pass.
    Act(Vec<Move>),
    /// From `min` to `max` of these, all different.
    Choose {
        of: Vec<Thing>,
        min: usize,
        max: usize,
    },
    /// All of these, in an order.
    Order(Vec<Thing>),
    YesNo,
    /// Any number between the two.
    Number {
        min: i32,
        max: i32,
    },
}

/// Why something cannot be done.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub what: String,
    pub cite: Option<&'static Cite>,
    pub why: String,
}

impl Refusal {
    /// Nothing forbids it; it is just not among what can be done now.
    pub fn not_offered(wanted: &Move) -> Refusal {
        Refusal { what: wanted.verb.to_string(), cite: None, why: "その行動は今の選択肢にない".into() }
    }
}

/// A question to a seat; chance is a seat of its own.
#[derive(Clone, Debug)]
pub struct Question {
    /// `None`: chance.
    pub seat: Option<Seat>,
    /// What the answer is for: 行動, 対象, X, 支払い, 順番 …
    pub slot: Word,
    pub asks: Asks,
    pub cite: Option<&'static Cite>,
    /// The card it is about.
    pub card: Option<Ref>,
    /// What cannot be chosen although the text speaks of it, and why.
    pub refused: Vec<(Thing, &'static Cite)>,
    /// Why the same thing cannot be chosen twice.
    pub twice: Option<&'static Cite>,
    /// Why fewer will not do.
    pub fewer: Option<&'static Cite>,
    /// Why more will not do.
    pub more: Option<&'static Cite>,
    /// The answers that will do, where not every choice of things does: sums, materials. Empty: all.
    pub whole: Vec<Vec<i32>>,
    /// Nobody minds: a script need not answer, and the order given is taken.
    pub minor: bool,
}

impl Question {
    pub fn new(seat: Seat, slot: Word, asks: Asks) -> Question {
        Question {
            seat: Some(seat),
            slot,
            asks,
            cite: None,
            card: None,
            refused: Vec::new(),
            twice: None,
            fewer: None,
            more: None,
            whole: Vec::new(),
            minor: false,
        }
    }

    pub fn citing(mut self, cite: &'static Cite) -> Question {
        self.cite = Some(cite);
        self
    }

    pub fn about(mut self, card: Option<Ref>) -> Question {
        self.card = card;
        self
    }

    /// The only answer there is, where there is but one.
    pub fn forced(&self) -> Option<Vec<i32>> {
        let all = |n: usize| (0..n as i32).collect();
        match &self.asks {
            Asks::Act(moves) => (moves.len() == 1).then(|| vec![0]),
            Asks::Choose { of, min, max } => match (of.len(), *max) {
                (_, 0) | (0, _) => Some(Vec::new()),
                (n, _) if n == *min => Some(all(n)),
                _ => None,
            },
            Asks::Order(things) => (things.len() < 2).then(|| all(things.len())),
            Asks::YesNo => None,
            Asks::Number { min, max } => (min >= max).then(|| vec![*min]),
        }
    }

    /// How many simple answers there are, for policies and exploration; numbers count by value.
    pub fn size(&self) -> usize {
        match &self.asks {
            Asks::Act(moves) => moves.len(),
            Asks::Choose { of, .. } => of.len(),
            Asks::Order(things) => things.len(),
            Asks::YesNo => 2,
            Asks::Number { min, max } => max.saturating_sub(*min).saturating_add(1).max(0) as usize,
        }
    }

    /// The answer is one that was asked for.
    pub fn fits(&self, answer: &[i32]) -> bool {
        let distinct = |n: usize| {
            let mut seen = answer.to_vec();
            seen.sort_unstable();
            seen.dedup();
            seen.len() == answer.len() && seen.iter().all(|i| *i >= 0 && (*i as usize) < n)
        };
        match &self.asks {
            Asks::Act(moves) => answer.len() == 1 && distinct(moves.len()),
            Asks::Choose { of, min, max } => answer.len() >= *min && answer.len() <= *max && distinct(of.len()),
            Asks::Order(things) => answer.len() == things.len() && distinct(things.len()),
            Asks::YesNo => answer.len() == 1 && (0..=1).contains(&answer[0]),
            Asks::Number { min, max } => answer.len() == 1 && (*min..=*max).contains(&answer[0]),
        }
    }
}

/// Where answers come from: a script, a policy, a person's clicks so far. An answer is a list of places among the
/// options (acts, choices, orders), 0 or 1 (yes is 1), or the number itself.
pub trait Answers {
    /// `None` halts the duel at this question.
    fn next(&mut self, table: &Table, question: &Question) -> Option<Vec<i32>>;

    /// A move of the seat was asked for that is not among the options; the game says why before the duel ends.
    fn wanted(&mut self, _table: &Table, _question: &Question) -> Option<(Seat, Move)> {
        None
    }

    /// A phase or step begins: a script may wait for it, and nothing need be asked in it.
    fn enters(&mut self, _name: Word) {}

    /// A turn is over, and what happened in it is about to be forgotten.
    fn turn_is_over(&mut self, _table: &Table) {}

    /// Wants to be asked even where there is but one answer: a script counts passes, and may want what is not offered.
    fn insists(&mut self, _table: &Table, _question: &Question) -> bool {
        false
    }

    /// Wants the duel to end where what was begun could not be completed: a script says what it meant to be done.
    fn means_it(&mut self) -> bool {
        false
    }
}

/// Answers given beforehand, one after another.
pub struct Given<'a> {
    pub answers: &'a [Vec<i32>],
    pub used: usize,
}

impl Answers for Given<'_> {
    fn next(&mut self, _: &Table, _: &Question) -> Option<Vec<i32>> {
        let answer = self.answers.get(self.used)?.clone();
        self.used += 1;
        Some(answer)
    }
}
