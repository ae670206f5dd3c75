//! Where the state's wishes are answered: the library, the index and the imported documents.

use std::cell::RefCell;

use crate::cmd::boards::{Boards, board, failure};
use crate::cmd::show::Officials;
use crate::cmd::{Common, Failure, open};
use crate::scenario::WhatIf;
use crate::search::{Answer, Filter, Question, Searcher, index};
use crate::text::kana::normal;
use crate::text::node::plain;
use crate::text::numbers::{self, Named};
use crate::text::query;
use crate::text::{Game, Library, Ruling};

use super::clause::{Played, page};
use super::page::{Page, Place};
use super::state::{Entry, Findings};

/// How many clauses stand before what else deals with the question.
const FIRST: usize = 3;

/// Nobody looks further; a better question is faster.
const MOST: usize = 100;

pub struct Desk<'a> {
    library: &'a Library,
    searcher: Searcher<'a>,
    officials: Officials,
    boards: RefCell<Boards>,
}

impl<'a> Desk<'a> {
    pub fn new(common: &Common, library: &'a Library) -> Result<Desk<'a>, Failure> {
        let boards = RefCell::new(Boards::open(common)?);
        Ok(Desk { library, searcher: open::searcher(common, library)?, officials: Officials::new(), boards })
    }

    pub fn page(&self, place: Place) -> Page {
        page(self.library, &self.officials, place, &|ruling| self.run(ruling))
    }

    /// Numbers first, then words; nothing typed is the way in by the contents.
    pub fn find(&self, typed: &str, game: Option<Game>) -> Result<Findings, Failure> {
        if typed.trim().is_empty() {
            return Ok(self.contents(game));
        }
        let games = game.map_or_else(open::games, |game| vec![game]);
        let numbers = numbers::look_up(self.library, typed, &games).unwrap_or_default();
        let places: Vec<Place> = numbers.named.iter().flat_map(|named| self.numbered(named, game)).collect();
        if !places.is_empty() {
            let note = format!("番号 {}件", places.len());
            return Ok(self.findings(note, Question::default(), places));
        }
        // While a number is being typed, its neighbours say more than clauses in which its digits stand.
        let mut items = numbers.named.iter().map(|named| &named.item).filter(|item| !item.from.steps.is_empty());
        if let Some(item) = items.find(|item| item.game.is_some() || item.from.steps.len() > 1) {
            let near = query::nearest(self.library, item.game.or(game), &item.from, 10);
            let near = near.into_iter().map(|found| Place::Clause(found.game, found.index)).collect();
            let note = format!("「{}」という条文はありません。近い番号:", typed.trim());
            return Ok(self.findings(note, Question::default(), near));
        }
        // A game that is typed counts more than the one selected.
        let game = Game::spoken(&normal(typed)).map(|(named, _)| named).or(game);
        let filter = Filter { games: game.into_iter().collect(), likely: open::likely(), ..Filter::default() };
        let answer = self.searcher.find(typed, &filter).map_err(|_| Failure("索引を読めません".to_string()))?;
        if answer.hits.is_empty() {
            return Ok(self.nothing(typed));
        }
        let places = self.ordered(&answer);
        Ok(self.findings(note(&answer), answer.question, places))
    }

    /// The rulings that answer, the clauses, and after the first of them what else deals with it.
    fn ordered(&self, answer: &Answer) -> Vec<Place> {
        let place = |ruling: &Ruling| {
            let game = ruling.id.split(':').next().and_then(Game::from_name)?;
            let at = self.library.shelf(game).rulings().iter().position(|r| r.path == ruling.path)?;
            Some(Place::Ruling(game, at))
        };
        let mut places: Vec<Place> =
            crate::desk::find::answering(self.library, answer).iter().filter_map(place).collect();
        let beside = answer.beside.iter().filter_map(|place| match *place {
            index::Place::Reading(game, i) => Some(Place::Reading(game, i)),
            index::Place::Ruling(game, i) => Some(Place::Ruling(game, i)),
            index::Place::Concept(i) => Some(Place::Concept(i)),
            _ => None,
        });
        let clauses: Vec<Place> = answer.hits.iter().map(|hit| Place::Clause(hit.game, hit.position)).collect();
        let (first, rest) = clauses.split_at(clauses.len().min(FIRST));
        for place in first.iter().copied().chain(beside).chain(rest.iter().copied()) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// Runs the board of a ruling.
    fn run(&self, ruling: &Ruling) -> Played {
        let mut boards = self.boards.borrow_mut();
        let (path, text) = boards.of(ruling).cloned().ok_or("盤面がありません")?;
        let scenario = board(&path, &text).map_err(|f| f.0)?;
        let store = boards.store(scenario.book).map_err(|f| f.0)?;
        let desk = crate::desk::Desk { scenario: &scenario, store, library: self.library };
        desk.page(&WhatIf::default(), false).map_err(|notes| failure(&scenario, &notes).0)
    }

    /// The clauses, the readings or the rulings that a number names. A game that is typed counts more than the one selected.
    fn numbered(&self, named: &Named, game: Option<Game>) -> Vec<Place> {
        let clauses = named.found.iter().map(|found| Place::Clause(found.game, found.index));
        let mut places: Vec<Place> = clauses.collect();
        let games = named.item.game.or(game).map_or_else(open::games, |game| vec![game]);
        for shelf in games.into_iter().map(|game| self.library.shelf(game)) {
            if !places.iter().any(|place| place.game() == Some(shelf.game)) {
                let same = |r: &crate::text::Reading| r.id.clause.steps() == named.item.from.steps;
                let reading = shelf.readings().iter().position(same);
                places.extend(reading.map(|i| Place::Reading(shelf.game, i)));
                let id = format!("{}:{}", shelf.game.code(), named.item.from.text.replace('.', ""));
                let ruling = shelf.rulings().iter().position(|r| r.id.eq_ignore_ascii_case(&id));
                places.extend(ruling.map(|i| Place::Ruling(shelf.game, i)));
            }
        }
        places
    }

    /// The chapters.
    fn contents(&self, game: Option<Game>) -> Findings {
        let shelves = self.library.shelves().filter(|shelf| game.is_none_or(|game| game == shelf.game));
        let top = shelves.flat_map(|shelf| {
            let lines = shelf.lines().iter().enumerate().filter(|(_, line)| line.parent.is_none());
            lines.map(|(i, _)| Place::Clause(shelf.game, i))
        });
        let note = "言葉、質問、番号を打つと候補が出ます。下は目次です".to_string();
        let mut findings = self.findings(note, Question::default(), top.collect());
        // Titles alone, a line each.
        findings.entries.iter_mut().for_each(|entry| entry.text.clear());
        findings
    }

    fn nothing(&self, typed: &str) -> Findings {
        let near = crate::desk::term::nearest(self.library, typed);
        let near = if near.is_empty() { String::new() } else { format!("\n近い用語: {}", near.join("、")) };
        let note = format!("「{}」は見つかりません{near}", typed.trim());
        self.findings(note, Question::default(), Vec::new())
    }

    fn findings(&self, note: String, question: Question, places: Vec<Place>) -> Findings {
        let entries = places.into_iter().take(MOST).map(|place| self.entry(place)).collect();
        Findings { note, question, entries }
    }

    fn entry(&self, place: Place) -> Entry {
        let number = place.name(self.library);
        let plainly = |title: &str, text: String| Entry {
            place,
            number: number.clone(),
            printed: None,
            title: Some(title.to_string()),
            path: String::new(),
            text: text.replace('\n', " "),
        };
        match place {
            Place::Clause(game, index) => {
                let shelf = self.library.shelf(game);
                let line = &shelf.lines()[index];
                let path: Vec<&str> = shelf.path(index).iter().filter_map(|&i| shelf.lines()[i].title).collect();
                Entry {
                    place,
                    number,
                    printed: line.printed.filter(|_| line.numbered()).map(str::to_string),
                    title: line.title.map(str::to_string),
                    path: path.join(" › "),
                    text: plain(shelf.node(index).text.as_deref().unwrap_or_default()).replace('\n', " "),
                }
            }
            Place::Reading(game, index) => {
                plainly("読み方", plain(&self.library.shelf(game).readings()[index].question))
            }
            Place::Ruling(game, index) => plainly("裁定", self.library.shelf(game).ruling(index).title),
            Place::Concept(index) => plainly("比較", plain(&self.library.concept(index).differs)),
        }
    }
}

/// How the question was read, and how many clauses of each game there are to look at.
fn note(answer: &Answer) -> String {
    let counts: Vec<String> =
        answer.counts.iter().filter(|(_, n)| *n > 0).map(|(game, n)| format!("{} {n}", game.code())).collect();
    if let Some(doubt) = crate::desk::find::doubt(answer) {
        return doubt;
    }
    let read = &answer.question.notes;
    let read = if read.is_empty() { String::new() } else { format!("{} と読みました。", read.join("、")) };
    format!("{read}候補 {}", counts.join("・"))
}
