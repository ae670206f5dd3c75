//! QR codes, drawn here.

use qrcode::{Color, EcLevel, QrCode};

fn code(text: &str) -> Option<QrCode> {
    QrCode::with_error_correction_level(text.as_bytes(), EcLevel::L).ok()
}

/// A picture with the quiet zone that readers need.
pub fn svg(text: &str) -> Option<String> {
    let code = code(text)?;
    let width = code.width();
    let side = width + 8;
    let mut path = String::new();
    for (at, colour) in code.to_colors().into_iter().enumerate() {
        if colour == Color::Dark {
            path.push_str(&format!("M{} {}h1v1h-1z", at % width + 4, at / width + 4));
        }
    }
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">\
         <rect width=\"{side}\" height=\"{side}\" fill=\"#fff\"/><path d=\"{path}\" fill=\"#000\"/></svg>\n"
    ))
}

/// For a terminal: two rows in a line, dark on light whatever the colours of the terminal are.
pub fn lines(text: &str) -> Vec<String> {
    let Some(code) = code(text) else { return Vec::new() };
    let width = code.width() as i32;
    let colours = code.to_colors();
    let light = |x: i32, y: i32| {
        !(0..width).contains(&x) || !(0..width).contains(&y) || colours[(y * width + x) as usize] == Color::Light
    };
    let row = |y: i32| {
        let cell = |x: i32| match (light(x, y), light(x, y + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        };
        (-2..width + 2).map(cell).collect::<String>()
    };
    (-2..width + 2).step_by(2).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_its_finders() {
        let svg = svg("http://192.168.1.7:8750/zx/905.1").unwrap();
        // The corner squares begin behind the quiet zone.
        assert!(svg.contains("M4 4h1v1h-1zM5 4h1v1h-1zM6 4h1v1h-1zM7 4h1v1h-1zM8 4h1v1h-1zM9 4h1v1h-1zM10 4h1v1h-1z"));
        assert!(super::svg(&"x".repeat(4_000)).is_none());
        assert!(lines("http://127.0.0.1:8750/").len() > 12);
    }
}
