//! What the language of cards can say and this game does not execute: a text that says it stops the duel before it
//! begins, so that it never passes for one that was carried out.

use super::schema::{CLASS, schema};
use crate::card::{Ability, Card, Change, Datum, Kind, Part, Parts, Replace, Step, Value, Word};
use crate::kernel::{Duel, Flow};

/// What is not executed, and the clauses that speak of it.
type Lack = Option<(&'static str, &'static [&'static str])>;

/// The phase that a player may be kept from (2.5.0.2); the others are gone through.
const PASSED_OVER: &str = "バトルフェイズ";
/// From where a text may let a trap or a quick-play spell be activated: the hand, or where it was set in the same turn.
pub const PLAYED_FROM: [&str; 2] = ["手札", "魔法&罠ゾーン"];

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
    let mut found = None;
    card.abilities.each_part(&mut |part| found = found.or(of_part(part)));
    // Nothing else waits for a place from which it could be activated.
    let waits = |kind: &Word| kind.ends_with("罠") || *kind == "速攻魔法";
    let quick = matches!(card.data.get(&Word(CLASS)), Some(Datum::Words(kinds)) if kinds.iter().any(waits));
    let own = |a: &Ability| a.affects.is_none() && a.grant.iter().any(|c| matches!(c, Change::PlayFrom(_)));
    let idle = !quick && card.abilities.iter().any(own);
    found.or(idle.then_some(("罠でも速攻魔法でもないカードの play_from:", &["ygo:1.4.2.1"][..])))
}

fn of_part(part: Part) -> Lack {
    let moment = |event: Word| {
        let words = &schema().words;
        let stage = words.phases.iter().any(|phase| event == *phase);
        (stage || words.moments.contains(&event.as_str())) && event != PASSED_OVER
    };
    match part {
        Part::Ability(ability) if ability.price.is_some() => {
            Some(("price:（コストは cost: に書く）", &["ygo:4.1.2.2"][..]))
        }
        // What stands besides would never be looked at.
        Part::Ability(Ability { kind: Kind::Static, keyword: None, cost, timing, limit, instead, .. })
            if !cost.is_empty() || timing.is_some() || limit.is_some() && instead.is_none() =>
        {
            Some(("常在の cost:・timing:・limit:（発動しない効果には要らない）", &["ygo:4.1.3.2"][..]))
        }
        Part::Ability(Ability { instead: Some(Replace { when, .. }), .. })
        | Part::Step(Step::Replace { instead: Replace { when, .. }, .. })
            if moment(when.event) || when.event == PASSED_OVER =>
        {
            Some(("フェイズやステップの置換", &["ygo:1.6.2.1"][..]))
        }
        Part::Keyword(line) if line.name == "素材" && !matches!(line.value, Some(Value::Number(_))) => {
            Some(("数の決まっていない素材", &["ygo:2.4.2.1"][..]))
        }
        Part::Change(Change::Forbid(what)) if moment(what.event) => {
            Some(("フェイズやステップを行えなくする効果（バトルフェイズなら書ける）", &["ygo:1.6.2.1"][..]))
        }
        Part::Change(Change::PlayFrom(place)) if !PLAYED_FROM.contains(&place.as_str()) => {
            Some(("手札と魔法&罠ゾーンのほかからの発動（起動なら from: に書く）", &["ygo:3.3.20.1"][..]))
        }
        Part::Change(Change::Immune(immune)) if immune.to.iter().any(|what| *what == "ダメージ") => {
            Some(("ダメージを受けないモンスター（プレイヤーのダメージは forbid で書く）", &["ygo:4.1.8.1"][..]))
        }
        Part::Change(Change::Enter(_)) => Some(("出る時の表示形式を変える効果", &["ygo:1.3.4.4"][..])),
        Part::Change(Change::Under(_)) => Some(("状態に置く効果", &[][..])),
        Part::Change(Change::Player(..)) => Some(("ライフポイントを増減し続ける効果", &[][..])),
        // What is not looked at would be passed over.
        Part::Step(Step::Act { name, who, what, count, .. }) => {
            let [by, to, often] = heeds(name.as_str());
            let beside = [
                (who.is_some() && !by, "行為に添えた who:（その行為では見ない）"),
                (what.is_some() && !to, "行為に添えた what:（その行為では見ない）"),
                (count.is_some() && !often, "行為に添えた count:（その行為では見ない）"),
            ];
            beside.into_iter().find(|(unheard, _)| *unheard).map(|(_, text)| (text, &[][..]))
        }
        _ => None,
    }
}

/// Whether the act heeds by whom, to what and how often.
fn heeds(act: &str) -> [bool; 3] {
    match act {
        "LPを払う" | "回復" | "効果ダメージ" => [true, false, true],
        "お互いに効果ダメージ" => [false, false, true],
        "装備" => [false, true, false],
        "儀式召喚" | "レベルちょうどの儀式召喚" | "エクシーズ素材を取り除く" => [true; 3],
        "召喚を無効にする" | "攻撃を無効にする" | "バトルフェイズを終了する" => [false; 3],
        _ => [true, true, false],
    }
}
