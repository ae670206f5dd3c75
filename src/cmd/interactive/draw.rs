//! The state as it looks. No borders: what would frame the text takes room from it, and terminals do not agree on the
//! width of lines.

use std::num::NonZeroU16;

use ratatui::Frame;
use ratatui::buffer::{Buffer, CellDiffOption};
use ratatui::style::{Color, Modifier, Style};

use crate::cmd::screen::{Ink, columns, width, wrap};
use crate::search::snippet::snippet;

use super::page::Mark;
use super::state::{Entry, State, View};

/// Draws the state; `colour` is what the user wants of `--color` and `NO_COLOR`.
pub fn draw(frame: &mut Frame, state: &State, colour: bool) {
    let area = frame.area();
    let mut sheet = Sheet { columns: area.width.into(), rows: area.height.into(), buffer: frame.buffer_mut(), colour };
    let layout = state.layout();
    let cursor = match state.views.last() {
        Some(view) => {
            sheet.page(view, layout.body);
            None
        }
        None => Some(sheet.list(state)),
    };
    if layout.foot {
        sheet.keys(sheet.rows.saturating_sub(1), if cursor.is_some() { &LIST_KEYS } else { &PAGE_KEYS });
    }
    if let Some(column) = cursor {
        frame.set_cursor_position((area.x + (column as u16).min(area.width.saturating_sub(1)), area.y));
    }
}

/// What the keys do, the most needed first: what finds no room is left out. No arrows: their width is anybody's guess.
const LIST_KEYS: [(&str, &str); 5] =
    [("Enter", "開く"), ("上下", "選ぶ"), ("F2", "ゲーム"), ("Esc", "終わる"), ("PgUp/PgDn", "ページ")];
const PAGE_KEYS: [(&str, &str); 7] = [
    ("Tab", "参照"),
    ("Enter", "開く"),
    ("Esc", "戻る"),
    ("上下", "動かす"),
    ("/", "検索"),
    ("Ctrl-C", "終わる"),
    ("Space", "ページ"),
];

/// Where things are put down.
struct Sheet<'a> {
    buffer: &'a mut Buffer,
    columns: usize,
    rows: usize,
    colour: bool,
}

impl Sheet<'_> {
    /// Draws the list and says in which column of the first row the cursor stands.
    fn list(&mut self, state: &State) -> usize {
        let layout = state.layout();
        let cursor = self.input(state);
        let found = &state.findings;
        if found.entries.is_empty() {
            self.message(layout.head, layout.body, &found.note);
            return cursor;
        }
        if layout.head > 1 {
            let count = format!("{}/{}", state.selected + 1, found.entries.len());
            let note = cut(&found.note, self.columns.saturating_sub(count.len() + 1));
            self.text(0, 1, &[(self.style(Ink::Dim), &note)]);
            self.right(1, self.style(Ink::Dim), &count);
        }
        let rows = state.entry_rows();
        let shown = found.entries.iter().enumerate().skip(state.first).take(layout.body / rows);
        for (line, (i, entry)) in shown.enumerate() {
            self.entry(state, entry, layout.head + line * rows, i == state.selected);
        }
        cursor
    }

    /// The line that is typed and the game that is searched.
    fn input(&mut self, state: &State) -> usize {
        let wide = self.columns >= 60;
        let game = match state.game {
            None => if self.columns >= 30 { "全ゲーム" } else { "全" }.to_string(),
            Some(game) if wide => format!("{} {}", game.code(), game.name()),
            Some(game) => game.code().to_string(),
        };
        let label = if self.columns >= 30 { "探す: " } else { "> " };
        let start = self.text(0, 0, &[(self.style(Ink::Label), label)]);
        let end = self.columns.saturating_sub(columns(&game) + 1).max(start);
        let (shown, cursor) = state.input.window(end - start);
        let shown: String = shown.iter().collect();
        self.clipped(start, 0, end, shown.chars().map(|c| (c, self.style(Ink::Bold))).collect());
        self.right(0, self.style(Ink::Number), &game);
        start + cursor
    }

    fn entry(&mut self, state: &State, entry: &Entry, row: usize, selected: bool) {
        let style = |ink| if selected { self.style(ink).add_modifier(Modifier::REVERSED) } else { self.style(ink) };
        let two = state.entry_rows() > 1;
        let printed = entry.printed.as_ref().map(|p| format!("（印刷は{p}）")).unwrap_or_default();
        let title = entry.title.as_ref().map(|t| format!(" {t}")).unwrap_or_default();
        let beside = if two { &entry.path } else { &entry.text };
        let used = columns(&entry.number) + columns(&printed) + columns(&title) + 2;
        let beside = cut(beside, self.columns.saturating_sub(used));
        let title = cut(&title, self.columns.saturating_sub(columns(&entry.number) + columns(&printed)));
        let runs = [
            (style(Ink::Number), entry.number.as_str()),
            (style(Ink::Dim), &printed),
            (style(Ink::Bold), &title),
            (style(Ink::Dim), "  "),
            (style(Ink::Dim), &beside),
        ];
        let (fill, plain) = (style(Ink::Plain), self.style(Ink::Plain));
        let end = self.text(0, row, &runs);
        if selected {
            self.text(end, row, &[(fill, &" ".repeat(self.columns.saturating_sub(end)))]);
        }
        if two {
            // Two marks of omission may stand around what is shown.
            let room = (self.columns.saturating_sub(8) / 2).max(4);
            let found = self.style(Ink::Warn);
            let pieces = snippet(&entry.text, &state.findings.question, room);
            let runs: Vec<(Style, &str)> =
                pieces.iter().map(|(mark, text)| (if *mark { found } else { plain }, text.as_str())).collect();
            self.text(2, row + 1, &runs);
        }
    }

    /// A text in place of the list.
    fn message(&mut self, top: usize, body: usize, text: &str) {
        let chars: Vec<(char, Style)> = text.chars().map(|c| (c, self.style(Ink::Plain))).collect();
        let columns = self.columns;
        let lines = chars.split(|(c, _)| *c == '\n').flat_map(|line| wrap(line, columns, columns));
        for (i, row) in lines.take(body).enumerate() {
            self.clipped(0, top + i, columns, row.to_vec());
        }
    }

    fn page(&mut self, view: &View, body: usize) {
        let bar = self.style(Ink::Bold).add_modifier(Modifier::REVERSED);
        let last = (view.top + body).min(view.rows.len());
        let mut place = format!(" {last}/{}行", view.rows.len());
        if columns(&view.page.number) + columns(&place) > self.columns {
            // The number matters more than how far one has read.
            place.clear();
        }
        let room = self.columns.saturating_sub(columns(&place));
        // Where the document's name has no room, its mark of being cut must not cut the number.
        let title = match room < columns(&view.page.number) + 4 {
            true => view.page.number.clone(),
            false => cut(&format!("{}  {}", view.page.number, view.page.document), room),
        };
        self.text(0, 0, &[(bar, &" ".repeat(self.columns))]);
        self.text(0, 0, &[(bar, &title)]);
        self.right(0, bar, &place);
        for (i, row) in view.rows.iter().skip(view.top).take(body).enumerate() {
            let chars = row.chars.iter().map(|(c, mark)| (*c, self.mark(*mark, view.link))).collect();
            self.clipped(row.margin, i + 1, self.columns, chars);
        }
    }

    fn keys(&mut self, row: usize, keys: &[(&str, &str)]) {
        let bar = self.style(Ink::Plain).add_modifier(Modifier::REVERSED);
        self.text(0, row, &[(bar, &" ".repeat(self.columns))]);
        let mut column = 0;
        for (key, does) in keys {
            let next = column + columns(key) + 1 + columns(does);
            if next > self.columns {
                break;
            }
            self.text(column, row, &[(bar.add_modifier(Modifier::BOLD), key), (bar, " "), (bar, does)]);
            column = next + 2;
        }
    }

    fn style(&self, ink: Ink) -> Style {
        let coloured = |colour| if self.colour { Style::new().fg(colour) } else { Style::new() };
        match ink {
            Ink::Plain => Style::new(),
            Ink::Bold => Style::new().add_modifier(Modifier::BOLD),
            Ink::Dim => Style::new().add_modifier(Modifier::DIM),
            Ink::Number => coloured(Color::Cyan),
            Ink::Label => coloured(Color::Green),
            Ink::Warn if self.colour => coloured(Color::Yellow),
            // What was found must stand out without colours too.
            Ink::Warn => Style::new().add_modifier(Modifier::BOLD),
        }
    }

    fn mark(&self, mark: Mark, selected: Option<usize>) -> Style {
        match mark.link {
            None => self.style(mark.ink),
            link if link == selected => self.style(Ink::Number).add_modifier(Modifier::REVERSED | Modifier::BOLD),
            Some(_) => self.style(Ink::Number).add_modifier(Modifier::UNDERLINED),
        }
    }

    /// Puts a text at the right edge.
    fn right(&mut self, row: usize, style: Style, text: &str) {
        self.text(self.columns.saturating_sub(columns(text)), row, &[(style, text)]);
    }

    /// Puts down runs and says where they end.
    fn text(&mut self, column: usize, row: usize, runs: &[(Style, &str)]) -> usize {
        let chars = runs.iter().flat_map(|(style, text)| text.chars().map(|c| (c, *style))).collect();
        self.clipped(column, row, self.columns, chars)
    }

    /// Puts down characters as far as there is room for whole ones, and says where they end.
    fn clipped(&mut self, mut column: usize, row: usize, end: usize, chars: Vec<(char, Style)>) -> usize {
        let end = end.min(self.columns);
        if row >= self.rows {
            return column;
        }
        let origin = self.buffer.area.as_position();
        let at = |column: usize| (origin.x + column as u16, origin.y + row as u16);
        for (c, style) in chars {
            let wide = width(c);
            if wide == 0 {
                continue;
            }
            if column + wide > end {
                break;
            }
            let cell = &mut self.buffer[at(column)];
            cell.reset();
            cell.set_char(c).set_style(style);
            if wide == 2 {
                // ratatui counts ambiguous characters as one column.
                cell.set_diff_option(CellDiffOption::ForcedWidth(TWO));
                let cell = &mut self.buffer[at(column + 1)];
                cell.reset();
                cell.set_style(style);
            }
            column += wide;
        }
        column
    }
}

const TWO: NonZeroU16 = NonZeroU16::new(2).unwrap();

/// A text in at most so many columns, with a mark where it was cut.
fn cut(text: &str, room: usize) -> String {
    if columns(text) <= room {
        return text.to_string();
    }
    let mut left = room.saturating_sub(width('…'));
    let fits = |c: &char| match left.checked_sub(width(*c)) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    let kept: String = text.chars().take_while(fits).collect();
    if kept.is_empty() { kept } else { kept + "…" }
}
