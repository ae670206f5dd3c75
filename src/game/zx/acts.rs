//! 1002–1013: keyword acts, and what a text may call by name.

use super::places::{is_kind, zone};
use super::schema::{DAMAGE, HITS};
use super::{play, text};
use crate::card::{Step, Word};
use crate::kernel::{Asks, Cause, Ctx, Duel, Event, Flow, Means, Question, Ref, Seat, Thing, What};

/// What an effect does is done by it.
pub fn by_effect(ctx: &Ctx) -> Cause {
    Cause { means: Means::Effect, card: ctx.this, seat: Some(ctx.seat) }
}

/// 1008.1: a Z/X or Ascension on a square to its owner's charge, other cards to the trash.
pub fn destruction(d: &mut Duel, card: Ref) -> Event {
    let owner = d.t.obj(card.id).owner;
    let body = super::places::is_body(d, card);
    let charge = body
        && d.applies(zx!("1008.1", Meaning), |d| {
            format!("{}は破壊され、所有者のチャージに置かれる", d.card_name(card))
        });
    let mut event = d.moving(card, zone(if charge { "チャージ" } else { "トラッシュ" }, owner));
    event.name = Word("破壊");
    event
}

/// 1002.1, 1002.2, 1002.4: damage to Z/X and Ascensions, all at once.
pub fn damage(d: &mut Duel, to: &[(Ref, i32)], cause: Cause) -> Flow<bool> {
    let mut events = Vec::new();
    for (card, amount) in to.iter().copied() {
        if amount <= 0 && d.applies(zx!("1002.4", Meaning), |_| format!("{amount}点のダメージは与えられない"))
        {
            continue;
        }
        if super::places::is_body(d, card) && !shielded(d, card) {
            let how = if cause.means == Means::Battle { Word("バトル") } else { Word("効果") };
            events.push(Event {
                what: What::Grow { fact: DAMAGE },
                amount,
                cause,
                how,
                ..Event::about(Word("ダメージ"), card)
            });
        }
    }
    if events.is_empty() {
        return Ok(false);
    }
    d.under(zx!("1002.1", Frame), |d| Ok(!d.propose(events)?.is_empty()))
}

/// 914.3, reading C23: a shield goes instead of any amount of damage.
fn shielded(d: &mut Duel, card: Ref) -> bool {
    let shield = |d: &Duel| d.t.obj(card.id).marks.iter().position(|(name, n)| *name == "シールド" && *n > 0);
    let Some(at) = shield(d) else { return false };
    d.reading(zx!("C23", Reading), "a");
    if !d
        .applies(zx!("914.3", Meaning), |d| format!("{}はダメージを受けるかわりにシールドを1つ失う", d.card_name(card)))
    {
        return false;
    }
    d.edit().obj_mut(card.id).marks[at].1 -= 1;
    true
}

/// 907.1, 1002.3, 1002.4: damage to a player is written down and taken in the pre-processing.
pub fn damage_player(d: &mut Duel, seat: Seat, amount: i32, cause: Cause) -> Flow<bool> {
    if amount <= 0 && d.applies(zx!("1002.4", Meaning), |_| format!("{amount}点のダメージは与えられない"))
    {
        return Ok(false);
    }
    let event =
        Event { what: What::SeatFact { fact: HITS, by: amount }, amount, cause, ..Event::signal(Word("ダメージ")) };
    d.under(zx!("1002.3", Frame), |d| Ok(d.propose_one(event.seat(seat))?.any()))
}

/// The top card of the deck goes there, in the way the word says.
fn from_top(d: &mut Duel, seat: Seat, name: &'static str, to: &str, cause: Cause) -> Flow<bool> {
    let Some(top) = d.t.zone(zone("デッキ", seat)).last().copied() else {
        d.trace.reach(zx!("102.4", Meaning));
        return Ok(false);
    };
    let (card, to) = (d.t.now(top), zone(to, seat));
    let mut event = d.moving(card, to).by(cause).seat(seat);
    event.name = Word(name);
    event.what = What::Move { to, bottom: false, state: 0, face_up: false, controller: None, host: None };
    Ok(d.propose_one(event)?.any())
}

/// 1005.1, 1005.2: one card at a time.
pub fn draw(d: &mut Duel, seat: Seat, cause: Cause) -> Flow<bool> {
    d.under(zx!("1005.1", Frame), |d| from_top(d, seat, "引く", "手札", cause))
}

/// 1013.1a, 1013.1b: the top card of the deck to the life, one at a time.
fn recover(d: &mut Duel, seat: Seat, points: i32, cause: Cause) -> Flow<bool> {
    let mut any = false;
    for _ in 0..points.max(0) {
        any |= d.under(zx!("1013.1a", Frame), |d| from_top(d, seat, "回復", "ライフ", cause))?;
    }
    Ok(any)
}

/// 1004.1: chance orders the deck.
pub fn shuffle(d: &mut Duel, seat: Seat) -> Flow {
    let deck = zone("デッキ", seat);
    let cards: Vec<Thing> = d.t.zone(deck).iter().map(|id| Thing::Card(d.t.now(*id))).collect();
    let mut question = Question::new(seat, Word("シャッフル"), Asks::Order(cards)).citing(zx!("1004.1", Frame));
    question.seat = None;
    question.minor = true;
    let order = d.pick(question)?;
    let ids = order.into_iter().filter_map(|t| if let Thing::Card(r) = t { Some(r.id) } else { None }).collect();
    d.edit().zones[deck.0 as usize] = ids;
    Ok(())
}

/// 1011.1, 505.3a: the top card is shown; with the icon it may be played for nothing, else it goes to the trash.
pub fn ignite(d: &mut Duel, seat: Seat) -> Flow<bool> {
    let Some(top) = d.t.zone(zone("デッキ", seat)).last().copied() else { return Ok(false) };
    let card = d.t.now(top);
    d.happen(vec![text::would(Word("イグニッション"), Some(card), seat)])?;
    play::for_nothing(d, seat, card, zone("トラッシュ", seat))?;
    Ok(true)
}

/// Acts that texts call by name.
pub fn act(d: &mut Duel, step: &Step, ctx: &Ctx) -> Flow<bool> {
    let seat = |d: &mut Duel, who: Option<Word>| who.and_then(|w| d.see(|eyes| eyes.seat(ctx, w))).unwrap_or(ctx.seat);
    match step {
        // 1004.4: the controller's own deck unless told.
        Step::Shuffle { who } => {
            let seat = seat(d, *who);
            shuffle(d, seat).map(|()| true)
        }
        Step::Act { name, who, count, .. } => {
            let seat = seat(d, *who);
            let n = count.as_ref().map_or(1, |v| d.number(ctx, v));
            match name.as_str() {
                "ダメージ" => damage_player(d, seat, n, by_effect(ctx)),
                "回復する" => recover(d, seat, n, by_effect(ctx)),
                "シャッフル" => shuffle(d, seat).map(|()| true),
                "イグニッションする" => {
                    let mut any = false;
                    for _ in 0..n.max(0) {
                        any |= d.under(zx!("1011.1", Frame), |d| ignite(d, seat))?;
                    }
                    Ok(any)
                }
                other => d.unwritten(format!("「{other}」という行為は知らない"), &[]),
            }
        }
        _ => Ok(false),
    }
}

/// What the rules make of an event that is about to happen.
pub fn adjust(d: &mut Duel, event: &mut Event) {
    let (What::Move { to, state, .. }, Some(card)) = (&event.what, event.card) else { return };
    let (to, turned) = (*to, *state > 0);
    let from = event.from.unwrap_or(to);
    if event.how == "破壊" && super::places::is_square(from) {
        // 1204.2: what an effect destroys is destroyed by it.
        let by_effect = event.cause.means == Means::Effect;
        let how = if by_effect && d.on(zx!("1204.2", Meaning)) { Word("効果") } else { Word("") };
        let (cause, seat) = (event.cause, event.seat);
        *event =
            Event { how, cause, seat, replaced_by: std::mem::take(&mut event.replaced_by), ..destruction(d, card) };
        return;
    }
    if event.name == "破壊" && event.how.is_empty() && !event.replaced_by.is_empty() {
        return elsewhere(d, event);
    }
    let arrives = event.name == "置く" && super::places::is_square(to) && !super::places::is_square(from);
    if arrives && d.on(zx!("1007.1", Meaning)) {
        event.name = Word("登場");
    }
    if crate::game::zx::schema::schema().spec(to).name == "リソース" && !turned && text::has_icon(d, card, "多色")
    {
        told_upright(d, card, event);
    }
}

/// Reading C31: a destroyed card that goes elsewhere than to the charge was destroyed all the same.
fn elsewhere(d: &mut Duel, event: &mut Event) {
    if d.reading(zx!("C31", Reading), "a") == "b" {
        event.name = Word("置く");
        return;
    }
    event.how = match event.cause.means {
        Means::Effect => Word("効果"),
        Means::Battle => Word("バトル"),
        _ => Word(""),
    };
}

/// 308.2a with reading C13: a card with the multicolour icon goes to the resources asleep, unless a text says how.
pub fn arrives_asleep(d: &mut Duel, card: Ref) -> bool {
    text::has_icon(d, card, "多色") && d.reading(zx!("C13", Reading), "a") == "a"
}

fn told_upright(d: &mut Duel, card: Ref, event: &mut Event) {
    let by_text = event.cause.means == Means::Effect;
    if !by_text || !arrives_asleep(d, card) {
        return;
    }
    let wins =
        d.applies(zx!("102.2", Meaning), |d| format!("{}はテキストの指示どおりリブートで置かれる", d.card_name(card)));
    if let What::Move { state, .. } = &mut event.what {
        *state = u8::from(!wins);
    }
}

/// 303.6, 1003.3, 1008.2: instructions that the rules ignore.
pub fn forbids(d: &mut Duel, event: &Event) -> Option<&'static crate::kernel::Cite> {
    let card = event.card?;
    let here = d.t.obj(card.id).zone;
    let square = super::places::is_square(here);
    let cite = match &event.what {
        What::Move { .. } if event.how == "破壊" && !square => zx!("1008.2", Limit),
        What::Move { to, .. } if square && super::places::is_square(*to) && is_kind(d, card, "プレイヤー") => {
            zx!("303.6", Limit)
        }
        What::Turn { .. } if !square && super::schema::schema().spec(here).name != "リソース" => {
            zx!("1003.3", Limit)
        }
        What::Grow { .. } => {
            let source = event.cause.card?;
            if !text::immune(d, card, "ダメージ", source) {
                return None;
            }
            zx!("1014.1", Limit)
        }
        _ => return None,
    };
    d.applies(cite, |d| format!("{}には行われない", d.card_name(card))).then_some(cite)
}
