//! One card of `given:`: `{呼び名: カード名, of: A, state: …}`.

use crate::card::Word;
use crate::card::word::FULL;
use crate::kernel::{CardId, FactOwner, ZoneId};
use crate::scenario::file::node::{At, Key, Kind, Node};
use crate::scenario::file::words::{Names, seat, unknown};
use crate::scenario::given::setup::{Setup, fact_names};

/// What an entry may say besides its label and the facts of the card.
const ENTRY: [&str; 8] = ["of", "owner", "state", "under", "as", "markers", "together", "revealed"];

impl Setup<'_> {
    pub fn entry(&mut self, zone: ZoneId, pairs: &[(Key, Node)], at: At) {
        let is_fact = |key: &str| self.schema.fact(FactOwner::Card, key).is_some();
        let named = pairs.iter().find(|(k, _)| !ENTRY.contains(&k.text.as_str()) && !is_fact(&k.text));
        let Some((key, value)) = named else {
            return self.notes.note(at, "ここには「呼び名: カード名」が要ります");
        };
        let Some(def) = self.card(&value.text().unwrap_or_default(), value.at) else { return };
        if self.labels.iter().any(|l| *l == key.text.as_str()) || seat(self.schema, &key.text).is_some() {
            return self.notes.note(key.at, format!("「{}」という呼び名は使われています", key.text));
        }
        let Some(label) = self.word(&key.text, key.at) else { return };
        let Some(id) = self.put(def, label, zone, at) else { return };
        // Whoever controls a card owns it unless told.
        let (of, rest): (Vec<_>, Vec<_>) =
            pairs.iter().filter(|(k, _)| k.text != key.text).partition(|(k, _)| k.text == "of");
        for (word, value) in of.iter().chain(&rest) {
            self.detail(id, word, value);
        }
        if of.is_empty() {
            self.nobodys(zone, at);
        }
    }

    /// A word that the board brings.
    pub fn word(&mut self, text: &str, at: At) -> Option<Word> {
        let word = Word::read(text);
        if word.is_none() {
            self.notes.note(at, FULL);
        }
        word
    }

    /// In a zone that is nobody's, a card must say whose it is.
    pub fn nobodys(&mut self, zone: ZoneId, at: At) {
        if self.schema.spec(zone).owner.is_none() {
            self.notes.note(at, "誰のカードか（{呼び名: カード名, of: A} のように）を書いてください");
        }
    }

    /// One thing said about a card.
    fn detail(&mut self, id: CardId, key: &Key, value: &Node) {
        let text = value.text().unwrap_or_default();
        match key.text.as_str() {
            "of" | "owner" => match seat(self.schema, &text) {
                Some(seat) => {
                    let obj = self.table.obj_mut(id);
                    obj.owner = seat;
                    if key.text == "of" {
                        obj.controller = seat;
                    }
                }
                None => self.notes.note(value.at, unknown("プレイヤー", &text, self.schema.seats)),
            },
            "state" => value.items().iter().for_each(|state| self.state(id, state)),
            "under" => self.hosts.push((id, Word(""), value.clone())),
            "as" => match self.schema.words.attachments.iter().find(|a| **a == text) {
                Some(how) => self.hosts.push((id, Word(how), Node::default())),
                None => {
                    self.notes.note(value.at, unknown("付け方", &text, self.schema.words.attachments.iter().copied()))
                }
            },
            "markers" => {
                for (name, n) in value.pairs().unwrap_or_default() {
                    let n = self.count(n);
                    let Some(name) = self.word(&name.text, name.at) else { return };
                    self.table.obj_mut(id).marks.change(|marks| marks.push((name, n)));
                    self.marker(name, value.at);
                }
            }
            "together" => {
                if value.kind == Kind::Bool(true) && id.0 > 0 {
                    self.table.obj_mut(id).since = self.table.obj(CardId(id.0 - 1)).since;
                }
            }
            "revealed" => self.table.obj_mut(id).revealed = value.kind == Kind::Bool(true),
            fact => match self.schema.fact(FactOwner::Card, fact) {
                Some(at) => self.table.obj_mut(id).facts[at] = self.count(value),
                None => {
                    let known = ENTRY.into_iter().chain(fact_names(self.schema, FactOwner::Card));
                    self.notes.note(key.at, unknown("項目", fact, known));
                }
            },
        }
    }

    fn state(&mut self, id: CardId, node: &Node) {
        let text = node.text().unwrap_or_default();
        let states = self.schema.states;
        let obj = self.table.obj_mut(id);
        if matches!(text.as_str(), "表" | "裏") {
            self.faced.push(id);
        }
        match text.as_str() {
            "表" => obj.face_up = true,
            "裏" => obj.face_up = false,
            s => match self.schema.state(s) {
                Some(state) => obj.state = state,
                None => {
                    let known = states.iter().copied().chain(["表", "裏"]);
                    self.notes.note(node.at, unknown("状態", &text, known));
                }
            },
        }
    }

    /// Whether a card is the other, or lies with it, or with one that does.
    fn rests_on(&self, card: CardId, other: CardId) -> bool {
        let mut at = Some(card);
        while let Some(id) = at {
            if id == other {
                return true;
            }
            at = self.table.obj(id).host.map(|(_, host)| host);
        }
        false
    }

    /// Lays cards with others, now that all are there.
    pub fn attach(&mut self) {
        let hosts = std::mem::take(&mut self.hosts);
        for (id, _, node) in hosts.iter().filter(|(_, how, _)| how.is_empty()) {
            let label = node.text().unwrap_or_default();
            let how = hosts
                .iter()
                .find(|(other, how, _)| other == id && !how.is_empty())
                .map_or(Word("下"), |(_, how, _)| *how);
            let names = Names { schema: self.schema, labels: &self.labels };
            match names.card(&label) {
                Some(host) if self.rests_on(host, *id) => {
                    self.notes.note(node.at, format!("「{label}」の下には置けません（自分が自分の下になります）"));
                }
                Some(host) => {
                    self.table.obj_mut(*id).host = Some((how, host));
                    if !self.faced.contains(id) {
                        self.table.obj_mut(*id).face_up = self.schema.face_up(how, self.table.obj(*id).zone);
                    }
                }
                None => self.notes.note(node.at, unknown("呼び名", &label, self.labels.iter().map(|l| l.as_str()))),
            }
        }
    }
}
