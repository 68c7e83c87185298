//! A record says of every forgotten memory why it was forgotten (contract row M8).

use bevy_dramatis::authoring::NoFiles;
use bevy_dramatis::journal::{Redaction, export};
use bevy_dramatis::replay::replay;
use bevy_dramatis::scenario::{Scenario, record};
use bevy_dramatis::world::ActionRegistry;
use serde_json::Value;

#[test]
fn m8_every_forgetting_stands_in_the_record_of_what_caused_it() {
    let text = r#"(name: "forgetting", npcs: [(id: "odo", limits: (episodes: 1), memories: [(id: "old", text: "It rained.", significance: 0.1)])],
        replies: [Say("Aye."), Say("No.")],
        steps: [Say(to: "odo", text: "Well?"), Forget(npc: "odo", id: "said-1"), Say(to: "odo", text: "And?"), Retract(npc: "odo"), Advance(seconds: 2.0)])"#;
    let registry = ActionRegistry::default();
    let scenario = Scenario::parse(text.as_bytes(), "a.scenario.ron", &NoFiles, &registry).unwrap();
    let (_, recording) = record(&scenario, &|_| {});
    let mut bytes = Vec::new();
    export(&recording, &mut bytes, &Redaction::default()).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let told: Vec<(String, String)> = lines
        .filter_map(|line: Value| {
            let kind = line.get("kind")?.as_str()?.to_owned();
            let forgotten = line.pointer("/body/forgotten")?;
            Some((kind, forgotten.to_string()))
        })
        .collect();
    let told: Vec<(&str, &str)> = told
        .iter()
        .map(|(kind, gone)| (kind.as_str(), gone.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("interaction", r#"[{"id":"old","why":"cap"}]"#),
            ("mind", r#"[{"id":"said-1","why":"forget"}]"#),
            ("mind", r#"[{"id":"said-2","why":"retracted"}]"#),
        ],
        "{text}"
    );
    assert!(replay(&recording, &|_| {}).unwrap().holds());
}
