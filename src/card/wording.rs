//! The Japanese wording of a card, made from its encoding, so that a judge can compare it with the card in hand.
//!
//! | part of a sentence | file |
//! |---|---|
//! | which card is meant: このカード, 対象の…, その… | `voice` |
//! | 「…にある…のユニット」 | `noun` |
//! | numbers and 「〜ならば」 | `amount` |
//! | 「〜時」 and 「かわりに」 | `event` |
//! | what is done | `effect`, `change` |
//! | verb endings | `verb` |
//!
//! Every match names every variant: what an author can write, a reader can read.

mod amount;
mod change;
mod effect;
mod event;
mod noun;
#[cfg(test)]
mod tests;
mod verb;
mod voice;

use super::{Ability, Card, Datum, Keyword, Kind, Mode, Price, Step, Target, Vocabulary};
use effect::{Sentence, text};
use verb::{either, signed};
use voice::Voice;

/// The whole card: name, data in the order of the game, abilities, and what is missing from it.
pub fn card(card: &Card, words: &Vocabulary) -> String {
    let datum = |datum: &Datum| match datum {
        Datum::Number(n) => n.to_string(),
        Datum::Words(words) => words.iter().map(|w| w.as_str()).collect::<Vec<_>>().join("・"),
    };
    let known = words.data.iter().filter_map(|(key, _)| card.data.iter().find(|(k, _)| **k == *key));
    let data: Vec<String> = known.map(|(key, value)| format!("{key}：{}", datum(value))).collect();
    let mut lines = vec![format!("「{}」", card.name)];
    lines.extend((!data.is_empty()).then(|| data.join("　")));
    lines.extend(abilities(card));
    lines.extend(card.unencoded.iter().map(|what| format!("（書き表していない能力：{}）", what.text)));
    lines.extend(card.inferred.then(|| "（用例に合わせて補ったカード）".to_string()));
    lines.join("\n")
}

/// One line for each ability.
pub fn abilities(card: &Card) -> Vec<String> {
    card.abilities.iter().map(ability).collect()
}

/// ［青2無色1］
pub fn price(price: &Price) -> String {
    format!("［{price}］")
}

/// An ability, in the order in which it is read on the card.
pub fn ability(ability: &Ability) -> String {
    let voice = Voice::of(ability);
    let mut out = head(&voice, ability);
    out += &conditions(&voice, ability);
    let body = body(&voice, ability);
    if let Some(word) = &ability.keyword {
        out += &keyword(&voice, word);
        out += if body.is_empty() { "" } else { "。" };
    }
    out + &body
}

/// 「…した時、…ならば、」; of what may be left undone, 「…した時に発動できる。」.
fn conditions(voice: &Voice, ability: &Ability) -> String {
    let time = ability.timing.filter(|timing| TIMES.contains(&timing.as_str())).map_or("時", |timing| timing.as_str());
    let whens: Vec<String> = ability.when.iter().map(|pattern| voice.when(pattern, time)).collect();
    let whens = whens.join("、または");
    let cond = ability.cond.as_ref().map(|cond| format!("{}ならば", voice.cond(cond)));
    let parts: Vec<String> = (!whens.is_empty()).then_some(whens).into_iter().chain(cond).collect();
    match (ability.optional, parts.last()) {
        (true, Some(last)) if last.ends_with("ならば") || last.ends_with('に') => {
            format!("{}発動できる。", parts.join("、"))
        }
        (true, Some(_)) => format!("{}に発動できる。", parts.join("、")),
        (true, None) => "発動できる。".into(),
        (false, _) => parts.iter().map(|part| format!("{part}、")).collect(),
    }
}

/// Timings that say how the event is spoken of and not when the ability may be used.
const TIMES: [&str; 2] = ["時", "場合"];

/// What stands before the sentence: zone, cost, timing, limit.
fn head(voice: &Voice, ability: &Ability) -> String {
    let mut out = String::new();
    if !ability.from.is_empty() {
        out += &format!("《{}で有効》", either(&ability.from));
    }
    // A way of paying that is named 代替… is paid instead, not besides.
    let instead = |step: &Step| matches!(step, Step::May { name: Some(name), .. } if name.starts_with("代替"));
    let (alternative, more): (Vec<Step>, Vec<Step>) = ability.cost.iter().cloned().partition(instead);
    for step in alternative {
        out += &format!("代替コスト{}", costs(voice, &[], &[step]));
    }
    let costs = costs(voice, ability.price.as_slice(), &more);
    if ability.kind.is_effect() && !costs.is_empty() {
        out += "追加コスト";
    }
    out += &costs;
    match ability.timing {
        Some(timing) if ability.kind == Kind::Triggered && TIMES.contains(&timing.as_str()) => {}
        Some(timing) => out += &format!("《{timing}》"),
        None if ability.kind == Kind::Activated && costs.is_empty() => out += "《起動》",
        // It waits for no event but looks at the position.
        None if ability.kind == Kind::Triggered && ability.when.is_empty() && ability.keyword.is_none() => {
            out += "《誘発》"
        }
        None => {}
    }
    if let Some(times) = ability.limit {
        out += &limit_words(&times);
    }
    out
}

/// ［青2無色1、このカードをフリーズする］
fn costs(voice: &Voice, prices: &[Price], steps: &[Step]) -> String {
    let prices: Vec<String> = prices.iter().map(Price::to_string).collect();
    let mut parts = Vec::new();
    parts.extend((!prices.is_empty()).then(|| prices.join("または")));
    let sentences = voice.steps(steps);
    let last = sentences.len().saturating_sub(1);
    let said = |(i, sentence): (usize, &Sentence)| if i < last { sentence.leading() } else { sentence.said() };
    parts.extend(sentences.iter().enumerate().map(said));
    if parts.is_empty() { String::new() } else { format!("［{}］", parts.join("、")) }
}

fn body(voice: &Voice, ability: &Ability) -> String {
    let mut out = effects(voice, &ability.target, &ability.steps);
    if !ability.modes.is_empty() {
        let modes: String = ability.modes.iter().map(|mode| one_mode(voice, mode)).collect();
        out = format!("次から1つを選ぶ。{modes}{out}");
    }
    if !ability.grant.is_empty() {
        let subject = ability.affects.as_ref().map(|filter| voice.all(filter));
        out += &format!("{}。", voice.changes(subject, &ability.grant));
    } else if let Some(filter) = &ability.affects {
        out += &format!("影響を受けるのは{}。", voice.all(filter));
    }
    if let Some(replace) = &ability.instead {
        out += &format!("{}。", voice.replace(replace));
    }
    out
}

fn one_mode(voice: &Voice, mode: &Mode) -> String {
    let voice = voice.for_mode(mode);
    let costs = costs(&voice, &[], &mode.cost);
    format!("・「{}」{costs}{}", mode.name, effects(&voice, &mode.target, &mode.steps))
}

/// The steps, before them the targets that no step introduces by itself.
fn effects(voice: &Voice, targets: &[Target], steps: &[Step]) -> String {
    let divided = targets.iter().filter(|target| target.divide.is_some());
    let divided: String = divided.map(|target| format!("{}。", voice.divided(target))).collect();
    let done = text(voice.steps(steps));
    let unsaid = targets.iter().filter(|target| !voice.has_said(target.slot));
    let unsaid: String = unsaid.map(|target| format!("{}。", voice.just_targeted(target))).collect();
    divided + &voice.said_before() + &unsaid + &done
}

/// Keywords whose number is a level, and keywords that name other cards: they are written in a way of their own.
const LEVELS: [&str; 1] = ["即死"];
const NAMING: [&str; 1] = ["連動"];

/// 即死レベル3, 召集－同じライン, 支援－同じライン＋1000, 連動「A」［…］
fn keyword(voice: &Voice, keyword: &Keyword) -> String {
    let mut out = keyword.name.to_string();
    let words: Vec<&str> = keyword.words.iter().map(|word| word.as_str()).collect();
    if NAMING.contains(&keyword.name.as_str()) {
        out += &words.iter().map(|word| format!("「{word}」")).collect::<String>();
    } else if !words.is_empty() {
        out += &format!("－{}", words.join("・"));
    }
    if let Some(range) = keyword.range {
        out += &format!("－{range}");
    }
    if let Some(filter) = &keyword.filter {
        out += &format!("－{}", voice.cards(filter));
    }
    // With a range the number modifies what is in it; alone it is a level or an amount.
    match &keyword.value {
        Some(value) if keyword.range.is_some() => out += &signed(&voice.number(value), value),
        Some(value) if LEVELS.contains(&keyword.name.as_str()) => out += &format!("レベル{}", voice.number(value)),
        Some(value) => out += &voice.number(value),
        None => {}
    }
    out += &costs(voice, &keyword.price, &keyword.cost);
    if !keyword.text.is_empty() {
        out += &format!("［{}］", keyword.text.iter().map(ability).collect::<Vec<_>>().join("／"));
    }
    out
}

/// 《1ターンに1回まで》, and what it counts.
fn limit_words(limit: &super::Limit) -> String {
    let during = limit.during.map_or("1ターン", |w| if w == "ターン" { "1ターン" } else { w.as_str() });
    let by = match limit.by {
        super::LimitBy::Ability => "",
        super::LimitBy::Name => "同じ名のカードで合わせて",
        super::LimitBy::Whole => "同じ名のカードのどの能力も合わせて",
        super::LimitBy::Named => "同じ名の能力で合わせて",
        super::LimitBy::Player => "プレイヤーごとに",
    };
    format!("《{by}{during}に{}回まで》", limit.times)
}
