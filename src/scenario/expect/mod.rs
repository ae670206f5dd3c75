//! What must be so: `expect:`. [`read`] reads it, [`crate::scenario::expect::look`] looks whether it is so.

pub mod look;
mod read;
pub mod traits;

use crate::kernel::{CardId, Seat, ZoneId};
use crate::scenario::expect::traits::Trait;
use crate::scenario::file::node::At;
pub use read::Reader;

/// Everything one `expect:` says.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    pub claims: Vec<Claim>,
    pub unchanged: Vec<Subject>,
}

/// One thing that must be so.
#[derive(Clone, Debug)]
pub struct Claim {
    pub at: At,
    pub says: Says,
}

/// What something is said about.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    Card(CardId),
    Zone(ZoneId),
    SeatFact(Seat, usize),
    /// Always known: phase, pile, winner.
    Table,
}

#[derive(Clone, Debug)]
pub enum Says {
    Card(CardId, Trait),
    Zone(ZoneId, Content),
    /// What lies face up there, and what that part of the zone is called.
    Open(ZoneId, &'static str, Content),
    SeatFact(Seat, usize, i32),
    Fact(usize, i32),
    /// From the top.
    Stack(Vec<String>),
    Phase(String),
    /// Who is in battles; nobody, where there is none.
    Battle(Vec<CardId>),
    Turn(i32),
    Priority(Option<Seat>),
    Active(Seat),
    /// `Some(None)`: a draw; `None`: nobody yet.
    Winner(Option<Option<Seat>>),
    Sees(Seat, CardId, bool),
    Event(Happening),
    Unchanged(Subject),
}

/// Something that must have happened since the start, or so many times.
#[derive(Clone, Debug)]
pub struct Happening {
    /// The event, or the manner of it (破壊).
    pub name: String,
    pub card: Option<CardId>,
    pub by: Option<CardId>,
    pub amount: Option<i32>,
    pub who: Option<Seat>,
    pub from: Vec<ZoneId>,
    pub to: Vec<ZoneId>,
    /// It came from, or went to, the part of the zone that lies face up.
    pub open: [bool; 2],
    pub times: Option<i32>,
    /// As written.
    pub text: String,
}

/// What lies in a zone.
#[derive(Clone, Debug)]
pub enum Content {
    Count(i32),
    /// Exactly these; in this order from the top where the zone is ordered.
    Exactly(Vec<CardId>),
    Has(CardId, bool),
}

impl Says {
    /// What it is about.
    pub fn subject(&self) -> Subject {
        match self {
            Says::Card(id, _) => Subject::Card(*id),
            Says::Zone(zone, _) | Says::Open(zone, ..) => Subject::Zone(*zone),
            Says::SeatFact(seat, at, _) => Subject::SeatFact(*seat, *at),
            _ => Subject::Table,
        }
    }
}
