//! A publisher's PDF: text in a Japanese font, line by line, page by page with page numbers.

use std::fmt::Write;
use std::path::Path;

use saitei::import::{self, SourceLine};
use saitei::stock::rules;
use saitei::text::library::pack;
use saitei::text::{Game, Library};

/// A PDF that shows these pages, each line at its own height, every character by its UTF-16 code.
fn pdf(pages: &[Vec<String>]) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len()).map(|i| format!("{} 0 R", 6 + i * 2)).collect();
    let cmap = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def /CMapType 2 def \
        1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0000> <FFFF> <0000> endbfrange \
        endcmap CMapName currentdict /CMap defineresource pop end end";
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_string(),
        format!("<< /Type /Pages /Count {} /Kids [{}] >>", pages.len(), kids.join(" ")),
        "<< /Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>"
            .to_string(),
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Mincho /DW 1000 \
            /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> \
            /FontDescriptor << /Type /FontDescriptor /FontName /Mincho /Flags 4 >> >>"
            .to_string(),
        stream(cmap),
    ];
    for (i, page) in pages.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R /Resources << /Font << /F 3 0 R >> >> >>",
            7 + i * 2
        ));
        let mut content = String::new();
        for (row, line) in page.iter().enumerate() {
            let codes: String = line.encode_utf16().map(|u| format!("{u:04X}")).collect();
            writeln!(content, "BT /F 10 Tf 1 0 0 1 50 {} Tm <{codes}> Tj ET", 800 - row * 16).unwrap();
        }
        objects.push(stream(&content));
    }
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (i, object) in objects.iter().enumerate() {
        places.push(out.len());
        out.extend(format!("{} 0 obj\n{object}\nendobj\n", i + 1).into_bytes());
    }
    let start = out.len();
    let rows: String = places.iter().map(|at| format!("{at:010} 00000 n \n")).collect();
    let size = objects.len() + 1;
    let end = format!(
        "xref\n0 {size}\n0000000000 65535 f \n{rows}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    out.extend(end.into_bytes());
    out
}

fn stream(content: &str) -> String {
    format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len())
}

fn library() -> Library {
    let (drafts, _) = rules::load(env!("CARGO_MANIFEST_DIR").as_ref());
    Library::open(pack(&drafts).leak())
}

fn document(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents").join(name)).unwrap()
}

#[test]
fn a_pdf_is_read_like_its_text() {
    let library = library();
    let game = Game::from_code("msd").unwrap();
    let text = document("msd.txt");
    // What only a text extraction leaves behind is not in a PDF.
    let clean: Vec<String> = text
        .lines()
        .map(|l| l.split("|>").last().unwrap_or_default().to_string())
        .filter(|l| !l.trim().is_empty())
        .collect();
    let mut pages: Vec<Vec<String>> = clean.chunks(20).map(<[String]>::to_vec).collect();
    for (i, page) in pages.iter_mut().enumerate() {
        page.push((i + 1).to_string());
    }
    let bytes = pdf(&pages);
    let (read, form) = import::read(&library, game, &bytes).unwrap_or_else(|stop| panic!("{stop:?}"));
    assert_eq!(form, "PDF");
    let lines: Vec<SourceLine> =
        text.lines().enumerate().map(|(i, l)| SourceLine { number: i + 1, text: l.to_string() }).collect();
    let expected = import::msd::read(&lines).unwrap();
    let ids = |o: &import::Official| o.nodes.iter().map(|n| n.id.to_string()).collect::<Vec<_>>();
    assert_eq!(ids(&read), ids(&expected));
    assert_eq!(read.edition, expected.edition);
}

#[test]
fn a_damaged_pdf_is_refused_in_japanese() {
    let library = library();
    let whole = pdf(&[vec!["101. 概要".to_string(), "101.1. 試し。".to_string()]]);
    for cut in [9, 20, whole.len() / 4, whole.len() / 2, whole.len() - 30] {
        let mut damaged = whole[..cut].to_vec();
        if let Some(byte) = damaged.get_mut(cut / 2) {
            *byte = 0xff;
        }
        for game in Game::ALL {
            if let Err(stop) = import::read(&library, game, &damaged) {
                assert!(!stop.message.is_ascii(), "{stop:?}");
            }
        }
    }
}
