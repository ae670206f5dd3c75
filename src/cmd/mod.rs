//! The command line: one file per subcommand. Doc comments are the help.

mod boards;
mod card;
mod check;
mod compare;
mod complete;
mod coverage;
mod deck;
mod find;
mod import;
mod interactive;
mod lint;
mod new;
mod open;
mod play;
mod print;
mod readings;
mod rulings;
mod run;
pub mod schema;
mod screen;
pub mod serve;
mod show;
mod term;
mod toc;
mod words;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::text::Game;
use crate::text::caught::or_fault;
use screen::Screen;

/// 裁定 — カードゲームの総合ルールを、番号でも言葉でも引く。
#[derive(Parser)]
#[command(
    name = "saitei",
    version,
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true,
    help_template = HELP,
    subcommand_help_heading = "コマンド",
    styles = Styles::styled().header(AnsiColor::Green.on_default().bold()).literal(AnsiColor::Cyan.on_default()),
    after_help = "\
ゲーム: dz ディメンション・ゼロ / msd 魔法少女 ザ・デュエル / zx Z/X / nova NOVA / ygo 遊戯王OCG
終了コード: 0 見つかった・合格  1 見つからない・不合格  2 誤り"
)]
struct Saitei {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

const HELP: &str = "{about}\n\n使い方: {usage}\n\n{all-args}{after-help}";

#[derive(clap::Args)]
pub struct Common {
    /// 組み込みのデータの代わりに使うフォルダ（rules/ のある所）
    #[arg(long, global = true, display_order = 900, value_name = "フォルダ", env = "SAITEI_DATA", hide_env = true,
        value_parser = TypedValueParser::map(OsStringValueParser::new(), PathBuf::from))]
    data: Option<PathBuf>,
    /// 色を付けるか（auto・always・never）
    #[arg(
        long,
        global = true,
        display_order = 901,
        value_name = "いつ",
        default_value = "auto",
        hide_default_value = true
    )]
    color: When,
    /// 長い出力でもページャを使わない
    #[arg(long, global = true, display_order = 902)]
    no_pager: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum When {
    /// 端末に出すときだけ
    Auto,
    /// いつも
    Always,
    /// 付けない
    Never,
}

#[derive(Subcommand)]
enum Command {
    Find(find::Find),
    Show(show::Show),
    Toc(toc::Toc),
    Term(term::Term),
    Compare(compare::Compare),
    Run(run::Run),
    New(new::New),
    Play(play::Play),
    Rulings(rulings::Rulings),
    Readings(readings::Readings),
    Check(check::Check),
    Coverage(coverage::Coverage),
    Card(card::Card),
    Words(words::Words),
    Deck(deck::Deck),
    Import(import::Import),
    Lint(lint::Lint),
    Schema(schema::Schema),
    Serve(serve::Serve),
    Completions(complete::Completions),
    // What `-i` stands for.
    #[command(hide = true)]
    Interactive(interactive::Interactive),
}

/// How a command ended, apart from errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    Found,
    None,
}

/// A message for the user, in Japanese. It ends the program with exit code 2.
#[derive(Debug)]
pub struct Failure(pub String);

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure(format!("入出力の誤り（{}）", crate::stock::files::reason(&error)))
    }
}

pub type Done = Result<Outcome, Failure>;

/// Runs the program and says with which code it ends.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    if let Some(code) = crate::stock::pdf::asked() {
        return ExitCode::from(code as u8);
    }
    let args = with_find(args.into_iter().collect());
    complete::answer(|| command().subcommand_required(false).arg_required_else_help(false));
    // Japanese help is made only for those who need it: a lookup has no time for that.
    let saitei = match Saitei::try_parse_from(&args) {
        Ok(saitei) => saitei,
        Err(_) => match command().try_get_matches_from(args).and_then(|m| Saitei::from_arg_matches(&m)) {
            Ok(saitei) => saitei,
            Err(error) => return usage(&error),
        },
    };
    let mut saitei = saitei;
    // An empty variable is one that is not set.
    saitei.common.data.take_if(|data| data.as_os_str().is_empty());
    let mut screen = Screen::new(&saitei.common);
    let common = &saitei.common;
    let done = or_fault(|| match &saitei.command {
        Command::Find(find) => find.run(common, &mut screen),
        Command::Show(show) => show.run(common, &mut screen),
        Command::Toc(toc) => toc.run(common, &mut screen),
        Command::Term(term) => term.run(common, &mut screen),
        Command::Compare(compare) => compare.run(common, &mut screen),
        Command::Run(run) => run.run(common, &mut screen),
        Command::New(new) => new.run(common, &mut screen),
        Command::Play(play) => play.run(common, &mut screen),
        Command::Rulings(rulings) => rulings.run(common, &mut screen),
        Command::Readings(readings) => readings.run(common, &mut screen),
        Command::Check(check) => check.run(common, &mut screen),
        Command::Coverage(coverage) => coverage.run(common, &mut screen),
        Command::Deck(deck) => deck.run(common, &mut screen),
        Command::Card(card) => card.run(common, &mut screen),
        Command::Words(words) => words.run(common, &mut screen),
        Command::Import(import) => import.run(common, &mut screen),
        Command::Lint(lint) => lint.run(common, &mut screen),
        Command::Schema(schema) => schema.run(&mut screen),
        Command::Serve(serve) => serve.run(common, &mut screen),
        Command::Completions(completions) => completions.run(&mut screen),
        Command::Interactive(interactive) => interactive.run(common),
    });
    let done = done.unwrap_or_else(|fault| Err(Failure(fault)));
    // What was written so far is shown even if the command then failed.
    let shown = screen.flush();
    match done.and_then(|outcome| shown.map(|()| outcome)) {
        Ok(Outcome::Found) => ExitCode::SUCCESS,
        Ok(Outcome::None) => ExitCode::from(1),
        Err(Failure(message)) => {
            print::complain(&message);
            ExitCode::from(2)
        }
    }
}

/// `saitei 優先権` is `saitei find 優先権`: what is no command, nor looks like a misspelt one, is looked for.
/// With `-i` it is looked for while typing.
fn with_find(mut args: Vec<OsString>) -> Vec<OsString> {
    // 「-怪異」 means without 怪異; clap would take it for a bundle of flags, so it gets the full-width minus.
    for arg in &mut args {
        let text = arg.to_string_lossy();
        if let Some(word) = text.strip_prefix('-').filter(|w| w.starts_with(|c: char| !c.is_ascii())) {
            *arg = format!("－{word}").into();
        }
    }
    let mut at = 1;
    while let Some(arg) = args.get(at).map(|a| a.to_string_lossy().into_owned()) {
        match arg.as_str() {
            "-i" | "--interactive" => return with_interactive(args, at),
            "--data" | "--color" => at += 2,
            "--no-pager" => at += 1,
            "-h" | "-V" | "--help" | "--version" => return args,
            word => {
                // What a command takes may stand before it: `saitei -g zx find 優先権`.
                if word.starts_with('-')
                    && let Some(command) = command_behind(&args, at)
                {
                    args[at..=command].rotate_right(1);
                    continue;
                }
                let known = word.is_ascii()
                    && Saitei::command()
                        .get_subcommands()
                        .any(|c| c.get_name() == word || misspelt(word, c.get_name()));
                let flag = args[at..].iter().any(is_interactive);
                match (word, known, flag) {
                    ("find", _, true) => {
                        args.remove(at);
                        return with_interactive(args, at);
                    }
                    (_, false, true) => return with_interactive(args, at),
                    (_, false, false) => args.insert(at, "find".into()),
                    (_, true, _) => {}
                }
                return args;
            }
        }
    }
    args
}

/// Where a command stands behind its options.
fn command_behind(args: &[OsString], mut at: usize) -> Option<usize> {
    let all = Saitei::command();
    let takes_value = |option: &str| {
        let of = |arg: &clap::Arg| {
            let long = arg.get_long().is_some_and(|long| option.strip_prefix("--") == Some(long));
            let short = arg.get_short().is_some_and(|short| option.strip_prefix('-') == Some(&short.to_string()));
            (long || short) && arg.get_action().takes_values()
        };
        all.get_subcommands().flat_map(|c| c.get_arguments()).any(of)
    };
    loop {
        let arg = args.get(at)?.to_string_lossy().into_owned();
        if !arg.starts_with('-') || arg == "--" {
            return all.get_subcommands().any(|c| c.get_name() == arg).then_some(at);
        }
        at += if takes_value(&arg) { 2 } else { 1 };
    }
}

fn is_interactive(arg: &OsString) -> bool {
    arg == "-i" || arg == "--interactive"
}

/// The flag is a command by another name; all words beside it are what to begin with.
fn with_interactive(mut args: Vec<OsString>, at: usize) -> Vec<OsString> {
    args.retain(|arg| !is_interactive(arg));
    args.insert(at, "interactive".into());
    args
}

/// The same letters in another order, its beginning, or one letter too many.
fn misspelt(word: &str, name: &str) -> bool {
    let sorted = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.sort_unstable();
        bytes
    };
    let spare = |at: usize| word.len() == name.len() + 1 && [&word[..at], &word[at + 1..]].concat() == name;
    word.len() > 2
        && word.is_ascii()
        && (sorted(word) == sorted(name) || name.starts_with(word) || (0..word.len()).any(spare))
}

/// The command with every word of its help in Japanese.
fn command() -> clap::Command {
    fn japanese(command: clap::Command) -> clap::Command {
        let names: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_string()).collect();
        let words: Vec<String> = command.get_positionals().filter_map(usage_of).collect();
        let usage = match (command.get_name(), words.is_empty()) {
            ("saitei", _) => {
                "saitei <言葉か番号>… / saitei -i [言葉か番号]… / saitei <コマンド> [オプション]".to_string()
            }
            ("interactive", _) => "saitei -i [言葉か番号]… [オプション]".to_string(),
            (name, true) => format!("saitei {name} [オプション]"),
            (name, false) => format!("saitei {name} {} [オプション]", words.join(" ")),
        };
        let mut command = command
            .override_usage(usage)
            .help_template(HELP)
            .disable_help_flag(true)
            .next_help_heading("オプション")
            .arg(
                clap::arg!(-h --help "使い方を表示する")
                    .action(clap::ArgAction::Help)
                    .display_order(903)
                    .help_heading("オプション"),
            );
        command = command.mut_args(|arg| {
            let heading = if arg.is_positional() { "引数" } else { "オプション" };
            let arg = arg.help_heading(heading);
            if arg.get_action().takes_values() { arg.hide_possible_values(true) } else { arg }
        });
        for name in names {
            command = command.mut_subcommand(name, japanese);
        }
        command
    }
    let option = |arg: clap::Arg, order| arg.display_order(order).help_heading("オプション");
    japanese(Saitei::command().disable_version_flag(true)).args([
        // For the help: `with_find` has made it a command before it is read.
        option(clap::arg!(-i --interactive "端末で、打ちながら探す").action(clap::ArgAction::SetTrue), 0),
        option(clap::arg!(-V --version "版を表示する").action(clap::ArgAction::Version), 904),
    ])
}

/// An argument as the usage line shows it: `<番号>…`, `[ゲーム]`.
fn usage_of(arg: &clap::Arg) -> Option<String> {
    let name = arg.get_value_names()?.first()?;
    let more = if arg.get_num_args().is_some_and(|n| n.max_values() > 1) { "…" } else { "" };
    Some(if arg.is_required_set() { format!("<{name}>{more}") } else { format!("[{name}]{more}") })
}

/// What is wrong with the arguments, in Japanese. clap's own words are English.
fn usage(error: &clap::Error) -> ExitCode {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return match print::written(error.print()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(Failure(message)) => {
                print::complain(&message);
                ExitCode::from(2)
            }
        };
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::from(2);
    }
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(s)) => s.clone(),
        Some(ContextValue::Strings(s)) => s.join("、"),
        _ => String::new(),
    };
    let arg = context(ContextKind::InvalidArg);
    let value = context(ContextKind::InvalidValue);
    let valid = context(ContextKind::ValidValue);
    let near = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue]
        .map(context)
        .into_iter()
        .find(|s| !s.is_empty())
        .map(|s| format!("（{s} のことですか）"))
        .unwrap_or_default();
    let message = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            format!("「{}」というコマンドはありません{near}", context(ContextKind::InvalidSubcommand))
        }
        ErrorKind::UnknownArgument if near.is_empty() => {
            format!("「{arg}」という引数は使えません{}", elsewhere(&arg))
        }
        ErrorKind::UnknownArgument => format!("「{arg}」という引数は使えません{near}"),
        ErrorKind::MissingRequiredArgument if arg.contains("<ゲーム>") => {
            format!("ゲームを書いてください（{} のどれか）", Game::codes())
        }
        ErrorKind::MissingRequiredArgument => format!("{} を書いてください", arg.trim_end_matches('.')),
        ErrorKind::InvalidValue if value.is_empty() && valid.is_empty() => {
            format!("{} の後に値を書いてください", arg.split(' ').next().unwrap_or_default())
        }
        ErrorKind::InvalidValue if value.is_empty() => format!("{arg} に値がありません（使えるもの: {valid}）"),
        ErrorKind::InvalidValue => format!("{arg} に「{value}」は使えません{near}（使えるもの: {valid}）"),
        ErrorKind::ValueValidation => {
            // The reason is English, but all that is read here besides words are numbers from 0 or 1.
            let why = std::error::Error::source(error).map(|e| e.to_string()).unwrap_or_default();
            let why = match why.as_str() {
                "" => String::new(),
                japanese if !japanese.is_ascii() => format!("（{japanese}）"),
                zero if zero.contains("zero") => "（1以上の数を書いてください）".to_string(),
                _ => "（正しい数を書いてください）".to_string(),
            };
            format!("{arg} に「{value}」は使えません{why}")
        }
        ErrorKind::ArgumentConflict => {
            format!("{arg} は {} と一緒に使えません", context(ContextKind::PriorArg))
        }
        ErrorKind::NoEquals | ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues | ErrorKind::TooManyValues => {
            format!("{arg} の値の数が違います")
        }
        ErrorKind::InvalidUtf8 => "引数がUTF-8ではありません".to_string(),
        _ => "引数が正しくありません".to_string(),
    };
    // What the command would have taken, where one is meant.
    let used = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => usage.to_string(),
        _ => String::new(),
    };
    let used = match used.split_once("saitei ").filter(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_lowercase())) {
        Some((_, rest)) => format!("使い方: saitei {}", rest.trim_end()),
        None => "使い方は saitei --help".to_string(),
    };
    print::complain(&format!("{message}\n{used}"));
    ExitCode::from(2)
}

/// Where an argument that a command does not take would be understood.
fn elsewhere(arg: &str) -> String {
    if arg.starts_with(|c: char| c.is_ascii_digit()) {
        return "（条文は saitei show で引けます）".to_string();
    }
    let Some(long) = arg.strip_prefix("--") else { return String::new() };
    let command = Saitei::command();
    let takes = |c: &&clap::Command| !c.is_hide_set() && c.get_arguments().any(|a| a.get_long() == Some(long));
    let names: Vec<&str> = command.get_subcommands().filter(takes).map(clap::Command::get_name).collect();
    if names.is_empty() { String::new() } else { format!("（{} で使えます）", names.join("・")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_command_is_looked_for() {
        for (typed, meant) in [
            ("優先権", "find 優先権"),
            ("show 1", "show 1"),
            ("shwo 1", "shwo 1"),
            ("runn 1", "runn 1"),
            ("-i", "interactive"),
            ("-i 優先権 とは", "interactive 優先権 とは"),
            ("優先権 --interactive とは", "interactive 優先権 とは"),
            ("--data X -i show", "--data X interactive show"),
            ("find 優先権 -i", "interactive 優先権"),
            ("show -i 1", "show -i 1"),
            ("-h -i", "-h -i"),
            ("--json 優先権", "find --json 優先権"),
            ("-g zx 優先権", "find -g zx 優先権"),
            ("-g zx find 優先権", "find -g zx 優先権"),
            ("--no-pager --json -g zx show 1", "--no-pager show --json -g zx 1"),
        ] {
            let args = format!("saitei {typed}").split(' ').map(OsString::from).collect();
            let read: Vec<String> = with_find(args).iter().map(|a| a.to_string_lossy().into_owned()).collect();
            assert_eq!(read.join(" "), format!("saitei {meant}"), "{typed}");
        }
    }
}
