//! Scenarios that begin from a recording, or with settings of a game (contract row X3).

use crate::authoring::NoFiles;
use crate::authoring::files::MemoryFiles;
use crate::journal::{Recording, Redaction, export};
use crate::prelude::*;
use crate::recorded::RecordedInput;
use crate::replay::{game_after, replay};
use crate::scenario::{Scenario, ScenarioResult, play, record};
use crate::world::{ActionRegistry, GameWrite};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A guard who is told a secret, and a door that is opened.
const PLAYED: &str = r#"(
    name: "an evening", seed: 4, game_time: 5.0, overheard: true,
    policy: Custom((max_attempts: 2, escalation: Full, deadline_seconds: 20.0)),
    world: (
        locations: {"hall": (name: "Hall", connected_to: ["yard"]), "yard": (name: "Yard", connected_to: ["hall"])},
        entities: {
            "player": (name: "Ann", kind: "character", at: In("hall")),
            "door": (name: "door", kind: "door", at: In("hall"), attributes: {"openable": true, "open": false}),
        },
        flags: {"night": false},
    ),
    canon: [(id: "king", text: "The king is Arthur.", contradicted_by: ["king is bob"])],
    npcs: [(id: "guard", name: "Odo", location: "hall", fallbacks: (generic: ["Hm."]))],
    replies: [Say("Well met. [MEMORY: Ann has a map.]"), Say("Good night.")],
    steps: [
        Say(to: "guard", text: "I have a map."),
        Act(actor: "player", text: "open the door"),
        SetFlag(name: "night", value: true),
        Advance(seconds: 60.0),
        Say(to: "guard", text: "Good night."),
    ],
)"#;

fn parsed(text: &str, files: &MemoryFiles) -> Result<Scenario, String> {
    let registry = ActionRegistry::default();
    let read = Scenario::parse(text.as_bytes(), "a.scenario.ron", files, &registry);
    read.map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        errors.join("\n")
    })
}

fn evening() -> Recording {
    let registry = ActionRegistry::default();
    let played = Scenario::parse(
        PLAYED.as_bytes(),
        "played.scenario.ron",
        &NoFiles,
        &registry,
    );
    record(&played.unwrap(), &|_| {}).1
}

fn files(recording: &Recording) -> MemoryFiles {
    let mut bytes = Vec::new();
    export(recording, &mut bytes, &Redaction::default()).unwrap();
    MemoryFiles([("evening.jsonl".to_owned(), bytes)].into())
}

/// A scenario that begins from the evening, with these fields.
fn from_evening(fields: &str) -> ScenarioResult {
    let text = format!(r#"(name: "later", from: "evening.jsonl", {fields})"#);
    play(&parsed(&text, &files(&evening())).unwrap(), &|_| {})
}

fn holds(fields: &str) -> Value {
    let result = from_evening(fields);
    assert_eq!(result.failed, [], "{fields}");
    result.trace
}

/// Why a scenario cannot be read.
fn error(fields: &str) -> String {
    let text = format!(r#"(name: "later", {fields})"#);
    parsed(&text, &files(&evening())).unwrap_err()
}

#[test]
fn x3_a_scenario_begins_with_the_last_game_of_a_recording() {
    let trace = holds(
        r#"replies: [Say("I know.")], steps: [Say(to: "guard", text: "Do you remember my map?")],
        expect: [
            (at: "/runs/0/attempts/0/prompt", contains: "Ann has a map."),
            (at: "/world/entities/door/attributes/open", is: true),
            (at: "/world/flags/night", is: true),
            (at: "/seed", is: 4),
        ]"#,
    );
    let prompt = trace["runs"][0]["attempts"][0]["messages"].to_string();
    assert!(prompt.contains("Good night."), "{prompt}");
}

#[test]
fn x3_a_scenario_begins_after_any_record() {
    let recording = evening();
    for last in 1..=recording.records.len() as u64 {
        let then = game_after(&recording, last, &|_| {}).unwrap();
        let trace = holds(&format!("at: {last}"));
        let open = then.game.world.entities["door"].attributes["open"].to_string();
        let expected = &trace["world"]["entities"]["door"]["attributes"]["open"];
        assert_eq!(expected.to_string(), open, "{last}");
        let known = then.game.minds["guard"].episodes().len();
        let episodes = trace["memory"]["guard"]["episodes"].as_array().unwrap();
        assert_eq!(episodes.len(), known, "{last}");
    }
    // At first the door was shut, and at last it was open.
    let door = |trace: Value| trace["world"]["entities"]["door"]["attributes"]["open"].clone();
    assert_eq!(door(holds("at: 1")), false);
    assert_eq!(door(holds("")), true);
}

#[test]
fn x3_the_same_step_after_the_same_record_asks_the_model_the_same() {
    let recording = evening();
    let runs = recording.records.iter();
    let runs: Vec<_> = runs
        .filter(|record| record.kind.name() == "interaction")
        .collect();
    let second = runs[1];
    let fields = format!(
        r#"at: {}, replies: [Say("Good night.")], steps: [Advance(seconds: 60.0), Say(to: "guard", text: "Good night.")]"#,
        second.seq - 1
    );
    let trace = holds(&fields);
    let (then, now) = (
        &second.body["attempts"][0],
        &trace["runs"][0]["attempts"][0],
    );
    assert_eq!(now["seed"], then["seed"].to_string());
    for field in ["prompt", "snapshot"] {
        assert_eq!(now[field], then[field], "{field}");
    }
}

#[test]
fn x3_characters_and_story_of_the_scenario_stand_in_for_the_recorded_ones() {
    let ask = r#"replies: [Say("The king is Bob."), Say("A map.")], steps: [Say(to: "guard", text: "Who is king?")],"#;
    let passed = |fields: &str| {
        holds(&format!("{ask} {fields}"))["runs"][0]["attempts"][0]["passed"].clone()
    };
    assert_eq!(passed(""), false, "the recorded canon forbids it");
    assert_eq!(passed("story: (canon: [])"), true);
    let forbids = r#"npcs: [(id: "guard", forbidden: ["bob"])], story: (canon: [])"#;
    assert_eq!(passed(forbids), false);
    // Who was not there joins.
    let trace = holds(
        r#"npcs: [(id: "cook", name: "Cook", location: "yard")], replies: [Say("Soup?")],
        steps: [Say(to: "cook", text: "Hello?")],
        expect: [(at: "/runs/0/dialogue", is: "Soup?"), (at: "/world/entities/cook/at/in", is: "yard"),
                 (at: "/memory/guard/episodes", len: 3)]"#,
    );
    assert!(trace["memory"]["cook"].is_object());
}

#[test]
fn x3_a_scenario_without_an_engine_has_that_of_the_recording() {
    let played = PLAYED.replace("npcs:", r#"engine: (model: "tiny", version: "7"), npcs:"#);
    let played = parsed(&played, &MemoryFiles::default()).unwrap();
    let files = files(&record(&played, &|_| {}).1);
    let model = |fields: &str| {
        let text = format!(
            r#"(name: "later", from: "evening.jsonl", {fields} steps: [SetFlag(name: "late", value: true)])"#
        );
        let (_, recording) = record(&parsed(&text, &files).unwrap(), &|_| {});
        let identity = recording.records[0].body["game"]["settings"]["identity"].clone();
        (identity["model"].clone(), identity["version"].clone())
    };
    assert_eq!(model(""), ("tiny".into(), "7".into()));
    let written = r#"engine: (provider: "scripted"),"#;
    assert_eq!(
        model(written),
        ("scripted".into(), "1".into()),
        "what is written counts"
    );
}

#[test]
fn x3_a_scenario_that_begins_from_a_recording_replays() {
    let text = r#"(name: "later", from: "evening.jsonl", replies: [Say("I know. [MEMORY: She asked twice.]")],
        steps: [Act(actor: "player", text: "close the door"), Say(to: "guard", text: "Do you remember?")])"#;
    let scenario = parsed(text, &files(&evening())).unwrap();
    let (result, recording) = record(&scenario, &|_| {});
    assert_eq!(
        result.trace["memory"]["guard"]["episodes"]
            .as_array()
            .unwrap()
            .len(),
        5
    );
    let report = replay(&recording, &|_| {}).unwrap();
    assert!(report.holds(), "{report:?}");
    assert_eq!(report.repeated, 2);
    // And it is a beginning itself.
    let next = parsed(
        r#"(name: "later still", from: "evening.jsonl", expect: [(at: "/memory/guard/episodes", len: 5)])"#,
        &files(&recording),
    );
    assert_eq!(play(&next.unwrap(), &|_| {}).failed, []);
}

#[test]
fn x3_what_a_recording_says_stands_in_no_field_of_the_scenario() {
    for field in [
        "seed: 1",
        "world: (flags: {})",
        "player: \"ann\"",
        "policy: Sealed",
        "lore: []",
        "tell_turns: true",
    ] {
        let name = field.split(':').next().unwrap();
        let told = error(&format!("from: \"evening.jsonl\", {field}"));
        assert!(told.contains("says this"), "{name}: {told}");
    }
    let told = error("at: 3");
    assert!(told.contains("needs `from`"), "{told}");
    // A story in its own file or here says what the scenario would say.
    let told = error("story: (canon: []), gossip: ()");
    assert!(told.contains("says this"), "{told}");
}

#[test]
fn x3_a_recording_that_is_not_there_or_has_no_such_record_is_told_at_its_place() {
    for (fields, expected) in [
        ("from: \"gone.jsonl\"", "there is no file \"gone.jsonl\""),
        (
            "from: \"evening.jsonl\", at: 0",
            "the recording has the records 1 to",
        ),
        (
            "from: \"evening.jsonl\", at: 1000",
            "the recording has the records 1 to",
        ),
    ] {
        let told = error(fields);
        assert!(told.contains(expected), "{fields}: {told}");
        assert!(told.contains("a.scenario.ron:1:"), "{told}");
    }
    let mut broken = files(&evening());
    let text = br#"{"assets":0,"dramatis_export":1,"records":1}"#.to_vec();
    broken.0.insert("evening.jsonl".to_owned(), text);
    let told = parsed(r#"(name: "later", from: "evening.jsonl")"#, &broken).unwrap_err();
    assert!(told.contains("a.scenario.ron:1:"), "{told}");
}

#[test]
fn x3_a_scenario_whose_recording_does_not_replay_fails_and_says_where() {
    let mut recording = evening();
    let run = recording
        .records
        .iter_mut()
        .find(|record| record.kind.name() == "interaction");
    run.unwrap().body["outcome"] = "another".into();
    let text = r#"(name: "later", from: "evening.jsonl", expect: [(at: "/runs", len: 0)])"#;
    let scenario = parsed(text, &files(&recording)).unwrap();
    let failed = play(&scenario, &|_| {}).failed;
    let [why] = &failed[..] else {
        panic!("{failed:?}");
    };
    assert_eq!(why.place, "/from");
    assert!(why.to_string().contains("does not replay here"), "{why}");
    // Before that record the game is known.
    let text =
        r#"(name: "earlier", from: "evening.jsonl", at: 1, expect: [(at: "/runs", len: 0)])"#;
    assert_eq!(
        play(&parsed(text, &files(&recording)).unwrap(), &|_| {}).failed,
        []
    );
}

/// A setting of a game.
#[derive(Resource, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Difficulty(u8);

/// Something that a plugin of the game is told: the bell rings so often, and is as loud as the difficulty.
#[derive(Serialize, Deserialize)]
struct RingBell {
    times: u8,
}

impl RecordedInput for RingBell {
    fn apply(self, world: &mut World) {
        let loudness = i64::from(self.times) * i64::from(world.resource::<Difficulty>().0);
        let rung = GameWrite::fact("rung", loudness);
        rung.apply(world).unwrap();
    }
}

fn bells(app: &mut App) {
    app.add_setting::<Difficulty>("bells.difficulty")
        .add_recorded::<RingBell>("bells.ring");
}

fn rings(fields: &str) -> (ScenarioResult, Recording) {
    let scenario = parsed(
        &format!(r#"(name: "bells", {fields})"#),
        &MemoryFiles::default(),
    );
    record(&scenario.unwrap(), &bells)
}

#[test]
fn x3_a_scenario_sets_a_setting_of_the_game_and_tells_its_plugin_something() {
    let (result, recording) = rings(
        r#"settings: {"bells.difficulty": 3}, steps: [Record(name: "bells.ring", input: (times: 2))],
        expect: [(at: "/world_facts/rung", is: 6), (at: "/refused", len: 0)]"#,
    );
    assert_eq!(result.failed, []);
    let report = replay(&recording, &bells).unwrap();
    assert!(report.holds(), "{report:?}");
    // It is recorded, so a scenario that begins from it has the setting and the fact.
    let later = files(&recording);
    let next = r#"(name: "later", from: "evening.jsonl", steps: [Record(name: "bells.ring", input: (times: 1))],
        expect: [(at: "/world_facts/rung", is: 3)])"#;
    assert_eq!(play(&parsed(next, &later).unwrap(), &bells).failed, []);
    // A setting of the scenario goes before the recorded one.
    let easier = next
        .replace("steps:", r#"settings: {"bells.difficulty": 1}, steps:"#)
        .replace("is: 3", "is: 1");
    assert_eq!(play(&parsed(&easier, &later).unwrap(), &bells).failed, []);
}

#[test]
fn x3_settings_and_inputs_that_no_plugin_has_added_are_told() {
    for (settings, why) in [
        (
            r#""bells.volume": 3"#,
            "no plugin of this game has added this setting",
        ),
        (r#""bells.difficulty": "much""#, "invalid type"),
    ] {
        let (result, _) = rings(&format!("settings: {{{settings}}}"));
        let [failed] = &result.failed[..] else {
            panic!("{:?}", result.failed);
        };
        assert!(failed.place.starts_with("/settings/bells."), "{failed:?}");
        assert!(failed.message.contains(why), "{failed}");
    }
    let (result, recording) = rings(
        r#"steps: [Record(name: "bells.toll", input: 3), Record(name: "bells.ring", input: (times: "often"))],
        expect: [(at: "/refused", len: 2), (at: "/refused/0/npc", is: "bells.toll")]"#,
    );
    assert_eq!(result.failed, [], "{}", result.trace["refused"]);
    // What was not told is in no record.
    assert!(
        recording
            .records
            .iter()
            .all(|record| record.kind.name() != "input")
    );
    // The engine's own settings have names, too.
    let (result, _) = rings(r#"settings: {"limits": {"episodes": 5}}"#);
    assert_eq!(result.failed, []);
    let told = parsed(
        r#"(name: "x", settings: {"a": much})"#,
        &MemoryFiles::default(),
    )
    .unwrap_err();
    assert!(told.contains("is not a value"), "{told}");
}
