//! The commands that read journals: `verify`, `replay`, `export`, `regate`.

use super::output::{BROKEN, HELD, print_errors, print_line};
use crate::format::AuthoringError;
use crate::journal::export::{Redaction, export};
use crate::journal::prune_journal;
use crate::journal::record::RecordBody;
use crate::journal::source::{open_journal, read_export};
use crate::journal::{JournalFile, Record, Recorded};
use crate::plans::explain;
use crate::replay::regate::{ChangedRules, regate};
use crate::replay::{ReplayReport, game_after, replay};
use crate::world::ActionRegistry;
use bevy::prelude::App;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

fn unreadable(path: &Path, why: impl ToString) -> u8 {
    let file = path.display().to_string();
    let why = why.to_string();
    // The store's message begins with the file's name, which is printed anyway.
    let why = why.strip_prefix(&format!("{file}: ")).unwrap_or(&why);
    print_errors(&[AuthoringError::whole(&file, why)])
}

/// Opens a journal, a save or an export. A damaged file that can be read is opened too, with the exit code that says so.
fn open(path: &Path) -> Result<(Box<dyn Recorded>, u8), u8> {
    match open_journal(path).map_err(|error| unreadable(path, error))? {
        Some(journal) => {
            let damaged = journal.verify().err();
            let exit = damaged.map_or(HELD, |error| unreadable(path, error));
            Ok((Box::new(journal), exit))
        }
        None => {
            let recording = read_export(path).map_err(|error| unreadable(path, error))?;
            Ok((Box::new(recording), HELD))
        }
    }
}

/// Checks a whole journal. Exit 0: nothing has changed since it was written; 2: something has, or it cannot be read.
pub(super) fn verify(path: &Path) -> u8 {
    let verified = JournalFile::open(path).and_then(|journal| journal.verify());
    match verified {
        Ok(verified) => {
            print_line(&format!("whole  {}  {} records", path.display(), verified));
            HELD
        }
        Err(error) => unreadable(path, error),
    }
}

/// Takes away the history of a journal. Exit 0: done; 2: the file cannot be read.
pub(super) fn prune(path: &Path) -> u8 {
    match prune_journal(path) {
        Ok(records) => {
            let path = path.display();
            print_line(&format!("pruned  {path}  {records} records are gone"));
            HELD
        }
        Err(error) => unreadable(path, error),
    }
}

/// Replays journals, saves or exports. Exit 0: everything happened again as it was recorded; 1: something differs; 2: a file
/// cannot be read.
pub(super) fn replay_all(paths: &[PathBuf], steps: bool, configure: &dyn Fn(&mut App)) -> u8 {
    let mut exit = HELD;
    for path in paths {
        exit = exit.max(replay_one(path, steps, configure));
    }
    exit
}

fn replay_one(path: &Path, steps: bool, configure: &dyn Fn(&mut App)) -> u8 {
    let (recording, damage) = match open(path) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    if steps && let Err(exit) = print_records(path, &*recording) {
        return exit;
    }
    match replay(&*recording, configure) {
        Ok(report) => damage.max(print_report(path, &report)),
        Err(error) => unreadable(path, error),
    }
}

/// Explains the recorded plans. Exit 0: done; 1: there is no such plan; 2: the file cannot be read.
pub(super) fn explain_plans(path: &Path, wanted: Option<&str>, json: bool) -> u8 {
    let (recording, damage) = match open(path) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    // A load begins its plans again: one that has the number of an earlier one is another plan.
    let mut plans: Vec<(String, Vec<Value>, Value)> = Vec::new();
    for seq in 1..=recording.count() {
        let record = match recording.record(seq) {
            Ok(record) => record,
            Err(error) => return unreadable(path, error),
        };
        let Ok(RecordBody::Plan { inputs, .. }) = record.read() else {
            continue;
        };
        let state = record.body.get("state").cloned().unwrap_or_default();
        let happened = json!({"seq": seq, "game": record.game.0, "event": inputs.event, "call": record.body.get("call")});
        let begins = inputs.event.get("Asked").is_some();
        let known = plans.iter_mut().rev().find(|(id, ..)| *id == inputs.plan);
        match known.filter(|_| !begins) {
            Some((_, events, last)) => {
                events.push(happened);
                *last = state;
            }
            None => plans.push((inputs.plan, vec![happened], state)),
        }
    }
    plans.retain(|(id, ..)| wanted.is_none_or(|wanted| wanted == id));
    for (_, events, state) in &plans {
        match json {
            true => print_line(&json!({"plan": state, "events": events}).to_string()),
            false => print_line(&explain(state)),
        }
    }
    match wanted.filter(|_| plans.is_empty()) {
        Some(wanted) => {
            print_line(&format!(
                "{}: there is no plan \"{wanted}\"",
                path.display()
            ));
            BROKEN
        }
        None => damage,
    }
}

/// Prints each record in a line, in order.
fn print_records(path: &Path, recording: &dyn Recorded) -> Result<(), u8> {
    for seq in 1..=recording.count() {
        let record = recording
            .record(seq)
            .map_err(|error| unreadable(path, error))?;
        let what = summary(&record);
        let seconds = record.game.0 as f64 / 1000.0;
        let subject = record.subject.as_deref().unwrap_or("-");
        let line = format!(
            "{seq:>6}  {seconds:>9.3}  {:<11}  {subject:<12}  {what}",
            record.kind.name()
        );
        // Control characters that players and models wrote must not reach the terminal.
        print_line(
            &line
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect::<String>(),
        );
    }
    Ok(())
}

/// What a record says, in a few words. A record that cannot be read says nothing here: the replay names the field.
fn summary(record: &Record) -> String {
    let spoken = |key: &str| {
        let outcome = record.body.get("outcome");
        let text = outcome.and_then(|outcome| outcome.get(key)?.as_str());
        text.unwrap_or_default().to_owned()
    };
    match record.read() {
        Ok(RecordBody::Interaction { inputs, .. }) => format!(
            "\"{}\" -> {} \"{}\"",
            inputs.context.input.unwrap_or_default(),
            spoken("name"),
            spoken("line")
        ),
        Ok(RecordBody::Turn { inputs, .. }) => {
            format!("\"{}\"", inputs.asked.text.unwrap_or_default())
        }
        Ok(RecordBody::AdventureTurn { inputs, .. }) => {
            format!("\"{}\"", inputs.asked.intention.unwrap_or_default())
        }
        Ok(RecordBody::Plan { inputs, .. }) => {
            let event = match &inputs.event {
                Value::Object(event) => event.keys().next().cloned().unwrap_or_default(),
                other => other.as_str().unwrap_or_default().to_owned(),
            };
            format!("{} {event}", inputs.plan)
        }
        Ok(RecordBody::Checkpoint(body)) => body.reason.name().to_owned(),
        Ok(RecordBody::Write(body)) => body.source.name().to_owned(),
        Ok(RecordBody::Refused(body)) => body.error,
        Ok(RecordBody::Input(body)) => format!("{} {}", body.name, body.asked),
        _ => String::new(),
    }
}

fn print_report(path: &Path, report: &ReplayReport) -> u8 {
    for divergence in &report.divergences {
        print_line(&format!("{}: {divergence}", path.display()));
    }
    if let Some(seq) = report.stopped {
        print_line(&format!(
            "{}: the replay stopped at record {seq}: what follows depends on it",
            path.display()
        ));
    }
    print_skipped(path, report);
    if report.holds() {
        print_line(&format!(
            "held  {}  {} records; {} runs and turns happened again",
            path.display(),
            report.records,
            report.repeated
        ));
        return HELD;
    }
    BROKEN
}

fn print_skipped(path: &Path, report: &ReplayReport) {
    for seq in &report.skipped {
        print_line(&format!(
            "{}: record {seq} cannot happen again, since it began before the recording, was interrupted, or something else happened \
             meanwhile: it was taken as given",
            path.display()
        ));
    }
}

/// Writes a redacted copy for a bug report, to a file that does not exist yet or to standard output. `at`: it holds only the
/// game after this record; `None`: it holds everything.
pub(super) fn export_to(
    path: &Path,
    at: Option<u64>,
    out: Option<&Path>,
    redaction: &Redaction,
    configure: &dyn Fn(&mut App),
) -> u8 {
    let (mut recording, damage) = match open(path) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    if let Some(at) = at {
        let last = recording.count();
        if at == 0 || at > last {
            return unreadable(path, format!("it has the records 1 to {last}"));
        }
        match game_after(&*recording, at, configure) {
            Err(error) => return unreadable(path, error),
            Ok(past) => match past.replay.doubt() {
                Some(why) => {
                    let message = format!("the game after record {at} is not known: {why}");
                    return unreadable(path, message).min(BROKEN);
                }
                None => recording = Box::new(past.recording()),
            },
        }
    }
    let done = match out {
        None => export(&*recording, &mut std::io::stdout().lock(), redaction),
        Some(out) => match File::create_new(out) {
            Err(error) => return unreadable(out, error),
            Ok(file) => {
                let mut file = BufWriter::new(file);
                let done = export(&*recording, &mut file, redaction);
                match file.flush() {
                    Ok(()) => done,
                    Err(error) => return unreadable(out, error),
                }
            }
        },
    };
    match done {
        Ok(done) if out.is_some() => {
            print_line(&format!(
                "{} records exported; {} records and assets changed by redaction",
                done.records, done.redacted
            ));
            damage
        }
        Ok(_) => damage,
        Err(error) => unreadable(path, error),
    }
}

/// Judges recorded replies by changed rules. Exit 0: no verdict changes; 1: some do, or they cannot be trusted, since the
/// replay differs or nothing could be judged; 2: a file cannot be read.
pub(super) fn regate_with(
    path: &Path,
    rules: &[PathBuf],
    registry: &ActionRegistry,
    configure: &dyn Fn(&mut App),
) -> u8 {
    let changed = match ChangedRules::read(rules, registry) {
        Ok(changed) => changed,
        Err(errors) => return print_errors(&errors),
    };
    let (recording, damage) = match open(path) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    match regate(&*recording, &changed, configure) {
        Err(error) => unreadable(path, error),
        Ok(report) => {
            for verdict in &report.changed {
                print_line(&verdict.to_string());
            }
            let trusted = report.replay.holds();
            match trusted {
                true => print_skipped(path, &report.replay),
                false => drop(print_report(path, &report.replay)),
            }
            for npc in &report.unused {
                print_line(&format!("nothing of {npc} was judged"));
            }
            let judged = report.runs + report.turns;
            let changed = report.changed.len() as u64 + report.left_out;
            print_line(&format!(
                "{changed} verdicts of {judged} runs, turns and plans change"
            ));
            // Where nothing could be judged, nothing is known.
            let knows = judged > 0 || report.replay.skipped.is_empty();
            match (changed, trusted && knows) {
                (0, true) => damage,
                _ => damage.max(BROKEN),
            }
        }
    }
}
