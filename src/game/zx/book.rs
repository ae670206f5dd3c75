//! The rulebook itself: what the kernel asks of a game. 102 principles, 811 continuous effects, 812 replacement.

use super::places::{self, is_square, temporary};
use super::schema::{COST, PRICE, at, schema};
use super::{Zx, acts, battle, blame, checks, moves, priority, text, turn};
use crate::card::{Ability, Change, Filter, Price, Quantity, Step, Word};
use crate::kernel::book::Layering;
use crate::kernel::view::Data;
use crate::kernel::{
    CardId, Cite, Ctx, Duel, Event, Flow, Move, Point, Ref, Refusal, Rulebook, Schema, Seat, Seen, Side, Sight, Table,
    ZoneId,
};

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

    /// Where the kernel does what the document says.
    fn decides(&self, point: Point) -> [Option<&'static Cite>; 4] {
        let one = |cite| [Some(cite), None, None, None];
        let two = |a, b| [Some(a), Some(b), None, None];
        match point {
            Point::ActiveFirst => one(zx!("102.7", Order)),
            Point::Impossible => one(zx!("102.4", Meaning)),
            Point::InPart => two(zx!("102.4", Meaning), zx!("102.3", Frame)),
            Point::NothingDone => one(zx!("102.4", Meaning)),
            Point::SameState => one(zx!("102.5", Meaning)),
            Point::MayInFull => one(zx!("804.3c", Limit)),
            Point::EachEvent => two(zx!("808.3c", Meaning), zx!("808.1b", Meaning)),
            Point::Companions => one(zx!("808.3b", Meaning)),
            Point::Later => one(zx!("808.4", Meaning)),
            Point::Replaces => one(zx!("812.1", Meaning)),
            Point::LastKnown => one(zx!("814.1", Meaning)),
            Point::Distinct => one(zx!("802.3", Limit)),
            Point::OneByOne => one(zx!("1005.2", Frame)),
            Point::UpTo => one(zx!("304.4b", Frame)),
            Point::Triggers => one(zx!("808.1", Frame)),
            Point::Lasts | Point::LastsOpen => one(zx!("801.2c", Frame)),
            Point::Shares => one(zx!("804.3d", Limit)),
            Point::Becomes => one(zx!("811.6", Meaning)),
            Point::OwnersZone => one(zx!("302.4", Frame)),
            Point::Perspective => one(zx!("303.4", Frame)),
            Point::Information => one(zx!("301.3", Frame)),
            Point::NewCard | Point::SameCard => one(zx!("301.4", Frame)),
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
    fn interrupts(&self, d: &mut Duel) -> Flow {
        checks::at_once(d)?;
        checks::reload(d)
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
    fn arrival(&self, d: &mut Duel, card: CardId, to: ZoneId) -> bool {
        schema().spec(to).name == "リソース" && acts::arrives_asleep(d, d.t.now(card))
    }

    /// 302.3c: face up in public zones, face down in hidden ones.
    fn face_up(&self, _: Word, zone: ZoneId) -> bool {
        schema().spec(zone).sight == Sight::All
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
