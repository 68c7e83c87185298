//! The one bound engine of the demo: it turns a few fixed phrases into one proposal, or into none. No model, no state, no clock.

use super::json;
use super::order::Event;
use super::proposal_set::{MAX_RAW_CHARS, SCHEMA_VERSION, TARGETS};
use serde_json::{Value, json};
use std::borrow::Cow;

/// Phrases and their meanings. No code looks up a meaning again.
const SYNONYMS: [(&str, &str); 3] = [
    ("submit payment", "create payment"),
    ("new payment", "create payment"),
    ("make a payment", "create payment"),
];

/// Answers input bytes with a proposal set. For bytes that are not text, the set is empty.
pub fn propose(input: &[u8]) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(input) else {
        return Vec::new();
    };
    json::line(proposal_set(text)).into_bytes()
}

fn proposal_set(text: &str) -> Value {
    if text.chars().nth(MAX_RAW_CHARS).is_some() {
        // The set stays valid, so that the answer is "no proposals" and not "not a proposal set".
        let beginning: String = text.chars().take(MAX_RAW_CHARS).collect();
        return json!({
            "schema_version": SCHEMA_VERSION,
            "input": { "raw": beginning },
            "proposals": [],
            "errors": ["INPUT_TOO_LONG"],
        });
    }
    let proposals: Vec<Value> = proposal(&plain_phrase(text)).into_iter().collect();
    json!({
        "schema_version": SCHEMA_VERSION,
        "input": { "raw": text },
        "proposals": proposals,
    })
}

/// The meaning of a known synonym; any other text exactly as it came.
///
/// The look-up ignores outer white space, runs of white space and ASCII case.
pub fn plain_phrase(text: &str) -> Cow<'_, str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let phrase = words.join(" ").to_ascii_lowercase();
    SYNONYMS
        .iter()
        .find(|(synonym, _)| *synonym == phrase)
        .map_or(Cow::Borrowed(text), |(_, meaning)| Cow::Borrowed(meaning))
}

fn proposal(phrase: &str) -> Option<Value> {
    let phrase = phrase.trim().to_ascii_lowercase();
    let words: Vec<&str> = phrase.split(' ').collect();
    match words.as_slice() {
        [action, target, "subsystem", "gracefully"] => route(action, target, Some("graceful")),
        [action, target, "subsystem", "immediately"] => route(action, target, Some("immediate")),
        [mode @ ("graceful" | "immediate"), action, "of", target] => {
            route(action, target, Some(mode))
        }
        ["status", "of", target] | ["query", "status", "of", target] | [target, "status"] => {
            route("status", target, None)
        }
        _ => transition(&phrase),
    }
}

fn route(action: &str, target: &str, mode: Option<&str>) -> Option<Value> {
    let intent = match (action, mode) {
        ("restart", Some(_)) => "RESTART_SUBSYSTEM",
        ("stop", Some(_)) => "STOP_SUBSYSTEM",
        ("status", None) => "STATUS_QUERY",
        _ => return None,
    };
    if !TARGETS.contains(&target) {
        return None;
    }
    let mut slots = json!({ "target": target });
    if let Some(mode) = mode {
        slots["mode"] = mode.into();
    }
    let payload = json!({ "intent": intent, "slots": slots });
    Some(json!({ "kind": "ROUTE_CANDIDATE", "payload": payload }))
}

/// The event phrases: an event's token with spaces for underscores.
fn transition(phrase: &str) -> Option<Value> {
    let event = Event::ALL
        .iter()
        .find(|event| event.token().replace('_', " ") == phrase)?;
    let payload = json!({ "event_token": event.token() });
    Some(json!({ "kind": "STATE_TRANSITION_REQUEST", "payload": payload }))
}
