//! Citations are values: a clause named in code is found by the loader, printed by the trace, counted by coverage,
//! and can be knocked out.

use std::collections::HashMap;
use std::sync::OnceLock;

/// What kind of rule a clause is, which says what it means to do without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// A step of a procedure. Knocked out, it is not done; where that makes no sense it cannot be knocked out.
    Procedure,
    /// A check on the position. Knocked out, it is skipped.
    Check,
    /// May or may not. Knocked out, it permits.
    Limit,
    /// Who or what comes first. Knocked out, the order is reversed.
    Order,
    /// The order in which effects apply. Knocked out, timestamps decide.
    Layer,
    /// What an act or a keyword is. Knocked out, it has its plain meaning, or none.
    Meaning,
    /// A definition or a frame: cited, but nothing would be left without it.
    Frame,
    /// A reading of a gap in the document.
    Reading,
}

impl Rule {
    pub fn can_be_knocked_out(self) -> bool {
        !matches!(self, Rule::Frame | Rule::Reading)
    }

    /// For the trace and coverage.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Procedure => "手順",
            Rule::Check => "確認",
            Rule::Limit => "可否",
            Rule::Order => "順序",
            Rule::Layer => "適用順",
            Rule::Meaning => "意味",
            Rule::Frame => "枠組み",
            Rule::Reading => "読み",
        }
    }
}

/// A clause at the line of code that executes it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Cite {
    pub game: &'static str,
    pub clause: &'static str,
    pub rule: Rule,
    pub file: &'static str,
    pub line: u32,
}

impl Cite {
    /// `dz:4.16.4-5`.
    pub fn id(&self) -> String {
        format!("{}:{}", self.game, self.clause)
    }
}

/// A citation that the program knows of.
pub struct Cited(pub &'static Cite);

inventory::collect!(Cited);

/// Every citation in the program, wherever it stands.
pub fn all() -> impl Iterator<Item = &'static Cite> {
    inventory::iter::<Cited>().map(|cited| cited.0)
}

/// The citations of a game in the order of files and lines.
pub fn cited(game: &str) -> Vec<&'static Cite> {
    let mut found: Vec<&'static Cite> = all().filter(|c| c.game == game).collect();
    found.sort_by_key(|c| (c.file, c.line));
    found
}

/// The citations of one clause, in the same order. They are collected in any order, so they are not
/// read as they come.
pub fn of_clause(game: &'static str, clause: &'static str) -> &'static [&'static Cite] {
    static BY_CLAUSE: OnceLock<HashMap<(&str, &str), Vec<&'static Cite>>> = OnceLock::new();
    let sort = || {
        let mut all: Vec<&'static Cite> = all().collect();
        all.sort_by_key(|c| (c.file, c.line));
        let mut found: HashMap<(&str, &str), Vec<&'static Cite>> = HashMap::new();
        for cite in all {
            found.entry((cite.game, cite.clause)).or_default().push(cite);
        }
        found
    };
    BY_CLAUSE.get_or_init(sort).get(&(game, clause)).map_or(&[], Vec::as_slice)
}

/// A citation at this line: `cite!("dz", "4.16.4-5", Check)`.
#[macro_export]
macro_rules! cite {
    ($game:literal, $clause:literal, $rule:ident) => {{
        static CITE: $crate::kernel::Cite = $crate::kernel::Cite {
            game: $game,
            clause: $clause,
            rule: $crate::kernel::Rule::$rule,
            file: file!(),
            line: line!(),
        };
        inventory::submit! { $crate::kernel::cite::Cited(&CITE) }
        &CITE
    }};
}
