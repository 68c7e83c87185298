//! What a server says: one event of a stream, a whole body, an error's body. Lenient where servers differ.

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
    /// Why the reply ends here, if it does.
    pub finish: Option<Finish>,
    /// Tokens of the prompt, of those the cached ones, and of the reply.
    pub usage: Option<[u64; 3]>,
    /// What the server calls the model.
    pub model: Option<String>,
    /// What it says of the build that serves it.
    pub build: Option<String>,
}

/// Reads one event of a stream.
pub(super) fn event(data: &[u8]) -> Result<ReplyPart, EngineError> {
    piece(data, "delta")
}

/// Reads the body of a server that does not stream although it was asked to. Such a body is whole by itself.
pub(super) fn body(data: &[u8]) -> Result<ReplyPart, EngineError> {
    let piece = piece(data, "message")?;
    Ok(ReplyPart {
        finish: piece.finish.or(Some(Finish::Length)),
        ..piece
    })
}

fn piece(data: &[u8], part: &str) -> Result<ReplyPart, EngineError> {
    let text = std::str::from_utf8(data).map_err(|_| EngineError::NotUtf8)?;
    let value: Value =
        serde_json::from_str(text).map_err(|error| EngineError::Protocol(error.to_string()))?;
    if !value.is_object() {
        return Err(EngineError::Protocol("not a JSON object".to_owned()));
    }
    if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
        return Err(EngineError::Status {
            status: 200,
            message: error_text(error),
        });
    }
    let mut piece = ReplyPart {
        usage: usage(&value),
        model: short_text(&value, "model"),
        build: short_text(&value, "system_fingerprint"),
        ..ReplyPart::default()
    };
    // A usage event has no choices (or null). More than one choice was never asked for.
    let Some(choice) = value.pointer("/choices/0") else {
        return Ok(piece);
    };
    piece.text = match choice.get(part).and_then(|p| p.get("content")) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(content)) => content.clone(),
        Some(_) => return Err(EngineError::Protocol("the content is not text".to_owned())),
    };
    let thought = choice.get(part).and_then(|part| {
        let names = ["reasoning_content", "reasoning"];
        names.into_iter().find_map(|name| part.get(name)?.as_str())
    });
    piece.reasoning = thought.unwrap_or_default().to_owned();
    piece.finish = match choice.get("finish_reason").and_then(Value::as_str) {
        None => None,
        Some("length" | "max_tokens") => Some(Finish::Length),
        Some(reason @ ("content_filter" | "error" | "abort")) => {
            let text = format!("the server ended the reply: {reason}");
            return Err(EngineError::Interrupted(text));
        }
        Some(_) => Some(Finish::Stop),
    };
    Ok(piece)
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

/// What an error's body says, as plainly as it can be had. `data` is the body or its beginning.
pub(super) fn error_body(data: &[u8]) -> String {
    match serde_json::from_slice::<Value>(data) {
        Ok(value) => error_text(value.get("error").unwrap_or(&value)),
        Err(_) => String::from_utf8_lossy(data).trim().to_owned(),
    }
}

/// The sentence inside an error value: `{"message": ..}`, `{"detail": ..}`, `{"error": ..}` or a plain string.
fn error_text(error: &Value) -> String {
    let inner = ["message", "detail", "error"]
        .iter()
        .find_map(|name| error.get(name))
        .unwrap_or(error);
    match inner {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// For the fuzz target: what a stream says that comes in pieces of `every` bytes. Read as the engine reads it, but without a
/// server and a clock.
#[cfg(fuzzing)]
#[doc(hidden)]
pub fn read_stream_for_fuzzing(
    bytes: &[u8],
    every: usize,
) -> Result<(String, Option<Finish>), EngineError> {
    use crate::engine::sse::{SseReader, TooLong};
    let limit = 4 * crate::proposal::MAX_REPLY_BYTES;
    let mut reader = SseReader::new(limit);
    let (mut text, mut finish) = (String::new(), None);
    for chunk in bytes.chunks(every.max(1)) {
        let events = reader.push(chunk);
        for read in events.map_err(|TooLong(limit)| EngineError::Oversized { limit })? {
            if read.data.trim_ascii() == b"[DONE]" {
                return Ok((text, finish.or(Some(Finish::Stop))));
            }
            if read.error {
                let message = error_body(&read.data);
                return Err(EngineError::Status {
                    status: 200,
                    message,
                });
            }
            let part = event(&read.data)?;
            if finish.is_none() {
                text.push_str(&part.text);
                finish = part.finish;
            }
        }
    }
    Ok((text, finish))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(end("length").unwrap().finish, Some(Finish::Length));
        assert!(matches!(
            end("content_filter"),
            Err(EngineError::Interrupted(_))
        ));
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
            "[]",
            "3",
            "{",
            r#"{"choices":[{"delta":{"content":[1]}}]}"#,
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
        assert_eq!(say(" Bad Gateway\n"), "Bad Gateway");
        assert_eq!(say(r#"{"error":{"mess"#), r#"{"error":{"mess"#);
        assert_eq!(say(""), "");
    }
}
