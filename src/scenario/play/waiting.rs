//! Answers that wait for their question, in the order in which they were written.

use std::collections::VecDeque;

use crate::card::Word;
use crate::kernel::{Asks, Question, Schema, Seat};
use crate::scenario::file::node::{At, Kind, Node, Note};
use crate::scenario::file::words::{nearest, unknown};
use crate::scenario::play::script::Reply;

/// An answer that waits.
struct One {
    step: usize,
    reply: Reply,
    /// What is left of a list that several questions use up.
    rest: VecDeque<Node>,
    /// It begins a step, so that it may be meant as an act.
    begins: bool,
    /// It says what had to be answered anyway, when nobody was asked.
    told: bool,
}

#[derive(Default)]
pub struct Waiting(Vec<One>);

/// An answer whose question has come: the step it stands in, where, and what it says.
pub struct Taken {
    pub step: usize,
    pub at: At,
    pub value: Node,
}

impl Waiting {
    /// `alone`: the answers are a step of their own, and not what is said of an act. `told`: which of them say what there
    /// was no other answer to.
    pub fn add(&mut self, step: usize, replies: &[Reply], alone: bool, told: &[usize]) {
        for (at, reply) in replies.iter().enumerate() {
            let rest = match &reply.value.kind {
                Kind::List(items) => items.iter().cloned().collect(),
                _ => VecDeque::from([reply.value.clone()]),
            };
            let begins = alone && at == 0 && reply.seat.is_some();
            self.0.push(One { step, reply: reply.clone(), rest, begins, told: told.contains(&at) });
        }
    }

    /// An answer to this question waits.
    pub fn has(&self, question: &Question) -> bool {
        self.0.iter().any(|one| !one.told && one.reply.fits(question))
    }

    /// The questions for which answers of this step wait, or of one before it.
    pub fn up_to(&self, step: usize) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |one| !one.told && one.step <= step).map(|one| one.reply.slot.as_str())
    }

    /// The answer to this question, if one waits. `bold`: the step that should be refused, perhaps for its number.
    /// One that said what was not asked is meant only where no other is: `told`.
    pub fn take(&mut self, question: &Question, bold: Option<usize>, told: bool) -> Option<Taken> {
        let place = self.0.iter().position(|one| one.told == told && one.reply.fits(question))?;
        let most = match &question.asks {
            Asks::Choose { .. } if bold == Some(self.0[place].step) && !question.minor => usize::MAX,
            Asks::Choose { max, .. } => (*max).max(1),
            Asks::Number { .. } | Asks::YesNo => 1,
            _ => usize::MAX,
        };
        let one = &mut self.0[place];
        let (step, at, whole) = (one.step, one.reply.at, &one.reply.value);
        // A list longer than the question takes goes on to the next: payment is asked card by card.
        let now: Vec<Node> = one.rest.drain(..most.min(one.rest.len())).collect();
        let value = match whole.kind {
            Kind::List(_) if matches!(question.asks, Asks::Number { .. } | Asks::YesNo) => {
                now.into_iter().next().unwrap_or_default()
            }
            Kind::List(_) => Node { at: whole.at, kind: Kind::List(now) },
            _ => whole.clone(),
        };
        if one.rest.is_empty() {
            self.0.remove(place);
        }
        Some(Taken { step, at, value })
    }

    /// What was never asked for, with the question that was probably meant.
    pub fn left_over(&self, asked: &[(Option<Seat>, Word)], forced: &[Word], schema: &Schema) -> Vec<Note> {
        let seats = schema.seats;
        let mut no_act: Vec<usize> = Vec::new();
        let mut note = |one: &One| {
            let slot = &one.reply.slot;
            let alike = |w: &&Word| w.as_str().contains(slot.as_str()) || slot.contains(w.as_str());
            let only = forced.iter().find(|w| alike(w) && w.as_str() != slot);
            let within = || asked.iter().map(|(_, w)| w).find(alike).map(|w| w.as_str());
            let near = nearest(slot, asked.iter().map(|(_, w)| w.as_str())).or_else(within).filter(|n| n != slot);
            let who = |seat: &Option<Seat>| seat.map_or("偶然", |s| seats[s.index()]);
            let mut slots: Vec<String> = asked.iter().map(|(seat, w)| format!("{}の「{w}」", who(seat))).collect();
            slots.sort_unstable();
            slots.dedup();
            let again = asked.iter().any(|(seat, w)| *seat == one.reply.seat && w.as_str() == slot);
            if one.begins && near.is_none() && only.is_none() && !again {
                no_act.push(one.step);
                let text = unknown("行動", slot, schema.customs.verbs.iter().copied());
                let text = format!("{text}。問いへの答えとしても、問われませんでした");
                return Note { at: one.reply.at, text };
            }
            let other = asked.iter().find(|(seat, w)| *seat != one.reply.seat && w.as_str() == slot);
            let why = match near {
                _ if let Some((seat, _)) = other.filter(|_| !again) => {
                    let key = seat.map_or("chance", |s| seats[s.index()]);
                    let value = &one.reply.value;
                    format!("問われたのは{}です。「- {key}: {{{slot}: {value}}}」と書いてください", who(seat))
                }
                Some(near) => format!("「{near}」ですか"),
                None if let Some(only) = only => {
                    format!("鍵は「{only}」です。選べるものが1通りなので、書かなくてもかまいません")
                }
                None if slots.is_empty() => "この行動では、何も問われませんでした".to_string(),
                None if again => "もう答えは足りていました".to_string(),
                None if forced.is_empty() => format!("問われたのは {}", slots.join("、")),
                None => {
                    let only: Vec<String> = forced.iter().map(|w| format!("「{w}」")).collect();
                    format!("問われたのは {}。1通りなので問われなかったのは {}", slots.join("、"), only.join("、"))
                }
            };
            Note {
                at: one.reply.at, text: format!("答え「{slot}: {}」は問われませんでした（{why}）", one.reply.value)
            }
        };
        // What goes with an act that there is not follows from that.
        let unasked = self.0.iter().filter(|one| !one.told);
        let notes: Vec<(usize, bool, Note)> = unasked.map(|one| (one.step, one.begins, note(one))).collect();
        let follows = |step: usize, begins: bool| !begins && no_act.contains(&step);
        notes.into_iter().filter(|(step, begins, _)| !follows(*step, *begins)).map(|(.., note)| note).collect()
    }

    /// For the memory of exploring.
    pub fn print(&self) -> Vec<(usize, usize)> {
        self.0.iter().map(|one| (one.step, one.rest.len())).collect()
    }
}
