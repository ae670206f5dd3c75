//! The rulebook itself: what the kernel asks of a game. 104 principles, 909 continuous effects, 910 replacement.

use std::sync::Arc;

use super::schema::{ARRIVED, ATTRIBUTE, KIND, NOWHERE, OPEN, RACE, TOKEN, at, schema};
use super::zones::{self, in_play};
use super::{
    Msd, acts, arrive, battle, checks, keywords, lasting, loops, numbers, odo, orbs, piles, resolve, setup, text, turn,
};
use crate::card::{Ability, Amount, Change, ENDLESS, Filter, Keyword, Price, Quantity, Value, Word};
use crate::kernel::book::{Act, Aim, Face, Layering};
use crate::kernel::steps::Frame;
use crate::kernel::verb::Verb;
use crate::kernel::view::Data;
use crate::kernel::{
    CardId, Cite, Cites, Ctx, Duel, Event, Eyes, Flow, Gloss, Means, Obj, Principle, Ref, Rulebook, Says, Schema, Seat,
    Seen, Side, Table, View, ZoneId,
};
use crate::so;

impl Rulebook for Msd {
    fn code(&self) -> &'static str {
        "msd"
    }

    fn schema(&self) -> &'static Schema {
        schema()
    }

    fn completes(&self, t: &mut Table, printed: &dyn Fn(u16) -> Arc<crate::card::Card>) {
        odo::completes(t);
        piles::tokens_lie(t, printed);
    }

    fn play(&self, d: &mut Duel) -> Flow {
        turn::turn(d)
    }

    fn unlawful(&self, d: &mut Duel) -> Option<(&'static Cite, String)> {
        checks::unlawful(d)
    }

    /// 202.3 caster names, 203.3 the cost, 206.2 races, 907.6 what every 魔法少女 has.
    fn derive(&self, seen: &mut Seen) -> Vec<Seen> {
        let split = |words: &[Word]| words.iter().flat_map(|w| w.split('/')).map(Word::new).collect::<Vec<_>>();
        if let Data::Words(names) = &seen.data[at::NAME] {
            seen.names = names.clone();
        }
        piles::token_of_name(seen);
        if let Data::Words(races) = &seen.data[at::RACE] {
            seen.data[at::RACE] = Data::Words(split(races).into());
        }
        // 203.3: what has no cost costs nothing.
        if seen.data[at::COST] == Data::None {
            let _ = msd!("203.3", Frame);
            seen.data[at::COST] = Data::Number(0);
        }
        let own = Word(super::schema::OWN_COST);
        let cost = seen.number(at::COST).unwrap_or(0);
        match &mut seen.data[at::CHARGE] {
            charge @ Data::None => *charge = Data::Price(Price(vec![(own, Quantity::Number(cost))])),
            Data::Price(price) if price.0.iter().all(|(symbol, _)| *symbol == odo::FREE) => {
                price.0.iter_mut().for_each(|(symbol, _)| *symbol = own);
            }
            _ => {}
        }
        if seen.data[at::ATTRIBUTE] == Data::None {
            seen.data[at::ATTRIBUTE] = Data::Words(Default::default());
        }
        for at in [at::ATTACK_COST, at::ABILITY_COST] {
            if seen.data[at] == Data::None {
                seen.data[at] = Data::Price(Price(Vec::new()));
            }
        }
        for (printed, datum) in at::PRINTED {
            seen.data[printed] = seen.data[datum].clone();
        }
        text::base_abilities(seen);
        self.became(seen);
        Vec::new()
    }

    /// 202.3, 907.6: what every 魔法少女 has.
    fn became(&self, seen: &mut Seen) {
        if !zones::is_kind(seen, "魔法少女") || seen.abilities.iter().any(|a| a.clauses.contains(&"907.6")) {
            return;
        }
        let caster = zones::caster_name(seen.name());
        if !seen.names.contains(&caster) {
            seen.names.push(caster);
        }
        seen.abilities.push(Arc::new(Ability { id: 1, ..zones::common_ability() }));
        seen.kinds.activated = true;
    }

    fn keyword(&self, keyword: &Keyword) -> Vec<Ability> {
        keywords::meaning(keyword)
    }

    fn face(&self, card: &Obj) -> Face {
        zones::face(card).map_or(Face::Printed, Face::Ruled)
    }

    fn says(&self, question: Principle) -> Says {
        match question {
            Principle::InPart => so!(msd!("104.2", Meaning)),
            Principle::NothingDone => so!(msd!("104.2", Meaning)),
            Principle::SameState => so!(msd!("104.3", Meaning)),
            Principle::EachEvent => so!(msd!("906.2", Meaning), msd!("1009.2", Meaning)),
            Principle::DidNotHappen => so!(msd!("910.1", Meaning)),
            Principle::ReplacesOnce => so!(msd!("910.3", Limit)),
            Principle::Replaces => so!(msd!("901.2c", Meaning)),
            Principle::SeesArrival => so!(msd!("906.5b", Meaning)),
            Principle::Companions => so!(),
            Principle::SeesLeaving => so!(msd!("906.5b", Meaning)),
            Principle::LastKnown => so!(msd!("911.1", Meaning)),
            Principle::Later => so!(msd!("906.6", Meaning)),
            Principle::DelayedGoes => Says::Open(msd!("C26", Reading), "a", "b"),
            Principle::NotItself => so!(msd!("903.2e-i", Limit)),
            Principle::Becomes => so!(msd!("909.5", Meaning), msd!("1014.1", Meaning)),
            Principle::BelowZero => Says::Open(msd!("C24", Reading), "a", "a"),
            Principle::Distinct => so!(),
            Principle::MayInFull => so!(),
            Principle::PossibleOnly => so!(),
            Principle::FindsInTheOpen => so!(msd!("302.3", Meaning)),
            Principle::ActiveFirst => Says::Open(msd!("C32", Reading), "a", "a"),
            Principle::Shares | Principle::ReadsAs | Principle::RoundsUp => Says::Silent,
        }
    }

    fn gloss(&self, what: Gloss) -> Cites {
        let one = |cite| [Some(cite), None, None, None];
        let two = |a, b| [Some(a), Some(b), None, None];
        match what {
            Gloss::Impossible => one(msd!("104.2", Meaning)),
            Gloss::Triggers => two(msd!("906.1", Frame), msd!("901.1b", Frame)),
            Gloss::Lasts => two(msd!("904.1", Frame), msd!("901.1c", Frame)),
            Gloss::LastsOpen => two(msd!("904.1", Frame), msd!("306.4", Frame)),
            Gloss::OneByOne => one(msd!("1006.2", Frame)),
            Gloss::NewCard | Gloss::SameCard => one(msd!("302.3", Frame)),
            Gloss::OwnersZone => one(msd!("302.5", Frame)),
            Gloss::Perspective => two(msd!("105.4b", Frame), msd!("105.4", Frame)),
            Gloss::Several => one(msd!("206.2", Frame)),
            Gloss::NoFront => one(msd!("306.6", Frame)),
            Gloss::Duration => one(msd!("901.2b", Frame)),
            Gloss::MadeReplacement => one(msd!("901.2c", Frame)),
            Gloss::Information => one(msd!("302.2", Frame)),
            Gloss::Undefined => one(msd!("104.2", Meaning)),
            _ => [None; 4],
        }
    }

    fn had_enough(&self, d: &mut Duel, seat: Seat, card: Option<Ref>) -> Option<&'static Cite> {
        loops::had_enough(d, seat, card)
    }

    fn inside(&self, zone: ZoneId, _: bool, place: Word, _: Seat) -> bool {
        zones::inside(zone, place)
    }

    fn home(&self, place: Word, owner: Seat) -> Option<ZoneId> {
        zones::home(place, owner)
    }

    /// 311.2a: of a card removed face down nothing is known.
    fn face_down(&self, zone: ZoneId, _: Seat, _: Option<Seat>) -> Option<&'static [&'static str]> {
        zones::is(zone, zones::Own::Removed).then_some(&["裏向きのカード"])
    }

    /// 1302.2b: what speaks of tokens does not speak of cards.
    fn role(&self, eyes: &Eyes, card: Ref, role: Word) -> bool {
        if role == "トークン" {
            eyes.view.without & CARDS_AS_TOKENS != 0 || zones::is_token(eyes.t, card)
        } else {
            battle::role(eyes.t, card, role)
        }
    }

    fn without(&self, d: &mut Duel) -> u32 {
        let cite = msd!("1302.2b", Limit);
        if d.t.cards.iter().any(|card| card.facts[TOKEN] == 1) {
            d.trace.reach(cite);
        }
        let unknown = msd!("311.2a", Meaning);
        let down = |z: ZoneId| d.t.zone(z).iter().any(|id| !d.t.obj(*id).face_up);
        if Seat::BOTH.into_iter().any(|seat| down(zones::zone(zones::Own::Removed, seat))) {
            d.trace.reach(unknown);
        }
        let fronts = if d.on(unknown) { 0 } else { crate::kernel::view::FRONTS };
        fronts | if d.on(cite) { 0 } else { CARDS_AS_TOKENS }
    }

    /// 403.6: the coin lies ready where a game is prepared.
    fn furnish(
        &self,
        t: &Table,
        _: &dyn Fn(u16) -> std::sync::Arc<crate::card::Card>,
    ) -> Vec<(crate::card::Card, ZoneId, Seat)> {
        match t.phase == "準備" || t.phase == "デッキ構築" {
            true => vec![(setup::coin_card(), super::schema::NOWHERE, t.active.other())],
            false => Vec::new(),
        }
    }

    /// 403.6a: the coin can lie on a table in the middle of a game.
    fn defines(&self, name: &str) -> Option<crate::card::Card> {
        (name == setup::COIN.as_str()).then(setup::coin_card)
    }

    /// 909.1, 909.3a, 909.3b. What arrives together is put in order by the turn player ([`arrive::in_order`]).
    fn layering(&self, d: &Duel) -> Layering {
        let on = |cite: &'static Cite| d.on(cite).then_some(cite);
        Layering {
            of: layer,
            count: 6,
            layers: on(msd!("909.1", Layer)),
            each: [
                None,
                Some(msd!("909.1b", Layer)),
                Some(msd!("909.1c", Layer)),
                Some(msd!("909.1d", Layer)),
                Some(msd!("909.1e", Layer)),
                Some(msd!("909.1f", Layer)),
                None,
                None,
            ],
            dependency: on(msd!("909.3a", Layer)),
            stamps: on(msd!("909.3b", Layer)),
            ..Layering::UNSAID
        }
    }

    /// 909.1g: once everything has been applied, ATK and DEF are rounded up to hundreds (reading C6); what is printed
    /// uneven is left to 1203.1.
    fn finish(&self, d: &mut Duel, view: &mut View) {
        let cards = &mut view.cards;
        let cite = msd!("909.1g", Layer);
        for id in d.t.ids().filter(|id| in_play(d.t.obj(*id).zone)).collect::<Vec<_>>() {
            for at in [at::ATK, at::DEF] {
                let Data::Number(n) = cards[id.0 as usize].data[at] else { continue };
                if n == ENDLESS {
                    // 104.7c: what effects added or took off has left it as it was.
                    d.trace.reach(msd!("104.7c", Frame));
                    continue;
                }
                if n < 0 && d.reading(msd!("C24", Reading), "a") == "b" {
                    Arc::make_mut(&mut cards[id.0 as usize]).data[at] = Data::Number(0);
                    continue;
                }
                if n.rem_euclid(100) == 0 || checks::is_printed(d, d.t.now(id), at, n) || !d.on(cite) {
                    continue;
                }
                // Reading C6: left to 1203.1.
                if d.reading(msd!("C6", Reading), "a") == "b" {
                    continue;
                }
                d.trace.reach(cite);
                let up = n.saturating_add(100 - n.rem_euclid(100));
                Arc::make_mut(&mut cards[id.0 as usize]).data[at] = Data::Number(up);
            }
        }
    }

    /// 902.1a, 902.2.
    fn works(&self, seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> Result<(), &'static Cite> {
        if text::works(seen, zone, face_up, ability) {
            Ok(())
        } else {
            Err(if ability.from.is_empty() { msd!("902.1a", Limit) } else { msd!("902.2", Limit) })
        }
    }

    fn side(&self, event: &Event) -> (Side, Option<&'static Cite>) {
        text::side(event)
    }

    /// 909.3b-iii: what names no cards also meets those that come later (reading C18).
    fn locks(&self, d: &mut Duel, _: &Change, found_by: Option<&Filter>) -> bool {
        found_by.is_none()
            || d.reading(msd!("C18", Reading), "a") == "b"
            || !d.applies(msd!("909.3b-iii", Meaning), |_| "後から条件を満たしたカードにも及ぶ".into())
    }

    /// 304.3: from a deck into another zone one by one.
    fn one_by_one(&self, d: &mut Duel, events: &[Event]) -> bool {
        let deck = |z: Option<ZoneId>| z.is_some_and(|z| zones::is(z, zones::Own::Deck));
        events.iter().any(|e| deck(e.from) && e.from != e.to)
            && d.applies(msd!("304.3", Meaning), |_| "デッキからは1枚ずつ移動する".into())
    }

    fn passes_through(&self, d: &Duel, event: &Event) -> bool {
        piles::passes_through(d, event)
    }

    fn accompany(&self, d: &mut Duel, events: &mut Vec<Event>) -> Flow {
        piles::accompany(d, events)
    }

    fn forbids(&self, d: &mut Duel, event: &Event) -> Option<&'static Cite> {
        text::forbids(d, event).or_else(|| arrive::forbids(d, event))
    }

    fn adjust(&self, d: &mut Duel, event: &mut Event) -> Flow {
        arrive::adjust(d, event)
    }

    /// 604.2d, 1104.2: when a card came into play is remembered.
    fn happened(&self, d: &mut Duel, events: &[Event]) -> Flow {
        let turn = i32::from(d.t.turn);
        for event in events.iter().filter(|e| e.is_move() && e.card != e.after) {
            if let Some(card) = event.after.filter(|c| d.t.is_now(*c) && in_play(d.t.obj(c.id).zone)) {
                *d.aside().card(card.id, ARRIVED) = turn;
                if event.from == Some(NOWHERE) {
                    *d.aside().card(card.id, TOKEN) = 1;
                }
            }
        }
        Ok(())
    }

    /// 314.2a, 803.4a, 803.5a, 1103: what the rules do at once.
    fn at_once(&self, d: &mut Duel, events: &[Event]) -> Flow {
        arrive::in_order(d, events)?;
        arrive::counters(d, events)?;
        battle::watch(d);
        lasting::watch(d)?;
        piles::back_to_extra(d, events)?;
        piles::tokens_vanish(d, events)?;
        numbers::watch(d)?;
        orbs::breaks(d, events)
    }

    /// 103.4: at any time.
    fn concede(&self, d: &mut Duel, seat: Seat) -> Flow {
        super::setup::concede(d, seat)
    }

    fn endless(&self, d: &mut Duel) -> Flow {
        loops::endless(d)
    }

    /// 910.2: the player it happens to, or the controller of the card.
    fn replacing(&self, d: &mut Duel, event: &Event) -> (Seat, &'static Cite) {
        let seat = match event.card {
            Some(card) if in_play(d.t.obj(card.id).zone) => d.t.obj(card.id).controller,
            Some(card) => d.t.obj(card.id).owner,
            None => event.seat.unwrap_or(d.t.active),
        };
        let cite = msd!("910.2", Order);
        (if d.on(cite) { seat } else { seat.other() }, cite)
    }

    /// Settled when the card is about to arrive (303.1b, 307.6).
    fn arrival(&self, _: &mut Duel, _: CardId, to: ZoneId) -> u8 {
        if in_play(to) || to == zones::FIELD { OPEN } else { 0 }
    }

    /// 903.2h: what was replaced while activating was done.
    fn counts_as_done(&self, d: &mut Duel, means: Means) -> bool {
        // Where it is only tried whether it can be done, what is replaced can be.
        d.strict && means != Means::Cost
            || means == Means::Cost && d.applies(msd!("903.2h", Meaning), |_| "置換されても行ったものとみなす".into())
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

    /// 1012.1; and of hidden cards what 1012.2 does not let be left.
    fn must_choose(&self, d: &mut Duel, _: &Frame, by: Seat, _: &Filter, found: &[Ref]) -> Option<&'static Cite> {
        let hidden = found.iter().any(|card| text::is_hidden_from_some(d, by, *card));
        Some(if hidden { msd!("1012.2", Limit) } else { msd!("1012.1", Limit) })
    }

    fn act(&self, d: &mut Duel, act: Act, ctx: &Ctx) -> Flow<bool> {
        match act {
            Act::Draw(seat) => acts::draw(d, seat, acts::by_effect(ctx)),
            Act::DamageTo(..) => d.unwritten("カードとプレイヤーに同時に与えるダメージ", &[]),
            Act::Damage(_) => d.unwritten("このゲームにダメージはない", &[]),
            Act::Negate(item) => resolve::negate(d, item),
            Act::Named(step, means) => acts::act(d, step, means, ctx),
        }
    }

    fn may_choose(&self, d: &mut Duel, card: Ref, aim: Aim) -> Result<(), &'static Cite> {
        if let Aim::Target(source) = aim { text::targetable(d, card, source) } else { Ok(()) }
    }

    fn verbs(&self) -> &'static [Verb] {
        super::moves::VERBS
    }
}

/// Without 1302.2b cards are spoken of where tokens are.
const CARDS_AS_TOKENS: u32 = 1;

/// 909.1f: the number comes from counters on a card.
fn counts_marks(value: &Value) -> bool {
    match value {
        Value::Made(amount) => match &**amount {
            Amount::Marks(..) => true,
            Amount::Sum(parts) | Amount::Product(parts) => parts.iter().any(counts_marks),
            Amount::Divide(a, b) => counts_marks(a) || counts_marks(b),
            _ => false,
        },
        _ => false,
    }
}

/// 909.1a–909.1f.
pub fn layer(change: &Change) -> u8 {
    match change {
        Change::Base(..) => 0,
        Change::Join(name, _) | Change::Become(name, _) if [KIND, RACE, ATTRIBUTE].contains(&name.as_str()) => 1,
        Change::Gain(_) | Change::Lose(_) | Change::LoseText(_) => 2,
        Change::Add(_, value) | Change::Set(_, value) => 4 + u8::from(counts_marks(value)),
        // 903.2g: what the content is exchanged for comes before what is added and taken off.
        Change::Price(..) => 4,
        Change::Cost(..) => 5,
        _ => 3,
    }
}
