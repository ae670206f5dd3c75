//! The desk as its user meets it: boards asked, games played, decks judged.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

struct Run {
    code: i32,
    out: String,
    err: String,
}

fn saitei_with(dir: &Path, args: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_saitei"))
        .args(args)
        .current_dir(dir)
        .env("SAITEI_HOME", dir.join("home"))
        .env_remove("SAITEI_DATA")
        .env_remove("SAITEI_GAME")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_string();
    // Fed from beside, so that neither waits for the other.
    let feeding = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    Run {
        code: output.status.code().expect("the program ends by itself"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn saitei(args: &[&str]) -> Run {
    let dir = tempfile::tempdir().unwrap();
    saitei_with(dir.path(), args, "")
}

const BOARD: &str = "\
game: dz
given:
  A: {手札: [砕く一撃], エネルギーゾーン: [赤]}
  squares: {中央/中央: [{敵: 赤の兵, of: B}]}
play:
- A: {プレイ: 砕く一撃, 対象: 敵}
- pass: both
";

#[test]
fn a_board_is_asked_from_standard_input() {
    let dir = tempfile::tempdir().unwrap();
    let run = saitei_with(dir.path(), &["run", "-"], BOARD);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("敵は破壊されてBの墓地に置かれた"), "{}", run.out);
    assert!(run.out.contains("決め手"), "{}", run.out);
    // The same board again gives the same bytes.
    assert_eq!(run.out, saitei_with(dir.path(), &["run", "-"], BOARD).out);
    let json = saitei_with(dir.path(), &["run", "-", "--json"], BOARD);
    let page: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert!(page["deciding"][0]["without"][0].is_string(), "{page}");
}

#[test]
fn rulings_are_found_by_what_a_person_types() {
    for typed in [&["run", "dz:R1", "-q"][..], &["run", "dz", "R1", "-q"], &["run", "DZ:r1", "-q"]] {
        let run = saitei(typed);
        assert!(run.code == 0 && run.out.starts_with("dz:R1 "), "{typed:?}: {}{}", run.out, run.err);
    }
    let listed = saitei(&["rulings", "zx", "902.1"]);
    assert!(listed.out.contains("zx:R") && listed.out.contains("決め手 902.1"), "{}{}", listed.out, listed.err);
    let words = saitei(&["rulings", "zx", "リロード"]);
    assert!(words.code == 0 && words.out.contains("リロード"), "{}", words.out);
    assert_eq!(saitei(&["rulings", "zx", "そんな裁定"]).code, 1);
    let cited = saitei(&["show", "dz:R1", "--cite"]);
    assert!(
        cited.out.starts_with("【ディメンション・ゼロ 総合ルール") && cited.out.contains("裁定 dz:R1"),
        "{}",
        cited.out
    );
    assert!(saitei(&["readings", "zx"]).out.contains("別の読み b"));
    let unknown = saitei(&["run", "zx:R99999"]);
    assert!(unknown.code == 2 && unknown.err.contains("saitei rulings"), "{}", unknown.err);
}

#[test]
fn new_boards_run_and_nothing_is_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    for game in ["dz", "msd", "zx", "nova", "ygo"] {
        let file = format!("{game}.yaml");
        let made = saitei_with(dir.path(), &["new", game, &file], "");
        assert_eq!(made.code, 0, "{}", made.err);
        let run = saitei_with(dir.path(), &["run", &file], "");
        assert_eq!(run.code, 0, "{game}: {}{}", run.out, run.err);
        // Every word of a board of this game stands in it, and in the guide every act.
        let text = fs::read_to_string(dir.path().join(&file)).unwrap();
        let schema = saitei::game::book(game).unwrap().schema();
        let zones = schema.zones.iter().map(|z| z.name).filter(|z| *z != saitei::kernel::schema::LIMBO);
        let shared = |z: &&str| schema.zone(z, None).is_none() || schema.spec(schema.zone(z, None).unwrap()).board;
        let words =
            zones.filter(shared).chain(schema.words.phases.iter().copied()).chain(schema.states.iter().copied());
        for word in words.chain(schema.customs.verbs.iter().copied()) {
            assert!(text.contains(word), "{game}: {word}\n{text}");
        }
        let guide = include_str!("../rulings/README.md");
        let row = guide.lines().find(|l| l.starts_with(&format!("| {game} "))).unwrap_or_default();
        for verb in schema.customs.verbs {
            assert!(row.contains(verb), "rulings/README.md, {game}: {verb}");
        }
        assert!(run.out.contains("盤面は変わらない"), "{}", run.out);
        let again = saitei_with(dir.path(), &["new", game, &file], "");
        assert!(again.code == 2 && again.err.contains("もうあります"), "{}", again.err);
    }
    let from = saitei_with(dir.path(), &["new", "dz", "--from", "dz:R1"], "");
    fs::write(dir.path().join("from.yaml"), &from.out).unwrap();
    assert!(!from.out.contains("expect:") && from.out.contains("play:"), "{}", from.out);
    assert_eq!(saitei_with(dir.path(), &["run", "from.yaml"], "").code, 0);
}

/// Plays by lines alone to the end of a game with small decks: acts, choices, take-backs, passes.
fn whole_game(game: &str, given: &str) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("start.yaml"), format!("game: {game}\ngiven:\n{given}play: []\n")).unwrap();
    // Numbers act or choose, u takes back, an empty line passes; what is no answer is refused and changes nothing.
    let some = ["2", "1", "u", "", "2", "1 2", "", "u", "u", "3", "1", "はい", ""];
    let mut lines: String = some.iter().cycle().take(39).map(|l| format!("{l}\n")).collect();
    lines.push_str(&"\n1\n".repeat(45));
    lines.push_str("w\nb\ns played.yaml\nq\n");
    let run = saitei_with(dir.path(), &["play", "start.yaml"], &lines);
    let tail: String =
        run.out.lines().rev().take(30).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("\n");
    assert_eq!(run.code, 0, "{game}: {}\n{tail}", run.err);
    let over = |line: &str| ["Aの勝ち", "Bの勝ち", "引き分け"].contains(&line);
    assert!(run.out.lines().any(over), "{game} does not end\n{tail}");
    assert!(run.out.contains("played.yaml を書きました"), "{game}: {tail}");
    // What was saved runs to the same end, and again to the same bytes.
    let last = run.out.lines().rev().find(|l| l.starts_with('第')).unwrap_or_default().to_string();
    let again = saitei_with(dir.path(), &["run", "played.yaml", "--board"], "");
    assert_eq!(again.code, 0, "{game}: {}{}", again.out, again.err);
    let end = again.out.split("終わり").nth(1).unwrap_or_default();
    assert!(end.contains(&last), "{game}: {last}\n{}", again.out);
    assert_eq!(again.out, saitei_with(dir.path(), &["run", "played.yaml", "--board"], "").out);
}

#[test]
fn whole_games_are_played_and_saved() {
    whole_game(
        "dz",
        "  A: {手札: [赤の兵, 青の兵, 砕く一撃], エネルギーゾーン: [赤, 赤], 山札: [2]}\n  B: {手札: [黒の兵], 山札: [2]}\n",
    );
    whole_game("zx", "  A: {手札: [赤の戦士, 青の戦士], デッキ: [2]}\n  B: {手札: [白の戦士], デッキ: [2]}\n");
    whole_game(
        "nova",
        "  A: {手札: [中兵], デッキ: [1], エナジーゾーン: [赤, 赤]}\n  B: {手札: [中兵], デッキ: [1]}\n",
    );
    whole_game("msd", "  A: {手札: [光の少女], デッキゾーン: [2]}\n  B: {手札: [光の少女], デッキゾーン: [2]}\n");
    whole_game("ygo", "  A: {手札: [弱い兵, 強い兵], デッキ: [2]}\n  B: {手札: [弱い兵], デッキ: [2]}\n");
}

/// Questions as players ask them, each with the ruling that answers it.
#[test]
fn rulings_that_answer_stand_first() {
    use saitei::search::{Filter, Searcher, bundle::Bundle, index};
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (drafts, _) = saitei::stock::rules::load(root);
    let library = saitei::text::Library::open(saitei::text::library::pack(&drafts).leak());
    let bundle = Bundle::trusted(index::build(&library, &|_, _| None).unwrap().leak()).unwrap();
    let searcher = Searcher::open(&library, bundle).unwrap();
    let asked: Vec<(&str, &str)> =
        include_str!("desk/asked.tsv").lines().filter_map(|line| line.split_once('\t')).collect();
    let (mut first, mut missed) = (0, Vec::new());
    for (id, question) in &asked {
        let game = saitei::text::Game::from_name(id.split(':').next().unwrap()).unwrap();
        let filter = Filter { games: vec![game], ..Filter::default() };
        let answer = searcher.find(question, &filter).unwrap();
        let hits: Vec<_> = answer.hits.iter().map(|h| library.shelf(h.game).id(h.position)).collect();
        let found = saitei::desk::rulings::answering(&library, &[game], question, &hits);
        match found.first() {
            Some(ruling) if ruling.id == *id => first += 1,
            other => missed.push(format!("{question} → {} ({id})", other.map_or("", |r| &r.id))),
        }
    }
    println!("{first} of {}\n{}", asked.len(), missed.join("\n"));
    assert!(asked.len() >= 100 && first * 100 >= asked.len() * 60, "{first} of {}\n{}", asked.len(), missed.join("\n"));
}

#[test]
fn an_act_that_is_only_too_early_says_when() {
    let dir = tempfile::tempdir().unwrap();
    for (game, given, act, when) in [
        (
            "nova",
            "{turn: {phase: 第1メインフェイズ}, A: {場: [{甲: 中兵}]}}",
            "{攻撃: 甲, 攻撃目標: B}",
            "- until: 攻撃宣言",
        ),
        (
            "msd",
            "{turn: {phase: コールフェイズ}, A: {手札: [光の少女]}}",
            "{コール: 光の少女, 方法: 表向き}",
            "start: true",
        ),
    ] {
        let board = format!("game: {game}\ngiven: {given}\nplay:\n- A: {act}\n");
        let run = saitei_with(dir.path(), &["run", "-"], &board);
        assert!(run.out.contains("できないのは今だけ") && run.out.contains(when), "{game}: {}{}", run.out, run.err);
    }
    // An act may lead there.
    let board = "game: ygo\ngiven: {A: {モンスターゾーン1: [{攻: 強い兵}]}}\nplay:\n- A: {攻撃: 攻}\n";
    let run = saitei_with(dir.path(), &["run", "-"], board);
    assert!(run.out.contains("「- A: バトルフェイズ」「- until: バトルステップ」と書くとできます"), "{}", run.out);
    // What can never be done does not say so.
    let run = saitei_with(dir.path(), &["run", "-"], &BOARD.replace("[赤]}", "[]}"));
    assert!(run.out.contains("できない") && !run.out.contains("今だけ"), "{}", run.out);
}

#[test]
fn what_is_refused_at_its_own_moment_too_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let beasts = "{怪異ゾーン: [{獣: 影の獣}]}, B: {怪異ゾーン: [{裏: 影の獣, state: リバース}]}";
    let board = format!(
        "game: msd\ngiven: {{turn: {{phase: バトルフェイズ}}, A: {beasts}}}\nplay:\n- A: {{攻撃: 獣, 攻撃目標: B}}\n"
    );
    let run = saitei_with(dir.path(), &["run", "-"], &board);
    let said = "攻撃宣言になってもできません（msd:803.3b";
    assert!(run.out.contains(said), "{}{}", run.out, run.err);
    // What cannot be paid says what it costs.
    let run = saitei_with(dir.path(), &["run", "-"], &BOARD.replace("[赤]}", "[]}"));
    assert!(run.out.contains("砕く一撃の使用コストは赤1"), "{}{}", run.out, run.err);
    // And does not say that it could not be done at another time either; cards without a name pay nothing.
    let run = saitei_with(dir.path(), &["run", "-"], &BOARD.replace("[赤]}", "[3]}"));
    assert!(!run.out.contains("になっても") && run.out.contains("名のないカードには色も"), "{}{}", run.out, run.err);
}

/// Whose charge is one too many has to choose.
const CHARGE: &str = "game: zx\ngiven: {B: {チャージ: [4]}, squares: {中央/中央: [{私: 白の戦士, of: A}], 中央/敵軍: [{敵: 弱い戦士, of: B}]}}\ncards:\n- {name: 弱い戦士, data: {種類: ゼクス, コスト: 1, パワー: 500}}\nplay:\n- A: {攻撃: 私}\n- pass: all\n";

#[test]
fn slips_of_a_board_are_told_by_what_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let zero = "{種類: 通常モンスター, レベル: 1, 属性: 闇, 種族: 悪魔族, 攻撃力: 0, 守備力: 0}";
    for (board, said) in [
        (BOARD.replace("プレイ: 砕く", "アタック: 砕く"), "「アタック」という行動はありません（使えるもの: プレイ"),
        (BOARD.replace("プレイ: 砕く一撃", "プレイ: 白の兵"), "「白の兵」は盤面にありません"),
        (BOARD.replace("対象: 敵}", "対象: 敵, 支配: 敵}"), "答え「支配: 敵」は問われませんでした"),
        (CHARGE.into(), "手順に「- B: {チャージ超過: …}」と書き足してください"),
        (CHARGE.replace("私}", "私, チャージ超過: 敵}"), "問われたのはBです。「- B: {チャージ超過: 敵}」"),
        ("game: ygo\ngiven: {}\nplay: [until: メインフェイズ２]\n".into(), "その間にあったのは"),
        ("game: ygo\ncards:\n- {name: 零, data: モンスター}\ngiven: {}\nplay: []\n".into(), "「data」には"),
        (
            "game: nova\ncards:\n- {name: 兵, data: {種類: サーバント}, abilities: [{do: [{drow: 1}]}]}\ngiven: {}\nplay: []\n"
                .into(),
            "攻撃力、体力が要ります",
        ),
        (
            format!(
                "game: ygo\ncards:\n- {{name: 零, data: {zero}}}\ngiven: {{turn: {{phase: バトルフェイズ}}, A: {{モンスターゾーン1: [{{甲: 零}}]}}, B: {{モンスターゾーン1: [{{乙: 零}}]}}}}\nplay: [A: {{攻撃: 甲, 攻撃対象: 乙}}, pass: all]\n"
            ),
            "甲、乙は変わらない。",
        ),
    ] {
        let run = saitei_with(dir.path(), &["run", "-"], &board);
        assert!(run.out.contains(said) || run.err.contains(said), "{said}: {}{}", run.out, run.err);
    }
}

#[test]
fn why_not_is_answered_with_a_clause() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("b.yaml"), BOARD.replace("[赤]}", "[]}")).unwrap();
    let run = saitei_with(dir.path(), &["play", "b.yaml"], "?砕く\nu\nq\n");
    assert!(run.out.contains("（dz:"), "{}", run.out);
    assert!(run.out.contains("ここが始まりです"), "{}", run.out);
    let run = saitei_with(dir.path(), &["play", "b.yaml"], "?起動\nスマッシュ\nq\n");
    assert!(run.out.contains("起動はできません: "), "{}", run.out);
    assert!(run.out.contains("「スマッシュ」は今できません（なぜかは ?スマッシュ）"), "{}", run.out);
}

#[test]
fn boards_are_named_as_they_are_typed() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("b.yaml"), BOARD).unwrap();
    for typed in [&["run", "b"][..], &["run", "ｄｚ：Ｒ８７"], &["run", "dz", "R87"], &["new", "dz", "--from", "R87"]]
    {
        let run = saitei_with(dir.path(), typed, "");
        assert!(run.code == 0, "{typed:?}: {}{}", run.out, run.err);
    }
    let run = saitei_with(dir.path(), &["run", "c.yaml"], "");
    assert!(run.err.contains("「c.yaml」というファイルはありません（「b.yaml」ですか）"), "{}", run.err);
}

#[test]
fn decks_are_judged_by_their_clauses() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("deck.txt");
    let names = ["赤の兵", "青の兵", "黒の兵", "白の兵", "緑の兵"];
    let list: String = names.iter().map(|n| format!("8 {n}\n")).collect();
    fs::write(&file, &list).unwrap();
    let run = saitei_with(dir.path(), &["deck", "dz", "deck.txt"], "");
    assert!(
        run.code == 1 && run.out.contains("不合格") && run.out.contains("は3枚まで（8枚ある）（dz:3.1.1）"),
        "{}{}",
        run.out,
        run.err
    );
    fs::write(&file, "40 誰も知らない札\n").unwrap();
    let run = saitei_with(dir.path(), &["deck", "dz", "deck.txt"], "");
    assert!(run.code == 1 && run.out.contains("知らないカード: 誰も知らない札"), "{}", run.out);
    for (game, clause) in [("msd", "msd:402.2"), ("zx", "zx:401.6"), ("nova", "nova:006.1.2"), ("ygo", "ygo:2.1.0.3")] {
        let run = saitei_with(dir.path(), &["deck", game, "deck.txt"], "");
        assert!(run.code == 1 && run.out.contains(clause), "{game}: {}{}", run.out, run.err);
    }
}

#[test]
fn every_ruling_has_an_id_of_its_own() {
    let (drafts, _) = saitei::stock::rules::load(Path::new(env!("CARGO_MANIFEST_DIR")));
    for draft in &drafts.games {
        let code = draft.game.code();
        let mut ids: Vec<u32> = Vec::new();
        let next = || draft.rulings.iter().filter_map(|r| number(&r.id)).max().unwrap_or(0) + 1;
        for ruling in &draft.rulings {
            let n = number(&ruling.id).filter(|_| ruling.id.starts_with(&format!("{code}:R")));
            let n =
                n.unwrap_or_else(|| panic!("{}: 「id: {code}:R{}」を初めの行に書いてください", ruling.path, next()));
            assert!(
                !ids.contains(&n),
                "{}: {} はもう使われています（次は {code}:R{}）",
                ruling.path,
                ruling.id,
                next()
            );
            ids.push(n);
        }
    }
}

fn number(id: &str) -> Option<u32> {
    id.split_once(":R")?.1.parse().ok()
}
