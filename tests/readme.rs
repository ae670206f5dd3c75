//! The README's tour is pasted from real runs, and stays so.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The commands of the tour with what the README says they print.
fn tour(readme: &str) -> Vec<(String, String)> {
    let blocks = readme.split("```console\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    blocks
        .map(|block| {
            let (command, output) = block.split_once('\n').unwrap_or((block, ""));
            (command.trim_start_matches("$ saitei ").to_string(), output.to_string())
        })
        .collect()
}

#[test]
fn the_tour_is_true() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let tour = tour(&readme);
    assert!(tour.len() >= 6, "the tour has {} commands", tour.len());
    let home = tempfile::tempdir().unwrap();
    for (command, expected) in tour {
        let output = Command::new(env!("CARGO_BIN_EXE_saitei"))
            .args(command.split_whitespace())
            .env("SAITEI_HOME", home.path())
            .env("SAITEI_GAME", "dz")
            .env_remove("SAITEI_DATA")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(shape(&printed), shape(&expected), "saitei {command}");
    }
}

/// What is printed, without the figures of a score: every ruling that is added moves them a little.
fn shape(printed: &str) -> String {
    let line = |line: &str| match line.trim_start().starts_with("一致度") {
        true => line.replace(|c: char| c.is_ascii_digit(), "#"),
        false => line.to_string(),
    };
    printed.trim_end().lines().map(line).collect::<Vec<_>>().join("\n")
}
