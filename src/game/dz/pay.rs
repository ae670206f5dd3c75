//! 1.2.3, 2.23.6-4, 2.23.7-4: paying energy.

use super::places::{Own, zone};
use super::schema::at;
use crate::card::{Step, Word};
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

    fn colourless_part(&self) -> i32 {
        self.symbols.iter().filter(|(s, _)| *s == "無色").map(|(_, n)| *n).sum::<i32>().max(0)
    }

    fn coloured(&self) -> Vec<(Word, i32)> {
        self.symbols.iter().filter(|(s, n)| *s != "無色" && *n > 0).copied().collect()
    }
}

/// A released card that can pay.
struct Source<'v> {
    card: CardId,
    colours: &'v [Word],
    /// 2.23.7-4: smash cards pay for colourless only.
    smash: bool,
}

fn sources<'v>(d: &Duel, view: &'v View, seat: Seat, without: &[Ref]) -> Vec<Source<'v>> {
    let mut found = Vec::with_capacity(16);
    // Smash cards first: they are good for nothing else.
    for (own, smash) in [(Own::Smash, true), (Own::Energy, false)] {
        let only_colourless = smash && d.on(dz!("2.23.7-4", Limit));
        for id in d.t.zone(zone(own, seat)) {
            if d.t.obj(*id).turned() || without.iter().any(|r| r.id == *id) {
                continue;
            }
            let colours = if only_colourless { &[] } else { view.cards[id.0 as usize].words(at::COLOUR) };
            found.push(Source { card: *id, colours, smash: only_colourless });
        }
    }
    found
}

/// Whether the energy can be paid.
pub fn payable(d: &mut Duel, seat: Seat, cost: &Cost) -> bool {
    if d.trace.full && !d.t.zone(zone(Own::Smash, seat)).is_empty() {
        d.trace.reach(dz!("2.23.7-4", Limit));
    }
    let coloured = |(s, n): &&(Word, i32)| *s != "無色" && *n > 0;
    let needed: i32 = cost.symbols.iter().filter(coloured).map(|(_, n)| n).sum::<i32>() + cost.colourless_part();
    if needed == 0 {
        return true;
    }
    let view = d.look();
    let sources = sources(d, &view, seat, &cost.freeze);
    needed <= sources.len() as i32 && match_colours(&sources, &cost.symbols, 0, &mut Vec::new())
}

/// 1.2.3-1: each coloured symbol needs its own card of that colour in the energy zone. `paid`: of the first symbol.
fn match_colours(sources: &[Source], needs: &[(Word, i32)], paid: i32, taken: &mut Vec<CardId>) -> bool {
    let Some(((symbol, n), rest)) = needs.split_first() else { return true };
    if paid >= *n || *symbol == "無色" {
        return match_colours(sources, rest, 0, taken);
    }
    for (i, source) in sources.iter().enumerate() {
        if source.smash || !source.colours.contains(symbol) || taken.contains(&source.card) {
            continue;
        }
        // Cards of the same colours are as good as each other.
        let tried = |s: &Source| !s.smash && s.colours == source.colours && !taken.contains(&s.card);
        if sources[..i].iter().any(tried) {
            continue;
        }
        taken.push(source.card);
        if match_colours(sources, needs, paid + 1, taken) {
            return true;
        }
        taken.pop();
    }
    false
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
    if cost.symbols.iter().map(|(_, n)| *n).sum::<i32>() == 0 {
        d.trace.reach(dz!("1.2.3-4", Frame));
    }
    if cost.colourless_part() > 0 {
        for cite in [dz!("2.4.2-1", Frame), dz!("2.23.6-4", Frame)] {
            d.trace.reach(cite);
        }
    }
    while let Some((symbol, _)) = coloured.first().copied().filter(|(_, n)| *n > 0) {
        let view = d.look();
        let all = sources(d, &view, seat, &frozen);
        let mut less = coloured.clone();
        less[0].1 -= 1;
        // Only cards that leave the rest payable are offered.
        let fits =
            |s: &&Source| !s.smash && s.colours.contains(&symbol) && match_colours(&all, &less, 0, &mut vec![s.card]);
        let options: Vec<&Source> = all.iter().filter(fits).collect();
        frozen.push(which(d, seat, &options)?);
        coloured = less;
        coloured.retain(|(_, n)| *n > 0);
    }
    d.trace.reach(if cost.colourless_part() > 0 { dz!("1.2.3-2", Frame) } else { dz!("1.2.3-1", Frame) });
    for _ in 0..cost.colourless_part() {
        let view = d.look();
        let all = sources(d, &view, seat, &frozen);
        let options: Vec<&Source> = all.iter().collect();
        frozen.push(which(d, seat, &options)?);
    }
    if !frozen.is_empty() {
        let cause = Cause { means: Means::Cost, card: None, seat: Some(seat) };
        d.turn(&frozen, Word("フリーズ"), cause)?;
    }
    Ok(true)
}

/// One of the cards; a choice only where they differ.
fn which(d: &mut Duel, seat: Seat, options: &[&Source]) -> Flow<Ref> {
    let first = options.first().expect("it was found payable");
    if options.iter().all(|o| o.colours == first.colours && o.smash == first.smash) {
        return Ok(d.t.now(first.card));
    }
    let of = options.iter().map(|o| Thing::Card(d.t.now(o.card))).collect();
    let mut question =
        Question::new(seat, Word("支払い"), Asks::Choose { of, min: 1, max: 1 }).citing(dz!("1.2.3-2", Frame));
    question.minor = true;
    let chosen = d.pick(question)?;
    match chosen.first() {
        Some(Thing::Card(card)) => Ok(*card),
        _ => Ok(d.t.now(first.card)),
    }
}
