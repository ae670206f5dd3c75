//! `cargo bench --bench engine`: acts per second of random play, scenarios per second, and what an exploration costs.

use std::path::{Path, PathBuf};
use std::time::Instant;

use saitei::scenario::{Case, Ready, Scenario, Store, explore_all, holds};

#[path = "../random_play/mod.rs"]
mod random_play;

/// An argument names the one part that is wanted, a second how many duels, a third of which game:
/// `cargo bench --bench engine -- 対戦 200 zx`.
fn main() {
    let wanted = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    // The peak of memory only grows: exploring comes before all rulings are read.
    let parts: [(&str, fn()); 3] = [("対戦", duels), ("探索", exploration), ("裁定", scenarios)];
    for (_, part) in parts.iter().filter(|(name, _)| wanted.as_ref().is_none_or(|w| w == name)) {
        part();
    }
}

fn duels() {
    duels_of("dz", random_play::play);
    duels_of("msd", random_play::msd::play);
    duels_of("nova", random_play::nova::play);
    duels_of("ygo", random_play::ygo::play);
    duels_of("zx", random_play::zx::play);
}

type Play = fn(u64, usize, bool) -> (saitei::kernel::Given, random_play::Random, saitei::kernel::Run);

fn duels_of(game: &str, play: Play) {
    if std::env::args().skip(1).filter(|a| !a.starts_with('-')).nth(2).is_some_and(|only| only != game) {
        return;
    }
    let (start, used) = (Instant::now(), busy());
    let (mut acts, mut questions, mut turns) = (0, 0, 0);
    let duels = duels_wanted();
    for seed in 1..=duels {
        let (_, random, run) = play(seed, 4_000, false);
        questions += random.asked;
        acts += random.acts;
        turns += run.table().turn as usize;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{game}の乱数の対戦 {duels}回: {turns}ターン、{acts}行動、{questions}問、{seconds:.2}秒");
    println!("1コアあたり毎秒 {:.0} 行動、{:.0} 問", acts as f64 / seconds, questions as f64 / seconds);
    // Beside other work, what counts is the time that was spent on this.
    let busy = busy() - used;
    println!("　計算した時間 {busy:.2}秒で、毎秒 {:.0} 行動、{:.0} 問", acts as f64 / busy, questions as f64 / busy);
}

/// How many duels: 200, or as the second argument says.
fn duels_wanted() -> u64 {
    let arguments = std::env::args().skip(1).filter(|a| !a.starts_with('-'));
    arguments.skip(1).find_map(|a| a.parse().ok()).unwrap_or(200)
}

/// The time the process has had a core so far, in seconds.
fn busy() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split_whitespace().next().and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// Every ruling is read once and run again and again, from setting up the table to looking at the end.
fn scenarios() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulings");
    let mut store = Store::default();
    saitei::stock::cards::add(&mut store, random_play::book(), &root).expect("cards");
    let mut paths = Vec::new();
    find(&root.join("dz"), &mut paths);
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a ruling");
        Scenario::load(path, &text).ok()
    };
    let all: Vec<Scenario> = paths.iter().filter_map(read).collect();
    let start = Instant::now();
    let (mut runs, mut held) = (0, 0);
    while start.elapsed().as_secs() < 2 {
        held = all.iter().filter(|s| holds(s, &store)).count();
        runs += all.len();
    }
    let each = runs as f64 / start.elapsed().as_secs_f64();
    println!("裁定 {}件（うち{held}件が書かれたとおり）: 1コアあたり毎秒 {each:.0} 件", all.len());
}

fn find(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|e| Some(e.ok()?.path())) {
        if path.is_dir() && path.file_name().is_some_and(|n| n != "cards") {
            find(&path, paths);
        } else if path.extension().is_some_and(|e| e == "yaml") {
            paths.push(path);
        }
    }
    paths.sort();
}

/// Two numbers from 1 to 100 are left open: 1 + 100 + 10,000 nodes.
fn exploration() {
    let before = peak();
    let scenario = Scenario::load(Path::new("explore.yaml"), OPEN).map_err(|p| p[0].to_string()).expect("a scenario");
    let start = Instant::now();
    let ready = Ready::new(&scenario, &Store::default(), &Case::of(&scenario)).unwrap_or_else(|_| panic!("a board"));
    let (endings, nodes) = explore_all(&ready, None).expect("it can be explored");
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "探索 {nodes}節点、{}通りの結果: {seconds:.2}秒、最大メモリ {:.1} MB → {:.1} MB",
        endings.len(),
        before,
        peak()
    );
}

/// The most memory the process has had so far, in MB.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap_or_default();
    let kb: f64 = line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0.0);
    kb / 1024.0
}

const OPEN: &str = "
game: dz
title: 2つの数を決めない
cards:
- name: 的
  data: {使用コスト: 無色1, 移動コスト: 無色0, 分類: ユニット, 色: 青, 種族: 的, タイミング: ノーマル, パワー: 900000, スマッシュ: 1}
- name: 矢
  data: {使用コスト: 無色0, 分類: ストラテジー, 色: 青, 種族: 矢, タイミング: クイック}
  abilities:
  - target: [{of: {cards: {is: ユニット}}}]
    do: [{choose: {slot: 数, of: {numbers: [1, 100]}}}, {damage: {what: 対象, amount: 数}}]
given:
  turn: {player: A, phase: メインフェイズ}
  A: {手札: [{矢1: 矢}, {矢2: 矢}]}
  squares: {中央/敵軍: [{的: 的, of: B}]}
play:
- A: {プレイ: 矢1, 対象: 的}
- pass: both
- A: {プレイ: 矢2, 対象: 的}
- pass: both
explore: {list: true}
why: [dz:4.9.2-3]
";
