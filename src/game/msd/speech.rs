//! What the language of cards can say and this game does not execute: a text that says it stops the duel before it
//! begins, so that it never passes for one that was carried out.

use super::schema::{ON_ACTIVATION, ON_ATTACK};
use crate::card::{Ability, Change, Datum, Kind, Step, Value, Word};
use crate::kernel::{Duel, Flow};

type Lack = Option<(&'static str, &'static [&'static str])>;

/// Looks through the texts of all cards on the table, and at readings that are not executed.
pub fn listen(d: &mut Duel) -> Flow {
    let given = d.given;
    for def in &given.defs {
        let found = def.card.abilities.iter().find_map(in_ability);
        if let Some((text, clauses)) = found {
            return d.unwritten(format!("「{}」の{text}", def.name()), clauses);
        }
        // 1302.1b, 201.2a: what is no token has a kind, though it is not always printed.
        let plain = def.card.data.is_empty() || def.card.data.contains_key(&Word("種類"));
        if !plain && def.name() != super::setup::COIN && !def.name().ends_with("トークン") {
            return d.unwritten(
                format!("「{}」に種類がない（名称を「〜トークン」にすれば怪異になる）", def.name()),
                &["msd:201.2"],
            );
        }
        // Reading C1: 神 is a kind.
        let god = matches!(def.card.data.get(&Word("種類")), Some(Datum::Words(w)) if w.iter().any(|w| *w == "神"));
        if god && d.reading(msd!("C1", Reading), "a") == "b" {
            return d.unwritten("種類のない神", &["msd:201.2"]);
        }
        // Reading C15: 努力 is a race.
        let dct = def.card.abilities.iter().any(|a| a.keyword.as_ref().is_some_and(|k| k.name == "DCT"));
        if dct && d.reading(msd!("C15", Reading), "a") == "b" {
            return d.unwritten("努力をカード名で数えること", &["msd:1111.2"]);
        }
    }
    // Stock is not spoken of (306.4), and layers are gone through once (909.1).
    let stock = d.t.ids().any(|id| d.t.obj(id).host.is_some());
    if (stock || d.settings_reading("C16") == "b") && d.reading(msd!("C16", Reading), "a") == "b" {
        return d.unwritten("領域を定めない参照にストックを含めること", &["msd:201.4"]);
    }
    if d.settings_reading("C25") == "b" && d.reading(msd!("C25", Reading), "a") == "b" {
        return d.unwritten("持続効果の適用を前の優先順位からやり直すこと", &["msd:909.1"]);
    }
    Ok(())
}

fn in_ability(ability: &Ability) -> Lack {
    if ability.kind == Kind::Triggered && ability.optional {
        return Some(("発動しないことを選べる誘発能力", &["msd:906.4"]));
    }
    if super::lasting::of_nobody(ability) {
        return Some(("「〜であるかぎり」の前の、このカードでも選んだカードの名でもない言葉", &["msd:901.2b"]));
    }
    // What stands besides a timing of that kind would never be looked at.
    let besides = super::demands::is_one(ability);
    let plain = ability.grant.is_empty() && ability.instead.is_none() && ability.price.is_none() && !ability.optional;
    if besides && (ability.cost.is_empty() || !plain) {
        return Some(("「〜する際」に必要な行動でないもの（cost: だけを書く）", &["msd:903.2g"]));
    }
    let timed = ability.timing.is_some_and(|t| t == ON_ATTACK || t == ON_ACTIVATION);
    if timed && !besides || ability.kind == Kind::Static && !besides && !ability.cost.is_empty() {
        return Some(("常在でない「〜する際」、timing: のない常在の cost:", &["msd:903.2g"]));
    }
    if ability.choose.is_some_and(|n| n > 1) {
        let slots: Vec<_> = ability.modes.iter().flat_map(|m| &m.target).map(|t| t.slot).collect();
        if (1..slots.len()).any(|i| slots[..i].contains(&slots[i])) {
            return Some(("選ぶ効果どうしで名の同じ対象（slot: で分ける）", &["msd:903.2c"]));
        }
    }
    // 903.2g-iv-a: what is taken off the cost of activating has a floor; what changes the cost as a number has none.
    let waiting = |f: &crate::card::Filter| f.within.iter().any(|z| *z == "手札" || *z == "チェイスゾーン");
    let takes_off =
        |c: &Change| matches!(c, Change::Add(name, Value::Number(n)) if *name == super::schema::COST && *n < 0);
    if ability.affects.as_ref().is_none_or(waiting) && ability.grant.iter().any(takes_off) {
        return Some(("発動のためのコストを減らす効果（cost: [発動コスト, フリー, -1] と書く）", &["msd:903.2g-iv-a"]));
    }
    let replaces = |r: &crate::card::Replace| super::numbers::is_one(r.when.event);
    if ability.instead.as_ref().is_some_and(replaces) {
        return Some(("数値の増減を置き換える効果", &["msd:104.6"]));
    }
    let lists = [&ability.cost, &ability.steps];
    let steps = lists.into_iter().chain(ability.modes.iter().map(|m| &m.steps));
    let steps = steps.chain(ability.instead.iter().map(|r| &r.steps));
    let mut steps = steps.chain(ability.keyword.iter().map(|k| &k.cost));
    in_changes(&ability.grant)
        .or_else(|| steps.find_map(|s| in_steps(s)))
        .or_else(|| ability.keyword.iter().flat_map(|k| &k.text).find_map(in_ability))
}

fn in_changes(changes: &[Change]) -> Lack {
    changes.iter().find_map(|change| match change {
        // 1016.1: control is the zone a card lies in, and changes by going there.
        Change::Control(_) => Some(("移動によらない支配", &["msd:1016.1"][..])),
        Change::Immune(_) => Some(("受けないという効果", &[][..])),
        // 402.4: looked at when a deck is built, and by nothing afterwards.
        Change::Limit(name, _) if *name == super::schema::COPIES => None,
        Change::Limit(..) | Change::Player(..) => Some(("プレイヤーの数を変える効果", &[][..])),
        Change::Oblige(_) => Some(("しなければならないという効果", &["msd:803.3"][..])),
        Change::Read(..) => Some(("別の情報を参照させる効果", &[][..])),
        Change::Under(name) if *name == super::schema::SHOWN => None,
        Change::Under(_) => Some(("状態に置く効果", &[][..])),
        Change::Bear(_) => Some(("情報を併せ持つ効果", &["msd:1014.1"][..])),
        Change::Gain(ability) => in_ability(ability),
        _ => None,
    })
}

fn in_steps(steps: &[Step]) -> Lack {
    steps.iter().find_map(|step| match step {
        Step::Act { name, who, what, count, .. } => {
            let (by, to, often) = super::acts::heeds(*name);
            let beside = [
                (who.is_some() && !by, "行為に添えた who:（その行為では見ない）"),
                (what.is_some() && !to, "行為に添えた what:（その行為では見ない）"),
                (count.is_some() && !often, "行為に添えた count:（その行為では見ない）"),
            ];
            beside.into_iter().find(|(unheard, _)| *unheard).map(|(_, text)| (text, &[][..]))
        }
        Step::Damage { .. } => Some(("ダメージ", &[][..])),
        Step::Swap { .. } => Some((
            "場所の入れ替え（支配の交換なら、2枚を選んだスロットに act: {name: 交換する, what: スロット}）",
            &["msd:1017.1"][..],
        )),
        Step::Retarget { .. } => Some(("対象の変更", &["msd:903.2e"][..])),
        Step::Grant { changes, .. } => in_changes(changes),
        Step::Replace { instead, .. } if super::numbers::is_one(instead.when.event) => {
            Some(("数値の増減を置き換える効果", &["msd:104.6"][..]))
        }
        Step::Replace { instead, .. } => in_steps(&instead.steps),
        Step::Later { steps, .. }
        | Step::EachPlayer { steps, .. }
        | Step::ForEach { steps, .. }
        | Step::Repeat { steps, .. } => in_steps(steps),
        Step::May { steps, then, otherwise, .. } => [steps, then, otherwise].into_iter().find_map(|s| in_steps(s)),
        Step::If { then, otherwise, .. } => [then, otherwise].into_iter().find_map(|s| in_steps(s)),
        _ => None,
    })
}
