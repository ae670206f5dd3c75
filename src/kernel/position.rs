//! Positions, made out for comparing. Most of a table stays as it is between two of them, so what a card adds to one is
//! kept for as long as the card is not changed.

use std::hash::{Hash, Hasher};

use super::schema::{FactOwner, Schema};
use super::table::{CardId, FACTS, Obj, Seat, Table, Use, User};

impl Table {
    /// The position without what only counts time: for loops and memory.
    pub fn position(&self, schema: &Schema) -> u64 {
        self.hashed(schema).position(self.priority)
    }

    /// Everything that a position is but who has priority.
    pub(super) fn hashed(&self, schema: &Schema) -> Hashed {
        let kept = kept(schema, FactOwner::Card);
        let cards = self.cards.iter().enumerate().map(|(at, card)| hashed_card(at, card, &kept));
        self.hashed_with(schema, cards.fold(Hashed::default(), Hashed::and))
    }

    /// The same, where what the cards add to it is known.
    fn hashed_with(&self, schema: &Schema, cards: Hashed) -> Hashed {
        let (mut shape, mut more, mut counters) = (Mixer(cards.shape), Mixer(cards.more), Mixer(cards.counters));
        let mut of_seats = kept(schema, FactOwner::Seat);
        let (grow, counts) = (schema.customs.grow, schema.customs.counters);
        for (seat, facts) in self.seats.iter().enumerate() {
            let points = grow.iter().filter(|at| !counts.contains(at));
            points.for_each(|at| (facts[*at] & of_seats[*at]).hash(&mut more));
            let some = counts.iter().filter(|at| facts[**at] & of_seats[**at] != 0);
            some.for_each(|at| (seat, at, facts[*at]).hash(&mut counters));
        }
        grow.iter().for_each(|at| of_seats[*at] = 0);
        let seats = [masked(&self.seats[0], &of_seats), masked(&self.seats[1], &of_seats)];
        let facts = masked(&self.facts, &kept(schema, FactOwner::Table));
        (self.active, self.phase, seats, facts, &self.agenda, &self.added).hash(&mut shape);
        self.pool.hash(&mut more);
        for zone in &self.zones {
            shape.write_usize(zone.len());
            for ids in zone.chunks(4) {
                shape.write_u64(ids.iter().fold(0, |all, id| all << 16 | u64::from(id.0)));
            }
        }
        let adding = self.ongoing.iter().filter(|o| o.adds()).count();
        (self.ongoing.len() - adding, self.watches.len()).hash(&mut shape);
        more.write_usize(adding);
        for effect in &self.ongoing {
            let on =
                effect.locked.as_ref().map(|cards| cards.iter().map(|r| (r.id, self.is_now(*r))).collect::<Vec<_>>());
            let to = if effect.adds() { &mut more } else { &mut shape };
            (effect.source.map(|s| s.id), effect.seat, effect.until, on).hash(to);
        }
        shape.write_u64(self.uses());
        for context in &self.contexts {
            (context.step, context.fights.len(), context.pending.len()).hash(&mut shape);
            for pending in &context.pending {
                (pending.source.id, pending.ability.id, pending.seat).hash(&mut shape);
            }
            for item in &context.pile {
                (item.kind, item.card.map(|c| c.id), item.seat, item.slots.0.len()).hash(&mut shape);
            }
        }
        Hashed { shape: shape.finish(), more: more.finish(), counters: counters.finish() }
    }
}

impl Table {
    /// How often what is limited was used, in whatever order. What another life of a card used limits nobody any more.
    fn uses(&self) -> u64 {
        let lasting = self.used.iter().filter(|used| !matches!(used.user, User::Card(card) if !self.is_now(card)));
        let one = |used: &Use| {
            let (user, name) = match used.user {
                User::Card(card) => (usize::from(card.id.0) + 2, None),
                User::Name(seat, name) => (seat.index(), Some(name)),
                User::Player(seat) => (seat.index(), None),
            };
            mixed(&(user, name, used.what, used.act, used.lasts))
        };
        lasting.map(one).fold(0, u64::wrapping_add)
    }
}

/// Which facts count: a moment that is remembered is no part of what can be seen.
fn kept(schema: &Schema, owner: FactOwner) -> [i32; FACTS] {
    let mut kept = [-1; FACTS];
    let specs = schema.facts.iter().filter(|f| f.owner == owner);
    kept.iter_mut().zip(specs).filter(|(_, s)| s.moment).for_each(|(mask, _)| *mask = 0);
    kept
}

/// The facts that count.
fn masked(facts: &[i32; FACTS], kept: &[i32; FACTS]) -> [i32; FACTS] {
    std::array::from_fn(|at| facts[at] & kept[at])
}

/// What a card adds to a position besides where it lies.
fn hashed_card(at: usize, card: &Obj, kept: &[i32; FACTS]) -> Hashed {
    let mut shape = Mixer(at as u64);
    shape.write_u32(u32::from_le_bytes([card.controller.0, card.face_up.into(), card.state, card.revealed.into()]));
    // Most cards lie in a deck and have none of these.
    let any = card.facts != [0; FACTS] && masked(&card.facts, kept) != [0; FACTS];
    if card.host.is_some() || any {
        (masked(&card.facts, kept), card.host).hash(&mut shape);
    }
    let counters = if card.marks.is_empty() { 0 } else { mixed(&(at, &*card.marks)) };
    Hashed { shape: shape.finish(), more: 0, counters }
}

/// Which cards were changed one after another; no part of what a table is.
#[derive(Clone, Default)]
pub struct Touched {
    cards: Vec<CardId>,
    /// How often the list was begun anew, because all cards were changed or too many.
    begun: u32,
}

/// So many that it is as well to look at all.
const MANY: usize = 128;

impl Touched {
    pub(super) fn card(&mut self, card: CardId) {
        if self.cards.len() == MANY {
            self.all();
        }
        self.cards.push(card);
    }

    pub(super) fn all(&mut self) {
        self.cards.clear();
        self.begun += 1;
    }
}

impl PartialEq for Touched {
    fn eq(&self, _: &Touched) -> bool {
        true
    }
}

impl Eq for Touched {}

impl Hash for Touched {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl std::fmt::Debug for Touched {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("_")
    }
}

/// The last position of a duel, and what each card adds to it.
#[derive(Default)]
pub(super) struct Known {
    /// After how many changes it was made out.
    edits: Option<u64>,
    hashed: Hashed,
    cards: Vec<Hashed>,
    sum: Hashed,
    /// How much of the list of changed cards was read, of which list.
    read: (u32, usize),
}

impl Known {
    /// The position after so many changes.
    pub(super) fn position(&mut self, t: &Table, schema: &Schema, edits: u64) -> Hashed {
        if self.edits != Some(edits) {
            self.look_at_cards(t, schema);
            (self.edits, self.hashed) = (Some(edits), t.hashed_with(schema, self.sum));
        }
        debug_assert_eq!(self.hashed, t.hashed(schema), "a position that does not hold");
        self.hashed
    }

    fn look_at_cards(&mut self, t: &Table, schema: &Schema) {
        let kept = kept(schema, FactOwner::Card);
        let (begun, read) = self.read;
        if begun != t.touched.begun || self.cards.len() != t.cards.len() {
            let all = t.cards.iter().enumerate();
            self.cards = all.map(|(at, card)| hashed_card(at, card, &kept)).collect();
            self.sum = self.cards.iter().copied().fold(Hashed::default(), Hashed::and);
        } else {
            for at in t.touched.cards[read..].iter().map(|id| usize::from(id.0)) {
                let now = hashed_card(at, &t.cards[at], &kept);
                self.sum = self.sum.without(self.cards[at]).and(now);
                self.cards[at] = now;
            }
        }
        self.read = (t.touched.begun, t.touched.cards.len());
    }
}

/// A table made out for comparing: what a round of a loop may leave more of apart from the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Hashed {
    shape: u64,
    /// Points, numbers of the players that grow ([`super::schema::Customs::grow`]), effects that add to numbers.
    more: u64,
    /// Markers, and what players have of the kind; nothing where there are none.
    counters: u64,
}

impl Hashed {
    /// Of both, in whatever order.
    fn and(self, other: Hashed) -> Hashed {
        Hashed {
            shape: self.shape.wrapping_add(other.shape),
            more: self.more.wrapping_add(other.more),
            counters: self.counters.wrapping_add(other.counters),
        }
    }

    /// Of one no more.
    fn without(self, other: Hashed) -> Hashed {
        Hashed {
            shape: self.shape.wrapping_sub(other.shape),
            more: self.more.wrapping_sub(other.more),
            counters: self.counters.wrapping_sub(other.counters),
        }
    }

    pub(super) fn position(self, priority: Option<Seat>) -> u64 {
        mixed(&(self, priority))
    }

    /// The position as if there were no counters.
    pub(super) fn but_counters(self, priority: Option<Seat>) -> u64 {
        Hashed { counters: 0, ..self }.position(priority)
    }

    /// The position as if nothing grew but counters.
    pub(super) fn but_growth(self, priority: Option<Seat>) -> u64 {
        Hashed { more: 0, ..self }.position(priority)
    }

    /// The position without what a round of a loop may leave more of.
    pub(super) fn shape(self, priority: Option<Seat>) -> u64 {
        mixed(&(self.shape, priority))
    }
}

fn mixed(what: &impl Hash) -> u64 {
    let mut hasher = Mixer::default();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Mixes numbers quickly. Positions are compared with a few others of the same turn, and nobody plays for collisions.
#[derive(Default)]
struct Mixer(u64);

impl Mixer {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    fn add(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(Mixer::FACTOR);
        self.0 ^= self.0 >> 29;
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }
    fn write_u8(&mut self, n: u8) {
        self.add(n.into());
    }
    fn write_u16(&mut self, n: u16) {
        self.add(n.into());
    }
    fn write_u32(&mut self, n: u32) {
        self.add(n.into());
    }
    fn write_u64(&mut self, n: u64) {
        self.add(n);
    }
    fn write_usize(&mut self, n: usize) {
        self.add(n as u64);
    }
    fn finish(&self) -> u64 {
        self.0
    }
}
