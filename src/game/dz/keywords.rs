//! Part 5: keyword abilities.

use std::sync::Arc;

use super::pay::Cost;
use super::places::{far_end, is_base_square, is_battle_square, is_square, related, seen_from, squares};
use super::schema::{COST, POWER, at};
use crate::card::{
    Ability, Amount, Change, Cond, Filter, Immune, Keyword, Kind, Pattern, Range, Step, Test, Value, Word,
};
use crate::kernel::steps::Frame;
use crate::kernel::{
    Asks, Cite, Ctx, Duel, Event, Flow, Item, ItemKind, Move, Ongoing, Question, Ref, Seat, Seen, Slots, Table, Thing,
    Use, User, ZoneId,
};

/// What a keyword means, where the language of abilities can say it.
pub fn meaning(keyword: &Keyword) -> Vec<Ability> {
    let by = |abilities: Vec<Ability>, cite: &'static Cite| -> Vec<Ability> {
        abilities
            .into_iter()
            .map(|a| Ability { clauses: [vec![cite.clause], a.clauses.clone()].concat(), ..a })
            .collect()
    };
    match keyword.name.as_str() {
        "即死" => by(vec![instant_death(keyword)], dz!("5.2.2", Meaning)),
        "支援" => by(support(keyword), dz!("5.5.2", Meaning)),
        // 5.7.1, 5.7.1-3: the text works in each of the zones.
        "ゾーン効果" => {
            let texts = keyword.text.iter().map(|a| Ability { from: keyword.words.clone(), ..a.clone() }).collect();
            let texts = if keyword.words.len() > 1 { by(texts, dz!("5.7.1-3", Meaning)) } else { texts };
            by(texts, dz!("5.7.1", Meaning))
        }
        "暴走" => by(rampage(keyword), dz!("5.7.2-1", Meaning)),
        "挟撃" => by(pincer(keyword), dz!("5.9.1", Meaning)),
        "進撃" => by(advance_text(keyword), dz!("5.11.2", Meaning)),
        "連動" => by(valid_if(keyword, linked(keyword)), dz!("5.12.2", Meaning)),
        "共鳴" => {
            let moved = Pattern { event: Word("移動解決"), who: Some(Word("自分")), ..Pattern::default() };
            by(valid_if(keyword, Cond::Happened(Box::new(moved))), dz!("5.13.2", Meaning))
        }
        "補給" => by(vec![supply()], dz!("5.15.2", Meaning)),
        "耐性" => vec![resistance(keyword)],
        _ => Vec::new(),
    }
}

/// 5.2.2: damage to a unit, of that cost or less, sends it to the graveyard at the end of that battle. Which damage:
/// [`trigger_again`].
fn instant_death(keyword: &Keyword) -> Ability {
    let mut unit = Filter { is: vec![Word("ユニット")], ..Filter::default() };
    if let Some(level) = &keyword.value {
        unit.data.insert(Word(COST), Test::Range(Box::new(Range { max: Some(level.clone()), ..Range::default() })));
    }
    let fall = Step::Move {
        what: Some(Word("about")),
        all: None,
        to: Word("墓地"),
        near: Default::default(),
        at: None,
        state: None,
        control: None,
        how: Some(Word("破壊")),
        attach: None,
        slot: None,
    };
    Ability {
        kind: Kind::Triggered,
        when: vec![Pattern {
            event: Word("ダメージ"),
            card: Some(unit),
            by: Some(Filter::of_ref(Word("this"))),
            ..Pattern::default()
        }],
        steps: vec![Step::Later {
            when: Pattern { event: Word("バトル終了時"), ..Pattern::default() },
            steps: vec![fall],
            until: None,
            about: Some(Word("event")),
        }],
        ..Ability::default()
    }
}

/// 5.5.2: a modifier for one's units in the range; 5.5.2-1: itself among them, where it lies in the range.
fn support(keyword: &Keyword) -> Vec<Ability> {
    let mut others =
        Filter {
            is: vec![Word("ユニット")], of: Some(Word("自分")), except: vec![Word("this")], ..Filter::default()
        };
    match keyword.range {
        Some(range) if super::schema::schema().words.relations.contains(&range.as_str()) => {
            others.near.insert(range, Word("this"));
        }
        // Or a place, as its controller sees it.
        range => others.within.extend(range),
    }
    let own = Filter { reference: Some(Word("this")), except: Vec::new(), ..others.clone() };
    let by = keyword.value.clone().unwrap_or(Value::Number(0));
    let gives = |units: Filter| Ability {
        kind: Kind::Static,
        affects: Some(units),
        grant: vec![Change::Add(Word(POWER), by.clone())],
        ..Ability::default()
    };
    vec![gives(others), Ability { clauses: vec![dz!("5.5.2-1", Meaning).clause], ..gives(own) }]
}

/// 5.7.2-1, 5.7.2-2: only when the top of the deck is turned up as the plan zone.
fn rampage(keyword: &Keyword) -> Vec<Ability> {
    let enough = keyword.value.clone().map(|n| {
        let energy =
            Filter { within: vec![Word("エネルギーゾーン")], of: Some(Word("自分")), ..Filter::default() };
        Cond::AtLeast(Value::made(Amount::Count(energy)), n)
    });
    let when = vec![Pattern { event: Word("表"), card: Some(Filter::of_ref(Word("this"))), ..Pattern::default() }];
    keyword
        .text
        .iter()
        .map(|a| Ability {
            kind: Kind::Triggered,
            from: vec![Word("プランゾーン")],
            when: when.clone(),
            cond: enough.clone(),
            ..a.clone()
        })
        .collect()
}

/// 5.9.1: on arrival, if an opposing unit lies between it and another unit of the same player.
fn pincer(keyword: &Keyword) -> Vec<Ability> {
    let caught = Filter {
        is: vec![Word("ユニット")],
        of: Some(Word("相手")),
        near: [(Word("挟撃"), Word("this"))].into(),
        ..Filter::default()
    };
    let when = Pattern {
        event: Word("置く"),
        card: Some(Filter::of_ref(Word("this"))),
        to: vec![Word("バトルスペース")],
        ..Pattern::default()
    };
    keyword
        .text
        .iter()
        .map(|a| Ability {
            kind: Kind::Triggered,
            when: vec![when.clone()],
            cond: Some(Cond::Exists(caught.clone())),
            ..a.clone()
        })
        .collect()
}

/// 5.11.2: the ability triggers when a move for which the cost was paid has resolved.
fn advance_text(keyword: &Keyword) -> Vec<Ability> {
    let when = Pattern { event: Word("進撃"), card: Some(Filter::of_ref(Word("this"))), ..Pattern::default() };
    keyword.text.iter().map(|a| Ability { kind: Kind::Triggered, when: vec![when.clone()], ..a.clone() }).collect()
}

/// 5.12.2: the named cards are in one's graveyard; 5.12.3, 5.12.4: for a card on the stack, when it was played.
fn linked(keyword: &Keyword) -> Cond {
    let there = |name: &Word| {
        Cond::Exists(Filter {
            name: vec![*name],
            within: vec![Word("墓地")],
            of: Some(Word("自分")),
            ..Filter::default()
        })
    };
    let now = Cond::All(keyword.words.iter().map(there).collect());
    let not_then = Cond::Not(Box::new(Cond::Paid(as_played(keyword, false))));
    Cond::Any(vec![Cond::Paid(as_played(keyword, true)), Cond::All(vec![not_then, now])])
}

/// Where it is noted whether the named cards were there as the card was played: a card may have several such texts.
fn as_played(keyword: &Keyword, linked: bool) -> Word {
    let names: Vec<&str> = keyword.words.iter().map(|w| w.as_str()).collect();
    Word::new(&format!("{}「{}」", if linked { "連動" } else { "連動せず" }, names.join("」「")))
}

fn valid_if(keyword: &Keyword, cond: Cond) -> Vec<Ability> {
    let with = |a: &Ability| match &a.cond {
        Some(own) => Cond::All(vec![cond.clone(), own.clone()]),
        None => cond.clone(),
    };
    keyword.text.iter().map(|a| Ability { cond: Some(with(a)), ..a.clone() }).collect()
}

/// What must hold so that the text of the keyword counts at all, and the condition that the text has itself.
fn validity(ability: &Ability) -> (Option<&Cond>, Option<&Cond>) {
    if !ability.meant_by.is_some_and(|k| k == "連動" || k == "共鳴") {
        return (None, ability.cond.as_ref());
    }
    match &ability.cond {
        Some(Cond::All(both)) => (both.first(), both.get(1)),
        valid => (valid.as_ref(), None),
    }
}

/// What must hold of a triggered ability as it resolves (4.8.8): its own condition. That a text counts at all is looked
/// at only as it triggers: on the stack it is independent of its card (4.2.5).
pub fn rechecked(ability: &Ability) -> Option<&Cond> {
    validity(ability).1
}

/// 5.12.2, 5.13.2: the text of the ability counts.
pub fn counts(d: &mut Duel, this: Ref, seat: Seat, slots: &Slots, ability: &Ability) -> bool {
    let ctx = Ctx { this: Some(this), seat, slots, event: None };
    validity(ability).0.is_none_or(|cond| d.see(|eyes| eyes.holds(&ctx, cond)))
}

/// The clause by which it does not.
pub fn uncounted(ability: &Ability) -> &'static Cite {
    match ability.meant_by.map(|k| k.as_str()) {
        Some("連動") => dz!("5.12.2", Meaning),
        Some("共鳴") => dz!("5.13.2", Meaning),
        _ => dz!("4.2.1", Limit),
    }
}

/// The effects of a card that is played: those whose text counts.
pub fn effects(d: &mut Duel, this: Ref, seat: Seat, slots: &Slots) -> Vec<Arc<Ability>> {
    let seen = d.seen(this);
    let effect = |a: &&Arc<Ability>| a.kind == Kind::Effect && a.keyword.is_none();
    let all: Vec<Arc<Ability>> = seen.abilities.iter().filter(effect).cloned().collect();
    all.into_iter().filter(|a| counts(d, this, seat, slots, a)).collect()
}

/// 5.12.3, 5.12.4: as a card resolves, what it says all the while is what counted as it was played.
pub fn settle_lasting(d: &mut Duel, card: Ref, seat: Seat, slots: &Slots) {
    let linked = |a: &&Arc<Ability>| a.kind == Kind::Static && a.meant_by.is_some_and(|k| k == "連動");
    let lasting: Vec<Arc<Ability>> = d.seen(card).abilities.iter().filter(linked).cloned().collect();
    if lasting.is_empty() {
        return;
    }
    let mut changes = vec![Change::Lose(Word("連動"))];
    for ability in lasting {
        if counts(d, card, seat, slots, &ability) {
            let cond = rechecked(&ability).cloned();
            changes.push(Change::Gain(Box::new(Ability { cond, ..(*ability).clone() })));
        }
    }
    d.begin_effect(Ongoing { source: Some(card), ..Ongoing::on(card, seat, changes) });
}

/// Whether a text counts is settled as the card is played.
pub fn freeze_linked(d: &mut Duel, card: Ref, frame: &mut Frame) {
    let seen = d.seen(card);
    for keyword in seen.abilities.iter().filter_map(|a| a.keyword.as_ref()).filter(|k| k.name == "連動") {
        let cond = linked(keyword);
        let holds = d.see(|eyes| eyes.holds(&frame.ctx(), &cond));
        let cite = if holds { dz!("5.12.4", Meaning) } else { dz!("5.12.3", Meaning) };
        if d.applies(cite, |_| {
            format!("連動はプレイの時に{}", if holds { "満たされていた" } else { "満たされていなかった" })
        }) {
            frame.slots.set(as_played(keyword, holds), vec![Thing::Number(1)]);
            if holds {
                frame.slots.set(Word("連動"), vec![Thing::Number(1)]);
            }
        }
    }
}

/// 5.15.2: colourless −1 for each of one's bases.
fn supply() -> Ability {
    let bases = Filter {
        is: vec![Word("ベース")], within: vec![Word("自分のベーススペース")], ..Filter::default()
    };
    let less = Value::made(Amount::Product(vec![Value::Number(-1), Value::made(Amount::Count(bases))]));
    Ability { kind: Kind::Static, grant: vec![Change::Cost(Word(COST), Word("無色"), less)], ..Ability::default() }
}

/// 5.17.2: no damage from, and no target of, cards that fit.
fn resistance(keyword: &Keyword) -> Ability {
    let by = keyword.filter.clone().unwrap_or_default();
    let immune = Immune { to: vec![Word("ダメージ"), Word("対象")], by };
    Ability { kind: Kind::Static, grant: vec![Change::Immune(Box::new(immune))], ..Ability::default() }
}

/// 5.1.2, 5.1.2-1, 5.3.2, 5.3.2-1: whether a unit that was played arrives released. 4.14.2: as it will be there.
pub fn arrives_released(d: &mut Duel, item: &Item, card: Ref, to: ZoneId) -> Flow<bool> {
    let seat = item.seat;
    let there = d.imagine(|t| {
        let from = t.obj(card.id).zone;
        t.zones[from.0 as usize].retain(|id| *id != card.id);
        t.zones[to.0 as usize].push(card.id);
        let since = t.clock + 1;
        let obj = t.obj_mut(card.id);
        (obj.zone, obj.controller, obj.since) = (to, seat, since);
    });
    let seen = &there.cards[card.id.0 as usize];
    if **seen != *d.seen(card) {
        d.trace.reach(dz!("4.14.2", Frame));
        d.trace.reach(dz!("4.5.2", Frame));
    }
    if is_swift(seen, &item.slots)
        && d.applies(dz!("5.1.2", Meaning), |d| format!("{}は速攻を持つのでリリース状態で置かれる", d.card_name(card)))
    {
        d.trace.reach(dz!("1.1.1", Frame));
        return Ok(true);
    }
    if there.rules.iter().any(|r| r.on == Some(card.id) && matches!(&r.change, Change::Enter(s) if *s == "リリース"))
    {
        d.trace.reach(dz!("1.1.1", Frame));
        return Ok(true);
    }
    if item.slots.word("方法").is_some_and(|w| w.contains("召集"))
        && (still_called(d, item, to)
            || !d.applies(dz!("5.3.2-1", Meaning), |_| "召集の条件を満たさなくなったのでフリーズ状態で置かれる".into()))
    {
        return Ok(d.applies(dz!("5.3.2", Meaning), |_| "召集によるプレイなのでリリース状態で置かれる".into()));
    }
    Ok(false)
}

/// 5.1.2; 5.12.3, 5.12.4: what 連動 gives is as it was when the card was played.
fn is_swift(seen: &Seen, slots: &Slots) -> bool {
    let swift = |a: &Ability| a.keyword.as_ref().is_some_and(|k| k.name == "速攻");
    let keywords = || seen.abilities.iter().filter_map(|a| a.keyword.as_ref());
    let was = |k: &Keyword, linked: bool| slots.number(&as_played(k, linked)) == Some(1);
    let settled = |k: &&Keyword| k.name == "連動" && k.text.iter().any(swift) && (was(k, true) || was(k, false));
    let settled: Vec<&Keyword> = keywords().filter(settled).collect();
    let now = |a: &Ability| swift(a) && (a.meant_by.is_none() || settled.is_empty());
    seen.abilities.iter().any(|a| now(a)) || settled.iter().any(|k| was(k, true))
}

/// 5.3.2-1: the card that called the unit still lets it be played to the square.
pub fn still_called(d: &mut Duel, item: &Item, to: ZoneId) -> bool {
    let callers = callers(d, item.seat, to);
    item.slots.cards("召集元").iter().any(|c| callers.contains(c))
}

/// 5.9.1: an opposing unit is caught on a straight line.
pub fn straight(d: &mut Duel, unit: Ref) -> bool {
    let (at, seat) = (d.t.obj(unit.id).zone, d.seen(unit).controller);
    let caught = |d: &mut Duel, z: ZoneId| {
        let ((ax, ay), (bx, by)) = (seen_from(at, seat), seen_from(z, seat));
        (ax == bx || ay == by)
            && far_end(at, z, seat).is_some_and(|z| super::moves::any_of(d, z, "ユニット", Some(seat)))
            && super::moves::any_of(d, z, "ユニット", Some(seat.other()))
    };
    squares().any(|z| caught(d, z))
}

/// Own cards in play with the keyword, where it fits.
fn with_keyword(d: &mut Duel, who: Seat, keyword: &str, fits: impl Fn(&Table, Ref, &Keyword) -> bool) -> Vec<Ref> {
    let view = d.look();
    let t = &d.t;
    let mut found = Vec::new();
    for id in squares().flat_map(|z| t.zone(z)) {
        let seen = &view.cards[id.0 as usize];
        if seen.controller == who && t.obj(*id).host.is_none() && t.obj(*id).face_up {
            let card = t.now(*id);
            let keys = seen.abilities.iter().filter_map(|a| a.keyword.as_ref()).filter(|k| k.name == keyword);
            found.extend(keys.filter(|k| fits(t, card, k)).map(|_| card));
        }
    }
    found
}

/// 5.3.2: cards whose 召集 lets a unit be played to the square.
pub fn callers(d: &mut Duel, who: Seat, to: ZoneId) -> Vec<Ref> {
    with_keyword(d, who, "召集", |t, card, k| {
        let at = t.obj(card.id).zone;
        k.range.is_some_and(|r| at != to && related(r, at, to, who) || super::places::inside(to, true, r, who))
    })
}

pub fn any_caller(d: &mut Duel, who: Seat) -> bool {
    !with_keyword(d, who, "召集", |_, _, _| true).is_empty()
}

/// 5.8.2: the formation stands, and the square is the one it names.
pub fn formation(d: &mut Duel, who: Seat, card: Ref, to: ZoneId) -> bool {
    let Some(shape) = d.seen(card).keyword("隊列召喚").and_then(|k| k.range) else { return false };
    let at = |x: i8, y: i8| squares().find(|z| seen_from(*z, who) == (x, y)).expect("a square");
    let unit = |d: &mut Duel, x: i8, y: i8| super::moves::any_of(d, at(x, y), "ユニット", Some(who));
    let own = |d: &mut Duel, x: i8, y: i8| {
        let view = d.look();
        d.t.zone(at(x, y)).iter().any(|id| view.cards[id.0 as usize].controller == who)
    };
    let centre = at(1, 2);
    let (tx, ty) = seen_from(to, who);
    let cite = formation_clause(&shape);
    let stands = match shape.as_str() {
        "ストレート" => to == centre && unit(d, 0, 2) && unit(d, 2, 2),
        "トライアングル" => to == centre && unit(d, 0, 1) && unit(d, 2, 1) && unit(d, 1, 3),
        "エックス" => to == centre && [(0, 1), (2, 1), (0, 3), (2, 3)].iter().all(|(x, y)| unit(d, *x, *y)),
        "アンダーバー" => to == centre && (0..3).all(|x| unit(d, x, 1)),
        "スモールアイ" => is_battle_square(to) && (ty + 1..=3).any(|y| unit(d, tx, y)),
        "ビッグアイ" => ty == 2 && unit(d, tx, 1) && unit(d, tx, 3),
        "ビッグトライアングル" => to == centre && own(d, 0, 0) && own(d, 2, 0) && own(d, 1, 3),
        "ボトムバー" => to == centre && (0..3).all(|x| own(d, x, 0)),
        _ => false,
    };
    if stands {
        d.trace.reach(cite);
    }
    stands
}

fn formation_clause(shape: &str) -> &'static crate::kernel::Cite {
    match shape {
        "ストレート" => dz!("5.8.2-1", Frame),
        "トライアングル" => dz!("5.8.2-2", Frame),
        "エックス" => dz!("5.8.2-3", Frame),
        "アンダーバー" => dz!("5.8.2-4", Frame),
        "スモールアイ" => dz!("5.8.2-5", Frame),
        "ビッグアイ" => dz!("5.8.2-6", Frame),
        "ビッグトライアングル" => dz!("5.8.2-7", Frame),
        _ => dz!("5.8.2-8", Frame),
    }
}

/// 5.10.2: released cards with 呼声 of the colour, for playing or moving a unit.
pub fn voices(d: &mut Duel, who: Seat, m: &Move) -> Vec<Ref> {
    let Some(card) = m.card.filter(|_| m.verb == "プレイ" || m.verb == "移動") else { return Vec::new() };
    let class = at::CLASS;
    let colour = at::COLOUR;
    let seen = d.seen(card);
    if !seen.words(class).iter().any(|w| *w == "ユニット") || !d.on(dz!("5.10.2", Meaning)) {
        return Vec::new();
    }
    let fits = |k: &Keyword| k.words.is_empty() || k.words.iter().any(|w| seen.words(colour).contains(w));
    with_keyword(d, who, "呼声", |t, r, k| !t.obj(r.id).turned() && fits(k))
}

/// Cards with 呼声 that cannot be frozen for it: 2.26.1-1 they are frozen, or their text does not work where they lie.
pub fn mute_voices(d: &mut Duel, who: Seat) -> Vec<(Thing, &'static Cite)> {
    let view = d.look();
    let mut found = Vec::new();
    for &id in d.given.holders.keyword(Word("呼声")) {
        let (obj, seen) = (d.t.obj(id), &view.cards[id.0 as usize]);
        let Some(ability) = seen.abilities.iter().find(|a| a.keyword.as_ref().is_some_and(|k| k.name == "呼声"))
        else {
            continue;
        };
        let cite = match is_square(obj.zone) && obj.host.is_none() {
            true if seen.controller == who && obj.turned() => dz!("2.26.1-1", Limit),
            false if obj.owner == who => super::text::elsewhere(seen, ability),
            _ => continue,
        };
        found.push((Thing::Card(d.t.now(id)), cite));
    }
    found
}

/// 5.11.1, 5.11.3: the additional cost may be paid once for a move.
pub fn advance(d: &mut Duel, who: Seat, card: Ref, frame: &mut Frame, cost: &mut Cost) -> Flow {
    let seen = d.seen(card);
    let Some(keyword) = seen.keyword("進撃").cloned() else { return Ok(()) };
    let mut more = cost.clone();
    let price = keyword.price.first().cloned().unwrap_or_default();
    more.symbols.extend(price.filled(|_| 0));
    more.parts.extend(keyword.cost.clone());
    let alone = Cost { symbols: price.filled(|_| 0), ..Cost::default() };
    let able = (super::pay::payable(d, who, &more)
        || raid(d, who, card).is_some() && super::pay::payable(d, who, &alone))
        && (keyword.cost.is_empty() || d.possible(&keyword.cost, &frame.slots, Some(card), who, None)?);
    if !able {
        let raided = raid(d, who, card).is_some() && keyword.cost.is_empty();
        return d.not_yes(
            who,
            Word("進撃"),
            Some(card),
            if raided { dz!("5.16.3", Limit) } else { dz!("4.7.3-4", Limit) },
        );
    }
    if d.yes(who, Word("進撃"), Some(card))? {
        d.trace.reach(dz!("5.11.1", Frame));
        d.trace.reach(dz!("5.11.3", Limit));
        d.not_yes(who, Word("進撃"), Some(card), dz!("5.11.3", Limit))?;
        frame.slots.set(Word("進撃"), vec![Thing::Number(1)]);
        *cost = more;
    }
    Ok(())
}

/// 5.16.2: as many released bases as 急襲 asks for.
pub fn raid(d: &mut Duel, who: Seat, card: Ref) -> Option<(usize, Vec<Ref>)> {
    let seen = d.seen(card);
    let value = seen.keyword("急襲")?.value.clone().unwrap_or(Value::Number(1));
    let slots = Slots::default();
    let n = d.number(&Ctx { this: Some(card), seat: who, slots: &slots, event: None }, &value).max(0) as usize;
    let view = d.look();
    let class = at::CLASS;
    let bases: Vec<Ref> = squares()
        .filter(|z| is_base_square(*z, who))
        .flat_map(|z| d.t.zone(z).to_vec())
        .filter(|id| !d.t.obj(*id).turned() && view.cards[id.0 as usize].words(class).iter().any(|w| *w == "ベース"))
        .map(|id| d.t.now(id))
        .collect();
    (bases.len() >= n && d.on(dz!("5.16.2", Meaning))).then_some((n, bases))
}

/// 5.16.2, 5.16.3: freeze bases instead of paying the move cost, but not instead of additional costs.
pub fn choose_raid(d: &mut Duel, who: Seat, card: Ref, cost: &Cost) -> Flow<Option<Vec<Ref>>> {
    let Some((n, bases)) = raid(d, who, card) else { return Ok(None) };
    let must = !super::pay::payable(d, who, cost);
    if !must && !d.yes(who, Word("急襲"), Some(card))? {
        return Ok(None);
    }
    d.trace.reach(dz!("5.16.2", Meaning));
    let asks = Asks::Choose { of: bases.into_iter().map(Thing::Card).collect(), min: n, max: n };
    let chosen = d.pick(Question::new(who, Word("急襲のベース"), asks))?;
    Ok(Some(chosen.into_iter().filter_map(|t| if let Thing::Card(r) = t { Some(r) } else { None }).collect()))
}

/// 5.14.2: a move of a unit with 閃光 is on the stack.
pub fn flashing(d: &mut Duel) -> bool {
    let movers: Vec<Ref> =
        d.t.context().pile.iter().filter(|i| i.kind == ItemKind::Act(Word("移動"))).filter_map(|i| i.card).collect();
    // 4.5.1: a static ability works while its card is there.
    let any = movers.iter().any(|r| d.t.is_now(*r) && d.seen(*r).has("閃光"));
    any && d.on(dz!("5.14.2", Limit))
}

/// 4.4.4: at the start of the recovery phase and at the end of the turn an ability triggers once a turn.
pub fn trigger_again(d: &mut Duel, source: Ref, ability: &Ability, event: &Event) -> bool {
    // 5.2.2: battle damage; reading C7: any.
    if ability.clauses.contains(&"5.2.2") && event.name == "ダメージ" && event.how != "バトル" {
        return d.reading(dz!("C7", Reading), "a") == "b";
    }
    if ability.clauses.contains(&"5.9.1") && !straight(d, source) {
        // 5.9.3: diagonals count too.
        return d.applies(dz!("5.9.3", Meaning), |_| "斜めに挟んでいても誘発する".into());
    }
    // What an effect left behind for that moment is used up by it; it may have left several.
    if !matches!(event.name.as_str(), "リカバリーフェイズ開始時" | "ターン終了時") || ability.id == 0
    {
        return true;
    }
    let this = Use { user: User::Card(source), what: ability.id, act: event.name, lasts: crate::kernel::limit::TURN };
    if d.uses(&this) > 0 && d.applies(dz!("4.4.4", Limit), |_| "このターンはもう誘発した".into()) {
        return false;
    }
    d.note_use(this);
    true
}
