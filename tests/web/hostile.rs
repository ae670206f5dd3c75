//! Ten thousand hostile requests: no panic, no 500, no escape from HTML.

use crate::{HOST, house, text};
use saitei::web::{PATH, QUERY, Request};

/// The same row of numbers every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }
}

/// What breaks out of a text where it can, in every coat.
const EVIL: [&str; 30] = [
    "<x-evil>",
    "%3Cx-evil%3E",
    "\"><x-evil>",
    "%22%3E%3Cx-evil%20onerror=1%3E",
    "'%3E%3Cx-evil%3E",
    "</textarea><x-evil>",
    "%3C/textarea%3E%3Cx-evil%3E",
    "%3C/title%3E%3Cx-evil%3E",
    "javascript:alert(1)",
    "..",
    "%2e%2e",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2Fetc%2Fpasswd",
    "%00",
    "%0d%0aSet-Cookie:%20a=b",
    "%ff%fe",
    "%",
    "%zz",
    "%E3%81",
    "*",
    "\\..\\..",
    "file:%2F%2F%2Fetc%2Fpasswd",
    "{{7*7}}",
    "$(id)",
    "';DROP TABLE",
    "%F0%9F%83%8F%E2%80%AE",
    "999999999999999999999999999999",
    "-1",
    "%EF%BC%91%EF%BC%90",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
];

const PARTS: [&str; 28] = [
    "zx",
    "dz",
    "msd",
    "nova",
    "ygo",
    "find",
    "run",
    "play",
    "board",
    "compare",
    "all",
    "term",
    "card",
    "rulings",
    "readings",
    "905.1",
    "102.4%231",
    "C1",
    "H.1",
    "dz:R87",
    "zx:R60",
    "api",
    "qr.svg",
    "style.css",
    "games",
    "xx",
    "",
    ".json",
];

const KEYS: [&str; 14] =
    ["q", "g", "n", "a", "c", "pick", "why", "without", "reading", "set", "vary", "at", "to", "from"];

const BODIES: [&str; 10] = [
    "",
    "text=",
    "text=%",
    "text=game%3A+dz%0Agiven%3A+%7B%7D",
    "game: dz\ngiven: {A: {手札: [<x-evil>]}}\nplay: []",
    "&a &a *a",
    "{{{{{{{{{{",
    "- - - - - - - - -",
    "game: !!python/object:os.system x",
    "a: &a [b]\nc: [*a, *a, *a]",
];

fn address(dice: &mut Dice) -> String {
    let mut path = String::new();
    for _ in 0..dice.roll(5) {
        path.push('/');
        path.push_str(if dice.roll(3) == 0 { dice.one(&EVIL) } else { dice.one(&PARTS) });
    }
    match dice.roll(40) {
        0 => path.push_str(&"/a".repeat(PATH)),
        1 => path = path.replace('/', ""),
        2 => path.push_str("//"),
        3..=12 => path.push_str(".json"),
        _ => {}
    }
    path
}

fn query(dice: &mut Dice) -> String {
    let mut pairs = Vec::new();
    for _ in 0..dice.roll(4) {
        let value = if dice.roll(2) == 0 { dice.one(&EVIL) } else { dice.one(&PARTS) };
        pairs.push(format!("{}={value}", if dice.roll(9) == 0 { dice.one(&EVIL) } else { dice.one(&KEYS) }));
    }
    if dice.roll(60) == 0 {
        pairs.push("a=1".repeat(QUERY / 2));
    }
    pairs.join("&")
}

#[test]
fn ten_thousand_hostile_requests() {
    let mut dice = Dice(20_261_118);
    let strange = ["", "evil.example", "127.0.0.1.evil.example:80", "localhost:8750", "[::1]:8750", "a b"];
    let mut seen = std::collections::BTreeMap::new();
    for at in 0..10_000 {
        let (path, query) = (address(&mut dice), query(&mut dice));
        let method = dice.one(&["GET", "GET", "GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "<x-evil>"]);
        let body = if method == "POST" { dice.one(&BODIES) } else { "" };
        let host = if dice.roll(8) == 0 { dice.one(&strange) } else { HOST };
        let path = if method == "POST" && dice.roll(2) == 0 { "/board".to_string() } else { path };
        let request = Request { method, path: &path, query: &query, body: body.as_bytes(), host, own: false };
        let response = house().respond(&request);
        let told = || format!("{at}: {method} {host} {path}?{query} {body:?}");
        assert!([200, 303, 400, 404, 405, 414, 421].contains(&response.status), "{} {}", response.status, told());
        *seen.entry(response.status).or_insert(0) += 1;
        let headers = format!("{:?}", response.headers);
        assert!(!headers.contains("Set-Cookie") && !headers.contains("\\r") && !headers.contains("\\n"), "{}", told());
        if headers.contains("text/html") {
            let page = text(&response).to_lowercase();
            assert!(!page.contains("<x-evil"), "{}", told());
            assert!(!page.contains("href=\"javascript:") && !page.contains("href=\"//"), "{}", told());
        }
        let passwords = String::from_utf8_lossy(&response.body).contains("root:x:0");
        assert!(!passwords, "{}", told());
    }
    println!("{seen:?}");
    assert!(seen.len() > 5 && seen[&200] > 300, "they get somewhere: {seen:?}");
}
