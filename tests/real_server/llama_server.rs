//! A real llama.cpp server that the game starts itself (contract row E5).

use super::{until, url};
use bevy_dramatis::engine::{Engine, EngineStatus, LlamaServer};
use bevy_dramatis::testing::TestGame;
use std::path::Path;
use std::process::Command;

fn server(model: &Path) -> LlamaServer {
    LlamaServer::new(url("DRAMATIS_TEST_SERVER"), model)
        .with_slots(2)
        .with_context_tokens(4_096)
}

#[test]
#[ignore = "needs DRAMATIS_TEST_SERVER and DRAMATIS_TEST_GGUF"]
fn e5_the_real_server_is_started_killed_in_mid_stream_and_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let model = url("DRAMATIS_TEST_GGUF");
    let engine = server(Path::new(&model))
        .with_arguments(["--pid-file".as_ref(), pid.as_os_str()])
        .start()
        .unwrap();
    let mut game = TestGame::new(engine.clone());
    let is_ready = |game: &mut TestGame| {
        game.frame();
        engine.status() == EngineStatus::Ready
    };
    until("it is ready", || is_ready(&mut game));
    let npc = game.spawn_npc(r#"(id: "npc", fallbacks: (generic: ["Hm."]))"#);
    game.say(npc, "Tell me a long story.");
    // The slow model writes for seconds.
    until("some of the reply is there", || {
        game.frame();
        let world = game.world_mut();
        let mut calls = world.query::<&bevy_dramatis::pipeline::CallInFlight>();
        calls.iter(world).any(|call| !call.arrived().is_empty())
    });
    let capacity = engine.capacity();
    assert_eq!((capacity.calls, capacity.slots), (Some(2), true));
    let first = std::fs::read_to_string(&pid).unwrap();
    assert!(
        Command::new("kill")
            .args(["-9", &first])
            .status()
            .unwrap()
            .success()
    );
    let mut lines = Vec::new();
    until("a line is spoken all the same", || {
        game.frame();
        lines.extend(game.take_lines());
        !lines.is_empty()
    });
    assert_eq!(lines[0].text(), "Hm.");
    until("it is started again", || {
        game.frame();
        std::fs::read_to_string(&pid).is_ok_and(|now| now != first && !now.is_empty())
    });
    until("it is ready again", || is_ready(&mut game));
    game.frame();
    game.say(npc, "Hello?");
    until("the model answers", || {
        game.frame();
        let world = game.world_mut();
        let mut calls = world.query::<&bevy_dramatis::pipeline::CallInFlight>();
        calls.iter(world).any(|call| !call.arrived().is_empty())
    });
    let second = std::fs::read_to_string(&pid).unwrap();
    drop((game, engine));
    let alive = Command::new("kill").args(["-0", &second]).output().unwrap();
    assert!(!alive.status.success(), "it has ended with the game");
}

#[test]
#[ignore = "needs DRAMATIS_TEST_SERVER"]
fn e5_a_broken_model_is_one_clear_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("broken.gguf");
    std::fs::write(&model, "GGUF and then nothing that makes sense").unwrap();
    let engine = server(&model).with_restarts(0).start().unwrap();
    until("it is given up", || {
        matches!(engine.status(), EngineStatus::Down(_))
    });
    let why = engine.status().to_string();
    assert!(why.starts_with("the server is gone: it "), "{why}");
    assert_eq!(why.lines().count(), 1, "{why}");
}
