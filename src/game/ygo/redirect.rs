//! 3.3.2, 3.3.13, 3.3.23, 4.1.23: cards that go elsewhere than they were sent, and what else an event is.

use super::kinds::lies_as;
use super::kinds::{of_extra_deck, printed};
use super::places::{free_spell_zones, is_field, is_monster_zone, which, zone};
use super::schema::{ACTIVATING, EQUIP, MATERIALS, SUMMONING, schema};
use crate::card::Word;
use crate::kernel::schema::LIMBO;
use crate::kernel::{Cite, Duel, Event, Flow, Means, What, ZoneId};

/// The rules change what is about to happen.
pub fn adjust(d: &mut Duel, event: &mut Event) -> Flow {
    elsewhere(d, event)?;
    reverses(d, event);
    super::text::sending(d, event);
    Ok(())
}

/// Where a card goes that cannot go where it was sent.
fn elsewhere(d: &mut Duel, event: &mut Event) -> Flow {
    let (What::Move { to, .. }, Some(card)) = (event.what.clone(), event.card) else { return Ok(()) };
    let stays = matches!(event.what, What::Move { host: None, .. }) && event.name == "置く";
    if stays && event.from.is_some_and(is_monster_zone) && is_monster_zone(to) {
        return d.unwritten("モンスターの場所を移すこと（コントロールを移すなら grant の control）", &["ygo:4.1.31.2"]);
    }
    beside(d, event)?;
    let name = schema().spec(to).name;
    let from_field = event.from.is_some_and(is_field);
    // Reading C70: what pays no cost by going there does not go elsewhere for it either.
    if name != LIMBO && pays_nothing(d, event).is_some() {
        return Ok(());
    }
    if printed(d, card, "トークン") && name != LIMBO {
        return token(d, event, to);
    }
    if name == "墓地" && printed(d, card, "ペンデュラムモンスター") {
        if !from_field && d.applies(ygo!("3.3.23.6", Check), |_| "フィールドからではないので墓地へ行く".into())
        {
            return Ok(());
        }
        // Reading C56: whether a card whose activation was negated lay on the field.
        if undone(d, card) && d.reading(ygo!("C56", Reading), "a") == "a" {
            return Ok(());
        }
        if event.how == "リリース" && d.reading(ygo!("C8", Reading), "a") == "c" {
            return Ok(());
        }
        // 3.3.8.1: a text that has it go elsewhere than to the graveyard comes before the rule.
        let sent = Event { name: Word("墓地へ送る"), how: Word(""), ..event.clone() };
        if d.would_replace(&sent)
            && d.applies(ygo!("3.3.8.1", Order), |_| "墓地へ送られることを置き換える効果がルールより優先する".into())
        {
            return Ok(());
        }
        if d.applies(ygo!("3.3.23.3", Meaning), |d| {
            format!("{}は墓地でなくエクストラデッキに加わる", d.card_name(card))
        }) {
            let broken = matches!(event.how.as_str(), "破壊" | "戦闘破壊");
            if broken && !d.applies(ygo!("2.4.14.1", Check), |_| "破壊されても墓地へは行かない".into()) {
                return Ok(());
            }
            // 3.3.23.2: however many there are. Knocked out, there is no room beyond fifteen.
            let full = d.t.zone(zone("エクストラデッキ", d.t.obj(card.id).owner)).len() >= 15;
            if full && !d.applies(ygo!("3.3.23.2", Limit), |_| "16枚以上になってもよい".into()) {
                return Ok(());
            }
            let up = d.applies(ygo!("3.3.23.4"), |_| "エクストラデッキには表向きで置く".into());
            if event.how == "破壊" && d.reading(ygo!("C7", Reading), "a") == "b" {
                event.how = Word("");
            }
            to_extra_deck(d, event, up);
        }
        return Ok(());
    }
    owner_gets(d, event, to);
    let returns = name == "手札" || name == "デッキ";
    if returns
        && of_extra_deck(d, card)
        && d.applies(ygo!("3.3.13.1", Meaning), |d| format!("{}はエクストラデッキへ戻る", d.card_name(card)))
    {
        to_extra_deck(d, event, false);
    }
    Ok(())
}

/// Reading C70: a cost that is to be paid by a card that by the rules does not go there.
fn pays_nothing(d: &mut Duel, event: &Event) -> Option<&'static Cite> {
    let (What::Move { to, host: None, .. }, Some(card)) = (&event.what, event.card) else { return None };
    if event.cause.means != Means::Cost || event.how == "リリース" {
        return None;
    }
    super::text::pays_by_going(d, card, Word(schema().spec(*to).name)).err()
}

/// The card was being activated, and the activation is negated.
fn undone(d: &Duel, card: crate::kernel::Ref) -> bool {
    let obj = d.t.obj(card.id);
    let stands = |item: &crate::kernel::Item| item.card == Some(card) && !item.negated;
    let activating = obj.state == ACTIVATING && super::places::is_spell_zone(obj.zone);
    activating && !d.t.contexts.iter().flat_map(|c| &c.pile).any(stands)
}

/// 4.1.31.3: a card that another controls goes back to its owner. Knocked out, to who controls it.
fn owner_gets(d: &mut Duel, event: &mut Event, to: ZoneId) {
    let (Some(card), true) = (event.card, event.from.is_some_and(is_field)) else { return };
    let spec = schema().spec(to);
    let (owner, holder) = (d.t.obj(card.id).owner, d.seen(card).controller);
    if owner == holder || spec.owner != Some(owner) || spec.board {
        return;
    }
    if d.applies(ygo!("4.1.31.3", Check), |d| format!("{}は持ち主のところへ戻る", d.card_name(card))) {
        return;
    }
    let there = zone(spec.name, holder);
    if let What::Move { to, .. } = &mut event.what {
        *to = there;
    }
    event.to = Some(there);
}

/// 3.3.12.1, 4.1.9.1: a card that is laid with a monster lies among the materials, or among spells and traps.
fn beside(d: &mut Duel, event: &mut Event) -> Flow {
    let (What::Move { to, host: Some((how, host)), .. }, Some(card)) = (event.what.clone(), event.card) else {
        return Ok(());
    };
    let place = match how.as_str() {
        MATERIALS if schema().spec(to).name != MATERIALS => zone(MATERIALS, d.t.obj(card.id).owner),
        EQUIP if is_monster_zone(to) => {
            let who = event.seat.unwrap_or(d.t.obj(host).controller);
            let free = free_spell_zones(d, who);
            match which(d, who, free, card)? {
                Some(zone) => zone,
                None => {
                    return d.undecided("装備するカードを置く魔法&罠ゾーンがない場合の定めがない", &["ygo:4.1.9.1"]);
                }
            }
        }
        _ => return Ok(()),
    };
    let controller = event.seat;
    event.what = What::Move { to: place, bottom: false, state: 0, face_up: true, controller, host: Some((how, host)) };
    event.to = Some(place);
    event.name = if how == EQUIP { Word("装備") } else { Word("重ねる") };
    Ok(())
}

/// 3.3.2: a token comes out by being special summoned, and is gone when it leaves the field.
fn token(d: &mut Duel, event: &mut Event, to: ZoneId) -> Flow {
    if event.from.is_some_and(|z| schema().spec(z).name == LIMBO) {
        (event.name, event.how) = (Word("特殊召喚"), Word(""));
        return Ok(());
    }
    if is_field(to) {
        return Ok(());
    }
    let broken = matches!(event.how.as_str(), "破壊" | "戦闘破壊");
    let cite = if broken { ygo!("3.3.2.1", Meaning) } else { ygo!("4.1.24.2", Meaning) };
    if d.applies(cite, |d| format!("{}は消滅する", d.card_name(event.card.expect("a token")))) {
        let out = schema().zone(LIMBO, None).expect("a zone of the schema");
        if broken && d.reading(ygo!("C7", Reading), "a") == "b" {
            event.how = Word("");
        }
        event.what = What::Move { to: out, bottom: false, state: 0, face_up: true, controller: None, host: None };
        (event.to, event.name) = (Some(out), Word("消滅"));
    }
    Ok(())
}

fn to_extra_deck(d: &Duel, event: &mut Event, face_up: bool) {
    let Some(card) = event.card else { return };
    let to = zone("エクストラデッキ", d.t.obj(card.id).owner);
    event.what = What::Move { to, bottom: false, state: 0, face_up, controller: None, host: None };
    event.to = Some(to);
}

/// 4.1.23.1: what a flip summon and an attack do to a monster that lies face down. Knocked out, it is only turned up.
pub fn reversal(d: &mut Duel) -> Word {
    let cite = ygo!("4.1.23.1", Meaning);
    d.trace.reach(cite);
    if d.on(cite) { Word("リバース") } else { Word("表") }
}

/// 4.1.23.1: a monster that lay face down and is turned up, whatever turns it.
fn reverses(d: &mut Duel, event: &mut Event) {
    let Some(card) = event.card else { return };
    let obj = d.t.obj(card.id);
    let turned = event.what == What::Face { up: true } && !obj.face_up && is_monster_zone(obj.zone);
    let known = event.name == "リバース" || event.also.iter().any(|w| *w == "リバース");
    if turned && !known && d.applies(ygo!("4.1.23.1", Meaning), |d| format!("{}はリバースした", d.card_name(card)))
    {
        event.also.push(Word("リバース"));
    }
}

/// What goes with events: 3.3.12.2 materials, and the position that belongs to being turned over.
pub fn accompany(d: &mut Duel, events: &mut Vec<Event>) {
    let mut more = Vec::new();
    for event in events.iter() {
        let Some(card) = event.card else { continue };
        let obj = d.t.obj(card.id);
        // A monster that is being summoned has its materials already.
        if !is_monster_zone(obj.zone) && obj.facts[SUMMONING] == 0 {
            continue;
        }
        let (up, turned) = (obj.face_up, obj.turned());
        let with = |what, name| Event { what, cause: event.cause, seat: event.seat, ..Event::about(Word(name), card) };
        let along = |other: &What| events.iter().any(|e| e.card == Some(card) && e.what == *other);
        match event.what {
            What::Move { to, .. } if !is_field(to) => more.extend(super::procedure::accompany(d, card)),
            What::Face { up: false } if obj_has_materials(d, card) && !along(&What::Turn { state: 1 }) && !turned => {
                more.extend(super::procedure::left_behind(d, card));
                more.push(with(What::Turn { state: 1 }, "守備表示"));
            }
            What::Face { up: false } if obj_has_materials(d, card) => {
                more.extend(super::procedure::left_behind(d, card));
            }
            What::Face { up: false } if !turned && !along(&What::Turn { state: 1 }) => {
                more.push(with(What::Turn { state: 1 }, "守備表示"));
            }
            What::Turn { state: 0 } if !up && !along(&What::Face { up: true }) => {
                more.push(with(What::Face { up: true }, "表"));
            }
            _ => {}
        }
    }
    events.extend(more);
}

fn obj_has_materials(d: &Duel, card: crate::kernel::Ref) -> bool {
    d.t.ids().any(|id| d.t.obj(id).host == Some((Word(MATERIALS), card.id)))
}

/// The player has special summoned before in this turn.
fn again(d: &Duel, event: &Event) -> bool {
    d.t.happened.iter().any(|e| e.name == "特殊召喚" && e.seat == event.seat)
}

/// 2.4.9.3, 3.3.2.4, 4.1.1.4: what cannot be done to some cards.
pub fn forbids(d: &mut Duel, event: &Event) -> Option<&'static Cite> {
    let card = event.card?;
    if !d.t.is_now(card) {
        return None;
    }
    if let Some(cite) = super::text::unaffected(d, event) {
        return Some(cite);
    }
    if let Some(cite) = pays_nothing(d, event) {
        return Some(cite);
    }
    // 1.3.4.3: as often as one can. Knocked out, once a turn.
    if event.name == "特殊召喚" && again(d, event) {
        let cite = ygo!("1.3.4.3", Limit);
        d.trace.reach(cite);
        if !d.on(cite) {
            return Some(cite);
        }
    }
    if let What::Move { host: Some((how, host)), .. } = event.what
        && how == EQUIP
        && let Err(cite) = super::text::may_wear(d, d.t.now(host))
    {
        return Some(cite);
    }
    let zone = d.t.obj(card.id).zone;
    let turns = matches!(event.what, What::Turn { state: 1 } | What::Face { up: false });
    let cite = if turns && is_monster_zone(zone) && lies_as(d, card, "リンクモンスター") {
        ygo!("2.4.9.3", Limit)
    } else if event.what == (What::Face { up: false }) && printed(d, card, "トークン") {
        ygo!("3.3.2.4", Limit)
    } else if event.how == "リリース" && event.is_move() && !lies_as(d, card, "モンスター") && is_field(zone) {
        ygo!("4.1.1.4", Limit)
    } else if event.how == "リリース"
        && is_field(zone)
        && (printed(d, card, "ペンデュラムモンスター") || printed(d, card, "トークン"))
        && d.reading(ygo!("C8", Reading), "a") == "b"
    {
        return Some(ygo!("C8", Reading));
    } else {
        return None;
    };
    d.on(cite).then_some(cite)
}
