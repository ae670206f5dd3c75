//! The walk over what is done: steps, changes, replacements.

use super::words::{CARDS, Check, MOVED};
use crate::card::{Change, DataKind, Filter, Kind, Pattern, Replace, Step, Target, Value, Word};

impl Check<'_> {
    pub fn steps(&mut self, steps: &[Step]) {
        steps.iter().for_each(|step| self.step(step));
    }

    /// What a step is about, which has to be said.
    pub fn objects(&mut self, step: &str, what: &Option<Word>, all: &Option<Filter>) {
        if what.is_none() && all.is_none() {
            self.wrong(step, format!("{step} に what（どのカード）か all（条件に合うすべて）が要ります"));
        }
        what.iter().for_each(|word| self.thing(*word));
        all.iter().for_each(|filter| self.filter(filter));
    }

    pub fn step(&mut self, step: &Step) {
        match step {
            Step::Move { .. } => self.movement(step),
            Step::Draw { count, who, up_to: _ } => self.done_by(*who, [count]),
            Step::Damage { what, all, who, amount, slot } => {
                // Cards may each have their own; a player has no card.
                let outside = std::mem::replace(&mut self.each, who.is_none());
                self.done_by(*who, amount);
                self.each = outside;
                if amount.is_none() && !what.is_some_and(|slot| self.divided.contains(&slot)) {
                    self.wrong("damage", "damage に amount（量）が要ります（割り振った対象なら省けます）".into());
                }
                // Damage to a player has no card.
                if who.is_none() || what.is_some() || all.is_some() {
                    self.objects("damage", what, all);
                }
                self.slots.extend(*slot);
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
            Step::EachPlayer { choose, steps, together } => self.each_player(choose, steps, *together),
            Step::ForEach { what, slot, steps } => self.for_each(*what, *slot, steps),
            Step::Repeat { count, until, steps } => self.repeat(count, until, steps),
            Step::Counter { what } => self.thing(*what),
            Step::Reveal { what, all, to } => {
                self.objects("reveal", what, all);
                self.player(*to);
            }
            Step::Shuffle { who } => self.player(*who),
            Step::Swap { a, b } => self.things(&[*a, *b]),
            Step::Retarget { what, to } => self.things(&[*what, *to]),
            Step::Mark { what, name, count, to, each } => {
                self.thing(*what);
                if let Some(to) = to {
                    self.thing(*to);
                    let least = matches!(count, crate::card::Value::Number(n) if *n < 1);
                    if !self.words.speaks.contains(&"カウンターの移動") || least || !each.is_empty() {
                        self.wrong(
                            "to",
                            "カウンターの移動（to）は、それのあるゲームで、正の数だけ、each なしで書けます".into(),
                        );
                    }
                }
                self.marker(*name);
                self.value(count);
                if !each.is_empty() && !self.words.speaks.contains(&"each") {
                    self.wrong("each", "このゲームのカウンターに each は書けません".into());
                }
                for change in each {
                    if !matches!(change, Change::Add(_, crate::card::Value::Number(_))) {
                        self.wrong("each", "each に書けるのは、決まった数の add だけです".into());
                    }
                    self.change(change);
                }
            }
            Step::Create { card: _, count, to, state, who } => {
                self.values(count);
                self.place(*to);
                self.state(*state);
                self.player(*who);
                self.slots.push(Word(MOVED));
            }
            Step::Let { slot, value } => {
                self.value(value);
                self.slots.push(*slot);
            }
            Step::Act { name, who, what, count, slot } => {
                self.act(*name, *who, *what, count);
                self.slots.extend(slot);
            }
            Step::End { who, result } => {
                self.player(Some(*who));
                self.one_of(*result, "結果", &["勝利", "敗北"]);
            }
        }
    }

    pub fn blocks(&mut self, blocks: &[&[Step]]) {
        blocks.iter().for_each(|steps| self.steps(steps));
    }

    pub fn each_player(&mut self, choose: &[Target], steps: &[Step], together: bool) {
        // What all have chosen is done once, as the controller's: there nobody else would choose.
        let late = || steps.iter().any(|step| matches!(step, Step::Choose(_)));
        if together && (choose.is_empty() || late()) {
            let text = "together: true では、全員が選ぶものを each_player の choose に書き、do には選んだ後にすることだけを書いてください";
            self.wrong("each_player", text.into());
        }
        choose.iter().for_each(|target| self.target(target));
        self.steps(steps);
    }

    pub fn repeat(&mut self, count: &Option<Value>, until: &Option<crate::card::Cond>, steps: &[Step]) {
        if count.is_none() && until.is_none() {
            self.wrong("repeat", "repeat には count か until を書いてください".into());
        }
        self.values(count);
        self.steps(steps);
        until.iter().for_each(|cond| self.cond(cond));
    }

    pub fn turn(&mut self, what: &Option<Word>, all: &Option<Filter>, state: Word, slot: Option<Word>) {
        self.objects("turn", what, all);
        self.state(Some(state));
        self.slots.extend(slot);
    }

    pub fn movement(&mut self, step: &Step) {
        let Step::Move { what, all, to, near, at, state, control, how, attach, slot } = step else { return };
        self.objects("move", what, all);
        let outside = std::mem::replace(&mut self.each, true);
        self.near(near);
        self.each = outside;
        if !near.is_empty() && (attach.is_some() || !self.words.places.contains(&to.as_str())) {
            self.wrong("move", "near を書くときは、to に場所の言葉（中央エリア など）を書いてください".into());
        }
        if attach.is_some() {
            self.thing(*to);
        } else if !CARDS.contains(&to.as_str()) {
            self.place(*to);
        }
        // A number: so many from the top.
        let place = at.filter(|word| word.parse::<u16>().is_ok_and(|n| n > 0)).xor(*at);
        place.iter().for_each(|word| self.one_of(*word, "山札の位置", &["上", "下", "シャッフル"]));
        self.state(state.filter(|state| *state != "そのまま"));
        self.player(*control);
        how.iter().for_each(|word| self.one_of(*word, "動かし方", self.words.manners));
        attach.iter().for_each(|word| self.one_of(*word, "付け方", self.words.attachments));
        self.slots.extend(slot);
        self.slots.push(Word(MOVED));
    }

    pub fn grant(&mut self, what: &Option<Word>, all: &Option<Filter>, changes: &[Change], until: Option<Word>) {
        let of_players =
            |c: &Change| matches!(c, Change::Player(..) | Change::Limit(..) | Change::Forbid(_) | Change::Oblige(_));
        if what.is_some() || all.is_some() || !changes.iter().all(of_players) {
            self.objects("grant", what, all);
        }
        changes.iter().for_each(|change| self.change(change));
        // Who is meant by a change that is not about a player has to be said.
        let of_player = |change: &Change| match change {
            Change::Forbid(pattern) => pattern.who.is_some() || pattern.card.is_some(),
            Change::Limit(..) | Change::Player(..) | Change::Oblige(_) => true,
            _ => false,
        };
        if !changes.iter().all(of_player) {
            self.objects("grant", what, all);
        }
        self.until(until);
    }

    pub fn later(&mut self, when: &Pattern, steps: &[Step], until: Option<Word>, about: Option<Word>) {
        self.pattern(when);
        self.until(until);
        about.into_iter().for_each(|word| self.thing(word));
        self.steps(steps);
    }

    pub fn for_each(&mut self, what: Word, slot: Word, steps: &[Step]) {
        self.slot(what);
        self.slots.push(slot);
        self.steps(steps);
    }

    pub fn act(&mut self, name: Word, who: Option<Word>, what: Option<Word>, count: &Option<Value>) {
        let manner = self.words.manners.contains(&name.as_str()) && !self.words.acts.contains(&name.as_str());
        match manner {
            true => self.wrong(&name, format!("「{name}」は行為ではなく方法です（move に how: {name} と書きます）")),
            false => self.one_of(name, "行為", self.words.acts),
        }
        self.done_by(who, count);
        what.into_iter().for_each(|word| self.thing(word));
        self.slots.push(Word(MOVED));
    }

    /// A number that may be another for each card.
    fn for_each_card(&mut self, value: &crate::card::Value) {
        let outside = std::mem::replace(&mut self.each, true);
        self.value(value);
        self.each = outside;
    }

    pub fn change(&mut self, change: &Change) {
        let prices = &[DataKind::Price];
        match change {
            Change::Add(key, value) | Change::Set(key, value) | Change::Base(key, value) => {
                self.datum(*key, &[DataKind::Number]);
                self.for_each_card(value);
            }
            Change::Down(key, value, _) => {
                self.datum(*key, &[DataKind::Number, DataKind::Price]);
                self.for_each_card(value);
            }
            Change::Join(key, _) | Change::Become(key, _) if *key == crate::card::NAME => {}
            Change::Join(key, word) => self.word_of(*key, &[*word]),
            Change::Become(key, words) => self.word_of(*key, words),
            Change::Gain(ability) => self.ability(ability),
            Change::Copy(copied) => {
                if !self.words.speaks.contains(&"copy") {
                    self.wrong("copy", "このゲームでは、ほかのカードの能力を得る copy を書けません".into());
                }
                if copied.kind == Kind::Effect {
                    self.wrong("kind", "copy の kind に書けるのは 起動・誘発・常在 です".into());
                }
                self.filter(&copied.cards);
            }
            Change::Lose(_) if self.words.speaks.contains(&"能力名") => {}
            Change::Lose(name) => self.one_of(*name, "キーワード能力", self.words.keywords),
            Change::LoseText(true) => {}
            Change::LoseText(false) => {
                self.wrong("lose_text", "lose_text に書けるのは true だけです（失わないなら書かない）".into())
            }
            Change::Control(who) => self.player(Some(*who)),
            Change::Cost(key, _, value) => {
                self.datum(*key, prices);
                self.for_each_card(value);
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
                // What a player does or what befalls one is kept from a player: of a card nothing would be forbidden.
                let deeds = self.words.of_players.iter().chain(&["引く"]);
                if pattern.who.is_none() && pattern.card.is_none() && deeds.copied().any(|e| pattern.event == e) {
                    let text = format!(
                        "「{}」ができないのは誰かを who に書いてください（自分・相手。お互いなら2つ）",
                        pattern.event
                    );
                    self.wrong("forbid", text);
                }
                self.pattern_parts(pattern);
            }
            Change::Immune(immune) => {
                immune.to.iter().for_each(|word| self.one_of(*word, "受けないもの", &["ダメージ", "対象", "効果"]));
                self.filter(&immune.by);
            }
            Change::PlayFrom(place) => self.place(*place),
            Change::Enter(state) => self.state(Some(*state)),
            Change::Limit(name, value) => {
                if self.words.numbers.iter().any(|n| name == n) && !self.words.limits.iter().any(|n| name == n) {
                    self.wrong(
                        "limit",
                        format!("「{name}」を増減するには player: [{name}, 増減する数] と書いてください"),
                    );
                } else {
                    self.one_of(*name, "上限", self.words.limits);
                }
                value.iter().for_each(|value| self.value(value));
            }
            Change::Player(name, value) => {
                self.one_of(*name, "プレイヤーの数", self.words.numbers);
                self.value(value);
            }
            Change::Bear(data) => {
                for (key, datum) in data {
                    match datum {
                        crate::card::Datum::Number(_) => self.datum(*key, &[DataKind::Number]),
                        crate::card::Datum::Words(words) => self.word_of(*key, words),
                    }
                }
            }
            Change::Oblige(pattern) => {
                self.one_of(pattern.event, "出来事や行為", self.words.events);
                self.pattern_parts(pattern);
            }
            Change::Under(name) => self.one_of(*name, "マーカーや状態", self.words.markers),
        }
    }

    pub fn replace(&mut self, replace: &Replace) {
        let Replace { when, steps, to, state, amount, optional: _ } = replace;
        self.pattern(when);
        self.steps(steps);
        to.iter().filter(|to| !CARDS.contains(&to.as_str())).for_each(|to| self.place(*to));
        self.state(state.filter(|state| *state != "そのまま"));
        self.values(amount);
    }
}
