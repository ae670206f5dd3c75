//! Verb endings and other small grammar. Sentences are made in the dictionary form and bent here.

use crate::card::{Value, Word};

/// 連用形: 置く → 置き, する → し, できない → できず.
pub fn stem(text: &str) -> String {
    // 「得、」 is correct and unreadable.
    if text.ends_with("得る") {
        return te(text);
    }
    bend(text, &["し", "き", "ぎ", "し", "び", "み", "い", "ち", "り", "", "ず", "よく"], "し")
}

/// て形: 置く → 置いて, する → して, 選ぶ → 選んで.
pub fn te(text: &str) -> String {
    bend(
        text,
        &["して", "いて", "いで", "して", "んで", "んで", "って", "って", "って", "て", "ないで", "よくて"],
        "して",
    )
}

/// Replaces the ending by the one for its class: する, く, ぐ, す, ぶ, む, う, つ, る (五段), る (一段), ない, よい.
fn bend(text: &str, endings: &[&str; 12], noun: &str) -> String {
    const CLASSES: [&str; 9] = ["する", "く", "ぐ", "す", "ぶ", "む", "う", "つ", "る"];
    if let Some(head) = text.strip_suffix("ない") {
        return format!("{head}{}", endings[10]);
    }
    if let Some(head) = text.strip_suffix("よい") {
        return format!("{head}{}", endings[11]);
    }
    let class = CLASSES.iter().position(|ending| text.ends_with(ending));
    match class {
        Some(8) if one_step(text) => format!("{}{}", &text[..text.len() - "る".len()], endings[9]),
        Some(class) => format!("{}{}", &text[..text.len() - CLASSES[class].len()], endings[class]),
        None => format!("{text}{noun}"),
    }
}

/// Whether a verb in る keeps its stem (与える, 得る) or not (なる, 取る).
fn one_step(text: &str) -> bool {
    let before = text.trim_end_matches('る').chars().last();
    before.is_some_and(|c| "えけげせてねべめれ得見".contains(c))
}

/// A name of something done, as a verb: 破壊 → 破壊する, 捨てる → 捨てる.
pub fn verb(name: &str) -> String {
    let kana = name.chars().last().is_some_and(|c| ('ぁ'..='ん').contains(&c));
    if kana { name.to_string() } else { format!("{name}する") }
}

/// 破壊によって, 捨てられて; with whoever does it, 相手の破壊によって, 相手に捨てられて.
pub fn means(agent: Option<String>, name: &str) -> String {
    let verbal = verb(name) == name;
    let agent = agent.map(|agent| format!("{agent}{}", if verbal { "に" } else { "の" })).unwrap_or_default();
    if verbal { format!("{agent}{}て", suffered(name)) } else { format!("{agent}{name}によって") }
}

/// 捨てる → 捨てられ, 置く → 置かれ: what is done to a thing.
fn suffered(verb: &str) -> String {
    if verb.ends_with("する") {
        return bend(verb, &["され"; 12], "され");
    }
    bend(verb, &["され", "かれ", "がれ", "され", "ばれ", "まれ", "われ", "たれ", "られ", "られ", "", ""], "され")
}

/// A clause before 「かつ」: にある → にあり, リリース状態 → リリース状態で, した → していて.
pub fn clause(text: &str) -> String {
    if let Some(head) = text.strip_suffix("ない") {
        return format!("{head}なく");
    }
    if text.ends_with("た") {
        return format!("{text}うえで");
    }
    let verb = ["る", "つ", "い"].iter().any(|ending| text.ends_with(ending));
    if verb { stem(text) } else { format!("{text}で") }
}

/// リリース状態, 表向き, 攻撃表示.
pub fn condition(state: &str) -> String {
    match state {
        "表" | "裏" => format!("{state}向き"),
        "そのまま" => "そのままの状態".to_string(),
        named if ["状態", "表示", "向き"].iter().any(|ending| named.ends_with(ending)) => named.to_string(),
        named => format!("{named}状態"),
    }
}

/// リリースする, 攻撃表示にする: what it is to bring something into a state.
pub fn bring(state: &str) -> String {
    let katakana = state.chars().all(|c| ('ァ'..='ヿ').contains(&c));
    if katakana { format!("{state}する") } else { format!("{}にする", condition(state)) }
}

/// 手札か墓地.
pub fn either(words: &[Word]) -> String {
    words.iter().map(|word| word.as_str()).collect::<Vec<_>>().join("か")
}

/// ＋2000, －1000. A number that is not written out is added.
pub fn signed(text: &str, value: &Value) -> String {
    match value {
        Value::Number(n) if *n < 0 => format!("－{}", n.unsigned_abs()),
        Value::Number(_) | Value::Named(_) | Value::Made(_) => format!("＋{text}"),
    }
}

/// The past form in which events are named, turned into 「〜する時」.
pub fn plain(past: &str) -> String {
    const ENDINGS: [(&str, &str); 16] = [
        ("した", "する"),
        ("得た", "得る"),
        ("失った", "失う"),
        ("払った", "払う"),
        ("決まった", "決まる"),
        ("いた", "く"),
        ("った", "る"),
        ("んだ", "ぶ"),
        ("れた", "れる"),
        ("えた", "える"),
        ("けた", "ける"),
        ("せた", "せる"),
        ("てた", "てる"),
        ("めた", "める"),
        ("げた", "げる"),
        ("見た", "見る"),
    ];
    let found = ENDINGS.iter().find_map(|(from, to)| past.strip_suffix(from).map(|head| format!("{head}{to}")));
    found.unwrap_or_else(|| past.to_string())
}

/// The past form of what is done turned into what happens to a thing: 召喚した → 召喚された.
pub fn passive(past: &str) -> String {
    const ENDINGS: [(&str, &str); 6] = [
        ("した", "された"),
        ("引いた", "引かれた"),
        ("置いた", "置かれた"),
        ("選んだ", "選ばれた"),
        ("見た", "見られた"),
        ("捨てた", "捨てられた"),
    ];
    let found = ENDINGS.iter().find_map(|(from, to)| past.strip_suffix(from).map(|head| format!("{head}{to}")));
    found.unwrap_or_else(|| past.to_string())
}

/// The past form turned into what must not happen: 置かれない, 攻撃できない.
pub fn cannot(past: &str) -> String {
    if let Some(head) = past.strip_suffix("なった") {
        return format!("{head}ならない");
    }
    let happens_to = ["れた", "受けた"].iter().any(|ending| past.ends_with(ending));
    match (past.strip_suffix("た"), past.strip_suffix("した")) {
        (Some(head), _) if happens_to => format!("{head}ない"),
        (_, Some(head)) => format!("{head}できない"),
        (_, None) => format!("{}ことができない", plain(past)),
    }
}
