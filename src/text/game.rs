//! The one list of games. Nothing outside this list matches over games by name.

use serde::{Deserialize, Serialize};

/// A game, by its place in [`GAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Game(u8);

struct Entry {
    code: &'static str,
    name: &'static str,
    /// What people write for it, already in NFKC and lower case.
    called: &'static [&'static str],
    /// Those of its names that are also words of the game.
    words: &'static [&'static str],
}

const GAMES: [Entry; 5] = [
    Entry {
        code: "dz",
        name: "ディメンション・ゼロ",
        called: &[
            "dz",
            "ディメンション・ゼロ",
            "ディメンションゼロ",
            "ディメゼロ",
            "でぃめんしょんぜろ",
            "でぃめぜろ",
            "dimension zero",
            "dimension0",
            "d0",
        ],
        words: &[],
    },
    Entry {
        code: "msd",
        name: "魔法少女 ザ・デュエル",
        called: &[
            "msd",
            "魔法少女 ザ・デュエル",
            "魔法少女ザ・デュエル",
            "魔法少女ザデュエル",
            "魔法少女",
            "マホデュエ",
        ],
        words: &["魔法少女"],
    },
    Entry {
        code: "zx", name: "Z/X", called: &["zx", "z/x", "ゼクス", "z/x zillions of enemy x"], words: &["ゼクス"]
    },
    Entry { code: "nova", name: "NOVA", called: &["nova", "ノヴァ", "ノバ"], words: &[] },
    Entry {
        code: "ygo",
        name: "遊戯王OCG",
        called: &["ygo", "遊戯王ocg", "遊戯王", "遊☆戯☆王", "ゆうぎおう", "ocg", "yugioh", "yu-gi-oh"],
        words: &[],
    },
];

impl Game {
    pub const ALL: [Game; GAMES.len()] = [Game(0), Game(1), Game(2), Game(3), Game(4)];

    pub fn from_code(code: &str) -> Option<Game> {
        Game::ALL.into_iter().find(|g| g.code() == code)
    }

    /// By any name in use; the text must be in NFKC and lower case.
    pub fn from_name(name: &str) -> Option<Game> {
        Game::ALL.into_iter().find(|g| GAMES[g.index()].called.contains(&name))
    }

    /// The game that a query opens with, and the rest of the query.
    pub fn prefix(query: &str) -> Option<(Game, &str)> {
        let names = Game::ALL.into_iter().flat_map(|g| GAMES[g.index()].called.iter().map(move |n| (g, *n)));
        names
            .filter_map(|(game, name)| {
                let rest = query.strip_prefix(name)?;
                ends(name, rest).then_some((game, name.len(), rest))
            })
            .max_by_key(|(_, length, _)| *length)
            .map(|(game, _, rest)| (game, after_name(rest)))
    }

    /// The game that a query ends with, as 「102.4 zx」 and 「102.4(zx)」 do, and the query before it.
    pub fn suffix(query: &str) -> Option<(Game, &str)> {
        let inner = query.strip_suffix(')').unwrap_or(query);
        let names = Game::ALL.into_iter().flat_map(|g| GAMES[g.index()].called.iter().map(move |n| (g, *n)));
        let before = names.filter_map(|(game, name)| Some((game, inner.strip_suffix(name)?)));
        let apart = before.filter(|(_, rest)| rest.ends_with([' ', '(', '.', ',']));
        apart.min_by_key(|(_, rest)| rest.len()).map(|(game, rest)| (game, rest.trim_end_matches([' ', '(', ','])))
    }

    /// The game that a query names at its beginning, at its end or as a word of its own, and the query without the
    /// name; the text must be in NFKC and lower case. A name that is also a word of the game (「ゼクス」) stays.
    pub fn spoken(query: &str) -> Option<(Game, String)> {
        let names = Game::ALL.into_iter().flat_map(|g| GAMES[g.index()].called.iter().map(move |n| (g, *n)));
        let apart = |c: char| c.is_whitespace() || c.is_ascii_punctuation() || "、。（）「」・？！".contains(c);
        let found = names.filter_map(|(game, name)| {
            let at = query.match_indices(name).map(|(at, _)| at).find(|&at| {
                query[..at].chars().next_back().is_none_or(apart) && ends(name, &query[at + name.len()..])
            })?;
            Some((name.len(), game, name, at))
        });
        let (length, game, name, at) = found.max_by_key(|(length, ..)| *length)?;
        let (before, after) = (query[..at].trim_end(), after_name(&query[at + length..]));
        if GAMES[game.index()].words.contains(&name) {
            return Some((game, query.to_string()));
        }
        // Brackets around the name go with it.
        let rest = format!("{before} {after}");
        let rest = rest.trim_matches(|c: char| c.is_whitespace() || "（）()".contains(c)).to_string();
        (!rest.is_empty()).then_some((game, rest))
    }

    pub fn code(self) -> &'static str {
        GAMES[self.index()].code
    }

    pub fn name(self) -> &'static str {
        GAMES[self.index()].name
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// `dz・msd・zx・nova・ygo`, for messages.
    pub fn codes() -> String {
        Game::ALL.map(Game::code).join("・")
    }
}

/// Whether a name ends where `rest` begins.
fn ends(name: &str, rest: &str) -> bool {
    let ascii = name.ends_with(|c: char| c.is_ascii_alphanumeric());
    let digit = name.ends_with(|c: char| c.is_ascii_digit());
    rest.chars().next().is_none_or(|c| match c {
        // 「遊戯王2.4.7」 needs no blank; 「zx102」 is not a name followed by a number for sure, but what else?
        c if c.is_ascii_digit() => !digit,
        c if c.is_ascii_alphanumeric() => !ascii,
        c if ascii || c.is_whitespace() || c.is_ascii_punctuation() => true,
        _ => AFTER.iter().any(|word| rest.starts_with(word)),
    })
}

/// What may follow the name of a game.
const AFTER: [&str; 14] =
    ["、", "。", "）", "」", "：", "第", "総合ルール", "ルール", "公式", "の", "で", "は", "における", "だと"];

/// What comes after a name, without what joined them.
fn after_name(rest: &str) -> &str {
    // 「で」 joins, 「でき」 does not.
    let joins = ["における", "では", "だと", "の場合", "の", "で", "は"];
    let joined = joins.iter().find_map(|j| rest.strip_prefix(j)).filter(|after| !after.starts_with('き'));
    joined.unwrap_or(rest).trim_start_matches([':', ' ', '　', '_', '、', '：', '）', ')'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_before_numbers() {
        let read = |q| Game::prefix(q).map(|(g, rest)| (g.code(), rest.to_string()));
        assert_eq!(read("z/x 102.4"), Some(("zx", "102.4".into())));
        assert_eq!(read("zx:102.4"), Some(("zx", "102.4".into())));
        assert_eq!(read("遊戯王ocg2.4"), Some(("ygo", "2.4".into())));
        assert_eq!(read("dz第2部"), Some(("dz", "第2部".into())));
        assert_eq!(read("novaエナジー"), Some(("nova", "エナジー".into())));
        assert_eq!(read("zxの102.4"), Some(("zx", "102.4".into())));
        assert_eq!(read("ゼクスが破壊"), None);
        assert_eq!(read("102.4"), None);
    }

    #[test]
    fn names_beside_words() {
        let read = |q| Game::spoken(q).map(|(g, rest)| (g.code(), rest));
        let told = |code, rest: &str| Some((code, rest.to_string()));
        assert_eq!(read("zx 手札の上限"), told("zx", "手札の上限"));
        assert_eq!(read("手札の上限 zx"), told("zx", "手札の上限"));
        assert_eq!(read("手札の上限（z/x）"), told("zx", "手札の上限"));
        assert_eq!(read("遊戯王で手札は何枚まで"), told("ygo", "手札は何枚まで"));
        assert_eq!(read("手札 nova 上限"), told("nova", "手札 上限"));
        assert_eq!(read("ゼクス 手札"), told("zx", "ゼクス 手札"));
        assert_eq!(read("ゼクスが破壊されたら"), None);
        assert_eq!(read("supernova 手札"), None);
        assert_eq!(read("遊戯王"), None);
    }
}
