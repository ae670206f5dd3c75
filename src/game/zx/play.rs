//! 804, 806, 807: playing and resolving are one unit; nothing comes between but what the rules do at once.

use std::sync::Arc;

use super::pay::{self, Cost};
use super::places::{is_body, is_kind, temporary, zone};
use super::schema::schema;
use super::text::has_icon;
use super::{acts, moves};
use crate::card::{Ability, Kind, Step, Target, Word};
use crate::kernel::cite::Rule;
use crate::kernel::steps::{Frame, goes_to};
use crate::kernel::{
    Asks, Cause, Cite, Duel, Event, Flow, Means, Move, Pending, Question, Ref, Seat, Sight, Slots, Thing, Told, Use,
    User, What, ZoneId,
};

pub fn frame(seat: Seat, this: Ref) -> Frame {
    let cause = Cause { means: Means::Effect, card: Some(this), seat: Some(seat) };
    Frame { this: Some(this), seat, slots: Slots::default(), event: None, cause }
}

/// How a card is played: what for, in which way, where to.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// `None`: for nothing.
    pub cost: Option<Cost>,
    /// 806.1g–806.1j.
    pub way: Word,
    pub square: Option<ZoneId>,
    /// 806.1c: the card a shift is laid on.
    pub host: Option<Ref>,
    /// 1133: see [`super::schema::CAME`].
    pub came: i32,
    /// 1027: what the player does for it.
    pub offers: Vec<super::playing::Offer>,
}

/// 506.2, 806.1: plays a card and resolves it.
pub fn card(d: &mut Duel, who: Seat, card: Ref, terms: Terms) -> Flow<bool> {
    let saved = d.t.clone();
    let from = d.t.obj(card.id).zone;
    let event = !is_body(d, card) && !is_kind(d, card, "シフト");
    let played = d.under(zx!("804.2", Frame), |d| begin(d, who, card, &terms))?;
    let Begun::Played(card, forces) = played else {
        if let Begun::Spoilt(card) = played {
            away(d, card)?;
            hide(d)?;
            return Ok(false);
        }
        // 804.2f, 804.2g: what cannot be completed is taken back.
        d.trace.reach(zx!("804.2f", Frame));
        d.tell(Told::Refused, |_| "プレイを続けられないので、開始する直前まで戻す".into());
        d.take_back(saved);
        return Ok(false);
    };
    match (terms.square, terms.host) {
        (_, Some(host)) => d.under(zx!("806.3d"), |d| {
            let cause = Cause { seat: Some(who), ..Cause::RULE };
            let laid = d.on(zx!("806.3d")) && super::composite::lay(d, who, card, host, from, cause)?;
            if laid { Ok(()) } else { away(d, card) }
        })?,
        (Some(square), _) => d.under(zx!("806.3a"), |d| appear(d, who, card, square, from, terms.came, &forces))?,
        (None, None) if event => d.under(zx!("806.3b", Frame), |d| event_card(d, who, card))?,
        (None, None) => away(d, card)?,
    }
    hide(d)?;
    Ok(true)
}

/// 804.2b–804.2h: shown, the price fixed, to the temporary zone, paid, played. The card it is then, and what becomes
/// its force.
fn begin(d: &mut Duel, who: Seat, card: Ref, terms: &Terms) -> Flow<Begun> {
    let parts = costs(d, card);
    let mut fixed = super::extras::Fixed::default();
    if let Some(cost) = terms.cost.as_ref().filter(|_| !terms.way.is_empty()) {
        match super::extras::fix(d, who, card, terms.way, cost.clone())? {
            Some(made) => fixed = made,
            None => return Ok(Begun::Undone),
        }
    }
    let to = temporary();
    d.trace.reach(zx!("804.2e", Frame));
    let event = d.moving(card, to).seat(who);
    // 1007.2: it is played from where it was.
    let from = (d.t.obj(card.id).zone, d.t.obj(card.id).face_up);
    let Some(card) = d.propose(vec![event])?.first().and_then(|e| e.after) else { return Ok(Begun::Undone) };
    // Reading C3 b: an extra has gone back already.
    if !d.t.is_now(card) {
        return Ok(Begun::Undone);
    }
    let mut frame = frame(who, card);
    frame.cause.means = Means::Cost;
    let mut forces = Vec::new();
    let paid = match &terms.cost {
        None => true,
        Some(_) if !terms.way.is_empty() => match super::extras::pay(d, who, card, terms.way, fixed)? {
            Some(chosen) => {
                forces = chosen;
                super::playing::pay(d, who, card, &terms.offers)?
            }
            None => false,
        },
        Some(cost) => {
            // 804.2d: what is changed by where the card is now changes no price that was fixed.
            let kept = d.applies(zx!("804.2d"), |_| "決定した代償は変わらない".into());
            let cost = if kept { cost.clone() } else { pay::of_card(d, card) };
            super::playing::pay(d, who, card, &terms.offers)?
                && d.under(zx!("805.3", Frame), |d| pay::pay(d, who, &cost))?
        }
    };
    if !paid || !(parts.is_empty() || d.perform(&mut frame, &parts)?) {
        return Ok(Begun::Undone);
    }
    let played =
        Event { from: Some(from.0), from_face_up: from.1, ..super::text::would(Word("プレイ"), Some(card), who) };
    let would = Event { to: terms.square, ..played.clone() };
    if d.forbidden(&would)
        && d.applies(zx!("804.2h"), |d| format!("{}はプレイできなくなったのでトラッシュに置かれる", d.card_name(card)))
    {
        return Ok(Begun::Spoilt(card));
    }
    d.happen(vec![played])?;
    Ok(Begun::Played(card, forces))
}

/// What came of the play of a card.
enum Begun {
    /// The card as it is now, and what becomes its force.
    Played(Ref, Vec<Ref>),
    /// 804.2f, 804.2g: it could not be paid for.
    Undone,
    /// 804.2h: at the end it cannot be played any more.
    Spoilt(Ref),
}

/// 804.2f: the parts of a cost besides resources can be paid in some way. A card that is played has gone by then (804.2e).
pub fn could_pay(d: &mut Duel, who: Seat, card: Ref, parts: &[Step], plays: bool) -> bool {
    let could = |d: &mut Duel, parts: &[Step]| {
        d.could_come(|d| {
            let mut card = card;
            if plays {
                let event = d.moving(card, temporary()).seat(who);
                let Some(moved) = d.propose(vec![event])?.first().and_then(|e| e.after) else { return Ok(false) };
                card = moved;
            }
            let mut frame = frame(who, card);
            frame.cause.means = Means::Cost;
            d.perform(&mut frame, parts)
        })
    };
    parts.is_empty() || could(d, parts) || super::pay::orders(d, parts).iter().any(|order| could(d, order))
}

/// What must be done besides paying resources.
pub fn costs(d: &mut Duel, card: Ref) -> Vec<Step> {
    d.seen(card).abilities.iter().filter(|a| a.kind == Kind::Effect).flat_map(|a| a.cost.clone()).collect()
}

/// 806.3a: what cannot be put there goes to the trash.
fn away(d: &mut Duel, card: Ref) -> Flow {
    if !d.t.is_now(card) {
        return Ok(());
    }
    let owner = d.t.obj(card.id).owner;
    let event = d.moving(card, zone("トラッシュ", owner));
    d.happen(vec![event])
}

/// 806.3a, 1007.2, 1025.3: onto the square, from the zone it was played from; where that cannot be, to the trash.
fn appear(d: &mut Duel, who: Seat, card: Ref, square: ZoneId, from: ZoneId, came: i32, forces: &[Ref]) -> Flow {
    if !d.on(zx!("806.3a")) {
        return away(d, card);
    }
    let mut event = d.moving(card, square).seat(who);
    if d.applies(zx!("1007.2", Meaning), |d| {
        format!("{}はプレイされる前のゾーンから登場したとみなされる", d.card_name(card))
    }) {
        event.from = Some(from);
        event.from_face_up = schema().spec(from).sight == Sight::All;
    }
    event.how = Word("プレイ");
    let state = u8::from(!d.applies(zx!("303.5a"), |_| "リブートで置かれる".into()));
    event.what = What::Move { to: square, bottom: false, state, face_up: true, controller: Some(who), host: None };
    let mut events = vec![event];
    for force in forces.iter().copied().filter(|f| d.t.is_now(*f)).collect::<Vec<_>>() {
        if !d.applies(zx!("1025.3"), |d| format!("{}はフォースになる", d.card_name(force))) {
            continue;
        }
        let cause = Cause { means: Means::Cost, card: None, seat: Some(who) };
        events.push(super::force::into_force(d, force, card.id, true, cause));
    }
    // 1133.2: how it came is known from the moment it is there.
    *d.aside().fact(super::schema::ARRIVING) = came;
    let done = d.propose(events);
    *d.aside().fact(super::schema::ARRIVING) = 0;
    if !done?.happened.iter().any(|e| e.how == "プレイ") {
        away(d, card)?;
    }
    Ok(())
}

/// 809.2, 806.3b, 806.3c: its abilities from top to bottom, then the trash; an extra lies in the dynamis face up.
fn event_card(d: &mut Duel, who: Seat, card: Ref) -> Flow {
    let mut frame = frame(who, card);
    let abilities: Vec<Arc<Ability>> =
        d.seen(card).abilities.iter().filter(|a| a.kind == Kind::Effect).cloned().collect();
    let mut abilities = abilities;
    if abilities.len() > 1 && !d.applies(zx!("809.2", Order), |_| "上から順に処理する".into()) {
        abilities.reverse();
    }
    let begun = d.t.clock;
    for ability in &abilities {
        resolve(d, &mut frame, ability, true)?;
    }
    super::dates::resolved(d, card, begun)?;
    finish_event(d, card)
}

/// 806.3b, 806.3c.
pub fn finish_event(d: &mut Duel, card: Ref) -> Flow {
    if !d.t.is_now(card) {
        return Ok(());
    }
    let extra = is_kind(d, card, "エクストラ");
    let owner = d.t.obj(card.id).owner;
    let to = zone(if extra { "デュナミス" } else { "トラッシュ" }, owner);
    let cite = if extra { zx!("806.3c") } else { zx!("806.3b") };
    if !d.applies(cite, |d| format!("解決した{}を置く", d.card_name(card))) {
        return Ok(());
    }
    let event = d.moving(card, to);
    d.happen(vec![event])
}

/// 804.3a: in the order in which it is written. Nothing is chosen before (804.3), and conditions hold now (804.3b).
fn resolve(d: &mut Duel, frame: &mut Frame, ability: &Ability, asks: bool) -> Flow {
    d.under(meant(ability).unwrap_or(zx!("804.3a", Frame)), |d| {
        d.trace.reach(zx!("804.3a", Frame));
        let holds = match ability.cond.as_ref().filter(|_| asks) {
            Some(cond) => {
                d.trace.reach(zx!("804.3b", Limit));
                d.see(|eyes| eyes.holds(&frame.ctx(), cond))
            }
            None => true,
        };
        if !holds && d.applies(zx!("804.3b", Limit), |_| "条件を満たしていないので解決しない".into()) {
            return Ok(());
        }
        if ability.modes.is_empty() {
            return effects(d, frame, &ability.target, &ability.steps);
        }
        for i in modes(d, frame, ability)? {
            // The slots of a mode are its own.
            let mut own = frame.clone();
            effects(d, &mut own, &ability.modes[i].target, &ability.modes[i].steps)?;
        }
        Ok(())
    })
}

fn effects(d: &mut Duel, frame: &mut Frame, targets: &[Target], steps: &[Step]) -> Flow {
    for target in targets {
        d.ahead = goes_to(target.slot, steps);
        d.choose(frame, target, false)?;
    }
    d.perform(frame, steps).map(|_| ())
}

/// The clause that says what the keyword means, if the ability is one: by it is chosen what is chosen.
fn meant(ability: &Ability) -> Option<&'static Cite> {
    let of = |clause: &&'static str| crate::kernel::cite::of_clause("zx", clause).iter().copied();
    ability.clauses.iter().flat_map(of).find(|cite| cite.rule == Rule::Meaning)
}

/// 802.3: the effects that are chosen, all different, in the order in which they are written (804.3a).
fn modes(d: &mut Duel, frame: &Frame, ability: &Ability) -> Flow<Vec<usize>> {
    let of = ability.modes.iter().map(|m| Thing::Word(m.name)).collect();
    let n = ability.choose.map_or(1, usize::from);
    let asks = Asks::Choose { of, min: n, max: n };
    let mut question = Question::new(frame.seat, Word("効果"), asks).about(frame.this);
    question.twice = Some(zx!("802.3", Limit));
    let mut chosen = d.ask(question)?;
    chosen.sort_unstable();
    Ok(chosen.into_iter().map(|i| i as usize).collect())
}

/// 807.1c: pays for an activated ability and resolves it. False: it was taken back.
pub fn activate(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    let card = m.card.expect("a card's ability");
    let number = m.ability.unwrap_or(0);
    let ability = d.seen(card).abilities[number as usize].clone();
    let saved = d.t.clone();
    let mut frame = frame(who, card);
    d.reach_clauses(&ability);
    show(d, card);
    if !d.under(zx!("804.2", Frame), |d| pay_for(d, &mut frame, &ability))? {
        d.trace.reach(zx!("804.2f", Frame));
        d.take_back(saved);
        return Ok(false);
    }
    d.use_up(card, who, &ability);
    if let Some((act, lasts, _)) = acts::once(&ability) {
        d.note_use(Use { user: User::Player(who), what: 0, act, lasts });
    }
    if ability.meant_by.is_some_and(|k| k == "トランス") {
        let name = d.seen(card).name();
        d.note_use(Use {
            user: User::Name(who, name),
            what: 0,
            act: Word("トランス"),
            lasts: crate::kernel::limit::TURN,
        });
    }
    d.happen(vec![Event::about(Word("起動"), card).seat(who)])?;
    let begun = d.t.clock;
    let holds = |d: &mut Duel| ability.cond.as_ref().is_none_or(|c| d.see(|eyes| eyes.holds(&frame.ctx(), c)));
    // Whether it was valid was asked when its play began.
    if holds(d) || d.applies(zx!("803.3"), |_| "プレイの間に無効になった能力も解決する".into()) {
        resolve(d, &mut frame, &ability, false)?;
    }
    super::dates::resolved(d, card, begun)?;
    hide(d)?;
    Ok(true)
}

/// 804.2b: a card in a hidden zone whose ability is played is shown.
fn show(d: &mut Duel, card: Ref) {
    let obj = d.t.obj(card.id);
    if schema().spec(obj.zone).sight != Sight::All && !obj.face_up {
        if !d.applies(zx!("804.2b"), |d| format!("{}を公開する", d.card_name(card))) {
            return;
        }
        d.aside().reveal(card.id, true);
    }
}

/// Reading C16: what レイド costs cannot be read in the document; the card says it, or it is free.
pub fn price(d: &mut Duel, ability: &Ability) -> Option<crate::card::Price> {
    let raid = ability.meant_by.is_some_and(|k| k == "レイド");
    let free = raid && d.reading(zx!("C16", Reading), "a") == "b";
    ability.price.clone().filter(|_| !free)
}

/// 804.2f: parts of a cost are paid in the order that the player likes: whether the resource cost is first.
pub fn resources_first(d: &mut Duel, who: Seat, card: Ref) -> Flow<bool> {
    let of = vec![Thing::Word(Word("リソースコスト")), Thing::Word(Word("ほかの代償"))];
    let mut question = Question::new(who, Word("支払う順番"), Asks::Order(of)).citing(zx!("804.2f", Frame));
    question.minor = true;
    Ok(d.ask(question.about(Some(card)))?[0] == 0)
}

/// 805.2b, 805.2c: the resource cost of the ability, with what effects make of it.
pub fn owed(d: &mut Duel, card: Option<Ref>, ability: &Ability, slots: &Slots) -> Option<Cost> {
    let printed = price(d, ability).map(|price| pay::of_ability(&price, slots));
    let Some(card) = card.filter(|_| ability.kind == Kind::Activated) else { return printed };
    let points = printed.as_ref().map_or(0, |cost| cost.points);
    match pay::of_activating(d, card, points) {
        now if now == points => printed,
        points => Some(Cost { points, ..printed.unwrap_or_default() }),
    }
}

/// The price and the other parts of the cost; whether all was paid.
fn pay_for(d: &mut Duel, frame: &mut Frame, ability: &Ability) -> Flow<bool> {
    if let Some(price) = price(d, ability) {
        d.trace.reach(zx!("805.2b", Frame));
        pay::fix(d, frame.seat, &price, &mut frame.slots)?;
    }
    let owed = owed(d, frame.this, ability, &frame.slots);
    // Which is paid first can matter only where both speak of resources.
    let both = owed.is_some() && ability.cost.iter().any(|step| format!("{step:?}").contains("リソース"));
    let last = both && frame.this.is_some_and(|this| d.t.is_now(this)) && {
        let this = frame.this.expect("it is there");
        !resources_first(d, frame.seat, this)?
    };
    if let Some(cost) = owed.as_ref().filter(|_| !last) {
        let Some(spent) = pay::spend(d, frame.seat, cost)? else { return Ok(false) };
        let barred = if both { pay::barred(d, spent) } else { Vec::new() };
        if !barred.is_empty() {
            frame.slots.set(Word("支払ったリソース"), barred.into_iter().map(Thing::Card).collect());
        }
    }
    let cause = frame.cause;
    frame.cause.means = Means::Cost;
    let cost = pay::in_order(d, frame, &ability.cost)?;
    let by = meant(ability).unwrap_or(zx!("804.2f", Frame));
    let done = cost.is_empty() || d.under(by, |d| d.perform(frame, &cost))?;
    frame.cause = cause;
    if !done || !last {
        return Ok(done);
    }
    // What has been paid meanwhile changes no price that was fixed.
    let kept = d.applies(zx!("804.2d"), |_| "決定した代償は変わらない".into());
    let owed = if kept { owed } else { self::owed(d, frame.this, ability, &frame.slots) };
    owed.map_or(Ok(true), |cost| pay::pay(d, frame.seat, &cost))
}

/// 1117.2: an ability of the card is resolved without being played.
pub fn resolve_for(d: &mut Duel, seat: Seat, card: Ref, ability: &Ability) -> Flow {
    let mut frame = frame(seat, card);
    // 804.3b: what an event asks for is a part of its effect; of other abilities it makes them valid.
    resolve(d, &mut frame, ability, ability.kind == Kind::Effect)
}

/// An effect plays a card, paying for it or not. Whether it was played.
pub fn by_effect(d: &mut Duel, who: Seat, card: Ref, pays: bool) -> Flow<bool> {
    if !moves::playable(d, who, card) {
        return Ok(false);
    }
    if pays && !super::playing::payable(d, who, card) {
        d.trace.reach(zx!("805.3c", Frame));
        return Ok(false);
    }
    if !pays && !super::playing::forced(d, who, card).is_empty() {
        return d.unwritten("支払わずにプレイするカードの、プレイする際に必ず行うこと", &["zx:1027.1"]);
    }
    let square = if is_body(d, card) { Some(square(d, who, card)?) } else { None };
    let offers = if pays { super::playing::choose(d, who, card)? } else { Vec::new() };
    let cost = pays.then(|| super::playing::price(d, card, &offers));
    self::card(d, who, card, Terms { cost, square, offers, ..Terms::default() })
}

/// 808.2, 808.2a, 808.6: a triggered ability is played and resolved even if its card is gone; one that cannot be paid
/// for is only taken off.
pub fn triggered(d: &mut Duel, pending: &Pending) -> Flow {
    let mut frame = frame(pending.seat, pending.source);
    frame.slots = pending.slots.clone();
    frame.event = Some(pending.event.clone());
    let saved = d.t.clone();
    d.tell(Told::Applied, |d| format!("{}の能力をプレイする", d.card_name(pending.source)));
    // 808.2: forced, unless the text leaves it open.
    if pending.ability.optional && !d.yes(pending.seat, Word("してよい"), Some(pending.source))? {
        return Ok(());
    }
    if d.t.is_now(pending.source) {
        show(d, pending.source);
    }
    if !pay_for(d, &mut frame, &pending.ability)? {
        d.take_back(saved);
        return Ok(());
    }
    d.use_up(pending.source, pending.seat, &pending.ability);
    if !d.t.is_now(pending.source)
        && !d.applies(zx!("808.6"), |d| format!("{}はもうないが、能力は解決される", d.card_name(pending.source)))
    {
        return Ok(());
    }
    // 803.2c: whether it is valid was asked when it triggered.
    let begun = d.t.clock;
    resolve(d, &mut frame, &pending.ability, false)?;
    super::dates::resolved(d, pending.source, begun)?;
    hide(d)
}

/// 803.1f, 808.2a, reading C34: what waits although it has been played as often as it may be is taken off.
pub fn takes_off_spent(d: &mut Duel) -> bool {
    d.reading(zx!("C34", Reading), "a") == "a"
        && d.applies(zx!("803.1f", Limit), |_| "このターンはもうプレイできないので、誘発状態を取り消す".into())
}

/// 505.3a, 907.2e, 1011.1: a card that was shown may be played for nothing if it has the icon; else it goes there.
pub fn for_nothing(d: &mut Duel, who: Seat, card: Ref, otherwise: ZoneId, came: i32) -> Flow {
    d.aside().reveal(card.id, true);
    if has_icon(d, card, "イグニッション")
        && moves::playable(d, who, card)
        && d.yes(who, Word("支払わずにプレイ"), Some(card))?
    {
        if !super::playing::forced(d, who, card).is_empty() {
            return d.unwritten("支払わずにプレイするカードの、プレイする際に必ず行うこと", &["zx:1027.1"]);
        }
        let square = if is_body(d, card) { Some(square(d, who, card)?) } else { None };
        if self::card(d, who, card, Terms { square, came, ..Terms::default() })? {
            return Ok(());
        }
    }
    // 804.2h has put it elsewhere.
    if !d.t.is_now(card) {
        return Ok(());
    }
    let event = d.moving(card, otherwise).seat(who);
    d.propose_one(event).map(|_| ())
}

/// 806.1a, 806.1b: the square it will be put on.
fn square(d: &mut Duel, who: Seat, card: Ref) -> Flow<ZoneId> {
    let squares = moves::squares(d, who, card);
    let asks = Asks::Choose { of: squares.iter().map(|z| Thing::Zone(*z)).collect(), min: 1, max: 1 };
    let cite = if is_kind(d, card, "ゼクス") { zx!("806.1a", Frame) } else { zx!("806.1b", Frame) };
    let at = d.ask(Question::new(who, Word("スクエア"), asks).citing(cite).about(Some(card)))?[0];
    Ok(squares[at as usize])
}

/// 804.3e, 804.3f, 1006.2: what is still shown is hidden again; a deck is shuffled then.
pub fn hide(d: &mut Duel) -> Flow {
    for seat in Seat::BOTH {
        acts::put_back(d, seat)?;
        let deck = d.t.zone(zone("デッキ", seat)).to_vec();
        if deck.iter().any(|id| d.t.obj(*id).revealed) {
            d.step(zx!("1006.2"), |d| acts::shuffle(d, seat))?;
        }
    }
    for id in d.t.ids() {
        if d.t.obj(id).revealed
            && d.applies(zx!("804.3f", Meaning), |d| format!("{}を非公開にする", d.card_name(d.t.now(id))))
        {
            d.aside().reveal(id, false);
        }
    }
    Ok(())
}
