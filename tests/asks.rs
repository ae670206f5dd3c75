//! Which of the further questions in `index/` are worth keeping. Not a test of the program but of what people wrote:
//!
//! `ASKS=DIR cargo test --release --test asks -- --ignored --nocapture`
//!
//! reads `DIR/<game>.yaml` beside `index/<game>.yaml`, and writes there what passes. The lines are dealt into two
//! halves; each half is asked of an index that has only the other. A line must not take the first place from clauses
//! more often than it gives it to its own, and, asked of all that is kept, must bring its clause to the first three.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use saitei::search::bundle::Bundle;
use saitei::search::index::build;
use saitei::search::{Filter, Searcher};
use saitei::stock::rules;
use saitei::text::ask::Ask;
use saitei::text::draft::Drafts;
use saitei::text::kana::fold;
use saitei::text::library::pack;
use saitei::text::{Game, Id, Library, yaml};

/// A line of a clause, and whether it is one of those to be judged.
#[derive(Clone, Debug)]
struct Line {
    at: Id,
    say: String,
    new: bool,
}

/// How often a line gave its clause the first place, and how often it took it from another.
#[derive(Clone, Copy, Default)]
struct Deeds {
    gave: usize,
    took: usize,
}

fn asks(path: &Path) -> Vec<Ask> {
    let text = std::fs::read_to_string(path).unwrap();
    let (items, problems) = yaml::items(path, &text, "asks");
    assert!(problems.is_empty(), "{}: {problems:#?}", path.display());
    items.into_iter().map(|p| p.value).collect()
}

/// All lines of a game, those that are there first; each once per clause.
fn lines(root: &Path, further: &Path, game: Game) -> Vec<Line> {
    let mut seen = BTreeSet::new();
    let mut lines = Vec::new();
    let sources = [
        (root.join(format!("index/{}.yaml", game.code())), false),
        (further.join(format!("{}.yaml", game.code())), true),
    ];
    for (path, new) in sources.into_iter().filter(|(path, _)| path.exists()) {
        for ask in asks(&path) {
            for say in ask.say.iter().map(|s| s.trim().to_string()) {
                if seen.insert((ask.at.clone(), say.clone())) {
                    lines.push(Line { at: ask.at.clone(), say, new });
                }
            }
        }
    }
    lines
}

/// The library with only these lines.
fn library(drafts: &mut Drafts, lines: &[&Line]) -> Library {
    for draft in &mut drafts.games {
        let mut by_clause: BTreeMap<&Id, Vec<String>> = BTreeMap::new();
        lines
            .iter()
            .filter(|l| l.at.game == draft.game)
            .for_each(|l| by_clause.entry(&l.at).or_default().push(l.say.clone()));
        let place = draft.asks.first().cloned().expect("every game has questions");
        let ask = |(at, say): (&Id, Vec<String>)| {
            let mut ask = place.clone();
            ask.value = Ask { at: at.clone(), say };
            ask
        };
        draft.asks = by_clause.into_iter().map(ask).collect();
    }
    Library::open(pack(drafts).leak())
}

fn bundle(library: &Library) -> Bundle {
    Bundle::trusted(build(library, &|_, _| None).unwrap().leak()).unwrap()
}

/// Asks every line of one half of an index of the other, and notes what the lines there did.
fn ask_half(drafts: &mut Drafts, indexed: &[&Line], asked: &[&Line], deeds: &mut BTreeMap<(Id, String), Deeds>) {
    let library = library(drafts, indexed);
    let bundle = bundle(&library);
    let (searcher, sense) = (Searcher::open(&library, bundle.clone()).unwrap(), bundle.sense());
    let known: Vec<Vec<Vec<&str>>> = Game::ALL.map(|game| library.shelf(game).asks()).into();
    for line in asked {
        let game = line.at.game;
        let answer = searcher.find(&line.say, &Filter { games: vec![game], ..Filter::default() }).unwrap();
        let id = |hit: &saitei::search::Hit| library.shelf(game).id(hit.position);
        let Some(first) = answer.hits.first() else { continue };
        let own = answer.hits.iter().take(10).find(|h| id(h) == line.at);
        // The line that comes nearest to the question has put the clause first.
        let asked = sense.of(&answer.question.said);
        let near = |say: &&&str| -> f32 { sense.of(&fold(say)).iter().zip(&asked).map(|(a, b)| a * b).sum() };
        let says = known[game.index()][first.position].iter();
        let Some(say) = says.max_by(|a, b| near(a).total_cmp(&near(b))) else { continue };
        let deed = deeds.entry((id(first), say.to_string())).or_default();
        if id(first) == line.at {
            deed.gave += 1
        } else if own.is_some() {
            deed.took += 1
        }
    }
}

fn write(root: &Path, game: Game, lines: &[&Line], order: &[Id]) {
    let mut out = String::from(
        "# yaml-language-server: $schema=../rules/schema/asks.json\n# 条文ごとの、人が打つ言葉。その条文が答えになるもの。\nasks:\n",
    );
    for at in order {
        let own: Vec<&&Line> = lines.iter().filter(|l| l.at == *at).collect();
        if !own.is_empty() {
            out += &format!("- at: {at}\n  say:\n");
            own.iter().for_each(|l| out += &format!("  - {}\n", scalar(&l.say)));
        }
    }
    std::fs::write(root.join(format!("index/{}.yaml", game.code())), out).unwrap();
}

/// A line as YAML: quoted where it would be read as something else.
fn scalar(text: &str) -> String {
    let odd = text.starts_with(|c: char| c.is_ascii() && !c.is_ascii_alphabetic())
        || text.contains(": ")
        || text.contains(" #")
        || text.ends_with(':')
        || ["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(&text.to_lowercase().as_str());
    if odd { format!("'{}'", text.replace('\'', "''")) } else { text.to_string() }
}

#[test]
#[ignore = "it writes index/, from questions that are not in the repository"]
fn keep_what_helps() {
    let Some(further) = std::env::var_os("ASKS") else { return };
    filter(env!("CARGO_MANIFEST_DIR").as_ref(), Path::new(&further));
}

pub fn filter(root: &Path, further: &Path) {
    let (mut drafts, problems) = rules::load(root);
    assert!(problems.is_empty(), "{problems:#?}");
    let all: Vec<Line> = Game::ALL.into_iter().flat_map(|game| lines(root, further, game)).collect();
    let halves: [Vec<&Line>; 2] =
        [0, 1].map(|half| all.iter().enumerate().filter(|(i, _)| i % 2 == half).map(|(_, l)| l).collect());
    let mut deeds = BTreeMap::new();
    ask_half(&mut drafts, &halves[0], &halves[1], &mut deeds);
    ask_half(&mut drafts, &halves[1], &halves[0], &mut deeds);
    let harmful = |line: &Line| {
        let deed = deeds.get(&(line.at.clone(), line.say.clone())).copied().unwrap_or_default();
        deed.took > deed.gave
    };
    let kept: Vec<&Line> = all.iter().filter(|l| !l.new || !harmful(l)).collect();
    let library = library(&mut drafts, &kept);
    let searcher = Searcher::open(&library, bundle(&library)).unwrap();
    let leads = |line: &Line| {
        let answer = searcher.find(&line.say, &Filter { games: vec![line.at.game], ..Filter::default() }).unwrap();
        answer.hits.iter().take(3).any(|h| library.shelf(line.at.game).id(h.position) == line.at)
    };
    let last: Vec<&Line> = kept.iter().copied().filter(|l| !l.new || leads(l)).collect();
    println!("game   new  took first place  not in first three  kept");
    for game in Game::ALL {
        let count = |lines: &[&Line]| lines.iter().filter(|l| l.new && l.at.game == game).count();
        let whole: Vec<&Line> = all.iter().collect();
        let (a, b, c) = (count(&whole), count(&kept), count(&last));
        println!("{:<5} {a:>5} {:>17} {:>19} {c:>5}", game.code(), a - b, b - c);
        let order: Vec<Id> = (0..library.shelf(game).lines().len()).map(|i| library.shelf(game).id(i)).collect();
        let own: Vec<&Line> = last.iter().copied().filter(|l| l.at.game == game).collect();
        write(root, game, &own, &order);
    }
}
