//! Plays a script: answers the questions of a duel from the steps, strictly in their order.

use crate::card::Word;
use crate::kernel::question::concession;
use crate::kernel::{Answers, Asks, Cite, Given, Move, Question, Rulebook, Seat, Settings, Table};
use crate::scenario::expect::look::{Log, Look, Scene};
use crate::scenario::file::node::{At, Note};
use crate::scenario::file::words::Names;
use crate::scenario::play::answer::{Ambiguity, answer, find_move};
use crate::scenario::play::legal::Legal;
use crate::scenario::play::passing::Progress;
use crate::scenario::play::script::{Does, Passing, Reply, Step, Wanted};
use crate::scenario::play::waiting::{Taken, Waiting};

/// How many turns may go by while everybody passes and a step waits.
const TURNS: u16 = 2;

/// Why the script stopped answering.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The steps are used up.
    End,
    /// A question that nobody answers.
    Unanswered,
    /// A move that is not offered: the step. The game says why.
    Move { step: usize, at: At },
    /// An answer that is not possible, or is not clear: the step, and the clause that refuses it.
    Answer { step: Option<usize>, at: At, text: String, cite: Option<&'static Cite> },
    /// An answer left open: exploring goes on from here.
    Open(Box<Question>),
    /// A step whose moment never came.
    Lost(At, String),
}

pub struct Player<'a> {
    pub book: &'static dyn Rulebook,
    pub given: &'a Given,
    pub settings: &'a Settings,
    pub steps: &'a [Step],
    /// Steps that were refused as they should be, and are left out.
    pub skip: &'a [usize],
    /// Steps to be refused that are not refused before their seat is to act.
    pub patient: &'a [usize],
    /// The step that was tried before its seat was to act.
    pub early: Option<usize>,
    /// Answers to the questions that the script leaves open, in exploring.
    pub open: Option<&'a [Vec<i32>]>,
    pub used_open: usize,
    /// Questions for an act that were put.
    pub acts: usize,
    /// Questions of any kind.
    pub questions: usize,
    pub next: usize,
    pub stop: Option<Stop>,
    pub failures: Vec<Note>,
    /// Steps that there was nothing to do for.
    pub idle: Vec<Note>,
    pub log: Log,
    /// The step that should have been refused and so far was not.
    pub bold: Option<usize>,
    /// Questions that were put and answered by the script, for hints.
    asked: Vec<(Option<Seat>, Word)>,
    /// Questions that have but one answer and are not put.
    forced: Vec<Word>,
    /// Answers, by step and place, to questions that had but one answer and were not put.
    told: Vec<(usize, usize)>,
    waiting: Waiting,
    progress: Option<Progress>,
    /// Who has just made a move: it may wait for what the other seat says to it.
    acted: Option<Seat>,
    wanted: Option<(Seat, Move)>,
    /// The turn in which the step that waits became next.
    since: (usize, u16),
    /// The phases and steps that have begun since then.
    seen: Vec<Word>,
}

impl<'a> Player<'a> {
    pub fn new(
        book: &'static dyn Rulebook,
        given: &'a Given,
        settings: &'a Settings,
        steps: &'a [Step],
        skip: &'a [usize],
    ) -> Player<'a> {
        Player {
            book,
            given,
            settings,
            steps,
            skip,
            patient: &[],
            early: None,
            open: None,
            used_open: 0,
            acts: 0,
            questions: 0,
            next: 0,
            stop: None,
            failures: Vec::new(),
            idle: Vec::new(),
            log: Log::new(given),
            bold: None,
            asked: Vec::new(),
            forced: Vec::new(),
            told: Vec::new(),
            waiting: Waiting::default(),
            progress: None,
            acted: None,
            wanted: None,
            since: (0, given.table.turn),
            seen: Vec::new(),
        }
    }

    fn names(&self) -> Names<'a> {
        Names { schema: self.book.schema(), labels: &self.given.labels }
    }

    fn skip_done(&mut self) {
        while self.skip.contains(&self.next) {
            self.next += 1;
        }
    }

    /// Answers that were never used, and the first step that never came.
    pub fn left_over(&mut self, over: bool) -> (Vec<Note>, Option<Note>) {
        self.skip_done();
        let answers = self.waiting.left_over(&self.asked, &self.forced, self.names().schema);
        let rest = self.steps.iter().enumerate().skip(self.next).filter(|(i, _)| !self.skip.contains(i));
        // Where it has been decided who wins, nobody passes any more.
        let idle = |step: &Step| over && matches!(step.does, Does::Pass(_));
        let begun = self.progress.is_some();
        let late = rest.clone().filter(|(i, step)| idle(step) && !(begun && *i == self.next));
        let text = "勝敗はもう決まっています。この手順は要りません";
        self.idle.extend(late.map(|(_, step)| Note { at: step.at, text: text.into() }));
        let rest = rest.filter(|(_, step)| !idle(step));
        // Passing that went on until the duel was over was done.
        let passing =
            |i: usize, step: &Step| i == self.next && self.progress.is_some() && matches!(step.does, Does::Pass(_));
        let mut rest = rest.filter(|(i, step)| !passing(*i, step)).map(|(_, step)| step);
        let first = rest.next();
        let more = rest.count();
        let more = if more > 0 { format!("（後の{more}手順も）") } else { String::new() };
        let note = first
            .map(|step| Note {
                at: step.at, text: format!("この手順には来ませんでした: {}{more}", step.text)
            });
        (answers, note)
    }

    /// The memory of exploring: what is left to do is the same.
    pub fn memory(&self) -> (usize, Vec<(usize, usize)>) {
        (self.next, self.waiting.print())
    }

    fn done(&mut self, t: &Table) {
        self.next += 1;
        self.progress = None;
        self.skip_done();
        self.since = (self.next, t.turn);
        self.seen.clear();
    }

    /// A step of its own was reached: what should have been refused was not.
    fn no_refusal(&mut self) {
        if let Some(step) = self.bold.take() {
            self.failures.push(self.dared(step));
        }
    }

    /// What should have been refused was done; what it said but was not asked for played no part in it.
    pub fn dared(&self, step: usize) -> Note {
        let Step { at, text, .. } = &self.steps[step];
        let unasked = self.waiting.up_to(step).map(|slot| format!("「{slot}」")).collect::<Vec<_>>().join("、");
        let unasked =
            if unasked.is_empty() { unasked } else { format!("（{unasked}は問われませんでした）") };
        Note { at: *at, text: format!("できないはずのことができました{unasked}: {text}") }
    }

    fn scene_check(&mut self, t: &Table, question: &Question, step: usize) {
        let Does::Expect(expect) = &self.steps[step].does else { return };
        let start = Scene::new(self.book, self.given, &self.given.table, self.settings);
        let mut now = Scene::new(self.book, self.given, t, self.settings);
        if matches!(question.asks, Asks::Act(_)) {
            now.asked = question.seat;
        }
        let notes = Look { start: &start, now: &now, log: &self.log }.check(expect, true);
        self.failures.extend(notes);
    }

    /// Gives an answer that has waited for this question.
    fn reply(&mut self, t: &Table, question: &Question, taken: Taken) -> Option<Vec<i32>> {
        match answer(self.names(), t, question, &taken.value) {
            Ok(answer) => Some(answer),
            Err(wrong) => {
                let named = wrong.cite.is_some();
                self.stop =
                    Some(Stop::Answer { step: Some(taken.step), at: taken.at, text: wrong.text, cite: wrong.cite });
                // Where no clause is known for this thing, the kernel names the clause that asks.
                if named { None } else { Some(vec![i32::MIN]) }
            }
        }
    }

    /// A choice, an order, a number: from answers that wait, else from the next step.
    fn choice(&mut self, t: &Table, question: &Question) -> Option<Vec<i32>> {
        self.asked.push((question.seat, question.slot));
        self.skip_done();
        loop {
            if let Some(taken) = self.waiting.take(question, self.bold, false) {
                return self.reply(t, question, taken);
            }
            let minor = question.minor || question.seat.is_none() && matches!(question.asks, Asks::Order(_));
            let steps = self.steps;
            match steps.get(self.next).map(|s| &s.does) {
                Some(Does::Answer(replies, refused)) if replies.iter().any(|r| r.fits(question)) => {
                    self.no_refusal();
                    self.keep(replies);
                    if !refused.is_empty() {
                        self.bold = Some(self.next);
                    }
                    self.done(t);
                }
                Some(Does::Answer(replies, _)) if self.told_of(self.next).len() == replies.len() => {
                    self.no_refusal();
                    self.keep(replies);
                    self.done(t);
                }
                // Who asks what can be chosen minds.
                Some(Does::Legal(legal))
                    if legal.slot.as_deref() == Some(question.slot.as_str()) && question.seat == Some(legal.seat) =>
                {
                    self.compare(t, question, legal, steps[self.next].at);
                    self.done(t);
                }
                _ if minor => return Some(first(question)),
                Some(Does::Expect(_)) => {
                    self.scene_check(t, question, self.next);
                    self.done(t);
                }
                Some(Does::Concede(who)) if question.seat.is_some() => {
                    self.no_refusal();
                    self.done(t);
                    return Some(concession(*who));
                }
                // What must be refused is refused because the choice is another's.
                Some(Does::Answer(replies, refused))
                    if !refused.is_empty() && replies.iter().any(|r| question.slot == r.slot.as_str()) =>
                {
                    let text = "選ぶのはほかのプレイヤーです".to_string();
                    let (step, at) = (Some(self.next), steps[self.next].at);
                    self.stop = Some(Stop::Answer { step, at, text, cite: question.cite });
                    return if question.cite.is_some() { None } else { Some(vec![i32::MIN]) };
                }
                _ => match self.waiting.take(question, self.bold, true) {
                    Some(taken) => return self.reply(t, question, taken),
                    None => return self.left_open(question),
                },
            }
        }
    }

    /// The answers of the step that comes next wait.
    fn keep(&mut self, replies: &[Reply]) {
        let told = self.told_of(self.next);
        self.waiting.add(self.next, replies, true, &told);
    }

    /// Which answers of the step say what there was no other answer to.
    fn told_of(&self, step: usize) -> Vec<usize> {
        self.told.iter().filter(|(at, _)| *at == step).map(|(_, place)| *place).collect()
    }

    /// A question with but one answer is not put: if that is what the steps say next, they are right.
    fn tell(&mut self, t: &Table, question: &Question) {
        let forced = question.forced();
        for step in (self.next..self.steps.len()).filter(|step| !self.skip.contains(step)) {
            let Does::Answer(replies, refused) = &self.steps[step].does else { return };
            let told = self.told_of(step);
            let says = |reply: &Reply| {
                let mut said = answer(self.names(), t, question, &reply.value).ok();
                if let (Asks::Choose { .. }, Some(said)) = (&question.asks, &mut said) {
                    said.sort_unstable();
                }
                said.is_some() && said == forced
            };
            let fits = |(place, reply): &(usize, &Reply)| !told.contains(place) && reply.fits(question);
            if let Some((place, reply)) = replies.iter().enumerate().find(fits) {
                if refused.is_empty() && says(reply) {
                    self.told.push((step, place));
                }
                return;
            }
            if told.len() < replies.len() {
                return;
            }
        }
    }

    fn left_open(&mut self, question: &Question) -> Option<Vec<i32>> {
        let Some(open) = self.open else {
            // Chance without a script takes what comes first.
            if question.seat.is_none() {
                return Some(first(question));
            }
            self.stop = Some(Stop::Unanswered);
            return None;
        };
        match open.get(self.used_open) {
            Some(answer) => {
                self.used_open += 1;
                Some(answer.clone())
            }
            None => {
                self.stop = Some(Stop::Open(Box::new(question.clone())));
                None
            }
        }
    }

    /// The exact set of what is offered.
    fn compare(&mut self, t: &Table, question: &Question, legal: &Legal, at: At) {
        if let Some(text) = legal.differs(self.names(), t, question) {
            self.failures.push(Note { at, text });
        }
    }

    /// What the seat does at a priority question.
    fn act(&mut self, t: &Table, question: &Question, moves: &[Move]) -> Option<Vec<i32>> {
        let seat = question.seat?;
        let unanswered = self.acted.take().is_some_and(|who| who != seat) && t.context().pile.is_empty();
        loop {
            self.skip_done();
            let Some(step) = self.steps.get(self.next) else {
                self.stop = Some(Stop::End);
                return None;
            };
            if self.since.0 == self.next && t.turn > self.since.1 + TURNS {
                let seen: Vec<&str> = self.seen.iter().map(|phase| phase.as_str()).collect();
                let text = format!(
                    "{TURNS}ターン待ちましたが、この手順の番が来ません: {}（その間にあったのは {}）",
                    step.text,
                    seen.join("、")
                );
                self.stop = Some(Stop::Lost(step.at, text));
                return None;
            }
            match &step.does {
                Does::Expect(_) => {
                    self.no_refusal();
                    self.scene_check(t, question, self.next);
                    self.done(t);
                }
                Does::Answer(replies, refused) => {
                    self.keep(replies);
                    if !refused.is_empty() {
                        self.no_refusal();
                        self.bold = Some(self.next);
                    }
                    self.done(t);
                }
                Does::Legal(legal) if legal.verb.is_some() && legal.seat == seat => {
                    self.no_refusal();
                    self.compare(t, question, legal, step.at);
                    self.done(t);
                }
                Does::Concede(who) => {
                    self.no_refusal();
                    self.done(t);
                    return Some(concession(*who));
                }
                Does::Move(wanted) if wanted.seat == seat => {
                    self.no_refusal();
                    return self.make(t, moves, wanted);
                }
                // What was just begun is not done before the other seat has let it.
                Does::Pass(Passing::All) if unanswered && self.progress.is_none() => {
                    self.no_refusal();
                    return self.pass(moves);
                }
                Does::Pass(passing) => {
                    self.no_refusal();
                    let (passes, over) = self.progress.get_or_insert_default().look(t, seat, passing);
                    if over && self.progress.as_ref().is_some_and(|p| p.idle(passing)) {
                        let text = "「pass: all」: 解決を待つものはもうありません。この手順は要りません（先へ進むなら pass: both か until: フェイズ）";
                        self.idle.push(Note { at: step.at, text: text.into() });
                    }
                    if over {
                        self.done(t);
                    }
                    if passes {
                        return self.pass(moves);
                    }
                }
                // What must be refused may be refused because the other seat is the one to act; if it is not that, it waits.
                Does::Move(wanted) if !wanted.refused.is_empty() && !self.patient.contains(&self.next) => {
                    self.no_refusal();
                    self.early = Some(self.next);
                    return self.make(t, &[], wanted);
                }
                // The step is another seat's: this one lets it come.
                Does::Move(_) | Does::Legal(_) => return self.pass(moves),
            }
        }
    }

    fn pass(&mut self, moves: &[Move]) -> Option<Vec<i32>> {
        let at = moves.iter().position(Move::is_pass);
        if at.is_none() {
            self.stop = Some(Stop::Unanswered);
        }
        at.map(|i| vec![i as i32])
    }

    fn make(&mut self, t: &Table, moves: &[Move], wanted: &Wanted) -> Option<Vec<i32>> {
        let step = self.next;
        let at = self.steps[step].at;
        match find_move(self.names(), moves, wanted) {
            Ok(found) => {
                self.waiting.add(step, &wanted.replies, false, &[]);
                if !wanted.refused.is_empty() {
                    self.bold = Some(step);
                }
                self.done(t);
                self.acted = Some(wanted.seat);
                Some(vec![found as i32])
            }
            Err(Ambiguity::Several(words)) => {
                let text = format!("どれか決まりません。to・方法・能力で選んでください: {}", words.join("、"));
                self.stop = Some(Stop::Answer { step: None, at, text, cite: None });
                None
            }
            Err(Ambiguity::Placeless) => {
                let text =
                    "この行動は「to」で場所を言いません（どこかと問われたら、その質問の名で答えてください）".into();
                self.stop = Some(Stop::Answer { step: None, at, text, cite: None });
                None
            }
            Err(Ambiguity::None) => {
                let card = wanted.card.map(|id| t.now(id));
                let ability = wanted.ability.map(|n| n - 1);
                let to = wanted.to.first().copied();
                let m = Move { verb: wanted.verb, card, ability, to, way: wanted.way.unwrap_or_default() };
                self.stop = Some(Stop::Move { step, at });
                self.wanted = Some((wanted.seat, m));
                None
            }
        }
    }
}

impl Answers for Player<'_> {
    fn next(&mut self, t: &Table, question: &Question) -> Option<Vec<i32>> {
        self.questions += 1;
        self.log.note(self.given, t);
        match &question.asks {
            Asks::Act(moves) => {
                self.acts += 1;
                self.act(t, question, moves)
            }
            _ => self.choice(t, question),
        }
    }

    fn wanted(&mut self, _: &Table, _: &Question) -> Option<(Seat, Move)> {
        self.wanted.take()
    }

    fn turn_is_over(&mut self, t: &Table) {
        self.log.note_events(t);
    }

    fn enters(&mut self, name: Word) {
        self.skip_done();
        if !self.seen.contains(&name) {
            self.seen.push(name);
        }
        // What the board begins in is no beginning.
        let start = &self.given.table;
        let begins = self.questions == 0 && (name == start.phase || name == start.context().step);
        if !begins && let Some(Step { does: Does::Pass(passing), .. }) = self.steps.get(self.next) {
            self.progress.get_or_insert_default().enters(name, passing);
        }
    }

    /// In exploring, a way that comes to nothing is only another way.
    fn means_it(&mut self) -> bool {
        self.open.is_none() || self.bold.is_some()
    }

    fn insists(&mut self, t: &Table, question: &Question) -> bool {
        // An answer that is written down is taken even where there is no other.
        let insists =
            matches!(question.asks, Asks::Act(_)) || self.waiting.has(question) || self.is_to_refuse(question);
        if !insists {
            if !self.forced.contains(&question.slot) {
                self.forced.push(question.slot);
            }
            self.tell(t, question);
        }
        insists
    }
}

impl Player<'_> {
    /// What comes next is an answer to this question that is to be refused.
    fn is_to_refuse(&mut self, question: &Question) -> bool {
        self.skip_done();
        matches!(self.steps.get(self.next).map(|step| &step.does), Some(Does::Answer(replies, refused))
            if !refused.is_empty() && replies.iter().any(|reply| reply.fits(question)))
    }
}

/// The order given, or the first of each.
fn first(question: &Question) -> Vec<i32> {
    match &question.asks {
        Asks::Act(_) | Asks::YesNo => vec![0],
        Asks::Choose { min, .. } => (0..*min as i32).collect(),
        Asks::Order(of) => (0..of.len() as i32).collect(),
        Asks::Number { min, .. } => vec![*min],
    }
}
