//! A value of JSON as RON writes it.

use serde_json::Value;

/// A text as RON writes it.
pub(super) fn quoted(text: &str) -> String {
    ron::to_string(text).unwrap_or_default()
}

/// A value of any kind as RON writes it.
pub(super) fn any(value: &Value) -> String {
    let list = |open: char, parts: Vec<String>, close: char| {
        let parts = parts.join(", ");
        format!("{open}{parts}{close}")
    };
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => list('[', items.iter().map(any).collect(), ']'),
        Value::Object(map) => {
            let parts = map
                .iter()
                .map(|(key, value)| format!("{}: {}", quoted(key), any(value)));
            list('{', parts.collect(), '}')
        }
    }
}
