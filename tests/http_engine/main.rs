//! The HTTP engine against a server that misbehaves on purpose (contract rows P6, R1, R3, R4).
//!
//! No test here asserts how long something took; loops are bounded so that a hang is a failed test.

#![cfg(feature = "http")]

#[path = "../support/by_id.rs"]
mod by_id;
#[path = "../support/drive.rs"]
mod drive;
#[path = "../support/fault_server.rs"]
mod fault_server;
#[path = "../support/heard.rs"]
mod heard;

mod faults;
#[path = "../support/logged.rs"]
mod logged;
mod quirks;
mod refusals;
mod replies;
#[path = "../support/resident.rs"]
mod resident;
mod seam;
mod secrets;
mod soak;

use bevy_dramatis::engine::{
    Engine, EngineCall, EngineError, EngineEvent, EngineRequest, PromptMessage, Role, Stage,
};
use bevy_dramatis::engine::{HttpConfig, HttpEngine};
use bevy_dramatis::pipeline::Form;
use bevy_dramatis::proposal::Finish;
use drive::{frame, play, until};
use fault_server::{FaultServer, Seen, Step};
use std::time::Duration;

fn request() -> EngineRequest {
    EngineRequest {
        stage: Stage::Dialogue,
        npc: Some("wizard".to_owned()),
        input: "Hello".to_owned(),
        messages: [
            PromptMessage::new(Role::System, "You are a wizard."),
            PromptMessage::new(Role::User, "Hello \u{1F9D9}"),
        ]
        .into(),
        schema: None,
        seed: 7,
        max_tokens: 64,
        temperature: 0.8,
        top_p: None,
        min_p: None,
        repeat_penalty: None,
        max_reply_bytes: 10_000,
        time_left: Duration::from_secs(15),
        stop: Vec::new(),
        slot: None,
    }
}

fn config(url: &str) -> HttpConfig {
    HttpConfig::new(url, "tiny-npc")
        .with_marked_thoughts()
        .with_form(Form::Together)
}

fn engine(url: &str) -> HttpEngine {
    HttpEngine::new(config(url)).unwrap()
}

/// The text of a reply, and how it ended.
fn say(call: EngineCall) -> (String, Result<Finish, EngineError>) {
    let (chunks, end) = play(call);
    (String::from_utf8(chunks.concat()).unwrap(), end)
}

/// All events of a call, once it has ended.
fn all_events(mut call: EngineCall) -> Vec<EngineEvent> {
    let mut events = Vec::new();
    until("an end", || {
        while let Some(event) = frame(&mut call) {
            events.push(event);
        }
        matches!(
            events.last(),
            Some(EngineEvent::Finished(_) | EngineEvent::Failed(_))
        )
    });
    events
}

fn ask(
    answer: impl Fn(&Seen) -> Vec<Step> + Send + Sync + 'static,
) -> (String, Result<Finish, EngineError>) {
    let server = FaultServer::start(answer);
    say(engine(&server.url()).start(request()))
}

fn failure(answer: impl Fn(&Seen) -> Vec<Step> + Send + Sync + 'static) -> EngineError {
    ask(answer).1.unwrap_err()
}
