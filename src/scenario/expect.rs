//! Expectations: what the result of a scene must be, in words or by JSON pointer into the trace.

use super::spec::ActionSpec;
use crate::format::literal::Literal;
use crate::text::fold::fold;
use serde::de::{Deserialize, Deserializer};
use serde_json::Value;
use thiserror::Error;

/// Something that must be true in the trace: of the scene as a whole, or of the value at a place. It needs at least one condition,
/// and all of them must hold.
#[derive(Debug, Clone, PartialEq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expectation {
    /// A character has said these words, in any case, within one line.
    pub heard: Option<String>,
    /// No character has said these words, in any case.
    pub not_heard: Option<String>,
    /// A character has done this. Fields that are left out may be anything.
    pub did: Option<ActionSpec>,
    /// The last run of a dialogue took this many attempts.
    pub attempts: Option<usize>,
    /// Where in the trace the value is that the conditions below are about, as a JSON pointer such as `/runs/0/outcome`.
    pub at: Option<String>,
    /// The value there equals this. Whole numbers equal fractions of the same value.
    #[serde(deserialize_with = "literal")]
    pub is: Option<Value>,
    /// The value there contains this: a text a part of it, a list an element, an object a key.
    #[serde(deserialize_with = "literal")]
    pub contains: Option<Value>,
    /// The value there does not contain this, and something is there.
    #[serde(deserialize_with = "literal")]
    pub lacks: Option<Value>,
    /// The text there is matched by this regular expression.
    pub matches: Option<String>,
    /// The list, object or text there has this many elements, keys or characters.
    pub len: Option<usize>,
    /// `true`: nothing is there, or null. `false`: something other than null is there.
    pub absent: Option<bool>,
    /// The number there, which may be a fraction in quotes, is at least this.
    pub at_least: Option<f64>,
    /// The number there, which may be a fraction in quotes, is at most this.
    pub at_most: Option<f64>,
}

fn literal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Literal::deserialize(deserializer).map(|literal| Some(literal.0))
}

/// An expectation that did not hold, or why the scenario could not begin.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{at}: {message}")]
pub struct FailedExpectation {
    /// Its place in the scenario's file, as a JSON pointer such as `/expect/0`; `/from` or `/settings/..` where the scenario
    /// could not begin.
    pub place: String,
    /// Where in the trace it looked, as a JSON pointer; the same as `place` where the scenario could not begin.
    pub at: String,
    /// What was expected, and what was found.
    pub message: String,
}

impl Expectation {
    /// Whether it has no condition at all, so that it would always hold.
    #[must_use]
    pub fn has_no_condition(&self) -> bool {
        let empty = Self {
            at: self.at.clone(),
            ..Self::default()
        };
        *self == empty
    }

    /// Whether it has a condition about the value at a place.
    #[must_use]
    pub fn asks_at_a_place(&self) -> bool {
        let of_the_scene = Self {
            heard: self.heard.clone(),
            not_heard: self.not_heard.clone(),
            did: self.did.clone(),
            attempts: self.attempts,
            at: self.at.clone(),
            ..Self::default()
        };
        *self != of_the_scene
    }

    /// Why it does not hold in this trace, with what was found there. `None` when it holds.
    #[must_use]
    pub fn failure(&self, trace: &Value) -> Option<String> {
        let of_place = |at: &String| self.failure_at(at, trace);
        self.failure_of_scene(trace)
            .or_else(|| self.at.as_ref().and_then(of_place))
    }

    fn failure_of_scene(&self, trace: &Value) -> Option<String> {
        let runs = trace.get("runs").and_then(Value::as_array);
        let runs = runs.map(Vec::as_slice).unwrap_or_default();
        let heard = runs.iter().filter_map(|run| list(run, "heard"));
        // What is heard sentence by sentence is one line.
        let lines = heard.map(|sentences| {
            let sentences: Vec<&str> = sentences.iter().filter_map(Value::as_str).collect();
            sentences.join(" ")
        });
        let in_a_turn = spoken_in_turns(trace).into_iter();
        let lines = lines.chain(in_a_turn).filter(|line| !line.is_empty());
        let lines: Vec<String> = lines.collect();
        let said = |words: &String| {
            let words = fold(words);
            lines.iter().find(|line| fold(line).contains(&words))
        };
        if let Some(words) = &self.heard
            && said(words).is_none()
        {
            return Some(format!(
                "expected to hear {words:?}, heard {}",
                shown(Some(&lines.into()))
            ));
        }
        if let Some(words) = &self.not_heard
            && let Some(line) = said(words)
        {
            return Some(format!("expected not to hear {words:?}, heard {line:?}"));
        }
        if let Some(action) = &self.did {
            let done = runs.iter().filter_map(|run| list(run, "intents")).flatten();
            let done: Vec<&Value> = done.filter(|intent| intent["result"] == "OK").collect();
            if !done.iter().any(|intent| action.is(intent)) {
                let name = action.name();
                return Some(format!(
                    "expected the action {name} with these fields, found {}",
                    shown(Some(&done.into_iter().cloned().collect()))
                ));
            }
        }
        if let Some(expected) = self.attempts {
            let is_line = |run: &&Value| run.get("stage").is_none_or(|stage| stage == "dialogue");
            let mut lines = runs.iter().filter(is_line);
            let found = lines
                .next_back()
                .and_then(|run| list(run, "attempts"))
                .map_or(0, |all| all.len());
            if found != expected {
                return Some(format!("expected {expected} attempts, found {found}"));
            }
        }
        None
    }

    fn failure_at(&self, at: &str, trace: &Value) -> Option<String> {
        let found = trace.pointer(at).filter(|value| !value.is_null());
        if let Some(absent) = self.absent
            && absent == found.is_some()
        {
            return Some(format!(
                "expected {}, found {}",
                if absent { "nothing" } else { "something" },
                shown(found)
            ));
        }
        let nothing = Value::Null;
        // A null that is there equals null; what is not there equals nothing.
        let there = trace.pointer(at);
        if let Some(expected) = &self.is
            && !there.is_some_and(|there| equal(there, expected))
        {
            return Some(format!("expected {expected}, found {}", shown(there)));
        }
        let value = there.unwrap_or(&nothing);
        if let Some(part) = &self.contains
            && !contains(value, part)
        {
            return Some(format!(
                "expected something that contains {part}, found {}",
                shown(there)
            ));
        }
        if let Some(part) = &self.lacks
            && (found.is_none() || contains(value, part))
        {
            return Some(format!(
                "expected something without {part}, found {}",
                shown(there)
            ));
        }
        if let Some(pattern) = &self.matches {
            let hit = regex::Regex::new(pattern)
                .ok()
                .zip(value.as_str())
                .is_some_and(|(r, text)| r.is_match(text));
            if !hit {
                return Some(format!(
                    "expected something that matches /{pattern}/, found {}",
                    shown(there)
                ));
            }
        }
        if let Some(expected) = self.len
            && length(value) != Some(expected)
        {
            let found = length(value).map_or("none".to_owned(), |length| length.to_string());
            return Some(format!(
                "expected a length of {expected}, found {found} in {}",
                shown(there)
            ));
        }
        let bound = |bound: Option<f64>, holds: fn(f64, f64) -> bool, words: &str| {
            let bound = bound?;
            let held = number(value).is_some_and(|n| holds(n, bound));
            (!held).then(|| format!("expected {words} {bound}, found {}", shown(there)))
        };
        bound(self.at_least, |n, b| n >= b, "at least")
            .or_else(|| bound(self.at_most, |n, b| n <= b, "at most"))
    }
}

/// What characters have said while they were thinking, and in turns that a narrator told.
fn spoken_in_turns(trace: &Value) -> Vec<String> {
    let all = |name: &str| list(trace, name).into_iter().flatten();
    let thinking = all("thinking").map(|said| &said["line"]);
    let narrations = all("stream").filter(|message| message["retracted"] != true);
    let parts = narrations.flat_map(|message| list(message, "parts").into_iter().flatten());
    let dialogs = parts.filter(|part| part["kind"] == "dialog");
    let lines = thinking.chain(dialogs.map(|part| &part["text"]));
    lines.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The list of this name in a trace, or in a run of it.
fn list<'a>(run: &'a Value, name: &str) -> Option<&'a Vec<Value>> {
    run.get(name).and_then(Value::as_array)
}

fn shown(value: Option<&Value>) -> String {
    let text = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    if text.chars().count() <= 300 {
        return text;
    }
    let start: String = text.chars().take(300).collect();
    format!("{start}…")
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => a == b,
    }
}

fn contains(value: &Value, part: &Value) -> bool {
    match (value, part) {
        (Value::String(text), Value::String(part)) => text.contains(part.as_str()),
        (Value::Array(list), part) => list.iter().any(|item| equal(item, part)),
        (Value::Object(map), Value::String(key)) => map.contains_key(key),
        _ => false,
    }
}

fn length(value: &Value) -> Option<usize> {
    match value {
        Value::Array(list) => Some(list.len()),
        Value::Object(map) => Some(map.len()),
        Value::String(text) => Some(text.chars().count()),
        _ => None,
    }
}

/// A trace holds fractions as texts.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::error::dialect;
    use serde_json::json;

    fn fails(expectation: &str, trace: &Value) -> bool {
        let expectation: Expectation = dialect().from_str(expectation).unwrap();
        expectation.failure(trace).is_some()
    }

    #[test]
    fn x3_a_line_is_heard_in_a_turn_and_while_a_character_thinks() {
        let trace = json!({
            "runs": [
                {"stage": "dialogue", "heard": ["Well."], "attempts": [1, 2]},
                {"stage": "diary", "heard": [], "attempts": [1]},
            ],
            "thinking": [{"npc": "ada", "line": "Let me think."}],
            "stream": [
                {"parts": [
                    {"kind": "narration", "text": "It rains."},
                    {"kind": "dialog", "speaker": "mira", "text": "Sit down."},
                ]},
                {"retracted": true, "parts": [{"kind": "dialog", "text": "Go away."}]},
            ],
        });
        for (words, is_heard) in [
            ("well", true),
            ("think", true),
            ("sit down", true),
            ("rains", false),
            ("go away", false),
        ] {
            let (heard, not) = (
                format!("(heard: {words:?})"),
                format!("(not_heard: {words:?})"),
            );
            assert_eq!(
                (fails(&heard, &trace), fails(&not, &trace)),
                (!is_heard, is_heard)
            );
        }
        // The run that writes a diary is no line.
        assert!(!fails("(attempts: 2)", &trace));
        assert!(fails("(attempts: 1)", &trace));
    }

    #[test]
    fn x3_expectations_hold_or_break() {
        let trace = json!({"a": 1, "t": "hello", "l": [1, {"x": "y"}], "n": null, "f": "0.750000"});
        for (expectation, holds) in [
            (r#"(at: "/a", is: 1)"#, true),
            (r#"(at: "/a", is: 1.0)"#, true),
            (r#"(at: "/a", is: "1")"#, false),
            (r#"(at: "/n", is: None)"#, true),
            (r#"(at: "/n", is: ())"#, true),
            (r#"(at: "/n", is: null)"#, true),
            (r#"(at: "/gone", is: None)"#, false),
            (r#"(at: "/gone", absent: true)"#, true),
            (r#"(at: "/a", absent: true)"#, false),
            (r#"(at: "/a", absent: false)"#, true),
            (r#"(at: "/t", contains: "ell")"#, true),
            (r#"(at: "/t", contains: "x")"#, false),
            (r#"(at: "/l", contains: 1)"#, true),
            (r#"(at: "/l", contains: {"x": "y"})"#, true),
            (r#"(at: "/l", contains: 2)"#, false),
            (r#"(at: "/t", matches: "^h.*o$")"#, true),
            (r#"(at: "/t", matches: "(")"#, false),
            (r#"(at: "/l", len: 2)"#, true),
            (r#"(at: "/t", len: 4)"#, false),
            (r#"(at: "/f", at_least: 0.75, at_most: 0.75)"#, true),
            (r#"(at: "/f", at_least: 0.8)"#, false),
            (r#"(at: "/t", at_most: 1)"#, false),
        ] {
            assert_eq!(fails(expectation, &trace), !holds, "{expectation}");
        }
    }

    #[test]
    fn x3_bare_words_and_unknown_fields_are_errors() {
        for wrong in [
            r#"(at: "/a", is: Accepted)"#,
            r#"(at: "/a", iss: 1)"#,
            r#"(did: 3)"#,
        ] {
            assert!(dialect().from_str::<Expectation>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn x3_a_scene_is_told_in_words() {
        let open =
            json!({"type": "open", "actor": "a", "target": "door", "tool": "key", "result": "OK"});
        let trace = json!({"runs": [
            {"heard": ["Come in.", "Straße 3 is near."], "intents": [open], "attempts": [{}, {}]},
            {"heard": [], "intents": [{"type": "take", "target": "key", "result": "LOCKED"}], "attempts": [{}]},
        ]});
        for (expectation, holds) in [
            (r#"(heard: "come in. strasse")"#, true),
            (r#"(heard: "go away")"#, false),
            (r#"(not_heard: "go away")"#, true),
            (r#"(not_heard: "COME")"#, false),
            (r#"(did: Open(target: "door"))"#, true),
            (r#"(did: Open())"#, true),
            (r#"(did: Open(target: "chest"))"#, false),
            (r#"(did: Take(target: "key"))"#, false),
            (r#"(attempts: 1)"#, true),
            (r#"(attempts: 2)"#, false),
            (r#"(heard: "come in", at: "/runs", len: 3)"#, false),
            (r#"(heard: "come in", at: "/runs", len: 2)"#, true),
        ] {
            assert_eq!(fails(expectation, &trace), !holds, "{expectation}");
        }
        assert!(fails(r#"(heard: "x")"#, &json!({})) && !fails(r#"(not_heard: "x")"#, &json!({})));
    }

    #[test]
    fn x3_an_expectation_without_its_place_or_a_condition_is_a_load_error() {
        for (expectation, expected) in [
            ("(is: 1)", "`at` is missing"),
            ("(at: \"/runs\")", "this expectation has no condition"),
            ("()", "this expectation has no condition"),
            ("(at: \"runs\", len: 1)", "must begin with /"),
        ] {
            let source = format!("Scenario(name: \"x\", expect: [{expectation}])");
            let registry = crate::world::ActionRegistry::default();
            let read = crate::scenario::Scenario::parse(
                source.as_bytes(),
                "x",
                &crate::authoring::NoFiles,
                &registry,
            );
            let errors = read.map(drop).unwrap_err();
            assert!(errors[0].message.contains(expected), "{}", errors[0]);
        }
    }
}
