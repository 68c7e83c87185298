//! Methods of the Bevy Remote Protocol: what they return, what they refuse, and that they change nothing. The tests need no network: they
//! run the registered systems as `bevy_remote` does.

use bevy::prelude::*;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::journal::{MemoryJournal, MemoryJournalPlugin};
use bevy_dramatis::plugin::{DramatisPlugins, EngineSource};
use bevy_dramatis::remote::RemoteMethodsPlugin;
use bevy_dramatis::replay::replay;
use bevy_dramatis::testing::{ManualEngine, TestGame, world_digest};
use bevy_remote::{BrpResult, RemoteMethodSystemId, RemoteMethods, RemotePlugin, error_codes};
use serde_json::{Value, json};
use std::sync::Mutex;

const YARD: &str = r#"(world: (locations: {"yard": (name: "Yard")}, entities: {
    "gate": (name: "gate", kind: "door", at: In("yard"), attributes: {"openable": true}),
}))"#;

const KEEPER: &str = r#"(
    id: "keeper", name: "Keeper", persona: "You keep the gate.", location: "yard",
    constraints: [(id: "no_secret", kind: Prohibition, severity: Hard, description: "Never speak of the secret.", patterns: ["secret"])],
    memories: [(id: "flood", text: "The river flooded the yard.", significance: 0.9)],
    beliefs: [(id: "honest", text: "Visitors are honest.", confidence: 0.7)],
    fallbacks: (generic: ["Hm."]),
)"#;

/// A reply that the gate refuses, then one with an action and a memory.
const REPLIES: [&str; 2] = [
    "The SECRET is safe.",
    "Pass, friend. [INTENT: open gate] [MEMORY: A friend passed.]",
];

const METHODS: [&str; 4] = [
    "dramatis/affordances",
    "dramatis/explain",
    "dramatis/memory",
    "dramatis/runs",
];

/// A game after its first frame. `configure` adds the plugins under test.
fn game(engine: impl Into<EngineSource>, configure: impl FnOnce(&mut App)) -> (TestGame, Entity) {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine));
    configure(&mut app);
    let mut game = TestGame::from_app(app);
    game.install_story(YARD);
    let keeper = game.spawn_npc(KEEPER);
    game.frame();
    (game, keeper)
}

fn both(app: &mut App) {
    app.add_plugins((RemotePlugin::default(), RemoteMethodsPlugin));
}

fn both_the_other_way_round(app: &mut App) {
    app.add_plugins((RemoteMethodsPlugin, RemotePlugin::default()));
}

/// The game after a run with a refused attempt and an accepted one.
fn after_a_run(configure: impl FnOnce(&mut App)) -> (TestGame, Entity) {
    let (mut game, keeper) = game(ScriptedEngine::saying(REPLIES), configure);
    game.talk(keeper, "Did the river flood?");
    (game, keeper)
}

fn call_with(game: &mut TestGame, method: &str, params: Option<Value>) -> BrpResult {
    let methods = game.world().resource::<RemoteMethods>();
    let Some(&RemoteMethodSystemId::Instant(id)) = methods.get(method) else {
        panic!("{method} is no method that answers at once");
    };
    let answer = game.world_mut().run_system_with(id, params);
    answer.expect("the handler runs")
}

fn call(game: &mut TestGame, method: &str, params: Value) -> BrpResult {
    call_with(game, method, Some(params))
}

fn told(game: &mut TestGame, method: &str, params: Value) -> Value {
    call(game, method, params).unwrap_or_else(|error| panic!("{method}: {error:?}"))
}

/// The judged world, the mind and the record.
fn state(game: &mut TestGame, keeper: Entity) -> String {
    let world = world_digest(game.world_mut());
    let mind = format!("{:?}", game.mind(keeper));
    let journal = game.world().resource::<MemoryJournal>();
    format!("{world:?} {mind:?} {:?}", journal.recording())
}

#[test]
fn the_remote_methods_tell_of_runs_and_change_nothing() {
    for add_plugins in [both, both_the_other_way_round] {
        let (mut game, keeper) = after_a_run(|app| {
            app.add_plugins(MemoryJournalPlugin);
            add_plugins(app);
            // Only methods that read.
            app.insert_resource(RemoteMethods::new());
        });
        let mut methods = game.world().resource::<RemoteMethods>().methods();
        methods.sort();
        assert_eq!(methods, METHODS);
        game.frame();
        let before = state(&mut game, keeper);
        for (method, params) in [
            ("dramatis/runs", json!({})),
            ("dramatis/runs", json!({"npc": "keeper", "limit": 1})),
            ("dramatis/runs", json!({"npc": "ghost"})),
            ("dramatis/explain", json!({"run": "0"})),
            ("dramatis/explain", json!({"run": "7"})),
            ("dramatis/affordances", json!({"actor": "keeper"})),
            ("dramatis/affordances", json!({"actor": "ghost"})),
            ("dramatis/memory", json!({"npc": "keeper"})),
            ("dramatis/memory", json!({"npc": "ghost"})),
        ] {
            let once = call(&mut game, method, params.clone());
            let again = call(&mut game, method, params.clone());
            assert_eq!(once, again, "{method} {params}");
            let unknown = params.to_string().contains("ghost") || params == json!({"run": "7"});
            assert_eq!(once.is_err(), unknown, "{method} {params}");
        }
        game.frame();
        assert_eq!(state(&mut game, keeper), before);
        let recording = game.world_mut().resource_mut::<MemoryJournal>().take();
        assert!(replay(&recording, &|_| {}).unwrap().holds());
    }
}

#[test]
fn runs_are_told_the_newest_first_and_those_in_progress_too() {
    let engine = ManualEngine::default();
    let (mut game, keeper) = game(engine.clone(), both);
    assert_eq!(
        call_with(&mut game, "dramatis/runs", None).unwrap(),
        json!({"runs": [], "left_out": 0})
    );
    game.say(keeper, "Hello?");
    game.frames(3);
    engine.last_call().reply("Good evening.");
    game.run_until_idle();
    game.say(keeper, "Is the gate open?");
    game.frames(3);

    let all = told(&mut game, "dramatis/runs", json!(null));
    assert_eq!(all["left_out"], 0);
    let numbers = all["runs"].as_array().unwrap().iter();
    let numbers: Vec<&Value> = numbers.map(|run| &run["run"]).collect();
    assert_eq!(numbers, ["1", "0"]);
    let [live, over] = [&all["runs"][0], &all["runs"][1]];
    assert_eq!(live["outcome"], Value::Null);
    assert_eq!(live["line"], Value::Null);
    assert_eq!(live["phase"], "Calling");
    assert_eq!(live["trigger"]["heard"], "Is the gate open?");
    assert_eq!(over["npc"], "keeper");
    assert_eq!(over["stage"], "dialogue");
    assert_eq!(over["outcome"], "Accepted");
    assert_eq!(over["line"], "Good evening.");
    assert_eq!(over["phase"], Value::Null);
    assert_eq!(over["attempts"], 1);
    assert_eq!(over["trigger"]["reason"], "PlayerUtterance");
    assert_eq!(over["trigger"]["speaker"], "player");
    assert_eq!(over["trigger"]["heard"], "Hello?");

    let one = told(
        &mut game,
        "dramatis/runs",
        json!({"npc": "keeper", "limit": 1}),
    );
    assert_eq!(one["runs"].as_array().unwrap().len(), 1);
    assert_eq!(one["runs"][0]["run"], "1");
    assert_eq!(one["left_out"], 1);

    engine.last_call().chunk("It is op");
    game.frame();
    let arriving = told(&mut game, "dramatis/explain", json!({"run": "1"}));
    assert_eq!(arriving["arriving"], "It is op");
}

#[test]
fn a_fallback_says_where_it_comes_from() {
    let engine = ScriptedEngine::saying(["A secret!", "The secret.", "Secret!"]);
    let (mut game, keeper) = game(engine, both);
    game.talk(keeper, "Hello?");
    let runs = told(&mut game, "dramatis/runs", json!({}));
    let run = &runs["runs"][0];
    assert_eq!(run["outcome"], "Fallback");
    assert_eq!(run["fallback"], "generic");
    assert_eq!(run["line"], "Hm.");
    assert_eq!(run["attempts"], 3);
}

#[test]
fn a_run_is_explained_attempt_by_attempt() {
    let (mut game, _) = after_a_run(both);
    let why = told(&mut game, "dramatis/explain", json!({"run": "0"}));
    assert_eq!(why["summary"]["outcome"], "Accepted");
    assert_eq!(why["summary"]["attempts"], 2);
    let attempts = why["attempts"].as_array().unwrap();
    assert_eq!(attempts.len(), 2);

    let refused = &attempts[0];
    assert_eq!(refused["passed"], false);
    assert_eq!(refused["reply"], "The SECRET is safe.");
    let failure = &refused["failures"][0];
    assert_eq!(failure["rule"], "no_secret");
    assert_eq!(failure["reason"], "ProhibitionViolated");
    assert_eq!(failure["severity"], "Hard");
    assert!(!failure["message"].as_str().unwrap().is_empty());

    let accepted = &attempts[1];
    assert_eq!(accepted["passed"], true);
    assert_eq!(accepted["failures"], json!([]));
    assert_eq!(accepted["read"]["line"], "Pass, friend.");
    assert_eq!(accepted["actions"][0]["type"], "open");
    assert_eq!(accepted["actions"][0]["target"], "gate");

    assert_eq!(why["actions"][0]["type"], "open");
    let remembered = why["memory"]["done"].to_string();
    assert!(remembered.contains("A friend passed."), "{remembered}");
    assert_eq!(why["arriving"], Value::Null);
}

#[test]
fn what_looks_like_a_secret_is_not_told() {
    let engine = ScriptedEngine::saying(["Use sk-hunter2hunter2, friend."]);
    let (mut game, keeper) = game(engine, both);
    game.talk(keeper, "Which key?");
    for (method, params) in [
        ("dramatis/runs", json!({})),
        ("dramatis/explain", json!({"run": "0"})),
        ("dramatis/memory", json!({"npc": "keeper"})),
    ] {
        let told = told(&mut game, method, params).to_string();
        assert!(!told.contains("hunter2"), "{method}: {told}");
    }
    let why = told(&mut game, "dramatis/explain", json!({"run": "0"}));
    assert_eq!(why["attempts"][0]["reply"], "Use [redacted], friend.");
}

#[test]
fn affordances_are_typed_actions_and_phrases() {
    let (mut game, _) = after_a_run(both);
    // The keeper has opened the gate.
    let can = told(
        &mut game,
        "dramatis/affordances",
        json!({"actor": "keeper"}),
    );
    assert_eq!(can["actor"], "keeper");
    let actions = can["actions"].as_array().unwrap();
    let close = actions.iter().find(|action| action["type"] == "close");
    let ways = close.expect("the gate is open")["ways"].as_array().unwrap();
    assert!(
        ways.contains(&json!({"type": "close", "target": "gate"})),
        "{ways:?}"
    );
    assert!(!actions.iter().any(|action| action["type"] == "open"));
    let phrases = can["phrases"].as_array().unwrap();
    let close = json!({"phrase": "close the gate", "action": {"type": "close", "target": "gate"}});
    assert!(phrases.contains(&close), "{phrases:?}");
    let speak = actions.iter().find(|action| action["type"] == "speak");
    let words = speak.expect("it can speak")["words"].as_array().unwrap();
    let content = words.iter().find(|word| word["field"] == "content");
    assert_eq!(content.unwrap()["required"], true);
    assert_eq!(can["left_out"], json!({"actions": 0, "phrases": 0}));
}

#[test]
fn a_memory_is_told_the_newest_first_also_of_who_is_not_in_the_game() {
    let (mut game, keeper) = after_a_run(both);
    let memory = told(&mut game, "dramatis/memory", json!({"npc": "keeper"}));
    assert_eq!(memory["name"], "Keeper");
    assert_eq!(memory["interactions"], 1);
    let episodes = memory["episodes"].as_array().unwrap();
    assert!(episodes.len() > 1);
    assert_eq!(episodes.last().unwrap()["id"], "flood");
    assert_eq!(episodes.last().unwrap()["significance"], 0.9);
    assert!(episodes.iter().any(|one| one["text"] == "A friend passed."));
    assert_eq!(memory["beliefs"][0]["id"], "honest");
    assert_eq!(memory["beliefs"][0]["text"], "Visitors are honest.");
    assert_eq!(memory["beliefs"][0]["confidence"], 0.7);
    for list in ["relationships", "states"] {
        assert!(memory[list].is_array(), "{list}");
    }
    assert_eq!(memory["left_out"]["episodes"], 0);

    let one = told(
        &mut game,
        "dramatis/memory",
        json!({"npc": "keeper", "limit": 1}),
    );
    assert_eq!(one["episodes"].as_array().unwrap().len(), 1);
    assert_eq!(one["episodes"][0], memory["episodes"][0]);
    assert_eq!(one["left_out"]["episodes"], episodes.len() - 1);

    game.world_mut().despawn(keeper);
    game.frame();
    let gone = told(&mut game, "dramatis/memory", json!({"npc": "keeper"}));
    assert_eq!(gone["name"], Value::Null);
    assert_eq!(gone["episodes"], memory["episodes"]);
}

#[test]
fn a_request_that_cannot_be_answered_says_what_is_wrong() {
    let (mut game, _) = after_a_run(both);
    for (method, params, said) in [
        ("dramatis/runs", json!({"limit": 0}), "from 1 to 100"),
        ("dramatis/runs", json!({"limit": 101}), "from 1 to 100"),
        ("dramatis/runs", json!({"limit": -1}), "cannot be read"),
        ("dramatis/runs", json!({"npcs": "keeper"}), "npcs"),
        ("dramatis/runs", json!(["keeper"]), "no JSON object"),
        ("dramatis/runs", json!({"npc": "ghost"}), "\"ghost\""),
        ("dramatis/explain", json!(null), "run"),
        ("dramatis/explain", json!({"run": 0}), "a text"),
        (
            "dramatis/explain",
            json!({"run": "7"}),
            "dramatis/runs lists them",
        ),
        ("dramatis/explain", json!({"run": "first"}), "\"first\""),
        ("dramatis/affordances", json!({}), "actor"),
        (
            "dramatis/affordances",
            json!({"actor": "ghost"}),
            "\"ghost\"",
        ),
        ("dramatis/affordances", json!({"actor": "yard"}), "place"),
        (
            "dramatis/affordances",
            json!({"actor": "two words"}),
            "\"two words\"",
        ),
        ("dramatis/memory", json!({}), "npc"),
        ("dramatis/memory", json!({"npc": "gate"}), "\"gate\""),
        (
            "dramatis/memory",
            json!({"npc": "keeper", "limit": 0}),
            "from 1 to 100",
        ),
    ] {
        let error = call(&mut game, method, params.clone()).expect_err(method);
        assert_eq!(error.code, error_codes::INVALID_PARAMS, "{method} {params}");
        let message = error.message;
        assert!(message.contains(said), "{method} {params}: {message}");
        assert!(message.len() < 1_000, "{message}");
    }
    // An error may quote the request, but not all of it.
    let long = "x".repeat(100_000);
    for params in [json!({"npc": long}), json!({(long.as_str()): 1})] {
        let error = call(&mut game, "dramatis/runs", params).unwrap_err();
        assert!(error.message.len() < 2_000);
    }
}

#[test]
fn a_method_of_the_game_stays() {
    fn own(In(_): In<Option<Value>>) -> BrpResult {
        Ok(json!("own"))
    }
    let (mut game, _) = game(ScriptedEngine::saying(REPLIES), |app| {
        let remote = RemotePlugin::default().with_method_main("dramatis/runs", own);
        app.add_plugins((RemoteMethodsPlugin, remote));
    });
    assert_eq!(told(&mut game, "dramatis/runs", json!({})), "own");
    told(&mut game, "dramatis/memory", json!({"npc": "keeper"}));
}

#[test]
fn without_the_plugin_of_bevy_the_game_goes_on() {
    let (mut game, _) = after_a_run(|app| {
        app.add_plugins(RemoteMethodsPlugin);
    });
    assert!(!game.world().contains_resource::<RemoteMethods>());
    assert_eq!(game.take_lines().len(), 1);
}

static LOGGED: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Collector;

impl log::Log for Collector {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        if record.target() == "bevy_dramatis::remote" {
            LOGGED.lock().unwrap().push(record.args().to_string());
        }
    }
    fn flush(&self) {}
}

/// The log's warnings that name a method that changes the game. No other test of this file causes one.
fn warnings_of(configure: impl FnOnce(&mut App)) -> Vec<String> {
    let (mut game, _) = game(ScriptedEngine::saying(REPLIES), configure);
    game.frames(3);
    let mut logged = LOGGED.lock().unwrap();
    let mut logged = std::mem::take(&mut *logged);
    logged.retain(|line| line.contains("world."));
    logged
}

#[test]
fn a_journal_next_to_methods_that_change_the_game_is_warned_of_once() {
    log::set_logger(&Collector).unwrap();
    log::set_max_level(log::LevelFilter::Warn);
    for add_plugins in [both, both_the_other_way_round] {
        let warnings = warnings_of(|app| {
            app.add_plugins(MemoryJournalPlugin);
            add_plugins(app);
        });
        let [warning] = warnings.as_slice() else {
            panic!("{warnings:?}");
        };
        for name in [
            "world.spawn_entity",
            "world.despawn_entity",
            "world.insert_components",
            "world.remove_components",
            "world.mutate_components",
            "world.reparent_entities",
            "world.insert_resources",
            "world.remove_resources",
            "world.mutate_resources",
            "world.trigger_event",
            "world.write_message",
        ] {
            assert!(warning.contains(name), "{name}: {warning}");
        }
        for name in ["world.query", "world.get_components", "dramatis/"] {
            assert!(!warning.contains(name), "{name}: {warning}");
        }
    }
    assert!(warnings_of(both).is_empty(), "no journal is kept");
    let reading = warnings_of(|app| {
        app.add_plugins(MemoryJournalPlugin);
        both(app);
        app.insert_resource(RemoteMethods::new());
    });
    assert!(reading.is_empty(), "{reading:?}");
}
