//! The interactive mode without a terminal: keys in, screens out.

use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use unicode_width::UnicodeWidthStr;

use crate::cmd::screen::{columns, width};
use crate::cmd::{Common, When, open};
use crate::text::Game;

use super::Session;
use super::desk::Desk;
use super::draw::draw;
use super::page::Place;
use super::state::Key;

/// The sizes that must do: the usual, a corner of a window, a watch.
const SIZES: [(u16, u16); 3] = [(80, 24), (40, 10), (20, 5)];

struct Stage {
    session: Session<'static>,
    terminal: Terminal<TestBackend>,
    /// What was drawn last. The backend's own buffer keeps what wide characters hide.
    drawn: Buffer,
}

impl Stage {
    fn new((columns, rows): (u16, u16), query: &str) -> Stage {
        let common = Common { data: None, color: When::Auto, no_pager: true };
        let library = Box::leak(Box::new(open::library(&common).unwrap()));
        let session = Session::new(Desk::new(&common, library).unwrap(), query);
        let terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        let mut stage = Stage { session, terminal, drawn: Buffer::default() };
        stage.draw();
        stage
    }

    /// Presses keys as the loop would pass them on; false if they end the program.
    fn press(&mut self, keys: &[Key]) -> bool {
        let on = keys.iter().all(|key| self.session.key(*key).unwrap());
        self.draw();
        on
    }

    fn type_in(&mut self, text: &str) {
        let keys: Vec<Key> = text.chars().map(Key::Char).collect();
        assert!(self.press(&keys));
    }

    fn draw(&mut self) {
        self.session.settle().unwrap();
        let size = self.terminal.size().unwrap();
        self.session.state.resize(size.width.into(), size.height.into());
        let frame = self.terminal.draw(|frame| draw(frame, &self.session.state, true)).unwrap();
        self.drawn = frame.buffer.clone();
        assert_whole(&self.drawn);
    }

    fn rows(&self) -> Vec<String> {
        rows(&self.drawn)
    }

    fn says(&self, words: &str) -> bool {
        self.rows().join("\n").contains(words)
    }

    fn cursor(&mut self) -> u16 {
        self.terminal.get_cursor_position().unwrap().x
    }

    fn selected(&self) -> Place {
        self.session.state.findings.entries[self.session.state.selected].place
    }

    fn open_page(&self) -> Option<Place> {
        self.session.state.views.last().map(|view| view.page.place)
    }
}

fn rows(buffer: &Buffer) -> Vec<String> {
    let row = |y: u16| {
        let mut text = String::new();
        let mut x = 0;
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            text.push_str(symbol);
            x += columns(symbol).max(1) as u16;
        }
        text
    };
    (0..buffer.area.height).map(row).collect()
}

/// No character is cut by the right edge or by its neighbour.
fn assert_whole(buffer: &Buffer) {
    for y in 0..buffer.area.height {
        for x in (0..buffer.area.width).filter(|x| columns(buffer[(*x, y)].symbol()) == 2) {
            assert!(x + 1 < buffer.area.width, "{:?}", rows(buffer));
            assert_eq!(buffer[(x + 1, y)].symbol(), " ", "{:?}", rows(buffer));
        }
    }
}

#[test]
fn hits_change_while_typing() {
    for size in SIZES {
        let mut stage = Stage::new(size, "");
        assert!(stage.says("dz 0"), "the contents come first: {:?}", stage.rows());
        stage.type_in("手札");
        let hands = stage.rows();
        stage.press(&[Key::EraseLine]);
        stage.type_in("優先権");
        assert_ne!(hands, stage.rows());
        assert!(stage.rows()[0].contains("優先権"));
        let hits = stage.session.state.findings.entries.len();
        assert!(hits > 20 && stage.says("701.1"), "{hits} {:?}", stage.rows());
    }
}

#[test]
fn from_clause_to_clause_and_back() {
    for size in SIZES {
        let mut stage = Stage::new(size, "");
        stage.type_in("優先権");
        stage.press(&[Key::Down, Key::Down, Key::Down, Key::Up]);
        let (list, selected) = (stage.rows(), stage.selected());
        stage.press(&[Key::Enter]);
        assert_eq!(stage.open_page(), Some(selected));
        let view = stage.session.state.views.last().unwrap();
        let (number, target) = (view.page.number.clone(), view.page.links[1]);
        assert!(stage.rows()[0].starts_with(&number), "{:?}", stage.rows());
        stage.press(&[Key::Tab, Key::Tab]);
        let page = stage.rows();
        stage.press(&[Key::Enter]);
        assert_eq!(stage.open_page(), Some(target));
        stage.press(&[Key::Left]);
        assert_eq!(stage.rows(), page, "the page as it was left");
        assert!(stage.press(&[Key::Esc]));
        assert_eq!((stage.rows(), stage.selected()), (list, selected), "the list as it was left");
        assert!(!stage.press(&[Key::Esc]), "and from there out");
    }
}

#[test]
fn a_page_says_what_there_is() {
    let mut stage = Stage::new((80, 60), "zx 102.4");
    stage.press(&[Key::Enter]);
    for words in [
        "100 ゲームの基礎 › 102 ゲームにおける原則",
        "102.4 〔定義〕",
        "できるかぎり多い回数・個数",
        "用例    102.4#1",
        "持っている1枚だけを捨てる。",
        "読み方  zx:C27",
        "参照元  814.2、1002.4、1007.4、1016.3",
        "前 102.3  次 102.5  上 102",
        "Esc 戻る",
    ] {
        assert!(stage.says(words), "{words}: {:#?}", stage.rows());
    }
    stage.press(&[Key::Tab, Key::Enter]);
    assert!(stage.says("C27 〔読み方〕") && stage.says("理由"), "{:#?}", stage.rows());
}

#[test]
fn rulings_run_and_comparisons_open_on_enter() {
    let mut stage = Stage::new((80, 40), "左右のスケールが同じだとペンデュラム召喚できる？");
    assert!(matches!(stage.selected(), Place::Ruling(g, _) if g.code() == "ygo"), "{:#?}", stage.rows());
    assert!(stage.says("ygo R121 裁定"), "{:#?}", stage.rows());
    stage.press(&[Key::Enter]);
    for words in ["結論", "できない", "決め手", "3.3.21.1", "saitei run ygo:R121"] {
        assert!(stage.says(words), "{words}: {:#?}", stage.rows());
    }
    // The deciding clause is a link.
    stage.press(&[Key::Tab, Key::Enter]);
    assert!(matches!(stage.open_page(), Some(Place::Clause(..))), "{:#?}", stage.rows());
    let entries = |query: &str| Stage::new((80, 40), query).session.state.findings.entries;
    let concept = entries("手札の上限").iter().position(|e| matches!(e.place, Place::Concept(_)));
    let mut stage = Stage::new((80, 40), "手札の上限");
    let keys: Vec<Key> = vec![Key::Down; concept.expect("a comparison is offered")];
    stage.press(&keys);
    stage.press(&[Key::Enter]);
    assert!(stage.says("違い") && stage.says("Z/X"), "{:#?}", stage.rows());
    assert!(matches!(entries("zx R35")[0].place, Place::Ruling(..)));
}

#[test]
fn numbers_are_questions_too() {
    for (typed, shown) in [("１０２の４", "102.4"), ("zx C27", "zx C27"), ("dz 第2部第20章1-6", "dz 2.20.1-6")]
    {
        let stage = Stage::new((80, 24), typed);
        assert!(stage.rows()[2].contains(shown), "{typed}: {:?}", stage.rows());
    }
    assert!(Stage::new((80, 24), "zx 999.99").says("近い番号"));
    assert!(Stage::new((40, 10), "ヷヸヹヺヷヸヹヺ").says("見つかりません"));
}

#[test]
fn the_cursor_stands_behind_what_is_typed() {
    let mut stage = Stage::new((80, 24), "");
    let start = stage.cursor();
    stage.type_in("優先権※a");
    assert_eq!(stage.cursor(), start + 9);
    stage.press(&[Key::Left, Key::Left]);
    assert_eq!(stage.cursor(), start + 6);
    stage.press(&[Key::Home, Key::Delete]);
    assert!(stage.rows()[0].contains(": 先権※a"), "{:?}", stage.rows());
    let mut narrow = Stage::new((20, 5), "");
    narrow.type_in(&"あいうえお".repeat(10));
    assert!(narrow.rows()[0].contains("うえお") && narrow.cursor() < 18, "{:?}", narrow.rows());
    narrow.press(&[Key::Home]);
    assert!(narrow.rows()[0].contains("あいうえ") && narrow.cursor() == 2, "{:?}", narrow.rows());
}

#[test]
fn one_game_at_a_time() {
    let mut stage = Stage::new((80, 24), "優先権");
    assert!(stage.rows()[0].ends_with("全ゲーム"));
    for game in Game::ALL {
        stage.press(&[Key::Down, Key::Game]);
        assert!(stage.rows()[0].ends_with(&format!("{} {}", game.code(), game.name())), "{:?}", stage.rows());
        assert!(stage.session.state.findings.entries.iter().all(|entry| entry.place.game().is_none_or(|g| g == game)));
        assert_eq!(stage.session.state.selected, 0);
    }
    stage.press(&[Key::Game]);
    assert!(stage.rows()[0].ends_with("全ゲーム"));
}

#[test]
fn every_link_is_on_the_page_at_every_width() {
    let stage = Stage::new((80, 24), "");
    let library = open::library(&Common { data: None, color: When::Auto, no_pager: true }).unwrap();
    for shelf in library.shelves() {
        for index in (0..shelf.lines().len()).step_by(11) {
            let page = stage.session.desk.page(Place::Clause(shelf.game, index));
            for columns in [80, 40, 20] {
                let rows = page.rows(columns);
                let mut links: Vec<usize> = rows.iter().flat_map(|r| &r.chars).filter_map(|(_, m)| m.link).collect();
                links.dedup();
                assert_eq!(links, (0..page.links.len()).collect::<Vec<_>>(), "{}", page.number);
                for row in &rows {
                    let used = row.margin + row.chars.iter().map(|(c, _)| width(*c)).sum::<usize>();
                    assert!(used <= columns, "{} at {columns}: {row:?}", page.number);
                }
            }
        }
    }
}

#[test]
fn the_place_survives_another_size() {
    let mut stage = Stage::new((40, 10), "dz 2.23.9-3");
    stage.press(&[Key::Enter, Key::PageDown]);
    let place = |stage: &Stage| {
        let view = stage.session.state.views.last().unwrap();
        view.rows[view.top].at
    };
    let before = place(&stage);
    assert!(before.1 > 0, "in the middle of a paragraph");
    stage.terminal.backend_mut().resize(20, 5);
    stage.draw();
    assert_eq!(place(&stage).0, before.0);
    stage.terminal.backend_mut().resize(40, 10);
    stage.draw();
    assert_eq!(place(&stage).0, before.0);
}

#[derive(Clone, Debug)]
enum Deed {
    Press(Key),
    Resize(u16, u16),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    use Key::*;
    let keys = vec![
        Backspace, Delete, EraseWord, EraseLine, Left, Right, Home, End, Up, Down, PageUp, PageDown, Tab, BackTab, Esc,
        Game,
    ];
    let typed = prop_oneof![
        prop::sample::select("優先権手札のカ1２.第zx#※「-　\u{3099}".chars().collect::<Vec<_>>()),
        any::<char>()
    ];
    let deed = prop_oneof![
        2 => typed.prop_map(|c| Deed::Press(Char(c))),
        6 => prop::sample::select(keys).prop_map(Deed::Press),
        4 => prop::sample::select(vec![Enter, Tab, Enter, Down, BackTab]).prop_map(Deed::Press),
        1 => (1..100u16, 1..30u16).prop_map(|(columns, rows)| Deed::Resize(columns, rows)),
    ];
    prop::collection::vec(deed, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_key_at_any_size_is_too_much(deeds in deeds(), columns in 1..100u16, rows in 1..30u16) {
        let mut stage = Stage::new((columns, rows), "優先権");
        for deed in deeds {
            match deed {
                Deed::Press(key) => drop(stage.session.key(key).unwrap()),
                Deed::Resize(columns, rows) => {
                    stage.terminal.backend_mut().resize(columns, rows);
                    stage.draw();
                }
            }
            // Searching at once after each character would take the time of the test.
            if !stage.session.owed {
                stage.draw();
            }
        }
        stage.draw();
        let size = stage.terminal.size().unwrap();
        // A page has no cursor.
        prop_assert!(stage.open_page().is_some() || stage.cursor() < size.width);
        prop_assert!(stage.rows().iter().all(|row| row.width() <= usize::from(size.width)));
    }
}
