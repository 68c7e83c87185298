//! Against a real llama.cpp server: `.ci/serve_models.sh` starts one and prints its address.
//!
//! ```text
//! eval "$(.ci/serve_models.sh)"
//! cargo test --test real_server -- --ignored
//! .ci/serve_models.sh --stop
//! ```
//!
//! The tests are ignored because plain `cargo test` needs nothing but Rust. If you run them without a server, they fail. All models except
//! one are noise: what they write has the right form and no meaning.

#![cfg(feature = "http")]

#[path = "../support/by_id.rs"]
mod by_id;
mod crowd;
#[path = "../support/drive.rs"]
mod drive;
#[path = "../support/heard.rs"]
mod heard;
#[cfg(feature = "cli")]
mod instruct;
mod instruct_stages;
mod llama_server;
mod pipeline;
mod plans;
mod prefix;

use bevy_dramatis::engine::{
    Engine, EngineError, EngineEvent, EngineRequest, PromptMessage, Role, Stage,
};
use bevy_dramatis::engine::{HttpConfig, HttpEngine};
use bevy_dramatis::gate::FailureReason;
use bevy_dramatis::proposal::Finish;
use bevy_dramatis::testing::{FnEngine, TestGame};
use drive::{frame, play, until};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The fast model's base URL.
fn fast_url() -> String {
    url("DRAMATIS_TEST_URL")
}

/// The slow model's base URL: about 90 tokens a second, and a reply that does not end by itself. A test that has the URL is the only one
/// on the server, finds it idle, and so may count its slots.
fn slow_server() -> (String, MutexGuard<'static, ()>) {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let url = url("DRAMATIS_TEST_SLOW_URL");
    until_busy(&url, 0);
    (url, alone)
}

fn url(name: &str) -> String {
    match std::env::var(name) {
        Ok(url) if !url.is_empty() => url,
        _ => panic!("{name} is not set: run eval \"$(.ci/serve_models.sh)\" first"),
    }
}

fn engine(url: &str) -> HttpEngine {
    HttpEngine::new(HttpConfig::new(url, "tiny-npc").with_marked_thoughts()).unwrap()
}

fn request(input: &str) -> EngineRequest {
    EngineRequest {
        stage: Stage::Dialogue,
        npc: Some("wizard".to_owned()),
        input: input.to_owned(),
        messages: [
            PromptMessage::new(
                Role::System,
                "You are a wizard in a tower. You guard a key, and you like to be asked.",
            ),
            PromptMessage::new(Role::User, input),
        ]
        .into(),
        schema: None,
        seed: 42,
        max_tokens: 60,
        temperature: 1.0,
        top_p: None,
        min_p: None,
        repeat_penalty: None,
        max_reply_bytes: 64 * 1024,
        time_left: Duration::from_secs(50),
        stop: Vec::new(),
        slot: None,
    }
}

/// The text of a reply; the call must succeed.
fn say(engine: &HttpEngine, request: EngineRequest) -> (String, Finish) {
    let (chunks, end) = play(engine.start(request));
    (String::from_utf8(chunks.concat()).unwrap(), end.unwrap())
}

/// A separate GET, independent of the code under test.
fn get(base: &str, path: &str) -> String {
    let host = base.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.0\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = Vec::new();
    stream.take(4 << 20).read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.contains(" 200 "), "{path}: {head}");
    body.to_owned()
}

/// How many of the server's slots are busy.
fn busy_slots(base: &str) -> usize {
    let slots: Value = serde_json::from_str(&get(base, "/slots")).unwrap();
    let slots = slots.as_array().unwrap();
    assert!(!slots.is_empty());
    slots
        .iter()
        .filter(|slot| slot["is_processing"] == json!(true))
        .count()
}

fn until_busy(base: &str, count: usize) {
    // Ticking matters: on a single-threaded pool a dropped call ends with the next tick.
    until(&format!("{count} busy slots"), || busy_slots(base) == count);
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn p6_a_real_reply_arrives_in_chunks_and_its_tokens_are_counted() {
    let engine = engine(&fast_url());
    let (chunks, end) = play(engine.start(request("Good day to you.")));
    assert!(end.is_ok(), "{end:?}");
    assert!(chunks.len() > 1, "{chunks:?}");
    assert!(std::str::from_utf8(&chunks.concat()).is_ok());
    let usage = engine.usage();
    assert!(usage.prompt > 0 && usage.completion > 1, "{usage:?}");
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn p6_a_real_reply_obeys_the_schema() {
    let schema = json!({
        "type": "object",
        "properties": {
            "dialogue": {"type": "string", "minLength": 1, "maxLength": 80},
            "intents": {"type": "array", "maxItems": 1, "items": {
                "type": "object",
                "properties": {"type": {"const": "give"}, "item": {"enum": ["key", "book"]}},
                "required": ["type", "item"],
                "additionalProperties": false,
            }},
        },
        "required": ["dialogue", "intents"],
        "additionalProperties": false,
    });
    let engine = engine(&fast_url());
    for seed in 0..10 {
        let call = EngineRequest {
            schema: Some(schema.clone().into()),
            seed,
            max_tokens: 600,
            ..request("The key?")
        };
        let (text, finish) = say(&engine, call);
        assert_eq!(finish, Finish::Stop, "{text}");
        let reply: Value = serde_json::from_str(&text).unwrap();
        assert!(
            reply["dialogue"]
                .as_str()
                .is_some_and(|line| !line.is_empty()),
            "{text}"
        );
        assert!(
            reply["intents"]
                .as_array()
                .is_some_and(|intents| intents.len() <= 1),
            "{text}"
        );
    }
}

/// Row P13 with the grammar of a real server: the parser can read whatever a model of noise writes under the schema of the shipped wizard.
#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
#[allow(clippy::print_stdout, reason = "row P13 asks for the rates")]
fn p13_whatever_a_real_server_writes_under_our_schema_can_be_read() {
    const REPLIES: u64 = 120;
    let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let asked = FnEngine::always("Well met.");
    let mut game = TestGame::new(asked.clone());
    game.install_story_file(assets.join("tower.story.ron"));
    let wizard = game.spawn_npc_file(assets.join("npcs/wizard.npc.ron"));
    game.talk(wizard, "What do you make of the key?");
    let schema = asked.requests()[0].schema.clone();
    assert!(schema.is_some());

    let engine = engine(&fast_url());
    let (mut whole, mut mutations, mut intents) = (0, 0, 0);
    for seed in 0..REPLIES {
        let call = EngineRequest {
            schema: schema.clone(),
            seed,
            max_tokens: 4_000,
            ..request("The key?")
        };
        let (text, finish) = say(&engine, call);
        if finish == Finish::Length {
            // The server's context is full, which is not the schema's fault.
            continue;
        }
        whole += 1;
        // A reply that the parser cannot read fails an attempt as `InvalidFormat`, and in no other way.
        let mut reader = TestGame::new(FnEngine::always(text.clone()));
        let npc = reader.spawn_npc(r#"(id: "reader")"#);
        reader.talk(npc, "The key?");
        let verdict = reader.attempts()[0].verdict.clone().expect("a whole reply");
        let mut unreadable = verdict.failures.iter();
        let unreadable = unreadable.find(|found| found.reason == FailureReason::InvalidFormat);
        assert_eq!(unreadable, None, "{text}");
        let read: serde_json::Value = serde_json::from_str(&text).expect("an object");
        let count = |what: &str| read[what].as_array().map_or(0, Vec::len);
        mutations += count("mutations");
        intents += count("intents");
    }
    println!("{whole} of {REPLIES} replies were whole: {mutations} mutations, {intents} intents");
    assert!(whole * 2 > REPLIES && mutations > 0 && intents > 0);
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn p6_a_real_reply_cut_by_its_token_limit_says_so() {
    let call = EngineRequest {
        max_tokens: 3,
        ..request("Tell me everything.")
    };
    let (url, _alone) = slow_server();
    assert_eq!(say(&engine(&url), call).1, Finish::Length);
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn p6_the_seed_reaches_a_real_server() {
    let engine = engine(&fast_url());
    let text = |seed| {
        say(
            &engine,
            EngineRequest {
                seed,
                ..request("Sing.")
            },
        )
        .0
    };
    assert_eq!(text(1), text(1), "the same seed, the same text");
    assert_eq!(text(1), text((1 << 40) + 1), "the low 31 bits count");
    assert!(
        (2..6).any(|seed| text(seed) != text(1)),
        "another seed, another text"
    );
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn p6_many_calls_in_a_row_all_succeed_although_the_server_closes_each_connection() {
    let engine = engine(&fast_url());
    for seed in 0..50 {
        say(
            &engine,
            EngineRequest {
                seed,
                max_tokens: 4,
                ..request("Again.")
            },
        );
    }
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn p6_the_prompts_beginning_comes_from_the_cache_the_second_time() {
    let engine = engine(&fast_url());
    let long = "The tower has nine floors and one cat. ".repeat(20);
    let ask = |input: &str| {
        let mut call = request(input);
        let mut messages = call.messages.to_vec();
        let begun = format!("{}{long}", messages[0].content());
        messages[0] = PromptMessage::new(Role::System, &begun);
        call.messages = messages.into();
        let before = engine.usage();
        say(
            &engine,
            EngineRequest {
                max_tokens: 4,
                ..call
            },
        );
        let after = engine.usage();
        let prompt = after.prompt - before.prompt;
        (after.cached - before.cached, prompt)
    };
    // Other tests may take the slot in between.
    let reused = (0..5).any(|_| {
        ask("How many floors?");
        let (cached, prompt) = ask("How many cats?");
        cached * 100 >= prompt * 85
    });
    assert!(reused, "the server never cached 85% of the tokens");
}

#[test]
#[ignore = "needs DRAMATIS_TEST_SLOW_URL"]
fn p6_dropping_a_call_stops_a_real_servers_work() {
    let (url, _alone) = slow_server();
    let engine = engine(&url);
    let endless = || EngineRequest {
        max_tokens: 1_000,
        ..request("Tell me everything.")
    };
    let mut calls = [engine.start(endless()), engine.start(endless())];
    for call in &mut calls {
        until("the first chunk", || {
            matches!(frame(call), Some(EngineEvent::Chunk(_)))
        });
    }
    until_busy(&url, 2);
    let [first, second] = calls;
    drop(first);
    until_busy(&url, 1);
    drop(second);
    until_busy(&url, 0);
}

#[test]
#[ignore = "needs DRAMATIS_TEST_SLOW_URL"]
fn r3_the_deadline_stops_a_real_servers_work() {
    let (url, _alone) = slow_server();
    let call = EngineRequest {
        max_tokens: 1_000,
        time_left: Duration::from_millis(300),
        ..request("Tell me everything.")
    };
    let (_, end) = play(engine(&url).start(call));
    assert!(matches!(end, Err(EngineError::Expired { .. })), "{end:?}");
    until_busy(&url, 0);
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn r3_a_real_servers_refusals_are_typed_and_say_why() {
    let wrong_path = engine(&format!("{}/nowhere", fast_url()));
    let (_, end) = play(wrong_path.start(request("Hello.")));
    assert!(
        matches!(end, Err(EngineError::Status { status: 404, .. })),
        "{end:?}"
    );

    let mut too_long = request("Hello.");
    let mut messages = too_long.messages.to_vec();
    messages[1] = PromptMessage::new(Role::User, &"the ".repeat(20_000));
    too_long.messages = messages.into();
    match play(engine(&fast_url()).start(too_long)).1 {
        Err(EngineError::Status {
            status: 400,
            message,
        }) => assert!(message.contains("context"), "{message}"),
        other => panic!("{other:?}"),
    }

    // The engine leaves out a schema that the server cannot use.
    let schema = Some(json!({"type": "no such type"}).into());
    let (_, end) = play(engine(&fast_url()).start(EngineRequest {
        schema,
        ..request("Hello.")
    }));
    assert!(end.is_ok(), "{end:?}");
}
