//! The rulebook itself: what the kernel asks of a game.

use super::schema::{BEGAN, EQUIP, EXTRA_SIDE, LOOKED, PROPER, SET, SUMMONED, schema};
use super::{
    Ygo, activate, battle, chain, field, fusion, kinds, landing, lasting, markers, pendulum, places, procedure,
    redirect, setup, summon, text,
};
use crate::card::{Ability, Change, Filter, Step, Target, Word};
use crate::kernel::book::{Act, Aim, Face, Layering};
use crate::kernel::eyes::Eyes;
use crate::kernel::steps::Frame;
use crate::kernel::table::Obj;
use crate::kernel::verb::Verb;
use crate::kernel::{
    Cause, Cite, Cites, Ctx, Duel, Event, Flow, Gloss, Means, Pending, Principle, Ref, Rulebook, Says, Schema, Seat,
    Seen, Side, Table, Thing, Told, What, ZoneId,
};
use crate::so;

impl Rulebook for Ygo {
    fn code(&self) -> &'static str {
        "ygo"
    }

    fn schema(&self) -> &'static Schema {
        schema()
    }

    fn completes(&self, t: &mut Table, _: &dyn Fn(u16) -> std::sync::Arc<crate::card::Card>) {
        landing::note_sides(t);
    }

    fn play(&self, d: &mut Duel) -> Flow {
        super::rounds::play(d)
    }

    fn unlawful(&self, d: &mut Duel) -> Option<(&'static Cite, String)> {
        setup::unlawful(d)
    }

    fn says(&self, question: Principle) -> Says {
        match question {
            Principle::ActiveFirst => so!(ygo!("3.3.7.1", Order)),
            Principle::SeesArrival => so!(ygo!("2.3.3.1", Meaning)),
            Principle::SeesLeaving => so!(ygo!("2.3.3.1", Meaning)),
            Principle::ReplacesOnce => so!(),
            Principle::Replaces => so!(ygo!("3.3.8.1", Limit)),
            Principle::DidNotHappen => Says::Open(ygo!("C36", Reading), "a", "a"),
            Principle::EachEvent => Says::Not([Some(ygo!("4.1.13.1", Meaning)), None, None, None]),
            // The document is silent on these; what is generally held, and not from this document.
            Principle::BelowZero => Says::Open(ygo!("C37", Reading), "a", "a"),
            Principle::InPart => Says::Open(ygo!("C38", Reading), "a", "a"),
            Principle::Companions => Says::Open(ygo!("C39", Reading), "a", "a"),
            Principle::LastKnown => Says::Open(ygo!("C40", Reading), "a", "a"),
            Principle::PossibleOnly | Principle::MayInFull => Says::Open(ygo!("C41", Reading), "a", "a"),
            Principle::DelayedGoes => Says::Open(ygo!("C42", Reading), "a", "a"),
            Principle::Distinct => Says::Open(ygo!("C43", Reading), "a", "a"),
            Principle::Shares => Says::Open(ygo!("C44", Reading), "a", "a"),
            Principle::NotItself => Says::Open(ygo!("C45", Reading), "a", "a"),
            Principle::ReadsAs => Says::Open(ygo!("C46", Reading), "a", "a"),
            Principle::FindsInTheOpen => Says::Open(ygo!("C47", Reading), "a", "b"),
            Principle::Becomes => Says::Open(ygo!("C48", Reading), "a", "a"),
            Principle::NothingDone => Says::Open(ygo!("C49", Reading), "a", "a"),
            Principle::SameState => Says::Open(ygo!("C50", Reading), "a", "a"),
            Principle::Later => Says::Open(ygo!("C51", Reading), "a", "a"),
            Principle::RoundsUp => Says::Open(ygo!("C52", Reading), "a", "a"),
        }
    }

    fn gloss(&self, what: Gloss) -> Cites {
        match what {
            Gloss::Undefined => [Some(ygo!("4.1.18.2", Meaning)), None, None, None],
            Gloss::Triggers => [Some(ygo!("2.3.3.1", Meaning)), None, None, None],
            Gloss::Lasts | Gloss::LastsOpen => {
                [Some(ygo!("2.3.1.1", Meaning)), Some(ygo!("4.1.3.2", Meaning)), None, None]
            }
            Gloss::Base => [Some(ygo!("4.1.18.1", Meaning)), None, None, None],
            _ => [None; 4],
        }
    }

    fn related(&self, eyes: &Eyes, relation: Word, a: ZoneId, b: ZoneId, _: Seat) -> bool {
        match relation.as_str() {
            "リンク先" => markers::points(eyes.t, &eyes.view.cards, a, b),
            "同じ列" => schema().spec(a).x == schema().spec(b).x,
            _ => false,
        }
    }

    fn works(&self, seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> Result<(), &'static Cite> {
        if text::works(seen, zone, face_up, ability) { Ok(()) } else { Err(text::idle(seen, zone, face_up, ability)) }
    }

    fn side(&self, event: &Event) -> (Side, Option<&'static Cite>) {
        (text::side(event), None)
    }

    fn locks(&self, _: &mut Duel, _: &Change, _: Option<&Filter>) -> bool {
        true
    }

    fn counts_as_done(&self, _: &mut Duel, _: Means) -> bool {
        true
    }

    fn derive(&self, seen: &mut Seen) -> Vec<Seen> {
        kinds::derive(seen);
        kinds::forms(seen)
    }

    /// 3.3.22.1, 3.3.22.3, 4.1.9.1: among spells and traps, as an equip card, as a spell, or as one in a pendulum zone.
    fn face(&self, card: &Obj) -> Face {
        kinds::form(card).map_or(Face::Printed, Face::Other)
    }

    fn inside(&self, zone: ZoneId, _: bool, place: Word, seat: Seat) -> bool {
        match place.as_str() {
            "自分のメインモンスターゾーン" => places::main_zones(seat).contains(&zone),
            "相手のメインモンスターゾーン" => places::main_zones(seat.other()).contains(&zone),
            _ => places::inside(zone, place),
        }
    }

    fn role(&self, eyes: &Eyes, card: Ref, role: Word) -> bool {
        text::role_by(eyes, card, role)
    }

    /// Reading C63: in the graveyard the card is its owner's again.
    fn triggers_for(&self, d: &mut Duel, had: Seat, owner: Seat) -> Seat {
        if d.reading(ygo!("C63", Reading), "a") == "b" { had } else { owner }
    }

    /// The document says nothing of layers but what follows from what it calls them: whose a card is and what it says
    /// comes before what it does; what a number originally is comes before what raises and lowers it (4.1.18.1). Within
    /// these, effects apply in the order in which they came (reading C35).
    fn layering(&self, d: &Duel) -> Layering {
        let stamps = (d.settings_reading("C35") != "b").then_some(ygo!("C35", Reading));
        let of = |change: &Change| match change {
            Change::LoseText(_) | Change::Lose(_) => 0,
            Change::Control(_) | Change::Gain(_) | Change::Under(_) => 1,
            Change::Add(..) | Change::Down(..) | Change::Set(..) => 3,
            _ => 2,
        };
        let layers = Some(ygo!("C35", Reading));
        Layering { of, count: 4, layers, stamps, ..Layering::UNSAID }
    }

    fn face_down(&self, zone: ZoneId, _: Seat, _: Option<Seat>) -> Option<&'static [&'static str]> {
        text::face_down(zone)
    }

    /// 3.3.2.3: tokens lie in main monster zones.
    fn rooms(&self, d: &Duel, place: Word, seat: Seat) -> Option<Vec<ZoneId>> {
        let known = ["モンスターゾーン", "メインモンスターゾーン", "自分のメインモンスターゾーン"];
        known.contains(&place.as_str()).then(|| places::free_monster_zones(d, seat))
    }

    fn without(&self, d: &mut Duel) -> u32 {
        use crate::kernel::view::{CLASSES, FRONTS};
        let kinds = if d.settings_reading("C60") == "b" { CLASSES } else { 0 };
        markers::without(d) | kinds | if text::blind(d) { 0 } else { FRONTS }
    }

    fn adjust(&self, d: &mut Duel, event: &mut Event) -> Flow {
        redirect::adjust(d, event)
    }

    fn forbids(&self, d: &mut Duel, event: &Event) -> Option<&'static Cite> {
        redirect::forbids(d, event)
    }

    /// Reading C36: what was replaced did not happen. A cost of which something else was done is paid.
    fn counts_without_a_trace(&self, d: &mut Duel, means: Means) -> bool {
        means == Means::Cost || d.reading(ygo!("C36", Reading), "a") == "b"
    }

    fn accompany(&self, d: &mut Duel, events: &mut Vec<Event>) -> Flow {
        redirect::accompany(d, events);
        Ok(())
    }

    fn at_once(&self, d: &mut Duel, events: &[Event]) -> Flow {
        field::settle(d, events)?;
        chain::apply(d)
    }

    /// 3.3.10.1, 3.3.10.2: who looks through a whole deck shuffles it afterwards.
    fn look_through(&self, d: &mut Duel, frame: &Frame, _: &Target, filter: &Filter) -> Flow {
        let deck = filter.within.iter().any(|place| *place == "デッキ");
        if !deck {
            return Ok(());
        }
        if filter.top.is_some() {
            d.trace.reach(ygo!("3.3.10.2", Frame));
            return Ok(());
        }
        let seat = frame.seat;
        let whose = filter.owner.or(filter.of).map_or(seat, |w| if w == "相手" { seat.other() } else { seat });
        *d.aside().seat(whose, LOOKED) = 1;
        Ok(())
    }

    /// What the turn remembers of a card, and whether the duel is over.
    fn happened(&self, d: &mut Duel, events: &[Event]) -> Flow {
        for event in events {
            if let (What::Face { up: false }, Some(card)) = (&event.what, event.card) {
                lasting::turned_down(d, card);
            }
            let fact = match event.name.as_str() {
                "召喚" | "特殊召喚" => {
                    // C24, 4.1.30.5: which of the extra zones the player has used.
                    if let Some((seat, side)) = event.seat.zip(event.to.map(landing::side_of))
                        && side > 0
                    {
                        *d.aside().seat(seat, EXTRA_SIDE) |= side;
                    }
                    if event.name == "特殊召喚" && !event.how.is_empty() {
                        let card = event.after.map(|c| c.id);
                        card.into_iter().for_each(|id| *d.aside().card(id, PROPER) = 1);
                    }
                    // 4.1.7.1, 1.3.3.3: one that comes face down is set.
                    if let (What::Move { face_up: false, .. }, Some(card)) = (&event.what, event.after) {
                        *d.aside().card(card.id, SET) = 1;
                    }
                    SUMMONED
                }
                "セット" => SET,
                "見る" => {
                    // Looking at a card turns nothing up.
                    d.trace.reach(ygo!("4.1.20.1", Frame));
                    continue;
                }
                _ => continue,
            };
            if let Some(card) = event.after {
                *d.aside().card(card.id, fact) = 1;
            }
        }
        setup::check_life(d)
    }

    /// Reading C61: who has no life points left is seen when both have taken their damage.
    fn all_have(&self, d: &mut Duel) -> Flow {
        setup::check_life(d)
    }

    /// The document has no clause on giving up during a duel.
    fn concede(&self, d: &mut Duel, _: Seat) -> Flow {
        d.undecided("デュエルの途中で負けを認めることの定めがない", &["ygo:3.1.2.1"])
    }

    /// The document has no clause on loops.
    fn endless(&self, d: &mut Duel) -> Flow {
        d.undecided("終わらない処理についての定めがない", &[])
    }

    /// 3.3.7.1 by analogy: the document does not say who orders replacements.
    fn replacing(&self, d: &mut Duel, _: &Event) -> (Seat, &'static Cite) {
        (d.t.active, ygo!("3.3.7.1", Frame))
    }

    fn act(&self, d: &mut Duel, act: Act, ctx: &Ctx) -> Flow<bool> {
        match act {
            Act::Draw(seat) => setup::draw(d, seat, cause(ctx)),
            Act::DamageTo(..) => d.unwritten("カードとプレイヤーに同時に与えるダメージ", &[]),
            Act::Damage(_) => d.unwritten("モンスターへのダメージはこのゲームにない", &["ygo:4.1.8.1"]),
            Act::Negate(item) => chain::negate(d, item),
            Act::Named(step, _) => self::act(d, step, ctx),
        }
    }

    /// 3.3.15.2, 3.3.16.4: what cannot be equipped, or special summoned by an effect, is not chosen for that.
    fn may_choose(&self, d: &mut Duel, card: Ref, aim: Aim) -> Result<(), &'static Cite> {
        match aim {
            Aim::Target(source) => text::targetable(d, card, source),
            // 3.3.20.1: a card that is activated from the hand is put on the field, and does not pay for itself.
            Aim::Choice { frame, .. }
                if frame.cause.means == Means::Cost && frame.this == Some(card) && activate::is_spell(d, card) =>
            {
                Err(ygo!("3.3.20.1", Limit))
            }
            Aim::Next(step) => text::fit_for(d, card, step),
            Aim::Host { how, .. } if how == EQUIP => text::may_wear(d, card),
            _ => Ok(()),
        }
    }

    fn left_out(
        &self,
        d: &mut Duel,
        frame: &Frame,
        target: &Target,
        next: Option<&Step>,
    ) -> Vec<(Thing, &'static Cite)> {
        text::left_out(d, frame, target, next)
    }

    /// 4.1.13.1: one effect that does a thing several times has done it once.
    fn may_trigger(&self, d: &mut Duel, pending: &Pending, _: bool) -> Flow<bool> {
        if text::seen_before(d, pending) {
            return Ok(false);
        }
        let (began, event) = (d.t.facts[BEGAN], &pending.event);
        let effect = |e: &Event| e.cause.means == Means::Effect && e.stamp as i32 > began;
        let same = |p: &Pending| {
            let ability = p.source == pending.source && p.ability.id == pending.ability.id;
            ability && p.event.name == event.name && effect(&p.event)
        };
        let again = began > 0 && effect(event) && d.t.context().pending.iter().any(same);
        Ok(!again || !d.applies(ygo!("4.1.13.1", Meaning), |_| "1つの効果によることなので1回と数える".into()))
    }

    fn verbs(&self) -> &'static [Verb] {
        super::moves::VERBS
    }
}

fn cause(ctx: &Ctx) -> Cause {
    Cause { means: Means::Effect, card: ctx.this, seat: Some(ctx.seat) }
}

/// Acts that say nothing without a number.
const COUNTED: [&str; 6] =
    ["LPを払う", "回復", "効果ダメージ", "お互いに効果ダメージ", "儀式召喚", "レベルちょうどの儀式召喚"];

/// Acts that texts call by name.
fn act(d: &mut Duel, step: &Step, ctx: &Ctx) -> Flow<bool> {
    let seat = |d: &mut Duel, who: Option<Word>| who.and_then(|w| d.see(|eyes| eyes.seat(ctx, w))).unwrap_or(ctx.seat);
    match step {
        Step::Shuffle { who } => {
            let seat = seat(d, *who);
            setup::shuffle(d, seat).map(|()| true)
        }
        Step::Act { name, who, what, count, .. } => {
            let who = seat(d, *who);
            let n = count.as_ref().map_or(0, |v| d.number(ctx, v));
            if count.is_none() && COUNTED.contains(&name.as_str()) {
                return d.unwritten(format!("量の書かれていない「{name}」"), &[]);
            }
            match name.as_str() {
                "特殊召喚"
                | "攻撃表示で特殊召喚"
                | "守備表示で特殊召喚"
                | "裏側守備表示で特殊召喚"
                | summon::FREELY => {
                    let cards = there(d, *what, ctx)?;
                    summon::special(d, who, &cards, *name, cause(ctx))
                }
                "セット" => each(d, *what, ctx, |d, card| activate::set_by_effect(d, who, card, cause(ctx))),
                "ペンデュラムゾーンに置く" => {
                    each(d, *what, ctx, |d, card| pendulum::lay(d, who, card, cause(ctx)))
                }
                "融合召喚" => {
                    let only = what.map(|w| d.see(|eyes| eyes.subjects(ctx, w)));
                    fusion::fuse(d, who, only, cause(ctx))
                }
                "儀式召喚" | "レベルちょうどの儀式召喚" => {
                    let card = what.and_then(|w| d.see(|eyes| eyes.subjects(ctx, w)).first().copied());
                    match card {
                        Some(card) => fusion::ritual(d, who, card, n, *name != "儀式召喚", cause(ctx)),
                        None => Ok(false),
                    }
                }
                "装備" => {
                    let host = what.and_then(|w| d.see(|eyes| eyes.subjects(ctx, w)).first().copied());
                    match (ctx.this, host) {
                        (Some(card), Some(host)) => field::equip(d, card, host),
                        _ => Ok(false),
                    }
                }
                "エクシーズ素材を取り除く" => {
                    let card = what.and_then(|w| d.see(|eyes| eyes.subjects(ctx, w)).first().copied()).or(ctx.this);
                    match card {
                        Some(card) => procedure::detach(d, who, card, n.max(1) as usize, cause(ctx)),
                        None => Ok(false),
                    }
                }
                "LPを払う" => pay_life(d, who, n, ctx),
                "回復" => life(d, who, Word("回復"), n, ctx),
                "ダメージ" | "効果ダメージ" => life(d, who, Word("効果ダメージ"), n, ctx),
                "お互いに効果ダメージ" => {
                    let both = [d.t.active, d.t.active.other()];
                    // 3.3.7.1, reading C61: whether one after the other.
                    if d.reading(ygo!("C61", Reading), "a") == "b" {
                        let first = life(d, both[0], Word("効果ダメージ"), n, ctx)?;
                        return Ok(life(d, both[1], Word("効果ダメージ"), n, ctx)? || first);
                    }
                    let events = both.map(|s| setup::life(d, s, Word("効果ダメージ"), n, cause(ctx)));
                    Ok(n > 0 && !d.propose(events.to_vec())?.is_empty())
                }
                "召喚を無効にする" => super::negation::negate(d),
                "攻撃を無効にする" => battle::cut(d, battle::ATTACK),
                "バトルフェイズを終了する" => battle::cut(d, battle::PHASE),
                other => d.unwritten(format!("「{other}」という行為は知らない"), &[]),
            }
        }
        _ => Ok(false),
    }
}

/// The cards meant that are still where the text knew them.
fn there(d: &mut Duel, what: Option<Word>, ctx: &Ctx) -> Flow<Vec<Ref>> {
    let Some(what) = what else { return d.unwritten("どのカードのことか書かれていない行為", &[]) };
    let cards = d.see(|eyes| eyes.subjects(ctx, what));
    if cards.is_empty() {
        d.tell(Told::NotApplied, |_| format!("「{what}」に当たるカードがない"));
    }
    let (cards, gone): (Vec<Ref>, Vec<Ref>) = cards.into_iter().partition(|card| d.t.is_now(*card));
    for card in gone {
        d.tell(Told::NotApplied, |d| format!("{}はもうそこにない", d.card_name(card)));
    }
    Ok(cards)
}

/// What is done to each of them.
fn each<'g>(
    d: &mut Duel<'g>,
    what: Option<Word>,
    ctx: &Ctx,
    act: impl Fn(&mut Duel<'g>, Ref) -> Flow<bool>,
) -> Flow<bool> {
    let mut any = false;
    for card in there(d, what, ctx)? {
        any |= act(d, card)?;
    }
    Ok(any)
}

fn life(d: &mut Duel, who: Seat, name: Word, n: i32, ctx: &Ctx) -> Flow<bool> {
    if n <= 0 {
        return Ok(false);
    }
    let event = setup::life(d, who, name, n, cause(ctx));
    Ok(d.propose_one(event)?.any())
}

/// 4.1.2.2: a cost, not damage.
fn pay_life(d: &mut Duel, who: Seat, n: i32, ctx: &Ctx) -> Flow<bool> {
    let have = d.t.seats[who.index()][super::schema::LIFE];
    if have < n {
        return Ok(false);
    }
    let event = setup::life(d, who, Word("支払い"), n, Cause { means: Means::Cost, ..cause(ctx) });
    Ok(d.propose_one(event)?.any())
}
