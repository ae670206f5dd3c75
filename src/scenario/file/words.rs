//! What things are called: seats, zones and labels, and the word that was probably meant.

use unicode_normalization::UnicodeNormalization;

use crate::card::Word;
use crate::kernel::{CardId, Schema, Seat, Table, Thing, ZoneId};

/// The names in force at one table.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    pub schema: &'static Schema,
    pub labels: &'a [Word],
}

impl<'a> Names<'a> {
    /// What the board itself calls its cards: not those that have only a number.
    pub fn called(self) -> impl Iterator<Item = &'a str> {
        self.labels.iter().map(|l| l.as_str()).filter(|label| !label.contains('#'))
    }

    pub fn card(&self, label: &str) -> Option<CardId> {
        self.labels.iter().position(|l| *l == label).map(|i| CardId(i as u16))
    }

    pub fn label(&self, id: CardId) -> Word {
        self.labels[id.0 as usize]
    }

    /// The zones called so: `手札` is one of each player, `A.手札` is A's.
    pub fn zones(&self, text: &str) -> Vec<ZoneId> {
        let (owner, name) = match text.split_once(['.', 'の']) {
            Some((who, name)) if seat(self.schema, who).is_some() => (seat(self.schema, who), name),
            _ => (None, text),
        };
        let fits = |i: &usize| {
            let spec = &self.schema.zones[*i];
            spec.name == name && (owner.is_none() || spec.owner == owner)
        };
        (0..self.schema.zones.len()).filter(fits).map(|i| ZoneId(i as u8)).collect()
    }

    /// The zones of which the place called so is the part that lies face up: `A.プランゾーン` is the top of A's deck.
    pub fn opens(&self, text: &str) -> Vec<ZoneId> {
        let (owner, name) = match text.split_once(['.', 'の']) {
            Some((who, name)) if seat(self.schema, who).is_some() => (seat(self.schema, who), name),
            _ => (None, text),
        };
        let fits = |s: &Seat| owner.is_none_or(|owner| owner == *s);
        Seat::BOTH.into_iter().filter(fits).filter_map(|s| self.schema.opens(name, Some(s))).collect()
    }

    pub fn zone_name(&self, zone: ZoneId) -> String {
        zone_name(self.schema, zone)
    }

    pub fn thing(&self, t: &Table, thing: Thing) -> String {
        match thing {
            Thing::Card(r) => self.label(r.id).to_string(),
            Thing::Zone(zone) => self.zone_name(zone),
            Thing::Seat(seat) => self.schema.seats[seat.index()].to_string(),
            Thing::Number(n) => n.to_string(),
            Thing::Word(word) => word.to_string(),
            Thing::Place(kind, which) => format!("{kind}{}", which + 1),
            Thing::Item(id) => {
                let item = t.contexts.iter().flat_map(|c| &c.pile).find(|i| i.id == id);
                item.and_then(|i| i.card).map_or_else(|| format!("スタックの{id}"), |c| self.label(c.id).to_string())
            }
        }
    }

    /// The word may stand for the thing.
    pub fn means(&self, t: &Table, text: &str, thing: Thing) -> bool {
        self.thing(t, thing) == text || matches!(thing, Thing::Zone(zone) if self.zones(text).contains(&zone))
    }
}

pub fn seat(schema: &Schema, text: &str) -> Option<Seat> {
    schema.seats.iter().position(|s| *s == text).map(|i| Seat(i as u8))
}

/// The phase or step called so; half-width and full-width digits are the same.
pub fn phase(schema: &Schema, text: &str) -> Option<&'static str> {
    let wanted: String = text.nfkc().collect();
    schema.words.phases.iter().copied().find(|p| p.nfkc().eq(wanted.chars()))
}

pub fn zone_name(schema: &Schema, zone: ZoneId) -> String {
    let spec = schema.spec(zone);
    // Whose it is must be said where both have one.
    let both = |owner: Seat| schema.zone(spec.name, Some(owner.other())).is_some();
    match spec.owner {
        Some(owner) if both(owner) => format!("{}.{}", schema.seats[owner.index()], spec.name),
        _ => spec.name.to_string(),
    }
}

/// `「x」という…はありません`, with the word that was probably meant, else with all there are when they are few.
pub fn unknown<'a>(what: &str, word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.into_iter().collect();
    let mut seen = std::collections::BTreeSet::new();
    known.retain(|k| *k != word && seen.insert(*k));
    if matches!(word, "true" | "false") {
        return format!(
            "ここには{what}を書いてください（N・Y・on・off・yes・no は、\"N\" のように囲まないと言葉になりません）"
        );
    }
    // A part of several names means one of them.
    let whole: Vec<&str> = known.iter().copied().filter(|k| !word.is_empty() && k.contains(word)).collect();
    if whole.len() > 1 {
        let more = if whole.len() > 6 { " …" } else { "" };
        let list: Vec<&str> = whole.into_iter().take(6).collect();
        return format!("「{word}」という{what}はありません（{}{more} のどれかですか）", list.join("、"));
    }
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("「{word}」という{what}はありません（「{near}」ですか）"),
        None if known.is_empty() => format!("「{word}」という{what}はありません"),
        None => {
            let more = if known.len() > 12 { " …" } else { "" };
            known.truncate(12);
            format!("「{word}」という{what}はありません（使えるもの: {}{more}）", known.join("、"))
        }
    }
}

/// The nearest of the words, if any is near: half of the letters may be wrong, no more.
pub fn nearest<'a>(word: &str, among: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().take(60).collect();
    let ranked = among.filter(|other| other.chars().count() <= 60).map(|other| (distance(&letters, other), other));
    let (far, best) = ranked.min_by_key(|(far, _)| *far)?;
    (far * 2 <= letters.len()).then_some(best)
}

fn distance(a: &[char], b: &str) -> usize {
    let mut row: Vec<usize> = (0..=a.len()).collect();
    for (i, cb) in b.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, ca) in a.iter().enumerate() {
            let change = corner + usize::from(!ca.eq_ignore_ascii_case(&cb));
            corner = row[j + 1];
            row[j + 1] = change.min(corner + 1).min(row[j] + 1);
        }
    }
    row[a.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_was_meant() {
        let words = ["メインフェイズ", "スマッシュフェイズ", "手札", "LP"];
        let cases = [
            ("メインフェーズ", "「メインフェイズ」ですか"),
            ("墓地", "使えるもの: メインフェイズ、スマッシュフェイズ、手札、LP"),
            ("手礼", "「手札」ですか"),
            ("lp", "「LP」ですか"),
            ("フェイズ", "メインフェイズ、スマッシュフェイズ のどれかですか"),
        ];
        for (word, expected) in cases {
            assert!(unknown("言葉", word, words).contains(expected), "{}", unknown("言葉", word, words));
        }
    }
}
