//! 3.3.18: effects of the end phase, one after another, the turn player's first.

use super::activate;
use super::chain;
use crate::card::Word;
use crate::kernel::{Asks, Duel, Flow, Pending, Question, Seat, Thing};

/// Carries out one of the effects that wait. False: none of them is wanted any more.
pub fn one_of(d: &mut Duel, due: Vec<Pending>) -> Flow<bool> {
    let mut waiting: [Vec<Pending>; 2] = [Vec::new(), Vec::new()];
    for pending in due {
        if !chain::is_spent(d, &pending, &[]) && chain::can(d, &pending) {
            waiting[pending.seat.index()].push(pending);
        }
    }
    let mut first = d.t.active;
    let both = waiting.iter().all(|w| !w.is_empty());
    d.cites(ygo!("3.3.18.2", Meaning), |_| "エンドフェイズの効果は1つずつ処理する".into());
    if both && !d.applies(ygo!("3.3.18.3", Order), |_| "ターンプレイヤーの効果から処理する".into()) {
        first = first.other();
    }
    let mut yielded = false;
    for seat in [first, first.other(), first] {
        let mine = std::mem::take(&mut waiting[seat.index()]);
        if mine.is_empty() {
            continue;
        }
        let must = mine.iter().any(|p| !p.ability.optional);
        // 3.3.18.4: between two of them the turn player may let the other go on.
        let yields = d.on(ygo!("3.3.18.4")) && !yielded && !waiting[seat.other().index()].is_empty();
        // Who was let go on may.
        let may = yields || yielded && seat != first;
        let Some(at) = chosen(d, seat, &mine, must && !may)? else {
            if yields {
                d.cites(ygo!("3.3.18.4"), |_| "優先権を一時的に放棄する".into());
            }
            yielded = true;
            waiting[seat.index()] = mine;
            continue;
        };
        let mut mine = mine;
        let now = mine.remove(at);
        waiting[seat.index()] = mine;
        let left: Vec<Pending> = waiting.into_iter().flatten().collect();
        d.aside().pending().extend(left);
        if activate::trigger(d, &now)? {
            chain::run(d, seat)?;
        }
        return Ok(true);
    }
    Ok(false)
}

fn chosen(d: &mut Duel, seat: Seat, mine: &[Pending], must: bool) -> Flow<Option<usize>> {
    let of: Vec<Thing> = mine.iter().map(|p| Thing::Card(p.source)).collect();
    let asks = Asks::Choose { of, min: usize::from(must), max: 1 };
    let question = Question::new(seat, Word("エンドフェイズの処理"), asks).citing(ygo!("3.3.18.1", Frame));
    Ok(d.ask(question)?.first().map(|i| *i as usize))
}
