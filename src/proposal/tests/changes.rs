//! Mutations and intents of an envelope.

use super::*;
use serde_json::{Value, json};

#[test]
fn g6_mutation_without_a_type_is_malformed() {
    for entry in [
        r#"{"content": "x"}"#,
        r#"{"type": null}"#,
        r#"{"type": " "}"#,
    ] {
        let proposal = ok(&format!(
            "{{\"dialogue\": \"x\", \"mutations\": [{entry}]}}"
        ));
        assert!(proposal.mutations[0].malformed.is_some(), "{entry}");
    }
    assert!(
        ok(r#"{"dialogue": "x", "mutations": [{"type": "Nope"}]}"#).mutations[0]
            .malformed
            .is_none()
    );
}

#[test]
fn g6_numbers_out_of_range_are_carried() {
    let proposal = ok(
        r#"{"dialogue": "x", "mutations": [{"type": "TransformBelief", "content": "y", "confidence": 7}]}"#,
    );
    assert_eq!(proposal.mutations[0].confidence, Some(7.0));
}

#[test]
fn g6_content_is_one_line() {
    let proposal = ok(
        r#"{"dialogue": "x", "mutations": [{"type": "AppendEpisodic", "content": " a\n\u0000b\tc "}]}"#,
    );
    assert_eq!(proposal.mutations[0].content.as_deref(), Some("a b c"));
}

#[test]
fn g7_fields_of_an_intent_are_kept_raw() {
    let proposal = ok(
        r#"{"dialogue": "x", "intents": [{"type": "open", "target": 5, "tool": null, "priority": 1, "parameters": {"a": []}}]}"#,
    );
    let fields = &proposal.intents[0].fields;
    assert_eq!(fields["target"], json!(5));
    assert_eq!(fields["tool"], Value::Null);
    assert_eq!(fields["parameters"], json!({"a": []}));
    assert_eq!(fields.len(), 4);
    assert!(proposal.warnings.is_empty());
}

#[test]
fn g7_intent_without_a_type_is_malformed() {
    for entry in [
        "{}",
        r#"{"type": null}"#,
        r#"{"type": 5}"#,
        r#"{"type": ""}"#,
        r#"{"type": {}, "target": "x"}"#,
    ] {
        let proposal = ok(&format!("{{\"dialogue\": \"x\", \"intents\": [{entry}]}}"));
        assert!(proposal.intents[0].malformed.is_some(), "{entry}");
    }
}

#[test]
fn g7_emitted_intents_come_last_and_keep_their_target() {
    let proposal = ok(r#"{"dialogue": "x", "mutations": [
        {"type": "EmitWorldIntent", "target": "king_name", "intent": {"type": "open"}},
        {"type": "EmitWorldIntent"}], "intents": [{"type": "give"}]}"#);
    let kinds: Vec<(&str, bool)> = proposal
        .intents
        .iter()
        .map(|i| (i.kind.as_str(), i.malformed.is_some()))
        .collect();
    assert_eq!(kinds, [("give", false), ("open", false), ("", true)]);
    assert_eq!(
        proposal
            .intents
            .iter()
            .filter_map(|i| i.emit_target.as_deref())
            .collect::<Vec<_>>(),
        ["king_name"]
    );
    assert!(proposal.mutations.is_empty());
}
