//! A game of our own with nothing of its own to say: whoever tests the kernel says what the document would. The first card
//! does what is written on it, then whatever triggered, and that was the duel.

use std::sync::{Arc, OnceLock};

use saitei::card::{Ability, DataKind, Filter, Keyword, Kind, Vocabulary, Word, load};
use saitei::kernel::question::Given as Answered;
use saitei::kernel::steps::Frame;
use saitei::kernel::*;
use saitei::{cite, so};

pub const HAND: [ZoneId; 2] = [ZoneId(0), ZoneId(1)];
pub const FIELD: [ZoneId; 2] = [ZoneId(2), ZoneId(3)];
pub const GRAVE: ZoneId = ZoneId(4);
pub const HURT: usize = 0;
pub const STRENGTH: usize = 1;

/// What a document might say, where it matters to a test.
#[derive(Clone, Copy)]
pub struct Toy {
    pub says: fn(Principle) -> Says,
    pub layering: Layering,
    /// What was replaced counts as done.
    pub replaced_counts: bool,
    pub one_by_one: bool,
    pub face: fn(&Obj) -> Face,
    pub forbids: fn(&Duel, &Event) -> Option<&'static Cite>,
    pub may_choose: fn(&mut Duel, Ref) -> Result<(), &'static Cite>,
    pub accompany: fn(&mut Duel, &mut Vec<Event>),
    pub at_once: fn(&mut Duel, &[Event]) -> Flow,
    pub fact_of: fn(i32) -> i32,
    pub play: fn(&mut Duel) -> Flow,
}

impl Toy {
    pub const PLAIN: Toy = Toy {
        says: |_| so!(),
        layering: Layering::UNSAID,
        replaced_counts: false,
        one_by_one: false,
        face: |_| Face::Printed,
        forbids: |_, _| None,
        may_choose: |_, _| Ok(()),
        accompany: |_, _| {},
        at_once: |_, _| Ok(()),
        fact_of: |fact| fact,
        play: |d| {
            first_card(d)?;
            d.over(Outcome::Draw)
        },
    };

    /// The duel with these cards; each lies where it says, the first one acts. Which clauses are knocked out.
    pub fn run(&self, cards: &str, lying: &[(&str, ZoneId)], answers: &[Vec<i32>], off: &[&str]) -> Run {
        let (cards, problems) = load::cards("toy.yaml".as_ref(), cards, &schema().words);
        assert!(problems.is_empty(), "{problems:#?}");
        let defs: Vec<Arc<Def>> =
            cards.iter().map(|card| Arc::new(Def::new(Arc::new(card.value.clone()), self))).collect();
        let mut table = Table::new(schema(), Word("番"));
        for (name, zone) in lying {
            let def = defs.iter().position(|def| def.name() == *name).expect("a card of that name");
            let owner = schema().spec(*zone).owner.unwrap_or(Seat(0));
            table.put(Obj::new(schema(), def as u16, owner, *zone));
        }
        let labels = lying.iter().map(|(name, _)| Word::new(name)).collect();
        let given = Given::new(defs, table, labels);
        let settings = Settings { off: off.iter().map(|c| c.to_string()).collect(), ..Settings::default() };
        run(self, &given, &mut Answered { answers, used: 0 }, &settings)
    }
}

/// Its effect is carried out, and then what it triggered.
pub fn first_card(d: &mut Duel) -> Flow {
    let mut frame = frame(d, CardId(0));
    let abilities: Vec<Arc<Ability>> = d.seen(d.t.now(CardId(0))).abilities.to_vec();
    for ability in abilities.iter().filter(|a| a.kind == Kind::Effect) {
        for target in &ability.target {
            d.choose(&mut frame, target, true)?;
        }
        d.perform(&mut frame, &ability.steps)?;
    }
    while let Some(pending) = d.aside().pending().pop() {
        let mut frame =
            Frame { this: Some(pending.source), seat: pending.seat, event: Some(pending.event), ..frame.clone() };
        d.perform(&mut frame, &pending.ability.steps)?;
    }
    Ok(())
}

pub fn frame(d: &Duel, card: CardId) -> Frame {
    let card = d.t.now(card);
    let seat = d.t.obj(card.id).owner;
    let cause = Cause { means: Means::Effect, card: Some(card), seat: Some(seat) };
    Frame { this: Some(card), seat, slots: Slots::default(), event: None, cause }
}

/// The zones where the cards lie in the end, in the order in which they were laid down.
pub fn places(run: &Run) -> Vec<ZoneId> {
    run.table().cards.iter().map(|card| card.zone).collect()
}

fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    let both =
        |name, board| Seat::BOTH.map(|seat| ZoneSpec { board, states: board, ..ZoneSpec::open(name, Some(seat)) });
    SCHEMA.get_or_init(|| Schema {
        zones: [&both("手札", false)[..], &both("場", true), &[ZoneSpec::open("墓地", None)]].concat(),
        facts: const {
            &[
                FactSpec::new("傷", FactOwner::Card, Ends::Life, "1"),
                FactSpec::new("命", FactOwner::Seat, Ends::Duel, "1"),
            ]
        },
        words: Vocabulary {
            data: &[("種類", DataKind::Words), ("力", DataKind::Number)],
            class: "種類",
            values: &[("種類", &["兵", "亡霊", "術"])],
            required: &[("兵", &["力"])],
            numbers: &["命"],
            places: &["手札", "場", "墓地"],
            events: &["置く", "傷", "横", "縦", "寝る"],
            manners: &["破壊"],
            keywords: &["盾"],
            untils: &["番の終わり"],
            attachments: &["下"],
            states: &["縦", "横", "伏"],
            speaks: &["total"],
            ..Vocabulary::default()
        },
        states: &["縦", "横", "伏"],
        fill: &[],
        seats: ["A", "B"],
        cannot: cite!("toy", "cannot", Limit),
        places: Default::default(),
        customs: Customs { beneath: &["下"], used_up_by: Some(cite!("toy", "again", Limit)), ..Customs::default() },
    })
}

impl Rulebook for Toy {
    fn code(&self) -> &'static str {
        "toy"
    }
    fn schema(&self) -> &'static Schema {
        schema()
    }
    fn says(&self, question: Principle) -> Says {
        (self.says)(question)
    }
    fn play(&self, d: &mut Duel) -> Flow {
        (self.play)(d)
    }
    /// Who waits for nothing to end has lost patience: it is a draw.
    fn endless(&self, d: &mut Duel) -> Flow {
        d.over(Outcome::Draw)
    }
    fn act(&self, d: &mut Duel, act: Act, _: &Ctx) -> Flow<bool> {
        let Act::Damage(to) = act else { return d.unwritten("この行為", &[]) };
        let event = |card, n| Event { what: What::Grow { fact: HURT }, amount: n, ..Event::about(Word("傷"), card) };
        Ok(d.propose(to.iter().map(|(card, n)| event(*card, *n)).collect())?.any())
    }
    /// A card that lies elsewhere as something else is a ghost there.
    fn derive(&self, seen: &mut Seen) -> Vec<Seen> {
        let mut ghost = seen.clone();
        ghost.data[0] = view::Data::Words(vec![Word("亡霊")].into());
        vec![ghost]
    }
    fn face(&self, card: &Obj) -> Face {
        (self.face)(card)
    }
    fn keyword(&self, _: &Keyword) -> Vec<Ability> {
        Vec::new()
    }
    fn fact_of(&self, _: &Eyes, _: Seat, _: Word, fact: i32) -> i32 {
        (self.fact_of)(fact)
    }
    fn works(&self, _: &Seen, zone: ZoneId, _: bool, _: &Ability) -> Result<(), &'static Cite> {
        if schema().spec(zone).board { Ok(()) } else { Err(cite!("toy", "works", Limit)) }
    }
    fn side(&self, _: &Event) -> (Side, Option<&'static Cite>) {
        (Side::After, None)
    }
    fn layering(&self, _: &Duel) -> Layering {
        self.layering
    }
    fn locks(&self, _: &mut Duel, _: &saitei::card::Change, _: Option<&Filter>) -> bool {
        true
    }
    fn may_choose(&self, d: &mut Duel, card: Ref, _: Aim) -> Result<(), &'static Cite> {
        (self.may_choose)(d, card)
    }
    fn one_by_one(&self, _: &mut Duel, _: &[Event]) -> bool {
        self.one_by_one
    }
    fn forbids(&self, d: &mut Duel, event: &Event) -> Option<&'static Cite> {
        (self.forbids)(d, event).filter(|cite| d.on(cite))
    }
    fn replacing(&self, d: &mut Duel, _: &Event) -> (Seat, &'static Cite) {
        (d.t.active, cite!("toy", "replacing", Order))
    }
    fn counts_as_done(&self, _: &mut Duel, _: Means) -> bool {
        self.replaced_counts
    }
    fn accompany(&self, d: &mut Duel, events: &mut Vec<Event>) -> Flow {
        (self.accompany)(d, events);
        Ok(())
    }
    fn at_once(&self, d: &mut Duel, events: &[Event]) -> Flow {
        (self.at_once)(d, events)
    }
}
