//! The rulebook itself: what the kernel asks of a game. 004 principles, 802 continuous effects and replacement.

use super::places::{self, is_field, named, waiting};
use super::schema::{ATTACK, COST, HEALTH, PRICE, at, schema};
use super::{
    Nova, acts, battle, bill, checks, damage, energy, evolve, keywords, loops, moves, priority, resolve, text, turn,
};
use crate::card::{Ability, Change, Filter, Keyword, Step, Target, Word};
use crate::kernel::book::{Act, Aim, Layering};
use crate::kernel::steps::Frame;
use crate::kernel::verb::Verb;
use crate::kernel::view::{Data, LEAVES_OFF, MEETS_ALL};
use crate::kernel::{
    CardId, Cite, Cites, Ctx, Duel, Event, Eyes, Flow, Gloss, Means, Move, Pending, Principle, Ref, Refusal, Rulebook,
    Says, Schema, Seat, Seen, Side, Sight, Table, Thing, View, ZoneId,
};
use crate::so;

impl Rulebook for Nova {
    fn code(&self) -> &'static str {
        "nova"
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

    /// 902.7, 902.8.4: what is paid may change; what texts read does not.
    fn derive(&self, seen: &mut Seen) -> Vec<Seen> {
        if let (Data::Price(price), Data::None) = (&seen.data[at(COST)], &seen.data[at(PRICE)]) {
            seen.data[at(PRICE)] = Data::Price(price.clone());
        }
        // 004.8.1: what its numbers were at first.
        for (base, of) in [("元々の攻撃力", ATTACK), ("元々の体力", HEALTH)] {
            seen.data[at(base)] = seen.data[at(of)].clone();
        }
        // 904.4: a cost that freezes cards freezes one's own.
        for ability in seen.abilities.iter_mut() {
            if bill::freezes_any(&ability.cost) {
                bill::freezes_own(&mut std::sync::Arc::make_mut(ability).cost);
            }
        }
        // 801.5.3: what says what the card is says so by that clause, wherever the card is.
        for ability in seen.abilities.iter_mut() {
            if text::defines(ability) {
                std::sync::Arc::make_mut(ability).clauses.push("801.5.3");
            }
        }
        Vec::new()
    }

    fn keyword(&self, keyword: &Keyword) -> Vec<Ability> {
        keywords::meaning(keyword)
    }

    fn says(&self, question: Principle) -> Says {
        match question {
            Principle::ActiveFirst => so!(nova!("004.5", Order)),
            Principle::BelowZero => {
                so!(nova!("004.8", Meaning), nova!("004.9", Meaning), nova!("107.2", Meaning), nova!("108.3", Meaning))
            }
            Principle::InPart => so!(nova!("004.4", Meaning), nova!("804.4.1.1", Meaning), nova!("804.4.1", Frame)),
            Principle::EachEvent => so!(nova!("801.4.3.1.1", Meaning), nova!("916.3.2.1", Meaning)),
            Principle::DidNotHappen => so!(nova!("802.1.3.2.1", Meaning), nova!("801.4.6.3", Meaning)),
            Principle::SeesArrival | Principle::Companions => so!(nova!("801.4.6.2", Frame)),
            Principle::SeesLeaving => so!(nova!("801.4.4.2", Meaning)),
            Principle::LastKnown => so!(nova!("805.1", Meaning), nova!("803.1.7", Frame)),
            Principle::PossibleOnly => so!(nova!("802.1.3.4", Limit)),
            Principle::DelayedGoes => so!(nova!("801.4.9.3", Meaning)),
            Principle::Distinct => so!(),
            Principle::Shares => Says::Not([Some(nova!("004.7", Limit)), None, None, None]),
            Principle::FindsInTheOpen => so!(nova!("801.4.8", Meaning)),
            Principle::Becomes => so!(nova!("918.1", Meaning)),
            Principle::MayInFull => so!(nova!("902.13", Limit)),
            Principle::NothingDone => so!(nova!("004.6", Meaning)),
            Principle::SameState => so!(nova!("904.1", Meaning), nova!("904.2", Meaning), nova!("801.4.6.1", Meaning)),
            Principle::ReplacesOnce => so!(nova!("802.1.3.3.3", Limit)),
            Principle::Replaces => so!(nova!("802.1.3.2", Meaning)),
            Principle::Later => so!(nova!("801.4.9", Meaning), nova!("801.4.9.2", Frame)),
            Principle::NotItself | Principle::ReadsAs | Principle::RoundsUp => Says::Silent,
        }
    }

    fn gloss(&self, what: Gloss) -> Cites {
        let one = |cite| [Some(cite), None, None, None];
        let two = |a, b| [Some(a), Some(b), None, None];
        match what {
            Gloss::Impossible => two(nova!("004.4", Meaning), nova!("804.4.1.3", Frame)),
            Gloss::Triggers => two(nova!("801.4.3.1", Frame), nova!("914.1", Frame)),
            Gloss::Lasts | Gloss::LastsOpen => one(nova!("801.5.1", Frame)),
            Gloss::OneByOne => one(nova!("905.2", Frame)),
            Gloss::NewCard => one(nova!("301.9", Frame)),
            Gloss::SameCard => one(nova!("301.9.1", Frame)),
            Gloss::OwnersZone => one(nova!("301.11", Frame)),
            Gloss::Duration => one(nova!("802.1.2", Frame)),
            Gloss::MadeReplacement => one(nova!("802.1.3", Frame)),
            Gloss::Optional => one(nova!("801.4.7", Frame)),
            Gloss::Total => one(nova!("103.5", Frame)),
            Gloss::FixedOnce => one(nova!("916.3.1", Frame)),
            Gloss::Undefined => one(nova!("004.6", Meaning)),
            Gloss::ShowsFront => one(nova!("310.8", Frame)),
            Gloss::NthFromTop => one(nova!("303.6.2", Frame)),
            Gloss::AtLeastNothing => one(nova!("004.7", Limit)),
            Gloss::NotFewer => one(nova!("804.4.1", Limit)),
            _ => [None; 4],
        }
    }

    fn inside(&self, zone: ZoneId, face_up: bool, place: Word, _: Seat) -> bool {
        places::inside(zone, face_up, place)
    }

    /// 507.1: the lives that a player has passed have been released.
    fn completes(&self, t: &mut Table, _: &dyn Fn(u16) -> std::sync::Arc<crate::card::Card>) {
        checks::completes(t);
    }

    /// 301.11: always the owner's zone.
    fn home(&self, place: Word, owner: Seat) -> Option<ZoneId> {
        match place.as_str() {
            "待機領域" => Some(waiting()),
            "隠密" => schema().zone("エナジーゾーン", Some(owner)),
            name => schema().zone(name, Some(owner)),
        }
    }

    fn role(&self, eyes: &Eyes, card: Ref, role: Word) -> bool {
        battle::role(eyes.t, card, role)
    }

    fn layering(&self, d: &Duel) -> Layering {
        let on = |cite: &'static Cite| d.on(cite).then_some(cite);
        Layering {
            of: layer,
            count: 2,
            layers: on(nova!("802.1.2.1.2", Layer)).and(on(nova!("802.1.2.1.3", Layer))),
            dependency: on(nova!("802.1.2.1.4", Layer)),
            stamps: on(nova!("802.1.2.1.5", Layer)).and(on(nova!("802.1.2.1.5.1", Layer))),
            ..Layering::UNSAID
        }
    }

    fn works(&self, seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> Result<(), &'static Cite> {
        if text::works(seen, zone, face_up, ability) { Ok(()) } else { Err(text::elsewhere(ability)) }
    }

    /// 801.4.4.1, 801.4.4.2: the open side, and the field.
    fn side(&self, event: &Event) -> (Side, Option<&'static Cite>) {
        let leaves = event.from.is_some_and(is_field);
        match text::side(event) {
            // 801.4.4.3: of two open zones, where it has gone.
            Side::After => (Side::After, None),
            Side::Before if leaves => (Side::Before, Some(nova!("801.4.4.2", Meaning))),
            Side::Before => (Side::Before, Some(nova!("801.4.4.1", Meaning))),
        }
    }

    /// 802.1.2.1.5.2: what fits later is met too, unless it came later.
    fn locks(&self, d: &mut Duel, change: &Change, found_by: Option<&Filter>) -> bool {
        match change {
            Change::Join(..) => d.trace.reach(nova!("918.2", Frame)),
            Change::Gain(_) | Change::Lose(_) | Change::LoseText(_) => d.trace.reach(nova!("004.3", Frame)),
            Change::Set(..) => d.trace.reach(nova!("918.4", Frame)),
            Change::Add(..) => {
                d.trace.reach(nova!("918.5", Frame));
                d.trace.reach(nova!("918.6", Frame));
            }
            Change::Bear(..) => d.trace.reach(nova!("931.1", Frame)),
            Change::Cost(..) | Change::Price(..) if !d.t.context().pile.is_empty() => {
                d.trace.reach(nova!("801.3.7", Frame))
            }
            _ => {}
        }
        d.trace.reach(nova!("802.1.2.1.5.2", Limit));
        found_by.is_none()
    }

    /// 303.4: out of the deck one by one; 303.6.1: into it too.
    fn one_by_one(&self, d: &mut Duel, events: &[Event]) -> bool {
        let deck = |z: Option<ZoneId>| z.is_some_and(|z| named(z, "デッキ"));
        events.iter().any(|e| deck(e.from))
            && d.applies(nova!("303.4", Meaning), |_| "メインデッキからは1枚ずつ移動する".into())
    }

    fn left_out(&self, d: &mut Duel, frame: &Frame, target: &Target, _: Option<&Step>) -> Vec<(Thing, &'static Cite)> {
        text::left_out(d, frame, target)
    }

    fn accompany(&self, d: &mut Duel, events: &mut Vec<Event>) -> Flow {
        evolve::accompany(d, events);
        evolve::with_counters(d, events)
    }

    fn forbids(&self, d: &mut Duel, event: &Event) -> Option<&'static Cite> {
        acts::forbids(d, event)
    }

    /// Reading C34: whether effects on all that fits leave out what cannot be a target.
    fn without(&self, d: &mut Duel) -> u32 {
        let cites = [nova!("005.8.1", Meaning), nova!("928.1", Limit), nova!("1008.3", Limit)];
        let leaves_out = matches!(d.settings_reading("C34"), "" | "c") && cites.into_iter().all(|cite| d.on(cite));
        // Reading C43: and those that it had met before.
        let leaves_off = d.settings_reading("C43") == "c";
        (if leaves_out { 0 } else { MEETS_ALL }) | (if leaves_off { LEAVES_OFF } else { 0 })
    }

    /// 802.1.2.1.2, 802.1.2.1.5: they say the same as the clauses that the kernel names.
    fn finish(&self, d: &mut Duel, _: &mut View) {
        if d.trace.full {
            if d.trace.has_reached("802.1.2.1.3") {
                d.trace.reach(nova!("802.1.2.1.2", Layer));
                for cite in [
                    nova!("802.1.2.1", Frame),
                    nova!("802.1.2.1.1", Frame),
                    nova!("802.1.2.1.6", Frame),
                    nova!("802.1.2.1.6.1", Frame),
                    nova!("203.2.2", Frame),
                    nova!("004.8.1", Frame),
                ] {
                    d.trace.reach(cite);
                }
            }
            if d.trace.has_reached("802.1.2.1.5.1") {
                d.trace.reach(nova!("802.1.2.1.5", Layer));
            }
        }
    }

    fn adjust(&self, d: &mut Duel, event: &mut Event) -> Flow {
        acts::adjust(d, event)
    }

    fn happened(&self, d: &mut Duel, events: &[Event]) -> Flow {
        acts::happened(d, events)
    }

    /// 501.1: rule processes at once.
    fn at_once(&self, d: &mut Duel, events: &[Event]) -> Flow {
        checks::at_once(d, events)
    }

    /// 003.2.3: at any time.
    fn concede(&self, d: &mut Duel, seat: Seat) -> Flow {
        super::setup::concede(d, seat)
    }

    fn endless(&self, d: &mut Duel) -> Flow {
        loops::endless(d)
    }

    fn had_enough(&self, d: &mut Duel, seat: Seat, card: Option<Ref>) -> Option<&'static Cite> {
        loops::had_enough(d, seat, card)
    }

    fn bars_yes(&self, d: &mut Duel, frame: &Frame, steps: &[Step]) -> Option<&'static Cite> {
        acts::bars_drawing(d, frame, steps)
    }

    fn agreed(&self, d: &mut Duel, seat: Seat, card: Option<Ref>, bound: bool) {
        if bound { loops::chose(d, seat, card) } else { loops::agreed(d, seat, card) }
    }

    /// Reading C41.
    fn a_cost_targets(&self, d: &mut Duel) -> bool {
        d.reading(nova!("C41", Reading), "a") == "b"
    }

    /// 802.1.3.3, 802.1.3.3.1: the controller of the card, or the player, that it affects.
    fn replacing(&self, d: &mut Duel, event: &Event) -> (Seat, &'static Cite) {
        let done = event.name == "引く" || event.how == "捨てる" || matches!(event.what, crate::kernel::What::Signal);
        let (seat, cite) = match event.card {
            // 802.1.3.3.2: what a player does.
            _ if done && event.seat.is_some() => (event.seat.unwrap_or(d.t.active), nova!("802.1.3.3.2", Order)),
            Some(card) if is_field(d.t.obj(card.id).zone) => (d.t.obj(card.id).controller, nova!("802.1.3.3.1", Order)),
            Some(card) => (d.t.obj(card.id).owner, nova!("802.1.3.3.1", Order)),
            None => (event.seat.unwrap_or(d.t.active), nova!("802.1.3.3", Order)),
        };
        (if d.on(cite) { seat } else { seat.other() }, cite)
    }

    /// 302.4, 310.11.
    fn arrival(&self, d: &mut Duel, _: CardId, to: ZoneId) -> u8 {
        energy::arrival(d, to)
    }

    /// 802.1.3.5, 902.12, reading C9: a replaced move counts for what the ability goes on to do, and as paid.
    fn counts_as_done(&self, d: &mut Duel, means: Means) -> bool {
        d.trace.reach(nova!("802.1.3.7", Frame));
        if means == Means::Cost {
            d.trace.reach(nova!("804.2.3.3", Frame));
            return d
                .applies(nova!("902.12", Meaning), |_| "処理が修正されても、コストは支払われたものとして扱う".into());
        }
        d.reading(nova!("C9", Reading), "a") != "b"
            && d.applies(nova!("802.1.3.5", Meaning), |_| "本来の領域に移動したものとして処理を続ける".into())
    }

    fn may_fail_to_find(
        &self,
        d: &mut Duel,
        _: &Frame,
        by: Seat,
        filter: &Filter,
        found: &[Ref],
    ) -> Option<(&'static Cite, usize)> {
        text::may_fail_to_find(d, by, filter, found)
    }

    /// 310.8.1, 310.10: a card face down in the energy zone has no information; 310.8: the owner may take it as it would
    /// be face up, and shows it.
    fn face_down(&self, zone: ZoneId, owner: Seat, looker: Option<Seat>) -> Option<&'static [&'static str]> {
        (named(zone, "エナジーゾーン") && looker != Some(owner)).then_some(&["情報を持たない", "無色"])
    }

    /// 005.5.3.
    fn fact_of(&self, eyes: &Eyes, seat: Seat, name: Word, fact: i32) -> i32 {
        text::fact_of(eyes, seat, name, fact)
    }

    fn act(&self, d: &mut Duel, act: Act, ctx: &Ctx) -> Flow<bool> {
        match act {
            Act::Draw(seat) => acts::draw(d, seat, acts::by_effect(ctx)),
            Act::Damage(to) => damage::by_effect(d, to, &[], acts::by_effect(ctx)),
            Act::DamageTo(to, players) => damage::by_effect(d, to, players, acts::by_effect(ctx)),
            Act::Negate(item) => resolve::negate(d, item, acts::by_effect(ctx)),
            Act::Named(step, _) => acts::act(d, step, ctx),
        }
    }

    fn may_choose(&self, d: &mut Duel, card: Ref, aim: Aim) -> Result<(), &'static Cite> {
        match aim {
            Aim::Target(source) => text::targetable(d, card, source),
            Aim::Next(step) => text::fit_for(d, card, step),
            Aim::Choice { filter, frame, .. } => {
                bill::may_pay(d, card, frame)?;
                text::choosable(d, filter, card, frame)
            }
            _ => Ok(()),
        }
    }

    /// 801.4.6.2: in a hidden zone nothing triggers, but for cards face down in the energy zone (310.7).
    fn may_trigger(&self, d: &mut Duel, pending: &Pending, hidden: bool) -> Flow<bool> {
        if !priority::may_go_off(d, pending.source, pending.seat) {
            return Ok(false);
        }
        if !priority::trigger_again(d, pending) {
            return Ok(false);
        }
        let hidden = hidden && schema().spec(d.t.obj(pending.source.id).zone).sight != Sight::All;
        Ok(!(hidden && d.applies(nova!("801.4.6.2", Limit), |_| "公開領域にないので誘発しない".into())))
    }

    fn verbs(&self) -> &'static [Verb] {
        moves::VERBS
    }
    fn why_not(&self, d: &mut Duel, seat: Seat, wanted: &Move) -> Refusal {
        // Which ability was not said: the first that can be activated at all is meant.
        let mut meant = *wanted;
        if let (None, Some(card), "起動") = (meant.ability, meant.card, meant.verb.as_str()) {
            meant.ability = moves::first_activated(d, card);
        }
        let wanted = &meant;
        match d.allows(moves::VERBS, seat, wanted) {
            Err(_) => d.refusal(moves::VERBS, seat, wanted),
            Ok(()) => battle::must_be_another(wanted).unwrap_or_else(|| loops::looped(d, seat, wanted)),
        }
    }
}

/// 802.1.2.1.2, 802.1.2.1.3: what is no number, then numbers.
pub fn layer(change: &Change) -> u8 {
    u8::from(matches!(
        change,
        Change::Add(..) | Change::Down(..) | Change::Set(..) | Change::Cost(..) | Change::Price(..)
    ))
}
