//! Packs drafts into the bytes that a [`Library`](super::Library) reads. What can be derived is derived here, once.

use std::collections::HashMap;

use serde::Serialize;

use super::alike::Alike;
use super::clause::Id;
use super::document::Document;
use super::draft::{Draft, Drafts};
use super::kana::fold;
use super::lexicon::{Form, Lexicon, Via};
use super::library::{About, Head, Line, Parts};
use super::node::{Node, Target};
use super::packed;

/// Packs drafts that lint has found whole enough to show.
pub fn pack(drafts: &Drafts) -> Vec<u8> {
    let mut body = Vec::new();
    let games: Vec<Parts> = drafts.games.iter().map(|draft| pack_game(draft, &mut body)).collect();
    let concepts = put(&mut body, pack_json(drafts.concepts.iter().map(|c| &c.value)));
    let words = put(&mut body, plain(&drafts.words.as_ref().map(|w| w.value.clone()).unwrap_or_default()));
    // The offsets in the head change its own size: encode until it stands still.
    let mut start = 0u32;
    loop {
        let moved = Head {
            games: games.iter().map(|parts| parts.moved(start)).collect(),
            concepts: (concepts.0 + start, concepts.1 + start),
            words: (words.0 + start, words.1 + start),
        };
        let head = postcard::to_stdvec(&moved).expect("plain data");
        let next = 4 + head.len() as u32;
        if next == start {
            let mut bytes = (head.len() as u32).to_le_bytes().to_vec();
            bytes.extend(head);
            bytes.extend(body);
            return bytes;
        }
        start = next;
    }
}

/// Appends a part and says where it is.
fn put(body: &mut Vec<u8>, part: Vec<u8>) -> (u32, u32) {
    let start = body.len() as u32;
    body.extend(part);
    (start, body.len() as u32)
}

impl Parts {
    fn moved(&self, by: u32) -> Parts {
        let add = |(a, b): (u32, u32)| (a + by, b + by);
        Parts {
            document: add(self.document),
            outline: add(self.outline),
            nodes: add(self.nodes),
            about: add(self.about),
            terms: add(self.terms),
            readings: add(self.readings),
            history: add(self.history),
            asks: add(self.asks),
            lexicon: add(self.lexicon),
            rulings: add(self.rulings),
            alike: add(self.alike),
            cards: add(self.cards),
        }
    }
}

fn pack_game(draft: &Draft, body: &mut Vec<u8>) -> Parts {
    let nodes: Vec<&Node> = draft.nodes().map(|p| &p.value).collect();
    let places: HashMap<&str, u16> = nodes.iter().enumerate().map(|(i, n)| (n.id.clause.as_str(), i as u16)).collect();
    let mut lines: Vec<Line> = Vec::new();
    let place = |id: &Id| places.get(id.clause.as_str()).copied().filter(|_| id.game == draft.game);
    // Who refers to an example refers to its clause; all else means the clause itself.
    let itself = |id: &Id| place(id).filter(|_| id.example.is_empty());
    let mut about = vec![About::default(); nodes.len()];
    let depth = |place: u16| {
        let above = nodes[usize::from(place)].id.clause.ancestors();
        above.filter(|c| places.contains_key(c.as_str())).count()
    };
    for (i, node) in nodes.iter().enumerate() {
        let parent = node.id.clause.ancestors().find_map(|c| places.get(c.as_str()).copied());
        lines.push(Line {
            clause: node.id.clause.as_str(),
            printed: node.printed.as_deref(),
            aliases: node.aliases.iter().map(String::as_str).collect(),
            title: node.title.as_deref(),
            kind: node.kind,
            stated: node.text.is_some(),
            parent,
            depth: depth(i as u16) as u8,
            page: node.page,
        });
        for link in node.links() {
            let ends = match &link.target {
                Target::Clause(id) => place(id).map(|p| (p, p)),
                Target::Range(a, b) => place(a).zip(place(b)),
                Target::Document(_) => None,
            };
            let Some((a, b)) = ends else { continue };
            // Of what lies between, only what stands as high as the ends: their children come with them.
            let deepest = depth(a).max(depth(b));
            let meant = (a..=b).filter(|to| depth(*to) <= deepest);
            meant.for_each(|to| add(&mut about[usize::from(to)].cited_by, i));
        }
    }
    let mut asks: Vec<Vec<&str>> = vec![Vec::new(); nodes.len()];
    for ask in draft.asks.iter().map(|a| &a.value) {
        if let Some(place) = places.get(ask.at.clause.as_str()) {
            asks[usize::from(*place)].extend(ask.say.iter().map(String::as_str));
        }
    }
    for (i, term) in draft.terms.iter().enumerate() {
        let defined = term.value.defined.iter().filter_map(itself);
        defined.for_each(|at| add(&mut about[usize::from(at)].defines, i));
    }
    for (i, reading) in draft.readings.iter().enumerate() {
        let clauses = reading.value.clauses.iter().filter_map(itself);
        clauses.for_each(|at| add(&mut about[usize::from(at)].readings, i));
    }
    for (i, entry) in draft.history.iter().enumerate() {
        let touched = entry.value.changes.iter().flat_map(|c| &c.touches).filter_map(itself);
        touched.for_each(|at| add(&mut about[usize::from(at)].entries, i));
    }
    for (i, ruling) in draft.rulings.iter().enumerate() {
        let ids = ruling.why.iter().chain(&ruling.example).filter_map(|id| id.parse::<Id>().ok());
        for at in ids.filter_map(|id| place(&id)) {
            add(&mut about[usize::from(at)].rulings, i);
        }
    }
    let mut put = |part| put(body, part);
    let document = draft.document.as_ref().map(|d| d.value.clone()).unwrap_or_else(|| Document {
        title: draft.game.name().to_string(),
        edition: "不明".to_string(),
        date: None,
        publisher: None,
        note: None,
    });
    Parts {
        document: put(json(&document)),
        outline: put(packed::pack(lines.iter().map(plain))),
        nodes: put(pack_json(nodes.into_iter())),
        about: put(packed::pack(about.iter().map(plain))),
        terms: put(pack_json(draft.terms.iter().map(|t| &t.value))),
        readings: put(pack_json(draft.readings.iter().map(|r| &r.value))),
        lexicon: put(lexicon(draft)),
        asks: put(plain(&asks)),
        history: put(pack_json(draft.history.iter().map(|h| &h.value))),
        rulings: put(pack_json(draft.rulings.iter())),
        alike: put(plain(&Alike::new(&draft.rulings))),
        cards: put(pack_json(draft.cards.iter())),
    }
}

/// Adds a place to a list that is filled in order, once.
fn add(places: &mut Vec<u16>, place: usize) {
    let place = place as u16;
    if places.last() != Some(&place) {
        places.push(place);
    }
}

/// The words of the glossary, folded.
fn lexicon(draft: &Draft) -> Vec<u8> {
    let mut forms: Vec<(String, Via, u16)> = Vec::new();
    for (place, term) in draft.terms.iter().map(|t| &t.value).enumerate() {
        let one = [(Via::Term, &term.term), (Via::Reading, &term.reading)].into_iter();
        let synonyms = term.synonyms.iter().map(|w| (Via::Synonym, w));
        let slang = term.slang.iter().map(|w| (Via::Slang, w));
        for (via, word) in one.chain(synonyms).chain(slang) {
            let form = fold(word).replace(' ', "");
            if !form.is_empty() {
                forms.push((form, via, place as u16));
            }
        }
    }
    Lexicon::pack(forms.iter().map(|(form, via, term)| Form { form, via: *via, term: *term }).collect())
}

fn pack_json<'a, T: Serialize + 'a>(items: impl Iterator<Item = &'a T>) -> Vec<u8> {
    packed::pack(items.map(json))
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data")
}

fn plain(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).expect("plain data")
}
