//! Whole games of Z/X from two legal decks at random, from the preparation on: no panic, every card in one lawful place,
//! nothing that is not written, the same answers give the same table, and dropping answers goes back.

#[path = "random_play/mod.rs"]
mod random_play;

use random_play::silent;
use random_play::zx::{book, lawful, watched as play};
use saitei::kernel::question::Given as Answered;
use saitei::kernel::{Lack, Run, run};

#[test]
fn whole_games() {
    let (mut turns, mut ended, mut asked, mut open, mut seed) = (0, 0, 0, 0, 1);
    while turns < 600 {
        let (_, _, run) = play(seed, 4_000, false);
        lawful(run.table());
        turns += run.table().turn as usize;
        match run {
            Run::Ended(..) => ended += 1,
            Run::Asks(..) => asked += 1,
            // Who chooses Z/X that are too cheap for 降臨条件 is told so.
            Run::Refused(refusal, ..) if refusal.cite.is_some_and(|c| c.clause == "1020.2") => open += 1,
            Run::Refused(refusal, ..) => panic!("seed {seed}: {refusal:?}"),
            // The document does not decide everything; but nothing is left unwritten, and nothing goes on for ever.
            Run::Stopped(stopped, ..) if stopped.lack == Lack::Undecided => {
                println!("seed {seed}: {}", stopped.text);
                open += 1;
            }
            Run::Stopped(stopped, ..) => panic!("seed {seed}: {stopped:?}"),
        }
        seed += 1;
    }
    println!("{turns} turns in {} games: {ended} ended, {asked} went on, {open} undecided or refused", seed - 1);
    assert!(ended > asked + open, "most games end");
}

#[test]
fn the_same_answers_and_fewer() {
    for seed in [2, 71] {
        let (given, random, first) = play(seed, 200, true);
        let again = |n: usize| {
            let mut some = Answered { answers: &random.answers[..n], used: 0 };
            run(book(), &given, &mut some, &silent())
        };
        let all = again(random.answers.len());
        assert_eq!(format!("{:?}", first.table()), format!("{:?}", all.table()), "seed {seed}");
        for n in (0..random.answers.len()).step_by(23) {
            assert_eq!(again(n).table(), &random.tables[n], "seed {seed}, answer {n}");
        }
    }
}
