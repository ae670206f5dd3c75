//! 2.4.21–2.4.26: fusion and ritual summons, which effects perform.

use super::kinds::level;
use super::kinds::lies_as;
use super::landing;
use super::materials::{self, Way};
use super::places::in_hand;
use super::places::{hand, monsters, zone};
use super::procedure::give;
use super::summon::{arrive, can_come, position};
use super::text::graveyard;
use crate::card::Word;
use crate::kernel::{Asks, Cause, Cite, Duel, Flow, Halt, Means, Question, Ref, Refusal, Seat, Thing, Told};

/// 2.4.23.1: monsters in hand and on the own field, face down ones too.
fn at_hand(d: &mut Duel, who: Seat) -> Vec<Ref> {
    let mut found = hand(d, who);
    found.retain(|card| lies_as(d, *card, "モンスター"));
    found.extend(monsters(d, who));
    found
}

/// Some fusion monster of the player has its materials and may come out; or the clause by which none does.
pub fn at_all(d: &mut Duel, who: Seat) -> Result<(), &'static Cite> {
    let cause = Cause { means: Means::Effect, card: None, seat: Some(who) };
    let mut cite = ygo!("2.4.23.1", Limit);
    let extra: Vec<Ref> = d.t.zone(zone("エクストラデッキ", who)).iter().map(|id| d.t.now(*id)).collect();
    for card in extra {
        if !lies_as(d, card, "融合モンスター") {
            continue;
        }
        let candidates = at_hand(d, who);
        let recipe = materials::recipe(d, who, Way::Fusion, card, candidates);
        if recipe.is_written() && materials::some_way(d, &recipe).unwrap_or(true) {
            match comes(d, who, card, Word("融合召喚"), cause).unwrap_or(true) {
                true => return Ok(()),
                false => cite = ygo!("3.3.8.1", Limit),
            }
        }
    }
    Err(cite)
}

/// 3.3.8.1: nothing is used for a monster that no text lets come out, whatever makes room for it.
fn comes(d: &mut Duel, who: Seat, card: Ref, how: Word, cause: Cause) -> Flow<bool> {
    let used = at_hand(d, who);
    let zones = landing::zones(d, who, card, &used);
    if zones.is_empty() || can_come(d, who, card, &zones, how, cause)? {
        return Ok(true);
    }
    d.tell_under(Told::NotApplied, ygo!("3.3.8.1", Limit), |d| format!("{}は特殊召喚できない", d.card_name(card)));
    Ok(false)
}

/// The levels of all that the player could release for a ritual; more cannot be made up.
pub fn most_levels(d: &mut Duel, who: Seat) -> i32 {
    at_hand(d, who).into_iter().filter_map(|card| level(&d.seen(card))).sum()
}

/// 2.4.23: a fusion monster, its materials to the graveyard, and it comes out. `only`: those that the text allows.
pub fn fuse(d: &mut Duel, who: Seat, only: Option<Vec<Ref>>, cause: Cause) -> Flow<bool> {
    let extra: Vec<Ref> = d.t.zone(zone("エクストラデッキ", who)).iter().map(|id| d.t.now(*id)).collect();
    let (mut of, mut barred) = (Vec::new(), Vec::new());
    for card in extra {
        if !lies_as(d, card, "融合モンスター") || only.as_ref().is_some_and(|o| !o.contains(&card)) {
            continue;
        }
        let candidates = at_hand(d, who);
        let recipe = materials::recipe(d, who, Way::Fusion, card, candidates);
        if recipe.is_written() && materials::some_way(d, &recipe)? {
            match comes(d, who, card, Word("融合召喚"), cause)? {
                true => of.push(Thing::Card(card)),
                false => barred.push((Thing::Card(card), ygo!("3.3.8.1", Limit))),
            }
        }
    }
    if of.is_empty() {
        return Ok(false);
    }
    let mut question = Question::new(who, Word("融合モンスター"), Asks::Choose { of, min: 1, max: 1 });
    question.refused = barred;
    let chosen = d.pick(question.citing(ygo!("2.4.23.3", Frame)))?;
    let Some(Thing::Card(card)) = chosen.first().copied() else { return Ok(false) };
    let candidates = at_hand(d, who);
    let recipe = materials::recipe(d, who, Way::Fusion, card, candidates);
    let used = materials::choose(d, &recipe)?;
    let zones = landing::zones(d, who, card, &used);
    let Some(to) = landing::ask(d, who, card, zones)? else { return Ok(false) };
    let state = position(d, who, card, None, ygo!("2.4.23.4", Limit))?;
    d.step(ygo!("2.4.23.2"), |d| give(d, who, Way::Fusion, &used))?;
    if !d.t.is_now(card) || !d.t.zone(to).is_empty() {
        return d.undecided("素材を使った後に、出す先やモンスターがなくなった場合の定めがない", &["ygo:2.4.23.3"]);
    }
    d.step(ygo!("2.4.23.3"), |d| arrive(d, who, card, to, state, Word("融合召喚"), cause).map(|_| ()))?;
    Ok(true)
}

/// 2.4.25.4, 2.4.26: releases whose levels make the sum, then the ritual monster from the hand.
pub fn ritual(d: &mut Duel, who: Seat, card: Ref, sum: i32, exact: bool, cause: Cause) -> Flow<bool> {
    if !in_hand(d, who, card) || !comes(d, who, card, Word("儀式召喚"), cause)? {
        return Ok(false);
    }
    let mut of = at_hand(d, who);
    of.retain(|c| *c != card && level(&d.seen(*c)).is_some() && !super::summon::unreleasable(d, who, *c));
    // 2.4.26.3: those that the opponent does not know too.
    d.trace.reach(ygo!("2.4.26.3", Limit));
    if !d.on(ygo!("2.4.26.3", Limit)) {
        of.retain(|c| super::places::is_field(d.t.obj(c.id).zone) && d.t.obj(c.id).face_up);
    }
    let levels: Vec<i32> = of.iter().map(|c| level(&d.seen(*c)).unwrap_or(0)).collect();
    if of.len() > 20 {
        return d.unwritten("リリースの候補が20枚を超える場合", &["ygo:2.4.25.4"]);
    }
    let mut whole = Vec::new();
    for bits in 1u32..1 << of.len() {
        let set: Vec<usize> = (0..of.len()).filter(|i| bits & 1 << i != 0).collect();
        if unfit(d, who, card, &of, &levels, &set, sum, exact).is_none() {
            whole.push(set.into_iter().map(|i| i as i32).collect::<Vec<i32>>());
        }
    }
    if whole.is_empty() {
        return Ok(false);
    }
    // The fewest first: nobody is asked about more than is needed. Last those of which one could be left out.
    let total = |set: &[i32]| set.iter().map(|i| levels[*i as usize]).sum::<i32>();
    let more = |set: &[i32]| !exact && set.len() > 1 && set.iter().any(|i| total(set) - levels[*i as usize] >= sum);
    whole.sort_by_key(|set| (more(set), set.len()));
    let things: Vec<Thing> = of.iter().map(|c| Thing::Card(*c)).collect();
    let max = things.len();
    let mut question = Question::new(who, Word("リリース"), Asks::Choose { of: things, min: 1, max });
    question = question.about(Some(card)).citing(ygo!("2.4.25.4", Limit));
    question.whole = whole;
    question.refused = unreleasable(d, who);
    let set: Vec<usize> = d.ask(question)?.into_iter().map(|i| i as usize).collect();
    if let Some((cite, why)) = unfit(d, who, card, &of, &levels, &set, sum, exact) {
        let what = format!("儀式召喚 {}", d.card_name(card));
        return Err(Halt::Refused(Box::new(Refusal { what, cite: Some(cite), why: why.into() })));
    }
    if more(&set.iter().map(|i| *i as i32).collect::<Vec<_>>()) {
        return d.undecided("必要より多くのモンスターを儀式のためにリリースできるかの定めがない", &["ygo:2.4.25.4"]);
    }
    let released: Vec<Ref> = set.iter().map(|i| of[*i]).collect();
    d.step(ygo!("2.4.26.2"), |d| release(d, who, &released, cause))?;
    let zones = landing::zones(d, who, card, &[]);
    let Some(to) = landing::ask(d, who, card, zones)? else { return Ok(false) };
    let state = position(d, who, card, None, ygo!("2.4.26.5", Limit))?;
    d.step(ygo!("2.4.26.4"), |d| arrive(d, who, card, to, state, Word("儀式召喚"), cause).map(|_| ()))?;
    Ok(true)
}

/// 4.1.1.4, 2.4.15.1, 2.4.1.1: what a ritual cannot count: cards that lie as spells, and monsters that have no level.
fn unreleasable(d: &mut Duel, who: Seat) -> Vec<(Thing, &'static Cite)> {
    let mut found = Vec::new();
    for card in at_hand(d, who) {
        let cite = match () {
            () if lies_as(d, card, "エクシーズモンスター") => ygo!("2.4.15.1", Limit),
            () if lies_as(d, card, "リンクモンスター") => ygo!("2.4.1.1", Limit),
            () if super::summon::unreleasable(d, who, card) => ygo!("3.3.8.1", Limit),
            () => continue,
        };
        found.push((Thing::Card(card), cite));
    }
    let spells = super::summon::among_spells(d, who).into_iter();
    found.extend(spells.map(|card| (Thing::Card(card), ygo!("4.1.1.4", Limit))));
    found
}

fn release(d: &mut Duel, who: Seat, cards: &[Ref], cause: Cause) -> Flow {
    let mut events = Vec::new();
    for card in cards {
        let to = graveyard(d, *card);
        let mut event = d.moving(*card, to).by(cause).seat(who);
        event.how = Word("リリース");
        events.push(event);
    }
    d.happen(events)
}

/// Why these releases will not do.
#[allow(clippy::too_many_arguments)]
fn unfit(
    d: &mut Duel,
    who: Seat,
    card: Ref,
    of: &[Ref],
    levels: &[i32],
    set: &[usize],
    sum: i32,
    exact: bool,
) -> Option<(&'static Cite, &'static str)> {
    let cite = ygo!("2.4.25.4", Limit);
    let total: i32 = set.iter().map(|i| levels[*i]).sum();
    d.trace.reach(cite);
    let enough = if exact { total == sum } else { total >= sum };
    if !enough && d.on(cite) {
        return Some((cite, "レベルの合計が条件を満たさない"));
    }
    let gone: Vec<Ref> = set.iter().map(|i| of[*i]).collect();
    landing::zones(d, who, card, &gone)
        .is_empty()
        .then_some((ygo!("1.1.3.3", Limit), "メインモンスターゾーンに空きがない"))
}
