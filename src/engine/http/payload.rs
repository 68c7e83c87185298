//! The body of a request.

use super::change::{FORMAT, format_of};
use super::shared::Shared;
use crate::base::fixed::Millionths;
use crate::engine::EngineRequest;
use serde_json::{Map, Value, json};
use std::sync::atomic::Ordering;

/// How many tokens a penalty for repetition looks back at, in prose: llama.cpp's own 64 hold less than the last message of a prompt, and a
/// small model then says its last line again and again.
const LOOK_BACK: u32 = 512;

/// The most words that end a reply: more are refused by `OpenAI`.
const MOST_STOPS: usize = 4;

/// The body as we ask it.
pub(super) fn payload(shared: &Shared, request: &EngineRequest) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".to_owned(), shared.model.as_str().into());
    body.insert("max_tokens".to_owned(), request.max_tokens.into());
    for (name, value) in [
        ("temperature", Some(request.temperature)),
        ("top_p", request.top_p),
        ("min_p", request.min_p),
        ("repeat_penalty", request.repeat_penalty),
    ] {
        // As a `f64`, 0.7 would be 0.699999988.
        let value = value.and_then(|value| Millionths::from_f64(value.into()));
        body.extend(value.map(|value| (name.to_owned(), value.to_f64().into())));
    }
    // In the form of a schema the same words must come again.
    if request.repeat_penalty.is_some() && request.schema.is_none() {
        body.insert("repeat_last_n".to_owned(), LOOK_BACK.into());
    }
    // 31 bits: servers keep the seed in an i32, a u32 whose highest value means "random", or a double.
    body.insert("seed".to_owned(), (request.seed & 0x7fff_ffff).into());
    if shared.cache_prompt {
        body.insert("cache_prompt".to_owned(), true.into());
    }
    if let Some(slot) = request.slot {
        body.insert("id_slot".to_owned(), slot.into());
    }
    // A model that thinks would stop thinking there, and say nothing.
    if !request.stop.is_empty() && !shared.thinks.load(Ordering::Relaxed) {
        let stops: Vec<&String> = request.stop.iter().take(MOST_STOPS).collect();
        body.insert("stop".to_owned(), json!(stops));
    }
    if let Some(schema) = &request.schema
        && let Some(format) = format_of(shared.schema, schema)
    {
        body.insert(FORMAT.to_owned(), format);
    }
    for (name, value) in &shared.fields {
        match value {
            Value::Null => body.remove(name),
            value => body.insert(name.clone(), value.clone()),
        };
    }
    body.insert("messages".to_owned(), json!(request.messages));
    // Only a stream can be cancelled reliably, so even JSON is streamed.
    body.insert("stream".to_owned(), true.into());
    body.insert(
        "stream_options".to_owned(),
        json!({ "include_usage": true }),
    );
    body
}
