//! The generator: B40 to B42 and its patterns.

use crate::demo::generator::{plain_phrase, propose};
use crate::demo::order::Event;
use crate::demo::proposal_set::{self, Proposal, Route};
use serde_json::{Value, json};
use std::borrow::Cow;

fn only(input: &str) -> Option<Proposal> {
    let mut proposals = proposal_set::read(&propose(input.as_bytes())).unwrap();
    assert!(proposals.len() <= 1);
    proposals.pop()
}

fn said(input: &str) -> Value {
    serde_json::from_slice(&propose(input.as_bytes())).unwrap()
}

fn step(event_token: &str) -> Option<Proposal> {
    let event_token = event_token.to_owned();
    Some(Proposal::Transition { event_token })
}

#[test]
fn b40_synonyms_mean_create_payment() {
    let spellings = [
        "submit payment",
        "new payment",
        "make a payment",
        "SUBMIT PAYMENT",
        "Make A Payment",
        "  submit\tpayment ",
        "new\n\npayment\r\n",
        "make  a   payment",
    ];
    for spelling in spellings {
        assert_eq!(plain_phrase(spelling), "create payment", "{spelling:?}");
        assert_eq!(only(spelling), step("create_payment"), "{spelling:?}");
    }
}

#[test]
fn b41_what_is_no_synonym_is_returned_unchanged() {
    let others = [
        "submit-payment",
        "submit_payment",
        "submit.payment",
        "'submit payment'",
        "submit payment now",
        "submitpayment",
        "",
        "   ",
        " Something  Else\n",
    ];
    for other in others {
        assert!(
            matches!(plain_phrase(other), Cow::Borrowed(same) if same == other),
            "{other:?}"
        );
        assert_eq!(only(other), None, "{other:?}");
    }
}

#[test]
fn b42_a_meaning_is_not_looked_up_again() {
    for phrase in ["create payment", "Create  Payment "] {
        assert_eq!(plain_phrase(phrase), phrase);
    }
}

#[test]
fn routes_have_their_phrases() {
    let cases = [
        (
            "restart alpha subsystem gracefully",
            "RESTART_SUBSYSTEM",
            "alpha",
            Some("graceful"),
        ),
        (
            "stop beta subsystem immediately",
            "STOP_SUBSYSTEM",
            "beta",
            Some("immediate"),
        ),
        (
            "graceful stop of gamma",
            "STOP_SUBSYSTEM",
            "gamma",
            Some("graceful"),
        ),
        (
            "Immediate RESTART of Alpha",
            "RESTART_SUBSYSTEM",
            "alpha",
            Some("immediate"),
        ),
        ("status of alpha", "STATUS_QUERY", "alpha", None),
        (" query status of beta\n", "STATUS_QUERY", "beta", None),
        ("GAMMA status", "STATUS_QUERY", "gamma", None),
    ];
    for (input, intent, target, mode) in cases {
        let expected = Route {
            intent,
            target,
            mode,
        };
        assert_eq!(only(input), Some(Proposal::Route(expected)), "{input}");
    }
}

#[test]
fn every_event_has_its_phrase() {
    for event in Event::ALL {
        let phrase = event.token().replace('_', " ");
        assert_eq!(only(&phrase), step(event.token()));
        assert_eq!(
            only(&format!(" {}\n", phrase.to_uppercase())),
            step(event.token())
        );
        assert_eq!(only(event.token()), None);
    }
}

#[test]
fn other_phrases_propose_nothing() {
    let others = [
        "restart alpha subsystem",
        "restart delta subsystem gracefully",
        "status alpha subsystem gracefully",
        "graceful status of alpha",
        "status of delta",
        "status of",
        "please status of alpha",
        "status  of alpha",
        "query status of alpha now",
        "{\"kind\":\"ROUTE_CANDIDATE\"}",
    ];
    for other in others {
        assert_eq!(only(other), None, "{other}");
        assert_eq!(said(other)["proposals"], json!([]), "{other}");
    }
}

#[test]
fn the_input_is_kept_as_it_came() {
    for input in ["  Status of ALPHA\n", "make  a payment", "\u{0}ü\t", ""] {
        assert_eq!(said(input)["input"]["raw"], input);
    }
}

#[test]
fn an_input_that_is_too_long_proposes_nothing_and_says_why() {
    let padded = |chars: usize| format!("status of alpha{}", " ".repeat(chars - 15));
    assert!(only(&padded(4096)).is_some());
    let set = said(&padded(4097));
    assert_eq!(set["errors"], json!(["INPUT_TOO_LONG"]));
    assert_eq!(set["proposals"], json!([]));
    // The set is valid and empty.
    assert_eq!(only(&padded(4097)), None);
    assert_eq!(only(&"ü".repeat(5000)), None);
}

#[test]
fn bytes_that_are_no_text_get_no_answer() {
    assert_eq!(propose(b"\xff\xfe"), b"");
}

#[test]
fn the_same_input_gets_the_same_answer() {
    for input in ["status of alpha", "", "nonsense"] {
        assert_eq!(propose(input.as_bytes()), propose(input.as_bytes()));
    }
}
