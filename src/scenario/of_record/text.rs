//! Writes values of a recording in the form of a scenario file.

use crate::base::fixed::Millis;
use crate::world::{Placement, WorldValue};

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    // Nothing but writing to memory, which does not fail.
    ron::to_string(text).unwrap_or_else(|_| format!("{text:?}"))
}

/// A longer text: where quotes and backslashes would all be escaped, as it is.
pub(super) fn reply(text: &str) -> String {
    let is_plain = text.chars().all(|c| c == '\n' || !c.is_control());
    let gains = text.contains(['"', '\\']);
    match is_plain && gains && !text.contains("\"#") {
        true => format!("r#\"{text}\"#"),
        false => quoted(text),
    }
}

pub(super) fn value(value: &WorldValue) -> String {
    match value {
        WorldValue::Bool(value) => value.to_string(),
        WorldValue::Int(value) => value.to_string(),
        WorldValue::Text(text) => quoted(text),
    }
}

/// A list of texts.
pub(super) fn list<T: AsRef<str>>(texts: &[T]) -> String {
    let texts = texts.iter().map(|text| quoted(text.as_ref()));
    format!("[{}]", texts.collect::<Vec<_>>().join(", "))
}

pub(super) fn placement(at: &Placement) -> String {
    match at {
        Placement::In(id) => format!("In({})", quoted(id)),
        Placement::CarriedBy(id) => format!("CarriedBy({})", quoted(id)),
        Placement::Offstage => "Offstage".to_owned(),
    }
}

/// A span in seconds.
pub(super) fn seconds(span: Millis) -> String {
    let sign = if span.0 < 0 { "-" } else { "" };
    let millis = span.0.unsigned_abs();
    format!("{sign}{}.{:03}", millis / 1_000, millis % 1_000)
}
