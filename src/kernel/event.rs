//! What happens, or is about to.

use super::book::Side;
use super::cite::Cite;
use super::table::{CardId, Ref, Seat, ZoneId};
use crate::card::Word;

/// By what a thing happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Means {
    /// The rules themselves.
    #[default]
    Rule,
    /// The effect of a spell or ability.
    Effect,
    /// The payment of a cost.
    Cost,
    /// A battle.
    Battle,
}

/// Why a thing happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cause {
    pub means: Means,
    /// The source: the card whose ability, spell or battle it is.
    pub card: Option<Ref>,
    pub seat: Option<Seat>,
}

impl Cause {
    pub const RULE: Cause = Cause { means: Means::Rule, card: None, seat: None };
}

/// The change itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// To another zone.
    Move { to: ZoneId, bottom: bool, state: u8, face_up: bool, controller: Option<Seat>, host: Option<(Word, CardId)> },
    /// Released, frozen.
    Turn { state: u8 },
    /// Face up or down.
    Face { up: bool },
    /// The card is another's now, and lies there. It stays the card it was, and has not arrived; where no state is said, it
    /// lies as it lay.
    Control { to: ZoneId, controller: Seat, state: Option<u8> },
    /// Markers of that name are put on the card, or taken off: the amount.
    Mark { name: Word },
    /// A fact of the card grows by the amount.
    Grow { fact: usize },
    /// A fact of the seat changes by so much. The event's amount is what texts call it: damage is a number, not a loss.
    SeatFact { fact: usize, by: i32 },
    /// Nothing changes; it only happened.
    Signal,
}

/// An event, proposed or done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    pub what: What,
    /// In the game's words: 置く, ダメージ, 攻撃.
    pub name: Word,
    /// Further names under which texts know it.
    pub also: Vec<Word>,
    /// The manner, where texts tell it apart: 破壊, 捨てる.
    pub how: Word,
    /// The card, in the life it had before.
    pub card: Option<Ref>,
    /// The card in the life it has after; the same unless it moved.
    pub after: Option<Ref>,
    pub from: Option<ZoneId>,
    pub to: Option<ZoneId>,
    /// The state it was in before.
    pub was: u8,
    /// The card lay face up where it came from.
    pub from_face_up: bool,
    /// The player it happens to, or who does it.
    pub seat: Option<Seat>,
    pub amount: i32,
    pub cause: Cause,
    /// Replacements that have already had it, by source and number.
    pub replaced_by: Vec<(Option<Ref>, u32)>,
    pub turn: u16,
    /// When it happened: what happens at once bears one stamp.
    pub stamp: u32,
    /// Which side of a move is read, once it has been made.
    pub side: Option<Side>,
    /// The fight in which it happens.
    pub fight: Option<u32>,
    /// The clause by which it happens, where others happen at once by other clauses.
    pub cite: Option<&'static Cite>,
}

impl Event {
    pub fn signal(name: Word) -> Event {
        Event {
            what: What::Signal,
            name,
            also: Vec::new(),
            how: Word(""),
            card: None,
            after: None,
            from: None,
            to: None,
            was: 0,
            from_face_up: true,
            seat: None,
            amount: 0,
            cause: Cause::RULE,
            replaced_by: Vec::new(),
            turn: 0,
            stamp: 0,
            side: None,
            fight: None,
            cite: None,
        }
    }

    pub fn about(name: Word, card: Ref) -> Event {
        Event { card: Some(card), after: Some(card), ..Event::signal(name) }
    }

    pub fn is_move(&self) -> bool {
        matches!(self.what, What::Move { .. })
    }

    pub fn by(mut self, cause: Cause) -> Event {
        self.cause = cause;
        self
    }

    pub fn seat(mut self, seat: Seat) -> Event {
        self.seat = Some(seat);
        self
    }
}
