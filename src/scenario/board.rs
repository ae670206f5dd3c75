//! A table as it is shown: data for pages and JSON, and text for the terminal.

use std::fmt;

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::look::Scene;
use super::setup::fact_names;
use super::traits::data_words;
use crate::kernel::view::Data;
use crate::kernel::{CardId, FactOwner, Seat, Sight, ZoneId};

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
            Square { zone: spec.name.to_string(), x: spec.x, y: spec.y, cards }
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
            players: Seat::BOTH.into_iter().map(|s| player(scene, s)).collect(),
        }
    }
}

fn player(scene: &Scene, seat: Seat) -> Player {
    let schema = scene.book.schema();
    let facts = schema.facts.iter().filter(|f| f.owner == FactOwner::Seat).zip(scene.table.seats[seat.index()]);
    let facts =
        facts.filter(|(spec, n)| spec.initial != *n || spec.initial != 0).map(|(spec, n)| (spec.name.to_string(), n));
    let zones = (0..schema.zones.len()).map(|i| ZoneId(i as u8)).filter(|z| {
        let spec = schema.spec(*z);
        !spec.board && spec.owner == Some(seat)
    });
    Player {
        name: schema.seats[seat.index()].to_string(),
        facts: facts.collect(),
        zones: zones.map(|z| pile(scene, z)).collect(),
    }
}

fn pile(scene: &Scene, zone: ZoneId) -> Pile {
    let spec = scene.book.schema().spec(zone);
    let mut ids: Vec<CardId> = scene.table.zone(zone).to_vec();
    if spec.ordered {
        ids.reverse();
    }
    let named = |id: &&CardId| scene.table.obj(**id).def != 0;
    let cards = ids.iter().filter(named).map(|id| shown(scene, *id)).collect();
    Pile { zone: spec.name.to_string(), count: ids.len(), cards }
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
    let facts = specs.zip(obj.facts).filter(|(s, n)| s.initial != *n).map(|(s, n)| (s.name.to_string(), n));
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
        if self.name != self.label && !self.label.starts_with(&format!("{}#", self.name)) {
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

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "第{}ターン {} {}", self.turn, self.active, self.phase)?;
        if !self.step.is_empty() {
            write!(f, "・{}", self.step)?;
        }
        match (&self.winner, &self.priority) {
            (Some(winner), _) => writeln!(f, "  勝者: {winner}")?,
            (None, Some(who)) => writeln!(f, "  優先権: {who}")?,
            (None, None) => writeln!(f)?,
        }
        grid(f, &self.squares)?;
        for square in &self.squares {
            for card in &square.cards {
                writeln!(f, "  {}: {}", square.zone, card.line())?;
            }
        }
        if !self.stack.is_empty() {
            writeln!(f, "スタック（上から）: {}", self.stack.join("、"))?;
        }
        for player in &self.players {
            writeln!(f, "{player}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:", self.name)?;
        for (name, n) in &self.facts {
            write!(f, " {name}{n}")?;
        }
        for pile in &self.zones {
            write!(f, "  {}{}", pile.zone, pile.count)?;
            let words: Vec<String> = pile
                .cards
                .iter()
                .take(12)
                .map(|c| {
                    let turned = if c.state.is_empty() { String::new() } else { format!("・{}", c.state) };
                    format!("{}{turned}", c.label)
                })
                .collect();
            if !words.is_empty() {
                let more = if pile.cards.len() > 12 { "、…" } else { "" };
                write!(f, "［{}{more}］", words.join("、"))?;
            }
        }
        Ok(())
    }
}

/// The squares as they lie, the second player's side above.
fn grid(f: &mut fmt::Formatter, squares: &[Square]) -> fmt::Result {
    let placed: Vec<&Square> = squares.iter().filter(|s| s.x >= 0 && s.y >= 0).collect();
    let (Some(right), Some(top)) = (placed.iter().map(|s| s.x).max(), placed.iter().map(|s| s.y).max()) else {
        return Ok(());
    };
    let cell = |x: i8, y: i8| -> Vec<String> {
        let here = placed.iter().filter(|s| (s.x, s.y) == (x, y));
        here.flat_map(|s| {
            s.cards
                .iter()
                .map(|c| format!("{} {}{}", c.controller, c.label, if c.state.is_empty() { "" } else { mark(c) }))
        })
        .collect()
    };
    let columns = 0..=right;
    let widths: Vec<usize> = columns
        .clone()
        .map(|x| {
            let widest = (0..=top).flat_map(|y| cell(x, y)).map(|w| w.width()).max().unwrap_or(0);
            widest.clamp(8, 24)
        })
        .collect();
    let rule = |left: &str, middle: &str, right: &str| {
        let parts: Vec<String> = widths.iter().map(|w| "─".repeat(*w + 2)).collect();
        format!("{left}{}{right}", parts.join(middle))
    };
    for y in (0..=top).rev() {
        writeln!(f, "{}", if y == top { rule("┌", "┬", "┐") } else { rule("├", "┼", "┤") })?;
        let cells: Vec<Vec<String>> = columns.clone().map(|x| cell(x, y)).collect();
        for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0).max(1) {
            let words = cells.iter().zip(&widths).map(|(c, w)| pad(c.get(line).map_or("", String::as_str), *w));
            writeln!(f, "│ {} │", words.collect::<Vec<_>>().join(" │ "))?;
        }
    }
    writeln!(f, "{}", rule("└", "┴", "┘"))
}

/// A turned card, marked; its state in words stands in the list below.
fn mark(card: &Shown) -> &'static str {
    if matches!(card.state.as_str(), "フリーズ" | "スリープ" | "守備表示") { "↷" } else { "" }
}

/// Cut or filled to a width in columns of the terminal.
fn pad(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        let w = c.to_string().width();
        if used + w > width {
            break;
        }
        out.push(c);
        used += w;
    }
    out + &" ".repeat(width - used)
}

/// What is different at the end, card by card.
pub fn changes(start: &Scene, now: &Scene) -> Vec<String> {
    let schema = now.book.schema();
    let names = now.names();
    let mut lines = Vec::new();
    for id in now.table.ids() {
        let (old, new) = (start.table.obj(id), now.table.obj(id));
        let (was, is) = (start.seen(id), now.seen(id));
        let mut words = Vec::new();
        let mut change = |name: &str, a: String, b: String| {
            if a != b {
                words.push(format!("{name} {a} → {b}").trim().to_string());
            }
        };
        change("", names.zone_name(old.zone), names.zone_name(new.zone));
        let state = |state: u8| schema.state_name(state).to_string();
        change("", state(old.state), state(new.state));
        change("", face(old.face_up), face(new.face_up));
        change("支配者", schema.seats[was.controller.index()].into(), schema.seats[is.controller.index()].into());
        for (at, name) in fact_names(schema, FactOwner::Card).enumerate() {
            change(name, old.facts[at].to_string(), new.facts[at].to_string());
        }
        for (at, (name, _)) in schema.words.data.iter().enumerate() {
            change(name, data_words(&was.data[at]), data_words(&is.data[at]));
        }
        if !words.is_empty() {
            lines.push(format!("{}: {}", names.label(id), words.join("、")));
        }
    }
    for seat in Seat::BOTH {
        for (at, name) in fact_names(schema, FactOwner::Seat).enumerate() {
            let (a, b) = (start.table.seats[seat.index()][at], now.table.seats[seat.index()][at]);
            if a != b {
                lines.push(format!("{}: {name} {a} → {b}", schema.seats[seat.index()]));
            }
        }
    }
    if let Some(outcome) = now.outcome {
        lines.push(match outcome {
            crate::kernel::table::Outcome::Won(seat) => format!("{}の勝ち", schema.seats[seat.index()]),
            crate::kernel::table::Outcome::Draw => "引き分け".into(),
        });
    }
    lines
}

fn face(up: bool) -> String {
    if up { "表" } else { "裏" }.to_string()
}
