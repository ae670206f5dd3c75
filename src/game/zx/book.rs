//! The rulebook itself: what the kernel asks of a game. 102 principles, 811 continuous effects, 812 replacement.

use super::places::{self, is_square, temporary};
use super::schema::{COST, KIND, MORE_NAMES, PRICE, at, schema};
use super::{Zx, acts, battle, blame, checks, composite, immediate, keywords, priority, text, turn};
use crate::card::{Ability, Change, ENDLESS, Filter, Keyword, Kind, Price, Quantity, Step, Target, Word};
use crate::kernel::book::{Act, Aim, Layering};
use crate::kernel::eyes::read;
use crate::kernel::steps::Frame;
use crate::kernel::verb::Verb;
use crate::kernel::view::Data;
use crate::kernel::{
    CardId, Cite, Cites, Ctx, Duel, Event, Eyes, Flow, Gloss, Means, Pending, Principle, Ref, Rulebook, Says, Schema,
    Seat, Seen, Side, Sight, Table, Thing, ZoneId,
};
use crate::so;

/// 1206: what the virtual player card is called among ourselves.
const VIRTUAL: &str = "仮想のプレイヤーカード";

impl Rulebook for Zx {
    fn code(&self) -> &'static str {
        "zx"
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

    /// 805.2a: the points of the resource cost are the cost of the card. 202.6a–202.12a: an extra is also of the kind it
    /// extends.
    fn derive(&self, seen: &mut Seen) -> Vec<Seen> {
        if let Data::Words(kinds) = &mut seen.data[at(KIND)] {
            for i in 0..kinds.len() {
                for kind in ["ゼクス", "イベント", "プレイヤー", "アセンション", "エクストラ"] {
                    let also = kinds[i].as_str().split(' ').any(|part| part == kind);
                    if also && !kinds.iter().any(|k| *k == kind) {
                        kinds.push(Word(kind));
                    }
                }
            }
        }
        // 206.3: what the sub-text adds is an original name too.
        for name in seen.words(at(MORE_NAMES)).to_vec() {
            seen.names.push(name);
        }
        // 1206.2a: it has no name.
        if seen.names.iter().any(|n| *n == VIRTUAL) {
            seen.names.clear();
        }
        // 203.3: nobody can refer to a cost of ∞.
        if seen.data[at(COST)] == Data::Number(ENDLESS) {
            seen.data[at(COST)] = Data::None;
        }
        if let (Data::Number(n), Data::None) = (&seen.data[at(COST)], &seen.data[at(PRICE)]) {
            seen.data[at(PRICE)] = Data::Price(Price(vec![(Word("無色"), Quantity::Number(*n))]));
        }
        Vec::new()
    }

    fn inside(&self, zone: ZoneId, face_up: bool, place: Word, seat: Seat) -> bool {
        places::inside(zone, face_up, place, seat)
    }

    fn related(&self, eyes: &Eyes, relation: Word, a: ZoneId, b: ZoneId, _: Seat) -> bool {
        places::related(eyes.t, relation, a, b)
    }

    /// 302.4: always the owner's zone.
    fn home(&self, place: Word, owner: Seat) -> Option<ZoneId> {
        match place.as_str() {
            "テンポラリー" => Some(temporary()),
            "フォースゾーン" => Some(super::force::force_zone()),
            name => schema().zone(name, Some(owner)),
        }
    }

    /// 202.15b: any square of the place.
    fn rooms(&self, _: &Duel, place: Word, seat: Seat) -> Option<Vec<ZoneId>> {
        let squares: Vec<ZoneId> = schema().board().filter(|z| places::inside(*z, true, place, seat)).collect();
        (!squares.is_empty()).then_some(squares)
    }

    fn keyword(&self, keyword: &Keyword) -> Vec<Ability> {
        keywords::meaning(keyword)
    }

    /// 801.2d, 1101: special abilities are of no other kind, keywords of the kind of what they mean.
    fn kind_of(&self, ability: &Ability) -> Option<Kind> {
        if ability.timing.is_some_and(|t| t == "スペシャル") {
            return None;
        }
        ability.keyword.as_ref().map_or(Some(ability.kind), keywords::kind_of)
    }

    /// 402.1b, 909.1: a virtual player card for whoever has none; for the others it lies ready.
    fn furnish(
        &self,
        t: &Table,
        printed: &dyn Fn(u16) -> std::sync::Arc<crate::card::Card>,
    ) -> Vec<(crate::card::Card, ZoneId, Seat)> {
        let mut found = Vec::new();
        for seat in Seat::BOTH {
            let square = schema().board().find(|z| places::player_square(*z) == Some(seat)).expect("a player square");
            let player = |id: &CardId| {
                let obj = t.obj(*id);
                let card = printed(obj.def);
                let kind = ["プレイヤー", "ゼクス オーバーブースト"].iter().any(|k| composite::is_printed(&card, k));
                kind && obj.controller == seat && is_square(obj.zone)
            };
            let there = t.ids().any(|id| player(&id));
            let to = if there { places::limbo() } else { square };
            let card = crate::card::Card {
                name: Word(VIRTUAL),
                data: [(Word(KIND), crate::card::Datum::Words(vec![Word("プレイヤー")]))].into_iter().collect(),
                abilities: Vec::new(),
                inferred: true,
                unencoded: Vec::new(),
                from: Vec::new(),
            };
            found.push((card, to, seat));
        }
        found
    }

    /// Readings C8 and C10, for eyes, which read no settings.
    fn without(&self, d: &mut Duel) -> u32 {
        u32::from(d.settings_reading("C8") == "b") | u32::from(d.settings_reading("C10") == "b") << 1
    }

    fn merge(&self, d: &mut Duel, cards: &mut [std::sync::Arc<Seen>]) -> Vec<CardId> {
        composite::merge(d, cards)
    }

    fn accompany(&self, d: &mut Duel, events: &mut Vec<Event>) -> Flow {
        composite::accompany(d, events)
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
            // It triggers at its moment, and finds no card that has become a new one (301.4).
            Principle::DelayedGoes => Says::Not([Some(zx!("808.4a", Meaning)), None, None, None]),
            Principle::ReplacesOnce => Says::Open(zx!("C29", Reading), "a", "a"),
            Principle::Replaces => so!(zx!("812.1", Meaning)),
            Principle::DidNotHappen => so!(zx!("812.1", Meaning)),
            Principle::SeesArrival => so!(zx!("808.1", Frame)),
            Principle::SeesLeaving => so!(zx!("808.3d", Meaning)),
            Principle::LastKnown => so!(zx!("814.1", Meaning)),
            Principle::Distinct => so!(zx!("802.3", Limit)),
            Principle::Shares => so!(zx!("804.3d", Limit)),
            Principle::Becomes => so!(zx!("811.6", Meaning)),
            // 904.2 speaks of powers of 0 or less: numbers go on below it.
            Principle::BelowZero => so!(),
            Principle::PossibleOnly
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
            Gloss::Several => one(zx!("802.4", Frame)),
            Gloss::OneByOne => one(zx!("1005.2", Frame)),
            Gloss::UpTo => one(zx!("304.4b", Frame)),
            Gloss::Triggers => one(zx!("808.1", Frame)),
            Gloss::Lasts | Gloss::LastsOpen => one(zx!("801.2c", Frame)),
            Gloss::OwnersZone => one(zx!("302.4", Frame)),
            Gloss::Perspective => one(zx!("303.4", Frame)),
            Gloss::Information => {
                [zx!("301.3", Frame), zx!("301.3b", Limit), zx!("312.2b", Frame), zx!("202.10b", Frame)].map(Some)
            }
            Gloss::LastOpen => one(zx!("1205.1", Meaning)),
            Gloss::Beyond => one(zx!("203.3", Limit)),
            Gloss::Follows => [Some(zx!("207.12", Layer)), Some(zx!("C20", Reading)), None, None],
            Gloss::Part => one(zx!("202.8b", Frame)),
            Gloss::NewCard | Gloss::SameCard => one(zx!("301.4", Frame)),
            Gloss::Undefined => one(zx!("814.2", Frame)),
            _ => [None; 4],
        }
    }

    /// 205.4a, 1123.3: roles that ask for names among them.
    fn role(&self, eyes: &Eyes, card: Ref, role: Word) -> bool {
        if let Some(part) = role.strip_prefix(keywords::PLAYER_NAME) {
            return text::player_named(eyes, card, part);
        }
        if role == "ブレイク状態" {
            // Its force lies out of play.
            eyes.memory.reads(read::off_board(super::force::force_zone()));
        }
        match role.strip_prefix(keywords::SUBLIMED) {
            Some(name) => text::sublimed(eyes, card, name),
            None => battle::role(eyes.t, card, role),
        }
    }

    /// 811.1c, 811.2, 811.3, 811.3c.
    fn layering(&self, d: &Duel) -> Layering {
        let on = |cite: &'static Cite| d.on(cite).then_some(cite);
        Layering {
            of: layer,
            count: 3,
            layers: on(zx!("811.1c", Layer)),
            dependency: on(zx!("811.2", Layer)),
            active_first: on(zx!("811.3c", Layer)),
            stamps: on(zx!("811.3", Layer)),
            ..Layering::UNSAID
        }
    }

    fn works(&self, seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> Result<(), &'static Cite> {
        match text::works(seen, zone, face_up, ability) {
            true => Ok(()),
            false if text::is_players(seen, zone, face_up, ability) => Err(zx!("C9", Reading)),
            false => Err(text::elsewhere(ability)),
        }
    }

    /// 808.3a.
    fn side(&self, event: &Event) -> (Side, Option<&'static Cite>) {
        match text::side(event) {
            Side::After => (Side::After, None),
            Side::Before => (Side::Before, Some(zx!("808.3a", Meaning))),
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
        events.iter().any(removed)
            && d.reading(zx!("C4", Reading), "a") == "a"
            && d.applies(zx!("1009.2"), |_| "1枚ずつ除外する".into())
    }

    fn forbids(&self, d: &mut Duel, event: &Event) -> Option<&'static Cite> {
        acts::forbids(d, event)
    }

    fn adjust(&self, d: &mut Duel, event: &mut Event) -> Flow {
        acts::adjust(d, event);
        Ok(())
    }

    fn happened(&self, d: &mut Duel, events: &[Event]) -> Flow {
        blame::remember(d, events);
        immediate::remember(d, events);
        composite::watch(d, events);
        Ok(())
    }

    /// 901.2a, 813.1: what is carried out the moment it is due.
    fn at_once(&self, d: &mut Duel, events: &[Event]) -> Flow {
        checks::at_once(d)?;
        immediate::at_once(d, events)
    }

    /// 101.4: at any time.
    fn concede(&self, d: &mut Duel, seat: Seat) -> Flow {
        super::setup::concede(d, seat)
    }

    /// 1201.1c: what nobody can stop is a draw.
    fn endless(&self, d: &mut Duel) -> Flow {
        match d.applies(zx!("1201.1c", Check), |_| "どちらのプレイヤーも優先権前処理を終わらせられない".into())
        {
            true => super::setup::lose(d, &Seat::BOTH),
            false => d.endless("優先権前処理が終わらない", &["zx:1201.1c"]),
        }
    }

    /// 812.2: the turn player.
    fn replacing(&self, d: &mut Duel, _: &Event) -> (Seat, &'static Cite) {
        let cite = zx!("812.2", Order);
        (if d.on(cite) { d.t.active } else { d.t.active.other() }, cite)
    }

    /// 303.5a, 308.2a: rebooted, but for the multicolour icon (reading C13). From square to square it stays as it is.
    fn arrival(&self, d: &mut Duel, card: CardId, to: ZoneId) -> u8 {
        let obj = d.t.obj(card);
        let cite = match (is_square(obj.zone), is_square(to)) {
            (true, true) => return obj.state,
            (false, true) => zx!("303.5a"),
            _ if schema().spec(to).name == "リソース" => zx!("308.2a"),
            _ => return 0,
        };
        d.trace.reach(cite);
        let asleep = !is_square(to) && acts::arrives_asleep(d, d.t.now(card));
        u8::from(asleep || !d.on(cite))
    }

    /// 812.1: what was replaced was done in another way.
    fn counts_as_done(&self, _: &mut Duel, _: Means) -> bool {
        true
    }

    fn may_fail_to_find(
        &self,
        d: &mut Duel,
        _: &Frame,
        _: Seat,
        filter: &Filter,
        found: &[Ref],
    ) -> Option<(&'static Cite, usize)> {
        text::may_fail_to_find(d, filter, found)
    }

    fn act(&self, d: &mut Duel, act: Act, ctx: &Ctx) -> Flow<bool> {
        match act {
            Act::Draw(seat) => acts::draw(d, seat, acts::by_effect(ctx)),
            Act::DamageTo(..) => d.unwritten("カードとプレイヤーに同時に与えるダメージ", &[]),
            Act::Damage(to) => acts::damage(d, to, acts::by_effect(ctx)),
            // There is no stack, so nothing can be countered.
            Act::Negate(_) => Ok(false),
            Act::Named(step, _) => acts::act(d, step, ctx),
        }
    }

    /// 804.4a, 804.4b: what a cost cannot be paid with is no choice; 202.11b.
    fn may_choose(&self, d: &mut Duel, card: Ref, aim: Aim) -> Result<(), &'static Cite> {
        match aim {
            Aim::Choice { filter, frame, said } => text::choosable(d, filter, card, frame, said),
            Aim::Next(step) => text::pays(d, card, step),
            Aim::Square(place) => acts::fit_place(d, card, place),
            _ => Ok(()),
        }
    }

    fn left_out(&self, d: &mut Duel, frame: &Frame, target: &Target, _: Option<&Step>) -> Vec<(Thing, &'static Cite)> {
        text::left_out(d, frame, target)
    }

    fn chosen(&self, d: &mut Duel, by: Seat, cards: &[Ref], frame: &Frame, said: bool) -> Flow {
        text::chosen(d, by, cards, frame, said)
    }

    fn may_trigger(&self, d: &mut Duel, pending: &Pending, _: bool) -> Flow<bool> {
        Ok(priority::trigger_again(d, pending.source, &pending.ability, &pending.event))
    }

    fn verbs(&self) -> &'static [Verb] {
        super::moves::VERBS
    }
}

/// 811.1b, 811.1c: what is no number, then numbers; what a number is to begin with comes before its changes.
pub fn layer(change: &Change) -> u8 {
    match change {
        Change::Base(..) => 1,
        Change::Add(..) | Change::Down(..) | Change::Set(..) | Change::Cost(..) | Change::Price(..) => 2,
        _ => 0,
    }
}
