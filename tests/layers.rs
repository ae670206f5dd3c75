//! Imports go one way: each layer uses only those to its left.

use std::fs;
use std::path::{Path, PathBuf};

/// Each layer, and those it may not use.
const LAYERS: [(&str, &[&str]); 11] = [
    ("text", &["card", "kernel", "game", "scenario", "desk", "search", "import", "web", "stock", "cmd"]),
    ("card", &["kernel", "game", "scenario", "desk", "search", "import", "web", "stock", "cmd"]),
    ("kernel", &["game", "scenario", "desk", "search", "import", "web", "stock", "cmd"]),
    ("game", &["scenario", "desk", "search", "import", "web", "stock", "cmd"]),
    ("scenario", &["desk", "search", "import", "web", "stock", "cmd"]),
    ("desk", &["import", "web", "stock", "cmd"]),
    ("search", &["card", "kernel", "game", "scenario", "desk", "import", "web", "stock", "cmd"]),
    ("import", &["card", "kernel", "game", "scenario", "desk", "search", "web", "stock", "cmd"]),
    ("web", &["import", "stock", "cmd"]),
    ("stock", &["desk", "web", "cmd"]),
    ("cmd", &[]),
];

fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()) {
        if entry.is_dir() {
            files.extend(sources(&entry));
        } else if entry.extension().is_some_and(|e| e == "rs") {
            files.push(entry);
        }
    }
    files
}

#[test]
fn a_layer_knows_only_those_before_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (layer, others) in LAYERS {
        let files = sources(&src.join(layer));
        assert!(!files.is_empty(), "{layer} has no files");
        for file in files {
            let code = fs::read_to_string(&file).unwrap();
            for later in others {
                let uses = code.lines().find(|l| l.contains(&format!("crate::{later}")));
                assert!(uses.is_none(), "{} uses {later}: {uses:?}", file.display());
            }
        }
    }
}

#[test]
fn only_one_module_knows_the_yaml_crate() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in sources(&src).into_iter().filter(|f| !f.ends_with("text/yaml.rs")) {
        let code = fs::read_to_string(&file).unwrap();
        assert!(!code.contains("serde_saphyr"), "{}", file.display());
    }
}

/// Files are read and written by the stock and the shell.
#[test]
fn files_are_known_to_few() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for layer in ["text", "card", "kernel", "game", "scenario", "desk", "search", "import", "web"] {
        for file in sources(&src.join(layer)) {
            let code = fs::read_to_string(&file).unwrap();
            let (code, _) = code.split_once("#[cfg(test)]").unwrap_or((&code, ""));
            for word in ["std::fs", "std::time", "std::env", "std::process"] {
                assert!(!code.contains(word), "{} uses {word}", file.display());
            }
        }
    }
}

/// A game changes the table through proposals and the doors of the duel. That it cannot hold the table itself is the
/// compiler's business as long as these stay as they are.
#[test]
fn the_table_is_closed_to_games() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let duel = fs::read_to_string(src.join("kernel/duel.rs")).unwrap();
    assert!(duel.contains("pub(super) fn edit(&mut self)") && duel.contains("pub struct Shut(pub(super) Table)"));
    for file in sources(&src.join("kernel")) {
        let code = fs::read_to_string(&file).unwrap();
        assert!(!code.contains("DerefMut for Shut"), "{}", file.display());
        let opens = code.lines().find(|l| l.contains("pub fn") && l.contains("-> &mut Table"));
        assert!(opens.is_none(), "{}: {opens:?}", file.display());
    }
    for file in sources(&src.join("game")) {
        let code = fs::read_to_string(&file).unwrap();
        assert!(!code.contains(".edit()"), "{}", file.display());
    }
}
