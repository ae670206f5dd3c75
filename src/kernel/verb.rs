//! What a player may do, as rows: legality is written once, and the duel both offers and refuses from it.
//!
//! A [`Verb`] says what could be thought of, what forbids it and how it is carried out. A [`Limit`] is one clause that
//! forbids: it is asked in its place, refuses in its own words, and lets pass what is wanted when it is knocked out.
//! Where one look answers several clauses (what a price is and whether it can be paid, which of several clauses bars what
//! would be chosen), a row is a function that names them ([`Limit::clauses`]): to ask for them one by one would be to pay
//! several times over.

use std::borrow::Cow;
use std::sync::Arc;

use super::cite::{Cite, Rule};
use super::duel::{Duel, Flow};
use super::question::{Move, Refusal};
use super::table::{Obj, Ref, Seat, ZoneId};
use super::view::View;
use crate::card::Word;

/// Something that a player does.
#[derive(Debug)]
pub struct Verb {
    pub name: &'static str,
    /// Which acts of the name it is about, where the name has several ways or kinds of cards.
    is: fn(&mut Duel, &Move) -> bool,
    /// What could be thought of now; most of it is not allowed. Those of one card stand together.
    could: Could,
    /// Where each of that could be thought of to go; nowhere: as it was listed.
    places: Places,
    /// What forbids it, in the order in which it is said.
    limits: &'static [&'static [Limit]],
    /// False: it was taken back.
    carry_out: CarryOut,
}

pub type Could = fn(&mut Duel, Seat) -> Vec<Move>;
pub type Places = fn(&mut Duel, &Move) -> &'static [ZoneId];
pub type CarryOut = fn(&mut Duel, Seat, &Move) -> Flow<bool>;

impl Verb {
    pub const fn new(
        name: &'static str,
        could: Could,
        limits: &'static [&'static [Limit]],
        carry_out: CarryOut,
    ) -> Verb {
        Verb { name, is: |_, _| true, could, places: |_, _| &[], limits, carry_out }
    }

    /// Acts that go to one of these places. Most are forbidden wherever they go, and are not listed place by place.
    pub const fn to(self, places: Places) -> Verb {
        Verb { places, ..self }
    }

    /// Only acts of the name of which this holds.
    pub const fn of(self, is: fn(&mut Duel, &Move) -> bool) -> Verb {
        Verb { is, ..self }
    }
}

/// Why an act is not allowed. Listing asks about very many, so it is put into words only for those who read it.
#[derive(Debug)]
pub struct No {
    pub cite: &'static Cite,
    pub why: Cow<'static, str>,
}

pub type Allowed = Result<(), No>;

/// The clause forbids it.
pub fn no(cite: &'static Cite, why: impl Into<Cow<'static, str>>) -> Allowed {
    Err(No { cite, why: why.into() })
}

/// A clause that forbids an act.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// It holds or not wherever the card goes: asked once for all its places.
    once: bool,
    asks: Ask,
}

#[derive(Clone, Copy, Debug)]
enum Ask {
    Clause(&'static Cite, &'static str, fn(&mut Duel, Seat, &Move) -> bool),
    Clauses(fn(&mut Duel, Seat, &Move) -> Allowed),
}

impl Limit {
    /// It is forbidden by the clause unless this holds of the card, wherever it goes.
    pub const fn card(cite: &'static Cite, why: &'static str, ok: fn(&mut Duel, Seat, &Move) -> bool) -> Limit {
        Limit { once: true, asks: Ask::Clause(cite, why, ok) }
    }

    /// It is forbidden by the clause unless this holds of the place.
    pub const fn place(cite: &'static Cite, why: &'static str, ok: fn(&mut Duel, Seat, &Move) -> bool) -> Limit {
        Limit { once: false, asks: Ask::Clause(cite, why, ok) }
    }

    /// Several clauses that one look answers, of the card wherever it goes.
    pub const fn clauses(ask: fn(&mut Duel, Seat, &Move) -> Allowed) -> Limit {
        Limit { once: true, asks: Ask::Clauses(ask) }
    }

    /// The same of the place.
    pub const fn place_clauses(ask: fn(&mut Duel, Seat, &Move) -> Allowed) -> Limit {
        Limit { once: false, asks: Ask::Clauses(ask) }
    }

    fn allows(&self, d: &mut Duel, who: Seat, m: &Move) -> Allowed {
        match self.asks {
            Ask::Clause(cite, why, ok) if !ok(d, who, m) => d.unless(cite, why),
            Ask::Clause(..) => Ok(()),
            Ask::Clauses(ask) => ask(d, who, m),
        }
    }
}

/// The act with each of the cards.
pub fn each(verb: &'static str, cards: Vec<Ref>) -> Vec<Move> {
    cards.into_iter().map(|card| Move::of(Word(verb), card)).collect()
}

/// The card of an act that has been found to have one.
pub fn card(m: &Move) -> Ref {
    m.card.expect("an act with a card")
}

/// The place of an act that has been found to have one.
pub fn place(m: &Move) -> ZoneId {
    m.to.expect("an act with a place")
}

/// In a function that names several clauses: forbidden by this one unless the condition holds.
#[macro_export]
macro_rules! limit {
    ($d:expr, $ok:expr, $cite:expr, $why:expr) => {
        if !$ok {
            let cite = $cite;
            $d.unless(cite, $why)?;
        }
    };
}

/// More acts than are mostly offered.
const MANY: usize = 32;

/// Which rows were asked about a card wherever it goes, and which of them let it pass.
#[derive(Default)]
struct Heard {
    asked: u64,
    fine: u64,
}

impl Duel<'_> {
    /// The clause forbids it, unless it is knocked out. What is only the shape of an act is never knocked out.
    pub fn unless(&self, cite: &'static Cite, why: &'static str) -> Allowed {
        if cite.rule == Rule::Frame || self.on(cite) { no(cite, why) } else { Ok(()) }
    }

    /// Everything the player may do now, passing first.
    pub fn offers(&mut self, verbs: &[Verb], who: Seat) -> Vec<Move> {
        let hushed = std::mem::replace(&mut self.hushed, true);
        let quick = self.only_lists();
        // Copies that lie together fare alike, unless a text tells them apart.
        let alike = quick && self.look().rules.is_empty();
        let mut found = Vec::with_capacity(MANY);
        found.push(Move::PASS);
        for verb in verbs {
            let could = (verb.could)(self, who);
            let (mut of, mut heard) = (None, Heard::default());
            let mut copies: Vec<(Move, std::ops::Range<usize>)> = Vec::new();
            for m in could {
                let view = self.look();
                let copy = |(other, _): &&(Move, _)| alike && self.is_copy(&view, &m, other);
                if let Some((_, of)) = copies.iter().find(copy) {
                    let card = m.card;
                    found.extend(of.clone().map(|i| Move { card, ..found[i] }).collect::<Vec<_>>());
                    continue;
                }
                if of.replace((m.card, m.ability, m.way)) != Some((m.card, m.ability, m.way)) {
                    heard = Heard::default();
                }
                let before = found.len();
                let places = (verb.places)(self, &m);
                let placed = places.iter().map(|to| Move { to: Some(*to), ..m });
                for m in places.is_empty().then_some(m).into_iter().chain(placed) {
                    // What fails wherever it goes fails here, whichever row comes first.
                    if heard.asked != heard.fine && quick {
                        break;
                    }
                    if self.is_offered(verb, who, &m, &mut heard) {
                        found.push(m);
                    }
                }
                copies.push((m, before..found.len()));
            }
        }
        self.hushed = hushed;
        found
    }

    /// The same act with another copy of the card, in the same place off the board, that looks the same and to which
    /// nothing else has happened.
    fn is_copy(&self, view: &View, a: &Move, b: &Move) -> bool {
        let (Some(x), Some(y)) = (a.card, b.card) else { return false };
        let seen = |card: Ref| &view.cards[card.id.0 as usize];
        if !Arc::ptr_eq(seen(x), seen(y)) || !(Move { card: b.card, ..*a } == *b) {
            return false;
        }
        let (x, y) = (self.t.obj(x.id), self.t.obj(y.id));
        let state = |o: &Obj| (o.zone, o.face_up, o.revealed, o.state, o.host, o.facts);
        x.owner == y.owner && state(x) == state(y) && !self.book.schema().spec(x.zone).board
    }

    /// No row forbids it.
    fn is_offered(&mut self, verb: &Verb, who: Seat, m: &Move, heard: &mut Heard) -> bool {
        let mut bit = 1;
        for rows in verb.limits {
            for row in *rows {
                if !row.once || heard.asked & bit == 0 {
                    let fine = row.allows(self, who, m).is_ok();
                    if row.once {
                        heard.asked |= bit;
                        heard.fine |= if fine { bit } else { 0 };
                    }
                    if !fine {
                        return false;
                    }
                } else if heard.fine & bit == 0 {
                    return false;
                }
                bit <<= 1;
            }
        }
        true
    }

    /// Whether the player may do this now, and if not, by which clause.
    pub fn allows(&mut self, verbs: &[Verb], who: Seat, m: &Move) -> Allowed {
        let Some(verb) = self.verb(verbs, m) else { return Ok(()) };
        verb.limits.iter().copied().flatten().try_for_each(|row| row.allows(self, who, m))
    }

    /// Carries out an act that was offered. False: it was taken back.
    pub fn carry_out(&mut self, verbs: &[Verb], who: Seat, m: &Move) -> Flow<bool> {
        let carry_out = self.verb(verbs, m).map(|v| v.carry_out);
        carry_out.map_or(Ok(false), |carry_out| carry_out(self, who, m))
    }

    /// Why a move that was wanted is not among those offered, in words.
    pub fn refusal(&mut self, verbs: &[Verb], who: Seat, m: &Move) -> Refusal {
        match self.allows(verbs, who, m) {
            Err(No { cite, why }) => {
                let card = m.card.map(|c| self.card_name(c)).unwrap_or_default();
                let to = m.to.map(|z| format!("→{}", self.zone_name(z))).unwrap_or_default();
                let what = format!("{} {card}{to}", m.verb).trim().to_string();
                Refusal { what, cite: Some(cite), why: why.into_owned() }
            }
            Ok(()) => Refusal::not_offered(m),
        }
    }

    fn verb<'v>(&mut self, verbs: &'v [Verb], m: &Move) -> Option<&'v Verb> {
        verbs.iter().find(|verb| m.verb == verb.name && (verb.is)(self, m))
    }
}
