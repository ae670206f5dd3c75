//! `saitei -i`: search while typing, and walk from clause to clause.
//!
//! | question | file |
//! |---|---|
//! | what does a key do? | `state`, `input` |
//! | where do hits and pages come from? | `desk` |
//! | what is said of a clause? | `clause`, `page` |
//! | how does it look? | `draw`, `wide` |

mod clause;
mod desk;
mod draw;
mod input;
mod page;
mod state;
#[cfg(test)]
mod tests;
mod wide;

use std::io::{BufWriter, IsTerminal, Stdout, stdin, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, EnableBracketedPaste, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
};
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};

use desk::Desk;
use state::{Key, State, Step};
use wide::Wide;

use super::{Common, Done, Failure, Outcome, When, complete, open};

/// 端末で、打ちながら条文を探す
///
/// 打つたびに候補が変わる。Enter で条文を開き、Tab で参照を選んで次の条文へ移る。
#[derive(clap::Args)]
pub struct Interactive {
    /// 初めに探す言葉、質問、番号
    #[arg(value_name = "言葉", num_args = 0.., allow_hyphen_values = true, add = complete::terms())]
    query: Vec<String>,
}

impl Interactive {
    pub fn run(&self, common: &Common) -> Done {
        if !stdin().is_terminal() || !stdout().is_terminal() {
            let message = "-i は端末でだけ使えます。ほかの所では saitei find <言葉> を使ってください";
            return Err(Failure(message.to_string()));
        }
        let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        let colour = common.color == When::Always || common.color == When::Auto && !plain;
        let library = open::library(common)?;
        let desk = Desk::new(common, &library)?;
        let mut session = Session::new(desk, &self.query.join(" "));
        on_signals()?;
        let _tidy = Tidy::begin()?;
        session.run(blank()?, colour)?;
        Ok(Outcome::Found)
    }
}

type Glass = Terminal<Wide<CrosstermBackend<BufWriter<Stdout>>>>;

/// The terminal with nothing on it.
fn blank() -> std::io::Result<Glass> {
    // One write per screen: over a slow line half a screen is worse than a late one.
    Terminal::new(Wide(CrosstermBackend::new(BufWriter::with_capacity(1 << 16, stdout()))))
}

/// The state, and the desk that answers its wishes.
struct Session<'a> {
    desk: Desk<'a>,
    state: State,
    /// What is typed has not been looked for yet.
    owed: bool,
}

impl<'a> Session<'a> {
    fn new(desk: Desk<'a>, query: &str) -> Session<'a> {
        Session { desk, state: State::new(query), owed: true }
    }

    fn run(&mut self, mut terminal: Glass, colour: bool) -> Result<(), Failure> {
        loop {
            self.settle()?;
            if REPAINT.swap(false, Ordering::Relaxed) {
                // Asking the terminal to be cleared would ask it where its cursor is.
                terminal = blank()?;
            }
            let size = terminal.size()?;
            self.state.resize(size.width.into(), size.height.into());
            terminal.draw(|frame| draw::draw(frame, &self.state, colour))?;
            // All that has been typed meanwhile is taken in before the next search and the next screen.
            let mut on = self.event(event::read()?)?;
            while on && event::poll(Duration::ZERO)? {
                on = self.event(event::read()?)?;
            }
            if !on {
                return Ok(());
            }
        }
    }

    /// Takes in what the terminal reports; false if it asks for the end.
    fn event(&mut self, event: Event) -> Result<bool, Failure> {
        match event {
            Event::Key(event) if event.kind != KeyEventKind::Release => {
                key(event).map_or(Ok(true), |key| self.key(key))
            }
            // A page has no place for it, and its characters are no commands.
            Event::Paste(text) if self.state.views.is_empty() => {
                text.trim().chars().try_fold(true, |_, c| self.key(Key::Char(c)))
            }
            _ => Ok(true),
        }
    }

    /// Gives a key to the state and fetches what it asks for; false if it asks for the end.
    fn key(&mut self, key: Key) -> Result<bool, Failure> {
        if !key.types() {
            self.settle()?;
        }
        match self.state.key(key) {
            Step::Draw => {}
            Step::Find => self.owed = true,
            Step::Open(place) => self.state.opened(self.desk.page(place)),
            Step::Quit => return Ok(false),
        }
        Ok(true)
    }

    /// Looks for what is typed, unless that was done.
    fn settle(&mut self) -> Result<(), Failure> {
        if std::mem::take(&mut self.owed) {
            let findings = self.desk.find(&self.state.query(), self.state.game)?;
            self.state.found(findings);
        }
        Ok(())
    }
}

/// What a key of the terminal means.
fn key(event: KeyEvent) -> Option<Key> {
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    Some(match event.code {
        KeyCode::Char(c) if control => match c.to_ascii_lowercase() {
            'c' => Key::Quit,
            'p' => Key::Up,
            'n' => Key::Down,
            'g' => Key::Game,
            'h' => Key::Backspace,
            'd' => Key::Delete,
            'w' => Key::EraseWord,
            'u' => Key::EraseLine,
            'a' => Key::Home,
            'e' => Key::End,
            'j' | 'm' => Key::Enter,
            _ => return None,
        },
        KeyCode::Char(_) if event.modifiers.contains(KeyModifiers::ALT) => return None,
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Delete => Key::Delete,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Tab => Key::Tab,
        KeyCode::BackTab => Key::BackTab,
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Esc,
        KeyCode::F(2) => Key::Game,
        _ => return None,
    })
}

/// Leaves the terminal as it was, however the program ends.
struct Tidy;

impl Tidy {
    fn begin() -> std::io::Result<Tidy> {
        // The message of a panic would be lost with the screen on which it is printed: tidy up before it.
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            tidy_up();
            report(info);
        }));
        // Made before anything is changed, so that it is dropped if a change fails.
        let tidy = Tidy;
        take_over()?;
        Ok(tidy)
    }
}

fn take_over() -> std::io::Result<()> {
    IN_DISORDER.store(true, Ordering::Relaxed);
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, Clear(ClearType::All), EnableBracketedPaste)
}

impl Drop for Tidy {
    fn drop(&mut self) {
        tidy_up();
    }
}

/// The terminal is not as we found it.
static IN_DISORDER: AtomicBool = AtomicBool::new(false);

/// The screen is ours again, and nothing on it is as we left it.
static REPAINT: AtomicBool = AtomicBool::new(false);

/// Once only: leaving the screen again would put the cursor over the message of the panic.
fn tidy_up() {
    if !IN_DISORDER.swap(false, Ordering::Relaxed) {
        return;
    }
    // Nothing can be done about a terminal that is gone.
    let _ = execute!(stdout(), DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
}

/// Tidies up when the program is told to end or to stop for a while. Not in the loop: crossterm does not come back
/// from a line gone dead.
fn on_signals() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
        use signal_hook::low_level::{emulate_default_handler, raise};
        let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP])?;
        std::thread::spawn(move || {
            for signal in signals.forever() {
                tidy_up();
                // Ends the program as the signal would have, or stops it until it is continued.
                let _ = emulate_default_handler(signal);
                let _ = take_over();
                REPAINT.store(true, Ordering::Relaxed);
                // The loop waits for an event: that the size may have changed is one.
                let _ = raise(SIGWINCH);
            }
        });
    }
    Ok(())
}
