//! `saitei compare`: one concept across the games, side by side.

use serde_json::json;

use crate::desk::cite;
use crate::desk::compare::find;
use crate::text::document::Treatment;
use crate::text::kana::normal;
use crate::text::{Concept, Game};

use super::print::complain;
use super::screen::{Ink, Screen};
use super::{Common, Done, Outcome, complete, open};
use crate::text::node::plain;

/// 1つの概念を、ゲームごとに並べて比べる
#[derive(clap::Args)]
pub struct Compare {
    /// 概念の名（優先権、無限ループなど）。書かなければ一覧。ゲームを添えると、そのゲームだけ
    #[arg(value_name = "概念", add = complete::concepts())]
    concept: Vec<String>,
    /// チャットや報告に貼る形で出す
    #[arg(long)]
    cite: bool,
    /// プログラムのためのJSONで出す
    #[arg(long)]
    json: bool,
}

impl Compare {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let library = open::library(common)?;
        let mut concepts = library.concepts();
        let mut word = self.concept.join(" ");
        let mut games = Vec::new();
        while let Some((game, rest)) = Game::spoken(&normal(&word)).filter(|(_, rest)| *rest != normal(&word)) {
            games.push(game);
            word = rest;
        }
        if !games.is_empty() {
            let named = |t: &Treatment| t.clauses.first().is_some_and(|id| games.contains(&id.game));
            concepts.iter_mut().for_each(|concept| concept.games.retain(named));
        }
        let found = find(&concepts, &word);
        if self.json && self.cite {
            screen.json(&json!(found.iter().map(|c| cite::concept(&library, c).json()).collect::<Vec<_>>()));
        } else if self.json {
            screen.json(&json!(found));
        } else if found.is_empty() {
            complain(&format!("「{word}」という概念はありません。一覧は saitei compare"));
        } else if word.is_empty() {
            for concept in &found {
                let also =
                    if concept.also.is_empty() { String::new() } else { format!("（{}）", concept.also.join("、")) };
                screen.line(0, 2, &[(Ink::Bold, &concept.concept), (Ink::Dim, &also)]);
            }
        } else {
            for (i, concept) in found.iter().enumerate() {
                if i > 0 {
                    screen.blank();
                }
                if self.cite {
                    screen.raw(&cite::concept(&library, concept).text);
                } else {
                    print(concept, &games, screen);
                }
            }
        }
        Ok(if found.is_empty() { Outcome::None } else { Outcome::Found })
    }
}

/// Shows a concept; of the games, those that were named, or all.
fn print(concept: &Concept, games: &[Game], screen: &mut Screen) {
    screen.line(0, 2, &[(Ink::Bold, &concept.concept), (Ink::Plain, &format!("（{}）", concept.reading))]);
    for treatment in &concept.games {
        let Some(game) = treatment.clauses.first().map(|id| id.game) else { continue };
        let clauses: Vec<&str> = treatment.clauses.iter().map(|id| id.clause.as_str()).collect();
        screen.blank();
        screen.line(0, 2, &[(Ink::Label, game.name()), (Ink::Number, &format!(" {}", clauses.join("、")))]);
        screen.line(2, 0, &[(Ink::Plain, &plain(&treatment.text))]);
    }
    let silent: Vec<&str> = Game::ALL
        .into_iter()
        .filter(|g| games.is_empty() || games.contains(g))
        .filter(|g| !concept.games.iter().any(|t| t.clauses.first().is_some_and(|id| id.game == *g)))
        .map(Game::name)
        .collect();
    screen.blank();
    screen.line(0, 8, &[(Ink::Label, "違い    "), (Ink::Plain, &concept.differs)]);
    if !silent.is_empty() {
        screen.line(0, 8, &[(Ink::Dim, &format!("規定なし {}", silent.join("、")))]);
    }
}
