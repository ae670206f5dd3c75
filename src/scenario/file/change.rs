//! What if: a scenario with one thing different from what is written.

use crate::scenario::file::node::{At, Kind, Node, Note};
use crate::scenario::file::words::nearest;
use crate::scenario::file::{Scenario, Vary};
use crate::scenario::play::attempt::Case;
use crate::text::yaml;

/// What is different from the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WhatIf {
    /// Clauses to do without, without the game's code.
    pub without: Vec<String>,
    /// Readings: `("C1", "b")`.
    pub readings: Vec<(String, String)>,
    /// Changes of the table: `("A.手札", "[…]")`.
    pub set: Vec<(String, String)>,
    /// The twin of this number, from 0.
    pub vary: Option<usize>,
}

impl WhatIf {
    pub fn is_empty(&self) -> bool {
        *self == WhatIf::default()
    }

    /// The twin that is meant.
    pub fn twin<'s>(&self, scenario: &'s Scenario) -> Result<Option<&'s Vary>, Note> {
        let vary = &scenario.file.vary;
        let missing = |_| {
            let list: Vec<String> = vary.iter().enumerate().map(|(i, v)| format!("{} {}", i + 1, v.name)).collect();
            plain(match &list[..] {
                [] => "--vary: この盤面に別の場合は1つもありません".to_string(),
                list => format!("--vary の番号が違います。この盤面の別の場合: {}", list.join("、")),
            })
        };
        self.vary.map(|i| vary.get(i).ok_or(i)).transpose().map_err(missing)
    }

    /// What is wrong with the table, if no place of the file is at fault, is wrong with what was set.
    pub fn blame(&self, mut notes: Vec<Note>) -> Vec<Note> {
        let set: Vec<String> = self.set.iter().map(|(path, value)| format!("{path}={value}")).collect();
        for note in notes.iter_mut().filter(|n| n.at == At::default() && !set.is_empty()) {
            note.text = format!("--set {}: {}", set.join(" --set "), note.text);
        }
        notes
    }

    /// What is set up and done.
    pub fn case(&self, scenario: &Scenario) -> Result<Case, Note> {
        let mut case = Case::of(scenario);
        if let Some(vary) = self.twin(scenario)? {
            case = case.varied(vary)?;
        }
        for (path, value) in &self.set {
            patch(&mut case.given, path, value, scenario.book.schema().seats)?;
        }
        case.readings.extend(self.readings.iter().cloned());
        Ok(case)
    }
}

fn plain(text: String) -> Note {
    Note { at: At::default(), text }
}

/// `A.手札` → that zone; `蜘蛛.ダメージ` → that fact of the card; `turn.phase`, `squares.中央/中央`.
pub fn patch(given: &mut Node, path: &str, value: &str, seats: [&str; 2]) -> Result<(), Note> {
    let value = yaml::mapping::<Node>(std::path::Path::new("--set"), value);
    let value = value.map_err(|p| plain(format!("--set {path}: {}", p.message)))?.value.nowhere();
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    let table = ["turn", "squares", "facts", "effects"].contains(&head) || seats.contains(&head);
    let target = if table { Some(given.entry(head, At::default())) } else { find_card(given, head) };
    match (target, rest) {
        (Some(target), Some(key)) => *target.entry(key, At::default()) = value,
        (Some(target), None) if table => *target = value,
        _ => {
            let mut known = vec!["turn".to_string(), "squares".into(), "facts".into()];
            known.extend(seats.map(String::from));
            labels(given, &mut known);
            let near = nearest(head, known.iter().map(String::as_str)).map(|n| format!("。「{n}」ですか"));
            return Err(plain(format!(
                "--set {path}: 「A.手札=…」「呼び名.state=…」のように書いてください（「{head}」は見つかりません{}）",
                near.unwrap_or_default()
            )));
        }
    }
    Ok(())
}

/// The entry of a card, made a mapping where it is only a name.
fn find_card<'a>(node: &'a mut Node, label: &str) -> Option<&'a mut Node> {
    if matches!(&node.kind, Kind::Map(pairs) if pairs.iter().any(|(k, v)| k.text == label && matches!(v.kind, Kind::Text(_))))
    {
        return Some(node);
    }
    if matches!(&node.kind, Kind::Text(text) if text == label) {
        let name = std::mem::take(node);
        let at = name.at;
        *node.entry(label, at) = name;
        return Some(node);
    }
    match &mut node.kind {
        Kind::List(items) => items.iter_mut().find_map(|item| find_card(item, label)),
        Kind::Map(pairs) => pairs.iter_mut().find_map(|(_, value)| find_card(value, label)),
        _ => None,
    }
}

/// What the cards of a table are called.
fn labels(node: &Node, found: &mut Vec<String>) {
    match &node.kind {
        Kind::Text(text) => found.push(text.clone()),
        Kind::List(items) => items.iter().for_each(|item| labels(item, found)),
        Kind::Map(pairs) => {
            for (key, value) in pairs {
                if matches!(value.kind, Kind::Text(_)) {
                    found.push(key.text.clone());
                }
                labels(value, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_patched_by_path() {
        let cases = [
            ("A.手札", "[赤]", "{A: {手札: [赤]}, squares: {中央: [{x: 蜘蛛, of: A}]}}"),
            ("x.state", "裏", "{A: {手札: [青]}, squares: {中央: [{x: 蜘蛛, of: A, state: 裏}]}}"),
            ("青.state", "裏", "{A: {手札: [{青: 青, state: 裏}]}, squares: {中央: [{x: 蜘蛛, of: A}]}}"),
            ("B.墓地", "3", "{A: {手札: [青]}, squares: {中央: [{x: 蜘蛛, of: A}]}, B: {墓地: 3}}"),
        ];
        for (path, value, expected) in cases {
            let text = "{A: {手札: [青]}, squares: {中央: [{x: 蜘蛛, of: A}]}}";
            let mut given = yaml::mapping::<Node>(std::path::Path::new("x"), text).ok().unwrap().value;
            patch(&mut given, path, value, ["A", "B"]).unwrap();
            assert_eq!(given.to_string(), expected);
        }
        assert!(patch(&mut Node::default(), "赤.state", "裏", ["A", "B"]).unwrap_err().text.contains("見つかりません"));
    }
}
