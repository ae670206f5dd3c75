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
//! | what is told afterwards? | [`trace`] |

pub mod book;
pub mod choose;
pub mod cite;
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
pub use schema::{FactOwner, FactSpec, Schema, Sight, ZoneSpec};
pub use table::{
    CardId, Context, Fight, Item, ItemKind, Obj, Ongoing, Pending, Point, Ref, Seat, Slots, Table, Thing, Use, User,
    Watch, ZoneId,
};
pub use trace::{Entry, Told, Trace};
pub use view::{Def, Seen, View};
