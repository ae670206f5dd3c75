//! 805: the resource cost, its colours and points, and how it is paid.

use super::places::zone;
use super::schema::{COLOUR, COLOURS, PRICE, at};
use crate::card::{Price, Word};
use crate::kernel::{Asks, Cause, Duel, Flow, Means, Question, Ref, Seat, Thing};

/// 805.2: points, and perhaps colours.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    pub colours: Vec<Word>,
    pub points: i32,
}

/// 805.2a, 805.2c: all colours of the card, and its cost with what raises and lowers it, never below 0.
pub fn of_card(d: &mut Duel, card: Ref) -> Cost {
    let seen = d.seen(card);
    Cost { colours: seen.words(at(COLOUR)).to_vec(), points: seen.number(at(PRICE)).unwrap_or(0).max(0) }
}

/// 805.2b: 「赤青3」 is red and blue, three points.
pub fn of_ability(price: &Price) -> Cost {
    let symbols = price.filled(|_| 0);
    let colours = COLOURS.iter().filter(|c| symbols.iter().any(|(s, _)| s.contains(**c))).map(|c| Word(c)).collect();
    Cost { colours, points: symbols.iter().map(|(_, n)| n).sum::<i32>().max(0) }
}

/// A rebooted resource and its colours.
#[derive(Clone)]
struct Source {
    card: Ref,
    colours: Vec<Word>,
}

fn sources(d: &mut Duel, seat: Seat) -> Vec<Source> {
    let view = d.look();
    let upright = d.t.zone(zone("リソース", seat)).iter().filter(|id| !d.t.obj(**id).turned());
    upright
        .map(|id| Source { card: d.t.now(*id), colours: view.cards[id.0 as usize].words(at(COLOUR)).to_vec() })
        .collect()
}

/// 805.3a: one card for each colour, but no more than there are points; the payer says which colours go without.
fn coloured(d: &Duel, cost: &Cost) -> usize {
    if d.on(zx!("805.3a", Meaning)) { cost.colours.len().min(cost.points as usize) } else { 0 }
}

/// The cards chosen so far can be made up to a payment.
fn completes(d: &Duel, all: &[Source], cost: &Cost, chosen: &[usize]) -> bool {
    let points = cost.points as usize;
    let spare = cost.colours.len() - coloured(d, cost).min(cost.colours.len());
    chosen.len() <= points
        && all.len() >= points
        && matched(all, &cost.colours, spare, chosen, &mut Vec::new(), points - chosen.len())
}

/// Each colour has a card of its own, but for as many as may go without. New cards come out of the room left.
fn matched(
    all: &[Source],
    colours: &[Word],
    spare: usize,
    chosen: &[usize],
    taken: &mut Vec<usize>,
    room: usize,
) -> bool {
    let Some((colour, rest)) = colours.split_first() else { return true };
    if spare > 0 && matched(all, rest, spare - 1, chosen, taken, room) {
        return true;
    }
    for (i, source) in all.iter().enumerate() {
        let new = usize::from(!chosen.contains(&i));
        if !source.colours.contains(colour) || taken.contains(&i) || new > room {
            continue;
        }
        taken.push(i);
        let found = matched(all, rest, spare, chosen, taken, room - new);
        taken.pop();
        if found {
            return true;
        }
    }
    false
}

/// 805.3c: enough cards of the right colours are there.
pub fn payable(d: &mut Duel, seat: Seat, cost: &Cost) -> bool {
    let all = sources(d, seat);
    completes(d, &all, cost, &[])
}

/// 805.3: chooses the cards and puts them to sleep. False when that cannot be done.
pub fn pay(d: &mut Duel, seat: Seat, cost: &Cost) -> Flow<bool> {
    if !cost.colours.is_empty() {
        d.trace.reach(zx!("805.3a", Meaning));
    }
    if !payable(d, seat, cost) {
        return Ok(false);
    }
    let all = sources(d, seat);
    let mut chosen: Vec<usize> = Vec::new();
    for _ in 0..cost.points {
        let fits = |i: &usize| !chosen.contains(i) && completes(d, &all, cost, &with(&chosen, *i));
        let options: Vec<usize> = (0..all.len()).filter(fits).collect();
        chosen.push(which(d, seat, &all, &options, cost)?);
    }
    let cards: Vec<Ref> = chosen.iter().map(|i| all[*i].card).collect();
    if !cards.is_empty() {
        let cause = Cause { means: Means::Cost, card: None, seat: Some(seat) };
        d.under(zx!("805.3d", Frame), |d| d.turn(&cards, Word("スリープ"), cause))?;
    }
    Ok(true)
}

fn with(chosen: &[usize], i: usize) -> Vec<usize> {
    [chosen, &[i]].concat()
}

/// One of the cards; a choice only where they differ. Where colours go without, which is the payer's to say.
fn which(d: &mut Duel, seat: Seat, all: &[Source], options: &[usize], cost: &Cost) -> Flow<usize> {
    let coloured = !cost.colours.is_empty();
    if coloured {
        d.trace.reach(zx!("805.3a", Meaning));
    }
    if options.iter().all(|i| all[*i].colours == all[options[0]].colours) {
        return Ok(options[0]);
    }
    let of = options.iter().map(|i| Thing::Card(all[*i].card)).collect();
    let cite = if coloured { zx!("805.3a", Meaning) } else { zx!("805.3b", Frame) };
    let mut question = Question::new(seat, Word("支払い"), Asks::Choose { of, min: 1, max: 1 }).citing(cite);
    question.minor = cost.colours.len() <= cost.points as usize;
    Ok(options[d.ask(question)?[0] as usize])
}
