//! The five documents themselves, where they are at hand: `../shared/sources` beside the repository.

use std::fs;
use std::path::PathBuf;

use saitei::import::{self, check};
use saitei::stock::rules;
use saitei::text::library::pack;
use saitei::text::{Game, Library};

fn sources() -> Option<PathBuf> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/sources");
    if dir.is_dir() {
        return Some(dir);
    }
    eprintln!("DID NOT RUN: {} is not there, so the documents were not compared with our nodes", dir.display());
    None
}

/// Every clause, number, reference, defined term and example of the documents is ours, and the other way round.
#[test]
fn the_documents_and_our_nodes_agree() {
    let Some(dir) = sources() else { return };
    let (drafts, problems) = rules::load(env!("CARGO_MANIFEST_DIR").as_ref());
    assert!(problems.is_empty(), "{problems:#?}");
    let library = Library::open(pack(&drafts).leak());
    let mut report = Vec::new();
    for game in Game::ALL {
        let bytes = fs::read(dir.join(format!("{}.txt", game.code()))).unwrap();
        let (official, _) =
            import::read(&library, game, &bytes).unwrap_or_else(|stop| panic!("{}: {stop:?}", game.code()));
        let document = library.shelf(game).document();
        assert_eq!((&official.edition, &official.date), (&document.edition, &document.date), "{}", game.code());
        assert_eq!(official.history.len(), library.shelf(game).history().len(), "history of {}", game.code());
        let differences = check::compare(&official, library.shelf(game));
        for (label, list) in differences.lists() {
            report.extend(list.iter().map(|item| format!("{} {label} {item}", game.code())));
        }
    }
    assert!(report.is_empty(), "{}", report.join("\n"));
}
