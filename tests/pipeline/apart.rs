//! The engine asks a character in separate calls what it does, what it says and what it remembers (contract row P14). The rest is in
//! `assets/scenarios/p14_*`.

use bevy::prelude::Entity;
use bevy_dramatis::engine::{
    Engine, EngineCall, EngineEvent, EngineIdentity, EngineRequest, PromptMessage, ScriptedEngine,
    Stage,
};
use bevy_dramatis::events::{Remembered, RunEnded, RunStarted};
use bevy_dramatis::gate::FailureReason;
use bevy_dramatis::pipeline::{AttemptLog, DialoguePolicy, Form, MutationReport, Run};
use bevy_dramatis::testing::{ManualEngine, RandomReplies, TestGame};

/// A yard in which every built-in action is possible, in one language.
fn yard(lexicon: &str, names: [&str; 4]) -> String {
    let [door, key, lamp, garden] = names;
    format!(
        r#"(
            lexicon: "lexicon/{lexicon}.lexicon.ron",
            world: (
                locations: {{"yard": (name: "yard", connected_to: ["garden"]), "garden": (name: "{garden}", connected_to: ["yard"])}},
                entities: {{
                    "player": (name: "Ann", kind: "character", at: In("yard")),
                    "door_1": (name: "{door}", kind: "door", at: In("yard"), attributes: {{"openable": true, "open": false, "locked": true, "key": "key_1"}}),
                    "gate_1": (name: "gate", kind: "door", at: In("yard"), attributes: {{"openable": true, "open": true}}),
                    "key_1": (name: "{key}", kind: "key", at: CarriedBy("odo"), attributes: {{"takeable": true}}),
                    "lamp_1": (name: "{lamp}", kind: "lamp", at: In("yard"), attributes: {{"takeable": true, "usable": true}}),
                }},
            ),
        )"#
    )
}

const ODO: &str = r#"(id: "odo", name: "Odo", location: "yard", form: Apart, limits: (options: 100),
    may: ["open", "close", "give", "take", "drop", "use", "move"])"#;

/// The phrases from which the character chooses, and the effect of each.
fn choices(story: &str) -> Vec<(String, serde_json::Value)> {
    let engine = ManualEngine::default();
    let ask = || {
        let mut game = TestGame::new(engine.clone());
        game.install_story(story);
        let odo = game.spawn_npc(ODO);
        game.say(odo, "Well?");
        game.frames(2);
        (game, engine.last_call())
    };
    let (_, call) = ask();
    let schema = call.request.schema.unwrap();
    let phrases = schema["properties"]["choice"]["enum"].as_array().unwrap();
    let phrases = phrases
        .iter()
        .skip(1)
        .map(|phrase| phrase.as_str().unwrap());
    phrases
        .map(|phrase| {
            let (mut game, call) = ask();
            call.reply(phrase);
            game.frames(2);
            engine.last_call().reply("Aye.");
            game.run_until_idle();
            let chosen = game.attempts()[0].chosen().unwrap();
            let chosen = serde_json::to_value(chosen).unwrap();
            (phrase.to_owned(), chosen)
        })
        .collect()
}

#[test]
fn p14_a_phrase_means_to_the_parser_what_it_means_to_the_character() {
    for (lexicon, names) in [
        ("en", ["oak door", "brass key", "lamp", "Garden"]),
        ("de", ["Eichentür", "Schlüssel", "Lampe", "Garten"]),
    ] {
        let story = yard(lexicon, names);
        let choices = choices(&story);
        assert!(choices.len() >= 6, "{choices:?}");
        for (phrase, chosen) in choices {
            let mut game = TestGame::new(ManualEngine::default());
            game.install_story(&story);
            let odo = game.spawn_npc(ODO);
            game.act(odo, &phrase);
            game.run_until_idle();
            let turns = game.take_turns();
            let done = turns[0].actions.first();
            let done = done.map(|action| serde_json::to_value(&action.intent).unwrap());
            assert_eq!(done.as_ref(), Some(&chosen), "{phrase}: {:?}", turns[0]);
        }
    }
}

#[test]
fn p14_the_nearest_form_counts_and_without_one_that_of_the_engine() {
    let rows = [
        // The forms that the engine, the game and the character's file ask for, and the one that counts.
        (Form::Apart, None, "", Form::Apart),
        (Form::Together, None, "", Form::Together),
        (Form::Apart, Some(Form::Together), "", Form::Together),
        (Form::Together, Some(Form::Apart), "", Form::Apart),
        (Form::Apart, None, "form: Together", Form::Together),
        (
            Form::Apart,
            Some(Form::Apart),
            "form: Together",
            Form::Together,
        ),
        (
            Form::Together,
            Some(Form::Together),
            "form: Apart",
            Form::Apart,
        ),
    ];
    for (engine, of_game, file, expected) in rows {
        let mut identity = EngineIdentity::new("test", "test");
        identity.capabilities.form = engine;
        let script = ScriptedEngine::silent().with_identity(identity);
        let mut game = TestGame::new(script);
        let mut policy = game.world_mut().resource_mut::<DialoguePolicy>();
        policy.0.form = of_game;
        let npc = game.spawn_npc(&format!(r#"(id: "odo", name: "Odo", {file})"#));
        game.say(npc, "Hello?");
        game.run_until_idle();
        let asked = game.attempts()[0].stage;
        let expected = match expected {
            Form::Together => Stage::Dialogue,
            Form::Apart => Stage::Speak,
        };
        assert_eq!(asked, expected, "{engine:?} {of_game:?} {file}");
    }
}

#[test]
fn p14_what_happens_in_the_background_tells_no_observer_of_a_run() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let odo = game.spawn_npc(r#"(id: "odo", form: Apart, limits: (remember_every: 1))"#);
    game.say(odo, "I am Ann.");
    game.frames(2);
    engine.last_call().reply("Welcome, Ann.");
    game.frames(3);
    let call = engine.last_call();
    assert_eq!(call.request.stage, Stage::Remember);
    assert_eq!(game.take_sent::<RunStarted>().len(), 1);
    assert_eq!(game.take_sent::<RunEnded>().len(), 1);
    // The player can speak to a character while the engine asks it what it remembers.
    game.say(odo, "And you?");
    game.frames(2);
    engine.last_call().reply("I am Odo.");
    game.frames(2);
    assert_eq!(game.take_lines().len(), 2);
    call.reply(r#"{"calls": [{"tool": "episode", "text": "Ann came."}]}"#);
    game.frames(3);
    assert_eq!(game.take_sent::<Remembered>().len(), 1);
    assert_eq!(chosen(&game, odo), ["Ann came."]);
    assert_eq!(game.mind(odo).interactions, 2);
    engine.last_call().reply(r#"{"calls": []}"#);
    game.run_until_idle();
}

/// A character that looks back after two minutes of silence, and has talked once.
fn after_a_talk(engine: &ManualEngine) -> (TestGame, bevy::prelude::Entity) {
    let mut game = TestGame::new(engine.clone());
    let odo = game.spawn_npc(r#"(id: "odo", form: Apart)"#);
    game.say(odo, "I am Ann.");
    game.frames(2);
    engine.last_call().reply("Welcome, Ann.");
    game.frames(3);
    (game, odo)
}

#[test]
fn p14_a_character_that_comes_back_looks_back_on_the_talk_before() {
    let engine = ManualEngine::default();
    let (mut game, odo) = after_a_talk(&engine);
    game.world_mut().entity_mut(odo).despawn();
    game.frames(2);
    game.spawn_npc(r#"(id: "odo", form: Apart)"#);
    game.advance(120_000);
    game.frames(2);
    let call = engine.last_call();
    assert_eq!(call.request.stage, Stage::Remember);
    let said: String = call
        .request
        .messages
        .iter()
        .map(PromptMessage::content)
        .collect();
    assert!(said.contains("I am Ann."), "{said}");
    call.reply(r#"{"calls": []}"#);
    game.run_until_idle();
}

#[test]
fn p14_a_run_that_the_game_removes_keeps_no_character_from_remembering() {
    let engine = ManualEngine::default();
    let (mut game, odo) = after_a_talk(&engine);
    game.take_sent::<RunEnded>();
    game.advance(120_000);
    game.frames(2);
    let asked = engine.calls().len();
    let world = game.world_mut();
    let mut runs = world.query::<(bevy::prelude::Entity, &Run)>();
    let run = runs
        .iter(world)
        .find(|(_, run)| run.stage() == Stage::Remember);
    let run = run.unwrap().0;
    world.entity_mut(run).despawn();
    game.frames(3);
    assert!(engine.calls().len() > asked);
    engine
        .last_call()
        .reply(r#"{"calls": [{"tool": "episode", "text": "Ann came."}]}"#);
    game.run_until_idle();
    assert_eq!(chosen(&game, odo), ["Ann came."]);
    assert!(game.take_sent::<RunEnded>().is_empty());
}

/// What a character has chosen to remember, in addition to what was said.
fn chosen(game: &TestGame, npc: Entity) -> Vec<&str> {
    let episodes = game.mind(npc).episodes.iter();
    let chosen = episodes.filter(|episode| !episode.is_said());
    chosen.map(|episode| episode.text.as_str()).collect()
}

/// An engine that answers with something that the schema allows, and with a word if there is no schema.
struct ObeysSchemas(RandomReplies);

impl Engine for ObeysSchemas {
    fn identity(&self) -> EngineIdentity {
        self.0.identity()
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        match request.schema {
            Some(_) => self.0.start(request),
            None => EngineCall::ready(EngineEvent::whole_reply("Aye.")),
        }
    }
}

#[test]
fn p14_whatever_the_schema_of_a_look_back_allows_can_be_read() {
    let mut game = TestGame::new(ObeysSchemas(RandomReplies::new(7)));
    let odo = game.spawn_npc(r#"(id: "odo", form: Apart, limits: (remember_every: 1))"#);
    for _ in 0..60 {
        game.talk(odo, "Well?");
    }
    let world = game.world_mut();
    let mut asked = 0;
    for (run, log, report) in world
        .query::<(&Run, &AttemptLog, &MutationReport)>()
        .iter(world)
        .filter(|(run, ..)| run.stage() == Stage::Remember)
    {
        asked += 1;
        let verdict = log.0[0].verdict.as_ref().expect("a whole reply");
        let mut found = verdict.failures.iter();
        assert!(
            found.all(|found| found.reason != FailureReason::InvalidFormat),
            "{run:?}: {verdict:?}"
        );
        let report = serde_json::to_value(report).unwrap();
        let rejected = report["rejected"].as_array().unwrap().iter();
        let malformed = rejected
            .map(|one| one["message"].as_str().unwrap())
            .filter(|why| why.contains("type") || why.contains("no mutation"));
        assert_eq!(malformed.count(), 0, "{:?}: {report}", log.0[0].reply);
    }
    assert!(asked > 20, "{asked}");
}
