//! What the engine sends, and what it returns when all goes well.

use crate::drive::play;
use crate::fault_server::*;
use crate::{all_events, ask, config, engine, failure, request, say};
use bevy_dramatis::engine::{
    Engine, EngineCall, EngineError, EngineEvent, EngineRequest, TokenUsage,
};
use bevy_dramatis::engine::{HttpEngine, SchemaDialect};
use bevy_dramatis::proposal::Finish;
use serde_json::{Value, json};

#[test]
fn p6_a_request_says_everything_that_the_seam_says() {
    let server = FaultServer::start(good);
    let schema = json!({"type": "object", "properties": {"dialogue": {"type": "string"}}});
    let engine = HttpEngine::new(config(&server.url()).with_api_key("sk-1".to_owned())).unwrap();
    let call = engine.start(EngineRequest {
        schema: Some(schema.clone().into()),
        seed: u64::MAX,
        ..request()
    });
    assert_eq!(say(call), (GOOD_TEXT.to_owned(), Ok(Finish::Stop)));

    let seen = server.seen().remove(0);
    assert!(
        seen.head.starts_with("POST /v1/chat/completions HTTP/1.1"),
        "{}",
        seen.head
    );
    assert_eq!(seen.header("authorization"), Some("Bearer sk-1"));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    let body: Value = serde_json::from_str(&seen.body).unwrap();
    assert_eq!(
        body,
        json!({
            "model": "tiny-npc",
            "messages": [
                {"role": "system", "content": "You are a wizard."},
                {"role": "user", "content": "Hello \u{1F9D9}"},
            ],
            "stream": true,
            "stream_options": {"include_usage": true},
            "max_tokens": 64,
            "temperature": 0.8,
            "seed": 0x7fff_ffff,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": true, "schema": schema},
            },
        })
    );
}

#[test]
fn p16_sampling_is_sent_as_far_as_it_is_set() {
    let server = FaultServer::start(good);
    let asked = EngineRequest {
        top_p: Some(0.95),
        repeat_penalty: Some(1.2),
        ..request()
    };
    play(engine(&server.url()).start(asked)).1.unwrap();
    let body: Value = serde_json::from_str(&server.seen().remove(0).body).unwrap();
    assert_eq!(
        (&body["top_p"], &body["repeat_penalty"]),
        (&json!(0.95), &json!(1.2))
    );
    assert_eq!(body.get("min_p"), None);
    assert_eq!(body["repeat_last_n"], 512, "further back than one line");
}

#[test]
fn p16_a_penalty_looks_no_further_back_where_a_form_or_no_penalty_is_asked_for() {
    let server = FaultServer::start(good);
    let in_a_form = EngineRequest {
        repeat_penalty: Some(1.2),
        schema: Some(json!({"type": "object"}).into()),
        ..request()
    };
    for asked in [in_a_form, request()] {
        play(engine(&server.url()).start(asked)).1.unwrap();
    }
    for seen in server.seen() {
        let body: Value = serde_json::from_str(&seen.body).unwrap();
        assert_eq!(body.get("repeat_last_n"), None, "{body}");
    }
}

#[test]
fn p6_the_dialect_adds_replaces_and_removes_fields() {
    let server = FaultServer::start(good);
    let config = config(&format!("{}/v1/", server.url()))
        .with_schema(SchemaDialect::None)
        .with_cache_prompt()
        .with_field("max_completion_tokens", 9)
        .with_field("max_tokens", Value::Null)
        .with_field("seed", 3);
    let engine = HttpEngine::new(config).unwrap();
    let call = engine.start(EngineRequest {
        schema: Some(json!({}).into()),
        ..request()
    });
    assert_eq!(say(call).1, Ok(Finish::Stop));
    let seen = server.seen().remove(0);
    let body: Value = serde_json::from_str(&seen.body).unwrap();
    assert_eq!(seen.header("authorization"), None);
    assert_eq!(body.get("response_format"), None);
    assert_eq!(body.get("max_tokens"), None);
    assert_eq!(body["max_completion_tokens"], 9);
    assert_eq!(body["seed"], 3);
    assert_eq!(body["cache_prompt"], true);
    assert!(!engine.identity().capabilities.json);
}

#[test]
fn p6_a_reply_comes_in_chunks_and_its_usage_is_counted() {
    let server = FaultServer::start(good);
    let engine = engine(&server.url());
    for _ in 0..2 {
        let (chunks, end) = play(engine.start(request()));
        assert_eq!(end, Ok(Finish::Stop));
        assert_eq!(
            chunks.len(),
            2,
            "null content, pings and usage are no chunks"
        );
        assert_eq!(chunks.concat(), GOOD_TEXT.as_bytes());
    }
    let usage = TokenUsage {
        prompt: 40,
        cached: 10,
        completion: 6,
    };
    assert_eq!(engine.usage(), usage);
}

#[test]
fn p6_a_server_that_closes_kept_connections_fails_no_call() {
    let server = FaultServer::start(good);
    let engine = engine(&server.url());
    for n in 0..100 {
        assert_eq!(
            say(engine.start(request())),
            (GOOD_TEXT.to_owned(), Ok(Finish::Stop)),
            "call {n}"
        );
    }
    assert_eq!(server.seen().len(), 100, "each call is one request");
}

#[test]
fn p6_calls_at_the_same_time_do_not_mix() {
    let server = FaultServer::start(|seen: &Seen| {
        let body: Value = serde_json::from_str(&seen.body).unwrap();
        let seed = body["seed"].to_string();
        vec![
            Step::Send(sse_head()),
            Step::Trickle((delta(&seed) + &finish("stop")).into_bytes()),
        ]
    });
    let engine = engine(&server.url());
    let calls: Vec<EngineCall> = (0..12)
        .map(|seed| engine.start(EngineRequest { seed, ..request() }))
        .collect();
    for (seed, call) in calls.into_iter().enumerate() {
        assert_eq!(say(call), (seed.to_string(), Ok(Finish::Stop)));
    }
}

#[test]
fn p6_a_reply_cut_at_its_length_says_so() {
    let answer = ask(|_: &Seen| events(delta("{\"say\": ") + &finish("length")));
    assert_eq!(answer, ("{\"say\": ".to_owned(), Ok(Finish::Length)));
}

#[test]
fn p6_a_server_that_does_not_stream_is_understood() {
    let json = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"Good day."},"finish_reason":"stop"}],
        "usage":{"prompt_tokens":1,"completion_tokens":2}}"#;
    assert_eq!(
        ask(move |_: &Seen| whole(json)),
        ("Good day.".to_owned(), Ok(Finish::Stop))
    );
    let error = failure(|_: &Seen| whole(r#"{"error":{"message":"no such model"}}"#));
    assert_eq!(
        error,
        EngineError::Status {
            status: 200,
            message: "no such model".to_owned()
        }
    );
}

#[test]
fn r1_chunk_borders_inside_characters_and_fields_change_nothing() {
    assert_eq!(ask(trickle), (GOOD_TEXT.to_owned(), Ok(Finish::Stop)));
    let crlf = good_events().replace('\n', "\r\n");
    let answer =
        ask(move |_: &Seen| vec![Step::Send(sse_head()), Step::Trickle(crlf.clone().into())]);
    assert_eq!(answer, (GOOD_TEXT.to_owned(), Ok(Finish::Stop)));
}

/// Events in which a model thinks before it answers, as llama.cpp sends them.
fn thinking(name: &str, thought: &str) -> String {
    let thought = Value::from(thought);
    format!(
        "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"{name}\":{thought}}},\"finish_reason\":null}}]}}\n\n"
    )
}

#[test]
fn e6_what_a_model_thinks_is_no_part_of_its_reply() {
    for name in ["reasoning_content", "reasoning"] {
        let server = FaultServer::start(move |_: &Seen| {
            let thought = thinking(name, "He is a thief. ")
                + &thinking(name, "The key sk-secret-1234 is mine.");
            events(thought + &good_events())
        });
        let config = config(&server.url()).with_api_key("sk-secret-1234".to_owned());
        let call = HttpEngine::new(config).unwrap().start(request());
        let events = all_events(call);
        let said: Vec<u8> = events
            .iter()
            .filter_map(|event| match event {
                EngineEvent::Chunk(bytes) => Some(bytes.as_slice()),
                _ => None,
            })
            .flatten()
            .copied()
            .collect();
        assert_eq!(String::from_utf8(said).unwrap(), GOOD_TEXT);
        let thought = events.iter().find_map(|event| match event {
            EngineEvent::Reasoning(thought) => Some(thought.clone()),
            _ => None,
        });
        let thought = thought.unwrap();
        assert!(thought.starts_with("He is a thief. The key "), "{thought}");
        assert!(!thought.contains("sk-secret-1234"), "{thought}");
        let usage = TokenUsage {
            prompt: 20,
            cached: 5,
            completion: 3,
        };
        assert!(events.contains(&EngineEvent::Usage(usage)));
    }
}

#[test]
fn e6_a_model_that_thinks_without_end_is_stopped() {
    let thought = "and on ".repeat(64);
    let error = failure(move |_: &Seen| endless(&thinking("reasoning_content", &thought)));
    assert!(
        matches!(
            error,
            EngineError::Oversized { .. } | EngineError::Expired { .. }
        ),
        "{error}"
    );
}
