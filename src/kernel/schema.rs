//! What a game declares about itself: zones with their geometry, facts, words.

use std::sync::OnceLock;

use super::book::Rulebook;
use super::cite::Cite;
use super::duel::Duel;
use super::event::Means;
use super::table::{Obj, Seat, ZoneId};
use super::view::Seen;
use crate::card::{DataKind, Filter, Vocabulary, Word};

/// Who may see the front of a card in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    All,
    Owner,
    Nobody,
}

/// A zone of the table.
#[derive(Clone, Copy, Debug)]
pub struct ZoneSpec {
    pub name: &'static str,
    /// Whose it is; shared zones are nobody's.
    pub owner: Option<Seat>,
    /// A zone where cards are in play.
    pub board: bool,
    /// Column and row, as the first player sees them from the left and from their side.
    pub x: i8,
    pub y: i8,
    pub sight: Sight,
    /// Cards in it keep the order they were put in.
    pub ordered: bool,
    /// Cards in it are released or frozen, in attack or in defence.
    pub states: bool,
}

impl ZoneSpec {
    /// A zone that all may see into, where cards lie in no order and in no state.
    pub const fn open(name: &'static str, owner: Option<Seat>) -> ZoneSpec {
        ZoneSpec { name, owner, board: false, x: -1, y: -1, sight: Sight::All, ordered: false, states: false }
    }
}

/// The zone in which cards wait that are made in play, and to which they go back: nobody sees it.
pub const LIMBO: &str = "ゲームの外";

/// Whom a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactOwner {
    Card,
    Seat,
    Table,
}

/// What ends a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The card becomes another.
    Life,
    /// The card comes to one of these zones; until then it is remembered although the card becomes another.
    Zones(&'static [&'static str]),
    /// The turn.
    Turn,
    /// The duel.
    Duel,
    /// The match.
    Match,
    /// A step that the document names: the game ends it there, under the clause.
    Step,
}

/// Something that mechanics must remember, declared so that it can be set, shown, and is not forgotten in the end. What
/// ends it, and the clause that says so.
#[derive(Clone, Copy, Debug)]
pub struct FactSpec {
    pub name: &'static str,
    pub owner: FactOwner,
    pub initial: i32,
    /// It is a moment, not something that can be seen: positions are compared without it.
    pub moment: bool,
    /// Of cards of other classes it is kept for what they may become, and not told.
    pub class: Option<&'static str>,
    pub ends: Ends,
    pub by: &'static str,
}

impl FactSpec {
    pub const fn new(name: &'static str, owner: FactOwner, ends: Ends, by: &'static str) -> FactSpec {
        FactSpec { name, owner, initial: 0, moment: false, class: None, ends, by }
    }

    pub const fn starts(self, initial: i32) -> FactSpec {
        FactSpec { initial, ..self }
    }

    pub const fn told_of(self, class: &'static str) -> FactSpec {
        FactSpec { class: Some(class), ..self }
    }

    pub const fn moment(self) -> FactSpec {
        FactSpec { moment: true, ..self }
    }
}

/// Zones that can be chosen together.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    pub kind: &'static str,
    pub count: u8,
    /// Which of them has the zone.
    pub of: fn(ZoneId) -> Option<u8>,
}

/// Whether an effect with the filter spares the card.
pub type Spares = fn(&Seen, &Filter) -> bool;
/// The zone, whether the card is the player's own, whether it lies face up.
pub type Seeing = fn(&ZoneSpec, bool, bool) -> (bool, Vec<&'static Cite>);
/// Whether it is due for the player.
pub type Due = fn(&Duel, Seat) -> bool;

/// What a game says once and for all, where others say something else or nothing.
#[derive(Debug, Default)]
pub struct Customs {
    /// What a player may do besides passing, in the words of [`super::Move::verb`].
    pub verbs: &'static [&'static str],
    /// The clauses that speak of what never ends.
    pub loops: &'static [&'static str],
    /// Steps, in which no board begins, and the phase in which each of them comes.
    pub steps: &'static [(&'static str, &'static str)],
    /// How a player stands, as it is told first: a fact or a zone of each, life before all.
    pub standing: &'static [&'static str],
    /// Ways of lying with another card in which a card is not spoken of and does not work, unless a text names the way.
    pub beneath: &'static [&'static str],
    /// The condition under which the abilities of a card do nothing, by the clause.
    pub mutes: Option<(&'static str, &'static Cite)>,
    /// Who makes a card says where it is laid, if its text leaves that open; else nobody minds.
    pub lays_made: Option<&'static Cite>,
    /// Facts of the players that a round of a loop may leave more of, by place, and those of them that are counters.
    pub grow: &'static [usize],
    pub counters: &'static [usize],
    /// What changes the first of these data, the price as texts read it, changes the second too: what is paid.
    pub paid: Option<(&'static str, &'static str)>,
    /// Markers mean nothing unless a text looks at them.
    pub idle_marks: bool,
    /// Data that no rule looks at, however great they become, but where a battle goes on or a player does something.
    pub unbounded: &'static [&'static str],
    /// Keywords that look at how much players have of what a round may leave more of.
    pub counting: &'static [&'static str],
    /// What keeps an ability from triggering that has been used as often as it may be.
    pub used_up_by: Option<&'static Cite>,
    /// What happened in the first manner also happened in the second: destroyed by battle is destroyed.
    pub manners: &'static [(&'static str, &'static str)],
    /// Words for what happened by some means, in a manner or in any: by an effect, as a cost, destroyed by an effect.
    pub means: &'static [(&'static str, Means, &'static str)],
    pub groups: &'static [Group],
    /// How cards lie that are put there under that name; otherwise they lie open where all may see them, and else not.
    pub laid: &'static [(&'static str, bool)],
    /// Places that are the part of a zone in which cards lie face up, and that zone: such a card is in both.
    pub open_part: &'static [(&'static str, &'static str)],
    /// Piles whose owner says in which order cards come to lie that are put there at once, with the clauses.
    pub orders: Vec<(&'static str, &'static Cite)>,
    /// The card lies there and does nothing yet: it is still being played.
    pub idle: Option<fn(&Obj) -> bool>,
    /// The clause by which an effect on all cards that fit does not meet some that it does not name.
    pub leaves_out: Option<(Spares, &'static Cite)>,
    /// Those that an effect names are left out too, but for its own card.
    pub leaves_out_named: bool,
    /// A card that lies in a zone of the place lies in the place: some places are there only by what lies there.
    pub lies_in: Option<fn(&Seen, Word) -> bool>,
    /// The clause by which of cards that are put on places at once each needs its own.
    pub one_each: Option<&'static Cite>,
    /// What is chosen when something resolves is a target too.
    pub chooses_targets: bool,
    /// A text finds a card that has gone where only the player of the text sees it.
    pub follows_into_own: bool,
    /// A text that moves a card and goes on doing things with it does them where the card has gone.
    pub follows_its_moves: bool,
    /// Of what lies on the pile only the topmost may be aimed at.
    pub answers_topmost: bool,
    /// The slot with the time from which an effect dates, where that is not when it begins.
    pub dated_by: Option<Word>,
    /// Effects with this slot do not meet cards that came after their date.
    pub bounded_by: Option<Word>,
    /// The clause by which a card that an effect moved to where it is hidden is read as it last lay open.
    pub last_open: Option<&'static Cite>,
    /// Phases in which no text works yet, by the clause.
    pub before_texts: Option<(&'static [&'static str], &'static Cite)>,
    /// Words of this datum that an effect added stay with the card wherever it goes, by the clause.
    pub follows: Option<(&'static str, &'static Cite)>,
    /// The reading under whose option `b` only these of them do.
    pub follow: Option<(&'static Cite, &'static [&'static str])>,
    /// A card that has this datum and is called otherwise has the new name for it too, by the clause.
    pub renames: Option<(&'static str, &'static Cite)>,
    /// What asks for this datum does not speak of a card that has none, by the clause.
    pub beyond: Option<(&'static str, &'static Cite)>,
    /// A number below nothing is read as it is, where the game does not count from nothing; else as nothing.
    pub signed: bool,
    /// What says that a card's number is so and so gives it to a card that has none.
    pub sets_missing: bool,
    /// Acts that each player can do for themselves in any order: who comes first makes no difference.
    pub apart: &'static [&'static str],
    /// A comparison with a number that cannot be made out does not hold; else the number counts as nothing.
    pub undefined_fails: bool,
    /// Ways of lying beneath another card, and the class: texts about the class speak of such cards all the same.
    pub parts: &'static [(&'static str, &'static str)],
    /// The clause by which a hidden card that pays because of what it is is shown.
    pub shows_payment: Option<&'static Cite>,
    /// The clause by which a hidden card that is chosen because of what it is is shown, for whatever it is chosen.
    pub shows_found: Option<&'static Cite>,
    /// Who has a card that lies face down in an open zone sees it; where it lies with another in one of these ways, who has
    /// that one.
    pub sees_own: Option<(&'static [&'static str], &'static Cite)>,
    /// The clause by which an ability on the pile has its text and no other information, whatever its card is.
    pub bare_abilities: Option<&'static Cite>,
    /// The clause by which a card that an effect puts into play is its owner's unless told; else it is whose the effect is.
    pub owner_controls: Option<&'static Cite>,
    /// A triggered ability that may be used only so often is used when it is played, not when it triggers.
    pub counts_when_played: bool,
    /// Whether a player sees the front of a card that lies so, and by which clauses: without one of them it is the other way
    /// round.
    pub sight: Option<Seeing>,
    /// Whether a move that was sent elsewhere triggers as the move it was to be.
    pub redirected: Option<fn(&mut super::Duel) -> bool>,
    /// Whether a card that is sent elsewhere by a text goes in the manner in which it was to go.
    pub keeps_manner: Option<fn(&mut super::Duel) -> bool>,
    /// Markers are taken off one after another, which is called so, by the clause.
    pub takes_off: Option<(&'static str, &'static Cite)>,
    /// The clauses by which what raises a number comes before what lowers it, and a greater floor before a smaller one,
    /// and the reading under whose option `b` only time orders what raises and what lowers.
    pub floors: Option<[&'static Cite; 3]>,
    /// The clause by which an ability that gives a card those of others gives none if it was given so itself.
    pub copies_once: Option<&'static Cite>,
    /// The clauses by which an effect does not change a card that is immune to it, if it came later and if it is older;
    /// without them immunity says nothing of it.
    pub unaffected: Option<[&'static Cite; 2]>,
    /// The event, and the clause by which what a card is and has is read as it was before it when its abilities are asked
    /// whether they saw it.
    pub had_before: Option<(&'static str, &'static Cite)>,
    /// The clause by which a card that lay hidden with another is not read by its front when it goes.
    pub no_front: Option<&'static Cite>,
    /// The clause by which a replacement that an effect makes of itself comes before all others.
    pub own_replacement: Option<&'static Cite>,
    /// Who wins and loses at once loses: whether a loss is due, and the clause.
    pub loss_first: Option<(Due, &'static Cite)>,
    /// What raises a price is not set off against what lowers it: each is counted for itself.
    pub apart_prices: bool,
    /// Numbers of which a text may say that they do not grow or do not fall, and what each is called.
    pub grows: &'static [(&'static str, [&'static str; 2])],
    /// The card fact with the players, one bit each, who know the front of a card that lies face down, and the clause.
    pub knows: Option<(usize, &'static Cite)>,
    /// The condition in which an effect keeps a hidden card shown.
    pub shown: Option<&'static str>,
    /// The clauses by which a target is changed to a right one, and by which it is not changed to a wrong one.
    pub retargets: Option<[&'static Cite; 2]>,
}

/// The declaration of a game.
#[derive(Debug)]
pub struct Schema {
    pub zones: Vec<ZoneSpec>,
    /// At most [`super::table::FACTS`] for each kind of owner.
    pub facts: &'static [FactSpec],
    pub words: Vocabulary,
    /// The states in which a card can lie; the first is the one it is in unless told.
    pub states: &'static [&'static str],
    /// How many cards a zone holds where a scenario says nothing of it.
    pub fill: &'static [(&'static str, usize)],
    /// What the seats are called on this table's paper: `A`, `B`.
    pub seats: [&'static str; 2],
    /// The clause by which "cannot" wins.
    pub cannot: &'static Cite,
    pub customs: Customs,
    /// Made out when it is first asked for.
    pub places: Places,
}

/// Some of the zones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zones(u128);

impl Zones {
    pub fn has(self, zone: ZoneId) -> bool {
        self.0 >> zone.0 & 1 == 1
    }

    /// In order.
    pub fn zones(self) -> impl Iterator<Item = ZoneId> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let at = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (at < u128::BITS).then_some(ZoneId(at as u8))
        })
    }
}

impl std::ops::BitOr for Zones {
    type Output = Zones;

    fn bitor(self, other: Zones) -> Zones {
        Zones(self.0 | other.0)
    }
}

/// Which zones lie in a place, as each player sees it, for cards face down and face up: asked for all the time, and
/// always the same.
#[derive(Debug, Default)]
pub struct Places(OnceLock<(Zones, Vec<InPlace>)>);
type InPlace = (&'static str, [[Zones; 2]; 2]);

impl Schema {
    pub fn zone(&self, name: &str, owner: Option<Seat>) -> Option<ZoneId> {
        let at = self.zones.iter().position(|z| z.name == name && z.owner == owner)?;
        Some(ZoneId(at as u8))
    }

    /// The zones of which it holds.
    pub fn zones_where(&self, holds: impl Fn(ZoneId) -> bool) -> Zones {
        let all = (0..self.zones.len() as u8).map(ZoneId);
        Zones(all.filter(|zone| holds(*zone)).fold(0, |found, zone| found | 1 << zone.0))
    }

    /// The zones in play.
    pub(super) fn in_play(&self, book: &dyn Rulebook) -> Zones {
        self.known_places(book).0
    }

    /// The zones of a place of the vocabulary, as the player sees it, for cards face down and face up.
    pub(super) fn place(&self, book: &dyn Rulebook, place: Word, seat: Seat) -> Option<[Zones; 2]> {
        let (_, places) = self.known_places(book);
        places.iter().find(|(name, _)| place == *name).map(|(_, zones)| zones[seat.index()])
    }

    /// The zone of a place that never has another.
    pub(super) fn only_zone(&self, book: &dyn Rulebook, place: Word, seat: Seat) -> Option<ZoneId> {
        let [down, up] = self.place(book, place, seat)?;
        let mut all = (down | up).zones();
        all.next().filter(|_| all.next().is_none())
    }

    fn known_places(&self, book: &dyn Rulebook) -> &(Zones, Vec<InPlace>) {
        let of = |place: &&'static str| {
            let zones = |seat, up| self.zones_where(|zone| book.inside(zone, up, Word(place), seat));
            (*place, Seat::BOTH.map(|seat| [zones(seat, false), zones(seat, true)]))
        };
        let board = || self.zones_where(|zone| self.spec(zone).board);
        self.places.0.get_or_init(|| (board(), self.words.places.iter().map(of).collect()))
    }

    pub fn spec(&self, zone: ZoneId) -> &ZoneSpec {
        &self.zones[zone.0 as usize]
    }

    /// The zone of which the place is the part that lies face up, and its name.
    pub fn opens(&self, place: &str, owner: Option<Seat>) -> Option<ZoneId> {
        let (_, whole) = self.customs.open_part.iter().find(|(part, _)| *part == place)?;
        self.zone(whole, owner)
    }

    /// The facts of an owner, by place.
    pub fn facts_of(&self, owner: FactOwner) -> impl Iterator<Item = (usize, &'static FactSpec)> {
        self.facts.iter().filter(move |f| f.owner == owner).enumerate()
    }

    /// The place of a fact among those of its owner.
    pub fn fact(&self, owner: FactOwner, name: &str) -> Option<usize> {
        self.facts.iter().filter(|f| f.owner == owner).position(|f| f.name == name)
    }

    /// Whether a card put there under that name lies face up.
    pub fn face_up(&self, place: Word, zone: ZoneId) -> bool {
        let said = self.customs.laid.iter().find(|(name, _)| place == *name);
        said.map_or(self.spec(zone).sight == Sight::All, |(_, up)| *up)
    }

    /// The card is still being played where it lies: its texts are not in force.
    pub fn is_idle(&self, card: &Obj) -> bool {
        self.customs.idle.is_some_and(|idle| idle(card))
    }

    /// The clause by which an effect on all cards that fit does not meet this one, which it does not name.
    pub fn leaves_out(&self, seen: &Seen, filter: &Filter) -> Option<&'static Cite> {
        self.customs.leaves_out.filter(|(out, _)| out(seen, filter)).map(|(_, cite)| cite)
    }

    /// Which group of the kind has the zone.
    pub fn group(&self, kind: Word, zone: ZoneId) -> Option<u8> {
        self.customs.groups.iter().find(|g| kind == g.kind).and_then(|g| (g.of)(zone))
    }

    pub fn data(&self, name: &str) -> Option<(usize, DataKind)> {
        let at = self.words.data.iter().position(|(n, _)| crate::card::word::same(n, name))?;
        Some((at, self.words.data[at].1))
    }

    /// The place of a state among the game's.
    pub fn state(&self, name: &str) -> Option<u8> {
        self.states.iter().position(|s| *s == name).map(|at| at as u8)
    }

    /// What a state is called.
    pub fn state_name(&self, state: u8) -> &'static str {
        self.states.get(state as usize).copied().unwrap_or_default()
    }

    /// The zones in play.
    pub fn board(&self) -> impl Iterator<Item = ZoneId> + '_ {
        (0..self.zones.len()).filter(|i| self.zones[*i].board).map(|i| ZoneId(i as u8))
    }
}
