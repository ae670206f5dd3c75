//! Documents in all five grammars, PDFs, queries, and `--set` with the other options of a run.

use std::path::PathBuf;

use saitei::import;
use saitei::scenario::WhatIf;
use saitei::search::bundle::Bundle;
use saitei::search::index::build;
use saitei::search::{Filter, Searcher};
use saitei::stock::rules;
use saitei::text::library::pack;
use saitei::text::{Game, Library, query};

use super::boards::{CONTROL, Corpus, run};
use super::{Dice, Findings, keep, printed, root, scratch, tried};

fn library() -> Library {
    let (drafts, problems) = rules::load(root());
    assert!(problems.is_empty(), "{problems:?}");
    Library::open(pack(&drafts).leak())
}

/// The small documents of the tests, and the real ones where they are at hand.
fn sources() -> Vec<String> {
    let small = root().join("tests/documents");
    let real = root().join("../shared/sources");
    let all = [(&small, "dz.txt"), (&small, "msd.txt"), (&small, "zx.md"), (&small, "nova.txt"), (&small, "ygo.md")]
        .into_iter()
        .chain(["dz.txt", "msd.txt", "zx.txt", "nova.txt", "ygo.txt"].map(|name| (&real, name)));
    all.filter_map(|(dir, name)| std::fs::read_to_string(dir.join(name)).ok()).collect()
}

pub fn documents(n: usize, seed: u64) -> Findings {
    let (library, sources) = (library(), sources());
    let mut dice = Dice(seed);
    let mut findings = Findings::default();
    for i in 0..n {
        let game = *dice.pick(&Game::ALL);
        let text = damaged(&sources, &mut dice);
        let bytes = encoded(&text, &mut dice);
        keep("document.txt", &bytes);
        if let Err(what) = tried(|| drop(import::read(&library, game, &bytes))) {
            findings.add(&format!("{} {what}", game.code()), || input("document", game.code(), &bytes));
        }
        if i % 200 == 0 {
            let file = scratch("printed.txt", &bytes);
            let file = file.to_string_lossy();
            for args in
                [&["import", game.code(), &file, "--check"][..], &["import", game.code(), &file, "--json", "--check"]]
            {
                if let Err(what) = printed(args) {
                    findings.add(&format!("import {what}"), || input("document", game.code(), &bytes));
                }
            }
        }
    }
    findings
}

/// Where the input was put: it is too long to be printed.
fn input(what: &str, of: &str, bytes: &[u8]) -> String {
    scratch(&format!("found-{what}-{of}-{:x}", bytes.len()), bytes).display().to_string()
}

fn damaged(sources: &[String], dice: &mut Dice) -> String {
    let mut text = dice.pick(sources).clone();
    // Most of the real ones are long: a piece of them is enough to go wrong.
    if dice.roll(4) > 0 {
        let lines: Vec<&str> = text.lines().collect();
        let from = dice.roll(lines.len());
        text = lines[from..lines.len().min(from + 10 + dice.roll(400))].join("\n");
    }
    for _ in 0..1 + dice.roll(5) {
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        let len = lines.len().max(1);
        let (a, b) = (dice.roll(len), dice.roll(len));
        match dice.roll(12) {
            0 => lines.truncate(a),
            1 if !lines.is_empty() => lines.swap(a, b),
            2 if !lines.is_empty() => drop(lines.drain(a.min(b)..a.max(b).min(a.min(b) + 20))),
            3 if !lines.is_empty() => {
                let copy = lines[a].clone();
                let often = bounded(*dice.pick(&[1, 3, 2_000]), &copy);
                lines.extend(std::iter::repeat_n(copy, often));
            }
            4 => lines.iter_mut().for_each(|l| *l = numbers(l, dice)),
            5 if !lines.is_empty() => lines[a] = numbers(&lines[a], dice),
            6 if !lines.is_empty() => lines[a].push_str(dice.word(&CONTROL)),
            7 if !lines.is_empty() => lines[a] = lines[a].repeat(bounded(*dice.pick(&[2, 50, 3_000]), &lines[a])),
            8 => lines.insert(a.min(lines.len()), odd_line(dice)),
            9 => lines = vec![lines.join(*dice.pick(&["", " ", "\t", "\n\n"]))],
            10 if !lines.is_empty() => {
                let other = dice.pick(sources).lines().nth(dice.roll(200)).unwrap_or_default().to_string();
                lines[a] = other;
            }
            _ => lines.retain(|_| dice.roll(20) > 0),
        }
        text = lines.join("\n");
        if text.len() > 3 << 20 {
            text = text.chars().take(1 << 20).collect();
        }
    }
    text
}

/// So often, but no more than a few megabytes: it is the reader that is tried, not the memory of this program.
fn bounded(often: usize, line: &str) -> usize {
    often.min(1 + (4 << 20) / line.len().max(1))
}

const NUMBERS: [&str; 12] =
    ["0", "1", "9", "10", "99", "100", "999", "1000", "65536", "4294967295", "4294967296", "99999999999999999999"];

fn numbers(line: &str, dice: &mut Dice) -> String {
    let mut out = String::new();
    let mut digits = false;
    for c in line.chars() {
        if c.is_ascii_digit() {
            if !digits && dice.chance(3) {
                out.push_str(dice.word(&NUMBERS));
                digits = true;
                continue;
            }
            if digits {
                continue;
            }
        }
        digits = false;
        out.push(c);
    }
    out
}

fn odd_line(dice: &mut Dice) -> String {
    let n = *dice.pick(&NUMBERS);
    match dice.roll(8) {
        0 => format!("{n}.{n}{}", "a".repeat(dice.roll(40))),
        1 => format!("第{n}部 第{n}章 {n}"),
        2 => format!("# {n} {n}"),
        3 => format!("|{}|", "セル|".repeat(dice.roll(500))),
        4 => "(".repeat(dice.roll(3_000)),
        5 => format!("例:{n}.{n}〜{n}.{n}"),
        6 => format!("{n}年{n}月{n}日 Ver. {n}.{n}"),
        _ => format!("付録 A:{n}"),
    }
}

fn encoded(text: &str, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = match dice.roll(8) {
        0 => encoding_rs::SHIFT_JIS.encode(text).0.into_owned(),
        1 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        2 => encoding_rs::EUC_JP.encode(text).0.into_owned(),
        _ => text.as_bytes().to_vec(),
    };
    for _ in 0..dice.roll(4) {
        let len = bytes.len().max(1);
        if let Some(byte) = bytes.get_mut(dice.roll(len)) {
            *byte = dice.roll(256) as u8;
        }
    }
    bytes
}

pub fn pdfs(n: usize, seed: u64) -> Findings {
    saitei::stock::pdf::read_by(PathBuf::from(env!("CARGO_BIN_EXE_saitei")));
    let library = library();
    let mut dice = Dice(seed);
    let mut findings = Findings::default();
    for _ in 0..n {
        let bytes = hostile_pdf(&mut dice);
        keep("document.pdf", &bytes);
        let game = *dice.pick(&Game::ALL);
        if let Err(what) = tried(|| drop(import::read(&library, game, &bytes))) {
            findings.add(&what, || input("pdf", game.code(), &bytes));
        }
    }
    findings
}

/// A few objects that refer to each other as they like: pages, forms, fonts, streams.
fn hostile_pdf(dice: &mut Dice) -> Vec<u8> {
    let n = 3 + dice.roll(12);
    let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_string()];
    for i in 2..=n {
        let any = |dice: &mut Dice| format!("{} 0 R", 1 + dice.roll(n + 1));
        let kids: Vec<String> = (0..1 + dice.roll(4)).map(|_| any(dice)).collect();
        let parent = any(dice);
        let number = *dice.pick(&NUMBERS);
        let content = match dice.roll(6) {
            0 => "q ".repeat(dice.roll(20_000)),
            1 => format!("BT /F {number} Tf (x) Tj ET "),
            2 => format!("/X{} Do ", 1 + dice.roll(n)).repeat(1 + dice.roll(30)),
            3 => "<< ".repeat(dice.roll(3_000)),
            4 => format!("BT [{}] TJ ET", "(あ) -1 ".repeat(dice.roll(2_000))),
            _ => format!("{number} 0 0 {number} 0 0 cm BT 1 0 0 1 50 700 Tm <0041> Tj ET"),
        };
        let forms: Vec<String> = (1..=n).map(|k| format!("/X{k} {}", any(dice))).collect();
        let resources = format!("/Resources << /Font << /F {} >> /XObject << {} >> >>", any(dice), forms.join(" "));
        objects.push(match if i == 2 { 0 } else { dice.roll(6) } {
            0 => format!("<< /Type /Pages /Count {number} /Parent {parent} /Kids [{}] >>", kids.join(" ")),
            1 => format!(
                "<< /Type /Page /Parent {parent} /MediaBox [0 0 {number} 842] /Contents {} {resources} >>",
                any(dice)
            ),
            2 => format!(
                "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] {resources} /Length {} >>\nstream\n{content}\nendstream",
                content.len()
            ),
            3 => format!("<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [{parent}] /ToUnicode {} >>", any(dice)),
            4 => format!("{}{}", "[".repeat(dice.roll(2_000)), any(dice)),
            _ => format!("<< /Length {} >>\nstream\n{content}\nendstream", *dice.pick(&[content.len(), 0, usize::MAX])),
        });
    }
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (i, object) in objects.iter().enumerate() {
        places.push(out.len());
        out.extend(format!("{} 0 obj\n{object}\nendobj\n", i + 1).into_bytes());
    }
    let start = out.len();
    let rows: String = places.iter().map(|at| format!("{at:010} 00000 n \n")).collect();
    let size = objects.len() + 1;
    let prev = if dice.chance(4) { format!("/Prev {start}") } else { String::new() };
    let end = format!(
        "xref\n0 {size}\n0000000000 65535 f \n{rows}trailer\n<< /Size {size} /Root 1 0 R {prev} >>\nstartxref\n{start}\n%%EOF\n"
    );
    out.extend(end.into_bytes());
    for _ in 0..dice.roll(3) {
        let at = dice.roll(out.len());
        out[at] = dice.roll(256) as u8;
    }
    out
}

pub fn queries(n: usize, seed: u64) -> Findings {
    let library = library();
    let bytes: &'static [u8] = build(&library, &|_, _| None).expect("an index").leak();
    let searcher = Bundle::trusted(bytes).and_then(|bundle| Searcher::open(&library, bundle).ok()).expect("a searcher");
    let words: Vec<String> = library.shelves().flat_map(|s| s.terms()).map(|t| t.term.clone()).collect();
    let mut dice = Dice(seed);
    let mut findings = Findings::default();
    for i in 0..n {
        let typed = question(&words, &mut dice);
        let tried = tried(|| {
            for item in query::read(&typed).unwrap_or_default() {
                for game in Game::ALL {
                    drop(query::find(library.shelf(game), &item));
                }
                drop(query::nearest(&library, None, &item.from, 4));
            }
            drop(searcher.find(&typed, &Filter::default()));
        });
        if let Err(what) = tried {
            findings.add(&what, || format!("{typed:?}"));
        }
        // An argument cannot have a NUL.
        let typed = typed.replace('\0', "");
        let command = *dice.pick(&["find", "show", "term", "compare", "run", "card"]);
        if i % 100 == 0 && typed.len() < 100_000 {
            for args in [&[command, "--json", "--", &typed][..], &[command, "--", &typed]] {
                if let Err(what) = printed(args) {
                    findings.add(&format!("{command} {what}"), || format!("{typed:?}"));
                }
            }
        }
    }
    findings
}

fn question(words: &[String], dice: &mut Dice) -> String {
    let mut out = String::new();
    for _ in 0..1 + dice.roll(5) {
        match dice.roll(11) {
            0..=3 => out.push_str(dice.pick(words).as_str()),
            4 => out.push_str(&format!("{}.{}", dice.pick(&NUMBERS), dice.pick(&NUMBERS))),
            5 => out.push_str(dice.word(&CONTROL)),
            6 => out.push_str(
                dice.word(&["「", "」", "\"", "-", "～", "から", "まで", "#", ":", "第", "部", "千", "・", "ー"]),
            ),
            7 => out.push_str(dice.word(&["zx ", "dz:", "遊戯王", "nova ", "C", "H."])),
            8 => {
                let word = dice.pick(words).clone();
                out.push_str(&word.repeat(*dice.pick(&[2, 100, 3_000])));
            }
            9 => out.push_str(
                &dice.pick(&["1 ", "千", "・", "1ー", "a", "()", "「"]).repeat(*dice.pick(&[3, 200, 20_000])),
            ),
            _ => out.extend(char::from_u32(dice.roll(0x30000) as u32)),
        }
        if dice.chance(3) {
            out.push(' ');
        }
    }
    out
}

/// Ways to change a board from outside.
pub fn sets(n: usize, seed: u64) -> Findings {
    let corpus = Corpus::open();
    let mut dice = Dice(seed);
    let mut findings = Findings::default();
    for i in 0..n {
        let board = corpus.pick(&mut dice);
        let other = corpus.hostile(&mut dice);
        let mut options = WhatIf::default();
        for _ in 0..1 + dice.roll(2) {
            options.set.push(set(&other.tree, &mut dice));
        }
        if dice.chance(3) {
            options.without.push(format!("{}:{}.{}", board.game, dice.roll(10), dice.roll(10)));
        }
        if dice.chance(3) {
            options.readings.push((format!("C{}", dice.roll(30)), "b".to_string()));
        }
        if dice.chance(3) {
            options.vary = Some(dice.roll(3));
        }
        if let Err(what) = run(&board, &options) {
            findings.add(&what, || format!("{} {options:?}", board.path.display()));
        }
        if i % 100 == 0 {
            let file = root().join("rulings").join(&board.path);
            let (path, value) = &options.set[0];
            let set = format!("{path}={value}").replace('\0', "");
            let file = file.to_string_lossy();
            for args in [&["run", "--json", &file, "--set", &set][..], &["run", &file, "--set", &set]] {
                if let Err(what) = printed(args) {
                    findings.add(&format!("--set {what}"), || format!("{file} {set:?}"));
                }
            }
        }
    }
    findings
}

/// A path and a value such as people write them, or not.
fn set(tree: &super::tree::Tree, dice: &mut Dice) -> (String, String) {
    let mut tree = tree.clone();
    let size = tree.size();
    let at = dice.roll(size);
    let (key, node) = tree.nth(at).map_or((String::new(), "[".to_string()), |(key, node)| (key, node.flow()));
    let head = *dice.pick(&["A", "B", "turn", "squares", "facts", "x", ""]);
    let path = match dice.roll(4) {
        0 => key,
        1 => head.to_string(),
        _ => format!("{head}.{key}"),
    };
    let value = match dice.roll(6) {
        0 => dice.pick(&NUMBERS).to_string(),
        1 => format!("-{}", dice.pick(&NUMBERS)),
        2 => format!("\"{}\"", dice.pick(&CONTROL)),
        _ => node,
    };
    (path, value)
}
