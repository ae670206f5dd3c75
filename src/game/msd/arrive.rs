//! 303, 306.5, 307, 308, 1010–1011, 1112: where and how a card comes to lie, and under which names that is known.

use std::sync::Arc;

use super::acts;
use super::schema::{KNOWN, OPEN, RECOVERED, RESTED, REVERSED, at, schema};
use super::zones::{FIELD, Own, in_play, is, is_kind, zone};
use crate::card::{Change, Kind, Word};
use crate::kernel::{Asks, Cite, Duel, Event, Flow, Means, Question, Ref, Seat, Seen, Sight, Thing, What, ZoneId};

/// What the rules make of an event that is about to happen.
pub fn adjust(d: &mut Duel, event: &mut Event) -> Flow {
    known(d, event);
    match event.what.clone() {
        What::Move { .. } => moved(d, event),
        What::Turn { state } => {
            turned(d, event, state);
            Ok(())
        }
        What::Control { to, controller, .. } => {
            also(event, "支配");
            let Some(card) = event.card else { return Ok(()) };
            let (from, face_up) = (d.t.obj(card.id).zone, d.t.obj(card.id).face_up);
            let state = Some(lies(d, event, card, from, to, OPEN, face_up)?);
            event.what = What::Control { to, controller, state };
            Ok(())
        }
        What::Face { up } => turned_over(d, event, up),
        // 1018.2, 1018.5: counters of a name are put there or taken off.
        What::Mark { name } => {
            event.how = name;
            if event.amount < 0 {
                event.name = Word("マーカーを取り除く");
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// 303.2: who sees a card that then lies face down, or lies face down on another side, knows it from then on.
fn known(d: &mut Duel, event: &Event) {
    let Some(card) = event.card else { return };
    let obj = d.t.obj(card.id);
    let hides = match event.what {
        What::Move { face_up, .. } => !face_up && event.from.is_some_and(|z| z != super::schema::NOWHERE),
        What::Face { up } => !up,
        What::Control { .. } => !obj.face_up,
        _ => false,
    };
    if !hides {
        return;
    }
    let bit = |seat: Seat| 1 << seat.0;
    let sees = match schema().spec(obj.zone).sight {
        _ if obj.revealed => bit(Seat(0)) | bit(Seat(1)),
        Sight::All if obj.face_up => bit(Seat(0)) | bit(Seat(1)),
        Sight::All if in_play(obj.zone) => bit(obj.controller),
        Sight::Owner => bit(obj.owner),
        _ => 0,
    };
    d.trace.reach(msd!("303.2", Meaning));
    *d.aside().card(card.id, KNOWN) |= sees;
}

fn also(event: &mut Event, name: &'static str) {
    if event.name != name && !event.also.contains(&Word(name)) {
        event.also.push(Word(name));
    }
}

/// 306.6 says what lies face down in the zone of the 魔法少女; nothing is said of what is no 魔法少女 and is turned up there,
/// or of a card turned down elsewhere.
fn turned_over(d: &mut Duel, event: &Event, up: bool) -> Flow {
    let Some(card) = event.card else { return Ok(()) };
    if !is(d.t.obj(card.id).zone, Own::Girls) {
        return d.undecided("魔法少女ゾーンにないカードの向きを変えること", &["msd:303.2", "msd:307.3"]);
    }
    if up && !super::piles::is_printed_girl(d, card) {
        return d.undecided("魔法少女ゾーンで魔法少女でないカードを表向きにすること", &["msd:308.1", "msd:308.4"]);
    }
    Ok(())
}

/// 307.1, 308.1: each zone is for its own kinds; what becomes of another there is said of 神 and 結魂怪異 only (314.2a).
fn out_of_place(d: &mut Duel, card: Ref, from: ZoneId, to: ZoneId, face_up: bool) -> Flow {
    let seen = d.seen(card);
    if !face_up || seen.words(at::KIND).is_empty() || super::piles::belongs_to_extra(d, card) {
        return Ok(());
    }
    // What effects have made of a card that stays in play does not matter here.
    let girl = if in_play(from) { super::piles::is_printed_girl(d, card) } else { is_kind(&seen, "魔法少女") };
    if is(to, Own::Girls) && !girl {
        return d.undecided("魔法少女でないカードを表向きで魔法少女ゾーンに置くこと", &["msd:308.1"]);
    }
    let fits = in_play(from) && !girl || ["怪異", "結界", "神"].iter().any(|kind| is_kind(&seen, kind));
    if is(to, Own::Monsters) && !fits {
        return d.undecided("怪異でも結界でも神でもないカードを怪異ゾーンに置くこと", &["msd:307.1"]);
    }
    Ok(())
}

/// 1011.2: into リバース from whatever it was, or from リバース to リカバー.
fn turned(d: &mut Duel, event: &mut Event, state: u8) {
    let Some(card) = event.card else { return };
    let was = d.t.obj(card.id).state;
    let switched = state == REVERSED && was != REVERSED || state == RECOVERED && was == REVERSED;
    if switched && d.on(msd!("1011.2", Meaning)) {
        d.trace.reach(msd!("1011.2", Meaning));
        also(event, "スイッチ");
    }
}

/// Ways of moving that are events of their own, and coming into play.
const DONE: [&str; 6] = ["破壊", "破棄", "捨てる", "穢す", "除外", "レベルアップ"];
const ARRIVES: &str = "戦場に出る";

fn moved(d: &mut Duel, event: &mut Event) -> Flow {
    let (What::Move { mut to, bottom, mut state, face_up, mut controller, host }, Some(card)) =
        (event.what.clone(), event.card)
    else {
        return Ok(());
    };
    let from = d.t.obj(card.id).zone;
    // What a replacement has made of the event is known under the names it has now.
    event.also.retain(|name| !DONE.iter().any(|done| name == done) && *name != ARRIVES);
    if to == FIELD {
        let owner = d.t.obj(card.id).owner;
        // 1302.1c, 306.5: the zone of the one whose effect it is; 302.5: else the owner's.
        let cite = if event.how == "生成" { msd!("1302.1c") } else { msd!("306.5") };
        d.trace.reach(cite);
        if event.how == "生成" {
            d.trace.reach(msd!("1302.1b", Frame));
            d.trace.reach(msd!("1302.1d", Frame));
        }
        let seat = if d.on(cite) { controller.or(event.seat).unwrap_or(owner) } else { owner };
        to = field_zone(d, card, seat)?;
    }
    if in_play(to) {
        // 307.5, 308.5: whose zone it is, controls it.
        controller = schema().spec(to).owner;
        d.trace.reach(if is(to, Own::Girls) { msd!("308.5", Frame) } else { msd!("307.5", Frame) });
        if !in_play(from) && host.is_none() {
            also(event, ARRIVES);
        }
        if host.is_none() {
            out_of_place(d, card, from, to, face_up)?;
        }
        state = match host {
            Some(_) if state == OPEN => RECOVERED,
            Some(_) => state,
            None => lies(d, event, card, from, to, state, face_up)?,
        };
    } else {
        state = RECOVERED;
        // Reading C36: the zone of who made the token, or of who controls it as it leaves.
        let (owner, controller) = (d.t.obj(card.id).owner, d.t.obj(card.id).controller);
        let taken = in_play(from) && controller != owner && super::zones::is_token(&d.t, card);
        if taken && d.reading(msd!("C36", Reading), "a") == "b" {
            to = schema().zone(schema().spec(to).name, Some(controller)).unwrap_or(to);
        }
    }
    let lies_down = is(to, Own::Girls) || is(to, Own::Removed);
    if !face_up && schema().spec(to).sight == Sight::All && !lies_down && host.is_none() {
        return d.unwritten("魔法少女ゾーンと除外ゾーンのほかにカードを裏向きで置くこと", &["msd:303.2"]);
    }
    let whose = if in_play(from) { d.t.obj(card.id).controller } else { d.t.obj(card.id).owner };
    let own = [event.seat, event.cause.seat].contains(&Some(whose));
    if event.how == "破棄" && event.cause.means == Means::Effect && !own {
        return d.unwritten("相手のカードを破棄すること（破棄する人を「破棄する」の who: に書く）", &["msd:1008.2"]);
    }
    for name in DONE {
        if event.how == name {
            also(event, name);
        }
    }
    if is(to, Own::Removed) {
        also(event, "除外");
    }
    event.to = Some(to);
    event.what = What::Move { to, bottom, state, face_up, controller, host };
    Ok(())
}

/// 909.3b: of effects that begin at the same moment the turn player says which comes first. Asked where cards arrived
/// together whose effects do not come to the same in either order.
pub fn in_order(d: &mut Duel, events: &[Event]) -> Flow {
    let arrived = |e: &&Event| e.is_move() && e.from.is_some_and(|z| !in_play(z)) && e.to.is_some_and(in_play);
    let cards: Vec<Ref> = events.iter().filter(arrived).filter_map(|e| e.after).collect();
    if cards.len() < 2 {
        return Ok(());
    }
    let layer = |c: &Change| {
        (super::book::layer(c), !matches!(c, Change::Add(..) | Change::Join(..) | Change::Gain(_) | Change::Forbid(_)))
    };
    let grants = |d: &Duel, card: Ref| -> Vec<(u8, bool)> {
        let texts = d.card(card).abilities.iter().filter(|a| a.kind == Kind::Static);
        texts.flat_map(|a| &a.grant).map(layer).collect()
    };
    let of: Vec<(Ref, Vec<(u8, bool)>)> = cards
        .into_iter()
        .filter(|c| d.t.is_now(*c) && d.t.obj(c.id).face_up && d.t.obj(c.id).host.is_none())
        .map(|c| (c, grants(d, c)))
        .collect();
    let clash = |a: &[(u8, bool)], b: &[(u8, bool)]| a.iter().any(|x| b.iter().any(|y| x.0 == y.0 && (x.1 || y.1)));
    let matters = |(card, a): &&(Ref, Vec<(u8, bool)>)| of.iter().any(|(other, b)| other != card && clash(a, b));
    let those: Vec<Thing> = of.iter().filter(matters).map(|(card, _)| Thing::Card(*card)).collect();
    if those.len() < 2 {
        return Ok(());
    }
    let cite = msd!("909.3b", Layer);
    let question = Question::new(d.t.active, Word("適用順"), Asks::Order(those)).citing(cite);
    for thing in d.pick(question)? {
        if let Thing::Card(card) = thing {
            d.dates_from_now(card);
        }
    }
    Ok(())
}

/// 307.4, 308.4: 魔法少女 to their zone, 怪異 and 結界 to the zone of the 怪異, and by reading C2 神 as well.
fn field_zone(d: &mut Duel, card: Ref, seat: Seat) -> Flow<ZoneId> {
    let seen = d.seen(card);
    let god = is_kind(&seen, "神");
    if god && d.reading(msd!("C2", Reading), "a") == "b" {
        return d.unwritten("置く領域を指定せずに神を戦場に出すこと", &["msd:306.5"]);
    }
    let (girls, monsters) = (zone(Own::Girls, seat), zone(Own::Monsters, seat));
    if is_kind(&seen, "魔法少女") {
        let cite = msd!("308.4");
        d.trace.reach(cite);
        return Ok(if d.on(cite) { girls } else { monsters });
    }
    if !god && !is_kind(&seen, "怪異") && !is_kind(&seen, "結界") {
        return d.undecided("怪異でも結界でも魔法少女でもないカードを戦場に出すこと", &["msd:306.5", "msd:307.1"]);
    }
    let cite = msd!("307.4");
    d.trace.reach(cite);
    Ok(if d.on(cite) { monsters } else { girls })
}

/// 909.4: the card as the effects that wait where it goes make it, and the states in which they say that it comes to lie.
fn as_it_arrives(d: &mut Duel, card: Ref, to: ZoneId, face_up: bool) -> (Arc<Seen>, Vec<u8>) {
    let now = d.seen(card);
    let cite = msd!("909.4", Layer);
    let quiet = d.t.ongoing.is_empty() && d.given.holders.statics.is_empty();
    if quiet || !d.on(cite) || !face_up {
        return (now, Vec::new());
    }
    let controller = schema().spec(to).owner.unwrap_or(now.controller);
    let keeps = in_play(d.t.obj(card.id).zone);
    let view = d.imagine(|t| {
        let from = t.obj(card.id).zone;
        t.zones[from.0 as usize].retain(|id| *id != card.id);
        t.zones[to.0 as usize].push(card.id);
        let obj = t.obj_mut(card.id);
        (obj.zone, obj.controller, obj.face_up, obj.host) = (to, controller, true, None);
        obj.life += u16::from(!keeps);
    });
    let then = view.cards[card.id.0 as usize].clone();
    if then != now {
        d.trace.reach(cite);
    }
    let enters = |change: &Change| if let Change::Enter(state) = change { schema().state(state) } else { None };
    let mut states: Vec<u8> =
        view.rules.iter().filter(|rule| rule.on == Some(card.id)).filter_map(|rule| enters(&rule.change)).collect();
    states.sort_unstable();
    states.dedup();
    (then, states)
}

/// The state in which it comes to lie.
fn lies(d: &mut Duel, event: &Event, card: Ref, from: ZoneId, to: ZoneId, told: u8, face_up: bool) -> Flow<u8> {
    let (seen, states) = as_it_arrives(d, card, to, face_up);
    let monster = is(to, Own::Monsters) && face_up && is_kind(&seen, "怪異");
    let was = d.t.obj(card.id).state;
    if in_play(from) {
        let kept = match told {
            OPEN => match d.reading(msd!("C5", Reading), "a").to_string().as_str() {
                "b" => RECOVERED,
                "c" if monster && event.cause.means == Means::Effect => return pick_state(d, event, card),
                _ if d.applies(msd!("302.3", Meaning), |_| "戦場から戦場へは配置状態を保つ".into()) => {
                    was
                }
                _ => RECOVERED,
            },
            told => told,
        };
        if kept == REVERSED
            && !monster
            && d.applies(msd!("303.1b-i", Meaning), |_| "リバース状態を持たない領域なのでリカバー状態で置く".into())
        {
            return Ok(RECOVERED);
        }
        return Ok(kept);
    }
    if monster
        && seen.has("怠惰")
        && (!told_by_text(event, told) || d.reading(msd!("C30", Reading), "a") != "b")
        && d.applies(msd!("1112.2", Meaning), |d| format!("{}は怠惰によりレスト状態で出る", d.card_name(card)))
    {
        return Ok(RESTED);
    }
    // 307.3: only a 怪異 has リバース. Reading C30: what an effect says of the state in which it puts a card.
    let states: Vec<u8> = states.into_iter().filter(|state| monster || *state != REVERSED).collect();
    if let Some(state) = states.first()
        && (!told_by_text(event, told) || d.reading(msd!("C30", Reading), "a") != "b")
        && d.applies(msd!("104.1", Limit), |d| format!("{}の配置状態はテキストが定める", d.card_name(card)))
    {
        if states.len() > 1 {
            return d.undecided("配置状態を定める効果がいくつもあるときの定めがない", &["msd:104.1", "msd:303.1b"]);
        }
        return Ok(*state);
    }
    if told != OPEN {
        return Ok(if told == REVERSED && !monster { RECOVERED } else { told });
    }
    if monster && event.how == "解決" && d.on(msd!("702.3", Meaning)) {
        let seat = event.seat.unwrap_or(d.t.active);
        return which_state(d, seat, card, msd!("702.3", Meaning));
    }
    if monster && event.cause.means == Means::Effect && d.on(msd!("307.6", Meaning)) {
        return pick_state(d, event, card);
    }
    let usual = d.applies(msd!("303.1b"), |_| "特に指定がないのでリカバー状態で置く".into());
    Ok(if usual { RECOVERED } else { RESTED })
}

/// An effect says that it is to lie otherwise than 怠惰 has it: which of the two wins is reading C30.
fn told_by_text(event: &Event, told: u8) -> bool {
    event.cause.means == Means::Effect && (told == RECOVERED || told == REVERSED)
}

/// 307.6: the controller of the effect picks.
fn pick_state(d: &mut Duel, event: &Event, card: Ref) -> Flow<u8> {
    let seat = event.cause.seat.unwrap_or(d.t.active);
    which_state(d, seat, card, msd!("307.6", Meaning))
}

/// 307.6, 702.3: recovered or reversed.
pub fn which_state(d: &mut Duel, seat: Seat, card: Ref, cite: &'static Cite) -> Flow<u8> {
    let of = vec![Thing::Word(Word("リカバー")), Thing::Word(Word("リバース"))];
    let question = Question::new(seat, Word("配置状態"), Asks::Choose { of, min: 1, max: 1 }).about(Some(card));
    d.trace.reach(cite);
    let chosen = d.ask(question.citing(cite))?;
    Ok(if chosen.first() == Some(&1) { REVERSED } else { RECOVERED })
}

/// 307.3: only a 怪異 in the zone of the 怪異 has リバース. 1007.1, 1008.2: what is destroyed is in play, what is
/// discarded to activate something is one's own.
pub fn forbids(d: &mut Duel, event: &Event) -> Option<&'static Cite> {
    let card = event.card?;
    let obj = d.t.obj(card.id);
    let (from, owner, controller) = (obj.zone, obj.owner, obj.controller);
    if let Some(undone) = acts::undone(d, event) {
        return Some(undone);
    }
    let cite = match &event.what {
        What::Turn { state: REVERSED } => {
            let seen = d.seen(card);
            let cite = msd!("307.3", Limit);
            (!is(from, Own::Monsters) || !seen.words(at::KIND).iter().any(|w| *w == "怪異")).then_some(cite)
        }
        What::Move { .. } if event.how == "破壊" => (!in_play(from)).then_some(msd!("1007.1", Limit)),
        What::Move { .. } if event.how == "破棄" && event.cause.means == Means::Cost => {
            let whose = if in_play(from) { controller } else { owner };
            let orb = is(from, Own::Orbs);
            let cite = if orb { msd!("1008.2a", Limit) } else { msd!("1008.2", Limit) };
            event.cause.seat.is_some_and(|seat| seat != whose).then_some(cite)
        }
        _ => None,
    };
    cite.filter(|cite| d.on(cite))
}

/// 1018.8: a card that comes into play with counters has them at once.
pub fn counters(d: &mut Duel, events: &[Event]) -> Flow {
    let came = |e: &&Event| e.is_move() && e.from.is_some_and(|z| !in_play(z)) && e.to.is_some_and(in_play);
    for card in events.iter().filter(came).filter_map(|e| e.after).collect::<Vec<_>>() {
        if !d.t.is_now(card) || d.t.obj(card.id).host.is_some() {
            continue;
        }
        let seen = d.seen(card);
        let said =
            seen.abilities.iter().filter_map(|a| a.keyword.as_ref()).filter(|k| k.name == "カウンターを置いて出る");
        for keyword in said {
            let slots = crate::kernel::Slots::default();
            let ctx = crate::kernel::Ctx { this: Some(card), seat: seen.controller, slots: &slots, event: None };
            let n = keyword.value.as_ref().map_or(1, |v| d.number(&ctx, v));
            for name in keyword.words.iter().filter(|_| n > 0) {
                let event =
                    Event { what: What::Mark { name: *name }, amount: n, ..Event::about(Word("マーカー"), card) };
                d.step(msd!("1018.8"), |d| d.happen(vec![event.seat(seen.controller)]))?;
            }
        }
    }
    Ok(())
}
