//! How cards look under all effects: printed values, changed layer by layer.
//!
//! Printed values live in [`Def`] and are seen by nobody but this module.

use std::borrow::Cow;
use std::sync::Arc;

use super::book::{Face, Layering, Rulebook};
use super::duel::Duel;
use super::eyes::{Ctx, Eyes, Memory, read};
use super::principle::{Gloss, Principle};
use super::schema::Schema;
use super::shared::Shared;
use super::table::{CardId, Holds, Ongoing, Ref, Seat, Slots, Table};
use crate::card::{
    Ability, Card, Change, Cond, DataKind, Datum, ENDLESS, Filter, IT, Kind, NAME, Price, Quantity, Value, Word,
};

/// The value of a datum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Data {
    /// The card has no such datum.
    None,
    Number(i32),
    Words(Shared<Word>),
    Price(Price),
}

/// A card as it is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// What it is called: one name unless a rule or an effect gives it more.
    pub names: Shared<Word>,
    pub data: Vec<Data>,
    /// Also what keywords mean.
    pub abilities: Shared<Arc<Ability>>,
    pub controller: Seat,
    /// Which kinds of abilities there are: looked at far more often than the abilities.
    pub kinds: Kinds,
    /// Its abilities are there, but do nothing.
    pub muted: bool,
}

/// Which kinds of abilities a card has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    pub statics: bool,
    pub triggers: bool,
    pub replaces: bool,
    pub activated: bool,
    /// Triggers that look at the position instead of an event.
    pub states: bool,
}

impl Kinds {
    fn of(abilities: &[Arc<Ability>]) -> Kinds {
        Kinds {
            statics: abilities.iter().any(|a| a.kind == Kind::Static && !a.grant.is_empty()),
            triggers: abilities.iter().any(|a| a.kind == Kind::Triggered),
            replaces: abilities.iter().any(|a| a.instead.is_some()),
            activated: abilities.iter().any(|a| a.kind == Kind::Activated),
            states: abilities.iter().any(|a| a.kind == Kind::Triggered && a.when.is_empty()),
        }
    }
}

impl Eq for Seen {}
impl std::hash::Hash for Seen {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (&self.names, &self.data, self.controller).hash(state);
    }
}

impl Seen {
    pub fn number(&self, at: usize) -> Option<i32> {
        match &self.data[at] {
            Data::Number(n) => Some(*n),
            // Asked for as a number, a price is the sum of its symbols.
            Data::Price(price) => {
                let number = |q: &Quantity| if let Quantity::Number(n) = q { *n } else { 0 };
                Some(price.0.iter().fold(0i32, |sum, (_, q)| sum.saturating_add(number(q))))
            }
            _ => None,
        }
    }

    pub fn words(&self, at: usize) -> &[Word] {
        match &self.data[at] {
            Data::Words(words) => words,
            _ => &[],
        }
    }

    pub fn price(&self, at: usize) -> Option<&Price> {
        match &self.data[at] {
            Data::Price(price) => Some(price),
            _ => None,
        }
    }

    /// Its first name; nothing where the front does not count.
    pub fn name(&self) -> Word {
        self.names.first().copied().unwrap_or_default()
    }

    /// Abilities were put in or taken out.
    pub fn recount(&mut self) {
        self.kinds = Kinds::of(&self.abilities);
    }

    pub fn has(&self, keyword: &str) -> bool {
        self.keyword(keyword).is_some()
    }

    pub fn keyword(&self, keyword: &str) -> Option<&crate::card::Keyword> {
        self.abilities.iter().filter_map(|a| a.keyword.as_ref()).find(|k| k.name == keyword)
    }
}

/// A card of the duel: what is printed on it.
#[derive(Debug)]
pub struct Def {
    pub card: Arc<Card>,
    /// The classes printed on it, whatever it lies as.
    pub classes: Vec<Word>,
    /// As the card of either seat.
    printed: [Arc<Seen>; 2],
    /// What it is where it lies as something else, as the card of either seat.
    others: Vec<[Arc<Seen>; 2]>,
}

impl Def {
    pub fn new(card: Arc<Card>, book: &dyn Rulebook) -> Def {
        let schema = book.schema();
        let data = schema.words.data.iter().map(|(name, kind)| printed(&card, name, *kind)).collect();
        let mut abilities = Vec::new();
        for (at, ability) in card.abilities.iter().enumerate() {
            spread(ability, None, (at as u32 + 1) << 8, book, &mut abilities);
        }
        let classes = match printed(&card, schema.words.class, DataKind::Words) {
            Data::Words(classes) => classes,
            _ => Default::default(),
        };
        let kinds = Kinds::of(&abilities);
        let (names, abilities) = (vec![card.name].into(), abilities.into());
        let mut seen = Seen { names, data, abilities, controller: Seat(0), kinds, muted: false };
        let of_either = |mut other: Seen| {
            other.recount();
            [Seat(0), Seat(1)].map(|controller| Arc::new(Seen { controller, ..other.clone() }))
        };
        let others = book.derive(&mut seen).into_iter().map(of_either).collect();
        let printed = [Seat(0), Seat(1)].map(|controller| Arc::new(Seen { controller, ..seen.clone() }));
        Def { card, classes: classes.to_vec(), printed, others }
    }

    pub fn name(&self) -> Word {
        self.card.name
    }
}

fn printed(card: &Card, name: &str, kind: DataKind) -> Data {
    let datum = card.data.iter().find(|(n, _)| **n == name).map(|(_, d)| d);
    match (datum, kind) {
        (None, _) => Data::None,
        (Some(Datum::Number(n)), DataKind::Number) => Data::Number(*n),
        (Some(Datum::Words(words)), DataKind::Words) => Data::Words(words.clone().into()),
        (Some(Datum::Words(words)), DataKind::Price) => match words.first().and_then(|w| Price::read(w)) {
            Some(price) => Data::Price(price),
            None => Data::None,
        },
        _ => Data::None,
    }
}

/// An ability and what its keyword means. Each has a number of its own that does not depend on what else the card has,
/// and what a keyword means goes with the keyword.
fn spread(ability: &Ability, meant_by: Option<Word>, id: u32, book: &dyn Rulebook, out: &mut Vec<Arc<Ability>>) {
    out.push(Arc::new(Ability { id, meant_by, ..ability.clone() }));
    if let Some(keyword) = &ability.keyword {
        for (at, mut meant) in book.keyword(keyword).into_iter().enumerate() {
            if meant.from.is_empty() {
                meant.from.clone_from(&ability.from);
            }
            // What the card says besides the keyword goes for what it means as well.
            if let Some(own) = &ability.cond {
                meant.cond = Some(match meant.cond.take() {
                    Some(cond) => Cond::All(vec![own.clone(), cond]),
                    None => own.clone(),
                });
            }
            meant.limit = meant.limit.or(ability.limit);
            spread(&meant, meant_by.or(Some(keyword.name)), id + at as u32 + 1, book, out);
        }
    }
}

/// The number of an ability that an effect gives.
fn given_id(effect: &Effect) -> u32 {
    let source = effect.source.map_or(0, |s| u32::from(s.id.0) + 1);
    1 << 31
        | source.wrapping_mul(0x9e37_79b1).wrapping_add(effect.stamp.wrapping_mul(31)).wrapping_add(effect.at as u32)
            >> 1
}

/// The number of an ability of another card.
fn copied_id(from: CardId, ability: u32) -> u32 {
    1 << 31 | (u32::from(from.0) + 1).wrapping_mul(0x85eb_ca6b).wrapping_add(ability.wrapping_mul(0x9e37_79b1)) >> 1
}

/// Which cards of a duel have what printed on them, in the order of set-up: most have little, and texts are looked for
/// all the time. What effects give to cards is not in it; a view says whether they do.
#[derive(Debug, Default)]
pub struct Holders {
    pub statics: Vec<CardId>,
    pub replaces: Vec<CardId>,
    pub activated: Vec<CardId>,
    pub states: Vec<CardId>,
    /// By the name of the event that triggers.
    triggers: Vec<(Word, Vec<CardId>)>,
    keywords: Vec<(Word, Vec<CardId>)>,
    timings: Vec<(Word, Vec<CardId>)>,
}

impl Holders {
    pub fn new(defs: &[Arc<Def>], t: &Table) -> Holders {
        let mut found = Holders::default();
        for id in t.ids() {
            let Seen { kinds, abilities, .. } = &*defs[t.obj(id).def as usize].printed[0];
            let lists = [
                (kinds.statics, &mut found.statics),
                (kinds.replaces, &mut found.replaces),
                (kinds.activated, &mut found.activated),
                (kinds.states, &mut found.states),
            ];
            for (_, list) in lists.into_iter().filter(|(has, _)| *has) {
                list.push(id);
            }
            for pattern in abilities.iter().filter(|a| a.kind == Kind::Triggered).flat_map(|a| &a.when) {
                list_under(&mut found.triggers, pattern.event, id);
            }
            for keyword in abilities.iter().filter_map(|a| a.keyword.as_ref()) {
                list_under(&mut found.keywords, keyword.name, id);
            }
            for timing in abilities.iter().filter_map(|a| a.timing) {
                list_under(&mut found.timings, timing, id);
            }
        }
        found
    }

    /// The cards with the keyword.
    pub fn keyword(&self, keyword: Word) -> &[CardId] {
        listed(&self.keywords, keyword)
    }

    /// The cards with a trigger that names the event.
    pub fn triggers(&self, event: Word) -> &[CardId] {
        listed(&self.triggers, event)
    }

    /// The cards with an ability of that timing.
    pub fn timing(&self, timing: Word) -> &[CardId] {
        listed(&self.timings, timing)
    }
}

fn listed(lists: &[(Word, Vec<CardId>)], word: Word) -> &[CardId] {
    lists.iter().find(|(name, _)| *name == word).map_or(&[], |(_, ids)| ids)
}

/// The card is listed under the word, once.
fn list_under(lists: &mut Vec<(Word, Vec<CardId>)>, word: Word, id: CardId) {
    match lists.iter_mut().find(|(name, _)| *name == word) {
        Some((_, ids)) if ids.last() == Some(&id) => {}
        Some((_, ids)) => ids.push(id),
        None => lists.push((word, vec![id])),
    }
}

/// A rule that an effect lays on a card or a player: it is no datum.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    pub change: Change,
    pub source: Option<Ref>,
    pub seat: Seat,
    pub slots: Slots,
    /// The card it lies on.
    pub on: Option<CardId>,
    /// When the effect began.
    pub stamp: u32,
}

/// All cards as they are seen.
#[derive(Clone, Debug)]
pub struct View {
    pub cards: Vec<Arc<Seen>>,
    pub rules: Vec<Standing>,
    pub(super) schema: &'static Schema,
    /// The place of the classes among the data.
    pub(super) class: Option<usize>,
    /// The fronts of cards that lie face down where the game says so do not count.
    pub blind: bool,
    /// What the game's words mean without clauses that are knocked out, in the game's own bits.
    pub without: u32,
    /// Cards that an effect has hidden are read as they last lay open.
    pub completes: bool,
    /// Cards without a datum are not spoken of by what asks for it; words that were added stay with their card.
    pub beyond: bool,
    follows: bool,
    narrow: bool,
    /// Numbers below zero are changed from zero, which no document says.
    pub(super) floor: bool,
    /// Fractions are rounded up; else down.
    pub rounds_up: bool,
    /// Words that become others are kept beside them, which no document says either.
    keeps: bool,
    /// The datum that becomes the name of a card that is called otherwise; and one did.
    renames: Option<usize>,
    renamed: bool,
    /// A number below zero was changed, words were replaced.
    below: bool,
    became: bool,
    /// The cards with an ability that is not printed on them, in the order of set-up.
    pub gained: Vec<CardId>,
    /// Which abilities those are, and since when effects have given them.
    given: Vec<(CardId, u32, u32)>,
    /// Which of them come from other cards.
    copied: Vec<(CardId, u32)>,
    /// The clauses by which immune cards are not changed, by what came later and by what was there before.
    guard: [Option<&'static super::Cite>; 2],
    /// Since when cards are immune.
    shields: Vec<(CardId, u32)>,
    /// An effect did not change a card for that reason.
    guarded: [bool; 2],
    /// "Cannot" goes for numbers that grow and fall too; and it kept one.
    cannot: bool,
    kept: bool,
    /// The condition that takes the abilities of a card out of force.
    mutes: Option<&'static str>,
    /// What was noted while looking, and what effects looked at.
    noted: std::cell::Cell<u128>,
    read: std::cell::Cell<u64>,
    /// What effects have changed.
    written: u64,
}

impl View {
    /// Of the cards on which something is printed ([`Holders`]) and those that have gained something, each once and in
    /// the order of set-up: whoever may have it.
    pub fn among<'a>(&'a self, printed: &'a [CardId]) -> Cow<'a, [CardId]> {
        if printed.is_empty() {
            return Cow::Borrowed(&self.gained);
        }
        let mut all = Cow::Borrowed(printed);
        for card in &self.gained {
            if let Err(at) = all.binary_search(card) {
                all.to_mut().insert(at, *card);
            }
        }
        all
    }

    /// The card has an ability now that is not printed on it.
    fn has_gained(&mut self, card: CardId) {
        if let Err(at) = self.gained.binary_search(&card) {
            self.gained.insert(at, card);
        }
    }

    /// Some effect looked at this: [`super::eyes::read`].
    pub fn has_read(&self, what: u64) -> bool {
        self.read.get() & what != 0
    }

    /// Some effect changed this: [`super::eyes::read`].
    pub fn has_written(&self, what: u64) -> bool {
        self.written & what != 0
    }
}

/// An effect to be applied.
#[derive(Clone)]
struct Effect {
    source: Option<Ref>,
    seat: Seat,
    stamp: u32,
    text: Text,
    /// Which change of the text.
    at: usize,
}

/// Where an effect is written.
#[derive(Clone)]
enum Text {
    /// An ability of a card.
    Ability(Arc<Ability>),
    /// The place among the ongoing effects of the table.
    Ongoing(usize),
}

enum Set<'a> {
    Own,
    Locked(&'a [Ref]),
    Open(&'a Filter),
}

/// Which effect it is, wherever it is gathered.
type Key = (Option<Ref>, u32, Option<usize>, usize);

impl Effect {
    fn key(&self) -> Key {
        match &self.text {
            Text::Ability(ability) => (self.source, ability.id, None, self.at),
            Text::Ongoing(i) => (self.source, 0, Some(*i), self.at),
        }
    }

    /// The card still has the ability.
    fn stands(&self, view: &View) -> bool {
        match (&self.text, self.source) {
            (Text::Ability(ability), Some(source)) => {
                view.cards[source.id.0 as usize].abilities.iter().any(|a| a.id == ability.id)
            }
            _ => true,
        }
    }

    fn change<'a>(&'a self, t: &'a Table) -> &'a Change {
        match &self.text {
            Text::Ability(ability) => &ability.grant[self.at],
            Text::Ongoing(i) => match &t.ongoing[*i].holds {
                Holds::Changes(changes) => &changes[self.at],
                Holds::Instead(_) => unreachable!("only changes are gathered"),
            },
        }
    }

    fn cond(&self) -> Option<&Cond> {
        match &self.text {
            Text::Ability(ability) => ability.cond.as_ref(),
            Text::Ongoing(_) => None,
        }
    }

    fn set<'a>(&'a self, t: &'a Table) -> Set<'a> {
        match &self.text {
            Text::Ability(ability) => ability.affects.as_ref().map_or(Set::Own, Set::Open),
            Text::Ongoing(i) => match (&t.ongoing[*i].locked, &t.ongoing[*i].filter) {
                (Some(cards), _) => Set::Locked(cards),
                (None, Some(filter)) => Set::Open(filter),
                (None, None) => Set::Locked(&[]),
            },
        }
    }

    fn slots<'a>(&'a self, t: &'a Table) -> &'a Slots {
        const NONE: &Slots = &Slots(Vec::new());
        match &self.text {
            Text::Ability(_) => NONE,
            Text::Ongoing(i) => &t.ongoing[*i].slots,
        }
    }

    fn ctx<'a>(&'a self, t: &'a Table) -> Ctx<'a> {
        Ctx { this: self.source, seat: self.seat, slots: self.slots(t), event: None }
    }

    /// Both are parts of one effect, each of which sets a number of a card to what another of its numbers is.
    fn exchanges(&self, other: &Effect, t: &Table) -> bool {
        let sets = |e: &Effect| matches!(e.change(t), Change::Set(_, v) if v.is_for_each());
        let whole = |key: Key| (key.0, key.1, key.2);
        whole(self.key()) == whole(other.key()) && sets(self) && sets(other)
    }

    /// It changes nothing but the card it comes from.
    fn is_own(&self, t: &Table) -> bool {
        match self.set(t) {
            Set::Own => true,
            Set::Locked(cards) => cards.len() == 1 && self.source == Some(cards[0]),
            // However it is written, what affects this card is its own.
            Set::Open(filter) => filter.reference.is_some_and(|card| card == "this"),
        }
    }
}

/// Of what [`Rulebook::without`] says: cards that lie face down are read by their fronts.
pub const FRONTS: u32 = 1 << 31;
/// Of what [`Rulebook::without`] says: what class a card is of that lies face down counts, and nothing else of it.
pub const CLASSES: u32 = 1 << 29;
/// Of what [`Rulebook::without`] says: effects on all cards that fit meet every one of them.
pub const MEETS_ALL: u32 = 1 << 30;
/// Of what [`Rulebook::without`] says: an effect on cards that it named leaves off those that one on all would leave out.
pub const LEAVES_OFF: u32 = 1 << 28;

/// How many effects may be in force at once.
const EFFECTS: usize = 400;

/// Looks at the table. `old` is a view nobody needs any more: most of its cards look the same.
pub fn view(d: &mut Duel, old: Option<View>) -> View {
    let book = d.book;
    let layering = book.layering(d);
    let without = book.without(d);
    let mut view = View {
        cards: base(d, old.map(|v| v.cards).unwrap_or_default()),
        rules: Vec::new(),
        schema: book.schema(),
        class: book.schema().data(book.schema().words.class).map(|(at, _)| at),
        blind: without & FRONTS == 0,
        without,
        completes: book.schema().customs.last_open.is_some_and(|c| d.on(c)),
        beyond: book.schema().customs.beyond.is_some_and(|(_, c)| d.on(c)),
        follows: book.schema().customs.follows.is_some_and(|(_, c)| d.on(c)),
        narrow: book.schema().customs.follow.is_some_and(|(c, _)| d.settings_reading(c.clause) == "b"),
        floor: !d.is_decided(Principle::BelowZero),
        rounds_up: d.is_decided(Principle::RoundsUp),
        keeps: !d.is_decided(Principle::Becomes),
        renames: book
            .schema()
            .customs
            .renames
            .and_then(|(name, c)| d.on(c).then(|| book.schema().data(name))?)
            .map(|(at, _)| at),
        renamed: false,
        below: false,
        became: false,
        gained: Vec::new(),
        given: Vec::new(),
        copied: Vec::new(),
        guard: [None; 2],
        shields: Vec::new(),
        guarded: [false; 2],
        mutes: book.schema().customs.mutes.filter(|(_, c)| d.on(c)).map(|(name, _)| name),
        cannot: !book.schema().customs.grows.is_empty() && d.on(book.schema().cannot),
        kept: false,
        noted: Default::default(),
        read: Default::default(),
        written: 0,
    };
    for card in book.merge(d, &mut view.cards) {
        view.has_gained(card);
    }
    let mut effects = gather(d, &view);
    let unaffected = book.schema().customs.unaffected;
    view.guard = unaffected.map_or([None; 2], |cites| cites.map(|c| d.on(c).then_some(c)));
    if view.guard.iter().any(Option::is_some) {
        guard(d, &mut view, &mut effects);
    }
    if !d.is_decided(Principle::ReadsAs) {
        effects.retain(|e| !matches!(e.change(&d.t), Change::Read(..)));
    }
    if effects.is_empty() {
        return view;
    }
    if effects.len() > EFFECTS {
        // Making out what depends on what takes the square of their number: no table has as many.
        let text = format!("継続効果が{EFFECTS}を超える盤面");
        let stopped = super::Stopped { lack: super::Lack::Unwritten, text, clauses: Vec::new() };
        d.stuck.get_or_insert(Box::new(stopped));
        return view;
    }
    let mut reached = Vec::new();
    // Without layers, all effects are of one kind; without the clause of one, it is no layer of its own.
    let last = layering.count.saturating_sub(1);
    let off = |d: &Duel, at: u8| layering.each.get(usize::from(at)).is_some_and(|c| c.is_some_and(|c| !d.on(c)));
    let kept = |d: &Duel, at: u8| {
        if !off(d, at) {
            at
        } else if at < last {
            at + 1
        } else {
            at.saturating_sub(1)
        }
    };
    let own = |d: &Duel, e: &Effect| if layering.layers.is_some() { (layering.of)(e.change(&d.t)) } else { 0 };
    let kind = |d: &Duel, e: &Effect| kept(d, own(d, e));
    let first = own(d, &effects[0]);
    if effects.iter().any(|e| own(d, e) != first) {
        reached.extend(layering.layers);
        for layer in 0..layering.count {
            let clause = layering.each.get(usize::from(layer)).copied().flatten();
            reached.extend(clause.filter(|_| effects.iter().any(|e| own(d, e) == layer)));
        }
    }
    for layer in 0..layering.count {
        let mut of_kind: Vec<Effect> = effects.iter().filter(|e| kind(d, e) == layer).cloned().collect();
        let mut done: Vec<Key> = Vec::new();
        while !of_kind.is_empty() {
            let text = of_kind.iter().any(|e| changes_text(e.change(&d.t)));
            done.extend(of_kind.iter().map(Effect::key));
            apply_layer(d, &mut view, of_kind, &layering, &mut reached);
            if !text {
                break;
            }
            // Abilities that were gained apply after what gave them; whose they are counts from the next layer on.
            effects = gather(d, &view);
            if view.guard.iter().any(Option::is_some) {
                guard(d, &mut view, &mut effects);
            }
            let new = |e: &&Effect| kind(d, e) == layer && !done.contains(&e.key());
            of_kind = effects.iter().filter(new).cloned().collect();
        }
    }
    for cite in reached {
        d.trace.reach(cite);
    }
    book.finish(d, &mut view);
    // What they said is in `floor` and `keeps` already; here it is told, and a silence heard.
    for question in [(view.below, Principle::BelowZero), (view.became, Principle::Becomes)] {
        let _ = question.0 && d.decides(question.1);
    }
    if let Some((_, cite)) = book.schema().customs.mutes
        && view.cards.iter().any(|seen| seen.muted && !seen.abilities.is_empty())
    {
        d.trace.reach(cite);
    }
    let memory = Memory { noted: view.noted.clone(), ..Memory::default() };
    d.noted(&memory);
    for (cite, _) in view.guard.into_iter().zip(view.guarded).filter(|(_, guarded)| *guarded) {
        cite.into_iter().for_each(|cite| d.trace.reach(cite));
    }
    if let Some((_, cite)) = book.schema().customs.renames.filter(|_| view.renamed) {
        d.trace.reach(cite);
    }
    if view.kept {
        d.trace.reach(book.schema().cannot);
    }
    view
}

/// How the card would look if one effect lowered a number of it that no effect in force looks at or changes: all else
/// stays as it is, and nothing else need be looked at. Trying out prices asks for that all the time.
pub(super) fn under_one(d: &mut Duel, effects: &[Ongoing], card: Ref) -> Option<Arc<Seen>> {
    let [Ongoing { holds: Holds::Changes(changes), source: None, seat, locked: Some(on), .. }] = effects else {
        return None;
    };
    let [change @ Change::Down(name, Value::Number(by), _)] = &changes[..] else { return None };
    let schema = d.book.schema();
    let plain =
        !d.trace.full && d.stands_whole() && schema.customs.grows.is_empty() && schema.customs.bounded_by.is_none();
    let what = read::datum(schema.data(name)?.0);
    let view = d.look();
    let immune = view.rules.iter().any(|rule| rule.on == Some(card.id) && guards(&rule.change));
    if !plain || immune || **on != [card] || !d.t.is_now(card) || view.has_read(what) || view.has_written(what) {
        return None;
    }
    let mut seen = (*view.cards[card.id.0 as usize]).clone();
    let effect =
        Effect { source: None, seat: *seat, stamp: d.t.clock + 1, text: Text::Ongoing(d.t.ongoing.len()), at: 0 };
    change_seen(schema, d.book, &mut seen, change, Some(*by), &effect);
    Some(Arc::new(seen))
}

/// What makes a card immune to effects, or to static ones for good: it counts before all of them.
fn guards(change: &Change) -> bool {
    matches!(change, Change::Immune(immune) if immune.to.iter().any(|w| *w == "効果" || *w == STATIC))
}

/// The static abilities of a source, to which a card once was immune.
pub const STATIC: &str = "常在";

/// Cards are made immune first: what they are immune to does not change them, however old it is.
fn guard(d: &Duel, view: &mut View, effects: &mut Vec<Effect>) {
    view.rules.retain(|r| !guards(&r.change));
    view.shields.clear();
    for effect in effects.extract_if(.., |e| guards(e.change(&d.t))) {
        let content = content(&d.t, d.book, view, &effect);
        view.shields.extend(content.cards.iter().map(|card| (card.id, effect.stamp)));
        apply(&d.t, d.book, view, &effect, content);
    }
}

/// The effect does not change the card, which is immune to its source: 0 where it came after that, 1 if it is older.
fn guarded_by(t: &Table, book: &dyn Rulebook, view: &View, effect: &Effect, card: Ref) -> Option<usize> {
    if !is_guarded(t, book, view, effect, card) {
        return None;
    }
    let since = view.shields.iter().filter(|(id, _)| *id == card.id).map(|(_, stamp)| *stamp).min();
    let which = usize::from(since.is_some_and(|since| effect.stamp < since));
    view.guard[which].map(|_| which)
}

fn is_guarded(t: &Table, book: &dyn Rulebook, view: &View, effect: &Effect, card: Ref) -> bool {
    if guards(effect.change(t)) {
        return false;
    }
    let fixed = matches!(effect.text, Text::Ability(_));
    let memory = Memory::default();
    let eyes = Eyes { t, view, book, memory: &memory };
    let guarded = view.rules.iter().any(|rule| match &rule.change {
        Change::Immune(immune) if rule.on == Some(card.id) && guards(&rule.change) => {
            let ctx = Ctx { this: rule.source, seat: rule.seat, slots: &rule.slots, event: None };
            // Of an effect that a board begins with only the controller may be known.
            let whose = || {
                let Filter { of, .. } = &immune.by;
                Filter { of: *of, ..Filter::default() } == immune.by
                    && of.is_none_or(|who| eyes.seat(&ctx, who) == Some(effect.seat))
            };
            (fixed || immune.to.iter().any(|w| *w == "効果"))
                && effect.source.map_or_else(whose, |source| eyes.fits_anywhere(&ctx, &immune.by, source))
        }
        _ => false,
    });
    view.read.set(view.read.get() | memory.read.get());
    guarded
}

/// A text that was there when the effect began to change the card says that the number does not grow, or does not fall.
fn is_kept(t: &Table, book: &dyn Rulebook, view: &View, effect: &Effect, card: Ref, value: Option<i32>) -> bool {
    let schema = book.schema();
    let change = effect.change(t);
    let (Change::Add(name, _) | Change::Down(name, ..) | Change::Set(name, _)) = change else { return false };
    let Some((_, names)) = schema.customs.grows.iter().find(|(datum, _)| name == datum) else { return false };
    let speaks = |rule: &Standing| matches!(&rule.change, Change::Forbid(p) if names.iter().any(|n| p.event == *n));
    if !view.rules.iter().any(speaks) {
        return false;
    }
    let Some((at, _)) = schema.data(name) else { return false };
    let seen = &view.cards[card.id.0 as usize];
    let mut then = (**seen).clone();
    change_seen(schema, book, &mut then, change, value, effect);
    let (Some(was), Some(now)) = (seen.number(at), then.number(at)) else { return false };
    let [grows, falls] = names;
    let event = match now.cmp(&was) {
        std::cmp::Ordering::Greater => Word(grows),
        std::cmp::Ordering::Less => Word(falls),
        std::cmp::Ordering::Equal => return false,
    };
    let cause = super::Cause { means: super::Means::Effect, card: effect.source, seat: Some(effect.seat) };
    let event = super::Event::about(event, card).by(cause).seat(seen.controller);
    let since = t.obj(card.id).since;
    let memory = Memory::default();
    let eyes = Eyes { t, view, book, memory: &memory };
    view.rules.iter().any(|rule| {
        let Change::Forbid(pattern) = &rule.change else { return false };
        let ctx = Ctx { this: rule.source, seat: rule.seat, slots: &rule.slots, event: Some(&event) };
        rule.on.is_none_or(|on| on == card.id)
            && rule.stamp.max(since) <= effect.stamp.max(since)
            && eyes.event_fits(&ctx, pattern, &event)
    })
}

fn apply_layer(
    d: &Duel,
    view: &mut View,
    mut effects: Vec<Effect>,
    layering: &Layering,
    reached: &mut Vec<&'static super::Cite>,
) {
    let t = &d.t;
    if layering.active_first.is_some() {
        view.read.set(view.read.get() | read::TURN);
    }
    effects.sort_by_key(|e| {
        let own = layering.own_first.is_some() && e.is_own(t);
        let late = layering.active_first.is_some() && e.seat != t.active;
        (!own, if layering.stamps.is_some() { e.stamp } else { u32::MAX - e.stamp }, late)
    });
    if effects.len() > 1 {
        reached.extend(layering.stamps);
    }
    floors(d, view, &mut effects, reached);
    if effects.len() > 1 && effects.iter().any(|e| e.is_own(t)) && !effects.iter().all(|e| e.is_own(t)) {
        reached.extend(layering.own_first);
    }
    while !effects.is_empty() {
        let (at, content) = next(d, view, &effects, layering, reached);
        let effect = effects.remove(at);
        let content = content.unwrap_or_else(|| self::content(t, d.book, view, &effect));
        // What one effect makes out of each other's numbers it makes at once: they change places.
        let along: Vec<(Effect, Content)> = effects
            .extract_if(.., |other| effect.exchanges(other, t))
            .map(|other| (other.clone(), self::content(t, d.book, view, &other)))
            .collect();
        apply(t, d.book, view, &effect, content);
        for (other, content) in along {
            apply(t, d.book, view, &other, content);
        }
        if takes_text(effect.change(t)) {
            effects.retain(|e| e.stands(view));
        }
    }
}

/// It changes which abilities there are, or whose.
fn changes_text(change: &Change) -> bool {
    matches!(
        change,
        Change::Gain(_)
            | Change::Copy(_)
            | Change::Lose(_)
            | Change::LoseText(_)
            | Change::Control(_)
            | Change::Under(_)
    )
}

/// It gives abilities of other cards.
fn copies(change: &Change) -> bool {
    matches!(change, Change::Copy(_))
}

/// It takes abilities from cards.
fn takes_text(change: &Change) -> bool {
    matches!(change, Change::Lose(_) | Change::LoseText(_))
}

/// Where some effect has a floor the order of those that only raise or lower matters: what raises comes first, then what
/// lowers, in the order of time, but of those with a floor the greater floor first. What sets a number keeps its place
/// between them.
fn floors(d: &Duel, view: &View, effects: &mut [Effect], reached: &mut Vec<&'static super::Cite>) {
    let t = &d.t;
    if effects.len() < 2 || !effects.iter().any(|e| matches!(e.change(t), Change::Down(..))) {
        return;
    }
    let Some(cites) = d.book.schema().customs.floors else { return };
    reached.extend(cites);
    let [raises, floors, _] = cites.map(|c| d.on(c));
    let by_time = d.settings_reading(cites[2].clause) == "b";
    let key = |e: &Effect| match e.change(t) {
        Change::Down(..) | Change::Add(..) | Change::Cost(..) if by_time => Some(0),
        Change::Down(..) => Some(1),
        Change::Add(_, by) | Change::Cost(_, _, by) => {
            // What it applies to is of no interest here, and the number is mostly written as one.
            let by = if let Value::Number(n) = by { Some(*n) } else { content(t, d.book, view, e).value };
            Some(if by.is_none_or(|n| n <= 0) {
                1
            } else if raises {
                0
            } else {
                2
            })
        }
        _ => None,
    };
    let keys: Vec<Option<i32>> = effects.iter().map(key).collect();
    let mut from = 0;
    while from < effects.len() {
        let to = (from..effects.len()).find(|i| keys[*i].is_none()).unwrap_or(effects.len());
        effects[from..to].sort_by_key(|e| key(e));
        if floors {
            greater_floor_first(d, view, &mut effects[from..to]);
        }
        from = to + 1;
    }
}

/// Those with a floor that speak of the same datum of the same card change places with each other, not with the rest.
fn greater_floor_first(d: &Duel, view: &View, effects: &mut [Effect]) {
    let t = &d.t;
    let meet = |a: &Effect, b: &Effect| {
        let cards = content(t, d.book, view, a).cards;
        content(t, d.book, view, b).cards.iter().any(|card| cards.contains(card))
    };
    let later = |a: &Effect, b: &Effect| match (a.change(t), b.change(t)) {
        (Change::Down(one, _, low), Change::Down(other, _, high)) => one == other && low < high && meet(a, b),
        _ => false,
    };
    let pair = |effects: &[Effect]| {
        let n = effects.len();
        (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).find(|(i, j)| later(&effects[*i], &effects[*j]))
    };
    while let Some((i, j)) = pair(effects) {
        effects.swap(i, j);
    }
}

/// The cards as printed. Counting references is dear where hardly any card looks different from before.
fn base(d: &Duel, mut cards: Vec<Arc<Seen>>) -> Vec<Arc<Seen>> {
    let printed = |card: &super::table::Obj| {
        let def = &d.given.defs[card.def as usize];
        match d.book.face(card) {
            Face::Ruled(face) => return &face[card.controller.index()],
            Face::Other(form) if form < def.others.len() => return &def.others[form][card.controller.index()],
            _ => {}
        }
        &def.printed[card.controller.index()]
    };
    cards.truncate(d.t.cards.len());
    for (seen, card) in cards.iter_mut().zip(&d.t.cards) {
        let printed = printed(card);
        if !Arc::ptr_eq(seen, printed) {
            *seen = printed.clone();
        }
    }
    let known = cards.len();
    cards.extend(d.t.cards[known..].iter().map(|card| printed(card).clone()));
    cards
}

/// The effects that are in force now.
fn gather(d: &mut Duel, view: &View) -> Vec<Effect> {
    let mut found = Vec::new();
    let given = d.given;
    for &id in view.among(&given.holders.statics).iter() {
        let seen = &view.cards[id.0 as usize];
        if !seen.kinds.statics || d.is_beneath(id) || d.book.schema().is_idle(d.t.obj(id)) {
            continue;
        }
        let (zone, face_up, stamp) = (d.t.obj(id).zone, d.t.obj(id).face_up, d.t.obj(id).since);
        for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Static && !a.grant.is_empty()) {
            if !d.works(seen, zone, face_up, ability) {
                continue;
            }
            d.reach_clauses(ability);
            d.gloss(if ability.affects.is_some() { Gloss::LastsOpen } else { Gloss::Lasts });
            let source = Some(d.t.now(id));
            // An ability that was given is as old as what gave it, if the card is older.
            let given = view.given.iter().find(|(card, ability_id, _)| *card == id && *ability_id == ability.id);
            let stamp = given.map_or(stamp, |(.., since)| stamp.max(*since));
            let stamp = d.t.dated(d.t.now(id), ability.id).unwrap_or(stamp);
            let of = |at| Effect { source, seat: seen.controller, stamp, text: Text::Ability(ability.clone()), at };
            let copied = view.copied.contains(&(id, ability.id)) && ability.grant.iter().any(copies);
            let once = d.book.schema().customs.copies_once.filter(|c| copied && d.on(c));
            once.into_iter().for_each(|cite| d.trace.reach(cite));
            let gives = |at: &usize| once.is_none() || !copies(&ability.grant[*at]);
            found.extend((0..ability.grant.len()).filter(gives).map(of));
        }
    }
    for (i, ongoing) in d.t.ongoing.iter().enumerate() {
        let Holds::Changes(changes) = &ongoing.holds else { continue };
        let (source, seat, stamp) = (ongoing.source, ongoing.seat, ongoing.stamp);
        found.extend((0..changes.len()).map(|at| Effect { source, seat, stamp, text: Text::Ongoing(i), at }));
    }
    found
}

/// Which effect comes next: the earliest that depends on none of the others, else the earliest. What it applies to,
/// if that had to be made out.
fn next(
    d: &Duel,
    view: &View,
    effects: &[Effect],
    layering: &Layering,
    reached: &mut Vec<&'static super::Cite>,
) -> (usize, Option<Content>) {
    let Some(cite) = layering.dependency else { return (0, None) };
    if effects.len() < 2 {
        return (0, None);
    }
    let rank = |e: &Effect| layering.own_first.is_some() && e.is_own(&d.t);
    let first_rank = rank(&effects[0]);
    let mut candidates: Vec<usize> = (0..effects.len()).filter(|i| rank(&effects[*i]) == first_rank).collect();
    if let Some((reading, dependency_first)) = layering.own_or_dependency.filter(|_| candidates.len() < effects.len()) {
        reached.push(reading);
        if dependency_first {
            candidates = (0..effects.len()).collect();
        }
    }
    for &a in &candidates {
        let effect = &effects[a];
        if matches!(effect.set(&d.t), Set::Locked(_)) && effect.cond().is_none() && fixed(effect.change(&d.t)) {
            if a != candidates[0] {
                reached.push(cite);
            }
            return (a, None);
        }
        let before = content(&d.t, d.book, view, effect);
        let depends = candidates.iter().any(|&b| a != b && depends(d, view, effect, &before, &effects[b]));
        if !depends {
            if a != candidates[0] {
                reached.push(cite);
            }
            return (a, Some(before));
        }
    }
    (0, None)
}

/// Applying `b` would change whether, on what or how much `a` applies.
fn depends(d: &Duel, view: &View, a: &Effect, before: &Content, b: &Effect) -> bool {
    if takes_text(b.change(&d.t)) && matches!(a.text, Text::Ability(_)) {
        let mut after = view.clone();
        let taken = content(&d.t, d.book, &after, b);
        apply(&d.t, d.book, &mut after, b, taken);
        if !a.stands(&after) {
            return true;
        }
    }
    // What `a` did not look at makes no difference to it.
    if before.read & writes(d.book.schema(), b.change(&d.t)) == 0 {
        return false;
    }
    let mut after = view.clone();
    let content_of_b = content(&d.t, d.book, &after, b);
    apply(&d.t, d.book, &mut after, b, content_of_b);
    let after = content(&d.t, d.book, &after, a);
    // What is made out of the very number it changes goes on from there: that is no other content.
    let goes_on = matches!(a.change(&d.t), Change::Add(name, v) | Change::Set(name, v) if v.made_of_its(*name));
    let ids = |c: &Content| -> Vec<(CardId, u32)> { c.copied.iter().map(|(card, a)| (*card, a.id)).collect() };
    (&after.cards, after.value) != (&before.cards, before.value)
        || ids(&after) != ids(before)
        || !goes_on && after.each != before.each
}

/// What a change changes, in the terms of what eyes read.
fn writes(schema: &Schema, change: &Change) -> u64 {
    match change {
        Change::Join(name, _) | Change::Become(name, _) if *name == NAME => {
            let along = schema.customs.renames.and_then(|(name, _)| schema.data(name));
            read::NAME | along.map_or(0, |(at, _)| read::datum(at))
        }
        Change::Add(name, _)
        | Change::Down(name, ..)
        | Change::Set(name, _)
        | Change::Base(name, _)
        | Change::Join(name, _)
        | Change::Become(name, _)
        | Change::Cost(name, ..)
        | Change::Price(name, _) => {
            let paid = schema.customs.paid.filter(|(read, _)| name == read).map(|(_, paid)| paid);
            let names = std::iter::once(name.as_str()).chain(paid);
            names.filter_map(|name| schema.data(name)).fold(0, |all, (at, _)| all | read::datum(at))
        }
        Change::Gain(_) | Change::Copy(_) | Change::Lose(_) | Change::LoseText(_) => read::ABILITIES,
        Change::Control(_) => read::CONTROLLER,
        Change::Read(..) => read::READING,
        Change::Bear(data) => data.keys().filter_map(|k| schema.data(k)).fold(0, |all, (at, _)| all | read::datum(at)),
        Change::Under(_) => read::ABILITIES | read::MARKS,
        Change::Forbid(_)
        | Change::Immune(_)
        | Change::PlayFrom(_)
        | Change::Enter(_)
        | Change::Limit(..)
        | Change::Oblige(_)
        | Change::Player(..) => 0,
    }
}

fn fixed(change: &Change) -> bool {
    !matches!(change, Change::Add(_, v) | Change::Down(_, v, _) | Change::Set(_, v) | Change::Base(_, v) | Change::Cost(_, _, v) if !matches!(v, Value::Number(_)))
}

/// What an effect applies to, how much, and what it looked at to know.
struct Content {
    cards: Vec<Ref>,
    value: Option<i32>,
    /// The number of each card, where every card has its own.
    each: Vec<Option<i32>>,
    /// The abilities of other cards that it gives, and whose they are.
    copied: Vec<(CardId, Arc<Ability>)>,
    read: u64,
}

fn content(t: &Table, book: &dyn Rulebook, view: &View, effect: &Effect) -> Content {
    let memory = Memory::default();
    let eyes = Eyes { t, view, book, memory: &memory };
    let ctx = effect.ctx(t);
    let number = effect.change(t).value();
    let own = number.is_some_and(Value::is_for_each);
    let value = number.filter(|_| !own).and_then(|v| eyes.value(&ctx, v));
    let cards = affected(&eyes, &ctx, effect);
    let of = |card: &Ref| {
        let mut slots = ctx.slots.clone();
        slots.set(IT, vec![super::table::Thing::Card(*card)]);
        number.and_then(|v| eyes.value(&Ctx { slots: &slots, ..ctx }, v))
    };
    let each = if own { cards.iter().map(of).collect() } else { Vec::new() };
    let copied = match effect.change(t) {
        Change::Copy(copied) => {
            memory.reads(read::ABILITIES);
            let found = eyes.select(&ctx, &copied.cards);
            let of = |a: &&Arc<Ability>| a.meant_by.is_none() && book.kind_of(a) == Some(copied.kind);
            let mut texts = Vec::new();
            for id in found.into_iter().map(|r| r.id) {
                texts.extend(view.cards[id.0 as usize].abilities.iter().filter(of).map(|a| (id, a.clone())));
            }
            texts
        }
        _ => Vec::new(),
    };
    let read = memory.read.get();
    view.noted.set(view.noted.get() | memory.noted.get());
    view.read.set(view.read.get() | read);
    Content { cards, value, each, copied, read }
}

/// The change adds words that stay with the card.
fn follows(schema: &Schema, change: &Change, narrow: bool) -> bool {
    let (Change::Join(name, word), Some((datum, _))) = (change, schema.customs.follows) else { return false };
    let only = schema.customs.follow.filter(|_| narrow);
    *name == datum && only.is_none_or(|(_, words)| words.contains(&word.as_str()))
}

/// An effect goes on, but not on a card that it could not meet now; what makes the card so is not undone by it.
fn left_off(eyes: &Eyes, effect: &Effect, card: Ref) -> bool {
    eyes.view.without & LEAVES_OFF != 0
        && !matches!(effect.change(eyes.t), Change::Under(_))
        && effect.source.is_some_and(|source| source != card)
        && eyes.book.schema().leaves_out(eyes.seen(card.id), &Filter::default()).is_some()
}

fn affected(eyes: &Eyes, ctx: &Ctx, effect: &Effect) -> Vec<Ref> {
    if let Some(cond) = effect.cond()
        && !eyes.holds(ctx, cond)
    {
        return Vec::new();
    }
    let mut cards: Vec<Ref> = match effect.set(eyes.t) {
        Set::Own => effect.source.into_iter().collect(),
        Set::Locked(cards)
            if eyes.view.follows && follows(eyes.book.schema(), effect.change(eyes.t), eyes.view.narrow) =>
        {
            if cards.iter().any(|r| !eyes.t.is_now(*r)) {
                eyes.memory.note_gloss(Gloss::Follows);
            }
            cards.iter().map(|r| eyes.t.now(r.id)).collect()
        }
        Set::Locked(cards) => {
            cards.iter().copied().filter(|r| eyes.is_there(*r) && !left_off(eyes, effect, *r)).collect()
        }
        Set::Open(filter) => {
            let mut found = eyes.select(ctx, filter);
            if eyes.view.without & MEETS_ALL == 0 {
                found.retain(|r| eyes.book.schema().leaves_out(eyes.seen(r.id), filter).is_none());
            }
            found
        }
    };
    // An effect with a bound does not meet cards that came after its date.
    let bound = eyes.book.schema().customs.bounded_by;
    if let (Text::Ongoing(i), Some(slot)) = (&effect.text, bound)
        && eyes.t.ongoing[*i].slots.number(&slot).is_some()
    {
        cards.retain(|r| eyes.t.obj(r.id).since <= effect.stamp);
    }
    cards
}

fn apply(t: &Table, book: &dyn Rulebook, view: &mut View, effect: &Effect, content: Content) {
    let change = effect.change(t);
    if matches!(change, Change::Base(..)) {
        view.noted.set(view.noted.get() | Memory::gloss(Gloss::Base));
    }
    let general = match change {
        Change::Forbid(pattern) => pattern.who.is_some() || pattern.card.is_some(),
        Change::Limit(..) | Change::Player(..) | Change::Oblige(_) => true,
        _ => false,
    };
    if general {
        let memory = Memory::default();
        let eyes = Eyes { t, view, book, memory: &memory };
        let holds = effect.cond().is_none_or(|c| eyes.holds(&effect.ctx(t), c));
        if holds {
            view.rules.push(standing(t, effect, None));
        }
        return;
    }
    let schema = book.schema();
    view.written |= writes(schema, change);
    for (nth, card) in content.cards.into_iter().enumerate() {
        let value = content.each.get(nth).copied().unwrap_or(content.value);
        if view.guard.iter().any(Option::is_some)
            && let Some(which) = guarded_by(t, book, view, effect, card)
        {
            view.guarded[which] = true;
            continue;
        }
        if view.cannot && is_kept(t, book, view, effect, card, value) {
            view.kept = true;
            continue;
        }
        match change {
            Change::Forbid(_) | Change::Immune(_) | Change::PlayFrom(_) | Change::Enter(_) | Change::Read(..) => {
                view.rules.push(standing(t, effect, Some(card.id)));
            }
            Change::Under(condition) => {
                view.rules.push(standing(t, effect, Some(card.id)));
                if view.mutes.is_some_and(|mutes| *condition == mutes) {
                    let seen = Arc::make_mut(&mut view.cards[card.id.0 as usize]);
                    (seen.muted, seen.kinds) = (true, Kinds::default());
                }
            }
            Change::Copy(_) => {
                let seen = Arc::make_mut(&mut view.cards[card.id.0 as usize]);
                let before = seen.abilities.len();
                // A card does not give itself what it has.
                for (from, ability) in content.copied.iter().filter(|(from, _)| *from != card.id) {
                    spread(ability, None, copied_id(*from, ability.id), book, &mut seen.abilities);
                }
                seen.kinds = if seen.muted { Kinds::default() } else { Kinds::of(&seen.abilities) };
                let new: Vec<u32> = seen.abilities[before..].iter().map(|a| a.id).collect();
                view.given.extend(new.iter().map(|id| (card.id, *id, effect.stamp)));
                view.copied.extend(new.into_iter().map(|id| (card.id, id)));
                view.has_gained(card.id);
            }
            Change::Become(name, words) if view.keeps => {
                let seen = Arc::make_mut(&mut view.cards[card.id.0 as usize]);
                for word in words {
                    change_seen(schema, book, seen, &Change::Join(*name, *word), value, effect);
                }
            }
            change => {
                change_card(schema, book, view, card, change, value, effect);
                if let Some(paid) = paid(schema, change) {
                    change_card(schema, book, view, card, &paid, value, effect);
                }
            }
        }
    }
}

/// One card is changed, and what is to be told of it noted.
fn change_card(
    schema: &Schema,
    book: &dyn Rulebook,
    view: &mut View,
    card: Ref,
    change: &Change,
    value: Option<i32>,
    effect: &Effect,
) {
    let seen = Arc::make_mut(&mut view.cards[card.id.0 as usize]);
    if let Change::Add(name, _) = change
        && let Some(Data::Number(n)) = schema.data(name).map(|(at, _)| &mut seen.data[at])
        && *n < 0
    {
        view.below = true;
        *n = if view.floor { 0 } else { *n };
    }
    if let Change::Cost(name, symbol, _) = change
        && !schema.customs.apart_prices
        && let Some(Data::Price(price)) = schema.data(name).map(|(at, _)| &mut seen.data[at])
        && let Some((_, Quantity::Number(n))) = price.0.iter_mut().find(|(s, _)| s == symbol)
        && *n < 0
    {
        *n = if view.floor { 0 } else { *n };
    }
    view.became |= matches!(change, Change::Become(..));
    let before = seen.abilities.len();
    change_seen(schema, book, seen, change, value, effect);
    if let (Change::Become(name, words), Some(at)) = (change, view.renames)
        && *name == NAME
        && seen.data[at] != Data::None
    {
        seen.data[at] = Data::Words(words.clone().into());
        view.renamed = true;
    }
    if let Change::Add(name, _) | Change::Cost(name, ..) = change
        && let Some((at, _)) = schema.data(name)
    {
        view.below |= match &seen.data[at] {
            Data::Number(n) => *n < 0,
            Data::Price(price) => price.0.iter().any(|(_, q)| matches!(q, Quantity::Number(n) if *n < 0)),
            _ => false,
        };
    }
    if matches!(change, Change::Join(name, _) | Change::Become(name, _) if *name == schema.words.class) {
        book.became(seen);
        if seen.abilities.len() > before {
            view.has_gained(card.id);
        }
    } else if matches!(change, Change::Gain(_)) {
        view.given.extend(seen.abilities[before..].iter().map(|a| (card.id, a.id, effect.stamp)));
        view.has_gained(card.id);
    }
}

/// What changes the price that texts read changes what is paid.
fn paid(schema: &Schema, change: &Change) -> Option<Change> {
    let (read, paid) = schema.customs.paid?;
    match change {
        Change::Cost(name, symbol, by) if *name == read => Some(Change::Cost(Word(paid), *symbol, by.clone())),
        Change::Price(name, price) if *name == read => Some(Change::Price(Word(paid), price.clone())),
        _ => None,
    }
}

fn standing(t: &Table, effect: &Effect, on: Option<CardId>) -> Standing {
    Standing {
        change: effect.change(t).clone(),
        source: effect.source,
        seat: effect.seat,
        slots: effect.slots(t).clone(),
        on,
        stamp: effect.stamp,
    }
}

fn change_seen(
    schema: &Schema,
    book: &dyn Rulebook,
    seen: &mut Seen,
    change: &Change,
    value: Option<i32>,
    effect: &Effect,
) {
    let at = |name: &Word| schema.data(name).map(|(at, _)| at);
    match change {
        Change::Join(name, word) if *name == NAME => {
            if !seen.names.contains(word) {
                seen.names.push(*word);
            }
        }
        Change::Become(name, words) if *name == NAME => seen.names = words.clone().into(),
        // A card without the datum ignores what would change it.
        Change::Add(name, _) => {
            if let Some(Data::Number(n)) = at(name).map(|i| &mut seen.data[i]) {
                // What is taken off ∞ leaves ∞.
                *n = super::eyes::plus(*n, value.unwrap_or(0));
            }
        }
        Change::Down(name, _, least) => {
            let by = value.unwrap_or(0).max(0);
            let lower = |n: i32| if n == ENDLESS { n } else { n.saturating_sub(by).max(n.min(*least)) };
            let now = at(name).and_then(|i| seen.number(i)).unwrap_or(0);
            match at(name).map(|i| &mut seen.data[i]) {
                Some(Data::Number(n)) => *n = lower(*n),
                Some(Data::Price(price)) => add_symbol(price, Word("無色"), lower(now) - now),
                _ => {}
            }
        }
        Change::Set(name, _) | Change::Base(name, _) => {
            match at(name).map(|i| &mut seen.data[i]) {
                Some(Data::Number(n)) => *n = value.unwrap_or(0),
                Some(none @ Data::None) if schema.customs.sets_missing => *none = Data::Number(value.unwrap_or(0)),
                _ => {}
            }
            let base = schema.words.bases.iter().find(|(_, of)| *name == *of && matches!(change, Change::Base(..)));
            if let Some((base, _)) = base
                && let Some(Data::Number(n)) = schema.data(base).map(|(at, _)| &mut seen.data[at])
            {
                *n = value.unwrap_or(0);
            }
        }
        Change::Join(name, word) => match at(name).map(|i| &mut seen.data[i]) {
            Some(Data::Words(words)) if !words.contains(word) => words.push(*word),
            Some(none @ Data::None) => *none = Data::Words(vec![*word].into()),
            _ => {}
        },
        Change::Become(name, new) => {
            if let Some(datum) = at(name).map(|i| &mut seen.data[i])
                && *datum != Data::None
            {
                *datum = Data::Words(new.clone().into());
            }
        }
        Change::Gain(ability) => {
            spread(ability, None, given_id(effect), book, &mut seen.abilities);
            seen.kinds = if seen.muted { Kinds::default() } else { Kinds::of(&seen.abilities) };
        }
        Change::Lose(keyword) => {
            seen.abilities.retain(|a| {
                a.keyword.as_ref().is_none_or(|k| k.name != *keyword)
                    && a.meant_by != Some(*keyword)
                    && a.name != Some(*keyword)
            });
            seen.kinds = if seen.muted { Kinds::default() } else { Kinds::of(&seen.abilities) };
        }
        Change::LoseText(_) => {
            seen.abilities.clear();
            seen.kinds = Kinds::default();
        }
        Change::Control(who) => {
            seen.controller = if *who == "相手" { effect.seat.other() } else { effect.seat };
        }
        Change::Cost(name, symbol, _) => {
            if let Some(Data::Price(price)) = at(name).map(|i| &mut seen.data[i]) {
                let by = value.unwrap_or(0);
                let same = |(s, q): &(Word, Quantity)| {
                    *s == *symbol && matches!(q, Quantity::Number(n) if n.signum() == by.signum())
                };
                if schema.customs.apart_prices && !price.0.iter().any(same) {
                    price.0.push((*symbol, Quantity::Number(by)));
                } else if schema.customs.apart_prices {
                    let one = price.0.iter_mut().find(|part| same(part));
                    if let Some((_, Quantity::Number(n))) = one {
                        *n = n.saturating_add(by);
                    }
                } else {
                    add_symbol(price, *symbol, by);
                }
            }
        }
        Change::Price(name, new) => {
            if let Some(datum) = at(name).map(|i| &mut seen.data[i]) {
                *datum = Data::Price(new.clone());
            }
        }
        Change::Bear(data) => {
            for (name, datum) in data {
                match (datum, at(name).map(|i| &mut seen.data[i])) {
                    (Datum::Number(n), Some(none @ Data::None)) => *none = Data::Number(*n),
                    (Datum::Words(more), Some(none @ Data::None)) => *none = Data::Words(more.clone().into()),
                    (Datum::Words(more), Some(Data::Words(words))) => {
                        for word in more.iter().filter(|w| !words.contains(w)).copied().collect::<Vec<_>>() {
                            words.push(word);
                        }
                    }
                    _ => {}
                }
            }
        }
        Change::Forbid(_)
        | Change::Copy(_)
        | Change::Under(_)
        | Change::Oblige(_)
        | Change::Player(..)
        | Change::Immune(_)
        | Change::PlayFrom(_)
        | Change::Enter(_)
        | Change::Read(..)
        | Change::Limit(..) => {}
    }
}

/// A price may fall below nothing: it counts as nothing, but is counted on from there.
pub fn add_symbol(price: &mut Price, symbol: Word, by: i32) {
    match price.0.iter_mut().find(|(s, q)| *s == symbol && matches!(q, Quantity::Number(_))) {
        Some((_, Quantity::Number(n))) => *n = n.saturating_add(by),
        _ => price.0.push((symbol, Quantity::Number(by))),
    }
}
