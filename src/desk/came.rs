//! What came of a run: a list of facts, so that two runs can be laid side by side.

use serde::Serialize;

use crate::kernel::{Asks, CardId, FactOwner, Run, Seat, Settings};
use crate::scenario::{Attempt, Change, Ready, Scene, changes, fact_names, options};

/// What a fact is about, the weightiest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    Winner,
    Refused,
    /// Life, or whatever the game counts as that.
    Standing,
    Card,
    Player,
    /// A battle that goes on.
    Fight,
    Pile,
    /// Why it went no further.
    Stop,
    /// What the script says and does not come.
    Script,
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
    /// The step that was refused.
    #[serde(skip)]
    pub step: Option<usize>,
}

/// All that came of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Came {
    pub facts: Vec<Fact>,
    /// How many steps of the script it came to: of those behind them it says nothing.
    pub steps: usize,
}

/// One thing that two runs of a board do not agree on; `None` where nothing happened to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    pub about: About,
    pub name: String,
    pub real: Option<String>,
    pub here: Option<String>,
    #[serde(skip)]
    pub card: Option<CardId>,
}

impl Came {
    pub fn of(ready: &Ready, attempt: &Attempt, settings: &Settings) -> Came {
        let start = Scene::new(ready.book, &ready.given, &ready.given.table, settings);
        let now = attempt.scene(ready, settings);
        let seats = ready.book.schema().seats;
        let mut facts = Vec::new();
        let mut add =
            |about, name: &str, is: String, card| facts.push(Fact { about, name: name.into(), is, card, step: None });
        let mut refused = Vec::new();
        for refusal in attempt.refusals.iter().chain(&attempt.barred) {
            let cite = refusal.cite.map(|c| c.id());
            // The file knows why it expects a refusal; who did not expect it is told.
            let unexpected = attempt.barred.as_ref().is_some_and(|b| b.step == refusal.step);
            let reason = Some(refusal.reason.clone()).filter(|r| unexpected && !r.is_empty());
            let by: Vec<String> = cite.into_iter().chain(reason).collect();
            let by = if by.is_empty() { String::new() } else { format!("（{}）", by.join(" ")) };
            let (name, is) = (refusal.act.clone(), format!("できない{by}"));
            refused.push(Fact { about: About::Refused, name, is, card: None, step: Some(refusal.step) });
        }
        for (name, was, is) in standing(&start, &now) {
            add(About::Standing, &name, format!("{was} → {is}"), None);
        }
        for change in told(&start, &now) {
            match (change.card, change.name.as_str()) {
                (_, "") => add(About::Winner, "勝敗", change.words.join("、"), None),
                (None, who) if seats.contains(&who) => {
                    // Each number by itself: they have nothing to do with one another.
                    for word in change.words {
                        match word.split_once(' ') {
                            Some((name, _)) if is_standing(&start, name) => {}
                            Some((name, is)) => add(About::Player, &format!("{who}の{name}"), is.into(), None),
                            None => add(About::Player, who, word, None),
                        }
                    }
                }
                // Where players' life lies is told by how much of it is left.
                (None, name) if lies_in_standing(&start, name) => {}
                (card, name) => add(About::Card, name, change.words.join("、"), card),
            }
        }
        if let Some(words) = fight(&now).filter(|words| Some(words) != fight(&start).as_ref()) {
            add(About::Fight, "バトル", words, None);
        }
        let pile = now.pile();
        if !pile.is_empty() {
            add(About::Pile, "解決を待つもの", pile.join("、"), None);
        }
        if let Some(stop) = stop(ready, attempt) {
            add(About::Stop, "そこで止まる", stop, None);
        } else if let Some(note) = attempt.failures.first().filter(|_| attempt.barred.is_none()) {
            add(About::Script, "手順", note.text.clone(), None);
        }
        let t = now.table;
        let step = t.context().step;
        let step = if step.is_empty() { String::new() } else { format!("・{step}") };
        let asked = now.asked.map_or(String::new(), |s| format!("（優先権 {}）", seats[s.index()]));
        add(About::Moment, "時点", format!("第{}ターン {}{step}{asked}", t.turn, t.phase), None);
        facts.extend(refused);
        facts.sort_by_key(|f| f.about);
        Came { facts, steps: attempt.memory.0 }
    }

    /// Something happened besides time going by.
    pub fn is_eventful(&self) -> bool {
        self.facts.iter().any(|f| !matches!(f.about, About::Moment | About::Script))
    }

    /// What another run does not agree on.
    pub fn differences(&self, here: &Came) -> Vec<Difference> {
        let find = |came: &Came, fact: &Fact| came.facts.iter().find(|f| f.name == fact.name).map(|f| f.is.clone());
        // What the other run did not come to was neither refused there nor done.
        let came_to =
            |came: &Came, fact: &Fact| fact.step.is_none_or(|step| step < came.steps || find(came, fact).is_some());
        let ours = self.facts.iter().filter(|f| came_to(here, f));
        let both = ours.chain(here.facts.iter().filter(|f| find(self, f).is_none() && came_to(self, f)));
        let mut found: Vec<Difference> = both
            .map(|fact| Difference {
                about: fact.about,
                name: fact.name.clone(),
                real: find(self, fact),
                here: find(here, fact),
                card: fact.card,
            })
            .filter(|d| d.real != d.here)
            .collect();
        found.sort_by_key(|d| d.about);
        found
    }
}

/// What is different at the end; cards that have no name are told together, by where they lay.
pub fn told(start: &Scene, now: &Scene) -> Vec<Change> {
    let mut found: Vec<Change> = Vec::new();
    // From where, to where, how many, and where the line stands.
    let mut groups: Vec<(String, String, usize, usize)> = Vec::new();
    for change in changes(start, now) {
        let moved = change.card.filter(|id| is_bare(start, *id) && moved(start, now, *id));
        let Some(id) = moved else {
            found.push(change);
            continue;
        };
        let [from, to] = [start, now].map(|scene| scene.names().zone_name(scene.table.obj(id).zone));
        let at = groups.iter().find(|g| g.0 == from).map(|g| g.3).unwrap_or_else(|| {
            found.push(Change { card: None, name: format!("{from}のカード"), words: Vec::new() });
            found.len() - 1
        });
        match groups.iter_mut().find(|g| g.0 == from && g.1 == to) {
            Some(group) => group.2 += 1,
            None => groups.push((from, to, 1, at)),
        }
    }
    for (_, to, n, at) in groups {
        found[at].words.push(format!("{n}枚 → {to}"));
    }
    found
}

/// A card that has neither name nor text.
pub fn is_bare(scene: &Scene, id: CardId) -> bool {
    scene.table.obj(id).def == 0
}

pub fn moved(start: &Scene, now: &Scene, id: CardId) -> bool {
    start.table.obj(id).zone != now.table.obj(id).zone
}

/// The fact or zone is one by which players stand.
pub fn is_standing(scene: &Scene, name: &str) -> bool {
    scene.book.schema().customs.standing.contains(&name)
}

/// The line tells of the cards of a zone by which a player stands.
fn lies_in_standing(scene: &Scene, name: &str) -> bool {
    let zone = name.strip_suffix("のカード").and_then(|name| name.split_once('.'));
    zone.is_some_and(|(_, zone)| is_standing(scene, zone))
}

/// How the players stood and stand, where that has changed: whose what, before, and now.
pub fn standing(start: &Scene, now: &Scene) -> Vec<(String, String, String)> {
    let schema = now.book.schema();
    let mut found = Vec::new();
    for (name, seat) in schema.customs.standing.iter().flat_map(|n| Seat::BOTH.map(|s| (*n, s))) {
        let fact = fact_names(schema, FactOwner::Seat).position(|f| f == name);
        let zone = schema.zone(name, Some(seat));
        let [was, is] = [start, now].map(|scene| match (fact, zone) {
            (Some(at), _) => scene.table.seats[seat.index()][at].to_string(),
            (None, Some(zone)) => format!("{}枚", scene.table.zone(zone).len()),
            (None, None) => String::new(),
        });
        if was != is {
            found.push((format!("{}の{name}", schema.seats[seat.index()]), was, is));
        }
    }
    found
}

/// Who fights whom.
pub fn fight(scene: &Scene) -> Option<String> {
    let context = scene.table.contexts.iter().rev().find(|c| !c.fights.is_empty())?;
    let names = scene.names();
    let members = context.fights.iter().flat_map(|f| &f.members);
    let members: Vec<&str> = members.map(|(card, _)| names.label(card.id).as_str()).collect();
    (!members.is_empty()).then(|| members.join("と"))
}

/// Why a run went no further than it did, where that is not simply the end of its steps.
fn stop(ready: &Ready, attempt: &Attempt) -> Option<String> {
    match &attempt.run {
        Run::Stopped(stopped, ..) => Some(format!("{}: {}", stopped.lack.words(), stopped.text)),
        Run::Asks(question, table, _) if !matches!(question.asks, Asks::Act(_)) => {
            Some(options(ready.names(), table, question))
        }
        _ => None,
    }
}
