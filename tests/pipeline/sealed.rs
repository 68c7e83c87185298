//! Sealed runs (contract rows S1 to S4). What comes of each reply is in the scenario files.

use bevy::prelude::*;
use bevy_dramatis::authoring::{Character, NoFiles};
use bevy_dramatis::engine::{
    Capabilities, DefaultEngine, Engine, EngineCall, EngineEvent, EngineIdentity, EngineRequest,
    ScriptedEngine,
};
use bevy_dramatis::events::{Applied, Remembered, RunEnded, Spoke};
use bevy_dramatis::npc::{LoadedCharacter, Request, submit_request};
use bevy_dramatis::pipeline::{AttemptLog, DialoguePolicy};
use bevy_dramatis::pipeline::{Outcome, RunPolicy};
use bevy_dramatis::plugin::DramatisPlugins;
use bevy_dramatis::proposal::Finish;
use bevy_dramatis::world::actions::Speak;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An engine that counts its calls and does what it is told.
struct Counting(Arc<AtomicUsize>, fn() -> EngineCall);

impl Engine for Counting {
    fn identity(&self) -> EngineIdentity {
        EngineIdentity {
            provider: "test".into(),
            model: "test".into(),
            version: None,
            capabilities: Capabilities::default(),
        }
    }

    fn start(&self, _: EngineRequest) -> EngineCall {
        self.0.fetch_add(1, Ordering::Relaxed);
        (self.1)()
    }
}

/// Asks once under the policy, with time to spare, and says what came of it and how often the engine was called.
fn ask(answer: fn() -> EngineCall, before: impl FnOnce(&mut App)) -> (Vec<Outcome>, usize, App) {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(Counting(calls.clone(), answer)))
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
    submit_request(
        app.world_mut(),
        "oracle",
        Request::speech("player", "player", "Well?"),
    );
    for _ in 0..20 {
        app.update();
    }
    let Heard(outcomes, told) = app.world_mut().remove_resource().unwrap();
    let rejected = outcomes == [Outcome::Rejected];
    assert!(
        !rejected || told == 0,
        "a rejection tells the game nothing else"
    );
    (outcomes, calls.load(Ordering::Relaxed), app)
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
fn s3_a_sealed_run_asks_the_engine_that_the_app_was_built_with() {
    let swap = |app: &mut App| {
        let other = DefaultEngine::new(Arc::new(ScriptedEngine::saying(["Another voice."])));
        app.insert_resource(other);
    };
    let (outcomes, calls, _) = ask(|| saying(b"It is well."), swap);
    assert_eq!(calls, 1);
    assert_eq!(outcomes[0].line(), Some("It is well."));
}
