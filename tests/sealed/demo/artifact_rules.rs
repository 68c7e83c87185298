//! The rules of `artifact_v1`, field by field. The code that writes an artifact and the code that acts on one both call them.

use super::artifact::VERSION;
use super::decide::{Decision, MAX_VALIDATOR_ERRORS, Payload, RULESET, Reason};
use super::json;
use super::order::{self, ORDER_ID};
use super::proposal_set::{INTENTS, MAX_PROPOSALS, MODES, Route, TARGETS};
use serde_json::{Map, Value};

const MAX_RUN_ID_CHARS: usize = 64;
const MAX_REF_CHARS: usize = 512;
const MAX_NOTES: usize = 8;
const MAX_NOTE_CHARS: usize = 128;
const MAX_VALIDATOR_ERROR_CHARS: usize = 256;

/// The results of the checks, in their order.
type Faults = Vec<String>;

/// Reads an artifact's bytes; returns the codes of all broken rules, if there are any.
pub fn read(bytes: &[u8]) -> Result<Decision, Faults> {
    let artifact = json::read(bytes).map_err(|unreadable| vec![unreadable.code()])?;
    check(&artifact)
}

/// The decision in a valid artifact.
pub fn check(artifact: &Value) -> Result<Decision, Faults> {
    let mut faults = Faults::new();
    match decision(artifact, &mut faults) {
        Some(decision) if faults.is_empty() => Ok(decision),
        _ => Err(faults),
    }
}

fn decision(artifact: &Value, faults: &mut Faults) -> Option<Decision> {
    let required = [
        "artifact_version",
        "run_id",
        "input_ref",
        "proposal_set_ref",
        "decision",
        "construction",
    ];
    let payloads = ["accept_payload", "reject_payload"];
    let artifact = fields(artifact, "ARTIFACT", &required, &payloads, faults)?;
    let rule = |holds: bool, code: &str, faults: &mut Faults| {
        if !holds {
            faults.push(code.to_owned());
        }
    };
    rule(
        artifact["artifact_version"] == VERSION,
        "INVALID_ARTIFACT_VERSION",
        faults,
    );
    rule(
        holds_text(&artifact["run_id"], is_run_id),
        "INVALID_RUN_ID",
        faults,
    );
    rule(
        holds_text(&artifact["input_ref"], is_relative_ref),
        "INVALID_INPUT_REF",
        faults,
    );
    rule(
        holds_text(&artifact["proposal_set_ref"], is_relative_ref),
        "INVALID_PROPOSAL_SET_REF",
        faults,
    );

    let accepts = match artifact["decision"].as_str() {
        Some("ACCEPT") => Some(true),
        Some("REJECT") => Some(false),
        _ => None,
    };
    rule(accepts.is_some(), "INVALID_DECISION", faults);
    construction(&artifact["construction"], accepts, faults);

    let decision = match (
        artifact.get("accept_payload"),
        artifact.get("reject_payload"),
    ) {
        (Some(payload), None) => {
            rule(
                accepts != Some(false),
                "PAYLOAD_DOES_NOT_FIT_DECISION",
                faults,
            );
            accept(payload, faults).map(Decision::Accept)
        }
        (None, Some(payload)) => {
            rule(
                accepts != Some(true),
                "PAYLOAD_DOES_NOT_FIT_DECISION",
                faults,
            );
            reject(payload, faults)
        }
        (Some(_), Some(_)) => {
            faults.push("BOTH_PAYLOADS".into());
            None
        }
        (None, None) => {
            faults.push("NO_PAYLOAD".into());
            None
        }
    };
    decision.filter(|_| accepts.is_some())
}

fn construction(construction: &Value, accepts: Option<bool>, faults: &mut Faults) {
    let required = [
        "ruleset_id",
        "selected_proposal_index",
        "proposal_count",
        "validator_errors",
    ];
    let Some(construction) = fields(construction, "CONSTRUCTION", &required, &[], faults) else {
        return;
    };
    if construction["ruleset_id"] != RULESET {
        faults.push("INVALID_RULESET_ID".into());
    }
    let index = &construction["selected_proposal_index"];
    let fits = match accepts {
        Some(true) => index == 0,
        Some(false) => index.is_null(),
        None => index == 0 || index.is_null(),
    };
    if !fits {
        faults.push("INVALID_SELECTED_PROPOSAL_INDEX".into());
    }
    let count = construction["proposal_count"].as_u64();
    if count.is_none_or(|count| count > MAX_PROPOSALS as u64) {
        faults.push("INVALID_PROPOSAL_COUNT".into());
    }
    let short = |text: &str| text.chars().count() <= MAX_VALIDATOR_ERROR_CHARS;
    if texts(
        &construction["validator_errors"],
        MAX_VALIDATOR_ERRORS,
        short,
    )
    .is_none()
    {
        faults.push("INVALID_VALIDATOR_ERRORS".into());
    }
}

fn accept(payload: &Value, faults: &mut Faults) -> Option<Payload> {
    match payload["kind"].as_str() {
        Some("ROUTE") => {
            let payload = fields(payload, "ACCEPT_PAYLOAD", &["kind", "route"], &[], faults)?;
            route(&payload["route"], faults).map(Payload::Route)
        }
        Some("STATE_TRANSITION") => {
            let known = ["kind", "transition"];
            let payload = fields(payload, "ACCEPT_PAYLOAD", &known, &[], faults)?;
            transition(&payload["transition"], faults).map(Payload::Transition)
        }
        _ => {
            faults.push("INVALID_ACCEPT_KIND".into());
            None
        }
    }
}

fn route(route: &Value, faults: &mut Faults) -> Option<Route> {
    let route = fields(route, "ROUTE", &["intent", "target"], &["mode"], faults)?;
    let mut word = |name: &str, words: &[&'static str]| {
        let found = words.iter().copied().find(|word| route[name] == *word);
        if found.is_none() {
            faults.push(format!("INVALID_ROUTE_{}", name.to_ascii_uppercase()));
        }
        found
    };
    let (intent, target) = (word("intent", &INTENTS), word("target", &TARGETS));
    let mode = route.contains_key("mode").then(|| word("mode", &MODES));
    Some(Route {
        intent: intent?,
        target: target?,
        mode: mode.flatten(),
    })
}

/// A transition must be a step of the order machine, complete and without a contradiction.
fn transition(transition: &Value, faults: &mut Faults) -> Option<order::Transition> {
    let required = [
        "order_id",
        "previous_state",
        "event",
        "current_state",
        "terminal",
    ];
    let told = fields(transition, "TRANSITION", &required, &[], faults)?;
    let from = told["previous_state"].as_str().unwrap_or_default();
    let event = told["event"].as_str().unwrap_or_default();
    let step = order::attempt(from, event).ok().filter(|step| {
        told["order_id"] == ORDER_ID
            && told["current_state"] == step.current().token()
            && told["terminal"] == step.current().is_terminal()
    });
    if step.is_none() {
        faults.push("INVALID_TRANSITION".into());
    }
    step
}

fn reject(payload: &Value, faults: &mut Faults) -> Option<Decision> {
    let known = ["reason_code", "notes"];
    let payload = fields(payload, "REJECT_PAYLOAD", &known, &[], faults)?;
    let reason = payload["reason_code"].as_str().and_then(Reason::from_code);
    if reason.is_none() {
        faults.push("INVALID_REASON_CODE".into());
    }
    let notes = texts(&payload["notes"], MAX_NOTES, is_note);
    if notes.is_none() {
        faults.push("INVALID_NOTES".into());
    }
    Some(Decision::Reject {
        reason: reason?,
        notes: notes?,
    })
}

/// The object with exactly these fields, or codes for missing and extra fields.
fn fields<'v>(
    value: &'v Value,
    what: &str,
    required: &[&str],
    optional: &[&str],
    faults: &mut Faults,
) -> Option<&'v Map<String, Value>> {
    let Some(object) = value.as_object() else {
        faults.push(format!("{what}_NOT_OBJECT"));
        return None;
    };
    let known = [required, optional].concat();
    if !json::unknown_names(object, &known).is_empty() {
        faults.push(format!("{what}_UNEXPECTED_FIELDS"));
    }
    let missing: Vec<String> = required
        .iter()
        .filter(|name| !object.contains_key(**name))
        .map(|name| format!("{what}_MISSING_FIELD:{name}"))
        .collect();
    let complete = missing.is_empty();
    faults.extend(missing);
    complete.then_some(object)
}

/// A list of at most `most` texts, all of them `good`.
fn texts(list: &Value, most: usize, good: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let list = list.as_array().filter(|list| list.len() <= most)?;
    list.iter()
        .map(|text| text.as_str().filter(|text| good(text)).map(str::to_owned))
        .collect()
}

fn holds_text(value: &Value, good: impl Fn(&str) -> bool) -> bool {
    value.as_str().is_some_and(good)
}

fn is_run_id(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    !text.is_empty() && text.len() <= MAX_RUN_ID_CHARS && text.chars().all(allowed)
}

fn is_relative_ref(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= MAX_REF_CHARS && !is_absolute_path(text)
}

fn is_note(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "_:".contains(c);
    !text.is_empty() && text.len() <= MAX_NOTE_CHARS && text.chars().all(allowed)
}

/// Whether a path is absolute on any system: `/x`, `C:\x` and `C:x`, `\\server\x` and `\x`.
pub fn is_absolute_path(text: &str) -> bool {
    let drive = matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    drive || text.starts_with(['/', '\\'])
}
