//! 1100: what keyword skills mean. Those that change a procedure are read where the procedure is.

use crate::card::{
    Ability, Amount, Change, Cond, Filter, Keyword, Kind, Pattern, Pool, Replace, Step, Target, Test, Value, Word,
};
use crate::kernel::Cite;

/// The clause that gives an ability.
pub fn given(cite: &'static Cite) -> Vec<&'static str> {
    vec![cite.clause]
}

fn this() -> Filter {
    Filter::of_ref(Word("this"))
}

pub fn meaning(keyword: &Keyword) -> Vec<Ability> {
    match keyword.name.as_str() {
        "参戦" => triggered(
            keyword,
            Pattern { event: Word("戦場に出る"), card: Some(this()), ..Pattern::default() },
            msd!("1106.2", Meaning),
        ),
        "断末魔" => {
            let when = Pattern {
                event: Word("置く"),
                card: Some(this()),
                from: vec![Word("戦場")],
                to: vec![Word("墓地")],
                ..Pattern::default()
            };
            triggered(keyword, when, msd!("1107.2", Meaning))
        }
        "魂印" => soul_seal(),
        "DCT" => {
            let effort = Filter {
                of: Some(Word("自分")),
                within: vec![Word("墓地")],
                data: [(Word("種族"), Test::Word(Word("努力")))].into(),
                ..Filter::default()
            };
            let least = keyword.value.clone().unwrap_or(Value::Number(0));
            let cond = Cond::AtLeast(Value::made(Amount::Count(effort)), least);
            vec![gaining(keyword, cond, msd!("1111.2", Meaning))]
        }
        "唯我独尊" => {
            let others = Filter {
                is: vec![Word("怪異")],
                of: Some(Word("自分")),
                except: vec![Word("this")],
                ..Filter::default()
            };
            vec![gaining(keyword, Cond::None(others), msd!("1113.2", Meaning))]
        }
        _ => Vec::new(),
    }
}

/// 1106.2, 1107.2: the texts trigger on the event.
fn triggered(keyword: &Keyword, when: Pattern, cite: &'static Cite) -> Vec<Ability> {
    let text =
        |a: &Ability| Ability { kind: Kind::Triggered, when: vec![when.clone()], clauses: given(cite), ..a.clone() };
    keyword.text.iter().map(text).collect()
}

/// 1111.2, 1113.2: the card has the text while the condition holds.
fn gaining(keyword: &Keyword, cond: Cond, cite: &'static Cite) -> Ability {
    let grant = keyword.text.iter().map(|text| Change::Gain(Box::new(text.clone()))).collect();
    Ability { kind: Kind::Static, cond: Some(cond), grant, clauses: given(cite), ..Ability::default() }
}

/// 1109.2: instead of leaving, one of its stock; and one of its stock for one of its 参戦.
fn soul_seal() -> Vec<Ability> {
    let cite = msd!("1109.2", Meaning);
    let stock =
        Filter {
            within: vec![Word("ストック")], near: [(Word("ストック"), Word("this"))].into(), ..Filter::default()
        };
    let choose = Target {
        slot: Word("ストック1つ"),
        of: Pool::Cards(stock),
        count: None,
        up_to: None,
        any_number: false,
        by: None,
        random: false,
        divide: None,
        total: Default::default(),
        silent: false,
        loose: false,
    };
    let discard = Step::Move {
        what: Some(Word("ストック1つ")),
        all: None,
        to: Word("墓地"),
        near: Default::default(),
        at: None,
        state: None,
        control: None,
        how: Some(Word("破棄")),
        attach: None,
        slot: None,
    };
    let steps = vec![Step::Choose(choose), discard];
    let outside = ["手札", "墓地", "デッキゾーン", "オーブゾーン", "除外ゾーン", "エキストラデッキゾーン"];
    let leaves = Pattern {
        event: Word("置く"),
        card: Some(this()),
        from: vec![Word("戦場")],
        to: outside.map(Word).to_vec(),
        ..Pattern::default()
    };
    let instead = Replace { when: leaves, steps: steps.clone(), to: None, state: None, amount: None, optional: true };
    let again =
        Step::Act { name: Word("参戦を発動する"), who: None, what: Some(Word("this")), count: None, slot: None };
    vec![
        Ability { kind: Kind::Static, instead: Some(instead), clauses: given(cite), ..Ability::default() },
        Ability {
            kind: Kind::Activated,
            timing: Some(Word("メインタイミング")),
            cost: steps,
            steps: vec![again],
            clauses: given(cite),
            ..Ability::default()
        },
    ]
}
