//! Bytes to lines: PDF, UTF-8, UTF-16, Shift_JIS, EUC-JP, ISO-2022-JP.

use encoding_rs::{Encoding, UTF_8};

use super::official::{SourceLine, Stop};
use super::pdf;

/// The largest text that is read, and the most lines of it. The five documents have 0.1 to 0.3 MB and up to 6,000.
pub const LARGEST: usize = 4 << 20;
const LINES: usize = 200_000;

/// The text of a document, and what it was.
pub fn decode(bytes: &[u8]) -> Result<(Vec<SourceLine>, &'static str), Stop> {
    let stop = |message: String| Stop { recognised: Vec::new(), line: 0, message };
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(stop("ファイルが空です".to_string()));
    }
    if is_pdf(bytes) {
        return Ok((lines(&pdf::text(bytes)?)?, "PDF"));
    }
    if bytes.len() > LARGEST {
        return Err(stop(format!("文書が大きすぎます（上限は{}MB）", LARGEST >> 20)));
    }
    let (text, name) = text(bytes).map_err(stop)?;
    Ok((lines(&text)?, name))
}

fn is_pdf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"%PDF-")
}

/// A text in any encoding in use in Japan, and in which it was; or why it is none.
pub fn text(bytes: &[u8]) -> Result<(String, &'static str), String> {
    let encoding = encoding(bytes);
    let (text, _, broken) = encoding.decode(bytes);
    let strange = text
        .chars()
        .filter(|c| *c == '\u{fffd}' || c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}'))
        .count();
    // A few broken characters are damage; many mean that it is no text at all.
    if broken && strange * 50 > text.chars().count() || strange * 10 > text.chars().count() {
        return Err(format!("テキストとして読めません（{}として{strange}文字が壊れています）", encoding.name()));
    }
    Ok((text.into_owned(), encoding.name()))
}

/// Byte order mark, then valid UTF-8, then the NULs that UTF-16 shows in ASCII, then what looks like Japanese.
fn encoding(bytes: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    // ISO-2022-JP is all ASCII; only its escapes tell.
    if bytes.is_ascii() && [b"\x1b$B", b"\x1b$@"].iter().any(|mark| bytes.windows(3).any(|w| w == *mark)) {
        return encoding_rs::ISO_2022_JP;
    }
    if std::str::from_utf8(bytes).is_ok() && !bytes.contains(&0) {
        return UTF_8;
    }
    if let Some(encoding) = utf16(bytes) {
        return encoding;
    }
    // A UTF-8 file cut in the middle of a character, or with a few bad bytes, is still UTF-8.
    let lossy = String::from_utf8_lossy(bytes);
    let bad = lossy.matches('\u{fffd}').count();
    if bad * 100 < lossy.chars().count() {
        return UTF_8;
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(Some(b"jp"), chardetng::Utf8Detection::Allow)
}

/// UTF-16 without a byte order mark: the high bytes of kana (30) and of ASCII (00) all stand on one side.
fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let pairs = (bytes.len() / 2).min(4096);
    if pairs < 8 {
        return None;
    }
    let side = |offset: usize| (0..pairs).filter(|i| matches!(bytes[i * 2 + offset], 0x00 | 0x30)).count();
    let (even, odd) = (side(0), side(1));
    if even * 3 > pairs && even > odd * 3 {
        Some(encoding_rs::UTF_16BE)
    } else if odd * 3 > pairs && odd > even * 3 {
        Some(encoding_rs::UTF_16LE)
    } else {
        None
    }
}

fn lines(text: &str) -> Result<Vec<SourceLine>, Stop> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.bytes().filter(|b| matches!(b, b'\n' | b'\r')).count() > LINES {
        return Err(Stop {
            recognised: Vec::new(), line: 0, message: format!("行が多すぎます（上限は{LINES}行）")
        });
    }
    let text = text.replace("\r\n", "\n").replace(['\r', '\u{c}'], "\n");
    Ok(text.split('\n').enumerate().map(|(i, line)| SourceLine { number: i + 1, text: line.to_string() }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "100 ゲームの基礎\n101.1 ふたりで遊ぶ。手札は公開しない。\n101.2 山札が尽きたら負ける。\n";

    fn check(bytes: &[u8], name: &str) {
        let (lines, read) = decode(bytes).unwrap_or_else(|stop| panic!("{name}: {stop:?}"));
        assert_eq!(read, name);
        assert_eq!(lines[1].text, "101.1 ふたりで遊ぶ。手札は公開しない。", "{name}");
        assert_eq!(lines[1].number, 2);
    }

    #[test]
    fn every_encoding_in_use() {
        check(TEXT.as_bytes(), "UTF-8");
        check(format!("\u{feff}{TEXT}").replace('\n', "\r\n").as_bytes(), "UTF-8");
        for (label, name) in [("shift_jis", "Shift_JIS"), ("euc-jp", "EUC-JP"), ("iso-2022-jp", "ISO-2022-JP")] {
            let (bytes, _, _) = Encoding::for_label(label.as_bytes()).unwrap().encode(TEXT);
            check(&bytes, name);
        }
        let units: Vec<u16> = TEXT.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|u| u.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|u| u.to_be_bytes()).collect();
        check(&little, "UTF-16LE");
        check(&big, "UTF-16BE");
        check(&[&[0xff, 0xfe], little.as_slice()].concat(), "UTF-16LE");
    }

    #[test]
    fn what_is_no_text_is_said_to_be_none() {
        for bytes in [
            &b""[..],
            b" \n\n",
            &[0u8; 100],
            b"%PDF-1.7 nothing",
            b"\x7fELF\x02\x01\x01\0\0\0\0\x90\xff\xfe\x01\x02\x03\x04\x05",
        ] {
            let stop = decode(bytes).unwrap_err();
            assert!(!stop.message.is_ascii(), "{stop:?}");
        }
    }
}
