//! Reads a clause number in any notation: ASCII, full-width, kanji numerals, `104-5a`, `104.5(a)`,
//! `第2部第3章4`, `5.4.1の2`, ranges and lists, with or without the game.
//!
//! Reading is separate from finding: [`read`] says what numbers were meant, [`find`] which clauses there are. What
//! people write around a number, [`super::numbers`] takes away.

use super::clause::{Step, steps};
use super::game::Game;
use super::library::{Library, Shelf};

/// One number or range that a person typed, and the game, if one was named before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub game: Option<Game>,
    pub from: Number,
    pub to: Option<Number>,
}

/// The steps of a number, and whether the first of them was left out: `第3章4` does not say of which part.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    pub steps: Vec<Step>,
    pub headless: bool,
    /// The example asked for with `#1a`.
    pub example: Option<String>,
    /// As it would be written in ASCII.
    pub text: String,
}

/// A clause that a query means: a game and a place in its outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub game: Game,
    pub index: usize,
}

/// Nobody asks for more numbers at once.
const MOST: usize = 200;

/// Reads `text` as clause numbers; `None` when it is something else (words to search for).
pub fn read(text: &str) -> Option<Vec<Item>> {
    read_for(&normal(text), None)
}

/// Reads normal text, which is about this game until it names another.
pub(super) fn read_for(text: &str, mut game: Option<Game>) -> Option<Vec<Item>> {
    // 「第2部 第3章 4」 is one number.
    let text = ["部", "章", "節", "条"].iter().fold(text.to_string(), |t, mark| t.replace(&format!("{mark} "), mark));
    let between = [',', ';', '・', ' '];
    let mut rest = text.trim_matches(between);
    let mut items: Vec<Item> = Vec::new();
    while !rest.is_empty() {
        if let Some((named, after)) = Game::prefix(rest) {
            game = Some(named);
            rest = after.trim_start_matches(between);
            continue;
        }
        let end = rest.find(between).unwrap_or(rest.len());
        let item = read_item(&rest[..end], game, items.last())?;
        items.push(item);
        if items.len() > MOST {
            return None;
        }
        rest = rest[end..].trim_start_matches(between);
    }
    (!items.is_empty()).then_some(items)
}

fn read_item(word: &str, game: Option<Game>, before: Option<&Item>) -> Option<Item> {
    let (from, to) = match word.split_once(['~', '〜', '～', '…']).or_else(|| word.split_once("から")) {
        Some((from, to)) => (from, Some(to.trim_end_matches("まで"))),
        None => (word, None),
    };
    let from = read_number(from)?;
    let from = match before {
        // 「102.4a、b」 means 102.4b too.
        Some(before) if from.steps.len() == 1 && matches!(from.steps[0], Step::Letters(_)) => {
            beside(&before.from, &from)
        }
        _ => from,
    };
    let to = match to {
        Some(to) => {
            let to = read_number(to)?;
            // 「102.4〜6」 means up to 102.6.
            Some(if to.steps.len() < from.steps.len() { beside(&from, &to) } else { to })
        }
        None => None,
    };
    Some(Item { game, from, to })
}

/// `tail` written in the place of the last steps of `number`.
fn beside(number: &Number, tail: &Number) -> Number {
    let keep = number.steps.len() - tail.steps.len();
    let steps: Vec<Step> = number.steps[..keep].iter().chain(&tail.steps).cloned().collect();
    let text = steps.iter().map(Step::to_string).collect::<Vec<_>>().join(".");
    Number { steps, headless: number.headless, example: None, text }
}

pub(super) fn read_number(word: &str) -> Option<Number> {
    let (word, example) = match word.split_once('#') {
        Some((word, example)) if !example.is_empty() => (word, Some(example.to_string())),
        Some(_) => return None,
        None => (word, None),
    };
    let chapter_only = word.contains('章') && !word.contains('部');
    let mut text = String::new();
    for c in kanji_numerals(word).chars() {
        match c {
            'a'..='z' | '0'..='9' => text.push(c),
            '.' | '-' | '(' | ')' | '[' | ']' | '§' | 'の' | '第' | '部' | '章' | '条' | '項' | '節' | '号' | '番'
            | '編' | '_' | '/' => {
                if !text.is_empty() && !text.ends_with('.') {
                    text.push('.');
                }
            }
            _ => return None,
        }
    }
    let text = text.trim_end_matches('.').to_string();
    let steps = split_letters(steps(&text));
    let number_first = matches!(steps.first(), Some(Step::Number(_)));
    // 「H.30」 and 「付録A」 begin with a letter; a word such as 「odo」 is not a number.
    let letter_first = matches!(steps.first(), Some(Step::Letters(l)) if l.len() == 1) && steps.len() <= 2;
    (number_first || letter_first).then_some(Number { steps, headless: chapter_only, example, text })
}

/// `giv` → `g`, `iv`: a letter and a roman numeral run together.
fn split_letters(steps: Vec<Step>) -> Vec<Step> {
    let mut out = Vec::new();
    for step in steps {
        match step {
            Step::Letters(l)
                if l.len() > 1
                    && l[1..].chars().all(|c| "ivx".contains(c))
                    && !l.chars().all(|c| "ivx".contains(c)) =>
            {
                out.push(Step::Letters(l[..1].to_string()));
                out.push(Step::Letters(l[1..].to_string()));
            }
            step => out.push(step),
        }
    }
    out
}

/// Width, case and dashes made one; `unicode-normalization` would do more than is wanted here (and is not needed by
/// the build script): numbers are written with few characters.
pub(super) fn normal(text: &str) -> String {
    let fold = |c: char| match c {
        '！'..='～' if c != '～' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c).to_ascii_lowercase(),
        '　' | '\u{a0}' | '\t' | '\n' | '\r' => ' ',
        '．' | '。' | '｡' | '·' | '‧' | '•' => '.',
        '－' | '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | 'ー' | '─' => '-',
        '、' | '，' | '､' => ',',
        '〔' | '（' | '【' | '［' => '(',
        '〕' | '）' | '】' | '］' => ')',
        'Ⅰ'..='Ⅹ' | 'ⅰ'..='ⅹ' => c,
        _ => c.to_ascii_lowercase(),
    };
    let mut out = String::new();
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        let both = |fits: fn(char) -> bool| before.is_some_and(fits) && next.is_some_and(fits);
        let (numerals, parts) = (both(is_numeral), both(|c| is_numeral(c) || c.is_ascii_alphanumeric()));
        before = Some(c);
        // Long vowel marks are dashes only next to digits: 「ルール」 is a word. 「四・一・六」「102・4・a」: a middle
        // dot between parts of a number is a dot.
        if matches!(c, 'ー' | '・' | '･') {
            out.push(match c {
                'ー' if numerals => '-',
                '・' | '･' if parts => '.',
                c => c,
            });
            continue;
        }
        match c {
            'Ⅰ'..='Ⅹ' => out.push_str(ROMAN[c as usize - 'Ⅰ' as usize]),
            'ⅰ'..='ⅹ' => out.push_str(ROMAN[c as usize - 'ⅰ' as usize]),
            '①'..='⑳' => out.push_str(&format!("({})", c as u32 - '①' as u32 + 1)),
            c => out.push(fold(c)),
        }
    }
    out
}

fn is_numeral(c: char) -> bool {
    c.is_numeric() || "〇零一二三四五六七八九十百千".contains(c)
}

const ROMAN: [&str; 10] = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"];

/// Runs of kanji numerals become digits: 二十 → 20, 一〇二 → 102, 百二 → 102.
pub(super) fn kanji_numerals(text: &str) -> String {
    let digit =
        |c: char| "〇一二三四五六七八九".chars().position(|k| k == c).or((c == '零').then_some(0)).map(|d| d as u32);
    let unit = |c: char| match c {
        '十' => Some(10),
        '百' => Some(100),
        '千' => Some(1000),
        _ => None,
    };
    let mut out = String::new();
    let mut run: Vec<char> = Vec::new();
    let flush = |run: &mut Vec<char>, out: &mut String| {
        if run.iter().any(|&c| unit(c).is_some()) {
            let (mut total, mut current) = (0u32, None);
            for &c in run.iter() {
                match unit(c) {
                    Some(u) => total = total.saturating_add(current.take().unwrap_or(1) * u),
                    None => current = digit(c),
                }
            }
            out.push_str(&total.saturating_add(current.unwrap_or(0)).to_string());
        } else {
            out.extend(run.iter().filter_map(|&c| digit(c)).map(|d| char::from_digit(d, 10).unwrap_or('0')));
        }
        run.clear();
    };
    for c in text.chars() {
        if digit(c).is_some() || unit(c).is_some() {
            run.push(c);
        } else {
            flush(&mut run, &mut out);
            out.push(c);
        }
    }
    flush(&mut run, &mut out);
    out
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Step::Number(n) => write!(f, "{n}"),
            Step::Letters(l) => f.write_str(l),
        }
    }
}

/// The clauses that an item means in one game, in document order.
pub fn find(shelf: &Shelf, item: &Item) -> Vec<usize> {
    let from = find_number(shelf, &item.from);
    let Some(to) = &item.to else {
        // 「207.3-207.5」 is a range if there is no such clause.
        if from.is_empty()
            && let Some((from, to)) = halves(&item.from)
        {
            return range(shelf, &from, &to);
        }
        return from;
    };
    range(shelf, &item.from, to)
}

fn range(shelf: &Shelf, from: &Number, to: &Number) -> Vec<usize> {
    match (find_number(shelf, from).first(), find_number(shelf, to).first()) {
        (Some(&a), Some(&b)) if a <= b => {
            // Of what lies between, only what stands as high as the ends: their children come with them.
            let depth = shelf.lines()[a].depth.max(shelf.lines()[b].depth);
            (a..=b).filter(|&i| shelf.lines()[i].depth <= depth).collect()
        }
        _ => Vec::new(),
    }
}

pub(super) fn find_number(shelf: &Shelf, number: &Number) -> Vec<usize> {
    if number.headless {
        let tail = |clause: &str| steps(clause).get(1..).is_some_and(|rest| rest == number.steps);
        let found: Vec<usize> = (0..shelf.lines().len()).filter(|&i| tail(shelf.lines()[i].clause)).collect();
        if !found.is_empty() {
            return found;
        }
    }
    shelf.find(&number.steps)
}

/// Both ends of a range written with a hyphen.
fn halves(number: &Number) -> Option<(Number, Number)> {
    let half = number.steps.len() / 2;
    (number.steps.len().is_multiple_of(2) && half > 0).then(|| {
        let part = |steps: &[Step]| Number {
            steps: steps.to_vec(),
            headless: false,
            example: None,
            text: steps.iter().map(Step::to_string).collect::<Vec<_>>().join("."),
        };
        (part(&number.steps[..half]), part(&number.steps[half..]))
    })
}

/// Existing clauses nearest to a number that does not exist: its nearest existing parent, then its neighbours.
pub fn nearest(library: &Library, game: Option<Game>, number: &Number, limit: usize) -> Vec<Found> {
    let mut scored: Vec<(usize, u64, Found)> = Vec::new();
    for shelf in library.shelves().filter(|s| game.is_none_or(|g| g == s.game)) {
        for (index, line) in shelf.lines().iter().enumerate() {
            let other = steps(line.clause);
            let same = other.iter().zip(&number.steps).take_while(|(a, b)| a == b).count();
            let gap = match (other.get(same), number.steps.get(same)) {
                (Some(Step::Number(a)), Some(Step::Number(b))) => u64::from(a.abs_diff(*b)),
                (None, _) => 0,
                _ => 5,
            };
            let length = other.len().abs_diff(number.steps.len()) as u64;
            scored.push((same, gap * 4 + length, Found { game: shelf.game, index }));
        }
    }
    scored.sort_by_key(|(same, gap, _)| (std::cmp::Reverse(*same), *gap));
    scored.into_iter().take(limit).map(|(_, _, found)| found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> String {
        let Some(items) = read(text) else { return "words".to_string() };
        let show = |n: &Number| n.steps.iter().map(Step::to_string).collect::<Vec<_>>().join(" ");
        let items = items.iter().map(|i| {
            let game = i.game.map(|g| format!("{}: ", g.code())).unwrap_or_default();
            let to = i.to.as_ref().map(|to| format!("..{}", show(to))).unwrap_or_default();
            format!("{game}{}{to}", show(&i.from))
        });
        items.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn any_notation() {
        for (typed, meant) in [
            ("104.5a", "104 5 a"),
            ("１０４．５ａ", "104 5 a"),
            ("104-5a", "104 5 a"),
            ("104.5(a)", "104 5 a"),
            ("104.5.a.", "104 5 a"),
            ("第2部第3章4", "2 3 4"),
            ("2部20章1-6", "2 20 1 6"),
            ("二部二十章一の六", "2 20 1 6"),
            ("第２部 第３章 ４", "2 3 4"),
            ("5.4.1の2", "5 4 1 2"),
            ("005.1", "5 1"),
            ("一〇二．四", "102 4"),
            ("百二.四", "102 4"),
            ("903.2g-iv-a", "903 2 g iv a"),
            ("903.2.g-iv-a", "903 2 g iv a"),
            ("903.2giv", "903 2 g iv"),
            ("903.2g-Ⅳ", "903 2 g iv"),
            ("２．２０．１－６", "2 20 1 6"),
            ("2.20.1−6", "2 20 1 6"),
            ("zx 102.4", "zx: 102 4"),
            ("zx:102.4", "zx: 102 4"),
            ("Z/X 102.4", "zx: 102 4"),
            ("ｚｘ　１０２．４", "zx: 102 4"),
            ("遊戯王2.4.7.2", "ygo: 2 4 7 2"),
            ("ディメンション・ゼロ 2.20.1-6", "dz: 2 20 1 6"),
            ("102.4〜6", "102 4..102 6"),
            ("207.3~207.5", "207 3..207 5"),
            ("102.4から102.6まで", "102 4..102 6"),
            ("102.4, 102.5、103", "102 4, 102 5, 103"),
            ("dz H.30", "dz: h 30"),
            ("zx:102.4#1", "zx: 102 4"),
            ("①", "1"),
            ("四・一・六・二", "4 1 6 2"),
            ("102.4a、b", "102 4 a, 102 4 b"),
            ("zx 102.4 dz 2.20 2.21", "zx: 102 4, dz: 2 20, dz: 2 21"),
        ] {
            assert_eq!(numbers(typed), meant, "{typed}");
        }
    }

    #[test]
    fn words_are_not_numbers() {
        for typed in ["優先権", "2枚引く", "手札 7枚", "ルール", "odo", "", " ", "#", "zx", "…", "1 ダメージ", "\0"]
        {
            assert_eq!(numbers(typed), "words", "{typed}");
        }
    }
}
