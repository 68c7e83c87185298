//! Servers that refuse a request because of a part that they name: the engine sends the request again without that part, remembers it and
//! logs it (contract row P15).

use crate::fault_server::*;
use crate::logged::{listen, logged};
use crate::{config, request, say};
use bevy_dramatis::engine::HttpEngine;
use bevy_dramatis::engine::{Engine, EngineError, EngineRequest};
use bevy_dramatis::proposal::Finish;
use serde_json::{Map, Value, json};

/// The error with which a server answers a request, or `None` if it replies.
type Judge = fn(&Map<String, Value>) -> Option<(u16, Value)>;

fn body_of(seen: &Seen) -> Map<String, Value> {
    let body: Value = serde_json::from_str(&seen.body).unwrap();
    body.as_object().unwrap().clone()
}

fn server(judge: Judge) -> FaultServer {
    FaultServer::start(move |seen: &Seen| match judge(&body_of(seen)) {
        Some((200, said)) => whole(&said.to_string()),
        Some((status, said)) => error(status, "application/json", said.to_string()),
        None => good(seen),
    })
}

fn a_request() -> EngineRequest {
    EngineRequest {
        schema: Some(json!({"type": "object"}).into()),
        stop: vec!["\nAnn:".to_owned()],
        ..request()
    }
}

/// The first of these fields in the body. A field that was left out must not come back.
fn first_of<'a>(body: &Map<String, Value>, fields: &[&'a str]) -> Option<&'a str> {
    fields
        .iter()
        .copied()
        .find(|field| body.contains_key(*field))
}

fn has_system(body: &Map<String, Value>) -> bool {
    body["messages"][0]["role"] == "system"
}

/// A server: its name, how it refuses, how many requests the first call needs, and a field that its requests have in the end, or do not
/// have.
const ROWS: [(&str, &str, Judge, usize, (&str, bool)); 14] = [
    (
        "a server that knows few fields",
        "danny-avila/LibreChat#4349, langgenius/dify-official-plugins#2425",
        |body| {
            let extra = first_of(body, &["max_tokens", "seed", "stop", "stream_options"])?;
            let said =
                format!("Unsupported parameter: '{extra}' is not supported with this model.");
            Some((
                400,
                json!({ "error": { "message": said, "type": "invalid_request_error" } }),
            ))
        },
        5,
        ("max_completion_tokens", true),
    ),
    (
        "OpenAI's present models",
        "teilomillet/gollm#33, devnullvoid/dms-ai-assistant#12",
        |body| {
            body.contains_key("max_tokens").then(|| (400, json!({ "error": {
            "message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            "param": "max_tokens", "code": "unsupported_parameter",
        } })))
        },
        2,
        ("max_completion_tokens", true),
    ),
    (
        "a model of one temperature",
        "QwenLM/qwen-code#921, cline/cline#7224",
        |body| {
            body.contains_key("temperature").then(|| (400, json!({ "error": {
            "message": "Unsupported value: 'temperature' does not support 0.8 with this model. Only the default (1) value is supported.",
            "param": "temperature",
        } })))
        },
        2,
        ("temperature", false),
    ),
    (
        "what checks with pydantic",
        "crewAIInc/crewAI#60, gpustack/gpustack#429",
        |body| {
            let extra = first_of(body, &["seed", "stream_options"])?;
            let detail = json!([{ "type": "extra_forbidden", "loc": ["body", extra], "msg": "Extra inputs are not permitted" }]);
            Some((
                422,
                json!({ "object": "error", "message": { "detail": detail } }),
            ))
        },
        3,
        ("stream_options", false),
    ),
    (
        "Groq",
        "eigent-ai/eigent#1827",
        |body| {
            body.contains_key("seed").then(|| {
                (
                    400,
                    json!({ "error": { "message": "property 'seed' is unsupported" } }),
                )
            })
        },
        2,
        ("seed", false),
    ),
    (
        "Gemini",
        "MinLL/SkyrimNet-GamePlugin#77",
        |body| {
            let said = "Invalid JSON payload received. Unknown name \"seed\": Cannot find field.";
            body.contains_key("seed")
                .then(|| (400, json!([{ "error": { "code": 400, "message": said } }])))
        },
        2,
        ("seed", false),
    ),
    (
        "a reasoning model without stop words",
        "huggingface/smolagents#1210, lidge-jun/opencodex#5280",
        |body| {
            body.contains_key("stop").then(|| {
                (
                    400,
                    json!({ "error": "Argument not supported on this model: stop" }),
                )
            })
        },
        2,
        ("stop", false),
    ),
    (
        "schemas as objects alone",
        "nanobrowser/nanobrowser#47",
        |body| {
            let said = "The parameter `response_format.type` specified in the request are not valid: invalid value: `json_schema`";
            (body["response_format"]["type"] == "json_schema")
                .then(|| (400, json!({ "error": { "message": said } })))
        },
        2,
        ("response_format", true),
    ),
    (
        "no schemas at all",
        "kind",
        |body| {
            let said = "This response_format type is unavailable now";
            body.contains_key("response_format")
                .then(|| (400, json!({ "error": { "message": said } })))
        },
        3,
        ("response_format", false),
    ),
    (
        "no streams",
        "kind",
        |body| {
            body.contains_key("stream").then(|| {
                (
                    400,
                    json!({ "error": { "message": "This model does not support streaming." } }),
                )
            })
        },
        2,
        ("stream", false),
    ),
    (
        "Gemma behind vLLM",
        "vllm-project/vllm#2964, huggingface/chat-ui#1386",
        |body| {
            has_system(body).then(|| (400, json!({ "object": "error", "message": "System role not supported", "code": 400 })))
        },
        2,
        ("messages", true),
    ),
    (
        "Gemma behind llama.cpp",
        "abetlen/llama-cpp-python#1580, vllm-project/vllm#2080",
        |body| {
            let said = "Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...";
            has_system(body).then(|| (500, json!({ "error": { "code": 500, "message": said } })))
        },
        2,
        ("messages", true),
    ),
    (
        "Gemma behind Gemini's API",
        "0xPlaygrounds/rig#788, google/adk-python#3900",
        |body| {
            let said = "Developer instruction is not enabled for models/gemma-3-27b-it";
            has_system(body).then(|| (400, json!([{ "error": { "message": said } }])))
        },
        2,
        ("messages", true),
    ),
    (
        "a gateway that refuses with status 200",
        "kind",
        |body| {
            has_system(body).then(|| (200, json!({ "error": { "message": "This model does not support system messages." } })))
        },
        2,
        ("messages", true),
    ),
];

#[test]
fn p15_a_request_that_is_refused_is_made_again_without_what_is_refused() {
    listen();
    for (name, seen, judge, asked, (field, has_field)) in ROWS {
        let server = server(judge);
        let engine = HttpEngine::new(config(&server.url())).unwrap();
        let answer = say(engine.start(a_request()));
        assert_eq!(
            answer,
            (GOOD_TEXT.to_owned(), Ok(Finish::Stop)),
            "{name} ({seen})"
        );
        assert_eq!(server.seen().len(), asked, "{name}");
        assert_eq!(
            say(engine.clone().start(a_request())).1,
            Ok(Finish::Stop),
            "{name}"
        );
        assert_eq!(
            server.seen().len(),
            asked + 1,
            "{name}: the engine remembers it"
        );
        let last = body_of(server.seen().last().unwrap());
        assert_eq!(last.contains_key(field), has_field, "{name}: {last:?}");
        assert_eq!(last["model"], "tiny-npc");
        let said: Vec<&str> = last["messages"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|m| m["content"].as_str())
            .collect();
        assert_eq!(
            said.join("\n\n"),
            "You are a wizard.\n\nHello \u{1F9D9}",
            "{name}: the messages lose nothing"
        );
        let host = server.url().replace("http://", "") + " refused";
        let told = logged().lines().filter(|line| line.contains(&host)).count();
        assert_eq!(told, asked - 1, "{name}: each change is logged once");
    }
}

#[test]
fn p15_what_a_game_has_set_itself_is_left_out_too_and_keeps_its_value_under_another_name() {
    let server = server(|body| {
        let extra = first_of(body, &["max_completion_tokens", "cache_prompt", "top_k"])?;
        Some((
            400,
            json!({ "error": { "message": format!("Unrecognized request argument supplied: {extra}") } }),
        ))
    });
    let config = config(&server.url())
        .with_cache_prompt()
        .with_field("top_k", 40)
        .with_field("max_tokens", Value::Null)
        .with_field("max_completion_tokens", 77);
    let engine = HttpEngine::new(config).unwrap();
    assert_eq!(say(engine.start(request())).1, Ok(Finish::Stop));
    let last = body_of(server.seen().last().unwrap());
    assert_eq!(last["max_tokens"], 77);
    assert_eq!(first_of(&last, &["cache_prompt", "top_k"]), None);
}

#[test]
fn p15_a_refusal_that_nothing_helps_against_is_told_and_ends() {
    let rows: [(Judge, usize, &str); 5] = [
        // The server names a field, whatever the engine sends.
        (
            |_| {
                Some((
                    400,
                    json!({ "error": { "message": "Unsupported parameter: 'seed'" } }),
                ))
            },
            2,
            "seed",
        ),
        (
            |_| {
                Some((
                    400,
                    json!({ "error": { "message": "System role not supported" } }),
                ))
            },
            2,
            "System role",
        ),
        // The server names a part that a request needs.
        (
            |_| {
                Some((
                    400,
                    json!({ "error": { "message": "Unsupported parameter: 'messages'", "param": "messages" } }),
                ))
            },
            1,
            "messages",
        ),
        (
            |_| {
                Some((
                    400,
                    json!({ "error": { "message": "the request exceeds the available context size" } }),
                ))
            },
            1,
            "context",
        ),
        (
            |_| {
                Some((
                    401,
                    json!({ "error": { "message": "Unsupported parameter: 'seed'" } }),
                ))
            },
            1,
            "seed",
        ),
    ];
    for (judge, asked, says) in rows {
        let server = server(judge);
        let engine = HttpEngine::new(config(&server.url())).unwrap();
        for call in 1..=2 {
            let error = say(engine.start(request())).1.unwrap_err();
            assert!(
                matches!(&error, EngineError::Status { message, .. } if message.contains(says)),
                "{error}"
            );
            assert_eq!(
                server.seen().len(),
                call * asked,
                "{says}: the engine does not remember what did not help"
            );
        }
    }
}

#[test]
fn r1_a_server_that_refuses_one_thing_after_another_is_not_asked_for_ever() {
    let server = server(|body| {
        let name = body
            .keys()
            .find(|name| !matches!(name.as_str(), "model" | "messages"))?;
        Some((
            400,
            json!({ "error": { "message": format!("Unknown field `{name}`"), "param": name } }),
        ))
    });
    let many = (0..50).fold(config(&server.url()), |config, n| {
        config.with_field(format!("field_{n}"), n)
    });
    let error = say(HttpEngine::new(many).unwrap().start(request()))
        .1
        .unwrap_err();
    assert!(
        matches!(error, EngineError::Status { status: 400, .. }),
        "{error}"
    );
    assert_eq!(server.seen().len(), 9);
}
