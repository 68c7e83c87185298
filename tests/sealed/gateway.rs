//! From an artifact to an effect: B31 to B33.

use crate::demo::artifact::sha256_hex;
use crate::demo::gateway::{OUTPUT_FILE, Passage, pass};
use crate::support::{artifact_of, faults, passed, status_of_alpha, transition, value_of};
use serde_json::{Value, json};
use std::fs;
use tempfile::tempdir;

#[test]
fn b31_the_same_artifact_makes_the_same_output() {
    let expected = [
        (
            artifact_of(vec![transition("cancel_order")]),
            "order_id=demo-order-1\nprevious_state=CREATED\nevent=cancel_order\ncurrent_state=CANCELLED\nterminal=true\n",
        ),
        (
            artifact_of(vec![transition("create_payment")]),
            "order_id=demo-order-1\nprevious_state=CREATED\nevent=create_payment\ncurrent_state=PAYMENT_PENDING\n\
             terminal=false\n",
        ),
        (
            artifact_of(vec![status_of_alpha()]),
            "intent=STATUS_QUERY\ntarget=alpha\n",
        ),
    ];
    for (artifact, output) in expected {
        for _ in 0..2 {
            let dir = tempdir().unwrap();
            let passage = pass(&artifact, dir.path());
            let output_sha256 = sha256_hex(output.as_bytes());
            assert_eq!(passage, Passage::Executed { output_sha256 });
            assert_eq!(passage.exit_code(), 0);
            assert_eq!(
                fs::read_to_string(dir.path().join(OUTPUT_FILE)).unwrap(),
                output
            );
        }
    }
}

#[test]
fn b32_a_reject_is_not_executed() {
    let rejects = [
        vec![],
        vec![status_of_alpha(); 2],
        vec![transition("pack_order")],
    ];
    for proposals in rejects {
        let (passage, files) = passed(&value_of(&artifact_of(proposals)));
        assert!(
            matches!(passage, Passage::NotExecuted { .. }),
            "{passage:?}"
        );
        assert_eq!(passage.exit_code(), 0);
        assert_eq!(files, Vec::<String>::new());
    }
}

#[test]
fn b33_payloads_that_do_not_fit_are_a_boundary_violation() {
    let accept = value_of(&artifact_of(vec![status_of_alpha()]));
    let reject = value_of(&artifact_of(vec![]));

    let mut both = accept.clone();
    both["reject_payload"] = reject["reject_payload"].clone();
    let mut neither = accept.clone();
    neither.as_object_mut().unwrap().remove("accept_payload");
    let mut crossed = reject.clone();
    crossed["decision"] = json!("ACCEPT");
    crossed["construction"]["selected_proposal_index"] = json!(0);
    let mut crossed_back = accept.clone();
    crossed_back["decision"] = json!("REJECT");
    crossed_back["construction"]["selected_proposal_index"] = json!(null);
    // A payload that is null is not a missing payload.
    let mut null = accept.clone();
    null["reject_payload"] = json!(null);

    let cases = [
        (both, "BOTH_PAYLOADS"),
        (neither, "NO_PAYLOAD"),
        (crossed, "PAYLOAD_DOES_NOT_FIT_DECISION"),
        (crossed_back, "PAYLOAD_DOES_NOT_FIT_DECISION"),
        (null, "BOTH_PAYLOADS"),
    ];
    for (artifact, code) in cases {
        assert_eq!(faults(&artifact), [code]);
        let (passage, files) = passed(&artifact);
        assert_eq!(
            passage,
            Passage::Refused {
                codes: vec![code.into()]
            }
        );
        assert_eq!(passage.exit_code(), 2);
        assert_eq!(files, Vec::<String>::new());
    }
}

#[test]
fn an_accept_that_cannot_be_executed_is_a_failure() {
    let forge = |from: Vec<Value>, pointer: &str, value: Value| {
        let mut forged = value_of(&artifact_of(from));
        *forged.pointer_mut(pointer).unwrap() = value;
        forged
    };
    let step = json!({
        "order_id": "demo-order-1",
        "previous_state": "PAID",
        "event": "cancel_order",
        "current_state": "CANCELLED",
        "terminal": true,
    });
    let forged = [
        // By the rules the artifact is valid, but this demo cannot execute it.
        forge(
            vec![status_of_alpha()],
            "/accept_payload/route/target",
            json!("beta"),
        ),
        forge(
            vec![transition("cancel_order")],
            "/accept_payload/transition",
            step,
        ),
    ];
    for artifact in forged {
        let (passage, files) = passed(&artifact);
        assert!(matches!(passage, Passage::Failed { .. }), "{passage:?}");
        assert_eq!(passage.exit_code(), 1);
        assert_eq!(files, Vec::<String>::new());
    }

    let dir = tempdir().unwrap();
    let passage = pass(
        &artifact_of(vec![status_of_alpha()]),
        &dir.path().join("missing"),
    );
    assert_eq!(passage.exit_code(), 1);
}
