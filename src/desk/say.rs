//! How it is said aloud: a sentence for each thing that matters.

use super::came::{About, Came, Difference};
use crate::kernel::{CardId, FactOwner, Seat, Settings};
use crate::scenario::{Attempt, Content, Expect, Ready, Says, Scene, Trait, data_words, fact_names};

/// How much can be said in one breath, in characters.
const BREATH: usize = 70;

/// What came of a run, in sentences: who has won, what was refused, and what became of the things that matter, which
/// are those the file speaks of, or else all that has changed on the board.
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
    let mut said = Vec::new();
    for fact in &came.0 {
        match fact.about {
            About::Winner => said.push(format!("{}。", fact.is)),
            About::Refused => said.push(format!("{}ことは{}。", doing(&fact.name), fact.is)),
            _ => {}
        }
    }
    let refused = !said.is_empty();
    match expect {
        Some(expect) => said.extend(say.expected(expect)),
        None => said.extend(say.all(came)),
    }
    if let Some(stop) = came.0.iter().find(|f| f.about == About::Stop) {
        said.insert(0, format!("{}。", stop.is.trim_end_matches('。')));
    }
    let mut once: Vec<String> = Vec::new();
    for sentence in said {
        if !once.contains(&sentence) {
            once.push(sentence);
        }
    }
    if once.is_empty() || once.len() == 1 && refused && !came.0.iter().any(|f| f.about == About::Card) {
        once.push("盤面は変わらない。".into());
    }
    short(once)
}

/// 「Aが兵をプレイ」 → 「Aが兵をプレイする」.
fn doing(act: &str) -> String {
    match act.split_once('（') {
        Some((act, rest)) => format!("{act}する（{rest}"),
        None => format!("{act}する"),
    }
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
    let follows = |d: &Difference| d.about == About::Stop || d.about == About::Refused && d.here.is_some();
    let told = told.filter(|d| !(freed && follows(d)));
    let mut said: Vec<String> = Vec::new();
    for words in told.map(one_instead) {
        if !said.contains(&words) {
            said.push(words);
        }
    }
    said
}

fn one_instead(d: &Difference) -> String {
    match (d.about, &d.here) {
        (About::Refused, None) => format!("{}ことができる", doing(&d.name)),
        (About::Refused, Some(is)) => format!("{}ことは、ほかの理由で{is}", doing(&d.name)),
        (About::Winner, None) => "勝敗は決まらない".into(),
        (About::Winner, Some(is)) => is.clone(),
        (About::Stop, None) => "止まらない".into(),
        (About::Stop, Some(is)) => format!("止まる（{is}）"),
        (About::Pile, None) => "解決を待つものはない".into(),
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
    /// What the file speaks of, in its order.
    fn expected(&self, expect: &Expect) -> Vec<String> {
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
                    Some(self.card(*id, &traits))
                }
                other => self.table(other),
            };
            said.extend(sentence);
        }
        said
    }

    /// Everything that has changed, what is on the board first.
    fn all(&self, came: &Came) -> Vec<String> {
        let schema = self.now.book.schema();
        let on_board = |id: &CardId| [self.start, self.now].iter().any(|s| schema.spec(s.table.obj(*id).zone).board);
        let mut cards: Vec<CardId> = came.0.iter().filter_map(|f| f.card).collect();
        cards.sort_by_key(|id| (!on_board(id), !self.moved(*id)));
        let mut said: Vec<String> = cards.into_iter().map(|id| self.card(id, &[])).collect();
        let players = came.0.iter().filter(|f| f.about == About::Player);
        let at = said.len().min(2);
        said.splice(at..at, players.map(|f| format!("{}の{}。", f.name, f.is)));
        said
    }

    fn moved(&self, id: CardId) -> bool {
        self.start.table.obj(id).zone != self.now.table.obj(id).zone
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
            words.push(format!("{label}は{zone}のまま"));
        }
        let traits =
            if asked.is_empty() { self.changed(id) } else { asked.iter().filter_map(|t| self.of(id, t)).collect() };
        for (at, said) in traits.into_iter().enumerate() {
            words.push(if at == 0 && words.is_empty() { format!("{label}は{said}") } else { said });
        }
        if words.is_empty() {
            words.push(format!("{label}は変わらない"));
        }
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
            Trait::Under(_) => obj.host.map_or("何にも付いていない".to_string(), |(how, host)| {
                format!("{}の{how}", self.now.names().label(host))
            }),
            Trait::Marker(name, _) => {
                format!("{name}は{}個", obj.marks.iter().find(|(m, _)| *m == name.as_str()).map_or(0, |m| m.1))
            }
            Trait::In(..) | Trait::As(_) | Trait::Role(..) => return None,
        })
    }

    /// What has changed about the card where it lies.
    fn changed(&self, id: CardId) -> Vec<String> {
        let schema = self.now.book.schema();
        let (old, new) = (self.start.table.obj(id), self.now.table.obj(id));
        let (was, is) = (self.start.seen(id), self.now.seen(id));
        let mut said = Vec::new();
        if old.state != new.state {
            said.push(format!("{}になった", schema.state_name(new.state)));
        }
        if was.controller != is.controller {
            said.push(format!("支配者は{}になった", schema.seats[is.controller.index()]));
        }
        if schema.spec(new.zone).board {
            let data = schema.words.data.iter().enumerate().filter(|(at, _)| was.data[*at] != is.data[*at]);
            said.extend(data.map(|(at, (name, _))| format!("{name}は{}", data_words(&is.data[at]))));
        }
        if said.is_empty() && !self.moved(id) {
            let change = crate::scenario::changes(self.start, self.now).into_iter().find(|c| c.card == Some(id));
            said.extend(change.map(|c| c.words.join("、")));
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
            Says::Zone(zone, content) => {
                let cards = t.zone(*zone);
                let name = spoken(&names.zone_name(*zone));
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

/// `A.墓地` → Aの墓地.
fn spoken(zone: &str) -> String {
    zone.replacen('.', "の", 1)
}
