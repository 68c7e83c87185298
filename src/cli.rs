//! The command line `dramatis`, also as a library call: a game's own binary with its own rules and checks.
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     bevy_dramatis::cli::main(|app| {
//!         // app.add_npc_action::<Cast>(), and so on
//!     })
//! }
//! ```

mod adventure_chat;
mod bench;
mod cards;
mod chat;
mod fmt;
mod journals;
mod lines;
mod new;
mod output;
mod schema;

use self::bench::BenchArguments;
use self::output::{BROKEN, HELD, UNREADABLE, print_errors, print_line};
use crate::bench::Bench;
use crate::format::AuthoringError;
use crate::journal::Redaction;
use crate::lint::{self, LintOptions};
use crate::scenario::{Scenario, play, registry_of, scenario_files};
use crate::world::ActionRegistry;
use bevy::prelude::App;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(
    name = "dramatis",
    version,
    about = "Plays and checks the files of bevy_dramatis"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays scenarios, without a window and without a model. Exit code 0: all expectations held; 1: some did not; 2: a
    /// file cannot be read.
    Run {
        /// Files, or folders with `.scenario.ron` files.
        #[arg(required = true)]
        scenarios: Vec<PathBuf>,
        /// Print the trace of each scenario as one line of JSON.
        #[arg(long)]
        json: bool,
    },
    /// Looks for mistakes in authored files. Exit code 0: none found; 1: some found; 2: a file cannot be read.
    Check {
        /// Authored files, or folders with such files.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
    /// Talks to a character of a scenario, line by line; a line that begins with `>` is what the player does, such as `> take
    /// the key`. It uses the server that `DRAMATIS_URL` names, else the scenario's replies.
    Chat {
        /// The `.scenario.ron` file.
        scenario: PathBuf,
        /// The id of the character; without it the first one of the scenario.
        #[arg(long)]
        npc: Option<String>,
    },
    /// Writes a file to begin with. Exit code 0: done; 2: it cannot be written, or is there already.
    New {
        /// What kind of file.
        kind: new::Kind,
        /// The new file, such as `assets/npcs/bram`; the ending may be left out. Its name becomes the id.
        path: PathBuf,
    },
    /// Prints what may be written into a kind of file, as a JSON Schema for editors; or writes the schemas of all kinds into a
    /// folder. Exit code 0: done; 2: a file cannot be written.
    #[command(group = clap::ArgGroup::new("which").required(true))]
    Schema {
        /// The kind of file.
        #[arg(value_parser = clap::builder::PossibleValuesParser::new(schema::kinds()), group = "which")]
        kind: Option<String>,
        /// The folder; it is made where it is not there.
        #[arg(long, short, group = "which")]
        output: Option<PathBuf>,
    },
    /// Writes authored files in one style: indentation, blanks and commas. Words, comments and the breaks of lines stay. Exit code
    /// 0: done; 1: with `--check`, a file is not in that style; 2: a file cannot be read or written.
    Fmt {
        /// Authored files, or folders with such files.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// Change nothing, and list the files that are not in this style.
        #[arg(long)]
        check: bool,
    },
    /// Imports character cards and lorebooks of other programs (JSON, PNG, CHARX) as files of one cast. Exit code 0: done; 1: done,
    /// and something that the cards say is left out, which is listed; 2: a file cannot be read or written.
    Import {
        /// The cards and lorebooks.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The folder of the new files; it is made where it is not there.
        #[arg(long, short, default_value = ".")]
        output: PathBuf,
    },
    /// Writes a character as a character card of version 2, for other programs. Exit code 0: done; 2: a file cannot be read or
    /// written.
    ExportCard {
        /// The `.npc.ron` file.
        character: PathBuf,
        /// A `.story.ron` file, whose lore becomes the lorebook of the card.
        #[arg(long)]
        story: Option<PathBuf>,
        /// The new file; without it the card goes to standard output.
        #[arg(long, short)]
        output: Option<PathBuf>,
    },
    /// Sends a player's lines to a real engine and counts usable answers and correct actions. Exit code 0: it ran, whatever was
    /// answered; 2: a file cannot be read or written, or no engine can be used.
    Bench(BenchArguments),
    /// Verifies that a journal or a save has not been changed since it was written. Exit code 0: it has not; 2: it has, or
    /// it cannot be read.
    Verify {
        /// The journal or the save.
        file: PathBuf,
    },
    /// Takes away the history of a journal or a save and keeps the game as it is. No game may have the file open. Exit code 0:
    /// done; 2: the file cannot be read, and is as it was.
    Prune {
        /// The journal or the save.
        file: PathBuf,
    },
    /// Replays journals, saves or exports without a model, and compares what happens with what was recorded. Exit code 0:
    /// all is the same; 1: something differs; 2: a file cannot be read.
    Replay {
        /// The journals, saves or exports.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print one line for each record.
        #[arg(long)]
        steps: bool,
    },
    /// Writes a journal or a save as one file for a bug report, without secrets. Exit code 0: done; 1: the game at
    /// record `--at` cannot be rebuilt, because the replay differs from the recording before it; 2: the file cannot be read or
    /// written.
    Export {
        /// The journal or the save.
        file: PathBuf,
        /// Writes only the game as it was after this record, which a scenario can begin from.
        #[arg(long, value_name = "RECORD")]
        at: Option<u64>,
        /// The new file; without it the export goes to standard output.
        #[arg(long, short)]
        output: Option<PathBuf>,
        /// A word to leave out everywhere. It may be given several times.
        #[arg(long = "redact", value_name = "WORD")]
        words: Vec<String>,
    },
    /// Explains the plans in a journal, save or export: each check, factor, gate, decision and step. Exit code 0: done; 1: there
    /// is no such plan; 2: the file cannot be read.
    Plan {
        /// The journal, save or export.
        file: PathBuf,
        /// The plan, such as p1; without it all plans.
        #[arg(long)]
        plan: Option<String>,
        /// Print each plan as one line of JSON, with what happened to it.
        #[arg(long)]
        json: bool,
    },
    /// Judges recorded replies by changed rules, and lists the verdicts that change. Exit code 0: none; 1: some, or it
    /// cannot be known; 2: a file cannot be read.
    Regate {
        /// The journal, save or export.
        file: PathBuf,
        /// The changed `.story.ron`, `.npc.ron` or `.scenario.ron` files.
        #[arg(required = true)]
        rules: Vec<PathBuf>,
    },
}

/// Runs the command line with the arguments of this process. `configure` adds to an app what the game adds to its own:
/// actions, conditions, rules and checks. The exit codes are in the help of the commands; arguments that are not understood
/// end with 2.
pub fn main(configure: impl Fn(&mut App)) -> ExitCode {
    match Arguments::try_parse() {
        Ok(arguments) => ExitCode::from(run(arguments, &configure)),
        Err(error) => {
            // Help and version are not errors; clap knows where each belongs.
            let _ = error.print();
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(UNREADABLE))
        }
    }
}

fn run(arguments: Arguments, configure: &dyn Fn(&mut App)) -> u8 {
    let registry = registry_of(configure);
    match arguments.command {
        Command::Run { scenarios, json } => play_all(&scenarios, json, &registry, configure),
        Command::Check { paths } => check_all(&paths, registry),
        Command::Chat { scenario, npc } => match Scenario::read(&scenario, &registry) {
            Ok(scenario) => chat::talk(&scenario, npc.as_deref(), configure),
            Err(errors) => print_errors(&errors),
        },
        Command::Bench(arguments) => match Bench::read(&arguments.bench, &registry) {
            Ok(bench) => bench::measure(bench, &arguments, configure),
            Err(errors) => print_errors(&errors),
        },
        Command::New { kind, path } => new::write(kind, &path),
        Command::Schema {
            kind: Some(kind), ..
        } => schema::print(&kind),
        Command::Schema { output, .. } => schema::write_all(&output.unwrap_or_default()),
        Command::Fmt { paths, check } => fmt::write_all(&paths, check),
        Command::Import { files, output } => cards::import(&files, &output),
        Command::ExportCard {
            character,
            story,
            output,
        } => cards::export(&character, story.as_deref(), output.as_deref(), &registry),
        Command::Verify { file } => journals::verify(&file),
        Command::Prune { file } => journals::prune(&file),
        Command::Replay { files, steps } => journals::replay_all(&files, steps, configure),
        Command::Export {
            file,
            at,
            output,
            words,
        } => {
            let redaction = Redaction::default().also(words.iter().map(String::as_str));
            journals::export_to(&file, at, output.as_deref(), &redaction, configure)
        }
        Command::Plan { file, plan, json } => journals::explain_plans(&file, plan.as_deref(), json),
        Command::Regate { file, rules } => {
            journals::regate_with(&file, &rules, &registry, configure)
        }
    }
}

/// Everything is read before anything is played: standard output stays empty when something is unreadable.
fn play_all(
    paths: &[PathBuf],
    json: bool,
    registry: &ActionRegistry,
    configure: &dyn Fn(&mut App),
) -> u8 {
    let mut scenarios = Vec::new();
    let mut errors = Vec::new();
    for path in paths {
        match scenario_files(path) {
            Ok(files) if files.is_empty() => {
                let file = path.display().to_string();
                errors.push(AuthoringError::whole(
                    &file,
                    "there is no .scenario.ron file in this folder",
                ));
            }
            Ok(files) => {
                for file in files {
                    match Scenario::read(&file, registry) {
                        Ok(scenario) => scenarios.push(scenario),
                        Err(found) => errors.extend(found),
                    }
                }
            }
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return print_errors(&errors);
    }
    let mut exit = HELD;
    let mut held = 0;
    for scenario in &scenarios {
        let played = play(scenario, configure);
        if json {
            print_line(&played.trace.to_string());
        }
        for failed in &played.failed {
            let message = failed.to_string();
            let error =
                AuthoringError::at(&scenario.file, &scenario.source, &failed.place, message);
            print_errors(&[error]);
            exit = BROKEN;
        }
        held += usize::from(played.failed.is_empty());
        if !json && played.failed.is_empty() {
            print_line(&format!("held  {}  {}", scenario.file, scenario.spec.name));
        }
    }
    if !json {
        print_line(&format!("{held} of {} scenarios held", scenarios.len()));
    }
    exit
}

fn check_all(paths: &[PathBuf], registry: ActionRegistry) -> u8 {
    let options = LintOptions { registry };
    let mut exit = HELD;
    for path in paths {
        let report = lint::check_path_with(path, &options);
        for finding in &report.findings {
            print_line(&finding.to_string());
            exit = exit.max(BROKEN);
        }
        if !report.unreadable.is_empty() {
            exit = exit.max(print_errors(&report.unreadable));
        }
    }
    exit
}
