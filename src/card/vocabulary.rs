//! The words of a game, against which its cards are checked.

/// What kind of thing a datum is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataKind {
    Number,
    Words,
    Price,
}

/// The words that cards and scenarios of a game may use. Slots and card names are free.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vocabulary {
    /// Printed data, in the order in which they are shown.
    pub data: &'static [(&'static str, DataKind)],
    /// Data that no card prints: what another datum is before effects raise or lower it, each with that other.
    pub bases: &'static [(&'static str, &'static str)],
    /// The datum that `is:` looks at.
    pub class: &'static str,
    /// The words that a datum can have, where the game has a list of them: kinds, colours, icons.
    pub values: &'static [(&'static str, &'static [&'static str])],
    /// The data that a class of cards must have, besides the class itself; under no class: what every card must have.
    /// `レベル/ランク`: one of the two.
    pub required: &'static [(&'static str, &'static [&'static str])],
    /// Markers and counters that lie on cards.
    pub markers: &'static [&'static str],
    /// Numbers that players have and texts may read.
    pub numbers: &'static [&'static str],
    /// Zones and groups of zones.
    pub places: &'static [&'static str],
    /// Relations between places.
    pub relations: &'static [&'static str],
    pub states: &'static [&'static str],
    pub events: &'static [&'static str],
    /// Those of the events that are no card's: the beginning and the end of a turn, a phase, a battle.
    pub moments: &'static [&'static str],
    /// Those that befall a player: a card can only have brought them about.
    pub of_players: &'static [&'static str],
    /// Ways of doing a thing that texts distinguish (破壊, 捨てる).
    pub manners: &'static [&'static str],
    pub keywords: &'static [&'static str],
    /// What a keyword must say besides its name: `value`, `range`, `price`, `filter`, `words`, `text`. `value/words`: one of
    /// the two.
    pub parts: &'static [(&'static str, &'static [&'static str])],
    /// What a keyword may say besides that; one that stands here says nothing else.
    pub takes: &'static [(&'static str, &'static [&'static str])],
    pub timings: &'static [&'static str],
    /// Ends of durations.
    pub untils: &'static [&'static str],
    /// Acts of the game that a text may call by name.
    pub acts: &'static [&'static str],
    pub roles: &'static [&'static str],
    /// Ways in which a card lies with another.
    pub attachments: &'static [&'static str],
    /// Limits that a player has.
    pub limits: &'static [&'static str],
    /// Ways of speaking that only some games execute: `∞`, `?`, `choose` of several modes, costs of one mode
    /// (`modes.cost`), cards without a kind (`種類なし`), ∞ for a printed datum only (`コスト∞`), the card that is changed
    /// (`it`), named abilities (`能力名`), counters of any name (`カウンター名`), effects of a card that go on from each
    /// other (`続く効果`), abilities of other cards (`copy`).
    pub speaks: &'static [&'static str],
    /// Phases and steps.
    pub phases: &'static [&'static str],
}
