//! The cards that abilities make in play: they must be there before they are made.

use super::{Ability, Change, Step, Word};

/// The names of all cards that these abilities make.
pub fn made(abilities: &[Ability]) -> Vec<Word> {
    let mut found = Vec::new();
    abilities.iter().for_each(|ability| in_ability(ability, &mut found));
    found.sort_unstable();
    found.dedup();
    found
}

fn in_ability(ability: &Ability, found: &mut Vec<Word>) {
    in_steps(&ability.cost, found);
    in_steps(&ability.steps, found);
    ability.modes.iter().for_each(|mode| [&mode.cost, &mode.steps].iter().for_each(|steps| in_steps(steps, found)));
    in_changes(&ability.grant, found);
    ability.instead.iter().for_each(|instead| in_steps(&instead.steps, found));
    if let Some(keyword) = &ability.keyword {
        in_steps(&keyword.cost, found);
        keyword.text.iter().for_each(|ability| in_ability(ability, found));
    }
}

fn in_changes(changes: &[Change], found: &mut Vec<Word>) {
    for change in changes {
        if let Change::Gain(ability) = change {
            in_ability(ability, found);
        }
    }
}

fn in_steps(steps: &[Step], found: &mut Vec<Word>) {
    for step in steps {
        match step {
            Step::Create { card, .. } => found.push(*card),
            Step::Grant { changes, .. } => in_changes(changes, found),
            Step::Later { steps, .. }
            | Step::EachPlayer { steps, .. }
            | Step::ForEach { steps, .. }
            | Step::Repeat { steps, .. } => in_steps(steps, found),
            Step::Replace { instead, .. } => in_steps(&instead.steps, found),
            Step::May { steps, then, otherwise, .. } => {
                [steps, then, otherwise].into_iter().for_each(|steps| in_steps(steps, found));
            }
            Step::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(|s| in_steps(s, found)),
            _ => {}
        }
    }
}
