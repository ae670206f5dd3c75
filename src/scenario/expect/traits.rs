//! What can be said of one card: read from `expect:`, and looked at.

use crate::card::{ENDLESS, Word};
use crate::kernel::view::Data;
use crate::kernel::{CardId, FactOwner, Seat, ZoneId};
use crate::scenario::expect::Reader;
use crate::scenario::expect::look::Look;
use crate::scenario::file::node::{Key, Kind, Node};
use crate::scenario::file::words::unknown;
use crate::scenario::given::setup::fact_names;

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

const CARD: [&str; 11] =
    ["zone", "state", "controller", "owner", "has", "lacks", "role", "name", "under", "as", "markers"];

impl Reader<'_> {
    /// Notes words that are none of those known.
    fn known(&mut self, what: &str, node: &Node, known: &[&str]) {
        for item in node.items() {
            let text = item.text().unwrap_or_default();
            if !known.contains(&text.as_str()) {
                self.notes.note(item.at, unknown(what, &text, known.iter().copied()));
            }
        }
    }

    pub fn traits(&mut self, key: &Key, value: &Node) -> Vec<Trait> {
        let schema = self.names.schema;
        let words = || value.items().iter().filter_map(Node::text).collect::<Vec<String>>();
        let text = value.text().unwrap_or_default();
        match key.text.as_str() {
            "zone" if !self.names.opens(&text).is_empty() => {
                vec![Trait::In(self.names.opens(&text), text), Trait::State("表".into())]
            }
            "zone" => self.zones(value).map(|zones| Trait::In(zones, text)).into_iter().collect(),
            "state" => {
                let states: Vec<&str> = schema.states.iter().copied().chain(["表", "裏"]).collect();
                self.known("状態", value, &states);
                words().into_iter().map(Trait::State).collect()
            }
            "controller" => self.who(value).map(Trait::Controller).into_iter().collect(),
            "owner" => self.who(value).map(Trait::Owner).into_iter().collect(),
            "has" | "lacks" => {
                self.known("能力", value, schema.words.keywords);
                words().into_iter().map(|w| Trait::Has(w, key.text == "has")).collect()
            }
            "role" => {
                // `なし`: none of the roles there are.
                if text == "なし" {
                    return schema.words.roles.iter().map(|r| Trait::Role(r.to_string(), false)).collect();
                }
                self.known("役割", value, schema.words.roles);
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
}

impl Look<'_> {
    /// `None` when it is so; else which trait, what was expected and what is.
    pub fn card(&self, id: CardId, wanted: &Trait) -> Option<String> {
        let names = self.now.names();
        let schema = names.schema;
        let obj = self.now.table.obj(id);
        let seen = self.now.seen(id);
        let seat = |s: Seat| schema.seats[s.index()];
        match wanted {
            Trait::In(zones, text) if !zones.contains(&obj.zone) => {
                Some(format!("場所は {text} のはずが {}", names.zone_name(obj.zone)))
            }
            Trait::State(state) => {
                let face = if obj.face_up { "表" } else { "裏" };
                let turned = schema.state_name(obj.state);
                let is = if matches!(state.as_str(), "表" | "裏") { face } else { turned };
                (is != state).then(|| format!("状態は {state} のはずが {is}"))
            }
            Trait::Controller(s) if seen.controller != *s => {
                Some(format!("支配者は {} のはずが {}", seat(*s), seat(seen.controller)))
            }
            Trait::Owner(s) if obj.owner != *s => Some(format!("持ち主は {} のはずが {}", seat(*s), seat(obj.owner))),
            Trait::Has(keyword, yes) if seen.has(keyword) != *yes => {
                Some(format!("能力「{keyword}」が{}", if *yes { "ありません" } else { "あります" }))
            }
            Trait::Role(role, yes) => {
                let has = Word::read(role).is_some_and(|role| self.now.role(id, role));
                (has != *yes).then(|| format!("役割「{role}」が{}", if *yes { "ありません" } else { "あります" }))
            }
            Trait::Name(name) if name == "なし" && seen.names.iter().all(|n| n.as_str().is_empty()) => None,
            Trait::Name(name) if !seen.names.iter().any(|n| *n == name.as_str()) => {
                Some(format!("名は {name} のはずが {}", seen.name()))
            }
            Trait::Under(host) if obj.host.map(|h| h.1) != *host => {
                let word = |h: Option<CardId>| h.map_or("なし".into(), |h| names.label(h).to_string());
                Some(format!("付いている先は {} のはずが {}", word(*host), word(obj.host.map(|h| h.1))))
            }
            Trait::As(how) if obj.host.is_none_or(|h| h.0 != how.as_str()) => {
                Some(format!("付き方は {how} のはずが {}", obj.host.map_or("なし", |h| h.0.as_str())))
            }
            Trait::Marker(name, n) => {
                let is = self.now.marked(id, Word::new(name));
                (is != *n).then(|| format!("{name}は {n} のはずが {is}"))
            }
            Trait::Data(at, value) => {
                let datum = &seen.data[*at];
                let name = schema.words.data[*at].0;
                (!data_fits(datum, value)).then(|| format!("{name}は {value} のはずが {}", data_words(datum)))
            }
            Trait::Fact(at, n) if obj.facts[*at] != *n => {
                let name = fact_names(schema, FactOwner::Card).nth(*at).unwrap_or_default();
                Some(format!("{name}は {n} のはずが {}", obj.facts[*at]))
            }
            _ => None,
        }
    }
}

fn data_fits(datum: &Data, value: &Node) -> bool {
    match datum {
        Data::None => value.kind == Kind::Null || value.text().as_deref() == Some("なし"),
        Data::Number(ENDLESS) => value.text().as_deref() == Some("∞"),
        // What is below nothing reads as nothing.
        Data::Number(n) => value.number().is_some_and(|wanted| wanted == *n || wanted == (*n).max(0)),
        Data::Words(words) => {
            let mut expected = as_words(value);
            let mut is = words.to_vec();
            expected.sort_unstable();
            is.sort_unstable();
            expected == is
        }
        Data::Price(price) => !price.is_unsettled() && value.text().is_some_and(|text| price.to_string() == text),
    }
}

pub fn data_words(datum: &Data) -> String {
    match datum {
        Data::None => "なし".into(),
        Data::Number(ENDLESS) => "∞".into(),
        Data::Number(n) => n.to_string(),
        Data::Words(words) => words.iter().map(|w| w.as_str()).collect::<Vec<_>>().join("・"),
        // What is below nothing is taken from another part as the price is paid.
        Data::Price(price) if price.is_unsettled() => "支払う時に決まる".into(),
        Data::Price(price) => price.to_string(),
    }
}

fn as_words(value: &Node) -> Vec<Word> {
    value.items().iter().filter_map(Node::text).map(|t| Word::read(&t).unwrap_or_default()).collect()
}
