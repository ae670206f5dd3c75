//! Random legal play of zx: two legal decks of fifty with a dynamis of sixteen, every kind of card in them.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use saitei::card::{Card, Datum, Word, load};
use saitei::game;
use saitei::game::deck::{Deck, rules};
use saitei::kernel::{CardId, Def, Given, Obj, Rulebook, Run, Schema, Seat, Settings, Table, ZoneId, run};

use super::{Dice, Random, random};

/// Every card is in the one zone it says, and out of play in a zone of its owner; what lies with a card on a square lies
/// on its square.
pub fn lawful(t: &Table) {
    let schema = book().schema();
    let mut count = vec![0; t.cards.len()];
    for (zone, cards) in t.zones.iter().enumerate() {
        let spec = &schema.zones[zone];
        for id in cards {
            count[id.0 as usize] += 1;
            let card = t.obj(*id);
            assert_eq!(card.zone.0 as usize, zone, "a card is where it says");
            assert!(spec.board || spec.owner.is_none_or(|o| o == card.owner), "a card in another's {}", spec.name);
            if let Some((how, host)) = card.host.filter(|_| spec.board) {
                assert_eq!(t.obj(host).zone, card.zone, "{how} lies with its card");
            }
        }
    }
    assert!(count.iter().all(|n| *n == 1), "every card is in one zone");
}

pub fn book() -> &'static dyn Rulebook {
    game::book("zx").expect("a rulebook")
}

fn cards() -> &'static [Arc<Def>] {
    static DEFS: OnceLock<Vec<Arc<Def>>> = OnceLock::new();
    DEFS.get_or_init(read)
}

fn read() -> Vec<Arc<Def>> {
    let files = [
        include_str!("../../rulings/zx/cards/common.yaml"),
        include_str!("../../rulings/zx/cards/keywords.yaml"),
        include_str!("zx.yaml"),
    ];
    let mut all = Vec::new();
    for text in files {
        let (cards, problems) = load::cards(Path::new("cards.yaml"), text, &book().schema().words);
        assert!(problems.is_empty(), "{problems:#?}");
        all.extend(cards.into_iter().map(|c| Arc::new(Def::new(Arc::new(c.value), book()))));
    }
    all
}

fn has(card: &Card, key: &str, word: &str) -> bool {
    matches!(card.data.get(&Word::new(key)), Some(Datum::Words(words)) if words.iter().any(|w| *w == word))
}

/// What each player has beside the decks: the player card and what lies back to back with it.
const SIDES: [(&str, &str, &str); 2] =
    [("機神を呼ぶ導き手", "双つの機神", "オーバーブースト"), ("響きの導き手", "響きの窮地", "プレイヤー エクストラ")];

/// Two decks of fifty with a dynamis of sixteen, which the rules for decks allow.
pub fn given(seed: u64) -> Given {
    let schema: &Schema = book().schema();
    let mut defs: Vec<Arc<Def>> = cards().to_vec();
    let cards: Vec<Arc<Card>> = defs.iter().map(|d| d.card.clone()).collect();
    let named = |name: &str| cards.iter().position(|c| c.name == name).expect("a card");
    // What the document leaves undefined (1112, 1116) stops a game, as it should.
    let undefined = ["頭から行く者", "組み込む者"];
    let plain = |card: &Card| {
        ["ゼクス", "イベント", "アセンション"].iter().any(|k| has(card, "種類", k))
            && !has(card, "種類", "トークン")
            && !undefined.contains(&card.name.as_str())
    };
    let lit = |card: &Card| has(card, "アイコン", "イグニッション");
    let extras = |card: &Card| {
        ["ゼクス エクストラ", "イベント エクストラ", "アセンション エクストラ", "シフト", "ゼクス オーバーブースト"]
            .iter()
            .any(|k| has(card, "種類", k))
    };
    let mut table = Table { turn: 1, midway: false, ..Table::new(schema, Word("準備")) };
    let mut labels = Vec::new();
    let mut put = |table: &mut Table, name: Word, def: usize, seat: Seat, zone: ZoneId| {
        let id = CardId(table.cards.len() as u16);
        table.zones[zone.0 as usize].push(id);
        labels.push(Word::new(&format!("{name}#{}", id.0)));
        let since = table.tick();
        table.cards.push(Obj { since, face_up: false, controller: seat, ..Obj::new(schema, def as u16, seat, zone) });
        id
    };
    let mut dice = Dice(seed);
    let zone = |name: &str, seat| schema.zone(name, seat).expect("a zone");
    for seat in Seat::BOTH {
        let four = |fits: &dyn Fn(&Card) -> bool| -> Vec<usize> {
            (0..cards.len()).filter(|i| fits(&cards[*i])).flat_map(|i| [i; 4]).collect()
        };
        let icons = four(&|c| plain(c) && lit(c));
        let pool = four(&|c| plain(c) && !lit(c));
        let mut main: Vec<usize> = dice.some(icons.len(), 20).into_iter().map(|i| icons[i as usize]).collect();
        main.extend(dice.some(pool.len(), 30).into_iter().map(|i| pool[i as usize]));
        let all = four(&extras);
        let extra: Vec<usize> = dice.some(all.len(), 16).into_iter().map(|i| all[i as usize]).collect();
        let (player, back, how) = SIDES[seat.index()];
        let side = [named(player), named(back)];
        let list = Deck {
            main: main.iter().map(|i| &*cards[*i]).collect(),
            extra: extra.iter().map(|i| &*cards[*i]).collect(),
            side: side.iter().map(|i| &*cards[*i]).collect(),
            ..Deck::default()
        };
        let wrong = rules("zx").expect("rules for decks")(&list);
        assert!(wrong.is_empty(), "a legal deck: {:?}", wrong.iter().map(|w| &w.1).collect::<Vec<_>>());
        for def in main {
            put(&mut table, cards[def].name, def, seat, zone("デッキ", Some(seat)));
        }
        for def in extra {
            put(&mut table, cards[def].name, def, seat, zone("デュナミス", Some(seat)));
        }
        let square = zone(if seat == Seat(0) { "中央/自軍" } else { "中央/敵軍" }, Some(seat));
        let leader = put(&mut table, Word(player), side[0], seat, square);
        let behind = put(&mut table, Word(back), side[1], seat, square);
        table.obj_mut(leader).face_up = true;
        table.obj_mut(behind).host = Some((Word(how), leader));
    }
    let limbo = zone(saitei::kernel::schema::LIMBO, None);
    for name in ["分身", "道の絆"] {
        for _ in 0..60 {
            let id = put(&mut table, Word(name), named(name), Seat(0), limbo);
            table.obj_mut(id).face_up = true;
        }
    }
    let virtual_cards = book().furnish(&table, &|def| cards[def as usize].clone());
    for (card, at, seat) in virtual_cards {
        defs.push(Arc::new(Def::new(Arc::new(card.clone()), book())));
        let id = put(&mut table, card.name, defs.len() - 1, seat, at);
        table.obj_mut(id).face_up = true;
    }
    Given::new(defs, table, labels)
}

pub fn settings() -> Settings {
    Settings { trace: false, ..Settings::default() }
}

pub fn play(seed: u64, answers: usize, keep: bool) -> (Given, Random, Run) {
    let given = given(seed);
    let mut random = Random { keep, ..random(seed, answers) };
    let run = run(book(), &given, &mut random, &settings());
    (given, random, run)
}

/// The same, and every table is looked at.
pub fn watched(seed: u64, answers: usize, keep: bool) -> (Given, Random, Run) {
    let given = given(seed);
    let mut random = Random { keep, lawful: Some(lawful), ..random(seed, answers) };
    let run = run(book(), &given, &mut random, &settings());
    (given, random, run)
}
