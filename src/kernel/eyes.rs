//! Whether cards, squares, numbers and events fit the words of a text.

use std::borrow::Cow;

use super::book::{Rulebook, Side};
use super::event::{Event, Means, What};
use super::principle::{Gloss, Principle};
use super::schema::Zones;
use super::table::{CardId, Past, Ref, Seat, Slots, Table, Thing, ZoneId};
use super::view::{Data, Seen, View};
use crate::card::{Amount, Change, Cond, ENDLESS, Filter, NAME, Pattern, Spots, Test, Value, Word};

/// For whom and about what a text speaks.
#[derive(Clone, Copy)]
pub struct Ctx<'a> {
    pub this: Option<Ref>,
    pub seat: Seat,
    pub slots: &'a Slots,
    pub event: Option<&'a Event>,
}

/// The slot in which it stands who chose what for which slot, where both players have chosen and it is done at once.
pub const BY_EACH: Word = Word("各自の選んだもの");

/// Who chose, for which slot, what.
pub fn by_each(chosen: &[Thing]) -> impl Iterator<Item = (Seat, Word, Thing)> + '_ {
    chosen.chunks_exact(3).filter_map(|each| match *each {
        [Thing::Seat(seat), Thing::Word(slot), thing] => Some((seat, slot, thing)),
        _ => None,
    })
}

impl Ctx<'_> {
    /// Who does it with the card: the player who chose it, or whose effect it is.
    pub fn chooser(&self, card: Ref) -> Seat {
        let chosen = self.slots.get(&BY_EACH).unwrap_or_default();
        // Also where it has gone by now.
        let is = |thing: Thing| matches!(thing, Thing::Card(of) if of.id == card.id);
        by_each(chosen).find(|(_, _, thing)| is(*thing)).map_or(self.seat, |(seat, _, _)| seat)
    }
}

/// A look at the table.
#[derive(Clone, Copy)]
pub struct Eyes<'a> {
    pub t: &'a Table,
    pub view: &'a View,
    pub book: &'a dyn Rulebook,
    /// Whether cards that have gone are remembered, and whether one was.
    pub memory: &'a Memory,
}

/// What eyes remember of cards that have gone.
#[derive(Debug, Default)]
pub struct Memory {
    pub lost: bool,
    /// Cards lying face down are read by their front where the game lets the player of the text.
    pub fronts: bool,
    /// The questions that came into play, as bits, and above them what was merely done.
    pub noted: std::cell::Cell<u128>,
    /// What was looked at, as bits of [`read`].
    pub read: std::cell::Cell<u64>,
}

/// Where the bits of what was merely done begin.
const GLOSSES: u8 = 64;
const _: () = assert!(Principle::ALL.len() <= 64 && Gloss::ALL.len() <= 64);

/// What eyes can look at and effects or events can change, as bits: what was not looked at may change, and what
/// was seen stays as it is.
pub mod read {
    use super::ZoneId;

    /// The datum at that place of the vocabulary.
    pub fn datum(at: usize) -> u64 {
        1 << at.min(39)
    }
    pub const ABILITIES: u64 = 1 << 40;
    pub const CONTROLLER: u64 = 1 << 41;
    /// Whether one datum is used for another.
    pub const READING: u64 = 1 << 42;
    /// Released or frozen.
    pub const STATE: u64 = 1 << 43;
    /// What happened this turn.
    pub const HAPPENED: u64 = 1 << 44;
    /// The phase.
    pub const PHASE: u64 = 1 << 45;
    pub const NAME: u64 = 1 << 46;
    pub const MARKS: u64 = 1 << 47;
    /// The numbers that players have.
    pub const PLAYERS: u64 = 1 << 48;
    /// What cards are in a fight or on the pile, and what they have done.
    pub const ROLES: u64 = 1 << 49;
    /// Whose turn it is.
    pub const TURN: u64 = 1 << 50;
    /// Cards as they last were.
    pub const PAST: u64 = 1 << 51;

    /// Which cards lie in any zone that is not in play. Where those in play lie counts as read at any rate.
    pub const OFF_BOARD: u64 = !0 << 52;

    /// Which cards lie in that one.
    pub fn off_board(zone: ZoneId) -> u64 {
        1 << (52 + zone.0 % 12)
    }
}

impl Memory {
    pub fn note(&self, question: Principle) {
        self.noted.set(self.noted.get() | 1 << question as u8);
    }

    pub fn note_gloss(&self, what: Gloss) {
        self.noted.set(self.noted.get() | Memory::gloss(what));
    }

    /// Its bit.
    pub fn gloss(what: Gloss) -> u128 {
        1 << (GLOSSES + what as u8)
    }

    /// This was looked at.
    pub fn reads(&self, what: u64) {
        self.read.set(self.read.get() | what);
    }

    pub fn questions(&self) -> impl Iterator<Item = Principle> + use<> {
        let noted = self.noted.get() & ((1 << GLOSSES) - 1);
        let all = if noted == 0 { &[] } else { Principle::ALL };
        all.iter().copied().filter(move |p| noted & (1 << *p as u8) != 0)
    }

    pub fn glosses(&self) -> impl Iterator<Item = Gloss> + use<> {
        let noted = self.noted.get();
        Gloss::ALL.iter().copied().filter(move |p| noted & (1 << (GLOSSES + *p as u8)) != 0)
    }
}

/// What is known of a card in one of its lives.
pub struct Info<'a> {
    pub seen: &'a Seen,
    pub zone: ZoneId,
    pub state: u8,
    pub face_up: bool,
    pub now: bool,
}

impl<'a> Eyes<'a> {
    pub fn seen(&self, id: CardId) -> &'a Seen {
        &self.view.cards[id.0 as usize]
    }

    /// Whose turn it is.
    fn active(&self) -> Seat {
        self.memory.reads(read::TURN);
        self.t.active
    }

    /// The card as it was in a life that has ended.
    fn past(&self, r: Ref) -> Option<&'a Past> {
        self.memory.reads(read::PAST);
        self.t.past(r)
    }

    /// The card as it is, or as it last was.
    pub fn info(&self, r: Ref) -> Option<Info<'a>> {
        if self.t.is_now(r) {
            let obj = self.t.obj(r.id);
            if !self.view.schema.spec(obj.zone).board {
                self.memory.reads(read::off_board(obj.zone));
            }
            return Some(Info {
                seen: self.seen(r.id),
                zone: obj.zone,
                state: obj.state,
                face_up: obj.face_up,
                now: true,
            });
        }
        let past = self.past(r)?;
        self.memory.note(Principle::LastKnown);
        if self.memory.lost {
            return None;
        }
        Some(Info { seen: &past.seen, zone: past.zone, state: past.state, face_up: true, now: false })
    }

    /// What a word stands for, as it is read: a card that the effect itself has moved to where it is hidden is read as it
    /// last lay open, where the game says so.
    fn info_of(&self, word: Option<Word>, r: Ref) -> Option<Info<'a>> {
        if !self.view.completes || word.is_none_or(|w| w != "moved") || !self.t.is_now(r) || r.life == 0 {
            return self.info(r);
        }
        let obj = self.t.obj(r.id);
        let hidden = self.view.schema.spec(obj.zone).sight != super::Sight::All && !obj.face_up && !obj.revealed;
        if !hidden {
            return self.info(r);
        }
        let open = |zone: ZoneId| self.view.schema.spec(zone).sight == super::Sight::All;
        match self.past(Ref { life: r.life - 1, ..r }).filter(|past| open(past.zone)) {
            Some(past) => {
                self.memory.note_gloss(Gloss::LastOpen);
                Some(Info { seen: &past.seen, zone: obj.zone, state: obj.state, face_up: obj.face_up, now: true })
            }
            None => self.info(r),
        }
    }

    /// What happened in the one manner happened in the other too, and what is called so happened so.
    fn in_manner(&self, event: &Event, wanted: Word) -> bool {
        let (how, customs) = (event.how, &self.view.schema.customs);
        let also = |(one, other): &(&str, &str)| how == *one && wanted == *other;
        let by = |(word, means, manner): &(&str, Means, &str)| {
            wanted == *word && event.cause.means == *means && (manner.is_empty() || how == *manner)
        };
        how == wanted
            || event.is_move() && (event.name == wanted || event.also.contains(&wanted))
            || customs.manners.iter().any(also)
            || customs.means.iter().any(by)
    }

    /// The life meant has not ended.
    pub fn is_there(&self, r: Ref) -> bool {
        self.t.is_now(r) && self.info(r).is_some()
    }

    pub fn seat(&self, ctx: &Ctx, word: Word) -> Option<Seat> {
        match word.as_str() {
            "自分" => Some(ctx.seat),
            "相手" => Some(ctx.seat.other()),
            "active" => Some(self.active()),
            "持ち主" => ctx.this.map(|r| self.t.obj(r.id).owner),
            // The player that was chosen, whatever the slot is called.
            "player" if ctx.slots.get("player").is_none() => {
                ctx.slots.0.iter().flat_map(|(_, things)| things).find_map(|thing| match thing {
                    Thing::Seat(seat) => Some(*seat),
                    _ => None,
                })
            }
            name => match ctx.slots.get(name)?.first()? {
                Thing::Seat(seat) => Some(*seat),
                Thing::Card(card) => Some(self.t.obj(card.id).owner),
                _ => None,
            },
        }
    }

    /// The cards a word stands for, as they are to be read.
    pub fn refs(&self, ctx: &Ctx, word: Word) -> Vec<Ref> {
        match word.as_str() {
            "this" => ctx.this.into_iter().collect(),
            "event" => ctx.event.and_then(|e| self.event_card(e)).into_iter().collect(),
            "source" => ctx.event.and_then(|e| e.cause.card).into_iter().collect(),
            "host" => ctx.this.and_then(|r| self.t.obj(r.id).host).map(|(_, id)| self.t.now(id)).into_iter().collect(),
            // Something on the pile stands for its card.
            name => ctx.slots.get(name).unwrap_or_default().iter().filter_map(|t| self.card_of(*t)).collect(),
        }
    }

    fn card_of(&self, thing: Thing) -> Option<Ref> {
        match thing {
            Thing::Card(card) => Some(card),
            Thing::Item(id) => self.t.contexts.iter().flat_map(|c| &c.pile).find(|i| i.id == id)?.card,
            _ => None,
        }
    }

    /// The one card a word stands for, or the first of several.
    fn first_ref(&self, ctx: &Ctx, word: Word) -> Option<Ref> {
        match word.as_str() {
            "this" => ctx.this,
            _ => self.refs(ctx, word).first().copied(),
        }
    }

    /// The cards that a filter with the word can speak of. One that names a place speaks of the card there too, where it
    /// has gone and can be seen to be: 「チャージにあるこのカード」 of what has just been destroyed.
    fn named(&self, ctx: &Ctx, filter: &Filter, word: Word) -> Vec<Ref> {
        let mut found = self.refs(ctx, word);
        if !filter.within.is_empty() {
            let gone = self.subjects(ctx, word).into_iter();
            let there = |r: &Ref| self.t.is_now(*r) && self.is_found(ctx.seat, *r);
            found.extend(gone.filter(|r| !found.contains(r) && there(r)).collect::<Vec<_>>());
        }
        found
    }

    /// The card lies where the player may look for it: in the open, or in a zone of their own where the game says so.
    pub fn is_found(&self, seat: Seat, r: Ref) -> bool {
        let (obj, schema) = (self.t.obj(r.id), self.view.schema);
        let sight = schema.spec(obj.zone).sight;
        let own = sight == super::Sight::Owner && obj.owner == seat && schema.customs.follows_into_own;
        own || sight == super::Sight::All || obj.face_up || obj.revealed
    }

    /// The word stands for this card, alone or among others.
    fn is_ref(&self, ctx: &Ctx, word: Word, r: Ref) -> bool {
        match word.as_str() {
            "this" => ctx.this == Some(r),
            _ => self.refs(ctx, word).contains(&r),
        }
    }

    /// The same, or it is what has become of such a card where it went: 「このカード以外のチャージのカード」.
    fn is_meant(&self, ctx: &Ctx, word: Word, r: Ref) -> bool {
        self.is_ref(ctx, word, r) || self.subjects(ctx, word).contains(&r)
    }

    /// The cards a word stands for, as they are to be acted on: where they have gone.
    pub fn subjects(&self, ctx: &Ctx, word: Word) -> Vec<Ref> {
        let gone = |e: &&Event| ctx.this.is_some() && e.card == ctx.this;
        match word.as_str() {
            "event" => ctx.event.and_then(|e| e.after).into_iter().collect(),
            // An ability about its own card's going looks for it where it went.
            "this" => ctx.event.filter(gone).and_then(|e| e.after).or(ctx.this).into_iter().collect(),
            _ => self.refs(ctx, word),
        }
    }

    pub fn event_card(&self, event: &Event) -> Option<Ref> {
        match event.side.unwrap_or_else(|| self.book.side(event).0) {
            Side::Before => event.card,
            Side::After => event.after,
        }
    }

    /// The zone a word stands for: a slot with a zone, or the zone of a card.
    pub fn zone_of(&self, ctx: &Ctx, word: Word) -> Option<ZoneId> {
        if let Some(zone) = ctx.slots.zone(&word) {
            return Some(zone);
        }
        let card = self.first_ref(ctx, word)?;
        self.info(card).map(|info| info.zone)
    }

    /// The place, or the slot with one, has the zone in it.
    pub fn inside(&self, ctx: &Ctx, zone: ZoneId, face_up: bool, place: Word) -> bool {
        if let Some(things) = ctx.slots.get(&place) {
            return things.iter().any(|thing| match thing {
                Thing::Zone(z) => *z == zone,
                Thing::Place(kind, which) => self.view.schema.group(*kind, zone) == Some(*which),
                Thing::Card(card) => self.info(*card).is_some_and(|i| i.zone == zone),
                _ => false,
            });
        }
        self.memory.note_gloss(Gloss::Perspective);
        self.book.inside(zone, face_up, place, ctx.seat)
    }

    /// In cards that were chosen means one of them, but where they lie on squares: then it is the square.
    fn is_among(&self, ctx: &Ctx, zone: ZoneId, place: Word, r: Ref) -> bool {
        // What an act has moved and what a delayed text is about are where they have come to lie.
        let Some(things) = ctx.slots.get(&place).filter(|_| !["moved", "about"].contains(&place.as_str())) else {
            return true;
        };
        let cards = things.iter().all(|thing| matches!(thing, Thing::Card(_)));
        !cards || self.view.schema.spec(zone).x >= 0 || things.contains(&Thing::Card(r))
    }

    fn lies_in(&self, seen: &Seen, place: Word) -> bool {
        self.view.schema.customs.lies_in.is_none_or(|lies| lies(seen, place))
    }

    /// All cards that fit, in order of set-up.
    pub fn select(&self, ctx: &Ctx, filter: &Filter) -> Vec<Ref> {
        let mut found: Vec<Ref> = Vec::new();
        match filter.reference {
            Some(word) => {
                found.extend(self.named(ctx, filter, word).into_iter().filter(|r| self.matches(ctx, filter, *r)))
            }
            None => {
                let spoken_of = self.speaks_of(ctx, filter);
                for zone in (spoken_of[0] | spoken_of[1]).zones() {
                    for id in self.t.zone(zone) {
                        let (r, obj) = (self.t.now(*id), self.t.obj(*id));
                        let there = spoken_of[usize::from(obj.face_up)].has(zone);
                        // A text may name the way in which a card lies with another for the place.
                        if (there || obj.host.is_some()) && self.matches_at(ctx, filter, r, Some(there)) {
                            found.push(r);
                        }
                    }
                }
                found.sort_unstable_by_key(|r| r.id);
            }
        }
        for (extreme, sign) in [(filter.highest, 1), (filter.lowest, -1)] {
            if let Some(at) = extreme.and_then(|name| self.view.schema.data(&name)).map(|(at, _)| at) {
                self.memory.reads(read::datum(at));
                let name = self.view.schema.words.data[at].0;
                let shows =
                    |r: &Ref| self.info(*r).is_some_and(|i| !self.lacks(i.seen, name) && self.front(ctx, *r, &i));
                found.retain(shows);
                let value = |r: &Ref| {
                    let n = self.info(*r).and_then(|i| i.seen.number(at)).unwrap_or(0);
                    self.counted(n).saturating_mul(sign)
                };
                let best = found.iter().map(value).max();
                found.retain(|r| Some(value(r)) == best);
                if found.len() > 1 {
                    self.memory.note_gloss(Gloss::Ties);
                }
            }
        }
        found
    }

    /// In which zones the filter speaks of cards that lie face down, and of those that lie face up: most look at few
    /// zones, and there are many cards.
    fn speaks_of(&self, ctx: &Ctx, filter: &Filter) -> [Zones; 2] {
        let schema = self.view.schema;
        let board = schema.in_play(self.book);
        // What lies with a card is found where it lies.
        if filter.within.is_empty() && !filter.under.is_empty() {
            self.memory.reads(read::OFF_BOARD);
            return [schema.zones_where(|_| true); 2];
        }
        if filter.within.is_empty() {
            if (0..).zip(&self.t.zones).any(|(at, cards)| !cards.is_empty() && !board.has(ZoneId(at))) {
                self.memory.note_gloss(Gloss::InPlay);
            }
            return [board; 2];
        }
        let mut found = [Zones::default(); 2];
        for place in &filter.within {
            let known = if ctx.slots.get(place).is_some() { None } else { schema.place(self.book, *place, ctx.seat) };
            if known.is_some() {
                self.memory.note_gloss(Gloss::Perspective);
            }
            let here = known.unwrap_or_else(|| {
                [false, true].map(|up| schema.zones_where(|zone| self.inside(ctx, zone, up, *place)))
            });
            found = [found[0] | here[0], found[1] | here[1]];
        }
        // What lies elsewhere out of play makes no difference.
        for zone in (found[0] | found[1]).zones().filter(|zone| !board.has(*zone)) {
            self.memory.reads(read::off_board(zone));
        }
        found
    }

    pub fn matches(&self, ctx: &Ctx, filter: &Filter, r: Ref) -> bool {
        self.matches_at(ctx, filter, r, None)
    }

    /// The same, where it may be known whether the filter speaks of cards that lie as this one does.
    fn matches_at(&self, ctx: &Ctx, filter: &Filter, r: Ref, there: Option<bool>) -> bool {
        let Some(info) = self.info_of(filter.reference, r) else { return false };
        let obj = self.t.obj(r.id);
        if let Some(word) = filter.reference
            && !self.is_ref(ctx, word, r)
            && !self.named(ctx, filter, word).contains(&r)
        {
            return false;
        }
        let customs = &self.view.schema.customs;
        let beneath = obj.host.map(|(how, _)| how).filter(|how| info.now && customs.beneath.contains(&how.as_str()));
        let beneath = beneath.filter(|_| filter.reference.is_none());
        let named = beneath.is_some_and(|how| filter.within.contains(&how));
        let meant =
            |how: Word| customs.parts.iter().any(|(way, class)| how == *way && filter.is.iter().any(|k| k == class));
        if let Some(how) = beneath.filter(|_| !named) {
            if !meant(how) {
                return false;
            }
            self.memory.note_gloss(Gloss::Part);
        }
        // Of some places only a part is meant: by what lies there, or of a slot the cards that were chosen.
        let all_of_it = || customs.lies_in.is_none() && !filter.within.iter().any(|p| ctx.slots.get(p).is_some());
        if named {
            // It lies where the card lies that it lies with.
        } else if let Some(there) = there.filter(|there| !there || all_of_it()) {
            if !there {
                return false;
            }
        } else if filter.within.is_empty() {
            // A text speaks of cards in play unless it names another place.
            if filter.reference.is_none() && filter.under.is_empty() && !self.view.schema.spec(info.zone).board {
                return false;
            }
        } else if !filter.within.iter().any(|p| {
            self.inside(ctx, info.zone, info.face_up, *p)
                && self.lies_in(info.seen, *p)
                && self.is_among(ctx, info.zone, *p, r)
        }) {
            return false;
        }
        filter.of.is_none_or(|who| self.seat(ctx, who) == Some(self.holder(&info, r)))
            && filter.owner.is_none_or(|who| self.seat(ctx, who) == Some(obj.owner))
            && self.fits(ctx, filter, r, &info)
    }

    /// The other card has one of these names too.
    fn is_namesake(&self, seen: &Seen, other: Ref) -> bool {
        self.info(other).is_some_and(|info| info.seen.names.iter().any(|name| seen.names.contains(name)))
    }

    /// One of the names that are asked for, or that was chosen, or of those of the cards that a word stands for.
    fn is_named(&self, ctx: &Ctx, seen: &Seen, names: &[Word]) -> bool {
        let like = |word: &Word| {
            let slot = ctx.slots.get(word);
            let said = |thing: &Thing| matches!(thing, Thing::Word(name) if seen.names.contains(name));
            slot.is_some_and(|things| things.iter().any(said))
                || (*word == "this" || slot.is_some())
                    && self.refs(ctx, *word).iter().any(|other| self.is_namesake(seen, *other))
        };
        seen.names.iter().any(|n| names.contains(n)) || names.iter().any(like)
    }

    /// Whose a card is: its controller in play and on the pile, its owner elsewhere.
    fn holder(&self, info: &Info, r: Ref) -> Seat {
        self.memory.reads(read::CONTROLLER);
        let spec = self.view.schema.spec(info.zone);
        if spec.board || spec.owner.is_none() { info.seen.controller } else { self.t.obj(r.id).owner }
    }

    fn fits(&self, ctx: &Ctx, filter: &Filter, r: Ref, info: &Info) -> bool {
        let seen = info.seen;
        (filter.is.is_empty() || self.is_of(ctx, r, info, &filter.is))
            && (filter.name.is_empty()
                || self.front(ctx, r, info) && self.is_named(ctx, seen, &filter.name))
            && (filter.name_part.is_empty() || self.front(ctx, r, info) && self.named_in_part(seen, &chosen(ctx, &filter.name_part)))
            && filter.marks.iter().all(|(name, least)| self.marked(r, *name) >= self.value(ctx, least).unwrap_or(0))
            && filter.has.iter().all(|k| self.front(ctx, r, info) && self.has(seen, *k))
            && filter.data.iter().all(|(name, test)| {
                self.front(ctx, r, info) && self.test(ctx, r, seen, *name, test) || self.is_known(ctx, r, info, test)
            })
            && filter.near.iter().all(|(relation, word)| self.lies_by(ctx, r, info.zone, *relation, *word))
            && filter.except.iter().all(|word| !self.is_meant(ctx, *word, r))
            && filter.state.is_none_or(|state| self.state(info, state))
            && filter.role.is_none_or(|role| self.has_role(r, role))
            && filter.with.iter().all(|(how, wanted)| self.hosts(r, *how) == *wanted)
            && filter.under.iter().all(|(how, host)| self.lies_with(ctx, r, *how, *host))
            // Where the card lies has been said: what more is asked of it is asked there.
            && filter.not.as_ref().is_none_or(|not| !self.fits_anywhere(ctx, not, r) && !self.is_beyond(seen, not))
            && (filter.any.is_empty() || filter.any.iter().any(|f| self.fits_anywhere(ctx, f, r)))
            && filter.top.as_ref().is_none_or(|n| self.below_top(r.id) < self.value(ctx, n).unwrap_or(0))
    }

    /// The card has no such datum that could be referred to.
    fn lacks(&self, seen: &Seen, name: &str) -> bool {
        let schema = self.view.schema;
        let none = |(datum, _): &(&str, &super::Cite)| {
            *datum == name && schema.data(name).is_some_and(|(at, _)| seen.data[at] == Data::None)
        };
        let lacks = schema.customs.beyond.as_ref().is_some_and(none);
        if lacks {
            self.memory.note_gloss(Gloss::Beyond);
        }
        lacks && self.view.beyond
    }

    /// The filter asks for what the card has none of to be referred to.
    fn is_beyond(&self, seen: &Seen, filter: &Filter) -> bool {
        filter.data.keys().any(|name| self.lacks(seen, name))
    }

    fn has_role(&self, r: Ref, role: Word) -> bool {
        self.memory.reads(read::ROLES);
        self.book.role(self, r, role)
    }

    /// The card is of one of the classes; one whose front does not count, if it can be nothing else.
    fn is_of(&self, ctx: &Ctx, r: Ref, info: &Info, classes: &[Word]) -> bool {
        let Some(at) = self.view.class else { return false };
        let classes = &*chosen(ctx, classes);
        let is = || info.seen.words(at).iter().any(|w| classes.contains(w));
        if let Some(known) = self.hidden(ctx, r, info) {
            let asked = |k: &&str| classes.iter().any(|w| w == k);
            let counts = self.view.without & super::view::CLASSES != 0;
            return known.iter().all(asked) || counts && known.iter().any(asked) && is();
        }
        self.memory.reads(read::datum(at));
        self.front(ctx, r, info) && is()
    }

    /// One of the names has one of the parts in it.
    fn named_in_part(&self, seen: &Seen, parts: &[Word]) -> bool {
        self.memory.reads(read::NAME);
        parts.iter().any(|part| seen.names.iter().any(|n| n.contains(part.as_str())))
    }

    /// How many markers of the name lie on the card, or lay on it when it was last seen.
    pub fn marked(&self, r: Ref, name: Word) -> i32 {
        self.memory.reads(read::MARKS);
        if self.t.is_now(r) {
            // A condition that an effect laid on the card counts as one.
            let under = |rule: &&super::view::Standing| {
                rule.on == Some(r.id) && matches!(&rule.change, Change::Under(w) if *w == name)
            };
            return self.t.obj(r.id).marked(name).max(self.view.rules.iter().filter(under).count().min(1) as i32);
        }
        let past = self.past(r).filter(|_| !self.memory.lost);
        past.and_then(|p| p.marks.iter().find(|(n, _)| *n == name)).map_or(0, |(_, n)| *n)
    }

    fn has(&self, seen: &Seen, keyword: Word) -> bool {
        self.memory.reads(read::ABILITIES);
        seen.has(&keyword)
    }

    /// The front of the card is what counts: cards lying face down with another, or where the game says so, have none.
    fn front(&self, ctx: &Ctx, r: Ref, info: &Info) -> bool {
        let obj = self.t.obj(r.id);
        if info.now && obj.host.is_some() {
            self.memory.note_gloss(if obj.face_up { Gloss::LiesOpen } else { Gloss::NoFront });
        }
        !(info.now && obj.host.is_some() && !obj.face_up) && self.hidden(ctx, r, info).is_none()
    }

    /// Of a card whose front does not count that much is known.
    fn is_known(&self, ctx: &Ctx, r: Ref, info: &Info, test: &Test) -> bool {
        let Test::Word(word) = test else { return false };
        self.hidden(ctx, r, info).is_some_and(|known| known.iter().any(|k| word == k))
    }

    /// What is known of a card whose front does not count.
    fn hidden(&self, ctx: &Ctx, r: Ref, info: &Info) -> Option<&'static [&'static str]> {
        let obj = self.t.obj(r.id);
        let down = self.view.blind && info.now && !obj.face_up;
        let looker = self.memory.fronts.then_some(ctx.seat);
        if down { self.book.face_down(info.zone, obj.owner, looker) } else { None }
    }

    fn state(&self, info: &Info, state: Word) -> bool {
        match state.as_str() {
            "表" => info.face_up,
            "裏" => !info.face_up,
            s => {
                self.memory.reads(read::STATE);
                self.view.schema.state(s) == Some(info.state)
            }
        }
    }

    /// Something lies with the card in that way.
    pub fn hosts(&self, r: Ref, how: Word) -> bool {
        if !self.t.is_now(r) {
            return self.past(r).is_some_and(|p| p.hosted.contains(&how));
        }
        self.t.cards.iter().any(|c| c.host == Some((how, r.id)))
    }

    /// The card lies with the one meant, in that way.
    fn lies_with(&self, ctx: &Ctx, r: Ref, how: Word, host: Word) -> bool {
        let lies = self.t.is_now(r).then(|| self.t.obj(r.id).host).flatten();
        lies.is_some_and(|(way, id)| way == how && self.is_ref(ctx, host, self.t.now(id)))
    }

    fn below_top(&self, id: CardId) -> i32 {
        let cards = self.t.zone(self.t.obj(id).zone);
        cards.iter().rev().position(|c| *c == id).map_or(i32::MAX, |i| i as i32)
    }

    /// In the relation to the card, or lying with it where the relation is a way of lying.
    fn lies_by(&self, ctx: &Ctx, r: Ref, zone: ZoneId, relation: Word, word: Word) -> bool {
        if self.view.schema.words.attachments.contains(&relation.as_str()) {
            let host = self.first_ref(ctx, word).map(|host| host.id);
            return self.t.obj(r.id).host.is_some_and(|(how, on)| how == relation && Some(on) == host);
        }
        self.near(ctx, zone, relation, word)
    }

    pub fn near(&self, ctx: &Ctx, zone: ZoneId, relation: Word, word: Word) -> bool {
        // A line or an area that was chosen: to be in it is to be in the same.
        if let Some(Thing::Place(kind, which)) = ctx.slots.get(&word).and_then(|t| t.first()) {
            return self.view.schema.group(*kind, zone) == Some(*which);
        }
        self.zone_of(ctx, word).is_some_and(|other| self.book.related(self, relation, other, zone, ctx.seat))
    }

    fn test(&self, ctx: &Ctx, r: Ref, seen: &Seen, name: Word, test: &Test) -> bool {
        if let (NAME, Test::Range(range)) = (name.as_str(), test) {
            self.memory.reads(read::NAME);
            return range.shared.is_none_or(|w| self.refs(ctx, w).iter().any(|other| self.is_namesake(seen, *other)));
        }
        let name = self.read_as(r, name);
        let Some((at, kind)) = self.view.schema.data(&name) else { return false };
        self.looks_at(name, at);
        if kind == crate::card::DataKind::Price {
            self.memory.note_gloss(Gloss::Total);
        }
        if seen.words(at).len() > 1 {
            self.memory.note_gloss(Gloss::Several);
        }
        match test {
            Test::Word(word) => has_any(self.words(seen, at), &chosen(ctx, std::slice::from_ref(word))),
            Test::Number(n) => seen.number(at).map(|n| self.counted(n)) == Some(*n),
            Test::Range(range) => {
                let number = seen.number(at).map(|n| self.counted(n));
                let limit = |v: &Value| {
                    if !v.is_for_each() {
                        return self.value(ctx, v);
                    }
                    let mut slots = ctx.slots.clone();
                    slots.set(crate::card::IT, vec![Thing::Card(r)]);
                    self.value(&Ctx { slots: &slots, ..*ctx }, v)
                };
                let at_least = |v: &Value| number.zip(limit(v)).is_some_and(|(n, v)| n >= v);
                let at_most = |v: &Value| number.zip(limit(v)).is_some_and(|(n, v)| n <= v);
                range.min.as_ref().is_none_or(at_least)
                    && range.max.as_ref().is_none_or(at_most)
                    && range.not.is_none_or(|w| !has_any(self.words(seen, at), &chosen(ctx, &[w])))
                    && (range.any.is_empty() || has_any(self.words(seen, at), &chosen(ctx, &range.any)))
                    && range.shared.is_none_or(|w| self.shares(ctx, seen, at, w))
                    && (range.only.is_empty() || is_only(seen.words(at), &chosen(ctx, &range.only)))
            }
        }
    }

    /// The datum to be used where this one is asked for.
    fn read_as(&self, r: Ref, name: Word) -> Word {
        let other = |rule: &super::view::Standing| match &rule.change {
            Change::Read(from, to) if rule.on == Some(r.id) && *from == name => Some(*to),
            _ => None,
        };
        if !self.t.is_now(r) {
            return name;
        }
        self.memory.reads(read::READING);
        let other = self.view.rules.iter().find_map(other);
        if other.is_some() {
            self.memory.note(Principle::ReadsAs);
        }
        other.unwrap_or(name)
    }

    /// The words of the datum. A card whose name is not written among its data is called what the board calls it.
    fn words<'s>(&self, seen: &'s Seen, at: usize) -> &'s [Word] {
        if self.view.schema.words.data[at].0 == crate::card::NAME { &seen.names } else { seen.words(at) }
    }

    fn shares(&self, ctx: &Ctx, seen: &Seen, at: usize, word: Word) -> bool {
        let theirs = |r: &Ref| {
            self.info(*r).is_some_and(|i| self.words(seen, at).iter().any(|w| self.words(i.seen, at).contains(w)))
        };
        self.refs(ctx, word).iter().any(theirs)
    }

    /// All zones in play that fit.
    pub fn spots(&self, ctx: &Ctx, spots: &Spots) -> Vec<ZoneId> {
        let has = |zone: ZoneId, filter: &Filter| {
            self.t.zone(zone).iter().any(|id| self.matches(ctx, filter, self.t.now(*id)))
        };
        let fits = |zone: &ZoneId| {
            (spots.within.is_empty() || spots.within.iter().any(|p| self.inside(ctx, *zone, true, *p)))
                && spots.near.iter().all(|(relation, word)| self.near(ctx, *zone, *relation, *word))
                && spots.with.as_ref().is_none_or(|f| has(*zone, f))
                && spots.without.as_ref().is_none_or(|f| !has(*zone, f))
        };
        self.view.schema.board().filter(fits).collect()
    }

    /// The number, or nothing where it cannot be made out.
    pub fn value(&self, ctx: &Ctx, value: &Value) -> Option<i32> {
        match value {
            Value::Number(n) => Some(*n),
            Value::Named(name) => ctx.slots.number(name),
            Value::Made(amount) => self.amount(ctx, amount),
        }
    }

    /// A number below nothing counts as nothing unless the game goes on below it.
    fn counted(&self, n: i32) -> i32 {
        if self.view.schema.customs.signed && !self.view.floor { n } else { n.max(0) }
    }

    /// The datum is looked at.
    fn looks_at(&self, name: Word, at: usize) {
        self.memory.reads(read::datum(at));
        if self.view.schema.words.bases.iter().any(|(base, _)| name == *base) {
            self.memory.note_gloss(Gloss::Base);
        }
    }

    fn amount(&self, ctx: &Ctx, amount: &Amount) -> Option<i32> {
        let number = |r: Ref, name: &Word| {
            let (at, _) = self.view.schema.data(name)?;
            self.looks_at(*name, at);
            // A card whose front does not count has no number that could be compared or added.
            self.info(r).filter(|info| self.front(ctx, r, info))?.seen.number(at)
        };
        match amount {
            Amount::Count(filter) => Some(self.select(ctx, filter).len() as i32),
            Amount::Kinds(filter) => {
                self.memory.reads(read::NAME);
                let shown = |r: &Ref| self.info(*r).is_some_and(|info| self.hidden(ctx, *r, &info).is_none());
                let found = self.select(ctx, filter).into_iter().filter(shown);
                let mut names: Vec<&[Word]> = found.map(|r| self.seen(r.id).names.as_slice()).collect();
                names.sort_unstable();
                names.dedup();
                Some(names.len() as i32)
            }
            Amount::Data(word, name) => {
                let (at, _) = self.view.schema.data(name)?;
                self.looks_at(*name, at);
                let card = self.first_ref(ctx, *word)?;
                let info = self.info_of(Some(*word), card).filter(|info| self.hidden(ctx, card, info).is_none())?;
                info.seen.number(at).map(|n| self.counted(n))
            }
            Amount::Highest(name, filter) => {
                self.select(ctx, filter).into_iter().filter_map(|r| number(r, name)).max().map(|n| self.counted(n))
            }
            Amount::Lowest(name, filter) => {
                self.select(ctx, filter).into_iter().filter_map(|r| number(r, name)).min().map(|n| self.counted(n))
            }
            Amount::Size(slot) => Some(ctx.slots.get(slot).map_or(0, <[Thing]>::len) as i32),
            // A number that has outgrown every use stays as big as it can be.
            Amount::Sum(parts) => parts.iter().try_fold(0i32, |sum, v| Some(plus(sum, self.value(ctx, v)?))),
            Amount::Product(parts) => parts.iter().try_fold(1i32, |n, v| times(n, self.value(ctx, v)?)),
            Amount::Divide(a, b) => match (self.value(ctx, a)?, self.value(ctx, b)?) {
                (_, 0 | ENDLESS) => None,
                (ENDLESS, b) => (b > 0).then_some(ENDLESS),
                (a, b) => {
                    let rest = a.checked_rem_euclid(b).unwrap_or(0);
                    if rest != 0 {
                        self.memory.note(Principle::RoundsUp);
                    }
                    let whole = a.checked_div_euclid(b).unwrap_or(i32::MAX);
                    Some(whole.saturating_add(i32::from(rest != 0 && self.view.rounds_up)))
                }
            },
            Amount::Event(_) => ctx.event.map(|e| e.amount),
            Amount::Marks(word, name) => self.first_ref(ctx, *word).map(|r| self.marked(r, *name)),
            Amount::Fact(who, name) => {
                self.memory.reads(read::PLAYERS);
                let at = self.view.schema.fact(super::FactOwner::Seat, name)?;
                let seat = self.seat(ctx, *who)?;
                Some(self.book.fact_of(self, seat, *name, self.t.seats[seat.index()][at]))
            }
            Amount::Total(name, filter) => {
                let all = self.select(ctx, filter);
                Some(all.into_iter().filter_map(|r| number(r, name)).fold(0i32, |sum, n| plus(sum, self.counted(n))))
            }
        }
    }

    pub fn holds(&self, ctx: &Ctx, cond: &Cond) -> bool {
        let compare = |a: &Value, b: &Value, ok: fn(i32, i32) -> bool| {
            let unknown = (!self.view.schema.customs.undefined_fails).then_some(0);
            let (a, b) = (self.value(ctx, a).or(unknown), self.value(ctx, b).or(unknown));
            a.zip(b).is_some_and(|(a, b)| ok(a, b))
        };
        match cond {
            Cond::Exists(filter) => !self.select(ctx, filter).is_empty(),
            Cond::None(filter) => self.select(ctx, filter).is_empty(),
            Cond::Equal(a, b) => compare(a, b, |a, b| a == b),
            Cond::AtLeast(a, b) => compare(a, b, |a, b| a >= b),
            Cond::AtMost(a, b) => compare(a, b, |a, b| a <= b),
            // What a game has done itself is told by the name alone.
            Cond::Did(slot) => {
                let told = super::steps::did(*slot);
                let told = if ctx.slots.get(&told).is_some() { told } else { *slot };
                ctx.slots.number(&told) == Some(1)
            }
            Cond::Paid(slot) => ctx.slots.number(slot) == Some(1),
            Cond::Turn(who) => self.seat(ctx, *who) == Some(self.active()),
            Cond::During(phase) => {
                self.memory.reads(read::PHASE);
                self.t.phase == *phase || self.t.contexts.iter().any(|c| c.step == *phase)
            }
            Cond::Happened(pattern) => {
                self.memory.reads(read::HAPPENED);
                self.t.happened.iter().any(|e| self.event_fits(&Ctx { event: Some(&**e), ..*ctx }, pattern, e))
            }
            Cond::All(conds) => conds.iter().all(|c| self.holds(ctx, c)),
            Cond::Any(conds) => conds.iter().any(|c| self.holds(ctx, c)),
            Cond::Not(cond) => !self.holds(ctx, cond),
        }
    }

    /// The event is one the pattern speaks of.
    pub fn event_fits(&self, ctx: &Ctx, pattern: &Pattern, event: &Event) -> bool {
        if !pattern_names(pattern, event) {
            return false;
        }
        let ctx = &Ctx { event: Some(event), ..*ctx };
        // Some places are there only by what lay in them, or lies there now.
        let lies = |r: Option<Ref>, p: Word| {
            let seen = |r: Ref| match self.t.is_now(r) {
                true => Some(self.seen(r.id)),
                false => self.past(r).map(|past| &*past.seen),
            };
            r.and_then(seen).is_none_or(|seen| self.lies_in(seen, p))
        };
        let from =
            |p: &Word| event.from.is_some_and(|z| self.inside(ctx, z, event.from_face_up, *p)) && lies(event.card, *p);
        let up = matches!(event.what, What::Move { face_up: true, .. });
        let to = |p: &Word| event.to.is_some_and(|z| self.inside(ctx, z, up, *p)) && lies(event.after, *p);
        let by = |f: &Filter| event.cause.card.is_some_and(|r| self.fits_anywhere(ctx, f, r));
        // What is laid on a card to be one with it is that card too.
        let parts = self.view.schema.customs.parts;
        let onto = match event.what {
            What::Move { host: Some((how, host)), .. } if pattern.event == event.name => {
                parts.iter().any(|(way, _)| how == *way && event.name == *way).then(|| self.t.now(host))
            }
            _ => None,
        };
        // What changes as it lies is spoken of as any card is: in play, unless the words name a card or a place.
        let changes = matches!(event.what, What::Turn { .. } | What::Face { .. });
        let there = |f: &Filter, r: Ref| {
            let meant = !changes || f.reference.is_some() || !f.within.is_empty();
            meant || self.info(r).is_some_and(|info| self.view.schema.spec(info.zone).board)
        };
        let card = |f: &Filter| {
            self.event_card(event).into_iter().chain(onto).any(|r| there(f, r) && self.fits_anywhere(ctx, f, r))
        };
        (pattern.from.is_empty() || pattern.from.iter().any(from))
            && !pattern.not_from.iter().any(from)
            && (pattern.to.is_empty() || pattern.to.iter().any(to))
            && !pattern.not_to.iter().any(to)
            && pattern.near.iter().all(|(rel, word)| event.to.is_some_and(|z| self.near(ctx, z, *rel, *word)))
            && pattern.by.as_ref().is_none_or(by)
            && pattern.card.as_ref().is_none_or(card)
            && pattern.who.is_none_or(|who| event.seat.is_some() && self.seat(ctx, who) == event.seat)
            && pattern.how.is_none_or(|how| self.in_manner(event, how))
    }

    /// The card of an event fits wherever it is: where it was is said by from and to.
    pub fn fits_anywhere(&self, ctx: &Ctx, filter: &Filter, r: Ref) -> bool {
        if !filter.within.is_empty() {
            return self.matches(ctx, filter, r);
        }
        let Some(info) = self.info(r) else { return false };
        let obj = self.t.obj(r.id);
        filter.reference.is_none_or(|word| {
            if word == "this" { ctx.this.is_some_and(|x| x.id == r.id) } else { self.is_meant(ctx, word, r) }
        }) && self.fits(ctx, filter, r, &info)
            && filter.of.is_none_or(|who| self.seat(ctx, who) == Some(self.holder(&info, r)))
            && filter.owner.is_none_or(|who| self.seat(ctx, who) == Some(obj.owner))
    }

    pub fn number(&self, r: Ref, name: &str) -> Option<i32> {
        let (at, _) = self.view.schema.data(name)?;
        self.info(r)?.seen.number(at)
    }

    pub fn has_data(&self, r: Ref, name: &str) -> bool {
        self.view.schema.data(name).is_some_and(|(at, _)| self.info(r).is_some_and(|i| i.seen.data[at] != Data::None))
    }
}

/// The words are these and no others.
fn has_any(words: &[Word], wanted: &[Word]) -> bool {
    wanted.iter().any(|word| words.contains(word))
}

/// The words as they stand; what was chosen where one of them is the name of a choice of words (a colour, a race).
fn chosen<'w>(ctx: &Ctx, words: &'w [Word]) -> Cow<'w, [Word]> {
    let said = |word: &Word| -> Vec<Word> {
        let things = ctx.slots.get(word).unwrap_or_default();
        things.iter().filter_map(|thing| if let Thing::Word(w) = thing { Some(*w) } else { None }).collect()
    };
    if words.iter().all(|word| said(word).is_empty()) {
        return Cow::Borrowed(words);
    }
    let each = words.iter().flat_map(|word| match said(word) {
        said if said.is_empty() => vec![*word],
        said => said,
    });
    each.collect()
}

fn is_only(words: &[Word], only: &[Word]) -> bool {
    words.iter().all(|w| only.contains(w)) && only.iter().all(|w| words.contains(w))
}

/// The pattern speaks of events of this name. Few do, so this comes before everything else.
pub fn pattern_names(pattern: &Pattern, event: &Event) -> bool {
    pattern.event == event.name || pattern.event == "置く" && event.is_move() || event.also.contains(&pattern.event)
}

/// What is added to ∞ or taken off it leaves ∞.
pub fn plus(a: i32, b: i32) -> i32 {
    if a == ENDLESS || b == ENDLESS { ENDLESS } else { a.saturating_add(b) }
}

/// ∞ times something is ∞; times nothing, or less, it is no number.
fn times(a: i32, b: i32) -> Option<i32> {
    match (a, b) {
        (ENDLESS, n) | (n, ENDLESS) => (n > 0).then_some(ENDLESS),
        _ => Some(a.saturating_mul(b)),
    }
}
