//! `/coverage/zx`: the document as a map, each clause a cell.

use std::collections::BTreeMap;

use maud::html;

use super::house::book;
use super::{Answer, Ask, House, Made, Page, address};
use crate::desk::clause::{edition, name};
use crate::desk::coverage::{Account, Row, examples, json, rows};
use crate::text::{Game, Kind};

impl House<'_> {
    pub(super) fn coverage(&self, ask: &Ask, game: Game) -> Answer {
        let book = book(game)?;
        let checked = self.checked(book)?;
        let rows = rows(book.code(), checked);
        if ask.json {
            let examples = examples(self.library, book.code(), checked);
            return Ok(Made::Data(json(self.library, book.code(), &rows, &examples)));
        }
        let shelf = self.library.shelf(game);
        let mut counts: BTreeMap<Cell, usize> = BTreeMap::new();
        let mut chapters: Vec<(usize, Vec<(usize, Cell)>)> = Vec::new();
        for (at, line) in shelf.lines().iter().enumerate() {
            if line.depth == 0 || chapters.is_empty() {
                chapters.push((at, Vec::new()));
            }
            if line.kind == Kind::Heading {
                continue;
            }
            let node = shelf.node(at);
            let row = rows.get(&node.id.to_string());
            let cell = Cell::of(Account::of(&node, row), row);
            *counts.entry(cell).or_default() += 1;
            if let Some((_, cells)) = chapters.last_mut() {
                cells.push((at, cell));
            }
        }
        let all: usize = counts.values().sum();
        let main = html! {
            h1 { (game.name()) "の網羅" }
            p class="dim" { (edition(shelf)) " 条文 " (all) "、裁定 " (checked.len()) }
            ul class="key" { @for cell in Cell::ALL { li { span class=(format!("cell {}", cell.class())) { (cell.mark()) } " " (cell.words()) " " (counts.get(&cell).copied().unwrap_or(0)) } } }
            @for (at, cells) in chapters.iter().filter(|(_, cells)| !cells.is_empty()) {
                section class="chapter" {
                    h2 { a href=(address::clause(&shelf.id(*at))) { (name(shelf, *at)) } }
                    ul class="map" { @for (i, cell) in cells {
                        @let clause = shelf.line(*i).clause;
                        li { a class=(format!("cell {}", cell.class())) href=(address::of_clause(game, clause)) title=(format!("{clause} {}", cell.words())) { (cell.mark()) (clause) } }
                    } }
                }
            }
        };
        Ok(Page::of(format!("{} 網羅", game.name()), Some(game), main))
    }
}

/// What is shown of a clause.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    Decisive,
    Reached,
    Executed,
    ByAnother,
    Nothing,
    Left,
}

impl Cell {
    const ALL: [Cell; 6] = [Cell::Decisive, Cell::Reached, Cell::Executed, Cell::ByAnother, Cell::Nothing, Cell::Left];

    fn of(account: Account, row: Option<&Row>) -> Cell {
        match row {
            Some(row) if !row.decisive.is_empty() => Cell::Decisive,
            Some(row) if !row.reached.is_empty() => Cell::Reached,
            _ => match account {
                Account::Executed | Account::Touched => Cell::Executed,
                Account::ByAnother => Cell::ByAnother,
                Account::Nothing => Cell::Nothing,
                Account::Left => Cell::Left,
            },
        }
    }

    fn words(self) -> &'static str {
        match self {
            Cell::Decisive => "裁定の決め手になる",
            Cell::Reached => "裁定が通る",
            Cell::Executed => "動くが、まだ通らない",
            Cell::ByAnother => "別の条文が行う",
            Cell::Nothing => "行うことがない",
            Cell::Left => "まだ動かない",
        }
    }

    /// Told apart without colours too.
    fn mark(self) -> &'static str {
        match self {
            Cell::Decisive => "◆",
            Cell::Reached => "●",
            Cell::Executed => "○",
            Cell::ByAnother => "→",
            Cell::Nothing => "－",
            Cell::Left => "×",
        }
    }

    fn class(self) -> &'static str {
        match self {
            Cell::Decisive => "decisive",
            Cell::Reached => "reached",
            Cell::Executed => "executed",
            Cell::ByAnother => "another",
            Cell::Nothing => "nothing",
            Cell::Left => "left",
        }
    }
}
