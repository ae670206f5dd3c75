//! 902: what is to be paid, and paying it.

use super::schema::{COLOURS, COST, PRICE, STOCK, at};
use super::{energy, play, say};
use crate::card::{Datum, Price, Quantity, Word};
use crate::game::matching::met;
use crate::kernel::{Asks, Duel, Flow, Move, Question, Ref, Seat, Thing};

const ANY: Word = Word("不特定");

/// Symbols and how many of each, nothing below nothing.
pub type Owed = Vec<(Word, i32)>;

/// 902.7, 804.2.3: what a card costs under all effects, or nothing where it has no cost (103.5.1).
pub fn of_card(d: &mut Duel, card: Ref) -> Owed {
    let now = if say(d, [nova!("902.7", Meaning)]) { PRICE } else { COST };
    match d.seen(card).price(at(now)).cloned() {
        Some(price) => owed(d, &price),
        None => Vec::new(),
    }
}

/// 902.9.4: what effects add to the price of a card whose energy cost is not paid; reductions find nothing there.
pub fn raised(d: &mut Duel, card: Ref) -> Owed {
    let printed = match d.card(card).data.get(&Word(COST)) {
        Some(Datum::Words(words)) => words.first().and_then(|w| Price::read(w)).map(|p| p.filled(|_| 0)),
        _ => None,
    };
    let printed = printed.unwrap_or_default();
    let now = d.seen(card).price(at(PRICE)).map(|p| p.filled(|_| 0)).unwrap_or_default();
    let on =
        |list: &[(Word, i32)], symbol: Word| list.iter().filter(|(s, _)| *s == symbol).map(|(_, n)| n).sum::<i32>();
    let mut symbols: Vec<Word> = now.iter().chain(&printed).map(|(s, _)| *s).collect();
    symbols.dedup();
    let mut more: Vec<(Word, Quantity)> = Vec::new();
    for symbol in symbols {
        if !more.iter().any(|(s, _)| *s == symbol) {
            more.push((symbol, Quantity::Number(on(&now, symbol).saturating_sub(on(&printed, symbol)))));
        }
    }
    owed(d, &Price(more))
}

/// 902.7.1–902.7.3: what a reduction cannot take from its colour it takes from the unspecified part.
pub fn owed(d: &mut Duel, price: &Price) -> Owed {
    let mut owed = price.filled(|_| 0);
    let mut less = 0i32;
    for (symbol, n) in owed.iter_mut().filter(|(s, n)| *s != ANY && *n < 0) {
        let over = n.saturating_neg();
        *n = 0;
        if *symbol == "無色" {
            if d.reading(nova!("C17", Reading), "a") != "b" {
                d.cites(nova!("902.7.1", Meaning), |_| "無色の減少は不特定コストだけを減らす".into());
                less = less.saturating_add(over);
            }
        } else if price.0.iter().any(|(s, _)| s == symbol) && was_there(price, *symbol) {
            if d.applies(nova!("902.7.3", Meaning), |_| "色の余りは不特定コストから減らす".into()) {
                less = less.saturating_add(over);
            }
        } else if d.applies(nova!("902.7.2", Meaning), |_| "その色がないので不特定コストを減らす".into())
        {
            less = less.saturating_add(over);
        }
    }
    if let Some((_, n)) = owed.iter_mut().find(|(s, _)| *s == ANY) {
        *n = n.saturating_sub(less);
    }
    owed.retain(|(_, n)| *n > 0);
    owed
}

/// A symbol that effects put below nothing is one the cost had, or had not: which makes no difference to what is paid.
fn was_there(price: &Price, symbol: Word) -> bool {
    price.0.first().is_some_and(|(s, _)| *s == symbol)
        || price.0.iter().position(|(s, _)| *s == symbol) < price.0.iter().position(|(s, _)| *s == ANY)
}

/// A point in the stock, a card of the energy zone that can make one, or an energy ability of another card and how many
/// points it makes.
#[derive(Clone, PartialEq)]
enum Source {
    Stock(Word),
    Card(Ref, Vec<Word>),
    Ability(Move, Vec<Word>, usize),
}

impl Source {
    fn fits(&self, symbol: Word) -> bool {
        match self {
            _ if symbol == ANY => true,
            Source::Stock(colour) => *colour == symbol,
            Source::Card(_, colours) | Source::Ability(_, colours, _) => colours.contains(&symbol),
        }
    }

    fn points(&self) -> usize {
        if let Source::Ability(_, _, points) = self { *points } else { 1 }
    }
}

fn sources(d: &mut Duel, seat: Seat, without: &[Ref]) -> Vec<Source> {
    let mut found = Vec::new();
    for (i, colour) in COLOURS.iter().enumerate() {
        let n = d.t.seats[seat.index()][STOCK + i].max(0);
        found.extend((0..n).map(|_| Source::Stock(Word(colour))));
    }
    // 902.2, 801.6.6.1: energy abilities may be used while paying.
    if !say(d, [nova!("902.2", Limit), nova!("801.6.6.1", Limit)]) {
        return found;
    }
    let cards = energy::sources(d, seat).into_iter().filter(|(c, colours)| !without.contains(c) && !colours.is_empty());
    found.extend(cards.map(|(c, colours)| Source::Card(c, colours)));
    found
}

/// 902.2: what other energy abilities make besides.
fn further(d: &mut Duel, seat: Seat, without: &[Ref]) -> Vec<Source> {
    if !say(d, [nova!("902.2", Limit), nova!("801.6.6.1", Limit)]) {
        return Vec::new();
    }
    let free = |m: &Move| m.card.is_none_or(|c| !without.contains(&c));
    let abilities = energy::abilities(d, seat).into_iter().filter(|(m, ..)| free(m));
    abilities.map(|(m, colours, points)| Source::Ability(m, colours, points)).collect()
}

fn enough(sources: &[Source], owed: &[(Word, i32)]) -> bool {
    let wanted: Vec<usize> = owed.iter().map(|(_, n)| usize::try_from(*n).unwrap_or(0)).collect();
    let there: Vec<usize> = sources.iter().map(Source::points).collect();
    met(&wanted, &there, |need, kind| sources[kind].fits(owed[need].0)) == wanted.iter().sum::<usize>()
}

/// 902.3: the resources are there.
pub fn payable(d: &mut Duel, seat: Seat, owed: &[(Word, i32)], without: &[Ref]) -> bool {
    if owed.is_empty() {
        return true;
    }
    let meant = as_meant(d, owed);
    let mut sources = sources(d, seat, without);
    if enough(&sources, &meant) {
        return true;
    }
    sources.extend(further(d, seat, without));
    let owed: Owed = owed.to_vec();
    enough(&sources, &meant) || more_comes(d) && d.try_out(|d| pay(d, seat, &owed, without)).unwrap_or(false)
}

/// 801.6.7.1: what triggers on energy may make more of it while the cost is being paid.
fn more_comes(d: &mut Duel) -> bool {
    !d.look().gained.is_empty() || !d.given.holders.triggers(Word("エナジー")).is_empty()
}

/// 103.3: a colour is paid with that colour; 103.4: what is not specified, with any.
fn as_meant(d: &mut Duel, owed: &[(Word, i32)]) -> Owed {
    let meant = |d: &mut Duel, symbol: Word| match symbol == ANY {
        true => {
            if say(d, [nova!("103.4", Meaning)]) {
                ANY
            } else {
                Word("無色")
            }
        }
        false => {
            if say(d, [nova!("103.3", Meaning)]) {
                symbol
            } else {
                ANY
            }
        }
    };
    owed.iter().map(|(symbol, n)| (meant(d, *symbol), *n)).collect()
}

/// 902.2, 902.4: energy abilities are used while paying, and the points taken from the stock. False: it cannot be paid.
pub fn pay(d: &mut Duel, seat: Seat, owed: &Owed, without: &[Ref]) -> Flow<bool> {
    if owed.is_empty() {
        return Ok(say(d, [nova!("902.6", Limit)]));
    }
    let mut left = as_meant(d, owed);
    // What asks for a colour is paid first: the rest takes anything.
    left.sort_by_key(|(s, _)| *s == ANY);
    d.trace.reach(nova!("902.10", Frame));
    let takes = say(d, [nova!("902.4", Meaning)]);
    while let Some((symbol, n)) = left.first().copied() {
        d.spend()?;
        if n <= 0 {
            left.remove(0);
            continue;
        }
        // A point that is not taken pays for all of its kind.
        left[0].1 = if takes { n - 1 } else { 0 };
        let all = [sources(d, seat, without), further(d, seat, without)].concat();
        let fits = |i: usize| {
            let mut rest = all.clone();
            let one = rest.remove(i);
            let fits = one.fits(symbol);
            if let Source::Ability(m, colours, points) = one {
                // One colour is made: the one that was asked for, where it was.
                let colours = if symbol == ANY { colours } else { vec![symbol] };
                rest.extend((1..points).map(|_| Source::Ability(m, colours.clone(), 1)));
            }
            fits && enough(&rest, &left)
        };
        let mut good: Vec<Source> = (0..all.len()).filter(|i| fits(*i)).map(|i| all[i].clone()).collect();
        if good.is_empty() && more_comes(d) {
            good = all.iter().filter(|source| source.fits(symbol)).cloned().collect();
        }
        let Some(chosen) = which(d, seat, &good)? else { return Ok(false) };
        let colour = match chosen {
            Source::Stock(colour) => colour,
            Source::Ability(m, colours, _) => {
                let before = d.t.seats[seat.index()];
                play::activate(d, seat, &m)?;
                let made =
                    |colour: &&Word| energy::fact(**colour).is_some_and(|f| d.t.seats[seat.index()][f] > before[f]);
                match colours.iter().filter(|colour| symbol == ANY || **colour == symbol).find(made) {
                    Some(colour) => *colour,
                    None => return Ok(false),
                }
            }
            Source::Card(card, colours) => {
                let wanted = if symbol != ANY { Some(symbol) } else { colours.first().copied() };
                if !energy::produce(d, seat, card, wanted)? {
                    return Ok(false);
                }
                match wanted {
                    Some(colour) => colour,
                    None => return Ok(false),
                }
            }
        };
        let Some(fact) = energy::fact(colour) else { return Ok(false) };
        let stock = d.aside();
        let mut stock = stock;
        let points = stock.seat(seat, fact);
        if *points <= 0 {
            return Ok(false);
        }
        *points -= i32::from(takes);
    }
    Ok(true)
}

/// One of the sources; a choice only where they differ.
fn which(d: &mut Duel, seat: Seat, of: &[Source]) -> Flow<Option<Source>> {
    let Some(first) = of.first() else { return Ok(None) };
    let kind = |s: &Source| match s {
        Source::Stock(colour) => (0, vec![*colour]),
        Source::Card(_, colours) => (1, colours.clone()),
        Source::Ability(_, colours, points) => (1 + points, colours.clone()),
    };
    if of.iter().all(|s| kind(s) == kind(first)) {
        return Ok(Some(first.clone()));
    }
    let mut different: Vec<Source> = Vec::new();
    for source in of {
        if !matches!(source, Source::Stock(_)) || !different.contains(source) {
            different.push(source.clone());
        }
    }
    let thing = |s: &Source| match s {
        Source::Stock(colour) => Thing::Word(*colour),
        Source::Card(card, _) => Thing::Card(*card),
        Source::Ability(m, ..) => m.card.map_or(Thing::Number(0), Thing::Card),
    };
    let asks = Asks::Choose { of: different.iter().map(thing).collect(), min: 1, max: 1 };
    let mut question = Question::new(seat, Word("支払い"), asks).citing(nova!("902.4", Frame));
    question.minor = true;
    let at = d.ask(question)?[0] as usize;
    Ok(Some(different[at].clone()))
}
