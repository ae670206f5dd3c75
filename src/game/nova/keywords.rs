//! 1000: keyword abilities, in the language of abilities where that says it. 瞬唱, 疾風, 貫通, 装備, 剥奪, 受信 and 進化
//! change rules, and stand where those rules are.

use crate::card::{Ability, Amount, Filter, Keyword, Kind, Pattern, Pool, Step, Target, Value, Word};

pub fn meaning(keyword: &Keyword) -> Vec<Ability> {
    match keyword.name.as_str() {
        "息吹" => vec![breath(keyword)],
        "斬撃" => vec![slash(keyword)],
        _ => Vec::new(),
    }
}

fn of_opponent() -> Filter {
    Filter { is: vec![Word("サーバント")], of: Some(Word("相手")), ..Filter::default() }
}

fn when(event: &'static str) -> Vec<Pattern> {
    vec![Pattern { event: Word(event), card: Some(Filter::of_ref(Word("this"))), ..Pattern::default() }]
}

/// 1006.2: whenever it declares an attack, so many hundred to all servants of the opponent.
fn breath(keyword: &Keyword) -> Ability {
    let _ = (nova!("1006.1", Frame), nova!("1006.2", Meaning));
    let n = keyword.value.clone().unwrap_or(Value::Number(0));
    let amount = match n {
        Value::Number(n) => Value::Number(n.saturating_mul(100)),
        other => Value::made(Amount::Product(vec![other, Value::Number(100)])),
    };
    Ability {
        kind: Kind::Triggered,
        when: when("攻撃宣言"),
        steps: vec![Step::Damage { what: None, all: Some(of_opponent()), who: None, amount: Some(amount), slot: None }],
        clauses: vec!["1006.2"],
        ..Ability::default()
    }
}

/// 1007.3: what battle damage was beyond the defender's health, to up to so many servants.
fn slash(keyword: &Keyword) -> Ability {
    let _ = (nova!("1007.1", Frame), nova!("1007.3", Meaning));
    let target = Target {
        slot: Word("対象"),
        of: Pool::Cards(of_opponent()),
        count: None,
        up_to: Some(keyword.value.clone().unwrap_or(Value::Number(0))),
        any_number: false,
        by: None,
        random: false,
        divide: None,
        total: Default::default(),
        silent: false,
        loose: false,
    };
    let amount = Value::made(Amount::Event(Word("余剰ダメージ")));
    Ability {
        kind: Kind::Triggered,
        when: when("斬撃"),
        steps: vec![
            Step::Choose(target),
            Step::Damage { what: Some(Word("対象")), all: None, who: None, amount: Some(amount), slot: None },
        ],
        clauses: vec!["1007.3"],
        ..Ability::default()
    }
}
