//! The data of the repository: whole, clean, and as many clauses as the documents have.

use std::path::Path;

use saitei::cmd::schema::{DataFile, schema};
use saitei::stock::rules;
use saitei::text::library::pack;
use saitei::text::node::Target;
use saitei::text::{Game, Kind, Library, lint};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn library() -> Library {
    let (drafts, problems) = rules::load(root());
    assert!(problems.is_empty(), "{problems:#?}");
    Library::open(pack(&drafts).leak())
}

#[test]
fn lint_finds_nothing() {
    let (drafts, mut problems) = rules::load(root());
    problems.extend(lint::lint(&drafts));
    let list: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(list.is_empty(), "{}", list.join("\n"));
}

/// Where a text names a range, what lies between its ends is referred to as well.
#[test]
fn ranges_are_ranges() {
    let library = library();
    let mut seen = 0;
    for shelf in library.shelves() {
        for index in 0..shelf.lines().len() {
            let node = shelf.node(index);
            let text = node.text.clone().unwrap_or_default();
            for (before, after) in text.split("]〜[").zip(text.split("]〜[").skip(1)) {
                let from = before.rsplit('[').next().unwrap_or_default();
                let until = after.split(']').next().unwrap_or_default();
                if !from.contains(':') {
                    continue;
                }
                let named = |target: &Target| match target {
                    Target::Range(a, b) => a.to_string() == from && b.to_string() == until,
                    _ => false,
                };
                assert!(node.refs.iter().any(|r| named(&r.target)), "{}: {from} to {until}", node.id);
                seen += 1;
            }
        }
    }
    assert!(seen > 40, "{seen}");
}

/// Numbered nodes and headings of each document, counted by hand in the close readings.
#[test]
fn as_many_clauses_as_the_documents_have() {
    let library = library();
    // dz: 582 and 5 list items; the foreword has no number. zx: 894 and the appendix; two more have no number.
    for (code, numbered, unnumbered, examples) in [
        ("dz", 582 + 5, 1, 139),
        ("msd", 587, 0, 24),
        ("zx", 894 + 1, 2, 47),
        ("nova", 794, 0, 42),
        ("ygo", 621, 0, 146),
    ] {
        let shelf = library.shelf(Game::from_code(code).unwrap());
        let counted = shelf.lines().iter().filter(|l| l.numbered()).count();
        assert_eq!((counted, shelf.lines().len() - counted), (numbered, unnumbered), "{code}");
        let found: usize = (0..shelf.lines().len()).map(|i| shelf.node(i).examples.len()).sum();
        assert_eq!(found, examples, "examples of {code}");
    }
}

/// What a clause states is stated, or said to be lost.
#[test]
fn every_clause_has_its_text() {
    let library = library();
    for shelf in library.shelves() {
        for index in 0..shelf.lines().len() {
            let node = shelf.node(index);
            assert!(
                node.kind == Kind::Heading || node.text.is_some() || node.lost.is_some(),
                "{} states nothing",
                node.id
            );
            for example in &node.examples {
                assert!(example.situation.is_some() && example.outcome.is_some(), "{} is not restated", example.id);
            }
        }
    }
}

/// The wrong references of the documents, each with what is printed and where it should lead.
#[test]
fn wrong_references_are_recorded() {
    let library = library();
    for (from, printed, to) in [
        ("dz:4.5.1", "2.10.3-1〜2.10.3-3", "dz:2.10.3-2"),
        ("msd:1021.1", "505.6", "msd:507.6"),
        ("zx:204.8", "308.2b", "zx:308.2"),
        ("zx:309.2a", "507.8", "zx:507.7"),
        ("zx:309.2c", "507.8", "zx:507.7"),
        ("zx:804.3f", "806.2", "zx:806.3"),
        ("zx:801.2e", "803", "zx:806"),
        ("zx:1011.1", "803", "zx:806"),
        ("zx:806.2a", "102.5", "zx:302.2"),
        ("zx:207.13a", "202", "zx:202.8"),
        ("nova:005.6.4", "311", "nova:801.6.3"),
        ("nova:602.9", "311", "nova:801.6.3"),
        ("nova:308.5", "407.5", "nova:407.7"),
        ("nova:804.2.5", "310", "nova:311"),
        ("nova:702.2.1", "801.4.3.2", "nova:801.4.3.3"),
        ("nova:927.1", "311.5〜311.10", "nova:310.5"),
    ] {
        let id: saitei::text::Id = from.parse().unwrap();
        let shelf = library.shelf(id.game);
        let node = shelf.node(shelf.position(&id.clause).unwrap());
        let found = node.refs.iter().find(|r| r.printed.as_deref() == Some(printed));
        let target = found.and_then(|r| r.first()).map(ToString::to_string);
        assert_eq!(target.as_deref(), Some(to), "{from} → {printed}: {:?}", node.refs);
    }
}

#[test]
fn schemas_are_those_of_the_types() {
    for (file, name) in [
        (DataFile::Nodes, "nodes"),
        (DataFile::Terms, "terms"),
        (DataFile::Readings, "readings"),
        (DataFile::History, "history"),
        (DataFile::Document, "document"),
        (DataFile::Concepts, "concepts"),
        (DataFile::Asks, "asks"),
        (DataFile::Words, "words"),
        (DataFile::Cards, "cards"),
        (DataFile::Scenario, "scenario"),
    ] {
        let path = root().join(format!("rules/schema/{name}.json"));
        let published = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(published, schema(file), "write it again: saitei schema {name} > rules/schema/{name}.json");
    }
}
