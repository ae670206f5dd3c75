//! Looks whether what is expected is so.

use std::rc::Rc;

use crate::card::Word;
use crate::kernel::eyes::{Eyes, Memory};
use crate::kernel::table::Outcome;
use crate::kernel::{
    Answers, CardId, Duel, Event, Given, Item, ItemKind, Obj, Question, Rulebook, Seat, Settings, Sight, Table, View,
    What, ZoneId,
};
use crate::scenario::expect::{Claim, Content, Expect, Happening, Says, Subject};
use crate::scenario::file::node::Note;
use crate::scenario::file::words::Names;

/// A table at one moment, under all effects.
pub struct Scene<'a> {
    pub book: &'static dyn Rulebook,
    pub given: &'a Given,
    pub table: &'a Table,
    view: Rc<View>,
    /// Ways of lying with another card in which who has that one sees a card that lies face down; nothing: not even one's own.
    own: Option<&'static [&'static str]>,
    /// Clauses that are knocked out.
    off: Vec<String>,
    /// Who is asked for an act.
    pub asked: Option<Seat>,
    pub outcome: Option<Outcome>,
}

/// Nobody answers: only looking.
struct Nobody;

impl Answers for Nobody {
    fn next(&mut self, _: &Table, _: &Question) -> Option<Vec<i32>> {
        None
    }
}

impl<'a> Scene<'a> {
    pub fn new(book: &'static dyn Rulebook, given: &'a Given, table: &'a Table, settings: &Settings) -> Scene<'a> {
        let mut nobody = Nobody;
        let mut duel = Duel::new(book, given, &mut nobody, settings);
        duel.take_back(table.clone());
        let view = duel.look();
        let own = book.schema().customs.sees_own.filter(|(_, cite)| duel.on(cite)).map(|(ways, _)| ways);
        let off = settings.off.clone();
        Scene { book, given, table, view, own, off, asked: table.priority, outcome: table.over }
    }

    pub fn names(&self) -> Names<'a> {
        Names { schema: self.book.schema(), labels: &self.given.labels }
    }

    pub fn seen(&self, id: CardId) -> &crate::kernel::Seen {
        &self.view.cards[id.0 as usize]
    }

    /// The card has the role.
    pub fn role(&self, id: CardId, role: Word) -> bool {
        let memory = Memory::default();
        let eyes = Eyes { t: self.table, view: &self.view, book: self.book, memory: &memory };
        self.book.role(&eyes, self.table.now(id), role)
    }

    /// How many markers of the name lie on the card, as texts count them: a condition that an effect laid on it is one.
    pub fn marked(&self, id: CardId, name: Word) -> i32 {
        let memory = Memory::default();
        let eyes = Eyes { t: self.table, view: &self.view, book: self.book, memory: &memory };
        eyes.marked(self.table.now(id), name)
    }

    /// The items on the pile of the innermost context, topmost first.
    pub fn pile(&self) -> Vec<String> {
        self.table.context().pile.iter().rev().map(|item| self.item(item)).collect()
    }

    fn item(&self, item: &Item) -> String {
        match (item.kind, item.card) {
            (ItemKind::Act(word), _) => word.to_string(),
            (_, Some(card)) => self.names().label(card.id).to_string(),
            _ => "能力".to_string(),
        }
    }

    /// An effect keeps the card in the condition.
    fn is_under(&self, id: CardId, condition: &str) -> bool {
        let fits = |change: &crate::card::Change| matches!(change, crate::card::Change::Under(w) if *w == condition);
        self.view.rules.iter().any(|rule| rule.on == Some(id) && fits(&rule.change))
    }

    /// The seat may see the front of the card.
    pub fn sees(&self, seat: Seat, id: CardId) -> bool {
        let obj = self.table.obj(id);
        let spec = self.book.schema().spec(obj.zone);
        let customs = &self.book.schema().customs;
        let knows = |(fact, cite): &(usize, &crate::kernel::Cite)| {
            obj.facts[*fact] >> seat.0 & 1 == 1 && !self.off.iter().any(|off| off == cite.clause)
        };
        if customs.knows.as_ref().is_some_and(knows) || customs.shown.is_some_and(|word| self.is_under(id, word)) {
            return true;
        }
        if let Some(seeing) = self.book.schema().customs.sight.filter(|_| !obj.revealed) {
            let (sees, by) = seeing(spec, obj.owner == seat, obj.face_up);
            return sees != by.iter().any(|cite| self.off.iter().any(|off| off == cite.clause));
        }
        obj.revealed
            || match spec.sight {
                Sight::All => {
                    let holder = |own: &'static [&'static str]| match obj.host {
                        Some((how, host)) if own.contains(&how.as_str()) => self.table.obj(host).controller,
                        _ if spec.board => obj.controller,
                        _ => obj.owner,
                    };
                    let lies = spec.board && obj.controller == seat && obj.host.is_none();
                    obj.face_up || self.own.map_or(lies, |own| holder(own) == seat)
                }
                Sight::Owner => obj.owner == seat || obj.face_up,
                Sight::Nobody => obj.face_up,
            }
    }
}

/// What has happened, and to which cards and zones.
#[derive(Clone, Debug)]
pub struct Log {
    events: Vec<std::sync::Arc<Event>>,
    cards: Vec<bool>,
    zones: Vec<bool>,
    /// Events of the turn that have been looked at.
    known: (u16, usize),
}

impl Log {
    pub fn new(given: &Given) -> Log {
        let (cards, zones) = (vec![false; given.table.cards.len()], vec![false; given.table.zones.len()]);
        Log { events: Vec::new(), cards, zones, known: (given.table.turn, 0) }
    }

    /// Notes the events since it last looked: where nobody is asked before the turn ends, this is all that is known of them.
    pub fn note_events(&mut self, t: &Table) {
        let from = if self.known.0 == t.turn { self.known.1.min(t.happened.len()) } else { 0 };
        self.known = (t.turn, t.happened.len());
        for event in &t.happened[from..] {
            self.event(event);
        }
        self.events.extend_from_slice(&t.happened[from..]);
    }

    /// Notes what has happened since it last looked.
    pub fn note(&mut self, given: &Given, t: &Table) {
        self.note_events(t);
        for (i, (old, new)) in given.table.cards.iter().zip(&t.cards).enumerate() {
            self.cards[i] |= !same(old, new) || old.marks != new.marks || old.life != new.life;
        }
        for (i, (old, new)) in given.table.zones.iter().zip(&t.zones).enumerate() {
            self.zones[i] |= old != new;
        }
        let members = t.contexts.iter().flat_map(|c| c.fights.iter().flat_map(|f| f.members.iter().map(|m| m.0)));
        let items = t.contexts.iter().flat_map(|c| c.pile.iter().filter_map(|i| i.card));
        for card in members.chain(items) {
            self.cards[card.id.0 as usize] = true;
        }
    }

    /// The last move of a card.
    pub fn last_move(&self, id: CardId) -> Option<&Event> {
        let of_card = |e: &&std::sync::Arc<Event>| e.is_move() && e.card.is_some_and(|c| c.id == id);
        self.events.iter().rev().find(of_card).map(|e| &**e)
    }

    fn event(&mut self, event: &Event) {
        for card in [event.card, event.after, event.cause.card].into_iter().flatten() {
            self.cards[card.id.0 as usize] = true;
        }
        for zone in [event.from, event.to].into_iter().flatten() {
            self.zones[zone.0 as usize] = true;
        }
    }
}

/// Nothing about the card itself differs; when it came and which life it has do not count.
fn same(old: &Obj, new: &Obj) -> bool {
    let key = |o: &Obj| (o.owner, o.controller, o.zone, o.face_up, o.state, o.revealed, o.facts, o.host);
    key(old) == key(new)
}

/// Looks at one table with another to compare.
pub struct Look<'a> {
    pub start: &'a Scene<'a>,
    pub now: &'a Scene<'a>,
    pub log: &'a Log,
}

impl Look<'_> {
    /// What is not as expected. If strict, also what is expected of things that nothing has happened to.
    pub fn check(&self, expect: &Expect, strict: bool) -> Vec<Note> {
        let mut notes = Vec::new();
        for Claim { at, says } in &expect.claims {
            if let Some(text) = self.claim(says) {
                notes.push(Note { at: *at, text });
            } else if strict && !self.is_touched(&says.subject()) && !expect.unchanged.contains(&says.subject()) {
                let what = self.subject(&says.subject());
                let text = format!(
                    "{what}には何も起きていません。そのままであることを言うなら「unchanged: [{what}]」に加えてください"
                );
                notes.push(Note { at: *at, text });
            }
        }
        notes.dedup();
        notes
    }

    fn is_touched(&self, subject: &Subject) -> bool {
        let touched = self.log;
        match subject {
            Subject::Card(id) => touched.cards[id.0 as usize] || self.start.seen(*id) != self.now.seen(*id),
            Subject::Zone(zone) => touched.zones[zone.0 as usize],
            Subject::SeatFact(seat, at) => !self.same(&Subject::SeatFact(*seat, *at)),
            Subject::Table => true,
        }
    }

    fn subject(&self, subject: &Subject) -> String {
        let names = self.now.names();
        match subject {
            Subject::Card(id) => names.label(*id).to_string(),
            Subject::Zone(zone) => names.zone_name(*zone),
            Subject::SeatFact(seat, at) => {
                let mut facts = crate::scenario::given::setup::fact_names(names.schema, crate::kernel::FactOwner::Seat);
                format!("{}.{}", names.schema.seats[seat.index()], facts.nth(*at).unwrap_or_default())
            }
            Subject::Table => "盤面".into(),
        }
    }

    fn same(&self, subject: &Subject) -> bool {
        let (old, new) = (self.start.table, self.now.table);
        match subject {
            Subject::Card(id) => {
                let mut marks = old.obj(*id).marks.iter().chain(new.obj(*id).marks.iter());
                same(old.obj(*id), new.obj(*id))
                    && marks.all(|(name, _)| self.start.marked(*id, *name) == self.now.marked(*id, *name))
                    && self.start.seen(*id) == self.now.seen(*id)
            }
            Subject::Zone(zone) => old.zone(*zone) == new.zone(*zone),
            Subject::SeatFact(seat, at) => old.seats[seat.index()][*at] == new.seats[seat.index()][*at],
            Subject::Table => true,
        }
    }

    /// `None` when it is so, else what is.
    fn claim(&self, says: &Says) -> Option<String> {
        let names = self.now.names();
        let t = self.now.table;
        let who = |seat: Option<Seat>| seat.map_or("なし", |s| names.schema.seats[s.index()]).to_string();
        let differs = |what: String, expected: String, is: String| {
            (expected != is).then(|| format!("{what}は {expected} のはずが {is}"))
        };
        match says {
            Says::Card(id, wanted) => {
                let is = self.card(*id, wanted)?;
                Some(format!("{}の{is}", names.label(*id)))
            }
            Says::Zone(zone, content) => self.content(*zone, content, None),
            Says::Open(zone, part, content) => self.content(*zone, content, Some(part)),
            Says::SeatFact(seat, at, n) => {
                let is = t.seats[seat.index()][*at];
                differs(self.subject(&Subject::SeatFact(*seat, *at)), n.to_string(), is.to_string())
            }
            Says::Fact(at, n) => differs("盤面の事実".into(), n.to_string(), t.facts[*at].to_string()),
            Says::Stack(items) => differs("スタック（上から）".into(), items.join("、"), self.now.pile().join("、")),
            Says::Phase(phase) => {
                let is = t.phase == phase.as_str() || t.contexts.iter().any(|c| c.step == phase.as_str());
                let step = if t.context().step.is_empty() { String::new() } else { format!("・{}", t.context().step) };
                (!is).then(|| format!("フェイズは {phase} のはずが {}{step}", t.phase))
            }
            Says::Battle(wanted) => {
                let fights = t.contexts.iter().flat_map(|c| &c.fights);
                let is: Vec<CardId> = fights.flat_map(|f| &f.members).map(|(card, _)| card.id).collect();
                let list = |cards: &[CardId]| {
                    let mut labels: Vec<&str> = cards.iter().map(|c| names.label(*c).as_str()).collect();
                    labels.sort_unstable();
                    // One may be in several battles.
                    labels.dedup();
                    if labels.is_empty() { "なし".to_string() } else { labels.join("、") }
                };
                differs("バトル".into(), list(wanted), list(&is))
            }
            Says::Turn(n) => differs("ターン".into(), n.to_string(), t.turn.to_string()),
            Says::Priority(seat) => differs("優先権".into(), who(*seat), who(self.now.asked)),
            Says::Active(seat) => differs("アクティブプレイヤー".into(), who(Some(*seat)), who(Some(t.active))),
            Says::Winner(winner) => {
                let words = |w: Option<Option<Seat>>| {
                    w.map_or("none".to_string(), |w| w.map_or("draw".to_string(), |s| who(Some(s))))
                };
                let is = self.now.outcome.map(|o| if let Outcome::Won(seat) = o { Some(seat) } else { None });
                differs("勝者".into(), words(*winner), words(is))
            }
            Says::Sees(seat, id, yes) => (self.now.sees(*seat, *id) != *yes).then(|| {
                let can = if *yes { "見えません" } else { "見えます" };
                format!("{}から{}は{can}", who(Some(*seat)), names.label(*id))
            }),
            Says::Event(wanted) => {
                let times = self.log.events.iter().filter(|e| self.happened(wanted, e)).count() as i32;
                let right = wanted.times.map_or(times > 0, |n| n == times);
                let expected = wanted.times.map_or("1回以上".to_string(), |n| format!("{n}回"));
                (!right).then(|| format!("出来事「{}」は {expected} のはずが {times}回", wanted.text))
            }
            Says::Unchanged(subject) => {
                (!self.same(subject)).then(|| format!("{}は変わっています", self.subject(subject)))
            }
        }
    }

    fn happened(&self, wanted: &Happening, event: &Event) -> bool {
        let zone =
            |wanted: &Vec<ZoneId>, is: Option<ZoneId>| wanted.is_empty() || is.is_some_and(|z| wanted.contains(&z));
        (event.name == wanted.name.as_str()
            || event.how == wanted.name.as_str()
            || event.also.iter().any(|name| *name == wanted.name.as_str())
            || wanted.name == "置く" && event.is_move())
            && wanted.card.is_none_or(|id| event.card.is_some_and(|c| c.id == id))
            && wanted.by.is_none_or(|id| event.cause.card.is_some_and(|c| c.id == id))
            && wanted.amount.is_none_or(|n| event.amount == n)
            && wanted.who.is_none_or(|s| event.seat == Some(s))
            && zone(&wanted.from, event.from)
            && zone(&wanted.to, event.to)
            && (!wanted.open[0] || event.from_face_up)
            && (!wanted.open[1] || matches!(event.what, What::Move { face_up: true, .. }))
    }

    /// What lies in the zone, or in the part of it that is called so and lies face up.
    fn content(&self, zone: ZoneId, content: &Content, part: Option<&str>) -> Option<String> {
        let names = self.now.names();
        let lies = |id: &CardId| part.is_none() || self.now.table.obj(*id).face_up;
        let mut cards: Vec<CardId> = self.now.table.zone(zone).iter().rev().copied().filter(lies).collect();
        let list =
            |cards: &[CardId]| cards.iter().take(30).map(|c| names.label(*c).as_str()).collect::<Vec<_>>().join("、");
        let mut what = names.zone_name(zone);
        if let Some(part) = part {
            what = what.replace(names.schema.spec(zone).name, part);
        }
        match content {
            Content::Count(n) if cards.len() as i32 != *n => Some(format!("{what}は {n}枚 のはずが {}枚", cards.len())),
            Content::Exactly(wanted) => {
                let mut expected = wanted.clone();
                if !names.schema.spec(zone).ordered {
                    expected.sort_unstable();
                    cards.sort_unstable();
                }
                (expected != cards).then(|| format!("{what}は ［{}］ のはずが ［{}］", list(wanted), list(&cards)))
            }
            Content::Has(id, yes) if cards.contains(id) != *yes => {
                Some(format!("{what}に{}が{}", names.label(*id), if *yes { "ありません" } else { "あります" }))
            }
            _ => None,
        }
    }
}
