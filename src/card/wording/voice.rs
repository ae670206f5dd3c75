//! Which card, place or player is meant: このカード, 対象のユニット1枚, そのユニット.
//!
//! A target is described where it is first spoken of and is 「その…」 afterwards, as on printed cards.

use std::cell::{Cell, RefCell};

use crate::card::{Ability, Filter, Mode, Pool, Step, Target, Word};

/// One who reads an ability aloud: knows its slots and which of them have been spoken of.
pub struct Voice {
    slots: Vec<Slot>,
    said: RefCell<Vec<Word>>,
    /// Whether a target is being described, and what must be said before that because the description speaks of it.
    describing: Cell<bool>,
    before: RefCell<String>,
}

#[derive(Clone)]
struct Slot {
    name: Word,
    /// Targets are described at their first mention; the rest is described by the step that fills it.
    target: Option<Target>,
    /// What it is called after that.
    label: String,
    /// Whether it needs its own name, because another slot would be called the same.
    named: bool,
}

impl Slot {
    fn new(name: Word, label: String) -> Slot {
        Slot { name, target: None, label, named: false }
    }
}

impl Voice {
    pub fn of(ability: &Ability) -> Voice {
        let mut slots: Vec<Slot> = Vec::new();
        let mut event = !ability.when.is_empty() || ability.instead.is_some();
        let keyword = ability.keyword.as_ref().map_or(&[][..], |keyword| &keyword.cost);
        let instead = ability.instead.as_ref().map_or(&[][..], |replace| &replace.steps);
        for steps in [keyword, &ability.cost] {
            collect(steps, &mut slots, &mut event);
        }
        slots.extend(ability.target.iter().map(targeted));
        for steps in [&ability.steps, instead] {
            collect(steps, &mut slots, &mut event);
        }
        Voice::with(slots, event)
    }

    /// The slots of a mode are its own: two modes may both call theirs 対象.
    pub fn for_mode(&self, mode: &Mode) -> Voice {
        let mut slots = self.slots.clone();
        slots.extend(mode.target.iter().map(targeted));
        let mut event = false;
        collect(&mode.cost, &mut slots, &mut event);
        collect(&mode.steps, &mut slots, &mut event);
        let voice = Voice::with(slots, event);
        voice.said.replace(self.said.borrow().clone());
        voice
    }

    fn with(mut slots: Vec<Slot>, event: bool) -> Voice {
        let labels: Vec<(Word, String)> = slots.iter().map(|slot| (slot.name, slot.label.clone())).collect();
        for slot in &mut slots {
            let taken = labels.iter().any(|(name, label)| *name != slot.name && *label == slot.label);
            if taken || event && slot.label == "そのカード" {
                slot.named = true;
                slot.label = format!("その{}", slot.name);
            }
        }
        Voice { slots, said: RefCell::default(), describing: Cell::default(), before: RefCell::default() }
    }

    fn slot(&self, name: Word) -> Option<&Slot> {
        self.slots.iter().rev().find(|slot| slot.name == name)
    }

    /// A card, place or player by the word that stands for it.
    pub fn name(&self, word: Word) -> String {
        match (word.as_str(), self.slot(word)) {
            ("this", _) => "このカード".into(),
            ("event", _) => "そのカード".into(),
            ("source", _) => "それを起こしたカード".into(),
            ("host", _) => "このカードが付いているカード".into(),
            ("moved", _) => "そうして動かしたカード".into(),
            ("about", _) => "それ".into(),
            ("it", _) => "そのカード自身".into(),
            (_, Some(slot)) => match &slot.target {
                Some(target) if !self.has_said(word) => self.introduce(target),
                Some(_) | None => slot.label.clone(),
            },
            (_, None) => word.to_string(),
        }
    }

    fn slot_label(&self, name: Word) -> String {
        self.slot(name).map_or(name.to_string(), |slot| slot.label.clone())
    }

    /// The first mention of a target. Inside the description of another it would be lost: it is said before that.
    pub fn introduce(&self, target: &Target) -> String {
        if self.describing.get() {
            let sentence = self.just_targeted(target);
            *self.before.borrow_mut() += &format!("{sentence}。");
            return self.slot_label(target.slot);
        }
        self.say(target.slot);
        self.describing.set(true);
        let said = format!("{}{}", self.target(target), self.mark(target.slot));
        self.describing.set(false);
        said
    }

    /// What had to be said first, once.
    pub fn said_before(&self) -> String {
        self.before.take()
    }

    pub fn is_slot(&self, word: Word) -> bool {
        self.slot(word).is_some()
    }

    /// A target that no step speaks of.
    pub fn just_targeted(&self, target: &Target) -> String {
        self.say(target.slot);
        format!("{}{}{}を対象とする", self.chooser(target), self.pool(target), self.mark(target.slot))
    }

    pub fn has_said(&self, slot: Word) -> bool {
        self.said.borrow().contains(&slot)
    }

    pub fn say(&self, slot: Word) {
        self.said.borrow_mut().push(slot);
    }

    /// Its own name in brackets, where it needs one.
    pub fn mark(&self, slot: Word) -> String {
        match self.slot(slot) {
            Some(Slot { named: true, .. }) => format!("（{slot}）"),
            Some(Slot { named: false, .. }) | None => String::new(),
        }
    }

    /// 「そうした」, or what was done by name where there are several such things.
    pub fn did(&self, slot: Word) -> String {
        if self.mark(slot).is_empty() { "そうした".into() } else { format!("（{slot}）をした") }
    }

    pub fn who(&self, word: Word) -> String {
        match word.as_str() {
            "active" => "ターンのプレイヤー".into(),
            "player" => match self.slots.iter().find(|slot| slot.label.ends_with("プレイヤー")) {
                Some(slot) => self.name(slot.name),
                None => "そのプレイヤー".into(),
            },
            "どちらか" => "どちらかのプレイヤー".into(),
            _ => self.name(word),
        }
    }

    /// A place: its own name, a slot, or where a card is.
    pub fn place(&self, word: Word) -> String {
        match word.as_str() {
            "this" | "event" | "source" | "host" | "moved" | "about" => format!("{}のある場所", self.name(word)),
            _ => match self.slot(word) {
                // A card in a slot stands for the place where it is.
                Some(Slot { target: Some(Target { of: Pool::Cards(_), .. }), .. }) => {
                    format!("{}のある場所", self.name(word))
                }
                Some(_) | None => self.name(word),
            },
        }
    }

    pub fn places(&self, words: &[Word]) -> String {
        words.iter().map(|word| self.place(*word)).collect::<Vec<_>>().join("か")
    }
}

fn targeted(target: &Target) -> Slot {
    Slot { target: Some(target.clone()), ..chosen(target) }
}

fn chosen(target: &Target) -> Slot {
    let named = target.slot.strip_prefix("選んだ").unwrap_or(target.slot.as_str());
    let picked = |what: &str| if target.slot == "対象" { what.to_string() } else { named.to_string() };
    let label = match &target.of {
        Pool::Cards(filter) | Pool::Items(filter) => format!("その{}", kind_of(filter)),
        Pool::Squares(_) => "そのスクエア".into(),
        Pool::Places(kind) => format!("その{kind}"),
        Pool::Players(_) => "そのプレイヤー".into(),
        Pool::Either(..) => "それ".into(),
        Pool::Words(_) => format!("選んだ{}", picked("言葉")),
        Pool::Numbers(_, _) => format!("選んだ{}", picked("数")),
    };
    Slot::new(target.slot, label)
}

/// The one class of a card that a filter allows.
fn kind_of(filter: &Filter) -> &'static str {
    match filter.is.as_slice() {
        [only] => only.as_str(),
        _ => "カード",
    }
}

/// Every slot that steps fill, in reading order; and whether 「そのカード」 may mean the card of an event.
fn collect(steps: &[Step], slots: &mut Vec<Slot>, event: &mut bool) {
    for step in steps {
        match step {
            Step::Choose(target) => slots.push(chosen(target)),
            Step::EachPlayer { choose, steps, together: _ } => {
                slots.extend(choose.iter().map(chosen));
                collect(steps, slots, event);
            }
            Step::Move { slot: Some(slot), .. } => slots.push(Slot::new(*slot, "そうして置いたカード".into())),
            Step::Turn { slot: Some(slot), .. } => slots.push(Slot::new(*slot, "そうして状態を変えたカード".into())),
            Step::Damage { slot: Some(slot), .. } => {
                slots.push(Slot::new(*slot, "そうしてダメージを与えたカード".into()))
            }
            Step::Reveal { slot: Some(slot), .. } => slots.push(Slot::new(*slot, "そうして見せたカード".into())),
            Step::Let { slot, value: _ } => slots.push(Slot::new(*slot, slot.to_string())),
            Step::ForEach { slot, steps, what: _ } => {
                slots.push(Slot::new(*slot, "その1枚".into()));
                collect(steps, slots, event);
            }
            Step::Later { steps, .. } => {
                *event = true;
                collect(steps, slots, event);
            }
            Step::Replace { instead, .. } => {
                *event = true;
                collect(&instead.steps, slots, event);
            }
            Step::May { steps, then, otherwise, .. } => {
                [steps, then, otherwise].into_iter().for_each(|steps| collect(steps, slots, event));
            }
            Step::If { then, otherwise, .. } => {
                [then, otherwise].into_iter().for_each(|steps| collect(steps, slots, event));
            }
            Step::Repeat { steps, .. } => collect(steps, slots, event),
            Step::Move { slot: None, .. }
            | Step::Turn { slot: None, .. }
            | Step::Draw { .. }
            | Step::Damage { slot: None, .. }
            | Step::Grant { .. }
            | Step::Counter { .. }
            | Step::Reveal { slot: None, .. }
            | Step::Shuffle { .. }
            | Step::Swap { .. }
            | Step::Retarget { .. }
            | Step::Mark { .. }
            | Step::Create { .. }
            | Step::Act { .. }
            | Step::End { .. } => {}
        }
    }
}
