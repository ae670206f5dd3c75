//! The table as a picture: cards where they lie, turned when turned, face down when hidden, what changed marked.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::kernel::Rulebook;
use crate::scenario::{Board, Pile, Player, Shown, Square};

/// How many cards of a pile are drawn, and of one that nobody may look into.
const DRAWN: usize = 14;
const CLOSED: usize = 3;
/// How many numbers a card shows.
const NUMBERS: usize = 3;

/// A table to draw, with the one to compare it with.
pub struct Picture<'a> {
    pub board: &'a Board,
    pub book: &'a dyn Rulebook,
    /// Where each card lay before, and how.
    was: BTreeMap<&'a str, (&'a str, &'a Shown)>,
    /// Where a tap on a card leads.
    pub tap: Option<&'a dyn Fn(&str) -> String>,
}

/// Every card of a table by what it is called, with where it lies.
fn places(board: &Board) -> BTreeMap<&str, (&str, &Shown)> {
    let squares = board.squares.iter().flat_map(|s| s.cards.iter().map(move |c| (s.zone.as_str(), c)));
    let piles = board.shared.iter().chain(board.players.iter().flat_map(|p| &p.zones));
    let piles = piles.flat_map(|p| p.cards.iter().map(move |c| (p.zone.as_str(), c)));
    squares.chain(piles).map(|(zone, card)| (card.label.as_str(), (zone, card))).collect()
}

impl<'a> Picture<'a> {
    pub fn new(board: &'a Board, before: Option<&'a Board>, book: &'a dyn Rulebook) -> Picture<'a> {
        Picture { board, book, was: before.map(places).unwrap_or_default(), tap: None }
    }

    pub fn draw(&self, name: &str) -> Markup {
        let board = self.board;
        let whose = match (&board.winner, &board.priority) {
            (Some(winner), _) => format!("勝者 {winner}"),
            (None, Some(who)) => format!("優先権 {who}"),
            (None, None) => String::new(),
        };
        let step = if board.step.is_empty() { String::new() } else { format!("・{}", board.step) };
        html! {
            figure class="board" aria-label=(name) {
                figcaption { b { (name) } " 第" (board.turn) "ターン " (board.active) " " (board.phase) (step) " " (whose) }
                @if let Some(b) = board.players.get(1) { (self.player(b)) }
                (self.squares())
                @if !board.stack.is_empty() {
                    div class="pile stack" { h3 { "解決を待つもの（上から）" } ol { @for item in &board.stack { li { (item) } } } }
                }
                @for pile in &board.shared { (self.pile(pile)) }
                @if let Some(a) = board.players.first() { (self.player(a)) }
                p class="legend dim" { (self.legend()) }
            }
        }
    }

    fn legend(&self) -> String {
        let states = self.book.schema().states;
        let turned: Vec<&str> = states.iter().skip(1).copied().filter(|s| !s.is_empty()).collect();
        let turned = if turned.is_empty() { String::new() } else { format!("横向き＝{}、", turned.join("・")) };
        let changed = if self.was.is_empty() { "" } else { "、★＝変わったもの" };
        format!("{turned}縞＝裏向き・伏せられた場所{changed}")
    }

    /// The zones in play by their geometry; a game without one has the sides opposite each other.
    fn squares(&self) -> Markup {
        let squares = &self.board.squares;
        let flat = squares.iter().all(|s| (s.x, s.y) == (squares[0].x, squares[0].y));
        if squares.is_empty() {
            return html! {};
        }
        if flat {
            let mut sorted: Vec<&Square> = squares.iter().collect();
            let second = self.board.players.get(1).map(|p| format!("{}.", p.name)).unwrap_or_default();
            sorted.sort_by_key(|s| !s.zone.starts_with(&second));
            return html! { div class="rows" { @for s in sorted { (self.square(s, String::new())) } } };
        }
        let (left, top) =
            (squares.iter().map(|s| s.x).min().unwrap_or(0), squares.iter().map(|s| s.y).max().unwrap_or(0));
        let columns = squares.iter().map(|s| s.x).max().unwrap_or(0) - left + 1;
        let mut sorted: Vec<&Square> = squares.iter().collect();
        sorted.sort_by_key(|s| (-s.y, s.x));
        html! {
            div class=(format!("grid g{columns}")) role="region" aria-label="場" tabindex="0" {
                @for s in sorted { (self.square(s, format!("c{} r{}", s.x - left + 1, top - s.y + 1))) }
            }
        }
    }

    fn square(&self, square: &Square, place: String) -> Markup {
        html! {
            div class=(format!("square {place}{}", if square.cards.is_empty() { " empty" } else { "" })) {
                h3 { (square.zone) }
                div class="cards" { @for card in &square.cards { (self.card(card, &square.zone, false)) } }
            }
        }
    }

    fn player(&self, player: &Player) -> Markup {
        let piles: Vec<&Pile> = player.zones.iter().filter(|p| p.count > 0).collect();
        html! {
            div class="player" {
                p class="who" { b { (player.name) } @for (fact, n) in &player.facts { " " span class="fact" { (fact) " " (n) } } }
                div class="piles" { @for pile in piles { (self.pile(pile)) } }
            }
        }
    }

    fn pile(&self, pile: &Pile) -> Markup {
        let most = if pile.closed { CLOSED } else { DRAWN };
        let rest = pile.count - pile.cards.len().min(most);
        html! {
            div class="pile" {
                h3 { (pile.zone) " " (pile.count) }
                div class="cards" {
                    @for card in pile.cards.iter().take(most) { (self.card(card, &pile.zone, pile.closed)) }
                    @if rest > 0 { span class="card down rest" { "ほか" (rest) } }
                }
            }
        }
    }

    fn card(&self, card: &Shown, zone: &str, hidden: bool) -> Markup {
        let turned = !card.state.is_empty() && self.book.schema().states.first() != Some(&card.state.as_str());
        let down = !card.face_up || hidden;
        let changed = !self.was.is_empty() && self.was.get(card.label.as_str()) != Some(&(zone, card));
        let mut class = format!("card s{}", if card.controller == self.book.schema().seats[0] { "a" } else { "b" });
        for (so, word) in [(turned, " turned"), (down, " down"), (changed, " changed")] {
            class.push_str(if so { word } else { "" });
        }
        let also = card.name != card.label && !card.label.starts_with(&format!("{}#", card.name));
        let inside = html! {
            @if changed { span class="star" aria-label="変わった" { "★" } }
            b { (card.label) }
            @if also { span class="name" { (card.name) } }
            @if turned || down { span class="state" { @if turned { (card.state) } @if turned && !card.face_up { "・" } @if !card.face_up { "裏" } @else if hidden && !turned { "伏せ" } } }
            @for (name, n) in card.numbers.iter().take(NUMBERS) { span class="n" { (name) (n) } }
            @for (name, n) in &card.markers { span class="n" { (name) (n) } }
            @if let Some((how, host)) = &card.with { span class="n" { (host) "の" (how) } }
        };
        html! {
            @match self.tap {
                Some(tap) => a class=(class) href=(tap(&card.label)) { (inside) },
                None => span class=(class) { (inside) },
            }
        }
    }
}
