//! How each act of a game is written, by examples from its rulings: what is shown has been run.

use std::collections::BTreeMap;

/// An act, steps that do it, and the special ways in which it is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub verb: &'static str,
    pub steps: Vec<String>,
    pub ways: Vec<String>,
}

/// The keys that go with an act: how often, and the shortest step that has them.
type Found = BTreeMap<Vec<String>, (usize, String)>;

/// How many steps show an act, and of how many letters at most.
const STEPS: usize = 2;
const LONGEST: usize = 60;

/// The acts of a game, each as the boards do it most often.
pub fn shapes<'a>(verbs: &[&'static str], boards: impl Iterator<Item = &'a str>) -> Vec<Shape> {
    let mut found: Vec<Found> = vec![Found::new(); verbs.len()];
    let mut ways: Vec<Vec<String>> = vec![Vec::new(); verbs.len()];
    for line in boards.flat_map(played) {
        for step in steps(line) {
            let body = step.trim_start_matches(['A', 'B']).trim_start_matches(": ");
            let inner = body.strip_prefix('{').and_then(|b| b.strip_suffix('}')).unwrap_or(body);
            let pairs = parts(inner);
            let key = |pair: &str| pair.split(':').next().unwrap_or_default().trim().to_string();
            let Some(at) = pairs.first().and_then(|p| verbs.iter().position(|v| *v == key(p))) else { continue };
            let keys: Vec<String> = pairs[1..].iter().map(|p| key(p)).collect();
            if keys.iter().any(|k| k == "refused") {
                continue;
            }
            let way = pairs.iter().find_map(|p| p.trim().strip_prefix("方法: ")).map(String::from);
            if let Some(way) = way.filter(|w| !ways[at].contains(w)) {
                ways[at].push(way);
            }
            let (count, shortest) = found[at].entry(keys).or_insert_with(|| (0, step.to_string()));
            *count += 1;
            if step.chars().count() < shortest.chars().count() {
                *shortest = step.to_string();
            }
        }
    }
    let both = verbs.iter().zip(found).zip(ways);
    both.map(|((verb, found), ways)| Shape { verb, steps: commonest(found), ways }).collect()
}

/// The steps that show an act best.
fn commonest(found: Found) -> Vec<String> {
    let mut ranked: Vec<(usize, String)> = found.into_values().collect();
    ranked.retain(|(_, step)| step.chars().count() <= LONGEST);
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.len().cmp(&b.1.len())).then_with(|| a.1.cmp(&b.1)));
    ranked.into_iter().take(STEPS).map(|(_, step)| step).collect()
}

/// What texts do most, and in how many ways each is shown.
const EFFECTS: &[(&str, usize)] =
    &[("draw", 1), ("move", 2), ("damage", 1), ("turn", 1), ("grant", 1), ("counter", 1), ("choose", 1), ("act", 1)];

/// What cards' texts do, each as the cards of the game's boards say it most often.
pub fn effects<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let mut shown = Vec::new();
    for (effect, ways) in EFFECTS {
        let begins = format!("{{{effect}: {{");
        let mut found = Found::new();
        for (at, line) in
            texts.clone().flat_map(str::lines).flat_map(|l| l.match_indices(&begins).map(move |(at, _)| (at, l)))
        {
            let inner = &line[at + begins.len() - 1..];
            let Some(end) = closing(inner) else { continue };
            let key = |pair: &str| pair.split(':').next().unwrap_or_default().trim().to_string();
            let keys: Vec<String> = parts(&inner[1..end]).into_iter().map(key).collect();
            // A board says whose turn it is by the same word.
            if keys.iter().any(|k| ["player", "number", "phase", "start"].contains(&k.as_str())) {
                continue;
            }
            let step = format!("{{{effect}: {}}}", &inner[..=end]);
            let (count, best) = found.entry(keys).or_insert_with(|| (0, step.clone()));
            *count += 1;
            // What is aimed at is called so where nothing else is said.
            let plain = |step: &str| (!step.contains("対象"), step.chars().count());
            if plain(&step) < plain(best) {
                *best = step;
            }
        }
        shown.extend(commonest(found).into_iter().take(*ways));
    }
    shown
}

/// The lines on which something is done.
fn played(board: &str) -> Vec<&str> {
    let mut within = false;
    let mut found = Vec::new();
    for line in board.lines() {
        let words = line.trim_start().trim_start_matches("- ");
        let says = |keys: &[&str]| keys.iter().any(|key| words.starts_with(key));
        match line.find("play:") {
            Some(at) => {
                within = true;
                found.push(&line[at..]);
            }
            None if says(&["given:", "name:", "vary:", "cards:"]) => within = false,
            None if within && !says(&["expect:", "legal:", "why:", "explore:"]) => found.push(line),
            None => {}
        }
    }
    found
}

/// The steps of a player that stand whole on a line: `A: {…}`, `A: 行動`.
fn steps(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices(": ").filter(|(at, _)| line[..*at].ends_with(['A', 'B'])) {
        let before = line[..at - 1].chars().next_back();
        if before.is_some_and(|c| !" [{".contains(c)) {
            continue;
        }
        let rest = &line[at + 2..];
        let end = match rest.starts_with('{') {
            true => closing(rest).map(|end| end + 1),
            false => Some(rest.find([',', ']', '}', ' ', '#']).unwrap_or(rest.len())),
        };
        found.extend(end.map(|end| &line[at - 1..at + 2 + end]));
    }
    found
}

/// Where the bracket that begins the text is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The pairs of a map on one line.
fn parts(inner: &str) -> Vec<&str> {
    let (mut depth, mut from, mut found) = (0usize, 0, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(&inner[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(&inner[from..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acts_are_shown_as_boards_do_them() {
        let boards = "given:\n  A: {移動: [3]}\nplay:\n- A: {プレイ: 長い名の札, 対象: 敵}\n- A: {プレイ: 札, 対象: 敵}\n- B: {プレイ: 兵, to: 中央/自軍, 方法: 召集}\n- A: {プレイ: 札, refused: dz:1}\nplay: [A: 移動, pass: both, B: {対象: [甲, 乙]}]\n";
        let shapes = shapes(&["プレイ", "移動", "起動"], [boards].into_iter());
        assert_eq!(shapes[0].steps, ["A: {プレイ: 札, 対象: 敵}", "B: {プレイ: 兵, to: 中央/自軍, 方法: 召集}"]);
        assert_eq!(shapes[0].ways, ["召集"]);
        assert_eq!(shapes[1].steps, ["A: 移動"]);
        assert!(shapes[2].steps.is_empty());
    }

    #[test]
    fn effects_are_shown_as_cards_say_them() {
        let texts =
            ["- do: [{draw: {count: 2}}, {move: {what: 対象, to: 墓地, how: 破壊}}]\n", "- {draw: {count: 10}}\n"];
        assert_eq!(effects(texts.into_iter()), ["{draw: {count: 2}}", "{move: {what: 対象, to: 墓地, how: 破壊}}"]);
    }
}
