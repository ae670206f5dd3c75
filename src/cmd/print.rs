//! The way out: everything that is printed goes through here. A character that would command the terminal is made
//! visible, a write that fails is an error or, where nobody is left to hear of it, nothing at all.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write};

use crate::stock::files::reason;

use super::Failure;

/// A text of any origin with everything visible that would move the cursor, set a title, turn the line round.
/// Line breaks and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(commands) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            _ if !commands(c) => out.push(c),
            // Unicode has pictures of these: ␛ for ESC.
            '\0'..='\x1f' => out.extend(char::from_u32(0x2400 + u32::from(c))),
            '\x7f' => out.push('␡'),
            _ => {
                let _ = write!(out, "<U+{:04X}>", u32::from(c));
            }
        }
    }
    Cow::Owned(out)
}

/// JSON escapes only what it must; the rest of what commands a terminal is escaped here.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    if !text.chars().any(commands) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if commands(c) {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// C0 but for line break and tab, DEL, C1 (U+009B begins a sequence like ESC [), and what reverses or breaks a line.
fn commands(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Writes to standard output. A reader that has gone away is no error; a full disk is.
pub fn out(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    written(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
}

/// What became of a write to standard output.
pub fn written(result: std::io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure(format!("標準出力に書けません（{}）", reason(&error))))
        }
        _ => Ok(()),
    }
}

/// A message on standard error. Nobody can be told if that fails.
pub fn complain(message: &str) {
    whisper(&format!("saitei: {}\n", visible(message)));
}

/// Exactly these characters of ours on standard error.
pub fn whisper(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_commands_the_terminal() {
        assert_eq!(visible("優先権\n\t。"), "優先権\n\t。");
        assert_eq!(visible("\x1b]0;題\x07\r\x08\0\x7f\u{9b}2J\u{202e}"), "␛]0;題␇␍␈␀␡<U+009B>2J<U+202E>");
        for c in ('\0'..='\u{9f}').filter(|c| c.is_control()) {
            let value = serde_json::json!({ "名": c.to_string() });
            let text = serde_json::to_string(&value).unwrap();
            let shown = visible_json(&text);
            assert!(!shown.chars().any(|c| c.is_control()), "{shown:?}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        }
    }
}
