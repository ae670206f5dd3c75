//! 1301: loops.

use std::sync::Arc;

use super::odo;
use super::schema::{ATTRIBUTES, CANDY, FIRST_ODO, ODO};
use super::setup;
use super::zones::{Own, is};
use crate::card::{Part, Parts, Step, Word};
use crate::kernel::rounds::{Act, Chosen, LONG, Leeway, MOST};
use crate::kernel::table::{CardId, Outcome, Ref};
use crate::kernel::{Asks, Cite, Duel, Flow, Move, Question, Seat};

/// The position in which somebody is about to act, as far as loops are looked for.
pub struct Here {
    position: u64,
    /// Without what a round may leave more of, and how much of that there is.
    shape: u64,
    tally: Vec<i32>,
}

impl Here {
    /// Somebody may act, and it `matters` ([`matters`]).
    pub fn of(d: &Duel, acts: bool, matters: bool) -> Here {
        if !d.may_go_round() {
            return Here { position: 0, shape: 0, tally: Vec::new() };
        }
        // Who can only pass goes round even where counters grow.
        let position = if matters { d.position() } else { d.position_but_counters() };
        let looks = acts || is_willing(d);
        let (shape, tally) = if looks { (d.shape(), tally(d)) } else { (0, Vec::new()) };
        Here { position, shape, tally }
    }

    /// Remembers what was done here.
    pub fn note(self, d: &mut Duel, who: Seat, chosen: Move, matters: bool) {
        let others = matters || !chosen.is_pass();
        // What somebody does may be how a round begins, however early it is; so may a pass where somebody says yes again
        // and again.
        let begins = others && !chosen.is_pass() || d.may_go_round() && is_willing(d);
        let shape = if begins { d.shape() } else { 0 };
        let tally = if begins { tally(d) } else { Vec::new() };
        d.note_act(self.position, who, chosen, others);
        d.tallies.push((shape, tally));
    }
}

/// There is something to do besides passing. What only makes odo out of a 魔法少女 stops nothing, unless a text waits for it:
/// what could be paid with the odo is offered already.
pub fn matters(d: &mut Duel, moves: &[Move]) -> bool {
    if moves.len() < 2 || !d.may_go_round() {
        return moves.len() > 1;
    }
    let harmless = |d: &mut Duel, m: &Move| {
        let (Some(card), Some(number)) = (m.card, m.ability) else { return false };
        is(d.t.obj(card.id).zone, Own::Girls)
            && d.seen(card).abilities.get(usize::from(number)).is_some_and(|a| only_odo(a))
    };
    let waits = |part: Part| matches!(part, Part::Pattern(p) if ["オド能力", "オド", "レスト", "起動"].contains(&p.event.as_str()));
    !moves.iter().all(|m| m.is_pass() || harmless(d, m))
        || d.given.defs.iter().any(|def| def.card.abilities.has_part(waits))
}

/// It rests its card and makes odo, and does nothing else.
fn only_odo(ability: &crate::card::Ability) -> bool {
    let rests = |s: &Step| matches!(s, Step::Turn { what: Some(what), all: None, .. } if *what == "this");
    let makes = |s: &Step| matches!(s, Step::Act { name, .. } if name.ends_with("オドを生み出す"));
    let plain = ability.price.is_none() && ability.cost.iter().all(rests);
    plain && odo::is_odo(ability) && ability.steps.iter().all(makes)
}

/// So many acts of a turn go by before what everybody lets go round is given up.
const PATIENT: usize = 100;

/// Of late somebody took what a text offered.
fn is_willing(d: &Duel) -> bool {
    let late = |c: &&Chosen| c.at + 2 * LONG > d.acts.len();
    d.choices.iter().rev().take_while(late).any(|c| c.leeway == Leeway::Offered)
}

/// By choosing otherwise the player might have stopped it: that is not made out. In which order abilities are activated,
/// and how a 怪異 is put where no text looks at that, changes nothing.
fn could_stop(d: &Duel, chosen: &Chosen) -> bool {
    let looks = |part: Part| match part {
        Part::Filter(filter) => filter.state.is_some(),
        Part::Pattern(p) => ["リバース", "リカバー", "レスト", "スイッチ"].contains(&p.event.as_str()),
        Part::Until(until) => until.contains("状態"),
        _ => false,
    };
    match chosen.slot.as_str() {
        "誘発能力" | "誘発能力の番号" | "順番" | "適用順" => false,
        "配置状態" => d.given.defs.iter().any(|def| def.card.abilities.has_part(looks)),
        _ => true,
    }
}

/// What players may have more and more of: candy and odo.
pub const GROW: [usize; 2 + 1 + ATTRIBUTES.len()] = {
    let mut facts = [CANDY; 2 + 1 + ATTRIBUTES.len()];
    facts[1] = ODO;
    let mut i = 0;
    while i <= ATTRIBUTES.len() {
        facts[2 + i] = FIRST_ODO + i;
        i += 1;
    }
    facts
};

fn tally(d: &Duel) -> Vec<i32> {
    let players = d.t.seats.iter().flat_map(|facts| GROW.map(|at| facts[at]));
    let marks = d.t.cards.iter().map(|card| card.marks.iter().map(|(_, n)| *n).sum());
    players.chain(marks).collect()
}

/// There are counters, and a text looks at how many: what grows may come to an end.
fn counters_matter(d: &Duel) -> bool {
    let looks = |def: &Arc<crate::kernel::Def>| {
        let text = format!("{:?}", def.card.abilities);
        text.contains("Marks(") || text.contains("Fact(")
    };
    has_counters(d) && d.given.defs.iter().any(looks)
}

fn has_counters(d: &Duel) -> bool {
    d.t.seats.iter().any(|facts| facts[CANDY] > 0) || d.t.cards.iter().any(|card| !card.marks.is_empty())
}

/// The same acts have brought the same table again and again but for what there is more of now: what was paid must have
/// come back, or it could not go on as long as one likes.
fn growing_round(d: &Duel, who: Seat, here: &Here) -> Option<Vec<Act>> {
    if here.shape == 0 || d.tallies.len() != d.acts.len() {
        return None;
    }
    let now = d.acts.len();
    let acts = |from: usize, to: usize| d.acts[from..to].iter().map(|a| (a.1, a.2));
    let choices = |from: usize, to: usize| d.choices.iter().filter(move |c| c.at > from && c.at <= to);
    let same_choices = |from: usize, by: usize, to: usize| {
        choices(from, by).count() == choices(by, to).count()
            && choices(from, by).zip(choices(by, to)).all(|(a, b)| a.is_again(b))
    };
    let grows = |a: &[i32], b: &[i32]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a <= b);
    let begins = |i: usize| d.tallies[i].0 == here.shape && d.acts[i].1 == who;
    // The shortest round that was gone through twice.
    let last = (now.div_ceil(2)..now).rev().find(|last| {
        let before = 2 * last - now;
        begins(*last)
            && begins(before)
            && acts(before, *last).eq(acts(*last, now))
            && same_choices(before, *last, now)
            && grows(&d.tallies[before].1, &d.tallies[*last].1)
            && grows(&d.tallies[*last].1, &here.tally)
    })?;
    Some(d.acts[last..].to_vec())
}

/// 1301.1a, 1301.1b: who goes round names how often, it is gone round as often, and then they do something else.
pub fn repetition(d: &mut Duel, who: Seat, here: &Here) -> Flow {
    if d.acts.len() < LONG || !d.rounds_to_go.is_empty() {
        return Ok(());
    }
    let (round, grows) = match d.round(who, here.position) {
        Some(round) => (round, false),
        None => match growing_round(d, who, here) {
            Some(round) => (round, true),
            None => return Ok(()),
        },
    };
    let since = d.acts.len() - round.len();
    let choices: Vec<Chosen> = d.choices.iter().filter(|c| c.at > since).cloned().collect();
    let mut choosers: Vec<Seat> =
        Seat::BOTH.into_iter().filter(|s| round.iter().any(|a| a.1 == *s && !a.2.is_pass())).collect();
    // Nobody acts, and what goes round does so because somebody says yes each time.
    let willing = choosers.is_empty();
    if willing {
        let offered = |s: &Seat| choices.iter().any(|c| c.seat == *s && c.leeway == Leeway::Offered);
        choosers = Seat::BOTH.into_iter().filter(offered).collect();
        if counters_matter(d) {
            return Ok(());
        }
        // Somebody could do something else and passes: whether that would stop it is not made out.
        if choosers.is_empty() && round.iter().any(|a| a.3) {
            return match d.acts.len() > PATIENT {
                true => d.unwritten("ほかの行動をすれば止まるかもしれないループ", &["msd:1301.1a", "msd:1301.1c"]),
                false => Ok(()),
            };
        }
        let bound = |c: &Chosen| c.leeway != Leeway::Offered && !choosers.contains(&c.seat) && could_stop(d, c);
        if choices.iter().any(bound) {
            return d.unwritten("ほかのものを選べば止まるかもしれないループ", &["msd:1301.1a", "msd:1301.1c"]);
        }
    }
    let times = |d: &mut Duel, seat: Seat| {
        let asks = Asks::Number { min: 0, max: MOST };
        // 104.5a: some number, not ∞.
        d.ask(Question::new(seat, Word("ループの回数"), asks).citing(msd!("104.5a", Limit))).map(|n| n[0])
    };
    let (barred, n) = match choosers.as_slice() {
        // 1301.1c: nobody did anything, and nobody could have.
        [] => return endless(d),
        [one] => {
            let cite = msd!("1301.1a");
            if !d.on(cite) {
                return Ok(());
            }
            d.trace.reach(cite);
            (*one, times(d, *one)?)
        }
        _ => {
            let cite = msd!("1301.1b");
            if !d.on(cite) {
                return Ok(());
            }
            d.trace.reach(cite);
            let active = d.t.active;
            let n = times(d, active)?;
            let m = times(d, active.other())?;
            (if m < n { active.other() } else { active }, n.min(m))
        }
    };
    if grows || willing && has_counters(d) {
        let times = n.max(0) as usize;
        let once: Vec<(Seat, Move)> = round.iter().rev().map(|a| (a.1, a.2)).collect();
        d.rounds_to_go = std::iter::repeat_n(once, times).flatten().collect();
        let chosen: Vec<Chosen> = choices.iter().rev().cloned().collect();
        d.answers_to_go = std::iter::repeat_n(chosen, times).flatten().collect();
    }
    let others = round.iter().filter(|a| a.1 != barred && !a.2.is_pass()).map(|a| (a.1, a.2, Vec::new()));
    let others: Vec<_> = others.collect();
    if grows {
        // In a round that leaves more only the shape of the table is the same.
        let shapes = d.tallies[d.acts.len() - round.len()..].iter().map(|(shape, _)| *shape);
        let round: Vec<Act> = round.iter().zip(shapes).map(|(a, shape)| (shape, a.1, a.2, a.3)).collect();
        d.bar(&round, |a| a.1 == barred);
    } else {
        d.bar(&round, |a| a.1 == barred);
    }
    d.barred.extend(others);
    // Of what the other said yes to only that they did is kept: it tells the loop of two from the loop of one.
    let agreed = choices.iter().filter(|c| willing && c.leeway == Leeway::Offered);
    let places = |c: &Chosen| if c.seat == barred { vec![c.here] } else { Vec::new() };
    d.barred.extend(agreed.map(|c| (c.seat, agreement(c.card), places(c))));
    d.tallies.clear();
    Ok(())
}

/// What is barred of a player who said yes to a card: saying it again.
fn agreement(card: Option<CardId>) -> Move {
    Move { verb: Word("応じる"), card: card.map(|id| Ref { id, life: 0 }), ..Move::PASS }
}

/// 1301.1a, 1301.1b: the loop went round as often as was said, and the player does not say yes once more.
pub fn had_enough(d: &Duel, who: Seat, card: Option<Ref>) -> Option<&'static Cite> {
    let yes = agreement(card.map(|card| card.id));
    if !d.answers_to_go.is_empty() || !d.barred.iter().any(|(seat, m, _)| *seat == who && *m == yes) {
        return None;
    }
    let here = d.shape();
    let again = d.barred.iter().any(|(seat, m, at)| *seat == who && *m == yes && at.contains(&here));
    again.then(|| barred_by(d))
}

/// 1301.1a, 1301.1b: once something else has been done, the loop may be gone round again.
pub fn left(d: &mut Duel, who: Seat, done: &Move) {
    if !done.is_pass() && !d.barred.iter().any(|(seat, m, _)| *seat == who && m == done) {
        d.barred.clear();
    }
}

/// The clause by which the loop is not gone on with: two players had named a number, or one.
pub fn barred_by(d: &Duel) -> &'static Cite {
    let of = |seat: Seat| d.barred.iter().any(|(s, ..)| *s == seat);
    if Seat::BOTH.into_iter().all(of) { msd!("1301.1b") } else { msd!("1301.1a") }
}

/// The next act of a loop that is gone round as often as was said. Whatever else has come about ends it.
pub fn goes_round(d: &mut Duel, who: Seat, moves: &[Move]) -> Option<Move> {
    if let Some((seat, chosen)) = d.rounds_to_go.pop()
        && seat == who
        && moves.contains(&chosen)
    {
        return Some(chosen);
    }
    d.rounds_to_go.clear();
    d.answers_to_go.clear();
    None
}

/// The same for what is about to be done, while no loop is being gone round.
pub fn goes_on(d: &Duel, who: Seat, m: &Move) -> bool {
    !d.barred.is_empty()
        && d.rounds_to_go.is_empty()
        && [true, false].into_iter().any(|matters| is_barred(d, who, m, &Here::of(d, true, matters)))
}

/// 1301.1a, 1301.1b: it would go on with a loop that has been gone round.
pub fn is_barred(d: &Duel, who: Seat, m: &Move, here: &Here) -> bool {
    let in_it = |at: &[u64]| at.contains(&here.position) || here.shape != 0 && at.contains(&here.shape);
    // Who names none of the abilities means the first there is.
    let same = |barred: &Move| barred == m || m.ability.is_none() && Move { ability: None, ..*barred } == *m;
    !m.is_pass() && d.barred.iter().any(|(seat, barred, at)| *seat == who && same(barred) && in_it(at))
}

/// 1301.1c: what nobody can stop is a draw.
pub fn endless(d: &mut Duel) -> Flow {
    let cite = msd!("1301.1c", Check);
    if !d.on(cite) {
        return d.endless("誰も止められないループ", &["msd:1301.1"]);
    }
    d.under(cite, |d| setup::over(d, Outcome::Draw))
}
