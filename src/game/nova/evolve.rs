//! 1010: 進化. The card below lies in a zone of its own, so that no text finds it.

use super::places::{has_kind, is_field, servants, zone};
use super::say;
use super::schema::{ATTACK, COST, HEALTH, RACE, at};
use super::text::has;
use crate::card::{Change, Datum, Kind, Step, Value, Word};
use crate::kernel::{Asks, Ctx, Duel, Event, Flow, Ongoing, Question, Ref, Seat, Slots, Thing, What};

/// The slot in which a card that is being played keeps the one it will lie on.
pub const BASE: Word = Word("進化元");

/// 1010.2: one's servants of the same race; 1010.2.4: without 進化, and servants by nature. Then those that are barred.
fn like(d: &mut Duel, who: Seat, card: Ref) -> (Vec<Ref>, Vec<Ref>) {
    let seen = d.seen(card);
    if !has(&seen, "進化") {
        return (Vec::new(), Vec::new());
    }
    let races = seen.words(at(RACE)).to_vec();
    let (mut found, mut barred) = (Vec::new(), Vec::new());
    for base in servants(d, who) {
        let other = d.seen(base);
        let same = other.words(at(RACE)).iter().any(|r| races.contains(r));
        if !same || other.controller != who {
            continue;
        }
        let native = matches!(d.card(base).data.get(&Word(super::schema::KIND)),
            Some(Datum::Words(words)) if words.iter().any(|w| *w == "サーバント"));
        let bars = (other.has("進化") || !native) && say(d, [nova!("1010.2.4", Limit)]);
        if bars { barred.push(base) } else { found.push(base) }
    }
    (found, barred)
}

pub fn bases(d: &mut Duel, who: Seat, card: Ref) -> Vec<Ref> {
    like(d, who, card).0
}

/// 1010.2, 1010.2.3: the player chooses one, or none.
pub fn choose(d: &mut Duel, who: Seat, card: Ref) -> Flow<Option<Ref>> {
    let (bases, barred) = like(d, who, card);
    let of: Vec<Thing> = bases.into_iter().map(Thing::Card).collect();
    if of.is_empty() || !d.on(nova!("1010.2", Meaning)) {
        return Ok(None);
    }
    let least = usize::from(!d.on(nova!("1010.2.3", Limit)));
    let mut question = Question::new(who, BASE, Asks::Choose { of, min: least, max: 1 }).about(Some(card));
    question.refused = barred.into_iter().map(|r| (Thing::Card(r), nova!("1010.2.4", Limit))).collect();
    let chosen = d.pick(question.citing(nova!("1010.2", Frame)))?;
    if chosen.is_empty() {
        d.trace.reach(nova!("1010.2.3", Limit));
    }
    Ok(chosen.into_iter().find_map(|t| if let Thing::Card(r) = t { Some(r) } else { None }))
}

/// 1010.2: the total cost of the card chosen, off what is to be paid. Which symbols it takes: reading C31.
pub fn reduce(d: &mut Duel, base: Ref, owed: &mut [(Word, i32)]) -> Flow {
    let mut less = d.seen(base).number(at(COST)).unwrap_or(0).max(0);
    let any_first = d.reading(nova!("C31", Reading), "a") != "b";
    let mut order: Vec<usize> = (0..owed.len()).collect();
    order.sort_by_key(|i| (owed[*i].0 == "不特定") != any_first);
    for i in order {
        let off = less.min(owed[i].1.max(0));
        owed[i].1 -= off;
        less -= off;
    }
    Ok(())
}

/// 1010.2.1: something that waits has chosen the card.
pub fn is_chosen(d: &Duel, card: Ref) -> bool {
    d.t.contexts.iter().flat_map(|c| &c.pile).any(|i| i.slots.cards(&BASE).contains(&card))
}

/// The chosen card is still there to be evolved (1010.2.2).
pub fn still_there(d: &mut Duel, who: Seat, base: Ref) -> bool {
    d.t.is_now(base) && is_field(d.t.obj(base.id).zone) && {
        let seen = d.seen(base);
        seen.controller == who && has_kind(&seen, "サーバント")
    }
}

/// Reading C39: what becomes of what the card below bears.
fn bears(d: &mut Duel, base: Ref, upper: Ref) -> Flow {
    let items: Vec<crate::kernel::CardId> =
        d.t.ids().filter(|id| d.t.obj(*id).host == Some((Word("装備"), base.id))).collect();
    if items.is_empty() {
        return Ok(());
    }
    match d.reading(nova!("C39", Reading), "a") {
        "b" => Ok(()),
        "c" => {
            for item in items {
                d.lay_with(item, Some((Word("装備"), upper.id)));
            }
            Ok(())
        }
        _ => d.undecided("進化で下に重ねられるサーバントの装備", &["nova:1010.4", "nova:1010.6", "nova:506.1"]),
    }
}

/// 1010.2, 1010.3, 1010.4: the card goes under the new one, which is stronger by what is printed below.
pub fn stack(d: &mut Duel, upper: Ref, base: Ref) -> Flow {
    let printed = |d: &Duel, name: &str| match d.card(base).data.get(&Word::new(name)) {
        Some(Datum::Number(n)) => *n,
        _ => 0,
    };
    let (attack, health) = (printed(d, ATTACK), printed(d, HEALTH));
    d.cites(nova!("1010.4", Meaning), |d| format!("{}は{}の下に重ねられる", d.card_name(base), d.card_name(upper)));
    let more =
        d.applies(nova!("1010.3", Meaning), |_| format!("下のサーバントの元々の値だけ上昇する（+{attack}/+{health}）"));
    let owner = d.t.obj(base.id).owner;
    let under = zone("進化元", owner);
    bears(d, base, upper)?;
    d.slip_under(base.id, under, (Word("進化"), upper.id));
    if more {
        let stamp = d.t.clock;
        let changes =
            vec![Change::Add(Word(ATTACK), Value::Number(attack)), Change::Add(Word(HEALTH), Value::Number(health))];
        d.begin_effect(Ongoing { source: Some(upper), stamp, ..Ongoing::on(upper, owner, changes) });
    }
    Ok(())
}

/// 1010.4.1: what lies below goes to the graveyard when the card above leaves.
pub fn accompany(d: &mut Duel, events: &mut Vec<Event>) {
    let mut more = Vec::new();
    for event in events.iter() {
        let (Some(card), true) = (event.card, event.is_move()) else { continue };
        if !event.from.is_some_and(is_field) || event.to.is_some_and(is_field) {
            continue;
        }
        let under: Vec<Ref> =
            d.t.ids().filter(|id| d.t.obj(*id).host == Some((Word("進化"), card.id))).map(|id| d.t.now(id)).collect();
        for below in under {
            let owner = d.t.obj(below.id).owner;
            if d.applies(nova!("1010.4.1", Meaning), |d| format!("下の{}は墓地へ送られる", d.card_name(below)))
            {
                more.push(d.moving(below, zone("墓地", owner)));
            }
        }
    }
    events.extend(more);
}

/// 919.5, 919.7: a card that is played comes with the counters its text says, and that is putting them on it.
pub fn with_counters(d: &mut Duel, events: &mut Vec<Event>) -> Flow {
    let mut more = Vec::new();
    for event in events.iter() {
        let (Some(card), true) = (event.card, event.is_move()) else { continue };
        let arrives = event.to.is_some_and(is_field) && !event.from.is_some_and(is_field);
        if !arrives || event.how != "プレイ" {
            continue;
        }
        let seen = d.seen(card);
        let seat = event.seat.unwrap_or(d.t.obj(card.id).owner);
        for ability in seen.abilities.iter().filter(|a| a.kind == Kind::Effect && a.keyword.is_none()) {
            for step in &ability.steps {
                let Step::Mark { what, name, count, .. } = step else {
                    return d.unwritten(
                        format!("「{}」が場に出る時に行うこと（自動能力として書く）", d.card_name(card)),
                        &["nova:801.4.1", "nova:919.5"],
                    );
                };
                if *what != "this" {
                    return d.unwritten("ほかのカードにカウンターを置いて場に出ること", &["nova:919.5"]);
                }
                let slots = Slots::default();
                let n = d.number(&Ctx { this: Some(card), seat, slots: &slots, event: None }, count);
                if n > 0
                    && d.applies(nova!("919.5", Meaning), |d| {
                        format!("{}は{name}カウンターが{n}個置かれた状態で場に出る", d.card_name(card))
                    })
                {
                    d.trace.reach(nova!("919.7", Frame));
                    let arrived = Ref { id: card.id, life: card.life + 1 };
                    let what = What::Mark { name: *name };
                    more.push(Event { what, amount: n, ..Event::about(Word("マーカー"), arrived) }.seat(seat));
                }
            }
        }
    }
    events.extend(more);
    Ok(())
}
