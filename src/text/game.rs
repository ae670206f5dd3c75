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
            "dimension zero",
            "dimension0",
            "d0",
        ],
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
    },
    Entry { code: "zx", name: "Z/X", called: &["zx", "z/x", "ゼクス", "z/x zillions of enemy x"] },
    Entry { code: "nova", name: "NOVA", called: &["nova", "ノヴァ", "ノバ"] },
    Entry {
        code: "ygo",
        name: "遊戯王OCG",
        called: &["ygo", "遊戯王ocg", "遊戯王", "遊☆戯☆王", "ocg", "yugioh", "yu-gi-oh"],
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
                let apart = rest.is_empty() || rest.starts_with([':', ' ', '　', '_', '第']);
                // 「遊戯王2.4.7」 needs no blank; 「zx102」 is not a name followed by a number for sure, but what else?
                let glued =
                    rest.starts_with(|c: char| c.is_ascii_digit()) && !name.ends_with(|c: char| c.is_ascii_digit());
                (apart || glued).then_some((game, name.len(), rest))
            })
            .max_by_key(|(_, length, _)| *length)
            .map(|(game, _, rest)| (game, rest.trim_start_matches([':', ' ', '　', '_'])))
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
        assert_eq!(read("novaエナジー"), None);
        assert_eq!(read("102.4"), None);
    }
}
