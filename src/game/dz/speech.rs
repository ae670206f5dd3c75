//! What the language of cards can say and this game does not execute: a text that says it stops the duel before it
//! begins, so that it never passes for one that was carried out.

use crate::card::{Ability, Card, Change, Kind, Part, Parts, Replace, Step};
use crate::kernel::{Duel, Flow};

/// What is not executed, and the clauses that speak of it.
type Lack = Option<(&'static str, &'static [&'static str])>;

/// Looks through the texts of all cards on the table.
pub fn listen(d: &mut Duel) -> Flow {
    let given = d.given;
    for def in &given.defs {
        if let Some((what, clauses)) = of_card(&def.card) {
            return d.unwritten(format!("「{}」の{what}", def.name()), clauses);
        }
    }
    Ok(())
}

fn of_card(card: &Card) -> Lack {
    // What a card costs is its use cost, and what is paid besides is written as what is done.
    let priced =
        |a: &Ability| matches!(a.kind, Kind::Effect | Kind::Static) && a.keyword.is_none() && a.price.is_some();
    if card.abilities.iter().any(priced) {
        return Some((
            "起動でも誘発でもない能力の price:（追加コストは cost: に行為「無色を支払う」などと書く）",
            &["dz:4.7.2-4"],
        ));
    }
    let mut found = None;
    card.abilities.each_part(&mut |part| found = found.or(of_part(part)));
    found
}

/// What happens to cards and can be replaced as a whole; the rest is announced while it is done.
const REPLACED: [&str; 7] = ["置く", "引く", "ダメージ", "フリーズ", "リリース", "表", "裏"];

fn of_part(part: Part) -> Lack {
    let announced = |instead: &Replace| !REPLACED.contains(&instead.when.event.as_str());
    match part {
        // 4.15.4: what is replaced has not happened, nor anything that it is made up of.
        Part::Ability(Ability { instead: Some(instead), .. }) | Part::Step(Step::Replace { instead, .. })
            if announced(instead) =>
        {
            Some(("カードを置く・引く・ダメージ・向きのほかの出来事の置換", &["dz:4.15.4"][..]))
        }
        // Nothing says when a target becomes one: it is chosen while the text is put on the stack.
        Part::Ability(ability)
            if ability.kind == Kind::Triggered && ability.when.iter().any(|when| when.event == "対象") =>
        {
            Some(("対象になった時に誘発する能力", &["dz:4.7.2-5", "dz:4.8.4-2"][..]))
        }
        // 5.17.2 is about damage and targets alone.
        Part::Change(Change::Immune(immune)) if immune.to.iter().any(|what| *what != "ダメージ" && *what != "対象") => {
            Some(("「効果を受けない」という効果（ダメージと対象なら書ける）", &["dz:5.17.2"][..]))
        }
        Part::Change(Change::Oblige(_)) => Some(("しなければならないという効果", &[][..])),
        Part::Change(Change::Under(_)) => Some(("状態に置く効果", &[][..])),
        Part::Change(Change::Player(..)) => Some(("プレイヤーの数を変える効果", &[][..])),
        // What is not looked at would be passed over.
        Part::Step(Step::Act { what: Some(_), .. }) => Some(("行為に添えた what:（見ない）", &[][..])),
        Part::Step(Step::Act { name, count: Some(_), .. })
            if !name.ends_with("を支払う") && *name != "スマッシュを置く" && *name != "並べ替える" =>
        {
            Some(("行為に添えた count:（その行為では見ない。くり返すなら repeat）", &[][..]))
        }
        _ => None,
    }
}
