//! 3.3.11: effects that last for a number of turns of one player, and what else ends them.

use super::schema::TURN_BEGAN;
use crate::card::{Change, Word};
use crate::kernel::table::Holds;
use crate::kernel::{Duel, Flow, Ongoing, Ref, Seat};

/// The words for them, as the player who made the effect says it: own turns, the opponent's turns.
const LEFT: [[&str; 3]; 2] = [
    ["自分の1ターン目の終了時", "自分の2ターン目の終了時", "自分の3ターン目の終了時"],
    ["相手の1ターン目の終了時", "相手の2ターン目の終了時", "相手の3ターン目の終了時"],
];

/// Whose turns the effect counts, and the word for one less.
fn counts(until: Option<Word>, seat: Seat) -> Option<(Seat, Word)> {
    let until = until?;
    [seat, seat.other()].into_iter().zip(LEFT).find_map(|(whose, words)| {
        let at = words.iter().position(|word| until == *word)?;
        Some((whose, if at == 0 { Word("ターン終了時") } else { Word(words[at - 1]) }))
    })
}

/// 3.3.11.2: the turn that ends is one of those that are counted, where it is that player's. Knocked out, each turn is.
pub fn count_turn(d: &mut Duel) -> Flow {
    if d.t.watches.iter().any(|watch| counts(watch.until, watch.seat).is_some()) {
        return d.unwritten("後で発動する効果の期限を、1人のターンで数えること", &["ygo:3.3.11.2"]);
    }
    let counted = |o: &Ongoing| counts(o.until, o.seat);
    if !d.t.ongoing.iter().any(|o| counted(o).is_some()) {
        return Ok(());
    }
    let active = d.t.active;
    let alone = d.applies(ygo!("3.3.11.2", Meaning), |_| "そのプレイヤーのターンだけを数える".into());
    let here = move |o: &Ongoing| counted(o).filter(|(whose, _)| !alone || *whose == active);
    let began = d.t.facts[TURN_BEGAN] as u32;
    if d.t.ongoing.iter().any(|o| counted(o).is_some_and(|(whose, _)| whose == active) && o.stamp > began) {
        return d.undecided(
            "数えるプレイヤーのターンに始まった効果が、そのターンを数えるかの定めがない",
            &["ygo:3.3.11.2"],
        );
    }
    d.last_until(|o| here(o).map(|(_, word)| word));
    Ok(())
}

/// Reading C66: what effects have made of a monster ends when it is turned face down; whose it is does not.
pub fn turned_down(d: &mut Duel, card: Ref) {
    let ends = |o: &Ongoing| {
        let of_it = o.locked.as_ref().is_some_and(|cards| cards.contains(&card));
        of_it && matches!(o.holds, Holds::Changes(_)) && !gives(o, card)
    };
    if d.t.ongoing.iter().any(ends) && d.reading(ygo!("C66", Reading), "a") != "b" {
        d.let_go(card, ends);
    }
}

/// The effect gives the card to a player.
pub fn gives(o: &Ongoing, card: Ref) -> bool {
    let control = |changes: &[Change]| changes.iter().any(|change| matches!(change, Change::Control(_)));
    o.locked.as_ref().is_some_and(|cards| cards.contains(&card))
        && matches!(&o.holds, Holds::Changes(changes) if control(changes))
}
