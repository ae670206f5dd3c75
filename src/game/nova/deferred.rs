//! 905.7: cards that a replacement draws are drawn after what it leaves of the effect.

use super::{acts, say};
use crate::card::{Replace, Step, Word};
use crate::kernel::table::Holds;
use crate::kernel::{CardId, Cause, Duel, Flow, Means, Ref, Seat};

/// How a draw that waits for its turn is noted.
const LATER: &str = "置換により引く";

/// A replacement: its card and its number there.
type By = (Option<Ref>, u32);

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
    let note = noted(&d.replacing);
    d.aside().agenda().push((note, seat));
    Ok(true)
}

/// 802.1.3.3.3: by which replacements the draw has come about, so that they do not have it again.
fn noted(by: &[By]) -> Word {
    let one = |(card, number): &By| match card {
        Some(card) => format!("{}.{}.{number}", card.id.0, card.life),
        None => format!("..{number}"),
    };
    Word::new(&format!("{LATER}{}", by.iter().map(one).collect::<Vec<_>>().join("/")))
}

fn read(note: &str) -> Vec<By> {
    let one = |text: &str| {
        let mut parts = text.split('.');
        let (id, life, number) = (parts.next()?, parts.next()?, parts.next()?);
        let card = id.parse().ok().zip(life.parse().ok()).map(|(id, life)| Ref { id: CardId(id), life });
        Some((card, number.parse().ok()?))
    };
    note.strip_prefix(LATER).unwrap_or_default().split('/').filter_map(one).collect()
}

/// The text of the replacement.
fn text(d: &mut Duel, by: By) -> Option<Replace> {
    let made = d.t.ongoing.iter().find(|o| o.stamp == by.1 && o.source == by.0).and_then(|o| match &o.holds {
        Holds::Instead(instead) => Some((**instead).clone()),
        _ => None,
    });
    let source = by.0.filter(|s| d.t.is_now(*s))?;
    made.or_else(|| d.seen(source).abilities.get(by.1 as usize).and_then(|a| a.instead.clone()))
}

/// What was put off is drawn now, one by one.
pub fn draw(d: &mut Duel) -> Flow {
    while let Some(at) = d.t.agenda.iter().position(|(what, _)| what.starts_with(LATER)) {
        let (note, seat) = d.aside().agenda().remove(at);
        d.cites(nova!("905.7", Order), |_| "置換されなかった部分の後に、カードを引く".into());
        let outer = std::mem::replace(&mut d.replacing, read(&note));
        let done = acts::draw_now(d, seat, Cause { means: Means::Effect, card: None, seat: Some(seat) });
        d.replacing = outer;
        done?;
    }
    Ok(())
}
