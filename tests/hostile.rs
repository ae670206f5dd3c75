//! What strangers send: nothing of it commands the terminal, breaks the JSON, blocks, fills the memory or is lost.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Sets the title, the clipboard and the colour; goes back; ends a string.
const ESCAPES: &str = "\u{1b}]0;題\u{7}\u{1b}]52;c;eA==\u{7}\u{1b}[31m\u{9b}2J\r\u{8}\u{7f}\u{202e}";

struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

fn program(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_saitei"));
    command.args(args).env("SAITEI_HOME", home).env("SAITEI_CACHE", home.join("cache")).env_remove("SAITEI_DATA");
    command
}

fn said(output: Output) -> Said {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn run(home: &Path, args: &[&str]) -> Said {
    said(program(home, args).output().unwrap())
}

/// Nothing but lines and tabs; the colours of the program itself are off.
fn harmless(args: &[&str], said: &Said) {
    for text in [&said.out, &said.err] {
        let raw = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t') || *c == '\u{202e}');
        assert!(raw.is_none(), "{args:?}: {raw:?} in {text}");
    }
    if args.contains(&"--json") && said.code != Some(2) {
        serde_json::from_str::<serde_json::Value>(&said.out).unwrap_or_else(|e| panic!("{args:?}: {e}: {}", said.out));
    }
}

/// As YAML reads it: JSON leaves some characters that YAML refuses.
fn quoted(text: &str) -> String {
    let escaped = |c: char| match c {
        '\u{7f}'..='\u{9f}' | '\u{202e}' => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    serde_json::to_string(text).unwrap().chars().map(escaped).collect()
}

fn board(word: &str) -> String {
    let (quoted, reason) = (quoted(&format!("名{word}")), quoted(&format!("理由{word}")));
    format!(
        "title: {quoted}\nquestion: {quoted}\nreason: {reason}\ngame: dz\ncards:\n- name: {quoted}\n  \
         data: {{分類: ユニット, 種族: 兵, 使用コスト: 無色0, 移動コスト: 無色0, パワー: 1000, スマッシュ: 1, タイミング: ノーマル}}\n  \
         unencoded: [{quoted}]\ngiven:\n  A: {{手札: [{quoted}]}}\n  squares: {{中央/自軍: [{{{reason}: {quoted}, of: A, \
         markers: {{マーカー: 3}}}}]}}\nplay:\n- A: {{プレイ: {quoted}, to: 左/自軍}}\n- pass: both\n\
         expect: {{phase: メインフェイズ}}\nwhy: [dz:3.8]\nvary:\n- name: {quoted}\n  expect: {{phase: {quoted}}}\n"
    )
}

#[test]
fn no_field_of_a_board_commands_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let plain = home.path().join("board.yaml");
    fs::write(&plain, board(ESCAPES)).unwrap();
    let strange = home.path().join("\u{1b}]0;x\u{7}board\u{9b}.yaml");
    fs::write(&strange, board(ESCAPES)).unwrap();
    for file in [plain, strange] {
        let file = file.to_str().unwrap();
        for args in [
            &["run", file][..],
            &["run", "--json", file],
            &["run", "--vary", "1", file],
            &["run", "--without", ESCAPES, file],
            &["run", "--reading", ESCAPES, file],
            &["run", "--set", ESCAPES, file],
            &["run", "--set", &format!("A.手札=[\"{ESCAPES}\"]"), file],
            &["run", "--explore", file],
            &["check", file],
            &["check", "--json", file],
        ] {
            harmless(args, &run(home.path(), args));
        }
    }
    // Every place where a word can be wrong.
    let text = board("");
    for (at, _) in text.match_indices(char::is_alphabetic).step_by(9) {
        let file = home.path().join("wrong.yaml");
        fs::write(&file, format!("{}{}{}", &text[..at], "\u{9b}31m\u{85}", &text[at..])).unwrap();
        let args = ["check", file.to_str().unwrap()];
        harmless(&args, &run(home.path(), &args));
    }
}

#[test]
fn no_argument_commands_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    for command in
        ["find", "show", "term", "compare", "run", "check", "toc", "card", "import", "lint", "schema", "nope"]
    {
        for args in [&[command, ESCAPES][..], &[command, "--json", ESCAPES], &[command, "zx", ESCAPES], &[ESCAPES]] {
            harmless(args, &run(home.path(), args));
        }
    }
    for args in [&["--data", ESCAPES, "toc"][..], &["--color", ESCAPES, "toc"], &["find", "-g", ESCAPES, "x"]] {
        harmless(args, &run(home.path(), args));
    }
}

#[test]
fn no_data_and_no_document_commands_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("data");
    let title = quoted(&format!("章{ESCAPES}"));
    for game in ["dz", "msd", "zx", "nova", "ygo"] {
        fs::create_dir_all(data.join("rules").join(game)).unwrap();
        fs::write(data.join(format!("rules/{game}/document.yaml")), format!("title: {title}\nedition: {title}\n"))
            .unwrap();
    }
    let nodes = format!(
        "nodes:\n- id: zx:100\n  kind: heading\n  title: {title}\n- id: zx:101\n  kind: limit\n  text: {title}\n"
    );
    fs::write(data.join("rules/zx/100.yaml"), nodes).unwrap();
    let data = data.to_str().unwrap();
    for args in [
        &["--data", data, "show", "zx", "100", "101"][..],
        &["--data", data, "show", "zx", "101", "--json"],
        &["--data", data, "toc"],
        &["--data", data, "toc", "zx", "--json"],
        &["--data", data, "find", "章"],
        &["--data", data, "lint"],
    ] {
        let said = run(home.path(), args);
        assert!(said.code.is_some_and(|c| c < 2), "{args:?}: {}", said.err);
        harmless(args, &said);
    }
    // A document imported long ago, or by somebody else.
    let official = home.path().join("official/zx");
    fs::create_dir_all(&official).unwrap();
    let header = serde_json::json!({"game": "zx", "title": title, "edition": format!("Ver. {ESCAPES}"), "history": []});
    let node = serde_json::json!({"id": "zx:102.4", "text": format!("公式{ESCAPES}"), "line": 1});
    fs::write(official.join("x.jsonl"), format!("{header}\n{node}\n")).unwrap();
    for args in [&["show", "zx", "102.4"][..], &["show", "--json", "zx", "102.4"], &["show", "--cite", "zx", "102.4"]] {
        let said = run(home.path(), args);
        assert!(said.out.contains("公式"), "{args:?}: {}", said.out);
        harmless(args, &said);
    }
}

#[test]
fn a_print_that_fails_is_no_panic() {
    let home = tempfile::tempdir().unwrap();
    for args in [&["show", "zx", "102.99"][..], &["nope", "-z"], &["term", "ない言葉"], &["run", "ない"], &["--help"]]
    {
        // Nobody reads: the pipe is closed at once.
        let mut child = program(home.path(), args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop((child.stdout.take(), child.stderr.take()));
        assert!(child.wait().unwrap().code().is_some_and(|c| c <= 2), "{args:?}");
    }
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    for args in [&["toc"][..], &["--help"], &["schema", "nodes"], &["check", "--json"]] {
        let out = Stdio::from(full.try_clone().unwrap());
        let said = said(program(home.path(), args).stdout(out).output().unwrap());
        assert_eq!(said.code, Some(2), "{args:?}");
        assert!(said.err.contains("標準出力に書けません（空き容量がありません）"), "{args:?}: {}", said.err);
    }
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    use std::os::unix::fs::symlink;
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("data");
    fs::create_dir_all(data.join("rulings/dz")).unwrap();
    let fifo = data.join("rulings/dz/fifo.yaml");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let begun = Instant::now();
    let tree = data.to_str().unwrap();
    for (args, words) in [
        (&["check", "--data", tree][..], "通常のファイル"),
        (&["run", fifo.to_str().unwrap()], "通常のファイル"),
        (&["run", "/dev/zero"], "通常のファイル"),
        (&["import", "zx", "/dev/zero"], "通常のファイル"),
        (&["import", "zx", fifo.to_str().unwrap()], "通常のファイル"),
    ] {
        let said = run(home.path(), args);
        assert_eq!(said.code, Some(2), "{args:?}");
        assert!(said.err.contains(words), "{args:?}: {}", said.err);
    }
    fs::remove_file(&fifo).unwrap();
    symlink(&data, data.join("rulings/dz/up")).unwrap();
    let said = run(home.path(), &["check", "--data", tree]);
    assert!(said.code == Some(2) && said.err.contains("リンク"), "{}", said.err);
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn boards_in_the_encodings_of_documents() {
    let home = tempfile::tempdir().unwrap();
    let text = board("");
    let utf16: Vec<u8> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let said_of = |name: &str, bytes: &[u8]| {
        let file = home.path().join(name);
        fs::write(&file, bytes).unwrap();
        run(home.path(), &["run", file.to_str().unwrap()]).out.replace(name, "")
    };
    let plain = said_of("a.yaml", text.as_bytes());
    assert!(plain.contains("名"), "{plain}");
    let strip = |text: String| text.replace(home.path().to_str().unwrap(), "");
    for (name, bytes) in [
        ("b.yaml", format!("\u{feff}{text}").into_bytes()),
        ("c.yaml", utf16),
        ("d.yaml", encoding_rs::SHIFT_JIS.encode(&text).0.into_owned()),
    ] {
        assert_eq!(strip(said_of(name, &bytes)), strip(plain.clone()), "{name}");
    }
}

/// Options that mean nothing are said to mean nothing.
#[test]
fn nothing_is_silently_ignored() {
    let home = tempfile::tempdir().unwrap();
    let example = "zx:102.4#1";
    for (args, code, words) in [
        (&["run", example, "--without", "zx:999.9"][..], 2, "999.9"),
        (&["run", example, "--without", "dz:3.8"], 2, "dz:3.8"),
        (&["run", example, "--reading", "C999=a"], 2, "C999"),
        (&["run", example, "--reading", "dz:C1=a"], 2, "dz:C1"),
        (&["run", example, "--reading", "C27=zzz"], 2, "a・b"),
        (&["run", example, "--vary", "0"], 2, "1以上"),
        (&["run", example, "--vary", "99"], 2, "1つもありません"),
        (&["run", example, "--explore", "--without", "zx:102.4"], 2, "一緒に使えません"),
        (&["run", example, "--set", "A.手札=[ないカード]"], 2, "--set"),
        (&["check", "--data", "/no/such/folder"], 2, "ありません"),
        (&["show", "zx", "102.4#99"], 1, "用例"),
        (&["zx 102.4#99"], 1, "用例"),
        (&["compare", "・"], 1, "ありません"),
        (&["card", "zx", "ないカード"], 1, "ありません"),
        (&["find", "-n", "abc", "優先権"], 2, "正しい数"),
    ] {
        let said = run(home.path(), args);
        let all = said.out.clone() + &said.err;
        assert_eq!(said.code, Some(code), "{args:?}: {all}");
        assert!(all.contains(words), "{args:?}: {all}");
        let english = ["invalid", "error", "expected", "found", "unknown", "No such"];
        assert!(!english.iter().any(|word| said.err.contains(word)), "{args:?}: {}", said.err);
    }
    let said = said(program(home.path(), &["toc"]).env("SAITEI_DATA", "").output().unwrap());
    assert_eq!(said.code, Some(0), "{}", said.err);
}

/// A folder with data in which Z/X has the chapters of our small document.
fn small_data(home: &Path) -> std::path::PathBuf {
    let data = home.join("data");
    for game in ["dz", "msd", "zx", "nova", "ygo"] {
        fs::create_dir_all(data.join("rules").join(game)).unwrap();
        fs::write(data.join(format!("rules/{game}/document.yaml")), "title: 試し\nedition: 試し\n").unwrap();
    }
    for (number, title) in [("100", "席につく前に"), ("200", "札"), ("300", "しくみ")] {
        let nodes = format!("nodes:\n- id: zx:{number}\n  kind: heading\n  title: {title}\n");
        fs::write(data.join(format!("rules/zx/{number}.yaml")), nodes).unwrap();
    }
    data
}

#[test]
fn a_shorter_copy_replaces_only_if_told_and_the_old_one_stays() {
    let home = tempfile::tempdir().unwrap();
    let data = small_data(home.path());
    let data = data.to_str().unwrap();
    let document = include_str!("documents/zx.md");
    let whole = home.path().join("whole.md");
    fs::write(&whole, document).unwrap();
    let import = |args: &[&str]| run(home.path(), &[&["--data", data, "import", "zx"], args].concat());
    let first = import(&[whole.to_str().unwrap()]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    let folder = home.path().join("official/zx");
    let files = || {
        let mut names: Vec<String> =
            fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let before = files();
    let kept = fs::read(folder.join(&before[0])).unwrap();
    // The same edition without two of its lines.
    let cut = home.path().join("cut.md");
    let fewer: Vec<&str> = document
        .lines()
        .filter(|l| !l.contains("101.2 ") && !l.contains("101.3 ") && !l.contains("続けられません"))
        .collect();
    fs::write(&cut, fewer.join("\n")).unwrap();
    let refused = import(&[cut.to_str().unwrap()]);
    assert!(refused.code == Some(2) && refused.err.contains("--replace"), "{}{}", refused.out, refused.err);
    assert_eq!(files(), before);
    assert_eq!(fs::read(folder.join(&before[0])).unwrap(), kept, "nothing was changed");
    let replaced = import(&["--replace", cut.to_str().unwrap()]);
    assert!(replaced.code == Some(0) && replaced.out.contains("残してあります"), "{}{}", replaced.out, replaced.err);
    let old: Vec<String> = files().into_iter().filter(|n| n.contains(".old")).collect();
    assert_eq!(old.len(), 1, "{:?}", files());
    assert_eq!(fs::read(folder.join(&old[0])).unwrap(), kept, "the old one is as it was");
    assert_ne!(fs::read(folder.join(&before[0])).unwrap(), kept);
    // What is not shorter needs no leave.
    assert_eq!(import(&[whole.to_str().unwrap()]).code, Some(0));
}

#[test]
fn folders_above_the_data_say_nothing() {
    let home = tempfile::tempdir().unwrap();
    // Named like a game, and like the folder of the boards.
    let data = home.path().join("zx/rulings/ygo");
    for game in ["dz", "msd", "zx", "nova", "ygo"] {
        fs::create_dir_all(data.join("rules").join(game)).unwrap();
        fs::write(data.join(format!("rules/{game}/document.yaml")), "title: 試し\nedition: 試し\n").unwrap();
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulings/dz");
    fs::create_dir_all(data.join("rulings/dz/cards")).unwrap();
    for entry in fs::read_dir(here.join("cards")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, data.join("rulings/dz/cards").join(path.file_name().unwrap())).unwrap();
    }
    let board = "game: zx\ngiven: {A: {手札: [赤の戦士]}}\nplay: []\n";
    let file = home.path().join("board.yaml");
    fs::write(&file, board).unwrap();
    let data = data.to_str().unwrap();
    let said = run(home.path(), &["--data", data, "run", file.to_str().unwrap()]);
    assert!(said.code == Some(2) && said.err.contains("というカードはありません"), "{}{}", said.out, said.err);
    fs::write(&file, "game: dz\ngiven: {A: {手札: [赤の兵]}}\nplay: []\n").unwrap();
    let said = run(home.path(), &["--data", data, "run", file.to_str().unwrap()]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
}

#[test]
fn readings_of_a_board_are_those_of_the_document() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("board.yaml");
    for (readings, said) in
        [("{C4: z}", "C4 に z という読みはありません（a・b"), ("{C999: a}", "「C999」という読みはありません")]
    {
        fs::write(&file, format!("game: dz\nreadings: {readings}\ngiven: {{}}\nplay: []\n")).unwrap();
        let told = run(home.path(), &["run", file.to_str().unwrap()]);
        assert!(told.code == Some(2) && told.err.contains(said), "{readings}: {}{}", told.out, told.err);
    }
    fs::write(&file, "game: dz\nreadings: {C4: a}\ngiven: {}\nplay: []\n").unwrap();
    assert_eq!(run(home.path(), &["run", file.to_str().unwrap()]).code, Some(0));
}
