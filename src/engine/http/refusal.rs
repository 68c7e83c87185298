//! What a server refuses in a request, read from its error: a field that it does not know, or the role of the system message. The
//! request is asked once more without it, or in its other spelling.
//!
//! | where the error names it | seen of |
//! |---|---|
//! | `"param": "max_tokens"` | `OpenAI`, Azure, xAI |
//! | `"loc": ["body", "seed"]` | Mistral, vLLM, whatever checks with pydantic |
//! | words about a schema or a grammar: `Failed to initialize samplers`, `JSON mode is not enabled` | llama.cpp, vLLM, Ollama, Gemini |
//! | a word of the sentence: `property 'seed' is unsupported`, `Unknown name "seed"`, `Unrecognized request argument supplied: seed` | Groq, Gemini, `OpenAI`, llama.cpp |
//!
//! `model` and `messages` are never left out, and a number of tokens that is too large stays: that error is the designer's to
//! see.

use super::change::{Change, FORMAT};
use super::reply::error_body;
use serde_json::{Map, Value};

/// Fields without which a request means nothing.
const NEEDED: [&str; 2] = ["model", "messages"];

/// Fields that have two names: each is tried in place of the other.
const OTHER_NAMES: [(&str, &str); 2] = [
    ("max_tokens", "max_completion_tokens"),
    ("max_completion_tokens", "max_tokens"),
];

/// What is in errors about the schema, or about what a server makes of it. In lower case.
const OF_SCHEMA: [&str; 13] = [
    "response_format",
    "response format",
    "output_format",
    "json_schema",
    "json_object",
    "schema",
    "grammar",
    "json mode",
    "json output",
    "structured output",
    "guided decoding",
    "initialize samplers",
    "required for format",
];
/// What `OpenRouter` says where no server takes all fields of a request, which is the schema.
const NO_SERVER: &str = "requested parameters";

/// What errors call a field in other words.
const ALSO_CALLED: [(&str, &str); 3] = [
    ("streaming", "stream"),
    ("stop sequence", "stop"),
    ("stop word", "stop"),
];

/// One of these is in an error that refuses something. In lower case.
const REFUSALS: [&str; 30] = [
    "not a valid",
    "unsupported",
    "not support",
    "n't support",
    "only support",
    "unknown",
    "unrecognized",
    "unrecognised",
    "unexpected",
    "unavailable",
    "not available",
    "not permitted",
    "not allowed",
    "not accept",
    "not enabled",
    "not implemented",
    "not recognized",
    "forbidden",
    "disabled",
    "cannot find",
    "cannot be used",
    "invalid parameter",
    "invalid argument",
    "invalid value",
    "not valid",
    "should be",
    "must be",
    "extra ",
    "deprecated",
    "illegal",
];
/// One of these is in an error that refuses something that it names as no ordinary word: in quotation marks, behind a colon, or by
/// a name that is no word.
const MILD_REFUSALS: [&str; 10] = [
    "invalid",
    "not exist",
    "cannot",
    "can't",
    "not configurable",
    "wrong",
    "remove",
    "only",
    "no such",
    "not be",
];

/// One of these is in an error about a number that is too large.
const SIZES: [&str; 7] = [
    "too large",
    "too high",
    "at most",
    "maximum",
    "exceed",
    "less than",
    "greater than",
];

/// Errors of a model whose template has no system message: all words of a row are in it. In lower case.
const NO_SYSTEM: [&[&str]; 16] = [
    &["'system'", "supported values"],
    &["role", "one of", "user", "assistant"],
    &["must start with", "user"],
    &["system role"],
    &["system", "role", "support"],
    &["system", "message", "support"],
    &["system prompt", "support"],
    &["system instruction", "support"],
    &["developer instruction"],
    &["roles must alternate"],
    &["only user and assistant"],
    &["unknown role", "system"],
    &["unexpected role", "system"],
    &["invalid role", "system"],
    &["role", "should be 'user'"],
    &["first message", "user"],
];

/// What to change in `body`, which was refused with this status and this error after the changes `made`; `None` where the error
/// says no such thing.
pub(super) fn change(
    status: u16,
    error: &[u8],
    body: &Map<String, Value>,
    made: &[Change],
) -> Option<Change> {
    let said = error_body(error).to_lowercase();
    let has_format = body.contains_key(FORMAT);
    // No server behind a router takes all fields.
    if status == 404 && has_format && (said.contains(NO_SERVER) || said.contains(FORMAT)) {
        return Some(Change::LeaveOut(FORMAT.to_owned()));
    }
    // Some servers answer 500 to what they cannot read, and some 200 with an error inside.
    if !matches!(status, 200 | 400 | 422 | 500 | 501) {
        return None;
    }
    let has = |words: &[&str]| words.iter().any(|word| said.contains(word));
    let system = Change::SystemInFront;
    let is_of_role =
        said.contains("role") && has(&["system", "developer", "'user'", "user and assistant"]);
    let is_no_system = NO_SYSTEM
        .iter()
        .any(|row| row.iter().all(|word| said.contains(word)))
        || is_of_role
            && has(&[
                "invalid",
                "must",
                "one of",
                "supported values",
                "not allowed",
                "tag",
                "expected",
                "should",
            ]);
    if is_no_system && system.apply(&mut body.clone()) {
        return Some(system);
    }
    let (field, how) = match named(error, &said, body) {
        Some(named) => named,
        None if has_format && has(&OF_SCHEMA) => (FORMAT.to_owned(), Naming::Plain),
        None => return None,
    };
    let is_refused = match how {
        Naming::Path => true,
        Naming::Plain => has(&REFUSALS) || has(&MILD_REFUSALS),
        Naming::Word => has(&REFUSALS),
    };
    if !is_refused && field != FORMAT {
        return None;
    }
    // With these statuses the error may be any other fault, and a field's name in its text may be an ordinary word.
    if matches!(status, 200 | 500) && field != FORMAT && how == Naming::Word {
        return None;
    }
    if let Some((from, to)) = OTHER_NAMES.iter().find(|(name, _)| *name == field) {
        if SIZES.iter().any(|word| said.contains(word)) {
            return None;
        }
        let was_tried = made.contains(&Change::Rename(to, from)) || body.contains_key(*to);
        if !was_tried {
            return Some(Change::Rename(from, to));
        }
    }
    if field == FORMAT && Change::OtherFormat.apply(&mut body.clone()) {
        return Some(Change::OtherFormat);
    }
    Some(Change::LeaveOut(field))
}

/// How an error names a field.
#[derive(Clone, Copy, PartialEq)]
enum Naming {
    /// Apart from its sentence.
    Path,
    /// As no ordinary word of its sentence.
    Plain,
    /// As a word of its sentence.
    Word,
}

/// The field of `body` that an error names, and how. `said` is its sentence in lower case.
fn named(error: &[u8], said: &str, body: &Map<String, Value>) -> Option<(String, Naming)> {
    let json: Option<Value> = serde_json::from_slice(error).ok();
    let mut paths = Vec::new();
    if let Some(json) = &json {
        gather_paths(json, 0, &mut paths);
    }
    let fields = body.keys().filter(|name| !NEEDED.contains(&name.as_str()));
    let fields: Vec<&String> = fields.collect();
    let is = |name: &str| {
        fields
            .iter()
            .find(|field| plain(field) == plain(name))
            .copied()
    };
    let by_path = paths.iter().find_map(|path| is(path));
    if let Some(field) = by_path {
        return Some((field.clone(), Naming::Path));
    }
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut best: Option<(String, Naming)> = None;
    let mut at = 0;
    for word in said.split(|c: char| !is_of_word(c)) {
        let (begin, end) = (at, at + word.len());
        at = end + said[end..].chars().next().map_or(0, char::len_utf8);
        let Some(field) = (!word.is_empty()).then(|| is(word)).flatten() else {
            continue;
        };
        let before = said[..begin].trim_end();
        let marks = ['"', '\'', '`', ':', '[', '\u{201c}', '\u{2018}'];
        let is_plain =
            word.contains('_') || matches!(word, "temperature" | "seed") || before.ends_with(marks);
        let how = if is_plain {
            Naming::Plain
        } else {
            Naming::Word
        };
        if best
            .as_ref()
            .is_none_or(|(_, was)| *was == Naming::Word && how == Naming::Plain)
        {
            best = Some((field.clone(), how));
        }
    }
    best.or_else(|| {
        let mut known = ALSO_CALLED.iter().filter(|(words, _)| said.contains(words));
        let field = known.find_map(|(_, name)| is(name))?;
        Some((field.clone(), Naming::Word))
    })
}

/// A name without what servers write in other ways: `maxTokens` is `max_tokens`.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| *c != '_');
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

/// How deep an error is looked into.
const DEPTH: u32 = 6;

/// The fields that an error names apart from its sentence: `param`, and what follows `body` in `loc`.
fn gather_paths(error: &Value, depth: u32, paths: &mut Vec<String>) {
    let first = |path: &str| path.split(['.', '[']).next().unwrap_or_default().to_owned();
    match error {
        Value::Object(fields) if depth < DEPTH => {
            if let Some(Value::String(param)) = fields.get("param") {
                paths.push(first(param));
            }
            // What another server said, passed on as a text.
            if let Some(Value::String(raw)) = fields.get("raw")
                && let Ok(raw) = serde_json::from_str(raw)
            {
                gather_paths(&raw, depth + 1, paths);
            }
            if let Some(Value::Array(loc)) = fields.get("loc") {
                let mut names = loc.iter().filter_map(Value::as_str);
                paths.extend(names.find(|name| *name != "body").map(first));
            }
            fields
                .values()
                .for_each(|value| gather_paths(value, depth + 1, paths));
        }
        Value::Array(all) if depth < DEPTH => {
            all.iter()
                .for_each(|value| gather_paths(value, depth + 1, paths));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked() -> Map<String, Value> {
        let body = json!({
            "model": "m",
            "messages": [{"role": "system", "content": "a"}, {"role": "user", "content": "b"}],
            "max_tokens": 300,
            "temperature": 0.7,
            "seed": 7,
            "stop": ["\nAnn:"],
            "stream": true,
            "stream_options": {"include_usage": true},
            "cache_prompt": true,
            "response_format": {"type": "json_schema", "json_schema": {"schema": {}}},
        });
        body.as_object().unwrap().clone()
    }

    fn of(status: u16, error: &str) -> Option<Change> {
        change(status, error.as_bytes(), &asked(), &[])
    }

    fn left_out(name: &str) -> Option<Change> {
        Some(Change::LeaveOut(name.to_owned()))
    }

    #[test]
    fn p15_a_field_is_found_where_servers_name_it() {
        let said = |text: &str| json!({"error": {"message": text}}).to_string();
        for (field, error) in [
            ("seed", said("property 'seed' is unsupported")),
            ("cache_prompt", said("Unrecognized request argument supplied: cache_prompt")),
            ("seed", json!([{"error": {"message": "Invalid JSON payload received. Unknown name \"seed\": Cannot find field."}}]).to_string()),
            ("temperature", said("Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.")),
            ("stop", json!({"error": {"message": "Unsupported parameter.", "param": "stop"}}).to_string()),
            ("seed", json!({"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "input": 7}]}).to_string()),
            ("stream_options", json!({"message": {"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options", "include_usage"], "msg": "Extra inputs are not permitted"}]}}).to_string()),
            ("stream", said("This model does not support streaming.")),
            ("stop", "Argument not supported on this model: stop".to_owned()),
        ] {
            assert_eq!(of(400, &error), left_out(field), "{error}");
            assert_eq!(of(422, &error), left_out(field), "{error}");
        }
    }

    #[test]
    fn p15_a_field_that_has_another_name_is_tried_under_it() {
        let error = "{\"error\": {\"message\": \"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.\", \"param\": \"max_tokens\"}}";
        let rename = Change::Rename("max_tokens", "max_completion_tokens");
        assert_eq!(of(400, error), Some(rename.clone()));
        let mut body = asked();
        rename.apply(&mut body);
        let error = b"unknown field: max_completion_tokens";
        let back = change(400, error, &body, &[]);
        let other = Change::Rename("max_completion_tokens", "max_tokens");
        assert_eq!(back, Some(other), "where a game has chosen that name");
        let neither = change(400, error, &body, &[rename]);
        assert_eq!(neither, left_out("max_completion_tokens"));
    }

    #[test]
    fn p15_a_schema_is_tried_in_its_other_form_first() {
        for error in [
            "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
            "This response_format type is unavailable now",
            "The parameter `response_format.type` specified in the request are not valid: invalid value: `json_schema`",
            "{\"detail\": [{\"loc\": [\"body\", \"response_format\", \"type\"], \"msg\": \"Input should be 'text' or 'json_object'\"}]}",
        ] {
            assert_eq!(of(400, error), Some(Change::OtherFormat), "{error}");
        }
        let mut body = asked();
        Change::OtherFormat.apply(&mut body);
        let error = b"'response_format.type' must be 'json_schema' or 'text'";
        assert_eq!(change(400, error, &body, &[]), left_out("response_format"));
    }

    #[test]
    fn p15_a_model_without_a_system_message_is_known_by_its_error() {
        for error in [
            "System role not supported",
            "{\"object\":\"error\",\"message\":\"System role not supported\",\"type\":\"BadRequestError\"}",
            "Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...",
            "Only user and assistant roles are supported!",
            "{\"error\": {\"message\": \"Developer instruction is not enabled for models/gemma-3-27b-it\"}}",
            "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
            "{\"error\": {\"message\": \"This model does not support system messages.\", \"param\": \"messages\"}}",
            "Unexpected role 'system' in messages[0]",
            "{\"detail\": [{\"loc\": [\"body\", \"messages\", 0, \"role\"], \"msg\": \"Input should be 'user' or 'assistant'\"}]}",
        ] {
            for status in [400, 422, 500, 200] {
                assert_eq!(of(status, error), Some(Change::SystemInFront), "{error}");
            }
        }
    }

    #[test]
    fn p15_a_schema_that_a_server_cannot_use_is_left_out_whatever_it_says() {
        for (status, error) in [
            (
                400,
                "The provided JSON schema contains features not supported by xgrammar.",
            ),
            (
                400,
                "Failed to initialize samplers: failed to parse grammar",
            ),
            (500, "failed to load model vocabulary required for format"),
            (500, "{\"error\": \"invalid JSON schema in format\"}"),
            (400, "JSON mode is not enabled for models/gemma-3-27b-it"),
            (
                400,
                "The specified schema produces a constraint that has too many states for serving.",
            ),
            (
                400,
                "{\"error\": {\"message\": \"Provider returned error\", \"metadata\": {\"raw\": \"{\\\"error\\\": {\\\"message\\\": \\\"JSON mode is not enabled\\\"}}\"}}}",
            ),
            (422, "Response format is not supported"),
        ] {
            assert_eq!(of(status, error), Some(Change::OtherFormat), "{error}");
            let mut body = asked();
            Change::OtherFormat.apply(&mut body);
            let again = change(status, error.as_bytes(), &body, &[]);
            assert_eq!(again, left_out("response_format"), "{error}");
            body.remove("response_format");
            assert_eq!(
                change(status, error.as_bytes(), &body, &[]),
                None,
                "{error}"
            );
        }
        let nowhere = "No endpoints found that can handle the requested parameters.";
        assert_eq!(of(404, nowhere), left_out("response_format"));
        assert_eq!(of(404, "the model does not exist"), None);
    }

    #[test]
    fn p15_a_field_is_refused_in_many_words() {
        let said = |text: &str| json!({"error": {"message": text}}).to_string();
        for (status, field, error) in [
            (400, "temperature", said("`temperature` is deprecated for this model.")),
            (400, "temperature", said("invalid temperature: only 1 is allowed for this model")),
            (400, "temperature", said("`temperature` and `top_p` cannot both be specified for this model.")),
            (500, "temperature", json!({"error": {"message": "Unsupported value: 'temperature'", "param": "temperature"}}).to_string()),
            (500, "seed", said("m does not support parameters: ['seed']")),
            (500, "seed", said("create() got an unexpected keyword argument 'seed'")),
            (400, "seed", json!({"error": {"message": "参数不支持", "param": "seed"}}).to_string()),
            (400, "seed", said("Illegal parameter: seed")),
            (400, "seed", json!({"error": "Bad Request", "message": ["property seed should not exist"]}).to_string()),
            (400, "stop", said("wrong value for 'stop'")),
        ] {
            assert_eq!(of(status, &error), left_out(field), "{error}");
        }
        for error in [
            "the stop of the line is invalid",
            "we cannot stream now",
            "invalid request: the stream is closed",
        ] {
            assert_eq!(of(400, &said(error)), None, "{error}");
        }
    }

    #[test]
    fn p15_a_system_message_is_refused_in_many_words() {
        for error in [
            "invalid params, invalid message role: system (2013)",
            "Invalid value: 'system'. Supported values are: 'assistant' and 'user' as a role.",
            "messages.0.role: must be one of ['user', 'assistant']",
            "messages[0].role must be one of: user, assistant",
            "Invalid value: 'system'. Supported values are: 'assistant' and 'user'.",
            "Jinja Exception: Conversation must start with a user prompt",
            "messages: role 'system' is not allowed, use 'developer'",
            "Input tag 'system' found using 'role' does not match any of the expected tags: 'user', 'assistant'",
        ] {
            assert_eq!(of(400, error), Some(Change::SystemInFront), "{error}");
        }
    }

    #[test]
    fn p15_what_is_no_refusal_changes_nothing() {
        for error in [
            "",
            "{",
            "the request exceeds the available context size, try increasing it",
            "{\"error\": {\"message\": \"max_tokens is too large: 9000. This model supports at most 4096 completion tokens.\", \"param\": \"max_tokens\"}}",
            "This model's maximum context length is 4096 tokens. Please reduce the length of the messages.",
            "The model `m` does not exist or you do not have access to it.",
            "{\"error\": {\"message\": \"Unsupported model\", \"param\": \"model\"}}",
            "model is loading",
            "CUDA out of memory",
            "Invalid API key",
        ] {
            assert_eq!(of(400, error), None, "{error}");
        }
        for status in [401, 403, 404, 429, 502, 503] {
            assert_eq!(of(status, "property 'seed' is unsupported"), None);
        }
        assert_eq!(of(500, "unexpected end of stream"), None);
    }

    #[test]
    fn r1_a_deep_error_is_read_to_its_bounded_depth() {
        let deep = "[".repeat(100_000);
        assert_eq!(of(400, &deep), None);
    }
}
