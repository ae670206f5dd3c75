//! What the language of cards can say and this game does not execute: a text that says it stops the duel before it
//! begins, so that it never passes for one that was carried out.

use super::schema::schema;
use crate::card::{Ability, Change, Keyword, Kind, Part, Parts, Price, Quantity, Replace, Step, Value, Word};
use crate::kernel::{Duel, Flow};

/// What is not executed, and the clauses that speak of it.
type Lack = Option<(String, &'static [&'static str])>;

/// Acts that are done to what `what` names.
const DONE_TO: [&str; 6] = ["ブレイク", "プレイする", "支払わずにプレイする", "シフトする", "IGOB", "ユニゾン"];
/// Acts that are done so many times, or to so many points.
const COUNTED: [&str; 4] = ["回復する", "イグニッションする", "を得る", "を消費する"];

/// Looks through the texts of all cards on the table.
pub fn listen(d: &mut Duel) -> Flow {
    let given = d.given;
    for def in &given.defs {
        let mut found = None;
        def.card.abilities.each_part(&mut |part| found = found.take().or_else(|| of_part(part)));
        if let Some((what, clauses)) = found {
            return d.unwritten(format!("「{}」の{what}", def.name()), clauses);
        }
    }
    Ok(())
}

fn of_part(part: Part) -> Lack {
    match part {
        Part::Ability(ability) => of_ability(ability),
        Part::Keyword(keyword) => of_keyword(keyword),
        Part::Step(Step::Replace { instead, .. }) => of_instead(instead),
        Part::Change(Change::Oblige(_)) => Some(("しなければならないという効果".into(), &["zx:102.2"])),
        Part::Change(Change::Player(..)) => Some(("プレイヤーの数を変える効果".into(), &[])),
        Part::Change(Change::Under(_)) => Some(("状態に置く効果".into(), &[])),
        // There is no stack.
        Part::Step(Step::Counter { .. } | Step::Retarget { .. }) => {
            Some(("解決を待つものを打ち消す、対象を変えるという効果".into(), &["zx:804.3"]))
        }
        Part::Step(Step::Act { name, who, what, count, .. }) => {
            let told = if DONE_TO.contains(&name.as_str()) { what.is_some() } else { what.is_none() };
            let counted = name.ends_with("を支払う") || COUNTED.iter().any(|act| name.ends_with(act));
            let how = match () {
                () if !told && what.is_none() => "するもの（what）を言っていない",
                () if !told => "what（その行為では見ない）のある",
                () if count.is_some() && !counted => "count（その行為では見ない。くり返すなら repeat）のある",
                () if who.is_some() && unowned(*name) => "who（その行為では見ない）のある",
                () => return None,
            };
            Some((format!("{how}「{name}」という行為"), &[]))
        }
        _ => None,
    }
}

/// Nobody in particular does it.
fn unowned(act: Word) -> bool {
    act.ends_with("を開始する") || act == "ブレイク"
}

/// What is only announced, while or after it is done.
const ANNOUNCED: [&str; 12] = [
    "プレイ",
    "起動",
    "攻撃",
    "被攻撃",
    "リソース",
    "イグニッション",
    "シャッフル",
    "見る",
    "選ぶ",
    "IGOB",
    "ユニゾン",
    "クライシス",
];

/// 812.1: what is replaced has not happened, nor anything that it is made up of.
fn of_instead(instead: &Replace) -> Lack {
    let event = instead.when.event;
    let announced = ANNOUNCED.contains(&event.as_str()) || schema().words.moments.contains(&event.as_str());
    announced.then(|| {
        (format!("「{event}」の置換（置く・破壊・引く・ダメージなど、起こる変化なら書ける）"), &["zx:812.1"][..])
    })
}

/// A keyword names one number, one name, one resource cost of one colour.
fn of_keyword(keyword: &Keyword) -> Lack {
    let plain = |price: &Price| matches!(price.0[..], [(_, Quantity::Number(_))]);
    let told = match () {
        () if !matches!(keyword.value, None | Some(Value::Number(_))) => "value が数そのものでない",
        () if keyword.words.len() > 1 && keyword.name != "クライシス" => "words が2つ以上ある",
        () if keyword.price.len() > 1 || !keyword.price.iter().all(plain) => "コストが1色と点数でない",
        () => return None,
    };
    Some((format!("{told}「{}」", keyword.name), &["zx:1101.1"]))
}

fn of_ability(ability: &Ability) -> Lack {
    if let Some(instead) = &ability.instead {
        return of_instead(instead);
    }
    // What is done while playing is paid for; nothing else that lasts is.
    let paid = ability.price.is_some() || !ability.cost.is_empty() && ability.timing.is_none();
    if ability.kind == Kind::Static && ability.keyword.is_none() && paid {
        return Some(("常在能力の代償".into(), &["zx:801.2c"]));
    }
    // 1019.2: what the card becomes has to be chosen.
    let breaks = |part: Part| matches!(part, Part::Step(Step::Act { name, .. }) if *name == "ブレイク");
    let chooses = |part: Part| matches!(part, Part::Target(target) if target.slot == "ブレイク先");
    (ability.has_part(breaks) && !ability.has_part(chooses))
        .then(|| ("何になるか（「ブレイク先」というスロットに選ぶ）を言わないブレイク".into(), &["zx:1019.2"][..]))
}
