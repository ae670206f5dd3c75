//! The page of a run: what came of a board, what decided it, and how it came about.

use serde::Serialize;

use super::came::{self, Came, Difference};
use super::decide::{self, ByReading, Hangs};
use super::play::{pair, text};
use super::story::{self, Told};
use super::{omitted, say};
use crate::kernel::{Asks, Move, Run, Settings, Table, ZoneId};
use crate::scenario::{
    Attempt, Board, Case, Does, Expect, Key, Kind, Line, Node, Note, Ready, Refusal, Scenario, Scene, Store, Vary,
    Verdict, Wanted, WhatIf, data_words, explore_all, options, story,
};
use crate::text::caught::or_fault;
use crate::text::node::plain;
use crate::text::{Game, Library, Shelf};

/// A board on the desk, with the cards and the document it is read by.
#[derive(Clone, Copy)]
pub struct Desk<'a> {
    pub scenario: &'a Scenario,
    pub store: &'a Store,
    pub library: &'a Library,
}

/// What is shown of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Page {
    pub game: &'static str,
    /// How it can be asked for again: its id, its example, or its file.
    pub name: String,
    pub file: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// 「905.1 がないとしたら」. Empty for the board as it is written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub condition: Vec<String>,
    /// What is to be said about how it was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    pub conclusion: Vec<String>,
    /// What a ruling says of itself; none for a board that claims nothing, and for what is not its own board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// It came out as the file says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub deciding: Vec<Deciding>,
    /// The outcome hangs on how these are read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<ByReading>,
    pub story: Vec<Told>,
    pub changes: Vec<String>,
    /// Where a changed board comes out otherwise than as it is written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Twin>,
    pub omitted: Vec<String>,
    /// Who is asked what at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// What is not as the file says, or cannot be done as it is written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Note>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Board>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Board>,
    pub trace: Vec<Line>,
    /// Clauses that were gone through, in order of first use.
    pub reached: Vec<String>,
    /// Names that are not broken over two lines.
    #[serde(skip)]
    pub whole: Vec<String>,
    /// What the cards are called.
    #[serde(skip)]
    pub labels: Vec<String>,
}

/// A clause on which the outcome hangs.
#[derive(Clone, Debug, Serialize)]
pub struct Deciding {
    pub clause: String,
    pub text: String,
    /// What would have come out without it.
    pub without: Vec<String>,
    /// Named by the file, not found by the engine.
    pub named: bool,
    /// Only tidying up hangs on it (what was played goes where such cards go), or it is what most boards hang on.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub routine: bool,
    /// How it is known to decide, where not by knocking it out; or why it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The same board with a difference.
#[derive(Clone, Debug, Serialize)]
pub struct Twin {
    pub title: String,
    pub command: String,
}

impl Page {
    /// How many of the deciding clauses are shown: all, those the file names, or the first so many that are found.
    pub fn shown(&self, all: bool, most: usize) -> usize {
        let named = self.deciding.iter().filter(|d| d.named).count();
        match (all, named) {
            (true, _) => self.deciding.len(),
            (false, 0) => self.deciding.iter().rposition(|d| !d.routine).map_or(0, |last| last + 1).min(most),
            (false, named) => named,
        }
    }

    /// Why nothing is shown that decides.
    pub fn nothing_decides(&self) -> String {
        let short = |clause: &str| clause.split_once(':').map_or(clause, |(_, rest)| rest).to_string();
        let mut passed: Vec<String> = self.story.iter().filter_map(|t| t.clause.as_deref()).map(short).collect();
        passed.dedup();
        let passed =
            if passed.is_empty() { String::new() } else { format!("（通った条文: {}）", passed.join("、")) };
        let what = if self.deciding.is_empty() {
            "外して変わる条文はない"
        } else {
            "外して変わるのは後片付けだけ"
        };
        format!("{what}{passed}")
    }
}

/// A board that has been played once.
pub struct Played {
    pub ready: Ready,
    pub settings: Settings,
    pub attempt: Attempt,
    pub came: Came,
    pub expect: Option<Expect>,
}

impl Desk<'_> {
    pub fn shelf(&self) -> &Shelf {
        let game = Game::from_name(self.scenario.book.code()).expect("every rulebook is of a game");
        self.library.shelf(game)
    }

    /// The page of the board, or of the board as it would be if. `every`: also what decides besides what the file names.
    pub fn page(&self, asked: &WhatIf, every: bool) -> Result<Page, Vec<Note>> {
        let fault = |text| Err(vec![Note { at: Default::default(), text }]);
        self.scenario.anew();
        or_fault(|| self.made(asked, every)).unwrap_or_else(fault)
    }

    fn made(&self, asked: &WhatIf, every: bool) -> Result<Page, Vec<Note>> {
        let file = &self.scenario.file;
        let mut page = Page {
            game: self.scenario.book.code(),
            name: self.name(),
            file: self.scenario.path.display().to_string(),
            ..Page::default()
        };
        if file.verdict == Verdict::NotExecutable {
            page.title = file.title.clone();
            page.verdict = Some(file.verdict);
            page.reason = file.reason.clone();
            page.conclusion = vec!["動かす盤面のない裁定です。".into()];
            return Ok(page);
        }
        let wrong = self.wrong_readings();
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let (what_if, mut remarks) = self.honest(asked)?;
        let real = self.play(&WhatIf::default())?;
        remarks.extend(self.not_reached(&what_if, &real));
        page.remarks = remarks;
        if asked.is_empty() {
            page.title = file.title.clone();
            page.question = file.question.clone();
            self.fill(&mut page, &real);
            self.claims(&mut page, &real)?;
            self.decided(&mut page, &real, every);
            page.others = self.twins();
        } else {
            let here = self.play(&what_if)?;
            page.condition = self.condition(&what_if)?;
            self.fill(&mut page, &here);
            page.problems = here.attempt.failures.clone();
            page.differences = real.came.differences(&here.came);
            if what_if.without.is_empty() {
                self.found(&mut page, &here);
            }
        }
        self.tell(&mut page);
        Ok(page)
    }

    /// How the board can be asked for again.
    fn name(&self) -> String {
        let file = &self.scenario.file;
        file.id.clone().or(file.example.clone()).unwrap_or_else(|| self.scenario.path.display().to_string())
    }

    /// Plays the board once.
    pub fn play(&self, what_if: &WhatIf) -> Result<Played, Vec<Note>> {
        self.played(what_if.case(self.scenario).map_err(|n| vec![n])?, what_if)
    }

    fn played(&self, case: Case, what_if: &WhatIf) -> Result<Played, Vec<Note>> {
        let ready = Ready::new(self.scenario, self.store, &case).map_err(|notes| what_if.blame(notes))?;
        if let Some(note) = ready.unlawful() {
            return Err(vec![note]);
        }
        let twin = what_if.twin(self.scenario).map_err(|n| vec![n])?;
        let expect = match (twin, &self.scenario.file.expect) {
            (Some(vary), _) => Some(ready.expect(&vary.expect)?),
            // With other cards the file's own words may mean nothing.
            (None, Some(node)) => {
                ready.expect(node).map(Some).or_else(|n| if what_if.is_empty() { Err(n) } else { Ok(None) })?
            }
            (None, None) => None,
        };
        let settings = Settings { off: what_if.without.clone(), ..ready.settings() };
        let attempt = ready.attempt(&settings, None);
        let came = Came::of(&ready, &attempt, &settings);
        Ok(Played { ready, settings, attempt, came, expect })
    }

    /// The table after the first so many steps of the board.
    pub fn after(&self, asked: &WhatIf, steps: usize) -> Result<Board, Vec<Note>> {
        self.scenario.anew();
        let made = || {
            let (what_if, _) = self.honest(asked)?;
            let mut case = what_if.case(self.scenario).map_err(|n| vec![n])?;
            case.play.truncate(steps);
            let ready = Ready::new(self.scenario, self.store, &case)?;
            let settings = Settings { off: what_if.without.clone(), ..ready.settings() };
            let attempt = ready.attempt(&settings, None);
            Ok(Board::of(&attempt.scene(&ready, &settings)))
        };
        or_fault(made).unwrap_or_else(|text| Err(vec![Note { at: Default::default(), text }]))
    }

    /// The table at a line of the trace.
    pub fn at_line(&self, asked: &WhatIf, line: usize) -> Result<Board, Vec<Note>> {
        self.scenario.anew();
        let made = || {
            let (what_if, _) = self.honest(asked)?;
            let case = what_if.case(self.scenario).map_err(|n| vec![n])?;
            let ready = Ready::new(self.scenario, self.store, &case)?;
            let settings = Settings { off: what_if.without.clone(), moment: Some(line), ..ready.settings() };
            let attempt = ready.attempt(&settings, None);
            let table = attempt.run.trace().moment.as_deref().unwrap_or(&ready.given.table);
            Ok(Board::of(&Scene::new(ready.book, &ready.given, table, &settings)))
        };
        or_fault(made).unwrap_or_else(|text| Err(vec![Note { at: Default::default(), text }]))
    }

    /// What is done, step by step: after how many steps it is done, and its words. What is only looked at in between
    /// is left out.
    pub fn steps(&self, asked: &WhatIf) -> Vec<(usize, String)> {
        let case = asked.case(self.scenario).unwrap_or_default();
        let done = |(at, step): (usize, &Node)| (step.get("expect").is_none()).then(|| (at + 1, words(step)));
        case.play.iter().enumerate().filter_map(done).collect()
    }

    /// What came of it.
    fn fill(&self, page: &mut Page, played: &Played) {
        let Played { ready, settings, attempt, came, expect } = played;
        let start = Scene::new(ready.book, &ready.given, &ready.given.table, settings);
        let now = attempt.scene(ready, settings);
        page.conclusion = say::conclusion(ready, attempt, settings, came, expect.as_ref());
        page.changes = came::told(&start, &now).iter().map(ToString::to_string).collect();
        page.before = Some(Board::of(&start));
        page.after = Some(Board::of(&now));
        page.trace = story(attempt.run.trace(), &|id| self.heading(id));
        for cite in attempt.reached() {
            if !page.reached.contains(&cite.id()) {
                page.reached.push(cite.id());
            }
        }
        page.omitted = omitted::omitted(self, played);
        page.next = match &attempt.run {
            Run::Asks(question, table, _) if matches!(question.asks, Asks::Act(_)) => {
                Some(options(ready.names(), table, question))
            }
            _ => None,
        };
        page.whole = whole(ready);
        page.labels = ready.given.labels.iter().map(ToString::to_string).collect();
    }

    /// Whether it comes out as the file says, where the file says something.
    fn claims(&self, page: &mut Page, played: &Played) -> Result<(), Vec<Note>> {
        let Played { ready, settings, attempt, expect, .. } = played;
        let file = &self.scenario.file;
        let claims = expect.is_some() || file.explore.is_some() || !file.under.is_empty();
        page.reason = file.reason.clone();
        page.verdict = claims.then_some(file.verdict);
        if !file.under.is_empty() {
            page.conclusion = vec!["条文では決まらない。".to_string()];
            for under in &file.under {
                let key: Vec<String> = under.readings.iter().map(|(id, key)| format!("{id}={key}")).collect();
                let what_if = WhatIf { readings: under.readings.clone().into_iter().collect(), ..WhatIf::default() };
                let case = Case::of(self.scenario).under(under).map_err(|n| vec![n])?;
                let there = self.played(case, &what_if)?;
                let expect = there.ready.expect(&under.expect)?;
                let said =
                    say::conclusion(&there.ready, &there.attempt, &there.settings, &there.came, Some(&expect)).concat();
                page.conclusion.push(format!("{} なら、{said}", key.join("・")));
            }
            page.passed = Some(true);
            return Ok(());
        }
        if let Some(explore) = &file.explore {
            let found = explore_all(ready, explore.limit);
            let (endings, _) = found.map_err(|text| vec![Note { at: Default::default(), text }])?;
            page.conclusion = vec![format!("選び方によって、結果は{}通りある。", endings.len())];
            page.passed = Some(crate::scenario::holds(self.scenario, self.store));
            return Ok(());
        }
        let stopped = matches!(attempt.run, Run::Stopped(..));
        if claims {
            page.problems = attempt.faults();
        } else {
            page.problems = attempt.failures.clone();
            page.remarks.extend(attempt.idle.iter().map(|note| format!("{}行目: {}", note.at.line, note.text)));
            let waits = |t: &Table| t.contexts.iter().any(|c| !c.fights.is_empty() || !c.pile.is_empty());
            if let Some(next) = page.next.as_mut().filter(|_| waits(attempt.run.table())) {
                next.push_str("。「- pass: all」と書き足すと、終わりまで進みます");
            }
        }
        if let Some(expect) = expect.as_ref().filter(|_| page.problems.is_empty()) {
            page.problems.extend(attempt.check(ready, expect, settings, false));
        }
        // An act that cannot be done is an answer to a board that claims nothing.
        if !claims && attempt.barred.is_some() {
            // But one that names the clause claims that.
            page.problems.retain(|note| note.text.starts_with(crate::scenario::WRONG_CLAUSE));
            let wrong = std::mem::take(&mut page.problems);
            page.remarks.extend(wrong.into_iter().map(|note| format!("{}行目: {}", note.at.line, note.text)));
            page.remarks.extend(self.only_now(played));
            page.remarks.extend(price(played));
        } else if attempt.barred.is_some() {
            page.remarks.extend(self.only_now(played));
        }
        page.passed = claims.then_some(page.problems.is_empty() && (!stopped || file.verdict == Verdict::Undecided));
        Ok(())
    }

    /// What decides: what the file names, else what is found.
    fn decided(&self, page: &mut Page, played: &Played, every: bool) {
        let file = &self.scenario.file;
        let named = if file.why.is_empty() { &file.clauses } else { &file.why };
        let named: Vec<String> = named.iter().filter_map(|n| self.scenario.clause(n).ok()).collect();
        page.deciding = named.iter().map(|clause| self.named(clause, played)).collect();
        if named.is_empty() || every {
            let mut found = self.hanging(played);
            found.retain(|d| !page.deciding.iter().any(|n| n.clause == d.clause));
            page.deciding.extend(found);
        }
        self.by_reading(page, played);
    }

    fn found(&self, page: &mut Page, played: &Played) {
        page.deciding = self.hanging(played);
        self.by_reading(page, played);
    }

    fn by_reading(&self, page: &mut Page, played: &Played) {
        let Played { ready, settings, attempt, came, .. } = played;
        let find = |id: &str| self.shelf().readings().iter().find(|r| r.id.clause.as_str() == id).cloned();
        page.readings = decide::readings(ready, settings, attempt, came, find);
    }

    /// The clauses that are found to decide.
    pub fn hanging(&self, played: &Played) -> Vec<Deciding> {
        let Played { ready, settings, attempt, came, .. } = played;
        let show = |hangs: Hangs| Deciding {
            clause: format!("{}:{}", ready.book.code(), hangs.clause),
            text: self.text(hangs.clause),
            without: say::instead(&hangs.differences),
            named: false,
            routine: hangs.routine,
            note: None,
        };
        let shelf = self.shelf();
        let named = |clause: &str| {
            let at = shelf.lines().iter().position(|l| l.clause == clause);
            at.map_or(0, |at| shelf.ruled(at))
        };
        let found = decide::clauses(ready, settings, attempt, came, named);
        let mut found: Vec<Deciding> = found.into_iter().map(show).collect();
        // What refuses decides, also where it cannot be knocked out.
        for cite in attempt.barred.iter().filter_map(|r| r.cite) {
            if !found.iter().any(|d| d.clause == cite.id()) {
                let note = Some("これに断られた（外して確かめることはできない）".to_string());
                let text = self.text(cite.clause);
                found.insert(
                    0,
                    Deciding { clause: cite.id(), text, without: Vec::new(), named: false, routine: false, note },
                );
            }
        }
        found
    }

    /// An act that is refused only because of the moment, or of how its card lies: how to write the board so that it
    /// comes to that.
    fn only_now(&self, played: &Played) -> Option<String> {
        let barred = played.attempt.barred.as_ref()?;
        let Does::Move(Wanted { card, verb, .. }) = &played.ready.steps[barred.step].does else { return None };
        let schema = played.ready.book.schema();
        let case = Case::of(self.scenario);
        let turn = played.attempt.run.table().turn;
        let settings = Settings { trace: false, ..played.settings.clone() };
        let tried = |case: &Case| {
            let ready = Ready::new(self.scenario, self.store, case).ok()?;
            if ready.unlawful().is_some() {
                return None;
            }
            Some(ready.attempt(&settings, None))
        };
        let goes_on = |case: &Case, step: usize| {
            tried(case).is_some_and(|attempt| {
                let done = attempt.memory.0 > step && attempt.barred.as_ref().is_none_or(|b| b.step > step);
                done && attempt.run.table().turn == turn && !matches!(attempt.run, Run::Stopped(..))
            })
        };
        let later = |phase: &str| {
            let mut later = case.clone();
            later.play.insert(barred.step, pair("until", text(phase)));
            later
        };
        // Of several times the innermost says it best.
        let is_then = |phase: &str| {
            let mut then = later(phase);
            then.play.truncate(barred.step + 1);
            tried(&then).is_some_and(|attempt| attempt.run.table().context().step == phase)
        };
        let phases = schema.words.phases.iter().copied();
        let phases: Vec<&str> = phases.filter(|phase| goes_on(&later(phase), barred.step + 1)).collect();
        if let Some(phase) = phases.iter().find(|phase| is_then(phase)).or(phases.first()) {
            let step = barred.step + 1;
            // What the file says is refused is refused then, and by its clause.
            let refused = tried(&later(phase)).is_some_and(|then| then.refusals.iter().any(|r| r.step == step));
            return Some(match refused {
                true => format!("この手順の前に「- until: {phase}」と書くと、挙げた条文で断られます"),
                false => format!("できないのは今だけです。この手順の前に「- until: {phase}」と書くとできます"),
            });
        }
        // An act without a card may lead there: to enter the battle phase.
        let mut before = case.clone();
        before.play.truncate(barred.step);
        if let Some(attempt) = tried(&before)
            && let Run::Asks(question, ..) = &attempt.run
            && let (Asks::Act(moves), Some(seat)) = (&question.asks, question.seat)
        {
            let who = schema.seats[seat.index()];
            let led = |m: &Move, until: Option<&str>| {
                let mut led = case.clone();
                let steps = [Some(pair(who, text(m.verb.as_str()))), until.map(|phase| pair("until", text(phase)))];
                let steps: Vec<Node> = steps.into_iter().flatten().collect();
                let then = barred.step + steps.len();
                led.play.splice(barred.step..barred.step, steps);
                goes_on(&led, then)
            };
            for m in moves.iter().filter(|m| m.card.is_none() && !m.is_pass()) {
                let untils = [None].into_iter().chain(schema.words.phases.iter().copied().map(Some));
                if let Some(until) = untils.into_iter().find(|until| led(m, *until)) {
                    let until = until.map(|phase| format!("「- until: {phase}」")).unwrap_or_default();
                    let steps = format!("「- {who}: {}」{until}", m.verb);
                    return Some(format!("できないのは今だけです。この手順の前に{steps}と書くとできます"));
                }
            }
        }
        let mut earlier = case.clone();
        let start = Node { kind: Kind::Bool(true), ..Node::default() };
        earlier.given.merge(&pair("turn", pair("start", start)));
        if goes_on(&earlier, barred.step) {
            let how = "given の turn に start: true を書くと、そのフェイズの初めからになり、できます";
            return Some(format!("できないのは今だけです。{how}"));
        }
        // What is refused now for its moment, and at its own moment for another reason: that one is the answer.
        let why = |r: &Refusal| (r.cite.map(|c| c.clause), r.reason.clone());
        let refused = |phase: &&'static str| {
            let mut then = later(phase);
            then.play.truncate(barred.step + 2);
            let attempt = tried(&then)?;
            let refusal = attempt.barred.clone().filter(|r| r.step == barred.step + 1)?;
            (attempt.run.table().turn == turn).then_some((*phase, refusal))
        };
        let refused: Vec<(&str, Refusal)> = schema.words.phases.iter().filter_map(refused).collect();
        let (same, mut other): (Vec<_>, Vec<_>) = refused.iter().partition(|(_, r)| why(r) == why(barred));
        // A step in which it is asked for says more than a phase in which it never is.
        if other.iter().any(|(phase, _)| is_then(phase)) {
            other.retain(|(phase, _)| is_then(phase));
        }
        let one = other.iter().all(|(_, r)| why(r) == why(&other[0].1));
        // Being refused for the time now says nothing of the act, and being refused for the time then nothing new.
        let untimely = |r: &Refusal| {
            let words = ["フェイズ", "ステップ", "ターンではない", "選択肢にない", "中は"];
            schema.words.phases.iter().chain(&words).any(|word| r.reason.contains(word))
        };
        let tells = |r: &Refusal| one && !same.is_empty() && r.cite.is_some() && untimely(barred) && !untimely(r);
        if let Some((phase, refusal)) = other.first().filter(|(_, r)| tells(r)) {
            let by = refusal.cite.map(|c| c.id()).unwrap_or_default();
            let reason = &refusal.reason;
            return Some(format!(
                "{phase}になってもできません（{by} {reason}）。この手順の前に「- until: {phase}」と書くと、そこで確かめられます"
            ));
        }
        let card = played.ready.names().label((*card)?);
        // With the card left open, an act that names its card would be another card's.
        let bare = |moves: &[Move]| moves.iter().any(|m| m.verb == *verb && m.card.is_none());
        let names_none = tried(&before).is_some_and(
            |attempt| matches!(&attempt.run, Run::Asks(q, ..) if matches!(&q.asks, Asks::Act(moves) if bare(moves))),
        );
        let answered = opened(&case, barred.step).filter(|_| names_none).and_then(|open| tried(&open));
        if answered.is_some_and(|attempt| attempt.barred.is_none_or(|b| b.step > barred.step)) {
            let how = format!("「- A: {{{verb}: , …: {card}}}」のように値を空け、問いへの答えに書いてください");
            return Some(format!("{verb}のカードは、問われてから選びます。{how}"));
        }
        let lies = |state: &&&str| {
            let set = vec![(format!("{card}.state"), state.to_string())];
            let case = WhatIf { set, ..WhatIf::default() }.case(self.scenario);
            case.is_ok_and(|case| goes_on(&case, barred.step))
        };
        let state = schema.states.iter().chain(&["裏", "表"]).find(lies)?;
        Some(format!("{card}が「{state}」ならできます（given に {{{card}: カード名, state: {state}}} と書く）"))
    }

    /// A clause that the file names: what would be without it, or why that cannot be said.
    fn named(&self, clause: &str, played: &Played) -> Deciding {
        let Played { ready, settings, attempt, came, expect } = played;
        let code = ready.book.code();
        let cites: Vec<_> = crate::kernel::cite::cited(code).into_iter().filter(|c| c.clause == clause).collect();
        let reached = attempt.reached().iter().any(|c| c.clause == clause);
        let removable = cites.iter().any(|c| c.rule.can_be_knocked_out());
        let mut without = Vec::new();
        let other = if reached && removable { decide::without(ready, settings, clause) } else { None };
        if let Some((other, here)) = other {
            without = say::instead(&came.differences(&here));
            if let Some(expect) = expect.as_ref().filter(|_| without.is_empty()) {
                without = other.check(ready, expect, settings, false).into_iter().map(|n| n.text).collect();
            }
        }
        let carrier = self.carrier(clause);
        let note = match (cites.is_empty(), reached, without.is_empty(), carrier) {
            (_, _, false, _) => None,
            (_, _, true, Some((at, vary))) => Some(format!("別の場合{}（{}）と比べると分かる", at + 1, vary.name)),
            (true, ..) => Some("処理がない".to_string()),
            (_, false, ..) => Some("通っていない".to_string()),
            _ if removable => Some("外しても変わらない".to_string()),
            _ => Some("外して確かめられない".to_string()),
        };
        Deciding {
            clause: format!("{code}:{clause}"),
            text: self.text(clause),
            without,
            named: true,
            routine: false,
            note,
        }
    }

    /// The twin that shows that a clause decides.
    fn carrier(&self, clause: &str) -> Option<(usize, &Vary)> {
        let carries = |vary: &Vary| vary.carries.iter().any(|n| self.scenario.clause(n).is_ok_and(|c| c == clause));
        self.scenario.file.vary.iter().enumerate().find(|(_, vary)| carries(vary))
    }

    fn twins(&self) -> Vec<Twin> {
        let twin = |(at, vary): (usize, &Vary)| Twin {
            title: vary.name.clone(),
            command: format!("saitei run {} --vary {}", self.name(), at + 1),
        };
        self.scenario.file.vary.iter().enumerate().map(twin).collect()
    }

    /// The lines that matter, the deciding ones marked.
    fn tell(&self, page: &mut Page) {
        let deciding: Vec<&str> =
            page.deciding.iter().filter(|d| !d.routine).take(story::MARKED).map(|d| d.clause.as_str()).collect();
        let said = page.conclusion.concat();
        page.story = story::short(&page.trace, &deciding, &page.labels, &said);
    }

    /// What a clause says, in our words.
    pub fn text(&self, clause: &str) -> String {
        let shelf = self.shelf();
        let Some(at) = shelf.lines().iter().position(|l| l.clause == clause) else { return String::new() };
        let node = shelf.node(at);
        node.text.as_deref().map(plain).or(node.title).unwrap_or_default().replace('\n', " ")
    }

    /// What a clause is called: its title, or how its text begins.
    pub fn heading(&self, id: &str) -> Option<String> {
        heading(self.library, id)
    }
}

/// What would have to be paid, where it cannot be.
fn price(played: &Played) -> Option<String> {
    let Played { ready, settings, attempt, .. } = played;
    let barred = attempt.barred.as_ref().filter(|r| r.reason.contains("支払えない"))?;
    let Does::Move(Wanted { card: Some(id), verb, .. }) = &ready.steps[barred.step].does else { return None };
    let schema = ready.book.schema();
    let (scene, label) = (attempt.scene(ready, settings), ready.names().label(*id));
    let costs = schema.words.data.iter().enumerate().filter(|(_, (name, _))| name.contains("コスト"));
    // A price that is named after an act is the price of that act.
    let of_act = |name: &str| schema.customs.verbs.iter().find(|v| name.contains(**v)).is_none_or(|v| *verb == *v);
    let told = costs.filter(|(_, (name, _))| of_act(name)).map(|(at, (name, _))| {
        let is = data_words(&scene.seen(*id).data[at]);
        (!is.is_empty()).then(|| format!("{label}の{name}は{is}"))
    });
    let told: Vec<String> = told.flatten().collect();
    // What is paid with may be there and pay nothing.
    let bare = omitted::bare(ready);
    let bare = match bare.is_empty() {
        true => String::new(),
        false => format!(
            "。{}の名のないカードには色もデータもありません（払うには、カード名で書いてください）",
            bare.join("・")
        ),
    };
    (!told.is_empty()).then(|| format!("{}{bare}", told.join("、")))
}

/// The case with an act whose card is left open.
fn opened(case: &Case, step: usize) -> Option<Case> {
    let mut case = case.clone();
    let Kind::Map(who) = &mut case.play.get_mut(step)?.kind else { return None };
    let Kind::Map(act) = &mut who.first_mut()?.1.kind else { return None };
    act.first_mut()?.1.kind = Kind::Null;
    Some(case)
}

/// A step without the marks of YAML: 「A プレイ 蜘蛛、to 中央/自軍」.
fn words(step: &Node) -> String {
    match &step.kind {
        Kind::Map(pairs) => {
            let pair = |(key, value): &(Key, Node)| match (key.text.as_str(), words(value)) {
                ("pass", value) if value == "both" => "両者が放棄".to_string(),
                ("pass", value) if value == "all" => "解決がすべて終わるまで放棄".to_string(),
                ("pass", value) => format!("{value}が放棄"),
                ("until", value) => format!("{value}まで進める"),
                ("refused", value) => format!("できない {value}"),
                (key, value) => format!("{key} {value}"),
            };
            pairs.iter().map(pair).collect::<Vec<_>>().join("、")
        }
        Kind::List(items) => items.iter().map(words).collect::<Vec<_>>().join("・"),
        Kind::Null => String::new(),
        _ => step.text().map_or_else(|| step.to_string(), |t| t.to_string()),
    }
}

/// What a clause is called: its title, or how its text begins.
pub fn heading(library: &Library, id: &str) -> Option<String> {
    let id: crate::text::Id = id.parse().ok()?;
    let shelf = library.shelf(id.game);
    let at = shelf.position(&id.clause)?;
    if let Some(title) = shelf.line(at).title {
        return Some(title.to_string());
    }
    let text = plain(&shelf.node(at).text?);
    let sentence = text.split(['。', '\n']).next().unwrap_or_default();
    let short: String = sentence.chars().take(HEADING).collect();
    Some(if short.len() < sentence.len() { short + "…" } else { short })
}

/// How much of a clause is enough to know it by.
const HEADING: usize = 36;

/// What is not broken over two lines: cards and places by their names.
fn whole(ready: &Ready) -> Vec<String> {
    let schema = ready.book.schema();
    let zones = schema.zones.iter().map(|z| z.name);
    // 「B.墓地」 as well: whose it is stays with it.
    let owned: Vec<String> = (0..schema.zones.len()).map(|i| ready.names().zone_name(ZoneId(i as u8))).collect();
    let cards = ready.given.defs.iter().map(|d| d.name());
    let labels = ready.given.labels.iter().map(|l| l.as_str());
    let mut names: Vec<String> = zones
        .chain(cards.map(|c| c.as_str()))
        .chain(labels)
        .chain(owned.iter().map(String::as_str))
        .chain(schema.words.phases.iter().copied())
        .filter(|n| n.chars().count() > 1)
        .map(String::from)
        .collect();
    names.sort();
    names.dedup();
    names
}
