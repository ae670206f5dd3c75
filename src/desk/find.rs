//! What was found by words, as it is shown.

use serde_json::{Value, json};

use super::rulings;
use crate::search::index::Place;
use crate::search::question::Question;
use crate::search::rank::CRITERIA;
use crate::search::snippet::snippet;
use crate::search::{Answer, Hit};
use crate::text::node::plain;
use crate::text::numbers::Numbers;
use crate::text::query::Found;
use crate::text::{Game, Id, Library, Ruling, Shelf};

/// What is said when the documents do not deal with what was asked.
pub fn doubt(answer: &Answer) -> Option<String> {
    let one = answer.counts.len() == 1;
    let silent = if one {
        "この文書に定めは見当たりません。"
    } else {
        "どの文書にも定めは見当たりません。"
    };
    let floor = if answer.floor {
        "大会の運営のことなら、フロアルールの定めを確かめてください。"
    } else {
        ""
    };
    (!answer.answered && !answer.hits.is_empty()).then(|| format!("{silent}{floor}近いもの:"))
}

/// The rulings that answer what was asked.
pub fn answering(library: &Library, answer: &Answer) -> Vec<Ruling> {
    let games: Vec<Game> = answer.counts.iter().map(|(game, _)| *game).collect();
    let hits: Vec<Id> = answer.hits.iter().take(10).map(|h| library.shelf(h.game).id(h.position)).collect();
    rulings::answering(library, &games, &answer.question.typed, &hits)
}

/// A reading, a history entry or a concept: how to open it, and what it is about.
pub fn beside(library: &Library, place: Place) -> (String, String) {
    match place {
        Place::Clause(game, i) => (library.shelf(game).id(i).to_string(), String::new()),
        Place::Reading(game, i) => {
            let reading = library.shelf(game).reading(i);
            (reading.id.to_string(), format!("〔読み方〕 {}", plain(&reading.question)))
        }
        Place::Entry(game, i) => {
            let entry = library.shelf(game).entry(i);
            let text = entry.changes.first().map(|c| plain(&c.text)).unwrap_or_default();
            (entry.id.to_string(), format!("〔変更〕 {} {} {text}", entry.date, entry.version))
        }
        Place::Ruling(game, i) => {
            let ruling = library.shelf(game).ruling(i);
            let name = rulings::name(&ruling);
            (format!("run {name}"), format!("〔裁定〕 {}", ruling.title))
        }
        Place::Card(game, i) => {
            let card = library.shelf(game).card(i);
            (format!("card {} {}", game.code(), card.name), "〔カード〕".to_string())
        }
        Place::Concept(i) => {
            let concept = library.concept(i);
            (format!("compare {}", concept.concept), format!("〔比較〕 {}", concept.differs))
        }
    }
}

/// The way by which a hit was found, for programs.
fn via(hit: &Hit) -> &'static str {
    let defines = hit.factors[0];
    if defines > 1.0 {
        "term"
    } else if hit.sense > 0.6 {
        "asks"
    } else {
        "text"
    }
}

fn hit_json(shelf: &Shelf, index: usize, score: f32, via: &str, question: &Question) -> Value {
    let line = shelf.line(index);
    let node = shelf.node(index);
    let text = node.text.as_deref().map(plain);
    let pieces = snippet(text.as_deref().unwrap_or_default(), question, 90);
    let marked: String = pieces.iter().map(|(mark, t)| if *mark { format!("**{t}**") } else { t.clone() }).collect();
    let path: Vec<Value> =
        shelf.path(index).into_iter().map(|i| json!({"id": shelf.id(i), "title": shelf.line(i).title})).collect();
    json!({
        "id": node.id,
        "game": shelf.game.code(),
        "printed": line.printed,
        "printed_at": shelf.printed_at(index),
        "aliases": line.aliases,
        "title": line.title,
        "kind": line.kind,
        "path": path,
        "text": text,
        "snippet": marked,
        "score": score,
        "via": via,
    })
}

/// What was found, as programs read it: the first `limit` hits, with the reasons of their order if those are asked for.
pub fn json(library: &Library, typed: &str, answer: &Answer, limit: usize, explain: bool) -> Value {
    let hit = |hit: &Hit| {
        let mut value = hit_json(library.shelf(hit.game), hit.position, hit.score, via(hit), &answer.question);
        if explain {
            let factors: serde_json::Map<String, Value> =
                CRITERIA.iter().zip(hit.factors).map(|(c, f)| (c.name.to_string(), json!(f))).collect();
            value["explain"] = json!({"bm25": hit.bm25, "factors": factors});
        }
        value
    };
    let hits: Vec<Value> = answer.hits.iter().take(limit).map(hit).collect();
    let counts: serde_json::Map<String, Value> =
        answer.counts.iter().map(|(g, n)| (g.code().to_string(), json!(n))).collect();
    let beside = answer.beside.iter().map(|p| beside(library, *p));
    let beside: Vec<Value> = beside.map(|(id, text)| json!({"id": id, "text": text})).collect();
    json!({
        "rulings": answering(library, answer),
        "query": typed,
        "read_as": answer.question.notes,
        "game": answer.question.game.map(Game::code),
        "answered": answer.answered,
        "floor": answer.floor,
        "counts": counts,
        "hits": hits,
        "beside": beside,
    })
}

/// The clauses that were named by number, as programs read them.
pub fn numbers_json(library: &Library, typed: &str, numbers: &Numbers, limit: usize) -> Value {
    let question = Question { typed: typed.to_string(), ..Question::default() };
    // An example that is not there is not found.
    let there = |example: &Option<String>, found: &Found| {
        let examples = library.shelf(found.game).node(found.index).examples;
        example.as_ref().is_none_or(|example| examples.iter().any(|e| e.id.example == *example))
    };
    let named = numbers.named.iter();
    let found: Vec<Found> =
        named.flat_map(|n| n.found.iter().filter(|found| there(&n.item.from.example, found))).copied().collect();
    let read: Vec<Id> = found.iter().map(|f| library.shelf(f.game).id(f.index)).collect();
    let hit = |f: &Found| hit_json(library.shelf(f.game), f.index, 1.0, "number", &question);
    let hits: Vec<Value> = found.iter().take(limit).map(hit).collect();
    json!({"query": typed, "read_as": read, "answered": !found.is_empty(), "hits": hits})
}
