//! The pages: every address, what is hostile, a real socket, a real browser.

#[path = "web/addresses.rs"]
mod addresses;
#[path = "web/browser.rs"]
mod browser;
#[path = "web/hostile.rs"]
mod hostile;
#[path = "web/socket.rs"]
mod socket;

use std::sync::OnceLock;

use saitei::web::{House, Request, Response};

const HOST: &str = "127.0.0.1:8750";

fn house() -> &'static House<'static> {
    static HOUSE: OnceLock<House<'static>> = OnceLock::new();
    HOUSE.get_or_init(|| saitei::cmd::serve::embedded().expect("a house"))
}

/// Asks for an address, query and all.
fn get(address: &str) -> Response {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    house().respond(&Request { method: "GET", path, query, host: HOST, ..Request::default() })
}

fn text(response: &Response) -> String {
    String::from_utf8(response.body.clone()).expect("text")
}

/// The page at an address that must be there.
fn page(address: &str) -> String {
    let response = get(address);
    assert_eq!(response.status, 200, "{address}: {}", text(&response));
    text(&response)
}

fn data(address: &str) -> serde_json::Value {
    serde_json::from_str(&page(address)).unwrap_or_else(|e| panic!("{address}: {e}"))
}

fn post(body: &str) -> Response {
    let request = Request { method: "POST", path: "/board", body: body.as_bytes(), host: HOST, ..Request::default() };
    house().respond(&request)
}

/// As a page writes a text.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A board that never ends, of our own making.
const ENDLESS: &str = "
game: dz
cards:
- name: 増える兵
  data: {種族: 兵, 分類: ユニット, 使用コスト: 無色0, 移動コスト: 無色0, パワー: 1000, スマッシュ: 1, タイミング: ノーマル}
  abilities:
  - kind: 誘発
    when: [{event: ダメージ, card: {ref: this}}]
    do:
    - grant: {what: this, changes: [{add: [パワー, 1000]}]}
    - damage: {what: this, amount: 1}
- name: 火
  data: {分類: ストラテジー, 使用コスト: 無色0, タイミング: ノーマル}
  abilities:
  - do: [{damage: {all: {is: ユニット}, amount: 1}}]
given:
  A: {手札: [火]}
  squares: {中央/自軍: [{兵: 増える兵, of: A}]}
play:
- A: {プレイ: 火}
- pass: all
";
