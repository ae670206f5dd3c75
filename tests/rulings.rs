//! Every ruling comes out as its file says, every example of the inventory has one, and the clauses that ought to
//! decide somewhere do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use saitei::game::BOOKS;
use saitei::kernel::Rule;
use saitei::kernel::cite::{all, cited};
use saitei::scenario::{Case, Ready, Report, Scenario, Store, Verdict, check};
use saitei::stock::rules;
use saitei::text::Id;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "yaml") {
            found.push(path);
        }
    }
    found
}

fn store() -> Store {
    let mut store = Store::default();
    for book in BOOKS {
        let problems = saitei::stock::cards::add(&mut store, book, &root().join("rulings")).unwrap();
        assert!(problems.is_empty(), "{problems:#?}");
    }
    store
}

fn scenarios() -> Vec<Scenario> {
    let files =
        files(&root().join("rulings")).into_iter().filter(|p| p.parent().unwrap().file_name().unwrap() != "cards");
    files
        .map(|path| Scenario::load(&path, &fs::read_to_string(&path).unwrap()).unwrap_or_else(|p| panic!("{}", p[0])))
        .collect()
}

/// Checked once, on all cores.
fn reports() -> &'static [Report] {
    static REPORTS: std::sync::OnceLock<Vec<Report>> = std::sync::OnceLock::new();
    REPORTS.get_or_init(|| {
        let (store, scenarios) = (store(), scenarios());
        let halves: Vec<&[Scenario]> = scenarios.chunks(scenarios.len().div_ceil(4)).collect();
        std::thread::scope(|scope| {
            let store = &store;
            let running: Vec<_> = halves
                .into_iter()
                .map(|part| scope.spawn(move || part.iter().map(|s| check(s, store)).collect::<Vec<_>>()))
                .collect();
            running.into_iter().flat_map(|t| t.join().unwrap()).collect()
        })
    })
}

#[test]
fn every_ruling_comes_out_as_its_file_says() {
    let failed: Vec<String> =
        reports().iter().filter(|r| !r.passed).map(|r| format!("{}: {:?}", r.file, r.failures)).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    for report in reports().iter().filter(|r| r.verdict == Verdict::Reproduced) {
        assert!(!report.why.is_empty(), "{}: nothing decides it", report.file);
        assert!(report.why.iter().all(|w| w.reached && w.decisive), "{}: {:?}", report.file, report.why);
    }
}

/// Rows of the inventory that must be there: all of dz, and the slices of zx and ygo.
const SLICES: [&str; 25] = [
    "zx:102.4#1",
    "zx:102.4#2",
    "zx:102.5#1",
    "zx:308.2a#1",
    "zx:805.3a#2",
    "zx:808.3b#1",
    "zx:808.3c#1",
    "zx:808.3d#1",
    "zx:808.4#2",
    "zx:811.6#1",
    "zx:906.1#1",
    "zx:1204.6#1",
    "ygo:1.7.1.1#1",
    "ygo:1.7.1.2#1",
    "ygo:1.7.1.3#1",
    "ygo:1.7.2.1#1",
    "ygo:1.7.2.4#1",
    "ygo:1.7.3.1#1",
    "ygo:2.5.5.2#1",
    "ygo:2.7.3.1#1",
    "ygo:2.7.8.1#1",
    "ygo:3.3.25.2#1a",
    "ygo:3.3.25.2#1b",
    "ygo:3.3.28.2#1a",
    "ygo:4.1.17.1#1",
];

#[test]
fn every_example_has_its_verdict() {
    let (drafts, _) = rules::load(root());
    let mut verdicts: BTreeMap<&str, Verdict> = BTreeMap::new();
    for report in reports() {
        if let Some(example) = &report.example {
            let known: Id = example.parse().unwrap_or_else(|e| panic!("{}: {e:?}", report.file));
            let there =
                drafts.games[known.game.index()].nodes().any(|n| n.value.examples.iter().any(|e| e.id == known));
            assert!(there, "{}: {example} is no example of the document", report.file);
            assert!(verdicts.insert(example, report.verdict).is_none(), "{example} twice");
        }
    }
    for slice in SLICES {
        let expected = if slice == "zx:906.1#1" { Verdict::Contradicted } else { Verdict::Reproduced };
        assert_eq!(verdicts.get(slice), Some(&expected), "{slice}");
    }
    let (mut run, mut told) = (0, 0);
    for node in drafts.games[0].nodes() {
        for example in &node.value.examples {
            let id = example.id.to_string();
            let verdict = verdicts.get(id.as_str()).unwrap_or_else(|| panic!("{id} has no ruling"));
            // Tournament and terms are told, with the reason; everything else is run.
            match matches!(example.kind.label(), "大会" | "用語") {
                true => {
                    assert_eq!(*verdict, Verdict::NotExecutable, "{id}");
                    told += 1;
                }
                false => {
                    assert_ne!(*verdict, Verdict::NotExecutable, "{id}");
                    run += 1;
                }
            }
        }
    }
    assert_eq!((run, told), (129, 10));
    let own = reports().iter().filter(|r| r.example.is_none() && r.file.contains("/dz/")).count();
    assert!(own >= 60, "{own} rulings of our own");
}

/// Every rule effect, phase, step of playing and resolving, and every keyword of dz decides somewhere.
#[test]
fn what_ought_to_decide_decides() {
    let decisive: BTreeSet<&str> =
        reports().iter().flat_map(|r| &r.why).filter(|w| w.decisive).map(|w| w.clause.as_str()).collect();
    let rule_effects = (1..=16).map(|n| format!("dz:4.16.4-{n}"));
    let keywords = [
        "5.1.2", "5.2.2", "5.3.2", "5.4.1-1", "5.4.1-2", "5.4.2", "5.5.2", "5.7.1", "5.7.2-1", "5.7.3-1", "5.9.1",
        "5.10.2", "5.11.2", "5.12.2", "5.13.2", "5.14.2", "5.15.2", "5.16.2", "5.17.2",
    ];
    let formations = (1..=8).map(|n| format!("dz:5.8.2-{n}"));
    let phases = ["3.5.1", "3.6.1-1", "3.7.1", "3.8.2-3", "3.8.2-6", "3.9.1", "3.10.1", "3.10.2", "3.10.3"];
    let steps =
        ["4.7.2-2", "4.7.2-3", "4.7.2-5", "4.7.2-6", "4.7.2-8", "4.9.2-1", "4.9.2-2", "4.9.2-6", "4.9.2-8", "4.9.3-1"];
    let named = keywords.iter().chain(&phases).chain(&steps).map(|c| format!("dz:{c}"));
    let missing: Vec<String> =
        rule_effects.chain(formations).chain(named).filter(|c| !decisive.contains(c.as_str())).collect();
    assert!(missing.is_empty(), "decisive nowhere: {missing:?}");
}

#[test]
fn every_citation_is_a_clause_or_a_reading() {
    let (drafts, _) = rules::load(root());
    for cite in all() {
        let draft = drafts.games.iter().find(|d| d.game.code() == cite.game).expect("a game of ours");
        let clause = draft.nodes().any(|n| n.value.id.clause.as_str() == cite.clause);
        let reading = draft.readings.iter().any(|r| r.value.id.clause.as_str() == cite.clause);
        assert!(
            clause || reading,
            "{}:{} cites {}:{}, which is not there",
            cite.file,
            cite.line,
            cite.game,
            cite.clause
        );
    }
    for book in BOOKS {
        assert!(cited(book.code()).len() > 100, "{} cites too little to be a rulebook", book.code());
    }
}

/// A reading can be chosen for a board, or says why the choice makes no difference to one.
#[test]
fn every_reading_can_be_chosen_or_says_why_not() {
    let (drafts, _) = rules::load(root());
    for draft in &drafts.games {
        let runs =
            |clause: &str| cited(draft.game.code()).iter().any(|c| c.rule == Rule::Reading && c.clause == clause);
        for reading in &draft.readings {
            let reading = &reading.value;
            assert_ne!(runs(reading.id.clause.as_str()), reading.nothing.is_some(), "{}", reading.id);
        }
    }
}

/// Cards live in YAML, examples in the document: neither is named in code.
#[test]
fn no_card_name_and_no_example_in_code() {
    let (drafts, _) = rules::load(root());
    let mut names: BTreeSet<String> = BTreeSet::new();
    for draft in &drafts.games {
        names.extend(draft.cards.iter().map(|c| c.name.clone()));
    }
    // A colour or a word of the game is no name of a card, though a plain card bears it.
    names.retain(|n| n.chars().count() >= 4);
    for dir in ["src/kernel", "src/game", "src/card", "src/scenario"] {
        for file in sources(&root().join(dir)) {
            let code = fs::read_to_string(&file).unwrap();
            // Tests and doc comments may make up cards of their own.
            let code: String = code
                .split("#[cfg(test)]")
                .next()
                .unwrap()
                .lines()
                .filter(|l| !l.trim_start().starts_with("//"))
                .collect();
            for name in &names {
                assert!(!code.contains(name.as_str()), "{}: {name}", file.display());
            }
            for draft in &drafts.games {
                for example in draft.nodes().flat_map(|n| &n.value.examples) {
                    let id = format!("{}#{}", example.id.clause, example.id.example);
                    assert!(!code.contains(&id), "{}: {id}", file.display());
                }
            }
        }
    }
}

fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()) {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
    found
}

/// Nothing is changed, refused, replaced or triggered without a clause beside it.
#[test]
fn every_line_of_the_trace_has_a_clause() {
    let store = store();
    for scenario in scenarios().iter().filter(|s| s.file.verdict == Verdict::Reproduced) {
        let ready = Ready::new(scenario, &store, &Case::of(scenario)).unwrap_or_else(|n| panic!("{n:?}"));
        for entry in &ready.attempt(&ready.settings(), None).run.trace().entries {
            assert!(entry.cite.is_some(), "{}: {}", scenario.path.display(), entry.text);
        }
    }
}

/// No event of any game is left as the game's bare word where a verb must stand.
#[test]
fn every_event_is_a_verb() {
    use saitei::card::{Ability, Filter, Kind, Pattern, Word, wording};
    for book in BOOKS {
        for event in book.schema().words.events {
            let card = Some(Filter::of_ref(Word("this")));
            let pattern = Pattern { event: Word(event), card, ..Pattern::default() };
            let ability = Ability { kind: Kind::Triggered, when: vec![pattern], ..Ability::default() };
            let said = wording::ability(&ability);
            let wrong = ["くした", "るした", "いした", "時した", "前した", "後した", "フェイズした", "ダメージした"];
            assert!(!wrong.iter().any(|ending| said.contains(ending)), "{} {event}: {said}", book.code());
        }
    }
}
