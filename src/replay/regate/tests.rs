//! Old recordings under changed rules, without a model (contract row J4).

mod actions;
mod adventures;
mod edits;
mod plans;
mod scenarios;
mod words;

use crate::authoring::NoFiles;
use crate::gate::FailureReason;
use crate::gate::{CustomCheck, CustomChecks};
use crate::journal::{RecordKind, Recording};
use crate::replay::regate::{ChangedRules, ChangedVerdict, FindingChange, RegateReport, regate};
use crate::scenario::{Scenario, record, scenario_files};
use crate::world::ActionRegistry;
use bevy::prelude::App;
use std::fs;
use std::path::Path;

fn read(source: &str) -> Scenario {
    let registry = ActionRegistry::default();
    match Scenario::parse(source.as_bytes(), "a.scenario.ron", &NoFiles, &registry) {
        Ok(scenario) => scenario,
        Err(errors) => panic!("{errors:?}\n{source}"),
    }
}

fn recorded(source: &str) -> Recording {
    record(&read(source), &|_| {}).1
}

fn judged(recording: &Recording, changed: &ChangedRules) -> RegateReport {
    let report = regate(recording, changed, &|_| {}).unwrap();
    assert!(report.replay.holds(), "{:?}", report.replay);
    assert_eq!(report.replay.records, recording.records.len() as u64);
    for verdict in &report.changed {
        assert!(!verdict.responsible.is_empty(), "{verdict}");
        let of = &recording.records[usize::try_from(verdict.seq - 1).unwrap()];
        assert_eq!(of.kind, verdict.kind);
        // In a told turn others than the player may have acted.
        if of.kind != RecordKind::AdventureTurn {
            assert_eq!(of.subject.as_deref(), Some(verdict.npc.as_str()));
        }
    }
    report
}

/// The same scenario once with `before` for its `@`, once with `after`; the recording of the first under the second.
fn changed_from(scenario: &str, before: &str, after: &str) -> Vec<ChangedVerdict> {
    let recording = recorded(&scenario.replace('@', before));
    let same = judged(
        &recording,
        &ChangedRules::from(&read(&scenario.replace('@', before))),
    );
    assert_eq!(same.changed, [], "the rules are the same");
    assert!(same.attempts + same.turns > 0);
    judged(
        &recording,
        &ChangedRules::from(&read(&scenario.replace('@', after))),
    )
    .changed
}

/// Rules by change, reason and id.
fn responsible(verdict: &ChangedVerdict) -> Vec<(FindingChange, FailureReason, &str)> {
    let found = verdict.responsible.iter();
    found.map(|r| (r.change, r.reason, &*r.rule)).collect()
}

const SPEECH: &str = r#"(
    name: "a guard speaks",
    npcs: [(id: "guard", @ fallbacks: (generic: ["Hm."]))],
    replies: [Say("The vault lies below."), Say("I say nothing.")],
    steps: [Say(to: "guard", text: "What lies below?"), Say(to: "guard", text: "And else?")],
)"#;
const NO_VAULT: &str =
    r#"constraints: [(id: "no_vault", kind: Prohibition, severity: Hard, patterns: ["vault"])],"#;

#[test]
fn j4_regate_under_the_same_rules_changes_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/scenarios");
    let (mut scenarios, mut attempts, mut turns) = (0, 0, 0);
    let mut wrong = Vec::new();
    // A sixth of them: a replay of nearly all is another test.
    for file in scenario_files(&folder).unwrap().iter().step_by(6) {
        let read = || Scenario::read(file, &ActionRegistry::default()).unwrap();
        let (_, recording) = record(&read(), &|_| {});
        let report = judged(&recording, &ChangedRules::from(&read()));
        wrong.extend(
            report
                .changed
                .iter()
                .map(|v| format!("{}: {v}", file.display())),
        );
        scenarios += 1;
        attempts += report.attempts;
        turns += report.turns;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        scenarios > 150 && attempts > 100 && turns > 15,
        "{scenarios} {attempts} {turns}"
    );
}

#[test]
fn j4_regate_looks_at_sealed_runs() {
    let sealed = SPEECH.replace("npcs:", "policy: Sealed, npcs:");
    let changed = changed_from(&sealed, NO_VAULT, "");
    assert_eq!(changed.len(), 1);
    assert_eq!(
        responsible(&changed[0]),
        [(
            FindingChange::Vanished,
            FailureReason::ProhibitionViolated,
            "no_vault"
        )]
    );
}

#[test]
fn j4_regate_tells_of_a_recording_that_does_not_replay() {
    let mut recording = recorded(&SPEECH.replace('@', ""));
    let last = recording.records.last_mut().unwrap();
    last.body["outcome"] = "another".into();
    let report = regate(&recording, &ChangedRules::default(), &|_| {}).unwrap();
    assert!(!report.replay.holds());
    assert_eq!(
        report.replay.divergences[0].seq,
        recording.records.len() as u64
    );
    assert!(regate(&Recording::default(), &ChangedRules::default(), &|_| {}).is_err());
}

#[test]
fn j4_regate_reads_rules_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let read = |paths: &[_]| ChangedRules::read(paths, &ActionRegistry::default());
    let guard = write("guard.npc.ron", &format!("(id: \"guard\", {NO_VAULT})"));
    let cook = write("cook.npc.ron", "(id: \"cook\")");
    let story = write(
        "a.story.ron",
        r#"(custom_rules: [(id: "hm", kind: Requirement, severity: Hard, pattern: "hm")])"#,
    );
    let scenario = write("a.scenario.ron", &SPEECH.replace('@', ""));
    let recording = recorded(&SPEECH.replace('@', ""));

    let report = judged(&recording, &read(&[guard.clone(), cook]).unwrap());
    assert_eq!(report.unused, ["cook"]);
    assert_eq!(
        (report.runs, report.attempts, report.changed.len()),
        (2, 2, 1)
    );
    let report = judged(&recording, &read(&[guard.clone(), story.clone()]).unwrap());
    let found: Vec<_> = report.changed.iter().map(|v| &*v.after.failures).collect();
    assert_eq!(found, [&["no_vault", "hm"][..], &["hm"]]);

    let both = read(&[story, scenario.clone(), guard]).unwrap_err();
    let told: Vec<String> = both.iter().map(ToString::to_string).collect();
    assert!(
        told.len() == 2 && told[0].contains("second story") && told[1].contains("\"guard\""),
        "{told:?}"
    );
    assert!(read(&[scenario]).unwrap().story.is_some());
    for wrong in ["gone.npc.ron", "guard.txt"] {
        assert_eq!(read(&[folder.path().join(wrong)]).unwrap_err().len(), 1);
    }
    let broken = write("broken.npc.ron", "(id: \"a\",\n persna: \"x\")");
    let told = read(&[broken]).unwrap_err()[0].to_string();
    assert!(told.contains("broken.npc.ron:2:"), "{told}");
}

#[test]
fn j4_regate_asks_the_checks_of_the_game_too() {
    let silent = |app: &mut App| {
        let check = CustomCheck::new("silence", |words, _, _| {
            if words.contains("nothing") {
                return Err("not now".into());
            }
            Ok(None)
        });
        app.world_mut().resource_mut::<CustomChecks>().0.push(check);
    };
    let (_, recording) = record(&read(&SPEECH.replace('@', "")), &silent);
    let changed = ChangedRules::from(&read(&SPEECH.replace('@', NO_VAULT)));
    let report = regate(&recording, &changed, &silent).unwrap();
    assert!(report.replay.holds());
    assert_eq!(report.changed.len(), 1, "{:?}", report.changed);
    assert_eq!(report.changed[0].after.failures, ["no_vault"]);
}
