//! A game of our own in a few lines: who wants to write the sixth reads this first. One zone in play, a turn of one act
//! and one hit, one keyword (盾: takes no damage), one check (no strength left: it goes), winning by an empty hand.

use saitei::card::{Ability, Change, DataKind, Filter, Keyword, Kind, Pattern, Vocabulary, Word, load};
use saitei::kernel::question::Given as Answered;
use saitei::kernel::verb::{card, each};
use saitei::kernel::*;
use saitei::{cite, so};
use std::sync::{Arc, OnceLock};

struct Mini;
/// Zones by place: hands, fields, and a graveyard for both. Facts: how much a card is hurt.
const HAND: [ZoneId; 2] = [ZoneId(0), ZoneId(1)];
const FIELD: [ZoneId; 2] = [ZoneId(2), ZoneId(3)];
const GRAVE: ZoneId = ZoneId(4);
const HURT: usize = 0;
/// 1. Declare: zones, facts, words. Everything that a card may say is listed here, and what is not is refused at load.
fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    let both = |name, board| Seat::BOTH.map(|seat| ZoneSpec { board, ..ZoneSpec::open(name, Some(seat)) });
    SCHEMA.get_or_init(|| Schema {
        zones: [&both("手札", false)[..], &both("場", true), &[ZoneSpec::open("墓地", None)]].concat(),
        facts: const { &[FactSpec::new("傷", FactOwner::Card, Ends::Life, "1")] },
        words: Vocabulary {
            data: &[("種類", DataKind::Words), ("力", DataKind::Number)],
            class: "種類",
            values: &[("種類", &["兵"])],
            required: &[("兵", &["力"])],
            places: &["手札", "場", "墓地"],
            events: &["置く", "傷"],
            keywords: &["盾"],
            ..Vocabulary::default()
        },
        states: &["縦", "横"],
        fill: &[],
        seats: ["A", "B"],
        cannot: cite!("mini", "2", Limit),
        places: Default::default(),
        customs: Customs { verbs: &["出す"], ..Customs::default() },
    })
}

/// What a player may do: put a card down, by clause 5 onto an empty field. It is offered and refused from the same row.
static VERBS: &[Verb] = &[Verb::new("出す", |d, who| each("出す", of(d, HAND, who)), &[EMPTY], put_down)];
static EMPTY: &[Limit] =
    &[Limit::card(cite!("mini", "5", Limit), "場が空でない", |d, who, _| of(d, FIELD, who).is_empty())];

fn put_down(d: &mut Duel, who: Seat, m: &Move) -> Flow<bool> {
    let event = d.moving(card(m), FIELD[who.index()]).seat(who);
    d.happen(vec![event]).map(|()| true)
}

fn of(d: &Duel, zones: [ZoneId; 2], who: Seat) -> Vec<Ref> {
    d.t.zone(zones[who.index()]).iter().map(|id| d.t.now(*id)).collect()
}

impl Rulebook for Mini {
    fn code(&self) -> &'static str {
        "mini"
    }
    fn schema(&self) -> &'static Schema {
        schema()
    }
    /// 2. Answer: what the document of this game says, which is next to nothing.
    fn says(&self, question: Principle) -> Says {
        if matches!(question, Principle::InPart | Principle::Replaces) { so!() } else { Says::Silent }
    }
    /// 3. Procedures: a card is put down, the other side is hit, the check looks.
    fn play(&self, d: &mut Duel) -> Flow {
        let who = d.t.active;
        let moves = d.offers(VERBS, who);
        let chosen = moves[d.ask(Question::new(who, Word("行動"), Asks::Act(moves.clone())))?[0] as usize];
        d.carry_out(VERBS, who, &chosen)?;
        let foes = of(d, FIELD, who.other());
        hurt(d, &foes.into_iter().map(|foe| (foe, 1)).collect::<Vec<_>>())?;
        check(d)?;
        if of(d, HAND, who).is_empty() {
            return d.over(Outcome::Won(who));
        }
        d.begin_turn(who.other(), d.t.turn + 1, Word("出す"));
        Ok(())
    }
    fn verbs(&self) -> &'static [Verb] {
        VERBS
    }
    fn keyword(&self, _: &Keyword) -> Vec<Ability> {
        let forbid = Change::Forbid(Box::new(Pattern { event: Word("傷"), ..Default::default() }));
        vec![Ability { kind: Kind::Static, grant: vec![forbid], ..Default::default() }]
    }
    fn act(&self, d: &mut Duel, act: Act, _: &Ctx) -> Flow<bool> {
        // 4. What is not known is said, and nothing goes on past it.
        if let Act::Damage(to) = act { hurt(d, to) } else { d.unwritten("この行為", &[]) }
    }
    fn works(&self, _: &Seen, zone: ZoneId, _: bool, _: &Ability) -> Result<(), &'static Cite> {
        if schema().spec(zone).board { Ok(()) } else { Err(cite!("mini", "4", Limit)) }
    }
    fn side(&self, _: &Event) -> (Side, Option<&'static Cite>) {
        (Side::After, None)
    }
    fn layering(&self, _: &Duel) -> Layering {
        Layering::UNSAID
    }
    fn locks(&self, _: &mut Duel, _: &Change, _: Option<&Filter>) -> bool {
        true
    }
    fn replacing(&self, d: &mut Duel, _: &Event) -> (Seat, &'static Cite) {
        (d.t.active, cite!("mini", "3", Order))
    }
    fn counts_as_done(&self, _: &mut Duel, _: Means) -> bool {
        true
    }
}

fn hurt(d: &mut Duel, to: &[(Ref, i32)]) -> Flow<bool> {
    let event = |card, n| Event { what: What::Grow { fact: HURT }, amount: n, ..Event::about(Word("傷"), card) };
    Ok(d.propose(to.iter().map(|(card, n)| event(*card, *n)).collect())?.any())
}

/// Clause 1: whoever is hurt as much as they are strong goes.
fn check(d: &mut Duel) -> Flow {
    let mut gone = [of(d, FIELD, Seat(0)), of(d, FIELD, Seat(1))].concat();
    gone.retain(|r| d.t.obj(r.id).facts[HURT] >= d.seen(*r).number(1).unwrap_or(0));
    let events = gone.into_iter().map(|r| d.moving(r, GRAVE)).collect();
    d.step(cite!("mini", "1", Check), |d| d.happen(events))
}

/// The situation: A has two soldiers in hand, B one in play; A puts one down and hits B's. What became of that one.
fn after(keyword: &str, off: &[&str]) -> Obj {
    let text = format!("cards:\n- name: 兵\n  data: {{種類: 兵, 力: 1}}\n  abilities: [{keyword}]\n");
    let (cards, problems) = load::cards("x".as_ref(), &text, &schema().words);
    assert!(problems.is_empty(), "{problems:#?}");
    let def = Arc::new(Def::new(Arc::new(cards[0].value.clone()), &Mini));
    let mut table = Table::new(schema(), Word("出す"));
    for (zone, owner) in [(HAND[0], Seat(0)), (HAND[0], Seat(0)), (FIELD[1], Seat(1))] {
        table.put(Obj::new(schema(), 0, owner, zone));
    }
    let given = Given::new(vec![def], table, ["甲", "乙", "丙"].map(Word).to_vec());
    let settings = Settings { off: off.iter().map(|c| c.to_string()).collect(), ..Settings::default() };
    run(&Mini, &given, &mut Answered { answers: &[vec![1]], used: 0 }, &settings).table().obj(CardId(2)).clone()
}

/// The ruling, and the clauses that decide it: without them it comes out otherwise.
#[test]
fn a_turn_a_keyword_a_check() {
    assert_eq!(after("", &[]).zone, GRAVE, "hit, and gone by clause 1");
    assert_eq!(after("", &["1"]).zone, FIELD[1], "clause 1 decides: without it nobody goes");
    assert_eq!(after("{keyword: {name: 盾}}", &[]).facts[HURT], 0, "盾: it is not even hurt");
    assert_eq!(after("{keyword: {name: 盾}}", &["2"]).zone, GRAVE, "clause 2 is why");
}
