//! Honest lines, which the guard in the story that all attacks share may say (contract row R2).

use super::corpus::STORY;
use bevy_dramatis::authoring::Files;
use bevy_dramatis::scenario::{Scenario, play};
use bevy_dramatis::world::ActionRegistry;
use serde_json::json;
use std::path::Path;

/// The lines, by register, form and language.
const LINES: &str = include_str!("../data/benign_lines.txt");
/// How many lines are spoken in one scene.
const SCENE: usize = 50;

/// The lines of a scene that the gate refused, each with the reason.
fn refused(lines: &[&str], as_json: bool) -> Vec<String> {
    let reply = |line: &&str| match as_json {
        true => format!(
            "        Say({:?}),\n",
            json!({ "dialogue": line }).to_string()
        ),
        false => format!("        Say({line:?}),\n"),
    };
    let replies: String = lines.iter().map(reply).collect();
    let steps = "        Say(to: \"guard\", text: \"Well?\"),\n".repeat(lines.len());
    let one_try = STORY.replace("max_attempts: 2", "max_attempts: 1");
    let text = format!(
        "Scenario(\n    name: \"benign\",\n{one_try}    replies: [\n{replies}    ],\n    steps: [\n{steps}    ],\n)"
    );
    let files = Files::beside(Path::new("benign.scenario.ron"));
    let scenario = Scenario::parse(
        text.as_bytes(),
        "benign",
        &files,
        &ActionRegistry::default(),
    )
    .unwrap_or_else(|errors| panic!("{errors:?}"));
    let trace = play(&scenario, &|_| {}).trace;
    let runs = trace["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), lines.len());
    let refused = runs
        .iter()
        .zip(lines)
        .filter(|(run, _)| run["outcome"] != "Accepted");
    refused
        .map(|(run, line)| format!("{line}  {}", run["attempts"][0]["failures"]))
        .collect()
}

#[test]
fn r2_honest_lines_are_spoken() {
    let lines: Vec<&str> = LINES
        .lines()
        .filter(|line| !line.starts_with("# "))
        .collect();
    let mut found = Vec::new();
    for (n, scene) in lines.chunks(SCENE).enumerate() {
        found.extend(refused(scene, n % 2 == 0));
    }
    let percent = 100.0 * found.len() as f64 / lines.len() as f64;
    println!(
        "R2: {} of {} honest lines refused ({percent:.1}%)",
        found.len(),
        lines.len()
    );
    for line in &found {
        println!("R2: refused: {line}");
    }
    // Together with those of `assets/scenarios/benign` these are a thousand.
    assert!(lines.len() >= 661, "{}", lines.len());
    assert!(found.len() * 100 <= lines.len(), "{}", found.join("\n"));
}
