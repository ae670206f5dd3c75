//! 901, 902, 904.2, 906.5, 1012: where a text works, which side of a move is read, what may not be found.

use std::sync::Arc;

use super::schema::{ATTRIBUTE, CHARGE, COST, KIND, RACE, schema};
use super::zones::{CHASE, Own, in_play, inside, is, is_kind, is_token};
use crate::card::{Ability, Change, Filter, Kind, Pattern, Step, Word};
use crate::kernel::view::Data;
use crate::kernel::{Cite, Duel, Event, Ref, Seat, Seen, Side, Sight, What, ZoneId};

/// 902.1a: on the battlefield; 902.2: where alone it means something; 904.2: what defines the card itself, everywhere.
pub fn works(seen: &Seen, zone: ZoneId, _: bool, ability: &Ability) -> bool {
    if ability.clauses.contains(&"907.6") {
        // What is no 魔法少女 any more does not have it.
        return in_play(zone) && is_kind(seen, "魔法少女");
    }
    if ability.clauses.contains(&"1111.2") {
        // 1111.2a: what a 詠唱 has by it is settled when it is activated.
        return zone != CHASE;
    }
    if goes_from_elsewhere(ability) {
        return true;
    }
    if is_thrown_away(ability) {
        return is(zone, Own::Hand);
    }
    if !ability.from.is_empty() {
        return ability.from.iter().any(|place| inside(zone, *place));
    }
    // 902.2: what its own card asks for when it is activated means something where it is activated.
    if ability.affects.is_none() && ability.timing.is_some_and(|t| t == super::schema::ON_ACTIVATION) {
        return is(zone, Own::Hand) || zone == CHASE;
    }
    let own = ability.affects.is_none() && !ability.grant.is_empty();
    if own && ability.cond.is_none() && ability.grant.iter().all(defines) {
        return true;
    }
    if own && ability.grant.iter().all(about_activating) {
        return is(zone, Own::Hand) || zone == CHASE;
    }
    in_play(zone)
}

/// 902.2: it speaks only of its own card's going from where it is not in play, and so has a meaning there.
fn goes_from_elsewhere(ability: &Ability) -> bool {
    let this = |f: &Filter| f.reference.is_some_and(|word| word == "this");
    let elsewhere = |p: &Pattern| {
        let in_play = |place: &Word| ["戦場", "怪異ゾーン", "魔法少女ゾーン", "ストック"].iter().any(|w| place == w);
        let from = !p.from.is_empty() && !p.from.iter().any(in_play);
        from || ["捨てる", "穢す", "引く"].iter().any(|done| p.event == *done || p.how.is_some_and(|how| how == *done))
    };
    ability.kind == Kind::Triggered
        && !ability.when.is_empty()
        && ability.when.iter().all(|p| p.card.as_ref().is_some_and(this) && elsewhere(p))
}

/// 902.2: the card itself is thrown away from the hand for it.
fn is_thrown_away(ability: &Ability) -> bool {
    let thrown = |s: &Step| matches!(s, Step::Move { what: Some(what), how: Some(how), .. } if *what == "this" && *how == "捨てる");
    ability.kind == Kind::Activated && ability.from.is_empty() && ability.cost.iter().any(thrown)
}

/// 904.2: attribute, kind, race, ATK and DEF of the card itself.
fn defines(change: &Change) -> bool {
    match change {
        Change::Set(name, _) | Change::Base(name, _) => *name == "ATK" || *name == "DEF",
        Change::Become(name, _) | Change::Join(name, _) => *name == KIND || *name == RACE || *name == ATTRIBUTE,
        _ => false,
    }
}

/// The ability says of its own card, unconditionally, what it is.
fn is_base(ability: &Ability) -> bool {
    let own = ability.affects.is_none() && ability.cond.is_none() && ability.from.is_empty();
    ability.kind == Kind::Static && own && !ability.grant.is_empty() && ability.grant.iter().all(defines)
}

/// 904.2, 909.1a: what base abilities say is where the count of all effects begins. Words are written on the card;
/// numbers, which may look at the table, go before everything else.
pub fn base_abilities(seen: &mut Seen) {
    for at in 0..seen.abilities.len() {
        if !is_base(&seen.abilities[at]) {
            continue;
        }
        let mut ability = (*seen.abilities[at]).clone();
        let mut left = Vec::new();
        for change in std::mem::take(&mut ability.grant) {
            match change {
                Change::Set(name, value) => left.push(Change::Base(name, value)),
                Change::Become(name, words) => write(seen, name, words, false),
                Change::Join(name, word) => write(seen, name, vec![word], true),
                other => left.push(other),
            }
        }
        ability.grant = left;
        if ability.clauses.is_empty() {
            ability.clauses = vec![msd!("904.2", Meaning).clause];
        }
        seen.abilities[at] = Arc::new(ability);
    }
}

fn write(seen: &mut Seen, name: Word, words: Vec<Word>, also: bool) {
    let Some((at, _)) = schema().data(&name) else { return };
    let mut all = if also { seen.words(at).to_vec() } else { Vec::new() };
    all.extend(words.into_iter().filter(|w| !all.contains(w)).collect::<Vec<_>>());
    seen.data[at] = Data::Words(all.into());
}

fn about_activating(change: &Change) -> bool {
    match change {
        Change::Cost(name, ..) | Change::Price(name, _) => *name == CHARGE,
        Change::Add(name, _) | Change::Set(name, _) => *name == COST,
        Change::PlayFrom(_) => true,
        Change::Forbid(pattern) => pattern.event == "発動" && pattern.card.is_none() && pattern.who.is_none(),
        _ => false,
    }
}

/// 906.5a–906.5c: leaving the battlefield, and from open to hidden, the card is read as it was.
pub fn side(event: &Event) -> (Side, Option<&'static Cite>) {
    let Some((from, to)) = event.from.zip(event.to) else { return (Side::After, None) };
    let open = |zone: ZoneId| schema().spec(zone).sight == Sight::All;
    if in_play(from) && !in_play(to) {
        (Side::Before, Some(msd!("906.5b", Meaning)))
    } else if open(from) && !open(to) && !in_play(to) {
        (Side::Before, Some(msd!("906.5a", Meaning)))
    } else if in_play(to) || open(from) != open(to) {
        (Side::After, None)
    } else {
        (Side::After, Some(msd!("906.5c", Frame)))
    }
}

/// 1004.1: all players see the card, where it lies or because it is shown.
pub fn is_open(d: &mut Duel, card: Ref) -> bool {
    let obj = d.t.obj(card.id);
    if obj.revealed || schema().spec(obj.zone).sight == Sight::All {
        return true;
    }
    let shown = |change: &Change| matches!(change, Change::Under(word) if *word == super::schema::SHOWN);
    d.look().rules.iter().any(|rule| rule.on == Some(card.id) && shown(&rule.change))
}

/// 1012.2: who chooses sees the cards; some other player does not.
pub fn is_hidden_from_some(d: &mut Duel, by: Seat, card: Ref) -> bool {
    if is_open(d, card) {
        return false;
    }
    let obj = d.t.obj(card.id);
    let owner_sees = schema().spec(obj.zone).sight == Sight::Owner;
    let sees = |seat: Seat| seat == by || owner_sees && obj.owner == seat;
    !Seat::BOTH.into_iter().all(sees)
}

/// 1012.2: among cards that not all can see, what is to be found may be left.
pub fn may_fail_to_find(d: &mut Duel, by: Seat, filter: &Filter, found: &[Ref]) -> Option<(&'static Cite, usize)> {
    let open = found.iter().filter(|card| !is_hidden_from_some(d, by, **card)).count();
    // 1012.1: of what lies open the number that was said must be chosen.
    if open == found.len() {
        let duty = msd!("1012.1", Limit);
        d.trace.reach(duty);
        return (!d.on(duty)).then_some((duty, 0));
    }
    let cite = msd!("1012.2", Limit);
    (filter.is_particular() && d.on(cite)).then_some((cite, open))
}

/// What is about to happen, to be asked whether it may.
pub fn would(name: Word, card: Option<Ref>, seat: Seat) -> Event {
    let event = card.map_or_else(|| Event::signal(name), |card| Event::about(name, card));
    event.seat(seat)
}

/// 1005.2: a text keeps the player from chasing, or something in the chase zone cannot be chased.
pub fn no_chase(d: &mut Duel, card: Ref, who: Seat) -> bool {
    const WORD: &str = "チェイスできない";
    let says = |a: &Ability| a.keyword.as_ref().is_some_and(|k| k.name == WORD);
    let pile = d.t.context().pile.clone();
    let waits = pile.iter().any(|item| match (&item.ability, item.card) {
        (Some(ability), _) => says(ability),
        (None, Some(spell)) => d.seen(spell).abilities.iter().any(|a| a.kind == Kind::Effect && says(a)),
        (None, None) => false,
    });
    waits || d.forbidden(&would(Word("チェイス"), Some(card), who))
}

/// A text says that the card cannot be a target.
pub fn targetable(d: &mut Duel, card: Ref, source: Option<Ref>) -> Result<(), &'static Cite> {
    // 1302.2a: tokens too.
    let tokens = msd!("1302.2a", Limit);
    if is_token(&d.t, card) {
        d.trace.reach(tokens);
        if !d.on(tokens) {
            return Err(tokens);
        }
    }
    if d.look().rules.is_empty() {
        return Ok(());
    }
    let cause = crate::kernel::Cause { card: source, ..Default::default() };
    match d.forbidden(&Event::about(Word("対象"), card).by(cause)) {
        true => Err(msd!("104.4", Limit)),
        false => Ok(()),
    }
}

/// 1010.3: what is rested to activate something is one's own and recovered; 1010.2 of the
/// symbol, which stands for it in what every 魔法少女 can do (907.6).
pub fn forbids(d: &mut Duel, event: &Event) -> Option<&'static Cite> {
    use crate::kernel::Means;
    let (What::Turn { state: super::schema::RESTED }, Some(card)) = (&event.what, event.card) else { return None };
    let obj = d.t.obj(card.id);
    let own = event.cause.seat.is_none_or(|seat| obj.controller == seat);
    let wrong = event.cause.means == Means::Cost && (obj.state != super::schema::RECOVERED || !own);
    let symbol = event.cause.card == Some(card) && is_kind(&d.seen(card), "魔法少女");
    let cite = if symbol { msd!("1010.2", Limit) } else { msd!("1010.3", Limit) };
    (wrong && d.on(cite)).then_some(cite)
}
