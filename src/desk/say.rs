//! How it is said aloud: a sentence for each thing that matters.

use super::came::{About, Came, Difference, fight, is_bare, is_standing, moved, standing};
use crate::kernel::trace::Entry;
use crate::kernel::{Asks, CardId, FactOwner, Run, Seat, Settings, Sight, Told, ZoneId};
use crate::scenario::{
    Attempt, Content, Does, Expect, Node, Ready, Says, Scene, Trait, data_words, fact_names, state_words,
};

/// How much can be said in one breath, in characters.
const BREATH: usize = 70;

/// What is said first: what stops it, who has won, what was refused, how the players stand, what has gone, what was
/// drawn, and only then what has come, changed, or been put away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Stop,
    Winner,
    Refused,
    Standing,
    Left,
    Drawn,
    /// What was taken back, or did not happen though a text spoke of it.
    Undone,
    Arrived,
    Changed,
    Rest,
}

/// What came of a run, in sentences: who has won, what was refused, and what became of the things that matter, which
/// are those the file speaks of, or else all that has changed.
pub fn conclusion(
    ready: &Ready,
    attempt: &Attempt,
    settings: &Settings,
    came: &Came,
    expect: Option<&Expect>,
) -> Vec<String> {
    let start = Scene::new(ready.book, &ready.given, &ready.given.table, settings);
    let now = attempt.scene(ready, settings);
    let say = Say { start: &start, now: &now, attempt };
    let mut said: Vec<(Rank, String)> = Vec::new();
    for fact in &came.facts {
        match fact.about {
            About::Stop => said.push((Rank::Stop, format!("{}。", fact.is.trim_end_matches('。')))),
            About::Winner => said.push((Rank::Winner, format!("{}。", fact.is))),
            About::Refused => said.push((Rank::Refused, format!("{}ことは{}。", doing(&fact.name), fact.is))),
            _ => {}
        }
    }
    let refused = said.iter().any(|(rank, _)| *rank == Rank::Refused);
    match expect {
        Some(expect) => said.extend(say.expected(expect)),
        None => {
            said.extend(say.all(ready, came));
            said.extend(undone(attempt, !refused).map(|text| (Rank::Undone, text)));
        }
    }
    said.sort_by_key(|(rank, _)| *rank);
    let mut once: Vec<String> = Vec::new();
    for (_, sentence) in said {
        if !once.contains(&sentence) {
            once.push(sentence);
        }
    }
    let told = short(once);
    let nothing = told.len() == 1 && refused && !came.facts.iter().any(|f| f.about == About::Card);
    if told.is_empty() || nothing {
        return told.into_iter().chain(["盤面は変わらない。".into()]).collect();
    }
    told
}

/// What was taken back, where no refusal has said so, or did not happen, by which clause.
fn undone(attempt: &Attempt, back: bool) -> impl Iterator<Item = String> + '_ {
    let undone = move |e: &&Entry| e.told == Told::NotApplied || back && e.told == Told::Refused;
    attempt.run.trace().entries.iter().filter(undone).map(|entry| {
        let by = entry.cite.map(|cite| format!("（{}）", cite.id())).unwrap_or_default();
        format!("{}{by}。", entry.text)
    })
}

/// 「Aが兵をプレイ」 → 「Aが兵をプレイする」; 「答える」 is done already.
fn doing(act: &str) -> String {
    // What stands in brackets at the end is told after it; a way of acting may have brackets of its own.
    let mut at = act.len();
    while act[..at].ends_with('）') {
        let mut depth = 0;
        let opens = act[..at].char_indices().rev().find(|(_, c)| {
            depth += i32::from(*c == '）') - i32::from(*c == '（');
            depth == 0
        });
        let Some((opens, _)) = opens else { break };
        at = opens;
    }
    let (act, rest) = act.split_at(at);
    let does = if act.ends_with(['る', 'く']) { "" } else { "する" };
    format!("{act}{does}{rest}")
}

/// As many as can be said in one breath, at least one.
fn short(said: Vec<String>) -> Vec<String> {
    let mut used = 0;
    let all = said.len();
    let mut kept: Vec<String> = Vec::new();
    for sentence in said {
        used += sentence.chars().count();
        if used > BREATH && !kept.is_empty() {
            kept.push(format!("（ほか{}）", all - kept.len()));
            break;
        }
        kept.push(sentence);
    }
    kept
}

/// 「蜘蛛は変わらない」, 「蜘蛛は B.墓地」: what another run gives instead.
pub fn instead(differences: &[Difference]) -> Vec<String> {
    // What follows from an act having become possible, and cannot be read on, says nothing about the clause.
    let freed = differences.iter().any(|d| d.about == About::Refused && d.here.is_none());
    let told = differences.iter().filter(|d| differences.len() == 1 || d.about != About::Moment);
    let follows = |d: &Difference| {
        matches!(d.about, About::Stop | About::Script) || d.about == About::Refused && d.here.is_some()
    };
    let told = told.filter(|d| !(freed && follows(d)));
    // Of one act it is plain which is meant.
    let alone = differences.iter().filter(|d| d.about == About::Refused).count() == 1;
    let mut said: Vec<String> = Vec::new();
    for words in told.map(|d| one_instead(d, alone)) {
        if !said.contains(&words) {
            said.push(words);
        }
    }
    said
}

fn one_instead(d: &Difference, alone: bool) -> String {
    match (d.about, &d.here) {
        (About::Refused, None) => format!("{}ことができる", doing(&d.name)),
        (About::Refused, Some(is)) if alone && d.real.is_some() => format!("ほかの理由で{is}"),
        (About::Refused, Some(is)) => format!("{}ことは、ほかの理由で{is}", doing(&d.name)),
        (About::Winner, None) => "勝敗は決まらない".into(),
        (About::Winner, Some(is)) => is.clone(),
        (About::Stop, None) => "止まらない".into(),
        (About::Stop, Some(is)) => format!("止まる（{is}）"),
        (About::Pile, None) => "解決を待つものはない".into(),
        (About::Fight, None) => "バトルは起こらない".into(),
        (About::Fight, Some(is)) => format!("{is}のバトルが続いている"),
        (About::Script, None) => "手順のとおり進む".into(),
        (About::Script, Some(is)) => format!("手順のとおり進まない（{is}）"),
        (_, None) => format!("{}は変わらない", d.name),
        (_, Some(is)) => format!("{}は {is}", d.name),
    }
}

struct Say<'a> {
    start: &'a Scene<'a>,
    now: &'a Scene<'a>,
    attempt: &'a Attempt,
}

impl Say<'_> {
    /// What the file speaks of; of what weighs the same, in its order.
    fn expected(&self, expect: &Expect) -> Vec<(Rank, String)> {
        let mut said = Vec::new();
        let mut told: Vec<CardId> = Vec::new();
        for claim in &expect.claims {
            let sentence = match &claim.says {
                Says::Card(id, _) => {
                    if told.contains(id) {
                        continue;
                    }
                    told.push(*id);
                    let traits: Vec<&Trait> = expect
                        .claims
                        .iter()
                        .filter_map(|c| match &c.says {
                            Says::Card(other, wanted) if other == id => Some(wanted),
                            _ => None,
                        })
                        .collect();
                    let rank = if self.moved(*id) { self.rank(*id).min(Rank::Arrived) } else { Rank::Arrived };
                    Some((rank, self.card(*id, &traits)))
                }
                other => self.table(other).map(|words| (self.rank_of(other), words)),
            };
            said.extend(sentence);
        }
        said
    }

    /// How much a claim about the table weighs.
    fn rank_of(&self, says: &Says) -> Rank {
        let schema = self.now.book.schema();
        match says {
            Says::Winner(_) => Rank::Winner,
            Says::Zone(zone, _) if is_standing(self.now, schema.spec(*zone).name) => Rank::Standing,
            Says::SeatFact(_, at, _) => {
                let name = fact_names(schema, FactOwner::Seat).nth(*at).unwrap_or_default();
                if is_standing(self.now, name) { Rank::Standing } else { Rank::Arrived }
            }
            _ => Rank::Arrived,
        }
    }

    /// Everything that has changed.
    fn all(&self, ready: &Ready, came: &Came) -> Vec<(Rank, String)> {
        let schema = self.now.book.schema();
        let drawn: Vec<CardId> = self.now.table.ids().filter(|id| self.drawn(*id)).collect();
        let mut said: Vec<(Rank, String)> = Vec::new();
        for seat in Seat::BOTH {
            said.extend(self.draws(seat, &drawn).map(|words| (Rank::Drawn, words)));
        }
        said.extend(self.stands().map(|words| (Rank::Standing, words)));
        let mut cards: Vec<(Rank, &str, String)> = Vec::new();
        let mut noted: Vec<(Rank, String)> = Vec::new();
        let over = self.now.outcome.is_some();
        let counted = |name: &str| schema.customs.verbs.iter().any(|verb| name.contains(verb));
        for fact in &came.facts {
            match (fact.about, fact.card) {
                (About::Card, Some(id)) if !drawn.contains(&id) => {
                    let label = self.now.names().label(id).as_str();
                    let rest = self.card(id, &[]).split_off(label.len());
                    cards.push((self.rank(id), label, rest));
                }
                // How often something was done goes without saying: it was a step.
                (About::Player, _) if !over && !counted(&fact.name) => {
                    let kept = if self.is_known(&fact.name) { &mut said } else { &mut noted };
                    kept.push((Rank::Rest, became(&fact.name, &fact.is)));
                }
                (About::Fight, _) if !over => {
                    let step = self.now.table.context().step;
                    let step = if step.is_empty() { String::new() } else { format!("（{step}）") };
                    said.push((Rank::Changed, format!("{}のバトルが続いている{step}。", fact.is)));
                }
                _ => {}
            }
        }
        // What is the same of several is said once.
        while let Some((rank, label, rest)) = (!cards.is_empty()).then(|| cards.remove(0)) {
            let mut labels = vec![label];
            cards.retain(|(other, label, same)| {
                let alike = *other == rank && *same == rest;
                labels.extend(alike.then_some(*label));
                !alike
            });
            said.push((rank, format!("{}{rest}", labels.join("、"))));
        }
        said.extend(self.together(&drawn));
        said.extend(self.kept(ready, came));
        // What the rulebook notes for itself is told where there is nothing else.
        if said.is_empty() {
            said = noted;
        }
        // That a card has done something this turn is seen from what came of it.
        if said.iter().any(|(_, words)| !words.contains("はこのターン")) {
            said.retain(|(_, words)| !words.contains("はこのターン"));
        }
        said
    }

    /// A number of a player that players know: cards speak of it, by its name or a part of it, or by a colour.
    fn is_known(&self, fact: &str) -> bool {
        let words = &self.now.book.schema().words;
        let colours = words.values.iter().flat_map(|(_, values)| values.iter());
        words.numbers.iter().any(|n| fact.contains(n)) || colours.copied().any(|c| fact.ends_with(&format!("の{c}")))
    }

    /// The cards that the steps speak of and that are as they were: what does not happen to them is an answer too.
    fn kept(&self, ready: &Ready, came: &Came) -> Option<(Rank, String)> {
        // Of what a battle still goes on about nothing can be said yet.
        if self.attempt.barred.is_some()
            || fight(self.now).is_some()
            || !matches!(&self.attempt.run, Run::Asks(question, ..) if matches!(question.asks, Asks::Act(_)))
        {
            return None;
        }
        let names = self.now.names();
        let mut spoken: Vec<CardId> = Vec::new();
        for step in &ready.steps {
            let (card, replies) = match &step.does {
                Does::Move(wanted) => (wanted.card, &wanted.replies),
                Does::Answer(replies, _) => (None, replies),
                _ => continue,
            };
            let words = replies.iter().flat_map(|reply| reply.value.items()).filter_map(Node::text);
            spoken.extend(card.into_iter().chain(words.filter_map(|word| names.card(&word))));
        }
        let lies = |id: &CardId| self.now.book.schema().spec(self.now.table.obj(*id).zone).board;
        let as_it_was = |id: &CardId| {
            let facts = came.facts.iter().filter(|f| f.card == Some(*id));
            facts.flat_map(|f| f.is.split('、')).all(|word| word.starts_with("このターン"))
        };
        let mut kept: Vec<&str> = Vec::new();
        for id in spoken.into_iter().filter(|id| lies(id) && !self.moved(*id) && as_it_was(id)) {
            let label = names.label(id).as_str();
            if !kept.contains(&label) {
                kept.push(label);
            }
        }
        (!kept.is_empty()).then(|| (Rank::Changed, format!("{}は変わらない。", kept.join("、"))))
    }

    /// How the players stand now.
    fn stands(&self) -> Option<String> {
        let told = standing(self.start, self.now);
        match &told[..] {
            [] => None,
            [(name, was, is)] => Some(format!("{name}は{was}から{is}になった。")),
            several => {
                let each: Vec<String> = several.iter().map(|(name, was, is)| format!("{name} {was} → {is}")).collect();
                Some(format!("{}。", each.join("、")))
            }
        }
    }

    fn moved(&self, id: CardId) -> bool {
        moved(self.start, self.now, id)
    }

    /// How much it weighs what became of a card.
    fn rank(&self, id: CardId) -> Rank {
        let schema = self.now.book.schema();
        let [was, is] = [self.start, self.now].map(|s| schema.spec(s.table.obj(id).zone).board);
        match (was, is) {
            (true, false) => Rank::Left,
            (false, true) => Rank::Arrived,
            (true, true) if self.moved(id) => Rank::Arrived,
            // That it has done something this turn is seen from what it did.
            (true, true) if self.changed(id).iter().all(|word| word.starts_with("このターン")) => Rank::Rest,
            (true, true) => Rank::Changed,
            (false, false) => Rank::Rest,
        }
    }

    /// The card came from where nobody looks to where only its owner does.
    fn drawn(&self, id: CardId) -> bool {
        let schema = self.now.book.schema();
        let [from, to] = [self.start, self.now].map(|s| schema.spec(s.table.obj(id).zone));
        self.moved(id) && from.sight == Sight::Nobody && to.sight == Sight::Owner && !is_standing(self.start, from.name)
    }

    /// 「Aは甲など2枚を引いた」.
    fn draws(&self, seat: Seat, drawn: &[CardId]) -> Option<String> {
        let names = self.now.names();
        let schema = names.schema;
        let own = |id: &&CardId| schema.spec(self.now.table.obj(**id).zone).owner == Some(seat);
        let own: Vec<CardId> = drawn.iter().filter(own).copied().collect();
        let first = own.first()?;
        let by_drawing = own.iter().all(|id| self.attempt.log.last_move(*id).is_some_and(|e| e.name == "引く"));
        let done = if by_drawing { "引いた".to_string() } else { format!("{}に加えた", self.place(*first)) };
        let named: Vec<&str> =
            own.iter().filter(|id| !is_bare(self.start, **id)).map(|id| names.label(*id).as_str()).collect();
        let what = match (named.len(), own.len()) {
            (0, n) if by_drawing => format!("{n}枚"),
            (0, n) => format!("{n}枚を"),
            (some, n) if some == n => format!("{}を", named.join("、")),
            (_, n) => format!("{}など{n}枚を", named.join("、")),
        };
        Some(format!("{}は{what}{done}。", schema.seats[seat.index()]))
    }

    /// The zone in which a card lies, without whose it is.
    fn place(&self, id: CardId) -> &'static str {
        self.now.book.schema().spec(self.now.table.obj(id).zone).name
    }

    /// Cards without a name that went the same way, but for those of which more is said.
    fn together(&self, told: &[CardId]) -> Vec<(Rank, String)> {
        let schema = self.now.book.schema();
        let mut groups: Vec<(ZoneId, ZoneId, usize)> = Vec::new();
        for id in self.now.table.ids().filter(|id| is_bare(self.start, *id) && self.moved(*id) && !told.contains(id)) {
            let [from, to] = [self.start, self.now].map(|s| s.table.obj(id).zone);
            if [from, to].iter().any(|zone| is_standing(self.start, schema.spec(*zone).name)) {
                continue;
            }
            match groups.iter_mut().find(|g| (g.0, g.1) == (from, to)) {
                Some(group) => group.2 += 1,
                None => groups.push((from, to, 1)),
            }
        }
        let said = |(from, to, n): (ZoneId, ZoneId, usize)| {
            let [from, to] = [from, to].map(|zone| spoken(&self.now.names().zone_name(zone)));
            (Rank::Rest, format!("{from}の{n}枚は{to}に置かれた。"))
        };
        groups.into_iter().map(said).collect()
    }

    /// One card: where it went, and of its traits those asked for, or those that have changed.
    fn card(&self, id: CardId, asked: &[&Trait]) -> String {
        let names = self.now.names();
        let label = names.label(id);
        let zone = spoken(&names.zone_name(self.now.table.obj(id).zone));
        let mut words = Vec::new();
        if self.moved(id) {
            words.push(format!("{label}は{}", self.manner(id, &zone)));
        } else if asked.iter().any(|t| matches!(t, Trait::In(..))) {
            // What has gone and come back has not stayed.
            let gone = self.attempt.log.last_move(id);
            words.push(match gone {
                Some(last) if last.how == "破壊" => format!("{label}は{}", self.manner(id, &zone)),
                Some(_) => format!("{label}は{zone}に戻った"),
                None => format!("{label}は{zone}のまま"),
            });
        }
        let traits =
            if asked.is_empty() { self.changed(id) } else { asked.iter().filter_map(|t| self.of(id, t)).collect() };
        for (at, said) in traits.into_iter().enumerate() {
            let of_it = said.split_once('は').is_some_and(|(name, _)| !name.contains('の'));
            words.push(match at == 0 && words.is_empty() {
                true if of_it => format!("{label}の{said}"),
                true => format!("{label}は{said}"),
                false => said,
            });
        }
        if words.is_empty() {
            words.push(format!("{label}は変わらない"));
        }
        words.dedup();
        let last = words.len() - 1;
        words[..last].iter_mut().for_each(|word| *word = going_on(word));
        format!("{}。", words.join("、"))
    }

    /// How a card came to where it is.
    fn manner(&self, id: CardId, zone: &str) -> String {
        let schema = self.now.book.schema();
        let (from, to) = (self.start.table.obj(id).zone, self.now.table.obj(id).zone);
        let last = self.attempt.log.last_move(id);
        let word = |w: &str| last.is_some_and(|e| e.name == w || e.how == w);
        if last.is_some_and(|e| e.how.contains("破壊") || e.name == "破壊") {
            return format!("破壊されて{zone}に置かれた");
        }
        if word("捨てる") {
            return format!("捨てられて{zone}に置かれた");
        }
        if word("リリース") {
            return format!("リリースされて{zone}に置かれた");
        }
        match (schema.spec(from).board, schema.spec(to).board) {
            (false, true) => format!("{zone}に出た"),
            (true, true) => format!("{zone}に移った"),
            _ => format!("{zone}に置かれた"),
        }
    }

    /// A trait that the file asks for, as it is.
    fn of(&self, id: CardId, asked: &Trait) -> Option<String> {
        let schema = self.now.book.schema();
        let obj = self.now.table.obj(id);
        let seen = self.now.seen(id);
        Some(match asked {
            Trait::State(state) if matches!(state.as_str(), "表" | "裏") => {
                (if obj.face_up { "表" } else { "裏" }).to_string()
            }
            Trait::State(_) => schema.state_name(obj.state).to_string(),
            Trait::Controller(_) => format!("支配者は{}", schema.seats[seen.controller.index()]),
            Trait::Owner(_) => format!("持ち主は{}", schema.seats[obj.owner.index()]),
            Trait::Has(keyword, _) => format!("{keyword}を{}", if seen.has(keyword) { "持つ" } else { "持たない" }),
            Trait::Name(_) => format!("名は{}", seen.name()),
            Trait::Data(at, _) => format!("{}は{}", schema.words.data[*at].0, data_words(&seen.data[*at])),
            Trait::Fact(at, _) => {
                format!("{}は{}", fact_names(schema, FactOwner::Card).nth(*at)?, obj.facts[*at])
            }
            Trait::Under(_) | Trait::As(_) => {
                obj.host.map_or("何にも付いていない".to_string(), |(how, host)| {
                    format!("{}の{how}", self.now.names().label(host))
                })
            }
            Trait::Marker(name, _) => {
                format!("{name}は{}個", obj.marks.iter().find(|(m, _)| *m == name.as_str()).map_or(0, |m| m.1))
            }
            Trait::In(..) | Trait::Role(..) => return None,
        })
    }

    /// What has changed about the card where it lies.
    fn changed(&self, id: CardId) -> Vec<String> {
        let schema = self.now.book.schema();
        let (old, new) = (self.start.table.obj(id), self.now.table.obj(id));
        let (was, is) = (self.start.seen(id), self.now.seen(id));
        let mut said = Vec::new();
        let (lay, lies) = (state_words(schema, old), state_words(schema, new));
        if !lies.is_empty() && lay != lies && !(lay.is_empty() && new.state == 0) {
            said.push(format!("{lies}になった"));
        }
        if let Some((how, host)) = new.host.filter(|_| old.host != new.host) {
            said.push(format!("{}の{how}になった", self.now.names().label(host)));
        }
        if was.controller != is.controller {
            said.push(format!("支配者は{}になった", schema.seats[is.controller.index()]));
        }
        if schema.spec(new.zone).board {
            let data = schema.words.data.iter().enumerate().filter(|(at, _)| was.data[*at] != is.data[*at]);
            said.extend(data.map(|(at, (name, _))| format!("{name}は{}", data_words(&is.data[at]))));
        }
        if !self.moved(id) {
            let change = crate::scenario::changes(self.start, self.now).into_iter().find(|c| c.card == Some(id));
            let facts: Vec<&str> = fact_names(schema, FactOwner::Card).collect();
            let nothing = said.is_empty();
            for word in change.into_iter().flat_map(|c| c.words) {
                match word.split_once(' ') {
                    // What has been dealt to it says more than how it is turned.
                    Some((name, is)) if is.contains(" → ") && (nothing || facts.contains(&name)) => {
                        said.push(became(name, is).trim_end_matches('。').to_string());
                    }
                    _ if nothing => said.push(word),
                    _ => {}
                }
            }
        }
        said
    }

    /// What is so of the table.
    fn table(&self, says: &Says) -> Option<String> {
        let names = self.now.names();
        let schema = names.schema;
        let who = |seat: Option<Seat>| seat.map_or("誰のものでもない", |s| schema.seats[s.index()]).to_string();
        let t = self.now.table;
        Some(match says {
            Says::Zone(zone, content) | Says::Open(zone, _, content) => {
                let mut name = spoken(&names.zone_name(*zone));
                let mut cards = t.zone(*zone).to_vec();
                if let Says::Open(_, part, _) = says {
                    name = name.replace(schema.spec(*zone).name, part);
                    cards.retain(|id| t.obj(*id).face_up);
                }
                match content {
                    Content::Has(id, _) => {
                        let is = if cards.contains(id) { "ある" } else { "ない" };
                        format!("{name}に{}が{is}。", names.label(*id))
                    }
                    _ if cards.is_empty() => format!("{name}には何もない。"),
                    _ => format!("{name}は{}枚。", cards.len()),
                }
            }
            Says::SeatFact(seat, at, _) => {
                let fact = fact_names(schema, FactOwner::Seat).nth(*at)?;
                format!("{}の{fact}は{}。", schema.seats[seat.index()], t.seats[seat.index()][*at])
            }
            Says::Stack(_) => match self.now.pile() {
                pile if pile.is_empty() => "解決を待つものはない。".to_string(),
                pile => format!("解決を待つものは{}。", pile.join("、")),
            },
            Says::Phase(_) => {
                let step = t.context().step;
                format!("今は{}。", if step.is_empty() { t.phase } else { step })
            }
            Says::Turn(_) => format!("第{}ターン。", t.turn),
            Says::Active(_) => format!("{}のターン。", schema.seats[t.active.index()]),
            Says::Priority(_) => format!("優先権は{}。", who(self.now.asked)),
            Says::Winner(None) => "勝敗は決まらない。".to_string(),
            Says::Sees(seat, id, _) => {
                let can = if self.now.sees(*seat, *id) { "見える" } else { "見えない" };
                format!("{}から{}は{can}。", schema.seats[seat.index()], names.label(*id))
            }
            _ => return None,
        })
    }
}

/// 「AのLP」, 「8000 → 7000」: AのLPは8000から7000になった.
fn became(name: &str, is: &str) -> String {
    match is.split_once(" → ") {
        Some((was, is)) => format!("{name}は{was}から{is}になった。"),
        None => format!("{name}は{is}。"),
    }
}

/// 「Aの墓地に置かれた」 → 「Aの墓地に置かれ」, where something follows.
fn going_on(word: &str) -> String {
    let endings = [("になった", "になり"), ("に置かれた", "に置かれ"), ("に移った", "に移り"), ("に出た", "に出て")];
    let found = endings.iter().find_map(|(end, on)| word.strip_suffix(end).map(|head| format!("{head}{on}")));
    found.unwrap_or_else(|| word.to_string())
}

/// `A.墓地` → Aの墓地.
fn spoken(zone: &str) -> String {
    zone.replacen('.', "の", 1)
}
