//! What a game declares about itself: zones with their geometry, facts, words.

use super::table::{Seat, ZoneId};
use crate::card::{DataKind, Vocabulary};

/// Who may see the front of a card in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    All,
    Owner,
    Nobody,
}

/// A zone of the table.
#[derive(Clone, Copy, Debug)]
pub struct ZoneSpec {
    pub name: &'static str,
    /// Whose it is; shared zones are nobody's.
    pub owner: Option<Seat>,
    /// A zone where cards are in play.
    pub board: bool,
    /// Column and row, as the first player sees them from the left and from their side.
    pub x: i8,
    pub y: i8,
    pub sight: Sight,
    /// Cards in it keep the order they were put in.
    pub ordered: bool,
    /// Cards in it are released or frozen, in attack or in defence.
    pub states: bool,
}

/// The zone in which cards wait that are made in play, and to which they go back: nobody sees it.
pub const LIMBO: &str = "ゲームの外";

/// Whom a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactOwner {
    Card,
    Seat,
    Table,
}

/// Something that mechanics must remember, declared so that it can be set, shown, and is not forgotten at the end of a turn.
#[derive(Clone, Copy, Debug)]
pub struct FactSpec {
    pub name: &'static str,
    pub owner: FactOwner,
    pub initial: i32,
    /// It is a moment, not something that can be seen: positions are compared without it.
    pub moment: bool,
    /// The clause that says when it ends.
    pub reset: &'static str,
}

/// The declaration of a game.
#[derive(Debug)]
pub struct Schema {
    pub zones: Vec<ZoneSpec>,
    /// At most [`super::table::FACTS`] for each kind of owner.
    pub facts: &'static [FactSpec],
    pub words: Vocabulary,
    /// The states in which a card can lie; the first is the one it is in unless told.
    pub states: &'static [&'static str],
    /// How many cards a zone holds where a scenario says nothing of it.
    pub fill: &'static [(&'static str, usize)],
    /// What the seats are called on this table's paper: `A`, `B`.
    pub seats: [&'static str; 2],
}

impl Schema {
    pub fn zone(&self, name: &str, owner: Option<Seat>) -> Option<ZoneId> {
        let at = self.zones.iter().position(|z| z.name == name && z.owner == owner)?;
        Some(ZoneId(at as u8))
    }

    pub fn spec(&self, zone: ZoneId) -> &ZoneSpec {
        &self.zones[zone.0 as usize]
    }

    /// The place of a fact among those of its owner.
    pub fn fact(&self, owner: FactOwner, name: &str) -> Option<usize> {
        self.facts.iter().filter(|f| f.owner == owner).position(|f| f.name == name)
    }

    pub fn data(&self, name: &str) -> Option<(usize, DataKind)> {
        let at = self.words.data.iter().position(|(n, _)| *n == name)?;
        Some((at, self.words.data[at].1))
    }

    /// The place of a state among the game's.
    pub fn state(&self, name: &str) -> Option<u8> {
        self.states.iter().position(|s| *s == name).map(|at| at as u8)
    }

    /// What a state is called.
    pub fn state_name(&self, state: u8) -> &'static str {
        self.states.get(state as usize).copied().unwrap_or_default()
    }

    /// The zones in play.
    pub fn board(&self) -> impl Iterator<Item = ZoneId> + '_ {
        (0..self.zones.len()).filter(|i| self.zones[*i].board).map(|i| ZoneId(i as u8))
    }
}
