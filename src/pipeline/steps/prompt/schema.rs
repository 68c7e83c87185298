//! The JSON schema of a reply, for engines that obey one.

use crate::pipeline::steps::snapshot::{NamedAction, SnapshotBody};
use crate::proposal::{MutationKind, MutationValue, tool_field, tool_of};
use crate::world::Affordance;
use serde_json::{Map, Value, json};

/// The JSON schema of a reply to this snapshot: bounded, words first. It offers the mutations of memory with all their
/// fields, the actions that the character can do, with targets that it can reach, and always to do nothing.
///
/// Every property is required, and one that may be left out may be `null`, as servers with a strict mode want it. Numbers are
/// chosen from a few: a model cannot say what it means by 0.37, and no number is out of range.
#[must_use]
pub(crate) fn reply_schema(body: &SnapshotBody) -> Value {
    let mutations: Vec<Value> = MutationKind::ALL
        .into_iter()
        .filter_map(|kind| mutation_schema(kind, body))
        .collect();
    let intents: Vec<Value> = body
        .affordances
        .iter()
        .flat_map(Affordance::schemas)
        .collect();
    let list = |any_of: &[Value], most: usize| {
        if any_of.is_empty() {
            json!({"type": "array", "maxItems": 0, "items": {"type": "string", "maxLength": 1}})
        } else {
            json!({"type": "array", "maxItems": most, "items": {"anyOf": any_of}})
        }
    };
    json!({
        "type": "object",
        "properties": {
            "dialogue": {"type": "string", "pattern": DIALOGUE},
            "mutations": list(&mutations, 4),
            "intents": list(&intents, 2),
        },
        "required": ["dialogue", "mutations", "intents"],
        "additionalProperties": false
    })
}

/// The JSON schema of a reply that chooses one of these offers, or nothing.
#[must_use]
pub(crate) fn choice_schema(nothing: &str, options: &[NamedAction]) -> Value {
    let phrases = options.iter().map(|option| option.phrase.as_str());
    let phrases: Vec<&str> = [nothing].into_iter().chain(phrases).collect();
    json!({
        "type": "object",
        "properties": {"choice": {"enum": phrases}},
        "required": ["choice"],
        "additionalProperties": false
    })
}

/// The JSON schema of a reply that says what a character remembers.
#[must_use]
pub(crate) fn memories_schema(body: &SnapshotBody) -> Value {
    let calls = MutationKind::ALL.into_iter().filter_map(|kind| {
        let tool = ("tool", json!({"const": tool_of(kind)?}));
        object_schema(tool, kind, |field| tool_field(kind, field), body)
    });
    let calls: Vec<Value> = calls.collect();
    let calls = json!({"type": "array", "maxItems": 6, "items": {"anyOf": calls}});
    json!({
        "type": "object",
        "properties": {"calls": calls},
        "required": ["calls"],
        "additionalProperties": false
    })
}

/// The same schema for a reply that is heard sentence by sentence: the actions and memories come before the speech, so that they
/// are judged first. An engine that obeys a schema writes the fields in the order in which they are required.
#[must_use]
pub fn actions_first(mut schema: Value) -> Value {
    schema["required"] = json!(["intents", "mutations", "dialogue"]);
    schema
}

/// 1 to 600 characters, of which the first is no white space and none opens a marker, a stage direction, markup or a template:
/// when those are removed, the rest of the words is never empty.
const DIALOGUE: &str = r#"^[^\[\]{}<>*"\\\x00-\x20][^\[\]{}<>*"\\\x00-\x1f]{0,599}$"#;

/// An id.
const ID: &str = "^[A-Za-z0-9_.-]{1,64}$";

/// The schema of one kind of mutation; `None` for a kind that cannot be written to this snapshot, or that an intent expresses.
fn mutation_schema(kind: MutationKind, body: &SnapshotBody) -> Option<Value> {
    let first = ("type", json!({"const": kind.name()}));
    object_schema(first, kind, |field| field, body)
}

/// The same with another first property, and with other names of the fields.
fn object_schema(
    first: (&str, Value),
    kind: MutationKind,
    named: impl Fn(&'static str) -> &'static str,
    body: &SnapshotBody,
) -> Option<Value> {
    let mut properties = Map::from_iter([(first.0.to_owned(), first.1)]);
    for field in kind.fields() {
        let mut schema = match field.value {
            MutationValue::Unused => continue,
            // An entry of `intents` says the same.
            MutationValue::Action => return None,
            MutationValue::Belief => json!({"type": "string", "pattern": ID}),
            MutationValue::Character => {
                let known = body.known_characters();
                if known.is_empty() {
                    return None;
                }
                json!({"enum": known})
            }
            MutationValue::Text => json!({"type": "string", "minLength": 1, "maxLength": 300}),
            MutationValue::Fraction => json!({"enum": [0.1, 0.3, 0.5, 0.7, 0.9, 1.0]}),
            MutationValue::Change => json!({"enum": [-0.2, -0.1, 0.1, 0.2]}),
        };
        if !field.required
            && let Some(choices) = schema["enum"].as_array_mut()
        {
            choices.insert(0, Value::Null);
        }
        properties.insert(named(field.name).to_owned(), schema);
    }
    let required: Vec<&String> = properties.keys().collect();
    Some(json!({
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": false
    }))
}
