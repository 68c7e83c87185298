//! Plays every scenario of `assets/scenarios`, each named for the contract row that it shows.

use bevy_dramatis::canonical::{Digest, canonical_json};
use bevy_dramatis::scenario::{Scenario, play, scenario_files};
use std::path::Path;

fn scenarios() -> Vec<Scenario> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/scenarios");
    let files = scenario_files(&folder).expect("the folder is there");
    assert!(files.len() >= 40, "only {} scenarios", files.len());
    files
        .iter()
        .map(|file| {
            Scenario::read(file).unwrap_or_else(|errors| {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                panic!("{}", errors.join("\n"))
            })
        })
        .collect()
}

#[test]
fn x3_every_scenario_holds() {
    let mut broken = Vec::new();
    for scenario in scenarios() {
        assert!(
            !scenario.spec.expect.is_empty(),
            "{} expects nothing",
            scenario.file
        );
        for wrong in play(&scenario, &|_| {}).broken {
            broken.push(format!("{}: {wrong}", scenario.file));
        }
    }
    assert!(
        broken.is_empty(),
        "{} broken:\n{}",
        broken.len(),
        broken.join("\n")
    );
}

#[test]
fn x3_equal_input_gives_an_equal_trace_and_hash() {
    for scenario in scenarios().iter().step_by(7) {
        let [one, two] = [play(scenario, &|_| {}).trace, play(scenario, &|_| {}).trace];
        assert_eq!(
            canonical_json(&one),
            canonical_json(&two),
            "{}",
            scenario.file
        );
        let mut rest = one.clone();
        let hash = rest
            .as_object_mut()
            .and_then(|map| map.remove("hash"))
            .expect("a trace has a hash");
        assert_eq!(hash, Digest::of(&rest).to_hex(), "{}", scenario.file);
    }
}
