//! The cards that abilities make in play: they must be there before they are made.

use super::{Ability, Part, Parts, Step, Word};

/// The names of all cards that these abilities make.
pub fn made(abilities: &[Ability]) -> Vec<Word> {
    let mut found = Vec::new();
    let mut see = |part: Part| {
        if let Part::Step(Step::Create { card, .. }) = part {
            found.push(*card);
        }
    };
    abilities.iter().for_each(|ability| ability.each_part(&mut see));
    found.sort_unstable();
    found.dedup();
    found
}
