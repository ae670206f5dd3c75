//! 1.2.3, 2.23.6-4, 2.23.7-4: paying energy.

use super::places::{Own, zone};
use super::schema::at;
use crate::card::{Step, Word};
use crate::game::matching::met;
use crate::kernel::{Asks, CardId, Cause, Duel, Flow, Means, Question, Ref, Seat, Thing, View};

/// What is to be paid at once.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    pub symbols: Vec<(Word, i32)>,
    /// What else is done: discard, freeze, …
    pub parts: Vec<Step>,
    /// Cards that are frozen in payment.
    pub freeze: Vec<Ref>,
}

impl Cost {
    pub fn colourless(n: i32) -> Cost {
        Cost { symbols: vec![(Word("無色"), n)], ..Cost::default() }
    }

    fn colourless_part(&self) -> i64 {
        self.symbols.iter().filter(|(s, _)| *s == "無色").map(|(_, n)| i64::from(*n)).sum::<i64>().max(0)
    }

    fn coloured(&self) -> Vec<(Word, i32)> {
        self.symbols.iter().filter(|(s, n)| *s != "無色" && *n > 0).copied().collect()
    }
}

/// A released card that can pay.
#[derive(Clone, Copy)]
struct Source<'v> {
    card: CardId,
    colours: &'v [Word],
    /// 2.23.7-4: smash cards pay for colourless only.
    smash: bool,
}

fn sources<'d, 'v>(d: &'d Duel, view: &'v View, seat: Seat, without: &'d [Ref]) -> impl Iterator<Item = Source<'v>> {
    // Smash cards first: they are good for nothing else.
    [(Own::Smash, true), (Own::Energy, false)].into_iter().flat_map(move |(own, smash)| {
        let smash = smash && d.on(dz!("2.23.7-4", Limit));
        let can = move |id: &&CardId| !d.t.obj(**id).turned() && !without.iter().any(|r| r.id == **id);
        d.t.zone(zone(own, seat)).iter().filter(can).map(move |&card| {
            let colours = if smash { &[] } else { view.cards[card.0 as usize].words(at::COLOUR) };
            Source { card, colours, smash }
        })
    })
}

/// Whether the energy can be paid.
pub fn payable(d: &mut Duel, seat: Seat, cost: &Cost) -> bool {
    if d.trace.full && !d.t.zone(zone(Own::Smash, seat)).is_empty() {
        d.trace.reach(dz!("2.23.7-4", Limit));
    }
    let coloured = cost.coloured();
    let needed = total(&coloured) + cost.colourless_part();
    if needed == 0 {
        return true;
    }
    let view = d.look();
    let sources = || sources(d, &view, seat, &cost.freeze);
    needed <= sources().count() as i64 && (coloured.is_empty() || match_colours(&kinds(sources()), &coloured))
}

fn total(symbols: &[(Word, i32)]) -> i64 {
    symbols.iter().map(|(_, n)| i64::from(*n)).sum()
}

/// The sources that can pay for colours, by their colours: those of the same are as good as each other.
fn kinds<'v>(sources: impl Iterator<Item = Source<'v>>) -> Vec<(&'v [Word], usize)> {
    let mut kinds: Vec<(&[Word], usize)> = Vec::with_capacity(8);
    for source in sources.filter(|s| !s.smash) {
        match kinds.iter_mut().find(|(colours, _)| *colours == source.colours) {
            Some((_, n)) => *n += 1,
            None => kinds.push((source.colours, 1)),
        }
    }
    kinds
}

/// 1.2.3-1: each coloured symbol needs its own card of that colour in the energy zone.
fn match_colours(kinds: &[(&[Word], usize)], needs: &[(Word, i32)]) -> bool {
    let wanted: Vec<usize> = needs.iter().map(|(_, n)| usize::try_from(*n).unwrap_or(0)).collect();
    let there: Vec<usize> = kinds.iter().map(|(_, n)| *n).collect();
    let fits = |need: usize, kind: usize| kinds[kind].0.contains(&needs[need].0);
    met(&wanted, &there, fits) == wanted.iter().sum::<usize>()
}

/// 4.7.2-8: pays everything at once. False when it cannot be paid after all.
pub fn pay(d: &mut Duel, seat: Seat, cost: &Cost) -> Flow<bool> {
    if !payable(d, seat, cost) {
        return Ok(false);
    }
    let mut frozen: Vec<Ref> = cost.freeze.clone();
    let mut coloured = cost.coloured();
    if !coloured.is_empty() {
        for cite in [dz!("1.2.3-1", Frame), dz!("2.4.2", Frame), dz!("2.4.2-2", Frame), dz!("2.23.6-4", Frame)] {
            d.trace.reach(cite);
        }
    }
    if total(&cost.symbols) == 0 {
        d.trace.reach(dz!("1.2.3-4", Frame));
    }
    if cost.colourless_part() > 0 {
        for cite in [dz!("2.4.2-1", Frame), dz!("2.23.6-4", Frame)] {
            d.trace.reach(cite);
        }
    }
    let view = d.look();
    let mut all: Vec<Source> = sources(d, &view, seat, &frozen).collect();
    while let Some((symbol, _)) = coloured.first().copied() {
        coloured[0].1 -= 1;
        coloured.retain(|(_, n)| *n > 0);
        // Only cards that leave the rest payable are offered.
        let mut left = kinds(all.iter().copied());
        let mut fitting: Vec<&[Word]> = Vec::new();
        for kind in 0..left.len() {
            left[kind].1 -= 1;
            if left[kind].0.contains(&symbol) && match_colours(&left, &coloured) {
                fitting.push(left[kind].0);
            }
            left[kind].1 += 1;
        }
        let options: Vec<&Source> = all.iter().filter(|s| !s.smash && fitting.contains(&s.colours)).collect();
        let Some(chosen) = which(d, seat, &options)? else { return Ok(false) };
        all.retain(|s| s.card != chosen.id);
        frozen.push(chosen);
    }
    d.trace.reach(if cost.colourless_part() > 0 { dz!("1.2.3-2", Frame) } else { dz!("1.2.3-1", Frame) });
    for _ in 0..cost.colourless_part() {
        let options: Vec<&Source> = all.iter().collect();
        let Some(chosen) = which(d, seat, &options)? else { return Ok(false) };
        all.retain(|s| s.card != chosen.id);
        frozen.push(chosen);
    }
    if !frozen.is_empty() {
        let cause = Cause { means: Means::Cost, card: None, seat: Some(seat) };
        d.turn(&frozen, Word("フリーズ"), cause)?;
    }
    Ok(true)
}

/// One of the cards, if there is any; a choice only where they differ.
fn which(d: &mut Duel, seat: Seat, options: &[&Source]) -> Flow<Option<Ref>> {
    let Some(first) = options.first() else { return Ok(None) };
    if options.iter().all(|o| o.colours == first.colours && o.smash == first.smash) {
        return Ok(Some(d.t.now(first.card)));
    }
    let of = options.iter().map(|o| Thing::Card(d.t.now(o.card))).collect();
    let mut question =
        Question::new(seat, Word("支払い"), Asks::Choose { of, min: 1, max: 1 }).citing(dz!("1.2.3-2", Frame));
    question.minor = true;
    let chosen = d.pick(question)?;
    match chosen.first() {
        Some(Thing::Card(card)) => Ok(Some(*card)),
        _ => Ok(Some(d.t.now(first.card))),
    }
}
