//! A library of a few clauses, for tests that must not depend on the real rules.

use std::fs;

use saitei::stock::rules;
use saitei::text::{Game, Library, library};

/// A library that has one chapter, `<game>/<stem>.yaml`, and nothing else.
pub fn library_of(game: &str, stem: &str, chapter: &str) -> Library {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for known in Game::ALL {
        let rules = folder.path().join("rules").join(known.code());
        fs::create_dir_all(&rules).expect("a folder");
        fs::write(rules.join("document.yaml"), "title: 試し\nedition: 第1版\n").expect("a file");
    }
    fs::write(folder.path().join(format!("rules/{game}/{stem}.yaml")), chapter).expect("a file");
    let (drafts, problems) = rules::load(folder.path());
    assert!(problems.is_empty(), "{problems:#?}");
    Library::open(library::pack(&drafts).leak())
}
