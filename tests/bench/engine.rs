//! `cargo bench --bench engine`: acts per second of random play, and what an exploration costs.

use std::time::Instant;

#[path = "../random_play/mod.rs"]
mod random_play;

fn main() {
    let start = Instant::now();
    let (mut acts, mut questions, mut turns) = (0, 0, 0);
    for seed in 1..=200 {
        let (_, random, run) = random_play::play(seed, 4_000, false);
        questions += random.asked;
        acts += random.acts;
        turns += run.table().turn as usize;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("乱数の対戦 200回: {turns}ターン、{acts}行動、{questions}問、{seconds:.2}秒");
    println!("1コアあたり毎秒 {:.0} 行動、{:.0} 問", acts as f64 / seconds, questions as f64 / seconds);
}
