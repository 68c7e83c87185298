//! Replies of extractors: typed calls that write states and lore.

use super::envelope::fields_of;
use super::invalid::{InvalidFormat, InvalidKind};
use super::json_fields::wrong_type;
use super::locate::{Located, locate};
use super::options::ParseOptions;
use super::proposed::ParseWarning;
use super::reply_text::text_of;
use super::tool_spec::{ToolSpec, ToolValue};
use crate::base::fixed::Millionths;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The longest label, key, title or keyword, in characters.
const MAX_NAME: usize = 64;
/// The longest text of lore, in characters.
const MAX_TEXT: usize = 2_000;
/// The most keywords of an entry of lore.
const MAX_KEYWORDS: usize = 16;
/// The highest level that a call may set.
const MAX_LEVEL: i64 = 30;

/// What an extractor wants to write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "tool", rename_all = "snake_case")]
pub enum ToolCall {
    /// A state gets this level.
    StateSet {
        /// The id of whose state it is; `None`: the extractor's own.
        target: Option<String>,
        /// The category of the state.
        category: String,
        /// The name of the state.
        label: String,
        /// Its level from now on, 0 to 30.
        level: u8,
        /// How sure the extractor is, 0 to 1; `None` when it does not say.
        confidence: Option<Millionths>,
    },
    /// The level of a state changes.
    StateAdjust {
        /// The id of whose state it is; `None`: the extractor's own.
        target: Option<String>,
        /// The category of the state.
        category: String,
        /// The name of the state.
        label: String,
        /// By how much.
        by: i64,
        /// How sure the extractor is, 0 to 1; `None` when it does not say.
        confidence: Option<Millionths>,
    },
    /// An entry of lore is new, or says something else.
    LoreUpsert {
        /// The key of the entry.
        key: String,
        /// The true statement, 1 to 2,000 characters.
        text: String,
        /// Its title; `None`: the key.
        title: Option<String>,
        /// Words that make it relevant; empty: those of its title.
        keywords: Vec<String>,
        /// How sure the extractor is, 0 to 1; `None` when it does not say.
        confidence: Option<Millionths>,
    },
    /// A tool of the game was called.
    Custom {
        /// The name of the tool.
        name: String,
        /// What it was called with, by field.
        fields: BTreeMap<String, ToolValue>,
        /// How sure the extractor is, 0 to 1; `None` when it does not say.
        confidence: Option<Millionths>,
    },
}

impl ToolCall {
    /// The name of the tool.
    #[must_use]
    pub fn tool(&self) -> &str {
        match self {
            Self::StateSet { .. } => "state_set",
            Self::StateAdjust { .. } => "state_adjust",
            Self::LoreUpsert { .. } => "lore_upsert",
            Self::Custom { name, .. } => name,
        }
    }

    /// Whose state it writes; `None` for its own, and for lore.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        match self {
            Self::StateSet { target, .. } | Self::StateAdjust { target, .. } => target.as_deref(),
            Self::LoreUpsert { .. } | Self::Custom { .. } => None,
        }
    }

    /// How sure the extractor is, 0 to 1; `None` when it does not say.
    #[must_use]
    pub fn confidence(&self) -> Option<Millionths> {
        match self {
            Self::StateSet { confidence, .. }
            | Self::StateAdjust { confidence, .. }
            | Self::LoreUpsert { confidence, .. }
            | Self::Custom { confidence, .. } => *confidence,
        }
    }
}

/// A call as it was read: the tool's name as the reply spells it, and the call, or why it is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadCall {
    /// The name of the tool.
    pub tool: String,
    /// The call; the error says in one sentence why it is none.
    pub call: Result<ToolCall, String>,
}

/// The most calls that are read; a reply with more has the rest refused by the gate's quota all the same.
const MAX_READ: usize = 64;

/// Reads the reply of an extractor: an object with `calls`. `tools` are those of the game that it has.
///
/// # Errors
/// `InvalidFormat`, with the kind of what is wrong: prose, or an object without an array `calls`.
pub(crate) fn parse_calls(
    bytes: &[u8],
    options: &ParseOptions,
    tools: &[ToolSpec],
) -> Result<(Vec<ReadCall>, Vec<ParseWarning>), InvalidFormat> {
    let (calls, fields) = calls_of(bytes, options)?;
    let unknown = fields.keys().take(8);
    let warnings = unknown
        .map(|name| ParseWarning::unknown_field(name))
        .collect();
    let calls = calls.map(|call| read_call(call, tools)).collect();
    Ok((calls, warnings))
}

/// The entries of `calls` of an object, and its other fields.
pub(super) fn calls_of(
    bytes: &[u8],
    options: &ParseOptions,
) -> Result<(impl Iterator<Item = Value>, Map<String, Value>), InvalidFormat> {
    let Located::Envelope(object) = locate(text_of(bytes)?)? else {
        let message = "the answer is to be a JSON object with calls";
        return Err(InvalidFormat::new(InvalidKind::Json, message));
    };
    let mut fields = fields_of(&object, options.finish)?;
    match fields.remove("calls") {
        Some(Value::Array(calls)) => Ok((calls.into_iter().take(MAX_READ), fields)),
        _ => Err(wrong_type("the reply", "calls", "an array")),
    }
}

fn read_call(entry: Value, tools: &[ToolSpec]) -> ReadCall {
    let Value::Object(mut fields) = entry else {
        return ReadCall {
            tool: String::new(),
            call: Err("a call is no object".to_owned()),
        };
    };
    let tool = match fields.remove("tool") {
        Some(Value::String(tool)) => tool,
        _ => String::new(),
    };
    let call = call_of(&tool, &mut fields, tools);
    ReadCall {
        tool: tool.chars().take(MAX_NAME).collect(),
        call,
    }
}

/// Whether a model means this tool: `State_Set`, `stateSet` and `state-set` are `state_set`.
fn is_called(tool: &str, name: &str) -> bool {
    let letters = |name: &str| -> String {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    tool == name || letters(tool) == letters(name)
}

fn call_of(
    tool: &str,
    fields: &mut Map<String, Value>,
    tools: &[ToolSpec],
) -> Result<ToolCall, String> {
    if let Some(own) = tools.iter().find(|own| is_called(tool, &own.name)) {
        return Ok(ToolCall::Custom {
            name: own.name.clone(),
            fields: own.read(fields)?,
            confidence: confidence(fields)?,
        });
    }
    let built_in = ["state_set", "state_adjust", "lore_upsert"];
    let built_in = built_in.into_iter().find(|name| is_called(tool, name));
    let call = match built_in.unwrap_or(tool) {
        "state_set" => ToolCall::StateSet {
            target: text(fields, "target", MAX_NAME)?,
            category: needed(fields, "category", MAX_NAME)?,
            label: needed(fields, "label", MAX_NAME)?,
            level: integer(fields, "level")
                .filter(|level| (0..=MAX_LEVEL).contains(level))
                .and_then(|level| u8::try_from(level).ok())
                .ok_or("level must be a whole number from 0 to 30")?,
            confidence: confidence(fields)?,
        },
        "state_adjust" => ToolCall::StateAdjust {
            target: text(fields, "target", MAX_NAME)?,
            category: needed(fields, "category", MAX_NAME)?,
            label: needed(fields, "label", MAX_NAME)?,
            by: integer(fields, "by").ok_or("by must be a whole number")?,
            confidence: confidence(fields)?,
        },
        "lore_upsert" => ToolCall::LoreUpsert {
            key: needed(fields, "key", MAX_NAME)?,
            text: needed(fields, "text", MAX_TEXT)?,
            title: text(fields, "title", MAX_NAME)?,
            keywords: keywords(fields)?,
            confidence: confidence(fields)?,
        },
        _ => {
            let tool: String = tool.escape_debug().take(MAX_NAME).collect();
            return Err(format!("there is no tool \"{tool}\""));
        }
    };
    Ok(call)
}

fn text(
    fields: &mut Map<String, Value>,
    name: &str,
    most: usize,
) -> Result<Option<String>, String> {
    match fields.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.chars().count() <= most => {
            let text = crate::text::without_controls(&text);
            let text = text.trim();
            Ok((!text.is_empty()).then(|| text.to_owned()))
        }
        Some(Value::String(_)) => Err(format!("{name} is longer than {most} characters")),
        Some(_) => Err(format!("{name} is no text")),
    }
}

fn needed(fields: &mut Map<String, Value>, name: &str, most: usize) -> Result<String, String> {
    text(fields, name, most)?.ok_or_else(|| format!("{name} is missing"))
}

fn integer(fields: &mut Map<String, Value>, name: &str) -> Option<i64> {
    fields.remove(name)?.as_i64()
}

fn confidence(fields: &mut Map<String, Value>) -> Result<Option<Millionths>, String> {
    match fields.remove("confidence") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value
            .as_f64()
            .and_then(Millionths::unit_from_f64)
            .map(Some)
            .ok_or_else(|| "confidence must lie between 0 and 1".to_owned()),
    }
}

fn keywords(fields: &mut Map<String, Value>) -> Result<Vec<String>, String> {
    let words = match fields.remove("keywords") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(words)) => words,
        Some(_) => return Err("keywords is no list".to_owned()),
    };
    if words.len() > MAX_KEYWORDS {
        return Err(format!("there are more than {MAX_KEYWORDS} keywords"));
    }
    let words = words.into_iter().map(|word| match word {
        Value::String(word) if word.chars().count() <= MAX_NAME => {
            Ok(crate::text::without_controls(&word).trim().to_owned())
        }
        _ => Err(format!(
            "a keyword is no text of at most {MAX_NAME} characters"
        )),
    });
    let words: Result<Vec<String>, String> = words.collect();
    Ok(words?.into_iter().filter(|word| !word.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reply: &str) -> Result<Vec<ReadCall>, InvalidKind> {
        let read = parse_calls(reply.as_bytes(), &ParseOptions::default(), &[]);
        read.map(|(calls, _)| calls).map_err(|error| error.kind)
    }

    #[test]
    fn t6_calls_are_typed_and_each_stands_alone() {
        let calls = read(
            r#"{"calls": [
                {"tool": "state_set", "category": "core", "label": "kind", "level": 7},
                {"tool": "state_set", "category": "core", "label": "kind", "level": 31},
                {"tool": "state_adjust", "target": "ivo", "category": "temporal", "label": "wary", "by": -2, "confidence": 0.5},
                {"tool": "lore_upsert", "key": "well", "text": "It is dry.", "keywords": ["well", ""]},
                {"tool": "delete_all"},
                7]}"#,
        )
        .unwrap();
        let fine: Vec<bool> = calls.iter().map(|call| call.call.is_ok()).collect();
        assert_eq!(fine, [true, false, true, true, false, false]);
        assert_eq!(calls[2].call.as_ref().unwrap().target(), Some("ivo"));
        assert_eq!(read(r#"{"calls": []}"#), Ok(vec![]));
    }

    #[test]
    fn t6_a_reply_without_calls_is_refused() {
        assert_eq!(read("not json"), Err(InvalidKind::Json));
        assert_eq!(read("{}"), Err(InvalidKind::WrongType));
        assert_eq!(read(r#"{"calls": {}}"#), Err(InvalidKind::WrongType));
    }
}
