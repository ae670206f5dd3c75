//! The words in which cards and boards of a game are written, as lists.

use serde::Serialize;

use super::acts;
use crate::kernel::Rulebook;

/// Words that are written in the same place.
#[derive(Serialize)]
pub struct Words {
    pub name: &'static str,
    /// Where they are written.
    pub written: &'static str,
    pub words: Vec<String>,
}

/// The lists of a game that have any word, or any that contains the part. The texts of its boards show how what cards do
/// is written.
pub fn of<'a>(book: &dyn Rulebook, part: Option<&str>, boards: impl Iterator<Item = &'a str> + Clone) -> Vec<Words> {
    let words = &book.schema().words;
    let of = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    let data = words.data.iter().map(|(name, _)| match words.values.iter().find(|(of, _)| of == name) {
        Some((_, values)) => format!("{name}（{}）", values.join("、")),
        None => name.to_string(),
    });
    let keywords = words.keywords.iter().map(|name| match words.parts.iter().find(|(of, _)| of == name) {
        Some((_, parts)) => format!("{name}（{}）", parts.join("、")),
        None => name.to_string(),
    });
    let lists = [
        ("効果", "do: […] の例", acts::effects(boards)),
        ("データ", "data: {…}", data.collect()),
        ("出来事", "when: [{event: …}]", of(words.events)),
        ("方法", "how: …", of(words.manners)),
        ("キーワード", "abilities: [{keyword: {name: …}}]。（）は添えるもの", keywords.collect()),
        ("行為", "do: [{act: {name: …}}]", of(words.acts)),
        ("期限", "until: …", of(words.untils)),
        ("タイミング", "timing: …", of(words.timings)),
        ("場所", "from: …、to: …、in: …", of(words.places)),
        ("場所の関係", "near: …", of(words.relations)),
        ("状態", "state: …", of(words.states)),
        ("役割", "role: …", of(words.roles)),
        ("付け方", "as: …", of(words.attachments)),
        ("カウンター", "markers: {…}", of(words.markers)),
        ("プレイヤーの数", "席の下に 名: 数", of(words.numbers)),
        ("上限", "limit: [名, 数]", of(words.limits)),
        ("フェイズとステップ", "phase: …、until: …", of(words.phases)),
    ];
    let fits = |word: &String| part.is_none_or(|part| word.contains(part));
    let lists = lists.into_iter().map(|(name, written, all)| Words {
        name,
        written,
        words: all.into_iter().filter(fits).collect(),
    });
    lists.filter(|list| !list.words.is_empty()).collect()
}
