//! The fields of an envelope.

use super::*;
use crate::proposal::json_text::MAX_DEPTH;
use crate::proposal::proposed::MAX_WARNINGS;
use serde_json::json;

#[test]
fn g1_whole_example_of_the_format_is_read() {
    let proposal = ok(r#"{"dialogue": "Spoken text.",
        "mutations": [
          {"type": "AppendEpisodic", "content": "Ann asked about the tower.", "significance": 0.6},
          {"type": "TransformBelief", "target": "trust_ann", "content": "Ann is curious.", "confidence": 0.8},
          {"type": "TransformRelationship", "target": "player", "content": "warmer", "affinity": 0.1, "trust": 0.1, "familiarity": 0.1},
          {"type": "EmitWorldIntent", "intent": {"type": "open", "target": "door_1"}}],
        "intents": [{"type": "give", "target": "key_1", "to": "player"}]}"#);
    assert_eq!(proposal.form, ReplyForm::Envelope);
    assert_eq!(proposal.dialogue, "Spoken text.");
    let kinds: Vec<&str> = proposal.mutations.iter().map(|m| m.kind.as_str()).collect();
    assert_eq!(
        kinds,
        ["AppendEpisodic", "TransformBelief", "TransformRelationship"]
    );
    assert_eq!(proposal.mutations[0].significance, Some(0.6));
    assert_eq!(proposal.mutations[1].target.as_deref(), Some("trust_ann"));
    assert_eq!(proposal.mutations[2].familiarity, Some(0.1));
    let kinds: Vec<&str> = proposal.intents.iter().map(|i| i.kind.as_str()).collect();
    assert_eq!(kinds, ["give", "open"]);
    assert_eq!(proposal.intents[0].fields["to"], json!("player"));
    assert!(proposal.warnings.is_empty() && proposal.plan.is_none());
}

#[test]
fn g1_depth_has_a_limit() {
    let nested = |n: usize| {
        format!(
            "{{\"dialogue\": \"Hi. [[\", \"x\": {}{}}}",
            "[".repeat(n),
            "]".repeat(n)
        )
    };
    assert_eq!(ok(&nested(MAX_DEPTH - 1)).warnings.len(), 1);
    assert_eq!(kind(&nested(MAX_DEPTH)), InvalidKind::TooDeep);
    assert_eq!(kind(&nested(100_000)), InvalidKind::TooDeep);
    let text = format!("{{\"dialogue\": \"Hi.{}\"}}", "\\\"{".repeat(50));
    assert!(ok(&text).dialogue.starts_with("Hi."));
}

#[test]
fn g1_dialogue_is_required() {
    assert_eq!(kind("{}"), InvalidKind::MissingDialogue);
    assert_eq!(kind(r#"{"dialogue": null}"#), InvalidKind::MissingDialogue);
    assert_eq!(
        kind(r#"{"intents": [{"type": "open"}]}"#),
        InvalidKind::MissingDialogue
    );
}

#[test]
fn g1_empty_dialogue_needs_an_intent() {
    for said in [
        "",
        "  ",
        "*smiles*",
        "[INTENT: open",
        "[nods]",
        "Eldrin: ",
        "\\u0007",
    ] {
        assert_eq!(
            kind(&format!("{{\"dialogue\": \"{said}\"}}")),
            InvalidKind::NoSpeech,
            "{said}"
        );
        let beside = ok(&format!(
            "{{\"dialogue\": \"{said}\", \"intents\": [{{\"type\": \"open\"}}]}}"
        ));
        assert_eq!(beside.dialogue, "");
    }
    let emitted = ok(
        r#"{"dialogue": "", "mutations": [{"type": "EmitWorldIntent", "intent": {"type": "open"}}]}"#,
    );
    assert_eq!((emitted.intents.len(), emitted.mutations.len()), (1, 0));
    let memory = r#"{"dialogue": "", "mutations": [{"type": "AppendEpisodic", "content": "x"}]}"#;
    assert_eq!(kind(memory), InvalidKind::NoSpeech);
}

#[test]
fn g1_wrong_types_are_refused() {
    for field in [
        r#""dialogue": 5"#,
        r#""dialogue": ["x"]"#,
        r#""dialogueText": {}, "dialogue": null"#,
        r#""dialogue": "x", "mutations": {}"#,
        r#""dialogue": "x", "intents": "open""#,
        r#""dialogue": "x", "worldIntents": 1"#,
        r#""dialogue": "x", "plan": []"#,
        r#""dialogue": "x", "mutations": [{"type": 5}]"#,
        r#""dialogue": "x", "mutations": [{"type": "AppendEpisodic", "content": 5}]"#,
        r#""dialogue": "x", "mutations": [{"type": "AppendEpisodic", "content": "x", "significance": "0.6"}]"#,
        r#""dialogue": "x", "mutations": [{"type": "TransformBelief", "target": ["a"]}]"#,
        r#""dialogue": "x", "mutations": [{"type": "TransformRelationship", "trust": true}]"#,
        r#""dialogue": "x", "mutations": [{"type": "EmitWorldIntent", "intent": "open"}]"#,
    ] {
        assert_eq!(
            kind(&format!("{{{field}}}")),
            InvalidKind::WrongType,
            "{field}"
        );
    }
    for entry in ["null", "5", "\"open\"", "[]"] {
        for list in ["mutations", "intents", "proposedMutations", "worldIntents"] {
            let text = format!("{{\"dialogue\": \"x\", \"{list}\": [{entry}]}}");
            assert_eq!(kind(&text), InvalidKind::NotAnObject, "{text}");
        }
    }
}

#[test]
fn g1_null_in_an_optional_field_is_absent() {
    for list in ["mutations", "intents", "worldIntents"] {
        let reply = format!(r#"{{"dialogue": "x", "{list}": null}}"#);
        let proposal = ok(&reply);
        assert!(proposal.mutations.is_empty() && proposal.intents.is_empty());
        let wrong = format!(r#"{{"dialogue": "x", "{list}": 1}}"#);
        assert_eq!(kind(&wrong), InvalidKind::WrongType);
    }
    let proposal = ok(r#"{"dialogue": "x", "plan": null}"#);
    assert!(
        proposal.mutations.is_empty()
            && proposal.intents.is_empty()
            && proposal.warnings.is_empty()
    );
    let nulls = ok(
        r#"{"dialogue": "x", "mutations": [{"type": "TransformBelief", "target": null, "content": "y", "confidence": null}]}"#,
    );
    assert_eq!(
        (
            nulls.mutations[0].target.clone(),
            nulls.mutations[0].confidence
        ),
        (None, None)
    );
}

#[test]
fn g1_other_spellings_are_read() {
    let proposal = ok(
        r#"{"dialogueText": "x", "proposedMutations": [{"type": "AppendEpisodic", "content": "y"}],
        "worldIntents": [{"intentType": "open", "target": "door_1"}]}"#,
    );
    assert_eq!(proposal.dialogue, "x");
    assert_eq!(proposal.mutations.len(), 1);
    assert_eq!(proposal.intents[0].kind, "open");
    assert_eq!(
        proposal.intents[0].fields,
        [("target".to_owned(), json!("door_1"))].into()
    );
    assert!(proposal.warnings.is_empty());
}

#[test]
fn g1_beside_its_first_spelling_the_other_is_unknown() {
    let proposal = ok(
        r#"{"dialogue": "x", "dialogueText": 5, "intents": [], "worldIntents": [{"intentType": "open"}]}"#,
    );
    assert_eq!(proposal.dialogue, "x");
    assert!(proposal.intents.is_empty());
    assert_eq!(proposal.warnings.len(), 2);
    let both = ok(r#"{"dialogue": "x", "intents": [{"type": "open", "intentType": "close"}]}"#);
    assert_eq!(both.intents[0].kind, "open");
    assert!(both.intents[0].fields.contains_key("intentType"));
}

#[test]
fn g1_unknown_fields_are_ignored_with_a_warning() {
    let proposal = ok(r#"{"dialogue": "x", "mood": 1, "mutations": [
        {"type": "AppendEpisodic", "content": "y", "confidence": "high", "note": 1}, {"type": "Nope", "target": "t", "power": 9}]}"#);
    assert!(proposal.warnings.iter().all(|w| w.rule == "unknown_field"));
    let named: Vec<bool> = ["\"mood\"", "\"confidence\"", "\"note\"", "\"power\""]
        .iter()
        .zip(&proposal.warnings)
        .map(|(name, w)| w.message.contains(name))
        .collect();
    assert_eq!(named, [true; 4]);
    assert_eq!(proposal.mutations[0].confidence, None);
    assert_eq!(proposal.mutations[1].target.as_deref(), Some("t"));
}

#[test]
fn g1_warnings_are_bounded() {
    let fields: String = (0..1_000).map(|i| format!(", \"f{i}\": 1")).collect();
    let warnings = ok(&format!("{{\"dialogue\": \"x\"{fields}}}")).warnings;
    assert_eq!(warnings.len(), MAX_WARNINGS);
    assert!(warnings[MAX_WARNINGS - 1].message.starts_with("937 more"));
}

#[test]
fn g1_envelope_dialogue_is_plain_speech() {
    for (said, spoken) in [
        ("Come in. [INTENT: open door_1]", "Come in."),
        (
            "Read \\\"[INTENT: open door_1]\\\" aloud.",
            "Read \"\" aloud.",
        ),
        ("[MEMORY: x] *smiles* Come [softly] in.", "Come in."),
        ("Eldrin: Come\\n\\tin.\\u0000\\u0007", "Come in."),
        ("**Eldrin:** Come in.", "Come in."),
        ("Ann: Come in.", "Ann: Come in."),
        ("\\\"Come in.\\\"", "Come in."),
    ] {
        let proposal = ok(&format!("{{\"dialogue\": \"{said}\"}}"));
        assert_eq!(proposal.dialogue, spoken);
        assert!(proposal.intents.is_empty() && proposal.mutations.is_empty());
    }
}

#[test]
fn g1_an_object_that_has_a_key_twice_says_two_things() {
    for text in [
        r#"{"dialogue": "a", "dialogue": "b"}"#,
        r#"{"dialogue": "a", "dialogue": "a"}"#,
        r#"{"dialogue": "a", "intents": [{"type": "open", "type": "close"}]}"#,
        r#"{"dialogue": "a", "x": {"y": [{"z": 1, "z": 2}]}}"#,
        r#"{"dialogue": "a", "dialogu\u0065": "b"}"#,
    ] {
        assert_eq!(kind(text), InvalidKind::Json, "{text}");
    }
    assert_eq!(
        ok(r#"{"dialogue": "a", "x": [{"z": 1}, {"z": 2}]}"#).dialogue,
        "a"
    );
}

#[test]
fn g1_plan_is_kept_as_it_is() {
    assert_eq!(
        ok(r#"{"dialogue": "x", "plan": {"intent": "fetch"}}"#).plan,
        Some(json!({"intent": "fetch"}))
    );
}
