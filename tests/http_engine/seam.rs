//! The seam never waits, cancels calls, and survives a slow consumer.

use crate::drive::{tick, until};
use crate::fault_server::*;
use crate::{config, engine, request, say};
use bevy_dramatis::base::Millis;
use bevy_dramatis::engine::{Engine, EngineEvent, EngineRequest, HttpEngine};
use bevy_dramatis::proposal::Finish;

#[test]
fn p6_a_start_returns_before_the_server_answers_and_a_drop_closes_the_connection() {
    let scripts: [fn(&Seen) -> Vec<Step>; 3] = [hang, hang_in_the_middle, |_| endless(":\n\n")];
    for script in scripts {
        let server = FaultServer::start(script);
        let mut call = engine(&server.url()).start(request());
        until("the request arrives", || {
            assert!(!matches!(
                call.poll(Millis(0)),
                Some(EngineEvent::Failed(_) | EngineEvent::Finished(_))
            ));
            server.seen().len() == 1
        });
        assert_eq!(server.left(), 0);
        drop(call);
        until("the server sees that the client left", || {
            server.left() == 1
        });
    }
}

#[test]
fn p6_a_call_dropped_at_once_harms_nobody() {
    let server = FaultServer::start(good);
    let engine = engine(&server.url());
    for _ in 0..20 {
        drop(engine.start(request()));
    }
    assert_eq!(say(engine.start(request())).1, Ok(Finish::Stop));
}

#[test]
fn p6_a_consumer_that_does_not_poll_loses_nothing_and_blocks_nobody() {
    const PARTS: usize = 2_000;
    let all: String = (0..PARTS)
        .map(|n| delta(&format!("{n} ")))
        .collect::<String>()
        + &finish("stop");
    let server = FaultServer::start(move |_: &Seen| events(all.clone()));
    let engine = engine(&server.url());
    let mut slow = engine.start(request());
    // The pool goes on while the first call's queue is full.
    for _ in 0..3 {
        assert_eq!(say(engine.start(request())).1, Ok(Finish::Stop));
    }
    (0..50).for_each(|_| tick());
    let mut first = Vec::new();
    until("the first chunk", || match slow.poll(Millis(0)) {
        Some(EngineEvent::Chunk(chunk)) => {
            first = chunk;
            true
        }
        _ => false,
    });
    let (rest, end) = say(slow);
    assert_eq!(end, Ok(Finish::Stop));
    let expected: String = (0..PARTS).map(|n| format!("{n} ")).collect();
    assert_eq!(String::from_utf8(first).unwrap() + &rest, expected);
}

#[test]
fn p6_what_waits_for_room_is_handed_over_while_the_server_is_silent() {
    let server = FaultServer::start(|_: &Seen| {
        let mut steps = events((0..500).map(|_| delta("x")).collect::<String>());
        steps.push(Step::Hang);
        steps
    });
    let mut call = engine(&server.url()).start(request());
    until("everything is read", || server.seen().len() == 1);
    (0..50).for_each(|_| tick());
    let mut got = 0;
    until("all 500 bytes", || {
        while let Some(EngineEvent::Chunk(chunk)) = call.poll(Millis(0)) {
            got += chunk.len();
        }
        got == 500
    });
    assert_eq!(server.left(), 0, "the call is still open");
}

#[test]
fn e1_a_server_that_has_slots_bounds_the_calls() {
    let told = |props: &str| {
        let server = FaultServer::start(good);
        server.answer_get("/props", 200, props);
        let engine = engine(&server.url());
        let before = engine.capacity();
        assert_eq!(
            before.calls,
            Some(1),
            "one call, until the engine knows the slots"
        );
        assert!(!before.slots);
        let call = EngineRequest {
            slot: Some(3),
            ..request()
        };
        assert_eq!(say(engine.start(call)).1, Ok(Finish::Stop));
        until("the server has said how many", || {
            tick();
            engine.capacity() != before
        });
        let body = server.seen()[0].body.clone();
        assert!(body.contains("\"id_slot\":3"), "{body}");
        engine.capacity()
    };
    let four = told(r#"{"total_slots": 4, "model_path": "/nowhere/a.gguf"}"#);
    assert_eq!((four.calls, four.slots), (Some(4), true));
    for props in [
        r#"{"total_slots": 0}"#,
        r#"{"total_slots": "4"}"#,
        "{",
        "[]",
    ] {
        let unbounded = told(props);
        assert_eq!((unbounded.calls, unbounded.slots), (None, false));
    }
}

#[test]
fn e1_a_prompt_fits_the_slots_of_the_server() {
    // The engine asks when it is looked at first, and when a run wants to know its model.
    let context = |props: &str, is_probed: bool| {
        let server = FaultServer::start(good);
        server.answer_get("/props", 200, props);
        let engine = engine(&server.url());
        let before = engine.capacity();
        let probe = is_probed.then(|| engine.probe());
        if probe.is_none() {
            engine.status();
        }
        until("the server has said how large they are", || {
            tick();
            engine.capacity() != before
        });
        engine.identity().capabilities.context_chars
    };
    let props = |tokens: &str| {
        format!(r#"{{"total_slots": 2, "default_generation_settings": {{"n_ctx": {tokens}}}}}"#)
    };
    for (tokens, characters) in [
        ("4096", (4_096 - 1_024) * 3),
        ("2048", (2_048 - 512) * 3),
        ("131072", 32_000),
        ("0", 32_000),
        ("\"4096\"", 32_000),
    ] {
        for is_probed in [false, true] {
            let chars = context(&props(tokens), is_probed);
            assert_eq!(chars, characters, "{tokens}, {is_probed}");
        }
    }
}

#[test]
fn e1_a_server_that_says_no_such_thing_is_not_bounded() {
    let server = FaultServer::start(good);
    let engine = engine(&server.url());
    assert_eq!(say(engine.start(request())).1, Ok(Finish::Stop));
    until("the server has answered", || {
        tick();
        engine.capacity().calls.is_none()
    });
    let own = HttpEngine::new(config(&server.url()).with_calls(7)).unwrap();
    assert_eq!(own.capacity().calls, Some(7));
    let body = server.seen()[0].body.clone();
    assert!(!body.contains("id_slot"), "{body}");
}
