//! 400, 600, 925: a turn and its six phases.

use super::places::{is_field, zone};
use super::priority::window;
use super::schema::{DAMAGE, RESTRICTED, RETURNS, STAND_TOLL, SWAPPED};
use super::text::number_of;
use super::{acts, battle, deck, energy, pay, play, setup, speech, text};
use crate::card::Word;
use crate::kernel::table::Added;
use crate::kernel::{Asks, Cause, Cite, Duel, Event, Flow, Means, Question, Ref, Seat, Slots, Thing};

const PHASES: [&str; 6] = [
    "スタンバイフェイズ",
    "ドローフェイズ",
    "第1メインフェイズ",
    "アタックフェイズ",
    "第2メインフェイズ",
    "エンドフェイズ",
];

/// 401.1: one turn, from the phase the table stands at.
pub fn turn(d: &mut Duel) -> Flow {
    if d.t.turn == d.given.table.turn {
        speech::listen(d)?;
    }
    for id in d.t.ids() {
        let card = d.t.now(id);
        text::weigh(d, card)?;
    }
    if d.t.phase == "デッキ構築" {
        for seat in Seat::BOTH {
            deck::bring(d, seat)?;
        }
        d.enter(Word("準備"));
    }
    if d.t.phase == "準備" {
        setup::start(d)?;
    }
    if battle::is_step(&d.t.phase) {
        d.enter(Word("アタックフェイズ"));
    }
    let from = PHASES.iter().position(|p| d.t.phase == *p).unwrap_or(0);
    if from == 0 && !d.t.midway {
        begin(d);
        d.turn_comes("後で発動する効果", &["nova:801.4.9", "nova:802.1.2"])?;
    }
    for phase in &PHASES[from..] {
        whole(d, phase, None)?;
        follow(d, phase)?;
    }
    next(d)
}

/// 401.2, 401.2.1: what was added after this phase, the last first.
fn follow(d: &mut Duel, phase: &str) -> Flow {
    while let Some(at) = d.t.added.iter().rposition(|added| added.after == phase) {
        d.spend()?;
        let first = d.t.added.iter().position(|added| added.after == phase).unwrap_or(at);
        let last = first == at || d.applies(nova!("401.2.1", Order), |_| "最後に追加されたものから行う".into());
        let added = d.aside().added().remove(if last { at } else { first });
        let Some(name) = PHASES.iter().find(|p| added.phase == **p).copied() else { continue };
        d.step(nova!("401.2"), |d| whole(d, name, added.by))?;
        if name != phase {
            follow(d, name)?;
        }
    }
    Ok(())
}

/// 401.2: an effect puts a phase in after the one that it names. One that names none means the phase of that name if it is
/// still to come or going on, else this one.
pub fn add(d: &mut Duel, act: &str, by: Option<Ref>) -> Flow<bool> {
    let text = act.strip_suffix("を追加する").unwrap_or(act);
    let (after, name) = text.split_once("の直後に").unwrap_or(("", text));
    let place = |name: &str| PHASES.iter().position(|p| *p == name);
    let (Some(here), Some(new)) = (place(&d.t.phase), place(name)) else {
        return d.unwritten(format!("行為「{act}」"), &["nova:401.2"]);
    };
    let after = match after {
        "このフェイズ" => here,
        "" => new.max(here),
        named => place(named).unwrap_or(here),
    };
    d.trace.reach(nova!("401.2"));
    let (phase, after) = (Word(PHASES[new]), Word(PHASES[after]));
    d.aside().added().push(Added { phase, after, by });
    Ok(true)
}

/// One phase, unless it is skipped.
fn whole(d: &mut Duel, phase: &'static str, added_by: Option<Ref>) -> Flow {
    if !d.t.midway && skipped(d, phase) {
        if d.t.added.iter().any(|added| added.after == phase) {
            return d.undecided("スキップされたフェイズの直後に追加されたフェイズ", &["nova:401.2", "nova:401.3"]);
        }
        return Ok(());
    }
    d.enter(Word(phase));
    d.under(chapter(phase), |d| self::phase(d, phase, added_by))?;
    match phase {
        "第1メインフェイズ" => d.trace.reach(nova!("404.2.2", Frame)),
        "アタックフェイズ" => {
            d.trace.reach(nova!("405.1", Frame));
            d.trace.reach(nova!("405.7.4", Frame));
        }
        "第2メインフェイズ" => d.trace.reach(nova!("406.2.2", Frame)),
        "スタンバイフェイズ" | "ドローフェイズ" => d.trace.reach(nova!("912.4.3", Frame)),
        _ => {}
    }
    energy::vanish(d)?;
    d.expire(Word("フェイズ終了時"), None)?;
    d.midway(false);
    Ok(())
}

/// 401.3, 925.1, 402.4.1: as if it were not there.
pub fn skipped(d: &mut Duel, phase: &str) -> bool {
    // Reading C33: whose first turn it is when the second player began.
    let mut first = 1;
    if phase == "ドローフェイズ"
        && d.t.turn < 3
        && d.t.facts[SWAPPED] > 0
        && d.reading(nova!("C33", Reading), "a") == "b"
    {
        first = 2;
    }
    if phase == "ドローフェイズ"
        && d.t.turn == first
        && d.applies(nova!("402.4.1", Limit), |_| "最初のターンはドローフェイズをスキップする".into())
    {
        return true;
    }
    let active = d.t.active;
    let at = d.t.agenda.iter().position(|(what, seat)| *what == phase && *seat == active);
    let Some(at) = at else { return false };
    d.aside().agenda().remove(at);
    if d.t.watches.iter().any(|w| w.when.event.starts_with(phase)) {
        d.trace.reach(nova!("925.1.2", Frame));
    }
    super::say(d, [nova!("401.3", Limit), nova!("925.1.1", Limit)])
        && d.applies(nova!("925.1", Meaning), |_| format!("{phase}はスキップされる"))
}

fn chapter(phase: &str) -> &'static Cite {
    match phase {
        "スタンバイフェイズ" => nova!("402", Frame),
        "ドローフェイズ" => nova!("403", Frame),
        "第1メインフェイズ" => nova!("404", Frame),
        "アタックフェイズ" => nova!("405", Frame),
        "第2メインフェイズ" => nova!("406", Frame),
        _ => nova!("407", Frame),
    }
}

/// What begins, of a phase that an effect put in also by the card that did: 「そのフェイズ」 is no other (801.4.9.3).
pub fn signal(d: &mut Duel, name: &'static str, added_by: Option<Ref>) -> Flow {
    let event = added_by.map_or_else(|| Event::signal(Word(name)), |by| Event::about(Word(name), by));
    let active = d.t.active;
    d.happen(vec![event.seat(active)])
}

fn phase(d: &mut Duel, phase: &str, added_by: Option<Ref>) -> Flow {
    let opened = d.t.midway;
    match phase {
        "スタンバイフェイズ" => standby(d, opened),
        "ドローフェイズ" => {
            if !opened {
                d.step(nova!("403.1"), |d| signal(d, "ドローフェイズ開始時", added_by))?;
                d.step(nova!("403.2"), window)?;
                let draw = |d: &mut Duel| acts::draw(d, d.t.active, Cause::RULE).map(|_| ());
                d.step(nova!("403.3"), |d| d.step(nova!("602.2"), draw))?;
            }
            d.step(nova!("403.4"), window)
        }
        "第1メインフェイズ" => {
            if !opened {
                d.step(nova!("404.1"), |d| signal(d, "第1メインフェイズ開始時", added_by))?;
            }
            d.step(nova!("404.2"), window)
        }
        "アタックフェイズ" => battle::phase(d, opened, added_by),
        "第2メインフェイズ" => {
            if !opened {
                d.step(nova!("406.1"), |d| signal(d, "第2メインフェイズ開始時", added_by))?;
            }
            d.step(nova!("406.2"), window)
        }
        _ => end(d, opened),
    }
}

/// 203.4: whoever is controlled from here on is free to act.
fn begin(d: &mut Duel) {
    let seat = d.t.active;
    for id in d.t.ids() {
        let obj = d.t.obj(id);
        if is_field(obj.zone) && obj.controller == seat && obj.facts[RESTRICTED] != 0 {
            d.trace.reach(nova!("203.4", Limit));
            *d.aside().card(id, RESTRICTED) = 0;
        }
    }
}

/// 402, reading C21.
fn standby(d: &mut Duel, opened: bool) -> Flow {
    if !opened {
        d.step(nova!("402.1"), |d| {
            if d.t.turn == 1 {
                d.signal(Word("ゲーム開始時"))?;
            }
            if d.t.turn == 1 || d.reading(nova!("C21", Reading), "a") == "a" {
                d.signal(Word("ターン開始時"))?;
            }
            d.signal(Word("スタンバイフェイズ開始時"))
        })?;
        d.step(nova!("402.2"), window)?;
        d.step(nova!("402.3"), |d| d.step(nova!("602.1"), stand))?;
    }
    d.step(nova!("402.4"), window)
}

/// 402.3, 602.1, reading C22: all that is frozen on one's field and in one's energy zone.
fn stand(d: &mut Duel) -> Flow {
    let seat = d.t.active;
    let all = d.reading(nova!("C22", Reading), "a") == "b";
    let mine = |d: &Duel, r: &Ref| {
        let obj = d.t.obj(r.id);
        let places = obj.zone == zone("場", seat) || obj.zone == zone("エナジーゾーン", seat);
        places || all && is_field(obj.zone) && obj.controller == seat
    };
    let cards: Vec<Ref> = d.t.ids().map(|id| d.t.now(id)).filter(|r| d.t.obj(r.id).state == 1 && mine(d, r)).collect();
    let mut up = Vec::new();
    for card in cards {
        if stands_up(d, seat, card)? {
            up.push(card);
        }
    }
    d.turn(&up, Word("スタンバイ"), Cause { seat: Some(seat), ..Cause::RULE }).map(|_| ())
}

/// 402.3.1: where an effect wants something to be paid for it, the player chooses whether to.
fn stands_up(d: &mut Duel, seat: Seat, card: Ref) -> Flow<bool> {
    for (source, ability) in text::tolls(d, card, STAND_TOLL) {
        d.trace.reach(nova!("402.3.1", Limit));
        if !d.on(nova!("402.3.1", Limit)) {
            continue;
        }
        let owed = ability.price.as_ref().map(|p| pay::owed(d, p)).unwrap_or_default();
        let slots = Slots::default();
        let able = pay::payable(d, seat, &owed, &[])
            && (ability.cost.is_empty() || d.possible(&ability.cost, &slots, Some(source), seat, None)?);
        if !able || !d.yes(seat, Word("追加コスト"), Some(card))? || !pay::pay(d, seat, &owed, &[])? {
            return Ok(false);
        }
        let mut frame = play::frame(seat, source);
        frame.cause.means = Means::Cost;
        if !ability.cost.is_empty() && !d.perform(&mut frame, &ability.cost)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// 407: triggers until there are none, then damage, effects, hand; again while anything waits.
fn end(d: &mut Duel, opened: bool) -> Flow {
    let mut opened = opened;
    let mut again = false;
    loop {
        if std::mem::replace(&mut again, true) {
            d.goes_round()?;
        }
        d.step(nova!("407.1"), window)?;
        if !std::mem::replace(&mut opened, false) {
            d.step(nova!("407.2"), |d| d.signal(Word("エンドフェイズ開始時")))?;
        }
        d.step(nova!("407.3"), |d| d.signal(Word("ターン終了時")))?;
        if !d.t.context().pending.is_empty()
            && d.applies(nova!("407.4", Meaning), |_| "自動能力が発動したので優先権処理に戻る".into())
        {
            continue;
        }
        d.step(nova!("407.5"), |d| d.step(nova!("602.6"), heal))?;
        let expire = |d: &mut Duel| {
            d.expire(Word("ターン終了時"), None)?;
            give_back(d)
        };
        d.step(nova!("407.6"), |d| d.step(nova!("602.7"), expire))?;
        d.step(nova!("407.7"), |d| d.step(nova!("602.8"), discard))?;
        let waits = !d.t.context().pending.is_empty() || super::checks::any_destroyed(d);
        if !waits || !d.applies(nova!("407.8", Meaning), |_| "解決を待つ能力があるので優先権処理に戻る".into())
        {
            return Ok(());
        }
    }
}

/// 407.5, 602.6, 203.5: no damage is left.
fn heal(d: &mut Duel) -> Flow {
    for id in d.t.ids() {
        *d.aside().card(id, DAMAGE) = 0;
    }
    Ok(())
}

/// What was taken until the end of the turn is its former controller's again.
fn give_back(d: &mut Duel) -> Flow {
    for id in d.t.ids().collect::<Vec<_>>() {
        let to = d.t.obj(id).facts[RETURNS];
        if to > 0 && is_field(d.t.obj(id).zone) {
            *d.aside().card(id, RETURNS) = 0;
            let card = d.t.now(id);
            acts::control(d, card, Seat(to as u8 - 1), Cause::RULE)?;
        }
    }
    Ok(())
}

/// 407.7, 602.8, 308.5: down to seven.
fn discard(d: &mut Duel) -> Flow {
    let seat = d.t.active;
    let hand = zone("手札", seat);
    let most = number_of(d, seat, "手札の上限").saturating_add(7).max(0) as usize;
    let n = d.t.zone(hand).len().saturating_sub(most);
    if n == 0 || !d.applies(nova!("308.5", Limit), |_| format!("手札は{most}枚まで")) {
        return Ok(());
    }
    let of: Vec<Thing> = d.t.zone(hand).iter().map(|id| Thing::Card(d.t.now(*id))).collect();
    let question = Question::new(seat, Word("手札調整"), Asks::Choose { of, min: n, max: n }).citing(nova!("407.7"));
    let chosen = d.pick(question)?;
    let cards: Vec<Ref> =
        chosen.into_iter().filter_map(|t| if let Thing::Card(r) = t { Some(r) } else { None }).collect();
    acts::discard(d, &cards, Cause { seat: Some(seat), ..Cause::RULE })
}

/// 407.8: the other player's turn; a skipped turn is none (925.1).
fn next(d: &mut Duel) -> Flow {
    // What was put in after a phase that had gone by does not come.
    d.aside().added().clear();
    let alternate = super::say(d, [nova!("401.1", Order)]);
    let mut active = if alternate { d.t.active.other() } else { d.t.active };
    if let Some(i) = d.t.agenda.iter().position(|(what, seat)| *what == "ターン" && *seat == active) {
        d.aside().agenda().remove(i);
        active = active.other();
    }
    d.begin_turn(active, d.t.turn + 1, Word("スタンバイフェイズ"));
    Ok(())
}
