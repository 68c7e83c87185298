//! Fields of a JSON object, taken out by name and checked for their type.

use super::invalid::{InvalidFormat, InvalidKind};
use serde_json::{Map, Value};

/// Takes a field by its name, or else by its other spelling. If the first exists, the other stays and is unknown.
fn take(fields: &mut Map<String, Value>, key: &str, other: &str) -> Option<Value> {
    fields
        .remove(key)
        .filter(|v| !v.is_null())
        .or_else(|| fields.remove(other).filter(|v| !v.is_null()))
}

pub(super) fn string(
    fields: &mut Map<String, Value>,
    key: &str,
    other: &str,
    place: &str,
) -> Result<Option<String>, InvalidFormat> {
    match if other.is_empty() {
        fields.remove(key)
    } else {
        take(fields, key, other)
    } {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(s)) => Ok(Some(s)),
        Some(_) => Err(wrong_type(place, key, "a string")),
    }
}

pub(super) fn number(
    fields: &mut Map<String, Value>,
    key: &str,
    place: &str,
) -> Result<Option<f64>, InvalidFormat> {
    match fields.remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(v) => match v.as_f64().filter(|n| n.is_finite()) {
            Some(n) => Ok(Some(n)),
            None => Err(wrong_type(place, key, "a number")),
        },
    }
}

pub(super) fn array(
    fields: &mut Map<String, Value>,
    key: &str,
    other: &str,
) -> Result<Vec<Value>, InvalidFormat> {
    match take(fields, key, other) {
        None => Ok(Vec::new()),
        Some(Value::Array(entries)) => Ok(entries),
        Some(_) => Err(wrong_type("the envelope", key, "an array")),
    }
}

pub(super) fn object(
    entry: Value,
    what: &str,
    index: usize,
) -> Result<Map<String, Value>, InvalidFormat> {
    match entry {
        Value::Object(fields) => Ok(fields),
        _ => Err(InvalidFormat::new(
            InvalidKind::NotAnObject,
            format!("{what} {index} is no object"),
        )),
    }
}

pub(super) fn wrong_type(place: &str, key: &str, expected: &str) -> InvalidFormat {
    InvalidFormat::new(
        InvalidKind::WrongType,
        format!("{key:?} of {place} is not {expected}"),
    )
}
