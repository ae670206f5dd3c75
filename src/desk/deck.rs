//! Deck lists: a number and a name in every line, sections for side and extra deck, or the same as YAML.

use std::path::Path;

use crate::card::{Card, Vocabulary, Word, load};
use crate::kernel::Rulebook;
use crate::scenario::{Kind, Node, Store};
use crate::text::yaml;

/// One line of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub part: Part,
    pub copies: usize,
    pub name: String,
    /// `{…}` after the name: the data of a card that is not known.
    pub data: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Main,
    Side,
    Extra,
}

/// More copies of one card than anybody has.
const MOST: usize = 1_000;

/// Reads a list; what cannot be read is said with its line.
pub fn read(text: &str, as_yaml: bool) -> Result<Vec<Entry>, Vec<String>> {
    if as_yaml { read_yaml(text) } else { read_lines(text) }
}

fn read_lines(text: &str) -> Result<Vec<Entry>, Vec<String>> {
    let mut part = Part::Main;
    let (mut entries, mut wrong) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim().trim_start_matches("- ").trim();
        if line.is_empty() {
            continue;
        }
        if let Some(found) = section(line) {
            part = found;
            continue;
        }
        if line.starts_with(['[', '【']) && line.ends_with([']', '】']) {
            wrong.push(format!("{}行目: {line} という組はありません（メイン・サイド・エクストラ）", at + 1));
            continue;
        }
        match entry(part, line) {
            Some(entry) => entries.push(entry),
            None => wrong.push(format!("{}行目: 「3 カード名」か「カード名 ×3」の形で書いてください: {line}", at + 1)),
        }
    }
    if wrong.is_empty() { Ok(entries) } else { Err(wrong) }
}

/// A line that begins a section: 「サイド」, `extra:`.
fn section(line: &str) -> Option<Part> {
    let head = line.trim_end_matches([':', '：']).trim_matches(['[', ']', '【', '】']).to_lowercase();
    let head = head.split(['（', '(']).next().unwrap_or_default().trim().to_string();
    match head.as_str() {
        "main" | "メイン" | "デッキ" | "メインデッキ" | "山札" => Some(Part::Main),
        "side" | "サイド" | "サイドボード" | "サイドデッキ" => Some(Part::Side),
        "extra"
        | "ex"
        | "exデッキ"
        | "エクストラ"
        | "エクストラデッキ"
        | "エキストラ"
        | "エキストラデッキ"
        | "キャラデッキ"
        | "デュナミス" => Some(Part::Extra),
        _ => None,
    }
}

/// 「3 名」, 「名 ×3」, 「名 x3 {…}」, 「名 3」, 「名」.
fn entry(part: Part, line: &str) -> Option<Entry> {
    let (line, data) = match line.find('{') {
        Some(at) if line.ends_with('}') => (line[..at].trim(), Some(line[at..].to_string())),
        _ => (line, None),
    };
    let digits = |text: &str| {
        let text: String = text
            .chars()
            .map(|c| char::from_u32(u32::from(c) - if ('０'..='９').contains(&c) { 0xfee0 } else { 0 }).unwrap_or(c))
            .collect();
        text.parse::<usize>().ok().filter(|n| (1..=MOST).contains(n))
    };
    let made = |copies, name: &str| {
        (!name.trim().is_empty()).then(|| Entry { part, copies, name: name.trim().into(), data: data.clone() })
    };
    if let Some((head, tail)) = line.split_once([' ', '　', '\t'])
        && let Some(n) = digits(head.trim_end_matches(['x', 'X', '×', '枚']))
    {
        return made(n, tail);
    }
    if let Some(at) = line.rfind(['×', 'x', 'X']) {
        let mark = line[at..].chars().next().map_or(1, char::len_utf8);
        if let Some(n) = digits(line[at + mark..].trim().trim_end_matches('枚')) {
            return made(n, &line[..at]);
        }
    }
    if let Some((head, tail)) = line.rsplit_once([' ', '　', '\t'])
        && let Some(n) = digits(tail.trim_end_matches('枚'))
    {
        return made(n, head);
    }
    if digits(line).is_some() { None } else { made(1, line) }
}

/// `main: {名: 3}` or `main: [3 名, 名]`.
fn read_yaml(text: &str) -> Result<Vec<Entry>, Vec<String>> {
    let node = yaml::mapping::<Node>(Path::new("デッキ"), text).map_err(|p| vec![p.to_string()])?.value;
    let (mut entries, mut wrong) = (Vec::new(), Vec::new());
    for (key, value) in node.pairs().unwrap_or_default() {
        let Some(part) = section(&key.text) else {
            wrong.push(format!("{}行目: 「{}」ではなく main・side・extra を書いてください", key.at.line, key.text));
            continue;
        };
        match &value.kind {
            Kind::Map(pairs) => {
                for (name, n) in pairs {
                    match n.number().and_then(|n| usize::try_from(n).ok()).filter(|n| (1..=MOST).contains(n)) {
                        Some(copies) => entries.push(Entry { part, copies, name: name.text.clone(), data: None }),
                        None => wrong.push(format!("{}行目: 枚数を書いてください: {}", name.at.line, name.text)),
                    }
                }
            }
            _ => {
                for item in value.items() {
                    match item.text().and_then(|t| entry(part, t.trim())) {
                        Some(entry) => entries.push(entry),
                        None => wrong.push(format!("{}行目: 「3 カード名」の形で書いてください: {item}", item.at.line)),
                    }
                }
            }
        }
    }
    if wrong.is_empty() { Ok(entries) } else { Err(wrong) }
}

/// Where each card of a list goes, and how many of it.
pub type Listed = Vec<(Part, usize, Card)>;

/// The cards of a list: those that are known, those that the list describes, and the names of the others, which count
/// as cards of which nothing but the name is known.
pub fn cards(entries: &[Entry], book: &dyn Rulebook, store: &Store) -> Result<(Listed, Vec<String>), String> {
    let (mut found, mut unknown) = (Vec::new(), Vec::new());
    for entry in entries {
        let known = store.cards(book.code()).find(|c| c.name == entry.name.as_str());
        let card = match (&entry.data, known) {
            (Some(data), _) => described(&entry.name, data, &book.schema().words)?,
            (None, Some(card)) => card.clone(),
            (None, None) => {
                unknown.push(entry.name.clone());
                named(&entry.name)
            }
        };
        found.push((entry.part, entry.copies, card));
    }
    unknown.dedup();
    Ok((found, unknown))
}

fn named(name: &str) -> Card {
    Card {
        name: Word::new(name),
        data: Default::default(),
        abilities: Vec::new(),
        inferred: true,
        unencoded: Vec::new(),
        from: Vec::new(),
    }
}

/// A card that the list describes: it is counted and not played, so that its kind is enough.
fn described(name: &str, data: &str, words: &Vocabulary) -> Result<Card, String> {
    let text = format!("cards:\n- name: {}\n  data: {data}\n", super::write::scalar(name));
    let words = Vocabulary { required: &[], ..*words };
    let (cards, problems) = load::cards(Path::new("デッキ"), &text, &words);
    match (cards.into_iter().next(), problems.first()) {
        (Some(card), None) => Ok(card.value),
        (_, problem) => Err(format!("「{name}」の {{…}} を読めません: {}", problem.map_or("", |p| p.message.as_str()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_as_people_write_them() {
        let text = "# 大会用\n3 赤の兵\n青の兵 ×2\n黒の兵x１\n白の兵\nサイドボード（10枚）\n- 4 緑の兵 {禁呪: 2}\n青の重兵 2枚\n";
        let found = read(text, false).unwrap();
        let said: Vec<String> = found
            .iter()
            .map(|e| format!("{:?} {} {} {}", e.part, e.copies, e.name, e.data.clone().unwrap_or_default()))
            .collect();
        assert_eq!(
            said,
            [
                "Main 3 赤の兵 ",
                "Main 2 青の兵 ",
                "Main 1 黒の兵 ",
                "Main 1 白の兵 ",
                "Side 4 緑の兵 {禁呪: 2}",
                "Side 2 青の重兵 "
            ]
        );
        assert_eq!(read("main: {赤の兵: 3, 青の兵: 2}\nside: [4 緑の兵]\n", true).unwrap().len(), 3);
        assert!(read("3\n", false).unwrap_err()[0].starts_with("1行目"));
        assert!(read("[予備]\n3 赤の兵\n", false).unwrap_err()[0].contains("という組はありません"));
        assert!(read("deck: {赤: 1}", true).unwrap_err()[0].contains("main・side・extra"));
    }
}
