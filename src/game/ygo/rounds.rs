//! 3.1.1, 3.2.1: a match, its result, and what lies between two of its duels.

use super::kinds::of_extra_deck;
use super::places::zone;
use super::schema::{DRAWS, MATCH, SIDE, WINS, schema};
use crate::card::Word;
use crate::kernel::schema::LIMBO;
use crate::kernel::table::Outcome;
use crate::kernel::verb::{Allowed, no};
use crate::kernel::{Asks, Duel, Flow, Halt, Move, Question, Ref, Refusal, Seat, Thing, ZoneId};

/// One turn of a duel; where the duel ends and is one of a match, what follows.
pub fn play(d: &mut Duel) -> Flow {
    // Reading C22: by another reading there is nothing but matches.
    if d.t.facts[MATCH] == 0 && d.settings_reading("C22") != "b" {
        return super::turn::turn(d);
    }
    d.reading(ygo!("C22", Reading), "a");
    let mut ended = None;
    let whole = d.within(Word("デュエル"), |d| match super::turn::turn(d) {
        Err(Halt::Over(outcome)) => {
            ended = Some(outcome);
            d.leave(Word("デュエル"))
        }
        other => other,
    })?;
    match ended {
        Some(outcome) if !whole => d.under(ygo!("3.1.1.1", Frame), |d| after(d, outcome)),
        _ => Ok(()),
    }
}

/// The result counts; the match is decided, or goes on.
fn after(d: &mut Duel, outcome: Outcome) -> Flow {
    match outcome {
        Outcome::Won(seat) => *d.aside().seat(seat, WINS) += 1,
        Outcome::Draw => *d.aside().fact(DRAWS) += 1,
    }
    match result(d)? {
        Some(outcome) => super::setup::over(d, outcome),
        None => next(d, outcome),
    }
}

/// 3.1.1.3–3.1.1.5: who has won the match, as far as it is decided.
fn result(d: &mut Duel) -> Flow<Option<Outcome>> {
    let wins = Seat::BOTH.map(|seat| d.t.seats[seat.index()][WINS]);
    let draws = d.t.facts[DRAWS];
    let name = |seat: Seat| schema().seats[seat.index()];
    for seat in Seat::BOTH {
        if wins[seat.index()] >= 2
            && d.applies(ygo!("3.1.1.3", Check), |_| format!("{}が先に2勝したので、マッチの勝者", name(seat)))
        {
            return Ok(Some(Outcome::Won(seat)));
        }
    }
    if wins[0] + wins[1] + draws < 3 {
        return Ok(None);
    }
    let one = Seat::BOTH.into_iter().find(|s| wins[s.index()] == 1 && wins[s.other().index()] == 0);
    if let Some(seat) = one
        && d.applies(ygo!("3.1.1.4", Check), |_| format!("1勝2分けなので、{}がマッチの勝者", name(seat)))
    {
        return Ok(Some(Outcome::Won(seat)));
    }
    if wins[0] == wins[1] && d.applies(ygo!("3.1.1.5", Check), |_| "マッチは引き分け".into()) {
        return Ok(Some(Outcome::Draw));
    }
    d.undecided("マッチの勝敗の定めがない", &["ygo:3.1.1.3", "ygo:3.1.1.4", "ygo:3.1.1.5"])
}

/// 3.1.1.2, 3.2.1.1: decks are changed, the loser chooses who begins, and the next duel is prepared.
fn next(d: &mut Duel, outcome: Outcome) -> Flow {
    let before = d.t.active;
    let first = if d.t.turn % 2 == 1 { before } else { before.other() };
    let homes: Vec<ZoneId> = d.t.ids().map(|id| home(d, d.t.now(id))).collect();
    d.trace.reach(ygo!("3.3.23.7"));
    d.trace.reach(ygo!("4.1.24.1", Frame));
    d.lay_anew(Word("準備"), &homes);
    for seat in [first, first.other()] {
        d.under(ygo!("3.2.1.1", Frame), |d| change(d, seat))?;
    }
    let begins = first_player(d, outcome, first)?;
    d.begin_with(begins);
    Ok(())
}

/// Where the card is kept between duels.
fn home(d: &Duel, card: Ref) -> ZoneId {
    let obj = d.t.obj(card.id);
    if super::kinds::printed(d, card, "トークン") {
        return schema().zone(LIMBO, None).expect("a zone of the schema");
    }
    if schema().spec(obj.zone).name == SIDE {
        return obj.zone;
    }
    // What lies face down there was put there before the duel, whatever it is.
    if schema().spec(obj.zone).name == "エクストラデッキ" && !obj.face_up {
        return obj.zone;
    }
    // 3.3.23.7: pendulums go back into the deck; 4.1.24.1: so does what was banished.
    if !d.on(ygo!("3.3.23.7")) && schema().spec(obj.zone).name == "エクストラデッキ" {
        return obj.zone;
    }
    zone(if of_extra_deck(d, card) { "エクストラデッキ" } else { "デッキ" }, obj.owner)
}

/// 3.1.1.2: the loser chooses; after a draw reading C23.
fn first_player(d: &mut Duel, outcome: Outcome, before: Seat) -> Flow<Seat> {
    d.trace.reach(ygo!("3.1.1.2"));
    let chooser = match outcome {
        Outcome::Won(winner) if d.on(ygo!("3.1.1.2")) => winner.other(),
        Outcome::Won(_) => before,
        Outcome::Draw if d.reading(ygo!("C23", Reading), "a") == "b" => before,
        Outcome::Draw if !d.on(ygo!("1.5.1.3")) => before,
        Outcome::Draw => {
            // 1.5.1.3: whoever wins at rock, paper, scissors: chance.
            d.trace.reach(ygo!("1.5.1.3"));
            let of = Seat::BOTH.map(Thing::Seat).to_vec();
            let mut question = Question::new(before, Word("ジャンケン"), Asks::Choose { of, min: 1, max: 1 });
            question.seat = None;
            match d.pick(question.citing(ygo!("1.5.1.3", Frame)))?[..] {
                [Thing::Seat(seat)] => seat,
                _ => before,
            }
        }
    };
    let of = Seat::BOTH.map(Thing::Seat).to_vec();
    let question = Question::new(chooser, Word("先攻"), Asks::Choose { of, min: 1, max: 1 });
    match d.pick(question.citing(ygo!("3.1.1.2", Frame)))?[..] {
        [Thing::Seat(seat)] => Ok(seat),
        _ => Ok(before),
    }
}

/// 3.2.1.1, 3.2.1.2: cards of the side deck for as many of the others.
fn change(d: &mut Duel, who: Seat) -> Flow {
    let side = zone(SIDE, who);
    if d.t.zone(side).is_empty() {
        return Ok(());
    }
    let cards = |d: &Duel, z: ZoneId| d.t.zone(z).iter().map(|id| Thing::Card(d.t.now(*id))).collect::<Vec<_>>();
    let of = cards(d, side);
    let max = of.len();
    let question = Question::new(who, Word("サイドデッキから入れる"), Asks::Choose { of, min: 0, max });
    let into = d.pick(question.citing(ygo!("3.2.1.1", Frame)))?;
    let mut of = cards(d, zone("デッキ", who));
    of.extend(cards(d, zone("エクストラデッキ", who)));
    // As many as came in; none where the clause is knocked out.
    let n = into.len();
    let even = n > 0 && d.applies(ygo!("3.2.1.2", Limit), |_| "入れ替える前と後の枚数は等しい".into());
    let question = Question::new(who, Word("サイドデッキへ抜く"), Asks::Choose { of, min: n, max: n });
    let out = if even { d.pick(question.citing(ygo!("3.2.1.2", Limit)))? } else { Vec::new() };
    let mut events = Vec::new();
    for (thing, back) in into.into_iter().map(|t| (t, false)).chain(out.into_iter().map(|t| (t, true))) {
        let Thing::Card(card) = thing else { continue };
        let name = if of_extra_deck(d, card) { "エクストラデッキ" } else { "デッキ" };
        let to = if back { side } else { zone(name, who) };
        events.push(d.moving(card, to).seat(who));
    }
    d.happen(events)
}

/// 1.5.1.2: both put their decks there; nobody is asked about a deck that is as the rules say.
pub fn decks(d: &mut Duel) -> Flow {
    for seat in [d.t.active, d.t.active.other()] {
        d.give_priority(Some(seat));
        let wrong = super::deck::brought(d, seat);
        let Some((cite, why)) = wrong.into_iter().next() else { continue };
        let nothing = Asks::Act(vec![Move::PASS]);
        d.ask(Question::new(seat, Word("行動"), nothing).citing(ygo!("1.5.1.2", Frame)))?;
        let what = format!("{}: {LAY}", schema().seats[seat.index()]);
        return Err(Halt::Refused(Box::new(Refusal { what, cite: Some(cite), why })));
    }
    d.give_priority(None);
    Ok(())
}

pub const LAY: &str = "デッキを置く";

/// Whether the player's deck is as it must be; all that is wrong is told, the first clause refuses.
pub fn may_lay(d: &mut Duel, who: Seat, _: &Move) -> Allowed {
    if d.t.phase != "準備" {
        return no(ygo!("1.5.1.2", Frame), "デュエルの準備の時ではない");
    }
    match super::deck::brought(d, who).first() {
        None => Ok(()),
        Some((cite, why)) => no(cite, why.clone()),
    }
}
