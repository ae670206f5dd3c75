//! Concepts across the games.

use crate::text::Concept;
use crate::text::kana::fold;

/// Those called so; failing that, those whose name contains the word.
pub fn find<'a>(concepts: &'a [Concept], word: &str) -> Vec<&'a Concept> {
    let wanted = fold(word);
    // Marks alone are no name; nothing at all asks for the list.
    if wanted.is_empty() && !word.trim().is_empty() {
        return Vec::new();
    }
    let names = |c: &Concept| {
        let all = [&c.concept, &c.reading].into_iter().chain(&c.also).map(|n| fold(n));
        all.collect::<Vec<_>>()
    };
    let called: Vec<&Concept> = concepts.iter().filter(|c| names(c).contains(&wanted)).collect();
    if !called.is_empty() {
        return called;
    }
    concepts.iter().filter(|c| names(c).iter().any(|n| n.contains(&wanted))).collect()
}
