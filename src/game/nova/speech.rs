//! What the language of cards can say and this game does not execute: a text that says it stops the duel before it
//! begins, so that it never passes for one that was carried out.

use super::schema::{COST, HEALTH, NEEDED, PRICE};
use crate::card::{Card, Change, Datum, Filter, Part, Parts, Pattern, Price, Step, Word};
use crate::kernel::{Duel, Flow};

/// What is not executed, and the clauses that speak of it.
type Lack = Option<(&'static str, &'static [&'static str])>;

/// Looks through the texts of all cards on the table, and at readings that are not executed.
pub fn listen(d: &mut Duel) -> Flow {
    let given = d.given;
    for def in &given.defs {
        if let Some((what, clauses)) = of_card(&def.card) {
            return d.unwritten(format!("「{}」の{what}", def.name()), clauses);
        }
    }
    known(d)
}

fn of_card(card: &Card) -> Lack {
    let varies = |price: &Price| !price.variables().is_empty();
    let printed = |name: &str| match card.data.get(&Word::new(name)) {
        Some(Datum::Words(words)) => words.iter().filter_map(|word| Price::read(word)).any(|price| varies(&price)),
        _ => false,
    };
    // 103.3, 103.4, 801.3.3.1: a cost is so many of each; nothing says when a player would choose how many.
    let open =
        [COST, NEEDED].into_iter().any(printed) || card.abilities.iter().any(|a| a.price.as_ref().is_some_and(varies));
    if open {
        return Some((
            "プレイする時に数を決めるコスト（cost: で数を選び、行為「不特定エナジーを支払う」で払うと書く）",
            &["nova:103.3", "nova:103.4"],
        ));
    }
    let mut found = None;
    card.abilities.each_part(&mut |part| found = found.or(of_part(part)));
    found
}

fn of_part(part: Part) -> Lack {
    let waits = |pattern: &Pattern| pattern.event == "待機領域に置く";
    match part {
        // 912.2 speaks of it to forbid it; that something was put there is not told of.
        Part::Ability(ability) if ability.when.iter().any(waits) => {
            Some(("待機領域に置かれた時の能力（プレイ・起動・発動で書く）", &["nova:912.1"][..]))
        }
        // 802.1.2.1.6: how a card comes to lie is said of it where it lies then, or where it waits.
        Part::Ability(ability) if ability.grant.iter().any(enters) && ability.affects.as_ref().is_some_and(at_hand) => {
            Some(("手札のカードの出方を変える効果（in を省けば、場に出るカードに及ぶ）", &["nova:802.1.2.1.6"][..]))
        }
        // 309.5, 902.7: what names no zone speaks of the field, where nothing is paid for any more.
        Part::Ability(ability)
            if ability.affects.as_ref().is_some_and(in_play) && ability.grant.iter().any(is_paid) =>
        {
            Some(PAID_FOR)
        }
        Part::Step(Step::Grant { all: Some(filter), changes, .. })
            if in_play(filter) && changes.iter().any(is_paid) =>
        {
            Some(PAID_FOR)
        }
        Part::Step(Step::Swap { .. }) => Some(("場所の入れ替え", &[][..])),
        // 205.4, 301.9.1: taking control is something that happens once.
        Part::Change(Change::Control(_)) => {
            Some(("継続効果によるコントロールの変更（行為「コントロールを得る」で書く）", &["nova:205.4"][..]))
        }
        Part::Change(Change::Read(..)) => Some(("別の情報を参照させる効果", &[][..])),
        // 917.1.3 is about damage alone, 928.1 and 1008.3 about targets.
        Part::Change(Change::Immune(immune)) if immune.to.iter().any(|what| *what == "効果") => {
            Some(("「効果を受けない」という効果（ダメージと対象なら書ける）", &[][..]))
        }
        _ => None,
    }
}

const PAID_FOR: (&str, &[&str]) = (
    "場のカードの支払うコストを変える効果（プレイする前にある領域を in: 手札 のように書く）",
    &["nova:309.5", "nova:902.7"],
);

fn in_play(filter: &Filter) -> bool {
    filter.within.is_empty() && filter.reference.is_none()
}

fn is_paid(change: &Change) -> bool {
    matches!(change, Change::Cost(name, ..) | Change::Price(name, _) if *name == PRICE)
}

fn enters(change: &Change) -> bool {
    matches!(change, Change::Enter(_))
}

/// It speaks of cards that go through the waiting zone before they come onto the field.
fn at_hand(filter: &Filter) -> bool {
    filter.within.iter().any(|place| *place == "手札" || *place == "キャラデッキ")
}

/// Readings C18 and C20 matter only to texts that read 体力, or that use a word the document does not define: such a
/// text stops the run, without one the other option comes to the same.
fn known(d: &mut Duel) -> Flow {
    let lowers = d.settings_reading("C18") == "b";
    let nothing = d.settings_reading("C20") == "b";
    if !lowers && !nothing {
        return Ok(());
    }
    let any = |d: &Duel, is: fn(Part) -> bool| d.given.defs.iter().any(|def| def.card.abilities.has_part(is));
    if lowers && any(d, reads_health) {
        d.reading(nova!("C18", Reading), "a");
        return d.unwritten("ダメージで減った体力を参照するテキスト", &["nova:C18"]);
    }
    let has = |d: &Duel| d.given.defs.iter().any(|def| def.card.data.contains_key(&Word(TRAIT)));
    if nothing && (has(d) || any(d, says_trait)) {
        d.reading(nova!("C20", Reading), "a");
        return d.unwritten("特徴という語を何の処理にも使わないこと", &["nova:C20"]);
    }
    Ok(())
}

/// The word for which the document has no meaning.
const TRAIT: &str = "特徴";

fn says_trait(part: Part) -> bool {
    match part {
        Part::Reads(datum) => datum == TRAIT,
        Part::Change(Change::Join(datum, _) | Change::Become(datum, _)) => *datum == TRAIT,
        Part::Change(Change::Bear(data)) => data.contains_key(&Word(TRAIT)),
        _ => false,
    }
}

/// A text looks at how much 体力 a card has.
fn reads_health(part: Part) -> bool {
    match part {
        Part::Reads(datum) => datum == HEALTH,
        Part::Step(Step::Act { name, .. }) => *name == "倍にする" || *name == "体力を倍にする",
        _ => false,
    }
}
