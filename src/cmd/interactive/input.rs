//! The line that is typed.

use crate::cmd::screen::width;

use super::state::Key;

/// A question is not a document: what is pasted is cut here.
const LONGEST: usize = 300;

#[derive(Clone, Debug, Default)]
pub struct Input {
    pub chars: Vec<char>,
    /// The cursor stands before this character.
    pub at: usize,
}

impl Input {
    /// Says whether the text has changed.
    pub fn key(&mut self, key: Key) -> bool {
        let before = self.chars.len();
        match key {
            Key::Char(c) if before < LONGEST => {
                self.chars.insert(self.at, typed(c));
                self.at += 1;
            }
            Key::Backspace if self.at > 0 => {
                self.at -= 1;
                self.chars.remove(self.at);
            }
            Key::Delete if self.at < self.chars.len() => drop(self.chars.remove(self.at)),
            Key::EraseWord if self.at > 0 => {
                let blank = |c: &char| c.is_whitespace();
                let word = self.chars[..self.at].iter().rposition(|c| !blank(c)).unwrap_or(0);
                let start = self.chars[..word].iter().rposition(blank).map_or(0, |i| i + 1);
                self.chars.drain(start..self.at);
                self.at = start;
            }
            Key::EraseLine if self.at > 0 => {
                self.chars.drain(..self.at);
                self.at = 0;
            }
            Key::Left => self.at = self.at.saturating_sub(1),
            Key::Right => self.at = (self.at + 1).min(self.chars.len()),
            Key::Home => self.at = 0,
            Key::End => self.at = self.chars.len(),
            _ => {}
        }
        // Every key that changes the text changes its length.
        self.chars.len() != before
    }

    /// The part that is shown in a field of so many columns, and the column of the cursor in it.
    pub fn window(&self, field: usize) -> (&[char], usize) {
        let mut start = 0;
        let mut cursor: usize = self.chars[..self.at].iter().map(|c| width(*c)).sum();
        while cursor >= field.max(1) {
            cursor -= width(self.chars[start]);
            start += 1;
        }
        (&self.chars[start..], cursor)
    }
}

/// Control characters that were pasted are blanks.
fn typed(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}
