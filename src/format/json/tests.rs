//! Files in JSON say the same as in RON, and so do their errors.

use crate::authoring::{NoFiles, NpcSpec, StorySpec};
use crate::format::parse_ron;
use crate::scenario::{Scenario, ScenarioSpec};
use crate::world::{ActionRegistry, Rulebook};
use serde::de::DeserializeOwned;

/// The same in both dialects: as JSON, and as its RON is read again.
fn same<T: DeserializeOwned + PartialEq + std::fmt::Debug>(json: &str, ron: &str) {
    let (read, written) = super::read::<T>(json).unwrap();
    let expected: T = parse_ron(ron.as_bytes(), "x.ron").unwrap();
    assert_eq!(read, expected, "{json}");
    let again: T = parse_ron(written.as_bytes(), "x.json").unwrap();
    assert_eq!(again, expected, "{written}");
}

#[test]
fn x7_json_says_the_same_as_ron() {
    same::<NpcSpec>(
        r#"{"id": "a", "name": null, "persona": "Says \"hm\".\n\u00e9\u0001", "chattiness": 7, "form": "Apart",
            "hidden": [{"topic": "x", "until": {"Flag": "night"}}, {"topic": "y", "until": {"InteractionCount": {"min": 3}}}],
            "rules": ["a.rules.ron", {"id": "r", "when": "Always", "constraints": [{"patterns": ["z"]}]}],
            "fallbacks": {"generic": ["Hm."], "triggers": {"a b": ["Ho."]}}, "limits": {"sentences": 2},
            "sampling": {"temperature": 0.5, "top_p": 1}}"#,
        r#"(id: "a", persona: "Says \"hm\".\né\u{1}", chattiness: 7, form: Apart,
            hidden: [(topic: "x", until: Flag("night")), (topic: "y", until: InteractionCount(min: 3))],
            rules: ["a.rules.ron", (id: "r", when: Always, constraints: [(patterns: ["z"])])],
            fallbacks: (generic: ["Hm."], triggers: {"a b": ["Ho."]}), limits: (sentences: 2),
            sampling: (temperature: 0.5, top_p: 1))"#,
    );
    same::<StorySpec>(
        r#"{"world": {"locations": {"hall": {"name": "Hall"}}, "flags": {"night": true}, "entities": {
            "d": {"name": "door", "kind": "door", "at": {"In": "hall"}, "attributes": {"open": false, "n": -3, "key": "k"}},
            "k": {"name": "key", "kind": "key", "at": "Offstage"}}}}"#,
        r#"(world: (locations: {"hall": (name: "Hall")}, flags: {"night": true}, entities: {
            "d": (name: "door", kind: "door", at: In("hall"), attributes: {"open": false, "n": -3, "key": "k"}),
            "k": (name: "key", kind: "key", at: Offstage)}))"#,
    );
    same::<Rulebook>(
        r#"{"id": "r", "extends": "default", "actions": {"open": {"extends": true, "checks": [{"id": "c",
            "when": {"Any": [{"Attribute": ["Target", "open", true]}, {"Not": "ActorsTurn"}]}, "else": "LOCKED"}],
            "effects": [{"SetAttribute": ["Target", "n", 3]}, {"Place": ["Target", {"In": "Here"}]}]}}}"#,
        r#"(id: "r", extends: "default", actions: {"open": (extends: true, checks: [(id: "c",
            when: Any([Attribute(Target, "open", true), Not(ActorsTurn)]), else: LOCKED)],
            effects: [SetAttribute(Target, "n", 3), Place(Target, In(Here))])})"#,
    );
    same::<ScenarioSpec>(
        r#"{"name": "x", "replies": [{"Say": "Hm."}, {"Reply": {"object": {"a": [1, null, {"b": "c"}]}, "delay_seconds": 2}}],
            "steps": [{"Say": {"to": "a", "text": "b", "between": {"1": [{"Despawn": {"npc": "a"}}]}}},
                      {"Do": {"actor": "player", "actions": [{"Take": {"target": "k"}}]}}],
            "expect": [{"heard": "hm"}, {"did": {"Take": {"target": "k"}}}, {"at": "/runs", "is": [1, 2.5, "x", true]}]}"#,
        r#"(name: "x", replies: [Say("Hm."), Reply((object: {"a": [1, None, {"b": "c"}]}, delay_seconds: 2))],
            steps: [Say(to: "a", text: "b", between: {1: [Despawn(npc: "a")]}),
                    Do(actor: "player", actions: [Take(target: "k")])],
            expect: [(heard: "hm"), (did: Take(target: "k")), (at: "/runs", is: [1, 2.5, "x", true])])"#,
    );
}

#[test]
fn x7_an_error_in_json_has_its_place_and_plain_words() {
    for (json, expected) in [
        (
            "{\"id\": 3}",
            "x.npc.json:1:8: a text in quotes is expected, and the number `3` is there",
        ),
        (
            "{\n \"name\": \"a\"}",
            "x.npc.json:1:1: missing field \"id\" in Npc",
        ),
        (
            "{\"id\": \"a\",\n \"persna\": \"b\"}",
            "x.npc.json:2:12: Npc has no field \"persna\" (did you mean \"persona\"?)",
        ),
        (
            "{\"id\": \"a\", \"rules\": [\n{\"id\": \"r\", \"wen\": 1}]}",
            "Rule has no field \"wen\" (did you mean \"when\"?)",
        ),
        (
            "{\"id\": \"a\", \"form\": \"Apartt\"}",
            "`Apartt` is not known here (did you mean \"Apart\"?)",
        ),
        ("{\"id\": \"a\"", "x.npc.json:1:10: the file ends too early"),
        (
            "{\"id\": \"a\",\n \"never\": [\"x\"], \"never\": [\"y\"]}",
            "x.npc.json:2:24: the field \"never\" is listed twice",
        ),
        (
            "{\"id\": \"a\",}",
            "x.npc.json:1:12: this is no JSON: trailing comma",
        ),
        (
            "{\"id\": \"a\", \"hidden\": [{\"topic\": \"x\", \"until\": {\"Flag\": 1}}]}",
            "1:57: a text in quotes",
        ),
        (
            "{\"id\": \"a\", \"hidden\": [{\"topic\": \"x\", \"until\": {}}]}",
            "an object with one name is expected",
        ),
    ] {
        let error = parse_ron::<NpcSpec>(json.as_bytes(), "x.npc.json").unwrap_err();
        let error = error.to_string();
        assert!(error.contains(expected), "{json}: {error}");
    }
}

#[test]
fn x7_a_scenario_in_json_is_played_and_its_problems_have_their_places() {
    let scenario = |pattern: &str| {
        format!(
            "{{\"name\": \"x\", \"world_facts\": {{\"a\": \"b\"}},\n \"npcs\": [{{\"id\": \"a\", \"forbidden\": [\"{pattern}\"]}}]}}"
        )
    };
    let read = |source: &str| {
        let registry = ActionRegistry::default();
        Scenario::parse(source.as_bytes(), "x.scenario.json", &NoFiles, &registry)
    };
    assert_eq!(read(&scenario("gold")).map(drop), Ok(()));
    let errors = read(&scenario("/(/")).map(drop).unwrap_err();
    assert!(
        errors[0].to_string().starts_with("x.scenario.json:2:37: "),
        "{}",
        errors[0]
    );
}
