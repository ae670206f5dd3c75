//! Characters of ambiguous width (※ → ①) take two columns on some terminals and one on others. We give them two, and
//! tell the terminal where to go on, so that the rest of the row is right on both.

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::{Cell, CellDiffOption};
use ratatui::layout::{Position, Size};

/// More than anybody reads at once.
const WIDEST: u16 = 500;
const HIGHEST: u16 = 300;

/// A backend that keeps columns in their places.
pub struct Wide<B>(pub B);

impl<B: Backend> Backend for Wide<B> {
    type Error = B::Error;

    /// The second column of a wide character is blanked first, and then the character is put over it: it stays blank
    /// where the character turns out to be narrow. Coming back for the character makes the backend say where it is,
    /// and so does leaving it.
    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, content: I) -> Result<(), B::Error> {
        let mut cells: Vec<(u16, u16, Cell)> = Vec::new();
        for (x, y, cell) in content {
            if ambiguous(cell) {
                let mut blank = cell.clone();
                blank.set_symbol(" ");
                cells.push((x + 1, y, blank));
            }
            cells.push((x, y, cell.clone()));
        }
        self.0.draw(cells.iter().map(|(x, y, cell)| (*x, *y, cell)))
    }

    fn append_lines(&mut self, n: u16) -> Result<(), B::Error> {
        self.0.append_lines(n)
    }

    fn hide_cursor(&mut self) -> Result<(), B::Error> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> Result<(), B::Error> {
        self.0.show_cursor()
    }

    fn get_cursor_position(&mut self) -> Result<Position, B::Error> {
        self.0.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> Result<(), B::Error> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> Result<(), B::Error> {
        self.0.clear()
    }

    fn clear_region(&mut self, clear_type: ClearType) -> Result<(), B::Error> {
        self.0.clear_region(clear_type)
    }

    /// A terminal may claim any size; every cell of it is kept twice.
    fn size(&self) -> Result<Size, B::Error> {
        let Size { width, height } = self.0.size()?;
        Ok(Size { width: width.min(WIDEST), height: height.min(HIGHEST) })
    }

    fn window_size(&mut self) -> Result<WindowSize, B::Error> {
        self.0.window_size()
    }

    fn flush(&mut self) -> Result<(), B::Error> {
        self.0.flush()
    }
}

/// Drawn in two columns, but not by every terminal.
fn ambiguous(cell: &Cell) -> bool {
    use unicode_width::UnicodeWidthStr;
    matches!(cell.diff_option, CellDiffOption::ForcedWidth(_)) && cell.symbol().width() < 2
}

#[cfg(test)]
mod tests {
    use ratatui::backend::CrosstermBackend;

    use super::*;

    #[test]
    fn the_terminal_is_told_where_to_go_on() {
        let two = CellDiffOption::ForcedWidth(std::num::NonZeroU16::new(2).unwrap());
        let [mut note, mut hand] = [Cell::from('※'), Cell::from('手')];
        note.set_diff_option(two);
        hand.set_diff_option(two);
        let letter = Cell::from('a');
        let cells = [(4, 0, &note), (6, 0, &hand), (8, 0, &letter), (9, 0, &letter)];
        let mut bytes = Vec::new();
        Wide(CrosstermBackend::new(&mut bytes)).draw(cells.into_iter()).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.starts_with("\x1b[1;6H \x1b[1;5H※\x1b[1;7H手\x1b[1;9Haa"), "{text:?}");
    }
}
