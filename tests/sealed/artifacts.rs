//! Artifacts, byte for byte and rule by rule: B30 and B34.

use crate::demo::artifact::{artifact, sha256_hex, sidecar};
use crate::demo::artifact_rules::{check, read};
use crate::support::{
    artifact_of, bytes_of, faults, passed, route, set_of, status_of_alpha, transition, value_of,
};
use serde_json::json;

#[test]
fn b30_the_same_bytes_make_the_same_artifact() {
    let sets: [&[u8]; 4] = [
        &bytes_of(&set_of(vec![status_of_alpha()])),
        &bytes_of(&set_of(vec![transition("pack_order")])),
        b"garbage",
        b"",
    ];
    for bytes in sets {
        let first = artifact("run_test", bytes).unwrap();
        let second = artifact("run_test", bytes).unwrap();
        assert_eq!(first, second);
        assert_eq!(sha256_hex(&first), sha256_hex(&second));
    }
}

#[test]
fn b30_the_artifact_is_written_in_one_way() {
    let expected = r#"{
  "accept_payload": {
    "kind": "ROUTE",
    "route": {
      "intent": "STATUS_QUERY",
      "target": "alpha"
    }
  },
  "artifact_version": "artifact_v1",
  "construction": {
    "proposal_count": 1,
    "ruleset_id": "M2_RULESET_V1",
    "selected_proposal_index": 0,
    "validator_errors": []
  },
  "decision": "ACCEPT",
  "input_ref": "input.raw",
  "proposal_set_ref": "proposal_set.raw",
  "run_id": "run_test"
}
"#;
    let bytes = artifact_of(vec![status_of_alpha()]);
    assert_eq!(String::from_utf8_lossy(&bytes), expected);
    let line = sidecar(&bytes);
    assert_eq!(line, format!("{}  artifact.json\n", sha256_hex(&bytes)));
    // A known digest, which shows that the hash is really the one that its name says.
    let of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(sha256_hex(b"abc"), of_abc);
}

#[test]
fn b34_run_ids_and_refs_that_reach_outside_are_refused() {
    let bytes = bytes_of(&set_of(vec![status_of_alpha()]));
    let long = "a".repeat(65);
    for run_id in ["../x", &long, "", "a b", "a\n", "ü"] {
        assert_eq!(
            artifact(run_id, &bytes),
            Err(vec!["INVALID_RUN_ID".into()]),
            "{run_id}"
        );
    }
    for run_id in ["run_0", &"a".repeat(64), "A.b-c_9"] {
        assert!(artifact(run_id, &bytes).is_ok(), "{run_id}");
    }

    let good = value_of(&artifact_of(vec![status_of_alpha()]));
    let long = "a".repeat(513);
    let fields = [
        ("input_ref", "INVALID_INPUT_REF"),
        ("proposal_set_ref", "INVALID_PROPOSAL_SET_REF"),
    ];
    for (field, code) in fields {
        for reference in ["/etc/x", r"C:\x", "c:/x", r"\\srv\x", r"\x", "", &long] {
            let mut artifact = good.clone();
            artifact[field] = json!(reference);
            assert_eq!(faults(&artifact), [code], "{reference}");
            assert_eq!(passed(&artifact).0.exit_code(), 2);
        }
        for reference in ["x", "a/b.json", "[external]:x.txt", &"a".repeat(512)] {
            let mut artifact = good.clone();
            artifact[field] = json!(reference);
            assert!(check(&artifact).is_ok(), "{reference}");
        }
    }
}

#[test]
fn every_other_field_has_its_rule() {
    let accept = value_of(&artifact_of(vec![transition("create_payment")]));
    let query = value_of(&artifact_of(vec![status_of_alpha()]));
    let reject = value_of(&artifact_of(vec![transition("pack_order")]));
    let step = "/accept_payload/transition";
    let words = "/accept_payload/route";
    let many = |count: usize, text: &str| json!(vec![text; count]);
    let cases = [
        (
            &accept,
            "",
            "artifact_version",
            json!("artifact_v2"),
            "INVALID_ARTIFACT_VERSION",
        ),
        (&accept, "", "decision", json!("MAYBE"), "INVALID_DECISION"),
        (&accept, "", "score", json!(1), "ARTIFACT_UNEXPECTED_FIELDS"),
        (
            &accept,
            "",
            "construction",
            json!([]),
            "CONSTRUCTION_NOT_OBJECT",
        ),
        (
            &accept,
            "/construction",
            "ruleset_id",
            json!("M3"),
            "INVALID_RULESET_ID",
        ),
        (
            &accept,
            "/construction",
            "proposal_count",
            json!(9),
            "INVALID_PROPOSAL_COUNT",
        ),
        (
            &accept,
            "/construction",
            "proposal_count",
            json!(-1),
            "INVALID_PROPOSAL_COUNT",
        ),
        (
            &accept,
            "/construction",
            "selected_proposal_index",
            json!(1),
            "INVALID_SELECTED_PROPOSAL_INDEX",
        ),
        (
            &reject,
            "/construction",
            "selected_proposal_index",
            json!(0),
            "INVALID_SELECTED_PROPOSAL_INDEX",
        ),
        (
            &reject,
            "/construction",
            "validator_errors",
            many(17, "A"),
            "INVALID_VALIDATOR_ERRORS",
        ),
        (
            &reject,
            "/construction",
            "validator_errors",
            many(1, &"a".repeat(257)),
            "INVALID_VALIDATOR_ERRORS",
        ),
        (
            &reject,
            "/construction",
            "extra",
            json!(1),
            "CONSTRUCTION_UNEXPECTED_FIELDS",
        ),
        (
            &accept,
            "/accept_payload",
            "kind",
            json!("OTHER"),
            "INVALID_ACCEPT_KIND",
        ),
        (
            &accept,
            "/accept_payload",
            "extra",
            json!(1),
            "ACCEPT_PAYLOAD_UNEXPECTED_FIELDS",
        ),
        (
            &accept,
            step,
            "order_id",
            json!("other-order"),
            "INVALID_TRANSITION",
        ),
        (
            &accept,
            step,
            "event",
            json!("pack_order"),
            "INVALID_TRANSITION",
        ),
        (
            &accept,
            step,
            "current_state",
            json!("PAID"),
            "INVALID_TRANSITION",
        ),
        (&accept, step, "terminal", json!(true), "INVALID_TRANSITION"),
        (
            &accept,
            step,
            "extra",
            json!(1),
            "TRANSITION_UNEXPECTED_FIELDS",
        ),
        (
            &query,
            words,
            "intent",
            json!("DESTROY"),
            "INVALID_ROUTE_INTENT",
        ),
        (
            &query,
            words,
            "target",
            json!("delta"),
            "INVALID_ROUTE_TARGET",
        ),
        (&query, words, "mode", json!(null), "INVALID_ROUTE_MODE"),
        (
            &reject,
            "/reject_payload",
            "reason_code",
            json!("L3_ENVELOPE_MISMATCH"),
            "INVALID_REASON_CODE",
        ),
        (
            &reject,
            "/reject_payload",
            "notes",
            many(9, "A"),
            "INVALID_NOTES",
        ),
        (
            &reject,
            "/reject_payload",
            "notes",
            many(1, &"A".repeat(129)),
            "INVALID_NOTES",
        ),
        (
            &reject,
            "/reject_payload",
            "notes",
            many(1, "try again"),
            "INVALID_NOTES",
        ),
        (
            &reject,
            "/reject_payload",
            "extra",
            json!(1),
            "REJECT_PAYLOAD_UNEXPECTED_FIELDS",
        ),
    ];
    for (good, pointer, field, value, code) in cases {
        let mut artifact = good.clone();
        artifact.pointer_mut(pointer).unwrap()[field] = value;
        assert_eq!(faults(&artifact), [code]);
    }
    for name in value_of(&artifact_of(vec![])).as_object().unwrap().keys() {
        let mut artifact = reject.clone();
        artifact.as_object_mut().unwrap().remove(name).unwrap();
        assert!(check(&artifact).is_err(), "{name}");
    }
}

#[test]
fn bytes_that_are_no_artifact_are_refused() {
    let good = artifact_of(vec![status_of_alpha()]);
    let doubled = String::from_utf8_lossy(&good).replacen('{', r#"{"decision":"REJECT","#, 1);
    let cases: [(&[u8], &str); 4] = [
        (b"", "NOT_JSON"),
        (b"\xff", "NOT_UTF8"),
        (b"[]", "ARTIFACT_NOT_OBJECT"),
        (doubled.as_bytes(), "DUPLICATE_KEY"),
    ];
    for (bytes, code) in cases {
        assert_eq!(read(bytes), Err(vec![code.into()]));
    }
}

#[test]
fn a_route_with_a_mode_reads_back() {
    let mut artifact = value_of(&artifact_of(vec![status_of_alpha()]));
    artifact["accept_payload"]["route"]["mode"] = json!("graceful");
    assert!(check(&artifact).is_ok());
    // Only the rules contain it: no proposal leads there.
    let with_mode = route(
        "STATUS_QUERY",
        json!({ "target": "alpha", "mode": "graceful" }),
    );
    let rejected = value_of(&artifact_of(vec![with_mode]));
    assert_eq!(rejected["decision"], "REJECT");
}
