//! 103 the end, 402 decks, 403 preparation.

use super::acts;
use super::schema::{COPIES, NOWHERE};
use super::zones::{Own, printed_name, zone};
use crate::card::{Ability, Card, Change, Datum, Kind, Step, Word};
use crate::game::deck::Deck;
use crate::kernel::table::Outcome;
use crate::kernel::{Asks, CardId, Cite, Duel, Event, Flow, Move, Question, Ref, Seat, Thing, What};

fn has(card: &Card, key: &str, word: &str) -> bool {
    let datum = card.data.iter().find(|(k, _)| **k == key).map(|(_, v)| v);
    matches!(datum, Some(Datum::Words(words)) if words.iter().any(|w| *w == word))
}

/// 402.2, 402.3: 結魂怪異 and 神 go to the extra deck, and nothing else does.
fn is_extra(card: &Card) -> bool {
    has(card, "汎用タイプ", "結魂") || has(card, "種類", "神")
}

/// 402: what is wrong with what the player brings to this game, as far as the clauses stand.
pub fn wrong(d: &Duel, seat: Seat) -> Vec<(&'static Cite, String)> {
    let printed = |own: Own| -> Vec<&Card> {
        d.t.zone(zone(own, seat)).iter().map(|id| &*d.given.defs[d.t.obj(*id).def as usize].card).collect()
    };
    let deck = Deck { main: printed(Own::Deck), extra: printed(Own::Extra), ..Deck::default() };
    problems(&deck, d.on(msd!("402.4", Limit))).into_iter().filter(|(cite, _)| d.on(cite)).collect()
}

/// 402: what is wrong with a deck, all of it.
pub fn deck_problems(deck: &Deck) -> Vec<(&'static Cite, String)> {
    problems(deck, true)
}

/// 402.4: what a card itself says of how many of it a deck may have; without a number there is no end.
fn own_limit(card: &Card) -> Option<i32> {
    let said = card.abilities.iter().flat_map(|a| &a.grant).find_map(|change| match change {
        Change::Limit(name, most) if *name == COPIES => Some(most),
        _ => None,
    })?;
    match said {
        Some(crate::card::Value::Number(n)) => Some(*n),
        _ => Some(i32::MAX),
    }
}

fn problems(deck: &Deck, heeds_texts: bool) -> Vec<(&'static Cite, String)> {
    let most = |card: &&Card| own_limit(card).filter(|_| heeds_texts).unwrap_or(4);
    let most_of =
        |name: Word| deck.main.iter().chain(&deck.extra).find(|c| printed_name(c) == name).map_or(4, most) as usize;
    let mut problems = Vec::new();
    if deck.main.len() != 50 {
        problems.push((msd!("402.2", Limit), format!("デッキはちょうど50枚（{}枚ある）", deck.main.len())));
    }
    for card in deck.main.iter().filter(|c| is_extra(c)) {
        let fused = has(card, "汎用タイプ", "結魂");
        let cite = if fused { msd!("201.3a-i", Limit) } else { msd!("402.2", Limit) };
        problems.push((cite, format!("「{}」はデッキに入れられない", card.name)));
    }
    let level = |c: &Card| match c.data.get(&Word("レベル")) {
        Some(Datum::Number(n)) => *n,
        _ => 0,
    };
    let girl = |c: &Card| has(c, "種類", "魔法少女");
    for (key, n) in counted(deck.main.iter().filter(|c| !girl(c) && !c.data.is_empty()).map(|c| (printed_name(c), 0))) {
        if n > most_of(key.0) {
            problems.push((msd!("402.2a", Limit), format!("「{}」は{}枚まで（{n}枚ある）", key.0, most_of(key.0))));
        }
    }
    for (key, n) in counted(deck.main.iter().filter(|c| girl(c)).map(|c| (printed_name(c), level(c)))) {
        if n > most_of(key.0) {
            let most = most_of(key.0);
            problems
                .push((msd!("402.2b", Limit), format!("レベル{}の「{}」は{most}枚まで（{n}枚ある）", key.1, key.0)));
        }
    }
    if !deck.side.is_empty() {
        problems.push((msd!("402.1", Limit), "サイドデッキの定めはない".into()));
    }
    if deck.extra.len() > 7 {
        problems.push((msd!("402.3", Limit), format!("エキストラデッキは7枚まで（{}枚ある）", deck.extra.len())));
    }
    for card in deck.extra.iter().filter(|c| !is_extra(c)) {
        problems.push((msd!("402.3", Limit), format!("「{}」はエキストラデッキに入れられない", card.name)));
    }
    for (key, n) in counted(deck.extra.iter().map(|c| (printed_name(c), 0))) {
        if n > most_of(key.0) {
            let most = most_of(key.0);
            problems
                .push((msd!("402.3a", Limit), format!("エキストラデッキの「{}」は{most}枚まで（{n}枚ある）", key.0)));
        }
    }
    problems
}

fn counted(keys: impl Iterator<Item = (Word, i32)>) -> Vec<((Word, i32), usize)> {
    let mut found: Vec<((Word, i32), usize)> = Vec::new();
    for key in keys {
        match found.iter_mut().find(|(k, _)| *k == key) {
            Some((_, n)) => *n += 1,
            None => found.push((key, 1)),
        }
    }
    found
}

/// 401.1, 402: both bring their decks, and a deck that is not right is refused.
pub fn register(d: &mut Duel) -> Flow {
    if d.given.defs.iter().any(|def| own_limit(&def.card).is_some()) {
        d.trace.reach(msd!("402.4", Limit));
    }
    for seat in Seat::BOTH {
        let mut moves = vec![Move::PASS];
        if wrong(d, seat).is_empty() {
            moves.push(Move { verb: Word("デッキ"), ..Move::PASS });
        }
        super::priority::ask(d, seat, moves, msd!("402.1", Frame))?;
    }
    Ok(())
}

/// 403: shuffle, seven to the hand, seven orbs, the exchange, and the coin.
pub fn start(d: &mut Duel) -> Flow {
    let first = d.t.active;
    d.reading(msd!("C21", Reading), "a");
    d.step(msd!("403.1"), |d| Seat::BOTH.into_iter().try_for_each(|seat| acts::shuffle(d, seat)))?;
    d.step(msd!("403.3"), |d| Seat::BOTH.into_iter().try_for_each(|seat| from_top(d, seat, Own::Hand, 7)))?;
    d.step(msd!("403.4"), |d| Seat::BOTH.into_iter().try_for_each(|seat| from_top(d, seat, Own::Orbs, 7)))?;
    d.step(msd!("403.5"), |d| exchange(d, first))?;
    d.step(msd!("403.6"), |d| coin(d, first.other()))?;
    // 403.7: whoever goes first begins.
    if !d.applies(msd!("403.7"), |_| "先攻のターンから始める".into()) {
        d.begin_with(first.other());
    }
    Ok(())
}

pub const COIN: Word = Word("コイン・トークン");
/// What the coin does: which odo, and how many, is lost in the document (reading C23).
pub const COINS_ODO: Word = Word("コインのオドを生み出す");

/// 403.6a: without a kind, and good for odo from the zone of the 魔法少女 only.
pub fn coin_card() -> Card {
    let discard = Step::Move {
        what: Some(Word("this")),
        all: None,
        to: Word("墓地"),
        near: Default::default(),
        at: None,
        state: None,
        control: None,
        how: Some(Word("破棄")),
        attach: None,
        slot: None,
    };
    let ability = Ability {
        kind: Kind::Activated,
        from: vec![Word("魔法少女ゾーン")],
        cost: vec![discard],
        steps: vec![Step::Act { name: COINS_ODO, who: None, what: None, count: None, slot: None }],
        clauses: super::keywords::given(msd!("403.6a", Meaning)),
        ..Ability::default()
    };
    Card {
        name: COIN,
        data: Default::default(),
        abilities: vec![ability],
        inferred: true,
        unencoded: Vec::new(),
        from: Vec::new(),
    }
}

/// 403.6: one for whoever comes second. Reading C11: it has no kind.
fn coin(d: &mut Duel, seat: Seat) -> Flow {
    let is_coin = |id: &&CardId| d.card(d.t.now(**id)).name == COIN;
    let Some(id) = d.t.zone(NOWHERE).iter().find(is_coin).copied() else {
        return d.unwritten("用意されていないコイン・トークンを作成すること", &["msd:403.6"]);
    };
    let (card, to) = (d.t.now(id), zone(Own::Girls, seat));
    let mut event = d.moving(card, to).seat(seat);
    event.how = Word("生成");
    event.what = What::Move { to, bottom: false, state: 0, face_up: true, controller: Some(seat), host: None };
    let made = d.propose_one(event)?;
    if let Some(card) = made.first().and_then(|e| e.after)
        && d.reading(msd!("C11", Reading), "a") == "b"
    {
        super::activate::hold(d, card, vec![Change::Join(Word("種類"), Word("怪異"))]);
    }
    Ok(())
}

fn from_top(d: &mut Duel, seat: Seat, to: Own, n: usize) -> Flow {
    for _ in 0..n {
        let Some(top) = d.t.zone(zone(Own::Deck, seat)).last().copied() else { return Ok(()) };
        let (card, to) = (d.t.now(top), zone(to, seat));
        let mut event = d.moving(card, to);
        event.what = What::Move { to, bottom: false, state: 0, face_up: false, controller: None, host: None };
        d.happen(vec![event])?;
    }
    Ok(())
}

/// 403.5: both say whether they exchange, the first player first; then those who do, in the same order.
fn exchange(d: &mut Duel, first: Seat) -> Flow {
    let mut wanting = Vec::new();
    for seat in [first, first.other()] {
        if d.yes(seat, Word("交換"), None)? {
            wanting.push(seat);
        }
    }
    for seat in wanting {
        let hand: Vec<Thing> = d.t.zone(zone(Own::Hand, seat)).iter().map(|id| Thing::Card(d.t.now(*id))).collect();
        let max = hand.len();
        let chosen = d.pick(Question::new(seat, Word("交換する札"), Asks::Choose { of: hand, min: 0, max }))?;
        let cards: Vec<Ref> =
            chosen.iter().filter_map(|t| if let Thing::Card(r) = t { Some(*r) } else { None }).collect();
        let to = zone(Own::Deck, seat);
        for card in &cards {
            let mut event = d.moving(*card, to);
            event.what = What::Move { to, bottom: true, state: 0, face_up: false, controller: None, host: None };
            d.happen(vec![event])?;
        }
        from_top(d, seat, Own::Hand, cards.len())?;
    }
    Ok(())
}

/// 103.4: at any time, and no effect stops it.
pub fn concede(d: &mut Duel, seat: Seat) -> Flow {
    d.step(msd!("103.4", Limit), |d| over(d, Outcome::Won(seat.other())))
}

/// 103.1–103.3: one of them loses, or both at once.
pub fn lose(d: &mut Duel, losers: &[Seat]) -> Flow {
    let events = losers.iter().map(|seat| Event::signal(Word("敗北")).seat(*seat)).collect();
    let happened = d.propose(events)?.happened;
    let lost = |seat: &Seat| happened.iter().any(|e| e.name == "敗北" && e.seat == Some(*seat));
    let losers: Vec<Seat> = losers.iter().copied().filter(lost).collect();
    match losers.as_slice() {
        [] => Ok(()),
        [one] => d.step(msd!("103.2", Check), |d| over(d, Outcome::Won(one.other()))),
        _ => d.step(msd!("103.3", Check), |d| over(d, Outcome::Draw)),
    }
}

/// Somebody wins at once, unless a text says otherwise.
pub fn win(d: &mut Duel, winner: Seat) -> Flow {
    match d.propose_one(Event::signal(Word("勝利")).seat(winner))?.any() {
        true => over(d, Outcome::Won(winner)),
        false => Ok(()),
    }
}

pub fn over<T>(d: &mut Duel, outcome: Outcome) -> Flow<T> {
    d.over(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(name: &str, kind: &str, level: i32) -> Card {
        let mut data = std::collections::BTreeMap::new();
        data.insert(Word("種類"), Datum::Words(vec![Word::new(kind)]));
        data.insert(Word("レベル"), Datum::Number(level));
        Card { name: Word::new(name), data, abilities: vec![], inferred: true, unencoded: vec![], from: vec![] }
    }

    #[test]
    fn every_violation_with_its_clause() {
        let (monster, god) = (card("甲", "怪異", 0), card("乙", "神", 0));
        let girls = [card("丙", "魔法少女", 1), card("丙", "魔法少女", 2)];
        let mut main: Vec<&Card> = vec![&monster; 5];
        main.extend([&girls[0], &girls[0], &girls[0], &girls[0], &girls[1], &girls[1], &girls[1], &girls[1], &god]);
        let extra = vec![&monster; 8];
        let problems = deck_problems(&Deck { main, extra, ..Deck::default() });
        let mut clauses: Vec<&str> = problems.iter().map(|(c, _)| c.clause).collect();
        clauses.sort_unstable();
        clauses.dedup();
        assert_eq!(clauses, ["402.2", "402.2a", "402.3", "402.3a"]);
        let fine: Vec<Card> = (0..50).map(|i| card(&format!("札{i}"), "怪異", 0)).collect();
        let fine: Vec<&Card> = fine.iter().collect();
        assert!(deck_problems(&Deck { main: fine, ..Deck::default() }).is_empty());
    }
}
