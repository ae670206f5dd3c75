//! `saitei schema`: JSON Schemas of the data files, made from the types that read them.

use clap::ValueEnum;
use schemars::schema_for;

use crate::card::Cards;
use crate::scenario::File;
use crate::text::ask::{Asks, Words};
use crate::text::document::{Concepts, Document, History, Readings, Terms};
use crate::text::node::Chapter;

use super::screen::Screen;
use super::{Done, Outcome};

/// データファイルのJSON Schemaを出す（エディタでの補完と検査に）
#[derive(clap::Args)]
pub struct Schema {
    /// nodes（章）・terms・readings・history・document・concepts・asks・words・cards（カード）・scenario（盤面）
    #[arg(value_name = "種類")]
    file: DataFile,
}

/// The kinds of data file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DataFile {
    Nodes,
    Terms,
    Readings,
    History,
    Document,
    Concepts,
    Asks,
    Words,
    Cards,
    Scenario,
}

impl Schema {
    pub fn run(&self, screen: &mut Screen) -> Done {
        screen.raw(&schema(self.file));
        Ok(Outcome::Found)
    }
}

/// The schema as it is published in `rules/schema/`.
pub fn schema(file: DataFile) -> String {
    let schema = match file {
        DataFile::Nodes => schema_for!(Chapter),
        DataFile::Terms => schema_for!(Terms),
        DataFile::Readings => schema_for!(Readings),
        DataFile::History => schema_for!(History),
        DataFile::Document => schema_for!(Document),
        DataFile::Concepts => schema_for!(Concepts),
        DataFile::Asks => schema_for!(Asks),
        DataFile::Words => schema_for!(Words),
        DataFile::Cards => schema_for!(Cards),
        DataFile::Scenario => schema_for!(File),
    };
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}
