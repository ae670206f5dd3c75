//! The program as its user meets it: output, exit codes, messages.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Runs saitei with an empty home of its own.
fn saitei(home: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_saitei"))
        .args(args)
        .env("SAITEI_HOME", home)
        .env_remove("SAITEI_DATA")
        .env_remove("SAITEI_GAME")
        .output()
        .expect("the program starts")
}

struct Run {
    code: i32,
    out: String,
    err: String,
}

fn run(args: &[&str]) -> Run {
    let home = tempfile::tempdir().unwrap();
    let output = saitei(home.path(), args);
    Run {
        code: output.status.code().expect("the program ends by itself"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn json(args: &[&str]) -> Value {
    let run = run(args);
    assert_eq!(run.code, 0, "{args:?}: {}", run.err);
    serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{args:?}: {e}\n{}", run.out))
}

fn ids(args: &[&str]) -> Vec<String> {
    let run = run(&[&["show", "--json"], args].concat());
    let value: Value = serde_json::from_str(&run.out).unwrap();
    let list = value.as_array().cloned().unwrap_or_else(|| vec![value]);
    list.iter().map(|v| v["id"].as_str().unwrap_or_default().to_string()).collect()
}

#[test]
fn a_clause_in_any_notation() {
    for (typed, expected) in [
        (vec!["zx", "102.4"], "zx:102.4"),
        (vec!["zx:102.4"], "zx:102.4"),
        (vec!["Z/X 102.4"], "zx:102.4"),
        (vec!["ｚｘ　１０２．４"], "zx:102.4"),
        (vec!["zx", "102.4."], "zx:102.4"),
        (vec!["zx", "0102.04"], "zx:102.4"),
        (vec!["zx", "百二の四"], "zx:102.4"),
        (vec!["msd", "104-5a"], "msd:104.5a"),
        (vec!["msd", "104.5(a)"], "msd:104.5a"),
        (vec!["msd", "104.5A"], "msd:104.5a"),
        (vec!["dz", "第2部第3章1-1"], "dz:2.3.1-1"),
        (vec!["dz", "2部20章1-6"], "dz:2.20.1-6"),
        (vec!["dz", "第２部　第２０章　１－６"], "dz:2.20.1-6"),
        (vec!["dz", "二部二十章一の六"], "dz:2.20.1-6"),
        (vec!["dz", "5.4.1の2"], "dz:5.4.1-2"),
        (vec!["dz", "6.2.2B"], "dz:6.2.2-B"),
        (vec!["nova", "5.1.1"], "nova:005.1.1"),
        (vec!["nova", "405.6.3.1.1"], "nova:405.6.3.1.1"),
        (vec!["msd", "903.2g-iv"], "msd:903.2g-iv"),
        (vec!["msd", "903.2.g-iv-a"], "msd:903.2g-iv-a"),
        (vec!["zx", "402.1L"], "zx:402.1l"),
    ] {
        assert_eq!(ids(&typed), [expected], "{typed:?}");
    }
}

#[test]
fn printed_numbers_find_all_they_can_mean() {
    assert_eq!(ids(&["nova", "311.5"]), ["nova:311.5", "nova:310.5"]);
    assert_eq!(ids(&["nova", "804.2.4"]), ["nova:804.2.4", "nova:804.2.2.4"]);
    assert_eq!(ids(&["zx", "402.11"]), ["zx:402.1l"]);
}

#[test]
fn lists_ranges_and_all_games() {
    assert_eq!(ids(&["zx", "102.4", "102.5"]), ["zx:102.4", "zx:102.5"]);
    assert_eq!(ids(&["zx 102.4、102.5"]), ["zx:102.4", "zx:102.5"]);
    assert_eq!(ids(&["zx", "102.4〜6"]), ["zx:102.4", "zx:102.5", "zx:102.6"]);
    assert_eq!(ids(&["zx", "102.4-102.6"]), ["zx:102.4", "zx:102.5", "zx:102.6"]);
    assert_eq!(ids(&["zx", "102.4", "dz", "2.20"]), ["zx:102.4", "dz:2.20"]);
    assert_eq!(ids(&["101"]), ["msd:101", "zx:101", "nova:101"]);
}

#[test]
fn the_game_used_last_comes_first() {
    let home = tempfile::tempdir().unwrap();
    let first = |args: &[&str]| {
        let out = saitei(home.path(), &[&["show", "--json"], args].concat()).stdout;
        serde_json::from_slice::<Value>(&out).unwrap()[0]["id"].as_str().unwrap().to_string()
    };
    assert_eq!(first(&["101"]), "msd:101");
    saitei(home.path(), &["show", "nova", "101"]);
    assert_eq!(first(&["101"]), "nova:101");
}

#[test]
fn a_number_is_not_the_beginning_of_another() {
    assert_eq!(ids(&["zx", "102.1"]), ["zx:102.1"]);
    let wrong = run(&["show", "zx", "102.99"]);
    assert_eq!(wrong.code, 1);
    assert!(wrong.out.is_empty());
    assert!(wrong.err.contains("102.99") && wrong.err.contains("zx:102.12"), "{}", wrong.err);
}

#[test]
fn json_has_what_programs_need() {
    let clause = json(&["show", "zx", "102.4", "--json"]);
    for key in [
        "id", "game", "printed", "aliases", "title", "kind", "path", "text", "official", "refs", "cited_by", "terms",
        "examples",
    ] {
        assert!(clause.get(key).is_some(), "{key}");
    }
    assert_eq!(clause["path"][1]["id"], "zx:102");
    assert_eq!(clause["examples"][0]["id"], "zx:102.4#1");
    assert!(clause["cited_by"].as_array().unwrap().contains(&"zx:814.2".into()));
    let toc = json(&["toc", "msd", "--json"]);
    let first = &toc[0];
    assert_eq!(
        (first["id"].as_str(), first["kind"].as_str(), first["depth"].as_u64()),
        (Some("msd:100"), Some("heading"), Some(0))
    );
}

#[test]
fn what_to_paste() {
    let cite = run(&["show", "zx", "102.4", "--cite"]);
    assert!(cite.out.starts_with("【Z/X 総合ルール Ver. 6.8.0（2025-10-23）】102.4\n"), "{}", cite.out);
    assert!(cite.out.contains("（saiteiによる要旨）"));
}

#[test]
fn children_as_asked_for() {
    let count = |args: &[&str]| run(&[&["show", "dz", "2.20"], args].concat()).out.matches("2.20.1").count();
    assert_eq!(count(&["--only"]), 1, "only the next clause is named");
    assert!(count(&[]) >= 1);
    assert!(count(&["--tree"]) > 5);
}

#[test]
fn wrong_input_is_said_to_be_wrong() {
    for (args, code, words) in [
        (vec!["show", "優先権とは"], 2, "番号として読めません"),
        (vec!["show"], 2, "番号"),
        (vec!["shwo", "1"], 2, "show のことですか"),
        (vec!["runn", "x.yaml"], 2, "run のことですか"),
        (vec!["new"], 2, "ゲームを書いてください（dz・"),
        (vec!["run"], 2, "使い方: saitei run <盤面>…"),
        (vec!["run", "zx:R60", "--without"], 2, "--without の後に値を書いてください"),
        (vec!["run", "zx:R60", "--cite"], 2, "（show・"),
        (vec!["toc", "nova", "800"], 2, "saitei show"),
        (vec!["run", "no-such.yaml"], 2, "というファイルはありません"),
        (vec!["card", "dz", "R87"], 1, "dz:R87"),
        (vec!["show", "--jsn", "1"], 2, "--json"),
        (vec!["toc", "mtg"], 2, "mtg"),
        (vec!["term", "存在しない言葉ですよ"], 1, "ありません"),
        (vec!["import", "zx", "/no/such/file"], 2, "ファイルがありません"),
        (vec!["lint", "/"], 2, "rules/"),
        (vec!["--data", "/no/such", "show", "1"], 2, "フォルダ"),
        (vec!["completions", "tcsh"], 2, "tcsh"),
        (vec!["-i", "優先権"], 2, "端末でだけ"),
        (vec!["--interactive"], 2, "端末でだけ"),
        (vec!["show", "-i", "102.4"], 2, "-i"),
        (vec![], 2, "使い方"),
    ] {
        let run = run(&args);
        assert_eq!(run.code, code, "{args:?}: {}{}", run.out, run.err);
        let said = run.err.clone() + &run.out;
        assert!(said.contains(words), "{args:?}: {said}");
        assert!(!said.contains("panicked") && !said.contains("error:"), "{args:?}: {said}");
    }
}

#[test]
fn help_is_japanese() {
    for command in ["show", "toc", "term", "import", "lint", "schema", "completions"] {
        let help = run(&[command, "--help"]);
        assert_eq!(help.code, 0);
        for english in ["Usage", "Options", "OPTIONS", "Arguments", "Print help", "possible values", "default"] {
            assert!(!help.out.contains(english), "{command}: {english}\n{}", help.out);
        }
    }
}

#[test]
fn a_working_tree_instead_of_the_embedded_data() {
    let dir = tempfile::tempdir().unwrap();
    for game in ["dz", "msd", "zx", "nova", "ygo"] {
        std::fs::create_dir_all(dir.path().join("rules").join(game)).unwrap();
        std::fs::write(dir.path().join(format!("rules/{game}/document.yaml")), "title: 試し\nedition: 第1版\n")
            .unwrap();
    }
    let chapter = dir.path().join("rules/zx/100.yaml");
    std::fs::write(&chapter, "nodes:\n- id: zx:100\n  kind: heading\n  title: 試しの章\n").unwrap();
    let data = dir.path().to_str().unwrap();
    assert_eq!(run(&["--data", data, "lint"]).code, 0);
    let shown = run(&["--data", data, "show", "zx", "100"]);
    assert!(shown.out.contains("試しの章"), "{}{}", shown.out, shown.err);
    std::fs::write(
        &chapter,
        "nodes:\n- id: zx:100\n  kind: hedding\n  title: 章\n- id: zx:100\n  kind: limit\n  refs: [zx:9]\n",
    )
    .unwrap();
    let lint = run(&["--data", data, "lint"]);
    assert_eq!(lint.code, 1);
    for words in
        ["100.yaml:3:9: 「hedding」は使えません", "  kind: hedding", "100.yaml:7:10: zx:9 という条文はありません"]
    {
        assert!(lint.out.contains(words), "{words}\n{}", lint.out);
    }
    assert_eq!(run(&["--data", data, "show", "zx", "100"]).code, 2);
}

#[test]
fn completions_know_clauses_and_terms() {
    let script = run(&["completions", "bash"]);
    assert!(script.out.contains("COMPLETE"), "{}", script.out);
    let complete = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_saitei"))
            .env("COMPLETE", "bash")
            .env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string())
            .env("_CLAP_COMPLETE_COMP_TYPE", "9")
            .env("_CLAP_COMPLETE_SPACE", "true")
            .env("_CLAP_IFS", "\n")
            .arg("--")
            .args(words)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(complete(&["saitei", "show", "zx:102."]).contains("zx:102.12"));
    assert!(complete(&["saitei", "term", "優先"]).contains("優先権"));
}
