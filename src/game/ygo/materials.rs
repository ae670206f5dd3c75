//! 2.4.2–2.4.5, 2.4.16, 2.4.18–2.4.19, 2.4.22: which monsters will do as materials, one by one and together.

use std::cell::RefCell;

use super::kinds::lies_as;
use super::kinds::{level, rating};
use super::landing;
use crate::card::{Filter, Value, Word};
use crate::kernel::eyes::{Ctx, Eyes, Memory};
use crate::kernel::{Asks, Cite, Duel, Flow, Halt, Question, Ref, Refusal, Seat, Slots, Thing};

/// More candidates than this are not looked through.
const MOST: usize = 20;

/// The ways of bringing a monster out with materials.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Link,
    Xyz,
    Synchro,
    Fusion,
}

impl Way {
    pub fn of(verb: &str) -> Option<Way> {
        match verb {
            "リンク召喚" => Some(Way::Link),
            "エクシーズ召喚" => Some(Way::Xyz),
            "シンクロ召喚" => Some(Way::Synchro),
            "融合召喚" => Some(Way::Fusion),
            _ => None,
        }
    }

    pub fn class(self) -> &'static str {
        match self {
            Way::Link => "リンクモンスター",
            Way::Xyz => "エクシーズモンスター",
            Way::Synchro => "シンクロモンスター",
            Way::Fusion => "融合モンスター",
        }
    }

    pub fn verb(self) -> Word {
        match self {
            Way::Link => Word("リンク召喚"),
            Way::Xyz => Word("エクシーズ召喚"),
            Way::Synchro => Word("シンクロ召喚"),
            Way::Fusion => Word("融合召喚"),
        }
    }

    /// How what is used for it goes to the graveyard; for an Xyz summon nothing goes.
    pub fn material(self) -> Word {
        match self {
            Way::Link => Word("リンク素材"),
            Way::Xyz => Word(""),
            Way::Synchro => Word("シンクロ素材"),
            Way::Fusion => Word("融合素材"),
        }
    }

    /// The clause by which it is done in the main phase; that of a synchro summon is lost (C15).
    pub fn in_main(self) -> &'static Cite {
        match self {
            Way::Link => ygo!("2.4.3.2", Limit),
            Way::Xyz => ygo!("2.4.17.2", Limit),
            Way::Synchro | Way::Fusion => ygo!("1.6.2.1", Limit),
        }
    }

    /// The clause that names the materials.
    fn wanted(self) -> &'static Cite {
        match self {
            Way::Link => ygo!("2.4.2.1", Limit),
            Way::Xyz => ygo!("2.4.16.1", Limit),
            Way::Synchro => ygo!("2.4.19.1", Limit),
            Way::Fusion => ygo!("2.4.22.2", Limit),
        }
    }
}

/// A part of the line of materials: what, how many, and whether more will do.
struct Part {
    least: usize,
    more: bool,
    /// Which of the candidates fit.
    fit: Vec<bool>,
}

/// What a monster asks for, and who could be used for it.
pub struct Recipe {
    pub way: Way,
    card: Ref,
    who: Seat,
    parts: Vec<Part>,
    pub of: Vec<Ref>,
    /// Those that a text keeps from being used.
    pub barred: Vec<Ref>,
    /// Whether each of them is a token, and whether a link.
    kinds: Vec<(bool, bool)>,
    /// How many each part has while they are shared out: none before and none after.
    counts: RefCell<Vec<usize>>,
}

impl Recipe {
    /// The monster has a line of materials.
    pub fn is_written(&self) -> bool {
        !self.parts.is_empty()
    }
}

/// How many materials the monster asks for at least.
pub fn least(seen: &crate::kernel::Seen) -> usize {
    let lines = seen.abilities.iter().filter_map(|a| a.keyword.as_ref()).filter(|k| k.name == "素材");
    lines.map(|k| if let Some(Value::Number(n)) = k.value { n.max(0) as usize } else { 1 }).sum()
}

/// Reads the line of materials against the candidates; their fronts count, for their player knows them.
pub fn recipe(d: &mut Duel, who: Seat, way: Way, card: Ref, of: Vec<Ref>) -> Recipe {
    let (barred, of) = of.into_iter().partition(|m| super::procedure::is_no_material(d, who, way, *m));
    with(d, who, way, card, of, barred)
}

/// The same as if no text kept any from being used.
pub fn without_bars(d: &mut Duel, recipe: &Recipe) -> Recipe {
    let of = [&recipe.of[..], &recipe.barred].concat();
    with(d, recipe.who, recipe.way, recipe.card, of, Vec::new())
}

fn with(d: &mut Duel, who: Seat, way: Way, card: Ref, of: Vec<Ref>, barred: Vec<Ref>) -> Recipe {
    let seen = d.seen(card);
    let mut view = d.look();
    let hidden = |c: &Ref| super::places::is_field(d.t.obj(c.id).zone) && !d.t.obj(c.id).face_up;
    if of.iter().any(hidden) {
        let mut open = (*view).clone();
        open.blind = false;
        view = std::rc::Rc::new(open);
    }
    let (memory, slots) = (Memory::default(), Slots::default());
    let eyes = Eyes { t: &d.t, view: &view, book: d.book, memory: &memory };
    let ctx = Ctx { this: Some(card), seat: who, slots: &slots, event: None };
    let any = Filter::default();
    let mut parts = Vec::new();
    for keyword in seen.abilities.iter().filter_map(|a| a.keyword.as_ref()).filter(|k| k.name == "素材") {
        let filter = keyword.filter.as_ref().unwrap_or(&any);
        let fit = of.iter().map(|m| eyes.fits_anywhere(&ctx, filter, *m)).collect();
        let least = match keyword.value {
            Some(Value::Number(n)) => n.max(0) as usize,
            _ => 1,
        };
        parts.push(Part { least, more: keyword.range.is_some_and(|r| r == "以上"), fit });
    }
    let kinds = of.iter().map(|c| (lies_as(d, *c, "トークン"), lies_as(d, *c, "リンクモンスター"))).collect();
    let counts = RefCell::new(vec![0; parts.len()]);
    Recipe { way, card, who, parts, of, barred, kinds, counts }
}

/// Every material has its part, and every part enough of them.
fn shared_out(parts: &[Part], chosen: &[usize], count: &mut [usize]) -> bool {
    let Some((first, rest)) = chosen.split_first() else {
        return parts.iter().zip(count.iter()).all(|(part, n)| *n >= part.least);
    };
    (0..parts.len()).any(|at| {
        let room = parts[at].more || count[at] < parts[at].least;
        room && parts[at].fit[*first] && {
            count[at] += 1;
            let ok = shared_out(parts, rest, count);
            count[at] -= 1;
            ok
        }
    })
}

/// Some way of counting each as one of its values makes the sum.
fn sums_to(values: &[Vec<i32>], sum: i32) -> bool {
    match values.split_first() {
        None => sum == 0,
        Some((first, rest)) => first.iter().any(|n| *n <= sum && sums_to(rest, sum - n)),
    }
}

/// Why these will not do together.
pub fn wrong(d: &mut Duel, recipe: &Recipe, chosen: &[usize]) -> Option<(&'static Cite, &'static str)> {
    let fails = |d: &mut Duel, ok: bool, cite: &'static Cite| {
        d.trace.reach(cite);
        !ok && d.on(cite)
    };
    let token = chosen.iter().any(|i| recipe.kinds[*i].0);
    if recipe.way == Way::Xyz && token && fails(d, false, ygo!("3.3.2.5", Limit)) {
        return Some((ygo!("3.3.2.5", Limit), "トークンはエクシーズ素材にできない"));
    }
    // C27: a token that could not go to the graveyard.
    if token && d.reading(ygo!("C27", Reading), "a") == "b" {
        return Some((ygo!("3.3.2.1", Limit), "トークンは墓地へ行かないので素材にできない"));
    }
    let enough = !chosen.is_empty() && shared_out(&recipe.parts, chosen, &mut recipe.counts.borrow_mut());
    let linked = recipe.way == Way::Link && chosen.iter().any(|i| recipe.kinds[*i].1);
    // 2.4.5.3 is about one body that counts as two; that each is of the kind is the condition itself.
    let fit = chosen.iter().all(|i| recipe.parts.iter().any(|p| p.fit[*i]));
    let cite = match (linked, fit) {
        (true, true) => ygo!("2.4.5.3", Limit),
        (true, false) => ygo!("2.4.4.2", Limit),
        (false, _) => recipe.way.wanted(),
    };
    let also = [ygo!("2.4.4.2", Limit), ygo!("2.4.5.3", Limit)];
    if fails(d, enough, cite) && (!linked || also.into_iter().all(|cite| fails(d, enough, cite))) {
        return Some((cite, "素材の条件を満たしていない"));
    }
    let cards: Vec<Ref> = chosen.iter().map(|i| recipe.of[*i]).collect();
    if let Some(found) = wrong_sum(d, recipe, &cards) {
        return Some(found);
    }
    let room = !landing::zones(d, recipe.who, recipe.card, &cards).is_empty();
    let cite = match recipe.way {
        Way::Link => ygo!("2.4.8.1", Limit),
        _ => ygo!("1.1.3.3", Limit),
    };
    (!room && d.on(cite)).then_some((cite, "出せるゾーンがない"))
}

/// 2.4.2.1, 2.4.4.1, 2.4.18.1: the numbers must come out even.
fn wrong_sum(d: &mut Duel, recipe: &Recipe, cards: &[Ref]) -> Option<(&'static Cite, &'static str)> {
    let seen: Vec<_> = cards.iter().map(|c| d.seen(*c)).collect();
    let own = d.seen(recipe.card);
    let (cite, ok, why) = match recipe.way {
        Way::Link => {
            let counts = ygo!("2.4.4.1", Meaning);
            let several = seen.iter().any(|s| rating(s).unwrap_or(1) > 1);
            if several {
                d.trace.reach(counts);
            }
            let on = d.on(counts);
            let values: Vec<Vec<i32>> =
                seen.iter().map(|s| [1].into_iter().chain(rating(s).filter(|_| on)).collect()).collect();
            let ok = sums_to(&values, rating(&own).unwrap_or(0));
            (ygo!("2.4.2.1", Limit), ok, "リンク素材の数がLINKの数値と違う")
        }
        Way::Synchro => {
            let sum: i32 = seen.iter().filter_map(|s| level(s)).sum();
            let ok = seen.iter().all(|s| level(s).is_some()) && Some(sum) == level(&own);
            (ygo!("2.4.18.1", Limit), ok, "レベルの合計が合わない")
        }
        Way::Xyz | Way::Fusion => return None,
    };
    d.trace.reach(cite);
    (!ok && d.on(cite)).then_some((cite, why))
}

/// How few and how many materials can ever do; whatever is knocked out is looked through whole.
fn bounds(d: &mut Duel, recipe: &Recipe) -> (usize, usize) {
    let strict = d.on(recipe.way.wanted()) && d.on(ygo!("2.4.4.2", Limit)) && d.on(ygo!("2.4.5.3", Limit));
    if !strict {
        return (1, recipe.of.len());
    }
    let least = recipe.parts.iter().map(|p| p.least).sum::<usize>().max(1);
    let more = recipe.parts.iter().any(|p| p.more);
    (least, if more { recipe.of.len() } else { least })
}

/// Some set of candidates will do. Whoever is told why looks through all of them.
pub fn some_way(d: &mut Duel, recipe: &Recipe) -> Flow<bool> {
    let first = !d.trace.full;
    Ok(!search(d, recipe, first)?.is_empty())
}

/// All sets of candidates that will do.
pub fn ways(d: &mut Duel, recipe: &Recipe) -> Flow<Vec<Vec<i32>>> {
    search(d, recipe, false)
}

fn search(d: &mut Duel, recipe: &Recipe, first: bool) -> Flow<Vec<Vec<i32>>> {
    let n = recipe.of.len();
    if n > MOST {
        return d.unwritten(format!("素材の候補が{MOST}枚を超える場合"), &["ygo:2.4.2.1"]);
    }
    let mut found = Vec::new();
    let (least, most) = bounds(d, recipe);
    // What fits no part of the line is in no set; whoever is told why looks at those too.
    let strict =
        !d.trace.full && d.on(recipe.way.wanted()) && d.on(ygo!("2.4.4.2", Limit)) && d.on(ygo!("2.4.5.3", Limit));
    let of_use = |i: usize| recipe.parts.iter().any(|p| p.fit[i]);
    let useless = (0..n).filter(|i| strict && !of_use(*i)).fold(0u32, |bits, i| bits | 1 << i);
    let fits = |bits: &u32| bits & useless == 0 && (least..=most).contains(&(bits.count_ones() as usize));
    let mut chosen = Vec::with_capacity(n);
    for bits in (1u32..1 << n).filter(fits) {
        chosen.clear();
        chosen.extend((0..n).filter(|i| bits & 1 << i != 0));
        if wrong(d, recipe, &chosen).is_none() {
            found.push(chosen.iter().map(|i| *i as i32).collect());
            if first {
                break;
            }
        }
    }
    Ok(found)
}

/// The monsters on the field that are no candidates, with the clauses.
fn out_of_reach(d: &mut Duel, recipe: &Recipe) -> Vec<(Thing, &'static Cite)> {
    let mut found: Vec<_> = recipe.barred.iter().map(|card| (Thing::Card(*card), ygo!("3.3.8.1", Limit))).collect();
    let named = |card: &Ref| recipe.of.contains(card) || recipe.barred.contains(card);
    for (whose, own) in [(recipe.who, true), (recipe.who.other(), false)] {
        for card in super::places::monsters(d, whose).into_iter().filter(|card| !named(card)) {
            let cite = match recipe.way {
                Way::Link => ygo!("2.4.3.1", Limit),
                Way::Xyz | Way::Synchro if own => ygo!("C17", Reading),
                Way::Xyz => ygo!("2.4.17.1", Limit),
                Way::Synchro => ygo!("2.4.20.1", Limit),
                Way::Fusion => ygo!("2.4.23.1", Limit),
            };
            found.push((Thing::Card(card), cite));
        }
    }
    found
}

/// The player chooses the materials; what will not do is refused by its clause.
pub fn choose(d: &mut Duel, recipe: &Recipe) -> Flow<Vec<Ref>> {
    let whole = ways(d, recipe)?;
    let max = whole.iter().map(Vec::len).max().unwrap_or(0);
    let of: Vec<Thing> = recipe.of.iter().map(|c| Thing::Card(*c)).collect();
    let most = of.len().max(max);
    let mut question = Question::new(recipe.who, Word("素材"), Asks::Choose { of, min: 1, max: most });
    question = question.about(Some(recipe.card)).citing(recipe.way.wanted());
    question.whole = whole;
    if d.gives_reasons() {
        question.refused = out_of_reach(d, recipe);
    }
    let answer = d.ask(question)?;
    let chosen: Vec<usize> = answer.iter().map(|i| *i as usize).collect();
    if let Some((cite, why)) = wrong(d, recipe, &chosen) {
        let what = format!("{} {}", recipe.way.verb(), d.card_name(recipe.card));
        return Err(Halt::Refused(Box::new(Refusal { what, cite: Some(cite), why: why.into() })));
    }
    Ok(chosen.into_iter().map(|i| recipe.of[i]).collect())
}
