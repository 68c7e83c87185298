//! Golden files: prompts and traces may change only on purpose. The tests run in debug and in release builds alike.

use bevy_dramatis::scenario::{Scenario, play};
use bevy_dramatis::world::ActionRegistry;
use std::path::Path;

fn trace(name: &str) -> serde_json::Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("assets/scenarios")
        .join(name);
    let scenario = Scenario::read(&file, &ActionRegistry::default())
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    play(&scenario, &|_| {}).trace
}

#[test]
fn p5_the_prompts_of_a_retried_run() {
    let trace = trace("g7_the_wizard_offers_the_door.scenario.ron");
    let prompt = trace
        .pointer("/runs/0/attempts/0/prompt")
        .and_then(|p| p.as_str());
    insta::assert_snapshot!("prompt", prompt.unwrap_or_default());
    let trace = self::trace("p10_a_hit_adds_a_specific_prohibition.scenario.ron");
    let retry = trace
        .pointer("/runs/0/attempts/1/prompt")
        .and_then(|p| p.as_str());
    insta::assert_snapshot!("retry_prompt", retry.unwrap_or_default());
}

#[test]
fn g9_the_trace_of_a_verdict_with_everything_wrong() {
    let mut trace = trace("g9_all_gates_report_together.scenario.ron");
    let attempt = trace
        .pointer_mut("/runs/0/attempts/0")
        .map(serde_json::Value::take);
    let attempt = attempt.unwrap_or_default();
    let verdict = serde_json::json!({
        "snapshot": attempt["snapshot"], "seed": attempt["seed"], "failures": attempt["failures"], "warnings": attempt["warnings"],
    });
    insta::assert_snapshot!(
        "verdict",
        serde_json::to_string_pretty(&verdict).unwrap_or_default()
    );
}
