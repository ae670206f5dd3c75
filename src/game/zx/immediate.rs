//! What happens at once, in the middle of anything: 901.2a the rule effects 902 and 911–914, 813 special abilities.

use super::places::{is_square, temporary, zone};
use super::schema::{ARRIVING, CAME, LOOKED, schema};
use super::{acts, checks, composite, dates, play, text, unison};
use crate::card::Word;
use crate::kernel::eyes::read;
use crate::kernel::{CardId, Cite, Duel, Event, Flow, What};

/// Remembers what later rules ask for: how a card came, and that it was looked at.
pub fn remember(d: &mut Duel, events: &[Event]) {
    let came = d.t.facts[ARRIVING];
    for event in events {
        let Some(card) = event.after else { continue };
        if event.card != event.after {
            super::force::lose(d, card.id, event.stamp);
        }
        if event.is_move() && event.from == Some(super::force::force_zone()) {
            // What was force is read where it has gone.
            d.trace.reach(zx!("1010.2a", Frame));
        }
        if came > 0 && event.name == "登場" && event.how == "プレイ" {
            *d.fact_in_view(card.id, CAME) = came;
        }
        if event.name == "見る" && schema().spec(d.t.obj(card.id).zone).name == "デッキ" && !d.t.obj(card.id).revealed
        {
            *d.aside().card(card.id, LOOKED) = 1;
        }
    }
}

/// Everything that is due now: the rule effects of the first rank, reload, special abilities.
pub fn at_once(d: &mut Duel, events: &[Event]) -> Flow {
    acts::shields_on_arrival(d, events)?;
    dates::look(d, events)?;
    text::spare(d)?;
    composite::watch(d, &[]);
    let of = suspects(d, events);
    while let Some((card, cite, to)) = bounces(d, &of) {
        d.under(cite, |d| bounce(d, card, to))?;
    }
    while let Some(seat) = unison::parted(d) {
        unison::part(d, seat)?;
    }
    checks::reload(d)?;
    specials(d)?;
    super::priority::states(d);
    Ok(())
}

/// The cards that may lie where they may not since these events, in the order of set-up: those that moved, and those
/// that lie with others; where an effect has begun or changes what kinds cards are, or a clause is knocked out, all.
fn suspects(d: &mut Duel, events: &[Event]) -> Vec<CardId> {
    let kinds = read::datum(const { super::schema::at(super::schema::KIND) });
    if events.is_empty() || !d.stands_whole() || d.look().has_written(kinds) {
        return d.t.ids().collect();
    }
    let moved = |e: &&Event| matches!(e.what, What::Move { .. } | What::Control { .. });
    let mut found: Vec<CardId> = events.iter().filter(moved).filter_map(|e| Some(e.card?.id)).collect();
    if !found.is_empty() {
        found.extend(composite::laid(&d.t));
        found.extend(d.t.zone(super::force::force_zone()));
        found.sort_unstable();
    }
    found
}

/// 911.1, 911.2, 912.1, 913.1, 914.1, 914.2: of these cards one that may not be where it is, and where it goes.
pub fn bounces(d: &mut Duel, of: &[CardId]) -> Option<(CardId, &'static Cite, &'static str)> {
    if d.t.phase == "デッキ構築" {
        return None;
    }
    let view = d.look();
    let kind = const { super::schema::at(super::schema::KIND) };
    let back = !d.t.zone(temporary()).is_empty() && d.reading(zx!("C3", Reading), "a") == "b";
    for &id in of {
        let obj = d.t.obj(id);
        // Reading C3: while it is being played it stays in the temporary zone.
        if obj.zone == temporary() && !back || obj.zone == super::places::limbo() {
            continue;
        }
        let words = view.cards[id.0 as usize].words(kind);
        if words.len() < 2
            && !words.iter().any(|w| matches!(w.as_str(), "シフト" | "リンク" | "ゼクス オーバーブースト"))
        {
            continue;
        }
        let is = |name: &str| words.iter().any(|w| *w == name);
        let (square, dynamis) = (is_square(obj.zone), schema().spec(obj.zone).name == "デュナミス");
        // A part of another card goes with that card.
        if obj.host.is_some_and(|(how, _)| how != composite::SHIFT && how != super::force::FORCE) {
            continue;
        }
        let lost = obj.host.is_some_and(|(_, host)| !is_square(d.t.obj(host).zone) || d.t.obj(host).zone != obj.zone);
        let found = if is("トークン") && !square {
            (zx!("914.1", Check), "消滅")
        } else if is("リンク") && !square {
            (zx!("914.2", Check), "消滅")
        } else if is("ゼクス オーバーブースト") && !square && !dynamis {
            (zx!("912.1", Check), "オーバーブースト")
        } else if is("シフト") && (lost || !square && !dynamis) {
            (zx!("913.1", Check), "デュナミス")
        } else if is("イベント エクストラ") && !dynamis {
            (zx!("911.2", Check), "デュナミス")
        } else if (is("ゼクス エクストラ") || is("アセンション エクストラ")) && !square && !dynamis {
            (zx!("911.1", Check), "デュナミス")
        } else {
            continue;
        };
        if d.on(found.0) {
            return Some((id, found.0, found.1));
        }
    }
    None
}

fn bounce(d: &mut Duel, id: CardId, to: &'static str) -> Flow {
    if to == "オーバーブースト" {
        return composite::come_apart(d, id);
    }
    let owner = d.t.obj(id).owner;
    let place = if to == "消滅" { super::places::limbo() } else { zone(to, owner) };
    let mut event = d.moving(d.t.now(id), place).seat(owner);
    event.name = Word(if to == "消滅" { to } else { "置く" });
    event.what = What::Move { to: place, bottom: false, state: 0, face_up: true, controller: None, host: None };
    if d.propose(vec![event])?.is_empty() {
        return d.undecided("ルールエフェクトで移るカードが移れない", &["zx:102.6", "zx:901.2a"]);
    }
    Ok(())
}

/// 813.1: special abilities whose condition is met, in the middle of whatever is going on.
fn specials(d: &mut Duel) -> Flow {
    loop {
        let special = |p: &crate::kernel::Pending| p.ability.timing.is_some_and(|t| t == "スペシャル");
        let due: Vec<usize> =
            (0..d.t.context().pending.len()).filter(|i| special(&d.t.context().pending[*i])).collect();
        let Some(first) = due.first().copied() else { return Ok(()) };
        if due.len() > 1 {
            return d.undecided("同時に条件を満たした複数のスペシャル能力の順番", &["zx:813.1", "zx:801.2d"]);
        }
        let pending = d.aside().pending().remove(first);
        let cite = if pending.event.name == "ダメージ" { zx!("813.3", Check) } else { zx!("813.2", Check) };
        d.trace.reach(zx!("813.1", Frame));
        if d.on(cite) {
            d.under(cite, |d| play::triggered(d, &pending))?;
        }
    }
}
