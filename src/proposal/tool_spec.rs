//! Tools that a game adds to those of the extractors.

use crate::text::PromptWords;
use bevy::reflect::Reflect;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use thiserror::Error;

/// The names of the tools that are built in.
const BUILT_IN: [&str; 3] = ["state_set", "state_adjust", "lore_upsert"];
/// The most fields of a tool.
const MAX_FIELDS: usize = 8;
/// The most characters of a name.
const MAX_NAME: usize = 32;
/// The most characters that a text may be allowed to have.
const MAX_TEXT: usize = 2_000;

/// Whose extractor has a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum ToolReader {
    /// That of characters: it reads what a character wanted to do.
    Characters,
    /// That of personas: it reads what a persona wanted to do.
    Personas,
    /// That of lore: it reads the narration.
    Lore,
}

/// What a field of a tool may hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum ToolField {
    /// A text of at most so many characters, not empty. It is judged as what is told is.
    Text(usize),
    /// A whole number from the first to the second.
    Whole(i64, i64),
    /// One of these words.
    OneOf(Vec<String>),
    /// `true` or `false`.
    Truth,
}

/// A value that a model gave to a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Reflect)]
#[reflect(opaque)]
#[serde(untagged)]
pub enum ToolValue {
    /// The value of a field that takes `true` or `false`.
    Truth(bool),
    /// A whole number.
    Whole(i64),
    /// A text, or one of the words.
    Text(String),
}

/// A tool of a game. What a model calls it with is read by its fields and judged; then the game is told, once the turn was
/// committed.
///
/// ```
/// use bevy_dramatis::proposal::{ToolField, ToolReader, ToolSpec};
///
/// let promise = ToolSpec::new("promise", "notes what was promised", ToolReader::Characters)
///     .field("to", ToolField::Text(64))
///     .field("what", ToolField::Text(200))
///     .field("days", ToolField::Whole(0, 365));
/// assert_eq!(promise.name, "promise");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolSpec {
    /// Its name, as models write it.
    pub name: String,
    /// What it does, for the prompt: words that follow on its name.
    pub says: String,
    /// Whose extractor has it.
    pub reader: ToolReader,
    /// Its fields by name, all of them needed.
    pub fields: BTreeMap<String, ToolField>,
}

/// Why a tool cannot be added.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum ToolError {
    /// A name is not made of 1 to 32 small letters, digits and `_`.
    #[error("\"{0}\" is no name of a tool or a field: 1-32 of a-z 0-9 _")]
    BadName(String),
    /// A tool has this name already.
    #[error("the name \"{0}\" is taken")]
    Taken(String),
    /// It has more than 8 fields.
    #[error("the tool \"{0}\" has too many fields")]
    TooManyFields(String),
    /// Nothing fits into a field.
    #[error("nothing fits into the field \"{1}\" of the tool \"{0}\"")]
    EmptyField(String, String),
}

impl ToolSpec {
    /// A tool without fields.
    #[must_use]
    pub fn new(name: impl Into<String>, says: impl Into<String>, reader: ToolReader) -> Self {
        Self {
            name: name.into(),
            says: says.into(),
            reader,
            fields: BTreeMap::new(),
        }
    }

    /// The same tool with one more field.
    #[must_use]
    pub fn field(mut self, name: impl Into<String>, field: ToolField) -> Self {
        self.fields.insert(name.into(), field);
        self
    }

    /// Whether it can be added.
    ///
    /// # Errors
    /// See `ToolError`.
    pub(crate) fn check(&self) -> Result<(), ToolError> {
        let fine = |name: &str| {
            (1..=MAX_NAME).contains(&name.len())
                && name
                    .bytes()
                    .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
        };
        let mut names = self.fields.keys().chain([&self.name]);
        let taken = |name: &&str| matches!(*name, "tool" | "target" | "confidence");
        if let Some(bad) = names.find(|name| !fine(name)) {
            return Err(ToolError::BadName(bad.chars().take(80).collect()));
        }
        let own = BUILT_IN.into_iter().find(|name| *name == self.name);
        let field = self.fields.keys().map(String::as_str).find(taken);
        if let Some(name) = own.or(field) {
            return Err(ToolError::Taken(name.to_owned()));
        }
        if self.fields.len() > MAX_FIELDS {
            return Err(ToolError::TooManyFields(self.name.clone()));
        }
        let empty = self.fields.iter().find(|(_, field)| match field {
            ToolField::Text(most) => *most == 0 || *most > MAX_TEXT,
            ToolField::Whole(least, most) => least > most,
            ToolField::OneOf(words) => words.is_empty(),
            ToolField::Truth => false,
        });
        match empty {
            Some((name, _)) => Err(ToolError::EmptyField(self.name.clone(), name.clone())),
            None => Ok(()),
        }
    }

    /// The schema of a call.
    pub(crate) fn schema_fields(&self) -> Value {
        let fields = self.fields.iter().map(|(name, field)| {
            let schema = match field {
                ToolField::Text(most) => {
                    json!({"type": "string", "minLength": 1, "maxLength": most})
                }
                ToolField::Whole(least, most) => {
                    json!({"type": "integer", "minimum": least, "maximum": most})
                }
                ToolField::OneOf(words) => json!({"enum": words}),
                ToolField::Truth => json!({"type": "boolean"}),
            };
            (name.clone(), schema)
        });
        Value::Object(fields.collect())
    }

    /// How a prompt tells of it.
    pub(crate) fn line(&self, words: &PromptWords) -> String {
        let fields = self.fields.iter().map(|(name, field)| {
            let may = match field {
                ToolField::Text(_) => words.get("value_text").to_owned(),
                ToolField::Whole(least, most) => {
                    let range = [("least", &*least.to_string()), ("most", &*most.to_string())];
                    words.say("field_range", &range)
                }
                ToolField::OneOf(values) => values.join(words.get("field_or")),
                ToolField::Truth => words.get("field_flag").to_owned(),
            };
            format!(", \"{name}\": {may}")
        });
        let fields: String = fields.collect();
        format!("{{\"tool\": \"{}\"{fields}}} {}", self.name, self.says)
    }

    /// Reads the fields of a call. The error says in one sentence what is wrong.
    pub(super) fn read(
        &self,
        fields: &mut Map<String, Value>,
    ) -> Result<BTreeMap<String, ToolValue>, String> {
        let values = self.fields.iter().map(|(name, field)| {
            let given = fields.remove(name).unwrap_or(Value::Null);
            let value = match (field, given) {
                (ToolField::Text(most), Value::String(text)) => {
                    let text = crate::text::without_controls(&text).trim().to_owned();
                    let fits = (1..=*most).contains(&text.chars().count());
                    fits.then_some(ToolValue::Text(text))
                }
                (ToolField::Whole(least, most), Value::Number(number)) => number
                    .as_i64()
                    .filter(|number| (least..=most).contains(&number))
                    .map(ToolValue::Whole),
                (ToolField::OneOf(words), Value::String(text)) => {
                    words.contains(&text).then_some(ToolValue::Text(text))
                }
                (ToolField::Truth, Value::Bool(truth)) => Some(ToolValue::Truth(truth)),
                _ => None,
            };
            match value {
                Some(value) => Ok((name.clone(), value)),
                None => Err(format!("{name} is not what the tool takes")),
            }
        });
        values.collect()
    }
}
