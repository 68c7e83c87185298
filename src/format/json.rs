//! Files in JSON, for editors that complete and check by a JSON Schema.
//!
//! The types are those of RON. A value is read by its type and written as RON at the same time, so that everything behind this file
//! knows one dialect: records, replays and exports hold RON.

mod as_ron;
mod error;
mod value;

use self::value::JsonValue;
use super::outline;
use super::unique::Unique;
use serde::de::DeserializeOwned;
use std::cell::RefCell;

/// Whether a file is JSON. A file of that name whose text was written as RON before is not.
pub(super) fn is_json(source: &str, origin: &str) -> bool {
    let text = source.trim_start();
    let list = || text.strip_prefix('[').map(str::trim_start);
    origin.ends_with(".json")
        && (text.starts_with('{') || list().is_some_and(|rest| rest.starts_with(['{', ']'])))
}

/// How a file's fields are read.
const FIELDS: Unique = Unique {
    twice: |field| format!("the field \"{}\" is listed twice", field.escape_debug()),
    reads_on: false,
};

/// What is wrong with a file: line and column from 1, and the message.
pub(super) type Wrong = ((usize, usize), String);

/// Reads a value, and writes it as RON.
pub(super) fn read<T: DeserializeOwned>(source: &str) -> Result<(T, String), Wrong> {
    let value = FIELDS.read(source).map_err(|error| {
        let place = (error.line().max(1), error.column().max(1));
        (place, of_syntax(&error))
    })?;
    let ron = RefCell::default();
    let read = T::deserialize(JsonValue {
        value: &value,
        at: String::new(),
        ron: &ron,
    });
    let read = read.map_err(|error| {
        let place = outline::position(source, error.at.as_deref().unwrap_or_default());
        (place, error.message("this"))
    })?;
    Ok((read, ron.into_inner()))
}

fn of_syntax(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return "the file ends too early: something is not closed".to_owned();
    }
    let message = error.to_string();
    let end = message.rfind(" at line ").unwrap_or(message.len());
    match error.is_data() {
        true => message[..end].to_owned(),
        false => format!("this is no JSON: {}", &message[..end]),
    }
}

#[cfg(test)]
mod tests;
