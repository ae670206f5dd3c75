//! Everything observable: cards in their zones, what is on the pile, what waits, which fights are open.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::event::Event;
use super::position::Touched;
use super::shared::Shared;
use super::view::Seen;
use crate::card::{Ability, Change, Filter, Pattern, Replace, Word};

/// How many facts an owner can have.
pub const FACTS: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(pub u8);

impl Seat {
    pub const BOTH: [Seat; 2] = [Seat(0), Seat(1)];

    pub fn other(self) -> Seat {
        Seat(1 - self.0)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CardId(pub u16);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ZoneId(pub u8);

/// A card in one of its lives: leaving for another kind of zone makes a new one of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref {
    pub id: CardId,
    pub life: u16,
}

/// A card on the table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Obj {
    /// Which card it is, among the cards of the duel.
    pub def: u16,
    pub owner: Seat,
    /// Before effects that change it.
    pub controller: Seat,
    pub zone: ZoneId,
    pub life: u16,
    pub face_up: bool,
    /// Its place among the states of the game: released, frozen, in defence.
    pub state: u8,
    /// Shown to all although its zone is hidden.
    pub revealed: bool,
    pub facts: [i32; FACTS],
    /// The card it lies with, and how.
    pub host: Option<(Word, CardId)>,
    /// When it came to this zone.
    pub since: u32,
    /// Since when its controller has it.
    pub held: u32,
    pub marks: Marks,
}

impl Obj {
    /// A card as it comes into the game: face up, as nothing has happened to it.
    pub fn new(schema: &super::Schema, def: u16, owner: Seat, zone: ZoneId) -> Obj {
        Obj {
            def,
            owner,
            controller: owner,
            zone,
            life: 0,
            face_up: true,
            state: 0,
            revealed: false,
            facts: initial(schema, super::FactOwner::Card),
            host: None,
            since: 0,
            held: 0,
            marks: Marks::default(),
        }
    }

    /// It lies in another state than the one a card is in unless told.
    pub fn turned(&self) -> bool {
        self.state != 0
    }

    /// How many markers of that name lie on it.
    pub fn marked(&self, name: Word) -> i32 {
        self.marks.iter().find(|(n, _)| *n == name).map_or(0, |(_, n)| *n)
    }
}

/// The markers on a card, by name. Hardly any card has some, and tables are copied all the time: of none there is nothing
/// to copy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Marks(Option<Arc<Vec<(Word, i32)>>>);

impl Marks {
    pub fn change(&mut self, change: impl FnOnce(&mut Vec<(Word, i32)>)) {
        let mut marks = self.0.take().map(Arc::unwrap_or_clone).unwrap_or_default();
        change(&mut marks);
        self.0 = (!marks.is_empty()).then(|| Arc::new(marks));
    }

    pub fn clear(&mut self) {
        self.0 = None;
    }
}

impl std::ops::Deref for Marks {
    type Target = [(Word, i32)];

    fn deref(&self) -> &[(Word, i32)] {
        self.0.as_ref().map_or(&[], |marks| marks)
    }
}

/// Whatever can be chosen or put in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thing {
    Card(Ref),
    Zone(ZoneId),
    Seat(Seat),
    Number(i32),
    Word(Word),
    /// Something on the pile.
    Item(u32),
    /// A group of zones: what kind, and which.
    Place(Word, u8),
}

/// What was chosen so far, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Slots(pub Vec<(Word, Vec<Thing>)>);

impl Slots {
    pub fn get(&self, name: &str) -> Option<&[Thing]> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, things)| things.as_slice())
    }

    pub fn set(&mut self, name: Word, things: Vec<Thing>) {
        match self.0.iter_mut().find(|(n, _)| *n == name) {
            Some((_, old)) => *old = things,
            None => self.0.push((name, things)),
        }
    }

    /// The card is named as it now is.
    pub fn follow(&mut self, was: Ref, is: Ref) {
        let things = self.0.iter_mut().flat_map(|(_, things)| things);
        things.filter(|thing| **thing == Thing::Card(was)).for_each(|thing| *thing = Thing::Card(is));
    }

    pub fn number(&self, name: &str) -> Option<i32> {
        match self.get(name)?.first()? {
            Thing::Number(n) => Some(*n),
            _ => None,
        }
    }

    pub fn cards(&self, name: &str) -> Vec<Ref> {
        let card = |t: &Thing| if let Thing::Card(r) = t { Some(*r) } else { None };
        self.get(name).unwrap_or_default().iter().filter_map(card).collect()
    }

    pub fn zone(&self, name: &str) -> Option<ZoneId> {
        match self.get(name)?.first()? {
            Thing::Zone(z) => Some(*z),
            _ => None,
        }
    }

    /// All the zones in the slot.
    pub fn zones(&self, name: &str) -> Vec<ZoneId> {
        let zone = |t: &Thing| if let Thing::Zone(z) = t { Some(*z) } else { None };
        self.get(name).unwrap_or_default().iter().filter_map(zone).collect()
    }

    pub fn word(&self, name: &str) -> Option<Word> {
        match self.get(name)?.first()? {
            Thing::Word(w) => Some(*w),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// A card being played.
    Spell,
    /// An ability of a card, or one that an effect made.
    Ability,
    /// Something the rules put there.
    Act(Word),
}

/// Something on the pile.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub id: u32,
    pub kind: ItemKind,
    /// The spell's card, or the source of the ability.
    pub card: Option<Ref>,
    pub ability: Option<Arc<Ability>>,
    pub seat: Seat,
    pub slots: Slots,
    pub event: Option<Arc<Event>>,
    /// The zone a spell was played from.
    pub from: Option<ZoneId>,
    pub negated: bool,
}

impl Item {
    /// The card itself lies there, being played.
    pub fn is_card(&self, card: Ref) -> bool {
        self.kind == ItemKind::Spell && self.card == Some(card)
    }
}

// What an item does follows from its card and kind; hashing the encoding would only cost time.
impl Eq for Item {}
impl Hash for Item {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.kind, self.card, self.seat, &self.slots, self.negated).hash(state);
    }
}

/// A triggered ability that waits to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Pending {
    pub ability: Arc<Ability>,
    pub source: Ref,
    pub seat: Seat,
    pub event: Arc<Event>,
    pub slots: Slots,
}

impl Eq for Pending {}
impl Hash for Pending {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.source, self.seat, &self.slots).hash(state);
    }
}

/// A triggered ability that an effect made.
#[derive(Clone, Debug, PartialEq)]
pub struct Watch {
    pub when: Pattern,
    pub ability: Arc<Ability>,
    pub source: Ref,
    pub seat: Seat,
    pub slots: Slots,
    pub until: Option<Word>,
    /// It goes when this card makes a new life of itself.
    pub about: Vec<Ref>,
    /// The fight it belongs to, if it speaks of one.
    pub fight: Option<u32>,
}

impl Eq for Watch {}
impl Hash for Watch {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.source, self.seat, &self.slots, self.until, &self.about).hash(state);
    }
}

/// What a continuous effect changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Holds {
    Changes(Arc<Vec<Change>>),
    Instead(Arc<Replace>),
}

/// A continuous effect of a spell or ability.
#[derive(Clone, Debug, PartialEq)]
pub struct Ongoing {
    pub holds: Holds,
    pub source: Option<Ref>,
    pub seat: Seat,
    pub slots: Slots,
    /// Cards it was locked to; `None`: whatever fits the filter.
    pub locked: Option<Vec<Ref>>,
    pub filter: Option<Arc<Filter>>,
    pub until: Option<Word>,
    pub stamp: u32,
    /// A replacement without a duration replaces once.
    pub once: bool,
    pub fight: Option<u32>,
}

impl Ongoing {
    /// All it does is to add to numbers.
    pub(super) fn adds(&self) -> bool {
        matches!(&self.holds, Holds::Changes(all) if all.iter().all(|change| matches!(change, Change::Add(..))))
    }

    /// Changes of one card that last as long as it is that card.
    pub fn on(card: Ref, seat: Seat, changes: Vec<Change>) -> Ongoing {
        Ongoing {
            holds: Holds::Changes(Arc::new(changes)),
            source: None,
            seat,
            slots: Slots::default(),
            locked: Some(vec![card]),
            filter: None,
            until: None,
            stamp: 0,
            once: false,
            fight: None,
        }
    }
}

impl Eq for Ongoing {}
impl Hash for Ongoing {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.source, self.seat, &self.slots, &self.locked, self.until, self.once).hash(state);
    }
}

/// A phase that an effect puts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Added {
    pub phase: Word,
    /// The phase that it follows.
    pub after: Word,
    /// The card whose effect put it in.
    pub by: Option<Ref>,
}

/// A battle: where, who, in which role.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fight {
    pub id: u32,
    pub zone: ZoneId,
    /// Everyone in it, with their roles.
    pub members: Vec<(Ref, Vec<Word>)>,
    /// Those who began it.
    pub began: Vec<Ref>,
    /// What the game notes about members: who has struck, who won.
    pub notes: Vec<(Word, Ref)>,
}

/// A pile with what waits for it. A nested battle opens a new one and suspends those below.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Context {
    /// Step of the fights, empty outside of fights.
    pub step: Word,
    pub pile: Vec<Item>,
    pub pending: Vec<Pending>,
    pub fights: Vec<Fight>,
}

/// The last a card was seen in a life that ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Past {
    pub card: Ref,
    pub seen: Arc<Seen>,
    pub zone: ZoneId,
    pub state: u8,
    pub marks: Marks,
    pub hosted: Vec<Word>,
}

/// Whose use it was: a limit counts uses of an ability of one card, of cards of a name, or of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum User {
    Card(Ref),
    Name(Seat, Word),
    Player(Seat),
}

/// A use of something limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Use {
    pub user: User,
    /// The ability ([`Ability::id`]), or 0 for an act of the game.
    pub what: u32,
    /// What it was used for where the game tells uses apart: a moment, an act. Empty: it was played.
    pub act: Word,
    /// What ends it: a turn, a battle, the duel, in the game's words.
    pub lasts: Word,
}

/// A point that a player has and can pay with: what it counts as, and what its producer was.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    pub words: Vec<Word>,
    pub from: Vec<Word>,
}

/// How a duel ended for the seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    Won(Seat),
    Draw,
}

/// The cards of a zone in their order.
pub type Pile = Shared<CardId>;

/// Numbers of cards, each card with those it has.
pub type Numbers = Vec<(Ref, Vec<Option<i32>>)>;

/// The table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    pub active: Seat,
    pub turn: u16,
    pub phase: Word,
    /// The phase has begun before: what opens it is over.
    pub midway: bool,
    pub priority: Option<Seat>,
    pub cards: Vec<Obj>,
    /// Cards by zone; the last is the topmost.
    pub zones: Vec<Pile>,
    pub seats: [[i32; FACTS]; 2],
    pub facts: [i32; FACTS],
    pub ongoing: Vec<Ongoing>,
    pub watches: Vec<Watch>,
    /// The innermost is the last; there is always one.
    pub contexts: Vec<Context>,
    pub past: Vec<Past>,
    /// What happened this turn, for texts that ask.
    pub happened: Vec<Arc<Event>>,
    /// Uses of what is limited.
    pub used: Vec<Use>,
    /// Turns, phases and steps put in or left out, by the game's words; the last is taken first.
    pub agenda: Vec<(Word, Seat)>,
    /// Phases that effects put in after others.
    pub added: Vec<Added>,
    /// Points that the seats have to pay with, where they are more than a number.
    pub pool: [Vec<Point>; 2],
    /// Since when static abilities count, where a game keeps that: the card, the ability ([`Ability::id`]), the moment.
    pub dates: Vec<(Ref, u32, u32)>,
    /// Numbers of cards in play as they were last looked at, where texts wait for them to change.
    pub numbers: Option<Numbers>,
    /// Timestamps and ids are drawn from it.
    pub clock: u32,
    pub over: Option<Outcome>,
    /// Which cards were changed, for whoever remembers positions.
    pub touched: Touched,
}

/// The facts of an owner before anything has happened.
pub fn initial(schema: &super::Schema, owner: super::FactOwner) -> [i32; FACTS] {
    let mut facts = [0; FACTS];
    for (fact, spec) in facts.iter_mut().zip(schema.facts.iter().filter(|f| f.owner == owner)) {
        *fact = spec.initial;
    }
    facts
}

/// What those facts told is over: they are as before anything happened.
pub fn end_facts(
    facts: &mut [i32; FACTS],
    schema: &super::Schema,
    owner: super::FactOwner,
    ends: impl Fn(&super::FactSpec) -> bool,
) {
    for (at, spec) in schema.facts_of(owner).filter(|(_, spec)| ends(spec)) {
        facts[at] = spec.initial;
    }
}

impl Table {
    /// The facts that last no longer than this are over.
    pub fn end_facts(&mut self, schema: &super::Schema, ends: super::Ends) {
        let over = |spec: &super::FactSpec| spec.ends == ends;
        end_facts(&mut self.facts, schema, super::FactOwner::Table, over);
        self.seats.iter_mut().for_each(|facts| end_facts(facts, schema, super::FactOwner::Seat, over));
        for (at, spec) in schema.facts_of(super::FactOwner::Card).filter(|(_, spec)| over(spec)) {
            self.touched.all();
            self.cards.iter_mut().for_each(|card| card.facts[at] = spec.initial);
        }
    }

    /// Nothing lies anywhere yet. The third turn is nobody's first.
    pub fn new(schema: &super::Schema, phase: Word) -> Table {
        Table {
            active: Seat(0),
            turn: 3,
            phase,
            midway: true,
            priority: None,
            cards: Vec::new(),
            zones: vec![Pile::default(); schema.zones.len()],
            seats: [initial(schema, super::FactOwner::Seat); 2],
            facts: initial(schema, super::FactOwner::Table),
            ongoing: Vec::new(),
            watches: Vec::new(),
            contexts: vec![Context::default()],
            past: Vec::new(),
            happened: Vec::new(),
            used: Vec::new(),
            agenda: Vec::new(),
            added: Vec::new(),
            numbers: None,
            pool: Default::default(),
            dates: Vec::new(),
            clock: 0,
            over: None,
            touched: Touched::default(),
        }
    }

    /// The card lies there, as the topmost: for whoever sets up a table.
    pub fn put(&mut self, card: Obj) -> CardId {
        let id = CardId(self.cards.len() as u16);
        self.zones[card.zone.0 as usize].push(id);
        self.cards.push(card);
        id
    }

    pub fn obj(&self, id: CardId) -> &Obj {
        &self.cards[id.0 as usize]
    }

    pub fn obj_mut(&mut self, id: CardId) -> &mut Obj {
        self.touched.card(id);
        &mut self.cards[id.0 as usize]
    }

    /// The card in the life it has now.
    pub fn now(&self, id: CardId) -> Ref {
        Ref { id, life: self.obj(id).life }
    }

    /// The life meant has not ended.
    pub fn is_now(&self, r: Ref) -> bool {
        self.obj(r.id).life == r.life
    }

    pub fn zone(&self, zone: ZoneId) -> &[CardId] {
        &self.zones[zone.0 as usize]
    }

    pub fn context(&self) -> &Context {
        self.contexts.last().expect("there is always a context")
    }

    pub fn context_mut(&mut self) -> &mut Context {
        self.contexts.last_mut().expect("there is always a context")
    }

    /// The battle that effects which speak of one belong to: the innermost.
    pub fn fight(&self) -> Option<u32> {
        self.contexts.iter().rev().find_map(|c| c.fights.first()).map(|f| f.id)
    }

    pub fn past(&self, r: Ref) -> Option<&Past> {
        self.past.iter().rev().find(|p| p.card == r)
    }

    /// Since when the ability counts, if that was kept.
    pub fn dated(&self, card: Ref, ability: u32) -> Option<u32> {
        self.dates.iter().find(|(c, a, _)| *c == card && *a == ability).map(|(.., at)| *at)
    }

    pub fn tick(&mut self) -> u32 {
        self.clock += 1;
        self.clock
    }

    /// All cards, in the order of set-up.
    pub fn ids(&self) -> impl Iterator<Item = CardId> + use<> {
        (0..self.cards.len() as u16).map(CardId)
    }

    /// The cards that lie with this one, in whatever way.
    pub fn laid_with(&self, host: CardId) -> impl Iterator<Item = CardId> + '_ {
        let with = move |card: &Obj| matches!(card.host, Some((_, on)) if on == host);
        (0..).zip(&self.cards).filter(move |(_, card)| with(card)).map(|(at, _)| CardId(at))
    }
}
