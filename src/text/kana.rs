//! Spelling that does not tell words apart.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// NFKC and lower case, white space and dashes made one.
pub fn normal(text: &str) -> String {
    normalized(text).into_owned()
}

fn normalized(text: &str) -> Cow<'_, str> {
    // Nearly all text is normal, and to see that is much quicker than to compose it anew.
    if text.chars().all(is_normal) {
        return text.into();
    }
    let one = |c: char| match c {
        '―' | '‐' | '–' | '—' | '−' | 'ｰ' => 'ー',
        c if c.is_whitespace() || c.is_control() => ' ',
        c => c,
    };
    text.nfkc().flat_map(char::to_lowercase).map(one).collect()
}

/// A character alone, made normal and still one character.
pub fn normal_char(c: char) -> char {
    if is_normal(c) { c } else { normal(&c.to_string()).chars().next().unwrap_or(c) }
}

/// Characters that stay as they are, whatever of them is beside them.
fn is_normal(c: char) -> bool {
    matches!(c, ' '..='@' | '['..='~' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | 'ー' | '、'..='】' | '一'..='龥')
}

/// Katakana as hiragana, small kana as large, ぢ and づ as じ and ず, no long vowels; anything else is a blank.
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in normalized(text).chars() {
        let c = match c {
            'ァ'..='ヶ' => char::from_u32(c as u32 - 0x60).unwrap_or(c),
            c => c,
        };
        match c {
            'ー' | '・' | '々' => {}
            'ぁ' | 'ぃ' | 'ぅ' | 'ぇ' | 'ぉ' | 'ゃ' | 'ゅ' | 'ょ' | 'っ' | 'ゎ' => {
                out.push(char::from_u32(c as u32 + 1).unwrap_or(c));
            }
            'ゔ' => out.push('ぶ'),
            'ぢ' => out.push('じ'),
            'づ' => out.push('ず'),
            c if meaningful(c) => out.push(c),
            _ if out.is_empty() || out.ends_with(' ') => {}
            _ => out.push(' '),
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Characters that carry meaning: letters, digits, kana, kanji.
pub fn meaningful(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, 'ー' | '々' | '∞' | '〇' | '○')
}

pub fn is_hiragana(c: char) -> bool {
    matches!(c, 'ぁ'..='ゖ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_for_normal_is() {
        for c in ('\0'..='\u{ffff}').filter(|c| is_normal(*c)) {
            let text = c.to_string();
            assert_eq!(text.nfkc().flat_map(char::to_lowercase).collect::<String>(), text);
            assert_eq!(normal(&format!("{c}Ａ")), format!("{c}a"), "the slow way");
        }
    }

    #[test]
    fn spelling_that_folds_away() {
        for (a, b) in [
            ("ペンデュラム", "ぺんでゆらむ"),
            ("ダメージステツプ", "ダメージステップ"),
            ("ライフリカバリ", "ライフリカバリー"),
            ("ﾗｲﾌｼｰﾙﾄﾞ", "ライフシールド"),
            ("ディメンション・ゼロ", "ディメンションゼロ"),
            ("ＤＥＦ", "def"),
        ] {
            assert_eq!(fold(a), fold(b), "{a} {b}");
        }
        assert_eq!(fold("手札（7枚）の、上限"), "手札 7枚 の 上限");
    }
}
