//! The doors of a closed duel: how a game changes the table where no event tells it. Moves, turns, marks, faces and
//! control are events and go through [`Duel::propose`]; what else there is has a door here or in [`Duel::aside`] (which
//! keeps the view, because no effect looks at what it opens). Nothing else of the table can be changed from a game.

use super::cite::Cite;
use super::duel::{Duel, Flow, Halt};
use super::eyes::read;
use super::question::{Asks, Question, Refusal};
use super::schema::{Ends, FactOwner, FactSpec};
use super::table::{CardId, Context, Fight, Ongoing, Outcome, Ref, Seat, Table, Thing, ZoneId, end_facts};
use super::trace::Told;
use crate::card::{Change, Kind, Word};

/// The turn of one of the players that texts name as the end of an effect: its beginning or its end.
pub const NEXT: [&str; 4] =
    ["次の自分のターン開始時", "次の相手のターン開始時", "次の自分のターン終了時", "次の相手のターン終了時"];

/// What effects look at that depends on which time is open: the phase, and roles in fights and on the pile.
const TIMES: u64 = read::PHASE | read::ROLES;

/// What effects look at that depends on which turn it is: whose, what happened in it, and what is remembered of it.
const TURNS: u64 = TIMES | read::TURN | read::PLAYERS | read::HAPPENED | read::PAST;

/// The turn and its parts.
impl Duel<'_> {
    /// A turn begins: whose, the how manieth, with which phase. What happened before it is not asked for any more, what
    /// could be used so often in a turn can be used again, and the facts of the turn are over.
    pub fn begin_turn(&mut self, active: Seat, number: u16, phase: Word) {
        self.answers.turn_is_over(&self.t.0);
        self.answers.enters(phase);
        self.forget_uses(super::limit::TURN);
        self.acts.clear();
        self.tallies.clear();
        self.choices.clear();
        self.barred.clear();
        let schema = self.book.schema();
        let t = self.edit_if(TURNS);
        t.end_facts(schema, Ends::Turn);
        (t.active, t.turn, t.phase, t.midway) = (active, number, phase, false);
        t.happened.clear();
        t.past.clear();
    }

    /// Who takes the first turn of the duel that is being prepared.
    pub fn begin_with(&mut self, seat: Seat) {
        self.edit().active = seat;
    }

    /// The phase begins.
    pub fn enter(&mut self, phase: Word) {
        self.answers.enters(phase);
        let (was, customs) = (self.t.phase, &self.book.schema().customs);
        let silent = |phase: Word| customs.before_texts.is_some_and(|(phases, _)| phases.contains(&phase.as_str()));
        // Where texts begin to work everything is seen anew.
        let t = if silent(was) == silent(phase) { self.pass(read::PHASE) } else { self.edit() };
        t.phase = phase;
    }

    /// What opens the phase is over, or not.
    pub fn midway(&mut self, midway: bool) {
        self.t.0.midway = midway;
    }

    /// The step of the innermost time begins.
    pub fn enter_step(&mut self, step: Word) {
        self.battle_goes_on();
        self.answers.enters(step);
        self.edit_if(TIMES).context_mut().step = step;
    }

    /// The step goes on of which a part had a name of its own.
    pub fn back_to_step(&mut self, step: Word) {
        self.battle_goes_on();
        self.edit_if(TIMES).context_mut().step = step;
    }

    /// A time of its own inside the one that is open; what waits outside goes on waiting.
    pub fn open(&mut self, context: Context) {
        self.battle_goes_on();
        self.answers.enters(context.step);
        self.edit_if(TIMES).contexts.push(context);
    }

    /// The innermost time ends; what began to wait in it waits outside now.
    pub fn close(&mut self) {
        self.battle_goes_on();
        let t = self.edit_if(TIMES);
        if t.contexts.len() > 1
            && let Some(inner) = t.contexts.pop()
        {
            let outer = t.context_mut();
            outer.pile.extend(inner.pile);
            outer.pending.extend(inner.pending);
        }
    }

    /// Who has priority, which no text and no rule effect looks at.
    pub fn give_priority(&mut self, who: Option<Seat>) {
        self.t.0.priority = who;
    }

    /// What happened no longer counts as having happened this turn.
    pub fn forget(&mut self, what: impl Fn(&super::Event) -> bool) {
        self.edit().happened.retain(|e| !what(e));
    }
}

/// The duel as a whole.
impl Duel<'_> {
    /// The duel is over.
    pub fn over<T>(&mut self, outcome: Outcome) -> Flow<T> {
        self.edit().over = Some(outcome);
        Err(Halt::Over(outcome))
    }

    /// What was begun cannot be completed: everything is as it was then.
    pub fn take_back(&mut self, then: Table) {
        *self.edit() = then;
        self.known.take();
    }

    /// The same for what a player did: whoever means it is told by which clause it came to nothing.
    pub fn give_up(&mut self, then: Table, what: String, cite: &'static Cite, why: &str) -> Flow {
        self.trace.reach(cite);
        self.tell_under(Told::Refused, cite, |_| format!("{why}ので、始める前に戻す"));
        self.take_back(then);
        if !self.on(cite) || !self.answers.means_it() {
            return Ok(());
        }
        Err(Halt::Refused(Box::new(Refusal { what, cite: Some(cite), why: why.into() })))
    }

    /// The next duel of a match: every card goes home, and nothing that happened is remembered but the facts of the
    /// match.
    pub fn lay_anew(&mut self, phase: Word, homes: &[ZoneId]) {
        let schema = self.book.schema();
        let old = self.edit();
        let mut new = Table { midway: false, turn: 0, clock: old.clock, ..Table::new(schema, phase) };
        for (at, (card, home)) in old.cards.iter().zip(homes).enumerate() {
            let fresh = super::Obj::new(schema, card.def, card.owner, *home);
            new.zones[home.0 as usize].push(CardId(at as u16));
            new.cards.push(super::Obj { face_up: false, life: card.life.wrapping_add(1), ..fresh });
        }
        new.active = old.active;
        let over = |spec: &FactSpec| spec.ends != Ends::Match;
        (new.facts, new.seats) = (old.facts, old.seats);
        end_facts(&mut new.facts, schema, FactOwner::Table, over);
        new.seats.iter_mut().for_each(|facts| end_facts(facts, schema, FactOwner::Seat, over));
        *old = new;
        self.known.take();
    }
}

/// Battles.
impl Duel<'_> {
    /// A battle begins in the innermost time: where, who is in it with which roles, and who began it.
    pub fn begin_fight(&mut self, zone: ZoneId, members: Vec<(Ref, Vec<Word>)>, began: Vec<Ref>) -> u32 {
        let t = self.edit_if(TIMES);
        let id = t.tick();
        t.context_mut().fights.push(Fight { id, zone, members, began, notes: Vec::new() });
        self.battle_goes_on();
        id
    }

    /// All battles that are open, to be changed; those of the innermost time last.
    pub fn fights(&mut self) -> impl Iterator<Item = &mut Fight> {
        self.edit_if(TIMES).contexts.iter_mut().flat_map(|c| &mut c.fights)
    }

    /// That battle of the innermost time is over.
    pub fn end_fight(&mut self, id: u32) {
        self.battle_goes_on();
        self.edit_if(TIMES).context_mut().fights.retain(|f| f.id != id);
    }

    /// The battles of the innermost time are over.
    pub fn end_fights(&mut self) {
        self.battle_goes_on();
        self.edit_if(TIMES).context_mut().fights.clear();
    }
}

/// Cards.
impl Duel<'_> {
    /// The cards of a zone are in that order now; the last is the topmost.
    pub fn arrange(&mut self, zone: ZoneId, order: Vec<CardId>) {
        debug_assert_eq!(order.len(), self.t.zone(zone).len(), "an order of other cards");
        // In what order they lie that are not in play is seen by those who look there.
        let board = self.book.schema().spec(zone).board;
        let t = if board { self.edit() } else { self.edit_if(read::off_board(zone)) };
        t.zones[zone.0 as usize] = order.into();
    }

    /// Chance orders the cards of a zone.
    pub fn shuffle(&mut self, zone: ZoneId, cite: Option<&'static Cite>) -> Flow {
        let cards = self.t.zone(zone).to_vec();
        let order = self.by_chance(&cards, cite)?;
        self.arrange(zone, order);
        Ok(())
    }

    /// An order of cards that chance has made.
    pub fn by_chance(&mut self, cards: &[CardId], cite: Option<&'static Cite>) -> Flow<Vec<CardId>> {
        let of = cards.iter().map(|id| Thing::Card(self.t.now(*id))).collect();
        let mut question = Question::new(Seat(0), Word("シャッフル"), Asks::Order(of));
        (question.seat, question.minor, question.cite) = (None, true, cite);
        let order = self.pick(question)?;
        Ok(order.into_iter().filter_map(|t| if let Thing::Card(r) = t { Some(r.id) } else { None }).collect())
    }

    /// The card lies with another in that way, or with none, where it lay before.
    pub fn lay_with(&mut self, card: CardId, host: Option<(Word, CardId)>) {
        self.edit().obj_mut(card).host = host;
    }

    /// The card is laid under another without having left: nothing triggers, and it is a new card there.
    pub fn slip_under(&mut self, card: CardId, zone: ZoneId, host: (Word, CardId)) {
        let schema = self.book.schema();
        let t = self.edit();
        let stamp = t.tick();
        let old = t.obj(card);
        let (from, life, fresh) = (old.zone, old.life, super::Obj::new(schema, old.def, old.owner, zone));
        let face_up = old.face_up;
        t.zones[from.0 as usize].retain(|id| *id != card);
        t.zones[zone.0 as usize].push(card);
        *t.obj_mut(card) = super::Obj { life: life + 1, face_up, host: Some(host), since: stamp, held: stamp, ..fresh };
    }

    /// The player who plays a card has it.
    pub fn hand_to(&mut self, card: CardId, seat: Seat) {
        self.edit().obj_mut(card).controller = seat;
    }

    /// The card lies in that state without having been turned: nothing triggers.
    pub fn lies(&mut self, card: CardId, state: u8) {
        self.edit().obj_mut(card).state = state;
    }

    /// The mark does not lie on the card any more, without an event.
    pub fn unmark(&mut self, card: CardId, mark: &str) {
        self.edit().obj_mut(card).marks.change(|marks| marks.retain(|(name, _)| *name != mark));
    }

    /// A fact of a card on which what texts see may hang, a role of it.
    pub fn fact_in_view(&mut self, card: CardId, fact: usize) -> &mut i32 {
        &mut self.edit_if(read::ROLES).obj_mut(card).facts[fact]
    }

    /// A number of a player that texts may read.
    pub fn number_of(&mut self, seat: Seat, fact: usize) -> &mut i32 {
        &mut self.edit_if(read::PLAYERS).seats[seat.index()][fact]
    }
}

/// Effects that the rules make.
impl Duel<'_> {
    /// The effect begins now, or at its own time if it has one.
    pub fn begin_effect(&mut self, effect: Ongoing) {
        let t = self.edit();
        let now = t.tick();
        let stamp = if effect.stamp == 0 { now } else { effect.stamp };
        t.ongoing.push(Ongoing { stamp, ..effect });
    }

    /// The effect, counted among all that last, does not meet the card any more, and never will again.
    pub fn spare(&mut self, effect: usize, card: Ref) {
        if let Some(locked) = &mut self.edit().ongoing[effect].locked {
            locked.retain(|r| *r != card);
        }
    }

    /// Since when static abilities count.
    pub fn date(&mut self, dates: Vec<(Ref, u32, u32)>) {
        if self.t.dates != dates {
            self.edit().dates = dates;
        }
    }

    /// The effects at these places count since then.
    pub fn date_effects(&mut self, dates: &[(usize, u32)]) {
        let t = self.edit();
        for (at, stamp) in dates {
            t.ongoing[*at].stamp = *stamp;
        }
    }

    /// What lasts may last until another time from now on.
    pub fn last_until(&mut self, then: impl Fn(&Ongoing) -> Option<crate::card::Word>) {
        for effect in &mut self.edit().ongoing {
            effect.until = then(effect).or(effect.until);
        }
    }

    /// These effects have nothing to do with the card any more.
    pub fn let_go(&mut self, card: Ref, ends: impl Fn(&Ongoing) -> bool) {
        let ongoing = &mut self.edit().ongoing;
        for effect in ongoing.iter_mut().filter(|effect| ends(effect)) {
            effect.locked.iter_mut().for_each(|cards| cards.retain(|other| *other != card));
        }
        ongoing.retain(|effect| effect.locked.as_ref().is_none_or(|cards| !cards.is_empty()));
    }

    /// A turn begins: it is the one that some effects last until, or until the end of which they last. `delayed`: what a
    /// game calls abilities that wait so long, which are not executed yet.
    pub fn turn_comes(&mut self, delayed: &str, clauses: &[&str]) -> Flow {
        let next = |until: Option<Word>| until.and_then(|until| NEXT.iter().position(|word| until == *word));
        if self.t.watches.iter().any(|watch| next(watch.until).is_some()) {
            return self.unwritten(format!("{delayed}の期限を、1人のターンで数えること"), clauses);
        }
        if !self.t.ongoing.iter().any(|o| next(o.until).is_some()) {
            return Ok(());
        }
        let active = self.t.active;
        self.last_until(|o| {
            let at = next(o.until)?;
            let moment = if at < 2 { Word("ターン開始時") } else { Word("ターン終了時") };
            ((at % 2 == 0) == (o.seat == active)).then_some(moment)
        });
        self.expire(Word("ターン開始時"), None)
    }

    /// The effects that began then end: what they lasted for is over.
    pub fn end_effects(&mut self, began: &[u32]) {
        self.edit().ongoing.retain(|o| !began.contains(&o.stamp));
    }

    /// Of these cards, those whose static abilities do not come to the same in either order as those of another: they
    /// change the same thing, and one of them not by adding to it.
    pub fn in_each_others_way(&mut self, cards: &[Ref]) -> Vec<Ref> {
        let layering = self.book.layering(self);
        let adds = |c: &Change| {
            matches!(
                c,
                Change::Add(..)
                    | Change::Cost(..)
                    | Change::Join(..)
                    | Change::Gain(_)
                    | Change::Forbid(_)
                    | Change::Immune(_)
                    | Change::PlayFrom(_)
                    | Change::Enter(_)
            )
        };
        let view = self.look();
        let grants = |card: &Ref| -> Vec<(u8, bool)> {
            let texts = view.cards[card.id.0 as usize].abilities.iter().filter(|a| a.kind == Kind::Static);
            texts.flat_map(|a| &a.grant).map(|c| ((layering.of)(c), adds(c))).collect()
        };
        let all: Vec<Vec<(u8, bool)>> = cards.iter().map(grants).collect();
        let clash =
            |a: &[(u8, bool)], b: &[(u8, bool)]| a.iter().any(|x| b.iter().any(|y| x.0 == y.0 && !(x.1 && y.1)));
        let matters = |at: &usize| (0..all.len()).any(|other| other != *at && clash(&all[*at], &all[other]));
        (0..cards.len()).filter(matters).map(|at| cards[at]).collect()
    }

    /// The static abilities of the card date from now on; when it came is not touched.
    pub fn dates_effects_from_now(&mut self, card: Ref) {
        let abilities: Vec<u32> =
            self.seen(card).abilities.iter().filter(|a| a.kind == Kind::Static).map(|a| a.id).collect();
        let t = self.edit();
        let stamp = t.tick();
        t.dates.retain(|(c, ..)| *c != card);
        t.dates.extend(abilities.into_iter().map(|ability| (card, ability, stamp)));
    }

    /// What the card's own texts do dates from now on: of cards that came at once, somebody has said which is later.
    pub fn dates_from_now(&mut self, card: Ref) {
        let t = self.edit();
        let stamp = t.tick();
        t.obj_mut(card.id).since = stamp;
    }
}
