//! What a game says about the kernel's parts. The kernel asks; it never decides.

use std::sync::Arc;

use super::cite::Cite;
use super::duel::{Duel, Flow};
use super::event::{Event, Means};
use super::eyes::{Ctx, Eyes};
use super::principle::{Cites, Gloss, Principle, Says};
use super::question::{Move, Refusal};
use super::schema::Schema;
use super::table::{CardId, Obj, Ref, Seat, Table, ZoneId};
use super::verb::Verb;
use super::view::{Seen, View};
use crate::card::{Ability, Change, Filter, Keyword, Kind, Step, Target, Word};

/// On which side of a move a card is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    Before,
    After,
}

/// How effects are ordered.
#[derive(Clone, Copy, Debug)]
pub struct Layering {
    /// Which layer a change belongs to, and how many there are.
    pub of: fn(&Change) -> u8,
    pub count: u8,
    /// The layers are kept apart.
    pub layers: Option<&'static Cite>,
    /// The clause of each layer, where each has its own; without it what belongs there applies with the next.
    pub each: [Option<&'static Cite>; 8],
    /// A card's effects on itself come first.
    pub own_first: Option<&'static Cite>,
    /// How the two that follow and precede meet is open: the reading, and whether dependency is looked at first.
    pub own_or_dependency: Option<(&'static Cite, bool)>,
    /// What does not depend comes before what does.
    pub dependency: Option<&'static Cite>,
    /// What began first comes first.
    pub stamps: Option<&'static Cite>,
    /// Of effects as old as each other, those of the active player come first.
    pub active_first: Option<&'static Cite>,
}

impl Layering {
    /// One layer, and nothing said about the order in it.
    pub const UNSAID: Layering = Layering {
        of: |_| 0,
        count: 1,
        layers: None,
        each: [None; 8],
        own_first: None,
        own_or_dependency: None,
        dependency: None,
        stamps: None,
        active_first: None,
    };
}

/// What counts of a card where it lies.
#[derive(Clone, Copy, Debug)]
pub enum Face {
    /// What is printed on it.
    Printed,
    /// What it is where it lies as something else: which of those that [`Rulebook::derive`] gave.
    Other(usize),
    /// What the rules say instead, as the card of either seat.
    Ruled(&'static [Arc<Seen>; 2]),
}

impl Face {
    pub(super) fn is_same(self, other: Face) -> bool {
        match (self, other) {
            (Face::Printed, Face::Printed) => true,
            (Face::Other(a), Face::Other(b)) => a == b,
            (Face::Ruled(a), Face::Ruled(b)) => std::ptr::eq(a, b),
            _ => false,
        }
    }
}

/// What an effect does in the game's own way.
#[derive(Clone, Copy, Debug)]
pub enum Act<'a> {
    /// The player draws a card.
    Draw(Seat),
    /// Damage to cards.
    Damage(&'a [(Ref, i32)]),
    /// Damage to cards and to players at once.
    DamageTo(&'a [(Ref, i32)], &'a [(Seat, i32)]),
    /// Something on the pile is negated.
    Negate(u32),
    /// An act that the text calls by name, and whether it is an effect or pays for something.
    Named(&'a Step, Means),
}

/// What a card is chosen for.
#[derive(Clone, Copy)]
pub enum Aim<'a> {
    /// To be a target of the source.
    Target(Option<Ref>),
    /// By an effect that speaks of such cards. `said`: the text uses the word for choosing.
    Choice { filter: &'a Filter, frame: &'a super::steps::Frame, said: bool },
    /// For what comes next: an act of the game, damage, an effect. What cannot be done with the card is no choice.
    Next(&'a Step),
    /// To be put on that square.
    Square(ZoneId),
    /// To have a card laid with it in that way.
    Host { how: Word, card: Option<Ref> },
}

/// A game. The hooks stand in the order in which a reader meets them: what the game is, what happens in it, what a card is,
/// when its texts speak, how a change comes about. What decides how cards look (`inside`, `related`, `role`, `works`) may
/// look at cards, zones and fights, and not at what [`Duel::aside`] changes: facts, the pile, what waits, priority. Tests
/// with debug assertions see to that.
pub trait Rulebook: Sync {
    // What it is.

    /// Its short name in addresses, files and citations.
    fn code(&self) -> &'static str;
    /// Its zones, facts, words and customs.
    fn schema(&self) -> &'static Schema;
    /// What the document says to a question that documents answer differently. No `_` here: a new question does not
    /// compile until every game has answered it.
    fn says(&self, question: Principle) -> Says;
    /// The clauses that name what the kernel merely does.
    fn gloss(&self, _what: Gloss) -> Cites {
        [None; 4]
    }

    // The table before a duel.

    /// What is wrong with the table as it was set up, if anything.
    fn unlawful(&self, _d: &mut Duel) -> Option<(&'static Cite, String)> {
        None
    }
    /// What follows from a position as it was written down: what must have happened before.
    fn completes(&self, _t: &mut Table, _printed: &dyn Fn(u16) -> std::sync::Arc<crate::card::Card>) {}
    /// Cards that lie on every table of the game although nobody wrote them down: the card, where, whose.
    fn furnish(
        &self,
        _t: &Table,
        _printed: &dyn Fn(u16) -> std::sync::Arc<crate::card::Card>,
    ) -> Vec<(crate::card::Card, ZoneId, Seat)> {
        Vec::new()
    }

    /// A card that the document itself defines, for a table on which one lies already.
    fn defines(&self, _name: &str) -> Option<crate::card::Card> {
        None
    }

    // What happens.

    /// The duel, from the point the table stands at to its end.
    fn play(&self, d: &mut Duel) -> Flow;
    /// What an effect does in the game's own way; whether it was done.
    fn act(&self, d: &mut Duel, act: Act, ctx: &Ctx) -> Flow<bool>;
    /// The rules go round by themselves and never end: what follows from it.
    fn endless(&self, d: &mut Duel) -> Flow {
        d.undecided("終わらないループをどう扱うか", &[])
    }
    /// A player gives up, whoever was asked whatever.
    fn concede(&self, d: &mut Duel, _seat: Seat) -> Flow {
        d.undecided("負けを認めるとどうなるか", &[])
    }
    /// By which clause the player does not say yes to the card once more: that went round as often as was said.
    fn had_enough(&self, _d: &mut Duel, _seat: Seat, _card: Option<Ref>) -> Option<&'static Cite> {
        None
    }
    /// The clause by which nobody says yes to these steps, where one says more than that they cannot be done.
    fn bars_yes(&self, _d: &mut Duel, _frame: &super::steps::Frame, _steps: &[Step]) -> Option<&'static Cite> {
        None
    }
    /// The player said yes to what the card offers, or chose of several things where one must be (`bound`): whoever looks
    /// for loops may note it.
    fn agreed(&self, _d: &mut Duel, _seat: Seat, _card: Option<Ref>, _bound: bool) {}
    /// All players have done what an effect says of each in turn.
    fn all_have(&self, _d: &mut Duel) -> Flow {
        Ok(())
    }
    /// Where what a text chooses is a target: what a cost chooses is one too. Asked where something cannot be a target.
    fn a_cost_targets(&self, _d: &mut Duel) -> bool {
        true
    }
    /// What a player may do besides passing, and what forbids it.
    fn verbs(&self) -> &'static [Verb] {
        &[]
    }
    /// Why a move that was wanted is not among those offered.
    fn why_not(&self, d: &mut Duel, seat: Seat, wanted: &Move) -> Refusal {
        d.refusal(self.verbs(), seat, wanted)
    }

    // What a card is.

    /// Data that follow from other data. What it gives back is all that the card can be where it lies as something else
    /// than what is printed on it, a monster as a spell ([`Face::Other`]).
    fn derive(&self, _seen: &mut Seen) -> Vec<Seen> {
        Vec::new()
    }
    /// What counts of the card where it lies.
    fn face(&self, _card: &Obj) -> Face {
        Face::Printed
    }
    /// What a card of the owner lying face down in the zone is known to be to whoever looks for a text: one of these and
    /// nothing more. `None`: its front counts.
    fn face_down(&self, _zone: ZoneId, _owner: Seat, _looker: Option<Seat>) -> Option<&'static [&'static str]> {
        None
    }
    /// What a keyword means, in the language of abilities.
    fn keyword(&self, _keyword: &Keyword) -> Vec<Ability> {
        Vec::new()
    }
    /// Of which kind the ability is to whoever speaks of abilities of a kind; none if it is no ability.
    fn kind_of(&self, ability: &Ability) -> Option<Kind> {
        Some(ability.kind)
    }
    /// Cards that are one card with others share what is printed on them. Those that have text of another.
    fn merge(&self, _d: &mut Duel, _cards: &mut [std::sync::Arc<Seen>]) -> Vec<CardId> {
        Vec::new()
    }
    /// After the last layer: the rules' own look at what came of it.
    fn finish(&self, _d: &mut Duel, _view: &mut View) {}
    /// Which meanings of relations and roles are knocked out, in the game's own bits and [`super::view::FRONTS`]; they are
    /// reached by being asked.
    fn without(&self, _d: &mut Duel) -> u32 {
        0
    }

    // Where things are.

    /// The place, seen from a seat, has the zone in it.
    fn inside(&self, zone: ZoneId, _face_up: bool, place: Word, _seat: Seat) -> bool {
        place == self.schema().spec(zone).name
    }
    /// The two zones stand in the relation, seen from a seat.
    fn related(&self, _eyes: &Eyes, _relation: Word, _a: ZoneId, _b: ZoneId, _seat: Seat) -> bool {
        false
    }
    /// The card has the role.
    fn role(&self, _eyes: &Eyes, _card: Ref, _role: Word) -> bool {
        false
    }
    /// The zone of that name where a card of the owner goes.
    fn home(&self, place: Word, owner: Seat) -> Option<ZoneId> {
        let schema = self.schema();
        schema.zone(&place, Some(owner)).or_else(|| schema.zone(&place, None))
    }
    /// Where cards that are made can be laid, of a place that is no single zone; `None`: the game does not say.
    fn rooms(&self, _d: &Duel, _place: Word, _seat: Seat) -> Option<Vec<ZoneId>> {
        None
    }
    /// An effect has made the card another kind of card: what every card of that kind has, it has.
    fn became(&self, _seen: &mut Seen) {}
    /// The state in which a card arrives unless told.
    fn arrival(&self, _d: &mut Duel, _card: CardId, _to: ZoneId) -> u8 {
        0
    }
    /// A player's number as texts read it: what effects add to the fact.
    fn fact_of(&self, _eyes: &Eyes, _seat: Seat, _name: Word, fact: i32) -> i32 {
        fact
    }

    // When texts speak.

    /// The ability works in the zone, or the clause that keeps it from working there.
    fn works(&self, seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> Result<(), &'static Cite>;
    /// Which side of a move is read, and the clause by which it is not where the card has gone.
    fn side(&self, event: &Event) -> (Side, Option<&'static Cite>);
    /// The ability may trigger: not more often than the rules let it, and not where its card lies hidden unless it is shown.
    fn may_trigger(&self, _d: &mut Duel, _pending: &super::table::Pending, _hidden: bool) -> Flow<bool> {
        Ok(true)
    }
    /// Whose ability it is that triggers as its card leaves, where another had the card than owns it.
    fn triggers_for(&self, _d: &mut Duel, had: Seat, _owner: Seat) -> Seat {
        had
    }
    /// How effects are ordered.
    fn layering(&self, d: &Duel) -> Layering;
    /// An effect of a spell or ability that makes this change is locked to the cards it found.
    fn locks(&self, d: &mut Duel, change: &Change, found_by: Option<&Filter>) -> bool;

    // What is chosen.

    /// Something is about to be chosen among cards that fit: a hidden pile may be looked through for it.
    fn look_through(&self, _d: &mut Duel, _frame: &super::steps::Frame, _target: &Target, _filter: &Filter) -> Flow {
        Ok(())
    }
    /// The card may be chosen for that, or the clause by which it may not.
    fn may_choose(&self, _d: &mut Duel, _card: Ref, _aim: Aim) -> Result<(), &'static Cite> {
        Ok(())
    }
    /// The seat has chosen the cards as a text told it to.
    fn chosen(&self, _d: &mut Duel, _by: Seat, _cards: &[Ref], _frame: &super::steps::Frame, _said: bool) -> Flow {
        Ok(())
    }
    /// The clause by which whoever is to choose among the cards must choose as many as told.
    fn must_choose(
        &self,
        _d: &mut Duel,
        _frame: &super::steps::Frame,
        _by: Seat,
        _filter: &Filter,
        _found: &[Ref],
    ) -> Option<&'static Cite> {
        None
    }
    /// Cards that the text might be thought to speak of and does not, each with the clause: asked only to say why.
    fn left_out(
        &self,
        _d: &mut Duel,
        _frame: &super::steps::Frame,
        _target: &Target,
        _next: Option<&Step>,
    ) -> Vec<(super::table::Thing, &'static Cite)> {
        Vec::new()
    }
    /// The chooser may say that what fits was not found: by which clause, and how many of them all can see.
    fn may_fail_to_find(
        &self,
        _d: &mut Duel,
        _frame: &super::steps::Frame,
        _by: Seat,
        _filter: &Filter,
        _found: &[Ref],
    ) -> Option<(&'static Cite, usize)> {
        None
    }

    // How a change comes about.

    /// The card goes on at once from where it is put: there is nothing to say about its place among others.
    fn passes_through(&self, _d: &Duel, _event: &Event) -> bool {
        false
    }
    /// Cards that a text moves together are moved one after another instead.
    fn one_by_one(&self, _d: &mut Duel, _events: &[Event]) -> bool {
        false
    }
    /// Before an event happens, the rules themselves may forbid it.
    fn forbids(&self, _d: &mut Duel, _event: &Event) -> Option<&'static Cite> {
        None
    }
    /// The rules change what is about to happen.
    fn adjust(&self, _d: &mut Duel, _event: &mut Event) -> Flow {
        Ok(())
    }
    /// Who orders several replacements of one event.
    fn replacing(&self, d: &mut Duel, event: &Event) -> (Seat, &'static Cite);
    /// Whether an instruction that was replaced counts as carried out.
    fn counts_as_done(&self, d: &mut Duel, means: Means) -> bool;
    /// The same of one of which nothing is left: something else was done instead.
    fn counts_without_a_trace(&self, d: &mut Duel, means: Means) -> bool {
        self.counts_as_done(d, means)
    }
    /// What else moves when these do.
    fn accompany(&self, _d: &mut Duel, _events: &mut Vec<Event>) -> Flow {
        Ok(())
    }
    /// After events have happened and before triggers look.
    fn happened(&self, _d: &mut Duel, _events: &[Event]) -> Flow {
        Ok(())
    }
    /// After triggers have looked: what the rules do at once, even in the middle of a resolution. Told what happened;
    /// nothing when an effect began or ended, which no event tells.
    fn at_once(&self, _d: &mut Duel, _events: &[Event]) -> Flow {
        Ok(())
    }
}
