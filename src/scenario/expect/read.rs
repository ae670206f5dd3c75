//! Reads `expect:`, key by key; what is wrong is noted.

use super::{Claim, Content, Expect, Happening, Says, Subject};
use crate::kernel::{CardId, FactOwner, Seat, ZoneId};
use crate::scenario::file::node::{At, Key, Kind, Node, Notes};
use crate::scenario::file::words::{Names, phase, seat, unknown};
use crate::scenario::given::setup::fact_names;

/// The keys that are about no card and no seat.
const TABLE: [&str; 13] = [
    "events",
    "stack",
    "phase",
    "battle",
    "turn",
    "priority",
    "active",
    "winner",
    "facts",
    "squares",
    "sees",
    "hidden",
    "unchanged",
];

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

pub struct Reader<'a> {
    pub names: Names<'a>,
    pub notes: &'a mut Notes,
    expect: Expect,
}

impl Reader<'_> {
    fn say(&mut self, at: At, says: Says) {
        self.expect.claims.push(Claim { at, says });
    }

    fn say_if(&mut self, at: At, says: Option<Says>) {
        if let Some(says) = says {
            self.say(at, says);
        }
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
            "phase" => match phase(self.names.schema, &text) {
                Some(phase) => self.say(key.at, Says::Phase(phase.to_string())),
                None => {
                    let known = self.names.schema.words.phases.iter().copied();
                    self.notes.note(value.at, unknown("フェイズやステップ", &text, known));
                }
            },
            "battle" if text == "none" => self.say(key.at, Says::Battle(Vec::new())),
            "battle" => {
                let cards = value.items().iter().filter_map(|item| self.label(item)).collect();
                self.say(key.at, Says::Battle(cards));
            }
            "turn" => {
                let n = self.number(value).map(Says::Turn);
                self.say_if(key.at, n);
            }
            "active" => {
                let seat = self.who(value).map(Says::Active);
                self.say_if(key.at, seat);
            }
            "priority" if text == "none" => self.say(key.at, Says::Priority(None)),
            "priority" => {
                let seat = self.who(value).map(|seat| Says::Priority(Some(seat)));
                self.say_if(key.at, seat);
            }
            "winner" if text == "none" => self.say(key.at, Says::Winner(None)),
            "winner" if text == "draw" => self.say(key.at, Says::Winner(Some(None))),
            "winner" => {
                let seat = self.who(value).map(|seat| Says::Winner(Some(Some(seat))));
                self.say_if(key.at, seat);
            }
            "facts" => self.facts(value),
            "squares" => self.squares(value),
            "sees" | "hidden" => self.sees(value, key.text == "sees"),
            "events" => value.items().iter().for_each(|item| self.event(item)),
            "unchanged" => value.items().iter().for_each(|item| self.unchanged(item)),
            other => {
                let labels = self.names.labels.iter().map(|l| l.as_str());
                let known = TABLE.into_iter().chain(self.names.schema.seats).chain(labels);
                self.notes.note(key.at, unknown("呼び名や項目", other, known));
            }
        }
    }

    pub fn number(&mut self, node: &Node) -> Option<i32> {
        let n = node.number();
        if n.is_none() {
            self.notes.note(node.at, "ここには数を書いてください");
        }
        n
    }

    pub fn who(&mut self, node: &Node) -> Option<Seat> {
        let text = node.text().unwrap_or_default();
        let found = seat(self.names.schema, &text);
        if found.is_none() {
            self.notes.note(node.at, unknown("プレイヤー", &text, self.names.schema.seats));
        }
        found
    }

    pub fn label(&mut self, node: &Node) -> Option<CardId> {
        let text = node.text().unwrap_or_default();
        let found = self.names.card(&text);
        if found.is_none() {
            self.notes.note(node.at, unknown("呼び名", &text, self.names.labels.iter().map(|l| l.as_str())));
        }
        found
    }

    pub fn zones(&mut self, node: &Node) -> Option<Vec<ZoneId>> {
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

    fn seat(&mut self, seat: Seat, node: &Node) {
        let schema = self.names.schema;
        for (key, value) in node.pairs().unwrap_or_default() {
            if let Some(zone) = schema.zone(&key.text, Some(seat)) {
                self.content(zone, key.at, value);
            } else if let Some((part, _)) = schema.customs.open_part.iter().find(|(part, _)| *part == key.text)
                && let Some(zone) = schema.opens(part, Some(seat))
            {
                let from = self.expect.claims.len();
                self.content(zone, key.at, value);
                for claim in &mut self.expect.claims[from..] {
                    if let Says::Zone(zone, content) = &claim.says {
                        claim.says = Says::Open(*zone, part, content.clone());
                    }
                }
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

    /// `{ダメージ: 大砲, amount: 2000, by: 間者, times: 1}`: the event, its card, and what else is known of it.
    fn event(&mut self, node: &Node) {
        let Some([(name, card), rest @ ..]) = node.pairs() else {
            return self.notes.note(node.at, "ここには {出来事: カード, amount: …, times: …} のように書いてください");
        };
        let words = &self.names.schema.words;
        if !words.events.iter().chain(words.manners).any(|e| *e == name.text) {
            let known = words.events.iter().chain(words.manners).copied();
            self.notes.note(name.at, unknown("出来事", &name.text, known));
        }
        if card.kind != Kind::Null && words.moments.contains(&name.text.as_str()) {
            let text = format!(
                "「{0}」は時点で、どのカードの出来事でもありません（{{{0}: null, times: …}} と書いてください）",
                name.text
            );
            self.notes.note(card.at, text);
        }
        let card = if card.kind == Kind::Null { None } else { self.label(card) };
        let mut event = Happening {
            name: name.text.clone(),
            card,
            by: None,
            amount: None,
            who: None,
            from: Vec::new(),
            to: Vec::new(),
            open: [false; 2],
            times: None,
            text: node.to_string(),
        };
        for (key, value) in rest {
            match key.text.as_str() {
                "by" => event.by = self.label(value),
                "amount" => event.amount = self.number(value),
                "times" => event.times = self.number(value),
                "who" => event.who = self.who(value),
                side @ ("from" | "to") => {
                    let open = self.names.opens(&value.text().unwrap_or_default());
                    event.open[usize::from(side == "to")] = !open.is_empty();
                    let zones = if open.is_empty() { self.zones(value).unwrap_or_default() } else { open };
                    *(if side == "to" { &mut event.to } else { &mut event.from }) = zones;
                }
                other => {
                    self.notes.note(key.at, unknown("項目", other, ["amount", "by", "times", "who", "from", "to"]));
                }
            }
        }
        self.say(node.at, Says::Event(event));
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
