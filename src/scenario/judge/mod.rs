//! Runs a case once, or every way, and says what is not as it must be.

pub mod board;
pub mod check;
pub mod explore;
pub mod tell;

use crate::kernel::{Cite, Lack, Run, Settings};
use crate::scenario::expect::Expect;
use crate::scenario::file::node::{At, Note};
use crate::scenario::judge::explore::{Ending, count, every_way};
use crate::scenario::play::attempt::{Attempt, Ready};

/// What must come of a run.
pub enum Goal {
    End(Expect),
    /// The document does not say.
    Undecided,
    All {
        every: Vec<Expect>,
        some: Option<Expect>,
        limit: usize,
    },
}

/// What came of it.
#[derive(Default)]
pub struct Judged {
    pub failures: Vec<Note>,
    pub reached: Vec<&'static Cite>,
    pub endings: Vec<Ending>,
    pub runs: usize,
}

/// Runs and looks. `strict`: also that nothing is expected of what nothing happened to.
pub fn judge(ready: &Ready, goal: &Goal, settings: &Settings, strict: bool) -> Judged {
    let Goal::All { every, some, limit } = goal else { return judge_one(ready, goal, settings, strict) };
    let mut judged = Judged::default();
    let mut found = some.is_none();
    let mut bad: Option<(Vec<Note>, Vec<String>)> = None;
    let runs = every_way(ready, settings, *limit, |attempt, answers| {
        let mut notes = attempt.faults();
        notes.extend(stopped(attempt));
        for expect in every {
            notes.extend(attempt.check(ready, expect, settings, false));
        }
        found |= some.as_ref().is_some_and(|s| attempt.check(ready, s, settings, false).is_empty());
        if !notes.is_empty() && bad.is_none() {
            bad = Some((notes, answers.to_vec()));
        }
        for cite in attempt.reached() {
            if !judged.reached.iter().any(|c| std::ptr::eq(*c, cite)) {
                judged.reached.push(cite);
            }
        }
        count(&mut judged.endings, ready, attempt, settings, answers);
    });
    match runs {
        Ok(runs) => judged.runs = runs,
        Err(text) => judged.failures.push(Note { at: At::default(), text }),
    }
    if let Some((notes, answers)) = bad {
        let with = |n: Note| Note { at: n.at, text: format!("{}（選び方: {}）", n.text, answers.join(" / ")) };
        judged.failures.extend(notes.into_iter().map(with));
    }
    if !found {
        judged
            .failures
            .push(Note { at: At::default(), text: "「some:」のようになる選び方はありません".into() });
    }
    judged
}

fn judge_one(ready: &Ready, goal: &Goal, settings: &Settings, strict: bool) -> Judged {
    let attempt = ready.attempt(settings, None);
    let mut failures = attempt.faults();
    match goal {
        Goal::End(expect) => {
            let stopped = stopped(&attempt);
            // Where the run went wrong, what it came to is only a consequence.
            if failures.is_empty() && stopped.is_none() {
                failures.extend(attempt.check(ready, expect, settings, strict));
            }
            failures.extend(stopped);
        }
        // The other two ways of not knowing are ours, not the document's.
        _ => match &attempt.run {
            Run::Stopped(stopped, ..) if stopped.lack == Lack::Undecided => failures.clear(),
            Run::Stopped(..) => failures.extend(stopped(&attempt)),
            _ => failures.push(Note {
                at: At::default(), text: "条文で決まりました。undecided ではありません".into()
            }),
        },
    }
    let mut reached = attempt.reached();
    // Who may see what is no event: it is gone into where it is asked for.
    if let Goal::End(expect) = goal
        && expect.claims.iter().any(|c| matches!(c.says, crate::scenario::expect::Says::Sees(..)))
    {
        reached.extend(ready.book.gloss(crate::kernel::Gloss::Information).into_iter().flatten());
        let (schema, table) = (ready.book.schema(), attempt.run.table());
        for claim in &expect.claims {
            if let (crate::scenario::expect::Says::Sees(seat, id, _), Some(seeing)) =
                (&claim.says, schema.customs.sight)
            {
                let obj = table.obj(*id);
                reached.extend(seeing(schema.spec(obj.zone), obj.owner == *seat, obj.face_up).1);
            }
        }
    }
    Judged { failures, reached, endings: Vec::new(), runs: 1 }
}

/// The run stopped without an answer.
fn stopped(attempt: &Attempt) -> Option<Note> {
    let Run::Stopped(stop, ..) = &attempt.run else { return None };
    let clauses = if stop.clauses.is_empty() { String::new() } else { format!("（{}）", stop.clauses.join("・")) };
    Some(Note { at: At::default(), text: format!("{}: {}{clauses}", stop.lack.words(), stop.text) })
}
