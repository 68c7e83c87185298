//! Fields of cards, whatever their types are.

use super::bounds::MAX_TEXT_BYTES;
use crate::text::is_visible;
use serde_json::Value;

/// Whether a value holds anything that can be read.
pub(super) fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => is_visible(text),
        Value::Array(list) => list.iter().any(says_something),
        Value::Object(fields) => fields.values().any(says_something),
        _ => true,
    }
}

/// A field of an object. Some programs write blanks around its name.
pub(super) fn field<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    let fields = value.as_object()?;
    let exact = fields.get(name);
    exact.or_else(|| {
        fields
            .iter()
            .find(|(key, _)| key.trim() == name)
            .map(|(_, value)| value)
    })
}

/// A text that says something; of another type it says nothing.
pub(super) fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    let text = field(value, name)?.as_str()?;
    (is_visible(text) && text.len() <= MAX_TEXT_BYTES).then_some(text)
}
