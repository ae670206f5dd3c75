//! A table as it is shown: data for pages and JSON, and text for the terminal.

use std::fmt;

use serde::Serialize;

use crate::kernel::schema::LIMBO;
use crate::kernel::view::Data;
use crate::kernel::{CardId, FactOwner, Obj, Schema, Seat, Seen, Sight, ZoneId};
use crate::scenario::expect::look::Scene;
use crate::scenario::expect::traits::data_words;

/// A table at one moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Board {
    pub turn: u16,
    pub active: String,
    pub phase: String,
    /// The step of a battle, if one is open.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub step: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    /// Topmost first.
    pub stack: Vec<String>,
    pub squares: Vec<Square>,
    /// Zones that are nobody's and not in play, where something lies in them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<Pile>,
    pub players: Vec<Player>,
}

/// A zone in play.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Square {
    pub zone: String,
    pub x: i8,
    pub y: i8,
    pub cards: Vec<Shown>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Player {
    pub name: String,
    pub facts: Vec<(String, i32)>,
    pub zones: Vec<Pile>,
}

/// A zone that is not in play.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pile {
    pub zone: String,
    pub count: usize,
    /// Topmost first where the zone is ordered; without nameless cards.
    pub cards: Vec<Shown>,
    /// Nobody may look: a few names are enough.
    #[serde(skip)]
    pub closed: bool,
}

/// A card as it is seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shown {
    pub label: String,
    pub name: String,
    pub controller: String,
    /// Empty where the zone knows no states.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub state: String,
    pub face_up: bool,
    /// Numbers of the card, and facts that are not as at first.
    pub numbers: Vec<(String, i32)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub markers: Vec<(String, i32)>,
    /// The card it lies with, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with: Option<(String, String)>,
}

impl Board {
    pub fn of(scene: &Scene) -> Board {
        let t = scene.table;
        let schema = scene.book.schema();
        let seat = |s: Seat| schema.seats[s.index()].to_string();
        let squares = schema.board().map(|zone| {
            let spec = schema.spec(zone);
            let cards = t.zone(zone).iter().map(|id| shown(scene, *id)).collect();
            Square { zone: scene.names().zone_name(zone), x: spec.x, y: spec.y, cards }
        });
        let winner = scene.outcome.map(|o| match o {
            crate::kernel::table::Outcome::Won(s) => seat(s),
            crate::kernel::table::Outcome::Draw => "引き分け".into(),
        });
        Board {
            turn: t.turn,
            active: seat(t.active),
            phase: t.phase.to_string(),
            step: t.context().step.to_string(),
            priority: scene.asked.map(seat),
            winner,
            stack: scene.pile(),
            squares: squares.collect(),
            shared: zones(scene, None).map(|z| pile(scene, z)).filter(|p| p.count > 0).collect(),
            players: Seat::BOTH.into_iter().map(|s| player(scene, s)).collect(),
        }
    }
}

fn player(scene: &Scene, seat: Seat) -> Player {
    let schema = scene.book.schema();
    let facts = schema.facts.iter().filter(|f| f.owner == FactOwner::Seat).zip(scene.table.seats[seat.index()]);
    let facts =
        facts.filter(|(spec, n)| spec.initial != *n || spec.initial != 0).map(|(spec, n)| (spec.name.to_string(), n));
    Player {
        name: schema.seats[seat.index()].to_string(),
        facts: facts.collect(),
        zones: zones(scene, Some(seat)).map(|z| pile(scene, z)).collect(),
    }
}

/// The zones of a player, or of nobody, that are not in play.
fn zones(scene: &Scene, owner: Option<Seat>) -> impl Iterator<Item = ZoneId> {
    let schema = scene.book.schema();
    (0..schema.zones.len()).map(|i| ZoneId(i as u8)).filter(move |z| {
        let spec = schema.spec(*z);
        !spec.board && spec.owner == owner && spec.name != LIMBO
    })
}

fn pile(scene: &Scene, zone: ZoneId) -> Pile {
    let spec = scene.book.schema().spec(zone);
    let mut ids: Vec<CardId> = scene.table.zone(zone).to_vec();
    if spec.ordered {
        ids.reverse();
    }
    let named = |id: &&CardId| scene.table.obj(**id).def != 0;
    let cards = ids.iter().filter(named).map(|id| shown(scene, *id)).collect();
    Pile { zone: spec.name.to_string(), count: ids.len(), cards, closed: spec.sight == Sight::Nobody }
}

fn shown(scene: &Scene, id: CardId) -> Shown {
    let schema = scene.book.schema();
    let obj = scene.table.obj(id);
    let seen = scene.seen(id);
    let names = scene.names();
    let spec = schema.spec(obj.zone);
    let state = if spec.states { schema.state_name(obj.state) } else { "" };
    let data = schema.words.data.iter().zip(&seen.data).filter_map(|((name, _), datum)| match datum {
        Data::Number(n) => Some((name.to_string(), *n)),
        _ => None,
    });
    let specs = schema.facts.iter().filter(|f| f.owner == FactOwner::Card);
    let facts =
        specs.zip(obj.facts).filter(|(s, n)| s.initial != *n && !is_note(s.name)).map(|(s, n)| (s.name.to_string(), n));
    Shown {
        label: names.label(id).to_string(),
        name: seen.name().to_string(),
        controller: schema.seats[seen.controller.index()].to_string(),
        state: state.to_string(),
        face_up: obj.face_up || spec.sight != Sight::All,
        numbers: if spec.board { data.chain(facts).collect() } else { facts.collect() },
        markers: obj.marks.iter().map(|(w, n)| (w.to_string(), *n)).collect(),
        with: obj.host.map(|(how, host)| (how.to_string(), names.label(host).to_string())),
    }
}

impl Shown {
    /// For a list: everything there is to say.
    fn line(&self) -> String {
        let mut words = vec![self.short()];
        if !self.name.is_empty() && self.name != self.label && !self.label.starts_with(&format!("{}#", self.name)) {
            words.push(format!("＝{}", self.name));
        }
        words.extend(self.numbers.iter().chain(&self.markers).map(|(name, n)| format!("{name}{n}")));
        words.extend(self.with.iter().map(|(how, host)| format!("［{host}の{how}］")));
        words.join(" ")
    }

    fn short(&self) -> String {
        let state = if self.state.is_empty() { String::new() } else { format!("・{}", self.state) };
        let face = if self.face_up { "" } else { "・裏" };
        format!("{}（{}{state}{face}）", self.label, self.controller)
    }
}

impl Board {
    /// A line for each place that holds something, the second player's side first.
    pub fn lines(&self) -> Vec<String> {
        let step = if self.step.is_empty() { String::new() } else { format!("・{}", self.step) };
        let whose = match (&self.winner, &self.priority) {
            (Some(winner), _) => format!("（勝者 {winner}）"),
            (None, Some(who)) => format!("（優先権 {who}）"),
            (None, None) => String::new(),
        };
        let mut lines = vec![format!("第{}ターン {} {}{step}{whose}", self.turn, self.active, self.phase)];
        let mut squares: Vec<&Square> = self.squares.iter().collect();
        squares.sort_by_key(|s| (-s.y, s.x));
        for square in squares {
            lines.extend(square.cards.iter().map(|card| format!("{}  {}", square.zone, card.line())));
        }
        if !self.stack.is_empty() {
            lines.push(format!("解決を待つもの（上から）  {}", self.stack.join("、")));
        }
        lines.extend(self.players.iter().map(Player::to_string));
        lines
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.lines().iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// How many cards of a pile are named.
const NAMED: usize = 12;
const CLOSED: usize = 3;

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut words: Vec<String> = self.facts.iter().map(|(name, n)| format!("{name}{n}")).collect();
        for pile in self.zones.iter().filter(|p| p.count > 0) {
            let state = |c: &Shown| if c.state.is_empty() { String::new() } else { format!("・{}", c.state) };
            let most = if pile.closed { CLOSED } else { NAMED };
            let mut cards: Vec<String> =
                pile.cards.iter().take(most).map(|c| format!("{}{}", c.label, state(c))).collect();
            if pile.cards.len() > most {
                cards.push("…".into());
            }
            let cards = if cards.is_empty() { String::new() } else { format!("［{}］", cards.join("、")) };
            words.push(format!("{}{}{cards}", pile.zone, pile.count));
        }
        write!(f, "{}  {}", self.name, words.join(" "))
    }
}

/// What became of a card, of a player, of the duel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The card, if it is one.
    #[serde(skip)]
    pub card: Option<CardId>,
    /// What it is called.
    pub name: String,
    pub words: Vec<String>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.name.as_str() {
            "" => f.write_str(&self.words.join("、")),
            name => write!(f, "{name}: {}", self.words.join("、")),
        }
    }
}

/// What is different at the end: card by card, then the players, then who has won.
pub fn changes(start: &Scene, now: &Scene) -> Vec<Change> {
    let schema = now.book.schema();
    let mut found: Vec<Change> = now.table.ids().filter_map(|id| card_change(start, now, id)).collect();
    for seat in Seat::BOTH {
        let facts = schema.facts.iter().filter(|f| f.owner == FactOwner::Seat).enumerate();
        let words: Vec<String> = facts
            .filter_map(|(at, f)| {
                fact_words(f.name, start.table.seats[seat.index()][at], now.table.seats[seat.index()][at])
            })
            .collect();
        if !words.is_empty() {
            found.push(Change { card: None, name: schema.seats[seat.index()].to_string(), words });
        }
    }
    if let Some(outcome) = now.outcome {
        let words = match outcome {
            crate::kernel::table::Outcome::Won(seat) => format!("{}の勝ち", schema.seats[seat.index()]),
            crate::kernel::table::Outcome::Draw => "引き分け".into(),
        };
        found.push(Change { card: None, name: String::new(), words: vec![words] });
    }
    found
}

fn card_change(start: &Scene, now: &Scene, id: CardId) -> Option<Change> {
    let schema = now.book.schema();
    let names = now.names();
    let (old, new) = (start.table.obj(id), now.table.obj(id));
    let (was, is) = (start.seen(id), now.seen(id));
    let mut words = Vec::new();
    let mut change = |name: &str, a: String, b: String| {
        if a != b {
            let from = if a.is_empty() { a } else { format!("{a} → ") };
            words.push(format!("{name} {from}{b}").trim().to_string());
        }
    };
    change("", names.zone_name(old.zone), names.zone_name(new.zone));
    match (state_words(schema, old), state_words(schema, new)) {
        // Where a card lies in no state, the one that it had says nothing, nor where it enters in the plain one.
        (_, "") => {}
        ("", is) if new.state != 0 => change("", String::new(), is.to_string()),
        ("", _) => {}
        (was, is) => change("", was.to_string(), is.to_string()),
    }
    // Which side is up goes without saying where nobody or everybody sees it.
    if old.zone == new.zone || schema.spec(new.zone).board {
        change("", face(old.face_up), face(new.face_up));
    }
    change("支配者", schema.seats[was.controller.index()].into(), schema.seats[is.controller.index()].into());
    for (at, (name, _)) in schema.words.data.iter().enumerate() {
        // A price of which a part is below nothing is not made out yet: nobody pays it so.
        if ![was, is].into_iter().any(|seen| is_raw(&seen.data[at])) {
            change(name, data_words(&was.data[at]), data_words(&is.data[at]));
        }
    }
    let class = schema.data(schema.words.class).map(|(at, _)| at);
    let is_of = |seen: &Seen, class: Option<usize>, wanted: &str| {
        class.is_some_and(|at| matches!(&seen.data[at], Data::Words(words) if words.iter().any(|w| *w == wanted)))
    };
    for (at, fact) in schema.facts.iter().filter(|f| f.owner == FactOwner::Card).enumerate() {
        if fact.class.is_none_or(|wanted| is_of(was, class, wanted) || is_of(is, class, wanted)) {
            words.extend(fact_words(fact.name, old.facts[at], new.facts[at]));
        }
    }
    let with = |o: &crate::kernel::Obj| o.host.map(|(how, host)| format!("{}の{how}", names.label(host)));
    if old.host != new.host {
        words.push(with(new).unwrap_or_else(|| "何にも付いていない".into()));
    }
    for (mark, n) in new.marks.iter().filter(|m| !old.marks.contains(m)) {
        words.push(format!("{mark} {n}個"));
    }
    (!words.is_empty()).then(|| Change { card: Some(id), name: names.label(id).to_string(), words })
}

fn is_raw(datum: &Data) -> bool {
    matches!(datum, Data::Price(price) if price.is_unsettled())
}

/// Moments and cards that the rulebook notes for itself: their numbers mean nothing to a reader.
pub fn is_note(name: &str) -> bool {
    ["時", "もの", "ターン"].iter().any(|end| name.ends_with(end))
}

/// A fact that has changed. Flags are told as what was done.
fn fact_words(name: &str, old: i32, new: i32) -> Option<String> {
    let note = is_note(name);
    let flag = name.ends_with('た') || name.ends_with("確定");
    match (old == new || note, flag, new) {
        (true, ..) | (_, true, 0) => None,
        (_, true, _) if name.ends_with('た') => Some(format!("このターン{name}")),
        (_, true, _) => Some(name.to_string()),
        _ => Some(format!("{name} {old} → {new}")),
    }
}

/// The state in which a card lies, where cards lie in one, or where it has been put into one.
pub fn state_words(schema: &Schema, card: &Obj) -> &'static str {
    let told = schema.spec(card.zone).states || card.state != 0;
    if told { schema.state_name(card.state) } else { "" }
}

fn face(up: bool) -> String {
    if up { "表" } else { "裏" }.to_string()
}
