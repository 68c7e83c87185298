//! Saves a scenario to two files that are not there yet.

use super::judging::exported;
use crate::scenario::RecordedScenario;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Writes a scenario, and next to it the game that it begins from. Says in a sentence what became of them. It overwrites no
/// file.
pub(super) fn save_new(path: &str, scenario: &RecordedScenario) -> String {
    let stem = path.strip_suffix(".ron").unwrap_or(path);
    let stem = stem.strip_suffix(".scenario").unwrap_or(stem);
    let beginning = format!("{stem}.jsonl");
    let name = Path::new(&beginning).file_name().unwrap_or_default();
    let text = scenario.text(&name.to_string_lossy());
    if Path::new(path).exists() {
        return is_there(path);
    }
    let saved = exported(&scenario.beginning)
        .and_then(|game| write_new(&beginning, &game))
        .and_then(|()| write_new(path, text.as_bytes()));
    match saved {
        Ok(()) => format!("Saved to {path} and {beginning}. `dramatis run {path}` plays it."),
        Err(why) => why,
    }
}

fn write_new(path: &str, bytes: &[u8]) -> Result<(), String> {
    let written = File::create_new(path).and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => is_there(path),
        _ => format!("{path} could not be written: {error}."),
    })
}

fn is_there(path: &str) -> String {
    format!("{path} is there already: choose another name.")
}
