//! Thousands of turns of random legal play: no panic, no illegal position, the same answers give the same bytes,
//! and dropping the last answer gives the position before it.

#[path = "random_play/mod.rs"]
mod random_play;

use random_play::{assert_lawful, book, play, silent};
use saitei::kernel::question::Given as Answered;
use saitei::kernel::{Run, run};

#[test]
fn thousands_of_turns() {
    let mut turns = 0;
    let (mut ended, mut asked) = (0, 0);
    let mut seed = 1;
    while turns < 3_000 {
        // Every fourth duel is looked at after each question.
        let (_, _, run) = play(seed, 4_000, seed % 4 == 0);
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
    println!("{turns} turns in {} duels: {ended} ended, {asked} went on", seed - 1);
    assert!(ended > asked, "most duels end");
}

#[test]
fn the_same_answers_give_the_same_bytes() {
    for seed in [3, 14, 159] {
        let (given, random, first) = play(seed, 300, true);
        let settings = silent();
        let mut again = Answered { answers: &random.answers, used: 0 };
        let second = run(book(), &given, &mut again, &settings);
        assert_eq!(format!("{:?}", first.table()), format!("{:?}", second.table()), "seed {seed}");
    }
}

#[test]
fn dropping_the_last_answer_is_going_back() {
    for seed in [2, 71, 828] {
        let (given, random, _) = play(seed, 120, true);
        for n in (0..random.answers.len()).step_by(7) {
            let settings = silent();
            let mut some = Answered { answers: &random.answers[..n], used: 0 };
            match run(book(), &given, &mut some, &settings) {
                Run::Asks(_, table, _) => assert_eq!(table, random.tables[n], "seed {seed}, answer {n}"),
                _ => panic!("seed {seed}: the duel ended early"),
            }
        }
    }
}
