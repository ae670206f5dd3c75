//! 901–907: rule effects. Those that are due are carried out in the order of 901.2a, then looked for again.

use super::places::{bodies, is_kind, zone};
use super::schema::{CHARGE_LIMIT, CHECKED, DAMAGE, HITS, POWER, SHIELD, at, schema};
use super::text::{has_icon, limit, who};
use super::{acts, blame, composite, force, play, setup, squares};
use crate::card::Word;
use crate::kernel::{Asks, Cite, Duel, Event, Flow, Question, Ref, Seat, Thing, What, ZoneId};

/// A card that something is wrong with, the clause, and why.
pub type Wrong = (Ref, &'static Cite, String);

/// A rule effect that is due.
pub enum Due {
    /// 909.
    Player(Seat),
    /// 908.
    Force,
    /// 906.
    Charge(Seat),
    /// 905.
    Square,
    /// 904: whom, by which clause, why.
    Lethal(Vec<Wrong>),
    /// 903.
    Loss,
    /// 907.
    Damage,
    /// 910.
    Crisis,
}

/// 702.2a: one check. What is due now, in the order of 901.2a.
pub fn due(d: &mut Duel) -> Flow<Vec<Due>> {
    let mut found: Vec<Due> = Vec::new();
    for seat in [d.t.active, d.t.active.other()] {
        if missing_player(d, seat) {
            found.push(Due::Player(seat));
        }
    }
    if !force::illegal(d).is_empty() {
        found.push(Due::Force);
    }
    for seat in [d.t.active, d.t.active.other()] {
        if excess(d, seat) > 0 && d.on(zx!("906.1", Check)) {
            found.push(Due::Charge(seat));
        }
    }
    if !squares::misplaced(d, false)?.is_empty() {
        found.push(Due::Square);
    }
    let dying = lethal(d);
    if !dying.is_empty() {
        found.push(Due::Lethal(dying));
    }
    if !losers(d).is_empty() {
        found.push(Due::Loss);
    }
    if Seat::BOTH.iter().any(|s| d.t.seats[s.index()][HITS] > 0) {
        found.push(Due::Damage);
    }
    if !composite::in_crisis(d).is_empty() {
        found.push(Due::Crisis);
    }
    Ok(found)
}

/// Something is due.
pub fn any_due(d: &mut Duel) -> Flow<bool> {
    Ok(!due(d)?.is_empty())
}

/// 702.2a: what a check found is carried out.
pub fn carry_out(d: &mut Duel, mut due: Vec<Due>) -> Flow {
    wait(d, &mut due);
    if due.len() > 1 && !d.applies(zx!("901.2a", Order), |_| "決められた順にルールエフェクトを実行する".into())
    {
        due.reverse();
    }
    for (i, effect) in due.into_iter().enumerate() {
        match effect {
            Due::Player(seat) => d.under(zx!("909.1", Check), |d| virtual_player(d, seat))?,
            Due::Force => d.under(zx!("908", Frame), force::clear)?,
            Due::Crisis => d.under(zx!("910", Frame), composite::crisis)?,
            Due::Charge(seat) => d.under(zx!("906.1", Check), |d| charge_overflow(d, seat))?,
            Due::Square => d.under(zx!("905", Frame), squares::clear)?,
            Due::Lethal(dying) => d.under(zx!("904", Frame), |d| die(d, dying, i == 0))?,
            Due::Loss => d.under(zx!("903", Frame), lose)?,
            Due::Damage => d.under(zx!("907.2", Frame), player_damage)?,
        }
    }
    d.mark_moment(CHECKED, d.t.clock as i32);
    Ok(())
}

/// 907.3, reading C1: player damage waits for all other rule effects, but not for a crisis, which is last in the list.
fn wait(d: &mut Duel, due: &mut Vec<Due>) {
    let crisis_first = d.reading(zx!("C1", Reading), "a") == "b";
    let waits_for = |e: &Due| match e {
        Due::Damage => false,
        Due::Crisis => crisis_first,
        _ => true,
    };
    let damage = due.iter().any(|e| matches!(e, Due::Damage));
    if damage && due.iter().any(waits_for) && d.applies(zx!("907.3", Order), |_| "ほかのルールエフェクトが先".into())
    {
        due.retain(|e| !matches!(e, Due::Damage));
    } else if damage && !crisis_first {
        // Player damage starts the pre-processing anew (907.2d): the crisis comes after all of it.
        due.retain(|e| !matches!(e, Due::Crisis));
    }
}

/// 909.1, 909.2, 1206.2: the player has no player card on the squares, nor an overboost in its place.
fn missing_player(d: &mut Duel, seat: Seat) -> bool {
    d.t.phase != "準備"
        && d.t.phase != "デッキ構築"
        && no_player_card(d, seat)
        && !suspended(d, seat)
        && d.on(zx!("909.1", Check))
}

/// Reading C7: there is no player card on any square, or not on the player's own player square.
fn no_player_card(d: &mut Duel, seat: Seat) -> bool {
    let card = super::places::player_card(d, seat);
    let own = |d: &Duel, c: Ref| super::places::player_square(d.t.obj(c.id).zone) == Some(seat);
    match card {
        Some(card) if !own(d, card) => d.reading(zx!("C7", Reading), "a") == "b",
        card => card.is_none(),
    }
}

/// 909.2: who has an overboost or a Z/X in unison on the squares is not checked.
fn suspended(d: &mut Duel, seat: Seat) -> bool {
    (composite::boost(d, seat).is_some() || super::unison::of(d, seat).is_some())
        && d.applies(zx!("909.2", Check), |_| "不正プレイヤーカードエフェクトをチェックしない".into())
}

/// 1206.2, 1206.2a: the virtual player card lies ready beside the table.
fn virtual_player(d: &mut Duel, seat: Seat) -> Flow {
    let ready = d.t.zone(super::places::limbo()).to_vec();
    let own =
        |d: &mut Duel, id: &crate::kernel::CardId| d.t.obj(*id).owner == seat && is_kind(d, d.t.now(*id), "プレイヤー");
    let Some(id) = ready.into_iter().find(|id| own(d, id)) else {
        return d.unwritten("仮想のプレイヤーカード", &["zx:909.1", "zx:1206.2"]);
    };
    let to = schema().board().find(|z| super::places::player_square(*z) == Some(seat)).expect("a player square");
    let mut event = d.moving(d.t.now(id), to).seat(seat);
    event.name = Word("仮想");
    d.happen(vec![event])
}

/// What is wrong with a table as it was set up.
pub fn unlawful(d: &mut Duel) -> Option<(&'static Cite, String)> {
    let reload =
        |d: &Duel, s: &Seat| d.t.zone(zone("デッキ", *s)).is_empty() && !d.t.zone(zone("トラッシュ", *s)).is_empty();
    if Seat::BOTH.iter().any(|s| reload(d, s)) {
        return Some((zx!("902.1", Check), "デッキがなくトラッシュにカードがある".into()));
    }
    if d.t.phase == "準備" || d.t.phase == "デッキ構築" {
        return None;
    }
    if let Some(alone) = composite::shift_alone(d) {
        return Some((zx!("202.8d", Limit), format!("{}だけがスクエアにある", d.card_name(alone))));
    }
    if let Some(stray) = force::stray(d) {
        return Some((zx!("1010.1"), format!("フォースの{}がフォースゾーンにない", d.card_name(stray))));
    }
    if let Some((id, cite, _)) = super::immediate::bounces(d, &d.t.ids().collect::<Vec<_>>()) {
        return Some((cite, format!("{}はそこには置かれない", d.card_name(d.t.now(id)))));
    }
    match due(d).ok()?.into_iter().next()? {
        Due::Charge(seat) => Some((zx!("906.1", Check), format!("{}のチャージが上限を超えている", who(seat)))),
        Due::Square => squares::misplaced(d, false).ok()?.into_iter().next().map(|(_, cite, why)| (cite, why)),
        Due::Lethal(dying) => dying.into_iter().next().map(|(_, cite, why)| (cite, why)),
        Due::Loss => losers(d).into_iter().next().map(|(_, cite, why)| (cite, why)),
        Due::Player(seat) => Some((zx!("909.1", Check), format!("{}のプレイヤーカードがない", who(seat)))),
        Due::Force => force::illegal(d).into_iter().next().map(|(_, cite, why)| (cite, why)),
        // Damage may be waiting: a scenario can begin in the middle.
        Due::Damage | Due::Crisis => None,
    }
}

/// Reading C12: whether a player without life loses at once or in the next pre-processing (901.2).
pub fn at_once(d: &mut Duel) -> Flow {
    // Reading C21: whether the virtual player card waits for the pre-processing.
    let asked = d.trace.full || d.settings_reading("C21") == "b";
    for seat in [d.t.active, d.t.active.other()].into_iter().filter(|_| asked) {
        if missing_player(d, seat) && d.reading(zx!("C21", Reading), "a") == "b" {
            virtual_player(d, seat)?;
        }
    }
    let dead: Vec<Seat> = Seat::BOTH.into_iter().filter(|s| d.t.zone(zone("ライフ", *s)).is_empty()).collect();
    if dead.is_empty() || d.t.phase == "準備" || d.t.phase == "デッキ構築" || d.reading(zx!("C12", Reading), "a") != "b"
    {
        return Ok(());
    }
    setup::lose(d, &dead)
}

/// 902.1: at any moment a player without deck cards but with trash makes a new deck of it, at the price of a life card.
pub fn reload(d: &mut Duel) -> Flow {
    for seat in [d.t.active, d.t.active.other()] {
        let (deck, trash) = (zone("デッキ", seat), zone("トラッシュ", seat));
        if d.t.zone(deck).is_empty() && !d.t.zone(trash).is_empty() {
            d.step(zx!("902.1", Check), |d| {
                d.under(zx!("902.1a", Frame), |d| into_deck(d, seat, trash, deck))?;
                d.step(zx!("902.1b"), |d| acts::shuffle(d, seat))?;
                d.step(zx!("902.1c"), |d| match pick_life(d, seat, zx!("902.1c"))? {
                    Some(card) => to_charge(d, card, seat),
                    None => Ok(()),
                })
            })?;
        }
    }
    Ok(())
}

/// 304.5: into a deck cards go one by one.
fn into_deck(d: &mut Duel, seat: Seat, trash: ZoneId, deck: ZoneId) -> Flow {
    for id in d.t.zone(trash).to_vec() {
        let card = d.t.now(id);
        let mut event = d.moving(card, deck).seat(seat);
        event.what = What::Move { to: deck, bottom: false, state: 0, face_up: false, controller: None, host: None };
        d.happen(vec![event])?;
    }
    Ok(())
}

/// The opponent picks a life card. Nobody sees them, so a script need not say which.
fn pick_life(d: &mut Duel, seat: Seat, cite: &'static Cite) -> Flow<Option<Ref>> {
    let of: Vec<Thing> = d.t.zone(zone("ライフ", seat)).iter().rev().map(|id| Thing::Card(d.t.now(*id))).collect();
    if of.is_empty() {
        return Ok(None);
    }
    let mut question = Question::new(seat.other(), Word("ライフ"), Asks::Choose { of, min: 1, max: 1 }).citing(cite);
    question.minor = true;
    Ok(d.pick(question)?.into_iter().find_map(|t| if let Thing::Card(r) = t { Some(r) } else { None }))
}

fn to_charge(d: &mut Duel, card: Ref, seat: Seat) -> Flow {
    let event = d.moving(card, zone("チャージ", seat)).seat(seat);
    d.propose_one(event).map(|_| ())
}

/// 306.2a, 906.1: how many cards the charge holds beyond its limit.
fn excess(d: &mut Duel, seat: Seat) -> usize {
    let cards = d.t.zone(zone("チャージ", seat)).len();
    match limit(d, seat, CHARGE_LIMIT, 4) {
        Some(most) => cards.saturating_sub(most.max(0) as usize),
        None => 0,
    }
}

/// 906.1: the player picks as many, and they go to the trash together.
fn charge_overflow(d: &mut Duel, seat: Seat) -> Flow {
    let n = excess(d, seat);
    let of: Vec<Thing> = d.t.zone(zone("チャージ", seat)).iter().map(|id| Thing::Card(d.t.now(*id))).collect();
    let asks = Asks::Choose { of, min: n, max: n };
    let chosen = d.pick(Question::new(seat, Word("チャージ超過"), asks).citing(zx!("906.1", Check)))?;
    let cards: Vec<Ref> =
        chosen.into_iter().filter_map(|t| if let Thing::Card(r) = t { Some(r) } else { None }).collect();
    to_trash(d, &cards)
}

/// 302.4, reading C35: whose trash a rule effect puts the card into.
pub fn trash_of(d: &mut Duel, card: Ref) -> Seat {
    let (owner, controller) = (d.t.obj(card.id).owner, d.seen(card).controller);
    if owner != controller && d.reading(zx!("C35", Reading), "a") == "b" { controller } else { owner }
}

/// All at once to the trash. That is no destruction.
pub fn to_trash(d: &mut Duel, cards: &[Ref]) -> Flow {
    let mut events: Vec<Event> = Vec::new();
    for card in cards {
        let owner = trash_of(d, *card);
        events.push(d.moving(*card, zone("トラッシュ", owner)));
    }
    d.propose(events).map(|_| ())
}

/// 904.1–904.3: who must die.
fn lethal(d: &mut Duel) -> Vec<Wrong> {
    let mut found = Vec::new();
    for card in bodies(d) {
        let damage = d.t.obj(card.id).facts[DAMAGE];
        let power = d.glance(card).number(const { at(POWER) });
        let wrong = match power {
            Some(n) if n <= 0 => Some((zx!("904.2", Check), format!("{}のパワーが0以下（{n}）", d.card_name(card)))),
            Some(n) if damage >= n => {
                Some((zx!("904.1", Check), format!("{}のダメージ{damage}がパワー{n}以上", d.card_name(card))))
            }
            None if damage > 0 && !is_kind(d, card, "ゼクス") && d.t.obj(card.id).marked(Word(SHIELD)) == 0 => {
                Some((zx!("904.3", Check), format!("シールドのない{}がダメージを受けている", d.card_name(card))))
            }
            _ => None,
        };
        if let Some((cite, why)) = wrong.filter(|(cite, _)| d.on(cite)) {
            found.push((card, cite, why));
        }
    }
    found.retain(|(card, ..)| !endures(d, *card));
    found
}

/// 102.6, reading C40: nothing is due for a card that cannot be destroyed whatever destroys it.
fn endures(d: &mut Duel, card: Ref) -> bool {
    let mut event = d.moving(card, zone("チャージ", d.t.obj(card.id).owner));
    event.name = Word("破壊");
    d.forbidden(&event) && d.reading(zx!("C40", Reading), "a") == "a"
}

/// All who were found and still must, at once.
fn die(d: &mut Duel, dying: Vec<Wrong>, first: bool) -> Flow {
    let still: Vec<Ref> = lethal(d).into_iter().map(|w| w.0).collect();
    let mut events = Vec::new();
    for (card, cite, why) in dying.into_iter().filter(|w| still.contains(&w.0)) {
        d.cites(cite, |_| why);
        let (how, cause) = blame::blame(d, card, first)?;
        let mut event = acts::destruction(d, card).by(cause);
        event.how = how;
        events.push(event);
    }
    d.propose(events).map(|_| ())
}

/// 903.1, 903.2: who loses.
fn losers(d: &mut Duel) -> Vec<(Seat, &'static Cite, String)> {
    let mut found = Vec::new();
    for seat in Seat::BOTH {
        let empty = |name: &str| d.t.zone(zone(name, seat)).is_empty();
        if empty("ライフ") && d.on(zx!("903.1", Check)) {
            found.push((seat, zx!("903.1", Check), format!("{}のライフがない", who(seat))));
        } else if empty("デッキ") && empty("トラッシュ") && d.on(zx!("903.2", Check)) {
            found.push((seat, zx!("903.2", Check), format!("{}のデッキにもトラッシュにもカードがない", who(seat))));
        }
    }
    found
}

fn lose(d: &mut Duel) -> Flow {
    let losers = losers(d);
    for (_, cite, why) in &losers {
        d.cites(cite, |_| why.clone());
    }
    let seats: Vec<Seat> = losers.into_iter().map(|l| l.0).collect();
    // What was carried out before it may have helped.
    if seats.is_empty() { Ok(()) } else { setup::lose(d, &seats) }
}

/// 907.2: one point of damage; then everything is looked at again (907.2d, 907.2e).
fn player_damage(d: &mut Duel) -> Flow {
    loop {
        point(d)?;
        let more = Seat::BOTH.iter().any(|s| d.t.seats[s.index()][HITS] > 0);
        if !more || d.applies(zx!("907.2d"), |_| "優先権前処理を最初からやり直す".into()) {
            return Ok(());
        }
    }
}

/// 907.2a–907.2e for one point: the turn player's first.
fn point(d: &mut Duel) -> Flow {
    let hit = |d: &Duel, s: Seat| d.t.seats[s.index()][HITS] > 0;
    let (first, second) = (d.t.active, d.t.active.other());
    let both = hit(d, first) && hit(d, second);
    let turns = !both || d.applies(zx!("907.2a", Order), |_| "ターンプレイヤーのダメージから処理する".into());
    let seat = if hit(d, first) && turns { first } else { second };
    d.trace.reach(zx!("907.2b", Frame));
    *d.number_of(seat, HITS) -= 1;
    let Some(card) = pick_life(d, seat, zx!("907.2c", Frame))? else {
        // Where no life is left to be chosen, further points do as little.
        *d.number_of(seat, HITS) = 0;
        return Ok(());
    };
    d.aside().reveal(card.id, true);
    if has_icon(d, card, "イグニッション") && d.on(zx!("907.2e", Meaning)) {
        return d.under(zx!("907.2e", Meaning), |d| {
            play::for_nothing(d, seat, card, zone("チャージ", seat), super::schema::FROM_LIFE)
        });
    }
    to_charge(d, card, seat)
}
