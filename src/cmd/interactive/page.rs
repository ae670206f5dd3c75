//! What fills the screen when a clause is opened: paragraphs with links, and the rows they make at a width.

use crate::cmd::screen::{Ink, columns, wrap};
use crate::desk::clause::edition;
use crate::desk::rulings;
use crate::text::node::references_in;
use crate::text::{Game, Id, Library};

/// What can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A clause, by its place in the outline.
    Clause(Game, usize),
    /// A reading (`zx:C27`), by its place in the list.
    Reading(Game, usize),
    /// A ruling (`zx:R12`), by its place in the list: its board is run.
    Ruling(Game, usize),
    /// A concept that several games have.
    Concept(usize),
}

impl Place {
    /// The game it belongs to; a concept belongs to several.
    pub fn game(self) -> Option<Game> {
        match self {
            Place::Clause(game, _) | Place::Reading(game, _) | Place::Ruling(game, _) => Some(game),
            Place::Concept(_) => None,
        }
    }

    /// What it is called: `zx 102.4`, `zx C27`, `zx R12`, 手札の上限.
    pub fn name(self, library: &Library) -> String {
        match self {
            Place::Clause(game, index) => format!("{} {}", game.code(), library.shelf(game).id(index).clause),
            Place::Reading(game, index) => {
                format!("{} {}", game.code(), library.shelf(game).readings()[index].id.clause)
            }
            Place::Ruling(game, index) => rulings::name(&library.shelf(game).ruling(index)).replacen(':', " ", 1),
            Place::Concept(index) => library.concept(index).concept,
        }
    }

    /// Where a reference leads, if there is such a place.
    pub fn of(library: &Library, id: &Id) -> Option<Place> {
        let shelf = library.shelf(id.game);
        let reading = || shelf.readings().iter().position(|r| r.id.clause == id.clause);
        let clause = shelf.position(&id.clause).map(|i| Place::Clause(id.game, i));
        clause.or_else(|| reading().map(|i| Place::Reading(id.game, i)))
    }
}

/// How a character looks, and the link that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    pub ink: Ink,
    /// By its place in [`Page::links`].
    pub link: Option<usize>,
}

/// All that is shown of one place.
#[derive(Clone, Debug)]
pub struct Page {
    pub place: Place,
    /// `zx 102.4`
    pub number: String,
    /// The document and its edition.
    pub document: String,
    /// Where the references lead, in reading order.
    pub links: Vec<Place>,
    paragraphs: Vec<Paragraph>,
}

#[derive(Clone, Debug)]
struct Paragraph {
    indent: usize,
    hang: usize,
    chars: Vec<(char, Mark)>,
}

/// A row of the screen.
#[derive(Clone, Debug)]
pub struct Row {
    pub margin: usize,
    pub chars: Vec<(char, Mark)>,
    /// The paragraph it belongs to and how many characters of that stand above it, so that the reader's place survives
    /// another width.
    pub at: (usize, usize),
}

impl Page {
    /// The page wrapped at a width.
    pub fn rows(&self, width: usize) -> Vec<Row> {
        let mut rows = Vec::new();
        for (number, paragraph) in self.paragraphs.iter().enumerate() {
            // On a phone held upright, wide indents would leave no room for the text.
            let (indent, hang) = (paragraph.indent.min(width / 4), paragraph.hang.min(width / 4));
            let (mut margin, mut above) = (indent, 0);
            for row in wrap(&paragraph.chars, width.saturating_sub(indent), width.saturating_sub(indent + hang)) {
                rows.push(Row { margin, chars: row.to_vec(), at: (number, above) });
                (margin, above) = (indent + hang, above + row.len());
            }
        }
        rows
    }
}

/// A run of text with one look.
pub struct Run {
    ink: Ink,
    text: String,
    to: Option<Place>,
}

pub fn run(ink: Ink, text: impl Into<String>) -> Run {
    Run { ink, text: text.into(), to: None }
}

/// Writes a page.
pub struct Pen<'a> {
    library: &'a Library,
    page: Page,
}

/// Text that leads somewhere.
pub fn link(text: impl Into<String>, to: Place) -> Run {
    Run { ink: Ink::Plain, text: text.into(), to: Some(to) }
}

/// Links as a list: 101、102.
pub fn joined(runs: impl Iterator<Item = Run>) -> Vec<Run> {
    runs.flat_map(|link| [run(Ink::Plain, "、"), link]).skip(1).collect()
}

impl<'a> Pen<'a> {
    pub fn new(library: &'a Library, place: Place) -> Pen<'a> {
        let number = place.name(library);
        let document = place.game().map(|game| edition(library.shelf(game))).unwrap_or_default();
        Pen { library, page: Page { place, number, document, links: Vec::new(), paragraphs: Vec::new() } }
    }

    pub fn done(self) -> Page {
        self.page
    }

    /// A text with its references as links.
    pub fn text(&self, ink: Ink, text: &str) -> Vec<Run> {
        let mut runs = Vec::new();
        let mut from = 0;
        for (range, id) in references_in(text) {
            runs.push(run(ink, &text[from..range.start]));
            runs.push(self.numbered(&id));
            from = range.end;
        }
        runs.push(run(ink, &text[from..]));
        runs
    }

    /// A link that shows the number; in another game's document, the game too.
    pub fn numbered(&self, id: &Id) -> Run {
        let text = if Some(id.game) == self.page.place.game() {
            id.clause.to_string()
        } else {
            format!("{} {}", id.game.code(), id.clause)
        };
        Run { ink: Ink::Plain, text, to: Place::of(self.library, id) }
    }

    /// A link that shows number and title.
    pub fn named(&self, id: &Id) -> Run {
        let number = self.numbered(id);
        match number.to {
            Some(Place::Clause(game, i)) => {
                let title = self.library.shelf(game).lines()[i].title.map(|t| format!(" {t}")).unwrap_or_default();
                Run { text: number.text + &title, ..number }
            }
            _ => number,
        }
    }

    /// A labelled paragraph; the labels form a column.
    pub fn label(&mut self, label: &str, runs: Vec<Run>) {
        let pad = " ".repeat(8usize.saturating_sub(columns(label)));
        let label = run(Ink::Label, format!("{label}{pad}"));
        self.put(0, 8, 8, std::iter::once(label).chain(runs).collect());
    }

    /// Lines at one indent.
    pub fn lines(&mut self, indent: usize, runs: Vec<Run>) {
        self.put(indent, 0, indent, runs);
    }

    pub fn line(&mut self, indent: usize, hang: usize, runs: Vec<Run>) {
        self.put(indent, hang, indent + hang, runs);
    }

    pub fn blank(&mut self) {
        // Two blank lines say no more than one.
        if self.page.paragraphs.last().is_some_and(|p| !p.chars.is_empty()) {
            self.line(0, 0, Vec::new());
        }
    }

    /// Puts down runs; each line break in them begins a paragraph at `next`.
    fn put(&mut self, indent: usize, hang: usize, next: usize, runs: Vec<Run>) {
        let mut paragraph = Paragraph { indent, hang, chars: Vec::new() };
        for run in runs {
            let link = run.to.map(|place| {
                self.page.links.push(place);
                self.page.links.len() - 1
            });
            for c in run.text.chars() {
                if c == '\n' {
                    let following = Paragraph { indent: next, hang: 0, chars: Vec::new() };
                    self.page.paragraphs.push(std::mem::replace(&mut paragraph, following));
                } else {
                    paragraph.chars.push((c, Mark { ink: run.ink, link }));
                }
            }
        }
        self.page.paragraphs.push(paragraph);
    }
}
