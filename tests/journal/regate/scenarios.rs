//! A recorded run as a scenario (contract row X3).

use super::{NO_VAULT, SPEECH, read, recorded};
use bevy_dramatis::authoring::MemoryFiles;
use bevy_dramatis::authoring::NoFiles;
use bevy_dramatis::journal::Recording;
use bevy_dramatis::replay::ReplyKey;
use bevy_dramatis::scenario::{NoScenario, Scenario, ScenarioWish, play, record, scenario_of};
use bevy_dramatis::world::ActionRegistry;

pub(super) fn wish(seq: u64, attempt: u32, reply: Option<&str>, passes: bool) -> ScenarioWish {
    ScenarioWish {
        key: ReplyKey { seq, attempt },
        reply: reply.map(str::to_owned),
        passes,
    }
}

pub(super) fn written(recording: &Recording, wish: &ScenarioWish) -> String {
    scenario_of(recording, wish, &NoFiles).unwrap()
}

/// What of the scenario does not hold.
pub(super) fn failed(scenario: &str) -> Vec<String> {
    let failed = play(&read(scenario), &|_| {}).failed;
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
    let tomorrow = scenario.replace(r#"id: "guard","#, &format!(r#"id: "guard", {NO_VAULT}"#));
    assert_ne!(scenario, tomorrow);
    assert_eq!(failed(&tomorrow), [""; 0]);
}

/// Things happen in the world, in time, and while somebody thinks.
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
fn x3_what_happened_before_the_run_happens_in_the_scenario() {
    let (result, recording) = record(&read(BUSY), &|_| {});
    let runs = result.trace["runs"].as_array().unwrap();
    let of_runs = recording.records.iter();
    let of_runs = of_runs.filter(|record| record.kind.name() == "interaction");
    let mut written_runs = 0;
    for (nth, (record, run)) in of_runs.zip(runs).enumerate() {
        let attempts = run["attempts"].as_array().unwrap();
        for (attempt, made) in (0..).zip(attempts) {
            if !made["error"].is_null() {
                continue;
            }
            let passed = made["passed"].as_bool().unwrap();
            let scenario = written(&recording, &wish(record.seq, attempt, None, passed));
            let again = play(&read(&scenario), &|_| {});
            assert_eq!(again.failed, [], "{scenario}");
            // Not only the verdict: the prompt is the same, and so is all that led to it.
            let found = &again.trace["runs"][nth]["attempts"][usize::try_from(attempt).unwrap()];
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
    let scenario = scenario_of(&recording, &wish, &files).unwrap();
    assert!(scenario.contains(r#""guard.npc.ron""#), "{scenario}");
    assert!(
        !scenario.contains("persona") && !scenario.contains("no_vault"),
        "{scenario}"
    );
    assert_eq!(play(&parse(&scenario, &files), &|_| {}).failed.len(), 1);
    files
        .0
        .insert("guard.npc.ron".to_owned(), br#"(id: "guard")"#.to_vec());
    assert_eq!(play(&parse(&scenario, &files), &|_| {}).failed, []);
    // Without the files everything stands in the scenario.
    let alone = written(&recording, &wish);
    assert!(
        alone.contains("no_vault") && alone.contains("no_curse"),
        "{alone}"
    );
    assert_eq!(failed(&alone).len(), 1);
}

#[test]
fn x3_what_no_scenario_says_is_named() {
    let recording = recorded(&SPEECH.replace('@', ""));
    let refused = |recording: &Recording, seq, attempt| {
        scenario_of(recording, &wish(seq, attempt, None, true), &NoFiles).unwrap_err()
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
    let scene = SPEECH.replace('@', "").replace(
        "steps: [",
        r#"steps: [Say(to: "guard", text: "Hm?"), Forget(npc: "guard", id: "m"), Believe(npc: "guard", id: "m", text: "So be it."), "#,
    );
    let recording = recorded(&scene);
    let last = recording.records.last().unwrap().seq;
    let told = refused(&recording, last, 0);
    assert!(
        matches!(told, NoScenario::Record { seq: 3, why } if why.contains("mind")),
        "{told}"
    );
    assert!(
        told.to_string()
            .starts_with("record 3 cannot stand in a scenario")
    );
    let beside = SPEECH.replace('@', "").replace(
        r#"text: "What lies below?""#,
        r#"text: "What lies below?", while_waiting: [Cancel(npc: "guard")]"#,
    );
    let recording = recorded(&beside);
    let last = recording.records.last().unwrap().seq;
    assert!(matches!(
        refused(&recording, last, 0),
        NoScenario::Record { .. }
    ));
}
