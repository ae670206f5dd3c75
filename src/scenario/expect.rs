//! What must be so: `expect:`, as it is written. [`super::look`] looks whether it is.

use super::node::{At, Key, Kind, Node, Notes};
use super::setup::fact_names;
use super::words::{Names, seat, unknown};
use crate::card::Word;
use crate::kernel::{CardId, FactOwner, Seat, ZoneId};

/// Everything one `expect:` says.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    pub claims: Vec<Claim>,
    pub unchanged: Vec<Subject>,
}

/// One thing that must be so.
#[derive(Clone, Debug)]
pub struct Claim {
    pub at: At,
    pub says: Says,
}

/// What something is said about.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    Card(CardId),
    Zone(ZoneId),
    SeatFact(Seat, usize),
    /// Always known: phase, pile, winner.
    Table,
}

#[derive(Clone, Debug)]
pub enum Says {
    Card(CardId, Trait),
    Zone(ZoneId, Content),
    SeatFact(Seat, usize, i32),
    Fact(usize, i32),
    /// From the top.
    Stack(Vec<String>),
    Phase(String),
    Turn(i32),
    Priority(Option<Seat>),
    Active(Seat),
    /// `Some(None)`: a draw; `None`: nobody yet.
    Winner(Option<Option<Seat>>),
    Sees(Seat, CardId, bool),
    Unchanged(Subject),
}

#[derive(Clone, Debug)]
pub enum Trait {
    In(Vec<ZoneId>, String),
    State(String),
    Controller(Seat),
    Owner(Seat),
    Has(String, bool),
    Role(String, bool),
    Name(String),
    Under(Option<CardId>),
    As(String),
    Marker(String, i32),
    /// The place of the datum, and what it must be.
    Data(usize, Node),
    Fact(usize, i32),
}

/// What lies in a zone.
#[derive(Clone, Debug)]
pub enum Content {
    Count(i32),
    /// Exactly these; in this order from the top where the zone is ordered.
    Exactly(Vec<CardId>),
    Has(CardId, bool),
}

const TABLE: [&str; 11] =
    ["stack", "phase", "turn", "priority", "active", "winner", "facts", "squares", "sees", "hidden", "unchanged"];
const CARD: [&str; 11] =
    ["zone", "state", "controller", "owner", "has", "lacks", "role", "name", "under", "as", "markers"];

impl Expect {
    pub fn read(node: &Node, names: Names, notes: &mut Notes) -> Expect {
        let mut reader = Reader { names, notes, expect: Expect::default() };
        match node.pairs() {
            Some(pairs) if !pairs.is_empty() => pairs.iter().for_each(|(key, value)| reader.pair(key, value)),
            _ => reader.notes.note(node.at, "ここには「呼び名: {zone: …}」のように、どうなるかを書いてください"),
        }
        reader.expect
    }
}

struct Reader<'a> {
    names: Names<'a>,
    notes: &'a mut Notes,
    expect: Expect,
}

impl Reader<'_> {
    fn say(&mut self, at: At, says: Says) {
        self.expect.claims.push(Claim { at, says });
    }

    fn pair(&mut self, key: &Key, value: &Node) {
        if let Some(id) = self.names.card(&key.text) {
            return self.card(id, value);
        }
        if let Some(seat) = seat(self.names.schema, &key.text) {
            return self.seat(seat, value);
        }
        let text = value.text().unwrap_or_default();
        match key.text.as_str() {
            "stack" => {
                let items = value.items().iter().filter_map(Node::text).collect();
                self.say(key.at, Says::Stack(items));
            }
            "phase" => match self.names.schema.words.phases.contains(&text.as_str()) {
                true => self.say(key.at, Says::Phase(text)),
                false => {
                    let known = self.names.schema.words.phases.iter().copied();
                    self.notes.note(value.at, unknown("フェイズやステップ", &text, known));
                }
            },
            "turn" => {
                if let Some(n) = self.number(value) {
                    self.say(key.at, Says::Turn(n));
                }
            }
            "priority" if text == "none" => self.say(key.at, Says::Priority(None)),
            "priority" => {
                if let Some(seat) = self.who(value) {
                    self.say(key.at, Says::Priority(Some(seat)));
                }
            }
            "active" => {
                if let Some(seat) = self.who(value) {
                    self.say(key.at, Says::Active(seat));
                }
            }
            "winner" => match text.as_str() {
                "none" => self.say(key.at, Says::Winner(None)),
                "draw" => self.say(key.at, Says::Winner(Some(None))),
                _ => {
                    if let Some(seat) = self.who(value) {
                        self.say(key.at, Says::Winner(Some(Some(seat))));
                    }
                }
            },
            "facts" => self.facts(value),
            "squares" => self.squares(value),
            "sees" | "hidden" => self.sees(value, key.text == "sees"),
            "unchanged" => value.items().iter().for_each(|item| self.unchanged(item)),
            other => {
                let labels = self.names.labels.iter().map(|l| l.as_str());
                let known = TABLE.into_iter().chain(self.names.schema.seats).chain(labels);
                self.notes.note(key.at, unknown("呼び名や項目", other, known));
            }
        }
    }

    fn number(&mut self, node: &Node) -> Option<i32> {
        let n = node.number();
        if n.is_none() {
            self.notes.note(node.at, "ここには数を書いてください");
        }
        n
    }

    fn who(&mut self, node: &Node) -> Option<Seat> {
        let text = node.text().unwrap_or_default();
        let found = seat(self.names.schema, &text);
        if found.is_none() {
            self.notes.note(node.at, unknown("プレイヤー", &text, self.names.schema.seats));
        }
        found
    }

    fn label(&mut self, node: &Node) -> Option<CardId> {
        let text = node.text().unwrap_or_default();
        let found = self.names.card(&text);
        if found.is_none() {
            self.notes.note(node.at, unknown("呼び名", &text, self.names.labels.iter().map(|l| l.as_str())));
        }
        found
    }

    fn zones(&mut self, node: &Node) -> Option<Vec<ZoneId>> {
        let text = node.text().unwrap_or_default();
        let zones = self.names.zones(&text);
        if zones.is_empty() {
            self.notes.note(node.at, unknown("ゾーン", &text, self.names.schema.zones.iter().map(|z| z.name)));
            return None;
        }
        Some(zones)
    }

    fn card(&mut self, id: CardId, node: &Node) {
        let Some(pairs) = node.pairs() else {
            return self.notes.note(node.at, "ここには {zone: …, パワー: …} のように書いてください");
        };
        for (key, value) in pairs {
            for says in self.traits(key, value) {
                self.say(key.at, Says::Card(id, says));
            }
        }
    }

    fn traits(&mut self, key: &Key, value: &Node) -> Vec<Trait> {
        let schema = self.names.schema;
        let words = || value.items().iter().filter_map(Node::text).collect::<Vec<String>>();
        let text = value.text().unwrap_or_default();
        match key.text.as_str() {
            "zone" => self.zones(value).map(|zones| Trait::In(zones, text)).into_iter().collect(),
            "state" => {
                let known = [schema.upright, schema.turned, "表", "裏"];
                if let Some(bad) = words().iter().find(|w| !known.contains(&w.as_str())) {
                    self.notes.note(value.at, unknown("状態", bad, known));
                }
                words().into_iter().map(Trait::State).collect()
            }
            "controller" => self.who(value).map(Trait::Controller).into_iter().collect(),
            "owner" => self.who(value).map(Trait::Owner).into_iter().collect(),
            "has" | "lacks" => {
                if let Some(bad) = words().iter().find(|w| !schema.words.keywords.contains(&w.as_str())) {
                    self.notes.note(value.at, unknown("能力", bad, schema.words.keywords.iter().copied()));
                }
                words().into_iter().map(|w| Trait::Has(w, key.text == "has")).collect()
            }
            "role" => {
                // `なし`: none of the roles there are.
                if text == "なし" {
                    return schema.words.roles.iter().map(|r| Trait::Role(r.to_string(), false)).collect();
                }
                if let Some(bad) = words().iter().find(|w| !schema.words.roles.contains(&w.as_str())) {
                    self.notes.note(value.at, unknown("役割", bad, schema.words.roles.iter().copied()));
                }
                words().into_iter().map(|w| Trait::Role(w, true)).collect()
            }
            "name" => vec![Trait::Name(text)],
            "under" if value.kind == Kind::Null || text == "なし" => vec![Trait::Under(None)],
            "under" => self.label(value).map(|id| Trait::Under(Some(id))).into_iter().collect(),
            "as" => vec![Trait::As(text)],
            "markers" => {
                let pairs = value.pairs().unwrap_or_default();
                pairs.iter().filter_map(|(k, v)| Some(Trait::Marker(k.text.clone(), self.number(v)?))).collect()
            }
            name => {
                if let Some((at, _)) = schema.data(name) {
                    return vec![Trait::Data(at, value.clone())];
                }
                if let Some(at) = schema.fact(FactOwner::Card, name) {
                    return self.number(value).map(|n| Trait::Fact(at, n)).into_iter().collect();
                }
                let data = schema.words.data.iter().map(|(n, _)| *n);
                let known = CARD.into_iter().chain(data).chain(fact_names(schema, FactOwner::Card));
                self.notes.note(key.at, unknown("項目", name, known));
                Vec::new()
            }
        }
    }

    fn seat(&mut self, seat: Seat, node: &Node) {
        let schema = self.names.schema;
        for (key, value) in node.pairs().unwrap_or_default() {
            if let Some(zone) = schema.zone(&key.text, Some(seat)) {
                self.content(zone, key.at, value);
            } else if let Some(at) = schema.fact(FactOwner::Seat, &key.text) {
                if let Some(n) = self.number(value) {
                    self.say(key.at, Says::SeatFact(seat, at, n));
                }
            } else {
                let zones = schema.zones.iter().filter(|z| z.owner == Some(seat)).map(|z| z.name);
                let known = zones.chain(fact_names(schema, FactOwner::Seat));
                self.notes.note(key.at, unknown("ゾーン", &key.text, known));
            }
        }
    }

    fn squares(&mut self, node: &Node) {
        for (key, value) in node.pairs().unwrap_or_default() {
            match self.names.zones(&key.text)[..] {
                [zone] => self.content(zone, key.at, value),
                _ => {
                    let known = self.names.schema.zones.iter().filter(|z| z.board).map(|z| z.name);
                    self.notes.note(key.at, unknown("場所", &key.text, known));
                }
            }
        }
    }

    /// A number, an exact list, or `{count, has, lacks}`.
    fn content(&mut self, zone: ZoneId, at: At, node: &Node) {
        if let Some(n) = node.number() {
            return self.say(at, Says::Zone(zone, Content::Count(n)));
        }
        let Kind::Map(pairs) = &node.kind else {
            let cards: Vec<Option<CardId>> = node.items().iter().map(|item| self.label(item)).collect();
            if let Some(cards) = cards.into_iter().collect() {
                self.say(at, Says::Zone(zone, Content::Exactly(cards)));
            }
            return;
        };
        for (key, value) in pairs {
            match key.text.as_str() {
                "count" => {
                    if let Some(n) = self.number(value) {
                        self.say(at, Says::Zone(zone, Content::Count(n)));
                    }
                }
                "has" | "lacks" => {
                    for item in value.items() {
                        if let Some(id) = self.label(item) {
                            self.say(at, Says::Zone(zone, Content::Has(id, key.text == "has")));
                        }
                    }
                }
                other => self.notes.note(key.at, unknown("項目", other, ["count", "has", "lacks"])),
            }
        }
    }

    fn facts(&mut self, node: &Node) {
        for (key, value) in node.pairs().unwrap_or_default() {
            match self.names.schema.fact(FactOwner::Table, &key.text) {
                Some(at) => {
                    if let Some(n) = self.number(value) {
                        self.say(key.at, Says::Fact(at, n));
                    }
                }
                None => {
                    let known = fact_names(self.names.schema, FactOwner::Table);
                    self.notes.note(key.at, unknown("事実", &key.text, known));
                }
            }
        }
    }

    fn sees(&mut self, node: &Node, yes: bool) {
        for (key, value) in node.pairs().unwrap_or_default() {
            let Some(seat) = seat(self.names.schema, &key.text) else {
                self.notes.note(key.at, unknown("プレイヤー", &key.text, self.names.schema.seats));
                continue;
            };
            for item in value.items() {
                if let Some(id) = self.label(item) {
                    self.say(item.at, Says::Sees(seat, id, yes));
                }
            }
        }
    }

    /// A label, or `A.手札`, or `A.ライフ`.
    fn unchanged(&mut self, node: &Node) {
        let text = node.text().unwrap_or_default();
        let mut subjects: Vec<Subject> = self.names.zones(&text).into_iter().map(Subject::Zone).collect();
        subjects.extend(self.names.card(&text).map(Subject::Card));
        if let Some((who, fact)) = text.split_once('.')
            && let Some(seat) = seat(self.names.schema, who)
            && let Some(at) = self.names.schema.fact(FactOwner::Seat, fact)
        {
            subjects.push(Subject::SeatFact(seat, at));
        }
        if subjects.is_empty() {
            let labels = self.names.labels.iter().map(|l| l.as_str());
            self.notes.note(node.at, unknown("呼び名やゾーン", &text, labels));
        }
        for subject in subjects {
            self.expect.unchanged.push(subject.clone());
            self.say(node.at, Says::Unchanged(subject));
        }
    }
}

impl Says {
    /// What it is about.
    pub fn subject(&self) -> Subject {
        match self {
            Says::Card(id, _) => Subject::Card(*id),
            Says::Zone(zone, _) => Subject::Zone(*zone),
            Says::SeatFact(seat, at, _) => Subject::SeatFact(*seat, *at),
            _ => Subject::Table,
        }
    }

    /// As the datum it is compared with would be written.
    pub fn words(node: &Node) -> Vec<Word> {
        node.items().iter().filter_map(Node::text).map(|t| Word::new(&t)).collect()
    }
}
