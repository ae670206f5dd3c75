//! References by number: 「４部第９章」 says its part, 「第11章バトルの 1-1」 means one of the same part, 「１項～６項」 clauses of
//! the same article, 「(1)～(2)」 items of its list, 「１～３」 and 「１からの手順」 articles of the same chapter.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::import::PrintedRef;
use crate::import::lines::{self, Draft};

/// What references are read against.
pub struct Outline {
    ids: HashSet<String>,
    titles: HashMap<String, String>,
}

impl Outline {
    pub fn new(drafts: &[Draft]) -> Outline {
        let title = |d: &Draft| Some((d.clause.clone(), lines::clean(d.title.as_ref()?, super::BLANKS)));
        Outline {
            ids: drafts.iter().map(|d| d.clause.clone()).collect(),
            titles: drafts.iter().filter_map(title).collect(),
        }
    }

    /// The references of a text that stands in `clause`, relative ones completed.
    pub fn refs(&self, clause: &str, text: &str) -> Vec<PrintedRef> {
        static REF: LazyLock<Regex> = LazyLock::new(|| {
            let forms = [
                r"(?P<first>第?\s?(?P<part>\d{1,2})部\s?第?\s?|第\s?)(?P<chapter>\d{1,2})章",
                r"第?(?P<clause>\d{1,2})項(?:[～〜]第?(?P<clauses>\d{1,2})項)?",
                r"\((?P<item>\d{1,2})\)[～〜]\((?P<items>\d{1,2})\)",
                r"(?P<article>\d{1,2})[～〜](?P<articles>\d{1,2})(?:[のをにはで、]|まで)",
                r"(?P<step>\d{1,2})から(?:の)?手順",
            ];
            Regex::new(&forms.join("|")).expect("a pattern")
        });
        let chapter = clause.rsplit_once('.').map_or(clause, |(chapter, _)| chapter);
        let article = clause.split('-').next().unwrap_or(clause);
        let mut refs = Vec::new();
        let mut from = 0;
        while let Some(found) = REF.captures_at(text, from) {
            let whole = found.get_match();
            from = whole.end();
            let get =
                |name: &str| found.name(name).map(|m| lines::ascii(m.as_str()).trim_start_matches('0').to_string());
            let loose = !text[..whole.start()].ends_with(|c: char| c.is_numeric() || "＋－-.第".contains(c));
            let known = |id: &String| loose && self.ids.contains(id);
            if let Some(number) = get("chapter") {
                let part = get("part").or_else(|| Some(clause.split('.').next()?.to_string())).unwrap_or_default();
                let (reference, length) = self.absolute(format!("{part}.{number}"), &text[from..]);
                from += length;
                refs.push(reference);
            } else if let Some(number) = get("clause") {
                let until = get("clauses").map(|until| format!("{article}-{until}"));
                refs.push(lines::reference(format!("{article}-{number}"), until));
            } else if let Some((first, last)) = get("item").zip(get("items")) {
                let ends = [first, last].map(|n| format!("{article}-{n}"));
                refs.extend(range(ends, known));
            } else if let Some((first, last)) = get("article").zip(get("articles")) {
                let ends = [first, last].map(|n| format!("{chapter}.{n}"));
                refs.extend(range(ends, known));
            } else if let Some(step) = get("step") {
                refs.extend(Some(format!("{chapter}.{step}")).filter(known).map(|id| lines::reference(id, None)));
            }
        }
        refs
    }

    /// What follows the number of a chapter: its title, an article and clauses; with the length of it.
    fn absolute(&self, chapter: String, rest: &str) -> (PrintedRef, usize) {
        static WORDS: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"^\s?第?(\d{1,2})節(?:\s?第?(\d{1,2})項(?:[～〜]第?(\d{1,2})項)?)?").expect("a pattern")
        });
        static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"^\s?の?\s?(\d{1,2}(?:[－-]\d{1,2}){0,3})(?:[～〜](\d{1,2}(?:[－-]\d{1,2}){0,3}))?(?:[^\d枚体回点つ人個]|$)")
                .expect("a pattern")
        });
        let title = self.titles.get(&chapter).filter(|title| rest.trim_start().starts_with(title.as_str()));
        let skipped = title.map_or(0, |title| rest.len() - rest.trim_start().len() + title.len());
        let tail = &rest[skipped..];
        if let Some(found) = WORDS.captures(tail) {
            let article = format!("{chapter}.{}", lines::ascii(&found[1]));
            let clause = |n: usize| found.get(n).map(|m| format!("{article}-{}", lines::ascii(m.as_str())));
            let reference = lines::reference(clause(2).unwrap_or(article.clone()), clause(3));
            return (reference, skipped + found[0].len());
        }
        if let Some(found) = NUMBER.captures(tail) {
            let id = |n: usize| found.get(n).map(|m| format!("{chapter}.{}", lines::ascii(m.as_str())));
            let length = found.get(2).or(found.get(1)).map_or(0, |last| last.end());
            return (lines::reference(id(1).unwrap_or_default(), id(2)), skipped + length);
        }
        (lines::reference(chapter, None), skipped)
    }
}

/// A bare range is a reference only if both its ends are clauses here.
fn range([from, until]: [String; 2], known: impl Fn(&String) -> bool) -> Option<PrintedRef> {
    (known(&from) && known(&until)).then(|| lines::reference(from, Some(until)))
}
