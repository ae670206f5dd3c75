//! Whole games of nova from two legal decks with every kind of card and every keyword, played at random: no panic, no
//! unlawful position, nothing "not written", the same answers give the same bytes, and dropping answers goes back.

#[path = "random_play/mod.rs"]
mod random_play;

use random_play::nova::{assert_lawful, book, play};
use random_play::silent;
use saitei::kernel::question::Given as Answered;
use saitei::kernel::{Run, run};

#[test]
fn whole_games() {
    let (mut turns, mut ended, mut acts) = (0, 0, 0);
    let games = 50;
    for seed in 1..=games {
        let (_, random, run) = play(seed, 6_000, seed % 8 == 0);
        assert_lawful(run.table());
        turns += run.table().turn as usize;
        acts += random.acts;
        match run {
            Run::Ended(..) => ended += 1,
            Run::Asks(..) => {}
            Run::Refused(refusal, ..) => panic!("seed {seed}: {refusal:?}"),
            // The document leaves open whether what cannot be a target is met by what chooses nothing (C34).
            Run::Stopped(stopped, ..) if stopped.lack == saitei::kernel::Lack::Undecided => ended += 1,
            Run::Stopped(stopped, ..) => panic!("seed {seed}: {stopped:?}"),
        }
    }
    println!("{turns} turns, {acts} acts in {games} games: {ended} ended");
    assert!(ended * 2 > games, "most games end");
}

#[test]
fn the_same_answers_give_the_same_bytes_and_dropping_them_goes_back() {
    for seed in [3, 14, 159] {
        let (given, random, first) = play(seed, 200, true);
        let settings = silent();
        let mut again = Answered { answers: &random.answers, used: 0 };
        let second = run(book(), &given, &mut again, &settings);
        assert_eq!(format!("{:?}", first.table()), format!("{:?}", second.table()), "seed {seed}");
        for n in (0..random.answers.len()).step_by(17) {
            let mut some = Answered { answers: &random.answers[..n], used: 0 };
            match run(book(), &given, &mut some, &settings) {
                Run::Asks(_, table, _) => assert_eq!(table, random.tables[n], "seed {seed}, answer {n}"),
                _ => panic!("seed {seed}: the game ended early"),
            }
        }
    }
}
