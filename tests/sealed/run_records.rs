//! The files that a run leaves: B38, B39 and the ids.

use crate::demo::artifact::sha256_hex;
use crate::demo::artifact_rules::is_absolute_path;
use crate::demo::records::{self, Hashes, checked};
use crate::support::{Place, generating, names_in};
use bevy_dramatis::engine::SealedSeam;
use serde_json::{Value, json};
use std::path::Path;

/// One run that is accepted, one that is rejected, one without an engine.
fn some_runs() -> Place {
    let place = Place::new();
    place.run("create payment", "accepted", &generating());
    place.run("pack order", "rejected", &generating());
    place.run("create payment", "silent", &SealedSeam::unbound());
    place
}

const RUNS: [&str; 3] = ["accepted", "rejected", "silent"];

fn events(place: &Place, run: &str) -> Vec<Value> {
    let trace = place.read(&format!("{run}/trace.jsonl"));
    trace
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn texts_and_names(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts_and_names).collect(),
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| [vec![name.clone()], texts_and_names(value)].concat())
            .collect(),
        _ => Vec::new(),
    }
}

/// Finds `2026-01-31` or `12:30:59` anywhere.
fn looks_like_a_time(text: &str) -> bool {
    let shape: String = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    shape.contains("0000-00-00") || shape.contains("00:00:00")
}

#[test]
fn b38_records_hold_no_time_and_no_absolute_path() {
    let place = some_runs();
    let folder = place.path("");
    for run in RUNS {
        let mut records = events(&place, run);
        records.push(place.json(&format!("{run}/manifest.json")));
        records.push(place.json(&format!("{run}/artifact.json")));
        for text in records.iter().flat_map(texts_and_names) {
            assert!(!is_absolute_path(&text), "{text}");
            assert!(!text.contains(&*folder.to_string_lossy()), "{text}");
            assert!(!looks_like_a_time(&text), "{text}");
            let lower = text.to_ascii_lowercase();
            for word in ["timestamp", "date", "duration", "elapsed"] {
                assert!(!lower.contains(word), "{text}");
            }
        }
        let numbers = |value: &Value| {
            value
                .as_object()
                .unwrap()
                .values()
                .filter(|v| v.is_number())
                .count()
        };
        // The only number is the place in the sequence: it does not come from a clock.
        assert!(events(&place, run).iter().all(|event| numbers(event) == 1));
    }
    assert!(looks_like_a_time("at 2026-01-31T12:30:59Z"));
}

#[test]
fn b38_records_are_sorted_end_with_a_newline_and_count_without_gaps() {
    let place = some_runs();
    for run in RUNS {
        for file in ["manifest.json", "artifact.json"] {
            let name = format!("{run}/{file}");
            let sorted = format!("{:#}\n", place.json(&name));
            assert_eq!(place.read(&name), sorted);
        }
        let trace = place.read(&format!("{run}/trace.jsonl"));
        let sorted: String = events(&place, run)
            .iter()
            .map(|event| format!("{event}\n"))
            .collect();
        assert_eq!(trace, sorted);
        for (expected, event) in events(&place, run).iter().enumerate() {
            assert_eq!(event["seq"], expected);
        }
    }
}

#[test]
fn b38_the_events_tell_the_run() {
    let place = some_runs();
    let told = |run: &str| -> Vec<String> {
        let events = events(&place, run);
        events
            .iter()
            .map(|event| event["event"].as_str().unwrap().to_owned())
            .collect()
    };
    let accepted = [
        "M4_RUN_START",
        "PROPOSAL_GENERATED",
        "ARTIFACT_WRITTEN",
        "GATE_ACCEPT",
        "EXECUTION_STARTED",
        "EXECUTION_COMPLETE",
        "M4_RUN_COMPLETE",
    ];
    let rejected = [
        "M4_RUN_START",
        "PROPOSAL_GENERATED",
        "ARTIFACT_WRITTEN",
        "GATE_REJECT",
        "EXECUTION_SKIPPED",
        "M4_RUN_COMPLETE",
    ];
    assert_eq!(told("accepted"), accepted);
    assert_eq!(told("rejected"), rejected);
    assert_eq!(told("silent")[1], "PROPOSAL_EMPTY");
}

#[test]
fn b38_an_unfit_record_is_not_written() {
    for path in ["/etc/x", r"C:\x", r"\\srv\x"] {
        assert!(checked(json!({ "a": [{ "b": path }] })).is_err(), "{path}");
    }
    let fit = json!({ "a": "[external]:x", "b": [1, null, true, "x/y"] });
    assert_eq!(checked(fit.clone()).unwrap(), fit);
}

#[test]
fn b39_the_manifest_of_a_reject_has_no_authoritative_output() {
    let place = some_runs();
    for run in ["rejected", "silent"] {
        let manifest = place.json(&format!("{run}/manifest.json"));
        assert_eq!(manifest["authoritative_outputs"], json!([]));
        assert_eq!(manifest["status"], "SKIP");
        assert_eq!(manifest["decision"], "REJECT");
        let files = names_in(&place.path(run));
        assert!(!files.contains(&"stdout.raw.kv".to_owned()), "{files:?}");
    }
}

#[test]
fn the_manifest_of_an_accept_has_the_hash_of_the_output_and_not_the_output() {
    let place = some_runs();
    let output = place.read("accepted/stdout.raw.kv");
    let manifest = place.json("accepted/manifest.json");
    let expected = json!([{ "path": "stdout.raw.kv", "sha256": sha256_hex(output.as_bytes()) }]);
    assert_eq!(manifest["authoritative_outputs"], expected);
    assert_eq!(manifest["status"], "OK");
    assert_eq!(manifest["input"]["ref"], "[external]:wish.txt");
    for record in ["accepted/manifest.json", "accepted/trace.jsonl"] {
        assert!(!place.read(record).contains("demo-order-1"), "{record}");
    }
}

#[test]
fn ids_come_from_what_they_name() {
    let digest = sha256_hex(b"M3_RUN_ID_V1create payment");
    assert_eq!(
        records::run_id(b"create payment"),
        format!("run_{}", &digest[..12])
    );

    let place = some_runs();
    let manifest = place.json("accepted/manifest.json");
    let hash = |name: &str| sha256_hex(place.read(&format!("accepted/{name}")).as_bytes());
    let hashes = Hashes {
        input: hash("input.raw"),
        proposal_set: hash("proposal_set.raw"),
        artifact: hash("artifact.json"),
    };
    let joined = [&hashes.input, &hashes.proposal_set, &hashes.artifact, "m4"].concat();
    let expected = format!("m4_{}", &sha256_hex(joined.as_bytes())[..16]);
    assert_eq!(hashes.m4_id(), expected);
    assert_eq!(manifest["m4_id"], json!(expected));
    assert_eq!(manifest["artifact"]["sha256"], json!(hashes.artifact));
    let sidecar = place.read("accepted/artifact.json.sha256");
    assert_eq!(sidecar, format!("{}  artifact.json\n", hashes.artifact));
}

#[test]
fn an_input_is_named_by_its_file_name_alone() {
    for path in ["/home/me/wish.txt", "wish.txt", "../a/wish.txt"] {
        assert_eq!(
            records::external_ref(Path::new(path)),
            "[external]:wish.txt"
        );
    }
}
