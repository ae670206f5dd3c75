//! 1.5 the preparation of a duel; 1.5.0, 3.1.2 how it is won.

use super::kinds::lies_as;
use super::places::{hand, in_use, is_field, is_monster_zone, is_speed, zone};
use super::schema::{APPLIES, CLASS, EQUIP, LIFE, MATERIALS, schema};
use super::text::is;
use crate::card::{Change, Datum, Kind, Step, Word};
use crate::kernel::table::Outcome;
use crate::kernel::{Asks, Cause, Cite, Duel, Event, Flow, Question, Seat, Thing, What};

/// 1.5.1: decks shuffled, five cards each.
pub fn start(d: &mut Duel) -> Flow {
    d.step(ygo!("1.5.1.2"), super::rounds::decks)?;
    let first = d.t.active;
    let speed = is_speed(d);
    d.step(ygo!("1.5.1.1"), |d| {
        shuffle(d, Seat(0))?;
        shuffle(d, Seat(1))
    })?;
    let (cite, points) = if speed { (ygo!("1.9.4.1"), 4000i32) } else { (ygo!("1.5.0.1"), 8000) };
    d.step(cite, |d| {
        let to = |d: &Duel, seat: Seat| What::SeatFact {
            fact: LIFE,
            by: points.saturating_sub(d.t.seats[seat.index()][LIFE]),
        };
        let events = Seat::BOTH.map(|s| Event { what: to(d, s), ..Event::signal(Word("LP")).seat(s) });
        let changed = events.into_iter().filter(|e| !matches!(e.what, What::SeatFact { by: 0, .. }));
        d.happen(changed.collect())
    })?;
    // 1.9.4.2: four cards in a speed duel.
    let (cite, cards) = if speed { (ygo!("1.9.4.2"), 4) } else { (ygo!("1.5.1.4"), 5) };
    d.step(cite, |d| {
        for seat in [first, first.other()] {
            for _ in 0..cards {
                draw(d, seat, Cause::RULE)?;
            }
        }
        Ok(())
    })?;
    d.begin_turn(d.t.active, 1, Word("ドローフェイズ"));
    Ok(())
}

/// 4.1.16.1: chance orders the deck.
pub fn shuffle(d: &mut Duel, seat: Seat) -> Flow {
    let deck = zone("デッキ", seat);
    *d.aside().seat(seat, super::schema::LOOKED) = 0;
    d.shuffle(deck, None)
}

/// 4.1.12.1; 3.1.2.2: who must draw and cannot has lost.
pub fn draw(d: &mut Duel, seat: Seat, cause: Cause) -> Flow<bool> {
    let name = schema().seats[seat.index()];
    let Some(top) = d.t.zone(zone("デッキ", seat)).last().copied() else {
        if d.applies(ygo!("3.1.2.2", Check), |_| format!("{name}はデッキが0枚でドローできない")) {
            return over(d, Outcome::Won(seat.other()));
        }
        return Ok(false);
    };
    let card = d.t.now(top);
    let to = zone("手札", seat);
    let mut event = d.moving(card, to).by(cause).seat(seat);
    event.name = Word("引く");
    event.what = What::Move { to, bottom: false, state: 0, face_up: false, controller: None, host: None };
    d.under(ygo!("4.1.12.1", Frame), |d| Ok(d.propose_one(event)?.any()))
}

/// A change of life points. They do not fall below nothing.
pub fn life(d: &Duel, seat: Seat, name: Word, amount: i32, cause: Cause) -> Event {
    let have = d.t.seats[seat.index()][LIFE];
    let by = if name == "回復" { amount } else { amount.min(have).saturating_neg() };
    Event { what: What::SeatFact { fact: LIFE, by }, amount, cause, ..Event::signal(name).seat(seat) }
}

/// 1.5.0.2, 1.5.0.3: whoever has no life points left has lost; both at once is a draw.
pub fn check_life(d: &mut Duel) -> Flow {
    let out: Vec<Seat> = Seat::BOTH.into_iter().filter(|s| d.t.seats[s.index()][LIFE] <= 0).collect();
    // Reading C61: damage that both take by one effect is taken at once, though it is processed one after the other.
    if !out.is_empty() && d.takes_turns() && d.reading(ygo!("C61", Reading), "a") != "b" {
        return Ok(());
    }
    let name = |seats: &[Seat]| seats.iter().map(|s| schema().seats[s.index()]).collect::<Vec<_>>().join("と");
    if out.is_empty() || !d.applies(zero(d), |_| format!("{}のライフポイントが0", name(&out))) {
        return Ok(());
    }
    match out[..] {
        [one] => over(d, Outcome::Won(one.other())),
        _ if d.applies(ygo!("1.5.0.3", Check), |_| "同時に0になったので引き分け".into()) => {
            over(d, Outcome::Draw)
        }
        // Without the clause, the one who made it so first has won: the turn player.
        _ => {
            let active = d.t.active;
            over(d, Outcome::Won(active))
        }
    }
}

/// 1.5.0.2; 1.9.4.1 in a speed duel.
fn zero(d: &Duel) -> &'static Cite {
    if is_speed(d) { ygo!("1.9.4.1", Check) } else { ygo!("1.5.0.2", Check) }
}

pub fn over<T>(d: &mut Duel, outcome: Outcome) -> Flow<T> {
    d.over(outcome)
}

/// 1.6.3.7: how many cards a player may keep at the end of the turn: that of the player, of the other, of both.
pub const HAND: [&str; 3] = ["手札の上限", "相手の手札の上限", "お互いの手札の上限"];

/// 1.6.3.7: six cards, unless a text says how many (3.3.8.1), the last that does (reading C35); none for no limit.
fn most_in_hand(d: &mut Duel, seat: Seat) -> Option<usize> {
    let view = d.look();
    let mut most = Some(6);
    for rule in view.rules.iter() {
        let Change::Limit(name, value) = &rule.change else { continue };
        let own = rule.seat == seat;
        let meant = *name == HAND[0] && own || *name == HAND[1] && !own || *name == HAND[2];
        if !meant || !d.applies(ygo!("3.3.8.1", Limit), |_| "手札の上限を変える効果がある".into()) {
            continue;
        }
        let ctx = crate::kernel::Ctx { this: rule.source, seat: rule.seat, slots: &rule.slots, event: None };
        most = value.as_ref().map(|value| d.number(&ctx, value).max(0) as usize);
    }
    most
}

pub fn hand_limit(d: &mut Duel) -> Flow {
    let seat = d.t.active;
    let cards = hand(d, seat);
    let cite = if is_speed(d) { ygo!("1.9.4.7") } else { ygo!("1.6.3.7") };
    let Some(most) = most_in_hand(d, seat) else { return Ok(()) };
    let n = cards.len().saturating_sub(most);
    if n == 0 {
        return Ok(());
    }
    d.step(cite, |d| {
        let of = cards.into_iter().map(Thing::Card).collect();
        let question = Question::new(seat, Word("捨てる"), Asks::Choose { of, min: n, max: n });
        let chosen = d.pick(question.citing(ygo!("1.6.3.7", Frame)))?;
        let discard = d.applies(ygo!("4.1.17.2", Meaning), |_| "手札の調整は「墓地へ捨てる」に当たる".into());
        let mut events = Vec::new();
        for thing in chosen {
            let Thing::Card(card) = thing else { continue };
            let mut event = d.moving(card, zone("墓地", seat)).seat(seat);
            event.how = if discard { Word("捨てる") } else { Word("") };
            events.push(event);
        }
        d.propose(events).map(|_| ())
    })
}

/// A text that could never do anything where it is written: who wrote it meant something else.
fn idle_text(d: &Duel) -> Option<(&'static Cite, String)> {
    const USED_UP: [&str; 5] = ["通常魔法", "儀式魔法", "速攻魔法", "通常罠", "カウンター罠"];
    for card in d.given.defs.iter().map(|def| &def.card) {
        let Some(Datum::Words(kinds)) = card.data.get(&Word(CLASS)) else { continue };
        let monster = kinds.iter().any(|k| k.ends_with("モンスター") || *k == "トークン");
        // 4.1.9.1: one that a text makes an equip card stays.
        let worn = |step: &Step| match step {
            Step::Act { name, .. } => *name == EQUIP,
            Step::Move { attach, .. } => attach.is_some_and(|how| how == EQUIP),
            _ => false,
        };
        let stays_worn = card.abilities.iter().flat_map(|a| &a.steps).any(worn);
        let used_up = kinds.iter().any(|k| USED_UP.contains(&k.as_str())) && !stays_worn;
        for ability in card.abilities.iter().filter(|a| a.keyword.is_none()) {
            if monster && ability.kind == Kind::Effect {
                let text = format!("{}の効果の種類（kind: 起動・誘発・常在）が書かれていない", card.name);
                return Some((ygo!("2.3.0.2", Frame), text));
            }
            let applies = ability.timing.is_some_and(|t| t == APPLIES);
            if applies && (ability.kind != Kind::Triggered || ability.when.is_empty()) {
                let text =
                    format!("{}: 「{APPLIES}」は、出来事を見る誘発（kind: 誘発 と when）にだけ書ける", card.name);
                return Some((ygo!("4.1.3.2", Frame), text));
            }
            if applies && !(ability.target.is_empty() && ability.cost.is_empty() && ability.modes.is_empty()) {
                let text = format!("{}: 発動しない効果（{APPLIES}）には、対象もコストもない", card.name);
                return Some((ygo!("4.1.3.2", Frame), text));
            }
            // From where it may be activated it says where it lies.
            let where_from =
                !ability.grant.is_empty() && ability.grant.iter().all(|c| matches!(c, Change::PlayFrom(_)));
            let stays = ability.kind == Kind::Activated || ability.kind == Kind::Static && !where_from;
            if used_up && stays && ability.from.is_empty() {
                let text = format!("{}はフィールドに残らないので、起動や常在の効果は使えない", card.name);
                return Some((ygo!("1.4.2.2", Frame), text));
            }
        }
    }
    None
}

/// What is wrong with a table as it was set up.
pub fn unlawful(d: &mut Duel) -> Option<(&'static Cite, String)> {
    if let Some(found) = idle_text(d) {
        return Some(found);
    }
    for seat in Seat::BOTH {
        if d.t.seats[seat.index()][LIFE] <= 0 {
            return Some((ygo!("1.5.0.2", Check), "ライフポイントが0".into()));
        }
    }
    for z in schema().board() {
        let cards = d.t.zone(z).to_vec();
        if cards.len() > 1 {
            let below = cards.iter().any(|id| d.t.obj(*id).host.is_some_and(|(how, _)| how == MATERIALS));
            let hint =
                if below { "（エクシーズ素材は、席の「エクシーズ素材」に書く）" } else { "" };
            return Some((ygo!("1.1.3.3", Frame), format!("{}に2枚以上ある{hint}", d.zone_name(z))));
        }
        if !cards.is_empty() && !in_use(d, z) {
            return Some((ygo!("1.9.3.6", Limit), format!("{}はスピードデュエルで使わない", d.zone_name(z))));
        }
        for id in cards {
            if let Some(found) = out_of_place(d, z, d.t.now(id)) {
                return Some(found);
            }
        }
    }
    astray(d)
}

/// What is wrong with a card where it lies on the field.
fn out_of_place(d: &mut Duel, z: crate::kernel::ZoneId, card: crate::kernel::Ref) -> Option<(&'static Cite, String)> {
    let (seen, name) = (d.seen(card), d.card_name(card));
    let monster = is(&seen, "モンスター");
    let obj = d.t.obj(card.id);
    let (up, turned, host) = (obj.face_up, obj.turned(), obj.host);
    if monster != is_monster_zone(z) && is_field(z) {
        return Some((ygo!("1.1.3.1", Frame), format!("{name}は{}に置けない", d.zone_name(z))));
    }
    if is(&seen, "フィールド魔法") != (schema().spec(z).name == "フィールドゾーン") {
        return Some((ygo!("1.1.3.8", Frame), format!("{name}は{}に置けない", d.zone_name(z))));
    }
    let outer = super::places::inside(z, Word("ペンデュラムゾーン"));
    if is(&seen, "ペンデュラムカード") && (!outer || !up) && host.is_none() {
        return Some((ygo!("3.3.22.2", Limit), format!("{name}は両端の魔法&罠ゾーンに表側でしか置けない")));
    }
    let alone = host.is_none_or(|h| h.0 != super::schema::EQUIP);
    if up && alone && (is(&seen, "装備魔法") || is(&seen, "装備カード")) {
        return Some((ygo!("1.4.2.5", Frame), format!("{name}を装備したモンスターがいない")));
    }
    if !monster {
        return None;
    }
    if !up && !turned {
        return Some((ygo!("2.2.0.1", Frame), format!("{name}は裏側攻撃表示")));
    }
    if is(&seen, "リンクモンスター") && (!up || turned) {
        return Some((ygo!("2.4.9.1", Frame), format!("{name}は常に表側攻撃表示")));
    }
    if is(&seen, "トークン") && !up {
        return Some((ygo!("3.3.2.4", Limit), format!("{name}は裏側表示にならない")));
    }
    let extra = super::kinds::of_extra_deck(d, card) || super::kinds::printed(d, card, "ペンデュラムモンスター");
    if schema().spec(z).owner.is_none() && !extra {
        return Some((ygo!("1.1.3.11", Frame), format!("{name}はエクストラモンスターゾーンに置けない")));
    }
    None
}

/// 3.3.12.1, 3.3.23.1: cards off the field that cannot lie there.
fn astray(d: &mut Duel) -> Option<(&'static Cite, String)> {
    // 2.4.6.1, 4.1.30.4: one player has both extra zones only by an extra link.
    let extra = super::places::EXTRA_ZONES;
    let held: Vec<crate::kernel::Ref> =
        extra.iter().filter_map(|z| d.t.zone(*z).first()).map(|id| d.t.now(*id)).collect();
    if let [a, b] = held[..]
        && d.seen(a).controller == d.seen(b).controller
        && !(lies_as(d, a, "リンクモンスター") && lies_as(d, b, "リンクモンスター"))
    {
        return Some((ygo!("2.4.6.1", Limit), "1人が両方のエクストラモンスターゾーンを使っている".into()));
    }
    for id in d.t.ids() {
        let card = d.t.now(id);
        let (name, label) = (schema().spec(d.t.obj(id).zone).name, d.card_name(card));
        let (seen, up) = (d.seen(card), d.t.obj(id).face_up);
        let (extra, token) = (super::kinds::of_extra_deck(d, card), is(&seen, "トークン"));
        let pendulum = up && is(&seen, "ペンデュラムモンスター");
        let known = is(&seen, "モンスター") || is(&seen, "魔法") || is(&seen, "罠");
        // What a deck may hold is looked at when it is put there (1.5.1.2).
        let brought = d.t.phase == "準備" && matches!(name, "デッキ" | "エクストラデッキ");
        let wrong = match name {
            _ if brought => None,
            "手札" | "デッキ" if extra => Some((ygo!("3.3.13.1", Limit), "手札やデッキにあることはない")),
            "エクストラデッキ" if known && !extra && !pendulum => {
                Some((ygo!("3.3.23.1", Limit), "エクストラデッキに入れるカードではない"))
            }
            MATERIALS if d.t.obj(id).host.is_none() => {
                Some((ygo!("3.3.12.1", Limit), "重ねられているモンスターがいない"))
            }
            MATERIALS if token => Some((ygo!("3.3.2.5", Limit), "エクシーズ素材にできない")),
            "手札" | "デッキ" | "墓地" | "除外" | "エクストラデッキ" if token => {
                Some((ygo!("3.3.2.1", Limit), "フィールドにしかいない"))
            }
            _ => None,
        };
        if let Some((cite, why)) = wrong {
            return Some((cite, format!("{label}: {why}")));
        }
    }
    None
}
