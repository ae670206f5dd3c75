//! Hundreds of turns of random legal play of ygo, with every kind of summon and card: no panic, no position that cannot be,
//! nothing that is not written; the same answers give the same bytes, and one answer less the position before.

#[path = "random_play/mod.rs"]
mod random_play;

use random_play::silent;
use random_play::ygo::{assert_lawful, book, play};
use saitei::kernel::question::Given as Answered;
use saitei::kernel::{Lack, Run, run};

#[test]
fn whole_duels() {
    let (mut turns, mut ended, mut silences) = (0, 0, Vec::new());
    let mut seed = 0;
    while turns < 800 {
        seed += 1;
        // Every fourth duel is looked at after each question.
        let (_, _, run) = play(seed, 4_000, seed % 4 == 0);
        assert_lawful(run.table());
        turns += run.table().turn as usize;
        match run {
            Run::Ended(..) | Run::Asks(..) => ended += 1,
            // What the document does not decide is said to be undecided; that is an ending too.
            Run::Stopped(stopped, ..) if stopped.lack == Lack::Undecided => silences.push(stopped.text),
            Run::Stopped(stopped, ..) => panic!("seed {seed}: {stopped:?}"),
            Run::Refused(refusal, ..) => panic!("seed {seed}: {refusal:?}"),
        }
    }
    println!("{turns} turns in {seed} duels: {ended} ended, {} undecided", silences.len());
    assert!(silences.len() < ended, "the document decides most of what happens: {silences:#?}");
}

#[test]
fn same_answers_same_bytes() {
    for seed in [3, 14, 159] {
        let (given, random, first) = play(seed, 300, true);
        let mut again = Answered { answers: &random.answers, used: 0 };
        let second = run(book(), &given, &mut again, &silent());
        assert_eq!(format!("{:?}", first.table()), format!("{:?}", second.table()), "seed {seed}");
    }
}

#[test]
fn one_answer_less_is_going_back() {
    for seed in [2, 71, 828] {
        let (given, random, _) = play(seed, 120, true);
        for n in (0..random.answers.len()).step_by(7) {
            let mut some = Answered { answers: &random.answers[..n], used: 0 };
            match run(book(), &given, &mut some, &silent()) {
                Run::Asks(_, table, _) => assert_eq!(table, random.tables[n], "seed {seed}, answer {n}"),
                _ => panic!("seed {seed}: the duel ended early"),
            }
        }
    }
}
