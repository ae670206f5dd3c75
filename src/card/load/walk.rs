//! The walk over a card and its abilities, in reading order.

use std::collections::BTreeMap;

use super::words::{Check, name_of};
use crate::card::{
    Ability, Amount, Card, Cond, DataKind, Datum, Filter, Keyword, Kind, LimitBy, NAME, Pattern, Pool, Price, Range,
    Spots, Target, Test, Value, Word,
};

/// What a keyword may say besides its name.
const KEYWORD_PARTS: [&str; 7] = ["value", "range", "price", "cost", "filter", "words", "text"];
/// How a game says that it has cards without a kind (`種類: []`), and with numbers that are not known.
const NO_KIND: &str = "種類なし";
const UNKNOWN: &str = "?";
/// And that the effects of one card are one text: a later one speaks of what an earlier one has chosen.
const GOES_ON: &str = "続く効果";
/// More abilities than any card has.
const MOST: usize = 100;

impl Check<'_> {
    pub fn card(&mut self) {
        let card = &self.card.value;
        if card.abilities.len() > MOST {
            let text = format!("能力が多すぎます（{}。上限は{MOST}）", card.abilities.len());
            return self.wrong(&card.name, text);
        }
        for (key, value) in &card.data {
            self.printed(*key, value);
        }
        self.required(card);
        for word in card.unencoded.iter().flat_map(|m| &m.when) {
            self.one_of(*word, "出来事", self.words.events);
        }
        for ability in &card.abilities {
            self.ability(ability);
        }
        let right: Vec<&str> =
            self.words.keywords.iter().copied().chain(self.ways.iter().map(|w| w.as_str())).collect();
        for way in std::mem::take(&mut self.paid) {
            self.one_of(way, "払い方", &right);
        }
    }

    /// What every card must have, its kind, and what its kind of card must have printed on it.
    fn required(&mut self, card: &Card) {
        let Card { name, data, .. } = card;
        let class = self.words.class;
        let has = |datum: &str| data.keys().any(|key| *key == datum);
        if !has(class) {
            let first = self.words.values.iter().find(|(key, _)| *key == class).and_then(|(_, kinds)| kinds.first());
            let such = first.copied().unwrap_or("…");
            let text =
                format!("カード「{name}」に{class}が要ります（data: {{{class}: {such}}} のように書いてください）");
            return self.wrong(name, text);
        }
        let kinds: &[Word] = if let Some(Datum::Words(kinds)) = data.get(&Word(class)) { kinds } else { &[] };
        if kinds.is_empty() && !self.words.speaks.contains(&NO_KIND) {
            self.wrong(class, format!("カード「{name}」の{class}が空です"));
        }
        let is = |kind: &str| kinds.iter().any(|k| *k == kind) || kinds.is_empty() && kind == NO_KIND;
        // What every kind of card must have stands under no kind.
        for (kind, wanted) in self.words.required.iter().filter(|(kind, _)| kind.is_empty() || is(kind)) {
            let kind = if kind.is_empty() || *kind == NO_KIND { "カード" } else { kind };
            let missing = wanted.iter().filter(|datum| !datum.split('/').any(has));
            let missing: Vec<String> = missing.map(|datum| datum.replace('/', "か")).collect();
            if !missing.is_empty() {
                self.wrong(name, format!("{kind}「{name}」に{}が要ります", missing.join("、")));
            }
        }
    }

    pub fn printed(&mut self, key: Word, value: &Datum) {
        if let Some((_, of)) = self.words.bases.iter().find(|(name, _)| *name == key.as_str()) {
            return self.wrong(&key, format!("「{key}」はカードに書かれません（{of}から決まります）"));
        }
        let kind = self.words.data.iter().find(|(name, _)| *name == key.as_str()).map(|(_, kind)| *kind);
        let right = match (kind, value) {
            (None, _) => return self.datum(key, &[DataKind::Number, DataKind::Words, DataKind::Price]),
            (Some(DataKind::Number), Datum::Number(crate::card::ENDLESS))
                if self.words.speaks.contains(&format!("{key}∞").as_str()) =>
            {
                return;
            }
            (Some(DataKind::Number), Datum::Number(n)) => return self.number(*n),
            (Some(DataKind::Number), Datum::Words(words))
                if words[..] == [Word(UNKNOWN)] && self.words.speaks.contains(&UNKNOWN) =>
            {
                return;
            }
            (Some(DataKind::Words), Datum::Words(words)) => return self.word_of(key, words),
            (Some(DataKind::Price), Datum::Words(words)) => match words.as_slice() {
                [price] if Price::read(price).is_some() => return,
                _ => "「青2無色1」「赤1無色X」のように",
            },
            (Some(DataKind::Price), Datum::Number(_)) => "「無色3」のようにシンボルと量で",
            (Some(DataKind::Number), Datum::Words(_)) => "2000 のように",
            (Some(DataKind::Words), Datum::Number(_)) => "赤 や [赤, 青] のように",
        };
        let kind = kind.map_or("", name_of);
        self.wrong(&key, format!("「{key}」は{kind}です（{right}書いてください）"));
    }

    /// An ability has slots of its own, unless effects go on from each other; the variables of the card's costs are known in all of them.
    pub fn ability(&mut self, ability: &Ability) {
        let outer = std::mem::take(&mut self.slots);
        let outside = std::mem::take(&mut self.picked);
        for datum in self.card.value.data.values() {
            if let Datum::Words(words) = datum {
                self.slots.extend(words.iter().filter_map(|word| Price::read(word)).flat_map(|p| p.variables()));
            }
        }
        let goes_on = ability.kind == Kind::Effect && self.words.speaks.contains(&GOES_ON);
        if goes_on {
            self.slots.extend(self.told.iter().copied());
        }
        self.shape(ability);
        let Ability { kind: _, keyword, from, timing, when, cond, limit: _, price, cost, .. } = ability;
        let Ability { target, modes, steps, affects, grant, instead, .. } = ability;
        self.slots.extend(price.iter().flat_map(Price::variables));
        keyword.iter().for_each(|keyword| self.keyword(keyword));
        self.places(from);
        timing.iter().for_each(|word| self.one_of(*word, "タイミング", self.words.timings));
        when.iter().for_each(|pattern| self.pattern(pattern));
        cond.iter().for_each(|cond| self.cond(cond));
        self.steps(cost);
        target.iter().for_each(|target| self.target(target));
        let by_name = ability.limit.is_some_and(|limit| limit.by == LimitBy::Named);
        if (ability.name.is_some() || by_name) && !self.words.speaks.contains(&"能力名") {
            self.wrong("name", "このゲームでは、能力の名（name）を書けません".into());
        } else if by_name && ability.name.is_none() {
            self.wrong("能力名", "能力名で数えるには、能力に name が要ります".into());
        }
        if let Some(n) = ability.choose {
            if !self.words.speaks.contains(&"choose") {
                self.wrong("choose", "このゲームでは、選ぶ効果の数（choose）を書けません".into());
            } else if n == 0 || n as usize > modes.len() {
                self.wrong("choose", format!("選ぶ効果は1から{}までです", modes.len()));
            }
        }
        for mode in modes {
            let before = self.slots.len();
            if !mode.cost.is_empty() && !self.words.speaks.contains(&"modes.cost") {
                self.wrong("cost", "このゲームでは、選ぶ効果ごとのコスト（modes の cost）を書けません".into());
            }
            self.steps(&mode.cost);
            mode.target.iter().for_each(|target| self.target(target));
            self.steps(&mode.steps);
            self.slots.truncate(before);
        }
        self.steps(steps);
        affects.iter().for_each(|filter| self.filter(filter));
        grant.iter().for_each(|change| self.change(change));
        instead.iter().for_each(|replace| self.replace(replace));
        let filled = std::mem::replace(&mut self.slots, outer);
        self.picked = outside;
        if goes_on {
            self.told = filled;
        }
    }

    /// Parts that do not go together.
    pub fn shape(&mut self, ability: &Ability) {
        let Ability { kind, when, steps, modes, affects, grant, .. } = ability;
        let does = !(steps.is_empty() && modes.is_empty() && grant.is_empty());
        // The effect of a card may be no more than what must hold or be done to play it.
        let asks = *kind == Kind::Effect && (ability.cond.is_some() || !ability.cost.is_empty());
        // So may a text that says what must be done besides when something is done.
        let besides = *kind == Kind::Static && ability.timing.is_some() && !ability.cost.is_empty();
        let asks = asks || besides && self.words.speaks.contains(&"する際");
        if !(does || asks || ability.instead.is_some() || ability.keyword.is_some()) {
            let text = "することも影響もない能力です（do・modes・grant・instead・keyword のどれかが要ります）";
            self.wrong("abilities", text.into());
        }
        // A change that lasts is not used: only what replaces can be limited.
        let lasts = *kind == Kind::Static && ability.instead.is_none() && ability.keyword.is_none();
        if lasts && ability.limit.is_some() {
            self.wrong("limit", "常在の影響（grant）の回数は限れません（1度だけなら instead で書きます）".into());
        }
        let triggered = *kind == Kind::Triggered;
        // Without an event it looks at the position: then there must be a condition.
        if triggered && when.is_empty() && ability.cond.is_none() && ability.keyword.is_none() {
            self.wrong("誘発", "誘発には when（誘発する出来事）か if（誘発する状況）が要ります".into());
        }
        // Some games ask while something is being played what a card in play may have done besides.
        if ability.optional && !triggered && !besides {
            let text =
                "optional（してよい）を書けるのは kind: 誘発 だけです（「してよい」ことは do の may に書きます）";
            self.wrong("optional", text.into());
        }
        if !triggered && !when.is_empty() {
            self.wrong("when", "when を書けるのは kind: 誘発 だけです".into());
        }
        if *kind != Kind::Static && !(grant.is_empty() && affects.is_none()) {
            let what = if grant.is_empty() { "affects" } else { "grant" };
            self.wrong(
                what,
                format!("{what} を書けるのは kind: 常在 だけです（すること do の中では grant という手順）"),
            );
        }
        if *kind == Kind::Static && !(steps.is_empty() && modes.is_empty()) {
            self.wrong("常在", "常在には do も modes も書けません（影響は grant、置換は instead に）".into());
        }
    }

    pub fn keyword(&mut self, keyword: &Keyword) {
        let Keyword { name, value, range, price, cost, filter, words, text } = keyword;
        self.one_of(*name, "キーワード能力", self.words.keywords);
        let has = |part: &str| match part {
            "value" => value.is_some(),
            "range" => range.is_some(),
            "price" => !price.is_empty(),
            "filter" => filter.is_some(),
            "words" => !words.is_empty(),
            "cost" => !cost.is_empty(),
            _ => !text.is_empty(),
        };
        let parts = self.words.parts.iter().filter(|(keyword, _)| *name == *keyword).flat_map(|(_, parts)| *parts);
        for part in parts.filter(|part| !part.split('/').any(has)) {
            self.wrong(name, format!("キーワード能力「{name}」に {} が要ります", part.replace('/', " か ")));
        }
        // What nobody reads of it would be passed over in silence.
        if let Some((_, more)) = self.words.takes.iter().find(|(keyword, _)| *name == *keyword) {
            let asked = self.words.parts.iter().filter(|(keyword, _)| *name == *keyword).flat_map(|(_, parts)| *parts);
            let asked: Vec<&str> = asked.flat_map(|part| part.split('/')).chain(more.iter().copied()).collect();
            for part in KEYWORD_PARTS.into_iter().filter(|part| has(part) && !asked.contains(part)) {
                self.wrong(name, format!("キーワード能力「{name}」に {part} は書けません"));
            }
        }
        self.slots.extend(price.iter().flat_map(Price::variables));
        self.values(value);
        self.steps(cost);
        filter.iter().for_each(|filter| self.filter(filter));
        text.iter().for_each(|ability| self.ability(ability));
    }

    pub fn pattern(&mut self, pattern: &Pattern) {
        self.one_of(pattern.event, "出来事", self.words.events);
        self.pattern_parts(pattern);
    }

    pub fn pattern_parts(&mut self, pattern: &Pattern) {
        let Pattern { event, card, from, not_from, to, not_to, near, by, who, how } = pattern;
        if card.is_some() && self.words.moments.contains(&event.as_str()) {
            self.wrong(event, format!("「{event}」は時点で、どのカードの出来事でもありません（card は書けません）"));
        }
        if card.is_some() && self.words.of_players.contains(&event.as_str()) {
            let text = format!(
                "「{event}」はプレイヤーの出来事です（起こしたカードは by、プレイヤーは who に書いてください）"
            );
            self.wrong(event, text);
        }
        card.iter().chain(by).for_each(|filter| self.filter(filter));
        [from, not_from, to, not_to].into_iter().for_each(|words| self.places(words));
        self.near(near);
        self.player(*who);
        // Counters of a name come and go.
        if !(self.words.speaks.contains(&"カウンター名") && pattern.event.starts_with("マーカー")) {
            how.iter().for_each(|word| self.one_of(*word, "起こり方", self.words.manners));
        }
    }

    pub fn near(&mut self, near: &BTreeMap<Word, Word>) {
        for (relation, to) in near {
            self.one_of(*relation, "位置の関係", self.words.relations);
            self.thing_or_it(*to);
        }
    }

    pub fn filter(&mut self, filter: &Filter) {
        let Filter { is, of, owner, within, near, data, name: _, name_part: _, marks, state, has, role, with, .. } =
            filter;
        let Filter { reference, except, any, not, highest, lowest, top, under, .. } = filter;
        for (how, host) in under {
            self.one_of(*how, "付け方", self.words.attachments);
            self.thing(*host);
        }
        self.word_of(Word(self.words.class), is);
        for (name, least) in marks {
            self.marker(*name);
            self.value(least);
        }
        self.player(*of);
        self.player(*owner);
        self.places(within);
        self.near(near);
        data.iter().for_each(|(key, test)| self.test(*key, test));
        self.state(*state);
        has.iter().for_each(|word| self.one_of(*word, "キーワード能力", self.words.keywords));
        role.iter().for_each(|word| self.one_of(*word, "役割", self.words.roles));
        with.keys().for_each(|word| self.one_of(*word, "付け方", self.words.attachments));
        reference.iter().chain(except).for_each(|word| self.thing(*word));
        any.iter().chain(not.as_deref()).for_each(|filter| self.filter(filter));
        highest.iter().chain(lowest).for_each(|key| self.datum(*key, &[DataKind::Number, DataKind::Price]));
        self.values(top);
    }

    /// A cost is compared by its total.
    pub fn test(&mut self, key: Word, test: &Test) {
        let (numbers, words) = (&[DataKind::Number, DataKind::Price], &[DataKind::Words]);
        if key == NAME {
            let shared = if let Test::Range(range) = test { range.shared } else { None };
            match shared
                .filter(|card| *test == Test::Range(Box::new(Range { shared: Some(*card), ..Range::default() })))
            {
                Some(card) => self.thing(card),
                None => self.wrong(
                    NAME,
                    "カード名は name か name_part で書きます（「同名」は where: {カード名: {shared: this}}）".into(),
                ),
            }
            return;
        }
        match test {
            Test::Word(word) => self.word_of(key, &[*word]),
            Test::Number(_) => self.datum(key, numbers),
            Test::Range(range) => {
                let Range { min, max, not, any, shared, only } = &**range;
                if min.is_some() || max.is_some() {
                    self.datum(key, numbers);
                }
                if not.is_some() || !any.is_empty() || shared.is_some() || !only.is_empty() {
                    self.datum(key, words);
                }
                not.iter().chain(any).chain(only).for_each(|word| self.word_of(key, &[*word]));
                // The card that is looked at may be measured by what it is itself.
                let outside = std::mem::replace(&mut self.each, true);
                self.values(min.iter().chain(max));
                self.each = outside;
                shared.iter().for_each(|card| self.thing(*card));
            }
        }
    }

    pub fn spots(&mut self, spots: &Spots) {
        let Spots { within, near, with, without } = spots;
        self.places(within);
        self.near(near);
        with.iter().chain(without).for_each(|filter| self.filter(filter));
    }

    /// What is chosen is known after it, not in its own description.
    pub fn target(&mut self, target: &Target) {
        let Target { slot, of, count, up_to, any_number: _, by, random: _, silent: _, loose, divide, total } = target;
        if *loose && !self.words.speaks.contains(&"loose") {
            self.wrong("loose", "このゲームでは loose を書けません".into());
        }
        match of {
            Pool::Cards(filter) | Pool::Items(filter) => self.filter(filter),
            Pool::Squares(spots) => self.spots(spots),
            Pool::Places(kind) => self.grouping(*kind),
            Pool::Players(who) => {
                self.one_of(*who, "プレイヤーの言い方", &["自分", "相手", "どちらか"]);
                self.seats.push(*slot);
            }
            Pool::Either(filter, who) => {
                if !self.words.speaks.contains(&"either") {
                    self.wrong(
                        "either",
                        "このゲームでは、カードとプレイヤーのどちらかを選ぶ either を書けません".into(),
                    );
                }
                self.filter(filter);
                self.one_of(*who, "プレイヤーの言い方", &["自分", "相手", "どちらか"]);
            }
            Pool::Words(_) => {}
            Pool::Numbers(from, to) => self.values([from, to]),
        }
        self.values(count.iter().chain(up_to).chain(divide));
        if !total.is_empty() && !self.words.speaks.contains(&"total") {
            self.wrong("total", "このゲームでは、選ぶカードの合計 total を書けません".into());
        }
        for (key, test) in total {
            let counted = match test {
                Test::Word(_) => false,
                Test::Number(_) => true,
                Test::Range(range) => {
                    **range == Range { min: range.min.clone(), max: range.max.clone(), ..Range::default() }
                }
            };
            if !counted || !matches!(of, Pool::Cards(_)) {
                self.wrong(
                    "total",
                    "total には、カードの数のデータと、その合計の数か {min, max} を書いてください".into(),
                );
            }
            self.test(*key, test);
        }
        self.player(*by);
        self.slots.push(*slot);
        self.picked.push(*slot);
        if divide.is_some() {
            self.divided.push(*slot);
        }
    }

    /// エリア, ライン: the ending of places (自軍エリア) or relations (同じライン), if not itself a place.
    pub fn grouping(&mut self, kind: Word) {
        let known = self.words.places.iter().chain(self.words.relations).any(|word| word.ends_with(kind.as_str()));
        if !known {
            self.place(kind);
        }
    }

    pub fn values<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) {
        values.into_iter().for_each(|value| self.value(value));
    }

    pub fn done_by<'v>(&mut self, who: Option<Word>, values: impl IntoIterator<Item = &'v Value>) {
        self.player(who);
        self.values(values);
    }

    /// ∞ is a number in some games only.
    fn number(&mut self, n: i32) {
        if n == crate::card::ENDLESS && !self.words.speaks.contains(&"∞") {
            self.wrong("∞", "このゲームでは ∞ を書けません".into());
        }
    }

    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Number(n) => self.number(*n),
            Value::Named(name) => self.slot(*name),
            Value::Made(amount) => self.amount(amount),
        }
    }

    pub fn amount(&mut self, amount: &Amount) {
        let numbers = &[DataKind::Number, DataKind::Price];
        match amount {
            Amount::Count(filter) | Amount::Kinds(filter) => self.filter(filter),
            Amount::Data(card, key) => {
                self.thing_or_it(*card);
                self.datum(*key, numbers);
            }
            Amount::Highest(key, filter) | Amount::Lowest(key, filter) => {
                self.datum(*key, numbers);
                self.filter(filter);
            }
            Amount::Size(slot) => self.slot(*slot),
            Amount::Sum(values) | Amount::Product(values) => self.values(values),
            Amount::Divide(value, by) => self.values([value, by]),
            Amount::Event(_) => {}
            Amount::Marks(card, name) => {
                self.thing_or_it(*card);
                self.marker(*name);
            }
            Amount::Fact(who, name) => {
                self.player(Some(*who));
                self.one_of(*name, "プレイヤーの数", self.words.numbers);
            }
            Amount::Total(key, filter) => {
                self.datum(*key, numbers);
                self.filter(filter);
            }
        }
    }

    pub fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::Exists(filter) | Cond::None(filter) => self.filter(filter),
            Cond::Equal(a, b) | Cond::AtLeast(a, b) | Cond::AtMost(a, b) => self.values([a, b]),
            Cond::Did(slot) => {
                self.slot(*slot);
                // Nothing but choosing fills it, which does not tell whether anything was done.
                let times = |words: &[Word]| words.iter().filter(|word| *word == slot).count();
                if times(&self.picked) > 0 && times(&self.slots) <= times(&self.picked) {
                    let text = format!(
                        "「{slot}」は選んだものなので、did では尋ねられません（may の name、move・turn・act の slot の名を書いてください）"
                    );
                    self.wrong(slot, text);
                }
            }
            Cond::Turn(who) => self.player(Some(*who)),
            Cond::During(phase) => self.one_of(*phase, "フェイズやステップ", self.words.phases),
            Cond::Happened(pattern) => self.pattern(pattern),
            Cond::Paid(way) => self.paid.push(*way),
            Cond::All(conds) | Cond::Any(conds) => conds.iter().for_each(|cond| self.cond(cond)),
            Cond::Not(cond) => self.cond(cond),
        }
    }
}
