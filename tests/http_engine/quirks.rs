//! A table of what servers do in their own ways: none of it loses a reply. Each new report adds one row. Each row names the repository and
//! the number of the report that describes it. A row with `kind` is similar to such rows and has no report.

use crate::fault_server::*;
use crate::{all_events, engine, request, say};
use bevy_dramatis::engine::{Engine, EngineError, EngineErrorKind, EngineEvent, EngineRequest};
use bevy_dramatis::proposal::Finish;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The reply that every row gives.
const TEXT: &str = "Come in, friend. The kettle is on.";
const PARTS: [&str; 3] = ["Come in", ", friend. The kettle", " is on."];

/// A server: its name, the report, the content type of its answer, and the answer.
type Row = (&'static str, &'static str, &'static str, String);

const SSE: &str = "text/event-stream";
const JSON: &str = "application/json";

fn event(value: &Value) -> String {
    format!("data: {value}\n\n")
}

/// An event with this choice.
fn choice(choice: Value) -> String {
    event(&json!({ "choices": [choice] }))
}

/// An event with a part of the reply and this reason.
fn part(text: &str, reason: Value) -> String {
    choice(json!({ "index": 0, "delta": { "content": text }, "finish_reason": reason }))
}

/// All parts, each with this reason.
fn parts(reason: &Value) -> String {
    PARTS.map(|text| part(text, reason.clone())).concat()
}

fn plain() -> String {
    parts(&Value::Null)
}

const DONE: &str = "data: [DONE]\n\n";

/// A whole stream with these parts.
fn with(parts: impl AsRef<str>) -> String {
    format!("{}{}{DONE}", parts.as_ref(), finish("stop"))
}

/// A whole stream with these events before its parts.
fn after(events: &str) -> String {
    with(format!("{events}{}", plain()))
}

/// Each part as a choice, which `make` builds.
fn each(make: impl Fn(usize, &str) -> Value) -> String {
    let all = PARTS.iter().enumerate();
    all.map(|(at, text)| choice(make(at, text))).collect()
}

fn body(message: &Value) -> String {
    json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] }).to_string()
}

fn reasons() -> Vec<Row> {
    let stop = json!("stop");
    vec![
        (
            "an empty reason on each part",
            "ollama/ollama#4357, adolfousier/opencrabs#1499",
            SSE,
            with(parts(&json!(""))),
        ),
        (
            "the word null as reason",
            "kind",
            SSE,
            with(parts(&json!("null"))),
        ),
        (
            "an unknown reason",
            "kind",
            SSE,
            with(parts(&json!("in_progress"))),
        ),
        (
            "stop on an empty first part",
            "open-webui/open-webui#23929",
            SSE,
            part("", stop.clone()) + &with(plain()),
        ),
        (
            "stop on a thought",
            "open-webui/open-webui#16377",
            SSE,
            choice(json!({ "delta": { "reasoning_content": "Hm." }, "finish_reason": "stop" }))
                + &with(plain()),
        ),
        (
            "stop on each part",
            "BerriAI/litellm#376, suhaibbinyounis/github-copilot-api-vscode#100",
            SSE,
            parts(&stop) + DONE,
        ),
        (
            "length on an early part, stop at the end",
            "kind",
            SSE,
            part("", json!("length")) + &with(plain()),
        ),
        (
            "no reason at all",
            "jakobdylanc/llmcord#84, waybarrios/vllm-mlx#628",
            SSE,
            plain() + DONE,
        ),
        (
            "no reason and no end mark",
            "anomalyco/opencode#43882",
            SSE,
            plain(),
        ),
        (
            "the reason in camel case",
            "jakobdylanc/llmcord#84",
            SSE,
            plain() + &choice(json!({ "delta": {}, "finishReason": "stop" })) + DONE,
        ),
        (
            "the reason in capitals",
            "kind",
            SSE,
            plain() + &choice(json!({ "delta": {}, "finish_reason": "STOP" })) + DONE,
        ),
        (
            "the reason on the last part",
            "vllm-project/vllm#36944",
            SSE,
            part(PARTS[0], Value::Null)
                + &part(PARTS[1], Value::Null)
                + &part(PARTS[2], stop)
                + DONE,
        ),
        (
            "usage behind the reason",
            "tensorzero/tensorzero#2078",
            SSE,
            plain()
                + &finish("stop")
                + &event(&json!({ "choices": [], "usage": { "prompt_tokens": 5 } }))
                + DONE,
        ),
        (
            "an error behind the reason",
            "ayunis-core/ayunis-core#885",
            SSE,
            plain() + &finish("stop") + &event(&json!({ "error": { "message": "gone" } })),
        ),
    ]
}

fn events_of_all_kinds() -> Vec<Row> {
    let lf = |text: String| text.replace("\n\n", "\n");
    let pretty = |value: &Value| {
        let lines = serde_json::to_string_pretty(value).unwrap();
        lines
            .lines()
            .map(|line| format!("data: {line}\n"))
            .collect::<String>()
            + "\n"
    };
    let pretty_parts =
        PARTS.map(|text| pretty(&json!({ "choices": [{ "delta": { "content": text } }] })));
    vec![
        (
            "empty data keeps the connection",
            "Growth-Circle/cadis#2329, netease-lcap/wave-agent#1326",
            SSE,
            after("data:\n\ndata: \n\n"),
        ),
        (
            "comments keep the connection",
            "brainlid/langchain#259, symfony/ai#1068",
            SSE,
            after(": OPENROUTER PROCESSING\n\n:\n\n"),
        ),
        (
            "a comment as data",
            "mnfst/llm-gateway#2053",
            SSE,
            after("data: : OPENROUTER PROCESSING\n\n"),
        ),
        (
            "a word as data",
            "kind",
            SSE,
            after("event: ping\ndata: ping\n\n"),
        ),
        (
            "a JSON string as data",
            "kind",
            SSE,
            after("data: \"keep-alive\"\n\n"),
        ),
        (
            "an object that says nothing",
            "kind",
            SSE,
            after(&event(&json!({ "type": "ping" }))),
        ),
        (
            "no space behind the colon",
            "dataelement/Clawith#106, lidge-jun/opencodex#1170",
            SSE,
            with(plain()).replace("data: ", "data:"),
        ),
        (
            "id and event lines",
            "SamSaffron/term-llm#487",
            SSE,
            with(plain()).replace("data: ", "id: 1\nevent: completion.chunk\ndata:"),
        ),
        (
            "one line feed between events",
            "kind",
            SSE,
            lf(with(plain())),
        ),
        (
            "CR LF",
            "farion1231/cc-switch#1787",
            SSE,
            with(plain()).replace('\n', "\r\n"),
        ),
        ("lone CR", "kind", SSE, with(plain()).replace('\n', "\r")),
        (
            "the last event without its blank line",
            "kind",
            SSE,
            (plain() + &finish("stop")).trim_end().to_owned(),
        ),
        (
            "a last part without its blank line, and no reason",
            "kind",
            SSE,
            plain().trim_end().to_owned(),
        ),
        (
            "an event in several lines",
            "Routstr/routstr-core#543",
            SSE,
            with(pretty_parts.concat()),
        ),
        (
            "the end mark in small letters",
            "kind",
            SSE,
            plain() + "data: [done] \n\n",
        ),
        (
            "the end mark in quotation marks",
            "kind",
            SSE,
            plain() + "data:\"[DONE]\"\n\n",
        ),
        (
            "a byte order mark",
            "kind",
            SSE,
            format!("\u{feff}{}", with(plain())),
        ),
        (
            "NUL at the beginning",
            "kind",
            SSE,
            format!("\0\0{}", with(plain())),
        ),
        (
            "white space at the beginning",
            "kind",
            SSE,
            format!("\n \r\n{}", with(plain())),
        ),
        (
            "NaN where JSON has none",
            "exo-explore/exo#1622, infiniflow/ragflow#15245",
            SSE,
            with(plain().replace(
                "\"index\":0",
                "\"index\":0,\"logprobs\":{\"a\":NaN,\"b\":[-Infinity]}",
            )),
        ),
    ]
}

fn forms() -> Vec<Row> {
    let message = json!({ "role": "assistant", "content": TEXT });
    let whole = body(&message);
    let lines: String = PARTS
        .map(|text| {
            format!(
                "{}\n",
                json!({ "choices": [{ "delta": { "content": text } }] })
            )
        })
        .concat();
    vec![
        (
            "a stream called text/plain",
            "containers/ramalama#2837",
            "text/plain; charset=utf-8",
            with(plain()),
        ),
        ("a stream called JSON", "kind", JSON, with(plain())),
        (
            "a stream called bytes",
            "kind",
            "application/octet-stream",
            with(plain()),
        ),
        ("a stream called a page", "kind", "text/html", with(plain())),
        (
            "a stream that begins with a comment, called text",
            "kind",
            "text/plain",
            format!(": hello\n\n{}", with(plain())),
        ),
        ("a body", "kind", JSON, whole.clone()),
        (
            "a body in UTF-8",
            "kind",
            "application/json; charset=utf-8",
            whole.clone(),
        ),
        ("a body called a stream", "kind", SSE, whole.clone()),
        (
            "a body called text",
            "kind",
            "text/plain",
            format!("\n{whole}\n"),
        ),
        (
            "a body without a reason",
            "kind",
            JSON,
            json!({ "choices": [{ "message": message }] }).to_string(),
        ),
        (
            "a body with an empty reason",
            "kind",
            JSON,
            json!({ "choices": [{ "message": message, "finish_reason": "" }] }).to_string(),
        ),
        (
            "a body with parts",
            "symfony/ai#2423",
            JSON,
            body(
                &json!({ "content": [{ "type": "thinking", "thinking": [{ "type": "text", "text": "Hm." }] }, { "type": "text", "text": TEXT }] }),
            ),
        ),
        (
            "a line of JSON for each part",
            "kind",
            "application/x-ndjson",
            lines,
        ),
    ]
}

fn contents() -> Vec<Row> {
    let thinking = choice(
        json!({ "delta": { "content": [{ "type": "thinking", "thinking": [{ "type": "text", "text": "Hm." }] }] } }),
    );
    let list =
        each(|_, text| json!({ "delta": { "content": [{ "type": "text", "text": text }] } }));
    vec![
        (
            "a list of parts, thoughts among them",
            "microsoft/agent-framework#6978, agentjido/req_llm#742",
            SSE,
            with(thinking.clone() + &list),
        ),
        (
            "thoughts as parts, then text",
            "mozilla-ai/any-llm-go#162",
            SSE,
            thinking + &with(plain()),
        ),
        (
            "one part in place of a list",
            "kind",
            SSE,
            with(each(
                |_, text| json!({ "delta": { "content": { "type": "output_text", "text": text } } }),
            )),
        ),
        (
            "a list of texts",
            "kind",
            SSE,
            with(each(|_, text| json!({ "delta": { "content": [text] } }))),
        ),
        (
            "a part that is a picture",
            "kind",
            SSE,
            choice(
                json!({ "delta": { "content": [{ "type": "image_url", "image_url": { "url": "no" } }] } }),
            ) + &with(plain()),
        ),
        (
            "message in place of delta",
            "kind",
            SSE,
            choice(json!({ "message": { "content": TEXT }, "finish_reason": "stop" })) + DONE,
        ),
        (
            "text in place of delta",
            "hyperonym/basaran#140",
            SSE,
            with(each(|_, text| json!({ "text": text }))),
        ),
        (
            "delta and message null",
            "kind",
            SSE,
            choice(json!({ "delta": null, "message": null })) + &with(plain()),
        ),
        (
            "null content next to a thought",
            "kind",
            SSE,
            choice(json!({ "delta": { "content": null, "reasoning_content": "Hm." } }))
                + &with(plain()),
        ),
        (
            "an empty thought next to another",
            "kind",
            SSE,
            choice(json!({ "delta": { "reasoning_content": "", "reasoning": "Hm." } }))
                + &with(plain()),
        ),
        (
            "a thought as an object",
            "kind",
            SSE,
            choice(json!({ "delta": { "thinking": { "content": "Hm." } } })) + &with(plain()),
        ),
        (
            "no choices, null, and a null choice",
            "kind",
            SSE,
            event(&json!({ "choices": [], "prompt_filter_results": [{}] }))
                + &event(&json!({ "choices": null }))
                + &event(&json!({ "choices": [null] }))
                + &with(plain()),
        ),
        (
            "the index counts parts",
            "huggingface/text-generation-inference#1648",
            SSE,
            with(each(
                |at, text| json!({ "index": at + 1, "delta": { "content": text } }),
            )),
        ),
        (
            "a choice that was not asked for",
            "kind",
            SSE,
            choice(json!({ "index": 1, "delta": { "content": "noise" } })) + &with(plain()),
        ),
        (
            "each event has all so far",
            "MyIntelligenceAgency/semantic-fleet#17",
            SSE,
            with(
                each(|at, _| json!({ "delta": { "content": PARTS[..=at].concat() } }))
                    .replace("\"Come in\"", "\"Come in, friend.\""),
            ),
        ),
        (
            "the last event has all",
            "kind",
            SSE,
            plain()
                + &choice(json!({ "message": { "content": TEXT }, "finish_reason": "stop" }))
                + DONE,
        ),
        (
            "the whole reply so far with each part, from the first word on",
            "QwenLM/qwen-code#3896, open-jarvis/OpenJarvis#379",
            SSE,
            with(["Come", "Come in,", TEXT].map(|text| part(text, Value::Null)).concat()),
        ),
        (
            "the whole reply again next to the last delta",
            "QuantumNous/new-api#5833",
            SSE,
            part("Come in, ", Value::Null)
                + &part("friend. The kettle is on.", Value::Null)
                + &choice(json!({ "delta": {}, "message": { "content": TEXT }, "finish_reason": "stop" }))
                + DONE,
        ),
        (
            "an empty error next to the choices",
            "Calcium-Ion/new-api-horizon#9",
            JSON,
            json!({ "choices": [{ "message": { "content": TEXT }, "finish_reason": "stop" }], "error": { "message": "", "code": null } }).to_string(),
        ),
        (
            "a delta that is a text",
            "kind",
            SSE,
            with(each(|_, text| json!({ "delta": text }))),
        ),
        (
            "data in data",
            "openclaw#97474",
            SSE,
            with(plain()).replace("data: ", "data: data: "),
        ),
        (
            "words in brackets that keep the connection",
            "kind",
            SSE,
            format!("data: [PING]\n\n{}data: [END]\n\n", plain()),
        ),
        (
            "an end mark behind a body",
            "kind",
            JSON,
            body(&json!({ "content": TEXT })) + "\n" + DONE,
        ),
        (
            "null and empty errors",
            "kind",
            SSE,
            event(&json!({ "error": null }))
                + &event(&json!({ "error": "" }))
                + &event(&json!({ "error": {}, "choices": [] }))
                + &with(plain()),
        ),
    ]
}

#[test]
fn p15_what_servers_do_in_their_own_ways_costs_no_reply() {
    let rows = [reasons(), events_of_all_kinds(), forms(), contents()].concat();
    let mut wrong = Vec::new();
    for (name, seen, called, text) in rows {
        let bytes = text.clone().into_bytes();
        let steps = vec![Step::Send(head(200, called)), Step::Send(bytes)];
        let server = FaultServer::start(move |_: &Seen| steps.clone());
        let events = all_events(engine(&server.url()).start(request()));
        let heard = events.iter().filter_map(|event| match event {
            EngineEvent::Chunk(bytes) => Some(bytes.as_slice()),
            _ => None,
        });
        let heard = String::from_utf8(heard.flatten().copied().collect()).unwrap();
        let is_whole = events.last() == Some(&EngineEvent::Finished(Finish::Stop));
        let thought = events.contains(&EngineEvent::Reasoning("Hm.".to_owned()));
        if heard != TEXT || !is_whole || thought != text.contains("Hm.") {
            wrong.push(format!(
                "{name} (seen: {seen}): {heard:?}, {:?}",
                events.last()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn p15_the_halves_of_an_emoji_come_in_two_events() {
    let half = |text: &str| {
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n")
    };
    for (first, second) in [
        ("Come \\ud83d", "\\ude00 in."),
        ("Come \\uD83D\\uDE00\\uD83D", "\\uDE00 in."),
    ] {
        let text = half(first) + ":\n\n" + &half(second) + DONE;
        let server = FaultServer::start(move |_: &Seen| events(text.clone()));
        let (heard, end) = say(engine(&server.url()).start(request()));
        assert_eq!(end, Ok(Finish::Stop));
        assert!(
            heard == "Come 😀 in." || heard == "Come 😀😀 in.",
            "{heard}"
        );
    }
}

#[test]
fn p15_a_reply_ends_though_its_server_keeps_the_connection() {
    // maximhq/bifrost#6784, cohere-ai/cohere-python#756, musistudio/claude-code-router#1271
    let last = [
        plain() + &finish("stop"),
        parts(&json!("stop")),
        plain() + DONE,
    ];
    for text in last {
        for rest in [Step::Hang, Step::Endless(b": alive\n\n".to_vec())] {
            let text = text.clone();
            let server = FaultServer::start(move |_: &Seen| {
                let mut steps = events(text.clone());
                steps.push(rest.clone());
                steps
            });
            let answer = say(engine(&server.url()).start(request()));
            assert_eq!(answer, (TEXT.to_owned(), Ok(Finish::Stop)));
        }
    }
}

#[test]
fn p15_a_slow_server_that_says_stop_with_each_part_is_heard_to_its_end() {
    let server = FaultServer::start(|_: &Seen| {
        let mut steps = vec![Step::Send(sse_head())];
        for text in PARTS {
            steps.push(Step::Send(part(text, json!("stop")).into_bytes()));
            steps.push(Step::Pause(Duration::from_millis(400)));
        }
        steps.push(Step::Send(DONE.into()));
        steps
    });
    let answer = say(engine(&server.url()).start(request()));
    assert_eq!(answer, (TEXT.to_owned(), Ok(Finish::Stop)));
}

/// Answers without a reply: the call fails and says why.
#[test]
fn p15_what_is_no_reply_is_a_fault_that_says_what_it_is() {
    let cut_in_the_middle = {
        let text = plain();
        text[..text.len() - 12].to_owned()
    };
    let error = json!({ "error": { "message": "model is loading" } });
    let rows: Vec<(&str, &str, String, &str)> = vec![
        (
            "a page",
            "text/html",
            "<html>Sign in</html>".into(),
            "text/html",
        ),
        (
            "a page called a stream",
            SSE,
            "<!doctype html>".into(),
            "is a page",
        ),
        ("an error", JSON, error.to_string(), "model is loading"),
        (
            "a list with an error",
            JSON,
            json!([error]).to_string(),
            "model is loading",
        ),
        (
            "a detail",
            JSON,
            json!({ "detail": "model is loading", "status": 500 }).to_string(),
            "model is loading",
        ),
        (
            "an error as an object",
            SSE,
            event(&json!({ "object": "error", "message": "model is loading", "code": 400 })),
            "model is loading",
        ),
        (
            "an error as a field",
            SSE,
            "error: {\"message\":\"model is loading\"}\n\n".into(),
            "model is loading",
        ),
        (
            "an error of the choice",
            SSE,
            choice(json!({ "delta": {}, "error": { "message": "model is loading" } })),
            "model is loading",
        ),
        (
            "an error behind words",
            SSE,
            plain() + &event(&error),
            "model is loading",
        ),
        (
            "broken JSON behind words",
            SSE,
            plain() + "data: {\"choices\":[{\"delta\":{\"con\n\n" + DONE,
            "JSON",
        ),
        (
            "an event that is cut",
            SSE,
            cut_in_the_middle,
            "in the middle of an event",
        ),
        (
            "nothing but words that keep the connection",
            SSE,
            "data: ping\n\n: ping\n\n".into(),
            "neither JSON",
        ),
        ("nothing at all", SSE, String::new(), "without a reply"),
        (
            "a filter",
            SSE,
            plain() + &finish("content_filter"),
            "content_filter",
        ),
        (
            "a reason of another name",
            SSE,
            plain() + &finish("insufficient_system_resource"),
            "insufficient_system_resource",
        ),
        (
            "a line of a proxy behind words",
            SSE,
            part("Come in", Value::Null) + "upstream error: read ECONNRESET\n",
            "ECONNRESET",
        ),
        (
            "an error as a word behind words",
            SSE,
            part("Come in", Value::Null) + "data: Error: socket hang up\n\n" + DONE,
            "socket hang up",
        ),
        (
            "an object of an error behind words",
            SSE,
            part("Come in", Value::Null)
                + &event(&json!({ "code": 500, "msg": "no GPU", "success": false })),
            "no GPU",
        ),
        (
            "an event called exception",
            SSE,
            part("Come in", Value::Null) + "event: exception\ndata: no GPU\n\n",
            "no GPU",
        ),
        (
            "an error that says its reason elsewhere",
            JSON,
            json!({ "base_resp": { "status_code": 1008, "status_msg": "no balance" }, "choices": null }).to_string(),
            "no balance",
        ),
        (
            "words in place of an answer",
            "text/plain",
            "upstream is down".into(),
            "upstream is down",
        ),
    ];
    for (name, called, text, says) in rows {
        let steps = vec![Step::Send(head(200, called)), Step::Send(text.into_bytes())];
        let server = FaultServer::start(move |_: &Seen| steps.clone());
        let error = say(engine(&server.url()).start(request())).1.unwrap_err();
        assert_eq!(error.kind(), EngineErrorKind::Transport, "{name}");
        assert!(error.to_string().contains(says), "{name}: {error}");
        assert_eq!(server.seen().len(), 1, "{name}: the engine asks once");
    }
    let packed = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n\u{1f}";
    let server = FaultServer::start(move |_: &Seen| vec![Step::Send(packed.into())]);
    let error = say(engine(&server.url()).start(request())).1.unwrap_err();
    assert!(
        matches!(&error, EngineError::Protocol(why) if why.contains("gzip")),
        "{error}"
    );
    assert_eq!(server.seen()[0].header("accept-encoding"), Some("identity"));
}

#[test]
fn p15_an_object_that_is_closed_is_whole_whatever_becomes_of_the_connection() {
    let text = json!({ "dialogue": "Come in.", "intents": [] }).to_string();
    let stream = part(&text[..20], Value::Null) + &part(&text[20..], Value::Null);
    let whole = body(&json!({ "content": text }));
    for (answer, steps) in [
        (&stream, vec![]),
        (&stream, vec![Step::Hang]),
        (&whole, vec![Step::Hang]),
    ] {
        let long = answer.len() + 7;
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Length: {long}\r\nConnection: close\r\n\r\n");
        let mut all = vec![Step::Send(head.into()), Step::Send(answer.clone().into())];
        all.extend(steps);
        let server = FaultServer::start(move |_: &Seen| all.clone());
        let (heard, end) = say(engine(&server.url()).start(request()));
        assert_eq!((heard.as_str(), end), (text.as_str(), Ok(Finish::Stop)));
    }
}

#[test]
fn p15_a_server_that_says_when_to_come_back_is_asked_then() {
    let answer = with(plain());
    let asked = AtomicUsize::new(0);
    let server = FaultServer::start(
        move |_: &Seen| match asked.fetch_add(1, Ordering::Relaxed) {
            0 => vec![Step::Send(
                "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0.2\r\nConnection: close\r\n\r\n"
                    .into(),
            )],
            _ => vec![
                Step::Send(head(200, SSE)),
                Step::Send(answer.clone().into()),
            ],
        },
    );
    let (heard, end) = say(engine(&server.url()).start(request()));
    assert_eq!((heard.as_str(), end), (TEXT, Ok(Finish::Stop)));
    assert_eq!(server.seen().len(), 2);
}

#[test]
fn p15_a_connection_that_breaks_cuts_a_reply_whatever_was_said_before() {
    // Also after a finish reason that came too early.
    for text in [plain(), part("", json!("stop")) + &plain()] {
        let chunked = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
        let bytes = format!("{chunked}{:x}\r\n{text}\r\nff\r\ndata", text.len());
        let server = FaultServer::start(move |_: &Seen| vec![Step::Send(bytes.clone().into())]);
        let (heard, end) = say(engine(&server.url()).start(request()));
        assert_eq!(heard, TEXT);
        assert!(matches!(end, Err(EngineError::Interrupted(_))), "{end:?}");
    }
}

#[test]
fn p15_words_that_end_a_reply_are_sent_until_the_model_thinks() {
    // vllm-project/vllm#38499: these end the thinking, too.
    let server = FaultServer::start(|seen: &Seen| {
        let is_second = seen.body.contains("\"seed\":2");
        let thought = choice(json!({ "delta": { "reasoning_content": "Hm." } }));
        events(if is_second {
            thought + &with(plain())
        } else {
            with(plain())
        })
    });
    let engine = engine(&server.url());
    let names = ["\nAnn:", "\nMira:", "\nKael:", "\nTom:", "\nBo:"];
    for seed in [1, 2, 3] {
        let stop = names.map(str::to_owned).to_vec();
        let call = engine.start(EngineRequest {
            seed,
            stop,
            ..request()
        });
        assert_eq!(say(call).1, Ok(Finish::Stop));
    }
    let sent: Vec<Value> = server
        .seen()
        .iter()
        .map(|seen| serde_json::from_str::<Value>(&seen.body).unwrap()["stop"].clone())
        .collect();
    let four = json!(names[..4]);
    assert_eq!(
        sent,
        [four.clone(), four, Value::Null],
        "no server takes more than four"
    );
}
