//! 1203, 1204: by what a Z/X or Ascension that died of its damage was destroyed.

use super::places::zone;
use super::schema::{BATTLE_AT, BATTLE_BY, BEGUN, CHECKED, DAMAGE, EFFECT_AT, EFFECT_BY, POWER, PROCESSED, at};
use crate::card::{Change, Kind, Word};
use crate::kernel::table::Holds;
use crate::kernel::{CardId, Cause, Cite, Duel, Event, Flow, Means, Ref, What};

/// A card in one of its lives as a number that a fact can hold.
fn code(card: Ref) -> i32 {
    (i32::from(card.id.0) + 1) << 15 | i32::from(card.life)
}

fn decode(code: i32) -> Option<Ref> {
    (code > 0).then(|| Ref { id: CardId((code >> 15) as u16 - 1), life: (code & 0x7fff) as u16 })
}

/// Remembers what dealt damage, and when.
pub fn remember(d: &mut Duel, events: &[Event]) {
    for event in events {
        let (What::Grow { fact: DAMAGE }, Some(card)) = (&event.what, event.card) else { continue };
        let (by, when) =
            if event.cause.means == Means::Battle { (BATTLE_BY, BATTLE_AT) } else { (EFFECT_BY, EFFECT_AT) };
        let clock = d.t.clock as i32;
        *d.aside().card(card.id, by) = event.cause.card.map_or(0, code);
        *d.aside().card(card.id, when) = clock;
    }
}

/// A source that hurt the card, when, and the clause by which that counts.
type Claim = (i32, Ref, &'static Cite);

/// How the card is destroyed and by what. `first`: nothing else was carried out before in this check (reading C30).
pub fn blame(d: &mut Duel, card: Ref, first: bool) -> Flow<(Word, Cause)> {
    let effect = by_effect(d, card, first);
    let battle = by_battle(d, card);
    match (effect, battle) {
        (Some(_), Some(_)) if asked(d) => d.undecided(
            "バトルで破壊され、かつ効果により破壊されたゼクスを、一度に両方とは表せない",
            &["zx:1203.1", "zx:1204.5"],
        ),
        (Some(cause), _) => Ok((Word("効果"), cause)),
        (None, Some(cause)) => Ok((Word("バトル"), cause)),
        (None, None) => Ok((Word(""), Cause::RULE)),
    }
}

/// Somebody wants to know.
fn asked(d: &mut Duel) -> bool {
    let particular = |p: &crate::card::Pattern| p.event == "破壊" && (p.how.is_some() || p.by.is_some());
    let view = d.look();
    view.cards.iter().any(|c| c.abilities.iter().any(|a| a.when.iter().any(particular)))
        || d.t.watches.iter().any(|w| particular(&w.when))
}

/// 1203.1, 1203.2: damaged in battle, and dead in the pre-processing right after it.
fn by_battle(d: &mut Duel, card: Ref) -> Option<Cause> {
    let facts = &d.t.obj(card.id).facts;
    let source = decode(facts[BATTLE_BY]).filter(|_| facts[BATTLE_AT] > d.t.facts[PROCESSED])?;
    let seat = Some(d.seen(source).controller);
    let said = d.applies(zx!("1203.2", Meaning), |d| {
        format!("{}は{}をバトルで破壊した", d.card_name(source), d.card_name(card))
    });
    d.trace.reach(zx!("1203.1", Frame));
    said.then_some(Cause { means: Means::Battle, card: Some(source), seat })
}

/// 1204.3–1204.6: the last effect that hurt or weakened it, if it dies of that in the first check after it.
fn by_effect(d: &mut Duel, card: Ref, first: bool) -> Option<Cause> {
    let begun = d.t.facts[BEGUN];
    let mut claims = weakened(d, card, begun);
    let facts = &d.t.obj(card.id).facts;
    if let Some(source) = decode(facts[EFFECT_BY]).filter(|_| facts[EFFECT_AT] > begun) {
        claims.push((facts[EFFECT_AT], source, zx!("1204.3", Meaning)));
    }
    let (when, source, cite) = last(d, claims)?;
    let late = when <= d.t.facts[CHECKED];
    if late
        && d.applies(zx!("1204.6", Limit), |d| {
            format!("{}は後から生じたルールエフェクトで破壊される", d.card_name(card))
        })
    {
        return None;
    }
    if !first && d.reading(zx!("C30", Reading), "a") == "b" {
        return None;
    }
    let said = d.applies(cite, |d| format!("{}は{}の効果により破壊された", d.card_name(card), d.card_name(source)));
    let seat = Some(d.seen(source).controller);
    // What destroys it is the rule effect; it only counts as destroyed by the source. So nothing that stops effects (1014.1)
    // stops it.
    said.then_some(Cause { means: Means::Rule, card: Some(source), seat })
}

/// 1204.5: of several sources only the last.
fn last(d: &mut Duel, mut claims: Vec<Claim>) -> Option<Claim> {
    claims.sort_by_key(|c| c.0);
    let several = claims.iter().any(|c| c.1 != claims[0].1);
    if several && !d.applies(zx!("1204.5", Order), |_| "最後の効果だけが破壊したものとみなされる".into())
    {
        claims.reverse();
    }
    claims.pop()
}

/// 811.7, 1204.4: effects that began since then and without which the power would be higher.
fn weakened(d: &mut Duel, card: Ref, since: i32) -> Vec<Claim> {
    let power = |cards: &[std::sync::Arc<crate::kernel::Seen>]| {
        cards[card.id.0 as usize].number(const { at(POWER) }).unwrap_or(0)
    };
    let now = power(&d.look().cards);
    let mut claims = Vec::new();
    for i in 0..d.t.ongoing.len() {
        let ongoing = d.t.ongoing[i].clone();
        let (Some(source), Holds::Changes(_)) = (ongoing.source, &ongoing.holds) else { continue };
        if ongoing.stamp as i32 > since && power(&d.imagine(|t| drop(t.ongoing.remove(i))).cards) > now {
            claims.push((ongoing.stamp as i32, source, zx!("1204.4", Meaning)));
        }
    }
    for id in d.t.ids() {
        let view = d.look();
        let lowers =
            view.cards[id.0 as usize].abilities.iter().any(|a| a.kind == Kind::Static && a.grant.iter().any(numeric));
        // It applies since both are there.
        let dates = d.t.dates.iter().filter(|e| e.0.id == id).map(|e| e.2).max();
        let arrived = dates.unwrap_or(d.t.obj(id).since).max(d.t.obj(card.id).since) as i32;
        let away = zone("リムーブゾーン", d.t.obj(id).owner);
        if lowers && id != card.id && arrived > since && power(&d.imagine(|t| t.obj_mut(id).zone = away).cards) > now {
            claims.push((arrived, d.t.now(id), zx!("1204.4", Meaning)));
        }
    }
    claims
}

fn numeric(change: &Change) -> bool {
    matches!(change, Change::Add(..) | Change::Down(..) | Change::Set(..))
}
