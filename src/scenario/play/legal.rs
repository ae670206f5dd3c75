//! `legal:`, the exact set of what a question offers.

use crate::card::Word;
use crate::kernel::{Asks, Question, Seat, Table};
use crate::scenario::file::words::Names;

/// The exact set of what is offered.
#[derive(Clone, Debug)]
pub struct Legal {
    pub seat: Seat,
    /// An act and the cards it is offered with.
    pub verb: Option<Word>,
    /// The slot of a choice.
    pub slot: Option<String>,
    pub options: Vec<String>,
}

impl Legal {
    /// What is offered instead, where it is something else.
    pub fn differs(&self, names: Names, t: &Table, question: &Question) -> Option<String> {
        let mut offered: Vec<String> = match &question.asks {
            Asks::Act(moves) => {
                let verb = self.verb.unwrap_or_default();
                let cards = moves.iter().filter(|m| m.verb == verb).filter_map(|m| m.card);
                cards.map(|c| names.label(c.id).to_string()).collect()
            }
            Asks::Choose { of, .. } | Asks::Order(of) => of.iter().map(|thing| names.thing(t, *thing)).collect(),
            Asks::YesNo => vec!["はい".into(), "いいえ".into()],
            Asks::Number { min, max } => (*min..=*max).take(1_000).map(|n| n.to_string()).collect(),
        };
        let mut expected = self.options.clone();
        for list in [&mut offered, &mut expected] {
            list.sort_unstable();
            list.dedup();
        }
        (offered != expected)
            .then(|| format!("選べるものは ［{}］ のはずが ［{}］", expected.join("、"), offered.join("、")))
    }
}
