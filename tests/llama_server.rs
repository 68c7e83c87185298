//! Servers that the game starts, watches and ends (contract row E5), with programs that misbehave. `tests/real_server` tries the real
//! server.

#![cfg(all(unix, feature = "http"))]

#[path = "support/fault_server.rs"]
mod fault_server;

use bevy::prelude::*;
use bevy_dramatis::engine::{Engine, EngineStatus, LlamaServer};
use bevy_dramatis::events::{CallRefusal, CallRefused, EngineStatusChanged};
use bevy_dramatis::testing::TestGame;
use fault_server::{FaultServer, Seen, Step, delta, events, finish, head};
use std::fs::Permissions;
use std::io::Write;
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Longer than any step of these tests takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The file for which a fake server waits that gets ready "when-told".
const MAY_BE_READY: &str = "may-be-ready";

/// A folder with a program that behaves as the test says, and a model.
struct Fake {
    folder: TempDir,
}

impl Fake {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("small.gguf"), "GGUF....").unwrap();
        let program = folder.path().join("llama-server");
        let exe = std::env::current_exe().unwrap();
        let script = format!(
            "#!/bin/sh\nFAKE_ARGUMENTS=\"$*\" exec '{}' --exact fake_server --ignored --nocapture\n",
            exe.display()
        );
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        Self { folder }
    }

    /// Each start adds a line with its port.
    fn starts(&self) -> PathBuf {
        self.folder.path().join("starts")
    }

    fn server(&self, behaviour: &str) -> LlamaServer {
        server(self.folder.path(), behaviour)
    }

    fn start(&self, behaviour: &str) -> impl Engine + Clone {
        self.server(behaviour).start().unwrap()
    }

    /// The ports of all starts so far.
    fn ports(&self) -> Vec<u16> {
        let starts = std::fs::read_to_string(self.starts()).unwrap_or_default();
        starts.lines().map(|line| line.parse().unwrap()).collect()
    }
}

fn server(folder: &Path, behaviour: &str) -> LlamaServer {
    let starts = folder.join("starts");
    let starts = starts.to_str().unwrap();
    LlamaServer::new(folder.join("llama-server"), folder.join("small.gguf")).with_arguments([
        "--behaviour",
        behaviour,
        "--starts",
        starts,
    ])
}

fn until(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < PATIENCE, "never happened: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn listens(port: u16) -> bool {
    TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok()
}

/// Not a test: the fake program.
#[test]
#[ignore = "it is the program that other tests start"]
fn fake_server() {
    let Ok(arguments) = std::env::var("FAKE_ARGUMENTS") else {
        return;
    };
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| *argument == name);
        at.and_then(|at| arguments.get(at + 1)).copied().unwrap()
    };
    let port: u16 = value("--port").parse().unwrap();
    let before = std::fs::read_to_string(value("--starts")).unwrap_or_default();
    std::fs::write(value("--starts"), format!("{before}{port}\n")).unwrap();
    let is_first = before.is_empty();
    let behaviour = value("--behaviour");
    if behaviour == "dies" {
        let words = "load: cannot allocate 12 GiB: out of memory\n";
        std::io::stderr().write_all(words.as_bytes()).unwrap();
        std::process::exit(1);
    }
    let key = std::env::var("LLAMA_API_KEY").unwrap();
    assert!(key.len() == 32 && !arguments.iter().any(|argument| argument.contains(&key)));
    let server = FaultServer::start_on(port, move |seen: &Seen| {
        let is_known = seen.header("authorization") == Some(&format!("Bearer {key}"));
        if !is_known {
            return vec![Step::Send(head(401, "application/json"))];
        }
        events(delta("Good evening.") + &finish("stop"))
    });
    server.answer_get("/health", 503, "");
    server.answer_get("/props", 200, r#"{"total_slots": 2}"#);
    let may_be_ready = Path::new(value("--starts")).with_file_name(MAY_BE_READY);
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let is_ready = match behaviour {
            "never-ready" => false,
            "when-told" => may_be_ready.exists(),
            _ => true,
        };
        if is_ready {
            server.answer_get("/health", 200, "");
        }
        std::thread::sleep(Duration::from_millis(5));
        if behaviour == "crashes" && is_first && !server.seen().is_empty() {
            std::process::exit(7);
        }
    }
}

/// Not a test: a game that another test kills.
#[test]
#[ignore = "it is the game that another test kills"]
fn fake_game() {
    if let Ok(folder) = std::env::var("FAKE_GAME") {
        let _engine = server(Path::new(&folder), "well").start().unwrap();
        std::thread::sleep(PATIENCE);
    }
}

#[test]
fn e5_it_is_started_and_waited_for_and_ended_with_the_game() {
    let fake = Fake::new();
    let mut game = TestGame::new(fake.start("when-told"));
    let npc = game.spawn_npc(r#"(id: "npc", fallbacks: (generic: ["Hm."]))"#);
    let mut told = Vec::new();
    let mut frame = |game: &mut TestGame| {
        game.frame();
        let changes = game.take_sent::<EngineStatusChanged>();
        told.extend(changes.iter().map(|change| change.status.to_string()));
        told.clone()
    };
    game.say(npc, "Hello?");
    frame(&mut game);
    frame(&mut game);
    let refused = game.take_sent::<CallRefused>();
    let refused: Vec<CallRefusal> = refused.into_iter().map(|one| one.reason).collect();
    assert!(
        matches!(&refused[..], [CallRefusal::NotReady(_)]),
        "{refused:?}"
    );
    assert_eq!(
        game.take_lines()[0].text(),
        "Hm.",
        "an authored line comes at once"
    );
    let loads = "the server loads its model".to_owned();
    until("it loads", || frame(&mut game).contains(&loads));
    std::fs::write(fake.folder.path().join(MAY_BE_READY), "").unwrap();
    let ready = EngineStatus::Ready.to_string();
    until("it is ready", || frame(&mut game).contains(&ready));
    game.say(npc, "Hello?");
    let mut lines = Vec::new();
    until("it answers", || {
        game.frame();
        lines.extend(game.take_lines());
        !lines.is_empty()
    });
    assert_eq!(lines[0].text(), "Good evening.");
    let ports = fake.ports();
    assert!(ports.len() == 1 && listens(ports[0]));
    drop(game);
    assert!(!listens(ports[0]), "it has ended with the game");
}

/// The second call would otherwise go to another slot than the first, and the server would read its prompt from the beginning.
#[test]
fn e5_it_is_asked_for_its_slots_before_the_first_call() {
    let fake = Fake::new();
    let engine = fake.start("well");
    let mut game = TestGame::new(engine.clone());
    until("its slots are known", || {
        game.frame();
        engine.status() == EngineStatus::Ready && engine.capacity().slots
    });
    assert_eq!(engine.capacity().calls, Some(2));
    assert_eq!(engine.usage().prompt, 0);
}

#[test]
fn e5_one_that_crashes_is_started_again() {
    let fake = Fake::new();
    let engine = fake.start("crashes");
    let mut game = TestGame::new(engine.clone());
    let npc = game.spawn_npc(r#"(id: "npc", fallbacks: (generic: ["Hm."]))"#);
    until("it is ready", || engine.status() == EngineStatus::Ready);
    game.say(npc, "Hello?");
    until("it has crashed", || {
        game.frame();
        engine.status().to_string().contains("it has ended with 7")
    });
    until("it is ready again", || {
        engine.status() == EngineStatus::Ready
    });
    assert_eq!(fake.ports().len(), 2);
    game.take_lines();
    game.say(npc, "And now?");
    let mut lines = Vec::new();
    until("it answers", || {
        game.frame();
        lines.extend(game.take_lines());
        lines.iter().any(|line| line.text() == "Good evening.")
    });
}

#[test]
fn e5_one_that_always_dies_is_given_up_with_its_last_words() {
    let fake = Fake::new();
    let engine = fake.server("dies").with_restarts(1).start().unwrap();
    let mut status = EngineStatus::Ready;
    until("it is given up", || {
        status = engine.status();
        matches!(status, EngineStatus::Down(_))
    });
    assert_eq!(
        status.to_string(),
        "the server is gone: it has ended with 1: load: cannot allocate 12 GiB: out of memory"
    );
    assert_eq!(fake.ports().len(), 2);
}

#[test]
fn e5_one_that_is_never_ready_is_ended() {
    let fake = Fake::new();
    let server = fake.server("never-ready").with_restarts(0);
    let engine = server
        .with_start_limit(Duration::from_secs(1))
        .start()
        .unwrap();
    until("it is given up", || {
        matches!(engine.status(), EngineStatus::Down(_))
    });
    let why = engine.status().to_string();
    assert!(why.ends_with("it was not ready within 1 s"), "{why}");
    assert!(!listens(fake.ports()[0]));
}

#[test]
fn e5_it_does_not_outlive_a_game_that_is_killed() {
    let fake = Fake::new();
    let mut game = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "fake_game", "--ignored"])
        .env("FAKE_GAME", fake.folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    until("the server listens", || {
        fake.ports().first().is_some_and(|port| listens(*port))
    });
    game.kill().unwrap();
    game.wait().unwrap();
    let port = fake.ports()[0];
    until("the server is gone", || !listens(port));
}
