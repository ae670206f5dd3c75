//! The numbers of Z/X: part `200`, section `207`, clause `207.3`, sub-clause `207.3a`, and what may follow them.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

use crate::import::markdown::half_width;

/// A number. Order is document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number {
    /// Parts are the sections counted in hundreds.
    pub section: u32,
    pub clause: Option<u32>,
    pub letter: Option<char>,
}

impl Number {
    pub fn section(section: u32) -> Number {
        Number { section, clause: None, letter: None }
    }

    /// The numbers that can come next where none is left out, the deepest first.
    pub fn successors(self) -> Vec<Number> {
        let Number { section, clause, letter } = self;
        let mut next = Vec::new();
        match (clause, letter) {
            (Some(_), Some(l)) if l < 'z' => next.push(Number { letter: char::from_u32(l as u32 + 1), ..self }),
            (Some(_), None) => next.push(Number { letter: Some('a'), ..self }),
            _ => {}
        }
        if section % 100 != 0 {
            next.push(Number { section, clause: Some(clause.unwrap_or(0) + 1), letter: None });
        }
        next.push(Number::section(section + 1));
        next.push(Number::section((section / 100 + 1) * 100));
        next
    }

    /// The next number of the same depth.
    pub fn sibling(self) -> Number {
        match (self.clause, self.letter) {
            (Some(_), Some(l)) => Number { letter: char::from_u32(l as u32 + 1), ..self },
            (Some(clause), None) => Number { clause: Some(clause + 1), ..self },
            _ => Number::section(self.section + 1),
        }
    }

    /// The clause above a sub-clause.
    pub fn parent(self) -> Option<Number> {
        self.letter.map(|_| Number { letter: None, ..self })
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.section)?;
        if let Some(clause) = self.clause {
            write!(f, ".{clause}")?;
        }
        self.letter.map_or(Ok(()), |letter| write!(f, "{letter}"))
    }
}

/// A number as it stands in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Printed<'a> {
    pub number: Number,
    /// In ASCII.
    pub text: String,
    pub rest: &'a str,
}

static LEADING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^([0-9]{3,4})(?:[.．]([0-9]{1,3})([A-Za-z|])?)?").expect("a fixed pattern"));

/// The number that a text begins with, read in the light of the number before it: where it is not what may follow,
/// but would be if one character had been misread (`402.11` after `402.1k` is `402.1l`), that is what it is.
pub fn leading<'a>(text: &'a str, before: Option<Number>) -> Option<Printed<'a>> {
    // Full-width digits take another number of bytes: the rest is counted in characters.
    let ascii: String = text.chars().take(12).map(half_width).collect();
    let found = LEADING.captures(&ascii)?;
    let section = found[1].parse().ok().filter(|s| *s >= 100)?;
    let clause = found.get(2).and_then(|c| c.as_str().parse().ok());
    let letter = found.get(3).and_then(|l| l.as_str().chars().next());
    let plain = Number { section, clause, letter: letter.filter(char::is_ascii_lowercase) };
    let next = before.map(Number::successors).unwrap_or_default();
    let misread = next.iter().find(|n| letter_for_letter(&n.to_string(), &found[0]));
    let number = if next.contains(&plain) { plain } else { *misread.unwrap_or(&plain) };
    // A capital that was not a misread letter belongs to the text: 1113.1Z is no number.
    let stray = letter.is_some() && plain.letter.is_none() && misread.is_none();
    let length = found[0].len() - usize::from(stray);
    let after = ascii[length..].chars().next();
    if after.is_some_and(|c| c.is_ascii_digit() || !stray && c.is_ascii_alphabetic() && letter.is_some()) {
        return None;
    }
    let bytes = text.chars().take(length).map(char::len_utf8).sum::<usize>();
    Some(Printed { number, text: ascii[..length].to_string(), rest: text[bytes..].trim_start() })
}

/// The same but for characters that OCR takes for each other.
fn letter_for_letter(a: &str, b: &str) -> bool {
    const ALIKE: [&str; 7] = ["1lI|", "0oOQ", "5sS", "8B", "6b", "9gq", "2zZ"];
    let alike = |x: char, y: char| x == y || ALIKE.iter().any(|set| set.contains(x) && set.contains(y));
    a.chars().count() == b.chars().count() && a.chars().zip(b.chars()).all(|(x, y)| alike(x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, before: &str) -> Option<String> {
        let before = leading(before, None).map(|p| p.number);
        leading(text, before).map(|p| format!("{}|{}|{}", p.number, p.text, p.rest))
    }

    #[test]
    fn numbers_in_their_place() {
        for (text, before, meant) in [
            ("402.1k 山札", "402.1j", "402.1k|402.1k|山札"),
            ("402.11 山札", "402.1k", "402.1l|402.11|山札"),
            ("402.11 山札", "402.10", "402.11|402.11|山札"),
            ("402.10 山札", "402.1n", "402.1o|402.10|山札"),
            ("402.1I 山札", "402.1k", "402.1l|402.1I|山札"),
            ("1007.3トークン", "1007.2", "1007.3|1007.3|トークン"),
            ("1113.1Z/X", "1113", "1113.1|1113.1|Z/X"),
            ("２０７．３ａ　札", "207.3", "207.3a|207.3a|札"),
            ("1134ドレス", "1133.2", "1134|1134|ドレス"),
        ] {
            assert_eq!(read(text, before).as_deref(), Some(meant), "{text}");
        }
        for text in ["", "12.3", "12345", "1.2.3", "山札", "402.1kg", "099.1"] {
            assert_eq!(read(text, "101.1"), None, "{text}");
        }
    }
}
