//! 805: the resource cost, its colours and points, and how it is paid.

use super::places::zone;
use super::schema::{ABILITY_COST, COLOUR, COLOURS, COST, PRICE, at};
use crate::card::{Change, Datum, Pool, Price, Step, Word};
use crate::game::matching::met;
use crate::kernel::steps::Frame;
use crate::kernel::table::{Holds, Ongoing};
use crate::kernel::{Asks, CardId, Cause, Duel, Flow, Means, Question, Ref, Seat, Seen, Thing};

/// 805.2: points, and perhaps colours.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    pub colours: Vec<Word>,
    pub points: i32,
}

/// 805.2a, 805.2c: all colours of the card, and its cost with what raises and lowers it, never below 0.
pub fn of_card(d: &mut Duel, card: Ref) -> Cost {
    let seen = d.seen(card);
    Cost { colours: seen.words(const { at(COLOUR) }).to_vec(), points: points(d, &seen, card) }
}

/// 805.2a, 805.2c: the cost the card has now, and what effects add to the price.
pub fn points(d: &mut Duel, seen: &Seen, card: Ref) -> i32 {
    let printed = d.card(card).data.get(&Word(COST)).and_then(|datum| match datum {
        Datum::Number(n) => Some(*n),
        _ => None,
    });
    let cost = seen.number(const { at(COST) });
    let changed = cost.zip(printed).map_or(0, |(now, then)| now.saturating_sub(then));
    let price = seen.number(const { at(PRICE) }).unwrap_or(0);
    // Without effects on the price it is the printed cost.
    if printed.is_some_and(|printed| printed != price) {
        let cite = zx!("805.2c", Meaning);
        d.trace.reach(cite);
        if !d.on(cite) {
            return cost.unwrap_or(0).max(0);
        }
    }
    price.saturating_add(changed).max(0)
}

/// 203.3: the cost is ∞, which nobody pays.
pub fn endless(d: &mut Duel, card: Ref) -> bool {
    d.glance(card).number(const { at(COST) }).is_none()
}

/// The points of a price with a variable: the payer names the number (804.2c, 102.10).
pub fn fix(d: &mut Duel, seat: Seat, price: &Price, slots: &mut crate::kernel::Slots) -> Flow {
    for name in price.variables() {
        let max = sources(d, seat).len() as i32;
        d.trace.reach(zx!("804.2c", Frame));
        let cite = zx!("102.10", Limit);
        let min = if d.on(cite) { 0 } else { -max };
        let question = Question::new(seat, name, Asks::Number { min, max }).citing(cite);
        let n = d.ask(question)?[0];
        slots.set(name, vec![Thing::Number(n)]);
    }
    Ok(())
}

/// 805.2b: 「赤青3」 is red and blue, three points.
pub fn of_ability(price: &Price, slots: &crate::kernel::Slots) -> Cost {
    let symbols = price.filled(|name| slots.number(&name).unwrap_or(0));
    let colours = COLOURS.iter().filter(|c| symbols.iter().any(|(s, _)| s.contains(**c))).map(|c| Word(c)).collect();
    Cost { colours, points: total(&symbols) }
}

/// 805.2c: what effects make of the points of an activated ability of the card; one without a resource cost has no
/// colour and no points to begin with.
pub fn of_activating(d: &mut Duel, card: Ref, points: i32) -> i32 {
    if !is_changed(d)
        || !d.t.is_now(card)
        || !d.applies(zx!("805.2c", Meaning), |_| "起動能力のコストが増減する".into())
    {
        return points;
    }
    let seat = d.t.obj(card.id).owner;
    let bears = Change::Bear([(Word(ABILITY_COST), Datum::Number(points))].into_iter().collect());
    let seen = d.imagine_under(vec![Ongoing::on(card, seat, vec![bears])], card);
    seen.number(const { at(ABILITY_COST) }).unwrap_or(points).max(0)
}

/// Some effect speaks of what activated abilities cost.
fn is_changed(d: &mut Duel) -> bool {
    let view = d.look();
    let speaks = |c: &Change| matches!(c, Change::Add(name, _) | Change::Down(name, ..) | Change::Set(name, _) if *name == ABILITY_COST);
    let has = |id: &CardId| {
        let seen = &view.cards[id.0 as usize];
        seen.kinds.statics && seen.abilities.iter().any(|a| a.grant.iter().any(speaks))
    };
    view.among(&d.given.holders.statics).iter().any(has)
        || d.t.ongoing.iter().any(|o| matches!(&o.holds, Holds::Changes(c) if c.iter().any(speaks)))
}

fn total(symbols: &[(Word, i32)]) -> i32 {
    symbols.iter().fold(0i32, |sum, (_, n)| sum.saturating_add(*n)).max(0)
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
        .map(|id| Source {
            card: d.t.now(*id),
            colours: view.cards[id.0 as usize].words(const { at(COLOUR) }).to_vec(),
        })
        .collect()
}

/// 805.3a: one card for each colour, but no more than there are points; the payer says which colours go without.
fn coloured(d: &Duel, cost: &Cost) -> usize {
    if d.on(zx!("805.3a", Meaning)) { cost.colours.len().min(cost.points.max(0) as usize) } else { 0 }
}

/// How many cards there are of each set of colours: those of the same are as good as each other.
type Kinds = Vec<(Vec<Word>, usize)>;

fn kinds(all: &[Source]) -> Kinds {
    let mut kinds: Kinds = Vec::new();
    for source in all {
        match kinds.iter_mut().find(|(colours, _)| *colours == source.colours) {
            Some((_, n)) => *n += 1,
            None => kinds.push((source.colours.clone(), 1)),
        }
    }
    kinds
}

/// The cards chosen so far, so many of each kind, can be made up to a payment: each colour has a card of its own, but
/// for as many as may go without. Every card that is not chosen yet helps at most one more colour to one.
fn completes(d: &Duel, all: &Kinds, cost: &Cost, chosen: &[usize]) -> bool {
    let points = cost.points.max(0) as usize;
    let taken: usize = chosen.iter().sum();
    if taken > points || all.iter().map(|(_, n)| n).sum::<usize>() < points {
        return false;
    }
    if let [colour] = cost.colours[..] {
        let has = |n: &[usize]| all.iter().zip(n).any(|((colours, _), n)| *n > 0 && colours.contains(&colour));
        let there = all.iter().any(|(colours, n)| *n > 0 && colours.contains(&colour));
        return coloured(d, cost) == 0 || there && (taken < points || has(chosen));
    }
    let one_each = vec![1; cost.colours.len()];
    let fits = |colour: usize, kind: usize| all[kind].0.contains(&cost.colours[colour]);
    let there: Vec<usize> = all.iter().map(|(_, n)| *n).collect();
    let most = met(&one_each, &there, fits).min(met(&one_each, chosen, fits) + points - taken);
    most >= coloured(d, cost)
}

/// 805.3c: enough cards of the right colours are there.
pub fn payable(d: &mut Duel, seat: Seat, cost: &Cost) -> bool {
    let upright = d.t.zone(zone("リソース", seat)).iter().filter(|id| !d.t.obj(**id).turned()).count();
    let enough = upright >= cost.points.max(0) as usize;
    if !enough || coloured(d, cost) == 0 {
        return enough;
    }
    if let [colour] = cost.colours[..] {
        let view = d.look();
        let upright = d.t.zone(zone("リソース", seat)).iter().filter(|id| !d.t.obj(**id).turned());
        return upright
            .map(|id| &view.cards[id.0 as usize])
            .any(|seen| seen.words(const { at(COLOUR) }).contains(&colour));
    }
    let all = kinds(&sources(d, seat));
    completes(d, &all, cost, &vec![0; all.len()])
}

/// 805.3: chooses the cards and puts them to sleep. False when that cannot be done.
pub fn pay(d: &mut Duel, seat: Seat, cost: &Cost) -> Flow<bool> {
    Ok(spend(d, seat, cost)?.is_some())
}

/// The same; the cards with which it was paid.
pub fn spend(d: &mut Duel, seat: Seat, cost: &Cost) -> Flow<Option<Vec<Ref>>> {
    if !cost.colours.is_empty() {
        d.trace.reach(zx!("805.3a", Meaning));
    }
    if !payable(d, seat, cost) {
        return Ok(None);
    }
    let all = sources(d, seat);
    let kinds = kinds(&all);
    let mut counts = vec![0; kinds.len()];
    let mut chosen: Vec<usize> = Vec::new();
    let mut left: Vec<usize> = (0..all.len()).collect();
    for _ in 0..cost.points {
        let mut fitting: Vec<&[Word]> = Vec::new();
        for (kind, (colours, n)) in kinds.iter().enumerate() {
            counts[kind] += 1;
            if counts[kind] <= *n && completes(d, &kinds, cost, &counts) {
                fitting.push(colours);
            }
            counts[kind] -= 1;
        }
        let options: Vec<usize> =
            left.iter().copied().filter(|i| fitting.contains(&all[*i].colours.as_slice())).collect();
        let Some(one) = which(d, seat, &all, &options, cost)? else { return Ok(None) };
        counts.iter_mut().zip(&kinds).filter(|(_, k)| k.0 == all[one].colours).for_each(|(n, _)| *n += 1);
        left.retain(|i| *i != one);
        chosen.push(one);
    }
    let cards: Vec<Ref> = chosen.iter().map(|i| all[*i].card).collect();
    if !cards.is_empty() {
        let cause = Cause { means: Means::Cost, card: None, seat: Some(seat) };
        d.step(zx!("805.3d"), |d| d.turn(&cards, Word("スリープ"), cause).map(|_| ()))?;
    }
    Ok(Some(cards))
}

/// One of the cards, if there is any; nobody minds where they have the same colours. Where colours go without, which is the payer's to say.
fn which(d: &mut Duel, seat: Seat, all: &[Source], options: &[usize], cost: &Cost) -> Flow<Option<usize>> {
    let coloured = !cost.colours.is_empty();
    if coloured {
        d.trace.reach(zx!("805.3a", Meaning));
    }
    let Some(first) = options.first().copied() else { return Ok(None) };
    let alike = options.iter().all(|i| all[*i].colours == all[first].colours);
    let of = options.iter().map(|i| Thing::Card(all[*i].card)).collect();
    let cite = if coloured { zx!("805.3a", Meaning) } else { zx!("805.3b", Frame) };
    let mut question = Question::new(seat, Word("支払い"), Asks::Choose { of, min: 1, max: 1 }).citing(cite);
    question.minor = alike || cost.colours.len() <= cost.points as usize;
    Ok(d.ask(question)?.first().and_then(|i| options.get(usize::try_from(*i).ok()?)).copied())
}

/// Reading C41: of the resources that were put to sleep for the resource cost, those that pay for nothing else.
pub fn barred(d: &mut Duel, spent: Vec<Ref>) -> Vec<Ref> {
    if spent.is_empty() || d.reading(zx!("C41", Reading), "a") == "a" { Vec::new() } else { spent }
}

/// The parts of a cost: what is chosen together with what is done with it, and each other step.
pub fn parts(cost: &[Step]) -> Vec<Vec<Step>> {
    let mut found: Vec<Vec<Step>> = Vec::new();
    for step in cost {
        let about = match step {
            Step::Move { what, .. } | Step::Turn { what, .. } | Step::Reveal { what, .. } => *what,
            _ => None,
        };
        let chosen = |s: &Step| matches!(s, Step::Choose(target) if Some(target.slot) == about);
        match found.iter_mut().find(|part| part.iter().any(chosen)) {
            Some(part) => part.push(step.clone()),
            None => found.push(vec![step.clone()]),
        }
    }
    found
}

/// 804.2f, reading C37: the orders, besides the written one, in which the parts of a cost can be paid. Only where one of
/// them puts a card into the hand and another takes one from it can that make a difference.
pub fn orders(d: &mut Duel, cost: &[Step]) -> Vec<Vec<Step>> {
    let parts = parts(cost);
    let gives = |s: &Step| matches!(s, Step::Move { to, .. } if *to == "手札");
    let takes = |s: &Step| matches!(s, Step::Choose(t) if matches!(&t.of, Pool::Cards(f) if f.within.iter().any(|w| *w == "手札")));
    let apart = |a: usize, b: usize| a != b && parts[a].iter().any(gives) && parts[b].iter().any(takes);
    let any = (0..parts.len()).any(|a| (0..parts.len()).any(|b| apart(a, b)));
    if !any || d.reading(zx!("C37", Reading), "a") == "a" {
        return Vec::new();
    }
    (1..parts.len()).map(|first| [&parts[first..], &parts[..first]].concat().concat()).collect()
}

/// 804.2f: the cost in the order that the player likes, by the number of the part that comes first.
pub fn in_order(d: &mut Duel, frame: &Frame, cost: &[Step]) -> Flow<Vec<Step>> {
    let others = orders(d, cost);
    if others.is_empty() {
        return Ok(cost.to_vec());
    }
    let of = (1..=others.len() as i32 + 1).map(Thing::Number).collect();
    let asks = Asks::Choose { of, min: 1, max: 1 };
    let question = Question::new(frame.seat, Word("支払う順番"), asks).citing(zx!("804.2f", Frame)).about(frame.this);
    Ok(match d.ask(question)?[0] {
        0 => cost.to_vec(),
        at => others[at as usize - 1].clone(),
    })
}
