//! A recorded run as a scenario that begins from the recorded game (contract row X3).

use super::{NO_VAULT, SPEECH, read, recorded};
use crate::authoring::NoFiles;
use crate::authoring::files::MemoryFiles;
use crate::journal::{RecordKind, Recording, Redaction, export};
use crate::replay::regate::ReplyKey;
use crate::scenario::{
    NoScenario, RecordedScenario, Scenario, ScenarioResult, ScenarioWish, play, record,
    scenario_files, scenario_of,
};
use crate::world::ActionRegistry;
use serde_json::Value;
use std::fmt;
use std::path::{Path, PathBuf};

pub(super) fn wish(seq: u64, attempt: u32, reply: Option<&str>, passes: bool) -> ScenarioWish {
    ScenarioWish {
        key: ReplyKey { seq, attempt },
        reply: reply.map(str::to_owned),
        passes,
    }
}

/// A scenario with the files that it finds: the game that it begins from, and others.
#[derive(Debug, Clone)]
pub(super) struct Written {
    pub text: String,
    pub files: MemoryFiles,
}

impl Written {
    /// The files of a scenario, as they are saved.
    pub(super) fn of(scenario: &RecordedScenario, files: &MemoryFiles) -> Self {
        let mut bytes = Vec::new();
        export(&scenario.beginning, &mut bytes, &Redaction::default()).unwrap();
        let mut files = files.clone();
        files.0.insert("bug.jsonl".to_owned(), bytes);
        let text = scenario.text("bug.jsonl");
        Self { text, files }
    }

    /// The same with these fields more.
    pub(super) fn with(&self, fields: &str) -> Self {
        Self {
            text: self
                .text
                .replacen("Scenario(", &format!("Scenario({fields}"), 1),
            files: self.files.clone(),
        }
    }

    pub(super) fn played(&self) -> ScenarioResult {
        let registry = ActionRegistry::default();
        let bytes = self.text.as_bytes();
        match Scenario::parse(bytes, "bug.scenario.ron", &self.files, &registry) {
            Ok(scenario) => play(&scenario, &|_| {}),
            Err(errors) => panic!("{errors:?}\n{self}"),
        }
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A recorded run, turn or plan as a scenario, without any file of the game.
pub(super) fn scenario(recording: &Recording, wish: &ScenarioWish) -> Result<Written, NoScenario> {
    let scenario = scenario_of(recording, wish, &NoFiles, &|_| {})?;
    Ok(Written::of(&scenario, &MemoryFiles::default()))
}

pub(super) fn written(recording: &Recording, wish: &ScenarioWish) -> Written {
    scenario(recording, wish).unwrap()
}

/// What of the scenario does not hold.
pub(super) fn failed(scenario: &Written) -> Vec<String> {
    let failed = scenario.played().failed;
    failed.iter().map(ToString::to_string).collect()
}

#[test]
fn x3_an_edited_reply_is_a_scenario_that_holds() {
    let recording = recorded(&SPEECH.replace('@', NO_VAULT));
    for (attempt, reply, passes) in [
        (0, Some("A cellar lies below."), true),
        (0, None, false),
        (1, Some("Another vault."), false),
        (1, Some(r#"{"dialogue": "I say \"nothing\"."}"#), true),
        (1, None, true),
    ] {
        let scenario = written(&recording, &wish(2, attempt, reply, passes));
        assert_eq!(failed(&scenario), [""; 0], "{scenario}");
        let other = written(&recording, &wish(2, attempt, reply, !passes));
        assert_eq!(failed(&other).len(), 1, "{other}");
    }
}

#[test]
fn x3_a_wish_for_another_rule_fails_today_and_holds_when_the_rule_is_there() {
    let recording = recorded(&SPEECH.replace('@', ""));
    let scenario = written(&recording, &wish(2, 0, None, false));
    assert_eq!(failed(&scenario).len(), 1, "the rule is not there");
    let tomorrow = scenario.with(&format!(r#"npcs: [(id: "guard", {NO_VAULT})],"#));
    assert_eq!(failed(&tomorrow), [""; 0]);
}

/// Things happen in the world, in time, and while a character thinks.
const BUSY: &str = r#"(
    name: "a busy hour", seed: 9, game_time: 5.0, delivery: Sentences, budget: Expanded,
    policy: Custom((max_attempts: 2, escalation: Full, deadline_seconds: 20.5)),
    world: (
        locations: {"hall": (name: "Hall", connected_to: ["yard"]), "yard": (name: "Yard", connected_to: ["hall"])},
        entities: {
            "player": (name: "Ann", kind: "character", at: In("hall")),
            "key": (name: "brass \"key\"", aliases: ["thing"], kind: "item", at: In("hall"), attributes: {"takeable": true, "worth": 3}),
        },
        flags: {"night": true, "rain": false},
    ),
    canon: [(id: "king", text: "The king is Arthur.", contradicted_by: ["king is bob"])],
    world_facts: {"weather": "rain"},
    rules: [(id: "watch", when: Flag("alarm"), constraints: [
        (id: "no_hello", kind: Prohibition, severity: Hard, patterns: ["hello"])])],
    npcs: [
        (id: "cook", location: "hall", fallbacks: (generic: ["Hm."])),
        (id: "guard", location: "hall", memories: [(id: "war", text: "There was a war.")], beliefs: [(id: "a", text: "All is well.")]),
    ],
    replies: [
        Say("Hello there. It rains."), Fail((kind: Timeout)), Say("The king is bob."), Say(r"C:\ is no place."),
        Reply((text: "Hello. I was cut", finish: Length)), Say("Welcome."),
    ],
    steps: [
        Say(to: "guard", text: "Who \"rules\"?\nTell me.", tags: ["loud"], scene: "gate", whisper: true),
        Act(actor: "player", text: "take the key"),
        Advance(seconds: 90.25),
        Say(to: "guard", from: "cook", text: "Who is king?", tags: ["late"]),
        SetFlag(name: "alarm", value: true),
        SetWorldFact(key: "weather", value: "snow"),
        Do(actor: "player", actions: [Drop(target: "key")]),
        Say(to: "nobody", text: "Hm?"),
        Trigger(npc: "cook", reason: ZoneTrigger, trigger_id: "door", prompt: "Somebody comes in.", while_waiting: [
            SetAttribute(entity: "key", name: "worth", value: 4), Place(entity: "key", at: CarriedBy("cook"))]),
        Say(to: "guard", text: "Hello?"),
    ],
)"#;

#[test]
fn x3_a_scenario_begins_with_the_game_that_the_run_began_with() {
    let (result, recording) = record(&read(BUSY), &|_| {});
    let runs = result.trace["runs"].as_array().unwrap();
    let of_runs = recording.records.iter();
    let of_runs = of_runs.filter(|record| record.kind.name() == "interaction");
    let mut written_runs = 0;
    for (record, run) in of_runs.zip(runs) {
        let attempts = run["attempts"].as_array().unwrap();
        for (attempt, made) in (0..).zip(attempts) {
            if !made["error"].is_null() {
                continue;
            }
            let passed = made["passed"].as_bool().unwrap();
            let scenario = written(&recording, &wish(record.seq, attempt, None, passed));
            let again = scenario.played();
            assert_eq!(again.failed, [], "{scenario}");
            // Not only the verdict: the prompt is the same, and so is all that led to it.
            let found = &again.trace["runs"][0]["attempts"][usize::try_from(attempt).unwrap()];
            assert_eq!(found, made, "{scenario}");
            written_runs += 1;
        }
    }
    assert!(written_runs >= 4, "{written_runs}: {runs:#?}");
}

#[test]
fn x3_a_character_whose_file_is_there_is_named_by_its_path() {
    let guard = format!(r#"(id: "guard", {NO_VAULT} rules: ["polite.rule.ron"])"#);
    let polite = r#"(id: "polite", constraints: [
        (id: "no_curse", kind: Prohibition, severity: Hard, patterns: ["curse"])])"#;
    let scene = r#"(name: "a guard", npcs: ["guard.npc.ron"], replies: [Say("Curse the vault!")],
        steps: [Say(to: "guard", text: "Well?")])"#;
    let mut files = MemoryFiles::default();
    let mut put = |path: &str, text: &str| files.0.insert(path.to_owned(), text.into());
    put("guard.npc.ron", &guard);
    put("polite.rule.ron", polite);
    let registry = ActionRegistry::default();
    let parse = |text: &str, files: &MemoryFiles| {
        Scenario::parse(text.as_bytes(), "a.scenario.ron", files, &registry).unwrap()
    };
    let (_, recording) = record(&parse(scene, &files), &|_| {});
    let wish = wish(2, 0, Some("Curse the vault!"), true);
    let scenario = scenario_of(&recording, &wish, &files, &|_| {}).unwrap();
    let mut scenario = Written::of(&scenario, &files);
    assert!(
        scenario.text.contains(r#"npcs: ["guard.npc.ron"]"#),
        "{scenario}"
    );
    assert_eq!(failed(&scenario).len(), 1);
    let harmless = br#"(id: "guard")"#.to_vec();
    scenario
        .files
        .0
        .insert("guard.npc.ron".to_owned(), harmless);
    assert_eq!(failed(&scenario), [""; 0]);
    // Without the files the character is as it was recorded.
    let alone = written(&recording, &wish);
    assert!(!alone.text.contains("npcs"), "{alone}");
    assert_eq!(failed(&alone).len(), 1);
}

#[test]
fn x3_what_no_scenario_says_is_named() {
    let recording = recorded(&SPEECH.replace('@', ""));
    let refused = |recording: &Recording, seq, attempt| {
        scenario(recording, &wish(seq, attempt, None, true)).unwrap_err()
    };
    for (seq, attempt) in [(1, 0), (2, 7)] {
        let key = ReplyKey { seq, attempt };
        assert_eq!(refused(&recording, seq, attempt), NoScenario::NoReply(key));
    }
    let is_not_there =
        |why: &NoScenario| matches!(why, NoScenario::Recording(_) | NoScenario::NoReply(_));
    for seq in [0, 99] {
        let why = refused(&recording, seq, 0);
        assert!(is_not_there(&why), "{why}");
    }
    let why = refused(&Recording::default(), 1, 0);
    assert!(is_not_there(&why), "{why}");
    // A run that was ended from outside has no reply.
    let cancelled = SPEECH.replace('@', "").replace(
        r#"text: "What lies below?""#,
        r#"text: "What lies below?", while_waiting: [Cancel(npc: "guard")]"#,
    );
    let why = refused(&recorded(&cancelled), 2, 0);
    assert!(matches!(why, NoScenario::NoReply(_)), "{why}");
    // Another character spoke meanwhile.
    let beside = SPEECH
        .replace('@', "")
        .replace("npcs: [", r#"npcs: [(id: "cook"), "#)
        .replace(
            r#"text: "What lies below?""#,
            r#"text: "What lies below?", while_waiting: [Say(to: "cook", text: "And you?")]"#,
        );
    let recording = recorded(&beside);
    let why = refused(&recording, 3, 0);
    assert_eq!(
        why.to_string(),
        "record 3 cannot be a scenario: something else happened while it was in flight"
    );
}

#[test]
fn x3_runs_of_the_shipped_scenarios_happen_again_to_the_last_byte() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/scenarios");
    let (mut compared, mut refused) = (0, Vec::new());
    let name_of = |file: &PathBuf| file.file_name().unwrap().to_string_lossy().into_owned();
    let files = scenario_files(&folder).unwrap().into_iter();
    let of_rows = files.filter(|file| {
        let name = name_of(file);
        name.starts_with(['g', 'm']) || name.starts_with("p14")
    });
    // A third of them: each is played, recorded, written and played again.
    for file in of_rows.step_by(3) {
        let name = name_of(&file);
        let scenario = Scenario::read(&file, &ActionRegistry::default()).unwrap();
        let (_, recording) = record(&scenario, &|_| {});
        let runs = recording.records.iter();
        for run in runs.filter(|record| record.kind == RecordKind::Interaction) {
            let attempts = run.body["attempts"].as_array().unwrap();
            let judged = |attempt: &&Value| !attempt["verdict"].is_null();
            let Some(last) = attempts.iter().rfind(judged) else {
                continue;
            };
            let nth = u32::try_from(last["index"].as_u64().unwrap()).unwrap();
            let passed = last["verdict"]["passed"].as_bool().unwrap();
            match self::scenario(&recording, &wish(run.seq, nth, None, passed)) {
                Err(why) => refused.push(format!("{name}: {why}")),
                Ok(scenario) => {
                    let played = scenario.played();
                    assert_eq!(played.failed, [], "{name}\n{scenario}");
                    let again = &played.trace["runs"][0]["attempts"][nth as usize];
                    assert_eq!(again["seed"], last["seed"].to_string(), "{name}");
                    for field in ["prompt", "snapshot"] {
                        // What a record lacks was not known when it was written.
                        if let Some(then) = last.get(field) {
                            assert_eq!(again[field], *then, "{name} {field}\n{scenario}");
                        }
                    }
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 60, "{compared}, {refused:#?}");
    assert!(refused.len() * 10 < compared, "{compared}, {refused:#?}");
}
