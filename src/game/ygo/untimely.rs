//! 2.3.3.1: why a triggered effect cannot be activated when a player wants it: it has its own time, and by which clause
//! this is not it.

use std::sync::Arc;

use super::chain::last_stamp;
use crate::card::{Ability, Kind, Pattern};
use crate::kernel::eyes::{Ctx, Memory};
use crate::kernel::verb::{Allowed, no};
use crate::kernel::{Cite, Duel, Event, ItemKind, Means, Move, Ref, Slots};

type Why = (&'static Cite, &'static str);

/// There is nothing about the card that a player could activate now.
pub fn nothing(d: &mut Duel, m: &Move) -> Allowed {
    let none = no(ygo!("4.1.3.1", Frame), "発動できる効果がない");
    let Some(card) = m.card else { return none };
    let piles = d.t.contexts.iter().flat_map(|c| &c.pile);
    if piles.into_iter().any(|item| item.card == Some(card) && item.kind == ItemKind::Spell) {
        return no(ygo!("4.1.3.1", Frame), "もう発動していて、チェーンの処理を待っている");
    }
    let meant = |n: usize| m.ability.is_none_or(|wanted| usize::from(wanted) == n);
    let seen = d.seen(card);
    let own = seen.abilities.iter().enumerate().filter(|(n, a)| a.kind == Kind::Triggered && meant(*n));
    let own: Vec<Arc<Ability>> = own.map(|(_, a)| a.clone()).collect();
    if own.is_empty() {
        return none;
    }
    let (cite, why) = waits(d, card, &own)
        .or_else(|| own.iter().find_map(|ability| passed(d, card, ability)))
        .or_else(|| own.iter().find_map(|ability| otherwise(d, card, ability)))
        .unwrap_or((ygo!("2.3.3.1", Frame), "誘発効果は、定められたタイミングにしか発動しない"));
    no(cite, why)
}

/// It has been triggered, and its turn has not come.
fn waits(d: &Duel, card: Ref, own: &[Arc<Ability>]) -> Option<Why> {
    let mut pending = d.t.contexts.iter().flat_map(|c| &c.pending);
    let waiting = pending.find(|p| p.source.id == card.id && own.iter().any(|a| a.id == p.ability.id))?;
    let ending = waiting.event.name == "エンドフェイズ" && d.on(ygo!("3.3.18.2", Meaning));
    Some(match ending {
        true => (ygo!("3.3.18.2", Meaning), "エンドフェイズの効果は1つずつ処理し、チェーンに乗せない"),
        false => (ygo!("2.3.3.1", Frame), "チェーンの処理が済んでから発動する"),
    })
}

/// What it waits for has happened this turn.
fn passed(d: &mut Duel, card: Ref, ability: &Ability) -> Option<Why> {
    let event = latest(d, card, ability, |p| p.clone())?.1;
    let late = ability.timing.is_some_and(|t| t == "時") && ability.optional && last_stamp(&d.t) > event.stamp;
    Some(match late && d.on(ygo!("4.1.6.1", Limit)) {
        true => (ygo!("4.1.6.1", Limit), "条件を満たした後に別の処理があった"),
        false => (ygo!("2.3.3.1", Frame), "定められたタイミングはもう過ぎた"),
    })
}

/// Something like it has happened, but in a manner that texts tell apart.
fn otherwise(d: &mut Duel, card: Ref, ability: &Ability) -> Option<Why> {
    if let Some((pattern, event)) = latest(d, card, ability, |p| Pattern { how: None, ..p.clone() }) {
        let wanted = pattern.how.unwrap_or_default();
        let paid = matches!(event.cause.means, Means::Cost | Means::Battle) && wanted.starts_with("効果");
        return Some(match () {
            () if paid => (ygo!("4.1.2.2", Meaning), "コストや戦闘による破壊は「カードの効果」ではない"),
            () if wanted.ends_with("破壊") && event.how == "リリース" => {
                (ygo!("4.1.1.3", Frame), "リリースは「破壊」ではない")
            }
            () if wanted.ends_with("破壊") && !event.how.ends_with("破壊") => {
                (ygo!("4.1.14.1", Frame), "「破壊」されて墓地へ送られたのではない")
            }
            () => return None,
        });
    }
    let named = |name: &str| ability.when.iter().any(|p| p.event == name);
    let happened = |name: &str| d.t.happened.iter().any(|e| e.name == name);
    let looked = d.t.happened.iter().any(|e| e.name == "見る" && e.card.is_some_and(|c| c.id == card.id));
    if named("リバース") && looked {
        return Some((ygo!("4.1.20.1", Frame), "めくって確かめるだけでは「リバース」にならない"));
    }
    let hurt = named("戦闘ダメージ") && happened("効果ダメージ") && !happened("戦闘ダメージ");
    hurt.then_some((ygo!("4.1.8.1", Frame), "効果によるダメージは戦闘ダメージではない"))
}

/// The last event of the turn that fits what the ability waits for, read so.
fn latest(
    d: &mut Duel,
    card: Ref,
    ability: &Ability,
    read: impl Fn(&Pattern) -> Pattern,
) -> Option<(Pattern, Arc<Event>)> {
    let (slots, seat) = (Slots::default(), d.seen(card).controller);
    let events: Vec<Arc<Event>> = d.t.happened.iter().rev().cloned().collect();
    let found = |eyes: &crate::kernel::eyes::Eyes, event: &Event| {
        let ctx = Ctx { this: Some(card), seat, slots: &slots, event: Some(event) };
        ability.when.iter().find(|p| eyes.event_fits(&ctx, &read(p), event)).cloned()
    };
    d.see_with(&Memory::default(), |eyes| events.iter().find_map(|e| found(eyes, e).map(|p| (p, e.clone()))))
}
