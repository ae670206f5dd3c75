//! The parts every game is built from, and no policy: the games differ exactly in policy.
//!
//! A duel is a pure function of what was given and what was answered ([`run`]). Rules are procedures of a game that
//! may only *look* ([`Duel::look`]), *ask* ([`Duel::ask`]), *propose* ([`Duel::propose`]) and *cite*
//! ([`Duel::under`]). When the answers run dry, `ask` halts the procedure; to go on, run again with one more.
//!
//! | question | file |
//! |---|---|
//! | what lies on the table, and where? | [`table`] |
//! | which zones, facts, words and customs has a game? | [`schema`] |
//! | what may a game say about all this? | [`book`] |
//! | which questions must every game answer? | [`principle`] |
//! | what happened, or is about to? | [`event`] |
//! | what does a card look like under all effects? | [`view`] |
//! | does this card, square, number, event fit the words? | [`eyes`] |
//! | how does a change happen: forbidden, replaced, done, logged, seen by triggers? | [`propose`] |
//! | how does a game change what no event tells: turn, step, battle, order of a pile? | [`doors`] |
//! | how are the steps of an effect carried out? | [`steps`] |
//! | how are things chosen? | [`choose`] |
//! | how is a question put and answered? | [`question`] |
//! | which clause is executed where? | [`cite`] |
//! | could this be done? tried on copies | [`try_out`] |
//! | how often may something be used? | [`limit`] |
//! | what may a player do, and what forbids it? | [`verb`] |
//! | is this the same position as before? | [`position`] |
//! | do the players go round? | [`rounds`] |
//! | what is told afterwards? | [`trace`] |
//!
//! # The sixth game
//!
//! A game is a [`Rulebook`]: 58 hooks, of which eleven must be answered and the others are there where a document has
//! something to say. `tests/sixth_game.rs` is a whole game with a turn, a keyword, a check and a ruling, in under 150 lines;
//! its comments carry the same numbers as these steps. `tests/kernel.rs` shows each part of the kernel in a game that has
//! nothing to say by itself.
//!
//! **1. Declare** ([`Schema`]). Zones, with who may see into them and which of them are *in play* (`board`): a card that goes
//! from board to board stays the same card, any other move makes a new one of it ([`Ref`] is a card in one of its lives).
//! The states in which a card can lie. The facts that mechanics remember, each with what ends it ([`Ends`]) and the clause:
//! the kernel ends them, but for those that a step of the document ends, which is that step's business (a clause that is
//! knocked out must leave the damage where it is). The words of its cards ([`crate::card::Vocabulary`]): kinds, colours,
//! events, keywords are closed lists, and the data that a kind of card must have and the parts that a keyword must say are
//! required. Last the [`Customs`]: what a document says once and for all, as data (what lies beneath, which
//! manner of an event is also another, the clause by which "cannot" wins). What the loader accepts must be executed:
//! `tests/vocabulary.rs` looks for words that nothing carries out.
//!
//! **2. Answer** every [`Principle`] with its clauses ([`Says::So`], [`Says::Not`]), a reading ([`Says::Open`]) or silence
//! ([`Says::Silent`]): asking what is silent halts the duel as *undecided*. There is no default that is another game's rule;
//! a new question does not compile until every game has answered it. What the kernel merely does and a clause merely names
//! is a [`Gloss`]. How effects are ordered is a [`Layering`]: the layers, and the clause for each key of the order.
//!
//! **3. Write the procedures** in the document's order, a file for each chapter, from [`Rulebook::play`] on: a turn calls its
//! phases, a window asks until both pass, a battle is a nested call. Each step stands under its clause.
//!
//! | to say | write |
//! |---|---|
//! | this step is what clause 3.6.1 demands | `d.step(g!("3.6.1"), \|d\| …)`: without the clause it is not done |
//! | these steps belong to 3.6 | `d.under(g!("3.6", Frame), \|d\| …)` |
//! | here 4.11 decides | `if d.applies(g!("4.11", Limit), \|d\| text) { … }`: false where it is knocked out |
//! | the document is open here | `d.reading(g!("C7", Reading), "a")`: the key of the reading taken |
//! | a card moves, turns, is marked, changes sides | `d.propose(events)?`: forbidden, replaced or done ([`Done`] says which) |
//! | a moment comes | `d.signal(Word("…"))` |
//! | a turn, step or battle begins; a pile is shuffled; what was begun is taken back | a door ([`doors`]) |
//! | the player may do something | a [`Verb`] with its [`Limit`]s; `d.offers(VERBS, who)` in a [`Question`], then `d.carry_out(…)` |
//! | could this be paid? | `d.try_out(\|d\| …)`: on a copy, with the same clauses knocked out |
//! | only once a turn | `d.use_up(card, seat, ability)` |
//! | the phase is left from inside | `d.within(scope, …)` and `d.leave(scope)` |
//! | the rules look again until nothing is due | a loop that begins with `d.goes_round()?` |
//!
//! What a player may do is a table of [`Verb`]s, each with its [`Limit`]s in the document's order: the duel offers and refuses
//! from the same rows, and who knows the document finds the clause that forbids an act in one step. A row says of the card
//! (asked once, wherever the card goes) or of the place. Where one look answers several clauses, a row is a function that
//! names them with [`crate::limit!`]: what a price is and whether it can be paid (found by trying out, which is dear), the
//! timing of an ability, which of several clauses bars what would be chosen. Acts that only one step asks for (an attack, a
//! block, a call) are listed by that step and refused from their rows. Of copies of a card that lie together only the first
//! is asked about, where no text tells them apart.
//!
//! `g!` stands for the game's own macro around [`crate::cite!`]: a citation is a value with its file and line, so that the
//! trace prints it, coverage counts it and a knock-out switches it off. A result that decides must be looked at
//! (`#[must_use]`), and the table cannot be changed past these ways: games hold it as [`duel::Shut`].
//!
//! **4. Say what is not known**: [`Duel::undecided`] where the document is silent or contradicts itself,
//! [`Duel::unwritten`] where the rulebook does not execute something yet, and never go on past either. Between a gap and a
//! guess take the gap.
//!
//! **5. Let it be tried.** Add the game to the list in `src/game/mod.rs`, its rules under `rules/`, and boards under
//! `rulings/` whose `why:` names the clauses that decide: the runner knocks each of them out and wants another outcome.
//!
//! A change comes about in this order: [`Rulebook::adjust`], [`Rulebook::forbids`] and prohibitions of texts, replacements
//! (by whom: [`Rulebook::replacing`]), [`Rulebook::accompany`] for what goes along, the change itself,
//! [`Rulebook::happened`], triggers ([`Rulebook::may_trigger`]), [`Rulebook::at_once`].

pub mod book;
pub mod choose;
pub mod cite;
pub mod doors;
pub mod duel;
pub mod event;
pub mod eyes;
mod growth;
pub mod limit;
pub mod position;
pub mod principle;
pub mod propose;
pub mod question;
pub mod rounds;
pub mod schema;
pub mod shared;
pub mod steps;
pub mod table;
pub mod trace;
pub mod trigger;
pub mod try_out;
pub mod verb;
pub mod view;

pub use book::{Act, Aim, Face, Layering, Rulebook, Side};
pub use cite::{Cite, Rule};
pub use duel::{Duel, Flow, Given, Halt, Lack, Run, Settings, Stopped, run};
pub use event::{Cause, Event, Means, What};
pub use eyes::{Ctx, Eyes};
pub use principle::{Cites, Gloss, Principle, Says};
pub use propose::Done;
pub use question::{Answers, Asks, Move, Question, Refusal};
pub use schema::{Customs, Ends, FactOwner, FactSpec, Group, Schema, Sight, ZoneSpec};
pub use table::{
    CardId, Context, Fight, Item, ItemKind, Obj, Ongoing, Outcome, Pending, Point, Ref, Seat, Slots, Table, Thing, Use,
    User, Watch, ZoneId,
};
pub use trace::{Entry, Told, Trace};
pub use verb::{Limit, Verb};
pub use view::{Def, Seen, View};
