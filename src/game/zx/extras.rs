//! 1020–1025: the conditions by which extras are played, and what they cost.

use super::acts;
use super::pay::{self, Cost};
use super::places::{is_kind, squares, zone};
use super::schema::{COST, PRICE, at, counter};
use crate::card::{Change, Filter, Keyword, Value, Word};
use crate::kernel::table::Ongoing;
use crate::kernel::{
    Asks, CardId, Cause, Cite, Ctx, Duel, Event, Flow, Halt, Means, Question, Ref, Refusal, Seat, Thing, What,
};

const WAYS: [&str; 4] = ["降臨条件", "覚醒条件", "夢装条件", "憑依条件"];

/// 806.1g–806.1j: the ways in which the card can be played besides its plain resource cost.
pub fn ways(d: &mut Duel, card: Ref) -> Vec<Word> {
    let keywords = d.glance(card).abilities.iter().filter_map(|a| a.keyword.as_ref());
    let mut has = [false; WAYS.len()];
    for at in keywords.filter_map(|k| WAYS.iter().position(|way| k.name == *way)) {
        has[at] = true;
    }
    if has == [false; WAYS.len()] {
        return Vec::new();
    }
    let cites = [zx!("806.1g"), zx!("806.1h"), zx!("806.1i"), zx!("806.1j")];
    let ways = WAYS.into_iter().zip(has).zip(cites);
    ways.filter(|((_, has), cite)| *has && d.on(cite)).map(|((way, _), _)| Word(way)).collect()
}

fn keyword(d: &mut Duel, card: Ref, way: Word) -> Option<Keyword> {
    d.seen(card).keyword(&way).cloned()
}

fn wanted(keyword: &Keyword) -> Option<usize> {
    match keyword.value {
        Some(Value::Number(n)) => Some(n.max(0) as usize),
        _ => None,
    }
}

fn cost_of(d: &mut Duel, card: Ref) -> i32 {
    d.glance(card).number(const { at(COST) }).unwrap_or(0)
}

/// The cards that the condition speaks of, in the zone where it looks for them, and those that will not do, with why.
type Fitting = (Vec<Ref>, Vec<(Thing, &'static Cite)>);

fn fitting(d: &mut Duel, who: Seat, card: Ref, keyword: &Keyword, place: &'static str) -> Fitting {
    let filter = keyword.filter.clone().unwrap_or_default();
    let squares = place == "スクエア";
    let clause = clause(keyword);
    let filter = Filter {
        is: if filter.is.is_empty() && squares { vec![Word("ゼクス")] } else { filter.is.clone() },
        of: Some(Word("自分")),
        within: vec![Word(place)],
        state: if squares && d.on(clause) { Some(Word("リブート")) } else { filter.state },
        ..filter
    };
    let slots = Default::default();
    let ctx = Ctx { this: Some(card), seat: who, slots: &slots, event: None };
    let found = d.see(|eyes| eyes.select(&ctx, &filter));
    let costs = ["降臨条件", "憑依条件"].contains(&keyword.name.as_str());
    let mut fitting = (Vec::new(), Vec::new());
    for r in found.into_iter().filter(|r| *r != card) {
        let endless = if costs { endless(d, r) } else { None };
        match endless.or_else(|| unable(d, who, r, keyword)) {
            Some(cite) => fitting.1.push((Thing::Card(r), cite)),
            None => fitting.0.push(r),
        }
    }
    if d.gives_reasons() {
        let there = Filter { within: vec![Word(place)], ..Filter::default() };
        let others = d.see(|eyes| eyes.select(&ctx, &there));
        let known = |r: &Ref| fitting.0.contains(r) || fitting.1.iter().any(|(thing, _)| *thing == Thing::Card(*r));
        let others: Vec<Ref> = others.into_iter().filter(|r| !known(r)).collect();
        fitting.1.extend(others.into_iter().map(|r| (Thing::Card(r), clause)));
    }
    fitting
}

/// The clause that says which cards the condition asks for.
fn clause(keyword: &Keyword) -> &'static Cite {
    match keyword.name.as_str() {
        "降臨条件" => zx!("1020.2", Limit),
        "憑依条件" => zx!("1025.2", Limit),
        _ => zx!("1021.2", Limit),
    }
}

/// 203.3: a card whose cost is ∞ is no part of what is made out by costs.
fn endless(d: &mut Duel, card: Ref) -> Option<&'static Cite> {
    if d.glance(card).number(const { at(COST) }).is_some() {
        return None;
    }
    let cite = zx!("203.3", Limit);
    d.trace.reach(cite);
    d.on(cite).then_some(cite)
}

/// 806.2b, 1025.3a: what may not be moved there is not chosen; that it would end up elsewhere is no matter.
fn unable(d: &mut Duel, who: Seat, card: Ref, keyword: &Keyword) -> Option<&'static Cite> {
    let (event, cite) = match place(keyword) {
        "スクエア" if keyword.name == "憑依条件" => {
            (super::force::into_force(d, card, card.id, true, cause(who)), zx!("1025.3a", Limit))
        }
        "スクエア" => (acts::destruction(d, card).by(cause(who)), zx!("806.2b", Limit)),
        from => {
            let red = keyword.words.first().is_some_and(|w| *w == "赤");
            let to = if red {
                "リムーブゾーン"
            } else if from == "チャージ" {
                "トラッシュ"
            } else {
                "デッキ"
            };
            (d.moving(card, zone(to, who)).by(cause(who)), zx!("806.2b", Limit))
        }
    };
    if !d.forbidden(&event) {
        return None;
    }
    d.trace.reach(cite);
    d.on(cite).then_some(cite)
}

/// Where the condition looks for cards.
fn place(keyword: &Keyword) -> &'static str {
    let colour = keyword.words.first().map_or("", |w| w.as_str());
    match (keyword.name.as_str(), colour) {
        ("覚醒条件", "赤" | "白") => "トラッシュ",
        ("覚醒条件", "青") => "手札",
        ("覚醒条件", "黒") => "チャージ",
        ("覚醒条件", "緑") => "リソース",
        _ => "スクエア",
    }
}

/// Not even as many cards lie where the condition looks for them as it asks for.
fn are_few(d: &mut Duel, who: Seat, keyword: &Keyword) -> bool {
    let Some(wanted) = wanted(keyword) else { return false };
    let view = d.look();
    let own = |id: &&CardId| !d.t.obj(**id).turned() && view.cards[id.0 as usize].controller == who;
    let there = match place(keyword) {
        "スクエア" => squares().flat_map(|square| d.t.zone(square)).filter(own).count(),
        place => d.t.zone(zone(place, who)).len(),
    };
    there < wanted
}

/// Why the card cannot be played in that way now, if it cannot.
pub fn hindrance(d: &mut Duel, who: Seat, card: Ref, way: Word) -> Option<(&'static Cite, &'static str)> {
    let seen = d.seen(card);
    let k = seen.keyword(&way)?;
    let cost = cost_of(d, card);
    let resources = d.t.zone(zone("リソース", who)).len() as i32;
    // Where nobody reads why, what is made out quickly is asked first.
    let too_dear = d.only_lists()
        && match way.as_str() {
            "降臨条件" => resources < cost || are_few(d, who, k),
            "覚醒条件" => {
                let price = pay::of_card(d, card);
                !pay::payable(d, who, &price) || are_few(d, who, k)
            }
            "憑依条件" => are_few(d, who, k),
            _ => false,
        };
    if too_dear {
        return Some((zx!("805.3c", Limit), ""));
    }
    let counted = way == "夢装条件" && d.only_lists();
    let all = if counted { Vec::new() } else { fitting(d, who, card, k, place(k)).0 };
    let n = wanted(k);
    let mut costs: Vec<i32> = Vec::new();
    for r in &all {
        costs.push(cost_of(d, *r));
    }
    costs.sort_unstable_by(|a, b| b.cmp(a));
    let best: i32 = costs.iter().take(n.unwrap_or(costs.len())).sum();
    let short = n.is_some_and(|n| all.len() < n);
    match way.as_str() {
        "降臨条件" => {
            let cite = zx!("1020.2", Limit);
            if !d.on(cite) {
                None
            } else if resources < cost {
                Some((cite, "リソースの枚数がコストに足りない"))
            } else if short || best < cost {
                Some((cite, "破壊するゼクスのコストの合計が足りない"))
            } else {
                None
            }
        }
        "憑依条件" => {
            let cite = zx!("1025.2", Limit);
            if short && d.only_lists() {
                return Some((cite, ""));
            }
            // What takes something off a price never makes it dearer.
            let price = pay::of_card(d, card);
            if d.only_lists() && pay::payable(d, who, &price) {
                return None;
            }
            let price = possessed(d, card, best);
            if short && d.on(cite) {
                Some((cite, "憑依させるゼクスが足りない"))
            } else {
                (!pay::payable(d, who, &price)).then_some((zx!("805.3c", Limit), "リソースコストを支払えない"))
            }
        }
        "夢装条件" => {
            let cite = zx!("1022.2", Limit);
            let icon = k.words.first().and_then(|w| counter(w));
            let there = icon.map_or(0, |i| d.t.seats[who.index()][i]);
            (d.on(cite) && (there as usize) < n.unwrap_or(1)).then_some((cite, "カウンターが足りない"))
        }
        _ => {
            let cite = zx!("1021.2", Limit);
            let price = pay::of_card(d, card);
            if short && d.on(cite) {
                Some((cite, "覚醒条件のカードが足りない"))
            } else {
                (!pay::payable(d, who, &price)).then_some((zx!("805.3c", Limit), "リソースコストを支払えない"))
            }
        }
    }
}

/// 1025.2a, reading C5: the least that is paid after a possession.
fn least(d: &mut Duel, cost: i32, sum: i32) -> i32 {
    let one = d.reading(zx!("C5", Reading), "a") != "b" || sum > cost;
    i32::from(one && d.on(zx!("1025.2a", Limit)))
}

/// Chooses the cards of the condition.
fn choose(d: &mut Duel, who: Seat, card: Ref, k: &Keyword, barred: &[Ref]) -> Flow<Option<Vec<Ref>>> {
    let (mut of, refused) = fitting(d, who, card, k, place(k));
    of.retain(|r| !barred.contains(r));
    let (min, max) = match wanted(k) {
        Some(n) if of.len() < n => return Ok(None),
        Some(n) => (n, n),
        None => (0, of.len()),
    };
    let asks = Asks::Choose { of: of.iter().map(|r| Thing::Card(*r)).collect(), min, max };
    let question = Question::new(who, k.name, asks).citing(zx!("804.2c", Frame)).about(Some(card));
    let question = Question { refused, ..question };
    d.trace.reach(zx!("804.2c", Frame));
    let chosen = d.pick(question)?;
    Ok(Some(chosen.into_iter().filter_map(|t| if let Thing::Card(r) = t { Some(r) } else { None }).collect()))
}

/// 1020.3, 1021.3, 1025.4, 1027.1b: what is done for it is done by no ability and no effect.
pub fn cause(who: Seat) -> Cause {
    Cause { means: Means::Cost, card: None, seat: Some(who) }
}

/// 804.2c, 804.2d: what is chosen and made out before the card goes to the temporary zone.
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    pub price: Cost,
    cost: i32,
    chosen: Vec<Ref>,
}

/// Chooses what the price depends on and fixes it. `None`: it cannot be done.
pub fn fix(d: &mut Duel, who: Seat, card: Ref, way: Word, price: Cost) -> Flow<Option<Fixed>> {
    let cost = cost_of(d, card);
    let Some(k) = keyword(d, card, way) else { return Ok(None) };
    if !["憑依条件", "降臨条件"].contains(&way.as_str()) {
        return Ok(Some(Fixed { price, cost, chosen: Vec::new() }));
    }
    let Some(chosen) = choose(d, who, card, &k, &[])? else { return Ok(None) };
    let price = if way == "憑依条件" {
        let less = sum(d, &chosen);
        if less >= cost {
            d.trace.reach(zx!("1025.2a", Limit));
        }
        d.trace.reach(zx!("1025.2", Limit));
        possessed(d, card, less)
    } else {
        price
    };
    Ok(Some(Fixed { price, cost, chosen }))
}

/// Does what the condition asks for. `None`: it cannot be done. The cards that become force (1025.3).
pub fn pay(d: &mut Duel, who: Seat, card: Ref, way: Word, fixed: Fixed) -> Flow<Option<Vec<Ref>>> {
    let Some(k) = keyword(d, card, way) else { return Ok(None) };
    match way.as_str() {
        "夢装条件" => d.under(zx!("806.1i"), |d| {
            let Some(icon) = k.words.first().and_then(|w| counter(w)) else { return Ok(None) };
            let n = wanted(&k).unwrap_or(1) as i32;
            let done = acts::count_down(d, who, icon, n, cause(who))?;
            d.trace.reach(zx!("1022.2", Frame));
            Ok(done.then(Vec::new))
        }),
        "降臨条件" => d.under(zx!("806.1g"), |d| descend(d, who, card, fixed)),
        "憑依条件" => d.under(zx!("806.1j"), |d| Ok(pay::pay(d, who, &fixed.price)?.then_some(fixed.chosen))),
        _ => d.under(zx!("806.1h"), |d| awaken(d, who, card, &k, &fixed.price)),
    }
}

fn sum(d: &mut Duel, cards: &[Ref]) -> i32 {
    cards.iter().map(|r| cost_of(d, *r)).sum()
}

/// 1020.2, 1020.3.
fn descend(d: &mut Duel, who: Seat, card: Ref, fixed: Fixed) -> Flow<Option<Vec<Ref>>> {
    let cite = zx!("1020.2", Limit);
    if sum(d, &fixed.chosen) < fixed.cost && d.on(cite) {
        let what = format!("プレイ {}", d.card_name(card));
        let why = "破壊するゼクスのコストの合計が足りない".to_string();
        return Err(Halt::Refused(Box::new(Refusal { what, cite: Some(cite), why })));
    }
    d.trace.reach(zx!("1020.2", Limit));
    let mut events = Vec::new();
    for r in &fixed.chosen {
        events.push(acts::destruction(d, *r).by(cause(who)));
    }
    d.trace.reach(zx!("1020.3", Frame));
    if !events.is_empty() {
        d.happen(events)?;
    }
    Ok(Some(Vec::new()))
}

/// 1025.2, 1025.2a: the resource cost with the costs of the chosen cards taken off, beside all else that changes it
/// (805.2c, 811.8).
fn possessed(d: &mut Duel, card: Ref, less: i32) -> Cost {
    let cost = cost_of(d, card);
    let floor = least(d, cost, less);
    let down = Change::Down(Word(PRICE), Value::Number(less), floor);
    let seat = d.t.obj(card.id).owner;
    let price = pay::of_card(d, card);
    let seen = d.imagine_under(vec![Ongoing::on(card, seat, vec![down])], card);
    Cost { points: pay::points(d, &seen, card), ..price }
}

/// 1021.2: the resource cost and what the colour asks for, in the order that the player likes (804.2f).
fn awaken(d: &mut Duel, who: Seat, card: Ref, k: &Keyword, price: &Cost) -> Flow<Option<Vec<Ref>>> {
    // Only what the green one does has to do with what pays for it.
    let green = place(k) == "リソース";
    let first = !green || price.points == 0 || super::play::resources_first(d, who, card)?;
    let spent = if first { pay::spend(d, who, price)? } else { Some(Vec::new()) };
    let Some(spent) = spent else { return Ok(None) };
    let barred = if green { pay::barred(d, spent) } else { Vec::new() };
    if !task(d, who, card, k, &barred)? {
        return Ok(None);
    }
    if !first && !pay::pay(d, who, price)? {
        return Ok(None);
    }
    Ok(Some(Vec::new()))
}

/// 1021.2a–1021.2e, and what else the condition asks for.
fn task(d: &mut Duel, who: Seat, card: Ref, k: &Keyword, barred: &[Ref]) -> Flow<bool> {
    let colour = k.words.first().copied().unwrap_or_default();
    let chosen = match colour.is_empty() {
        true => Vec::new(),
        false => match choose(d, who, card, k, barred)? {
            Some(chosen) => chosen,
            None => return Ok(false),
        },
    };
    let n = chosen.len();
    d.trace.reach(zx!("1021.2", Limit));
    d.trace.reach(zx!("1021.3", Frame));
    match colour.as_str() {
        "赤" => d.step(zx!("1021.2a"), |d| send(d, who, &chosen, "リムーブゾーン"))?,
        "青" => d.step(zx!("1021.2b"), |d| {
            into_deck(d, who, &chosen)?;
            for _ in 0..n {
                acts::draw(d, who, cause(who))?;
            }
            Ok(())
        })?,
        "白" => d.step(zx!("1021.2c"), |d| into_deck(d, who, &chosen))?,
        "黒" => d.step(zx!("1021.2d"), |d| {
            send(d, who, &chosen, "トラッシュ")?;
            from_deck(d, who, n, "チャージ", 0)
        })?,
        "緑" => d.step(zx!("1021.2e"), |d| {
            into_deck(d, who, &chosen)?;
            from_deck(d, who, n, "リソース", 1)
        })?,
        _ => {}
    }
    let mut frame = super::play::frame(who, card);
    frame.cause = cause(who);
    Ok(k.cost.is_empty() || d.perform(&mut frame, &k.cost)?)
}

fn send(d: &mut Duel, who: Seat, cards: &[Ref], to: &str) -> Flow {
    let mut events: Vec<Event> = Vec::new();
    for card in cards {
        let mut event = d.moving(*card, zone(to, who)).by(cause(who)).seat(who);
        if to == "リムーブゾーン" {
            event.how = Word("除外");
        }
        events.push(event);
    }
    if events.is_empty() { Ok(()) } else { d.happen(events) }
}

/// 304.5: one by one, then shuffled.
fn into_deck(d: &mut Duel, who: Seat, cards: &[Ref]) -> Flow {
    let to = zone("デッキ", who);
    for card in cards {
        let mut event = d.moving(*card, to).by(cause(who)).seat(who);
        event.what = What::Move { to, bottom: false, state: 0, face_up: false, controller: None, host: None };
        d.happen(vec![event])?;
    }
    acts::shuffle(d, who)
}

/// 304.3: one by one from the top.
fn from_deck(d: &mut Duel, who: Seat, n: usize, to: &str, state: u8) -> Flow {
    let to = zone(to, who);
    for _ in 0..n {
        let Some(top) = d.t.zone(zone("デッキ", who)).last().copied() else { return Ok(()) };
        let mut event = d.moving(d.t.now(top), to).by(cause(who)).seat(who);
        event.what = What::Move { to, bottom: false, state, face_up: true, controller: None, host: None };
        d.happen(vec![event])?;
    }
    Ok(())
}

/// 506.2, 603.1b: what the card counts as when it is played from the dynamis.
pub fn budget(d: &mut Duel, card: Ref) -> &'static [Word] {
    if is_kind(d, card, "シフト") {
        return &[Word("シフト")];
    }
    let event = is_kind(d, card, "イベント");
    if event { &[Word("エクストラ"), Word("イベント エクストラ")] } else { &[Word("エクストラ")] }
}
