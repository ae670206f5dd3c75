//! What the screen is about, and what each key does to it. Nothing here reads or writes anything: a [`Step`] says
//! what has to be fetched.

use crate::search::Question;
use crate::text::Game;

use super::input::Input;
use super::page::{Page, Place, Row};

/// What a key means, whatever the terminal calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Backspace,
    Delete,
    /// Deletes the word before the cursor.
    EraseWord,
    /// Deletes all before the cursor.
    EraseLine,
    Left,
    Right,
    Home,
    End,
    Up,
    Down,
    PageUp,
    PageDown,
    Tab,
    BackTab,
    Enter,
    Esc,
    /// The next game.
    Game,
    Quit,
}

impl Key {
    /// Can only change what is typed; the answer may wait until the hands rest.
    pub fn types(self) -> bool {
        matches!(self, Key::Char(_) | Key::Backspace | Key::Delete | Key::EraseWord | Key::EraseLine)
    }
}

/// What has to be done after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing but to draw.
    Draw,
    /// Look for what is typed now.
    Find,
    Open(Place),
    Quit,
}

/// A line of the list.
#[derive(Clone, Debug)]
pub struct Entry {
    pub place: Place,
    /// `zx 102.4`
    pub number: String,
    /// Where the document prints another number.
    pub printed: Option<String>,
    pub title: Option<String>,
    /// The headings above.
    pub path: String,
    pub text: String,
}

/// The answer to what was typed.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// How it was read, how much there is.
    pub note: String,
    pub question: Question,
    pub entries: Vec<Entry>,
}

/// A page that is open.
#[derive(Clone, Debug)]
pub struct View {
    pub page: Page,
    pub rows: Vec<Row>,
    /// The first row on the screen.
    pub top: usize,
    /// The selected link.
    pub link: Option<usize>,
    width: usize,
}

/// Rows of the screen: those above the body, the body, and whether there is one for the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub head: usize,
    pub body: usize,
    pub foot: bool,
}

#[derive(Debug, Default)]
pub struct State {
    size: (usize, usize),
    pub input: Input,
    /// `None`: all games.
    pub game: Option<Game>,
    pub findings: Findings,
    pub selected: usize,
    /// The first entry on the screen.
    pub first: usize,
    /// The pages that were opened, the one on the screen last; empty while the list is shown.
    pub views: Vec<View>,
}

impl State {
    pub fn new(query: &str) -> State {
        let mut state = State::default();
        for c in query.chars() {
            state.input.key(Key::Char(c));
        }
        state
    }

    pub fn query(&self) -> String {
        self.input.chars.iter().collect()
    }

    pub fn key(&mut self, key: Key) -> Step {
        match (key, self.views.is_empty()) {
            (Key::Quit, _) => Step::Quit,
            (_, true) => self.key_in_list(key),
            (_, false) => self.key_in_page(key),
        }
    }

    /// The answer has come.
    pub fn found(&mut self, findings: Findings) {
        self.findings = findings;
        (self.selected, self.first) = (0, 0);
    }

    /// The page has come.
    pub fn opened(&mut self, page: Page) {
        self.views.push(View { page, rows: Vec::new(), top: 0, link: None, width: 0 });
        self.fit();
    }

    pub fn resize(&mut self, columns: usize, rows: usize) {
        self.size = (columns, rows);
        self.fit();
    }

    pub fn layout(&self) -> Layout {
        let rows = self.size.1;
        let foot = rows >= 3;
        let head = if self.views.is_empty() && rows >= ROOMY { 2 } else { rows.min(1) };
        Layout { head, body: rows - head - usize::from(foot), foot }
    }

    /// Rows that an entry of the list takes: its words are shown below it where there is room.
    pub fn entry_rows(&self) -> usize {
        let words = self.findings.entries.iter().any(|entry| !entry.text.is_empty());
        if self.size.1 >= ROOMY && words { 2 } else { 1 }
    }

    fn key_in_list(&mut self, key: Key) -> Step {
        let page = (self.layout().body / self.entry_rows()).max(1);
        let last = self.findings.entries.len().saturating_sub(1);
        match key {
            Key::Up => self.selected = self.selected.saturating_sub(1),
            Key::Down => self.selected = (self.selected + 1).min(last),
            Key::PageUp => self.selected = self.selected.saturating_sub(page),
            Key::PageDown => self.selected = (self.selected + page).min(last),
            Key::Enter => {
                return self.findings.entries.get(self.selected).map_or(Step::Draw, |entry| Step::Open(entry.place));
            }
            Key::Esc => return Step::Quit,
            Key::Game => {
                let next = self.game.map_or(0, |game| game.index() + 1);
                self.game = Game::ALL.get(next).copied();
                return Step::Find;
            }
            key => {
                if self.input.key(key) {
                    return Step::Find;
                }
            }
        }
        self.fit();
        Step::Draw
    }

    fn key_in_page(&mut self, key: Key) -> Step {
        let body = self.layout().body;
        let Some(view) = self.views.last_mut() else { return Step::Draw };
        match key {
            Key::Up => view.top = view.top.saturating_sub(1),
            Key::Down => view.top += 1,
            // A row stays, so that the eye finds its place.
            Key::PageUp => view.top = view.top.saturating_sub(body.saturating_sub(1).max(1)),
            Key::PageDown | Key::Char(' ' | '　') => view.top += body.saturating_sub(1).max(1),
            Key::Home => view.top = 0,
            Key::End => view.top = view.rows.len(),
            Key::Tab => view.next_link(body, true),
            Key::BackTab => view.next_link(body, false),
            Key::Enter | Key::Right => {
                return view.link.map_or(Step::Draw, |link| Step::Open(view.page.links[link]));
            }
            Key::Left | Key::Backspace | Key::Esc => drop(self.views.pop()),
            Key::Char('/' | '／') => self.views.clear(),
            _ => {}
        }
        self.fit();
        Step::Draw
    }

    /// Brings what is shown in line with the size of the screen.
    fn fit(&mut self) {
        let (columns, body) = (self.size.0, self.layout().body);
        if let Some(view) = self.views.last_mut() {
            view.lay_out(columns.min(WIDEST));
            view.top = view.top.min(view.rows.len().saturating_sub(body));
            return;
        }
        let shown = (body / self.entry_rows()).max(1);
        self.first = self.first.clamp((self.selected + 1).saturating_sub(shown), self.selected);
    }
}

/// From this many rows on, the list shows more than bare lines.
const ROOMY: usize = 8;

/// Lines of over 50 Japanese characters are hard to read.
const WIDEST: usize = 100;

impl View {
    fn lay_out(&mut self, width: usize) {
        if self.width == width {
            return;
        }
        let reading = self.rows.get(self.top).map_or((0, 0), |row| row.at);
        self.rows = self.page.rows(width);
        self.width = width;
        self.top = self.rows.partition_point(|row| row.at <= reading).saturating_sub(1);
    }

    /// Selects the next link, or the one before, and brings it into sight. From a selection that was scrolled away,
    /// the next is the first in sight: the key goes on from where the eye is.
    fn next_link(&mut self, body: usize, forward: bool) {
        let count = self.page.links.len();
        if count == 0 {
            return;
        }
        let sight = self.top..self.top + body.max(1);
        let at: Vec<usize> = (0..count).map(|link| self.row_of(link)).collect();
        let link = match (self.link.filter(|link| sight.contains(&at[*link])), forward) {
            (Some(link), true) => (link + 1) % count,
            (Some(link), false) => (link + count - 1) % count,
            (None, true) => at.iter().position(|row| *row >= sight.start).unwrap_or(0),
            (None, false) => at.iter().rposition(|row| *row < sight.end).unwrap_or(count - 1),
        };
        self.link = Some(link);
        let row = at[link];
        if row < sight.start {
            self.top = row;
        } else if row >= sight.end {
            self.top = row + 1 - body.max(1);
        }
    }

    /// The row on which a link begins.
    fn row_of(&self, link: usize) -> usize {
        self.rows.iter().position(|row| row.chars.iter().any(|(_, mark)| mark.link == Some(link))).unwrap_or(0)
    }
}
