//! A duel: look, ask, propose, cite.

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use super::book::Rulebook;
use super::cite::Cite;
use super::eyes::{Ctx, Eyes, Memory};
use super::position::{Hashed, Known};
use super::principle::{Gloss, Principle, Says};
use super::question::{Answers, Asks, Move, Question, Refusal, conceding};
use super::table::{CardId, Item, Outcome, Pending, Ref, Seat, Table, Thing, Watch, ZoneId};
use super::trace::{Told, Trace};
use super::view::{Def, Holders, Seen, View, view};
use crate::card::{Card, Value, Word};

/// Three ways of not knowing, never mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lack {
    /// The document is silent, or contradicts itself.
    Undecided,
    /// Our rulebook does not execute that clause or word yet.
    Unwritten,
    /// It goes round and never ends.
    Endless,
}

impl Lack {
    /// For users: what kind of stop it is.
    pub fn words(self) -> &'static str {
        match self {
            Lack::Undecided => "条文では決まりません",
            Lack::Unwritten => "まだ動きません",
            Lack::Endless => "終わりません",
        }
    }

    /// For programs.
    pub fn code(self) -> &'static str {
        match self {
            Lack::Undecided => "undecided",
            Lack::Unwritten => "unwritten",
            Lack::Endless => "endless",
        }
    }
}

/// A duel that stopped without an answer, and why.
#[derive(Clone, Debug)]
pub struct Stopped {
    pub lack: Lack,
    pub text: String,
    /// The clauses that compete, that are not executed yet, or that speak of loops.
    pub clauses: Vec<String>,
}

/// The only ways out of a procedure besides finishing.
#[derive(Debug)]
pub enum Halt {
    Ask(Box<Question>),
    Refused(Box<Refusal>),
    Over(Outcome),
    Stopped(Box<Stopped>),
    /// A phase, a battle, a turn is left from inside: [`Duel::within`] catches it.
    Left(Word),
}

pub type Flow<T = ()> = Result<T, Halt>;

/// What a duel starts from.
pub struct Given {
    pub defs: Vec<Arc<Def>>,
    pub holders: Holders,
    pub table: Table,
    /// What each card is called by those who set up the table.
    pub labels: Vec<Word>,
}

impl Given {
    pub fn new(defs: Vec<Arc<Def>>, table: Table, labels: Vec<Word>) -> Given {
        let holders = Holders::new(&defs, &table);
        Given { defs, holders, table, labels }
    }
}

/// How a duel is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Clauses that are knocked out, without the game's code.
    pub off: Vec<String>,
    /// Readings that differ from the default: `("C1", "b")`.
    pub readings: Vec<(String, String)>,
    /// Whether the trace is kept.
    pub trace: bool,
    /// Whether questions say by which clause things cannot be chosen, also where no trace is kept.
    pub reasons: bool,
    /// How many events and questions a duel may have.
    pub patience: usize,
    /// The line of the trace at which the table is wanted ([`Trace::moment`]).
    pub moment: Option<usize>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { off: Vec::new(), readings: Vec::new(), trace: true, reasons: false, patience: 200_000, moment: None }
    }
}

/// How a duel stands when it stops.
pub enum Run {
    Ended(Outcome, Table, Trace),
    Asks(Box<Question>, Table, Trace),
    Refused(Box<Refusal>, Table, Trace),
    Stopped(Box<Stopped>, Table, Trace),
}

impl Run {
    pub fn table(&self) -> &Table {
        match self {
            Run::Ended(_, t, _) | Run::Asks(_, t, _) | Run::Refused(_, t, _) | Run::Stopped(_, t, _) => t,
        }
    }

    pub fn trace(&self) -> &Trace {
        match self {
            Run::Ended(_, _, trace)
            | Run::Asks(_, _, trace)
            | Run::Refused(_, _, trace)
            | Run::Stopped(_, _, trace) => trace,
        }
    }
}

/// The whole public surface: a duel is a function of what was given and what was answered.
pub fn run(book: &dyn Rulebook, given: &Given, answers: &mut dyn Answers, settings: &Settings) -> Run {
    let mut duel = Duel::new(book, given, answers, settings);
    let halt = loop {
        match book.play(&mut duel) {
            Ok(()) if duel.patience == 0 => break duel.tired(),
            Ok(()) => {}
            Err(halt) => break halt,
        }
    };
    let Duel { t: Shut(t), trace, stuck, .. } = duel;
    // What has no answer has none, even if the duel was over right after it.
    match stuck.map_or(halt, Halt::Stopped) {
        Halt::Ask(question) => Run::Asks(question, t, trace),
        Halt::Refused(refusal) => Run::Refused(refusal, t, trace),
        Halt::Over(outcome) => Run::Ended(outcome, t, trace),
        Halt::Left(scope) => {
            let text = format!("「{scope}」の外からは出られません");
            Run::Stopped(Box::new(Stopped { lack: Lack::Unwritten, text, clauses: Vec::new() }), t, trace)
        }
        Halt::Stopped(stopped) => Run::Stopped(stopped, t, trace),
    }
}

/// How many effects may last at once: no duel has as many, only what never ends does.
const EFFECTS: usize = 300;
/// How many things may wait to be resolved at once: likewise.
const WAITING: usize = 300;
/// How often the rules go round before anybody looks for the same position: most go round once or twice, and what never
/// ends goes on.
const UNLOOKED: usize = 4;

/// A duel in progress.
pub struct Duel<'a> {
    pub book: &'a dyn Rulebook,
    pub given: &'a Given,
    /// The table, to be looked at: a game changes it through [`Duel::propose`], the doors and [`Duel::aside`] only.
    pub t: Shut,
    pub trace: Trace,
    pub(super) answers: &'a mut dyn Answers,
    pub(super) settings: &'a Settings,
    view: Option<Rc<View>>,
    /// The view before the last edit: what still holds of it need not be made anew.
    spare: Option<Rc<View>>,
    /// The table was changed since the view was made, in ways that the view cannot tell.
    kept: bool,
    /// How often the table was changed, apart from who has priority.
    pub edits: u64,
    /// The position as it was last made out.
    pub(super) known: RefCell<Known>,
    /// The same without changes of what only passes: the phase and what has happened, where no effect looks at them.
    changes: u64,
    /// How often the table had been changed so when the rules last found nothing due.
    settled: Option<u64>,
    /// And the view in which the game last looked which texts are valid.
    looked: Weak<View>,
    patience: usize,
    spans: Vec<&'static Cite>,
    /// The replacements that are being carried out.
    pub replacing: Vec<(Option<Ref>, u32)>,
    /// Events that were replaced and nevertheless count, in knock-outs only.
    pub ghosts: Vec<super::event::Event>,
    pub(super) upshot: super::propose::Upshot,
    /// It is only tried whether all of it can be done: a part is not enough.
    pub strict: bool,
    /// Moves are only being listed: nobody reads why one is refused.
    pub hushed: bool,
    /// Each player in turn is doing the same, and not all have.
    pub(super) in_turns: bool,
    /// The act with which a loop that is being ended must end, and whose it is.
    pub owed: Option<(Seat, Move)>,
    /// Acts that would go on with a loop that has been ended: whose, which, and in which positions.
    pub barred: Vec<(Seat, Move, Vec<u64>)>,
    /// The card that is about to be laid with what is chosen, and how.
    pub laying: Option<(Word, Option<Ref>)>,
    /// The act of the game that is about to be done with what is chosen.
    pub ahead: Option<crate::card::Step>,
    /// What was met where nothing can halt: it stops the duel before anything else happens.
    pub(super) stuck: Option<Box<Stopped>>,
    /// How deep proposals lie in each other.
    pub(super) nested: usize,
    /// Positions in which the rules went round since somebody was last asked; of the first few only that they did.
    rounds: Vec<u64>,
    /// What came again and again, with more of something each time.
    pub(super) growth: super::growth::Growth,
    /// The acts of this turn for those who look for loops: position, seat, act, and whether there was another.
    pub acts: Vec<(u64, Seat, Move, bool)>,
    /// The same acts for those who look for loops that leave more of something: the shape of the table, and how much.
    pub tallies: Vec<(u64, Vec<i32>)>,
    /// The acts by which a loop goes round as often as was said, the next one last.
    pub rounds_to_go: Vec<(Seat, Move)>,
    /// And what is chosen between them, the next one last.
    pub answers_to_go: Vec<super::rounds::Chosen>,
    /// What was chosen between the acts of this turn.
    pub choices: Vec<super::rounds::Chosen>,
}

impl<'a> Duel<'a> {
    pub fn new(
        book: &'a dyn Rulebook,
        given: &'a Given,
        answers: &'a mut dyn Answers,
        settings: &'a Settings,
    ) -> Duel<'a> {
        Duel::at(book, given, given.table.clone(), answers, settings)
    }

    /// The duel as it stands, to try something out in; it looks the same until something is done.
    pub(super) fn copied<'b>(&self, answers: &'b mut dyn Answers, settings: &'b Settings) -> Duel<'b>
    where
        'a: 'b,
    {
        let copy = Duel::at(self.book, self.given, self.t.clone(), answers, settings);
        // A trial inside what is tried is one level deeper, and replaces no more than the duel itself would.
        let (nested, replacing) = (self.nested + 1, self.replacing.clone());
        let (view, looked) = (self.view.clone(), self.looked.clone());
        Duel { view, looked, strict: true, nested, replacing, ..copy }
    }

    fn at(
        book: &'a dyn Rulebook,
        given: &'a Given,
        table: Table,
        answers: &'a mut dyn Answers,
        settings: &'a Settings,
    ) -> Duel<'a> {
        Duel {
            book,
            given,
            t: Shut(table),
            trace: Trace { full: settings.trace, ..Trace::default() },
            answers,
            settings,
            view: None,
            spare: None,
            kept: false,
            edits: 0,
            known: RefCell::default(),
            changes: 0,
            settled: None,
            looked: Weak::new(),
            patience: settings.patience,
            spans: Vec::new(),
            ghosts: Vec::new(),
            upshot: Default::default(),
            strict: false,
            hushed: false,
            in_turns: false,
            owed: None,
            barred: Vec::new(),
            laying: None,
            ahead: None,
            replacing: Vec::new(),
            stuck: None,
            nested: 0,
            rounds: Vec::new(),
            growth: Default::default(),
            acts: Vec::new(),
            tallies: Vec::new(),
            rounds_to_go: Vec::new(),
            answers_to_go: Vec::new(),
            choices: Vec::new(),
        }
    }

    /// Does something and takes all of it back: the table is as it was, and what is known of it still holds.
    pub fn undone<T>(&mut self, run: impl FnOnce(&mut Self) -> Flow<T>) -> Flow<T> {
        let (table, view, known) = (self.t.clone(), self.view.clone(), self.known.take());
        let counts = (self.edits, self.changes, self.settled, self.looked.clone());
        let done = run(self)?;
        (self.t.0, self.view, self.kept) = (table, view, true);
        self.known.replace(known);
        (self.edits, self.changes, self.settled, self.looked) = counts;
        Ok(done)
    }

    /// The table, to be changed by the kernel.
    pub(super) fn edit(&mut self) -> &mut Table {
        self.edits += 1;
        self.changes += 1;
        if self.view.is_some() {
            self.spare = self.view.take();
        }
        &mut self.t.0
    }

    /// What no effect looks at, to be changed: the view stays.
    pub fn aside(&mut self) -> Aside<'_> {
        self.kept = true;
        self.edits += 1;
        self.changes += 1;
        Aside(&mut self.t.0)
    }

    /// The table, to be changed in something that effects may look at ([`read`]): the view stays if none did.
    pub(super) fn edit_if(&mut self, what: u64) -> &mut Table {
        self.changes += 1;
        self.pass(what)
    }

    /// The same of what only passes.
    pub(super) fn pass(&mut self, what: u64) -> &mut Table {
        match &self.view {
            Some(view) if !view.has_read(what) => {
                self.kept = true;
                self.edits += 1;
                &mut self.t.0
            }
            _ => self.edit(),
        }
    }

    /// A moment that the table remembers is now: neither a text nor a position knows of it.
    pub fn mark_moment(&mut self, fact: usize, at: i32) {
        debug_assert!(self.book.schema().facts_of(super::FactOwner::Table).any(|(i, spec)| i == fact && spec.moment));
        self.t.0.facts[fact] = at;
    }

    /// The rules have found nothing due.
    pub fn settle(&mut self) {
        self.settled = Some(self.changes);
    }

    /// Nothing has changed since the rules found nothing due, and nobody is told that they look again.
    pub fn is_settled(&self) -> bool {
        self.settled == Some(self.changes) && !self.trace.full && self.stands_whole()
    }

    /// The game has looked which texts are valid.
    pub fn has_looked(&mut self) {
        self.looked = self.view.as_ref().map(Rc::downgrade).unwrap_or_default();
    }

    /// Nothing that effects look at has changed since the game looked which texts are valid, and nobody is told that it
    /// looks again.
    pub fn knows_texts(&self) -> bool {
        let same = self.view.as_ref().is_some_and(|view| std::ptr::eq(self.looked.as_ptr(), &raw const **view));
        same && !self.trace.full && self.stands_whole()
    }

    /// No clause is knocked out.
    pub fn stands_whole(&self) -> bool {
        self.settings.off.is_empty()
    }

    /// All cards under all effects.
    pub fn look(&mut self) -> Rc<View> {
        if let Some(view) = self.view.clone() {
            debug_assert!(!std::mem::take(&mut self.kept) || self.still_holds(&view), "a view that does not hold");
            return view;
        }
        let old = self.spare.take().and_then(Rc::into_inner);
        let made = Rc::new(view(self, old));
        self.view = Some(made.clone());
        self.kept = false;
        made
    }

    /// The view is the one that would be made now.
    fn still_holds(&mut self, kept: &View) -> bool {
        let full = std::mem::replace(&mut self.trace.full, false);
        let made = view(self, None);
        self.trace.full = full;
        made.cards == kept.cards && made.rules == kept.rules && made.blind == kept.blind
    }

    /// The position without what only counts time: for loops.
    pub fn position(&self) -> u64 {
        self.hashed().position(self.t.priority)
    }

    /// The position as if there were no counters.
    pub fn position_but_counters(&self) -> u64 {
        self.hashed().but_counters(self.t.priority)
    }

    /// The position without what grows but counters.
    pub(super) fn position_but_growth(&self) -> u64 {
        self.hashed().but_growth(self.t.priority)
    }

    /// The position without what a round of a loop may leave more of.
    pub fn shape(&self) -> u64 {
        self.hashed().shape(self.t.priority)
    }

    /// Making it out takes time, and after a pass nothing has changed.
    fn hashed(&self) -> Hashed {
        self.known.borrow_mut().position(&self.t, self.book.schema(), self.edits)
    }

    /// Calls with eyes on the table as it is now.
    pub fn see<T>(&mut self, look: impl FnOnce(&Eyes) -> T) -> T {
        let lost = !self.is_decided(Principle::LastKnown);
        let memory = Memory { lost, ..Memory::default() };
        let seen = self.see_with(&memory, look);
        self.noted(&memory);
        seen
    }

    /// What eyes have noted comes into play.
    pub fn noted(&mut self, memory: &Memory) {
        if memory.noted.get() != 0 {
            for question in memory.questions() {
                let _ = self.decides(question);
            }
            if self.trace.full {
                for what in memory.glosses() {
                    self.gloss(what);
                }
            }
        }
    }

    /// For triggers, which remember what has just gone by a rule of their own.
    pub fn see_with<T>(&mut self, memory: &Memory, look: impl FnOnce(&Eyes) -> T) -> T {
        let view = self.look();
        look(&Eyes { t: &self.t, view: &view, book: self.book, memory })
    }

    /// Whether it is so, by what the document says; its clauses have come into play. Where the document is silent the
    /// duel halts before anything else happens.
    #[must_use = "a principle that is asked must be heeded"]
    pub fn decides(&mut self, question: Principle) -> bool {
        let says = self.book.says(question);
        if self.trace.full {
            for cite in says.cites().into_iter().flatten() {
                self.trace.reach(cite);
            }
            if let Says::Unless(_, reading, _) = says {
                self.trace.reach(reading);
            }
        }
        if matches!(says, Says::Silent) && self.stuck.is_none() {
            let text = format!("文書に定めがありません（{}）", question.words());
            self.stuck = Some(Box::new(Stopped { lack: Lack::Undecided, text, clauses: Vec::new() }));
        }
        self.is_decided(question)
    }

    /// The same, without a word.
    pub fn is_decided(&self, question: Principle) -> bool {
        let off = |cites: super::principle::Cites| {
            !self.settings.off.is_empty() && cites.into_iter().flatten().any(|c| self.is_off(c))
        };
        match self.book.says(question) {
            Says::So(cites) => !off(cites),
            Says::Unless(cites, reading, [default, not]) => !off(cites) && self.chosen(reading, default) != not,
            Says::Not(cites) => off(cites),
            Says::Open(reading, default, so) => self.chosen(reading, default) == so,
            Says::Silent => true,
        }
    }

    /// What the kernel does is named by these clauses.
    pub fn gloss(&mut self, what: Gloss) {
        if self.trace.full {
            for cite in self.book.gloss(what).into_iter().flatten() {
                self.trace.reach(cite);
            }
        }
    }

    pub fn seen(&mut self, r: Ref) -> Arc<Seen> {
        if self.t.is_now(r) {
            return self.look().cards[r.id.0 as usize].clone();
        }
        match self.t.past(r) {
            Some(past) => past.seen.clone(),
            None => self.look().cards[r.id.0 as usize].clone(),
        }
    }

    /// The same for a short look, without keeping it.
    pub fn glance(&mut self, r: Ref) -> &Seen {
        let gone = !self.t.is_now(r) && self.t.past(r).is_some();
        if !gone && (self.view.is_none() || cfg!(debug_assertions)) {
            self.look();
        }
        match (gone, &self.view) {
            (false, Some(view)) => &view.cards[r.id.0 as usize],
            _ => &self.t.past(r).expect("it was found").seen,
        }
    }

    /// How the card would look if these effects began now, one after another.
    pub fn imagine_under(&mut self, effects: Vec<super::Ongoing>, card: Ref) -> Arc<Seen> {
        if let Some(seen) = super::view::under_one(self, &effects, card) {
            return seen;
        }
        let (kept, clock, lasting) = (self.view.take(), self.t.clock, self.t.ongoing.len());
        for effect in effects {
            let stamp = self.t.0.tick();
            self.t.0.ongoing.push(super::Ongoing { stamp, ..effect });
        }
        let old = self.spare.take().and_then(Rc::into_inner);
        let imagined = view(self, old);
        self.t.0.ongoing.truncate(lasting);
        self.t.0.clock = clock;
        self.view = kept;
        let seen = imagined.cards[card.id.0 as usize].clone();
        self.spare = Some(Rc::new(imagined));
        seen
    }

    /// How the cards would look if the table were changed so.
    pub fn imagine(&mut self, change: impl FnOnce(&mut Table)) -> View {
        let saved = self.t.clone();
        let kept = self.view.take();
        change(&mut self.t.0);
        let old = self.spare.take().and_then(Rc::into_inner);
        let imagined = view(self, old);
        self.t.0 = saved;
        self.view = kept;
        imagined
    }

    /// A number of a text; what cannot be made out counts as 0.
    pub fn number(&mut self, ctx: &Ctx, value: &Value) -> i32 {
        match self.see(|eyes| eyes.value(ctx, value)) {
            Some(n) => n,
            None => {
                self.gloss(Gloss::Undefined);
                0
            }
        }
    }

    /// Puts a question. A question with one answer is not put.
    pub fn ask(&mut self, question: Question) -> Flow<Vec<i32>> {
        self.put(&question)
    }

    /// Puts a question that is needed afterwards.
    pub fn put(&mut self, question: &Question) -> Flow<Vec<i32>> {
        self.heard()?;
        if let Some(answer) = question.forced()
            && !self.answers.insists(&self.t, question)
        {
            return Ok(answer);
        }
        self.patience = self.patience.saturating_sub(1);
        if self.patience == 0 {
            return Err(self.tired());
        }
        if let Some(answer) = self.chosen_before(question) {
            self.rounds.clear();
            self.growth.ends();
            self.tell_answer(question, &answer);
            return Ok(answer);
        }
        let answer = self.answers.next(&self.t, question);
        if let Some(seat) = answer.as_deref().and_then(conceding) {
            return Err(self.concede(seat));
        }
        match answer {
            Some(answer) if question.fits(&answer) => {
                self.note_choice(question, &answer);
                self.rounds.clear();
                match &question.asks {
                    Asks::Act(moves) if moves.len() == 1 => {}
                    Asks::Act(moves) if moves[answer[0] as usize].is_pass() => self.growth.is_let_go(),
                    _ => self.growth.ends(),
                }
                self.tell_answer(question, &answer);
                Ok(answer)
            }
            Some(answer) => {
                let twice = matches!(question.asks, Asks::Choose { .. })
                    && (1..answer.len()).any(|i| answer[..i].contains(&answer[i]));
                let distinct = self.book.says(Principle::Distinct).cites()[0].filter(|_| twice);
                let refusal = Refusal {
                    what: question.slot.to_string(),
                    cite: distinct.or(question.cite).or(self.span()),
                    why: "選べない答えです".into(),
                };
                Err(Halt::Refused(Box::new(refusal)))
            }
            None => match self.answers.wanted(&self.t, question) {
                Some((seat, wanted)) => {
                    let refusal = match wanted.is_pass() {
                        // Who must act may not let it be: the question says by which clause.
                        true => Refusal { cite: question.cite, ..Refusal::not_offered(&wanted) },
                        false => self.book.why_not(self, seat, &wanted),
                    };
                    self.trace.tell(Told::Refused, refusal.cite, || format!("{}: {}", refusal.what, refusal.why));
                    Err(Halt::Refused(Box::new(refusal)))
                }
                None => Err(Halt::Ask(Box::new(question.clone()))),
            },
        }
    }

    /// A player gives up, whatever was going on.
    fn concede(&mut self, seat: Seat) -> Halt {
        let (book, span) = (self.book, self.span());
        let who = book.schema().seats[seat.index()];
        self.trace.tell(Told::Chosen, span, || format!("{who}の行動: 投了"));
        let why = "それでゲームを終わらせる条文がない".to_string();
        let nothing = || Halt::Refused(Box::new(Refusal { what: "投了".into(), cite: None, why }));
        book.concede(self, seat).err().unwrap_or_else(nothing)
    }

    pub fn yes(&mut self, seat: Seat, slot: Word, card: Option<Ref>) -> Flow<bool> {
        let book = self.book;
        if let Some(cite) = book.had_enough(self, seat, card) {
            self.not_yes(seat, slot, card, cite)?;
            return Ok(false);
        }
        let yes = self.ask(Question::new(seat, slot, Asks::YesNo).about(card))? == [1];
        if yes {
            book.agreed(self, seat, card, false);
        }
        Ok(yes)
    }

    /// A yes that is not open. Nobody is asked; a script that says it hears by which clause not.
    pub fn not_yes(&mut self, seat: Seat, slot: Word, card: Option<Ref>, cite: &'static Cite) -> Flow {
        let no = Asks::Choose { of: vec![Thing::Word(Word("いいえ"))], min: 1, max: 1 };
        let refused = vec![(Thing::Word(Word("はい")), cite)];
        self.ask(Question { refused, ..Question::new(seat, slot, no).about(card) }).map(|_| ())
    }

    /// Chooses among things; the things chosen.
    pub fn pick(&mut self, question: Question) -> Flow<Vec<Thing>> {
        let answer = self.put(&question)?;
        let of: &[Thing] = match &question.asks {
            Asks::Choose { of, .. } | Asks::Order(of) => of,
            _ => &[],
        };
        Ok(answer.into_iter().map(|i| of[i as usize]).collect())
    }

    fn tell_answer(&mut self, question: &Question, answer: &[i32]) {
        if !self.trace.full {
            return;
        }
        let who = question.seat.map_or("偶然".to_string(), |s| self.book.schema().seats[s.index()].to_string());
        let chosen = self.answer_words(question, answer);
        let passed = matches!(&question.asks, Asks::Act(moves) if moves[answer[0] as usize].is_pass());
        let told = if passed { Told::Passed } else { Told::Chosen };
        let slot = question.slot;
        let text = if passed { who } else { format!("{who}の{slot}: {chosen}") };
        self.trace.tell(told, question.cite.or(self.spans.last().copied()), || text);
    }

    /// An answer in words.
    pub fn answer_words(&self, question: &Question, answer: &[i32]) -> String {
        let names = |of: &[Thing]| {
            let chosen: Vec<String> = answer.iter().map(|i| self.name(of[*i as usize])).collect();
            if chosen.is_empty() { "なし".to_string() } else { chosen.join("、") }
        };
        match &question.asks {
            Asks::Act(moves) => {
                let m = &moves[answer[0] as usize];
                let card = m.card.map(|c| self.card_name(c)).unwrap_or_default();
                let to = m.to.map(|z| format!("→{}", self.zone_name(z))).unwrap_or_default();
                let way = if m.way.is_empty() { String::new() } else { format!("（{}）", m.way) };
                format!("{}{}{card}{to}{way}", m.verb, if card.is_empty() { "" } else { " " })
            }
            Asks::Choose { of, .. } => names(of),
            Asks::Order(of) => answer.iter().map(|i| self.name(of[*i as usize])).collect::<Vec<_>>().join(" → "),
            Asks::YesNo => (if answer == [1] { "する" } else { "しない" }).to_string(),
            Asks::Number { .. } => answer[0].to_string(),
        }
    }

    pub fn name(&self, thing: Thing) -> String {
        match thing {
            Thing::Card(r) => self.card_name(r),
            Thing::Zone(z) => self.zone_name(z),
            Thing::Seat(s) => self.book.schema().seats[s.index()].to_string(),
            Thing::Number(n) => n.to_string(),
            Thing::Word(w) => w.to_string(),
            Thing::Item(id) => {
                let item = self.t.contexts.iter().flat_map(|c| &c.pile).find(|i| i.id == id);
                item.and_then(|i| i.card).map_or_else(|| "スタックの上のもの".into(), |c| self.card_name(c))
            }
            Thing::Place(kind, which) => format!("{kind}{}", which + 1),
        }
    }

    pub fn card_name(&self, r: Ref) -> String {
        self.given.labels.get(r.id.0 as usize).map(|l| l.to_string()).unwrap_or_default()
    }

    pub fn zone_name(&self, zone: ZoneId) -> String {
        let spec = self.book.schema().spec(zone);
        // Whose it is must be said where both have one.
        let both = |owner: Seat| self.book.schema().zone(spec.name, Some(owner.other())).is_some();
        match spec.owner {
            Some(owner) if both(owner) => format!("{}の{}", self.book.schema().seats[owner.index()], spec.name),
            _ => spec.name.to_string(),
        }
    }

    /// Runs a procedure under a clause.
    pub fn under<T>(&mut self, cite: &'static Cite, run: impl FnOnce(&mut Self) -> Flow<T>) -> Flow<T> {
        self.trace.reach(cite);
        self.trace.tell(Told::Span, Some(cite), String::new);
        self.spans.push(cite);
        self.trace.depth += 1;
        let result = run(self);
        self.trace.depth -= 1;
        self.spans.pop();
        result
    }

    /// Runs a phase, a battle, a turn that can be left from inside. False: it was left.
    pub fn within(&mut self, scope: Word, run: impl FnOnce(&mut Self) -> Flow) -> Flow<bool> {
        let (depth, spans) = (self.trace.depth, self.spans.len());
        match run(self) {
            Ok(()) => Ok(true),
            Err(Halt::Left(left)) if left == scope => {
                self.trace.depth = depth;
                self.spans.truncate(spans);
                Ok(false)
            }
            Err(halt) => Err(halt),
        }
    }

    /// Leaves the phase, battle or turn: everything that was going on inside it ends here.
    pub fn leave<T>(&self, scope: Word) -> Flow<T> {
        Err(Halt::Left(scope))
    }

    /// A step that is not done when its clause is knocked out.
    pub fn step(&mut self, cite: &'static Cite, run: impl FnOnce(&mut Self) -> Flow) -> Flow {
        if self.is_off(cite) { Ok(()) } else { self.under(cite, run) }
    }

    /// The ability works where the card is: by the game, or because the clause that forbids it is knocked out.
    pub fn works(&mut self, seen: &Seen, zone: ZoneId, face_up: bool, ability: &crate::card::Ability) -> bool {
        if !self.stands(ability) {
            return false;
        }
        if let Some((phases, cite)) = self.book.schema().customs.before_texts
            && phases.contains(&self.t.phase.as_str())
            && self.on(cite)
        {
            self.trace.reach(cite);
            return false;
        }
        match self.book.works(seen, zone, face_up, ability) {
            Ok(()) => true,
            Err(cite) => {
                self.trace.reach(cite);
                // Of a reading the first option is that it does not.
                self.is_off(cite) || cite.rule == super::cite::Rule::Reading && self.chosen(cite, "a") != "a"
            }
        }
    }

    /// The card lies beneath another, where it is not spoken of and does not work.
    pub fn is_beneath(&self, card: CardId) -> bool {
        self.t.obj(card).host.is_some_and(|(how, _)| self.book.schema().customs.beneath.contains(&how.as_str()))
    }

    /// No clause that gives the ability is knocked out.
    pub fn stands(&self, ability: &crate::card::Ability) -> bool {
        self.settings.off.is_empty() || !ability.clauses.iter().any(|c| self.settings.off.iter().any(|o| o == c))
    }

    /// The clauses that give the ability have come into play.
    pub fn reach_clauses(&mut self, ability: &crate::card::Ability) {
        if self.trace.full && !ability.clauses.is_empty() {
            for clause in &ability.clauses {
                for cite in super::cite::of_clause(self.book.code(), clause) {
                    self.trace.reach(cite);
                }
            }
        }
    }

    /// Moves are only being listed, nobody is told why, and every clause stands: what makes no difference to the list need
    /// not be looked at.
    pub fn only_lists(&self) -> bool {
        self.hushed && !self.trace.full && self.settings.off.is_empty()
    }

    /// One player after the other does what an effect says of both, and not all have.
    pub fn takes_turns(&self) -> bool {
        self.in_turns
    }

    /// Somebody is told by which clause a thing cannot be chosen.
    pub fn gives_reasons(&self) -> bool {
        self.trace.full || self.settings.reasons
    }

    /// The clause has not been knocked out. Says nothing about whether it mattered.
    pub fn on(&self, cite: &'static Cite) -> bool {
        !self.is_off(cite)
    }

    /// The clause decides here; false when it is knocked out.
    #[must_use = "a clause that is asked must be heeded"]
    pub fn applies(&mut self, cite: &'static Cite, text: impl FnOnce(&Self) -> String) -> bool {
        if self.is_off(cite) {
            return false;
        }
        self.trace.reach(cite);
        if self.trace.full {
            let text = text(self);
            self.trace.tell(Told::Applied, Some(cite), || text);
        }
        true
    }

    /// The clause decides here, and whether it stands was asked before.
    pub fn cites(&mut self, cite: &'static Cite, text: impl FnOnce(&Self) -> String) {
        let _ = self.applies(cite, text);
    }

    fn is_off(&self, cite: &'static Cite) -> bool {
        !self.settings.off.is_empty() && self.settings.off.iter().any(|c| c == cite.clause)
    }

    /// The reading taken where the document is open.
    pub fn reading(&mut self, cite: &'static Cite, default: &'static str) -> &str {
        self.trace.reach(cite);
        self.chosen(cite, default)
    }

    fn chosen(&self, cite: &'static Cite, default: &'static str) -> &str {
        let chosen = self.settings.readings.iter().find(|(id, _)| id == cite.clause);
        chosen.map_or(default, |(_, key)| key)
    }

    /// The reading chosen for this run, if it was chosen; says nothing in the trace.
    pub fn settings_reading(&self, id: &str) -> &str {
        self.settings.readings.iter().find(|(i, _)| i == id).map_or("", |(_, key)| key)
    }

    /// The document is silent here, or its clauses compete.
    pub fn undecided<T>(&self, text: impl Into<String>, clauses: &[&str]) -> Flow<T> {
        self.stop(Lack::Undecided, text, clauses)
    }

    /// Our rulebook does not execute this yet: the clause or word that is missing.
    pub fn unwritten<T>(&self, text: impl Into<String>, clauses: &[&str]) -> Flow<T> {
        self.stop(Lack::Unwritten, text, clauses)
    }

    /// It goes round: what, and the game's clauses on loops.
    pub fn endless<T>(&self, text: impl Into<String>, clauses: &[&str]) -> Flow<T> {
        self.stop(Lack::Endless, text, clauses)
    }

    fn stop<T>(&self, lack: Lack, text: impl Into<String>, clauses: &[&str]) -> Flow<T> {
        let clauses = clauses.iter().map(|c| c.to_string()).collect();
        Err(Halt::Stopped(Box::new(Stopped { lack, text: text.into(), clauses })))
    }

    /// What was met where nothing can halt ends the duel here.
    fn heard(&self) -> Flow {
        match &self.stuck {
            Some(stopped) => Err(Halt::Stopped(stopped.clone())),
            None => Ok(()),
        }
    }

    /// The rules go round once more. Without anybody having been asked anything, the third time in the same position it
    /// never ends, and what follows is the game's clause on loops.
    pub fn goes_round(&mut self) -> Flow {
        self.spend()?;
        if self.only_grows()? {
            let book = self.book;
            return book.endless(self);
        }
        if self.rounds.len() < UNLOOKED {
            self.rounds.push(0);
            return Ok(());
        }
        let here = self.position();
        if self.rounds[UNLOOKED..].iter().filter(|p| **p == here).count() >= 2 {
            let book = self.book;
            return book.endless(self);
        }
        self.rounds.push(here);
        Ok(())
    }

    /// Counts what happens, so that nothing goes on for ever.
    pub fn spend(&mut self) -> Flow {
        self.heard()?;
        if self.t.ongoing.len() > EFFECTS {
            let source = self.t.ongoing.last().and_then(|o| o.source);
            return Err(self.grows(source, format!("継続効果が{EFFECTS}を超えました")));
        }
        if self.t.contexts.iter().map(|c| c.pile.len() + c.pending.len()).sum::<usize>() > WAITING {
            return Err(self.grows(self.waits(), format!("解決を待つものが{WAITING}を超えました")));
        }
        self.patience = self.patience.saturating_sub(1);
        if self.patience == 0 { Err(self.tired()) } else { Ok(()) }
    }

    /// So many times, and whether anything was done: a number from a card can be too large to count to.
    pub fn times(&mut self, n: i32, mut once: impl FnMut(&mut Duel<'a>) -> Flow<bool>) -> Flow<bool> {
        let mut any = false;
        for _ in 0..n.max(0) {
            self.spend()?;
            any |= once(self)?;
        }
        Ok(any)
    }

    fn tired(&self) -> Halt {
        let text =
            format!("{}回の処理を超えても終わりません。同じ盤面に戻らないまま続く処理です", self.settings.patience);
        self.grows(self.waits(), text)
    }

    /// The card of what waits, or was put there last.
    pub(super) fn waits(&self) -> Option<Ref> {
        let open = self.t.contexts.iter().rev();
        open.flat_map(|c| c.pending.last().map(|p| p.source).or(c.pile.last().and_then(|i| i.card))).next()
    }

    /// What goes on and on never comes back to the same position: whose text it is, and the game's clauses on loops.
    pub(super) fn grows(&self, source: Option<Ref>, text: String) -> Halt {
        let whose = source.map(|card| format!("「{}」から続く処理で、", self.card_name(card))).unwrap_or_default();
        let clauses = self.book.schema().customs.loops.iter().map(|c| c.to_string()).collect();
        Halt::Stopped(Box::new(Stopped { lack: Lack::Endless, text: format!("{whose}{text}"), clauses }))
    }

    /// The clause in force.
    pub fn span(&self) -> Option<&'static Cite> {
        self.spans.last().copied()
    }

    pub fn tell(&mut self, told: Told, text: impl FnOnce(&Self) -> String) {
        if self.trace.full {
            let text = text(self);
            let cite = self.spans.last().copied();
            self.trace.tell(told, cite, || text);
        }
    }

    /// The table is kept as it stands at the line that was asked for: only what happens changes it.
    pub(super) fn keep_moment(&mut self) {
        if self.trace.full && self.settings.moment.is_some_and(|line| self.trace.entries.len() <= line + 1) {
            self.trace.moment = Some(Box::new(self.t.clone()));
        }
    }

    /// Told under a clause of its own, not the one in force.
    pub fn tell_under(
        &mut self,
        told: Told,
        cite: impl Into<Option<&'static Cite>>,
        text: impl FnOnce(&Self) -> String,
    ) {
        if self.trace.full {
            let text = text(self);
            self.trace.tell(told, cite.into(), || text);
        }
    }

    /// What is printed, for the set-up only.
    pub fn card(&self, r: Ref) -> &Arc<Card> {
        &self.given.defs[self.t.obj(r.id).def as usize].card
    }
}

/// The table of a duel: whoever has the duel may look at it, and the kernel alone changes it.
pub struct Shut(pub(super) Table);

impl std::ops::Deref for Shut {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.0
    }
}

/// What of the table no effect looks at: it changes without changing how any card looks.
pub struct Aside<'t>(&'t mut Table);

impl Aside<'_> {
    pub fn watches(&mut self) -> &mut Vec<Watch> {
        &mut self.0.watches
    }

    /// A fact of a seat that no text reads ([`crate::card::Amount::Fact`] reads those named in the vocabulary).
    pub fn seat(&mut self, seat: Seat, fact: usize) -> &mut i32 {
        &mut self.0.seats[seat.index()][fact]
    }

    /// A fact of the table.
    pub fn fact(&mut self, fact: usize) -> &mut i32 {
        &mut self.0.facts[fact]
    }

    /// A fact of a card.
    pub fn card(&mut self, card: CardId, fact: usize) -> &mut i32 {
        &mut self.0.obj_mut(card).facts[fact]
    }

    pub fn reveal(&mut self, card: CardId, shown: bool) {
        self.0.obj_mut(card).revealed = shown;
    }

    /// Uses of what is limited.
    pub fn uses(&mut self) -> &mut Vec<super::table::Use> {
        &mut self.0.used
    }

    /// Numbers of cards as they were last looked at.
    pub fn numbers(&mut self) -> &mut Option<super::table::Numbers> {
        &mut self.0.numbers
    }

    /// Turns, phases and steps put in or left out.
    pub fn agenda(&mut self) -> &mut Vec<(Word, Seat)> {
        &mut self.0.agenda
    }

    /// Phases that effects put in after others.
    pub fn added(&mut self) -> &mut Vec<super::table::Added> {
        &mut self.0.added
    }

    pub fn pile(&mut self) -> &mut Vec<Item> {
        &mut self.0.context_mut().pile
    }

    pub fn pending(&mut self) -> &mut Vec<Pending> {
        &mut self.0.context_mut().pending
    }

    /// The points that a seat has to pay with.
    pub fn pool(&mut self, seat: Seat) -> &mut Vec<super::table::Point> {
        &mut self.0.pool[seat.index()]
    }

    pub fn tick(&mut self) -> u32 {
        self.0.tick()
    }
}
