//! 2.3, 3.3.15, 4.1.14–4.1.17: where an effect works, how fast it is, and what the words of texts mean.

use super::kinds;
use super::places::{inside, is_field, is_monster_zone, zone};
use super::schema::{ATTACK, ATTACKED, DEFENCE, DOOMED, EQUIP, MATERIALS, PROPER, SUMMONED_AT, SUMMONING, schema};
use crate::card::{Ability, Change, Filter, Kind, Part, Parts, Pattern, Step, Target, Word};
use crate::kernel::eyes::{Ctx, Eyes, Memory};
use crate::kernel::steps::Frame;
use crate::kernel::{Cause, Cite, Duel, Event, Means, Pending, Ref, Seen, Side, Table, Thing, What, ZoneId};
use std::sync::Arc;

pub use super::kinds::is;

/// 2.2.0.3, 2.3.1.1, 1.2.1.7: an effect works while its card lies face up on the field, unless the text says where. One
/// that is about where its own card goes works there too: it is the card itself that tells when (2.3.3.1).
pub fn works(seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> bool {
    if !ability.from.is_empty() {
        let there = |place: &Word| inside(zone, *place) && kinds::lies_in(seen, *place);
        return ability.from.iter().any(there) && (!is_field(zone) || face_up);
    }
    if is_field(zone) { face_up } else { ability.when.iter().any(|p| arrives(p, zone)) }
}

/// The clause by which an effect does not work where its card lies.
pub fn idle(seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> &'static Cite {
    if is_monster_zone(zone) && !face_up {
        return ygo!("1.2.1.7", Limit);
    }
    match ability.kind {
        Kind::Static if ability.from.is_empty() && is(seen, "モンスター") => ygo!("2.3.1.1", Meaning),
        Kind::Static if ability.from.is_empty() => ygo!("4.1.3.2", Meaning),
        // Where else it works is what the card says.
        _ => ygo!("2.3.0.1", Frame),
    }
}

/// What the text waits for is that its own card comes there.
fn arrives(pattern: &Pattern, zone: ZoneId) -> bool {
    let own = pattern.card.as_ref().is_some_and(|f| f.reference.is_some_and(|word| word == "this"));
    let to = match pattern.event.as_str() {
        "墓地へ送る" => inside(zone, Word("墓地")),
        "置く" => pattern.to.iter().any(|place| inside(zone, *place)),
        "引く" => inside(zone, Word("手札")),
        _ => false,
    };
    own && to
}

/// The card that left the field has seen its own going as it lay there (2.3.3.1); where it came to, it does not see it
/// once more. It does if it lay there as another kind of card, or (reading C65) had lost its text.
pub fn seen_before(d: &mut Duel, pending: &Pending) -> bool {
    let event = &pending.event;
    let own = event.is_move() && event.after == Some(pending.source) && event.side == Some(Side::Before);
    if !own || !pending.ability.from.is_empty() {
        return false;
    }
    let Some(was) = event.card.and_then(|card| d.t.past(card)) else { return true };
    if was.seen.abilities.iter().any(|a| a.id == pending.ability.id) {
        return true;
    }
    is(&was.seen, "モンスター") && d.reading(ygo!("C65", Reading), "a") == "b"
}

/// A card that leaves the field is read as it was there.
pub fn side(event: &Event) -> Side {
    match event.from.zip(event.to) {
        Some((from, to)) if is_field(from) && !is_field(to) => Side::Before,
        _ => Side::After,
    }
}

/// 3.3.15.1: a card face down among monsters is a monster, one among spells and traps is either; no more is known.
pub fn face_down(zone: ZoneId) -> Option<&'static [&'static str]> {
    if is_monster_zone(zone) {
        Some(&["モンスター"])
    } else if is_field(zone) {
        Some(&["魔法", "罠"])
    } else {
        None
    }
}

/// 3.3.15.2: a text that needs more than that does not apply to it. Knocked out, the front counts.
pub fn blind(d: &mut Duel) -> bool {
    let cite = ygo!("3.3.15.2", Limit);
    if d.t.cards.iter().any(|card| !card.face_up && is_field(card.zone)) {
        d.trace.reach(cite);
        d.trace.reach(ygo!("3.3.15.1", Frame));
    }
    d.on(cite)
}

/// 4.1.17.1: whatever puts a card into the graveyard sends it there. Knocked out, only plain sending is called so.
pub fn sending(d: &mut Duel, event: &mut Event) {
    let What::Move { to, .. } = event.what else { return };
    // Sent elsewhere by a text, it is not sent there.
    if schema().spec(to).name != "墓地" && event.name == "墓地へ送る" {
        event.name = Word("置く");
    }
    if schema().spec(to).name != "墓地" || event.name != "置く" {
        return;
    }
    let cite = ygo!("4.1.17.1", Meaning);
    let how = event.how;
    match how.as_str() {
        "破壊" | "戦闘破壊" => d.trace.reach(ygo!("4.1.14.1", Frame)),
        "リリース" => d.trace.reach(ygo!("4.1.1.3", Frame)),
        _ => {}
    }
    if how.is_empty() || d.applies(cite, |_| format!("「{how}」も「墓地へ送る」に当たる")) {
        event.name = Word("墓地へ送る");
    }
}

/// 3.3.15.2, 3.3.15.3, 4.1.1.4: cards that a text does not meet because they lie face down, or as spells.
pub fn left_out(d: &mut Duel, frame: &Frame, target: &Target, next: Option<&Step>) -> Vec<(Thing, &'static Cite)> {
    let Some(filter) = target.of.cards() else { return Vec::new() };
    let mut found = Vec::new();
    let down: Vec<Ref> =
        d.t.ids().filter(|id| !d.t.obj(*id).face_up && is_field(d.t.obj(*id).zone)).map(|id| d.t.now(id)).collect();
    if !down.is_empty() && d.on(ygo!("3.3.15.2", Limit)) {
        // As if the fronts counted; that a monster lies face up is what equipping asks for.
        let mut view = (*d.look()).clone();
        view.blind = false;
        let bare = Filter { state: None, ..filter.clone() };
        let asked = if equips(d, frame, target.slot) { &bare } else { filter };
        let memory = Memory::default();
        let eyes = Eyes { t: &d.t, view: &view, book: d.book, memory: &memory };
        let ctx = frame.ctx();
        let met = down.into_iter().filter(|card| eyes.matches(&ctx, asked, *card));
        found.extend(met.map(|card| (Thing::Card(card), why_hidden(d, card, filter))));
    }
    if matches!(next, Some(Step::Move { how: Some(how), .. }) if *how == "リリース") && d.on(ygo!("4.1.1.4", Limit))
    {
        let spells = super::summon::among_spells(d, frame.seat);
        found.extend(spells.into_iter().map(|card| (Thing::Card(card), ygo!("4.1.1.4", Limit))));
    }
    found
}

/// The clause by which the text does not meet the card that lies face down.
fn why_hidden(d: &Duel, card: Ref, filter: &Filter) -> &'static Cite {
    if filter.is.iter().any(|w| *w == "エクシーズモンスター") && kinds::printed(d, card, "エクシーズモンスター")
    {
        ygo!("3.3.15.3", Limit)
    } else if by_kind(filter) && !is_monster_zone(d.t.obj(card.id).zone) {
        ygo!("C60", Reading)
    } else {
        ygo!("3.3.15.2", Limit)
    }
}

/// Reading C60: all that the text asks of a card is that it is a spell, or that it is a trap.
fn by_kind(filter: &Filter) -> bool {
    let names = |kind: &str| filter.is.iter().any(|w| *w == kind);
    let more = !filter.name.is_empty() || !filter.name_part.is_empty() || !filter.data.is_empty();
    names("魔法") != names("罠") && !more
}

/// Reading C60: it comes to it where a spell or trap lies face down.
pub fn kinds_known(d: &mut Duel, abilities: &[Arc<Ability>]) {
    let down = |card: &crate::kernel::Obj| !card.face_up && super::places::is_spell_zone(card.zone);
    if !d.t.cards.iter().any(down) {
        return;
    }
    let met = |step: &Step| match step {
        Step::Choose(target) => target.of.cards().is_some_and(by_kind),
        Step::Move { all: Some(filter), .. } => by_kind(filter),
        _ => false,
    };
    let aims = |a: &Arc<Ability>| a.target.iter().any(|t| t.of.cards().is_some_and(by_kind)) || a.steps.iter().any(met);
    if abilities.iter().any(aims) {
        d.reading(ygo!("C60", Reading), "a");
    }
}

/// Reading C12: a text speaks of cards on the field whatever they are, and there are materials.
pub fn materials_known(d: &mut Duel, abilities: &[Arc<Ability>]) {
    if !d.t.cards.iter().any(|card| card.host.is_some_and(|(how, _)| how == MATERIALS)) {
        return;
    }
    let anything = |part: Part| match part {
        Part::Filter(f) => {
            let there = f.within.is_empty() || f.within.iter().any(|place| *place == "フィールド");
            let cards = f.is.is_empty() && f.reference.is_none() && f.state.is_none() && f.under.is_empty();
            there && cards && f.role.is_none()
        }
        _ => false,
    };
    if abilities.iter().any(|a| a.steps.has_part(anything) || a.target.has_part(anything)) {
        d.reading(ygo!("C12", Reading), "a");
    }
}

/// The text equips what it aims at.
fn equips(d: &mut Duel, frame: &Frame, slot: Word) -> bool {
    let worn =
        |step: &Step| matches!(step, Step::Act { name, what: Some(what), .. } if *name == EQUIP && *what == slot);
    frame.this.is_some_and(|card| d.seen(card).abilities.iter().any(|a| a.steps.iter().any(worn)))
}

/// 2.5.9.2: a monster whose destruction is certain is no target.
pub fn targetable(d: &mut Duel, card: Ref, source: Option<Ref>) -> Result<(), &'static Cite> {
    let cite = ygo!("2.5.9.2", Limit);
    let doomed = d.t.obj(card.id).facts[DOOMED] > 0;
    if doomed && d.applies(cite, |d| format!("{}は破壊が確定しているので対象にできない", d.card_name(card)))
    {
        return Err(cite);
    }
    // Whose effect it is that aims may be what the text speaks of.
    let mut aimed = Event::about(Word("対象"), card);
    if let Some(source) = source {
        let seat = if is_field(d.t.obj(source.id).zone) { d.seen(source).controller } else { d.t.obj(source.id).owner };
        aimed.seat = Some(seat);
        aimed.cause = Cause { means: Means::Effect, card: Some(source), seat: Some(seat) };
    }
    if d.forbidden(&aimed) {
        return Err(ygo!("3.3.8.1", Limit));
    }
    if source.is_some_and(|s| immune(d, card, "対象", s)) && d.on(ygo!("3.3.8.1", Limit)) {
        return Err(ygo!("3.3.8.1", Limit));
    }
    Ok(())
}

/// A text makes the card proof against what the source does.
pub fn immune(d: &mut Duel, card: Ref, from: &str, source: Ref) -> bool {
    let view = d.look();
    if !view.rules.iter().any(|rule| matches!(rule.change, Change::Immune(_)) && rule.on == Some(card.id)) {
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

/// 3.3.8.1: an effect does nothing to a card that a text makes proof against it. 4.1.2.2: a cost and a battle are no
/// effects; knocked out, they would be.
pub fn unaffected(d: &mut Duel, event: &Event) -> Option<&'static Cite> {
    // To be aimed at is nothing that an effect does to the card.
    if event.name == "対象" {
        return None;
    }
    let (card, source) = event.card.zip(event.cause.card)?;
    if event.cause.means == Means::Rule || !d.t.is_now(card) || !immune(d, card, "効果", source) {
        return None;
    }
    let cite = ygo!("3.3.8.1", Limit);
    if event.cause.means == Means::Effect {
        return d.on(cite).then_some(cite);
    }
    let kept = d.applies(ygo!("4.1.2.2", Meaning), |_| "コストや戦闘による破壊は「カードの効果」ではない".into());
    (!kept).then_some(cite)
}

/// What the text does first with what it aims at: an act, or something is equipped to it. For what comes later the card
/// may lie otherwise.
pub fn done_with(slot: Word, steps: &[Step]) -> Option<&Step> {
    let first = steps.iter().find(|step| match step {
        Step::Act { what, .. } | Step::Turn { what, .. } => *what == Some(slot),
        Step::Move { what, to, .. } => *what == Some(slot) || *to == slot,
        _ => false,
    });
    first.filter(|step| match step {
        Step::Move { to, attach: Some(how), .. } => *to == slot && *how == EQUIP,
        step => matches!(step, Step::Act { .. }),
    })
}

/// 3.3.15.2, 3.3.16.4: what cannot be done with the card is no reason to aim at it.
pub fn will_do(d: &mut Duel, card: Ref, slot: Word, steps: &[Step]) -> Result<(), &'static Cite> {
    match done_with(slot, steps) {
        Some(Step::Move { .. }) => may_wear(d, card),
        Some(step) => fit_for(d, card, step),
        None => Ok(()),
    }
}

/// 3.3.15.2, 3.3.16.4: the step can be done with the card.
pub fn fit_for(d: &mut Duel, card: Ref, step: &Step) -> Result<(), &'static Cite> {
    match step {
        Step::Act { name, .. } if *name == EQUIP => may_wear(d, card),
        Step::Act { name, .. } if revives(*name) => {
            let cite = ygo!("3.3.16.4", Limit);
            if d.on(cite) && !may_be_revived(d, card) {
                return Err(cite);
            }
            if super::summon::is_never_so(d, card, *name) { Err(ygo!("C69", Reading)) } else { Ok(()) }
        }
        Step::Move { to, attach: None, how, .. } if how.is_none_or(|how| how != "リリース") => {
            pays_by_going(d, card, *to)
        }
        _ => Ok(()),
    }
}

/// Reading C70: a card that by the rules does not go there pays no cost by going there.
pub fn pays_by_going(d: &mut Duel, card: Ref, to: Word) -> Result<(), &'static Cite> {
    let returns = (to == "手札" || to == "デッキ") && kinds::of_extra_deck(d, card);
    let vanishes = kinds::printed(d, card, "トークン") && !inside_field(to);
    if (returns || vanishes) && d.reading(ygo!("C70", Reading), "a") != "b" {
        return Err(ygo!("C70", Reading));
    }
    Ok(())
}

/// The word is for a place on the field.
fn inside_field(place: Word) -> bool {
    schema().board().any(|zone| inside(zone, place))
}

/// 3.3.15.2: nothing is equipped to a monster that lies face down.
pub fn may_wear(d: &mut Duel, host: Ref) -> Result<(), &'static Cite> {
    let cite = ygo!("3.3.15.2", Limit);
    let obj = d.t.obj(host.id);
    let down = d.t.is_now(host) && !obj.face_up && is_monster_zone(obj.zone);
    if down && d.on(cite) { Err(cite) } else { Ok(()) }
}

/// 3.3.16.4, 3.3.8.1: the act brings monsters out, and not whatever is laid down for them.
pub fn revives(act: Word) -> bool {
    act.ends_with("特殊召喚") && act != super::summon::FREELY
}

/// 3.3.16.4: a monster that comes out only in its own way can be special summoned by an effect if it has come out so
/// before, and not from the hand or the deck.
pub fn may_be_revived(d: &mut Duel, card: Ref) -> bool {
    let zone = d.t.obj(card.id).zone;
    if is_field(zone) || inside(zone, Word("エクストラデッキ")) || !kinds::only_specially(d, card) {
        return true;
    }
    let hidden = inside(zone, Word("手札")) || inside(zone, Word("デッキ"));
    !hidden && d.t.obj(card.id).facts[PROPER] > 0
}

/// 2.7.5–2.7.7: the spell speed of a card's activation. Field spells: reading C3.
pub fn card_speed(d: &mut Duel, seen: &Seen) -> u8 {
    if is(seen, "カウンター罠") {
        d.trace.reach(ygo!("2.7.7.1", Frame));
        3
    } else if is(seen, "罠") || is(seen, "速攻魔法") {
        d.trace.reach(ygo!("2.7.6.1", Frame));
        2
    } else {
        if is(seen, "フィールド魔法") || is(seen, "ペンデュラムカード") {
            d.reading(ygo!("C3", Reading), "a");
        }
        d.trace.reach(ygo!("2.7.5.1", Frame));
        1
    }
}

/// 2.3.2–2.3.4, 2.7.5–2.7.6: the speed of an effect of a card that is already in play, or elsewhere.
pub fn effect_speed(d: &mut Duel, seen: &Seen, ability: &Ability) -> u8 {
    if ability.kind == Kind::Effect {
        return card_speed(d, seen);
    }
    let slow = |t: Word| ["起動", "時", "場合"].contains(&t.as_str());
    let quick = ability.kind == Kind::Activated && ability.timing.is_some_and(|t| !slow(t));
    if quick && d.applies(ygo!("2.3.4.1", Meaning), |_| "誘発即時効果はスペルスピード2".into()) {
        return 2;
    }
    // A trap's effects are as fast as the trap; a monster's and a spell's are slow.
    if is(seen, "罠") { card_speed(d, seen) } else { 1 }
}

/// 2.5.7.1, 3.3.25.2: the effect raises or lowers attack or defence.
pub fn changes_strength(ability: &Ability) -> bool {
    let strength = |name: &Word| *name == ATTACK || *name == DEFENCE;
    let change =
        |c: &Change| matches!(c, Change::Add(name, _) | Change::Set(name, _) | Change::Base(name, _) if strength(name));
    fn any(steps: &[Step], change: &impl Fn(&Change) -> bool) -> bool {
        steps.iter().any(|step| match step {
            Step::Grant { changes, .. } => changes.iter().any(change),
            Step::May { steps, then, otherwise, .. } => [steps, then, otherwise].iter().any(|s| any(s, change)),
            Step::If { then, otherwise, .. } => any(then, change) || any(otherwise, change),
            Step::ForEach { steps, .. } | Step::Repeat { steps, .. } => any(steps, change),
            _ => false,
        })
    }
    any(&ability.steps, &change) || ability.modes.iter().any(|m| any(&m.steps, &change))
}

/// Roles in a battle, and 3.3.20: whether what is on the chain is the activation of a card or of an effect.
pub fn role(t: &Table, card: Ref, role: Word) -> bool {
    use crate::kernel::ItemKind;
    let item = || t.context().pile.iter().rev().find(|i| i.card == Some(card));
    match role.as_str() {
        "カードの発動" => item().is_some_and(|i| i.kind == ItemKind::Spell),
        "このターンに攻撃したモンスター" => t.is_now(card) && t.obj(card.id).facts[ATTACKED] > 0,
        "召喚するモンスター" => t.is_now(card) && t.obj(card.id).facts[SUMMONING] > 0,
        "召喚されたモンスター" => {
            let open = t.contexts.iter().any(|c| c.step == "召喚時");
            open && super::chain::summoned(t, t.facts[SUMMONED_AT] as u32).any(|summoned| summoned == card)
        }
        "効果の発動" => item().is_some_and(|i| i.kind == ItemKind::Ability),
        name => t.contexts.iter().flat_map(|c| &c.fights).flat_map(|f| &f.members).any(|(r, roles)| {
            *r == card && t.is_now(*r) && (name == "戦闘を行うモンスター" || roles.iter().any(|w| *w == name))
        }),
    }
}

/// 4.1.21.1: a target that was chosen when the card was activated lies on the field of the other player.
fn aims_across(eyes: &Eyes, card: Ref) -> bool {
    let Some(item) = eyes.t.context().pile.iter().rev().find(|i| i.card == Some(card)) else { return false };
    let effects = eyes.view.cards[card.id.0 as usize].abilities.iter().filter(|a| a.kind == Kind::Effect);
    let abilities: Vec<&Arc<Ability>> = item.ability.as_ref().map_or_else(|| effects.collect(), |a| vec![a]);
    let targets = abilities.iter().flat_map(|a| a.target.iter().chain(a.modes.iter().flat_map(|m| &m.target)));
    let across = |r: &Ref| {
        let whose = eyes.view.cards[r.id.0 as usize].controller;
        eyes.t.is_now(*r) && is_field(eyes.t.obj(r.id).zone) && whose != item.seat
    };
    targets.into_iter().any(|t| item.slots.cards(&t.slot).iter().any(across))
}

/// 2.4.7, 4.1.30: roles that link markers make.
pub fn role_by(eyes: &Eyes, card: Ref, role: Word) -> bool {
    use super::markers;
    let cards = &eyes.view.cards;
    match role.as_str() {
        "相手のカードを対象にした発動" => aims_across(eyes, card),
        _ if !eyes.t.is_now(card) => self::role(eyes.t, card, role),
        "リンク状態" => markers::linked(eyes.t, cards, card.id, eyes.view.without),
        "相互リンク状態" => markers::mutually(eyes.t, cards, card.id, eyes.view.without),
        "エクストラリンク状態" => markers::extra_linked(eyes.t, cards, card.id, eyes.view.without),
        _ => self::role(eyes.t, card, role),
    }
}

/// The owner's graveyard (4.1.31.3).
pub fn graveyard(d: &Duel, card: Ref) -> ZoneId {
    zone("墓地", d.t.obj(card.id).owner)
}
