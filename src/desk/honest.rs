//! Switches that mean what they say: what does not exist is refused, and what does nothing says so.

use super::run::{Desk, Played};
use crate::kernel::Rule;
use crate::kernel::cite::cited;
use crate::scenario::{Note, WhatIf, unknown};
use crate::text::query;

fn plain(text: String) -> Vec<Note> {
    vec![Note { at: Default::default(), text }]
}

impl Desk<'_> {
    /// What was asked, in the document's own numbers, and what is to be said about it.
    pub fn honest(&self, asked: &WhatIf) -> Result<(WhatIf, Vec<String>), Vec<Note>> {
        let mut what_if = asked.clone();
        let mut remarks = Vec::new();
        what_if.without = asked.without.iter().map(|text| self.clause_named(text)).collect::<Result<_, _>>()?;
        what_if.readings.clear();
        for (id, key) in &asked.readings {
            let (id, key) = self.reading_named(id, key)?;
            let matters = cited(self.scenario.book.code()).iter().any(|c| c.rule == Rule::Reading && c.clause == id);
            if matters {
                what_if.readings.push((id, key));
            } else {
                let why =
                    self.shelf().readings().iter().find(|r| r.id.clause.as_str() == id).and_then(|r| r.nothing.clone());
                remarks.push(match why {
                    Some(why) => {
                        format!("{id} はどう読んでも盤面の動きが変わりません（{}）", crate::text::node::plain(&why))
                    }
                    None => format!("{id} の読みで動きの変わる処理はまだありません"),
                });
            }
        }
        what_if.twin(self.scenario).map_err(|n| vec![n])?;
        Ok((what_if, remarks))
    }

    /// A clause of this game, in whatever notation.
    fn clause_named(&self, text: &str) -> Result<String, Vec<Note>> {
        let shelf = self.shelf();
        let reading = |r: &&crate::text::Reading| r.id.clause.as_str().eq_ignore_ascii_case(text.trim());
        if let Some(reading) = shelf.readings().iter().find(reading) {
            let id = &reading.id.clause;
            let other = reading.options.iter().find(|o| o.key != reading.default).map_or("b", |o| o.key.as_str());
            return Err(plain(format!("--without {text}: {id} は読みです（--reading {id}={other} のように選べます）")));
        }
        let items = query::read(text).unwrap_or_default();
        let found: Vec<usize> = items
            .iter()
            .filter(|item| item.game.is_none_or(|g| g == shelf.game))
            .flat_map(|item| query::find(shelf, item))
            .collect();
        match (found.as_slice(), items.first()) {
            ([one, ..], _) => Ok(shelf.line(*one).clause.to_string()),
            ([], Some(item)) => {
                let near = query::nearest(self.library, Some(shelf.game), &item.from, 3);
                let near: Vec<&str> = near.iter().map(|f| shelf.line(f.index).clause).collect();
                Err(plain(format!(
                    "--without {text}: {}にこの条文はありません（近い条文: {}）",
                    shelf.game.name(),
                    near.join("、")
                )))
            }
            ([], None) => Err(plain(format!("--without {text}: 条文の番号を書いてください（--without 905.1 など）"))),
        }
    }

    fn reading_named(&self, id: &str, key: &str) -> Result<(String, String), Vec<Note>> {
        let readings = self.shelf().readings();
        let same = |r: &&crate::text::Reading| r.id.clause.as_str().eq_ignore_ascii_case(id);
        let Some(reading) = readings.iter().find(same) else {
            let known = readings.iter().map(|r| r.id.clause.as_str());
            return Err(plain(format!("--reading {id}={key}: {}", unknown("読み", id, known))));
        };
        if !reading.options.iter().any(|o| o.key == key) {
            let known: Vec<&str> = reading.options.iter().map(|o| o.key.as_str()).collect();
            let text = format!("--reading {id}={key}: {} の読みは {} です", reading.id.clause, known.join("・"));
            return Err(plain(text));
        }
        Ok((reading.id.clause.to_string(), key.to_string()))
    }

    /// The readings that the board itself is under: each must be one of the document, with an option that it has.
    pub fn wrong_readings(&self) -> Vec<Note> {
        let file = &self.scenario.file;
        let all = file.readings.iter();
        let all =
            all.chain(file.vary.iter().flat_map(|v| &v.readings)).chain(file.under.iter().flat_map(|u| &u.readings));
        let code = format!("{}:", self.scenario.book.code());
        let mut notes: Vec<Note> = Vec::new();
        for (id, key) in all {
            let id = id.strip_prefix(&code).unwrap_or(id);
            let text = match self.shelf().readings().iter().find(|r| r.id.clause.as_str() == id) {
                None => unknown("読み", id, self.shelf().readings().iter().map(|r| r.id.clause.as_str())),
                Some(r) if r.options.iter().any(|o| o.key == *key) => continue,
                Some(r) => {
                    let options: Vec<&str> = r.options.iter().map(|o| o.key.as_str()).collect();
                    format!("「readings:」の {id} に {key} という読みはありません（{}）", options.join("・"))
                }
            };
            if !notes.iter().any(|n| n.text == text) {
                notes.push(Note { at: Default::default(), text });
            }
        }
        notes
    }

    /// What is to be said of clauses that change nothing because of how the board went.
    pub fn not_reached(&self, what_if: &WhatIf, real: &Played) -> Vec<String> {
        let code = self.scenario.book.code();
        let reached = real.attempt.reached();
        let mut remarks = Vec::new();
        for clause in &what_if.without {
            let cites: Vec<_> = cited(code).into_iter().filter(|c| c.clause == clause).collect();
            let there = reached.iter().any(|c| c.clause == clause);
            let removable = cites.iter().any(|c| c.rule.can_be_knocked_out());
            let remark = match (cites.is_empty(), there, removable) {
                (true, ..) => "を動かす処理はありません。外しても変わりません",
                (_, false, _) => "はこの盤面では通っていません。外しても変わりません",
                (_, _, false) => "は定義か枠組みなので外せません。盤面を変えて比べてください",
                _ => continue,
            };
            remarks.push(format!("{clause} {remark}"));
        }
        for (id, _) in &what_if.readings {
            if !reached.iter().any(|c| c.clause == id && c.rule == Rule::Reading) {
                remarks.push(format!("{id} はこの盤面では問題になりません"));
            }
        }
        remarks
    }

    /// 「905.1 がないとしたら」: what heads the page of a changed board.
    pub fn condition(&self, what_if: &WhatIf) -> Result<Vec<String>, Vec<Note>> {
        let mut said = Vec::new();
        if let Some(vary) = what_if.twin(self.scenario).map_err(|n| vec![n])? {
            said.push(format!("別の場合: {}", vary.name));
        }
        said.extend(what_if.without.iter().map(|clause| format!("{clause} がないとしたら")));
        said.extend(what_if.readings.iter().map(|(id, key)| format!("{id} を {key} と読むなら")));
        said.extend(what_if.set.iter().map(|(path, value)| format!("{path} が {value} なら")));
        Ok(said)
    }
}
