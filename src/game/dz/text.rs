//! 2.10, 2.25, 2.27, 5.17: where a text works, what is hidden, what may be a target.

use super::places::{inside, is_square};
use super::schema::{RESISTED, at, schema};
use crate::card::{Ability, Change, Filter, Word};
use crate::kernel::steps::Frame;
use crate::kernel::{Cite, Ctx, Duel, Event, Ref, Seat, Seen, Side, Sight, Slots, Thing, ZoneId};

/// 2.10.3, 2.20.1-7, 2.20.2-5, 5.7.1: whether the ability works in the zone.
pub fn works(seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> bool {
    let lies = |place: &Word| inside(zone, face_up, *place, Seat(0)) || inside(zone, face_up, *place, Seat(1));
    if !ability.from.is_empty() {
        return ability.from.iter().any(lies);
    }
    // 2.10.3-2…4: what lets a card be played, or changes its price, works where it can be played from.
    if ability.affects.is_none() && !ability.grant.is_empty() && ability.grant.iter().all(about_playing) {
        let allowed = |c: &Change| if let Change::PlayFrom(place) = c { lies(place) } else { false };
        return lies(&Word("手札"))
            || lies(&Word("プランゾーン"))
            || lies(&Word("スタック"))
            || ability.grant.iter().any(allowed);
    }
    let class = at::CLASS;
    // 2.10.3-1: what a strategy makes of its own effects works as it resolves.
    if ability.instead.is_some() && zone == super::places::stack() {
        return seen.words(class).iter().any(|c| *c == "ストラテジー");
    }
    let lasting = || seen.words(class).iter().any(|c| *c == "ユニット" || *c == "ベース");
    is_square(zone) && face_up && lasting()
}

/// The clause by which a text does not work elsewhere.
pub fn elsewhere(seen: &Seen, ability: &Ability) -> &'static Cite {
    let class = at::CLASS;
    let is = |word: &str| seen.words(class).iter().any(|c| *c == word);
    if ability.clauses.contains(&"5.7.1") {
        dz!("5.7.1-2", Limit)
    } else if !ability.from.is_empty() {
        dz!("2.10.3", Limit)
    } else if is("ユニット") {
        dz!("2.20.1-7", Limit)
    } else if is("ベース") {
        dz!("2.20.2-5", Limit)
    } else {
        dz!("2.10.3-1", Limit)
    }
}

/// Keywords about playing the card itself.
const PLAYING: [&str; 3] = ["隊列召喚", "覚醒", "補給"];

fn about_playing(change: &Change) -> bool {
    match change {
        Change::PlayFrom(_) => true,
        Change::Forbid(pattern) => pattern.event == "プレイ" && pattern.card.is_none() && pattern.who.is_none(),
        Change::Gain(ability) => ability.keyword.as_ref().is_some_and(|k| PLAYING.contains(&k.name.as_str())),
        Change::Cost(name, ..) | Change::Price(name, _) | Change::Read(name, _) => *name == super::schema::COST,
        _ => false,
    }
}

/// 4.8.10-2, 4.8.11-2: leaving a square is read before, and between open and hidden the open side is read.
pub fn side(event: &Event) -> Side {
    let Some((from, to)) = event.from.zip(event.to) else { return Side::After };
    let open =
        |zone: ZoneId, up: bool| schema().spec(zone).sight == Sight::All || up && schema().spec(zone).name == "山札";
    let up = matches!(event.what, crate::kernel::What::Move { face_up: true, .. });
    if is_square(from) && !is_square(to) || open(from, event.from_face_up) && !open(to, up) {
        Side::Before
    } else {
        Side::After
    }
}

/// 2.25.3: who looks for something particular among hidden cards may say that it was not found; reading C26: also who
/// chooses for an effect of the other player.
pub fn may_fail_to_find(
    d: &mut Duel,
    frame: &Frame,
    by: Seat,
    filter: &Filter,
    found: &[Ref],
) -> Option<(&'static Cite, usize)> {
    let shown = is_shown(d, by, found);
    let open = found.iter().filter(|r| !is_hidden(d, **r) || shown && is_in_their_hand(d, by, **r)).count();
    let cite = dz!("2.25.3", Meaning);
    let may = filter.is_particular() && open < found.len() && d.on(cite) && !is_bound(d, frame, by);
    may.then_some((cite, open))
}

/// By which clause what fits must be chosen although it lies hidden.
pub fn must_find(d: &mut Duel, frame: &Frame, by: Seat, filter: &Filter, found: &[Ref]) -> Option<&'static Cite> {
    if !filter.is_particular() || !found.iter().any(|r| is_hidden(d, *r)) {
        return None;
    }
    let shown = is_shown(d, by, found).then_some(dz!("2.25.4", Limit));
    shown.or_else(|| is_bound(d, frame, by).then_some(dz!("2.25.3", Meaning)))
}

/// 2.25.4: the hand of the opponent is open to all while it is looked through.
fn is_shown(d: &mut Duel, by: Seat, found: &[Ref]) -> bool {
    found.iter().any(|r| is_hidden(d, *r) && is_in_their_hand(d, by, *r))
        && d.applies(dz!("2.25.4", Limit), |_| "手札が公開情報になるので、見つからなかったことにはできない".into())
}

/// Reading C26: it is not the effect's controller who chooses.
fn is_bound(d: &mut Duel, frame: &Frame, by: Seat) -> bool {
    frame.cause.seat.unwrap_or(frame.seat) != by && d.reading(dz!("C26", Reading), "a") == "a"
}

fn is_hidden(d: &Duel, card: Ref) -> bool {
    let obj = d.t.obj(card.id);
    let spec = schema().spec(obj.zone);
    spec.sight != Sight::All && !obj.revealed && !(spec.name == "山札" && obj.face_up)
}

fn is_in_their_hand(d: &Duel, by: Seat, card: Ref) -> bool {
    let obj = d.t.obj(card.id);
    obj.owner != by && schema().spec(obj.zone).name == "手札"
}

/// 5.17.2: a card with 耐性 is not a target of what fits its condition. 2.27: the source is read now.
pub fn targetable(d: &mut Duel, card: Ref, source: Option<Ref>) -> Result<(), &'static Cite> {
    // Without any rule that an effect lays on a card there is nothing to forbid it.
    if d.look().rules.is_empty() {
        return Ok(());
    }
    let cite = dz!("5.17.2", Meaning);
    let forbidden = Event {
        cause: crate::kernel::Cause { card: source, ..Default::default() },
        ..Event::about(Word("対象"), card)
    };
    // Reading C2: 耐性 is looked at now, or only as it resolves.
    if source.is_some_and(|s| immune(d, card, "対象", s)) && d.on(cite) && d.reading(dz!("C2", Reading), "a") != "c" {
        d.trace.reach(cite);
        d.trace.reach(dz!("2.27", Frame));
        return Err(cite);
    }
    if d.forbidden(&forbidden) {
        return Err(dz!("1.1.2", Limit));
    }
    Ok(())
}

/// The card has 耐性 against the damage of something.
pub fn resists(d: &mut Duel, card: Ref) -> bool {
    let damage = |c: &Change| matches!(c, Change::Immune(immune) if immune.to.iter().any(|w| *w == "ダメージ"));
    d.look().rules.iter().any(|rule| rule.on == Some(card.id) && damage(&rule.change))
}

const RESISTING: [Word; 2] = [Word("耐性で受けない"), Word("耐性で受ける")];

/// 2.27: which cards with 耐性 the source would not damage, and which it would, as it goes on the stack.
/// `taker`: of no other card.
pub fn note_resistance(d: &mut Duel, source: Ref, taker: Option<Ref>, slots: &mut Slots) {
    let damage = |c: &Change| matches!(c, Change::Immune(immune) if immune.to.iter().any(|w| *w == "ダメージ"));
    let view = d.look();
    let mut cards: Vec<Ref> =
        view.rules.iter().filter(|r| damage(&r.change)).filter_map(|r| r.on).map(|id| d.t.now(id)).collect();
    cards.sort_unstable();
    cards.dedup();
    cards.retain(|card| taker.is_none_or(|taker| *card == taker));
    for card in cards {
        let slot = RESISTING[usize::from(!immune(d, card, "ダメージ", source))];
        let mut noted = slots.get(&slot).unwrap_or_default().to_vec();
        noted.push(Thing::Card(card));
        slots.set(slot, noted);
    }
}

/// What was noted is known while that is resolved, and forgotten afterwards.
pub fn recall_resistance(d: &mut Duel, slots: &Slots, resolving: bool) {
    for (at, slot) in RESISTING.iter().enumerate() {
        for card in slots.cards(slot) {
            if d.t.is_now(card) {
                *d.aside().card(card.id, RESISTED) = if resolving { at as i32 + 1 } else { 0 };
            }
        }
    }
}

/// 5.17.3: the source is read as the damage is dealt; reading C2: as it went on the stack.
pub fn takes_none(d: &mut Duel, card: Ref, source: Ref) -> bool {
    let (now, noted) = (immune(d, card, "ダメージ", source), d.t.obj(card.id).facts[RESISTED]);
    let then = noted == 1;
    if noted > 0 && now != then && d.reading(dz!("C2", Reading), "a") == "b" { then } else { now }
}

/// The card is protected from what the source does.
pub fn immune(d: &mut Duel, card: Ref, from: &str, source: Ref) -> bool {
    let view = d.look();
    if view.rules.is_empty() {
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
