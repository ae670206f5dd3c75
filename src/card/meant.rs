//! Words that people write for something that is written otherwise: what they probably want, and how that is written.

/// Where a word was written: told by one of the words that would have been right there.
struct Row {
    /// A word that only this list has.
    among: &'static str,
    words: &'static [&'static str],
    how: &'static str,
}

const fn row(among: &'static str, words: &'static [&'static str], how: &'static str) -> Row {
    Row { among, words, how }
}

/// A step, a change, what is chosen from, a condition, a number, a filter, an ability.
const ROWS: &[Row] = &[
    row(
        "for_each",
        &["destroy", "kill", "break", "破壊", "破壊する"],
        "破壊するのは {move: {what: 対象, to: 墓地, how: 破壊}}（行き先と言い方はゲームのもの）",
    ),
    row(
        "for_each",
        &["discard", "捨てる"],
        "捨てるのは、{choose: {slot: 札, of: {cards: {of: 自分, in: 手札}}}} で選び、{move: {what: 札, to: 墓地}} で動かします（行き先と how はゲームのもの）",
    ),
    row(
        "for_each",
        &[
            "put",
            "place",
            "return",
            "bounce",
            "exile",
            "banish",
            "remove",
            "search",
            "send",
            "mill",
            "release",
            "sacrifice",
            "tribute",
            "動かす",
            "戻す",
            "置く",
        ],
        "カードを動かすのは {move: {what: 対象, to: 行き先}}（条件に合うすべてなら what の代わりに all: {…}）",
    ),
    row(
        "for_each",
        &["summon", "special_summon", "特殊召喚", "登場", "play"],
        "場に出すのは {move: {what: 対象, to: 場所}} か、ゲームの行為 {act: {name: …, what: 対象}}",
    ),
    row(
        "for_each",
        &["add"],
        "手札に加えるのは {move: {what: 対象, to: 手札}}、数に足すのは {grant: {what: 対象, changes: [{add: [パワー, 1000]}], until: ターン終了時}}",
    ),
    row(
        "for_each",
        &[
            "set",
            "base",
            "down",
            "gain",
            "lose",
            "lose_text",
            "become",
            "join",
            "control",
            "forbid",
            "immune",
            "cost",
            "price",
            "limit",
            "oblige",
            "bear",
            "under",
            "power",
            "buff",
            "boost",
            "pump",
        ],
        "継続する変化は {grant: {what: 対象, changes: [{add: [パワー, 1000]}], until: ターン終了時}} の changes に書きます",
    ),
    row(
        "for_each",
        &["target", "select", "選ぶ"],
        "選ぶのは {choose: {slot: 札, of: {cards: {…}}}}（発動やプレイの時に選ぶ対象は、能力の target に）",
    ),
    row(
        "for_each",
        &["heal", "life", "lp", "gain_life", "lose_life", "counter_spell", "negate", "cancel", "無効"],
        "ゲームの行為は {act: {name: …}}、打ち消すのは {counter: {what: 対象}}（行為の名は saitei words ゲーム に）",
    ),
    row(
        "for_each",
        &["tap", "untap", "rest", "freeze", "flip", "state", "position"],
        "状態を変えるのは {turn: {what: 対象, state: …}}",
    ),
    row("for_each", &["token", "make"], "新しいカードを作るのは {create: {…}}"),
    row(
        "for_each",
        &["marker", "put_counter", "counters"],
        "マーカーやカウンターは {mark: {what: this, name: …, count: 1}}",
    ),
    row("for_each", &["when", "trigger", "on", "delayed"], "後で起こることは {later: {when: {event: …}, do: […]}}"),
    row("for_each", &["optional", "choice", "ask"], "してよいことは {may: {do: […], then: […], else: […]}}"),
    row("for_each", &["instead"], "置換を作るのは {replace: {instead: {when: {…}, …}}}"),
    row(
        "lose_text",
        &["plus", "power", "buff", "boost", "pump", "raise", "minus"],
        "数の増減は {add: [パワー, 1000]}（減らすなら負の数）",
    ),
    row(
        "lose_text",
        &["ability", "abilities", "keyword", "grant", "give", "has"],
        "能力を与えるのは {gain: {keyword: {name: …}}} や {gain: {kind: …, …}}",
    ),
    row("lose_text", &["cannot", "cant", "prevent", "禁止"], "できなくするのは {forbid: {event: …}}"),
    row(
        "lose_text",
        &["name", "type", "race", "color", "colour", "attribute"],
        "言葉を変えるのは {become: [種族, [ドール]]}、加えるのは {join: [種族, ドール]}",
    ),
    row("lose_text", &["must"], "しなければならないことは {oblige: {event: …}}"),
    row(
        "squares",
        &["is", "in", "where", "has", "state", "name", "ref", "except", "not", "any", "highest", "lowest", "top"],
        "カードの条件は cards: の中に書きます: of: {cards: {is: …, of: 相手}}",
    ),
    row(
        "squares",
        &["card", "zone", "zones"],
        "カードから選ぶなら of: {cards: {…}}、場所から選ぶなら of: {squares: {…}}",
    ),
    row("at_least", &["more", "greater", "gte", "min", "over"], "以上は {at_least: [a, b]}（a が b 以上）"),
    row("at_least", &["less", "lte", "max", "under"], "以下は {at_most: [a, b]}（a が b 以下）"),
    row("at_least", &["eq", "is", "same"], "等しいことは {equal: [a, b]}"),
    row("at_least", &["and", "both"], "すべて満たすことは {all: [条件, 条件]}"),
    row("at_least", &["or", "either"], "どれか満たすことは {any: [条件, 条件]}"),
    row("at_least", &["phase", "step"], "フェイズやステップは {during: フェイズ}"),
    row("at_least", &["count", "cards", "has"], "あることは {exists: {…}}、枚数は {at_least: [{count: {…}}, 2]}"),
    row("except", &["type", "kind"], "種類の条件は is: …"),
    row("except", &["zone", "from", "at", "location"], "場所の条件は in: …"),
    row("except", &["controller", "who", "player", "side"], "誰のカードかは of: 自分・相手（持ち主なら owner）"),
    row(
        "highest",
        &["power", "cost", "level", "race", "color", "colour", "attack", "attribute"],
        "データの条件は where: {パワー: {min: 3000}}",
    ),
    row("except", &["keyword", "ability", "with_keyword"], "能力を持つ条件は has: キーワード"),
    row("except", &["other", "another"], "「ほかの」は except: this"),
    row("optional", &["effect", "effects", "then", "steps", "resolve"], "することは do: […] に書きます"),
    row("optional", &["trigger", "event", "on"], "誘発する出来事は when: [{event: …}]、kind は 誘発"),
    row("optional", &["targets", "choose_target"], "対象は target: [{of: {cards: {…}}}]"),
    row("optional", &["condition", "cond", "requires"], "条件は if: {…}"),
    row("optional", &["costs", "pay"], "コストは cost: [手順] か price: 記号"),
    row("optional", &["type"], "能力の種類は kind: 効果・起動・誘発・常在"),
    row("optional", &["changes", "modifies"], "常在の変化は grant: [{…}]（誰に及ぶかは affects）"),
    row("optional", &["once", "times", "per_turn"], "回数の制限は limit: 1"),
];

/// `「destroy」という書き方はありません。…`, if it is known what was meant.
pub fn meant(word: &str, expected: &[&str]) -> Option<String> {
    let fits = |row: &&Row| row.words.contains(&word) && expected.contains(&row.among);
    let row = ROWS.iter().find(fits)?;
    Some(format!("ここに「{word}」は書けません。{}", row.how))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::{Ability, Change, Cond, Filter, Pool, Step};
    use serde::Deserialize;
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, MapDeserializer, StrDeserializer};

    /// The words that the type would have taken, as its error lists them.
    fn taken<T: for<'de> Deserialize<'de>>() -> String {
        let word: StrDeserializer<Error> = "?".into_deserializer();
        let pair: MapDeserializer<_, Error> = MapDeserializer::new([("?", 0)].into_iter());
        let alone = T::deserialize(word).err().map(|e| e.to_string()).unwrap_or_default();
        alone + &T::deserialize(pair).err().map(|e| e.to_string()).unwrap_or_default()
    }

    #[test]
    fn every_row_belongs_to_one_list() {
        let lists = [
            taken::<Step>(),
            taken::<Change>(),
            taken::<Pool>(),
            taken::<Cond>(),
            taken::<Filter>(),
            taken::<Ability>(),
        ];
        for row in ROWS {
            let is_in = |list: &&String, word: &str| list.contains(&format!("`{word}`"));
            let of: Vec<&String> = lists.iter().filter(|l| is_in(l, row.among)).collect();
            assert_eq!(of.len(), 1, "{} tells no list apart", row.among);
            // What is right there needs no advice.
            let right: Vec<_> = row.words.iter().filter(|w| is_in(&of[0], w)).collect();
            assert!(right.is_empty(), "{right:?} can be written beside {}", row.among);
        }
    }
}
