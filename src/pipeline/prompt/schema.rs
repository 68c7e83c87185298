//! The JSON schema of a reply, for engines that obey one.

use crate::pipeline::snapshot::SnapshotBody;
use crate::proposal::MutationKind;
use crate::world::ActionRegistry;
use serde_json::{Value, json};

/// The JSON schema of a reply to this snapshot: bounded, integers where numbers are not needed, words first. It offers
/// the actions that the character can do, with targets that it can reach, and always to do nothing.
#[must_use]
pub fn reply_schema(body: &SnapshotBody, registry: &ActionRegistry) -> Value {
    let object = |kind: &str, properties: Value, required: &[&str]| {
        let mut all = serde_json::Map::from_iter([("type".to_owned(), json!({"const": kind}))]);
        all.extend(properties.as_object().cloned().unwrap_or_default());
        let required: Vec<&str> = ["type"].iter().chain(required).copied().collect();
        json!({"type": "object", "properties": all, "required": required, "additionalProperties": false})
    };
    let text = json!({"type": "string", "maxLength": 300});
    let id = json!({"type": "string", "maxLength": 64});
    let mutations = [
        object(
            MutationKind::AppendEpisodic.name(),
            json!({"content": text}),
            &["content"],
        ),
        object(
            MutationKind::TransformBelief.name(),
            json!({"target": id, "content": text}),
            &["target", "content"],
        ),
    ];
    let intents: Vec<Value> = body
        .affordances
        .iter()
        .flat_map(|affordance| affordance.schemas(registry))
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
            "dialogue": {"type": "string", "maxLength": 600},
            "mutations": list(&mutations, 4),
            "intents": list(&intents, 2),
        },
        "required": ["dialogue", "mutations", "intents"],
        "additionalProperties": false
    })
}
