//! Documents damaged in every way we could think of: read or refused, never a panic, never half a file.

mod small;

use std::fs;
use std::path::Path;

use saitei::import;
use saitei::stock::wordings;
use saitei::text::{Game, Library};

/// The small documents in each grammar, and an outline for the one that has no numbers.
fn documents() -> Vec<(Game, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    let names = ["dz.txt", "msd.txt", "zx.md", "nova.txt", "ygo.md"];
    let read = |name: &str| fs::read_to_string(dir.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    Game::ALL.into_iter().zip(names.map(read)).collect()
}

/// The one grammar that needs an outline needs that of the small booklet.
fn library() -> Library {
    small::library_of("ygo", "1", include_str!("documents/ygo.yaml"))
}

/// The same numbers every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

fn shuffled(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    for i in (1..lines.len()).rev() {
        lines.swap(i, dice.roll(i + 1));
    }
    lines.join("\n")
}

fn sprinkled(text: &str, dice: &mut Dice, junk: &[u8]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..30 {
        let at = dice.roll(bytes.len());
        bytes[at] = junk[dice.roll(junk.len())];
    }
    bytes
}

fn without(text: &str, dice: &mut Dice) -> String {
    text.chars().filter(|_| dice.roll(20) != 0).collect()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Twenty damages of each document.
fn damaged(text: &str, other: &str, dice: &mut Dice) -> Vec<(&'static str, Vec<u8>)> {
    let cut = |part: usize| text.as_bytes()[..text.len() * part / 100].to_vec();
    let sjis = encoding_rs::SHIFT_JIS.encode(text).0.into_owned();
    vec![
        ("empty", Vec::new()),
        ("blank", b" \n\n\t\n".repeat(50)),
        ("one byte", b"1".to_vec()),
        ("cut at 10%", cut(10)),
        ("cut at 33%", cut(33)),
        ("cut at 77%", cut(77)),
        ("Shift_JIS cut", sjis[..sjis.len() * 2 / 3].to_vec()),
        ("UTF-16 cut at an odd byte", utf16(text)[..text.encode_utf16().count() | 1].to_vec()),
        ("lines shuffled", shuffled(text, dice).into_bytes()),
        ("lines reversed", text.lines().rev().collect::<Vec<_>>().join("\n").into_bytes()),
        ("lines joined", text.replace('\n', "").into_bytes()),
        ("a line for every character", text.chars().map(|c| format!("{c}\n")).collect::<String>().into_bytes()),
        ("NULs sprinkled", sprinkled(text, dice, &[0])),
        ("bytes sprinkled", sprinkled(text, dice, &(0..=255).collect::<Vec<u8>>())),
        ("characters dropped", without(text, dice).into_bytes()),
        ("numbers only", text.chars().filter(|c| c.is_ascii_digit() || *c == '\n').collect::<String>().into_bytes()),
        ("numbers without end", "9.".repeat(5000).into_bytes()),
        ("another game's document", other.as_bytes().to_vec()),
        ("huge", text.repeat(2_000_000 / text.len() + 1).into_bytes()),
        ("binary", (0..20_000).map(|_| dice.roll(256) as u8).collect()),
    ]
}

#[test]
fn a_hundred_damaged_documents() {
    let library = library();
    let documents = documents();
    let mut dice = Dice(20261116);
    let mut count = 0;
    for (i, (game, text)) in documents.iter().enumerate() {
        let other = &documents[(i + 1) % documents.len()].1;
        for (name, bytes) in damaged(text, other, &mut dice) {
            count += 1;
            let home = tempfile::tempdir().unwrap();
            let began = std::time::Instant::now();
            match import::read(&library, *game, &bytes) {
                Ok((official, _)) => {
                    let path = wordings::write(home.path(), *game, &official).unwrap();
                    whole(&path, official.nodes.len());
                }
                Err(stop) => assert!(!stop.message.is_empty() && !stop.message.is_ascii(), "{name}: {stop:?}"),
            }
            assert!(began.elapsed().as_secs() < 20, "{} {name} took {:?}", game.code(), began.elapsed());
            let left: Vec<_> = walk(home.path()).into_iter().filter(|f| !f.ends_with(".jsonl")).collect();
            assert!(left.is_empty(), "{name}: {left:?}");
        }
    }
    assert_eq!(count, 100);
}

/// Every line of a stored document is whole.
fn whole(path: &Path, nodes: usize) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.ends_with('\n'));
    assert_eq!(text.lines().count(), nodes + 1);
    for line in text.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
}

fn walk(dir: &Path) -> Vec<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()) {
        if entry.is_dir() {
            files.extend(walk(&entry));
        } else {
            files.push(entry.display().to_string());
        }
    }
    files
}

/// The same document in other encodings is the same document.
#[test]
fn encodings_do_not_matter() {
    let library = library();
    for (game, text) in documents() {
        let (expected, _) = import::read(&library, game, text.as_bytes()).unwrap();
        let (sjis, _, lost) = encoding_rs::SHIFT_JIS.encode(&text);
        let bom: Vec<u8> = [0xff, 0xfe].into_iter().chain(utf16(&text)).collect();
        let mut forms = vec![("UTF-16LE", bom), ("UTF-16LE without a mark", utf16(&text))];
        if !lost {
            forms.push(("Shift_JIS", sjis.into_owned()));
        }
        for (name, bytes) in forms {
            let (read, _) =
                import::read(&library, game, &bytes).unwrap_or_else(|s| panic!("{} {name}: {s:?}", game.code()));
            assert_eq!(read.nodes.len(), expected.nodes.len(), "{} {name}", game.code());
            assert_eq!(read, expected, "{} {name}", game.code());
        }
    }
}

/// A document that cannot be written leaves what was there before.
#[test]
fn a_failed_write_changes_nothing() {
    let library = library();
    let (game, text) = documents().swap_remove(1);
    let (official, _) = import::read(&library, game, text.as_bytes()).unwrap();
    let home = tempfile::tempdir().unwrap();
    let path = wordings::write(home.path(), game, &official).unwrap();
    let before = fs::read(&path).unwrap();
    // A folder in the way of the file: the move into place fails.
    let blocked = tempfile::tempdir().unwrap();
    let target = blocked.path().join(path.strip_prefix(home.path()).unwrap());
    fs::create_dir_all(target.join("in the way")).unwrap();
    assert!(wordings::write(blocked.path(), game, &official).is_err());
    assert!(walk(blocked.path()).is_empty(), "nothing half-written is left");
    // A second edition stands beside the first.
    let next =
        import::Official { edition: "次の版".to_string(), date: Some("2030-01-01".to_string()), ..official.clone() };
    wordings::write(home.path(), game, &next).unwrap();
    assert_eq!(fs::read(&path).unwrap(), before);
    let editions = wordings::editions(home.path(), game);
    assert_eq!(editions.len(), 2);
    assert_eq!(editions[1].1.edition, "次の版");
}
