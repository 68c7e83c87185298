//! An API key is in no output (contract row R4; issue point 8).

#[path = "../support/fault_server.rs"]
mod fault_server;
#[path = "../support/logged.rs"]
mod logged;

use crate::bell;
use crate::by_id::tell;
use bevy::app::TaskPoolPlugin;
use bevy::prelude::*;
use bevy_dramatis::engine::{HttpConfig, HttpEngine};
use bevy_dramatis::events::AttemptFailed;
use bevy_dramatis::journal::{JournalFile, JournalPlugin, Recorded};
use bevy_dramatis::journal::{Redaction, export};
use bevy_dramatis::npc::{NpcCommandsExt, Request};
use bevy_dramatis::pipeline::{ActiveRun, AttemptLog, Form};
use bevy_dramatis::pipeline::{Outcome, RunHistory};
use bevy_dramatis::replay::replay;
use fault_server::{FaultServer, Seen, delta, error, events, finish};
use logged::{listen, logged};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const KEY: &str = "sk-Topsecret/0123456789+abcdef";

/// A journal, and the pools on which calls run.
struct Both(PathBuf);

impl Plugin for Both {
    fn build(&self, app: &mut App) {
        app.add_plugins((TaskPoolPlugin::default(), JournalPlugin::new(&self.0)));
    }
}

/// A server that sends back what it received: the key in an error, then in a reply, in two parts.
fn echo() -> FaultServer {
    let calls = AtomicUsize::new(0);
    FaultServer::start(move |seen: &Seen| {
        let sent = seen.header("authorization").unwrap_or_default().to_owned();
        if calls.fetch_add(1, Ordering::Relaxed) == 0 {
            return error(401, "text/plain", format!("who is {sent}?"));
        }
        let key = sent.replace("Bearer ", "");
        let (head, tail) = key.split_at(9);
        let said = [format!("You sent me {head}"), format!("{tail}, friend.")];
        events(said.map(|words| delta(&words)).concat() + &finish("stop"))
    })
}

/// Plays frames until no run is in flight.
fn on_character_inserted(app: &mut App) {
    let began = Instant::now();
    loop {
        bell::step(app);
        let mut active = app.world_mut().query_filtered::<(), With<ActiveRun>>();
        if active.iter(app.world()).count() == 0 {
            return;
        }
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "the run has an end"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn r4_a_key_leaves_no_trace_in_log_error_debug_journal_save_or_export() {
    listen();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.dramatis");
    let server = echo();
    let config = HttpConfig::new(server.url(), "tiny")
        .with_api_key(KEY)
        .with_form(Form::Together);
    let engine = HttpEngine::new(config.clone()).unwrap();
    let mut app = bell::game_with(engine.clone(), Both(path.clone()));
    #[derive(Resource, Default)]
    struct Errors(String);
    app.init_resource::<Errors>();
    app.add_observer(|failed: On<AttemptFailed>, mut errors: ResMut<Errors>| {
        errors.0 += &format!("{failed:?}");
    });
    tell(app.world_mut(), "keeper", |npc| {
        npc.interact(Request::speech("ann", "ann", "Hello?"));
    });
    on_character_inserted(&mut app);
    bell::save_now(&mut app, &folder.path().join("game.save")).unwrap();

    let run = app.world().resource::<RunHistory>().iter().next().unwrap();
    let run = app.world().entity(run);
    let outcome = run.get::<Outcome>().unwrap();
    let line = outcome.line().unwrap();
    // Text in brackets is a stage direction, and the character does not say it.
    assert_eq!(line, "You sent me, friend.");
    let log = run.get::<AttemptLog>().unwrap();
    assert_eq!(log.0.len(), 2, "an error, then a reply");
    let reply = log.0[1].reply.as_deref().unwrap();
    assert_eq!(reply, "You sent me [redacted], friend.");
    let mut shown = format!("{config:?} {engine:?} {outcome:?} {log:?}");
    shown += &app.world().resource::<Errors>().0;
    drop(app);
    assert!(
        server.seen()[0].head.contains(KEY),
        "the server received the key"
    );

    let journal = JournalFile::open(&path).unwrap();
    assert!(journal.count() > 3);
    assert!(replay(&journal, &|_| {}).unwrap().holds());
    let mut exported = Vec::new();
    export(&journal, &mut exported, &Redaction::default()).unwrap();
    drop(journal);
    let mut places = vec![
        ("what is shown", shown.into_bytes()),
        ("the log", logged().into_bytes()),
        ("the export", exported),
    ];
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap().path();
        places.push(("a file", std::fs::read(&file).unwrap()));
    }
    assert!(places.len() >= 5);
    for (place, bytes) in places {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for secret in ["topsecret", "0123456789", "abcdef\"", "+abcdef"] {
            assert!(!text.contains(secret), "{secret} is in {place}");
        }
    }
    let logged = logged();
    assert!(
        logged.contains("failed"),
        "the test reads the log: {logged}"
    );
}
