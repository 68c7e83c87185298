//! What a reply says that a character remembers.

use super::envelope::fields_of;
use super::invalid::{InvalidFormat, InvalidKind};
use super::json_fields::wrong_type;
use super::locate::{Located, locate};
use super::mutation::ProposedMutation;
use super::mutation_kind::MutationKind;
use super::options::ParseOptions;
use super::reply_text::text_of;
use crate::text::without_controls;
use serde_json::{Map, Value};

/// The most calls that are read; the rest is refused by the gate's quota all the same.
const MAX_READ: usize = 64;

/// Reads an object with `calls`: each is a change of memory, still untrusted.
///
/// # Errors
/// [`InvalidFormat`], with the kind of what is wrong: prose, or an object without an array `calls`.
pub fn parse_memories(
    bytes: &[u8],
    options: &ParseOptions,
) -> Result<Vec<ProposedMutation>, InvalidFormat> {
    let Located::Envelope(object) = locate(text_of(bytes)?)? else {
        return Err(InvalidFormat::new(
            InvalidKind::Json,
            "what is remembered is a JSON object",
        ));
    };
    let mut fields = fields_of(&object, options.finish)?;
    let Some(Value::Array(calls)) = fields.remove("calls") else {
        return Err(wrong_type("the reply", "calls", "an array"));
    };
    Ok(calls.into_iter().take(MAX_READ).map(read).collect())
}

fn read(call: Value) -> ProposedMutation {
    let Value::Object(mut fields) = call else {
        return ProposedMutation {
            malformed: Some("a call is no object".to_owned()),
            ..ProposedMutation::default()
        };
    };
    let mut wrong = Vec::new();
    let tool = text(&mut fields, "tool", &mut wrong).unwrap_or_default();
    let kind = match tool.as_str() {
        "episode" => MutationKind::AppendEpisodic.name(),
        "belief" => MutationKind::TransformBelief.name(),
        "relationship" => MutationKind::TransformRelationship.name(),
        other => other,
    };
    let target = match kind {
        kind if kind == MutationKind::TransformBelief.name() => "key",
        _ => "target",
    };
    let content = match kind {
        kind if kind == MutationKind::TransformRelationship.name() => "why",
        _ => "text",
    };
    let mut mutation = ProposedMutation {
        kind: kind.to_owned(),
        target: text(&mut fields, target, &mut wrong),
        content: text(&mut fields, content, &mut wrong),
        ..ProposedMutation::default()
    };
    for key in [
        "significance",
        "confidence",
        "affinity",
        "trust",
        "familiarity",
    ] {
        let number = match fields.remove(key) {
            None | Some(Value::Null) => continue,
            Some(value) => value.as_f64().filter(|number| number.is_finite()),
        };
        match (number, mutation.number_mut(key)) {
            (Some(number), Some(field)) => *field = Some(number),
            _ => wrong.push(format!("{key} is no number")),
        }
    }
    mutation.malformed = wrong.into_iter().next();
    mutation
}

/// A text on one line.
fn text(fields: &mut Map<String, Value>, key: &str, wrong: &mut Vec<String>) -> Option<String> {
    match fields.remove(key) {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => {
            let text = without_controls(&text);
            let words: Vec<&str> = text.split_whitespace().collect();
            Some(words.join(" "))
        }
        Some(_) => {
            wrong.push(format!("{key} is no text"));
            None
        }
    }
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
        assert_eq!(malformed, [false, false, false, false, true, true]);
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
