//! 803 where abilities are valid, 808.3 what a move is read from, 102.9 hidden zones.

use super::places::{inside, is_square};
use super::schema::{COST, KIND, at, schema};
use crate::card::{Ability, Change, Filter, Part, Parts, Step, Target, Test, Value, Word};
use crate::kernel::steps::Frame;
use crate::kernel::table::Holds;
use crate::kernel::{Cause, Cite, Ctx, Duel, Event, Flow, Means, Ref, Seat, Seen, Side, Sight, Thing, What, ZoneId};

/// 803.1b, 803.1d, 803.1e: on squares, or in the zone the ability names; face down in a public zone never.
pub fn works(seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> bool {
    // 1027.1: that is looked at while a card is played, and at no other time.
    ability.timing != Some(super::playing::PLAYING) && stands(seen, zone, face_up, ability)
}

/// The ability is in a place where it is valid.
pub fn stands(seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> bool {
    let open = schema().spec(zone).sight == Sight::All;
    if open && !face_up || zone == super::places::limbo() {
        return false;
    }
    let lasting = ["プレイヤー", "ゼクス", "アセンション", "シフト", "リンク"];
    let there = if ability.from.is_empty() {
        is_square(zone) && seen.words(const { at(KIND) }).iter().any(|k| lasting.contains(&k.as_str()))
            || is_own_price(ability)
    } else {
        let there = |place: &Word| Seat::BOTH.iter().any(|seat| inside(zone, face_up, *place, *seat));
        ability.from.iter().any(there)
    };
    // 1024.1: a crisis is no ability but what 910 looks at.
    there && ability.keyword.as_ref().is_none_or(|k| k.name != "クライシス")
}

/// What changes the card's own price matters where it is played from.
fn is_own_price(ability: &Ability) -> bool {
    ability.affects.is_none()
        && !ability.grant.is_empty()
        && ability.grant.iter().all(|c| matches!(c, Change::Cost(..) | Change::Down(..)))
}

/// Reading C9: an ability of a player card that is not on a square, and names no place.
pub fn is_players(seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> bool {
    let hidden = schema().spec(zone).sight == Sight::All && !face_up;
    let kinds = seen.words(const { at(KIND) });
    ability.from.is_empty()
        && ability.timing != Some(super::playing::PLAYING)
        && !hidden
        && zone != super::places::limbo()
        && kinds.iter().any(|k| *k == "プレイヤー")
}

/// 202.15f: a link that is not named.
pub fn leaves_out(seen: &Seen, filter: &Filter) -> bool {
    let link = seen.words(const { at(KIND) }).iter().any(|k| *k == "リンク");
    link && !filter.is.iter().any(|k| *k == "リンク")
}

/// 803.1b, 803.1d: the clause that keeps the ability from working elsewhere.
pub fn elsewhere(ability: &Ability) -> &'static Cite {
    if ability.from.is_empty() { zx!("803.1b", Limit) } else { zx!("803.1d", Limit) }
}

/// 808.3a: of an open and a hidden side the open one is read, leaving a square the square, else where it went.
pub fn side(event: &Event) -> Side {
    let (Some((from, to)), What::Move { face_up, .. }) = (event.from.zip(event.to), &event.what) else {
        return Side::After;
    };
    let open = |zone: ZoneId, up: bool| schema().spec(zone).sight == Sight::All && up;
    let before = match (open(from, event.from_face_up), open(to, *face_up)) {
        (true, false) => true,
        (false, true) => false,
        _ => is_square(from) && !is_square(to),
    };
    if before { Side::Before } else { Side::After }
}

/// 102.9: who looks for something particular among hidden cards need not choose it.
pub fn may_fail_to_find(d: &mut Duel, filter: &Filter, found: &[Ref]) -> Option<(&'static Cite, usize)> {
    let hidden = |r: &Ref| {
        let obj = d.t.obj(r.id);
        schema().spec(obj.zone).sight != Sight::All && !obj.revealed && !obj.face_up
    };
    let open = found.iter().filter(|r| !hidden(r)).count();
    let cite = zx!("102.9", Limit);
    (filter.is_particular() && open < found.len() && d.on(cite)).then_some((cite, open))
}

/// 306.2, 309.2: the limit a player has; `None` when there is none any more.
pub fn limit(d: &mut Duel, seat: Seat, name: &str, usual: i32) -> Option<i32> {
    let view = d.look();
    let mut limit = Some(usual);
    for rule in view.rules.iter().filter(|r| r.seat == seat) {
        if let Change::Limit(which, value) = &rule.change
            && *which == name
        {
            let ctx = Ctx { this: rule.source, seat, slots: &rule.slots, event: None };
            limit = value.as_ref().map(|v: &Value| d.number(&ctx, v));
        }
    }
    // 309.2c: no limit, no cut.
    if limit.is_none() && name == super::schema::HAND_LIMIT {
        let none = d.applies(zx!("309.2c"), |_| "手札の上限がない".into());
        return if none { None } else { Some(usual) };
    }
    limit
}

/// 1014.1: an effect of a source to which the card is immune does nothing to it. 1014.1 is about effects only.
pub fn suffers_nothing(d: &mut Duel, event: &Event) -> Option<&'static Cite> {
    let (card, source) = (event.card?, event.cause.card?);
    let changes = !matches!(event.what, What::Signal | What::SeatFact { .. });
    if event.cause.means != Means::Effect || !changes {
        return None;
    }
    let damage = matches!(event.what, What::Grow { .. });
    if !(immune(d, card, "効果", source) || damage && immune(d, card, "ダメージ", source)) {
        return None;
    }
    let cite = zx!("1014.1", Limit);
    d.applies(cite, |d| format!("{}は{}の効果を受けない", d.card_name(card), d.card_name(source))).then_some(cite)
}

/// The card does not suffer that from the source.
pub fn immune(d: &mut Duel, card: Ref, from: &str, source: Ref) -> bool {
    let view = d.look();
    if !view.rules.iter().any(|rule| matches!(&rule.change, Change::Immune(_)) && rule.on == Some(card.id)) {
        return false;
    }
    d.see(|eyes| {
        view.rules.iter().any(|rule| match &rule.change {
            Change::Immune(immune) if rule.on == Some(card.id) && immune.to.iter().any(|w| *w == from) => {
                let ctx = Ctx { this: rule.source, seat: rule.seat, slots: &rule.slots, event: None };
                eyes.fits_anywhere(&ctx, &immune.by, source)
            }
            _ => false,
        })
    })
}

/// 1014.1a, 1014.1b: what does not apply to an immune card any more never applies to it again.
pub fn spare(d: &mut Duel) -> Flow {
    let view = d.look();
    let guarded: Vec<crate::kernel::CardId> = view
        .rules
        .iter()
        .filter(|r| matches!(&r.change, Change::Immune(i) if i.to.iter().any(|w| *w == "効果")))
        .filter_map(|r| r.on)
        .collect();
    if guarded.is_empty() || !d.on(zx!("1014.1a", Meaning)) {
        return Ok(());
    }
    for id in guarded.iter().copied() {
        let card = d.t.now(id);
        for at in 0..d.t.ongoing.len() {
            let made = &d.t.ongoing[at];
            let (Some(source), Some(locked)) = (made.source, &made.locked) else { continue };
            let itself = matches!(&made.holds, Holds::Changes(c) if c.iter().any(|c| matches!(c, Change::Immune(_))));
            if itself || !locked.contains(&card) || !immune(d, card, "効果", source) {
                continue;
            }
            if d.applies(zx!("1014.1b", Meaning), |d| format!("{}に再び適用されることはない", d.card_name(card)))
            {
                d.spare(at, card);
            }
        }
    }
    for id in guarded {
        spare_for_good(d, d.t.now(id));
    }
    Ok(())
}

/// 1014.1b: static abilities that do not change the card now never will.
fn spare_for_good(d: &mut Duel, card: Ref) {
    let view = d.look();
    let slots = crate::kernel::Slots::default();
    let mut found: Vec<(Ref, Seat)> = Vec::new();
    let given = d.given;
    for &id in view.among(&given.holders.statics).iter() {
        let seen = &view.cards[id.0 as usize];
        let (source, zone, face_up) = (d.t.now(id), d.t.obj(id).zone, d.t.obj(id).face_up);
        for ability in seen.abilities.iter().filter(|a| a.kind == crate::card::Kind::Static && !a.grant.is_empty()) {
            let Some(filter) = &ability.affects else { continue };
            let ctx = Ctx { this: Some(source), seat: seen.controller, slots: &slots, event: None };
            if d.works(seen, zone, face_up, ability)
                && d.see(|eyes| eyes.select(&ctx, filter).contains(&card))
                && immune(d, card, "効果", source)
            {
                found.push((source, seen.controller));
            }
        }
    }
    for (source, seat) in found {
        let mut slots = crate::kernel::Slots::default();
        slots.set(Word("発生源"), vec![Thing::Card(source)]);
        let immune = crate::card::Immune {
            to: vec![Word(crate::kernel::view::STATIC)],
            by: Filter { reference: Some(Word("発生源")), ..Filter::default() },
        };
        let known = |o: &crate::kernel::Ongoing| o.slots == slots && o.locked.as_deref() == Some(&[card]);
        if d.t.ongoing.iter().any(known) || !d.on(zx!("1014.1b", Meaning)) {
            continue;
        }
        d.cites(zx!("1014.1b", Meaning), |d| format!("{}に再び適用されることはない", d.card_name(card)));
        let lasts = crate::kernel::Ongoing::on(card, seat, vec![Change::Immune(Box::new(immune))]);
        d.begin_effect(crate::kernel::Ongoing { source: Some(card), slots, ..lasts });
    }
}

/// 804.4a: a card that is so already, or may not become so, does not pay by becoming so. 804.4b: nor does one that may
/// not be moved pay by being moved; where it ends up is no matter.
pub fn pays(d: &mut Duel, card: Ref, step: &Step) -> Result<(), &'static Cite> {
    let cause = Cause { means: Means::Cost, card: None, seat: None };
    let (bad, cite) = match step {
        Step::Turn { state, .. } => {
            let Some(state) = schema().state(state) else { return Ok(()) };
            let so = d.t.obj(card.id).state == state;
            let turn = Event { what: What::Turn { state }, cause, ..Event::about(turned(state), card) };
            (so || d.forbidden(&turn), zx!("804.4a", Limit))
        }
        Step::Move { to, how, attach: None, .. } => {
            let owner = d.t.obj(card.id).owner;
            let Some(zone) = d.book.home(*to, owner) else { return Ok(()) };
            let mut event = d.moving(card, zone).by(cause);
            event.how = how.unwrap_or_default();
            (d.forbidden(&event), zx!("804.4b", Limit))
        }
        _ => return Ok(()),
    };
    if bad && d.on(cite) { Err(cite) } else { Ok(()) }
}

fn turned(state: u8) -> Word {
    Word(schema().states[usize::from(state)])
}

/// Some effect gives or takes icons.
pub fn icons_are_given(d: &mut Duel) -> bool {
    let view = d.look();
    let icon = |change: &Change| matches!(change, Change::Join(name, _) | Change::Become(name, _) if *name == super::schema::ICON);
    let has = |id: &crate::kernel::CardId| {
        let seen = &view.cards[id.0 as usize];
        seen.kinds.statics && seen.abilities.iter().any(|a| a.grant.iter().any(icon))
    };
    view.among(&d.given.holders.statics).iter().any(has)
        || d.t.ongoing.iter().any(|o| matches!(&o.holds, Holds::Changes(c) if c.iter().any(icon)))
}

/// The card has the icon.
pub fn has_icon(d: &mut Duel, card: Ref, icon: &str) -> bool {
    d.glance(card).words(const { at(super::schema::ICON) }).iter().any(|w| *w == icon)
}

/// The name of a seat.
pub fn who(seat: Seat) -> &'static str {
    schema().seats[seat.index()]
}

/// The event a player's act would be, for texts that forbid it.
pub fn would(name: Word, card: Option<Ref>, seat: Seat) -> Event {
    card.map_or_else(|| Event::signal(name), |card| Event::about(name, card)).seat(seat)
}

/// Effects whose rules are not here yet: better no answer than a wrong one.
pub fn known(d: &mut Duel) -> Flow {
    let view = d.look();
    let foreign = |change: &Change| match change {
        Change::Immune(immune) => immune.to.iter().any(|w| *w == "対象"),
        change => matches!(change, Change::Enter(_) | Change::Read(..)),
    };
    // Reading C17: what a level of another race means.
    let level = |a: &std::sync::Arc<Ability>| {
        a.keyword.as_ref().is_some_and(|k| k.name == "レベル" && !k.words.iter().any(|w| *w == "ドラゴン"))
    };
    let has = |printed: &[crate::kernel::CardId], odd: &dyn Fn(&std::sync::Arc<Ability>) -> bool| {
        view.among(printed).iter().any(|id| view.cards[id.0 as usize].abilities.iter().any(odd))
    };
    if has(d.given.holders.keyword(Word("レベル")), &level) && d.reading(zx!("C17", Reading), "b") == "b" {
        return d.undecided("[ドラゴン]以外の形で書かれたレベル能力の内容を定める条がない", &["zx:1111.3", "zx:C17"]);
    }
    match view.rules.iter().any(|rule| foreign(&rule.change)) {
        true => d.unwritten(
            "登場のしかたを変える継続効果（「スリープで登場する」は instead に state で書けます）",
            &["zx:811"],
        ),
        false => Ok(()),
    }
}

/// 205.4a: the player name has the part in it. With `?` before it reading C8 b: the part has the player name in it.
pub fn player_named(eyes: &crate::kernel::Eyes, card: Ref, part: &str) -> bool {
    let at = at("プレイヤー名");
    eyes.memory.reads(crate::kernel::eyes::read::datum(at));
    let Some(info) = eyes.info(card) else { return false };
    match part.strip_prefix('?') {
        Some(longer) => {
            eyes.view.without & 1 != 0 && info.seen.words(at).iter().any(|own| longer.contains(own.as_str()))
        }
        None => info.seen.words(at).iter().any(|own| own.contains(part)),
    }
}

/// 1123.3, reading C10: the card is called as the keyword says, or as the clause does.
pub fn sublimed(eyes: &crate::kernel::Eyes, card: Ref, name: &str) -> bool {
    eyes.memory.reads(crate::kernel::eyes::read::NAME);
    let name = if eyes.view.without & 2 != 0 { "エレメンツ" } else { name };
    eyes.info(card).is_some_and(|info| info.seen.names.iter().any(|own| own.contains(name)))
}

/// 1107.2, 1107.2a: 絶界 is valid on squares only.
fn secluded(d: &mut Duel, card: Ref) -> bool {
    if is_square(d.t.obj(card.id).zone) {
        return !super::acts::valid(d, card, "絶界").is_empty();
    }
    !d.applies(zx!("1107.2a", Limit), |d| format!("{}はスクエアにないので選べる", d.card_name(card)))
}

/// 102.2: a text lets the player play the card from where it lies.
pub fn plays_from(d: &mut Duel, who: Seat, card: Ref) -> bool {
    let obj = d.t.obj(card.id);
    let (lies, face_up, owner) = (obj.zone, obj.face_up, obj.owner);
    let told = |change: &Change| matches!(change, Change::PlayFrom(place) if inside(lies, face_up, *place, who));
    owner == who && d.look().rules.iter().any(|r| r.on == Some(card.id) && r.seat == who && told(&r.change))
}

/// 203.3, 816.3: cards that are not spoken of although they nearly are, and why.
pub fn left_out(d: &mut Duel, frame: &Frame, target: &Target) -> Vec<(Thing, &'static Cite)> {
    let mut found = endless(d, frame, target);
    found.extend(not_only(d, frame, target));
    found
}

/// 816.3: cards that have the value, and others of its kind.
fn not_only(d: &mut Duel, frame: &Frame, target: &Target) -> Vec<(Thing, &'static Cite)> {
    let Some(filter) = target.of.cards() else { return Vec::new() };
    let mut wide = filter.clone();
    let mut asked: Vec<(Word, Vec<Word>)> = Vec::new();
    for (name, test) in &mut wide.data {
        if let Test::Range(range) = test
            && !range.only.is_empty()
        {
            asked.push((*name, std::mem::take(&mut range.only)));
        }
    }
    if asked.is_empty() {
        return Vec::new();
    }
    let mut found = d.see(|eyes| eyes.select(&frame.ctx(), &wide));
    found.retain(|card| {
        let seen = d.seen(*card);
        let has = |name: &Word, value: &Word| schema().data(name).is_some_and(|(at, _)| seen.words(at).contains(value));
        asked.iter().all(|(name, only)| only.iter().all(|value| has(name, value)))
    });
    found.into_iter().map(|card| (Thing::Card(card), zx!("816.3", Frame))).collect()
}

/// 203.3: cards that would do, but that their cost of ∞ cannot be asked for.
fn endless(d: &mut Duel, frame: &Frame, target: &Target) -> Vec<(Thing, &'static Cite)> {
    let cite = zx!("203.3", Limit);
    let Some(filter) = target.of.cards() else { return Vec::new() };
    let mut bare = filter.clone();
    if bare.data.remove(&Word(COST)).is_none() || !d.on(cite) {
        return Vec::new();
    }
    let found = d.see(|eyes| eyes.select(&frame.ctx(), &bare));
    found.into_iter().filter(|c| super::pay::endless(d, *c)).map(|c| (Thing::Card(c), cite)).collect()
}

/// 1023.1: that the card is chosen.
fn choosing(by: Seat, card: Ref, frame: &Frame) -> Event {
    Event::about(Word("選ぶ"), card).by(frame.cause).seat(by)
}

/// 1023.1, 1023.2: cards are chosen only where the text says the word. Told only where some text answers to it.
pub fn chosen(d: &mut Duel, by: Seat, cards: &[Ref], frame: &Frame, said: bool) -> Flow {
    let speaks = |part: Part| matches!(part, Part::Pattern(p) if p.event == "選ぶ");
    if !d.given.defs.iter().any(|def| def.card.abilities.has_part(speaks)) {
        return Ok(());
    }
    if !said && d.applies(zx!("1023.2", Meaning), |_| "「選ぶ」という指示によらないので、選んだことにならない".into())
    {
        return Ok(());
    }
    d.happen(cards.iter().map(|card| choosing(by, *card, frame)).collect())
}

/// 1107.2, 202.15e: who cannot be chosen by an effect. 804.4d: what is paid for one part of a cost pays for no other.
pub fn choosable(d: &mut Duel, filter: &Filter, card: Ref, frame: &Frame, said: bool) -> Result<(), &'static Cite> {
    let pays = frame.cause.means == Means::Cost;
    let mut slots = frame.slots.0.iter().filter(|(_, all)| all.contains(&Thing::Card(card)));
    let twice = pays && slots.clone().any(|(slot, _)| *slot != "moved");
    // Reading C37: what has been paid already, and has become a new card.
    let again = pays && slots.any(|(slot, _)| *slot == "moved") && d.reading(zx!("C37", Reading), "a") == "a";
    let cite = zx!("804.4d", Limit);
    if (twice || again) && d.on(cite) {
        return Err(cite);
    }
    // 1107.2 is about what effects choose: a cost is no effect (802.1).
    let said = said && frame.cause.means != Means::Cost;
    if said && d.seen(card).has("絶界") && secluded(d, card) {
        let cite = zx!("1107.2", Limit);
        if d.on(cite) {
            return Err(cite);
        }
    }
    let cite = zx!("102.6", Limit);
    if said && d.on(cite) && d.forbidden(&choosing(frame.seat, card, frame)) {
        return Err(cite);
    }
    // 202.7f: the player card that is a part of an overboost pays for nothing.
    let part = d.t.obj(card.id).host.is_some_and(|(how, _)| how == super::composite::BOOST);
    let cite = zx!("202.7f", Limit);
    if frame.cause.means == Means::Cost && part && super::composite::boost(d, frame.seat).is_some() && d.on(cite) {
        return Err(cite);
    }
    let link = super::places::is_kind(d, card, "リンク") && !filter.is.iter().any(|k| *k == "リンク");
    let cite = zx!("202.15e", Limit);
    if link && d.on(cite) { Err(cite) } else { Ok(()) }
}
