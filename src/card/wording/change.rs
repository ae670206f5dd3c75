//! Continuous effects: 「…のパワーを＋2000し、それは速攻を得る」.

use super::verb::{condition, either, signed, stem};
use super::voice::Voice;
use super::{ability, price};
use crate::card::{Amount, Change, Immune, Kind, Value, Word};

/// What is said of the card, and the particle that joins it to the card.
type Said = (&'static str, String);

impl Voice {
    /// All changes of one subject as one sentence. Without a subject it is this card.
    pub fn changes(&self, subject: Option<String>, changes: &[Change]) -> String {
        let mut out = String::new();
        let mut joined = "";
        for (i, change) in changes.iter().enumerate() {
            let (particle, said) = self.change(change, subject.as_deref());
            let topic = match (i, particle) {
                (_, "") => String::new(),
                (0, _) => subject.clone().unwrap_or("このカード".into()) + particle,
                (_, same) if same == joined => String::new(),
                (_, _) => format!("それ{particle}"),
            };
            if i > 0 {
                out = format!("{}、", stem(&out));
            }
            out += &format!("{topic}{said}");
            joined = particle;
        }
        out
    }

    fn change(&self, change: &Change, subject: Option<&str>) -> Said {
        match change {
            Change::Add(key, value) => ("の", self.added(key, value)),
            Change::Down(key, value, least) => {
                ("の", format!("{key}を{}減らす（{least}より小さくはならない）", self.number(value)))
            }
            Change::Set(key, value) => ("の", format!("{key}を{}にする", self.number(value))),
            Change::Base(key, value) => ("の", format!("元々の{key}を{}にする", self.number(value))),
            Change::Join(key, word) => ("の", format!("{key}に{}を加える", self.name(*word))),
            Change::Become(key, words) => {
                let words: Vec<String> = words.iter().map(|word| self.name(*word)).collect();
                ("の", format!("{key}を{}に変える", words.join("と")))
            }
            Change::Gain(gained) if is_keyword(gained) => ("は", format!("{}を得る", ability(gained))),
            Change::Gain(gained) => ("は", format!("「{}」を得る", ability(gained))),
            Change::Copy(copied) => {
                let kind = match copied.kind {
                    Kind::Activated => "起動能力",
                    Kind::Triggered => "誘発能力",
                    Kind::Static => "常在能力",
                    Kind::Effect => "能力",
                };
                ("は", format!("{}の{kind}を得る", self.cards(&copied.cards)))
            }
            Change::Lose(name) => ("は", format!("{name}を失う")),
            Change::LoseText(true) => ("は", "すべての能力を失う".into()),
            Change::LoseText(false) => ("は", "能力を失わない".into()),
            Change::Control(who) => ("の", format!("支配者を{}にする", self.who(*who))),
            Change::Cost(key, symbol, value) => ("の", self.added(&format!("{key}の{symbol}"), value)),
            Change::Price(key, new) => ("の", format!("{key}を{}にする", price(new))),
            Change::Read(key, other) => ("の", format!("{key}を参照する時、かわりに{other}を参照する")),
            Change::Forbid(pattern) => {
                let own = pattern.card.is_some() || subject.is_none() && pattern.who.is_some();
                match subject {
                    Some(_) if !own => ("", self.forbidden(pattern, subject)),
                    Some(_) => ("について、", self.forbidden(pattern, None)),
                    None => ("", self.forbidden(pattern, (!own).then_some("このカード"))),
                }
            }
            Change::Immune(immune) => ("は", self.immune(immune)),
            Change::PlayFrom(place) => ("を", format!("{}からプレイしてよい", self.place(*place))),
            Change::Enter(state) => ("は", format!("{}で置かれる", condition(state))),
            Change::Limit(name, None) => ("", format!("{}はなくなる", limited(name))),
            Change::Limit(name, Some(value)) => ("", format!("{}は{}になる", limited(name), self.number(value))),
            Change::Player(name, value) => ("", format!("自分の{}", self.added(name, value))),
            Change::Bear(data) => ("は", format!("{}としても扱う", borne(data))),
            Change::Oblige(pattern) => ("", self.obliged(pattern)),
            Change::Under(name) => ("は", format!("{name}である")),
        }
    }

    /// ＋2000する; for each of something, 「…1枚につき＋1000する」.
    fn added(&self, key: &str, value: &Value) -> String {
        if let Some((filter, each)) = per_card(value) {
            let each = Value::Number(each);
            return format!("{key}を、{}1枚につき{}する", self.cards(filter), signed(&self.number(&each), &each));
        }
        let variable = matches!(value, Value::Named(name) if name.is_ascii());
        match value {
            Value::Number(_) => format!("{key}を{}する", signed(&self.number(value), value)),
            Value::Named(_) if variable => format!("{key}を{}する", signed(&self.number(value), value)),
            Value::Named(_) | Value::Made(_) => format!("{key}に{}を加える", self.number(value)),
        }
    }

    fn immune(&self, immune: &Immune) -> String {
        let Immune { to, by } = immune;
        let by = self.cards(by);
        let (targets, taken): (Vec<Word>, Vec<Word>) = to.iter().partition(|word| **word == "対象");
        let mut parts = Vec::new();
        parts.extend((!taken.is_empty()).then(|| format!("{by}から{}を受けない", either(&taken))));
        parts.extend((!targets.is_empty()).then(|| format!("{by}の対象にならない")));
        let last = parts.pop().unwrap_or_default();
        parts.iter().map(|part| format!("{}、", stem(part))).collect::<String>() + &last
    }
}

/// Whose limit it is: one's own, where it does not say.
fn limited(name: &str) -> String {
    if ["相手の", "お互いの"].iter().any(|who| name.starts_with(who)) {
        name.into()
    } else {
        format!("自分の{name}")
    }
}

/// The data that a card also has.
fn borne(data: &std::collections::BTreeMap<Word, crate::card::Datum>) -> String {
    let one = |(key, datum): (&Word, &crate::card::Datum)| match datum {
        crate::card::Datum::Number(n) => format!("{key}{n}"),
        crate::card::Datum::Words(words) => words.iter().map(|w| w.as_str()).collect::<Vec<_>>().join("・"),
    };
    data.iter().map(one).collect::<Vec<_>>().join("、")
}

fn is_keyword(gained: &crate::card::Ability) -> bool {
    gained.keyword.is_some()
        && crate::card::Ability { keyword: None, kind: Default::default(), ..gained.clone() } == Default::default()
}

/// A number of cards times a number.
fn per_card(value: &Value) -> Option<(&crate::card::Filter, i32)> {
    let Value::Made(amount) = value else { return None };
    let Amount::Product(factors) = &**amount else { return None };
    let [a, b] = factors.as_slice() else { return None };
    let count = |value: &'_ Value| matches!(value, Value::Made(amount) if matches!(**amount, Amount::Count(_)));
    let (cards, number) = if count(a) { (a, b) } else { (b, a) };
    match (cards, number) {
        (Value::Made(amount), Value::Number(n)) => match &**amount {
            Amount::Count(filter) => Some((filter, *n)),
            _ => None,
        },
        _ => None,
    }
}
