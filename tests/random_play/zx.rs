//! Random legal play of zx: two legal decks of fifty with a dynamis of sixteen, every kind of card in them.

use std::sync::{Arc, OnceLock};

use saitei::card::{Card, Datum, Word};
use saitei::game;
use saitei::kernel::{Def, Given, Rulebook, Run, Seat, Table, run};

use super::laying::{Laying, cards, in_one_zone};
use super::{Dice, Random, random, silent};

/// Besides what always holds: what lies with a card on a square lies on its square.
pub fn lawful(t: &Table) {
    in_one_zone(book(), t);
    for card in t.cards.iter().filter(|card| book().schema().spec(card.zone).board) {
        assert!(card.host.is_none_or(|(_, host)| t.obj(host).zone == card.zone), "it lies with its card");
    }
}

pub fn book() -> &'static dyn Rulebook {
    game::book("zx").expect("a rulebook")
}

fn has(card: &Card, key: &str, word: &str) -> bool {
    matches!(card.data.get(&Word::new(key)), Some(Datum::Words(words)) if words.iter().any(|w| *w == word))
}

fn kind(card: &Card, kinds: &[&str]) -> bool {
    kinds.iter().any(|kind| has(card, "種類", kind))
}

/// What each player has beside the decks: the player card and what lies back to back with it.
const SIDES: [(&str, &str, &str); 2] =
    [("機神を呼ぶ導き手", "双つの機神", "オーバーブースト"), ("響きの導き手", "響きの窮地", "プレイヤー エクストラ")];
const EXTRAS: [&str; 5] =
    ["ゼクス エクストラ", "イベント エクストラ", "アセンション エクストラ", "シフト", "ゼクス オーバーブースト"];
/// What the document leaves undefined (1112, 1116) stops a game, as it should.
const UNDEFINED: [&str; 2] = ["頭から行く者", "組み込む者"];

/// All cards, and which of them a deck takes: with the icon, without it, and for the dynamis, four of each.
struct Pools {
    defs: Vec<Arc<Def>>,
    icons: Vec<usize>,
    pool: Vec<usize>,
    extras: Vec<usize>,
}

fn pools() -> Pools {
    let files = [
        include_str!("../../rulings/zx/cards/common.yaml"),
        include_str!("../../rulings/zx/cards/keywords.yaml"),
        include_str!("zx.yaml"),
    ];
    let defs = cards(book(), &files);
    let plain = |card: &Card| {
        kind(card, &["ゼクス", "イベント", "アセンション"])
            && !kind(card, &["トークン"])
            && !UNDEFINED.contains(&card.name.as_str())
    };
    let lit = |card: &Card| has(card, "アイコン", "イグニッション");
    let four = |fits: &dyn Fn(&Card) -> bool| -> Vec<usize> {
        (0..defs.len()).filter(|i| fits(&defs[*i].card)).flat_map(|i| [i; 4]).collect()
    };
    let (icons, pool) = (four(&|c| plain(c) && lit(c)), four(&|c| plain(c) && !lit(c)));
    let extras = four(&|c| kind(c, &EXTRAS));
    Pools { defs, icons, pool, extras }
}

/// Two decks of fifty with a dynamis of sixteen, which the rules for decks allow.
pub fn given(seed: u64) -> Given {
    static POOLS: OnceLock<Pools> = OnceLock::new();
    let Pools { defs, icons, pool, extras } = POOLS.get_or_init(pools);
    let mut dice = Dice(seed);
    let mut some =
        |of: &[usize], n| -> Vec<usize> { dice.some(of.len(), n).into_iter().map(|i| of[i as usize]).collect() };
    let mut laying = Laying::new(book(), defs.clone(), 1);
    for seat in Seat::BOTH {
        let main = [some(icons, 20), some(pool, 30)].concat();
        let extra = some(extras, 16);
        let (player, back, how) = SIDES[seat.index()];
        let side = [laying.named(player), laying.named(back)];
        laying.deck(seat, ("デッキ", &main), ("デュナミス", &extra), &side);
        let square = if seat == Seat(0) { "中央/自軍" } else { "中央/敵軍" };
        let (leader, behind) = (laying.put(side[0], seat, square), laying.put(side[1], seat, square));
        laying.table.obj_mut(leader).face_up = true;
        laying.table.obj_mut(behind).host = Some((Word(how), leader));
    }
    laying.made("分身", 24);
    laying.made("道の絆", 24);
    laying.given()
}

pub fn play(seed: u64, answers: usize, keep: bool) -> (Given, Random, Run) {
    super::laying::play(book(), given(seed), (seed, answers, keep), lawful, &silent())
}

/// The same, and every table is looked at.
pub fn watched(seed: u64, answers: usize, keep: bool) -> (Given, Random, Run) {
    let given = given(seed);
    let mut random = Random { keep, lawful: Some(lawful), ..random(seed, answers) };
    let run = run(book(), &given, &mut random, &silent());
    (given, random, run)
}
