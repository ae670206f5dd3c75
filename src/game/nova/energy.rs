//! 005.6, 310, 801.6, 906, 927: energy. A point has a colour and lies in its player's stock until the step ends.

use super::moves;
use super::places::{named, zone};
use super::say;
use super::schema::{COLOUR, COLOURS, SET, STOCK, at};
use super::text::{number_of, would};
use crate::card::{Ability, Kind, Step, Value, Word};
use crate::kernel::steps::Frame;
use crate::kernel::verb::{Allowed, card, no};
use crate::kernel::{Asks, Cause, Ctx, Duel, Event, Flow, Means, Move, Pending, Question, Ref, Seat, Thing, What};
use crate::limit;

/// The place of a colour in the stock.
pub fn fact(colour: Word) -> Option<usize> {
    COLOURS.iter().position(|c| colour == *c).map(|i| STOCK + i)
}

/// 310.10, 102.4: the colours that a card in the energy zone can make; face down it is colourless.
pub fn colours(d: &mut Duel, card: Ref) -> Vec<Word> {
    if !d.t.obj(card.id).face_up && say(d, [nova!("310.10", Meaning)]) {
        return vec![Word("無色")];
    }
    d.seen(card).words(at(COLOUR)).to_vec()
}

/// 310.4: the standing cards of the energy zone.
pub fn sources(d: &mut Duel, seat: Seat) -> Vec<(Ref, Vec<Word>)> {
    let cards: Vec<Ref> = d.t.zone(zone("エナジーゾーン", seat)).iter().map(|id| d.t.now(*id)).collect();
    let standing = cards.into_iter().filter(|c| d.t.obj(c.id).state == 0).collect::<Vec<_>>();
    standing.into_iter().map(|c| (c, colours(d, c))).collect()
}

/// 310.4, 801.6.6.2: the card freezes and a point of its colour comes at once, without waiting.
pub fn produce(d: &mut Duel, seat: Seat, card: Ref, colour: Option<Word>) -> Flow<bool> {
    if !say(d, [nova!("310.4", Limit)]) {
        return Ok(false);
    }
    let could = colours(d, card);
    let cause = Cause { means: Means::Cost, card: Some(card), seat: Some(seat) };
    if !d.turn(&[card], Word("フリーズ"), cause)? {
        return Ok(false);
    }
    if !d.t.obj(card.id).face_up {
        d.trace.reach(nova!("310.10", Meaning));
    }
    let colour = match colour.filter(|c| could.contains(c)) {
        Some(colour) => Some(colour),
        None => which(d, seat, &could, Some(card))?,
    };
    let Some(colour) = colour else {
        d.cites(nova!("801.6.8.2", Meaning), |_| "色が決まらないのでエナジーは発生しない".into());
        return Ok(true);
    };
    let cause = Cause { means: Means::Effect, card: Some(card), seat: Some(seat) };
    add(d, seat, colour, 1, cause, true)?;
    Ok(true)
}

/// One colour of several; none where there is none.
pub fn which(d: &mut Duel, seat: Seat, of: &[Word], about: Option<Ref>) -> Flow<Option<Word>> {
    if of.len() < 2 {
        return Ok(of.first().copied());
    }
    let asks = Asks::Choose { of: of.iter().map(|w| Thing::Word(*w)).collect(), min: 1, max: 1 };
    let at = d.ask(Question::new(seat, Word("エナジーの色"), asks).about(about))?[0];
    Ok(Some(of[at as usize]))
}

/// 005.6.4: into the stock. What triggers on it and makes energy is resolved at once too (801.6.7.1).
pub fn add(d: &mut Duel, seat: Seat, colour: Word, n: i32, cause: Cause, activated: bool) -> Flow<bool> {
    let Some(fact) = fact(colour) else { return Ok(false) };
    if n <= 0 {
        return Ok(false);
    }
    let mut event =
        Event { what: What::SeatFact { fact, by: n }, amount: n, cause, ..Event::signal(Word("エナジー")) };
    event.how = colour;
    event.card = cause.card;
    event.after = cause.card;
    let before = d.t.context().pending.len();
    let done = d.propose_one(event.seat(seat))?.any();
    if activated {
        triggered(d, before.min(d.t.context().pending.len()))?;
    }
    Ok(done)
}

/// The slot that says that an activated energy ability is being resolved.
pub const ABILITY: Word = Word("エナジー能力");

/// 801.6.7.1: triggered energy abilities do not wait. 801.6.4.2: only what an activated energy ability has triggered is
/// one; what they trigger in turn waits like any other.
fn triggered(d: &mut Duel, before: usize) -> Flow {
    let ours = |p: &Pending| is_triggered(&p.ability) && p.event.name == "エナジー";
    if !d.t.context().pending.iter().skip(before).any(ours) || !d.on(nova!("801.6.7.1", Meaning)) {
        return Ok(());
    }
    let newer = d.aside().pending().split_off(before);
    let (now, wait): (Vec<Pending>, Vec<Pending>) = newer.into_iter().partition(ours);
    d.aside().pending().extend(wait);
    for pending in now {
        d.spend()?;
        d.trace.reach(nova!("801.6.7", Frame));
        d.trace.reach(nova!("912.4.2", Frame));
        d.cites(nova!("801.6.7.1", Meaning), |d| {
            format!("{}の誘発式エナジー能力は待機領域に置かれず、すぐに解決される", d.card_name(pending.source))
        });
        resolve(d, &pending)?;
    }
    Ok(())
}

fn resolve(d: &mut Duel, pending: &Pending) -> Flow {
    let cause = Cause { means: Means::Effect, card: Some(pending.source), seat: Some(pending.seat) };
    let mut frame = Frame {
        this: Some(pending.source),
        seat: pending.seat,
        slots: pending.slots.clone(),
        event: Some(pending.event.clone()),
        cause,
    };
    super::play::dated(d, &mut frame.slots);
    d.perform(&mut frame, &pending.ability.steps).map(|_| ())
}

/// A step that adds energy, also inside others.
fn adds(step: &Step) -> bool {
    match step {
        Step::Act { name, .. } => name.ends_with("エナジーを加える"),
        Step::If { then, otherwise, .. } => then.iter().chain(otherwise).any(adds),
        Step::May { steps, then, otherwise, .. } => steps.iter().chain(then).chain(otherwise).any(adds),
        Step::Repeat { steps, .. } | Step::ForEach { steps, .. } => steps.iter().any(adds),
        _ => false,
    }
}

/// 801.6.4.1, reading C11: an activated ability without target that adds energy.
pub fn is_activated(d: &mut Duel, ability: &Ability) -> bool {
    if ability.kind != Kind::Activated || !ability.target.is_empty() || !ability.steps.iter().any(adds) {
        return false;
    }
    let chooses = ability.steps.iter().any(|s| matches!(s, Step::Choose(_)));
    !chooses || d.reading(nova!("C11", Reading), "a") != "b"
}

/// 801.6.6.1, 902.2: the energy abilities of one's cards that cost nothing but to freeze the card, the colours they can
/// make and how much of one. Others are used before something is played.
pub fn abilities(d: &mut Duel, seat: Seat) -> Vec<(Move, Vec<Word>, usize)> {
    let view = d.look();
    let given = d.given;
    let mut found = Vec::new();
    for &id in view.among(&given.holders.activated).iter() {
        let (card, seen) = (d.t.now(id), &view.cards[id.0 as usize]);
        if seen.controller != seat {
            continue;
        }
        for (at, ability) in seen.abilities.iter().enumerate() {
            let icon = matches!(&ability.cost[..], [Step::Turn { what: Some(w), .. }] if *w == "this");
            let taxed = !super::text::tolls(d, card, super::schema::ACTIVATE_TOLL).is_empty();
            if !icon || taxed || ability.price.is_some() || !is_activated(d, ability) {
                continue;
            }
            let mut adding = ability.steps.iter().filter(|s| adds(s));
            let (Some(Step::Act { name, who: None, what, count, .. }), None) = (adding.next(), adding.next()) else {
                continue;
            };
            let points = match count {
                None => 1,
                Some(Value::Number(n)) => usize::try_from(*n).unwrap_or(0),
                Some(_) => continue,
            };
            let m = Move { ability: Some(at as u8), ..Move::of(Word("起動"), card) };
            let named = name.strip_suffix("エナジーを加える").map(Word::new).filter(|colour| fact(*colour).is_some());
            let colours = match named {
                Some(colour) => vec![colour],
                None => colours_chosen(d, &super::play::frame(seat, card), &ability.steps, *what),
            };
            if points > 0 && !colours.is_empty() && d.allows(moves::VERBS, seat, &m).is_ok() {
                found.push((m, colours, points));
            }
        }
    }
    found
}

/// 801.6.8.2, reading C11: the colours of the cards of which the text chooses one.
fn colours_chosen(d: &mut Duel, frame: &Frame, steps: &[Step], what: Option<Word>) -> Vec<Word> {
    let Some(slot) = what else { return Vec::new() };
    let things = match steps.iter().find_map(|s| if let Step::Choose(t) = s { Some(t) } else { None }) {
        Some(target) if target.slot == slot => d.candidates_of(frame, &target.of, true).0,
        Some(_) => Vec::new(),
        None => d.see(|eyes| eyes.subjects(&frame.ctx(), slot)).into_iter().map(Thing::Card).collect(),
    };
    let mut found: Vec<Word> = Vec::new();
    for thing in things {
        let Thing::Card(card) = thing else { continue };
        found.extend(d.seen(card).words(at(COLOUR)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// 801.6.4.2.
pub fn is_triggered(ability: &Ability) -> bool {
    ability.kind == Kind::Triggered && ability.target.is_empty() && ability.steps.iter().any(adds)
}

/// 602.9, 005.6.4, 801.6.3: what is left vanishes when a phase or step ends.
pub fn vanish(d: &mut Duel) -> Flow {
    let left = Seat::BOTH.iter().any(|s| d.t.seats[s.index()][STOCK..STOCK + 6].iter().any(|n| *n > 0));
    if left
        && say(d, [nova!("801.6.3", Check), nova!("005.6.4", Check)])
        && d.applies(nova!("602.9", Check), |_| "使わなかったエナジーは消滅する".into())
    {
        for seat in Seat::BOTH {
            for colour in 0..6 {
                *d.aside().seat(seat, STOCK + colour) = 0;
            }
        }
    }
    Ok(())
}

/// 310.4, 801.6.6.1: the energy ability of a card in one's energy zone, with priority.
pub fn may_produce(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let card = card(m);
    let own = d.t.obj(card.id).zone == zone("エナジーゾーン", who);
    limit!(d, own, nova!("310.4", Limit), "自分のエナジーゾーンのカードではない");
    limit!(d, d.t.obj(card.id).state == 0, nova!("804.2.3.1", Limit), "すでにフリーズ状態である");
    Ok(())
}

/// 404.2.1, 406.2.1, 703.2.5, 906.1, reading C7.
pub fn may_set(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let card = card(m);
    limit!(d, who == d.t.active, nova!("906.1", Limit), "ターンプレイヤーではない");
    let main = matches!(d.t.phase.as_str(), "第1メインフェイズ" | "第2メインフェイズ");
    limit!(d, main, nova!("906.1", Limit), "メインフェイズではない");
    limit!(d, d.t.obj(card.id).zone == zone("手札", who), nova!("906.1", Limit), "自分の手札のカードではない");
    let more = number_of(d, who, "エナジーのセット");
    let done = d.t.seats[who.index()][SET];
    limit!(d, done < 1 + more, nova!("906.1", Limit), "このターンはもうエナジーをセットした");
    if !d.t.context().pile.is_empty() {
        let free = d.t.phase == "第2メインフェイズ" && d.reading(nova!("C7", Reading), "a") == "b";
        limit!(d, free, nova!("703.2", Limit), "待機領域にカードや能力がある");
    }
    // 404.2.1, 406.2.1, 703.2.5: that is what the phases are for.
    let may = if d.t.phase == "第1メインフェイズ" { nova!("404.2.1", Limit) } else { nova!("406.2.1", Limit) };
    if main && !say(d, [may, nova!("703.2.5", Limit)]) {
        return no(nova!("703.2", Limit), "メインフェイズにできる行動ではない");
    }
    let event = would(Word("セット"), Some(card), who);
    limit!(d, !d.forbidden(&event), nova!("004.2", Limit), "「できない」とする効果がある");
    Ok(())
}

/// 906.1, 906.1.1, 302.4: standing, at once, without waiting.
pub fn set(d: &mut Duel, who: Seat, card: Ref) -> Flow {
    d.step(nova!("906.1"), |d| {
        for cite in [nova!("906.1.1", Frame), nova!("311.6.3", Frame)] {
            d.trace.reach(cite);
        }
        let standing = d.applies(nova!("302.4", Meaning), |_| "スタンバイ状態で置かれる".into());
        let to = zone("エナジーゾーン", who);
        let mut event = d.moving(card, to).seat(who);
        event.also.push(Word("セット"));
        event.what =
            What::Move { to, bottom: false, state: u8::from(!standing), face_up: true, controller: None, host: None };
        *d.aside().seat(who, SET) += 1;
        d.happen(vec![event])
    })
}

/// The colour that 「同じ色」 means: that of the energy that came, or of a card.
pub fn same_colour(d: &mut Duel, ctx: &Ctx, what: Option<Word>) -> Vec<Word> {
    if what.is_none_or(|w| w == "event")
        && let Some(event) = ctx.event.filter(|e| e.name == "エナジー")
    {
        return vec![event.how];
    }
    let cards = what.map(|w| d.see(|eyes| eyes.subjects(ctx, w))).unwrap_or_default();
    cards.first().map(|c| d.seen(*c).words(at(COLOUR)).to_vec()).unwrap_or_default()
}

/// 310.11, 302.4, reading C4: by an effect into the energy zone, frozen.
pub fn arrival(d: &mut Duel, to: crate::kernel::ZoneId) -> u8 {
    if !named(to, "エナジーゾーン") || d.reading(nova!("C4", Reading), "a") == "b" {
        return 0;
    }
    u8::from(
        d.applies(nova!("310.11", Meaning), |_| "効果でエナジーゾーンに置かれるので、フリーズ状態で置かれる".into()),
    )
}

/// 110.2: the cards of the energy zone have the colours and the number.
pub fn meets(d: &mut Duel, seat: Seat, needs: &[(Word, i32)]) -> bool {
    let cards: Vec<Ref> = d.t.zone(zone("エナジーゾーン", seat)).iter().map(|id| d.t.now(*id)).collect();
    let kinds: Vec<Vec<Word>> = cards.into_iter().map(|c| colours(d, c)).collect();
    let wanted: Vec<usize> = needs.iter().map(|(_, n)| usize::try_from(*n).unwrap_or(0)).collect();
    let there = vec![1; kinds.len()];
    let fits = |need: usize, kind: usize| needs[need].0 == "不特定" || kinds[kind].contains(&needs[need].0);
    crate::game::matching::met(&wanted, &there, fits) == wanted.iter().sum::<usize>()
}
