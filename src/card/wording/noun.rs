//! 「バトルスペースにある使用コストが4以下の相手のユニット」: filters, squares and targets as noun phrases.

use super::verb::{condition, either, stem};
use super::voice::Voice;
use crate::card::{Filter, NAME, Pool, Range, Spots, Target, Test, Word};

/// A property in the three forms that it may need: リリース状態で, リリース状態の, リリース状態（ならば）.
struct Trait {
    and: String,
    of: String,
    end: String,
    /// What joins it to the card: このカード「が」リリース状態, このカード「の」種族がドール.
    joint: &'static str,
}

impl Trait {
    fn noun(text: String) -> Trait {
        Trait { and: format!("{text}で"), of: format!("{text}の"), end: text, joint: "が" }
    }
    /// Something that the card has: 種族がドール.
    fn owned(text: String) -> Trait {
        Trait { joint: "の", ..Trait::noun(text) }
    }
    fn class(text: String) -> Trait {
        Trait { of: format!("{text}である"), ..Trait::noun(text) }
    }
    fn verb(text: String) -> Trait {
        Trait { and: stem(&text), of: text.clone(), end: text, joint: "が" }
    }
    fn lacking(text: &str) -> Trait {
        Trait { and: format!("{text}なく"), of: format!("{text}ない"), end: format!("{text}ない"), joint: "が" }
    }
}

/// A noun phrase taken apart, since 「…がある」 and 「…ならば」 put the same parts in other places.
struct Phrase {
    /// 自分の墓地
    place: String,
    traits: Vec<Trait>,
    /// このカード以外の, 相手の
    before: String,
    noun: String,
    /// のうちパワーが最も大きいもの
    best: String,
}

impl Phrase {
    fn properties(&self) -> String {
        let Some((last, before)) = self.traits.split_last() else { return String::new() };
        let pause = if before.len() > 1 { "、" } else { "" };
        before.iter().map(|t| format!("{}{pause}", t.and)).collect::<String>() + &last.of
    }
    fn core(&self) -> String {
        format!("{}{}{}{}", self.properties(), self.before, self.noun, self.best)
    }
    fn whole(&self) -> String {
        let place = if self.place.is_empty() { String::new() } else { format!("{}にある", self.place) };
        place + &self.core()
    }
}

/// Zones that each player has for himself: 「自分の墓地」, but 「バトルスペースにある自分の…」.
fn has_owner(place: &str) -> bool {
    const SHARED: [&str; 9] =
        ["スペース", "エリア", "スクエア", "ライン", "場", "フィールド", "スタック", "チェーン", "列"];
    !SHARED.iter().any(|ending| place.ends_with(ending))
}

impl Voice {
    /// Cards that fit a filter.
    pub fn cards(&self, filter: &Filter) -> String {
        if !filter.any.is_empty() && (Filter { any: Vec::new(), ..filter.clone() }) == Filter::default() {
            return self.either_of(&filter.any);
        }
        if top_alone(filter) {
            return self.location(filter).0;
        }
        self.phrase(filter).whole()
    }

    /// All cards that fit a filter, unless it means a single one.
    pub fn all(&self, filter: &Filter) -> String {
        let phrase = self.cards(filter);
        // The top of a deck is counted already.
        let counted = filter.reference.is_some() || top_alone(filter);
        if counted { phrase } else { format!("{phrase}すべて") }
    }

    /// 「自分の墓地にユニットがある」, 「このカードがリリース状態」.
    pub fn there_is(&self, filter: &Filter, is: bool) -> String {
        let ending = if is { "ある" } else { "ない" };
        let phrase = self.phrase(filter);
        if filter.reference.is_none() {
            let place = if phrase.place.is_empty() { String::new() } else { format!("{}に", phrase.place) };
            return format!("{place}{}が{ending}", phrase.core());
        }
        let mut traits = phrase.traits;
        if !phrase.place.is_empty() {
            traits.insert(0, Trait::verb(format!("{}にある", phrase.place)));
        }
        // What cannot be said of a single card is said of the phrase.
        let Some(last) = traits.pop().filter(|_| phrase.before.is_empty() && phrase.best.is_empty()) else {
            return format!("{}が{ending}", self.cards(filter));
        };
        let joint = traits.first().unwrap_or(&last).joint;
        let card = format!("{}{joint}", phrase.noun);
        let before: String = traits.iter().map(|t| format!("{}、", t.and)).collect();
        match (is, last.end.strip_suffix("ある"), last.end.strip_suffix("持つ")) {
            (true, _, _) => format!("{card}{before}{}", last.end),
            (false, Some(head), _) if before.is_empty() => format!("{card}{head}ない"),
            (false, _, Some(head)) if before.is_empty() => format!("{card}{head}持たない"),
            (false, _, _) if before.is_empty() => format!("{card}{}でない", last.end),
            (false, _, _) => format!("{}が「{before}{}」でない", phrase.noun, last.end),
        }
    }

    fn phrase(&self, filter: &Filter) -> Phrase {
        let (place, whose) = self.location(filter);
        let mut traits = self.traits(filter);
        let mut before = String::new();
        if !filter.except.is_empty() {
            let cards: Vec<String> = filter.except.iter().map(|word| self.name(*word)).collect();
            before += &format!("{}以外の", cards.join("と"));
        }
        let noun = match filter.reference {
            Some(word) => self.name(word),
            None => self.noun(filter, &mut traits),
        };
        match whose {
            Some(who) if filter.reference.is_some() => traits.push(Trait::class(format!("{who}のカード"))),
            Some(who) => before += &format!("{who}の"),
            None => {}
        }
        let most = |key: Word, size: &str| format!("のうち{key}が最も{size}もの");
        let best = filter.highest.map(|key| most(key, "大きい")).unwrap_or_default()
            + &filter.lowest.map(|key| most(key, "小さい")).unwrap_or_default();
        Phrase { place, traits, before, noun, best }
    }

    /// Where the cards are, and whose they are unless the place has said it.
    fn location(&self, filter: &Filter) -> (String, Option<String>) {
        let mut whose = filter.of.map(|who| self.who(who));
        let mut place = self.places(&filter.within);
        if filter.top.is_some() && place.is_empty() {
            place = "山札".into();
        }
        if !place.is_empty() && filter.within.iter().all(|word| !self.is_slot(*word) && has_owner(word)) {
            place = whose.take().map(|who| format!("{who}の")).unwrap_or_default() + &place;
        }
        if let Some(top) = &filter.top {
            let among = if top_alone(filter) { "" } else { "の中" };
            place = format!("{place}の上から{}{among}", self.counted(top, "枚"));
        }
        for (relation, to) in &filter.near {
            let near = self.near(*relation, *to);
            place = if place.is_empty() { near } else { format!("{place}の{near}") };
        }
        (place, whose)
    }

    /// このカードと同じライン, このカードに隣接するスクエア.
    pub fn near(&self, relation: Word, to: Word) -> String {
        let card = self.name(to);
        match relation.as_str() {
            "隣接" => format!("{card}に隣接するスクエア"),
            "挟撃" => format!("{card}が挟撃するスクエア"),
            same if same.starts_with("同じ") => format!("{card}と{same}"),
            other => format!("{card}の{other}"),
        }
    }

    fn traits(&self, filter: &Filter) -> Vec<Trait> {
        let mut traits: Vec<Trait> = filter.data.iter().flat_map(|(key, test)| self.test(*key, test)).collect();
        if let Some(owner) = filter.owner {
            traits.push(Trait::owned(format!("持ち主が{}", self.who(owner))));
        }
        if !filter.has.is_empty() {
            let names: Vec<&str> = filter.has.iter().map(|word| word.as_str()).collect();
            traits.push(Trait::verb(format!("{}を持つ", names.join("と"))));
        }
        for (how, host) in &filter.under {
            traits.push(Trait::noun(format!("{}の{how}", self.name(*host))));
        }
        for (what, there) in &filter.with {
            traits.push(match there {
                true => Trait { of: format!("{what}のある"), ..Trait::verb(format!("{what}がある")) },
                false => Trait { of: format!("{what}のない"), ..Trait::lacking(&format!("{what}が")) },
            });
        }
        if !filter.any.is_empty() {
            traits.push(Trait::class(self.either_of(&filter.any)));
        }
        if let Some(not) = &filter.not {
            traits.push(Trait::lacking(&format!("{}で", self.cards(not))));
        }
        if let Some(state) = filter.state {
            traits.push(Trait::noun(condition(&state)));
        }
        if filter.reference.is_some() {
            let names = (!filter.name.is_empty()).then(|| Trait::owned(format!("カード名が{}", quoted(&filter.name))));
            traits.extend(names);
            traits.extend(filter.role.map(|role| Trait::class(role.to_string())));
            traits.extend((!filter.is.is_empty()).then(|| Trait::class(either(&filter.is))));
        }
        traits
    }

    /// The noun itself; what does not fit into one word becomes a trait.
    fn noun(&self, filter: &Filter, traits: &mut Vec<Trait>) -> String {
        let classes = either(&filter.is);
        if let Some(role) = filter.role {
            let named = (!filter.name.is_empty()).then(|| Trait::owned(format!("カード名が{}", quoted(&filter.name))));
            traits.extend(named);
            if classes.is_empty() || role.ends_with(&*classes) {
                return role.to_string();
            }
            traits.push(Trait::class(role.to_string()));
            return classes;
        }
        match (classes.is_empty(), filter.name.is_empty()) {
            (true, true) => "カード".into(),
            (false, true) => classes,
            (true, false) => quoted(&filter.name),
            (false, false) => {
                traits.push(Trait::owned(format!("カード名が{}", quoted(&filter.name))));
                classes
            }
        }
    }

    fn either_of(&self, filters: &[Filter]) -> String {
        filters.iter().map(|filter| self.cards(filter)).collect::<Vec<_>>().join("か")
    }

    fn test(&self, key: Word, test: &Test) -> Vec<Trait> {
        // Colours are said without the word 色: 赤のユニット.
        let is = |words: String| match key.as_str() {
            "色" => Trait { end: format!("色が{words}"), ..Trait::owned(words) },
            _ => Trait::owned(format!("{key}が{words}")),
        };
        match test {
            Test::Word(word) => vec![is(self.name(*word))],
            Test::Number(n) => vec![is(n.to_string())],
            Test::Range(range) => self.range(key, range, is),
        }
    }

    fn range(&self, key: Word, range: &Range, is: impl Fn(String) -> Trait) -> Vec<Trait> {
        let Range { min, max, not, any, shared, only } = range;
        let mut traits = Vec::new();
        let min = min.as_ref().map(|value| format!("{}以上", self.number(value)));
        let max = max.as_ref().map(|value| format!("{}以下", self.number(value)));
        if min.is_some() || max.is_some() {
            let bounds: Vec<String> = min.into_iter().chain(max).collect();
            traits.push(Trait::owned(format!("{key}が{}", bounds.concat())));
        }
        traits.extend((!any.is_empty()).then(|| is(either(any))));
        let alone = || only.iter().map(|word| self.name(*word)).collect::<Vec<_>>().join("と");
        traits.extend((!only.is_empty()).then(|| Trait::owned(format!("{key}が{}だけ", alone()))));
        let lacking = |word: Word| Trait { joint: "の", ..Trait::lacking(&format!("{key}が{}で", self.name(word))) };
        traits.extend(not.map(lacking));
        traits.extend(shared.map(|card| match key == NAME {
            true => Trait::owned(format!("{}と同名", self.name(card))),
            false => Trait::verb(format!("{}と共通の{key}を持つ", self.name(card))),
        }));
        traits
    }

    /// Squares that fit.
    fn spots(&self, spots: &Spots) -> String {
        let Spots { within, near, with, without } = spots;
        let mut parts: Vec<String> = Vec::new();
        parts.extend((!within.is_empty()).then(|| self.places(within)));
        parts.extend(near.iter().map(|(relation, to)| self.near(*relation, *to)));
        let mut out: String = parts.iter().map(|part| format!("{part}の")).collect();
        // A relation may end in the noun already: …に隣接するスクエア.
        if let Some(head) = out.strip_suffix("スクエアの") {
            out = head.to_string();
        }
        let with = with.as_ref().map(|filter| format!("{}のある", self.cards(filter)));
        let without = without.as_ref().map(|filter| format!("{}のない", self.cards(filter)));
        let cards: String = with.into_iter().chain(without).collect();
        format!("{cards}{out}スクエア")
    }

    /// 対象の、バトルスペースにあるユニット1枚.
    pub fn target(&self, target: &Target) -> String {
        // A pause where 「対象の」 could be taken with the next word.
        let plain = match &target.of {
            Pool::Cards(filter) => Filter { is: filter.is.clone(), of: filter.of, ..Filter::default() } == *filter,
            Pool::Squares(spots) => **spots == Spots::default(),
            Pool::Places(_) | Pool::Players(_) => true,
            Pool::Items(_) | Pool::Words(_) | Pool::Numbers(_, _) | Pool::Either(..) => false,
        };
        format!("{}対象の{}{}", self.chooser(target), if plain { "" } else { "、" }, self.pool(target))
    }

    /// Who chooses and how, where it is not the player of the card and as he likes.
    pub fn chooser(&self, target: &Target) -> String {
        let by = target.by.map(|who| format!("{}が", self.who(who))).unwrap_or_default();
        match (by.as_str(), target.random) {
            ("", false) => String::new(),
            (_, false) => format!("{by}選ぶ"),
            (_, true) => format!("{by}無作為に選ぶ"),
        }
    }

    /// What is chosen and how much of it: ユニット2枚まで.
    pub fn pool(&self, target: &Target) -> String {
        match &target.of {
            Pool::Cards(filter) => self.some(target, self.cards(filter), "枚"),
            Pool::Items(filter) => self.some(target, format!("解決を待つ{}", self.cards(filter)), "つ"),
            Pool::Squares(spots) => self.some(target, self.spots(spots), "つ"),
            Pool::Places(kind) => self.some(target, kind.to_string(), "つ"),
            Pool::Players(who) => match who.as_str() {
                "どちらか" => self.some(target, "プレイヤー".into(), "人"),
                _ => self.who(*who),
            },
            Pool::Either(filter, who) => {
                let players = if *who == "どちらか" { "プレイヤー".into() } else { self.who(*who) };
                self.some(target, format!("{}か{players}", self.cards(filter)), "つ")
            }
            Pool::Words(words) => {
                let words: Vec<&str> = words.iter().map(|word| word.as_str()).collect();
                self.some(target, format!("{}のうち", words.join("、")), "つ")
            }
            Pool::Numbers(from, to) => {
                self.some(target, format!("{}から{}までの数", self.number(from), self.number(to)), "つ")
            }
        }
    }

    fn some(&self, target: &Target, what: String, unit: &str) -> String {
        let total: String = target.total.iter().map(|(datum, test)| self.total(*datum, test)).collect();
        total + &self.so_many(target, what, unit)
    }

    /// コストの合計が7以下になるように、
    fn total(&self, datum: Word, test: &Test) -> String {
        let sum = match test {
            Test::Word(word) => self.name(*word),
            Test::Number(n) => n.to_string(),
            Test::Range(range) => {
                let min = range.min.as_ref().map(|value| format!("{}以上", self.number(value)));
                let max = range.max.as_ref().map(|value| format!("{}以下", self.number(value)));
                min.into_iter().chain(max).collect()
            }
        };
        format!("{datum}の合計が{sum}になるように、")
    }

    fn so_many(&self, target: &Target, what: String, unit: &str) -> String {
        if target.any_number {
            return format!("好きな数の{what}");
        }
        match (&target.count, &target.up_to) {
            (_, Some(most)) => format!("{what}{}まで", self.counted(most, unit)),
            (Some(count), None) => format!("{what}{}", self.counted(count, unit)),
            (None, None) => format!("{what}1{unit}"),
        }
    }

    /// A target among which a number is shared out.
    pub fn divided(&self, target: &Target) -> String {
        let number = target.divide.as_ref().map(|value| self.number(value)).unwrap_or_default();
        format!("{}に{number}を1以上ずつ割り振る", self.introduce(target))
    }
}

fn quoted(names: &[Word]) -> String {
    names.iter().map(|name| format!("「{name}」")).collect::<Vec<_>>().join("か")
}

/// 「山札の上から3枚」 and nothing else.
fn top_alone(filter: &Filter) -> bool {
    let Filter { within, of, top, .. } = filter.clone();
    filter.top.is_some() && Filter { within, of, top, ..Filter::default() } == *filter
}
