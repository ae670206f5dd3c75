//! Sets up the table from `given:`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::card::{Card, Word};
use crate::kernel::schema::LIMBO;
use crate::kernel::{CardId, Def, FactOwner, Given, Obj, Rulebook, Schema, Seat, Table, ZoneId};
use crate::scenario::file::node::{At, Kind, Node, Notes};
use crate::scenario::file::store::Shelf;
use crate::scenario::file::words::{Names, phase, seat, unknown};

/// How many cards of a name can be made at once.
const MADE: usize = 12;
/// More cards than any table of these games has, a later turn, and a larger number.
const MOST: usize = 5_000;
const LAST_TURN: u16 = 1_000;
const LARGEST: i32 = 1_000_000_000;

/// The table that a file gives. What is wrong is noted, and the rest set up as far as it goes.
pub fn set_up(book: &'static dyn Rulebook, shelf: &Shelf, given: &Node, notes: &mut Notes) -> Given {
    let mut setup = Setup::new(book, shelf, notes);
    let schema = setup.schema;
    let Some(pairs) = given.pairs() else {
        setup.notes.note(given.at, "「given:」には turn・A・B・squares・facts・effects を書いてください");
        return setup.done();
    };
    for (key, node) in pairs {
        match key.text.as_str() {
            "effects" => {}
            "turn" => setup.turn(node),
            "squares" => setup.squares(node),
            "facts" => setup.facts(node),
            who => match seat(schema, who) {
                Some(seat) => setup.seat(seat, node),
                None => {
                    let known = ["turn", "squares", "facts", "effects"].into_iter().chain(schema.seats);
                    setup.notes.note(key.at, unknown("項目", who, known));
                }
            },
        }
    }
    setup.fill();
    setup.open();
    setup.attach();
    // Only now are all cards there that an effect can be on.
    for (_, node) in pairs.iter().filter(|(key, _)| key.text == "effects") {
        setup.effects(node);
    }
    setup.furnish();
    let defs = &setup.defs;
    book.completes(&mut setup.table, &|def| defs[usize::from(def)].card.clone());
    setup.makers();
    setup.done()
}

pub struct Setup<'a> {
    pub book: &'static dyn Rulebook,
    pub schema: &'static Schema,
    shelf: &'a Shelf<'a>,
    pub notes: &'a mut Notes,
    pub table: Table,
    defs: Vec<Arc<Def>>,
    pub labels: Vec<Word>,
    /// Zones the file speaks of.
    said: Vec<ZoneId>,
    full: bool,
    /// How many cards of a name have been labelled by it.
    copies: BTreeMap<String, u32>,
    /// Cards of which the file says how they lie.
    pub faced: Vec<CardId>,
    /// Cards that lie with others: which, how, with which.
    pub hosts: Vec<(CardId, Word, Node)>,
    /// The zones whose part that lies face up is given by its own name, and what lies there.
    open: Vec<(ZoneId, Node)>,
}

impl<'a> Setup<'a> {
    fn new(book: &'static dyn Rulebook, shelf: &'a Shelf<'a>, notes: &'a mut Notes) -> Setup<'a> {
        let schema = book.schema();
        let nameless = Card {
            name: Card::NAMELESS,
            data: Default::default(),
            abilities: Vec::new(),
            inferred: true,
            unencoded: Vec::new(),
            from: Vec::new(),
        };
        let phases = schema.words.phases;
        let main = phases.iter().find(|p| p.starts_with("メイン")).or(phases.first()).copied().unwrap_or_default();
        let table = Table::new(schema, Word(main));
        let defs = vec![Arc::new(Def::new(Arc::new(nameless), book))];
        Setup {
            book,
            schema,
            shelf,
            notes,
            table,
            defs,
            labels: Vec::new(),
            said: Vec::new(),
            full: false,
            copies: BTreeMap::new(),
            faced: Vec::new(),
            hosts: Vec::new(),
            open: Vec::new(),
        }
    }

    /// Cards that are made in play wait outside, so that they can be named before they are there.
    fn makers(&mut self) {
        let Some(limbo) = self.schema.zone(LIMBO, None) else { return };
        let mut at = 0;
        while at < self.defs.len() {
            let card = self.defs[at].card.clone();
            at += 1;
            for name in crate::card::made::made(&card.abilities) {
                if self.defs.iter().any(|d| d.name() == name) {
                    continue;
                }
                let Some(def) = self.card(&name, At::default()) else { return };
                for i in 1..=MADE {
                    let Some(label) = self.word(&format!("{name}#{i}"), At::default()) else { return };
                    if self.put(def, label, limbo, At::default()).is_none() {
                        return;
                    }
                }
            }
        }
    }

    fn done(self) -> Given {
        Given::new(self.defs, self.table, self.labels)
    }

    fn turn(&mut self, node: &Node) {
        let Some(pairs) = node.pairs() else {
            return self.notes.note(node.at, "「turn:」には player・phase・number・start を書いてください");
        };
        for (key, value) in pairs {
            let text = value.text().unwrap_or_default();
            match key.text.as_str() {
                "player" => match seat(self.schema, &text) {
                    Some(seat) => self.table.active = seat,
                    None => self.notes.note(value.at, unknown("プレイヤー", &text, self.schema.seats)),
                },
                "phase" => match phase(self.schema, &text) {
                    Some(phase) => {
                        self.table.phase = Word(phase);
                        if let Some((step, within)) = self.schema.customs.steps.iter().find(|(step, _)| *step == phase)
                        {
                            let text = format!(
                                "{step}からは始められません。「phase: {within}」とし、「play:」に「- until: {step}」と書いてください"
                            );
                            self.notes.note(value.at, text);
                        }
                    }
                    None => {
                        let text = unknown("フェイズ", &text, self.schema.words.phases.iter().copied());
                        self.notes.note(value.at, text);
                    }
                },
                "number" => {
                    match value.number().and_then(|n| u16::try_from(n).ok()).filter(|n| (1..=LAST_TURN).contains(n)) {
                        Some(n) => self.table.turn = n,
                        None => self
                            .notes
                            .note(value.at, format!("ここには何ターン目か（1から{LAST_TURN}）を書いてください")),
                    }
                }
                "start" => match value.kind {
                    Kind::Bool(start) => self.table.midway = !start,
                    _ => self.notes.note(value.at, "ここには true か false を書いてください"),
                },
                other => {
                    self.notes.note(key.at, unknown("項目", other, ["player", "phase", "number", "start"]));
                }
            }
        }
    }

    /// Facts of the table.
    fn facts(&mut self, node: &Node) {
        for (key, value) in node.pairs().unwrap_or_default() {
            match self.schema.fact(FactOwner::Table, &key.text) {
                Some(at) => self.table.facts[at] = self.count(value),
                None => self.notes.note(key.at, unknown("事実", &key.text, fact_names(self.schema, FactOwner::Table))),
            }
        }
    }

    /// A number of things: never less than none.
    pub fn count(&mut self, node: &Node) -> i32 {
        match node.number().filter(|n| (0..=LARGEST).contains(n)) {
            Some(n) => n,
            None => {
                self.notes.note(node.at, format!("ここには0から{LARGEST}までの数を書いてください"));
                0
            }
        }
    }

    /// Zones and facts of a player.
    fn seat(&mut self, seat: Seat, node: &Node) {
        let Some(pairs) = node.pairs() else {
            return self.notes.note(node.at, "ここには「ゾーン: カードの一覧」を書いてください");
        };
        for (key, value) in pairs {
            if let Some(zone) = self.schema.zone(&key.text, Some(seat)) {
                self.zone(zone, value);
            } else if let Some(zone) = self.schema.opens(&key.text, Some(seat)) {
                self.open.push((zone, value.clone()));
            } else if let Some(at) = self.schema.fact(FactOwner::Seat, &key.text) {
                self.table.seats[seat.index()][at] = self.count(value);
            } else {
                let zones = self.schema.zones.iter().filter(|z| z.owner == Some(seat)).map(|z| z.name);
                let known = zones.chain(fact_names(self.schema, FactOwner::Seat));
                self.notes.note(key.at, unknown("ゾーンや数", &key.text, known));
            }
        }
    }

    fn squares(&mut self, node: &Node) {
        let Some(pairs) = node.pairs() else {
            return self.notes.note(node.at, "ここには「場所: カードの一覧」を書いてください");
        };
        for (key, value) in pairs {
            let names = Names { schema: self.schema, labels: &[] };
            let zones: Vec<ZoneId> = names
                .zones(&key.text)
                .into_iter()
                .filter(|z| self.schema.spec(*z).owner.is_none() || self.schema.spec(*z).board)
                .collect();
            match zones[..] {
                [zone] => self.zone(zone, value),
                [] => {
                    let known = self.schema.zones.iter().filter(|z| z.board).map(|z| z.name);
                    self.notes.note(key.at, unknown("場所", &key.text, known));
                }
                _ => self.notes.note(
                    key.at,
                    format!("「{}」は両方のプレイヤーにあります（「A.{}」のように）", key.text, key.text),
                ),
            }
        }
    }

    /// The cards of one zone. Ordered zones are written from the top, the others in order of arrival.
    fn zone(&mut self, zone: ZoneId, node: &Node) {
        if self.said.contains(&zone) {
            return self.notes.note(node.at, "このゾーンは二度書かれています");
        }
        self.said.push(zone);
        self.cards(zone, node);
        if self.schema.spec(zone).ordered {
            self.table.zones[zone.0 as usize].reverse();
        }
    }

    /// What lies face up on top of a pile and is called by a name of its own.
    fn open(&mut self) {
        for (zone, node) in std::mem::take(&mut self.open) {
            let top = self.table.zone(zone).last().is_some_and(|id| self.table.obj(*id).face_up);
            let there = self.table.zone(zone).len();
            self.cards(zone, &node);
            let laid = self.table.zone(zone)[there..].to_vec();
            if laid.len() + usize::from(top) > 1 {
                let name = crate::scenario::file::words::zone_name(self.schema, zone);
                self.notes.note(node.at, format!("{name}の1番上に表向きで置けるのは1枚です"));
            }
            for id in laid {
                self.table.obj_mut(id).face_up = true;
                self.faced.push(id);
            }
        }
    }

    fn cards(&mut self, zone: ZoneId, node: &Node) {
        for entry in node.items() {
            match &entry.kind {
                Kind::Number(n) => self.nameless(zone, *n, entry.at),
                Kind::Text(name) => {
                    if let Some(def) = self.card(name, entry.at) {
                        let label = self.free_label(name);
                        self.put(def, label, zone, entry.at);
                        self.nobodys(zone, entry.at);
                    }
                }
                Kind::Map(pairs) => self.entry(zone, pairs, entry.at),
                Kind::Bool(b) => self.notes.note(entry.at, unknown("カード", &b.to_string(), [])),
                _ => self.notes.note(entry.at, "ここにはカード名、{呼び名: カード名, …}、または枚数を書いてください"),
            }
        }
    }

    /// Cards of which nothing is known.
    fn nameless(&mut self, zone: ZoneId, n: i64, at: At) {
        if !(0..=MOST as i64).contains(&n) {
            return self.notes.note(at, format!("枚数は0から{MOST}までです"));
        }
        let name = crate::scenario::file::words::zone_name(self.schema, zone);
        let start = self.table.zones[zone.0 as usize].len();
        for i in 0..n as usize {
            let label = Word::new(&format!("{name}#{}", start + i + 1));
            if self.put(0, label, zone, at).is_none() {
                return;
            }
        }
    }

    /// What is printed on a card.
    pub fn def(&self, def: u16) -> Arc<Card> {
        self.defs[def as usize].card.clone()
    }

    pub fn card(&mut self, name: &str, at: At) -> Option<u16> {
        if let Some(known) = self.defs.iter().skip(1).position(|d| d.name() == name) {
            return Some(known as u16 + 1);
        }
        let defined = || self.book.defines(name).map(|card| Arc::new(Def::new(Arc::new(card), self.book)));
        let Some(def) = self.shelf.get(name).or_else(defined) else {
            // Once is enough, however many of it lie there.
            let text = unknown("カード", name, self.shelf.names());
            let more = format!("。一覧は saitei card {}。どのカードでもよければ枚数だけ（[3]）", self.book.code());
            if !self.notes.0.iter().any(|n| n.text.starts_with(&text)) {
                self.notes.note(at, text + &more);
            }
            return None;
        };
        self.defs.push(def);
        Some(self.defs.len() as u16 - 1)
    }

    /// What a marker does is known from the card that says so, wherever that is.
    pub fn marker(&mut self, name: Word, at: At) {
        for giver in self.shelf.givers(name) {
            self.card(giver.as_str(), at);
        }
    }

    /// The name, or `name#2` and so on where it is taken.
    fn free_label(&mut self, name: &str) -> Word {
        loop {
            let count = self.copies.entry(name.to_string()).or_default();
            *count += 1;
            let label = if *count == 1 { name.to_string() } else { format!("{name}#{count}") };
            if !self.labels.iter().any(|l| *l == label.as_str()) {
                return self.word(&label, At::default()).unwrap_or_default();
            }
        }
    }

    pub fn put(&mut self, def: u16, label: Word, zone: ZoneId, at: At) -> Option<CardId> {
        if self.table.cards.len() >= MOST {
            // Said once; everything after it is too many as well.
            if self.table.cards.len() == MOST && !std::mem::replace(&mut self.full, true) {
                self.notes.note(at, format!("カードは合わせて{MOST}枚までです"));
            }
            return None;
        }
        let spec = self.schema.spec(zone);
        let owner = spec.owner.unwrap_or(Seat(0));
        let since = self.table.tick();
        let face_up = self.schema.face_up(Word(spec.name), zone);
        let card = Obj { since, held: since, face_up, ..Obj::new(self.schema, def, owner, zone) };
        let id = self.table.put(card);
        self.labels.push(label);
        Some(id)
    }

    /// Cards that every table of the game has.
    fn furnish(&mut self) {
        let wanted = {
            let printed = |def: u16| self.defs[def as usize].card.clone();
            self.book.furnish(&self.table, &printed)
        };
        for (card, zone, seat) in wanted {
            let label = self.free_label(&format!("{}.{}", self.schema.seats[seat.index()], card.name));
            self.defs.push(Arc::new(Def::new(Arc::new(card), self.book)));
            let def = self.defs.len() as u16 - 1;
            if let Some(id) = self.put(def, label, zone, At::default()) {
                let obj = self.table.obj_mut(id);
                (obj.owner, obj.controller) = (seat, seat);
                // It was there before anything else.
                (obj.since, obj.held) = (0, 0);
            }
        }
    }

    /// Zones that a table of the game always has cards in: before it is prepared, the first of them, the deck.
    fn fill(&mut self) {
        let all = if self.table.phase == "準備" { 1 } else { self.schema.fill.len() };
        for (name, n) in self.schema.fill.iter().take(all) {
            let owners = [Some(Seat(0)), Some(Seat(1)), None];
            for zone in owners.into_iter().filter_map(|o| self.schema.zone(name, o)) {
                if !self.said.contains(&zone) {
                    // What lies there by another name is one of them.
                    let open: usize =
                        self.open.iter().filter(|(z, _)| *z == zone).map(|(_, node)| node.items().len()).sum();
                    self.zone(zone, &Node { at: At::default(), kind: Kind::Number((n - open.min(*n)) as i64) });
                }
            }
        }
    }
}

pub fn fact_names(schema: &'static Schema, owner: FactOwner) -> impl Iterator<Item = &'static str> {
    schema.facts.iter().filter(move |f| f.owner == owner).map(|f| f.name)
}
