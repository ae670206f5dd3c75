//! Whole games of 魔法少女 ザ・デュエル from two legal decks at random, from the preparation on: no panic, no illegal
//! position, nothing that is not written, the same answers give the same table, and dropping answers goes back.

#[path = "random_play/mod.rs"]
mod random_play;

use random_play::msd::{assert_lawful, book, play, settings};
use saitei::kernel::question::Given as Answered;
use saitei::kernel::{Run, run};

#[test]
fn whole_games() {
    let (mut turns, mut ended, mut asked, mut seed) = (0, 0, 0, 1);
    while turns < 500 {
        let (_, _, run) = play(seed, 3_000, seed % 4 == 0);
        assert_lawful(run.table());
        turns += run.table().turn as usize;
        match run {
            Run::Ended(..) => ended += 1,
            Run::Asks(..) => asked += 1,
            Run::Refused(refusal, ..) => panic!("seed {seed}: {refusal:?}"),
            Run::Stopped(stopped, ..) => panic!("seed {seed}: {stopped:?}"),
        }
        seed += 1;
    }
    println!("{turns} turns in {} games: {ended} ended, {asked} went on", seed - 1);
    assert!(ended > asked, "most games end");
}

#[test]
fn the_same_answers_and_fewer() {
    for seed in [2, 71] {
        let (given, random, first) = play(seed, 200, true);
        let again = |n: usize| {
            let mut some = Answered { answers: &random.answers[..n], used: 0 };
            run(book(), &given, &mut some, &settings())
        };
        let all = again(random.answers.len());
        assert_eq!(format!("{:?}", first.table()), format!("{:?}", all.table()), "seed {seed}");
        for n in (0..random.answers.len()).step_by(23) {
            assert_eq!(again(n).table(), &random.tables[n], "seed {seed}, answer {n}");
        }
    }
}
