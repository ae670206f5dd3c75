//! "Could this be done?" — tried on copies of the duel, with the same clauses knocked out and the same readings, leaving
//! no line in the trace. Every way of answering is tried, up to a bound, and the bound is a stop.

use std::sync::Arc;

use super::duel::{Duel, Flow, Halt, Lack, Settings, Stopped};
use super::event::{Cause, Event, What};
use super::question::{Answers, Asks, Question};
use super::steps::Frame;
use super::table::{Ref, Seat, Slots, Table};
use crate::card::Step;

/// How many ways are tried before we say that we cannot tell.
const WAYS: usize = 2_000;
/// How much may happen in one of them.
const PATIENCE: usize = 1_000;

impl Duel<'_> {
    /// The steps could be carried out in full.
    pub fn possible(
        &mut self,
        steps: &[Step],
        slots: &Slots,
        this: Option<Ref>,
        seat: Seat,
        event: Option<&Event>,
    ) -> Flow<bool> {
        let cause = event.map_or(Cause { card: this, seat: Some(seat), ..Cause::RULE }, |e| e.cause);
        let frame = Frame { this, seat, slots: slots.clone(), event: event.cloned().map(Arc::new), cause };
        self.try_out(|d| d.perform(&mut frame.clone(), steps))
    }

    /// The steps of a cost could be carried out by the game's own way of doing so; what stops the trial is no reason why not.
    pub fn could_pay(
        &mut self,
        frame: &Frame,
        steps: &[Step],
        mut pay: impl FnMut(&mut Duel, &mut Frame) -> Flow<bool>,
    ) -> bool {
        let plain = self.is_plain(frame, steps);
        if plain && !cfg!(debug_assertions) {
            return true;
        }
        let could = self.try_out(|d| pay(d, &mut frame.clone())).unwrap_or(true);
        debug_assert!(could || !plain, "what is plain can be done");
        could
    }

    /// Where moves are only listed, what most costs are need not be tried: that a card which lies otherwise turns
    /// itself, and nothing speaks of that.
    fn is_plain(&mut self, frame: &Frame, steps: &[Step]) -> bool {
        let [Step::Turn { what: Some(what), all: None, state, .. }] = steps else { return false };
        let (Some(card), Some(to)) = (frame.this, self.book.schema().state(state)) else { return false };
        let turns = *what == "this" && self.t.is_now(card) && self.t.obj(card.id).state != to;
        let event = Event { what: What::Turn { state: to }, ..Event::about(*state, card).by(frame.cause) };
        turns && frame.event.is_none() && self.only_lists() && self.is_unhindered(event)
    }

    /// The same where nothing can halt: what stopped the trial stops the duel before anything else happens.
    pub fn could(&mut self, steps: &[Step], slots: &Slots, this: Option<Ref>, seat: Seat) -> bool {
        let possible = self.possible(steps, slots, this, seat, None);
        self.told(possible)
    }

    /// Some way of answering makes it come true; what cannot be told stops the duel at its next question.
    pub fn could_come(&mut self, run: impl FnMut(&mut Duel) -> Flow<bool>) -> bool {
        let possible = self.try_out(run);
        self.told(possible)
    }

    fn told(&mut self, possible: Flow<bool>) -> bool {
        match possible {
            Ok(possible) => possible,
            Err(Halt::Stopped(stopped)) => {
                self.stuck.get_or_insert(stopped);
                false
            }
            Err(_) => false,
        }
    }

    /// Some way of answering makes it come true.
    pub fn try_out(&mut self, mut run: impl FnMut(&mut Duel) -> Flow<bool>) -> Flow<bool> {
        let settings = Settings { trace: false, reasons: false, patience: PATIENCE, ..self.settings.clone() };
        let mut way: Vec<usize> = Vec::new();
        for _ in 0..WAYS {
            let mut trial = Trial { way: &way, asked: Vec::new() };
            let mut copy = self.copied(&mut trial, &settings);
            match run(&mut copy) {
                Ok(true) | Err(Halt::Over(_)) => return Ok(true),
                Err(Halt::Stopped(stopped)) if stopped.lack != Lack::Endless => return Err(Halt::Stopped(stopped)),
                _ => {}
            }
            match next_way(&trial.asked) {
                Some(next) => way = next,
                None => return Ok(false),
            }
        }
        let text = format!("{WAYS}通りを試しても、できるかどうか分かりません");
        Err(Halt::Stopped(Box::new(Stopped { lack: Lack::Unwritten, text, clauses: Vec::new() })))
    }
}

/// Answers by a number for each question; the first answer where there is none.
struct Trial<'a> {
    way: &'a [usize],
    /// What was answered, and how many further answers there are.
    asked: Vec<(usize, bool)>,
}

impl Answers for Trial<'_> {
    fn next(&mut self, _: &Table, question: &Question) -> Option<Vec<i32>> {
        let at = self.way.get(self.asked.len()).copied().unwrap_or(0);
        let answer = nth(question, at)?;
        self.asked.push((at, nth(question, at + 1).is_some()));
        Some(answer)
    }
}

/// The last answer that has another after it gets the other.
fn next_way(asked: &[(usize, bool)]) -> Option<Vec<usize>> {
    let last = asked.iter().rposition(|(_, more)| *more)?;
    let mut way: Vec<usize> = asked[..=last].iter().map(|(at, _)| *at).collect();
    way[last] += 1;
    Some(way)
}

/// The n-th answer to a question: what takes most first, yes before no. The order of things makes nothing possible.
fn nth(question: &Question, n: usize) -> Option<Vec<i32>> {
    if !question.whole.is_empty() {
        return question.whole.get(n).cloned();
    }
    match &question.asks {
        Asks::Act(moves) => (n < moves.len()).then(|| vec![n as i32]),
        Asks::YesNo => (n < 2).then(|| vec![1 - n as i32]),
        Asks::Number { min, max } => {
            let number = min.saturating_add(n as i32);
            (number <= *max).then(|| vec![number])
        }
        Asks::Order(of) => (n == 0).then(|| (0..of.len() as i32).collect()),
        Asks::Choose { of, min, max } => {
            let size = (*min).max(1).min(*max).min(of.len());
            nth_combination(of.len(), size, n).or_else(|| {
                // Nothing at all, after everything else.
                let none_left = n > 0 && nth_combination(of.len(), size, n - 1).is_some();
                (*min == 0 && size > 0 && none_left).then(Vec::new)
            })
        }
    }
}

/// The n-th choice of `size` out of `of` things, in the order in which they stand.
fn nth_combination(of: usize, size: usize, n: usize) -> Option<Vec<i32>> {
    let mut chosen: Vec<usize> = (0..size).collect();
    for _ in 0..n {
        let at = (0..size).rev().find(|i| chosen[*i] < of - size + i)?;
        chosen[at] += 1;
        for later in at + 1..size {
            chosen[later] = chosen[later - 1] + 1;
        }
    }
    Some(chosen.into_iter().map(|i| i as i32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_once() {
        let all: Vec<Vec<i32>> = (0..).map_while(|n| nth_combination(4, 2, n)).collect();
        assert_eq!(all, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(nth_combination(0, 0, 0), Some(Vec::new()));
        assert_eq!(nth_combination(3, 3, 1), None);
    }
}
