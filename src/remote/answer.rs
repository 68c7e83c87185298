//! How a request is read, and how its answer is made: bounded, and without secrets.

use crate::journal::Redaction;
use bevy_remote::{BrpError, BrpResult, error_codes};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The most entries of any list in an answer.
pub(super) const MOST: usize = 100;
/// How many entries there are where the request does not say.
const USUAL: usize = 20;
/// The most characters of a text in an answer.
const MOST_CHARS: usize = 8_000;
/// The most characters of what is wrong with the parameters: it can quote them.
const MOST_OF_ERROR: usize = 400;

/// Reads the parameters of a request. `form` shows what they look like.
pub(super) fn read<T: DeserializeOwned>(params: Option<Value>, form: &str) -> BrpResult<T> {
    let params = params.filter(|params| !params.is_null());
    let params = params.unwrap_or_else(|| Value::Object(Map::new()));
    // Serde would read a list in the order of the fields.
    if !params.is_object() {
        return Err(wrong(format!(
            "the parameters are no JSON object: send {form}"
        )));
    }
    serde_json::from_value(params).map_err(|error| {
        let mut error = error.to_string();
        clip(&mut error, MOST_OF_ERROR);
        wrong(format!(
            "the parameters cannot be read: {error}. Send {form}"
        ))
    })
}

/// How many entries a list may have.
pub(super) fn limit(asked: Option<u64>) -> BrpResult<usize> {
    let Some(asked) = asked else {
        return Ok(USUAL);
    };
    let limit = usize::try_from(asked).ok();
    limit
        .filter(|limit| (1..=MOST).contains(limit))
        .ok_or_else(|| {
            wrong(format!(
                "the limit is {asked}: send a number from 1 to {MOST}, or leave it out"
            ))
        })
}

/// What is wrong with a request.
pub(super) fn wrong(message: impl Into<String>) -> BrpError {
    BrpError {
        code: error_codes::INVALID_PARAMS,
        message: message.into(),
        data: None,
    }
}

/// The first entries of a list, as many as an answer may have.
pub(super) fn first<T>(list: &[T]) -> &[T] {
    list.get(..MOST).unwrap_or(list)
}

/// The answer as JSON, without secrets, with texts that are not too long.
pub(super) fn answer(answer: &impl Serialize) -> BrpResult {
    let mut answer = serde_json::to_value(answer).map_err(BrpError::internal)?;
    // Before texts are cut: a pattern needs the whole secret.
    Redaction::default()
        .clean(&mut answer)
        .map_err(BrpError::internal)?;
    clip_all(&mut answer);
    Ok(answer)
}

fn clip_all(value: &mut Value) {
    match value {
        Value::String(text) => clip(text, MOST_CHARS),
        Value::Array(items) => items.iter_mut().for_each(clip_all),
        Value::Object(fields) => fields.values_mut().for_each(clip_all),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn clip(text: &mut String, most: usize) {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('\u{2026}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_is_without_secrets_and_its_texts_are_cut() {
        let long = "\u{e4}".repeat(MOST_CHARS + 1);
        let told = answer(&json!({"said": ["use sk-hunter2, Odo", long], "run": "7"})).unwrap();
        let cut = "\u{e4}".repeat(MOST_CHARS) + "\u{2026}";
        let expected = json!({"said": ["use [redacted], Odo", cut], "run": "7"});
        assert_eq!(told, expected);
    }

    #[test]
    fn a_list_has_one_to_a_hundred_entries() {
        let limits = [None, Some(1), Some(100)].map(|asked| limit(asked).unwrap());
        assert_eq!(limits, [20, 1, 100]);
        for asked in [0, 101, u64::MAX] {
            assert!(limit(Some(asked)).unwrap_err().message.contains("1 to 100"));
        }
        assert_eq!(first(&[1; 150]).len(), MOST);
        assert_eq!(first(&[1; 3]).len(), 3);
    }
}
