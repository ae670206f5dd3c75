//! `/api`: what can be asked for as data, described for programs.

use serde_json::{Map, Value, json};

/// Address, what it gives, the names in its path, the keys of its query with what they mean.
type Entry = (&'static str, &'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const ENTRIES: [Entry; 17] = [
    ("/games.json", "5つの文書（saitei toc）", &[], &[]),
    (
        "/find.json",
        "言葉・質問・番号で探す（saitei find --json）",
        &[],
        &[("q", "言葉"), ("g", "ゲームの記号"), ("n", "件数")],
    ),
    ("/{game}.json", "目次（saitei toc --json）", &["game"], &[]),
    ("/{game}/all.json", "すべての条文", &["game"], &[]),
    ("/{game}/{clause}.json", "条文、読み方、変更履歴（saitei show --json）", &["game", "clause"], &[]),
    ("/{game}/term.json", "すべての用語", &["game"], &[]),
    ("/{game}/term/{word}.json", "用語（saitei term --json）", &["game", "word"], &[]),
    ("/compare.json", "すべての概念（saitei compare --json）", &[], &[]),
    ("/compare/{concept}.json", "概念をゲームごとに（saitei compare --json）", &["concept"], &[]),
    ("/{game}/readings.json", "読み方の分かれる所（saitei readings --json）", &["game"], &[]),
    ("/{game}/card.json", "すべてのカード", &["game"], &[]),
    ("/{game}/card/{name}.json", "カード（saitei card --json）", &["game", "name"], &[]),
    ("/{game}/rulings.json", "裁定（saitei rulings --json）", &["game"], &[("q", "条文か言葉")]),
    (
        "/run/{ruling}.json",
        "盤面を動かす（saitei run --json）",
        &["ruling"],
        &[
            ("without", "この条文がなければ（何度でも）"),
            ("reading", "C1=b のように（何度でも）"),
            ("set", "A.手札=[…] のように（何度でも）"),
            ("vary", "別の場合の番号"),
            ("why", "1なら決め手をすべて"),
        ],
    ),
    (
        "/play/{board}.json",
        "1手ずつ動かす。裁定かゲーム",
        &["board"],
        &[("a", "答え。選択肢の番号（何度でも、順に）"), ("why", "なぜできないかを聞くカード")],
    ),
    ("/coverage/{game}.json", "条文ごとの網羅（saitei coverage --json）", &["game"], &[]),
    ("/board.json", "書き始めの盤面。POSTなら本文の盤面を動かす", &[], &[("g", "ゲームの記号"), ("from", "裁定")]),
];

/// The description in the words of OpenAPI.
pub fn description() -> Value {
    let mut paths = Map::new();
    for (path, summary, names, keys) in ENTRIES {
        let named =
            names.iter().map(|n| json!({"name": n, "in": "path", "required": true, "schema": {"type": "string"}}));
        let asked = keys
            .iter()
            .map(|(n, what)| json!({"name": n, "in": "query", "description": what, "schema": {"type": "string"}}));
        let parameters: Vec<Value> = named.chain(asked).collect();
        let mut methods = json!({"get": {"summary": summary, "parameters": parameters, "responses": responses()}});
        if path == "/board.json" {
            let text = json!({"text/yaml": {"schema": {"type": "string"}}});
            methods["post"] = json!({"summary": "盤面を動かす", "requestBody": {"required": true, "content": text}, "responses": responses()});
        }
        paths.insert(path.to_string(), methods);
    }
    json!({
        "openapi": "3.1.0",
        "info": {"title": "saitei", "version": env!("CARGO_PKG_VERSION"), "description": "カードゲームの総合ルールと裁定。どのページも、アドレスに .json を付けるとデータになる。項目の名はコマンドの --json と同じ。"},
        "paths": paths,
    })
}

fn responses() -> Value {
    let data = json!({"application/json": {"schema": {}}});
    let error =
        json!({"application/json": {"schema": {"type": "object", "properties": {"error": {"type": "string"}}}}});
    json!({
        "200": {"description": "データ", "content": data},
        "400": {"description": "読めない", "content": error},
        "404": {"description": "ない", "content": error},
    })
}
