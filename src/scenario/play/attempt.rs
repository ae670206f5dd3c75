//! One way through a scenario: set up, played, looked at.

use std::collections::BTreeMap;

use crate::kernel::table::Outcome;
use crate::kernel::{Asks, Cite, Duel, Given, Lack, Rulebook, Run, Settings, Stopped, Trace, run};
use crate::scenario::expect::Expect;
use crate::scenario::expect::look::{Log, Look, Scene};
use crate::scenario::file::node::{At, Kind, Node, Note, Notes};
use crate::scenario::file::store::{Shelf, Store};
use crate::scenario::file::words::{Names, unknown};
use crate::scenario::file::work::Work;
use crate::scenario::file::{Scenario, Under, Vary};
use crate::scenario::given::setup::set_up;
use crate::scenario::play::answer::wanted_words;
use crate::scenario::play::player::{Player, Stop};
use crate::scenario::play::script::{Does, Reader, Step, Wanted};

/// What is set up and done, before it is read as words of the game.
#[derive(Clone, Debug, Default)]
pub struct Case {
    pub given: Node,
    pub play: Vec<Node>,
    pub readings: BTreeMap<String, String>,
}

/// A step was refused as it should be (which), or not (what is wrong, and the refusal where a step was refused).
type Refused = Result<(usize, Refusal), (Note, Option<Refusal>)>;

impl Case {
    pub fn of(scenario: &Scenario) -> Case {
        let file = &scenario.file;
        Case {
            given: file.given.clone().unwrap_or_default(),
            play: file.play.clone().unwrap_or_default(),
            readings: file.readings.clone(),
        }
    }

    /// The case with a twin's differences.
    pub fn varied(&self, vary: &Vary) -> Result<Case, Note> {
        let mut case = self.clone();
        if let Some(given) = &vary.given {
            case.given.merge(given);
        }
        if let Some(play) = &vary.play {
            case.play = replayed(&self.play, play)?;
        }
        case.readings.extend(vary.readings.clone());
        Ok(case)
    }

    /// The case as it is under some readings.
    pub fn under(&self, under: &Under) -> Result<Case, Note> {
        let mut case = self.clone();
        if let Some(play) = &under.play {
            case.play = replayed(&self.play, play)?;
        }
        case.readings.extend(under.readings.clone());
        Ok(case)
    }
}

/// The steps with the changes that a twin makes: all of them new, or some swapped, dropped, put in.
fn replayed(play: &[Node], change: &Node) -> Result<Vec<Node>, Note> {
    let pairs = match &change.kind {
        Kind::List(steps) => return Ok(steps.clone()),
        Kind::Map(pairs) => pairs,
        _ => {
            return Err(Note {
                at: change.at,
                text: "ここには手順の一覧か swap・drop・insert を書いてください".into(),
            });
        }
    };
    let number = |node: &Node, most: usize| match node.number() {
        Some(n) if n >= 1 && n as usize <= most => Ok(n as usize - 1),
        _ => Err(Note {
            at: node.at, text: format!("ここには手順の番号（1から{most}）を書いてください")
        }),
    };
    let mut order: Vec<usize> = (0..play.len()).collect();
    let mut dropped = Vec::new();
    let mut inserted: Vec<(usize, Vec<Node>)> = Vec::new();
    for (key, value) in pairs {
        match key.text.as_str() {
            "swap" => match value.items() {
                [a, b] => order.swap(number(a, play.len())?, number(b, play.len())?),
                _ => return Err(Note { at: value.at, text: "ここには番号を2つ書いてください".into() }),
            },
            "drop" => {
                for item in value.items() {
                    dropped.push(number(item, play.len())?);
                }
            }
            "insert" => {
                for item in value.items() {
                    let at = number(item.get("at").unwrap_or(item), play.len() + 1)?;
                    inserted.push((at, item.get("steps").map(|s| s.items().to_vec()).unwrap_or_default()));
                }
            }
            other => return Err(Note { at: key.at, text: unknown("項目", other, ["swap", "drop", "insert"]) }),
        }
    }
    let mut steps = Vec::new();
    for (place, step) in order.iter().map(Some).chain([None]).enumerate() {
        steps.extend(inserted.iter().filter(|(at, _)| *at == place).flat_map(|(_, new)| new.clone()));
        steps.extend(step.filter(|_| !dropped.contains(&place)).map(|i| play[*i].clone()));
    }
    Ok(steps)
}

/// A case read as words of the game: ready to be run any number of times.
pub struct Ready {
    pub book: &'static dyn Rulebook,
    pub given: Given,
    pub steps: Vec<Step>,
    pub readings: Vec<(String, String)>,
    work: Work,
}

impl Ready {
    pub fn new(scenario: &Scenario, store: &Store, case: &Case) -> Result<Ready, Vec<Note>> {
        let book = scenario.book;
        let mut notes = Notes::default();
        let shelf = Shelf::new(book, scenario.own_cards(), store);
        let given = set_up(book, &shelf, &case.given, &mut notes);
        // Labels of a table that is not whole would only be missed.
        if !notes.0.is_empty() {
            return Err(notes.0);
        }
        let names = Names { schema: book.schema(), labels: &given.labels };
        let steps = Reader { book, names, shelf: &shelf, notes: &mut notes }.steps(&case.play);
        let readings = readings(book.code(), &case.readings, &mut notes);
        if !notes.0.is_empty() {
            return Err(notes.0);
        }
        Ok(Ready { book, given, steps, readings, work: scenario.work.clone() })
    }

    pub fn names(&self) -> Names<'_> {
        Names { schema: self.book.schema(), labels: &self.given.labels }
    }

    pub fn expect(&self, node: &Node) -> Result<Expect, Vec<Note>> {
        let mut notes = Notes::default();
        let expect = Expect::read(node, self.names(), &mut notes);
        if notes.0.is_empty() { Ok(expect) } else { Err(notes.0) }
    }

    /// `given` must be lawful.
    pub fn unlawful(&self) -> Option<Note> {
        let settings = self.settings();
        let mut player = Player::new(self.book, &self.given, &settings, &[], &[]);
        let mut duel = Duel::new(self.book, &self.given, &mut player, &settings);
        let (cite, why) = self.book.unlawful(&mut duel)?;
        Some(Note {
            at: At::default(), text: format!("始まりの盤面がありえません: {why}（{}）", cite.id())
        })
    }

    pub fn settings(&self) -> Settings {
        Settings { readings: self.readings.clone(), patience: 50_000, ..Settings::default() }
    }

    /// Plays the script to its end. Steps that must be refused and are, are left out and it is played again.
    pub fn attempt(&self, settings: &Settings, open: Option<&[Vec<i32>]>) -> Attempt {
        let mut skip: Vec<usize> = Vec::new();
        let mut refusals: Vec<Refusal> = Vec::new();
        let mut patient: Vec<usize> = Vec::new();
        loop {
            let left = self.work.left(&self.given.table, settings.trace);
            let patience = settings.patience.min(left.unwrap_or(0));
            let cut = patience < settings.patience;
            let settings = &Settings { patience, ..settings.clone() };
            let mut player = Player::new(self.book, &self.given, settings, &self.steps, &skip);
            player.open = open;
            player.patient = &patient;
            if left.is_none() {
                self.work.exhaust();
                return Attempt { refusals, ..self.finish(self.worn_out(), player, None) };
            }
            let run = run(self.book, &self.given, &mut player, settings);
            self.work.spend(&self.given.table, run.table(), player.questions, settings.trace);
            if cut && matches!(&run, Run::Stopped(stop, ..) if stop.lack == Lack::Endless) {
                self.work.exhaust();
            }
            match self.refused(&run, &player) {
                Some(Ok((step, refusal))) => {
                    skip.push(step);
                    refusals.push(refusal);
                }
                Some(Err(_)) if player.early.is_some() => patient.extend(player.early),
                Some(Err((note, barred))) => {
                    return Attempt { refusals, barred, ..self.finish(run, player, Some(note)) };
                }
                None => return Attempt { refusals, ..self.finish(run, player, None) },
            }
        }
    }

    /// All that may be done for the scenario has been done: what comes of a run now says nothing.
    pub fn is_worn(&self) -> bool {
        self.work.is_over()
    }

    /// No more can be done.
    fn worn_out(&self) -> Run {
        let stopped = Stopped { lack: Lack::Endless, text: Work::over(), clauses: Vec::new() };
        Run::Stopped(Box::new(stopped), self.given.table.clone(), Trace::default())
    }

    /// Whether a step was refused, and whether it should have been.
    fn refused(&self, run: &Run, player: &Player) -> Option<Refused> {
        let (step, at, text, cite) = match (run, &player.stop) {
            (Run::Refused(refusal, ..), Some(Stop::Move { step, at })) => {
                (Some(*step), *at, format!("{}はできません: {}", refusal.what, refusal.why), refusal.cite)
            }
            (Run::Refused(refusal, ..), Some(Stop::Answer { step, at, text, .. })) => {
                (*step, *at, text.clone(), refusal.cite)
            }
            (Run::Refused(refusal, ..), _) => {
                let step = player.bold.or(player.next.checked_sub(1)).filter(|step| *step < self.steps.len());
                let at = step.map_or_else(At::default, |step| self.steps[step].at);
                (step, at, format!("{}: {}", refusal.what, refusal.why), refusal.cite)
            }
            (_, Some(Stop::Answer { step, at, text, cite })) => (*step, *at, text.clone(), *cite),
            _ => return None,
        };
        let by = cite.map(|c| c.id());
        let reason = match run {
            Run::Refused(refusal, ..) if matches!(player.stop, Some(Stop::Move { .. })) => refusal.why.clone(),
            // It is not the act that is refused but what was chosen for it.
            _ if matches!(player.stop, Some(Stop::Answer { .. })) => text.split(": ").next().unwrap_or("").to_string(),
            _ => String::new(),
        };
        let refusal = step.map(|s| Refusal { step: s, act: self.act(s), why: text.clone(), reason, cite });
        let wanted = step.and_then(|s| match &self.steps[s].does {
            Does::Move(Wanted { refused, .. }) | Does::Answer(_, refused) if !refused.is_empty() => Some((s, refused)),
            _ => None,
        });
        let (Some((step, wanted)), Some(refusal)) = (wanted, refusal.clone()) else {
            let by = by.map(|id| format!("（{id}）")).unwrap_or_default();
            return Some(Err((Note { at, text: format!("{text}{by}") }, refusal)));
        };
        if cite.is_some_and(|c| wanted.iter().any(|w| w == c.clause)) {
            return Some(Ok((step, refusal)));
        }
        let by = by.unwrap_or_else(|| "条文なし".into());
        let text = format!("{WRONG_CLAUSE}: {} のはずが {by}（{text}）", wanted.join("・"));
        Some(Err((Note { at, text }, Some(refusal))))
    }

    /// What a step does, in words.
    fn act(&self, step: usize) -> String {
        match &self.steps[step].does {
            Does::Move(wanted) => wanted_words(self.names(), wanted),
            Does::Answer(replies, _) => {
                let words = |r: &crate::scenario::play::script::Reply| {
                    let who = r.seat.map_or("偶然", |s| self.book.schema().seats[s.index()]);
                    format!("{who}が「{}」に{}と答える", r.slot, r.value)
                };
                replies.iter().map(words).collect::<Vec<_>>().join("、")
            }
            _ => self.steps[step].text.clone(),
        }
    }

    fn finish(&self, run: Run, mut player: Player, refusal: Option<Note>) -> Attempt {
        player.log.note(&self.given, run.table());
        let open = match &player.stop {
            Some(Stop::Open(question)) => Some((**question).clone()),
            _ => None,
        };
        let mut failures = std::mem::take(&mut player.failures);
        let refused = refusal.is_some();
        failures.extend(refusal);
        if let Some(step) = player.bold.filter(|_| !refused) {
            failures.push(player.dared(step));
        }
        match (&run, &player.stop) {
            (Run::Asks(question, table, _), Some(Stop::Unanswered) | None) => {
                let options = crate::scenario::play::answer::options(self.names(), table, question);
                let who = question.seat.map_or("chance", |s| self.book.schema().seats[s.index()]);
                let answer = format!("- {who}: {{{}: …}}", question.slot);
                let text = format!("答えがありません: {options}。手順に「{answer}」と書き足してください");
                let at = self.steps.get(player.next.saturating_sub(1)).map(|s| s.at).unwrap_or_default();
                failures.push(Note { at, text });
            }
            (_, Some(Stop::Lost(at, text))) => failures.push(Note { at: *at, text: text.clone() }),
            _ => {}
        }
        if open.is_none() && !refused {
            let (answers, steps) = player.left_over(matches!(run, Run::Ended(..)));
            failures.extend(answers);
            // Steps that did not come only follow from what is said above.
            if failures.is_empty() {
                failures.extend(steps);
            }
        }
        let memory = player.memory();
        let acts = player.acts;
        let idle = player.idle;
        let log = player.log;
        Attempt { run, failures, idle, log, refusals: Vec::new(), barred: None, open, memory, acts }
    }
}

fn readings(game: &str, readings: &BTreeMap<String, String>, notes: &mut Notes) -> Vec<(String, String)> {
    let known: Vec<&str> = crate::kernel::cite::cited(game)
        .iter()
        .filter(|c| c.rule == crate::kernel::Rule::Reading)
        .map(|c| c.clause)
        .collect();
    let mut found = Vec::new();
    for (id, key) in readings {
        let id = id.strip_prefix(&format!("{game}:")).unwrap_or(id);
        if !known.contains(&id) {
            notes.note(At::default(), unknown("読み", id, known.iter().copied()));
        }
        found.push((id.to_string(), key.clone()));
    }
    found
}

/// A step that was refused.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// What was tried, in words.
    pub act: String,
    pub why: String,
    /// Why a move is not offered, without what was tried, or which answer cannot be given.
    pub reason: String,
    /// Which step it is.
    pub step: usize,
    pub cite: Option<&'static Cite>,
}

/// What is said first where the clause that refuses is not the one that the file names.
pub const WRONG_CLAUSE: &str = "拒む条文が違います";

/// How one run went.
pub struct Attempt {
    pub run: Run,
    /// What was not as the script says, apart from the end.
    pub failures: Vec<Note>,
    /// Steps that there was nothing to do for: a slip, not something that keeps a board from being answered.
    pub idle: Vec<Note>,
    pub log: Log,
    /// Steps that were refused as they should be, and left out.
    pub refusals: Vec<Refusal>,
    /// The step at which it stopped because it was refused, and nobody said that it would be.
    pub barred: Option<Refusal>,
    /// The question at which exploring goes on.
    pub open: Option<crate::kernel::Question>,
    /// What is left of the script there.
    pub memory: (usize, Vec<(usize, usize)>),
    /// Questions for an act that were put.
    pub acts: usize,
}

impl Attempt {
    /// All that is wrong with the script.
    pub fn faults(&self) -> Vec<Note> {
        self.failures.iter().chain(&self.idle).cloned().collect()
    }

    /// The clauses that were applied, also in refusing.
    pub fn reached(&self) -> Vec<&'static Cite> {
        self.refusals
            .iter()
            .chain(&self.barred)
            .filter_map(|r| r.cite)
            .chain(self.run.trace().reached.iter().copied())
            .collect()
    }

    pub fn outcome(&self) -> Option<Outcome> {
        match &self.run {
            Run::Ended(outcome, ..) => Some(*outcome),
            other => other.table().over,
        }
    }

    /// The table at the end.
    pub fn scene<'a>(&'a self, ready: &'a Ready, settings: &Settings) -> Scene<'a> {
        let mut scene = Scene::new(ready.book, &ready.given, self.run.table(), settings);
        scene.outcome = self.outcome();
        if let Run::Asks(question, ..) = &self.run
            && matches!(question.asks, Asks::Act(_))
        {
            scene.asked = question.seat;
        }
        scene
    }

    /// What is not as expected at the end.
    pub fn check(&self, ready: &Ready, expect: &Expect, settings: &Settings, strict: bool) -> Vec<Note> {
        let start = Scene::new(ready.book, &ready.given, &ready.given.table, settings);
        let now = self.scene(ready, settings);
        Look { start: &start, now: &now, log: &self.log }.check(expect, strict)
    }
}
