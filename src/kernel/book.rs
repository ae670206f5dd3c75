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
use super::view::Seen;
use crate::card::{Ability, Change, Filter, Keyword, Step, Word};

/// On which side of a move a card is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    Before,
    After,
}

/// How effects of one kind are ordered.
#[derive(Clone, Copy, Debug)]
pub struct Layering {
    /// Which layer a change belongs to, and how many there are.
    pub of: fn(&Change) -> u8,
    pub count: u8,
    /// The layers are kept apart.
    pub layers: Option<&'static Cite>,
    /// A card's effects on itself come first.
    pub own_first: Option<&'static Cite>,
    /// What does not depend comes before what does.
    pub dependency: Option<&'static Cite>,
    /// What began first comes first.
    pub stamps: Option<&'static Cite>,
    /// Of effects as old as each other, those of the active player come first.
    pub active_first: Option<&'static Cite>,
}

/// What an effect does in the game's own way.
#[derive(Clone, Copy, Debug)]
pub enum Act<'a> {
    /// The player draws a card.
    Draw(Seat),
    /// Damage to cards.
    Damage(&'a [(Ref, i32)]),
    /// Something on the pile is negated.
    Negate(u32),
    /// An act that the text calls by name.
    Named(&'a Step),
}

/// A game. What decides how cards look (`inside`, `related`, `role`, `works`) may look at cards, zones and fights, and not
/// at what [`Duel::aside`] changes: facts, the pile, what waits, priority. Tests with debug assertions see to that.
pub trait Rulebook: Sync {
    fn code(&self) -> &'static str;
    fn schema(&self) -> &'static Schema;

    /// The duel, from the point the table stands at to its end.
    fn play(&self, d: &mut Duel) -> Flow;

    /// What is wrong with the table as it was set up, if anything.
    fn unlawful(&self, d: &mut Duel) -> Option<(&'static Cite, String)>;

    /// What the document says to a question that documents answer differently. No `_` here: a new question does not
    /// compile until every game has answered it.
    fn says(&self, question: Principle) -> Says;
    /// The clauses that name what the kernel merely does.
    fn gloss(&self, _what: Gloss) -> Cites {
        [None; 4]
    }
    /// Whether a card can be laid with another in that way.
    fn lays(&self, _d: &mut Duel, _how: Word, _card: Option<Ref>, _host: CardId) -> Result<(), &'static Cite> {
        Ok(())
    }
    /// Whether what comes next (an act of the game, damage, an effect) can be done with the card: what cannot be is no
    /// choice.
    fn fit_for(&self, _d: &mut Duel, _card: Ref, _act: &Step) -> Result<(), &'static Cite> {
        Ok(())
    }
    /// The clause by which an effect on all cards that fit does not meet this one, which it does not name.
    fn leaves_out(&self, _seen: &Seen, _filter: &Filter) -> Option<&'static Cite> {
        None
    }
    /// A hidden pile is about to be looked through.
    fn look_through(&self, _d: &mut Duel, _filter: &Filter, _seat: Seat) -> Flow {
        Ok(())
    }

    /// Data that follow from other data.
    fn derive(&self, _seen: &mut Seen) {}
    /// A card can lie as something else than what is printed on it, a monster as a spell: what it is then. False: it cannot.
    fn as_other(&self, _seen: &mut Seen) -> bool {
        false
    }
    /// The card lies as that now.
    fn lies_as_other(&self, _obj: &Obj) -> bool {
        false
    }
    /// The texts of the card are in force; not so while it is still being played where it lies.
    fn in_force(&self, _obj: &Obj) -> bool {
        true
    }
    /// What a keyword means, in the language of abilities.
    fn keyword(&self, _keyword: &Keyword) -> Vec<Ability> {
        Vec::new()
    }

    /// The place, seen from a seat, has the zone in it.
    fn inside(&self, zone: ZoneId, face_up: bool, place: Word, seat: Seat) -> bool;
    /// The two zones stand in the relation, seen from a seat.
    fn related(&self, _eyes: &Eyes, _relation: Word, _a: ZoneId, _b: ZoneId, _seat: Seat) -> bool {
        false
    }
    /// The zone of that name where a card of the owner goes.
    fn home(&self, place: Word, owner: Seat) -> Option<ZoneId> {
        let schema = self.schema();
        schema.zone(&place, Some(owner)).or_else(|| schema.zone(&place, None))
    }

    /// The ability works in the zone, or the clause that keeps it from working there.
    fn works(&self, seen: &Seen, zone: ZoneId, face_up: bool, ability: &Ability) -> Result<(), &'static Cite>;
    /// Which side of a move is read, and the clause by which it is not where the card has gone.
    fn side(&self, event: &Event) -> (Side, Option<&'static Cite>);
    /// The card has the role.
    fn role(&self, _eyes: &Eyes, _card: Ref, _role: Word) -> bool {
        false
    }

    fn layering(&self, d: &Duel) -> Layering;
    /// An effect of a spell or ability that makes this change is locked to the cards it found.
    fn locks(&self, d: &mut Duel, change: &Change, found_by: Option<&Filter>) -> bool;

    /// Cards that a text moves together are moved one after another instead.
    fn one_by_one(&self, _d: &mut Duel, _events: &[Event]) -> bool {
        false
    }
    /// What else moves when these do.
    fn accompany(&self, _d: &mut Duel, _events: &mut Vec<Event>) -> Flow {
        Ok(())
    }
    /// Before an event happens, the rules themselves may forbid it.
    fn forbids(&self, _d: &mut Duel, _event: &Event) -> Option<&'static Cite> {
        None
    }
    /// The rules change what is about to happen.
    fn adjust(&self, _d: &mut Duel, _event: &mut Event) -> Flow {
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
    /// The rules go round by themselves and never end: what follows from it.
    fn endless(&self, d: &mut Duel) -> Flow;
    /// Who orders several replacements of one event.
    fn replacing(&self, d: &Duel, event: &Event) -> (Seat, &'static Cite);

    /// The state in which a card arrives unless told.
    fn arrival(&self, _d: &mut Duel, _card: CardId, _to: ZoneId) -> u8 {
        0
    }
    /// Whether a card put there under that name lies face up.
    fn face_up(&self, place: Word, zone: ZoneId) -> bool;
    /// Whether an instruction that was replaced counts as carried out.
    fn counts_as_done(&self, d: &mut Duel, means: Means) -> bool;
    /// What an effect does in the game's own way; whether it was done.
    fn act(&self, d: &mut Duel, act: Act, ctx: &Ctx) -> Flow<bool>;
    /// The chooser may say that nothing was found.
    fn may_fail_to_find(
        &self,
        _d: &mut Duel,
        _chooser: Seat,
        _filter: &Filter,
        _found: &[Ref],
    ) -> Option<&'static Cite> {
        None
    }
    /// What a card lying face down in the zone is known to be: one of these and nothing more. `None`: its front counts.
    fn face_down(&self, _zone: ZoneId) -> Option<&'static [&'static str]> {
        None
    }
    /// Who chooses for a text of that player reads a card lying face down there as if it lay face up.
    fn knows_front(&self, _zone: ZoneId, _owner: Seat, _looker: Seat) -> bool {
        false
    }
    /// A player's number as texts read it: what effects add to the fact.
    fn fact_of(&self, _eyes: &Eyes, _seat: Seat, _name: Word, fact: i32) -> i32 {
        fact
    }
    /// What was chosen for a text.
    fn chosen(&self, _d: &mut Duel, _frame: &super::steps::Frame, _things: &[super::table::Thing]) {}
    /// What a card is where its front does not count and the rules say what it is instead.
    fn face(&self, _card: &Obj) -> Option<&'static [Arc<Seen>; 2]> {
        None
    }
    /// After the last layer: the rules' own look at what came of it.
    fn finish(&self, _d: &mut Duel, _cards: &mut [Arc<Seen>]) {}
    /// Where cards that are made can be laid, of a place that is no single zone; `None`: the game does not say.
    fn rooms(&self, _d: &Duel, _place: Word, _seat: Seat) -> Option<Vec<ZoneId>> {
        None
    }

    /// Which meanings of relations and roles are knocked out, in the game's own bits and [`super::view::FRONTS`]; they are
    /// reached by being asked.
    fn without(&self, _d: &mut Duel) -> u32 {
        0
    }

    /// The card may be a target of the source.
    fn targetable(&self, _d: &mut Duel, _card: Ref, _source: Option<Ref>) -> Result<(), &'static Cite> {
        Ok(())
    }
    /// The card may be chosen by an effect that speaks of such cards. `said`: the text uses the word for choosing.
    fn choosable(
        &self,
        _d: &mut Duel,
        _filter: &Filter,
        _card: Ref,
        _frame: &super::steps::Frame,
        _said: bool,
    ) -> Result<(), &'static Cite> {
        Ok(())
    }
    /// Of cards that are put on these places at once, those for which there is room.
    fn room(&self, _d: &mut Duel, _who: Seat, cards: Vec<Ref>, _places: &[ZoneId]) -> Flow<Vec<Ref>> {
        Ok(cards)
    }
    /// Cards that lie on every table of the game although nobody wrote them down: the card, where, whose.
    fn furnish(
        &self,
        _t: &Table,
        _printed: &dyn Fn(u16) -> std::sync::Arc<crate::card::Card>,
    ) -> Vec<(crate::card::Card, ZoneId, Seat)> {
        Vec::new()
    }
    /// Cards that are one card with others share what is printed on them. True: some card has text of another.
    fn merge(&self, _t: &Table, _cards: &mut [std::sync::Arc<Seen>]) -> bool {
        false
    }
    /// Why a move that was wanted is not among those offered.
    fn why_not(&self, d: &mut Duel, seat: Seat, wanted: &Move) -> Refusal;
    /// Something in a hidden zone would trigger: whether its owner shows it.
    fn show_to_trigger(&self, _d: &mut Duel, _card: Ref) -> Flow<bool> {
        Ok(true)
    }
    /// The order of cards put in one ordered zone at once.
    fn arrivals(&self, _d: &mut Duel, _events: &mut Vec<Event>) -> Flow {
        Ok(())
    }
    /// A trigger that the rules let happen only so often may not happen now.
    fn trigger_again(&self, _d: &mut Duel, _source: Ref, _ability: &Ability, _event: &Event) -> bool {
        true
    }
}
