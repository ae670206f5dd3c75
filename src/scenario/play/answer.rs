//! From what a script says to an answer of the kernel, and from a question to words.

use crate::kernel::{Asks, Cite, Move, Question, Table, Thing};
use crate::scenario::file::node::{Kind, Node};
use crate::scenario::file::words::Names;
use crate::scenario::play::script::Wanted;

/// Why a word is no answer.
#[derive(Clone, Debug)]
pub struct Wrong {
    pub text: String,
    pub cite: Option<&'static Cite>,
}

/// The answer that a value gives to a question.
pub fn answer(names: Names, t: &Table, question: &Question, value: &Node) -> Result<Vec<i32>, Wrong> {
    let wrong = |text: &str| Err(Wrong { text: format!("{text}: {}", options(names, t, question)), cite: None });
    match &question.asks {
        Asks::Act(_) => wrong("ここでは行動を選びます"),
        Asks::YesNo => match (&value.kind, value.text().as_deref()) {
            (Kind::Bool(yes), _) => Ok(vec![i32::from(*yes)]),
            (_, Some("はい" | "する" | "いる")) => Ok(vec![1]),
            (_, Some("いいえ" | "しない" | "いない")) => Ok(vec![0]),
            _ => wrong("「はい」か「いいえ」で答えてください"),
        },
        Asks::Number { min, max } => match value.number() {
            Some(n) if (*min..=*max).contains(&n) => Ok(vec![n]),
            _ => wrong("選べない数です"),
        },
        Asks::Choose { of, min, max } => {
            let chosen = pick(names, t, question, of, value)?;
            if chosen.len() < *min || chosen.len() > *max {
                let cite = if chosen.len() < *min { question.fewer } else { question.more };
                return wrong("選ぶ数が違います").map_err(|wrong| Wrong { cite, ..wrong });
            }
            Ok(chosen)
        }
        Asks::Order(of) => {
            let chosen = pick(names, t, question, of, value)?;
            if chosen.len() == of.len() { Ok(chosen) } else { wrong("すべてを順に並べてください") }
        }
    }
}

/// The places of the things named, each but once: of two with one name, the first is meant first.
fn pick(names: Names, t: &Table, question: &Question, of: &[Thing], value: &Node) -> Result<Vec<i32>, Wrong> {
    let mut chosen: Vec<i32> = Vec::new();
    for word in words(value) {
        let free = |i: &usize| !chosen.contains(&(*i as i32)) && names.means(t, &word, of[*i]);
        match (0..of.len()).find(free) {
            Some(i) => chosen.push(i as i32),
            None => {
                let refused = question.refused.iter().find(|(thing, _)| names.means(t, &word, *thing));
                let again = chosen.iter().any(|i| names.means(t, &word, of[*i as usize]));
                let cite = refused.map(|(_, cite)| *cite).or(question.twice.filter(|_| again));
                let by = cite.map(|c| format!("（{}）", c.id())).unwrap_or_default();
                let text = format!("「{word}」は選べません{by}: {}", options(names, t, question));
                return Err(Wrong { text, cite });
            }
        }
    }
    Ok(chosen)
}

fn words(value: &Node) -> Vec<String> {
    let words: Vec<String> = value.items().iter().filter_map(Node::text).collect();
    if words == ["なし"] { Vec::new() } else { words }
}

/// A question in words, with its options.
pub fn options(names: Names, t: &Table, question: &Question) -> String {
    let who = question.seat.map_or("偶然", |s| names.schema.seats[s.index()]);
    let card = question.card.map(|c| format!("（{}）", names.label(c.id))).unwrap_or_default();
    let list = |of: &[Thing]| {
        let mut words: Vec<String> = of.iter().take(MOST).map(|thing| names.thing(t, *thing)).collect();
        if of.len() > MOST {
            words.push(format!("ほか{}", of.len() - MOST));
        }
        words.join("、")
    };
    match &question.asks {
        Asks::Choose { of, .. } if of.is_empty() => format!("{who}が「{}」に選べるものはない{card}", question.slot),
        Asks::Act(moves) => {
            let mut words: Vec<String> = moves.iter().take(MOST).map(|m| move_words(names, m)).collect();
            if moves.len() > MOST {
                words.push(format!("ほか{}", moves.len() - MOST));
            }
            let step = t.context().step;
            let step = if step.is_empty() { String::new() } else { format!("{step}、") };
            format!("{step}{who}の優先権（できること: {}）", words.join("、"))
        }
        Asks::Choose { of, min, max } if min == max => {
            format!("{who}が「{}」を{min}つ選ぶ{card}: {}", question.slot, list(of))
        }
        Asks::Choose { of, min, max } => {
            format!("{who}が「{}」を{min}〜{max}つ選ぶ{card}: {}", question.slot, list(of))
        }
        Asks::Order(of) => format!("{who}が「{}」を並べる{card}: {}", question.slot, list(of)),
        Asks::YesNo => format!("{who}が「{}」を決める{card}: はい、いいえ", question.slot),
        Asks::Number { min, max } => format!("{who}が「{}」の数を決める{card}: {min}〜{max}", question.slot),
    }
}

/// Nobody reads a longer list.
const MOST: usize = 40;

pub fn move_words(names: Names, m: &Move) -> String {
    let card = m.card.map(|c| format!(" {}", names.label(c.id))).unwrap_or_default();
    let to = m.to.map(|z| format!("→{}", names.zone_name(z))).unwrap_or_default();
    let way = if m.way.is_empty() { String::new() } else { format!("（{}）", m.way) };
    let ability = m.ability.map(|n| format!("［能力{}］", n + 1)).unwrap_or_default();
    format!("{}{card}{to}{way}{ability}", m.verb)
}

/// A move as a judge would say it: 「Aが無償の新兵を左/自軍にプレイ」.
pub fn wanted_words(names: Names, wanted: &Wanted) -> String {
    let who = names.schema.seats[wanted.seat.index()];
    // One attacks with a card, and does not attack it; of a card in the energy zone one uses the ability.
    let (particle, verb) = match wanted.verb.as_str() {
        verb @ ("攻撃" | "防御") => ("で", verb),
        "エナジー" => ("の", "エナジー能力を使用"),
        verb => ("を", verb),
    };
    let card = wanted.card.map(|c| format!("{}{particle}", names.label(c))).unwrap_or_default();
    let to = wanted.to.first().map(|z| format!("{}に", names.zone_name(*z))).unwrap_or_default();
    let way = wanted.way.map(|w| format!("{w}で")).unwrap_or_default();
    let ability = wanted.ability.map(|n| format!("（能力{n}）")).unwrap_or_default();
    let replies: Vec<String> = wanted.replies.iter().map(|r| format!("{}: {}", r.slot, r.value)).collect();
    let replies = if replies.is_empty() { String::new() } else { format!("（{}）", replies.join("、")) };
    format!("{who}が{card}{to}{way}{verb}{ability}{replies}")
}

/// The place of the move that is wanted among those offered.
pub fn find_move(names: Names, moves: &[Move], wanted: &Wanted) -> Result<usize, Ambiguity> {
    let is = |m: &Move| {
        m.verb == wanted.verb
            && wanted.card.is_none_or(|id| m.card.is_some_and(|c| c.id == id))
            && wanted.way.is_none_or(|way| m.way == way)
            && wanted.ability.is_none_or(|n| m.ability == Some(n - 1))
    };
    let fits = |m: &Move| is(m) && (wanted.to.is_empty() || m.to.is_some_and(|z| wanted.to.contains(&z)));
    let mut found: Vec<usize> = (0..moves.len()).filter(|i| fits(&moves[*i])).collect();
    // The plain way is meant unless another is named: what must be refused is refused that way.
    let plain = |i: &usize| moves[*i].way.is_empty();
    if wanted.way.is_none() && (!wanted.refused.is_empty() || found.len() > 1 && found.iter().any(plain)) {
        found.retain(plain);
    }
    match found[..] {
        [one] => Ok(one),
        [] if wanted.refused.is_empty() && moves.iter().any(|m| is(m) && m.to.is_none()) => Err(Ambiguity::Placeless),
        [] => Err(Ambiguity::None),
        _ => Err(Ambiguity::Several(found.iter().map(|i| move_words(names, &moves[*i])).collect())),
    }
}

pub enum Ambiguity {
    None,
    /// It is not done to a place.
    Placeless,
    Several(Vec<String>),
}
