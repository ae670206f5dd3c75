//! What the outcome hangs on: everything that was gone through is knocked out in turn.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::OnceLock;

use serde::Serialize;

use super::came::{About, Came, Difference};
use crate::kernel::{Cite, Rule, Settings};
use crate::scenario::{Attempt, Does, Ready, Wanted};
use crate::text::Reading;
use crate::text::caught::or_fault;

/// A clause without which something else would have come out.
#[derive(Clone, Debug)]
pub struct Hangs {
    pub clause: &'static str,
    pub differences: Vec<Difference>,
    /// Only tidying up hangs on it, or it is what most boards hang on.
    pub routine: bool,
}

/// How many events a run without a clause may have: what goes round without it shall not keep anybody waiting.
const PATIENCE: usize = 5_000;

/// The clauses that were gone through and can be knocked out, each once, in order of first use.
pub fn removable(attempt: &Attempt) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = Vec::new();
    for cite in attempt.reached() {
        if !found.contains(&cite.clause) && can_be_removed(cite) {
            found.push(cite.clause);
        }
    }
    found
}

fn can_be_removed(cite: &Cite) -> bool {
    cite.rule.can_be_knocked_out()
}

/// How a board is played again beside the run that is shown, refusals by the same clauses and all.
fn compared(settings: &Settings) -> Settings {
    Settings { trace: false, reasons: true, patience: PATIENCE, ..settings.clone() }
}

/// What would have come out without the clause. Nothing can be said where the rulebook cannot do without it.
pub fn without(ready: &Ready, settings: &Settings, clause: &str) -> Option<(Attempt, Came)> {
    let mut off = settings.off.clone();
    off.push(clause.to_string());
    let settings = Settings { off, ..compared(settings) };
    or_fault(|| {
        let attempt = ready.attempt(&settings, None);
        let came = Came::of(ready, &attempt, &settings);
        (attempt, came)
    })
    .ok()
    .filter(|_| !ready.is_worn())
}

/// A clause is usual where one board of so many hangs on it.
const USUAL: u32 = 6;

/// On how many of the shipped boards the outcome hangs on the clause; under a game's own code, how many there are. What nearly every board hangs on (a main phase is
/// there to act in, what is played resolves) says nothing about this one. Written by `FULL=1 WRITE=1 cargo test --lib
/// what_decides_is_found`.
fn common(id: &str) -> u32 {
    static COUNTS: OnceLock<HashMap<&str, u32>> = OnceLock::new();
    let counts = COUNTS.get_or_init(|| {
        let line = |line: &'static str| line.split_once('\t').and_then(|(id, n)| Some((id, n.parse().ok()?)));
        include_str!("../../index/common.tsv").lines().filter_map(line).collect()
    });
    counts.get(id).copied().unwrap_or_default()
}

/// The clauses on which the outcome hangs, those that say most about the case first. `named`: how many rulings name a
/// clause as what decides them.
pub fn clauses(
    ready: &Ready,
    settings: &Settings,
    attempt: &Attempt,
    came: &Came,
    named: impl Fn(&str) -> usize,
) -> Vec<Hangs> {
    let mut found: Vec<(usize, Hangs)> = Vec::new();
    for (at, clause) in removable(attempt).into_iter().enumerate() {
        let Some((_, here)) = without(ready, settings, clause) else { continue };
        let differences = came.differences(&here);
        if matters(came, &differences) {
            let routine = differences.iter().all(|d| is_routine(ready, attempt, d));
            found.push((at, Hangs { clause, differences, routine }));
        }
    }
    // Where something of the case decides, what most boards hang on is no answer.
    let usual = |clause: &str| common(&format!("{}:{clause}", ready.book.code())) * USUAL > common(ready.book.code());
    if found.iter().any(|(_, hangs)| !hangs.routine && !usual(hangs.clause)) {
        found.iter_mut().for_each(|(_, hangs)| hangs.routine |= usual(hangs.clause));
    }
    let refuses = |clause: &str| attempt.barred.iter().any(|r| r.cite.is_some_and(|c| c.clause == clause));
    found.sort_by_cached_key(|(at, hangs)| {
        let clause = hangs.clause;
        let tells = telling(named(clause), common(&format!("{}:{clause}", ready.book.code())));
        let breaks = hangs.differences.iter().any(breaks);
        let depth = clause.split(['.', '-']).count();
        let weight = weight(&hangs.differences);
        (!refuses(clause), usual(clause), Reverse(tells), breaks, weight, Reverse(depth), Reverse(*at))
    });
    found.into_iter().map(|(_, hangs)| hangs).collect()
}

/// How much it says about a case that its outcome hangs on a clause, which so many rulings name as what decides them,
/// and on which so many of the shipped boards hang: much if it is mostly named where it decides, and little if it
/// decides everywhere. Over the rulings, the first clause that is found is one that the file names for five of six
/// (three of four by the number of boards alone).
fn telling(named: usize, common: u32) -> u64 {
    let (named, common) = (named as u64 + 1, u64::from(common) + 1);
    // On what none of the boards hangs nothing is known.
    let doubt = if common == 1 { 2 } else { 1 };
    named.pow(2) * 1_000_000_000 / (common.pow(3) * doubt)
}

/// What hangs on the clause is that the steps can be taken as they are written, and that it is still this turn.
fn breaks(d: &Difference) -> bool {
    let turn = |is: &Option<String>| is.as_ref().and_then(|is| is.split_once(' ')).map(|(turn, _)| turn.to_string());
    match d.about {
        About::Stop | About::Script => true,
        About::Refused => d.real.is_none(),
        About::Moment => turn(&d.real) != turn(&d.here),
        _ => false,
    }
}

/// Tidying up: what was played goes where such cards go, what paid is turned, an act is counted.
fn is_routine(ready: &Ready, attempt: &Attempt, d: &Difference) -> bool {
    let (start, now) = (&ready.given.table, attempt.run.table());
    let schema = ready.book.schema();
    match (d.about, d.card) {
        (About::Moment | About::Pile, _) => true,
        (About::Script, _) => d.here.is_none(),
        (About::Player, _) => schema.customs.verbs.iter().any(|verb| d.name.contains(verb)),
        (About::Card, Some(id)) => {
            let (was, is) = (start.obj(id).zone, now.obj(id).zone);
            let [began, ended] = [was, is].map(|zone| schema.spec(zone).board);
            let used = |m: &Wanted| m.card == Some(id) && matches!(m.verb.as_str(), "プレイ" | "発動");
            let played = ready.steps.iter().any(|s| matches!(&s.does, Does::Move(m) if used(m)));
            let destroyed = attempt.log.last_move(id).is_some_and(|e| e.how.contains("破壊") || e.name == "破壊");
            !ended && !destroyed && (played || !began && was == is)
        }
        _ => false,
    }
}

/// How much differs, apart from the time and from how the script fits.
fn weight(differences: &[Difference]) -> usize {
    let counts = |d: &&Difference| match d.about {
        About::Moment => false,
        // That the script no longer fits says something; that it only now does says nothing.
        About::Script => d.real.is_none(),
        _ => true,
    };
    differences.iter().filter(counts).count()
}

/// Time going by differently matters only where nothing else happens.
fn matters(came: &Came, differences: &[Difference]) -> bool {
    weight(differences) > 0 || !came.is_eventful() && !differences.is_empty()
}

/// A reading on which the outcome hangs, and what each of the others would give.
#[derive(Clone, Debug, Serialize)]
pub struct ByReading {
    /// `zx:C2`.
    pub reading: String,
    pub question: String,
    /// The one that was taken.
    pub taken: String,
    pub others: Vec<Other>,
}

/// What another reading would give.
#[derive(Clone, Debug, Serialize)]
pub struct Other {
    pub key: String,
    pub text: String,
    pub differences: Vec<Difference>,
}

/// The readings that were gone through.
pub fn assumed(attempt: &Attempt) -> Vec<&'static Cite> {
    let mut found: Vec<&'static Cite> = Vec::new();
    for cite in attempt.reached() {
        if cite.rule == Rule::Reading && !found.iter().any(|c| c.clause == cite.clause) {
            found.push(cite);
        }
    }
    found
}

/// Those of the readings on which the outcome hangs. `find` gives the text of a reading.
pub fn readings(
    ready: &Ready,
    settings: &Settings,
    attempt: &Attempt,
    came: &Came,
    find: impl Fn(&str) -> Option<Reading>,
) -> Vec<ByReading> {
    let mut found = Vec::new();
    for cite in assumed(attempt) {
        let Some(reading) = find(cite.clause) else { continue };
        let chosen = settings.readings.iter().find(|(id, _)| id == cite.clause).map(|(_, key)| key.clone());
        let taken = chosen.unwrap_or_else(|| reading.default.clone());
        let mut others = Vec::new();
        for option in reading.options.iter().filter(|o| o.key != taken) {
            let mut chosen: Vec<_> = settings.readings.iter().filter(|(id, _)| id != cite.clause).cloned().collect();
            chosen.push((cite.clause.to_string(), option.key.clone()));
            let settings = Settings { readings: chosen, ..compared(settings) };
            let there = ready.attempt(&settings, None);
            if ready.is_worn() {
                return found;
            }
            let differences = came.differences(&Came::of(ready, &there, &settings));
            // Where only what was played lies elsewhere in the end, that is told among what was taken for granted.
            let routine = differences.iter().all(|d| is_routine(ready, attempt, d));
            if matters(came, &differences) && !routine {
                let text = crate::text::node::plain(&option.text);
                others.push(Other { key: option.key.clone(), text, differences });
            }
        }
        if !others.is_empty() {
            let question = crate::text::node::plain(&reading.question);
            found.push(ByReading { reading: cite.id(), question, taken, others });
        }
    }
    found
}
