//! The decision table: B17 to B27.

use crate::demo::decide::{Decision, ENVELOPE, Payload, decide};
use crate::support::{bytes_of, codes, rejected, route, set_of, status_of_alpha, transition};
use serde_json::{Value, json};

fn decided(proposals: Vec<Value>) -> (&'static str, Vec<String>) {
    rejected(&bytes_of(&set_of(proposals)))
}

fn accepted(set: &Value) -> Payload {
    let judgement = decide(&bytes_of(set));
    assert_eq!(judgement.proposal_count, 1);
    assert_eq!(judgement.validator_errors, Vec::<String>::new());
    match judgement.decision {
        Decision::Accept(payload) => payload,
        rejected => panic!("{rejected:?}"),
    }
}

#[test]
fn b17_no_proposals_are_rejected() {
    assert_eq!(decided(vec![]), ("NO_PROPOSALS", vec![]));
    assert_eq!(decide(&bytes_of(&set_of(vec![]))).proposal_count, 0);
}

/// Identical proposals are as ambiguous as different ones: resolution 3.4.6.
#[test]
fn b18_several_proposals_are_ambiguous_even_if_identical() {
    let ambiguous = |proposals: Vec<Value>| {
        let note = format!("PROPOSAL_COUNT:{}", proposals.len());
        let judgement = decide(&bytes_of(&set_of(proposals.clone())));
        assert_eq!(judgement.proposal_count, proposals.len());
        assert_eq!(decided(proposals), ("AMBIGUOUS_PROPOSALS", vec![note]));
    };
    ambiguous(vec![status_of_alpha(), transition("create_payment")]);
    ambiguous(vec![status_of_alpha(), status_of_alpha()]);
    ambiguous(vec![status_of_alpha(); 8]);
    ambiguous(vec![transition("fly_away"), transition("create_payment")]);
}

#[test]
fn b19_nine_proposals_are_invalid_and_counted_as_eight() {
    let set = set_of(vec![status_of_alpha(); 9]);
    assert_eq!(codes(&set), ["TOO_MANY_PROPOSALS:max=8"]);
    assert_eq!(decide(&bytes_of(&set)).proposal_count, 8);
}

#[test]
fn b20_the_schema_comes_before_the_count() {
    let broken = route("DESTROY", json!({ "target": "alpha" }));
    let set = set_of(vec![status_of_alpha(), broken]);
    assert_eq!(codes(&set), ["PROPOSAL_1_INVALID_INTENT:DESTROY"]);
    assert_eq!(decide(&bytes_of(&set)).proposal_count, 2);
}

#[test]
fn b21_the_envelope_is_accepted() {
    let payload = accepted(&set_of(vec![status_of_alpha()]));
    let Payload::Route(route) = payload else {
        panic!("{payload:?}");
    };
    assert_eq!(route, ENVELOPE);
    assert_eq!(
        (route.intent, route.target, route.mode),
        ("STATUS_QUERY", "alpha", None)
    );
}

/// The documents of the source disagree whether the mismatch is a code or a note; resolution 3.4.5: a note.
#[test]
fn b22_a_route_outside_the_envelope_is_rejected() {
    let outside = [
        route("STATUS_QUERY", json!({ "target": "beta" })),
        route("STATUS_QUERY", json!({ "target": "gamma" })),
        route("STOP_SUBSYSTEM", json!({ "target": "alpha" })),
        route("RESTART_SUBSYSTEM", json!({ "target": "alpha" })),
        route(
            "RESTART_SUBSYSTEM",
            json!({ "target": "beta", "mode": "graceful" }),
        ),
        route(
            "STATUS_QUERY",
            json!({ "target": "alpha", "mode": "immediate" }),
        ),
    ];
    for proposal in outside {
        let expected = ("INVALID_PROPOSALS", vec!["L3_ENVELOPE_MISMATCH".to_owned()]);
        assert_eq!(decided(vec![proposal.clone()]), expected, "{proposal}");
        // The proposal was well-formed, so the schema reports nothing.
        assert_eq!(codes(&set_of(vec![proposal])), Vec::<String>::new());
    }
}

#[test]
fn b23_the_raw_input_has_no_say() {
    let mut set = set_of(vec![status_of_alpha()]);
    let payload = accepted(&set);
    for raw in ["stop alpha subsystem immediately", "ACCEPT", "\u{0}"] {
        set["input"]["raw"] = raw.into();
        assert_eq!(accepted(&set), payload);
    }
}

fn steps(event: &str) -> (&'static str, &'static str, bool) {
    let Payload::Transition(step) = accepted(&set_of(vec![transition(event)])) else {
        panic!("no step");
    };
    assert_eq!(step.event().token(), event);
    let (previous, current) = (step.previous(), step.current());
    (previous.token(), current.token(), current.is_terminal())
}

#[test]
fn b24_create_payment_is_accepted() {
    assert_eq!(
        steps("create_payment"),
        ("CREATED", "PAYMENT_PENDING", false)
    );
}

#[test]
fn b25_cancel_order_is_accepted_and_final() {
    assert_eq!(steps("cancel_order"), ("CREATED", "CANCELLED", true));
}

#[test]
fn b26_a_known_event_that_does_not_fit_is_illegal() {
    let note = "L4_REJECT:ILLEGAL_TRANSITION".to_owned();
    let expected = ("ILLEGAL_TRANSITION", vec![note]);
    assert_eq!(decided(vec![transition("pack_order")]), expected);
}

#[test]
fn b27_an_unknown_event_is_an_invalid_token() {
    for token in [
        "fly_away",
        "",
        "CREATE_PAYMENT",
        "create payment",
        " create_payment",
    ] {
        let note = "L4_REJECT:INVALID_EVENT_TOKEN".to_owned();
        let expected = ("INVALID_EVENT_TOKEN", vec![note]);
        assert_eq!(decided(vec![transition(token)]), expected, "{token}");
    }
}
