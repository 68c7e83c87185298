//! What a reply says that a character remembers: changes of memory as calls of tools, in words that small models know better.

use super::invalid::InvalidFormat;
use super::mutation::ProposedMutation;
use super::mutation_kind::{MutationKind, MutationValue};
use super::options::ParseOptions;
use super::tool_calls::calls_of;
use crate::text::{single_spaced, without_controls};
use serde_json::Value;

/// The tool by which a reply brings this kind of change; `None` where it brings none.
pub(crate) fn tool_of(kind: MutationKind) -> Option<&'static str> {
    match kind {
        MutationKind::AppendEpisodic => Some("episode"),
        MutationKind::TransformBelief => Some("belief"),
        MutationKind::TransformRelationship => Some("relationship"),
        MutationKind::EmitWorldIntent => None,
    }
}

/// What a field of this kind of change is called in a call of its tool.
pub(crate) fn tool_field(kind: MutationKind, field: &'static str) -> &'static str {
    match (kind, field) {
        (MutationKind::TransformBelief, "target") => "key",
        (MutationKind::TransformRelationship, "content") => "why",
        (_, "content") => "text",
        (_, field) => field,
    }
}

/// Reads an object with `calls`: each is a change of memory, still untrusted.
///
/// # Errors
/// `InvalidFormat`, with the kind of what is wrong: prose, or an object without an array `calls`.
pub(crate) fn parse_memories(
    bytes: &[u8],
    options: &ParseOptions,
) -> Result<Vec<ProposedMutation>, InvalidFormat> {
    let (calls, _) = calls_of(bytes, options)?;
    Ok(calls.map(|call| read(&call)).collect())
}

fn read(call: &Value) -> ProposedMutation {
    let tool = call.get("tool").and_then(Value::as_str).unwrap_or_default();
    let mut kinds = MutationKind::ALL.into_iter();
    let Some(kind) = kinds.find(|kind| tool_of(*kind) == Some(tool)) else {
        // The gate tells of a kind that is not known.
        return ProposedMutation {
            kind: tool.to_owned(),
            ..ProposedMutation::default()
        };
    };
    let mut mutation = ProposedMutation {
        kind: kind.name().to_owned(),
        ..ProposedMutation::default()
    };
    for field in kind.fields() {
        let name = tool_field(kind, field.name);
        let Some(value) = call.get(name).filter(|value| !value.is_null()) else {
            continue;
        };
        let is_number = matches!(field.value, MutationValue::Fraction | MutationValue::Change);
        let is_read = match (is_number, value, field.name) {
            (true, value, name) => match (value.as_f64(), mutation.number_mut(name)) {
                (Some(number), Some(place)) => place.replace(number).is_none(),
                _ => false,
            },
            (false, Value::String(text), "target") => {
                mutation.target.replace(one_line(text)).is_none()
            }
            (false, Value::String(text), _) => mutation.content.replace(one_line(text)).is_none(),
            (false, ..) => false,
        };
        if !is_read {
            mutation.malformed = Some(format!("{name} has a value of another type"));
        }
    }
    mutation
}

fn one_line(text: &str) -> String {
    single_spaced(&without_controls(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p14_what_is_remembered_is_read_call_by_call() {
        let read = |reply: &str| parse_memories(reply.as_bytes(), &ParseOptions::default());
        let calls = read(
            r#"```json
            {"calls": [{"tool": "episode", "text": "Ann  asked\nfor the key.", "significance": 0.6},
                {"tool": "belief", "key": "ann", "text": "Ann is kind.", "confidence": null},
                {"tool": "relationship", "target": "player", "trust": 0.1, "why": "She told the truth."},
                {"tool": "fly", "text": "Up."}, {"tool": "episode", "text": 7}, 7]}
            ```"#,
        )
        .unwrap();
        let kinds: Vec<&str> = calls.iter().map(|call| call.kind.as_str()).collect();
        let known = ["AppendEpisodic", "TransformBelief", "TransformRelationship"];
        assert_eq!(kinds[..3], known);
        assert_eq!(calls[0].content.as_deref(), Some("Ann asked for the key."));
        assert_eq!(calls[1].target.as_deref(), Some("ann"));
        assert_eq!(calls[2].content.as_deref(), Some("She told the truth."));
        assert_eq!(calls[2].trust, Some(0.1));
        let malformed: Vec<bool> = calls.iter().map(|call| call.malformed.is_some()).collect();
        assert_eq!(malformed, [false, false, false, false, true, false]);
        assert_eq!(calls[5].kind, "");
        assert!(read(r#"{"calls": []}"#).unwrap().is_empty());
        for reply in [
            "Ann is kind.",
            "{}",
            r#"{"calls": {}}"#,
            "",
            "[]",
            r#"{"calls": ["#,
        ] {
            assert!(read(reply).is_err(), "{reply}");
        }
    }
}
