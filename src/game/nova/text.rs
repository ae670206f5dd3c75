//! 801.4.4, 801.5, 803 where abilities work and what is read; 005.8, 928, 1008 what can be a target.

use std::sync::Arc;

use super::places::{has_kind, inside, is_field, named};
use super::schema::{BOUND, KIND, OPEN, OPENED, SHOWN, SHUFFLED, schema};
use super::{evolve, places, say};
use crate::card::{Ability, Amount, Change, Datum, Filter, Kind, Part, Parts, Pattern, Step, Target, Value, Word};
use crate::kernel::steps::Frame;
use crate::kernel::table::Holds;
use crate::kernel::view::Standing;
use crate::kernel::{
    Cause, Cite, Ctx, Duel, Event, Eyes, Flow, Means, Ongoing, Ref, Seat, Seen, Side, Sight, Slots, Table, Thing, What,
    ZoneId,
};

/// The ability speaks of this card coming from somewhere else than the field: that says where it works (803.1.3).
fn comes_from(ability: &Ability, zone: ZoneId, face_up: bool) -> bool {
    let itself = |p: &&Pattern| p.card.as_ref().is_some_and(|f| f.reference.is_some_and(|word| word == "this"));
    ability.when.iter().filter(itself).any(|p| {
        let elsewhere = p.event == "捨てる" || p.how.is_some_and(|how| how == "捨てる") || !p.from.is_empty();
        let there = |places: &[Word]| places.iter().any(|place| inside(zone, face_up, *place));
        // Of two open zones it is looked at where it has gone.
        elsewhere && !p.from.iter().any(|place| *place == "場") && (p.to.is_empty() || there(&p.to) || there(&p.from))
    })
}

/// 803.1.1–803.1.3, 801.5.4, 310.7, 310.9: on the field, or where the text says; face down, what is always on is off.
pub fn works(seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> bool {
    if named(zone, "エナジーゾーン") && !face_up && ability.kind == Kind::Static {
        return false;
    }
    if !ability.from.is_empty() {
        return ability.from.iter().any(|place| inside(zone, face_up, *place));
    }
    // 801.5.3: what says what the card is says so everywhere.
    if defines(ability) {
        return true;
    }
    // What changes the price or level of the card itself matters where it is played from.
    let own = |c: &Change| matches!(c, Change::Cost(..) | Change::Price(..) | Change::Enter(_) | Change::PlayFrom(_));
    if ability.affects.is_none() && !ability.grant.is_empty() && ability.grant.iter().all(own) {
        return true;
    }
    is_field(zone) && ["サーバント", "マジックアイテム", "キャラクター"].iter().any(|k| has_kind(seen, k))
        || ability.kind == Kind::Triggered && comes_from(ability, zone, face_up)
}

/// 801.5.3: an ability that says what is not printed on the card, and nothing else.
pub fn defines(ability: &Ability) -> bool {
    let _ = nova!("801.5.3", Meaning);
    let defines = |c: &Change| matches!(c, Change::Become(..) | Change::Set(..) | Change::Base(..));
    let always = ability.kind == Kind::Static && ability.affects.is_none() && ability.cond.is_none();
    always && ability.from.is_empty() && !ability.grant.is_empty() && ability.grant.iter().all(defines)
}

/// The clause that keeps the ability from working elsewhere.
pub fn elsewhere(ability: &Ability) -> &'static Cite {
    if ability.from.is_empty() { nova!("803.1.1", Limit) } else { nova!("803.1.3", Limit) }
}

/// 801.4.4.1–801.4.4.3: of an open and a hidden side the open one, leaving the field the field, else where it went.
pub fn side(event: &Event) -> Side {
    let (Some((from, to)), What::Move { face_up, .. }) = (event.from.zip(event.to), &event.what) else {
        return Side::After;
    };
    let open = |zone: ZoneId, up: bool| schema().spec(zone).sight == Sight::All && up;
    let before = match (open(from, event.from_face_up), open(to, *face_up)) {
        (true, false) => true,
        (false, true) => false,
        _ => is_field(from) && !is_field(to),
    };
    if before { Side::Before } else { Side::After }
}

/// 804.4.1.4, 909.2: who looks for something particular among hidden cards need not choose it.
pub fn may_fail_to_find(d: &mut Duel, by: Seat, filter: &Filter, found: &[Ref]) -> Option<(&'static Cite, usize)> {
    let open = found.iter().filter(|r| !is_hidden(d, **r, by)).count();
    if !filter.is_particular() || open == found.len() {
        return None;
    }
    let own = found.iter().all(|r| d.t.obj(r.id).owner == by);
    let cite = if own { nova!("804.4.1.4", Limit) } else { nova!("909.2", Limit) };
    d.on(cite).then_some((cite, open))
}

/// Not all players see the card while that one chooses: who chooses looks at what there is, its owner at the own hand.
fn is_hidden(d: &Duel, card: Ref, by: Seat) -> bool {
    let obj = d.t.obj(card.id);
    let seen = match schema().spec(obj.zone).sight {
        Sight::All => true,
        Sight::Owner => obj.owner != by,
        Sight::Nobody => false,
    };
    !seen && !obj.revealed && !obj.face_up
}

/// 804.4.1.5: what names no zone is chosen from both fields.
pub fn choosable(d: &mut Duel, filter: &Filter, card: Ref, frame: &Frame) -> Result<(), &'static Cite> {
    let obj = d.t.obj(card.id);
    if named(obj.zone, "エナジーゾーン") && !obj.face_up && obj.owner != frame.seat {
        d.trace.reach(nova!("310.8.1", Frame));
    }
    d.trace.reach(nova!("909.1", Frame));
    let open = filter.within.is_empty() && filter.of.is_none() && filter.reference.is_none();
    let theirs = d.t.is_now(card) && is_field(d.t.obj(card.id).zone) && d.t.obj(card.id).controller != frame.seat;
    if open && theirs && !say(d, [nova!("804.4.1.5", Limit)]) {
        return Err(nova!("804.4.1.5", Limit));
    }
    Ok(())
}

/// 804.4.1.5: what the text would fit if it named the zone.
pub fn left_out(d: &mut Duel, frame: &Frame, target: &Target) -> Vec<(Thing, &'static Cite)> {
    let Some(filter) = target.of.cards().filter(|f| f.within.is_empty() && f.reference.is_none()) else {
        return Vec::new();
    };
    let elsewhere: Vec<Ref> = d.t.ids().filter(|id| !is_field(d.t.obj(*id).zone)).map(|id| d.t.now(id)).collect();
    let ctx = frame.ctx();
    let fits: Vec<Ref> =
        d.see(|eyes| elsewhere.into_iter().filter(|card| eyes.fits_anywhere(&ctx, filter, *card)).collect());
    fits.into_iter().map(|card| (Thing::Card(card), nova!("804.4.1.5", Limit) as &'static Cite)).collect()
}

/// The card has the keyword and its abilities are valid (803.1.5, 928.2).
pub fn has(seen: &Seen, keyword: &str) -> bool {
    seen.has(keyword) && !seen.muted
}

/// 910.1: what effects keep shown is shown, wherever it lies; 920.2, 920.2.1: not while its pile is being shuffled, nor
/// before what is moved out of it right after that has gone.
pub fn keep_open(d: &mut Duel, events: &[Event]) {
    if events.iter().any(|e| e.name != "シャッフル") {
        *d.aside().fact(SHUFFLED) = 0;
    }
    let view = d.look();
    let keeps = |r: &Standing| matches!(&r.change, Change::Under(w) if *w == OPEN);
    if d.t.facts[OPENED] == 0 && !view.rules.iter().any(keeps) {
        return;
    }
    let shuffled = d.t.facts[SHUFFLED];
    let mut count = 0;
    for id in d.t.ids().collect::<Vec<_>>() {
        let (obj, kept) = (d.t.obj(id), view.rules.iter().any(|r| r.on == Some(id) && keeps(r)));
        let hidden = named(obj.zone, "デッキ") && shuffled & 1 << obj.owner.index() != 0;
        let (open, shown, seen) = (kept && !hidden, obj.facts[SHOWN] > 0, obj.revealed);
        count += i32::from(open);
        if open != shown || open && !seen {
            *d.aside().card(id, SHOWN) = i32::from(open);
            d.aside().reveal(id, open);
        }
    }
    *d.aside().fact(OPENED) = count;
}

/// 920.2.1: what was resolved is over, and so is its shuffling.
pub fn opens_again(d: &mut Duel) {
    *d.aside().fact(SHUFFLED) = 0;
    keep_open(d, &[]);
}

/// 928: an effect keeps the card bound.
pub fn bound(d: &mut Duel, card: Ref) -> bool {
    let view = d.look();
    view.rules.iter().any(|r| r.on == Some(card.id) && matches!(&r.change, Change::Under(w) if *w == BOUND))
}

/// 928: a mark that says so is an effect from now on, which takes the card's abilities out of force.
pub fn bind(d: &mut Duel, card: Ref) {
    if d.t.obj(card.id).marked(Word(BOUND)) == 0 {
        return;
    }
    d.unmark(card.id, BOUND);
    let seat = d.t.obj(card.id).controller;
    d.begin_effect(Ongoing::on(card, seat, vec![Change::Under(Word(BOUND))]));
}

/// 928: the same of the cards of a position as it was written down.
pub fn bind_given(t: &mut Table) {
    for id in t.ids() {
        let card = t.now(id);
        if t.obj(id).marked(Word(BOUND)) == 0 {
            continue;
        }
        t.obj_mut(id).marks.change(|marks| marks.retain(|(name, _)| *name != BOUND));
        let stamp = t.tick();
        let seat = t.obj(id).controller;
        t.ongoing.push(Ongoing { stamp, ..Ongoing::on(card, seat, vec![Change::Under(Word(BOUND))]) });
    }
}

/// The slot that says for counters of which name an effect stands.
pub const COUNTERS: Word = Word("カウンターの修正");

/// 919.1.1, 919.2: counters of one name do the same, whatever put them there: what some text says of that name holds for
/// the card as long as they lie on it.
pub fn weigh(d: &mut Duel, card: Ref) -> Flow {
    let names: Vec<Word> = d.t.obj(card.id).marks.iter().map(|(name, _)| *name).collect();
    for name in names {
        let ours =
            |o: &Ongoing| o.slots.word(&COUNTERS) == Some(name) && o.locked.as_ref().is_some_and(|l| l[..] == [card]);
        if d.t.ongoing.iter().any(ours) {
            continue;
        }
        let mut said: Vec<Vec<Change>> = Vec::new();
        for def in &d.given.defs {
            def.card.abilities.each_part(&mut |part| match part {
                Part::Step(Step::Mark { name: of, each, .. }) if *of == name && !each.is_empty() => {
                    said.push(each.clone())
                }
                _ => {}
            });
        }
        said.dedup();
        if said.len() > 1 {
            return d.unwritten(format!("修正の異なる同じ名称の「{name}」"), &["nova:919.1.1", "nova:919.2"]);
        }
        let Some(each) = said.into_iter().next() else { continue };
        let times = |n: &Value| {
            let many = Value::made(Amount::Marks(Word("this"), name));
            Value::made(Amount::Product(vec![n.clone(), many]))
        };
        let changes = each.iter().filter_map(|c| match c {
            Change::Add(datum, n) => Some(Change::Add(*datum, times(n))),
            _ => None,
        });
        let seat = d.t.obj(card.id).controller;
        let mut effect = Ongoing { source: Some(card), ..Ongoing::on(card, seat, changes.collect()) };
        effect.slots.set(COUNTERS, vec![Thing::Word(name)]);
        d.trace.reach(nova!("919.2", Frame));
        d.begin_effect(effect);
    }
    Ok(())
}

/// 005.8.1, 928.1, 1008.3, reading C34: an effect of another card, on all that fits or on one that it names, does not
/// meet a card on the field that cannot be a target.
pub fn leaves_out(seen: &Seen, filter: &Filter) -> bool {
    let field = filter.within.is_empty() || filter.within.iter().any(|place| *place == "場");
    field && filter.reference.is_none_or(|word| word != "this") && (seen.muted || seen.has("剥奪"))
}

/// Reading C43: whether an effect that met a card goes on when the card can be a target no more is open.
pub fn held(d: &mut Duel) -> Flow {
    let view = d.look();
    let met = |effect: &Ongoing| match (&effect.holds, &effect.locked, effect.source) {
        (Holds::Changes(changes), Some(cards), Some(source))
            if changes.iter().any(|c| !matches!(c, Change::Under(_))) =>
        {
            let apart = |card: &&Ref| {
                let field = d.t.is_now(**card) && is_field(d.t.obj(card.id).zone);
                field && **card != source && leaves_out(&view.cards[card.id.0 as usize], &Filter::default())
            };
            cards.iter().find(apart).copied()
        }
        _ => None,
    };
    let Some(card) = d.t.ongoing.iter().find_map(met) else { return Ok(()) };
    // Reading C34: what is not chosen is no target then.
    if d.settings_reading("C34") == "b" {
        return Ok(());
    }
    match d.reading(nova!("C43", Reading), "a") {
        "b" | "c" => Ok(()),
        _ => d.undecided(
            format!("対象にならなくなった{}に、その前からの効果が及び続けるかどうか", d.card_name(card)),
            &["nova:005.8.1", "nova:928.1"],
        ),
    }
}

/// Reading C9: a card that was sent elsewhere triggers what waits for the zone it was to go to.
pub fn counts_as_gone(d: &mut Duel) -> bool {
    d.reading(nova!("C9", Reading), "a") == "c"
}

/// Reading C34: whether an effect that chooses nothing meets a card that cannot be a target is open. Whether it does.
pub fn met(d: &mut Duel, card: Ref, event: &Event) -> Flow<bool> {
    reaches(d, card, event.cause)
}

/// Those of the cards that an act of an effect meets.
pub fn within_reach(d: &mut Duel, cards: Vec<Ref>, cause: Cause) -> Flow<Vec<Ref>> {
    let mut found = Vec::new();
    for card in cards {
        if reaches(d, card, cause)? {
            found.push(card);
        }
    }
    Ok(found)
}

fn reaches(d: &mut Duel, card: Ref, cause: Cause) -> Flow<bool> {
    let ours = cause.means == Means::Effect && cause.card.is_some_and(|c| c.id != card.id);
    if !ours || !d.t.is_now(card) || !is_field(d.t.obj(card.id).zone) {
        return Ok(true);
    }
    let apart = bound(d, card) && d.on(nova!("928.1", Limit))
        || has(&d.seen(card), "剥奪") && d.on(nova!("1008.3", Limit))
        || cause.card.is_some_and(|source| immune(d, card, "対象", source)) && d.on(nova!("004.2", Limit));
    if !apart {
        return Ok(true);
    }
    match d.reading(nova!("C34", Reading), "c") {
        "b" => Ok(true),
        "c" => Ok(false),
        _ => d.undecided(
            format!("対象にならない{}に、何も選ばない効果が及ぶかどうか", d.card_name(card)),
            &["nova:005.8.1", "nova:928.1", "nova:1008.3"],
        ),
    }
}

/// 005.8.1, 916.5, 928.1, 1008.3, 1010.2.1: what cannot be chosen by spells and abilities.
pub fn targetable(d: &mut Duel, card: Ref, source: Option<Ref>) -> Result<(), &'static Cite> {
    if !d.t.is_now(card) || !is_field(d.t.obj(card.id).zone) {
        return Ok(());
    }
    let refuse = |d: &mut Duel, cite: &'static Cite| {
        d.trace.reach(cite);
        if d.on(cite) { Err(cite) } else { Ok(()) }
    };
    if bound(d, card) {
        refuse(d, nova!("928.1", Limit))?;
    }
    if has(&d.seen(card), "剥奪") {
        refuse(d, nova!("1008.3", Limit))?;
    }
    if evolve::is_chosen(d, card) {
        refuse(d, nova!("1010.2.1", Limit))?;
    }
    if source.is_some_and(|source| immune(d, card, "対象", source)) {
        refuse(d, nova!("004.2", Limit))?;
    }
    Ok(())
}

/// 916.5, 929.2: what cannot be chosen because of what is to be done with it.
pub fn fit_for(d: &mut Duel, card: Ref, step: &Step) -> Result<(), &'static Cite> {
    let refuse = |d: &mut Duel, cite: &'static Cite| {
        d.trace.reach(cite);
        if d.on(cite) { Err(cite) } else { Ok(()) }
    };
    if !d.t.is_now(card) {
        return Ok(());
    }
    // 910.2: what is shown already is not shown again.
    if matches!(step, Step::Reveal { .. }) && d.t.obj(card.id).revealed {
        return refuse(d, nova!("910.2", Limit));
    }
    match step {
        // 109.4, 109.4.1, 301.9: gone from the field, a character is no longer of the level that effects gave it.
        Step::Act { name, .. } if *name == "退場させる" => {
            let full = super::moves::retired_too_many(d, card);
            return if full { refuse(d, nova!("109.4.1", Limit)) } else { Ok(()) };
        }
        Step::Move { to, attach: None, .. }
            if *to != "場" && *to != "キャラデッキ" && super::moves::retired_too_many(d, card) =>
        {
            return refuse(d, nova!("109.4.1", Limit));
        }
        // 202.4: the name is on one's own field already.
        Step::Move { to, .. } if *to == "場" => {
            let owner = d.t.obj(card.id).owner;
            if !places::from_character_deck(d, card) || is_field(d.t.obj(card.id).zone) {
                return Ok(());
            }
            if super::moves::same_name_on_field(d, owner, card) {
                refuse(d, nova!("202.4", Limit))?;
            }
            let full = super::moves::one_too_many(d, card);
            return if full { refuse(d, nova!("109.4.1", Limit)) } else { Ok(()) };
        }
        // 109.3, 109.4.1: a character that one takes counts among those one has used.
        Step::Act { name, .. } if name.ends_with("コントロールを得る") && places::from_character_deck(d, card) =>
        {
            let to = d.t.obj(card.id).controller.other();
            let full = super::moves::taken_too_many(d, card, to);
            return if full { refuse(d, nova!("109.4.1", Limit)) } else { Ok(()) };
        }
        // 804.2.3.1, 804.2.3.2: what a cost cannot do with the card.
        Step::Turn { state, .. } => {
            let Some(state) = schema().state(state) else { return Ok(()) };
            let so = d.t.obj(card.id).state == state;
            return if so { refuse(d, nova!("804.2.3.1", Limit)) } else { Ok(()) };
        }
        Step::Move { to, how, attach: None, .. } => {
            let owner = d.t.obj(card.id).owner;
            let Some(zone) = d.book.home(*to, owner) else { return Ok(()) };
            let mut event = d.moving(card, zone).by(Cause { means: Means::Cost, card: None, seat: Some(owner) });
            event.how = how.unwrap_or_default();
            if event.how == "捨てる" {
                event.also.push(Word("捨てる"));
            }
            if d.forbidden(&event) {
                return refuse(d, nova!("804.2.3.2", Limit));
            }
            // 802.1.3.6, reading C10: sent back to where it is.
            let here = d.t.obj(card.id).zone;
            let stays = here != zone && d.would_go(&event) == Some(here);
            let barred = stays && d.reading(nova!("C10", Reading), "a") == "a";
            return if barred { refuse(d, nova!("802.1.3.6", Limit)) } else { Ok(()) };
        }
        _ => {}
    }
    if !is_field(d.t.obj(card.id).zone) {
        return Ok(());
    }
    match step {
        Step::Damage { .. } if places::destroyed(d, card) => refuse(d, nova!("916.5", Limit)),
        Step::Grant { changes, .. } if changes.iter().any(super::moves::serves) => {
            let native = matches!(d.card(card).data.get(&Word(KIND)),
                Some(Datum::Words(words)) if words.iter().any(|w| *w == "サーバント"));
            let also = !native && has_kind(&d.seen(card), "サーバント");
            if also { refuse(d, nova!("929.2", Limit)) } else { Ok(()) }
        }
        _ => Ok(()),
    }
}

/// 005.5.3: a player's number as texts read it. What itself reads such a number is not added: it would go round.
pub fn fact_of(eyes: &Eyes, seat: Seat, name: Word, fact: i32) -> i32 {
    let mut sum = fact;
    for rule in eyes.view.rules.iter().filter(|r| r.seat == seat) {
        let Change::Player(which, value) = &rule.change else { continue };
        let reads = value.has_part(reads_a_fact);
        if *which == name && !reads {
            let ctx = Ctx { this: rule.source, seat, slots: &rule.slots, event: None };
            sum += eyes.value(&ctx, value).unwrap_or(0);
        }
    }
    sum
}

/// A number of a player's.
pub fn reads_a_fact(part: Part) -> bool {
    matches!(part, Part::Value(Value::Made(amount)) if matches!(**amount, Amount::Fact(..)))
}

/// 402.3.1, 902.8: what other cards want to be paid as well, besides energy and in energy.
pub fn tolls(d: &mut Duel, card: Ref, kind: &str) -> Vec<(Ref, Arc<Ability>)> {
    let view = d.look();
    let wants = |c: &Change| matches!(c, Change::Under(w) if *w == kind);
    let rules = view.rules.iter().filter(|r| r.on == Some(card.id) && wants(&r.change));
    let mut sources: Vec<Ref> = rules.filter_map(|r| r.source).collect();
    sources.dedup();
    let mut found = Vec::new();
    for source in sources {
        let abilities = d.seen(source).abilities.clone();
        for ability in abilities.iter().filter(|a| a.kind == Kind::Static && a.grant.iter().any(wants)) {
            let slots = Slots::default();
            let ctx = Ctx { this: Some(source), seat: d.seen(source).controller, slots: &slots, event: None };
            let meant = d.see(|eyes| ability.affects.as_ref().map_or(source == card, |f| eyes.matches(&ctx, f, card)));
            if meant {
                found.push((source, ability.clone()));
            }
        }
    }
    found
}

/// A text keeps the card from what the source does.
pub fn immune(d: &mut Duel, card: Ref, from: &str, source: Ref) -> bool {
    let view = d.look();
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

/// 005.5.3, 308.5: what effects add to a player's number.
pub fn number_of(d: &mut Duel, seat: Seat, name: &str) -> i32 {
    let view = d.look();
    let mut sum = 0;
    for rule in view.rules.iter().filter(|r| r.seat == seat) {
        if let Change::Player(which, value) = &rule.change
            && *which == name
        {
            let ctx = Ctx { this: rule.source, seat, slots: &rule.slots, event: None };
            sum += d.number(&ctx, value);
        }
    }
    sum
}

/// The event a player's act would be, for texts that forbid it.
pub fn would(name: Word, card: Option<Ref>, seat: Seat) -> Event {
    card.map_or_else(|| Event::signal(name), |card| Event::about(name, card)).seat(seat)
}
