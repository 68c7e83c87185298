//! Sealed runs (contract rows S1 to S4). The scenario files say what follows each reply.

use crate::by_id::tell;
use bevy::prelude::*;
use bevy_dramatis::authoring::{Character, NoFiles};
use bevy_dramatis::base::Millis;
use bevy_dramatis::base::{DramatisClock, ManualClock};
use bevy_dramatis::engine::RunEngine;
use bevy_dramatis::engine::SealedSeam;
use bevy_dramatis::engine::{
    Capabilities, DefaultEngine, Engine, EngineCall, EngineEvent, EngineIdentity, EngineRequest,
    ScriptedEngine,
};
use bevy_dramatis::events::{Applied, Remembered, RunEnded, Spoke};
use bevy_dramatis::npc::{LoadedCharacter, NpcCommandsExt, NpcPolicy, Request};
use bevy_dramatis::pipeline::{AttemptLog, DialoguePolicy};
use bevy_dramatis::pipeline::{Outcome, RunPolicy, SealedInput};
use bevy_dramatis::plugin::DramatisPlugins;
use bevy_dramatis::proposal::Finish;
use bevy_dramatis::world::actions::Speak;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// An engine that counts its calls and does what the test says.
struct Counting(Arc<AtomicUsize>, fn() -> EngineCall);

impl Engine for Counting {
    fn identity(&self) -> EngineIdentity {
        EngineIdentity {
            provider: "test".into(),
            model: "test".into(),
            version: None,
            hash: None,
            capabilities: Capabilities::default(),
        }
    }

    fn start(&self, _: EngineRequest) -> EngineCall {
        self.0.fetch_add(1, Ordering::Relaxed);
        (self.1)()
    }
}

/// Asks once under the policy, with enough time; returns the outcomes and the number of calls.
fn ask(answer: fn() -> EngineCall, before: impl FnOnce(&mut App)) -> (Vec<Outcome>, usize, App) {
    let calls = Arc::new(AtomicUsize::new(0));
    let engine = Counting(calls.clone(), answer);
    let plugins = DramatisPlugins::silent().with_sealed_engine(engine);
    let (outcomes, app) = ask_with(plugins, before);
    (outcomes, calls.load(Ordering::Relaxed), app)
}

fn ask_with(plugins: DramatisPlugins, before: impl FnOnce(&mut App)) -> (Vec<Outcome>, App) {
    let mut app = App::new();
    app.add_plugins(plugins)
        .insert_resource(DialoguePolicy(RunPolicy::SEALED));
    #[derive(Resource, Default)]
    struct Heard(Vec<Outcome>, usize);
    app.init_resource::<Heard>()
        .add_observer(|ended: On<RunEnded>, mut heard: ResMut<Heard>| {
            heard.0.push(ended.outcome.clone())
        })
        .add_observer(|_: On<Spoke>, mut heard: ResMut<Heard>| heard.1 += 1)
        .add_observer(|_: On<Remembered>, mut heard: ResMut<Heard>| heard.1 += 1)
        .add_observer(|_: On<Applied<Speak>>, mut heard: ResMut<Heard>| heard.1 += 1);
    let npc =
        r#"(id: "oracle", fallbacks: (generic: ["Nobody hears this."], emergency: ["Nor this."]))"#;
    let oracle = Character::parse(npc.as_bytes(), "oracle.npc.ron", &NoFiles).unwrap();
    app.world_mut().spawn(LoadedCharacter(Arc::new(oracle)));
    app.finish();
    app.cleanup();
    app.update();
    before(&mut app);
    tell(app.world_mut(), "oracle", |npc| {
        npc.interact(Request::speech("player", "player", "Well?"));
    });
    for _ in 0..20 {
        app.update();
    }
    let Heard(outcomes, told) = app.world_mut().remove_resource().unwrap();
    let rejected = outcomes == [Outcome::Rejected];
    assert!(
        !rejected || told == 0,
        "a rejection tells the game nothing else"
    );
    (outcomes, app)
}

fn saying(bytes: &[u8]) -> EngineCall {
    EngineCall::ready([
        EngineEvent::Chunk(bytes.to_vec()),
        EngineEvent::Finished(Finish::Stop),
    ])
}

#[test]
fn s1_an_engine_that_panics_has_said_nothing() {
    let (outcomes, calls, mut app) = ask(|| panic!("out of order"), |_| {});
    assert_eq!((outcomes, calls), (vec![Outcome::Rejected], 1));
    let mut logs = app.world_mut().query::<&AttemptLog>();
    let log = &logs.single(app.world()).unwrap().0;
    assert_eq!(log[0].reply.as_deref(), Some(""));
    assert_eq!(log[0].error, None);
}

#[test]
fn s1_an_engine_whose_thread_dies_has_said_nothing() {
    let dies = || {
        let (sender, receiver) = crossbeam_channel::bounded(4);
        let _ = sender.send(EngineEvent::Chunk(b"It is ".to_vec()));
        drop(sender);
        EngineCall::new(receiver, ())
    };
    let (outcomes, calls, _) = ask(dies, |_| {});
    assert_eq!((outcomes, calls), (vec![Outcome::Rejected], 1));
}

#[test]
fn s2_one_run_is_one_call_whatever_comes_back() {
    for bytes in [
        &b""[..],
        b"{",
        b"\xff",
        b"{\"dialogue\": \"\"}",
        b"[INTENT: fly away]",
    ] {
        let answer: fn() -> EngineCall = match bytes {
            b"" => || saying(b""),
            b"{" => || saying(b"{"),
            b"\xff" => || saying(b"\xff"),
            b"[INTENT: fly away]" => || saying(b"[INTENT: fly away]"),
            _ => || saying(b"{\"dialogue\": \"\"}"),
        };
        assert_eq!(ask(answer, |_| {}).0, [Outcome::Rejected], "{bytes:?}");
        assert_eq!(ask(answer, |_| {}).1, 1);
    }
}

#[test]
fn s3_without_an_engine_of_its_own_a_sealed_run_asks_nothing_and_is_rejected() {
    let calls = Arc::new(AtomicUsize::new(0));
    let engine = Counting(calls.clone(), || saying(b"It is well."));
    let (outcomes, mut app) = ask_with(DramatisPlugins::new(engine), |_| {});
    assert_eq!(outcomes, [Outcome::Rejected]);
    assert_eq!(calls.load(Ordering::Relaxed), 0);
    let mut engines = app.world_mut().query::<&RunEngine>();
    let engine = engines.single(app.world()).unwrap();
    assert_eq!(engine.identity().provider, "none");
}

#[test]
fn s3_a_sealed_run_asks_the_engine_that_is_bound_in_code() {
    let swap = |app: &mut App| {
        let other = DefaultEngine::new(Arc::new(ScriptedEngine::saying(["Another voice."])));
        app.insert_resource(other);
    };
    let (outcomes, calls, _) = ask(|| saying(b"It is well."), swap);
    assert_eq!(calls, 1);
    assert_eq!(outcomes[0].line(), Some("It is well."));
}

/// A game in which one character is sealed and another talks, and what the seam was asked.
fn oracle_and_guard(seam: SealedSeam) -> App {
    let mut app = App::new();
    let identity = EngineIdentity {
        provider: "stars".into(),
        model: "stars-1".into(),
        version: None,
        hash: None,
        capabilities: Capabilities::default(),
    };
    let talking = ScriptedEngine::saying(["Well met."]);
    app.add_plugins(DramatisPlugins::new(talking).with_sealed(seam, identity));
    for id in ["oracle", "guard"] {
        let source = format!("(id: \"{id}\")");
        let character = Character::parse(source.as_bytes(), "a.npc.ron", &NoFiles).unwrap();
        let mut entity = app.world_mut().spawn(LoadedCharacter(Arc::new(character)));
        if id == "oracle" {
            entity.insert(NpcPolicy(RunPolicy::SEALED));
        }
    }
    app.init_resource::<Ends>()
        .add_observer(|ended: On<RunEnded>, mut ends: ResMut<Ends>| {
            ends.0
                .insert(ended.npc.to_string(), (ended.run, ended.outcome.clone()));
        });
    app.finish();
    app.cleanup();
    app.update();
    app
}

#[derive(Resource, Default)]
struct Ends(BTreeMap<String, (Entity, Outcome)>);

fn ask_both(app: &mut App) {
    for id in ["oracle", "guard"] {
        let request = Request::speech("player", "player", "Will it rain?");
        tell(app.world_mut(), id, |npc| {
            npc.interact(request);
        });
    }
}

#[test]
fn s3_a_sealed_character_beside_a_talking_one_asks_its_seam_for_bytes() {
    let asked: Arc<Mutex<Vec<Vec<u8>>>> = Arc::default();
    let notes = asked.clone();
    let mut app = oracle_and_guard(SealedSeam::bound(move |input: &[u8]| {
        notes.lock().unwrap().push(input.to_vec());
        b"It will.".to_vec()
    }));
    ask_both(&mut app);
    for _ in 0..5_000 {
        app.update();
        if app.world().resource::<Ends>().0.len() == 2 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let ends = &app.world().resource::<Ends>().0;
    assert_eq!(ends["oracle"].1.line(), Some("It will."));
    assert_eq!(ends["guard"].1.line(), Some("Well met."));
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), 1, "one call");
    let input = SealedInput::read(&asked[0]).expect("the seam was given its input");
    assert_eq!(input.said, "Will it rain?");
    assert_eq!(input.npc.as_deref(), Some("oracle"));
    assert!(input.messages[1].content().contains("Will it rain?"));
    let engine = app.world().get::<RunEngine>(ends["oracle"].0).unwrap();
    assert_eq!(engine.identity().model, "stars-1");
}

#[test]
fn s1_a_seam_that_never_answers_holds_no_frame() {
    let mut app = oracle_and_guard(SealedSeam::bound(|_: &[u8]| {
        std::thread::sleep(std::time::Duration::from_secs(20));
        Vec::new()
    }));
    ask_both(&mut app);
    app.insert_resource(ManualClock);
    let began = std::time::Instant::now();
    for _ in 0..20 {
        app.update();
    }
    assert!(app.world().resource::<Ends>().0.contains_key("guard"));
    // The deadline ends the run, whatever its thread does.
    let mut clock = app.world_mut().resource_mut::<DramatisClock>();
    clock.call = clock.call.after(Millis(31_000));
    for _ in 0..5 {
        app.update();
    }
    let ends = &app.world().resource::<Ends>().0;
    assert_eq!(ends["oracle"].1, Outcome::Rejected);
    assert!(
        began.elapsed().as_secs() < 20,
        "the test did not wait for the seam"
    );
}
