//! `dramatis bench`: which model and form suits a game.

use super::output::{HELD, print_errors, print_line, print_words};
use crate::base::fixed::Millis;
use crate::bench::{self, Bench, BenchRun, Candidate};
use crate::engine::{EngineSetupError, EngineStatus, FromEnv, SharedEngine};
use crate::format::AuthoringError;
use crate::journal::{Recording, Redaction, export};
use crate::policy::Form;
use bevy::prelude::App;
use clap::Args;
use std::cell::Cell;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long the program sleeps between two looks at an engine.
const PAUSE: Duration = Duration::from_millis(1);

#[derive(Args)]
pub(super) struct BenchArguments {
    /// The `.bench.ron` file.
    pub(super) bench: PathBuf,
    /// The forms in which characters are asked: `Together`, `Apart`, or both with a comma. Without it, as the files say.
    #[arg(long, value_name = "FORM,..", value_delimiter = ',', value_parser = form)]
    form: Vec<Form>,
    /// A server, and the name of its model. It may be given several times. Without it, the server that the environment names.
    #[arg(long = "engine", value_name = "URL[,MODEL]")]
    engines: Vec<String>,
    /// Runs only the cases whose ids start with this text. It may be given several times.
    #[arg(long = "case", value_name = "ID")]
    cases: Vec<String>,
    /// Print one JSON object, with each reply.
    #[arg(long)]
    json: bool,
    /// Write what happened to this new file, for `dramatis regate` and `replay`.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

fn form(written: &str) -> Result<Form, String> {
    match written.trim() {
        "Together" | "together" => Ok(Form::Together),
        "Apart" | "apart" => Ok(Form::Apart),
        _ => Err("the forms are Together and Apart".to_owned()),
    }
}

/// Asks all engines in all forms.
pub(super) fn measure(
    mut bench: Bench,
    arguments: &BenchArguments,
    configure: &dyn Fn(&mut App),
) -> u8 {
    let file = arguments.bench.display().to_string();
    let fail = |file: &str, why: String| print_errors(&[AuthoringError::whole(file, why)]);
    if let Err(why) = bench.keep(&arguments.cases) {
        return fail(&file, why);
    }
    let candidates = match candidates(&arguments.engines) {
        Ok(candidates) => candidates,
        Err((name, why)) => return fail(&name, why),
    };
    let record = match &arguments.record {
        None => None,
        // Before anything is asked: an hour of replies is not lost to a wrong path.
        Some(path) => match File::create_new(path) {
            Ok(file) => Some((path.as_path(), file)),
            Err(error) => return fail(&path.display().to_string(), error.to_string()),
        },
    };
    let mut recording = record.is_some().then(Recording::default);
    let forms: Vec<Option<Form>> = match arguments.form.is_empty() {
        true => vec![None],
        false => arguments.form.iter().copied().map(Some).collect(),
    };
    let run = BenchRun {
        bench: &bench,
        wait: &waiting(),
        of_game: configure,
        progress: &show_progress,
    };
    let mut figures = Vec::new();
    for candidate in &candidates {
        wait_until_ready(&candidate.engine);
        for form in &forms {
            match run.ask(candidate, *form, recording.as_mut()) {
                Ok(measured) => figures.push(measured),
                Err(why) => return fail(&file, why.to_string()),
            }
        }
    }
    match arguments.json {
        true => print_line(&bench::to_json(&bench, &figures).to_string()),
        false => print_words(&bench::to_text(&bench, &figures)),
    }
    match (record, recording) {
        (Some((path, file)), Some(recording)) => write(path, file, &recording),
        _ => HELD,
    }
}

/// The engines that are asked. The error says which one cannot be used, and why.
fn candidates(written: &[String]) -> Result<Vec<Candidate>, (String, String)> {
    let from = |name: &str, env: FromEnv| match env.engine() {
        None => Err((
            "environment".to_owned(),
            "no engine is named: add --engine URL,MODEL or set DRAMATIS_URL".to_owned(),
        )),
        Some(Err(error)) => Err((name.to_owned(), error.to_string())),
        Some(Ok(engine)) => Ok(engine),
    };
    if written.is_empty() {
        let engine: SharedEngine = from("environment", FromEnv::read())?;
        let name = std::env::var("DRAMATIS_URL");
        return Ok(vec![Candidate {
            name: name.unwrap_or_else(|_| engine.identity().provider),
            engine,
        }]);
    }
    let named = written.iter().map(|written| {
        let (url, model) = match written.split_once(',') {
            Some((url, model)) => (url.trim(), Some(model.trim())),
            None => (written.trim(), None),
        };
        let env = FromEnv::from_lookup(|name| match (name, model) {
            ("DRAMATIS_URL", _) => Ok(Some(url.to_owned())),
            ("DRAMATIS_MODEL", Some(model)) => Ok(Some(model.to_owned())),
            ("DRAMATIS_SERVER" | "DRAMATIS_GGUF", _) => Ok(None),
            _ => match std::env::var(name) {
                Err(std::env::VarError::NotUnicode(_)) => Err(EngineSetupError::NotUnicode(name)),
                value => Ok(value.ok()),
            },
        });
        Ok(Candidate {
            name: url.to_owned(),
            engine: from("--engine", env)?,
        })
    });
    named.collect()
}

/// Sleeps, and says how many milliseconds have passed since it was last called.
fn waiting() -> impl Fn() -> Millis {
    let last = Cell::new(Instant::now());
    move || {
        std::thread::sleep(PAUSE);
        let passed = last.get().elapsed().as_millis();
        let passed = u64::try_from(passed).unwrap_or_default();
        // What is less than a millisecond counts the next time.
        last.set(last.get() + Duration::from_millis(passed));
        Millis(i64::try_from(passed).unwrap_or_default())
    }
}

/// A server that this program has started loads its model first.
fn wait_until_ready(engine: &SharedEngine) {
    while let EngineStatus::Starting(_) = engine.status() {
        std::thread::sleep(PAUSE);
    }
}

/// Standard output is for the figures.
fn show_progress(asked: usize, all: usize) {
    let mut err = std::io::stderr().lock();
    if err.is_terminal() {
        let end = if asked == all { "\n" } else { "\r" };
        // When standard error is closed, there is no place to report it.
        let _ = write!(err, "{asked} of {all}{end}");
    }
}

fn write(path: &Path, file: File, recording: &Recording) -> u8 {
    let mut file = BufWriter::new(file);
    let done = export(recording, &mut file, &Redaction::default());
    let done = done.map_err(|error| error.to_string());
    let done = done.and_then(|_| file.flush().map_err(|error| error.to_string()));
    match done {
        Ok(()) => HELD,
        Err(why) => print_errors(&[AuthoringError::whole(&path.display().to_string(), why)]),
    }
}
