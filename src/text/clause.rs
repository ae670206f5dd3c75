//! Clause ids: `<game>:<clause>`, as judges and documents write them.
//!
//! A [`Clause`] is the printed number in ASCII (`2.20.1-6`, `903.2g-iv`, `102.4a`). How the five documents
//! number differs, but one idea covers them: a number is a list of *steps* (`2`, `20`, `1`, `6`), the
//! separators between the steps are decoration, and chapters counted in hundreds own their sections.
//!
//! ```
//! use saitei::text::Id;
//! let id: Id = "msd:903.2g-iv-a".parse().unwrap();
//! let above: Vec<String> = id.clause.ancestors().map(|c| c.to_string()).collect();
//! assert_eq!(above, ["903.2g-iv", "903.2g", "903.2", "903", "900"]);
//! ```

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::game::Game;

/// A clause number as printed, in ASCII.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Clause(String);

/// One step of a clause number: `20` or `iv`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Leading zeros do not count: `005` is 5.
    Number(u32),
    /// Lower case; `A` and `a` are the same step.
    Letters(String),
}

impl Clause {
    /// Takes what is already in ASCII; [`super::query`] reads everything else.
    pub fn new(text: &str) -> Option<Clause> {
        let ok = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-')
            && text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.ends_with(|c: char| c.is_ascii_alphanumeric());
        (ok && text.len() <= 40).then(|| Clause(text.to_string()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The steps of the number, by which numbers are compared and found.
    pub fn steps(&self) -> Vec<Step> {
        steps(&self.0)
    }

    /// The numbers that would stand above this one, nearest first. Not all of them exist: documents skip parents.
    pub fn ancestors(&self) -> impl Iterator<Item = Clause> + use<> {
        std::iter::successors(self.above(), Clause::above)
    }

    fn above(&self) -> Option<Clause> {
        if let Some(cut) = last_step(&self.0) {
            return Some(Clause(self.0[..cut].trim_end_matches(['.', '-']).to_string()));
        }
        // Chapters counted in hundreds: 102 stands in 100, 1134 in 1100, 001 in 000.
        let number: u32 = self.0.parse().ok()?;
        let chapter = number / 100 * 100;
        (self.0.len() >= 3 && chapter != number).then(|| Clause(format!("{chapter:0width$}", width = self.0.len())))
    }
}

/// Where the last step begins, unless it is the only one.
fn last_step(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let digit = bytes.last()?.is_ascii_digit();
    let start = bytes.iter().rposition(|b| !b.is_ascii_alphanumeric() || b.is_ascii_digit() != digit)? + 1;
    Some(start)
}

/// Splits a number into its steps wherever the kind of character changes.
pub fn steps(text: &str) -> Vec<Step> {
    pieces(text).map(Step::of).collect()
}

/// Whether a number has exactly these steps; without allocating, since lookups ask it of every clause.
pub fn has_steps(text: &str, wanted: &[Step]) -> bool {
    let mut left = wanted.iter();
    pieces(text).all(|piece| left.next().is_some_and(|step| step.is(piece))) && left.next().is_none()
}

/// Runs of digits and runs of letters.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let ascii = text.split(|c: char| !c.is_ascii_alphanumeric());
    ascii.flat_map(|run| run.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit())).map(|piece| {
        // Cut between ASCII characters, so it is text.
        std::str::from_utf8(piece).unwrap_or_default()
    })
}

impl Step {
    fn of(piece: &str) -> Step {
        if piece.starts_with(|c: char| c.is_ascii_digit()) {
            Step::Number(piece.parse().unwrap_or(u32::MAX))
        } else {
            Step::Letters(piece.to_ascii_lowercase())
        }
    }

    fn is(&self, piece: &str) -> bool {
        match self {
            Step::Number(n) => piece.parse() == Ok(*n),
            Step::Letters(l) => piece.eq_ignore_ascii_case(l),
        }
    }
}

/// `iv` → 4, for the order of steps only: `ix` comes after `v`, whatever the alphabet says.
fn roman(text: &str) -> Option<u32> {
    let value = |c| {
        Some(match c {
            'i' => 1,
            'v' => 5,
            'x' => 10,
            _ => return None,
        })
    };
    let digits: Vec<u32> = text.chars().map(value).collect::<Option<_>>()?;
    let total = digits
        .iter()
        .enumerate()
        .map(|(i, &d)| if digits.get(i + 1).is_some_and(|&next| next > d) { -(d as i32) } else { d as i32 });
    Some(total.sum::<i32>() as u32)
}

impl Ord for Step {
    fn cmp(&self, other: &Step) -> Ordering {
        match (self, other) {
            (Step::Number(a), Step::Number(b)) => a.cmp(b),
            (Step::Number(_), Step::Letters(_)) => Ordering::Less,
            (Step::Letters(_), Step::Number(_)) => Ordering::Greater,
            (Step::Letters(a), Step::Letters(b)) => match (roman(a), roman(b)) {
                // A single letter is a letter: after h comes i comes j.
                (Some(x), Some(y)) if a.len() > 1 || b.len() > 1 => x.cmp(&y),
                _ => (a.len(), a).cmp(&(b.len(), b)),
            },
        }
    }
}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Step) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Clause {
    fn cmp(&self, other: &Clause) -> Ordering {
        self.steps().cmp(&other.steps()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Clause {
    fn partial_cmp(&self, other: &Clause) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A clause of a game: `zx:102.4`; or one of its examples: `zx:102.4#1`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id {
    pub game: Game,
    pub clause: Clause,
    /// `1` or `2a` for an example, empty for the clause itself.
    pub example: String,
}

impl Id {
    pub fn new(game: Game, clause: Clause) -> Id {
        Id { game, clause, example: String::new() }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.game.code(), self.clause)?;
        if self.example.is_empty() { Ok(()) } else { write!(f, "#{}", self.example) }
    }
}

impl FromStr for Id {
    type Err = String;

    fn from_str(text: &str) -> Result<Id, String> {
        let wrong = || format!("「{text}」は条文idではありません（正しい形: zx:102.4、用例は zx:102.4#1）");
        let (game, rest) = text.split_once(':').ok_or_else(wrong)?;
        let game = Game::from_code(game)
            .ok_or_else(|| format!("「{text}」のゲーム名「{game}」は不明です（{} のどれか）", Game::codes()))?;
        let (clause, example) = rest.split_once('#').unwrap_or((rest, ""));
        let clause = Clause::new(clause).ok_or_else(wrong)?;
        let example_ok = example.is_empty() && !rest.ends_with('#')
            || example.starts_with(|c: char| c.is_ascii_digit()) && example.chars().all(|c| c.is_ascii_alphanumeric());
        if example_ok { Ok(Id { game, clause, example: example.to_string() }) } else { Err(wrong()) }
    }
}

impl Serialize for Id {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Id, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

impl schemars::JsonSchema for Id {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Id".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "条文id。例: zx:102.4、用例は zx:102.4#1",
            "pattern": r"^(dz|msd|zx|nova|ygo):[0-9A-Za-z]([0-9A-Za-z.-]*[0-9A-Za-z])?(#[0-9]+[a-z]?)?$",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above(text: &str) -> Vec<String> {
        Clause::new(text).unwrap().ancestors().map(|c| c.to_string()).collect()
    }

    #[test]
    fn parents_of_every_grammar() {
        assert_eq!(above("2.20.1-6"), ["2.20.1", "2.20", "2"]);
        assert_eq!(above("6.2.2-B"), ["6.2.2", "6.2", "6"]);
        assert_eq!(above("102.4a"), ["102.4", "102", "100"]);
        assert_eq!(above("1134"), ["1100"]);
        assert_eq!(above("001.1"), ["001", "000"]);
        assert_eq!(above("405.6.3.1.1"), ["405.6.3.1", "405.6.3", "405.6", "405", "400"]);
        assert_eq!(above("H.30"), ["H"]);
        assert!(above("100").is_empty());
        assert!(above("2").is_empty());
    }

    #[test]
    fn order_is_that_of_the_document() {
        let order = ["2.2", "2.10", "2.10.3", "2.10.3-1", "2.10.3-5", "2.11"];
        let clauses: Vec<Clause> = order.iter().map(|c| Clause::new(c).unwrap()).collect();
        assert!(clauses.is_sorted());
        let order = ["402.1h", "402.1i", "402.1j", "402.1v", "903.2g-i", "903.2g-iv", "903.2g-v", "903.2g-ix", "1001"];
        let clauses: Vec<Clause> = order.iter().map(|c| Clause::new(c).unwrap()).collect();
        assert!(clauses.is_sorted());
    }

    #[test]
    fn ids_are_read_back_as_written() {
        for text in ["zx:102.4", "dz:6.2.2-B", "dz:1.1.1#1a", "msd:903.2g-iv-a", "dz:H.30"] {
            assert_eq!(text.parse::<Id>().unwrap().to_string(), text);
        }
        for text in ["102.4", "xx:1", "zx:", "zx:1.", "zx:1#", "zx:1#a", "zx:１"] {
            assert!(text.parse::<Id>().is_err(), "{text}");
        }
    }
}
