//! Engines by name: which one serves a run (contract row S7).

use super::WIZARD;
use bevy::prelude::*;
use bevy_dramatis::app::DramatisAppExt;
use bevy_dramatis::engine::{
    BreakerSettings, BreakerState, Capabilities, Capacity, DefaultEngine, Engine, EngineCall,
    EngineError, EngineEvent, EngineIdentity, EngineRequest, NpcEngine, RunEngine, ScriptedEngine,
    Stage,
};
use bevy_dramatis::events::{BreakerChanged, ModelChanged};
use bevy_dramatis::npc::RequestError;
use bevy_dramatis::pipeline::EngineCommandsExt;
use bevy_dramatis::plugin::DramatisPlugins;
use bevy_dramatis::testing::{FnEngine, ManualEngine, SpokenLine, TestGame};
use std::sync::Arc;

fn game() -> TestGame {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(FnEngine::always("I am the default.")))
        .add_engine("small", FnEngine::always("I am small."))
        .add_engine("large", FnEngine::always("I am large."));
    TestGame::from_app(app)
}

fn lines(game: &mut TestGame) -> Vec<String> {
    let lines = game.take_lines().into_iter();
    lines
        .map(|line| match line {
            SpokenLine::Reply(line) => line,
            SpokenLine::Fallback(line) => format!("({line})"),
        })
        .collect()
}

#[test]
fn s7_a_character_names_its_engine_else_the_stage_else_the_default_one_serves() {
    let mut game = game();
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Who are you?");
    game.app.set_stage_engine(Stage::Dialogue, "small");
    game.talk(wizard, "Who are you?");
    let large = NpcEngine("large".to_owned());
    game.world_mut().entity_mut(wizard).insert(large);
    game.talk(wizard, "Who are you?");
    assert_eq!(
        lines(&mut game),
        ["I am the default.", "I am small.", "I am large."]
    );
}

#[test]
fn s7_an_engine_that_is_not_there_is_refused_with_the_reason_and_none_steps_in() {
    let mut game = game();
    let wizard = game.spawn_npc(WIZARD);
    let gone = NpcEngine("gone".to_owned());
    game.world_mut().entity_mut(wizard).insert(gone);
    game.say(wizard, "One");
    game.say(wizard, "Two");
    game.run_until_idle();
    let refused = game.take_refusals();
    assert!(matches!(
        &refused[..],
        [RequestError::Engine(_), RequestError::Engine(_)]
    ));
    assert_eq!(
        refused[0].to_string(),
        "NoEngine: no engine is called \"gone\""
    );
    assert_eq!(game.counters().engine_calls, 0);
    // When the engine is there, the character answers.
    game.app.add_engine("gone", FnEngine::always("Back."));
    game.talk(wizard, "Three");
    assert_eq!(lines(&mut game), ["Back."]);
}

#[test]
fn s7_a_prompt_is_written_for_the_engine_that_gets_it() {
    let mut game = game();
    let prose = ScriptedEngine::saying(["Prose."]).with_identity(EngineIdentity {
        capabilities: Capabilities {
            json: false,
            ..Capabilities::default()
        },
        ..EngineIdentity::new("test", "test")
    });
    game.app.add_engine("prose", prose);
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    let asks = |game: &TestGame| {
        let prompt = &game.attempts()[0].prompt;
        (prompt.contains("JSON"), prompt.contains("[MEMORY: "))
    };
    let json = asks(&game);
    let prose = NpcEngine("prose".to_owned());
    game.world_mut().entity_mut(wizard).insert(prose);
    game.talk(wizard, "Hello");
    assert_eq!((json, asks(&game)), ((true, false), (true, true)));
}

#[test]
fn s7_a_run_keeps_the_engine_that_it_started_with() {
    let mut game = TestGame::new(ScriptedEngine::saying(["", "Mended."]));
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    game.frame();
    // The first reply was empty; the second attempt asks the same engine, even though the default engine has changed.
    let other = DefaultEngine::new(Arc::new(FnEngine::always("I am another.")));
    game.world_mut().insert_resource(other);
    game.run_until_idle();
    assert_eq!(game.last_run::<RunEngine>().identity().provider, "scripted");
    assert_eq!(lines(&mut game), ["Mended."]);
    game.talk(wizard, "Hello");
    assert_eq!(lines(&mut game), ["I am another."]);
}

#[test]
fn e3_another_default_engine_is_asked_at_once_and_the_calls_of_the_old_one_do_not_count_against_it()
{
    let away = EngineEvent::Failed(EngineError::Unreachable("nobody listens".to_owned()));
    let fault = vec![away.clone()];
    let mut game = TestGame::new(Breaking(FnEngine::new(move |_, _| fault.clone())));
    game.app.init_resource::<Models>().add_observer(
        |changed: On<ModelChanged>, mut models: ResMut<Models>| {
            models.0.push(changed.now.model.clone());
        },
    );
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello?");
    let told = game.take_sent::<BreakerChanged>();
    assert!(matches!(
        told.last().map(|told| &told.state),
        Some(BreakerState::Open { .. })
    ));

    let slow = ManualEngine::default();
    game.world_mut()
        .commands()
        .set_default_engine(Arc::new(Breaking(slow.clone())));
    game.world_mut().flush();
    game.say(wizard, "Are you there?");
    game.frame();
    let mended = ScriptedEngine::saying(["Here I am."]);
    game.world_mut()
        .commands()
        .set_default_engine(Arc::new(mended));
    game.world_mut().flush();
    // The call in flight continues, and so do the attempts of its run.
    for _ in 0..3 {
        slow.last_call().event(away.clone());
        game.frames(3);
    }
    game.run_until_idle();
    assert_eq!(slow.calls().len(), 3);
    game.take_lines();
    game.talk(wizard, "And now?");
    assert_eq!(lines(&mut game), ["Here I am."]);
    let told = &game.world().resource::<Models>().0;
    assert_eq!(told.last().map(String::as_str), Some("scripted"));
}

#[test]
fn e1_the_calls_of_a_replaced_default_engine_take_no_room_of_the_new_one() {
    let silent = ManualEngine::default();
    let mut game = TestGame::new(Breaking(silent.clone()));
    let wizard = game.spawn_npc(WIZARD);
    let guard = game.spawn_npc(r#"(id: "guard", name: "Odo", persona: "You guard the gate.")"#);
    game.say(wizard, "Are you there?");
    game.frames(2);
    assert_eq!(silent.calls().len(), 1);

    let quick = Breaking(FnEngine::always("At once."));
    game.world_mut()
        .commands()
        .set_default_engine(Arc::new(quick));
    game.world_mut().flush();
    game.say(guard, "And you?");
    game.frames(3);
    assert_eq!(lines(&mut game), ["At once."]);
}

/// The models that took over.
#[derive(Resource, Default)]
struct Models(Vec<String>);

/// An engine that serves one call at a time, and that the plugin does not ask for a while after it fails.
struct Breaking<E>(E);

impl<E: Engine> Engine for Breaking<E> {
    fn identity(&self) -> EngineIdentity {
        self.0.identity()
    }

    fn capacity(&self) -> Capacity {
        Capacity {
            breaker: Some(BreakerSettings::default()),
            calls: Some(1),
            ..Capacity::default()
        }
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        self.0.start(request)
    }
}

/// An engine that ignores schemas.
struct Prose(FnEngine);

impl Engine for Prose {
    fn identity(&self) -> EngineIdentity {
        EngineIdentity {
            capabilities: Capabilities {
                json: false,
                ..Capabilities::default()
            },
            ..EngineIdentity::new("test", "test")
        }
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        self.0.start(request)
    }
}

#[test]
fn p15_a_request_for_prose_names_who_could_speak_next() {
    let hall = r#"(world: (
        locations: {"hall": (name: "Hall")},
        entities: {
            "player": (name: "Ann", kind: "character", at: In("hall")),
            "zoe": (name: "Zoe", kind: "character", at: In("hall")),
            "aldo": (name: "Aldo", kind: "character", at: In("hall")),
            "odd": (name: "Odd: one", kind: "character", at: In("hall")),
            "bea": (name: "Bea", kind: "character", at: In("hall")),
            "cid": (name: "Cid", kind: "character", at: In("hall")),
            "mug": (name: "Mug", kind: "item", at: In("hall")),
        },
    ))"#;
    let asked = |engine: FnEngine, json: bool| {
        let mut game = match json {
            true => TestGame::new(engine.clone()),
            false => TestGame::new(Prose(engine.clone())),
        };
        game.install_story(hall);
        let wizard = game.spawn_npc(WIZARD);
        game.talk(wizard, "Hello");
        engine.requests().remove(0).stop
    };
    let engine = || FnEngine::always("Well met.");
    let labels = ["\nAnn:", "\nAldo:", "\nBea:", "\nCid:"];
    assert_eq!(
        asked(engine(), false),
        labels,
        "the first speakers, at most four"
    );
    assert!(
        asked(engine(), true).is_empty(),
        "no line of JSON begins so"
    );
}
