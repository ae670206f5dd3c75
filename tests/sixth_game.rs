//! A game of our own in a few lines: who wants to write the sixth reads this first. One zone in play, a turn of two
//! phases, one keyword (盾: takes no damage), one check (no strength left: it goes), winning by an empty hand.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use saitei::card::{Ability, Change, DataKind, Filter, Keyword, Step, Vocabulary, Word, load};
use saitei::kernel::book::{Act, Layering};
use saitei::kernel::question::Given as Answered;
use saitei::kernel::table::Outcome;
use saitei::kernel::*;
use saitei::{cite, so};

struct Mini;

/// Zones: hand and field of A, then of B; the graveyard is shared.
const fn hand(seat: Seat) -> ZoneId {
    ZoneId(seat.0 * 2)
}
const fn field(seat: Seat) -> ZoneId {
    ZoneId(seat.0 * 2 + 1)
}
const GRAVE: ZoneId = ZoneId(4);
const HURT: usize = 0;

fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let zone = |name, owner, board| ZoneSpec {
            name,
            owner,
            board,
            x: -1,
            y: -1,
            sight: Sight::All,
            ordered: false,
            states: board,
        };
        let own = Seat::BOTH.map(|s| [zone("手札", Some(s), false), zone("場", Some(s), true)]);
        let mut zones = own.concat();
        zones.push(zone("墓地", None, false));
        Schema {
            zones,
            facts: &[FactSpec { name: "傷", owner: FactOwner::Card, initial: 0, moment: false, reset: "1" }],
            words: WORDS,
            states: &["縦", "横"],
            fill: &[],
            seats: ["A", "B"],
            cannot: cite!("mini", "2", Limit),
            customs: Customs { verbs: &["出す"], ..Customs::default() },
        }
    })
}

const WORDS: Vocabulary = Vocabulary {
    data: &[("種類", DataKind::Words), ("力", DataKind::Number)],
    class: "種類",
    values: &[("種類", &["兵"])],
    required: &[("兵", &["力"])],
    markers: &[],
    numbers: &[],
    places: &["手札", "場", "墓地"],
    relations: &[],
    states: &["縦", "横"],
    events: &["置く", "傷"],
    manners: &[],
    keywords: &["盾"],
    timings: &[],
    untils: &[],
    acts: &[],
    roles: &[],
    attachments: &[],
    limits: &[],
    phases: &["出す", "撃つ"],
};

impl Rulebook for Mini {
    fn code(&self) -> &'static str {
        "mini"
    }
    fn schema(&self) -> &'static Schema {
        schema()
    }
    /// One turn: a card is put down, every card in play hits one of the other side, the check looks.
    fn play(&self, d: &mut Duel) -> Flow {
        let who = d.t.active;
        let mut moves = vec![Move::PASS];
        moves.extend(d.t.zone(hand(who)).iter().map(|id| Move::of(Word("出す"), d.t.now(*id))));
        let chosen = moves[d.ask(Question::new(who, Word("行動"), Asks::Act(moves.clone())))?[0] as usize];
        if let Some(card) = chosen.card {
            let event = d.moving(card, field(who)).seat(who);
            d.happen(vec![event])?;
        }
        let of: Vec<Thing> = d.t.zone(field(who.other())).iter().map(|id| Thing::Card(d.t.now(*id))).collect();
        for hit in d.pick(Question::new(who, Word("的"), Asks::Choose { min: of.len().min(1), max: 1, of }))? {
            if let Thing::Card(card) = hit {
                self.act(
                    d,
                    Act::Damage(&[(card, 1)]),
                    &Ctx { this: None, seat: who, slots: &Slots::default(), event: None },
                )?;
            }
        }
        self.check(d)?;
        if d.t.zone(hand(who)).is_empty() {
            return Err(Halt::Over(Outcome::Won(who)));
        }
        d.begin_with(who.other());
        Ok(())
    }
    fn unlawful(&self, _: &mut Duel) -> Option<(&'static Cite, String)> {
        None
    }
    /// What the document of this game says: next to nothing.
    fn says(&self, question: Principle) -> Says {
        match question {
            Principle::InPart | Principle::Replaces => so!(),
            _ => Says::Silent,
        }
    }
    fn keyword(&self, keyword: &Keyword) -> Vec<Ability> {
        let forbid = Change::Forbid(Box::new(saitei::card::Pattern { event: Word("傷"), ..Default::default() }));
        let kind = saitei::card::Kind::Static;
        (keyword.name == "盾")
            .then(|| Ability { kind, grant: vec![forbid], ..Default::default() })
            .into_iter()
            .collect()
    }
    fn inside(&self, zone: ZoneId, _: bool, place: Word, _: Seat) -> bool {
        schema().spec(zone).name == place.as_str()
    }
    fn layering(&self, _: &Duel) -> Layering {
        Layering {
            of: |_| 0,
            count: 1,
            layers: None,
            own_first: None,
            dependency: None,
            stamps: None,
            active_first: None,
        }
    }
    fn works(&self, _: &Seen, zone: ZoneId, _: bool, _: &Ability) -> Result<(), &'static Cite> {
        if schema().spec(zone).board { Ok(()) } else { Err(schema().cannot) }
    }
    fn side(&self, _: &Event) -> (Side, Option<&'static Cite>) {
        (Side::After, None)
    }
    fn locks(&self, _: &mut Duel, _: &Change, _: Option<&Filter>) -> bool {
        true
    }
    fn endless(&self, d: &mut Duel) -> Flow {
        d.undecided("終わらない", &[])
    }
    fn replacing(&self, d: &Duel, _: &Event) -> (Seat, &'static Cite) {
        (d.t.active, cite!("mini", "3", Order))
    }
    fn counts_as_done(&self, _: &mut Duel, _: Means) -> bool {
        true
    }
    fn act(&self, d: &mut Duel, act: Act, _: &Ctx) -> Flow<bool> {
        let Act::Damage(to) = act else { return d.unwritten("この行為", &[]) };
        let hurt = |(card, n): &(Ref, i32)| Event {
            what: What::Grow { fact: HURT },
            amount: *n,
            ..Event::about(Word("傷"), *card)
        };
        Ok(d.propose(to.iter().map(hurt).collect())?.any())
    }
    fn why_not(&self, _: &mut Duel, _: Seat, wanted: &Move) -> Refusal {
        Refusal { what: wanted.verb.to_string(), cite: None, why: "できない".into() }
    }
}

impl Mini {
    /// Clause 1: whoever is hurt as much as they are strong goes.
    fn check(&self, d: &mut Duel) -> Flow {
        let view = d.look();
        let dying = |id: &CardId| d.t.obj(*id).facts[HURT] >= view.cards[id.0 as usize].number(1).unwrap_or(0);
        let gone: Vec<CardId> = Seat::BOTH.iter().flat_map(|s| d.t.zone(field(*s))).copied().filter(dying).collect();
        for id in gone {
            let card = d.t.now(id);
            let event = d.moving(card, GRAVE);
            d.step(cite!("mini", "1", Check), |d| d.happen(vec![event]))?;
        }
        Ok(())
    }
}

/// A has two soldiers in hand, B one in play; A puts one down and hits B's.
fn after(keyword: &str, off: &[&str]) -> Table {
    let text = format!("cards:\n- name: 兵\n  data: {{種類: 兵, 力: 1}}\n  abilities: [{keyword}]\n");
    let (cards, problems) = load::cards(Path::new("x"), &text, &WORDS);
    assert!(problems.is_empty(), "{problems:#?}");
    let def = Arc::new(Def::new(Arc::new(cards.into_iter().next().unwrap().value), &Mini));
    let mut table = Table::new(schema(), Word("出す"));
    for (zone, owner) in [(hand(Seat(0)), Seat(0)), (hand(Seat(0)), Seat(0)), (field(Seat(1)), Seat(1))] {
        table.zones[zone.0 as usize].push(CardId(table.cards.len() as u16));
        table.cards.push(Obj::new(schema(), 0, owner, zone));
    }
    let given = Given::new(vec![def], table, ["甲", "乙", "丙"].map(Word).to_vec());
    let settings = Settings { off: off.iter().map(|c| c.to_string()).collect(), ..Settings::default() };
    run(&Mini, &given, &mut Answered { answers: &[vec![1]], used: 0 }, &settings).table().clone()
}

#[test]
fn a_turn_a_keyword_a_check() {
    assert_eq!(after("", &[]).obj(CardId(2)).zone, GRAVE, "hit, and gone by clause 1");
    assert_eq!(after("", &["1"]).obj(CardId(2)).zone, field(Seat(1)), "clause 1 decides: without it nobody goes");
    assert_eq!(after("{keyword: {name: 盾}}", &[]).obj(CardId(2)).facts[HURT], 0, "盾: it is not even hurt");
    assert_eq!(after("{keyword: {name: 盾}}", &["2"]).obj(CardId(2)).zone, GRAVE, "clause 2 is why");
}
