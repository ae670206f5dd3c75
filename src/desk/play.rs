//! A board played step by step: what is asked, what can be answered, and why something cannot.
//!
//! Every answer becomes a step of a script, in the words of a board file, and the board is played anew from its
//! beginning: taking back is dropping the last step, and what is saved is what was played.

use super::came::Came;
use super::run::{Deciding, Desk, Played};
use super::write;
use crate::kernel::{Asks, Move, Question, Run, Seat, Thing};
use crate::scenario::{Attempt, Board, Case, Ending, Key, Kind, Names, Node, Ready, explore_all, move_words, options};

/// A board in play.
pub struct Session<'a> {
    desk: Desk<'a>,
    case: Case,
}

/// Where the board stands.
pub struct Standing {
    pub board: Board,
    /// What has come of it so far, for the end.
    pub over: Option<String>,
    pub asked: Option<Asked>,
    /// Lines of the trace, for what has happened since.
    pub told: Vec<String>,
}

/// What is asked now.
pub struct Asked {
    /// In words, without the options.
    pub words: String,
    /// Each option in words, and the step that chooses it alone.
    pub options: Vec<String>,
    question: Question,
    attempt: Attempt,
    ready: Ready,
}

impl<'a> Session<'a> {
    /// Begins with the table of the board; its steps are the player's to make.
    pub fn new(desk: Desk<'a>) -> Session<'a> {
        let case = Case { play: Vec::new(), ..Case::of(desk.scenario) };
        Session { desk, case }
    }

    pub fn steps(&self) -> &[Node] {
        &self.case.play
    }

    fn ready(&self, case: &Case) -> Result<Ready, String> {
        let said =
            |notes: Vec<crate::scenario::Note>| notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        let wrong = self.desk.wrong_readings();
        if !wrong.is_empty() {
            return Err(said(wrong));
        }
        let ready = Ready::new(self.desk.scenario, self.desk.store, case).map_err(said)?;
        match ready.unlawful() {
            Some(note) => Err(note.text),
            None => Ok(ready),
        }
    }

    /// Where the board stands after the steps so far.
    pub fn stand(&self) -> Result<Standing, String> {
        self.desk.scenario.anew();
        self.stands()
    }

    /// Where the board stands after these answers; all of them are one piece of work. An error says which is none.
    pub fn replay(&mut self, answers: &[String]) -> Result<Standing, String> {
        self.desk.scenario.anew();
        self.case.play.clear();
        let mut standing = self.stands()?;
        for (at, typed) in answers.iter().enumerate() {
            let told = |why: &str| format!("{}手目の「{typed}」: {why}", at + 1);
            let asked = standing.asked.as_ref().ok_or_else(|| told("もう終わっています"))?;
            let step = asked.step(typed).map_err(|why| told(&why))?;
            self.case.play.push(step);
            standing = self.stands()?;
        }
        Ok(standing)
    }

    fn stands(&self) -> Result<Standing, String> {
        let ready = self.ready(&self.case)?;
        let settings = ready.settings();
        let attempt = ready.attempt(&settings, Some(&[]));
        let board = Board::of(&attempt.scene(&ready, &settings));
        let lines = crate::scenario::story(attempt.run.trace(), &|_| None);
        let told = lines
            .into_iter()
            .filter(|l| !l.folded && !l.text.is_empty())
            .map(|l| {
                let clause = l.clause.map(|c| format!(" 〔{}〕", c.split_once(':').map_or(&c[..], |(_, c)| c)));
                let pass = if l.told == crate::kernel::Told::Passed { "放棄 " } else { "" };
                format!("{pass}{}{}", l.text, clause.unwrap_or_default())
            })
            .collect();
        let question = match (&attempt.open, &attempt.run) {
            (Some(question), _) => Some(question.clone()),
            (None, Run::Asks(question, ..)) => Some((**question).clone()),
            _ => None,
        };
        let over = match &attempt.run {
            Run::Ended(..) => Some(match &board.winner {
                Some(winner) if winner != "引き分け" => format!("{winner}の勝ち"),
                _ => "引き分け".to_string(),
            }),
            Run::Stopped(stopped, ..) => Some(format!("{}: {}", stopped.lack.words(), stopped.text)),
            Run::Refused(refusal, ..) => Some(format!("{}: {}", refusal.what, refusal.why)),
            Run::Asks(..) => None,
        };
        let asked = question.map(|question| Asked::new(ready, attempt, question));
        Ok(Standing { board, over, asked, told })
    }

    /// Takes an answer; an error says what would be one.
    pub fn answer(&mut self, asked: &Asked, typed: &str) -> Result<(), String> {
        let step = asked.step(typed)?;
        self.case.play.push(step);
        Ok(())
    }

    /// Takes back the last answer; false at the beginning.
    pub fn take_back(&mut self) -> bool {
        self.case.play.pop().is_some()
    }

    /// Why things called so cannot be done or chosen now.
    pub fn why_not(&self, asked: &Asked, name: &str) -> Vec<String> {
        let names = asked.ready.names();
        let cards: Vec<String> = names.labels.iter().filter(|l| l.contains(name)).map(ToString::to_string).collect();
        let numbered = name.parse::<usize>().ok().and_then(|n| asked.options.get(n.checked_sub(1)?));
        if let Some(option) = numbered.or(asked.options.iter().find(|o| o.contains(name))) {
            return vec![format!("{option} はできます")];
        }
        let verbs = names.schema.customs.verbs;
        let exact = cards.iter().find(|c| *c == name);
        if let Some(verb) = verbs.iter().find(|v| **v == name).filter(|_| exact.is_none()) {
            let why = self.barred(asked, verb, node(Kind::Null)).unwrap_or_else(|| "今の選択肢にない".to_string());
            return vec![format!("{verb}はできません: {why}")];
        }
        let Some(card) = exact.or(cards.first()) else {
            return vec![crate::scenario::unknown("呼び名", name, names.called())];
        };
        if !matches!(asked.question.asks, Asks::Act(_)) {
            let table = asked.attempt.run.table();
            let refused = asked.question.refused.iter().find(|(thing, _)| names.thing(table, *thing) == *card);
            return vec![match refused {
                Some((_, cite)) => format!("{card}は選べません（{}）", cite.id()),
                None => format!("{card}は「{}」に選べるものではありません", asked.question.slot),
            }];
        }
        // Acts that fail for the same reason are told at once, what fails for a reason of its own first.
        let mut said: Vec<(String, Vec<&str>)> = Vec::new();
        let mut with_any: Vec<String> = Vec::new();
        for verb in verbs {
            let Some(why) = self.barred(asked, verb, text(card)) else { continue };
            if self.barred(asked, verb, node(Kind::Null)).as_ref() == Some(&why) {
                with_any.push(why.clone());
            }
            match said.iter_mut().find(|(known, _)| *known == why) {
                Some((_, verbs)) => verbs.push(verb),
                None => said.push((why, vec![verb])),
            }
        }
        // What holds of every card says nothing about this one.
        if said.iter().any(|(why, _)| !with_any.contains(why)) {
            said.retain(|(why, _)| !with_any.contains(why));
        }
        if said.is_empty() {
            return vec![format!("{card}について、今できる行動はありません")];
        }
        said.sort_by_key(|(_, verbs)| verbs.len());
        said.iter().map(|(why, verbs)| format!("{card}はできません（{}）: {why}", verbs.join("・"))).collect()
    }

    /// Why an act is refused now.
    fn barred(&self, asked: &Asked, verb: &str, card: Node) -> Option<String> {
        self.desk.scenario.anew();
        let seat = asked.question.seat.unwrap_or(Seat(0));
        let mut case = self.case.clone();
        case.play.push(pair(asked.ready.names().schema.seats[seat.index()], pair(verb, card)));
        let ready = self.ready(&case).ok()?;
        let refusal = ready.attempt(&ready.settings(), Some(&[])).barred?;
        let by = refusal.cite.map(|c| format!("（{}）", c.id())).unwrap_or_default();
        let why = refusal.why.split_once("できません: ").map_or(refusal.why.as_str(), |(_, why)| why);
        Some(format!("{why}{by}"))
    }

    fn played(&self) -> Result<Played, String> {
        self.desk.scenario.anew();
        let ready = self.ready(&self.case)?;
        let settings = ready.settings();
        let attempt = ready.attempt(&settings, None);
        let came = Came::of(&ready, &attempt, &settings);
        Ok(Played { ready, settings, attempt, came, expect: None })
    }

    /// What decided so far.
    pub fn decided(&self) -> Result<Vec<Deciding>, String> {
        Ok(self.desk.hanging(&self.played()?))
    }

    /// All that can come of what is left open now.
    pub fn endings(&self) -> Result<(Vec<Ending>, usize), String> {
        self.desk.scenario.anew();
        explore_all(&self.ready(&self.case)?, None)
    }

    /// The board file of what was played.
    pub fn saved(&self) -> Option<String> {
        write::with_steps(self.desk.scenario.source(), self.desk.scenario.book.code(), &self.case.play)
    }
}

impl Asked {
    fn new(ready: Ready, attempt: Attempt, question: Question) -> Asked {
        let names = ready.names();
        let table = attempt.run.table();
        let whole = options(names, table, &question);
        let words = whole.split(['（', ':']).next().unwrap_or_default().trim().to_string();
        let things = |of: &[Thing]| of.iter().map(|t| names.thing(table, *t)).collect();
        let (words, listed) = match &question.asks {
            Asks::Act(moves) => (words, moves.iter().map(|m| move_words(names, m)).collect()),
            Asks::Choose { of, .. } | Asks::Order(of) => (words, things(of)),
            Asks::YesNo => (words, vec!["はい".to_string(), "いいえ".to_string()]),
            Asks::Number { .. } => (whole, Vec::new()),
        };
        Asked { words, options: listed, question, attempt, ready }
    }

    /// How many are to be chosen of the options, and whether their order counts. `None` where one of them is the answer.
    pub fn several(&self) -> Option<(usize, usize, bool)> {
        match &self.question.asks {
            Asks::Choose { min, max, .. } if (*min, *max) != (1, 1) => Some((*min, *max, false)),
            Asks::Order(of) => Some((of.len(), of.len(), true)),
            _ => None,
        }
    }

    /// The least and the greatest number that can be said, where a number is asked for.
    pub fn number(&self) -> Option<(i32, i32)> {
        match &self.question.asks {
            Asks::Number { min, max } => Some((*min, *max)),
            _ => None,
        }
    }

    /// Whether passing is among the options.
    pub fn can_pass(&self) -> bool {
        matches!(&self.question.asks, Asks::Act(moves) if moves.iter().any(Move::is_pass))
    }

    /// The step that a typed answer makes.
    fn step(&self, typed: &str) -> Result<Node, String> {
        let names = self.ready.names();
        let who = self.question.seat.map_or("chance", |s| names.schema.seats[s.index()]);
        let typed = typed.trim();
        let slot = |value: Node| pair(who, pair(self.question.slot.as_str(), value));
        match &self.question.asks {
            _ if typed == "投了" && self.question.seat.is_some() => Ok(pair(who, text("投了"))),
            Asks::Act(moves) => {
                let at = match typed {
                    "" => moves.iter().position(Move::is_pass).ok_or("番号か名で選んでください")?,
                    _ => self.one(typed)?,
                };
                Ok(pair(who, act(names, &moves[at])))
            }
            Asks::YesNo => match typed {
                "y" | "Y" | "する" => Ok(slot(text("はい"))),
                "n" | "N" | "しない" => Ok(slot(text("いいえ"))),
                _ => Ok(slot(text(&self.options[self.one(typed)?]))),
            },
            Asks::Number { min, max } => match typed.parse::<i32>() {
                Ok(n) if (*min..=*max).contains(&n) => Ok(slot(number(n))),
                _ => Err(format!("{min}から{max}までの数を打ってください")),
            },
            Asks::Choose { min, max, .. } => {
                let chosen = self.chosen(typed)?;
                if chosen.len() < *min || chosen.len() > *max {
                    return Err(format!("{min}〜{max}つ選んでください（番号を空白で並べる）"));
                }
                Ok(slot(self.list(&chosen)))
            }
            Asks::Order(of) => {
                let chosen = self.chosen(typed)?;
                if chosen.len() != of.len() {
                    return Err("すべての番号を、順に空白で並べてください".into());
                }
                Ok(slot(self.list(&chosen)))
            }
        }
    }

    fn list(&self, chosen: &[usize]) -> Node {
        match chosen {
            [] => text("なし"),
            chosen => node(Kind::List(chosen.iter().map(|i| text(&self.options[*i])).collect())),
        }
    }

    fn chosen(&self, typed: &str) -> Result<Vec<usize>, String> {
        let words = typed.split([' ', ',', '、', '　']).filter(|w| !w.is_empty() && *w != "なし");
        let mut chosen = Vec::new();
        for word in words {
            let at = self.one(word)?;
            if chosen.contains(&at) {
                return Err(format!("「{}」が二度あります", self.options[at]));
            }
            chosen.push(at);
        }
        Ok(chosen)
    }

    /// The option of a number, a name, or a part of one.
    fn one(&self, typed: &str) -> Result<usize, String> {
        if typed.is_empty() {
            return Err("番号か名で選んでください".into());
        }
        if let Ok(n) = typed.parse::<usize>() {
            return match n.checked_sub(1).filter(|i| *i < self.options.len()) {
                Some(at) => Ok(at),
                None => Err(format!("番号は1から{}までです", self.options.len())),
            };
        }
        if let Some(at) = self.options.iter().position(|o| o == typed) {
            return Ok(at);
        }
        let part: Vec<usize> = (0..self.options.len()).filter(|i| self.options[*i].contains(typed)).collect();
        match part[..] {
            [one] => Ok(one),
            [] if self.ready.names().labels.iter().any(|label| label.contains(typed)) => {
                Err(format!("「{typed}」は選べません（なぜかは ?{typed}）"))
            }
            [] if self.ready.book.schema().customs.verbs.contains(&typed) => {
                Err(format!("「{typed}」は今できません（なぜかは ?{typed}）"))
            }
            [] => Err(format!("「{typed}」は選べるものの中にありません（l で全部）")),
            _ => {
                let list: Vec<&str> = part.iter().take(6).map(|i| self.options[*i].as_str()).collect();
                Err(format!("「{typed}」に当たるものは{}つあります: {}", part.len(), list.join("、")))
            }
        }
    }
}

/// A move as a step says it.
fn act(names: Names, m: &Move) -> Node {
    let mut words: Vec<(&str, Node)> = Vec::new();
    words.extend(m.to.map(|z| ("to", text(&names.zone_name(z)))));
    if !m.way.is_empty() {
        words.push(("方法", text(m.way.as_str())));
    }
    words.extend(m.ability.map(|n| ("能力", number(i32::from(n) + 1))));
    match (m.card, words.is_empty()) {
        (None, true) => text(m.verb.as_str()),
        (card, _) => {
            let card = card.map_or(node(Kind::Null), |c| text(names.label(c.id).as_str()));
            map([(m.verb.as_str(), card)].into_iter().chain(words))
        }
    }
}

fn node(kind: Kind) -> Node {
    Node { at: Default::default(), kind }
}

pub(super) fn text(text: &str) -> Node {
    node(Kind::Text(text.to_string()))
}

fn number(n: i32) -> Node {
    node(Kind::Number(n.into()))
}

pub(super) fn pair(key: &str, value: Node) -> Node {
    map([(key, value)])
}

fn map<'a>(pairs: impl IntoIterator<Item = (&'a str, Node)>) -> Node {
    let key = |k: &str| Key { at: Default::default(), text: k.to_string() };
    node(Kind::Map(pairs.into_iter().map(|(k, v)| (key(k), v)).collect()))
}
