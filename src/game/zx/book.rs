//! The rulebook itself: what the kernel asks of a game. 102 principles, 811 continuous effects, 812 replacement.

use super::places::{self, is_square, temporary};
use super::schema::{COST, PRICE, at, schema};
use super::{Zx, acts, battle, blame, checks, moves, priority, text, turn};
use crate::card::{Ability, Change, Filter, Price, Quantity, Step, Word};
use crate::kernel::book::Layering;
use crate::kernel::view::Data;
use crate::kernel::{
    CardId, Cite, Cites, Ctx, Duel, Event, Flow, Gloss, Means, Move, Principle, Ref, Refusal, Rulebook, Says, Schema,
    Seat, Seen, Side, Sight, Table, ZoneId,
};
use crate::so;

impl Rulebook for Zx {
    fn code(&self) -> &'static str {
        "zx"
    }

    fn schema(&self) -> &'static Schema {
        schema()
    }

    fn verbs(&self) -> &'static [&'static str] {
        &["プレイ", "起動", "攻撃", "リソース", "イグニッション"]
    }

    fn play(&self, d: &mut Duel) -> Flow {
        turn::turn(d)
    }

    fn unlawful(&self, d: &mut Duel) -> Option<(&'static Cite, String)> {
        checks::unlawful(d)
    }

    /// 805.2a: the points of the resource cost are the cost of the card.
    fn derive(&self, seen: &mut Seen) {
        if let (Data::Number(n), Data::None) = (&seen.data[at(COST)], &seen.data[at(PRICE)]) {
            seen.data[at(PRICE)] = Data::Price(Price(vec![(Word("無色"), Quantity::Number(*n))]));
        }
    }

    fn inside(&self, zone: ZoneId, _: bool, place: Word, seat: Seat) -> bool {
        places::inside(zone, place, seat)
    }

    fn related(&self, t: &Table, relation: Word, a: ZoneId, b: ZoneId, _: Seat) -> bool {
        places::related(t, relation, a, b)
    }

    /// 302.4: always the owner's zone.
    fn home(&self, place: Word, owner: Seat) -> Option<ZoneId> {
        match place.as_str() {
            "テンポラリー" => Some(temporary()),
            name => schema().zone(name, Some(owner)),
        }
    }

    fn works(&self, seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> bool {
        text::works(seen, zone, face_up, ability)
    }

    /// 301.4: from square to square it stays the same card.
    fn keeps(&self, from: ZoneId, to: ZoneId) -> bool {
        is_square(from) && is_square(to)
    }

    fn side(&self, event: &Event) -> Side {
        text::side(event)
    }

    /// 808.3a: which side of a move is read. Without it, always where the card has gone.
    fn side_of(&self, d: &mut Duel, event: &Event) -> Side {
        let side = text::side(event);
        if side == Side::Before && !d.applies(zx!("808.3a", Meaning), |_| "移動する前のカードの情報を見る".into())
        {
            return Side::After;
        }
        side
    }

    /// 803.1b, 803.1d.
    fn elsewhere(&self, _: &Seen, ability: &Ability) -> &'static Cite {
        if ability.from.is_empty() { zx!("803.1b", Limit) } else { zx!("803.1d", Limit) }
    }

    /// 808.3d: who has an ability that sees a destruction is read from the squares as they were.
    fn had_before(&self, d: &Duel, event: &Event) -> Option<&'static Cite> {
        let cite = zx!("808.3d", Meaning);
        (event.name == "破壊" && d.on(cite)).then_some(cite)
    }

    fn says(&self, question: Principle) -> Says {
        match question {
            Principle::ActiveFirst => so!(zx!("102.7", Order)),
            Principle::InPart => so!(zx!("102.4", Meaning), zx!("102.3", Frame)),
            Principle::NothingDone => so!(zx!("102.4", Meaning)),
            Principle::SameState => so!(zx!("102.5", Meaning)),
            Principle::MayInFull => so!(zx!("804.3c", Limit)),
            Principle::EachEvent => so!(zx!("808.3c", Meaning), zx!("808.1b", Meaning)),
            Principle::Companions => so!(zx!("808.3b", Meaning)),
            Principle::Later => so!(zx!("808.4", Meaning)),
            Principle::Replaces => so!(zx!("812.1", Meaning)),
            Principle::DidNotHappen => so!(zx!("812.1", Meaning)),
            Principle::SeesArrival => so!(zx!("808.1", Frame)),
            Principle::SeesLeaving => so!(zx!("808.3d", Meaning)),
            Principle::LastKnown => so!(zx!("814.1", Meaning)),
            Principle::Distinct => so!(zx!("802.3", Limit)),
            Principle::Shares => so!(zx!("804.3d", Limit)),
            Principle::Becomes => so!(zx!("811.6", Meaning)),
            Principle::BelowZero
            | Principle::PossibleOnly
            | Principle::DelayedGoes
            | Principle::NotItself
            | Principle::ReadsAs
            | Principle::FindsInTheOpen
            | Principle::RoundsUp => Says::Silent,
        }
    }

    fn gloss(&self, what: Gloss) -> Cites {
        let one = |cite| [Some(cite), None, None, None];
        match what {
            Gloss::Impossible => one(zx!("102.4", Meaning)),
            Gloss::OneByOne => one(zx!("1005.2", Frame)),
            Gloss::UpTo => one(zx!("304.4b", Frame)),
            Gloss::Triggers => one(zx!("808.1", Frame)),
            Gloss::Lasts | Gloss::LastsOpen => one(zx!("801.2c", Frame)),
            Gloss::OwnersZone => one(zx!("302.4", Frame)),
            Gloss::Perspective => one(zx!("303.4", Frame)),
            Gloss::Information => one(zx!("301.3", Frame)),
            Gloss::NewCard | Gloss::SameCard => one(zx!("301.4", Frame)),
            _ => [None; 4],
        }
    }

    fn role(&self, t: &Table, card: Ref, role: Word) -> bool {
        battle::role(t, card, role)
    }

    /// 811.1b, 811.1c: what is no number, then numbers.
    fn layer(&self, change: &Change) -> u8 {
        u8::from(matches!(change, Change::Add(..) | Change::Set(..) | Change::Cost(..) | Change::Price(..)))
    }

    fn layers(&self) -> u8 {
        2
    }

    /// 811.1c, 811.2, 811.3, 811.3c.
    fn layering(&self, d: &Duel) -> Layering {
        let on = |cite: &'static Cite| d.on(cite).then_some(cite);
        Layering {
            layers: on(zx!("811.1c", Layer)),
            own_first: None,
            dependency: on(zx!("811.2", Layer)),
            active_first: on(zx!("811.3c", Layer)),
            stamps: on(zx!("811.3", Layer)),
        }
    }

    /// 811.4: on public zones only what is there now; on hidden zones also what comes later.
    fn locks(&self, d: &mut Duel, _: &Change, found_by: Option<&Filter>) -> bool {
        let hidden =
            |place: &Word| schema().zone(place, Some(Seat(0))).is_some_and(|z| schema().spec(z).sight != Sight::All);
        let open = found_by.is_some_and(|f| !f.within.is_empty() && f.within.iter().all(hidden));
        found_by.is_none()
            || d.applies(zx!("811.4", Meaning), |_| {
                (if open { "後から来るカードにも及ぶ" } else { "今あるカードだけに及ぶ" }).into()
            }) != open
    }

    /// 304.3, 304.5: out of and into a deck; removing (reading C4).
    fn one_by_one(&self, d: &mut Duel, events: &[Event]) -> bool {
        let deck = |z: Option<ZoneId>| z.is_some_and(|z| schema().spec(z).name == "デッキ");
        if events.iter().any(|e| deck(e.from)) {
            return d.applies(zx!("304.3", Meaning), |_| "デッキからは1枚ずつ移動する".into());
        }
        if events.iter().any(|e| deck(e.to)) {
            return d.applies(zx!("304.5", Meaning), |_| "デッキへは1枚ずつ移動する".into());
        }
        let removed = |e: &Event| e.to.is_some_and(|z| schema().spec(z).name == "リムーブゾーン");
        events.iter().any(removed) && d.reading(zx!("C4", Reading), "a") == "a"
    }

    fn forbids(&self, d: &mut Duel, event: &Event) -> Option<&'static Cite> {
        acts::forbids(d, event)
    }

    /// 102.6: "cannot" wins.
    fn cannot(&self) -> &'static Cite {
        zx!("102.6", Limit)
    }

    fn adjust(&self, d: &mut Duel, event: &mut Event) -> Flow {
        acts::adjust(d, event);
        Ok(())
    }

    fn happened(&self, d: &mut Duel, events: &[Event]) -> Flow {
        blame::remember(d, events);
        Ok(())
    }

    /// 901.2a: reload is carried out the moment it is due.
    fn at_once(&self, d: &mut Duel, _: &[Event]) -> Flow {
        checks::at_once(d)?;
        checks::reload(d)
    }

    /// 1201.1c: what nobody can stop is a draw.
    fn endless(&self, d: &mut Duel) -> Flow {
        d.unwritten("無限循環の処理", &["zx:1201.1c"])
    }

    /// 812.2: the turn player.
    fn replacing(&self, d: &Duel, _: &Event) -> (Seat, &'static Cite) {
        let cite = zx!("812.2", Order);
        (if d.on(cite) { d.t.active } else { d.t.active.other() }, cite)
    }

    /// Reading C29.
    fn replaces_once(&self, d: &mut Duel) -> bool {
        d.reading(zx!("C29", Reading), "a") != "b"
    }

    /// 303.5a, 308.2a: rebooted, but for the multicolour icon (reading C13).
    fn arrival(&self, d: &mut Duel, card: CardId, to: ZoneId) -> u8 {
        u8::from(schema().spec(to).name == "リソース" && acts::arrives_asleep(d, d.t.now(card)))
    }

    /// 302.3c: face up in public zones, face down in hidden ones.
    fn face_up(&self, _: Word, zone: ZoneId) -> bool {
        schema().spec(zone).sight == Sight::All
    }

    /// 812.1: what was replaced was done in another way.
    fn counts_as_done(&self, _: &mut Duel, _: Means) -> bool {
        true
    }

    fn draw(&self, d: &mut Duel, seat: Seat, ctx: &Ctx) -> Flow<bool> {
        acts::draw(d, seat, acts::by_effect(ctx))
    }

    fn damage(&self, d: &mut Duel, to: &[(Ref, i32)], ctx: &Ctx) -> Flow<bool> {
        acts::damage(d, to, acts::by_effect(ctx))
    }

    fn act(&self, d: &mut Duel, step: &Step, ctx: &Ctx) -> Flow<bool> {
        acts::act(d, step, ctx)
    }

    /// There is no stack, so nothing can be countered.
    fn negate(&self, _: &mut Duel, _: u32) -> Flow<bool> {
        Ok(false)
    }

    fn may_fail_to_find(&self, d: &mut Duel, _: Seat, filter: &Filter, found: &[Ref]) -> Option<&'static Cite> {
        text::may_fail_to_find(d, filter, found)
    }

    /// 102.4, 814.2: an act that rests on an undefined number is not done; no times is not done either.
    fn undefined(&self, d: &mut Duel) -> i32 {
        d.trace.reach(zx!("814.2", Frame));
        0
    }

    fn why_not(&self, d: &mut Duel, seat: Seat, wanted: &Move) -> Refusal {
        match moves::legal(d, seat, wanted) {
            Err(refusal) => refusal,
            Ok(()) => Refusal {
                what: wanted.verb.to_string(), cite: None, why: "その行動は今の選択肢にない".into()
            },
        }
    }

    fn trigger_again(&self, d: &mut Duel, source: Ref, ability: &Ability, event: &Event) -> bool {
        priority::trigger_again(d, source, ability, event)
    }
}
