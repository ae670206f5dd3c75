//! The text of a PDF.

use std::sync::OnceLock;

use super::official::Stop;
use crate::text::caught::caught;

/// The largest PDF that is read. Those of the five documents have a few MB.
pub const LARGEST: usize = 64 << 20;

/// Why there is no text.
pub const UNREADABLE: i32 = 3;
pub const LOCKED: i32 = 4;

/// Reads the text of a PDF, or says why not.
pub type Reader = fn(&[u8]) -> Result<String, String>;

/// How PDFs of strangers are read. Without it they are read right here, which only trusted ones should be.
pub static READER: OnceLock<Reader> = OnceLock::new();

/// The text layer of a PDF.
pub fn text(bytes: &[u8]) -> Result<String, Stop> {
    let text = match READER.get() {
        Some(read) => read(bytes),
        None => extract(bytes).map_err(|code| why(Some(code)).to_string()),
    };
    let stop = |message| Stop { recognised: vec!["PDFの先頭".to_string()], line: 0, message };
    match text {
        Ok(text) if text.trim().is_empty() => {
            Err(stop("PDFに文字がありません（画像だけのPDFは読めません）".to_string()))
        }
        Ok(text) => Ok(text),
        Err(message) => Err(stop(message)),
    }
}

pub fn why(code: Option<i32>) -> &'static str {
    match code {
        Some(LOCKED) => "パスワードの付いたPDFは読めません",
        Some(UNREADABLE) => "PDFが壊れていて、文字を取り出せません",
        _ => "PDFが壊れているか、大きすぎて、文字を取り出せません",
    }
}

/// The extractor panics on some damaged files.
pub fn extract(bytes: &[u8]) -> Result<String, i32> {
    let extracted = caught(|| pdf_extract::extract_text_from_mem(bytes)).map_err(|_| UNREADABLE)?;
    extracted.map_err(|error| {
        let locked = ["ncrypt", "assword", "ecrypt"].iter().any(|word| error.to_string().contains(word));
        if locked { LOCKED } else { UNREADABLE }
    })
}
