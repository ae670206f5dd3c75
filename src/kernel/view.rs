//! How cards look under all effects: printed values, changed layer by layer.
//!
//! Printed values live in [`Def`] and are seen by nobody but this module.

use std::sync::Arc;

use super::book::{Layering, Point, Rulebook};
use super::duel::Duel;
use super::eyes::{Ctx, Eyes, Memory};
use super::schema::Schema;
use super::table::{CardId, Holds, Ref, Seat, Slots, Table};
use crate::card::{Ability, Card, Change, Cond, DataKind, Datum, Filter, Kind, Price, Quantity, Word};

/// The value of a datum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Data {
    /// The card has no such datum.
    None,
    Number(i32),
    Words(Vec<Word>),
    Price(Price),
}

/// A card as it is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub name: Word,
    pub data: Vec<Data>,
    /// Also what keywords mean.
    pub abilities: Vec<Arc<Ability>>,
    pub controller: Seat,
    /// Which kinds of abilities there are: looked at far more often than the abilities.
    pub kinds: Kinds,
}

/// Which kinds of abilities a card has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    pub statics: bool,
    pub triggers: bool,
    pub replaces: bool,
    pub activated: bool,
}

impl Kinds {
    fn of(abilities: &[Arc<Ability>]) -> Kinds {
        Kinds {
            statics: abilities.iter().any(|a| a.kind == Kind::Static && !a.grant.is_empty()),
            triggers: abilities.iter().any(|a| a.kind == Kind::Triggered),
            replaces: abilities.iter().any(|a| a.instead.is_some()),
            activated: abilities.iter().any(|a| a.kind == Kind::Activated),
        }
    }
}

impl Eq for Seen {}
impl std::hash::Hash for Seen {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.name, &self.data, self.controller).hash(state);
    }
}

impl Seen {
    pub fn number(&self, at: usize) -> Option<i32> {
        match &self.data[at] {
            Data::Number(n) => Some(*n),
            // Asked for as a number, a price is the sum of its symbols.
            Data::Price(price) => {
                Some(price.0.iter().map(|(_, q)| if let Quantity::Number(n) = q { *n } else { 0 }).sum())
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
    printed: Arc<Seen>,
}

impl Def {
    pub fn new(card: Arc<Card>, book: &dyn Rulebook) -> Def {
        let schema = book.schema();
        let data = schema.words.data.iter().map(|(name, kind)| printed(&card, name, *kind)).collect();
        let mut abilities = Vec::new();
        for ability in &card.abilities {
            spread(ability, book, &mut abilities);
        }
        let kinds = Kinds::of(&abilities);
        let mut seen = Seen { name: card.name, data, abilities, controller: Seat(0), kinds };
        book.derive(&mut seen);
        Def { card, printed: Arc::new(seen) }
    }

    /// The name does not change in any game we know.
    pub fn name(&self) -> Word {
        self.printed.name
    }
}

fn printed(card: &Card, name: &str, kind: DataKind) -> Data {
    let datum = card.data.iter().find(|(n, _)| **n == name).map(|(_, d)| d);
    match (datum, kind) {
        (None, _) => Data::None,
        (Some(Datum::Number(n)), DataKind::Number) => Data::Number(*n),
        (Some(Datum::Words(words)), DataKind::Words) => Data::Words(words.clone()),
        (Some(Datum::Words(words)), DataKind::Price) => match words.first().and_then(|w| Price::read(w)) {
            Some(price) => Data::Price(price),
            None => Data::None,
        },
        _ => Data::None,
    }
}

/// An ability and what its keyword means.
fn spread(ability: &Ability, book: &dyn Rulebook, out: &mut Vec<Arc<Ability>>) {
    out.push(Arc::new(ability.clone()));
    if let Some(keyword) = &ability.keyword {
        for mut meant in book.keyword(keyword) {
            if meant.from.is_empty() {
                meant.from.clone_from(&ability.from);
            }
            spread(&meant, book, out);
        }
    }
}

/// A rule that an effect lays on a card or a player: it is no datum.
#[derive(Clone, Debug)]
pub struct Standing {
    pub change: Change,
    pub source: Option<Ref>,
    pub seat: Seat,
    pub slots: Slots,
    /// The card it lies on.
    pub on: Option<CardId>,
}

/// All cards as they are seen.
#[derive(Clone, Debug)]
pub struct View {
    pub cards: Vec<Arc<Seen>>,
    pub rules: Vec<Standing>,
    /// The fronts of cards that lie face down where the game says so do not count.
    pub blind: bool,
    /// Numbers below zero are changed from zero, which no document says.
    floor: bool,
    /// Words that become others are kept beside them, which no document says either.
    keeps: bool,
    /// A number below zero was changed, words were replaced.
    below: bool,
    became: bool,
    /// What was noted while looking.
    noted: std::cell::Cell<u64>,
}

/// An effect to be applied.
#[derive(Clone)]
struct Effect {
    source: Option<Ref>,
    seat: Seat,
    stamp: u32,
    change: Change,
    slots: Slots,
    cond: Option<Cond>,
    set: Set,
}

#[derive(Clone)]
enum Set {
    Own,
    Locked(Vec<Ref>),
    Open(Arc<Filter>),
}

/// Looks at the table.
pub fn view(d: &mut Duel) -> View {
    let book = d.book;
    let layering = book.layering(d);
    let mut view = View {
        cards: base(d),
        rules: Vec::new(),
        blind: book.blind(d),
        floor: !d.is_decided(Point::BelowZero),
        keeps: !d.is_decided(Point::Becomes),
        below: false,
        became: false,
        noted: Default::default(),
    };
    let mut effects = gather(d, &view);
    if !d.is_decided(Point::ReadsAs) {
        effects.retain(|e| !matches!(e.change, Change::Read(..)));
    }
    if effects.is_empty() {
        return view;
    }
    let mut reached = Vec::new();
    // Without layers, all effects are of one kind.
    let kind = |e: &Effect| if layering.layers.is_some() { book.layer(&e.change) } else { 0 };
    let mut kinds: Vec<u8> = effects.iter().map(kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.len() > 1 {
        reached.extend(layering.layers);
    }
    let mut layer = 0;
    while layer < book.layers() {
        let of_kind: Vec<Effect> = effects.iter().filter(|e| kind(e) == layer).cloned().collect();
        let text = of_kind
            .iter()
            .any(|e| matches!(e.change, Change::Gain(_) | Change::Lose(_) | Change::LoseText(_) | Change::Control(_)));
        apply_layer(d, &mut view, of_kind, &layering, &mut reached);
        if text {
            // Abilities that were gained or lost, and whose they are now, count from the next layer on.
            effects = gather(d, &view);
        }
        layer += 1;
    }
    for cite in reached {
        d.trace.reach(cite);
    }
    if view.below {
        d.decides(Point::BelowZero);
    }
    if view.became {
        d.decides(Point::Becomes);
    }
    let memory = Memory { noted: view.noted.clone(), ..Memory::default() };
    d.noted(&memory);
    view
}

fn apply_layer(
    d: &Duel,
    view: &mut View,
    mut effects: Vec<Effect>,
    layering: &Layering,
    reached: &mut Vec<&'static super::Cite>,
) {
    effects.sort_by_key(|e| {
        let own = layering.own_first.is_some() && is_own(e);
        let late = layering.active_first.is_some() && e.seat != d.t.active;
        (!own, if layering.stamps.is_some() { e.stamp } else { u32::MAX - e.stamp }, late)
    });
    if effects.len() > 1 {
        reached.extend(layering.stamps);
    }
    if effects.len() > 1 && effects.iter().any(is_own) && !effects.iter().all(is_own) {
        reached.extend(layering.own_first);
    }
    while !effects.is_empty() {
        let at = next(d, view, &effects, layering, reached);
        let effect = effects.remove(at);
        apply(&d.t, d.book, view, &effect);
    }
}

fn base(d: &Duel) -> Vec<Arc<Seen>> {
    let seen = |card: &super::table::Obj| {
        let printed = &d.given.defs[card.def as usize].printed;
        if printed.controller == card.controller {
            return printed.clone();
        }
        d.given.turned_over[card.def as usize].clone()
    };
    d.t.cards.iter().map(seen).collect()
}

/// The printed cards as the other seat's, made once.
pub fn turned_over(defs: &[Arc<Def>]) -> Vec<Arc<Seen>> {
    defs.iter().map(|def| Arc::new(Seen { controller: Seat(1), ..(*def.printed).clone() })).collect()
}

fn is_own(effect: &Effect) -> bool {
    match &effect.set {
        Set::Own => true,
        Set::Locked(cards) => cards.len() == 1 && effect.source == Some(cards[0]),
        Set::Open(_) => false,
    }
}

/// The effects that are in force now.
fn gather(d: &mut Duel, view: &View) -> Vec<Effect> {
    let mut found = Vec::new();
    for id in d.t.ids() {
        let seen = &view.cards[id.0 as usize];
        if !seen.kinds.statics {
            continue;
        }
        let (zone, face_up, since) = (d.t.obj(id).zone, d.t.obj(id).face_up, d.t.obj(id).since);
        for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Static && !a.grant.is_empty()) {
            if !d.works(seen, zone, face_up, ability) {
                continue;
            }
            d.reach_clauses(ability);
            d.decides(if ability.affects.is_some() { Point::LastsOpen } else { Point::Lasts });
            let set = ability.affects.as_ref().map_or(Set::Own, |f| Set::Open(Arc::new(f.clone())));
            for change in &ability.grant {
                found.push(Effect {
                    source: Some(d.t.now(id)),
                    seat: seen.controller,
                    stamp: since,
                    change: change.clone(),
                    slots: Slots::default(),
                    cond: ability.cond.clone(),
                    set: set.clone(),
                });
            }
        }
    }
    for ongoing in &d.t.ongoing {
        let Holds::Changes(changes) = &ongoing.holds else { continue };
        for change in changes.iter() {
            let set = match (&ongoing.locked, &ongoing.filter) {
                (Some(cards), _) => Set::Locked(cards.clone()),
                (None, Some(filter)) => Set::Open(filter.clone()),
                (None, None) => Set::Locked(Vec::new()),
            };
            found.push(Effect {
                source: ongoing.source,
                seat: ongoing.seat,
                stamp: ongoing.stamp,
                change: change.clone(),
                slots: ongoing.slots.clone(),
                cond: None,
                set,
            });
        }
    }
    found
}

/// Which effect comes next: the earliest that depends on none of the others, else the earliest.
fn next(
    d: &Duel,
    view: &View,
    effects: &[Effect],
    layering: &Layering,
    reached: &mut Vec<&'static super::Cite>,
) -> usize {
    let Some(cite) = layering.dependency else { return 0 };
    if effects.len() < 2 {
        return 0;
    }
    let first_rank = is_own(&effects[0]) && layering.own_first.is_some();
    let rank = |e: &Effect| is_own(e) && layering.own_first.is_some();
    let candidates: Vec<usize> = (0..effects.len()).filter(|i| rank(&effects[*i]) == first_rank).collect();
    for &a in &candidates {
        let depends = candidates.iter().any(|&b| a != b && depends(d, view, &effects[a], &effects[b]));
        if !depends {
            if a != candidates[0] {
                reached.push(cite);
            }
            return a;
        }
    }
    0
}

/// Applying `b` would change whether, on what or how much `a` applies.
fn depends(d: &Duel, view: &View, a: &Effect, b: &Effect) -> bool {
    if matches!(a.set, Set::Locked(_)) && a.cond.is_none() && fixed(&a.change) {
        return false;
    }
    let before = content(&d.t, d.book, view, a);
    let mut after = view.clone();
    apply(&d.t, d.book, &mut after, b);
    content(&d.t, d.book, &after, a) != before
}

fn fixed(change: &Change) -> bool {
    !matches!(change, Change::Add(_, v) | Change::Set(_, v) | Change::Cost(_, _, v) if !matches!(v, crate::card::Value::Number(_)))
}

fn content(t: &Table, book: &dyn Rulebook, view: &View, effect: &Effect) -> (Vec<Ref>, Option<i32>) {
    let memory = Memory::default();
    let eyes = Eyes { t, view, book, memory: &memory };
    let ctx = Ctx { this: effect.source, seat: effect.seat, slots: &effect.slots, event: None };
    let value = match &effect.change {
        Change::Add(_, v) | Change::Set(_, v) | Change::Cost(_, _, v) => eyes.value(&ctx, v),
        _ => None,
    };
    let content = (affected(&eyes, &ctx, effect), value);
    view.noted.set(view.noted.get() | memory.noted.get());
    content
}

fn affected(eyes: &Eyes, ctx: &Ctx, effect: &Effect) -> Vec<Ref> {
    if let Some(cond) = &effect.cond
        && !eyes.holds(ctx, cond)
    {
        return Vec::new();
    }
    match &effect.set {
        Set::Own => effect.source.into_iter().collect(),
        Set::Locked(cards) => cards.iter().copied().filter(|r| eyes.t.is_now(*r)).collect(),
        Set::Open(filter) => eyes.select(ctx, filter),
    }
}

fn apply(t: &Table, book: &dyn Rulebook, view: &mut View, effect: &Effect) {
    let ctx = Ctx { this: effect.source, seat: effect.seat, slots: &effect.slots, event: None };
    let (cards, value) = content(t, book, view, effect);
    let general = match &effect.change {
        Change::Forbid(pattern) => pattern.who.is_some() || pattern.card.is_some(),
        Change::Limit(..) => true,
        _ => false,
    };
    if general {
        let memory = Memory::default();
        let eyes = Eyes { t, view, book, memory: &memory };
        if effect.cond.as_ref().is_none_or(|c| eyes.holds(&ctx, c)) {
            view.rules.push(standing(effect, None));
        }
        return;
    }
    let schema = book.schema();
    for card in cards {
        match &effect.change {
            Change::Forbid(_) | Change::Immune(_) | Change::PlayFrom(_) | Change::Enter(_) | Change::Read(..) => {
                view.rules.push(standing(effect, Some(card.id)));
            }
            Change::Become(name, words) if view.keeps => {
                let seen = Arc::make_mut(&mut view.cards[card.id.0 as usize]);
                for word in words {
                    change_seen(schema, book, seen, &Change::Join(*name, *word), value, effect.seat);
                }
            }
            change => {
                let seen = Arc::make_mut(&mut view.cards[card.id.0 as usize]);
                if let Change::Add(name, _) = change
                    && let Some(Data::Number(n)) = schema.data(name).map(|(at, _)| &mut seen.data[at])
                    && *n < 0
                {
                    view.below = true;
                    *n = if view.floor { 0 } else { *n };
                }
                view.became |= matches!(change, Change::Become(..));
                change_seen(schema, book, seen, change, value, effect.seat);
            }
        }
    }
}

fn standing(effect: &Effect, on: Option<CardId>) -> Standing {
    Standing {
        change: effect.change.clone(),
        source: effect.source,
        seat: effect.seat,
        slots: effect.slots.clone(),
        on,
    }
}

fn change_seen(schema: &Schema, book: &dyn Rulebook, seen: &mut Seen, change: &Change, value: Option<i32>, seat: Seat) {
    let at = |name: &Word| schema.data(name).map(|(at, _)| at);
    match change {
        // A card without the datum ignores what would change it.
        Change::Add(name, _) => {
            if let Some(Data::Number(n)) = at(name).map(|i| &mut seen.data[i]) {
                *n = n.saturating_add(value.unwrap_or(0));
            }
        }
        Change::Set(name, _) => {
            if let Some(Data::Number(n)) = at(name).map(|i| &mut seen.data[i]) {
                *n = value.unwrap_or(0);
            }
        }
        Change::Join(name, word) => match at(name).map(|i| &mut seen.data[i]) {
            Some(Data::Words(words)) if !words.contains(word) => words.push(*word),
            Some(none @ Data::None) => *none = Data::Words(vec![*word]),
            _ => {}
        },
        Change::Become(name, new) => {
            if let Some(datum) = at(name).map(|i| &mut seen.data[i])
                && *datum != Data::None
            {
                *datum = Data::Words(new.clone());
            }
        }
        Change::Gain(ability) => {
            spread(ability, book, &mut seen.abilities);
            seen.kinds = Kinds::of(&seen.abilities);
        }
        Change::Lose(keyword) => {
            seen.abilities.retain(|a| a.keyword.as_ref().is_none_or(|k| k.name != *keyword));
            seen.kinds = Kinds::of(&seen.abilities);
        }
        Change::LoseText(_) => {
            seen.abilities.clear();
            seen.kinds = Kinds::default();
        }
        Change::Control(who) => {
            seen.controller = if *who == "相手" { seat.other() } else { seat };
        }
        Change::Cost(name, symbol, _) => {
            if let Some(Data::Price(price)) = at(name).map(|i| &mut seen.data[i]) {
                add_symbol(price, *symbol, value.unwrap_or(0));
            }
        }
        Change::Price(name, new) => {
            if let Some(datum) = at(name).map(|i| &mut seen.data[i]) {
                *datum = Data::Price(new.clone());
            }
        }
        Change::Forbid(_)
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
        Some((_, Quantity::Number(n))) => *n += by,
        _ => price.0.push((symbol, Quantity::Number(by))),
    }
}
