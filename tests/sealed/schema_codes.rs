//! Every code of the schema, and the order of its checks.

use crate::demo::proposal_set;
use crate::support::{codes, route, set_of, status_of_alpha, transition};
use serde_json::{Value, json};

#[test]
fn every_code_of_a_proposal_has_its_case() {
    let payload = |payload: Value| json!({ "kind": "ROUTE_CANDIDATE", "payload": payload });
    let step = |payload: Value| json!({ "kind": "STATE_TRANSITION_REQUEST", "payload": payload });
    let slots = json!({ "target": "alpha" });
    let cases = [
        (json!("text"), "NOT_OBJECT"),
        (json!({ "payload": {} }), "MISSING_KIND"),
        (json!({ "kind": "ROUTE_CANDIDATE" }), "MISSING_PAYLOAD"),
        (json!({ "kind": 7, "payload": {} }), "KIND_NOT_STRING"),
        (payload(json!([])), "PAYLOAD_NOT_OBJECT"),
        (payload(json!({ "slots": slots })), "PAYLOAD_MISSING_INTENT"),
        (
            payload(json!({ "intent": "STATUS_QUERY" })),
            "PAYLOAD_MISSING_SLOTS",
        ),
        (
            payload(json!({ "intent": null, "slots": slots })),
            "INTENT_NOT_STRING",
        ),
        (route("STATUS_QUERY", json!([])), "SLOTS_NOT_OBJECT"),
        (
            route("STATUS_QUERY", json!({ "target": 1 })),
            "TARGET_NOT_STRING",
        ),
        (
            route("STATUS_QUERY", json!({ "target": "alpha", "mode": null })),
            "MODE_NOT_STRING",
        ),
        (step(json!({})), "PAYLOAD_MISSING_EVENT_TOKEN"),
        (step(json!({ "event_token": 1 })), "EVENT_TOKEN_NOT_STRING"),
    ];
    for (proposal, code) in cases {
        let expected = [format!("PROPOSAL_0_{code}")];
        assert_eq!(
            codes(&set_of(vec![proposal.clone()])),
            expected,
            "{proposal}"
        );
        // The number is the proposal's.
        let second = set_of(vec![status_of_alpha(), proposal]);
        assert_eq!(codes(&second), [format!("PROPOSAL_1_{code}")]);
    }
}

/// The source lets a route without a target pass and crashes later; resolution 3.4.11 requires the target in the schema.
#[test]
fn a_route_needs_a_target() {
    for slots in [json!({}), json!({ "mode": "graceful" })] {
        let set = set_of(vec![route("STATUS_QUERY", slots)]);
        assert_eq!(codes(&set), ["PROPOSAL_0_SLOTS_MISSING_TARGET"]);
    }
}

#[test]
fn every_code_of_the_input_and_of_the_errors_has_its_case() {
    let with = |name: &str, value: Value| {
        let mut set = set_of(vec![]);
        set[name] = value;
        set
    };
    assert_eq!(codes(&with("input", json!({}))), ["MISSING_INPUT_RAW"]);
    assert_eq!(
        codes(&with("input", json!({ "raw": 1 }))),
        ["INPUT_RAW_NOT_STRING"]
    );
    assert_eq!(codes(&with("errors", json!("text"))), ["ERRORS_NOT_ARRAY"]);
    assert_eq!(codes(&with("errors", json!(null))), ["ERRORS_NOT_ARRAY"]);
    assert_eq!(
        codes(&with("errors", json!(["a", 2]))),
        ["ERROR_ENTRY_1_NOT_STRING"]
    );
}

#[test]
fn the_event_token_is_not_looked_up_by_the_schema() {
    for token in ["", "fly_away", "create_payment"] {
        let set = set_of(vec![transition(token)]);
        assert!(proposal_set::validate(&set).is_ok(), "{token}");
    }
}

#[test]
fn the_first_missing_root_field_is_told_alone() {
    let bare = json!({ "extra": 1 });
    assert_eq!(codes(&bare), ["MISSING_REQUIRED_FIELD:schema_version"]);
    let no_input = json!({ "schema_version": "m9", "proposals": 3 });
    assert_eq!(codes(&no_input), ["MISSING_REQUIRED_FIELD:input"]);
}

#[test]
fn the_checks_speak_in_their_stated_order() {
    let set = json!({
        "schema_version": "m2.0",
        "input": { "raw": 1, "extra": 1 },
        "zeta": 1,
        "proposals": [
            { "extra": 1 },
            {
                "kind": "ROUTE_CANDIDATE",
                "extra": 1,
                "payload": {
                    "intent": "DESTROY",
                    "slots": { "target": "delta", "mode": 3, "extra": 1 },
                    "extra": 1,
                },
            },
            { "kind": "STATE_TRANSITION_REQUEST", "payload": { "extra": 1 } },
        ],
        "errors": [1],
    });
    let expected = [
        "UNEXPECTED_ROOT_FIELDS:zeta",
        "INVALID_SCHEMA_VERSION:expected=m1.0",
        "INPUT_RAW_NOT_STRING",
        "UNEXPECTED_INPUT_FIELDS:extra",
        "PROPOSAL_0_MISSING_KIND",
        "PROPOSAL_0_MISSING_PAYLOAD",
        "PROPOSAL_0_UNEXPECTED_FIELDS:extra",
        "PROPOSAL_1_UNEXPECTED_FIELDS:extra",
        "PROPOSAL_1_PAYLOAD_UNEXPECTED_FIELDS:extra",
        "PROPOSAL_1_INVALID_INTENT:DESTROY",
        "PROPOSAL_1_SLOTS_UNEXPECTED_FIELDS:extra",
        "PROPOSAL_1_INVALID_TARGET:delta",
        "PROPOSAL_1_MODE_NOT_STRING",
        "PROPOSAL_2_PAYLOAD_UNEXPECTED_FIELDS:extra",
        "PROPOSAL_2_PAYLOAD_MISSING_EVENT_TOKEN",
        "ERROR_ENTRY_0_NOT_STRING",
    ];
    assert_eq!(codes(&set), expected);
}

#[test]
fn an_artifact_keeps_the_first_sixteen_codes() {
    let set = set_of(vec![json!({ "a": 1 }); 8]);
    let all = proposal_set::validate(&set).unwrap_err().errors;
    assert_eq!(all.len(), 24);
    assert_eq!(codes(&set), all[..16]);
}
