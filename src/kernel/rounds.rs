//! Loops in what players do: the same player in the same position again and again. The kernel finds the round and bars
//! what must not be gone on with; who says how often, and what follows, is each game's clause.

use super::cite::Cite;
use super::duel::{Duel, Flow};
use super::question::{Asks, Move, Question};
use super::table::{CardId, Seat};
use crate::card::Word;

/// How many acts pass before we begin to look for loops, and how often a position must come.
pub const LONG: usize = 8;
pub const OFTEN: usize = 3;
/// More than anybody says.
pub const MOST: i32 = 9_999;

/// An act: the position, who, what, and whether there was anything else to do.
pub type Act = (u64, Seat, Move, bool);

/// What a player chose between two acts, where there was something to choose.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// After so many acts.
    pub at: usize,
    pub seat: Seat,
    pub slot: Word,
    /// The card the question was about.
    pub card: Option<CardId>,
    pub answer: Vec<i32>,
    pub leeway: Leeway,
    /// The shape of the table, where a yes was given and loops are looked for.
    pub here: u64,
}

/// What else the player could have answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leeway {
    /// No, or nothing: they took what was offered.
    Offered,
    /// Yes, or something: they left what was offered.
    Left,
    /// Something else.
    Bound,
}

impl Chosen {
    /// The same was chosen, whenever.
    pub fn is_again(&self, before: &Chosen) -> bool {
        (self.seat, self.slot, self.card, &self.answer) == (before.seat, before.slot, before.card, &before.answer)
    }
}

/// Who chooses, where it is a choice between acts: an act is noted as such, and what nobody minds is no choice.
fn chooser(question: &Question) -> Option<Seat> {
    let act = matches!(question.asks, Asks::Act(_));
    question.seat.filter(|_| !act && !question.minor && question.forced().is_none())
}

impl Duel<'_> {
    /// While a loop goes round as often as was said, the same is chosen each time. Whatever else has come about ends it.
    pub(super) fn chosen_before(&mut self, question: &Question) -> Option<Vec<i32>> {
        let seat = chooser(question).filter(|_| !self.answers_to_go.is_empty())?;
        let next = self.answers_to_go.pop()?;
        let card = question.card.map(|card| card.id);
        if (next.seat, next.slot, next.card) == (seat, question.slot, card) && question.fits(&next.answer) {
            return Some(next.answer);
        }
        self.answers_to_go.clear();
        self.rounds_to_go.clear();
        None
    }

    /// Remembers what was chosen.
    pub(super) fn note_choice(&mut self, question: &Question, answer: &[i32]) {
        let Some(seat) = chooser(question) else { return };
        let leeway = match &question.asks {
            Asks::YesNo if answer == [1] => Leeway::Offered,
            Asks::Choose { min: 0, .. } if !answer.is_empty() => Leeway::Offered,
            Asks::YesNo | Asks::Choose { min: 0, .. } => Leeway::Left,
            _ => Leeway::Bound,
        };
        let here = if leeway == Leeway::Offered && self.may_go_round() { self.shape() } else { 0 };
        let (card, answer) = (question.card.map(|card| card.id), answer.to_vec());
        self.choices.push(Chosen { at: self.acts.len(), seat, slot: question.slot, card, answer, leeway, here });
    }

    /// The position matters only where a loop is possible, and takes time to make out.
    pub fn may_go_round(&self) -> bool {
        self.acts.len() + 1 >= LONG || !self.barred.is_empty()
    }

    /// The round that ends here: the acts since the player was last in this position, if that was often enough.
    pub fn round(&self, who: Seat, here: u64) -> Option<Vec<Act>> {
        let same = |a: &&Act| a.0 == here && a.1 == who;
        if self.acts.len() < LONG || self.acts.iter().filter(same).count() + 1 < OFTEN {
            return None;
        }
        self.acts.iter().rposition(|a| same(&a)).map(|at| self.acts[at..].to_vec())
    }

    /// The player says how often the loop is gone through.
    pub fn how_often(&mut self, seat: Seat, max: i32, cite: &'static Cite) -> Flow<i32> {
        self.trace.reach(cite);
        let asks = Asks::Number { min: 0, max };
        Ok(self.ask(Question::new(seat, Word("ループの回数"), asks).citing(cite))?[0])
    }

    /// It has been gone through as often as was said: the position is the same after every round, so that how often does
    /// not matter any more. These acts are not taken again in any position of it.
    pub fn bar(&mut self, round: &[Act], barred: impl Fn(&Act) -> bool) {
        let positions: Vec<u64> = round.iter().map(|a| a.0).collect();
        let acts = round.iter().filter(|a| !a.2.is_pass() && barred(a));
        self.barred.extend(acts.map(|a| (a.1, a.2, positions.clone())));
        self.acts.clear();
        self.choices.clear();
    }

    /// What goes on with a loop that has been ended is not offered.
    pub fn leave_barred(&self, who: Seat, here: u64, moves: &mut Vec<Move>) {
        let barred =
            |m: &Move| self.barred.iter().any(|(seat, b, at)| *seat == who && m.is_again(b) && at.contains(&here));
        moves.retain(|m| m.is_pass() || !barred(m));
    }

    /// The player did this.
    pub fn note_act(&mut self, here: u64, who: Seat, chosen: Move, others: bool) {
        let here = if self.acts.len() + 1 >= LONG { here } else { 0 };
        self.acts.push((here, who, chosen, others));
    }
}
