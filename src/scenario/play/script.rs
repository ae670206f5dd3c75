//! What is done: `play:`, step by step.

use crate::card::Word;
use crate::card::word::FULL;
use crate::kernel::{CardId, Question, Rulebook, Seat, ZoneId};
use crate::scenario::expect::Expect;
use crate::scenario::file::clause;
use crate::scenario::file::node::{At, Key, Kind, Node, Note, Notes};
use crate::scenario::file::store::Shelf;
use crate::scenario::file::words::{Names, phase, seat, unknown};
use crate::scenario::play::legal::Legal;

/// One step and where it is written.
#[derive(Clone, Debug)]
pub struct Step {
    pub at: At,
    pub does: Does,
    /// As written, for messages.
    pub text: String,
}

#[derive(Clone, Debug)]
pub enum Does {
    Move(Wanted),
    /// Answers to questions that come later, and the clauses for one of which they must be refused.
    Answer(Vec<Reply>, Vec<String>),
    Pass(Passing),
    Concede(Seat),
    Expect(Expect),
    Legal(Legal),
}

/// Who passes, and until when.
#[derive(Clone, Debug, PartialEq)]
pub enum Passing {
    One(Seat),
    /// Each once.
    Both,
    /// Until the pile is empty.
    All,
    /// Until the phase or step begins.
    Until(Word),
}

/// A move that is to be made, or refused.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub seat: Seat,
    pub verb: Word,
    pub card: Option<CardId>,
    pub to: Vec<ZoneId>,
    pub way: Option<Word>,
    /// From 1.
    pub ability: Option<u8>,
    pub replies: Vec<Reply>,
    /// Clauses for one of which it must be refused.
    pub refused: Vec<String>,
    /// How often it is made, one time after another.
    pub times: usize,
}

/// An answer to the next question with that slot.
#[derive(Clone, Debug)]
pub struct Reply {
    pub at: At,
    /// `None`: chance.
    pub seat: Option<Seat>,
    pub slot: String,
    pub value: Node,
}

impl Reply {
    /// The question is one that this answers.
    pub fn fits(&self, question: &Question) -> bool {
        self.seat == question.seat && question.slot == self.slot.as_str()
    }
}

/// More steps than anybody follows: each of them may be played again for every clause that is knocked out.
const MOST: usize = 500;

/// Reads the steps; what is wrong is noted.
pub struct Reader<'a> {
    pub book: &'static dyn Rulebook,
    pub names: Names<'a>,
    /// The cards that there are, on the table or not.
    pub shelf: &'a Shelf<'a>,
    pub notes: &'a mut Notes,
}

impl Reader<'_> {
    pub fn steps(&mut self, play: &[Node]) -> Vec<Step> {
        if play.len() > MOST {
            self.notes.note(play[MOST].at, format!("手順が多すぎます（{}。上限は{MOST}）", play.len()));
            return Vec::new();
        }
        let mut steps = Vec::new();
        for node in play {
            let Some(step) = self.step(node) else { continue };
            let times = if let Does::Move(wanted) = &step.does { wanted.times } else { 1 };
            if steps.len() + times > MOST {
                self.notes.note(node.at, format!("手順が多すぎます（上限は{MOST}）"));
                return Vec::new();
            }
            steps.extend(std::iter::repeat_n(step, times));
        }
        steps
    }

    fn step(&mut self, node: &Node) -> Option<Step> {
        let schema = self.names.schema;
        let does = match node.pairs() {
            Some([(key, value)]) => match key.text.as_str() {
                "pass" => self.pass(value).map(Does::Pass),
                "until" => self.until(value).map(Does::Pass),
                "chance" => Some(Does::Answer(self.replies(None, value.pairs().unwrap_or_default()), Vec::new())),
                "expect" => Some(Does::Expect(Expect::read(value, self.names, self.notes))),
                "legal" => self.legal(value).map(Does::Legal),
                who => match seat(schema, who) {
                    Some(seat) => self.act(seat, value),
                    None if schema.customs.verbs.contains(&who) => {
                        let text = format!("だれがするかを書いてください: - A: {{{who}: {value}}}");
                        self.notes.note(key.at, text);
                        None
                    }
                    None => {
                        let known = schema.seats.into_iter().chain(["pass", "until", "chance", "expect", "legal"]);
                        self.notes.note(key.at, unknown("手順", who, known));
                        None
                    }
                },
            },
            _ => {
                self.notes.note(node.at, "手順は「- A: …」「- pass: both」のように1つずつ書いてください");
                None
            }
        }?;
        Some(Step { at: node.at, does, text: node.to_string() })
    }

    fn pass(&mut self, node: &Node) -> Option<Passing> {
        let text = node.text().unwrap_or_default();
        match text.as_str() {
            "both" => Some(Passing::Both),
            "all" => Some(Passing::All),
            who => match seat(self.names.schema, who) {
                Some(seat) => Some(Passing::One(seat)),
                None => {
                    let known = ["both", "all"].into_iter().chain(self.names.schema.seats);
                    self.notes.note(node.at, unknown("パスのしかた", who, known));
                    None
                }
            },
        }
    }

    fn until(&mut self, node: &Node) -> Option<Passing> {
        let text = node.text().unwrap_or_default();
        let phases = self.names.schema.words.phases;
        match phase(self.names.schema, &text) {
            Some(phase) => Some(Passing::Until(Word(phase))),
            None => {
                self.notes.note(node.at, unknown("フェイズやステップ", &text, phases.iter().copied()));
                None
            }
        }
    }

    /// `パス`, a verb alone, a verb with its card and answers, or answers alone.
    fn act(&mut self, who: Seat, node: &Node) -> Option<Does> {
        let verbs = self.book.schema().customs.verbs;
        if let Some(text) = node.text() {
            return match verbs.iter().find(|v| **v == text) {
                _ if text == "パス" => Some(Does::Pass(Passing::One(who))),
                _ if text == "投了" => Some(Does::Concede(who)),
                Some(verb) => Some(Does::Move(Wanted::new(who, Word(verb)))),
                None => {
                    let said = text.split_once([' ', '　', '：']).filter(|(verb, _)| verbs.contains(verb));
                    let text = match said {
                        Some((verb, card)) => format!("{{{verb}: {}}} と書いてください", card.trim()),
                        None => unknown("行動", &text, verbs.iter().copied().chain(["パス", "投了"])),
                    };
                    self.notes.note(node.at, text);
                    None
                }
            };
        }
        let Some(pairs) = node.pairs().filter(|p| !p.is_empty()) else {
            self.notes.note(node.at, "ここには「{プレイ: カード, 対象: …}」「パス」のように書いてください");
            return None;
        };
        // A pass is a move where it must be refused, or leads to questions that are answered with it.
        let mut known = verbs.iter().chain(["パス"].iter());
        let Some(verb) = known.find(|v| **v == pairs[0].0.text) else {
            // One letter off is a slip, not a question of that name.
            let slip = |verb: &&str| off_by_one(verb, &pairs[0].0.text);
            if let Some(verb) = verbs.iter().copied().find(|v| slip(v)) {
                let text = format!("「{}」という行動はありません（「{verb}」ですか）", pairs[0].0.text);
                self.notes.note(pairs[0].0.at, text);
                return None;
            }
            let (refused, replies): (Vec<_>, Vec<_>) =
                pairs.iter().cloned().partition(|(key, _)| key.text == "refused");
            let refused = refused.iter().flat_map(|(_, value)| self.clauses(value)).collect();
            return Some(Does::Answer(self.replies(Some(who), &replies), refused));
        };
        let mut wanted = Wanted::new(who, Word(verb));
        if pairs[0].1.kind != Kind::Null {
            wanted.card = Some(self.card(&pairs[0].1)?);
        }
        for (key, value) in &pairs[1..] {
            self.manner(&mut wanted, key, value);
        }
        Some(Does::Move(wanted))
    }

    /// How a move is made, or an answer to a question that it raises.
    fn manner(&mut self, wanted: &mut Wanted, key: &Key, value: &Node) {
        let text = value.text().unwrap_or_default();
        match key.text.as_str() {
            "to" => {
                let zones = self.names.zones(&text);
                let mine = |z: &ZoneId| self.names.schema.spec(*z).owner.is_none_or(|o| o == wanted.seat);
                let own: Vec<ZoneId> = zones.iter().copied().filter(mine).collect();
                wanted.to = if own.is_empty() { zones } else { own };
                if wanted.to.is_empty() {
                    self.notes.note(value.at, unknown("場所", &text, self.names.schema.zones.iter().map(|z| z.name)));
                }
            }
            "方法" => wanted.way = self.word(&text, value.at),
            "能力" => match value.number().and_then(|n| u8::try_from(n).ok()).filter(|n| *n > 0) {
                Some(n) => wanted.ability = Some(n),
                None => self.notes.note(value.at, "ここには何番目の能力か（1から）を書いてください"),
            },
            "refused" => wanted.refused.extend(self.clauses(value)),
            "times" => match value.number().and_then(|n| usize::try_from(n).ok()).filter(|n| *n > 0) {
                Some(n) => wanted.times = n,
                None => self.notes.note(value.at, "ここには同じ行動を続けて何度するか（1から）を書いてください"),
            },
            slot => wanted.replies.push(Reply {
                at: key.at,
                seat: Some(wanted.seat),
                slot: slot.to_string(),
                value: value.clone(),
            }),
        }
    }

    /// The clauses for one of which something must be refused.
    fn clauses(&mut self, value: &Node) -> Vec<String> {
        let mut found = Vec::new();
        for node in value.items() {
            match clause(self.book.code(), node) {
                Ok(clause) => found.push(clause),
                Err(Note { at, text }) => self.notes.note(at, text),
            }
        }
        found
    }

    fn replies(&self, seat: Option<Seat>, pairs: &[(Key, Node)]) -> Vec<Reply> {
        let reply =
            |(key, value): &(Key, Node)| Reply { at: key.at, seat, slot: key.text.clone(), value: value.clone() };
        pairs.iter().map(reply).collect()
    }

    fn card(&mut self, node: &Node) -> Option<CardId> {
        let Some(text) = node.text() else {
            let text = "行動には呼び名を1つ書いてください。いくつも選ぶ行動なら null とし、選ぶものは、問われる質問への答えに一覧で書きます";
            self.notes.note(node.at, text);
            return None;
        };
        let found = self.names.card(&text);
        if found.is_none() {
            let text = match self.shelf.get(&text) {
                Some(_) => {
                    format!("「{text}」は盤面にありません。given に置いてください（A: {{手札: [{text}]}} など）")
                }
                None => unknown("呼び名", &text, self.names.called()),
            };
            self.notes.note(node.at, text);
        }
        found
    }

    fn word(&mut self, text: &str, at: At) -> Option<Word> {
        let word = Word::read(text);
        if word.is_none() {
            self.notes.note(at, FULL);
        }
        word
    }

    fn legal(&mut self, node: &Node) -> Option<Legal> {
        let pairs = node.pairs().unwrap_or_default();
        let mut legal = Legal { seat: Seat(0), verb: None, slot: None, options: Vec::new() };
        for (key, value) in pairs {
            let text = value.text().unwrap_or_default();
            match key.text.as_str() {
                "who" => match seat(self.names.schema, &text) {
                    Some(seat) => legal.seat = seat,
                    None => self.notes.note(value.at, unknown("プレイヤー", &text, self.names.schema.seats)),
                },
                "verb" => legal.verb = self.word(&text, value.at),
                "slot" => legal.slot = Some(text),
                "cards" | "options" => legal.options = value.items().iter().filter_map(Node::text).collect(),
                other => self.notes.note(key.at, unknown("項目", other, ["who", "verb", "cards", "slot", "options"])),
            }
        }
        let whole = legal.verb.is_some() != legal.slot.is_some() && pairs.iter().any(|(k, _)| k.text == "who");
        if !whole {
            self.notes.note(node.at, "「legal:」には who と、verb・cards か slot・options を書いてください");
        }
        whole.then_some(legal)
    }
}

/// The words differ in one letter.
fn off_by_one(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (short, long) = if a.len() < b.len() { (&a, &b) } else { (&b, &a) };
    let same = short.iter().zip(long.iter()).take_while(|(x, y)| x == y).count();
    let (rest, more) = (&short[same..], &long[same..]);
    match long.len() - short.len() {
        // Of two letters one is half: 行動, a question, is no slip of 起動.
        0 => short.len() > 2 && !rest.is_empty() && rest[1..] == more[1..],
        1 => short.len() > 1 && rest == &more[1..],
        _ => false,
    }
}

impl Wanted {
    fn new(seat: Seat, verb: Word) -> Wanted {
        Wanted {
            seat,
            verb,
            card: None,
            to: Vec::new(),
            way: None,
            ability: None,
            replies: Vec::new(),
            refused: Vec::new(),
            times: 1,
        }
    }
}
