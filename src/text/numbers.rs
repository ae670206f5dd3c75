//! Clause numbers in what people type, whatever surrounds them: the names of game and document, politeness, blanks for
//! dots, a dot left out, a word beside the number, a printed page.
//!
//! A notation can have several readings; that one is meant whose clauses exist.

use super::clause::{Step, steps};
use super::game::Game;
use super::kana::fold;
use super::library::{Library, Shelf};
use super::query::{Found, Item, Number, find, find_number, kanji_numerals, normal, read_for, read_number};

/// What was named by number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    pub named: Vec<Named>,
    /// The words that stand beside the number.
    pub words: String,
}

/// A number or range, and the clauses that it means; none if there are none.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    pub item: Item,
    pub found: Vec<Found>,
}

impl Numbers {
    fn of(named: Vec<Named>) -> Numbers {
        Numbers { named, words: String::new() }
    }

    /// All clauses that were named, in the order of the numbers.
    pub fn found(&self) -> impl Iterator<Item = Found> {
        self.named.iter().flat_map(|n| n.found.iter().copied())
    }

    fn complete(&self) -> bool {
        self.named.iter().all(|n| !n.found.is_empty())
    }
}

/// What people write before a number.
const BEFORE: [&str; 30] = [
    "付録",
    "appendix",
    "総合ルールブック",
    "総合ルール",
    "総合規則",
    "公式ルールブック",
    "完全ルールブック",
    "パーフェクトルールブック",
    "ルールブック",
    "マスタールール",
    "ルール番号",
    "ルール",
    "条文番号",
    "条文",
    "条項",
    "項目",
    "番号",
    "規則",
    "rulebook",
    "rules",
    "rule",
    "comprehensive",
    "cr",
    "no.",
    "no",
    "#",
    "§",
    "見たいのは",
    "これ",
    "『",
];

/// What people write behind it; the longer before the shorter.
const BEHIND: [&str; 48] = [
    "って何が書いてある",
    "には何が書いてある",
    "に何が書いてある",
    "に書いてあること",
    "はどういう意味",
    "ってどういう意味",
    "ってどんなルール",
    "ってどういうルール",
    "はどんなルール",
    "ってなんだっけ",
    "って何だっけ",
    "って何ですか",
    "とは何ですか",
    "は何ですか",
    "について教えて",
    "を教えてください",
    "を教えて",
    "教えて",
    "ください",
    "について",
    "に関して",
    "に関する",
    "って何",
    "ってなに",
    "ってなん",
    "とは何",
    "とは",
    "は何",
    "って",
    "の内容",
    "の条文",
    "の説明",
    "の意味",
    "の全文",
    "の本文",
    "の例",
    "を見せて",
    "を見たい",
    "が見たい",
    "を表示",
    "を参照",
    "参照",
    "はどこ",
    "を読む",
    "です",
    "だっけ",
    "を",
    "は",
];

/// Reads a query that names clauses by number; `None` when it is something else. The games are those to look in, the
/// likeliest first; a game that is named counts more.
pub fn look_up(library: &Library, typed: &str, games: &[Game]) -> Option<Numbers> {
    let text = normal(typed);
    let (before, rest) = without_lead(&text);
    let (behind, rest) = without_tail(rest);
    let game = before.or(behind);
    let games = game.map_or(games.to_vec(), |game| vec![game]);
    let search = Look { library, game, games };
    let found = search.page(rest).or_else(|| search.preamble(rest)).or_else(|| search.plain(rest));
    found.map(|numbers| search.as_printed(numbers, rest)).or_else(|| search.beside(rest))
}

/// Takes away what stands before the number, and says which game it names.
fn without_lead(text: &str) -> (Option<Game>, &str) {
    let (mut game, mut rest) = (None, text);
    loop {
        rest = rest.trim_start_matches([' ', ',', ';', ':', '.', '「', '<', '_']);
        if let Some((named, after)) = Game::prefix(rest) {
            (game, rest) = (Some(named), after);
        } else if let Some(after) = BEFORE.iter().find_map(|word| rest.strip_prefix(word)) {
            rest = after.trim_start_matches(['の', ' ', ':', '.', '-']);
        } else if let Some(after) = rest.strip_prefix("version").or_else(|| rest.strip_prefix("ver")) {
            rest = after.trim_start_matches(['.', ' ']).trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        } else {
            return (game, rest);
        }
    }
}

/// Takes away what stands behind the number.
fn without_tail(text: &str) -> (Option<Game>, &str) {
    let (mut game, mut rest) = (None, text);
    loop {
        let before = rest;
        rest = rest.trim_end_matches([' ', ',', ';', ':', '.', '?', '!', '」', '』', '>', '…']);
        if rest.ends_with(')') && !rest.contains('(') {
            rest = &rest[..rest.len() - 1];
        }
        if let Some((named, start)) = Game::suffix(rest) {
            (game, rest) = (Some(named), start);
        }
        rest = BEHIND.iter().find_map(|word| rest.strip_suffix(word)).unwrap_or(rest);
        if rest == before {
            return (game, rest);
        }
    }
}

struct Look<'a> {
    library: &'a Library,
    game: Option<Game>,
    games: Vec<Game>,
}

impl Look<'_> {
    /// Numbers and nothing else.
    fn plain(&self, rest: &str) -> Option<Numbers> {
        let join = |marks: &[char]| {
            let parts: Vec<&str> = rest.split(marks).filter(|p| !p.is_empty()).collect();
            let number = (parts.len() > 1).then(|| read_number(&parts.join(".")))??;
            self.one(number)
        };
        // 「102 4」 is 102.4 if there is such a clause, as 「102.4 103」 is not.
        if let Some(joined) = join(&[' ', '・']) {
            return Some(joined);
        }
        if let Some(exactly) = read_number(rest).filter(|n| n.example.is_none()).and_then(|n| self.one(n)) {
            return Some(exactly);
        }
        let list =
            read_for(rest, self.game).map(|items| Numbers::of(items.into_iter().map(|i| self.name(i)).collect()));
        // 「801,4,3,3」 has commas for dots, 「801,802」 has two clauses.
        let first = rest.find(',').unwrap_or(0);
        let shorter = rest.split(',').skip(1).any(|part| !part.trim().is_empty() && part.trim().len() < first);
        if list.as_ref().is_some_and(Numbers::complete) {
            return join(&[' ', '・', ',']).filter(|_| shorter).or(list);
        }
        join(&[' ', '・', ',']).or_else(|| self.in_part(rest)).or_else(|| self.squeezed(rest)).or(list)
    }

    /// Documents write their numbers with different marks: the game comes first that prints what was typed.
    fn as_printed(&self, mut numbers: Numbers, typed: &str) -> Numbers {
        let typed = kanji_numerals(typed);
        let printed = |found: &Found| {
            self.library.shelf(found.game).lines()[found.index].numbers().any(|number| typed.contains(number))
        };
        for named in numbers.named.iter_mut().filter(|n| n.item.to.is_none()) {
            let as_typed: Vec<Game> =
                named.found.iter().filter(|found| printed(found)).map(|found| found.game).collect();
            named.found.sort_by_key(|found| !as_typed.contains(&found.game));
        }
        numbers
    }

    /// The clauses of an item, in the game that it names or in all.
    fn name(&self, item: Item) -> Named {
        let games = item.game.map_or(self.games.clone(), |game| vec![game]);
        let found = games.iter().flat_map(|&game| {
            find(self.library.shelf(game), &item).into_iter().map(move |index| Found { game, index })
        });
        let found = found.collect();
        Named { item, found }
    }

    /// Exactly this number, if there is one.
    fn one(&self, number: Number) -> Option<Numbers> {
        let find = |game: &Game| {
            let game = *game;
            find_number(self.library.shelf(game), &number).into_iter().map(move |index| Found { game, index })
        };
        let found: Vec<Found> = self.games.iter().flat_map(find).collect();
        let item = Item { game: self.game, from: number, to: None };
        (!found.is_empty()).then(|| Numbers::of(vec![Named { item, found }]))
    }

    /// 「1024」: the dots are left out, and only one clause of a game has these digits.
    fn squeezed(&self, rest: &str) -> Option<Numbers> {
        let number = read_number(rest).filter(|n| n.example.is_none())?;
        let squeeze = |text: &str| {
            let kept = text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
            kept.trim_start_matches('0').to_string()
        };
        let wanted = squeeze(&number.text);
        if wanted.len() < 3 {
            return None;
        }
        let only = |game: &Game| {
            let lines = self.library.shelf(*game).lines();
            let mut same = (0..lines.len()).filter(|&i| lines[i].numbers().any(|n| squeeze(n) == wanted));
            same.next().filter(|_| same.next().is_none()).map(|index| Found { game: *game, index })
        };
        let found: Vec<Found> = self.games.iter().filter_map(only).collect();
        let item = Item { game: self.game, from: number, to: None };
        (!found.is_empty()).then(|| Numbers::of(vec![Named { item, found }]))
    }

    /// A number with words beside it: 「102.4 手札」, 「902 リロードエフェクト」.
    fn beside(&self, rest: &str) -> Option<Numbers> {
        if let (None, Some((game, rest))) = (self.game, Game::spoken(rest)) {
            return Look { library: self.library, game: Some(game), games: vec![game] }.beside(&rest);
        }
        let bytes = rest.as_bytes();
        let part = |c: char| c.is_ascii_digit() || c.is_ascii_lowercase() || ".-()".contains(c);
        let begins = |&at: &usize| bytes[at].is_ascii_digit() && !rest[..at].ends_with(part);
        for start in (0..bytes.len()).filter(begins) {
            let run: usize = rest[start..].chars().take_while(|c| part(*c)).map(char::len_utf8).sum();
            let text = rest[start..start + run].trim_end_matches(['.', '-', '(']);
            let after = &rest[start + run..];
            // 「2.5倍」 and 「3-1枚」 are no numbers of clauses.
            let counted = after.starts_with(|c: char| c.is_alphanumeric() && !('ぁ'..='ん').contains(&c))
                && !after.starts_with(['条', '項', '節', '号', '番']);
            let Some(number) = read_number(text).filter(|_| !counted) else { continue };
            let apart = !rest[..start].ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
            // 「1.5を選ぶ」 is no clause either.
            let long = number.steps.len() > 2 || matches!(number.steps[0], Step::Number(n) if n > 99);
            let dotted = number.steps.len() > 1 && (long || text.contains('.') && apart);
            let Some(mut numbers) = self.one(number) else { continue };
            let words =
                format!("{} {}", &rest[..start], after.trim_start_matches(['条', '項', '節', '号', '番', 'の', 'で']));
            numbers.words =
                BEFORE.iter().fold(words.trim().to_string(), |w, b| w.strip_suffix(b).map(str::to_string).unwrap_or(w));
            if dotted || apart && text.len() >= 3 && self.titled(&numbers) {
                self.best_first(&mut numbers);
                return Some(numbers);
            }
        }
        None
    }

    /// Whether a clause that was named is called by the words beside the number.
    fn titled(&self, numbers: &Numbers) -> bool {
        numbers.found().any(|f| self.library.shelf(f.game).line(f.index).title.is_some_and(|t| says(t, &numbers.words)))
    }

    /// The game whose clause has the words comes first.
    fn best_first(&self, numbers: &mut Numbers) {
        let words = numbers.words.clone();
        let has = |found: &Found| {
            let shelf = self.library.shelf(found.game);
            let line = shelf.line(found.index);
            let text = shelf.node(found.index).text.unwrap_or_default();
            says(&format!("{}{text}", line.title.unwrap_or_default()), &words)
        };
        for named in &mut numbers.named {
            named.found.sort_by_key(|found| !has(found));
        }
    }

    /// 「序文」 by name.
    fn preamble(&self, rest: &str) -> Option<Numbers> {
        let names = ["序文", "前文", "前書き", "まえがき", "はじめに", "序章", "前付", "前付け", "前置き"];
        names.contains(&rest).then(|| self.one(read_number("0")?))?
    }

    /// The number of a part by its name: 「中級編4.7.2」 is 2.4.7.2.
    fn in_part(&self, rest: &str) -> Option<Numbers> {
        let (part, number) = part_of(rest)?;
        let number = number.trim_start_matches(['の', ' ', '第', '・']);
        self.one(read_number(format!("{part}.{number}").trim_end_matches('.'))?)
    }

    /// A printed page: 「p71」, 「71頁」, 「中級編の58ページ」. What begins on it; failing that, what it stands in.
    fn page(&self, rest: &str) -> Option<Numbers> {
        let (part, rest) = part_of(rest).map_or((None, rest), |(part, rest)| (Some(part), rest));
        let rest = rest.trim_start_matches(['の', ' ', '・']);
        let front = ["ページ", "pages", "page", "pp.", "p.", "p"].iter().find_map(|mark| rest.strip_prefix(mark));
        let back = ["ページ目", "ページ", "頁", "page", "p"].iter().find_map(|mark| rest.strip_suffix(mark));
        let digits = front.or(back)?.trim_matches([' ', '.', '第', 'の']);
        let page: u16 = digits.parse().ok()?;
        let find = |game: &Game| on_page(self.library.shelf(*game), part, page, *game);
        let found: Vec<Found> = self.games.iter().flat_map(find).collect();
        let number = Number { steps: Vec::new(), headless: false, example: None, text: format!("{page}ページ") };
        let item = Item { game: self.game, from: number, to: None };
        let paged = self.games.iter().any(|game| self.library.shelf(*game).lines().iter().any(|l| l.page.is_some()));
        paged.then(|| Numbers::of(vec![Named { item, found }]))
    }
}

/// What begins on a page, or the last that begins before it.
fn on_page(shelf: &Shelf, part: Option<u32>, page: u16, game: Game) -> Vec<Found> {
    let in_part = |clause: &str| {
        // The glossary at the end is printed as a section of the last part.
        let first = steps(clause).first().map(ToString::to_string);
        part.is_none_or(|part| first == Some(part.to_string()) || part == 3 && first.as_deref() == Some("4"))
    };
    let paged =
        shelf.lines().iter().enumerate().filter(|(_, l)| l.page.is_some_and(|p| p <= page) && in_part(l.clause));
    let paged: Vec<(u16, usize)> = paged.filter_map(|(i, l)| Some((l.page?, i))).collect();
    let Some(last) = paged.iter().map(|(page, _)| *page).max() else { return Vec::new() };
    // Where nothing begins any more there is no telling what is printed there, if anything.
    if page > shelf.lines().iter().filter_map(|l| l.page).max().unwrap_or_default() {
        return Vec::new();
    }
    let on: Vec<usize> = paged.iter().filter(|(p, _)| *p == last).map(|(_, i)| *i).collect();
    let kept = if last == page { &on[..] } else { &on[on.len() - 1..] };
    kept.iter().map(|&index| Found { game, index }).collect()
}

/// The part that a text begins with, as the document counts them, and the rest.
fn part_of(text: &str) -> Option<(u32, &str)> {
    let parts = [(1, "初級編"), (2, "中級編"), (3, "上級編"), (1, "初級"), (2, "中級"), (3, "上級")];
    parts.into_iter().find_map(|(part, name)| Some((part, text.strip_prefix(name)?)))
}

fn says(text: &str, words: &str) -> bool {
    let text = fold(text).replace(' ', "");
    let words = fold(words);
    !words.is_empty() && words.split(' ').all(|word| text.contains(word))
}
