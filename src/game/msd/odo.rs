//! 907 odo abilities and the odo a player holds, 1002 paying, 1108 共同戦線.

use std::sync::Arc;

use super::schema::{ATTRIBUTES, FIRST_ODO, ODO, at};
use super::zones::{Own, all_entities, is_kind, zone};
use crate::card::{Ability, Kind, Step, Word};
use crate::game::matching::met;
use crate::kernel::steps::Frame;
use crate::kernel::{Asks, Cause, Ctx, Duel, Event, Flow, Means, Point, Question, Ref, Seat, Slots, Thing};

/// What is to be paid at once.
#[derive(Clone, Debug, Default)]
pub struct Need {
    /// How many points in all.
    pub total: usize,
    /// 203.2, 1002.3: attributes that must be among them.
    pub cover: Vec<Word>,
    /// 1002.2: symbols, each of which takes a point of its own; what is left of the total is the cost of a card.
    pub symbols: Vec<Word>,
    /// 1108.2: features whose points of any attribute do for an attribute.
    pub joint: Vec<Word>,
    /// Reading C19: symbols of a number take odo without attribute only.
    pub plain: bool,
    /// 903.2g-iv: so many points are still to be taken off, wherever the payer wants.
    pub less: usize,
    /// 1002.1a does not stand: any odo does for some attribute.
    pub careless: bool,
    /// 903.2g-iv-a: the cost of the card does not fall below this.
    pub floor: usize,
    /// Parts too great to be told apart once they are lowered.
    pub unwritten: bool,
}

/// 1002.2: any odo.
pub const FREE: Word = Word("フリー");

/// More points than anybody holds at once: a price beyond it cannot be paid, whatever its number.
const MOST: usize = 3_000;

impl Need {
    pub fn of_symbols(symbols: &[(Word, i32)]) -> Need {
        let mut less = symbols.iter().map(|(_, n)| i64::from(*n).min(0).abs()).sum::<i64>();
        let mut wanted: Vec<(Word, i64)> = Vec::new();
        for (symbol, n) in symbols.iter().filter(|(_, n)| *n > 0) {
            match wanted.iter_mut().find(|(other, _)| other == symbol) {
                Some((_, all)) => *all += i64::from(*n),
                None => wanted.push((*symbol, i64::from(*n))),
            }
        }
        // Where there is one part only, it is that which is lowered.
        if let [(_, n)] = wanted.as_mut_slice() {
            *n = (*n - std::mem::take(&mut less)).max(0);
        }
        // What is left of several such parts once they are lowered cannot be told from what is laid out of them.
        let unwritten = less > 0 && wanted.iter().any(|(_, n)| *n > MOST as i64);
        let each = |(symbol, n): &(Word, i64)| std::iter::repeat_n(*symbol, (*n).min(MOST as i64 + 1) as usize);
        let symbols: Vec<Word> = wanted.iter().flat_map(each).collect();
        let less = (less as usize).min(symbols.len());
        Need { total: symbols.len(), symbols, less, unwritten, ..Need::default() }
    }

    /// 903.2g-iv: what can be left of it once it is lowered, each way once.
    pub fn lowered(self) -> Vec<Need> {
        let mut ways = vec![self];
        while ways.iter().any(|need| need.less > 0) {
            let mut next: Vec<Need> = Vec::new();
            for need in ways {
                if need.less == 0 {
                    next.push(need);
                    continue;
                }
                let cost = need.total - need.symbols.len();
                if cost > need.floor {
                    let one = Need { less: need.less - 1, total: need.total - 1, ..need.clone() };
                    if !next.iter().any(|other| other.is_as(&one)) {
                        next.push(one);
                    }
                }
                if need.symbols.is_empty() && cost <= need.floor {
                    next.push(Need { less: 0, ..need });
                    continue;
                }
                let kinds: std::collections::BTreeSet<Word> = need.symbols.iter().copied().collect();
                for kind in kinds {
                    let mut one = Need { less: need.less - 1, total: need.total - 1, ..need.clone() };
                    let at = one.symbols.iter().position(|s| *s == kind).expect("it is among them");
                    one.symbols.remove(at);
                    if !next.iter().any(|other| other.is_as(&one)) {
                        next.push(one);
                    }
                }
            }
            ways = next;
        }
        ways
    }

    fn is_as(&self, other: &Need) -> bool {
        (self.total, self.less, &self.symbols) == (other.total, other.less, &other.symbols)
    }

    /// What it is, in symbols.
    pub fn label(&self) -> Word {
        let mut text = String::new();
        if self.total > self.symbols.len() {
            text += &format!("コスト{}", self.total - self.symbols.len());
        }
        for (at, symbol) in self.symbols.iter().enumerate() {
            if !self.symbols[..at].contains(symbol) {
                let n = self.symbols.iter().filter(|s| *s == symbol).count();
                text += &format!("{symbol}{n}");
            }
        }
        Word::new(if text.is_empty() { "なし" } else { &text })
    }

    /// What is left to pay once the point is paid, in each way of counting it.
    fn without(&self, point: &Point, way: Cover) -> Vec<Need> {
        let fits = (0..self.symbols.len()).filter(|i| self.pays(point, self.symbols[*i]));
        let mut ways: Vec<Need> = fits
            .map(|i| {
                let mut rest = Need { total: self.total - 1, ..self.clone() };
                rest.symbols.remove(i);
                rest
            })
            .collect();
        if self.total == self.symbols.len() {
            return ways;
        }
        let mut rest = Need { total: self.total - 1, ..self.clone() };
        match way {
            Cover::Shared => rest.cover.retain(|a| !self.covers(point, *a)),
            Cover::Any if rest.cover.iter().any(|a| self.covers(point, *a)) => rest.cover.clear(),
            Cover::Any => {}
            Cover::Apart => {
                let one = |at: usize| {
                    let mut rest = rest.clone();
                    rest.cover.remove(at);
                    rest
                };
                let fits = (0..self.cover.len()).filter(|i| self.covers(point, self.cover[*i]));
                ways.extend(fits.map(one));
            }
        }
        ways.push(rest);
        ways
    }

    /// 1002.1a, 1002.2: a symbol of an attribute, of some attribute, or of any odo.
    fn pays(&self, point: &Point, symbol: Word) -> bool {
        match symbol.as_str() {
            "フリー" => !self.plain || point.words.is_empty(),
            "任意" => self.careless || !point.words.is_empty(),
            _ => point.words.contains(&symbol),
        }
    }

    fn covers(&self, point: &Point, attribute: Word) -> bool {
        let joint = !point.words.is_empty() && self.joint.iter().any(|f| point.from.contains(f));
        point.words.contains(&attribute) || joint
    }
}

/// Reading C14: how the attributes of a card with several are met.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cover {
    /// Each by some point, one point for several.
    Shared,
    /// Each by a point of its own.
    Apart,
    /// One of them is enough.
    Any,
}

/// The need as it is read, and how attributes are met.
fn read(d: &mut Duel, need: &Need) -> (Need, Cover) {
    let numbered = need.symbols.iter().any(|s| *s == "フリー");
    let plain = numbered && d.reading(msd!("C19", Reading), "a") == "b";
    // 1002.1a: odo without attribute is of no attribute.
    let coloured = msd!("1002.1a", Limit);
    if need.symbols.iter().any(|s| *s == "任意") {
        d.trace.reach(coloured);
    }
    let careless = !d.on(coloured);
    (Need { plain, careless, ..need.clone() }, cover(d, need))
}

fn cover(d: &mut Duel, need: &Need) -> Cover {
    if need.cover.len() < 2 {
        return Cover::Shared;
    }
    match d.reading(msd!("C14", Reading), "a") {
        "b" => Cover::Apart,
        "c" => Cover::Any,
        _ => Cover::Shared,
    }
}

/// 1002.4: all of it can be paid with these.
fn payable(points: &[Point], need: &Need, way: Cover) -> bool {
    if points.len() < need.total {
        return false;
    }
    if !need.symbols.is_empty() && need.total > need.symbols.len() {
        return payable_beside(points, need, way);
    }
    if !need.symbols.is_empty() {
        return met(&vec![1; need.symbols.len()], &vec![1; points.len()], |n, p| {
            need.pays(&points[p], need.symbols[n])
        }) == need.symbols.len();
    }
    if need.cover.is_empty() {
        return true;
    }
    match way {
        Cover::Any => points.iter().any(|p| need.cover.iter().any(|a| need.covers(p, *a))),
        Cover::Apart => {
            let n = need.cover.len();
            let found = met(&vec![1; n], &vec![1; points.len()], |a, p| need.covers(&points[p], need.cover[a]));
            found == n && n <= need.total
        }
        Cover::Shared => covered(points, need, &need.cover, need.total),
    }
}

/// Symbols beside the cost of a card: each takes a point of its own, and the rest pay the cost.
fn payable_beside(points: &[Point], need: &Need, way: Cover) -> bool {
    let Some((symbol, others)) = need.symbols.split_first() else { return payable(points, need, way) };
    let first = |at: &usize| !points[..*at].contains(&points[*at]);
    (0..points.len()).filter(first).filter(|at| need.pays(&points[*at], *symbol)).any(|at| {
        let mut left = points.to_vec();
        left.remove(at);
        payable_beside(&left, &Need { total: need.total - 1, symbols: others.to_vec(), ..need.clone() }, way)
    })
}

/// So many points cover all the attributes.
fn covered(points: &[Point], need: &Need, left: &[Word], most: usize) -> bool {
    let Some(first) = left.first() else { return true };
    most > 0
        && points.iter().filter(|p| need.covers(p, *first)).any(|p| {
            let rest: Vec<Word> = left.iter().copied().filter(|a| !need.covers(p, *a)).collect();
            covered(points, need, &rest, most - 1)
        })
}

/// What a board gives by attribute is all that there is; odo of which no attribute is said has none.
pub fn completes(t: &mut crate::kernel::Table) {
    for facts in &mut t.seats {
        let all = facts[FIRST_ODO..=FIRST_ODO + ATTRIBUTES.len()].iter().map(|n| n.max(&0)).sum();
        if all > 0 {
            facts[ODO] = all;
        } else {
            facts[FIRST_ODO] = facts[ODO];
        }
    }
}

/// A board gives odo as numbers: points of one attribute each.
pub fn open(d: &mut Duel) {
    for seat in Seat::BOTH {
        if !d.t.pool[seat.index()].is_empty() {
            continue;
        }
        let facts = d.t.seats[seat.index()];
        let mut points = vec![Point { words: Vec::new(), from: Vec::new() }; facts[FIRST_ODO].max(0) as usize];
        for (i, attribute) in ATTRIBUTES.iter().enumerate() {
            let one = Point { words: vec![Word(attribute)], from: Vec::new() };
            points.extend(std::iter::repeat_n(one, facts[FIRST_ODO + 1 + i].max(0) as usize));
        }
        if !points.is_empty() {
            *d.aside().pool(seat) = points;
            tally(d, seat);
        }
    }
}

/// The numbers that texts and boards read.
fn tally(d: &mut Duel, seat: Seat) {
    let pool = d.t.pool[seat.index()].clone();
    let count = |has: &dyn Fn(&Point) -> bool| pool.iter().filter(|p| has(p)).count() as i32;
    *d.number_of(seat, ODO) = pool.len() as i32;
    *d.number_of(seat, FIRST_ODO) = count(&|p| p.words.is_empty());
    for (i, attribute) in ATTRIBUTES.iter().enumerate() {
        *d.number_of(seat, FIRST_ODO + 1 + i) = count(&|p| p.words.iter().any(|w| w == attribute));
    }
}

/// 507.5b: all odo of both players goes.
pub fn vanish(d: &mut Duel) {
    for seat in Seat::BOTH {
        d.aside().pool(seat).clear();
        tally(d, seat);
    }
}

/// 907.4: what is produced is held by the controller of the ability.
fn produce(d: &mut Duel, seat: Seat, source: Option<Ref>, words: Vec<Word>, n: i32) -> Flow<bool> {
    if n <= 0 {
        return Ok(false);
    }
    let from = source.map(|card| d.seen(card)).filter(|s| is_kind(s, "魔法少女"));
    let from = from.map(|s| s.words(at::RACE).to_vec()).unwrap_or_default();
    d.trace.reach(msd!("907.4", Frame));
    let point = Point { words, from };
    let event = Event {
        amount: n,
        cause: Cause { means: Means::Effect, card: source, seat: Some(seat) },
        ..Event::signal(Word("オド"))
    };
    // What is forbidden or replaced produces nothing.
    if !d.propose_one(event.seat(seat))?.any() {
        return Ok(false);
    }
    if d.t.pool[seat.index()].len() + n as usize > MOST {
        return d.unwritten("3000点を超えるオドを持つこと", &["msd:907.1"]);
    }
    d.aside().pool(seat).extend(std::iter::repeat_n(point, n as usize));
    tally(d, seat);
    Ok(true)
}

/// 907.5–907.7: the acts by which a text produces odo.
pub fn produced(d: &mut Duel, name: Word, what: Option<Word>, count: Option<i32>, ctx: &Ctx) -> Flow<bool> {
    let kind = name.strip_suffix("オドを生み出す").unwrap_or_default();
    let card = what.and_then(|w| d.see(|eyes| eyes.refs(ctx, w)).first().copied()).or(ctx.this);
    let (words, usual) = match kind {
        // 907.6: those of the card, as many as its level.
        "" => {
            let Some(card) = card else { return Ok(false) };
            let seen = d.seen(card);
            (seen.words(at::ATTRIBUTE).to_vec(), seen.number(at::LEVEL).unwrap_or(0))
        }
        "任意" => {
            let of = ATTRIBUTES.iter().map(|a| Thing::Word(Word(a))).collect();
            let asks = Asks::Choose { of, min: 1, max: 1 };
            let chosen = d.pick(Question::new(ctx.seat, Word("属性"), asks).citing(msd!("907.7", Frame)))?;
            let word = |t: &Thing| if let Thing::Word(w) = t { Some(*w) } else { None };
            (chosen.iter().filter_map(word).collect(), 1)
        }
        "コインの" if d.reading(msd!("C23", Reading), "a") == "a" => {
            return d.undecided("コイン・トークンが生み出すオドの種類と数", &["msd:403.6a"]);
        }
        "無属性" | "コインの" => {
            d.trace.reach(msd!("907.5", Frame));
            (Vec::new(), 1)
        }
        attribute => (vec![Word::new(attribute)], 1),
    };
    produce(d, ctx.seat, ctx.this, words, count.unwrap_or(usual))
}

/// 907.1: an activated ability without target that produces odo.
pub fn is_odo(ability: &Ability) -> bool {
    let makes = |s: &Step| matches!(s, Step::Act { name, .. } if name.ends_with("オドを生み出す"));
    ability.target.is_empty() && ability.modes.is_empty() && ability.steps.iter().any(makes)
}

/// 403.6a.
fn is_coins(ability: &Ability) -> bool {
    ability.steps.iter().any(|s| matches!(s, Step::Act { name, .. } if *name == super::setup::COINS_ODO))
}

/// The odo abilities that the player could activate while paying.
pub fn abilities(d: &mut Duel, seat: Seat, paying: bool) -> Vec<(Ref, u8, Arc<Ability>)> {
    let mut found = Vec::new();
    // Hardly any card gives odo from elsewhere.
    let away = |a: &Ability| a.from.iter().any(|z| ["手札", "墓地", "除外ゾーン"].iter().any(|w| z == w)) && is_odo(a);
    let mut elsewhere: Vec<Ref> = Vec::new();
    if d.given.defs.iter().any(|def| def.card.abilities.iter().any(away)) {
        let own = [Own::Hand, Own::Graveyard, Own::Removed].into_iter().flat_map(|own| d.t.zone(zone(own, seat)));
        elsewhere = own.map(|id| d.t.now(*id)).collect();
    }
    for card in all_entities(d, seat).into_iter().chain(elsewhere) {
        let seen = d.seen(card);
        if !seen.kinds.activated {
            continue;
        }
        // Reading C4: those of a 神 only at main timing.
        if paying && is_kind(&seen, "神") && d.reading(msd!("C4", Reading), "b") != "a" {
            continue;
        }
        let (zone, face_up) = (d.t.obj(card.id).zone, d.t.obj(card.id).face_up);
        for (number, ability) in seen.abilities.iter().enumerate() {
            if ability.kind == Kind::Activated
                && is_odo(ability)
                && d.works(&seen, zone, face_up, ability)
                && !d.is_used_up(card, seat, ability)
                && allowed(d, seat, card, ability)
                && able(d, seat, card, ability)
            {
                found.push((card, number as u8, ability.clone()));
            }
        }
    }
    found
}

/// What the text itself asks for is so, and no text forbids it.
fn allowed(d: &mut Duel, seat: Seat, card: Ref, ability: &Ability) -> bool {
    let timely = ability.timing.is_none_or(|t| t != "メインタイミング" || super::priority::main_timing(d, seat));
    let slots = Slots::default();
    let ctx = Ctx { this: Some(card), seat, slots: &slots, event: None };
    let holds = ability.cond.as_ref().is_none_or(|cond| d.see(|eyes| eyes.holds(&ctx, cond)));
    timely && holds && (d.look().rules.is_empty() || !d.forbidden(&super::text::would(Word("起動"), Some(card), seat)))
}

/// Using it once keeps its card from being used again.
fn spends_its_card(ability: &Ability) -> bool {
    let this = |what: &Option<Word>| what.is_some_and(|w| w == "this");
    ability.limit.is_some()
        || ability.cost.iter().any(|s| match s {
            Step::Turn { what, .. } | Step::Move { what, .. } => this(what),
            _ => false,
        })
}

fn able(d: &mut Duel, seat: Seat, card: Ref, ability: &Ability) -> bool {
    // Most only rest the card itself: nothing needs to be tried.
    if let ([Step::Turn { what: Some(what), state, .. }], None) = (ability.cost.as_slice(), &ability.price)
        && *what == "this"
        && *state == "レスト"
        && d.look().rules.is_empty()
    {
        let rested = Event {
            what: crate::kernel::What::Turn { state: super::schema::RESTED },
            ..Event::about(Word("レスト"), card).by(Cause { means: Means::Cost, card: Some(card), seat: Some(seat) })
        };
        return super::text::forbids(d, &rested).is_none();
    }
    super::activate::could_pay_steps(d, seat, card, ability, &Slots::default())
}

/// 907.3: resolved at once, without the chase zone.
pub fn activate(d: &mut Duel, seat: Seat, card: Ref, ability: &Arc<Ability>) -> Flow<bool> {
    d.trace.reach(msd!("907.1", Frame));
    d.under(msd!("907.3"), |d| {
        d.reach_clauses(ability);
        let cause = Cause { means: Means::Cost, card: Some(card), seat: Some(seat) };
        let mut frame = Frame { this: Some(card), seat, slots: Slots::default(), event: None, cause };
        let price = ability.price.clone().unwrap_or_default();
        let need = super::activate::ability_need(d, card, &price, &Slots::default());
        if !pay(d, seat, &need.lowered().pop().unwrap_or_default())? {
            return Ok(false);
        }
        if !ability.cost.is_empty() && !d.perform(&mut frame, &ability.cost)? {
            return Ok(false);
        }
        d.use_up(card, seat, ability);
        frame.cause.means = Means::Effect;
        d.perform(&mut frame, &ability.steps)?;
        d.happen(vec![Event::about(Word("オド能力"), card).seat(seat)])?;
        Ok(true)
    })
}

/// What an ability would produce, in each way.
fn yields(d: &mut Duel, seat: Seat, card: Ref, ability: &Ability) -> Vec<Vec<Point>> {
    let seen = d.seen(card);
    let from = if is_kind(&seen, "魔法少女") { seen.words(at::RACE).to_vec() } else { Vec::new() };
    let slots = Slots::default();
    let mut ways: Vec<Vec<Point>> = vec![Vec::new()];
    for step in &ability.steps {
        let Step::Act { name, what, count, .. } = step else { continue };
        let Some(kind) = name.strip_suffix("オドを生み出す") else { continue };
        let ctx = Ctx { this: Some(card), seat, slots: &slots, event: None };
        let n = count.as_ref().map(|v| d.number(&ctx, v));
        let (sets, usual) = match kind {
            "" if what.is_none_or(|w| w == "this") => {
                (vec![seen.words(at::ATTRIBUTE).to_vec()], seen.number(at::LEVEL).unwrap_or(0))
            }
            "任意" => (ATTRIBUTES.iter().map(|a| vec![Word(a)]).collect(), 1),
            "" | "無属性" | "コインの" => (vec![Vec::new()], 1),
            attribute => (vec![vec![Word::new(attribute)]], 1),
        };
        let n = (n.unwrap_or(usual).max(0) as usize).min(MOST + 1);
        let with = |so_far: &Vec<Point>, words: &Vec<Word>| {
            let one = Point { words: words.clone(), from: from.clone() };
            so_far.iter().cloned().chain(std::iter::repeat_n(one, n)).collect()
        };
        ways =
            ways.iter().flat_map(|so_far| sets.iter().map(|words| with(so_far, words)).collect::<Vec<_>>()).collect();
    }
    ways
}

/// 903.2h, 1002.5: it can be paid from what is held and what odo abilities would give.
pub fn could_pay(d: &mut Duel, seat: Seat, need: &Need) -> bool {
    could_pay_without(d, seat, need, &[])
}

/// The same when some cards are needed for something else.
pub fn could_pay_without(d: &mut Duel, seat: Seat, need: &Need, spent: &[Ref]) -> bool {
    let free = need.total == 0 && need.symbols.is_empty() && need.cover.is_empty();
    if need.unwritten || free {
        return true;
    }
    if need.less > 0 {
        return need.clone().lowered().iter().any(|need| could_pay_without(d, seat, need, spent));
    }
    let (need, way) = &read(d, need);
    let way = *way;
    if payable(&d.t.pool[seat.index()], need, way) {
        return true;
    }
    let mut sources: Vec<(Ref, bool, Vec<Vec<Point>>)> = Vec::new();
    for (card, _, ability) in abilities(d, seat, true) {
        if spent.contains(&card) {
            continue;
        }
        // Reading C23: what the coin gives is not known, so that it is tried and stops there.
        if is_coins(&ability) && d.reading(msd!("C23", Reading), "a") == "a" {
            return true;
        }
        let ways = yields(d, seat, card, &ability);
        if !spends_its_card(&ability) {
            // As often as what it takes is there; too often is taken back.
            sources.extend((0..need.total).map(|_| (card, false, ways.clone())));
            continue;
        }
        match sources.iter_mut().find(|(c, once, _)| *c == card && *once) {
            Some((_, _, all)) => all.extend(ways),
            None => sources.push((card, true, ways)),
        }
    }
    let mut tries = 20_000;
    let sources: Vec<Vec<Vec<Point>>> = sources.into_iter().map(|(_, _, ways)| ways).collect();
    reaches(&d.t.pool[seat.index()], &sources, need, way, &mut tries)
}

fn reaches(pool: &[Point], sources: &[Vec<Vec<Point>>], need: &Need, way: Cover, tries: &mut usize) -> bool {
    if payable(pool, need, way) {
        return true;
    }
    let Some((first, rest)) = sources.split_first() else { return false };
    *tries = tries.saturating_sub(1);
    // Too many ways to try all: what cannot be completed is taken back.
    *tries == 0
        || first.iter().any(|points| {
            let more: Vec<Point> = pool.iter().chain(points).cloned().collect();
            reaches(&more, rest, need, way, tries)
        })
}

/// 1002.1, 1002.4, 1002.5: all or nothing; while something is missing the payer activates odo abilities.
pub fn pay(d: &mut Duel, seat: Seat, need: &Need) -> Flow<bool> {
    pay_what(d, seat, &mut |_| need.clone())
}

/// The same where what is to be paid may be asked again.
pub fn pay_what(d: &mut Duel, seat: Seat, wanted: &mut dyn FnMut(&mut Duel) -> Need) -> Flow<bool> {
    let more = msd!("1002.5", Meaning);
    let (need, way) = loop {
        let need = wanted(d);
        if need.unwritten {
            return d.unwritten("3000点を超える支払いを減らすこと", &["msd:903.2g-iv"]);
        }
        if need.total == 0 {
            return Ok(true);
        }
        let (need, way) = read(d, &need);
        if payable(&d.t.pool[seat.index()], &need, way) {
            break (need, way);
        }
        let able = abilities(d, seat, true);
        if able.is_empty() || !d.on(more) {
            d.trace.reach(msd!("1002.4", Limit));
            return Ok(false);
        }
        let mut of: Vec<Thing> = able.iter().map(|(card, ..)| Thing::Card(*card)).collect();
        of.dedup();
        let question = Question::new(seat, Word("オド能力"), Asks::Choose { of, min: 1, max: 1 }).citing(more);
        d.trace.reach(more);
        let Some(Thing::Card(card)) = d.pick(question)?.first().copied() else { return Ok(false) };
        let own: Vec<_> = able.into_iter().filter(|(c, ..)| *c == card).collect();
        let at = match own.len() {
            1 => 0,
            n => {
                let asks = Asks::Number { min: 1, max: n as i32 };
                d.ask(Question::new(seat, Word("オド能力の番号"), asks).about(Some(card)))?[0] as usize - 1
            }
        };
        if !activate(d, seat, card, &own[at].2)? {
            return Ok(false);
        }
    };
    d.step(msd!("1002.1"), |d| spend(d, seat, need, way))?;
    Ok(true)
}

/// Which points go: asked where they differ, and nobody need answer.
fn spend(d: &mut Duel, seat: Seat, mut need: Need, way: Cover) -> Flow {
    while need.total > 0 {
        let pool = d.t.pool[seat.index()].clone();
        let mut options: Vec<(usize, Need)> = Vec::new();
        for (at, point) in pool.iter().enumerate() {
            if options.iter().any(|(other, _)| pool[*other] == *point) {
                continue;
            }
            let mut rest = pool.clone();
            rest.remove(at);
            if let Some(left) = need.without(point, way).into_iter().find(|left| payable(&rest, left, way)) {
                options.push((at, left));
            }
        }
        // What is good for least goes first unless told.
        options.sort_by_key(|(at, _)| pool[*at].words.len());
        let of = options.iter().map(|(at, _)| Thing::Word(label(&pool[*at]))).collect();
        let mut question = Question::new(seat, Word("支払い"), Asks::Choose { of, min: 1, max: 1 });
        question.minor = true;
        let Some(chosen) = d.ask(question.citing(msd!("1002.1", Frame)))?.first().copied() else { return Ok(()) };
        let (at, left) = options.swap_remove(chosen as usize);
        d.aside().pool(seat).remove(at);
        need = left;
    }
    tally(d, seat);
    Ok(())
}

fn label(point: &Point) -> Word {
    let words: Vec<&str> = point.words.iter().map(|w| w.as_str()).collect();
    let name = if words.is_empty() { "無属性".to_string() } else { words.join("/") };
    let from: Vec<&str> = point.from.iter().map(|w| w.as_str()).collect();
    Word::new(&if from.is_empty() { name } else { format!("{name}（{}）", from.join("/")) })
}
