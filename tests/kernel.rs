//! What a game may need of the kernel, each in a game of our own of a few lines: no game is named.

#[path = "kernel/toy.rs"]
mod toy;

use saitei::card::Word;
use saitei::kernel::table::Point;
use saitei::kernel::*;
use saitei::{cite, so};
use toy::{FIELD, GRAVE, HAND, HURT, STRENGTH, Toy, first_card, frame, places};

/// Cards of a file: the first one acts, with these steps, and the others are soldiers of strength 2 with these texts.
fn cards(steps: &str, others: &[(&str, &str)]) -> String {
    let other =
        |(name, text): &(&str, &str)| format!("- name: {name}\n  data: {{種類: 兵, 力: 2}}\n  abilities: [{text}]\n");
    let others: String = others.iter().map(other).collect();
    let act = if steps.is_empty() { String::new() } else { format!("{{do: [{steps}]}}") };
    format!("cards:\n- name: 術\n  data: {{種類: 術}}\n  abilities: [{act}]\n{others}")
}

const KILL_ALL: &str = "{move: {all: {is: 兵}, to: 墓地, how: 破壊}}";

/// 1. Names: several, parts of them, and changed by an effect in force.
#[test]
fn names_are_data() {
    let sun = "{kind: 常在, affects: {name_part: 月, except: this}, grant: [{join: [カード名, 太陽]}]}";
    let text = cards("{move: {all: {name: 太陽}, to: 墓地}}", &[("灯", sun), ("三日月", ""), ("星", "")]);
    let lying = [("術", HAND[0]), ("灯", FIELD[0]), ("三日月", FIELD[1]), ("星", FIELD[1])];
    let run = Toy::PLAIN.run(&text, &lying, &[], &[]);
    assert_eq!(places(&run)[1..], [FIELD[0], GRAVE, FIELD[1]]);
}

/// 2. States are a list; the event knows the one before, and what is so already does not become so.
#[test]
fn a_state_is_one_of_a_list() {
    let text = cards("{turn: {all: {is: 兵}, state: 伏}}, {turn: {all: {is: 兵}, state: 伏}}", &[("兵", "")]);
    let run = Toy::PLAIN.run(&text, &[("術", HAND[0]), ("兵", FIELD[0])], &[], &[]);
    let turned: Vec<u8> = run.table().happened.iter().filter(|e| e.name == "伏").map(|e| e.was).collect();
    assert_eq!((turned, run.table().cards[1].state), (vec![0], 2), "once, and out of the first state");
}

/// 3. What a card is depends on where it lies.
#[test]
fn what_a_card_is_depends_on_where_it_lies() {
    let text = cards("{move: {all: {is: 亡霊, in: 墓地}, to: 手札}}", &[("兵", "")]);
    let ghosts = Toy { face: |card| if card.zone == GRAVE { Face::Other(0) } else { Face::Printed }, ..Toy::PLAIN };
    let lying = [("術", HAND[0]), ("兵", GRAVE), ("兵", FIELD[0])];
    assert_eq!(places(&ghosts.run(&text, &lying, &[], &[]))[1..], [HAND[0], FIELD[0]]);
    assert_eq!(places(&Toy::PLAIN.run(&text, &lying, &[], &[]))[1..], [GRAVE, FIELD[0]], "there it is no ghost");
}

/// 4. Of cards that lie together only the top is spoken of, and what follows it follows only if it goes.
#[test]
fn what_lies_beneath_follows_only_who_goes() {
    let text = cards(KILL_ALL, &[("上", ""), ("下", "")]);
    let follow = |d: &mut Duel, events: &mut Vec<Event>| {
        let with: Vec<CardId> =
            events.iter().filter_map(|e| e.card).flat_map(|c| d.t.laid_with(c.id).collect::<Vec<_>>()).collect();
        for id in with {
            let event = d.moving(d.t.now(id), HAND[0]);
            events.push(event);
        }
    };
    let laid = Toy {
        accompany: follow,
        play: |d| {
            d.lay_with(CardId(2), Some((Word("下"), CardId(1))));
            first_card(d)?;
            d.over(Outcome::Draw)
        },
        ..Toy::PLAIN
    };
    let lying = [("術", HAND[0]), ("上", FIELD[0]), ("下", FIELD[0])];
    assert_eq!(places(&laid.run(&text, &lying, &[], &[]))[1..], [GRAVE, HAND[0]]);
    let stays = Toy { forbids: |_, e| (e.how == "破壊").then_some(cite!("toy", "stays", Limit)), ..laid };
    assert_eq!(places(&stays.run(&text, &lying, &[], &[]))[1..], [FIELD[0], FIELD[0]]);
}

/// 5. Only as many arrive as there is room for; who changes sides moves, and has not arrived.
#[test]
fn arriving_is_one_door() {
    let full = |d: &Duel, e: &Event| {
        (e.is_move() && e.to == Some(FIELD[0]) && !d.t.zone(FIELD[0]).is_empty()).then_some(cite!("toy", "room", Limit))
    };
    let text = cards("{move: {all: {is: 兵, in: 手札}, to: 場}}", &[("兵", "")]);
    let lying = [("術", HAND[1]), ("兵", HAND[0]), ("兵", HAND[0])];
    let narrow = Toy { forbids: full, one_by_one: true, ..Toy::PLAIN };
    assert_eq!(places(&narrow.run(&text, &lying, &[], &[]))[1..], [FIELD[0], HAND[0]]);
    assert_eq!(places(&narrow.run(&text, &lying, &[], &["room"]))[1..], [FIELD[0], FIELD[0]], "that clause decides");

    let greets = "{kind: 誘発, when: [{event: 置く}], do: [{move: {what: this, to: 墓地}}]}";
    let takes = Toy {
        play: |d| {
            let what = What::Control { to: FIELD[0], controller: Seat(0), state: None };
            let event = Event { what, ..Event::about(Word("奪う"), d.t.now(CardId(1))) };
            d.happen(vec![event])?;
            first_card(d)?;
            d.over(Outcome::Draw)
        },
        ..Toy::PLAIN
    };
    let run = takes.run(&cards("", &[("兵", greets)]), &[("術", HAND[0]), ("兵", FIELD[1])], &[], &[]);
    let taken = &run.table().cards[1];
    assert_eq!(
        (taken.zone, taken.controller, taken.life),
        (FIELD[0], Seat(0), 0),
        "the same card, which saw no arrival"
    );
}

/// 6. Numbers of players that effects raise and texts read; points that remember what made them.
#[test]
fn players_have_numbers_and_points() {
    let text = cards("{if: {cond: {at_least: [{fact: [自分, 命]}, 3]}, then: [{move: {what: this, to: 墓地}}]}}", &[]);
    let lying = [("術", HAND[0])];
    assert_eq!(places(&Toy::PLAIN.run(&text, &lying, &[], &[])), [HAND[0]]);
    let raised = Toy { fact_of: |fact| fact + 3, ..Toy::PLAIN };
    assert_eq!(places(&raised.run(&text, &lying, &[], &[])), [GRAVE]);

    let pays = Toy {
        play: |d| {
            let none = d.position();
            let point = |from| Point { words: vec![Word("赤")], from: vec![from] };
            d.aside().pool(Seat(0)).push(point(Word("兵")));
            let soldiers = d.position();
            *d.aside().pool(Seat(0)) = vec![point(Word("術"))];
            assert!(none != soldiers && soldiers != d.position(), "whose point it is is seen");
            d.over(Outcome::Draw)
        },
        ..Toy::PLAIN
    };
    assert!(matches!(pays.run(&text, &lying, &[], &[]), Run::Ended(..)));
}

/// Whoever is hurt as much as they are strong goes, whatever else is going on.
fn dies(d: &mut Duel, _: &[Event]) -> Flow {
    let hurt: Vec<Ref> = FIELD.iter().flat_map(|zone| d.t.zone(*zone).to_vec()).map(|id| d.t.now(id)).collect();
    for card in hurt {
        if d.t.obj(card.id).facts[HURT] >= d.seen(card).number(STRENGTH).unwrap_or(0) {
            let event = d.moving(card, GRAVE);
            d.happen(vec![event])?;
        }
    }
    Ok(())
}

/// 7. The rules look after every change: in the middle of a text, and when an effect is over.
#[test]
fn the_rules_look_after_every_change() {
    let looks = Toy { at_once: dies, ..Toy::PLAIN };
    let lying = [("術", HAND[0]), ("兵", FIELD[1])];
    let text =
        cards("{damage: {all: {is: 兵}, amount: 2}}, {move: {all: {is: 兵, in: 墓地}, to: 手札}}", &[("兵", "")]);
    assert_eq!(places(&looks.run(&text, &lying, &[], &[]))[1], HAND[1], "it had gone when the text went on");

    let grown =
        "{grant: {all: {is: 兵}, changes: [{add: [力, 1]}], until: 番の終わり}}, {damage: {all: {is: 兵}, amount: 2}}";
    let text = cards(grown, &[("兵", "")]);
    assert_eq!(places(&looks.run(&text, &lying, &[], &[]))[1], FIELD[1]);
    let ends = Toy {
        play: |d| {
            first_card(d)?;
            d.expire(Word("番の終わり"), None)?;
            d.over(Outcome::Draw)
        },
        ..looks
    };
    assert_eq!(places(&ends.run(&text, &lying, &[], &[]))[1], GRAVE);
}

/// 8. A price is paid in full or not at all, and whether it can be is found by trying.
#[test]
fn a_price_is_paid_in_full() {
    let price = "{choose: {slot: 札, of: {cards: {is: 兵, in: 手札}}, count: 2}}, {move: {what: 札, to: 墓地}}";
    let tries = Toy {
        play: |d| {
            let steps = d.seen(d.t.now(CardId(0))).abilities[0].steps.clone();
            let before = d.position();
            let could = d.could_come(|d| {
                let mut frame = frame(d, CardId(0));
                frame.cause.means = Means::Cost;
                d.perform(&mut frame, &steps)
            });
            assert_eq!(before, d.position(), "trying leaves nothing behind");
            d.over(if could { Outcome::Won(Seat(0)) } else { Outcome::Draw })
        },
        ..Toy::PLAIN
    };
    let text = cards(price, &[("兵", "")]);
    let rich = tries.run(&text, &[("術", HAND[0]), ("兵", HAND[0]), ("兵", HAND[0])], &[], &[]);
    assert!(matches!(rich, Run::Ended(Outcome::Won(_), ..)));
    let poor = tries.run(&text, &[("術", HAND[0]), ("兵", HAND[0])], &[], &[]);
    assert!(matches!(poor, Run::Ended(Outcome::Draw, ..)));
}

/// 9. Whether what was replaced was done is one answer for every step, and the game's.
#[test]
fn was_it_done() {
    let instead = "{kind: 常在, instead: {when: {event: 置く, card: {ref: this}, to: 墓地}, do: [{turn: {what: this, state: 横}}]}}";
    let text = cards(
        "{move: {all: {is: 兵}, to: 墓地, slot: 送った}}, {if: {cond: {did: 送った}, then: [{move: {what: this, to: 墓地}}]}}",
        &[("兵", instead)],
    );
    let lying = [("術", HAND[0]), ("兵", FIELD[1])];
    assert_eq!(places(&Toy::PLAIN.run(&text, &lying, &[], &[])), [HAND[0], FIELD[1]]);
    let counts = Toy { replaced_counts: true, ..Toy::PLAIN };
    assert_eq!(places(&counts.run(&text, &lying, &[], &[])), [GRAVE, FIELD[1]]);
}

/// 10. What may not be chosen is refused by its clause; a condition on the whole choice is one on the whole.
#[test]
fn choosing_is_refused_by_its_clause() {
    let text = cards(
        "{choose: {slot: 的, of: {cards: {is: 兵}}}}, {move: {what: 的, to: 墓地}}",
        &[("兵", ""), ("鎧", "{keyword: {name: 盾}}")],
    );
    let picky = Toy {
        may_choose: |d, card| if d.seen(card).has("盾") { Err(cite!("toy", "shield", Limit)) } else { Ok(()) },
        ..Toy::PLAIN
    };
    let lying = [("術", HAND[0]), ("兵", FIELD[1]), ("鎧", FIELD[1]), ("兵", FIELD[1])];
    let Run::Asks(question, ..) = picky.run(&text, &lying, &[], &[]) else { panic!("it asks") };
    assert_eq!(question.size(), 2);
    let by: Vec<&str> = question.refused.iter().map(|(_, cite)| cite.clause).collect();
    assert_eq!(by, ["shield"]);

    let sum =
        "{choose: {slot: 的, of: {cards: {is: 兵}}, any_number: true, total: {力: 4}}}, {move: {what: 的, to: 墓地}}";
    let lying = [("術", HAND[0]), ("兵", FIELD[1]), ("兵", FIELD[1]), ("兵", FIELD[1])];
    let Run::Asks(question, ..) = Toy::PLAIN.run(&cards(sum, &[("兵", "")]), &lying, &[], &[]) else {
        panic!("it asks")
    };
    assert!(question.fits(&[0, 2]) && !question.fits(&[0]) && !question.fits(&[0, 1, 2]), "two of strength 2, no more");
}

/// 11. The order of effects is the game's, clause by clause.
#[test]
fn effects_apply_in_the_games_order() {
    let five = "{kind: 常在, affects: {is: 兵}, grant: [{set: [力, 5]}]}";
    let more = "{kind: 常在, affects: {is: 兵}, grant: [{add: [力, 1]}]}";
    let timed = Toy {
        layering: Layering { stamps: Some(cite!("toy", "stamps", Layer)), ..Layering::UNSAID },
        play: |d| {
            let event = [CardId(1), CardId(2)].map(|id| d.moving(d.t.now(id), FIELD[0]));
            for event in event {
                d.happen(vec![event])?;
            }
            let strong = d.seen(d.t.now(CardId(3))).number(STRENGTH);
            d.over(if strong == Some(6) { Outcome::Won(Seat(0)) } else { Outcome::Draw })
        },
        ..Toy::PLAIN
    };
    let text = cards("", &[("五", five), ("一", more), ("兵", "")]);
    let lying = [("術", HAND[0]), ("五", HAND[0]), ("一", HAND[0]), ("兵", FIELD[1])];
    assert!(matches!(timed.run(&text, &lying, &[], &[]), Run::Ended(Outcome::Won(_), ..)), "5, then one more");
    let late = [("術", HAND[0]), ("一", HAND[0]), ("五", HAND[0]), ("兵", FIELD[1])];
    assert!(matches!(timed.run(&text, &late, &[], &[]), Run::Ended(Outcome::Draw, ..)), "5 came last");
}

/// 12. An ability is used up as it says: of this card, or of all cards of the name.
#[test]
fn an_ability_is_used_up() {
    let sees = |by: &str| {
        format!(
            "{{kind: 誘発, limit: {{times: 1, by: {by}}}, when: [{{event: 傷}}], do: [{{turn: {{what: this, state: 横}}}}]}}"
        )
    };
    let hit = "{damage: {all: {name: 的}, amount: 1}}, {move: {all: {is: 兵, in: 手札}, to: 場}}, {damage: {all: {name: 的}, amount: 1}}";
    let lying = [("術", HAND[0]), ("的", FIELD[1]), ("兵", FIELD[0]), ("兵", HAND[0])];
    let saw = |by: &str| {
        let run = Toy::PLAIN.run(&cards(hit, &[("的", ""), ("兵", &sees(by))]), &lying, &[], &[]);
        run.table().cards.iter().filter(|card| card.turned()).count()
    };
    assert_eq!((saw("能力"), saw("カード名")), (2, 1));
}

/// 13. One event can have several names; whether several at once trigger once or each is the game's.
#[test]
fn events_have_names_and_are_counted() {
    let sees = "{kind: 誘発, when: [{event: 寝る}], do: [{damage: {what: this, amount: 1}}]}";
    let sleeps = Toy {
        play: |d| {
            let lies = |d: &Duel, id| Event {
                what: What::Turn { state: 1 },
                also: vec![Word("寝る")],
                ..Event::about(Word("横"), d.t.now(CardId(id)))
            };
            let events = [2, 3].map(|id| lies(d, id)).to_vec();
            d.happen(events)?;
            first_card(d)?;
            d.over(Outcome::Draw)
        },
        ..Toy::PLAIN
    };
    let lying = [("術", HAND[0]), ("番人", FIELD[0]), ("兵", FIELD[1]), ("兵", FIELD[1])];
    let hurt =
        |toy: &Toy| toy.run(&cards("", &[("番人", sees), ("兵", "")]), &lying, &[], &[]).table().cards[1].facts[HURT];
    assert_eq!(hurt(&sleeps), 2);
    let once =
        Toy { says: |question| if question == Principle::EachEvent { Says::Not([None; 4]) } else { so!() }, ..sleeps };
    assert_eq!(hurt(&once), 1);
}

/// 14. A phase is left from inside, and what stood after it is not done.
#[test]
fn a_phase_is_left_from_inside() {
    let leaves = Toy {
        play: |d| {
            let whole = d.within(Word("番"), |d| {
                first_card(d)?;
                d.leave(Word("番"))
            })?;
            d.over(if whole { Outcome::Draw } else { Outcome::Won(Seat(1)) })
        },
        ..Toy::PLAIN
    };
    let run = leaves.run(&cards(KILL_ALL, &[("兵", "")]), &[("術", HAND[0]), ("兵", FIELD[0])], &[], &[]);
    assert_eq!(places(&run)[1], GRAVE, "what was done stays done");
    assert!(matches!(run, Run::Ended(Outcome::Won(Seat(1)), ..)));
}

/// 15. What goes round without end is found, and what follows is the game's; with more of something each time, too.
#[test]
fn what_never_ends_is_found() {
    let round = Toy {
        play: |d| {
            loop {
                d.goes_round()?;
                first_card(d)?;
            }
        },
        ..Toy::PLAIN
    };
    let lying = [("術", HAND[0]), ("兵", FIELD[0])];
    let text = cards("{turn: {all: {is: 兵}, state: 横}}, {turn: {all: {is: 兵}, state: 縦}}", &[("兵", "")]);
    assert!(matches!(round.run(&text, &lying, &[], &[]), Run::Ended(Outcome::Draw, ..)));
}

/// 16. Each player does it as the one of whom the text says "I".
#[test]
fn each_player_is_the_one_who_does_it() {
    let text = cards("{each_player: {do: [{move: {all: {is: 兵, of: 自分}, to: 手札}}]}}", &[("兵", "")]);
    let run = Toy::PLAIN.run(&text, &[("術", HAND[0]), ("兵", FIELD[0]), ("兵", FIELD[1])], &[], &[]);
    assert_eq!(places(&run)[1..], [HAND[0], HAND[1]]);
}

/// 17. A clause that decides by denying can be cited, and knocked out.
#[test]
fn a_denial_leaves_a_line() {
    let stays = Toy { forbids: |_, e| (e.how == "破壊").then_some(cite!("toy", "denies", Limit)), ..Toy::PLAIN };
    let text = cards(KILL_ALL, &[("兵", "")]);
    let lying = [("術", HAND[0]), ("兵", FIELD[0])];
    let run = stays.run(&text, &lying, &[], &[]);
    assert!(places(&run)[1] == FIELD[0] && run.trace().has_reached("denies"));
    assert_eq!(places(&stays.run(&text, &lying, &[], &["denies"]))[1], GRAVE);
}

/// And silence is a value: whoever asks what the document does not say has no answer.
#[test]
fn silence_halts() {
    let silent = Toy { says: |q| if q == Principle::SameState { Says::Silent } else { so!() }, ..Toy::PLAIN };
    let text = cards("{turn: {all: {is: 兵}, state: 縦}}", &[("兵", "")]);
    let Run::Stopped(stopped, ..) = silent.run(&text, &[("術", HAND[0]), ("兵", FIELD[0])], &[], &[]) else {
        panic!("it goes on past what is not said")
    };
    assert_eq!(stopped.lack.code(), "undecided");
}
