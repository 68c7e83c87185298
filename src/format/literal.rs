//! A value of any kind in a file.

use super::error::dialect;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::Value;

/// Any RON value as JSON; `None`, `()` and `null` are null. Other bare words are errors, not nulls.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Literal(pub Value);

impl<'de> Deserialize<'de> for Literal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<ron::value::RawValue>::deserialize(deserializer)?;
        let written = raw.get_ron().trim();
        let bare = written.chars().all(|c| c.is_alphanumeric() || c == '_')
            && written.starts_with(|c: char| c.is_alphabetic() || c == '_');
        match written {
            "true" | "false" => {}
            "None" | "null" => return Ok(Self(Value::Null)),
            word if bare => {
                return Err(D::Error::custom(format!(
                    "{word} is not a value: write a text in quotes"
                )));
            }
            _ => {}
        }
        let read = dialect().from_str::<Value>(written);
        read.map(Self).map_err(|error| D::Error::custom(error.code))
    }
}
