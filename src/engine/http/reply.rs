//! What a server says: one event of a stream, a whole body, an error's body. Lenient where servers differ.
//!
//! | what is sent | what becomes of it |
//! |---|---|
//! | `delta`, else `message`, else `text` of the first choice | the next part of the reply |
//! | its `content` as a text, as a number, as a part, as a list of parts, as an object without a type | parts that think are [`ReplyPart::reasoning`], texts are the reply, others are passed over; an object without a type is the reply itself, in JSON |
//! | a `message` next to a `delta` | the whole reply so far ([`ReplyPart::is_all_so_far`]) |
//! | `reasoning_content`, `reasoning`, `thinking`, .. ([`REASONING`]) | what the model thinks |
//! | `finish_reason`, `finishReason` | why the reply ends: [`REASONS`], else [`REASON_WORDS`]; any other word, an empty one and null are none |
//! | `error`, `"object": "error"`, `"type": "error"` | the call has failed; an error that says nothing is none |
//! | no choices, and one of [`COMPLAINTS`] | the same, where nothing else comes, or nothing says that the reply is whole |
//! | NaN, halves of a character in two events | read: see [`super::repair`] |

use super::repair::repaired;
use crate::engine::EngineError;
use crate::proposal::Finish;
use serde_json::Value;

/// What one event of a stream, or a whole body, brings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ReplyPart {
    /// The next part of the reply; empty when there is none.
    pub text: String,
    /// The next part of what the model is thinking; empty when there is none.
    pub reasoning: String,
    /// Why the reply ends here, if the server says so.
    pub finish: Option<Finish>,
    /// The number of the choice that it belongs to, where there is one.
    pub index: Option<u64>,
    /// Whether its text is the whole reply so far, and not the next part of it.
    pub is_all_so_far: bool,
    /// Whether its texts were repaired, and may hold halves of characters.
    pub is_repaired: bool,
    /// What it says in place of a choice, where that may be an error.
    pub complaint: Option<String>,
    /// Tokens of the prompt, of those the cached ones, and of the reply.
    pub usage: Option<[u64; 3]>,
    /// What the server calls the model.
    pub model: Option<String>,
    /// What it says of the build that serves it.
    pub build: Option<String>,
}

/// How a reply ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Whole,
    Cut,
    Broken,
}

/// The reasons why a reply ends, as servers name them, in lower case.
const REASONS: [(&str, End); 24] = [
    ("stop", End::Whole),
    ("stop_sequence", End::Whole),
    ("stop_token", End::Whole),
    ("end_turn", End::Whole),
    ("eos", End::Whole),
    ("eos_token", End::Whole),
    ("end", End::Whole),
    ("complete", End::Whole),
    ("completed", End::Whole),
    ("tool_calls", End::Whole),
    ("tool_use", End::Whole),
    ("function_call", End::Whole),
    ("length", End::Cut),
    ("max_tokens", End::Cut),
    ("max_output_tokens", End::Cut),
    ("model_length", End::Cut),
    ("content_filter", End::Broken),
    ("safety", End::Broken),
    ("recitation", End::Broken),
    ("error", End::Broken),
    ("abort", End::Broken),
    // DeepSeek and Gemini.
    ("insufficient_system_resource", End::Broken),
    ("other", End::Broken),
    ("refusal", End::Broken),
];

/// What is in reasons of other names, in lower case. A reason without one of these words is none: the end of the stream decides.
const REASON_WORDS: [(&str, End); 14] = [
    ("length", End::Cut),
    ("max_", End::Cut),
    ("context_window", End::Cut),
    ("filter", End::Broken),
    ("safety", End::Broken),
    ("sensitive", End::Broken),
    ("prohibit", End::Broken),
    ("block", End::Broken),
    ("error", End::Broken),
    ("fail", End::Broken),
    ("malformed", End::Broken),
    ("cancel", End::Broken),
    ("abort", End::Broken),
    ("timeout", End::Broken),
];

/// What an answer without a choice says where it is an error.
const COMPLAINTS: [&str; 9] = [
    "detail",
    "message",
    "msg",
    "error_msg",
    "errors",
    "fault",
    "reason",
    "base_resp",
    "status_msg",
];

/// The fields of a delta in which servers tell what a model thinks.
const REASONING: [&str; 5] = [
    "reasoning_content",
    "reasoning",
    "thinking",
    "thoughts",
    "reasoning_text",
];

/// The types of parts that hold what a model thinks.
const THINKING_PARTS: [&str; 4] = ["thinking", "reasoning", "thought", "reasoning_text"];
/// The types of parts that hold the reply.
const TEXT_PARTS: [&str; 3] = ["text", "output_text", ""];
/// The fields in which a part holds its text.
const PART_TEXTS: [&str; 6] = [
    "text",
    "thinking",
    "reasoning",
    "content",
    "value",
    "summary",
];
/// How deep parts may lie in parts.
const PART_DEPTH: u32 = 4;

/// Reads one event of a stream, or a body: one JSON object, or several in a row.
pub(super) fn parts(data: &[u8]) -> Result<Vec<ReplyPart>, EngineError> {
    let text = std::str::from_utf8(data).map_err(|_| EngineError::NotUtf8)?;
    let mut is_repaired = false;
    let values = values(text).or_else(|error| {
        let repaired = repaired(text).ok_or(error)?;
        is_repaired = true;
        values(&repaired)
    })?;
    let part = |value: &Value| {
        Ok(ReplyPart {
            is_repaired,
            ..part(value)?
        })
    };
    let listed = values.iter().flat_map(|value| match value {
        Value::Array(all) => all.as_slice(),
        value => std::slice::from_ref(value),
    });
    listed.map(part).collect()
}

fn values(text: &str) -> Result<Vec<Value>, EngineError> {
    let values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let values: Result<Vec<Value>, _> = values.collect();
    match values {
        Ok(values) if values.is_empty() => Err(EngineError::Protocol("no JSON".to_owned())),
        Ok(values) => Ok(values),
        Err(error) if error.is_eof() => {
            Err(EngineError::Protocol(format!("JSON that is cut: {error}")))
        }
        Err(error) => Err(EngineError::Protocol(error.to_string())),
    }
}

fn part(value: &Value) -> Result<ReplyPart, EngineError> {
    if !value.is_object() {
        return Err(EngineError::Protocol("not a JSON object".to_owned()));
    }
    if let Some(error) = error_in(value) {
        return Err(failed(error));
    }
    let mut part = ReplyPart {
        usage: usage(value),
        model: short_text(value, "model"),
        build: short_text(value, "system_fingerprint"),
        ..ReplyPart::default()
    };
    let Some(choice) = choice(value) else {
        let is_fine = value.pointer("/base_resp/status_code") == Some(&Value::from(0));
        let says = |name: &&str| value.get(name).is_some_and(|it| !says_nothing(it));
        let is_complaint = COMPLAINTS.iter().any(says) && !is_fine;
        part.complaint = is_complaint.then(|| error_text(value));
        return Ok(part);
    };
    if let Some(error) = error_in(choice) {
        return Err(failed(error));
    }
    part.index = choice.get("index").and_then(Value::as_u64);
    let told = ["delta", "message"].map(|name| choice.get(name));
    if let Some(error) = told.iter().flatten().find_map(|told| error_in(told)) {
        return Err(failed(error));
    }
    let content_of = |told: &'_ Value| match told {
        Value::String(_) => Some(told.clone()),
        told => told.get("content").cloned(),
    };
    let delta = told[0].and_then(content_of).filter(|it| !says_nothing(it));
    let message = told[1].and_then(content_of).filter(|it| !it.is_null());
    part.is_all_so_far = delta.is_none() && message.is_some() && told[0].is_some();
    let other = ["text", "content"].iter().find_map(|name| choice.get(name));
    let content = delta.or(message).or_else(|| other.cloned());
    if let Some(content) = content.filter(|content| !content.is_null()) {
        read_content(&content, &mut part)?;
    }
    let thoughts = told
        .iter()
        .flatten()
        .flat_map(|told| REASONING.map(|name| told.get(name)));
    let mut thoughts = thoughts
        .flatten()
        .map(|thought| all_text(thought, PART_DEPTH));
    part.reasoning += &thoughts
        .find(|thought| !thought.is_empty())
        .unwrap_or_default();
    let reasons = ["finish_reason", "finishReason"].map(|name| {
        let reason = choice.get(name)?;
        reason.as_str().or_else(|| reason.get("type")?.as_str())
    });
    let ends = reasons.into_iter().flatten().find_map(|reason| {
        let reason = reason.trim().to_ascii_lowercase();
        let known = REASONS.iter().find(|(name, _)| *name == reason);
        let by_word = || REASON_WORDS.iter().find(|(word, _)| reason.contains(word));
        Some((reason.clone(), known.or_else(by_word)?.1))
    });
    part.finish = match ends {
        None => None,
        Some((_, End::Whole)) => Some(Finish::Stop),
        Some((_, End::Cut)) => Some(Finish::Length),
        Some((reason, End::Broken)) => {
            let text = format!("the server ended the reply: {reason}");
            return Err(EngineError::Interrupted(text));
        }
    };
    Ok(part)
}

/// The choice that we asked for. A usage event has none, or null.
fn choice(value: &Value) -> Option<&Value> {
    let all = value.get("choices")?.as_array()?;
    let is_first = |choice: &&Value| choice.get("index").and_then(Value::as_u64) == Some(0);
    let first = all.iter().find(is_first);
    first.or_else(|| all.iter().find(|choice| choice.is_object()))
}

/// Reads a content: a text, a part, or a list of them.
fn read_content(content: &Value, part: &mut ReplyPart) -> Result<(), EngineError> {
    let one = std::slice::from_ref(content);
    let all = content.as_array().map_or(one, Vec::as_slice);
    for piece in all {
        let kind = piece
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let is = |kinds: &[&str]| kinds.iter().any(|known| known.eq_ignore_ascii_case(kind));
        let is_thought = piece.get("thought").and_then(Value::as_bool) == Some(true);
        match piece {
            Value::String(text) => part.text.push_str(text),
            Value::Number(_) | Value::Bool(_) => part.text.push_str(&piece.to_string()),
            // The reply itself, which the server has parsed.
            Value::Object(fields)
                if !fields.is_empty()
                    && !["type", "thought"]
                        .iter()
                        .chain(&PART_TEXTS)
                        .any(|name| fields.contains_key(*name)) =>
            {
                part.text.push_str(&piece.to_string());
            }
            Value::Object(_) if is_thought || is(&THINKING_PARTS) => {
                part.reasoning.push_str(&all_text(piece, PART_DEPTH));
            }
            Value::Object(_) if is(&TEXT_PARTS) => part.text.push_str(&all_text(piece, PART_DEPTH)),
            Value::Null | Value::Object(_) => {}
            _ => return Err(EngineError::Protocol("the content is not text".to_owned())),
        }
    }
    Ok(())
}

/// All text of a part, and of the parts in it.
fn all_text(part: &Value, depth: u32) -> String {
    match part {
        Value::String(text) => text.clone(),
        _ if depth == 0 => String::new(),
        Value::Array(parts) => parts.iter().map(|part| all_text(part, depth - 1)).collect(),
        Value::Object(fields) => {
            let texts = PART_TEXTS.iter().filter_map(|name| fields.get(*name));
            let mut texts = texts.map(|text| all_text(text, depth - 1));
            texts.find(|text| !text.is_empty()).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// The error that an object tells, or is.
fn error_in(value: &Value) -> Option<&Value> {
    let is_error = |name| value.get(name).and_then(Value::as_str) == Some("error");
    match value.get("error") {
        Some(told) if !says_nothing(told) => Some(match told {
            // That there is one; what it is the object says.
            Value::Bool(_) | Value::Number(_) => value,
            told => told,
        }),
        _ => (is_error("object") || is_error("type")).then_some(value),
    }
}

/// Whether a value says nothing: null, false, 0, an empty text, or a list or an object of such values.
fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) => false,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(all) => all.iter().all(says_nothing),
        Value::Object(fields) => fields.values().all(says_nothing),
    }
}

fn failed(error: &Value) -> EngineError {
    EngineError::Status {
        status: 200,
        message: error_text(error),
    }
}

fn usage(value: &Value) -> Option<[u64; 3]> {
    let usage = value.get("usage").filter(|usage| usage.is_object())?;
    let read = |pointer| usage.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    Some([
        read("/prompt_tokens"),
        read("/prompt_tokens_details/cached_tokens"),
        read("/completion_tokens"),
    ])
}

/// A short text of the server about itself; `None` where it says nothing, or too much.
pub(super) fn short_text(value: &Value, field: &str) -> Option<String> {
    let text = value.get(field)?.as_str()?.trim();
    let is_short = (1..=200).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    is_short.then(|| text.to_owned())
}

/// What an error's body says, in words if it has any. `data` is the body or its beginning.
pub(super) fn error_body(data: &[u8]) -> String {
    match serde_json::from_slice::<Value>(data) {
        Ok(value) => {
            // Gemini wraps an error in a list.
            let first = value.as_array().and_then(|all| all.first());
            let value = first.unwrap_or(&value);
            let said = error_text(value);
            if said.is_empty() {
                value.to_string()
            } else {
                said
            }
        }
        Err(_) => String::from_utf8_lossy(data).trim().to_owned(),
    }
}

/// Where errors say what is wrong, in this order.
const SENTENCES: [&str; 14] = [
    "error",
    "message",
    "detail",
    "details",
    "msg",
    "error_description",
    "error_msg",
    "status_msg",
    "reason",
    "base_resp",
    "fault",
    "faultstring",
    "errors",
    "title",
];
/// What takes their place where they say nothing.
const CODES: [&str; 3] = ["code", "type", "status"];

/// The sentences inside an error value: at its fields, and where a server passes on what another one said.
fn error_text(error: &Value) -> String {
    let mut said = Vec::new();
    gather_sentences(error, PART_DEPTH, &mut said);
    if said.is_empty() {
        let inner = error.get("error").filter(|inner| inner.is_object());
        let inner = inner.unwrap_or(error);
        let codes = CODES.iter().filter_map(|name| inner.get(name));
        let mut codes = codes.filter(|code| !says_nothing(code));
        return codes.next().map(plain_text).unwrap_or_default();
    }
    said.join(": ")
}

fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    }
}

fn gather_sentences(value: &Value, depth: u32, said: &mut Vec<String>) {
    let mut add = |text: String| {
        if !text.is_empty() && !said.iter().any(|one| one.contains(&text)) {
            said.push(text);
        }
    };
    match value {
        _ if says_nothing(value) => {}
        Value::Object(fields) if depth > 0 => {
            for name in SENTENCES {
                match fields.get(name) {
                    Some(Value::Bool(_) | Value::Number(_)) | None => {}
                    Some(told) => gather_sentences(told, depth - 1, said),
                }
            }
            // What OpenRouter was told by the server that it asked.
            if let Some(raw) = value.pointer("/metadata/raw") {
                let raw = plain_text(raw);
                match serde_json::from_str::<Value>(&raw) {
                    Ok(raw) => gather_sentences(&raw, depth - 1, said),
                    Err(_) => gather_sentences(&Value::String(raw), depth - 1, said),
                }
            }
        }
        Value::Array(all) if depth > 0 && all.iter().any(Value::is_string) => {
            all.iter()
                .for_each(|one| gather_sentences(one, depth - 1, said));
        }
        Value::Object(_) | Value::Array(_) => add(value.to_string()),
        other => add(plain_text(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The one part of this event.
    fn event(data: &[u8]) -> Result<ReplyPart, EngineError> {
        let mut parts = parts(data)?;
        assert_eq!(parts.len(), 1);
        Ok(parts.remove(0))
    }

    #[test]
    fn events_of_different_servers_are_read_alike() {
        let text = |json: &str| event(json.as_bytes()).unwrap().text;
        assert_eq!(
            text(r#"{"choices":[{"delta":{"role":"assistant","content":null}}]}"#),
            ""
        );
        assert_eq!(text(r#"{"choices":[{"delta":{"content":"a"}}]}"#), "a");
        assert_eq!(text(r#"{"choices":[{"delta":{}}]}"#), "");
        assert_eq!(
            text(r#"{"choices":[{"delta":null,"finish_reason":null}]}"#),
            ""
        );
        assert_eq!(text(r#"{"choices":null,"usage":{}}"#), "");
        assert_eq!(text(r#"{"error":null,"choices":[]}"#), "");
    }

    #[test]
    fn the_end_of_a_reply_has_a_reason() {
        let end = |reason: &str| {
            event(
                format!(r#"{{"choices":[{{"delta":{{}},"finish_reason":"{reason}"}}]}}"#)
                    .as_bytes(),
            )
        };
        assert_eq!(end("stop").unwrap().finish, Some(Finish::Stop));
        assert_eq!(end("eos").unwrap().finish, Some(Finish::Stop));
        assert_eq!(end("STOP").unwrap().finish, Some(Finish::Stop));
        assert_eq!(end("length").unwrap().finish, Some(Finish::Length));
        assert_eq!(end("MAX_TOKENS").unwrap().finish, Some(Finish::Length));
        for none in ["", "null", "in_progress", " "] {
            assert_eq!(end(none).unwrap().finish, None, "{none}");
        }
        assert!(matches!(
            end("content_filter"),
            Err(EngineError::Interrupted(_))
        ));
    }

    #[test]
    fn p15_parts_that_think_are_no_speech_however_deep_they_lie() {
        let read = |content: &str| {
            let part =
                event(format!(r#"{{"choices":[{{"delta":{{"content":{content}}}}}]}}"#).as_bytes());
            part.map(|part| (part.text, part.reasoning)).unwrap()
        };
        let (text, thought) = read(
            r#"[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]},"Well ",{"type":"text","text":"met."},null]"#,
        );
        assert_eq!((text.as_str(), thought.as_str()), ("Well met.", "Hm."));
        for kind in ["reasoning", "thought", "Thinking"] {
            let part = format!(r#"{{"type":"{kind}","text":"Hm."}}"#);
            assert_eq!(read(&part), (String::new(), "Hm.".to_owned()), "{kind}");
        }
        let flagged = r#"[{"type":"text","text":"Hm.","thought":true}]"#;
        assert_eq!(read(flagged), (String::new(), "Hm.".to_owned()));
        for other in [
            r#"{"type":"refusal","refusal":"no"}"#,
            r#"{"type":"image_url","text":"no"}"#,
        ] {
            assert_eq!(read(other), (String::new(), String::new()));
        }
        let deep = format!("{}\"x\"{}", "[".repeat(50), "]".repeat(50));
        let deep = format!(r#"{{"type":"thinking","thinking":{deep}}}"#);
        assert_eq!(read(&deep).1, "", "deeper than anybody means it");
    }

    #[test]
    fn a_usage_event_is_read_and_a_strange_one_does_no_harm() {
        let read = |json: &str| event(json.as_bytes()).unwrap().usage;
        let llama = r#"{"choices":[],"usage":{"completion_tokens":3,"prompt_tokens":20,
            "prompt_tokens_details":{"cached_tokens":5}}}"#;
        assert_eq!(read(llama), Some([20, 5, 3]));
        assert_eq!(
            read(r#"{"usage":{"prompt_tokens":-1,"prompt_tokens_details":null}}"#),
            Some([0; 3])
        );
        assert_eq!(read(r#"{"usage":"many"}"#), None);
    }

    #[test]
    fn r1_what_is_not_the_protocol_is_a_typed_error() {
        assert_eq!(event(b"\xff"), Err(EngineError::NotUtf8));
        for json in [
            "",
            "3",
            "{",
            r#"{"choices":[{"delta":{"content":"a"}}]} and more"#,
        ] {
            assert!(
                matches!(event(json.as_bytes()), Err(EngineError::Protocol(_))),
                "{json}"
            );
        }
        let deep = "[".repeat(100_000);
        assert!(matches!(
            event(deep.as_bytes()),
            Err(EngineError::Protocol(_))
        ));
    }

    #[test]
    fn error_bodies_of_different_servers_give_their_sentence() {
        let say = |text: &str| error_body(text.as_bytes());
        assert_eq!(say(r#"{"error":{"code":400,"message":"no"}}"#), "no");
        assert_eq!(say(r#"{"error":"no"}"#), "no");
        assert_eq!(say(r#"{"detail":[{"msg":"no"}]}"#), r#"[{"msg":"no"}]"#);
        let passed_on = r#"{"error":{"message":"Provider returned error","metadata":{"raw":"{\"error\":{\"message\":\"JSON mode is not enabled\"}}"}}}"#;
        assert_eq!(
            say(passed_on),
            "Provider returned error: JSON mode is not enabled"
        );
        assert_eq!(
            say(r#"{"error":"Bad Request","message":["property seed should not exist"]}"#),
            "Bad Request: property seed should not exist"
        );
        assert_eq!(
            say(r#"{"error":{"message":null,"code":"overloaded"}}"#),
            "overloaded"
        );
        assert_eq!(say(r#"{"error":true,"reason":"no"}"#), "no");
        assert_eq!(say(r#"[{"error":{"code":400,"message":"no"}}]"#), "no");
        assert_eq!(say(" Bad Gateway\n"), "Bad Gateway");
        assert_eq!(say(r#"{"error":{"mess"#), r#"{"error":{"mess"#);
        assert_eq!(say(""), "");
    }
}
