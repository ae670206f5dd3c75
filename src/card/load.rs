//! Reads cards and checks every word against the game's vocabulary.
//!
//! A card is walked in the order in which it is read, so that a slot is known from where it is filled onwards.
//! Class words (`is:`), card names, marker names and the free words of keywords are not in the vocabulary and pass.

use std::collections::BTreeMap;
use std::path::Path;

use super::{
    Ability, Amount, Card, Change, Cond, DataKind, Datum, Filter, Keyword, Kind, Pattern, Pool, Price, Range, Replace,
    Spots, Step, Target, Test, Value, Vocabulary, Word,
};
use crate::text::yaml::{self, Placed, Problem};

/// Words that stand for a card everywhere.
const CARDS: [&str; 6] = ["this", "event", "source", "host", "moved", "about"];
/// Words that stand for a player.
const PLAYERS: [&str; 5] = ["自分", "相手", "持ち主", "active", "player"];

/// The cards of one file (`cards:` and a list) and everything wrong in it.
pub fn cards(file: &Path, text: &str, words: &Vocabulary) -> (Vec<Placed<Card>>, Vec<Problem>) {
    let (cards, mut problems) = yaml::items::<Card>(file, text, "cards");
    let mut names: Vec<Word> = Vec::new();
    for card in &cards {
        let mut check =
            Check { words, card, slots: Vec::new(), ways: Vec::new(), paid: Vec::new(), problems: Vec::new() };
        if names.contains(&card.value.name) {
            check.wrong(&card.value.name, format!("カード「{}」はこのファイルに二度あります", card.value.name));
        }
        names.push(card.value.name);
        check.card();
        problems.append(&mut check.problems);
    }
    (cards, problems)
}

/// The walk over one card.
struct Check<'a> {
    words: &'a Vocabulary,
    card: &'a Placed<Card>,
    /// Slots and variables filled so far in this ability.
    slots: Vec<Word>,
    /// Names of optional costs, and where `paid` asks for one: an ability may ask before another names it.
    ways: Vec<Word>,
    paid: Vec<Word>,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn wrong(&mut self, what: &str, message: String) {
        let problem = self.card.problem(what, message);
        // The same mistake twice in a card is found at the same place.
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn one_of(&mut self, word: Word, kind: &str, right: &[&str]) {
        if !right.contains(&word.as_str()) {
            self.wrong(&word, format!("「{word}」という{kind}はありません（{}）", candidates(&word, right)));
        }
    }

    fn player(&mut self, word: Option<Word>) {
        word.into_iter().for_each(|word| self.one_of(word, "プレイヤーの言い方", &PLAYERS));
    }

    /// A card or thing: one of the fixed words or a slot.
    fn thing(&mut self, word: Word) {
        let known: Vec<&str> = CARDS.into_iter().chain(self.slots.iter().map(|slot| slot.as_str())).collect();
        self.one_of(word, "カードの言い方やスロット", &known);
    }

    fn things(&mut self, words: &[Word]) {
        words.iter().for_each(|word| self.thing(*word));
    }

    fn slot(&mut self, word: Word) {
        let known: Vec<&str> = self.slots.iter().map(|slot| slot.as_str()).collect();
        self.one_of(word, "スロットや変数", &known);
    }

    /// A place, or a slot that holds one.
    fn place(&mut self, word: Word) {
        if !self.slots.contains(&word) {
            self.one_of(word, "場所やスロット", self.words.places);
        }
    }

    fn places(&mut self, words: &[Word]) {
        words.iter().for_each(|word| self.place(*word));
    }

    fn state(&mut self, word: Option<Word>) {
        word.into_iter().for_each(|word| self.one_of(word, "状態", self.words.states));
    }

    fn until(&mut self, word: Option<Word>) {
        word.into_iter().for_each(|word| self.one_of(word, "期限", self.words.untils));
    }

    /// A datum of one of these kinds.
    fn datum(&mut self, key: Word, kinds: &[DataKind]) {
        let Some((_, kind)) = self.words.data.iter().find(|(name, _)| *name == key.as_str()) else {
            let right: Vec<&str> =
                self.words.data.iter().filter(|(_, kind)| kinds.contains(kind)).map(|(name, _)| *name).collect();
            return self.one_of(key, "データ", &right);
        };
        if !kinds.contains(kind) {
            let wanted: Vec<&str> = kinds.iter().map(|kind| name_of(*kind)).collect();
            self.wrong(&key, format!("「{key}」は{}です（ここに書けるのは{}）", name_of(*kind), wanted.join("か")));
        }
    }

    fn card(&mut self) {
        let card = &self.card.value;
        for (key, value) in &card.data {
            self.printed(*key, value);
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

    fn printed(&mut self, key: Word, value: &Datum) {
        let kind = self.words.data.iter().find(|(name, _)| *name == key.as_str()).map(|(_, kind)| *kind);
        let right = match (kind, value) {
            (None, _) => return self.datum(key, &[DataKind::Number, DataKind::Words, DataKind::Price]),
            (Some(DataKind::Number), Datum::Number(_)) | (Some(DataKind::Words), Datum::Words(_)) => return,
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

    /// An ability has slots of its own; the variables of the card's costs are known in all of them.
    fn ability(&mut self, ability: &Ability) {
        let outer = std::mem::take(&mut self.slots);
        for datum in self.card.value.data.values() {
            if let Datum::Words(words) = datum {
                self.slots.extend(words.iter().filter_map(|word| Price::read(word)).flat_map(|p| p.variables()));
            }
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
        for mode in modes {
            let before = self.slots.len();
            mode.target.iter().for_each(|target| self.target(target));
            self.steps(&mode.steps);
            self.slots.truncate(before);
        }
        self.steps(steps);
        affects.iter().for_each(|filter| self.filter(filter));
        grant.iter().for_each(|change| self.change(change));
        instead.iter().for_each(|replace| self.replace(replace));
        self.slots = outer;
    }

    /// Parts that do not go together.
    fn shape(&mut self, ability: &Ability) {
        let Ability { kind, when, steps, modes, affects, grant, .. } = ability;
        let triggered = *kind == Kind::Triggered;
        if triggered && when.is_empty() && ability.keyword.is_none() {
            self.wrong("誘発", "誘発には when（誘発する出来事）が要ります".into());
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

    fn keyword(&mut self, keyword: &Keyword) {
        let Keyword { name, value, range: _, price, cost, filter, words: _, text } = keyword;
        self.one_of(*name, "キーワード能力", self.words.keywords);
        self.slots.extend(price.iter().flat_map(Price::variables));
        self.values(value);
        self.steps(cost);
        filter.iter().for_each(|filter| self.filter(filter));
        text.iter().for_each(|ability| self.ability(ability));
    }

    fn pattern(&mut self, pattern: &Pattern) {
        self.one_of(pattern.event, "出来事", self.words.events);
        self.pattern_parts(pattern);
    }

    fn pattern_parts(&mut self, pattern: &Pattern) {
        let Pattern { event: _, card, from, not_from, to, near, by, who, how } = pattern;
        card.iter().chain(by).for_each(|filter| self.filter(filter));
        [from, not_from, to].into_iter().for_each(|words| self.places(words));
        self.near(near);
        self.player(*who);
        how.iter().for_each(|word| self.one_of(*word, "どのように", self.words.manners));
    }

    fn near(&mut self, near: &BTreeMap<Word, Word>) {
        for (relation, to) in near {
            self.one_of(*relation, "位置の関係", self.words.relations);
            self.thing(*to);
        }
    }

    fn filter(&mut self, filter: &Filter) {
        let Filter { is: _, of, owner, within, near, data, name: _, state, has, role, with, .. } = filter;
        let Filter { reference, except, any, not, highest, lowest, top, .. } = filter;
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
    fn test(&mut self, key: Word, test: &Test) {
        let (numbers, words) = (&[DataKind::Number, DataKind::Price], &[DataKind::Words]);
        match test {
            Test::Word(_) => self.datum(key, words),
            Test::Number(_) => self.datum(key, numbers),
            Test::Range(range) => {
                let Range { min, max, not, any, shared } = &**range;
                if min.is_some() || max.is_some() {
                    self.datum(key, numbers);
                }
                if not.is_some() || !any.is_empty() || shared.is_some() {
                    self.datum(key, words);
                }
                self.values(min.iter().chain(max));
                shared.iter().for_each(|card| self.thing(*card));
            }
        }
    }

    fn spots(&mut self, spots: &Spots) {
        let Spots { within, near, with, without } = spots;
        self.places(within);
        self.near(near);
        with.iter().chain(without).for_each(|filter| self.filter(filter));
    }

    /// What is chosen is known after it, not in its own description.
    fn target(&mut self, target: &Target) {
        let Target { slot, of, count, up_to, any_number: _, by, random: _, divide } = target;
        match of {
            Pool::Cards(filter) | Pool::Items(filter) => self.filter(filter),
            Pool::Squares(spots) => self.spots(spots),
            Pool::Places(kind) => self.grouping(*kind),
            Pool::Players(who) => self.one_of(*who, "プレイヤーの言い方", &["自分", "相手", "どちらか"]),
            Pool::Words(_) => {}
            Pool::Numbers(from, to) => self.values([from, to]),
        }
        self.values(count.iter().chain(up_to).chain(divide));
        self.player(*by);
        self.slots.push(*slot);
    }

    /// エリア, ライン: the ending of places (自軍エリア) or relations (同じライン), if not itself a place.
    fn grouping(&mut self, kind: Word) {
        let known = self.words.places.iter().chain(self.words.relations).any(|word| word.ends_with(kind.as_str()));
        if !known {
            self.place(kind);
        }
    }

    fn values<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) {
        values.into_iter().for_each(|value| self.value(value));
    }

    fn done_by<'v>(&mut self, who: Option<Word>, values: impl IntoIterator<Item = &'v Value>) {
        self.player(who);
        self.values(values);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Number(_) => {}
            Value::Named(name) => self.slot(*name),
            Value::Made(amount) => self.amount(amount),
        }
    }

    fn amount(&mut self, amount: &Amount) {
        let numbers = &[DataKind::Number, DataKind::Price];
        match amount {
            Amount::Count(filter) => self.filter(filter),
            Amount::Data(card, key) => {
                self.thing(*card);
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
        }
    }

    fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::Exists(filter) | Cond::None(filter) => self.filter(filter),
            Cond::Equal(a, b) | Cond::AtLeast(a, b) | Cond::AtMost(a, b) => self.values([a, b]),
            Cond::Did(slot) => self.slot(*slot),
            Cond::Turn(who) => self.player(Some(*who)),
            Cond::During(phase) => self.one_of(*phase, "フェイズやステップ", self.words.phases),
            Cond::Happened(pattern) => self.pattern(pattern),
            Cond::Paid(way) => self.paid.push(*way),
            Cond::All(conds) | Cond::Any(conds) => conds.iter().for_each(|cond| self.cond(cond)),
            Cond::Not(cond) => self.cond(cond),
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        steps.iter().for_each(|step| self.step(step));
    }

    /// What a step is about, which has to be said.
    fn objects(&mut self, step: &str, what: &Option<Word>, all: &Option<Filter>) {
        if what.is_none() && all.is_none() {
            self.wrong(step, format!("{step} に what（どのカード）か all（条件に合うすべて）が要ります"));
        }
        what.iter().for_each(|word| self.thing(*word));
        all.iter().for_each(|filter| self.filter(filter));
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Move { .. } => self.movement(step),
            Step::Draw { count, who, up_to: _ } => self.done_by(*who, [count]),
            Step::Damage { what, all, who, amount } => {
                self.done_by(*who, amount);
                // Damage to a player has no card.
                if who.is_none() || what.is_some() || all.is_some() {
                    self.objects("damage", what, all);
                }
            }
            Step::Turn { what, all, state, slot } => self.turn(what, all, *state, *slot),
            Step::Choose(target) => self.target(target),
            Step::Grant { what, all, changes, until } => self.grant(what, all, changes, *until),
            Step::Later { when, steps, until, about } => self.later(when, steps, *until, *about),
            Step::Replace { instead, until } => {
                self.until(*until);
                self.replace(instead);
            }
            Step::May { steps, by, then, otherwise, name } => {
                self.player(*by);
                self.ways.extend(name);
                self.blocks(&[steps, then, otherwise]);
            }
            Step::If { cond, then, otherwise } => {
                self.cond(cond);
                self.blocks(&[then, otherwise]);
            }
            Step::EachPlayer { choose, steps } => self.each_player(choose, steps),
            Step::ForEach { what, slot, steps } => self.for_each(*what, *slot, steps),
            Step::Repeat { count, steps } => self.repeat(count, steps),
            Step::Counter { what } => self.thing(*what),
            Step::Reveal { what, all, to } => {
                self.objects("reveal", what, all);
                self.player(*to);
            }
            Step::Shuffle { who } => self.player(*who),
            Step::Swap { a, b } => self.things(&[*a, *b]),
            Step::Retarget { what, to } => self.things(&[*what, *to]),
            Step::Mark { what, name: _, count } => {
                self.thing(*what);
                self.value(count);
            }
            Step::Let { slot, value } => {
                self.value(value);
                self.slots.push(*slot);
            }
            Step::Act { name, who, what, count } => self.act(*name, *who, *what, count),
            Step::End { who, result } => {
                self.player(Some(*who));
                self.one_of(*result, "結果", &["勝利", "敗北"]);
            }
        }
    }

    fn blocks(&mut self, blocks: &[&[Step]]) {
        blocks.iter().for_each(|steps| self.steps(steps));
    }

    fn each_player(&mut self, choose: &[Target], steps: &[Step]) {
        choose.iter().for_each(|target| self.target(target));
        self.steps(steps);
    }

    fn repeat(&mut self, count: &Value, steps: &[Step]) {
        self.value(count);
        self.steps(steps);
    }

    fn turn(&mut self, what: &Option<Word>, all: &Option<Filter>, state: Word, slot: Option<Word>) {
        self.objects("turn", what, all);
        self.state(Some(state));
        self.slots.extend(slot);
    }

    fn movement(&mut self, step: &Step) {
        let Step::Move { what, all, to, at, state, control, how, attach, slot } = step else { return };
        self.objects("move", what, all);
        if attach.is_some() {
            self.thing(*to);
        } else if !CARDS.contains(&to.as_str()) {
            self.place(*to);
        }
        at.iter().for_each(|word| self.one_of(*word, "山札の位置", &["上", "下", "シャッフル"]));
        self.state(state.filter(|state| *state != "そのまま"));
        self.player(*control);
        how.iter().for_each(|word| self.one_of(*word, "動かし方", self.words.manners));
        attach.iter().for_each(|word| self.one_of(*word, "付け方", self.words.attachments));
        self.slots.extend(slot);
    }

    fn grant(&mut self, what: &Option<Word>, all: &Option<Filter>, changes: &[Change], until: Option<Word>) {
        what.iter().for_each(|word| self.thing(*word));
        all.iter().for_each(|filter| self.filter(filter));
        changes.iter().for_each(|change| self.change(change));
        self.until(until);
    }

    fn later(&mut self, when: &Pattern, steps: &[Step], until: Option<Word>, about: Option<Word>) {
        self.pattern(when);
        self.until(until);
        about.into_iter().for_each(|word| self.thing(word));
        self.steps(steps);
    }

    fn for_each(&mut self, what: Word, slot: Word, steps: &[Step]) {
        self.slot(what);
        self.slots.push(slot);
        self.steps(steps);
    }

    fn act(&mut self, name: Word, who: Option<Word>, what: Option<Word>, count: &Option<Value>) {
        self.one_of(name, "行為", self.words.acts);
        self.done_by(who, count);
        what.into_iter().for_each(|word| self.thing(word));
    }

    fn change(&mut self, change: &Change) {
        let prices = &[DataKind::Price];
        match change {
            Change::Add(key, value) | Change::Set(key, value) => {
                self.datum(*key, &[DataKind::Number]);
                self.value(value);
            }
            Change::Join(key, _) | Change::Become(key, _) => self.datum(*key, &[DataKind::Words]),
            Change::Gain(ability) => self.ability(ability),
            Change::Lose(name) => self.one_of(*name, "キーワード能力", self.words.keywords),
            Change::LoseText(true) => {}
            Change::LoseText(false) => {
                self.wrong("lose_text", "lose_text に書けるのは true だけです（失わないなら書かない）".into())
            }
            Change::Control(who) => self.player(Some(*who)),
            Change::Cost(key, _, value) => {
                self.datum(*key, prices);
                self.value(value);
            }
            Change::Price(key, _) => self.datum(*key, prices),
            Change::Read(key, other) => {
                let any = &[DataKind::Number, DataKind::Words, DataKind::Price];
                [key, other].into_iter().for_each(|key| self.datum(*key, any));
            }
            Change::Forbid(pattern) => {
                // What is forbidden may be an act that no event is named after.
                let both: Vec<&str> = self.words.events.iter().chain(self.words.acts).copied().collect();
                self.one_of(pattern.event, "出来事や行為", &both);
                self.pattern_parts(pattern);
            }
            Change::Immune(immune) => {
                immune.to.iter().for_each(|word| self.one_of(*word, "受けないもの", &["ダメージ", "対象", "効果"]));
                self.filter(&immune.by);
            }
            Change::PlayFrom(place) => self.place(*place),
            Change::Enter(state) => self.state(Some(*state)),
        }
    }

    fn replace(&mut self, replace: &Replace) {
        let Replace { when, steps, to, state, optional: _ } = replace;
        self.pattern(when);
        self.steps(steps);
        to.iter().filter(|to| !CARDS.contains(&to.as_str())).for_each(|to| self.place(*to));
        self.state(state.filter(|state| *state != "そのまま"));
    }
}

fn name_of(kind: DataKind) -> &'static str {
    match kind {
        DataKind::Number => "数",
        DataKind::Words => "言葉",
        DataKind::Price => "コスト",
    }
}

/// What would have been right: everything, or the nearest where that is much.
fn candidates(word: &str, right: &[&str]) -> String {
    const FEW: usize = 8;
    if right.is_empty() {
        return "ここで使えるものはありません".into();
    }
    if right.len() <= FEW {
        return format!("使えるもの: {}", right.join("、"));
    }
    let mut near: Vec<&str> = right.to_vec();
    near.sort_by_key(|other| distance(word, other));
    format!("近いもの: {}", near[..5].join("、"))
}

/// How many characters have to be put in, taken out or changed.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: Vocabulary = Vocabulary {
        data: &[
            ("使用コスト", DataKind::Price),
            ("色", DataKind::Words),
            ("分類", DataKind::Words),
            ("パワー", DataKind::Number),
        ],
        class: "分類",
        places: &["手札", "墓地", "山札", "スクエア", "自軍エリア", "敵軍エリア", "バトルスペース", "除外", "スタック"],
        relations: &["隣接", "同じライン"],
        states: &["リリース", "フリーズ"],
        events: &["置かれた", "ダメージ", "攻撃した", "ターン終了時"],
        manners: &["破壊", "捨てる"],
        keywords: &["速攻", "覚醒"],
        timings: &["ノーマル", "クイック"],
        untils: &["ターン終了時"],
        acts: &["プランゾーンを作成する"],
        roles: &["攻撃したユニット"],
        attachments: &["闘気"],
        phases: &["メインフェイズ"],
    };

    /// The problems of a card with these lines after its name: the line of each and words that it must say.
    fn check(lines: &str, expected: &[(usize, &str)]) {
        let body: String = lines.lines().map(|line| format!("  {line}\n")).collect();
        let (_, problems) = cards(Path::new("cards.yaml"), &format!("cards:\n- name: 甲\n{body}"), &WORDS);
        let found: Vec<usize> = problems.iter().map(|problem| problem.line - 2).collect();
        assert_eq!(found, expected.iter().map(|(line, _)| *line).collect::<Vec<_>>(), "{lines}\n{problems:#?}");
        for (problem, (_, words)) in problems.iter().zip(expected) {
            assert!(problem.message.contains(words), "{problem}");
        }
    }

    /// One ability on one line.
    fn ability(source: &str, expected: &[&str]) {
        let expected: Vec<(usize, &str)> = expected.iter().map(|words| (2, *words)).collect();
        check(&format!("abilities:\n- {source}"), &expected);
    }

    #[test]
    fn printed_data() {
        check("data: {使用コスト: 青2無色X, 色: [青, 赤], 分類: ユニット, パワー: 2000}", &[]);
        check("data: {使用コスト: 3}", &[(1, "「使用コスト」はコストです（「無色3」")]);
        check("data: {使用コスト: 青い}", &[(1, "「青2無色1」")]);
        check("data:\n  パワー: 青\n  色: 3", &[(2, "「パワー」は数です"), (3, "「色」は言葉です")]);
        check("data: {ぱわー: 3}", &[(1, "「ぱわー」というデータはありません（使えるもの: 使用コスト、色")]);
    }

    #[test]
    fn names_are_unique() {
        let (read, problems) = cards(Path::new("c.yaml"), "cards:\n- name: 甲\n- name: 乙\n- name: 甲\n", &WORDS);
        assert_eq!((read.len(), problems.len(), problems[0].line), (3, 1, 4));
        assert!(problems[0].message.contains("二度"));
    }

    #[test]
    fn words_of_the_game() {
        for (source, wrong) in [
            ("{keyword: {name: 即攻}}", "「即攻」というキーワード能力はありません（使えるもの: 速攻、覚醒）"),
            ("{from: 墓所, do: [{draw: {count: 1}}]}", "近いもの: 墓地"),
            ("{kind: 起動, timing: クイツク, do: [{draw: {count: 1}}]}", "タイミング"),
            ("{kind: 誘発, when: [{event: 置いた}], do: [{draw: {count: 1}}]}", "出来事"),
            ("{kind: 誘発, when: [{event: 置かれた, how: 廃棄}], do: [{draw: {count: 1}}]}", "どのように"),
            ("{kind: 誘発, when: [{event: 置かれた, near: {同じ列: this}}]}", "位置の関係"),
            ("{kind: 誘発, when: [{event: 置かれた, who: 敵}]}", "プレイヤーの言い方"),
            ("{if: {during: 準備}, do: [{draw: {count: 1}}]}", "フェイズ"),
            ("{if: {paid: 進撃}, do: [{draw: {count: 1}}]}", "払い方"),
            ("{do: [{turn: {what: this, state: 縦}}]}", "状態"),
            ("{do: [{move: {all: {has: 飛行}, to: 墓地}}]}", "キーワード能力"),
            ("{do: [{move: {all: {role: 守るユニット}, to: 墓地}}]}", "役割"),
            ("{do: [{move: {all: {with: {結合: true}}, to: 墓地}}]}", "付け方"),
            ("{do: [{move: {what: this, to: 墓地, at: 横}}]}", "山札の位置"),
            ("{do: [{move: {to: 墓地}}]}", "what"),
            ("{do: [{grant: {what: this, changes: [{add: [色, 1]}], until: ターン終了時}}]}", "「色」は言葉です"),
            ("{do: [{grant: {what: this, changes: [{lose: 速攻}], until: 来年}}]}", "期限"),
            ("{do: [{grant: {what: this, changes: [{cost: [パワー, 無色, 1]}]}}]}", "ここに書けるのはコスト"),
            ("{do: [{act: {name: 踊る}}]}", "行為"),
            ("{do: [{end: {who: 自分, result: 引分}}]}", "勝利、敗北"),
            ("{kind: 常在, grant: [{lose_text: false}]}", "true だけ"),
            ("{kind: 常在, grant: [{immune: {to: 移動, by: {}}}]}", "受けないもの"),
            ("{kind: 常在, grant: [{forbid: {event: 飛ぶ}}]}", "出来事や行為"),
            ("{kind: 常在, affects: {where: {パワー: 赤}}, grant: [{lose: 速攻}]}", "「パワー」は数です"),
            ("{target: [{of: {players: みんな}}], do: [{draw: {count: 1}}]}", "どちらか"),
            ("{target: [{of: {places: 島}}], do: [{draw: {count: 1}}]}", "場所やスロット"),
        ] {
            ability(source, &[wrong]);
        }
    }

    #[test]
    fn slots_are_known_from_where_they_are_filled() {
        let target = "target: [{of: {cards: {is: ユニット}}}]";
        ability(&format!("{{{target}, do: [{{turn: {{what: 対象, state: リリース}}}}]}}"), &[]);
        ability(
            "{do: [{turn: {what: 的, state: リリース}}, {choose: {slot: 的, of: {cards: {}}}}]}",
            &["「的」という"],
        );
        ability("{do: [{let: {slot: 量, value: 3}}, {draw: {count: 量}}, {draw: {count: Z}}]}", &["「Z」という"]);
        ability("{kind: 起動, price: 赤1無色X, do: [{draw: {count: X}}]}", &[]);
        ability("{target: [{of: {places: エリア}}], do: [{damage: {all: {in: 対象}, amount: 1}}]}", &[]);
        ability("{target: [{of: {squares: {in: 自軍エリア}}}], do: [{move: {what: this, to: 対象}}]}", &[]);
        ability(
            "{do: [{move: {what: this, to: 墓地, slot: 動}}, {if: {cond: {did: 動}, then: [{shuffle: {}}]}}]}",
            &[],
        );
        ability("{do: [{if: {cond: {did: 動}, then: [{shuffle: {}}]}}]}", &["ここで使えるものはありません"]);
        ability("{cost: [{may: {name: 強化, do: [{shuffle: {}}]}}], do: [{if: {cond: {paid: 強化}, then: []}}]}", &[]);
        ability(
            "{do: [{choose: {slot: 札, of: {cards: {}}}}, {for_each: {what: 札, slot: 個, do: [{counter: {what: 個}}]}}]}",
            &[],
        );
        let mode = |name: &str| format!("{{name: {name}, {target}, do: [{{counter: {{what: 対象}}}}]}}");
        ability(&format!("{{modes: [{}, {}]}}", mode("一"), mode("二")), &[]);
        ability(&format!("{{modes: [{}], do: [{{counter: {{what: 対象}}}}]}}", mode("一")), &["「対象」という"]);
        let gained = "{gain: {kind: 起動, do: [{counter: {what: 対象}}]}}";
        ability(&format!("{{{target}, do: [{{grant: {{what: 対象, changes: [{gained}]}}}}]}}"), &["「対象」という"]);
    }

    #[test]
    fn parts_that_do_not_go_together() {
        ability("{kind: 誘発, do: [{draw: {count: 1}}]}", &["when"]);
        ability("{when: [{event: 攻撃した}], do: [{draw: {count: 1}}]}", &["kind: 誘発"]);
        ability("{grant: [{lose: 速攻}]}", &["kind: 常在"]);
        ability("{kind: 常在, do: [{draw: {count: 1}}]}", &["常在には do"]);
    }
}
