//! 「…が…から…に置かれた時」 and the forms of it that conditions, replacements and prohibitions need.

use super::verb::{cannot, condition, means, passive, plain, te};
use super::voice::Voice;
use crate::card::{Pattern, Replace, Word};

/// Events that a player does to a card; all others happen to the card or are done by it.
const DONE_TO_CARD: [&str; 14] = [
    "プレイした",
    "引いた",
    "捨てた",
    "起動した",
    "選んだ",
    "見た",
    "公開した",
    "発動した",
    "召喚した",
    "特殊召喚した",
    "反転召喚した",
    "セットした",
    "対象にした",
    "リソースに置いた",
];

impl Voice {
    /// 「…した時」, 「…した場合」.
    pub fn when(&self, pattern: &Pattern, time: &str) -> String {
        let time = match pattern.event.as_str() {
            phase if is_phase(phase) => "に",
            moment if is_moment(moment) => "",
            _ => time,
        };
        format!("{}{time}", self.event(pattern, &said(pattern), None, "が"))
    }

    /// 「…した」, before 「ならば」.
    pub fn happened(&self, pattern: &Pattern) -> String {
        let event = said(pattern);
        let event = if is_moment(&pattern.event) { format!("{event}を迎えた") } else { event };
        self.event(pattern, &event, None, "が")
    }

    /// 「…は…できない」, of a card unless the pattern itself says of which.
    pub fn forbidden(&self, pattern: &Pattern, subject: Option<&str>) -> String {
        let event = past(pattern);
        let event = if is_moment(&pattern.event) { format!("{event}を迎えない") } else { cannot(&event) };
        self.event(pattern, &event, subject, "は")
    }

    /// 「…しなければならない」.
    pub fn obliged(&self, pattern: &Pattern) -> String {
        let card = pattern.card.as_ref().map(|f| format!("{}で", self.cards(f))).unwrap_or_default();
        let who = pattern.who.map(|w| format!("{}は", self.who(w))).unwrap_or_default();
        format!("{who}{card}{}しなければならない", pattern.event)
    }

    /// 「…する時、かわりに…」.
    pub fn replace(&self, replace: &Replace) -> String {
        let Replace { when, steps, to, state, amount, optional } = replace;
        let event = plain(&said(when));
        let time = if is_moment(&when.event) { "" } else { "時" };
        let before = format!("{}{time}、かわりに", self.event(when, &event, None, "が"));
        let state = state.map(|state| format!("{}で", condition(&state))).unwrap_or_default();
        let put = if to.is_some_and(|to| to == "手札") && state.is_empty() { "加える" } else { "置く" };
        let mut moved = to.map(|to| format!("{}に{state}{put}", self.place(to)));
        if to.is_none() && !state.is_empty() {
            moved = Some(format!("{state}置く"));
        }
        if let Some(amount) = amount {
            moved = Some(format!("その量を{}にする", self.number(amount)));
        }
        let done = (!steps.is_empty()).then(|| self.block(steps));
        let out = match (moved, done) {
            (Some(moved), Some(done)) => format!("{}、{}", te(&moved), done.said()),
            (Some(moved), None) => moved,
            (None, Some(done)) => done.said(),
            (None, None) => "何も起こさない".into(),
        };
        before + &if *optional { format!("{}よい", te(&out)) } else { out }
    }

    fn event(&self, pattern: &Pattern, verb: &str, subject: Option<&str>, particle: &str) -> String {
        let Pattern { event, card, by, who, how, from: _, not_from: _, to: _, not_to: _, near: _ } = pattern;
        let card = card.as_ref().map(|filter| self.cards(filter));
        let who = who.map(|who| self.who(who));
        let by = by.as_ref().map(|filter| self.cards(filter));
        if is_moment(event) {
            let whose: String = card.into_iter().chain(who).map(|name| format!("{name}の")).collect();
            return format!("{}{}{whose}{verb}", cause(by, *how), self.route(pattern));
        }
        let route = self.route(pattern);
        let of_card = if particle == "が" { card.is_some() } else { subject.is_some() };
        let acts_on_card = done_to_card(pattern) && (who.is_some() || !of_card);
        let subjects = match (who, card.or(subject.map(str::to_string))) {
            (who, card) if acts_on_card => {
                let who = who.map(|who| format!("{who}{particle}")).unwrap_or_default();
                format!("{who}{}{}を", cause(by, *how), card.unwrap_or("カード".into()))
            }
            (Some(who), Some(card)) if by.is_none() => format!("{card}{particle}{}", cause(Some(who), *how)),
            (Some(who), Some(card)) => format!("{card}{particle}{who}の行動で{}", cause(by, *how)),
            (None, Some(card)) => format!("{card}{particle}{}", cause(by, *how)),
            (Some(who), None) if event.ends_with("れた") && by.is_none() => cause(Some(who), *how),
            (Some(who), None) => format!("{who}{particle}{}", cause(by, *how)),
            (None, None) if !route.is_empty() => format!("カード{particle}{}", cause(by, *how)),
            (None, None) => cause(by, *how),
        };
        format!("{}{route}{verb}", subjects.trim_start_matches('、'))
    }

    /// 「…から…に」.
    fn route(&self, pattern: &Pattern) -> String {
        let Pattern { from, not_from, to, not_to, near, .. } = pattern;
        let mut out = String::new();
        if !from.is_empty() {
            out += &format!("{}から", self.places(from));
        }
        if !not_from.is_empty() {
            out += &format!("{}以外から", self.places(not_from));
        }
        let mut places: Vec<String> = near.iter().map(|(relation, to)| self.near(*relation, *to)).collect();
        // A relation may name the place already: …に隣接するスクエア.
        let to = self.places(to);
        if !to.is_empty() && !places.iter().any(|place| place.ends_with(&to)) {
            places.insert(0, to);
        }
        places.extend((!not_to.is_empty()).then(|| format!("{}以外", self.places(not_to))));
        if places.is_empty() { out } else { format!("{out}{}に", places.join("の")) }
    }
}

/// By which card or player, and how.
fn cause(agent: Option<String>, how: Option<Word>) -> String {
    match (agent, how) {
        (agent, Some(how)) => means(agent, &how),
        (Some(agent), None) => format!("{agent}によって"),
        (None, None) => String::new(),
    }
}

fn is_phase(event: &str) -> bool {
    event.trim_end_matches(|c: char| c.is_ascii_digit()).ends_with("フェイズ")
}

/// A point in time and nothing that a card does: ターン終了時, ダメージ計算後, エンドフェイズ.
pub fn is_moment(event: &str) -> bool {
    is_phase(event) || ["時", "前", "後"].iter().any(|ending| event.ends_with(ending))
}

fn done_to_card(pattern: &Pattern) -> bool {
    DONE_TO_CARD.contains(&&*past(pattern))
}

/// The event in the past, as something that happens to its card where nobody is said to do it.
fn said(pattern: &Pattern) -> String {
    let past = past(pattern);
    if pattern.who.is_none() && pattern.card.is_some() && done_to_card(pattern) { passive(&past) } else { past }
}

/// The event as a verb in the past: games name it by a noun or by what is done.
fn past(pattern: &Pattern) -> String {
    let past = match pattern.event.as_str() {
        "置く" => "置かれた",
        "引く" => "引いた",
        "見る" => "見た",
        "選ぶ" => "選んだ",
        "墓地へ送る" => "墓地へ送られた",
        "リソース" => "リソースに置いた",
        "支払い" => "支払った",
        "対象" => "対象になった",
        "攻撃対象" => "攻撃対象になった",
        "被攻撃" => "攻撃された",
        "バトル勝利" => "バトルに勝利した",
        "移動解決" => "移動を解決した",
        "戦闘破壊確定" => "戦闘で破壊されることが決まった",
        done @ ("破壊" | "無効化") => return format!("{done}された"),
        face @ ("表" | "裏" | "攻撃表示" | "守備表示") => return format!("{}になった", condition(face)),
        damage if damage.ends_with("ダメージ") => return format!("{damage}を受けた"),
        verb if is_moment(verb) || verb.ends_with(['た', 'だ']) => verb,
        // Verbs that games name as they stand, and moments: 捨てる, ターン開始時.
        "捨てる" => "捨てた",
        moment if moment.ends_with(['時', '前', '後']) || moment.ends_with("フェイズ") => {
            return format!("{moment}になった");
        }
        verb if verb.ends_with(['る', 'く', 'い', 'す', 'う', 'む', 'つ']) => {
            return of_verb(verb).unwrap_or_else(|| format!("「{verb}」ことがあった"));
        }
        damage if damage.ends_with("ダメージ") => return format!("{damage}を受けた"),
        noun => return format!("{noun}した"),
    };
    past.to_string()
}

/// ライフを得る → ライフを得た.
fn of_verb(verb: &str) -> Option<String> {
    const ENDINGS: [(&str, &str); 5] =
        [("得る", "得た"), ("失う", "失った"), ("払う", "払った"), ("除く", "除いた"), ("置く", "置いた")];
    ENDINGS.iter().find_map(|(from, to)| verb.strip_suffix(from).map(|head| format!("{head}{to}")))
}
