//! Addresses: read with care, written so that they are read back.

use std::net::IpAddr;

use crate::text::{Game, Id};

/// A part of a path as it is meant; `None` if it is no text.
pub fn decode(part: &str) -> Option<String> {
    percent(part.as_bytes(), false)
}

fn percent(bytes: &[u8], plus: bool) -> Option<String> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'%' => {
                let digits = std::str::from_utf8(bytes.get(at + 1..at + 3)?).ok()?;
                if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                    return None;
                }
                out.push(u8::from_str_radix(digits, 16).ok()?);
                at += 3;
                continue;
            }
            b'+' if plus => out.push(b' '),
            _ => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8(out).ok()
}

/// Nothing in it that commands a terminal or a header.
pub fn is_text(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

/// A part of an address, safe in a path, a query and an attribute.
pub fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b':' => out.push(byte.into()),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// How many pairs a query may have.
const PAIRS: usize = 400;

/// What stands after the question mark, or in the body of a form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query(pub Vec<(String, String)>);

impl Query {
    pub fn read(bytes: &[u8]) -> Option<Query> {
        let mut pairs = Vec::new();
        for pair in bytes.split(|b| *b == b'&').filter(|p| !p.is_empty()) {
            let at = pair.iter().position(|b| *b == b'=').unwrap_or(pair.len());
            let value = pair.get(at + 1..).unwrap_or_default();
            pairs.push((percent(&pair[..at], true)?, percent(value, true)?));
            if pairs.len() > PAIRS {
                return None;
            }
        }
        Some(Query(pairs))
    }

    pub fn is_text(&self) -> bool {
        self.0.iter().all(|(k, v)| is_text(k) && is_text(v))
    }

    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str()).filter(|v| !v.is_empty())
    }

    pub fn all(&self, key: &str) -> Vec<String> {
        self.0.iter().filter(|(k, v)| k == key && !v.is_empty()).map(|(_, v)| v.clone()).collect()
    }

    /// The same without a key, and with another value of it where one is given.
    pub fn with(&self, key: &str, value: Option<&str>) -> Query {
        let mut pairs: Vec<_> = self.0.iter().filter(|(k, _)| k != key).cloned().collect();
        pairs.extend(value.map(|v| (key.to_string(), v.to_string())));
        Query(pairs)
    }

    /// With one pair more.
    pub fn and(&self, key: &str, value: &str) -> Query {
        let mut pairs = self.0.clone();
        pairs.push((key.to_string(), value.to_string()));
        Query(pairs)
    }

    /// `?a=1&b=2`, or nothing.
    pub fn written(&self) -> String {
        let pairs: Vec<String> = self.0.iter().map(|(k, v)| format!("{}={}", encode(k), encode(v))).collect();
        if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
    }
}

/// Whether a host is this machine by number or as itself: a name of somebody else's that leads here is none (DNS
/// rebinding).
pub fn is_here(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((name, port)) if port.is_empty() || is_port(port) => name,
            _ => return false,
        },
        None => match host.split_once(':') {
            Some((name, port)) if is_port(&format!(":{port}")) => name,
            Some(_) => return false,
            None => host,
        },
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()
}

fn is_port(text: &str) -> bool {
    text.strip_prefix(':').is_some_and(|p| !p.is_empty() && p.len() < 6 && p.bytes().all(|b| b.is_ascii_digit()))
}

/// `/zx/905.1`.
pub fn clause(id: &Id) -> String {
    of_clause(id.game, id.clause.as_str())
}

pub fn of_clause(game: Game, clause: &str) -> String {
    format!("/{}/{}", game.code(), encode(clause))
}

/// `zx:905.1` → `/zx/905.1`.
pub fn of_id(id: &str) -> Option<String> {
    let (game, clause) = id.split_once(':')?;
    Some(of_clause(Game::from_code(game)?, clause))
}

pub fn run(name: &str) -> String {
    format!("/run/{}", encode(name))
}

pub fn term(game: Game, word: &str) -> String {
    format!("/{}/term/{}", game.code(), encode(word))
}

pub fn card(game: Game, name: &str) -> String {
    format!("/{}/card/{}", game.code(), encode(name))
}

pub fn compare(concept: &str) -> String {
    format!("/compare/{}", encode(concept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for text in ["優先権", "dz:3.12.4-2#1", "a/b?c&d=e+f g%", "<script>", "'\"", "魔法&罠ゾーン"] {
            assert_eq!(decode(&encode(text)).as_deref(), Some(text));
            let query = Query(vec![("a".into(), text.into()), ("b".into(), "1".into())]);
            assert_eq!(Query::read(&query.written().as_bytes()[1..]), Some(query));
        }
        for broken in ["%", "%4", "%zz", "%ff", "%+1", "%e3%81"] {
            assert_eq!(decode(broken), None, "{broken}");
        }
    }

    #[test]
    fn only_this_machine_is_here() {
        for host in ["127.0.0.1:8750", "localhost:8750", "192.168.1.7:8750", "[::1]:8750", "LOCALHOST", "10.0.0.1"] {
            assert!(is_here(host), "{host}");
        }
        for host in
            ["", "evil.example:8750", "127.0.0.1.evil.example", "localhost:", "[::1", "a:b:c", "127.0.0.1:99999999"]
        {
            assert!(!is_here(host), "{host}");
        }
    }
}
