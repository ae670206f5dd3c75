//! `effects:` of `given:`: what was granted before the board begins and is still in force.

use std::sync::Arc;

use crate::card::{Ability, Change, Step, Value, Word};
use crate::kernel::table::{Holds, Ongoing};
use crate::kernel::{CardId, Ref, Seat, Slots};
use crate::scenario::file::node::{At, Node};
use crate::scenario::file::words::{Names, seat, unknown};
use crate::scenario::given::setup::Setup;

const EFFECT: [&str; 3] = ["from", "on", "of"];

impl Setup<'_> {
    /// `{from: カード名, on: 呼び名, of: A}`: what the text of the card grants lasts on those cards.
    pub fn effects(&mut self, node: &Node) {
        for one in node.items() {
            let Some(pairs) = one.pairs() else {
                self.notes.note(one.at, "ここには {from: カード名, on: 呼び名, of: A} と書いてください");
                continue;
            };
            let (mut from, mut on, mut of) = (None, Vec::new(), self.table.active);
            for (key, value) in pairs {
                let text = value.text().unwrap_or_default();
                match key.text.as_str() {
                    "from" => from = self.card(&text, value.at).map(|def| (def, value.at)),
                    "on" => on = value.items().iter().filter_map(|label| self.found(label)).collect(),
                    "of" => match seat(self.schema, &text) {
                        Some(seat) => of = seat,
                        None => self.notes.note(value.at, unknown("プレイヤー", &text, self.schema.seats)),
                    },
                    other => self.notes.note(key.at, unknown("項目", other, EFFECT)),
                }
            }
            match from {
                Some((def, at)) if !on.is_empty() => self.grants(def, at, of, &on),
                _ => self.notes.note(one.at, "from（どのカードの効果か）と on（どのカードに及んでいるか）が要ります"),
            }
        }
    }

    fn found(&mut self, label: &Node) -> Option<Ref> {
        let text = label.text().unwrap_or_default();
        let names = Names { schema: self.schema, labels: &self.labels };
        match names.card(&text) {
            Some(id) => Some(self.table.now(id)),
            None => {
                self.notes.note(label.at, unknown("呼び名", &text, self.labels.iter().map(|l| l.as_str())));
                None
            }
        }
    }

    /// Puts the changes in force that the card's text grants to what was chosen for it.
    fn grants(&mut self, def: u16, at: At, seat: Seat, on: &[Ref]) {
        let card = self.def(def);
        let steps = |a: &'_ Ability| -> Vec<Step> {
            [&a.steps].into_iter().chain(a.modes.iter().map(|m| &m.steps)).flat_map(|all| flat(all)).collect()
        };
        let all: Vec<Step> = card.abilities.iter().flat_map(steps).collect();
        let chosen = |step: &Step| if let Step::Choose(target) = step { Some(target.slot) } else { None };
        let targets = card.abilities.iter().flat_map(|a| a.target.iter().chain(a.modes.iter().flat_map(|m| &m.target)));
        let slots: Vec<Word> = targets.map(|t| t.slot).chain(all.iter().filter_map(chosen)).collect();
        let mut any = false;
        // The card itself, where it lies on the table and there is no doubt which.
        let own = |id: &CardId| self.table.obj(*id).def == def && self.table.obj(*id).controller == seat;
        let mut there = self.table.ids().filter(own);
        let source = there.next().filter(|_| there.next().is_none()).map(|id| self.table.now(id));
        for step in &all {
            let Step::Grant { changes, until, .. } = step else { continue };
            any = true;
            if let Some(why) = cannot(changes, *until, &slots) {
                self.notes.note(at, format!("「{}」の効果は始まりの盤面に書けません（{why}）", card.name));
                continue;
            }
            let stamp = self.table.tick();
            self.table.ongoing.push(Ongoing {
                holds: Holds::Changes(Arc::new(changes.clone())),
                source,
                seat,
                slots: Slots::default(),
                locked: Some(on.to_vec()),
                filter: None,
                until: *until,
                stamp,
                once: false,
                fight: None,
            });
        }
        if !any {
            let text = "続く影響（grant）がありません";
            self.notes.note(at, format!("「{}」には{text}", card.name));
        }
    }
}

/// The steps, with those that depend on a condition or a choice.
fn flat(steps: &[Step]) -> Vec<Step> {
    let inner = |step: &Step| match step {
        Step::May { steps, then, otherwise, .. } => flat(&[&steps[..], then, otherwise].concat()),
        Step::If { then, otherwise, .. } => flat(&[&then[..], otherwise].concat()),
        Step::ForEach { steps, .. } => flat(steps),
        _ => Vec::new(),
    };
    steps.iter().flat_map(|step| [vec![step.clone()], inner(step)].concat()).collect()
}

/// Why an effect cannot be in force as it is written.
fn cannot(changes: &[Change], until: Option<Word>, slots: &[Word]) -> Option<&'static str> {
    let open = |change: &Change| match change {
        Change::Become(_, words) => words.iter().any(|word| slots.contains(word)),
        Change::Join(_, word) => slots.contains(word),
        other => other.value().is_some_and(|value| !matches!(value, Value::Number(_))),
    };
    if changes.iter().any(open) {
        return Some("盤面や選び方で変わります");
    }
    until.is_some_and(|until| until.starts_with("バトル")).then_some("バトルはまだ始まっていません")
}
