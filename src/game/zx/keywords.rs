//! 1101–1136: keyword abilities, each written in the language of abilities. What a keyword names (a number, a name, a
//! price) is put in before the text is read; what follows it in brackets becomes valid under its condition.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

use crate::card::{Ability, Cond, Filter, Keyword, Kind, Price, Quantity, Value, Word};
use crate::kernel::Cite;
use crate::text::yaml;

/// All that a card may have. 降臨条件 to 憑依条件, 剣臨器 and クライシス are no abilities but stand in the same place.
pub const NAMES: &[&str] = &[
    "スタートカード",
    "ライフリカバリー",
    "ヴォイドブリンガー",
    "レンジ",
    "エヴォルシード",
    "絶界",
    "アルターフォース",
    "ゼロオプティマ",
    "InfiniteSolitude",
    "レベル",
    "スタイリッシュ頭突き",
    "ゼクステンド・ドライブ!",
    "ゲートカード",
    "電影",
    "インストール",
    "リライト",
    "アクティベート",
    "セッション",
    "シンボル",
    "反魂",
    "アルターブレイク",
    "昇華",
    "連携",
    "ファントム",
    "グラビティアシスト",
    "世界再創生",
    "スタートリソース",
    "破天降臨",
    "カラーブレイク",
    "レイド",
    "トランス",
    "オーバードライブ",
    "ドレスアップ",
    "ボルテージ",
    "シンパシー",
    "降臨条件",
    "覚醒条件",
    "夢装条件",
    "憑依条件",
    "剣臨器",
    "クライシス",
    "P",
];

/// 205.4a: a role that asks for what a player name has in it, which follows.
pub const PLAYER_NAME: &str = "プレイヤー名に含む:";

/// 1123.3, reading C10: a role that asks for the name that follows, or for that of the document.
pub const SUBLIMED: &str = "昇華の名:";

/// Keywords that mean a whole ability: the clause and the text. `N`: the number, `NAME`: the name, `COLOUR`, `POINTS`:
/// the resource cost.
static TEXTS: &[(&str, &Cite, &str)] = &[
    (
        "ライフリカバリー",
        zx!("1103.2", Meaning),
        "{kind: 誘発, timing: スペシャル, when: [{event: 登場, card: {ref: this}, from: ライフ, how: プレイ}], \
         if: {at_most: [{count: {of: 自分, in: ライフ}}, {count: {of: 相手, in: ライフ}}]}, \
         do: [{move: {all: {of: 自分, in: デッキ, top: 1}, to: ライフ}}]}",
    ),
    (
        "ヴォイドブリンガー",
        zx!("1104.2", Meaning),
        "{kind: 誘発, timing: スペシャル, when: [{event: 登場, card: {ref: this}, from: ライフ, how: プレイ}], \
         if: {at_most: [{count: {of: 自分, in: ライフ}}, {count: {of: 相手, in: ライフ}}]}, \
         do: [{choose: {of: {cards: {is: ゼクス}}, up_to: 1}}, {move: {what: 対象, to: トラッシュ}}]}",
    ),
    (
        "アルターフォース",
        zx!("1108.3", Meaning),
        "{kind: 誘発, when: [{event: 登場, card: {ref: this}}], \
         do: [{choose: {slot: 札, of: {cards: {of: 自分, in: トラッシュ}}, up_to: N, silent: true}}, \
         {move: {what: 札, to: this, as: フォース, state: 表}}]}",
    ),
    (
        "InfiniteSolitude",
        zx!("1110.2", Meaning),
        "{kind: 誘発, when: [{event: 登場, card: {ref: this}}], \
         do: [{choose: {slot: 札, of: {cards: {is: ゼクス, of: 自分, except: this}}, any_number: true}}, \
         {move: {what: 札, to: 手札}}]}",
    ),
    (
        "スタイリッシュ頭突き",
        zx!("1112.1", Meaning),
        "{kind: 誘発, when: [{event: 登場, card: {ref: this}}], do: [{act: {name: スタイリッシュ頭突き}}]}",
    ),
    (
        "インストール",
        zx!("1116.1", Meaning),
        "{kind: 誘発, when: [{event: 登場, card: {ref: this}}], do: [{act: {name: インストール}}]}",
    ),
    (
        "電影",
        zx!("1115.2", Meaning),
        "{kind: 起動, from: [手札], if: {turn: 自分}, \
         cost: [{choose: {slot: 札, of: {cards: {is: ゼクス, of: 自分, state: リブート, where: {コスト: {min: N}}}}}}, \
         {move: {what: 札, to: 手札}}], \
         do: [{if: {cond: {none: {is: ゼクス, in: 札}}, then: [{move: {what: this, to: 札, state: リブート}}]}}]}",
    ),
    (
        "リライト",
        zx!("1117.2", Meaning),
        "{kind: 起動, from: [トラッシュ], if: {turn: 自分}, price: COLOURPOINTS, do: [{act: {name: リライト}}, \
         {move: {what: this, to: リムーブゾーン, how: 除外}}]}",
    ),
    (
        "アクティベート",
        zx!("1118.2", Meaning),
        "{kind: 起動, if: {turn: 自分}, price: COLOURPOINTS, do: [\
         {choose: {slot: 札, of: {cards: {is: ゼクス, in: フォースゾーン, under: {フォース: this}, name_part: 式神, \
         where: {コスト: {max: {count: {of: 自分, in: リソース}}}}}}}}, \
         {choose: {slot: 場, of: {squares: {in: ノーマルスクエア, without: {is: ゼクス}}}}}, \
         {move: {what: 札, to: 場, state: リブート}}]}",
    ),
    (
        "反魂",
        zx!("1121.2", Meaning),
        "{kind: 誘発, from: [トラッシュ], when: [{event: 破壊, card: {is: ゼクス, of: 相手, \
         where: {コスト: {min: {data: [this, コスト]}}}}, by: {is: ゼクス, of: 自分, name_part: 黒剣}}], if: {turn: 自分}, \
         do: [{may: {do: [{act: {name: COLOURを支払う, count: POINTS}}], then: [\
         {choose: {slot: 場, of: {squares: {in: ノーマルスクエア, without: {is: ゼクス}}}}}, \
         {move: {what: this, to: 場, state: リブート}}]}}]}",
    ),
    (
        "昇華",
        zx!("1123.3", Meaning),
        "{kind: 誘発, when: [{event: 登場, card: {ref: this}}], do: [\
         {choose: {slot: 札, of: {cards: {of: 自分, in: リソース, role: SUBLIMED}}, up_to: N}}, \
         {move: {what: 札, to: デュナミス, state: 表}}, \
         {repeat: {count: {size: moved}, do: [{move: {all: {of: 自分, in: デッキ, top: 1}, to: リソース, state: スリープ}}]}}]}",
    ),
    (
        "連携",
        zx!("1124.2", Meaning),
        "{kind: 常在, grant: [{down: [リソースコスト, {count: {is: ゼクス, of: 自分, name_part: NAME}}, 1]}]}",
    ),
    (
        "グラビティアシスト",
        zx!("1126.2", Meaning),
        "{kind: 誘発, from: [ノーマルスクエア], when: [{event: ドローフェイズ開始時}], if: {turn: 相手}, do: [\
         {move: {what: this, to: デッキ, at: 下, slot: 置いた}}, {if: {cond: {did: 置いた}, then: [{draw: {count: 1}}]}}]}",
    ),
    (
        "世界再創生",
        zx!("1127.2", Meaning),
        "{kind: 起動, from: [手札], if: {turn: 自分}, \
         cost: [{choose: {slot: ソル, of: {cards: {of: 自分, in: スクエア, name: 叡智極点 ソル}}, silent: true}}, \
         {turn: {what: ソル, state: スリープ}}], do: [{act: {name: 世界再創生}}]}",
    ),
    (
        "カラーブレイク",
        zx!("1130.2", Meaning),
        "{kind: 誘発, when: [{event: ドローフェイズ開始時}], \
         do: [{may: {do: [{move: {what: this, to: トラッシュ}}], then: [{act: {name: カラーブレイク}}]}}]}",
    ),
    (
        "レイド",
        zx!("1131.2", Meaning),
        "{kind: 起動, from: [手札], price: COLOURPOINTS, do: [{if: {cond: {any: [\
         {happened: {event: ダメージ, who: 自分}}, {happened: {event: ダメージ, who: 相手}}]}, then: [\
         {choose: {slot: 場, of: {squares: {in: ノーマルスクエア, without: {is: ゼクス}}}}}, \
         {move: {what: this, to: 場, state: スリープ}}]}}]}",
    ),
    (
        "トランス",
        zx!("1132.2", Meaning),
        "{kind: 起動, from: [フォースゾーン], if: {turn: 自分}, cost: [\
         {choose: {slot: 主, of: {cards: {ref: host, is: ゼクス, state: リブート, where: {種族: {not: ク・リト}}}}}}, \
         {move: {what: 主, to: トラッシュ}}], do: [\
         {choose: {slot: 札, of: {cards: {is: ゼクス, of: 自分, in: デュナミス, name_part: 【TT】, where: {種族: {shared: 主}}}}, \
         up_to: 1}}, \
         {choose: {slot: 場, of: {squares: {in: ノーマルスクエア, without: {is: ゼクス}}}}}, \
         {move: {what: 札, to: 場, state: リブート}}]}",
    ),
    (
        "オーバードライブ",
        zx!("1133.2", Meaning),
        "{kind: 常在, if: {exists: {ref: this, role: イグニッションかライフから登場}}, grant: [{base: [パワー, 15000]}]}",
    ),
    (
        "ドレスアップ",
        zx!("1134.2", Meaning),
        "{kind: 誘発, when: [{event: 破壊, how: バトル, card: {is: ゼクス, of: 相手}, by: {ref: this}}], \
         do: [{may: {do: [{move: {what: this, to: デュナミス, state: 表}}], then: [\
         {choose: {slot: 札, of: {cards: {of: 自分, in: デュナミス, state: 裏, where: {種族: インフルエンサー}}}, up_to: 1}}, \
         {choose: {slot: 場, of: {squares: {in: ノーマルスクエア, without: {is: ゼクス}}}}}, \
         {move: {what: 札, to: 場, state: リブート}}]}}]}",
    ),
];

/// Keywords that make what follows them valid: the clause and the condition.
static CONDITIONS: &[(&str, &Cite, &str)] = &[
    (
        "ゼロオプティマ",
        zx!("1109.2", Meaning),
        "{at_least: [{count: {of: 自分, in: リソース, where: {アイコン: イグニッション}}}, N]}",
    ),
    (
        "レベル",
        zx!("1111.3", Meaning),
        "{at_least: [{count: {of: 自分, in: デュナミス, state: 表, where: {種族: NAME}}}, N]}",
    ),
    (
        "P",
        zx!("205.4a", Meaning),
        "{any: [{exists: {is: プレイヤー, of: 自分, state: 表, any: [{name_part: NAME}, {where: {プレイヤー名: NAME}}, \
         {role: PLAYER}]}}, {exists: {is: ゼクス オーバーブースト, of: 自分, role: BOOST}}]}",
    ),
    ("セッション", zx!("1119.2", Meaning), "{exists: {is: ゼクス, of: 自分, near: {隣: this}}}"),
    ("シンボル", zx!("1120.2", Meaning), "{exists: {is: ゼクス, of: 自分, in: [スクエア, チャージ], name_part: NAME}}"),
    ("アルターブレイク", zx!("1122.2", Meaning), "{exists: {in: フォースゾーン, state: 裏, under: {フォース: this}}}"),
    ("ボルテージ", zx!("1135.2", Meaning), "{at_least: [{kinds: {of: 自分, in: リソース, where: {種族: NAME}}}, N]}"),
];

/// What a keyword means.
pub fn meaning(keyword: &Keyword) -> Vec<Ability> {
    let key = format!("{keyword:?}");
    static KNOWN: OnceLock<Mutex<HashMap<String, Vec<Ability>>>> = OnceLock::new();
    let known = KNOWN.get_or_init(Default::default);
    if let Some(abilities) = known.lock().ok().and_then(|k| k.get(&key).cloned()) {
        return abilities;
    }
    let abilities = made(keyword);
    if let Ok(mut known) = known.lock() {
        known.insert(key, abilities.clone());
    }
    abilities
}

fn made(keyword: &Keyword) -> Vec<Ability> {
    let name = keyword.name.as_str();
    // Readings C14, C15: what the document does not define is what the card says about it.
    if ["スタイリッシュ頭突き", "インストール"].contains(&name) && !keyword.text.is_empty() {
        return keyword.text.clone();
    }
    // 1108.2: without a number it is one card.
    if name == "アルターフォース" && keyword.value.is_none() {
        let one = made(&Keyword { value: Some(Value::Number(1)), ..keyword.clone() });
        let clauses = vec![zx!("1108.2", Meaning).clause];
        return one.into_iter().map(|ability| Ability { clauses: clauses.clone(), ..ability }).collect();
    }
    if let Some((_, clause, text)) = TEXTS.iter().find(|(n, ..)| *n == name) {
        let mut clauses = vec![clause.clause];
        if name == "昇華" {
            clauses.push(zx!("C10", Reading).clause);
        }
        let ability = Ability { clauses, ..read(keyword, text) };
        // 1127.2, 1130.2: valid only with that player, as 205.4a has it.
        let player = [("世界再創生", "ソル"), ("カラーブレイク", "イース")].into_iter().find(|(n, _)| *n == name);
        return vec![match player {
            Some((_, player)) => with_player(keyword, &ability, player),
            None => ability,
        }];
    }
    if let Some((_, clause, text)) = CONDITIONS.iter().find(|(n, ..)| *n == name) {
        let cond = read(keyword, &format!("{{kind: 常在, if: {text}, grant: [{{add: [パワー, 0]}}]}}")).cond;
        let cond = cond.expect("it was just written");
        return keyword.text.iter().map(|a| under(a, cond.clone(), clause.clause)).collect();
    }
    let each = |change: &dyn Fn(&Ability) -> Ability| keyword.text.iter().map(change).collect();
    match name {
        // 1106.2.
        "エヴォルシード" => each(&|a| Ability {
            kind: Kind::Triggered,
            from: vec![Word("トラッシュ")],
            when: read(
                keyword,
                "{kind: 誘発, when: [{event: 置く, card: {ref: this}, from: デッキ, to: トラッシュ}], do: []}",
            )
            .when,
            clauses: vec![zx!("1106.2", Meaning).clause],
            ..a.clone()
        }),
        // 1125.2.
        "ファントム" => each(&|a| Ability {
            kind: Kind::Activated,
            cond: Some(Cond::Turn(Word("自分"))),
            cost: read(
                keyword,
                "{kind: 起動, cost: [{choose: {slot: 手札の札, of: {cards: {of: 自分, in: 手札}}}}, \
                 {move: {what: 手札の札, to: チャージ}}, {move: {what: this, to: 手札}}], do: []}",
            )
            .cost,
            clauses: vec![zx!("1125.2", Meaning).clause],
            ..a.clone()
        }),
        // 1113.2, 1129.2: how often is said where abilities are played.
        "ゼクステンド・ドライブ!" | "破天降臨" => each(&|a| a.clone()),
        // 1136.2.
        "シンパシー" => {
            let grant = keyword.text.iter().map(|a| crate::card::Change::Gain(Box::new(a.clone()))).collect();
            let affects = Filter { has: vec![Word("シンパシー")], ..of_kind("ゼクス") };
            let cond = Cond::Exists(Filter { role: Some(Word("ユニゾン状態")), ..Filter::of_ref(Word("this")) });
            let kind = Kind::Static;
            vec![Ability {
                kind,
                cond: Some(cond),
                affects: Some(affects),
                grant,
                clauses: vec![zx!("1136.2", Meaning).clause],
                ..Ability::default()
            }]
        }
        _ => Vec::new(),
    }
}

/// The kind of ability that a keyword is. Conditions of playing are none; what has no text of its own lasts.
pub fn kind_of(keyword: &Keyword) -> Option<Kind> {
    let condition = ["降臨条件", "覚醒条件", "夢装条件", "憑依条件", "剣臨器", "クライシス"];
    if condition.contains(&keyword.name.as_str()) {
        return None;
    }
    match meaning(keyword).first() {
        Some(text) if text.timing.is_some_and(|t| t == "スペシャル") => None,
        Some(text) => Some(text.kind),
        None => Some(Kind::Static),
    }
}

fn of_kind(kind: &'static str) -> Filter {
    Filter { is: vec![Word(kind)], of: Some(Word("自分")), ..Filter::default() }
}

/// 205.4a: the ability, valid only with the player.
fn with_player(keyword: &Keyword, ability: &Ability, player: &'static str) -> Ability {
    let p = Keyword { name: Word("P"), words: vec![Word(player)], text: vec![ability.clone()], ..keyword.clone() };
    let cond = made(&p).into_iter().next().and_then(|a| a.cond);
    let clauses = [ability.clauses.clone(), vec![zx!("205.4a", Meaning).clause]].concat();
    Ability { cond, clauses, ..ability.clone() }
}

/// The ability, valid only under the condition as well (1101.2).
fn under(ability: &Ability, cond: Cond, clause: &'static str) -> Ability {
    let cond = match &ability.cond {
        Some(own) => Cond::All(vec![cond, own.clone()]),
        None => cond,
    };
    Ability { cond: Some(cond), clauses: vec![clause], ..ability.clone() }
}

/// A text of ours, with what the keyword names put in.
fn read(keyword: &Keyword, text: &str) -> Ability {
    let number = match &keyword.value {
        Some(Value::Number(n)) => *n,
        _ => 1,
    };
    let (colour, points) = price(keyword.price.first());
    let name = keyword.words.first().map_or("", |w| w.as_str());
    let text = text
        .replace("COLOUR", &colour)
        .replace("POINTS", &points.to_string())
        .replace("SUBLIMED", &quoted(&format!("{SUBLIMED}{name}")))
        .replace("PLAYER", &quoted(&format!("{PLAYER_NAME}?{name}")))
        .replace("BOOST", &quoted(&format!("{PLAYER_NAME}{name}")))
        .replace("NAME", &quoted(name))
        .replace("N]", &format!("{number}]"))
        .replace("N}", &format!("{number}}}"))
        .replace("N,", &format!("{number},"));
    let (items, problems) =
        yaml::items::<Ability>(Path::new("keywords"), &format!("abilities:\n- {text}\n"), "abilities");
    assert!(problems.is_empty(), "{}: {problems:?}", keyword.name);
    items.into_iter().next().expect("one was written").value
}

/// A name as YAML takes it, whatever is in it.
fn quoted(name: &str) -> String {
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_alphanumeric() || c.is_ascii_graphic() || c == ' ' => c.to_string(),
        c => format!("\\U{:08x}", u32::from(c)),
    };
    format!("\"{}\"", name.chars().map(escaped).collect::<String>())
}

/// 805.2b: the colour and the points of a resource cost.
fn price(price: Option<&Price>) -> (String, i32) {
    let Some((symbol, quantity)) = price.and_then(|p| p.0.first()) else { return ("無色".into(), 0) };
    (symbol.to_string(), if let Quantity::Number(n) = quantity { *n } else { 0 })
}

/// 1113.2, 1115.3, 1129.2, 1131.3: abilities of which a player plays only one, and for how long that holds.
pub fn shared_limit(keyword: &str) -> Option<(Word, &'static Cite)> {
    let turn = crate::kernel::limit::TURN;
    match keyword {
        "ゼクステンド・ドライブ!" => Some((Word("デュエル"), zx!("1113.2", Limit))),
        "破天降臨" => Some((turn, zx!("1129.2", Limit))),
        "電影" => Some((turn, zx!("1115.3", Limit))),
        "レイド" => Some((turn, zx!("1131.3", Limit))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_can_be_read() {
        for (name, ..) in TEXTS.iter().chain(CONDITIONS) {
            let keyword = Keyword {
                name: Word(name),
                value: Some(Value::Number(2)),
                range: None,
                price: vec![Price::read("黒1").expect("a price")],
                cost: Vec::new(),
                filter: None,
                words: vec![Word("式神")],
                text: vec![Ability::default()],
            };
            assert!(!meaning(&keyword).is_empty(), "{name}");
        }
    }
}
