//! The parts every game is built from, and no policy: the games differ exactly in policy.
//!
//! A duel is a pure function of what was given and what was answered ([`run`]). Rules are procedures of a game that
//! may only *look* ([`Duel::look`]), *ask* ([`Duel::ask`]), *propose* ([`Duel::propose`]) and *cite*
//! ([`Duel::under`]). When the answers run dry, `ask` halts the procedure; to go on, run again with one more.
//!
//! | question | file |
//! |---|---|
//! | what lies on the table, and where? | [`table`] |
//! | which zones, facts and words has a game? | [`schema`] |
//! | what may a game say about all this? | [`book`] |
//! | which questions must every game answer? | [`principle`] |
//! | what happened, or is about to? | [`event`] |
//! | what does a card look like under all effects? | [`view`] |
//! | does this card, square, number, event fit the words? | [`eyes`] |
//! | how does a change happen: forbidden, replaced, done, logged, seen by triggers? | [`propose`] |
//! | how are the steps of an effect carried out? | [`steps`] |
//! | how are things chosen? | [`choose`] |
//! | how is a question put and answered? | [`question`] |
//! | which clause is executed where? | [`cite`] |
//! | could this be done? tried on copies | [`try_out`] |
//! | how often may something be used? | [`limit`] |
//! | what is told afterwards? | [`trace`] |
//!
//! # Writing a game
//!
//! A game is a [`Rulebook`]: `tests/sixth_game.rs` is a whole one, with a turn, a keyword, a check and what they come to.
//!
//! 1. **Declare** ([`Schema`]): zones, the states a card lies in, the facts that mechanics remember (with the clause that
//!    ends each), and the words of its cards ([`crate::card::Vocabulary`]): kinds, colours, events, keywords are closed
//!    lists, and data that a kind of card must have are required. What the loader accepts must be executed:
//!    `tests/vocabulary.rs` looks for words that nothing carries out.
//! 2. **Answer** every [`Principle`] with its clauses ([`Says::So`], [`Says::Not`]), a reading ([`Says::Open`]) or
//!    silence ([`Says::Silent`]): asking what is silent halts the duel as *undecided*. No game follows another.
//! 3. **Write the procedures** in the document's order, a file for each chapter: they [`Duel::look`], [`Duel::ask`],
//!    [`Duel::propose`] and cite. What came of a proposal ([`Done`]) must be looked at, and so must a clause that was
//!    asked ([`Duel::applies`], false where it is knocked out). [`Duel::step`] is a step that its clause alone demands.
//!    Every loop of the rules begins with [`Duel::goes_round`].
//! 4. **Say what is not known**: [`Duel::undecided`] where the document is silent or contradicts itself,
//!    [`Duel::unwritten`] where the rulebook does not execute something yet, and never go on past either.

pub mod book;
pub mod choose;
pub mod cite;
pub mod doors;
pub mod duel;
pub mod event;
pub mod eyes;
pub mod limit;
pub mod principle;
pub mod propose;
pub mod question;
pub mod schema;
pub mod steps;
pub mod table;
pub mod trace;
pub mod trigger;
pub mod try_out;
pub mod view;

pub use book::{Rulebook, Side};
pub use cite::{Cite, Rule};
pub use duel::{Duel, Flow, Given, Halt, Lack, Run, Settings, Stopped, run};
pub use event::{Cause, Event, Means, What};
pub use eyes::{Ctx, Eyes};
pub use principle::{Cites, Gloss, Principle, Says};
pub use propose::Done;
pub use question::{Answers, Asks, Move, Question, Refusal};
pub use schema::{Customs, FactOwner, FactSpec, Group, Schema, Sight, ZoneSpec};
pub use table::{
    CardId, Context, Fight, Item, ItemKind, Obj, Ongoing, Pending, Point, Ref, Seat, Slots, Table, Thing, Use, User,
    Watch, ZoneId,
};
pub use trace::{Entry, Told, Trace};
pub use view::{Def, Seen, View};
