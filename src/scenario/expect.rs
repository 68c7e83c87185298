//! Expectations: what the result of a scene must be, by JSON pointer into the trace.

use crate::format::literal::Literal;
use serde::de::{Deserialize, Deserializer};
use serde_json::Value;
use thiserror::Error;

/// Something that must be true in the trace. It needs at least one condition, and all of them must hold.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// Where in the trace, as a JSON pointer such as `/runs/0/outcome`.
    pub at: String,
    /// The value there equals this. Whole numbers equal fractions of the same value.
    #[serde(default, deserialize_with = "literal")]
    pub is: Option<Value>,
    /// The value there contains this: a text a part of it, a list an element, an object a key.
    #[serde(default, deserialize_with = "literal")]
    pub contains: Option<Value>,
    /// The value there does not contain this, and something is there.
    #[serde(default, deserialize_with = "literal")]
    pub lacks: Option<Value>,
    /// The text there is matched by this regular expression.
    #[serde(default)]
    pub matches: Option<String>,
    /// The list, object or text there has this many elements, keys or characters.
    #[serde(default)]
    pub len: Option<usize>,
    /// `true`: nothing is there, or null. `false`: something other than null is there.
    #[serde(default)]
    pub absent: Option<bool>,
    /// The number there, which may be a fraction in quotes, is at least this.
    #[serde(default)]
    pub at_least: Option<f64>,
    /// The number there, which may be a fraction in quotes, is at most this.
    #[serde(default)]
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
        let Self {
            at: _,
            is,
            contains,
            lacks,
            matches,
            len,
            absent,
            at_least,
            at_most,
        } = self;
        is.is_none()
            && contains.is_none()
            && lacks.is_none()
            && matches.is_none()
            && len.is_none()
            && absent.is_none()
            && at_least.is_none()
            && at_most.is_none()
    }

    /// Why it does not hold in this trace, with what was found there. `None` when it holds.
    #[must_use]
    pub fn failure(&self, trace: &Value) -> Option<String> {
        let found = trace.pointer(&self.at).filter(|value| !value.is_null());
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
        let there = trace.pointer(&self.at);
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
            return Some(format!(
                "expected a length of {expected}, found {:?} in {}",
                length(value),
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
            r#"(is: 1)"#,
        ] {
            assert!(dialect().from_str::<Expectation>(wrong).is_err(), "{wrong}");
        }
    }
}
