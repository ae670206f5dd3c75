//! 905.7: cards that a replacement draws are drawn after what it leaves of the effect.

use super::{acts, say};
use crate::card::{Replace, Step, Word};
use crate::kernel::table::Holds;
use crate::kernel::{Cause, Duel, Flow, Means, Seat};

/// How a draw that waits for its turn is noted.
const LATER: Word = Word("置換により引く");

/// Whether the draw is put off; reading C37.
pub fn waits(d: &mut Duel, seat: Seat) -> Flow<bool> {
    let Some(by) = d.replacing.last().copied() else { return Ok(false) };
    let Some(steps) = text(d, by).map(|r| r.steps.clone()) else { return Ok(false) };
    if d.reading(nova!("C37", Reading), "a") == "b" || !say(d, [nova!("905.7", Order)]) {
        return Ok(false);
    }
    let draws = |s: &Step| matches!(s, Step::Draw { .. });
    let from = steps.iter().position(draws).unwrap_or(steps.len());
    if !steps[from..].iter().all(draws) {
        return d.undecided("引いた後にも処理のある置換効果の順番", &["nova:905.7"]);
    }
    d.aside().agenda().push((LATER, seat));
    Ok(true)
}

/// The text of the replacement.
fn text(d: &mut Duel, by: (Option<crate::kernel::Ref>, u32)) -> Option<Replace> {
    let made = d.t.ongoing.iter().find(|o| o.stamp == by.1 && o.source == by.0).and_then(|o| match &o.holds {
        Holds::Instead(instead) => Some((**instead).clone()),
        _ => None,
    });
    let source = by.0.filter(|s| d.t.is_now(*s))?;
    made.or_else(|| d.seen(source).abilities.get(by.1 as usize).and_then(|a| a.instead.clone()))
}

/// What was put off is drawn now, one by one.
pub fn draw(d: &mut Duel) -> Flow {
    while let Some(at) = d.t.agenda.iter().position(|(what, _)| *what == LATER) {
        let (_, seat) = d.aside().agenda().remove(at);
        d.cites(nova!("905.7", Order), |_| "置換されなかった部分の後に、カードを引く".into());
        acts::draw(d, seat, Cause { means: Means::Effect, card: None, seat: Some(seat) })?;
    }
    Ok(())
}
