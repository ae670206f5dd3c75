//! Numbers, and the conditions before 「ならば」.

use super::verb::clause;
use super::voice::Voice;
use crate::card::{Amount, Cond, Value};

impl Voice {
    pub fn number(&self, value: &Value) -> String {
        match value {
            Value::Number(n) if *n < 0 => format!("－{}", n.unsigned_abs()),
            Value::Number(n) => n.to_string(),
            Value::Named(name) => self.name(*name),
            Value::Made(amount) => self.amount(amount),
        }
    }

    fn amount(&self, amount: &Amount) -> String {
        let list = |values: &[Value], sign: &str| {
            let numbers = values.iter().map(|value| match value {
                Value::Made(inner) if matches!(**inner, Amount::Sum(_) | Amount::Product(_)) => {
                    format!("（{}）", self.number(value))
                }
                Value::Made(_) | Value::Number(_) | Value::Named(_) => self.number(value),
            });
            numbers.collect::<Vec<_>>().join(sign)
        };
        match amount {
            Amount::Count(filter) => format!("{}の枚数", self.cards(filter)),
            Amount::Kinds(filter) => format!("{}の種類の数", self.cards(filter)),
            Amount::Data(card, key) => format!("{}の{key}", self.name(*card)),
            Amount::Highest(key, filter) => format!("{}の{key}の最大値", self.cards(filter)),
            Amount::Lowest(key, filter) => format!("{}の{key}の最小値", self.cards(filter)),
            Amount::Size(slot) => format!("{}の数", self.name(*slot)),
            Amount::Sum(values) => format!("{}の合計", list(values, "と")),
            Amount::Product(values) => list(values, "×"),
            Amount::Divide(value, by) => format!("{}を{}で割った数", self.number(value), self.number(by)),
            Amount::Event(what) => format!("その{what}"),
            Amount::Marks(card, name) => format!("{}の{name}の数", self.name(*card)),
            Amount::Fact(who, name) => format!("{}の{name}", self.who(*who)),
            Amount::Total(key, filter) => format!("{}の{key}の合計", self.cards(filter)),
        }
    }

    /// 3枚, X枚; for a number that has a name or must be worked out, （…の枚数）枚.
    pub fn counted(&self, value: &Value, unit: &str) -> String {
        match value {
            Value::Number(_) => format!("{}{unit}", self.number(value)),
            Value::Named(name) if name.is_ascii() => format!("{name}{unit}"),
            Value::Named(_) | Value::Made(_) => format!("（{}）{unit}", self.number(value)),
        }
    }

    /// A clause that 「ならば」 may follow.
    pub fn cond(&self, cond: &Cond) -> String {
        match cond {
            Cond::Exists(filter) => self.there_is(filter, true),
            Cond::None(filter) => self.there_is(filter, false),
            Cond::Equal(a, b) => self.compared(a, b, ""),
            Cond::AtLeast(a, b) => self.compared(a, b, "以上"),
            Cond::AtMost(a, b) => self.compared(a, b, "以下"),
            Cond::Did(slot) => self.did(*slot),
            Cond::Turn(who) => format!("{}のターン", self.who(*who)),
            Cond::During(phase) => format!("{phase}中"),
            Cond::Happened(pattern) => format!("このターンに{}", self.happened(pattern)),
            Cond::Paid(name) => format!("「{name}」で支払った"),
            Cond::All(conds) => {
                let (last, before) = match conds.split_last() {
                    Some((last, before)) => (self.part(last), before),
                    None => return "いつでも".into(),
                };
                let before: String = before.iter().map(|c| format!("{}、かつ", clause(&self.part(c)))).collect();
                before + &last
            }
            Cond::Any(conds) => conds.iter().map(|c| self.part(c)).collect::<Vec<_>>().join("、または"),
            Cond::Not(inner) => self.negated(inner),
        }
    }

    /// A condition inside another, in brackets where its end would not be clear.
    fn part(&self, cond: &Cond) -> String {
        match cond {
            Cond::All(inner) | Cond::Any(inner) if inner.len() > 1 => format!("（{}）", self.cond(cond)),
            other => self.cond(other),
        }
    }

    fn negated(&self, cond: &Cond) -> String {
        match cond {
            Cond::Exists(filter) => self.there_is(filter, false),
            Cond::None(filter) => self.there_is(filter, true),
            Cond::Not(inner) => self.cond(inner),
            Cond::Did(_) => format!("{}のでない", self.cond(cond)),
            Cond::Happened(_) | Cond::Paid(_) => format!("{}のでない", self.cond(cond)),
            Cond::Equal(..) | Cond::AtLeast(..) | Cond::AtMost(..) | Cond::Turn(_) | Cond::During(_) => {
                format!("{}でない", self.cond(cond))
            }
            Cond::All(_) | Cond::Any(_) => format!("「{}」でない", self.cond(cond)),
        }
    }

    /// 「自分の手札にあるカードが3枚以上」, 「このカードのパワーが5000以下」.
    fn compared(&self, a: &Value, b: &Value, how: &str) -> String {
        if let (Value::Made(amount), Value::Number(n)) = (a, b)
            && let Amount::Count(filter) = &**amount
        {
            return format!("{}が{n}枚{how}", self.cards(filter));
        }
        let same = if how.is_empty() && !matches!(b, Value::Number(_)) { "と同じ数" } else { how };
        format!("{}が{}{same}", self.number(a), self.number(b))
    }
}
