//! The rulebook itself: what the kernel asks of a game. 4.12–4.15 effects, continuous effects, replacement.

use super::places::{self, Own, is_square, zone};
use super::schema::{COLOURS, DAMAGE, RESISTED, at, schema};
use super::{Dz, battle, checks, keywords, others, play, priority, resolve, setup, text, turn};
use crate::card::{Ability, Change, Filter, Keyword, Quantity, Target, Word};
use crate::kernel::book::{Act, Aim, Layering};
use crate::kernel::eyes::read;
use crate::kernel::steps::Frame;
use crate::kernel::verb::Verb;
use crate::kernel::view::Data;
use crate::kernel::{
    CardId, Cause, Cite, Cites, Ctx, Duel, Event, Eyes, Flow, Gloss, Means, Pending, Principle, Ref, Rulebook, Says,
    Schema, Seat, Seen, Side, What, ZoneId,
};
use crate::so;

/// Damage to a card.
pub fn damage(card: Ref, amount: i32, cause: Cause) -> Event {
    Event { what: What::Grow { fact: DAMAGE }, amount, cause, ..Event::about(Word("ダメージ"), card) }
}

/// 2.23.1-4, 2.23.1-5: the top card of the deck to the hand.
pub fn draw(d: &mut Duel, seat: Seat, cause: Cause) -> Flow<bool> {
    let Some(top) = d.t.zone(zone(Own::Deck, seat)).last().copied() else {
        d.trace.reach(dz!("1.1.3", Frame));
        return Ok(false);
    };
    let to = zone(Own::Hand, seat);
    let mut event = d.moving(d.t.now(top), to).by(cause).seat(seat);
    event.name = Word("引く");
    event.what = What::Move { to, bottom: false, state: 0, face_up: false, controller: None, host: None };
    Ok(d.propose_one(event)?.any())
}

impl Rulebook for Dz {
    fn code(&self) -> &'static str {
        "dz"
    }

    fn schema(&self) -> &'static Schema {
        schema()
    }

    fn play(&self, d: &mut Duel) -> Flow {
        turn::turn(d)
    }

    fn unlawful(&self, d: &mut Duel) -> Option<(&'static Cite, String)> {
        checks::unlawful(d)
    }

    /// 2.4.2: the colour of a card is that of the symbols of its use cost.
    fn derive(&self, seen: &mut Seen) -> Vec<Seen> {
        let cost = at::COST;
        let colour = at::COLOUR;
        if let (Data::Price(price), Data::None) = (&seen.data[cost], &seen.data[colour]) {
            let asked = |(s, q): &&(Word, Quantity)| COLOURS.contains(&s.as_str()) && *q != Quantity::Number(0);
            seen.data[colour] = Data::Words(price.0.iter().filter(asked).map(|(s, _)| *s).collect());
        }
        Vec::new()
    }

    fn says(&self, question: Principle) -> Says {
        match question {
            Principle::ActiveFirst => so!(dz!("1.1.4", Order), dz!("4.9.2-5", Order)),
            Principle::BelowZero => so!(dz!("1.2.2", Meaning)),
            Principle::InPart => so!(dz!("4.12.2", Meaning)),
            Principle::EachEvent => so!(dz!("4.8.6", Meaning)),
            Principle::DidNotHappen => {
                let cites = [Some(dz!("4.15.4", Meaning)), Some(dz!("4.8.7", Meaning)), None, None];
                Says::Unless(cites, dz!("C6", Reading), ["a", "c"])
            }
            Principle::SeesArrival | Principle::Companions => so!(dz!("4.8.10-1", Meaning)),
            Principle::SeesLeaving => so!(dz!("4.8.11", Meaning)),
            Principle::LastKnown => {
                so!(dz!("4.2.6", Meaning), dz!("4.9.2-6", Meaning), dz!("4.17", Meaning), dz!("4.8.11-2", Meaning))
            }
            Principle::PossibleOnly => so!(dz!("4.15.7", Limit)),
            Principle::DelayedGoes => so!(dz!("4.4.4-1", Meaning)),
            Principle::Distinct => so!(dz!("4.11.5", Limit)),
            Principle::Shares => so!(dz!("4.7.2-6", Frame), dz!("4.8.4-3", Frame)),
            Principle::NotItself => so!(dz!("4.11.4", Limit)),
            Principle::ReadsAs => so!(dz!("6.3.2", Meaning)),
            Principle::FindsInTheOpen => so!(dz!("4.8.10", Meaning)),
            Principle::Becomes => so!(dz!("2.8.3", Frame)),
            Principle::MayInFull => Says::Open(dz!("C22", Reading), "a", "a"),
            Principle::NothingDone => so!(dz!("4.12.2", Meaning)),
            Principle::SameState => so!(dz!("2.26.1-1", Limit)),
            Principle::ReplacesOnce => so!(dz!("4.15.6", Limit)),
            Principle::Replaces => so!(dz!("4.15.2", Meaning)),
            Principle::Later => so!(dz!("4.4.4", Meaning)),
            Principle::RoundsUp => so!(dz!("1.2.1", Meaning)),
        }
    }

    fn gloss(&self, what: Gloss) -> Cites {
        let one = |cite| [Some(cite), None, None, None];
        let two = |a, b| [Some(a), Some(b), None, None];
        let three = |a, b, c| [Some(a), Some(b), Some(c), None];
        match what {
            Gloss::Impossible => two(dz!("1.1.3", Frame), dz!("4.12.2", Meaning)),
            Gloss::Triggers => two(dz!("4.4.1", Frame), dz!("4.4.2", Frame)),
            Gloss::Lasts => two(dz!("4.5.1", Frame), dz!("4.14.4-1", Frame)),
            Gloss::LastsOpen => three(dz!("4.5.1", Frame), dz!("4.14.4-1", Frame), dz!("4.14.4-2", Frame)),
            Gloss::OneByOne => one(dz!("2.23.1-5", Frame)),
            Gloss::UpTo => one(dz!("2.23.1-6", Frame)),
            Gloss::NewCard | Gloss::SameCard => two(dz!("2.23.1-3", Frame), dz!("2.23.8-4", Frame)),
            Gloss::FixedOnce => two(dz!("4.9.2-7", Frame), dz!("4.14.3-3", Frame)),
            Gloss::OwnersZone => one(dz!("2.23.1-1", Frame)),
            Gloss::PutBy => two(dz!("2.20.1-4", Frame), dz!("2.20.2-4", Frame)),
            Gloss::PutByNamed => one(dz!("2.20.1-5", Frame)),
            Gloss::Ties => [
                Some(dz!("2.4.4", Frame)),
                Some(dz!("2.4.5", Frame)),
                Some(dz!("2.12.2", Frame)),
                Some(dz!("2.12.3", Frame)),
            ],
            Gloss::Total => one(dz!("2.4.3", Frame)),
            Gloss::Perspective => three(dz!("2.24.7-2", Frame), dz!("2.24.5", Frame), dz!("2.24.7", Frame)),
            Gloss::Several => one(dz!("2.8.2", Frame)),
            Gloss::NoFront => three(dz!("6.1.8", Frame), dz!("6.1.9", Frame), dz!("6.1.6-1", Limit)),
            Gloss::LiesOpen => two(dz!("6.6.3", Frame), dz!("6.1.11", Limit)),
            Gloss::WithinBoard => one(dz!("4.8.9", Frame)),
            Gloss::Duration => one(dz!("4.14.3-1", Frame)),
            Gloss::MadeReplacement => one(dz!("4.15.3", Frame)),
            Gloss::Optional => one(dz!("4.8.5", Frame)),
            Gloss::NoTarget => one(dz!("4.11.2", Frame)),
            Gloss::AtResolution => one(dz!("4.9.2-4", Frame)),
            Gloss::InPlay => one(dz!("2.23.8-3", Frame)),
            Gloss::Undefined => one(dz!("1.2.2", Meaning)),
            Gloss::LastOpen
            | Gloss::NthFromTop
            | Gloss::ShowsFront
            | Gloss::Beyond
            | Gloss::Follows
            | Gloss::Part
            | Gloss::Base
            | Gloss::AtLeastNothing
            | Gloss::NotFewer => [None; 4],
            Gloss::Information => three(dz!("2.25.1-1", Frame), dz!("2.25.2-1", Frame), dz!("2.23.10-2", Frame)),
        }
    }

    /// 2.23.3-4: the plan card is turned down before a deck, or its uppermost cards, are looked at to choose of them.
    fn look_through(&self, d: &mut Duel, frame: &Frame, target: &Target, filter: &Filter) -> Flow {
        if filter.top.is_none() && filter.within.iter().any(|p| *p == "山札") {
            let whose = if filter.of.is_some_and(|w| w == "相手") { frame.seat.other() } else { frame.seat };
            return others::turn_plan_down(d, whose, dz!("2.23.3-4", Meaning));
        }
        let planned = Seat::BOTH.into_iter().any(|seat| others::plan_card(d, seat).is_some());
        if !planned || target.random || filter.reference.is_some() {
            return Ok(());
        }
        let found = d.see(|eyes| eyes.select(&frame.ctx(), filter));
        // The plan card by itself lies open: who chooses it looks at nothing.
        let looked_at = |r: &Ref, seat: Seat| d.t.obj(r.id).zone == zone(Own::Deck, seat) && !d.t.obj(r.id).face_up;
        let decks: Vec<Seat> =
            Seat::BOTH.into_iter().filter(|seat| found.iter().any(|r| looked_at(r, *seat))).collect();
        // All of them are only named, not chosen.
        let all = target.count.as_ref().map_or(1, |v| d.number(&frame.ctx(), v)).max(0) as usize >= found.len();
        if found.len() < 2 || all && target.up_to.is_none() && !target.any_number {
            return Ok(());
        }
        decks.into_iter().try_for_each(|seat| others::turn_plan_down(d, seat, dz!("2.23.3-4", Meaning)))
    }

    fn keyword(&self, keyword: &Keyword) -> Vec<Ability> {
        keywords::meaning(keyword)
    }

    fn inside(&self, zone: ZoneId, face_up: bool, place: Word, seat: Seat) -> bool {
        places::inside(zone, face_up, place, seat)
    }

    fn related(&self, eyes: &Eyes, relation: Word, a: ZoneId, b: ZoneId, seat: Seat) -> bool {
        if relation == "挟撃" {
            return places::far_end(a, b, seat).is_some_and(|z| has_unit(eyes, z, seat));
        }
        places::related(relation, a, b, seat)
    }

    /// 2.23.1-1: always the owner's zone; 2.23.3-1: the plan zone is the top of the deck. Removed cards: reading C16.
    fn home(&self, place: Word, owner: Seat) -> Option<ZoneId> {
        match place.as_str() {
            "プランゾーン" => Some(zone(Own::Deck, owner)),
            "スタック" => Some(places::stack()),
            name => schema().zone(name, Some(owner)),
        }
    }

    /// 5.1.2-1: a unit with 速攻 that is put frozen, and not by being played, stays frozen.
    fn adjust(&self, d: &mut Duel, event: &mut Event) -> Flow {
        if event.name == "ダメージ"
            && d.settings_reading("C2") == "b"
            && event.card.is_some_and(|c| text::resists(d, c) && d.t.obj(c.id).facts[RESISTED] == 0)
        {
            return d.unwritten("発生源がスタックに乗った後で得た耐性", &["dz:2.27", "dz:5.17.3"]);
        }
        named_by_its_way(d, event);
        // 2.23.1-1: what somebody else controls still goes to its owner.
        if d.trace.full
            && let (What::Move { to, .. }, Some(card)) = (&event.what, event.card)
            && !is_square(*to)
            && is_square(d.t.obj(card.id).zone)
            && d.seen(card).controller != d.t.obj(card.id).owner
        {
            d.trace.reach(dz!("2.23.1-1", Frame));
        }
        // 2.23.10-1; reading C16: to whom a removed card goes.
        if let (What::Move { to, .. }, Some(seat)) = (&mut event.what, event.cause.seat)
            && *to == zone(Own::Removed, seat.other())
            && d.reading(dz!("C16", Reading), "a") == "b"
        {
            *to = zone(Own::Removed, seat);
            event.to = Some(*to);
        }
        if let (What::Move { to, state: 1, .. }, Some(card)) = (&event.what, event.card)
            && is_square(*to)
            && event.from.is_some_and(|z| !is_square(z))
            && event.how != "プレイ"
            && d.seen(card).has("速攻")
            && !d.applies(dz!("5.1.2-1", Limit), |_| "プレイではないので速攻はかかわらない".into())
            && let What::Move { state, .. } = &mut event.what
        {
            *state = 0;
        }
        Ok(())
    }

    fn role(&self, eyes: &Eyes, card: Ref, role: Word) -> bool {
        battle::role(eyes.t, card, role)
    }

    fn layering(&self, d: &Duel) -> Layering {
        let on = |cite: &'static Cite| d.on(cite).then_some(cite);
        Layering {
            of: layer,
            count: 5,
            each: [None; 8],
            layers: on(dz!("4.14.5-2", Layer)),
            own_first: on(dz!("4.14.5-3", Layer)),
            own_or_dependency: Some((dz!("C17", Reading), d.settings_reading("C17") == "b")),
            dependency: on(dz!("4.14.5-4", Layer)),
            stamps: on(dz!("4.14.5-5", Layer)),
            active_first: None,
        }
    }

    fn works(&self, seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> Result<(), &'static Cite> {
        if text::works(seen, zone, face_up, ability) { Ok(()) } else { Err(text::elsewhere(seen, ability)) }
    }

    /// 4.8.10-2: between open and hidden zones the open side is read.
    fn side(&self, event: &Event) -> (Side, Option<&'static Cite>) {
        let side = text::side(event);
        let open = side == Side::Before && !event.from.is_some_and(is_square);
        (side, open.then_some(dz!("4.8.10-2", Meaning)))
    }

    /// 4.14.3-2: what changes data or control is locked to the cards it found; what does not also meets later ones.
    fn locks(&self, d: &mut Duel, change: &Change, _: Option<&Filter>) -> bool {
        d.trace.reach(dz!("2.2.2", Frame));
        let data = !matches!(change, Change::Forbid(_) | Change::Immune(_) | Change::PlayFrom(_) | Change::Enter(_));
        d.applies(dz!("4.14.3-2", Meaning), |_| {
            (if data {
                "今影響を受けるカードだけに及ぶ"
            } else {
                "後から置かれるカードにも及ぶ"
            })
            .into()
        }) == data
    }

    fn accompany(&self, d: &mut Duel, events: &mut Vec<Event>) -> Flow {
        others::accompany(d, events)
    }

    /// 5.17.3: 耐性 looks at the source as the damage is dealt. 6.1.6…: what cannot lie under a card.
    fn forbids(&self, d: &mut Duel, event: &Event) -> Option<&'static Cite> {
        if let (What::Grow { .. }, Some(card), Some(source)) = (&event.what, event.card, event.cause.card) {
            let cite = dz!("5.17.3", Meaning);
            if d.trace.full && text::resists(d, card) {
                d.trace.reach(cite);
            }
            let immune = text::takes_none(d, card, source);
            return (immune && d.applies(cite, |d| format!("{}は耐性によりダメージを受けない", d.card_name(card))))
                .then_some(cite);
        }
        if let (What::Move { host: Some((how, host)), .. }, Some(card)) = (&event.what, event.card)
            && d.t.obj(card.id).host != Some((*how, *host))
        {
            return self.may_choose(d, d.t.now(*host), Aim::Host { how: *how, card: Some(card) }).err();
        }
        None
    }

    fn happened(&self, d: &mut Duel, events: &[Event]) -> Flow {
        others::happened(d, events)
    }

    /// 3.3.7: at any time.
    fn concede(&self, d: &mut Duel, seat: Seat) -> Flow {
        super::setup::concede(d, seat)
    }

    fn had_enough(&self, d: &mut Duel, seat: Seat, card: Option<Ref>) -> Option<&'static Cite> {
        priority::had_enough(d, seat, card)
    }

    /// 4.18.1, 3.3.6: what nobody can stop is a draw.
    fn endless(&self, d: &mut Duel) -> Flow {
        d.under(dz!("4.18.1", Frame), |d| {
            d.trace.reach(dz!("3.3.6", Frame));
            setup::draw(d)
        })
    }

    /// 4.15.8-2: the controller of the card, or the player, that the event affects.
    fn replacing(&self, d: &mut Duel, event: &Event) -> (Seat, &'static Cite) {
        let seat = match event.card {
            // Who controls it now, also if an effect has given it to them.
            Some(card) if is_square(d.t.obj(card.id).zone) => d.glance(card).controller,
            Some(card) => d.t.obj(card.id).owner,
            None => event.seat.unwrap_or(d.t.active),
        };
        (seat, dz!("4.15.8-2", Frame))
    }

    /// 2.23.6-2, 2.23.7-2: energy and smash cards usually arrive released; cards that effects put into squares too.
    fn arrival(&self, d: &mut Duel, _: CardId, to: ZoneId) -> u8 {
        let cite = match schema().spec(to).name {
            "エネルギーゾーン" => dz!("2.23.6-2", Meaning),
            "スマッシュゾーン" => dz!("2.23.7-2", Meaning),
            _ => return 0,
        };
        u8::from(!d.applies(cite, |_| "特に書かれていないのでリリース状態で置かれる".into()))
    }

    /// 4.15.5-1, reading C6: an instruction that was replaced counts as carried out.
    fn counts_as_done(&self, d: &mut Duel, means: Means) -> bool {
        if means == Means::Cost {
            return d.applies(dz!("4.15.5", Meaning), |_| "置き換えられてもコストは支払ったことになる".into());
        }
        d.reading(dz!("C6", Reading), "a") != "b"
            && d.applies(dz!("4.15.5-1", Meaning), |_| "置換されても行われたものとみなす".into())
    }

    fn may_fail_to_find(
        &self,
        d: &mut Duel,
        frame: &Frame,
        by: Seat,
        filter: &Filter,
        found: &[Ref],
    ) -> Option<(&'static Cite, usize)> {
        text::may_fail_to_find(d, frame, by, filter, found)
    }

    fn must_choose(
        &self,
        d: &mut Duel,
        frame: &Frame,
        by: Seat,
        filter: &Filter,
        found: &[Ref],
    ) -> Option<&'static Cite> {
        text::must_find(d, frame, by, filter, found)
    }

    fn act(&self, d: &mut Duel, act: Act, ctx: &Ctx) -> Flow<bool> {
        let cause = Cause { means: Means::Effect, card: ctx.this, seat: Some(ctx.seat) };
        match act {
            Act::Draw(seat) => draw(d, seat, cause),
            Act::DamageTo(..) => d.unwritten("カードとプレイヤーに同時に与えるダメージ", &[]),
            Act::Damage(to) => {
                let events = to.iter().filter(|(_, n)| *n > 0).map(|(card, n)| damage(*card, *n, cause)).collect();
                Ok(!d.propose(events)?.is_empty())
            }
            Act::Negate(item) => resolve::negate(d, item, cause),
            Act::Named(step, _) => others::act(d, step, ctx),
        }
    }

    fn may_choose(&self, d: &mut Duel, card: Ref, aim: Aim) -> Result<(), &'static Cite> {
        match aim {
            Aim::Target(source) => text::targetable(d, card, source),
            Aim::Choice { frame, .. } => play::may_pay(d, card, frame),
            Aim::Host { how, card: laid } if how == "闘気" => others::may_lie_under(d, laid, card.id),
            _ => Ok(()),
        }
    }

    fn may_trigger(&self, d: &mut Duel, pending: &Pending, hidden: bool) -> Flow<bool> {
        let source = pending.source;
        Ok(keywords::trigger_again(d, source, &pending.ability, &pending.event)
            && (!hidden || priority::show_to_trigger(d, source)?))
    }

    fn verbs(&self) -> &'static [Verb] {
        super::moves::VERBS
    }
}

/// A unit of the player lies in the square, under all effects.
fn has_unit(eyes: &Eyes, square: ZoneId, seat: Seat) -> bool {
    eyes.memory.reads(read::CONTROLLER);
    eyes.memory.reads(read::datum(at::CLASS));
    let unit = |id: &CardId| {
        let seen = eyes.seen(*id);
        eyes.t.obj(*id).host.is_none()
            && seen.controller == seat
            && seen.words(at::CLASS).iter().any(|w| *w == "ユニット")
    };
    eyes.t.zone(square).iter().any(unit)
}

/// 2.23.1-4: to the graveyard from a square, the energy or the smash zone is 破壊, and as a cost 廃棄.
fn named_by_its_way(d: &mut Duel, event: &mut Event) {
    let (What::Move { to, .. }, Some(from)) = (&event.what, event.from) else { return };
    let buried = schema().spec(*to).name == "墓地";
    let laid = is_square(from) || matches!(schema().spec(from).name, "エネルギーゾーン" | "スマッシュゾーン");
    if event.how.is_empty() && buried && laid {
        d.trace.reach(dz!("2.23.1-4", Frame));
        event.how = if event.cause.means == Means::Cost { Word("廃棄") } else { Word("破壊") };
    }
}

/// 4.14.5-2: control, text, race or attribute, everything else, power and smash.
pub fn layer(change: &Change) -> u8 {
    match change {
        Change::Control(_) => 0,
        Change::Gain(_) | Change::Lose(_) | Change::LoseText(_) => 1,
        Change::Join(name, _) | Change::Become(name, _) if *name == super::schema::RACE => 2,
        Change::Add(..) | Change::Set(..) | Change::Base(..) => 4,
        _ => 3,
    }
}
