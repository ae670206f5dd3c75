//! 501–507: a turn and its six phases.

use super::places::{bodies, is_kind, is_square, zone};
use super::priority::{act, choose, moment, preprocess, would_trigger};
use super::schema::{DAMAGE, HAND_LIMIT, schema};
use super::text::{self, limit};
use super::{acts, checks, dates, priority, setup, speech};
use crate::card::Word;
use crate::kernel::{Asks, Cause, Cite, Duel, Event, Flow, Question, Ref, Thing};

const PHASES: [&str; 6] = [
    "リブートフェイズ",
    "ドローフェイズ",
    "リソースフェイズ",
    "イグニッションフェイズ",
    "メインフェイズ",
    "エンドフェイズ",
];

/// A phase can be left from inside (1028.1).
const PHASE: Word = Word("フェイズ");
const PHASE_ENDS: Word = Word("フェイズ終了時");

/// 501.3: one turn, from the phase the table stands at.
pub fn turn(d: &mut Duel) -> Flow {
    if d.t.turn == d.given.table.turn {
        speech::listen(d)?;
    }
    text::known(d)?;
    dates::look(d, &[])?;
    if d.t.phase == "デッキ構築" {
        for seat in crate::kernel::Seat::BOTH {
            choose(d, seat, zx!("401.1", Frame))?;
        }
        d.enter(Word("準備"));
    }
    if d.t.phase == "準備" {
        setup::start(d)?;
    }
    let mut at = PHASES.iter().position(|p| d.t.phase == *p).unwrap_or(0);
    d.under(zx!("501.3", Frame), |d| {
        while let Some(phase) = PHASES.get(at).copied() {
            d.enter(Word(phase));
            let opened = d.t.midway;
            let whole = d.within(PHASE, |d| match phase {
                "リブートフェイズ" => d.under(zx!("502", Frame), |d| reboot(d, opened)),
                "ドローフェイズ" => d.under(zx!("503", Frame), |d| draw(d, opened)),
                "リソースフェイズ" => d.under(zx!("504", Frame), |d| resource(d, opened)),
                "イグニッションフェイズ" => d.under(zx!("505", Frame), |d| ignition(d, opened)),
                "メインフェイズ" => d.under(zx!("506", Frame), |d| main(d, opened)),
                _ => d.under(zx!("507", Frame), |d| end(d, opened)),
            })?;
            d.midway(false);
            at = if whole { at + 1 } else { left(d)? };
            d.expire(PHASE_ENDS, None)?;
        }
        Ok(())
    })?;
    next(d)
}

/// 1028.1: an effect ends the phase, and the battle if there is one, and begins another.
pub fn begin_phase(d: &mut Duel, phase: Word) -> Flow<bool> {
    if !d.applies(zx!("1028.1"), |_| format!("今のフェイズを終え、{phase}を開始する")) {
        return Ok(false);
    }
    let seat = d.t.active;
    d.aside().agenda().push((phase, seat));
    d.leave(PHASE)
}

/// 1028.1a, 1028.1b: what lasts as long as the battle ends; what waits is done in the new phase. The phase that begins.
fn left(d: &mut Duel) -> Flow<usize> {
    let fight = d.t.context().fights.first().map(|f| f.id);
    let waiting: Vec<Ref> = d.t.zone(super::places::temporary()).iter().map(|id| d.t.now(*id)).collect();
    for card in waiting {
        super::play::finish_event(d, card)?;
    }
    super::play::hide(d)?;
    d.step(zx!("1028.1a", Layer), |d| d.expire(PHASE_ENDS, None))?;
    if fight.is_some() {
        d.step(zx!("1028.1a", Layer), |d| d.expire(Word("バトル終了時"), fight))?;
        super::priority::forget_battle(d);
        d.end_fights();
        d.enter_step(Word(""));
    }
    d.give_priority(None);
    let (phase, _) = d.aside().agenda().pop().unwrap_or((Word("エンドフェイズ"), crate::kernel::Seat(0)));
    Ok(PHASES.iter().position(|p| phase == *p).unwrap_or(5))
}

/// The phase begins, with a pre-processing where the document has one.
fn open(d: &mut Duel, opened: bool, begins: &'static Cite) -> Flow {
    if opened {
        return Ok(());
    }
    let begins_it = |moment: &&&str| moment.strip_suffix("開始時").is_some_and(|phase| d.t.phase == phase);
    let moment = schema().words.moments.iter().find(begins_it).expect("every phase begins");
    d.step(begins, |d| d.signal(Word(moment)))
}

/// 502.1: everything of the player reboots and their Ascensions are destroyed.
fn reboot(d: &mut Duel, opened: bool) -> Flow {
    let seat = d.t.active;
    if !opened {
        d.step(zx!("502.1"), |d| {
            let view = d.look();
            let mine = |r: &Ref| {
                let obj = d.t.obj(r.id);
                let own = if is_square(obj.zone) {
                    view.cards[r.id.0 as usize].controller == seat
                } else {
                    obj.zone == zone("リソース", seat)
                };
                own && obj.turned()
            };
            let cards: Vec<Ref> = d.t.ids().map(|id| d.t.now(id)).filter(mine).collect();
            d.turn(&cards, Word("リブート"), Cause { seat: Some(seat), ..Cause::RULE })?;
            let mut events = Vec::new();
            for card in bodies(d) {
                if d.seen(card).controller == seat && is_kind(d, card, "アセンション") {
                    events.push(acts::destruction(d, card));
                }
            }
            if events.is_empty() { Ok(()) } else { d.propose(events).map(|_| ()) }
        })?;
        open(d, false, zx!("502.2"))?;
        if d.t.turn == 1 {
            d.signal(Word("ゲーム開始時"))?;
        }
    }
    d.step(zx!("502.3"), preprocess)
}

/// 503.3, 503.3a: two cards, but none in the first turn of the first player.
fn draw(d: &mut Duel, opened: bool) -> Flow {
    open(d, opened, zx!("503.1"))?;
    if !opened {
        d.step(zx!("503.2"), preprocess)?;
        let seat = d.t.active;
        let first =
            d.t.turn == 1 && d.applies(zx!("503.3a", Limit), |_| "先攻プレイヤーの最初のターンは引けない".into());
        if !first {
            d.step(zx!("503.3"), |d| {
                for _ in 0..2 {
                    acts::draw(d, seat, Cause { seat: Some(seat), ..Cause::RULE })?;
                }
                Ok(())
            })?;
        }
    }
    d.step(zx!("503.4"), preprocess)
}

/// 504.3: one card of the hand may go to the resources.
fn resource(d: &mut Duel, opened: bool) -> Flow {
    open(d, opened, zx!("504.1"))?;
    d.step(zx!("504.2"), preprocess)?;
    let seat = d.t.active;
    choose(d, seat, zx!("504.3", Frame))?;
    d.step(zx!("504.4"), preprocess)
}

/// 505.3–505.5: charge cards one after another until the player passes.
fn ignition(d: &mut Duel, opened: bool) -> Flow {
    open(d, opened, zx!("505.1"))?;
    d.step(zx!("505.2"), preprocess)?;
    let seat = d.t.active;
    loop {
        let again = choose(d, seat, zx!("505.3", Frame))?;
        d.step(zx!("505.4"), preprocess)?;
        if !again || !d.applies(zx!("505.5"), |_| "もう一度チャージのカードを選ぶ".into()) {
            return Ok(());
        }
    }
}

/// 506.2–506.4: the turn player acts until they pass. The opponent has no priority here.
fn main(d: &mut Duel, opened: bool) -> Flow {
    open(d, opened, zx!("506.1"))?;
    let seat = d.t.active;
    loop {
        let again = act(d, seat, zx!("506.2", Frame))?;
        d.step(zx!("506.3"), preprocess)?;
        if !again || !d.applies(zx!("506.4"), |_| "もう一度行動を選ぶ".into()) {
            return Ok(());
        }
    }
}

/// 507: 「ターン終了時」, then damage goes, the hand is cut, and at last effects end.
fn end(d: &mut Duel, opened: bool) -> Flow {
    open(d, opened, zx!("507.1"))?;
    d.step(zx!("507.2"), preprocess)?;
    let active = d.t.active;
    let over = Event::signal(Word("ターン終了時")).seat(active);
    let mut before = None;
    loop {
        d.under(zx!("507.3", Frame), |d| moment(d, &over, zx!("507.4"), zx!("507.5")))?;
        d.step(zx!("507.6"), |d| {
            for id in d.t.ids().filter(|id| d.t.obj(*id).facts[DAMAGE] > 0).collect::<Vec<_>>() {
                if is_kind(d, d.t.now(id), "ゼクス") {
                    *d.aside().card(id, DAMAGE) = 0;
                }
            }
            Ok(())
        })?;
        d.step(zx!("507.7"), cut_hand)?;
        let more = checks::any_due(d)? || !d.t.context().pending.is_empty() || would_trigger(d, &over)?;
        if !more || !d.applies(zx!("507.8"), |_| "「ターン終了時」に戻る".into()) {
            d.expire(Word("ターン終了時"), None)?;
            return Ok(());
        }
        priority::goes_on(d, &mut before)?;
    }
}

/// 309.2b, 507.7: the turn player keeps as many cards as the limit allows. Reading C27: that is not discarding.
fn cut_hand(d: &mut Duel) -> Flow {
    let seat = d.t.active;
    let hand: Vec<Thing> = d.t.zone(zone("手札", seat)).iter().map(|id| Thing::Card(d.t.now(*id))).collect();
    let Some(most) = limit(d, seat, HAND_LIMIT, 6).map(|n| n.max(0) as usize).filter(|n| hand.len() > *n) else {
        return Ok(());
    };
    let over = hand.len() - most;
    let asks = Asks::Choose { of: hand, min: over, max: over };
    let chosen = d.pick(Question::new(seat, Word("手札の上限"), asks).citing(zx!("507.7", Frame)))?;
    let discards = d.reading(zx!("C27", Reading), "a") == "b";
    let mut events = Vec::new();
    for thing in chosen {
        let Thing::Card(card) = thing else { continue };
        let mut event = d.moving(card, zone("トラッシュ", seat)).seat(seat);
        if discards {
            event.how = Word("捨てる");
        }
        events.push(event);
    }
    d.propose(events).map(|_| ())
}

/// 507.8: the other player's turn.
fn next(d: &mut Duel) -> Flow {
    d.begin_turn(d.t.active.other(), d.t.turn + 1, Word("リブートフェイズ"));
    d.turn_comes("時限型自動能力", &["zx:808.4", "zx:802.2b"])
}
