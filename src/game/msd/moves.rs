//! 604, 700: what a player with priority may do, and by which clause not.

use super::activate::{self, Way};
use super::schema::{ARRIVED, RECOVERED, RESTED, schema};
use super::zones::{Own, all_entities, entities, in_play, is, is_kind, zone};
use super::{acts, battle, call, loops, odo, priority, setup, text};
use crate::card::{Ability, Change, Kind, LimitBy, Word};
use crate::kernel::limit::TURN;
use crate::kernel::verb::{Allowed, Limit, Verb, card, each, no};
use crate::kernel::{Cause, Duel, Flow, Move, Ref, Seat, Seen, Slots, Use, User};
use crate::limit;

pub static VERBS: &[Verb] = &[
    Verb::new("発動", from_hand, &[WITH_A_CARD, PRIORITY, &[Limit::clauses(activate_card)], NO_LOOP], carry_out),
    Verb::new("起動", activatable, &[WITH_A_CARD, PRIORITY, &[Limit::clauses(activate_ability)], NO_LOOP], carry_out),
    Verb::new("スイッチ", switchable, &[WITH_A_CARD, PRIORITY, SWITCH, NO_LOOP], switch),
    // These are offered and carried out where their step asks for them.
    Verb::new("攻撃", nothing, &[WITH_A_CARD, &[Limit::clauses(battle::legal)]], elsewhere_done),
    Verb::new("コール", nothing, &[WITH_A_CARD, &[Limit::clauses(call::legal)]], elsewhere_done),
    Verb::new("デッキ", nothing, &[&[Limit::clauses(deck)]], elsewhere_done),
];

static WITH_A_CARD: &[Limit] =
    &[Limit::card(msd!("604.1", Frame), "カードを指定していない", |_, _, m| m.card.is_some())];

static PRIORITY: &[Limit] =
    &[Limit::card(msd!("601.1", Limit), "優先権を持っていない", |d, who, _| d.t.priority == Some(who))];

/// 1301.1a: until something else is done a loop that was gone round is not gone on with.
static NO_LOOP: &[Limit] = &[Limit::clauses(|d, who, m| match loops::goes_on(d, who, m) {
    true => no(loops::barred_by(d), "ほかの行動をするまで、同じループは行えない"),
    false => Ok(()),
})];

/// 705.
static SWITCH: &[Limit] = &[
    Limit::card(msd!("705.1", Limit), "メインタイミングではない", |d, who, _| {
        priority::main_timing(d, who)
    }),
    Limit::card(msd!("705.2", Limit), "自分が支配している怪異ではない", |d, who, m| {
        let obj = d.t.obj(card(m).id);
        let own = is(obj.zone, Own::Monsters) && obj.controller == who && !d.is_beneath(card(m).id);
        own && is_kind(&d.seen(card(m)), "怪異")
    }),
    Limit::card(msd!("705.2", Limit), "このターンの初めから戦場にいた怪異ではない", |d, _, m| {
        d.t.obj(card(m).id).facts[ARRIVED] != i32::from(d.t.turn)
    }),
    Limit::card(msd!("705.3", Limit), "このターンはもうスイッチした", |d, _, m| {
        d.uses(&switched(card(m))) == 0
    }),
    Limit::card(msd!("705.2", Limit), "レスト状態の怪異はスイッチできない", |d, _, m| {
        d.t.obj(card(m).id).state != RESTED
    }),
];

/// The deck as it was prepared, with what is wrong with it.
fn deck(d: &mut Duel, who: Seat, _: &Move) -> Allowed {
    setup::wrong(d, who).into_iter().next().map_or(Ok(()), |(cite, why)| no(cite, why))
}

fn nothing(_: &mut Duel, _: Seat) -> Vec<Move> {
    Vec::new()
}

fn elsewhere_done(_: &mut Duel, _: Seat, _: &Move) -> Flow<bool> {
    Ok(false)
}

fn from_hand(d: &mut Duel, who: Seat) -> Vec<Move> {
    let hand: Vec<Ref> = d.t.zone(zone(Own::Hand, who)).iter().map(|id| d.t.now(*id)).collect();
    each("発動", [hand, elsewhere(d, who)].concat())
}

fn switchable(d: &mut Duel, who: Seat) -> Vec<Move> {
    if priority::main_timing(d, who) { each("スイッチ", entities(d, who, "怪異")) } else { Vec::new() }
}

/// Cards that a text lets be activated from elsewhere than the hand.
fn elsewhere(d: &mut Duel, who: Seat) -> Vec<Ref> {
    let view = d.look();
    let allowed = view.rules.iter().filter_map(|rule| match (&rule.change, rule.on) {
        (Change::PlayFrom(place), Some(card)) if schema().spec(d.t.obj(card).zone).name == place.as_str() => Some(card),
        _ => None,
    });
    allowed.filter(|id| d.t.obj(*id).owner == who).map(|id| d.t.now(id)).collect()
}

/// Activated abilities of cards that the player controls, or that work where the player's card lies.
fn activatable(d: &mut Duel, who: Seat) -> Vec<Move> {
    let mut found = Vec::new();
    let mut cards = all_entities(d, who);
    let own = [Own::Hand, Own::Graveyard, Own::Removed, Own::Extra];
    cards
        .extend(own.iter().flat_map(|own| d.t.zone(zone(*own, who)).iter().map(|id| d.t.now(*id)).collect::<Vec<_>>()));
    let view = d.look();
    for card in cards {
        let seen = &view.cards[card.id.0 as usize];
        for (number, ability) in seen.abilities.iter().enumerate() {
            if ability.kind == Kind::Activated {
                found.push(Move { ability: Some(number as u8), ..Move::of(Word("起動"), card) });
            }
        }
    }
    found
}

/// 702, 703, 706.
fn activate_card(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let card = card(m);
    let seen = d.seen(card);
    let in_hand = d.t.obj(card.id).zone == zone(Own::Hand, who) || elsewhere(d, who).contains(&card);
    let chant = is_kind(&seen, "詠唱");
    let home = if chant { msd!("703.2", Limit) } else { msd!("702.2", Limit) };
    limit!(d, in_hand, home, "自分の手札のカードではない");
    if !(chant || is_kind(&seen, "怪異") || is_kind(&seen, "結界")) {
        return no(msd!("604.2", Frame), "発動できる種類のカードではない");
    }
    let instant = seen.has("瞬動") && d.on(msd!("1105.2", Meaning));
    if instant {
        d.trace.reach(msd!("1105.2", Meaning));
        d.trace.reach(msd!("706.1", Frame));
    } else {
        let when = if chant { msd!("703.1", Limit) } else { msd!("702.1", Limit) };
        limit!(d, priority::main_timing(d, who), when, "メインタイミングではない");
    }
    may(d, who, m, card)?;
    let slots = Slots::default();
    let need = activate::need_of(d, card, Way::Usual, &slots, None);
    let rest = activate::step_up_cards(d, who, card);
    let could = odo::could_pay(d, who, &need)
        || !rest.is_empty() && {
            let total = activate::total_cost(d, &rest);
            let need = activate::need_of(d, card, Way::Usual, &slots, Some(total));
            odo::could_pay(d, who, &need)
        };
    if !could && d.only_lists() {
        return no(msd!("1002.4", Limit), "オドを支払えない");
    }
    if !could {
        // With the attribute left out of account it would do: then it is the attribute that is missing.
        let plain = odo::Need { cover: Vec::new(), ..need };
        let cite = if odo::could_pay(d, who, &plain) { msd!("1002.3", Limit) } else { msd!("1002.4", Limit) };
        return no(cite, "オドを支払えない");
    }
    limit!(d, activate::could_pay_texts(d, who, card), msd!("903.2h", Limit), "必要な行動を実行できない");
    limit!(d, activate::targets_exist(d, who, card, &slots), msd!("903.2e", Limit), "適正な対象がない");
    Ok(())
}

/// 104.4, 1005.2: no text forbids it.
fn may(d: &mut Duel, who: Seat, m: &Move, card: Ref) -> Allowed {
    if d.forbidden(&text::would(m.verb, Some(card), who)) {
        return no(msd!("104.4", Limit), "「できない」とする効果がある");
    }
    if text::no_chase(d, card, who) {
        limit!(d, false, msd!("1005.2", Limit), "チェイスできない");
    }
    Ok(())
}

/// Reading C29: whether what both players did with abilities of one name counts together.
fn used_by_both(d: &mut Duel, card: Ref, ability: &Ability) -> bool {
    let Some(limit) = ability.limit.filter(|limit| limit.by == LimitBy::Named) else { return false };
    let times = |d: &Duel, seat: Seat| d.uses(&d.use_of(card, seat, ability, &limit));
    let all: usize = Seat::BOTH.into_iter().map(|seat| times(d, seat)).sum();
    all >= usize::from(limit.times) && d.reading(msd!("C29", Reading), "a") == "b"
}

/// What a keyword means counts with the abilities that are written, so that the numbers are worth saying.
fn which_there_are(seen: &Seen) -> String {
    let own = seen.abilities.iter().enumerate().filter(|(_, a)| a.kind == Kind::Activated);
    let numbers: Vec<String> = own.map(|(at, _)| format!("能力{}", at + 1)).collect();
    match numbers.is_empty() {
        true => "条件能力を持たない".into(),
        false => format!("それは条件能力ではない（条件能力は{}）", numbers.join("・")),
    }
}

/// 704, 707.
fn activate_ability(d: &mut Duel, who: Seat, m: &Move) -> Allowed {
    let card = card(m);
    let seen = d.seen(card);
    // Who names none means the first there is.
    let named = match m.ability {
        Some(n) => seen.abilities.get(n as usize).filter(|a| a.kind == Kind::Activated),
        None => seen.abilities.iter().find(|a| a.kind == Kind::Activated),
    };
    let Some(ability) = named.cloned() else {
        return no(msd!("704.1", Frame), which_there_are(&seen));
    };
    let obj = d.t.obj(card.id);
    let (at, up, controller, owner) = (obj.zone, obj.face_up, obj.controller, obj.owner);
    let own = if in_play(at) { controller == who } else { owner == who };
    limit!(d, own, msd!("704.2", Limit), "自分が支配しているカードではない");
    limit!(d, d.works(&seen, at, up, &ability) && !d.is_beneath(card.id), msd!("902.1a", Limit), "有効な能力ではない");
    let odo_ability = odo::is_odo(&ability);
    let main = priority::main_timing(d, who);
    if is_kind(&seen, "神") && !main {
        let early =
            odo_ability && d.reading(msd!("C4", Reading), "b") == "a" || d.reading(msd!("C3", Reading), "a") == "b";
        limit!(d, early, msd!("707.1", Limit), "神の条件能力はメインタイミングに限る");
    }
    if ability.timing.is_some_and(|t| t == "メインタイミング") && !main {
        let cite = if ability.meant_by.is_some() { msd!("1109.2", Meaning) } else { msd!("701.2", Limit) };
        limit!(d, false, cite, "メインタイミングではない");
    }
    if d.is_used_up(card, who, &ability) || used_by_both(d, card, &ability) {
        // 901.1d: abilities of one name are one ability.
        let by_name = ability.limit.is_some_and(|limit| limit.by == LimitBy::Named);
        let cite = if by_name { msd!("901.1d", Limit) } else { msd!("104.1", Limit) };
        return no(cite, "もう使った");
    }
    if let Some(cond) = &ability.cond {
        let slots = Slots::default();
        let ctx = crate::kernel::Ctx { this: Some(card), seat: who, slots: &slots, event: None };
        if !d.see(|eyes| eyes.holds(&ctx, cond)) {
            return no(msd!("104.1", Limit), "条件を満たしていない");
        }
    }
    match odo_ability {
        true => {
            if d.forbidden(&text::would(m.verb, Some(card), who)) {
                return no(msd!("104.4", Limit), "「できない」とする効果がある");
            }
        }
        false => may(d, who, m, card)?,
    }
    let price = ability.price.clone().unwrap_or_default();
    let need = activate::ability_need(d, card, &price, &Slots::default());
    let rests = ability.cost.iter().any(|s| matches!(s, crate::card::Step::Turn { what: Some(w), .. } if *w == "this"));
    let spent: &[Ref] = if rests { &[card] } else { &[] };
    if !odo::could_pay_without(d, who, &need, spent) {
        return no(msd!("1002.4", Limit), "オドを支払えない");
    }
    if rests && d.t.obj(card.id).state != RECOVERED {
        // 907.6: what every 魔法少女 can do is written with the symbol.
        let cite = if is_kind(&seen, "魔法少女") { msd!("1010.2", Limit) } else { msd!("1010.3", Limit) };
        limit!(d, false, cite, "リカバー状態ではないのでレストできない");
    }
    if !activate::could_pay_steps(d, who, card, &ability, &Slots::default()) {
        let short = acts::short_of_candy(d, who, &ability.cost);
        let cite = if short { msd!("1018.3a", Limit) } else { msd!("903.2h", Limit) };
        return no(cite, "必要な行動を実行できない");
    }
    let targets = activate::ability_has_targets(d, who, card, &ability, &Slots::default());
    limit!(d, targets, msd!("903.2e", Limit), "適正な対象がない");
    Ok(())
}

fn switched(card: Ref) -> Use {
    Use { user: User::Card(card), what: 0, act: Word("スイッチ"), lasts: TURN }
}

/// 705.2.
fn switch(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    d.under(msd!("705.2", Frame), |d| {
        d.note_use(switched(card(m)));
        acts::switch(d, &[card(m)], Cause { seat: Some(who), ..Cause::RULE }).map(|_| true)
    })
}

fn carry_out(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    activate::play(d, who, m).map(|_| true)
}
