//! Runs seen from outside: B46, discovery and comparison.

use crate::demo::artifact::sha256_hex;
use crate::demo::wrapper::{Comparison, Facts};
use crate::support::{Place, call, generating, saying};
use bevy_dramatis::engine::SealedSeam;
use serde_json::json;
use std::fs;

#[test]
fn b46_two_outputs_are_ambiguous_whatever_their_age() {
    let place = Place::new();
    place.run("create payment", "runs/first", &generating());
    place.run("cancel order", "runs/second", &generating());
    let (report, exit) = place.wrap("runs");
    assert_eq!(exit, 3);
    assert_eq!(report["discovery_status"], "ambiguous");
    assert_eq!(report["authoritative_stdout_path"], json!(null));
    assert_eq!(report["authoritative_stdout_sha256"], json!(null));

    // The same with one output at the top and a copy below it.
    fs::create_dir(place.path("runs/first/copy")).unwrap();
    let output = place.path("runs/first/stdout.raw.kv");
    fs::copy(&output, place.path("runs/first/copy/stdout.raw.kv")).unwrap();
    let (report, exit) = place.wrap("runs/first");
    assert_eq!(
        (exit, &report["discovery_status"]),
        (3, &json!("ambiguous"))
    );
}

#[test]
fn one_output_beside_an_accept_is_authoritative() {
    let place = Place::new();
    place.run("create payment", "runs/only", &generating());
    let sha256 = sha256_hex(place.read("runs/only/stdout.raw.kv").as_bytes());
    for (dir, path) in [
        ("runs/only", "stdout.raw.kv"),
        ("runs", "only/stdout.raw.kv"),
    ] {
        let expected = json!({
            "run_dir": place.path(dir).to_string_lossy(),
            "decision": "ACCEPT",
            "authoritative_stdout_path": path,
            "authoritative_stdout_sha256": sha256,
            "discovery_status": "authoritative_found",
        });
        assert_eq!(place.wrap(dir), (expected, 0));
    }
}

#[test]
fn a_reject_and_a_folder_that_is_not_there_have_no_output() {
    let place = Place::new();
    place.run("pack order", "run", &generating());
    for (dir, decision) in [("run", json!("REJECT")), ("nowhere", json!(null))] {
        let (report, exit) = place.wrap(dir);
        assert_eq!(exit, 2);
        assert_eq!(report["discovery_status"], "not_found");
        assert_eq!(report["decision"], decision);
        assert_eq!(report.as_object().unwrap().len(), 5);
    }
}

#[test]
fn an_output_that_no_artifact_vouches_for_is_not_authoritative() {
    let place = Place::new();
    place.run("pack order", "rejected", &generating());
    fs::write(place.path("rejected/stdout.raw.kv"), "terminal=true\n").unwrap();
    assert_eq!(place.wrap("rejected").1, 3);

    place.run("create payment", "broken", &generating());
    fs::write(place.path("broken/artifact.json"), "{}").unwrap();
    let (report, exit) = place.wrap("broken");
    assert_eq!((exit, &report["decision"]), (3, &json!(null)));
}

#[test]
fn the_wrapper_never_looks_into_an_output() {
    let place = Place::new();
    place.run("create payment", "run", &generating());
    fs::write(place.path("run/stdout.raw.kv"), b"\xff\x00 not kv").unwrap();
    let (report, exit) = place.wrap("run");
    assert_eq!(exit, 0);
    assert_eq!(
        report["authoritative_stdout_sha256"],
        sha256_hex(b"\xff\x00 not kv")
    );
}

fn compared(place: &Place, left: &str, right: &str) -> (String, u8) {
    let args = [
        "--compare".into(),
        place.path(left).into(),
        place.path(right).into(),
    ];
    let printed = call(&args, &SealedSeam::unbound());
    (printed.stdout.trim_end().to_owned(), printed.exit)
}

#[test]
fn two_runs_are_compared_by_what_they_came_to() {
    let place = Place::new();
    place.run("create payment", "plain", &generating());
    place.run("make a payment", "synonym", &generating());
    place.run("cancel order", "other", &generating());
    place.run("status of alpha", "route", &generating());
    place.run("pack order", "reject", &generating());
    place.run("create payment", "silent", &saying(""));
    let undecidable = ("UNDECIDABLE_UNDER_RULE_V1".to_owned(), 3);
    assert_eq!(
        compared(&place, "plain", "synonym"),
        ("EQUIVALENT".into(), 0)
    );
    assert_eq!(
        compared(&place, "plain", "other"),
        ("NOT_EQUIVALENT".into(), 2)
    );
    assert_eq!(
        compared(&place, "plain", "route"),
        ("NOT_EQUIVALENT".into(), 2)
    );
    // A missing fact is never equal to a missing one, not even in the same run.
    assert_eq!(compared(&place, "reject", "reject"), undecidable);
    assert_eq!(compared(&place, "plain", "silent"), undecidable);
    assert_eq!(compared(&place, "plain", "nowhere"), undecidable);
}

#[test]
fn undecidable_wins_over_different() {
    let known = Facts {
        status: Some("ACCEPT"),
        intent_id: Some("STATUS_QUERY"),
        n_slots: Some(1),
    };
    let fewer = Facts {
        n_slots: None,
        ..known.clone()
    };
    let other = Facts {
        n_slots: Some(2),
        ..known.clone()
    };
    let both = Facts {
        status: Some("REJECT"),
        ..fewer.clone()
    };
    assert_eq!(known.compare(&known), Comparison::Equivalent);
    assert_eq!(known.compare(&other), Comparison::NotEquivalent);
    assert_eq!(known.compare(&both), Comparison::Undecidable);
    assert_eq!(fewer.compare(&fewer), Comparison::Undecidable);
}
