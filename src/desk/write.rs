//! Writes boards: an empty one to start from, a table with cards for a game, and one that has been played.

use super::acts;
use crate::kernel::{FactOwner, Rulebook, Schema, Seat};
use crate::scenario::{Case, Kind, Node, Ready, Scenario, Store, is_note};
use crate::text::Game;

/// A value as it is written on one line, so that it is read as the same value.
pub fn flow(node: &Node) -> String {
    match &node.kind {
        Kind::Null => "null".into(),
        Kind::Bool(b) => b.to_string(),
        Kind::Number(n) => n.to_string(),
        Kind::Text(text) => scalar(text),
        Kind::List(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Kind::Map(pairs) => {
            let pairs: Vec<String> = pairs.iter().map(|(k, v)| format!("{}: {}", scalar(&k.text), flow(v))).collect();
            format!("{{{}}}", pairs.join(", "))
        }
    }
}

/// A word, quoted where YAML would take it for something else.
pub fn scalar(text: &str) -> String {
    let plain = |c: char| {
        !c.is_ascii() && !c.is_control() && !c.is_whitespace() || c.is_ascii_alphanumeric() || "./_".contains(c)
    };
    let first = text.chars().next();
    let word = first.is_some_and(|c| !c.is_ascii_digit() && c != '.') && text.chars().all(plain);
    let special = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&text.to_lowercase().as_str());
    if word && !special {
        return text.to_string();
    }
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// An empty table of the game, with its zones, states, numbers, places and acts as comments. The acts are shown as the
/// game's rulings do them.
pub fn blank<'a>(book: &dyn Rulebook, game: Game, boards: impl Iterator<Item = &'a str>) -> String {
    let schema = book.schema();
    let boards: Vec<&str> = boards.collect();
    let is_step = |name: &&str| schema.customs.steps.iter().any(|(step, _)| step == name);
    let (steps, phases): (Vec<&str>, Vec<&str>) = schema.words.phases.iter().copied().partition(|p| is_step(p));
    let phases = phases.join("・");
    let main = schema.words.phases.iter().find(|p| p.contains("メイン")).copied().unwrap_or_default();
    let mut text = format!(
        "# {}の盤面。書いたら saitei run ファイル名\n\
         # カードの名は saitei card {}、カードの言葉は saitei words {}、書き方は saitei new --help\n\
         game: {}\n\
         # title: 何が起こるかを1文で（なくてもよい）\n\
         given:\n  \
           turn: {{player: A, phase: {main}}}  # フェイズ: {phases}\n\
         # カードは、カード名、{{呼び名: カード名, state: …, of: A}}、または枚数（名のないカード。色もデータもない）\n",
        game.name(),
        game.code(),
        game.code(),
        game.code()
    );
    text.push_str(&lying(schema));
    for seat in Seat::BOTH {
        text.push_str(&format!("  {}:\n", schema.seats[seat.index()]));
        let zones = schema.zones.iter().filter(|z| !z.board && z.owner == Some(seat));
        for zone in zones {
            let fill = schema.fill.iter().find(|(name, _)| *name == zone.name);
            let line = match fill {
                Some((_, n)) => format!("    # {}: [{n}]  # 書かなければ名のない{n}枚\n", zone.name),
                None => format!("    {}: []\n", zone.name),
            };
            text.push_str(&line);
        }
        if seat == Seat(0) {
            text.push_str(&numbers(schema));
        }
    }
    text.push_str(&places(schema));
    text.push_str(&own_cards(&boards));
    text.push_str(&format!("# 効果（do の例）  {}\n", acts::effects(boards.iter().copied()).join("   ")));
    text.push_str("play: []  # することを順に。例は裁定から\n");
    for shape in acts::shapes(schema.customs.verbs, boards.iter().copied()) {
        let mut steps: Vec<String> = shape.steps.iter().map(|step| format!("- {step}")).collect();
        if steps.is_empty() {
            steps.push(format!("- A: {}", shape.verb));
        }
        let ways = if shape.ways.is_empty() { String::new() } else { format!("  方法: {}", shape.ways.join("・")) };
        text.push_str(&format!("# {}  {}{ways}\n", shape.verb, steps.join("   ")));
    }
    text.push_str(&format!(
        "# - pass: both  # 両者が1度ずつ放棄する。pass: A なら1人、pass: all なら解決（待つものがなければバトル）が終わるまで\n\
         # - until: {}  # そのフェイズやステップが始まるまで放棄する。ステップ: {}\n\
         # - A: {{対象: 呼び名}}  # 問われたことへの答え。何を問われたかは、答えずに動かすと出る\n",
        schema.words.phases.last().copied().unwrap_or_default(),
        steps.join("・")
    ));
    text
}

/// How cards of one's own are written: those of the shortest ruling that has some with a target and a trigger.
fn own_cards(boards: &[&str]) -> String {
    let cards = |board: &&str| -> Option<String> {
        let from = if board.starts_with("cards:") { 0 } else { board.find("\ncards:")? + 1 };
        let mut lines = board[from..].lines();
        let rest: Vec<&str> = lines.by_ref().skip(1).take_while(|l| l.starts_with(['-', ' '])).collect();
        let block = rest.join("\n");
        (block.contains("when:") && (block.contains("choose:") || block.contains("target:"))).then_some(block)
    };
    let Some(block) = boards.iter().filter_map(cards).min_by_key(String::len) else { return String::new() };
    let lines: String = block.lines().map(|line| format!("# {line}\n")).collect();
    format!("# 自分のカードは cards: に書く（saitei new --from 裁定 で、裁定のカードごと写せる）\n# cards:\n{lines}")
}

/// How cards can lie, and what else can be said of them.
fn lying(schema: &Schema) -> String {
    let facts = schema.facts.iter().filter(|f| f.owner == FactOwner::Card && !f.moment && !is_note(f.name));
    let facts: Vec<&str> = facts.map(|f| f.name).collect();
    let facts = if facts.is_empty() { String::new() } else { format!("  数: {}", facts.join("・")) };
    let ways = schema.words.attachments.join("・");
    let ways = if ways.is_empty() {
        String::new()
    } else {
        format!("\n#   付いているもの: under: 呼び名, as: {ways}")
    };
    format!("#   state: {}・表・裏{facts}{ways}\n", schema.states.join("・"))
}

/// Numbers of a player that a board can say.
fn numbers(schema: &Schema) -> String {
    let facts = schema.facts.iter().filter(|f| f.owner == FactOwner::Seat && !f.moment);
    let facts: Vec<String> = facts.map(|f| format!("{}: {}", f.name, f.initial)).collect();
    if facts.is_empty() { String::new() } else { format!("    # 数（書かなければ）: {}\n", facts.join("、")) }
}

/// The places in play, those of nobody and those of each player.
fn places(schema: &Schema) -> String {
    let mut names: Vec<String> = Vec::new();
    for zone in schema.zones.iter().filter(|z| z.board) {
        let both = zone.owner.is_some_and(|o| schema.zone(zone.name, Some(o.other())).is_some());
        let name = match zone.owner {
            Some(owner) if both => format!("{}.{}", schema.seats[owner.index()], zone.name),
            _ => zone.name.to_string(),
        };
        names.push(name);
    }
    let example = names.first().cloned().unwrap_or_default();
    format!(
        "  squares: {{}}  # 場のカード: {{{example}: [{{呼び名: カード名, of: A}}]}}\n\
         # 場所: {}\n",
        names.join(" ")
    )
}

/// As many as are dealt to both.
const DEALT: usize = 50;

/// The card can be in a hand: some never are.
fn can_be_dealt(book: &dyn Rulebook, store: &Store, name: &str) -> bool {
    let hand = scalar(name);
    let text = format!("game: {}\ngiven: {{A: {{手札: [{hand}]}}}}\nplay: []\n", book.code());
    let Ok(scenario) = Scenario::board("x.yaml".as_ref(), &text) else { return false };
    Ready::new(&scenario, store, &Case::of(&scenario)).is_ok_and(|ready| ready.unlawful().is_none())
}

/// A whole game from its first turn: the cards that are known, dealt in the order of their names.
pub fn whole_game(book: &dyn Rulebook, store: &Store) -> String {
    let schema = book.schema();
    let whole = store.cards(book.code()).filter(|c| c.unencoded.is_empty()).map(|c| c.name.as_str());
    let names: Vec<&str> = whole.filter(|name| can_be_dealt(book, store, name)).take(DEALT).collect();
    let first = schema.words.phases.get(1).copied().unwrap_or_default();
    let mut text =
        format!("game: {}\ngiven:\n  turn: {{player: A, phase: {first}, number: 1, start: true}}\n", book.code());
    // Where the game begins with its preparation, hands are drawn there.
    let hand = schema.zone("手札", Some(Seat(0))).map(|_| "手札").filter(|_| first != "準備");
    let deck = schema.fill.first().map(|(name, _)| *name).unwrap_or_default();
    let mut cards = names.iter().cycle();
    let mut deal = |n: usize| -> String {
        let dealt: Vec<String> = cards.by_ref().take(n).map(|c| scalar(c)).collect();
        dealt.join(", ")
    };
    for seat in Seat::BOTH {
        text.push_str(&format!("  {}:\n", schema.seats[seat.index()]));
        if let Some(hand) = hand {
            text.push_str(&format!("    {hand}: [{}]\n", deal(5)));
        }
        text.push_str(&format!("    {deck}: [{}]\n", deal(20)));
    }
    text.push_str("play: []\n");
    text
}

/// The board with other steps: what it is set up from is kept as it was written, what was claimed of it is not.
pub fn with_steps(source: &str, game: &str, steps: &[Node]) -> Option<String> {
    let mut kept = String::new();
    let (mut keeping, mut has_game, mut any) = (false, false, false);
    for line in source.lines() {
        let key = line.split_once(':').map(|(key, _)| key);
        let top = line.starts_with(|c: char| !c.is_whitespace() && !"#-{}[]".contains(c));
        if let Some(key) = key.filter(|_| top) {
            keeping = ["game", "cards", "given", "readings"].contains(&key);
            has_game |= key == "game";
            any |= key == "given";
        }
        if keeping {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    if !any {
        return None;
    }
    let head = if has_game { String::new() } else { format!("game: {game}\n") };
    let steps: String = match steps {
        [] => "play: []\n".into(),
        steps => format!("play:\n{}", steps.iter().map(|s| format!("- {}\n", flow(s))).collect::<String>()),
    };
    Some(format!("{head}{kept}{steps}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::yaml;

    #[test]
    fn what_is_written_is_read_as_the_same() {
        let words = [
            "赤",
            "赤#2",
            "A.手札#1",
            "中央/中央",
            "N",
            "no",
            "12",
            "a: b",
            "「x」, y",
            "-",
            "\"q\"",
            "魔法&罠ゾーン1",
            "X",
            "3.2",
        ];
        for word in words {
            let node = Node {
                at: Default::default(),
                kind: Kind::List(vec![Node { at: Default::default(), kind: Kind::Text(word.into()) }]),
            };
            let text = format!("{{k: {}}}", flow(&node));
            let read = yaml::mapping::<Node>("x".as_ref(), &text).map_err(|p| p.to_string()).unwrap().value;
            let item = read.get("k").unwrap().items()[0].clone();
            assert_eq!(item.kind, Kind::Text(word.into()), "{text}");
        }
    }

    #[test]
    fn claims_are_dropped_with_their_lines() {
        let source = "title: x\ncards:\n- name: 甲\n  data: {}\ngiven:\n  A: {手札: [甲]}\nplay:\n- pass: both\nexpect: {}\nwhy: [dz:1]\n";
        let text = with_steps(source, "dz", &[]).unwrap();
        assert_eq!(text, "game: dz\ncards:\n- name: 甲\n  data: {}\ngiven:\n  A: {手札: [甲]}\nplay: []\n");
        assert_eq!(with_steps("{given: {}, play: []}", "dz", &[]), None);
    }
}
