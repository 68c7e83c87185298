//! What was recorded happens again, field by field (contract row J4).

use bevy_dramatis::journal::replay;
use bevy_dramatis::scenario::{Scenario, record, scenario_files};
use bevy_dramatis::world::ActionRegistry;
use std::path::Path;

#[test]
fn j4_every_shipped_scenario_replays_without_a_difference() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/scenarios");
    let mut wrong = Vec::new();
    let mut records = 0;
    for file in scenario_files(&folder).unwrap() {
        let name = file.strip_prefix(&folder).unwrap().display().to_string();
        let scenario = Scenario::read(&file, &ActionRegistry::default()).unwrap();
        let (played, recording) = record(&scenario, &|_| {});
        assert!(played.failed.is_empty(), "{name}: {:?}", played.failed);
        match replay(&recording, &|_| {}) {
            Ok(report) if report.holds() && report.skipped.is_empty() => records += report.records,
            Ok(report) => {
                let first = report.divergences.first();
                wrong.push(format!("{name}: stopped {:?}: {first:?}", report.stopped));
            }
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(12)].join("\n")
    );
    assert!(records > 2_000, "{records}");
}
