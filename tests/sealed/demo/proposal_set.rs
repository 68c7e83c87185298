//! The proposal set, schema m1.0: it turns untrusted bytes into at most eight typed proposals, or into the codes of their mistakes.
//!
//! The code repairs, drops and guesses nothing: one mistake anywhere means that there are no proposals.

use super::json;
use serde_json::{Map, Value};

pub const SCHEMA_VERSION: &str = "m1.0";
pub const MAX_PROPOSALS: usize = 8;
pub const MAX_RAW_CHARS: usize = 4096;
pub const MAX_ERROR_ENTRIES: usize = 16;
pub const MAX_ERROR_CHARS: usize = 256;

pub const INTENTS: [&str; 3] = ["RESTART_SUBSYSTEM", "STOP_SUBSYSTEM", "STATUS_QUERY"];
pub const TARGETS: [&str; 3] = ["alpha", "beta", "gamma"];
pub const MODES: [&str; 2] = ["graceful", "immediate"];

/// A code names the text that it found, but at most this much of it.
const NAMED_CHARS: usize = 128;

/// One well-formed proposal. It may still be unacceptable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proposal {
    Route(Route),
    /// The schema does not look up the token: a later step decides whether it names an event.
    Transition {
        event_token: String,
    },
}

/// A route; its words are in the lists above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    pub intent: &'static str,
    /// Required: a route without a target cannot be executed.
    pub target: &'static str,
    pub mode: Option<&'static str>,
}

/// The mistakes of a proposal set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// In the order of the checks.
    pub errors: Vec<String>,
    /// How many proposals the set had, at most [`MAX_PROPOSALS`].
    pub proposal_count: usize,
}

/// Reads a proposal set. Empty bytes are the empty set.
pub fn read(bytes: &[u8]) -> Result<Vec<Proposal>, Invalid> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let unseen = |error: String| Invalid {
        errors: vec![error],
        proposal_count: 0,
    };
    let root = json::read(bytes).map_err(|unreadable| unseen(unreadable.code()))?;
    if !root.is_object() {
        return Err(unseen("PROPOSAL_SET_NOT_OBJECT".into()));
    }
    validate(&root)
}

/// Checks a parsed proposal set against the schema.
pub fn validate(root: &Value) -> Result<Vec<Proposal>, Invalid> {
    let mut errors = Vec::new();
    let entries = root["proposals"].as_array().map_or(&[][..], Vec::as_slice);
    let proposals = check_root(root, entries, &mut errors);
    if errors.is_empty() {
        return Ok(proposals);
    }
    Err(Invalid {
        errors,
        proposal_count: entries.len().min(MAX_PROPOSALS),
    })
}

fn check_root(root: &Value, entries: &[Value], errors: &mut Vec<String>) -> Vec<Proposal> {
    let Some(root) = root.as_object() else {
        errors.push("ROOT_NOT_OBJECT".into());
        return Vec::new();
    };
    let required = ["schema_version", "input", "proposals"];
    if let Some(missing) = required.iter().find(|name| !root.contains_key(**name)) {
        errors.push(format!("MISSING_REQUIRED_FIELD:{missing}"));
        return Vec::new();
    }
    let known = ["schema_version", "input", "proposals", "errors"];
    errors.extend(unexpected("UNEXPECTED_ROOT_FIELDS", root, &known));
    if root["schema_version"] != SCHEMA_VERSION {
        errors.push(format!("INVALID_SCHEMA_VERSION:expected={SCHEMA_VERSION}"));
    }
    check_input(&root["input"], errors);
    if !root["proposals"].is_array() {
        errors.push("PROPOSALS_NOT_ARRAY".into());
    }
    if entries.len() > MAX_PROPOSALS {
        errors.push(format!("TOO_MANY_PROPOSALS:max={MAX_PROPOSALS}"));
    }
    let mut proposals = Vec::new();
    for (index, entry) in entries.iter().take(MAX_PROPOSALS).enumerate() {
        let mut found = Vec::new();
        proposals.extend(check_proposal(entry, &mut found));
        errors.extend(found.iter().map(|code| format!("PROPOSAL_{index}_{code}")));
    }
    if let Some(entries) = root.get("errors") {
        check_errors(entries, errors);
    }
    proposals
}

fn check_input(input: &Value, errors: &mut Vec<String>) {
    let Some(input) = input.as_object() else {
        errors.push("INPUT_NOT_OBJECT".into());
        return;
    };
    match input.get("raw") {
        None => errors.push("MISSING_INPUT_RAW".into()),
        Some(Value::String(raw)) if longer_than(raw, MAX_RAW_CHARS) => {
            errors.push(format!("INPUT_RAW_TOO_LONG:max={MAX_RAW_CHARS}"));
        }
        Some(Value::String(_)) => {}
        Some(_) => errors.push("INPUT_RAW_NOT_STRING".into()),
    }
    errors.extend(unexpected("UNEXPECTED_INPUT_FIELDS", input, &["raw"]));
}

fn check_proposal(proposal: &Value, errors: &mut Vec<String>) -> Option<Proposal> {
    let Some(proposal) = proposal.as_object() else {
        errors.push("NOT_OBJECT".into());
        return None;
    };
    let (kind, payload) = (proposal.get("kind"), proposal.get("payload"));
    if kind.is_none() {
        errors.push("MISSING_KIND".into());
    }
    if payload.is_none() {
        errors.push("MISSING_PAYLOAD".into());
    }
    errors.extend(unexpected(
        "UNEXPECTED_FIELDS",
        proposal,
        &["kind", "payload"],
    ));
    let kinds = ["ROUTE_CANDIDATE", "STATE_TRANSITION_REQUEST"];
    let kind = check_word(kind, "KIND", &kinds, errors);
    let Some(payload) = payload?.as_object() else {
        errors.push("PAYLOAD_NOT_OBJECT".into());
        return None;
    };
    if kind? == kinds[0] {
        check_route(payload, errors).map(Proposal::Route)
    } else {
        check_transition(payload, errors)
    }
}

fn check_route(payload: &Map<String, Value>, errors: &mut Vec<String>) -> Option<Route> {
    let (intent, slots) = (payload.get("intent"), payload.get("slots"));
    if intent.is_none() {
        errors.push("PAYLOAD_MISSING_INTENT".into());
    }
    if slots.is_none() {
        errors.push("PAYLOAD_MISSING_SLOTS".into());
    }
    let known = ["intent", "slots"];
    errors.extend(unexpected("PAYLOAD_UNEXPECTED_FIELDS", payload, &known));
    let intent = check_word(intent, "INTENT", &INTENTS, errors);
    let Some(slots) = slots?.as_object() else {
        errors.push("SLOTS_NOT_OBJECT".into());
        return None;
    };
    let known = ["target", "mode"];
    errors.extend(unexpected("SLOTS_UNEXPECTED_FIELDS", slots, &known));
    if !slots.contains_key("target") {
        errors.push("SLOTS_MISSING_TARGET".into());
    }
    let target = check_word(slots.get("target"), "TARGET", &TARGETS, errors);
    let mode = check_word(slots.get("mode"), "MODE", &MODES, errors);
    Some(Route {
        intent: intent?,
        target: target?,
        mode,
    })
}

fn check_transition(payload: &Map<String, Value>, errors: &mut Vec<String>) -> Option<Proposal> {
    let known = ["event_token"];
    errors.extend(unexpected("PAYLOAD_UNEXPECTED_FIELDS", payload, &known));
    match payload.get("event_token") {
        None => errors.push("PAYLOAD_MISSING_EVENT_TOKEN".into()),
        Some(Value::String(token)) => {
            let event_token = token.clone();
            return Some(Proposal::Transition { event_token });
        }
        Some(_) => errors.push("EVENT_TOKEN_NOT_STRING".into()),
    }
    None
}

fn check_errors(entries: &Value, errors: &mut Vec<String>) {
    let Some(entries) = entries.as_array() else {
        errors.push("ERRORS_NOT_ARRAY".into());
        return;
    };
    if entries.len() > MAX_ERROR_ENTRIES {
        errors.push(format!("TOO_MANY_ERROR_ENTRIES:max={MAX_ERROR_ENTRIES}"));
    }
    for (index, entry) in entries.iter().take(MAX_ERROR_ENTRIES).enumerate() {
        match entry {
            Value::String(entry) if longer_than(entry, MAX_ERROR_CHARS) => {
                errors.push(format!(
                    "ERROR_ENTRY_{index}_TOO_LONG:max={MAX_ERROR_CHARS}"
                ));
            }
            Value::String(_) => {}
            _ => errors.push(format!("ERROR_ENTRY_{index}_NOT_STRING")),
        }
    }
}

/// One of `words`, or a code. The caller judges an absent value.
fn check_word(
    value: Option<&Value>,
    what: &str,
    words: &[&'static str],
    errors: &mut Vec<String>,
) -> Option<&'static str> {
    let Some(text) = value?.as_str() else {
        errors.push(format!("{what}_NOT_STRING"));
        return None;
    };
    let word = words.iter().copied().find(|word| *word == text);
    if word.is_none() {
        errors.push(format!("INVALID_{what}:{}", named(text)));
    }
    word
}

fn unexpected(code: &str, object: &Map<String, Value>, known: &[&str]) -> Option<String> {
    let names = json::unknown_names(object, known);
    (!names.is_empty()).then(|| format!("{code}:{}", named(&names.join(","))))
}

/// The part of an untrusted text that a code may contain.
fn named(text: &str) -> String {
    text.chars().take(NAMED_CHARS).collect()
}

fn longer_than(text: &str, chars: usize) -> bool {
    text.chars().nth(chars).is_some()
}
