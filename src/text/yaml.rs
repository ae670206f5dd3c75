//! The only module that knows which YAML crate we use.
//!
//! A data file is one list under one key. Its items are parsed one by one, so that a mistake in one of them does
//! not hide the mistakes in the others, and every problem carries file, line, column and the line itself.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_saphyr::Error;
/// A value that knows its line and column.
pub use serde_saphyr::Spanned;

/// Something wrong in a data file, said so that its author can put it right.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub file: PathBuf,
    /// From 1; 0 where the whole file is meant.
    pub line: usize,
    pub column: usize,
    /// The offending line.
    pub excerpt: String,
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let file = self.file.display();
        if self.line == 0 {
            return write!(f, "{file}: {}", self.message);
        }
        write!(f, "{file}:{}:{}: {}", self.line, self.column, self.message)?;
        // A long line is shown where it is wrong.
        let from = if self.column > 70 { self.column - 30 } else { 0 };
        let excerpt: String = self.excerpt.trim_end().chars().skip(from).take(100).collect();
        let before = if from > 0 { "…" } else { "" };
        if excerpt.is_empty() { Ok(()) } else { write!(f, "\n    {before}{excerpt}") }
    }
}

/// One item of a file and the lines that it came from.
#[derive(Clone, Debug)]
pub struct Placed<T> {
    pub value: T,
    file: PathBuf,
    /// The line on which the item begins, from 1.
    pub line: usize,
    source: String,
}

impl<T> Placed<T> {
    /// A problem at the first place in the item where `what` is written.
    pub fn problem(&self, what: &str, message: String) -> Problem {
        let found = self.source.lines().enumerate().find_map(|(i, line)| word_at(line, what).map(|c| (i, c, line)));
        let (line, column, excerpt) = found.unwrap_or((0, 0, self.source.lines().next().unwrap_or_default()));
        Problem {
            file: self.file.clone(),
            line: self.line + line,
            column: column + 1,
            excerpt: excerpt.to_string(),
            message,
        }
    }
}

/// Where `what` stands in `line` as a word of its own (in characters): `zx:10` is not found in `zx:102`.
fn word_at(line: &str, what: &str) -> Option<usize> {
    let joins = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-' || c == '#';
    let mut from = 0;
    while let Some(at) = line[from..].find(what).map(|i| from + i) {
        let after = line[at + what.len()..].chars().next();
        let ascii = what.ends_with(|c: char| c.is_ascii_alphanumeric());
        if !(ascii && after.is_some_and(joins)) {
            return Some(line[..at].chars().count());
        }
        from = at + what.chars().next()?.len_utf8();
    }
    None
}

/// Reads a file that is one mapping.
pub fn mapping<T: DeserializeOwned>(file: &Path, text: &str) -> Result<Placed<T>, Problem> {
    match parse(text) {
        Ok(value) => Ok(Placed { value, file: file.to_path_buf(), line: 1, source: text.to_string() }),
        Err(error) => Err(problem(file, text, 0, &error)),
    }
}

/// Items that were read as part of a file, each with its lines: from where it begins to where the next one does.
pub fn placed<T: Clone>(file: &Path, text: &str, items: &[Spanned<T>]) -> Vec<Placed<T>> {
    at_lines(file, text, items.iter().map(|item| (item.referenced.line() as usize, item.value.clone())).collect())
}

/// Items of a file with the lines on which they begin.
pub fn at_lines<T>(file: &Path, text: &str, items: Vec<(usize, T)>) -> Vec<Placed<T>> {
    let ends: Vec<usize> = items.iter().skip(1).map(|(line, _)| *line).chain([usize::MAX]).collect();
    let cut = |((line, value), end): ((usize, T), usize)| {
        let line = line.max(1);
        let lines = text.lines().skip(line - 1).take(end.saturating_sub(line).max(1));
        let source = lines.flat_map(|l| [l, "\n"]).collect();
        Placed { value, file: file.to_path_buf(), line, source }
    };
    items.into_iter().zip(ends).map(cut).collect()
}

/// Reads a file that is one list under `key`.
pub fn items<T: DeserializeOwned>(file: &Path, text: &str, key: &str) -> (Vec<Placed<T>>, Vec<Problem>) {
    let mut values = Vec::new();
    let mut problems = Vec::new();
    let chunks = match chunks(file, text, key) {
        Ok(chunks) => chunks,
        Err(problem) => return (values, vec![problem]),
    };
    for (line, source) in chunks {
        match parse::<Vec<T>>(&source) {
            Ok(parsed) => values.extend(parsed.into_iter().map(|value| Placed {
                value,
                file: file.to_path_buf(),
                line,
                source: source.clone(),
            })),
            Err(error) => problems.push(problem(file, text, line - 1, &error)),
        }
    }
    (values, problems)
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    let options = serde_saphyr::options! { with_snippet: false };
    serde_saphyr::from_str_with_options(text, options)
}

/// The items of the list under `key`, each with the number of its first line.
fn chunks(file: &Path, text: &str, key: &str) -> Result<Vec<(usize, String)>, Problem> {
    let wrong = |line: usize, excerpt: &str, message: String| Problem {
        file: file.to_path_buf(),
        line,
        column: 1,
        excerpt: excerpt.to_string(),
        message,
    };
    let mut out: Vec<(usize, String)> = Vec::new();
    let mut opened = false;
    let mut indent = None;
    for (i, line) in text.lines().enumerate() {
        let body = line.trim_start_matches(' ');
        let depth = line.len() - body.len();
        if body.starts_with('\t') {
            return Err(wrong(i + 1, line, "字下げにタブは使えません。半角空白で書いてください".into()));
        }
        let outside = body.is_empty() || body.starts_with('#') && depth == 0;
        if !opened {
            if body.trim_end() == format!("{key}:") && depth == 0 {
                opened = true;
            } else if body.trim_end() == format!("{key}: []") && depth == 0 {
                return Ok(out);
            } else if !outside {
                return Err(wrong(i + 1, line, format!("このファイルは「{key}:」で始めてください")));
            }
            continue;
        }
        let item = body.starts_with("- ") || body == "-";
        if item && depth == *indent.get_or_insert(depth) {
            out.push((i + 1, String::new()));
        } else if !outside && depth <= indent.unwrap_or(0) {
            let what = "ここには「- 」で始まる項目を書いてください（項目の続きなら字下げが足りません）";
            return Err(wrong(i + 1, line, what.into()));
        }
        if let Some((_, source)) = out.last_mut() {
            // A comment in column 1 would end a block scalar.
            source.push_str(if depth == 0 && body.starts_with('#') { "" } else { line });
            source.push('\n');
        }
    }
    if opened { Ok(out) } else { Err(wrong(0, "", format!("「{key}:」がありません"))) }
}

fn problem(file: &Path, text: &str, offset: usize, error: &Error) -> Problem {
    let error = error.without_snippet();
    let (line, column) = error.location().map_or((1, 1), |at| (at.line() as usize, at.column() as usize));
    let line = (line + offset).max(1);
    Problem {
        file: file.to_path_buf(),
        line,
        column,
        excerpt: text.lines().nth(line - 1).unwrap_or_default().to_string(),
        message: explain(error),
    }
}

/// What went wrong, in Japanese, and what would be right.
fn explain(error: &Error) -> String {
    match error {
        Error::SerdeUnknownField { field, expected, .. } => unknown_key(field, expected),
        Error::SerdeUnknownVariant { variant, expected, .. } => unknown_word(variant, expected),
        Error::SerdeMissingField { field, .. } => format!("「{field}」がありません"),
        Error::DuplicateMappingKey { key, .. } => {
            format!("「{}」が二度書かれています", key.as_deref().unwrap_or("同じ項目"))
        }
        Error::SerdeInvalidType { unexpected, expected, .. }
        | Error::SerdeInvalidValue { unexpected, expected, .. } => wrong_shape(unexpected, expected),
        Error::SerdeInvalidLength { len, .. } => format!("数が合いません（{len}個あります）"),
        Error::Unexpected { expected: "string scalar", .. } => {
            "ここには文字を1つ書いてください（一覧や項目は書けません）".to_string()
        }
        Error::Unexpected { expected, .. } => format!("ここには{}を書いてください", wanted(expected)),
        Error::InvalidScalar { ty, .. } => format!("ここには{}を書いてください", wanted(ty)),
        Error::InvalidBooleanStrict { .. } => "ここには true か false を書いてください".to_string(),
        Error::NullIntoString { .. } => "ここには文字を書いてください（空です）".to_string(),
        Error::Eof { .. } => "途中で終わっています（中身がないか、括弧や引用符が閉じていません）".to_string(),
        Error::MultipleDocuments { .. } => "1つのファイルに書けるのは1つだけです（「---」で区切れません）".to_string(),
        Error::UnknownAnchor { .. } => "「*」で指したものがありません（「&」で名を付けます）".to_string(),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. }
        | Error::AliasReplayCounterOverflow { .. } => "入れ子や繰り返しが多すぎます".to_string(),
        Error::ExternallyTaggedEnumExpectedScalarOrMapping { .. }
        | Error::ExpectedStringKeyForExternallyTaggedEnum { .. }
        | Error::ExpectedMappingEndAfterEnumVariantValue { .. }
        | Error::UnexpectedValueForUnitEnumVariant { .. }
        | Error::TaggedEnumMismatch { .. }
        | Error::SerdeVariantId { .. } => "値の形が違います（「言葉」か「言葉: 値」の1組を書いてください）".to_string(),
        other => in_words(&other.to_string()),
    }
}

/// A key that is not known there, with the one that was probably meant.
pub fn unknown_key(field: &str, expected: &[&str]) -> String {
    match slipped(field, expected) {
        Some(near) => format!("「{field}」という項目はありません（「{near}」ですか）"),
        None => format!("「{field}」という項目はありません（使えるもの: {}）", expected.join("、")),
    }
}

/// A word that is not known there, with the one that was probably meant.
pub fn unknown_word(word: &str, expected: &[&str]) -> String {
    match slipped(word, expected) {
        Some(near) => format!("「{word}」は使えません（「{near}」ですか）"),
        None => format!("「{word}」は使えません（使えるもの: {}）", expected.join("、")),
    }
}

/// The word whose letters these are, or all but one of them.
fn slipped<'w>(word: &str, among: &[&'w str]) -> Option<&'w str> {
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let slip = |known: &&&str| {
        let (a, mut b) = (letters(word), letters(known));
        let odd = a.iter().filter(|c| b.iter().position(|d| d == *c).map(|at| b.remove(at)).is_none()).count();
        odd.max(b.len()) <= usize::from(known.chars().count() > 3)
    };
    among.iter().find(slip).copied()
}

/// One word with its value is wanted, and these stand there.
pub fn one_of(written: &[&str], expected: &[&str]) -> String {
    let known = expected.join("、");
    match written {
        [] => format!("ここには「言葉: 値」の1組を書いてください（使える言葉: {known}）"),
        many => format!(
            "「{}」が1つの {{ }} に並んでいます。1組ずつ分けて書いてください（使える言葉: {known}）",
            many.join("」「")
        ),
    }
}

/// Keys with values are wanted, and this stands there.
pub fn keys_wanted(written: &str, keys: &[&str]) -> String {
    let written: String = written.chars().take(20).collect();
    let first = keys.first().unwrap_or(&"項目");
    format!(
        "ここには {{{first}: …}} のような組を書いてください（書かれているのは「{written}」。使える項目: {}）",
        keys.join("、")
    )
}

/// Something of another kind is wanted than what stands there, both in the words of serde.
pub fn wrong_shape(unexpected: &str, expected: &str) -> String {
    format!("ここには{}を書いてください（書かれているのは{}）", wanted(expected), written(unexpected))
}

/// What a type says of itself; what only a YAML crate would say, in Japanese.
pub fn in_words(message: &str) -> String {
    // The line in the message counts from the item, ours from the file.
    let message = message.lines().next().unwrap_or_default();
    let message = message.rsplit_once(" at line").map_or(message, |(head, _)| head);
    match message {
        // Our own words, from a type that reads itself.
        ours if !ours.is_ascii() => ours.to_string(),
        serde if serde.contains("untagged enum") => "値の形が違います".to_string(),
        _ => "YAMLとして読めません（括弧、引用符、字下げ、コロンの後の空白を確かめてください）".to_string(),
    }
}

/// What a type asks for, in the words of the YAML crate or of serde.
fn wanted(expected: &str) -> String {
    let has = |words: &[&str]| words.iter().any(|word| expected.contains(word));
    if !expected.is_ascii() {
        return expected.to_string();
    }
    let known = match () {
        () if has(&["sequence", "tuple", "array"]) => "一覧（[…] か「- 」の並び）",
        () if has(&["mapping", "map", "struct"]) => "「項目: 値」の組",
        () if has(&["bool"]) => " true か false ",
        () if has(&[
            "integer", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize", "f32", "f64", "number",
        ]) =>
        {
            "数"
        }
        () if has(&["string", "str", "char"]) => "文字",
        () if has(&["enum", "variant", "identifier"]) => "決まった言葉",
        () => "別の形の値",
    };
    known.to_string()
}

/// What stands there instead, in the words of serde: `integer `5``, `string "x"`, `map`.
fn written(unexpected: &str) -> String {
    let inside = |quote: char| unexpected.split_once(quote).map(|(_, rest)| rest.trim_end_matches(quote).to_string());
    let kind = unexpected.split([' ', '`', '"']).next().unwrap_or_default();
    match (kind, inside('"').or_else(|| inside('`'))) {
        ("string", Some(text)) => format!("文字「{text}」"),
        ("integer" | "floating", Some(number)) => format!("数 {number}"),
        ("boolean", Some(value)) => value,
        ("sequence", _) => "一覧".to_string(),
        ("map", _) => "「項目: 値」の組".to_string(),
        ("unit" | "Option" | "null", _) => "空".to_string(),
        (_, Some(text)) if !text.is_empty() => format!("「{text}」"),
        _ => "別の形の値".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Item {
        id: String,
        #[allow(dead_code)]
        text: String,
    }

    fn check(text: &str, expected: &[(usize, usize, &str)]) -> Vec<Placed<Item>> {
        let (values, problems) = items::<Item>(Path::new("x.yaml"), text, "nodes");
        let found: Vec<_> = problems.iter().map(|p| (p.line, p.column)).collect();
        let places: Vec<_> = expected.iter().map(|(l, c, _)| (*l, *c)).collect();
        assert_eq!(found, places, "{problems:#?}");
        for (problem, (_, _, words)) in problems.iter().zip(expected) {
            assert!(problem.message.contains(words), "{problem}");
        }
        values
    }

    #[test]
    fn every_bad_item_is_reported() {
        let text = "# 説明\nnodes:\n- id: a\n  text: 甲\n- id: b\n  txet: 乙\n\n- id: c\n- id: d\n  text: [x]\n- id: e\n  text: 戊\n";
        let good = check(text, &[(6, 3, "txet"), (8, 3, "text"), (10, 9, "文字を1つ")]);
        assert_eq!(good.iter().map(|p| p.value.id.as_str()).collect::<Vec<_>>(), ["a", "e"]);
        assert_eq!(good[1].line, 11);
        assert_eq!(good[1].problem("戊", String::new()).column, 9);
    }

    #[test]
    fn shape_of_the_file() {
        check("", &[(0, 1, "nodes:")]);
        check("terms:\n- id: a\n", &[(1, 1, "nodes:")]);
        check("nodes:\n- id: a\n\ttext: b\n", &[(3, 1, "タブ")]);
        check("nodes:\n- id: a\n  text: b\nother: c\n", &[(4, 1, "字下げ")]);
        check("nodes:\n- id: a\n  text: b\n  id: c\n", &[(4, 3, "二度")]);
        check("nodes: []\n", &[]);
    }

    #[test]
    fn a_word_is_not_part_of_another() {
        assert_eq!(word_at("refs: [zx:102.4, zx:102]", "zx:102"), Some(17));
        assert_eq!(word_at("text: 優先権は", "優先権"), Some(6));
        assert_eq!(word_at("refs: [zx:102.4]", "zx:10"), None);
    }
}
