//! How often something may be used: by ability, by name, by player, in a turn or in the whole duel.

use super::duel::Duel;
use super::table::{Ref, Seat, Use, User};
use crate::card::{Ability, Limit, LimitBy, Word};

/// What ends the use of a limited ability unless its text says otherwise.
pub const TURN: Word = Word("ターン");

impl Duel<'_> {
    /// What the limit counts when the ability is used.
    pub fn use_of(&self, card: Ref, seat: Seat, ability: &Ability, limit: &Limit) -> Use {
        let user = match limit.by {
            LimitBy::Ability => User::Card(card),
            LimitBy::Name | LimitBy::Whole => {
                User::Name(seat, self.given.defs[self.t.obj(card.id).def as usize].name())
            }
            LimitBy::Player | LimitBy::Named => User::Player(seat),
        };
        // Of a whole card it does not matter which of its abilities was used.
        let what = if [LimitBy::Whole, LimitBy::Named].contains(&limit.by) { 0 } else { ability.id };
        let act = ability.name.filter(|_| limit.by == LimitBy::Named).unwrap_or(Word(""));
        Use { user, what, act, lasts: limit.during.unwrap_or(TURN) }
    }

    /// The ability has been used as often as its text lets it.
    pub fn is_used_up(&self, card: Ref, seat: Seat, ability: &Ability) -> bool {
        let Some(limit) = &ability.limit else { return false };
        let wanted = self.use_of(card, seat, ability, limit);
        self.uses(&wanted) >= limit.times as usize
    }

    /// The ability is used, if it is limited.
    pub fn use_up(&mut self, card: Ref, seat: Seat, ability: &Ability) {
        if let Some(limit) = &ability.limit {
            let wanted = self.use_of(card, seat, ability, limit);
            self.note_up_to(wanted, limit.times as usize);
        }
    }

    /// How often that was done.
    pub fn uses(&self, wanted: &Use) -> usize {
        self.t.used.iter().filter(|u| *u == wanted).count()
    }

    /// It was done; how often is not asked for.
    pub fn note_use(&mut self, done: Use) {
        self.note_up_to(done, 1);
    }

    /// Further than anybody asks nobody counts: where a limit is knocked out a loop comes back to the same position.
    fn note_up_to(&mut self, done: Use, most: usize) {
        if self.uses(&done) < most {
            self.aside().uses().push(done);
        }
    }

    /// A turn, a battle is over: what it counted is counted anew.
    pub fn forget_uses(&mut self, lasts: Word) {
        self.aside().uses().retain(|u| u.lasts != lasts);
    }
}
