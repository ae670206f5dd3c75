//! Every shipped ruling on one screen, and what the engine finds by itself against what the files name.

use std::collections::BTreeMap;

use super::super::screen::{Screen, columns};
use super::*;
use crate::cmd::When;
use crate::desk::run::Played;

fn common() -> Common {
    Common { data: None, color: When::Never, no_pager: true }
}

fn plain() -> Run {
    Run {
        what: Vec::new(),
        without: Vec::new(),
        reading: Vec::new(),
        set: Vec::new(),
        vary: None,
        explore: false,
        why: false,
        trace: false,
        board: false,
        quiet: false,
        json: false,
    }
}

/// Does something with every so manieth shipped ruling; `FULL=1` with all of them.
fn every(nth: usize, mut with: impl FnMut(&Desk)) {
    let nth = if std::env::var_os("FULL").is_some() { 1 } else { nth };
    let library = open::library(&common()).ok().unwrap();
    let mut boards = Boards::open(&common()).ok().unwrap();
    let files: Vec<_> = boards.scenarios().cloned().collect();
    for (path, text) in files.into_iter().step_by(nth) {
        let scenario = boards::board(&path, &text).unwrap_or_else(|f| panic!("{}", f.0));
        let store = boards.store(scenario.book).ok().unwrap();
        with(&Desk { scenario: &scenario, store, library: &library });
    }
}

fn printed(page: &Page, scenario: &Scenario, width: usize) -> String {
    let mut screen = Screen::of_width(width);
    plain().show(page, scenario, &mut screen);
    screen.written().to_string()
}

#[test]
fn the_answer_comes_first_and_no_name_is_broken() {
    every(1, |desk| {
        let page = desk.page(&WhatIf::default(), false).unwrap_or_else(|n| panic!("{n:?}"));
        assert!(page.passed != Some(false), "{}: {:?}", page.file, page.problems);
        answer_first(&page, &printed(&page, desk.scenario, 80));
        whole_names(&page, &printed(&page, desk.scenario, 40));
    });
}

fn answer_first(page: &Page, text: &str) {
    let top: Vec<&str> = text.lines().take(12).collect();
    let top = top.join("\n");
    assert!(top.contains("結論"), "{text}");
    for d in page.deciding.iter().filter(|d| d.named) {
        assert!(top.contains(short(&d.clause)), "{}: {} is not in the first lines\n{text}", page.file, d.clause);
        assert!(!d.without.is_empty() || d.note.is_some(), "{}: nothing is said of {}", page.file, d.clause);
    }
    // The conclusion stands before what decides it.
    if let (Some(said), Some(why)) = (text.find("結論"), text.find("決め手")) {
        assert!(said < why, "{text}");
    }
}

fn whole_names(page: &Page, text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    for line in &lines {
        assert!(columns(line) <= 40, "{}: {line}", page.file);
    }
    for pair in lines.windows(2) {
        let (end, start) = (pair[0].trim_end(), pair[1].trim_start());
        for name in page.whole.iter().filter(|n| columns(n) <= 28) {
            let broken =
                name.char_indices().skip(1).any(|(at, _)| end.ends_with(&name[..at]) && start.starts_with(&name[at..]));
            assert!(!broken, "{}: {name}\n{end}\n{start}", page.file);
        }
    }
}

/// What the engine finds, compared with what the files name. `--nocapture` shows the figures.
#[test]
fn what_decides_is_found() {
    let (mut named, mut found, mut first, mut more, mut rulings) = (0, 0, 0, 0, 0);
    let mut missed: Vec<String> = Vec::new();
    let mut further: BTreeMap<String, usize> = BTreeMap::new();
    let mut common: BTreeMap<String, usize> = BTreeMap::new();
    every(16, |desk| {
        let file = &desk.scenario.file;
        if file.why.is_empty() || file.explore.is_some() {
            return;
        }
        rulings += 1;
        let played: Played = desk.play(&WhatIf::default()).unwrap_or_else(|n| panic!("{n:?}"));
        let hanging = desk.hanging(&played);
        let page = desk.page(&WhatIf::default(), false).unwrap_or_else(|n| panic!("{n:?}"));
        let own: Vec<&Deciding> = page.deciding.iter().filter(|d| d.note.is_none()).collect();
        for d in &own {
            named += 1;
            match hanging.iter().position(|h| h.clause == d.clause) {
                Some(at) => {
                    found += 1;
                    first += usize::from(at < FOUND);
                }
                None => missed.push(format!("{} {}", page.name, d.clause)),
            }
        }
        *common.entry(desk.scenario.book.code().to_string()).or_default() += 1;
        for h in &hanging {
            *common.entry(h.clause.clone()).or_default() += 1;
        }
        for h in hanging.iter().filter(|h| !page.deciding.iter().any(|d| d.clause == h.clause)) {
            more += 1;
            *further.entry(h.clause.clone()).or_default() += 1;
        }
    });
    println!(
        "{rulings} rulings name {named} clauses that can be knocked out; {found} found, {first} among the first {FOUND}"
    );
    println!("{more} further clauses were found; missed: {missed:?}");
    let mut further: Vec<_> = further.into_iter().collect();
    further.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    println!("{:?}", &further[..further.len().min(40)]);
    if std::env::var_os("WRITE").is_some() {
        let lines: String = common.iter().map(|(id, n)| format!("{id}\t{n}\n")).collect();
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/index/common.tsv"), lines).unwrap();
    }
    assert!(found * 20 >= named * 19, "{found} of {named}: {missed:?}");
    assert!(first * 5 >= named * 4, "{first} of {named} among the first {FOUND}");
}

#[test]
fn no_number_is_cut() {
    assert_eq!(clip("できない（nova:902.3 支払えない）", 12), "できない");
    assert_eq!(clip("できない（nova:902.3 支払えない）", 18), "できない（nova:902.3 支払…）");
    assert_eq!(clip("兵（2枚）は変わらない", 6), "兵（2枚）は…");
}

/// A board of the reader's own: `given` and `play` are enough.
const BOARD: &str = "
game: dz
given:
  A: {手札: [砕く一撃], エネルギーゾーン: [赤]}
  squares: {中央/中央: [{敵: 赤の兵, of: B}]}
play:
- A: {プレイ: 砕く一撃, 対象: 敵}
- pass: both
";

fn asked(text: &str, what_if: WhatIf) -> Result<(Page, String), String> {
    let library = open::library(&common()).ok().unwrap();
    let mut boards = Boards::open(&common()).ok().unwrap();
    let scenario = boards::board("x.yaml".as_ref(), text).map_err(|f| f.0)?;
    let store = boards.store(scenario.book).map_err(|f| f.0)?;
    let desk = Desk { scenario: &scenario, store, library: &library };
    let page = desk.page(&what_if, false).map_err(|n| boards::failure(&scenario, &n).0)?;
    let text = printed(&page, &scenario, 80);
    Ok((page, text))
}

#[test]
fn a_board_needs_no_answer() {
    let (page, text) = asked(BOARD, WhatIf::default()).unwrap();
    assert!(text.contains("敵は破壊されてBの墓地に置かれた"), "{text}");
    assert!(!page.deciding.is_empty() && page.deciding.iter().all(|d| !d.without.is_empty() && !d.text.is_empty()));
    assert_eq!(page.passed, None);
    // What cannot be done is an answer, with its clause.
    let (page, text) = asked(&BOARD.replace("[赤]}", "[]}"), WhatIf::default()).unwrap();
    let said = "Aが砕く一撃をプレイする（対象: 敵）ことはできない（dz:4.7.2-8 コストを支払えない）。";
    assert_eq!(page.conclusion[0], said, "{text}");
    assert!(page.problems.is_empty());
}

fn page(text: &str) -> Page {
    asked(text, WhatIf::default()).unwrap_or_else(|why| panic!("{why}\n{text}")).0
}

#[test]
fn what_matters_is_said_first() {
    let attack = "game: zx\ngiven: {squares: {中央/中央: [{私: 白の戦士, of: A}]}}\nplay: [A: {攻撃: 私}, pass: all]\n";
    assert_eq!(page(attack).conclusion[..2], ["Bのライフは4枚から3枚になった。", "私はスリープになった。"]);
    let trap = "game: ygo\ngiven: {A: {手札: [強い兵]}, B: {魔法&罠ゾーン1: [{罠: 火炎の罠, state: 裏}]}}\nplay: [A: {召喚: 強い兵}, B: {発動: 罠}, pass: all]\n";
    assert_eq!(page(trap).conclusion[0], "AのLP 8000 → 7000、BのLP 8000 → 7000。");
    let strike = "game: msd\ngiven: {A: {手札: [一撃], 魔法少女ゾーン: [光の少女]}, B: {怪異ゾーン: [影の獣]}}\nplay: [A: {発動: 一撃, 対象: 影の獣}, pass: all]\n";
    assert_eq!(page(strike).conclusion[..2], ["影の獣は破壊されてBの墓地に置かれた。", "Aは1枚引いた。"]);
    // That the spell goes to the graveyard is known, and stands last.
    let fire = "game: nova\ngiven: {A: {手札: [火球], エナジーゾーン: [赤, 赤, 赤]}, B: {場: [{敵: 壁}]}}\nplay: [A: {プレイ: 火球, 対象: 敵}, pass: all]\n";
    let found = page(fire);
    assert_eq!(found.conclusion[0], "敵のダメージは0から300になった。");
    assert_eq!(found.deciding[0].clause, "nova:916.1");
    let tidy = found.deciding.iter().find(|d| d.clause == "nova:804.3.2").expect("it is found");
    assert!(tidy.routine && found.shown(false, FOUND) < found.deciding.len());
    // A battle that goes on is told, and the clause that began it.
    let battle = "game: dz\ngiven: {squares: {中央/自軍: [{私: 赤の兵, of: A}], 中央/中央: [{敵: 黒の兵, of: B}]}}\nplay: [A: {移動: 私, to: 中央/中央}, pass: all]\n";
    assert!(page(battle).conclusion.concat().contains("敵と私のバトルが続いている（第１バトルステップ）"));
    assert_eq!(page(battle).deciding[0].clause, "dz:4.16.4-3");
}

#[test]
fn slips_of_the_script_do_not_hide_the_answer() {
    let fell = "game: zx\ngiven: {A: {手札: [破壊する指示]}, squares: {中央/敵軍: [{敵: 白の戦士, of: B}]}}\nplay:\n- A: {プレイ: 破壊する指示, 対象: 敵}\n- pass: all\n";
    let found = page(fell);
    assert_eq!(found.conclusion[0], "敵は破壊されてBのチャージに置かれた。");
    assert!(found.problems.is_empty() && found.remarks[0].contains("5行目") && found.remarks[0].contains("要りません"));
    // Nobody is asked anything in the phase, and it has begun all the same.
    let over = "game: zx\ngiven: {squares: {中央/中央: [{私: 白の戦士, of: A}]}}\nplay: [A: {攻撃: 私}, until: エンドフェイズ]\n";
    let found = page(over);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    assert!(found.after.as_ref().is_some_and(|b| b.turn == 4 && b.active == "B"), "{:?}", found.after);
    let face = "game: ygo\ngiven: {A: {手札: [強い兵]}, B: {魔法&罠ゾーン1: [火炎の罠]}}\nplay: [A: {召喚: 強い兵}, B: {発動: 火炎の罠}]\n";
    assert!(page(face).remarks.iter().any(|r| r.contains("「裏」ならできます")), "{:?}", page(face).remarks);
    let slot = "game: ygo\ngiven: {turn: {phase: バトルフェイズ}, A: {モンスターゾーン1: [強い兵]}, B: {モンスターゾーン1: [弱い兵]}}\nplay: [A: {攻撃: 強い兵, 対象: 弱い兵}, pass: all]\n";
    let found = page(slot);
    assert_eq!(found.conclusion[0], "BのLPは8000から7100になった。");
    assert!(found.problems[0].text.contains("鍵は「攻撃対象」です"), "{:?}", found.problems);
}

#[test]
fn what_does_not_happen_is_told_with_its_reason() {
    let gone = "game: zx\ncards:\n- name: 戻して眠らせる術\n  data: {種類: イベント, コスト: 0}\n  abilities:\n  - do: [{choose: {of: {cards: {is: ゼクス}}}}, {move: {what: 対象, to: 手札}}, {turn: {what: 対象, state: スリープ}}]\ngiven:\n  A: {手札: [戻して眠らせる術]}\n  squares: {中央/敵軍: [{敵: 白の戦士, of: B}]}\nplay: [A: {プレイ: 戻して眠らせる術, 対象: 敵}]\n";
    let found = page(gone);
    let told = |t: &crate::desk::story::Told| t.text.contains("敵はもう元の所にない") && t.clause.is_some();
    assert!(found.story.iter().any(told), "{:?}", found.story);
    // How a card lies with another is said.
    let sword = "game: nova\ngiven: {A: {手札: [剣], エナジーゾーン: [赤, 赤, 赤], 場: [{兵: 中兵}]}}\nplay: [A: {プレイ: 剣, 対象: 兵}, pass: all]\n";
    assert!(page(sword).conclusion.concat().contains("兵の装備になった"), "{:?}", page(sword).conclusion);
}

#[test]
fn switches_are_honest() {
    let without = |c: &str| WhatIf { without: vec![c.into()], ..WhatIf::default() };
    let reading = |id: &str, key: &str| WhatIf { readings: vec![(id.into(), key.into())], ..WhatIf::default() };
    let set = |path: &str| WhatIf { set: vec![(path.into(), "1".into())], ..WhatIf::default() };
    let refused = [
        (without("99.9.9"), "この条文はありません（近い条文: "),
        (without("応酬"), "条文の番号を書いてください"),
        (reading("C999", "a"), "「C999」という読みはありません"),
        (reading("C4", "z"), "C4 の読みは a・b"),
        (set("敵陣.ダメージ"), "「敵陣」は見つかりません"),
        (WhatIf { vary: Some(0), ..WhatIf::default() }, "1つもありません"),
    ];
    for (what_if, expected) in refused {
        let said = asked(BOARD, what_if).err().unwrap_or_default();
        assert!(said.contains(expected), "{said}\n≠ {expected}");
    }
    let (page, text) = asked(BOARD, without("3.12.4-1")).unwrap();
    assert!(text.contains("通っていません"), "{text}");
    assert!(text.contains("元の盤面と結果は変わりません") && page.differences.is_empty(), "{text}");
    let (_, text) = asked(&format!("title: 砕かれる\n{BOARD}"), set("敵.ダメージ")).unwrap();
    assert!(text.contains("敵.ダメージ が 1 なら") && !text.contains("砕かれる"), "{text}");
}
