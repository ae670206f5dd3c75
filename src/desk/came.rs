//! What came of a run: a list of facts, so that two runs can be laid side by side.

use serde::Serialize;

use crate::kernel::{Asks, CardId, Run, Settings};
use crate::scenario::{Attempt, Ready, Scene, changes, options};

/// What a fact is about, the weightiest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    Winner,
    Refused,
    Card,
    Player,
    Pile,
    /// Why it went no further.
    Stop,
    /// Phase, step, and whose priority it is.
    Moment,
}

/// One thing that is so at the end and was not at the start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    pub about: About,
    pub name: String,
    pub is: String,
    #[serde(skip)]
    pub card: Option<CardId>,
}

/// All that came of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Came(pub Vec<Fact>);

/// One thing that two runs of a board do not agree on; `None` where nothing happened to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    pub about: About,
    pub name: String,
    pub real: Option<String>,
    pub here: Option<String>,
}

impl Came {
    pub fn of(ready: &Ready, attempt: &Attempt, settings: &Settings) -> Came {
        let start = Scene::new(ready.book, &ready.given, &ready.given.table, settings);
        let now = attempt.scene(ready, settings);
        let mut facts = Vec::new();
        let mut add = |about, name: &str, is: String, card| facts.push(Fact { about, name: name.into(), is, card });
        for refusal in attempt.refusals.iter().chain(&attempt.barred) {
            let cite = refusal.cite.map(|c| c.id());
            // The file knows why it expects a refusal; who did not expect it is told.
            let unexpected = attempt.barred.as_ref().is_some_and(|b| b.step == refusal.step);
            let reason = Some(refusal.reason.clone()).filter(|r| unexpected && !r.is_empty());
            let by: Vec<String> = reason.into_iter().chain(cite).collect();
            let by = if by.is_empty() { String::new() } else { format!("（{}）", by.join("。")) };
            add(About::Refused, &refusal.act, format!("できない{by}"), None);
        }
        for change in changes(&start, &now) {
            let about = match (change.card, change.name.is_empty()) {
                (_, true) => About::Winner,
                (Some(_), _) => About::Card,
                (None, _) => About::Player,
            };
            let name = if change.name.is_empty() { "勝敗" } else { &change.name };
            add(about, name, change.words.join("、"), change.card);
        }
        let pile = now.pile();
        if !pile.is_empty() {
            add(About::Pile, "解決を待つもの", pile.join("、"), None);
        }
        if let Some(stop) = stop(ready, attempt) {
            add(About::Stop, "そこで止まる", stop, None);
        }
        let t = now.table;
        let step = t.context().step;
        let step = if step.is_empty() { String::new() } else { format!("・{step}") };
        let asked = now.asked.map_or(String::new(), |s| format!("（優先権 {}）", ready.book.schema().seats[s.index()]));
        add(About::Moment, "時点", format!("第{}ターン {}{step}{asked}", t.turn, t.phase), None);
        facts.sort_by_key(|f| f.about);
        Came(facts)
    }

    /// Something happened besides time going by.
    pub fn is_eventful(&self) -> bool {
        self.0.iter().any(|f| f.about != About::Moment)
    }

    /// What another run does not agree on.
    pub fn differences(&self, here: &Came) -> Vec<Difference> {
        let find = |came: &Came, fact: &Fact| came.0.iter().find(|f| f.name == fact.name).map(|f| f.is.clone());
        let both = self.0.iter().chain(here.0.iter().filter(|f| find(self, f).is_none()));
        let mut found: Vec<Difference> = both
            .map(|fact| Difference {
                about: fact.about,
                name: fact.name.clone(),
                real: find(self, fact),
                here: find(here, fact),
            })
            .filter(|d| d.real != d.here)
            .collect();
        found.sort_by_key(|d| d.about);
        found
    }
}

/// Why a run went no further than it did, where that is not simply the end of its steps.
fn stop(ready: &Ready, attempt: &Attempt) -> Option<String> {
    match &attempt.run {
        Run::Stopped(stopped, ..) => Some(format!("{}: {}", stopped.lack.words(), stopped.text)),
        Run::Asks(question, table, _) if !matches!(question.asks, Asks::Act(_)) => {
            Some(options(ready.names(), table, question))
        }
        _ if attempt.barred.is_none() => attempt.failures.first().map(|n| n.text.clone()),
        _ => None,
    }
}
