//! What is changed in a request for a server that refuses some of it.

use super::config::SchemaDialect;
use serde_json::{Map, Value, json};
use std::fmt;

/// The field that holds the schema.
pub(super) const FORMAT: &str = "response_format";

pub(super) fn format_of(dialect: SchemaDialect, schema: &Value) -> Option<Value> {
    match dialect {
        SchemaDialect::JsonSchema => Some(json!({
            "type": "json_schema",
            "json_schema": { "name": "reply", "strict": true, "schema": schema },
        })),
        SchemaDialect::JsonObject => Some(json!({ "type": "json_object", "schema": schema })),
        SchemaDialect::None => None,
    }
}

/// How a request is asked in another way than we do by ourselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    /// This field is left out.
    LeaveOut(String),
    /// The first field has the name of the second.
    Rename(&'static str, &'static str),
    /// The schema is sent in its other form, [`SchemaDialect::JsonObject`].
    OtherFormat,
    /// The text of the system message goes in front of the first message of the user.
    SystemInFront,
}

impl Change {
    /// Changes a body. Whether there was anything to change.
    pub fn apply(&self, body: &mut Map<String, Value>) -> bool {
        match self {
            Self::LeaveOut(name) => {
                if name == "stream" {
                    body.remove("stream_options");
                }
                body.remove(name).is_some()
            }
            Self::Rename(from, to) => match body.remove(*from) {
                Some(value) => body.insert((*to).to_owned(), value).is_none(),
                None => false,
            },
            Self::OtherFormat => {
                let schema = body
                    .get(FORMAT)
                    .and_then(|f| f.pointer("/json_schema/schema"));
                let Some(schema) = schema.cloned() else {
                    return false;
                };
                let format = format_of(SchemaDialect::JsonObject, &schema);
                body.extend(format.map(|format| (FORMAT.to_owned(), format)));
                true
            }
            Self::SystemInFront => system_in_front(body),
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeaveOut(name) => write!(f, "the field `{name}` is left out"),
            Self::Rename(from, to) => write!(f, "the field `{from}` is sent as `{to}`"),
            Self::OtherFormat => write!(f, "the schema is sent as `json_object`"),
            Self::SystemInFront => {
                write!(
                    f,
                    "the system message is sent as the beginning of the user's"
                )
            }
        }
    }
}

fn system_in_front(body: &mut Map<String, Value>) -> bool {
    let Some(Value::Array(messages)) = body.get_mut("messages") else {
        return false;
    };
    let is = |message: &Value, role| message.get("role").and_then(Value::as_str) == Some(role);
    let text = |message: &Value| {
        let text = message.get("content").and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let system = messages.iter().filter(|message| is(message, "system"));
    let system: Vec<String> = system.map(text).collect();
    if system.is_empty() {
        return false;
    }
    messages.retain(|message| !is(message, "system"));
    let mut front = system.join("\n\n");
    match messages.first_mut().filter(|first| is(first, "user")) {
        Some(first) => {
            front.push_str("\n\n");
            front.push_str(&text(first));
            *first = json!({ "role": "user", "content": front });
        }
        None => messages.insert(0, json!({ "role": "user", "content": front })),
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(json: Value) -> Map<String, Value> {
        json.as_object().unwrap().clone()
    }

    #[test]
    fn p15_the_system_message_stands_in_front_of_the_first_one() {
        let message = |role: &str, content: &str| json!({ "role": role, "content": content });
        let mut asked = body(json!({"messages": [
            message("system", "You are Mira."), message("user", "Hello"),
            message("assistant", "Aye?"), message("user", "Who are you?"),
        ]}));
        assert!(Change::SystemInFront.apply(&mut asked));
        let after = json!([
            message("user", "You are Mira.\n\nHello"),
            message("assistant", "Aye?"),
            message("user", "Who are you?"),
        ]);
        assert_eq!(asked["messages"], after);
        assert!(
            !Change::SystemInFront.apply(&mut asked),
            "there is none left"
        );
        let mut alone = body(json!({"messages": [message("system", "a"), message("system", "b")]}));
        assert!(Change::SystemInFront.apply(&mut alone));
        assert_eq!(alone["messages"], json!([message("user", "a\n\nb")]));
    }

    #[test]
    fn p15_a_schema_has_two_forms_and_a_field_two_names() {
        let schema = json!({"type": "object"});
        let mut asked = body(json!({ "max_tokens": 9, "stream": true, "stream_options": {} }));
        asked.extend(format_of(SchemaDialect::JsonSchema, &schema).map(|f| (FORMAT.into(), f)));
        assert!(Change::OtherFormat.apply(&mut asked));
        assert_eq!(
            asked[FORMAT],
            json!({"type": "json_object", "schema": schema})
        );
        assert!(!Change::OtherFormat.apply(&mut asked));
        assert!(Change::Rename("max_tokens", "max_completion_tokens").apply(&mut asked));
        assert_eq!(asked["max_completion_tokens"], 9);
        assert!(Change::LeaveOut("stream".into()).apply(&mut asked));
        assert_eq!(asked.get("stream_options"), None, "it means nothing alone");
        assert!(!Change::LeaveOut("stream".into()).apply(&mut asked));
    }
}
